/* weir/ops/math/risc.h - a small set of ops under names of their own.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_MATH_RISC_OPS_H
#define WEIR_MATH_RISC_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* RiscAbs(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_abs(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscAbs", node, inputs, 1);
}

/* RiscAdd(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_add(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscAdd", node, inputs, 2);
}

/* RiscBinaryArithmetic(x: T, y: T) -> z: T. op_type: 'ADD', 'SUB', 'MUL', 'DIV', 'REM', 'MIN',
 * 'POW'. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_binary_arithmetic(weir_builder *builder, const char *node,
                                                    TF_Output x, TF_Output y, const char *op_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscBinaryArithmetic", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made) {
        weir_attr_string(made, "op_type", op_type);
    }
    return weir_build_end(builder, made);
}

/* RiscBinaryComparison(x: T, y: T) -> z: bool. op_type: 'EQ', 'NE', 'GE', 'GT', 'LE', 'LT'. T:
 * bfloat16, half, float, double. */
static inline TF_Output weir_risc_binary_comparison(weir_builder *builder, const char *node,
                                                    TF_Output x, TF_Output y, const char *op_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscBinaryComparison", node);
    weir_build_input(builder, made, x);
    weir_build_input(builder, made, y);
    if (made) {
        weir_attr_string(made, "op_type", op_type);
    }
    return weir_build_end(builder, made);
}

/* RiscBitcast(x: SrcT) -> y: DstT. */
static inline TF_Output weir_risc_bitcast(weir_builder *builder, const char *node, TF_Output x,
                                          TF_DataType DstT)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscBitcast", node);
    weir_build_input(builder, made, x);
    if (made) {
        TF_SetAttrType(made, "DstT", DstT);
    }
    return weir_build_end(builder, made);
}

/* RiscBroadcast(input: T, shape: Tidx) -> output: T. Tidx: int32, int64. */
static inline TF_Output weir_risc_broadcast(weir_builder *builder, const char *node,
                                            TF_Output input, TF_Output shape)
{
    const TF_Output inputs[] = {input, shape};
    return weir_build_op(builder, "RiscBroadcast", node, inputs, 2);
}

/* RiscCast(x: SrcT) -> y: DstT. */
static inline TF_Output weir_risc_cast(weir_builder *builder, const char *node, TF_Output x,
                                       TF_DataType DstT)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscCast", node);
    weir_build_input(builder, made, x);
    if (made) {
        TF_SetAttrType(made, "DstT", DstT);
    }
    return weir_build_end(builder, made);
}

/* RiscCeil(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_ceil(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscCeil", node, inputs, 1);
}

/* RiscCholesky(input: T) -> output: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_cholesky(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "RiscCholesky", node, inputs, 1);
}

/* RiscConcat(values: N * T, axis: Tidx) -> output: T. Tidx: int32, int64. */
static inline TF_Output weir_risc_concat(weir_builder *builder, const char *node,
                                         const TF_Output *values, int values_count, TF_Output axis)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscConcat", node);
    weir_build_input_list(builder, made, values, values_count);
    weir_build_input(builder, made, axis);
    return weir_build_end(builder, made);
}

/* RiscConv(input: T, filter: T) -> output: T. T: bfloat16, half, float, double. */
typedef struct weir_risc_conv_options {
    const char *data_format; /* null: 'NHWC'; 'NHWC', 'NCHW' */
    const int64_t *dilations;
    int dilations_count; /* null: [1, 1, 1, 1] */
} weir_risc_conv_options;
static inline TF_Output weir_risc_conv(weir_builder *builder, const char *node, TF_Output input,
                                       TF_Output filter, const int64_t *strides, int strides_count,
                                       const weir_risc_conv_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscConv", node);
    weir_build_input(builder, made, input);
    weir_build_input(builder, made, filter);
    if (made) {
        TF_SetAttrIntList(made, "strides", strides, strides_count);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
        if (options->dilations)
            TF_SetAttrIntList(made, "dilations", options->dilations, options->dilations_count);
    }
    return weir_build_end(builder, made);
}

