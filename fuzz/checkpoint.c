/* fuzz/checkpoint.c - any bytes as the index of a checkpoint, as an old checkpoint, and as the file
 * that lists them. The data file is a fixed one. */
#include <stdio.h>
#include <unistd.h>

#include "io/checkpoint.h"

enum { MOST_TENSORS = 64 };

static void read_all(const char *prefix)
{
    weir_checkpoint *c = NULL;
    weir_status s = weir_checkpoint_open(prefix, &c);
    weir_status_free(s);
    for (size_t i = 0; c && i < weir_checkpoint_count(c) && i < MOST_TENSORS; i++) {
        weir_tensor t;
        s = weir_checkpoint_read(c, weir_checkpoint_at(c, i).name, NULL, &t);
        if (!s)
            weir_tensor_release(&t);
        weir_status_free(s);
    }
    weir_checkpoint_destroy(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char values[4096] = "some bytes";
    char prefix[64], index[80], shard[96];
    snprintf(prefix, sizeof prefix, "/dev/shm/weir_fuzz_%d", (int)getpid());
    snprintf(index, sizeof index, "%s.index", prefix);
    snprintf(shard, sizeof shard, "%s.data-00000-of-00001", prefix);
    weir_checkpoint_state state;
    weir_status s = weir_checkpoint_state_parse((weir_str){(const char *)data, size}, &state);
    if (!s)
        weir_checkpoint_state_fini(&state);
    weir_status_free(s);
    weir_status_free(weir_file_write_all(index, data, size));
    weir_status_free(weir_file_write_all(shard, values, sizeof values));
    read_all(prefix);
    unlink(index);
    weir_status_free(weir_file_write_all(prefix, data, size));
    read_all(prefix);
    unlink(prefix);
    unlink(shard);
    return 0;
}
