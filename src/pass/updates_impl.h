/* pass/updates_impl.h - optimiser ops, as the passes over them see them. */
#ifndef WEIR_PASS_UPDATES_IMPL_H
#define WEIR_PASS_UPDATES_IMPL_H

#include "pass/remap_impl.h"

enum { WEIR_UPDATE_INPUTS = 16 }; /* at most, in what weir_update_is_plain accepts */

int weir_update_grad(const weir_node *node); /* the input; -1: none */
bool weir_update_is_slot(const weir_node *node, int in);
/* Whether every input but the slots is a number of the gradient's type, as rules have them. */
bool weir_update_is_plain(const weir_node *step, int grad);
bool weir_update_flag(
    const weir_node *step); /* the attr of its rule's own; false where there is none */

#endif
