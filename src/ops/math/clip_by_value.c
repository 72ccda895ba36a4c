/* ops/math/clip_by_value.c - ClipByValue: min(max(t, low), high), the bounds scalars or like t. */
#include "ops/common/elem_of.h"
#include "ops/common/grads.h"
#include "ops/math/elementwise.h"
#include "ops/math/gradient.h"

static weir_status clip_infer(weir_infer *infer)
{
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static bool fits(const weir_tensor *bound, const weir_tensor *tensor)
{
    return bound->shape.rank == 0 || weir_shape_eq(&bound->shape, &tensor->shape);
}

/* Clips real and imaginary parts separately. */
#define CLIP_BOX(id, R)                                                                            \
    static void id(int64_t parts, const R *x, const R *low, bool one_low, const R *high,           \
                   bool one_high, R *y)                                                            \
    {                                                                                              \
        for (int64_t i = 0; i < parts; i++) {                                                      \
            R l = low[one_low ? i & 1 : i], h = high[one_high ? i & 1 : i];                        \
            R v = h < x[i] ? h : x[i];                                                             \
            y[i] = v < l ? l : v;                                                                  \
        }                                                                                          \
    }
CLIP_BOX(clip_c64, float)
CLIP_BOX(clip_c128, double)

static void clip_complex(const weir_tensor *tensor, const weir_tensor *low, const weir_tensor *high,
                         void *y)
{
    int64_t parts = 2 * weir_tensor_count(tensor);
    bool one_low = low->shape.rank == 0, one_high = high->shape.rank == 0;
    if (tensor->dtype == WEIR_COMPLEX64)
        clip_c64(parts, tensor->data, low->data, one_low, high->data, one_high, y);
    else
        clip_c128(parts, tensor->data, low->data, one_low, high->data, one_high, y);
}

static weir_status clip(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0), *low = weir_in(call, 1), *high = weir_in(call, 2);
    weir_elem elem = weir_elem_of(tensor->dtype);
    bool boxes = weir_dtype_is_complex(tensor->dtype);
    if (elem == WEIR_ELEM_NONE || (!boxes && !weir_binary_find(WEIR_B_maximum, elem)))
        return weir_error(WEIR_UNIMPLEMENTED, "ClipByValue is not implemented for type %s",
                          weir_dtype_name(tensor->dtype));
    if (!fits(low, tensor) || !fits(high, tensor))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "clip_value_min and clip_value_max must be either of the same shape as "
                          "input, or a scalar. input shape: %sclip_value_min shape: "
                          "%sclip_value_max shape: %s",
                          WEIR_SHAPE_STR(&tensor->shape), WEIR_SHAPE_STR(&low->shape),
                          WEIR_SHAPE_STR(&high->shape));
    int64_t count = weir_tensor_count(tensor);
    void *out = weir_out(call, 0)->data;
    const weir_par *par = &call->run->par;
    if (boxes) {
        clip_complex(tensor, low, high, out);
        return WEIR_OK;
    }
    weir_binary_flat(par, WEIR_B_minimum, elem, count, tensor->data, high->data, out,
                     high->shape.rank == 0 ? WEIR_Y_REPEATS : WEIR_BOTH_VARY);
    weir_binary_flat(par, WEIR_B_maximum, elem, count, out, low->data, out,
                     low->shape.rank == 0 ? WEIR_Y_REPEATS : WEIR_BOTH_VARY);
    return WEIR_OK;
}

static weir_status clip_grad(weir_grad *grad)
{
    weir_edge t = X, low = X1, high = weir_grad_x(grad, 2), dy = DY, zero = OP1("ZerosLike", dy);
    weir_edge below = OP2("Less", t, low), above = OP2("Greater", t, high);
    weir_edge outside = OP2("LogicalOr", below, above);
    weir_grad_set(grad, 0, WHERE(outside, zero, dy));
    weir_grad_set(grad, 1, weir_grad_unbroadcast(grad, WHERE(below, dy, zero), low));
    weir_grad_set(grad, 2, weir_grad_unbroadcast(grad, WHERE(above, dy, zero), high));
    return WEIR_OK;
}

const weir_op weir_op_clip_by_value = {
    .name = "ClipByValue",
    .in = "t: T; clip_value_min: T; clip_value_max: T",
    .out = "output: T",
    .attrs = "T: {" NUMBERS "}",
    .infer = clip_infer,
    .grad = clip_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", clip}},
};
