/* cli/bench/peak.c - every thread runs the same loop at once, by its own clock; the best round
 * counts.
 */
#include "cli/bench/peak.h"

#include <pthread.h>

#include "base/clock.h"
#include "base/mem.h"
#include "math/peak/peak.h"

enum {
    ROUNDS = 30,          /* short and many: one of them is not disturbed */
    TURNS = 50000,        /* about 2 ms of arithmetic */
    FLOATS = 8 * 1048576, /* of each of three arrays, all threads together: beyond any cache */
    MOST_THREADS = 256,
};

typedef struct job {
    const weir_peak_loops *loops;
    bool memory;
    size_t floats;         /* of one thread */
    pthread_mutex_t ready; /* held until it is known how many threads there are */
    pthread_barrier_t begin;
} job;

typedef struct worker {
    job *of;
    pthread_t thread;
    float *arrays[3];
    double done; /* operations or bytes of a round */
    int64_t began[ROUNDS], ended[ROUNDS];
} worker;

static void *work(void *arg)
{
    worker *w = arg;
    for (int i = 0; i < 3 && w->of->memory; i++) { /* touched by who uses it */
        w->arrays[i] = weir_alloc(w->of->floats * sizeof(float));
        for (size_t k = 0; k < w->of->floats; k++)
            w->arrays[i][k] = 1;
    }
    pthread_mutex_lock(&w->of->ready);
    pthread_mutex_unlock(&w->of->ready);
    for (int r = 0; r < ROUNDS; r++) {
        pthread_barrier_wait(&w->of->begin);
        w->began[r] = weir_now_ns();
        w->done = w->of->memory
                      ? w->of->loops->triad(w->arrays[0], w->arrays[1], w->arrays[2], w->of->floats)
                      : w->of->loops->multiply_add(TURNS);
        w->ended[r] = weir_now_ns();
    }
    for (int i = 0; i < 3; i++)
        weir_free(w->arrays[i]);
    return NULL;
}

/* From the first thread's begin to the last one's end. */
static int64_t time_of_round(const worker *workers, int count, int r)
{
    int64_t begin = INT64_MAX, end = 0;
    for (int i = 0; i < count; i++) {
        begin = workers[i].began[r] < begin ? workers[i].began[r] : begin;
        end = workers[i].ended[r] > end ? workers[i].ended[r] : end;
    }
    return end > begin ? end - begin : INT64_MAX;
}

/* The best round's rate, in units of 10^9 a second. */
static double measure(int threads, const weir_peak_loops *loops, bool memory)
{
    job j = {.loops = loops, .memory = memory, .floats = FLOATS / (size_t)threads};
    worker *workers = WEIR_NEW_ARRAY(worker, threads);
    int64_t best = INT64_MAX;
    int started = 0;
    double done = 0;
    pthread_mutex_init(&j.ready, NULL);
    pthread_mutex_lock(&j.ready);
    for (; started < threads; started++) {
        workers[started].of = &j;
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started]) != 0)
            break; /* as many as there are */
    }
    if (started)
        pthread_barrier_init(&j.begin, NULL, (unsigned)started);
    pthread_mutex_unlock(&j.ready);
    for (int i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
        done += workers[i].done;
    }
    for (int r = 0; r < ROUNDS; r++) {
        int64_t took = time_of_round(workers, started, r);
        best = took < best ? took : best;
    }
    if (started)
        pthread_barrier_destroy(&j.begin);
    pthread_mutex_destroy(&j.ready);
    weir_free(workers);
    return done / (double)best;
}

void bench_measure_peak(int threads, bench_peak *out)
{
    *out = (bench_peak){0};
    threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    for (int isa = 0; isa <= (int)weir_cpu_isa(); isa++)
        out->gflops[isa] = measure(threads, WEIR_ISA_AT(weir_peak_loops, (weir_isa)isa), false);
    out->gbytes = measure(threads, WEIR_ISA_PICK(weir_peak_loops), true);
}
