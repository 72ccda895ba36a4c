/* dash/metrics.c - Prometheus's text format: base units, job and task on every series. */
#include <inttypes.h>
#include <stdio.h>

#include "base/metric.h"
#include "dash/dash_impl.h"
#include "memory/buffer.h"
#include "observe/account.h"
#include "observe/host.h"
#include "observe/marks.h"
#include "observe/traffic.h"

typedef struct metrics_page {
    weir_buf *out;
    weir_buf labels; /* job="worker",task="0" */
} metrics_page;

/* Backslashes, quotes and line ends of a label's value are escaped. */
static void put_escaped(weir_buf *out, weir_str text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] == '\n') {
            weir_buf_adds(out, "\\n");
            continue;
        }
        if (text.at[i] == '\\' || text.at[i] == '"')
            weir_buf_addc(out, '\\');
        weir_buf_addc(out, text.at[i]);
    }
}

static void head(metrics_page *page, const char *name, const char *type, const char *help)
{
    weir_buf_addf(page->out, "# HELP %s %s.\n# TYPE %s %s\n", name, help, name, type);
}

/* A series with up to two labels of its own; null: none. */
static void series(metrics_page *page, const char *name, const char *label, weir_str value,
                   const char *other, weir_str other_value, double number)
{
    weir_buf *out = page->out;
    weir_buf_addf(out, "%s{%.*s", name, (int)page->labels.length, page->labels.at);
    if (label) {
        weir_buf_addf(out, ",%s=\"", label);
        put_escaped(out, value);
        weir_buf_addc(out, '"');
    }
    if (other) {
        weir_buf_addf(out, ",%s=\"", other);
        put_escaped(out, other_value);
        weir_buf_addc(out, '"');
    }
    weir_buf_addf(out, "} %.17g\n", number);
}

static void plain(metrics_page *page, const char *name, const char *type, const char *help,
                  double number)
{
    head(page, name, type, help);
    series(page, name, NULL, (weir_str){0}, NULL, (weir_str){0}, number);
}

/* ---- steps -------------------------------------------------------------------------------------
 */

static void put_histogram(metrics_page *page, const weir_account_totals *totals)
{
    static const char name[] = "weir_step_duration_seconds";
    int64_t below = 0;
    head(page, name, "histogram", "How long steps took");
    for (int i = 0; i < 16; i++) {
        char bound[24];
        below += totals->buckets[i];
        snprintf(bound, sizeof bound, "%g", weir_step_bounds[i]);
        series(page, "weir_step_duration_seconds_bucket", "le", weir_str_of(bound), NULL,
               (weir_str){0}, (double)below);
    }
    series(page, "weir_step_duration_seconds_bucket", "le", WEIR_STR("+Inf"), NULL, (weir_str){0},
           (double)totals->steps);
    series(page, "weir_step_duration_seconds_sum", NULL, (weir_str){0}, NULL, (weir_str){0},
           (double)totals->step_ns * 1e-9);
    series(page, "weir_step_duration_seconds_count", NULL, (weir_str){0}, NULL, (weir_str){0},
           (double)totals->steps);
}

static void put_steps(metrics_page *page)
{
    weir_account_totals totals = weir_account_get_totals();
    plain(page, "weir_steps_total", "counter", "Steps that ended", (double)totals.steps);
    plain(page, "weir_steps_failed_total", "counter", "Steps that failed", (double)totals.failed);
    plain(page, "weir_steps_in_flight", "gauge", "Steps that run now", (double)totals.live);
    put_histogram(page, &totals);
    head(page, "weir_step_wait_seconds_total", "counter",
         "Time of steps with nothing to do but wait, by what for");
    for (int i = 0; i < WEIR_WAITS; i++)
        series(page, "weir_step_wait_seconds_total", "kind", weir_str_of(weir_wait_names[i]), NULL,
               (weir_str){0}, (double)totals.wait_ns[i] * 1e-9);
    plain(page, "weir_step_send_seconds_total", "counter", "Time of steps in sends",
          (double)totals.send_ns * 1e-9);
    plain(page, "weir_step_schedule_seconds_total", "counter",
          "Time of steps from having something to do to a thread doing it",
          (double)totals.schedule_ns * 1e-9);
    plain(page, "weir_between_steps_seconds_total", "counter", "Time in which no step ran",
          (double)totals.between_ns * 1e-9);
}

static void put_causes(metrics_page *page)
{
    int count = weir_cause_count();
    head(page, "weir_wait_on_seconds_total", "counter",
         "Time of steps that waited for one task or one resource");
    for (int i = 0; i < count; i++) {
        weir_cause cause = weir_cause_get(i);
        if (cause.kind != WEIR_WAIT_OTHER && cause.ns)
            series(page, "weir_wait_on_seconds_total", "on", weir_str_of(cause.name), "kind",
                   weir_str_of(weir_wait_names[cause.kind]), (double)cause.ns * 1e-9);
    }
}

/* ---- bytes between tasks, queues ----------------------------------------------------------------
 */

static void put_in(void *arg, const weir_traffic *traffic)
{
    series(arg, "weir_peer_received_bytes_total", "peer", weir_str_of(traffic->peer), "transport",
           weir_str_of(traffic->transport), (double)traffic->in_bytes);
}

