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

/* Where a case stands: the order in which they are planned. */
static size_t place(int model, int enlarged, int layout)
{
    return (size_t)((model * 2 + enlarged) * LAYOUTS + layout);
}

static void plan(experiment_run *x)
{
    for (int m = 0; m < MODELS; m++)
        for (int enlarged = 0; enlarged < 2; enlarged++)
            for (int i = 0; i < LAYOUTS; i++) {
                const struct layout *l = &layouts[i];
                trial_plan p = {.model = models[m].name,
                                .ps = l->ps,
                                .workers = l->workers,
                                .layout = l->layout,
                                .batch = experiment_pick(x, 10, 50, 100),
                                .steps = models[m].steps[x->options->scale] * (1 + enlarged),
                                .roads = "grpc"};
                experiment_case *c = experiment_add(x, &p, "%s %s, %s data, %s", models[m].title,
                                                    models[m].large ? "large" : "small",
                                                    enlarged ? "enlarged" : "original", l->label);
                c->group = m;
                c->timeline = models[m].large && enlarged && l->layout &&
                              (x->options->scale != SCALE_TINY || i == PS_W_W);
            }
}

/* ---- measures of a case --------------------------------------------------------------------- */

static double worker_cpu(const trial *r)
{
    return trial_job_uses(r, false, WEIR_CPU_SECONDS).mean / r->plan.workers * 100;
}

static double ps_cpu(const trial *r)
{
    return r->plan.ps ? trial_job_uses(r, true, WEIR_CPU_SECONDS).mean * 100 : NAN;
}

static double net_peak(const trial *r, weir_quantity q)
{
    double sum = 0;
    for (int i = 0; r->simulated && i < r->machine_count; i++)
        sum += experiment_mb(trial_net(r, r->eth[i], q).peak);
    return r->simulated ? sum : NAN;
}

static double network(const trial *r)
{
    return r->plan.ps ? experiment_mb(trial_traffic(r, WEIR_NET_IN)) : NAN;
}

static double step_bytes(const trial *r)
{
    return r->plan.ps ? trial_traffic(r, WEIR_NET_IN) / r->steps_per_s : NAN;
}

static double loopback(const trial *r)
{
    double sum = 0;
    for (int i = 0; i < r->machine_count; i++)
        sum += experiment_mb(trial_net(r, r->lo[i], WEIR_NET_IN).mean);
    return sum;
}

static double time_of(const trial *r)
{
    return r->seconds;
}

static double loss_of(const trial *r)
{
    return r->loss;
}

/* The chief's CPU time against worker 1's. */
static double chief_share(const trial *r)
{
    if (r->plan.workers < 2)
        return NAN;
    double of[2];
    for (int i = 0; i < 2; i++)
        of[i] = weir_sampler_summary(r->sampler, r->tasks[r->plan.ps + i].source, WEIR_CPU_SECONDS,
                                     r->from_ns, r->to_ns)
                    .total;
    return of[0] / of[1];
}

/* ---- findings ------------------------------------------------------------------------------- */

typedef double (*measure)(const trial *r);

/* The geometric mean of a measure's ratio between cases that differ in one thing. */
typedef struct ratio {
    double logs;
    int count;
} ratio;

static void add_ratio(ratio *r, double above, double below)
{
    if (above > 0 && below > 0 && isfinite(above) && isfinite(below)) {
        r->logs += log(above / below);
        r->count++;
    }
}

static double mean_ratio(const ratio *r)
{
    return r->count ? exp(r->logs / r->count) : NAN;
}

static const trial *at(const experiment_run *x, int model, int enlarged, int layout)
{
    return &x->cases.at[place(model, enlarged, layout)].result;
}

/* Findings are of one of the two kinds of model: from |first|, small and large. */
static double by_data(const experiment_run *x, int first, measure of)
{
    ratio r = {0};
    for (int m = first; m < first + 2; m++)
        for (int i = PS_W_W; i < LAYOUTS; i++)
            add_ratio(&r, of(at(x, m, 1, i)), of(at(x, m, 0, i)));
    return mean_ratio(&r);
}

static double by_model(const experiment_run *x, int first, measure of)
{
    ratio r = {0};
    for (int e = 0; e < 2; e++)
        for (int i = PS_W_W; i < LAYOUTS; i++)
            add_ratio(&r, of(at(x, first + 1, e, i)), of(at(x, first, e, i)));
    return mean_ratio(&r);
}

static double by_layout(const experiment_run *x, int first, measure of, int above, int below)
{
    ratio r = {0};
    for (int m = first; m < first + 2; m++)
        for (int e = 0; e < 2; e++)
            add_ratio(&r, of(at(x, m, e, above)), of(at(x, m, e, below)));
    return mean_ratio(&r);
}

