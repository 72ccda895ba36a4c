/* lab/bench/measure.c - derives values from the times, and shows them. */
#include "lab/bench/measure.h"

#include <math.h>

#include "command/output.h"
#include "command/terminal.h"
#include "lab/report/report.h"
#include "lab/sample/stats.h"

enum { NOISE = 2 }; /* percent; smaller differences count as no change */

void measurement_sum_up(measurement *result_row, const bench_peak *peak, const measurement *first)
{
    peer_result *result = &result_row->r;
    result_row->base_ms = result_row->change = NAN;
    result_row->step_ms = weir_quantile(result->steps.at, result->steps.count, 0.5);
    result_row->low_ms = weir_quantile(result->steps.at, result->steps.count, 0.25);
    result_row->high_ms = weir_quantile(result->steps.at, result->steps.count, 0.75);
    result_row->times_first = first ? result_row->step_ms / first->step_ms : NAN;
    double flops = first ? first->r.flops : result->flops,
           bytes = first ? first->r.bytes : result->bytes;
    if (first ? first->r.unknown : result->unknown)
        flops = 0; /* a part cannot be distinguished from the whole */
    double batch = first ? first->r.batch : result->batch;
    bool device = result->device_gflops > 0;
    double best = device ? result->device_gflops : peak->gflops[weir_cpu_isa()];
    double most_bytes = device ? result->device_gbytes : peak->gbytes;
    result_row->examples_per_s = batch * 1e3 / result_row->step_ms;
    result_row->gflops = flops > 0 ? flops * 1e-6 / result_row->step_ms : NAN;
    result_row->fma_share = result_row->gflops / best * 100;
    double limit_ms = fmax(flops * 1e-6 / best, bytes * 1e-6 / most_bytes);
    result_row->limit_share = limit_ms > 0 ? limit_ms / result_row->step_ms * 100 : NAN;
}

void measurements_fini(measurements *all)
{
    for (size_t i = 0; i < all->count; i++)
        peer_result_fini(&all->at[i].r);
    weir_vec_fini(all);
}

/* ---- columns --------------------------------------------------------------------------------- */

typedef struct shown {
    const char *key, *title, *unit;
    size_t at; /* offset of a double in the measurement */
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

static double value(const measurement *measurement, const shown *shown)
{
    return measurement->r.failure && !shown->compared
               ? NAN
               : *(const double *)((const char *)measurement + shown->at);
}

static const char *verdict(const measurement *measurement)
{
    if (measurement->r.failure)
        return "failed";
    if (isnan(measurement->change))
        return "new";
    return !measurement->differs || fabs(measurement->change) < NOISE ? "same"
           : measurement->change < 0                                  ? "faster"
                                                                      : "slower";
}

static int news(const measurement *measurement)
{
    const char *value = verdict(measurement);
    return strcmp(value, "faster") == 0 ? 1 : strcmp(value, "slower") == 0 ? -1 : 0;
}

/* ---- text output ----------------------------------------------------------------------------- */

static void show_real(weir_output *output, const char *key, double value)
{
    isfinite(value) ? weir_output_real(output, key, value) : weir_output_null(output, key);
}

static void show_peaks(weir_output *output, const machine_peaks *peaks)
{
    weir_output_table(output, "peaks");
    for (size_t i = 0; i < peaks->count; i++)
        for (int isa = 0; isa < WEIR_ISA_COUNT; isa++) {
            const bench_peak *peak = &peaks->at[i].peak;
            if (!(peak->gflops[isa] > 0))
                continue;
            weir_output_row(output);
            weir_output_int(output, "threads", peaks->at[i].threads);
            weir_output_text(output, "instructions", weir_isa_name((weir_isa)isa));
            weir_output_real(output, "gflops", peak->gflops[isa]);
            weir_output_real(output, "memory_gb_per_s", peak->gbytes);
            show_real(output, "between_processors_ns", peak->trip_ns);
        }
    for (size_t i = 0; i < peaks->count; i++) {
        if (!(peaks->at[i].device_gflops > 0))
            continue;
        weir_output_row(output);
        weir_output_int(output, "threads", peaks->at[i].threads);
        weir_output_text(output, "instructions", "device");
        weir_output_real(output, "gflops", peaks->at[i].device_gflops);
        weir_output_real(output, "memory_gb_per_s", peaks->at[i].device_gbytes);
        weir_output_null(output, "between_processors_ns");
    }
}

/* The kernels of a step on a device. */
static void show_kernels(weir_output *output, const measurements *all)
{
    bool any = false;
    for (size_t i = 0; i < all->count; i++)
        any |= all->at[i].r.kernels.count > 0;
    if (any)
        weir_output_table(output, "kernels");
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->at[i].r.kernels.count; k++) {
            const peer_kernel *kernel = &all->at[i].r.kernels.at[k];
            weir_output_row(output);
            weir_output_text(output, "workload", all->at[i].workload);
            weir_output_text(output, "kernel", kernel->name);
            weir_output_real(output, "calls", kernel->calls);
            weir_output_real(output, "ms", kernel->ms);
        }
}

