/* io/record.h - TFRecord files: framed, checksummed records.
 *
 * The codec works on bytes; weir_record_reader and weir_record_writer add files and compression.
 * One thread at a time.
 */
#ifndef WEIR_IO_RECORD_H
#define WEIR_IO_RECORD_H

#include "io/stream.h"

enum { WEIR_RECORD_HEADER = 12 }; /* bytes before a record: its length and a checksum of that */
/* Whether |head| can be a record's header: the checksum of the length matches. False if it is
 * shorter than a header. */
bool weir_record_begins(weir_str head);

/* Appends one framed record. */
void weir_record_add(weir_buf *out, weir_str record);
/* Takes one record off the front of |in|. OUT_OF_RANGE when |in| is empty, DATA_LOSS when it is
 * truncated or its checksums do not match. */
WEIR_CHECKED weir_status weir_record_take(weir_str *in, weir_str *out_record);
/* Whether |in|, of which no record could be taken, ends inside a record, as while it is written. */
bool weir_record_is_cut(weir_str in);

/* Replaces |record| by the next one of |stream|. OUT_OF_RANGE at a clean end of the file, DATA_LOSS
 * when it ends inside a record or a checksum does not match. */
WEIR_CHECKED weir_status weir_record_read(weir_stream *stream, weir_buf *record);

typedef struct weir_record_writer weir_record_writer;
/* Writes a temporary file, renamed to |path| on close; appending writes to |path| itself. */
WEIR_CHECKED weir_status weir_record_writer_open(const char *path, weir_packing packing,
                                                 bool append, weir_record_writer **out_writer);
void weir_record_writer_destroy(weir_record_writer *writer); /* discards an unclosed file */
WEIR_OWNABLE(weir_record_writer);
WEIR_CHECKED weir_status weir_record_writer_add(weir_record_writer *writer, weir_str record);
/* Makes everything added so far readable by others (when appending). */
WEIR_CHECKED weir_status weir_record_writer_flush(weir_record_writer *writer);
WEIR_CHECKED weir_status weir_record_writer_close(weir_record_writer *writer); /* and destroys */

#endif
