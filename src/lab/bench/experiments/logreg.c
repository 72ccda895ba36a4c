/* lab/bench/experiments/logreg.c - logistic regression: single, synchronous, asynchronous. */
#include <math.h>

#include "lab/bench/experiment.h"

enum { MODES, BATCHES, SPLIT }; /* groups */
enum { MEMORY, NET_IN, NET_OUT, LOAD, TIME, ACCURACY, LOSS };

/* ---- modes over workers --------------------------------------------------------------------- */

static const struct mode {
    const char *label, *layout;
    int ps, workers;
    bool sync;
    double published[5]; /* maxima on the parameter server's machine */
} modes[] = {
    {"single", NULL, 0, 1, false, {NAN, NAN, NAN, NAN, NAN}},
    {"async, 2 workers", "PW-W", 1, 2, false, {811, 7.9, 8.4, 11, 12.7}},
    {"async, 3 workers", "PW-W-W", 1, 3, false, {805, 7.7, 8.5, 11, 10}},
    {"sync, 2 workers", "PW-W", 1, 2, true, {2374, 136, 136, 5, 312}},
    {"sync, 3 workers", "PW-W-W", 1, 3, true, {2241, 155, 155, 5.28, 282}},
};
enum { MODE_COUNT = sizeof modes / sizeof *modes };

static void plan_modes(experiment_run *x)
{
    for (int i = 0; i < MODE_COUNT; i++) {
        const struct mode *m = &modes[i];
        trial_plan p = {.model = "logreg",
                        .ps = m->ps,
                        .workers = m->workers,
                        .layout = m->layout,
                        .sync = m->sync,
                        .batch = 100,
                        .steps = experiment_pick(x, 40, 3000, 6000),
                        .roads = "grpc",
                        .test = experiment_pick(x, 100, 1000, 10000)};
        experiment_case *c = experiment_add(x, &p, "%s", m->label);
        c->group = MODES;
        for (int k = 0; k < 5; k++)
            c->published[k] = m->published[k];
        c->timeline = m->workers == 2;
    }
}

/* ---- batch sizes ---------------------------------------------------------------------------- */

static void plan_batches(experiment_run *x)
{
    static const long batches[] = {50, 100, 500, 1000};
    for (int sync = 0; sync < 2; sync++)
        for (int i = 0; i < 4; i++) {
            if (x->options->scale == SCALE_TINY && i)
                continue;
            trial_plan p = {.model = "logreg",
                            .ps = 1,
                            .workers = 2,
                            .layout = "PW-W",
                            .sync = sync,
                            .batch = batches[i],
                            .steps = experiment_pick(x, 20, 1000, 3000),
                            .roads = "grpc"};
            experiment_add(x, &p, "%s, batch %ld", sync ? "sync" : "async", batches[i])->group =
                BATCHES;
        }
}

/* ---- the data split over four nodes --------------------------------------------------------- */

enum { EXAMPLES_OF_NODE = 13750, NODES = 4 };

static const struct split {
    const char *label, *layout;
    int ps, workers;
    bool sync;
    int batches; /* of an epoch and node */
    double time, accuracy, loss;
} splits[] = {
    {"single", NULL, 0, 1, false, 1, 35, 0.870, 5.559},
    {"sync", "PW-W-W-W", 1, NODES, true, 1, 50, 0.861, 5.606},
    {"async", "PW-W-W-W", 1, NODES, false, 1, 18, 0.871, 5.227},
    {"async, 10 batches", "PW-W-W-W", 1, NODES, false, 10, 20, 0.969, 0.732},
    {"async, 50 batches", "PW-W-W-W", 1, NODES, false, 50, 28, 0.980, 0.438},
};

static void plan_splits(experiment_run *x)
{
    long epochs = experiment_pick(x, 1, 8, 100), examples = EXAMPLES_OF_NODE;
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        const struct split *s = &splits[i];
        if (x->options->scale == SCALE_TINY)
            examples = 100;
        trial_plan p = {.model = "logreg",
                        .ps = s->ps,
                        .workers = s->workers,
                        .layout = s->layout,
                        .sync = s->sync,
                        .batch = examples / s->batches,
                        .steps = epochs * s->batches * (s->sync ? 1 : NODES),
                        .roads = "grpc",
                        .test = experiment_pick(x, 100, 1000, 10000)};
        experiment_case *c = experiment_add(x, &p, "%s", s->label);
        c->group = SPLIT;
        c->published[TIME] = s->time;
        c->published[ACCURACY] = s->accuracy;
        c->published[LOSS] = s->loss;
    }
}

static void plan(experiment_run *x)
{
    plan_modes(x);
    plan_batches(x);
    plan_splits(x);
}

/* ---- the report ----------------------------------------------------------------------------- */

/* Of the machine that the parameter server is on. */
static double net_peak(const trial *r, weir_quantity q)
{
    return experiment_mb(trial_net(r, r->simulated ? r->eth[0] : r->lo[0], q).peak);
}

