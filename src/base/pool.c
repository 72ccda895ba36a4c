/* base/pool.c - threads that take tasks from one list.
 *
 * An idle thread watches the list for a short while before it sleeps, because the next part of a
 * loop usually comes within microseconds and a wake-up costs tens of them. The list is intrusive: a
 * loop's helpers are records on the caller's stack, which the caller removes if no thread has
 * started them when its own share is done.
 */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/cpu.h"
#include "base/denormals.h"
#include "base/env.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "base/processors.h"
#include "base/stop.h"
#include "base/word.h"

typedef struct task task;
struct task {
    task *next, *prev;
    void (*fn)(void *);
    void *arg;
    bool owned; /* freed by the thread that runs it */
};

/* A thread that waits for something else, and can work on a loop meanwhile: setting its word to
 * LENT wakes it. */
typedef struct lender lender;
struct lender {
    lender *next;
    atomic_int *word;
    bool listed;
};
enum { LENT = -1 };

struct weir_pool {
    weir_mutex lock;
    weir_cond wake;
    lender *lenders WEIR_GUARDED_BY(lock);
    task head WEIR_GUARDED_BY(lock); /* circular list of pending tasks */
    int sleepers WEIR_GUARDED_BY(lock);
    bool ending WEIR_GUARDED_BY(lock);
    atomic_int waiting;  /* length of the list, readable without the lock */
    atomic_int spinning; /* threads that poll |waiting| */
    atomic_int max_spins;
    atomic_int guests; /* other threads that run ops (weir_pool_join) */
    atomic_int begun;  /* threads that have taken a share */
    int threads;
    pthread_t ids[];
};

/* How long a thread spins before it sleeps (adaptive spinning): the time is halved after each spin
 * without work, as in a process that waits for others; it is reset when work arrived, and every
 * TRY_AGAIN times. */
enum { SPINS = 4000, MIN_SPINS = 60, TRY_AGAIN = 64 };

/* The share of a loop that a thread starts with; threads outside the pool start with the first.
 * Loops over the same elements, in a step and from step to step, then find them in the same
 * processor's cache. */
static _Thread_local int own_share;

static void unlink_task(weir_pool *pool, task *task) WEIR_REQUIRES(pool->lock)
{
    task->prev->next = task->next;
    task->next->prev = task->prev;
    task->next = NULL;
    atomic_fetch_sub_explicit(&pool->waiting, 1, memory_order_relaxed);
}

/* Polls for work without the lock. */
static void spin(weir_pool *pool, int *spins, int *vain)
{
    bool found = false;
    atomic_fetch_add_explicit(&pool->spinning, 1, memory_order_relaxed);
    for (int i = 0; i < *spins && !found; i++) {
        found = atomic_load_explicit(&pool->waiting, memory_order_relaxed) > 0;
        if (!found)
            weir_cpu_relax();
    }
    atomic_fetch_sub_explicit(&pool->spinning, 1, memory_order_relaxed);
    *vain = found ? 0 : *vain + 1;
    if (found || *vain % TRY_AGAIN == 0)
        *spins = atomic_load_explicit(&pool->max_spins, memory_order_relaxed);
    else
        *spins = *spins / 2 > MIN_SPINS ? *spins / 2 : MIN_SPINS;
}

static void *serve(void *arg)
{
    weir_pool *pool = arg;
    int spins = SPINS, vain = 0;
    own_share = 1 + atomic_fetch_add_explicit(&pool->begun, 1, memory_order_relaxed);
    weir_denormals_flush();
    for (;;) {
        spin(pool, &spins, &vain);
        weir_mutex_lock(&pool->lock);
        while (pool->head.next == &pool->head && !pool->ending) {
            pool->sleepers++;
            weir_cond_wait(&pool->wake, &pool->lock);
            pool->sleepers--;
        }
        task *task = pool->head.next;
        if (task == &pool->head) {
            weir_mutex_unlock(&pool->lock);
            return NULL;
        }
        unlink_task(pool, task);
        /* A task on a stack may be invalid as soon as it has run: copy the fields first. */
        void (*fn)(void *) = task->fn;
        void *fn_arg = task->arg;
        bool owned = task->owned;
        weir_mutex_unlock(&pool->lock);
        if (owned)
            weir_free(task);
        fn(fn_arg);
    }
}

