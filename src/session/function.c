/* session/function.c - functions as plans of their own, run within a step.
 *
 * A bound function is prepared on its first call, so that functions may be recursive.
 */
#include "op/function.h"

#include "base/blocking.h"
#include "base/deadline.h"
#include "graph/lower.h"
#include "session/session_impl.h"

enum {
    MOST_OPEN_CALLS = 10000, /* of one session at once: limits unbounded recursion */
    MOST_NESTED = 24,        /* nested calls on one thread's stack */
};

struct weir_bound {
    weir_ref ref;
    weir_local_session *s;
    weir_arena arena;
    weir_func func;
    const char *device; /* its device; null: the session's first */
    bool elsewhere;     /* that is a device of another task */
    weir_mutex lock;
    weir_plan *plan WEIR_GUARDED_BY(lock);              /* null until the first call */
    weir_remote_function *remote WEIR_GUARDED_BY(lock); /* the same for a function elsewhere */
    weir_status error WEIR_GUARDED_BY(lock);            /* why it cannot be prepared */
};

static void destroy(weir_ref *ref)
{
    weir_bound *bound = (weir_bound *)ref;
    weir_plan_release(bound->plan);
    if (bound->remote)
        bound->s->calls->release(bound->remote);
    weir_status_free(bound->error);
    weir_arena_fini(&bound->arena);
    weir_mutex_fini(&bound->lock);
    weir_free(bound);
}

static weir_status make_plan(weir_bound *bound, bool plain)
{
    weir_local_session *session = bound->s;
    weir_mutex_lock(&session->lock);
    const weir_function *function =
        weir_graph_find_function(session->library, weir_str_of(bound->func.name));
    weir_graph *body = NULL;
    weir_status st =
        function ? weir_function_instantiate(session->library, function, bound->func.attrs,
                                             bound->func.attr_count, &body)
                 : weir_error(WEIR_NOT_FOUND, "Function %s is not defined.", bound->func.name);
    weir_mutex_unlock(&session->lock);
    WEIR_TRY(st);
    weir_lower_prune(body, 0); /* what a function does not return may be invalid */
    plan_source source = {.s = session, .g = body, .device = bound->device, .plain = plain};
    return weir_local_make_plan(&source, &bound->plan);
}

/* Discards a time-out: another step may have time to prepare the function. */
static void forget_time(weir_bound *bound) WEIR_REQUIRES(bound->lock)
{
    weir_code code = weir_status_code(bound->error);
    if (code == WEIR_DEADLINE_EXCEEDED || code == WEIR_CANCELLED ||
        code == WEIR_RESOURCE_EXHAUSTED) {
        weir_status_free(bound->error);
        bound->error = WEIR_OK;
    }
}

static weir_status get_plan(weir_bound *bound, weir_plan **out)
{
    weir_mutex_lock(&bound->lock);
    if (!bound->plan && !bound->error)
        bound->error = make_plan(bound, false);
    if (!bound->plan && weir_local_may_prepare_plainly(bound->s, bound->error))
        bound->error = weir_local_prepared_plainly(bound->error, make_plan(bound, true));
    weir_status status = weir_status_copy(bound->error);
    forget_time(bound);
    *out = bound->plan;
    weir_mutex_unlock(&bound->lock);
    return status;
}

static void put_key(const weir_func *func, const char *device, weir_buf *out)
{
    weir_buf_addf(out, "%s", func->name);
    for (int i = 0; i < func->attr_count; i++) {
        weir_buf_addf(out, ";%s=", func->attrs[i].name);
        weir_attr_text(&func->attrs[i].value, out);
    }
    if (device)
        weir_buf_addf(out, ";on %s", device);
}

/* |device|: as in weir_bound. */
static void bind_at(weir_local_session *session, const weir_func *func, const char *device,
                    weir_bound **out_bound)
{
    WEIR_BUF(key);
    put_key(func, device, &key);
    weir_mutex_lock(&session->lock);
    weir_bound *bound = weir_map_get(&session->bound, weir_view(&key));
    if (!bound) {
        bound = WEIR_NEW(weir_bound);
        weir_ref_init(&bound->ref, destroy);
        weir_arena_init(&bound->arena);
        weir_mutex_init(&bound->lock);
        bound->s = session;
        weir_attr copy =
            weir_attr_copy(&bound->arena, &(weir_attr){.kind = WEIR_ATTR_FUNC, .func = func});
        bound->func = *copy.func;
        bound->device = device ? weir_arena_strdup(&bound->arena, device) : NULL;
        bound->elsewhere = device && weir_local_is_elsewhere(session, device);
        weir_map_put(&session->bound, weir_view(&key), bound);
    }
    weir_ref_retain(&bound->ref);
    weir_mutex_unlock(&session->lock);
    *out_bound = bound;
}

