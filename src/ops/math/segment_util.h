/* ops/math/segment_util.h - shared by the segment ops: validation of ids, reduction of rows. */
#ifndef WEIR_OPS_MATH_SEGMENT_UTIL_H
#define WEIR_OPS_MATH_SEGMENT_UTIL_H

#include "math/segment.h"
#include "op/op.h"

/* Fails for types that the reduction does not support. */
WEIR_CHECKED weir_status weir_segment_type(const weir_call *call, weir_segment_op op,
                                           weir_dtype dtype);
/* Copies the integer |tensor| to int64, with any shape; the caller releases it. */
WEIR_CHECKED weir_status weir_segment_ids(const weir_tensor *tensor, weir_tensor *out_ids);
/* Checks that ids are non-negative and non-decreasing; returns the number of segments. */
WEIR_CHECKED weir_status weir_segment_sorted(const int64_t *ids, int64_t rows,
                                             int64_t *out_segments);
/* Allocates output 0 with |segments| rows and reduces input 0 into it. |indices| may be null. */
WEIR_CHECKED weir_status weir_segment_reduce(weir_call *call, weir_segment_op op,
                                             const weir_tensor *ids, const weir_tensor *indices,
                                             int64_t segments);

#endif
