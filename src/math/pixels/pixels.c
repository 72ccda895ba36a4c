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

/* Where an output place lies between two of the window's, along one axis. */
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

/* What |room| holds: tables of a row, then two rows. */
typedef struct tables {
    int32_t *low, *high;
    float *part;
    float *rows[2];
} tables;

static int64_t row_count(const weir_resample *r)
{
    return r->out_width * r->out_channels;
}

size_t weir_resample_room(const weir_resample *r)
{
    return (size_t)row_count(r) * (2 * sizeof(int32_t) + 3 * sizeof(float));
}

static tables make_tables(const weir_resample *r, void *room)
{
    int64_t n = row_count(r);
    tables t = {.low = room, .high = (int32_t *)room + n, .part = (float *)room + 2 * n};
    t.rows[0] = t.part + n;
    t.rows[1] = t.rows[0] + n;
    for (int64_t x = 0, i = 0; x < r->out_width; x++) {
        int64_t from = r->flip ? r->out_width - 1 - x : x;
        between b = place(from, r->out_width, r->left, r->window_width, r->width);
        for (int c = 0; c < r->out_channels; c++, i++) {
            int taken = c < r->channels ? c : r->channels - 1;
            t.low[i] = (int32_t)(b.low * r->channels + taken);
            t.high[i] = (int32_t)(b.high * r->channels + taken);
            t.part[i] = b.part;
        }
    }
    return t;
}

/* The window as it is: no pixel lies between two others. */
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

void weir_resample_run(const weir_resample *r, void *room, float *y)
{
    if (is_plain(r)) {
        copy_window(r, y);
        return;
    }
    const weir_pixel_loops *loops = WEIR_ISA_PICK(weir_pixel_loops);
    tables t = make_tables(r, room);
    int64_t n = row_count(r), held[2] = {-1, -1}; /* which rows of the image the two rows are */
    for (int64_t i = 0; i < r->out_height; i++) {
        between b = place(i, r->out_height, r->top, r->window_height, r->height);
        const int64_t need[2] = {b.low, b.high};
        for (int k = 0; k < 2; k++) {
            if (held[k] == need[k])
                continue;
            if (k == 0 && held[1] == need[0]) { /* the lower row moves up */
                float *row = t.rows[0];
                t.rows[0] = t.rows[1], t.rows[1] = row;
                held[0] = held[1], held[1] = -1;
                continue;
            }
            loops->across(n, r->pixels + need[k] * r->width * r->channels, t.low, t.high, t.part,
                          t.rows[k]);
            held[k] = need[k];
        }
        loops->down(n, t.rows[0], t.rows[1], b.part, r->scale, r->shift, y + i * n);
    }
}
