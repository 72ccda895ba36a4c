/* io/bundle_data.h - a tensor's bytes as they lie in a data file of a bundle. */
#ifndef WEIR_IO_BUNDLE_DATA_H
#define WEIR_IO_BUNDLE_DATA_H

#include "io/file.h"
#include "tensor/tensor.h"

/* Appends the tensor's bytes to |f|; gives how many and their masked checksum. */
WEIR_CHECKED weir_status weir_bundle_data_write(weir_wfile *f, const weir_tensor *t,
                                                int64_t *out_bytes, uint32_t *out_crc);
/* Fills |t|, allocated, from |bytes| at |offset|, and checks them against |crc| (masked). */
WEIR_CHECKED weir_status weir_bundle_data_read(weir_rfile *f, int64_t offset, int64_t bytes,
                                               uint32_t crc, weir_tensor *t);
/* The least bytes that a tensor of |count| elements can take; INT64_MAX when none can. */
int64_t weir_bundle_data_least(weir_dtype dtype, int64_t count);

#endif
