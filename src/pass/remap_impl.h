/* pass/remap_impl.h - shared by the passes that create Weir's internal ops. */
#ifndef WEIR_PASS_REMAP_IMPL_H
#define WEIR_PASS_REMAP_IMPL_H

#include "pass/pass_impl.h"

/* Moves |old|'s control inputs and control outputs to |made|. */
void weir_remap_take_place(weir_node *old, weir_node *made);
/* |node| has no readers any more: its control outputs become those of its inputs. */
void weir_remap_pass_waiting_on(weir_node *node);
/* Removes |node|, and inputs used only by it, if it has neither users nor side effects. */
void weir_remap_sweep(const weir_pass_env *env, weir_node *node);

#endif
