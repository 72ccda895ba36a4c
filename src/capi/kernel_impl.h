/* capi/kernel_impl.h - ops and kernels of plug-in libraries, for capi/ only. */
#ifndef WEIR_CAPI_KERNEL_IMPL_H
#define WEIR_CAPI_KERNEL_IMPL_H

#include "capi/capi_impl.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

/* A registered op. Never freed. */
typedef struct weir_library_op {
    weir_op op;                                                      /* first: used by graphs */
    void (*shape)(TF_ShapeInferenceContext *ctx, TF_Status *status); /* may be null */
    const char *gradient; /* the op that computes the gradient; null: there is none */
} weir_library_op;

/* A signature in pieces, as builders collect it. */
typedef struct weir_signature {
    const char *name;
    weir_buf in, out, attrs; /* separated by ';' */
    unsigned flags;
    int deprecated_at;
    const char *deprecation;
    void (*shape)(TF_ShapeInferenceContext *ctx, TF_Status *status);
    const char *gradient;
} weir_signature;

/* Creates an op from it and adds that to the catalogue. Everything is copied. */
WEIR_CHECKED weir_status weir_signature_register(const weir_signature *signature);
/* The shape function of library ops: theirs, or unknown shapes. */
weir_status weir_library_infer(weir_infer *infer);
/* The gradient of library ops that specify an op for it. */
weir_status weir_library_gradient(weir_grad *grad);

/* A library's kernel: the functions behind a weir_kernel. Never freed once added. */
typedef struct weir_library_kernel {
    weir_added_kernel added; /* first */
    void *(*create)(TF_OpKernelConstruction *construction);
    void (*compute)(void *kernel, TF_OpKernelContext *context);
    void (*compute_async)(void *kernel, TF_OpKernelContext *context,
                          TF_AsyncOpKernelDoneCallback *done);
    void (*destroy)(void *kernel);
    const char *host; /* "shape; begin" */
} weir_library_kernel;

/* Adds a kernel. Texts are copied; the rest is copied from |model|. */
void weir_library_kernel_add(const weir_library_kernel *model);

struct TF_OpKernelConstruction {
    const weir_site *site;
    weir_status failure; /* owned */
};

struct TF_OpKernelContext {
    weir_call *call;
    const struct weir_kernel_object *object;
    weir_mutex lock;                           /* kernels may use threads of their own */
    weir_status failure WEIR_GUARDED_BY(lock); /* the first one; owned */
};

/* call->state of these kernels. */
typedef struct weir_kernel_object {
    const weir_library_kernel *kernel;
    void *made; /* result of create */
} weir_kernel_object;

/* The number of ops that libraries have added, and each in order of registration. */
size_t weir_library_op_count(void);
const weir_op *weir_library_op_at(size_t i);

#endif
