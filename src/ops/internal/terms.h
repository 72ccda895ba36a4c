/* ops/internal/terms.h - sums of products of transposed matrices, A1'B1 + A2'B2... */
#ifndef WEIR_OPS_INTERNAL_TERMS_H
#define WEIR_OPS_INTERNAL_TERMS_H

#include "op/op.h"

/* The operands: each a is k x m and each b k x n, where k may differ between terms. */
typedef struct weir_terms {
    const weir_tensor *a, *b;
    size_t count;
    bool accumulate; /* add to the present sum */
    bool steady;     /* deterministic: the order does not depend on the threads */
} weir_terms;

/* Sets or adds to |sum|, which is m x n. */
WEIR_CHECKED weir_status weir_terms_sum(const weir_par *par, const weir_terms *terms,
                                        weir_tensor *sum);

#endif
