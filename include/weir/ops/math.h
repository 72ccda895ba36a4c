/* weir/ops/math.h - arithmetic, element by element and over axes.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_OPS_MATH_H
#define WEIR_OPS_MATH_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Abs(x: T) -> y: T: the value without its sign. T: bfloat16, half, float, double, int8, int16,
 * int32, int64. */
static inline TF_Output weir_abs(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Abs", node, inputs, 1);
}

/* AccumulateNV2(inputs: N * T) -> sum: T: the sum of tensors of one shape. T: float, double, int32,
 * uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64. */
static inline TF_Output weir_accumulate_n_v2(weir_builder *builder, const char *node,
                                             const TF_Output *inputs, int inputs_count,
                                             const weir_dims *shape)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AccumulateNV2", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        weir_attr_shape(made, "shape", shape);
    }
    return weir_build_end(builder, made);
}

/* Acos(x: T) -> y: T: the angle whose cosine is x. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_acos(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Acos", node, inputs, 1);
}

/* Acosh(x: T) -> y: T: the inverse of the hyperbolic cosine. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_acosh(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Acosh", node, inputs, 1);
}

/* Add(x: T, y: T) -> z: T: the entries of a sparse tensor combined with those of a dense one, which
 * is broadcast to it. T: bfloat16, half, float, double, uint8, int8, int16, int32, int64,
 * complex64, complex128, string. */
static inline TF_Output weir_add(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Add", node, inputs, 2);
}

/* AddN(inputs: N * T) -> sum: T: the sum of tensors of one shape. T: float, double, int32, uint8,
 * int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16,
 * complex128, half, uint32, uint64, variant. */
static inline TF_Output weir_add_n(weir_builder *builder, const char *node, const TF_Output *inputs,
                                   int inputs_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "AddN", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    return weir_build_end(builder, made);
}

/* AddV2(x: T, y: T) -> z: T: x + y, with broadcasting. T: bfloat16, half, float, double, uint8,
 * uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128. */
static inline TF_Output weir_add_v2(weir_builder *builder, const char *node, TF_Output x,
                                    TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "AddV2", node, inputs, 2);
}

/* All(input: bool, reduction_indices: Tidx) -> output: bool: whether all elements along axes are
 * true. Tidx: int32, int64. */
typedef struct weir_all_options {
    bool keep_dims;
} weir_all_options;
static inline TF_Output weir_all(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_all_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "All", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Angle(input: T) -> output: Tout: the argument of a complex number. T: complex64, complex128.
 * Tout: float, double. */
typedef struct weir_angle_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_angle_options;
static inline TF_Output weir_angle(weir_builder *builder, const char *node, TF_Output input,
                                   const weir_angle_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Angle", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* Any(input: bool, reduction_indices: Tidx) -> output: bool: whether some element along axes is
 * true. Tidx: int32, int64. */
typedef struct weir_any_options {
    bool keep_dims;
} weir_any_options;
static inline TF_Output weir_any(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_any_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Any", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* ApproximateEqual(x: T, y: T) -> z: bool: whether x and y differ by less than a tolerance. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. */
typedef struct weir_approximate_equal_options {
    float tolerance; /* 0: 1e-05 */
} weir_approximate_equal_options;
static inline TF_Output weir_approximate_equal(weir_builder *builder, const char *node, TF_Output x,
                                               TF_Output y,
                                               const weir_approximate_equal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ApproximateEqual", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        if (options->tolerance != 0)
            TF_SetAttrFloat(made, "tolerance", weir_float_of(options->tolerance));
    }
    return weir_build_end(builder, made);
}

/* ArgMax(input: T, dimension: Tidx) -> output: output_type: where along an axis the extreme element
 * is. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64,
 * qint8, quint8, qint32, qint16, quint16, bool. Tidx: int16, int32, int64. output_type: int16,
 * uint16, int32, int64. */
typedef struct weir_arg_max_options {
    TF_DataType output_type; /* 0: TF_INT64; int16, uint16, int32, int64 */
} weir_arg_max_options;
static inline TF_Output weir_arg_max(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output dimension, const weir_arg_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ArgMax", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, dimension);
    if (made && options) {
        if (options->output_type)
            TF_SetAttrType(made, "output_type", options->output_type);
    }
    return weir_build_end(builder, made);
}

/* ArgMin(input: T, dimension: Tidx) -> output: output_type: where along an axis the extreme element
 * is. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64,
 * qint8, quint8, qint32, qint16, quint16, bool. Tidx: int32, int64. output_type: int32, int64. */
typedef struct weir_arg_min_options {
    TF_DataType output_type; /* 0: TF_INT64; int32, int64 */
} weir_arg_min_options;
static inline TF_Output weir_arg_min(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output dimension, const weir_arg_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ArgMin", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, dimension);
    if (made && options) {
        if (options->output_type)
            TF_SetAttrType(made, "output_type", options->output_type);
    }
    return weir_build_end(builder, made);
}

/* Asin(x: T) -> y: T: the angle whose sine is x. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_asin(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Asin", node, inputs, 1);
}

/* Asinh(x: T) -> y: T: the inverse of the hyperbolic sine. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_asinh(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Asinh", node, inputs, 1);
}

/* Atan(x: T) -> y: T: the angle whose tangent is x. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_atan(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Atan", node, inputs, 1);
}

/* Atan2(y: T, x: T) -> z: T: the angle of the point (x, y). T: bfloat16, half, float, double. */
static inline TF_Output weir_atan2(weir_builder *builder, const char *node, TF_Output y,
                                   TF_Output x)
{
    const TF_Output inputs[] = {y, x};
    return weir_build_op(builder, "Atan2", node, inputs, 2);
}

/* Atanh(x: T) -> y: T: the inverse of the hyperbolic tangent. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_atanh(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Atanh", node, inputs, 1);
}

/* BesselI0(x: T) -> y: T: the modified Bessel function of the first kind, order 0. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_i0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI0", node, inputs, 1);
}

/* BesselI0e(x: T) -> y: T: BesselI0, scaled by e^-|x|. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_i0e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI0e", node, inputs, 1);
}

/* BesselI1(x: T) -> y: T: the modified Bessel function of the first kind, order 1. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_i1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI1", node, inputs, 1);
}

/* BesselI1e(x: T) -> y: T: BesselI1, scaled by e^-|x|. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_i1e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselI1e", node, inputs, 1);
}

/* BesselJ0(x: T) -> y: T: the Bessel function of the first kind, order 0. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_bessel_j0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselJ0", node, inputs, 1);
}

/* BesselJ1(x: T) -> y: T: the Bessel function of the first kind, order 1. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_bessel_j1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselJ1", node, inputs, 1);
}

/* BesselK0(x: T) -> y: T: the modified Bessel function of the second kind, order 0. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_k0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK0", node, inputs, 1);
}

/* BesselK0e(x: T) -> y: T: BesselK0, scaled by e^x. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_k0e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK0e", node, inputs, 1);
}

/* BesselK1(x: T) -> y: T: the modified Bessel function of the second kind, order 1. T: bfloat16,
 * half, float, double. */
static inline TF_Output weir_bessel_k1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK1", node, inputs, 1);
}

/* BesselK1e(x: T) -> y: T: BesselK1, scaled by e^x. T: bfloat16, half, float, double. */
static inline TF_Output weir_bessel_k1e(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselK1e", node, inputs, 1);
}

/* BesselY0(x: T) -> y: T: the Bessel function of the second kind, order 0. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_bessel_y0(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselY0", node, inputs, 1);
}

/* BesselY1(x: T) -> y: T: the Bessel function of the second kind, order 1. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_bessel_y1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "BesselY1", node, inputs, 1);
}

/* Betainc(a: T, b: T, x: T) -> z: T: the regularised incomplete beta function of three arguments.
 * T: float, double. */
static inline TF_Output weir_betainc(weir_builder *builder, const char *node, TF_Output a,
                                     TF_Output b, TF_Output x)
{
    const TF_Output inputs[] = {a, b, x};
    return weir_build_op(builder, "Betainc", node, inputs, 3);
}

/* Bincount(arr: int32, size: int32, weights: T) -> bins: T: how often each value occurs, or the sum
 * of the weights it comes with. T: int32, int64, float, double. */
static inline TF_Output weir_bincount(weir_builder *builder, const char *node, TF_Output arr,
                                      TF_Output size, TF_Output weights)
{
    const TF_Output inputs[] = {arr, size, weights};
    return weir_build_op(builder, "Bincount", node, inputs, 3);
}

/* BitwiseAnd(x: T, y: T) -> z: T: bits that both have. T: int8, int16, int32, int64, uint8, uint16,
 * uint32, uint64. */
static inline TF_Output weir_bitwise_and(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "BitwiseAnd", node, inputs, 2);
}

