/* base/pool_test.c - loops, and threads that are lent to them. */
#include "base/pool.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "base/word.h"

static void add_up(void *ctx, int64_t begin, int64_t end)
{
    atomic_llong *sum = ctx;
    for (int64_t i = begin; i < end; i++)
        atomic_fetch_add(sum, i);
}

TEST(every_index_once)
{
    weir_pool *pool = weir_pool_create(3);
    for (int64_t count = 0; count < 2000; count = count * 3 + 1) {
        atomic_llong sum = 0;
        weir_par_for(&(weir_par){pool, 4}, count, 7, add_up, &sum);
        CHECK_EQ(atomic_load(&sum), count * (count - 1) / 2);
    }
    weir_pool_destroy(pool);
}

typedef struct seen {
    int64_t count;
    atomic_int times[4096];
    atomic_int empty;
} seen;

static void see(void *ctx, int64_t begin, int64_t end)
{
    seen *s = ctx;
    if (begin >= end || begin < 0 || end > s->count)
        atomic_fetch_add(&s->empty, 1);
    for (int64_t i = begin; i < end; i++)
        atomic_fetch_add(&s->times[i], 1);
}

/* Any division of the loop: few elements and many, small grains and large, more threads than
 * both. */
TEST(parts_neither_overlap_nor_leave_gaps)
{
    weir_pool *pool = weir_pool_create(3);
    static seen s;
    for (int threads = 1; threads <= 7; threads += 2)
        for (int64_t grain = 1; grain < 3000; grain = grain * 7 + 1)
            for (int64_t count = 1; count <= 4096; count = count * 2 + 1) {
                memset(&s, 0, sizeof s);
                s.count = count;
                weir_par_for(&(weir_par){pool, threads}, count, grain, see, &s);
                CHECK_EQ(atomic_load(&s.empty), 0);
                for (int64_t i = 0; i < count; i++)
                    CHECK_EQ(atomic_load(&s.times[i]), 1);
            }
    weir_pool_destroy(pool);
}

/* A loop of two parts that end when both have started: it needs two threads. */
typedef struct meeting {
    weir_pool *pool;
    atomic_int there, alone;
    atomic_int over;
} meeting;

static void meet(void *ctx, int64_t begin, int64_t end)
{
    (void)begin, (void)end;
    meeting *m = ctx;
    atomic_fetch_add(&m->there, 1);
    for (int i = 0; i < 5000 && atomic_load(&m->there) < 2; i++)
        usleep(1000);
    if (atomic_load(&m->there) < 2)
        atomic_fetch_add(&m->alone, 1);
}

static void loop_on_the_pool(void *arg)
{
    meeting *m = arg;
    usleep(20000); /* the waiting thread sleeps by now */
    weir_par_for(&(weir_par){m->pool, 2}, 2, 1, meet, m);
    atomic_store(&m->over, 1);
    weir_word_wake(&m->over);
}

TEST(a_waiting_thread_is_lent)
{
    weir_pool *pool = weir_pool_create(1);
    for (int spins = 0; spins < 100; spins += 99) {
        meeting m = {.pool = pool};
        weir_pool_submit(pool, loop_on_the_pool, &m);
        weir_pool_wait(pool, &m.over, spins);
        CHECK_EQ(atomic_load(&m.over), 1);
        CHECK_EQ(atomic_load(&m.alone), 0);
    }
    weir_pool_destroy(pool);
}

/* Many threads wait while loops run: all are woken. */
typedef struct waiter {
    weir_pool *pool;
    atomic_int word;
    pthread_t thread;
} waiter;

static void *wait_long(void *arg)
{
    waiter *w = arg;
    weir_pool_wait(w->pool, &w->word, 10);
    return NULL;
}

TEST(many_wait_and_all_return)
{
    enum { WAITERS = 6, ROUNDS = 200 };
    weir_pool *pool = weir_pool_create(1);
    waiter w[WAITERS] = {0};
    for (int i = 0; i < WAITERS; i++) {
        w[i].pool = pool;
        pthread_create(&w[i].thread, NULL, wait_long, &w[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        atomic_llong sum = 0;
        weir_par_for(&(weir_par){pool, 4}, 1000, 10, add_up, &sum);
        CHECK_EQ(atomic_load(&sum), 499500);
    }
    for (int i = 0; i < WAITERS; i++) {
        atomic_store(&w[i].word, 1);
        weir_word_wake(&w[i].word);
    }
    for (int i = 0; i < WAITERS; i++)
        pthread_join(w[i].thread, NULL);
    weir_pool_destroy(pool);
}

static void note_thread(void *ctx, int64_t begin, int64_t end)
{
    atomic_int *elsewhere = ctx;
    static _Thread_local bool mine;
    if (begin < 0)
        mine = true; /* marks the caller */
    else
        atomic_fetch_add(elsewhere, !mine);
}

/* With as many guests as processors, no other thread is woken. */
TEST(loops_of_a_crowded_pool_stay_where_they_are)
{
    weir_pool *pool = weir_pool_create(1);
    atomic_int elsewhere = 0;
    note_thread(&elsewhere, -1, 0);
    weir_pool_join(pool);
    CHECK(!weir_pool_crowded(pool));
    weir_pool_join(pool);
    CHECK(weir_pool_crowded(pool));
    for (int i = 0; i < 100; i++)
        weir_par_for(&(weir_par){pool, 2}, 1000, 1, note_thread, &elsewhere);
    CHECK_EQ(atomic_load(&elsewhere), 0);
    weir_pool_part(pool);
    weir_pool_part(pool);
    CHECK(!weir_pool_crowded(pool));
    weir_pool_destroy(pool);
}

TEST_MAIN()
