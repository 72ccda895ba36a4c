/* cli/watch/report.c - weir report: resource usage of recorded jobs over time, as one page. */
#include <math.h>
#include <stdio.h>

#include "cli/watch/recording.h"
#include "command/command.h"
#include "command/output.h"
#include "dash/event_files.h"
#include "lab/report/report.h"

typedef struct report_args {
    const char *out;
    int format;
} report_args;

static const double closest_s = 0.04; /* minimum distance of two compared samples */

/* A recorded job, and the time axis of its plots. */
typedef struct report_run {
    const char *dir, *name;
    recording recording;
    double start_us, end_us;
    double first_us, last_us; /* of the steps; the whole run if unknown */
    double steps_s;           /* between them; NaN: unknown */
} report_run;

/* ---- numbers ------------------------------------------------------------------------------------
 */

static double sample_us(const record_task *task, size_t i)
{
    return task->samples.at[i].at[RECORD_US];
}

/* Growth per second of |column| from |from_us| to |to_us|; for memory: the mean. */
static double mean_of(const record_task *task, int column, double from_us, double to_us)
{
    const record_sample *first = NULL, *last = NULL;
    for (size_t i = 0; i < task->samples.count; i++) {
        if (sample_us(task, i) < from_us || sample_us(task, i) > to_us)
            continue;
        first = first ? first : &task->samples.at[i];
        last = &task->samples.at[i];
    }
    double seconds = first ? (last->at[RECORD_US] - first->at[RECORD_US]) * 1e-6 : 0;
    return seconds > 0 ? (last->at[column] - first->at[column]) / seconds : NAN;
}

/* The maximum growth per second of |column|, over windows of at least half a second. */
static double peak_of(const record_task *task, int column)
{
    double peak = NAN;
    size_t from = 0;
    for (size_t i = 1; i < task->samples.count; i++) {
        double seconds = (sample_us(task, i) - sample_us(task, from)) * 1e-6;
        if (seconds < 0.5)
            continue;
        double rate =
            (task->samples.at[i].at[column] - task->samples.at[from].at[column]) / seconds;
        peak = rate > peak || isnan(peak) ? rate : peak;
        from = i;
    }
    return peak;
}

static double most_of(const record_task *task, int column)
{
    double most = NAN;
    for (size_t i = 0; i < task->samples.count; i++)
        most = fmax(most, task->samples.at[i].at[column]);
    return most;
}

static double program_cpu(const record_task *task, double from_us, double to_us)
{
    const record_program *first = NULL, *last = NULL;
    for (size_t i = 0; i < task->program.count; i++) {
        const record_program *point = &task->program.at[i];
        if (point->us < from_us || point->us > to_us)
            continue;
        first = first ? first : point;
        last = point;
    }
    double seconds = first ? (last->us - first->us) * 1e-6 : 0;
    return seconds > 0 ? (last->cpu_s - first->cpu_s) / seconds : NAN;
}

static double program_memory(const record_task *task)
{
    double most = NAN;
    for (size_t i = 0; i < task->program.count; i++)
        most = fmax(most, task->program.at[i].memory);
    return most;
}

static const watch_task *last_state(const record_task *task)
{
    return task->states.count ? &task->states.at[task->states.count - 1] : NULL;
}

static double last_value(const record_task *task, const char *key)
{
    return last_state(task) ? watch_value(last_state(task), key) : NAN;
}

static bool is_ps(const record_task *task)
{
    return strcmp(task->job, "ps") == 0;
}

/* The first task of a host represents the host. */
static bool is_first_of_host(const report_run *run, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(run->recording.tasks.at[i].host, run->recording.tasks.at[at].host) == 0)
            return false;
    return true;
}

/* The placement of tasks in the notation of --layout: PS-W-W, PW-W... */
static void put_layout(const report_run *run, weir_buf *out)
{
    for (size_t i = 0; i < run->recording.tasks.count; i++) {
        const char *host = run->recording.tasks.at[i].host;
        if (!is_first_of_host(run, i))
            continue;
        size_t begin = out->length + (out->length > 0);
        weir_buf_adds(out, out->length ? "-" : "");
        for (size_t k = i; k < run->recording.tasks.count; k++)
            if (strcmp(run->recording.tasks.at[k].host, host) == 0)
                weir_buf_addc(out, is_ps(&run->recording.tasks.at[k]) ? 'P' : 'W');
        if (out->length == begin + 1 && out->at[begin] == 'P')
            weir_buf_addc(out, 'S');
    }
}

