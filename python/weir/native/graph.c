/* graph.c - reading and changing graphs. */
#include "native.h"

#include "weir/graph.h"
#include "weir/message.h"

static TF_Output output_of(PyObject *object)
{
    if (PyObject_TypeCheck(object, native.output))
        return ((native_output *)object)->out;
    PyErr_Format(PyExc_TypeError, "%R is not a tensor or an operation", object);
    return (TF_Output){0};
}

static PyObject *done(TF_Status *status)
{
    if (!native_ok(status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *filled(TF_Buffer *buffer, TF_Status *status)
{
    if (native_ok(status))
        return native_bytes(buffer);
    TF_DeleteBuffer(buffer);
    return NULL;
}

PyObject *native_pair(TF_Output output)
{
    return Py_BuildValue("(Ni)", PyLong_FromVoidPtr(output.oper), output.index);
}

/* ---- whole graphs ---------------------------------------------------------------------------- */

static PyObject *graph_new(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    (void)args;
    NATIVE_ARGS(0);
    return native_own(native.graph, TF_NewGraph(), NULL);
}

static PyObject *graph_def(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Graph *graph = native_held(args[0], native.graph);
    if (!graph)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBuffer();
    TF_GraphToGraphDef(graph, buffer, status);
    return filled(buffer, status);
}

static PyObject *op_list(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    (void)args;
    NATIVE_ARGS(0);
    return native_bytes(TF_GetAllOpList());
}

static PyObject *op_def(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Graph *graph = native_held(args[0], native.graph);
    const char *name = graph ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!name)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBuffer();
    TF_GraphGetOpDef(graph, name, buffer, status);
    return filled(buffer, status);
}

static PyObject *version(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    (void)args;
    NATIVE_ARGS(0);
    return PyUnicode_FromString(TF_Version());
}

/* ---- import ---------------------------------------------------------------------------------- */

static int map_input(TF_ImportGraphDefOptions *options, PyObject *row)
{
    const char *name;
    int index;
    PyObject *to;
    if (!PyArg_ParseTuple(row, "siO", &name, &index, &to))
        return -1;
    TF_Output output = output_of(to);
    if (!output.oper)
        return -1;
    if (index < 0)
        TF_ImportGraphDefOptionsRemapControlDependency(options, name, output.oper);
    else
        TF_ImportGraphDefOptionsAddInputMapping(options, name, index, output);
    return 0;
}

static int add_import_control(TF_ImportGraphDefOptions *options, PyObject *op)
{
    TF_Output output = output_of(op);
    if (!output.oper)
        return -1;
    TF_ImportGraphDefOptionsAddControlDependency(options, output.oper);
    return 0;
}

static int each_option(TF_ImportGraphDefOptions *options, PyObject *list,
                       int (*add)(TF_ImportGraphDefOptions *, PyObject *))
{
    Py_ssize_t count = PySequence_Size(list);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *row = PySequence_GetItem(list, i);
        int failed = !row || add(options, row);
        Py_XDECREF(row);
        if (failed)
            return -1;
    }
    return count < 0 ? -1 : 0;
}

/* The names of input mappings that nothing used, "name:index". */
static PyObject *unused_of(TF_ImportGraphDefResults *results)
{
    int count;
    const char **names;
    int *indexes;
    TF_ImportGraphDefResultsMissingUnusedInputMappings(results, &count, &names, &indexes);
    PyObject *list = PyList_New(0);
    for (int i = 0; i < count; i++) {
        PyObject *name = PyUnicode_FromFormat("%s:%d", names[i], indexes[i]);
        PyList_Append(list, name);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *import_with(TF_Graph *graph, PyObject *const *args,
                             TF_ImportGraphDefOptions *options)
{
    char *bytes;
    Py_ssize_t length;
    const char *prefix = PyUnicode_AsUTF8AndSize(args[2], NULL);
    if (!prefix || PyBytes_AsStringAndSize(args[1], &bytes, &length) ||
        each_option(options, args[3], map_input) ||
        each_option(options, args[4], add_import_control))
        return NULL;
    TF_ImportGraphDefOptionsSetPrefix(options, prefix);
    TF_ImportGraphDefOptionsSetUniquifyNames(options, (unsigned char)PyObject_IsTrue(args[5]));
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBufferFromString(bytes, (size_t)length);
    TF_ImportGraphDefResults *results =
        TF_GraphImportGraphDefWithResults(graph, buffer, options, status);
    TF_DeleteBuffer(buffer);
    PyObject *unused = native_ok(status) ? unused_of(results) : NULL;
    if (results)
        TF_DeleteImportGraphDefResults(results);
    return unused;
}

/* import_graph(graph, bytes, prefix, [(name, index or -1, to)], controls, uniquify) -> unused */
static PyObject *import_graph(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(6);
    TF_Graph *graph = native_held(args[0], native.graph);
    if (!graph)
        return NULL;
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    PyObject *unused = import_with(graph, args, options);
    TF_DeleteImportGraphDefOptions(options);
    return unused;
}

/* ---- one node -------------------------------------------------------------------------------- */

static PyObject *op_inputs(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Operation *op = output_of(args[0]).oper;
    int count = op ? TF_OperationNumInputs(op) : 0;
    PyObject *list = op ? PyList_New(count) : NULL;
    for (int i = 0; list && i < count; i++)
        PyList_SetItem(list, i, native_pair(TF_OperationInput((TF_Input){op, i})));
    return list;
}

static PyObject *handles(TF_Operation **ops, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++)
        PyList_SetItem(list, i, PyLong_FromVoidPtr(ops[i]));
    PyMem_Free(ops);
    return list;
}

static PyObject *op_controls(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Operation *op = output_of(args[0]).oper;
    if (!op)
        return NULL;
    int count = TF_OperationNumControlInputs(op);
    TF_Operation **ops = PyMem_Calloc((size_t)count + 1, sizeof *ops);
    return handles(ops, TF_OperationGetControlInputs(op, ops, count));
}

static PyObject *op_control_outputs(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Operation *op = output_of(args[0]).oper;
    if (!op)
        return NULL;
    int count = TF_OperationNumControlOutputs(op);
    TF_Operation **ops = PyMem_Calloc((size_t)count + 1, sizeof *ops);
    return handles(ops, TF_OperationGetControlOutputs(op, ops, count));
}

static PyObject *consumers(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Output output = output_of(args[0]);
    if (!output.oper)
        return NULL;
    int count = TF_OperationOutputNumConsumers(output);
    TF_Input *inputs = PyMem_Calloc((size_t)count + 1, sizeof *inputs);
    count = TF_OperationOutputConsumers(output, inputs, count);
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++)
        PyList_SetItem(list, i, native_pair((TF_Output){inputs[i].oper, inputs[i].index}));
    PyMem_Free(inputs);
    return list;
}

static PyObject *op_device(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Operation *op = output_of(args[0]).oper;
    return op ? PyUnicode_FromString(TF_OperationDevice(op)) : NULL;
}

static PyObject *node_def(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Operation *op = output_of(args[0]).oper;
    if (!op)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBuffer();
    TF_OperationToNodeDef(op, buffer, status);
    return filled(buffer, status);
}

/* op_attr(op, name) -> bytes of an AttrValue */
static PyObject *op_attr(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Operation *op = output_of(args[0]).oper;
    const char *name = op ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!name)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBuffer();
    TF_OperationGetAttrValueProto(op, name, buffer, status);
    return filled(buffer, status);
}

