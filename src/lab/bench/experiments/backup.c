/* lab/bench/experiments/backup.c - backup workers against a straggler. */
#include <math.h>

#include "lab/bench/experiment.h"

enum { WORKERS = 4 };

static void plan(experiment_run *x)
{
    for (int slow = 0; slow < 2; slow++)
        for (int backups = 0; backups < 3; backups++) {
            if (x->options->scale == SCALE_TINY && backups == 2)
                continue;
            trial_plan p = {.model = "logreg",
                            .ps = 1,
                            .workers = WORKERS,
                            .layout = "PS-W-W-W-W",
                            .sync = true,
                            .aggregate = WORKERS - backups,
                            .batch = 100,
                            .steps = experiment_pick(x, 12, 250, 2000),
                            .roads = "grpc",
                            .straggle_ms = slow ? 20 : 0};
            experiment_case *c =
                experiment_add(x, &p, "%d backup%s%s", backups, backups == 1 ? "" : "s",
                               slow ? ", one straggler" : "");
            c->group = slow;
            c->timeline = slow && backups < 2;
        }
}

static const trial *without_backups(const experiment_run *x, int slow)
{
    for (size_t i = 0; i < x->cases.count; i++)
        if (x->cases.at[i].group == slow)
            return &x->cases.at[i].result;
    return NULL;
}

/* Global steps, the chief's view: a straggler's own steps are slow by design. */
static double step_ms(const trial *r)
{
    return 1e3 / r->steps_per_s;
}

static void present(experiment_run *x)
{
    weir_report_section(x->report, "Results");
    weir_table *t =
        weir_report_table(x->report, "results",
                          "Four synchronous workers; with k backups an update takes the "
                          "first 4 - k gradients and drops the rest. The straggler "
                          "waits 20 ms before each of its steps.");
    experiment_columns(t, WEIR_COLUMN_TEXT, (const char *const[]){"straggler", "run", NULL});
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"gradients|per update", "step|ms", "gain|%", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "gain", "%, about");
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"steps|1/s", "gain for gradients|%", "loss", NULL});
    weir_figure *f =
        weir_report_figure(x->report, "steps", WEIR_BARS,
                           "Time of a global step with and without a straggler.", "backup workers");
    weir_panel panel = weir_figure_panel(f, "Step", "ms");
    weir_series lines[2] = {weir_figure_series(f, panel, "no straggler", 0),
                            weir_figure_series(f, panel, "one straggler", 0)};
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result, *base = without_backups(x, c->group);
        int backups = WORKERS - c->plan.aggregate;
        double gain = 1 - step_ms(r) / step_ms(base);
        weir_table_text(t, "%s", c->group ? "one" : "none");
        weir_table_text(t, "%s", c->label);
        EXPERIMENT_NUMBERS(
            t, (double)c->plan.aggregate, step_ms(r), gain * 100, backups && !c->group ? 10.0 : NAN,
            r->steps_per_s,
            (r->steps_per_s * c->plan.aggregate / (base->steps_per_s * WORKERS) - 1) * 100,
            r->loss);
        if (!c->group)
            weir_figure_category(f, "%d", backups);
        weir_figure_point(f, lines[c->group], backups, step_ms(r));
    }
}

const experiment experiment_backup = {
    .name = "backup",
    .title = "Backup workers against a straggler",
    .about =
        "Synchronous training by four workers, of which none, one or two are backups: an update "
        "takes the first gradients that arrive. Once as it comes, once with a worker that is "
        "made slow.",
    .compare = "Published for Inception-v3 on 50 workers: step time falls with each of a few spare "
               "workers, and by resources spent the gain is about 10 % in all. With one straggler, "
               "the first backup should take away nearly all of what it costs.",
    .plan = plan,
    .present = present,
};
