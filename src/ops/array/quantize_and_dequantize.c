/* ops/array/quantize_and_dequantize.c - QuantizeAndDequantize, V2, V3, V4 and V4Grad: values
 * rounded to what num_bits could hold, symmetric around zero. */
#include <float.h>
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

/* How to round, whatever the version of the op. */
typedef struct options {
    bool is_signed, range_given, narrow, half_up;
    int64_t num_bits;
    int axis; /* -1: one range for all */
} options;

static double get(const weir_tensor *t, int64_t i)
{
    switch (t->dtype) {
    case WEIR_FLOAT:
        return ((const float *)t->data)[i];
    case WEIR_DOUBLE:
        return ((const double *)t->data)[i];
    case WEIR_HALF:
        return weir_half_to_float(((const uint16_t *)t->data)[i]);
    default:
        return weir_bfloat16_to_float(((const uint16_t *)t->data)[i]);
    }
}

static void set(weir_tensor *t, int64_t i, double v)
{
    switch (t->dtype) {
    case WEIR_FLOAT:
        ((float *)t->data)[i] = (float)v;
        break;
    case WEIR_DOUBLE:
        ((double *)t->data)[i] = v;
        break;
    case WEIR_HALF:
        ((uint16_t *)t->data)[i] = weir_float_to_half((float)v);
        break;
    default:
        ((uint16_t *)t->data)[i] = weir_float_to_bfloat16((float)v);
    }
}

/* The value as the type of |t| would hold it: results follow TensorFlow's arithmetic in that type.
 */
static double as(const weir_tensor *t, double v)
{
    switch (t->dtype) {
    case WEIR_FLOAT:
        return (float)v;
    case WEIR_DOUBLE:
        return v;
    case WEIR_HALF:
        return weir_half_to_float(weir_float_to_half((float)v));
    default:
        return weir_bfloat16_to_float(weir_float_to_bfloat16((float)v));
    }
}

typedef struct scaling {
    double min, max, scale, inverse;
} scaling;

/* The side of the range that needs the coarser steps decides; the other is moved to fit. */
static scaling make_scaling(const weir_tensor *t, const options *o, double min, double max)
{
    double half = ldexp(1, (int)o->num_bits - 1);
    double low = o->is_signed ? -half + o->narrow : 0;
    double high = o->is_signed ? half - 1 : 2 * half - 1;
    double from_min = low * min > 0 ? as(t, low / min) : DBL_MAX;
    double from_max = high * max > 0 ? as(t, high / max) : DBL_MAX;
    scaling s = {min, max, 0, 0};
    if (from_min < from_max) {
        s.scale = from_min;
        s.inverse = as(t, min / low);
        s.max = as(t, high * s.inverse);
    } else {
        s.scale = from_max;
        s.inverse = as(t, max / high);
        s.min = as(t, low * s.inverse);
    }
    return s;
}

static double round_as(const options *o, double v)
{
    return o->half_up ? floor(v + 0.5) : nearbyint(v);
}

static double quantize(const weir_tensor *t, const options *o, const scaling *s, double x)
{
    if (o->range_given)
        x = x < s->min ? s->min : x > s->max ? s->max : x;
    return as(t, round_as(o, as(t, x * s->scale)) * s->inverse);
}

/* The elements of slice |c| along the axis: |outer| runs of |inner|, |dim| * inner apart. */
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

static void find_range(const weir_tensor *x, slices s, int64_t c, double *min, double *max)
{
    bool first = true;
    *min = *max = 0;
    for (int64_t o = 0; o < s.outer; o++)
        for (int64_t i = 0; i < s.inner; i++) {
            double v = get(x, (o * s.dim + c) * s.inner + i);
            *min = first || v < *min ? v : *min;
            *max = first || v > *max ? v : *max;
            first = false;
        }
}

/* |lows| and |highs| are given ranges, or null. */
static weir_status run_with(weir_call *call, const options *o, const weir_tensor *lows,
                            const weir_tensor *highs)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    if (o->num_bits < 1 || o->num_bits > (o->is_signed ? 62 : 63) ||
        (o->is_signed && o->num_bits < 2))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_bits is out of range: %" PRId64 " with signed_input_ %d",
                          o->num_bits, o->is_signed);
    slices s = slices_of(&x->shape, o->axis);
    for (int64_t c = 0; c < s.dim; c++) {
        double min, max;
        if (o->range_given && lows) {
            min = get(lows, weir_tensor_count(lows) > 1 ? c : 0);
            max = get(highs, weir_tensor_count(highs) > 1 ? c : 0);
            if (min > max)
                return weir_error(WEIR_INVALID_ARGUMENT,
                                  "Invalid range: input_min %g > input_max %g", min, max);
        } else {
            find_range(x, s, c, &min, &max);
        }
        scaling scale = make_scaling(x, o, min, max);
        for (int64_t k = 0; k < s.outer; k++)
            for (int64_t i = 0; i < s.inner; i++) {
                int64_t at = (k * s.dim + c) * s.inner + i;
                set(y, at, quantize(x, o, &scale, get(x, at)));
            }
    }
    return WEIR_OK;
}

