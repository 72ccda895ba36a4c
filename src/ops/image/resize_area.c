/* ops/image/resize_area.c - ResizeArea: each output place is the mean of the area it covers. */
#include <math.h>

#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS };

/* The input places that an output place covers, and how much of each. */
typedef struct cover {
    int64_t first, count;
    float start, end;
} cover;

static cover cover_of(int64_t at, float scale)
{
    cover k = {.start = (float)at * scale, .end = (float)(at + 1) * scale};
    k.first = (int64_t)floorf(k.start);
    k.count = (int64_t)ceilf(k.end) - k.first;
    return k;
}

static float share(const cover *k, int64_t i, float scale)
{
    float place = (float)(k->first + i);
    if (place < k->start)
        return place + 1 > k->end ? scale : place + 1 - k->start;
    return place + 1 > k->end ? k->end - place : 1.0f;
}

static int64_t clamp(int64_t i, int64_t limit)
{
    return i < 0 ? 0 : i < limit ? i : limit - 1;
}

typedef struct job {
    weir_resize r;
    const float *in;
    float *out;
} job;

static void average(const job *j, const float *image, const cover *y, const cover *x, float *out)
{
    const weir_resize *r = &j->r;
    float area = 1.0f / (r->h_scale * r->w_scale);
    for (int64_t c = 0; c < r->channels; c++) {
        float sum = 0;
        for (int64_t i = 0; i < y->count; i++) {
            float down = share(y, i, r->h_scale);
            const float *row = image + clamp(y->first + i, r->in_h) * r->in_w * r->channels + c;
            for (int64_t k = 0; k < x->count; k++)
                sum += row[clamp(x->first + k, r->in_w) * r->channels] * down *
                       share(x, k, r->w_scale);
        }
        out[c] = sum * area;
    }
}

static void resize_rows(void *ctx, int64_t begin, int64_t end)
{
    const job *j = ctx;
    const weir_resize *r = &j->r;
    for (int64_t n = begin; n < end; n++) {
        cover y = cover_of(n % r->out_h, r->h_scale);
        const float *image = j->in + n / r->out_h * r->in_h * r->in_w * r->channels;
        for (int64_t at = 0; at < r->out_w; at++) {
            cover x = cover_of(at, r->w_scale);
            average(j, image, &y, &x, j->out + (n * r->out_w + at) * r->channels);
        }
    }
}

static weir_status resize(weir_call *c)
{
    job j;
    weir_tensor in;
    WEIR_TRY(weir_resize_setup(&weir_in(c, 0)->shape, &weir_out(c, 0)->shape,
                               weir_site_bool(c->site, ALIGN_CORNERS), false, &j.r));
    WEIR_TRY(weir_image_as_float(c, weir_in(c, 0), &in));
    j.in = in.data;
    j.out = weir_out(c, 0)->data;
    weir_par_for(&c->run->par, j.r.batch * j.r.out_h, 1, resize_rows, &j);
    weir_tensor_release(&in);
    return WEIR_OK;
}

const weir_op weir_op_resize_area = {
    .name = "ResizeArea",
    .in = "images: T; size: int32",
    .out = "resized_images: float",
    .attrs = "T: {int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16}; "
             "align_corners: bool = false",
    .infer = weir_infer_resize,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", resize, WEIR_EXPENSIVE}},
};
