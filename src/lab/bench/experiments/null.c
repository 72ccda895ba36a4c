/* lab/bench/experiments/null.c - null steps: what moving the parameters costs. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "lab/bench/experiment.h"

enum { GRPC, SHARED_MEMORY }; /* groups: how tasks talk */

static const struct size {
    const char *label;
    long bytes;
    bool full_only;
    double published_one; /* ms, with 1 worker; 16 parameter servers */
} sizes[] = {
    {"scalars", 64, false, NAN},
    {"1 MB", 1000000, false, NAN},
    {"100 MB", 100000000, false, 147},
    {"1 GB", 1000000000, true, 1010},
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const int worker_counts[] = {1, 2, 4, 8};

/* Parameters, gradients and their sums, and what is under way, of all tasks on this one host. */
static bool fits(const struct size *size, int workers)
{
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (double)size->bytes * (3.0 * workers + 4) < 0.7 * memory;
}

static bool chosen(const experiment_run *run, const struct size *size, int workers)
{
    if (!fits(size, workers))
        return false;
    if (run->options->scale == SCALE_FULL)
        return true;
    return !size->full_only && workers <= (run->options->scale == SCALE_TINY ? 1 : 4) &&
           !(run->options->scale == SCALE_TINY && size->bytes > 1000000);
}

static void plan(experiment_run *run)
{
    long shown = experiment_pick(run, 1000000, 100000000, 100000000); /* over time, too */
    for (int transport = GRPC; transport <= SHARED_MEMORY; transport++)
        for (int i = 0; i < SIZES; i++)
            for (int w = 0; w < 4; w++) {
                const struct size *size = &sizes[i];
                if (!chosen(run, size, worker_counts[w]))
                    continue;
                long small = experiment_pick(run, 5, 200, 1000),
                     large = experiment_pick(run, 3, 6, 20);
                trial_plan trial_plan = {.model = "null",
                                         .ps = (int)experiment_pick(run, 1, 2, 16),
                                         .workers = worker_counts[w],
                                         .sync = true,
                                         .bytes = size->bytes,
                                         .steps = size->bytes > 1000000 ? large : small,
                                         .transports = transport == GRPC ? "grpc" : "shm,grpc"};
                experiment_case *experiment_case =
                    experiment_add(run, &trial_plan, "%s, %d worker%s, %s", size->label,
                                   trial_plan.workers, trial_plan.workers > 1 ? "s" : "",
                                   transport == GRPC ? "gRPC" : "shared memory");
                experiment_case->group = transport;
                experiment_case->timeline =
                    transport == GRPC && size->bytes == shown && w == (shown > 1000000);
                if (trial_plan.workers == 1)
                    experiment_case->published[0] = size->published_one;
            }
}

static const char *size_label(long bytes)
{
    for (int i = 0; i < SIZES; i++)
        if (sizes[i].bytes == bytes)
            return sizes[i].label;
    return "";
}

static void present(experiment_run *run)
{
    static const char *const transports[] = {"gRPC", "shared memory"};
    weir_report_section(run->report, "Results");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "A step fetches every parameter and sends an update of the "
                          "same size; all workers' updates are averaged. Published "
                          "with 16 parameter servers on machines of their own. Cases "
                          "that this host has no memory for are left out.");
    experiment_columns(table, WEIR_COLUMN_TEXT,
                       (const char *const[]){"parameters", "transport", NULL});
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"workers", "step|ms", "quartiles|ms", "|ms", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "step", "ms");
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"moved|MB/s", "CPU a step|ms", "ps memory|MB", NULL});
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        weir_table_text(table, "%s", size_label(experiment_case->plan.bytes));
        weir_table_text(table, "%s", transports[experiment_case->group]);
        EXPERIMENT_NUMBERS(table, (double)experiment_case->plan.workers, trial->median_ms,
                           trial->low_ms, trial->high_ms, experiment_case->published[0],
                           experiment_mb(2.0 * (double)experiment_case->plan.bytes *
                                         experiment_case->plan.workers * trial->steps_per_s),
                           trial_tasks_use(trial, -1, WEIR_CPU_SECONDS).mean / trial->steps_per_s *
                               1e3,
                           experiment_mb(trial_job_uses(trial, true, WEIR_MEMORY_BYTES).peak));
    }
    weir_figure *figure =
        weir_report_figure(run->report, "steps", WEIR_LINES,
                           "Median null step over workers. Published: 100 MB, 147 ms "
                           "with 1 worker to 613 ms with 100; 1 GB, 1.01 s to 7.16 s.",
                           "workers");
    weir_figure_log(figure, false, true);
    weir_panel panel = weir_figure_panel(figure, "Step", "ms");
    for (int i = 0; i < SIZES; i++)
        for (int transport = GRPC; transport <= SHARED_MEMORY; transport++) {
            weir_series line = -1;
            char name[48];
            snprintf(name, sizeof name, "%s, %s", sizes[i].label, transports[transport]);
            for (size_t k = 0; k < run->cases.count; k++) {
                const experiment_case *experiment_case = &run->cases.at[k];
                if (experiment_case->group != transport ||
                    experiment_case->plan.bytes != sizes[i].bytes)
                    continue;
                line =
                    line < 0 ? weir_figure_series(figure, panel, name, WEIR_SERIES_MARKERS) : line;
                weir_figure_point(figure, line, experiment_case->plan.workers,
                                  experiment_case->result.median_ms);
            }
        }
}

const experiment experiment_null = {
    .name = "null",
    .title = "Null steps over model sizes and workers",
    .about = "Synchronous workers that fetch all parameters and send an update of the same size, "
             "with no work between: what the runtime and the network cost a step.",
    .compare =
        "Published, with 16 parameter servers: a step of 100 MB took 147 ms with one worker "
        "and 613 ms with a hundred, one of 1 GB 1.01 s and 7.16 s: time grows with the bytes, "
        "and far slower than the number of workers.",
    .plan = plan,
    .present = present,
};
