/* graph/import_impl.h - the state of one import, shared by the import_*.c files. */
#ifndef WEIR_GRAPH_IMPORT_IMPL_H
#define WEIR_GRAPH_IMPORT_IMPL_H

#include "graph/graph_impl.h"

/* An input of an imported node. */
typedef struct weir_import_input {
    const weir_input_map *mapped; /* replaced by an edge from outside the GraphDef */
    int source;                   /* otherwise index of the NodeDef */
    int index;                    /* -1: control */
    bool back;                    /* back edge of a loop */
} weir_import_input;

typedef struct weir_importing {
    weir_graph *graph;
    const weir_import *how;
    weir_import_results *results; /* or null */
    weir_arena arena;
    weir_function_node *defs;
    weir_node **made;   /* one per def; null until added */
    const char **names; /* after prefixing and making unique */
    weir_import_input **inputs;
    int count;
    weir_map by_name; /* name of the NodeDef -> its index + 1 */
    int producer;     /* its version; 0: not given */
} weir_importing;

/* Reads functions, versions and NodeDefs; the functions are added to the graph. */
WEIR_CHECKED weir_status weir_import_read(weir_importing *im, weir_str graph_def);
/* Chooses the name of each node, and fills |by_name|. */
WEIR_CHECKED weir_status weir_import_name(weir_importing *im);
/* Resolves the names of inputs. */
WEIR_CHECKED weir_status weir_import_resolve(weir_importing *im);
/* The input mapping for output |index| of the NodeDef |name|, or null; marks it as used. */
const weir_input_map *weir_import_mapped(weir_importing *im, weir_str name, int index);
/* The edge of |in|, an input of def |to| whose source is already added. */
WEIR_CHECKED weir_status weir_import_edge(const weir_importing *im, int to,
                                          const weir_import_input *in, weir_edge *out);
/* Adds the back edges of loops and infers the shapes that depend on them. */
WEIR_CHECKED weir_status weir_import_close_loops(weir_importing *im);

#endif
