/* base/blocking.c - a cache of threads that grows with the number of pending tasks. */
#include "base/blocking.h"

#include <pthread.h>
#include <time.h>

#include "base/denormals.h"
#include "base/mem.h"
#include "base/mutex.h"

enum { IDLE_SECONDS = 5 };

typedef struct task {
    struct task *next;
    void (*fn)(void *arg);
    void *arg;
} task;

static weir_mutex lock = WEIR_MUTEX_INIT;
static weir_cond more = WEIR_COND_INIT;
static task *first WEIR_GUARDED_BY(lock), **last WEIR_GUARDED_BY(lock) = &first; /* not taken yet */
static int waiting WEIR_GUARDED_BY(lock); /* tasks not taken */
static int idle WEIR_GUARDED_BY(lock);    /* threads without a task */

static task *take(void) WEIR_REQUIRES(lock)
{
    task *task = first;
    first = task->next;
    if (!first)
        last = &first;
    waiting--;
    return task;
}

/* The next task, or null when none arrived before the time-out. */
static task *await_task(void) WEIR_REQUIRES(lock)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += IDLE_SECONDS;
    idle++;
    while (!first)
        if (!weir_cond_wait_until(&more, &lock, &end))
            break;
    idle--;
    return first ? take() : NULL;
}

static void *work(void *unused)
{
    (void)unused;
    weir_denormals_flush();
    weir_mutex_lock(&lock);
    for (task *task; (task = await_task());) {
        weir_mutex_unlock(&lock);
        task->fn(task->arg);
        weir_free(task);
        weir_mutex_lock(&lock);
    }
    weir_mutex_unlock(&lock);
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
    task *new_task = WEIR_NEW(task);
    *new_task = (task){.fn = fn, .arg = arg};
    weir_mutex_lock(&lock);
    /* An idle thread that already has a task assigned does not count. */
    if (idle <= waiting && !add_thread()) {
        weir_mutex_unlock(&lock);
        weir_free(new_task);
        fn(arg);
        return;
    }
    *last = new_task;
    last = &new_task->next;
    waiting++;
    weir_cond_signal(&more);
    weir_mutex_unlock(&lock);
}
