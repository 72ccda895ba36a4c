/* capi/test_capi.h - helpers for the tests of the C API. */
#ifndef WEIR_CAPI_TEST_CAPI_H
#define WEIR_CAPI_TEST_CAPI_H

#include "base/test.h"
#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"

static TF_Status *status __attribute__((unused)); /* of every call; made on first use */

static inline TF_Status *st(void)
{
    if (!status)
        status = TF_NewStatus();
    return status;
}

#define OK() CHECK_MSG(TF_GetCode(st()) == TF_OK, "code %d: %s", TF_GetCode(st()), TF_Message(st()))
#define FAILS(code, text)                                                                          \
    CHECK_MSG(TF_GetCode(st()) == (code) && strstr(TF_Message(st()), (text)), "code %d: %s",       \
              TF_GetCode(st()), TF_Message(st()))

/* ---- helpers --------------------------------------------------------------------------------- */

static inline TF_Tensor *tensor(TF_DataType dtype, const int64_t *dims, int rank, const void *data,
                                size_t bytes)
{
    TF_Tensor *value = TF_AllocateTensor(dtype, dims, rank, bytes);
    memcpy(TF_TensorData(value), data, bytes);
    return value;
}

static inline TF_Tensor *scalar(float value)
{
    return tensor(TF_FLOAT, NULL, 0, &value, sizeof value);
}

static inline float value(const TF_Tensor *tensor)
{
    return tensor ? *(float *)TF_TensorData(tensor) : NAN;
}

static inline TF_Output out(TF_Operation *op, int index)
{
    return (TF_Output){op, index};
}

static inline TF_Operation *placeholder(TF_Graph *graph, const char *name, TF_DataType dtype)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "Placeholder", name);
    TF_SetAttrType(description, "dtype", dtype);
    return TF_FinishOperation(description, st());
}

static inline TF_Operation *constant(TF_Graph *graph, const char *name, TF_Tensor *tensor)
{
    TF_OperationDescription *description = TF_NewOperation(graph, "Const", name);
    TF_SetAttrTensor(description, "value", tensor, st());
    TF_SetAttrType(description, "dtype", TF_TensorType(tensor));
    TF_DeleteTensor(tensor);
    return TF_FinishOperation(description, st());
}

static inline TF_Operation *op(TF_Graph *graph, const char *type, const char *name, TF_Output a,
                               TF_Output b)
{
    TF_OperationDescription *description = TF_NewOperation(graph, type, name);
    TF_AddInput(description, a);
    if (b.oper)
        TF_AddInput(description, b);
    return TF_FinishOperation(description, st());
}

static const TF_Output none __attribute__((unused)) = {NULL, 0};

static inline TF_Session *session(TF_Graph *graph)
{
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Session *s = TF_NewSession(graph, options, st());
    TF_DeleteSessionOptions(options);
    return s;
}

/* Feeds one float and fetches one. */
static inline float run(TF_Session *session, TF_Output feed, float x, TF_Output fetch)
{
    TF_Tensor *in = scalar(x), *result = NULL;
    TF_SessionRun(session, NULL, &feed, &in, feed.oper ? 1 : 0, &fetch, &result, 1, NULL, 0, NULL,
                  st());
    float y = value(result);
    TF_DeleteTensor(in);
    TF_DeleteTensor(result);
    return y;
}

static inline void end(TF_Session *session, TF_Graph *graph)
{
    TF_DeleteSession(session, st());
    TF_DeleteGraph(graph);
}

/* A function that is y = -x. */
static inline TF_Function *negate(void)
{
    TF_Graph *body = TF_NewGraph();
    TF_Output x = out(placeholder(body, "Feed/X", TF_FLOAT), 0);
    TF_Output y = out(op(body, "Neg", "neg", x, none), 0);
    TF_Function *function =
        TF_GraphToFunction(body, "Negate", 0, -1, NULL, 1, &x, 1, &y, NULL, NULL, "minus", st());
    OK();
    TF_GraphToFunction(body, "Bad", 0, 1, (const TF_Operation *[]){y.oper}, 0, NULL, 1, &y, NULL,
                       NULL, NULL, st());
    FAILS(TF_INVALID_ARGUMENT, "Input 0, 'Feed/X:0', of node 'neg' in function 'Bad'");
    TF_DeleteGraph(body);
    return function;
}

#endif
