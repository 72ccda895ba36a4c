/* hostile.c - ops that do what they must not: a status must come of each, never a crash. */
#include <string.h>

#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"

static void set_nothing(void *kernel, TF_OpKernelContext *ctx)
{
}

/* An int32 where a float is declared. */
static void wrong_type(void *kernel, TF_OpKernelContext *ctx)
{
    TF_Status *status = TF_NewStatus();
    TF_Tensor *out = TF_AllocateTensor(TF_INT32, NULL, 0, 4);
    TF_SetOutput(ctx, 0, out, status);
    TF_DeleteTensor(out);
    TF_DeleteStatus(status);
}

/* Allocations and indices that cannot be, then the last status as the failure. */
static void wrong_calls(void *kernel, TF_OpKernelContext *ctx)
{
    TF_Status *status = TF_NewStatus();
    TF_Tensor *tensor = NULL;
    int64_t dims[] = {-5};
    TF_GetInput(ctx, 7, &tensor, status);
    TF_GetInput(ctx, -1, &tensor, status);
    TF_SetOutput(ctx, 3, tensor, status);
    TF_AllocateOutput(ctx, 9, TF_FLOAT, NULL, 0, 4, status);
    TF_AllocateOutput(ctx, 0, TF_INT32, NULL, 0, 4, status);
    TF_AllocateTemp(ctx, TF_FLOAT, dims, 1, NULL, status);
    TF_AllocateOutput(ctx, 0, TF_FLOAT, dims, 1, 4, status);
    TF_OpKernelContext_Failure(ctx, status);
    TF_DeleteStatus(status);
}

static void *fail_to_create(TF_OpKernelConstruction *ctx)
{
    TF_Status *status = TF_NewStatus();
    int64_t value;
    TF_OpKernelConstruction_GetAttrInt64(ctx, "absent", &value, status);
    TF_OpKernelConstruction_Failure(ctx, status);
    TF_DeleteStatus(status);
    return NULL;
}

static int failures;

static void define(const char *name, const char *input, const char *attr)
{
    TF_Status *status = TF_NewStatus();
    TF_OpDefinitionBuilder *op = TF_NewOpDefinitionBuilder(name);
    if (input)
        TF_OpDefinitionBuilderAddInput(op, input);
    TF_OpDefinitionBuilderAddOutput(op, "y: float");
    if (attr)
        TF_OpDefinitionBuilderAddAttr(op, attr);
    TF_RegisterOpDefinition(op, status);
    failures += TF_GetCode(status) != TF_OK;
    TF_DeleteStatus(status);
}

static void serve(const char *name, void *(*create)(TF_OpKernelConstruction *),
                  void (*compute)(void *, TF_OpKernelContext *))
{
    TF_Status *status = TF_NewStatus();
    TF_RegisterKernelBuilder(name, TF_NewKernelBuilder(name, "CPU", create, compute, NULL), status);
    TF_DeleteStatus(status);
}

__attribute__((constructor)) static void register_ops(void)
{
    define("SetsNothing", "x: float", NULL);
    serve("SetsNothing", NULL, set_nothing);
    define("WrongType", "x: float", NULL);
    serve("WrongType", NULL, wrong_type);
    define("WrongCalls", "x: float", NULL);
    serve("WrongCalls", NULL, wrong_calls);
    define("FailsToCreate", "x: float", NULL);
    serve("FailsToCreate", fail_to_create, set_nothing);
    define("ServedTwice", "x: float", NULL);
    serve("ServedTwice", NULL, set_nothing);
    serve("ServedTwice", NULL, set_nothing);
    define("Unserved", "x: float", NULL);
    failures = 0;
    define("Add", "x: float", NULL);         /* TensorFlow's */
    define("SetsNothing", "x: float", NULL); /* twice */
    define("lower", "x: float", NULL);
    define("BadInput", "x float", NULL);
    define("BadType", "x: T", NULL);
    define("TwoInOne", "x: float; y: float", NULL);
    define("BadAttr", "x: float", "T: {float");
    define("BadDefault", "x: float", "n: int = many");
    define("Tail", "x: float", "n: int = 3 and more");
}

/* How many of the definitions that must fail did: 9. */
int refused(void)
{
    return failures;
}
