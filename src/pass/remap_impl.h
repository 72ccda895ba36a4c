/* pass/remap_impl.h - the passes of remap.c, each in the file of its name, and what they share. */
#ifndef WEIR_PASS_REMAP_IMPL_H
#define WEIR_PASS_REMAP_IMPL_H

#include "pass/pass_impl.h"

weir_status weir_pass_dropout(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_xent(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_dense(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_panels(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_terms(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_products(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_updates(weir_graph *g, const weir_pass_env *env);
weir_status weir_pass_gather(weir_graph *g, const weir_pass_env *env);

/* |made| waits for what |old| waited for, and is what |old|'s waiters wait for. */
void weir_remap_take_place(weir_node *old, weir_node *made);
/* Who waits for |n|, which nobody reads any more, waits for what it needs. */
void weir_remap_pass_waiting_on(weir_node *n);
/* Removes |n|, and what it alone used, when nobody uses it any more and it does nothing else. */
void weir_remap_sweep(const weir_pass_env *env, weir_node *n);

#endif
