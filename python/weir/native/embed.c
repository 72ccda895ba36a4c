/* embed.c - Python functions as ops, and Ctrl-C during a step.
 *
 * Where Python's own handler of SIGINT is in place, ours stands before it: it calls Python's, which
 * remembers the signal, and while the main thread runs a step it wakes a thread that cancels the
 * step. Programs may set handlers at any time, so now and then we look whether ours is still there:
 * not at every step, because asking the system costs more than a short step.
 *
 * A signal ends one step: the one that runs, or the one about to begin. One that came before is
 * seen as the step begins; the step is cancelled again and again until it has ended, since it may
 * not have got as far as to be cancelled; and nothing cancels once the step's end has been seen. */
#include "native.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "weir/embed.h"

/* ---- functions ------------------------------------------------------------------------------- */

static PyObject *function; /* (token, arrays) -> (code, message, [(dtype, value)]) */
static atomic_bool ending; /* library threads must not take the interpreter's lock any more */

int native_ending(void)
{
    return atomic_load(&ending);
}

/* end(): the interpreter is about to end */
static PyObject *end(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    (void)args;
    NATIVE_ARGS(0);
    atomic_store(&ending, true);
    weir_set_function_call(NULL);
    Py_RETURN_NONE;
}

static PyObject *arrays_of(TF_Tensor **inputs, int count)
{
    PyObject *list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *array = native_array(inputs[i]);
        inputs[i] = NULL;
        if (!array) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SetItem(list, i, array);
    }
    return list;
}

static int give_outputs(PyObject *values, TF_Tensor **outputs, int count)
{
    for (int i = 0; i < count; i++) {
        PyObject *row = PySequence_GetItem(values, i), *value;
        int type;
        if (row && PyArg_ParseTuple(row, "iO", &type, &value))
            outputs[i] = native_tensor_new((TF_DataType)type, value);
        Py_XDECREF(row);
        if (!outputs[i])
            return -1;
    }
    return 0;
}

static int call_with(const char *token, PyObject *arrays, TF_Tensor **outputs, int output_count,
                     TF_Status *status)
{
    const char *message;
    PyObject *values;
    int code;
    PyObject *result = PyObject_CallFunction(function, "sOi", token, arrays, output_count);
    int failed = !result || !PyArg_ParseTuple(result, "isO", &code, &message, &values);
    if (!failed && code)
        TF_SetStatus(status, (TF_Code)code, message);
    else if (!failed)
        failed = give_outputs(values, outputs, output_count);
    Py_XDECREF(result);
    return failed;
}