/* ---- a run --------------------------------------------------------------------------------------
 */

/* The first steps ended between the state that reports them and the one before it. */
static void find_steps(report_run *run, const record_task *task)
{
    double before = 0, before_us = run->start_us;
    for (size_t i = 0; i < task->states.count && !is_ps(task); i++) {
        double steps = watch_value(&task->states.at[i], "steps");
        double us = watch_value(&task->states.at[i], "now_us");
        if (steps > before)
            run->last_us = fmax(run->last_us, us);
        if (before == 0 && steps > 0)
            run->first_us = fmin(run->first_us, before_us);
        before = steps;
        before_us = us;
    }
}

static weir_status open_run(const char *dir, report_run *out)
{
    const char *slash = strrchr(dir, '/');
    *out = (report_run){.dir = dir,
                        .name = slash && slash[1] ? slash + 1 : dir,
                        .start_us = INFINITY,
                        .end_us = -INFINITY,
                        .first_us = INFINITY,
                        .last_us = -INFINITY};
    WEIR_TRY(recording_read(dir, &out->recording));
    for (size_t i = 0; i < out->recording.tasks.count; i++) {
        const record_task *task = &out->recording.tasks.at[i];
        if (task->samples.count) {
            out->start_us = fmin(out->start_us, sample_us(task, 0));
            out->end_us = fmax(out->end_us, sample_us(task, task->samples.count - 1));
        }
        find_steps(out, task);
    }
    out->steps_s = out->last_us > out->first_us ? (out->last_us - out->first_us) * 1e-6 : NAN;
    if (isnan(out->steps_s)) {
        out->first_us = out->start_us;
        out->last_us = out->end_us;
    }
    return WEIR_OK;
}

static const char *name_of(const record_task *task, char name[128])
{
    snprintf(name, 128, "%.100s %d", task->job, task->index);
    return name;
}

/* ---- tables -------------------------------------------------------------------------------------
 */

typedef struct report_column {
    const char *title, *unit;
} report_column;

static void add_columns(weir_table *table, const report_column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        weir_table_column(table, WEIR_COLUMN_NUMBER, columns[i].title, columns[i].unit);
}

static void add_task_row(weir_table *table, const report_run *run, const record_task *task)
{
    char name[128];
    double steps = last_value(task, "steps"), step_s = last_value(task, "step_s");
    double waits = last_value(task, "wait_recv_s") + last_value(task, "wait_resource_s") +
                   last_value(task, "wait_other_s");
    weir_table_text(table, "%s", name_of(task, name));
    weir_table_text(table, "%s", task->host);
    weir_table_number(table, steps);
    weir_table_number(table, steps / run->steps_s);
    weir_table_number(table, steps > 0 ? step_s / steps * 1e3 : NAN);
    weir_table_number(table, step_s > 0 ? waits / step_s * 100 : NAN);
    weir_table_number(table, 100 * mean_of(task, RECORD_OWN_CPU, run->first_us, run->last_us));
    weir_table_number(table, most_of(task, RECORD_OWN_MEMORY) * 1e-6);
    weir_table_number(table, 100 * program_cpu(task, run->first_us, run->last_us));
    weir_table_number(table, program_memory(task) * 1e-6);
    weir_table_number(table, last_state(task) ? last_state(task)->received * 1e-6 : NAN);
    weir_table_number(table, last_state(task) ? last_state(task)->sent * 1e-6 : NAN);
}

static void add_tasks(weir_report *report, const report_run *run, int number)
{
    static const report_column columns[] = {
        {"steps", NULL},      {"steps", "1/s"},         {"step", "ms"},
        {"waiting", "%"},     {"server CPU", "%"},      {"server memory", "MB"},
        {"program CPU", "%"}, {"program memory", "MB"}, {"received", "MB"},
        {"sent", "MB"},
    };
    char name[32];
    snprintf(name, sizeof name, "tasks-%d", number);
    weir_table *table = weir_report_table(
        report, name,
        "Tasks. CPU in percent of one processor from the first step to the last, memory at its "
        "peak; waiting is the share of step time with nothing to do; bytes are of tensors.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "task", NULL);
    weir_table_column(table, WEIR_COLUMN_TEXT, "machine", NULL);
    add_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < run->recording.tasks.count; i++)
        add_task_row(table, run, &run->recording.tasks.at[i]);
}