/* RiscCos(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_cos(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscCos", node, inputs, 1);
}

/* RiscDiv(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_div(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscDiv", node, inputs, 2);
}

/* RiscDot(a: T, b: T) -> product: T. T: bfloat16, half, float, double. */
typedef struct weir_risc_dot_options {
    bool transpose_a;
    bool transpose_b;
} weir_risc_dot_options;
static inline TF_Output weir_risc_dot(weir_builder *builder, const char *node, TF_Output a,
                                      TF_Output b, const weir_risc_dot_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscDot", node);
    weir_build_input(builder, made, a);
    weir_build_input(builder, made, b);
    if (made && options) {
        TF_SetAttrBool(made, "transpose_a", options->transpose_a);
        TF_SetAttrBool(made, "transpose_b", options->transpose_b);
    }
    return weir_build_end(builder, made);
}

/* RiscExp(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_exp(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscExp", node, inputs, 1);
}

/* RiscFft(input: Tcomplex) -> output: Tcomplex. Tcomplex: complex64, complex128. */
static inline TF_Output weir_risc_fft(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "RiscFft", node, inputs, 1);
}

/* RiscFloor(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_floor(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscFloor", node, inputs, 1);
}

/* RiscGather(params: Tparams, indices: Tindices, axis: Taxis) -> output: Tparams. Tindices: int32,
 * int64. Taxis: int32, int64. */
typedef struct weir_risc_gather_options {
    int64_t batch_dims;
} weir_risc_gather_options;
static inline TF_Output weir_risc_gather(weir_builder *builder, const char *node, TF_Output params,
                                         TF_Output indices, TF_Output axis,
                                         const weir_risc_gather_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscGather", node);
    weir_build_input(builder, made, params);
    weir_build_input(builder, made, indices);
    weir_build_input(builder, made, axis);
    if (made && options) {
        TF_SetAttrInt(made, "batch_dims", options->batch_dims);
    }
    return weir_build_end(builder, made);
}

/* RiscImag(input: T) -> output: Tout. T: complex64, complex128. Tout: float, double. */
typedef struct weir_risc_imag_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_risc_imag_options;
static inline TF_Output weir_risc_imag(weir_builder *builder, const char *node, TF_Output input,
                                       const weir_risc_imag_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscImag", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* RiscIsFinite(x: T) -> y: bool. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_is_finite(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscIsFinite", node, inputs, 1);
}

/* RiscLog(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_log(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscLog", node, inputs, 1);
}

/* RiscLogicalAnd(x: bool, y: bool) -> z: bool. */
static inline TF_Output weir_risc_logical_and(weir_builder *builder, const char *node, TF_Output x,
                                              TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscLogicalAnd", node, inputs, 2);
}

/* RiscLogicalNot(x: bool) -> z: bool. */
static inline TF_Output weir_risc_logical_not(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscLogicalNot", node, inputs, 1);
}

/* RiscLogicalOr(x: bool, y: bool) -> z: bool. */
static inline TF_Output weir_risc_logical_or(weir_builder *builder, const char *node, TF_Output x,
                                             TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscLogicalOr", node, inputs, 2);
}

/* RiscMax(x: T, y: T) -> max: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_max(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscMax", node, inputs, 2);
}

/* RiscMin(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_min(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscMin", node, inputs, 2);
}

/* RiscMul(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_mul(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscMul", node, inputs, 2);
}

/* RiscNeg(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_neg(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscNeg", node, inputs, 1);
}

/* RiscPad(input: T, paddings: Tpaddings, constant_values: T) -> output: T. T: bfloat16, half,
 * float, double. Tpaddings: int32, int64. */