static void present_modes(experiment_run *x)
{
    weir_report_section(x->report, "Single, asynchronous, synchronous");
    weir_table *t = weir_report_table(x->report, "modes",
                                      "Batches of 100; memory, network and CPU are maxima on the "
                                      "machine of the parameter server and worker 0. Published "
                                      "CPU is a load, of 6,000 steps.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "mode", NULL);
    experiment_columns(t, WEIR_COLUMN_NUMBER, (const char *const[]){"time|s", "steps|1/s", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "time", "s");
    weir_table_column(t, WEIR_COLUMN_NUMBER, "memory", "MB");
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "memory", "MB");
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"net in|MB/s", "net out|MB/s", NULL});
    experiment_columns(t, WEIR_COLUMN_PUBLISHED,
                       (const char *const[]){"net in|MB/s", "net out|MB/s", NULL});
    weir_table_column(t, WEIR_COLUMN_NUMBER, "CPU", "%");
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "CPU", "load");
    experiment_columns(t, WEIR_COLUMN_NUMBER, (const char *const[]){"accuracy", "loss", NULL});
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        if (c->group != MODES)
            continue;
        weir_table_text(t, "%s", c->label);
        EXPERIMENT_NUMBERS(t, r->seconds, r->steps_per_s, c->published[TIME],
                           experiment_mb(trial_tasks_use(r, 0, WEIR_MEMORY_BYTES).peak),
                           c->published[MEMORY], net_peak(r, WEIR_NET_IN),
                           net_peak(r, WEIR_NET_OUT), c->published[NET_IN], c->published[NET_OUT],
                           trial_tasks_use(r, 0, WEIR_CPU_SECONDS).peak * 100, c->published[LOAD],
                           r->accuracy, r->loss);
    }
}

/* Sync against async, by what each took for the same steps. */
static void present_ratio(experiment_run *x)
{
    weir_figure *f = weir_report_figure(x->report, "times", WEIR_BARS,
                                        "Time of the same global steps, as multiples of "
                                        "asynchronous training's with as many workers.",
                                        "workers");
    weir_panel panel = weir_figure_panel(f, "Synchronous time", "times asynchronous");
    weir_series ours = weir_figure_series(f, panel, "Weir", 0);
    weir_series theirs = weir_figure_series(f, panel, "published", WEIR_SERIES_PUBLISHED);
    for (int i = 1; i <= 2; i++) {
        const experiment_case *async = &x->cases.at[i], *sync = &x->cases.at[i + 2];
        weir_figure_category(f, "%d", i + 1);
        weir_figure_point(f, ours, i - 1, sync->result.seconds / async->result.seconds);
        weir_figure_point(f, theirs, i - 1, sync->published[TIME] / async->published[TIME]);
    }
}

static void present_batches(experiment_run *x)
{
    weir_report_section(x->report, "Over batch sizes");
    weir_table *t = weir_report_table(x->report, "batches",
                                      "Two workers. Published in words: time and memory grow with "
                                      "the batch, the network hardly.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "run", NULL);
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"batch", "time|s", "steps|1/s", "examples|1/s",
                                             "memory|MB", "traffic a step|kB", NULL});
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        if (c->group != BATCHES)
            continue;
        weir_table_text(t, "%s", c->label);
        EXPERIMENT_NUMBERS(t, (double)c->plan.batch, r->seconds, r->steps_per_s, r->examples_per_s,
                           experiment_mb(trial_tasks_use(r, -1, WEIR_MEMORY_BYTES).peak),
                           trial_traffic(r, WEIR_NET_IN) / r->steps_per_s * 1e-3);
    }
}

static void present_splits(experiment_run *x)
{
    weir_report_section(x->report, "The data split over four nodes");
    weir_table *t = weir_report_table(x->report, "split",
                                      "The same number of epochs for all; published: of 100 epochs "
                                      "of 55,000 examples. Node 0 holds the parameter server and a "
                                      "worker; it was found to send more than three times what the "
                                      "others send.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "run", NULL);
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"batch", "steps", "time|s", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "time", "s");
    experiment_columns(t, WEIR_COLUMN_NUMBER, (const char *const[]){"start|s", "accuracy", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "accuracy", NULL);
    weir_table_column(t, WEIR_COLUMN_NUMBER, "loss", NULL);
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "loss", NULL);
    weir_table_column(t, WEIR_COLUMN_NUMBER, "node 0 sends", "times node 1");
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        if (c->group != SPLIT)
            continue;
        double ratio = r->simulated ? trial_net(r, r->eth[0], WEIR_NET_OUT).total /
                                          trial_net(r, r->eth[1], WEIR_NET_OUT).total
                                    : NAN;
        weir_table_text(t, "%s", c->label);
        EXPERIMENT_NUMBERS(t, (double)c->plan.batch, (double)r->steps, r->seconds,
                           c->published[TIME], r->start_s, r->accuracy, c->published[ACCURACY],
                           r->loss, c->published[LOSS], isfinite(ratio) ? ratio : NAN);
    }
}

static void present(experiment_run *x)
{
    present_modes(x);
    present_ratio(x);
    present_batches(x);
    present_splits(x);
}

const experiment experiment_logreg = {
    .name = "logreg",
    .title = "Logistic regression: single, synchronous, asynchronous",
    .about =
        "784 inputs, 10 classes, one parameter server that shares a machine with worker 0, and "
        "two or three workers; then over batch sizes, and with the data split over four nodes.",
    .compare = "Published: synchronous training of 6,000 steps took 25 to 28 times as long as "
               "asynchronous and moved some 17 times the bytes a second; three workers were only a "
               "little quicker than two; half a minute of a synchronous run was waiting for the "
               "chief's initialisation (here: 'start').",
    .digits = true,
    .mbit = 10000,
    .plan = plan,
    .present = present,
};
