/* io/deflate.c - zlib, loaded by a list of symbols. */
#include "io/deflate.h"

#include <pthread.h>
#include <zlib.h>

#include "base/arith.h"
#include "base/dl.h"
#include "base/mem.h"

static struct {
    int (*inflate_init)(z_streamp, int, const char *, int);
    int (*inflate)(z_streamp, int);
    int (*inflate_reset)(z_streamp);
    int (*inflate_end)(z_streamp);
    int (*deflate_init)(z_streamp, int, int, int, int, int, const char *, int);
    int (*deflate)(z_streamp, int);
    int (*deflate_end)(z_streamp);
    uLong (*crc32)(uLong, const Bytef *, uInt);
} lib;
static bool lib_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {"libz.so.1", "libz.so", NULL};
    static const weir_dl_symbol symbols[] = {
        {"inflateInit2_", (void **)&lib.inflate_init}, {"inflate", (void **)&lib.inflate},
        {"inflateReset", (void **)&lib.inflate_reset}, {"inflateEnd", (void **)&lib.inflate_end},
        {"deflateInit2_", (void **)&lib.deflate_init}, {"deflate", (void **)&lib.deflate},
        {"deflateEnd", (void **)&lib.deflate_end},     {"crc32", (void **)&lib.crc32},
    };
    lib_loaded = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static weir_status need_lib(void)
{
    pthread_once(&once, load);
    if (!lib_loaded)
        return weir_error(WEIR_UNIMPLEMENTED, "compressed files need libz.so.1, which is missing");
    return WEIR_OK;
}

weir_status weir_packing_parse(weir_str name, weir_packing *out_packing)
{
    if (name.length == 0)
        *out_packing = WEIR_PACKING_NONE;
    else if (weir_str_is(name, "GZIP"))
        *out_packing = WEIR_PACKING_GZIP;
    else if (weir_str_is(name, "ZLIB"))
        *out_packing = WEIR_PACKING_ZLIB;
    else
        return weir_error(WEIR_INVALID_ARGUMENT, "Unsupported compression_type: %.*s.",
                          WEIR_STR_ARG(name));
    return WEIR_OK;
}

weir_status weir_crc32(weir_str bytes, uint32_t *out_crc)
{
    enum { CHUNK = 1 << 30 }; /* zlib's counters have 32 bits */
    uLong crc = 0;
    WEIR_TRY(need_lib());
    for (size_t done = 0; done < bytes.length; done += CHUNK)
        crc = lib.crc32(crc, (const Bytef *)bytes.at + done,
                        (uInt)weir_min((int64_t)(bytes.length - done), CHUNK));
    *out_crc = (uint32_t)crc;
    return WEIR_OK;
}

/* zlib's code for the wrapper. */
static int window_bits(weir_packing packing)
{
    switch (packing) {
    case WEIR_PACKING_GZIP:
        return MAX_WBITS + 16;
    case WEIR_PACKING_RAW:
        return -MAX_WBITS;
    default:
        return MAX_WBITS;
    }
}

struct weir_inflate {
    z_stream z;
    weir_packing packing;
    bool between; /* a member ended; another may start */
};

weir_status weir_inflate_create(weir_packing packing, weir_inflate **out_inflate)
{
    WEIR_TRY(need_lib());
    weir_inflate *inflate = WEIR_NEW(weir_inflate);
    inflate->packing = packing;
    int err =
        lib.inflate_init(&inflate->z, window_bits(packing), ZLIB_VERSION, (int)sizeof inflate->z);
    if (err != Z_OK) {
        weir_free(inflate);
        return weir_error(WEIR_INTERNAL, "inflateInit failed with status %d", err);
    }
    *out_inflate = inflate;
    return WEIR_OK;
}

void weir_inflate_destroy(weir_inflate *inflate)
{
    if (!inflate)
        return;
    lib.inflate_end(&inflate->z);
    weir_free(inflate);
}

static unsigned clamp(size_t count)
{
    return count > 1u << 30 ? 1u << 30 : (unsigned)count;
}

