/* train/trainer.c - a trainer's graph: from the first variable to the nodes added by start. */
#include <stdio.h>
#include <string.h>

#include "train/nodes.h"
#include "train/train_impl.h"

/* ---- lifetime -------------------------------------------------------------------------------- */

static void own_options(weir_trainer *trainer, const weir_trainer_options *options)
{
    trainer->options = *options;
    if (options->checkpoint_dir)
        trainer->options.checkpoint_dir = weir_strdup(options->checkpoint_dir);
    for (int i = 0; i < options->hook_count; i++)
        weir_trainer_add_hook(trainer, &options->hooks[i]);
}

void weir_trainer_add_hook(weir_trainer *trainer, const weir_hook *hook)
{
    weir_vec_push(&trainer->hooks, (hooked){*hook});
}

static void place(weir_trainer *trainer)
{
    const weir_job *job = trainer->options.job;
    placement *placement = &trainer->placement;
    placement->balance = trainer->options.balance;
    if (job && *weir_job_name(job)) {
        snprintf(placement->worker, sizeof placement->worker, "/job:%s/task:%d", weir_job_name(job),
                 weir_job_index(job));
        placement->ps_count =
            trainer->options.update == WEIR_ALLREDUCE ? 0 : weir_job_count(job, "ps");
        placement->loads = WEIR_NEW_ARRAY(int64_t, placement->ps_count);
    }
    weir_build_set_placer(trainer->b, weir_placement_choose, placement);
}

weir_trainer *weir_trainer_new(const weir_trainer_options *options)
{
    weir_trainer *trainer = WEIR_NEW(weir_trainer);
    own_options(trainer, options);
    trainer->graph = TF_NewGraph();
    trainer->b = weir_build_new(trainer->graph);
    trainer->saved_step = -1;
    pthread_mutex_init(&trainer->lock, NULL);
    place(trainer);
    if (options->job && weir_job_is_ps(options->job))
        weir_build_fail(trainer->b, TF_FAILED_PRECONDITION,
                        "A parameter server does not train; it serves (weir_job_serve)");
    else if (options->update == WEIR_ALLREDUCE && options->job &&
             weir_job_count(options->job, "ps"))
        weir_build_fail(trainer->b, TF_INVALID_ARGUMENT,
                        "All-reduce needs no parameter servers, but the cluster has some");
    return trainer;
}

static void free_variable(variable *variable)
{
    weir_free(variable->name);
    weir_free(variable->saved_as);
    weir_free(variable->slice);
    weir_free(variable);
}

void weir_trainer_delete(weir_trainer *trainer)
{
    if (!trainer)
        return;
    weir_trainer_close(trainer);
    for (size_t i = 0; i < trainer->hooks.count; i++)
        if (trainer->hooks.at[i].hook.deleted)
            trainer->hooks.at[i].hook.deleted(trainer->hooks.at[i].hook.arg);
    for (size_t i = 0; i < trainer->variables.count; i++)
        free_variable(trainer->variables.at[i]);
    weir_vec_fini(&trainer->variables);
    weir_vec_fini(&trainer->cuts);
    weir_vec_fini(&trainer->hooks);
    weir_saver_delete(trainer->saver);
    weir_vec_fini(&trainer->summaries);
    weir_vec_fini(&trainer->feeds);
    weir_vec_fini(&trainer->fed);
    weir_vec_fini(&trainer->fetches);
    weir_vec_fini(&trainer->fetched);
    weir_vec_fini(&trainer->also);
    pthread_mutex_destroy(&trainer->lock);
    weir_build_delete(trainer->b);
    TF_DeleteGraph(trainer->graph);
    weir_free(trainer->placement.loads);
    weir_free((char *)trainer->options.checkpoint_dir);
    weir_free(trainer);
}

weir_builder *weir_trainer_builder(weir_trainer *trainer)
{
    return trainer->b;
}

bool weir_trainer_failed(const weir_trainer *trainer)
{
    return TF_GetCode(weir_build_status(trainer->b)) != TF_OK;
}

bool weir_trainer_is_chief(const weir_trainer *trainer)
{
    return !trainer->options.job || weir_job_is_chief(trainer->options.job);
}

bool weir_trainer_allreduces(const weir_trainer *trainer)
{
    return trainer->options.update == WEIR_ALLREDUCE && trainer->options.job &&
           weir_job_workers(trainer->options.job) > 1;
}

/* ---- nodes added by start -------------------------------------------------------------------- */

static void add_initialize(weir_trainer *trainer)
{
    TF_Operation **ops = WEIR_NEW_ARRAY(TF_Operation *, trainer->variables.count);
    int count = 0;
    for (size_t i = 0; i < trainer->variables.count; i++)
        if (!trainer->variables.at[i]->of_worker)
            ops[count++] = trainer->variables.at[i]->initialize;
    trainer->initialize = weir_build_group(trainer->b, "init", ops, count);
    weir_free(ops);
}

