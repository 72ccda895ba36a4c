/* train/optimizer.c - optimisers.
 *
 * One row per optimiser: its op, the order of that op's inputs, and the number of slots per
 * variable, with TensorFlow's names. Sparse gradients go to the op's Sparse form, after summing
 * repeated rows.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "train/train_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/state.h"

enum { MOST_SLOTS = 3, MOST_INPUTS = 16 };

typedef struct updating updating;

typedef struct rule {
    const char *name;  /* public name */
    const char *scope; /* of the update's nodes, and of slots: "w/Adam", "w/Adam_1" ... */
    const char *op;
    /* The op's inputs: v the variable, g its gradient, 0 to 2 its slots, A and B the powers of the
     * betas; the rest are numbers of the table below. */
    const char *inputs;
    int slot_count;
    double slot_starts[MOST_SLOTS];                    /* below 0: the accumulator's start */
    float rate, decay, epsilon;                        /* defaults for options that are 0 */
    TF_Operation *(*sparse)(const updating *updating); /* null: the op's Sparse form */
} rule;

/* Variants of an optimiser that use another op follow the public kinds. */
enum { CENTERED_RMSPROP = WEIR_PROXIMAL_ADAGRAD + 1, SHRINKING_FTRL, RULES };

static TF_Operation *sparse_descent(const updating *updating);
static TF_Operation *sparse_adam(const updating *updating);

static const rule rules[RULES] = {
    [WEIR_GRADIENT_DESCENT] = {"sgd", "GradientDescent", "ApplyGradientDescent", "vrg",
                               .sparse = sparse_descent},
    [WEIR_MOMENTUM] = {"momentum", "Momentum", "ApplyMomentum", "v0rgm", 1},
    [WEIR_ADAGRAD] = {"adagrad", "Adagrad", "ApplyAdagrad", "v0rg", 1, {-1}},
    [WEIR_ADAM] = {"adam", "Adam", "ApplyAdam", "v01ABrabeg", 2, .rate = 1e-3f, .epsilon = 1e-8f,
                   .sparse = sparse_adam},
    [WEIR_RMSPROP] = {"rmsprop",
                      "RMSProp",
                      "ApplyRMSProp",
                      "v01rdmeg",
                      2,
                      {1},
                      .decay = 0.9f,
                      .epsilon = 1e-10f},
    [WEIR_ADADELTA] = {"adadelta", "Adadelta", "ApplyAdadelta", "v01rdeg", 2, .rate = 1e-3f,
                       .decay = 0.95f, .epsilon = 1e-8f},
    [WEIR_FTRL] = {"ftrl", "Ftrl", "ApplyFtrl", "v01grlLp", 2, {-1}},
    [WEIR_PROXIMAL_GRADIENT_DESCENT] = {"proximal_sgd", "ProximalGradientDescent",
                                        "ApplyProximalGradientDescent", "vrlLg"},
    [WEIR_PROXIMAL_ADAGRAD] =
        {"proximal_adagrad", "ProximalAdagrad", "ApplyProximalAdagrad", "v0rlLg", 1, {-1}},
    [CENTERED_RMSPROP] = {"rmsprop",
                          "RMSProp",
                          "ApplyCenteredRMSProp",
                          "v102rdmeg",
                          3,
                          {1},
                          .decay = 0.9f,
                          .epsilon = 1e-10f},
    [SHRINKING_FTRL] = {"ftrl", "Ftrl", "ApplyFtrlV2", "v01grlLsp", 2, {-1}},
};

