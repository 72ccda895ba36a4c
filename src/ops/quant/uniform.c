/* ops/quant/uniform.c - UniformQuantize, UniformDequantize, UniformRequantize, UniformQuantizedAdd,
 * UniformQuantizedClipByValue, UniformQuantizedDot, UniformQuantizedDotHybrid: values (q - zero
 * point) * scale, with a per-tensor or per-axis scale. */
#include <inttypes.h>
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/number_at.h"
#include "ops/declare.h"

/* Quantisation parameters of one tensor: its scales and zero points are inputs of the op. */
typedef struct quantised {
    const weir_tensor *scales, *points;
    int64_t axis, low, high, inner, length;
} quantised;

static int64_t int_attr(const weir_call *call, const char *prefix, const char *name)
{
    WEIR_BUF(whole);
    weir_buf_addf(&whole, "%s%s", prefix, name);
    return weir_site_int(call->site, weir_opdef_attr(call->site->def, whole.at));
}

static weir_status check_counts(const weir_call *call, const quantised *q, const weir_shape *shape)
{
    int64_t wanted = q->axis < 0 ? 1 : shape->dims[q->axis];
    if (weir_tensor_count(q->scales) != wanted || weir_tensor_count(q->points) != wanted ||
        q->scales->shape.rank != (q->axis >= 0) || q->points->shape.rank != (q->axis >= 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: scales %s and zero_points %s do not fit %s along axis %" PRId64,
                          call->site->op->name, WEIR_SHAPE_STR(&q->scales->shape),
                          WEIR_SHAPE_STR(&q->points->shape), WEIR_SHAPE_STR(shape), q->axis);
    for (int64_t i = 0; i < wanted; i++)
        if (!(((const float *)q->scales->data)[i] > 0) ||
            !isfinite(((const float *)q->scales->data)[i]))
            return weir_error(WEIR_INVALID_ARGUMENT, "%s: scales must be positive and finite",
                              call->site->op->name);
    return WEIR_OK;
}

/* Reads the parameters of a tensor of |shape|: |prefix| is that of the attrs. */
static weir_status read_quantised(const weir_call *call, const char *prefix, int scales,
                                  const weir_shape *shape, quantised *out)
{
    *out = (quantised){.scales = weir_in(call, scales),
                       .points = weir_in(call, scales + 1),
                       .axis = int_attr(call, prefix, "quantization_axis"),
                       .low = int_attr(call, prefix, "quantization_min_val"),
                       .high = int_attr(call, prefix, "quantization_max_val")};
    if (out->axis < -1 || out->axis >= shape->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s: quantization axis %" PRId64 " is out of range for rank %d",
                          call->site->op->name, out->axis, shape->rank);
    if (out->low > out->high)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: quantization_min_val is above the maximum",
                          call->site->op->name);
    out->inner = out->axis < 0 ? 1 : weir_shape_product(shape, (int)out->axis + 1, shape->rank);
    out->length = out->axis < 0 ? 1 : shape->dims[out->axis];
    return check_counts(call, out, shape);
}

/* The index of element |i|'s scale. */
static int64_t slot(const quantised *q, int64_t i)
{
    return q->axis < 0 ? 0 : i / q->inner % q->length;
}
static float scale_of(const quantised *q, int64_t i)
{
    return ((const float *)q->scales->data)[slot(q, i)];
}
static int64_t point_of(const quantised *q, int64_t i)
{
    return ((const int32_t *)q->points->data)[slot(q, i)];
}
static int64_t clamp(const quantised *q, int64_t value)
{
    return value < q->low ? q->low : value > q->high ? q->high : value;
}
/* Rounds to the nearest integer, halves up, and saturates to int32. */
static int64_t nearest(float value)
{
    float rounded = floorf(value + 0.5f);
    return !(rounded > -2147483648.0f) ? INT32_MIN
           : rounded >= 2147483648.0f  ? INT32_MAX
                                       : (int64_t)rounded;
}

/* |value| times |scale| in fixed point: 31 bits of the scale, rounded once, halves up. */
static int64_t rescale(int64_t value, double scale)
{
    int exponent;
    int64_t factor = llrint(ldexp(frexp(scale, &exponent), 31));
    int shift = 31 - exponent;
    if (shift > 62)
        return 0;
    if (shift < 1)
        return (int64_t)fmax(fmin((double)value * scale, INT32_MAX), INT32_MIN);
    __int128 product = (__int128)value * factor + ((__int128)1 << (shift - 1));
    product >>= shift;
    return product > INT32_MAX ? INT32_MAX : product < INT32_MIN ? INT32_MIN : (int64_t)product;
}

