/* exec/stats_events.c - a traced step in Chrome's format: its ops, and when each became ready.
 *
 * A node is ready when its last predecessor has ended. The time from then until its start is the
 * scheduler's; before, it waited for other nodes. Nodes that are not recorded, because they only
 * forward values, take no time.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "exec/stats_impl.h"
#include "exec/step_impl.h"
#include "wire/json.h"

enum { MOST_HANDED_ON = 64 }; /* consecutive nodes that only forward a value */

typedef struct readiness {
    const weir_plan *plan;
    int64_t *ready_ns; /* by node: arrival of its latest input so far */
    bool *recorded;
} readiness;

/* ---- times when nodes became ready -------------------------------------------------------------
 */

static int by_start(const void *a, const void *b)
{
    const stats_record *first = *(stats_record *const *)a, *second = *(stats_record *const *)b;
    return first->start_ns < second->start_ns ? -1 : first->start_ns > second->start_ns;
}

static int by_end(const void *a, const void *b)
{
    const stats_record *first = *(stats_record *const *)a, *second = *(stats_record *const *)b;
    return first->end_ns < second->end_ns ? -1 : first->end_ns > second->end_ns;
}

/* Node |index| ended at |ns|: its successors have one more input. */
static void note_end(readiness *all, int32_t index, int64_t ns, int depth)
{
    const plan_node *node = &all->plan->nodes[index];
    for (int32_t i = 0; i < node->use_count; i++) {
        int32_t user = node->uses[i].node;
        if (all->ready_ns[user] >= ns)
            continue;
        all->ready_ns[user] = ns;
        if (!all->recorded[user] && depth < MOST_HANDED_ON)
            note_end(all, user, ns, depth + 1);
    }
}

/* Sorted records; |count| of them. */
static const stats_record **sorted(const weir_collector *c,
                                   int (*order)(const void *, const void *))
{
    const stats_record **all = WEIR_NEW_ARRAY(const stats_record *, c->records.count + 1);
    for (size_t i = 0; i < c->records.count; i++)
        all[i] = &c->records.at[i];
    qsort(all, c->records.count, sizeof *all, order);
    return all;
}

/* Numbers of nodes by name, from 1. */
static weir_map number_nodes(const weir_plan *plan)
{
    weir_map numbers = {0};
    for (int32_t i = 0; i < plan->node_count; i++)
        weir_map_put(&numbers, weir_str_of(plan->nodes[i].site->name), (void *)(intptr_t)(i + 1));
    return numbers;
}

static int32_t node_of(const weir_map *numbers, const stats_record *record)
{
    return (int32_t)(intptr_t)weir_map_get(numbers, weir_str_of(record->name)) - 1;
}

/* Walks through the step's time, and sets |out_ready|, by record. A node without inputs is ready
 * when the step starts; for a node that is not in the plan only its start is known. */
static void find_ready(const weir_collector *c, const weir_plan *plan, int64_t begin_ns,
                       int64_t *out_ready)
{
    weir_map numbers = number_nodes(plan);
    readiness all = {plan, WEIR_NEW_ARRAY(int64_t, plan->node_count + 1),
                     WEIR_NEW_ARRAY(bool, plan->node_count + 1)};
    const stats_record **starts = sorted(c, by_start), **ends = sorted(c, by_end);
    for (int32_t i = 0; i < plan->node_count; i++)
        all.ready_ns[i] = begin_ns;
    for (size_t i = 0; i < c->records.count; i++)
        if (node_of(&numbers, starts[i]) >= 0)
            all.recorded[node_of(&numbers, starts[i])] = true;
    for (size_t i = 0, ended = 0; i < c->records.count; i++) {
        for (; ended < c->records.count && ends[ended]->end_ns <= starts[i]->start_ns; ended++)
            if (node_of(&numbers, ends[ended]) >= 0)
                note_end(&all, node_of(&numbers, ends[ended]), ends[ended]->end_ns, 0);
        int32_t node = node_of(&numbers, starts[i]);
        out_ready[starts[i] - c->records.at] = node < 0 ? starts[i]->start_ns : all.ready_ns[node];
    }
    weir_free(starts);
    weir_free(ends);
    weir_free(all.ready_ns);
    weir_free(all.recorded);
    weir_map_fini(&numbers);
}