weir_pool *weir_pool_create(int threads)
{
    enum { MOST = 4096 }; /* upper bound for any requested number */
    threads = threads < 1 ? 1 : threads > MOST ? MOST : threads;
    weir_pool *pool = weir_zalloc(sizeof *pool + sizeof(pthread_t) * (size_t)threads);
    weir_mutex_init(&pool->lock);
    weir_cond_init(&pool->wake);
    pool->head.next = pool->head.prev = &pool->head;
    atomic_init(&pool->max_spins, SPINS);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&pool->ids[pool->threads], NULL, serve, pool) == 0)
            pool->threads++;
    return pool;
}

void weir_processors_share(void)
{
    atomic_store_explicit(&weir_pool_shared()->max_spins, MIN_SPINS, memory_order_relaxed);
}

void weir_pool_destroy(weir_pool *pool)
{
    if (!pool)
        return;
    weir_mutex_lock(&pool->lock);
    pool->ending = true;
    weir_cond_broadcast(&pool->wake);
    weir_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->threads; i++)
        pthread_join(pool->ids[i], NULL);
    weir_cond_fini(&pool->wake);
    weir_mutex_fini(&pool->lock);
    weir_free(pool);
}

static weir_pool *shared_pool;
static pthread_once_t shared_once = PTHREAD_ONCE_INIT;

static void make_shared(void)
{
    int n = weir_env_get()->threads;
    if (n <= 0)
        n = weir_cpu_count();
    shared_pool = weir_pool_create(n > 1 ? n - 1 : 1);
}

weir_pool *weir_pool_shared(void)
{
    pthread_once(&shared_once, make_shared);
    return shared_pool;
}

int weir_pool_threads(const weir_pool *pool)
{
    return pool->threads;
}

void weir_pool_join(weir_pool *pool)
{
    atomic_fetch_add_explicit(&pool->guests, 1, memory_order_relaxed);
}

void weir_pool_part(weir_pool *pool)
{
    atomic_fetch_sub_explicit(&pool->guests, 1, memory_order_relaxed);
}

bool weir_pool_crowded(const weir_pool *pool)
{
    return atomic_load_explicit(&pool->guests, memory_order_relaxed) > pool->threads;
}

static void append(weir_pool *pool, task *task) WEIR_REQUIRES(pool->lock)
{
    task->prev = pool->head.prev;
    task->next = &pool->head;
    pool->head.prev->next = task;
    pool->head.prev = task;
    atomic_fetch_add_explicit(&pool->waiting, 1, memory_order_relaxed);
}

/* Wakes a sleeping thread; false when there is none. */
static bool wake(weir_pool *pool) WEIR_REQUIRES(pool->lock)
{
    if (pool->sleepers > 0)
        weir_cond_signal(&pool->wake);
    return pool->sleepers > 0;
}

/* Wakes a lender if no thread of the pool is available for the last task. */
static void borrow(weir_pool *pool) WEIR_REQUIRES(pool->lock)
{
    lender *lender = pool->lenders;
    if (!lender || atomic_load_explicit(&pool->waiting, memory_order_relaxed) <=
                       atomic_load_explicit(&pool->spinning, memory_order_relaxed))
        return;
    pool->lenders = lender->next;
    lender->listed = false;
    int none = 0;
    if (atomic_compare_exchange_strong(lender->word, &none, LENT))
        weir_word_wake(lender->word);
}

void weir_pool_submit(weir_pool *pool, void (*fn)(void *), void *arg)
{
    task *new_task = WEIR_NEW(task);
    new_task->fn = fn;
    new_task->arg = arg;
    new_task->owned = true;
    weir_mutex_lock(&pool->lock);
    append(pool, new_task);
    wake(pool);
    weir_mutex_unlock(&pool->lock);
}

enum { MAX_HELPERS = 64, MAX_CHUNKS = 5, MAX_UNIT = 64, SIXTEENTHS = 16 };

/* A thread's share of a loop, processed in chunks before it takes chunks of other shares. */
typedef struct share {
    _Alignas(64) atomic_int next; /* first chunk not taken yet */
} share;

