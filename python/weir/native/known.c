/* known.c - runs that were made before: fetches and feeds that are the same objects again.
 *
 * Most programs call Session.run in a loop, with the same tensors each time. A session keeps what
 * such a call was resolved to; the next is recognised by comparing pointers, its arrays are lent to
 * the step as they are, and no list, tuple or dictionary is made but the result. Whatever is not
 * recognised, or needs a conversion or a message, takes the way of session.py. */
#include "native.h"

typedef struct feed {
    PyObject *tensor, *dtype;
    int rank; /* below 0: unknown */
    int64_t *dims;
} feed;

typedef struct fetch {
    PyObject *item;
    Py_ssize_t at; /* among the plan's fetches; below 0: an operation, whose value is None */
} fetch;

typedef struct known_run {
    struct known_run *next;
    Py_ssize_t holders;
    PyTypeObject *sequence; /* list or tuple; null: a single item */
    Py_ssize_t item_count, feed_count;
    fetch *items;
    feed *feeds;
    PyObject *plan;
} known_run;

typedef struct known_runs {
    known_run *first; /* the last that was used comes first */
    PyObject *session;
    Py_ssize_t count;
} known_runs;

enum { MOST_RUNS = 256 };

static void let_go(known_run *run)
{
    if (--run->holders)
        return;
    for (Py_ssize_t i = 0; i < run->item_count; i++)
        Py_XDECREF(run->items[i].item);
    for (Py_ssize_t i = 0; i < run->feed_count; i++) {
        Py_XDECREF(run->feeds[i].tensor);
        Py_XDECREF(run->feeds[i].dtype);
        PyMem_Free(run->feeds[i].dims);
    }
    PyMem_Free(run->items);
    PyMem_Free(run->feeds);
    Py_XDECREF(run->plan);
    PyMem_Free(run);
}

static void known_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    known_runs *runs = ((native_owner *)self)->held;
    while (runs->first) {
        known_run *run = runs->first;
        runs->first = run->next;
        let_go(run);
    }
    Py_DECREF(runs->session);
    PyMem_Free(runs);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot known_slots[] = {{Py_tp_dealloc, known_dealloc}, {0, NULL}};
static PyType_Spec known_spec = {"weir._native.Known", sizeof(native_owner), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                                 known_slots};

int native_add_known_type(PyObject *module)
{
    native.known = native_add_type(module, &known_spec);
    return native.known ? 0 : -1;
}

/* known_new(session) */
static PyObject *known_new(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    if (!native_held(args[0], native.session))
        return NULL;
    known_runs *runs = PyMem_Calloc(1, sizeof *runs);
    if (!runs)
        return PyErr_NoMemory();
    runs->session = Py_NewRef(args[0]);
    return native_own(native.known, runs, NULL);
}

/* ---- adding ---------------------------------------------------------------------------------- */

