/* weir/op.h - an op of one's own as one struct.
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
 * --op-library of the weir command; a program registers ops of its own by weir_op_register. What
 * the functions are given is described in tensorflow/c/kernels.h and tensorflow/c/ops.h.
 */
#ifndef WEIR_OP_H
#define WEIR_OP_H

#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WEIR_SPEC_STATEFUL = 1 << 0, /* has effects, or results that inputs alone do not decide */
    WEIR_SPEC_COMMUTATIVE = 1 << 1,
};

typedef struct weir_op_spec {
    size_t size; /* sizeof(weir_op_spec) */
    const char *name;
    const char *inputs, *outputs; /* "x: T; y: N * int32"; null: none */
    const char *attrs;            /* "T: {float, double}; N: int >= 1"; null: none */
    unsigned flags;
    /* Why a node cannot be, and the shapes of its outputs. Null: they are unknown. */
    void (*shape)(TF_ShapeInferenceContext *ctx, TF_Status *status);
    /* Which nodes the kernel serves: "T: float"; null: whatever the signature allows. */
    const char *types;
    void *(*create)(TF_OpKernelConstruction *ctx); /* may be null */
    void (*compute)(void *kernel, TF_OpKernelContext *ctx);
    /* In the place of compute, for what ends later. */
    void (*compute_async)(void *kernel, TF_OpKernelContext *ctx,
                          TF_AsyncOpKernelDoneCallback *done);
    void (*destroy)(void *kernel); /* may be null; never called with null */
    /* The op that computes the gradient: its inputs are those of this op, then the gradients of its
     * outputs; it has one output for each input of this op, and attrs of the same names. Null: the
     * op cannot be differentiated. */
    const char *gradient;
} weir_op_spec;

/* Adds the op and its kernel to those of the process. Everything is copied; the functions stay
 * where they are. ALREADY_EXISTS when there is an op of that name. Thread-safe. */
TF_CAPI_EXPORT extern void weir_op_register(const weir_op_spec *spec, TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
