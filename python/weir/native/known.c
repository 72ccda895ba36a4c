/* known.c - runs that were made before: fetches and feeds that are the same objects again.
 *
 * Most programs call Session.run in a loop, with the same tensors each time. A session keeps what
 * such a call was resolved to; the next is recognised by comparing pointers, its arrays are lent to
 * the step as they are, and no list, tuple or dictionary is made but the result. Whatever is not
 * recognised, or needs a conversion or a message, takes the way of session.py. */
#include "native.h"

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
    native_feed *feeds;
    Py_ssize_t fetch_count; /* of the step, which may be fewer */
    weir_fixed_step *step;
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
    weir_fixed_step_delete(run->step);
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

static int take_feed(native_feed *into, TF_DataType type, PyObject *row)
{
    int64_t dims[NATIVE_MAX_RANK];
    PyObject *tensor, *dtype, *shape;
    if (!PyArg_ParseTuple(row, "OOO", &tensor, &dtype, &shape))
        return -1;
    into->type = type;
    into->bytes = TF_DataTypeSize(type);
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

static int take_feeds(known_run *run, const native_plan *plan, PyObject *rows)
{
    Py_ssize_t count = PyTuple_Size(rows);
    if (count != plan->feed_count) {
        PyErr_SetString(PyExc_ValueError, "a row for each feed is needed");
        return -1;
    }
    run->feeds = PyMem_Calloc((size_t)count + 1, sizeof *run->feeds);
    for (; run->feed_count < count; run->feed_count++)
        if (take_feed(&run->feeds[run->feed_count], plan->feed_types[run->feed_count],
                      PyTuple_GetItem(rows, run->feed_count))) {
            run->feed_count++;
            return -1;
        }
    return 0;
}

static int take_step(known_run *run, PyObject *of, const native_plan *plan)
{
    TF_Session *session = native_held(of, native.session);
    if (!session)
        return -1;
    TF_Status *status = TF_NewStatus();
    run->fetch_count = plan->fetch_count;
    run->step = weir_fixed_step_new(
        session, plan->feeds, (int)plan->feed_count, plan->fetches, (int)plan->fetch_count,
        (const TF_Operation *const *)plan->targets, (int)plan->target_count, status);
    return native_ok(status) ? 0 : -1;
}

/* known_add(known, list or tuple or None, items, places, ((tensor, dtype, shape or None), ...),
 * plan)
 */
static PyObject *known_add(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(6);
    known_runs *runs = native_held(args[0], native.known);
    const native_plan *plan = runs ? native_held(args[5], native.plan) : NULL;
    if (!plan)
        return NULL;
    if (runs->count >= MOST_RUNS)
        Py_RETURN_NONE;
    known_run *run = PyMem_Calloc(1, sizeof *run);
    run->holders = 1;
    run->sequence = args[1] == Py_None ? NULL : (PyTypeObject *)args[1];
    if (take_items(run, args[2], args[3]) || take_feeds(run, plan, args[4]) ||
        take_step(run, runs->session, plan)) {
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
    while (i < run->feed_count && PyDict_Next(feeds, &at, &key, &value))
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

/* The values of one run, for most runs without an allocation. */
typedef struct values {
    weir_fed *feeds, few_feeds[4];
    native_dims_room *dims, few_dims[4];
    TF_Tensor **out, *few_out[8];
    Py_ssize_t fed; /* how many of |feeds| are to be ended */
} values;

static int values_begin(const known_run *run, values *values)
{
    size_t feeds = (size_t)run->feed_count, fetches = (size_t)run->fetch_count;
    bool few_feeds = feeds <= sizeof values->few_feeds / sizeof *values->few_feeds;
    bool few_out = fetches <= sizeof values->few_out / sizeof *values->few_out;
    values->fed = 0;
    values->feeds = few_feeds ? values->few_feeds : PyMem_Calloc(feeds, sizeof *values->feeds);
    values->dims = few_feeds ? values->few_dims : PyMem_Calloc(feeds, sizeof *values->dims);
    values->out = few_out ? values->few_out : PyMem_Calloc(fetches, sizeof *values->out);
    for (size_t i = 0; i < fetches && values->out; i++)
        values->out[i] = NULL;
    if (!values->feeds || !values->dims || !values->out)
        PyErr_NoMemory();
    return values->feeds && values->dims && values->out ? 0 : -1;
}

static void values_end(const known_run *run, values *values)
{
    for (Py_ssize_t i = 0; i < values->fed; i++)
        native_fed_end(&values->feeds[i]);
    for (Py_ssize_t i = 0; values->out && i < run->fetch_count; i++)
        if (values->out[i])
            TF_DeleteTensor(values->out[i]);
    if (values->feeds != values->few_feeds)
        PyMem_Free(values->feeds);
    if (values->dims != values->few_dims)
        PyMem_Free(values->dims);
    if (values->out != values->few_out)
        PyMem_Free(values->out);
}

/* False when a value needs a conversion. The dictionary may be changed by another thread only when
 * we let go of the interpreter, which reading arrays does not. */
static bool take_plain(const known_run *run, PyObject *feeds, values *values)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    for (; values->fed < run->feed_count && PyDict_Next(feeds, &at, &key, &value); values->fed++)
        if (!native_fed_begin(&run->feeds[values->fed], value, &values->dims[values->fed],
                              &values->feeds[values->fed]))
            return false;
    return values->fed == run->feed_count;
}

static int run_step(const known_run *run, values *values)
{
    native_watch watch;
    if (native_watch_begin(&watch))
        return -1;
    Py_BEGIN_ALLOW_THREADS;
    weir_fixed_step_run(run->step, values->feeds, values->out, watch.status);
    Py_END_ALLOW_THREADS;
    return native_watch_end(&watch);
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
static PyObject *results(const known_run *run, TF_Tensor **out)
{
    PyObject **arrays = (PyObject **)out, *made = NULL;
    Py_ssize_t count = 0;
    for (; count < run->fetch_count; count++) {
        PyObject *array = native_array(out[count]);
        out[count] = NULL;
        if (!array)
            break;
        arrays[count] = array;
    }
    if (count == run->fetch_count)
        made = arranged(run, arrays);
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_DECREF(arrays[i]);
        out[i] = NULL;
    }
    return made;
}

static PyObject *run_found(const known_runs *runs, known_run *run, PyObject *feeds)
{
    values values;
    PyObject *result = NULL;
    if (!native_held(runs->session, native.session))
        return NULL;
    run->holders++;
    if (!values_begin(run, &values)) {
        if (!take_plain(run, feeds, &values))
            result = PyErr_Occurred() ? NULL : Py_NewRef(Py_NotImplemented);
        else if (!run_step(run, &values))
            result = results(run, values.out);
    }
    values_end(run, &values);
    let_go(run);
    return result;
}

/* The fetched values; NotImplemented when the call is not known. */
static PyObject *run_known(known_runs *runs, PyObject *fetches, PyObject *feeds)
{
    bool plain = feeds == Py_None || (PyObject *)Py_TYPE(feeds) == (PyObject *)&PyDict_Type;
    known_run *run = plain ? find(runs, fetches, feeds) : NULL;
    return run ? run_found(runs, run, feeds) : Py_NewRef(Py_NotImplemented);
}

/* ---- the base of sessions -------------------------------------------------------------------- */

/* Its method run is Session.run: a call that is known never enters the interpreter. */
typedef struct runner {
    PyObject_HEAD PyObject *known; /* null: closed, or not opened */
    PyObject *unfeedable;          /* the graph's set; while it is empty, feeds need no check */
} runner;

static void runner_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((runner *)self)->known);
    Py_XDECREF(((runner *)self)->unfeedable);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* runner_set(session, known, unfeedable), or None for both: from now on nothing is known */
static PyObject *runner_set(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    if (!PyObject_TypeCheck(args[0], native.runner) ||
        (args[1] != Py_None && (!native_held(args[1], native.known) || PySet_Size(args[2]) < 0)))
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a session was expected");
    runner *into = (runner *)args[0];
    PyObject *before[] = {into->known, into->unfeedable};
    into->known = args[1] == Py_None ? NULL : Py_NewRef(args[1]);
    into->unfeedable = args[1] == Py_None ? NULL : Py_NewRef(args[2]);
    Py_XDECREF(before[0]);
    Py_XDECREF(before[1]);
    Py_RETURN_NONE;
}

/* True when the arguments are fetches and perhaps feeds, by place or by name, and nothing else. */
static bool is_short(PyObject *const *args, Py_ssize_t nargs, PyObject *names, PyObject **fetches,
                     PyObject **feeds)
{
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    *fetches = nargs > 0 ? args[0] : NULL;
    *feeds = nargs > 1 ? args[1] : NULL;
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *name = PyTuple_GetItem(names, i);
        bool feed = !PyUnicode_CompareWithASCIIString(name, "feed_dict");
        PyObject **into = feed ? feeds : fetches;
        if (*into || (!feed && PyUnicode_CompareWithASCIIString(name, "fetches")))
            return false;
        *into = args[nargs + i];
    }
    *feeds = *feeds ? *feeds : Py_None;
    return nargs < 3 && *fetches;
}