static int take_items(known_run *run, PyObject *items, PyObject *places)
{
    run->item_count = PyTuple_Size(items);
    run->items = PyMem_Calloc((size_t)run->item_count + 1, sizeof *run->items);
    for (Py_ssize_t i = 0; i < run->item_count; i++) {
        run->items[i].item = Py_NewRef(PyTuple_GetItem(items, i));
        run->items[i].at = PyLong_AsSsize_t(PyTuple_GetItem(places, i));
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int take_feed(feed *into, PyObject *row)
{
    int64_t dims[NATIVE_MAX_RANK];
    PyObject *tensor, *dtype, *shape;
    if (!PyArg_ParseTuple(row, "OOO", &tensor, &dtype, &shape))
        return -1;
    into->tensor = Py_NewRef(tensor);
    into->dtype = Py_NewRef(dtype);
    into->rank = -1;
    if (shape == Py_None)
        return 0;
    into->rank = native_dims(shape, dims, NATIVE_MAX_RANK);
    if (into->rank < 0)
        return -1;
    into->dims = PyMem_Calloc((size_t)into->rank + 1, sizeof *into->dims);
    for (int i = 0; i < into->rank; i++)
        into->dims[i] = dims[i];
    return 0;
}

static int take_feeds(known_run *run, PyObject *rows)
{
    Py_ssize_t count = PyTuple_Size(rows);
    run->feeds = PyMem_Calloc((size_t)count + 1, sizeof *run->feeds);
    for (; run->feed_count < count; run->feed_count++)
        if (take_feed(&run->feeds[run->feed_count], PyTuple_GetItem(rows, run->feed_count))) {
            run->feed_count++;
            return -1;
        }
    return 0;
}

/* known_add(known, list or tuple or None, items, places, ((tensor, dtype, shape or None), ...),
 * plan)
 */
static PyObject *known_add(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(6);
    known_runs *runs = native_held(args[0], native.known);
    if (!runs || !native_held(args[5], native.plan))
        return NULL;
    if (runs->count >= MOST_RUNS)
        Py_RETURN_NONE;
    known_run *run = PyMem_Calloc(1, sizeof *run);
    run->holders = 1;
    run->sequence = args[1] == Py_None ? NULL : (PyTypeObject *)args[1];
    run->plan = Py_NewRef(args[5]);
    if (take_items(run, args[2], args[3]) || take_feeds(run, args[4])) {
        let_go(run);
        return NULL;
    }
    run->next = runs->first;
    runs->first = run;
    runs->count++;
    Py_RETURN_NONE;
}

/* ---- finding --------------------------------------------------------------------------------- */

static PyObject *item_at(PyObject *sequence, bool is_list, Py_ssize_t i)
{
    return is_list ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}

static bool same_items(const known_run *run, PyObject *fetches)
{
    if (!run->sequence)
        return run->items[0].item == fetches;
    if (Py_TYPE(fetches) != run->sequence)
        return false;
    bool is_list = run->sequence == &PyList_Type;
    Py_ssize_t count = is_list ? PyList_Size(fetches) : PyTuple_Size(fetches);
    if (count != run->item_count)
        return false;
    for (Py_ssize_t i = 0; i < count; i++)
        if (item_at(fetches, is_list, i) != run->items[i].item)
            return false;
    return true;
}

static bool same_feeds(const known_run *run, PyObject *feeds)
{
    PyObject *key, *value;
    Py_ssize_t at = 0, i = 0;
    if (feeds == Py_None)
        return run->feed_count == 0;
    if (PyDict_Size(feeds) != run->feed_count)
        return false;
    while (PyDict_Next(feeds, &at, &key, &value))
        if (key != run->feeds[i++].tensor)
            return false;
    return true;
}

static known_run *find(known_runs *runs, PyObject *fetches, PyObject *feeds)
{
    known_run **link = &runs->first;
    while (*link && !(same_items(*link, fetches) && same_feeds(*link, feeds)))
        link = &(*link)->next;
    known_run *run = *link;
    if (run && link != &runs->first) {
        *link = run->next;
        run->next = runs->first;
        runs->first = run;
    }
    return run;
}

/* ---- running --------------------------------------------------------------------------------- */

/* False when a value needs a conversion. The dictionary may be changed by another thread only when
 * we let go of the interpreter, which reading arrays does not. */
static bool take_plain(const known_run *run, PyObject *feeds, native_step *step)
{
    PyObject *key, *value;
    Py_ssize_t at = 0, i = 0;
    const native_plan *plan = native_held(run->plan, native.plan);
    while (i < run->feed_count && PyDict_Next(feeds, &at, &key, &value)) {
        const feed *known = &run->feeds[i];
        step->in[i] =
            native_tensor_plain(plan->feed_types[i], known->dtype, known->rank, known->dims, value);
        if (!step->in[i++])
            return false;
    }
    return i == run->feed_count;
}

static PyObject *value_at(const known_run *run, Py_ssize_t i, PyObject *const *arrays)
{
    Py_ssize_t at = run->items[i].at;
    return Py_NewRef(at < 0 ? Py_None : arrays[at]);
}

static PyObject *arranged(const known_run *run, PyObject *const *arrays)
{
    if (!run->sequence)
        return value_at(run, 0, arrays);
    bool is_list = run->sequence == &PyList_Type;
    PyObject *made = is_list ? PyList_New(run->item_count) : PyTuple_New(run->item_count);
    for (Py_ssize_t i = 0; made && i < run->item_count; i++) {
        PyObject *value = value_at(run, i, arrays);
        if (is_list)
            PyList_SetItem(made, i, value);
        else
            PyTuple_SetItem(made, i, value);
    }
    return made;
}

/* The tensors that were fetched, each as an array in its own place. */
static PyObject *results(const known_run *run, const native_plan *plan, native_step *step)
{
    PyObject **arrays = (PyObject **)step->out, *made = NULL;
    Py_ssize_t count = 0;
    for (; count < plan->fetch_count; count++) {
        PyObject *array = native_array(step->out[count]);
        step->out[count] = NULL;
        if (!array)
            break;
        arrays[count] = array;
    }
    if (count == plan->fetch_count)
        made = arranged(run, arrays);
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_DECREF(arrays[i]);
        step->out[i] = NULL;
    }
    return made;
}

static PyObject *run_found(known_runs *runs, known_run *run, PyObject *feeds)
{
    native_step step = {0};
    PyObject *result = NULL;
    const native_plan *plan = native_held(run->plan, native.plan);
    TF_Session *session = native_held(runs->session, native.session);
    run->holders++;
    if (session && !native_step_begin(&step, plan)) {
        if (!take_plain(run, feeds, &step))
            result = PyErr_Occurred() ? NULL : Py_NewRef(Py_NotImplemented);
        else if (!native_step_run(session, plan, &step))
            result = results(run, plan, &step);
    }
    native_step_end(&step, plan);
    let_go(run);
    return result;
}

/* known_run(known, fetches, feeds): the fetched values; NotImplemented when it is not known */
static PyObject *known_run_(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    known_runs *runs = native_held(args[0], native.known);
    if (!runs)
        return NULL;
    bool plain = args[2] == Py_None || (PyObject *)Py_TYPE(args[2]) == (PyObject *)&PyDict_Type;
    known_run *run = plain ? find(runs, args[1], args[2]) : NULL;
    return run ? run_found(runs, run, args[2]) : Py_NewRef(Py_NotImplemented);
}

PyMethodDef native_known_methods[] = {
    NATIVE_METHOD(known_new, "known_new(session)"),
    NATIVE_METHOD(known_add, "known_add(known, sequence, items, places, feeds, plan)"),
    {"known_run", (PyCFunction)(void (*)(void))known_run_, METH_FASTCALL,
     "known_run(known, fetches, feeds) -> values, or NotImplemented"},
    {0},
};
