/* tensor.c - arrays to tensors and back, without copies where that is safe. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "weir/embed.h"

/* ---- Python -> library ----------------------------------------------------------------------- */

/* The library may let go of a fed array on any of its threads. */
static void release_view(void *data, size_t length, void *arg)
{
    (void)data;
    (void)length;
    if (native_ending() || !Py_IsInitialized())
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    PyBuffer_Release(arg);
    PyMem_Free(arg);
    PyGILState_Release(state);
}

static TF_Tensor *refused(void)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "the array does not fit the tensor's dtype");
    return NULL;
}

/* |view| is released with the tensor. */
static TF_Tensor *of_view(TF_DataType type, Py_buffer *view)
{
    int64_t dims[NATIVE_MAX_RANK];
    for (int i = 0; i < view->ndim; i++)
        dims[i] = view->shape[i];
    TF_Tensor *tensor =
        weir_lend_tensor(type, dims, view->ndim, view->buf, (size_t)view->len, release_view, view);
    return tensor ? tensor : refused();
}

static Py_buffer *view_of(PyObject *value)
{
    Py_buffer *view = PyMem_Calloc(1, sizeof *view);
    if (!view || PyObject_GetBuffer(value, view, PyBUF_C_CONTIGUOUS)) {
        PyMem_Free(view);
        return NULL;
    }
    return view;
}

static TF_Tensor *of_buffer(TF_DataType type, PyObject *value)
{
    Py_buffer *view = view_of(value);
    return view ? of_view(type, view) : NULL;
}

static void release_strings(void *data, size_t length, void *arg)
{
    TF_TString *strings = data;
    (void)arg;
    for (size_t i = 0; i < length / sizeof *strings; i++)
        TF_StringDealloc(&strings[i]);
    free(data);
}

static int fill_strings(TF_TString *strings, PyObject *list, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        char *bytes;
        Py_ssize_t length;
        int failed = !item || PyBytes_AsStringAndSize(item, &bytes, &length);
        if (!failed)
            TF_StringCopy(&strings[i], bytes, (size_t)length);
        Py_XDECREF(item);
        if (failed)
            return -1;
    }
    return 0;
}

static TF_Tensor *of_strings(PyObject *value)
{
    int64_t dims[NATIVE_MAX_RANK];
    PyObject *shape, *list;
    if (!PyArg_ParseTuple(value, "OO", &shape, &list))
        return NULL;
    int rank = native_dims(shape, dims, NATIVE_MAX_RANK);
    Py_ssize_t count = PySequence_Size(list);
    if (rank < 0 || count < 0)
        return NULL;
    size_t bytes = (size_t)count * sizeof(TF_TString);
    TF_TString *strings = aligned_alloc(64, (bytes + 64) / 64 * 64);
    for (Py_ssize_t i = 0; i < count; i++)
        TF_StringInit(&strings[i]);
    if (fill_strings(strings, list, count)) {
        release_strings(strings, bytes, NULL);
        return NULL;
    }
    TF_Tensor *tensor = TF_NewTensor(TF_STRING, dims, rank, strings, bytes, release_strings, NULL);
    return tensor ? tensor : refused();
}

TF_Tensor *native_tensor_new(TF_DataType type, PyObject *value)
{
    return type == TF_STRING ? of_strings(value) : of_buffer(type, value);
}

static TF_Tensor *copied(TF_Tensor *tensor)
{
    int64_t dims[NATIVE_MAX_RANK];
    int rank = TF_NumDims(tensor);
    for (int i = 0; i < rank; i++)
        dims[i] = TF_Dim(tensor, i);
    size_t bytes = TF_TensorByteSize(tensor);
    TF_Tensor *copy = TF_AllocateTensor(TF_TensorType(tensor), dims, rank, bytes);
    if (copy && bytes)
        memcpy(TF_TensorData(copy), TF_TensorData(tensor), bytes);
    TF_DeleteTensor(tensor);
    return copy;
}

TF_Tensor *native_tensor_copy(TF_DataType type, PyObject *value)
{
    TF_Tensor *tensor = native_tensor_new(type, value);
    return tensor && type != TF_STRING ? copied(tensor) : tensor;
}

