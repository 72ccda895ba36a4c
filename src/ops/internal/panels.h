/* ops/internal/panels.h - when prepacking a matrix (_Panels) pays off. */
#ifndef WEIR_OPS_INTERNAL_PANELS_H
#define WEIR_OPS_INTERNAL_PANELS_H

#include "tensor/dtype.h"

/* Whether it pays off for |products| products of at most |m| rows with a k x n matrix. */
bool weir_panels_pay(weir_dtype type, int64_t m, int64_t n, int64_t k, int64_t products);

#endif
