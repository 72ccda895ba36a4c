/* train/optimizer.c - how gradients change variables.
 *
 * One row per optimiser: its op, the order of that op's inputs, and how many slots each variable
 * gets beside it, under TensorFlow's names. Sparse gradients go to the op's Sparse form, their
 * repeated rows added up before.
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
    const char *name;  /* what the user calls it */
    const char *scope; /* of the update's nodes, and of slots: "w/Adam", "w/Adam_1" ... */
    const char *op;
    /* What the op takes: v the variable, g its gradient, 0 to 2 its slots, A and B the powers of
     * the betas; the rest are numbers of the table below. */
    const char *inputs;
    int slot_count;
    double slot_starts[MOST_SLOTS];             /* below 0: the accumulator's start */
    float rate, decay, epsilon;                 /* for options that are 0 */
    TF_Operation *(*sparse)(const updating *u); /* null: the op's Sparse form */
} rule;

/* Forms of an optimiser that have an op of their own follow behind its public kinds. */
enum { CENTERED_RMSPROP = WEIR_PROXIMAL_ADAGRAD + 1, SHRINKING_FTRL, RULES };

static TF_Operation *sparse_descent(const updating *u);
static TF_Operation *sparse_adam(const updating *u);

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
    size_t option, usual; /* where in weir_optimizer; where in the rule, 0: |otherwise| */
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

static const rule *rule_of(const weir_optimizer *o)
{
    if (o->kind == WEIR_RMSPROP && o->centered)
        return &rules[CENTERED_RMSPROP];
    if (o->kind == WEIR_FTRL && o->l2_shrinkage > 0)
        return &rules[SHRINKING_FTRL];
    return &rules[o->kind];
}

