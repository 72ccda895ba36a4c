/* weir/ops.h - a function for every op.
 *
 * Made by tools/ops_header from the catalogue. MatMul is weir_mat_mul, Conv2D is weir_conv2d,
 * TopKV2 is weir_top_k_v2. Those whose names Weir has for something else end in _op:
 * weir_log_op, weir_variable_op.
 *
 *   TF_Output y = weir_mat_mul(b, "y", x, w, NULL);
 *   TF_Output z = weir_mat_mul(b, "z", x, w, &(weir_mat_mul_options){.transpose_b = true});
 *   weir_top_k_v2_outputs top = weir_top_k_v2(b, "top", y, k, NULL);  ... top.values, top.indices
 *
 * After the builder and the node's name come the inputs (a list as a pointer and a count), then
 * attrs that have no default and do not follow from the inputs, then options, which may be null.
 * In options all zeros are TensorFlow's defaults:
 *   - an attr that is true by default is there as its opposite, not_...;
 *   - a number whose default is not 0 says so ("0: 0.2"); WEIR_ZERO asks for 0 itself;
 *   - pointers that are null and types that are 0 are the defaults that the comment gives.
 * An op with one output gives it, with several a struct of them, with none the operation. What goes
 * wrong stays in the builder, as with everything of weir/graph.h.
 *
 * Programs that need a part only include that: weir/ops/nn.h, weir/ops/nn/conv.h...
 */
#ifndef WEIR_OPS_H
#define WEIR_OPS_H

#include "weir/ops/array.h"
#include "weir/ops/collective.h"
#include "weir/ops/data.h"
#include "weir/ops/data_flow.h"
#include "weir/ops/flow.h"
#include "weir/ops/image.h"
#include "weir/ops/internal.h"
#include "weir/ops/io.h"
#include "weir/ops/linalg.h"
#include "weir/ops/lookup.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"
#include "weir/ops/parsing.h"
#include "weir/ops/quant.h"
#include "weir/ops/random.h"
#include "weir/ops/sparse.h"
#include "weir/ops/state.h"
#include "weir/ops/string.h"
#include "weir/ops/summary.h"
#include "weir/ops/train.h"
#include "weir/ops/xla.h"

#endif
