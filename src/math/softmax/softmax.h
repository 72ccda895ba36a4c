/* math/softmax/softmax.h - softmax and its cross-entropies along rows.
 *
 * The 16-bit floats are computed in float. Results do not depend on the number of threads. y may
 * alias x, and backprop the logits or the labels.
 */
#ifndef WEIR_MATH_SOFTMAX_H
#define WEIR_MATH_SOFTMAX_H

#include "base/pool.h"
#include "math/elem.h"

/* y = softmax(x), or its logarithm, along each of |rows| rows of |cols|; f16, bf16, f32, f64. */
void weir_softmax(const weir_par *par, weir_elem elem, bool log, int64_t rows, int64_t cols,
                  const void *x, void *y);

/* Logits and labels of a batch. A row step of 0 broadcasts one row; a column step of 0 broadcasts
 * one value along the row. */
typedef struct weir_xent {
    weir_elem elem;
    int64_t rows, cols;
    const void *logits, *labels;
    int64_t logits_row, labels_row; /* row strides, in elements */
    int logits_col, labels_col;     /* 0 or 1 */
    void *loss;                     /* rows */
    void *backprop;                 /* rows x cols: d loss / d logits ... */
    const void *scale; /* ... times one of these for each row; null: 1. f32 and f64 only */
    int scale_row;     /* 0 or 1: row stride of |scale| */
} weir_xent;

void weir_xent_dense(const weir_par *par, const weir_xent *work);
/* Labels are class numbers, int32 or int64 (|wide|); one outside [0, cols) gives NaN. */
void weir_xent_sparse(const weir_par *par, const weir_xent *work, bool wide);

#endif
