/* pass/pass.h - graph -> better graph.
 *
 * Passes work on a plan's private graph, already cut down to what its step needs. They never change
 * what a step computes or does: results keep their bits (a few rewrites: within an ulp), and every
 * stateful op still runs, after whatever it waited for.
 */
#ifndef WEIR_PASS_PASS_H
#define WEIR_PASS_PASS_H

#include "graph/graph.h"
#include "pass/check.h"

/* When a pass runs; passes.inc lists the passes of each stage in their order. */
typedef enum weir_pass_stage {
    WEIR_BEFORE_PLACEMENT, /* only of a graph that a master sent */
    WEIR_AFTER_PLACEMENT,  /* on the whole graph, with devices */
    WEIR_AFTER_PARTITION,  /* on the graph of one task; nothing will be sent elsewhere any more */
    WEIR_OPENED,           /* first of AFTER_PLACEMENT; not run by itself */
} weir_pass_stage;

/* The switch of a client's ConfigProto that turns a pass off. */
typedef enum weir_pass_option {
    WEIR_OPTION_NONE,
    WEIR_OPTION_REQUIRED,     /* none, and it runs when optimisation is off, too */
    WEIR_OPTION_FOLDING,      /* constant folding */
    WEIR_OPTION_ARITHMETIC,   /* arithmetic optimisation */
    WEIR_OPTION_DEPENDENCIES, /* dependency optimisation */
    WEIR_OPTION_COMMON,       /* common subexpression elimination */
} weir_pass_option;

typedef uint64_t weir_pass_set; /* a bit for each pass */

typedef struct weir_pass_options {
    bool off;           /* run none but those that are required */
    weir_pass_set skip; /* those not to run */
    /* Nodes that must survive under their names: fetched, fed, targets, _Arg and _Retval. What has
     * no users when the passes start is kept too. */
    weir_node *const *keep;
    int keep_count;
    /* Whether it pays to pack a k x n matrix once for |products| products of at most |m| rows
     * (prepack.c); null: it never does. */
    bool (*prepack_pays)(weir_dtype type, int64_t m, int64_t count, int64_t k, int64_t products);
    /* Kernels of devices with memory of their own (cells.c); null: there are none. */
    const struct weir_device_kernels *kernels;
    /* Where the first stage leaves its snapshot, so that one check after the last covers all; the
     * caller frees it. For graphs that nothing is cut from in between. Null: a check for each. */
    weir_graph_snapshot **snapshot;
    /* Whether a constant of that value may take a node's place; null: any may. */
    bool (*may_fold)(const weir_tensor *value);
    bool bfloat16;            /* mixed precision on devices (mixed.c) */
    int64_t fold_limit_bytes; /* largest constant a fold may make; 0: WEIR_FOLD_LIMIT */
} weir_pass_options;

enum { WEIR_FOLD_LIMIT = 10 << 20 };

/* For tests: a pass that runs before the others of AFTER_PLACEMENT, and after those of
 * AFTER_PARTITION; null otherwise. */
extern weir_status (*weir_pass_planted)(weir_graph *graph, weir_pass_stage stage);

/* The passes that |names| lists with commas between them, also by the names that they once had.
 * |out_unknown|, which may be null, becomes the first that is the name of no pass; null: all are.
 */
weir_pass_set weir_pass_named(const char *names, weir_str *out_unknown);
/* The passes that a client's switch turns off. */
weir_pass_set weir_pass_of_option(weir_pass_option option);
/* The name of each pass once, in the order of the list; null after the last. */
const char *weir_pass_name(int index);

/* Runs the passes of a stage in their order, and checks what they made of the graph (check.h):
 * after the stage, and in builds with assertions after each of them. Null options: the defaults. */
WEIR_CHECKED weir_status weir_pass_run(weir_graph *graph, weir_pass_stage stage,
                                       const weir_pass_options *options);

#endif
