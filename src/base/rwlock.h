/* base/rwlock.h - a lock for many readers or one writer, checked as the mutexes of base/mutex.h. */
#ifndef WEIR_BASE_RWLOCK_H
#define WEIR_BASE_RWLOCK_H

#include <pthread.h>

#include "base/mutex.h"

#define WEIR_ACQUIRE_SHARED(...) WEIR_THREAD_ATTRIBUTE(acquire_shared_capability(__VA_ARGS__))
#define WEIR_RELEASE_SHARED(...) WEIR_THREAD_ATTRIBUTE(release_shared_capability(__VA_ARGS__))

typedef struct WEIR_CAPABILITY("mutex") weir_rwlock {
    pthread_rwlock_t os;
} weir_rwlock;

static inline void weir_rwlock_init(weir_rwlock *lock)
{
    pthread_rwlock_init(&lock->os, NULL);
}
static inline void weir_rwlock_fini(weir_rwlock *lock)
{
    pthread_rwlock_destroy(&lock->os);
}
static inline void weir_rwlock_read(weir_rwlock *lock)
    WEIR_ACQUIRE_SHARED(lock) WEIR_UNCHECKED_LOCKING
{
    pthread_rwlock_rdlock(&lock->os);
}
static inline void weir_rwlock_read_end(weir_rwlock *lock)
    WEIR_RELEASE_SHARED(lock) WEIR_UNCHECKED_LOCKING
{
    pthread_rwlock_unlock(&lock->os);
}
static inline void weir_rwlock_write(weir_rwlock *lock) WEIR_ACQUIRE(lock) WEIR_UNCHECKED_LOCKING
{
    pthread_rwlock_wrlock(&lock->os);
}
static inline void weir_rwlock_write_end(weir_rwlock *lock)
    WEIR_RELEASE(lock) WEIR_UNCHECKED_LOCKING
{
    pthread_rwlock_unlock(&lock->os);
}

#endif