static void show_data(const measurements *all, const machine_peaks *peaks, int format,
                      bool compared)
{
    weir_output *output = weir_output_begin(format);
    weir_output_table(output, "steps");
    for (size_t i = 0; i < all->count; i++) {
        const measurement *measurement = &all->at[i];
        weir_output_row(output);
        weir_output_text(output, "workload", measurement->workload);
        weir_output_text(output, "peer", measurement->peer);
        weir_output_int(output, "threads", measurement->threads);
        for (int k = 0; k < COLUMNS; k++) {
            if (columns[k].compared && !compared)
                continue;
            show_real(output, columns[k].key, value(measurement, &columns[k]));
        }
        if (compared)
            weir_output_text(output, "verdict", verdict(measurement));
        weir_output_text(output, "failure", measurement->r.failure);
    }
    show_kernels(output, all);
    show_peaks(output, peaks);
    weir_output_end(output);
}

/* ---- as a report ----------------------------------------------------------------------------- */

static weir_table *report_table(const measurements *all, weir_report *report, bool compared)
{
    weir_table *table = weir_report_table(
        report, "steps",
        "Medians and quartiles over alternating rounds. Arithmetic counts matrix products and "
        "convolutions; the limit is the larger of what they take at the FMA peak and of what "
        "moving "
        "the variables once each way takes at the memory's rate.");
    weir_table_column(table, WEIR_COLUMN_TEXT, "workload", NULL);
    weir_table_column(table, WEIR_COLUMN_TEXT, "peer", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "threads", NULL);
    for (int k = 0; k < COLUMNS; k++)
        if (!columns[k].compared || compared)
            weir_table_column(table, WEIR_COLUMN_NUMBER, columns[k].title, columns[k].unit);
    weir_table_column(table, WEIR_COLUMN_TEXT, compared ? "verdict" : "remark", NULL);
    for (size_t i = 0; i < all->count; i++) {
        const measurement *measurement = &all->at[i];
        weir_table_text(table, "%s", measurement->workload);
        weir_table_text(table, "%s", measurement->peer);
        weir_table_number(table, measurement->threads);
        for (int k = 0; k < COLUMNS; k++)
            if (!columns[k].compared || compared)
                weir_table_number(table, value(measurement, &columns[k]));
        weir_table_text(table, "%s",
                        measurement->r.failure ? measurement->r.failure
                        : compared             ? verdict(measurement)
                                               : "");
        weir_table_mark(table, measurement->r.failure ? -1 : compared ? news(measurement) : 0);
    }
    return table;
}

/* The series or category of a measurement: the index of its text among the distinct ones. */
static int find_text(const char **seen, int *count, const char *text)
{
    for (int i = 0; i < *count; i++)
        if (strcmp(seen[i], text) == 0)
            return i;
    seen[*count] = text;
    return (*count)++;
}

