/*
 * io/gif.c - GIF, still and animated, to RGB frames.
 *
 *   header   "GIF87a" or "GIF89a"; fixed16 width, height; flags; background; aspect
 *   palette  3 << (1 + (flags & 7)) bytes, when flags & 0x80
 *   blocks   0x21 extension: label, sub-blocks; 0x2c image; 0x3b end
 *   image    fixed16 left, top, width, height; flags (0x80 palette, 0x40 interlaced); palette;
 *            byte minimum code size; sub-blocks of LZW codes, low bits first
 *   sub-blocks  byte length and that many bytes, until a length of 0
 * A frame that does not cover the canvas is drawn over the frame before it (black for the first).
 */
#include "io/image_impl.h"
#include "wire/varint.h"

enum { MAX_CODES = 4096, MAX_FRAMES = 1 << 20 };

typedef struct frame {
    int left, top, width, height;
    bool interlaced;
    const uint8_t *palette;
    int colors;
    int transparent; /* palette index that leaves the pixel alone; -1 when none */
    weir_str codes;  /* minimum code size and sub-blocks */
} frame;

typedef struct reader {
    weir_str rest;
    int width, height;
    const uint8_t *palette; /* global; null when there is none */
    int colors;
} reader;

static weir_status malformed(const char *what)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Invalid GIF data: %s", what);
}

static const uint8_t *take(reader *r, size_t n)
{
    if (r->rest.length < n)
        return NULL;
    const uint8_t *at = (const uint8_t *)r->rest.at;
    r->rest = (weir_str){r->rest.at + n, r->rest.length - n};
    return at;
}

static int fixed16(const uint8_t *p)
{
    return p[0] | p[1] << 8;
}

static bool take_palette(reader *r, uint8_t flags, const uint8_t **out, int *out_colors)
{
    if (!(flags & 0x80))
        return true;
    *out_colors = 2 << (flags & 7);
    *out = take(r, 3 * (size_t)*out_colors);
    return *out != NULL;
}

static weir_status start(weir_str bytes, reader *r)
{
    *r = (reader){.rest = bytes};
    const uint8_t *h = take(r, 13);
    if (!h || (memcmp(h, "GIF87a", 6) != 0 && memcmp(h, "GIF89a", 6) != 0))
        return malformed("no header");
    r->width = fixed16(h + 6);
    r->height = fixed16(h + 8);
    return take_palette(r, h[10], &r->palette, &r->colors) ? WEIR_OK : malformed("cut short");
}

/* Passes over sub-blocks; false when they are cut short. */
static bool skip_blocks(reader *r)
{
    for (const uint8_t *n; (n = take(r, 1));) {
        if (*n == 0)
            return true;
        if (!take(r, *n))
            return false;
    }
    return false;
}

static bool take_image(reader *r, frame *f)
{
    const uint8_t *d = take(r, 9);
    if (!d)
        return false;
    f->left = fixed16(d);
    f->top = fixed16(d + 2);
    f->width = fixed16(d + 4);
    f->height = fixed16(d + 6);
    f->interlaced = d[8] & 0x40;
    f->palette = r->palette;
    f->colors = r->colors;
    if (!take_palette(r, d[8], &f->palette, &f->colors))
        return false;
    f->codes = r->rest;
    return take(r, 1) && skip_blocks(r);
}

/* Reads up to the next frame; *out_end is set at the end. */
static weir_status next_frame(reader *r, frame *f, bool *out_end)
{
    *f = (frame){.transparent = -1};
    *out_end = false;
    for (const uint8_t *tag; (tag = take(r, 1));) {
        switch (*tag) {
        case 0x3b:
            *out_end = true;
            return WEIR_OK;
        case 0x2c:
            return take_image(r, f) ? WEIR_OK : malformed("cut short");
        case 0x21: {
            const uint8_t *label = take(r, 1);
            /* A graphic control extension says which colour is transparent. */
            if (label && *label == 0xf9 && r->rest.length > 5 && r->rest.at[0] == 4 &&
                r->rest.at[1] & 1)
                f->transparent = (uint8_t)r->rest.at[4];
            if (!label || !skip_blocks(r))
                return malformed("cut short");
            break;
        }
        default:
            return malformed("unknown block");
        }
    }
    return malformed("no end");
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    reader r;
    WEIR_TRY(start(bytes, &r));
    int64_t frames = 0;
    for (bool end = false; !end;) {
        frame f;
        weir_status status = next_frame(&r, &f, &end);
        if (status && frames == 0)
            return status;
        /* A file that is cut short shows the frames it has whole. */
        end |= status != WEIR_OK;
        weir_status_free(status);
        frames += !end;
        if (frames > MAX_FRAMES)
            return malformed("too many frames");
    }
    if (frames == 0)
        return malformed("no frame");
    out_info->height = r.height;
    out_info->width = r.width;
    out_info->frames = frames;
    out_info->channels = 3;
    return WEIR_OK;
}

/* ---- LZW ---- */

typedef struct bits {
    reader blocks;
    const uint8_t *at;
    int left; /* bytes left in the sub-block */
    uint32_t hold;
    int held; /* bits in hold */
} bits;

