/* ops/sparse/ragged.h - what ops over ragged tensors share: row splits. */
#ifndef WEIR_OPS_SPARSE_RAGGED_H
#define WEIR_OPS_SPARSE_RAGGED_H

#include "op/op.h"

/* A vector that starts with 0 and never falls; and that ends with |count|, unless that is -1. */
WEIR_CHECKED weir_status weir_ragged_check_splits(const weir_tensor *splits, int64_t count);

#endif
