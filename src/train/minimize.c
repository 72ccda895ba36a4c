/* train/minimize.c - a trainer's step: gradients, their clipping, updates, averages, the count. */
#include "train/train_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/state.h"

/* ---- the end of a step ---------------------------------------------------------------------- */

TF_Output weir_trainer_count_step(weir_trainer *t, const updates *u, TF_Operation *const *done)
{
    const variable *step = t->global_step;
    weir_build_push_device(t->b, step->device);
    weir_build_push_scope(t->b, weir_optimizer_scope(u->o));
    TF_Operation *all = weir_build_group(t->b, "update_all", done, u->count);
    if (t->average.decay != 0)
        all = weir_trainer_follow(t, u->v, u->count, all);
    weir_build_push_control(t->b, all);
    TF_Output one = weir_build_const(t->b, "one", TF_INT64, 0, NULL, &(int64_t){1});
    TF_Output next = weir_assign_add(t->b, "count", step->ref, one, NULL);
    weir_build_pop_control(t->b);
    weir_build_pop_scope(t->b);
    weir_build_pop_device(t->b);
    return next;
}

void weir_trainer_finish_async(weir_trainer *t, const updates *u)
{
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, u->count);
    weir_trainer_apply(t, u, done);
    t->step_output = weir_trainer_count_step(t, u, done);
    t->train = t->step_output.oper;
    weir_free(done);
}

/* ---- gradients ------------------------------------------------------------------------------ */

int weir_trainer_gradients(weir_trainer *t, TF_Output loss, weir_trained *out, int most)
{
    int count = 0, kept = 0;
    TF_Output *x = WEIR_NEW_ARRAY(TF_Output, t->variables.count);
    weir_gradient *dx = WEIR_NEW_ARRAY(weir_gradient, t->variables.count);
    for (size_t i = 0; i < t->variables.count; i++)
        if (t->variables.at[i]->trained)
            x[count++] = t->variables.at[i]->value;
    if (count)
        weir_build_gradients(t->b, &loss, 1, x, count, dx);
    for (int i = 0; i < count && !weir_trainer_failed(t); i++) {
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

static const char *wrong(const weir_trainer *t, const weir_optimizer *o, int count)
{
    if (t->train)
        return "A trainer minimises one loss";
    if (!weir_optimizer_name(o->kind))
        return "There is no such optimiser";
    if (!count)
        return "The loss depends on no trained variable";
    return NULL;
}

static void finish(weir_trainer *t, const updates *u)
{
    if (t->options.update == WEIR_SYNC)
        weir_trainer_finish_sync(t, u);
    else
        weir_trainer_finish_async(t, u);
}

void weir_trainer_apply_gradients(weir_trainer *t, const weir_trained *pairs, int count,
                                  const weir_optimizer *o)
{
    const char *what = wrong(t, o, count);
    if (what)
        weir_build_fail(t->b, TF_INVALID_ARGUMENT, what);
    weir_trainer_global_step(t);
    if (weir_trainer_failed(t))
        return;
    variable **v = WEIR_NEW_ARRAY(variable *, count);
    weir_gradient *gradients = WEIR_NEW_ARRAY(weir_gradient, count);
    for (int i = 0; i < count; i++) {
        gradients[i] = pairs[i].gradient;
        v[i] = weir_trainer_find_variable(t, pairs[i].variable);
        if (!v[i] || !gradients[i].values.oper)
            weir_build_fail(t->b, TF_INVALID_ARGUMENT,
                            "Gradients are applied to the trainer's variables, by their values");
    }
    weir_build_clip(t->b, &o->clip, gradients, count);
    if (!weir_trainer_failed(t))
        finish(t, &(updates){o, v, gradients, count});
    weir_free(v);
    weir_free(gradients);
}

void weir_trainer_minimize(weir_trainer *t, TF_Output loss, const weir_optimizer *o)
{
    int most = (int)t->variables.count;
    weir_trained *pairs = WEIR_NEW_ARRAY(weir_trained, most);
    int count = t->train ? 0 : weir_trainer_gradients(t, loss, pairs, most);
    weir_trainer_apply_gradients(t, pairs, count, o);
    weir_free(pairs);
}
