/* ops/image/resize_nearest_neighbor.c - ResizeNearestNeighbor and its gradient. */
#include <inttypes.h>
#include <math.h>

#include "base/arith.h"
#include "grad/grad.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS, HALF_PIXEL };

/* The input position nearest to output position |at|, for an image of size |in|. */
static int64_t nearest(int64_t at, float scale, bool align_corners, bool half_pixel, int64_t in)
{
    float place = half_pixel ? ((float)at + 0.5f) * scale : (float)at * scale;
    int64_t n = (int64_t)(align_corners ? roundf(place) : floorf(place));
    n = n < in - 1 ? n : in - 1;
    return weir_max(n, 0);
}

static int64_t *places(int64_t out, int64_t in, float scale, const weir_resize *resize)
{
    int64_t *p = WEIR_NEW_ARRAY(int64_t, out);
    for (int64_t i = 0; i < out; i++)
        p[i] = nearest(i, scale, resize->align_corners, resize->half_pixel, in);
    return p;
}

typedef struct job {
    weir_resize r;
    const int64_t *ys, *xs;
    size_t pixel; /* pixel size in bytes */
    const char *in;
    char *out;
} job;

static void copy_rows(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_resize *resize = &job->r;
    for (int64_t n = begin; n < end; n++) {
        int64_t row = n / resize->out_h * resize->in_h + job->ys[n % resize->out_h];
        const char *from = job->in + (size_t)(row * resize->in_w) * job->pixel;
        char *to = job->out + (size_t)(n * resize->out_w) * job->pixel;
        for (int64_t x = 0; x < resize->out_w; x++, to += job->pixel)
            memcpy(to, from + (size_t)job->xs[x] * job->pixel, job->pixel);
    }
}

static weir_status resize(weir_call *call)
{
    const weir_tensor *in = weir_in(call, 0);
    job job;
    WEIR_TRY(weir_resize_setup(&in->shape, &weir_out(call, 0)->shape,
                               weir_site_bool(call->site, ALIGN_CORNERS),
                               weir_site_bool(call->site, HALF_PIXEL), &job.r));
    int64_t *ys = places(job.r.out_h, job.r.in_h, job.r.h_scale, &job.r);
    int64_t *xs = places(job.r.out_w, job.r.in_w, job.r.w_scale, &job.r);
    job.ys = ys;
    job.xs = xs;
    job.pixel = (size_t)job.r.channels * weir_dtype_size(in->dtype);
    job.in = in->data;
    job.out = weir_out(call, 0)->data;
    weir_par_for(&call->run->par, job.r.batch * job.r.out_h,
                 1 + 16384 / (job.r.out_w * job.r.channels + 1), copy_rows, &job);
    weir_free(ys);
    weir_free(xs);
    return WEIR_OK;
}

static weir_status resize_grad_fn(weir_grad *grad)
{
    /* The height and width of the image, as inputs of the gradient op. */
    const int32_t from[] = {1}, to[] = {3}, by[] = {1};
    weir_edge shape = weir_grad_shape_of(grad, weir_grad_x(grad, 0));
    weir_edge size = weir_grad_op(grad, "StridedSlice",
                                  WEIR_IN(shape, weir_grad_const_int32(grad, from, 1),
                                          weir_grad_const_int32(grad, to, 1),
                                          weir_grad_const_int32(grad, by, 1)),
                                  WEIR_NO_ATTRS);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "ResizeNearestNeighborGrad",
                               WEIR_IN(weir_grad_dy(grad, 0), size),
                               WEIR_ATTRS(weir_grad_attr(grad, "align_corners"),
                                          weir_grad_attr(grad, "half_pixel_centers"))));
    return WEIR_OK;
}

const weir_op weir_op_resize_nearest_neighbor = {
    .name = "ResizeNearestNeighbor",
    .in = "images: T; size: int32",
    .out = "resized_images: T",
    .attrs = "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}; "
             "align_corners: bool = false; half_pixel_centers: bool = false",
    .host = "size",
    .infer = weir_infer_resize,
    .grad = resize_grad_fn,
    .kernels = {{WEIR_CPU, "*", resize}},
};

/* ---- the gradient: each pixel sums its copies ------------------------------------------------ */

static weir_status resize_grad(weir_call *call)
{
    const weir_tensor *grads = weir_in(call, 0);
    weir_tensor *out = weir_out(call, 0);
    weir_resize resize; /* from the image to the resized image */
    WEIR_TRY(weir_resize_setup(&out->shape, &grads->shape,
                               weir_site_bool(call->site, ALIGN_CORNERS),
                               weir_site_bool(call->site, HALF_PIXEL), &resize));
    int64_t *ys = places(resize.out_h, resize.in_h, resize.h_scale, &resize);
    int64_t *xs = places(resize.out_w, resize.in_w, resize.w_scale, &resize);
    size_t pixel = (size_t)resize.channels * weir_dtype_size(out->dtype);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(out->dtype));
    memset(out->data, 0, weir_tensor_bytes(out));
    const char *from = grads->data;
    for (int64_t n = 0; n < resize.batch; n++)
        for (int64_t y = 0; y < resize.out_h; y++)
            for (int64_t x = 0; x < resize.out_w; x++, from += pixel) {
                int64_t at = (n * resize.in_h + ys[y]) * resize.in_w + xs[x];
                add((char *)out->data + (size_t)at * pixel, from, resize.channels, 1);
            }
    weir_free(ys);
    weir_free(xs);
    return WEIR_OK;
}

const weir_op weir_op_resize_nearest_neighbor_grad = {
    .name = "ResizeNearestNeighborGrad",
    .in = "grads: T; size: int32",
    .out = "output: T",
    .attrs = "T: {uint8, int8, int32, half, float, double, bfloat16}; align_corners: bool = "
             "false; half_pixel_centers: bool = false",
    .host = "size",
    .infer = weir_infer_resize,
    .kernels = {{WEIR_CPU, "*", resize_grad}},
};
