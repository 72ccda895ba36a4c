/* observe/account.c - a ring buffer of steps, a table of causes, and a list of running steps. */
#include "observe/account.h"

#include <inttypes.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/mem.h"
#include "base/mutex.h"

const char *const weir_wait_names[WEIR_WAITS] = {"recv", "resource", "other"};
const double weir_step_bounds[16] = {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02,
                                     0.05,   0.1,    0.2,    0.5,   1,     2,     5,    10};

typedef struct cause_slot {
    weir_wait kind;
    char *name, *op;
    atomic_int_fast64_t ns, count;
} cause_slot;

static struct account {
    weir_mutex lock;
    weir_step_entry *ring WEIR_GUARDED_BY(lock); /* number n is at n % WEIR_STEPS_KEPT */
    weir_account_totals totals WEIR_GUARDED_BY(lock);
    weir_live_step *live WEIR_GUARDED_BY(lock);
    int64_t last_end_ns WEIR_GUARDED_BY(lock);
    cause_slot causes[WEIR_CAUSES]; /* a slot below |cause_count| does not change */
    atomic_int cause_count;
    weir_map by_name WEIR_GUARDED_BY(lock);
} account = {.lock = WEIR_MUTEX_INIT};

bool weir_account_on(void)
{
    return !weir_env_get()->no_observe;
}

/* ---- causes -------------------------------------------------------------------------------------
 */

static int add_cause(weir_wait kind, weir_str name, weir_str op) WEIR_REQUIRES(account.lock)
{
    int number = atomic_load(&account.cause_count);
    if (number == WEIR_CAUSES)
        return 0;
    cause_slot *slot = &account.causes[number];
    slot->kind = kind;
    slot->name = weir_strndup(name.at, name.length);
    slot->op = weir_strndup(op.at, op.length);
    atomic_store(&account.cause_count, number + 1);
    return number;
}

int weir_cause_number(weir_wait kind, weir_str name, weir_str op)
{
    WEIR_BUF(key);
    weir_buf_addf(&key, "%d %.*s", (int)kind, WEIR_STR_ARG(name));
    weir_mutex_lock(&account.lock);
    intptr_t known = (intptr_t)weir_map_get(&account.by_name, weir_view(&key));
    int number = known ? (int)known - 1 : add_cause(kind, name, op);
    if (!known && account.by_name.count < WEIR_CAUSES)
        weir_map_put(&account.by_name, weir_view(&key), (void *)(intptr_t)(number + 1));
    weir_mutex_unlock(&account.lock);
    return number;
}

int weir_cause_count(void)
{
    return atomic_load(&account.cause_count);
}

weir_cause weir_cause_get(int number)
{
    cause_slot *slot = &account.causes[number];
    return (weir_cause){slot->kind, slot->name, slot->op, atomic_load(&slot->ns),
                        atomic_load(&slot->count)};
}

void weir_cause_add(int number, int64_t ns)
{
    cause_slot *slot = &account.causes[number];
    atomic_fetch_add_explicit(&slot->ns, ns, memory_order_relaxed);
    atomic_fetch_add_explicit(&slot->count, 1, memory_order_relaxed);
}

/* ---- steps --------------------------------------------------------------------------------------
 */

void weir_account_begin(weir_live_step *live)
{
    weir_step_entry *entry = &live->entry;
    entry->start_ns = weir_now_ns();
    entry->cause = -1;
    weir_mutex_lock(&account.lock);
    if (!account.live && account.last_end_ns)
        entry->between_ns = entry->start_ns - account.last_end_ns;
    live->prev = NULL;
    live->next = account.live;
    if (live->next)
        live->next->prev = live;
    account.live = live;
    account.totals.live++;
    weir_mutex_unlock(&account.lock);
}

static void add_totals(weir_account_totals *totals, const weir_step_entry *entry)
{
    int64_t took = entry->end_ns - entry->start_ns;
    totals->steps++;
    totals->live--;
    totals->failed += entry->failed;
    totals->step_ns += took;
    totals->between_ns += entry->between_ns;
    totals->send_ns += entry->send_ns;
    totals->schedule_ns += entry->schedule_ns;
    for (int i = 0; i < WEIR_WAITS; i++)
        totals->wait_ns[i] += entry->wait_ns[i];
    for (int i = 0; i < 16; i++)
        if ((double)took <= weir_step_bounds[i] * 1e9) {
            totals->buckets[i]++;
            break;
        }
}

void weir_account_end(weir_live_step *live)
{
    live->entry.end_ns = weir_now_ns();
    weir_mutex_lock(&account.lock);
    if (live->prev)
        live->prev->next = live->next;
    else
        account.live = live->next;
    if (live->next)
        live->next->prev = live->prev;
    account.last_end_ns = live->entry.end_ns;
    add_totals(&account.totals, &live->entry);
    live->entry.number = account.totals.steps;
    if (!account.ring)
        account.ring = weir_zalloc(sizeof *account.ring * WEIR_STEPS_KEPT);
    account.ring[live->entry.number % WEIR_STEPS_KEPT] = live->entry;
    weir_mutex_unlock(&account.lock);
}

weir_account_totals weir_account_get_totals(void)
{
    weir_mutex_lock(&account.lock);
    weir_account_totals totals = account.totals;
    weir_mutex_unlock(&account.lock);
    return totals;
}

size_t weir_account_steps(int64_t since, weir_step_entry *out, size_t room)
{
    size_t count = 0;
    weir_mutex_lock(&account.lock);
    int64_t last = account.totals.steps, first = since + 1;
    int64_t kept = (int64_t)(room < WEIR_STEPS_KEPT ? room : WEIR_STEPS_KEPT);
    first = last - first + 1 > kept ? last - kept + 1 : first;
    for (int64_t number = first < 1 ? 1 : first; number <= last; number++)
        out[count++] = account.ring[number % WEIR_STEPS_KEPT];
    weir_mutex_unlock(&account.lock);
    return count;
}

void weir_account_live(weir_buf *out)
{
    int64_t now = weir_now_ns();
    weir_buf_addc(out, '[');
    weir_mutex_lock(&account.lock);
    for (const weir_live_step *live = account.live; live; live = live->next) {
        weir_buf_addf(out, "{\"step_id\":%" PRId64 ",\"plan\":%d,\"seconds\":%.6f,\"waits\":[",
                      live->entry.step_id, live->entry.plan,
                      (double)(now - live->entry.start_ns) * 1e-9);
        live->describe(live, out);
        if (out->at[out->length - 1] == ',')
            out->length--;
        weir_buf_adds(out, live->next ? "]}," : "]}");
    }
    weir_mutex_unlock(&account.lock);
    weir_buf_addc(out, ']');
}
