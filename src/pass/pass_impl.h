/* pass/pass_impl.h - what passes share. */
#ifndef WEIR_PASS_PASS_IMPL_H
#define WEIR_PASS_PASS_IMPL_H

#include "graph/flow.h"
#include "pass/pass.h"

typedef struct weir_pass_env {
    weir_pass_options options;
    weir_pass_stage stage;
    size_t count;     /* nodes there at the start; later ones are never kept */
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
/* True when |node| may be computed at another time, once instead of twice, or not at all. */
bool weir_pass_pure(const weir_node *node);
/* True when running |node|, or not, changes nothing: pure nodes, and those that only read or name a
 * variable or an argument. */
bool weir_pass_quiet(const weir_node *node);
/* Takes a variable and has no effect: it gives what the variable holds. */
bool weir_pass_reads(const weir_node *node);
/* True when |edge| may share the memory of a variable that is a reference, as Identity of one does:
 * who reads it later may see a later write. What copied it must not be left out. */
bool weir_pass_shares_variable(weir_edge edge);
/* True when |parts| can become one node: no path leads from one of them over another node to one of
 * them. */
bool weir_pass_may_merge(weir_node *const *parts, size_t count);
/* The same of |first| and |last|, which comes after it, when all that reads |first| becomes part of
 * the node too: only what waits for |first| could lead to |last|. */
bool weir_pass_may_join(const weir_node *first, const weir_node *last);
/* Adds a node named "|prefix||name of like||suffix|" on the device that |like| was given. */
WEIR_CHECKED weir_status weir_pass_add(const weir_node *like, const char *prefix,
                                       const char *suffix, const weir_node_spec *spec,
                                       weir_node **out_node);
/* Whether |node| gives 16-bit floats by a kernel of its device. */
bool weir_pass_narrow(const weir_pass_env *env, const weir_node *node);
/* Everything that reads |node|'s only output reads |edge| instead, and |node| goes. False (and
 * nothing has changed) when that would lose a control edge or grow the graph. */
bool weir_pass_bypass(const weir_pass_env *env, weir_node *node, weir_edge edge);
/* Whoever waits for |from| waits for |to| instead. */
void weir_pass_move_waiting(weir_node *from, weir_node *to);
void weir_pass_remove(weir_node *node); /* lets go of what waits for it, too */
bool weir_pass_has_data_use(const weir_node *node, int output);
/* The only reader of an output; null: there are several or none. Others may wait for |node|. */
weir_node *weir_pass_only_reader(const weir_node *node, int output);
/* A bool attr; false when it is not there. */
bool weir_pass_flag(const weir_node *node, const char *name);
static inline bool weir_pass_is_const(const weir_node *node)
{
    return weir_node_flow(node) == WEIR_FLOW_CONST;
}
/* True when a kernel of |node|, or the function that it calls, may wait for a queue, another step
 * or another task. */
bool weir_pass_may_wait(const weir_node *node);
/* The value of a Const node; null for others. */
const weir_tensor *weir_pass_value(weir_edge edge);

#endif
