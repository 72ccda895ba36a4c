/* session/function.c - functions as plans of their own, run within a step.
 *
 * A bound function is made ready when it is first called, so that functions may call themselves.
 */
#include "op/function.h"

#include "session/session_impl.h"

struct weir_bound {
    weir_ref ref;
    weir_local_session *s;
    weir_arena arena;
    weir_func func;
    weir_mutex lock;
    weir_plan *plan WEIR_GUARDED_BY(lock);   /* null until first used */
    weir_status error WEIR_GUARDED_BY(lock); /* why it cannot be made */
};

static void destroy(weir_ref *ref)
{
    weir_bound *b = (weir_bound *)ref;
    weir_plan_release(b->plan);
    weir_status_free(b->error);
    weir_arena_fini(&b->arena);
    weir_mutex_fini(&b->lock);
    weir_free(b);
}

static weir_status make_plan(weir_bound *b, bool plain)
{
    weir_local_session *s = b->s;
    weir_mutex_lock(&s->lock);
    const weir_function *f = weir_graph_find_function(s->library, weir_str_of(b->func.name));
    weir_graph *body = NULL;
    weir_status st =
        f ? weir_function_instantiate(s->library, f, b->func.attrs, b->func.attr_count, &body)
          : weir_error(WEIR_NOT_FOUND, "Function %s is not defined.", b->func.name);
    weir_mutex_unlock(&s->lock);
    WEIR_TRY(st);
    plan_source m = {.s = s, .g = body, .plain = plain};
    return weir_local_make_plan(&m, &b->plan);
}

static weir_status get_plan(weir_bound *b, weir_plan **out)
{
    weir_mutex_lock(&b->lock);
    if (!b->plan && !b->error)
        b->error = make_plan(b, false);
    if (!b->plan && weir_local_may_prepare_plainly(b->s, b->error))
        b->error = weir_local_prepared_plainly(b->error, make_plan(b, true));
    weir_status s = weir_status_copy(b->error);
    *out = b->plan;
    weir_mutex_unlock(&b->lock);
    return s;
}

static weir_status bind(void *runner_arg, const weir_func *f, weir_bound **out_bound)
{
    weir_local_session *s = runner_arg;
    weir_buf key = {0};
    weir_buf_addf(&key, "%s", f->name);
    for (int i = 0; i < f->attr_count; i++) {
        weir_buf_addf(&key, ";%s=", f->attrs[i].name);
        weir_attr_text(&f->attrs[i].value, &key);
    }
    weir_mutex_lock(&s->lock);
    weir_bound *b = weir_map_get(&s->bound, (weir_str){key.at, key.length});
    if (!b) {
        b = WEIR_NEW(weir_bound);
        weir_ref_init(&b->ref, destroy);
        weir_arena_init(&b->arena);
        weir_mutex_init(&b->lock);
        b->s = s;
        weir_attr copy = weir_attr_copy(&b->arena, &(weir_attr){.kind = WEIR_ATTR_FUNC, .func = f});
        b->func = *copy.func;
        weir_map_put(&s->bound, (weir_str){key.at, key.length}, b);
    }
    weir_ref_retain(&b->ref);
    weir_mutex_unlock(&s->lock);
    weir_buf_fini(&key);
    *out_bound = b;
    return WEIR_OK;
}

static void release(weir_bound *b)
{
    weir_ref_release((weir_ref *)b);
}

static int count_args(const weir_bound *b)
{
    weir_plan *p;
    weir_status s = get_plan((weir_bound *)b, &p);
    weir_status_free(s);
    return p ? weir_plan_arg_count(p) : -1;
}

static int count_rets(const weir_bound *b)
{
    weir_plan *p;
    weir_status s = get_plan((weir_bound *)b, &p);
    weir_status_free(s);
    return p ? weir_plan_ret_count(p) : -1;
}

/* A call on its way. */
typedef struct calling {
    weir_bound *b;
    weir_tensor *args, *rets;
    int arg_count, ret_count;
    weir_function_done done;
    void *arg;
} calling;

static weir_status check_rets(const calling *c)
{
    for (int i = 0; i < c->ret_count; i++)
        if (!c->rets[i].buffer)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Retval[%d] of function %s does not have value", i, c->b->func.name);
    return WEIR_OK;
}

static void called(void *arg, weir_status s)
{
    calling *c = arg;
    if (!s)
        s = check_rets(c);
    for (int i = 0; i < c->arg_count; i++)
        weir_tensor_release(&c->args[i]);
    for (int i = 0; s && i < c->ret_count; i++)
        weir_tensor_release(&c->rets[i]);
    weir_tensor *rets = c->rets;
    c->done(c->arg, s, s ? NULL : rets, s ? 0 : c->ret_count);
    weir_free(rets);
    weir_free(c->args);
    weir_ref_release(&c->b->ref);
    weir_free(c);
}

static void call(weir_bound *b, weir_run *run, const weir_tensor *args, int count,
                 weir_function_done done, void *arg)
{
    weir_plan *plan;
    weir_status s = get_plan(b, &plan);
    if (!s && weir_plan_arg_count(plan) > count)
        s = weir_error(WEIR_INVALID_ARGUMENT, "function %s takes %d arguments, but got %d",
                       b->func.name, weir_plan_arg_count(plan), count);
    if (s) {
        done(arg, s, NULL, 0);
        return;
    }
    calling *c = WEIR_NEW(calling);
    weir_ref_retain(&b->ref);
    *c = (calling){.b = b,
                   .args = WEIR_NEW_ARRAY(weir_tensor, count),
                   .arg_count = count,
                   .ret_count = weir_plan_ret_count(plan),
                   .done = done,
                   .arg = arg};
    c->rets = WEIR_NEW_ARRAY(weir_tensor, c->ret_count);
    for (int i = 0; i < count; i++)
        c->args[i] = weir_tensor_share(&args[i]);
    weir_step_spec spec = {
        .plan = plan, .run = run, .args = c->args, .rets = c->rets, .max_runners = b->s->runners};
    weir_step_start(&spec, called, c);
}

const weir_function_runner weir_local_function_runner = {
    bind, release, count_args, count_rets, call, weir_local_library, weir_local_adopt};

void weir_local_free_functions(weir_local_session *s)
{
    size_t at = 0;
    void *b;
    while (weir_map_next(&s->bound, &at, NULL, &b))
        release(b);
    weir_map_fini(&s->bound);
}
