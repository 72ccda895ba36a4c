/* pass/remap_impl.h - what the passes that make ops of our own share. */
#ifndef WEIR_PASS_REMAP_IMPL_H
#define WEIR_PASS_REMAP_IMPL_H

#include "pass/pass_impl.h"

/* |made| waits for what |old| waited for, and is what |old|'s waiters wait for. */
void weir_remap_take_place(weir_node *old, weir_node *made);
/* Who waits for |node|, which nobody reads any more, waits for what it needs. */
void weir_remap_pass_waiting_on(weir_node *node);
/* Removes |node|, and what it alone used, when nobody uses it any more and it does nothing else. */
void weir_remap_sweep(const weir_pass_env *env, weir_node *node);

#endif