/* BitwiseOr(x: T, y: T) -> z: T: bits that one has. T: int8, int16, int32, int64, uint8, uint16,
 * uint32, uint64. */
static inline TF_Output weir_bitwise_or(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "BitwiseOr", node, inputs, 2);
}

/* BitwiseXor(x: T, y: T) -> z: T: bits that only one has. T: int8, int16, int32, int64, uint8,
 * uint16, uint32, uint64. */
static inline TF_Output weir_bitwise_xor(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "BitwiseXor", node, inputs, 2);
}

/* BroadcastArgs(s0: T, s1: T) -> r0: T: the shape that two shapes broadcast to. T: int32, int64. */
static inline TF_Output weir_broadcast_args(weir_builder *builder, const char *node, TF_Output s0,
                                            TF_Output s1)
{
    const TF_Output inputs[] = {s0, s1};
    return weir_build_op(builder, "BroadcastArgs", node, inputs, 2);
}

/* BroadcastGradientArgs(s0: T, s1: T) -> r0: T, r1: T: the axes over which gradients of a broadcast
 * are summed. T: int32, int64. */
typedef struct weir_broadcast_gradient_args_outputs {
    TF_Output r0;
    TF_Output r1;
} weir_broadcast_gradient_args_outputs;
static inline weir_broadcast_gradient_args_outputs
weir_broadcast_gradient_args(weir_builder *builder, const char *node, TF_Output s0, TF_Output s1)
{
    const TF_Output inputs[] = {s0, s1};
    TF_Operation *op = weir_build_op(builder, "BroadcastGradientArgs", node, inputs, 2).oper;
    weir_broadcast_gradient_args_outputs out;
    out.r0 = weir_output(op, 0);
    out.r1 = weir_output(op, 1);
    return out;
}

/* Bucketize(input: T) -> output: int32: which interval a value lies in. T: int32, int64, float,
 * double. */
static inline TF_Output weir_bucketize(weir_builder *builder, const char *node, TF_Output input,
                                       const float *boundaries, int boundaries_count)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Bucketize", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrFloatList(made, "boundaries", boundaries, boundaries_count);
    }
    return weir_build_end(builder, made);
}

/* Cast(x: SrcT) -> y: DstT: from one element type to another. */
typedef struct weir_cast_options {
    bool Truncate;
} weir_cast_options;
static inline TF_Output weir_cast(weir_builder *builder, const char *node, TF_Output x,
                                  TF_DataType DstT, const weir_cast_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Cast", node);
    weir_build_input(builder, made, x);
    if (made) {
        TF_SetAttrType(made, "DstT", DstT);
    }
    if (made && options) {
        TF_SetAttrBool(made, "Truncate", options->Truncate);
    }
    return weir_build_end(builder, made);
}

/* Ceil(x: T) -> y: T: the least integer that is not below x. T: bfloat16, half, float, double. */
static inline TF_Output weir_ceil(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Ceil", node, inputs, 1);
}

/* ClipByValue(t: T, clip_value_min: T, clip_value_max: T) -> output: T: min(max(t, low), high), the
 * bounds scalars or like t. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
static inline TF_Output weir_clip_by_value(weir_builder *builder, const char *node, TF_Output t,
                                           TF_Output clip_value_min, TF_Output clip_value_max)
{
    const TF_Output inputs[] = {t, clip_value_min, clip_value_max};
    return weir_build_op(builder, "ClipByValue", node, inputs, 3);
}

/* Complex(real: T, imag: T) -> out: Tout: a complex number of its two parts. T: float, double.
 * Tout: complex64, complex128. */
typedef struct weir_complex_options {
    TF_DataType Tout; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_complex_options;
static inline TF_Output weir_complex(weir_builder *builder, const char *node, TF_Output real,
                                     TF_Output imag, const weir_complex_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Complex", node);
    weir_build_input(builder, made, real);
    weir_build_input(builder, made, imag);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* ComplexAbs(x: T) -> y: Tout: the magnitude of a complex number. T: complex64, complex128. Tout:
 * float, double. */
typedef struct weir_complex_abs_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_complex_abs_options;
static inline TF_Output weir_complex_abs(weir_builder *builder, const char *node, TF_Output x,
                                         const weir_complex_abs_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "ComplexAbs", node);
    weir_build_input(builder, made, x);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* Conj(input: T) -> output: T: the complex conjugate. T: complex64, complex128, variant. */
static inline TF_Output weir_conj(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Conj", node, inputs, 1);
}

/* Cos(x: T) -> y: T: the cosine. T: bfloat16, half, float, double, complex64, complex128. */
static inline TF_Output weir_cos(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Cos", node, inputs, 1);
}

/* Cosh(x: T) -> y: T: the hyperbolic cosine. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_cosh(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Cosh", node, inputs, 1);
}

/* Cross(a: T, b: T) -> product: T: the product of vectors in space, along the last dimension. T:
 * float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_cross(weir_builder *builder, const char *node, TF_Output a,
                                   TF_Output b)
{
    const TF_Output inputs[] = {a, b};
    return weir_build_op(builder, "Cross", node, inputs, 2);
}

/* Cumprod(x: T, axis: Tidx) -> out: T: products of all elements so far along an axis. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_cumprod_options {
    bool exclusive;
    bool reverse;
} weir_cumprod_options;
static inline TF_Output weir_cumprod(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output axis, const weir_cumprod_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Cumprod", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrBool(made, "exclusive", options->exclusive);
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* Cumsum(x: T, axis: Tidx) -> out: T: sums of all elements so far along an axis. T: float, double,
 * int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16,
 * uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_cumsum_options {
    bool exclusive;
    bool reverse;
} weir_cumsum_options;
static inline TF_Output weir_cumsum(weir_builder *builder, const char *node, TF_Output x,
                                    TF_Output axis, const weir_cumsum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Cumsum", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrBool(made, "exclusive", options->exclusive);
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* CumulativeLogsumexp(x: T, axis: Tidx) -> out: T: logarithms of sums of exponentials so far along
 * an axis. T: bfloat16, half, float, double. Tidx: int32, int64. */
typedef struct weir_cumulative_logsumexp_options {
    bool exclusive;
    bool reverse;
} weir_cumulative_logsumexp_options;
static inline TF_Output weir_cumulative_logsumexp(weir_builder *builder, const char *node,
                                                  TF_Output x, TF_Output axis,
                                                  const weir_cumulative_logsumexp_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "CumulativeLogsumexp", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrBool(made, "exclusive", options->exclusive);
        TF_SetAttrBool(made, "reverse", options->reverse);
    }
    return weir_build_end(builder, made);
}

/* Dawsn(x: T) -> y: T: Dawson's integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_dawsn(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Dawsn", node, inputs, 1);
}

/* DenseBincount(input: Tidx, size: Tidx, weights: T) -> output: T: how often each value occurs, or
 * the sum of the weights it comes with. Tidx: int32, int64. T: int32, int64, float, double. */
typedef struct weir_dense_bincount_options {
    bool binary_output;
} weir_dense_bincount_options;
static inline TF_Output weir_dense_bincount(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output size, TF_Output weights,
                                            const weir_dense_bincount_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "DenseBincount", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, weights);
    if (made && options) {
        TF_SetAttrBool(made, "binary_output", options->binary_output);
    }
    return weir_build_end(builder, made);
}

