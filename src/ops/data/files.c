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
    size_t room;                    /* reader buffer size; 0: default */
    weir_tensor offsets;            /* start offset in each file, or empty */
    int64_t header, record, footer; /* bytes, of fixed-length records */
    weir_status (*open)(files_iterator *iterator);
    /* Replaces line by the next record; OUT_OF_RANGE at the end of the file. */
    weir_status (*read)(files_iterator *iterator);
};

struct files_iterator {
    weir_iterator base;
    int64_t at; /* next file */
    weir_stream *stream;
    weir_buf line;
    int64_t left; /* remaining fixed-length records of this file; -1: unknown */
};

static const files *of(const files_iterator *iterator)
{
    return (const files *)iterator->base.dataset;
}

static void fini(weir_dataset *dataset)
{
    weir_tensor_release(&((files *)dataset)->names);
    weir_tensor_release(&((files *)dataset)->offsets);
}

static void fini_iterator(weir_iterator *it)
{
    files_iterator *iterator = (files_iterator *)it;
    weir_stream_destroy(iterator->stream);
    weir_buf_fini(&iterator->line);
}

static weir_status open_next(files_iterator *iterator)
{
    const files *files = of(iterator);
    weir_str name = weir_tstring_get((const weir_tstring *)files->names.data + iterator->at);
    WEIR_FREED char *path = weir_strndup(name.at, name.length);
    WEIR_TRY(weir_stream_open(path, files->packing, files->room, &iterator->stream));
    int64_t file = iterator->at++;
    uint64_t skipped;
    if (files->offsets.buffer)
        WEIR_TRY(weir_stream_skip(
            iterator->stream, (uint64_t)((const int64_t *)files->offsets.data)[file], &skipped));
    return files->open ? files->open(iterator) : WEIR_OK;
}

static weir_status give(files_iterator *iterator, weir_tensor *out)
{
    *out = weir_tensor_string((weir_str){iterator->line.at, iterator->line.length});
    return WEIR_OK;
}

static void close_file(files_iterator *iterator)
{
    weir_stream_destroy(iterator->stream);
    iterator->stream = NULL;
}

static weir_status next(weir_iterator *it, weir_run *run, weir_tensor *out, bool *out_end)
{
    (void)run;
    files_iterator *iterator = (files_iterator *)it;
    int64_t count = weir_tensor_count(&of(iterator)->names);
    while (iterator->stream || iterator->at < count) {
        weir_status status = iterator->stream ? WEIR_OK : open_next(iterator);
        if (!status)
            status = of(iterator)->read(iterator);
        if (!status)
            return give(iterator, out);
        close_file(iterator);
        if (weir_status_code(status) != WEIR_OUT_OF_RANGE)
            return status;
        weir_status_free(status);
    }
    *out_end = true;
    return WEIR_OK;
}

static weir_status read_line(files_iterator *iterator)
{
    return weir_stream_line(iterator->stream, &iterator->line);
}

static weir_status read_record(files_iterator *iterator)
{
    return weir_record_read(iterator->stream, &iterator->line);
}

/* ---- fixed-length records -------------------------------------------------------------------- */

static weir_status open_fixed(files_iterator *iterator)
{
    const files *files = of(iterator);
    uint64_t skipped;
    int64_t bytes = (int64_t)weir_stream_file_bytes(iterator->stream);
    iterator->left = -1;
    if (files->packing == WEIR_PACKING_NONE) {
        int64_t body = bytes - files->header - files->footer;
        if (body % files->record)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Excess bytes in input file after reading %" PRId64
                              " fixed length records of %" PRId64 " bytes",
                              body / files->record, files->record);
        iterator->left = body / files->record;
    }
    return weir_stream_skip(iterator->stream, (uint64_t)files->header, &skipped);
}

