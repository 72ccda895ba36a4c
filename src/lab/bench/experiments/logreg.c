/* lab/bench/experiments/logreg.c - logistic regression: single, synchronous, asynchronous. */
#include <math.h>

#include "lab/bench/experiment.h"

enum { MODES, BATCHES, SPLIT }; /* groups */
enum { MEMORY, NET_IN, NET_OUT, LOAD, TIME, ACCURACY, LOSS };

/* ---- modes over workers ---------------------------------------------------------------------- */

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

static void plan_modes(experiment_run *run)
{
    for (int i = 0; i < MODE_COUNT; i++) {
        const struct mode *mode = &modes[i];
        trial_plan plan = {.model = "logreg",
                           .ps = mode->ps,
                           .workers = mode->workers,
                           .layout = mode->layout,
                           .sync = mode->sync,
                           .batch = 100,
                           .steps = experiment_pick(run, 40, 3000, 6000),
                           .transports = "grpc",
                           .test = experiment_pick(run, 100, 1000, 10000)};
        experiment_case *experiment_case = experiment_add(run, &plan, "%s", mode->label);
        experiment_case->group = MODES;
        for (int k = 0; k < 5; k++)
            experiment_case->published[k] = mode->published[k];
        experiment_case->timeline = mode->workers == 2;
        experiment_case->beside = run->options->scale != SCALE_TINY || mode->workers < 3;
    }
}

/* ---- batch sizes ----------------------------------------------------------------------------- */

static void plan_batches(experiment_run *run)
{
    static const long batches[] = {50, 100, 500, 1000};
    for (int sync = 0; sync < 2; sync++)
        for (int i = 0; i < 4; i++) {
            if (run->options->scale == SCALE_TINY && i)
                continue;
            trial_plan plan = {.model = "logreg",
                               .ps = 1,
                               .workers = 2,
                               .layout = "PW-W",
                               .sync = sync,
                               .batch = batches[i],
                               .steps = experiment_pick(run, 20, 1000, 3000),
                               .transports = "grpc"};
            experiment_add(run, &plan, "%s, batch %ld", sync ? "sync" : "async", batches[i])
                ->group = BATCHES;
        }
}

/* ---- the data split over four nodes ---------------------------------------------------------- */

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

static void plan_splits(experiment_run *run)
{
    long epochs = experiment_pick(run, 1, 8, 100), examples = EXAMPLES_OF_NODE;
    for (size_t i = 0; i < sizeof splits / sizeof *splits; i++) {
        const struct split *split = &splits[i];
        if (run->options->scale == SCALE_TINY)
            examples = 100;
        trial_plan plan = {.model = "logreg",
                           .ps = split->ps,
                           .workers = split->workers,
                           .layout = split->layout,
                           .sync = split->sync,
                           .batch = examples / split->batches,
                           .steps = epochs * split->batches * (split->sync ? 1 : NODES),
                           .transports = "grpc",
                           .test = experiment_pick(run, 100, 1000, 10000)};
        experiment_case *experiment_case = experiment_add(run, &plan, "%s", split->label);
        experiment_case->group = SPLIT;
        experiment_case->published[TIME] = split->time;
        experiment_case->published[ACCURACY] = split->accuracy;
        experiment_case->published[LOSS] = split->loss;
    }
}

static void plan(experiment_run *run)
{
    plan_modes(run);
    plan_batches(run);
    plan_splits(run);
}

/* ---- the report ------------------------------------------------------------------------------ */

/* Of the parameter server's machine. */
static double net_peak(const trial *trial, weir_quantity quantity)
{
    return experiment_mb(
        trial_net(trial, trial->simulated ? trial->eth[0] : trial->lo[0], quantity).peak);
}

static void present_modes(experiment_run *run)
{
    weir_report_section(run->report, "Single, asynchronous, synchronous");
    weir_table *table =
        weir_report_table(run->report, "modes",
                          "Batches of 100; memory, network and CPU are maxima on the "
                          "machine of the parameter server and worker 0. Published "
                          "CPU is a load, of 6,000 steps.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "mode", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"time|s", "steps|1/s", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "time", "s");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "memory", "MB");
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "memory", "MB");
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"net in|MB/s", "net out|MB/s", NULL});
    experiment_columns(table, WEIR_COLUMN_PUBLISHED,
                       (const char *const[]){"net in|MB/s", "net out|MB/s", NULL});
    weir_table_column(table, WEIR_COLUMN_NUMBER, "CPU", "%");
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "CPU", "load");
    experiment_columns(table, WEIR_COLUMN_NUMBER, (const char *const[]){"accuracy", "loss", NULL});
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        if (experiment_case->group != MODES)
            continue;
        weir_table_text(table, "%s", experiment_case->label);
        EXPERIMENT_NUMBERS(table, trial->seconds, trial->steps_per_s,
                           experiment_case->published[TIME],
                           experiment_mb(trial_tasks_use(trial, 0, WEIR_MEMORY_BYTES).peak),
                           experiment_case->published[MEMORY], net_peak(trial, WEIR_NET_IN),
                           net_peak(trial, WEIR_NET_OUT), experiment_case->published[NET_IN],
                           experiment_case->published[NET_OUT],
                           trial_tasks_use(trial, 0, WEIR_CPU_SECONDS).peak * 100,
                           experiment_case->published[LOAD], trial->accuracy, trial->loss);
    }
}