static weir_status quantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    quantised q;
    WEIR_TRY(read_quantised(call, "", 1, &x->shape, &q));
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        float inverse = 1.0f / scale_of(&q, i);
        int64_t whole = nearest(((const float *)x->data)[i] * inverse) + point_of(&q, i);
        weir_int_set(weir_out(call, 0), i, clamp(&q, whole));
    }
    return WEIR_OK;
}

static weir_status dequantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    quantised q;
    WEIR_TRY(read_quantised(call, "", 1, &x->shape, &q));
    for (int64_t i = 0; i < weir_tensor_count(x); i++)
        ((float *)weir_out(call, 0)->data)[i] =
            (float)(weir_int_at(x, i) - point_of(&q, i)) * scale_of(&q, i);
    return WEIR_OK;
}

static int64_t requantized(const weir_tensor *x, int64_t at, const quantised *from,
                           const quantised *to, int64_t to_at)
{
    double scale = (double)scale_of(from, at) / (double)scale_of(to, to_at);
    return rescale(weir_int_at(x, at) - point_of(from, at), scale) + point_of(to, to_at);
}

static weir_status requantize(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    quantised from, to;
    WEIR_TRY(read_quantised(call, "input_", 1, &x->shape, &from));
    WEIR_TRY(read_quantised(call, "output_", 3, &x->shape, &to));
    for (int64_t i = 0; i < weir_tensor_count(x); i++)
        weir_int_set(weir_out(call, 0), i, clamp(&to, requantized(x, i, &from, &to, i)));
    return WEIR_OK;
}

/* ---- two operands ---------------------------------------------------------------------------- */

/* The index in |shape| from which element |at| of |out| is broadcast. */
static int64_t broadcast_from(const weir_shape *out, int64_t at, const weir_shape *shape)
{
    int64_t place = 0, step = 1;
    for (int i = out->rank - 1, k = shape->rank - 1; i >= 0; i--, k--) {
        if (k >= 0) {
            place += shape->dims[k] == 1 ? 0 : at % out->dims[i] * step;
            step *= shape->dims[k];
        }
        at /= out->dims[i];
    }
    return place;
}

static weir_status add(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    quantised left, right, to;
    WEIR_TRY(read_quantised(call, "lhs_", 2, &a->shape, &left));
    WEIR_TRY(read_quantised(call, "rhs_", 4, &b->shape, &right));
    WEIR_TRY(read_quantised(call, "output_", 6, &y->shape, &to));
    for (int64_t i = 0; i < weir_tensor_count(y); i++) {
        int64_t at_a = broadcast_from(&y->shape, i, &a->shape);
        int64_t at_b = broadcast_from(&y->shape, i, &b->shape);
        int64_t sum = requantized(a, at_a, &left, &to, i) + requantized(b, at_b, &right, &to, i);
        weir_int_set(y, i, clamp(&to, sum - point_of(&to, i)));
    }
    return WEIR_OK;
}

static weir_status clip(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    quantised q;
    WEIR_TRY(read_quantised(call, "", 3, &x->shape, &q));
    if (weir_tensor_count(weir_in(call, 1)) != q.length ||
        weir_tensor_count(weir_in(call, 2)) != q.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "%s: min and max must have %" PRId64 " elements",
                          call->site->op->name, q.length);
    for (int64_t i = 0; i < weir_tensor_count(x); i++) {
        int64_t low = weir_int_at(weir_in(call, 1), slot(&q, i));
        int64_t high = weir_int_at(weir_in(call, 2), slot(&q, i)), value = weir_int_at(x, i);
        value = value > high ? high : value;
        weir_int_set(weir_out(call, 0), i, value < low ? low : value);
    }
    return WEIR_OK;
}

/* ---- products -------------------------------------------------------------------------------- */

static weir_status product_infer(weir_infer *infer)
{
    int64_t inner;
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 2));
    if (infer->in[0]->rank < 0 || infer->in[1]->rank < 0)
        return WEIR_OK;
    WEIR_TRY(weir_infer_merge_dim(infer->in[0]->dims[1], infer->in[1]->dims[0], &inner));
    infer->out[0] = (weir_shape){2, {infer->in[0]->dims[0], infer->in[1]->dims[1]}};
    return WEIR_OK;
}

