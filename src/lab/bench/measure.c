/* lab/bench/measure.c - what follows from the times, and how it is shown. */
#include "lab/bench/measure.h"

#include <math.h>

#include "command/output.h"
#include "lab/report/report.h"
#include "lab/sample/stats.h"

enum { NOISE = 2 }; /* percent that no comparison calls a change */

void measurement_sum_up(measurement *m, const bench_peak *peak, const measurement *first)
{
    peer_result *r = &m->r;
    m->base_ms = m->change = NAN;
    m->step_ms = weir_quantile(r->steps.at, r->steps.count, 0.5);
    m->low_ms = weir_quantile(r->steps.at, r->steps.count, 0.25);
    m->high_ms = weir_quantile(r->steps.at, r->steps.count, 0.75);
    m->times_first = first ? m->step_ms / first->step_ms : NAN;
    double flops = first ? first->r.flops : r->flops, bytes = first ? first->r.bytes : r->bytes;
    if (first ? first->r.unknown : r->unknown)
        flops = 0; /* a part of it is not to be told from the whole */
    double batch = first ? first->r.batch : r->batch;
    double best = peak->gflops[weir_cpu_isa()];
    m->examples_per_s = batch * 1e3 / m->step_ms;
    m->gflops = flops > 0 ? flops * 1e-6 / m->step_ms : NAN;
    m->fma_share = m->gflops / best * 100;
    double limit_ms = fmax(flops * 1e-6 / best, bytes * 1e-6 / peak->gbytes);
    m->limit_share = limit_ms > 0 ? limit_ms / m->step_ms * 100 : NAN;
}

void measurements_fini(measurements *all)
{
    for (size_t i = 0; i < all->count; i++)
        peer_result_fini(&all->at[i].r);
    weir_vec_fini(all);
}

/* ---- columns -------------------------------------------------------------------------------- */

typedef struct shown {
    const char *key, *title, *unit;
    size_t at; /* of a double in the measurement */
    bool compared;
} shown;

#define AT(field) offsetof(measurement, field)
static const shown columns[] = {
    {"step_ms", "step", "ms", AT(step_ms)},
    {"low_ms", "quartiles", "ms", AT(low_ms)},
    {"high_ms", "", "ms", AT(high_ms)},
    {"times_first", "step", "x first", AT(times_first)},
    {"examples_per_s", "examples", "1/s", AT(examples_per_s)},
    {"gflops", "arithmetic", "GFLOP/s", AT(gflops)},
    {"fma_share", "of FMA peak", "%", AT(fma_share)},
    {"limit_share", "of limit", "%", AT(limit_share)},
    {"peak_mb", "memory", "MB", AT(r.peak_mb)},
    {"start_s", "start", "s", AT(r.start_s)},
    {"loss", "loss", NULL, AT(r.last_loss)},
    {"baseline_ms", "baseline", "ms", AT(base_ms), .compared = true},
    {"change", "change", "%", AT(change), .compared = true},
};
#undef AT
enum { COLUMNS = sizeof columns / sizeof *columns };

static double value(const measurement *m, const shown *c)
{
    return m->r.failure && !c->compared ? NAN : *(const double *)((const char *)m + c->at);
}

static const char *verdict(const measurement *m)
{
    if (m->r.failure)
        return "failed";
    if (isnan(m->change))
        return "new";
    return !m->differs || fabs(m->change) < NOISE ? "same" : m->change < 0 ? "faster" : "slower";
}

static int news(const measurement *m)
{
    const char *v = verdict(m);
    return strcmp(v, "faster") == 0 ? 1 : strcmp(v, "slower") == 0 ? -1 : 0;
}

/* ---- for people and programs ---------------------------------------------------------------- */

static void show_real(weir_output *o, const char *key, double v)
{
    isfinite(v) ? weir_output_real(o, key, v) : weir_output_null(o, key);
}

static void show_peaks(weir_output *o, const machine_peaks *peaks)
{
    weir_output_table(o, "peaks");
    for (size_t i = 0; i < peaks->count; i++)
        for (int isa = 0; isa < WEIR_ISA_COUNT; isa++) {
            const bench_peak *p = &peaks->at[i].peak;
            if (!(p->gflops[isa] > 0))
                continue;
            weir_output_row(o);
            weir_output_int(o, "threads", peaks->at[i].threads);
            weir_output_text(o, "instructions", weir_isa_name((weir_isa)isa));
            weir_output_real(o, "gflops", p->gflops[isa]);
            weir_output_real(o, "memory_gb_per_s", p->gbytes);
            show_real(o, "between_processors_ns", p->trip_ns);
        }
}

static void show_data(const measurements *all, const machine_peaks *peaks, int format,
                      bool compared)
{
    weir_output *o = weir_output_begin(format);
    weir_output_table(o, "steps");
    for (size_t i = 0; i < all->count; i++) {
        const measurement *m = &all->at[i];
        weir_output_row(o);
        weir_output_text(o, "workload", m->workload);
        weir_output_text(o, "peer", m->peer);
        weir_output_int(o, "threads", m->threads);
        for (int k = 0; k < COLUMNS; k++) {
            if (columns[k].compared && !compared)
                continue;
            show_real(o, columns[k].key, value(m, &columns[k]));
        }
        if (compared)
            weir_output_text(o, "verdict", verdict(m));
        weir_output_text(o, "failure", m->r.failure);
    }
    show_peaks(o, peaks);
    weir_output_end(o);
}

/* ---- as a report ---------------------------------------------------------------------------- */