/* The end of a compressed file is not known in advance: |line| holds back the footer. */
static weir_status read_fixed(files_iterator *iterator)
{
    const files *files = of(iterator);
    size_t got, want = (size_t)files->record;
    if (iterator->left == 0)
        return weir_error(WEIR_OUT_OF_RANGE, "End of file");
    iterator->left -= iterator->left > 0;
    iterator->line.length = 0;
    weir_buf_reserve(&iterator->line, want);
    WEIR_TRY(weir_stream_read(iterator->stream, iterator->line.at, want, &got));
    if (got < want)
        return weir_error(WEIR_OUT_OF_RANGE, "End of file");
    iterator->line.length = want;
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

static weir_status read_packing(weir_call *call, files *files)
{
    weir_str name = {"", 0};
    WEIR_TRY(weir_data_string(call, "compression_type", &name));
    if (!name.length)
        files->packing = WEIR_PACKING_NONE;
    else if (weir_str_is(name, "GZIP"))
        files->packing = WEIR_PACKING_GZIP;
    else if (weir_str_is(name, "ZLIB"))
        files->packing = WEIR_PACKING_ZLIB;
    else
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported compression_type.");
    return WEIR_OK;
}

static weir_status read_offsets(weir_call *call, files *files)
{
    const weir_tensor *tensor = weir_data_in(call, "byte_offsets");
    if (!tensor || weir_tensor_count(tensor) == 0)
        return WEIR_OK;
    if (weir_tensor_count(tensor) != weir_tensor_count(&files->names))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "`byte_offsets` must have the same number of elements as `filenames`");
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++)
        if (((const int64_t *)tensor->data)[i] < 0)
            return weir_error(WEIR_INVALID_ARGUMENT, "`byte_offsets` must be >= 0");
    files->offsets = weir_tensor_share(tensor);
    return WEIR_OK;
}

static weir_status read_names(weir_call *call, files *files)
{
    enum { ROOM_MOST = 1 << 28 };
    const weir_tensor *names = weir_data_in(call, "filenames");
    int64_t room = 0;
    if (names->shape.rank > 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "`filenames` must be a scalar or a vector.");
    WEIR_TRY(weir_data_int(call, "buffer_size", &room));
    if (room < -1) /* clients pass -1 for the default */
        return weir_error(WEIR_INVALID_ARGUMENT, "`buffer_size` must be >= 0 (0 == default)");
    files->room = (size_t)weir_clamp(room, 0, ROOM_MOST);
    files->names = weir_tensor_share(names);
    WEIR_TRY(read_packing(call, files));
    return read_offsets(call, files);
}

static weir_status read_lengths(weir_call *call, files *files)
{
    enum { RECORD_MOST = 1 << 30 };
    if (!weir_data_in(call, "record_bytes"))
        return WEIR_OK;
    WEIR_TRY(weir_data_int(call, "header_bytes", &files->header));
    WEIR_TRY(weir_data_int(call, "record_bytes", &files->record));
    WEIR_TRY(weir_data_int(call, "footer_bytes", &files->footer));
    if (files->header < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`header_bytes` must be >= 0");
    if (files->record <= 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`record_bytes` must be > 0");
    if (files->footer < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "`footer_bytes` must be >= 0");
    if (files->record > RECORD_MOST)
        return weir_error(WEIR_INVALID_ARGUMENT, "`record_bytes` must be at most %d", RECORD_MOST);
    if (files->packing != WEIR_PACKING_NONE && files->footer)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "`footer_bytes` must be 0 in files that are compressed");
    return WEIR_OK;
}

static weir_status make(weir_call *call, weir_status (*open)(files_iterator *),
                        weir_status (*read)(files_iterator *))
{
    files *this_files = (files *)weir_dataset_create(&fns, 1, 0);
    this_files->base.types[0] = WEIR_STRING;
    this_files->base.shapes[0] = WEIR_SCALAR;
    this_files->open = open;
    this_files->read = read;
    weir_status status = read_names(call, this_files);
    if (!status)
        status = read_lengths(call, this_files);
    if (status)
        weir_dataset_release(&this_files->base);
    else
        weir_dataset_output(call, &this_files->base);
    return status;
}

static weir_status make_lines(weir_call *call)
{
    return make(call, NULL, read_line);
}

static weir_status make_records(weir_call *call)
{
    return make(call, NULL, read_record);
}

static weir_status make_fixed(weir_call *call)
{
    return make(call, open_fixed, read_fixed);
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
