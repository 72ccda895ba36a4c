/* pass/pass.h - graph -> better graph.
 *
 * Passes rewrite a plan's private graph, already pruned to what its step needs. They preserve
 * semantics: results are bit-identical (a few rewrites: within an ulp), and every stateful op still
 * runs, after its control inputs.
 */
#ifndef WEIR_PASS_PASS_H
#define WEIR_PASS_PASS_H

#include "graph/graph.h"
#include "pass/check.h"

/* When a pass runs; passes.inc lists the passes of each stage in order. */
typedef enum weir_pass_stage {
    WEIR_BEFORE_PLACEMENT, /* only on a graph received from a master */
    WEIR_AFTER_PLACEMENT,  /* on the whole graph, with devices */
    WEIR_AFTER_PARTITION,  /* on the graph of one task; no edge will be cut any more */
    WEIR_OPENED,           /* first of AFTER_PLACEMENT; not run by itself */
} weir_pass_stage;

/* The option of a client's ConfigProto that disables a pass. */
typedef enum weir_pass_option {
    WEIR_OPTION_NONE,
    WEIR_OPTION_REQUIRED,     /* none; it also runs when optimisation is off */
    WEIR_OPTION_FOLDING,      /* constant folding */
    WEIR_OPTION_ARITHMETIC,   /* arithmetic optimisation */
    WEIR_OPTION_DEPENDENCIES, /* dependency optimisation */
    WEIR_OPTION_COMMON,       /* common subexpression elimination */
} weir_pass_option;

typedef uint64_t weir_pass_set; /* one bit per pass */

typedef struct weir_pass_options {
    bool off;           /* run only the required passes */
    weir_pass_set skip; /* passes to skip */
    /* Nodes to keep under their names: fetched, fed, targets, _Arg and _Retval. Nodes without users
     * when the passes start are kept too. */
    weir_node *const *keep;
    int keep_count;
    /* Whether prepacking a k x n matrix for |products| products of at most |m| rows pays off
     * (prepack.c); null: never. */
    bool (*prepack_pays)(weir_dtype type, int64_t m, int64_t count, int64_t k, int64_t products);
    /* Kernels of devices with memory of their own (cells.c); null: there are none. */
    const struct weir_device_kernels *kernels;
    /* Where the first stage stores its snapshot, so that one check after the last stage covers all;
     * the caller frees it. The graph must not be cut in between. Null: one check per stage. */
    weir_graph_snapshot **snapshot;
    /* Whether a node may be folded to a constant of that value; null: always. */
    bool (*may_fold)(const weir_tensor *value);
    bool bfloat16;            /* mixed precision on devices (mixed.c) */
    int64_t fold_limit_bytes; /* largest constant that folding may create; 0: WEIR_FOLD_LIMIT */
} weir_pass_options;

enum { WEIR_FOLD_LIMIT = 10 << 20 };

/* For tests: a pass that runs first in AFTER_PLACEMENT, and last in AFTER_PARTITION; or
 * null. */
extern weir_status (*weir_pass_planted)(weir_graph *graph, weir_pass_stage stage);

/* Parses a comma-separated list of passes; old names are accepted. |out_unknown|, which may be
 * null, is set to the first unknown name; null when all are known.
 */
weir_pass_set weir_pass_named(const char *names, weir_str *out_unknown);
/* The passes that a client's option disables. */
weir_pass_set weir_pass_of_option(weir_pass_option option);
/* The name of each pass once, in list order; null after the last. */
const char *weir_pass_name(int index);

/* Runs the passes of a stage in order, then checks the graph (check.h); in builds with assertions,
 * after each pass. Null options: the defaults. */
WEIR_CHECKED weir_status weir_pass_run(weir_graph *graph, weir_pass_stage stage,
                                       const weir_pass_options *options);

#endif
