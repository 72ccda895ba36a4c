/* ops/sparse/csr.h - sparse matrices, or batches of them, in compressed rows.
 *
 * Between ops they are variants in compressed-row (CSR) form; inside an op they are entries, sorted
 * by batch, row and column. Arithmetic is in complex double.
 */
#ifndef WEIR_OPS_SPARSE_CSR_H
#define WEIR_OPS_SPARSE_CSR_H

#include "math/elem.h"
#include "op/op.h"
#include "tensor/handle.h"

/* What kind of matrix: rank 2, or 3 with a batch. */
typedef struct weir_csr_form {
    weir_dtype dtype;
    int rank;
    int64_t batch, rows, columns; /* batch is 1 for rank 2 */
} weir_csr_form;

typedef struct weir_csr {
    weir_variant base;
    weir_csr_form form;
    /* int32: offset of each matrix (batch + 1), offset of each of its rows, relative to the matrix
     * (batch * (rows + 1)), and the column of each value. */
    weir_tensor batches, rows, columns, values;
} weir_csr;

typedef struct weir_csr_entry {
    int64_t batch, row, column;
    weir_c128 value;
} weir_csr_entry;

/* Compares two entries by position; for qsort. */
int weir_csr_order(const void *a, const void *b);
/* Sorts |entries| and creates a matrix from them, with one reference for the caller. */
WEIR_CHECKED weir_status weir_csr_make(const weir_csr_form *form, weir_csr_entry *entries,
                                       int64_t count, weir_csr **out);
int64_t weir_csr_count(const weir_csr *csr);
/* All entries, in order; the caller frees them. */
weir_csr_entry *weir_csr_entries(const weir_csr *csr);
/* The matrix in scalar input |in|; its values must be |dtype| (0: any). */
WEIR_CHECKED weir_status weir_csr_input(const weir_call *call, int in, weir_dtype dtype,
                                        const weir_csr **out);
/* Sets output |out| to |csr|, whose reference it takes. */
void weir_csr_output(weir_call *call, int out, weir_csr *csr);
/* [batch,] rows, columns */
weir_shape weir_csr_shape(const weir_csr_form *form);

#endif
