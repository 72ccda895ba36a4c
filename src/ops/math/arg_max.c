/* ops/math/arg_max.c - ArgMax and ArgMin: where along an axis the extreme element is. */
#include <inttypes.h>

#include "math/reduce/reduce.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/elements.h"
#include "ops/math/types.h"

static weir_status resolve_axis(const weir_tensor *t, int rank, int *out_axis)
{
    if (weir_tensor_count(t) != 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "dim must be a scalar, but received tensor of shape: %s",
                          WEIR_SHAPE_STR(&t->shape));
    int64_t axis = weir_int_at(t, 0);
    if (axis < -rank || axis >= rank)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Expected dimension in the range [%d, %d), but got %" PRId64, -rank, rank,
                          axis);
    *out_axis = (int)(axis < 0 ? axis + rank : axis);
    return WEIR_OK;
}

static weir_status arg_infer(weir_infer *i)
{
    const weir_shape *in = i->in[0];
    WEIR_TRY(weir_infer_rank(i, 1, 0));
    if (in->rank < 0)
        return WEIR_OK;
    if (in->rank <= 1) {
        i->out[0] = WEIR_SCALAR;
        return WEIR_OK;
    }
    const weir_tensor *t = weir_infer_value(i, 1);
    weir_shape out = {.rank = in->rank - 1};
    int axis = -1;
    if (t)
        WEIR_TRY(resolve_axis(t, in->rank, &axis));
    for (int d = 0; d < out.rank; d++)
        out.dims[d] = t ? in->dims[d < axis ? d : d + 1] : -1;
    i->out[0] = out;
    return WEIR_OK;
}

static weir_status arg_extreme(weir_call *call, bool largest)
{
    const weir_tensor *x = weir_in(call, 0);
    const weir_shape *s = &x->shape;
    int axis = 0;
    weir_elem elem = weir_stored_elem_of(x->dtype);
    WEIR_TRY(resolve_axis(weir_in(call, 1), s->rank, &axis));
    int64_t length = s->dims[axis];
    if (length == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "Reduction axis %d is empty in shape %s", axis,
                          WEIR_SHAPE_STR(s));
    if (elem == WEIR_ELEM_NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s",
                          call->site->op->name, weir_dtype_name(x->dtype));
    weir_tensor *y = weir_out(call, 0);
    weir_arg_extreme(&call->run->par, largest, elem, weir_elem_of(y->dtype),
                     weir_shape_product(s, 0, axis), length,
                     weir_shape_product(s, axis + 1, s->rank), x->data, y->data);
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
    .infer = arg_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", arg_min}},
};
