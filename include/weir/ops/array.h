/* weir/ops/array.h - shapes, slices, joins and other moves of elements.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_ARRAY_OPS_H
#define WEIR_ARRAY_OPS_H

#include "weir/ops/array/block.h"
#include "weir/ops/array/quant.h"
#include "weir/ops/array/select.h"
#include "weir/ops/array/shape.h"
#include "weir/ops/array/tool.h"

#endif
