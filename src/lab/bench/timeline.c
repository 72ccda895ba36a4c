/* lab/bench/timeline.c - plots a trial over time: tasks, machines and steps on one axis. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"
#include "lab/bench/task.h"

typedef struct drawing {
    const trial *t;
    weir_figure *f;
} drawing;

static double seconds(const drawing *drawing, int64_t ns)
{
    return (double)(ns - drawing->t->started_ns) * 1e-9;
}

/* One line: rates, or values for memory, times |unit|. */
static void draw_source(const drawing *drawing, weir_panel panel, const char *name, int source,
                        weir_quantity quantity, double unit, unsigned flags)
{
    const weir_sampler *sampler = drawing->t->sampler;
    weir_series line = weir_figure_series(drawing->f, panel, name, flags);
    for (int i = 1; i < weir_sampler_count(sampler); i++) {
        double value = quantity == WEIR_MEMORY_BYTES
                           ? weir_sampler_value(sampler, source, quantity, i)
                           : weir_sampler_rate(sampler, source, quantity, i);
        weir_figure_point(drawing->f, line, seconds(drawing, weir_sampler_ns(sampler, i)),
                          value * unit);
    }
}

static void draw_tasks(const drawing *drawing, const char *title, const char *unit_name,
                       weir_quantity quantity, double unit)
{
    weir_panel panel = weir_figure_panel(drawing->f, title, unit_name);
    for (int i = 0; i < drawing->t->task_count; i++)
        draw_source(drawing, panel, drawing->t->tasks[i].name, drawing->t->tasks[i].source,
                    quantity, unit, 0);
}

/* The tasks on a machine: "ps 0, worker 0". */
static void machine_name(const trial *trial, int machine, char *out, size_t bytes)
{
    size_t used = (size_t)snprintf(out, bytes, "machine %d:", machine + 1);
    for (int i = 0; i < trial->task_count && used < bytes; i++)
        if (trial->tasks[i].machine == machine)
            used += (size_t)snprintf(out + used, bytes - used, " %s%d",
                                     trial->tasks[i].is_ps ? "ps" : "w",
                                     trial->tasks[i].is_ps ? i : i - trial->plan.ps);
}

static void draw_machines(const drawing *drawing, const char *title, const char *unit_name,
                          const int *sources, weir_quantity quantity, double unit)
{
    weir_panel panel = weir_figure_panel(drawing->f, title, unit_name);
    for (int i = 0; i < drawing->t->machine_count; i++) {
        char name[64];
        machine_name(drawing->t, i, name, sizeof name);
        draw_source(drawing, panel, drawing->t->machine_count > 1 ? name : "host", sources[i],
                    quantity, unit, 0);
    }
}

/* Steps of each worker: their durations or losses. */
static void draw_steps(const drawing *drawing, const char *title, const char *unit_name,
                       bool losses)
{
    weir_panel panel = weir_figure_panel(drawing->f, title, unit_name);
    for (int i = 0; i < drawing->t->task_count; i++) {
        const trial_task *task = &drawing->t->tasks[i];
        if (task->is_ps)
            continue;
        int64_t count = weir_step_log_count(task->log), first = weir_step_log_first(task->log);
        weir_series line = weir_figure_series(drawing->f, panel, task->name,
                                              count - first < 60 ? WEIR_SERIES_MARKERS : 0);
        int64_t every = (count - first) / 4000 + 1; /* limits the points to what is visible */
        for (int64_t j = first; j < count; j += every) {
            weir_step_record record = weir_step_log_at(task->log, j);
            weir_figure_point(drawing->f, line, seconds(drawing, record.end_ns),
                              losses ? record.loss
                                     : (double)(record.end_ns - record.begin_ns) * 1e-6);
        }
    }
}

static bool any_loss(const trial *trial)
{
    return isfinite(trial->loss);
}

static weir_figure *begin(experiment_run *run, const experiment_case *experiment_case)
{
    char name[32], tasks[64], caption[2 * EXPERIMENT_LABEL + 128];
    const trial *trial = &experiment_case->result;
    snprintf(name, sizeof name, "timeline-%d", ++run->timelines);
    snprintf(tasks, sizeof tasks, "with %d parameter server%s and %d worker%s", trial->plan.ps,
             trial->plan.ps == 1 ? "" : "s", trial->plan.workers,
             trial->plan.workers == 1 ? "" : "s");
    snprintf(caption, sizeof caption, "%s: %s %s%s%s%s.", experiment_case->label, trial->plan.model,
             trial->plan.ps ? tasks : "in one process", trial->plan.layout ? ", as " : "",
             trial->plan.layout ? trial->plan.layout : "",
             trial->plan.layout && !trial->simulated ? " (not simulated)" : "");
    return weir_report_figure(run->report, name, WEIR_LINES, caption,
                              "seconds since the first process was started");
}

void experiment_timeline(experiment_run *run, const experiment_case *experiment_case)
{
    const trial *trial = &experiment_case->result;
    drawing drawing = {trial, begin(run, experiment_case)};
    double ready = weir_step_log_get(trial->tasks[trial->plan.ps].log, TASK_READY_NS);
    draw_tasks(&drawing, "CPU", "% of one processor", WEIR_CPU_SECONDS, 100);
    draw_tasks(&drawing, "Memory", "MB resident", WEIR_MEMORY_BYTES, 1e-6);
    if (trial->simulated) {
        draw_machines(&drawing, "Network in", "MB/s", trial->eth, WEIR_NET_IN, 1e-6);
        draw_machines(&drawing, "Network out", "MB/s", trial->eth, WEIR_NET_OUT, 1e-6);
        draw_machines(&drawing, "Packets out", "1/s", trial->eth, WEIR_PACKETS_OUT, 1);
    }
    draw_machines(&drawing, "Loopback", "MB/s", trial->lo, WEIR_NET_OUT, 1e-6);
    weir_panel disk = weir_figure_panel(drawing.f, "Disk", "MB/s");
    draw_source(&drawing, disk, "read, whole host", trial->host, WEIR_DISK_READ, 1e-6, 0);
    draw_source(&drawing, disk, "written, whole host", trial->host, WEIR_DISK_WRITTEN, 1e-6, 0);
    draw_steps(&drawing, "Step", "ms", false);
    if (any_loss(trial))
        draw_steps(&drawing, "Loss", NULL, true);
    if (ready > 0)
        weir_figure_event(drawing.f, seconds(&drawing, (int64_t)ready), "chief ready");
    weir_figure_event(drawing.f, seconds(&drawing, trial->end_ns), "last step");
}
