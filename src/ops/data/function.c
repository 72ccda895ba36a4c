/* ops/data/function.c - functions that datasets call, and waiting for them. */
#include "base/blocking.h"
#include "ops/data/data_impl.h"

void weir_data_function_init(weir_data_function *f, const weir_call *c, const char *attr,
                             const char *captured)
{
    weir_arena_init(&f->arena);
    weir_attr copy = weir_attr_copy(&f->arena, weir_data_attr(c->site, attr));
    f->func = *copy.func;
    weir_range r = weir_data_range(c, captured);
    f->captured_count = r.count;
    f->captured = weir_element_create(r.count);
    for (int i = 0; i < r.count; i++)
        f->captured[i] = weir_tensor_share(weir_in(c, r.start + i));
}

void weir_data_function_fini(weir_data_function *f)
{
    weir_element_destroy(f->captured, f->captured_count);
    weir_arena_fini(&f->arena);
}

/* Somebody waits for a call's end. */
typedef struct waiting {
    pthread_mutex_t lock;
    pthread_cond_t done_now;
    bool done; /* under lock, as are the results */
    weir_status status;
    weir_tensor *rets;
    int count;
} waiting;

static void returned(void *arg, weir_status s, weir_tensor *rets, int count)
{
    waiting *w = arg;
    weir_tensor *kept = weir_element_create(count);
    for (int i = 0; i < count; i++)
        kept[i] = rets[i];
    pthread_mutex_lock(&w->lock);
    w->status = s;
    w->rets = kept;
    w->count = count;
    w->done = true;
    pthread_cond_signal(&w->done_now);
    pthread_mutex_unlock(&w->lock);
}

static weir_status check_returns(const weir_data_function *f, const waiting *w,
                                 const weir_dtype *types, int count)
{
    if (w->count != count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Function %s returns %d values, but %d are needed",
                          f->func.name, w->count, count);
    for (int i = 0; types && i < count; i++)
        if (w->rets[i].dtype != types[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected component %d of function %s to be of type %s, but it is %s",
                              i, f->func.name, weir_dtype_name(types[i]),
                              weir_dtype_name(w->rets[i].dtype));
    return WEIR_OK;
}

static void call_and_wait(const weir_data_function *f, weir_bound *b, weir_run *run,
                          const weir_tensor *args, int count, waiting *w)
{
    weir_tensor *all = weir_element_create(count + f->captured_count);
    for (int i = 0; i < count; i++)
        all[i] = args[i];
    for (int i = 0; i < f->captured_count; i++)
        all[count + i] = f->captured[i];
    run->runner->call(b, run, all, count + f->captured_count, returned, w);
    weir_free(all);
    pthread_mutex_lock(&w->lock);
    while (!w->done)
        pthread_cond_wait(&w->done_now, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

weir_status weir_data_function_call(const weir_data_function *f, weir_run *run,
                                    const weir_tensor *args, int arg_count, const weir_dtype *types,
                                    int ret_count, weir_tensor *rets)
{
    /* Bound for each call: an iterator may outlive the session that made it. */
    weir_bound *b;
    if (!run->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library to call %s from",
                          f->func.name);
    WEIR_TRY(run->runner->bind(run->runner_arg, &f->func, &b));
    waiting w = {.lock = PTHREAD_MUTEX_INITIALIZER, .done_now = PTHREAD_COND_INITIALIZER};
    call_and_wait(f, b, run, args, arg_count, &w);
    run->runner->release(b);
    weir_status s = w.status ? w.status : check_returns(f, &w, types, ret_count);
    for (int i = 0; !s && i < ret_count; i++) {
        rets[i] = w.rets[i];
        w.rets[i].buffer = NULL;
    }
    weir_element_destroy(w.rets, w.count);
    return s;
}

weir_status weir_data_function_dataset(const weir_data_function *f, weir_run *run,
                                       const weir_tensor *args, int arg_count, weir_dataset **out)
{
    weir_tensor t = {0};
    weir_dataset *d = NULL;
    WEIR_TRY(weir_data_function_call(f, run, args, arg_count, NULL, 1, &t));
    weir_status s = weir_dataset_of(&t, &d);
    if (!s)
        *out = weir_dataset_retain(d);
    weir_tensor_release(&t);
    return s;
}

weir_status weir_data_function_test(const weir_data_function *f, weir_run *run,
                                    const weir_tensor *args, int arg_count, bool *out)
{
    weir_tensor t = {0};
    WEIR_TRY(weir_data_function_call(f, run, args, arg_count, NULL, 1, &t));
    weir_status s = WEIR_OK;
    if (t.dtype != WEIR_BOOL || weir_tensor_count(&t) != 1)
        s = weir_error(WEIR_INVALID_ARGUMENT,
                       "Filter predicate `f` must return a scalar bool tensor.");
    else
        *out = *(const bool *)t.data;
    weir_tensor_release(&t);
    return s;
}

/* ---- asynchronous calls ---------------------------------------------------------------------- */

typedef struct job {
    weir_call *c;
    weir_status (*fn)(weir_call *c, void *arg);
    void *arg;
} job;

static void run_job(void *arg)
{
    job j = *(job *)arg;
    weir_free(arg);
    weir_call_finish(j.c, j.fn(j.c, j.arg));
}

void weir_data_start(weir_call *c, bool may_block, weir_status (*fn)(weir_call *c, void *arg),
                     void *arg)
{
    if (!may_block) {
        weir_call_finish(c, fn(c, arg));
        return;
    }
    job *j = WEIR_NEW(job);
    *j = (job){c, fn, arg};
    weir_blocking_submit(run_job, j);
}