static void add_machine_row(weir_table *table, const report_run *run, const record_task *task)
{
    weir_table_text(table, "%s", task->host);
    weir_table_number(table, mean_of(task, RECORD_CPU, run->first_us, run->last_us));
    weir_table_number(table, peak_of(task, RECORD_CPU));
    weir_table_number(table, most_of(task, RECORD_MEMORY) * 1e-6);
    weir_table_number(table, peak_of(task, RECORD_WIRE_IN) * 1e-6);
    weir_table_number(table, peak_of(task, RECORD_WIRE_OUT) * 1e-6);
    weir_table_number(table, peak_of(task, RECORD_LOOPBACK) * 1e-6);
    weir_table_number(table, peak_of(task, RECORD_DISK_READ) * 1e-6);
    weir_table_number(table, peak_of(task, RECORD_DISK_WRITTEN) * 1e-6);
}

static void add_machines(weir_report *report, const report_run *run, int number)
{
    static const report_column columns[] = {
        {"CPU", "cores, mean"},      {"CPU", "cores, peak"},         {"memory", "MB, peak"},
        {"wire in", "MB/s, peak"},   {"wire out", "MB/s, peak"},     {"loopback", "MB/s, peak"},
        {"disk read", "MB/s, peak"}, {"disk written", "MB/s, peak"},
    };
    char name[32];
    snprintf(name, sizeof name, "machines-%d", number);
    weir_table *table =
        weir_report_table(report, name, "Machines, with everything that ran on them.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "machine", NULL);
    add_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < run->recording.tasks.count; i++)
        if (is_first_of_host(run, i))
            add_machine_row(table, run, &run->recording.tasks.at[i]);
}

/* ---- plots --------------------------------------------------------------------------------------
 */

typedef struct plot {
    const report_run *run;
    weir_figure *figure;
} plot;

static double seconds_of(const plot *plot, double us)
{
    return (us - plot->run->start_us) * 1e-6;
}

/* One line of a task's samples: rates, or values for memory, times |unit|. Thinned out to the
 * visible resolution and a minimum distance, because the system counts in ticks. */
static void draw_line(const plot *plot, weir_panel panel, const char *name, const record_task *task,
                      int column, double unit)
{
    bool is_level = column == RECORD_MEMORY || column == RECORD_OWN_MEMORY;
    size_t every = task->samples.count / 1500 + 1;
    weir_series line = weir_figure_series(plot->figure, panel, name, 0);
    for (size_t i = every, last = 0; i < task->samples.count; i += every) {
        const double *now = task->samples.at[i].at, *before = task->samples.at[last].at;
        double seconds = (now[RECORD_US] - before[RECORD_US]) * 1e-6;
        double value = is_level ? now[column] : (now[column] - before[column]) / seconds;
        if (seconds < closest_s)
            continue;
        weir_figure_point(plot->figure, line, seconds_of(plot, now[RECORD_US]), value * unit);
        last = i;
    }
}

static void draw_tasks(const plot *plot, const char *title, const char *unit_name, int column,
                       double unit)
{
    weir_panel panel = weir_figure_panel(plot->figure, title, unit_name);
    char name[128];
    for (size_t i = 0; i < plot->run->recording.tasks.count; i++) {
        const record_task *task = &plot->run->recording.tasks.at[i];
        draw_line(plot, panel, name_of(task, name), task, column, unit);
    }
}

static void draw_machines(const plot *plot, const char *title, const char *unit_name, int column,
                          double unit)
{
    weir_panel panel = weir_figure_panel(plot->figure, title, unit_name);
    for (size_t i = 0; i < plot->run->recording.tasks.count; i++) {
        const record_task *task = &plot->run->recording.tasks.at[i];
        if (is_first_of_host(plot->run, i))
            draw_line(plot, panel, task->host, task, column, unit);
    }
}

static void draw_programs(const plot *plot)
{
    weir_panel panel = weir_figure_panel(plot->figure, "CPU of programs", "% of one processor");
    char name[128];
    for (size_t k = 0; k < plot->run->recording.tasks.count; k++) {
        const record_task *task = &plot->run->recording.tasks.at[k];
        weir_series line = weir_figure_series(plot->figure, panel, name_of(task, name), 0);
        size_t every = task->program.count / 1500 + 1;
        for (size_t i = every; i < task->program.count; i += every) {
            const record_program *now = &task->program.at[i],
                                 *before = &task->program.at[i - every];
            if (now->us > before->us)
                weir_figure_point(plot->figure, line, seconds_of(plot, now->us),
                                  100 * (now->cpu_s - before->cpu_s) /
                                      ((now->us - before->us) * 1e-6));
        }
    }
}

