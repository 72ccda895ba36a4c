/* math/pixels/pixels.c - the order of interpolation. */
#include "math/pixels/pixels.h"

#include <math.h>
#include <string.h>

#include "base/arith.h"
#include "math/pixels/pixels_impl.h"

void weir_pixels_convert(int64_t count, const uint8_t *x, float scale, float shift, float *y)
{
    WEIR_ISA_PICK(weir_pixel_loops)->convert(count, x, scale, shift, y);
}

void weir_pixels_grey(int64_t count, int channels, const uint8_t *x, uint8_t *y)
{
    for (int64_t i = 0; i < count; i++, x += channels)
        y[i] = (uint8_t)((x[0] * 19595 + x[1] * 38470 + x[2] * 7471 + 32768) >> 16);
}

/* The two adjacent pixels of the window for an output, along one axis. */
typedef struct between {
    int64_t low, high; /* in the image */
    float part;
} between;

static between place(int64_t at, int64_t outs, int64_t first, int64_t window, int64_t image)
{
    float in = ((float)at + 0.5f) * ((float)window / (float)outs) - 0.5f, below = floorf(in);
    int64_t low = weir_clamp((int64_t)below, 0, window - 1),
            high = weir_clamp((int64_t)ceilf(in), 0, window - 1);
    return (between){weir_clamp(first + low, 0, image - 1), weir_clamp(first + high, 0, image - 1),
                     in - below};
}

/* The contents of |scratch|: positions of a row's outputs, and rows of floats. */
typedef struct work {
    const weir_resample *r;
    const weir_pixel_loops *loops;
    int32_t *low, *high;
    float *part;
    float *line;    /* a row of the image, or one interpolated; one element longer */
    float *rows[2]; /* rows of the image, as wide as the output */
    int64_t held[2];
    bool by_pixel; /* positions are of pixels, not of elements */
} work;

static int64_t row_count(const weir_resample *resample)
{
    return resample->out_width * resample->out_channels;
}

static int64_t line_count(const weir_resample *resample)
{
    return resample->width * resample->channels;
}

size_t weir_resample_scratch_bytes(const weir_resample *resample)
{
    return (size_t)row_count(resample) * (2 * sizeof(int32_t) + 3 * sizeof(float)) +
           (size_t)(line_count(resample) + 1) * sizeof(float);
}

static void fill_places(work *work)
{
    const weir_resample *resample = work->r;
    int each = work->by_pixel ? 1 : resample->out_channels;
    for (int64_t x = 0, i = 0; x < resample->out_width; x++) {
        int64_t from = resample->flip ? resample->out_width - 1 - x : x;
        between between = place(from, resample->out_width, resample->left, resample->window_width,
                                resample->width);
        for (int c = 0; c < each; c++, i++) {
            int taken = c < resample->channels ? c : resample->channels - 1;
            work->low[i] = (int32_t)(between.low * resample->channels + taken);
            work->high[i] = (int32_t)(between.high * resample->channels + taken);
            work->part[i] = between.part;
        }
    }
}

static work prepare(const weir_resample *resample, void *scratch)
{
    int64_t n = row_count(resample);
    work work = {.r = resample,
                 .loops = WEIR_ISA_PICK(weir_pixel_loops),
                 .low = scratch,
                 .high = (int32_t *)scratch + n,
                 .part = (float *)scratch + 2 * n,
                 .held = {-1, -1},
                 .by_pixel = resample->channels == 3 && resample->out_channels == 3};
    work.rows[0] = work.part + n;
    work.rows[1] = work.rows[0] + n;
    work.line = work.rows[1] + n;
    work.line[line_count(resample)] = 0;
    fill_places(&work);
    return work;
}

static void run_across(const work *work, float *y)
{
    weir_row_places at = {work->low, work->high, work->part};
    if (work->by_pixel)
        work->loops->across3(work->r->out_width, work->line, at, y);
    else
        work->loops->across(row_count(work->r), work->line, at, y);
}

static const uint8_t *row_of(const weir_resample *resample, int64_t row)
{
    return resample->pixels + row * line_count(resample);
}

/* The columns that the window touches, as elements. */
static void touched(const weir_resample *resample, int64_t *out_first, int64_t *out_count)
{
    int64_t first = weir_clamp(resample->left, 0, resample->width - 1);
    int64_t last = weir_clamp(resample->left + resample->window_width - 1, 0, resample->width - 1);
    *out_first = first * resample->channels;
    *out_count = (last - first + 1) * resample->channels;
}

/* Shrinking: first between rows, then between columns. */
static void shrink(work *work, float *y)
{
    const weir_resample *resample = work->r;
    int64_t first, count;
    touched(resample, &first, &count);
    for (int64_t i = 0; i < resample->out_height; i++, y += row_count(resample)) {
        between between = place(i, resample->out_height, resample->top, resample->window_height,
                                resample->height);
        work->loops->down_bytes(count, row_of(resample, between.low) + first,
                                row_of(resample, between.high) + first, between.part,
                                resample->scale, resample->shift, work->line + first);
        run_across(work, y);
    }
}

/* Loads the image's |row| into rows[k], unless it is there. */
static void hold(work *work, int k, int64_t row)
{
    if (work->held[k] == row)
        return;
    work->held[k] = row;
    work->loops->convert(line_count(work->r), row_of(work->r, row), work->r->scale, work->r->shift,
                         work->line);
    run_across(work, work->rows[k]);
}

/* Enlarging: first between columns, each row of the image once. */
static void enlarge(work *work, float *y)
{
    const weir_resample *resample = work->r;
    for (int64_t i = 0; i < resample->out_height; i++, y += row_count(resample)) {
        between between = place(i, resample->out_height, resample->top, resample->window_height,
                                resample->height);
        if (work->held[1] == between.low) { /* the lower row becomes the upper one */
            float *row = work->rows[0];
            work->rows[0] = work->rows[1], work->rows[1] = row;
            work->held[1] = work->held[0], work->held[0] = between.low;
        }
        hold(work, 0, between.low);
        if (between.high != between.low)
            hold(work, 1, between.high);
        work->loops->down(row_count(resample), work->rows[0],
                          work->rows[between.high != between.low], between.part, y);
    }
}

/* No resizing: every output is one pixel. */
static bool is_plain(const weir_resample *resample)
{
    return resample->window_height == resample->out_height &&
           resample->window_width == resample->out_width && !resample->flip &&
           resample->channels == resample->out_channels && resample->top >= 0 &&
           resample->left >= 0 && resample->top + resample->window_height <= resample->height &&
           resample->left + resample->window_width <= resample->width;
}

static void copy_window(const weir_resample *resample, float *y)
{
    int64_t n = row_count(resample);
    const uint8_t *x =
        resample->pixels + (resample->top * resample->width + resample->left) * resample->channels;
    bool whole = resample->window_width == resample->width;
    int64_t rows = whole ? 1 : resample->out_height, length = whole ? n * resample->out_height : n;
    for (int64_t i = 0; i < rows; i++)
        weir_pixels_convert(length, x + i * resample->width * resample->channels, resample->scale,
                            resample->shift, y + i * n);
}

void weir_resample_run(const weir_resample *resample, void *scratch, float *y)
{
    if (is_plain(resample)) {
        copy_window(resample, y);
        return;
    }
    work work = prepare(resample, scratch);
    if (resample->window_height > resample->out_height)
        shrink(&work, y);
    else
        enlarge(&work, y);
}
