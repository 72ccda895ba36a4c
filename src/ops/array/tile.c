/* ops/array/tile.c - Tile and TileGrad: repeats a tensor along its axes, and sums it back. */
#include "math/binary/binary.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"

static weir_status tile_dim(int d, int64_t dim, int64_t multiple, int64_t *out)
{
    if (multiple < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Expected multiples[%d] >= 0, but got %" PRId64, d,
                          multiple);
    return weir_dim_mul(dim, multiple, out);
}

/* Those of the |rank| multiples that are known where not all of them are; -1 for the others. */
static weir_status partly_known(weir_infer *infer, const weir_tensor *multiples, int rank,
                                weir_shape *out)
{
    *out = WEIR_UNKNOWN_SHAPE;
    if (!multiples)
        WEIR_TRY(weir_infer_value_as_shape(infer, 1, out));
    if (out->rank != rank)
        *out = weir_shape_of_rank(rank);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    const weir_tensor *multiples = weir_infer_value(infer, 1);
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t count = weir_infer_dim(infer, 1, 0);
    if (x->rank >= 0 && count >= 0 && count != x->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected multiples argument to be a vector of length %d but got length "
                          "%" PRId64,
                          x->rank, count);
    int rank = x->rank >= 0 ? x->rank : count >= 0 && count <= WEIR_MAX_RANK ? (int)count : -1;
    if (rank < 0)
        return WEIR_OK;
    weir_shape out = weir_shape_of_rank(rank), some;
    WEIR_TRY(partly_known(infer, multiples, rank, &some));
    for (int axis = 0; axis < rank; axis++) {
        int64_t dim = x->rank >= 0 ? x->dims[axis] : -1;
        if (multiples)
            WEIR_TRY(tile_dim(axis, dim, weir_int_at(multiples, axis), &out.dims[axis]));
        else if (dim == 0)
            out.dims[axis] = 0;
        else if (some.dims[axis] >= 0)
            WEIR_TRY(tile_dim(axis, dim, some.dims[axis], &out.dims[axis]));
    }
    infer->out[0] = out;
    return WEIR_OK;
}

/* Two loops per dimension: over the repeats, with stride 0 in x, and over x. */
static weir_status tile(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *multiples = weir_in(call, 1);
    weir_tensor *y = weir_out(call, 0);
    int64_t xs[WEIR_MAX_RANK], ys[WEIR_MAX_RANK];
    weir_ndcopy copy = {0};
    weir_shape_strides(&x->shape, xs);
    weir_shape_strides(&y->shape, ys);
    for (int axis = 0; axis < x->shape.rank; axis++) {
        weir_ndcopy_add(&copy, weir_int_at(multiples, axis), ys[axis] * x->shape.dims[axis], 0);
        weir_ndcopy_add(&copy, x->shape.dims[axis], ys[axis], xs[axis]);
    }
    weir_ndcopy_run(&call->run->par, x->dtype, y->data, x->data, &copy);
    return WEIR_OK;
}

/* dy is reshaped to two dims per dim of x, [multiple, dim], and summed over the first of each. */
static weir_status grad(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 0), shape = weir_grad_shape_of(grad, x),
              multiples = weir_grad_x(grad, 1);
    if (weir_edge_dtype(multiples) != WEIR_INT32)
        multiples = weir_grad_op(grad, "Cast", WEIR_IN(multiples),
                                 WEIR_ATTRS(weir_a_type("DstT", WEIR_INT32)));
    weir_edge pairs =
        weir_grad_op(grad, "Pack", WEIR_IN(multiples, shape), WEIR_ATTRS(weir_a_int("axis", 1)));
    weir_edge split = weir_grad_flatten(grad, pairs);
    weir_edge axes = weir_grad_op(grad, "Range",
                                  WEIR_IN(weir_grad_int32(grad, 0),
                                          weir_grad_op(grad, "Size", WEIR_IN(split), WEIR_NO_ATTRS),
                                          weir_grad_int32(grad, 2)),
                                  WEIR_NO_ATTRS);
    weir_edge dy = weir_grad_reshape(grad, weir_grad_dy(grad, 0), split);
    weir_edge dx = weir_grad_op(grad, "Sum", WEIR_IN(dy, axes), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0, weir_grad_reshape(grad, dx, shape));
    return WEIR_OK;
}

