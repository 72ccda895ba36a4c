/* ops/data_flow/accumulator_impl.h - accumulators that sum gradients until enough have arrived.
 *
 * A gradient carries the global step it was computed at; stale ones are dropped. Taking waits for
 * the required number, returns mean or sum, and advances to the next step.
 */
#ifndef WEIR_OPS_DATA_FLOW_ACCUMULATOR_IMPL_H
#define WEIR_OPS_DATA_FLOW_ACCUMULATOR_IMPL_H

#include "ops/state/named.h"
#include "state/wait.h"

typedef struct weir_accumulator {
    weir_resource base;
    weir_wait_point point;
    bool sparse, mean;
    char *name;
    weir_dtype dtype;
    weir_shape shape; /* as declared; may be partially unknown */
    /* Guarded by point.lock: */
    int64_t global_step, count;
    weir_tensor sum; /* dense: the sum; sparse: its rows */
    /* Sparse only, one per row, by increasing index: */
    WEIR_VEC(int64_t) indices;
    WEIR_VEC(int64_t) counts; /* number of gradients with the row */
} weir_accumulator;

extern const weir_resource_type weir_accumulator_type;

/* Creates (or finds) the accumulator of the node and outputs its handle. */
weir_status weir_accumulator_make(weir_call *call, bool sparse);
weir_status weir_accumulator_prepare(weir_prepare *preparation);
/* The accumulator of input 0, dense or sparse as requested. Retained. */
WEIR_CHECKED weir_status weir_accumulator_input(weir_call *call, bool sparse,
                                                weir_accumulator **out);
/* Divides |count| elements by |by|. */
void weir_accumulator_divide(weir_dtype dtype, void *elements, int64_t count, int64_t by);
/* Clears it and advances to the next step. Lock held. */
void weir_accumulator_reset(weir_accumulator *accumulator);
/* Reads a scalar int64 input. */
WEIR_CHECKED weir_status weir_accumulator_step(weir_call *call, int in, int64_t *out_step);
/* Starts a take, which retries |attempt|. */
void weir_accumulator_take(weir_call *call, bool sparse, weir_wait_try attempt);
/* Whether a take has its required number of gradients. Lock held. */
static inline bool weir_accumulator_ready(const weir_call *call,
                                          const weir_accumulator *accumulator)
{
    return accumulator->count >= *(const int32_t *)weir_in(call, 1)->data;
}

#endif