/* The device of a function called on |device|: a CPU device of this task other than the first, or
 * null. On other devices a function's nodes are placed where they have kernels. */
static const char *own_processor(const weir_local_session *session, const char *device)
{
    for (int i = 1; device && i < session->devices.count; i++)
        if (strcmp(session->devices.at[i].name, device) == 0)
            return strcmp(session->devices.at[i].type, "CPU") == 0 ? device : NULL;
    return NULL;
}

static weir_status bind(void *runner_arg, const weir_func *func, const char *device,
                        weir_bound **out_bound)
{
    weir_local_session *session = runner_arg;
    bind_at(session, func, own_processor(session, device), out_bound);
    return WEIR_OK;
}

static weir_status bind_to(void *runner_arg, const weir_func *func, weir_str target,
                           const char *from, weir_bound **out_bound)
{
    weir_local_session *session = runner_arg;
    char device[WEIR_DEVICE_NAME_ROOM];
    WEIR_TRY(weir_local_find_target(session, target, from, device));
    bool elsewhere = weir_local_is_elsewhere(session, device);
    bind_at(session, func, elsewhere ? device : own_processor(session, device), out_bound);
    return WEIR_OK;
}

static void release(weir_bound *bound)
{
    weir_ref_release((weir_ref *)bound);
}

static int count_args(const weir_bound *bound)
{
    weir_plan *plan;
    weir_status status = get_plan((weir_bound *)bound, &plan);
    weir_status_free(status);
    return plan ? weir_plan_arg_count(plan) : -1;
}

static int count_rets(const weir_bound *bound)
{
    weir_plan *plan;
    weir_status status = get_plan((weir_bound *)bound, &plan);
    weir_status_free(status);
    return plan ? weir_plan_ret_count(plan) : -1;
}

/* A call in progress. */
typedef struct calling {
    weir_bound *b;
    weir_run *run;
    weir_plan *plan;
    weir_tensor *args, *rets;
    int arg_count, ret_count;
    weir_function_done done;
    void *arg;
    weir_status status;
    void (*next)(struct calling *calling); /* continuation on a thread of the pool */
} calling;

/* Nested calls and returns on this thread's stack. */
static _Thread_local int nested;

static void go_on(void *arg)
{
    calling *calling = arg;
    nested++;
    calling->next(calling);
    nested--;
}

/* Nested functions start and end within each other: at every so many levels the call continues on a
 * new stack. */
static void go_on_with(calling *calling, void (*next)(struct calling *calling))
{
    calling->next = next;
    if (nested < MOST_NESTED)
        go_on(calling);
    else
        weir_pool_submit(weir_pool_shared(), go_on, calling);
}

static weir_status check_rets(const calling *calling)
{
    for (int i = 0; i < calling->ret_count; i++)
        if (!calling->rets[i].buffer)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Retval[%d] of function %s does not have value", i,
                              calling->b->func.name);
    return WEIR_OK;
}

static void end_call(calling *calling)
{
    weir_status status = calling->status;
    if (!status)
        status = check_rets(calling);
    for (int i = 0; i < calling->arg_count; i++)
        weir_tensor_release(&calling->args[i]);
    for (int i = 0; status && i < calling->ret_count; i++)
        weir_tensor_release(&calling->rets[i]);
    atomic_fetch_sub(&calling->b->s->open_calls, 1);
    weir_ref_release(&calling->b->ref); /* before done, which may end the session */
    calling->done(calling->arg, status, status ? NULL : calling->rets,
                  status ? 0 : calling->ret_count);
    weir_free(calling->rets);
    weir_free(calling->args);
    weir_free(calling);
}

static void called(void *arg, weir_status status)
{
    calling *calling = arg;
    calling->status = status;
    go_on_with(calling, end_call);
}

static void start_call(calling *calling)
{
    weir_step_spec spec = {.plan = calling->plan,
                           .run = calling->run,
                           .args = calling->args,
                           .rets = calling->rets,
                           .max_runners = calling->b->s->runners};
    weir_step_start(&spec, called, calling);
}

