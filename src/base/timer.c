/* base/timer.c - one thread that sleeps until the earliest timer. */
#include "base/timer.h"

#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"

typedef struct timer {
    int64_t token, at_ns;
    void (*fn)(void *);
    void *arg;
} timer;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed, called;
    WEIR_VEC(timer) timers; /* under lock */
    int64_t next_token;     /* under lock */
    int64_t calling;        /* under lock: the token whose callback runs */
    int64_t wakes_ns;       /* under lock: when the thread looks again by itself; 0: it is awake */
    bool started;           /* under lock */
    pthread_t thread;       /* under lock: who calls */
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .called = PTHREAD_COND_INITIALIZER};

static size_t earliest(void)
{
    size_t best = 0;
    for (size_t i = 1; i < all.timers.count; i++)
        if (all.timers.at[i].at_ns < all.timers.at[best].at_ns)
            best = i;
    return best;
}

static void call(size_t i)
{
    timer t = all.timers.at[i];
    all.timers.at[i] = all.timers.at[--all.timers.count];
    all.calling = t.token;
    pthread_mutex_unlock(&all.lock);
    t.fn(t.arg);
    pthread_mutex_lock(&all.lock);
    all.calling = 0;
    pthread_cond_broadcast(&all.called);
}

static void *serve(void *arg)
{
    pthread_mutex_lock(&all.lock);
    for (;;) {
        all.wakes_ns = 0;
        if (!all.timers.count) {
            all.wakes_ns = INT64_MAX;
            pthread_cond_wait(&all.changed, &all.lock);
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
        pthread_cond_timedwait(&all.changed, &all.lock, &until);
    }
    return arg;
}

static void start(void)
{
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&all.changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (pthread_create(&all.thread, NULL, serve, NULL) == 0)
        pthread_detach(all.thread);
    all.started = true;
}

int64_t weir_timer_add(int64_t at_ns, void (*fn)(void *), void *arg)
{
    pthread_mutex_lock(&all.lock);
    if (!all.started)
        start();
    int64_t token = ++all.next_token;
    weir_vec_push(&all.timers, (timer){token, at_ns, fn, arg});
    bool sooner = at_ns < all.wakes_ns; /* most timers go before the thread would have seen them */
    if (sooner)
        all.wakes_ns = at_ns;
    pthread_mutex_unlock(&all.lock);
    if (sooner)
        pthread_cond_signal(&all.changed);
    return token;
}

bool weir_timer_remove(int64_t token)
{
    bool found = false;
    pthread_mutex_lock(&all.lock);
    for (size_t i = 0; i < all.timers.count && !found; i++)
        if (all.timers.at[i].token == token) {
            all.timers.at[i] = all.timers.at[--all.timers.count];
            found = true;
        }
    while (!found && all.calling == token && !pthread_equal(all.thread, pthread_self()))
        pthread_cond_wait(&all.called, &all.lock);
    pthread_mutex_unlock(&all.lock);
    return found;
}
