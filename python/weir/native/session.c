/* session.c - sessions, and plans: what one fetch structure runs, resolved once. */
#include "native.h"

#include <string.h>

/* ---- types ----------------------------------------------------------------------------------- */

static void plan_free(native_plan *held)
{
    PyMem_Free(held->feeds);
    PyMem_Free(held->fetches);
    PyMem_Free(held->targets);
    PyMem_Free(held->feed_types);
    PyMem_Free(held);
}

static void end_session(TF_Session *session)
{
    TF_Status *status = TF_NewStatus();
    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    TF_DeleteStatus(status);
}

/* Deletes what |self| holds, without the interpreter's lock: threads of the library may need it. */
static void let_go(native_owner *self)
{
    void *held = self->held;
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    self->held = NULL;
    if (held && type == native.plan)
        plan_free(held);
    if (!held || type == native.plan)
        return;
    Py_BEGIN_ALLOW_THREADS;
    if (type == native.session)
        end_session(held);
    else if (type == native.graph)
        TF_DeleteGraph(held);
    else if (type == native.server)
        TF_DeleteServer(held);
    Py_END_ALLOW_THREADS;
}

static void owner_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    let_go((native_owner *)self);
    Py_XDECREF(((native_owner *)self)->keeps);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot owner_slots[] = {{Py_tp_dealloc, owner_dealloc}, {0, NULL}};
#define OWNER(name)                                                                                \
    {                                                                                              \
        "weir._native." name, sizeof(native_owner), 0,                                             \
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, owner_slots                    \
    }
static PyType_Spec graph_spec = OWNER("Graph"), session_spec = OWNER("Session"),
                   plan_spec = OWNER("Plan"), server_spec = OWNER("Server");

int native_add_session_types(PyObject *module)
{
    native.graph = native_add_type(module, &graph_spec);
    native.session = native_add_type(module, &session_spec);
    native.plan = native_add_type(module, &plan_spec);
    native.server = native_add_type(module, &server_spec);
    return native.graph && native.session && native.plan && native.server ? 0 : -1;
}

/* ---- sessions -------------------------------------------------------------------------------- */

static TF_SessionOptions *options_of(const char *target, PyObject *config)
{
    char *bytes;
    Py_ssize_t length;
    if (!target || PyBytes_AsStringAndSize(config, &bytes, &length))
        return NULL;
    TF_SessionOptions *options = TF_NewSessionOptions();
    TF_Status *status = TF_NewStatus();
    TF_SetTarget(options, target);
    TF_SetConfig(options, bytes, (size_t)length, status);
    if (native_ok(status))
        return options;
    TF_DeleteSessionOptions(options);
    return NULL;
}

/* session_new(graph, target, bytes of a ConfigProto) */
static PyObject *session_new(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    TF_Graph *graph = native_held(args[0], native.graph);
    TF_SessionOptions *options =
        graph ? options_of(PyUnicode_AsUTF8AndSize(args[1], NULL), args[2]) : NULL;
    if (!options)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Session *session;
    Py_BEGIN_ALLOW_THREADS;
    session = TF_NewSession(graph, options, status);
    TF_DeleteSessionOptions(options);
    Py_END_ALLOW_THREADS;
    return native_ok(status) ? native_own(native.session, session, args[0]) : NULL;
}

