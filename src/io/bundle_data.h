/* io/bundle_data.h - a tensor's bytes as they lie in a data file of a bundle. */
#ifndef WEIR_IO_BUNDLE_DATA_H
#define WEIR_IO_BUNDLE_DATA_H

#include "io/file.h"
#include "tensor/tensor.h"

/* Appends the tensor's bytes to |file|; gives how many and their masked checksum. */
WEIR_CHECKED weir_status weir_bundle_data_write(weir_wfile *file, const weir_tensor *tensor,
                                                int64_t *out_bytes, uint32_t *out_crc);
/* Fills |tensor|, allocated, from |bytes| at |offset|, and checks them against |crc| (masked). */
WEIR_CHECKED weir_status weir_bundle_data_read(weir_rfile *file, int64_t offset, int64_t bytes,
                                               uint32_t crc, weir_tensor *tensor);
/* The least bytes that a tensor of |count| elements can take; INT64_MAX when none can. */
int64_t weir_bundle_data_least(weir_dtype dtype, int64_t count);

#endif
