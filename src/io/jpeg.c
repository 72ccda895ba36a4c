/* io/jpeg.c - JPEG by libjpeg. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

#include <jpeglib.h>

#include <jerror.h>

#include "base/dl.h"
#include "base/mem.h"
#include "io/image_impl.h"

/* Every function of libjpeg in use; X(name) keeps the table and the loader together. */
#define JPEG_FUNCTIONS(X)                                                                          \
    X(std_error)                                                                                   \
    X(CreateDecompress)                                                                            \
    X(destroy_decompress)                                                                          \
    X(read_header)                                                                                 \
    X(calc_output_dimensions)                                                                      \
    X(start_decompress)                                                                            \
    X(read_scanlines)                                                                              \
    X(crop_scanline)                                                                               \
    X(skip_scanlines)                                                                              \
    X(resync_to_restart)                                                                           \
    X(CreateCompress)                                                                              \
    X(destroy_compress)                                                                            \
    X(set_defaults)                                                                                \
    X(set_quality)                                                                                 \
    X(simple_progression)                                                                          \
    X(start_compress)                                                                              \
    X(write_marker)                                                                                \
    X(write_scanlines)                                                                             \
    X(finish_compress)

static struct {
#define X(name) __typeof__(&jpeg_##name) name;
    JPEG_FUNCTIONS(X)
#undef X
} lib;
static bool lib_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const char *const names[] = {"libjpeg.so.62", NULL};
    static const weir_dl_symbol symbols[] = {
#define X(name) {"jpeg_" #name, (void **)&lib.name},
        JPEG_FUNCTIONS(X)
#undef X
    };
    lib_loaded = weir_dl_open(names, symbols, sizeof symbols / sizeof *symbols);
}

static weir_status need_lib(void)
{
    pthread_once(&once, load);
    if (!lib_loaded)
        return weir_error(WEIR_UNIMPLEMENTED, "JPEG images need libjpeg.so.62, which is missing");
    return WEIR_OK;
}

/* ---- errors and input ---- */

/* Everything one call touches, so that nothing lives in a register across a longjmp. */
typedef struct job {
    struct jpeg_error_mgr errors; /* first: libjpeg hands it back */
    jmp_buf escape;
    struct jpeg_source_mgr source;
    struct jpeg_decompress_struct d;
    struct jpeg_compress_struct c;
    weir_str in;
    bool truncated; /* the data ended before the image did */
    const weir_image_want *want;
    weir_image_info *image;
    uint8_t *pixels;
    uint8_t *row; /* one decoded row when it needs work before it is a pixel row */
    const weir_pixels *from;
    const weir_jpeg_encode *how;
    struct jpeg_destination_mgr sink;
    weir_buf *out; /* encoded bytes */
    JOCTET chunk[4096];
    char why[JMSG_LENGTH_MAX];
} job;

static void on_error(j_common_ptr any)
{
    job *j = (job *)any->err;
    any->err->format_message(any, j->why);
    longjmp(j->escape, 1);
}

static void on_message(j_common_ptr any)
{
}

static void no_op(j_decompress_ptr d)
{
}

static const JOCTET end_marker[] = {0xff, JPEG_EOI};