/* Digamma(x: T) -> y: T: the derivative of the logarithm of the gamma function. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_digamma(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Digamma", node, inputs, 1);
}

/* Div(x: T, y: T) -> z: T: the entries of a sparse tensor combined with those of a dense one, which
 * is broadcast to it. T: bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32,
 * uint64, int64, complex64, complex128. */
static inline TF_Output weir_div(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Div", node, inputs, 2);
}

/* DivNoNan(x: T, y: T) -> z: T: x / y, and 0 where y is 0. T: half, float, bfloat16, double,
 * complex64, complex128. */
static inline TF_Output weir_div_no_nan(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "DivNoNan", node, inputs, 2);
}

/* Equal(x: T, y: T) -> z: bool: whether x and y are the same. */
typedef struct weir_equal_options {
    bool not_incompatible_shape_error;
} weir_equal_options;
static inline TF_Output weir_equal(weir_builder *builder, const char *node, TF_Output x,
                                   TF_Output y, const weir_equal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Equal", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        TF_SetAttrBool(made, "incompatible_shape_error", !options->not_incompatible_shape_error);
    }
    return weir_build_end(builder, made);
}

/* Erf(x: T) -> y: T: the error function. T: bfloat16, half, float, double. */
static inline TF_Output weir_erf(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Erf", node, inputs, 1);
}

/* Erfc(x: T) -> y: T: 1 less the error function. T: bfloat16, half, float, double. */
static inline TF_Output weir_erfc(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Erfc", node, inputs, 1);
}

/* Erfinv(x: T) -> y: T: the inverse of the error function. T: bfloat16, half, float, double. */
static inline TF_Output weir_erfinv(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Erfinv", node, inputs, 1);
}

/* EuclideanNorm(input: T, reduction_indices: Tidx) -> output: T: the root of the sum of squares
 * along axes. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_euclidean_norm_options {
    bool keep_dims;
} weir_euclidean_norm_options;
static inline TF_Output weir_euclidean_norm(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output reduction_indices,
                                            const weir_euclidean_norm_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "EuclideanNorm", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Exp(x: T) -> y: T: e^x. T: bfloat16, half, float, double, complex64, complex128. */
static inline TF_Output weir_exp(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Exp", node, inputs, 1);
}

/* Expint(x: T) -> y: T: the exponential integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_expint(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Expint", node, inputs, 1);
}

/* Expm1(x: T) -> y: T: e^x - 1, exact near 0. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_expm1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Expm1", node, inputs, 1);
}

/* FFT(input: Tcomplex) -> output: Tcomplex: the discrete Fourier transform of the last axis.
 * Tcomplex: complex64, complex128. */
static inline TF_Output weir_fft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "FFT", node, inputs, 1);
}

/* FFT2D(input: Tcomplex) -> output: Tcomplex: the discrete Fourier transform of the last two axes.
 * Tcomplex: complex64, complex128. */
static inline TF_Output weir_fft2d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "FFT2D", node, inputs, 1);
}

/* FFT3D(input: Tcomplex) -> output: Tcomplex: the discrete Fourier transform of the last three
 * axes. Tcomplex: complex64, complex128. */
static inline TF_Output weir_fft3d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "FFT3D", node, inputs, 1);
}

/* Floor(x: T) -> y: T: the greatest integer that is not above x. T: bfloat16, half, float, double.
 * */
static inline TF_Output weir_floor(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Floor", node, inputs, 1);
}

/* FloorDiv(x: T, y: T) -> z: T: x / y, rounded down. T: bfloat16, half, float, double, uint8, int8,
 * uint16, int16, int32, uint32, uint64, int64, complex64, complex128. */
static inline TF_Output weir_floor_div(weir_builder *builder, const char *node, TF_Output x,
                                       TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "FloorDiv", node, inputs, 2);
}

/* FloorMod(x: T, y: T) -> z: T: what x / y, rounded down, leaves. T: int8, int16, int32, int64,
 * uint8, uint16, uint32, uint64, bfloat16, half, float, double. */
static inline TF_Output weir_floor_mod(weir_builder *builder, const char *node, TF_Output x,
                                       TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "FloorMod", node, inputs, 2);
}

/* FresnelCos(x: T) -> y: T: Fresnel's cosine integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_fresnel_cos(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "FresnelCos", node, inputs, 1);
}

/* FresnelSin(x: T) -> y: T: Fresnel's sine integral. T: bfloat16, half, float, double. */
static inline TF_Output weir_fresnel_sin(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "FresnelSin", node, inputs, 1);
}

/* Greater(x: T, y: T) -> z: bool: whether x > y. T: float, double, int32, uint8, int16, int8,
 * int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_greater(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Greater", node, inputs, 2);
}

/* GreaterEqual(x: T, y: T) -> z: bool: whether x >= y. T: float, double, int32, uint8, int16, int8,
 * int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_greater_equal(weir_builder *builder, const char *node, TF_Output x,
                                           TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "GreaterEqual", node, inputs, 2);
}

/* HistogramFixedWidth(values: T, value_range: T, nbins: int32) -> out: dtype: which interval a
 * value lies in. T: int32, int64, float, double. dtype: int32, int64. */
typedef struct weir_histogram_fixed_width_options {
    TF_DataType dtype; /* 0: TF_INT32; int32, int64 */
} weir_histogram_fixed_width_options;
static inline TF_Output
weir_histogram_fixed_width(weir_builder *builder, const char *node, TF_Output values,
                           TF_Output value_range, TF_Output nbins,
                           const weir_histogram_fixed_width_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "HistogramFixedWidth", node);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, value_range);
    weir_build_input(builder, made, nbins);
    if (made && options) {
        if (options->dtype)
            TF_SetAttrType(made, "dtype", options->dtype);
    }
    return weir_build_end(builder, made);
}

/* IFFT(input: Tcomplex) -> output: Tcomplex: the inverse of FFT. Tcomplex: complex64, complex128.
 * */
static inline TF_Output weir_ifft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "IFFT", node, inputs, 1);
}

/* IFFT2D(input: Tcomplex) -> output: Tcomplex: the inverse of FFT2D. Tcomplex: complex64,
 * complex128. */
static inline TF_Output weir_ifft2d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "IFFT2D", node, inputs, 1);
}

