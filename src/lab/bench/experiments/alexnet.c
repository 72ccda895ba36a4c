/* lab/bench/experiments/alexnet.c - AlexNet, synchronous, over batch sizes and workers. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"
#include "lab/bench/overlap.h"

enum { LOSS, EXAMPLES, SECONDS, CPU, MEMORY, PACKETS_IN, PACKETS_OUT, FIGURES };

static const struct row {
    int workers;
    long batch;
    double published[FIGURES];
} rows[] = {
    {1, 64, {1.96, 27.6, 2.329, 38.84, 8842, 183, 3.6}},
    {1, 128, {1.96, 42.3, 3.056, 54.06, 9540, 148, 3.6}},
    {1, 256, {1.96, 43.5, 5.681, 54.42, 9932, 176, 150}},
    {2, 64, {2.93, 56.6, 2.315, 27.27, 7794, 98184, 120601}},
    {2, 128, {2.93, 71.1, 3.462, 40.51, 7271, 66979, 95581}},
    {2, 256, {2.93, 74.0, 6.862, 51.93, 9473, 33911, 62023}},
    {3, 64, {3.91, 83.5, 2.251, 17.13, 5051, 102409, 229003}},
    {3, 128, {3.91, 97.3, 3.881, 22.59, 5760, 69132, 184953}},
    {3, 256, {3.91, 102.5, 7.093, 30.94, 7551, 36034, 123594}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void plan(experiment_run *run)
{
    static const char *const layouts[] = {NULL, "PS-W-W", "PS-W-W-W"};
    long divisor = experiment_pick(run, 32, 8, 1);
    for (int i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        if (run->options->scale == SCALE_TINY && (row->batch != 64 || row->workers == 3))
            continue;
        trial_plan trial_plan = {.model = "alexnet",
                                 .ps = row->workers > 1,
                                 .workers = row->workers,
                                 .layout = layouts[row->workers - 1],
                                 .sync = row->workers > 1,
                                 .batch = row->batch / divisor,
                                 .size = experiment_pick(run, 96, 96, 0),
                                 .steps = experiment_pick(run, 2, 3, 12),
                                 .transports = "grpc"};
        experiment_case *experiment_case =
            experiment_add(run, &trial_plan, "%d worker%s, batch %ld", row->workers,
                           row->workers > 1 ? "s" : "", trial_plan.batch);
        for (int k = 0; k < FIGURES; k++)
            experiment_case->published[k] = row->published[k];
        experiment_case->beside = true;
        experiment_case->timeline = row->workers == 2 && row->batch == 64;
    }
}

static void add_rows(experiment_run *run, weir_table *table)
{
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        const double *p = experiment_case->published;
        double one = experiment_mb(trial_job_uses(trial, false, WEIR_MEMORY_BYTES).peak) /
                     experiment_case->plan.workers;
        double processors =
            trial_job_uses(trial, false, WEIR_CPU_SECONDS).mean / experiment_case->plan.workers;
        weir_table_text(table, "%d", experiment_case->plan.workers);
        EXPERIMENT_NUMBERS(
            table, (double)experiment_case->plan.batch, trial->examples_per_s, p[EXAMPLES],
            trial->examples_per_s / run->cases.at[0].result.examples_per_s,
            p[EXAMPLES] / rows[0].published[EXAMPLES], trial->median_ms * 1e-3, p[SECONDS],
            processors * 100, p[CPU], one, p[MEMORY], trial_traffic(trial, WEIR_PACKETS_IN),
            p[PACKETS_IN], trial_traffic(trial, WEIR_PACKETS_OUT), p[PACKETS_OUT], trial->loss,
            p[LOSS]);
    }
}

/* Alternating columns for Weir and published figures. */
static void add_columns(weir_table *table)
{
    static const char *const both[] = {
        "examples|1/s",   "rate|times first", "s/batch|s", "CPU|%", "memory|MB",
        "packets in|1/s", "packets out|1/s",  "loss",      NULL};
    experiment_columns(table, WEIR_COLUMN_TEXT, (const char *const[]){"workers", NULL});
    experiment_columns(table, WEIR_COLUMN_NUMBER, (const char *const[]){"batch", NULL});
    for (int i = 0; both[i]; i++) {
        const char *one[] = {both[i], NULL};
        experiment_columns(table, WEIR_COLUMN_NUMBER, one);
        experiment_columns(table, WEIR_COLUMN_PUBLISHED, one);
    }
}