typedef struct loop {
    int64_t count;
    int64_t unit; /* chunks begin at multiples of it */
    int64_t grain;
    weir_stop *stop; /* checked for early exit; null: none */
    bool in_pieces;  /* may be stopped early */
    void (*fn)(void *, int64_t, int64_t);
    void *ctx;
    int share_count, chunks; /* chunks of a share */
    atomic_int busy;         /* helpers started and not done */
    share shares[MAX_HELPERS];
} loop;

/* Shares are of equal size, so that threads which start together finish together. The chunks of a
 * share have about a grain or more, and shrink towards its end: the other threads may have to wait
 * for one thread's last chunk. */
static void cut(loop *loop, int64_t grain, int shares)
{
    int64_t grains = loop->count / shares / grain;
    loop->chunks = grains > MAX_CHUNKS ? MAX_CHUNKS : grains < 1 ? 1 : (int)grains;
    loop->unit = 1;
    while (loop->unit < MAX_UNIT && loop->unit * 4 * SIXTEENTHS * shares <= loop->count)
        loop->unit *= 2;
    loop->share_count = shares;
    for (int i = 0; i < shares; i++)
        atomic_init(&loop->shares[i].next, 0);
}

static int64_t round_to_unit(const loop *loop, int64_t at)
{
    return at == loop->count ? at : at / loop->unit * loop->unit;
}

/* Offset of a chunk in a share; the one after the last is the start of the next share. */
static int64_t start_of(const loop *loop, int share, int chunk)
{
    static const int cuts[MAX_CHUNKS][MAX_CHUNKS + 1] = {
        {0, 16}, {0, 10, 16}, {0, 8, 13, 16}, {0, 7, 11, 14, 16}, {0, 6, 10, 13, 15, 16}};
    int64_t begin = loop->count * share / loop->share_count,
            end = loop->count * (share + 1) / loop->share_count;
    return round_to_unit(loop, begin + (end - begin) * cuts[loop->chunks - 1][chunk] / SIXTEENTHS);
}

/* Runs pieces of some milliseconds each, until the loop is stopped. */
static void run_pieces(const loop *loop, int64_t begin, int64_t end)
{
    enum { LONG_NS = 10000000 };
    int64_t piece = (loop->grain + loop->unit - 1) / loop->unit * loop->unit;
    while (begin < end && !weir_stopped()) {
        int64_t next = piece < end - begin ? begin + piece : end, start = weir_now_ns();
        loop->fn(loop->ctx, begin, next);
        if (weir_now_ns() - start < LONG_NS && piece < end)
            piece *= 2;
        begin = next;
    }
}

static void run_chunk(const loop *loop, int64_t begin, int64_t end)
{
    if (loop->in_pieces && loop->stop)
        run_pieces(loop, begin, end);
    else
        loop->fn(loop->ctx, begin, end);
}

static void run_share(loop *loop, int share)
{
    for (;;) {
        int at = atomic_fetch_add_explicit(&loop->shares[share].next, 1, memory_order_relaxed);
        if (at >= loop->chunks)
            return;
        int64_t begin = start_of(loop, share, at), end = start_of(loop, share, at + 1);
        if (begin < end)
            run_chunk(loop, begin, end);
    }
}

static void run_shares(loop *loop)
{
    for (int i = 0; i < loop->share_count; i++)
        run_share(loop, (own_share + i) % loop->share_count);
}

static void help(void *arg)
{
    loop *loop = arg;
    weir_stop *before = weir_stop_work_for(loop->stop);
    run_shares(loop);
    weir_stop_work_for(before);
    atomic_fetch_sub_explicit(&loop->busy, 1, memory_order_release);
}

/* Helpers usually finish within microseconds. One that takes longer was preempted, on a system with
 * more threads than processors, and is rescheduled sooner if this thread yields. */
static void await_helpers(loop *loop)
{
    for (int i = 0; atomic_load_explicit(&loop->busy, memory_order_acquire) > 0; i++) {
        if (i < SPINS)
            weir_cpu_relax();
        else
            sched_yield();
    }
}

