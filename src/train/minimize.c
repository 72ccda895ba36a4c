/* train/minimize.c - a trainer's step: gradients, clipping, updates, averages, step counter. */
#include "train/train_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/state.h"

/* ---- completion of a step -------------------------------------------------------------------- */

TF_Output weir_trainer_count_step(weir_trainer *trainer, const updates *updates,
                                  TF_Operation *const *done)
{
    const variable *step = trainer->global_step;
    weir_build_push_device(trainer->b, step->device);
    weir_build_push_scope(trainer->b, weir_optimizer_scope(updates->o));
    TF_Operation *all = weir_build_group(trainer->b, "update_all", done, updates->count);
    if (trainer->average.decay != 0)
        all = weir_trainer_follow(trainer, updates->v, updates->count, all);
    weir_build_push_control(trainer->b, all);
    TF_Output one = weir_build_const(trainer->b, "one", TF_INT64, 0, NULL, &(int64_t){1});
    TF_Output next = weir_assign_add(trainer->b, "count", step->ref, one, NULL);
    weir_build_pop_control(trainer->b);
    weir_build_pop_scope(trainer->b);
    weir_build_pop_device(trainer->b);
    return next;
}

void weir_trainer_finish_async(weir_trainer *trainer, const updates *updates)
{
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, updates->count);
    weir_trainer_apply(trainer, updates, done);
    trainer->step_output = weir_trainer_count_step(trainer, updates, done);
    trainer->train = trainer->step_output.oper;
    weir_free(done);
}

/* ---- gradients ------------------------------------------------------------------------------ */

int weir_trainer_gradients(weir_trainer *trainer, TF_Output loss, weir_trained *out, int most)
{
    int count = 0, kept = 0;
    TF_Output *x = WEIR_NEW_ARRAY(TF_Output, trainer->variables.count);
    weir_gradient *dx = WEIR_NEW_ARRAY(weir_gradient, trainer->variables.count);
    for (size_t i = 0; i < trainer->variables.count; i++)
        if (trainer->variables.at[i]->trained)
            x[count++] = trainer->variables.at[i]->value;
    if (count)
        weir_build_gradients(trainer->b, &loss, 1, x, count, dx);
    for (int i = 0; i < count && !weir_trainer_failed(trainer); i++) {
        if (!dx[i].values.oper)
            continue;
        if (kept < most)
            out[kept] = (weir_trained){x[i], dx[i]};
        kept++;
    }
    weir_free(x);
    weir_free(dx);
    return kept;
}

static const char *wrong(const weir_trainer *trainer, const weir_optimizer *optimizer, int count)
{
    if (trainer->train)
        return "A trainer minimises one loss";
    if (!weir_optimizer_name(optimizer->kind))
        return "There is no such optimiser";
    if (!count)
        return "The loss depends on no trained variable";
    return NULL;
}

static void finish(weir_trainer *trainer, const updates *updates)
{
    if (trainer->options.update == WEIR_SYNC)
        weir_trainer_finish_sync(trainer, updates);
    else if (weir_trainer_allreduces(trainer))
        weir_trainer_finish_allreduce(trainer, updates);
    else
        weir_trainer_finish_async(trainer, updates);
}

void weir_trainer_apply_gradients(weir_trainer *trainer, const weir_trained *pairs, int count,
                                  const weir_optimizer *optimizer)
{
    const char *what = wrong(trainer, optimizer, count);
    if (what)
        weir_build_fail(trainer->b, TF_INVALID_ARGUMENT, what);
    weir_trainer_global_step(trainer);
    if (weir_trainer_failed(trainer))
        return;
    variable **variables = WEIR_NEW_ARRAY(variable *, count);
    weir_gradient *gradients = WEIR_NEW_ARRAY(weir_gradient, count);
    for (int i = 0; i < count; i++) {
        gradients[i] = pairs[i].gradient;
        variables[i] = weir_trainer_find_variable(trainer, pairs[i].variable);
        if (!variables[i] || !gradients[i].values.oper)
            weir_build_fail(trainer->b, TF_INVALID_ARGUMENT,
                            "Gradients are applied to the trainer's variables, by their values");
    }
    weir_build_clip(trainer->b, &optimizer->clip, gradients, count);
    if (!weir_trainer_failed(trainer))
        finish(trainer, &(updates){optimizer, variables, gradients, count});
    weir_free(variables);
    weir_free(gradients);
}

void weir_trainer_minimize(weir_trainer *trainer, TF_Output loss, const weir_optimizer *optimizer)
{
    int most = (int)trainer->variables.count;
    weir_trained *pairs = WEIR_NEW_ARRAY(weir_trained, most);
    int count = trainer->train ? 0 : weir_trainer_gradients(trainer, loss, pairs, most);
    weir_trainer_apply_gradients(trainer, pairs, count, optimizer);
    weir_free(pairs);
}