static inline TF_Output weir_risc_pad(weir_builder *builder, const char *node, TF_Output input,
                                      TF_Output paddings, TF_Output constant_values)
{
    const TF_Output inputs[] = {input, paddings, constant_values};
    return weir_build_op(builder, "RiscPad", node, inputs, 3);
}

/* RiscPool(value: T) -> output: T. pooling_type: 'AVG', 'MAX'. T: bfloat16, half, float, double. */
typedef struct weir_risc_pool_options {
    const char *data_format; /* null: 'NHWC'; 'NHWC', 'NCHW' */
} weir_risc_pool_options;
static inline TF_Output weir_risc_pool(weir_builder *builder, const char *node, TF_Output value,
                                       const int64_t *ksize, int ksize_count,
                                       const int64_t *strides, int strides_count,
                                       const char *pooling_type,
                                       const weir_risc_pool_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscPool", node);
    weir_build_input(builder, made, value);
    if (made) {
        TF_SetAttrIntList(made, "ksize", ksize, ksize_count);
        TF_SetAttrIntList(made, "strides", strides, strides_count);
        weir_attr_string(made, "pooling_type", pooling_type);
    }
    if (made && options) {
        if (options->data_format)
            weir_attr_string(made, "data_format", options->data_format);
    }
    return weir_build_end(builder, made);
}

/* RiscPow(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_pow(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscPow", node, inputs, 2);
}

/* RiscRandomUniform(shape: T) -> output: float. T: int32, int64. */
typedef struct weir_risc_random_uniform_options {
    int64_t seed;
} weir_risc_random_uniform_options;
static inline TF_Output weir_risc_random_uniform(weir_builder *builder, const char *node,
                                                 TF_Output shape,
                                                 const weir_risc_random_uniform_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscRandomUniform", node);
    weir_build_input(builder, made, shape);
    if (made && options) {
        TF_SetAttrInt(made, "seed", options->seed);
    }
    return weir_build_end(builder, made);
}

/* RiscReal(input: T) -> output: Tout. T: complex64, complex128. Tout: float, double. */
typedef struct weir_risc_real_options {
    TF_DataType Tout; /* 0: TF_FLOAT; float, double */
} weir_risc_real_options;
static inline TF_Output weir_risc_real(weir_builder *builder, const char *node, TF_Output input,
                                       const weir_risc_real_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscReal", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->Tout)
            TF_SetAttrType(made, "Tout", options->Tout);
    }
    return weir_build_end(builder, made);
}

/* RiscReduce(tensor: T, axis: Index) -> output: T. reduce_type: 'MEAN', 'SUM'. Index: int32, int64.
 * T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_reduce(weir_builder *builder, const char *node, TF_Output tensor,
                                         TF_Output axis, const char *reduce_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscReduce", node);
    weir_build_input(builder, made, tensor);
    weir_build_input(builder, made, axis);
    if (made) {
        weir_attr_string(made, "reduce_type", reduce_type);
    }
    return weir_build_end(builder, made);
}

/* RiscRem(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_rem(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscRem", node, inputs, 2);
}

/* RiscReshape(tensor: T, shape: Tshape) -> output: T. T: bfloat16, half, float, double. Tshape:
 * int32, int64. */
static inline TF_Output weir_risc_reshape(weir_builder *builder, const char *node, TF_Output tensor,
                                          TF_Output shape)
{
    const TF_Output inputs[] = {tensor, shape};
    return weir_build_op(builder, "RiscReshape", node, inputs, 2);
}

/* RiscReverse(tensor: T, axis: Tidx) -> output: T. Tidx: int32, int64. T: bfloat16, half, float,
 * double. */
static inline TF_Output weir_risc_reverse(weir_builder *builder, const char *node, TF_Output tensor,
                                          TF_Output axis)
{
    const TF_Output inputs[] = {tensor, axis};
    return weir_build_op(builder, "RiscReverse", node, inputs, 2);
}

/* RiscScatter(indices: Tindices, updates: T, shape: Tindices) -> output: T. T: bfloat16, half,
 * float, double. Tindices: int32, int64. */
