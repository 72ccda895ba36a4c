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

/* ---- errors and input ------------------------------------------------------------------------ */

/* All state of a call, so that nothing is kept in a register across a longjmp. */
typedef struct job {
    struct jpeg_error_mgr errors; /* first: libjpeg passes it to callbacks */
    jmp_buf escape;
    struct jpeg_source_mgr source;
    struct jpeg_decompress_struct d;
    struct jpeg_compress_struct c;
    weir_str in;
    bool truncated; /* the data ended before the image did */
    const weir_image_want *want;
    weir_image_info *image;
    uint8_t *pixels;
    uint8_t *row; /* a decoded row that still has to be converted */
    const weir_pixels *from;
    const weir_jpeg_encode *how;
    struct jpeg_destination_mgr sink;
    weir_buf *out; /* encoded bytes */
    JOCTET chunk[4096];
    char why[JMSG_LENGTH_MAX];
} job;

static void on_error(j_common_ptr any)
{
    job *this_job = (job *)any->err;
    any->err->format_message(any, this_job->why);
    longjmp(this_job->escape, 1);
}

static void on_message(j_common_ptr any)
{
}

static void no_op(j_decompress_ptr ptr)
{
}

static const JOCTET end_marker[] = {0xff, JPEG_EOI};

/* The data ended: gives the decoder an end marker; it fills the rest with grey. */
static boolean fill(j_decompress_ptr ptr)
{
    job *this_job = (job *)ptr->err;
    this_job->truncated = true;
    ptr->src->next_input_byte = end_marker;
    ptr->src->bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

static void skip(j_decompress_ptr ptr, long count)
{
    if (count <= 0)
        return;
    if ((size_t)count > ptr->src->bytes_in_buffer) {
        fill(ptr);
        return;
    }
    ptr->src->next_input_byte += count;
    ptr->src->bytes_in_buffer -= (size_t)count;
}

static void open_reader(job *job)
{
    lib.CreateDecompress(&job->d, JPEG_LIB_VERSION, sizeof job->d);
    job->source = (struct jpeg_source_mgr){
        .next_input_byte = (const JOCTET *)job->in.at,
        .bytes_in_buffer = job->in.length,
        .init_source = no_op,
        .fill_input_buffer = fill,
        .skip_input_data = skip,
        .resync_to_restart = lib.resync_to_restart,
        .term_source = no_op,
    };
    job->d.src = &job->source;
    lib.read_header(&job->d, TRUE);
}

/* Runs |body|; libjpeg's errors become a status. */
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

/* ---- decoding -------------------------------------------------------------------------------- */

static void apply_want(job *job)
{
    const weir_jpeg_decode *decode = &job->want->jpeg;
    job->d.scale_num = 1;
    job->d.scale_denom = (unsigned)(decode->ratio ? decode->ratio : 1);
    job->d.do_fancy_upsampling = !decode->no_fancy_upscaling;
    job->d.dct_method = decode->dct == WEIR_JPEG_DCT_ACCURATE ? JDCT_ISLOW : JDCT_IFAST;
    if (job->want->channels == 1)
        job->d.out_color_space = JCS_GRAYSCALE;
    else if (job->d.jpeg_color_space == JCS_CMYK || job->d.jpeg_color_space == JCS_YCCK)
        job->d.out_color_space = JCS_CMYK; /* converted to RGB row by row */
    else
        job->d.out_color_space = JCS_RGB;
}

static void inspect_body(job *job)
{
    open_reader(job);
    apply_want(job);
    lib.calc_output_dimensions(&job->d);
    const weir_jpeg_decode *decode = &job->want->jpeg;
    job->image->height = decode->crop ? decode->crop_h : job->d.output_height;
    job->image->width = decode->crop ? decode->crop_w : job->d.output_width;
    job->image->channels = job->d.num_components == 4 ? 3 : job->d.num_components;
    if (decode->crop &&
        (decode->crop_y < 0 || decode->crop_x < 0 || decode->crop_h <= 0 || decode->crop_w <= 0 ||
         decode->crop_y > job->d.output_height - decode->crop_h ||
         decode->crop_x > job->d.output_width - decode->crop_w)) {
        snprintf(job->why, sizeof job->why, "crop window outside of the image");
        longjmp(job->escape, 1);
    }
}

static weir_status inspect(weir_str bytes, const weir_image_want *want, weir_image_info *out_info)
{
    WEIR_TRY(need_lib());
    job job = {.in = bytes, .want = want, .image = out_info};
    weir_status status = guarded(&job, inspect_body);
    lib.destroy_decompress(&job.d);
    return status;
}

/* CMYK as Adobe stores it (inverted) and as others do, to RGB. */
static void cmyk_to_rgb(const uint8_t *row, bool inverted, int64_t width, uint8_t *out)
{
    for (int64_t x = 0; x < width; x++, row += 4, out += 3)
        for (int c = 0; c < 3; c++)
            out[c] = inverted ? (uint8_t)(row[3] * row[c] / 255)
                              : (uint8_t)((255 - row[3]) * (255 - row[c]) / 255);
}

/* Rows start at the block that contains the window's edge: |left| of their pixels are skipped. */
static void copy_row(job *job, const uint8_t *row, int64_t y, int64_t left)
{
    int channels = job->want->channels;
    uint8_t *out = job->pixels + y * job->image->width * channels;
    if (job->d.out_color_space == JCS_CMYK)
        cmyk_to_rgb(row + left * 4, job->d.saw_Adobe_marker, job->image->width, out);
    else if (row != out)
        memcpy(out, row + left * channels, (size_t)(job->image->width * channels));
}

/* Skips what is above and beside the window; returns its offset in the following rows. */
static int64_t enter_window(job *job)
{
    const weir_jpeg_decode *decode = &job->want->jpeg;
    JDIMENSION x = (JDIMENSION)decode->crop_x, width = (JDIMENSION)decode->crop_w;
    lib.crop_scanline(&job->d, &x, &width);
    if (decode->crop_y > 0)
        lib.skip_scanlines(&job->d, (JDIMENSION)decode->crop_y);
    return decode->crop_x - x;
}

enum { ROWS = 4 }; /* maximum number of rows per call of libjpeg */

/* Rows to request at once. Replicated chroma comes in pairs of rows; one at a time costs a copy of
 * every other row. Else one, so that the row where the data end is known. */
static int rows_at_once(const job *job)
{
    int made = job->d.rec_outbuf_height;
    return job->want->jpeg.no_fancy_upscaling && made > 1 && made <= ROWS ? made : 1;
}

/* The destination of the rows from |y| on: their final place if they need no conversion. */
static void aim_rows(job *job, int64_t y, bool in_place, JSAMPROW rows[ROWS])
{
    int64_t row_bytes = (int64_t)job->d.output_width * job->d.output_components;
    for (int i = 0; i < ROWS; i++) {
        bool inside = in_place && y + i < job->image->height;
        rows[i] = inside ? job->pixels + (y + i) * row_bytes : job->row + i * row_bytes;
    }
}

static void check_truncation(job *job, int64_t y, bool was_truncated)
{
    const weir_jpeg_decode *decode = &job->want->jpeg;
    bool enough = (double)y >= decode->acceptable_fraction * (double)job->image->height;
    if (job->truncated && !was_truncated && !(decode->try_recover_truncated && enough)) {
        snprintf(job->why, sizeof job->why, "Premature end of JPEG data, stopped at line %lld",
                 (long long)y);
        longjmp(job->escape, 1);
    }
}

static void decode_body(job *job)
{
    const weir_jpeg_decode *decode = &job->want->jpeg;
    open_reader(job);
    apply_want(job);
    lib.start_decompress(&job->d);
    job->row = weir_alloc((size_t)job->d.output_width * (size_t)job->d.output_components * ROWS);
    if (!decode->crop &&
        (job->d.output_height != job->image->height || job->d.output_width != job->image->width))
        longjmp(job->escape, 1);
    bool in_place = !decode->crop && job->d.out_color_space != JCS_CMYK;
    int64_t left = decode->crop ? enter_window(job) : 0;
    bool was_truncated = false;
    for (int64_t y = 0; y < job->image->height;) {
        JSAMPROW rows[ROWS];
        aim_rows(job, y, in_place, rows);
        int64_t got = lib.read_scanlines(&job->d, rows, (JDIMENSION)rows_at_once(job));
        if (got == 0) {
            snprintf(job->why, sizeof job->why, "no line %lld", (long long)y);
            longjmp(job->escape, 1);
        }
        check_truncation(job, y, was_truncated);
        was_truncated = job->truncated;
        for (int64_t i = 0; i < got && y < job->image->height; i++, y++)
            copy_row(job, rows[i], y, left);
    }
}

static weir_status decode(const weir_image_info *info, weir_str bytes, const weir_image_want *want,
                          void *pixels)
{
    WEIR_TRY(need_lib());
    weir_image_info image = *info;
    job job = {.in = bytes, .want = want, .image = &image, .pixels = pixels};
    weir_status status = guarded(&job, decode_body);
    lib.destroy_decompress(&job.d);
    weir_free(job.row);
    return status;
}

const weir_image_format weir_jpeg_format = {"JPEG", inspect, decode};

/* ---- encoding -------------------------------------------------------------------------------- */

static void set_parameters(job *job)
{
    struct jpeg_compress_struct *jpeg = &job->c;
    jpeg->image_width = (JDIMENSION)job->from->width;
    jpeg->image_height = (JDIMENSION)job->from->height;
    jpeg->input_components = job->how->gray ? 1 : 3;
    jpeg->in_color_space = job->how->gray ? JCS_GRAYSCALE : JCS_RGB;
    lib.set_defaults(jpeg);
    if (job->how->optimize_size)
        jpeg->optimize_coding = TRUE;
    jpeg->density_unit = job->how->density_in_cm ? 2 : 1;
    jpeg->X_density = (UINT16)job->how->x_density;
    jpeg->Y_density = (UINT16)job->how->y_density;
    lib.set_quality(jpeg, job->how->quality, TRUE);
    if (job->how->progressive)
        lib.simple_progression(jpeg);
    if (!job->how->chroma_downsampling)
        for (int i = 0; i < jpeg->num_components; i++)
            jpeg->comp_info[i].h_samp_factor = jpeg->comp_info[i].v_samp_factor = 1;
}

/* XMP is an APP1 segment that starts with its name space. */
static void write_xmp(job *job)
{
    static const char space[] = "http://ns.adobe.com/xap/1.0/";
    enum { MOST = 65533 };
    weir_str xmp = job->how->xmp_metadata;
    if (xmp.length == 0 || xmp.length + sizeof space > MOST)
        return;
    WEIR_BUF(segment);
    weir_buf_add(&segment, space, sizeof space);
    weir_buf_add(&segment, xmp.at, xmp.length);
    lib.write_marker(&job->c, JPEG_APP0 + 1, (const JOCTET *)segment.at, (unsigned)segment.length);
}

/* Extracts RGB or grey from a row with further channels. */
static const uint8_t *input_row(job *job, int64_t y)
{
    const weir_pixels *pixels = job->from;
    int keep = job->how->gray ? 1 : 3;
    const uint8_t *row = (const uint8_t *)pixels->at + y * pixels->width * pixels->channels;
    if (pixels->channels == keep)
        return row;
    for (int64_t x = 0; x < pixels->width; x++)
        memcpy(job->row + x * keep, row + x * pixels->channels, (size_t)keep);
    return job->row;
}

static void sink_start(j_compress_ptr ptr)
{
    job *this_job = (job *)ptr->err;
    ptr->dest->next_output_byte = this_job->chunk;
    ptr->dest->free_in_buffer = sizeof this_job->chunk;
}

static boolean sink_full(j_compress_ptr ptr)
{
    job *this_job = (job *)ptr->err;
    weir_buf_add(this_job->out, this_job->chunk, sizeof this_job->chunk);
    sink_start(ptr);
    return TRUE;
}

static void sink_end(j_compress_ptr ptr)
{
    job *this_job = (job *)ptr->err;
    weir_buf_add(this_job->out, this_job->chunk,
                 sizeof this_job->chunk - ptr->dest->free_in_buffer);
}

static void encode_body(job *job)
{
    lib.CreateCompress(&job->c, JPEG_LIB_VERSION, sizeof job->c);
    job->sink = (struct jpeg_destination_mgr){
        .init_destination = sink_start,
        .empty_output_buffer = sink_full,
        .term_destination = sink_end,
    };
    job->c.dest = &job->sink;
    set_parameters(job);
    job->row = weir_alloc((size_t)job->from->width * 3);
    lib.start_compress(&job->c, TRUE);
    write_xmp(job);
    for (int64_t y = 0; y < job->from->height; y++) {
        JSAMPROW row = (JSAMPROW)input_row(job, y);
        lib.write_scanlines(&job->c, &row, 1);
    }
    lib.finish_compress(&job->c);
}

weir_status weir_jpeg_write(const weir_pixels *pixels, const weir_jpeg_encode *how, weir_buf *out)
{
    WEIR_TRY(need_lib());
    WEIR_TRY(weir_image_check_size("JPEG", pixels->height, pixels->width, 1));
    if (pixels->height > JPEG_MAX_DIMENSION || pixels->width > JPEG_MAX_DIMENSION)
        return weir_error(WEIR_INVALID_ARGUMENT, "JPEG sides are at most %ld, got %lld by %lld",
                          JPEG_MAX_DIMENSION, (long long)pixels->width, (long long)pixels->height);
    job job = {.from = pixels, .how = how, .out = out};
    weir_status status = guarded(&job, encode_body);
    lib.destroy_compress(&job.c);
    weir_free(job.row);
    return status;
}
