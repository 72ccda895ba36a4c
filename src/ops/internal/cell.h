/* ops/internal/cell.h - _Cell: fused element-wise ops over a matrix, with several results. */
#ifndef WEIR_OPS_INTERNAL_CELL_H
#define WEIR_OPS_INTERNAL_CELL_H

#include "gpu/text.h"
#include "op/op.h"

/* A program as gpu/text.h describes it. */
typedef struct weir_cell {
    const int64_t *program;
    int count; /* number of lines */
    int64_t rows, columns;
    int values; /* above every value's number */
} weir_cell;

/* INVALID_ARGUMENT: the attrs are not a valid program for these inputs and outputs. */
WEIR_CHECKED weir_status weir_cell_read(const weir_site *site, weir_cell *out_cell);
/* INTERNAL: a tensor of the call is smaller than the program requires. */
WEIR_CHECKED weir_status weir_cell_fits(const weir_call *call, const weir_cell *cell);

#endif