const weir_op weir_op_tile = {
    .name = "Tile",
    .in = "input: T; multiples: Tmultiples",
    .out = "output: T",
    .attrs = "T: type; Tmultiples: {int32, int64} = DT_INT32",
    .host = "multiples",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", tile}},
};

/* ---- TileGrad -------------------------------------------------------------------------------- */

static weir_status tile_grad_infer(weir_infer *infer)
{
    const weir_shape *dy = infer->in[0];
    const weir_tensor *multiples = weir_infer_value(infer, 1);
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    if (dy->rank < 0 || !multiples)
        return WEIR_OK;
    if (weir_tensor_count(multiples) != dy->rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected multiples argument to be a vector of length %d but got length "
                          "%" PRId64,
                          dy->rank, weir_tensor_count(multiples));
    weir_shape out = *dy;
    for (int axis = 0; axis < dy->rank; axis++) {
        int64_t m = weir_int_at(multiples, axis);
        if (m < 1 || (dy->dims[axis] >= 0 && dy->dims[axis] % m != 0))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Expected input_dim[%d] to be divisible by multiples[%d], but "
                              "%" PRId64 " is not divisible by %" PRId64,
                              axis, axis, dy->dims[axis], m);
        if (dy->dims[axis] >= 0)
            out.dims[axis] = dy->dims[axis] / m;
    }
    infer->out[0] = out;
    return WEIR_OK;
}

/* Extracts and accumulates each tile. Tiles are numbered in row-major order of the
 * multiples. */
static weir_status tile_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *multiples = weir_in(call, 1);
    weir_tensor *dx = weir_out(call, 0), tile;
    int rank = dy->shape.rank;
    int64_t dys[WEIR_MAX_RANK], dxs[WEIR_MAX_RANK], tiles = 1;
    weir_ndcopy copy = {0};
    weir_shape_strides(&dy->shape, dys);
    weir_shape_strides(&dx->shape, dxs);
    for (int axis = 0; axis < rank; axis++) {
        weir_ndcopy_add(&copy, dx->shape.dims[axis], dxs[axis], dys[axis]);
        tiles *= weir_int_at(multiples, axis);
    }
    weir_elem elem = weir_elem_of(dx->dtype);
    if (elem == WEIR_ELEM_NONE || elem == WEIR_E_b8)
        return weir_error(WEIR_UNIMPLEMENTED,
                          "TileGradientOp : The input data type or dimension is not supported, "
                          "DataType : %s, Dimension : %d",
                          weir_dtype_name(dx->dtype), rank);
    WEIR_TRY(weir_tensor_alloc(dx->dtype, &dx->shape, &tile));
    weir_tensor_zero(&call->run->par, dx);
    for (int64_t tile_index = 0; tile_index < tiles; tile_index++) {
        int64_t at = 0, rest = tile_index;
        for (int axis = rank - 1; axis >= 0; axis--) {
            int64_t m = weir_int_at(multiples, axis);
            at += rest % m * dx->shape.dims[axis] * dys[axis];
            rest /= m;
        }
        weir_ndcopy_run(&call->run->par, dy->dtype, tile.data, weir_at(dy, at), &copy);
        weir_binary_flat(&call->run->par, WEIR_B_add, elem, weir_tensor_count(dx), dx->data,
                         tile.data, dx->data, WEIR_BOTH_VARY);
    }
    weir_tensor_release(&tile);
    return WEIR_OK;
}

const weir_op weir_op_tile_grad = {
    .name = "TileGrad",
    .in = "input: T; multiples: int32",
    .out = "output: T",
    .attrs = "T: type",
    .deprecated_at = 3,
    .deprecation = "TileGrad has been replaced with reduce_sum",
    .host = "multiples",
    .infer = tile_grad_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", tile_grad}},
};
