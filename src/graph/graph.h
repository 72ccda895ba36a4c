/* graph/graph.h - nodes and edges.
 *
 * A graph owns its nodes; all memory comes from its arena. Not thread-safe: the C API locks. Every
 * node's attrs are complete (defaults filled in), its types resolved and its shapes inferred as far
 * as they are known.
 */
#ifndef WEIR_GRAPH_GRAPH_H
#define WEIR_GRAPH_GRAPH_H

#include "op/op.h"

typedef struct weir_graph weir_graph;
typedef struct weir_node weir_node;
typedef struct weir_function weir_function;
typedef struct weir_graph_past weir_graph_past;

/* Output |index| of |node|; index -1 is its control edge. A null node is "no edge". */
typedef struct weir_edge {
    weir_node *node;
    int32_t index;
} weir_edge;

/* A use of an output, by input |input| of |node|; -1: by a control input. */
typedef struct weir_use {
    weir_node *node;
    int32_t input;
    int32_t output; /* output index of the producer; -1: control */
} weir_use;

struct weir_node {
    weir_site site; /* must be first: passed to kernels; site.name is the node's name */
    weir_graph *graph;
    int32_t id;                     /* index in graph->nodes */
    weir_edge *in;                  /* site.in_count data inputs */
    WEIR_VEC(weir_node *) controls; /* control inputs */
    WEIR_VEC(weir_use) uses;
    weir_shape *out_shapes;
    weir_handle_info *out_handles; /* null when no output is a resource handle */
    const char *requested_device;  /* "" for none */
    int extra_count;               /* attrs outside the signature: _class, _output_shapes ... */
    weir_named_attr *extra;
    const weir_function *function; /* if the op is a function's name */
    bool removed;                  /* removed nodes are skipped everywhere */
    bool placed;                   /* site.device is assigned and final */
    bool open; /* an attr is a placeholder: the node can be neither run nor differentiated */
};

struct weir_graph {
    weir_arena arena;
    const weir_registry *registry;
    WEIR_VEC(weir_node *) nodes;
    weir_map by_name;
    weir_map functions; /* name -> weir_function */
    WEIR_VEC(weir_function *) function_list;
    weir_map name_counts; /* for unique names */
    int producer, min_consumer;
    uint64_t version;      /* incremented by every change */
    size_t counted_bytes;  /* of the arena, in base/room.h */
    weir_graph_past *past; /* graph/past.h; null: not recorded */
};

enum { WEIR_GRAPH_VERSION = 2474 }; /* producer of TensorFlow 2.21 */

weir_graph *weir_graph_create(const weir_registry *registry);
void weir_graph_destroy(weir_graph *graph); /* takes null */
WEIR_OWNABLE(weir_graph);

weir_node *weir_graph_find(const weir_graph *graph, weir_str name); /* null when absent */
/* |base| if it is free, else base_1, base_2 ... Allocated in the graph's arena. */
const char *weir_graph_unique_name(weir_graph *graph, const char *base);

/* Describes a new node. Pointers are only read during the call. */
typedef struct weir_node_spec {
    const char *name;
    const char *op; /* op type, or a function's name */
    const weir_edge *in;
    int in_count;
    const weir_named_attr *attrs; /* omitted ones are inferred from inputs, or get their defaults */
    int attr_count;
    weir_node *const *controls;
    int control_count;
    const char *device; /* null or "": none */
    bool any_shapes;    /* on a shape mismatch, outputs get unknown shapes instead of an error */
    bool from_outside;  /* from a client, peer or file: internal ops are rejected as unknown */
    bool may_be_open;   /* attrs may be placeholders: the node is part of a function's body */
} weir_node_spec;

/* Adds a node: checks the signature, fills attrs, infers shapes. Errors name node, op and
 * values. */
WEIR_CHECKED weir_status weir_graph_add(weir_graph *graph, const weir_node_spec *spec,
                                        weir_node **out_node);
void weir_graph_add_control(weir_node *from, weir_node *to); /* duplicates are ignored */
void weir_graph_remove_control(weir_node *from, weir_node *to);
/* Makes |edge| the source of input |input| of |to|. */
void weir_graph_set_input(weir_node *to, int input, weir_edge edge);
/* Redirects every data use of |from| to |to|. */
void weir_graph_replace(weir_edge from, weir_edge to);
void weir_graph_remove(weir_node *node); /* drops its inputs; it must have no users */
/* Removes all nodes with ids from |first| on; no earlier node may use them. */
void weir_graph_truncate(weir_graph *graph, size_t first);
WEIR_CHECKED weir_status weir_graph_set_attr(weir_node *node, const char *name,
                                             const weir_attr *value);
const weir_attr *weir_node_attr(const weir_node *node,
                                const char *name); /* any attr; null if absent */
/* Repeats shape inference of the outputs from the inputs. */
WEIR_CHECKED weir_status weir_node_infer(weir_node *node);
/* After a change of |node|: repeats shape inference for it and its affected descendants. Shapes
 * that now conflict, or that do not converge in a loop, become unknown. */
WEIR_CHECKED weir_status weir_graph_infer_from(weir_node *node);
/* The same for the readers of |nodes| and their descendants, when the values may have changed. */
void weir_graph_infer_readers(weir_node *const *nodes, size_t count);
/* After the back edge |input| of |merge| is there: forgets what is known of the loop variable's
 * handle, unless the loop returns one of which the same is known. True: something was forgotten. */
