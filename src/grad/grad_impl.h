/* grad/grad_impl.h - internals of one differentiation.
 *
 * Forward nodes are in frames (null: the root; else a loop) and under guards (the branches of
 * conditionals that must be taken for them to run). Differentiation walks one frame at a time in a
 * scope: the root's scope adds nodes to the root frame; a loop's scope adds them to a backward loop
 * with as many iterations as the forward loop, in reverse order. A nested loop is one unit of its
 * parent's walk. All of these structs are freed after the call; the nodes stay.
 */
#ifndef WEIR_GRAD_GRAD_IMPL_H
#define WEIR_GRAD_GRAD_IMPL_H

#include "grad/grad.h"
#include "graph/flow.h"

typedef struct weir_engine weir_engine;
typedef struct weir_guard weir_guard;
typedef struct weir_loop weir_loop;
typedef struct weir_scope weir_scope;

/* A branch of a conditional: executed when |pred| equals |branch|, within |outer|. Interned: equal
 * guards are the same pointer. */
struct weir_guard {
    weir_guard *outer;
    weir_guard *next; /* another guard of the same predicate's node */
    weir_edge pred;   /* canonical */
    int branch, depth;
    weir_node *pivot; /* in the backward loop: executed exactly when the branch was */
};

/* A loop variable: Merge joins Enter and NextIteration. */
typedef struct weir_loop_var {
    weir_node *enter, *merge, *next;
    weir_node *branch; /* Switch; null when no output leaves the loop through one */
    weir_node *exit;   /* the first, or null */
    weir_node *grad_merge, *grad_branch; /* those of its gradient, in the backward loop */
} weir_loop_var;

/* A frame of the forward graph. */
struct weir_loop {
    weir_loop *parent;
    const char *name;
    int64_t parallel_iterations;
    weir_node *cond;   /* its LoopCond */
    weir_guard *guard; /* guard of its Enter nodes' inputs, in the parent */
    WEIR_VEC(weir_node *) enters;
    WEIR_VEC(weir_node *) exits;
    WEIR_VEC(weir_loop_var) vars;
    WEIR_VEC(weir_node *) invariants; /* Enter nodes of loop invariants */
    /* Added for the gradient: an iteration counter, and control nodes that order pushes. */
    weir_node *gate, *step, *again, *sync;
    weir_edge count;
    weir_node *finished; /* Exit of its backward loop's counter, once it exists */
    bool visited;        /* by the walk */
};

/* Where the gradients of one frame's nodes are added. */
struct weir_scope {
    weir_scope *outer; /* null: the root */
    weir_loop *loop;   /* the forward loop; null at the root */
    const char *frame; /* of the backward loop */
    weir_node *body;   /* the first node of every backward iteration */
    weir_node *again;  /* NextIteration of the counter; runs after every pop */
    weir_node *sync;   /* ControlTrigger before |again|, for pops that may be dead */
    weir_edge cond;    /* the backward LoopCond */
    weir_edge count;   /* iteration count, in the outer scope; dead when the loop did not run */
};

/* The gradients collected for one output. */
typedef struct weir_sum {
    WEIR_VEC(weir_edge) dense;
    WEIR_VEC(weir_slices) sparse;
} weir_sum;

/* What is known about one forward node. Indexed by node id; nodes added meanwhile have one too. */
typedef struct weir_info {
    weir_loop *loop;     /* the frame of its outputs */
    weir_guard *guard;   /* its own guard; a Switch's outputs have one more */
    weir_guard *guards;  /* interned guards whose predicate this node computes */
    bool reached;        /* depends on some x */
    bool between;        /* and some y depends on it: it lies between x and y */
    bool visited;        /* by the walk */
    weir_sum *sums;      /* per output; null until the first gradient arrives */
    weir_edge *backward; /* per output: its value in the backward loop */
    weir_edge *shapes;   /* per output: a Shape node in the forward frame */
    weir_edge saved;     /* of a pop: the forward value that it restores */
    weir_edge dual;      /* of a StackV2: the stack of its elements' gradients */
} weir_info;

/* A forward value saved on a stack. */
typedef struct weir_save {
    weir_node *push, *pop;
} weir_save;

struct weir_engine {
    weir_graph *graph;
    weir_arena arena; /* freed at the end of the call */
    const char *prefix;
    weir_status status; /* the first error */
    bool integers;      /* integer edges are differentiated: an x is one */
    WEIR_VEC(weir_info *) infos;
    WEIR_VEC(weir_loop *) loops;
    WEIR_VEC(weir_save) saves;
    WEIR_VEC(weir_node *) pushes, pops; /* of stacks that existed before the call */
    int first_new;                      /* id of the first node this call added */
    const weir_edge *x, *stop;
    int x_count, stop_count;
};

