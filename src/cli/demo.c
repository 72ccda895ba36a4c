/* cli/demo.c - weir demo: trains one model with one worker, then with two; the speed-up. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/demo_rows.h"
#include "cli/train/show.h"
#include "cli/train/train.h"
#include "command/terminal.h"
#include "io/file.h"
#include "lab/report/report.h"

/* Location of the files of Debian's dataset-fashion-mnist. */
static const char fashion[] = "/usr/share/datasets/fashion-mnist";

typedef struct demo_options {
    const char *model, *data, *out;
    long steps, workers;
    int format;
} demo_options;

enum { POINT_MS = 500 };

/* ---- measurements ---------------------------------------------------------------------------- */

/* A sample during a run. */
typedef struct moment {
    double seconds, loss, examples_per_s;
} moment;

typedef struct run {
    int workers;
    train_show *show;
    WEIR_VEC(moment) moments;
    train_sum sum;
} run;

static void on_event(void *arg, const train_event *event)
{
    run *run = arg;
    train_show_event(run->show, event);
    double last = run->moments.count ? run->moments.at[run->moments.count - 1].seconds : -1;
    if (event->kind != TRAIN_STEP || event->seconds - last < POINT_MS / 1e3)
        return;
    moment moment = {.seconds = event->seconds};
    train_show_now(run->show, &moment.loss, &moment.examples_per_s);
    weir_vec_push(&run->moments, moment);
}

/* The same training with |workers| workers: they split each batch, and the mean gradient is
 * applied. Not WEIR_EXIT_OK if the options conflict. */
static int choose_options(const demo_options *options, int workers, train_options *out)
{
    train_plan plan;
    *out = *(const train_options *)weir_command_train.defaults;
    out->model = options->model;
    int status = train_plan_make(out, 1, &plan);
    if (status)
        return status;
    out->batch = plan.batch > workers ? plan.batch / workers : 1;
    out->mode = workers > 1 ? TRAIN_SYNC : TRAIN_ASYNC;
    return WEIR_EXIT_OK;
}

static int measure(const demo_options *demo_options, run *run)
{
    train_options options;
    char title[32];
    int status = choose_options(demo_options, run->workers, &options);
    if (status)
        return status;
    options.data = demo_options->data;
    options.steps = demo_options->steps;
    options.ps = 1;
    options.workers = run->workers;
    options.threads = 1;
    options.eval = "end";
    snprintf(title, sizeof title, "%d worker%s", run->workers, run->workers > 1 ? "s" : "");
    run->show =
        train_show_create(&(train_show_options){.workers = run->workers,
                                                .title = title,
                                                .quiet = run->workers > 1 || demo_options->format});
    status = train_local(&options, &(train_listener){on_event, run});
    train_show_drop(run->show);
    train_show_sum(run->show, &run->sum);
    if (status > 128 && !weir_cli_failure()) /* by a signal */
        weir_cli_fail("Its report was not written.",
                      "interrupted after %lld step%s of the run with %s", (long long)run->sum.steps,
                      run->sum.steps == 1 ? "" : "s", title);
    if (status)
        return status;
    if (demo_options->format)
        return WEIR_EXIT_OK;
    WEIR_BUF(time);
    train_show_time(&time, run->sum.seconds);
    printf("%s: %lld steps in %s", title, (long long)run->sum.steps, time.at);
    if (run->sum.accuracy >= 0)
        printf(", test accuracy %.2f %%", run->sum.accuracy * 100);
    printf("\n");
    fflush(stdout);
    return WEIR_EXIT_OK;
}

/* ---- the report ------------------------------------------------------------------------------ */

static weir_table *add_table(weir_report *report, const run *runs, int count)
{
    weir_table *table =
        weir_report_table(report, "speedup",
                          "Every run makes the same steps on as many examples: workers share each "
                          "batch. Each computes "
                          "with one thread, so that two have twice the processors of one.");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "workers", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "threads of each", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "time", "s");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "rate", "examples/s");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "speed-up", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "test accuracy", "%");
    for (int i = 0; i < count; i++) {
        const train_sum *sum = &runs[i].sum;
        weir_table_number(table, runs[i].workers);
        weir_table_number(table, 1);
        weir_table_number(table, sum->seconds);
        weir_table_number(table, sum->examples ? sum->examples_per_s : NAN);
        weir_table_number(table, runs[0].sum.seconds / sum->seconds);
        weir_table_number(table, sum->accuracy >= 0 ? sum->accuracy * 100 : NAN);
    }
    return table;
}

static void add_figure(weir_report *report, const run *runs, int count)
{
    weir_figure *figure =
        weir_report_figure(report, "steps", WEIR_LINES,
                           "The loss, and how many examples a second all workers of a "
                           "run took together.",
                           "time, s");
    weir_panel loss = weir_figure_panel(figure, "Loss", NULL);
    weir_panel rate = weir_figure_panel(figure, "Rate", "examples/s");
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d worker%s", runs[i].workers, runs[i].workers > 1 ? "s" : "");
        weir_series losses = weir_figure_series(figure, loss, name, 0);
        weir_series rates = weir_figure_series(figure, rate, name, 0);
        for (size_t k = 0; k < runs[i].moments.count; k++) {
            const moment *moment = &runs[i].moments.at[k];
            weir_figure_point(figure, losses, moment->seconds, moment->loss);
            weir_figure_point(figure, rates, moment->seconds, moment->examples_per_s);
        }
    }
}

