/* base/turns.c - turns: counted without a lock while there are enough, else passed
 * on. */
#include "base/turns.h"

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "base/word.h"

enum {
    TURN_NS = 4000000,    /* a turn's minimum time when others wait */
    STALL_NS = 100000000, /* when no turn was passed on for this time, one more is granted */
    SPARE = 1,            /* turns beyond the number of processors */
};

/* A waiting thread, on its own stack. */
typedef struct waiter waiter;
struct waiter {
    waiter *next;
    const void *group;
    atomic_int granted;
};

/* The waiters of one group, in order; waiting groups form a ring and are served in turn. */
typedef struct group group;
struct group {
    group *next;
    const void *key;
    waiter *first, **last;
};

static struct {
    weir_mutex lock;
    group *groups WEIR_GUARDED_BY(lock);
    int64_t moved_ns WEIR_GUARDED_BY(lock);
} gate = {.lock = WEIR_MUTEX_INIT};

static atomic_int held; /* turns in use */
atomic_int weir_turns_wanted;

int weir_turns_limit(void)
{
    static atomic_int limit;
    int known = atomic_load_explicit(&limit, memory_order_relaxed);
    if (!known) {
        known = weir_cpu_count() + SPARE;
        atomic_store_explicit(&limit, known, memory_order_relaxed);
    }
    return known;
}

static group *find_group(const void *key) WEIR_REQUIRES(gate.lock)
{
    group **at = &gate.groups;
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    if (!*at) {
        group *added = WEIR_NEW(group);
        added->key = key;
        added->last = &added->first;
        *at = added;
    }
    return *at;
}

static void add_waiter(waiter *waiting) WEIR_REQUIRES(gate.lock)
{
    group *group = find_group(waiting->group);
    *group->last = waiting;
    group->last = &waiting->next;
    atomic_fetch_add(&weir_turns_wanted, 1);
}

/* The group was served: moves it to the end of the ring, or removes it. */
static void rotate(group *first) WEIR_REQUIRES(gate.lock)
{
    gate.groups = first->next;
    first->next = NULL;
    if (!first->first) {
        weir_free(first);
        return;
    }
    group **end = &gate.groups;
    while (*end)
        end = &(*end)->next;
    *end = first;
}

/* Grants an already counted turn to the next waiter. False: none waits. */
static bool grant_next(void) WEIR_REQUIRES(gate.lock)
{
    group *first = gate.groups;
    if (!first)
        return false;
    waiter *next = first->first;
    first->first = next->next;
    if (!first->first)
        first->last = &first->first;
    rotate(first);
    atomic_fetch_sub(&weir_turns_wanted, 1);
    gate.moved_ns = weir_now_ns();
    atomic_store(&next->granted, 1); /* |next| may be invalid at once */
    weir_word_wake(&next->granted);
    return true;
}

static void grant_free(void) WEIR_REQUIRES(gate.lock)
{
    while (gate.groups && atomic_load(&held) < weir_turns_limit()) {
        atomic_fetch_add(&held, 1);
        grant_next();
    }
}

/* Holders of turns may wait for a thread without one: grants one more, to the next waiter. */
static void relieve(void)
{
    weir_mutex_lock(&gate.lock);
    if (gate.groups && weir_now_ns() - gate.moved_ns >= STALL_NS) {
        atomic_fetch_add(&held, 1);
        grant_next();
    }
    weir_mutex_unlock(&gate.lock);
}

static void wait_granted(waiter *waiting)
{
    struct timespec patience = {.tv_nsec = STALL_NS};
    while (!atomic_load_explicit(&waiting->granted, memory_order_acquire)) {
        syscall(SYS_futex, &waiting->granted, FUTEX_WAIT_PRIVATE, 0, &patience, NULL, 0);
        if (!atomic_load_explicit(&waiting->granted, memory_order_acquire))
            relieve();
    }
}

static void wait_for_turn(weir_turn_holder *holder)
{
    waiter waiting = {.group = holder->group};
    weir_mutex_lock(&gate.lock);
    if (!gate.groups)
        gate.moved_ns = weir_now_ns(); /* the first waiter */
    add_waiter(&waiting);
    grant_free();
    weir_mutex_unlock(&gate.lock);
    wait_granted(&waiting);
}

static bool take_free(void)
{
    if (atomic_load(&weir_turns_wanted))
        return false;
    if (atomic_fetch_add(&held, 1) < weir_turns_limit())
        return true;
    atomic_fetch_sub(&held, 1);
    return false;
}

void weir_turn_begin(weir_turn_holder *holder, const void *group)
{
    holder->group = group;
    if (!take_free())
        wait_for_turn(holder);
    holder->since_ns = weir_now_ns();
}

void weir_turn_end(weir_turn_holder *holder)
{
    atomic_fetch_sub(&held, 1);
    if (!atomic_load(&weir_turns_wanted))
        return;
    weir_mutex_lock(&gate.lock);
    grant_free();
    weir_mutex_unlock(&gate.lock);
}

void weir_turn_pass(weir_turn_holder *holder)
{
    waiter waiting = {.group = holder->group};
    if (weir_now_ns() - holder->since_ns < TURN_NS)
        return;
    weir_mutex_lock(&gate.lock);
    bool passed = gate.groups != NULL;
    if (passed) {
        /* If there are more turns than the limit, this one ends. */
        if (atomic_fetch_sub(&held, 1) <= weir_turns_limit()) {
            atomic_fetch_add(&held, 1);
            grant_next();
        }
        add_waiter(&waiting);
        grant_free();
    }
    weir_mutex_unlock(&gate.lock);
    if (passed)
        wait_granted(&waiting);
    holder->since_ns = weir_now_ns();
}