weir_status weir_inflate_run(weir_inflate *inflate, weir_str *in, void *out, size_t room,
                             size_t *out_length, bool *out_end)
{
    size_t done = 0;
    *out_end = false;
    while (in->length && done < room) {
        if (inflate->between) {
            if (inflate->packing != WEIR_PACKING_GZIP || (uint8_t)in->at[0] != 0x1f)
                break; /* what follows is not part of the stream */
            lib.inflate_reset(&inflate->z);
            inflate->between = false;
        }
        unsigned in_now = clamp(in->length), out_now = clamp(room - done);
        inflate->z.next_in = (Bytef *)in->at;
        inflate->z.avail_in = in_now;
        inflate->z.next_out = (Bytef *)out + done;
        inflate->z.avail_out = out_now;
        int err = lib.inflate(&inflate->z, Z_SYNC_FLUSH);
        in->at += in_now - inflate->z.avail_in;
        in->length -= in_now - inflate->z.avail_in;
        done += out_now - inflate->z.avail_out;
        inflate->between = err == Z_STREAM_END;
        if (err == Z_BUF_ERROR)
            break;
        if (err != Z_OK && err != Z_STREAM_END)
            return weir_error(WEIR_DATA_LOSS, "inflate() failed with error %d%s%s", err,
                              inflate->z.msg ? ": " : "", inflate->z.msg ? inflate->z.msg : "");
    }
    *out_length = done;
    *out_end = inflate->between;
    return WEIR_OK;
}

struct weir_deflate {
    z_stream z;
};

weir_status weir_deflate_create(weir_packing packing, int level, weir_deflate **out_deflate)
{
    WEIR_TRY(need_lib());
    weir_deflate *deflate = WEIR_NEW(weir_deflate);
    int err = lib.deflate_init(&deflate->z, level, Z_DEFLATED, window_bits(packing), 8,
                               Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof deflate->z);
    if (err != Z_OK) {
        weir_free(deflate);
        return weir_error(WEIR_INVALID_ARGUMENT, "deflateInit failed with status %d", err);
    }
    *out_deflate = deflate;
    return WEIR_OK;
}

void weir_deflate_destroy(weir_deflate *deflate)
{
    if (!deflate)
        return;
    lib.deflate_end(&deflate->z);
    weir_free(deflate);
}

weir_status weir_deflate_run(weir_deflate *deflate, weir_str bytes, weir_deflate_how how,
                             weir_buf *out)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    enum { CHUNK = 1 << 16 };
    unsigned left;
    do {
        unsigned in_now = clamp(bytes.length);
        weir_buf_reserve(out, CHUNK);
        deflate->z.next_in = (Bytef *)bytes.at;
        deflate->z.avail_in = in_now;
        deflate->z.next_out = (Bytef *)out->at + out->length;
        deflate->z.avail_out = CHUNK;
        int err = lib.deflate(&deflate->z, in_now == bytes.length ? flushes[how] : Z_NO_FLUSH);
        if (err == Z_STREAM_ERROR)
            return weir_error(WEIR_INTERNAL, "deflate() failed with error %d", err);
        bytes.at += in_now - deflate->z.avail_in;
        bytes.length -= in_now - deflate->z.avail_in;
        left = deflate->z.avail_out;
        out->length += CHUNK - left;
    } while (bytes.length || left == 0);
    return WEIR_OK;
}

weir_status weir_inflate_all(weir_packing packing, weir_str packed, size_t most,
                             weir_buf *out_bytes)
{
    enum { CHUNK = 1 << 16 };
    WEIR_OWNED(weir_inflate) inflate = NULL;
    WEIR_TRY(weir_inflate_create(packing, &inflate));
    WEIR_BUF(bytes);
    weir_status status = WEIR_OK;
    bool end = false;
    while (!status && packed.length) {
        size_t got = 0;
        weir_buf_reserve(&bytes, CHUNK);
        status = weir_inflate_run(inflate, &packed, bytes.at + bytes.length, CHUNK, &got, &end);
        bytes.length += got;
        if (!status && bytes.length > most)
            status = weir_error(WEIR_DATA_LOSS, "more than %zu bytes unpacked", most);
        if (!got && (end || packed.length == 0))
            break;
    }
    if (!status && !end)
        status = weir_error(WEIR_DATA_LOSS, "compressed data is cut short");
    if (status)
        return status;
    weir_buf_add(&bytes, "", 0);
    *out_bytes = bytes;
    bytes = (weir_buf){0};
    return WEIR_OK;
}