static TF_Tensor *of_double(TF_DataType type, double number)
{
    float narrow = (float)number;
    const void *from = type == TF_FLOAT ? (const void *)&narrow : &number;
    size_t bytes = type == TF_FLOAT ? sizeof narrow : sizeof number;
    TF_Tensor *tensor = TF_AllocateTensor(type, NULL, 0, bytes);
    if (tensor)
        memcpy(TF_TensorData(tensor), from, bytes);
    return tensor;
}

static TF_Tensor *of_scalar(TF_DataType type, PyObject *value)
{
    if (PyFloat_CheckExact(value) && (type == TF_FLOAT || type == TF_DOUBLE))
        return of_double(type, PyFloat_AsDouble(value));
    if (type != TF_BOOL || (value != Py_True && value != Py_False))
        return NULL;
    TF_Tensor *tensor = TF_AllocateTensor(type, NULL, 0, sizeof(bool));
    if (tensor)
        *(bool *)TF_TensorData(tensor) = value == Py_True;
    return tensor;
}

static bool has_dtype(PyObject *array, PyObject *dtype)
{
    static PyObject *name;
    if (!name)
        name = PyUnicode_InternFromString("dtype");
    PyObject *own = PyObject_GetAttr(array, name);
    Py_XDECREF(own);
    return own == dtype;
}

static bool dims_fit(const Py_buffer *view, int rank, const int64_t *dims)
{
    for (int i = 0; i < rank && rank == view->ndim; i++)
        if (dims[i] >= 0 && dims[i] != view->shape[i])
            return false;
    return rank < 0 || rank == view->ndim;
}

static TF_Tensor *of_fitting(TF_DataType type, int rank, const int64_t *dims, Py_buffer *view)
{
    if (view && dims_fit(view, rank, dims))
        return of_view(type, view);
    if (view)
        release_view(NULL, 0, view);
    PyErr_Clear();
    return NULL;
}

TF_Tensor *native_tensor_plain(TF_DataType type, PyObject *dtype, int rank, const int64_t *dims,
                               PyObject *value)
{
    if ((PyObject *)Py_TYPE(value) != native.ndarray)
        return rank <= 0 ? of_scalar(type, value) : NULL;
    return has_dtype(value, dtype) ? of_fitting(type, rank, dims, view_of(value)) : NULL;
}

void native_tensor_delete(TF_Tensor *tensor)
{
    if (tensor)
        TF_DeleteTensor(tensor);
}

/* ---- library -> Python ----------------------------------------------------------------------- */

/* A tensor's memory behind an array. */
static int memory_get(PyObject *self, Py_buffer *view, int flags)
{
    TF_Tensor *tensor = ((native_owner *)self)->held;
    return PyBuffer_FillInfo(view, self, TF_TensorData(tensor),
                             (Py_ssize_t)TF_TensorByteSize(tensor), 0, flags);
}

static void memory_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    TF_DeleteTensor(((native_owner *)self)->held);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot memory_slots[] = {
    {Py_tp_dealloc, memory_dealloc},
    {Py_bf_getbuffer, memory_get},
    {0, NULL},
};

static PyType_Spec memory_spec = {"weir._native.Memory", sizeof(native_owner), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                  memory_slots};

int native_add_memory_type(PyObject *module)
{
    native.memory = native_add_type(module, &memory_spec);
    return native.memory ? 0 : -1;
}

static PyObject *shape_of(const TF_Tensor *tensor)
{
    int64_t dims[NATIVE_MAX_RANK];
    int rank = TF_NumDims(tensor);
    for (int i = 0; i < rank; i++)
        dims[i] = TF_Dim(tensor, i);
    return native_shape(rank, dims);
}

/* What nobody else holds is given away; the rest is copied, since arrays may be written to. */
static TF_Tensor *own_copy(TF_Tensor *tensor)
{
    return TF_TensorMaybeMove(tensor) ? tensor : copied(tensor);
}

