/* ops/array/quantize_and_dequantize.c - QuantizeAndDequantize, V2, V3, V4 and V4Grad: rounds values
 * to num_bits levels, symmetric around zero. */
#include <float.h>
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

/* Rounding parameters, for all versions of the op. */
typedef struct options {
    bool is_signed, range_given, narrow, half_up;
    int64_t num_bits;
    int axis; /* -1: per-tensor range */
} options;

static double get(const weir_tensor *tensor, int64_t i)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        return ((const float *)tensor->data)[i];
    case WEIR_DOUBLE:
        return ((const double *)tensor->data)[i];
    case WEIR_HALF:
        return weir_f16_f32(((const uint16_t *)tensor->data)[i]);
    default:
        return weir_bf16_f32(((const uint16_t *)tensor->data)[i]);
    }
}

static void set(weir_tensor *tensor, int64_t i, double value)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        ((float *)tensor->data)[i] = (float)value;
        break;
    case WEIR_DOUBLE:
        ((double *)tensor->data)[i] = value;
        break;
    case WEIR_HALF:
        ((uint16_t *)tensor->data)[i] = weir_f32_f16((float)value);
        break;
    default:
        ((uint16_t *)tensor->data)[i] = weir_f32_bf16((float)value);
    }
}

/* Rounds the value to the type of |tensor|: results follow TensorFlow's arithmetic in that
 * type.
 */
static double as(const weir_tensor *tensor, double value)
{
    switch (tensor->dtype) {
    case WEIR_FLOAT:
        return (float)value;
    case WEIR_DOUBLE:
        return value;
    case WEIR_HALF:
        return weir_f16_f32(weir_f32_f16((float)value));
    default:
        return weir_bf16_f32(weir_f32_bf16((float)value));
    }
}

typedef struct scaling {
    double min, max, scale, inverse;
} scaling;

/* The side of the range that needs the larger step determines the scale; the other is adjusted. */
static scaling make_scaling(const weir_tensor *tensor, const options *options, double min,
                            double max)
{
    double half = ldexp(1, (int)options->num_bits - 1);
    double low = options->is_signed ? -half + options->narrow : 0;
    double high = options->is_signed ? half - 1 : 2 * half - 1;
    double from_min = low * min > 0 ? as(tensor, low / min) : DBL_MAX;
    double from_max = high * max > 0 ? as(tensor, high / max) : DBL_MAX;
    scaling scaling = {min, max, 0, 0};
    if (from_min < from_max) {
        scaling.scale = from_min;
        scaling.inverse = as(tensor, min / low);
        scaling.max = as(tensor, high * scaling.inverse);
    } else {
        scaling.scale = from_max;
        scaling.inverse = as(tensor, max / high);
        scaling.min = as(tensor, low * scaling.inverse);
    }
    return scaling;
}

static double round_as(const options *options, double value)
{
    return options->half_up ? floor(value + 0.5) : nearbyint(value);
}

static double quantize(const weir_tensor *tensor, const options *options, const scaling *scaling,
                       double x)
{
    if (options->range_given)
        x = x < scaling->min ? scaling->min : x > scaling->max ? scaling->max : x;
    return as(tensor, round_as(options, as(tensor, x * scaling->scale)) * scaling->inverse);
}

/* The elements of slice |c| along the axis: |outer| runs of |inner| with stride |dim| * inner. */
typedef struct slices {
    int64_t outer, dim, inner;
} slices;

static slices slices_of(const weir_shape *x, int axis)
{
    if (axis < 0)
        return (slices){1, 1, weir_shape_count(x)};
    return (slices){weir_shape_product(x, 0, axis), x->dims[axis],
                    weir_shape_product(x, axis + 1, x->rank)};
}

static void find_range(const weir_tensor *x, slices slices, int64_t c, double *min, double *max)
{
    bool first = true;
    *min = *max = 0;
    for (int64_t o = 0; o < slices.outer; o++)
        for (int64_t i = 0; i < slices.inner; i++) {
            double value = get(x, (o * slices.dim + c) * slices.inner + i);
            *min = first || value < *min ? value : *min;
            *max = first || value > *max ? value : *max;
            first = false;
        }
}

