/* train/optimizer.c - how gradients change variables.
 *
 * One row per optimiser: its op, the order of that op's inputs, and the slots that each variable
 * gets beside it, under TensorFlow's names.
 */
#include <string.h>

#include "base/str.h"
#include "train/train_impl.h"

typedef struct rule {
    const char *scope; /* of the update's nodes */
    const char *op;
    /* What the op takes: v the variable, g its gradient, 0 and 1 its slots, A and B the powers of
     * the betas; the rest are numbers: r rate, m momentum, a beta1, b beta2, e epsilon, d decay. */
    const char *inputs;
    const char *slots[2];  /* "w/Adam"; null: none */
    double slot_starts[2]; /* below 0: the accumulator's start */
} rule;

static const rule rules[] = {
    [WEIR_GRADIENT_DESCENT] = {"GradientDescent", "ApplyGradientDescent", "vrg", {0}, {0}},
    [WEIR_MOMENTUM] = {"Momentum", "ApplyMomentum", "v0rgm", {"Momentum"}, {0}},
    [WEIR_ADAGRAD] = {"Adagrad", "ApplyAdagrad", "v0rg", {"Adagrad"}, {-1}},
    [WEIR_ADAM] = {"Adam", "ApplyAdam", "v01ABrabeg", {"Adam", "Adam_1"}, {0, 0}},
    [WEIR_RMSPROP] = {"RMSProp", "ApplyRMSProp", "v01rdmeg", {"RMSProp", "RMSProp_1"}, {1, 0}},
};

typedef struct updating {
    weir_trainer *t;
    const weir_optimizer *o;
    const rule *rule;
    variable *powers[2]; /* of WEIR_ADAM */
    const variable *v;
    variable *slots[2];
    TF_Output gradient;
} updating;

static float or_else(float value, float usual)
{
    return value != 0 ? value : usual;
}

static float number_of(const weir_optimizer *o, char code)
{
    switch (code) {
    case 'r':
        return o->rate;
    case 'm':
        return o->momentum;
    case 'a':
        return or_else(o->beta1, 0.9f);
    case 'b':
        return or_else(o->beta2, 0.999f);
    case 'd':
        return or_else(o->decay, 0.9f);
    default:
        return or_else(o->epsilon, o->kind == WEIR_ADAM ? 1e-8f : 1e-10f);
    }
}

static const char *name_of(char code)
{
    switch (code) {
    case 'r':
        return "learning_rate";
    case 'm':
        return "momentum";
    case 'a':
        return "beta1";
    case 'b':
        return "beta2";
    case 'd':
        return "decay";
    default:
        return "epsilon";
    }
}

/* Numbers are made where they are used: they would travel with every step otherwise. */
static TF_Output number(const updating *u, char code)
{
    float value = number_of(u->o, code);
    if (u->v->type == TF_FLOAT)
        return weir_build_float(u->t->b, name_of(code), value);
    TF_Output single = weir_build_float(u->t->b, name_of(code), value);
    TF_OperationDescription *d = weir_build_begin(u->t->b, "Cast", name_of(code));
    if (d) {
        TF_AddInput(d, single);
        TF_SetAttrType(d, "DstT", u->v->type);
    }
    return weir_build_end(u->t->b, d);
}

static TF_Output input(const updating *u, char code)
{
    switch (code) {
    case 'v':
        return u->v->ref;
    case 'g':
        return u->gradient;
    case '0':
    case '1':
        return u->slots[code - '0']->ref;
    case 'A':
    case 'B':
        return u->powers[code - 'A']->value;
    default:
        return number(u, code);
    }
}

/* ---- slots ---------------------------------------------------------------------------------- */

static variable *add_slot(const updating *u, int k)
{
    weir_buf name = {0}, saved = {0};
    weir_buf_addf(&name, "%s/%s", u->v->name, u->rule->slots[k]);
    weir_buf_addf(&saved, "%s/%s", u->v->saved_as, u->rule->slots[k]);
    variable like = *u->v;
    like.name = name.at;
    like.saved_as = saved.at;
    like.trained = false;
    double start = u->rule->slot_starts[k];
    weir_initial initial = {WEIR_CONSTANT,
                            .a = start < 0 ? or_else(u->o->accumulator, 0.1f) : start};
    variable *slot = weir_trainer_add_variable(u->t, &like, u->v->device, &initial);
    weir_buf_fini(&name);
    weir_buf_fini(&saved);
    return slot;
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
            u->t, &(variable){.name = (char *)names[k], .type = beside->type}, beside->device,
            &(weir_initial){WEIR_CONSTANT, .a = number_of(u->o, k ? 'b' : 'a')});
}

/* ---- updates -------------------------------------------------------------------------------- */

static TF_Operation *update(const updating *u)
{
    weir_builder *b = u->t->b;
    TF_Output in[16];
    int count = (int)strlen(u->rule->inputs);
    weir_build_push_scope(b, "update");
    weir_build_push_scope(b, u->v->name);
    weir_build_push_device(b, u->v->device);
    for (int i = 0; i < count; i++)
        in[i] = input(u, u->rule->inputs[i]);
    TF_OperationDescription *d = weir_build_begin(b, u->rule->op, u->rule->op);
    for (int i = 0; d && i < count; i++)
        TF_AddInput(d, in[i]);
    if (d && u->o->kind == WEIR_MOMENTUM)
        TF_SetAttrBool(d, "use_nesterov", u->o->nesterov);
    TF_Operation *done = weir_build_end(b, d).oper;
    weir_build_pop_device(b);
    weir_build_pop_scope(b);
    weir_build_pop_scope(b);
    return done;
}

