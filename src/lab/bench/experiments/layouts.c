/* lab/bench/experiments/layouts.c - two models x model size x data size x layout. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"

enum { ONE_MACHINE, PS_W_W, PW_W, PW_PW, LAYOUTS };

static const struct layout {
    const char *label, *layout;
    int ps, workers;
} layouts[LAYOUTS] = {
    {"one machine", NULL, 0, 1},
    {"PS-W-W", "PS-W-W", 1, 2},
    {"PW-W", "PW-W", 1, 2},
    {"PW-PW", "PW-PW", 2, 2},
};

static const struct model {
    const char *title, *name;
    bool large;
    long steps[3]; /* by scale; doubled for the enlarged data */
} models[] = {
    {"AutoEncoder", "autoencoder_small", false, {4, 80, 2000}},
    {"AutoEncoder", "autoencoder_large", true, {4, 40, 2000}},
    {"Spatial Transformer", "stn_small", false, {2, 12, 500}},
    {"Spatial Transformer", "stn_large", true, {2, 12, 500}},
};
enum { MODELS = sizeof models / sizeof *models };

/* The index of a case in planning order. */
static size_t place(int model, int enlarged, int layout)
{
    return (size_t)((model * 2 + enlarged) * LAYOUTS + layout);
}

static void plan(experiment_run *run)
{
    for (int m = 0; m < MODELS; m++)
        for (int enlarged = 0; enlarged < 2; enlarged++)
            for (int i = 0; i < LAYOUTS; i++) {
                const struct layout *layout = &layouts[i];
                trial_plan trial_plan = {.model = models[m].name,
                                         .ps = layout->ps,
                                         .workers = layout->workers,
                                         .layout = layout->layout,
                                         .batch = experiment_pick(run, 10, 50, 100),
                                         .steps =
                                             models[m].steps[run->options->scale] * (1 + enlarged),
                                         .transports = "grpc"};
                experiment_case *experiment_case =
                    experiment_add(run, &trial_plan, "%s %s, %s data, %s", models[m].title,
                                   models[m].large ? "large" : "small",
                                   enlarged ? "enlarged" : "original", layout->label);
                experiment_case->group = m;
                experiment_case->beside = !enlarged;
                experiment_case->timeline = models[m].large && enlarged && layout->layout &&
                                            (run->options->scale != SCALE_TINY || i == PS_W_W);
            }
}

/* ---- measures of a case ---------------------------------------------------------------------- */

static double worker_cpu(const trial *trial)
{
    return trial_job_uses(trial, false, WEIR_CPU_SECONDS).mean / trial->plan.workers * 100;
}

static double ps_cpu(const trial *trial)
{
    return trial->plan.ps ? trial_job_uses(trial, true, WEIR_CPU_SECONDS).mean * 100 : NAN;
}

static double net_peak(const trial *trial, weir_quantity quantity)
{
    double sum = 0;
    for (int i = 0; trial->simulated && i < trial->machine_count; i++)
        sum += experiment_mb(trial_net(trial, trial->eth[i], quantity).peak);
    return trial->simulated ? sum : NAN;
}

static double network(const trial *trial)
{
    return trial->plan.ps ? experiment_mb(trial_traffic(trial, WEIR_NET_IN)) : NAN;
}

static double step_bytes(const trial *trial)
{
    return trial->plan.ps ? trial_traffic(trial, WEIR_NET_IN) / trial->steps_per_s : NAN;
}

static double loopback(const trial *trial)
{
    double sum = 0;
    for (int i = 0; i < trial->machine_count; i++)
        sum += experiment_mb(trial_net(trial, trial->lo[i], WEIR_NET_IN).mean);
    return sum;
}

static double time_of(const trial *trial)
{
    return trial->seconds;
}

static double loss_of(const trial *trial)
{
    return trial->loss;
}

/* The chief's CPU time relative to worker 1's. */
static double chief_share(const trial *trial)
{
    if (trial->plan.workers < 2)
        return NAN;
    double of[2];
    for (int i = 0; i < 2; i++)
        of[i] = weir_sampler_summary(trial->sampler, trial->tasks[trial->plan.ps + i].source,
                                     WEIR_CPU_SECONDS, trial->from_ns, trial->to_ns)
                    .total;
    return of[0] / of[1];
}

