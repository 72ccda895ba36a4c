/* weir/ops/sparse.h - sparse and ragged tensors.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_SPARSE_OPS_H
#define WEIR_SPARSE_OPS_H

#include "weir/ops/sparse/form.h"
#include "weir/ops/sparse/tensor.h"

#endif