/* |lows| and |highs| are given ranges, or null. */
static weir_status run_with(weir_call *call, const options *options, const weir_tensor *lows,
                            const weir_tensor *highs)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    if (options->num_bits < 1 || options->num_bits > (options->is_signed ? 62 : 63) ||
        (options->is_signed && options->num_bits < 2))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_bits is out of range: %" PRId64 " with signed_input_ %d",
                          options->num_bits, options->is_signed);
    slices slices = slices_of(&x->shape, options->axis);
    for (int64_t c = 0; c < slices.dim; c++) {
        double min, max;
        if (options->range_given && lows) {
            min = get(lows, weir_tensor_count(lows) > 1 ? c : 0);
            max = get(highs, weir_tensor_count(highs) > 1 ? c : 0);
            if (min > max)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Invalid range: input_min %g > input_max %g", min, max);
        } else {
            find_range(x, slices, c, &min, &max);
        }
        scaling scale = make_scaling(x, options, min, max);
        for (int64_t k = 0; k < slices.outer; k++)
            for (int64_t i = 0; i < slices.inner; i++) {
                int64_t at = (k * slices.dim + c) * slices.inner + i;
                set(y, at, quantize(x, options, &scale, get(x, at)));
            }
    }
    return WEIR_OK;
}

/* ---- inference ------------------------------------------------------------------------------- */

static weir_status check_axis(const weir_site *site, int attr, const weir_shape *x, int *out_axis)
{
    int64_t axis = weir_site_int(site, attr);
    if (axis < -1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Axis should be at least -1. Found: %" PRId64,
                          axis);
    if (x->rank >= 0 && axis >= x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Axis should be less than %d, the rank of the input. Found: %" PRId64,
                          x->rank, axis);
    *out_axis = (int)axis;
    return WEIR_OK;
}

/* Ranges are scalars, or one per slice along the axis. */
static weir_status check_ranges(weir_infer *infer, int first, int axis)
{
    for (int k = first; k < first + 2; k++) {
        WEIR_TRY(weir_infer_rank(infer, k, axis < 0 ? 0 : 1));
        int64_t have = axis < 0 ? -1 : weir_infer_dim(infer, k, 0);
        int64_t want = axis < 0 || infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[axis];
        if (have >= 0 && want >= 0 && have != want)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "input_min/input_max has incorrect size, was %" PRId64
                              " expected %" PRId64,
                              have, want);
    }
    return WEIR_OK;
}

enum { V2_SIGNED, V2_BITS, V2_GIVEN, V2_T, V2_ROUND, V2_NARROW, V2_AXIS };
enum { V3_SIGNED, V3_GIVEN, V3_T, V3_NARROW, V3_AXIS };
enum { V1_SIGNED, V1_BITS, V1_GIVEN, V1_MIN, V1_MAX };
enum { GRAD_T, GRAD_AXIS };

static weir_status v2_infer(weir_infer *infer)
{
    int axis;
    infer->out[0] = *infer->in[0];
    WEIR_TRY(check_axis(infer->site, V2_AXIS, infer->in[0], &axis));
    return check_ranges(infer, 1, axis);
}

static weir_status v3_infer(weir_infer *infer)
{
    int axis;
    infer->out[0] = *infer->in[0];
    WEIR_TRY(check_axis(infer->site, V3_AXIS, infer->in[0], &axis));
    WEIR_TRY(weir_infer_rank(infer, 3, 0));
    return check_ranges(infer, 1, axis);
}

/* ---- the ops --------------------------------------------------------------------------------- */

static weir_status v1(weir_call *call)
{
    const weir_site *site = call->site;
    options options = {.is_signed = weir_site_bool(site, V1_SIGNED),
                       .range_given = weir_site_bool(site, V1_GIVEN),
                       .num_bits = weir_site_int(site, V1_BITS),
                       .axis = -1};
    float range[] = {weir_site_float(site, V1_MIN), weir_site_float(site, V1_MAX)};
    weir_tensor low = {.dtype = WEIR_FLOAT, .data = &range[0]};
    weir_tensor high = {.dtype = WEIR_FLOAT, .data = &range[1]};
    return run_with(call, &options, &low, &high);
}

static weir_status v2(weir_call *call)
{
    const weir_site *site = call->site;
    options options = {.is_signed = weir_site_bool(site, V2_SIGNED),
                       .range_given = weir_site_bool(site, V2_GIVEN),
                       .narrow = weir_site_bool(site, V2_NARROW),
                       .half_up = weir_str_is(weir_site_str(site, V2_ROUND), "HALF_UP"),
                       .num_bits = weir_site_int(site, V2_BITS),
                       .axis = (int)weir_site_int(site, V2_AXIS)};
    return run_with(call, &options, weir_in(call, 1), weir_in(call, 2));
}