/* ---- findings -------------------------------------------------------------------------------- */

typedef double (*measure)(const trial *trial);

/* The geometric mean of a measure's ratio between cases that differ in one parameter. */
typedef struct ratio {
    double logs;
    int count;
} ratio;

static void add_ratio(ratio *ratio, double above, double below)
{
    if (above > 0 && below > 0 && isfinite(above) && isfinite(below)) {
        ratio->logs += log(above / below);
        ratio->count++;
    }
}

static double mean_ratio(const ratio *ratio)
{
    return ratio->count ? exp(ratio->logs / ratio->count) : NAN;
}

static const trial *at(const experiment_run *run, int model, int enlarged, int layout)
{
    return &run->cases.at[place(model, enlarged, layout)].result;
}

/* Findings for one of the two kinds of model: from |first|, small and large. */
static double by_data(const experiment_run *run, int first, measure of)
{
    ratio ratio = {0};
    for (int m = first; m < first + 2; m++)
        for (int i = PS_W_W; i < LAYOUTS; i++)
            add_ratio(&ratio, of(at(run, m, 1, i)), of(at(run, m, 0, i)));
    return mean_ratio(&ratio);
}

static double by_model(const experiment_run *run, int first, measure of)
{
    ratio ratio = {0};
    for (int e = 0; e < 2; e++)
        for (int i = PS_W_W; i < LAYOUTS; i++)
            add_ratio(&ratio, of(at(run, first + 1, e, i)), of(at(run, first, e, i)));
    return mean_ratio(&ratio);
}

static double by_layout(const experiment_run *run, int first, measure of, int above, int below)
{
    ratio ratio = {0};
    for (int m = first; m < first + 2; m++)
        for (int e = 0; e < 2; e++)
            add_ratio(&ratio, of(at(run, m, e, above)), of(at(run, m, e, below)));
    return mean_ratio(&ratio);
}

static double chief_over_other(const experiment_run *run, int first)
{
    ratio ratio = {0};
    for (int m = first; m < first + 2; m++)
        for (int e = 0; e < 2; e++)
            for (int i = PS_W_W; i < LAYOUTS; i++)
                add_ratio(&ratio, chief_share(at(run, m, e, i)), 1);
    return mean_ratio(&ratio);
}

static void present_findings(experiment_run *run)
{
    enum { BY_DATA, BY_MODEL, BY_LAYOUT, CHIEF };
    const struct {
        const char *what, *published;
        int by;
        measure of;
        int above, below; /* layouts */
    } findings[] = {
        {"time, enlarged over original data", "longer", BY_DATA, time_of},
        {"worker CPU, enlarged over original data", "as it is", BY_DATA, worker_cpu},
        {"ps CPU, large over small model", "higher", BY_MODEL, ps_cpu},
        {"bytes of a step, large over small model", "higher", BY_MODEL, step_bytes},
        {"loss, large over small model", "lower", BY_MODEL, loss_of},
        {"network, PS-W-W over PW-W", "heaviest", BY_LAYOUT, network, PS_W_W, PW_W},
        {"worker CPU, PS-W-W over PW-W", "lowest", BY_LAYOUT, worker_cpu, PS_W_W, PW_W},
        {"time, PW-W over PS-W-W", "quickest", BY_LAYOUT, time_of, PW_W, PS_W_W},
        {"time, PW-W over PW-PW", "quickest", BY_LAYOUT, time_of, PW_W, PW_PW},
        {"CPU, chief over other worker", "a little busier", CHIEF, NULL},
    };
    weir_report_section(run->report, "Findings");
    weir_table *table =
        weir_report_table(run->report, "findings",
                          "Ratios, as geometric means over the cases that differ in "
                          "nothing else; above 1: the first is greater.");
    experiment_columns(table, WEIR_COLUMN_TEXT, (const char *const[]){"ratio", "published", NULL});
    experiment_columns(
        table, WEIR_COLUMN_NUMBER,
        (const char *const[]){"AutoEncoder|times", "Spatial Transformer|times", NULL});
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++) {
        int by = findings[i].by;
        weir_table_text(table, "%s", findings[i].what);
        weir_table_text(table, "%s", findings[i].published);
        for (int first = 0; first < MODELS; first += 2)
            weir_table_number(table, by == BY_DATA    ? by_data(run, first, findings[i].of)
                                     : by == BY_MODEL ? by_model(run, first, findings[i].of)
                                     : by == CHIEF
                                         ? chief_over_other(run, first)
                                         : by_layout(run, first, findings[i].of, findings[i].above,
                                                     findings[i].below));
    }
    weir_report_text(run->report,
                     "The large Spatial Transformer pools after each convolution, so that "
                     "its first dense layer, and with it what a step moves, is smaller "
                     "than the small one's.");
}

