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
/* The walk over two tensors whose shapes inference has found compatible. */
void weir_tensor_bcast(const weir_tensor *x, const weir_tensor *y, weir_bcast *out);

/* y = loop(x). Further fields of weir_op may follow |gradient|. */
#define UNARY_OP(id, op_name, types, loop, ...)                                                    \
    static weir_status id##_run(weir_call *call)                                                   \
    {                                                                                              \
        return weir_unary_kernel(call, WEIR_U_##loop);                                             \
    }                                                                                              \
    const weir_op weir_op_##id = {.name = op_name,                                                 \
                                  .in = "x: T",                                                    \
                                  .out = "y: T",                                                   \
                                  .attrs = "T: {" types "}",                                       \
                                  .infer = weir_infer_same_shape,                                  \
                                  .inplace = WEIR_INPLACE(0, 0),                                   \
                                  .unary = 1 + WEIR_U_##loop,                                      \
                                  .kernels = {{WEIR_CPU, "*", id##_run}},                          \
                                  __VA_ARGS__}

/* z = loop(x, y) with broadcasting; the signature is spelt out. */
#define BINARY_OP(id, op_name, ins, outs, attributes, loop, ...)                                   \
    static weir_status id##_run(weir_call *call)                                                   \
    {                                                                                              \
        return weir_binary_kernel(call, WEIR_B_##loop);                                            \
    }                                                                                              \
    const weir_op weir_op_##id = {.name = op_name,                                                 \
                                  .in = ins,                                                       \
                                  .out = outs,                                                     \
                                  .attrs = attributes,                                             \
                                  .infer = weir_infer_broadcast,                                   \
                                  .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0),              \
                                  .binary = 1 + WEIR_B_##loop,                                     \
                                  .kernels = {{WEIR_CPU, "*", id##_run}},                          \
                                  __VA_ARGS__}
#define ARITHMETIC_OP(id, op_name, types, loop, ...)                                               \
    BINARY_OP(id, op_name, "x: T; y: T", "z: T", "T: {" types "}", loop, __VA_ARGS__)

#endif