bool weir_graph_relax_handle(weir_node *merge, int input);
/* The same for the variables of a loop, whose back edges are second, and what depends on them. Null
 * is no variable. */
void weir_graph_relax_handles(weir_node *const *merges, int count);
/* Constant-folds an edge: true when its value is small and can be computed from constants by pure
 * ops. The caller releases it. */
bool weir_graph_constant(weir_edge edge, weir_tensor *out_value);
/* Copies |node| (op, attrs, shapes, device) into another graph, with inputs |in|; no controls. */
WEIR_CHECKED weir_status weir_graph_copy_node(weir_graph *to, const weir_node *node,
                                              const char *name, const weir_edge *in,
                                              weir_node **out_node);

static inline int weir_edge_type(weir_edge edge) /* with reference offset */
{
    return edge.node->site.out_types[edge.index];
}
static inline weir_dtype weir_edge_dtype(weir_edge edge)
{
    return weir_dtype_base(edge.node->site.out_types[edge.index]);
}
static inline const weir_shape *weir_edge_shape(weir_edge edge)
{
    return &edge.node->out_shapes[edge.index];
}
static inline bool weir_node_is(const weir_node *node, const char *op)
{
    return strcmp(node->site.def->name, op) == 0;
}
/* The control flow kind of |node|; WEIR_FLOW_NONE for a call of a function by its name. */
static inline weir_flow weir_node_flow(const weir_node *node)
{
    return node->site.op ? node->site.op->flow : WEIR_FLOW_NONE;
}
static inline bool weir_edge_eq(weir_edge a, weir_edge b)
{
    return a.node == b.node && a.index == b.index;
}
/* Live nodes in topological order; edges from NextIteration do not count. The caller frees the
 * array (weir_free). */
weir_node **weir_graph_order(const weir_graph *graph, size_t *out_count);

/* ---- functions ------------------------------------------------------------------------------- */

typedef struct weir_function_node {
    const char *name, *op, *device;
    int in_count;
    const char **in; /* "arg", "node:out:k", "^node" */
    int attr_count;
    weir_named_attr *attrs;
} weir_function_node;

struct weir_function {
    weir_ref ref;
    weir_arena arena;
    weir_opdef def;
    int node_count;
    weir_function_node *nodes;
    const char **ret; /* one per output arg: "node:out:k" or "arg" */
    int control_ret_count;
    const char **control_ret_names, **control_ret_nodes;
    int attr_count;
    weir_named_attr *attrs;
    const char *gradient; /* name of its gradient function; null: differentiate symbolically */
    weir_str proto;       /* the source FunctionDef, for export */
};

void weir_function_release(weir_function *function); /* takes null */
/* Adds (retains) a function. Repeats are no-ops; a different one of that name is an error. */
WEIR_CHECKED weir_status weir_graph_add_function(weir_graph *graph, weir_function *function);
const weir_function *weir_graph_find_function(const weir_graph *graph, weir_str name);
/* Instantiates the body as a graph: arguments become _Arg nodes, results _Retval nodes. |library|
 * provides the functions it calls. */
WEIR_CHECKED weir_status weir_function_instantiate(const weir_graph *library,
                                                   const weir_function *function,
                                                   const weir_named_attr *attrs, int attr_count,
                                                   weir_graph **out_body);

/* ---- GraphDef -------------------------------------------------------------------------------- */

typedef struct weir_input_map {
    const char *src_name;
    int src_index; /* -1: control */
    weir_edge dst;
} weir_input_map;

typedef struct weir_return_edge {
    const char *name;
    int index;
} weir_return_edge;

typedef struct weir_import {
    const char *prefix; /* null or "": none */
    bool uniquify_names, uniquify_prefix;
    bool extend;     /* inputs may also name nodes already in the graph */
    bool any_shapes; /* shape mismatches are left to be reported when a step runs */
    const char *default_device;
    const weir_input_map *input_map;
    int input_map_count;
    weir_node *const *controls; /* control inputs added to every imported node */
    int control_count;
    const char *const *return_nodes;
    int return_node_count;
    const weir_return_edge *return_edges;
    int return_edge_count;
} weir_import;

/* Arrays of the sizes in weir_import, allocated by the caller; each may be null. */
typedef struct weir_import_results {
    weir_node **nodes;
    weir_edge *edges;
    bool *input_map_used;
} weir_import_results;

/* Atomic: after an error the graph is unchanged. |how| and |results| may be null. */
WEIR_CHECKED weir_status weir_graph_import(weir_graph *graph, weir_str graph_def,
                                           const weir_import *how, weir_import_results *results);
void weir_graph_export(const weir_graph *graph, weir_buf *out);
/* Exports only the nodes and functions from these list indices on. */
void weir_graph_export_since(const weir_graph *graph, size_t first_node, size_t first_function,
                             weir_buf *out);
/* Exports only the nodes on one device; false when there are none. */
bool weir_graph_export_device(const weir_graph *graph, const char *device, weir_buf *out);
void weir_node_export(const weir_node *node, weir_buf *out);             /* a NodeDef */
void weir_attr_export(const weir_attr *attr, weir_buf *out);             /* an AttrValue */
void weir_opdef_export(const weir_opdef *def, weir_buf *out);            /* an OpDef */
void weir_function_export(const weir_function *function, weir_buf *out); /* a FunctionDef */
WEIR_CHECKED weir_status weir_attr_import(weir_arena *arena, weir_str bytes, weir_attr *out_attr);
WEIR_CHECKED weir_status weir_function_import(weir_str bytes, weir_function **out_function);

#endif
