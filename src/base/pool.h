/* base/pool.h - the thread pool for ops and for the loops inside them.
 *
 * The caller of weir_par_for works too, so a pool for n processors has n - 1 threads. Thread-safe.
 * Tasks must not block on anything but the pool; queues and receives wait by callback.
 */
#ifndef WEIR_BASE_POOL_H
#define WEIR_BASE_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weir_pool weir_pool;

weir_pool *weir_pool_create(int threads);
void weir_pool_destroy(weir_pool *pool); /* returns when every submitted task ran */
/* The process-wide pool: one thread fewer than processors, at least one. Created on first use. */
weir_pool *weir_pool_shared(void);
int weir_pool_threads(const weir_pool *pool);

/* Enqueues fn(arg), which runs once on a thread of the pool. */
void weir_pool_submit(weir_pool *pool, void (*fn)(void *arg), void *arg);

/* Returns when |word| is above 0; polls it |spins| times before it sleeps. Meanwhile the calling
 * thread, which need not belong to the pool, works on the pool's loops. The thread that sets the
 * word wakes the caller with weir_word_wake; the word is 0 while the caller waits. */
void weir_pool_wait(weir_pool *pool, atomic_int *word, int spins);

/* A thread outside the pool begins (join) or stops to run ops. With as many such threads as
 * processors the pool is crowded: every processor is busy, so loops stay on the thread that started
 * them. */
void weir_pool_join(weir_pool *pool);
void weir_pool_part(weir_pool *pool);
bool weir_pool_crowded(const weir_pool *pool);

/* How far a loop may spread: the pool, and the maximum number of threads, including the caller.
 * With a null |pool| or threads <= 1 everything runs on the caller. */
typedef struct weir_par {
    weir_pool *pool;
    int threads;
} weir_par;

/* Calls fn(ctx, begin, end) over disjoint chunks that cover [0, count), and returns when all are
 * done. As many threads take part as there are |grain| elements for each. Each thread starts with
 * the same share every time, takes chunks of decreasing size from it, and then steals from other
 * shares. Chunks run concurrently; fn reports errors in ctx. */
void weir_par_for(const weir_par *par, int64_t count, int64_t grain,
                  void (*fn)(void *ctx, int64_t begin, int64_t end), void *ctx);
/* The same for a loop that may take seconds: it stops early when the op is stopped (base/stop.h).
 * Chunks are cut by time, so fn may not depend on where they end. */
void weir_par_for_long(const weir_par *par, int64_t count, int64_t grain,
                       void (*fn)(void *ctx, int64_t begin, int64_t end), void *ctx);

#endif
