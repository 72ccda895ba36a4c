/* ndarray.h - NumPy's arrays by NumPy's binary interface, which is the same since 1.7: the fields
 * of an array, and functions by their places in a table that NumPy hands out. No headers of NumPy
 * are needed, and one extension fits every version. */
#ifndef WEIR_PYTHON_NDARRAY_H
#define WEIR_PYTHON_NDARRAY_H

#include "native.h"

/* The fields of an array that the interface promises, in order. */
typedef struct ndarray {
    PyObject_HEAD char *data;
    int rank;
    Py_ssize_t *dims, *strides;
    PyObject *base, *dtype;
    int flags;
} ndarray;

enum { NDARRAY_C_CONTIGUOUS = 0x1, NDARRAY_ALIGNED = 0x100, NDARRAY_WRITEABLE = 0x400 };

/* |table|: the capsule numpy's _ARRAY_API; -1 with an exception when it is of another interface. */
int ndarray_setup(PyObject *table);
bool ndarray_is(PyObject *value); /* of just that type, no subclass */
/* An array of |dtype| over |data|, which |owner| keeps alive: a reference that is taken over. */
PyObject *ndarray_over(PyObject *owner, PyObject *dtype, int rank, const Py_ssize_t *dims,
                       void *data, bool aligned);
PyObject *ndarray_scalar(PyObject *dtype, const void *data); /* copies the number */

#endif
