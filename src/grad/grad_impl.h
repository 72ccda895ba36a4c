/* grad/grad_impl.h - the parts of one differentiation.
 *
 * Forward nodes stand in frames (null: the root; else a loop) and under guards (the branches of
 * conditionals that must be taken for them to run). Differentiation walks one frame at a time in a
 * scope: the root's scope adds nodes beside the forward ones; a loop's scope adds them to a
 * backward loop that runs as often as the loop did, last iteration first. A nested loop is one unit
 * of its parent's walk. Everything here dies with the call; the nodes stay.
 */
#ifndef WEIR_GRAD_GRAD_IMPL_H
#define WEIR_GRAD_GRAD_IMPL_H

#include "grad/grad.h"
#include "graph/flow.h"

typedef struct weir_engine weir_engine;
typedef struct weir_guard weir_guard;
typedef struct weir_loop weir_loop;
typedef struct weir_scope weir_scope;

/* A branch of a conditional: it runs when |pred| equals |branch|, within |outer|. Interned: equal
 * guards are the same pointer. */
struct weir_guard {
    weir_guard *outer;
    weir_guard *next; /* another guard of the same predicate's node */
    weir_edge pred;   /* canonical */
    int branch, depth;
    weir_node *pivot; /* in the backward loop: runs exactly when the branch did */
};

/* A variable of a loop: what Enter brings, Merge joins and NextIteration brings round again. */
typedef struct weir_loop_var {
    weir_node *enter, *merge, *next;
    weir_node *branch; /* Switch; null when nothing leaves the Merge through one */
    weir_node *exit;   /* the first, or null */
    weir_node *grad_merge, *grad_branch; /* of its gradient, in the backward loop */
} weir_loop_var;

/* A frame of the forward graph. */
struct weir_loop {
    weir_loop *parent;
    const char *name;
    int64_t parallel_iterations;
    weir_node *cond;   /* LoopCond */
    weir_guard *guard; /* of its Enter nodes' inputs, in the parent */
    WEIR_VEC(weir_node *) enters;
    WEIR_VEC(weir_node *) exits;
    WEIR_VEC(weir_loop_var) vars;
    WEIR_VEC(weir_node *) invariants; /* Enter nodes that feed no variable */
    /* Added for the gradient: a count of iterations, and what orders pushes between them. */
    weir_node *gate, *step, *again, *sync;
    weir_edge count;
    weir_node *finished; /* Exit of its backward loop's count, once there is one */
    bool visited;        /* by the walk */
};

/* Where gradients of one frame's nodes are put. */
struct weir_scope {
    weir_scope *outer; /* null: the root */
    weir_loop *loop;   /* whose backward loop this is; null at the root */
    const char *frame; /* of the backward loop */
    weir_node *body;   /* first to run in every backward iteration */
    weir_node *again;  /* NextIteration of the count; waits for every pop */
    weir_node *sync;   /* ControlTrigger before |again|, for pops that may not run */
    weir_edge cond;    /* the backward LoopCond */
    weir_edge count;   /* iterations to run, in the outer scope; dead when the loop did not run */
};

/* What has been gathered for one output. */
typedef struct weir_sum {
    WEIR_VEC(weir_edge) dense;
    WEIR_VEC(weir_slices) sparse;
} weir_sum;

/* What is known of one forward node. Indexed by node id; nodes added on the way have one too. */
typedef struct weir_info {
    weir_loop *loop;     /* the frame its outputs stand in */
    weir_guard *guard;   /* its own; a Switch's outputs have one more */
    weir_guard *guards;  /* interned guards whose predicate this node makes */
    bool reached;        /* depends on some x */
    bool between;        /* and some y depends on it */
    bool visited;        /* by the walk */
    weir_sum *sums;      /* per output; null until one arrives */
    weir_edge *backward; /* per output: its value in the backward loop */
    weir_edge *shapes;   /* per output: a Shape node in the forward frame */
    weir_edge saved;     /* of a pop: the forward value it brings back */
    weir_edge dual;      /* of a StackV2: the stack of its elements' gradients */
} weir_info;

/* A forward value kept on a stack. */
typedef struct weir_save {
    weir_node *push, *pop;
} weir_save;

struct weir_engine {
    weir_graph *graph;
    weir_arena arena; /* what dies with the call */
    const char *prefix;
    weir_status status; /* the first error */
    bool integers;      /* integer edges count: an x is one */
    WEIR_VEC(weir_info *) infos;
    WEIR_VEC(weir_loop *) loops;
    WEIR_VEC(weir_save) saves;
    WEIR_VEC(weir_node *) pushes, pops; /* of the stacks that were there before */
    int first_new;                      /* id of the first node this call added */
    const weir_edge *x, *stop;
    int x_count, stop_count;
};

