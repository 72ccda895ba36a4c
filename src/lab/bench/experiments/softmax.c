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

static void plan(experiment_run *run)
{
    static const char *const models[] = {"lstm_full", "lstm_sampled"};
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < CLUSTERS; i++) {
            const struct cluster *cluster = &clusters[i];
            if (run->options->scale == SCALE_TINY && i > 1)
                continue;
            trial_plan trial_plan = {.model = models[m],
                                     .ps = cluster->ps,
                                     .workers = cluster->workers,
                                     .layout = cluster->layout,
                                     .batch = experiment_pick(run, 4, 20, 20),
                                     .classes = experiment_pick(run, 500, 0, 0),
                                     .steps = experiment_pick(run, 2, 12, 100),
                                     .transports = "grpc"};
            experiment_case *experiment_case =
                experiment_add(run, &trial_plan, "%s, %d ps, %d worker%s", m ? "sampled" : "full",
                               cluster->ps, cluster->workers, cluster->workers > 1 ? "s" : "");
            experiment_case->group = m;
            experiment_case->beside = cluster->workers <= 2;
            experiment_case->timeline =
                i == CLUSTERS - 1 || (run->options->scale == SCALE_TINY && i == 1);
        }
}

static double words_per_s(const trial *trial)
{
    return trial->examples_per_s * SEQUENCE;
}

/* The case of the full model to compare with the sampled one at |i|. */
static const trial *full_of(const experiment_run *run, size_t i)
{
    return &run->cases.at[i % (run->cases.count / 2)].result;
}

static void present(experiment_run *run)
{
    weir_report_section(run->report, "Results");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "One layer of LSTM-512-512, 20 steps unrolled, 10,000 words; "
                          "sampled softmax draws some of them.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "softmax", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"ps", "workers", "words|1/s", "of full|times",
                                             "step|ms", "loss", "ps CPU|%", "workers' CPU|%",
                                             "traffic|MB/s", NULL});
    weir_figure *figure = weir_report_figure(run->report, "words", WEIR_BARS, "Words a second.",
                                             "parameter servers and workers");
    weir_panel panel = weir_figure_panel(figure, "Words", "1/s");
    weir_series lines[2] = {weir_figure_series(figure, panel, "full softmax", 0),
                            weir_figure_series(figure, panel, "sampled softmax", 0)};
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        weir_table_text(table, "%s", experiment_case->group ? "sampled" : "full");
        EXPERIMENT_NUMBERS(table, (double)experiment_case->plan.ps,
                           (double)experiment_case->plan.workers, words_per_s(trial),
                           words_per_s(trial) / words_per_s(full_of(run, i)), trial->median_ms,
                           trial->loss, trial_job_uses(trial, true, WEIR_CPU_SECONDS).mean * 100,
                           trial_job_uses(trial, false, WEIR_CPU_SECONDS).mean * 100,
                           experiment_mb(trial_traffic(trial, WEIR_NET_IN)));
        if (!experiment_case->group)
            weir_figure_category(figure, experiment_case->plan.ps ? "%d ps, %d worker%s" : "alone",
                                 experiment_case->plan.ps, experiment_case->plan.workers,
                                 experiment_case->plan.workers > 1 ? "s" : "");
        weir_figure_point(figure, lines[experiment_case->group],
                          (double)(i % (run->cases.count / 2)), words_per_s(trial));
    }
}

const experiment experiment_softmax = {
    .name = "softmax",
    .title = "Full against sampled softmax",
    .about = "Asynchronous training of a language model, LSTM-512-512 over 10,000 words, with the "
             "full softmax and with sampled softmax, over parameter servers and workers.",
    .compare = "Published as plots of words per second over parameter servers and workers: "
               "sampled softmax increases the rate for any number of tasks, because it "
               "transfers and multiplies only a part of the last layer; with the full softmax, "
               "additional parameter servers help more than additional workers.",
    .plan = plan,
    .present = present,
};
