/* module.c - weir._native: what all parts need, and the module itself. */
#include "ndarray.h"

native_types native;

int native_ok(TF_Status *status)
{
    TF_Code code = TF_GetCode(status);
    if (code != TF_OK) {
        PyObject *error =
            native.error ? PyObject_CallFunction(native.error, "is", (int)code, TF_Message(status))
                         : NULL;
        if (error) {
            PyErr_SetObject((PyObject *)Py_TYPE(error), error);
            Py_DECREF(error);
        } else if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_RuntimeError, TF_Message(status));
        }
    }
    TF_DeleteStatus(status);
    return code == TF_OK;
}

void *native_held(PyObject *object, PyTypeObject *type)
{
    if (!PyObject_TypeCheck(object, type)) {
        PyErr_SetString(PyExc_TypeError, "an object of another type was expected");
        return NULL;
    }
    void *held = ((native_owner *)object)->held;
    if (!held)
        PyErr_SetString(PyExc_RuntimeError, "the object has been closed");
    return held;
}

PyObject *native_own(PyTypeObject *type, void *held, PyObject *keeps)
{
    native_owner *owner = PyObject_New(native_owner, type);
    if (!owner)
        return NULL;
    Py_XINCREF(keeps);
    owner->held = held;
    owner->keeps = keeps;
    return (PyObject *)owner;
}

PyObject *native_bytes(TF_Buffer *buffer)
{
    PyObject *bytes = PyBytes_FromStringAndSize(buffer->data, (Py_ssize_t)buffer->length);
    TF_DeleteBuffer(buffer);
    return bytes;
}

PyObject *native_shape(int rank, const int64_t *dims)
{
    if (rank < 0)
        Py_RETURN_NONE;
    PyObject *shape = PyTuple_New(rank);
    for (int i = 0; shape && i < rank; i++) {
        PyObject *dim = dims[i] < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(dims[i]);
        PyTuple_SetItem(shape, i, dim);
    }
    return shape;
}

int native_dims(PyObject *sequence, int64_t *dims, int most)
{
    Py_ssize_t rank = PySequence_Size(sequence);
    if (rank > most)
        PyErr_Format(PyExc_ValueError, "a shape of %zd dimensions", rank);
    if (rank < 0 || rank > most)
        return -1;
    for (Py_ssize_t i = 0; i < rank; i++) {
        PyObject *dim = PySequence_GetItem(sequence, i);
        if (!dim)
            return -1;
        dims[i] = dim == Py_None ? -1 : PyLong_AsLongLong(dim);
        Py_DECREF(dim);
        if (PyErr_Occurred())
            return -1;
    }
    return (int)rank;
}

PyTypeObject *native_add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (!type || PyModule_AddType(module, (PyTypeObject *)type))
        return NULL;
    return (PyTypeObject *)type;
}

/* ---- the base of Tensor and Operation -------------------------------------------------------- */

static int output_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *handle;
    int index;
    (void)kwargs;
    if (!PyArg_ParseTuple(args, "Oi", &handle, &index))
        return -1;
    ((native_output *)self)->out = (TF_Output){PyLong_AsVoidPtr(handle), index};
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *output_handle(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromVoidPtr(((native_output *)self)->out.oper);
}

static PyObject *output_index(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((native_output *)self)->out.index);
}

static PyGetSetDef output_fields[] = {
    {"_handle", output_handle, NULL, "the address of the node", NULL},
    {"_value_index", output_index, NULL, "which of its outputs", NULL},
    {0},
};

static PyType_Slot output_slots[] = {
    {Py_tp_init, output_init},
    {Py_tp_getset, output_fields},
    {0, NULL},
};

static PyType_Spec output_spec = {"weir._native.Output", sizeof(native_output), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, output_slots};

/* ---- the module ------------------------------------------------------------------------------ */

static PyObject *dtypes[NATIVE_MOST_DTYPES];

PyObject *native_dtype(TF_DataType type)
{
    return (int)type < NATIVE_MOST_DTYPES ? dtypes[type] : NULL;
}

static int take_dtypes(PyObject *by_number)
{
    PyObject *number, *dtype;
    Py_ssize_t at = 0;
    while (PyDict_Next(by_number, &at, &number, &dtype)) {
        long i = PyLong_AsLong(number);
        if (i < 0 || i >= NATIVE_MOST_DTYPES) {
            PyErr_Format(PyExc_ValueError, "there is no dtype %ld", i);
            return -1;
        }
        dtypes[i] = Py_NewRef(dtype);
    }
    return 0;
}

static PyObject *setup(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(4);
    native.error = Py_NewRef(args[0]);
    native.strings = Py_NewRef(args[2]);
    if (ndarray_setup(args[1]) || take_dtypes(args[3]))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {
    NATIVE_METHOD(setup, "setup(error, table of NumPy, strings, dtypes): what the module calls"),
    {0},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "weir._native",
    "Weir's C library for Python.",
    -1,
    module_methods,
    NULL,
    NULL,
    NULL,
    NULL,
};

static int add_parts(PyObject *module)
{
    PyMethodDef *parts[] = {native_graph_methods, native_node_methods,   native_session_methods,
                            native_file_methods,  native_tensor_methods, native_embed_methods,
                            native_known_methods};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (PyModule_AddFunctions(module, parts[i]))
            return -1;
    native.output = native_add_type(module, &output_spec);
    if (!native.output || native_add_memory_type(module) || native_add_session_types(module) ||
        native_add_file_types(module) || native_add_known_type(module))
        return -1;
    return 0;
}

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && add_parts(module)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