/* One node's differentiation, as its gradient function sees it. */
struct weir_grad {
    weir_engine *engine;
    weir_scope *scope;
    weir_node *node;    /* null while the engine itself adds nodes */
    const char *prefix; /* of new nodes' names */
    weir_edge *dy;      /* per output: the dense sum once asked for */
};

weir_info *weir_engine_info(weir_engine *engine, const weir_node *node);
/* True when |edge|'s gradient matters: it is an x, or made by a node between x and y. */
bool weir_engine_wants(weir_engine *engine, weir_edge edge);
/* True when gradients flow along edges of this type. */
bool weir_engine_trainable(const weir_engine *engine, int dtype);
void weir_engine_fail(weir_engine *engine, weir_status status); /* keeps the first */

/* structure.c: finds frames, loops, guards. */
void weir_structure_find(weir_engine *engine);
/* Takes the loops around |inside| as if they were not there, when they are still being made: a
 * gradient within one iteration. */
void weir_structure_open(weir_engine *engine, const weir_node *inside);
/* Whether the loops nest, as far as they are between x and y. */
WEIR_CHECKED weir_status weir_structure_check(weir_engine *engine);
/* |edge| without the Identity nodes and the branches' Switch nodes it came through. */
weir_edge weir_structure_canonical(weir_edge edge);
weir_guard *weir_structure_guard(weir_engine *engine, weir_edge edge);
/* The StackV2 node behind a handle; null when it cannot be told. */
weir_node *weir_structure_stack(weir_edge handle);

/* build.c: adds a node in |grad|'s scope; |control| may be null. */
weir_node *weir_grad_add_node(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count, weir_node *control);
/* Adds a node in no scope: to the forward frame |loop|, under |guard|. */
weir_node *weir_grad_add_forward(weir_grad *grad, weir_loop *loop, weir_guard *guard,
                                 const char *op, const weir_edge *in, int in_count,
                                 const weir_named_attr *attrs, int attr_count, weir_node *control);
static inline weir_edge weir_first(weir_node *node)
{
    return (weir_edge){node, 0};
}
/* Gives a new node's output the shape that its forward value is known to have. */
void weir_grad_set_shape(weir_edge edge, const weir_shape *shape);

/* sum.c */
void weir_sum_add(weir_engine *engine, weir_edge to, weir_edge dx);
void weir_sum_add_slices(weir_engine *engine, weir_edge to, weir_slices dx);
bool weir_sum_any(weir_engine *engine, weir_edge of);
/* The dense sum, made in |grad|'s scope; null when there is none. */
weir_edge weir_sum_dense(weir_grad *grad, weir_edge of);
/* True when everything that arrived is sparse: one set of slices, concatenated. */
bool weir_sum_slices(weir_grad *grad, weir_edge of, weir_slices *out_slices);
weir_edge weir_slices_dense(weir_grad *grad, const weir_slices *slices);

/* history.c: forward values in the backward loop. */
weir_edge weir_history_value(weir_grad *grad, weir_edge forward);
weir_edge weir_history_shape(weir_grad *grad, weir_edge forward); /* int32 vector */
/* Zeros shaped like |forward|, in |grad|'s scope. */
weir_edge weir_history_zeros(weir_grad *grad, weir_edge forward);
/* A node of the scope that runs exactly when |guard|'s branch ran; null for no guard. */
weir_node *weir_history_pivot(weir_grad *grad, weir_guard *guard);
/* Brings |outer|, an edge of the outer scope, into the scope's backward frame as an invariant. */
weir_edge weir_history_enter(weir_grad *grad, weir_edge outer);
/* |node| runs before |again|, if it runs at all: one that may be dead goes through |*sync|, a
 * ControlTrigger made in |iteration|'s frame. */
void weir_history_order(weir_grad *grad, weir_node *node, bool guarded, weir_node *again,
                        weir_node **sync, weir_node *iteration);

/* tidy.c: removes new nodes that |dx| does not need. */
void weir_tidy(weir_engine *engine, const weir_edge *dx, int count);

/* loop.c */
void weir_loop_differentiate(weir_grad *outer, weir_loop *loop);

/* walk.c: differentiates the units of the scope that lead to |seeds|, last first. */
void weir_walk(weir_grad *grad, const weir_edge *seeds, int count);

typedef weir_status (*weir_grad_fn)(weir_grad *grad);
/* call.c: calls of functions that have a gradient function of their own. */
bool weir_call_has_gradient(const weir_node *node);
weir_status weir_call_gradient(weir_grad *grad);
/* The gradient function of a node; sets |out_none| when it is known to have no gradient. */
weir_grad_fn weir_engine_gradient(const weir_node *node, bool *out_none);

#endif
