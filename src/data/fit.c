/* data/fit.c - one example into its place in the batch. */
#include "data/fit.h"

#include <math.h>

#include "data/random.h"
#include "io/image.h"
#include "math/cast/cast.h"
#include "math/pixels/pixels.h"
#include "ops/common/elem_of.h"

/* What is taken of an image, and how it is changed. */
typedef struct view {
    int64_t top, left, height, width;
    bool flip;
    float brightness; /* to be added, of a range of 1 */
} view;

/* ---- which part of the image ---- */

/* The largest window in the middle that has the sides' ratio of what is wanted. */
static view middle(const weir_fit *f, int64_t height, int64_t width)
{
    view v = {.height = height, .width = width};
    if (height * f->width > width * f->height)
        v.height = width * f->height / f->width;
    else
        v.width = height * f->width / f->height;
    v.height = v.height < 1 ? 1 : v.height;
    v.width = v.width < 1 ? 1 : v.width;
    v.top = (height - v.height) / 2;
    v.left = (width - v.width) / 2;
    return v;
}

/* From -|most| to |most|. */
static int64_t draw_around(weir_draws *d, int64_t most)
{
    return weir_draw_below(d, 2 * most + 1) - most;
}

static view draw_view(const weir_fit *f, const weir_item *item, int64_t height, int64_t width)
{
    view v = middle(f, height, width);
    if (!f->varies)
        return v;
    weir_draws d = weir_draws_of(f->seed, item->order);
    if (f->vary.crop > 0 && f->vary.crop < 1) {
        double keep = f->vary.crop + (1 - f->vary.crop) * weir_draw_part(&d);
        v.height = (int64_t)fmax(1, (double)v.height * keep);
        v.width = (int64_t)fmax(1, (double)v.width * keep);
        v.top = weir_draw_below(&d, height - v.height + 1);
        v.left = weir_draw_below(&d, width - v.width + 1);
    }
    v.top += draw_around(&d, (int64_t)(f->vary.shift * (double)v.height + 0.5));
    v.left += draw_around(&d, (int64_t)(f->vary.shift * (double)v.width + 0.5));
    v.flip = f->vary.flip && weir_draw(&d) >> 63;
    v.brightness = (float)(f->vary.brightness * (2 * weir_draw_part(&d) - 1));
    return v;
}

/* ---- pixels ---- */

/* Brightness may not leave the range that pixels have. */
static void clip(int64_t count, float most, float *y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = y[i] < 0 ? 0 : y[i] > most ? most : y[i];
}

static void run_resample(const weir_fit *f, weir_resample *r, const view *v, weir_scratch *scratch,
                         float *y)
{
    float range = 255 * f->scale;
    r->flip = v->flip;
    r->out_height = f->height;
    r->out_width = f->width;
    r->out_channels = f->channels;
    r->scale = f->scale;
    r->shift = v->brightness * range + (weir_dtype_is_int(f->type) ? 0.5f : 0);
    weir_resample_run(r, weir_scratch_room(&scratch->tables, weir_resample_room(r)), y);
    if (v->brightness != 0)
        clip(f->count, range, y);
}

/* Grey of what has colours, in |scratch|. */
static const uint8_t *to_grey(const weir_example *e, weir_scratch *scratch)
{
    uint8_t *grey = weir_scratch_room(&scratch->pixels, (size_t)(e->height * e->width));
    weir_pixels_grey(e->height * e->width, e->channels, (const uint8_t *)e->bytes.at, grey);
    return grey;
}

static weir_status fit_pixels(const weir_fit *f, const weir_example *e, const weir_item *item,
                              weir_scratch *scratch, float *y)
{
    view v = draw_view(f, item, e->height, e->width);
    bool grey = f->channels == 1 && e->channels >= 3;
    weir_resample r = {
        .pixels = grey ? to_grey(e, scratch) : (const uint8_t *)e->bytes.at,
        .height = e->height,
        .width = e->width,
        .channels = grey ? 1 : e->channels,
        .top = v.top,
        .left = v.left,
        .window_height = v.height,
        .window_width = v.width,
    };
    run_resample(f, &r, &v, scratch, y);
    return WEIR_OK;
}

/* ---- kinds of examples ---- */

static weir_status fit_numbers(const weir_fit *f, const weir_example *e, float *y)
{
    if (e->count != f->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "it has %lld numbers, the model wants %lld",
                          (long long)e->count, (long long)f->count);
    for (int64_t i = 0; i < f->count; i++)
        y[i] = e->numbers[i] * f->scale;
    return WEIR_OK;
}

static weir_status to_floats(const weir_fit *f, const weir_example *e, const weir_item *item,
                             weir_scratch *scratch, float *y)
{
    switch (e->kind) {
    case WEIR_PIXELS:
        return fit_pixels(f, e, item, scratch, y);
    case WEIR_NUMBERS:
        return fit_numbers(f, e, y);
    default:
        return weir_error(WEIR_INTERNAL, "no floats are made of examples of kind %d", e->kind);
    }
}

static weir_status put_label(const weir_fit *f, int64_t label, weir_tensor *y, int64_t at)
{
    if (label < 0 || (f->classes > 0 && label >= f->classes))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "its label %lld is not below the model's %lld classes: give a model with "
                          "as many classes as the data have, or labels that start at 0",
                          (long long)label, (long long)f->classes);
    weir_elem to = weir_elem_of(y->dtype);
    weir_cast_run(&(weir_par){0}, WEIR_E_i64, to, 1, &label,
                  (char *)y->data + at * weir_elem_size(to));
    return WEIR_OK;
}

static weir_status put_tokens(const weir_fit *f, const weir_example *e, weir_tensor *x,
                              weir_tensor *y, int64_t at)
{
    weir_tensor *both[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        if (!both[k])
            continue;
        weir_elem to = weir_elem_of(both[k]->dtype);
        weir_cast_run(&(weir_par){0}, WEIR_E_i32, to, f->count, e->tokens + k,
                      (char *)both[k]->data + at * f->count * weir_elem_size(to));
    }
    return WEIR_OK;
}

weir_status weir_fit_run(const weir_fit *f, const weir_example *e, const weir_item *item,
                         weir_scratch *scratch, weir_tensor *x, weir_tensor *y, int64_t at)
{
    if (e->kind == WEIR_TOKENS)
        return put_tokens(f, e, x, y, at);
    weir_elem to = weir_elem_of(f->type);
    void *place = (char *)x->data + at * f->count * weir_elem_size(to);
    float *floats = f->type == WEIR_FLOAT
                        ? place
                        : weir_scratch_room(&scratch->floats, (size_t)f->count * sizeof(float));
    WEIR_TRY(to_floats(f, e, item, scratch, floats));
    if (f->type != WEIR_FLOAT)
        weir_cast_run(&(weir_par){0}, WEIR_E_f32, to, f->count, floats, place);
    return y ? put_label(f, e->label, y, at) : WEIR_OK;
}
