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
    weir_resample_run(r, weir_scratch_room(&scratch->tables, weir_resample_scratch_bytes(r)), y);
    if (v->brightness != 0)
        clip(f->count, range, y);
}

static weir_status check_size(int64_t height, int64_t width)
{
    if (height <= WEIR_MOST_SIDE && width <= WEIR_MOST_SIDE)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "an image of %lld by %lld is too large",
                      (long long)width, (long long)height);
}

/* Takes the view of |e|'s pixels. */
static weir_status fit_pixels(const weir_fit *f, const weir_example *e, const view *v,
                              weir_scratch *scratch, float *y)
{
    const uint8_t *pixels = (const uint8_t *)e->bytes.at;
    WEIR_TRY(check_size(e->height, e->width));
    bool grey = f->channels == 1 && e->channels >= 3;
    if (grey) {
        uint8_t *made;
        WEIR_TRY(weir_scratch_pixels(&scratch->grey, e->height, e->width, 1, &made));
        weir_pixels_grey(e->height * e->width, e->channels, pixels, made);
        pixels = made;
    }
    weir_resample r = {
        .pixels = pixels,
        .height = e->height,
        .width = e->width,
        .channels = grey ? 1 : e->channels,
        .top = v->top,
        .left = v->left,
        .window_height = v->height,
        .window_width = v->width,
    };
    run_resample(f, &r, v, scratch, y);
    return WEIR_OK;
}

/* ---- image files ---- */

/* How far a JPEG can be shrunk while it is decoded and still be no smaller than wanted. */
static int shrink_of(const weir_fit *f, const view *v)
{
    int ratio = 1;
    while (ratio < 8 && v->height / (2 * ratio) >= f->height && v->width / (2 * ratio) >= f->width)
        ratio *= 2;
    return ratio;
}

/* The part of [at, at + length) that lies in [0, size), at least one long. */
static void keep_inside(int64_t *at, int64_t *length, int64_t size)
{
    int64_t end = *at + *length;
    *at = *at < 0 ? 0 : *at >= size ? size - 1 : *at;
    end = end > size ? size : end <= *at ? *at + 1 : end;
    *length = end - *at;
}

/* Asks the decoder for no more of a JPEG than the view needs: shrunk, and only its window. The view
 * is then one of what the decoder gives. */
static void narrow(const weir_fit *f, weir_image_want *want, view *v, weir_image_info *info)
{
    weir_jpeg_decode *jpeg = &want->jpeg;
    jpeg->ratio = shrink_of(f, v);
    jpeg->no_fancy_upscaling = v->height > f->height; /* what is shrunk shows no difference */
    if (jpeg->ratio > 1) {
        int64_t scaled_height = (info->height + jpeg->ratio - 1) / jpeg->ratio;
        int64_t scaled_width = (info->width + jpeg->ratio - 1) / jpeg->ratio;
        *info = (weir_image_info){info->kind, scaled_height, scaled_width, 1, info->channels};
        v->top /= jpeg->ratio;
        v->left /= jpeg->ratio;
        v->height /= jpeg->ratio;
        v->width /= jpeg->ratio;
    }
    jpeg->crop_y = v->top, jpeg->crop_h = v->height;
    jpeg->crop_x = v->left, jpeg->crop_w = v->width;
    keep_inside(&jpeg->crop_y, &jpeg->crop_h, info->height);
    keep_inside(&jpeg->crop_x, &jpeg->crop_w, info->width);
    jpeg->crop = jpeg->crop_h < info->height || jpeg->crop_w < info->width;
    v->top -= jpeg->crop_y;
    v->left -= jpeg->crop_x;
    info->height = jpeg->crop_h;
    info->width = jpeg->crop_w;
}

static weir_status decode(const weir_fit *f, weir_str bytes, const weir_item *item,
                          weir_scratch *scratch, float *y)
{
    weir_image_info info;
    weir_image_kind kind = weir_image_sniff(bytes);
    WEIR_TRY(weir_image_inspect(kind, bytes, NULL, &info));
    WEIR_TRY(check_size(info.height, info.width));
    bool converts = kind == WEIR_IMAGE_JPEG || kind == WEIR_IMAGE_PNG;
    weir_image_want want = {.channels = converts ? f->channels : info.channels, .bits = 8};
    view v = draw_view(f, item, info.height, info.width);
    if (kind == WEIR_IMAGE_JPEG)
        narrow(f, &want, &v, &info);
    uint8_t *pixels;
    WEIR_TRY(weir_scratch_pixels(&scratch->pixels, info.height * info.frames, info.width,
                                 want.channels, &pixels));
    WEIR_TRY(weir_image_decode(&info, bytes, &want, pixels));
    weir_example first = {.kind = WEIR_PIXELS,
                          .bytes = {(const char *)pixels, 0},
                          .height = info.height, /* of an animation: the first frame */
                          .width = info.width,
                          .channels = want.channels};
    return fit_pixels(f, &first, &v, scratch, y);
}

static weir_status fit_encoded(const weir_fit *f, const weir_example *e, const weir_item *item,
                               weir_scratch *scratch, float *y)
{
    WEIR_TRY_NOTE(decode(f, e->bytes, item, scratch, y),
                  " (an image of %zu bytes; replace it or take it out)", e->bytes.length);
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
    view v;
    switch (e->kind) {
    case WEIR_PIXELS:
        v = draw_view(f, item, e->height, e->width);
        return fit_pixels(f, e, &v, scratch, y);
    case WEIR_ENCODED:
        return fit_encoded(f, e, item, scratch, y);
    case WEIR_NUMBERS:
        return fit_numbers(f, e, y);
    default:
        return weir_error(WEIR_INTERNAL, "no floats are made of examples of kind %d", e->kind);
    }
}

static weir_status put_label(const weir_fit *f, int64_t label, weir_tensor *y, int64_t at)
{
    if (label < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "its label is not a whole number from 0 on: correct it, or name another "
                          "one (y_name)");
    if (f->classes > 0 && label >= f->classes)
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
