/* ops/io/io_impl.h - shared by the ops that access files. */
#ifndef WEIR_OPS_IO_IO_IMPL_H
#define WEIR_OPS_IO_IO_IMPL_H

#include "io/checkpoint.h"
#include "op/op.h"
#include "ops/common/strs.h"

/* Inputs 0, 1 (and 2 if |has_slices|) name tensors: a scalar and vectors of equal length. */
WEIR_CHECKED weir_status weir_io_infer_names(weir_infer *infer, bool has_slices);

#endif
