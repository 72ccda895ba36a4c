/* pass/pass.h - graph -> better graph.
 *
 * Passes work on a plan's private graph, already cut down to what its step needs. They never change
 * what a step computes or does: results keep their bits (a few rewrites: within an ulp), and every
 * stateful op still runs, after whatever it waited for.
 */
#ifndef WEIR_PASS_PASS_H
#define WEIR_PASS_PASS_H

#include "graph/graph.h"

typedef struct weir_pass_options {
    bool off;         /* run nothing */
    bool no_fold;     /* keep constant subgraphs */
    bool no_cse;      /* keep common subexpressions */
    bool no_simplify; /* keep identities and trivial arithmetic */
    bool no_fuse;     /* keep element-wise ops apart (fuse.h) */
    bool no_stack;    /* keep equal loops apart (fuse.h) */
    bool no_layers;   /* keep the ops of a layer apart (layers.h) */
    bool no_turn;     /* keep matrices in loops as they lie */
    bool no_controls; /* keep control edges that nobody can notice */
    const char *skip; /* passes by name, with commas between, that are not to run; may be null */
    /* Nodes that must survive under their names: fetched, fed, targets, _Arg and _Retval. What has
     * no users when the passes start is kept too. */
    weir_node *const *keep;
    int keep_count;
    /* Whether it pays to lay out a k x n matrix once for |products| products of at most |m| rows
     * (panels.c); null: it never does. */
    bool (*lay_pays)(weir_dtype type, int64_t m, int64_t n, int64_t k, int64_t products);
    int64_t fold_limit_bytes; /* largest constant a fold may make; 0: WEIR_FOLD_LIMIT */
} weir_pass_options;

enum { WEIR_FOLD_LIMIT = 10 << 20 };

/* For tests: a pass that runs after all others; null otherwise. */
extern weir_status (*weir_pass_planted)(weir_graph *g);

/* True when |o| says not to run the pass of that name. */
bool weir_pass_skips(const weir_pass_options *o, const char *name);
/* Runs every pass of pipeline.c in order. Null options: the defaults. */
WEIR_CHECKED weir_status weir_pass_run(weir_graph *g, const weir_pass_options *options);

#endif