static weir_table *report_table(const measurements *all, weir_report *r, bool compared)
{
    weir_table *t = weir_report_table(
        r, "steps",
        "Medians and quartiles over alternating rounds. Arithmetic counts matrix products and "
        "convolutions; the limit is the larger of what they take at the FMA peak and of what "
        "moving "
        "the variables once each way takes at the memory's rate.");
    weir_table_column(t, WEIR_COLUMN_TEXT, "workload", NULL);
    weir_table_column(t, WEIR_COLUMN_TEXT, "peer", NULL);
    weir_table_column(t, WEIR_COLUMN_NUMBER, "threads", NULL);
    for (int k = 0; k < COLUMNS; k++)
        if (!columns[k].compared || compared)
            weir_table_column(t, WEIR_COLUMN_NUMBER, columns[k].title, columns[k].unit);
    weir_table_column(t, WEIR_COLUMN_TEXT, compared ? "verdict" : "remark", NULL);
    for (size_t i = 0; i < all->count; i++) {
        const measurement *m = &all->at[i];
        weir_table_text(t, "%s", m->workload);
        weir_table_text(t, "%s", m->peer);
        weir_table_number(t, m->threads);
        for (int k = 0; k < COLUMNS; k++)
            if (!columns[k].compared || compared)
                weir_table_number(t, value(m, &columns[k]));
        weir_table_text(t, "%s", m->r.failure ? m->r.failure : compared ? verdict(m) : "");
        weir_table_mark(t, m->r.failure ? -1 : compared ? news(m) : 0);
    }
    return t;
}

/* Which series or category a measurement belongs to: how many different ones came before. */
static int find_text(const char **seen, int *count, const char *text)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(seen[i], text) == 0)
            return i;
    seen[*count] = text;
    return (*count)++;
}

static void report_figure(const measurements *all, weir_report *r)
{
    weir_figure *f = weir_report_figure(r, "relative", WEIR_BARS,
                                        "Step times as multiples of the first peer's; lower is "
                                        "quicker.",
                                        "workload");
    weir_panel panel = weir_figure_panel(f, "Step", "times the first");
    const char **workloads = WEIR_NEW_ARRAY(const char *, all->count);
    const char **peers = WEIR_NEW_ARRAY(const char *, all->count);
    int workload_count = 0, peer_count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const measurement *m = &all->at[i];
        int before = workload_count, before_peers = peer_count;
        if (m->threads != all->at[0].threads)
            continue;
        int at = find_text(workloads, &workload_count, m->workload);
        int line = find_text(peers, &peer_count, m->peer);
        if (workload_count > before)
            weir_figure_category(f, "%s", m->workload);
        if (peer_count > before_peers)
            weir_figure_series(f, panel, m->peer, 0);
        weir_figure_point(f, line, at, m->times_first);
    }
    weir_free(workloads);
    weir_free(peers);
}

static weir_table *report_peaks(const machine_peaks *peaks, weir_report *r)
{
    weir_table *t = weir_report_table(r, "peaks",
                                      "What this machine did at best when asked for nothing else, "
                                      "just before.");
    weir_table_column(t, WEIR_COLUMN_NUMBER, "threads", NULL);
    weir_table_column(t, WEIR_COLUMN_TEXT, "instructions", NULL);
    weir_table_column(t, WEIR_COLUMN_NUMBER, "multiply and add", "GFLOP/s");
    weir_table_column(t, WEIR_COLUMN_NUMBER, "memory", "GB/s");
    weir_table_column(t, WEIR_COLUMN_NUMBER, "between processors", "ns");
    for (size_t i = 0; i < peaks->count; i++)
        for (int isa = 0; isa < WEIR_ISA_COUNT; isa++) {
            const bench_peak *p = &peaks->at[i].peak;
            if (!(p->gflops[isa] > 0))
                continue;
            weir_table_number(t, peaks->at[i].threads);
            weir_table_text(t, "%s", weir_isa_name((weir_isa)isa));
            weir_table_number(t, p->gflops[isa]);
            weir_table_number(t, p->gbytes);
            weir_table_number(t, p->trip_ns);
        }
    return t;
}

/* For a terminal: the report's tables. */
static void show_tables(const measurements *all, const machine_peaks *peaks, bool compared)
{
    WEIR_BUF(text);
    WEIR_OWNED(weir_report) r = weir_report_new("", "");
    weir_table_print(report_table(all, r, compared), &text);
    weir_buf_addc(&text, '\n');
    weir_table_print(report_peaks(peaks, r), &text);
    fputs(text.at, stdout);
}

void measurements_show(const measurements *all, const machine_peaks *peaks, int format,
                       bool compared)
{
    if (format == WEIR_OUTPUT_TABLE)
        show_tables(all, peaks, compared);
    else
        show_data(all, peaks, format, compared);
}

weir_status measurements_report(const measurements *all, const machine_peaks *peaks,
                                const char *command, const char *folder, bool compared)
{
    WEIR_OWNED(weir_report)
    r = weir_report_new("Step times", "Workloads on peers, in alternating "
                                      "rounds, each in a process of its "
                                      "own");
    weir_report_fact(r, "Command", "%s", command);
    weir_report_machine(r);
    weir_report_section(r, "Steps");
    report_table(all, r, compared);
    if (all->count > 1 && strcmp(all->at[0].peer, all->at[1].peer) != 0)
        report_figure(all, r); /* there is more than one peer */
    weir_report_section(r, "The machine");
    report_peaks(peaks, r);
    return weir_report_write(r, folder);
}