/* The same figures in machine-readable form. */
static void print_runs(const demo_options *options, const run *runs, int count)
{
    demo_rows rows = {.model = options->model, .data = options->data, .report = options->out};
    for (int i = 0; i < count; i++)
        rows.at[rows.count++] = (demo_row){
            .workers = runs[i].workers,
            .steps = runs[i].sum.steps,
            .seconds = runs[i].sum.seconds,
            .examples_per_s = runs[i].sum.examples_per_s,
            .accuracy = runs[i].sum.accuracy,
        };
    demo_rows_print(&rows, options->format);
}

/* The minimum test accuracy of each model after a number of steps. */
static const struct {
    const char *data, *model;
    long steps;
    double accuracy;
} known[] = {
    {fashion, "mnist_cnn", 300, 0.80},  {"digits", "mnist_cnn", 300, 0.90},
    {"digits", "mnist_cnn", 100, 0.70}, {fashion, "logreg", 200, 0.65},
    {"digits", "logreg", 200, 0.45},
};

/* Below 0: unknown. */
static double expected_accuracy(const demo_options *options)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(options->data, known[i].data) == 0 &&
            strcmp(options->model, known[i].model) == 0 && options->steps >= known[i].steps)
            return known[i].accuracy;
    return -1;
}

/* Reports whether every run reached the expected accuracy. */
static int judge(const demo_options *options, const run *runs, int count)
{
    double expected = expected_accuracy(options), least = 1;
    if (expected < 0)
        return WEIR_EXIT_OK;
    for (int i = 0; i < count; i++)
        least = fmin(least, runs[i].sum.accuracy);
    if (least < expected)
        return weir_cli_fail("'weir doctor' looks for what is wrong with the machine.",
                             "the accuracy is %.2f %%; it should be at least %.0f %%", least * 100,
                             expected * 100);
    if (!options->format)
        printf("The accuracy is what it should be: at least %.0f %%.\n", expected * 100);
    return WEIR_EXIT_OK;
}

static int report(const demo_options *options, const run *runs, int count)
{
    weir_report *report = weir_report_new("What a second worker gains",
                                          "One model, trained over one parameter server");
    WEIR_BUF(table);
    weir_report_fact(report, "Model", "%s", options->model);
    weir_report_fact(report, "Data", "%s", options->data);
    weir_report_fact(report, "Repeats",
                     "each row is one run of %ld steps; runs of seconds differ by several percent",
                     options->steps);
    weir_report_machine(report);
    weir_table *t = add_table(report, runs, count);
    add_figure(report, runs, count);
    weir_table_print(t, weir_terminal_columns(stdout), &table);
    if (!options->format)
        printf("\n%s\n", table.at ? table.at : "");
    weir_status status = weir_report_write(report, options->out);
    weir_report_destroy(report);
    if (status)
        return weir_cli_fail_status("--out takes a folder that can be written.", status);
    if (!options->format)
        printf("Report: %s/report.html\n", options->out);
    else
        print_runs(options, runs, count);
    return judge(options, runs, count);
}

/* ---- entry point ----------------------------------------------------------------------------- */

/* 1, 2, then 4, 8... up to the number itself. */
static int choose_runs(long workers, run *runs)
{
    int count = 0;
    for (int n = 1; n < workers; n *= 2)
        runs[count++].workers = n;
    runs[count++].workers = (int)workers;
    return count;
}

static void choose_data(demo_options *options)
{
    if (options->data)
        return;
    bool there = weir_path_is_dir(fashion);
    options->data = there ? fashion : "digits";
    if (!there && !options->format)
        printf("Fashion-MNIST is not installed (apt-get install dataset-fashion-mnist): the model "
               "learns digits that are drawn here instead.\n");
}

static int demo(void *args, int argc, char **argv)
{
    demo_options *options = args;
    run runs[DEMO_MOST_RUNS] = {0};
    (void)argc, (void)argv;
    if (options->workers > DEMO_MOST_RUNS)
        return weir_cli_misuse("demo", "--workers goes up to %d", DEMO_MOST_RUNS);
    int count = choose_runs(options->workers, runs);
    int status = weir_cli_check_folder("--out", options->out);
    if (!status)
        choose_data(options);
    for (int i = 0; i < count && !status; i++)
        status = measure(options, &runs[i]);
    if (!status)
        status = report(options, runs, count);
    for (int i = 0; i < count; i++) {
        train_show_destroy(runs[i].show);
        weir_vec_fini(&runs[i].moments);
    }
    return status;
}

static const weir_option options[] = {
    {"data", 'd', "DIR", "training data (default: Debian's Fashion-MNIST, or 'digits')",
     WEIR_TEXT(demo_options, data), .hint = WEIR_HINT_FOLDER},
    {"model", 0, "NAME", "model to train", WEIR_TEXT(demo_options, model), .hint = WEIR_HINT_MODEL},
    {"steps", 's', "N", "batches per run", WEIR_NUMBER(demo_options, steps)},
    {"workers", 'n', "N", "workers of the second run; the first has one",
     WEIR_NUMBER(demo_options, workers)},
    {"out", 0, "DIR", "folder for the report", WEIR_TEXT(demo_options, out),
     .hint = WEIR_HINT_FOLDER},
    {"output", 'o', "FORMAT", "output format", WEIR_CHOICE(demo_options, format, "table|json|csv")},
};

const weir_command weir_command_demo = {
    .name = "demo",
    .summary = "train a model with one worker, then two, and compare",
    .about = "Trains a convolutional network to classify images of clothing, with one parameter "
             "server and one worker, then with two workers that share each batch; every task is "
             "a process with one thread. Shows the training progress and the speed-up by the "
             "second worker, and writes a report with plots.\n\n"
             "  weir demo --data synthetic --model logreg --steps 200",
    WEIR_OPTIONS(options),
    WEIR_ARGS(demo_options, .model = "mnist_cnn", .steps = 300, .workers = 2, .out = "weir-demo"),
    .run = demo,
};
