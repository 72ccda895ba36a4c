/* data/pipeline.h - batches, made by the caller on demand or prefetched by threads.
 *
 * Threads fill the slots of a batch in any order, and several batches at once; finished batches go
 * through a queue of the runtime (state/queue.h) in the order of the examples. An error is returned
 * in place of its batch. Not thread-safe for callers.
 */
#ifndef WEIR_DATA_PIPELINE_H
#define WEIR_DATA_PIPELINE_H

#include "data/batch.h"
#include "data/order.h"

typedef struct weir_pipeline weir_pipeline;

typedef struct weir_pipeline_spec {
    weir_source *source; /* these three must outlive it */
    weir_order *order;
    const weir_fit *fit;
    int batch;
    bool whole_batches;
    int threads; /* 0: the caller alone */
    int prefetch;
} weir_pipeline_spec;

weir_pipeline *weir_pipeline_create(const weir_pipeline_spec *spec);
void weir_pipeline_destroy(weir_pipeline *pipeline); /* stops its threads first; takes null */
/* The next batch; without tensors at the end. */
WEIR_CHECKED weir_status weir_pipeline_next(weir_pipeline *pipeline, weir_batch *out_batch);

#endif
