/* ops/nn/conv.c - geometry, shape inference and kernels shared by all convolutions. */
#include "ops/nn/conv.h"

#include <inttypes.h>

#include "ops/common/elem_of.h"

static weir_status check_rank(const char *what, const weir_shape *shape, int rank)
{
    if (shape->rank < 0 || shape->rank == rank)
        return WEIR_OK;
    return weir_error(WEIR_INVALID_ARGUMENT, "%s must be %d-dimensional: %s", what, rank,
                      WEIR_SHAPE_STR(shape));
}

static int64_t dim(const weir_shape *shape, int axis)
{
    return shape->rank < 0 ? -1 : shape->dims[axis];
}

static weir_status check_attrs(const weir_site *site, const weir_slide *slide)
{
    int channel = weir_format_channel(slide->format);
    bool strides = slide->stride[0] != 1 || slide->stride[channel] != 1;
    if (!strides && slide->dilation[0] == 1 && slide->dilation[channel] == 1)
        return weir_slide_check(site, slide);
    /* The gradient of the filter uses another error code than the other passes. */
    bool filter = strcmp(site->def->in[1].name, "filter_sizes") == 0;
    return weir_error(filter ? WEIR_INVALID_ARGUMENT : WEIR_UNIMPLEMENTED,
                      "Current implementation does not yet support %s in the batch and depth "
                      "dimensions.",
                      strides ? "strides" : "dilations");
}

static weir_status check_channels(int64_t in_c, int64_t filter_c, int64_t out_c)
{
    if (in_c < 0 || filter_c < 0)
        return WEIR_OK;
    if (filter_c == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Depth of filter must not be 0");
    if (in_c % filter_c)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Depth of input (%" PRId64 ") is not a multiple of input depth of filter "
                          "(%" PRId64 ")",
                          in_c, filter_c);
    int64_t groups = in_c / filter_c;
    if (groups > 1 && out_c >= 0 && out_c % groups)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Depth of output (%" PRId64 ") is not a multiple of the number of groups "
                          "(%" PRId64 ")",
                          out_c, groups);
    return WEIR_OK;
}

static weir_status plan_channels(const weir_shape *in, const weir_shape *filter, bool depthwise,
                                 weir_conv_plan *plan)
{
    int n = plan->slide.format.spatial, channel = weir_format_channel(plan->slide.format);
    plan->conv.in_c = dim(in, channel);
    plan->conv.filter_c = dim(filter, n);
    plan->conv.out_c = dim(filter, n + 1);
    if (!depthwise)
        return check_channels(plan->conv.in_c, plan->conv.filter_c, plan->conv.out_c);
    int64_t channels;
    WEIR_TRY(weir_infer_merge_dim(plan->conv.in_c, plan->conv.filter_c, &channels));
    plan->conv.in_c = channels;
    plan->conv.out_c = channels < 0 || plan->conv.out_c < 0 ? -1 : channels * plan->conv.out_c;
    return WEIR_OK;
}

weir_status weir_conv_plan_make(const weir_site *site, bool building, const weir_shape *in,
                                const weir_shape *filter, bool depthwise, weir_conv_plan *out_plan)
{
    weir_conv_plan plan = {.in = *in};
    WEIR_TRY(weir_slide_read(site, building, &plan.slide));
    if (!building)
        WEIR_TRY(check_attrs(site, &plan.slide));
    weir_format format = plan.slide.format;
    int count = format.spatial, channel = weir_format_channel(format);
    WEIR_TRY(check_rank("input", in, count + 2));
    WEIR_TRY(check_rank("filter", filter, count + 2));
    WEIR_TRY(plan_channels(in, filter, depthwise, &plan));
    plan.out.rank = count + 2;
    plan.out.dims[0] = plan.conv.batch = dim(in, 0);
    plan.out.dims[channel] = plan.conv.out_c;
    for (int axis = 0; axis < 3; axis++)
        plan.conv.in[axis] = plan.conv.out[axis] = plan.conv.taps[axis] = plan.conv.stride[axis] =
            plan.conv.dilation[axis] = 1;
    for (int d = 0; d < count; d++) {
        int at = weir_format_space(format, d), to = 3 - count + d;
        plan.conv.in[to] = dim(in, at);
        plan.conv.taps[to] = dim(filter, d);
        plan.conv.stride[to] = plan.slide.stride[at];
        plan.conv.dilation[to] = plan.slide.dilation[at];
        WEIR_TRY(weir_slide_dim(&plan.slide, at, plan.conv.in[to], plan.conv.taps[to],
                                &plan.conv.out[to], &plan.conv.pad[to]));
        plan.out.dims[at] = plan.conv.out[to];
    }
    *out_plan = plan;
    return WEIR_OK;
}

