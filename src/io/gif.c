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
    int transparent; /* palette index of transparent pixels; -1: none */
    weir_str codes;  /* minimum code size and sub-blocks */
} frame;

typedef struct reader {
    weir_str rest;
    int width, height;
    const uint8_t *palette; /* global; null: none */
    int colors;
} reader;

static weir_status malformed(const char *what)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Invalid GIF data: %s", what);
}

static const uint8_t *take(reader *reader, size_t count)
{
    if (reader->rest.length < count)
        return NULL;
    const uint8_t *at = (const uint8_t *)reader->rest.at;
    reader->rest = (weir_str){reader->rest.at + count, reader->rest.length - count};
    return at;
}

static int fixed16(const uint8_t *bytes)
{
    return bytes[0] | bytes[1] << 8;
}

static bool take_palette(reader *reader, uint8_t flags, const uint8_t **out, int *out_colors)
{
    if (!(flags & 0x80))
        return true;
    *out_colors = 2 << (flags & 7);
    *out = take(reader, 3 * (size_t)*out_colors);
    return *out != NULL;
}

static weir_status start(weir_str bytes, reader *out_reader)
{
    *out_reader = (reader){.rest = bytes};
    const uint8_t *h = take(out_reader, 13);
    if (!h || (memcmp(h, "GIF87a", 6) != 0 && memcmp(h, "GIF89a", 6) != 0))
        return malformed("no header");
    out_reader->width = fixed16(h + 6);
    out_reader->height = fixed16(h + 8);
    return take_palette(out_reader, h[10], &out_reader->palette, &out_reader->colors)
               ? WEIR_OK
               : malformed("cut short");
}

/* Skips sub-blocks; false if they are truncated. */
static bool skip_blocks(reader *reader)
{
    for (const uint8_t *n; (n = take(reader, 1));) {
        if (*n == 0)
            return true;
        if (!take(reader, *n))
            return false;
    }
    return false;
}

static bool take_image(reader *reader, frame *frame)
{
    const uint8_t *data = take(reader, 9);
    if (!data)
        return false;
    frame->left = fixed16(data);
    frame->top = fixed16(data + 2);
    frame->width = fixed16(data + 4);
    frame->height = fixed16(data + 6);
    frame->interlaced = data[8] & 0x40;
    frame->palette = reader->palette;
    frame->colors = reader->colors;
    if (!take_palette(reader, data[8], &frame->palette, &frame->colors))
        return false;
    frame->codes = reader->rest;
    return take(reader, 1) && skip_blocks(reader);
}

