/* math/scan.h - prefix scans along one dimension: sum, product, log-sum-exp. */
#ifndef WEIR_MATH_SCAN_H
#define WEIR_MATH_SCAN_H

#include "base/pool.h"
#include "math/elem.h"

typedef enum weir_scan_op {
    WEIR_S_sum,
    WEIR_S_prod,
    WEIR_S_logsumexp,
    WEIR_SCAN_COUNT
} weir_scan_op;

typedef struct weir_scan {
    weir_scan_op op;
    weir_elem elem;
    int64_t outer, length, inner; /* x and y are [outer, length, inner] */
    bool exclusive;               /* element i excludes element i itself */
    bool reverse;                 /* from the end */
    const void *x;
    void *y; /* may alias x */
} weir_scan;

bool weir_scan_has(weir_scan_op op, weir_elem elem);
/* The 16-bit floats are rounded after every step, as in TensorFlow. */
void weir_scan_run(const weir_par *par, const weir_scan *what);

#endif
