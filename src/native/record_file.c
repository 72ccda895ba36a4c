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
    weir_status s = packing_of(compression, &packing);
    if (!s)
        s = weir_record_writer_open(path, packing, false, &file);
    if (!weir_capi_end(status, s))
        return NULL;
    weir_records_writer *w = WEIR_NEW(weir_records_writer);
    w->file = file;
    return w;
}

void weir_records_add(weir_records_writer *w, const void *record, size_t length, TF_Status *status)
{
    weir_capi_end(status, weir_record_writer_add(w->file, (weir_str){record, length}));
}

void weir_records_close(weir_records_writer *w, TF_Status *status)
{
    weir_capi_end(status, weir_record_writer_close(w->file));
    weir_free(w);
}

void weir_records_drop(weir_records_writer *w)
{
    if (!w)
        return;
    weir_record_writer_destroy(w->file);
    weir_free(w);
}

weir_records_reader *weir_records_open(const char *path, const char *compression, TF_Status *status)
{
    weir_packing packing;
    weir_stream *stream = NULL;
    weir_status s = packing_of(compression, &packing);
    if (!s)
        s = weir_stream_open(path, packing, 0, &stream);
    if (!weir_capi_end(status, s))
        return NULL;
    weir_records_reader *r = WEIR_NEW(weir_records_reader);
    r->path = weir_strdup(path);
    r->stream = stream;
    return r;
}

bool weir_records_next(weir_records_reader *r, const void **record, size_t *length,
                       TF_Status *status)
{
    weir_status s = weir_record_read(r->stream, &r->record);
    bool end = weir_status_code(s) == WEIR_OUT_OF_RANGE;
    if (end) {
        weir_status_free(s);
        s = WEIR_OK;
    }
    if (s)
        s = weir_status_prefix(s, "%s: ", r->path);
    *record = r->record.at;
    *length = r->record.length;
    return weir_capi_end(status, s) && !end;
}

void weir_records_delete(weir_records_reader *r)
{
    if (!r)
        return;
    weir_stream_destroy(r->stream);
    weir_buf_fini(&r->record);
    weir_free(r->path);
    weir_free(r);
}
