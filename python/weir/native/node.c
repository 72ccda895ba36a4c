/* node.c - adding nodes: one call for its inputs, attrs, device and control inputs. */
#include "native.h"

#include <string.h>

/* ---- attrs: (name, kind, value) -------------------------------------------------------------- */

enum { MOST_LIST = 4096 };

static int bytes_of(PyObject *value, const char **out, size_t *length)
{
    Py_ssize_t size;
    char *bytes;
    if (PyUnicode_Check(value)) {
        *out = PyUnicode_AsUTF8AndSize(value, &size);
        *length = (size_t)size;
        return *out ? 0 : -1;
    }
    if (PyBytes_AsStringAndSize(value, &bytes, &size))
        return -1;
    *out = bytes;
    *length = (size_t)size;
    return 0;
}

static int set_shape(TF_OperationDescription *node, const char *name, PyObject *value)
{
    int64_t dims[NATIVE_MAX_RANK];
    if (value == Py_None) {
        TF_SetAttrShape(node, name, NULL, -1);
        return 0;
    }
    int rank = native_dims(value, dims, NATIVE_MAX_RANK);
    if (rank >= 0)
        TF_SetAttrShape(node, name, dims, rank);
    return rank < 0 ? -1 : 0;
}

/* |value|: (number of the dtype, what native_tensor_copy takes). */
static int set_tensor(TF_OperationDescription *node, const char *name, PyObject *value)
{
    int type;
    PyObject *array;
    if (!PyArg_ParseTuple(value, "iO", &type, &array))
        return -1;
    TF_Tensor *tensor = native_tensor_copy((TF_DataType)type, array);
    if (!tensor)
        return -1;
    TF_Status *status = TF_NewStatus();
    TF_SetAttrTensor(node, name, tensor, status);
    native_tensor_delete(tensor);
    return native_ok(status) ? 0 : -1;
}

static int set_bytes(TF_OperationDescription *node, const char *name, char kind, PyObject *value)
{
    const char *bytes;
    size_t length;
    if (bytes_of(value, &bytes, &length))
        return -1;
    if (kind == 's') {
        TF_SetAttrString(node, name, bytes, length);
    } else if (kind == 'n') {
        TF_SetAttrFuncName(node, name, bytes, length);
    } else {
        TF_Status *status = TF_NewStatus();
        TF_SetAttrValueProto(node, name, bytes, length, status);
        return native_ok(status) ? 0 : -1;
    }
    return 0;
}