/* The call as Python gets it. */
static PyObject *pass_on(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    PyObject *places = PyTuple_New(nargs), *words = PyDict_New(), *result = NULL;
    for (Py_ssize_t i = 0; places && i < nargs; i++)
        PyTuple_SetItem(places, i, Py_NewRef(args[i]));
    for (Py_ssize_t i = 0; words && i < named; i++)
        PyDict_SetItem(words, PyTuple_GetItem(names, i), args[nargs + i]);
    PyObject *act = PyObject_GetAttrString(self, "_run_unknown");
    if (act && places && words && !PyErr_Occurred())
        result = PyObject_Call(act, places, words);
    Py_XDECREF(act);
    Py_XDECREF(places);
    Py_XDECREF(words);
    return result;
}

/* Has the session say which operation the exception that is set comes from. */
static void name_failure(PyObject *self)
{
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    PyErr_NormalizeException(&type, &error, &traceback);
    PyObject *done = PyObject_CallMethod(self, "_name_failure", "O", error);
    Py_XDECREF(done);
    PyErr_Clear();
    PyErr_Restore(type, error, traceback);
}

static PyObject *runner_run(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    PyObject *known = ((runner *)self)->known, *fetches, *feeds;
    if (!known || PySet_Size(((runner *)self)->unfeedable) ||
        !is_short(args, nargs, names, &fetches, &feeds))
        return pass_on(self, args, nargs, names);
    Py_INCREF(known); /* another thread may close the session */
    PyObject *values = run_known(((native_owner *)known)->held, fetches, feeds);
    Py_DECREF(known);
    if (!values)
        name_failure(self);
    if (values != Py_NotImplemented)
        return values;
    Py_DECREF(values);
    return pass_on(self, args, nargs, names);
}

static PyMethodDef runner_methods[] = {
    {"run", (PyCFunction)(void (*)(void))runner_run, METH_FASTCALL | METH_KEYWORDS,
     "run($self, fetches, feed_dict=None, options=None, run_metadata=None)\n--\n\n"
     "Runs what `fetches` needs and gives its values, in the structure of `fetches`."},
    {0},
};
static PyType_Slot runner_slots[] = {
    {Py_tp_dealloc, runner_dealloc}, {Py_tp_methods, runner_methods}, {0, NULL}};
static PyType_Spec runner_spec = {"weir._native.Runner", sizeof(runner), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, runner_slots};

int native_add_known_type(PyObject *module)
{
    native.known = native_add_type(module, &known_spec);
    native.runner = native_add_type(module, &runner_spec);
    return native.known && native.runner ? 0 : -1;
}

PyMethodDef native_known_methods[] = {
    NATIVE_METHOD(known_new, "known_new(session)"),
    NATIVE_METHOD(known_add, "known_add(known, sequence, items, places, feeds, plan)"),
    NATIVE_METHOD(runner_set, "runner_set(session, known, unfeedable): what its run knows"),
    {0},
};
