/* ops/image/resize_bicubic.c - ResizeBicubic and its gradient. */
#include <float.h>
#include <math.h>

#include "base/arith.h"
#include "grad/grad.h"
#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS, HALF_PIXEL };
enum { STEPS = 1024 }; /* the kernel is tabulated at 1024 positions between pixels */

/* The four input positions around an output position, and their weights. */
typedef struct taps {
    int64_t at[4];
    float weight[4];
} taps;

/* The cubic kernel for distances 0..1 and 1..2, for the sharpness |a|. */
static float near_kernel(double x, double a)
{
    return (float)(((a + 2) * x - (a + 3)) * x * x + 1);
}
static float far_kernel(double x, double a)
{
    x += 1;
    return (float)(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
}

/* With half-pixel centres, positions outside have weight 0 and the rest is normalised to 1. */
static void normalize(taps *taps, int64_t first)
{
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        if (taps->at[k] != first + k)
            taps->weight[k] = 0;
        sum += taps->weight[k];
    }
    if (fabsf(sum) < 1000.0f * FLT_MIN)
        return;
    float scale = 1.0f / sum;
    for (int k = 0; k < 4; k++)
        taps->weight[k] *= scale;
}

static taps taps_of(int64_t out, float scale, bool half_pixel, int64_t limit)
{
    double a = half_pixel ? -0.5 : -0.75;
    float place = weir_resize_place(out, scale, half_pixel);
    int64_t floor_at = (int64_t)floorf(place);
    double offset = (double)lrintf((place - (float)floor_at) * STEPS) / STEPS;
    taps taps = {.weight = {far_kernel(offset, a), near_kernel(offset, a),
                            near_kernel(1 - offset, a), far_kernel(1 - offset, a)}};
    for (int k = 0; k < 4; k++)
        taps.at[k] = weir_clamp(floor_at - 1 + k, 0, limit - 1);
    if (half_pixel)
        normalize(&taps, floor_at - 1);
    return taps;
}

static taps *all_taps(int64_t out, float scale, bool half_pixel, int64_t limit)
{
    taps *new_taps = WEIR_NEW_ARRAY(taps, out);
    for (int64_t i = 0; i < out; i++)
        new_taps[i] = taps_of(i, scale, half_pixel, limit);
    return new_taps;
}

typedef struct job {
    weir_resize r;
    const taps *ys, *xs;
    const float *in;
    float *out;
    double *sums; /* of the gradient */
} job;

static float at_place(const job *job, const float *image, const taps *vertical,
                      const taps *horizontal, int64_t c)
{
    int64_t row = job->r.in_w * job->r.channels;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        const float *column = image + horizontal->at[k] * job->r.channels + c;
        float value = 0;
        for (int i = 0; i < 4; i++)
            value += column[vertical->at[i] * row] * vertical->weight[i];
        sum += value * horizontal->weight[k];
    }
    return sum;
}

static void resize_rows(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_resize *resize = &job->r;
    for (int64_t n = begin; n < end; n++) {
        const float *image =
            job->in + n / resize->out_h * resize->in_h * resize->in_w * resize->channels;
        float *out = job->out + n * resize->out_w * resize->channels;
        for (int64_t x = 0; x < resize->out_w; x++)
            for (int64_t channel = 0; channel < resize->channels; channel++)
                *out++ = at_place(job, image, &job->ys[n % resize->out_h], &job->xs[x], channel);
    }
}

static weir_status resize(weir_call *call)
{
    job job;
    weir_tensor in;
    WEIR_TRY(weir_resize_setup(&weir_in(call, 0)->shape, &weir_out(call, 0)->shape,
                               weir_site_bool(call->site, ALIGN_CORNERS),
                               weir_site_bool(call->site, HALF_PIXEL), &job.r));
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 0), &in));
    taps *ys = all_taps(job.r.out_h, job.r.h_scale, job.r.half_pixel, job.r.in_h);
    taps *xs = all_taps(job.r.out_w, job.r.w_scale, job.r.half_pixel, job.r.in_w);
    job.ys = ys;
    job.xs = xs;
    job.in = in.data;
    job.out = weir_out(call, 0)->data;
    weir_par_for_long(&call->run->par, job.r.batch * job.r.out_h,
                      1 + 2048 / (job.r.out_w * job.r.channels + 1), resize_rows, &job);
    weir_free(ys);
    weir_free(xs);
    weir_tensor_release(&in);
    return WEIR_OK;
}

static weir_status resize_grad_fn(weir_grad *grad)
{
    weir_dtype dtype = weir_site_type(weir_grad_site(grad), T);
    if (dtype != WEIR_FLOAT && dtype != WEIR_DOUBLE)
        return WEIR_OK; /* no gradient for integers */
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "ResizeBicubicGrad",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 0)),
                               WEIR_ATTRS(weir_grad_attr(grad, "align_corners"),
                                          weir_grad_attr(grad, "half_pixel_centers"))));
    return WEIR_OK;
}

const weir_op weir_op_resize_bicubic = {
    .name = "ResizeBicubic",
    .in = "images: T; size: int32",
    .out = "resized_images: float",
    .attrs = "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}; "
             "align_corners: bool = false; half_pixel_centers: bool = false",
    .infer = weir_infer_resize,
    .grad = resize_grad_fn,
    .kernels = {{WEIR_CPU, "*", resize}},
};

/* ---- the gradient ---------------------------------------------------------------------------- */

static void spread_images(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_resize *resize = &job->r;
    for (int64_t n = begin; n < end; n++)
        for (int64_t p = 0; p < resize->out_h * resize->out_w * resize->channels; p++) {
            int64_t c = p % resize->channels, x = p / resize->channels % resize->out_w,
                    y = p / resize->channels / resize->out_w;
            double grad = job->in[n * resize->out_h * resize->out_w * resize->channels + p];
            const taps *ty = &job->ys[y], *tx = &job->xs[x];
            for (int i = 0; i < 16; i++) {
                int64_t at = ((n * resize->in_h + ty->at[i / 4]) * resize->in_w + tx->at[i % 4]);
                job->sums[at * resize->channels + c] +=
                    grad * ty->weight[i / 4] * tx->weight[i % 4];
            }
        }
}

static weir_status resize_grad(weir_call *call)
{
    job job;
    weir_tensor workspace, *out = weir_out(call, 0);
    WEIR_TRY(weir_resize_grad_setup(call, weir_site_bool(call->site, ALIGN_CORNERS),
                                    weir_site_bool(call->site, HALF_PIXEL), &job.r));
    WEIR_TRY(weir_image_sums(out, &workspace));
    taps *ys = all_taps(job.r.out_h, job.r.h_scale, job.r.half_pixel, job.r.in_h);
    taps *xs = all_taps(job.r.out_w, job.r.w_scale, job.r.half_pixel, job.r.in_w);
    job.ys = ys;
    job.xs = xs;
    job.in = weir_in(call, 0)->data;
    job.sums = workspace.data;
    weir_par_for(&call->run->par, job.r.batch, 1, spread_images, &job);
    weir_image_put(call, &workspace, out);
    weir_free(ys);
    weir_free(xs);
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

const weir_op weir_op_resize_bicubic_grad = {
    .name = "ResizeBicubicGrad",
    .in = "grads: float; original_image: T",
    .out = "output: T",
    .attrs = "T: {float, double}; align_corners: bool = false; half_pixel_centers: bool = false",
    .infer = weir_infer_resize_grad,
    .kernels = {{WEIR_CPU, "*", resize_grad}},
};
