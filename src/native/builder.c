/* native/builder.c - nodes of a TF_Graph with a scope, a device and control inputs around them. */
#include "native/builder.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct weir_builder {
    TF_Graph *graph;
    TF_Status *status;       /* the first failure */
    WEIR_VEC(char *) scopes; /* each whole: "a/b" */
    WEIR_VEC(char *) devices;
    WEIR_VEC(TF_Operation *) controls; /* null entries are no condition */
    weir_build_placer place;
    void *place_arg;
};

weir_builder *weir_build_new(TF_Graph *graph)
{
    weir_builder *b = WEIR_NEW(weir_builder);
    b->graph = graph;
    b->status = TF_NewStatus();
    return b;
}

static void pop(char **at, size_t *count)
{
    if (*count)
        weir_free(at[--*count]);
}

void weir_build_delete(weir_builder *b)
{
    if (!b)
        return;
    while (b->scopes.count)
        weir_build_pop_scope(b);
    while (b->devices.count)
        weir_build_pop_device(b);
    weir_vec_fini(&b->scopes);
    weir_vec_fini(&b->devices);
    weir_vec_fini(&b->controls);
    TF_DeleteStatus(b->status);
    weir_free(b);
}

TF_Graph *weir_build_graph(const weir_builder *b)
{
    return b->graph;
}

const TF_Status *weir_build_status(const weir_builder *b)
{
    return b->status;
}

void weir_build_fail(weir_builder *b, TF_Code code, const char *message)
{
    if (TF_GetCode(b->status) == TF_OK)
        TF_SetStatus(b->status, code, message);
}

static bool failed(const weir_builder *b)
{
    return TF_GetCode(b->status) != TF_OK;
}

/* ---- what is around new nodes --------------------------------------------------------------- */

void weir_build_push_scope(weir_builder *b, const char *scope)
{
    weir_buf whole = {0};
    if (b->scopes.count)
        weir_buf_addf(&whole, "%s/", b->scopes.at[b->scopes.count - 1]);
    weir_buf_adds(&whole, scope);
    weir_vec_push(&b->scopes, weir_buf_take(&whole));
}

void weir_build_pop_scope(weir_builder *b)
{
    pop(b->scopes.at, &b->scopes.count);
}

void weir_build_push_device(weir_builder *b, const char *device)
{
    weir_vec_push(&b->devices, weir_strdup(device));
}

void weir_build_pop_device(weir_builder *b)
{
    pop(b->devices.at, &b->devices.count);
}

void weir_build_push_control(weir_builder *b, TF_Operation *op)
{
    weir_vec_push(&b->controls, op);
}

void weir_build_pop_control(weir_builder *b)
{
    if (b->controls.count)
        b->controls.count--;
}