/* ---- the report ------------------------------------------------------------------------------ */

static void present_cases(experiment_run *run)
{
    weir_report_section(run->report, "Every run");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "CPU is of one worker and of all parameter servers; network "
                          "is what all machines received, peaks are their sums.");
    experiment_columns(table, WEIR_COLUMN_TEXT,
                       (const char *const[]){"model", "size", "data", "layout", NULL});
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"time|s", "steps|1/s", "loss", "worker CPU|%",
                                             "ps CPU|%", "chief CPU|times other", "memory|MB",
                                             "network|MB/s", "peak in|MB/s", "loopback|MB/s",
                                             "disk written|MB", NULL});
    for (size_t i = 0; i < run->cases.count; i++) {
        const trial *trial = &run->cases.at[i].result;
        const struct model *model = &models[run->cases.at[i].group];
        weir_table_text(table, "%s", model->title);
        weir_table_text(table, "%s", model->large ? "large" : "small");
        weir_table_text(table, "%s", i / LAYOUTS % 2 ? "enlarged" : "original");
        weir_table_text(table, "%s", layouts[i % LAYOUTS].label);
        EXPERIMENT_NUMBERS(table, trial->seconds, trial->steps_per_s, trial->loss,
                           worker_cpu(trial), ps_cpu(trial), chief_share(trial),
                           experiment_mb(trial_tasks_use(trial, -1, WEIR_MEMORY_BYTES).peak),
                           network(trial), net_peak(trial, WEIR_NET_IN), loopback(trial),
                           experiment_mb(trial_tasks_use(trial, -1, WEIR_DISK_WRITTEN).total));
    }
}

static void present_times(experiment_run *run)
{
    weir_figure *figure =
        weir_report_figure(run->report, "times", WEIR_BARS,
                           "Time of the original data, as multiples of PW-W's.", "model");
    weir_panel panel = weir_figure_panel(figure, "Time", "times PW-W");
    for (int i = 0; i < LAYOUTS; i++) {
        weir_series line = weir_figure_series(figure, panel, layouts[i].label, 0);
        for (int m = 0; m < MODELS; m++) {
            if (i == 0)
                weir_figure_category(figure, "%s", models[m].name);
            weir_figure_point(figure, line, m,
                              at(run, m, 0, i)->seconds / at(run, m, 0, PW_W)->seconds);
        }
    }
}

static void present(experiment_run *run)
{
    present_findings(run);
    present_times(run);
    present_cases(run);
}

const experiment experiment_layouts = {
    .name = "layouts",
    .title = "AutoEncoder and Spatial Transformer over model, data and layout",
    .about = "Asynchronous training of two models, each small and large, on original and "
             "enlarged data, with the parameter server on a separate machine (PS-W-W), on the "
             "machine of worker 0 (PW-W), or one on each of two machines (PW-PW); and on a "
             "single machine.",
    .compare = "Published: more data lengthens the run without changing utilisation; a larger "
               "model increases the parameter server's CPU and network peaks and reduces the "
               "loss; PS-W-W has the highest network load and the lowest worker CPU; PW-W is "
               "the fastest; the chief uses slightly more CPU than other workers; loopback "
               "traffic of the pair that shares a machine matters. Memory, disk I/O and "
               "per-step figures, missing from the publication, are given below.",
    .plan = plan,
    .present = present,
};