static TF_Output is_initialized(weir_trainer *trainer, const variable *variable)
{
    weir_build_push_device(trainer->b, variable->device);
    TF_Output yes =
        weir_build_op(trainer->b, "IsVariableInitialized", "initialized", &variable->ref, 1);
    weir_build_pop_device(trainer->b);
    return yes;
}

/* A vector of bools: which shared variables are initialised. */
static void add_ready(weir_trainer *trainer)
{
    TF_Output *each = WEIR_NEW_ARRAY(TF_Output, trainer->variables.count);
    int count = 0;
    for (size_t i = 0; i < trainer->variables.count; i++)
        if (!trainer->variables.at[i]->of_worker)
            each[count++] = is_initialized(trainer, trainer->variables.at[i]);
    TF_OperationDescription *description = weir_build_begin(trainer->b, "Pack", "all_initialized");
    if (description)
        TF_AddInputList(description, each, count);
    trainer->ready = weir_build_end(trainer->b, description);
    weir_free(each);
}

void weir_trainer_also_run(weir_trainer *trainer, TF_Operation *op)
{
    if (op)
        weir_vec_push(&trainer->also, op);
}

/* Makes the step's result depend on the additional targets. */
static void add_also(weir_trainer *trainer)
{
    if (!trainer->also.count || !trainer->step_output.oper)
        return;
    weir_build_push_control(trainer->b, weir_build_group(trainer->b, "also", trainer->also.at,
                                                         (int)trainer->also.count));
    trainer->step_output =
        weir_build_op(trainer->b, "Identity", "step_and_also", &trainer->step_output, 1);
    weir_build_pop_control(trainer->b);
    trainer->train = trainer->step_output.oper;
}

/* For the shared variables. */
static void add_saver(weir_trainer *trainer)
{
    trainer->saver = WEIR_NEW(weir_saver);
    trainer->saver->keep = trainer->options.keep;
    for (size_t i = 0; i < trainer->variables.count; i++) {
        const variable *variable = trainer->variables.at[i];
        if (!variable->of_worker)
            weir_saver_add(trainer->saver, &(saved){.variable = variable->ref,
                                                    .type = variable->type,
                                                    .device = variable->device,
                                                    .name = variable->saved_as,
                                                    .slice = variable->slice});
    }
    weir_saver_build(trainer->b, trainer->saver);
}

static void add_rest(weir_trainer *trainer)
{
    weir_trainer_global_step(trainer);
    for (size_t i = 0; i < trainer->hooks.count; i++)
        if (trainer->hooks.at[i].hook.starting)
            trainer->hooks.at[i].hook.starting(trainer->hooks.at[i].hook.arg, trainer);
    if (weir_trainer_failed(trainer))
        return;
    add_also(trainer);
    add_initialize(trainer);
    add_ready(trainer);
    add_saver(trainer);
    if (trainer->votes.oper)
        weir_trainer_add_share(trainer);
    if (trainer->placement.ps_count)
        trainer->tell_done = weir_job_add_tell_done(trainer->options.job, trainer->b);
}

/* Idempotent. False on an error in the status. */
static bool end_graph(weir_trainer *trainer, TF_Status *status)
{
    if (!trainer->initialize)
        add_rest(trainer);
    const TF_Status *built = weir_build_status(trainer->b);
    TF_SetStatus(status, TF_GetCode(built), TF_Message(built));
    return TF_GetCode(built) == TF_OK;
}

void weir_trainer_end_graph(weir_trainer *trainer, TF_Operation **init, TF_Operation **step,
                            TF_Status *status)
{
    bool ended = end_graph(trainer, status);
    *init = ended ? trainer->initialize : NULL;
    *step = ended ? trainer->train : NULL;
}

void weir_trainer_get_nodes(weir_trainer *trainer, weir_trainer_nodes *out, TF_Status *status)
{
    if (!end_graph(trainer, status))
        return;
    *out = (weir_trainer_nodes){.init = trainer->initialize,
                                .ready = trainer->ready,
                                .at = trainer->step_output,
                                .worker_init = trainer->worker_init,
                                .chief_init = trainer->chief_init,
                                .first_tokens = trainer->first_tokens,
                                .chief_update = trainer->chief_update,
                                .close_tokens = trainer->close_tokens};
}

void weir_trainer_start(weir_trainer *trainer, TF_Status *status)
{
    if (trainer->started)
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "The trainer was started already");
    else if (end_graph(trainer, status))
        trainer->started = weir_capi_end(status, weir_trainer_open(trainer));
}
