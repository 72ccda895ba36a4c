/* ops/data/function.c - functions of datasets, and synchronous calls of them. */
#include "base/blocking.h"
#include "base/mutex.h"
#include "graph/graph.h"
#include "op/rendezvous.h"
#include "op/work.h"
#include "ops/data/data_impl.h"

static void init(weir_data_function *function, const weir_call *call, const weir_func *func,
                 weir_range captured)
{
    function->func = *func;
    function->device = weir_arena_strdup(&function->arena, weir_call_device(call));
    function->library =
        call->run->runner ? call->run->runner->library(call->run->runner_arg) : NULL;
    function->captured_count = captured.count;
    function->captured = weir_element_create(captured.count);
    for (int i = 0; i < captured.count; i++)
        function->captured[i] = weir_tensor_share(weir_in(call, captured.start + i));
}

void weir_data_function_init(weir_data_function *function, const weir_call *call, const char *attr,
                             const char *captured)
{
    weir_arena_init(&function->arena);
    weir_attr copy = weir_attr_copy(&function->arena, weir_data_attr(call->site, attr));
    init(function, call, copy.func, weir_data_range(call, captured));
}

void weir_data_function_init_nth(weir_data_function *function, const weir_call *call,
                                 const char *attr, int k, weir_range captured)
{
    weir_arena_init(&function->arena);
    weir_attr copy = weir_attr_copy(&function->arena, weir_data_attr(call->site, attr));
    init(function, call, &copy.funcs[k], captured);
}

void weir_data_function_fini(weir_data_function *function)
{
    weir_element_destroy(function->captured, function->captured_count);
    weir_ref_release((weir_ref *)function->library);
    weir_arena_fini(&function->arena);
}

/* ---- statefulness of functions --------------------------------------------------------------- */

typedef struct search {
    const weir_graph *library;
    weir_map seen; /* names of functions */
} search;

static bool function_is_stateful(search *search, const char *name);

/* Datasets are values, though some ops that create them are marked stateful. */
static bool makes_dataset(const char *op)
{
    size_t length = strlen(op);
    return (length >= 7 && strcmp(op + length - 7, "Dataset") == 0) ||
           (length >= 9 && strcmp(op + length - 9, "DatasetV2") == 0);
}

static bool calls_stateful(search *search, const weir_named_attr *attrs, int count)
{
    for (int i = 0; i < count; i++) {
        const weir_attr *attr = &attrs[i].value;
        for (int k = 0; attr->kind == WEIR_ATTR_FUNC && k < (attr->is_list ? attr->count : 1); k++)
            if (function_is_stateful(search,
                                     attr->is_list ? attr->funcs[k].name : attr->func->name))
                return true;
    }
    return false;
}

static bool node_is_stateful(search *search, const weir_function_node *node)
{
    static const char *const calls[] = {"If", "Case", "While", "StatefulPartitionedCall", "Assert"};
    const weir_op *op = weir_registry_find(search->library->registry, weir_str_of(node->op));
    if (!op)
        return function_is_stateful(search, node->op);
    if (calls_stateful(search, node->attrs, node->attr_count))
        return true;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(node->op, calls[i]) == 0)
            return false;
    return op->flags & WEIR_STATEFUL && !makes_dataset(node->op);
}

static bool function_is_stateful(search *search, const char *name)
{
    const weir_function *function = weir_graph_find_function(search->library, weir_str_of(name));
    if (!function || weir_map_get(&search->seen, weir_str_of(name)))
        return false;
    weir_map_put(&search->seen, weir_str_of(name), (void *)function);
    for (int i = 0; i < function->node_count; i++)
        if (node_is_stateful(search, &function->nodes[i]))
            return true;
    return false;
}

bool weir_data_functions_stateful(const weir_call *call)
{
    if (!call->run->runner)
        return false;
    weir_library *library = call->run->runner->library(call->run->runner_arg);
    search search = {.library = library->functions};
    bool stateful = false;
    for (int i = 0; i < call->site->def->attr_count && !stateful; i++)
        stateful = calls_stateful(
            &search, &(weir_named_attr){call->site->def->attrs[i].name, call->site->attrs[i]}, 1);
    weir_map_fini(&search.seen);
    weir_ref_release(&library->ref);
    return stateful;
}

/* A thread that waits for the end of a call. */
typedef struct waiting {
    weir_mutex lock;
    weir_cond done_now;
    bool done WEIR_GUARDED_BY(lock);
    weir_status status WEIR_GUARDED_BY(lock);
    weir_tensor *rets WEIR_GUARDED_BY(lock);
    int count WEIR_GUARDED_BY(lock);
} waiting;

static void returned(void *arg, weir_status status, weir_tensor *rets, int count)
{
    waiting *waiting = arg;
    weir_tensor *kept = weir_element_create(count);
    for (int i = 0; i < count; i++)
        kept[i] = rets[i];
    weir_mutex_lock(&waiting->lock);
    waiting->status = status;
    waiting->rets = kept;
    waiting->count = count;
    waiting->done = true;
    weir_cond_signal(&waiting->done_now);
    weir_mutex_unlock(&waiting->lock);
}

