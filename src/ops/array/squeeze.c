/* ops/array/squeeze.c - Squeeze: removes dimensions of one. */
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, SQUEEZE_DIMS };

/* Marks the removed dims in |drop|. */
static weir_status read_dims(const weir_attr *dims, int rank, bool drop[WEIR_MAX_RANK])
{
    for (int k = 0; k < dims->count; k++) {
        int64_t d = dims->is[k];
        if (d < -rank || d >= rank)
            return weir_error(
                WEIR_INVALID_ARGUMENT,
                "Tried to squeeze dim index %" PRId64 " for tensor with %d dimensions.", d, rank);
        drop[d < 0 ? d + rank : d] = true;
    }
    return WEIR_OK;
}

static weir_status squeeze_shape(const weir_shape *x, const weir_attr *dims, weir_shape *y)
{
    bool drop[WEIR_MAX_RANK] = {false};
    if (x->rank < 0)
        return WEIR_OK;
    WEIR_TRY(read_dims(dims, x->rank, drop));
    weir_shape kept = {.rank = 0};
    for (int axis = 0; axis < x->rank; axis++) {
        bool unit = x->dims[axis] == 1;
        if (dims->count > 0 && drop[axis] && x->dims[axis] >= 0 && !unit)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Can not squeeze dim[%d], expected a dimension of 1, got %" PRId64,
                              axis, x->dims[axis]);
        if (dims->count == 0 && x->dims[axis] < 0)
            return WEIR_OK; /* an unknown dim may be 1: not even the rank is known */
        if (dims->count > 0 ? !drop[axis] : !unit)
            kept.dims[kept.rank++] = x->dims[axis];
    }
    *y = kept;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    return squeeze_shape(infer->in[0], weir_site_list(infer->site, SQUEEZE_DIMS), &infer->out[0]);
}

static weir_status run(weir_call *call)
{
    weir_shape shape;
    WEIR_TRY(
        squeeze_shape(&weir_in(call, 0)->shape, weir_site_list(call->site, SQUEEZE_DIMS), &shape));
    weir_call_forward(call, 0, 0, &shape);
    return WEIR_OK;
}

const weir_op weir_op_squeeze = {
    .name = "Squeeze",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: type; squeeze_dims: list(int) >= 0 = []",
    .flags = WEIR_MAY_SHARE,
    .infer = infer,
    .grad = weir_grad_reshape_back,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_CHEAP}},
};
