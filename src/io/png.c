/* io/png.c - PNG by libpng. */
#include <png.h>
#include <pthread.h>
#include <setjmp.h>

#include "base/dl.h"
#include "base/mem.h"
#include "io/image_impl.h"

/* Every function of libpng in use; X(name) keeps the table and the loader together. */
#define PNG_FUNCTIONS(X)                                                                           \
    X(create_read_struct)                                                                          \
    X(create_write_struct)                                                                         \
    X(create_info_struct)                                                                          \
    X(destroy_read_struct)                                                                         \
    X(destroy_write_struct)                                                                        \
    X(set_longjmp_fn)                                                                              \
    X(set_read_fn)                                                                                 \
    X(set_write_fn)                                                                                \
    X(set_user_limits)                                                                             \
    X(get_error_ptr)                                                                               \
    X(get_io_ptr)                                                                                  \
    X(get_IHDR)                                                                                    \
    X(get_channels)                                                                                \
    X(get_valid)                                                                                   \
    X(get_rowbytes)                                                                                \
    X(read_info)                                                                                   \
    X(read_update_info)                                                                            \
    X(read_rows)                                                                                   \
    X(set_interlace_handling)                                                                      \
    X(set_strip_alpha)                                                                             \
    X(set_tRNS_to_alpha)                                                                           \
    X(set_add_alpha)                                                                               \
    X(set_palette_to_rgb)                                                                          \
    X(set_gray_to_rgb)                                                                             \
    X(set_rgb_to_gray)                                                                             \
    X(set_expand_gray_1_2_4_to_8)                                                                  \
    X(set_packing)                                                                                 \
    X(set_strip_16)                                                                                \
    X(set_swap)                                                                                    \
    X(set_IHDR)                                                                                    \
    X(set_compression_level)                                                                       \
    X(write_info)                                                                                  \
    X(write_row)                                                                                   \
    X(write_end)

static struct {
#define X(name) __typeof__(&png_##name) name;
    PNG_FUNCTIONS(X)
#undef X
} lib;
static bool lib_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {"libpng16.so.16", "libpng16.so", NULL};
    static const weir_dl_symbol symbols[] = {
#define X(name) {"png_" #name, (void **)&lib.name},
        PNG_FUNCTIONS(X)
#undef X
    };
    lib_loaded = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static weir_status need_lib(void)
{
    pthread_once(&once, load);
    if (!lib_loaded)
        return weir_error(WEIR_UNIMPLEMENTED, "PNG images need libpng16.so.16, which is missing");
    return WEIR_OK;
}

/* Everything one call touches, so that nothing lives in a register across a longjmp. */
typedef struct job {
    png_structp png;
    png_infop info;
    weir_str in;   /* bytes not yet read */
    size_t size;   /* of all of them */
    weir_buf *out; /* bytes written */
    char why[160];
    int interlace_passes;
    const weir_image_want *want;
    weir_image_info *image;
    void *pixels;
    const weir_pixels *source;
    int compression;
} job;

