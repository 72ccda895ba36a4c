/* ops/declare.h - declaring ops that share most of their fields.
 *
 * An op that stands alone is a plain `const weir_op weir_op_<id> = {...};`. Ops that differ in a
 * few fields write the common ones once, as a macro of designated initialisers, and are then one
 * row each, in which every field that differs is named:
 *
 *     #define REDUCTION .out = "output: T", .infer = infer, .kernels = {{WEIR_CPU, "*", reduce}}
 *     WEIR_DEFINE_OP(max, "Max", REDUCTION, .attrs = REALS, .grad = max_grad, .mode = WEIR_R_max);
 *
 * A kernel, shape function or gradient that serves several ops tells them apart by .mode, which it
 * reads with weir_site_mode. A field may be given once only: what one op of a family has different
 * stays out of the common part.
 */
#ifndef WEIR_OPS_DECLARE_H
#define WEIR_OPS_DECLARE_H

#include "op/op.h"

/* The op |text|, as weir_op_<id>. Fields of weir_op follow. */
#define WEIR_DEFINE_OP(id, text, ...) const weir_op weir_op_##id = {.name = text, __VA_ARGS__}

/* An op on a handle in its two generations: |text| takes the handle as a string reference and is
 * never computed ahead, |text|V2 as a resource, which makes it stateful. |handle| is the name of
 * the first input, |inputs| what follows it: "" or "; keys: Tin". */
#define WEIR_DEFINE_HANDLE_OPS(id, text, handle, inputs, ...)                                      \
    WEIR_DEFINE_OP(id, text, .in = handle ": Ref(string)" inputs, .flags = WEIR_NO_FOLD,           \
                   __VA_ARGS__);                                                                   \
    WEIR_DEFINE_OP(id##_v2, text "V2", .in = handle ": resource" inputs, .flags = WEIR_STATEFUL,   \
                   __VA_ARGS__)

/* The op that makes such a handle, in both generations. |handle| is the name of the output. */
#define WEIR_DEFINE_HANDLE_MAKERS(id, text, handle, ...)                                           \
    WEIR_DEFINE_OP(id, text, .out = handle ": Ref(string)", .flags = WEIR_STATEFUL, __VA_ARGS__);  \
    WEIR_DEFINE_OP(id##_v2, text "V2", .out = handle ": resource", .flags = WEIR_STATEFUL,         \
                   __VA_ARGS__)

#endif
