/* ops/image/color.c - RGBToHSV, HSVToRGB, AdjustHue, AdjustSaturation, AdjustContrastv2. */
#include <inttypes.h>
#include <math.h>

#include "ops/declare.h"
#include "ops/image/image_impl.h"

/* ---- one pixel ------------------------------------------------------------------------------- */

static void to_hsv(const float *rgb, float *hsv)
{
    float r = rgb[0], g = rgb[1], b = rgb[2];
    float value = fmaxf(r, fmaxf(g, b)), range = value - fminf(r, fminf(g, b));
    float norm = 1.0f / (6.0f * range), h = 0;
    if (range > 0) {
        h = r == value   ? norm * (g - b)
            : g == value ? norm * (b - r) + 2.0f / 6
                         : norm * (r - g) + 4.0f / 6;
        h = h < 0 ? h + 1 : h;
    }
    hsv[0] = h;
    hsv[1] = value > 0 ? range / value : 0;
    hsv[2] = value;
}

static float clip(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void to_rgb(const float *hsv, float *rgb)
{
    float h = hsv[0] * 6, s = hsv[1], value = hsv[2];
    float d[] = {clip(fabsf(h - 3) - 1), clip(2 - fabsf(h - 2)), clip(2 - fabsf(h - 4))};
    for (int k = 0; k < 3; k++)
        rgb[k] = (1 - s + s * d[k]) * value;
}

static void rotate_hue(float *pixel, float delta)
{
    float hsv[3];
    to_hsv(pixel, hsv);
    hsv[0] = fmodf(hsv[0] + delta, 1.0f);
    if (hsv[0] < 0)
        hsv[0] += 1;
    to_rgb(hsv, pixel);
}

static void scale_saturation(float *pixel, float scale)
{
    float hsv[3];
    to_hsv(pixel, hsv);
    hsv[1] = clip(hsv[1] * scale);
    to_rgb(hsv, pixel);
}

/* ---- all pixels ------------------------------------------------------------------------------ */

typedef struct job {
    const float *in;
    float *out;
    float amount;
    void (*convert)(const float *in, float *out); /* one of the two */
    void (*adjust)(float *pixel, float amount);
} job;

static void run_pixels(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    for (int64_t i = begin; i < end; i++) {
        if (job->convert) {
            job->convert(job->in + 3 * i, job->out + 3 * i);
            continue;
        }
        float pixel[3];
        memcpy(pixel, job->in + 3 * i, sizeof pixel);
        job->adjust(pixel, job->amount);
        memcpy(job->out + 3 * i, pixel, sizeof pixel);
    }
}

static weir_status run(weir_call *call, job job)
{
    weir_tensor in, workspace, *out = weir_out(call, 0);
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 0), &in));
    weir_status status = weir_image_float_buffer(out, &workspace);
    if (!status) {
        job.in = in.data;
        job.out = workspace.data;
        weir_par_for(&call->run->par, weir_tensor_count(out) / 3, 4096, run_pixels, &job);
        weir_image_put(call, &workspace, out);
        weir_tensor_release(&workspace);
    }
    weir_tensor_release(&in);
    return status;
}

static weir_status infer_convert(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    infer->out[0] = *infer->in[0];
    int64_t three;
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 0, -1), 3, &three));
    infer->out[0].dims[infer->out[0].rank - 1] = 3;
    return WEIR_OK;
}

static weir_status rgb_to_hsv(weir_call *call)
{
    return run(call, (job){.convert = to_hsv});
}

static weir_status hsv_to_rgb(weir_call *call)
{
    return run(call, (job){.convert = to_rgb});
}

#define CONVERSION                                                                                 \
    .in = "images: T", .out = "output: T",                                                         \
    .attrs = "T: {half, bfloat16, float, double} = DT_FLOAT", .infer = infer_convert,              \
    .no_grad = true