/* Sync compared with async, by time for the same steps. */
static void present_ratio(experiment_run *run)
{
    weir_figure *figure = weir_report_figure(run->report, "times", WEIR_BARS,
                                             "Time of the same global steps, as multiples of "
                                             "asynchronous training's with as many workers.",
                                             "workers");
    weir_panel panel = weir_figure_panel(figure, "Synchronous time", "times asynchronous");
    weir_series ours = weir_figure_series(figure, panel, "Weir", 0);
    weir_series theirs = weir_figure_series(figure, panel, "published", WEIR_SERIES_PUBLISHED);
    for (int i = 1; i <= 2; i++) {
        const experiment_case *async = &run->cases.at[i], *sync = &run->cases.at[i + 2];
        weir_figure_category(figure, "%d", i + 1);
        weir_figure_point(figure, ours, i - 1, sync->result.seconds / async->result.seconds);
        weir_figure_point(figure, theirs, i - 1, sync->published[TIME] / async->published[TIME]);
    }
}

static void present_batches(experiment_run *run)
{
    weir_report_section(run->report, "Over batch sizes");
    weir_table *table =
        weir_report_table(run->report, "batches",
                          "Two workers. Published in words: time and memory grow with "
                          "the batch, the network hardly.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "run", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"batch", "time|s", "steps|1/s", "examples|1/s",
                                             "memory|MB", "traffic a step|kB", NULL});
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        if (experiment_case->group != BATCHES)
            continue;
        weir_table_text(table, "%s", experiment_case->label);
        EXPERIMENT_NUMBERS(table, (double)experiment_case->plan.batch, trial->seconds,
                           trial->steps_per_s, trial->examples_per_s,
                           experiment_mb(trial_tasks_use(trial, -1, WEIR_MEMORY_BYTES).peak),
                           trial_traffic(trial, WEIR_NET_IN) / trial->steps_per_s * 1e-3);
    }
}

static void present_splits(experiment_run *run)
{
    weir_report_section(run->report, "The data split over four nodes");
    weir_table *table =
        weir_report_table(run->report, "split",
                          "The same number of epochs for all; published: of 100 epochs "
                          "of 55,000 examples. Node 0 holds the parameter server and a "
                          "worker; it was found to send more than three times what the "
                          "others send.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "run", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"batch", "steps", "time|s", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "time", "s");
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"start|s", "accuracy", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "accuracy", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "loss", NULL);
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "loss", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "node 0 sends", "times node 1");
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        if (experiment_case->group != SPLIT)
            continue;
        double ratio = trial->simulated ? trial_net(trial, trial->eth[0], WEIR_NET_OUT).total /
                                              trial_net(trial, trial->eth[1], WEIR_NET_OUT).total
                                        : NAN;
        weir_table_text(table, "%s", experiment_case->label);
        EXPERIMENT_NUMBERS(table, (double)experiment_case->plan.batch, (double)trial->steps,
                           trial->seconds, experiment_case->published[TIME], trial->start_s,
                           trial->accuracy, experiment_case->published[ACCURACY], trial->loss,
                           experiment_case->published[LOSS], isfinite(ratio) ? ratio : NAN);
    }
}

static void present(experiment_run *run)
{
    present_modes(run);
    present_ratio(run);
    present_batches(run);
    present_splits(run);
}

const experiment experiment_logreg = {
    .name = "logreg",
    .title = "Logistic regression: single, synchronous, asynchronous",
    .about =
        "784 inputs, 10 classes, one parameter server that shares a machine with worker 0, and "
        "two or three workers; then for several batch sizes, and with the data split over four "
        "nodes.",
    .compare = "Published: synchronous training of 6,000 steps took 25 to 28 times as long as "
               "asynchronous and transferred about 17 times the bytes per second; three workers "
               "were only slightly faster than two; a synchronous run spent half a minute "
               "waiting for the chief's initialisation (here: 'start').",
    .digits = true,
    .mbit = 10000,
    .plan = plan,
    .present = present,
};
