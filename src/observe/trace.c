/* observe/trace.c - events of traced steps, under one lock. */
#include "observe/trace.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/mutex.h"

enum { MOST_BYTES = 64 << 20 };

static atomic_int left;
static weir_mutex lock = WEIR_MUTEX_INIT;
static weir_cond came;
static bool ready WEIR_GUARDED_BY(lock);
static weir_buf kept WEIR_GUARDED_BY(lock);
static int kept_steps WEIR_GUARDED_BY(lock);

static void make_ready(void) WEIR_REQUIRES(lock)
{
    if (!ready)
        weir_cond_init_monotonic(&came);
    ready = true;
}

void weir_trace_next(int steps)
{
    weir_mutex_lock(&lock);
    make_ready();
    weir_buf_fini(&kept);
    kept_steps = 0;
    weir_mutex_unlock(&lock);
    atomic_store(&left, steps < WEIR_TRACE_STEPS ? steps : WEIR_TRACE_STEPS);
}

bool weir_trace_wanted(void)
{
    if (atomic_load_explicit(&left, memory_order_relaxed) <= 0)
        return false;
    return atomic_fetch_sub(&left, 1) > 0;
}

void weir_trace_keep(weir_str events)
{
    weir_mutex_lock(&lock);
    make_ready();
    if (kept.length + events.length < MOST_BYTES)
        weir_buf_add(&kept, events.at, events.length);
    kept_steps++;
    weir_cond_broadcast(&came);
    weir_mutex_unlock(&lock);
}

int weir_trace_take(int steps, int timeout_ms, weir_buf *out)
{
    int64_t until_ns = weir_now_ns() + timeout_ms * 1000000LL;
    struct timespec until = {until_ns / 1000000000, until_ns % 1000000000};
    weir_mutex_lock(&lock);
    make_ready();
    while (kept_steps < steps && weir_cond_wait_until(&came, &lock, &until))
        ;
    int taken = kept_steps;
    weir_buf_add(out, kept.at, kept.length);
    weir_buf_fini(&kept);
    kept_steps = 0;
    weir_mutex_unlock(&lock);
    atomic_store(&left, 0);
    return taken;
}