/* ---- changes --------------------------------------------------------------------------------- */

static PyObject *set_device(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Operation *op = graph ? output_of(args[1]).oper : NULL;
    const char *device = op ? PyUnicode_AsUTF8AndSize(args[2], NULL) : NULL;
    if (!device)
        return NULL;
    TF_SetRequestedDevice(graph, op, device);
    Py_RETURN_NONE;
}

/* set_attr(graph, op, name, bytes of an AttrValue or None) */
static PyObject *set_attr(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(4);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Operation *op = graph ? output_of(args[1]).oper : NULL;
    const char *name = op ? PyUnicode_AsUTF8AndSize(args[2], NULL) : NULL;
    char *bytes;
    Py_ssize_t length;
    if (!name || (args[3] != Py_None && PyBytes_AsStringAndSize(args[3], &bytes, &length)))
        return NULL;
    TF_Status *status = TF_NewStatus();
    if (args[3] == Py_None) {
        TF_ClearAttr(graph, op, name, status);
        return done(status);
    }
    TF_Buffer *buffer = TF_NewBufferFromString(bytes, (size_t)length);
    TF_SetAttr(graph, op, name, buffer, status);
    TF_DeleteBuffer(buffer);
    return done(status);
}

static PyObject *add_control_input(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Operation *op = graph ? output_of(args[1]).oper : NULL;
    TF_Operation *before = op ? output_of(args[2]).oper : NULL;
    if (!before)
        return NULL;
    TF_AddOperationControlInput(graph, op, before);
    Py_RETURN_NONE;
}