/* Of the runs with several machines. */
static void add_overlap(experiment_run *run)
{
    weir_table *table =
        weir_report_table(run->report, "overlap",
                          "How well transfers and computation overlap. Wire: the busiest link's "
                          "time for a global step; bound: the larger of this and the busiest "
                          "processors' time.");
    experiment_columns(table, WEIR_COLUMN_TEXT, (const char *const[]){"workers", NULL});
    experiment_columns(
        table, WEIR_COLUMN_NUMBER,
        (const char *const[]){"batch", "wire a step|ms", "wire hidden|%", "of the bound|%", NULL});
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *of = &run->cases.at[i];
        overlap overlap = overlap_of_trial(&of->result, run->options->field.link.mbit);
        if (of->plan.workers < 2)
            continue;
        weir_table_text(table, "%d", of->plan.workers);
        EXPERIMENT_NUMBERS(table, (double)of->plan.batch, overlap.wire_ms, overlap.hidden * 100,
                           overlap.of_bound * 100);
    }
}

static void add_figure(experiment_run *run)
{
    weir_figure *figure =
        weir_report_figure(run->report, "rates", WEIR_BARS,
                           "Examples a second, as multiples of one worker with the "
                           "smallest batch.",
                           "batch of a worker (published: 64, 128, 256)");
    weir_panel panel = weir_figure_panel(figure, "Rate", "times the first");
    for (int published = 0; published < 2; published++)
        for (int w = 1; w <= 3; w++) {
            char name[48];
            int at = 0;
            snprintf(name, sizeof name, "%d worker%s%s", w, w > 1 ? "s" : "",
                     published ? ", published" : "");
            weir_series line =
                weir_figure_series(figure, panel, name, published ? WEIR_SERIES_PUBLISHED : 0);
            for (size_t i = 0; i < run->cases.count; i++) {
                const experiment_case *experiment_case = &run->cases.at[i];
                if (experiment_case->plan.workers != w)
                    continue;
                if (w == 1 && !published)
                    weir_figure_category(figure, "%ld", experiment_case->plan.batch);
                weir_figure_point(figure, line, at++,
                                  published ? experiment_case->published[EXAMPLES] /
                                                  rows[0].published[EXAMPLES]
                                            : experiment_case->result.examples_per_s /
                                                  run->cases.at[0].result.examples_per_s);
            }
        }
}

static void present(experiment_run *run)
{
    weir_report_section(run->report, "Results");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "Batches are of each worker. CPU and memory are of one "
                          "worker, packets of all machines; published figures in italics "
                          "beside ours.");
    add_columns(table);
    add_rows(run, table);
    add_overlap(run);
    add_figure(run);
    weir_report_text(run->report,
                     "A second group published, with 4 nodes: batch 64 75 s, 128 122 s, "
                     "256 212 s, and with 2 nodes 217 s; waves of I/O and compute "
                     "alternate in every plot, as they should below.");
}

const experiment experiment_alexnet = {
    .name = "alexnet",
    .title = "AlexNet over batch sizes and workers",
    .about = "Synchronous training with momentum on synthetic images, in a single process and "
             "with one parameter server and two or three workers, for three batch sizes.",
    .compare =
        "Published: the rate increases with the batch size and levels off between 128 and 256; "
        "two and three workers reach 2.0 and 3.0 times the rate at the smallest batch size and "
        "1.7 and 2.4 at the largest; packets per second decrease with the batch size, since "
        "there are fewer updates.",
    .mbit = 10000,
    .plan = plan,
    .present = present,
};
