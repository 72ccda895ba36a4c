/* ops/array/slice.c - Slice: a contiguous box of a tensor. */
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

/* Range of one dimension of |dim| elements: |size| (-1: the rest) from |begin|. */
static weir_status cut(int d, int64_t dim, int64_t begin, int64_t size, int64_t *out)
{
    if (size == -1)
        size = dim - begin;
    if (dim == 0 && (begin != 0 || size != 0))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected begin[%d] == 0 (got %" PRId64
                          ") and size[%d] == 0 (got %" PRId64 ") when input.dim_size(%d) == 0",
                          d, begin, d, size, d);
    if (begin < 0 || begin > dim)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected begin[%d] in [0, %" PRId64 "], but got %" PRId64, d, dim,
                          begin);
    if (size < 0 || size > dim - begin)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected size[%d] in [0, %" PRId64 "], but got %" PRId64, d, dim - begin,
                          size);
    *out = size;
    return WEIR_OK;
}

/* While building a graph: the shape as far as the sizes are known. A begin out of range fails the
 * step, not the graph, because an earlier op may fail with a better message. */
static weir_status infer_partly(weir_infer *infer, const weir_tensor *begin)
{
    const weir_shape *x = infer->in[0];
    weir_shape sizes, out;
    WEIR_TRY(weir_infer_value_as_shape(infer, 2, &sizes));
    int rank = sizes.rank >= 0 ? sizes.rank : x->rank;
    if (rank < 0)
        return WEIR_OK;
    if (x->rank >= 0 && x->rank != rank)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank %d but is rank %d", rank,
                          x->rank);
    bool given = weir_infer_value(infer, 2) != NULL; /* then -1 means the rest, else unknown */
    out = weir_shape_of_rank(rank);
    for (int axis = 0; axis < rank && sizes.rank >= 0; axis++) {
        int64_t dim = x->rank >= 0 ? x->dims[axis] : -1;
        if (sizes.dims[axis] >= 0)
            out.dims[axis] = sizes.dims[axis];
        else if (given && begin && weir_int_at(begin, axis) != -1 && dim >= 0)
            WEIR_TRY(cut(axis, dim, weir_int_at(begin, axis), -1, &out.dims[axis]));
    }
    infer->out[0] = out;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0], *b = infer->in[1], *shape = infer->in[2];
    const weir_tensor *begin = weir_infer_value(infer, 1), *size = weir_infer_value(infer, 2);
    bool vectors = (b->rank < 0 || b->rank == 1) && (shape->rank < 0 || shape->rank == 1);
    int64_t nb = weir_infer_dim(infer, 1, 0), ns = vectors ? weir_infer_dim(infer, 2, 0) : -1;
    if (!vectors || (x->rank >= 0 && ((nb >= 0 && nb != x->rank) || (ns >= 0 && ns != x->rank))))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected begin and size arguments to be 1-D tensors of size %d, but got "
                          "shapes %s and %s instead.",
                          x->rank, WEIR_SHAPE_STR(b), WEIR_SHAPE_STR(shape));
    if (!weir_infer_running(infer))
        return infer_partly(infer, begin);
    infer->out[0].rank = x->rank;
    for (int axis = 0; axis < x->rank; axis++)
        WEIR_TRY(cut(axis, x->dims[axis], weir_int_at(begin, axis), weir_int_at(size, axis),
                     &infer->out[0].dims[axis]));
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *begin = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK], at = 0;
    weir_ndcopy copy = {0};
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&y->shape, ys);
    for (int axis = 0; axis < x->shape.rank; axis++) {
        weir_ndcopy_add(&copy, y->shape.dims[axis], ys[axis], xs[axis]);
        at += weir_int_at(begin, axis) * xs[axis];
    }
    weir_ndcopy_run(&call->run->par, x->dtype, y->data, weir_at(x, at), &copy);
    return WEIR_OK;
}

/* dx is dy padded with zeros: paddings are [begin, shape(x) - shape(y) - begin]. */
static weir_status grad(weir_grad *grad)
{
    weir_edge begin = weir_grad_x(grad, 1), x = weir_grad_x(grad, 0), y = weir_grad_y(grad, 0);
    weir_named_attr as = weir_a_type("out_type", weir_edge_dtype(begin));
    weir_edge sx = weir_grad_op(grad, "Shape", WEIR_IN(x), WEIR_ATTRS(as));
    weir_edge sy = weir_grad_op(grad, "Shape", WEIR_IN(y), WEIR_ATTRS(as));
    weir_edge after = weir_grad_sub(grad, weir_grad_sub(grad, sx, sy), begin);
    weir_edge paddings =
        weir_grad_op(grad, "Pack", WEIR_IN(begin, after), WEIR_ATTRS(weir_a_int("axis", 1)));
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "Pad", WEIR_IN(weir_grad_dy(grad, 0), paddings), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_slice = {
    .name = "Slice",
    .in = "input: T; begin: Index; size: Index",
    .out = "output: T",
    .attrs = "T: type; Index: {int32, int64}",
    .host = "begin; size",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
