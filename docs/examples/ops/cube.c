/* cube.c - a library of ops in Weir's own way: Cube, x * x * x, and its gradient. */
#include "weir/op.h"

/* Input |i| and its count of elements, or null after a failure that the context was told. */
static TF_Tensor *input(TF_OpKernelContext *ctx, int i)
{
    TF_Status *status = TF_NewStatus();
    TF_Tensor *tensor = NULL;
    TF_GetInput(ctx, i, &tensor, status);
    if (TF_GetCode(status) != TF_OK)
        TF_OpKernelContext_Failure(ctx, status);
    TF_DeleteStatus(status);
    return tensor;
}

/* Output 0 in the shape of |like|; in the place of input 0 when nobody else needs that. */
static TF_Tensor *output_like(TF_OpKernelContext *ctx, const TF_Tensor *like)
{
    TF_Status *status = TF_NewStatus();
    int64_t dims[16];
    int rank = TF_NumDims(like), candidate = 0;
    for (int i = 0; i < rank; i++)
        dims[i] = TF_Dim(like, i);
    TF_Tensor *output =
        TF_ForwardInputOrAllocateOutput(ctx, &candidate, 1, 0, dims, rank, NULL, status);
    if (TF_GetCode(status) != TF_OK)
        TF_OpKernelContext_Failure(ctx, status);
    TF_DeleteStatus(status);
    return output;
}

static void cube_compute(void *kernel, TF_OpKernelContext *ctx)
{
    TF_Tensor *x = input(ctx, 0), *y = x ? output_like(ctx, x) : NULL;
    for (int64_t i = 0; y && i < TF_TensorElementCount(x); i++) {
        float value = ((const float *)TF_TensorData(x))[i];
        ((float *)TF_TensorData(y))[i] = value * value * value;
    }
    TF_DeleteTensor(x);
    TF_DeleteTensor(y);
}

static void cube_grad_compute(void *kernel, TF_OpKernelContext *ctx)
{
    TF_Tensor *x = input(ctx, 0), *dy = input(ctx, 1);
    TF_Tensor *dx = x && dy ? output_like(ctx, x) : NULL;
    for (int64_t i = 0; dx && i < TF_TensorElementCount(x); i++) {
        float value = ((const float *)TF_TensorData(x))[i];
        ((float *)TF_TensorData(dx))[i] = 3 * value * value * ((const float *)TF_TensorData(dy))[i];
    }
    TF_DeleteTensor(x);
    TF_DeleteTensor(dy);
    TF_DeleteTensor(dx);
}

/* Output 0 has the shape of input 0. */
static void same_shape(TF_ShapeInferenceContext *ctx, TF_Status *status)
{
    TF_ShapeHandle *x = TF_NewShapeHandle();
    TF_ShapeInferenceContextGetInput(ctx, 0, x, status);
    if (TF_GetCode(status) == TF_OK)
        TF_ShapeInferenceContextSetOutput(ctx, 0, x, status);
    TF_DeleteShapeHandle(x);
}

static const weir_op_spec cube = {
    .size = sizeof cube,
    .name = "Cube",
    .inputs = "x: float",
    .outputs = "y: float",
    .shape = same_shape,
    .compute = cube_compute,
    .gradient = "CubeGrad",
};

static const weir_op_spec cube_grad = {
    .size = sizeof cube_grad,
    .name = "CubeGrad",
    .inputs = "x: float; dy: float",
    .outputs = "dx: float",
    .shape = same_shape,
    .compute = cube_grad_compute,
};

const weir_op_spec *const weir_ops[] = {&cube, &cube_grad, 0};
