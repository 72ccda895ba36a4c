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

/* All state of a call, so that nothing is kept in a register across a longjmp. */
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
    job *job = lib.get_error_ptr(png);
    strncpy(job->why, message, sizeof job->why - 1);
    longjmp(*lib.set_longjmp_fn(png, longjmp, sizeof(jmp_buf)), 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
}

static void read_bytes(png_structp png, png_bytep out, png_size_t length)
{
    job *job = lib.get_io_ptr(png);
    if (length > job->in.length)
        on_error(png, "PNG data is cut short");
    memcpy(out, job->in.at, length);
    job->in = (weir_str){job->in.at + length, job->in.length - length};
}

static void write_bytes(png_structp png, png_bytep bytes, png_size_t length)
{
    job *job = lib.get_io_ptr(png);
    weir_buf_add(job->out, bytes, length);
}

static void flush_bytes(png_structp png)
{
}

/* Runs |body|; libpng's errors become a status. */
static weir_status guarded(job *j, void (*body)(job *j))
{
    if (setjmp(*lib.set_longjmp_fn(j->png, longjmp, sizeof(jmp_buf))) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid PNG data, size %zu: %s", j->size, j->why);
    body(j);
    return WEIR_OK;
}

static weir_status open_reader(job *job)
{
    WEIR_TRY(need_lib());
    job->png = lib.create_read_struct(PNG_LIBPNG_VER_STRING, job, on_error, on_warning);
    job->info = job->png ? lib.create_info_struct(job->png) : NULL;
    if (!job->info)
        return weir_error(WEIR_INTERNAL, "libpng could not be started");
    lib.set_user_limits(job->png, WEIR_IMAGE_MAX_SIDE, WEIR_IMAGE_MAX_SIDE);
    lib.set_read_fn(job->png, job, read_bytes);
    return WEIR_OK;
}

static void close_reader(job *job)
{
    if (job->png)
        lib.destroy_read_struct(&job->png, &job->info, NULL);
}

typedef struct header {
    png_uint_32 width, height;
    int depth, color, interlace;
    bool has_trns;
} header;

static header read_header(job *job)
{
    header header = {0};
    lib.read_info(job->png, job->info);
    lib.get_IHDR(job->png, job->info, &header.width, &header.height, &header.depth, &header.color,
                 &header.interlace, NULL, NULL);
    header.has_trns = lib.get_valid(job->png, job->info, PNG_INFO_tRNS) != 0;
    return header;
}

static void inspect_body(job *job)
{
    header header = read_header(job);
    job->image->width = header.width;
    job->image->height = header.height;
    job->image->channels = header.color == PNG_COLOR_TYPE_PALETTE
                               ? (header.has_trns ? 4 : 3)
                               : lib.get_channels(job->png, job->info);
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    job job = {.in = bytes, .size = bytes.length, .image = out_info};
    weir_status status = open_reader(&job);
    if (!status)
        status = guarded(&job, inspect_body);
    close_reader(&job);
    return status;
}

/* Requests the channels and bits from libpng. */
static void set_transforms(job *job, const header *header)
{
    int channels = job->want->channels;
    bool want_alpha = channels == 2 || channels == 4, want_gray = channels < 3;
    bool is_gray = !(header->color & PNG_COLOR_MASK_COLOR);
    if (want_alpha) {
        if (header->has_trns)
            lib.set_tRNS_to_alpha(job->png);
        else if (!(header->color & PNG_COLOR_MASK_ALPHA))
            lib.set_add_alpha(job->png, (1u << header->depth) - 1, PNG_FILLER_AFTER);
    } else if (header->color & PNG_COLOR_MASK_ALPHA || header->has_trns) {
        lib.set_strip_alpha(job->png);
    }
    if (job->want->bits <= 8)
        lib.set_strip_16(job->png);
    if (header->depth < 8)
        lib.set_packing(job->png);
    if (header->color == PNG_COLOR_TYPE_PALETTE)
        lib.set_palette_to_rgb(job->png);
    if (is_gray && header->depth < 8)
        lib.set_expand_gray_1_2_4_to_8(job->png);
    if (want_gray && !is_gray)
        lib.set_rgb_to_gray(job->png, PNG_ERROR_ACTION_NONE, 0.299, 0.587);
    if (!want_gray && is_gray)
        lib.set_gray_to_rgb(job->png);
    if (job->want->bits > 8 && header->depth == 16)
        lib.set_swap(job->png);
}

/* Widens 8-bit samples, which fill the first half of a row, to 16 bits in place. */
static void widen(uint16_t *row, size_t samples)
{
    const uint8_t *narrow = (const uint8_t *)row;
    for (size_t i = samples; i-- > 0;)
        row[i] = (uint16_t)(narrow[i] * 257);
}

static void decode_body(job *job)
{
    header header = read_header(job);
    size_t samples = (size_t)job->image->width * (size_t)job->want->channels;
    size_t row_bytes = samples * (size_t)(job->want->bits / 8);
    bool narrow = job->want->bits == 16 && header.depth < 16;
    job->interlace_passes = lib.set_interlace_handling(job->png);
    set_transforms(job, &header);
    lib.read_update_info(job->png, job->info);
    if (header.width != job->image->width || header.height != job->image->height ||
        lib.get_rowbytes(job->png, job->info) != (narrow ? row_bytes / 2 : row_bytes))
        on_error(job->png, "unexpected row size");
    for (int pass = 0; pass < job->interlace_passes; pass++)
        for (int64_t y = 0; y < job->image->height; y++) {
            png_bytep row = (png_bytep)job->pixels + (size_t)y * row_bytes;
            lib.read_rows(job->png, &row, NULL, 1);
        }
    for (int64_t y = 0; narrow && y < job->image->height; y++)
        widen((uint16_t *)((char *)job->pixels + (size_t)y * row_bytes), samples);
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    weir_image_info image = *info;
    job job = {.in = bytes, .size = bytes.length, .image = &image, .want = want, .pixels = pixels};
    weir_status status = open_reader(&job);
    if (!status)
        status = guarded(&job, decode_body);
    close_reader(&job);
    return status;
}

const weir_image_format weir_png_format = {"PNG", inspect, decode};

static void encode_body(job *job)
{
    static const int colors[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                 PNG_COLOR_TYPE_RGBA};
    const weir_pixels *pixels = job->source;
    size_t row_bytes =
        (size_t)pixels->width * (size_t)pixels->channels * (size_t)(pixels->bits / 8);
    lib.set_write_fn(job->png, job, write_bytes, flush_bytes);
    lib.set_compression_level(job->png, job->compression);
    lib.set_IHDR(job->png, job->info, (png_uint_32)pixels->width, (png_uint_32)pixels->height,
                 pixels->bits, colors[pixels->channels - 1], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    lib.write_info(job->png, job->info);
    if (pixels->bits > 8)
        lib.set_swap(job->png);
    for (int64_t y = 0; y < pixels->height; y++)
        lib.write_row(job->png, (png_const_bytep)pixels->at + (size_t)y * row_bytes);
    lib.write_end(job->png, NULL);
}

weir_status weir_png_encode(const weir_pixels *pixels, int compression, weir_buf *out)
{
    WEIR_TRY(need_lib());
    WEIR_TRY(weir_image_check_size("PNG", pixels->height, pixels->width, 1));
    job job = {.out = out, .source = pixels, .compression = compression};
    job.png = lib.create_write_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png ? lib.create_info_struct(job.png) : NULL;
    weir_status status = job.info ? guarded(&job, encode_body)
                                  : weir_error(WEIR_INTERNAL, "libpng could not be started");
    if (job.png)
        lib.destroy_write_struct(&job.png, &job.info);
    return status;
}
