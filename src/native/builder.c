/* native/builder.c - adds nodes to a TF_Graph, with a scope, a device and control inputs. */
#include "native/builder.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"

struct weir_builder {
    TF_Graph *graph;
    TF_Status *status;       /* the first error */
    WEIR_VEC(char *) scopes; /* full paths: "a/b" */
    WEIR_VEC(char *) devices;
    WEIR_VEC(TF_Operation *) controls; /* null entries add none */
    weir_build_placer place;
    void *place_arg;
};

weir_builder *weir_build_new(TF_Graph *graph)
{
    weir_builder *builder = WEIR_NEW(weir_builder);
    builder->graph = graph;
    builder->status = TF_NewStatus();
    return builder;
}

static void pop(char **at, size_t *count)
{
    if (*count)
        weir_free(at[--*count]);
}

void weir_build_delete(weir_builder *builder)
{
    if (!builder)
        return;
    while (builder->scopes.count)
        weir_build_pop_scope(builder);
    while (builder->devices.count)
        weir_build_pop_device(builder);
    weir_vec_fini(&builder->scopes);
    weir_vec_fini(&builder->devices);
    weir_vec_fini(&builder->controls);
    TF_DeleteStatus(builder->status);
    weir_free(builder);
}

TF_Graph *weir_build_graph(const weir_builder *builder)
{
    return builder->graph;
}

const TF_Status *weir_build_status(const weir_builder *builder)
{
    return builder->status;
}

void weir_build_fail(weir_builder *builder, TF_Code code, const char *message)
{
    if (TF_GetCode(builder->status) == TF_OK)
        TF_SetStatus(builder->status, code, message);
}

static bool failed(const weir_builder *builder)
{
    return TF_GetCode(builder->status) != TF_OK;
}

/* ---- context of new nodes -------------------------------------------------------------------- */

void weir_build_push_scope(weir_builder *builder, const char *scope)
{
    weir_buf whole = {0};
    if (builder->scopes.count)
        weir_buf_addf(&whole, "%s/", builder->scopes.at[builder->scopes.count - 1]);
    weir_buf_adds(&whole, scope);
    weir_vec_push(&builder->scopes, weir_buf_take(&whole));
}

void weir_build_pop_scope(weir_builder *builder)
{
    pop(builder->scopes.at, &builder->scopes.count);
}

void weir_build_push_device(weir_builder *builder, const char *device)
{
    weir_vec_push(&builder->devices, weir_strdup(device));
}

void weir_build_pop_device(weir_builder *builder)
{
    pop(builder->devices.at, &builder->devices.count);
}

void weir_build_push_control(weir_builder *builder, TF_Operation *op)
{
    weir_vec_push(&builder->controls, op);
}

void weir_build_pop_control(weir_builder *builder)
{
    if (builder->controls.count)
        builder->controls.count--;
}

