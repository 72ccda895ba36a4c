/* cuda/tune.h - autotuning: times alternatives once, caches the choice. Not thread-safe. */
#ifndef WEIR_CUDA_TUNE_H
#define WEIR_CUDA_TUNE_H

#include "base/str.h"
#include "cuda/abi.h"

typedef struct weir_tuner weir_tuner;

/* Results are cached for |chip| and |version| (of the libraries). The context is current. */
weir_tuner *weir_tuner_create(const weir_cuda_functions *cuda, cu_stream stream, int chip,
                              const char *version);
void weir_tuner_destroy(weir_tuner *tuner); /* takes null */

/* Alternatives with the same result. |run| enqueues alternative |choice|, possibly often; false:
 * not supported. */
typedef struct weir_tuner_work {
    const char *key; /* a line of text */
    int count;       /* number of alternatives */
    bool (*run)(void *arg, int choice);
    void *arg;
    void *result; /* on the device, of elements of type |elem| */
    size_t bytes;
    int elem;
} weir_tuner_work;

/* The fastest among those whose results agree with the majority; -1: none runs. */
int weir_tuner_pick(weir_tuner *tuner, const weir_tuner_work *work);

#endif
