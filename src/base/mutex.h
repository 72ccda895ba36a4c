/* base/mutex.h - mutexes and conditions whose use Clang's thread-safety analysis checks.
 *
 *     struct counter {
 *         weir_mutex lock;
 *         int value WEIR_GUARDED_BY(lock);
 *     };
 *     static void add(struct counter *c) WEIR_REQUIRES(c->lock);
 *
 * `make clang` rejects a call without the lock it requires, a lock that is not released on every
 * path, and one that is acquired twice. Clang checks WEIR_GUARDED_BY from version 21 on, which can
 * name a neighbouring field in C; before that it is documentation.
 */
#ifndef WEIR_BASE_MUTEX_H
#define WEIR_BASE_MUTEX_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#if defined(__clang__)
#define WEIR_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define WEIR_THREAD_ATTRIBUTE(x)
#endif
#if defined(__clang__) && __clang_major__ >= 21
#define WEIR_GUARDED_BY(mutex) __attribute__((guarded_by(mutex)))
#else
#define WEIR_GUARDED_BY(mutex)
#endif
#define WEIR_CAPABILITY(name) WEIR_THREAD_ATTRIBUTE(capability(name))
#define WEIR_ACQUIRE(...) WEIR_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define WEIR_TRY_ACQUIRE(...) WEIR_THREAD_ATTRIBUTE(try_acquire_capability(__VA_ARGS__))
#define WEIR_RELEASE(...) WEIR_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))
/* The caller holds the mutex before and after the call. */
#define WEIR_REQUIRES(...) WEIR_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
/* The caller does not hold the mutex; the function acquires it. */
#define WEIR_EXCLUDES(...) WEIR_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))
/* For the few functions whose locking the analysis cannot follow; a comment there has the
 * reason. */
#define WEIR_UNCHECKED_LOCKING WEIR_THREAD_ATTRIBUTE(no_thread_safety_analysis)

typedef struct WEIR_CAPABILITY("mutex") weir_mutex {
    pthread_mutex_t os;
} weir_mutex;

typedef struct weir_cond {
    pthread_cond_t os;
} weir_cond;

#define WEIR_MUTEX_INIT                                                                            \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER                                                                  \
    }
#define WEIR_COND_INIT                                                                             \
    {                                                                                              \
        PTHREAD_COND_INITIALIZER                                                                   \
    }

static inline void weir_mutex_init(weir_mutex *mutex)
{
    pthread_mutex_init(&mutex->os, NULL);
}
static inline void weir_mutex_fini(weir_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->os);
}
static inline void weir_mutex_lock(weir_mutex *mutex) WEIR_ACQUIRE(mutex) WEIR_UNCHECKED_LOCKING
{
    pthread_mutex_lock(&mutex->os);
}
static inline bool weir_mutex_try_lock(weir_mutex *mutex)
    WEIR_TRY_ACQUIRE(true, mutex) WEIR_UNCHECKED_LOCKING
{
    return pthread_mutex_trylock(&mutex->os) == 0;
}
static inline void weir_mutex_unlock(weir_mutex *mutex) WEIR_RELEASE(mutex) WEIR_UNCHECKED_LOCKING
{
    pthread_mutex_unlock(&mutex->os);
}

static inline void weir_cond_init(weir_cond *cond) /* deadlines on CLOCK_REALTIME */
{
    pthread_cond_init(&cond->os, NULL);
}
static inline void weir_cond_init_monotonic(weir_cond *cond) /* deadlines on CLOCK_MONOTONIC */
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&cond->os, &attributes);
    pthread_condattr_destroy(&attributes);
}
static inline void weir_cond_fini(weir_cond *cond)
{
    pthread_cond_destroy(&cond->os);
}
static inline void weir_cond_signal(weir_cond *cond)
{
    pthread_cond_signal(&cond->os);
}
static inline void weir_cond_broadcast(weir_cond *cond)
{
    pthread_cond_broadcast(&cond->os);
}
static inline void weir_cond_wait(weir_cond *cond, weir_mutex *mutex) WEIR_REQUIRES(mutex)
{
    pthread_cond_wait(&cond->os, &mutex->os);
}
/* False when |deadline|, on the condition's clock, has passed. */
static inline bool weir_cond_wait_until(weir_cond *cond, weir_mutex *mutex,
                                        const struct timespec *deadline) WEIR_REQUIRES(mutex)
{
    return pthread_cond_timedwait(&cond->os, &mutex->os, deadline) == 0;
}

#endif