/* IFFT3D(input: Tcomplex) -> output: Tcomplex: the inverse of FFT3D. Tcomplex: complex64,
 * complex128. */
static inline TF_Output weir_ifft3d(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "IFFT3D", node, inputs, 1);
}

/* IRFFT(input: Tcomplex, fft_length: int32) -> output: Treal: the inverse of RFFT. Treal: float,
 * double. Tcomplex: complex64, complex128. */
typedef struct weir_irfft_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfft_options;
static inline TF_Output weir_irfft(weir_builder *builder, const char *node, TF_Output input,
                                   TF_Output fft_length, const weir_irfft_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFT", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* IRFFT2D(input: Tcomplex, fft_length: int32) -> output: Treal: the inverse of RFFT2D. Treal:
 * float, double. Tcomplex: complex64, complex128. */
typedef struct weir_irfft2d_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfft2d_options;
static inline TF_Output weir_irfft2d(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output fft_length, const weir_irfft2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFT2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* IRFFT3D(input: Tcomplex, fft_length: int32) -> output: Treal: the inverse of RFFT3D. Treal:
 * float, double. Tcomplex: complex64, complex128. */
typedef struct weir_irfft3d_options {
    TF_DataType Treal; /* 0: TF_FLOAT; float, double */
} weir_irfft3d_options;
static inline TF_Output weir_irfft3d(weir_builder *builder, const char *node, TF_Output input,
                                     TF_Output fft_length, const weir_irfft3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "IRFFT3D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Treal)
            TF_SetAttrType(made, "Treal", options->Treal);
    }
    return weir_build_end(builder, made);
}

/* Igamma(a: T, x: T) -> z: T: the lower regularised incomplete gamma function. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_igamma(weir_builder *builder, const char *node, TF_Output a,
                                    TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "Igamma", node, inputs, 2);
}

/* IgammaGradA(a: T, x: T) -> z: T: the derivative of Igamma by its first argument. T: float,
 * double. */
static inline TF_Output weir_igamma_grad_a(weir_builder *builder, const char *node, TF_Output a,
                                           TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "IgammaGradA", node, inputs, 2);
}

/* Igammac(a: T, x: T) -> z: T: the upper regularised incomplete gamma function. T: bfloat16, half,
 * float, double. */
static inline TF_Output weir_igammac(weir_builder *builder, const char *node, TF_Output a,
                                     TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "Igammac", node, inputs, 2);
}

/* Imag(input: T) -> output: Tout: the imaginary part. T: complex64, complex128. Tout: float,
 * double. */
typedef struct weir_imag_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_imag_options;
static inline TF_Output weir_imag(weir_builder *builder, const char *node, TF_Output input,
                                  const weir_imag_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Imag", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* Inv(x: T) -> y: T: 1 / x. T: bfloat16, half, float, double, int8, int16, int32, int64, complex64,
 * complex128. */
static inline TF_Output weir_inv(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Inv", node, inputs, 1);
}

/* InvGrad(y: T, dy: T) -> z: T: the gradient of Inv. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_inv_grad(weir_builder *builder, const char *node, TF_Output y,
                                      TF_Output dy)
{
    const TF_Output inputs[] = {y, dy};
    return weir_build_op(builder, "InvGrad", node, inputs, 2);
}

/* Invert(x: T) -> y: T: every bit the other way. T: int8, int16, int32, int64, uint8, uint16,
 * uint32, uint64. */
static inline TF_Output weir_invert(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Invert", node, inputs, 1);
}

/* IsFinite(x: T) -> y: bool: whether x is neither infinite nor NaN. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_is_finite(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "IsFinite", node, inputs, 1);
}

/* IsInf(x: T) -> y: bool: whether x is infinite. T: bfloat16, half, float, double. */
static inline TF_Output weir_is_inf(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "IsInf", node, inputs, 1);
}

/* IsNan(x: T) -> y: bool: whether x is NaN. T: bfloat16, half, float, double. */
static inline TF_Output weir_is_nan(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "IsNan", node, inputs, 1);
}

/* KMC2ChainInitialization(distances: float, seed: int64) -> index: int64: choosing centres among
 * points and finding the nearest ones. */
static inline TF_Output weir_kmc2_chain_initialization(weir_builder *builder, const char *node,
                                                       TF_Output distances, TF_Output seed)
{
    const TF_Output inputs[] = {distances, seed};
    return weir_build_op(builder, "KMC2ChainInitialization", node, inputs, 2);
}

/* KmeansPlusPlusInitialization(points: float, num_to_sample: int64, seed: int64,
 * num_retries_per_sample: int64) -> samples: float: choosing centres among points and finding the
 * nearest ones. */
static inline TF_Output weir_kmeans_plus_plus_initialization(weir_builder *builder,
                                                             const char *node, TF_Output points,
                                                             TF_Output num_to_sample,
                                                             TF_Output seed,
                                                             TF_Output num_retries_per_sample)
{
    const TF_Output inputs[] = {points, num_to_sample, seed, num_retries_per_sample};
    return weir_build_op(builder, "KmeansPlusPlusInitialization", node, inputs, 4);
}

/* LeftShift(x: T, y: T) -> z: T: bits moved to the left. T: int8, int16, int32, int64, uint8,
 * uint16, uint32, uint64. */
static inline TF_Output weir_left_shift(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "LeftShift", node, inputs, 2);
}

/* Less(x: T, y: T) -> z: bool: whether x < y. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_less(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Less", node, inputs, 2);
}

/* LessEqual(x: T, y: T) -> z: bool: whether x <= y. T: float, double, int32, uint8, int16, int8,
 * int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_less_equal(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "LessEqual", node, inputs, 2);
}

/* Lgamma(x: T) -> y: T: the logarithm of the gamma function's magnitude. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_lgamma(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Lgamma", node, inputs, 1);
}

/* LinSpace(start: T, stop: T, num: Tidx) -> output: T: evenly spaced values. T: bfloat16, half,
 * float, double. Tidx: int32, int64. */
static inline TF_Output weir_lin_space(weir_builder *builder, const char *node, TF_Output start,
                                       TF_Output stop, TF_Output num)
{
    const TF_Output inputs[] = {start, stop, num};
    return weir_build_op(builder, "LinSpace", node, inputs, 3);
}

/* Log(x: T) -> y: T: the natural logarithm. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_log_op(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Log", node, inputs, 1);
}

/* Log1p(x: T) -> y: T: the logarithm of 1 + x, exact near 0. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_log1p(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Log1p", node, inputs, 1);
}

/* LogicalAnd(x: bool, y: bool) -> z: bool: whether both are true. */
static inline TF_Output weir_logical_and(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "LogicalAnd", node, inputs, 2);
}

/* LogicalNot(x: bool) -> y: bool: whether it is not true. */
static inline TF_Output weir_logical_not(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "LogicalNot", node, inputs, 1);
}

/* LogicalOr(x: bool, y: bool) -> z: bool: whether one is true. */
static inline TF_Output weir_logical_or(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "LogicalOr", node, inputs, 2);
}

/* Max(input: T, reduction_indices: Tidx) -> output: T: the largest element along axes. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8,
 * qint32, qint16, quint16. Tidx: int32, int64. */
