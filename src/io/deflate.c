/* io/deflate.c - zlib behind a list of symbols. */
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
    enum { CHUNK = 1 << 30 }; /* zlib counts in 32 bits */
    uLong crc = 0;
    WEIR_TRY(need_lib());
    for (size_t done = 0; done < bytes.length; done += CHUNK)
        crc = lib.crc32(crc, (const Bytef *)bytes.at + done,
                        (uInt)weir_min((int64_t)(bytes.length - done), CHUNK));
    *out_crc = (uint32_t)crc;
    return WEIR_OK;
}

/* What zlib calls the wrapper. */
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
    weir_inflate *z = WEIR_NEW(weir_inflate);
    z->packing = packing;
    int err = lib.inflate_init(&z->z, window_bits(packing), ZLIB_VERSION, (int)sizeof z->z);
    if (err != Z_OK) {
        weir_free(z);
        return weir_error(WEIR_INTERNAL, "inflateInit failed with status %d", err);
    }
    *out_inflate = z;
    return WEIR_OK;
}

void weir_inflate_destroy(weir_inflate *z)
{
    if (!z)
        return;
    lib.inflate_end(&z->z);
    weir_free(z);
}

static unsigned clamp(size_t n)
{
    return n > 1u << 30 ? 1u << 30 : (unsigned)n;
}

weir_status weir_inflate_run(weir_inflate *z, weir_str *in, void *out, size_t room,
                             size_t *out_length, bool *out_end)
{
    size_t done = 0;
    *out_end = false;
    while (in->length && done < room) {
        if (z->between) {
            if (z->packing != WEIR_PACKING_GZIP || (uint8_t)in->at[0] != 0x1f)
                break; /* what follows is not ours */
            lib.inflate_reset(&z->z);
            z->between = false;
        }
        unsigned in_now = clamp(in->length), out_now = clamp(room - done);
        z->z.next_in = (Bytef *)in->at;
        z->z.avail_in = in_now;
        z->z.next_out = (Bytef *)out + done;
        z->z.avail_out = out_now;
        int err = lib.inflate(&z->z, Z_SYNC_FLUSH);
        in->at += in_now - z->z.avail_in;
        in->length -= in_now - z->z.avail_in;
        done += out_now - z->z.avail_out;
        z->between = err == Z_STREAM_END;
        if (err == Z_BUF_ERROR)
            break;
        if (err != Z_OK && err != Z_STREAM_END)
            return weir_error(WEIR_DATA_LOSS, "inflate() failed with error %d%s%s", err,
                              z->z.msg ? ": " : "", z->z.msg ? z->z.msg : "");
    }
    *out_length = done;
    *out_end = z->between;
    return WEIR_OK;
}

struct weir_deflate {
    z_stream z;
};

weir_status weir_deflate_create(weir_packing packing, int level, weir_deflate **out_deflate)
{
    WEIR_TRY(need_lib());
    weir_deflate *z = WEIR_NEW(weir_deflate);
    int err = lib.deflate_init(&z->z, level, Z_DEFLATED, window_bits(packing), 8,
                               Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof z->z);
    if (err != Z_OK) {
        weir_free(z);
        return weir_error(WEIR_INVALID_ARGUMENT, "deflateInit failed with status %d", err);
    }
    *out_deflate = z;
    return WEIR_OK;
}

void weir_deflate_destroy(weir_deflate *z)
{
    if (!z)
        return;
    lib.deflate_end(&z->z);
    weir_free(z);
}

weir_status weir_deflate_run(weir_deflate *z, weir_str bytes, weir_deflate_how how, weir_buf *out)
{
    static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    enum { CHUNK = 1 << 16 };
    unsigned left;
    do {
        unsigned in_now = clamp(bytes.length);
        weir_buf_reserve(out, CHUNK);
        z->z.next_in = (Bytef *)bytes.at;
        z->z.avail_in = in_now;
        z->z.next_out = (Bytef *)out->at + out->length;
        z->z.avail_out = CHUNK;
        int err = lib.deflate(&z->z, in_now == bytes.length ? flushes[how] : Z_NO_FLUSH);
        if (err == Z_STREAM_ERROR)
            return weir_error(WEIR_INTERNAL, "deflate() failed with error %d", err);
        bytes.at += in_now - z->z.avail_in;
        bytes.length -= in_now - z->z.avail_in;
        left = z->z.avail_out;
        out->length += CHUNK - left;
    } while (bytes.length || left == 0);
    return WEIR_OK;
}

weir_status weir_inflate_all(weir_packing packing, weir_str packed, size_t most,
                             weir_buf *out_bytes)
{
    enum { CHUNK = 1 << 16 };
    WEIR_OWNED(weir_inflate) z = NULL;
    WEIR_TRY(weir_inflate_create(packing, &z));
    WEIR_BUF(bytes);
    weir_status status = WEIR_OK;
    bool end = false;
    while (!status && packed.length) {
        size_t got = 0;
        weir_buf_reserve(&bytes, CHUNK);
        status = weir_inflate_run(z, &packed, bytes.at + bytes.length, CHUNK, &got, &end);
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
