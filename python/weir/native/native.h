/* native.h - what the parts of the extension share. */
#ifndef WEIR_PYTHON_NATIVE_H
#define WEIR_PYTHON_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/c_api_experimental.h"
#include "weir/embed.h"

/* The base of Python's Tensor and Operation: an output of a node, or the node itself. */
typedef struct native_output {
    PyObject_HEAD TF_Output out;
} native_output;

/* Objects whose memory the library owns. A null pointer: closed. */
typedef struct native_owner {
    PyObject_HEAD void *held;
    PyObject *keeps; /* what must live as long: a session's graph */
} native_owner;

typedef struct native_types {
    PyTypeObject *output, *graph, *session, *plan, *memory, *server, *reader, *writer, *records,
        *known, *runner;
    PyObject *error;   /* (code, message) -> exception */
    PyObject *strings; /* (shape, list of bytes) -> array of objects */
} native_types;

extern native_types native;

/* Raises what |status| says, deletes it and gives null; true and deleted when it is fine. */
int native_ok(TF_Status *status);
/* The library's pointer behind |object|; null with an exception when it is of another type or
 * closed. */
void *native_held(PyObject *object, PyTypeObject *type);
PyObject *native_own(PyTypeObject *type, void *held, PyObject *keeps);

int native_outputs(PyObject *sequence, TF_Output **out, Py_ssize_t *count);
PyObject *native_pair(TF_Output output);
PyObject *native_shape(int rank, const int64_t *dims);
/* Dims from a Python sequence, None or -1 for unknown ones; -1 with an exception. */
int native_dims(PyObject *sequence, int64_t *dims, int most);
PyObject *native_bytes(TF_Buffer *buffer); /* deletes it */

enum { NATIVE_MAX_RANK = 254, NATIVE_MOST_DTYPES = 64 };

PyObject *native_dtype(TF_DataType type); /* numpy.dtype, borrowed; null: there is none */

/* |value|: an object with the buffer protocol, or for strings (shape, sequence of bytes). */
TF_Tensor *native_tensor_new(TF_DataType type, PyObject *value);
void native_tensor_delete(TF_Tensor *tensor); /* of one that was made by native_tensor_new */
PyObject *native_array(TF_Tensor *tensor);    /* takes it over */

TF_Tensor *native_tensor_copy(TF_DataType type, PyObject *value); /* in memory of the library's */
/* What a feed takes without a conversion: arrays of just |dtype|, of a shape that fits. */
typedef struct native_feed {
    PyObject *tensor, *dtype;
    TF_DataType type;
    size_t bytes; /* of an element */
    int rank;     /* below 0: unknown */
    int64_t *dims;
} native_feed;
/* A value of one run, with room for the dims of most arrays. */
enum { NATIVE_FEW_DIMS = 8 };
typedef struct native_dims_room {
    int64_t at[NATIVE_FEW_DIMS];
} native_dims_room;
/* |value| for the step, if it is such an array, or a plain float or bool for a scalar; end it after
 * the run. False with no exception: it is none of these. */
bool native_fed_begin(const native_feed *feed, PyObject *value, native_dims_room *room,
                      weir_fed *out);
void native_fed_end(weir_fed *fed);

/* What one fetch structure runs, resolved once. */
typedef struct native_plan {
    TF_Output *feeds, *fetches;
    TF_DataType *feed_types;
    TF_Operation **targets;
    Py_ssize_t feed_count, fetch_count, target_count;
} native_plan;

/* Around a step, which runs without the interpreter's lock: Ctrl-C on the main thread ends it. Both
 * give -1 with an exception: begin when a signal came before, end when one ended the step or
 * |status| is an error. */
typedef struct native_watch {
    int begun;
    TF_Status *status; /* of the step */
} native_watch;
int native_watch_begin(native_watch *watch);
int native_watch_end(native_watch *watch);

extern PyMethodDef native_graph_methods[], native_node_methods[], native_session_methods[],
    native_file_methods[], native_tensor_methods[], native_embed_methods[], native_known_methods[];

/* Around a step: Ctrl-C on the main thread ends it. Both with the interpreter's lock held; end
 * gives whether the signal came. begin gives -1 when one came before: the exception is set. */
int native_interrupts_begin(void);
int native_interrupts_end(int begun);
/* True when threads of the library must leave the interpreter alone. */
int native_ending(void);

int native_add_memory_type(PyObject *module);
int native_add_session_types(PyObject *module);
int native_add_known_type(PyObject *module);
int native_add_file_types(PyObject *module);
PyTypeObject *native_add_type(PyObject *module, PyType_Spec *spec);

#define NATIVE_ARGS(count)                                                                         \
    if (nargs != (count)) {                                                                        \
        PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", __func__, count, nargs);   \
        return NULL;                                                                               \
    }
#define NATIVE_METHOD(name, about)                                                                 \
    {                                                                                              \
#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, about                             \
    }

#endif
