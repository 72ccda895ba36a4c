/* ops/data/function.c - functions that datasets call, and waiting for them. */
#include "base/blocking.h"
#include "base/mutex.h"
#include "graph/graph.h"
#include "ops/data/data_impl.h"

void weir_data_function_init(weir_data_function *f, const weir_call *c, const char *attr,
                             const char *captured)
{
    weir_arena_init(&f->arena);
    weir_attr copy = weir_attr_copy(&f->arena, weir_data_attr(c->site, attr));
    f->func = *copy.func;
    f->library = c->run->runner ? c->run->runner->library(c->run->runner_arg) : NULL;
    weir_range r = weir_data_range(c, captured);
    f->captured_count = r.count;
    f->captured = weir_element_create(r.count);
    for (int i = 0; i < r.count; i++)
        f->captured[i] = weir_tensor_share(weir_in(c, r.start + i));
}

void weir_data_function_fini(weir_data_function *f)
{
    weir_element_destroy(f->captured, f->captured_count);
    weir_ref_release((weir_ref *)f->library);
    weir_arena_fini(&f->arena);
}

/* ---- what functions use ---------------------------------------------------------------------- */

typedef struct search {
    const weir_graph *library;
    weir_map seen; /* names of functions */
} search;

static bool function_is_stateful(search *s, const char *name);

/* Datasets are values, though some ops that make them say otherwise. */
static bool makes_dataset(const char *op)
{
    size_t length = strlen(op);
    return (length >= 7 && strcmp(op + length - 7, "Dataset") == 0) ||
           (length >= 9 && strcmp(op + length - 9, "DatasetV2") == 0);
}

static bool calls_stateful(search *s, const weir_named_attr *attrs, int count)
{
    for (int i = 0; i < count; i++) {
        const weir_attr *a = &attrs[i].value;
        for (int k = 0; a->kind == WEIR_ATTR_FUNC && k < (a->is_list ? a->count : 1); k++)
            if (function_is_stateful(s, a->is_list ? a->funcs[k].name : a->func->name))
                return true;
    }
    return false;
}

static bool node_is_stateful(search *s, const weir_function_node *n)
{
    static const char *const calls[] = {"If", "Case", "While", "StatefulPartitionedCall", "Assert"};
    const weir_op *op = weir_registry_find(s->library->registry, weir_str_of(n->op));
    if (!op)
        return function_is_stateful(s, n->op);
    if (calls_stateful(s, n->attrs, n->attr_count))
        return true;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(n->op, calls[i]) == 0)
            return false;
    return op->flags & WEIR_STATEFUL && !makes_dataset(n->op);
}

static bool function_is_stateful(search *s, const char *name)
{
    const weir_function *f = weir_graph_find_function(s->library, weir_str_of(name));
    if (!f || weir_map_get(&s->seen, weir_str_of(name)))
        return false;
    weir_map_put(&s->seen, weir_str_of(name), (void *)f);
    for (int i = 0; i < f->node_count; i++)
        if (node_is_stateful(s, &f->nodes[i]))
            return true;
    return false;
}

bool weir_data_functions_stateful(const weir_call *c)
{
    if (!c->run->runner)
        return false;
    weir_library *l = c->run->runner->library(c->run->runner_arg);
    search s = {.library = l->functions};
    bool stateful = false;
    for (int i = 0; i < c->site->def->attr_count && !stateful; i++)
        stateful = calls_stateful(
            &s, &(weir_named_attr){c->site->def->attrs[i].name, c->site->attrs[i]}, 1);
    weir_map_fini(&s.seen);
    weir_ref_release(&l->ref);
    return stateful;
}

/* Somebody waits for a call's end. */
typedef struct waiting {
    weir_mutex lock;
    weir_cond done_now;
    bool done WEIR_GUARDED_BY(lock);
    weir_status status WEIR_GUARDED_BY(lock);
    weir_tensor *rets WEIR_GUARDED_BY(lock);
    int count WEIR_GUARDED_BY(lock);
} waiting;

static void returned(void *arg, weir_status s, weir_tensor *rets, int count)
{
    waiting *w = arg;
    weir_tensor *kept = weir_element_create(count);
    for (int i = 0; i < count; i++)
        kept[i] = rets[i];
    weir_mutex_lock(&w->lock);
    w->status = s;
    w->rets = kept;
    w->count = count;
    w->done = true;
    weir_cond_signal(&w->done_now);
    weir_mutex_unlock(&w->lock);
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
    weir_mutex_lock(&w->lock);
    while (!w->done)
        weir_cond_wait(&w->done_now, &w->lock);
    weir_mutex_unlock(&w->lock);
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
    if (f->library)
        WEIR_TRY(run->runner->adopt(run->runner_arg, f->library));
    WEIR_TRY(run->runner->bind(run->runner_arg, &f->func, &b));
    waiting w = {.lock = WEIR_MUTEX_INIT, .done_now = WEIR_COND_INIT};
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
