/* base/blocking.c - a cache of threads that grows with the tasks at hand. */
#include "base/blocking.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "base/denormals.h"
#include "base/mem.h"

enum { IDLE_SECONDS = 5 };

typedef struct task {
    struct task *next;
    void (*fn)(void *arg);
    void *arg;
} task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static task *first, **last = &first; /* under lock: not taken yet */
static int waiting, idle;            /* under lock: tasks not taken, threads without one */

static task *take(void)
{
    task *t = first;
    first = t->next;
    if (!first)
        last = &first;
    waiting--;
    return t;
}

/* The next task, or null when none came for a while. With the lock. */
static task *await_task(void)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += IDLE_SECONDS;
    idle++;
    while (!first)
        if (pthread_cond_timedwait(&more, &lock, &end) == ETIMEDOUT)
            break;
    idle--;
    return first ? take() : NULL;
}

static void *work(void *unused)
{
    (void)unused;
    weir_denormals_flush();
    pthread_mutex_lock(&lock);
    for (task *t; (t = await_task());) {
        pthread_mutex_unlock(&lock);
        t->fn(t->arg);
        weir_free(t);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static bool add_thread(void)
{
    pthread_t thread;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    bool made = pthread_create(&thread, &detached, work, NULL) == 0;
    pthread_attr_destroy(&detached);
    return made;
}

void weir_blocking_submit(void (*fn)(void *arg), void *arg)
{
    task *t = WEIR_NEW(task);
    *t = (task){.fn = fn, .arg = arg};
    pthread_mutex_lock(&lock);
    /* A thread that is idle but already has a task coming does not count. */
    if (idle <= waiting && !add_thread()) {
        pthread_mutex_unlock(&lock);
        weir_free(t);
        fn(arg);
        return;
    }
    *last = t;
    last = &t->next;
    waiting++;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}
