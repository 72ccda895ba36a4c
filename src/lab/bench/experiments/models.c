/* lab/bench/experiments/models.c - step times of convolutional models in one process. */
#include <math.h>

#include "lab/bench/experiment.h"

static const struct one {
    const char *model, *title;
    long batch, small_size; /* batch of the quick scale */
    double published;       /* ms, of the system paper on one Titan X */
} all[] = {
    {"alexnet", "AlexNet", 128, 96, 81},          {"overfeat", "OverFeat", 128, 0, 279},
    {"vgg_a", "VGG-A (OxfordNet)", 64, 64, 540},  {"googlenet", "GoogLeNet", 128, 64, 445},
    {"inception_v3", "Inception-v3", 32, 0, NAN},
};
enum { ALL = sizeof all / sizeof *all };

static void plan(experiment_run *run)
{
    for (int i = 0; i < ALL; i++) {
        const struct one *one = &all[i];
        if (run->options->scale == SCALE_TINY && !one->small_size)
            continue;
        trial_plan trial_plan = {.model = one->model,
                                 .workers = 1,
                                 .batch = experiment_pick(run, 2, 4, one->batch),
                                 .size = experiment_pick(run, one->small_size, one->small_size, 0),
                                 .steps = experiment_pick(run, 2, 4, 10)};
        experiment_case *experiment_case = experiment_add(run, &trial_plan, "%s", one->title);
        experiment_case->published[0] = one->published;
        experiment_case->timeline = i == 0;
    }
}

static void present(experiment_run *run)
{
    const experiment_case *first = &run->cases.at[0];
    weir_report_section(run->report, "Results");
    weir_table *table =
        weir_report_table(run->report, "results",
                          "A training step: forward, backward, update. Published: on a "
                          "GPU (Titan X), batches of 128, VGG-A of 64.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "model", NULL);
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"batch", "image side", "step|ms", "quartiles|ms",
                                             "|ms", "images|1/s", NULL});
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "step", "ms");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "step", "times AlexNet's");
    weir_table_column(table, WEIR_COLUMN_PUBLISHED, "step", "times AlexNet's");
    experiment_columns(table, WEIR_COLUMN_NUMBER,
                       (const char *const[]){"CPU|%", "memory|MB", "loss", NULL});
    weir_figure *figure =
        weir_report_figure(run->report, "steps", WEIR_BARS,
                           "Step time for each image, as multiples of AlexNet's.", "model");
    weir_panel panel = weir_figure_panel(figure, "Step for an image", "times AlexNet's");
    weir_series ours = weir_figure_series(figure, panel, "Weir", 0);
    weir_series theirs = weir_figure_series(figure, panel, "published", WEIR_SERIES_PUBLISHED);
    for (size_t i = 0; i < run->cases.count; i++) {
        const experiment_case *experiment_case = &run->cases.at[i];
        const trial *trial = &experiment_case->result;
        double each = trial->median_ms / (double)experiment_case->plan.batch;
        double first_each = first->result.median_ms / (double)first->plan.batch;
        double halved =
            experiment_case->published[0] == 540 ? 2 : 1; /* published with half the batch size */
        weir_table_text(table, "%s", experiment_case->label);
        EXPERIMENT_NUMBERS(
            table, (double)experiment_case->plan.batch,
            experiment_case->plan.size ? (double)experiment_case->plan.size : NAN, trial->median_ms,
            trial->low_ms, trial->high_ms, trial->examples_per_s, experiment_case->published[0],
            trial->median_ms / first->result.median_ms,
            experiment_case->published[0] / first->published[0],
            trial_tasks_use(trial, -1, WEIR_CPU_SECONDS).mean * 100,
            experiment_mb(trial_tasks_use(trial, -1, WEIR_MEMORY_BYTES).peak), trial->loss);
        weir_figure_category(figure, "%s", experiment_case->label);
        weir_figure_point(figure, ours, (double)i, each / first_each);
        weir_figure_point(figure, theirs, (double)i,
                          experiment_case->published[0] * halved / first->published[0]);
    }
}

const experiment experiment_models = {
    .name = "models",
    .title = "Convolutional models in one process",
    .about = "Training steps of AlexNet, OverFeat, VGG-A, GoogLeNet and Inception-v3 on synthetic "
             "images, without a cluster.",
    .compare = "Published on one GPU against other frameworks. Compare the models with each "
               "other: OverFeat, VGG-A and GoogLeNet took 3.4, 6.7 (with half the batch) and "
               "5.5 times as long as AlexNet. Where --quick uses small images, ratios differ.",
    .plan = plan,
    .present = present,
};