static int next_code(bits *b, int size) /* -1 at the end of the data */
{
    while (b->held < size) {
        if (b->left == 0) {
            const uint8_t *n = take(&b->blocks, 1);
            if (!n || *n == 0 || !(b->at = take(&b->blocks, *n)))
                return -1;
            b->left = *n;
        }
        b->hold |= (uint32_t)*b->at++ << b->held;
        b->held += 8;
        b->left--;
    }
    int code = (int)(b->hold & ((1u << size) - 1));
    b->hold >>= size;
    b->held -= size;
    return code;
}

typedef struct canvas {
    uint8_t *rgb;
    int width, height;
    const frame *f;
    int64_t done; /* pixels of the frame drawn so far */
} canvas;

/* Interlaced rows come as every 8th from 0, every 8th from 4, every 4th from 2, every 2nd from 1.
 */
static int row_of(const frame *f, int n)
{
    static const struct {
        int first, step;
    } passes[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
    if (!f->interlaced)
        return n;
    for (int i = 0; i < 4; i++) {
        int rows = (f->height - passes[i].first + passes[i].step - 1) / passes[i].step;
        if (n < rows)
            return passes[i].first + n * passes[i].step;
        n -= rows;
    }
    return f->height;
}

static void draw(canvas *c, int color)
{
    const frame *f = c->f;
    int64_t at = c->done++;
    if (at >= (int64_t)f->width * f->height || color >= f->colors)
        return;
    int y = f->top + row_of(f, (int)(at / f->width)), x = f->left + (int)(at % f->width);
    if (y < c->height && x < c->width && color != f->transparent)
        memcpy(c->rgb + 3 * ((int64_t)y * c->width + x), f->palette + 3 * color, 3);
}

typedef struct lzw {
    int16_t prefix[MAX_CODES];
    uint8_t suffix[MAX_CODES];
    uint8_t stack[MAX_CODES];
    int next, size, least;
} lzw;

static void lzw_clear(lzw *z)
{
    z->next = (1 << z->least) + 2;
    z->size = z->least + 1;
}

/* Spells |code| backwards onto the stack; returns its length. The chain ends at a plain colour
 * because a prefix is always below its code. */
static int spell(lzw *z, int code)
{
    int n = 0;
    for (int roots = 1 << z->least; code >= roots && n < MAX_CODES - 1; code = z->prefix[code])
        z->stack[n++] = z->suffix[code];
    z->stack[n++] = (uint8_t)code;
    return n;
}

static bool unpack(bits *b, lzw *z, canvas *c)
{
    const int clear = 1 << z->least, end = clear + 1;
    const int64_t total = (int64_t)c->f->width * c->f->height;
    int last = -1;
    uint8_t first = 0;
    lzw_clear(z);
    while (c->done < total) {
        int code = next_code(b, z->size);
        if (code < 0 || code == end)
            break;
        if (code == clear) {
            lzw_clear(z);
            last = -1;
            continue;
        }
        if (code > z->next || (code == z->next && last < 0) || (last < 0 && code >= clear))
            return false;
        bool fresh = code == z->next; /* the code being defined: last, then its first colour */
        int n = spell(z, fresh ? last : code);
        first = z->stack[n - 1];
        for (int i = n; i-- > 0;)
            draw(c, z->stack[i]);
        if (fresh)
            draw(c, first);
        if (last >= 0 && z->next < MAX_CODES) {
            z->prefix[z->next] = (int16_t)last;
            z->suffix[z->next++] = first;
            if (z->next == 1 << z->size && z->size < 12)
                z->size++;
        }
        last = code;
    }
    return true;
}

static weir_status draw_frame(canvas *c, const frame *f)
{
    bits b = {.blocks = {.rest = f->codes}};
    const uint8_t *least = take(&b.blocks, 1);
    if (!least || *least < 1 || *least > 11)
        return malformed("code size");
    if (!f->palette)
        return malformed("no palette");
    lzw z = {.least = *least};
    c->f = f;
    c->done = 0;
    return unpack(&b, &z, c) ? WEIR_OK : malformed("code out of range");
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    if (want->channels != 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "channels must be 0 or 3 for GIF, got %d",
                          want->channels);
    reader r;
    WEIR_TRY(start(bytes, &r));
    size_t frame_bytes = 3 * (size_t)r.width * (size_t)r.height;
    for (int64_t i = 0; i < info->frames; i++) {
        frame f;
        bool end;
        WEIR_TRY(next_frame(&r, &f, &end));
        if (end)
            break;
        uint8_t *rgb = (uint8_t *)pixels + (size_t)i * frame_bytes;
        if (i > 0)
            memcpy(rgb, rgb - frame_bytes, frame_bytes);
        else
            memset(rgb, 0, frame_bytes);
        canvas c = {rgb, r.width, r.height};
        WEIR_TRY(draw_frame(&c, &f));
    }
    return WEIR_OK;
}

const weir_image_format weir_gif_format = {"GIF", inspect, decode};
