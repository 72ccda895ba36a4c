/* graph/import_impl.h - the state of one import, which the import_*.c files pass on. */
#ifndef WEIR_GRAPH_IMPORT_IMPL_H
#define WEIR_GRAPH_IMPORT_IMPL_H

#include "graph/graph_impl.h"

/* An input of an imported node. */
typedef struct weir_import_input {
    const weir_input_map *mapped; /* taken from outside the GraphDef */
    int source;                   /* index of the NodeDef otherwise */
    int index;                    /* -1: control */
    bool back;                    /* a loop's back edge */
} weir_import_input;

typedef struct weir_importing {
    weir_graph *graph;
    const weir_import *how;
    weir_import_results *results; /* or null */
    weir_arena arena;
    weir_function_node *defs;
    weir_node **made;   /* one per def; null until it was added */
    const char **names; /* after prefix and uniquifying */
    weir_import_input **inputs;
    int count;
    weir_map by_name; /* name of the NodeDef -> its index + 1 */
    int producer;     /* its version; 0: it does not say */
} weir_importing;

/* Reads functions, versions and NodeDefs; the functions are added to the graph. */
WEIR_CHECKED weir_status weir_import_read(weir_importing *im, weir_str graph_def);
/* Finds the name that each node will have, and fills |by_name|. */
WEIR_CHECKED weir_status weir_import_name(weir_importing *im);
/* Reads the names of inputs. */
WEIR_CHECKED weir_status weir_import_resolve(weir_importing *im);
/* What takes the place of output |index| of the NodeDef |name|, or null; notes that it was used. */
const weir_input_map *weir_import_mapped(weir_importing *im, weir_str name, int index);
/* The edge of |in|, an input of def |to| whose source was added. */
WEIR_CHECKED weir_status weir_import_edge(const weir_importing *im, int to,
                                          const weir_import_input *in, weir_edge *out);
/* Puts in the back edges of loops and infers the shapes that follow from them. */
WEIR_CHECKED weir_status weir_import_close_loops(weir_importing *im);

#endif
