/* lab/bench/experiments/cnn.c - the speed-up of a convolutional network over workers. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"

enum { CLUSTER, ALONE, TWO_PS };             /* groups */
enum { PUBLISHED_TIME, PUBLISHED_ACCURACY }; /* published figures */

static const double published_time[] = {4759, 3201, 2340, 2067, 1847};
static const double published_accuracy[] = {0.9897, 0.9916, 0.9916, 0.9906, 0.9903};

static void plan(experiment_run *x)
{
    static const char *const layouts[] = {"PS-W", "PS-W-W", "PS-W-W-W", "PS-W-W-W-W",
                                          "PS-W-W-W-W-W"};
    trial_plan p = {.model = "mnist_cnn",
                    .ps = 1,
                    .batch = experiment_pick(x, 10, 50, 100),
                    .steps = experiment_pick(x, 6, 50, 1000),
                    .roads = "grpc",
                    .test = experiment_pick(x, 20, 500, 10000)};
    int most = (int)experiment_pick(x, 2, 5, 5);
    for (int i = 0; i < most; i++) {
        p.workers = i + 1;
        p.layout = layouts[i];
        experiment_case *c = experiment_add(x, &p, "%d worker%s", i + 1, i ? "s" : "");
        c->group = CLUSTER;
        c->published[PUBLISHED_TIME] = published_time[i];
        c->published[PUBLISHED_ACCURACY] = published_accuracy[i];
        c->timeline = i == 0 || i == most - 1;
    }
    p.workers = 2;
    p.ps = 2;
    p.layout = "PS-PS-W-W";
    experiment_add(x, &p, "2 workers, 2 ps")->group = TWO_PS;
    p.workers = 1;
    p.ps = 0;
    p.layout = NULL;
    p.threads = 1;
    experiment_case *alone = experiment_add(x, &p, "not distributed");
    alone->group = ALONE;
    alone->published[PUBLISHED_TIME] = 6677;
}

static double rate_of_one(const experiment_run *x)
{
    return x->cases.at[0].result.steps_per_s;
}

static void add_rows(experiment_run *x, weir_table *t)
{
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        weir_table_text(t, "%s", c->label);
        EXPERIMENT_NUMBERS(t, r->seconds, r->steps_per_s, r->steps_per_s / rate_of_one(x),
                           published_time[0] / c->published[PUBLISHED_TIME],
                           c->published[PUBLISHED_TIME], r->median_ms, r->accuracy,
                           c->published[PUBLISHED_ACCURACY], r->loss,
                           trial_job_uses(r, true, WEIR_CPU_SECONDS).mean * 100,
                           trial_job_uses(r, false, WEIR_CPU_SECONDS).mean * 100,
                           experiment_mb(trial_traffic(r, WEIR_NET_IN)));
    }
}

static void add_figure(experiment_run *x)
{
    weir_figure *f = weir_report_figure(x->report, "speed-up", WEIR_LINES,
                                        "Steps a second over workers, as multiples of one "
                                        "worker's; published: of 1 vCPU each.",
                                        "workers");
    weir_panel panel = weir_figure_panel(f, "Speed-up", "times one worker");
    weir_series ours = weir_figure_series(f, panel, "Weir", WEIR_SERIES_MARKERS);
    weir_series theirs =
        weir_figure_series(f, panel, "published", WEIR_SERIES_MARKERS | WEIR_SERIES_PUBLISHED);
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        if (c->group == CLUSTER)
            weir_figure_point(f, ours, c->plan.workers, c->result.steps_per_s / rate_of_one(x));
    }
    for (int i = 0; i < 5; i++)
        weir_figure_point(f, theirs, i + 1, published_time[0] / published_time[i]);
}

static void present(experiment_run *x)
{
    weir_report_section(x->report, "Results");
    weir_table *t =
        weir_report_table(x->report, "results",
                          "Every run. Times run from the first step to the last; CPU is "
                          "of all tasks of the job together.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "run", NULL);
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"time|s", "steps|1/s", "speed-up|of 1 worker", NULL});
    experiment_columns(t, WEIR_COLUMN_PUBLISHED,
                       (const char *const[]){"speed-up|of 1 worker", "time|s", NULL});
    experiment_columns(t, WEIR_COLUMN_NUMBER, (const char *const[]){"step|ms", "accuracy", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "accuracy", NULL);
    experiment_columns(
        t, WEIR_COLUMN_NUMBER,
        (const char *const[]){"loss", "ps CPU|%", "workers' CPU|%", "traffic|MB/s", NULL});
    add_rows(x, t);
    add_figure(x);
}

const experiment experiment_cnn = {
    .name = "cnn",
    .title = "The CNN's speed-up over workers",
    .about = "Asynchronous training of the MNIST network (32 and 64 filters of 5x5, 1024 units, "
             "dropout) by one parameter server and 1 to 5 workers, each a machine with one "
             "processor; also with two parameter servers, and not distributed.",
    .compare = "Published, of about 10,000 global steps: five workers took 0.39 of one worker's "
               "time, a second parameter server brought nothing, one process alone was slower than "
               "one worker beside a parameter server, and accuracy stayed between 0.9897 and "
               "0.9916 (on MNIST, not on Fashion-MNIST; --data takes either).",
    .digits = true,
    .plan = plan,
    .present = present,
};