static const struct number {
    char code;
    const char *name;
    size_t option, usual; /* offset in weir_optimizer; offset in the rule, 0: |otherwise| */
    float otherwise;
} numbers[] = {
    {'r', "learning_rate", offsetof(weir_optimizer, rate), offsetof(rule, rate), 0},
    {'m', "momentum", offsetof(weir_optimizer, momentum), 0, 0},
    {'a', "beta1", offsetof(weir_optimizer, beta1), 0, 0.9f},
    {'b', "beta2", offsetof(weir_optimizer, beta2), 0, 0.999f},
    {'d', "decay", offsetof(weir_optimizer, decay), offsetof(rule, decay), 0},
    {'e', "epsilon", offsetof(weir_optimizer, epsilon), offsetof(rule, epsilon), 0},
    {'l', "l1_regularization_strength", offsetof(weir_optimizer, l1), 0, 0},
    {'L', "l2_regularization_strength", offsetof(weir_optimizer, l2), 0, 0},
    {'s', "l2_shrinkage", offsetof(weir_optimizer, l2_shrinkage), 0, 0},
    {'p', "learning_rate_power", offsetof(weir_optimizer, power), 0, -0.5f},
};

struct updating {
    weir_trainer *t;
    weir_builder *b;
    const weir_optimizer *o;
    const rule *rule;
    variable *powers[2]; /* of WEIR_ADAM */
    const variable *v;
    variable *slots[MOST_SLOTS];
    weir_gradient gradient;
};

static const rule *rule_of(const weir_optimizer *optimizer)
{
    if (optimizer->kind == WEIR_RMSPROP && optimizer->centered)
        return &rules[CENTERED_RMSPROP];
    if (optimizer->kind == WEIR_FTRL && optimizer->l2_shrinkage > 0)
        return &rules[SHRINKING_FTRL];
    return &rules[optimizer->kind];
}

const char *weir_optimizer_scope(const weir_optimizer *optimizer)
{
    return rules[optimizer->kind].scope;
}

const char *weir_optimizer_name(weir_optimizer_kind kind)
{
    return (unsigned)kind <= WEIR_PROXIMAL_ADAGRAD ? rules[kind].name : NULL;
}

