/* io/bundle_data.h - a tensor's bytes in a data file of a bundle. */
#ifndef WEIR_IO_BUNDLE_DATA_H
#define WEIR_IO_BUNDLE_DATA_H

#include "io/file.h"
#include "tensor/tensor.h"

/* Appends the tensor's bytes to |file|; returns their number and masked checksum. */
WEIR_CHECKED weir_status weir_bundle_data_write(weir_wfile *file, const weir_tensor *tensor,
                                                int64_t *out_bytes, uint32_t *out_crc);
/* Fills |tensor|, already allocated, from |bytes| at |offset|, and verifies |crc| (masked). */
WEIR_CHECKED weir_status weir_bundle_data_read(weir_rfile *file, int64_t offset, int64_t bytes,
                                               uint32_t crc, weir_tensor *tensor);
/* The minimum size in bytes of a tensor of |count| elements; INT64_MAX on overflow. */
int64_t weir_bundle_data_least(weir_dtype dtype, int64_t count);

#endif