typedef struct weir_max_options {
    bool keep_dims;
} weir_max_options;
static inline TF_Output weir_max(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_max_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Max", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Maximum(x: T, y: T) -> z: T: the larger of x and y. T: bfloat16, half, float, double, int8,
 * uint8, int16, uint16, int32, uint32, int64, uint64. */
static inline TF_Output weir_maximum(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Maximum", node, inputs, 2);
}

/* Mean(input: T, reduction_indices: Tidx) -> output: T: segments of chosen rows, and the gradients
 * of them. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32,
 * bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_mean_options {
    bool keep_dims;
} weir_mean_options;
static inline TF_Output weir_mean(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output reduction_indices, const weir_mean_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Mean", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Min(input: T, reduction_indices: Tidx) -> output: T: the smallest element along axes. T: float,
 * double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, qint8, quint8,
 * qint32, qint16, quint16. Tidx: int32, int64. */
typedef struct weir_min_options {
    bool keep_dims;
} weir_min_options;
static inline TF_Output weir_min(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_min_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Min", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Minimum(x: T, y: T) -> z: T: the smaller of x and y. T: bfloat16, half, float, double, int8,
 * uint8, int16, uint16, int32, uint32, int64, uint64. */
static inline TF_Output weir_minimum(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Minimum", node, inputs, 2);
}

/* Mod(x: T, y: T) -> z: T: what x / y, rounded towards 0, leaves. T: int32, int64, half, half,
 * bfloat16, float, double. */
static inline TF_Output weir_mod(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Mod", node, inputs, 2);
}

/* Mul(x: T, y: T) -> z: T: x * y, with broadcasting. T: bfloat16, half, float, double, uint8, int8,
 * uint16, int16, int32, uint32, uint64, int64, complex64, complex128. */
static inline TF_Output weir_mul(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Mul", node, inputs, 2);
}

/* MulNoNan(x: T, y: T) -> z: T: x * y, and 0 where y is 0. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_mul_no_nan(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "MulNoNan", node, inputs, 2);
}

/* Ndtri(x: T) -> y: T: the quantile of the normal distribution. T: bfloat16, half, float, double.
 * */
static inline TF_Output weir_ndtri(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Ndtri", node, inputs, 1);
}

/* NearestNeighbors(points: float, centers: float, k: int64) -> nearest_center_indices: int64,
 * nearest_center_distances: float: choosing centres among points and finding the nearest ones. */
typedef struct weir_nearest_neighbors_outputs {
    TF_Output nearest_center_indices;
    TF_Output nearest_center_distances;
} weir_nearest_neighbors_outputs;
static inline weir_nearest_neighbors_outputs weir_nearest_neighbors(weir_builder *builder,
                                                                    const char *node,
                                                                    TF_Output points,
                                                                    TF_Output centers, TF_Output k)
{
    const TF_Output inputs[] = {points, centers, k};
    TF_Operation *op = weir_build_op(builder, "NearestNeighbors", node, inputs, 3).oper;
    weir_nearest_neighbors_outputs out;
    out.nearest_center_indices = weir_output(op, 0);
    out.nearest_center_distances = weir_output(op, 1);
    return out;
}

/* Neg(x: T) -> y: T: -x. T: bfloat16, half, float, double, int8, int16, int32, int64, complex64,
 * complex128. */
static inline TF_Output weir_neg(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Neg", node, inputs, 1);
}

/* NextAfter(x1: T, x2: T) -> output: T: the next number from x in the direction of y. T: double,
 * float. */
static inline TF_Output weir_next_after(weir_builder *builder, const char *node, TF_Output x1,
                                        TF_Output x2)
{
    const TF_Output inputs[] = {x1, x2};
    return weir_build_op(builder, "NextAfter", node, inputs, 2);
}

/* NotEqual(x: T, y: T) -> z: bool: whether x and y differ. */
typedef struct weir_not_equal_options {
    bool not_incompatible_shape_error;
} weir_not_equal_options;
static inline TF_Output weir_not_equal(weir_builder *builder, const char *node, TF_Output x,
                                       TF_Output y, const weir_not_equal_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "NotEqual", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made && options) {
        TF_SetAttrBool(made, "incompatible_shape_error", !options->not_incompatible_shape_error);
    }
    return weir_build_end(builder, made);
}

/* Polygamma(a: T, x: T) -> z: T: a derivative of Digamma. T: float, double. */
static inline TF_Output weir_polygamma(weir_builder *builder, const char *node, TF_Output a,
                                       TF_Output x)
{
    const TF_Output inputs[] = {a, x};
    return weir_build_op(builder, "Polygamma", node, inputs, 2);
}

/* PopulationCount(x: T) -> y: uint8: how many bits are set. T: int8, int16, int32, int64, uint8,
 * uint16, uint32, uint64. */
static inline TF_Output weir_population_count(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "PopulationCount", node, inputs, 1);
}

/* Pow(x: T, y: T) -> z: T: x to the power of y. T: bfloat16, float, half, double, int8, int16,
 * int32, int64, complex64, complex128. */
static inline TF_Output weir_pow(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Pow", node, inputs, 2);
}

/* Prod(input: T, reduction_indices: Tidx) -> output: T: the product of elements along axes. T:
 * float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16,
 * qint16, quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_prod_options {
    bool keep_dims;
} weir_prod_options;
static inline TF_Output weir_prod(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output reduction_indices, const weir_prod_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Prod", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* RFFT(input: Treal, fft_length: int32) -> output: Tcomplex: the Fourier transform of real numbers,
 * without its mirrored half. Treal: float, double. Tcomplex: complex64, complex128. */
typedef struct weir_rfft_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfft_options;
static inline TF_Output weir_rfft(weir_builder *builder, const char *node, TF_Output input,
                                  TF_Output fft_length, const weir_rfft_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFT", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* RFFT2D(input: Treal, fft_length: int32) -> output: Tcomplex: RFFT over the last two axes. Treal:
 * float, double. Tcomplex: complex64, complex128. */
typedef struct weir_rfft2d_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfft2d_options;
static inline TF_Output weir_rfft2d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output fft_length, const weir_rfft2d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFT2D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* RFFT3D(input: Treal, fft_length: int32) -> output: Tcomplex: RFFT over the last three axes.
 * Treal: float, double. Tcomplex: complex64, complex128. */
typedef struct weir_rfft3d_options {
    TF_DataType Tcomplex; /* 0: TF_COMPLEX64; complex64, complex128 */
} weir_rfft3d_options;
static inline TF_Output weir_rfft3d(weir_builder *builder, const char *node, TF_Output input,
                                    TF_Output fft_length, const weir_rfft3d_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RFFT3D", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, fft_length);
    if (made && options) {
        if (options->Tcomplex)
            TF_SetAttrType(made, "Tcomplex", options->Tcomplex);
    }
    return weir_build_end(builder, made);
}

/* RaggedBincount(splits: int64, values: Tidx, size: Tidx, weights: T) -> output: T: how often each
 * value occurs, or the sum of the weights it comes with. Tidx: int32, int64. T: int32, int64,
 * float, double. */
typedef struct weir_ragged_bincount_options {
    bool binary_output;
} weir_ragged_bincount_options;
static inline TF_Output weir_ragged_bincount(weir_builder *builder, const char *node,
                                             TF_Output splits, TF_Output values, TF_Output size,
                                             TF_Output weights,
                                             const weir_ragged_bincount_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RaggedBincount", node);
    weir_build_input(builder, made, splits);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, weights);
    if (made && options) {
        TF_SetAttrBool(made, "binary_output", options->binary_output);
    }
    return weir_build_end(builder, made);
}

/* RandomGammaGrad(alpha: T, sample: T) -> output: T: the derivative of a draw of RandomGamma by
 * alpha. T: float, double. */
