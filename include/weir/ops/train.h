/* weir/ops/train.h - updates of variables by optimisers.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_TRAIN_OPS_H
#define WEIR_TRAIN_OPS_H

#include "weir/ops/train/row.h"
#include "weir/ops/train/whole.h"

#endif