static inline TF_Output weir_risc_scatter(weir_builder *builder, const char *node,
                                          TF_Output indices, TF_Output updates, TF_Output shape)
{
    const TF_Output inputs[] = {indices, updates, shape};
    return weir_build_op(builder, "RiscScatter", node, inputs, 3);
}

/* RiscShape(input: T) -> output: out_type. T: bfloat16, half, float, double. out_type: int32,
 * int64. */
typedef struct weir_risc_shape_options {
    TF_DataType out_type; /* 0: TF_INT32; int32, int64 */
} weir_risc_shape_options;
static inline TF_Output weir_risc_shape(weir_builder *builder, const char *node, TF_Output input,
                                        const weir_risc_shape_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscShape", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->out_type)
            TF_SetAttrType(made, "out_type", options->out_type);
    }
    return weir_build_end(builder, made);
}

/* RiscSign(x: T) -> y: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_sign(weir_builder *builder, const char *node, TF_Output x)
{
    const TF_Output inputs[] = {x};
    return weir_build_op(builder, "RiscSign", node, inputs, 1);
}

/* RiscSlice(input: T, begin: Index, size: Index) -> output: T. T: bfloat16, half, float, double.
 * Index: int32, int64. */
static inline TF_Output weir_risc_slice(weir_builder *builder, const char *node, TF_Output input,
                                        TF_Output begin, TF_Output size)
{
    const TF_Output inputs[] = {input, begin, size};
    return weir_build_op(builder, "RiscSlice", node, inputs, 3);
}

/* RiscSqueeze(input: T) -> output: T. */
typedef struct weir_risc_squeeze_options {
    const int64_t *squeeze_dims;
    int squeeze_dims_count; /* null: [] */
} weir_risc_squeeze_options;
static inline TF_Output weir_risc_squeeze(weir_builder *builder, const char *node, TF_Output input,
                                          const weir_risc_squeeze_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscSqueeze", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->squeeze_dims)
            TF_SetAttrIntList(made, "squeeze_dims",
                options->squeeze_dims, options->squeeze_dims_count);
    }
    return weir_build_end(builder, made);
}

/* RiscSub(x: T, y: T) -> z: T. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_sub(weir_builder *builder, const char *node, TF_Output x,
                                      TF_Output y)
{
    const TF_Output inputs[] = {x, y};
    return weir_build_op(builder, "RiscSub", node, inputs, 2);
}

/* RiscTranspose(x: T, perm: Tperm) -> y: T. Tperm: int32, int64. */
static inline TF_Output weir_risc_transpose(weir_builder *builder, const char *node, TF_Output x,
                                            TF_Output perm)
{
    const TF_Output inputs[] = {x, perm};
    return weir_build_op(builder, "RiscTranspose", node, inputs, 2);
}

/* RiscTriangularSolve(matrix: T, rhs: T) -> output: T. T: bfloat16, half, float, double. */
typedef struct weir_risc_triangular_solve_options {
    bool not_lower;
    bool adjoint;
} weir_risc_triangular_solve_options;
static inline TF_Output
weir_risc_triangular_solve(weir_builder *builder, const char *node, TF_Output matrix, TF_Output rhs,
                           const weir_risc_triangular_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscTriangularSolve", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "lower", !options->not_lower);
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* RiscUnary(x: T) -> y: T. op_type: 'ABL', 'CEIL', 'COS', 'EXP', 'FLOOR', 'IMAG', 'LOG', 'NEG',
 * 'REAL', 'SIGN'. T: bfloat16, half, float, double. */
static inline TF_Output weir_risc_unary(weir_builder *builder, const char *node, TF_Output x,
                                        const char *op_type)
{
    TF_OperationDescription *made = weir_build_begin(builder, "RiscUnary", node);
    weir_build_input(builder, made, x);
    if (made) {
        weir_attr_string(made, "op_type", op_type);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
