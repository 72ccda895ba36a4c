/* pass/updates_impl.h - optimiser ops, as seen by the passes that fuse them. */
#ifndef WEIR_PASS_UPDATES_IMPL_H
#define WEIR_PASS_UPDATES_IMPL_H

#include "pass/remap_impl.h"

enum { WEIR_UPDATE_INPUTS = 16 }; /* the maximum that weir_update_is_plain accepts */

int weir_update_grad(const weir_node *node); /* index of the gradient input; -1: none */
bool weir_update_is_slot(const weir_node *node, int in);
/* True when every input except the slots is a scalar of the gradient's type. */
bool weir_update_is_plain(const weir_node *step, int grad);
bool weir_update_flag(
    const weir_node *step); /* the attr specific to its rule; false where there is none */

#endif
