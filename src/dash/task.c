/* dash/task.c - a task in one JSON object. */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/pool.h"
#include "dash/dash_impl.h"
#include "memory/buffer.h"
#include "observe/account.h"
#include "observe/host.h"
#include "observe/traffic.h"
#include "wire/json.h"

enum { CAUSES_SHOWN = 40 };

static void put_name(const weir_dash *dash, weir_buf *out)
{
    const dash_task *own = &dash->tasks[dash->own];
    const char *listens = atomic_load(&dash->listens);
    weir_buf_adds(out, "{\"job\":");
    weir_json_put_string(out, weir_str_of(own->job));
    weir_buf_addf(out, ",\"index\":%d,\"address\":", own->index);
    weir_json_put_string(out, weir_str_of(listens ? listens : own->address));
    weir_buf_addf(out,
                  ",\"state\":\"up\",\"pid\":%d,\"now_us\":%" PRId64 ",\"start_us\":%" PRId64
                  ",\"threads\":%d",
                  (int)getpid(), weir_wall_us(), dash->start_us,
                  weir_pool_threads(weir_pool_shared()));
}

static void put_steps(weir_buf *out)
{
    weir_account_totals totals = weir_account_get_totals();
    weir_buf_addf(out,
                  ",\"steps\":%" PRId64 ",\"failed\":%" PRId64 ",\"in_flight\":%" PRId64
                  ",\"step_s\":%.6f,\"between_s\":%.6f,\"send_s\":%.6f,\"schedule_s\":%.6f",
                  totals.steps, totals.failed, totals.live, (double)totals.step_ns * 1e-9,
                  (double)totals.between_ns * 1e-9, (double)totals.send_ns * 1e-9,
                  (double)totals.schedule_ns * 1e-9);
    for (int i = 0; i < WEIR_WAITS; i++)
        weir_buf_addf(out, ",\"wait_%s_s\":%.6f", weir_wait_names[i],
                      (double)totals.wait_ns[i] * 1e-9);
}

static void put_host(weir_buf *out)
{
    weir_host_sample last;
    if (!weir_host_last(&last))
        return;
    if (last.gpus > 0)
        weir_buf_addf(out, ",\"gpus\":%.0f,\"gpu_busy\":%.2f,\"gpu_memory\":%.0f", last.gpus,
                      last.gpu_busy, last.gpu_memory_bytes);
    weir_buf_addf(out,
                  ",\"cpu_s\":%.3f,\"memory\":%.0f,\"host_cpu_s\":%.3f,\"host_memory\":%.0f,"
                  "\"disk_read\":%.0f,\"disk_written\":%.0f,\"wire_in\":%.0f,\"wire_out\":%.0f,"
                  "\"loopback\":%.0f,\"host_cores\":%ld",
                  last.own_cpu_s, last.own_memory_bytes, last.cpu_s, last.memory_bytes,
                  last.disk_read, last.disk_written, last.wire_in, last.wire_out, last.loop_in,
                  sysconf(_SC_NPROCESSORS_ONLN));
}

static void put_traffic(void *arg, const weir_traffic *traffic)
{
    weir_buf *out = arg;
    weir_buf_adds(out, "{\"peer\":");
    weir_json_put_string(out, weir_str_of(traffic->peer));
    weir_buf_addf(out, ",\"transport\":\"%s\",\"in\":%" PRId64 ",\"out\":%" PRId64 "},",
                  traffic->transport, traffic->in_bytes, traffic->out_bytes);
}

static int by_time(const void *a, const void *b)
{
    int64_t first = ((const weir_cause *)a)->ns, second = ((const weir_cause *)b)->ns;
    return first < second ? 1 : first > second ? -1 : 0;
}

static void put_cause(const weir_cause *cause, weir_buf *out)
{
    weir_buf_addf(out, "{\"kind\":\"%s\",\"name\":", weir_wait_names[cause->kind]);
    weir_json_put_string(out, weir_str_of(cause->name));
    weir_buf_adds(out, ",\"op\":");
    weir_json_put_string(out, weir_str_of(cause->op));
    weir_buf_addf(out, ",\"s\":%.6f,\"count\":%" PRId64 "},", (double)cause->ns * 1e-9,
                  cause->count);
}

/* Sorted by waiting time, longest first. */
static void put_causes(weir_buf *out)
{
    weir_cause all[WEIR_CAUSES];
    int count = weir_cause_count();
    for (int i = 0; i < count; i++)
        all[i] = weir_cause_get(i);
    qsort(all, (size_t)count, sizeof *all, by_time);
    for (int i = 0; i < count && i < CAUSES_SHOWN && all[i].ns; i++)
        put_cause(&all[i], out);
}

/* Closes a list whose entries end with commas. */
static void close_list(weir_buf *out)
{
    if (out->at[out->length - 1] == ',')
        out->length--;
    weir_buf_addc(out, ']');
}

void dash_put_task(weir_dash *dash, weir_buf *out)
{
    weir_buffer_stats memory = weir_buffer_get_stats();
    put_name(dash, out);
    put_steps(out);
    put_host(out);
    weir_buf_addf(out, ",\"tensor_memory\":%zu,\"tensor_peak\":%zu", memory.live_bytes,
                  memory.peak_bytes);
    for (int i = 0; i < WEIR_METRIC_COUNT; i++)
        weir_buf_addf(out, ",\"%s\":%" PRId64, weir_metric_names[i],
                      weir_metric_get((weir_metric)i));
    weir_buf_adds(out, ",\"traffic\":[");
    weir_traffic_each(put_traffic, out);
    close_list(out);
    weir_buf_adds(out, ",\"causes\":[");
    put_causes(out);
    close_list(out);
    weir_buf_adds(out, ",\"queues\":");
    dash_queue_sums sums = dash_put_queues(dash, out);
    weir_buf_addf(out, ",\"variables\":%" PRId64 ",\"variable_bytes\":%" PRId64 "}", sums.variables,
                  sums.variable_bytes);
}

void dash_get_task(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    dash_put_task(dash, &reply->body);
    dash_json(reply);
}
