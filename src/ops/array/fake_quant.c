/* ops/array/fake_quant.c - FakeQuantWithMinMaxArgs, Vars, VarsPerChannel and their gradients:
 * rounds floats to the levels of a quantised type. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

/* The quantisation levels, shifted so that zero is one of them. */
typedef struct levels {
    float min, max, scale, inverse; /* a separate division gives TensorFlow's inverse */
    bool none;                      /* min and max are both 0: everything is 0 */
} levels;

static levels make_levels(float min, float max, int64_t num_bits, bool narrow)
{
    float first = narrow, last = (float)((1 << num_bits) - 1);
    levels levels = {.scale = (max - min) / (last - first),
                     .inverse = (last - first) / (max - min),
                     .none = min == 0 && max == 0};
    float zero = first - min / levels.scale;
    float nudged = zero < first ? first : zero > last ? last : roundf(zero);
    levels.min = (first - nudged) * levels.scale;
    levels.max = (last - nudged) * levels.scale;
    return levels;
}

static float quantize(const levels *levels, float x)
{
    if (levels->none)
        return 0;
    float zero = floorf(-levels->min * levels->inverse + 0.5f);
    float inside = x < levels->min ? levels->min : x > levels->max ? levels->max : x;
    return floorf((inside - levels->min) * levels->inverse - zero + 0.5f) * levels->scale;
}

static weir_status check_bits(int64_t num_bits)
{
    if (num_bits < 2 || num_bits > 16)
        return weir_error(WEIR_INVALID_ARGUMENT, "num_bits must be between 2 and 16, inclusive");
    return WEIR_OK;
}

/* Adds the contribution of an element to the gradients of x, min and max. */
static void spread(const levels *levels, float x, float dy, float *dx, float *dmin, float *dmax)
{
    bool inside = levels->none || (x >= levels->min && x <= levels->max);
    *dx = inside ? dy : 0;
    if (!inside && x < levels->min)
        *dmin += dy;
    if (!inside && x > levels->max)
        *dmax += dy;
}

/* ---- limits as attrs ------------------------------------------------------------------------- */

enum { MIN, MAX, NUM_BITS, NARROW };

static weir_status args_levels(const weir_site *site, levels *out)
{
    float min = weir_site_float(site, MIN), max = weir_site_float(site, MAX);
    WEIR_TRY(check_bits(weir_site_int(site, NUM_BITS)));
    if (!(min < max))
        return weir_error(WEIR_INVALID_ARGUMENT, "min has to be smaller than max, was: %g >= %g",
                          (double)min, (double)max);
    *out = make_levels(min, max, weir_site_int(site, NUM_BITS), weir_site_bool(site, NARROW));
    return WEIR_OK;
}

static weir_status args(weir_call *call)
{
    const float *x = weir_in(call, 0)->data;
    float *y = weir_out(call, 0)->data;
    int64_t count = weir_tensor_count(weir_in(call, 0));
    levels levels;
    WEIR_TRY(args_levels(call->site, &levels));
    for (int64_t i = 0; i < count; i++)
        y[i] = quantize(&levels, x[i]);
    return WEIR_OK;
}

static weir_status args_grad_infer(weir_infer *infer)
{
    return weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]);
}

static weir_status args_grad_run(weir_call *call)
{
    const float *dy = weir_in(call, 0)->data, *x = weir_in(call, 1)->data;
    float *dx = weir_out(call, 0)->data, unused = 0;
    int64_t count = weir_tensor_count(weir_in(call, 0));
    levels levels;
    WEIR_TRY(args_levels(call->site, &levels));
    for (int64_t i = 0; i < count; i++)
        spread(&levels, x[i], dy[i], &dx[i], &unused, &unused);
    return WEIR_OK;
}

static weir_status args_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "FakeQuantWithMinMaxArgsGradient",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 0)),
                               WEIR_ATTRS(weir_grad_attr(grad, "min"), weir_grad_attr(grad, "max"),
                                          weir_grad_attr(grad, "num_bits"),
                                          weir_grad_attr(grad, "narrow_range"))));
    return WEIR_OK;
}

#define ARGS_ATTRS                                                                                 \
    "min: float = -6.0; max: float = 6.0; num_bits: int = 8; narrow_range: bool = false"

const weir_op weir_op_fake_quant_with_min_max_args = {
    .name = "FakeQuantWithMinMaxArgs",
    .in = "inputs: float",
    .out = "outputs: float",
    .attrs = ARGS_ATTRS,
    .infer = weir_infer_same_shape,
    .grad = args_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", args}},
};

const weir_op weir_op_fake_quant_with_min_max_args_gradient = {
    .name = "FakeQuantWithMinMaxArgsGradient",
    .in = "gradients: float; inputs: float",
    .out = "backprops: float",
    .attrs = ARGS_ATTRS,
    .infer = args_grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", args_grad_run}},
};

/* ---- limits as inputs: one pair, or one per channel ------------------------------------------ */

enum { VARS_BITS, VARS_NARROW };
enum { ONE_PAIR, PER_CHANNEL }; /* modes */