/* The plan of |bound|, if it takes |count| arguments and not too many calls are open. A function
 * elsewhere has none. */
static weir_status open_call(weir_bound *bound, weir_run *run, int count, weir_plan **out_plan)
{
    if (atomic_load(&bound->s->open_calls) >= MOST_OPEN_CALLS)
        return weir_error(WEIR_RESOURCE_EXHAUSTED,
                          "function %s is called while %d calls of the session are open: functions "
                          "call each other without end",
                          bound->func.name, MOST_OPEN_CALLS);
    if (bound->elsewhere)
        return WEIR_OK;
    weir_deadline deadline;
    weir_deadline_begin(&deadline, 0, run->cancel);
    weir_status status = get_plan(bound, out_plan);
    weir_deadline_end(&deadline);
    if (!status && weir_plan_arg_count(*out_plan) > count)
        status = weir_error(WEIR_INVALID_ARGUMENT, "function %s takes %d arguments, but got %d",
                            bound->func.name, weir_plan_arg_count(*out_plan), count);
    return status;
}

/* ---- calls to other tasks -------------------------------------------------------------------- */

static void returned_from(void *arg, weir_status status, weir_tensor *rets, int count)
{
    calling *calling = arg;
    calling->rets = WEIR_NEW_ARRAY(weir_tensor, count);
    calling->ret_count = count;
    for (int i = 0; i < count; i++)
        calling->rets[i] = rets[i];
    called(calling, status);
}

static void go_there(calling *calling)
{
    const weir_bound *bound = calling->b;
    bound->s->calls->call(bound->remote, calling->run->cancel, calling->args, calling->arg_count,
                          returned_from, calling);
}

/* Stores |made| unless another call's was stored before. */
static void keep_remote(weir_bound *bound, weir_remote_function *made)
{
    weir_mutex_lock(&bound->lock);
    bool first = !bound->remote;
    if (first)
        bound->remote = made;
    weir_mutex_unlock(&bound->lock);
    if (!first)
        bound->s->calls->release(made);
}

/* On a thread that may block. No lock is held during the request to the other task: concurrent
 * calls register the function too, each within its own step's time limit, and the first
 * registration is kept. */
static void send_and_go(void *arg)
{
    calling *calling = arg;
    weir_bound *bound = calling->b;
    weir_remote_function *made = NULL;
    weir_status status = weir_local_send_function(bound->s, &bound->func, bound->device,
                                                  calling->run->cancel, &made);
    if (!status)
        keep_remote(bound, made);
    if (status)
        called(calling, status);
    else
        go_there(calling);
}

static void start_elsewhere(calling *calling)
{
    weir_mutex_lock(&calling->b->lock);
    bool known = calling->b->remote != NULL; /* once set, it does not change */
    weir_mutex_unlock(&calling->b->lock);
    if (known)
        go_there(calling);
    else
        weir_blocking_submit(send_and_go, calling);
}

static void call(weir_bound *bound, weir_run *run, const weir_tensor *args, int count,
                 weir_function_done done, void *arg)
{
    weir_plan *plan = NULL;
    weir_status status = open_call(bound, run, count, &plan);
    if (status) {
        done(arg, status, NULL, 0);
        return;
    }
    calling *new_calling = WEIR_NEW(calling);
    weir_ref_retain(&bound->ref);
    atomic_fetch_add(&bound->s->open_calls, 1);
    *new_calling = (calling){.b = bound,
                             .run = run,
                             .plan = plan,
                             .args = WEIR_NEW_ARRAY(weir_tensor, count),
                             .arg_count = count,
                             .ret_count = plan ? weir_plan_ret_count(plan) : 0,
                             .done = done,
                             .arg = arg};
    if (plan)
        new_calling->rets = WEIR_NEW_ARRAY(weir_tensor, new_calling->ret_count);
    for (int i = 0; i < count; i++)
        new_calling->args[i] = weir_tensor_share(&args[i]);
    go_on_with(new_calling, plan ? start_call : start_elsewhere);
}

const weir_function_runner weir_local_function_runner = {
    bind, bind_to, release, count_args, count_rets, call, weir_local_library, weir_local_adopt};

void weir_local_free_functions(weir_local_session *session)
{
    size_t at = 0;
    void *b;
    while (weir_map_next(&session->bound, &at, NULL, &b))
        release(b);
    weir_map_fini(&session->bound);
}
