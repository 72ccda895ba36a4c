/* ops/math/cross.c - Cross: the cross product along the last dimension. */
#include <inttypes.h>

#include "base/half.h"
#include "ops/common/elem_of.h"
#include "ops/math/gradient.h"
#include "ops/math/types.h"

static weir_status cross_infer(weir_infer *infer)
{
    weir_shape shape;
    int64_t three;
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    WEIR_TRY(weir_infer_rank_at_least(infer, 1, 1));
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &shape));
    if (shape.rank > 0)
        WEIR_TRY(weir_infer_merge_dim(shape.dims[shape.rank - 1], 3, &three));
    infer->out[0] = shape;
    return WEIR_OK;
}

#define LOOPS "ops/math/cross.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

static weir_status cross(weir_call *call)
{
#define ROW(e, C, W, class) [WEIR_E_##e] = cross_##e,
    static void (*const fns[WEIR_ELEM_COUNT])(int64_t, const void *, const void *, void *) = {
        WEIR_ELEMS_HALF(ROW) WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_INT(ROW)};
    const weir_tensor *a = weir_in(call, 0);
    if (!weir_shape_eq(&a->shape, &weir_in(call, 1)->shape))
        return weir_error(WEIR_INVALID_ARGUMENT, "Both inputs must be of same shape: %s vs. %s",
                          WEIR_SHAPE_STR(&a->shape), WEIR_SHAPE_STR(&weir_in(call, 1)->shape));
    fns[weir_elem_of(a->dtype)](weir_tensor_count(a) / 3, a->data, weir_in(call, 1)->data,
                                weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status cross_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0, OP2("Cross", X1, DY));
    weir_grad_set(grad, 1, OP2("Cross", DY, X));
    return WEIR_OK;
}

const weir_op weir_op_cross = {
    .name = "Cross",
    .in = "a: T; b: T",
    .out = "product: T",
    .attrs = "T: {" REALS "}",
    .infer = cross_infer,
    .grad = cross_grad,
    .kernels = {{WEIR_CPU, "*", cross}},
};
