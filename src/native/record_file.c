/* native/record_file.c - weir/records.h over io/record.h. */
#include "weir/records.h"

#include "capi/capi.h"
#include "io/record.h"

struct weir_records_writer {
    weir_record_writer *file;
};

struct weir_records_reader {
    char *path;
    weir_stream *stream;
    weir_buf record;
};

static weir_status packing_of(const char *compression, weir_packing *out)
{
    return weir_packing_parse(weir_str_of(compression ? compression : ""), out);
}

weir_records_writer *weir_records_create(const char *path, const char *compression,
                                         TF_Status *status)
{
    weir_packing packing;
    weir_record_writer *file = NULL;
    weir_status result = packing_of(compression, &packing);
    if (!result)
        result = weir_record_writer_open(path, packing, false, &file);
    if (!weir_capi_end(status, result))
        return NULL;
    weir_records_writer *writer = WEIR_NEW(weir_records_writer);
    writer->file = file;
    return writer;
}

void weir_records_add(weir_records_writer *writer, const void *record, size_t length,
                      TF_Status *status)
{
    weir_capi_end(status, weir_record_writer_add(writer->file, (weir_str){record, length}));
}

void weir_records_close(weir_records_writer *writer, TF_Status *status)
{
    weir_capi_end(status, weir_record_writer_close(writer->file));
    weir_free(writer);
}

void weir_records_drop(weir_records_writer *writer)
{
    if (!writer)
        return;
    weir_record_writer_destroy(writer->file);
    weir_free(writer);
}

weir_records_reader *weir_records_open(const char *path, const char *compression, TF_Status *status)
{
    weir_packing packing;
    weir_stream *stream = NULL;
    weir_status result = packing_of(compression, &packing);
    if (!result)
        result = weir_stream_open(path, packing, 0, &stream);
    if (!weir_capi_end(status, result))
        return NULL;
    weir_records_reader *reader = WEIR_NEW(weir_records_reader);
    reader->path = weir_strdup(path);
    reader->stream = stream;
    return reader;
}

bool weir_records_next(weir_records_reader *reader, const void **record, size_t *length,
                       TF_Status *status)
{
    weir_status result = weir_record_read(reader->stream, &reader->record);
    bool end = weir_status_code(result) == WEIR_OUT_OF_RANGE;
    if (end) {
        weir_status_free(result);
        result = WEIR_OK;
    }
    if (result)
        result = weir_status_prefix(result, "%s: ", reader->path);
    *record = reader->record.at;
    *length = reader->record.length;
    return weir_capi_end(status, result) && !end;
}

void weir_records_delete(weir_records_reader *reader)
{
    if (!reader)
        return;
    weir_stream_destroy(reader->stream);
    weir_buf_fini(&reader->record);
    weir_free(reader->path);
    weir_free(reader);
}
