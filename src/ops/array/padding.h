/* ops/array/padding.h - the [rank, 2] padding matrices of Pad and its relatives. */
#ifndef WEIR_OPS_ARRAY_PADDING_H
#define WEIR_OPS_ARRAY_PADDING_H

#include "op/op.h"

typedef struct weir_pad_widths {
    int rank;
    int64_t before[WEIR_MAX_RANK], after[WEIR_MAX_RANK];
} weir_pad_widths;

/* Reads a matrix that weir_padding_infer has checked. */
weir_pad_widths weir_pad_widths_of(const weir_tensor *paddings);
/* Checks input 1 against input 0 as far as known and infers the padded shape; with |shrink|, the
 * shape before padding to that of input 0. */
WEIR_CHECKED weir_status weir_padding_infer(weir_infer *infer, bool shrink);

#endif