static PyObject *remove_controls(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Operation *op = graph ? output_of(args[1]).oper : NULL;
    if (!op)
        return NULL;
    TF_RemoveAllControlInputs(graph, op);
    Py_RETURN_NONE;
}

/* update_edge(graph, tensor, op, index) */
static PyObject *update_edge(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(4);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Output from = graph ? output_of(args[1]) : (TF_Output){0};
    TF_Operation *op = from.oper ? output_of(args[2]).oper : NULL;
    if (!op)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_UpdateEdge(graph, from, (TF_Input){op, (int)PyLong_AsLong(args[3])}, status);
    return done(status);
}

static PyObject *set_shape(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    int64_t dims[NATIVE_MAX_RANK];
    (void)self;
    NATIVE_ARGS(3);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Output output = graph ? output_of(args[1]) : (TF_Output){0};
    int rank = args[2] == Py_None ? -1 : native_dims(args[2], dims, NATIVE_MAX_RANK);
    if (!output.oper || PyErr_Occurred())
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_GraphSetTensorShape(graph, output, dims, rank, status);
    return done(status);
}

/* handle_data(graph, tensor) -> bytes of a CppShapeInferenceResult.HandleData */
static PyObject *handle_data(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Output output = graph ? output_of(args[1]) : (TF_Output){0};
    return output.oper ? native_bytes(TF_GetHandleShapeAndType(graph, output)) : NULL;
}

