/* pass/pass_impl.h - declarations shared by the passes. */
#ifndef WEIR_PASS_PASS_IMPL_H
#define WEIR_PASS_PASS_IMPL_H

#include "graph/flow.h"
#include "pass/pass.h"

typedef struct weir_pass_env {
    weir_pass_options options;
    weir_pass_stage stage;
    size_t count;     /* nodes at the start; later ones are never kept */
    const bool *kept; /* by node id */
} weir_pass_env;

typedef weir_status (*weir_pass)(weir_graph *graph, const weir_pass_env *env);

/* The passes, each in the file of its name (shapes: pipeline.c). */
#define WEIR_PASS(stage, name, option, old_name)                                                   \
    weir_status weir_pass_##name(weir_graph *g, const weir_pass_env *env);
#define WEIR_PASS_AGAIN(stage, name)
#include "pass/passes.inc"
#undef WEIR_PASS
#undef WEIR_PASS_AGAIN

/* rewrite.c */
bool weir_pass_kept(const weir_pass_env *env, const weir_node *node);
/* True when |node| may be moved, deduplicated or eliminated. */
bool weir_pass_pure(const weir_node *node);
/* True when |node| has no side effect: pure nodes, and those that only read a variable or an
 * argument, or take its handle. */
bool weir_pass_quiet(const weir_node *node);
/* True when |node| reads a variable without a side effect. */
bool weir_pass_reads(const weir_node *node);
/* True when |edge| may alias a reference variable's buffer, as Identity of one does: a later reader
 * may see a later write. A copy of it must not be eliminated. */
bool weir_pass_shares_variable(weir_edge edge);
/* True when |parts| can be fused into one node: no path leads from one of them through another node
 * to one of them. */
bool weir_pass_may_merge(weir_node *const *parts, size_t count);
/* The same for |first| and its successor |last|, when all readers of |first| become part of the
 * node too: then only a control edge from |first| could create a cycle. */
bool weir_pass_may_join(const weir_node *first, const weir_node *last);
/* True when a path leads from |from| to |to|. */
bool weir_pass_leads_to(const weir_node *from, const weir_node *to);
/* Adds a node named "|prefix||name of like||suffix|" on |like|'s requested device. */
WEIR_CHECKED weir_status weir_pass_add(const weir_node *like, const char *prefix,
                                       const char *suffix, const weir_node_spec *spec,
                                       weir_node **out_node);
/* True when |node| has a device kernel with 16-bit float output. */
bool weir_pass_narrow(const weir_pass_env *env, const weir_node *node);
/* Redirects the readers of |node|'s only output to |edge| and removes |node|. False (and nothing
 * has changed) when that would lose a control edge or add edges. */
bool weir_pass_bypass(const weir_pass_env *env, weir_node *node, weir_edge edge);
/* Moves the control outputs of |from| to |to|. */
void weir_pass_move_waiting(weir_node *from, weir_node *to);
void weir_pass_remove(weir_node *node); /* drops its control outputs, too */
bool weir_pass_has_data_use(const weir_node *node, int output);
/* The only reader of an output; null: none or several. Control outputs do not count. */
weir_node *weir_pass_only_reader(const weir_node *node, int output);
/* A bool attr; false when absent. */
bool weir_pass_flag(const weir_node *node, const char *name);
static inline bool weir_pass_is_const(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_CONST;
}
/* True when a kernel of |node|, or of the function that it calls, may block on a queue, another
 * step or another task. */
bool weir_pass_may_wait(const weir_node *node);
/* The value of a Const node; null for others. */
const weir_tensor *weir_pass_value(weir_edge edge);

#endif
