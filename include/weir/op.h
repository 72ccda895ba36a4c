/* weir/op.h - a custom op as one struct.
 *
 *     static const weir_op_spec triple = {
 *         .size = sizeof triple,
 *         .name = "Triple",
 *         .inputs = "x: T",
 *         .outputs = "y: T",
 *         .attrs = "T: {float, double}",
 *         .compute = triple_compute,
 *     };
 *     const weir_op_spec *const weir_ops[] = {&triple, 0};
 *
 * A shared library that exports |weir_ops| like this is loaded by TF_LoadLibrary, or by the option
 * --op-library of the weir command; a program registers custom ops by weir_op_register. The
 * functions' arguments are described in tensorflow/c/kernels.h and tensorflow/c/ops.h.
 */
#ifndef WEIR_OP_H
#define WEIR_OP_H

#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEIR_SPEC_STATEFUL = 1 << 0, /* has side effects, or is not a function of its inputs */
    WEIR_SPEC_COMMUTATIVE = 1 << 1,
};

typedef struct weir_op_spec {
    size_t size; /* sizeof(weir_op_spec) */
    const char *name;
    const char *inputs, *outputs; /* "x: T; y: N * int32"; null: none */
    const char *attrs;            /* "T: {float, double}; N: int >= 1"; null: none */
    unsigned flags;
    /* Validates a node and infers its output shapes. Null: they are unknown. */
    void (*shape)(TF_ShapeInferenceContext *ctx, TF_Status *status);
    /* The nodes that the kernel supports: "T: float"; null: all that the signature allows. */
    const char *types;
    void *(*create)(TF_OpKernelConstruction *ctx); /* may be null */
    void (*compute)(void *kernel, TF_OpKernelContext *ctx);
    /* Instead of compute, for asynchronous kernels. */
    void (*compute_async)(void *kernel, TF_OpKernelContext *ctx,
                          TF_AsyncOpKernelDoneCallback *done);
    void (*destroy)(void *kernel); /* may be null; never called with null */
    /* The op that computes the gradient: its inputs are those of this op, then the gradients of its
     * outputs; it has one output for each input of this op, and attrs of the same names. Null: the
     * op is not differentiable. */
    const char *gradient;
} weir_op_spec;

/* Registers the op and its kernel in the process. Everything is copied except the functions.
 * ALREADY_EXISTS when there is an op of that name. Thread-safe. */
TF_CAPI_EXPORT extern void weir_op_register(const weir_op_spec *spec, TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