static weir_status v3(weir_call *call)
{
    const weir_site *site = call->site;
    options options = {.is_signed = weir_site_bool(site, V3_SIGNED),
                       .range_given = weir_site_bool(site, V3_GIVEN),
                       .narrow = weir_site_bool(site, V3_NARROW),
                       .num_bits = weir_int_at(weir_in(call, 3), 0),
                       .axis = (int)weir_site_int(site, V3_AXIS)};
    return run_with(call, &options, weir_in(call, 1), weir_in(call, 2));
}

static weir_status v4_grad(weir_grad *grad)
{
    weir_node *node = weir_grad_node_add(grad, "QuantizeAndDequantizeV4Grad",
                                         WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 0),
                                                 weir_grad_x(grad, 1), weir_grad_x(grad, 2)),
                                         WEIR_ATTRS(weir_grad_attr(grad, "axis")));
    for (int k = 0; node && k < 3; k++)
        weir_grad_set(grad, k, (weir_edge){node, k});
    return WEIR_OK;
}

static weir_status v4_grad_infer(weir_infer *infer)
{
    int axis;
    WEIR_TRY(check_axis(infer->site, GRAD_AXIS, infer->in[1], &axis));
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]));
    infer->out[1] = *infer->in[2];
    infer->out[2] = *infer->in[3];
    return check_ranges(infer, 2, axis);
}

/* dx = dy inside the range; the limits themselves have no gradient. */
static weir_status v4_grad_run(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1);
    const weir_tensor *low = weir_in(call, 2), *high = weir_in(call, 3);
    weir_tensor *dx = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    slices slices = slices_of(&x->shape, (int)weir_site_int(call->site, GRAD_AXIS));
    weir_tensor_zero(NULL, weir_out(call, 1));
    weir_tensor_zero(NULL, weir_out(call, 2));
    for (int64_t i = 0; i < count; i++) {
        int64_t c = i / slices.inner % slices.dim;
        double value = get(x, i);
        bool inside = value >= get(low, weir_tensor_count(low) > 1 ? c : 0) &&
                      value <= get(high, weir_tensor_count(high) > 1 ? c : 0);
        set(dx, i, inside ? get(dy, i) : 0);
    }
    return WEIR_OK;
}

#define FLOATS "T: {bfloat16, half, float, double}"
#define V2_ATTRS                                                                                   \
    "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; " FLOATS             \
    "; round_mode: {'HALF_TO_EVEN', 'HALF_UP'} = \"HALF_TO_EVEN\"; narrow_range: bool = false; "   \
    "axis: int = -1"

const weir_op weir_op_quantize_and_dequantize = {
    .name = "QuantizeAndDequantize",
    .in = "input: T",
    .out = "output: T",
    .attrs = "signed_input: bool = true; num_bits: int = 8; range_given: bool = false; "
             "input_min: float = 0.0; input_max: float = 0.0; " FLOATS,
    .deprecated_at = 22,
    .deprecation = "Replaced by QuantizeAndDequantizeV2",
    .infer = weir_infer_same_shape,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", v1}},
};

const weir_op weir_op_quantize_and_dequantize_v2 = {
    .name = "QuantizeAndDequantizeV2",
    .in = "input: T; input_min: T; input_max: T",
    .out = "output: T",
    .attrs = V2_ATTRS,
    .infer = v2_infer,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", v2}},
};

const weir_op weir_op_quantize_and_dequantize_v3 = {
    .name = "QuantizeAndDequantizeV3",
    .in = "input: T; input_min: T; input_max: T; num_bits: int32",
    .out = "output: T",
    .attrs = "signed_input: bool = true; range_given: bool = true; " FLOATS
             "; narrow_range: bool = false; axis: int = -1",
    .host = "num_bits",
    .infer = v3_infer,
    .grad = weir_grad_identity,
    .kernels = {{WEIR_CPU, "*", v3}},
};

const weir_op weir_op_quantize_and_dequantize_v4 = {
    .name = "QuantizeAndDequantizeV4",
    .in = "input: T; input_min: T; input_max: T",
    .out = "output: T",
    .attrs = V2_ATTRS,
    .infer = v2_infer,
    .grad = v4_grad,
    .kernels = {{WEIR_CPU, "*", v2}},
};

const weir_op weir_op_quantize_and_dequantize_v4_grad = {
    .name = "QuantizeAndDequantizeV4Grad",
    .in = "gradients: T; input: T; input_min: T; input_max: T",
    .out = "input_backprop: T; input_min_backprop: T; input_max_backprop: T",
    .attrs = FLOATS "; axis: int = -1",
    .infer = v4_grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", v4_grad_run}},
};
