/* io/stream.c - buffered reading with optional decompression. */
#include "io/stream.h"

#include "base/mem.h"
#include "base/room.h"
#include "io/file.h"

enum { DEFAULT_ROOM = 256 << 10, LEAST_ROOM = 512, MOST_ROOM = 64 << 20 };

struct weir_stream {
    weir_rfile *file;
    weir_inflate *inflate; /* null: plain */
    uint64_t file_at;      /* next byte of the file to read */
    uint64_t taken;
    bool packed_end; /* the compressed stream ended, or may end here */
    size_t room;
    char *plain, *packed; /* |room| bytes each; packed is null if not compressed */
    weir_str have;        /* unread plain bytes; inside plain */
    weir_str raw;         /* bytes not yet decompressed; inside packed */
};

weir_status weir_stream_open(const char *path, weir_packing packing, size_t room_bytes,
                             weir_stream **out_stream)
{
    WEIR_OWNED(weir_stream) stream = WEIR_NEW(weir_stream);
    stream->room = room_bytes == 0 ? DEFAULT_ROOM : room_bytes;
    stream->room = stream->room < LEAST_ROOM  ? LEAST_ROOM
                   : stream->room > MOST_ROOM ? MOST_ROOM
                                              : stream->room;
    WEIR_TRY(weir_rfile_open(path, &stream->file));
    stream->plain = weir_alloc(stream->room);
    if (packing != WEIR_PACKING_NONE) {
        WEIR_TRY(weir_inflate_create(packing, &stream->inflate));
        stream->packed = weir_alloc(stream->room);
    }
    *out_stream = WEIR_TAKE(stream);
    return WEIR_OK;
}

void weir_stream_destroy(weir_stream *stream)
{
    if (!stream)
        return;
    weir_rfile_destroy(stream->file);
    weir_inflate_destroy(stream->inflate);
    weir_free(stream->plain);
    weir_free(stream->packed);
    weir_free(stream);
}

uint64_t weir_stream_tell(const weir_stream *stream)
{
    return stream->taken;
}

uint64_t weir_stream_file_bytes(const weir_stream *stream)
{
    return weir_rfile_bytes(stream->file);
}

static weir_status read_file(weir_stream *stream, char *room, weir_str *out)
{
    size_t got = 0;
    WEIR_TRY(weir_rfile_read_some(stream->file, stream->file_at, room, stream->room, &got));
    stream->file_at += got;
    *out = (weir_str){room, got};
    return WEIR_OK;
}

/* Refills |have| when it is empty; it stays empty only at the end of the file. */
static weir_status refill(weir_stream *stream)
{
    if (stream->have.length)
        return WEIR_OK;
    if (!stream->inflate)
        return read_file(stream, stream->plain, &stream->have);
    size_t got = 0;
    while (got == 0) {
        bool fresh = stream->raw.length == 0;
        if (fresh)
            WEIR_TRY(read_file(stream, stream->packed, &stream->raw));
        if (fresh && stream->raw.length == 0) {
            if (stream->file_at == 0 || stream->packed_end)
                break;
            return weir_error(WEIR_DATA_LOSS, "%s: compressed file is cut short",
                              weir_rfile_path(stream->file));
        }
        WEIR_TRY(weir_inflate_run(stream->inflate, &stream->raw, stream->plain, stream->room, &got,
                                  &stream->packed_end));
        if (got == 0 && stream->packed_end && stream->raw.length)
            break; /* data after the stream is ignored */
    }
    stream->have = (weir_str){stream->plain, got};
    return WEIR_OK;
}

static void take(weir_stream *stream, size_t count)
{
    stream->have.at += count;
    stream->have.length -= count;
    stream->taken += count;
}

weir_status weir_stream_read(weir_stream *stream, void *out, size_t length, size_t *out_length)
{
    size_t done = 0;
    while (done < length) {
        WEIR_TRY(refill(stream));
        if (stream->have.length == 0)
            break;
        size_t size = stream->have.length < length - done ? stream->have.length : length - done;
        memcpy((char *)out + done, stream->have.at, size);
        take(stream, size);
        done += size;
    }
    *out_length = done;
    return WEIR_OK;
}

weir_status weir_stream_skip(weir_stream *stream, uint64_t length, uint64_t *out_length)
{
    uint64_t done = 0;
    while (done < length) {
        WEIR_TRY(refill(stream));
        if (stream->have.length == 0)
            break;
        size_t size =
            stream->have.length < length - done ? stream->have.length : (size_t)(length - done);
        take(stream, size);
        done += size;
    }
    *out_length = done;
    return WEIR_OK;
}

weir_status weir_stream_line(weir_stream *stream, weir_buf *line)
{
    line->length = 0;
    bool any = false;
    for (;;) {
        WEIR_TRY(refill(stream));
        if (stream->have.length == 0)
            break;
        any = true;
        const char *end = memchr(stream->have.at, '\n', stream->have.length);
        size_t length = end ? (size_t)(end - stream->have.at) : stream->have.length;
        WEIR_TRY(weir_room_grow(line, length, "a line of a file"));
        weir_buf_add(line, stream->have.at, length);
        take(stream, length + (end != NULL));
        if (end)
            break;
    }
    if (!any)
        return weir_error(WEIR_OUT_OF_RANGE, "eof");
    if (line->length && line->at[line->length - 1] == '\r')
        line->at[--line->length] = 0;
    return WEIR_OK;
}