static void on_error(png_structp png, png_const_charp message)
{
    job *j = lib.get_error_ptr(png);
    strncpy(j->why, message, sizeof j->why - 1);
    longjmp(*lib.set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
}

static void read_bytes(png_structp png, png_bytep out, png_size_t length)
{
    job *j = lib.get_io_ptr(png);
    if (length > j->in.length)
        on_error(png, "PNG data is cut short");
    memcpy(out, j->in.at, length);
    j->in = (weir_str){j->in.at + length, j->in.length - length};
}

static void write_bytes(png_structp png, png_bytep bytes, png_size_t length)
{
    job *j = lib.get_io_ptr(png);
    weir_buf_add(j->out, bytes, length);
}

static void flush_bytes(png_structp png)
{
}

/* Runs |body| where libpng's errors end up as a status. */
static weir_status guarded(job *j, void (*body)(job *j))
{
    if (setjmp(*lib.set_longjmp_fn(j->png, longjmp, sizeof(jmp_buf))) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid PNG data, size %zu: %s", j->size, j->why);
    body(j);
    return WEIR_OK;
}

static weir_status open_reader(job *j)
{
    WEIR_TRY(need_lib());
    j->png = lib.create_read_struct(PNG_LIBPNG_VER_STRING, j, on_error, on_warning);
    j->info = j->png ? lib.create_info_struct(j->png) : NULL;
    if (!j->info)
        return weir_error(WEIR_INTERNAL, "libpng could not be started");
    lib.set_user_limits(j->png, WEIR_IMAGE_MAX_SIDE, WEIR_IMAGE_MAX_SIDE);
    lib.set_read_fn(j->png, j, read_bytes);
    return WEIR_OK;
}

static void close_reader(job *j)
{
    if (j->png)
        lib.destroy_read_struct(&j->png, &j->info, NULL);
}

typedef struct header {
    png_uint_32 width, height;
    int depth, color, interlace;
    bool has_trns;
} header;

static header read_header(job *j)
{
    header h = {0};
    lib.read_info(j->png, j->info);
    lib.get_IHDR(j->png, j->info, &h.width, &h.height, &h.depth, &h.color, &h.interlace, NULL,
                 NULL);
    h.has_trns = lib.get_valid(j->png, j->info, PNG_INFO_tRNS) != 0;
    return h;
}

static void inspect_body(job *j)
{
    header h = read_header(j);
    j->image->width = h.width;
    j->image->height = h.height;
    j->image->channels = h.color == PNG_COLOR_TYPE_PALETTE ? (h.has_trns ? 4 : 3)
                                                           : lib.get_channels(j->png, j->info);
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    job j = {.in = bytes, .size = bytes.length, .image = out_info};
    weir_status status = open_reader(&j);
    if (!status)
        status = guarded(&j, inspect_body);
    close_reader(&j);
    return status;
}

/* Asks libpng for the channels and bits wanted. */
static void set_transforms(job *j, const header *h)
{
    int channels = j->want->channels;
    bool want_alpha = channels == 2 || channels == 4, want_gray = channels < 3;
    bool is_gray = !(h->color & PNG_COLOR_MASK_COLOR);
    if (want_alpha) {
        if (h->has_trns)
            lib.set_tRNS_to_alpha(j->png);
        else if (!(h->color & PNG_COLOR_MASK_ALPHA))
            lib.set_add_alpha(j->png, (1u << h->depth) - 1, PNG_FILLER_AFTER);
    } else if (h->color & PNG_COLOR_MASK_ALPHA || h->has_trns) {
        lib.set_strip_alpha(j->png);
    }
    if (j->want->bits <= 8)
        lib.set_strip_16(j->png);
    if (h->depth < 8)
        lib.set_packing(j->png);
    if (h->color == PNG_COLOR_TYPE_PALETTE)
        lib.set_palette_to_rgb(j->png);
    if (is_gray && h->depth < 8)
        lib.set_expand_gray_1_2_4_to_8(j->png);
    if (want_gray && !is_gray)
        lib.set_rgb_to_gray(j->png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
    if (!want_gray && is_gray)
        lib.set_gray_to_rgb(j->png);
    if (j->want->bits > 8 && h->depth == 16)
        lib.set_swap(j->png);
}

/* Stretches 8-bit samples, which fill the first half of a row's room, to 16 bits in place. */
static void widen(uint16_t *row, size_t samples)
{
    const uint8_t *narrow = (const uint8_t *)row;
    for (size_t i = samples; i-- > 0;)
        row[i] = (uint16_t)(narrow[i] * 257);
}

static void decode_body(job *j)
{
    header h = read_header(j);
    size_t samples = (size_t)j->image->width * (size_t)j->want->channels;
    size_t row_bytes = samples * (size_t)(j->want->bits / 8);
    bool narrow = j->want->bits == 16 && h.depth < 16;
    j->interlace_passes = lib.set_interlace_handling(j->png);
    set_transforms(j, &h);
    lib.read_update_info(j->png, j->info);
    if (h.width != j->image->width || h.height != j->image->height ||
        lib.get_rowbytes(j->png, j->info) != (narrow ? row_bytes / 2 : row_bytes))
        on_error(j->png, "unexpected row size");
    for (int pass = 0; pass < j->interlace_passes; pass++)
        for (int64_t y = 0; y < j->image->height; y++) {
            png_bytep row = (png_bytep)j->pixels + (size_t)y * row_bytes;
            lib.read_rows(j->png, &row, NULL, 1);
        }
    for (int64_t y = 0; narrow && y < j->image->height; y++)
        widen((uint16_t *)((char *)j->pixels + (size_t)y * row_bytes), samples);
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    weir_image_info image = *info;
    job j = {.in = bytes, .size = bytes.length, .image = &image, .want = want, .pixels = pixels};
    weir_status status = open_reader(&j);
    if (!status)
        status = guarded(&j, decode_body);
    close_reader(&j);
    return status;
}

const weir_image_format weir_png_format = {"PNG", inspect, decode};

static void encode_body(job *j)
{
    static const int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGBA};
    const weir_pixels *p = j->source;
    size_t row_bytes = (size_t)p->width * (size_t)p->channels * (size_t)(p->bits / 8);
    lib.set_write_fn(j->png, j, write_bytes, flush_bytes);
    lib.set_compression_level(j->png, j->compression);
    lib.set_IHDR(j->png, j->info, (png_uint_32)p->width, (png_uint_32)p->height, p->bits,
                 colors[p->channels - 1], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    lib.write_info(j->png, j->info);
    if (p->bits > 8)
        lib.set_swap(j->png);
    for (int64_t y = 0; y < p->height; y++)
        lib.write_row(j->png, (png_const_bytep)p->at + (size_t)y * row_bytes);
    lib.write_end(j->png, NULL);
}

weir_status weir_png_encode(const weir_pixels *p, int compression, weir_buf *out)
{
    WEIR_TRY(need_lib());
    WEIR_TRY(weir_image_check_size("PNG", p->height, p->width, 1));
    job j = {.out = out, .source = p, .compression = compression};
    j.png = lib.create_write_struct(PNG_LIBPNG_VER_STRING, &j, on_error, on_warning);
    j.info = j.png ? lib.create_info_struct(j.png) : NULL;
    weir_status status = j.info ? guarded(&j, encode_body)
                                : weir_error(WEIR_INTERNAL, "libpng could not be started");
    if (j.png)
        lib.destroy_write_struct(&j.png, &j.info);
    return status;
}
