/* math/select.h - z = c ? x : y over elements of any plain type, given by their size. */
#ifndef WEIR_MATH_SELECT_H
#define WEIR_MATH_SELECT_H

#include "base/pool.h"
#include "math/broadcast.h"

/* |bcast| walks c, x and y; |size| is 1, 2, 4, 8 or 16 bytes. z may alias x or y unless that
 * operand is broadcast. */
void weir_select_run(const weir_par *par, int size, const weir_bcast *bcast, const bool *c,
                     const void *x, const void *y, void *z);

#endif
