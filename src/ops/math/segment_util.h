/* ops/math/segment_util.h - what the segment ops share: ids checked, rows reduced. */
#ifndef WEIR_OPS_MATH_SEGMENT_UTIL_H
#define WEIR_OPS_MATH_SEGMENT_UTIL_H

#include "math/segment.h"
#include "op/op.h"

/* Fails for types that the reduction is not defined for. */
WEIR_CHECKED weir_status weir_segment_type(const weir_call *call, weir_segment_op op,
                                           weir_dtype dtype);
/* A copy of integer |tensor| as int64, of any shape, for the caller to release. */
WEIR_CHECKED weir_status weir_segment_ids(const weir_tensor *tensor, weir_tensor *out_ids);
/* Checks that ids do not decrease and are not negative; returns how many segments they name. */
WEIR_CHECKED weir_status weir_segment_sorted(const int64_t *ids, int64_t rows,
                                             int64_t *out_segments);
/* Allocates output 0 with |segments| rows and reduces input 0 into it. |indices| may be null. */
WEIR_CHECKED weir_status weir_segment_reduce(weir_call *call, weir_segment_op op,
                                             const weir_tensor *ids, const weir_tensor *indices,
                                             int64_t segments);

#endif