/* The number of a scalar of the usual types; null with no exception for others. */
static PyObject *plain_number(const TF_Tensor *tensor)
{
    const void *data = TF_TensorData(tensor);
    if (TF_NumDims(tensor) != 0)
        return NULL;
    switch (TF_TensorType(tensor)) {
    case TF_FLOAT:
        return PyFloat_FromDouble(*(const float *)data);
    case TF_DOUBLE:
        return PyFloat_FromDouble(*(const double *)data);
    case TF_INT32:
        return PyLong_FromLong(*(const int32_t *)data);
    case TF_INT64:
        return PyLong_FromLongLong(*(const int64_t *)data);
    default:
        return NULL;
    }
}

static PyObject *dtype_of(TF_DataType type)
{
    PyObject *number = PyLong_FromLong(type);
    PyObject *dtype = PyDict_GetItemWithError(native.dtypes, number);
    Py_DECREF(number);
    return dtype ? dtype
                 : PyErr_Format(PyExc_TypeError, "tensors of dtype %d have no array", (int)type);
}

/* NumPy's scalar of |number|, which is taken over. */
static PyObject *scalar_of(PyObject *number, TF_DataType type)
{
    static PyObject *made[TF_INT64 + 1]; /* the types of NumPy's scalars */
    PyObject *dtype = made[type] ? NULL : dtype_of(type);
    if (dtype)
        made[type] = PyObject_GetAttrString(dtype, "type");
    PyObject *scalar = made[type] ? PyObject_CallFunctionObjArgs(made[type], number, NULL) : NULL;
    Py_DECREF(number);
    return scalar;
}

static PyObject *array_of(PyObject *memory, PyObject *shape, TF_DataType type)
{
    PyObject *dtype = dtype_of(type);
    if (!dtype)
        return NULL;
    PyObject *array = PyObject_CallFunctionObjArgs(native.ndarray, shape, dtype, memory, NULL);
    if (!array || PyTuple_Size(shape) > 0)
        return array;
    PyObject *scalar = PyObject_GetItem(array, shape); /* array[()] */
    Py_DECREF(array);
    return scalar;
}

static PyObject *numbers(TF_Tensor *tensor)
{
    TF_DataType type = TF_TensorType(tensor);
    tensor = own_copy(tensor);
    if (!tensor)
        return PyErr_NoMemory();
    PyObject *memory = native_own(native.memory, tensor, NULL);
    PyObject *shape = memory ? shape_of(tensor) : NULL;
    PyObject *array = shape ? array_of(memory, shape, type) : NULL;
    Py_XDECREF(memory);
    Py_XDECREF(shape);
    return array;
}

static PyObject *text(const TF_Tensor *tensor)
{
    const TF_TString *strings = TF_TensorData(tensor);
    int64_t count = TF_TensorElementCount(tensor);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++)
        PyList_SetItem(list, (Py_ssize_t)i,
                       PyBytes_FromStringAndSize(TF_StringGetDataPointer(&strings[i]),
                                                 (Py_ssize_t)TF_StringGetSize(&strings[i])));
    PyObject *shape = list ? shape_of(tensor) : NULL;
    PyObject *array =
        shape ? PyObject_CallFunctionObjArgs(native.strings, shape, list, NULL) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(shape);
    return array;
}

PyObject *native_array(TF_Tensor *tensor)
{
    TF_DataType type = TF_TensorType(tensor);
    PyObject *number = plain_number(tensor);
    if (!number && type != TF_STRING)
        return numbers(tensor);
    PyObject *array = number ? scalar_of(number, type) : text(tensor);
    TF_DeleteTensor(tensor);
    return array;
}

/* ---- tensors as messages --------------------------------------------------------------------- */

static PyObject *tensor_from_proto(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    char *bytes;
    Py_ssize_t length;
    (void)self;
    NATIVE_ARGS(1);
    if (PyBytes_AsStringAndSize(args[0], &bytes, &length))
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Buffer *buffer = TF_NewBufferFromString(bytes, (size_t)length);
    TF_Tensor *tensor = TF_AllocateTensor(TF_UINT8, NULL, 0, 1);
    TF_TensorFromProto(buffer, tensor, status);
    TF_DeleteBuffer(buffer);
    if (native_ok(status))
        return native_array(tensor);
    TF_DeleteTensor(tensor);
    return NULL;
}

PyMethodDef native_tensor_methods[] = {
    NATIVE_METHOD(tensor_from_proto, "tensor_from_proto(bytes of a TensorProto) -> array"),
    {0},
};
