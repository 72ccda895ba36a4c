/* lab/bench/beside.c - the cases of an experiment also run on TensorFlow, compared with Weir's. */
#include <math.h>

#include "lab/bench/experiment_impl.h"

static double steps_per_s(const trial *trial)
{
    return trial->steps_per_s;
}

static double step_ms(const trial *trial)
{
    return trial->median_ms;
}

static double cpu_ms(const trial *trial)
{
    double used = trial_tasks_use(trial, -1, WEIR_CPU_SECONDS).total;
    return used > 0 ? used * 1e3 / (double)trial->steps : NAN; /* too short to be measured */
}

static double memory_mb(const trial *trial)
{
    return experiment_mb(trial_tasks_use(trial, -1, WEIR_MEMORY_BYTES).peak);
}

static double start_s(const trial *trial)
{
    return trial->start_s;
}

static double loss(const trial *trial)
{
    return trial->loss;
}

/* The compared quantities: one column for Weir and one for TensorFlow each. */
static const struct pair {
    const char *title, *unit;
    double (*of)(const trial *trial);
} pairs[] = {
    {"steps", "1/s", steps_per_s},     {"step", "ms", step_ms}, {"CPU a step", "ms", cpu_ms},
    {"whole memory", "MB", memory_mb}, {"start", "s", start_s}, {"loss", NULL, loss},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

static bool ran(const experiment_case *experiment_case)
{
    return experiment_case->tensorflow.steps > 0;
}

static void add_row(weir_table *table, const experiment_case *experiment_case)
{
    const trial *ours = &experiment_case->result, *theirs = &experiment_case->tensorflow;
    weir_table_text(table, "%s", experiment_case->label);
    for (int i = 0; i < PAIRS; i++) {
        weir_table_number(table, pairs[i].of(ours));
        weir_table_number(table, ran(experiment_case) ? pairs[i].of(theirs) : NAN);
    }
    weir_table_number(table, ran(experiment_case) ? ours->steps_per_s / theirs->steps_per_s : NAN);
}

static bool any_beside(const experiment_run *run)
{
    for (size_t i = 0; i < run->cases.count; i++)
        if (run->cases.at[i].beside)
            return true;
    return false;
}

void experiment_beside(experiment_run *run)
{
    const experiment_options *options = run->options;
    if (!options->tensorflow || !any_beside(run))
        return;
    weir_report_section(run->report, "TensorFlow on the same machines");
    weir_report_text(
        run->report,
        "TensorFlow %s ran chosen runs right after Weir: the same graph, placed alike, "
        "on the same machines, over gRPC, by one Python process a task. It is fed "
        "batches that were read before, the first 32 MB of them again and again, while "
        "Weir reads as it goes. So a loss is comparable where no batch came twice; in one "
        "process TensorFlow may change a variable that gradients still read.",
        options->tensorflow_version);
    weir_table *table = weir_report_table(run->report, "tensorflow",
                                          "Weir and TensorFlow; CPU and memory are of all tasks "
                                          "together.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "run", NULL);
    for (int i = 0; i < PAIRS; i++) {
        weir_table_column(table, WEIR_COLUMN_NUMBER, pairs[i].title, pairs[i].unit);
        weir_table_column(table, WEIR_COLUMN_TENSORFLOW, pairs[i].title, pairs[i].unit);
    }
    weir_table_column(table, WEIR_COLUMN_NUMBER, "by TensorFlow's", "steps 1/s");
    for (size_t i = 0; i < run->cases.count; i++)
        if (run->cases.at[i].beside)
            add_row(table, &run->cases.at[i]);
    for (size_t i = 0; i < run->cases.count; i++)
        if (run->cases.at[i].why_not)
            weir_report_note(run->report, "TensorFlow's run of '%s' failed: %s",
                             run->cases.at[i].label, run->cases.at[i].why_not);
}

weir_status experiment_run_beside(experiment_run *run, experiment_case *this_case,
                                  const char *label)
{
    experiment_options *options = run->options;
    trial_plan plan = this_case->plan;
    if (!this_case->beside || !options->tensorflow)
        return WEIR_OK;
    WEIR_BUF(named);
    weir_buf_addf(&named, "%s, TensorFlow", label);
    plan.tensorflow = options->tensorflow;
    plan.test = 0;
    weir_status status = trial_run(&options->field, &plan, named.at, &this_case->tensorflow);
    if (!status || options->field.interrupted)
        return status;
    this_case->tensorflow.steps = 0; /* the others are still usable */
    this_case->why_not = weir_strdup(weir_status_message(status));
    weir_status_free(status);
    return WEIR_OK;
}
