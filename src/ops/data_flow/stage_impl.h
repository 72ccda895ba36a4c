/* ops/data_flow/stage_impl.h - shared by ordered and keyed staging areas. */
#ifndef WEIR_OPS_DATA_FLOW_STAGE_IMPL_H
#define WEIR_OPS_DATA_FLOW_STAGE_IMPL_H

#include "ops/state/named.h"
#include "state/wait.h"

/* A tuple of tensors, owned. */
typedef struct weir_stage_tuple {
    int count;
    weir_tensor *at;
} weir_stage_tuple;

typedef struct weir_stage_limits {
    int64_t capacity, memory; /* maximum tuples and bytes; 0: no limit */
} weir_stage_limits;

weir_stage_limits weir_stage_limits_of(const weir_site *site);
/* Inputs from |from| on, shared. */
weir_stage_tuple weir_stage_tuple_of(const weir_call *call, int from);
void weir_stage_tuple_fini(weir_stage_tuple *tuple);
size_t weir_stage_tuple_bytes(const weir_stage_tuple *tuple);
size_t weir_stage_bytes(const weir_call *call, int from); /* size of inputs from |from| on */
/* Whether one more tuple of |more| bytes must wait; an error if it could never fit. */
bool weir_stage_full(const weir_stage_limits *limits, size_t count, size_t bytes, size_t more,
                     weir_status *out_status);
/* Sets output |out| to share |tensor| after a type check. */
WEIR_CHECKED weir_status weir_stage_give(weir_call *call, int out, const weir_tensor *tensor);

#define WEIR_STAGE_LIMITS "capacity: int >= 0 = 0; memory_limit: int >= 0 = 0; "
#define WEIR_STAGE_NAMES "container: string = \"\"; shared_name: string = \"\""
/* Kernels that wait for another call to stage. */
#define WEIR_STAGE_AWAITS (WEIR_ASYNC | WEIR_AWAITS | WEIR_OWN_OUTPUTS)
/* For every kernel; the including file defines prepare. */
#define WEIR_STAGE_NAMED .prepare = prepare, .cleanup = weir_named_cleanup

#endif