/* constant_value(graph, tensor) -> array or None */
static PyObject *constant_value(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_Output output = graph ? output_of(args[1]) : (TF_Output){0};
    if (!output.oper)
        return NULL;
    TF_Tensor *value = NULL;
    TF_Status *status = TF_NewStatus();
    int known = TF_TryEvaluateConstant(graph, output, &value, status);
    TF_DeleteStatus(status);
    if (!known)
        Py_RETURN_NONE;
    return native_array(value);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static PyObject *gradient_of(const weir_gradient *gradient)
{
    if (!gradient->values.oper)
        Py_RETURN_NONE;
    if (!gradient->indices.oper)
        return Py_BuildValue("(N)", native_pair(gradient->values));
    return Py_BuildValue("(NNN)", native_pair(gradient->values), native_pair(gradient->indices),
                         native_pair(gradient->shape));
}

static PyObject *differentiate(TF_Graph *graph, const char *prefix, TF_Output *const *lists,
                               const Py_ssize_t *counts)
{
    weir_derivative what = {.prefix = prefix,
                            .y = lists[0],
                            .dy = lists[1],
                            .x = lists[2],
                            .stop = lists[3],
                            .y_count = (int)counts[0],
                            .x_count = (int)counts[2],
                            .stop_count = (int)counts[3]};
    weir_gradient *found = PyMem_Calloc((size_t)counts[2] + 1, sizeof *found);
    TF_Status *status = TF_NewStatus();
    weir_add_gradients(graph, &what, found, status);
    PyObject *list = native_ok(status) ? PyList_New(counts[2]) : NULL;
    for (Py_ssize_t i = 0; list && i < counts[2]; i++)
        PyList_SetItem(list, i, gradient_of(&found[i]));
    PyMem_Free(found);
    return list;
}

/* gradients(graph, prefix, ys, grad_ys, xs, stops) -> [None, (dense,) or (values, indices, shape)]:
 * grad_ys has a tensor or None for each y. */
static PyObject *gradients(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    TF_Output *lists[4] = {0};
    Py_ssize_t counts[4];
    (void)self;
    NATIVE_ARGS(6);
    TF_Graph *graph = native_held(args[0], native.graph);
    const char *prefix = graph ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    int failed = !prefix;
    for (int i = 0; i < 4 && !failed; i++)
        failed = native_outputs(args[2 + i], &lists[i], &counts[i]);
    PyObject *found = failed ? NULL : differentiate(graph, prefix, lists, counts);
    for (int i = 0; i < 4; i++)
        PyMem_Free(lists[i]);
    return found;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* add_function(graph, bytes of a FunctionDef, bytes of its gradient's or None) */
static PyObject *add_function(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    TF_Function *functions[2] = {0}; /* of the bytes; the gradient's is null when there is none */
    int count = 0;
    (void)self;
    NATIVE_ARGS(3);
    TF_Graph *graph = native_held(args[0], native.graph);
    if (!graph)
        return NULL;
    TF_Status *status = TF_NewStatus();
    for (; count < (args[2] == Py_None ? 1 : 2) && TF_GetCode(status) == TF_OK; count++) {
        char *bytes;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(args[1 + count], &bytes, &length))
            break;
        functions[count] = TF_FunctionImportFunctionDef(bytes, (size_t)length, status);
    }
    if (!PyErr_Occurred() && TF_GetCode(status) == TF_OK)
        TF_GraphCopyFunction(graph, functions[0], functions[1], status);
    for (int i = 0; i < 2; i++)
        if (functions[i])
            TF_DeleteFunction(functions[i]);
    if (PyErr_Occurred()) {
        TF_DeleteStatus(status);
        return NULL;
    }
    return done(status);
}

static TF_Function *make_function(PyObject *const *args, TF_Output *inputs, Py_ssize_t input_count,
                                  TF_Output *outputs, Py_ssize_t output_count)
{
    TF_Graph *body = native_held(args[0], native.graph);
    const char *name = body ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!name)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Function *function =
        TF_GraphToFunction(body, name, 0, -1, NULL, (int)input_count, inputs, (int)output_count,
                           outputs, NULL, NULL, NULL, status);
    return native_ok(status) ? function : NULL;
}

/* graph_to_function(body, name, inputs, outputs) -> bytes of a FunctionDef */
static PyObject *graph_to_function(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    TF_Output *inputs, *outputs;
    Py_ssize_t input_count, output_count;
    (void)self;
    NATIVE_ARGS(4);
    if (native_outputs(args[2], &inputs, &input_count))
        return NULL;
    if (native_outputs(args[3], &outputs, &output_count)) {
        PyMem_Free(inputs);
        return NULL;
    }
    TF_Function *function = make_function(args, inputs, input_count, outputs, output_count);
    PyMem_Free(inputs);
    PyMem_Free(outputs);
    if (!function)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBuffer();
    TF_FunctionToFunctionDef(function, buffer, status);
    TF_DeleteFunction(function);
    return filled(buffer, status);
}

/* ---- messages -------------------------------------------------------------------------------- */

static PyObject *message_schema(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    (void)args;
    NATIVE_ARGS(0);
    return native_bytes(weir_message_schema());
}

PyMethodDef native_graph_methods[] = {
    NATIVE_METHOD(graph_new, "graph_new()"),
    NATIVE_METHOD(graph_def, "graph_def(graph) -> bytes"),
    NATIVE_METHOD(op_list, "op_list() -> bytes of an OpList"),
    NATIVE_METHOD(op_def, "op_def(graph, type) -> bytes of an OpDef"),
    NATIVE_METHOD(version, "version() -> str"),
    NATIVE_METHOD(import_graph, "import_graph(graph, bytes, prefix, inputs, controls, uniquify)"),
    NATIVE_METHOD(op_inputs, "op_inputs(op) -> [(handle, index)]"),
    NATIVE_METHOD(op_controls, "op_controls(op) -> [handle]"),
    NATIVE_METHOD(op_control_outputs, "op_control_outputs(op) -> [handle]"),
    NATIVE_METHOD(consumers, "consumers(tensor) -> [(handle, input)]"),
    NATIVE_METHOD(op_device, "op_device(op) -> str"),
    NATIVE_METHOD(node_def, "node_def(op) -> bytes"),
    NATIVE_METHOD(op_attr, "op_attr(op, name) -> bytes of an AttrValue"),
    NATIVE_METHOD(set_device, "set_device(graph, op, device)"),
    NATIVE_METHOD(set_attr, "set_attr(graph, op, name, bytes or None)"),
    NATIVE_METHOD(add_control_input, "add_control_input(graph, op, before)"),
    NATIVE_METHOD(remove_controls, "remove_controls(graph, op)"),
    NATIVE_METHOD(update_edge, "update_edge(graph, tensor, op, index)"),
    NATIVE_METHOD(set_shape, "set_shape(graph, tensor, shape)"),
    NATIVE_METHOD(handle_data, "handle_data(graph, tensor) -> bytes"),
    NATIVE_METHOD(constant_value, "constant_value(graph, tensor) -> array or None"),
    NATIVE_METHOD(gradients, "gradients(graph, prefix, ys, grad_ys, xs, stops)"),
    NATIVE_METHOD(add_function,
                  "add_function(graph, bytes of a FunctionDef, bytes of its gradient's or None)"),
    NATIVE_METHOD(graph_to_function, "graph_to_function(body, name, inputs, outputs) -> bytes"),
    NATIVE_METHOD(message_schema, "message_schema() -> bytes"),
    {0},
};
