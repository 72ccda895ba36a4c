/* math/pixels/pixels.c - the order in which rows are interpolated. */
#include "math/pixels/pixels.h"

#include <math.h>
#include <string.h>

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

/* The two pixels of the window between which an output is, along one axis. */
typedef struct between {
    int64_t low, high; /* in the image */
    float part;
} between;

static int64_t clamp(int64_t i, int64_t most)
{
    return i < 0 ? 0 : i > most ? most : i;
}

static between place(int64_t at, int64_t outs, int64_t first, int64_t window, int64_t image)
{
    float in = ((float)at + 0.5f) * ((float)window / (float)outs) - 0.5f, below = floorf(in);
    int64_t low = clamp((int64_t)below, window - 1), high = clamp((int64_t)ceilf(in), window - 1);
    return (between){clamp(first + low, image - 1), clamp(first + high, image - 1), in - below};
}

/* The contents of |scratch|: positions of a row's outputs, and rows of floats. */
typedef struct work {
    const weir_resample *r;
    const weir_pixel_loops *loops;
    int32_t *low, *high;
    float *part;
    float *line;    /* a row of the image, or between two; one element longer */
    float *rows[2]; /* rows of the image, as wide as the output */
    int64_t held[2];
    bool by_pixel; /* places are of pixels, not of elements */
} work;

static int64_t row_count(const weir_resample *r)
{
    return r->out_width * r->out_channels;
}

static int64_t line_count(const weir_resample *r)
{
    return r->width * r->channels;
}

size_t weir_resample_scratch_bytes(const weir_resample *r)
{
    return (size_t)row_count(r) * (2 * sizeof(int32_t) + 3 * sizeof(float)) +
           (size_t)(line_count(r) + 1) * sizeof(float);
}

static void fill_places(work *w)
{
    const weir_resample *r = w->r;
    int each = w->by_pixel ? 1 : r->out_channels;
    for (int64_t x = 0, i = 0; x < r->out_width; x++) {
        int64_t from = r->flip ? r->out_width - 1 - x : x;
        between b = place(from, r->out_width, r->left, r->window_width, r->width);
        for (int c = 0; c < each; c++, i++) {
            int taken = c < r->channels ? c : r->channels - 1;
            w->low[i] = (int32_t)(b.low * r->channels + taken);
            w->high[i] = (int32_t)(b.high * r->channels + taken);
            w->part[i] = b.part;
        }
    }
}

static work prepare(const weir_resample *r, void *scratch)
{
    int64_t n = row_count(r);
    work w = {.r = r,
              .loops = WEIR_ISA_PICK(weir_pixel_loops),
              .low = scratch,
              .high = (int32_t *)scratch + n,
              .part = (float *)scratch + 2 * n,
              .held = {-1, -1},
              .by_pixel = r->channels == 3 && r->out_channels == 3};
    w.rows[0] = w.part + n;
    w.rows[1] = w.rows[0] + n;
    w.line = w.rows[1] + n;
    w.line[line_count(r)] = 0;
    fill_places(&w);
    return w;
}

static void run_across(const work *w, float *y)
{
    weir_row_places at = {w->low, w->high, w->part};
    if (w->by_pixel)
        w->loops->across3(w->r->out_width, w->line, at, y);
    else
        w->loops->across(row_count(w->r), w->line, at, y);
}

static const uint8_t *row_of(const weir_resample *r, int64_t row)
{
    return r->pixels + row * line_count(r);
}

/* The columns that the window touches, as elements. */
static void touched(const weir_resample *r, int64_t *out_first, int64_t *out_count)
{
    int64_t first = clamp(r->left, r->width - 1);
    int64_t last = clamp(r->left + r->window_width - 1, r->width - 1);
    *out_first = first * r->channels;
    *out_count = (last - first + 1) * r->channels;
}

/* Fewer rows come out than go in: first between rows, then between columns. */
static void shrink(work *w, float *y)
{
    const weir_resample *r = w->r;
    int64_t first, count;
    touched(r, &first, &count);
    for (int64_t i = 0; i < r->out_height; i++, y += row_count(r)) {
        between b = place(i, r->out_height, r->top, r->window_height, r->height);
        w->loops->down_bytes(count, row_of(r, b.low) + first, row_of(r, b.high) + first, b.part,
                             r->scale, r->shift, w->line + first);
        run_across(w, y);
    }
}

/* Makes rows[k] that of the image's |row|, unless it is. */
static void hold(work *w, int k, int64_t row)
{
    if (w->held[k] == row)
        return;
    w->held[k] = row;
    w->loops->convert(line_count(w->r), row_of(w->r, row), w->r->scale, w->r->shift, w->line);
    run_across(w, w->rows[k]);
}

/* More rows come out than go in: first between columns, each row of the image once. */
static void enlarge(work *w, float *y)
{
    const weir_resample *r = w->r;
    for (int64_t i = 0; i < r->out_height; i++, y += row_count(r)) {
        between b = place(i, r->out_height, r->top, r->window_height, r->height);
        if (w->held[1] == b.low) { /* the lower row becomes the upper one */
            float *row = w->rows[0];
            w->rows[0] = w->rows[1], w->rows[1] = row;
            w->held[1] = w->held[0], w->held[0] = b.low;
        }
        hold(w, 0, b.low);
        if (b.high != b.low)
            hold(w, 1, b.high);
        w->loops->down(row_count(r), w->rows[0], w->rows[b.high != b.low], b.part, y);
    }
}

/* The window at its own size: every output is one pixel. */
static bool is_plain(const weir_resample *r)
{
    return r->window_height == r->out_height && r->window_width == r->out_width && !r->flip &&
           r->channels == r->out_channels && r->top >= 0 && r->left >= 0 &&
           r->top + r->window_height <= r->height && r->left + r->window_width <= r->width;
}

static void copy_window(const weir_resample *r, float *y)
{
    int64_t n = row_count(r);
    const uint8_t *x = r->pixels + (r->top * r->width + r->left) * r->channels;
    bool whole = r->window_width == r->width;
    int64_t rows = whole ? 1 : r->out_height, length = whole ? n * r->out_height : n;
    for (int64_t i = 0; i < rows; i++)
        weir_pixels_convert(length, x + i * r->width * r->channels, r->scale, r->shift, y + i * n);
}

void weir_resample_run(const weir_resample *r, void *scratch, float *y)
{
    if (is_plain(r)) {
        copy_window(r, y);
        return;
    }
    work w = prepare(r, scratch);
    if (r->window_height > r->out_height)
        shrink(&w, y);
    else
        enlarge(&w, y);
}
