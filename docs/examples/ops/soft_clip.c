/* soft_clip.c - a library of ops for TensorFlow's C interface: SoftClip, which is
 * limit * tanh(x / limit). It loads into Weir and into TensorFlow. */
#include <math.h>

#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

/* What a kernel keeps of its node. */
typedef struct soft_clip {
    float limit;
} soft_clip;

static void *create(TF_OpKernelConstruction *ctx)
{
    soft_clip *kernel = malloc(sizeof *kernel);
    TF_Status *status = TF_NewStatus();
    TF_OpKernelConstruction_GetAttrFloat(ctx, "limit", &kernel->limit, status);
    if (TF_GetCode(status) == TF_OK && !(kernel->limit > 0))
        TF_SetStatus(status, TF_INVALID_ARGUMENT, "limit must be positive");
    if (TF_GetCode(status) != TF_OK)
        TF_OpKernelConstruction_Failure(ctx, status);
    TF_DeleteStatus(status);
    return kernel;
}

static void destroy(void *kernel)
{
    free(kernel);
}

static void clip(const soft_clip *kernel, const TF_Tensor *x, TF_Tensor *y)
{
    const float *from = TF_TensorData(x);
    float *to = TF_TensorData(y);
    for (int64_t i = 0; i < TF_TensorElementCount(x); i++)
        to[i] = kernel->limit * tanhf(from[i] / kernel->limit);
}

static void compute(void *kernel, TF_OpKernelContext *ctx)
{
    TF_Status *status = TF_NewStatus();
    TF_Tensor *x = NULL, *y = NULL;
    TF_GetInput(ctx, 0, &x, status);
    if (TF_GetCode(status) == TF_OK) {
        int64_t dims[16];
        int rank = TF_NumDims(x);
        for (int i = 0; i < rank; i++)
            dims[i] = TF_Dim(x, i);
        y = TF_AllocateOutput(ctx, 0, TF_FLOAT, dims, rank, TF_TensorByteSize(x), status);
    }
    if (TF_GetCode(status) == TF_OK)
        clip(kernel, x, y);
    else
        TF_OpKernelContext_Failure(ctx, status);
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
    TF_DeleteStatus(status);
}

/* The output has the shape of the input. */
static void shape(TF_ShapeInferenceContext *ctx, TF_Status *status)
{
    TF_ShapeHandle *input = TF_NewShapeHandle();
    TF_ShapeInferenceContextGetInput(ctx, 0, input, status);
    if (TF_GetCode(status) == TF_OK)
        TF_ShapeInferenceContextSetOutput(ctx, 0, input, status);
    TF_DeleteShapeHandle(input);
}

/* Runs when the library is loaded. */
__attribute__((constructor)) static void register_ops(void)
{
    TF_Status *status = TF_NewStatus();
    TF_OpDefinitionBuilder *op = TF_NewOpDefinitionBuilder("SoftClip");
    TF_OpDefinitionBuilderAddInput(op, "x: float");
    TF_OpDefinitionBuilderAddOutput(op, "y: float");
    TF_OpDefinitionBuilderAddAttr(op, "limit: float = 1.0");
    TF_OpDefinitionBuilderSetShapeInferenceFunction(op, shape);
    TF_RegisterOpDefinition(op, status);
    if (TF_GetCode(status) == TF_OK)
        TF_RegisterKernelBuilder(
            "SoftClip", TF_NewKernelBuilder("SoftClip", "CPU", create, compute, destroy), status);
    TF_DeleteStatus(status);
}