const char *weir_optimizer_scope(const weir_optimizer *o)
{
    return rules[o->kind].scope;
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

static float value_of(const updating *u, const struct number *n)
{
    float asked = *(const float *)((const char *)u->o + n->option);
    if (asked != 0)
        return weir_float_of(asked);
    return n->usual ? *(const float *)((const char *)u->rule + n->usual) : n->otherwise;
}

static const struct number *number_of(char code)
{
    const struct number *n = numbers;
    while (n->code != code)
        n++;
    return n;
}

static TF_Output as_type(weir_builder *b, TF_Output x, TF_DataType type, const char *name)
{
    if (!x.oper || TF_OperationOutputType(x) == type)
        return x;
    return weir_cast(b, name, x, type, NULL);
}

/* Numbers are made where they are used: they would travel with every step otherwise. */
static TF_Output number_as(const updating *u, char code, TF_DataType type)
{
    const struct number *n = number_of(code);
    TF_Output single = code == 'r' && u->o->rate_from.oper
                           ? u->o->rate_from
                           : weir_build_float(u->b, n->name, value_of(u, n));
    return as_type(u->b, single, type, n->name);
}

static TF_Output number(const updating *u, char code)
{
    return number_as(u, code, u->v->type);
}

static TF_Output power(const updating *u, int k)
{
    return as_type(u->b, u->powers[k]->value, u->v->type, k ? "beta2_power" : "beta1_power");
}

static TF_Output input(const updating *u, char code)
{
    switch (code) {
    case 'v':
        return u->v->ref;
    case 'g':
        return u->gradient.values;
    case '0':
    case '1':
    case '2':
        return u->slots[code - '0']->ref;
    case 'A':
    case 'B':
        return power(u, code - 'A');
    default:
        return number(u, code);
    }
}

/* ---- slots ---------------------------------------------------------------------------------- */

static void add_slots(updating *u)
{
    for (int k = 0; k < u->rule->slot_count; k++) {
        char name[64];
        double start = u->rule->slot_starts[k];
        if (start < 0)
            start = u->o->accumulator != 0 ? weir_float_of(u->o->accumulator) : 0.1f;
        snprintf(name, sizeof name, k ? "%s_%d" : "%s", u->rule->scope, k);
        u->slots[k] =
            weir_trainer_add_slot(u->t, u->v, name, &(weir_initial){WEIR_CONSTANT, .a = start});
    }
}

/* The powers of the betas lie beside the variable whose name comes first. */
static const variable *first_by_name(variable *const *v, int count)
{
    const variable *first = v[0];
    for (int i = 1; i < count; i++)
        if (strcmp(v[i]->name, first->name) < 0)
            first = v[i];
    return first;
}

static void add_powers(updating *u, variable *const *v, int count)
{
    static const char *const names[] = {"beta1_power", "beta2_power"};
    const variable *beside = first_by_name(v, count);
    for (int k = 0; k < 2; k++)
        u->powers[k] = weir_trainer_add_variable(
            u->t, &(variable){.name = (char *)names[k], .type = TF_FLOAT}, beside->device,
            &(weir_initial){WEIR_CONSTANT, .a = value_of(u, number_of(k ? 'b' : 'a'))});
}

/* beta^k becomes beta^(k+1), once every variable was updated with the former. */
static TF_Operation *advance_power(const updating *u, int k, TF_Operation *after)
{
    const variable *p = u->powers[k];
    weir_build_push_device(u->b, p->device);
    weir_build_push_control(u->b, after);
    TF_Output next = weir_mul(u->b, "mul", p->value, number_as(u, k ? 'b' : 'a', TF_FLOAT));
    weir_build_pop_control(u->b);
    weir_build_pop_device(u->b);
    return weir_trainer_assign(u->t, p, "Assign", next).oper;
}

/* ---- one variable --------------------------------------------------------------------------- */

/* Runs the rule's op, or its Sparse form, on inputs in the rule's order. */
static TF_Operation *apply(const updating *u, bool sparse)
{
    char type[64];
    TF_Output in[MOST_INPUTS];
    int count = 0;
    for (const char *code = u->rule->inputs; *code; code++) {
        in[count++] = input(u, *code);
        if (sparse && *code == 'g')
            in[count++] = u->gradient.indices;
    }
    snprintf(type, sizeof type, "%s%s", sparse ? "Sparse" : "", u->rule->op);
    TF_OperationDescription *d = weir_build_begin(u->b, type, type);
    for (int i = 0; i < count; i++)
        weir_build_input(u->b, d, in[i]);
    if (d && u->o->kind == WEIR_MOMENTUM)
        TF_SetAttrBool(d, "use_nesterov", u->o->nesterov);
    return weir_build_end(u->b, d).oper;
}

/* Most rules are not linear in the gradient: rows that repeat are added up first. */
static void add_up_rows(updating *u)
{
    static const int64_t one = 1;
    weir_builder *b = u->b;
    weir_unique_outputs rows = weir_unique(b, "unique", u->gradient.indices, NULL);
    TF_Output shape = weir_shape(b, "shape", rows.y, NULL);
    TF_Output begin = weir_build_const(b, "begin", TF_INT32, 1, &one, &(int32_t){0});
    TF_Output step = weir_build_const(b, "step", TF_INT32, 1, &one, &(int32_t){1});
    TF_Output count = weir_strided_slice(b, "count", shape, begin, step, step,
                                         &(weir_strided_slice_options){.shrink_axis_mask = 1});
    u->gradient.values = weir_unsorted_segment_sum(b, "sum", u->gradient.values, rows.idx, count);
    u->gradient.indices = rows.y;
}

/* Linear: rows may repeat. */
static TF_Operation *sparse_descent(const updating *u)
{
    TF_Output change = weir_mul(u->b, "mul", u->gradient.values, number(u, 'r'));
    return weir_scatter_sub(u->b, "ScatterSub", u->v->ref, u->gradient.indices, change, NULL).oper;
}

/* slot = slot * beta, then slot[rows] += rows * (1 - beta); gives the slot after that. */
static TF_Output decay_and_add(const updating *u, int k, TF_Output rows)
{
    TF_Output beta = number(u, k ? 'b' : 'a');
    TF_Output one = weir_ones_like(u->b, "one", beta);
    TF_Output scaled = weir_mul(u->b, "scaled", rows, weir_sub(u->b, "rest", one, beta));
    TF_Output decayed = weir_mul(u->b, "decayed", u->slots[k]->value, beta);
    TF_Output kept = weir_assign(u->b, "Assign", u->slots[k]->ref, decayed, NULL);
    weir_build_push_control(u->b, kept.oper);
    TF_Output added =
        weir_scatter_add(u->b, "ScatterAdd", u->slots[k]->ref, u->gradient.indices, scaled, NULL);
    weir_build_pop_control(u->b);
    return added;
}

/* Adam moves every row by its momentum, those without a gradient too. */
static TF_Operation *sparse_adam(const updating *u)
{
    weir_builder *b = u->b;
    TF_Output one = weir_ones_like(b, "one", power(u, 0));
    TF_Output root = weir_sqrt(b, "root", weir_sub(b, "rest2", one, power(u, 1)));
    TF_Output rest = weir_sub(b, "rest1", one, power(u, 0));
    TF_Output rate = weir_real_div(b, "rate", weir_mul(b, "mul", number(u, 'r'), root), rest);
    TF_Output square = weir_mul(b, "square", u->gradient.values, u->gradient.values);
    TF_Output m = decay_and_add(u, 0, u->gradient.values), v = decay_and_add(u, 1, square);
    TF_Output below = weir_add_v2(b, "below", weir_sqrt(b, "sqrt", v), number(u, 'e'));
    TF_Output change = weir_real_div(b, "change", weir_mul(b, "above", rate, m), below);
    return weir_assign_sub(b, "AssignSub", u->v->ref, change, NULL).oper;
}

static TF_Operation *apply_sparse(const updating *u)
{
    updating summed = *u;
    if (u->rule->sparse == sparse_descent)
        return sparse_descent(u);
    add_up_rows(&summed);
    return u->rule->sparse ? u->rule->sparse(&summed) : apply(&summed, true);
}

static TF_Operation *update(const updating *u)
{
    weir_build_push_scope(u->b, u->rule->scope);
    weir_build_push_scope(u->b, "update");
    weir_build_push_scope(u->b, u->v->name);
    weir_build_push_device(u->b, u->v->device);
    TF_Operation *done = u->gradient.indices.oper ? apply_sparse(u) : apply(u, false);
    weir_build_pop_device(u->b);
    weir_build_pop_scope(u->b);
    weir_build_pop_scope(u->b);
    weir_build_pop_scope(u->b);
    return done;
}

/* ---- all of them ---------------------------------------------------------------------------- */

void weir_trainer_apply(weir_trainer *t, const updates *all, TF_Operation **out_done)
{
    updating u = {.t = t, .b = t->b, .o = all->o, .rule = rule_of(all->o)};
    bool powers = all->o->kind == WEIR_ADAM;
    if (powers)
        add_powers(&u, all->v, all->count);
    for (int i = 0; i < all->count && !weir_trainer_failed(t); i++) {
        u.v = all->v[i];
        u.gradient = all->gradients[i];
        add_slots(&u);
        if (!weir_trainer_failed(t))
            out_done[i] = update(&u);
    }
    if (!powers || weir_trainer_failed(t))
        return;
    weir_build_push_scope(t->b, u.rule->scope);
    TF_Operation *done = weir_build_group(t->b, "updates", out_done, all->count);
    TF_Operation *advanced[] = {advance_power(&u, 0, done), advance_power(&u, 1, done)};
    out_done[0] = weir_build_group(t->b, "powers", advanced, 2);
    weir_build_pop_scope(t->b);
}
