/* ops/math/broadcast_args.c - shapes as data: BroadcastArgs and BroadcastGradientArgs. */
#include "base/arith.h"
#include "op/op.h"

static weir_status infer_vectors(weir_infer *infer)
{
    for (int k = 0; k < 2; k++)
        WEIR_TRY(weir_infer_rank(infer, k, 1));
    for (int output = 0; output < infer->out_count; output++)
        infer->out[output] = (weir_shape){1, {-1}};
    return WEIR_OK;
}

/* The result has the length of the longer input. */
static weir_status args_infer(weir_infer *infer)
{
    WEIR_TRY(infer_vectors(infer));
    int64_t a = weir_infer_dim(infer, 0, 0), b = weir_infer_dim(infer, 1, 0);
    if (a >= 0 && b >= 0)
        infer->out[0] = weir_shape_vector(weir_max(a, b));
    return WEIR_OK;
}

static weir_status read_shapes(weir_call *call, weir_shape shapes[2])
{
    for (int k = 0; k < 2; k++) {
        const weir_tensor *tensor = weir_in(call, k);
        int64_t rank;
        if (tensor->shape.rank != 1)
            return weir_error(WEIR_INVALID_ARGUMENT, "In[%d] must be a vector.%s", k,
                              WEIR_SHAPE_STR(&tensor->shape));
        WEIR_TRY(weir_tensor_get_ints(tensor, shapes[k].dims, WEIR_MAX_RANK, &rank));
        shapes[k].rank = (int32_t)rank;
    }
    return WEIR_OK;
}

static void write_ints(weir_tensor *tensor, const int64_t *values)
{
    for (int64_t i = 0; i < tensor->shape.dims[0]; i++) {
        if (tensor->dtype == WEIR_INT32)
            ((int32_t *)tensor->data)[i] = (int32_t)values[i];
        else
            ((int64_t *)tensor->data)[i] = values[i];
    }
}

static weir_status set_ints(weir_call *call, int out, const int64_t *values, int count)
{
    weir_shape shape = weir_shape_vector(count);
    WEIR_TRY(weir_call_alloc(call, out, &shape));
    write_ints(weir_out(call, out), values);
    return WEIR_OK;
}

static weir_status incompatible(const weir_shape *shapes)
{
    return weir_error(WEIR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s",
                      WEIR_SHAPE_STR(&shapes[0]), WEIR_SHAPE_STR(&shapes[1]));
}

static weir_status broadcast_args(weir_call *call)
{
    weir_shape shapes[2], both;
    WEIR_TRY(read_shapes(call, shapes));
    WEIR_TRY(weir_infer_broadcast_shapes(&shapes[0], &shapes[1], &both));
    return set_ints(call, 0, both.dims, both.rank);
}

/* Length of shape |shape| along dimension |d| of |rank|. */
static int64_t dim_of(const weir_shape *shape, int rank, int d)
{
    int at = d - (rank - shape->rank);
    return at < 0 ? 1 : shape->dims[at];
}

/* The axes along which each shape was broadcast, over which its gradient is summed. Where both are
 * 1 there was no broadcast, but TensorFlow lists the axis for both, and summing is harmless. */
static weir_status gradient_args(weir_call *call)
{
    weir_shape shapes[2];
    WEIR_TRY(read_shapes(call, shapes));
    int64_t axes[2][WEIR_MAX_RANK];
    int rank = shapes[0].rank > shapes[1].rank ? shapes[0].rank : shapes[1].rank,
        counts[2] = {0, 0};
    bool same = weir_shape_eq(&shapes[0], &shapes[1]);
    for (int axis = 0; axis < rank && !same; axis++) {
        int64_t a = dim_of(&shapes[0], rank, axis), b = dim_of(&shapes[1], rank, axis);
        if (a != b && a != 1 && b != 1)
            return incompatible(shapes);
        if (a == 1)
            axes[0][counts[0]++] = axis;
        if (b == 1)
            axes[1][counts[1]++] = axis;
    }
    WEIR_TRY(set_ints(call, 0, axes[0], counts[0]));
    return set_ints(call, 1, axes[1], counts[1]);
}

const weir_op weir_op_broadcast_args = {
    .name = "BroadcastArgs",
    .in = "s0: T; s1: T",
    .out = "r0: T",
    .attrs = "T: {int32, int64} = DT_INT32",
    .host = "r0; s0; s1",
    .infer = args_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", broadcast_args, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};

const weir_op weir_op_broadcast_gradient_args = {
    .name = "BroadcastGradientArgs",
    .in = "s0: T; s1: T",
    .out = "r0: T; r1: T",
    .attrs = "T: {int32, int64} = DT_INT32",
    .host = "r0; r1; s0; s1",
    .infer = infer_vectors,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", gradient_args, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