weir_status weir_conv_input_sizes(const weir_site *site, const weir_shape *sizes,
                                  const weir_shape *dy, const weir_shape *filter, bool depthwise,
                                  weir_shape *out_shape)
{
    weir_slide slide;
    WEIR_TRY(weir_slide_read(site, true, &slide));
    int rank = weir_format_rank(slide.format), channel = weir_format_channel(slide.format);
    if (sizes->rank == rank) {
        *out_shape = *sizes;
    } else if (sizes->rank < 0) {
        out_shape->rank = rank;
        for (int axis = 0; axis < rank; axis++)
            out_shape->dims[axis] = -1;
    } else if (sizes->rank == 2 && rank == 4 && !depthwise) {
        out_shape->rank = rank;
        out_shape->dims[0] = dim(dy, 0);
        out_shape->dims[channel] = dim(filter, 2);
        for (int axis = 0; axis < 2; axis++)
            out_shape->dims[weir_format_space(slide.format, axis)] = sizes->dims[axis];
    } else {
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s requires input_sizes to contain %d values or 2 values, but got: %d",
                          site->def->name, rank, sizes->rank);
    }
    return WEIR_OK;
}

/* ---- inference ------------------------------------------------------------------------------- */

weir_status weir_conv_infer(weir_infer *infer, bool depthwise)
{
    weir_conv_plan plan;
    WEIR_TRY(weir_conv_plan_make(infer->site, weir_infer_building(infer), infer->in[0],
                                 infer->in[1], depthwise, &plan));
    infer->out[0] = plan.out;
    return WEIR_OK;
}

weir_status weir_conv_infer_grad_x(weir_infer *infer, bool depthwise)
{
    weir_shape sizes;
    WEIR_TRY(weir_infer_value_as_shape(infer, 0, &sizes));
    return weir_conv_input_sizes(infer->site, &sizes, infer->in[2], infer->in[1], depthwise,
                                 &infer->out[0]);
}

weir_status weir_conv_infer_grad_w(weir_infer *infer)
{
    weir_slide slide;
    WEIR_TRY(weir_slide_read(infer->site, true, &slide));
    return weir_infer_image_sizes(infer, 1, weir_format_rank(slide.format), &infer->out[0]);
}

/* ---- running --------------------------------------------------------------------------------- */

static void run_pass(const weir_par *par, const weir_conv *conv, weir_conv_pass pass,
                     bool depthwise, void *image, void *filter, void *signal)
{
    switch (pass) {
    case WEIR_CONV_FORWARD:
        (depthwise ? weir_depthwise_forward : weir_conv_forward)(par, conv, image, filter, signal);
        return;
    case WEIR_CONV_GRAD_X:
        (depthwise ? weir_depthwise_grad_x : weir_conv_grad_x)(par, conv, signal, filter, image);
        return;
    case WEIR_CONV_GRAD_W:
        (depthwise ? weir_depthwise_grad_w : weir_conv_grad_w)(par, conv, image, signal, filter);
    }
}

/* Runs with channels last: transposes operands before, the result after. */
static weir_status run_transposed(const weir_par *par, const weir_conv *conv, weir_conv_pass pass,
                                  bool depthwise, weir_tensor *image, weir_tensor *filter,
                                  weir_tensor *signal)
{
    weir_tensor x = {0}, y = {0};
    weir_status status = weir_to_channels_last(image, &x);
    if (!status)
        status = weir_to_channels_last(signal, &y);
    if (!status)
        run_pass(par, conv, pass, depthwise, x.data, filter->data, y.data);
    if (!status && pass == WEIR_CONV_FORWARD)
        weir_from_channels_last(&y, signal);
    if (!status && pass == WEIR_CONV_GRAD_X)
        weir_from_channels_last(&x, image);
    weir_tensor_release(&x);
    weir_tensor_release(&y);
    return status;
}

