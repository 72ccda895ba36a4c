/* lab/bench/experiments/null.c - null steps: the cost of transferring the parameters. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "lab/bench/cost.h"
#include "lab/bench/experiment.h"

enum { GRPC, SHARED_MEMORY, FITTED, HELD_BACK }; /* by transport; and for the cost model */

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
enum { SIZES = sizeof sizes / sizeof *sizes, TENSORFLOW_BYTES = 100000000 /* at most */ };

static const int worker_counts[] = {1, 2, 4, 8};

/* Whether the parameters, gradients, sums and messages in flight of all tasks fit on this host. */
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

/* Runs for the cost model: more servers and workers than the host has CPUs. */
static const struct model_run {
    int ps, workers;
    long bytes;
    bool held_back;
} model_runs[] = {
    {1, 1, 64, false},       {1, 1, 1000000, false},   {1, 4, 64, false},
    {1, 4, 1000000, false},  {4, 1, 64, false},        {4, 4, 64, false},
    {4, 4, 1000000, false},  {4, 8, 64, false},        {1, 8, 1000000, false},
    {2, 2, 10000000, false}, {4, 4, 10000000, false},  {1, 32, 64, false},
    {16, 1, 64, false},      {16, 8, 64, false},       {16, 32, 64, false},
    {4, 32, 1000000, false}, {16, 8, 10000000, false}, {2, 6, 300000, true},
    {3, 3, 3000000, true},   {4, 6, 64, true},         {8, 24, 64, true},
    {12, 16, 1000000, true}, {16, 24, 300000, true},
};
enum { MODEL_RUNS = sizeof model_runs / sizeof *model_runs };

static void plan_model(experiment_run *run)
{
    if (run->options->scale == SCALE_TINY)
        return;
    for (int i = 0; i < MODEL_RUNS; i++) {
        const struct model_run *point = &model_runs[i];
        long steps = 3000 / (point->workers * point->ps +
                             10 * (1 + point->workers * point->bytes / 4000000));
        trial_plan plan = {.model = "null",
                           .ps = point->ps,
                           .workers = point->workers,
                           .sync = true,
                           .bytes = point->bytes,
                           .steps = steps < 20 ? 20 : steps,
                           .threads = 1,
                           .transports = "grpc"};
        experiment_case *added = experiment_add(run, &plan, "model: %d x %d, %ld bytes", plan.ps,
                                                plan.workers, plan.bytes);
        added->group = point->held_back ? HELD_BACK : FITTED;
    }
}

static void plan(experiment_run *run)
{
    long shown = experiment_pick(run, 1000000, 100000000, 100000000); /* also plotted over time */
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
                experiment_case->beside =
                    transport == GRPC && trial_plan.workers <= 2 && size->bytes <= TENSORFLOW_BYTES;
                experiment_case->timeline =
                    transport == GRPC && size->bytes == shown && w == (shown > 1000000);
                if (trial_plan.workers == 1)
                    experiment_case->published[0] = size->published_one;
            }
    plan_model(run);
}

static const char *size_label(long bytes)
{
    for (int i = 0; i < SIZES; i++)
        if (sizes[i].bytes == bytes)
            return sizes[i].label;
    return "";
}

/* ---- the cost model of a step ---------------------------------------------------------------- */

/* Fitted quantities: the step, and the CPU time of its servers and workers. */
enum { STEP_MS, SERVERS_MS, WORKERS_MS, MODELLED };

static double measured(const experiment_case *of, int what)
{
    const trial *trial = &of->result;
    if (what == STEP_MS)
        return trial->median_ms;
    double per_s = trial_job_uses(trial, what == SERVERS_MS, WEIR_CPU_SECONDS).mean;
    return fmax(per_s / trial->steps_per_s * 1e3, 1e-3);
}

static cost_point point_of(const experiment_case *of, int what)
{
    return cost_of_step(of->plan.ps, of->plan.workers, (double)of->plan.bytes, measured(of, what));
}

static cost_model fit(const experiment_run *run, int what)
{
    cost_point points[MODEL_RUNS];
    size_t count = 0;
    for (size_t i = 0; i < run->cases.count && count < MODEL_RUNS; i++)
        if (run->cases.at[i].group == FITTED)
            points[count++] = point_of(&run->cases.at[i], what);
    return cost_fit(points, count);
}

/* A step with a machine per task, each with one such CPU, and links of |mbit|: a worker's work, in
 * parallel with the computing or sending of the busiest server. */
