/* lab/bench/experiments/softmax.c - a language model with full and with sampled softmax. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"

enum { SEQUENCE = 20 }; /* words of an example */

static const struct cluster {
    int ps, workers;
    const char *layout;
} clusters[] = {{0, 1, NULL}, {1, 1, "PS-W"}, {1, 2, "PS-W-W"}, {2, 2, "PS-PS-W-W"}};
enum { CLUSTERS = sizeof clusters / sizeof *clusters };

static void plan(experiment_run *x)
{
    static const char *const models[] = {"lstm_full", "lstm_sampled"};
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < CLUSTERS; i++) {
            const struct cluster *k = &clusters[i];
            if (x->options->scale == SCALE_TINY && i > 1)
                continue;
            trial_plan p = {.model = models[m],
                            .ps = k->ps,
                            .workers = k->workers,
                            .layout = k->layout,
                            .batch = experiment_pick(x, 4, 20, 20),
                            .classes = experiment_pick(x, 500, 0, 0),
                            .steps = experiment_pick(x, 2, 12, 100),
                            .roads = "grpc"};
            experiment_case *c =
                experiment_add(x, &p, "%s, %d ps, %d worker%s", m ? "sampled" : "full", k->ps,
                               k->workers, k->workers > 1 ? "s" : "");
            c->group = m;
            c->timeline = i == CLUSTERS - 1 || (x->options->scale == SCALE_TINY && i == 1);
        }
}

static double words_per_s(const trial *r)
{
    return r->examples_per_s * SEQUENCE;
}

/* The full model's case that the sampled one at |i| is compared with. */
static const trial *full_of(const experiment_run *x, size_t i)
{
    return &x->cases.at[i % (x->cases.count / 2)].result;
}

static void present(experiment_run *x)
{
    weir_report_section(x->report, "Results");
    weir_table *t = weir_report_table(x->report, "results",
                                      "One layer of LSTM-512-512, 20 steps unrolled, 10,000 words; "
                                      "sampled softmax draws some of them.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "softmax", NULL);
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"ps", "workers", "words|1/s", "of full|times",
                                             "step|ms", "loss", "ps CPU|%", "workers' CPU|%",
                                             "traffic|MB/s", NULL});
    weir_figure *f = weir_report_figure(x->report, "words", WEIR_BARS, "Words a second.",
                                        "parameter servers and workers");
    weir_panel panel = weir_figure_panel(f, "Words", "1/s");
    weir_series lines[2] = {weir_figure_series(f, panel, "full softmax", 0),
                            weir_figure_series(f, panel, "sampled softmax", 0)};
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        weir_table_text(t, "%s", c->group ? "sampled" : "full");
        EXPERIMENT_NUMBERS(t, (double)c->plan.ps, (double)c->plan.workers, words_per_s(r),
                           words_per_s(r) / words_per_s(full_of(x, i)), r->median_ms, r->loss,
                           trial_job_uses(r, true, WEIR_CPU_SECONDS).mean * 100,
                           trial_job_uses(r, false, WEIR_CPU_SECONDS).mean * 100,
                           experiment_mb(trial_traffic(r, WEIR_NET_IN)));
        if (!c->group)
            weir_figure_category(f, c->plan.ps ? "%d ps, %d worker%s" : "alone", c->plan.ps,
                                 c->plan.workers, c->plan.workers > 1 ? "s" : "");
        weir_figure_point(f, lines[c->group], (double)(i % (x->cases.count / 2)), words_per_s(r));
    }
}

const experiment experiment_softmax = {
    .name = "softmax",
    .title = "Full against sampled softmax",
    .about = "Asynchronous training of a language model, LSTM-512-512 over 10,000 words, with the "
             "full softmax and with sampled softmax, over parameter servers and workers.",
    .compare = "Published as plots of words a second over parameter servers and workers: sampled "
               "softmax raises the rate at any number of tasks, for it moves and multiplies a part "
               "of the last layer only; with the full softmax more parameter servers help more "
               "than more workers.",
    .plan = plan,
    .present = present,
};
