/* ops/math/select.c - Select and SelectV2: elements of t where a condition holds, else of e. */
#include "math/select.h"

#include "ops/common/grads.h"
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

static weir_status choose(weir_call *call, const weir_shape *condition)
{
    const weir_tensor *c = weir_in(call, 0), *tensor = weir_in(call, 1), *e = weir_in(call, 2);
    const weir_tensor *z = weir_out(call, 0);
    weir_bcast bcast;
    int ranks[] = {condition->rank, tensor->shape.rank, e->shape.rank};
    const int64_t *dims[] = {condition->dims, tensor->shape.dims, e->shape.dims};
    if (!weir_bcast_init(&bcast, 3, ranks, dims))
        return weir_error(
            WEIR_INVALID_ARGUMENT, "condition %s, then %s, and else %s must be broadcastable",
            WEIR_SHAPE_STR(condition), WEIR_SHAPE_STR(&tensor->shape), WEIR_SHAPE_STR(&e->shape));
    int size = (int)weir_dtype_size(tensor->dtype);
    if (weir_dtype_is_plain(tensor->dtype)) {
        weir_select_run(&call->run->par, size, &bcast, c->data, tensor->data, e->data, z->data);
        return WEIR_OK;
    }
    /* Copies strings and handles one by one. */
    int last = bcast.rank - 1;
    int64_t row = bcast.dims[last], at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(&bcast, 0, at, index);
    for (int64_t i = 0; i < bcast.count; i += row) {
        for (int64_t k = 0; k < row; k++) {
            bool yes = ((const bool *)c->data)[at[0] + k * bcast.strides[0][last]];
            const weir_tensor *from = yes ? tensor : e;
            int64_t source = at[yes ? 1 : 2] + k * bcast.strides[yes ? 1 : 2][last];
            weir_elements_copy(tensor->dtype, (char *)z->data + (i + k) * size,
                               (const char *)from->data + source * size, 1);
        }
        weir_bcast_next(&bcast, at, index);
    }
    return WEIR_OK;
}

static weir_status select_v2_infer(weir_infer *infer)
{
    weir_shape values;
    WEIR_TRY(weir_infer_broadcast_shapes(infer->in[1], infer->in[2], &values));
    return weir_infer_broadcast_shapes(infer->in[0], &values, &infer->out[0]);
}

static weir_status select_v2(weir_call *call)
{
    return choose(call, &weir_in(call, 0)->shape);
}

static weir_status select_v2_grad(weir_grad *grad)
{
    weir_edge c = X, dy = DY, zero = OP1("ZerosLike", dy);
    weir_grad_set(grad, 1, weir_grad_unbroadcast(grad, WHERE(c, dy, zero), X1));
    weir_grad_set(grad, 2, weir_grad_unbroadcast(grad, WHERE(c, zero, dy), weir_grad_x(grad, 2)));
    return WEIR_OK;
}

const weir_op weir_op_select_v2 = {
    .name = "SelectV2",
    .in = "condition: bool; t: T; e: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = select_v2_infer,
    .grad = select_v2_grad,
    .kernels = {{WEIR_CPU, "*", select_v2}},
};

/* The older version: the condition is like t and e, a scalar, or a vector that selects rows. */
static weir_status select_infer(weir_infer *infer)
{
    weir_shape data;
    const weir_shape *c = infer->in[0];
    if (c->rank > 1)
        return weir_infer_alike(infer, 3, &infer->out[0]);
    WEIR_TRY(weir_infer_merge(infer->in[1], infer->in[2], &data));
    if (c->rank == 1 && data.rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be rank 0 but is rank 1");
    if (c->rank == 1 && data.rank > 0)
        WEIR_TRY(weir_infer_merge_dim(data.dims[0], c->dims[0], &data.dims[0]));
    infer->out[0] = data;
    return WEIR_OK;
}

static weir_status select_old(weir_call *call)
{
    weir_shape c = weir_in(call, 0)->shape;
    const weir_shape *shape = &weir_in(call, 1)->shape;
    if (c.rank == 1 && shape->rank > 1) /* one condition per row */
        for (int axis = 1; axis < shape->rank; axis++)
            weir_shape_append(&c, 1);
    return choose(call, &c);
}

static weir_status select_grad(weir_grad *grad)
{
    weir_edge c = X, dy = DY, zero = OP1("ZerosLike", X1);
    weir_grad_set(grad, 1, weir_grad_op(grad, "Select", WEIR_IN(c, dy, zero), WEIR_NO_ATTRS));
    weir_grad_set(grad, 2, weir_grad_op(grad, "Select", WEIR_IN(c, zero, dy), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_select = {
    .name = "Select",
    .in = "condition: bool; t: T; e: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = select_infer,
    .grad = select_grad,
    .kernels = {{WEIR_CPU, "*", select_old}},
};
