/* io/snappy.h - decompression of Snappy blocks, which older checkpoints use. */
#ifndef WEIR_IO_SNAPPY_H
#define WEIR_IO_SNAPPY_H

#include "base/str.h"

/* Decompresses one raw Snappy stream. DATA_LOSS when it is malformed or declares more than |most|
 * bytes. */
WEIR_CHECKED weir_status weir_snappy_unpack(weir_str packed, size_t most, weir_buf *out_bytes);

#endif
