/* lab/bench/experiment.c - runs an experiment's trials and writes its report. */
#include "lab/bench/experiment_impl.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "command/progress.h"
#include "io/file.h"

enum { USUAL_MBIT = 1000 };

/* Where Debian's dataset-fashion-mnist puts its files. */
static const char fashion[] = "/usr/share/datasets/fashion-mnist";

static const experiment *const experiments[] = {
#define BENCH_EXPERIMENT(name) &experiment_##name,
#include "lab/bench/experiments.inc"
#undef BENCH_EXPERIMENT
};

int experiment_count(void)
{
    return sizeof experiments / sizeof *experiments;
}

const experiment *experiment_at(int i)
{
    return experiments[i];
}

const experiment *experiment_find(const char *name)
{
    for (int i = 0; i < experiment_count(); i++)
        if (strcmp(experiments[i]->name, name) == 0)
            return experiments[i];
    return NULL;
}

/* ---- planning -------------------------------------------------------------------------------- */

long experiment_pick(const experiment_run *run, long tiny, long quick, long full)
{
    return (long[]){tiny, quick, full}[run->options->scale];
}

experiment_case *experiment_add(experiment_run *run, const trial_plan *plan, const char *fmt, ...)
{
    experiment_case experiment_case = {.plan = *plan};
    va_list args;
    va_start(args, fmt);
    vsnprintf(experiment_case.label, sizeof experiment_case.label, fmt, args);
    va_end(args);
    for (int i = 0; i < EXPERIMENT_PUBLISHED; i++)
        experiment_case.published[i] = NAN;
    if (run->options->data && !experiment_case.plan.data)
        experiment_case.plan.data = run->options->data;
    if (!experiment_case.plan.data && run->options->scale != SCALE_TINY)
        experiment_case.plan.test = 0; /* there is nothing to learn from random data */
    if (run->options->transports && !experiment_case.plan.transports)
        experiment_case.plan.transports = run->options->transports;
    weir_vec_push(&run->cases, experiment_case);
    return &run->cases.at[run->cases.count - 1];
}

/* ---- tables ---------------------------------------------------------------------------------- */

void experiment_columns(weir_table *table, weir_column_kind kind, const char *const *titles)
{
    for (; *titles; titles++) {
        char title[64];
        const char *bar = strchr(*titles, '|');
        snprintf(title, sizeof title, "%.*s", bar ? (int)(bar - *titles) : 63, *titles);
        weir_table_column(table, kind, title, bar ? bar + 1 : NULL);
    }
}

void experiment_numbers(weir_table *table, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        weir_table_number(table, values[i]);
}

