/* ops/data/files.c - TextLineDataset, TFRecordDataset, FixedLengthRecordDataset: the records of a
 * list of files.
 */
#include <inttypes.h>

#include "base/arith.h"
#include "io/record.h"
#include "io/stream.h"
#include "ops/data/data_impl.h"
#include "tensor/tstring.h"

typedef struct files files;
typedef struct files_iterator files_iterator;

struct files {
    weir_dataset base;
    weir_tensor names; /* string scalar or vector */
    weir_packing packing;
    size_t room;                    /* of a reader's buffer; 0: the usual */
    weir_tensor offsets;            /* where to start in each file, or no tensor */
    int64_t header, record, footer; /* bytes, of fixed-length records */
    weir_status (*open)(files_iterator *f);
    /* Replaces line by the next record; OUT_OF_RANGE at the end of the file. */
    weir_status (*read)(files_iterator *f);
};

struct files_iterator {
    weir_iterator base;
    int64_t at; /* next file */
    weir_stream *stream;
    weir_buf line;
    int64_t left; /* fixed-length records to come of this file; -1: not known */
};

static const files *of(const files_iterator *f)
{
    return (const files *)f->base.dataset;
}

static void fini(weir_dataset *d)
{
    weir_tensor_release(&((files *)d)->names);
    weir_tensor_release(&((files *)d)->offsets);
}

static void fini_iterator(weir_iterator *it)
{
    files_iterator *f = (files_iterator *)it;
    weir_stream_destroy(f->stream);
    weir_buf_fini(&f->line);
}

static weir_status open_next(files_iterator *f)
{
    const files *d = of(f);
    weir_str name = weir_tstring_get((const weir_tstring *)d->names.data + f->at);
    char *path = weir_strndup(name.at, name.length);
    weir_status s = weir_stream_open(path, d->packing, d->room, &f->stream);
    weir_free(path);
    WEIR_TRY(s);
    int64_t file = f->at++;
    uint64_t skipped;
    if (d->offsets.buffer)
        WEIR_TRY(weir_stream_skip(f->stream, (uint64_t)((const int64_t *)d->offsets.data)[file],
                                  &skipped));
    return d->open ? d->open(f) : WEIR_OK;
}

static weir_status give(files_iterator *f, weir_tensor *out)
{
    *out = weir_tensor_string((weir_str){f->line.at, f->line.length});
    return WEIR_OK;
}

static void close_file(files_iterator *f)
{
    weir_stream_destroy(f->stream);
    f->stream = NULL;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    files_iterator *f = (files_iterator *)it;
    int64_t count = weir_tensor_count(&of(f)->names);
    while (f->stream || f->at < count) {
        weir_status s = f->stream ? WEIR_OK : open_next(f);
        if (!s)
            s = of(f)->read(f);
        if (!s)
            return give(f, out);
        close_file(f);
        if (weir_status_code(s) != WEIR_OUT_OF_RANGE)
            return s;
        weir_status_free(s);
    }
    *out_end = true;
    return WEIR_OK;
}

static weir_status read_line(files_iterator *f)
{
    return weir_stream_line(f->stream, &f->line);
}

static weir_status read_record(files_iterator *f)
{
    return weir_record_read(f->stream, &f->line);
}

/* ---- fixed-length records -------------------------------------------------------------------- */

static weir_status open_fixed(files_iterator *f)
{
    const files *d = of(f);
    uint64_t skipped;
    int64_t bytes = (int64_t)weir_stream_file_bytes(f->stream);
    f->left = -1;
    if (d->packing == WEIR_PACKING_NONE) {
        int64_t body = bytes - d->header - d->footer;
        if (body % d->record)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Excess bytes in input file after reading %" PRId64
                              " fixed length records of %" PRId64 " bytes",
                              body / d->record, d->record);
        f->left = body / d->record;
    }
    return weir_stream_skip(f->stream, (uint64_t)d->header, &skipped);
}