bool weir_optimizer_find(const char *name, weir_optimizer_kind *out)
{
    for (int i = 0; weir_optimizer_name((weir_optimizer_kind)i); i++)
        if (strcmp(rules[i].name, name) == 0) {
            *out = (weir_optimizer_kind)i;
            return true;
        }
    return false;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static float value_of(const updating *updating, const struct number *number)
{
    float asked = *(const float *)((const char *)updating->o + number->option);
    if (asked != 0)
        return weir_float_of(asked);
    return number->usual ? *(const float *)((const char *)updating->rule + number->usual)
                         : number->otherwise;
}

static const struct number *number_of(char code)
{
    const struct number *number = numbers;
    while (number->code != code)
        number++;
    return number;
}

static TF_Output as_type(weir_builder *builder, TF_Output x, TF_DataType type, const char *name)
{
    if (!x.oper || TF_OperationOutputType(x) == type)
        return x;
    return weir_cast(builder, name, x, type, NULL);
}

/* Constants are created on the device that uses them: otherwise every step would transfer them. */
static TF_Output number_as(const updating *updating, char code, TF_DataType type)
{
    const struct number *number = number_of(code);
    TF_Output single =
        code == 'r' && updating->o->rate_from.oper
            ? updating->o->rate_from
            : weir_build_float(updating->b, number->name, value_of(updating, number));
    return as_type(updating->b, single, type, number->name);
}

static TF_Output number(const updating *updating, char code)
{
    return number_as(updating, code, updating->v->type);
}

static TF_Output power(const updating *updating, int k)
{
    return as_type(updating->b, updating->powers[k]->value, updating->v->type,
                   k ? "beta2_power" : "beta1_power");
}

static TF_Output input(const updating *updating, char code)
{
    switch (code) {
    case 'v':
        return updating->v->ref;
    case 'g':
        return updating->gradient.values;
    case '0':
    case '1':
    case '2':
        return updating->slots[code - '0']->ref;
    case 'A':
    case 'B':
        return power(updating, code - 'A');
    default:
        return number(updating, code);
    }
}

/* ---- slots ---------------------------------------------------------------------------------- */

static void add_slots(updating *updating)
{
    for (int k = 0; k < updating->rule->slot_count; k++) {
        char name[64];
        double start = updating->rule->slot_starts[k];
        if (start < 0)
            start = updating->o->accumulator != 0 ? weir_float_of(updating->o->accumulator) : 0.1f;
        snprintf(name, sizeof name, k ? "%s_%d" : "%s", updating->rule->scope, k);
        updating->slots[k] = weir_trainer_add_slot(updating->t, updating->v, name,
                                                   &(weir_initial){WEIR_CONSTANT, .a = start});
    }
}

/* The powers of the betas are on the device of the variable with the first name. */
static const variable *first_by_name(variable *const *variables, int count)
{
    const variable *first = variables[0];
    for (int i = 1; i < count; i++)
        if (strcmp(variables[i]->name, first->name) < 0)
            first = variables[i];
    return first;
}

static void add_powers(updating *updating, variable *const *out_variable, int count)
{
    static const char *const names[] = {"beta1_power", "beta2_power"};
    const variable *beside = first_by_name(out_variable, count);
    for (int k = 0; k < 2; k++)
        updating->powers[k] = weir_trainer_add_variable(
            updating->t, &(variable){.name = (char *)names[k], .type = TF_FLOAT}, beside->device,
            &(weir_initial){WEIR_CONSTANT, .a = value_of(updating, number_of(k ? 'b' : 'a'))});
}

/* Multiplies beta^k by beta, after every variable was updated. */
static TF_Operation *advance_power(const updating *updating, int k, TF_Operation *after)
{
    const variable *variable = updating->powers[k];
    weir_build_push_device(updating->b, variable->device);
    weir_build_push_control(updating->b, after);
    TF_Output next =
        weir_mul(updating->b, "mul", variable->value, number_as(updating, k ? 'b' : 'a', TF_FLOAT));
    weir_build_pop_control(updating->b);
    weir_build_pop_device(updating->b);
    return weir_trainer_assign(updating->t, variable, "Assign", next).oper;
}

/* ---- one variable --------------------------------------------------------------------------- */

/* Adds the rule's op, or its Sparse form, with inputs in the rule's order. */
static TF_Operation *apply(const updating *updating, bool sparse)
{
    char type[64];
    TF_Output in[MOST_INPUTS];
    int count = 0;
    for (const char *code = updating->rule->inputs; *code; code++) {
        in[count++] = input(updating, *code);
        if (sparse && *code == 'g')
            in[count++] = updating->gradient.indices;
    }
    snprintf(type, sizeof type, "%s%s", sparse ? "Sparse" : "", updating->rule->op);
    TF_OperationDescription *description = weir_build_begin(updating->b, type, type);
    for (int i = 0; i < count; i++)
        weir_build_input(updating->b, description, in[i]);
    if (description && updating->o->kind == WEIR_MOMENTUM)
        TF_SetAttrBool(description, "use_nesterov", updating->o->nesterov);
    return weir_build_end(updating->b, description).oper;
}

/* Most rules are not linear in the gradient: repeated rows are summed first. */
static void add_up_rows(updating *updating)
{
    static const int64_t one = 1;
    weir_builder *builder = updating->b;
    weir_unique_outputs rows = weir_unique(builder, "unique", updating->gradient.indices, NULL);
    TF_Output shape = weir_shape(builder, "shape", rows.y, NULL);
    TF_Output begin = weir_build_const(builder, "begin", TF_INT32, 1, &one, &(int32_t){0});
    TF_Output step = weir_build_const(builder, "step", TF_INT32, 1, &one, &(int32_t){1});
    TF_Output count = weir_strided_slice(builder, "count", shape, begin, step, step,
                                         &(weir_strided_slice_options){.shrink_axis_mask = 1});
    updating->gradient.values =
        weir_unsorted_segment_sum(builder, "sum", updating->gradient.values, rows.idx, count);
    updating->gradient.indices = rows.y;
}

/* Linear: rows may repeat. */
static TF_Operation *sparse_descent(const updating *updating)
{
    TF_Output change =
        weir_mul(updating->b, "mul", updating->gradient.values, number(updating, 'r'));
    return weir_scatter_sub(updating->b, "ScatterSub", updating->v->ref, updating->gradient.indices,
                            change, NULL)
        .oper;
}

/* slot = slot * beta, then slot[rows] += rows * (1 - beta); returns the new slot. */
static TF_Output decay_and_add(const updating *updating, int k, TF_Output rows)
{
    TF_Output beta = number(updating, k ? 'b' : 'a');
    TF_Output one = weir_ones_like(updating->b, "one", beta);
    TF_Output scaled =
        weir_mul(updating->b, "scaled", rows, weir_sub(updating->b, "rest", one, beta));
    TF_Output decayed = weir_mul(updating->b, "decayed", updating->slots[k]->value, beta);
    TF_Output kept = weir_assign(updating->b, "Assign", updating->slots[k]->ref, decayed, NULL);
    weir_build_push_control(updating->b, kept.oper);
    TF_Output added = weir_scatter_add(updating->b, "ScatterAdd", updating->slots[k]->ref,
                                       updating->gradient.indices, scaled, NULL);
    weir_build_pop_control(updating->b);
    return added;
}

/* Adam updates every row by its momentum, including those without a gradient. */
static TF_Operation *sparse_adam(const updating *updating)
{
    weir_builder *builder = updating->b;
    TF_Output one = weir_ones_like(builder, "one", power(updating, 0));
    TF_Output root =
        weir_sqrt(builder, "root", weir_sub(builder, "rest2", one, power(updating, 1)));
    TF_Output rest = weir_sub(builder, "rest1", one, power(updating, 0));
    TF_Output rate =
        weir_real_div(builder, "rate", weir_mul(builder, "mul", number(updating, 'r'), root), rest);
    TF_Output square =
        weir_mul(builder, "square", updating->gradient.values, updating->gradient.values);
    TF_Output m = decay_and_add(updating, 0, updating->gradient.values),
              value = decay_and_add(updating, 1, square);
    TF_Output below =
        weir_add_v2(builder, "below", weir_sqrt(builder, "sqrt", value), number(updating, 'e'));
    TF_Output change = weir_real_div(builder, "change", weir_mul(builder, "above", rate, m), below);
    return weir_assign_sub(builder, "AssignSub", updating->v->ref, change, NULL).oper;
}

static TF_Operation *apply_sparse(const updating *this_updating)
{
    updating summed = *this_updating;
    if (this_updating->rule->sparse == sparse_descent)
        return sparse_descent(this_updating);
    add_up_rows(&summed);
    return this_updating->rule->sparse ? this_updating->rule->sparse(&summed)
                                       : apply(&summed, true);
}

static TF_Operation *update(const updating *updating)
{
    weir_build_push_scope(updating->b, updating->rule->scope);
    weir_build_push_scope(updating->b, "update");
    weir_build_push_scope(updating->b, updating->v->name);
    weir_build_push_device(updating->b, updating->v->device);
    TF_Operation *done =
        updating->gradient.indices.oper ? apply_sparse(updating) : apply(updating, false);
    weir_build_pop_device(updating->b);
    weir_build_pop_scope(updating->b);
    weir_build_pop_scope(updating->b);
    weir_build_pop_scope(updating->b);
    return done;
}

/* ---- all variables --------------------------------------------------------------------------- */

void weir_trainer_apply(weir_trainer *trainer, const updates *all, TF_Operation **out_done)
{
    updating updating = {.t = trainer, .b = trainer->b, .o = all->o, .rule = rule_of(all->o)};
    bool powers = all->o->kind == WEIR_ADAM;
    if (powers)
        add_powers(&updating, all->v, all->count);
    for (int i = 0; i < all->count && !weir_trainer_failed(trainer); i++) {
        updating.v = all->v[i];
        updating.gradient = all->gradients[i];
        add_slots(&updating);
        if (!weir_trainer_failed(trainer))
            out_done[i] = update(&updating);
    }
    if (!powers || weir_trainer_failed(trainer))
        return;
    weir_build_push_scope(trainer->b, updating.rule->scope);
    TF_Operation *done = weir_build_group(trainer->b, "updates", out_done, all->count);
    TF_Operation *advanced[] = {advance_power(&updating, 0, done),
                                advance_power(&updating, 1, done)};
    out_done[0] = weir_build_group(trainer->b, "powers", advanced, 2);
    weir_build_pop_scope(trainer->b);
}
