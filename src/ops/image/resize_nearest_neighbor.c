/* ops/image/resize_nearest_neighbor.c - ResizeNearestNeighbor and its gradient. */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "math/update/update.h"
#include "ops/common/elem_of.h"
#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS, HALF_PIXEL };

/* The place of a picture of |in| that place |at| of the resized one shows. */
static int64_t nearest(int64_t at, float scale, bool align_corners, bool half_pixel, int64_t in)
{
    float place = half_pixel ? ((float)at + 0.5f) * scale : (float)at * scale;
    int64_t n = (int64_t)(align_corners ? roundf(place) : floorf(place));
    n = n < in - 1 ? n : in - 1;
    return n > 0 ? n : 0;
}

static int64_t *places(int64_t out, int64_t in, float scale, const weir_resize *r)
{
    int64_t *p = WEIR_NEW_ARRAY(int64_t, out);
    for (int64_t i = 0; i < out; i++)
        p[i] = nearest(i, scale, r->align_corners, r->half_pixel, in);
    return p;
}

typedef struct job {
    weir_resize r;
    const int64_t *ys, *xs;
    size_t pixel; /* bytes */
    const char *in;
    char *out;
} job;

static void copy_rows(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_resize *r = &j->r;
    for (int64_t n = begin; n < end; n++) {
        int64_t row = n / r->out_h * r->in_h + j->ys[n % r->out_h];
        const char *from = j->in + (size_t)(row * r->in_w) * j->pixel;
        char *to = j->out + (size_t)(n * r->out_w) * j->pixel;
        for (int64_t x = 0; x < r->out_w; x++, to += j->pixel)
            memcpy(to, from + (size_t)j->xs[x] * j->pixel, j->pixel);
    }
}

static weir_status resize(weir_call *c)
{
    const weir_tensor *in = weir_in(c, 0);
    job j;
    WEIR_TRY(weir_resize_setup(&in->shape, &weir_out(c, 0)->shape,
                               weir_site_bool(c->site, ALIGN_CORNERS),
                               weir_site_bool(c->site, HALF_PIXEL), &j.r));
    int64_t *ys = places(j.r.out_h, j.r.in_h, j.r.h_scale, &j.r);
    int64_t *xs = places(j.r.out_w, j.r.in_w, j.r.w_scale, &j.r);
    j.ys = ys;
    j.xs = xs;
    j.pixel = (size_t)j.r.channels * weir_dtype_size(in->dtype);
    j.in = in->data;
    j.out = weir_out(c, 0)->data;
    weir_par_for(&c->run->par, j.r.batch * j.r.out_h, 1 + 16384 / (j.r.out_w * j.r.channels + 1),
                 copy_rows, &j);
    weir_free(ys);
    weir_free(xs);
    return WEIR_OK;
}

static weir_status resize_grad_fn(weir_grad *grad)
{
    /* The height and width of the image, as the gradient op wants them. */
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
    .infer = weir_infer_resize,
    .grad = resize_grad_fn,
    .kernels = {{WEIR_CPU, "*", resize}},
};

/* ---- the gradient: each place adds up what showed it ---- */

static weir_status resize_grad(weir_call *c)
{
    const weir_tensor *grads = weir_in(c, 0);
    weir_tensor *out = weir_out(c, 0);
    weir_resize r; /* from the image to what was shown of it */
    WEIR_TRY(weir_resize_setup(&out->shape, &grads->shape, weir_site_bool(c->site, ALIGN_CORNERS),
                               weir_site_bool(c->site, HALF_PIXEL), &r));
    int64_t *ys = places(r.out_h, r.in_h, r.h_scale, &r);
    int64_t *xs = places(r.out_w, r.in_w, r.w_scale, &r);
    size_t pixel = (size_t)r.channels * weir_dtype_size(out->dtype);
    weir_update_fn add = weir_update_find(WEIR_UPDATE_ADD, weir_elem_of(out->dtype));
    memset(out->data, 0, weir_tensor_bytes(out));
    const char *from = grads->data;
    for (int64_t n = 0; n < r.batch; n++)
        for (int64_t y = 0; y < r.out_h; y++)
            for (int64_t x = 0; x < r.out_w; x++, from += pixel) {
                int64_t at = (n * r.in_h + ys[y]) * r.in_w + xs[x];
                add((char *)out->data + (size_t)at * pixel, from, r.channels, 1);
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
    .infer = weir_infer_resize,
    .kernels = {{WEIR_CPU, "*", resize_grad}},
};