static void call_function(const char *token, TF_Tensor **inputs, int input_count,
                          TF_Tensor **outputs, int output_count, TF_Status *status)
{
    if (native_ending()) {
        TF_SetStatus(status, TF_UNAVAILABLE, "the interpreter is ending");
        return;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *arrays = arrays_of(inputs, input_count);
    if (!arrays || call_with(token, arrays, outputs, output_count, status)) {
        TF_SetStatus(status, TF_UNKNOWN, "the values of a Python function could not be passed on");
        PyErr_Clear();
    }
    Py_XDECREF(arrays);
    PyGILState_Release(state);
}

/* set_function(function): what PyFunc ops call, once and for all */
static PyObject *set_function(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(1);
    if (!function)
        function = Py_NewRef(args[0]);
    weir_set_function_call(call_function);
    Py_RETURN_NONE;
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static struct {
    PyObject *get_handler, *number, *usual; /* signal.getsignal, SIGINT, default_int_handler */
    pthread_t main_thread;
    weir_interrupt *interrupt;
    sem_t wake;
    bool watched;           /* the thread that waits for |wake| is there */
    int64_t looked_ms;      /* when we last looked at the handlers */
    bool placed;            /* what we saw: Python's usual handler, and ours before it */
    void (*before)(int);    /* Python's */
    atomic_bool running;    /* the main thread is in a step that may be cancelled */
    atomic_bool signalled;  /* since the step began */
    atomic_int handling;    /* handlers that run, on any thread */
    pthread_mutex_t firing; /* held while a step is looked at and cancelled */
} keys = {.firing = PTHREAD_MUTEX_INITIALIZER};

enum { LOOK_EVERY_MS = 50, FIRE_EVERY_US = 2000 };

/* Cancels the step that was signalled; false when there is none (any more). */
static bool fire(void)
{
    pthread_mutex_lock(&keys.firing);
    bool due = atomic_load(&keys.running) && atomic_load(&keys.signalled);
    if (due)
        weir_interrupt_fire(keys.interrupt);
    pthread_mutex_unlock(&keys.firing);
    return due;
}

static void *watch(void *unused)
{
    (void)unused;
    for (;;)
        if (!sem_wait(&keys.wake))
            while (fire())
                usleep(FIRE_EVERY_US);
    return NULL;
}

/* A thread of its own, since a handler may not take locks. Signals go to other threads. */
static void start_watching(void)
{
    pthread_t thread;
    sigset_t all, old;
    if (!keys.interrupt)
        keys.interrupt = weir_interrupt_new();
    sem_init(&keys.wake, 0, 0);
    weir_interrupt_use(keys.interrupt);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    keys.watched = !pthread_create(&thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (keys.watched)
        pthread_detach(thread);
}

static void after_fork(void)
{
    keys.watched = false; /* the child has no such thread */
    keys.interrupt = NULL;
    atomic_store(&keys.handling, 0);
    pthread_mutex_init(&keys.firing, NULL); /* that thread may have held it */
    weir_interrupt_use(NULL);
}

/* Python's handler first: whoever sees |signalled| can rely on Python knowing of the signal. */
static void on_interrupt(int signal)
{
    int error = errno;
    atomic_fetch_add(&keys.handling, 1);
    keys.before(signal);
    if (atomic_load(&keys.running)) {
        atomic_store(&keys.signalled, true);
        sem_post(&keys.wake);
    }
    atomic_fetch_sub(&keys.handling, 1);
    errno = error;
}

static int has_usual_handler(void)
{
    PyObject *handler = PyObject_CallFunctionObjArgs(keys.get_handler, keys.number, NULL);
    int usual = handler == keys.usual;
    Py_XDECREF(handler);
    PyErr_Clear();
    return usual;
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Puts our handler before Python's, where it is not. */
static int put_handler(void)
{
    struct sigaction action;
    if (sigaction(SIGINT, NULL, &action) || action.sa_flags & SA_SIGINFO ||
        action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL)
        return 0;
    if (action.sa_handler == on_interrupt)
        return 1;
    keys.before = action.sa_handler;
    action.sa_handler = on_interrupt;
    return !sigaction(SIGINT, &action, NULL);
}

static bool in_place(void)
{
    int64_t now = now_ms();
    if (keys.watched && now - keys.looked_ms < LOOK_EVERY_MS)
        return keys.placed;
    keys.looked_ms = now;
    keys.placed = has_usual_handler();
    if (keys.placed && !keys.watched)
        start_watching();
    keys.placed = keys.placed && keys.watched && put_handler();
    return keys.placed;
}

int native_interrupts_begin(void)
{
    if (!keys.usual || !pthread_equal(pthread_self(), keys.main_thread) || !in_place())
        return 0;
    while (atomic_load(&keys.handling)) /* on another thread: it must not mean this step */
        sched_yield();
    atomic_store(&keys.signalled, false);
    atomic_store(&keys.running, true);
    if (!PyErr_CheckSignals()) /* one that came before would not end the step */
        return 1;
    native_interrupts_end(1);
    return -1;
}

int native_interrupts_end(int begun)
{
    if (!begun)
        return 0;
    atomic_store(&keys.running, false);
    if (!atomic_load(&keys.signalled))
        return 0;
    Py_BEGIN_ALLOW_THREADS;
    pthread_mutex_lock(&keys.firing); /* until what cancels this step is done */
    pthread_mutex_unlock(&keys.firing);
    Py_END_ALLOW_THREADS;
    return 1;
}

/* watch_interrupts(getsignal, SIGINT, default_int_handler): called by the main thread */
static PyObject *watch_interrupts(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self;
    NATIVE_ARGS(3);
    keys.get_handler = Py_NewRef(args[0]);
    keys.number = Py_NewRef(args[1]);
    keys.usual = Py_NewRef(args[2]);
    keys.main_thread = pthread_self();
    pthread_atfork(NULL, NULL, after_fork);
    Py_RETURN_NONE;
}

PyMethodDef native_embed_methods[] = {
    NATIVE_METHOD(end, "end(): the interpreter is about to end"),
    NATIVE_METHOD(set_function, "set_function(function): what PyFunc ops call"),
    NATIVE_METHOD(watch_interrupts, "watch_interrupts(getsignal, SIGINT, default_int_handler)"),
    {0},
};
