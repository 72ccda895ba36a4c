/* dash/lists.c - steps, samples, marks and log lines after a number. */
#include <inttypes.h>

#include "base/clock.h"
#include "base/mem.h"
#include "dash/dash_impl.h"
#include "observe/account.h"
#include "observe/host.h"
#include "observe/marks.h"
#include "wire/json.h"

int64_t dash_wall_offset_us(void)
{
    return weir_wall_us() - weir_now_ns() / 1000;
}

static void drop_comma(weir_buf *out)
{
    if (out->at[out->length - 1] == ',')
        out->length--;
}

/* [number, start us, duration, between, waits by kind, sends, scheduling, cause, its time, plan,
 * failed]; times in microseconds */
static void put_step(const weir_step_entry *step, int64_t offset_us, weir_buf *out)
{
    weir_buf_addf(out, "[%" PRId64 ",%" PRId64 ",%.1f,%.1f", step->number,
                  step->start_ns / 1000 + offset_us, (double)(step->end_ns - step->start_ns) * 1e-3,
                  (double)step->between_ns * 1e-3);
    for (int i = 0; i < WEIR_WAITS; i++)
        weir_buf_addf(out, ",%.1f", (double)step->wait_ns[i] * 1e-3);
    weir_buf_addf(out, ",%.1f,%.1f,%d,%.1f,%d,%d],", (double)step->send_ns * 1e-3,
                  (double)step->schedule_ns * 1e-3, step->cause, (double)step->cause_ns * 1e-3,
                  step->plan, step->failed);
}

static void put_steps(int64_t since, size_t most, weir_buf *out)
{
    weir_step_entry *steps = WEIR_NEW_ARRAY(weir_step_entry, most);
    size_t count = weir_account_steps(since, steps, most);
    int64_t offset = dash_wall_offset_us();
    for (size_t i = 0; i < count; i++)
        put_step(&steps[i], offset, out);
    drop_comma(out);
    weir_free(steps);
}

static void put_cause_names(weir_buf *out)
{
    int count = weir_cause_count();
    for (int i = 0; i < count; i++) {
        weir_json_put_string(out, weir_str_of(weir_cause_get(i).name));
        weir_buf_addc(out, ',');
    }
    drop_comma(out);
}

static size_t limited(int64_t wanted, int64_t most)
{
    return (size_t)(wanted < 1 ? 1 : wanted > most ? most : wanted);
}

void dash_get_steps(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_buf *out = &reply->body;
    size_t most = limited(dash_number(request, "most", 1000), WEIR_STEPS_KEPT);
    weir_buf_adds(out, "{\"columns\":[\"number\",\"start_us\",\"us\",\"between_us\","
                       "\"recv_us\",\"resource_us\",\"other_us\",\"send_us\",\"schedule_us\","
                       "\"cause\",\"cause_us\",\"plan\",\"failed\"],\"steps\":[");
    put_steps(dash_number(request, "since", 0), most, out);
    weir_buf_adds(out, "],\"causes\":[");
    put_cause_names(out);
    weir_buf_adds(out, "]}");
    dash_json(reply);
}

/* Counters as read, in the order of weir_host_sample. */
static void put_sample(const weir_host_sample *sample, int64_t offset_us, weir_buf *out)
{
    weir_buf_addf(out,
                  "[%" PRId64 ",%" PRId64 ",%.2f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.3f,%.0f,%.0f,%.0f,"
                  "%.0f,%.2f,%.0f,%.1f,%.0f],",
                  sample->number, sample->ns / 1000 + offset_us, sample->cpu_s,
                  sample->memory_bytes, sample->disk_read, sample->disk_written, sample->wire_in,
                  sample->wire_out, sample->loop_in, sample->own_cpu_s, sample->own_memory_bytes,
                  sample->own_read, sample->own_written, sample->gpus, sample->gpu_busy,
                  sample->gpu_memory_bytes, (double)sample->gpu_watts, (double)sample->gpu_celsius);
}

void dash_get_host(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_buf *out = &reply->body;
    size_t most = limited(dash_number(request, "most", 600), WEIR_HOST_KEPT);
    weir_host_sample *samples = WEIR_NEW_ARRAY(weir_host_sample, most);
    size_t count = weir_host_list(dash_number(request, "since", 0),
                                  (int)dash_number(request, "every", 1), samples, most);
    float cores[WEIR_HOST_CORES];
    int core_count = weir_host_cores(cores, WEIR_HOST_CORES);
    weir_buf_adds(out, "{\"columns\":[\"number\",\"us\",\"cpu_s\",\"memory\",\"disk_read\","
                       "\"disk_written\",\"wire_in\",\"wire_out\",\"loopback\",\"own_cpu_s\","
                       "\"own_memory\",\"own_read\",\"own_written\",\"gpus\",\"gpu_busy\","
                       "\"gpu_memory\",\"gpu_watts\",\"gpu_celsius\"],\"cores\":[");
    for (int i = 0; i < core_count; i++)
        weir_buf_addf(out, "%s%.2f", i ? "," : "", (double)cores[i]);
    weir_buf_adds(out, "],\"samples\":[");
    for (size_t i = 0; i < count; i++)
        put_sample(&samples[i], dash_wall_offset_us(), out);
    drop_comma(out);
    weir_buf_adds(out, "]}");
    weir_free(samples);
    dash_json(reply);
}

static void put_marks(const weir_mark *marks, size_t count, weir_buf *out)
{
    int64_t offset = dash_wall_offset_us();
    weir_buf_addc(out, '[');
    for (size_t i = 0; i < count; i++) {
        weir_buf_addf(out, "%s{\"number\":%" PRId64 ",\"us\":%" PRId64 ",\"kind\":\"%s\",\"text\":",
                      i ? "," : "", marks[i].number, marks[i].ns / 1000 + offset, marks[i].kind);
        weir_json_put_string(out, weir_str_of(marks[i].text));
        weir_buf_addc(out, '}');
    }
    weir_buf_addc(out, ']');
}

void dash_get_marks(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_mark *marks = WEIR_NEW_ARRAY(weir_mark, WEIR_MARKS_KEPT);
    size_t count = weir_mark_list(dash_number(request, "since", 0), marks, WEIR_MARKS_KEPT);
    put_marks(marks, count, &reply->body);
    weir_free(marks);
    dash_json(reply);
}

void dash_get_log(weir_dash *dash, const weir_http_request *request, weir_http_reply *reply)
{
    weir_mark *lines = WEIR_NEW_ARRAY(weir_mark, WEIR_LINES_KEPT);
    size_t count = weir_lines_list(dash_number(request, "since", 0), lines, WEIR_LINES_KEPT);
    put_marks(lines, count, &reply->body);
    weir_free(lines);
    dash_json(reply);
}

/* One event: the task, and the steps since the last one. */
void dash_put_event(weir_dash *dash, int64_t *cursor, weir_buf *out)
{
    enum { MOST = 200 };
    int64_t last = weir_account_get_totals().steps;
    weir_buf_addf(out, "id: %" PRId64 "\ndata: {\"task\":", last);
    dash_put_task(dash, out);
    weir_buf_adds(out, ",\"steps\":[");
    put_steps(*cursor ? *cursor : last - MOST, MOST, out);
    weir_buf_adds(out, "]}\n\n");
    *cursor = last;
}