static PyObject *session_close(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Session *session = native_held(args[0], native.session);
    if (!session)
        return NULL;
    TF_Status *status = TF_NewStatus();
    Py_BEGIN_ALLOW_THREADS;
    TF_CloseSession(session, status);
    Py_END_ALLOW_THREADS;
    if (!native_ok(status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *device_at(const TF_DeviceList *list, int index)
{
    TF_Status *status = TF_NewStatus();
    const char *name = TF_DeviceListName(list, index, status);
    const char *type = TF_DeviceListType(list, index, status);
    PyObject *row = Py_BuildValue(
        "(ssLK)", name, type, (long long)TF_DeviceListMemoryBytes(list, index, status),
        (unsigned long long)TF_DeviceListIncarnation(list, index, status));
    TF_DeleteStatus(status);
    return row;
}

/* list_devices(session) -> [(name, type, bytes, incarnation)] */
static PyObject *list_devices(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Session *session = native_held(args[0], native.session);
    if (!session)
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_DeviceList *list;
    Py_BEGIN_ALLOW_THREADS;
    list = TF_SessionListDevices(session, status);
    Py_END_ALLOW_THREADS;
    if (!native_ok(status))
        return NULL;
    int count = TF_DeviceListCount(list);
    PyObject *rows = PyList_New(count);
    for (int i = 0; rows && i < count; i++)
        PyList_SetItem(rows, i, device_at(list, i));
    TF_DeleteDeviceList(list);
    return rows;
}

/* reset(target, bytes of a ConfigProto, containers) */
static PyObject *reset(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    const char *names[64];
    Py_ssize_t count = PySequence_Size(args[2]);
    for (Py_ssize_t i = 0; i < count && i < 64; i++) {
        PyObject *name = PySequence_GetItem(args[2], i);
        names[i] = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
        Py_XDECREF(name);
    }
    if (count < 0 || count > 64 || PyErr_Occurred())
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "too many containers");
    TF_SessionOptions *options = options_of(PyUnicode_AsUTF8AndSize(args[0], NULL), args[1]);
    if (!options)
        return NULL;
    TF_Status *status = TF_NewStatus();
    Py_BEGIN_ALLOW_THREADS;
    TF_Reset(options, names, (int)count, status);
    TF_DeleteSessionOptions(options);
    Py_END_ALLOW_THREADS;
    if (!native_ok(status))
        return NULL;
    Py_RETURN_NONE;
}

/* ---- plans ----------------------------------------------------------------------------------- */

static int take_targets(PyObject *sequence, native_plan *held)
{
    TF_Output *outputs;
    if (native_outputs(sequence, &outputs, &held->target_count))
        return -1;
    held->targets = PyMem_Calloc((size_t)held->target_count + 1, sizeof *held->targets);
    for (Py_ssize_t i = 0; i < held->target_count; i++)
        held->targets[i] = outputs[i].oper;
    PyMem_Free(outputs);
    return 0;
}

static int take_feed_types(native_plan *held)
{
    held->feed_types = PyMem_Calloc((size_t)held->feed_count + 1, sizeof *held->feed_types);
    for (Py_ssize_t i = 0; i < held->feed_count; i++)
        held->feed_types[i] = (TF_DataType)(TF_OperationOutputType(held->feeds[i]) % 100);
    return 0;
}

/* plan_new(feeds, fetches, targets): tensors, tensors, operations */
static PyObject *plan_new(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    native_plan *held = PyMem_Calloc(1, sizeof *held);
    if (native_outputs(args[0], &held->feeds, &held->feed_count) ||
        native_outputs(args[1], &held->fetches, &held->fetch_count) ||
        take_targets(args[2], held) || take_feed_types(held)) {
        plan_free(held);
        return NULL;
    }
    return native_own(native.plan, held, NULL);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* One run of a plan: tensors by feed and by fetch. */
typedef struct plan_step {
    TF_Tensor **in, **out, *few[16];
    TF_Buffer *options, *metadata;
} plan_step;

static void step_end(plan_step *run, const native_plan *held)
{
    for (Py_ssize_t i = 0; run->in && i < held->feed_count; i++)
        native_tensor_delete(run->in[i]);
    for (Py_ssize_t i = 0; run->out && i < held->fetch_count; i++)
        if (run->out[i])
            TF_DeleteTensor(run->out[i]);
    if (run->in != run->few)
        PyMem_Free(run->in);
    if (run->options)
        TF_DeleteBuffer(run->options);
    if (run->metadata)
        TF_DeleteBuffer(run->metadata);
}

static int take_values(plan_step *run, const native_plan *held, PyObject *values, bool lent)
{
    if (PySequence_Size(values) != held->feed_count) {
        PyErr_SetString(PyExc_ValueError, "a value for each feed is needed");
        return -1;
    }
    for (Py_ssize_t i = 0; i < held->feed_count; i++) {
        PyObject *value = PySequence_GetItem(values, i);
        TF_DataType type = held->feed_types[i];
        if (value)
            run->in[i] = lent ? native_tensor_new(type, value) : native_tensor_copy(type, value);
        Py_XDECREF(value);
        if (!run->in[i])
            return -1;
    }
    return 0;
}

/* Makes room for the tensors. Whatever comes of it, end it. */
static int step_begin(plan_step *run, const native_plan *held)
{
    size_t count = (size_t)(held->feed_count + held->fetch_count);
    bool few = count <= sizeof run->few / sizeof *run->few;
    run->in = few ? run->few : PyMem_Calloc(count, sizeof *run->in);
    run->out = run->in ? run->in + held->feed_count : NULL;
    if (!run->in)
        PyErr_NoMemory();
    return run->in ? 0 : -1;
}

static PyObject *fetched(plan_step *run, const native_plan *held)
{
    PyObject *list = PyList_New(held->fetch_count);
    for (Py_ssize_t i = 0; list && i < held->fetch_count; i++) {
        PyObject *array = native_array(run->out[i]);
        run->out[i] = NULL;
        if (array)
            PyList_SetItem(list, i, array);
        else
            Py_CLEAR(list);
    }
    return list;
}

static int take_options(plan_step *run, PyObject *options, PyObject *metadata)
{
    char *bytes;
    Py_ssize_t length;
    if (options != Py_None) {
        if (PyBytes_AsStringAndSize(options, &bytes, &length))
            return -1;
        run->options = TF_NewBufferFromString(bytes, (size_t)length);
    }
    if (PyObject_IsTrue(metadata))
        run->metadata = TF_NewBuffer();
    return 0;
}

static TF_Status *spare_status; /* for the next step; guarded by the interpreter's lock */

int native_watch_begin(native_watch *watch)
{
    watch->begun = native_interrupts_begin();
    if (watch->begun < 0)
        return -1;
    watch->status = spare_status ? spare_status : TF_NewStatus();
    spare_status = NULL;
    return 0;
}

int native_watch_end(native_watch *watch)
{
    TF_Status *status = watch->status;
    if (native_interrupts_end(watch->begun) && PyErr_CheckSignals()) {
        TF_DeleteStatus(status);
        return -1;
    }
    if (TF_GetCode(status) || spare_status)
        return native_ok(status) ? 0 : -1;
    spare_status = status;
    return 0;
}

static int step_run(TF_Session *session, const native_plan *held, plan_step *run)
{
    native_watch watch;
    if (native_watch_begin(&watch))
        return -1;
    Py_BEGIN_ALLOW_THREADS;
    TF_SessionRun(session, run->options, held->feeds, run->in, (int)held->feed_count, held->fetches,
                  run->out, (int)held->fetch_count, (const TF_Operation *const *)held->targets,
                  (int)held->target_count, run->metadata, watch.status);
    Py_END_ALLOW_THREADS;
    return native_watch_end(&watch);
}

static PyObject *run_step(TF_Session *session, const native_plan *held, plan_step *run)
{
    PyObject *list = step_run(session, held, run) ? NULL : fetched(run, held);
    if (!list || !run->metadata)
        return list;
    TF_Buffer *metadata = run->metadata;
    run->metadata = NULL;
    return Py_BuildValue("(NN)", list, native_bytes(metadata));
}

/* run(session, plan, values, bytes of RunOptions or None, metadata) -> arrays, or (arrays, bytes)
 */
static PyObject *run(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    plan_step made = {0};
    (void)self;
    NATIVE_ARGS(5);
    TF_Session *session = native_held(args[0], native.session);
    const native_plan *held = session ? native_held(args[1], native.plan) : NULL;
    if (!held)
        return NULL;
    PyObject *result = NULL;
    if (!step_begin(&made, held) && !take_values(&made, held, args[2], true) &&
        !take_options(&made, args[3], args[4]))
        result = run_step(session, held, &made);
    step_end(&made, held);
    return result;
}

/* partial_setup(session, plan) -> str */
static PyObject *partial_setup(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(2);
    TF_Session *session = native_held(args[0], native.session);
    const native_plan *held = session ? native_held(args[1], native.plan) : NULL;
    if (!held)
        return NULL;
    const char *handle = NULL;
    TF_Status *status = TF_NewStatus();
    Py_BEGIN_ALLOW_THREADS;
    TF_SessionPRunSetup(session, held->feeds, (int)held->feed_count, held->fetches,
                        (int)held->fetch_count, (const TF_Operation *const *)held->targets,
                        (int)held->target_count, &handle, status);
    Py_END_ALLOW_THREADS;
    PyObject *text = native_ok(status) ? PyUnicode_FromString(handle) : NULL;
    if (handle)
        TF_DeletePRunHandle(handle);
    return text;
}

static PyObject *partial_step(TF_Session *session, const native_plan *held, const char *handle,
                              plan_step *run)
{
    TF_Status *status = TF_NewStatus();
    Py_BEGIN_ALLOW_THREADS;
    TF_SessionPRun(session, handle, held->feeds, run->in, (int)held->feed_count, held->fetches,
                   run->out, (int)held->fetch_count, (const TF_Operation *const *)held->targets,
                   (int)held->target_count, status);
    Py_END_ALLOW_THREADS;
    return native_ok(status) ? fetched(run, held) : NULL;
}

/* partial_run(session, plan, values, handle) -> arrays */
static PyObject *partial_run(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    plan_step made = {0};
    (void)self;
    NATIVE_ARGS(4);
    TF_Session *session = native_held(args[0], native.session);
    const native_plan *held = session ? native_held(args[1], native.plan) : NULL;
    const char *handle = held ? PyUnicode_AsUTF8AndSize(args[3], NULL) : NULL;
    if (!handle)
        return NULL;
    PyObject *result = NULL;
    if (!step_begin(&made, held) && !take_values(&made, held, args[2], false))
        result = partial_step(session, held, handle, &made);
    step_end(&made, held);
    return result;
}

/* ---- servers --------------------------------------------------------------------------------- */

/* server_new(bytes of a ServerDef) */
static PyObject *server_new(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    char *bytes;
    Py_ssize_t length;
    (void)self;
    NATIVE_ARGS(1);
    if (PyBytes_AsStringAndSize(args[0], &bytes, &length))
        return NULL;
    TF_Status *status = TF_NewStatus();
    TF_Server *server;
    Py_BEGIN_ALLOW_THREADS;
    server = TF_NewServer(bytes, (size_t)length, status);
    Py_END_ALLOW_THREADS;
    return native_ok(status) ? native_own(native.server, server, NULL) : NULL;
}

static PyObject *server_do(PyObject *const *args, void (*act)(TF_Server *, TF_Status *))
{
    TF_Server *server = native_held(args[0], native.server);
    if (!server)
        return NULL;
    TF_Status *status = TF_NewStatus();
    Py_BEGIN_ALLOW_THREADS;
    act(server, status);
    Py_END_ALLOW_THREADS;
    if (!native_ok(status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *server_start(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    return server_do(args, TF_ServerStart);
}

static PyObject *server_stop(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    return server_do(args, TF_ServerStop);
}

static PyObject *server_join(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    return server_do(args, TF_ServerJoin);
}

static PyObject *server_target(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    TF_Server *server = native_held(args[0], native.server);
    return server ? PyUnicode_FromString(TF_ServerTarget(server)) : NULL;
}

PyMethodDef native_session_methods[] = {
    NATIVE_METHOD(session_new, "session_new(graph, target, config)"),
    NATIVE_METHOD(session_close, "session_close(session)"),
    NATIVE_METHOD(list_devices, "list_devices(session)"),
    NATIVE_METHOD(reset, "reset(target, config, containers)"),
    NATIVE_METHOD(plan_new, "plan_new(feeds, fetches, targets)"),
    NATIVE_METHOD(run, "run(session, plan, values, options, metadata)"),
    NATIVE_METHOD(partial_setup, "partial_setup(session, plan) -> handle"),
    NATIVE_METHOD(partial_run, "partial_run(session, plan, values, handle)"),
    NATIVE_METHOD(server_new, "server_new(bytes of a ServerDef)"),
    NATIVE_METHOD(server_start, "server_start(server)"),
    NATIVE_METHOD(server_stop, "server_stop(server)"),
    NATIVE_METHOD(server_join, "server_join(server)"),
    NATIVE_METHOD(server_target, "server_target(server) -> str"),
    {0},
};
