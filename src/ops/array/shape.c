/* ops/array/shape.c - Shape, ShapeN, Size, Rank: the shape of a tensor as data. */
#include "ops/common/elements.h"
#include "ops/common/infer_util.h"

static weir_status check_fits(const weir_tensor *out, int64_t value)
{
    if (out->dtype == WEIR_INT32 && value > INT32_MAX)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of elements was larger than representable by 32-bit output type");
    return WEIR_OK;
}

static weir_status shape_infer(weir_infer *infer)
{
    for (int k = 0; k < infer->out_count; k++)
        infer->out[k] = weir_shape_vector(infer->in[k]->rank); /* unknown rank: unknown length */
    return WEIR_OK;
}

static weir_status shape(weir_call *call)
{
    for (int k = 0; k < call->site->out_count; k++) {
        const weir_shape *s = &weir_in(call, k)->shape;
        for (int axis = 0; axis < s->rank; axis++) {
            WEIR_TRY(check_fits(weir_out(call, k), s->dims[axis]));
            weir_int_set(weir_out(call, k), axis, s->dims[axis]);
        }
    }
    return WEIR_OK;
}

const weir_op weir_op_shape = {
    .name = "Shape",
    .in = "input: T",
    .out = "output: out_type",
    .attrs = "T: type; out_type: {int32, int64} = DT_INT32",
    .host = "output",
    .infer = shape_infer,
    .no_grad = true,
    .flags = WEIR_SHAPE_ONLY,
    .kernels = {{WEIR_CPU, "*", shape, WEIR_CHEAP}},
};

const weir_op weir_op_shape_n = {
    .name = "ShapeN",
    .in = "input: N * T",
    .out = "output: N * out_type",
    .attrs = "N: int >= 1; T: type; out_type: {int32, int64} = DT_INT32",
    .host = "output",
    .infer = shape_infer,
    .no_grad = true,
    .flags = WEIR_SHAPE_ONLY,
    .kernels = {{WEIR_CPU, "*", shape, WEIR_CHEAP}},
};

static weir_status size(weir_call *call)
{
    int64_t count = weir_tensor_count(weir_in(call, 0));
    WEIR_TRY(check_fits(weir_out(call, 0), count));
    weir_int_set(weir_out(call, 0), 0, count);
    return WEIR_OK;
}

const weir_op weir_op_size = {
    .name = "Size",
    .in = "input: T",
    .out = "output: out_type",
    .attrs = "T: type; out_type: {int32, int64} = DT_INT32",
    .host = "output",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .flags = WEIR_SHAPE_ONLY,
    .kernels = {{WEIR_CPU, "*", size, WEIR_CHEAP}},
};

static weir_status rank(weir_call *call)
{
    weir_int_set(weir_out(call, 0), 0, weir_in(call, 0)->shape.rank);
    return WEIR_OK;
}

const weir_op weir_op_rank = {
    .name = "Rank",
    .in = "input: T",
    .out = "output: int32",
    .attrs = "T: type",
    .host = "output",
    .infer = weir_infer_scalar,
    .no_grad = true,
    .flags = WEIR_SHAPE_ONLY,
    .kernels = {{WEIR_CPU, "*", rank, WEIR_CHEAP}},
};
