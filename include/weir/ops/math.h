/* weir/ops/math.h - arithmetic, element by element and over axes.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_MATH_OPS_H
#define WEIR_MATH_OPS_H

#include "weir/ops/math/elementwise.h"
#include "weir/ops/math/reduce.h"
#include "weir/ops/math/risc.h"
#include "weir/ops/math/special.h"

#endif
