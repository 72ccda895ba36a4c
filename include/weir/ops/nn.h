/* weir/ops/nn.h - neural networks: convolutions, pools, norms, losses, recurrent cells.
 *
 * Made by tools/ops_header.
 */
#ifndef WEIR_NN_OPS_H
#define WEIR_NN_OPS_H

#include "weir/ops/nn/conv.h"
#include "weir/ops/nn/layer.h"
#include "weir/ops/nn/norm.h"
#include "weir/ops/nn/pool.h"
#include "weir/ops/nn/recurrent.h"

#endif
