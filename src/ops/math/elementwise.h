/* ops/math/elementwise.h - ops that are one loop: a line each. */
#ifndef WEIR_OPS_MATH_ELEMENTWISE_H
#define WEIR_OPS_MATH_ELEMENTWISE_H

#include "math/binary/binary.h"
#include "math/unary/unary.h"
#include "op/op.h"
#include "ops/math/types.h"

/* Kernels around the loops. Input and output types are those of the loop. */
WEIR_CHECKED weir_status weir_unary_kernel(weir_call *call, weir_unary_op op);
WEIR_CHECKED weir_status weir_binary_kernel(weir_call *call, weir_binary_op op);
/* The same for the loop that the op names in .elementwise. */
WEIR_CHECKED weir_status weir_unary_loop(weir_call *call);
WEIR_CHECKED weir_status weir_binary_loop(weir_call *call);
/* The walk over two tensors whose shapes inference has found compatible. */
void weir_tensor_bcast(const weir_tensor *x, const weir_tensor *y, weir_bcast *out);

/* An op that is one loop of one argument; the signature is spelt out. Further fields of weir_op may
 * follow. Because the op names its loop, passes can make it part of a larger one. */
#define UNARY_LOOP_OP(id, op_name, ins, outs, attributes, name_of_loop, ...)                       \
    const weir_op weir_op_##id = {.name = op_name,                                                 \
                                  .in = ins,                                                       \
                                  .out = outs,                                                     \
                                  .attrs = attributes,                                             \
                                  .infer = weir_infer_same_shape,                                  \
                                  .inplace = WEIR_INPLACE(0, 0),                                   \
                                  .elementwise = {.arity = 1, .loop = WEIR_U_##name_of_loop},      \
                                  .kernels = {{WEIR_CPU, "*", weir_unary_loop}},                   \
                                  __VA_ARGS__}
/* One of two arguments, whose shapes |rule| joins. */
#define BINARY_LOOP_OP(id, op_name, ins, outs, attributes, rule, name_of_loop, ...)                \
    const weir_op weir_op_##id = {.name = op_name,                                                 \
                                  .in = ins,                                                       \
                                  .out = outs,                                                     \
                                  .attrs = attributes,                                             \
                                  .infer = rule,                                                   \
                                  .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0),              \
                                  .elementwise = {.arity = 2, .loop = WEIR_B_##name_of_loop},      \
                                  .kernels = {{WEIR_CPU, "*", weir_binary_loop}},                  \
                                  __VA_ARGS__}

/* y = loop(x). */
#define UNARY_OP(id, op_name, types, name_of_loop, ...)                                            \
    UNARY_LOOP_OP(id, op_name, "x: T", "y: T", "T: {" types "}", name_of_loop, __VA_ARGS__)
/* z = loop(x, y) with broadcasting; the signature is spelt out. */
#define BINARY_OP(id, op_name, ins, outs, attributes, name_of_loop, ...)                           \
    BINARY_LOOP_OP(id, op_name, ins, outs, attributes, weir_infer_broadcast, name_of_loop,         \
                   __VA_ARGS__)
#define ARITHMETIC_OP(id, op_name, types, name_of_loop, ...)                                       \
    BINARY_OP(id, op_name, "x: T; y: T", "z: T", "T: {" types "}", name_of_loop, __VA_ARGS__)

#endif
