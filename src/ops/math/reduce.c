/* ops/math/reduce.c - Sum, Mean, Prod, Max, Min, EuclideanNorm, All, Any. */
#include "math/reduce/reduce.h"

#include <inttypes.h>

#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/math/gradient.h"
#include "ops/math/types.h"

_Static_assert((int)WEIR_REDUCE_RANK >= (int)WEIR_MAX_RANK, "loops for tensors of every rank");

enum { KEEP_DIMS }; /* first attr of them all */

/* Marks the axes in |tensor|; negative ones count from the end, repeats are an error. */
static weir_status mark_axes(const weir_tensor *tensor, int rank, bool *reduced)
{
    memset(reduced, 0, sizeof *reduced * WEIR_MAX_RANK);
    int64_t count = weir_tensor_count(tensor);
    for (int64_t k = 0; k < count; k++) {
        int64_t axis = weir_int_at(tensor, k);
        if (axis < -rank || axis >= rank)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid reduction dimension (%" PRId64
                              " for input with %d dimension(s)",
                              axis, rank);
        int dim = (int)(axis < 0 ? axis + rank : axis);
        if (reduced[dim])
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Invalid reduction arguments: Axes contains duplicate dimension: %d",
                              dim);
        reduced[dim] = true;
    }
    return WEIR_OK;
}

static weir_shape reduced_shape(const weir_shape *in, const bool *reduced, bool keep)
{
    weir_shape out = WEIR_SCALAR;
    for (int axis = 0; axis < in->rank; axis++)
        if (!reduced[axis] || keep)
            weir_shape_append(&out, reduced[axis] ? 1 : in->dims[axis]);
    return out;
}

/* Without the axes' values, only their number is known, and with keep_dims the rank. */
static weir_status infer_unknown_axes(weir_infer *infer, bool keep)
{
    const weir_shape *in = infer->in[0], *axes = infer->in[1];
    int rank = keep ? in->rank : -1;
    if (!keep && in->rank >= 0 && axes->rank == 0)
        rank = in->rank - 1;
    if (!keep && in->rank >= 0 && axes->rank == 1 && axes->dims[0] >= 0)
        rank = in->rank - (int)axes->dims[0];
    if (rank < 0)
        return WEIR_OK;
    infer->out[0].rank = rank;
    for (int axis = 0; axis < rank; axis++)
        infer->out[0].dims[axis] = -1;
    return WEIR_OK;
}

static weir_status reduce_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_most(infer, 1, 1));
    bool keep = weir_site_bool(infer->site, KEEP_DIMS), reduced[WEIR_MAX_RANK];
    const weir_tensor *axes = weir_infer_value(infer, 1);
    if (!axes)
        return infer_unknown_axes(infer, keep);
    if (infer->in[0]->rank < 0)
        return WEIR_OK;
    WEIR_TRY(mark_axes(axes, infer->in[0]->rank, reduced));
    infer->out[0] = reduced_shape(infer->in[0], reduced, keep);
    return WEIR_OK;
}

static weir_status reduce(weir_call *call)
{
    weir_reduce_op op = (weir_reduce_op)weir_site_mode(call->site);
    const weir_tensor *x = weir_in(call, 0);
    bool reduced[WEIR_MAX_RANK];
    weir_elem elem = weir_elem_of(x->dtype);
    if (op == WEIR_R_max || op == WEIR_R_min)
        elem = weir_stored_elem_of(x->dtype);
    if (!weir_reduce_has(op, elem))
        return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s",
                          call->site->op->name, weir_dtype_name(x->dtype));
    WEIR_TRY(mark_axes(weir_in(call, 1), x->shape.rank, reduced));
    return weir_reduce_run(&call->run->par, op, elem, x->shape.rank, x->shape.dims, reduced,
                           x->data, weir_out(call, 0)->data);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static weir_edge vector_of(weir_grad *grad, const int32_t *values, int count)
{
    return weir_grad_const_int32(grad, values, count);
}

