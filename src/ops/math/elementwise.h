/* ops/math/elementwise.h - element-wise ops: one line each. */
#ifndef WEIR_OPS_MATH_ELEMENTWISE_H
#define WEIR_OPS_MATH_ELEMENTWISE_H

#include "math/binary/binary.h"
#include "math/unary/unary.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"
#include "ops/math/types.h"

/* Kernels around the loops. Input and output types are those of the loop. */
WEIR_CHECKED weir_status weir_unary_kernel(weir_call *call, weir_unary_op op);
WEIR_CHECKED weir_status weir_binary_kernel(weir_call *call, weir_binary_op op);
/* The same for the loop named by the op's .elementwise. */
WEIR_CHECKED weir_status weir_unary_loop(weir_call *call);
WEIR_CHECKED weir_status weir_binary_loop(weir_call *call);
/* The broadcasting iteration over two tensors whose shapes are known to be compatible. */
void weir_tensor_bcast(const weir_tensor *x, const weir_tensor *y, weir_bcast *out);

/* Fields of an element-wise op. Naming the loop lets passes fuse the op. A binary op defines its
 * own shape inference. */
#define UNARY_KERNEL .kernels = {{WEIR_CPU, "*", weir_unary_loop}}, .inplace = WEIR_INPLACE(0, 0)
#define UNARY_LOOP(id) UNARY_KERNEL, .elementwise = {.arity = 1, .loop = WEIR_U_##id}
#define BINARY_KERNEL                                                                              \
    .kernels = {{WEIR_CPU, "*", weir_binary_loop}},                                                \
    .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0)
#define BINARY_LOOP(id) BINARY_KERNEL, .elementwise = {.arity = 2, .loop = WEIR_B_##id}

/* y = loop(x). Further fields of weir_op may follow. */
#define UNARY_OP(id, text, types, loop_id, ...)                                                    \
    WEIR_DEFINE_OP(id, text, UNARY_LOOP(loop_id), .in = "x: T", .out = "y: T",                     \
                   .attrs = "T: {" types "}", .infer = weir_infer_same_shape, __VA_ARGS__)
/* z = loop(x, y) with broadcasting; with an explicit signature. */
#define BINARY_OP(id, text, ins, outs, attributes, loop_id, ...)                                   \
    WEIR_DEFINE_OP(id, text, BINARY_LOOP(loop_id), .in = ins, .out = outs, .attrs = attributes,    \
                   .infer = weir_infer_broadcast, __VA_ARGS__)
/* The gradient op of a unary function: of its value or argument and the incoming gradient. */
#define GRADIENT_OP(id, text, attributes, loop_id, ...)                                            \
    WEIR_DEFINE_OP(id, text, BINARY_LOOP(loop_id), .in = "y: T; dy: T", .out = "z: T",             \
                   .attrs = attributes, .infer = weir_infer_value_and_gradient, __VA_ARGS__)
#define ARITHMETIC_OP(id, text, types, loop_id, ...)                                               \
    BINARY_OP(id, text, "x: T; y: T", "z: T", "T: {" types "}", loop_id, __VA_ARGS__)

#endif
