/* ops/nn/pool.c - planning pools. */
#include "ops/nn/pool.h"

#include <inttypes.h>

#include "ops/common/elem_of.h"

static weir_status check_attrs(const weir_site *site, const weir_slide *s)
{
    if (s->size[0] != 1 || s->stride[0] != 1)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Pooling is not yet supported on the batch dimension.");
    return weir_slide_check(site, s);
}

/* A window that moves along channels must tile them, and do nothing else. */
static weir_status check_channels(const weir_slide *s, int64_t channels)
{
    int channel = weir_format_channel(s->format);
    for (int d = 0; d < s->format.spatial; d++)
        if (s->size[weir_format_space(s->format, d)] != 1)
            return weir_error(WEIR_UNIMPLEMENTED,
                              "MaxPooling supports exactly one of pooling across depth or pooling "
                              "across width/height.");
    if (channels >= 0 && channels % s->size[channel])
        return weir_error(WEIR_UNIMPLEMENTED, "Depthwise max pooling requires the depth window to "
                                              "evenly divide the input depth");
    if (s->stride[channel] != s->size[channel])
        return weir_error(WEIR_UNIMPLEMENTED, "Depthwise max pooling requires the depth window to "
                                              "equal the depth stride");
    return WEIR_OK;
}

static weir_status check_padding(const weir_slide *s, int dim)
{
    if (s->before[dim] >= s->size[dim] || s->after[dim] >= s->size[dim])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Padding %" PRId64 ", %" PRId64
                          " of dimension %d needs to be smaller than "
                          "the window size %" PRId64,
                          s->before[dim], s->after[dim], dim, s->size[dim]);
    return WEIR_OK;
}

static void plan_along_channels(weir_pool_plan *p)
{
    weir_window *w = &p->window;
    int64_t size = p->slide.size[weir_format_channel(p->slide.format)];
    for (int d = 0; d < 3; d++)
        w->batch *= w->in[d];
    *w = (weir_window){.batch = w->batch,
                       .channels = 1,
                       .in = {1, 1, w->channels},
                       .out = {1, 1, w->channels / size},
                       .size = {1, 1, size},
                       .stride = {1, 1, size}};
}

static weir_status plan_channels(int64_t channels, weir_pool_plan *p)
{
    int64_t stride = p->slide.stride[weir_format_channel(p->slide.format)];
    int64_t *out = &p->out.dims[weir_format_channel(p->slide.format)];
    if (p->slide.building) {
        *out = channels < 0 || stride <= 0 ? -1 : (channels + stride - 1) / stride;
        return WEIR_OK;
    }
    WEIR_TRY(check_channels(&p->slide, channels));
    *out = channels / stride;
    plan_along_channels(p);
    return WEIR_OK;
}

static weir_status plan_space(const weir_shape *in, weir_pool_plan *p)
{
    weir_format f = p->slide.format;
    for (int d = 0; d < 3; d++)
        p->window.in[d] = p->window.out[d] = p->window.size[d] = p->window.stride[d] = 1;
    for (int d = 0; d < f.spatial; d++) {
        int at = weir_format_space(f, d), to = 3 - f.spatial + d;
        p->window.in[to] = in->dims[at];
        p->window.size[to] = p->slide.size[at];
        p->window.stride[to] = p->slide.stride[at];
        if (!p->slide.building)
            WEIR_TRY(check_padding(&p->slide, at));
        WEIR_TRY(weir_slide_dim(&p->slide, at, in->dims[at], p->slide.size[at], &p->window.out[to],
                                &p->window.pad[to]));
        p->out.dims[at] = p->window.out[to];
    }
    return WEIR_OK;
}

weir_status weir_pool_plan_make(const weir_site *site, bool building, const weir_shape *in,
                                const int64_t *ksize, const int64_t *strides,
                                weir_pool_plan *out_plan)
{
    weir_pool_plan p = {0};
    WEIR_TRY(weir_slide_read(site, building, &p.slide));
    weir_format f = p.slide.format;
    int rank = weir_format_rank(f), channel = weir_format_channel(f);
    for (int d = 0; ksize && d < rank; d++) {
        p.slide.size[d] = ksize[d];
        p.slide.stride[d] = strides[d];
    }
    if (!building)
        WEIR_TRY(check_attrs(site, &p.slide));
    if (in->rank >= 0 && in->rank != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank %d but is rank %d", rank,
                          in->rank);
    weir_shape unknown = {.rank = rank, .dims = {-1, -1, -1, -1, -1}};
    const weir_shape *s = in->rank < 0 ? &unknown : in;
    p.out.rank = rank;
    p.out.dims[0] = p.window.batch = s->dims[0];
    p.window.channels = s->dims[channel];
    WEIR_TRY(plan_space(s, &p));
    p.out.dims[channel] = s->dims[channel];
    if (p.slide.size[channel] != 1 || (building && p.slide.stride[channel] != 1))
        WEIR_TRY(plan_channels(s->dims[channel], &p));
    p.turned = !f.last;
    *out_plan = p;
    return WEIR_OK;
}

static weir_status read_values(const weir_site *site, const weir_tensor *t, int64_t out[5])
{
    int64_t count;
    int at = weir_opdef_attr(site->def, "data_format");
    int rank = at < 0 ? 4 : weir_format_rank(weir_format_of(weir_site_str(site, at)));
    if (weir_tensor_count(t) != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Sliding window ksize and stride must specify %d dimensions, but have %s",
                          rank, WEIR_SHAPE_STR(&t->shape));
    return weir_tensor_get_ints(t, out, 5, &count);
}

weir_status weir_pool_plan_of_call(const weir_call *call, const weir_shape *in, int first,
                                   weir_pool_plan *out_plan)
{
    int64_t ksize[5], strides[5];
    if (first >= 0) {
        WEIR_TRY(read_values(call->site, weir_in(call, first), ksize));
        WEIR_TRY(read_values(call->site, weir_in(call, first + 1), strides));
    }
    WEIR_TRY(
        weir_pool_plan_make(call->site, false, in, first >= 0 ? ksize : NULL, strides, out_plan));
    out_plan->window.elem = weir_stored_elem_of(call->in[0].tensor.dtype);
    return WEIR_OK;
}

weir_status weir_pool_infer_plan(weir_infer *i, const weir_shape *in, int first, bool *out_known,
                                 weir_pool_plan *out_plan)
{
    int64_t ksize[5], strides[5];
    *out_known = true;
    if (first >= 0) {
        const weir_tensor *k = weir_infer_value(i, first), *s = weir_infer_value(i, first + 1);
        *out_known = k && s;
        if (!*out_known)
            return WEIR_OK;
        WEIR_TRY(read_values(i->site, k, ksize));
        WEIR_TRY(read_values(i->site, s, strides));
    }
    return weir_pool_plan_make(i->site, weir_infer_building(i), in, first >= 0 ? ksize : NULL,
                               strides, out_plan);
}

weir_status weir_pool_operand(const weir_pool_plan *p, const weir_tensor *t,
                              weir_tensor *out_tensor)
{
    if (p->turned)
        return weir_to_channels_last(t, out_tensor);
    *out_tensor = weir_tensor_share(t);
    return WEIR_OK;
}
