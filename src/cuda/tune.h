/* cuda/tune.h - the fastest of several ways, timed once and kept on disk. One thread at a time. */
#ifndef WEIR_CUDA_TUNE_H
#define WEIR_CUDA_TUNE_H

#include "base/str.h"
#include "cuda/abi.h"

typedef struct weir_tuner weir_tuner;

/* Results are kept for |chip| and |version|, which names the libraries. The context is current. */
weir_tuner *weir_tuner_create(const weir_cuda_functions *cuda, cu_stream stream, int chip,
                              const char *version);
void weir_tuner_destroy(weir_tuner *tuner); /* takes null */

/* Several ways to the same result. |run| enqueues way |choice| and may be called often; false: it
 * cannot be done so. */
typedef struct weir_tuner_work {
    const char *key; /* a line of text */
    int count;       /* of ways */
    bool (*run)(void *arg, int choice);
    void *arg;
    void *result; /* on the device, of elements of type |elem| */
    size_t bytes;
    int elem;
} weir_tuner_work;

/* Which is the fastest of those that most agree with; -1: none runs. */
int weir_tuner_pick(weir_tuner *tuner, const weir_tuner_work *work);

#endif
