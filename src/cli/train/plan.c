/* cli/train/plan.c - derives the settings of a training from the options and the model. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/train/train.h"

/* ---- defaults per model ---------------------------------------------------------------------- */

/* Defaults of a model's training; 0 is the model's own. With these each model reaches its published
 * result in that many epochs. */
typedef struct recipe {
    const char *model, *optimizer;
    double rate;
    train_schedule schedule;
    int batch;
    long epochs;
} recipe;

static const recipe recipes[] = {
#define WEIR_RECIPE(model, optimizer, rate, schedule, batch, epochs)                               \
    {#model, optimizer, rate, TRAIN_##schedule, batch, epochs},
#include "cli/train/recipes.inc"
#undef WEIR_RECIPE
};

static const recipe *recipe_of(const char *model)
{
    static const recipe none = {"", NULL, 0, TRAIN_CONSTANT, 0, 1};
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
        if (strcmp(recipes[i].model, model) == 0)
            return &recipes[i];
    return &none;
}

/* ---- names ------------------------------------------------------------------------------------
 */

/* Optimisers selectable on the command line; Nesterov momentum has a separate name here. */
typedef struct optimizer_row {
    weir_optimizer_kind kind;
    float rate; /* default */
    float momentum;
    bool nesterov;
} optimizer_row;

static const optimizer_row optimizers[] = {
    {WEIR_GRADIENT_DESCENT, 0.1f, 0, false},
    {WEIR_MOMENTUM, 0.01f, 0.9f, false},
    {WEIR_MOMENTUM, 0.01f, 0.9f, true},
    {WEIR_ADAGRAD, 0.01f, 0, false},
    {WEIR_ADADELTA, 1.0f, 0, false},
    {WEIR_RMSPROP, 0.001f, 0, false},
    {WEIR_ADAM, 0.001f, 0, false},
    {WEIR_FTRL, 0.05f, 0, false},
    {WEIR_PROXIMAL_GRADIENT_DESCENT, 0.1f, 0, false},
    {WEIR_PROXIMAL_ADAGRAD, 0.01f, 0, false},
};
enum { OPTIMIZERS = sizeof optimizers / sizeof *optimizers };

static const char *row_name(const optimizer_row *row)
{
    return row->nesterov ? "nesterov" : weir_optimizer_name(row->kind);
}

static const char *kind_name(const weir_optimizer *o)
{
    for (int i = 0; i < OPTIMIZERS; i++)
        if (optimizers[i].kind == o->kind && optimizers[i].nesterov == o->nesterov)
            return row_name(&optimizers[i]);
    return "its own optimiser";
}

static int unknown_optimizer(const char *name)
{
    const char *names[OPTIMIZERS];
    WEIR_BUF(all);
    for (int i = 0; i < OPTIMIZERS; i++) {
        names[i] = row_name(&optimizers[i]);
        weir_buf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    const char *meant = weir_cli_nearest(name, names, OPTIMIZERS);
    weir_cli_misuse("train", "there is no optimiser '%s'%s%s%s; there are %s", name,
                    meant ? " (did you mean " : "", meant ? meant : "", meant ? "?)" : "", all.at);
    return WEIR_EXIT_USAGE;
}

static int unknown_model(const char *name)
{
    int count = weir_model_count();
    const char **names = WEIR_NEW_ARRAY(const char *, count);
    WEIR_BUF(all);
    for (int i = 0; i < count; i++) {
        names[i] = weir_model_name(weir_model_at(i));
        weir_buf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    const char *meant = weir_cli_nearest(name, names, (size_t)count);
    weir_cli_misuse("train", "there is no model '%s'%s%s%s\n  There are %s.", name,
                    meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "", all.at);
    weir_free(names);
    return WEIR_EXIT_USAGE;
}

/* ---- the plan ---------------------------------------------------------------------------------
 */

int train_gradients(const train_options *o, int workers)
{
    return o->mode == TRAIN_ASYNC    ? 1
           : o->mode == TRAIN_BACKUP ? workers - (int)o->backup
                                     : workers;
}

static int choose_optimizer(const train_options *o, const recipe *r, train_plan *p)
{
    const char *name = o->optimizer ? o->optimizer : r->optimizer;
    double rate = o->rate > 0 ? o->rate : o->optimizer ? 0 : r->rate;
    weir_model_optimizer(p->model, &(weir_model_options){0}, &p->optimizer);
    const optimizer_row *row = NULL;
    for (int i = 0; name && i < OPTIMIZERS; i++)
        if (strcmp(row_name(&optimizers[i]), name) == 0)
            row = &optimizers[i];
    if (name && !row)
        return unknown_optimizer(name);
    if (row)
        p->optimizer = (weir_optimizer){.kind = row->kind,
                                        .rate = row->rate,
                                        .momentum = row->momentum,
                                        .nesterov = row->nesterov};
    if (rate > 0)
        p->optimizer.rate = (float)rate;
    p->optimizer_name = kind_name(&p->optimizer);
    p->schedule = o->schedule != TRAIN_OWN      ? (train_schedule)o->schedule
                  : o->optimizer || o->rate > 0 ? TRAIN_CONSTANT
                                                : r->schedule;
    return WEIR_EXIT_OK;
}

static int choose_eval(const char *text, train_plan *p)
{
    static const char *const names[] = {"epoch", "end", "never"};
    static const train_eval_kind kinds[] = {TRAIN_EVAL_EPOCH, TRAIN_EVAL_END, TRAIN_EVAL_NEVER};
    for (int i = 0; i < 3; i++)
        if (strcmp(names[i], text) == 0) {
            p->eval = kinds[i];
            return WEIR_EXIT_OK;
        }
    char *end;
    p->eval = TRAIN_EVAL_STEPS;
    p->eval_steps = strtol(text, &end, 10);
    if (*end || p->eval_steps < 1)
        return weir_cli_misuse("train",
                               "--eval is epoch, end, never or a number of steps, not '%s'", text);
    return WEIR_EXIT_OK;
}

static int choose_straggler(const char *text, int workers, train_plan *p)
{
    char rest;
    p->straggler = -1;
    if (!text)
        return WEIR_EXIT_OK;
    if (sscanf(text, "%d:%d%c", &p->straggler, &p->straggle_ms, &rest) != 2 || p->straggler < 0 ||
        p->straggle_ms < 0)
        return weir_cli_misuse("train", "--straggle is WORKER:MILLISECONDS, not '%s'", text);
    if (p->straggler >= workers)
        return weir_cli_misuse("train", "--straggle %s: there is no worker %d", text, p->straggler);
    return WEIR_EXIT_OK;
}

static int check_mode(const train_options *o, int workers)
{
    if (o->mode == TRAIN_BACKUP && o->backup >= workers)
        return weir_cli_misuse("train", "--backup %ld leaves no worker to wait for, of %d",
                               o->backup, workers);
    if (o->mode == TRAIN_ALLREDUCE && o->ps > 0)
        return weir_cli_misuse("train",
                               "--mode allreduce needs no parameter servers: leave --ps out");
    if (o->epochs > 0 && o->steps > 0)
        return weir_cli_misuse("train", "give --epochs or --steps, not both");
    return WEIR_EXIT_OK;
}

int train_plan_make(const train_options *o, int workers, train_plan *p)
{
    memset(p, 0, sizeof *p);
    p->model = weir_model_find(o->model);
    if (!p->model)
        return unknown_model(o->model);
    const recipe *r = recipe_of(o->model);
    int status = choose_optimizer(o, r, p);
    if (!status)
        status = choose_eval(o->eval, p);
    if (!status)
        status = choose_straggler(o->straggle, workers, p);
    if (!status)
        status = check_mode(o, workers);
    if (status)
        return status;
    p->data = o->data ? o->data : "synthetic";
    p->gradients = train_gradients(o, workers);
    p->build = (weir_model_options){
        .batch = o->batch > 0 ? (int)o->batch : r->batch,
        .bytes = o->bytes,
        .size = (int)o->size,
        .classes = o->classes,
        .seed = o->seed,
    };
    weir_model_input_with(p->model, &p->build, &p->input);
    p->batch = p->build.batch ? p->build.batch : p->input.batch;
    return WEIR_EXIT_OK;
}

void train_plan_length(const train_options *o, int64_t examples, train_plan *p)
{
    enum { SYNTHETIC_STEPS = 100 };
    double step_examples = (double)p->batch * p->gradients;
    long epochs = o->epochs > 0 ? o->epochs : recipe_of(o->model)->epochs;
    p->examples = examples;
    p->epoch_steps = examples > 0 ? (double)examples / step_examples : 0;
    if (o->steps > 0)
        p->last_step = o->steps;
    else if (p->epoch_steps > 0)
        p->last_step = (int64_t)ceil(p->epoch_steps * (double)epochs);
    else
        p->last_step = SYNTHETIC_STEPS * (o->epochs > 0 ? o->epochs : 1);
}

void train_plan_schedule(train_plan *p, weir_trainer *t)
{
    if (p->schedule == TRAIN_CONSTANT)
        return;
    weir_schedule schedule = {
        .kind = p->schedule == TRAIN_COSINE ? WEIR_COSINE_DECAY : WEIR_POLYNOMIAL_DECAY,
        .rate = p->optimizer.rate,
        .steps = p->last_step,
    };
    p->optimizer.rate_from =
        weir_build_schedule(weir_trainer_builder(t), &schedule, weir_trainer_global_step(t));
}

void train_plan_about(const train_plan *p, weir_buf *out)
{
    static const char *const falls[] = {"", "", ", falling to 0", ", falling to 0 by a cosine"};
    weir_buf_addf(out, "batch %d, %s at %g%s, %lld step%s", p->batch, p->optimizer_name,
                  (double)p->optimizer.rate, falls[p->schedule], (long long)p->last_step,
                  p->last_step == 1 ? "" : "s");
    double epochs = p->epoch_steps > 0 ? (double)p->last_step / p->epoch_steps : 0;
    if (epochs >= 0.01)
        weir_buf_addf(out, " (%.3g epoch%s)", epochs, epochs == 1 ? "" : "s");
}
