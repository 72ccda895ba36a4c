/* train/schedule.c - learning rate schedules, with TensorFlow's arithmetic. */
#include <math.h>

#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/train.h"

typedef struct scheduling {
    weir_builder *b;
    const weir_schedule *s;
    TF_Output step; /* as a float */
} scheduling;

static TF_Output number(const scheduling *scheduling, const char *name, float value)
{
    return weir_build_float(scheduling->b, name, value);
}

static TF_Output rate(const scheduling *scheduling)
{
    return number(scheduling, "rate", scheduling->s->rate);
}

/* step / steps. */
static TF_Output progress(const scheduling *scheduling)
{
    TF_Output p = weir_real_div(scheduling->b, "progress", scheduling->step,
                                number(scheduling, "steps", (float)scheduling->s->steps));
    return scheduling->s->staircase ? weir_floor(scheduling->b, "floor", p) : p;
}

/* The same, at most 1. */
static TF_Output part_done(const scheduling *scheduling)
{
    TF_Output steps = number(scheduling, "steps", (float)scheduling->s->steps);
    return weir_real_div(scheduling->b, "part",
                         weir_minimum(scheduling->b, "minimum", scheduling->step, steps), steps);
}

static TF_Output exponential(const scheduling *scheduling)
{
    TF_Output decay = number(scheduling, "decay", scheduling->s->decay);
    return weir_mul(scheduling->b, "value", rate(scheduling),
                    weir_pow(scheduling->b, "pow", decay, progress(scheduling)));
}

static TF_Output inverse_time(const scheduling *scheduling)
{
    TF_Output grown =
        weir_mul(scheduling->b, "mul", number(scheduling, "decay", scheduling->s->decay),
                 progress(scheduling));
    return weir_real_div(scheduling->b, "value", rate(scheduling),
                         weir_add_v2(scheduling->b, "below", number(scheduling, "one", 1), grown));
}

static TF_Output natural_exp(const scheduling *scheduling)
{
    TF_Output power =
        weir_mul(scheduling->b, "mul", number(scheduling, "decay", -scheduling->s->decay),
                 progress(scheduling));
    return weir_mul(scheduling->b, "value", rate(scheduling),
                    weir_exp(scheduling->b, "exp", power));
}

/* Progress in the current cycle, for the polynomial with restarts. */
static TF_Output part_of_cycle(const scheduling *scheduling)
{
    weir_builder *builder = scheduling->b;
    TF_Output steps = number(scheduling, "steps", (float)scheduling->s->steps),
              one = number(scheduling, "one", 1);
    TF_Output turns =
        weir_ceil(builder, "turns", weir_real_div(builder, "div", scheduling->step, steps));
    TF_Output longer =
        weir_mul(builder, "longer", steps, weir_maximum(builder, "maximum", turns, one));
    return weir_real_div(builder, "part", scheduling->step, longer);
}

static TF_Output polynomial(const scheduling *scheduling)
{
    weir_builder *builder = scheduling->b;
    TF_Output part = scheduling->s->cycle ? part_of_cycle(scheduling) : part_done(scheduling),
              end = number(scheduling, "end", scheduling->s->end);
    TF_Output power = number(scheduling, "power",
                             scheduling->s->power != 0 ? weir_float_of(scheduling->s->power) : 1);
    TF_Output rest = weir_pow(builder, "pow",
                              weir_sub(builder, "rest", number(scheduling, "one", 1), part), power);
    TF_Output above =
        weir_mul(builder, "above", weir_sub(builder, "range", rate(scheduling), end), rest);
    return weir_add_v2(builder, "value", above, end);
}

static TF_Output cosine(const scheduling *scheduling)
{
    weir_builder *builder = scheduling->b;
    TF_Output angle =
        weir_mul(builder, "angle", number(scheduling, "pi", (float)M_PI), part_done(scheduling));
    TF_Output high =
        weir_add_v2(builder, "high", number(scheduling, "one", 1), weir_cos(builder, "cos", angle));
    TF_Output half = weir_mul(builder, "half", number(scheduling, "scale", 0.5f), high);
    TF_Output part =
        weir_mul(builder, "share", number(scheduling, "rest", 1 - scheduling->s->end), half);
    return weir_mul(
        builder, "value", rate(scheduling),
        weir_add_v2(builder, "sum", part, number(scheduling, "end", scheduling->s->end)));
}

/* The value after the last boundary, unless an earlier one is not passed yet. */
static TF_Output piecewise(const scheduling *scheduling, TF_Output step)
{
    weir_builder *builder = scheduling->b;
    TF_Output value =
        number(scheduling, "value", scheduling->s->values[scheduling->s->boundary_count]);
    step = weir_cast(builder, "step64", step, TF_INT64, NULL);
    for (int i = scheduling->s->boundary_count - 1; i >= 0; i--) {
        TF_Output bound =
            weir_build_const(builder, "boundary", TF_INT64, 0, NULL, &scheduling->s->boundaries[i]);
        TF_Output before = weir_less_equal(builder, "before", step, bound);
        value = weir_select_v2(builder, "select", before,
                               number(scheduling, "value", scheduling->s->values[i]), value);
    }
    return value;
}

static const char *wrong(const weir_schedule *schedule)
{
    if (schedule->kind == WEIR_PIECEWISE_CONSTANT) {
        if (schedule->boundary_count < 0 || !schedule->values ||
            (schedule->boundary_count && !schedule->boundaries))
            return "A piecewise rate needs boundaries and one value more than those";
        for (int i = 1; i < schedule->boundary_count; i++)
            if (schedule->boundaries[i] <= schedule->boundaries[i - 1])
                return "The boundaries of a piecewise rate must rise";
        return NULL;
    }
    return schedule->steps > 0 ? NULL : "A schedule needs a number of steps above 0";
}

TF_Output weir_build_schedule(weir_builder *builder, const weir_schedule *schedule, TF_Output step)
{
    static const struct {
        const char *scope;
        TF_Output (*build)(const scheduling *w);
    } kinds[] = {
        [WEIR_EXPONENTIAL_DECAY] = {"ExponentialDecay", exponential},
        [WEIR_INVERSE_TIME_DECAY] = {"InverseTimeDecay", inverse_time},
        [WEIR_NATURAL_EXP_DECAY] = {"NaturalExpDecay", natural_exp},
        [WEIR_POLYNOMIAL_DECAY] = {"PolynomialDecay", polynomial},
        [WEIR_COSINE_DECAY] = {"CosineDecay", cosine},
        [WEIR_PIECEWISE_CONSTANT] = {"PiecewiseConstant", NULL},
    };
    const char *what = (size_t)schedule->kind < sizeof kinds / sizeof *kinds
                           ? wrong(schedule)
                           : "There is no such schedule";
    if (what) {
        weir_build_fail(builder, TF_INVALID_ARGUMENT, what);
        return (TF_Output){0};
    }
    weir_build_push_scope(builder, kinds[schedule->kind].scope);
    scheduling scheduling = {builder, schedule, weir_cast(builder, "step", step, TF_FLOAT, NULL)};
    TF_Output value = kinds[schedule->kind].build ? kinds[schedule->kind].build(&scheduling)
                                                  : piecewise(&scheduling, step);
    weir_build_pop_scope(builder);
    return value;
}
