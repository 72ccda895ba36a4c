/* ops/image/resize_bilinear.c - ResizeBilinear and its gradient. */
#include <math.h>

#include "grad/grad.h"
#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS, HALF_PIXEL };

/* The two input positions around an output position, and its distance from the first. */
typedef struct between {
    int64_t low, high;
    float weight; /* of high */
} between;

static between *places(int64_t out, int64_t in, float scale, bool half_pixel)
{
    between *places = WEIR_NEW_ARRAY(between, out);
    for (int64_t i = 0; i < out; i++) {
        float at = weir_resize_place(i, scale, half_pixel), floor_at = floorf(at);
        int64_t low = (int64_t)floor_at;
        places[i].low = low < 0 ? 0 : low;
        places[i].high = low + 1 < in ? low + 1 : in - 1;
        if (places[i].low > places[i].high)
            places[i].low = places[i].high;
        places[i].weight = at - floor_at;
    }
    return places;
}

typedef struct job {
    weir_resize r;
    const between *ys, *xs;
    const float *in;
    float *out;
    double *sums; /* of the gradient */
} job;

static void resize_rows(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_resize *resize = &job->r;
    int64_t in_row = resize->in_w * resize->channels, out_row = resize->out_w * resize->channels;
    for (int64_t n = begin; n < end; n++) {
        const between *between = &job->ys[n % resize->out_h];
        const float *image = job->in + n / resize->out_h * resize->in_h * in_row;
        const float *top = image + between->low * in_row, *bottom = image + between->high * in_row;
        float *out = job->out + n * out_row;
        for (int64_t x = 0; x < resize->out_w; x++) {
            int64_t left = job->xs[x].low * resize->channels,
                    right = job->xs[x].high * resize->channels;
            for (int64_t channel = 0; channel < resize->channels; channel++, out++) {
                float above = top[left + channel] +
                              (top[right + channel] - top[left + channel]) * job->xs[x].weight;
                float below =
                    bottom[left + channel] +
                    (bottom[right + channel] - bottom[left + channel]) * job->xs[x].weight;
                *out = above + (below - above) * between->weight;
            }
        }
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
    between *ys = places(job.r.out_h, job.r.in_h, job.r.h_scale, job.r.half_pixel);
    between *xs = places(job.r.out_w, job.r.in_w, job.r.w_scale, job.r.half_pixel);
    job.ys = ys;
    job.xs = xs;
    job.in = in.data;
    job.out = weir_out(call, 0)->data;
    int64_t row = job.r.out_w * job.r.channels;
    weir_par_for_long(&call->run->par, job.r.batch * job.r.out_h, 1 + 16384 / (row + 1),
                      resize_rows, &job);
    weir_free(ys);
    weir_free(xs);
    weir_tensor_release(&in);
    return WEIR_OK;
}

static weir_status resize_grad_fn(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0), x = weir_grad_x(grad, 0);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "ResizeBilinearGrad", WEIR_IN(dy, x),
                               WEIR_ATTRS(weir_grad_attr(grad, "align_corners"),
                                          weir_grad_attr(grad, "half_pixel_centers"))));
    return WEIR_OK;
}

const weir_op weir_op_resize_bilinear = {
    .name = "ResizeBilinear",
    .in = "images: T; size: int32",
    .out = "resized_images: float",
    .attrs = "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, "
             "bfloat16}; align_corners: bool = false; half_pixel_centers: bool = false",
    .host = "size",
    .infer = weir_infer_resize,
    .grad = resize_grad_fn,
    .kernels = {{WEIR_CPU, "*", resize}},
};

/* ---- the gradient: each output pixel adds to the four it came from --------------------------- */

static void spread(const job *job, const float *grads, int64_t n, int64_t y, double *out)
{
    const weir_resize *resize = &job->r;
    int64_t row = resize->in_w * resize->channels;
    const between *by = &job->ys[y];
    double *top = out + (n * resize->in_h + by->low) * row;
    double *bottom = out + (n * resize->in_h + by->high) * row;
    for (int64_t x = 0; x < resize->out_w; x++) {
        const between *bx = &job->xs[x];
        int64_t left = bx->low * resize->channels, right = bx->high * resize->channels;
        for (int64_t channel = 0; channel < resize->channels; channel++, grads++) {
            float up = *grads * (1.0f - by->weight), down = *grads * by->weight;
            top[left + channel] += up * (1.0f - bx->weight);
            top[right + channel] += up * bx->weight;
            bottom[left + channel] += down * (1.0f - bx->weight);
            bottom[right + channel] += down * bx->weight;
        }
    }
}

static void spread_images(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    int64_t row = job->r.out_w * job->r.channels;
    for (int64_t n = begin; n < end; n++)
        for (int64_t y = 0; y < job->r.out_h; y++)
            spread(job, job->in + (n * job->r.out_h + y) * row, n, y, job->sums);
}

static weir_status resize_grad(weir_call *call)
{
    job job;
    weir_tensor workspace, *out = weir_out(call, 0);
    WEIR_TRY(weir_resize_grad_setup(call, weir_site_bool(call->site, ALIGN_CORNERS),
                                    weir_site_bool(call->site, HALF_PIXEL), &job.r));
    WEIR_TRY(weir_image_sums(out, &workspace));
    between *ys = places(job.r.out_h, job.r.in_h, job.r.h_scale, job.r.half_pixel);
    between *xs = places(job.r.out_w, job.r.in_w, job.r.w_scale, job.r.half_pixel);
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

const weir_op weir_op_resize_bilinear_grad = {
    .name = "ResizeBilinearGrad",
    .in = "grads: float; original_image: T",
    .out = "output: T",
    .attrs = "T: {float, bfloat16, half, double}; align_corners: bool = false; "
             "half_pixel_centers: bool = false",
    .infer = weir_infer_resize_grad,
    .kernels = {{WEIR_CPU, "*", resize_grad}},
};