/* Steps per second, or the fraction of time spent waiting, of computing tasks. */
static void draw_states(const plot *plot, const char *title, const char *unit, bool waiting)
{
    weir_panel panel = weir_figure_panel(plot->figure, title, unit);
    char name[128];
    for (size_t k = 0; k < plot->run->recording.tasks.count; k++) {
        const record_task *task = &plot->run->recording.tasks.at[k];
        if (is_ps(task))
            continue;
        weir_series line = weir_figure_series(plot->figure, panel, name_of(task, name), 0);
        for (size_t i = 1; i < task->states.count; i++) {
            const watch_task *now = &task->states.at[i], *before = &task->states.at[i - 1];
            watch_shares shares = watch_shares_of(now, before);
            double value = waiting ? 100 * (shares.recv + shares.resource + shares.other)
                                   : watch_rate(now, before, "steps");
            weir_figure_point(plot->figure, line, seconds_of(plot, watch_value(now, "now_us")),
                              value);
        }
    }
}

/* Scalars of the event files in the run's folder, on the same time axis. */
static void draw_scalars(const plot *plot)
{
    board_files files = {.dir = plot->run->dir};
    board_files_read(&files);
    for (size_t i = 0; i < files.runs.count; i++)
        for (size_t k = 0; k < files.runs.at[i]->tags.count; k++) {
            const board_tag *tag = files.runs.at[i]->tags.at[k];
            if (!tag->points.count)
                continue;
            weir_panel panel = weir_figure_panel(plot->figure, tag->name, NULL);
            weir_series line =
                weir_figure_series(plot->figure, panel,
                                   *files.runs.at[i]->name ? files.runs.at[i]->name : "events", 0);
            for (size_t p = 0; p < tag->points.count; p += tag->points.count / 1500 + 1)
                weir_figure_point(plot->figure, line,
                                  seconds_of(plot, tag->points.at[p].time * 1e6),
                                  tag->points.at[p].value);
        }
    board_files_fini(&files);
}

static void add_plots(weir_report *report, const report_run *run, int number)
{
    char name[32];
    snprintf(name, sizeof name, "timeline-%d", number);
    plot plot = {run, weir_report_figure(report, name, WEIR_LINES,
                                         "Tasks and machines over time, ten samples a second.",
                                         "seconds since the first server was started")};
    draw_states(&plot, "Steps", "1/s", false);
    draw_states(&plot, "Waiting", "% of time", true);
    draw_tasks(&plot, "CPU of servers", "% of one processor", RECORD_OWN_CPU, 100);
    draw_programs(&plot);
    draw_tasks(&plot, "Memory of servers", "MB", RECORD_OWN_MEMORY, 1e-6);
    draw_machines(&plot, "CPU of machines", "cores", RECORD_CPU, 1);
    draw_machines(&plot, "Memory of machines", "MB", RECORD_MEMORY, 1e-6);
    draw_machines(&plot, "Wire in", "MB/s", RECORD_WIRE_IN, 1e-6);
    draw_machines(&plot, "Wire out", "MB/s", RECORD_WIRE_OUT, 1e-6);
    draw_machines(&plot, "Loopback", "MB/s", RECORD_LOOPBACK, 1e-6);
    draw_machines(&plot, "Disk read", "MB/s", RECORD_DISK_READ, 1e-6);
    draw_machines(&plot, "Disk written", "MB/s", RECORD_DISK_WRITTEN, 1e-6);
    draw_scalars(&plot);
    if (isnan(run->steps_s))
        return;
    weir_figure_event(plot.figure, seconds_of(&plot, run->first_us), "first steps");
    weir_figure_event(plot.figure, seconds_of(&plot, run->last_us), "last steps");
}

/* ---- runs compared ------------------------------------------------------------------------------
 */

