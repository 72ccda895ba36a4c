/* weir/ops/data.h - datasets and their iterators.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_DATA_OPS_H
#define WEIR_DATA_OPS_H

#include "weir/ops/data/function.h"
#include "weir/ops/data/group.h"
#include "weir/ops/data/iterator.h"
#include "weir/ops/data/older.h"
#include "weir/ops/data/order.h"
#include "weir/ops/data/saved.h"
#include "weir/ops/data/setting.h"
#include "weir/ops/data/source.h"

#endif
