/* io/stream.h - sequential reading of a file, decompressed if necessary.
 *
 * One thread at a time.
 */
#ifndef WEIR_IO_STREAM_H
#define WEIR_IO_STREAM_H

#include "io/deflate.h"

typedef struct weir_stream weir_stream;

/* |room_bytes| is the size of its buffer; 0: 256 KiB. */
WEIR_CHECKED weir_status weir_stream_open(const char *path, weir_packing packing, size_t room_bytes,
                                          weir_stream **out_stream);
void weir_stream_destroy(weir_stream *stream); /* takes null */
WEIR_OWNABLE(weir_stream);

/* Reads up to |length| bytes; fewer only at the end of the file. */
WEIR_CHECKED weir_status weir_stream_read(weir_stream *stream, void *out, size_t length,
                                          size_t *out_length);
/* Skips up to |length| bytes; fewer only at the end of the file. */
WEIR_CHECKED weir_status weir_stream_skip(weir_stream *stream, uint64_t length,
                                          uint64_t *out_length);
/* Replaces |line| by the next line without its end ("\n" or "\r\n"); OUT_OF_RANGE after the
 * last. */
WEIR_CHECKED weir_status weir_stream_line(weir_stream *stream, weir_buf *line);
/* Uncompressed bytes read so far. */
uint64_t weir_stream_tell(const weir_stream *stream);
/* The file's size as stored (compressed). */
uint64_t weir_stream_file_bytes(const weir_stream *stream);

#endif
