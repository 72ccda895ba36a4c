/* train/average.c - exponential moving averages of variables. */
#include "train/train_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/state.h"

void weir_trainer_average(weir_trainer *trainer, const weir_average *average)
{
    if (trainer->train || !(average->decay > 0 && average->decay < 1))
        weir_build_fail(trainer->b, TF_INVALID_ARGUMENT,
                        trainer->train ? "Averages are asked for before the loss is minimised"
                                       : "The decay of an average lies between 0 and 1");
    trainer->average = *average;
}

TF_Output weir_trainer_averaged(weir_trainer *trainer, TF_Output variable_)
{
    const variable *variable = weir_trainer_find_variable(trainer, variable_);
    if (variable && variable->average)
        return variable->average->value;
    weir_build_fail(trainer->b, TF_INVALID_ARGUMENT, "No average is kept of that variable");
    return (TF_Output){0};
}

/* The weight of the new value: 1 - decay. */
static TF_Output share(weir_trainer *trainer)
{
    weir_builder *builder = trainer->b;
    if (!trainer->average.by_step)
        return weir_build_float(builder, "share", 1 - trainer->average.decay);
    TF_Output one = weir_build_float(builder, "one", 1), ten = weir_build_float(builder, "ten", 10);
    TF_Output step = weir_cast(builder, "num_updates", trainer->global_step->value, TF_FLOAT, NULL);
    TF_Output early = weir_real_div(builder, "early", weir_add_v2(builder, "above", one, step),
                                    weir_add_v2(builder, "below", ten, step));
    TF_Output decay = weir_build_float(builder, "decay", trainer->average.decay);
    return weir_sub(builder, "share", one, weir_minimum(builder, "minimum", decay, early));
}

/* average -= (average - variable) * share, with the updated variable. */
static TF_Operation *follow(weir_trainer *trainer, const variable *variable, TF_Output part)
{
    weir_builder *builder = trainer->b;
    weir_build_push_device(builder, variable->device);
    TF_Output value = weir_build_op(builder, "Identity", "value", &variable->ref, 1);
    if (variable->type != TF_FLOAT)
        part = weir_cast(builder, "share", part, variable->type, NULL);
    TF_Output apart = weir_sub(builder, "apart", variable->average->value, value);
    TF_Output change = weir_mul(builder, "change", apart, part);
    TF_Operation *done =
        weir_assign_sub(builder, "AssignMovingAvg", variable->average->ref, change, NULL).oper;
    weir_build_pop_device(builder);
    return done;
}

TF_Operation *weir_trainer_follow(weir_trainer *trainer, variable *const *variables, int count,
                                  TF_Operation *after)
{
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, count);
    weir_build_push_scope(trainer->b, "ExponentialMovingAverage");
    TF_Output part = share(trainer);
    for (int i = 0; i < count && !weir_trainer_failed(trainer); i++) {
        variables[i]->average =
            weir_trainer_add_slot(trainer, variables[i], "ExponentialMovingAverage", NULL);
        weir_build_push_control(trainer->b, after);
        done[i] = weir_trainer_failed(trainer) ? NULL : follow(trainer, variables[i], part);
        weir_build_pop_control(trainer->b);
    }
    TF_Operation *all = weir_build_group(trainer->b, "all", done, count);
    weir_build_pop_scope(trainer->b);
    weir_free(done);
    return all;
}