/* The input's shape with 1 for reduced dimensions: a constant when shape and axes are known. */
static bool static_kept_shape(weir_grad *grad, weir_edge x, weir_edge axes, weir_edge *out)
{
    const weir_shape *shape = x.node ? weir_edge_shape(x) : NULL;
    weir_tensor value;
    if (!shape || !weir_shape_known(shape) || !axes.node || !weir_graph_constant(axes, &value))
        return false;
    bool reduced[WEIR_MAX_RANK];
    int32_t dims[WEIR_MAX_RANK];
    weir_status status = mark_axes(&value, shape->rank, reduced);
    weir_tensor_release(&value);
    if (status) {
        weir_grad_fail(grad, status);
        return false;
    }
    for (int axis = 0; axis < shape->rank; axis++)
        dims[axis] = reduced[axis] ? 1 : (int32_t)shape->dims[axis];
    *out = vector_of(grad, dims, shape->rank);
    return true;
}

static weir_edge kept_shape(weir_grad *grad, weir_edge x, weir_edge axes)
{
    weir_edge constant;
    if (static_kept_shape(grad, x, axes, &constant))
        return constant;
    /* shape[axes] = 1, with axes counted from the front. */
    weir_edge shape = weir_grad_shape_of(grad, x), rank = OP1("Size", shape);
    axes = weir_grad_cast(grad, axes, WEIR_INT32);
    axes = OP2("FloorMod", ADD(axes, rank), rank);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge all = weir_grad_op(grad, "Range", WEIR_IN(zero, rank, one), WEIR_NO_ATTRS);
    weir_edge ones = OP2("Fill", OP1("Shape", axes), one);
    return weir_grad_op(grad, "DynamicStitch", WEIR_IN(all, axes, shape, ones),
                        WEIR_ATTRS(weir_a_int("N", 2)));
}

/* dy, or the result, reshaped to broadcast against x. */
static weir_edge unreduced(weir_grad *grad, weir_edge edge)
{
    if (weir_site_bool(weir_grad_site(grad), KEEP_DIMS))
        return edge;
    return OP2("Reshape", edge, kept_shape(grad, X, X1));
}

static weir_edge spread(weir_grad *grad, weir_edge dy)
{
    return OP2("BroadcastTo", unreduced(grad, dy), weir_grad_shape_of(grad, X));
}
GRADIENT(sum_grad, spread(grad, DY))

/* Number of elements per result: Size(x) / Size(y). */
static weir_edge inputs_per_output(weir_grad *grad)
{
    weir_edge x = X, y = Y, dy = DY;
    int64_t nx = x.node ? weir_shape_count(weir_edge_shape(x)) : -1;
    int64_t ny = y.node ? weir_shape_count(weir_edge_shape(y)) : -1;
    if (nx >= 0 && ny >= 0)
        return LIKE(dy, (double)(nx / (ny ? ny : 1)));
    weir_edge one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge outputs = OP2("Maximum", OP1("Size", y), one);
    weir_edge factor = OP2("FloorDiv", OP1("Size", x), outputs);
    return dy.node ? weir_grad_cast(grad, factor, weir_edge_dtype(dy)) : dy;
}
GRADIENT(mean_grad, DIV(spread(grad, DY), inputs_per_output(grad)))

/* Divided equally among the elements that equal the extreme value. */
static weir_status extreme_grad(weir_grad *grad)
{
    weir_edge x = X, axes = X1, y = unreduced(grad, Y), dy = unreduced(grad, DY);
    if (!x.node)
        return WEIR_OK;
    weir_edge hit = weir_grad_cast(grad, OP2("Equal", y, x), weir_edge_dtype(x));
    weir_edge ties = OP2("Sum", hit, axes);
    ties = weir_site_bool(weir_grad_site(grad), KEEP_DIMS)
               ? weir_grad_op(grad, "Sum", WEIR_IN(hit, axes),
                              WEIR_ATTRS(weir_a_bool("keep_dims", true)))
               : OP2("Reshape", ties, kept_shape(grad, x, axes));
    weir_grad_set(grad, 0, MUL(DIV(hit, ties), dy));
    return WEIR_OK;
}

/* x / |x|, 0 where the norm is 0. */
GRADIENT(norm_grad, OP2("DivNoNan", X, DIV(unreduced(grad, Y), unreduced(grad, DY))))

/* The product of the others, without dividing by possible zeros: exclusive prefix products from
 * both sides along one axis, after the reduced axes have been moved to the front and merged. */
