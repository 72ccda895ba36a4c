/* io/stream.c - buffered reading with optional unpacking. */
#include "io/stream.h"

#include "base/mem.h"
#include "io/file.h"

enum { DEFAULT_ROOM = 256 << 10, LEAST_ROOM = 512, MOST_ROOM = 64 << 20 };

struct weir_stream {
    weir_rfile *file;
    weir_inflate *inflate; /* null: plain */
    uint64_t file_at;      /* next byte of the file to read */
    uint64_t taken;
    bool packed_end; /* the packed stream ended, or may end here */
    size_t room;
    char *plain, *packed; /* |room| bytes each; packed is null when not compressed */
    weir_str have;        /* unpacked bytes not yet taken; inside plain */
    weir_str raw;         /* packed bytes not yet unpacked; inside packed */
};

weir_status weir_stream_open(const char *path, weir_packing packing, size_t room_bytes,
                             weir_stream **out_stream)
{
    WEIR_OWNED(weir_stream) s = WEIR_NEW(weir_stream);
    s->room = room_bytes == 0 ? DEFAULT_ROOM : room_bytes;
    s->room = s->room < LEAST_ROOM ? LEAST_ROOM : s->room > MOST_ROOM ? MOST_ROOM : s->room;
    WEIR_TRY(weir_rfile_open(path, &s->file));
    s->plain = weir_alloc(s->room);
    if (packing != WEIR_PACKING_NONE) {
        WEIR_TRY(weir_inflate_create(packing, &s->inflate));
        s->packed = weir_alloc(s->room);
    }
    *out_stream = WEIR_TAKE(s);
    return WEIR_OK;
}

void weir_stream_destroy(weir_stream *s)
{
    if (!s)
        return;
    weir_rfile_destroy(s->file);
    weir_inflate_destroy(s->inflate);
    weir_free(s->plain);
    weir_free(s->packed);
    weir_free(s);
}

uint64_t weir_stream_tell(const weir_stream *s)
{
    return s->taken;
}

uint64_t weir_stream_file_bytes(const weir_stream *s)
{
    return weir_rfile_bytes(s->file);
}

static weir_status read_file(weir_stream *s, char *room, weir_str *out)
{
    size_t got = 0;
    WEIR_TRY(weir_rfile_read_some(s->file, s->file_at, room, s->room, &got));
    s->file_at += got;
    *out = (weir_str){room, got};
    return WEIR_OK;
}

/* Refills |have| when it is empty; it stays empty only at the end of the file. */
static weir_status refill(weir_stream *s)
{
    if (s->have.length)
        return WEIR_OK;
    if (!s->inflate)
        return read_file(s, s->plain, &s->have);
    size_t got = 0;
    while (got == 0) {
        bool fresh = s->raw.length == 0;
        if (fresh)
            WEIR_TRY(read_file(s, s->packed, &s->raw));
        if (fresh && s->raw.length == 0) {
            if (s->file_at == 0 || s->packed_end)
                break;
            return weir_error(WEIR_DATA_LOSS, "%s: compressed file is cut short",
                              weir_rfile_path(s->file));
        }
        WEIR_TRY(weir_inflate_run(s->inflate, &s->raw, s->plain, s->room, &got, &s->packed_end));
        if (got == 0 && s->packed_end && s->raw.length)
            break; /* what follows the stream is not part of it */
    }
    s->have = (weir_str){s->plain, got};
    return WEIR_OK;
}

static void take(weir_stream *s, size_t n)
{
    s->have.at += n;
    s->have.length -= n;
    s->taken += n;
}

weir_status weir_stream_read(weir_stream *s, void *out, size_t length, size_t *out_length)
{
    size_t done = 0;
    while (done < length) {
        WEIR_TRY(refill(s));
        if (s->have.length == 0)
            break;
        size_t n = s->have.length < length - done ? s->have.length : length - done;
        memcpy((char *)out + done, s->have.at, n);
        take(s, n);
        done += n;
    }
    *out_length = done;
    return WEIR_OK;
}

weir_status weir_stream_skip(weir_stream *s, uint64_t length, uint64_t *out_length)
{
    uint64_t done = 0;
    while (done < length) {
        WEIR_TRY(refill(s));
        if (s->have.length == 0)
            break;
        size_t n = s->have.length < length - done ? s->have.length : (size_t)(length - done);
        take(s, n);
        done += n;
    }
    *out_length = done;
    return WEIR_OK;
}

weir_status weir_stream_line(weir_stream *s, weir_buf *line)
{
    line->length = 0;
    bool any = false;
    for (;;) {
        WEIR_TRY(refill(s));
        if (s->have.length == 0)
            break;
        any = true;
        const char *end = memchr(s->have.at, '\n', s->have.length);
        size_t n = end ? (size_t)(end - s->have.at) : s->have.length;
        weir_buf_add(line, s->have.at, n);
        take(s, n + (end != NULL));
        if (end)
            break;
    }
    if (!any)
        return weir_error(WEIR_OUT_OF_RANGE, "eof");
    if (line->length && line->at[line->length - 1] == '\r')
        line->at[--line->length] = 0;
    return WEIR_OK;
}