/* The differentiation of one node, as seen by its gradient function. */
struct weir_grad {
    weir_engine *engine;
    weir_scope *scope;
    weir_node *node;    /* null while the engine itself adds nodes */
    const char *prefix; /* of new nodes' names */
    weir_edge *dy;      /* per output: the dense sum, once requested */
};

weir_info *weir_engine_info(weir_engine *engine, const weir_node *node);
/* True when |edge|'s gradient is needed: it is an x, or produced by a node between x and y. */
bool weir_engine_wants(weir_engine *engine, weir_edge edge);
/* True when gradients flow along edges of this type. */
bool weir_engine_trainable(const weir_engine *engine, int dtype);
void weir_engine_fail(weir_engine *engine, weir_status status); /* keeps the first */

/* structure.c: finds frames, loops and guards. */
void weir_structure_find(weir_engine *engine);
/* Ignores the loops around |inside| when they are not complete yet: a gradient within one
 * iteration. */
void weir_structure_open(weir_engine *engine, const weir_node *inside);
/* Checks that the loops between x and y nest properly. */
WEIR_CHECKED weir_status weir_structure_check(weir_engine *engine);
/* Follows |edge| back through Identity nodes and Switch nodes of conditionals. */
weir_edge weir_structure_canonical(weir_edge edge);
weir_guard *weir_structure_guard(weir_engine *engine, weir_edge edge);
/* The StackV2 node that produced a handle; null when it is unknown. */
weir_node *weir_structure_stack(weir_edge handle);

/* build.c: adds a node in |grad|'s scope; |control| may be null. */
weir_node *weir_grad_add_node(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count, weir_node *control);
/* Adds a node to the forward frame |loop|, under |guard|, in no scope. */
weir_node *weir_grad_add_forward(weir_grad *grad, weir_loop *loop, weir_guard *guard,
                                 const char *op, const weir_edge *in, int in_count,
                                 const weir_named_attr *attrs, int attr_count, weir_node *control);
static inline weir_edge weir_first(weir_node *node)
{
    return (weir_edge){node, 0};
}
/* Sets a new node's output shape to the known shape of its forward value. */
void weir_grad_set_shape(weir_edge edge, const weir_shape *shape);

/* sum.c */
void weir_sum_add(weir_engine *engine, weir_edge to, weir_edge dx);
void weir_sum_add_slices(weir_engine *engine, weir_edge to, weir_slices dx);
bool weir_sum_any(weir_engine *engine, weir_edge of);
/* The dense sum, added in |grad|'s scope; null when there is no gradient. */
weir_edge weir_sum_dense(weir_grad *grad, weir_edge of);
/* True when all gradients that arrived are sparse; they are concatenated into one set of slices. */
bool weir_sum_slices(weir_grad *grad, weir_edge of, weir_slices *out_slices);
weir_edge weir_slices_dense(weir_grad *grad, const weir_slices *slices);

/* history.c: forward values in the backward loop. */
weir_edge weir_history_value(weir_grad *grad, weir_edge forward);
weir_edge weir_history_shape(weir_grad *grad, weir_edge forward); /* int32 vector */
/* Zeros shaped like |forward|, in |grad|'s scope. */
weir_edge weir_history_zeros(weir_grad *grad, weir_edge forward);
/* A node of the scope that is executed exactly when |guard|'s branch was; null for no guard. */
weir_node *weir_history_pivot(weir_grad *grad, weir_guard *guard);
/* Brings |outer|, an edge of the outer scope, into the backward frame as a loop invariant. */
weir_edge weir_history_enter(weir_grad *grad, weir_edge outer);
/* Orders |node| before |again|, if it runs at all: a node that may be dead is ordered through
 * |*sync|, a ControlTrigger made in |iteration|'s frame. */
void weir_history_order(weir_grad *grad, weir_node *node, bool guarded, weir_node *again,
                        weir_node **sync, weir_node *iteration);

/* tidy.c: removes new nodes that |dx| does not need. */
void weir_tidy(weir_engine *engine, const weir_edge *dx, int count);

/* loop.c */
void weir_loop_differentiate(weir_grad *outer, weir_loop *loop);

/* walk.c: differentiates the units of the scope that lead to |seeds|, in reverse order. */
void weir_walk(weir_grad *grad, const weir_edge *seeds, int count);

typedef weir_status (*weir_grad_fn)(weir_grad *grad);
/* call.c: calls of functions that have a gradient function of their own. */
bool weir_call_has_gradient(const weir_node *node);
weir_status weir_call_gradient(weir_grad *grad);
/* The gradient function of a node; sets |out_none| when it has none by definition. */
weir_grad_fn weir_engine_gradient(const weir_node *node, bool *out_none);

#endif