double experiment_mb(double bytes)
{
    return bytes * 1e-6;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void say_how(experiment_run *run, const char *command)
{
    static const char *const scales[] = {"a tiny part, to see that it runs",
                                         "quick: fewer and smaller steps than published", "full"};
    const experiment_options *options = run->options;
    weir_report *report = run->report;
    weir_report_fact(report, "Command", "%s", command);
    weir_report_fact(report, "Scale", "%s", scales[options->scale]);
    weir_report_fact(report, "Data", "%s", options->data ? options->data : "synthetic");
    weir_report_fact(report, "Repeats",
                     "each row is one run; a step's time is the median of its steps, the spread "
                     "their quartiles (JSON: low_ms, high_ms)");
    if (options->tensorflow)
        weir_report_fact(report, "TensorFlow", "version %s", options->tensorflow_version);
    weir_report_machine(report);
}

/* Adds the limitations of this run. */
static void say_limits(experiment_run *run)
{
    const trial_field *field = &run->options->field;
    bool wanted = false, shared = false;
    int most = 1;
    for (size_t i = 0; i < run->cases.count; i++) {
        const trial *trial = &run->cases.at[i].result;
        wanted = wanted || trial->machine_count > 1;
        shared = shared || trial->shared_processors;
        most = trial->machine_count > most ? trial->machine_count : most;
    }
    if (!wanted)
        return;
    if (field->plain)
        weir_report_note(run->report, "Machines were not simulated (--plain): all tasks are plain "
                                      "processes of one host and share its loopback.");
    else if (field->refused)
        weir_report_note(run->report,
                         "Machines could not be simulated: %s. All tasks ran as plain processes of "
                         "one host, share its loopback, and network figures are those of it.",
                         field->why);
    else
        weir_report_text(run->report,
                         "Machines are simulated: each has a network namespace of its own, joined "
                         "to the others through a switch, and processors of its own%s.",
                         shared ? " as far as there are any" : "");
    if (!field->plain && !field->refused)
        weir_report_fact(run->report, "Network",
                         "%g Mbit/s out of each simulated machine, %g ms of "
                         "delay",
                         field->link.mbit, field->lacked_delay ? 0 : field->link.delay_ms);
    if (shared)
        weir_report_note(run->report,
                         "There are fewer processors than the %d machines of the "
                         "largest layout: machines share them, and speed-ups end where "
                         "the processors do.",
                         most);
    if (field->lacked_delay)
        weir_report_note(run->report,
                         "This kernel has no netem: there was no delay between machines.");
}

static void present(experiment_run *run, const char *command)
{
    run->report = weir_report_new(run->of->title, run->of->about);
    say_how(run, command);
    weir_report_section(run->report, "What to compare");
    weir_report_text(run->report, "%s", run->of->compare);
    weir_report_text(run->report, "Published figures are of other machines and of TensorFlow 1.x: "
                                  "compare shapes, ratios and orders, not seconds.");
    say_limits(run);
    run->of->present(run);
    experiment_beside(run);
    bool first = true;
    for (size_t i = 0; i < run->cases.count; i++) {
        if (!run->cases.at[i].timeline)
            continue;
        if (first)
            weir_report_section(run->report, "Over time");
        first = false;
        experiment_timeline(run, &run->cases.at[i]);
    }
}

/* ---- entry point ----------------------------------------------------------------------------- */

/* The trial that receives signals between trials, so that the program ends in an orderly way. */
static trial_field *watched;

static void note_signal(int number)
{
    watched->interrupted = number;
}

static void take_signals(trial_field *field)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    watched = field;
    for (int i = 0; i < 3; i++)
        sigaction(numbers[i], &act, NULL);
}

static weir_status run_cases(experiment_run *run)
{
    take_signals(&run->options->field);
    for (size_t i = 0; i < run->cases.count; i++) {
        experiment_case *experiment_case = &run->cases.at[i];
        char label[EXPERIMENT_LABEL + 64];
        snprintf(label, sizeof label, "%zu/%zu %s", i + 1, run->cases.count,
                 experiment_case->label);
        if (run->options->steps)
            experiment_case->plan.steps = run->options->steps;
        WEIR_TRY(trial_run(&run->options->field, &experiment_case->plan, label,
                           &experiment_case->result));
        WEIR_TRY(experiment_run_beside(run, experiment_case, label));
    }
    return WEIR_OK;
}

/* Fills in defaults. */
static void fill_in(const experiment *experiment, experiment_options *options)
{
    if (experiment->digits && !options->data && options->scale != SCALE_TINY &&
        weir_path_is_dir(fashion))
        options->data = fashion;
    if (!(options->field.link.mbit > 0))
        options->field.link.mbit = experiment->mbit > 0 ? experiment->mbit : USUAL_MBIT;
}

static void print_report(const weir_report *report, experiment_options *options)
{
    WEIR_BUF(text);
    weir_report_print(report, options->format, &text);
    printf("%s%s%s", options->before, text.at ? text.at : "", options->format ? "" : "\n");
    options->printed = true;
}

static void free_case(experiment_case *experiment_case)
{
    trial_fini(&experiment_case->result);
    trial_fini(&experiment_case->tensorflow);
    weir_free(experiment_case->why_not);
}

weir_status experiment_do(const experiment *experiment, experiment_options *options,
                          const char *command, const char *folder)
{
    fill_in(experiment, options);
    experiment_run run = {.of = experiment, .options = options};
    experiment->plan(&run);
    weir_status status = run_cases(&run);
    if (!status) {
        present(&run, command);
        print_report(run.report, options);
        status = weir_report_write(run.report, folder);
    }
    for (size_t i = 0; i < run.cases.count; i++)
        free_case(&run.cases.at[i]);
    weir_vec_fini(&run.cases);
    weir_report_destroy(run.report);
    return status;
}
