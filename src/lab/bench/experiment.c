/* lab/bench/experiment.c - running an experiment's trials and making its report. */
#include "lab/bench/experiment.h"

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

/* ---- planning ------------------------------------------------------------------------------- */

long experiment_pick(const experiment_run *x, long tiny, long quick, long full)
{
    return (long[]){tiny, quick, full}[x->options->scale];
}

experiment_case *experiment_add(experiment_run *x, const trial_plan *plan, const char *fmt, ...)
{
    experiment_case c = {.plan = *plan};
    va_list args;
    va_start(args, fmt);
    vsnprintf(c.label, sizeof c.label, fmt, args);
    va_end(args);
    for (int i = 0; i < EXPERIMENT_PUBLISHED; i++)
        c.published[i] = NAN;
    if (x->options->data && !c.plan.data)
        c.plan.data = x->options->data;
    if (!c.plan.data && x->options->scale != SCALE_TINY)
        c.plan.test = 0; /* there is nothing to learn from noise */
    if (x->options->roads && !c.plan.roads)
        c.plan.roads = x->options->roads;
    weir_vec_push(&x->cases, c);
    return &x->cases.at[x->cases.count - 1];
}

/* ---- tables --------------------------------------------------------------------------------- */

void experiment_columns(weir_table *t, weir_column_kind kind, const char *const *titles)
{
    for (; *titles; titles++) {
        char title[64];
        const char *bar = strchr(*titles, '|');
        snprintf(title, sizeof title, "%.*s", bar ? (int)(bar - *titles) : 63, *titles);
        weir_table_column(t, kind, title, bar ? bar + 1 : NULL);
    }
}

void experiment_numbers(weir_table *t, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        weir_table_number(t, values[i]);
}

double experiment_mb(double bytes)
{
    return bytes * 1e-6;
}

/* ---- the report ----------------------------------------------------------------------------- */

static void say_how(experiment_run *x, const char *command)
{
    static const char *const scales[] = {"a tiny part, to see that it runs",
                                         "quick: fewer and smaller steps than published", "full"};
    const experiment_options *o = x->options;
    weir_report *r = x->report;
    weir_report_fact(r, "Command", "%s", command);
    weir_report_fact(r, "Scale", "%s", scales[o->scale]);
    weir_report_fact(r, "Data", "%s", o->data ? o->data : "synthetic");
    weir_report_machine(r);
}

/* What this run cannot show. */
static void say_limits(experiment_run *x)
{
    const trial_field *f = &x->options->field;
    bool wanted = false, shared = false;
    int most = 1;
    for (size_t i = 0; i < x->cases.count; i++) {
        const trial *t = &x->cases.at[i].result;
        wanted = wanted || t->machine_count > 1;
        shared = shared || t->shared_processors;
        most = t->machine_count > most ? t->machine_count : most;
    }
    if (!wanted)
        return;
    if (f->plain)
        weir_report_note(x->report, "Machines were not simulated (--plain): all tasks are plain "
                                    "processes of one host and share its loopback.");
    else if (f->refused)
        weir_report_note(x->report,
                         "Machines could not be simulated: %s. All tasks ran as plain processes of "
                         "one host, share its loopback, and network figures are those of it.",
                         f->why);
    else
        weir_report_text(x->report,
                         "Machines are simulated: each has a network namespace of its own, joined "
                         "to the others through a switch, and processors of its own%s.",
                         shared ? " as far as there are any" : "");
    if (!f->plain && !f->refused)
        weir_report_fact(x->report, "Network",
                         "%g Mbit/s out of each simulated machine, %g ms of "
                         "delay",
                         f->link.mbit, f->lacked_delay ? 0 : f->link.delay_ms);
    if (shared)
        weir_report_note(x->report,
                         "There are fewer processors than the %d machines of the "
                         "largest layout: machines share them, and speed-ups end where "
                         "the processors do.",
                         most);
    if (f->lacked_delay)
        weir_report_note(x->report,
                         "This kernel has no netem: there was no delay between machines.");
}

static void present(experiment_run *x, const char *command)
{
    x->report = weir_report_new(x->of->title, x->of->about);
    say_how(x, command);
    weir_report_section(x->report, "What to compare");
    weir_report_text(x->report, "%s", x->of->compare);
    weir_report_text(x->report, "Published figures are of other machines and of TensorFlow 1.x: "
                                "compare shapes, ratios and orders, not seconds.");
    say_limits(x);
    x->of->present(x);
    bool first = true;
    for (size_t i = 0; i < x->cases.count; i++) {
        if (!x->cases.at[i].timeline)
            continue;
        if (first)
            weir_report_section(x->report, "Over time");
        first = false;
        experiment_timeline(x, &x->cases.at[i]);
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Between trials, where no loop takes the signals: whoever is told to end ends in order. */
static trial_field *watched;

static void note_signal(int number)
{
    watched->interrupted = true;
}

static void take_signals(trial_field *field)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    watched = field;
    for (int i = 0; i < 3; i++)
        sigaction(numbers[i], &act, NULL);
}

static weir_status run_cases(experiment_run *x)
{
    take_signals(&x->options->field);
    for (size_t i = 0; i < x->cases.count; i++) {
        experiment_case *c = &x->cases.at[i];
        char label[EXPERIMENT_LABEL + 64];
        snprintf(label, sizeof label, "%zu/%zu %s", i + 1, x->cases.count, c->label);
        if (x->options->steps)
            c->plan.steps = x->options->steps;
        WEIR_TRY(trial_run(&x->options->field, &c->plan, label, &c->result));
    }
    return WEIR_OK;
}

/* What was not asked for otherwise. */
static void fill_in(const experiment *e, experiment_options *o)
{
    if (e->digits && !o->data && o->scale != SCALE_TINY && weir_path_is_dir(fashion))
        o->data = fashion;
    if (!(o->field.link.mbit > 0))
        o->field.link.mbit = e->mbit > 0 ? e->mbit : USUAL_MBIT;
}

weir_status experiment_do(const experiment *e, experiment_options *options, const char *command,
                          const char *folder)
{
    fill_in(e, options);
    experiment_run x = {.of = e, .options = options};
    e->plan(&x);
    weir_status s = run_cases(&x);
    if (!s) {
        present(&x, command);
        s = weir_report_write(x.report, folder);
    }
    for (size_t i = 0; i < x.cases.count; i++)
        trial_fini(&x.cases.at[i].result);
    weir_vec_fini(&x.cases);
    weir_report_destroy(x.report);
    return s;
}
