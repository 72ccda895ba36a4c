/* math/segment.h - segmented reduction of rows.
 *
 * x has |rows| rows of |width| elements; y has |segments|. Row r of x, or row indices[r] if there
 * are indices, is reduced into row ids[r] of y. Ids outside [0, segments) are skipped; callers
 * check indices. Empty segments are filled with |empty|.
 */
#ifndef WEIR_MATH_SEGMENT_H
#define WEIR_MATH_SEGMENT_H

#include "base/pool.h"
#include "base/status.h"
#include "math/elem.h"

typedef enum weir_segment_op {
    WEIR_SEG_sum,
    WEIR_SEG_mean,
    WEIR_SEG_sqrt_n, /* sum / sqrt(rows) */
    WEIR_SEG_prod,
    WEIR_SEG_max,
    WEIR_SEG_min,
} weir_segment_op;

typedef struct weir_segment {
    weir_segment_op op;
    weir_elem elem;
    int64_t rows, width, segments;
    const int64_t *ids;     /* |rows| of them */
    const int64_t *indices; /* null: row r is row r */
    int64_t x_rows;         /* rows of x, if there are indices */
    const void *x;
    void *y;
    const void *empty; /* one element */
} weir_segment;

bool weir_segment_has(weir_segment_op op, weir_elem elem);
/* Fails only when out of scratch memory (16-bit floats are widened). */
WEIR_CHECKED weir_status weir_segment_run(const weir_par *par, const weir_segment *what);

/* The gradient of a sum over indexed rows: y[indices[r]] += scale * x[ids[r]], where scale is 1, 1
 * / (rows in the segment) for the mean, or 1 / sqrt of it. */
WEIR_CHECKED weir_status weir_segment_spread(const weir_par *par, const weir_segment *what,
                                             int64_t y_rows);

#endif