weir_status weir_conv_plan_run(const weir_par *par, const weir_conv_plan *plan, weir_conv_pass pass,
                               bool depthwise, weir_tensor *image, weir_tensor *filter,
                               weir_tensor *signal)
{
    weir_conv conv = plan->conv;
    conv.elem = weir_elem_of(image->dtype);
    weir_tensor *result = pass == WEIR_CONV_FORWARD  ? signal
                          : pass == WEIR_CONV_GRAD_X ? image
                                                     : filter;
    if (weir_tensor_count(result) == 0)
        return WEIR_OK;
    if (!weir_tensor_count(image) || !weir_tensor_count(filter) || !weir_tensor_count(signal)) {
        memset(result->data, 0, weir_tensor_bytes(result));
        return WEIR_OK;
    }
    if (!plan->slide.format.last)
        return run_transposed(par, &conv, pass, depthwise, image, filter, signal);
    run_pass(par, &conv, pass, depthwise, image->data, filter->data, signal->data);
    return WEIR_OK;
}

weir_status weir_conv_kernel(weir_call *call, bool depthwise)
{
    weir_conv_plan plan;
    weir_tensor *x = &call->in[0].tensor, *w = &call->in[1].tensor;
    WEIR_TRY(weir_conv_plan_make(call->site, false, &x->shape, &w->shape, depthwise, &plan));
    if (weir_tensor_count(w) == 0 && weir_tensor_count(weir_out(call, 0)) > 0 && !depthwise)
        return weir_error(WEIR_INVALID_ARGUMENT, "filter must not have zero elements (i.e. all "
                                                 "dimensions must be non-zero)");
    return weir_conv_plan_run(&call->run->par, &plan, WEIR_CONV_FORWARD, depthwise, x, w,
                              weir_out(call, 0));
}

/* The gradient must have the output shape of the forward op. */
static weir_status check_signal(const weir_site *site, const weir_conv_plan *plan,
                                const weir_shape *dy)
{
    WEIR_TRY(check_rank("out_backprop", dy, plan->out.rank));
    for (int axis = 0; axis < dy->rank; axis++)
        if (dy->dims[axis] != plan->out.dims[axis])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s: Size of out_backprop doesn't match computed: actual = %" PRId64
                              ", computed = %" PRId64
                              " dimension: %d out_backprop: %s computed: %s",
                              site->def->name, dy->dims[axis], plan->out.dims[axis], axis,
                              WEIR_SHAPE_STR(dy), WEIR_SHAPE_STR(&plan->out));
    return WEIR_OK;
}

weir_status weir_conv_kernel_grad_x(weir_call *call, bool depthwise)
{
    weir_conv_plan plan;
    weir_tensor *w = &call->in[1].tensor, *dy = &call->in[2].tensor, *dx = weir_out(call, 0);
    WEIR_TRY(weir_conv_plan_make(call->site, false, &dx->shape, &w->shape, depthwise, &plan));
    WEIR_TRY(check_signal(call->site, &plan, &dy->shape));
    return weir_conv_plan_run(&call->run->par, &plan, WEIR_CONV_GRAD_X, depthwise, dx, w, dy);
}

weir_status weir_conv_kernel_grad_w(weir_call *call, bool depthwise)
{
    weir_conv_plan plan;
    weir_tensor *x = &call->in[0].tensor, *dy = &call->in[2].tensor, *dw = weir_out(call, 0);
    WEIR_TRY(weir_conv_plan_make(call->site, false, &x->shape, &dw->shape, depthwise, &plan));
    WEIR_TRY(check_signal(call->site, &plan, &dy->shape));
    return weir_conv_plan_run(&call->run->par, &plan, WEIR_CONV_GRAD_W, depthwise, x, dw, dy);
}
