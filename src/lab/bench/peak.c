/* lab/bench/peak.c - all threads run the same loop at once, each by its own clock; the best round
 * counts.
 *
 * Each thread is pinned to a CPU, and they synchronise by spinning: the scheduler may wake two
 * sleeping threads on one CPU, and takes longer than a round to separate them.
 */
#include "lab/bench/peak.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/mem.h"
#include "math/peak/peak.h"
#include "memory/region.h"

enum {
    ROUNDS = 100,         /* short and many, so that one of them is undisturbed */
    TURNS = 50000,        /* about 2 ms of arithmetic */
    FLOATS = 8 * 1048576, /* of each of three arrays, all threads together: larger than any cache */
    SPINS = 4000,         /* spins before a waiting thread yields */
};

typedef struct job {
    const weir_peak_loops *loops;
    bool memory;
    size_t floats;      /* of one thread */
    atomic_int threads; /* 0 until their number is known */
    atomic_int arrived; /* total arrivals at all rounds */
} job;

typedef struct worker {
    job *of;
    int index;
    pthread_t thread;
    float *arrays[3];
    double done; /* operations or bytes of a round */
    int64_t began[ROUNDS], ended[ROUNDS];
} worker;

/* Pins this thread to its |index|-th allowed CPU. */
static void take_processor(int index)
{
    cpu_set_t all, one;
    if (sched_getaffinity(0, sizeof all, &all) != 0)
        return;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && index-- == 0) {
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
}

/* Waits until every thread has reached round |r|. */
static void meet(job *job, int r)
{
    atomic_fetch_add(&job->arrived, 1);
    for (int i = 0;; i++) {
        int threads = atomic_load(&job->threads);
        if (threads && atomic_load(&job->arrived) >= threads * (r + 1))
            return;
        if (i < SPINS)
            weir_cpu_relax();
        else
            sched_yield();
    }
}

static void *work(void *arg)
{
    worker *worker = arg;
    take_processor(worker->index);
    for (int i = 0; i < 3 && worker->of->memory; i++) /* first touch by the using thread */
        for (size_t k = 0; k < worker->of->floats; k++)
            worker->arrays[i][k] = 1;
    for (int r = 0; r < ROUNDS; r++) {
        meet(worker->of, r);
        worker->began[r] = weir_now_ns();
        worker->done = worker->of->memory
                           ? worker->of->loops->triad(worker->arrays[0], worker->arrays[1],
                                                      worker->arrays[2], worker->of->floats)
                           : worker->of->loops->multiply_add(TURNS);
        worker->ended[r] = weir_now_ns();
    }
    return NULL;
}

/* Allocates a thread's memory like tensors: in huge pages if available. */
static bool give_arrays(worker *worker, size_t floats)
{
    size_t bytes = floats * sizeof(float);
    for (int i = 0; i < 3; i++)
        if (!(worker->arrays[i] = weir_region_alloc(bytes, &bytes)))
            return false;
    return true;
}

static void take_arrays(worker *worker)
{
    for (int i = 0; i < 3; i++)
        if (worker->arrays[i])
            weir_region_free(worker->arrays[i]);
}

/* From the first thread's start to the last one's end. */
static int64_t time_of_round(const worker *workers, int count, int r)
{
    int64_t begin = INT64_MAX, end = 0;
    for (int i = 0; i < count; i++) {
        begin = workers[i].began[r] < begin ? workers[i].began[r] : begin;
        end = workers[i].ended[r] > end ? workers[i].ended[r] : end;
    }
    return end > begin ? end - begin : INT64_MAX;
}

/* The best round's rate, in 10^9 per second. */
static double measure(int threads, const weir_peak_loops *loops, bool memory)
{
    job job = {.loops = loops, .memory = memory, .floats = FLOATS / (size_t)threads};
    WEIR_FREED worker *workers = WEIR_NEW_ARRAY(worker, threads);
    int64_t best = INT64_MAX;
    int started = 0;
    double done = 0;
    for (; started < threads; started++) {
        workers[started].of = &job;
        workers[started].index = started;
        if (memory && !give_arrays(&workers[started], job.floats))
            break; /* as many as the system allows */
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break;
    }
    atomic_store(&job.threads, started);
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        done += workers[i].done;
    }
    for (int r = 0; r < ROUNDS; r++) {
        int64_t took = time_of_round(workers, started, r);
        best = took < best ? took : best;
    }
    for (int i = 0; i < threads; i++)
        take_arrays(&workers[i]);
    return done / (double)best;
}

/* ---- CPU to CPU ------------------------------------------------------------------------------ */

enum { TRIPS = 5000, TRIES = 20 };

/* Replies to each odd number with the next even one. */
static void *answer(void *arg)
{
    atomic_int *word = arg;
    take_processor(1);
    for (int i = 1; i < 2 * TRIPS * TRIES; i += 2) {
        while (atomic_load_explicit(word, memory_order_acquire) != i)
            weir_cpu_relax();
        atomic_store_explicit(word, i + 1, memory_order_release);
    }
    return NULL;
}

static void *ask(void *arg)
{
    _Alignas(128) atomic_int word = 0;
    double *out = arg, best = 0;
    pthread_t other;
    if (pthread_create(&other, NULL, answer, &word) != 0)
        return NULL;
    take_processor(0);
    for (int try = 0; try < TRIES; try++) {
        int64_t begin = weir_now_ns();
        for (int i = 2 * TRIPS * try + 1; i < 2 * TRIPS * (try + 1); i += 2) {
            atomic_store_explicit(&word, i, memory_order_release);
            while (atomic_load_explicit(&word, memory_order_acquire) != i + 1)
                weir_cpu_relax();
        }
        double took = (double)(weir_now_ns() - begin) / TRIPS;
        best = try == 0 || took < best ? took : best;
    }
    pthread_join(other, NULL);
    *out = best;
    return NULL;
}

/* Round trip of a word between two CPUs in nanoseconds; NAN with one thread. */
static double measure_trip(int threads)
{
    double ns = NAN;
    pthread_t asking;
    if (threads > 1 && pthread_create(&asking, NULL, ask, &ns) == 0)
        pthread_join(asking, NULL);
    return ns;
}

void bench_measure_peak(int threads, const volatile sig_atomic_t *stop, bench_peak *out)
{
    *out = (bench_peak){0};
    int processors = weir_cpu_count(); /* more threads reach no more */
    threads = threads < 1 ? 1 : threads > processors ? processors : threads;
    for (int isa = 0; isa <= (int)weir_cpu_isa() && !*stop; isa++)
        out->gflops[isa] = measure(threads, WEIR_ISA_AT(weir_peak_loops, (weir_isa)isa), false);
    if (*stop)
        return;
    out->gbytes = measure(threads, WEIR_ISA_PICK(weir_peak_loops), true);
    out->trip_ns = measure_trip(threads);
}