/* The data ran out: the decoder is given an end marker and fills the rest with grey. */
static boolean fill(j_decompress_ptr d)
{
    job *j = (job *)d->err;
    j->truncated = true;
    d->src->next_input_byte = end_marker;
    d->src->bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

static void skip(j_decompress_ptr d, long count)
{
    if (count <= 0)
        return;
    if ((size_t)count > d->src->bytes_in_buffer) {
        fill(d);
        return;
    }
    d->src->next_input_byte += count;
    d->src->bytes_in_buffer -= (size_t)count;
}

static void open_reader(job *j)
{
    lib.CreateDecompress(&j->d, JPEG_LIB_VERSION, sizeof j->d);
    j->source = (struct jpeg_source_mgr){
        .next_input_byte = (const JOCTET *)j->in.at,
        .bytes_in_buffer = j->in.length,
        .init_source = no_op,
        .fill_input_buffer = fill,
        .skip_input_data = skip,
        .resync_to_restart = lib.resync_to_restart,
        .term_source = no_op,
    };
    j->d.src = &j->source;
    lib.read_header(&j->d, TRUE);
}

/* Runs |body| where libjpeg's errors end up as a status. */
static weir_status guarded(job *j, void (*body)(job *j))
{
    lib.std_error(&j->errors);
    j->errors.error_exit = on_error;
    j->errors.output_message = on_message;
    j->d.err = j->c.err = &j->errors;
    if (setjmp(j->escape) != 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "jpeg::Uncompress failed. Invalid JPEG data or crop window. %s", j->why);
    body(j);
    return WEIR_OK;
}

/* ---- decoding ---- */

static void apply_want(job *j)
{
    const weir_jpeg_decode *w = &j->want->jpeg;
    j->d.scale_num = 1;
    j->d.scale_denom = (unsigned)(w->ratio ? w->ratio : 1);
    j->d.do_fancy_upsampling = !w->no_fancy_upscaling;
    j->d.dct_method = w->dct == WEIR_JPEG_DCT_ACCURATE ? JDCT_ISLOW : JDCT_IFAST;
    if (j->want->channels == 1)
        j->d.out_color_space = JCS_GRAYSCALE;
    else if (j->d.jpeg_color_space == JCS_CMYK || j->d.jpeg_color_space == JCS_YCCK)
        j->d.out_color_space = JCS_CMYK; /* turned into RGB row by row */
    else
        j->d.out_color_space = JCS_RGB;
}

static void inspect_body(job *j)
{
    open_reader(j);
    apply_want(j);
    lib.calc_output_dimensions(&j->d);
    const weir_jpeg_decode *w = &j->want->jpeg;
    j->image->height = w->crop ? w->crop_h : j->d.output_height;
    j->image->width = w->crop ? w->crop_w : j->d.output_width;
    j->image->channels = j->d.num_components == 4 ? 3 : j->d.num_components;
    if (w->crop &&
        (w->crop_y < 0 || w->crop_x < 0 || w->crop_h <= 0 || w->crop_w <= 0 ||
         w->crop_y > j->d.output_height - w->crop_h || w->crop_x > j->d.output_width - w->crop_w)) {
        snprintf(j->why, sizeof j->why, "crop window outside of the image");
        longjmp(j->escape, 1);
    }
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    WEIR_TRY(need_lib());
    job j = {.in = bytes, .want = want, .image = out_info};
    weir_status status = guarded(&j, inspect_body);
    lib.destroy_decompress(&j.d);
    return status;
}

/* Inks as Adobe stores them (inverted) and as the rest does, to RGB. */
static void cmyk_to_rgb(const uint8_t *row, bool inverted, int64_t width, uint8_t *out)
{
    for (int64_t x = 0; x < width; x++, row += 4, out += 3)
        for (int c = 0; c < 3; c++)
            out[c] = inverted ? (uint8_t)(row[3] * row[c] / 255)
                              : (uint8_t)((255 - row[3]) * (255 - row[c]) / 255);
}

/* Rows come from the block where the window starts on: |left| pixels of them are not wanted. */
static void copy_row(job *j, const uint8_t *row, int64_t y, int64_t left)
{
    int channels = j->want->channels;
    uint8_t *out = j->pixels + y * j->image->width * channels;
    if (j->d.out_color_space == JCS_CMYK)
        cmyk_to_rgb(row + left * 4, j->d.saw_Adobe_marker, j->image->width, out);
    else if (row != out)
        memcpy(out, row + left * channels, (size_t)(j->image->width * channels));
}

/* Passes over what is above and beside the window; returns where it starts in the rows to come. */
static int64_t enter_window(job *j)
{
    const weir_jpeg_decode *w = &j->want->jpeg;
    JDIMENSION x = (JDIMENSION)w->crop_x, width = (JDIMENSION)w->crop_w;
    lib.crop_scanline(&j->d, &x, &width);
    if (w->crop_y > 0)
        lib.skip_scanlines(&j->d, (JDIMENSION)w->crop_y);
    return w->crop_x - x;
}

enum { ROWS = 4 }; /* that libjpeg makes at once, at most */

/* How many rows to ask for at once. Chroma that is replicated comes in pairs of rows, and one row
 * at a time costs a copy of every other. Else one, so that the line where data end is known. */
static int rows_at_once(const job *j)
{
    int made = j->d.rec_outbuf_height;
    return j->want->jpeg.no_fancy_upscaling && made > 1 && made <= ROWS ? made : 1;
}

/* Where the rows from |y| on are decoded to: their final place when they need no more work. */
static void aim_rows(job *j, int64_t y, bool in_place, JSAMPROW rows[ROWS])
{
    int64_t row_bytes = (int64_t)j->d.output_width * j->d.output_components;
    for (int i = 0; i < ROWS; i++) {
        bool inside = in_place && y + i < j->image->height;
        rows[i] = inside ? j->pixels + (y + i) * row_bytes : j->row + i * row_bytes;
    }
}

static void check_truncation(job *j, int64_t y, bool was_truncated)
{
    const weir_jpeg_decode *w = &j->want->jpeg;
    bool enough = (double)y >= w->acceptable_fraction * (double)j->image->height;
    if (j->truncated && !was_truncated && !(w->try_recover_truncated && enough)) {
        snprintf(j->why, sizeof j->why, "Premature end of JPEG data, stopped at line %lld",
                 (long long)y);
        longjmp(j->escape, 1);
    }
}

static void decode_body(job *j)
{
    const weir_jpeg_decode *w = &j->want->jpeg;
    open_reader(j);
    apply_want(j);
    lib.start_decompress(&j->d);
    j->row = weir_alloc((size_t)j->d.output_width * (size_t)j->d.output_components * ROWS);
    if (!w->crop &&
        (j->d.output_height != j->image->height || j->d.output_width != j->image->width))
        longjmp(j->escape, 1);
    bool in_place = !w->crop && j->d.out_color_space != JCS_CMYK;
    int64_t left = w->crop ? enter_window(j) : 0;
    bool was_truncated = false;
    for (int64_t y = 0; y < j->image->height;) {
        JSAMPROW rows[ROWS];
        aim_rows(j, y, in_place, rows);
        int64_t got = lib.read_scanlines(&j->d, rows, (JDIMENSION)rows_at_once(j));
        if (got == 0) {
            snprintf(j->why, sizeof j->why, "no line %lld", (long long)y);
            longjmp(j->escape, 1);
        }
        check_truncation(j, y, was_truncated);
        was_truncated = j->truncated;
        for (int64_t i = 0; i < got && y < j->image->height; i++, y++)
            copy_row(j, rows[i], y, left);
    }
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    WEIR_TRY(need_lib());
    weir_image_info image = *info;
    job j = {.in = bytes, .want = want, .image = &image, .pixels = pixels};
    weir_status status = guarded(&j, decode_body);
    lib.destroy_decompress(&j.d);
    weir_free(j.row);
    return status;
}

const weir_image_format weir_jpeg_format = {"JPEG", inspect, decode};

/* ---- encoding ---- */

static void set_parameters(job *j)
{
    struct jpeg_compress_struct *c = &j->c;
    c->image_width = (JDIMENSION)j->from->width;
    c->image_height = (JDIMENSION)j->from->height;
    c->input_components = j->how->gray ? 1 : 3;
    c->in_color_space = j->how->gray ? JCS_GRAYSCALE : JCS_RGB;
    lib.set_defaults(c);
    if (j->how->optimize_size)
        c->optimize_coding = TRUE;
    c->density_unit = j->how->density_in_cm ? 2 : 1;
    c->X_density = (UINT16)j->how->x_density;
    c->Y_density = (UINT16)j->how->y_density;
    lib.set_quality(c, j->how->quality, TRUE);
    if (j->how->progressive)
        lib.simple_progression(c);
    if (!j->how->chroma_downsampling)
        for (int i = 0; i < c->num_components; i++)
            c->comp_info[i].h_samp_factor = c->comp_info[i].v_samp_factor = 1;
}

/* XMP goes into an APP1 segment behind its name space. */
static void write_xmp(job *j)
{
    static const char space[] = "http://ns.adobe.com/xap/1.0/";
    enum { MOST = 65533 };
    weir_str xmp = j->how->xmp_metadata;
    if (xmp.length == 0 || xmp.length + sizeof space > MOST)
        return;
    WEIR_BUF(segment);
    weir_buf_add(&segment, space, sizeof space);
    weir_buf_add(&segment, xmp.at, xmp.length);
    lib.write_marker(&j->c, JPEG_APP0 + 1, (const JOCTET *)segment.at, (unsigned)segment.length);
}

/* RGB or grey out of a row with further channels. */
static const uint8_t *input_row(job *j, int64_t y)
{
    const weir_pixels *p = j->from;
    int keep = j->how->gray ? 1 : 3;
    const uint8_t *row = (const uint8_t *)p->at + y * p->width * p->channels;
    if (p->channels == keep)
        return row;
    for (int64_t x = 0; x < p->width; x++)
        memcpy(j->row + x * keep, row + x * p->channels, (size_t)keep);
    return j->row;
}

static void sink_start(j_compress_ptr c)
{
    job *j = (job *)c->err;
    c->dest->next_output_byte = j->chunk;
    c->dest->free_in_buffer = sizeof j->chunk;
}

static boolean sink_full(j_compress_ptr c)
{
    job *j = (job *)c->err;
    weir_buf_add(j->out, j->chunk, sizeof j->chunk);
    sink_start(c);
    return TRUE;
}

static void sink_end(j_compress_ptr c)
{
    job *j = (job *)c->err;
    weir_buf_add(j->out, j->chunk, sizeof j->chunk - c->dest->free_in_buffer);
}

static void encode_body(job *j)
{
    lib.CreateCompress(&j->c, JPEG_LIB_VERSION, sizeof j->c);
    j->sink = (struct jpeg_destination_mgr){
        .init_destination = sink_start,
        .empty_output_buffer = sink_full,
        .term_destination = sink_end,
    };
    j->c.dest = &j->sink;
    set_parameters(j);
    j->row = weir_alloc((size_t)j->from->width * 3);
    lib.start_compress(&j->c, TRUE);
    write_xmp(j);
    for (int64_t y = 0; y < j->from->height; y++) {
        JSAMPROW row = (JSAMPROW)input_row(j, y);
        lib.write_scanlines(&j->c, &row, 1);
    }
    lib.finish_compress(&j->c);
}

weir_status weir_jpeg_write(const weir_pixels *p, const weir_jpeg_encode *how, weir_buf *out)
{
    WEIR_TRY(need_lib());
    WEIR_TRY(weir_image_check_size("JPEG", p->height, p->width, 1));
    if (p->height > JPEG_MAX_DIMENSION || p->width > JPEG_MAX_DIMENSION)
        return weir_error(WEIR_INVALID_ARGUMENT, "JPEG sides are at most %ld, got %lld by %lld",
                          JPEG_MAX_DIMENSION, (long long)p->width, (long long)p->height);
    job j = {.from = p, .how = how, .out = out};
    weir_status status = guarded(&j, encode_body);
    lib.destroy_compress(&j.c);
    weir_free(j.row);
    return status;
}
