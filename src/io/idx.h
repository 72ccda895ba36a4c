/* io/idx.h - IDX files (MNIST's), plain or gzipped. */
#ifndef WEIR_IO_IDX_H
#define WEIR_IO_IDX_H

#include "tensor/tensor.h"

/* Decodes the bytes of an IDX file: uint8, int8, int16, int32, float or double of any rank. */
WEIR_CHECKED weir_status weir_idx_decode(weir_str bytes, weir_tensor *out_tensor);
/* Reads a file; a gzipped one is decompressed first. */
WEIR_CHECKED weir_status weir_idx_read(const char *path, weir_tensor *out_tensor);

#endif
