/* grad/grad.h - symbolic differentiation: graph -> larger graph.
 *
 * An op's gradient function gets the gradients of its outputs and adds nodes that compute those of
 * its inputs. Errors are sticky: after the first one every edge is null and the functions do
 * nothing, so gradient functions need no intermediate checks.
 */
#ifndef WEIR_GRAD_GRAD_H
#define WEIR_GRAD_GRAD_H

#include "graph/graph.h"

/* A sparse gradient: values[i] belongs to row indices[i] of a tensor of shape |shape|. */
typedef struct weir_slices {
    weir_edge values, indices, shape;
} weir_slices;

/* The node that is differentiated. */
const weir_node *weir_grad_node(const weir_grad *grad);
static inline const weir_site *weir_grad_site(const weir_grad *grad)
{
    return &weir_grad_node(grad)->site;
}
weir_edge weir_grad_x(weir_grad *grad, int i);  /* forward input (restored from a stack in loops) */
weir_edge weir_grad_y(weir_grad *grad, int i);  /* forward output */
bool weir_grad_has_dy(weir_grad *grad, int i);  /* false: y does not depend on output i */
weir_edge weir_grad_dy(weir_grad *grad, int i); /* dense; zeros when there is none */
/* When the gradient of output |i| is sparse: true, and its components. */
bool weir_grad_dy_slices(weir_grad *grad, int i, weir_slices *out_slices);

/* Sets a result. An input without one has no gradient. A result for an input whose gradient is not
 * needed is dropped; weir_grad_wants tells whether it is needed. */
bool weir_grad_wants(weir_grad *grad, int i);
void weir_grad_set(weir_grad *grad, int i, weir_edge dx);
void weir_grad_set_slices(weir_grad *grad, int i, weir_slices dx);

/* Adds a node. Attrs that follow from the inputs (T, N) are inferred. Null after an error. */
weir_node *weir_grad_node_add(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                              const weir_named_attr *attrs, int attr_count);
/* The same, returning its first output. Used as weir_grad_op(g, "MatMul", WEIR_IN(dy, b),
 * WEIR_ATTRS(weir_a_bool("transpose_b", true))). */
#define weir_grad_op(g, op, ...) weir_grad_first((g), (op), __VA_ARGS__)
weir_edge weir_grad_first(weir_grad *grad, const char *op, const weir_edge *in, int in_count,
                          const weir_named_attr *attrs, int attr_count);
#define WEIR_IN(...)                                                                               \
    (const weir_edge[]){__VA_ARGS__}, (int)(sizeof((weir_edge[]){__VA_ARGS__}) / sizeof(weir_edge))
#define WEIR_ATTRS(...)                                                                            \
    (const weir_named_attr[]){__VA_ARGS__},                                                        \
        (int)(sizeof((weir_named_attr[]){__VA_ARGS__}) / sizeof(weir_named_attr))
#define WEIR_NO_ATTRS NULL, 0
#define WEIR_NO_IN NULL, 0
/* An attr of the forward node, to copy to a new one. */
weir_named_attr weir_grad_attr(const weir_grad *grad, const char *name);

/* Constants and small compositions. */
weir_edge weir_grad_const(weir_grad *grad, weir_tensor tensor); /* takes ownership */
weir_edge weir_grad_const_int32(weir_grad *grad, const int32_t *values, int count); /* a vector */
weir_edge weir_grad_scalar(weir_grad *grad, weir_dtype dtype, double value); /* any numeric dtype */
weir_edge weir_grad_scalar_like(weir_grad *grad, weir_edge like, double value);
weir_edge weir_grad_shape_of(weir_grad *grad,
                             weir_edge edge);           /* int32 Shape, a constant if known */
weir_edge weir_grad_shape_of_x(weir_grad *grad, int i); /* of input i, without using its value */
weir_edge weir_grad_neg(weir_grad *grad, weir_edge a);
weir_edge weir_grad_add(weir_grad *grad, weir_edge a, weir_edge b); /* AddV2 */
weir_edge weir_grad_sub(weir_grad *grad, weir_edge a, weir_edge b);
weir_edge weir_grad_mul(weir_grad *grad, weir_edge a, weir_edge b);
weir_edge weir_grad_div(weir_grad *grad, weir_edge a, weir_edge b); /* RealDiv */
weir_edge weir_grad_conj(weir_grad *grad, weir_edge a);             /* identity unless complex */
/* For a broadcasting binary op: sums each of |dx0|, |dx1| over its input's broadcast axes, reshapes
 * it to that input's shape and sets it. A null edge leaves that input unset. */
void weir_grad_set_broadcast(weir_grad *grad, weir_edge dx0, weir_edge dx1);
/* Fails the differentiation; takes ownership of the status. */
void weir_grad_fail(weir_grad *grad, weir_status status);

/* ---- entry point --------------------------------------------------------------------------- */

typedef struct weir_gradients {
    const char *prefix;          /* of new names; null: "gradients", made unique */
    const weir_edge *y, *x, *dy; /* dy may be null: ones */
    int y_count, x_count;
    const weir_edge *stop; /* no gradient flows through these, though an x may be among them */
    int stop_count;
    bool must_reach; /* an x that no y depends on is an error, as in TensorFlow's C API */
    /* Receives sparse gradients, x_count of them: values is null where the gradient is dense or
     * absent. Null: all are made dense. */
    weir_slices *out_slices;
} weir_gradients;

/* Adds nodes for d(sum y)/dx; a prefix that a node's name already begins with is an error. Integer
 * edges have gradients only when an x is one. Functional If, Case, While and calls between x and y
 * are lowered first (graph/lower.h). out_dx[i] is a null edge when y does not depend on x[i], or
 * when its gradient is in out_slices. */
WEIR_CHECKED weir_status weir_grad_add_gradients(weir_graph *graph, const weir_gradients *what,
                                                 weir_edge *out_dx);

#endif