WEIR_DEFINE_OP(rgb_to_hsv, "RGBToHSV", CONVERSION, .kernels = {{WEIR_CPU, "*", rgb_to_hsv}});
WEIR_DEFINE_OP(hsv_to_rgb, "HSVToRGB", CONVERSION, .kernels = {{WEIR_CPU, "*", hsv_to_rgb}});

/* ---- adjustments by a scalar ----------------------------------------------------------------- */

static weir_status infer_adjust(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    return weir_infer_rank_at_least(infer, 0, 3);
}

static weir_status adjust(weir_call *call, const char *what, void (*fn)(float *pixel, float amount))
{
    const weir_shape *shape = &weir_in(call, 0)->shape;
    const weir_tensor *amount = weir_in(call, 1);
    if (amount->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s must be scalar: %s", what,
                          WEIR_SHAPE_STR(&amount->shape));
    if (shape->dims[shape->rank - 1] != 3)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "input must have 3 channels but instead has %" PRId64 " channels.",
                          shape->dims[shape->rank - 1]);
    return run(call, (job){.adjust = fn, .amount = *(const float *)amount->data});
}

static weir_status adjust_hue(weir_call *call)
{
    return adjust(call, "delta", rotate_hue);
}

static weir_status adjust_saturation(weir_call *call)
{
    return adjust(call, "scale", scale_saturation);
}

#define ADJUSTMENT                                                                                 \
    .out = "output: T", .attrs = "T: {half, float} = DT_FLOAT", .infer = infer_adjust,             \
    .no_grad = true
WEIR_DEFINE_OP(adjust_hue, "AdjustHue", ADJUSTMENT, .in = "images: T; delta: float",
               .kernels = {{WEIR_CPU, "*", adjust_hue}});
WEIR_DEFINE_OP(adjust_saturation, "AdjustSaturation", ADJUSTMENT, .in = "images: T; scale: float",
               .kernels = {{WEIR_CPU, "*", adjust_saturation}});

/* ---- contrast: away from the mean of each channel of each picture ---------------------------- */

typedef struct contrast {
    const float *in;
    float *out;
    int64_t pixels, channels; /* of one picture */
    float factor;
} contrast;

static void stretch_pictures(void *ctx, int64_t begin, int64_t end)
{
    const contrast *contrast = ctx;
    for (int64_t n = begin; n < end; n++)
        for (int64_t channel = 0; channel < contrast->channels; channel++) {
            int64_t first = n * contrast->pixels * contrast->channels + channel,
                    step = contrast->channels;
            double sum = 0;
            for (int64_t p = 0; p < contrast->pixels; p++)
                sum += contrast->in[first + p * step];
            float mean = (float)(sum / (double)contrast->pixels);
            for (int64_t p = 0; p < contrast->pixels; p++)
                contrast->out[first + p * step] =
                    (contrast->in[first + p * step] - mean) * contrast->factor + mean;
        }
}

static weir_status adjust_contrast_v2(weir_call *call)
{
    const weir_shape *shape = &weir_in(call, 0)->shape;
    const weir_tensor *factor = weir_in(call, 1);
    weir_tensor in, workspace, *out = weir_out(call, 0);
    if (factor->shape.rank != 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "contrast_factor must be scalar: %s",
                          WEIR_SHAPE_STR(&factor->shape));
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 0), &in));
    weir_status status = weir_image_float_buffer(out, &workspace);
    if (!status) {
        contrast contrast = {in.data, workspace.data,
                             shape->dims[shape->rank - 3] * shape->dims[shape->rank - 2],
                             shape->dims[shape->rank - 1], *(const float *)factor->data};
        weir_par_for(&call->run->par, weir_shape_product(shape, 0, shape->rank - 3), 1,
                     stretch_pictures, &contrast);
        weir_image_put(call, &workspace, out);
        weir_tensor_release(&workspace);
    }
    weir_tensor_release(&in);
    return status;
}

WEIR_DEFINE_OP(adjust_contrast_v2, "AdjustContrastv2", ADJUSTMENT,
               .in = "images: T; contrast_factor: float",
               .kernels = {{WEIR_CPU, "*", adjust_contrast_v2}});
