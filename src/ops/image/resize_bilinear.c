/* ops/image/resize_bilinear.c - ResizeBilinear and its gradient. */
#include <math.h>

#include "grad/grad.h"
#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS, HALF_PIXEL };

/* Between which two input places an output place lies, and how far from the first. */
typedef struct between {
    int64_t low, high;
    float weight; /* of high */
} between;

static between *places(int64_t out, int64_t in, float scale, bool half_pixel)
{
    between *b = WEIR_NEW_ARRAY(between, out);
    for (int64_t i = 0; i < out; i++) {
        float at = weir_resize_place(i, scale, half_pixel), floor_at = floorf(at);
        int64_t low = (int64_t)floor_at;
        b[i].low = low < 0 ? 0 : low;
        b[i].high = low + 1 < in ? low + 1 : in - 1;
        if (b[i].low > b[i].high)
            b[i].low = b[i].high;
        b[i].weight = at - floor_at;
    }
    return b;
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
    const job *j = ctx;
    const weir_resize *r = &j->r;
    int64_t in_row = r->in_w * r->channels, out_row = r->out_w * r->channels;
    for (int64_t n = begin; n < end; n++) {
        const between *y = &j->ys[n % r->out_h];
        const float *image = j->in + n / r->out_h * r->in_h * in_row;
        const float *top = image + y->low * in_row, *bottom = image + y->high * in_row;
        float *out = j->out + n * out_row;
        for (int64_t x = 0; x < r->out_w; x++) {
            int64_t left = j->xs[x].low * r->channels, right = j->xs[x].high * r->channels;
            for (int64_t c = 0; c < r->channels; c++, out++) {
                float above = top[left + c] + (top[right + c] - top[left + c]) * j->xs[x].weight;
                float below =
                    bottom[left + c] + (bottom[right + c] - bottom[left + c]) * j->xs[x].weight;
                *out = above + (below - above) * y->weight;
            }
        }
    }
}

static weir_status resize(weir_call *c)
{
    job j;
    weir_tensor in;
    WEIR_TRY(weir_resize_setup(&weir_in(c, 0)->shape, &weir_out(c, 0)->shape,
                               weir_site_bool(c->site, ALIGN_CORNERS),
                               weir_site_bool(c->site, HALF_PIXEL), &j.r));
    WEIR_TRY(weir_image_as_float(c, weir_in(c, 0), &in));
    between *ys = places(j.r.out_h, j.r.in_h, j.r.h_scale, j.r.half_pixel);
    between *xs = places(j.r.out_w, j.r.in_w, j.r.w_scale, j.r.half_pixel);
    j.ys = ys;
    j.xs = xs;
    j.in = in.data;
    j.out = weir_out(c, 0)->data;
    int64_t row = j.r.out_w * j.r.channels;
    weir_par_for(&c->run->par, j.r.batch * j.r.out_h, 1 + 16384 / (row + 1), resize_rows, &j);
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
    .infer = weir_infer_resize,
    .grad = resize_grad_fn,
    .kernels = {{WEIR_CPU, "*", resize}},
};

/* ---- the gradient: each output place gives back to the four it came from ---- */

static void spread(const job *j, const float *grads, int64_t n, int64_t y, double *out)
{
    const weir_resize *r = &j->r;
    int64_t row = r->in_w * r->channels;
    const between *by = &j->ys[y];
    double *top = out + (n * r->in_h + by->low) * row;
    double *bottom = out + (n * r->in_h + by->high) * row;
    for (int64_t x = 0; x < r->out_w; x++) {
        const between *bx = &j->xs[x];
        int64_t left = bx->low * r->channels, right = bx->high * r->channels;
        for (int64_t c = 0; c < r->channels; c++, grads++) {
            float up = *grads * (1.0f - by->weight), down = *grads * by->weight;
            top[left + c] += up * (1.0f - bx->weight);
            top[right + c] += up * bx->weight;
            bottom[left + c] += down * (1.0f - bx->weight);
            bottom[right + c] += down * bx->weight;
        }
    }
}

static void spread_images(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    int64_t row = j->r.out_w * j->r.channels;
    for (int64_t n = begin; n < end; n++)
        for (int64_t y = 0; y < j->r.out_h; y++)
            spread(j, j->in + (n * j->r.out_h + y) * row, n, y, j->sums);
}

static weir_status resize_grad(weir_call *c)
{
    job j;
    weir_tensor room, *out = weir_out(c, 0);
    WEIR_TRY(weir_resize_setup(&out->shape, &weir_in(c, 0)->shape,
                               weir_site_bool(c->site, ALIGN_CORNERS),
                               weir_site_bool(c->site, HALF_PIXEL), &j.r));
    const weir_shape *grads = &weir_in(c, 0)->shape;
    if (grads->dims[0] != out->shape.dims[0] || grads->dims[3] != out->shape.dims[3])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "gradients %s and image %s differ in batch or channels",
                          WEIR_SHAPE_STR(grads), WEIR_SHAPE_STR(&out->shape));
    WEIR_TRY(weir_image_sums(out, &room));
    between *ys = places(j.r.out_h, j.r.in_h, j.r.h_scale, j.r.half_pixel);
    between *xs = places(j.r.out_w, j.r.in_w, j.r.w_scale, j.r.half_pixel);
    j.ys = ys;
    j.xs = xs;
    j.in = weir_in(c, 0)->data;
    j.sums = room.data;
    weir_par_for(&c->run->par, j.r.batch, 1, spread_images, &j);
    weir_image_put(c, &room, out);
    weir_free(ys);
    weir_free(xs);
    weir_tensor_release(&room);
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
