/* ops/math/arg_max.c - ArgMax and ArgMin: the index of the extreme element along an axis. */
#include "ops/math/arg_axis.h"

#include <inttypes.h>

#include "math/reduce/reduce.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/math/types.h"

static weir_status resolve_axis(const weir_tensor *tensor, int rank, int *out_axis)
{
    if (weir_tensor_count(tensor) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dim must be a scalar, but received tensor of shape: %s",
                          WEIR_SHAPE_STR(&tensor->shape));
    int64_t axis = weir_int_at(tensor, 0);
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected dimension in the range [%d, %d), but got %" PRId64, -rank, rank,
                          axis);
    *out_axis = (int)(axis < 0 ? axis + rank : axis);
    return WEIR_OK;
}

static weir_status arg_infer(weir_infer *infer)
{
    const weir_shape *in = infer->in[0];
    WEIR_TRY(weir_infer_rank(infer, 1, 0));
    if (in->rank < 0)
        return WEIR_OK;
    if (in->rank <= 1) {
        infer->out[0] = WEIR_SCALAR;
        return WEIR_OK;
    }
    const weir_tensor *tensor = weir_infer_value(infer, 1);
    weir_shape out = {.rank = in->rank - 1};
    int axis = -1;
    if (tensor)
        WEIR_TRY(resolve_axis(tensor, in->rank, &axis));
    for (int dim = 0; dim < out.rank; dim++)
        out.dims[dim] = tensor ? in->dims[dim < axis ? dim : dim + 1] : -1;
    infer->out[0] = out;
    return WEIR_OK;
}

weir_status weir_arg_axis(const weir_call *call, int *out_axis)
{
    const weir_shape *shape = &weir_in(call, 0)->shape;
    WEIR_TRY(resolve_axis(weir_in(call, 1), shape->rank, out_axis));
    return shape->dims[*out_axis]
               ? WEIR_OK
               : weir_error(WEIR_INVALID_ARGUMENT, "Reduction axis %d is empty in shape %s",
                            *out_axis, WEIR_SHAPE_STR(shape));
}

static weir_status arg_extreme(weir_call *call, bool largest)
{
    const weir_tensor *x = weir_in(call, 0);
    const weir_shape *shape = &x->shape;
    int axis = 0;
    weir_elem elem = weir_stored_elem_of(x->dtype);
    WEIR_TRY(weir_arg_axis(call, &axis));
    int64_t length = shape->dims[axis];
    if (elem == WEIR_ELEM_NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s",
                          call->site->op->name, weir_dtype_name(x->dtype));
    weir_tensor *y = weir_out(call, 0);
    weir_arg_extreme(&call->run->par, largest, elem, weir_elem_of(y->dtype),
                     weir_shape_product(shape, 0, axis), length,
                     weir_shape_product(shape, axis + 1, shape->rank), x->data, y->data);
    return WEIR_OK;
}

static weir_status arg_max(weir_call *call)
{
    return arg_extreme(call, true);
}
static weir_status arg_min(weir_call *call)
{
    return arg_extreme(call, false);
}

const weir_op weir_op_arg_max = {
    .name = "ArgMax",
    .in = "input: T; dimension: Tidx",
    .out = "output: output_type",
    .attrs = "T: {" REALS_QUANTISED ", bool}; Tidx: {int16, int32, int64} = DT_INT32; "
             "output_type: {int16, uint16, int32, int64} = DT_INT64",
    .host = "dimension",
    .infer = arg_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", arg_max}},
};

const weir_op weir_op_arg_min = {
    .name = "ArgMin",
    .in = "input: T; dimension: Tidx",
    .out = "output: output_type",
    .attrs = "T: {" REALS_QUANTISED ", bool}; Tidx: " INDEX_TYPE
             "; output_type: {int32, int64} = DT_INT64",
    .host = "dimension",
    .infer = arg_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", arg_min}},
};
