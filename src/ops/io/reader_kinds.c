/* ops/io/reader_kinds.c - what records the readers find: whole files, lines, pieces of a fixed
 * length, framed records, or just the names. */
#include <inttypes.h>

#include "io/file.h"
#include "io/record.h"
#include "io/stream.h"
#include "ops/io/reader.h"

static void set(weir_buf *b, const char *bytes, size_t length)
{
    b->length = 0;
    weir_buf_add(b, bytes, length);
}

static void set_key(weir_reader *r, int64_t number)
{
    r->key.length = 0;
    weir_buf_addf(&r->key, "%s:%" PRId64, r->work, number);
}

static void drop_nothing(weir_reader *r)
{
}

/* ---- names ---- */

static weir_status start_once(weir_reader *r)
{
    r->at = 0;
    return WEIR_OK;
}

static weir_status next_name(weir_reader *r, bool *out_record, bool *out_end)
{
    *out_record = *out_end = true;
    set(&r->key, r->work, strlen(r->work));
    set(&r->value, r->work, strlen(r->work));
    return WEIR_OK;
}

const weir_reader_kind weir_identity_reader = {"IdentityReader", start_once, next_name,
                                               drop_nothing, true};

/* ---- whole files ---- */

static weir_status next_file(weir_reader *r, bool *out_record, bool *out_end)
{
    *out_record = *out_end = true;
    set(&r->key, r->work, strlen(r->work));
    weir_buf_fini(&r->value);
    return weir_file_read_all(r->work, SIZE_MAX / 2, &r->value);
}

const weir_reader_kind weir_whole_file_reader = {"WholeFileReader", start_once, next_file,
                                                 drop_nothing, true};

/* ---- lines and framed records: from front to back ---- */

static void drop_stream(weir_reader *r)
{
    weir_stream_destroy(r->file);
    r->file = NULL;
}

static weir_status open_stream(weir_reader *r)
{
    weir_stream *s = NULL;
    WEIR_TRY(weir_stream_open(r->work, (weir_packing)r->options.packing, 0, &s));
    r->file = s;
    r->at = 0;
    return WEIR_OK;
}

/* OUT_OF_RANGE is how a stream says that it ends. */
static weir_status or_end(weir_status s, bool *out_record, bool *out_end)
{
    *out_end = weir_status_code(s) == WEIR_OUT_OF_RANGE;
    *out_record = !*out_end;
    if (!*out_end)
        return s;
    weir_status_free(s);
    return WEIR_OK;
}

static weir_status start_lines(weir_reader *r)
{
    WEIR_TRY(open_stream(r));
    bool line = true, end = false;
    for (; r->at < r->options.skip_header_lines && !end; r->at += line)
        WEIR_TRY(or_end(weir_stream_line(r->file, &r->value), &line, &end));
    return WEIR_OK;
}

static weir_status next_line(weir_reader *r, bool *out_record, bool *out_end)
{
    WEIR_TRY(or_end(weir_stream_line(r->file, &r->value), out_record, out_end));
    set_key(r, ++r->at);
    return WEIR_OK;
}

const weir_reader_kind weir_text_line_reader = {"TextLineReader", start_lines, next_line,
                                                drop_stream, false};

/* A damaged record stays the next one: whoever asks again is told again. */
static weir_status next_record(weir_reader *r, bool *out_record, bool *out_end)
{
    if (!r->file) {
        int64_t start = r->at;
        uint64_t skipped;
        WEIR_TRY(open_stream(r));
        WEIR_TRY(weir_stream_skip(r->file, (uint64_t)start, &skipped));
    }
    r->at = (int64_t)weir_stream_tell(r->file);
    set_key(r, r->at);
    weir_status s = or_end(weir_record_read(r->file, &r->value), out_record, out_end);
    if (s)
        drop_stream(r);
    return s;
}

const weir_reader_kind weir_record_reader = {"TFRecordReader", open_stream, next_record,
                                             drop_stream, false};

/* ---- pieces of a fixed length ---- */

/* The file's unpacked bytes; pieces may overlap, so all of it is at hand. */
static weir_status start_pieces(weir_reader *r)
{
    enum { CHUNK = 1 << 20 };
    weir_buf *all = WEIR_NEW(weir_buf);
    WEIR_OWNED(weir_stream) s = NULL;
    r->file = all;
    r->at = 0;
    WEIR_TRY(weir_stream_open(r->work, (weir_packing)r->options.packing, 0, &s));
    for (size_t got = CHUNK; got == CHUNK;) {
        weir_buf_reserve(all, CHUNK);
        WEIR_TRY(weir_stream_read(s, all->at + all->length, CHUNK, &got));
        all->length += got;
    }
    return WEIR_OK;
}

static weir_status next_piece(weir_reader *r, bool *out_record, bool *out_end)
{
    const weir_reader_options *o = &r->options;
    const weir_buf *all = r->file;
    int64_t hop = o->hop_bytes ? o->hop_bytes : o->record_bytes, start;
    *out_end = __builtin_mul_overflow(r->at, hop, &start) ||
               __builtin_add_overflow(start, o->header_bytes, &start) ||
               start > (int64_t)all->length - o->footer_bytes - o->record_bytes;
    *out_record = !*out_end;
    if (*out_end)
        return WEIR_OK;
    set_key(r, r->at++);
    set(&r->value, all->at + start, (size_t)o->record_bytes);
    return WEIR_OK;
}

static void drop_pieces(weir_reader *r)
{
    if (r->file)
        weir_buf_fini(r->file);
    weir_free(r->file);
    r->file = NULL;
}

const weir_reader_kind weir_fixed_length_reader = {"FixedLengthRecordReader", start_pieces,
                                                   next_piece, drop_pieces, false};
