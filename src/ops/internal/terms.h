/* ops/internal/terms.h - sums of products of transposed matrices, A1'B1 + A2'B2... */
#ifndef WEIR_OPS_INTERNAL_TERMS_H
#define WEIR_OPS_INTERNAL_TERMS_H

#include "op/op.h"

/* Sets |sum| to the sum of |count| products, or adds that to it. Each a is k x m and each b k x n
 * (k may differ from one to the next), and |sum| m x n. */
WEIR_CHECKED weir_status weir_terms_sum(const weir_par *par, const weir_tensor *a,
                                        const weir_tensor *b, size_t count, bool accumulate,
                                        weir_tensor *sum);

/* The same for small ones that are all of one size, row by row of the sum, so that the threads do
 * not show in the result. False, with nothing done, for others. */
bool weir_terms_sum_small(const weir_par *par, const weir_tensor *a, const weir_tensor *b,
                          size_t count, bool accumulate, weir_tensor *sum);

#endif