static void put_out(void *arg, const weir_traffic *traffic)
{
    series(arg, "weir_peer_sent_bytes_total", "peer", weir_str_of(traffic->peer), "transport",
           weir_str_of(traffic->transport), (double)traffic->out_bytes);
}

static void put_traffic(metrics_page *page)
{
    head(page, "weir_peer_received_bytes_total", "counter",
         "Bytes of tensors that came from another task");
    weir_traffic_each(put_in, page);
    head(page, "weir_peer_sent_bytes_total", "counter",
         "Bytes of tensors that went to another task");
    weir_traffic_each(put_out, page);
}

static void put_queue(void *arg, weir_str name, int64_t size, int64_t capacity)
{
    series(arg, "weir_queue_elements", "queue", name, NULL, (weir_str){0}, (double)size);
}

static void put_state(weir_dash *dash, metrics_page *page)
{
    WEIR_BUF(unused);
    weir_buffer_stats memory = weir_buffer_get_stats();
    dash_queue_sums sums = dash_put_queues(dash, &unused);
    head(page, "weir_queue_elements", "gauge", "Elements that a queue holds");
    dash_each_queue(dash, put_queue, page);
    plain(page, "weir_variables", "gauge", "Variables of this task", (double)sums.variables);
    plain(page, "weir_variables_bytes", "gauge", "Bytes of the variables of this task",
          (double)sums.variable_bytes);
    plain(page, "weir_tensor_memory_bytes", "gauge", "Memory of large tensors that live",
          (double)memory.live_bytes);
    plain(page, "weir_tensor_memory_peak_bytes", "gauge",
          "The most memory that large tensors have had", (double)memory.peak_bytes);
}

/* ---- counters, the host -------------------------------------------------------------------------
 */

static void put_counters(metrics_page *page)
{
    for (int i = 0; i < WEIR_METRIC_COUNT; i++)
        plain(page, weir_metric_names[i], "counter", weir_metric_helps[i],
              (double)weir_metric_get((weir_metric)i));
    plain(page, "weir_sessions_changed_total", "counter", "Sessions opened and closed",
          (double)weir_mark_count("session"));
}

static void put_gpus(const weir_host_sample *last, metrics_page *page)
{
    plain(page, "weir_host_gpus", "gauge", "GPUs of the host that answer", last->gpus);
    plain(page, "weir_host_gpu_busy_ratio", "gauge",
          "Share of time that the GPUs of the host had a kernel at work, on average",
          last->gpu_busy / last->gpus);
    plain(page, "weir_host_gpu_memory_used_bytes", "gauge", "Memory in use of the host's GPUs",
          last->gpu_memory_bytes);
    plain(page, "weir_host_gpu_power_watts", "gauge", "Power that the host's GPUs draw together",
          (double)last->gpu_watts);
    plain(page, "weir_host_gpu_temperature_celsius", "gauge", "Temperature of the hottest GPU",
          (double)last->gpu_celsius);
}

static void put_host(weir_dash *dash, metrics_page *page)
{
    weir_host_sample last;
    plain(page, "process_start_time_seconds", "gauge", "When the task started, since the epoch",
          (double)dash->start_us * 1e-6);
    if (!weir_host_last(&last))
        return;
    plain(page, "process_cpu_seconds_total", "counter", "Processor time of the task",
          last.own_cpu_s);
    plain(page, "process_resident_memory_bytes", "gauge", "Resident memory of the task",
          last.own_memory_bytes);
    plain(page, "weir_disk_read_bytes_total", "counter", "Bytes that the task read from disks",
          last.own_read);
    plain(page, "weir_disk_written_bytes_total", "counter", "Bytes that the task wrote to disks",
          last.own_written);
    plain(page, "weir_host_cpu_seconds_total", "counter", "Busy time of all processors of the host",
          last.cpu_s);
    plain(page, "weir_host_memory_used_bytes", "gauge", "Memory of the host that is not available",
          last.memory_bytes);
    head(page, "weir_host_network_received_bytes_total", "counter",
         "Bytes that the host received, by the wire and by loopback");
    series(page, "weir_host_network_received_bytes_total", "by", WEIR_STR("wire"), NULL,
           (weir_str){0}, last.wire_in);
    series(page, "weir_host_network_received_bytes_total", "by", WEIR_STR("loopback"), NULL,
           (weir_str){0}, last.loop_in);
    plain(page, "weir_host_network_sent_bytes_total", "counter",
          "Bytes that the host sent by the wire", last.wire_out);
    if (last.gpus > 0)
        put_gpus(&last, page);
}

void dash_get_metrics(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    const dash_task *own = &dash->tasks[dash->own];
    metrics_page page = {.out = &reply->body};
    weir_buf_adds(&page.labels, "job=\"");
    put_escaped(&page.labels, weir_str_of(own->job));
    weir_buf_addf(&page.labels, "\",task=\"%d\"", own->index);
    put_steps(&page);
    put_causes(&page);
    put_traffic(&page);
    put_state(dash, &page);
    put_counters(&page);
    put_host(dash, &page);
    weir_buf_fini(&page.labels);
    reply->type = "text/plain; version=0.0.4; charset=utf-8";
}