void weir_build_set_placer(weir_builder *b, weir_build_placer place, void *arg)
{
    b->place = place;
    b->place_arg = arg;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* "scope/name", with _1, _2 ... behind it while that is taken. */
static char *free_name(const weir_builder *b, const char *name)
{
    weir_buf base = {0};
    if (b->scopes.count && *b->scopes.at[b->scopes.count - 1])
        weir_buf_addf(&base, "%s/", b->scopes.at[b->scopes.count - 1]);
    weir_buf_adds(&base, name);
    size_t length = base.length;
    for (int i = 1; TF_GraphOperationByName(b->graph, base.at); i++) {
        base.length = length;
        weir_buf_addf(&base, "_%d", i);
    }
    return weir_buf_take(&base);
}

static const char *device_for(const weir_builder *b, const char *type, int64_t bytes)
{
    if (b->devices.count)
        return b->devices.at[b->devices.count - 1];
    return b->place ? b->place(b->place_arg, type, bytes) : "";
}

TF_OperationDescription *weir_build_begin_sized(weir_builder *b, const char *type, const char *name,
                                                int64_t bytes)
{
    if (failed(b))
        return NULL;
    char *whole = free_name(b, name);
    TF_OperationDescription *d = TF_NewOperation(b->graph, type, whole);
    weir_free(whole);
    const char *device = device_for(b, type, bytes);
    if (*device)
        TF_SetDevice(d, device);
    for (size_t i = 0; i < b->controls.count; i++)
        if (b->controls.at[i])
            TF_AddControlInput(d, b->controls.at[i]);
    return d;
}

TF_OperationDescription *weir_build_begin(weir_builder *b, const char *type, const char *name)
{
    return weir_build_begin_sized(b, type, name, 0);
}

TF_Output weir_build_end(weir_builder *b, TF_OperationDescription *d)
{
    if (!d)
        return (TF_Output){0};
    TF_Status *status = TF_NewStatus();
    TF_Operation *op = TF_FinishOperation(d, status);
    weir_build_fail(b, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
    return (TF_Output){op, 0};
}

static void check_input(weir_builder *b, TF_Output input)
{
    if (!input.oper)
        weir_build_fail(b, TF_INVALID_ARGUMENT, "An input of a new node is empty");
}

void weir_build_input(weir_builder *b, TF_OperationDescription *d, TF_Output input)
{
    check_input(b, input);
    if (d && input.oper)
        TF_AddInput(d, input);
}

void weir_build_input_list(weir_builder *b, TF_OperationDescription *d, const TF_Output *inputs,
                           int count)
{
    for (int i = 0; i < count; i++)
        check_input(b, inputs[i]);
    if (d && !failed(b))
        TF_AddInputList(d, inputs, count);
}

TF_Output weir_build_op(weir_builder *b, const char *type, const char *name,
                        const TF_Output *inputs, int input_count)
{
    TF_OperationDescription *d = weir_build_begin(b, type, name);
    for (int i = 0; i < input_count; i++)
        weir_build_input(b, d, inputs[i]);
    return weir_build_end(b, d);
}

/* ---- constants and what is fed -------------------------------------------------------------- */

void weir_build_delete_tensor(TF_Tensor *t)
{
    TF_TString *s = TF_TensorData(t);
    for (int64_t i = 0; TF_TensorType(t) == TF_STRING && i < TF_TensorElementCount(t); i++)
        TF_StringDealloc(&s[i]);
    TF_DeleteTensor(t);
}

/* Takes over |value|. */
static TF_Output constant(weir_builder *b, const char *name, TF_Tensor *value)
{
    TF_OperationDescription *d = weir_build_begin(b, "Const", name);
    if (d) {
        TF_SetAttrType(d, "dtype", TF_TensorType(value));
        TF_SetAttrTensor(d, "value", value, b->status);
    }
    weir_build_delete_tensor(value);
    return weir_build_end(b, d);
}

TF_Output weir_build_const(weir_builder *b, const char *name, TF_DataType type, int rank,
                           const int64_t *dims, const void *elements)
{
    size_t bytes = TF_DataTypeSize(type);
    for (int i = 0; i < rank; i++)
        bytes *= (size_t)dims[i];
    if (!TF_DataTypeSize(type)) {
        weir_build_fail(b, TF_INVALID_ARGUMENT, "weir_build_const takes numbers only");
        return (TF_Output){0};
    }
    TF_Tensor *value = TF_AllocateTensor(type, dims, rank, bytes);
    if (!value) {
        weir_build_fail(b, TF_RESOURCE_EXHAUSTED, "There is no memory for a constant");
        return (TF_Output){0};
    }
    if (bytes)
        memcpy(TF_TensorData(value), elements, bytes);
    return constant(b, name, value);
}

TF_Output weir_build_float(weir_builder *b, const char *name, float value)
{
    return weir_build_const(b, name, TF_FLOAT, 0, NULL, &value);
}

TF_Output weir_build_int32(weir_builder *b, const char *name, int32_t value)
{
    return weir_build_const(b, name, TF_INT32, 0, NULL, &value);
}

TF_Tensor *weir_build_string_tensor(const char *const *values, int count, bool scalar)
{
    int64_t dim = count;
    size_t bytes = sizeof(TF_TString) * (size_t)count;
    TF_Tensor *t = TF_AllocateTensor(TF_STRING, &dim, scalar ? 0 : 1, bytes);
    TF_TString *s = TF_TensorData(t);
    for (int i = 0; i < count; i++) {
        TF_StringInit(&s[i]);
        TF_StringCopy(&s[i], values[i], strlen(values[i]));
    }
    return t;
}

TF_Output weir_build_string(weir_builder *b, const char *name, const char *value)
{
    return constant(b, name, weir_build_string_tensor(&value, 1, true));
}

TF_Output weir_build_strings(weir_builder *b, const char *name, const char *const *values,
                             int count)
{
    return constant(b, name, weir_build_string_tensor(values, count, false));
}

TF_Output weir_build_placeholder(weir_builder *b, const char *name, TF_DataType type, int rank,
                                 const int64_t *dims)
{
    TF_OperationDescription *d = weir_build_begin(b, "Placeholder", name);
    if (d) {
        TF_SetAttrType(d, "dtype", type);
        TF_SetAttrShape(d, "shape", dims, rank);
    }
    return weir_build_end(b, d);
}

static TF_Output add_variable(weir_builder *b, const char *name, TF_Output initial)
{
    enum { MOST = 32 };
    int64_t dims[MOST];
    TF_Status *status = TF_NewStatus();
    int rank = TF_GraphGetTensorNumDims(b->graph, initial, status);
    if (rank >= 0 && rank <= MOST)
        TF_GraphGetTensorShape(b->graph, initial, dims, rank, status);
    bool known = TF_GetCode(status) == TF_OK && rank >= 0 && rank <= MOST;
    for (int i = 0; known && i < rank; i++)
        known = dims[i] >= 0;
    TF_DeleteStatus(status);
    if (!known) {
        weir_build_fail(b, TF_INVALID_ARGUMENT, "The shape of a variable's start must be known");
        return (TF_Output){0};
    }
    TF_OperationDescription *d = weir_build_begin(b, "VariableV2", name);
    if (d) {
        TF_SetAttrType(d, "dtype", TF_OperationOutputType(initial));
        TF_SetAttrShape(d, "shape", dims, rank);
    }
    return weir_build_end(b, d);
}

weir_variable weir_build_variable(weir_builder *b, const char *name, TF_Output initial)
{
    weir_variable v = {0};
    if (failed(b) || !initial.oper) {
        check_input(b, initial);
        return v;
    }
    v.ref = add_variable(b, name, initial);
    if (failed(b))
        return v;
    size_t scope = b->scopes.count ? strlen(b->scopes.at[b->scopes.count - 1]) : 0;
    weir_build_push_scope(b, TF_OperationName(v.ref.oper) + (scope ? scope + 1 : 0));
    v.initialize = weir_build_op(b, "Assign", "Assign", WEIR_INPUTS(v.ref, initial)).oper;
    v.value = weir_build_op(b, "Identity", "read", &v.ref, 1);
    weir_build_pop_scope(b);
    return v;
}

TF_Operation *weir_build_group(weir_builder *b, const char *name, TF_Operation *const *ops,
                               int count)
{
    TF_OperationDescription *d = weir_build_begin(b, "NoOp", name);
    for (int i = 0; d && i < count; i++)
        if (ops[i])
            TF_AddControlInput(d, ops[i]);
    return weir_build_end(b, d).oper;
}
