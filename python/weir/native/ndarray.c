/* ndarray.c - arrays and scalars made by NumPy's own functions. */
#include "ndarray.h"

/* Places in NumPy's table. */
enum { VERSION = 0, ARRAY_TYPE = 2, SCALAR = 60, NEW_FROM_DESCR = 94, SET_BASE_OBJECT = 282 };

typedef unsigned version_call(void);
typedef PyObject *scalar_call(void *data, PyObject *dtype, PyObject *base);
typedef PyObject *new_call(PyTypeObject *type, PyObject *dtype, int rank, const Py_ssize_t *dims,
                           const Py_ssize_t *strides, void *data, int flags, PyObject *like);
typedef int base_call(PyObject *array, PyObject *base);

static struct {
    PyTypeObject *type;
    scalar_call *scalar;
    new_call *new_array;
    base_call *set_base;
} numpy;

int ndarray_setup(PyObject *table)
{
    void **calls = PyCapsule_GetPointer(table, NULL);
    if (!calls)
        return -1;
    unsigned version = ((version_call *)calls[VERSION])() >> 24; /* 1 of NumPy 1, 2 of NumPy 2 */
    if (version < 1 || version > 2) {
        PyErr_Format(PyExc_ImportError, "weir knows the binary interfaces 1 and 2 of NumPy, not %u",
                     version);
        return -1;
    }
    numpy.type = calls[ARRAY_TYPE];
    numpy.scalar = (scalar_call *)calls[SCALAR];
    numpy.new_array = (new_call *)calls[NEW_FROM_DESCR];
    numpy.set_base = (base_call *)calls[SET_BASE_OBJECT];
    return 0;
}

bool ndarray_is(PyObject *value)
{
    return Py_TYPE(value) == numpy.type;
}

PyObject *ndarray_over(PyObject *owner, PyObject *dtype, int rank, const Py_ssize_t *dims,
                       void *data, bool aligned)
{
    int flags = NDARRAY_WRITEABLE | (aligned ? NDARRAY_ALIGNED : 0);
    PyObject *array =
        numpy.new_array(numpy.type, Py_NewRef(dtype), rank, dims, NULL, data, flags, NULL);
    if (!array)
        Py_DECREF(owner);
    else if (numpy.set_base(array, owner))
        Py_CLEAR(array);
    return array;
}

PyObject *ndarray_scalar(PyObject *dtype, const void *data)
{
    return numpy.scalar((void *)data, dtype, NULL);
}
