/* lab/bench/experiments/backup.c - backup workers against a straggler. */
#include <math.h>

#include "lab/bench/experiment.h"

enum { WORKERS = 4 };

static void plan(experiment_run *run)
{
    for (int slow = 0; slow < 2; slow++)
        for (int backups = 0; backups < 3; backups++) {
            if (run->options->scale == SCALE_TINY && backups == 2)
                continue;
            trial_plan trial_plan = {.model = "logreg",
                                     .ps = 1,
                                     .workers = WORKERS,
                                     .layout = "PS-W-W-W-W",
                                     .sync = true,
                                     .aggregate = WORKERS - backups,
                                     .batch = 100,
                                     .steps = experiment_pick(run, 12, 250, 2000),
                                     .transports = "grpc",
                                     .straggle_ms = slow ? 20 : 0};
            experiment_case *experiment_case =
                experiment_add(run, &trial_plan, "%d backup%s%s", backups, backups == 1 ? "" : "s",
                               slow ? ", one straggler" : "");
            experiment_case->group = slow;
            experiment_case->timeline = slow && backups < 2;
            experiment_case->beside = true;
        }
}

static const trial *without_backups(const experiment_run *run, int slow)
{
    for (size_t i = 0; i < run->cases.count; i++)
        if (run->cases.at[i].group == slow)
            return &run->cases.at[i].result;
    return NULL;
}

/* Global steps as seen by the chief: a straggler's own steps are slow by design. */
static double step_ms(const trial *trial)
{
    return 1e3 / trial->steps_per_s;
}

static void present(experiment_run *run)
{
    weir_report_section(run->report, "Results");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "Four synchronous workers; with k backups an update takes the "
                          "first 4 - k gradients and drops the rest. The straggler "
                          "waits 20 ms before each of its steps.");
    experiment_columns(table, WEIR_COLUMN_TEXT, (const char *const[]){"straggler", "run", NULL});
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"gradients|per update", "step|ms", "gain|%", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "gain", "%, about");
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"steps|1/s", "gain for gradients|%", "loss", NULL});
    weir_figure *figure =
        weir_report_figure(run->report, "steps", WEIR_BARS,
                           "Time of a global step with and without a straggler.", "backup workers");
    weir_panel panel = weir_figure_panel(figure, "Step", "ms");
    weir_series lines[2] = {weir_figure_series(figure, panel, "no straggler", 0),
                            weir_figure_series(figure, panel, "one straggler", 0)};
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result,
                    *base = without_backups(run, experiment_case->group);
        int backups = WORKERS - experiment_case->plan.aggregate;
        double gain = 1 - step_ms(trial) / step_ms(base);
        weir_table_text(table, "%s", experiment_case->group ? "one" : "none");
        weir_table_text(table, "%s", experiment_case->label);
        EXPERIMENT_NUMBERS(
            table, (double)experiment_case->plan.aggregate, step_ms(trial), gain * 100,
            backups && !experiment_case->group ? 10.0 : NAN, trial->steps_per_s,
            (trial->steps_per_s * experiment_case->plan.aggregate / (base->steps_per_s * WORKERS) -
             1) *
                100,
            trial->loss);
        if (!experiment_case->group)
            weir_figure_category(figure, "%d", backups);
        weir_figure_point(figure, lines[experiment_case->group], backups, step_ms(trial));
    }
}

const experiment experiment_backup = {
    .name = "backup",
    .title = "Backup workers against a straggler",
    .about =
        "Synchronous training by four workers, of which none, one or two are backups: an update "
        "uses the first gradients that arrive. One run is undisturbed, in another one worker is "
        "slowed down.",
    .compare = "Published for Inception-v3 on 50 workers: step time decreases with each of a "
               "few spare workers; relative to the resources used the gain is about 10 %. With "
               "one straggler, the first backup should remove nearly all of the slowdown.",
    .plan = plan,
    .present = present,
};
