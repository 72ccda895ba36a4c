/* train/average.c - exponential moving averages beside variables. */
#include "train/train_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/state.h"

void weir_trainer_average(weir_trainer *t, const weir_average *average)
{
    if (t->train || !(average->decay > 0 && average->decay < 1))
        weir_build_fail(t->b, TF_INVALID_ARGUMENT,
                        t->train ? "Averages are asked for before the loss is minimised"
                                 : "The decay of an average lies between 0 and 1");
    t->average = *average;
}

TF_Output weir_trainer_averaged(weir_trainer *t, TF_Output variable_)
{
    const variable *v = weir_trainer_find_variable(t, variable_);
    if (v && v->average)
        return v->average->value;
    weir_build_fail(t->b, TF_INVALID_ARGUMENT, "No average is kept of that variable");
    return (TF_Output){0};
}

/* How much an average moves towards the new value: 1 - decay. */
static TF_Output share(weir_trainer *t)
{
    weir_builder *b = t->b;
    if (!t->average.by_step)
        return weir_build_float(b, "share", 1 - t->average.decay);
    TF_Output one = weir_build_float(b, "one", 1), ten = weir_build_float(b, "ten", 10);
    TF_Output step = weir_cast(b, "num_updates", t->global_step->value, TF_FLOAT, NULL);
    TF_Output early = weir_real_div(b, "early", weir_add_v2(b, "above", one, step),
                                    weir_add_v2(b, "below", ten, step));
    TF_Output decay = weir_build_float(b, "decay", t->average.decay);
    return weir_sub(b, "share", one, weir_minimum(b, "minimum", decay, early));
}

/* average -= (average - variable) * share, with the variable as the update left it. */
static TF_Operation *follow(weir_trainer *t, const variable *v, TF_Output part)
{
    weir_builder *b = t->b;
    weir_build_push_device(b, v->device);
    TF_Output value = weir_build_op(b, "Identity", "value", &v->ref, 1);
    if (v->type != TF_FLOAT)
        part = weir_cast(b, "share", part, v->type, NULL);
    TF_Output apart = weir_sub(b, "apart", v->average->value, value);
    TF_Output change = weir_mul(b, "change", apart, part);
    TF_Operation *done = weir_assign_sub(b, "AssignMovingAvg", v->average->ref, change, NULL).oper;
    weir_build_pop_device(b);
    return done;
}

TF_Operation *weir_trainer_follow(weir_trainer *t, variable *const *v, int count,
                                  TF_Operation *after)
{
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, count);
    weir_build_push_scope(t->b, "ExponentialMovingAverage");
    TF_Output part = share(t);
    for (int i = 0; i < count && !weir_trainer_failed(t); i++) {
        v[i]->average = weir_trainer_add_slot(t, v[i], "ExponentialMovingAverage", NULL);
        weir_build_push_control(t->b, after);
        done[i] = weir_trainer_failed(t) ? NULL : follow(t, v[i], part);
        weir_build_pop_control(t->b);
    }
    TF_Operation *all = weir_build_group(t->b, "all", done, count);
    weir_build_pop_scope(t->b);
    weir_free(done);
    return all;
}
