/* io/zstd.h - decompression of Zstandard streams by the system's libzstd, opened on first use. */
#ifndef WEIR_IO_ZSTD_H
#define WEIR_IO_ZSTD_H

#include "base/str.h"

/* Decompresses all frames of |packed| onto |out_bytes|. INVALID_ARGUMENT when they are malformed or
 * truncated; UNIMPLEMENTED when the library is missing. */
WEIR_CHECKED weir_status weir_zstd_unpack(weir_str packed, weir_buf *out_bytes);

#endif
