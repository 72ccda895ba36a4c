/* lab/bench/experiments/models.c - step times of convolutional models in one process. */
#include <math.h>

#include "lab/bench/experiment.h"

static const struct one {
    const char *model, *title;
    long batch, small_size; /* images of the quick form */
    double published;       /* ms, of the system paper on one Titan X */
} all[] = {
    {"alexnet", "AlexNet", 128, 96, 81},          {"overfeat", "OverFeat", 128, 0, 279},
    {"vgg_a", "VGG-A (OxfordNet)", 64, 64, 540},  {"googlenet", "GoogLeNet", 128, 64, 445},
    {"inception_v3", "Inception-v3", 32, 0, NAN},
};
enum { ALL = sizeof all / sizeof *all };

static void plan(experiment_run *x)
{
    for (int i = 0; i < ALL; i++) {
        const struct one *m = &all[i];
        if (x->options->scale == SCALE_TINY && !m->small_size)
            continue;
        trial_plan p = {.model = m->model,
                        .workers = 1,
                        .batch = experiment_pick(x, 2, 4, m->batch),
                        .size = experiment_pick(x, m->small_size, m->small_size, 0),
                        .steps = experiment_pick(x, 2, 4, 10)};
        experiment_case *c = experiment_add(x, &p, "%s", m->title);
        c->published[0] = m->published;
        c->timeline = i == 0;
    }
}

static void present(experiment_run *x)
{
    const experiment_case *first = &x->cases.at[0];
    weir_report_section(x->report, "Results");
    weir_table *t = weir_report_table(x->report, "results",
                                      "A training step: forward, backward, update. Published: on a "
                                      "GPU (Titan X), batches of 128, VGG-A of 64.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "model", NULL);
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"batch", "image side", "step|ms", "quartiles|ms",
                                             "|ms", "images|1/s", NULL});
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "step", "ms");
    weir_table_column(t, WEIR_COLUMN_NUMBER, "step", "times AlexNet's");
    weir_table_column(t, WEIR_COLUMN_PUBLISHED, "step", "times AlexNet's");
    experiment_columns(t, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"CPU|%", "memory|MB", "loss", NULL});
    weir_figure *f =
        weir_report_figure(x->report, "steps", WEIR_BARS,
                           "Step time for each image, as multiples of AlexNet's.", "model");
    weir_panel panel = weir_figure_panel(f, "Step for an image", "times AlexNet's");
    weir_series ours = weir_figure_series(f, panel, "Weir", 0);
    weir_series theirs = weir_figure_series(f, panel, "published", WEIR_SERIES_PUBLISHED);
    for (size_t i = 0; i < x->cases.count; i++) {
        const experiment_case *c = &x->cases.at[i];
        const trial *r = &c->result;
        double each = r->median_ms / (double)c->plan.batch;
        double first_each = first->result.median_ms / (double)first->plan.batch;
        double halved = c->published[0] == 540 ? 2 : 1; /* published with half the batch */
        weir_table_text(t, "%s", c->label);
        EXPERIMENT_NUMBERS(t, (double)c->plan.batch, c->plan.size ? (double)c->plan.size : NAN,
                           r->median_ms, r->low_ms, r->high_ms, r->examples_per_s, c->published[0],
                           r->median_ms / first->result.median_ms,
                           c->published[0] / first->published[0],
                           trial_tasks_use(r, -1, WEIR_CPU_SECONDS).mean * 100,
                           experiment_mb(trial_tasks_use(r, -1, WEIR_MEMORY_BYTES).peak), r->loss);
        weir_figure_category(f, "%s", c->label);
        weir_figure_point(f, ours, (double)i, each / first_each);
        weir_figure_point(f, theirs, (double)i, c->published[0] * halved / first->published[0]);
    }
}

const experiment experiment_models = {
    .name = "models",
    .title = "Convolutional models in one process",
    .about = "Training steps of AlexNet, OverFeat, VGG-A, GoogLeNet and Inception-v3 on synthetic "
             "images, without a cluster.",
    .compare = "Published on one GPU against other frameworks. Compare the models with each other: "
               "OverFeat, VGG-A and GoogLeNet took 3.4, 6.7 (with half the batch) and 5.5 times as "
               "long as AlexNet. Where the quick form takes small images, ratios differ.",
    .plan = plan,
    .present = present,
};