/* |first| is the input before min; a channel is the last dim. */
static weir_status check_vars(weir_infer *infer, int first)
{
    bool per_channel = weir_site_mode(infer->site) == PER_CHANNEL;
    const weir_shape *x = infer->in[first];
    for (int k = first + 1; k <= first + 2; k++) {
        WEIR_TRY(weir_infer_rank(infer, k, per_channel ? 1 : 0));
        if (!per_channel || x->rank < 1)
            continue;
        int64_t have = weir_infer_dim(infer, k, 0), want = x->dims[x->rank - 1];
        if (have >= 0 && want >= 0 && have != want)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "%s has incorrect size, expected %" PRId64 " was %" PRId64,
                              k == first + 1 ? "min" : "max", want, have);
    }
    if (per_channel && x->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "inputs must have at least one dimension");
    return WEIR_OK;
}

static weir_status vars_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    return check_vars(infer, 0);
}

static weir_status vars_grad_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]));
    bool per_channel = weir_site_mode(infer->site) == PER_CHANNEL;
    infer->out[1] = infer->out[2] =
        per_channel ? weir_shape_vector(weir_infer_dim(infer, 2, 0)) : WEIR_SCALAR;
    return check_vars(infer, 1);
}

/* Levels of channel |c|; |min| is its input. */
static levels vars_levels(weir_call *call, int min, int64_t c)
{
    return make_levels(((const float *)weir_in(call, min)->data)[c],
                       ((const float *)weir_in(call, min + 1)->data)[c],
                       weir_site_int(call->site, VARS_BITS),
                       weir_site_bool(call->site, VARS_NARROW));
}

/* Elements of one channel are |channels| apart. */
static weir_status vars(weir_call *call)
{
    const float *x = weir_in(call, 0)->data;
    float *y = weir_out(call, 0)->data;
    int64_t count = weir_tensor_count(weir_in(call, 0)),
            channels = weir_tensor_count(weir_in(call, 1));
    WEIR_TRY(check_bits(weir_site_int(call->site, VARS_BITS)));
    for (int64_t channel = 0; channel < channels; channel++) {
        levels levels = vars_levels(call, 1, channel);
        for (int64_t i = channel; i < count; i += channels)
            y[i] = quantize(&levels, x[i]);
    }
    return WEIR_OK;
}

static weir_status vars_grad_run(weir_call *call)
{
    const float *dy = weir_in(call, 0)->data, *x = weir_in(call, 1)->data;
    float *dx = weir_out(call, 0)->data, *dmin = weir_out(call, 1)->data;
    float *dmax = weir_out(call, 2)->data;
    int64_t count = weir_tensor_count(weir_in(call, 1)),
            channels = weir_tensor_count(weir_in(call, 2));
    WEIR_TRY(check_bits(weir_site_int(call->site, VARS_BITS)));
    for (int64_t channel = 0; channel < channels; channel++) {
        levels levels = vars_levels(call, 2, channel);
        dmin[channel] = dmax[channel] = 0;
        for (int64_t i = channel; i < count; i += channels)
            spread(&levels, x[i], dy[i], &dx[i], &dmin[channel], &dmax[channel]);
    }
    return WEIR_OK;
}

static weir_status vars_grad(weir_grad *grad)
{
    const char *op = weir_site_mode(weir_grad_site(grad)) == PER_CHANNEL
                         ? "FakeQuantWithMinMaxVarsPerChannelGradient"
                         : "FakeQuantWithMinMaxVarsGradient";
    weir_node *node = weir_grad_node_add(
        grad, op,
        WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 0), weir_grad_x(grad, 1),
                weir_grad_x(grad, 2)),
        WEIR_ATTRS(weir_grad_attr(grad, "num_bits"), weir_grad_attr(grad, "narrow_range")));
    for (int k = 0; node && k < 3; k++)
        weir_grad_set(grad, k, (weir_edge){node, k});
    return WEIR_OK;
}

#define VARS                                                                                       \
    .in = "inputs: float; min: float; max: float", .out = "outputs: float",                        \
    .attrs = "num_bits: int = 8; narrow_range: bool = false", .infer = vars_infer,                 \
    .grad = vars_grad, .kernels = {{WEIR_CPU, "*", vars}}
WEIR_DEFINE_OP(fake_quant_with_min_max_vars, "FakeQuantWithMinMaxVars", VARS, .mode = ONE_PAIR);
WEIR_DEFINE_OP(fake_quant_with_min_max_vars_per_channel, "FakeQuantWithMinMaxVarsPerChannel", VARS,
               .mode = PER_CHANNEL);

#define VARS_GRADIENT                                                                              \
    .in = "gradients: float; inputs: float; min: float; max: float",                               \
    .out = "backprops_wrt_input: float; backprop_wrt_min: float; backprop_wrt_max: float",         \
    .attrs = "num_bits: int = 8; narrow_range: bool = false", .infer = vars_grad_infer,            \
    .no_grad = true, .kernels = {{WEIR_CPU, "*", vars_grad_run}}
WEIR_DEFINE_OP(fake_quant_with_min_max_vars_gradient, "FakeQuantWithMinMaxVarsGradient",
               VARS_GRADIENT, .mode = ONE_PAIR);
WEIR_DEFINE_OP(fake_quant_with_min_max_vars_per_channel_gradient,
               "FakeQuantWithMinMaxVarsPerChannelGradient", VARS_GRADIENT, .mode = PER_CHANNEL);
