/* lab/bench/experiments/cnn.c - the speed-up of a convolutional network over workers. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"
#include "lab/bench/overlap.h"

enum { CLUSTER, ALONE, TWO_PS };             /* groups */
enum { PUBLISHED_TIME, PUBLISHED_ACCURACY }; /* published figures */

static const double published_time[] = {4759, 3201, 2340, 2067, 1847};
static const double published_accuracy[] = {0.9897, 0.9916, 0.9916, 0.9906, 0.9903};

static void plan(experiment_run *run)
{
    static const char *const layouts[] = {"PS-W", "PS-W-W", "PS-W-W-W", "PS-W-W-W-W",
                                          "PS-W-W-W-W-W"};
    trial_plan trial_plan = {.model = "mnist_cnn",
                             .ps = 1,
                             .batch = experiment_pick(run, 10, 50, 100),
                             .steps = experiment_pick(run, 6, 50, 1000),
                             .transports = "grpc",
                             .test = experiment_pick(run, 20, 500, 10000)};
    int most = (int)experiment_pick(run, 2, 5, 5);
    for (int i = 0; i < most; i++) {
        trial_plan.workers = i + 1;
        trial_plan.layout = layouts[i];
        experiment_case *experiment_case =
            experiment_add(run, &trial_plan, "%d worker%s", i + 1, i ? "s" : "");
        experiment_case->group = CLUSTER;
        experiment_case->published[PUBLISHED_TIME] = published_time[i];
        experiment_case->published[PUBLISHED_ACCURACY] = published_accuracy[i];
        experiment_case->timeline = i == 0 || i == most - 1;
        experiment_case->beside = true;
    }
    trial_plan.workers = 2;
    trial_plan.ps = 2;
    trial_plan.layout = "PS-PS-W-W";
    experiment_add(run, &trial_plan, "2 workers, 2 ps")->group = TWO_PS;
    trial_plan.cut = 1000000;
    experiment_add(run, &trial_plan, "2 workers, 2 ps, variables above 1 MB cut")->group = TWO_PS;
    trial_plan.cut = 0;
    trial_plan.workers = 1;
    trial_plan.ps = 0;
    trial_plan.layout = NULL;
    trial_plan.threads = 1;
    experiment_case *alone = experiment_add(run, &trial_plan, "not distributed");
    alone->group = ALONE;
    alone->beside = true;
    alone->published[PUBLISHED_TIME] = 6677;
}

static double rate_of_one(const experiment_run *run)
{
    return run->cases.at[0].result.steps_per_s;
}

static void add_rows(experiment_run *run, weir_table *table)
{
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        overlap overlap = overlap_of_trial(trial, run->options->field.link.mbit);
        weir_table_text(table, "%s", experiment_case->label);
        EXPERIMENT_NUMBERS(table, trial->seconds, trial->steps_per_s,
                           trial->steps_per_s / rate_of_one(run),
                           published_time[0] / experiment_case->published[PUBLISHED_TIME],
                           experiment_case->published[PUBLISHED_TIME], trial->median_ms,
                           trial->accuracy, experiment_case->published[PUBLISHED_ACCURACY],
                           trial->loss, trial_job_uses(trial, true, WEIR_CPU_SECONDS).mean * 100,
                           trial_job_uses(trial, false, WEIR_CPU_SECONDS).mean * 100,
                           experiment_mb(trial_traffic(trial, WEIR_NET_IN)), overlap.wire_ms,
                           overlap.hidden * 100, overlap.of_bound * 100);
    }
}

static void add_tensorflow(const experiment_run *run, weir_figure *figure, weir_series series)
{
    double one = run->cases.at[0].tensorflow.steps_per_s;
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        if (experiment_case->group == CLUSTER && experiment_case->tensorflow.steps > 0 && one > 0)
            weir_figure_point(figure, series, experiment_case->plan.workers,
                              experiment_case->tensorflow.steps_per_s / one);
    }
}

static void add_figure(experiment_run *run)
{
    weir_figure *figure = weir_report_figure(run->report, "speed-up", WEIR_LINES,
                                             "Steps a second over workers, as multiples of one "
                                             "worker's; published: of 1 vCPU each.",
                                             "workers");
    weir_panel panel = weir_figure_panel(figure, "Speed-up", "times one worker");
    weir_series ours = weir_figure_series(figure, panel, "Weir", WEIR_SERIES_MARKERS);
    if (run->options->tensorflow)
        add_tensorflow(run, figure,
                       weir_figure_series(figure, panel, "TensorFlow here", WEIR_SERIES_MARKERS));
    weir_series theirs =
        weir_figure_series(figure, panel, "published", WEIR_SERIES_MARKERS | WEIR_SERIES_PUBLISHED);
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        if (experiment_case->group == CLUSTER)
            weir_figure_point(figure, ours, experiment_case->plan.workers,
                              experiment_case->result.steps_per_s / rate_of_one(run));
    }
    for (int i = 0; i < 5; i++)
        weir_figure_point(figure, theirs, i + 1, published_time[0] / published_time[i]);
}

static void present(experiment_run *run)
{
    weir_report_section(run->report, "Results");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "Every run. Times run from the first step to the last; CPU is "
                          "of all tasks of the job together. Wire: the busiest link's time for a "
                          "global step; bound: the larger of this and the busiest processors' "
                          "time.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "run", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"time|s", "steps|1/s", "speed-up|of 1 worker", NULL});
    experiment_columns(table, WEIR_COLUMN_PUBLISHED,
                       (const char *const[]){"speed-up|of 1 worker", "time|s", NULL});
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"step|ms", "accuracy", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "accuracy", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"loss", "ps CPU|%", "workers' CPU|%", "traffic|MB/s",
                                             "wire a step|ms", "wire hidden|%", "of the bound|%",
                                             NULL});
    add_rows(run, table);
    add_figure(run);
}

const experiment experiment_cnn = {
    .name = "cnn",
    .title = "The CNN's speed-up over workers",
    .about = "Asynchronous training of the MNIST network (32 and 64 filters of 5x5, 1024 units, "
             "dropout) by one parameter server and 1 to 5 workers, each a machine with one "
             "processor; also with two parameter servers, with whole variables and with large ones "
             "cut, and without distribution.",
    .compare = "Published, for about 10,000 global steps: five workers took 0.39 of one "
               "worker's time, a second parameter server brought no gain, a single process was "
               "slower than one worker with a parameter server, and accuracy stayed between "
               "0.9897 and 0.9916 (on MNIST, not on Fashion-MNIST; --data takes either).",
    .digits = true,
    .plan = plan,
    .present = present,
};