/* beta^k becomes beta^(k+1), once every variable was updated with the former. */
static TF_Operation *advance_power(updating *u, int k, TF_Operation *after)
{
    weir_builder *b = u->t->b;
    u->v = u->powers[k];
    weir_build_push_device(b, u->v->device);
    weir_build_push_control(b, after);
    TF_Output next =
        weir_build_op(b, "Mul", "mul", WEIR_INPUTS(u->v->value, number(u, k ? 'b' : 'a')));
    weir_build_pop_control(b);
    weir_build_pop_device(b);
    return weir_trainer_assign(u->t, u->v, "Assign", next).oper;
}

void weir_trainer_apply(weir_trainer *t, const weir_optimizer *o, variable *const *v,
                        const TF_Output *gradients, int count, TF_Operation **out_updates)
{
    updating u = {.t = t, .o = o, .rule = &rules[o->kind]};
    if (o->kind == WEIR_ADAM)
        add_powers(&u, v, count);
    for (int i = 0; i < count && !weir_trainer_failed(t); i++) {
        u.v = v[i];
        u.gradient = gradients[i];
        for (int k = 0; k < 2; k++)
            u.slots[k] = u.rule->slots[k] ? add_slot(&u, k) : NULL;
        weir_build_push_scope(t->b, u.rule->scope);
        out_updates[i] = update(&u);
        weir_build_pop_scope(t->b);
    }
    if (o->kind != WEIR_ADAM || weir_trainer_failed(t))
        return;
    weir_build_push_scope(t->b, u.rule->scope);
    TF_Operation *all = weir_build_group(t->b, "updates", out_updates, count);
    TF_Operation *powers[] = {advance_power(&u, 0, all), advance_power(&u, 1, all)};
    out_updates[0] = weir_build_group(t->b, "powers", powers, 2);
    weir_build_pop_scope(t->b);
}

static const char *wrong(const weir_trainer *t, const weir_optimizer *o)
{
    if (t->train)
        return "A trainer minimises one loss";
    if ((size_t)o->kind >= sizeof rules / sizeof *rules)
        return "There is no such optimiser";
    return NULL;
}

/* ---- a step --------------------------------------------------------------------------------- */

/* Gradients for what is trained and reached; the others drop out. Returns how many remain. */
static int take_gradients(weir_trainer *t, TF_Output loss, variable **out_v, TF_Output *out_g)
{
    int count = 0, kept = 0;
    TF_Output *x = WEIR_NEW_ARRAY(TF_Output, t->variables.count);
    TF_Output *dx = WEIR_NEW_ARRAY(TF_Output, t->variables.count);
    for (size_t i = 0; i < t->variables.count; i++)
        if (t->variables.at[i]->trained) {
            out_v[count] = t->variables.at[i];
            x[count++] = t->variables.at[i]->value;
        }
    TF_Status *status = TF_NewStatus();
    if (count)
        TF_AddGradients(t->graph, &loss, 1, x, count, NULL, status, dx);
    weir_build_fail(t->b, TF_GetCode(status), TF_Message(status));
    for (int i = 0; i < count && !weir_trainer_failed(t); i++)
        if (dx[i].oper) {
            out_v[kept] = out_v[i];
            out_g[kept++] = dx[i];
        }
    TF_DeleteStatus(status);
    weir_free(x);
    weir_free(dx);
    return kept;
}

TF_Output weir_trainer_count_step(weir_trainer *t, const weir_optimizer *o,
                                  TF_Operation *const *updates, int count)
{
    const variable *step = t->global_step;
    weir_build_push_device(t->b, step->device);
    weir_build_push_scope(t->b, rules[o->kind].scope);
    TF_Operation *all = weir_build_group(t->b, "update_all", updates, count);
    weir_build_push_control(t->b, all);
    TF_Output one = weir_build_const(t->b, "one", TF_INT64, 0, NULL, &(int64_t){1});
    TF_Output next = weir_build_op(t->b, "AssignAdd", "count", WEIR_INPUTS(step->ref, one));
    weir_build_pop_control(t->b);
    weir_build_pop_scope(t->b);
    weir_build_pop_device(t->b);
    return next;
}

void weir_trainer_finish_async(weir_trainer *t, const weir_optimizer *o, variable *const *v,
                               const TF_Output *gradients, int count)
{
    TF_Operation **updates = WEIR_NEW_ARRAY(TF_Operation *, count);
    weir_trainer_apply(t, o, v, gradients, count, updates);
    t->step_output = weir_trainer_count_step(t, o, updates, count);
    t->train = t->step_output.oper;
    weir_free(updates);
}

void weir_trainer_minimize(weir_trainer *t, TF_Output loss, const weir_optimizer *o)
{
    const char *what = wrong(t, o);
    if (what)
        weir_build_fail(t->b, TF_INVALID_ARGUMENT, what);
    weir_trainer_global_step(t);
    if (weir_trainer_failed(t))
        return;
    variable **v = WEIR_NEW_ARRAY(variable *, t->variables.count);
    TF_Output *gradients = WEIR_NEW_ARRAY(TF_Output, t->variables.count);
    int count = take_gradients(t, loss, v, gradients);
    if (!count)
        weir_build_fail(t->b, TF_INVALID_ARGUMENT, "The loss depends on no trained variable");
    else if (t->options.update == WEIR_SYNC)
        weir_trainer_finish_sync(t, o, v, gradients, count);
    else
        weir_trainer_finish_async(t, o, v, gradients, count);
    weir_free(v);
    weir_free(gradients);
}
