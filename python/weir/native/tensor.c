/* tensor.c - arrays to tensors and back, without copies where that is safe. */
#include "ndarray.h"

#include <stdlib.h>
#include <string.h>

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

static void release_array(void *data, size_t length, void *arg)
{
    (void)data;
    (void)length;
    if (native_ending() || !Py_IsInitialized())
        return;
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(arg);
    PyGILState_Release(state);
}

static bool takes(const native_feed *feed, const ndarray *array)
{
    if (array->dtype != feed->dtype || !(array->flags & NDARRAY_C_CONTIGUOUS))
        return false;
    for (int i = 0; i < feed->rank && feed->rank == array->rank; i++)
        if (feed->dims[i] >= 0 && feed->dims[i] != array->dims[i])
            return false;
    return (feed->rank < 0 || feed->rank == array->rank) && array->rank <= NATIVE_FEW_DIMS;
}

/* The dims are copied: another thread may give the array a new shape during the step. */
static void lend(const native_feed *feed, const ndarray *array, native_dims_room *room,
                 weir_fed *out)
{
    size_t bytes = feed->bytes;
    for (int i = 0; i < array->rank; i++) {
        room->at[i] = array->dims[i];
        bytes *= (size_t)array->dims[i];
    }
    *out = (weir_fed){.dtype = feed->type,
                      .num_dims = array->rank,
                      .dims = room->at,
                      .data = array->data,
                      .len = bytes,
                      .release = release_array,
                      .arg = Py_NewRef((PyObject *)array),
                      .returned = 1};
}

bool native_fed_begin(const native_feed *feed, PyObject *value, native_dims_room *room,
                      weir_fed *out)
{
    if (!ndarray_is(value)) {
        *out = (weir_fed){.tensor = feed->rank <= 0 ? of_scalar(feed->type, value) : NULL};
        return out->tensor != NULL;
    }
    if (!takes(feed, (ndarray *)value))
        return false;
    lend(feed, (ndarray *)value, room, out);
    return true;
}

void native_fed_end(weir_fed *fed)
{
    if (fed->tensor)
        TF_DeleteTensor(fed->tensor);
    else if (fed->returned)
        Py_DECREF((PyObject *)fed->arg);
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

static PyObject *no_dtype(TF_DataType type)
{
    return PyErr_Format(PyExc_TypeError, "tensors of dtype %d have no array", (int)type);
}

static PyObject *array_over(TF_Tensor *tensor, PyObject *memory, PyObject *dtype, TF_DataType type)
{
    Py_ssize_t dims[NATIVE_MAX_RANK];
    int rank = TF_NumDims(tensor);
    void *data = TF_TensorData(tensor);
    for (int i = 0; i < rank; i++)
        dims[i] = (Py_ssize_t)TF_Dim(tensor, i);
    bool aligned = (uintptr_t)data % TF_DataTypeSize(type) == 0;
    return ndarray_over(memory, dtype, rank, dims, data, aligned);
}

/* An array on the tensor's memory, or NumPy's scalar. */
static PyObject *numbers(TF_Tensor *tensor, TF_DataType type)
{
    PyObject *dtype = native_dtype(type);
    if (!dtype || TF_NumDims(tensor) == 0) {
        PyObject *scalar = dtype ? ndarray_scalar(dtype, TF_TensorData(tensor)) : no_dtype(type);
        TF_DeleteTensor(tensor);
        return scalar;
    }
    tensor = own_copy(tensor);
    if (!tensor)
        return PyErr_NoMemory();
    PyObject *memory = native_own(native.memory, tensor, NULL);
    if (memory)
        return array_over(tensor, memory, dtype, type);
    TF_DeleteTensor(tensor);
    return NULL;
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
    if (type != TF_STRING)
        return numbers(tensor, type);
    PyObject *array = text(tensor);
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
