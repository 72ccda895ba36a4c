/* io/zstd.c - Zstandard, by the system's libzstd. */
#include "io/zstd.h"

#include <pthread.h>

#include "base/dl.h"
#include "base/room.h"
#include "base/stop.h"

/* Part of libzstd's stable interface: a window of bytes, and how far it is
 * consumed. */
typedef struct in_window {
    const void *at;
    size_t size, used;
} in_window;

typedef struct out_window {
    void *at;
    size_t size, used;
} out_window;

static void *(*create)(void);
static size_t (*destroy)(void *stream);
static size_t (*step)(void *stream, out_window *out, in_window *in);
static unsigned (*is_error)(size_t code);
static const char *(*error_name)(size_t code);
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {"libzstd.so.1", NULL};
    static const weir_dl_symbol symbols[] = {{"ZSTD_createDStream", (void **)&create},
                                             {"ZSTD_freeDStream", (void **)&destroy},
                                             {"ZSTD_decompressStream", (void **)&step},
                                             {"ZSTD_isError", (void **)&is_error},
                                             {"ZSTD_getErrorName", (void **)&error_name}};
    loaded = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static weir_status unpack(void *stream, weir_str packed, weir_buf *out)
{
    enum { CHUNK = 1 << 17 };
    in_window in = {packed.at, packed.length, 0};
    size_t left = 0; /* 0: a frame has ended, and all of it was given */
    for (bool full = false; (full || in.used < in.size) && !weir_stopped();) {
        WEIR_TRY(weir_room_grow(out, CHUNK, "a string that is unpacked"));
        weir_buf_reserve(out, CHUNK);
        out_window window = {out->at + out->length, CHUNK, 0};
        left = step(stream, &window, &in);
        if (is_error(left))
            return weir_error(WEIR_INVALID_ARGUMENT, "Failed to decompress zstd input: %s",
                              error_name(left));
        out->length += window.used;
        full = window.used == window.size && left;
    }
    return left ? weir_error(WEIR_INVALID_ARGUMENT, "Failed to decompress zstd input: cut short")
                : WEIR_OK;
}

weir_status weir_zstd_unpack(weir_str packed, weir_buf *out_bytes)
{
    pthread_once(&once, load);
    if (!loaded)
        return weir_error(WEIR_UNIMPLEMENTED, "ZSTD needs libzstd.so.1, which is missing");
    void *stream = create();
    if (!stream)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "no memory for a ZSTD stream");
    weir_status status = unpack(stream, packed, out_bytes);
    destroy(stream);
    return status;
}
