/* io/zstd.h - decompression of Zstandard streams by the system's libzstd, opened on first use. */
#ifndef WEIR_IO_ZSTD_H
#define WEIR_IO_ZSTD_H

#include "base/str.h"

/* Unpacks all frames of |packed| onto |out_bytes|, or a part of them when the op that it works for
 * is stopped (base/stop.h). INVALID_ARGUMENT when they are malformed or cut short;
 * RESOURCE_EXHAUSTED beyond the limit of memory; UNIMPLEMENTED when the library is missing. */
WEIR_CHECKED weir_status weir_zstd_unpack(weir_str packed, weir_buf *out_bytes);

#endif
