/* data/fit.c - converts one example into its slot in the batch. */
#include "data/fit.h"

#include <math.h>

#include "data/random.h"
#include "io/image.h"
#include "math/cast/cast.h"
#include "math/pixels/pixels.h"
#include "ops/common/elem_of.h"

/* The part of an image to use, and its changes. */
typedef struct view {
    int64_t top, left, height, width;
    bool flip;
    float brightness; /* to add, for pixels in [0, 1] */
} view;

/* ---- the part of the image ------------------------------------------------------------------- */

/* The largest centred window with the target's aspect ratio. */
static view middle(const weir_fit *fit, int64_t height, int64_t width)
{
    view view = {.height = height, .width = width};
    if (height * fit->width > width * fit->height)
        view.height = width * fit->height / fit->width;
    else
        view.width = height * fit->width / fit->height;
    view.height = view.height < 1 ? 1 : view.height;
    view.width = view.width < 1 ? 1 : view.width;
    view.top = (height - view.height) / 2;
    view.left = (width - view.width) / 2;
    return view;
}

/* Uniform in [-most, most]. */
static int64_t draw_around(weir_draws *draws, int64_t most)
{
    return weir_draw_below(draws, 2 * most + 1) - most;
}

static view draw_view(const weir_fit *fit, const weir_item *item, int64_t height, int64_t width)
{
    view view = middle(fit, height, width);
    if (!fit->varies)
        return view;
    weir_draws draws = weir_draws_of(fit->seed, item->order);
    if (fit->vary.crop > 0 && fit->vary.crop < 1) {
        double keep = fit->vary.crop + (1 - fit->vary.crop) * weir_draw_part(&draws);
        view.height = (int64_t)fmax(1, (double)view.height * keep);
        view.width = (int64_t)fmax(1, (double)view.width * keep);
        view.top = weir_draw_below(&draws, height - view.height + 1);
        view.left = weir_draw_below(&draws, width - view.width + 1);
    }
    view.top += draw_around(&draws, (int64_t)(fit->vary.shift * (double)view.height + 0.5));
    view.left += draw_around(&draws, (int64_t)(fit->vary.shift * (double)view.width + 0.5));
    view.flip = fit->vary.flip && weir_draw(&draws) >> 63;
    view.brightness = (float)(fit->vary.brightness * (2 * weir_draw_part(&draws) - 1));
    return view;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

/* Clips to the range of pixels after a change of brightness. */
static void clip(int64_t count, float most, float *y)
{
    for (int64_t i = 0; i < count; i++)
        y[i] = y[i] < 0 ? 0 : y[i] > most ? most : y[i];
}

static void run_resample(const weir_fit *fit, weir_resample *resample, const view *view,
                         weir_scratch *scratch, float *y)
{
    float range = 255 * fit->scale;
    resample->flip = view->flip;
    resample->out_height = fit->height;
    resample->out_width = fit->width;
    resample->out_channels = fit->channels;
    resample->scale = fit->scale;
    resample->shift = view->brightness * range + (weir_dtype_is_int(fit->type) ? 0.5f : 0);
    weir_resample_run(
        resample, weir_scratch_room(&scratch->tables, weir_resample_scratch_bytes(resample)), y);
    if (view->brightness != 0)
        clip(fit->count, range, y);
}

static weir_status check_size(int64_t height, int64_t width)
{
    if (height <= WEIR_MOST_SIDE && width <= WEIR_MOST_SIDE)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "an image of %lld by %lld is too large",
                      (long long)width, (long long)height);
}

