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
static bool fits(const struct size *s, int workers)
{
    double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (double)s->bytes * (3.0 * workers + 4) < 0.7 * memory;
}

static bool chosen(const experiment_run *x, const struct size *s, int workers)
{
    if (!fits(s, workers))
        return false;
    if (x->options->scale == SCALE_FULL)
        return true;
    return !s->full_only && workers <= (x->options->scale == SCALE_TINY ? 1 : 4) &&
           !(x->options->scale == SCALE_TINY && s->bytes > 1000000);
}

static void plan(experiment_run *x)
{
    long shown = experiment_pick(x, 1000000, 100000000, 100000000); /* over time, too */
    for (int road = GRPC; road <= SHARED_MEMORY; road++)
        for (int i = 0; i < SIZES; i++)
            for (int w = 0; w < 4; w++) {
                const struct size *s = &sizes[i];
                if (!chosen(x, s, worker_counts[w]))
                    continue;
                long small = experiment_pick(x, 5, 200, 1000), large = experiment_pick(x, 3, 6, 20);
                trial_plan p = {.model = "null",
                                .ps = (int)experiment_pick(x, 1, 2, 16),
                                .workers = worker_counts[w],
                                .sync = true,
                                .bytes = s->bytes,
                                .steps = s->bytes > 1000000 ? large : small,
                                .roads = road == GRPC ? "grpc" : "shm,grpc"};
                experiment_case *c = experiment_add(x, &p, "%s, %d worker%s, %s", s->label,
                                                    p.workers, p.workers > 1 ? "s" : "",
                                                    road == GRPC ? "gRPC" : "shared memory");
                c->group = road;
                c->timeline = road == GRPC && s->bytes == shown && w == (shown > 1000000);
                if (p.workers == 1)
                    c->published[0] = s->published_one;
            }
}

static const char *size_label(long bytes)
{
    for (int i = 0; i < SIZES; i++)
        if (sizes[i].bytes == bytes)
            return sizes[i].label;
    return "";
}

static void present(experiment_run *x)
{
    static const char *const roads[] = {"gRPC", "shared memory"};
    weir_report_section(x->report, "Results");
    weir_table *t = weir_report_table(x->report, "results",
                                      "A step fetches every parameter and sends an update of the "
                                      "same size; all workers' updates are averaged. Published "
                                      "with 16 parameter servers on machines of their own. Cases "
                                      "that this host has no memory for are left out.");
    experiment_columns(t, WEIR_COLUMN_TEXT, (const char *const[]){"parameters", "road", NULL});
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"workers", "step|ms", "quartiles|ms", "|ms", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "step", "ms");
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"moved|MB/s", "CPU a step|ms", "ps memory|MB", NULL});
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        weir_table_text(t, "%s", size_label(c->plan.bytes));
        weir_table_text(t, "%s", roads[c->group]);
        EXPERIMENT_NUMBERS(
            t, (double)c->plan.workers, r->median_ms, r->low_ms, r->high_ms, c->published[0],
            experiment_mb(2.0 * (double)c->plan.bytes * c->plan.workers * r->steps_per_s),
            trial_tasks_use(r, -1, WEIR_CPU_SECONDS).mean / r->steps_per_s * 1e3,
            experiment_mb(trial_job_uses(r, true, WEIR_MEMORY_BYTES).peak));
    }
    weir_figure *f = weir_report_figure(x->report, "steps", WEIR_LINES,
                                        "Median null step over workers. Published: 100 MB, 147 ms "
                                        "with 1 worker to 613 ms with 100; 1 GB, 1.01 s to 7.16 s.",
                                        "workers");
    weir_figure_log(f, false, true);
    weir_panel panel = weir_figure_panel(f, "Step", "ms");
    for (int i = 0; i < SIZES; i++)
        for (int road = GRPC; road <= SHARED_MEMORY; road++) {
            weir_series line = -1;
            char name[48];
            snprintf(name, sizeof name, "%s, %s", sizes[i].label, roads[road]);
            for (size_t k = 0; k < x->cases.count; k++) {
                const experiment_case *c = &x->cases.at[k];
                if (c->group != road || c->plan.bytes != sizes[i].bytes)
                    continue;
                line = line < 0 ? weir_figure_series(f, panel, name, WEIR_SERIES_MARKERS) : line;
                weir_figure_point(f, line, c->plan.workers, c->result.median_ms);
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