void weir_build_set_placer(weir_builder *builder, weir_build_placer place, void *arg)
{
    builder->place = place;
    builder->place_arg = arg;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* "scope/name", with a suffix _1, _2 ... if taken. */
static char *free_name(const weir_builder *builder, const char *name)
{
    weir_buf base = {0};
    if (builder->scopes.count && *builder->scopes.at[builder->scopes.count - 1])
        weir_buf_addf(&base, "%s/", builder->scopes.at[builder->scopes.count - 1]);
    weir_buf_adds(&base, name);
    size_t length = base.length;
    for (int i = 1; TF_GraphOperationByName(builder->graph, base.at); i++) {
        base.length = length;
        weir_buf_addf(&base, "_%d", i);
    }
    return weir_buf_take(&base);
}

static const char *device_for(const weir_builder *builder, const char *type, int64_t bytes)
{
    if (builder->devices.count)
        return builder->devices.at[builder->devices.count - 1];
    return builder->place ? builder->place(builder->place_arg, type, bytes) : "";
}

TF_OperationDescription *weir_build_begin_sized(weir_builder *builder, const char *type,
                                                const char *name, int64_t bytes)
{
    if (failed(builder))
        return NULL;
    char *whole = free_name(builder, name);
    TF_OperationDescription *description = TF_NewOperation(builder->graph, type, whole);
    weir_free(whole);
    const char *device = device_for(builder, type, bytes);
    if (*device)
        TF_SetDevice(description, device);
    for (size_t i = 0; i < builder->controls.count; i++)
        if (builder->controls.at[i])
            TF_AddControlInput(description, builder->controls.at[i]);
    return description;
}

TF_OperationDescription *weir_build_begin(weir_builder *builder, const char *type, const char *name)
{
    return weir_build_begin_sized(builder, type, name, 0);
}

TF_Output weir_build_end(weir_builder *builder, TF_OperationDescription *description)
{
    if (!description)
        return (TF_Output){0};
    TF_Status *status = TF_NewStatus();
    TF_Operation *op = TF_FinishOperation(description, status);
    weir_build_fail(builder, TF_GetCode(status), TF_Message(status));
    TF_DeleteStatus(status);
    return (TF_Output){op, 0};
}

static void check_input(weir_builder *builder, TF_Output input)
{
    if (!input.oper)
        weir_build_fail(builder, TF_INVALID_ARGUMENT, "An input of a new node is empty");
}

void weir_build_input(weir_builder *builder, TF_OperationDescription *description, TF_Output input)
{
    check_input(builder, input);
    if (description && input.oper)
        TF_AddInput(description, input);
}

void weir_build_input_list(weir_builder *builder, TF_OperationDescription *description,
                           const TF_Output *inputs, int count)
{
    for (int i = 0; i < count; i++)
        check_input(builder, inputs[i]);
    if (description && !failed(builder))
        TF_AddInputList(description, inputs, count);
}

TF_Output weir_build_op(weir_builder *builder, const char *type, const char *name,
                        const TF_Output *inputs, int input_count)
{
    TF_OperationDescription *description = weir_build_begin(builder, type, name);
    for (int i = 0; i < input_count; i++)
        weir_build_input(builder, description, inputs[i]);
    return weir_build_end(builder, description);
}

/* ---- constants and placeholders -------------------------------------------------------------- */

void weir_build_delete_tensor(TF_Tensor *tensor)
{
    TF_TString *tstrings = TF_TensorData(tensor);
    for (int64_t i = 0; TF_TensorType(tensor) == TF_STRING && i < TF_TensorElementCount(tensor);
         i++)
        TF_StringDealloc(&tstrings[i]);
    TF_DeleteTensor(tensor);
}

/* Takes ownership of |value|. */
static TF_Output constant(weir_builder *builder, const char *name, TF_Tensor *value)
{
    TF_OperationDescription *description = weir_build_begin(builder, "Const", name);
    if (description) {
        TF_SetAttrType(description, "dtype", TF_TensorType(value));
        TF_SetAttrTensor(description, "value", value, builder->status);
    }
    weir_build_delete_tensor(value);
    return weir_build_end(builder, description);
}

TF_Output weir_build_const(weir_builder *builder, const char *name, TF_DataType type, int rank,
                           const int64_t *dims, const void *elements)
{
    size_t bytes = TF_DataTypeSize(type);
    for (int i = 0; i < rank; i++)
        bytes *= (size_t)dims[i];
    if (!TF_DataTypeSize(type)) {
        weir_build_fail(builder, TF_INVALID_ARGUMENT, "weir_build_const takes numbers only");
        return (TF_Output){0};
    }
    TF_Tensor *value = TF_AllocateTensor(type, dims, rank, bytes);
    if (!value) {
        weir_build_fail(builder, TF_RESOURCE_EXHAUSTED, "There is no memory for a constant");
        return (TF_Output){0};
    }
    if (bytes)
        memcpy(TF_TensorData(value), elements, bytes);
    return constant(builder, name, value);
}

TF_Output weir_build_float(weir_builder *builder, const char *name, float value)
{
    return weir_build_const(builder, name, TF_FLOAT, 0, NULL, &value);
}

TF_Output weir_build_int32(weir_builder *builder, const char *name, int32_t value)
{
    return weir_build_const(builder, name, TF_INT32, 0, NULL, &value);
}

TF_Tensor *weir_build_string_tensor(const char *const *values, int count, bool scalar)
{
    int64_t dim = count;
    size_t bytes = sizeof(TF_TString) * (size_t)count;
    TF_Tensor *tensor = TF_AllocateTensor(TF_STRING, &dim, scalar ? 0 : 1, bytes);
    TF_TString *tstrings = TF_TensorData(tensor);
    for (int i = 0; i < count; i++) {
        TF_StringInit(&tstrings[i]);
        TF_StringCopy(&tstrings[i], values[i], strlen(values[i]));
    }
    return tensor;
}

TF_Output weir_build_string(weir_builder *builder, const char *name, const char *value)
{
    return constant(builder, name, weir_build_string_tensor(&value, 1, true));
}

TF_Output weir_build_strings(weir_builder *builder, const char *name, const char *const *values,
                             int count)
{
    return constant(builder, name, weir_build_string_tensor(values, count, false));
}

TF_Output weir_build_placeholder(weir_builder *builder, const char *name, TF_DataType type,
                                 int rank, const int64_t *dims)
{
    TF_OperationDescription *description = weir_build_begin(builder, "Placeholder", name);
    if (description) {
        TF_SetAttrType(description, "dtype", type);
        TF_SetAttrShape(description, "shape", dims, rank);
    }
    return weir_build_end(builder, description);
}

static TF_Output add_variable(weir_builder *builder, const char *name, TF_Output initial)
{
    enum { MOST = 32 };
    int64_t dims[MOST];
    TF_Status *status = TF_NewStatus();
    int rank = TF_GraphGetTensorNumDims(builder->graph, initial, status);
    if (rank >= 0 && rank <= MOST)
        TF_GraphGetTensorShape(builder->graph, initial, dims, rank, status);
    bool known = TF_GetCode(status) == TF_OK && rank >= 0 && rank <= MOST;
    for (int i = 0; known && i < rank; i++)
        known = dims[i] >= 0;
    TF_DeleteStatus(status);
    if (!known) {
        weir_build_fail(builder, TF_INVALID_ARGUMENT,
                        "The shape of a variable's start must be known");
        return (TF_Output){0};
    }
    TF_OperationDescription *description = weir_build_begin(builder, "VariableV2", name);
    if (description) {
        TF_SetAttrType(description, "dtype", TF_OperationOutputType(initial));
        TF_SetAttrShape(description, "shape", dims, rank);
    }
    return weir_build_end(builder, description);
}

weir_variable weir_build_variable(weir_builder *builder, const char *name, TF_Output initial)
{
    weir_variable variable = {0};
    if (failed(builder) || !initial.oper) {
        check_input(builder, initial);
        return variable;
    }
    variable.ref = add_variable(builder, name, initial);
    if (failed(builder))
        return variable;
    size_t scope =
        builder->scopes.count ? strlen(builder->scopes.at[builder->scopes.count - 1]) : 0;
    weir_build_push_scope(builder, TF_OperationName(variable.ref.oper) + (scope ? scope + 1 : 0));
    variable.initialize =
        weir_build_op(builder, "Assign", "Assign", WEIR_INPUTS(variable.ref, initial)).oper;
    variable.value = weir_build_op(builder, "Identity", "read", &variable.ref, 1);
    weir_build_pop_scope(builder);
    return variable;
}

TF_Operation *weir_build_group(weir_builder *builder, const char *name, TF_Operation *const *ops,
                               int count)
{
    TF_OperationDescription *description = weir_build_begin(builder, "NoOp", name);
    for (int i = 0; description && i < count; i++)
        if (ops[i])
            TF_AddControlInput(description, ops[i]);
    return weir_build_end(builder, description).oper;
}