static void add_run_row(weir_table *table, const report_run *run)
{
    double steps = 0, waits = 0, step_s = 0, cpu = 0, memory = 0;
    for (size_t i = 0; i < run->recording.tasks.count; i++) {
        const record_task *task = &run->recording.tasks.at[i];
        double own = mean_of(task, RECORD_OWN_CPU, run->first_us, run->last_us);
        cpu += isnan(own) ? 0 : own;
        memory += fmax(0, most_of(task, RECORD_OWN_MEMORY));
        if (is_ps(task) || !last_state(task))
            continue;
        steps += last_value(task, "steps");
        step_s += last_value(task, "step_s");
        waits += last_value(task, "wait_recv_s") + last_value(task, "wait_resource_s") +
                 last_value(task, "wait_other_s");
    }
    WEIR_BUF(layout);
    put_layout(run, &layout);
    weir_table_text(table, "%s", run->name);
    weir_table_text(table, "%s", layout.length ? layout.at : "-");
    weir_table_number(table, (double)run->recording.tasks.count);
    weir_table_number(table, run->steps_s);
    weir_table_number(table, steps);
    weir_table_number(table, steps / run->steps_s);
    weir_table_number(table, step_s > 0 ? 100 * waits / step_s : NAN);
    weir_table_number(table, 100 * cpu);
    weir_table_number(table, memory * 1e-6);
}

static void add_comparison(weir_report *report, const report_run *runs, size_t count)
{
    static const report_column columns[] = {
        {"tasks", NULL},
        {"time with steps", "s"},
        {"steps", NULL},
        {"steps", "1/s"},
        {"waiting", "%"},
        {"CPU of servers", "%"},
        {"memory of servers", "MB"},
    };
    weir_table *table = weir_report_table(report, "runs", "The runs, all tasks together.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "run", NULL);
    weir_table_column(table, WEIR_COLUMN_TEXT, "machines", NULL);
    add_columns(table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++)
        add_run_row(table, &runs[i]);
}

/* ---- the command --------------------------------------------------------------------------------
 */

static weir_status make(report_run *runs, size_t count, char *const *dirs, const char *out,
                        int format)
{
    for (size_t i = 0; i < count; i++)
        WEIR_TRY(open_run(dirs[i], &runs[i]));
    WEIR_OWNED(weir_report)
    report = weir_report_new("What a run used", "recorded by weir run, shown by weir report");
    weir_report_machine(report);
    add_comparison(report, runs, count);
    for (size_t i = 0; i < count; i++) {
        weir_report_section(report, runs[i].name);
        add_tasks(report, &runs[i], (int)i + 1);
        add_machines(report, &runs[i], (int)i + 1);
        add_plots(report, &runs[i], (int)i + 1);
    }
    WEIR_BUF(text);
    weir_report_print(report, format, &text);
    fputs(text.at, stdout);
    return weir_report_write(report, out);
}

static int report(void *args, int argc, char **argv)
{
    const report_args *a = args;
    WEIR_BUF(newest);
    WEIR_BUF(folder);
    weir_status status = argc ? WEIR_OK : recording_newest(&newest);
    char *const *dirs = argc ? argv : &newest.at;
    size_t count = argc ? (size_t)argc : 1;
    report_run *runs = WEIR_NEW_ARRAY(report_run, count);
    weir_buf_addf(&folder, "%s", a->out ? a->out : "report");
    if (!status && weir_cli_check_folder("--out", folder.at) != WEIR_EXIT_OK)
        return WEIR_EXIT_FAILED;
    if (!status)
        status = make(runs, count, dirs, folder.at, a->format);
    for (size_t i = 0; i < count; i++)
        recording_fini(&runs[i].recording);
    weir_free(runs);
    if (status)
        return weir_cli_fail_status("Give the folder that 'weir run' named at its end, or the one "
                                    "of its --logs.",
                                    status);
    if (a->format == WEIR_OUTPUT_TABLE)
        printf("\n%s/report.html\n", folder.at);
    return WEIR_EXIT_OK;
}

static const weir_option options[] = {
    {"out", 0, "DIR", "folder for the report (default: report)", WEIR_TEXT(report_args, out),
     .hint = WEIR_HINT_FOLDER},
    WEIR_OUTPUT_OPTION(report_args, format),
};

const weir_command weir_command_report = {
    .name = "report",
    .summary = "report the resource use of a 'weir run' over time",
    .words = "[DIR...]",
    .hint = WEIR_HINT_FOLDER,
    .about =
        "Writes one page from the recording of a 'weir run': steps, waiting, CPU, memory, "
        "network, loopback and disk of tasks and machines over time, and the scalars of event "
        "files in the folder; several runs are compared. Tables and series are also written as "
        "CSV and JSON. DIR is the folder that 'weir run' prints on exit (default: the newest), "
        "or the one given to --logs.",
    WEIR_OPTIONS(options),
    WEIR_ARGS(report_args),
    .run = report,
};