/* ---- events ------------------------------------------------------------------------------------
 */

/* A member in microseconds with nanosecond precision, more than a double has. */
static void put_us(weir_buf *out, const char *name, int64_t ns)
{
    weir_buf_addf(out, "\"%s\":%" PRId64 ".%03d", name, ns / 1000, (int)(ns % 1000));
}

static void put_times(const weir_collector *c, int64_t start_ns, int64_t end_ns, weir_buf *out)
{
    put_us(out, "ts", start_ns + c->wall_offset_ns);
    weir_buf_addc(out, ',');
    put_us(out, "dur", end_ns - start_ns);
}

static void put_event(const weir_collector *c, const stats_record *r, int64_t ready_ns,
                      int64_t step_id, weir_buf *out)
{
    weir_buf_adds(out, "{\"ph\":\"X\",\"cat\":\"op\",\"name\":");
    weir_json_put_string(out, weir_str_of(r->op));
    weir_buf_addf(out, ",\"pid\":0,\"tid\":%u,", r->thread);
    put_times(c, r->start_ns, r->end_ns, out);
    weir_buf_adds(out, ",\"args\":{");
    put_us(out, "ready", ready_ns + c->wall_offset_ns);
    weir_buf_adds(out, ",\"node\":");
    weir_json_put_string(out, weir_str_of(r->name));
    weir_buf_addf(out, ",\"step_id\":\"%" PRId64 "\"", step_id);
    if (r->edge) {
        weir_buf_adds(out, ",\"edge\":");
        weir_json_put_string(out, weir_str_of(r->edge));
    }
    weir_buf_adds(out, "}},");
}

/* The executor's own work before the first node and after the last. */
static void put_phase(const weir_collector *c, const char *name, int64_t start_ns, int64_t end_ns,
                      int64_t step_id, weir_buf *out)
{
    if (!start_ns || end_ns <= start_ns)
        return;
    weir_buf_addf(out, "{\"ph\":\"X\",\"cat\":\"executor\",\"name\":\"%s\",\"pid\":0,\"tid\":0,",
                  name);
    put_times(c, start_ns, end_ns, out);
    weir_buf_addf(out, ",\"args\":{\"step_id\":\"%" PRId64 "\"}},", step_id);
}

void weir_step_events(const step *st, weir_buf *out)
{
    const weir_collector *c = st->run->collector;
    const weir_step_entry *entry = &st->live.entry;
    int64_t *ready = WEIR_NEW_ARRAY(int64_t, c->records.count + 1);
    find_ready(c, st->plan, st->begun_ns, ready);
    weir_buf_addf(
        out, "{\"ph\":\"X\",\"cat\":\"step\",\"name\":\"step %" PRId64 "\",\"pid\":0,\"tid\":0,",
        entry->number);
    put_times(c, entry->start_ns, entry->end_ns, out);
    weir_buf_addf(out, ",\"args\":{\"plan\":%d,\"step_id\":\"%" PRId64 "\"}},", entry->plan,
                  entry->step_id);
    put_phase(c, "prepare", entry->start_ns, st->begun_ns, entry->step_id, out);
    put_phase(c, "finish", st->over_ns, entry->end_ns, entry->step_id, out);
    for (size_t i = 0; i < c->records.count; i++) {
        const stats_record *record = &c->records.at[i];
        if (record->end_ns > record->start_ns || record->edge)
            put_event(c, record, ready[i], entry->step_id, out);
    }
    weir_free(ready);
}