static inline TF_Output weir_random_gamma_grad(weir_builder *builder, const char *node,
                                               TF_Output alpha, TF_Output sample)
{
    const TF_Output inputs[] = {alpha, sample};
    return weir_build_op(builder, "RandomGammaGrad", node, inputs, 2);
}

/* Range(start: Tidx, limit: Tidx, delta: Tidx) -> output: Tidx: evenly spaced values. Tidx:
 * bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64. */
static inline TF_Output weir_range(weir_builder *builder, const char *node, TF_Output start,
                                   TF_Output limit, TF_Output delta)
{
    const TF_Output inputs[] = {start, limit, delta};
    return weir_build_op(builder, "Range", node, inputs, 3);
}

/* Real(input: T) -> output: Tout: the real part. T: complex64, complex128. Tout: float, double. */
typedef struct weir_real_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_real_options;
static inline TF_Output weir_real(weir_builder *builder, const char *node, TF_Output input,
                                  const weir_real_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Real", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* RealDiv(x: T, y: T) -> z: T: x / y. T: bfloat16, half, float, double, uint8, int8, uint16, int16,
 * int32, uint32, uint64, int64, complex64, complex128. */
static inline TF_Output weir_real_div(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RealDiv", node, inputs, 2);
}

/* Reciprocal(x: T) -> y: T: 1 / x. T: bfloat16, half, float, double, int8, int16, int32, int64,
 * complex64, complex128. */
static inline TF_Output weir_reciprocal(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Reciprocal", node, inputs, 1);
}

/* ReciprocalGrad(y: T, dy: T) -> z: T: the gradient of Reciprocal. T: bfloat16, half, float,
 * double, complex64, complex128. */
static inline TF_Output weir_reciprocal_grad(weir_builder *builder, const char *node, TF_Output y,
                                             TF_Output dy)
{
    const TF_Output inputs[] = {y, dy};
    return weir_build_op(builder, "ReciprocalGrad", node, inputs, 2);
}

/* RightShift(x: T, y: T) -> z: T: bits moved to the right. T: int8, int16, int32, int64, uint8,
 * uint16, uint32, uint64. */
static inline TF_Output weir_right_shift(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RightShift", node, inputs, 2);
}

/* Rint(x: T) -> y: T: the nearest integer, the even one of two. T: bfloat16, half, float, double.
 * */
static inline TF_Output weir_rint(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Rint", node, inputs, 1);
}

/* Round(x: T) -> y: T: the nearest integer, the even one of two. T: bfloat16, half, float, double,
 * int8, int16, int32, int64, complex64, complex128. */
static inline TF_Output weir_round(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Round", node, inputs, 1);
}

/* Rsqrt(x: T) -> y: T: 1 / the square root. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_rsqrt(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Rsqrt", node, inputs, 1);
}

/* RsqrtGrad(y: T, dy: T) -> z: T: the gradient of Rsqrt. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_rsqrt_grad(weir_builder *builder, const char *node, TF_Output y,
                                        TF_Output dy)
{
    const TF_Output inputs[] = {y, dy};
    return weir_build_op(builder, "RsqrtGrad", node, inputs, 2);
}

/* SegmentMax(data: T, segment_ids: Tindices) -> output: T: the largest of the rows that share a
 * number; numbers rise. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half,
 * uint32, uint64. Tindices: int32, int64. */
static inline TF_Output weir_segment_max(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentMax", node, inputs, 2);
}

/* SegmentMean(data: T, segment_ids: Tindices) -> output: T: the mean of the rows that share a
 * number; numbers rise. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
static inline TF_Output weir_segment_mean(weir_builder *builder, const char *node, TF_Output data,
                                          TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentMean", node, inputs, 2);
}

/* SegmentMin(data: T, segment_ids: Tindices) -> output: T: the smallest of the rows that share a
 * number; numbers rise. T: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half,
 * uint32, uint64. Tindices: int32, int64. */
static inline TF_Output weir_segment_min(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentMin", node, inputs, 2);
}

/* SegmentProd(data: T, segment_ids: Tindices) -> output: T: the product of the rows that share a
 * number; numbers rise. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8,
 * quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices:
 * int32, int64. */
static inline TF_Output weir_segment_prod(weir_builder *builder, const char *node, TF_Output data,
                                          TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentProd", node, inputs, 2);
}

/* SegmentSum(data: T, segment_ids: Tindices) -> output: T: the sum of the rows that share a number;
 * numbers rise. T: float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8,
 * qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. Tindices: int32,
 * int64. */
static inline TF_Output weir_segment_sum(weir_builder *builder, const char *node, TF_Output data,
                                         TF_Output segment_ids)
{
    const TF_Output inputs[] = {data, segment_ids};
    return weir_build_op(builder, "SegmentSum", node, inputs, 2);
}

/* Select(condition: bool, t: T, e: T) -> output: T: elements of t where a condition holds, else of
 * e. */
static inline TF_Output weir_select(weir_builder *builder, const char *node, TF_Output condition,
                                    TF_Output t, TF_Output e)
{
    const TF_Output inputs[] = {condition, t, e};
    return weir_build_op(builder, "Select", node, inputs, 3);
}

/* SelectV2(condition: bool, t: T, e: T) -> output: T: elements of t where a condition holds, else
 * of e. */
static inline TF_Output weir_select_v2(weir_builder *builder, const char *node, TF_Output condition,
                                       TF_Output t, TF_Output e)
{
    const TF_Output inputs[] = {condition, t, e};
    return weir_build_op(builder, "SelectV2", node, inputs, 3);
}

/* Sigmoid(x: T) -> y: T: 1 / (1 + e^-x). T: bfloat16, half, float, double, complex64, complex128.
 * */
static inline TF_Output weir_sigmoid(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Sigmoid", node, inputs, 1);
}

/* SigmoidGrad(y: T, dy: T) -> z: T: the gradient of Sigmoid. T: bfloat16, half, float, double,
 * complex64, complex128. */
static inline TF_Output weir_sigmoid_grad(weir_builder *builder, const char *node, TF_Output y,
                                          TF_Output dy)
{
    const TF_Output inputs[] = {y, dy};
    return weir_build_op(builder, "SigmoidGrad", node, inputs, 2);
}

/* Sign(x: T) -> y: T: -1, 0 or 1. T: bfloat16, half, float, double, int8, int16, int32, int64,
 * complex64, complex128. */
static inline TF_Output weir_sign(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Sign", node, inputs, 1);
}

/* Sin(x: T) -> y: T: the sine. T: bfloat16, half, float, double, complex64, complex128. */
static inline TF_Output weir_sin(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Sin", node, inputs, 1);
}

/* Sinh(x: T) -> y: T: the hyperbolic sine. T: bfloat16, half, float, double, complex64, complex128.
 * */
static inline TF_Output weir_sinh(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Sinh", node, inputs, 1);
}

/* SparseBincount(indices: int64, values: Tidx, dense_shape: int64, size: Tidx, weights: T) ->
 * output: T: how often each value occurs, or the sum of the weights it comes with. Tidx: int32,
 * int64. T: int32, int64, float, double. */
typedef struct weir_sparse_bincount_options {
    bool binary_output;
} weir_sparse_bincount_options;
static inline TF_Output weir_sparse_bincount(weir_builder *builder, const char *node,
                                             TF_Output indices, TF_Output values,
                                             TF_Output dense_shape, TF_Output size,
                                             TF_Output weights,
                                             const weir_sparse_bincount_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseBincount", node);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, values);
    weir_build_input(builder, made, dense_shape);
    weir_build_input(builder, made, size);
    weir_build_input(builder, made, weights);
    if (made && options) {
        TF_SetAttrBool(made, "binary_output", options->binary_output);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentMean(data: T, indices: Tidx, segment_ids: Tsegmentids) -> output: T: SegmentMean
 * over rows chosen by indices. T: bfloat16, half, float, double. Tidx: int32, int64. Tsegmentids:
 * int32, int64. */
typedef struct weir_sparse_segment_mean_options {
    bool sparse_gradient;
} weir_sparse_segment_mean_options;
static inline TF_Output weir_sparse_segment_mean(weir_builder *builder, const char *node,
                                                 TF_Output data, TF_Output indices,
                                                 TF_Output segment_ids,
                                                 const weir_sparse_segment_mean_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSegmentMean", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentMeanGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) ->
 * output: T: the gradient of SparseSegmentMean. T: bfloat16, half, float, double. Tidx: int32,
 * int64. Tsegmentids: int32, int64. */
static inline TF_Output weir_sparse_segment_mean_grad(weir_builder *builder, const char *node,
                                                      TF_Output grad, TF_Output indices,
                                                      TF_Output segment_ids, TF_Output output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, output_dim0};
    return weir_build_op(builder, "SparseSegmentMeanGrad", node, inputs, 4);
}

/* SparseSegmentMeanGradV2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0:
 * int32) -> output: T, sorted_unique_indices: Tidx: the gradient of SparseSegmentMean. T: bfloat16,
 * half, float, double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_mean_grad_v2_outputs {
    TF_Output output;
    TF_Output sorted_unique_indices;
} weir_sparse_segment_mean_grad_v2_outputs;
static inline weir_sparse_segment_mean_grad_v2_outputs
weir_sparse_segment_mean_grad_v2(weir_builder *builder, const char *node, TF_Output grad,
                                 TF_Output indices, TF_Output segment_ids,
                                 TF_Output dense_output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, dense_output_dim0};
    TF_Operation *op = weir_build_op(builder, "SparseSegmentMeanGradV2", node, inputs, 4).oper;
    weir_sparse_segment_mean_grad_v2_outputs out;
    out.output = weir_output(op, 0);
    out.sorted_unique_indices = weir_output(op, 1);
    return out;
}

/* SparseSegmentMeanWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments:
 * Tnumsegments) -> output: T: SparseSegmentMean into a given number of rows. T: bfloat16, half,
 * float, double. Tidx: int32, int64. Tnumsegments: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_mean_with_num_segments_options {
    bool sparse_gradient;
} weir_sparse_segment_mean_with_num_segments_options;
static inline TF_Output
weir_sparse_segment_mean_with_num_segments(weir_builder *builder, const char *node, TF_Output data,
    TF_Output indices, TF_Output segment_ids, TF_Output num_segments,
    const weir_sparse_segment_mean_with_num_segments_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseSegmentMeanWithNumSegments", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSqrtN(data: T, indices: Tidx, segment_ids: Tsegmentids) -> output: T:
 * SparseSegmentSum divided by the root of how many there were. T: bfloat16, half, float, double.
 * Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sqrt_n_options {
    bool sparse_gradient;
} weir_sparse_segment_sqrt_n_options;
static inline TF_Output
weir_sparse_segment_sqrt_n(weir_builder *builder, const char *node, TF_Output data,
                           TF_Output indices, TF_Output segment_ids,
                           const weir_sparse_segment_sqrt_n_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSegmentSqrtN", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSqrtNGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) ->
 * output: T: the gradient of SparseSegmentSqrtN. T: bfloat16, half, float, double. Tidx: int32,
 * int64. Tsegmentids: int32, int64. */
static inline TF_Output weir_sparse_segment_sqrt_n_grad(weir_builder *builder, const char *node,
                                                        TF_Output grad, TF_Output indices,
                                                        TF_Output segment_ids,
                                                        TF_Output output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, output_dim0};
    return weir_build_op(builder, "SparseSegmentSqrtNGrad", node, inputs, 4);
}

/* SparseSegmentSqrtNGradV2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0:
 * int32) -> output: T, sorted_unique_indices: Tidx: the gradient of SparseSegmentSqrtN. T:
 * bfloat16, half, float, double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sqrt_n_grad_v2_outputs {
    TF_Output output;
    TF_Output sorted_unique_indices;
} weir_sparse_segment_sqrt_n_grad_v2_outputs;
static inline weir_sparse_segment_sqrt_n_grad_v2_outputs
weir_sparse_segment_sqrt_n_grad_v2(weir_builder *builder, const char *node, TF_Output grad,
                                   TF_Output indices, TF_Output segment_ids,
                                   TF_Output dense_output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, dense_output_dim0};
    TF_Operation *op = weir_build_op(builder, "SparseSegmentSqrtNGradV2", node, inputs, 4).oper;
    weir_sparse_segment_sqrt_n_grad_v2_outputs out;
    out.output = weir_output(op, 0);
    out.sorted_unique_indices = weir_output(op, 1);
    return out;
}

/* SparseSegmentSqrtNWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments:
 * Tnumsegments) -> output: T: SparseSegmentSqrtN into a given number of rows. T: bfloat16, half,
 * float, double. Tidx: int32, int64. Tnumsegments: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sqrt_n_with_num_segments_options {
    bool sparse_gradient;
} weir_sparse_segment_sqrt_n_with_num_segments_options;
static inline TF_Output
weir_sparse_segment_sqrt_n_with_num_segments(weir_builder *builder, const char *node,
    TF_Output data, TF_Output indices, TF_Output segment_ids, TF_Output num_segments,
    const weir_sparse_segment_sqrt_n_with_num_segments_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseSegmentSqrtNWithNumSegments", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSum(data: T, indices: Tidx, segment_ids: Tsegmentids) -> output: T: segments of
 * chosen rows, and the gradients of them. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sum_options {
    bool sparse_gradient;
} weir_sparse_segment_sum_options;
static inline TF_Output weir_sparse_segment_sum(weir_builder *builder, const char *node,
                                                TF_Output data, TF_Output indices,
                                                TF_Output segment_ids,
                                                const weir_sparse_segment_sum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SparseSegmentSum", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* SparseSegmentSumGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) ->
 * output: T: the gradient of SparseSegmentSum. T: bfloat16, half, float, double. Tidx: int32,
 * int64. Tsegmentids: int32, int64. */
static inline TF_Output weir_sparse_segment_sum_grad(weir_builder *builder, const char *node,
                                                     TF_Output grad, TF_Output indices,
                                                     TF_Output segment_ids, TF_Output output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, output_dim0};
    return weir_build_op(builder, "SparseSegmentSumGrad", node, inputs, 4);
}

/* SparseSegmentSumGradV2(grad: T, indices: Tidx, segment_ids: Tsegmentids, dense_output_dim0:
 * int32) -> output: T, sorted_unique_indices: Tidx: the gradient of SparseSegmentSum. T: bfloat16,
 * half, float, double. Tidx: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sum_grad_v2_outputs {
    TF_Output output;
    TF_Output sorted_unique_indices;
} weir_sparse_segment_sum_grad_v2_outputs;
static inline weir_sparse_segment_sum_grad_v2_outputs
weir_sparse_segment_sum_grad_v2(weir_builder *builder, const char *node, TF_Output grad,
                                TF_Output indices, TF_Output segment_ids,
                                TF_Output dense_output_dim0)
{
    const TF_Output inputs[] = {grad, indices, segment_ids, dense_output_dim0};
    TF_Operation *op = weir_build_op(builder, "SparseSegmentSumGradV2", node, inputs, 4).oper;
    weir_sparse_segment_sum_grad_v2_outputs out;
    out.output = weir_output(op, 0);
    out.sorted_unique_indices = weir_output(op, 1);
    return out;
}

/* SparseSegmentSumWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments:
 * Tnumsegments) -> output: T: SparseSegmentSum into a given number of rows. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. Tidx: int32, int64.
 * Tnumsegments: int32, int64. Tsegmentids: int32, int64. */
typedef struct weir_sparse_segment_sum_with_num_segments_options {
    bool sparse_gradient;
} weir_sparse_segment_sum_with_num_segments_options;
static inline TF_Output
weir_sparse_segment_sum_with_num_segments(weir_builder *builder, const char *node, TF_Output data,
    TF_Output indices, TF_Output segment_ids, TF_Output num_segments,
    const weir_sparse_segment_sum_with_num_segments_options *options)
{
    TF_OperationDescription *made =
        weir_build_begin(builder, "SparseSegmentSumWithNumSegments", node);
    weir_build_input(builder, made, data);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, segment_ids);
    weir_build_input(builder, made, num_segments);
    if (made && options) {
        TF_SetAttrBool(made, "sparse_gradient", options->sparse_gradient);
    }
    return weir_build_end(builder, made);
}

