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

/* Which of |count| ways is the fastest for |key|, a line of text; -1: none runs. |run| enqueues way
 * |choice| and may be called often; false: it cannot be done so. */
typedef bool (*weir_tuner_run)(void *arg, int choice);
int weir_tuner_pick(weir_tuner *tuner, const char *key, int count, weir_tuner_run run, void *arg);

#endif