/* Extracts the view of |example|'s pixels. */
static weir_status fit_pixels(const weir_fit *fit, const weir_example *example, const view *view,
                              weir_scratch *scratch, float *y)
{
    const uint8_t *pixels = (const uint8_t *)example->bytes.at;
    WEIR_TRY(check_size(example->height, example->width));
    bool grey = fit->channels == 1 && example->channels >= 3;
    if (grey) {
        uint8_t *made;
        WEIR_TRY(weir_scratch_pixels(&scratch->grey, example->height, example->width, 1, &made));
        weir_pixels_grey(example->height * example->width, example->channels, pixels, made);
        pixels = made;
    }
    weir_resample resample = {
        .pixels = pixels,
        .height = example->height,
        .width = example->width,
        .channels = grey ? 1 : example->channels,
        .top = view->top,
        .left = view->left,
        .window_height = view->height,
        .window_width = view->width,
    };
    run_resample(fit, &resample, view, scratch, y);
    return WEIR_OK;
}

/* ---- image files ----------------------------------------------------------------------------- */

/* The scale at which a JPEG can be decoded without becoming smaller than the target. */
static int shrink_of(const weir_fit *fit, const view *view)
{
    int ratio = 1;
    while (ratio < 8 && view->height / (2 * ratio) >= fit->height &&
           view->width / (2 * ratio) >= fit->width)
        ratio *= 2;
    return ratio;
}

/* Clips [at, at + length) to [0, size), keeping at least one element. */
static void keep_inside(int64_t *at, int64_t *length, int64_t size)
{
    int64_t end = *at + *length;
    *at = *at < 0 ? 0 : *at >= size ? size - 1 : *at;
    end = end > size ? size : end <= *at ? *at + 1 : end;
    *length = end - *at;
}

/* Limits the decoding of a JPEG to what the view needs: a reduced scale, and only its window. The
 * view then refers to the decoder's output. */
static void narrow(const weir_fit *fit, weir_image_want *want, view *view, weir_image_info *info)
{
    weir_jpeg_decode *jpeg = &want->jpeg;
    jpeg->ratio = shrink_of(fit, view);
    jpeg->no_fancy_upscaling = view->height > fit->height; /* invisible after shrinking */
    if (jpeg->ratio > 1) {
        int64_t scaled_height = (info->height + jpeg->ratio - 1) / jpeg->ratio;
        int64_t scaled_width = (info->width + jpeg->ratio - 1) / jpeg->ratio;
        *info = (weir_image_info){info->kind, scaled_height, scaled_width, 1, info->channels};
        view->top /= jpeg->ratio;
        view->left /= jpeg->ratio;
        view->height /= jpeg->ratio;
        view->width /= jpeg->ratio;
    }
    jpeg->crop_y = view->top, jpeg->crop_h = view->height;
    jpeg->crop_x = view->left, jpeg->crop_w = view->width;
    keep_inside(&jpeg->crop_y, &jpeg->crop_h, info->height);
    keep_inside(&jpeg->crop_x, &jpeg->crop_w, info->width);
    jpeg->crop = jpeg->crop_h < info->height || jpeg->crop_w < info->width;
    view->top -= jpeg->crop_y;
    view->left -= jpeg->crop_x;
    info->height = jpeg->crop_h;
    info->width = jpeg->crop_w;
}

static weir_status decode(const weir_fit *fit, weir_str bytes, const weir_item *item,
                          weir_scratch *scratch, float *y)
{
    weir_image_info info;
    weir_image_kind kind = weir_image_sniff(bytes);
    WEIR_TRY(weir_image_inspect(kind, bytes, NULL, &info));
    WEIR_TRY(check_size(info.height, info.width));
    bool converts = kind == WEIR_IMAGE_JPEG || kind == WEIR_IMAGE_PNG;
    weir_image_want want = {.channels = converts ? fit->channels : info.channels, .bits = 8};
    view view = draw_view(fit, item, info.height, info.width);
    if (kind == WEIR_IMAGE_JPEG)
        narrow(fit, &want, &view, &info);
    uint8_t *pixels;
    WEIR_TRY(weir_scratch_pixels(&scratch->pixels, info.height * info.frames, info.width,
                                 want.channels, &pixels));
    WEIR_TRY(weir_image_decode(&info, bytes, &want, pixels));
    weir_example first = {.kind = WEIR_PIXELS,
                          .bytes = {(const char *)pixels, 0},
                          .height = info.height, /* first frame of an animation */
                          .width = info.width,
                          .channels = want.channels};
    return fit_pixels(fit, &first, &view, scratch, y);
}

