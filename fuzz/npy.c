/* fuzz/npy.c - any bytes as an array of numpy's and as an archive of them. */
#include "io/npy.h"

#include <stdio.h>
#include <unistd.h>

#include "io/file.h"

enum { MOST_ARRAYS = 16 };

static void read_archive(const char *path)
{
    weir_npz *z = NULL;
    weir_status_free(weir_npz_open(path, &z));
    for (size_t i = 0; z && i < weir_npz_count(z) && i < MOST_ARRAYS; i++) {
        weir_tensor t = {0};
        weir_status_free(weir_npz_read(z, i, &t));
        weir_tensor_release(&t);
    }
    weir_npz_destroy(z);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    weir_tensor t = {0};
    weir_status_free(weir_npy_decode((weir_str){(const char *)data, size}, &t));
    weir_tensor_release(&t);
    snprintf(path, sizeof path, "/dev/shm/weir_fuzz_%d.npz", (int)getpid());
    weir_status_free(weir_file_write_all(path, data, size));
    read_archive(path);
    unlink(path);
    return 0;
}