static void run_loop(const weir_par *par, int64_t count, int64_t grain, bool in_pieces,
                     void (*fn)(void *, int64_t, int64_t), void *ctx)
{
    if (count <= 0)
        return;
    if (grain < 1)
        grain = 1;
    int64_t threads = par && par->pool ? par->threads : 1;
    if (threads > MAX_HELPERS)
        threads = MAX_HELPERS;
    if (threads > (count + grain - 1) / grain)
        threads = (count + grain - 1) / grain;
    loop loop; /* most of it stays uninitialised */
    loop.count = count;
    loop.unit = 1;
    loop.grain = grain;
    loop.stop = weir_stop_current();
    loop.in_pieces = in_pieces;
    loop.fn = fn;
    loop.ctx = ctx;
    if (threads <= 1 || weir_pool_crowded(par->pool)) {
        run_chunk(&loop, 0, count);
        return;
    }
    int helpers = (int)threads - 1;
    weir_pool *pool = par->pool;
    task tasks[MAX_HELPERS];
    cut(&loop, grain, (int)threads);
    atomic_init(&loop.busy, helpers);
    weir_mutex_lock(&pool->lock);
    for (int i = 0; i < helpers; i++) {
        tasks[i] = (task){.fn = help, .arg = &loop};
        append(pool, &tasks[i]);
        if (!wake(pool))
            borrow(pool);
    }
    weir_mutex_unlock(&pool->lock);
    run_shares(&loop);
    weir_mutex_lock(&pool->lock);
    for (int i = 0; i < helpers; i++)
        if (tasks[i].next) {
            unlink_task(pool, &tasks[i]);
            atomic_fetch_sub_explicit(&loop.busy, 1, memory_order_relaxed);
        }
    weir_mutex_unlock(&pool->lock);
    await_helpers(&loop);
}

void weir_par_for(const weir_par *par, int64_t count, int64_t grain,
                  void (*fn)(void *, int64_t, int64_t), void *ctx)
{
    run_loop(par, count, grain, false, fn, ctx);
}

void weir_par_for_long(const weir_par *par, int64_t count, int64_t grain,
                       void (*fn)(void *, int64_t, int64_t), void *ctx)
{
    run_loop(par, count, grain, true, fn, ctx);
}

/* ---- threads that wait for something else ---- */

/* Removes and returns a pending helper of a loop; null if there is none. */
static task *take_helper(weir_pool *pool) WEIR_REQUIRES(pool->lock)
{
    for (task *task = pool->head.next; task != &pool->head; task = task->next)
        if (!task->owned) {
            unlink_task(pool, task);
            return task;
        }
    return NULL;
}

static void unlist(weir_pool *pool, lender *me) WEIR_REQUIRES(pool->lock)
{
    lender **at = &pool->lenders;
    while (*at && *at != me)
        at = &(*at)->next;
    if (*at)
        *at = me->next;
    me->listed = false;
}

/* Works on one loop, or, if there is none, sleeps until the word changes. */
static void lend(weir_pool *pool, atomic_int *word)
{
    lender me = {.word = word};
    weir_mutex_lock(&pool->lock);
    task *task = take_helper(pool);
    if (task) {
        void *arg = task->arg; /* the record may be invalid as soon as it has run */
        weir_mutex_unlock(&pool->lock);
        uint64_t mode = weir_denormals_flush();
        help(arg);
        weir_denormals_restore(mode);
        return;
    }
    me.next = pool->lenders;
    me.listed = true;
    pool->lenders = &me;
    weir_mutex_unlock(&pool->lock);
    weir_word_wait(word, 0);
    weir_mutex_lock(&pool->lock);
    if (me.listed)
        unlist(pool, &me);
    weir_mutex_unlock(&pool->lock);
    int lent = LENT;
    atomic_compare_exchange_strong(word, &lent, 0);
}

void weir_pool_wait(weir_pool *pool, atomic_int *word, int spins)
{
    while (atomic_load_explicit(word, memory_order_acquire) <= 0) {
        bool found = false;
        for (int i = 0; i < spins && !found; i++) {
            found = atomic_load_explicit(word, memory_order_acquire) > 0 ||
                    atomic_load_explicit(&pool->waiting, memory_order_relaxed) > 0;
            if (!found)
                weir_cpu_relax();
        }
        if (atomic_load_explicit(word, memory_order_acquire) <= 0)
            lend(pool, word);
    }
}
