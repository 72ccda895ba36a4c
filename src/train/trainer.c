/* train/trainer.c - a trainer's graph: from the first variable to what start adds. */
#include <stdio.h>
#include <string.h>

#include "train/train_impl.h"

/* ---- making and ending ---------------------------------------------------------------------- */

static void own_options(weir_trainer *t, const weir_trainer_options *o)
{
    t->options = *o;
    if (o->checkpoint_dir)
        t->options.checkpoint_dir = weir_strdup(o->checkpoint_dir);
    for (int i = 0; i < o->hook_count; i++)
        weir_trainer_add_hook(t, &o->hooks[i]);
}

void weir_trainer_add_hook(weir_trainer *t, const weir_hook *hook)
{
    weir_vec_push(&t->hooks, (hooked){*hook});
}

static void place(weir_trainer *t)
{
    const weir_job *j = t->options.job;
    placement *p = &t->placement;
    p->balance = t->options.balance;
    if (j && *weir_job_name(j)) {
        snprintf(p->worker, sizeof p->worker, "/job:%s/task:%d", weir_job_name(j),
                 weir_job_index(j));
        p->ps_count = weir_job_count(j, "ps");
        p->loads = WEIR_NEW_ARRAY(int64_t, p->ps_count);
    }
    weir_build_set_placer(t->b, weir_placement_choose, p);
}

weir_trainer *weir_trainer_new(const weir_trainer_options *options)
{
    weir_trainer *t = WEIR_NEW(weir_trainer);
    own_options(t, options);
    t->graph = TF_NewGraph();
    t->b = weir_build_new(t->graph);
    t->saved_step = -1;
    pthread_mutex_init(&t->lock, NULL);
    place(t);
    if (options->job && weir_job_is_ps(options->job))
        weir_build_fail(t->b, TF_FAILED_PRECONDITION,
                        "A parameter server does not train; it serves (weir_job_serve)");
    return t;
}

static void free_variable(variable *v)
{
    weir_free(v->name);
    weir_free(v->saved_as);
    weir_free(v->slice);
    weir_free(v);
}

void weir_trainer_delete(weir_trainer *t)
{
    if (!t)
        return;
    weir_trainer_close(t);
    for (size_t i = 0; i < t->hooks.count; i++)
        if (t->hooks.at[i].hook.deleted)
            t->hooks.at[i].hook.deleted(t->hooks.at[i].hook.arg);
    for (size_t i = 0; i < t->variables.count; i++)
        free_variable(t->variables.at[i]);
    weir_vec_fini(&t->variables);
    weir_vec_fini(&t->cuts);
    weir_vec_fini(&t->hooks);
    weir_saver_delete(t->saver);
    weir_vec_fini(&t->summaries);
    weir_vec_fini(&t->fetches);
    weir_vec_fini(&t->fetched);
    weir_vec_fini(&t->also);
    pthread_mutex_destroy(&t->lock);
    weir_build_delete(t->b);
    TF_DeleteGraph(t->graph);
    weir_free(t->placement.loads);
    weir_free((char *)t->options.checkpoint_dir);
    weir_free(t);
}

weir_builder *weir_trainer_builder(weir_trainer *t)
{
    return t->b;
}

bool weir_trainer_failed(const weir_trainer *t)
{
    return TF_GetCode(weir_build_status(t->b)) != TF_OK;
}

bool weir_trainer_is_chief(const weir_trainer *t)
{
    return !t->options.job || weir_job_is_chief(t->options.job);
}

/* ---- what start adds ------------------------------------------------------------------------ */

static void add_initialize(weir_trainer *t)
{
    TF_Operation **ops = WEIR_NEW_ARRAY(TF_Operation *, t->variables.count);
    int count = 0;
    for (size_t i = 0; i < t->variables.count; i++)
        if (!t->variables.at[i]->of_worker)
            ops[count++] = t->variables.at[i]->initialize;
    t->initialize = weir_build_group(t->b, "init", ops, count);
    weir_free(ops);
}

static TF_Output is_initialized(weir_trainer *t, const variable *v)
{
    weir_build_push_device(t->b, v->device);
    TF_Output yes = weir_build_op(t->b, "IsVariableInitialized", "initialized", &v->ref, 1);
    weir_build_pop_device(t->b);
    return yes;
}

/* A vector of bools, true where a shared variable has a value. */
static void add_ready(weir_trainer *t)
{
    TF_Output *each = WEIR_NEW_ARRAY(TF_Output, t->variables.count);
    int count = 0;
    for (size_t i = 0; i < t->variables.count; i++)
        if (!t->variables.at[i]->of_worker)
            each[count++] = is_initialized(t, t->variables.at[i]);
    TF_OperationDescription *d = weir_build_begin(t->b, "Pack", "all_initialized");
    if (d)
        TF_AddInputList(d, each, count);
    t->ready = weir_build_end(t->b, d);
    weir_free(each);
}

void weir_trainer_also_run(weir_trainer *t, TF_Operation *op)
{
    if (op)
        weir_vec_push(&t->also, op);
}

/* The step's number is there when all that runs with the step has run. */
static void add_also(weir_trainer *t)
{
    if (!t->also.count || !t->step_output.oper)
        return;
    weir_build_push_control(t->b, weir_build_group(t->b, "also", t->also.at, (int)t->also.count));
    t->step_output = weir_build_op(t->b, "Identity", "step_and_also", &t->step_output, 1);
    weir_build_pop_control(t->b);
    t->train = t->step_output.oper;
}

/* Of what the workers share. */
static void add_saver(weir_trainer *t)
{
    t->saver = WEIR_NEW(weir_saver);
    t->saver->keep = t->options.keep;
    for (size_t i = 0; i < t->variables.count; i++) {
        const variable *v = t->variables.at[i];
        if (!v->of_worker)
            weir_saver_add(t->saver, &(saved){.variable = v->ref,
                                              .type = v->type,
                                              .device = v->device,
                                              .name = v->saved_as,
                                              .slice = v->slice});
    }
    weir_saver_build(t->b, t->saver);
}

static void add_rest(weir_trainer *t)
{
    weir_trainer_global_step(t);
    for (size_t i = 0; i < t->hooks.count; i++)
        if (t->hooks.at[i].hook.starting)
            t->hooks.at[i].hook.starting(t->hooks.at[i].hook.arg, t);
    if (weir_trainer_failed(t))
        return;
    add_also(t);
    add_initialize(t);
    add_ready(t);
    add_saver(t);
    if (t->placement.ps_count)
        t->tell_done = weir_job_add_tell_done(t->options.job, t->b);
}

/* Once, however often it is called. False when the status says why not. */
static bool end_graph(weir_trainer *t, TF_Status *status)
{
    if (!t->initialize)
        add_rest(t);
    const TF_Status *built = weir_build_status(t->b);
    TF_SetStatus(status, TF_GetCode(built), TF_Message(built));
    return TF_GetCode(built) == TF_OK;
}

void weir_trainer_end_graph(weir_trainer *t, TF_Operation **init, TF_Operation **step,
                            TF_Status *status)
{
    bool ended = end_graph(t, status);
    *init = ended ? t->initialize : NULL;
    *step = ended ? t->train : NULL;
}

void weir_trainer_start(weir_trainer *t, TF_Status *status)
{
    if (t->started)
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "The trainer was started already");
    else if (end_graph(t, status))
        t->started = weir_capi_end(status, weir_trainer_open(t));
}