static int set_one(TF_OperationDescription *node, const char *name, char kind, PyObject *value)
{
    switch (kind) {
    case 'i':
        TF_SetAttrInt(node, name, PyLong_AsLongLong(value));
        break;
    case 't':
        TF_SetAttrType(node, name, (TF_DataType)PyLong_AsLong(value));
        break;
    case 'b':
        TF_SetAttrBool(node, name, (unsigned char)PyObject_IsTrue(value));
        break;
    case 'f':
        TF_SetAttrFloat(node, name, (float)PyFloat_AsDouble(value));
        break;
    case 'S':
        return set_shape(node, name, value);
    case 'T':
        return set_tensor(node, name, value);
    default:
        return set_bytes(node, name, kind, value);
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int set_numbers(TF_OperationDescription *node, const char *name, char kind, PyObject *list,
                       int count)
{
    int64_t ints[MOST_LIST];
    float floats[MOST_LIST];
    TF_DataType types[MOST_LIST];
    unsigned char bools[MOST_LIST];
    for (int i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        if (kind == 'f')
            floats[i] = (float)PyFloat_AsDouble(item);
        else if (kind == 'b')
            bools[i] = (unsigned char)PyObject_IsTrue(item);
        else
            ints[i] = PyLong_AsLongLong(item), types[i] = (TF_DataType)ints[i];
        Py_XDECREF(item);
    }
    if (PyErr_Occurred())
        return -1;
    if (kind == 'f')
        TF_SetAttrFloatList(node, name, floats, count);
    else if (kind == 'b')
        TF_SetAttrBoolList(node, name, bools, count);
    else if (kind == 't')
        TF_SetAttrTypeList(node, name, types, count);
    else
        TF_SetAttrIntList(node, name, ints, count);
    return 0;
}

/* The strings stay in |list| while they are copied. */
static int set_strings(TF_OperationDescription *node, const char *name, PyObject *list, int count)
{
    const void *values[MOST_LIST];
    size_t lengths[MOST_LIST];
    for (int i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        const char *bytes = NULL;
        int failed = !item || bytes_of(item, &bytes, &lengths[i]);
        values[i] = bytes;
        Py_XDECREF(item);
        if (failed)
            return -1;
    }
    TF_SetAttrStringList(node, name, values, lengths, count);
    return 0;
}

static int add_shape(PyObject *item, int64_t *room, int *rank)
{
    *rank = item == Py_None ? -1 : native_dims(item, room, 16);
    return item != Py_None && *rank < 0 ? -1 : 0;
}

static int set_shapes(TF_OperationDescription *node, const char *name, PyObject *list, int count)
{
    int64_t room[MOST_LIST];
    const int64_t *dims[MOST_LIST / 16];
    int ranks[MOST_LIST / 16], failed = count > MOST_LIST / 16;
    for (int i = 0; i < count && !failed; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        dims[i] = &room[16 * i];
        failed = !item || add_shape(item, &room[16 * i], &ranks[i]);
        Py_XDECREF(item);
    }
    if (!failed)
        TF_SetAttrShapeList(node, name, dims, ranks, count);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "too many shapes");
    return failed ? -1 : 0;
}

static int set_list(TF_OperationDescription *node, const char *name, char kind, PyObject *list)
{
    Py_ssize_t count = PySequence_Size(list);
    if (count > MOST_LIST)
        PyErr_Format(PyExc_ValueError, "attr %s has %zd values", name, count);
    if (count < 0 || count > MOST_LIST)
        return -1;
    if (kind == 's')
        return set_strings(node, name, list, (int)count);
    if (kind == 'S')
        return set_shapes(node, name, list, (int)count);
    return set_numbers(node, name, kind, list, (int)count);
}

static int set_attr_of(TF_OperationDescription *node, PyObject *attr)
{
    const char *name, *kind;
    PyObject *value;
    if (!PyArg_ParseTuple(attr, "ssO", &name, &kind, &value))
        return -1;
    return kind[0] == '[' ? set_list(node, name, kind[1], value)
                          : set_one(node, name, kind[0], value);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

int native_outputs(PyObject *sequence, TF_Output **out, Py_ssize_t *count)
{
    *count = PySequence_Size(sequence);
    *out = *count < 0 ? NULL : PyMem_Calloc((size_t)*count + 1, sizeof **out);
    for (Py_ssize_t i = 0; *out && i < *count; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        if (item && item != Py_None && !PyObject_TypeCheck(item, native.output))
            PyErr_Format(PyExc_TypeError, "%R is not a tensor or an operation", item);
        else if (item && item != Py_None)
            (*out)[i] = ((native_output *)item)->out;
        Py_XDECREF(item);
    }
    if (!PyErr_Occurred())
        return 0;
    PyMem_Free(*out);
    *out = NULL;
    return -1;
}

static int add_input(TF_OperationDescription *node, PyObject *input)
{
    TF_Output *list;
    Py_ssize_t count;
    if (PyObject_TypeCheck(input, native.output)) {
        TF_AddInput(node, ((native_output *)input)->out);
        return 0;
    }
    if (native_outputs(input, &list, &count))
        return -1;
    TF_AddInputList(node, list, (int)count);
    PyMem_Free(list);
    return 0;
}

static int each(TF_OperationDescription *node, PyObject *sequence,
                int (*add)(TF_OperationDescription *, PyObject *))
{
    Py_ssize_t count = PySequence_Size(sequence);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(sequence, i);
        int failed = !item || add(node, item);
        Py_XDECREF(item);
        if (failed)
            return -1;
    }
    return count < 0 ? -1 : 0;
}

static int add_control(TF_OperationDescription *node, PyObject *op)
{
    if (!PyObject_TypeCheck(op, native.output)) {
        PyErr_Format(PyExc_TypeError, "%R is not an operation", op);
        return -1;
    }
    TF_AddControlInput(node, ((native_output *)op)->out.oper);
    return 0;
}

/* ---- results --------------------------------------------------------------------------------- */

static PyObject *shape_in(TF_Graph *graph, TF_Output output)
{
    int64_t dims[NATIVE_MAX_RANK];
    TF_Status *status = TF_NewStatus();
    int rank = TF_GraphGetTensorNumDims(graph, output, status);
    if (rank > 0)
        TF_GraphGetTensorShape(graph, output, dims, rank, status);
    TF_DeleteStatus(status);
    return native_shape(rank, dims);
}

/* ((dtype, shape), ...) */
static PyObject *outputs_of(TF_Graph *graph, TF_Operation *node)
{
    int count = TF_OperationNumOutputs(node);
    PyObject *outputs = PyTuple_New(count);
    for (int i = 0; outputs && i < count; i++) {
        TF_Output output = {node, i};
        PyTuple_SetItem(
            outputs, i,
            Py_BuildValue("(iN)", (int)TF_OperationOutputType(output), shape_in(graph, output)));
    }
    return outputs;
}

static int describe(TF_OperationDescription *node, PyObject *const *args)
{
    const char *device = PyUnicode_AsUTF8AndSize(args[5], NULL);
    if (!device || each(node, args[3], add_input) || each(node, args[4], set_attr_of) ||
        each(node, args[6], add_control))
        return -1;
    if (device[0])
        TF_SetDevice(node, device);
    return 0;
}

/* node(graph, type, name, inputs, attrs, device, controls) -> (handle, ((dtype, shape), ...)) */
static PyObject *node(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(7);
    TF_Graph *graph = native_held(args[0], native.graph);
    const char *type = graph ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    const char *name = type ? PyUnicode_AsUTF8AndSize(args[2], NULL) : NULL;
    if (!name)
        return NULL;
    TF_OperationDescription *description = TF_NewOperation(graph, type, name);
    int failed = describe(description, args);
    TF_Status *status = TF_NewStatus();
    if (failed) {
        TF_SetAttrInt(description, "weir: not to be added", 0);
        TF_FinishOperation(description, status);
        TF_DeleteStatus(status);
        return NULL;
    }
    TF_Operation *made = TF_FinishOperation(description, status);
    if (!native_ok(status))
        return NULL;
    return Py_BuildValue("(NN)", PyLong_FromVoidPtr(made), outputs_of(graph, made));
}

/* nodes_since(graph, position) -> (position, [(handle, name, type, device, outputs), ...]) */
static PyObject *nodes_since(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Graph *graph = native_held(args[0], native.graph);
    size_t position = graph ? PyLong_AsSize_t(args[1]) : 0;
    PyObject *list = graph && !PyErr_Occurred() ? PyList_New(0) : NULL;
    TF_Operation *found;
    while (list && (found = TF_GraphNextOperation(graph, &position))) {
        PyObject *item = Py_BuildValue("(NsssN)", PyLong_FromVoidPtr(found),
                                       TF_OperationName(found), TF_OperationOpType(found),
                                       TF_OperationDevice(found), outputs_of(graph, found));
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list ? Py_BuildValue("(nN)", (Py_ssize_t)position, list) : NULL;
}

/* shape(graph, tensor) -> tuple or None */
static PyObject *shape(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Graph *graph = native_held(args[0], native.graph);
    return graph ? shape_in(graph, ((native_output *)args[1])->out) : NULL;
}

PyMethodDef native_node_methods[] = {
    NATIVE_METHOD(node, "node(graph, type, name, inputs, attrs, device, controls)"),
    NATIVE_METHOD(nodes_since, "nodes_since(graph, position)"),
    NATIVE_METHOD(shape, "shape(graph, tensor)"),
    {0},
};
