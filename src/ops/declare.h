/* ops/declare.h - declaring ops that share most of their fields.
 *
 * A single op is a plain `const weir_op weir_op_<id> = {...};`. Ops that differ in a few fields
 * share the common ones in a macro of designated initialisers; each op is then one row, which names
 * the fields that differ:
 *
 *     #define REDUCTION .out = "output: T", .infer = infer, .kernels = {{WEIR_CPU, "*", reduce}}
 *     WEIR_DEFINE_OP(max, "Max", REDUCTION, .attrs = REALS, .grad = max_grad, .mode = WEIR_R_max);
 *
 * A kernel, shape function or gradient shared by several ops distinguishes them by .mode, which it
 * reads with weir_site_mode. A field may be initialised only once: fields that differ in any op
 * stay out of the common part.
 */
#ifndef WEIR_OPS_DECLARE_H
#define WEIR_OPS_DECLARE_H

#include "op/op.h"

/* The op |text|, as weir_op_<id>. Fields of weir_op follow. */
#define WEIR_DEFINE_OP(id, text, ...) const weir_op weir_op_##id = {.name = text, __VA_ARGS__}

/* The two versions of an op on a handle: |text| takes the handle as a string reference and is never
 * constant-folded, |text|V2 as a resource, which makes it stateful. |handle| is the name of the
 * first input, |inputs| the remaining ones: "" or "; keys: Tin". */
#define WEIR_DEFINE_HANDLE_OPS(id, text, handle, inputs, ...)                                      \
    WEIR_DEFINE_OP(id, text, .in = handle ": Ref(string)" inputs, .flags = WEIR_NO_FOLD,           \
                   __VA_ARGS__);                                                                   \
    WEIR_DEFINE_OP(id##_v2, text "V2", .in = handle ": resource" inputs, .flags = WEIR_STATEFUL,   \
                   __VA_ARGS__)

/* The op that creates such a handle, in both versions. |handle| is the name of the output. */
#define WEIR_DEFINE_HANDLE_MAKERS(id, text, handle, ...)                                           \
    WEIR_DEFINE_OP(id, text, .out = handle ": Ref(string)", .flags = WEIR_STATEFUL, __VA_ARGS__);  \
    WEIR_DEFINE_OP(id##_v2, text "V2", .out = handle ": resource", .flags = WEIR_STATEFUL,         \
                   __VA_ARGS__)

#endif