static weir_status prod_grad(weir_grad *grad)
{
    weir_edge x = X, axes = X1, shape = weir_grad_shape_of(grad, x);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge rank = OP1("Size", shape),
              minus_one = weir_grad_const_int32(grad, (int32_t[]){-1}, 1);
    axes = OP2("Reshape", weir_grad_cast(grad, axes, WEIR_INT32), minus_one);
    axes = OP2("FloorMod", ADD(axes, rank), rank);
    weir_edge all = weir_grad_op(grad, "Range", WEIR_IN(zero, rank, one), WEIR_NO_ATTRS);
    weir_node *diff = weir_grad_node_add(grad, "ListDiff", WEIR_IN(all, axes), WEIR_NO_ATTRS);
    weir_edge others = {diff, 0};
    weir_edge perm =
        weir_grad_op(grad, "ConcatV2", WEIR_IN(axes, others, zero), WEIR_ATTRS(weir_a_int("N", 2)));
    weir_edge sizes[2];
    weir_edge lists[] = {axes, others};
    for (int k = 0; k < 2; k++) {
        weir_edge dims =
            weir_grad_op(grad, "GatherV2", WEIR_IN(shape, lists[k], zero), WEIR_NO_ATTRS);
        sizes[k] = OP2("Prod", dims, zero);
    }
    weir_edge moved = OP2("Transpose", x, perm), moved_shape = OP1("Shape", moved);
    weir_edge flat =
        weir_grad_op(grad, "Pack", WEIR_IN(sizes[0], sizes[1]), WEIR_ATTRS(weir_a_int("N", 2)));
    weir_edge m = OP2("Reshape", moved, flat);
    weir_edge left =
        weir_grad_op(grad, "Cumprod", WEIR_IN(m, zero), WEIR_ATTRS(weir_a_bool("exclusive", true)));
    weir_edge right =
        weir_grad_op(grad, "Cumprod", WEIR_IN(m, zero),
                     WEIR_ATTRS(weir_a_bool("exclusive", true), weir_a_bool("reverse", true)));
    weir_edge rest = OP2("Reshape", MUL(CONJ(left), CONJ(right)), moved_shape);
    rest = OP2("Transpose", rest, OP1("InvertPermutation", perm));
    weir_grad_set(grad, 0, OP2("Reshape", MUL(spread(grad, DY), rest), shape));
    return WEIR_OK;
}

#define REDUCTION .infer = reduce_infer, .kernels = {{WEIR_CPU, "*", reduce}}
#define OF_T REDUCTION, .in = "input: T; reduction_indices: Tidx", .out = "output: T"
#define OF_BOOL                                                                                    \
    REDUCTION, .in = "input: bool; reduction_indices: Tidx", .out = "output: bool",                \
               .attrs = "keep_dims: bool = false; Tidx: " INDEX_TYPE, .no_grad = true
#define ATTRS(types) "keep_dims: bool = false; T: {" types "}; Tidx: " INDEX_TYPE
WEIR_DEFINE_OP(sum, "Sum", OF_T, .attrs = ATTRS(NUMBERS), .grad = sum_grad, .mode = WEIR_R_sum,
               .host = "reduction_indices");
WEIR_DEFINE_OP(mean, "Mean", OF_T, .attrs = ATTRS(NUMBERS), .grad = mean_grad, .mode = WEIR_R_mean,
               .host = "reduction_indices");
WEIR_DEFINE_OP(prod, "Prod", OF_T, .attrs = ATTRS(NUMBERS), .grad = prod_grad, .mode = WEIR_R_prod,
               .host = "reduction_indices");
WEIR_DEFINE_OP(max, "Max", OF_T, .attrs = ATTRS(REALS_QUANTISED), .grad = extreme_grad,
               .flags = WEIR_KEEPS_FINITE, .mode = WEIR_R_max, .host = "reduction_indices");
WEIR_DEFINE_OP(min, "Min", OF_T, .attrs = ATTRS(REALS_QUANTISED), .grad = extreme_grad,
               .flags = WEIR_KEEPS_FINITE, .mode = WEIR_R_min, .host = "reduction_indices");
WEIR_DEFINE_OP(euclidean_norm, "EuclideanNorm", OF_T, .attrs = ATTRS(NUMBERS), .grad = norm_grad,
               .mode = WEIR_R_norm, .host = "reduction_indices");
WEIR_DEFINE_OP(all, "All", OF_BOOL, .mode = WEIR_R_all, .host = "reduction_indices");
WEIR_DEFINE_OP(any, "Any", OF_BOOL, .mode = WEIR_R_any, .host = "reduction_indices");