static double own_machines_ms(const cost_model *models, int ps, int workers, double bytes,
                              double mbit)
{
    cost_point point = cost_of_step(ps, workers, bytes, 1);
    double server = cost_predict(&models[SERVERS_MS], &point) / ps;
    double worker = cost_predict(&models[WORKERS_MS], &point) / workers;
    double wire = 2 * bytes * 8e-3 / mbit * fmax(1, (double)workers / ps);
    return worker + fmax(server, wire);
}

static void present_points(experiment_run *run, const cost_model *models)
{
    static const char *const titles[] = {
        "servers", "workers", "parameters|MB", "step|ms", "predicted|ms", "error|%", NULL};
    char about[512];
    const double *of_each = models[STEP_MS].of;
    snprintf(about, sizeof about,
             "Steps on this host, and what the model says of them: %.3f ms, and %.4f for each "
             "server, %.4f for each worker, %.4f for each of both together, %.3f for each MB of "
             "parameters, %.3f for each MB that a worker fetches and sends, and %.3f more for each "
             "beyond 8. Points that were held back are not in the fit.",
             of_each[0], of_each[1], of_each[2], of_each[3], of_each[4], of_each[5], of_each[6]);
    weir_table *table = weir_report_table(run->report, "model", about);
    experiment_columns(table, WEIR_COLUMN_TEXT, (const char *const[]){"in the fit", NULL});
    experiment_columns(table, WEIR_COLUMN_NUMBER, titles);
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *of = &run->cases.at[i];
        if (of->group < FITTED)
            continue;
        cost_point point = point_of(of, STEP_MS);
        double said = cost_predict(&models[STEP_MS], &point);
        weir_table_text(table, "%s", of->group == FITTED ? "yes" : "held back");
        EXPERIMENT_NUMBERS(table, (double)of->plan.ps, (double)of->plan.workers,
                           (double)of->plan.bytes * 1e-6, point.value, said,
                           100 * (said / point.value - 1));
    }
}

static void present_curve(experiment_run *run, const cost_model *models)
{
    static const struct curve {
        const char *name;
        double bytes, one, hundred; /* published, ms */
    } curves[] = {{"100 MB", 1e8, 147, 613}, {"1 GB", 1e9, 1010, 7160}};
    static const int workers[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
    weir_figure *figure = weir_report_figure(
        run->report, "scale", WEIR_LINES,
        "The model with 16 parameter servers, every task on a machine of its own with one such "
        "processor, links of 10 Gbit/s; beside it what was published.",
        "workers");
    weir_figure_log(figure, true, true);
    weir_panel panel = weir_figure_panel(figure, "Step", "ms");
    for (int i = 0; i < 2; i++) {
        char name[48];
        snprintf(name, sizeof name, "%s, model", curves[i].name);
        weir_series line = weir_figure_series(figure, panel, name, 0);
        for (size_t k = 0; k < sizeof workers / sizeof *workers; k++)
            weir_figure_point(figure, line, workers[k],
                              own_machines_ms(models, 16, workers[k], curves[i].bytes, 10000));
        snprintf(name, sizeof name, "%s, published", curves[i].name);
        line = weir_figure_series(figure, panel, name, WEIR_SERIES_PUBLISHED);
        weir_figure_point(figure, line, 1, curves[i].one);
        weir_figure_point(figure, line, 100, curves[i].hundred);
    }
}

static void present_model(experiment_run *run)
{
    cost_model models[MODELLED];
    if (run->options->scale == SCALE_TINY)
        return;
    for (int what = 0; what < MODELLED; what++)
        models[what] = fit(run, what);
    weir_report_section(run->report, "A model of the step's cost");
    present_points(run, models);
    present_curve(run, models);
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
        if (experiment_case->group > SHARED_MEMORY)
            continue;
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
    present_model(run);
}

const experiment experiment_null = {
    .name = "null",
    .title = "Null steps over model sizes and workers",
    .about = "Synchronous workers fetch all parameters and send an update of the same size, "
             "without computation: the cost of the runtime and the network per step.",
    .compare =
        "Published, with 16 parameter servers: a step of 100 MB took 147 ms with one worker and "
        "613 ms with a hundred, one of 1 GB 1.01 s and 7.16 s: time grows with the bytes, and "
        "far more slowly than the number of workers.",
    .plan = plan,
    .present = present,
};
