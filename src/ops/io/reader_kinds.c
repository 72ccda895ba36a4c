/* ops/io/reader_kinds.c - record formats of readers: whole files, lines, fixed-length records,
 * framed records, or just the names. */
#include <inttypes.h>

#include "io/file.h"
#include "io/record.h"
#include "io/stream.h"
#include "ops/io/reader.h"

static void set(weir_buf *buf, const char *bytes, size_t length)
{
    buf->length = 0;
    weir_buf_add(buf, bytes, length);
}

static void set_key(weir_reader *reader, int64_t number)
{
    reader->key.length = 0;
    weir_buf_addf(&reader->key, "%s:%" PRId64, reader->work, number);
}

static void drop_nothing(weir_reader *reader)
{
}

/* ---- names ---- */

static weir_status start_once(weir_reader *reader)
{
    reader->at = 0;
    return WEIR_OK;
}

static weir_status next_name(weir_reader *reader, bool *out_record, bool *out_end)
{
    *out_record = *out_end = true;
    set(&reader->key, reader->work, strlen(reader->work));
    set(&reader->value, reader->work, strlen(reader->work));
    return WEIR_OK;
}

const weir_reader_kind weir_identity_reader = {"IdentityReader", start_once, next_name,
                                               drop_nothing, true};

/* ---- whole files ---- */

static weir_status next_file(weir_reader *reader, bool *out_record, bool *out_end)
{
    *out_record = *out_end = true;
    set(&reader->key, reader->work, strlen(reader->work));
    weir_buf_fini(&reader->value);
    return weir_file_read_all(reader->work, SIZE_MAX / 2, &reader->value);
}

const weir_reader_kind weir_whole_file_reader = {"WholeFileReader", start_once, next_file,
                                                 drop_nothing, true};

/* ---- lines and framed records: from front to back ---- */

static void drop_stream(weir_reader *reader)
{
    weir_stream_destroy(reader->file);
    reader->file = NULL;
}

static weir_status open_stream(weir_reader *reader)
{
    weir_stream *stream = NULL;
    WEIR_TRY(weir_stream_open(reader->work, (weir_packing)reader->options.packing, 0, &stream));
    reader->file = stream;
    reader->at = 0;
    return WEIR_OK;
}

/* Converts a stream's OUT_OF_RANGE to the end flag. */
static weir_status or_end(weir_status status, bool *out_record, bool *out_end)
{
    *out_end = weir_status_code(status) == WEIR_OUT_OF_RANGE;
    *out_record = !*out_end;
    if (!*out_end)
        return status;
    weir_status_free(status);
    return WEIR_OK;
}

static weir_status start_lines(weir_reader *reader)
{
    WEIR_TRY(open_stream(reader));
    bool line = true, end = false;
    for (; reader->at < reader->options.skip_header_lines && !end; reader->at += line)
        WEIR_TRY(or_end(weir_stream_line(reader->file, &reader->value), &line, &end));
    return WEIR_OK;
}

static weir_status next_line(weir_reader *reader, bool *out_record, bool *out_end)
{
    WEIR_TRY(or_end(weir_stream_line(reader->file, &reader->value), out_record, out_end));
    set_key(reader, ++reader->at);
    return WEIR_OK;
}

const weir_reader_kind weir_text_line_reader = {"TextLineReader", start_lines, next_line,
                                                drop_stream, false};

/* A damaged record is not skipped: further reads fail as well. */
static weir_status next_record(weir_reader *reader, bool *out_record, bool *out_end)
{
    if (!reader->file) {
        int64_t start = reader->at;
        uint64_t skipped;
        WEIR_TRY(open_stream(reader));
        WEIR_TRY(weir_stream_skip(reader->file, (uint64_t)start, &skipped));
    }
    reader->at = (int64_t)weir_stream_tell(reader->file);
    set_key(reader, reader->at);
    weir_status status =
        or_end(weir_record_read(reader->file, &reader->value), out_record, out_end);
    if (status)
        drop_stream(reader);
    return status;
}

const weir_reader_kind weir_record_reader = {"TFRecordReader", open_stream, next_record,
                                             drop_stream, false};

/* ---- fixed-length records -------------------------------------------------------------------- */

/* Reads the whole decompressed file, because records may overlap. */
static weir_status start_pieces(weir_reader *reader)
{
    enum { CHUNK = 1 << 20 };
    weir_buf *all = WEIR_NEW(weir_buf);
    WEIR_OWNED(weir_stream) stream = NULL;
    reader->file = all;
    reader->at = 0;
    WEIR_TRY(weir_stream_open(reader->work, (weir_packing)reader->options.packing, 0, &stream));
    for (size_t got = CHUNK; got == CHUNK;) {
        weir_buf_reserve(all, CHUNK);
        WEIR_TRY(weir_stream_read(stream, all->at + all->length, CHUNK, &got));
        all->length += got;
    }
    return WEIR_OK;
}

static weir_status next_piece(weir_reader *reader, bool *out_record, bool *out_end)
{
    const weir_reader_options *options = &reader->options;
    const weir_buf *all = reader->file;
    int64_t hop = options->hop_bytes ? options->hop_bytes : options->record_bytes, start;
    *out_end = __builtin_mul_overflow(reader->at, hop, &start) ||
               __builtin_add_overflow(start, options->header_bytes, &start) ||
               start > (int64_t)all->length - options->footer_bytes - options->record_bytes;
    *out_record = !*out_end;
    if (*out_end)
        return WEIR_OK;
    set_key(reader, reader->at++);
    set(&reader->value, all->at + start, (size_t)options->record_bytes);
    return WEIR_OK;
}

static void drop_pieces(weir_reader *reader)
{
    if (reader->file)
        weir_buf_fini(reader->file);
    weir_free(reader->file);
    reader->file = NULL;
}

const weir_reader_kind weir_fixed_length_reader = {"FixedLengthRecordReader", start_pieces,
                                                   next_piece, drop_pieces, false};
