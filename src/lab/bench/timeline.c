/* lab/bench/timeline.c - a trial over time: tasks, machines and steps on one axis. */
#include <math.h>
#include <stdio.h>

#include "lab/bench/experiment.h"
#include "lab/bench/task.h"

typedef struct drawing {
    const trial *t;
    weir_figure *f;
} drawing;

static double seconds(const drawing *d, int64_t ns)
{
    return (double)(ns - d->t->started_ns) * 1e-9;
}

/* One line: rates, or values of memory, times |unit|. */
static void draw_source(const drawing *d, weir_panel panel, const char *name, int source,
                        weir_quantity q, double unit, unsigned flags)
{
    const weir_sampler *s = d->t->sampler;
    weir_series line = weir_figure_series(d->f, panel, name, flags);
    for (int i = 1; i < weir_sampler_count(s); i++) {
        double v = q == WEIR_MEMORY_BYTES ? weir_sampler_value(s, source, q, i)
                                          : weir_sampler_rate(s, source, q, i);
        weir_figure_point(d->f, line, seconds(d, weir_sampler_ns(s, i)), v * unit);
    }
}

static void draw_tasks(const drawing *d, const char *title, const char *unit_name, weir_quantity q,
                       double unit)
{
    weir_panel panel = weir_figure_panel(d->f, title, unit_name);
    for (int i = 0; i < d->t->task_count; i++)
        draw_source(d, panel, d->t->tasks[i].name, d->t->tasks[i].source, q, unit, 0);
}

/* Who is on a machine: "ps 0, worker 0". */
static void machine_name(const trial *t, int machine, char *out, size_t bytes)
{
    size_t used = (size_t)snprintf(out, bytes, "machine %d:", machine + 1);
    for (int i = 0; i < t->task_count && used < bytes; i++)
        if (t->tasks[i].machine == machine)
            used +=
                (size_t)snprintf(out + used, bytes - used, " %s%d", t->tasks[i].is_ps ? "ps" : "w",
                                 t->tasks[i].is_ps ? i : i - t->plan.ps);
}

static void draw_machines(const drawing *d, const char *title, const char *unit_name,
                          const int *sources, weir_quantity q, double unit)
{
    weir_panel panel = weir_figure_panel(d->f, title, unit_name);
    for (int i = 0; i < d->t->machine_count; i++) {
        char name[64];
        machine_name(d->t, i, name, sizeof name);
        draw_source(d, panel, d->t->machine_count > 1 ? name : "host", sources[i], q, unit, 0);
    }
}

/* Steps of each worker: how long they took, or their losses. */
static void draw_steps(const drawing *d, const char *title, const char *unit_name, bool losses)
{
    weir_panel panel = weir_figure_panel(d->f, title, unit_name);
    for (int i = 0; i < d->t->task_count; i++) {
        const trial_task *k = &d->t->tasks[i];
        if (k->is_ps)
            continue;
        int64_t count = weir_step_log_count(k->log), first = weir_step_log_first(k->log);
        weir_series line =
            weir_figure_series(d->f, panel, k->name, count - first < 60 ? WEIR_SERIES_MARKERS : 0);
        int64_t every = (count - first) / 4000 + 1; /* as much as can be seen */
        for (int64_t j = first; j < count; j += every) {
            weir_step_record r = weir_step_log_at(k->log, j);
            weir_figure_point(d->f, line, seconds(d, r.end_ns),
                              losses ? r.loss : (double)(r.end_ns - r.begin_ns) * 1e-6);
        }
    }
}

static bool any_loss(const trial *t)
{
    return isfinite(t->loss);
}

static weir_figure *begin(experiment_run *x, const experiment_case *c)
{
    char name[32], caption[2 * EXPERIMENT_LABEL + 128];
    const trial *t = &c->result;
    snprintf(name, sizeof name, "timeline-%d", ++x->timelines);
    snprintf(caption, sizeof caption, "%s: %s with %d parameter server%s and %d worker%s%s%s%s.",
             c->label, t->plan.model, t->plan.ps, t->plan.ps == 1 ? "" : "s", t->plan.workers,
             t->plan.workers == 1 ? "" : "s", t->plan.layout ? ", as " : "",
             t->plan.layout ? t->plan.layout : "",
             t->plan.layout && !t->simulated ? " (not simulated)" : "");
    return weir_report_figure(x->report, name, WEIR_LINES, caption,
                              "seconds since the first process was started");
}

void experiment_timeline(experiment_run *x, const experiment_case *c)
{
    const trial *t = &c->result;
    drawing d = {t, begin(x, c)};
    double ready = weir_step_log_get(t->tasks[t->plan.ps].log, TASK_READY_NS);
    draw_tasks(&d, "CPU", "% of one processor", WEIR_CPU_SECONDS, 100);
    draw_tasks(&d, "Memory", "MB resident", WEIR_MEMORY_BYTES, 1e-6);
    if (t->simulated) {
        draw_machines(&d, "Network in", "MB/s", t->eth, WEIR_NET_IN, 1e-6);
        draw_machines(&d, "Network out", "MB/s", t->eth, WEIR_NET_OUT, 1e-6);
        draw_machines(&d, "Packets out", "1/s", t->eth, WEIR_PACKETS_OUT, 1);
    }
    draw_machines(&d, "Loopback", "MB/s", t->lo, WEIR_NET_OUT, 1e-6);
    weir_panel disk = weir_figure_panel(d.f, "Disk", "MB/s");
    draw_source(&d, disk, "read, whole host", t->host, WEIR_DISK_READ, 1e-6, 0);
    draw_source(&d, disk, "written, whole host", t->host, WEIR_DISK_WRITTEN, 1e-6, 0);
    draw_steps(&d, "Step", "ms", false);
    if (any_loss(t))
        draw_steps(&d, "Loss", NULL, true);
    if (ready > 0)
        weir_figure_event(d.f, seconds(&d, (int64_t)ready), "chief ready");
    weir_figure_event(d.f, seconds(&d, t->end_ns), "last step");
}
