/* fuzz/hdf5.c - any bytes as an HDF5 file. */
#include "io/hdf5.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    weir_hdf5 *file = NULL;
    weir_str text;
    weir_status_free(weir_hdf5_open((weir_str){(const char *)data, size}, &file));
    if (file)
        weir_hdf5_text(file, "keras_version", &text);
    weir_hdf5_destroy(file);
    return 0;
}
