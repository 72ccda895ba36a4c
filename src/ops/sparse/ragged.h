/* ops/sparse/ragged.h - shared by the ops on ragged tensors: row splits. */
#ifndef WEIR_OPS_SPARSE_RAGGED_H
#define WEIR_OPS_SPARSE_RAGGED_H

#include "op/op.h"

/* Checks splits: start with 0, non-decreasing, end with |count| unless that is -1. */
WEIR_CHECKED weir_status weir_ragged_check_splits(const weir_tensor *splits, int64_t count);

#endif
