/* models/steady_test.c - steps in the steady state allocate no memory from the system.
 *
 * The C library's allocator is replaced by one that counts. The assignment of nodes to threads
 * differs from step to step, so a pool's threads may need a few more steps until each has its
 * buffers: the test requires a run of steps without any allocation, after any number of them.
 */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/test.h"
#include "memory/region.h"
#include "models/zero_feeds.h"

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { COUNTS = false }; /* the sanitizers bring their own */
static atomic_long asked;
#else
enum { COUNTS = true };
static atomic_long asked;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *ptr, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

/* Visible to the C library too, whose sort and streams allocate as well. */
#pragma GCC visibility push(default)
void *malloc(size_t bytes)
{
    asked++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    asked++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *ptr, size_t bytes)
{
    asked++;
    return __libc_realloc(ptr, bytes);
}

int posix_memalign(void **out, size_t align, size_t bytes)
{
    asked++;
    *out = __libc_memalign(align, bytes);
    return *out ? 0 : ENOMEM;
}
#pragma GCC visibility pop
#endif

static TF_Status *status;

/* Reduced sizes that make each model fast to test. */
typedef struct trial {
    const char *name;
    weir_model_options options;
} trial;

static const trial trials[] = {
    {"logreg", {.batch = 10, .rate = 0.01}},
    {"mnist_cnn", {.batch = 4}},
    {"autoencoder_small", {.batch = 10}},
    {"stn_small", {.batch = 4, .rate = 1e-4}},
    {"alexnet", {.batch = 1, .size = 67, .classes = 5}},
    {"googlenet", {.batch = 1, .size = 64, .classes = 5}},
    {"lstm_full", {.batch = 2, .size = 5, .classes = 100}},
    {"lstm_sampled", {.batch = 2, .size = 5, .classes = 1000}},
};

enum { RUN = 5, MOST_STEPS = 400 };

/* Allocations, and mappings of the region, so far. */
static long demands(void)
{
    return atomic_load(&asked) + (long)weir_region_get_stats().mappings;
}

/* Steps until RUN consecutive ones allocated nothing; MOST_STEPS if that never happened. */
static int steps_to_rest(weir_trainer *trainer, const weir_model_graph *graph, TF_Tensor **feeds)
{
    TF_Tensor *loss = NULL;
    weir_step_io io = {.feeds = graph->feeds,
                       .feed_values = feeds,
                       .feed_count = graph->feed_count,
                       .fetches = &graph->loss,
                       .fetched = &loss,
                       .fetch_count = 1};
    int steps = 0;
    for (int quiet = 0; quiet < RUN && steps < MOST_STEPS; steps++) {
        long before = demands();
        if (!weir_trainer_step(trainer, &io, status))
            return MOST_STEPS;
        TF_DeleteTensor(loss);
        quiet = demands() == before ? quiet + 1 : 0;
    }
    return steps;
}

static void try(const trial *how)
{
    const weir_model *model = weir_model_find(how->name);
    weir_model_input in;
    weir_model_input_with(model, &how->options, &in);
    weir_trainer *trainer = weir_trainer_new(&(weir_trainer_options){0});
    weir_model_graph graph;
    weir_model_build(model, trainer, &how->options, &graph);
    weir_trainer_start(trainer, status);
    CHECK_MSG(TF_GetCode(status) == TF_OK, "%s: %s", how->name, TF_Message(status));
    TF_Tensor *feeds[2];
    int count = make_feeds(&in, how->options.batch, feeds);
    int steps = steps_to_rest(trainer, &graph, feeds);
    CHECK_MSG(steps < MOST_STEPS, "%s: steps never stop to allocate: %s", how->name,
              TF_Message(status));
    for (int i = 0; i < count; i++)
        TF_DeleteTensor(feeds[i]);
    weir_trainer_stop(trainer, status);
    weir_trainer_delete(trainer);
}

TEST(a_steady_step_allocates_nothing)
{
    status = TF_NewStatus();
    for (size_t i = 0; COUNTS && i < sizeof trials / sizeof *trials; i++)
        try(&trials[i]);
    TF_DeleteStatus(status);
}

TEST_MAIN()