/* Spence(x: T) -> y: T: the dilogarithm. T: bfloat16, half, float, double. */
static inline TF_Output weir_spence(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Spence", node, inputs, 1);
}

/* Sqrt(x: T) -> y: T: the square root. T: bfloat16, half, float, double, complex64, complex128. */
static inline TF_Output weir_sqrt(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Sqrt", node, inputs, 1);
}

/* SqrtGrad(y: T, dy: T) -> z: T: the gradient of Sqrt. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_sqrt_grad(weir_builder *builder, const char *node, TF_Output y,
                                       TF_Output dy)
{
    const TF_Output inputs[] = {y, dy};
    return weir_build_op(builder, "SqrtGrad", node, inputs, 2);
}

/* Square(x: T) -> y: T: x * x. T: bfloat16, half, float, double, int8, int16, int32, int64, uint8,
 * uint16, uint32, uint64, complex64, complex128. */
static inline TF_Output weir_square(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Square", node, inputs, 1);
}

/* SquaredDifference(x: T, y: T) -> z: T: (x - y)^2. T: bfloat16, half, float, double, int32, int64,
 * complex64, complex128. */
static inline TF_Output weir_squared_difference(weir_builder *builder, const char *node,
                                                TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "SquaredDifference", node, inputs, 2);
}

