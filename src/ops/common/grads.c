/* ops/common/grads.c - gradients that many ops share. */
#include "ops/common/grads.h"

void weir_grad_pass(weir_grad *g, int out, int in)
{
    weir_slices s;
    if (weir_grad_dy_slices(g, out, &s))
        weir_grad_set_slices(g, in, s);
    else
        weir_grad_set(g, in, weir_grad_dy(g, out));
}

weir_status weir_grad_identity(weir_grad *g)
{
    weir_grad_pass(g, 0, 0);
    return WEIR_OK;
}

weir_status weir_grad_reshape_back(weir_grad *g)
{
    weir_edge shape = weir_grad_shape_of(g, weir_grad_x(g, 0));
    weir_grad_set(g, 0, weir_grad_reshape(g, weir_grad_dy(g, 0), shape));
    return WEIR_OK;
}

weir_edge weir_grad_int32(weir_grad *g, int32_t value)
{
    return weir_grad_const(g, weir_tensor_scalar(WEIR_INT32, &value));
}

weir_edge weir_grad_sum_all(weir_grad *g, weir_edge a)
{
    weir_edge rank = weir_grad_op(g, "Rank", WEIR_IN(a), WEIR_NO_ATTRS);
    weir_edge axes = weir_grad_op(
        g, "Range", WEIR_IN(weir_grad_int32(g, 0), rank, weir_grad_int32(g, 1)), WEIR_NO_ATTRS);
    return weir_grad_op(g, "Sum", WEIR_IN(a, axes), WEIR_NO_ATTRS);
}

weir_edge weir_grad_reshape(weir_grad *g, weir_edge a, weir_edge shape)
{
    return weir_grad_op(g, "Reshape", WEIR_IN(a, shape), WEIR_NO_ATTRS);
}

weir_edge weir_grad_flatten(weir_grad *g, weir_edge a)
{
    return weir_grad_reshape(g, a, weir_grad_const_int32(g, (int32_t[]){-1}, 1));
}

weir_edge weir_grad_subvector(weir_grad *g, weir_edge v, int from, int count)
{
    return weir_grad_op(g, "Slice",
                        WEIR_IN(v, weir_grad_const_int32(g, (int32_t[]){from}, 1),
                                weir_grad_const_int32(g, (int32_t[]){count}, 1)),
                        WEIR_NO_ATTRS);
}

weir_edge weir_grad_concat(weir_grad *g, const weir_edge *vectors, int count)
{
    if (count == 1)
        return vectors[0];
    weir_edge in[8];
    for (int k = 0; k < count; k++)
        in[k] = vectors[k];
    in[count] = weir_grad_int32(g, 0);
    return weir_grad_first(g, "ConcatV2", in, count + 1, WEIR_NO_ATTRS);
}

weir_edge weir_grad_unbroadcast(weir_grad *g, weir_edge dy, weir_edge x)
{
    weir_edge from = weir_grad_shape_of(g, x), to = weir_grad_shape_of(g, dy);
    weir_edge axes = weir_grad_op(g, "BroadcastGradientArgs", WEIR_IN(from, to), WEIR_NO_ATTRS);
    return weir_grad_reshape(g, weir_grad_op(g, "Sum", WEIR_IN(dy, axes), WEIR_NO_ATTRS), from);
}