static weir_status dot(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    int64_t inner = a->shape.dims[1], columns = b->shape.dims[1];
    quantised left, right, to;
    WEIR_TRY(read_quantised(call, "lhs_", 2, &a->shape, &left));
    WEIR_TRY(read_quantised(call, "rhs_", 4, &b->shape, &right));
    WEIR_TRY(read_quantised(call, "output_", 6, &y->shape, &to));
    for (int64_t i = 0; i < weir_tensor_count(y); i++) {
        int64_t row = i / columns, column = i % columns, sum = 0;
        for (int64_t k = 0; k < inner; k++)
            sum += (weir_int_at(a, row * inner + k) - point_of(&left, row * inner + k)) *
                   (weir_int_at(b, k * columns + column) - point_of(&right, k * columns + column));
        double scale =
            (double)scale_of(&left, 0) * (double)scale_of(&right, column) / scale_of(&to, i);
        weir_int_set(y, i, clamp(&to, rescale(sum, scale) + point_of(&to, i)));
    }
    return WEIR_OK;
}

/* The float operand is used without rounding: TensorFlow rounds it to 8 bits, row by row. */
static weir_status dot_hybrid(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    int64_t inner = a->shape.dims[1], columns = b->shape.dims[1];
    quantised right;
    WEIR_TRY(read_quantised(call, "rhs_", 2, &b->shape, &right));
    for (int64_t i = 0; i < weir_tensor_count(y); i++) {
        int64_t row = i / columns, column = i % columns;
        double sum = 0;
        for (int64_t k = 0; k < inner; k++) {
            int64_t at = k * columns + column;
            sum += ((const float *)a->data)[row * inner + k] *
                   (double)(weir_int_at(b, at) - point_of(&right, at)) * scale_of(&right, at);
        }
        ((float *)y->data)[i] = (float)sum;
    }
    return WEIR_OK;
}

#define QUANT(prefix)                                                                              \
    prefix "quantization_axis: int = -1; " prefix "quantization_min_val: int; " prefix             \
           "quantization_max_val: int"
#define PARAMS(prefix) "; " prefix "scales: float; " prefix "zero_points: int32"
#define THREE QUANT("lhs_") "; " QUANT("rhs_") "; " QUANT("output_")
WEIR_DEFINE_OP(uniform_quantize, "UniformQuantize", .in = "input: Tin" PARAMS(""),
               .out = "output: Tout", .infer = weir_infer_same_shape,
               .attrs = "Tin: {float}; Tout: {qint8, quint8, qint32}; " QUANT(""),
               .kernels = {{WEIR_CPU, "*", quantize}});
WEIR_DEFINE_OP(uniform_dequantize, "UniformDequantize", .in = "input: Tin" PARAMS(""),
               .out = "output: Tout", .infer = weir_infer_same_shape,
               .attrs = "Tin: {qint8, quint8, qint32}; Tout: {float}; " QUANT(""),
               .kernels = {{WEIR_CPU, "*", dequantize}});
WEIR_DEFINE_OP(
    uniform_requantize, "UniformRequantize", .in = "input: Tin" PARAMS("input_") PARAMS("output_"),
    .out = "output: Tout",
    .attrs = "Tin: {qint8, qint32}; Tout: {qint8, qint32}; " QUANT("input_") "; " QUANT("output_"),
    .infer = weir_infer_same_shape, .kernels = {{WEIR_CPU, "*", requantize}});
WEIR_DEFINE_OP(uniform_quantized_add, "UniformQuantizedAdd",
               .in = "lhs: T; rhs: T" PARAMS("lhs_") PARAMS("rhs_") PARAMS("output_"),
               .out = "output: T", .attrs = THREE "; T: {qint32}", .infer = weir_infer_broadcast,
               .kernels = {{WEIR_CPU, "*", add}});
WEIR_DEFINE_OP(uniform_quantized_clip_by_value, "UniformQuantizedClipByValue",
               .in = "operand: T; min: T; max: T" PARAMS(""), .out = "output: T",
               .attrs = "T: {qint32}; " QUANT(""), .infer = weir_infer_same_shape,
               .kernels = {{WEIR_CPU, "*", clip}});
WEIR_DEFINE_OP(uniform_quantized_dot, "UniformQuantizedDot",
               .in = "lhs: Tin; rhs: Tin" PARAMS("lhs_") PARAMS("rhs_") PARAMS("output_"),
               .out = "output: Tout", .attrs = "Tin: {qint8}; Tout: {qint32}; " THREE,
               .infer = product_infer, .kernels = {{WEIR_CPU, "*", dot}});
WEIR_DEFINE_OP(uniform_quantized_dot_hybrid, "UniformQuantizedDotHybrid",
               .in = "lhs: Tlhs; rhs: Trhs" PARAMS("rhs_"), .out = "output: Tout",
               .attrs = "Tlhs: {float}; Trhs: {qint8}; Tout: {float}; " QUANT("rhs_"),
               .infer = product_infer, .kernels = {{WEIR_CPU, "*", dot_hybrid}});