/* Sub(x: T, y: T) -> z: T: x - y, with broadcasting. T: bfloat16, half, float, double, uint8, int8,
 * uint16, int16, int32, int64, complex64, complex128, uint32, uint64. */
static inline TF_Output weir_sub(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Sub", node, inputs, 2);
}

/* Sum(input: T, reduction_indices: Tidx) -> output: T: the sum of elements along axes. T: float,
 * double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16,
 * quint16, uint16, complex128, half, uint32, uint64. Tidx: int32, int64. */
typedef struct weir_sum_options {
    bool keep_dims;
} weir_sum_options;
static inline TF_Output weir_sum(weir_builder *builder, const char *node, TF_Output input,
                                 TF_Output reduction_indices, const weir_sum_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Sum", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, reduction_indices);
    if (made && options) {
        TF_SetAttrBool(made, "keep_dims", options->keep_dims);
    }
    return weir_build_end(builder, made);
}

/* Tan(x: T) -> y: T: the tangent. T: bfloat16, half, float, double, complex64, complex128. */
static inline TF_Output weir_tan(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Tan", node, inputs, 1);
}

/* Tanh(x: T) -> y: T: the hyperbolic tangent. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_tanh(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Tanh", node, inputs, 1);
}

/* TanhGrad(y: T, dy: T) -> z: T: the gradient of Tanh. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_tanh_grad(weir_builder *builder, const char *node, TF_Output y,
                                       TF_Output dy)
{
    const TF_Output inputs[] = {y, dy};
    return weir_build_op(builder, "TanhGrad", node, inputs, 2);
}

/* TruncateDiv(x: T, y: T) -> z: T: x / y, rounded towards 0. T: bfloat16, half, float, double,
 * uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128. */
static inline TF_Output weir_truncate_div(weir_builder *builder, const char *node, TF_Output x,
                                          TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "TruncateDiv", node, inputs, 2);
}

/* TruncateMod(x: T, y: T) -> z: T: what x / y, rounded towards 0, leaves. T: int32, int64,
 * bfloat16, half, float, double. */
static inline TF_Output weir_truncate_mod(weir_builder *builder, const char *node, TF_Output x,
                                          TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "TruncateMod", node, inputs, 2);
}

/* UnsortedSegmentMax(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * largest of the rows that share a number. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_max(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output segment_ids,
                                                  TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentMax", node, inputs, 3);
}

/* UnsortedSegmentMin(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * smallest of the rows that share a number. T: float, double, int32, uint8, int16, int8, int64,
 * bfloat16, uint16, half, uint32, uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_min(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output segment_ids,
                                                  TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentMin", node, inputs, 3);
}

/* UnsortedSegmentProd(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * product of the rows that share a number. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_prod(weir_builder *builder, const char *node,
                                                   TF_Output data, TF_Output segment_ids,
                                                   TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentProd", node, inputs, 3);
}

/* UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> output: T: the
 * sum of the rows that share a number. T: float, double, int32, uint8, int16, int8, complex64,
 * int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32,
 * uint64. Tindices: int16, int32, int64. Tnumsegments: int32, int64. */
static inline TF_Output weir_unsorted_segment_sum(weir_builder *builder, const char *node,
                                                  TF_Output data, TF_Output segment_ids,
                                                  TF_Output num_segments)
{
    const TF_Output inputs[] = {data, segment_ids, num_segments};
    return weir_build_op(builder, "UnsortedSegmentSum", node, inputs, 3);
}

/* Xdivy(x: T, y: T) -> z: T: x / y, and 0 where x is 0. T: half, bfloat16, float, double,
 * complex64, complex128. */
static inline TF_Output weir_xdivy(weir_builder *builder, const char *node, TF_Output x,
                                   TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Xdivy", node, inputs, 2);
}

/* Xlog1py(x: T, y: T) -> z: T: x * log(1 + y), and 0 where x is 0. T: half, bfloat16, float,
 * double, complex64, complex128. */
static inline TF_Output weir_xlog1py(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Xlog1py", node, inputs, 2);
}

/* Xlogy(x: T, y: T) -> z: T: x * log(y), and 0 where x is 0. T: half, bfloat16, float, double,
 * complex64, complex128. */
static inline TF_Output weir_xlogy(weir_builder *builder, const char *node, TF_Output x,
                                   TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Xlogy", node, inputs, 2);
}

/* Zeta(x: T, q: T) -> z: T: the Hurwitz zeta function. T: float, double. */
static inline TF_Output weir_zeta(weir_builder *builder, const char *node, TF_Output x, TF_Output q)
{
    const TF_Output inputs[] = {x, q};
    return weir_build_op(builder, "Zeta", node, inputs, 2);
}

#ifdef __cplusplus
}
#endif
#endif
