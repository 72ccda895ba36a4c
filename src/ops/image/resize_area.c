/* ops/image/resize_area.c - ResizeArea: each output pixel is the mean of the area it covers. */
#include <math.h>

#include "base/arith.h"
#include "ops/image/image_impl.h"

enum { T, ALIGN_CORNERS };

/* The input pixels that an output pixel covers, with their coverage. */
typedef struct cover {
    int64_t first, count;
    float start, end;
} cover;

static cover cover_of(int64_t at, float scale)
{
    cover cover = {.start = (float)at * scale, .end = (float)(at + 1) * scale};
    cover.first = (int64_t)floorf(cover.start);
    cover.count = (int64_t)ceilf(cover.end) - cover.first;
    return cover;
}

static float share(const cover *cover, int64_t i, float scale)
{
    float place = (float)(cover->first + i);
    if (place < cover->start)
        return place + 1 > cover->end ? scale : place + 1 - cover->start;
    return place + 1 > cover->end ? cover->end - place : 1.0f;
}

typedef struct job {
    weir_resize r;
    const float *in;
    float *out;
} job;

static void average(const job *job, const float *image, const cover *vertical,
                    const cover *horizontal, float *out)
{
    const weir_resize *resize = &job->r;
    float area = 1.0f / (resize->h_scale * resize->w_scale);
    for (int64_t channel = 0; channel < resize->channels; channel++) {
        float sum = 0;
        for (int64_t i = 0; i < vertical->count; i++) {
            float down = share(vertical, i, resize->h_scale);
            const float *row = image +
                               weir_clamp(vertical->first + i, 0, resize->in_h - 1) * resize->in_w *
                                   resize->channels +
                               channel;
            for (int64_t k = 0; k < horizontal->count; k++)
                sum +=
                    row[weir_clamp(horizontal->first + k, 0, resize->in_w - 1) * resize->channels] *
                    down * share(horizontal, k, resize->w_scale);
        }
        out[channel] = sum * area;
    }
}

static void resize_rows(void *ctx, int64_t begin, int64_t end)
{
    const job *job = ctx;
    const weir_resize *resize = &job->r;
    for (int64_t n = begin; n < end; n++) {
        cover vertical = cover_of(n % resize->out_h, resize->h_scale);
        const float *image =
            job->in + n / resize->out_h * resize->in_h * resize->in_w * resize->channels;
        for (int64_t at = 0; at < resize->out_w; at++) {
            cover horizontal = cover_of(at, resize->w_scale);
            average(job, image, &vertical, &horizontal,
                    job->out + (n * resize->out_w + at) * resize->channels);
        }
    }
}

static weir_status resize(weir_call *call)
{
    job job;
    weir_tensor in;
    WEIR_TRY(weir_resize_setup(&weir_in(call, 0)->shape, &weir_out(call, 0)->shape,
                               weir_site_bool(call->site, ALIGN_CORNERS), false, &job.r));
    WEIR_TRY(weir_image_as_float(call, weir_in(call, 0), &in));
    job.in = in.data;
    job.out = weir_out(call, 0)->data;
    weir_par_for_long(&call->run->par, job.r.batch * job.r.out_h, 1, resize_rows, &job);
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
