/* exec/observed.c - accounting of steps, and the list of all plans. */
#include "exec/observed.h"

#include <inttypes.h>

#include "base/clock.h"
#include "exec/stats.h"
#include "exec/step_impl.h"
#include "observe/trace.h"
#include "wire/json.h"

/* ---- causes of waits ----------------------------------------------------------------------------
 */

/* The task of a device name. */
static weir_str task_of(weir_str device)
{
    const char *at = device.length ? memmem(device.at, device.length, "/device:", 8) : NULL;
    return at ? (weir_str){device.at, (size_t)(at - device.at)} : device;
}

/* A receive has a sender; an op on a resource has its handle as the first input. */
int32_t weir_plan_node_cause(const weir_node *node)
{
    const weir_attr *sender = weir_node_attr(node, "send_device");
    if (sender)
        return weir_cause_number(WEIR_WAIT_RECV,
                                 task_of((weir_str){sender->s.at, sender->s.length}), WEIR_STR(""));
    const weir_node *handle = node->site.in_count ? node->in[0].node : NULL;
    int type = handle ? weir_dtype_base(node->site.in_types[0]) : WEIR_FLOAT;
    bool is_handle =
        type == WEIR_RESOURCE || (type == WEIR_STRING && weir_dtype_is_ref(node->site.in_types[0]));
    if (is_handle)
        return weir_cause_number(WEIR_WAIT_RESOURCE, weir_str_of(handle->site.name),
                                 weir_str_of(handle->site.def->name));
    return weir_cause_number(WEIR_WAIT_OTHER, weir_str_of(node->site.name),
                             weir_str_of(node->site.def->name));
}

/* ---- one step -----------------------------------------------------------------------------------
 */

/* "key":"text", */
static void put_text(weir_buf *out, const char *key, const char *text)
{
    weir_buf_addf(out, "\"%s\":", key);
    weir_json_put_string(out, weir_str_of(text));
    weir_buf_addc(out, ',');
}

static void put_wait(const step *st, const async_call *wait, int64_t now, weir_buf *out)
{
    const plan_node *node = &st->plan->nodes[wait->it.node];
    weir_cause cause = weir_cause_get(node->cause);
    weir_buf_addc(out, '{');
    put_text(out, "node", node->site->name);
    put_text(out, "op", node->site->def->name);
    put_text(out, "kind", weir_wait_names[cause.kind]);
    put_text(out, "for", cause.name);
    weir_buf_addf(out, "\"seconds\":%.6f},", (double)(now - wait->start_ns) * 1e-9);
}

static void describe(const weir_live_step *live, weir_buf *out)
{
    step *st = (step *)((char *)live - offsetof(step, live));
    enum { MOST = 50 };
    int64_t now = weir_now_ns();
    int count = 0;
    weir_mutex_lock(&st->lock);
    for (const async_call *wait = st->waits; wait && count++ < MOST; wait = wait->next)
        put_wait(st, wait, now, out);
    weir_mutex_unlock(&st->lock);
}

void weir_step_observe(step *st)
{
    st->live.describe = describe;
    st->live.entry.step_id = st->run->step_id;
    st->live.entry.plan = st->plan->number;
    if (weir_trace_wanted()) {
        st->traced = true;
        st->own_collector = !st->run->collector;
        if (st->own_collector)
            st->run->collector = weir_collector_create();
    }
    weir_account_begin(&st->live);
}

void weir_step_observed(step *st)
{
    st->live.entry.failed = st->status != WEIR_OK;
    weir_account_end(&st->live);
    if (!st->traced)
        return;
    WEIR_BUF(events);
    weir_step_events(st, &events);
    weir_trace_keep(weir_view(&events));
    if (st->own_collector) {
        weir_collector_destroy(st->run->collector);
        st->run->collector = NULL;
    }
}

void weir_step_wait_begin(step *st, async_call *wait)
{
    weir_mutex_lock(&st->lock);
    wait->next = st->waits;
    if (wait->next)
        wait->next->prev = wait;
    st->waits = wait;
    weir_mutex_unlock(&st->lock);
}

/* This wait accounts for the time since the last thread left, or since the last wait ended. */
void weir_step_wait_end(step *st, async_call *wait)
{
    int32_t number = st->plan->nodes[wait->it.node].cause;
    int64_t now = weir_now_ns(), waited = 0;
    weir_mutex_lock(&st->lock);
    if (wait->prev)
        wait->prev->next = wait->next;
    else
        st->waits = wait->next;
    if (wait->next)
        wait->next->prev = wait->prev;
    if (st->idle_ns) {
        weir_step_entry *entry = &st->live.entry;
        waited = now - st->idle_ns;
        st->idle_ns = now;
        entry->wait_ns[weir_cause_get(number).kind] += waited;
        if (waited > entry->cause_ns) {
            entry->cause_ns = waited;
            entry->cause = number;
        }
    }
    weir_mutex_unlock(&st->lock);
    if (waited)
        weir_cause_add(number, waited);
}