/* ---- inference
 * ----------------------------------------------------------------------------------- */

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
static weir_status check_ranges(weir_infer *i, int first, int axis)
{
    for (int k = first; k < first + 2; k++) {
        WEIR_TRY(weir_infer_rank(i, k, axis < 0 ? 0 : 1));
        int64_t have = axis < 0 ? -1 : weir_infer_dim(i, k, 0);
        int64_t want = axis < 0 || i->in[0]->rank < 0 ? -1 : i->in[0]->dims[axis];
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

static weir_status v2_infer(weir_infer *i)
{
    int axis;
    i->out[0] = *i->in[0];
    WEIR_TRY(check_axis(i->site, V2_AXIS, i->in[0], &axis));
    return check_ranges(i, 1, axis);
}

static weir_status v3_infer(weir_infer *i)
{
    int axis;
    i->out[0] = *i->in[0];
    WEIR_TRY(check_axis(i->site, V3_AXIS, i->in[0], &axis));
    WEIR_TRY(weir_infer_rank(i, 3, 0));
    return check_ranges(i, 1, axis);
}

/* ---- the ops
 * ------------------------------------------------------------------------------------- */

static weir_status v1(weir_call *call)
{
    const weir_site *site = call->site;
    options o = {.is_signed = weir_site_bool(site, V1_SIGNED),
                 .range_given = weir_site_bool(site, V1_GIVEN),
                 .num_bits = weir_site_int(site, V1_BITS),
                 .axis = -1};
    float range[] = {weir_site_float(site, V1_MIN), weir_site_float(site, V1_MAX)};
    weir_tensor low = {.dtype = WEIR_FLOAT, .data = &range[0]};
    weir_tensor high = {.dtype = WEIR_FLOAT, .data = &range[1]};
    return run_with(call, &o, &low, &high);
}

static weir_status v2(weir_call *call)
{
    const weir_site *site = call->site;
    options o = {.is_signed = weir_site_bool(site, V2_SIGNED),
                 .range_given = weir_site_bool(site, V2_GIVEN),
                 .narrow = weir_site_bool(site, V2_NARROW),
                 .half_up = weir_str_is(weir_site_str(site, V2_ROUND), "HALF_UP"),
                 .num_bits = weir_site_int(site, V2_BITS),
                 .axis = (int)weir_site_int(site, V2_AXIS)};
    return run_with(call, &o, weir_in(call, 1), weir_in(call, 2));
}

static weir_status v3(weir_call *call)
{
    const weir_site *site = call->site;
    options o = {.is_signed = weir_site_bool(site, V3_SIGNED),
                 .range_given = weir_site_bool(site, V3_GIVEN),
                 .narrow = weir_site_bool(site, V3_NARROW),
                 .num_bits = weir_int_at(weir_in(call, 3), 0),
                 .axis = (int)weir_site_int(site, V3_AXIS)};
    return run_with(call, &o, weir_in(call, 1), weir_in(call, 2));
}

static weir_status v4_grad(weir_grad *g)
{
    weir_node *n = weir_grad_node_add(
        g, "QuantizeAndDequantizeV4Grad",
        WEIR_IN(weir_grad_dy(g, 0), weir_grad_x(g, 0), weir_grad_x(g, 1), weir_grad_x(g, 2)),
        WEIR_ATTRS(weir_grad_attr(g, "axis")));
    for (int k = 0; n && k < 3; k++)
        weir_grad_set(g, k, (weir_edge){n, k});
    return WEIR_OK;
}

static weir_status v4_grad_infer(weir_infer *i)
{
    int axis;
    WEIR_TRY(check_axis(i->site, GRAD_AXIS, i->in[1], &axis));
    WEIR_TRY(weir_infer_merge(i->in[0], i->in[1], &i->out[0]));
    i->out[1] = *i->in[2];
    i->out[2] = *i->in[3];
    return check_ranges(i, 2, axis);
}

/* dx passes inside the range; the limits themselves have none. */
static weir_status v4_grad_run(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1);
    const weir_tensor *low = weir_in(call, 2), *high = weir_in(call, 3);
    weir_tensor *dx = weir_out(call, 0);
    int64_t count = weir_tensor_count(x);
    slices s = slices_of(&x->shape, (int)weir_site_int(call->site, GRAD_AXIS));
    weir_tensor_zero(NULL, weir_out(call, 1));
    weir_tensor_zero(NULL, weir_out(call, 2));
    for (int64_t i = 0; i < count; i++) {
        int64_t c = i / s.inner % s.dim;
        double v = get(x, i);
        bool inside = v >= get(low, weir_tensor_count(low) > 1 ? c : 0) &&
                      v <= get(high, weir_tensor_count(high) > 1 ? c : 0);
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
