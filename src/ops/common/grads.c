/* ops/common/grads.c - gradients that many ops share. */
#include "ops/common/grads.h"

void weir_grad_pass(weir_grad *grad, int out, int in)
{
    weir_slices slices;
    if (weir_grad_dy_slices(grad, out, &slices))
        weir_grad_set_slices(grad, in, slices);
    else
        weir_grad_set(grad, in, weir_grad_dy(grad, out));
}

weir_status weir_grad_identity(weir_grad *grad)
{
    weir_grad_pass(grad, 0, 0);
    return WEIR_OK;
}

weir_status weir_grad_reshape_back(weir_grad *grad)
{
    weir_edge shape = weir_grad_shape_of(grad, weir_grad_x(grad, 0));
    weir_grad_set(grad, 0, weir_grad_reshape(grad, weir_grad_dy(grad, 0), shape));
    return WEIR_OK;
}

weir_edge weir_grad_int32(weir_grad *grad, int32_t value)
{
    return weir_grad_const(grad, weir_tensor_scalar(WEIR_INT32, &value));
}

weir_edge weir_grad_sum_all(weir_grad *grad, weir_edge a)
{
    weir_edge rank = weir_grad_op(grad, "Rank", WEIR_IN(a), WEIR_NO_ATTRS);
    weir_edge axes = weir_grad_op(grad, "Range",
                                  WEIR_IN(weir_grad_int32(grad, 0), rank, weir_grad_int32(grad, 1)),
                                  WEIR_NO_ATTRS);
    return weir_grad_op(grad, "Sum", WEIR_IN(a, axes), WEIR_NO_ATTRS);
}

weir_edge weir_grad_reshape(weir_grad *grad, weir_edge a, weir_edge shape)
{
    return weir_grad_op(grad, "Reshape", WEIR_IN(a, shape), WEIR_NO_ATTRS);
}

weir_edge weir_grad_flatten(weir_grad *grad, weir_edge a)
{
    return weir_grad_reshape(grad, a, weir_grad_const_int32(grad, (int32_t[]){-1}, 1));
}

weir_edge weir_grad_subvector(weir_grad *grad, weir_edge value, int from, int count)
{
    return weir_grad_op(grad, "Slice",
                        WEIR_IN(value, weir_grad_const_int32(grad, (int32_t[]){from}, 1),
                                weir_grad_const_int32(grad, (int32_t[]){count}, 1)),
                        WEIR_NO_ATTRS);
}

weir_edge weir_grad_concat(weir_grad *grad, const weir_edge *vectors, int count)
{
    if (count == 1)
        return vectors[0];
    weir_edge in[8];
    for (int k = 0; k < count; k++)
        in[k] = vectors[k];
    in[count] = weir_grad_int32(grad, 0);
    return weir_grad_first(grad, "ConcatV2", in, count + 1, WEIR_NO_ATTRS);
}

weir_edge weir_grad_unbroadcast(weir_grad *grad, weir_edge dy, weir_edge x)
{
    weir_edge from = weir_grad_shape_of(grad, x), to = weir_grad_shape_of(grad, dy);
    weir_edge axes = weir_grad_op(grad, "BroadcastGradientArgs", WEIR_IN(from, to), WEIR_NO_ATTRS);
    return weir_grad_reshape(grad, weir_grad_op(grad, "Sum", WEIR_IN(dy, axes), WEIR_NO_ATTRS),
                             from);
}
