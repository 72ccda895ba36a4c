/* ops/train/apply_impl.h - one kernel for every optimiser op.
 *
 * What distinguishes the ops is their signature and their rule (math/train): which inputs are
 * slots, which one is the gradient, whether there are indices, and which are scalars is read off
 * the signature once per node.
 */
#ifndef WEIR_OPS_TRAIN_APPLY_IMPL_H
#define WEIR_OPS_TRAIN_APPLY_IMPL_H

#include "math/train/train.h"
#include "op/op.h"

weir_status weir_apply_prepare(weir_prepare *p); /* leaves the layout in state */
void weir_apply_cleanup(void *state);
weir_status weir_apply_infer(weir_infer *i);
weir_status weir_apply_run(weir_call *c, weir_train_rule rule);

#endif
