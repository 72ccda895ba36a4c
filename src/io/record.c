/*
 * io/record.c - TFRecord framing.
 *
 *    0  fixed64  length of the data
 *    8  fixed32  masked CRC-32C of those 8 bytes
 *   12  data
 *    n  fixed32  masked CRC-32C of the data
 */
#include "io/record.h"

#include <inttypes.h>

#include "base/mem.h"
#include "io/file.h"
#include "wire/crc32c.h"
#include "wire/varint.h"

enum { HEADER = WEIR_RECORD_HEADER, FOOTER = 4 };

static void put_header(char header[HEADER], uint64_t length)
{
    weir_fixed64_put(header, length);
    weir_fixed32_put(header + 8, weir_crc32c_mask(weir_crc32c(header, 8)));
}

static bool crc_matches(const void *bytes, size_t length, const void *stored)
{
    return weir_crc32c(bytes, length) == weir_crc32c_unmask(weir_fixed32_get(stored));
}

bool weir_record_begins(weir_str head)
{
    return head.length >= HEADER && crc_matches(head.at, 8, head.at + 8);
}

static weir_status corrupted(uint64_t offset)
{
    return weir_error(WEIR_DATA_LOSS, "corrupted record at %" PRIu64 "%s", offset,
                      offset == 0 ? " (Is this even a TFRecord file?)" : "");
}

static weir_status truncated(uint64_t offset)
{
    return weir_error(WEIR_DATA_LOSS,
                      "truncated record at %" PRIu64 "' failed with Read less bytes than requested",
                      offset);
}

void weir_record_add(weir_buf *out, weir_str record)
{
    char header[HEADER];
    put_header(header, record.length);
    weir_buf_add(out, header, HEADER);
    weir_buf_add(out, record.at, record.length);
    weir_fixed32_add(out, weir_crc32c_mask(weir_crc32c(record.at, record.length)));
}

weir_status weir_record_take(weir_str *in, weir_str *out_record)
{
    if (in->length == 0)
        return weir_error(WEIR_OUT_OF_RANGE, "eof");
    if (in->length < HEADER)
        return truncated(0);
    if (!crc_matches(in->at, 8, in->at + 8))
        return corrupted(0);
    uint64_t length = weir_fixed64_get(in->at);
    if (length > in->length - HEADER || FOOTER > in->length - HEADER - length)
        return truncated(0);
    if (!crc_matches(in->at + HEADER, length, in->at + HEADER + length))
        return corrupted(HEADER);
    *out_record = (weir_str){in->at + HEADER, length};
    *in = (weir_str){in->at + HEADER + length + FOOTER, in->length - HEADER - length - FOOTER};
    return WEIR_OK;
}

bool weir_record_is_cut(weir_str in)
{
    if (in.length < HEADER)
        return true;
    uint64_t rest = in.length - HEADER;
    uint64_t length = weir_record_begins(in) ? weir_fixed64_get(in.at) : 0;
    return length > rest || FOOTER > rest - length;
}

/* Reads |length| bytes of data and its checksum, in steps, so that a wrong length does not allocate
 * more memory than the file's size. */
static weir_status read_data(weir_stream *stream, uint64_t start, uint64_t length, weir_buf *record)
{
    enum { STEP = 8 << 20 };
    record->length = 0;
    while (record->length < length) {
        size_t left = length - record->length, count = left < STEP ? left : STEP, got = 0;
        weir_buf_reserve(record, count);
        WEIR_TRY(weir_stream_read(stream, record->at + record->length, count, &got));
        record->length += got;
        if (got < count)
            return truncated(start);
    }
    char footer[FOOTER];
    size_t got = 0;
    WEIR_TRY(weir_stream_read(stream, footer, FOOTER, &got));
    if (got < FOOTER)
        return truncated(start);
    weir_buf_add(record, "", 0);
    return crc_matches(record->at, length, footer) ? WEIR_OK : corrupted(start + HEADER);
}

weir_status weir_record_read(weir_stream *stream, weir_buf *record)
{
    uint64_t start = weir_stream_tell(stream);
    char header[HEADER];
    size_t got = 0;
    WEIR_TRY(weir_stream_read(stream, header, HEADER, &got));
    if (got == 0)
        return weir_error(WEIR_OUT_OF_RANGE, "eof");
    if (got < HEADER)
        return truncated(start);
    if (!crc_matches(header, 8, header + 8))
        return corrupted(start);
    return read_data(stream, start, weir_fixed64_get(header), record);
}

struct weir_record_writer {
    weir_wfile *file;
    weir_deflate *deflate; /* null: plain */
    weir_buf pending;      /* compressed bytes to be written */
};

weir_status weir_record_writer_open(const char *path, weir_packing packing, bool append,
                                    weir_record_writer **out_writer)
{
    WEIR_OWNED(weir_record_writer) writer = WEIR_NEW(weir_record_writer);
    if (packing != WEIR_PACKING_NONE)
        WEIR_TRY(weir_deflate_create(packing, -1, &writer->deflate));
    WEIR_TRY(append ? weir_wfile_append(path, &writer->file)
                    : weir_wfile_create(path, &writer->file));
    *out_writer = WEIR_TAKE(writer);
    return WEIR_OK;
}

void weir_record_writer_destroy(weir_record_writer *writer)
{
    if (!writer)
        return;
    weir_wfile_destroy(writer->file);
    weir_deflate_destroy(writer->deflate);
    weir_buf_fini(&writer->pending);
    weir_free(writer);
}

static weir_status put(weir_record_writer *writer, weir_str bytes, weir_deflate_how how)
{
    if (!writer->deflate)
        return weir_wfile_write(writer->file, bytes.at, bytes.length);
    writer->pending.length = 0;
    WEIR_TRY(weir_deflate_run(writer->deflate, bytes, how, &writer->pending));
    return weir_wfile_write(writer->file, writer->pending.at, writer->pending.length);
}

weir_status weir_record_writer_add(weir_record_writer *writer, weir_str record)
{
    char header[HEADER], footer[FOOTER];
    put_header(header, record.length);
    weir_fixed32_put(footer, weir_crc32c_mask(weir_crc32c(record.at, record.length)));
    WEIR_TRY(put(writer, (weir_str){header, HEADER}, WEIR_DEFLATE_MORE));
    WEIR_TRY(put(writer, record, WEIR_DEFLATE_MORE));
    return put(writer, (weir_str){footer, FOOTER}, WEIR_DEFLATE_MORE);
}

weir_status weir_record_writer_flush(weir_record_writer *writer)
{
    if (writer->deflate)
        WEIR_TRY(put(writer, WEIR_STR(""), WEIR_DEFLATE_FLUSH));
    return weir_wfile_flush(writer->file);
}

weir_status weir_record_writer_close(weir_record_writer *writer)
{
    weir_status status = WEIR_OK;
    if (writer->deflate)
        status = put(writer, WEIR_STR(""), WEIR_DEFLATE_FINISH);
    if (!status)
        status = weir_wfile_commit(WEIR_TAKE(writer->file));
    weir_record_writer_destroy(writer);
    return status;
}
