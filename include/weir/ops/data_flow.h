/* weir/ops/data_flow.h - queues, tensor arrays, lists, maps, accumulators, partitions.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_DATA_FLOW_OPS_H
#define WEIR_DATA_FLOW_OPS_H

#include "weir/ops/data_flow/array.h"
#include "weir/ops/data_flow/list.h"
#include "weir/ops/data_flow/queue.h"
#include "weir/ops/data_flow/stage.h"

#endif