static double chief_over_other(const experiment_run *x, int first)
{
    ratio r = {0};
    for (int m = first; m < first + 2; m++)
        for (int e = 0; e < 2; e++)
            for (int i = PS_W_W; i < LAYOUTS; i++)
                add_ratio(&r, chief_share(at(x, m, e, i)), 1);
    return mean_ratio(&r);
}

static void present_findings(experiment_run *x)
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
    weir_report_section(x->report, "Findings");
    weir_table *t = weir_report_table(x->report, "findings",
                                      "Ratios, as geometric means over the cases that differ in "
                                      "nothing else; above 1: the first is greater.");
    experiment_columns(t, WEIR_COLUMN_TEXT, (const char *const[]){"ratio", "published", NULL});
    experiment_columns(
        t, WEIR_COLUMN_NUMBER,
        (const char *const[]){"AutoEncoder|times", "Spatial Transformer|times", NULL});
    for (size_t i = 0; i < sizeof findings / sizeof *findings; i++) {
        int by = findings[i].by;
        weir_table_text(t, "%s", findings[i].what);
        weir_table_text(t, "%s", findings[i].published);
        for (int first = 0; first < MODELS; first += 2)
            weir_table_number(t, by == BY_DATA    ? by_data(x, first, findings[i].of)
                                 : by == BY_MODEL ? by_model(x, first, findings[i].of)
                                 : by == CHIEF    ? chief_over_other(x, first)
                                                  : by_layout(x, first, findings[i].of,
                                                              findings[i].above, findings[i].below));
    }
    weir_report_text(x->report,
                     "The large Spatial Transformer pools after each convolution, so that "
                     "its first dense layer, and with it what a step moves, is smaller "
                     "than the small one's.");
}

/* ---- the report ----------------------------------------------------------------------------- */

static void present_cases(experiment_run *x)
{
    weir_report_section(x->report, "Every run");
    weir_table *t = weir_report_table(x->report, "results",
                                      "CPU is of one worker and of all parameter servers; network "
                                      "is what all machines received, peaks are their sums.");
    experiment_columns(t, WEIR_COLUMN_TEXT,
                       (const char *const[]){"model", "size", "data", "layout", NULL});
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"time|s", "steps|1/s", "loss", "worker CPU|%",
                                             "ps CPU|%", "chief CPU|times other", "memory|MB",
                                             "network|MB/s", "peak in|MB/s", "loopback|MB/s",
                                             "disk written|MB", NULL});
    for (size_t i = 0; i < x->cases.count; i++) {
        const trial *r = &x->cases.at[i].result;
        const struct model *m = &models[x->cases.at[i].group];
        weir_table_text(t, "%s", m->title);
        weir_table_text(t, "%s", m->large ? "large" : "small");
        weir_table_text(t, "%s", i / LAYOUTS % 2 ? "enlarged" : "original");
        weir_table_text(t, "%s", layouts[i % LAYOUTS].label);
        EXPERIMENT_NUMBERS(t, r->seconds, r->steps_per_s, r->loss, worker_cpu(r), ps_cpu(r),
                           chief_share(r),
                           experiment_mb(trial_tasks_use(r, -1, WEIR_MEMORY_BYTES).peak),
                           network(r), net_peak(r, WEIR_NET_IN), loopback(r),
                           experiment_mb(trial_tasks_use(r, -1, WEIR_DISK_WRITTEN).total));
    }
}

static void present_times(experiment_run *x)
{
    weir_figure *f =
        weir_report_figure(x->report, "times", WEIR_BARS,
                           "Time of the original data, as multiples of PW-W's.", "model");
    weir_panel panel = weir_figure_panel(f, "Time", "times PW-W");
    for (int i = 0; i < LAYOUTS; i++) {
        weir_series line = weir_figure_series(f, panel, layouts[i].label, 0);
        for (int m = 0; m < MODELS; m++) {
            if (i == 0)
                weir_figure_category(f, "%s", models[m].name);
            weir_figure_point(f, line, m, at(x, m, 0, i)->seconds / at(x, m, 0, PW_W)->seconds);
        }
    }
}

static void present(experiment_run *x)
{
    present_findings(x);
    present_times(x);
    present_cases(x);
}

const experiment experiment_layouts = {
    .name = "layouts",
    .title = "AutoEncoder and Spatial Transformer over model, data and layout",
    .about = "Asynchronous training of two models, each small and large, on original and enlarged "
             "data, with the parameter server on a machine of its own (PS-W-W), beside worker 0 "
             "(PW-W), or one on each of two machines (PW-PW); and one machine alone.",
    .compare = "Published: more data lengthens the run and leaves utilisation as it is; a larger "
               "model raises the parameter server's CPU and network peaks and lowers the loss; "
               "PS-W-W has the heaviest network load and the lowest worker CPU; PW-W is the "
               "quickest; the chief is a little busier than other workers; loopback traffic of the "
               "pair that shares a machine matters. Wished for were memory and disk I/O, and "
               "figures step by step: they are below.",
    .plan = plan,
    .present = present,
};
