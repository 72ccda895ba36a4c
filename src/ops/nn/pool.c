/* ops/nn/pool.c - plans pools. */
#include "ops/nn/pool.h"
#include "base/arith.h"

#include <inttypes.h>

#include "ops/common/elem_of.h"

static weir_status check_attrs(const weir_site *site, const weir_slide *slide)
{
    if (slide->size[0] != 1 || slide->stride[0] != 1)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "Pooling is not yet supported on the batch dimension.");
    return weir_slide_check(site, slide);
}

/* A window along channels must tile them, and have size 1 along all other dimensions. */
static weir_status check_channels(const weir_slide *slide, int64_t channels)
{
    int channel = weir_format_channel(slide->format);
    for (int d = 0; d < slide->format.spatial; d++)
        if (slide->size[weir_format_space(slide->format, d)] != 1)
            return weir_error(WEIR_UNIMPLEMENTED,
                              "MaxPooling supports exactly one of pooling across depth or pooling "
                              "across width/height.");
    if (channels >= 0 && channels % slide->size[channel])
        return weir_error(WEIR_UNIMPLEMENTED, "Depthwise max pooling requires the depth window to "
                                              "evenly divide the input depth");
    if (slide->stride[channel] != slide->size[channel])
        return weir_error(WEIR_UNIMPLEMENTED, "Depthwise max pooling requires the depth window to "
                                              "equal the depth stride");
    return WEIR_OK;
}

static weir_status check_padding(const weir_slide *slide, int dim)
{
    if (slide->before[dim] >= slide->size[dim] || slide->after[dim] >= slide->size[dim])
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Padding %" PRId64 ", %" PRId64
                          " of dimension %d needs to be smaller than "
                          "the window size %" PRId64,
                          slide->before[dim], slide->after[dim], dim, slide->size[dim]);
    return WEIR_OK;
}

static void plan_along_channels(weir_pool_plan *plan)
{
    weir_window *window = &plan->window;
    int64_t size = plan->slide.size[weir_format_channel(plan->slide.format)];
    for (int axis = 0; axis < 3; axis++)
        window->batch *= window->in[axis];
    *window = (weir_window){.batch = window->batch,
                            .channels = 1,
                            .in = {1, 1, window->channels},
                            .out = {1, 1, window->channels / size},
                            .size = {1, 1, size},
                            .stride = {1, 1, size}};
}

static weir_status plan_channels(int64_t channels, weir_pool_plan *plan)
{
    int64_t stride = plan->slide.stride[weir_format_channel(plan->slide.format)];
    int64_t *out = &plan->out.dims[weir_format_channel(plan->slide.format)];
    if (plan->slide.building) {
        *out = channels < 0 || stride <= 0 ? -1 : weir_ceil_div(channels, stride);
        return WEIR_OK;
    }
    WEIR_TRY(check_channels(&plan->slide, channels));
    *out = channels / stride;
    plan_along_channels(plan);
    return WEIR_OK;
}

static weir_status plan_space(const weir_shape *in, weir_pool_plan *plan)
{
    weir_format format = plan->slide.format;
    for (int axis = 0; axis < 3; axis++)
        plan->window.in[axis] = plan->window.out[axis] = plan->window.size[axis] =
            plan->window.stride[axis] = 1;
    for (int d = 0; d < format.spatial; d++) {
        int at = weir_format_space(format, d), to = 3 - format.spatial + d;
        plan->window.in[to] = in->dims[at];
        plan->window.size[to] = plan->slide.size[at];
        plan->window.stride[to] = plan->slide.stride[at];
        if (!plan->slide.building)
            WEIR_TRY(check_padding(&plan->slide, at));
        WEIR_TRY(weir_slide_dim(&plan->slide, at, in->dims[at], plan->slide.size[at],
                                &plan->window.out[to], &plan->window.pad[to]));
        plan->out.dims[at] = plan->window.out[to];
    }
    return WEIR_OK;
}

weir_status weir_pool_plan_make(const weir_site *site, bool building, const weir_shape *in,
                                const int64_t *ksize, const int64_t *strides,
                                weir_pool_plan *out_plan)
{
    weir_pool_plan plan = {0};
    WEIR_TRY(weir_slide_read(site, building, &plan.slide));
    weir_format format = plan.slide.format;
    int rank = weir_format_rank(format), channel = weir_format_channel(format);
    for (int axis = 0; ksize && axis < rank; axis++) {
        plan.slide.size[axis] = ksize[axis];
        plan.slide.stride[axis] = strides[axis];
    }
    if (!building)
        WEIR_TRY(check_attrs(site, &plan.slide));
    if (in->rank >= 0 && in->rank != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank %d but is rank %d", rank,
                          in->rank);
    weir_shape unknown = {.rank = rank, .dims = {-1, -1, -1, -1, -1}};
    const weir_shape *shape = in->rank < 0 ? &unknown : in;
    plan.out.rank = rank;
    plan.out.dims[0] = plan.window.batch = shape->dims[0];
    plan.window.channels = shape->dims[channel];
    WEIR_TRY(plan_space(shape, &plan));
    plan.out.dims[channel] = shape->dims[channel];
    if (plan.slide.size[channel] != 1 || (building && plan.slide.stride[channel] != 1))
        WEIR_TRY(plan_channels(shape->dims[channel], &plan));
    plan.transposed = !format.last;
    *out_plan = plan;
    return WEIR_OK;
}

static weir_status read_values(const weir_site *site, const weir_tensor *tensor, int64_t out[5])
{
    int64_t count;
    int at = weir_opdef_attr(site->def, "data_format");
    int rank = at < 0 ? 4 : weir_format_rank(weir_format_of(weir_site_str(site, at)));
    if (weir_tensor_count(tensor) != rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Sliding window ksize and stride must specify %d dimensions, but have %s",
                          rank, WEIR_SHAPE_STR(&tensor->shape));
    return weir_tensor_get_ints(tensor, out, 5, &count);
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

weir_status weir_pool_infer_plan(weir_infer *infer, const weir_shape *in, int first,
                                 bool *out_known, weir_pool_plan *out_plan)
{
    int64_t ksize[5], strides[5];
    *out_known = true;
    if (first >= 0) {
        const weir_tensor *k = weir_infer_value(infer, first),
                          *s = weir_infer_value(infer, first + 1);
        *out_known = k && s;
        if (!*out_known)
            return WEIR_OK;
        WEIR_TRY(read_values(infer->site, k, ksize));
        WEIR_TRY(read_values(infer->site, s, strides));
    }
    return weir_pool_plan_make(infer->site, weir_infer_building(infer), in,
                               first >= 0 ? ksize : NULL, strides, out_plan);
}

weir_status weir_pool_operand(const weir_pool_plan *plan, const weir_tensor *tensor,
                              weir_tensor *out_tensor)
{
    if (plan->transposed)
        return weir_to_channels_last(tensor, out_tensor);
    *out_tensor = weir_tensor_share(tensor);
    return WEIR_OK;
}