void weir_step_thread_left(step *st)
{
    if (st->plan->has_async)
        st->idle_ns = weir_now_ns();
}

void weir_step_thread_called(step *st)
{
    st->called_ns = st->idle_ns;
    st->idle_ns = 0;
}

void weir_step_thread_began(step *st)
{
    if (!st->plan->has_async)
        return;
    int64_t now = weir_now_ns();
    weir_mutex_lock(&st->lock);
    if (st->called_ns)
        st->live.entry.schedule_ns += now - st->called_ns;
    st->called_ns = 0;
    weir_mutex_unlock(&st->lock);
}

/* ---- plans --------------------------------------------------------------------------------------
 */

static weir_mutex lock = WEIR_MUTEX_INIT;
static weir_plan *plans WEIR_GUARDED_BY(lock);
static int32_t last_number WEIR_GUARDED_BY(lock);

void weir_plan_enlist(weir_plan *plan)
{
    weir_mutex_lock(&lock);
    plan->number = ++last_number;
    plan->next = plans;
    if (plans)
        plans->previous = plan;
    plans = plan;
    weir_mutex_unlock(&lock);
}

void weir_plan_delist(weir_plan *plan)
{
    weir_mutex_lock(&lock);
    if (plan->number) {
        *(plan->previous ? &plan->previous->next : &plans) = plan->next;
        if (plan->next)
            plan->next->previous = plan->previous;
    }
    weir_mutex_unlock(&lock);
}

static int64_t cost_of(const plan_node *node)
{
    return atomic_load_explicit(&node->cost_ns, memory_order_relaxed);
}

void weir_plans_list(weir_buf *out)
{
    enum { MOST = 200 };
    int count = 0;
    weir_buf_addc(out, '[');
    weir_mutex_lock(&lock);
    for (const weir_plan *plan = plans; plan && count < MOST; plan = plan->next, count++) {
        int64_t total = 0;
        for (int32_t i = 0; i < plan->node_count; i++)
            total += cost_of(&plan->nodes[i]);
        weir_buf_addf(out, "%s{\"plan\":%d,\"nodes\":%d,\"steps\":%u,\"node_seconds\":%.9f}",
                      count ? "," : "", plan->number, plan->node_count,
                      atomic_load_explicit(&((weir_plan *)plan)->runs, memory_order_relaxed),
                      (double)total * 1e-9);
    }
    weir_mutex_unlock(&lock);
    weir_buf_addc(out, ']');
}

static void put_input(weir_buf *out, const char *mark, const weir_node *from)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, "%s%s", mark, from->site.name);
    weir_json_put_string(out, weir_view(&name));
    weir_buf_addc(out, ',');
}

static void put_node(const plan_node *node, weir_buf *out)
{
    weir_buf_addc(out, '{');
    put_text(out, "name", node->site->name);
    put_text(out, "op", node->site->def->name);
    put_text(out, "device", node->site->device ? node->site->device : "");
    weir_buf_addf(out, "\"ns\":%" PRId64 ",\"inputs\":[", cost_of(node));
    size_t before = out->length;
    for (int i = 0; i < node->in_count; i++)
        put_input(out, "", node->node->in[i].node);
    for (size_t i = 0; i < node->node->controls.count; i++)
        put_input(out, "^", node->node->controls.at[i]);
    if (out->length > before)
        out->length--;
    weir_buf_adds(out, "]},");
}

static bool matches(const plan_node *node, weir_str search)
{
    const char *name = node->site->name, *op = node->site->def->name;
    return !search.length || memmem(name, strlen(name), search.at, search.length) ||
           memmem(op, strlen(op), search.at, search.length);
}

static void put_nodes(const weir_plan *plan, weir_str search, int most, weir_buf *out)
{
    int found = 0;
    weir_buf_addf(out, "{\"plan\":%d,\"count\":%d,\"nodes\":[", plan->number, plan->node_count);
    for (int32_t i = 0; i < plan->node_count; i++)
        if (matches(&plan->nodes[i], search) && found++ < most)
            put_node(&plan->nodes[i], out);
    if (found)
        out->length--;
    weir_buf_addf(out, "],\"found\":%d}", found);
}

bool weir_plans_nodes(int number, weir_str search, int most, weir_buf *out)
{
    weir_mutex_lock(&lock);
    const weir_plan *plan = plans;
    while (plan && plan->number != number)
        plan = plan->next;
    if (plan)
        put_nodes(plan, search, most, out);
    weir_mutex_unlock(&lock);
    return plan != NULL;
}