static weir_status fit_encoded(const weir_fit *fit, const weir_example *example,
                               const weir_item *item, weir_scratch *scratch, float *y)
{
    WEIR_TRY_NOTE(decode(fit, example->bytes, item, scratch, y),
                  " (an image of %zu bytes; replace it or take it out)", example->bytes.length);
    return WEIR_OK;
}

/* ---- kinds of examples ----------------------------------------------------------------------- */

static weir_status fit_numbers(const weir_fit *fit, const weir_example *example, float *y)
{
    if (example->count != fit->count)
        return weir_error(WEIR_INVALID_ARGUMENT, "it has %lld numbers, the model wants %lld",
                          (long long)example->count, (long long)fit->count);
    for (int64_t i = 0; i < fit->count; i++)
        y[i] = example->numbers[i] * fit->scale;
    return WEIR_OK;
}

static weir_status to_floats(const weir_fit *fit, const weir_example *example,
                             const weir_item *item, weir_scratch *scratch, float *y)
{
    view view;
    switch (example->kind) {
    case WEIR_PIXELS:
        view = draw_view(fit, item, example->height, example->width);
        return fit_pixels(fit, example, &view, scratch, y);
    case WEIR_ENCODED:
        return fit_encoded(fit, example, item, scratch, y);
    case WEIR_NUMBERS:
        return fit_numbers(fit, example, y);
    default:
        return weir_error(WEIR_INTERNAL, "no floats are made of examples of kind %d",
                          example->kind);
    }
}

static weir_status put_label(const weir_fit *fit, int64_t label, weir_tensor *y, int64_t at)
{
    if (label < 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "its label is not a whole number from 0 on: correct it, or name another "
                          "one (y_name)");
    if (fit->classes > 0 && label >= fit->classes)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "its label %lld is not below the model's %lld classes: give a model with "
                          "as many classes as the data have, or labels that start at 0",
                          (long long)label, (long long)fit->classes);
    weir_elem to = weir_elem_of(y->dtype);
    weir_cast_run(&(weir_par){0}, WEIR_E_i64, to, 1, &label,
                  (char *)y->data + at * weir_elem_size(to));
    return WEIR_OK;
}

static weir_status put_tokens(const weir_fit *fit, const weir_example *example, weir_tensor *x,
                              weir_tensor *y, int64_t at)
{
    weir_tensor *both[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        if (!both[k])
            continue;
        weir_elem to = weir_elem_of(both[k]->dtype);
        weir_cast_run(&(weir_par){0}, WEIR_E_i32, to, fit->count, example->tokens + k,
                      (char *)both[k]->data + at * fit->count * weir_elem_size(to));
    }
    return WEIR_OK;
}

weir_status weir_fit_run(const weir_fit *fit, const weir_example *example, const weir_item *item,
                         weir_scratch *scratch, weir_tensor *x, weir_tensor *y, int64_t at)
{
    if (example->kind == WEIR_TOKENS)
        return put_tokens(fit, example, x, y, at);
    weir_elem to = weir_elem_of(fit->type);
    void *place = (char *)x->data + at * fit->count * weir_elem_size(to);
    float *floats = fit->type == WEIR_FLOAT
                        ? place
                        : weir_scratch_room(&scratch->floats, (size_t)fit->count * sizeof(float));
    WEIR_TRY(to_floats(fit, example, item, scratch, floats));
    if (fit->type != WEIR_FLOAT)
        weir_cast_run(&(weir_par){0}, WEIR_E_f32, to, fit->count, floats, place);
    return y ? put_label(fit, example->label, y, at) : WEIR_OK;
}
