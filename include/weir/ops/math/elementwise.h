/* weir/ops/math/elementwise.h - arithmetic element by element.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_MATH_ELEMENTWISE_OPS_H
#define WEIR_MATH_ELEMENTWISE_OPS_H

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

/* Add(x: T, y: T) -> z: T: combines the entries of a sparse tensor with a dense one, which is
 * broadcast. T: bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64,
 * complex128, string. */
static inline TF_Output weir_add(weir_builder *builder, const char *node, TF_Output x, TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Add", node, inputs, 2);
}

/* AddV2(x: T, y: T) -> z: T: x + y, with broadcasting. T: bfloat16, half, float, double, uint8,
 * uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128. */
static inline TF_Output weir_add_v2(weir_builder *builder, const char *node, TF_Output x,
                                    TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "AddV2", node, inputs, 2);
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

/* BitwiseAnd(x: T, y: T) -> z: T: bitwise and. T: int8, int16, int32, int64, uint8, uint16, uint32,
 * uint64. */
static inline TF_Output weir_bitwise_and(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "BitwiseAnd", node, inputs, 2);
}

/* BitwiseOr(x: T, y: T) -> z: T: bitwise or. T: int8, int16, int32, int64, uint8, uint16, uint32,
 * uint64. */
static inline TF_Output weir_bitwise_or(weir_builder *builder, const char *node, TF_Output x,
                                        TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "BitwiseOr", node, inputs, 2);
}

/* BitwiseXor(x: T, y: T) -> z: T: bitwise exclusive or. T: int8, int16, int32, int64, uint8,
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

/* ClipByValue(t: T, clip_value_min: T, clip_value_max: T) -> output: T: min(max(t, low), high);
 * bounds are scalars or like t. T: float, double, int32, uint8, int16, int8, complex64, int64,
 * qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64. */
static inline TF_Output weir_clip_by_value(weir_builder *builder, const char *node, TF_Output t,
                                           TF_Output clip_value_min, TF_Output clip_value_max)
{
    const TF_Output inputs[] = {t, clip_value_min, clip_value_max};
    return weir_build_op(builder, "ClipByValue", node, inputs, 3);
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

/* Cross(a: T, b: T) -> product: T: the cross product along the last dimension. T: float, double,
 * int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64. */
static inline TF_Output weir_cross(weir_builder *builder, const char *node, TF_Output a,
                                   TF_Output b)
{
    const TF_Output inputs[] = {a, b};
    return weir_build_op(builder, "Cross", node, inputs, 2);
}

/* Div(x: T, y: T) -> z: T: combines the entries of a sparse tensor with a dense one, which is
 * broadcast. T: bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64,
 * int64, complex64, complex128. */
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

/* Equal(x: T, y: T) -> z: bool: whether x and y are equal. */
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

/* Exp(x: T) -> y: T: e^x. T: bfloat16, half, float, double, complex64, complex128. */
static inline TF_Output weir_exp(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Exp", node, inputs, 1);
}

/* Expm1(x: T) -> y: T: e^x - 1, exact near 0. T: bfloat16, half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_expm1(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Expm1", node, inputs, 1);
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

/* FloorMod(x: T, y: T) -> z: T: the remainder of x / y rounded down. T: int8, int16, int32, int64,
 * uint8, uint16, uint32, uint64, bfloat16, half, float, double. */
static inline TF_Output weir_floor_mod(weir_builder *builder, const char *node, TF_Output x,
                                       TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "FloorMod", node, inputs, 2);
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

/* Invert(x: T) -> y: T: bitwise complement. T: int8, int16, int32, int64, uint8, uint16, uint32,
 * uint64. */
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

/* LeftShift(x: T, y: T) -> z: T: bits shifted to the left. T: int8, int16, int32, int64, uint8,
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

/* Maximum(x: T, y: T) -> z: T: the larger of x and y. T: bfloat16, half, float, double, int8,
 * uint8, int16, uint16, int32, uint32, int64, uint64. */
static inline TF_Output weir_maximum(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Maximum", node, inputs, 2);
}

/* Minimum(x: T, y: T) -> z: T: the smaller of x and y. T: bfloat16, half, float, double, int8,
 * uint8, int16, uint16, int32, uint32, int64, uint64. */
static inline TF_Output weir_minimum(weir_builder *builder, const char *node, TF_Output x,
                                     TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "Minimum", node, inputs, 2);
}

/* Mod(x: T, y: T) -> z: T: the remainder of x / y rounded towards 0. T: int32, int64, half, half,
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

/* RandomGammaGrad(alpha: T, sample: T) -> output: T: the derivative of a draw of RandomGamma by
 * alpha. T: float, double. */
static inline TF_Output weir_random_gamma_grad(weir_builder *builder, const char *node,
                                               TF_Output alpha, TF_Output sample)
{
    const TF_Output inputs[] = {alpha, sample};
    return weir_build_op(builder, "RandomGammaGrad", node, inputs, 2);
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

/* RightShift(x: T, y: T) -> z: T: bits shifted to the right. T: int8, int16, int32, int64, uint8,
 * uint16, uint32, uint64. */
static inline TF_Output weir_right_shift(weir_builder *builder, const char *node, TF_Output x,
                                         TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RightShift", node, inputs, 2);
}

/* Rint(x: T) -> y: T: the nearest integer, ties to even. T: bfloat16, half, float, double. */
static inline TF_Output weir_rint(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "Rint", node, inputs, 1);
}

/* Round(x: T) -> y: T: the nearest integer, ties to even. T: bfloat16, half, float, double, int8,
 * int16, int32, int64, complex64, complex128. */
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

/* TruncateMod(x: T, y: T) -> z: T: the remainder of x / y rounded towards 0. T: int32, int64,
 * bfloat16, half, float, double. */
static inline TF_Output weir_truncate_mod(weir_builder *builder, const char *node, TF_Output x,
                                          TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "TruncateMod", node, inputs, 2);
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

#ifdef __cplusplus
}
#endif
#endif