/* Reads up to the next frame; *out_end is set at the end. */
static weir_status next_frame(reader *reader, frame *out_frame, bool *out_end)
{
    *out_frame = (frame){.transparent = -1};
    *out_end = false;
    for (const uint8_t *tag; (tag = take(reader, 1));) {
        switch (*tag) {
        case 0x3b:
            *out_end = true;
            return WEIR_OK;
        case 0x2c:
            return take_image(reader, out_frame) ? WEIR_OK : malformed("cut short");
        case 0x21: {
            const uint8_t *label = take(reader, 1);
            /* A graphic control extension specifies the transparent colour. */
            if (label && *label == 0xf9 && reader->rest.length > 5 && reader->rest.at[0] == 4 &&
                reader->rest.at[1] & 1)
                out_frame->transparent = (uint8_t)reader->rest.at[4];
            if (!label || !skip_blocks(reader))
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
    reader reader;
    WEIR_TRY(start(bytes, &reader));
    int64_t frames = 0;
    for (bool end = false; !end;) {
        frame frame;
        weir_status status = next_frame(&reader, &frame, &end);
        if (status && frames == 0)
            return status;
        /* A truncated file yields its complete frames. */
        end |= status != WEIR_OK;
        weir_status_free(status);
        frames += !end;
        if (frames > MAX_FRAMES)
            return malformed("too many frames");
    }
    if (frames == 0)
        return malformed("no frame");
    out_info->height = reader.height;
    out_info->width = reader.width;
    out_info->frames = frames;
    out_info->channels = 3;
    return WEIR_OK;
}

/* ---- LZW ------------------------------------------------------------------------------------- */

typedef struct bits {
    reader blocks;
    const uint8_t *at;
    int left; /* bytes left in the sub-block */
    uint32_t hold;
    int held; /* bits in hold */
} bits;

static int next_code(bits *bits, int size) /* -1 at the end of the data */
{
    while (bits->held < size) {
        if (bits->left == 0) {
            const uint8_t *n = take(&bits->blocks, 1);
            if (!n || *n == 0 || !(bits->at = take(&bits->blocks, *n)))
                return -1;
            bits->left = *n;
        }
        bits->hold |= (uint32_t)*bits->at++ << bits->held;
        bits->held += 8;
        bits->left--;
    }
    int code = (int)(bits->hold & ((1u << size) - 1));
    bits->hold >>= size;
    bits->held -= size;
    return code;
}

typedef struct canvas {
    uint8_t *rgb;
    int width, height;
    const frame *f;
    int64_t done; /* pixels of the frame drawn so far */
} canvas;

/* Interlaced rows are stored as every 8th from 0, every 8th from 4, every 4th from 2, every 2nd
 * from 1. */
static int row_of(const frame *frame, int count)
{
    static const struct {
        int first, step;
    } passes[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}};
    if (!frame->interlaced)
        return count;
    for (int i = 0; i < 4; i++) {
        int rows = (frame->height - passes[i].first + passes[i].step - 1) / passes[i].step;
        if (count < rows)
            return passes[i].first + count * passes[i].step;
        count -= rows;
    }
    return frame->height;
}

static void draw(canvas *canvas, int color)
{
    const frame *frame = canvas->f;
    int64_t at = canvas->done++;
    if (at >= (int64_t)frame->width * frame->height || color >= frame->colors)
        return;
    int y = frame->top + row_of(frame, (int)(at / frame->width)),
        x = frame->left + (int)(at % frame->width);
    if (y < canvas->height && x < canvas->width && color != frame->transparent)
        memcpy(canvas->rgb + 3 * ((int64_t)y * canvas->width + x), frame->palette + 3 * color, 3);
}

typedef struct lzw {
    int16_t prefix[MAX_CODES];
    uint8_t suffix[MAX_CODES];
    uint8_t stack[MAX_CODES];
    int next, size, least;
} lzw;

static void lzw_clear(lzw *lzw)
{
    lzw->next = (1 << lzw->least) + 2;
    lzw->size = lzw->least + 1;
}

/* Expands |code| backwards onto the stack; returns its length. The chain ends at a plain colour
 * because a prefix is always below its code. */
static int spell(lzw *lzw, int code)
{
    int count = 0;
    for (int roots = 1 << lzw->least; code >= roots && count < MAX_CODES - 1;
         code = lzw->prefix[code])
        lzw->stack[count++] = lzw->suffix[code];
    lzw->stack[count++] = (uint8_t)code;
    return count;
}

static bool unpack(bits *bits, lzw *lzw, canvas *canvas)
{
    const int clear = 1 << lzw->least, end = clear + 1;
    const int64_t total = (int64_t)canvas->f->width * canvas->f->height;
    int last = -1;
    uint8_t first = 0;
    lzw_clear(lzw);
    while (canvas->done < total) {
        int code = next_code(bits, lzw->size);
        if (code < 0 || code == end)
            break;
        if (code == clear) {
            lzw_clear(lzw);
            last = -1;
            continue;
        }
        if (code > lzw->next || (code == lzw->next && last < 0) || (last < 0 && code >= clear))
            return false;
        bool fresh = code == lzw->next; /* the code being defined: last, then its first colour */
        int n = spell(lzw, fresh ? last : code);
        first = lzw->stack[n - 1];
        for (int i = n; i-- > 0;)
            draw(canvas, lzw->stack[i]);
        if (fresh)
            draw(canvas, first);
        if (last >= 0 && lzw->next < MAX_CODES) {
            lzw->prefix[lzw->next] = (int16_t)last;
            lzw->suffix[lzw->next++] = first;
            if (lzw->next == 1 << lzw->size && lzw->size < 12)
                lzw->size++;
        }
        last = code;
    }
    return true;
}

static weir_status draw_frame(canvas *canvas, const frame *frame)
{
    bits bits = {.blocks = {.rest = frame->codes}};
    const uint8_t *least = take(&bits.blocks, 1);
    if (!least || *least < 1 || *least > 11)
        return malformed("code size");
    if (!frame->palette)
        return malformed("no palette");
    lzw lzw = {.least = *least};
    canvas->f = frame;
    canvas->done = 0;
    return unpack(&bits, &lzw, canvas) ? WEIR_OK : malformed("code out of range");
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    if (want->channels != 3)
        return weir_error(WEIR_INVALID_ARGUMENT, "channels must be 0 or 3 for GIF, got %d",
                          want->channels);
    reader reader;
    WEIR_TRY(start(bytes, &reader));
    size_t frame_bytes = 3 * (size_t)reader.width * (size_t)reader.height;
    for (int64_t i = 0; i < info->frames; i++) {
        frame frame;
        bool end;
        WEIR_TRY(next_frame(&reader, &frame, &end));
        if (end)
            break;
        uint8_t *rgb = (uint8_t *)pixels + (size_t)i * frame_bytes;
        if (i > 0)
            memcpy(rgb, rgb - frame_bytes, frame_bytes);
        else
            memset(rgb, 0, frame_bytes);
        canvas canvas = {rgb, reader.width, reader.height};
        WEIR_TRY(draw_frame(&canvas, &frame));
    }
    return WEIR_OK;
}

const weir_image_format weir_gif_format = {"GIF", inspect, decode};