static weir_status check_returns(const weir_data_function *function, const waiting *waiting,
                                 const weir_dtype *types, int count)
{
    if (waiting->count != count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Function %s returns %d values, but %d are needed",
                          function->func.name, waiting->count, count);
    for (int i = 0; types && i < count; i++)
        if (waiting->rets[i].dtype != types[i])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected component %d of function %s to be of type %s, but it is %s",
                              i, function->func.name, weir_dtype_name(types[i]),
                              weir_dtype_name(waiting->rets[i].dtype));
    return WEIR_OK;
}

/* A failing call does not cancel its step: the dataset interprets the error (for example as the end
 * of a generator). */
static void call_and_wait(const weir_data_function *function, weir_bound *bound, weir_run *run,
                          const weir_tensor *args, int count, waiting *waiting)
{
    weir_run own = *run;
    own.cancel = weir_cancel_create(run->cancel);
    own.rendezvous = weir_rendezvous_create();
    weir_tensor *all = weir_element_create(count + function->captured_count);
    for (int i = 0; i < count; i++)
        all[i] = args[i];
    for (int i = 0; i < function->captured_count; i++)
        all[count + i] = function->captured[i];
    run->runner->call(bound, &own, all, count + function->captured_count, returned, waiting);
    weir_free(all);
    weir_mutex_lock(&waiting->lock);
    while (!waiting->done)
        weir_cond_wait(&waiting->done_now, &waiting->lock);
    weir_mutex_unlock(&waiting->lock);
    weir_rendezvous_release(own.rendezvous);
    weir_cancel_release(own.cancel);
}

weir_status weir_data_function_call(const weir_data_function *function, weir_run *run,
                                    const weir_tensor *args, int arg_count, const weir_dtype *types,
                                    int ret_count, weir_tensor *rets)
{
    /* Bound per call: an iterator may outlive the session that created it. */
    weir_bound *bound;
    if (!run->runner)
        return weir_error(WEIR_FAILED_PRECONDITION, "No function library to call %s from",
                          function->func.name);
    if (function->library)
        WEIR_TRY(run->runner->adopt(run->runner_arg, function->library));
    WEIR_TRY(run->runner->bind(run->runner_arg, &function->func, function->device, &bound));
    waiting waiting = {.lock = WEIR_MUTEX_INIT, .done_now = WEIR_COND_INIT};
    /* A failing function need not fail the step: the element may be skipped. */
    weir_run own = *run;
    own.cancel = weir_cancel_create(run->cancel);
    call_and_wait(function, bound, &own, args, arg_count, &waiting);
    weir_cancel_release(own.cancel);
    run->runner->release(bound);
    weir_status status =
        waiting.status ? waiting.status : check_returns(function, &waiting, types, ret_count);
    for (int i = 0; !status && i < ret_count; i++) {
        rets[i] = waiting.rets[i];
        waiting.rets[i].buffer = NULL;
    }
    weir_element_destroy(waiting.rets, waiting.count);
    return status;
}

weir_status weir_data_function_dataset(const weir_data_function *function, weir_run *run,
                                       const weir_tensor *args, int arg_count, weir_dataset **out)
{
    weir_tensor tensor = {0};
    weir_dataset *dataset = NULL;
    WEIR_TRY(weir_data_function_call(function, run, args, arg_count, NULL, 1, &tensor));
    weir_status status = weir_dataset_of(&tensor, &dataset);
    if (!status)
        *out = weir_dataset_retain(dataset);
    weir_tensor_release(&tensor);
    return status;
}

weir_status weir_data_function_test(const weir_data_function *function, weir_run *run,
                                    const weir_tensor *args, int arg_count, bool *out)
{
    weir_tensor tensor = {0};
    WEIR_TRY(weir_data_function_call(function, run, args, arg_count, NULL, 1, &tensor));
    weir_status status = WEIR_OK;
    if (tensor.dtype != WEIR_BOOL || weir_tensor_count(&tensor) != 1)
        status = weir_error(WEIR_INVALID_ARGUMENT,
                            "Filter predicate `f` must return a scalar bool tensor.");
    else
        *out = *(const bool *)tensor.data;
    weir_tensor_release(&tensor);
    return status;
}

/* ---- asynchronous calls ---------------------------------------------------------------------- */

typedef struct job {
    weir_call *c;
    weir_status (*fn)(weir_call *call, void *arg);
    void *arg;
} job;

static void run_job(void *arg)
{
    job this_job = *(job *)arg;
    weir_free(arg);
    weir_call_finish(this_job.c, weir_call_work(this_job.c, this_job.fn, this_job.arg));
}

void weir_data_start(weir_call *c, bool may_block, weir_status (*fn)(weir_call *c, void *arg),
                     void *arg)
{
    if (!may_block) {
        weir_call_finish(c, weir_call_work(c, fn, arg));
        return;
    }
    job *new_job = WEIR_NEW(job);
    *new_job = (job){c, fn, arg};
    weir_blocking_submit(run_job, new_job);
}
