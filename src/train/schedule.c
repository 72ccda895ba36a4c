/* train/schedule.c - learning rates that follow the step, in TensorFlow's arithmetic. */
#include <math.h>

#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/train.h"

typedef struct scheduling {
    weir_builder *b;
    const weir_schedule *s;
    TF_Output step; /* as a float */
} scheduling;

static TF_Output number(const scheduling *w, const char *name, float value)
{
    return weir_build_float(w->b, name, value);
}

static TF_Output rate(const scheduling *w)
{
    return number(w, "rate", w->s->rate);
}

/* step / steps. */
static TF_Output progress(const scheduling *w)
{
    TF_Output p = weir_real_div(w->b, "progress", w->step, number(w, "steps", (float)w->s->steps));
    return w->s->staircase ? weir_floor(w->b, "floor", p) : p;
}

/* The same, 1 at most. */
static TF_Output part_done(const scheduling *w)
{
    TF_Output steps = number(w, "steps", (float)w->s->steps);
    return weir_real_div(w->b, "part", weir_minimum(w->b, "minimum", w->step, steps), steps);
}

static TF_Output exponential(const scheduling *w)
{
    TF_Output decay = number(w, "decay", w->s->decay);
    return weir_mul(w->b, "value", rate(w), weir_pow(w->b, "pow", decay, progress(w)));
}

static TF_Output inverse_time(const scheduling *w)
{
    TF_Output grown = weir_mul(w->b, "mul", number(w, "decay", w->s->decay), progress(w));
    return weir_real_div(w->b, "value", rate(w),
                         weir_add_v2(w->b, "below", number(w, "one", 1), grown));
}

static TF_Output natural_exp(const scheduling *w)
{
    TF_Output power = weir_mul(w->b, "mul", number(w, "decay", -w->s->decay), progress(w));
    return weir_mul(w->b, "value", rate(w), weir_exp(w->b, "exp", power));
}

/* Of the polynomial that begins anew: how much of this turn is done. */
static TF_Output part_of_cycle(const scheduling *w)
{
    weir_builder *b = w->b;
    TF_Output steps = number(w, "steps", (float)w->s->steps), one = number(w, "one", 1);
    TF_Output turns = weir_ceil(b, "turns", weir_real_div(b, "div", w->step, steps));
    TF_Output longer = weir_mul(b, "longer", steps, weir_maximum(b, "maximum", turns, one));
    return weir_real_div(b, "part", w->step, longer);
}

static TF_Output polynomial(const scheduling *w)
{
    weir_builder *b = w->b;
    TF_Output part = w->s->cycle ? part_of_cycle(w) : part_done(w),
              end = number(w, "end", w->s->end);
    TF_Output power = number(w, "power", w->s->power != 0 ? weir_float_of(w->s->power) : 1);
    TF_Output rest = weir_pow(b, "pow", weir_sub(b, "rest", number(w, "one", 1), part), power);
    TF_Output above = weir_mul(b, "above", weir_sub(b, "range", rate(w), end), rest);
    return weir_add_v2(b, "value", above, end);
}

static TF_Output cosine(const scheduling *w)
{
    weir_builder *b = w->b;
    TF_Output angle = weir_mul(b, "angle", number(w, "pi", (float)M_PI), part_done(w));
    TF_Output high = weir_add_v2(b, "high", number(w, "one", 1), weir_cos(b, "cos", angle));
    TF_Output half = weir_mul(b, "half", number(w, "scale", 0.5f), high);
    TF_Output part = weir_mul(b, "share", number(w, "rest", 1 - w->s->end), half);
    return weir_mul(b, "value", rate(w), weir_add_v2(b, "sum", part, number(w, "end", w->s->end)));
}

/* The value behind the last boundary, unless an earlier one is not passed yet. */
static TF_Output piecewise(const scheduling *w, TF_Output step)
{
    weir_builder *b = w->b;
    TF_Output value = number(w, "value", w->s->values[w->s->boundary_count]);
    step = weir_cast(b, "step64", step, TF_INT64, NULL);
    for (int i = w->s->boundary_count - 1; i >= 0; i--) {
        TF_Output bound = weir_build_const(b, "boundary", TF_INT64, 0, NULL, &w->s->boundaries[i]);
        TF_Output before = weir_less_equal(b, "before", step, bound);
        value = weir_select_v2(b, "select", before, number(w, "value", w->s->values[i]), value);
    }
    return value;
}

static const char *wrong(const weir_schedule *s)
{
    if (s->kind == WEIR_PIECEWISE_CONSTANT) {
        if (s->boundary_count < 0 || !s->values || (s->boundary_count && !s->boundaries))
            return "A piecewise rate needs boundaries and one value more than those";
        for (int i = 1; i < s->boundary_count; i++)
            if (s->boundaries[i] <= s->boundaries[i - 1])
                return "The boundaries of a piecewise rate must rise";
        return NULL;
    }
    return s->steps > 0 ? NULL : "A schedule needs a number of steps above 0";
}

TF_Output weir_build_schedule(weir_builder *b, const weir_schedule *s, TF_Output step)
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
    const char *what =
        (size_t)s->kind < sizeof kinds / sizeof *kinds ? wrong(s) : "There is no such schedule";
    if (what) {
        weir_build_fail(b, TF_INVALID_ARGUMENT, what);
        return (TF_Output){0};
    }
    weir_build_push_scope(b, kinds[s->kind].scope);
    scheduling w = {b, s, weir_cast(b, "step", step, TF_FLOAT, NULL)};
    TF_Output value = kinds[s->kind].build ? kinds[s->kind].build(&w) : piecewise(&w, step);
    weir_build_pop_scope(b);
    return value;
}