/* Of a compressed file the end is not known ahead: the footer is kept back in the line. */
static weir_status read_fixed(files_iterator *f)
{
    const files *d = of(f);
    size_t got, want = (size_t)d->record;
    if (f->left == 0)
        return weir_error(WEIR_OUT_OF_RANGE, "End of file");
    f->left -= f->left > 0;
    f->line.length = 0;
    weir_buf_reserve(&f->line, want);
    WEIR_TRY(weir_stream_read(f->stream, f->line.at, want, &got));
    if (got < want)
        return weir_error(WEIR_OUT_OF_RANGE, "End of file");
    f->line.length = want;
    return WEIR_OK;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static const weir_dataset_fns fns = {
    .name = "Files",
    .bytes = sizeof(files),
    .iterator_bytes = sizeof(files_iterator),
    .next = next,
    .fini_iterator = fini_iterator,
    .fini = fini,
};

static weir_status read_packing(weir_call *c, files *d)
{
    weir_str name = {"", 0};
    WEIR_TRY(weir_data_string(c, "compression_type", &name));
    if (!name.length)
        d->packing = WEIR_PACKING_NONE;
    else if (weir_str_is(name, "GZIP"))
        d->packing = WEIR_PACKING_GZIP;
    else if (weir_str_is(name, "ZLIB"))
        d->packing = WEIR_PACKING_ZLIB;
    else
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported compression_type.");
    return WEIR_OK;
}

static weir_status read_offsets(weir_call *c, files *d)
{
    const weir_tensor *t = weir_data_in(c, "byte_offsets");
    if (!t || weir_tensor_count(t) == 0)
        return WEIR_OK;
    if (weir_tensor_count(t) != weir_tensor_count(&d->names))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`byte_offsets` must have the same number of elements as `filenames`");
    for (int64_t i = 0; i < weir_tensor_count(t); i++)
        if (((const int64_t *)t->data)[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "`byte_offsets` must be >= 0");
    d->offsets = weir_tensor_share(t);
    return WEIR_OK;
}

static weir_status read_names(weir_call *c, files *d)
{
    enum { ROOM_MOST = 1 << 28 };
    const weir_tensor *names = weir_data_in(c, "filenames");
    int64_t room = 0;
    if (names->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "`filenames` must be a scalar or a vector.");
    WEIR_TRY(weir_data_int(c, "buffer_size", &room));
    if (room < -1) /* -1 is what clients say who do not care */
        return weir_error(WEIR_INVALID_ARGUMENT, "`buffer_size` must be >= 0 (0 == default)");
    d->room = (size_t)weir_clamp(room, 0, ROOM_MOST);
    d->names = weir_tensor_share(names);
    WEIR_TRY(read_packing(c, d));
    return read_offsets(c, d);
}

static weir_status read_lengths(weir_call *c, files *d)
{
    enum { RECORD_MOST = 1 << 30 };
    if (!weir_data_in(c, "record_bytes"))
        return WEIR_OK;
    WEIR_TRY(weir_data_int(c, "header_bytes", &d->header));
    WEIR_TRY(weir_data_int(c, "record_bytes", &d->record));
    WEIR_TRY(weir_data_int(c, "footer_bytes", &d->footer));
    if (d->header < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`header_bytes` must be >= 0");
    if (d->record <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`record_bytes` must be > 0");
    if (d->footer < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`footer_bytes` must be >= 0");
    if (d->record > RECORD_MOST)
        return weir_error(WEIR_INVALID_ARGUMENT, "`record_bytes` must be at most %d", RECORD_MOST);
    if (d->packing != WEIR_PACKING_NONE && d->footer)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "`footer_bytes` must be 0 in files that are compressed");
    return WEIR_OK;
}

static weir_status make(weir_call *c, weir_status (*open)(files_iterator *),
                        weir_status (*read)(files_iterator *))
{
    files *d = (files *)weir_dataset_create(&fns, 1, 0);
    d->base.types[0] = WEIR_STRING;
    d->base.shapes[0] = WEIR_SCALAR;
    d->open = open;
    d->read = read;
    weir_status s = read_names(c, d);
    if (!s)
        s = read_lengths(c, d);
    if (s)
        weir_dataset_release(&d->base);
    else
        weir_dataset_output(c, &d->base);
    return s;
}

static weir_status make_lines(weir_call *c)
{
    return make(c, NULL, read_line);
}

static weir_status make_records(weir_call *c)
{
    return make(c, NULL, read_record);
}

static weir_status make_fixed(weir_call *c)
{
    return make(c, open_fixed, read_fixed);
}

#define META "metadata: string = \"\""
#define FIXED                                                                                      \
    "filenames: string; header_bytes: int64; record_bytes: int64; footer_bytes: int64; "           \
    "buffer_size: int64"

WEIR_DATASET_OP(text_line_dataset, "TextLineDataset",
                "filenames: string; compression_type: string; buffer_size: int64", META,
                WEIR_STATEFUL, make_lines);
WEIR_DATASET_OP(tf_record_dataset, "TFRecordDataset",
                "filenames: string; compression_type: string; buffer_size: int64", META,
                WEIR_STATEFUL, make_records);
WEIR_DATASET_OP(tf_record_dataset_v2, "TFRecordDatasetV2",
                "filenames: string; compression_type: string; buffer_size: int64; "
                "byte_offsets: int64",
                META, WEIR_STATEFUL, make_records);
WEIR_DATASET_OP(fixed_length_record_dataset, "FixedLengthRecordDataset", FIXED, META, WEIR_STATEFUL,
                make_fixed);
WEIR_DATASET_OP(fixed_length_record_dataset_v2, "FixedLengthRecordDatasetV2",
                FIXED "; compression_type: string", META, WEIR_STATEFUL, make_fixed);
