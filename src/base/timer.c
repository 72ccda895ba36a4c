/* base/timer.c - one thread that sleeps until the earliest timer. */
#include "base/timer.h"

#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/mutex.h"

typedef struct timer {
    int64_t token, at_ns;
    void (*fn)(void *);
    void *arg;
} timer;

static struct {
    weir_mutex lock;
    weir_cond changed, called;
    WEIR_VEC(timer) timers WEIR_GUARDED_BY(lock);
    int64_t next_token WEIR_GUARDED_BY(lock);
    int64_t calling WEIR_GUARDED_BY(lock);  /* the token whose callback runs */
    int64_t wakes_ns WEIR_GUARDED_BY(lock); /* when the thread will wake; 0: it is awake */
    bool prepared WEIR_GUARDED_BY(lock), started WEIR_GUARDED_BY(lock);
    pthread_t thread WEIR_GUARDED_BY(lock); /* the thread that runs callbacks */
} all = {.lock = WEIR_MUTEX_INIT, .called = WEIR_COND_INIT};

static size_t earliest(void) WEIR_REQUIRES(all.lock)
{
    size_t best = 0;
    for (size_t i = 1; i < all.timers.count; i++)
        if (all.timers.at[i].at_ns < all.timers.at[best].at_ns)
            best = i;
    return best;
}

/* Runs the callback of timer |i|, without the lock. */
static void call(size_t i) WEIR_REQUIRES(all.lock)
{
    timer timer = all.timers.at[i];
    all.timers.at[i] = all.timers.at[--all.timers.count];
    all.calling = timer.token;
    weir_mutex_unlock(&all.lock);
    timer.fn(timer.arg);
    weir_mutex_lock(&all.lock);
    all.calling = 0;
    weir_cond_broadcast(&all.called);
}

static void *serve(void *arg)
{
    weir_mutex_lock(&all.lock);
    for (;;) {
        all.wakes_ns = 0;
        if (!all.timers.count) {
            all.wakes_ns = INT64_MAX;
            weir_cond_wait(&all.changed, &all.lock);
            continue;
        }
        size_t i = earliest();
        int64_t at = all.timers.at[i].at_ns;
        if (at <= weir_now_ns()) {
            call(i);
            continue;
        }
        struct timespec until = {at / 1000000000, at % 1000000000};
        all.wakes_ns = at;
        weir_cond_wait_until(&all.changed, &all.lock, &until);
    }
    return arg;
}

/* If no thread can be created now, the next timer tries again. */
static void start(void) WEIR_REQUIRES(all.lock)
{
    if (!all.prepared)
        weir_cond_init_monotonic(&all.changed);
    all.prepared = true;
    all.started = pthread_create(&all.thread, NULL, serve, NULL) == 0;
    if (all.started)
        pthread_detach(all.thread);
}

weir_status weir_timer_start(void)
{
    weir_mutex_lock(&all.lock);
    if (!all.started)
        start();
    bool started = all.started;
    weir_mutex_unlock(&all.lock);
    return started ? WEIR_OK
                   : weir_error(WEIR_RESOURCE_EXHAUSTED,
                                "no thread can be started: the system or a limit refuses it");
}

int64_t weir_timer_add(int64_t at_ns, void (*fn)(void *), void *arg)
{
    weir_mutex_lock(&all.lock);
    if (!all.started)
        start();
    int64_t token = ++all.next_token;
    weir_vec_push(&all.timers, (timer){token, at_ns, fn, arg});
    bool sooner =
        at_ns < all.wakes_ns; /* most timers are removed before the thread would wake for them */
    if (sooner)
        all.wakes_ns = at_ns;
    weir_mutex_unlock(&all.lock);
    if (sooner)
        weir_cond_signal(&all.changed);
    return token;
}

bool weir_timer_remove(int64_t token)
{
    bool found = false;
    weir_mutex_lock(&all.lock);
    for (size_t i = 0; i < all.timers.count && !found; i++)
        if (all.timers.at[i].token == token) {
            all.timers.at[i] = all.timers.at[--all.timers.count];
            found = true;
        }
    while (!found && all.calling == token && !pthread_equal(all.thread, pthread_self()))
        weir_cond_wait(&all.called, &all.lock);
    weir_mutex_unlock(&all.lock);
    return found;
}
