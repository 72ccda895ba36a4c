/* ops/math/clip_by_value.c - ClipByValue: min(max(t, low), high); bounds are scalars or like t. */
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

/* y = the minimum or maximum of x and |bound|. */
static void apply_bound(const weir_par *par, weir_binary_op op, weir_elem elem, int64_t count,
                        const void *x, const weir_tensor *bound, void *y)
{
    weir_binary_flat(par, op, elem, count, x, bound->data, y,
                     bound->shape.rank == 0 ? WEIR_Y_REPEATS : WEIR_BOTH_VARY);
}

/* The same for real and imaginary parts separately: complex numbers as pairs. */
static void apply_complex_bound(const weir_par *par, weir_binary_op op, weir_elem part,
                                int64_t count, const void *x, const weir_tensor *bound, void *y)
{
    int64_t numbers = bound->shape.rank == 0 ? 1 : count;
    weir_bcast pairs;
    if (weir_bcast_init(&pairs, 2, (int[]){2, 2},
                        (const int64_t *[]){(int64_t[]){count, 2}, (int64_t[]){numbers, 2}}))
        weir_binary_bcast(par, op, part, &pairs, x, bound->data, y);
}

static weir_status clip(weir_call *call)
{
    const weir_tensor *tensor = weir_in(call, 0), *low = weir_in(call, 1), *high = weir_in(call, 2);
    weir_elem elem = weir_elem_of(tensor->dtype);
    bool is_complex = weir_dtype_is_complex(tensor->dtype);
    if (elem == WEIR_ELEM_NONE || (!is_complex && !weir_binary_find(WEIR_B_maximum, elem)))
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
    if (is_complex)
        elem = tensor->dtype == WEIR_COMPLEX64 ? WEIR_E_f32 : WEIR_E_f64;
    void (*apply)(const weir_par *, weir_binary_op, weir_elem, int64_t, const void *,
                  const weir_tensor *, void *) = is_complex ? apply_complex_bound : apply_bound;
    apply(par, WEIR_B_minimum, elem, count, tensor->data, high, out);
    apply(par, WEIR_B_maximum, elem, count, out, low, out);
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