static void report_figure(const measurements *all, weir_report *report)
{
    weir_figure *figure =
        weir_report_figure(report, "relative", WEIR_BARS,
                           "Step times as multiples of the first peer's; lower is "
                           "quicker.",
                           "workload");
    weir_panel panel = weir_figure_panel(figure, "Step", "times the first");
    const char **workloads = WEIR_NEW_ARRAY(const char *, all->count);
    const char **peers = WEIR_NEW_ARRAY(const char *, all->count);
    int workload_count = 0, peer_count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const measurement *measurement = &all->at[i];
        int before = workload_count, before_peers = peer_count;
        if (measurement->threads != all->at[0].threads)
            continue;
        int at = find_text(workloads, &workload_count, measurement->workload);
        int line = find_text(peers, &peer_count, measurement->peer);
        if (workload_count > before)
            weir_figure_category(figure, "%s", measurement->workload);
        if (peer_count > before_peers)
            weir_figure_series(figure, panel, measurement->peer, 0);
        weir_figure_point(figure, line, at, measurement->times_first);
    }
    weir_free(workloads);
    weir_free(peers);
}

static weir_table *report_peaks(const machine_peaks *peaks, weir_report *report)
{
    weir_table *table =
        weir_report_table(report, "peaks",
                          "What this machine did at best when asked for nothing else, "
                          "just before.");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "threads", NULL);
    weir_table_column(table, WEIR_COLUMN_TEXT, "instructions", NULL);
    weir_table_column(table, WEIR_COLUMN_NUMBER, "multiply and add", "GFLOP/s");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "memory rate", "GB/s");
    weir_table_column(table, WEIR_COLUMN_NUMBER, "between processors", "ns");
    for (size_t i = 0; i < peaks->count; i++)
        for (int isa = 0; isa < WEIR_ISA_COUNT; isa++) {
            const bench_peak *peak = &peaks->at[i].peak;
            if (!(peak->gflops[isa] > 0))
                continue;
            weir_table_number(table, peaks->at[i].threads);
            weir_table_text(table, "%s", weir_isa_name((weir_isa)isa));
            weir_table_number(table, peak->gflops[isa]);
            weir_table_number(table, peak->gbytes);
            weir_table_number(table, peak->trip_ns);
        }
    for (size_t i = 0; i < peaks->count; i++) {
        if (!(peaks->at[i].device_gflops > 0))
            continue;
        weir_table_number(table, peaks->at[i].threads);
        weir_table_text(table, "device");
        weir_table_number(table, peaks->at[i].device_gflops);
        weir_table_number(table, peaks->at[i].device_gbytes);
        weir_table_number(table, NAN);
    }
    return table;
}

/* Renders the report's tables for a terminal. */
static void show_tables(const measurements *all, const machine_peaks *peaks, bool compared)
{
    WEIR_BUF(text);
    WEIR_OWNED(weir_report) report = weir_report_new("", "");
    weir_table_print(report_table(all, report, compared), weir_terminal_columns(stdout), &text);
    weir_buf_addc(&text, '\n');
    weir_table_print(report_peaks(peaks, report), weir_terminal_columns(stdout), &text);
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
    report = weir_report_new("Step times", "Workloads on peers, in alternating "
                                           "rounds, each in a process of its "
                                           "own");
    weir_report_fact(report, "Command", "%s", command);
    weir_report_fact(
        report, "Repeats",
        "each row is %d rounds, the peers taking turns; a step's time is the median of "
        "its steps, the spread their quartiles",
        MEASURE_ROUNDS);
    weir_report_machine(report);
    weir_report_section(report, "Steps");
    report_table(all, report, compared);
    if (all->count > 1 && strcmp(all->at[0].peer, all->at[1].peer) != 0)
        report_figure(all, report); /* there are several peers */
    weir_report_section(report, "The machine");
    report_peaks(peaks, report);
    return weir_report_write(report, folder);
}
