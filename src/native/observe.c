/* native/observe.c - weir/observe.h: this process's accounting data for its own program. */
#include "weir/observe.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/metric.h"
#include "memory/buffer.h"
#include "observe/account.h"
#include "observe/host.h"
#include "observe/traffic.h"

/* The remainder of |step_ns| is compute time. */
static weir_observed_time time_of(int64_t step_ns, const int64_t *waits, int64_t send_ns,
                                  int64_t schedule_ns, int64_t between_ns)
{
    weir_observed_time time = {.receive_ns = waits[WEIR_WAIT_RECV],
                               .resource_ns = waits[WEIR_WAIT_RESOURCE],
                               .other_ns = waits[WEIR_WAIT_OTHER],
                               .send_ns = send_ns,
                               .schedule_ns = schedule_ns,
                               .between_ns = between_ns};
    int64_t rest =
        step_ns - time.receive_ns - time.resource_ns - time.other_ns - send_ns - schedule_ns;
    time.compute_ns = rest > 0 ? rest : 0;
    return time;
}

static weir_observed_step step_of(const weir_step_entry *entry)
{
    return (weir_observed_step){
        .number = entry->number,
        .step_id = entry->step_id,
        .start_ns = entry->start_ns,
        .end_ns = entry->end_ns,
        .time = time_of(entry->end_ns - entry->start_ns, entry->wait_ns, entry->send_ns,
                        entry->schedule_ns, entry->between_ns),
        .waited_for = entry->cause < 0 ? "" : weir_cause_get(entry->cause).name,
        .waited_ns = entry->cause_ns,
        .plan = entry->plan,
        .failed = entry->failed,
    };
}

size_t weir_observe_steps(int64_t since, weir_observed_step *out, size_t room)
{
    room = room < WEIR_STEPS_KEPT ? room : WEIR_STEPS_KEPT;
    weir_step_entry *entries = WEIR_NEW_ARRAY(weir_step_entry, room + 1);
    size_t count = weir_account_steps(since, entries, room);
    for (size_t i = 0; i < count; i++)
        out[i] = step_of(&entries[i]);
    weir_free(entries);
    return count;
}

weir_observed_totals weir_observe_totals(void)
{
    weir_account_totals all = weir_account_get_totals();
    return (weir_observed_totals){
        .steps = all.steps,
        .failed = all.failed,
        .in_flight = all.live,
        .step_ns = all.step_ns,
        .time = time_of(all.step_ns, all.wait_ns, all.send_ns, all.schedule_ns, all.between_ns),
    };
}

char *weir_observe_in_flight(void)
{
    WEIR_BUF(json);
    weir_account_live(&json);
    return strndup(json.at, json.length);
}

size_t weir_observe_waits(weir_observed_wait *out, size_t room)
{
    size_t count = 0;
    int all = weir_cause_count();
    for (int i = 0; i < all && count < room; i++) {
        weir_cause cause = weir_cause_get(i);
        if (cause.count)
            out[count++] = (weir_observed_wait){weir_wait_names[cause.kind], cause.name, cause.op,
                                                cause.ns, cause.count};
    }
    return count;
}

typedef struct peer_list {
    weir_observed_peer *out;
    size_t count, room;
} peer_list;

static void add_peer(void *arg, const weir_traffic *traffic)
{
    peer_list *list = arg;
    if (list->count < list->room)
        list->out[list->count++] =
            (weir_observed_peer){traffic->peer,      traffic->transport, traffic->in_bytes,
                                 traffic->out_bytes, traffic->in_count,  traffic->out_count};
}

size_t weir_observe_peers(weir_observed_peer *out, size_t room)
{
    peer_list list = {.out = out, .room = room};
    weir_traffic_each(add_peer, &list);
    return list.count;
}

weir_observed_memory weir_observe_memory(void)
{
    weir_buffer_stats stats = weir_buffer_get_stats();
    return (weir_observed_memory){(int64_t)stats.live_bytes, (int64_t)stats.peak_bytes};
}

bool weir_observe_host(weir_observed_host *out)
{
    weir_host_sample last;
    weir_host_start();
    if (!weir_host_last(&last))
        return false;
    *out = (weir_observed_host){
        .ns = last.ns,
        .cpu_seconds = last.cpu_s,
        .memory_bytes = last.memory_bytes,
        .disk_read = last.disk_read,
        .disk_written = last.disk_written,
        .wire_in = last.wire_in,
        .wire_out = last.wire_out,
        .loopback = last.loop_in,
        .own_cpu_seconds = last.own_cpu_s,
        .own_memory_bytes = last.own_memory_bytes,
        .gpus = last.gpus,
        .gpu_busy = last.gpu_busy,
        .gpu_memory_bytes = last.gpu_memory_bytes,
    };
    return true;
}

int64_t weir_metric_value(const char *name)
{
    for (int i = 0; i < WEIR_METRIC_COUNT; i++)
        if (strcmp(weir_metric_names[i], name) == 0)
            return weir_metric_get((weir_metric)i);
    return -1;
}

const char *weir_metric_name(int index)
{
    return index >= 0 && index < WEIR_METRIC_COUNT ? weir_metric_names[index] : NULL;
}
