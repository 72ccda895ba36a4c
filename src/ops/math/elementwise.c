/* ops/math/elementwise.c - applies loops to tensors. */
#include "ops/math/elementwise.h"

#include "ops/common/elem_of.h"

static weir_status no_loop(const weir_call *call, weir_dtype dtype)
{
    return weir_error(WEIR_UNIMPLEMENTED, "%s is not implemented for type %s", call->site->op->name,
                      weir_dtype_name(dtype));
}

enum { SMALL = 512 }; /* up to this many elements the loop is called directly */

weir_status weir_unary_kernel(weir_call *call, weir_unary_op op)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    weir_unary_fn fn = elem == WEIR_ELEM_NONE ? NULL : weir_unary_find(op, elem);
    if (__builtin_expect(!fn, 0))
        return no_loop(call, x->dtype);
    int64_t count = weir_tensor_count(x);
    if (count <= SMALL && !weir_elem_is_half(elem)) /* direct call of the loop */
        fn(count, x->data, weir_out(call, 0)->data);
    else
        weir_unary_run(&call->run->par, op, elem, count, x->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

void weir_tensor_bcast(const weir_tensor *x, const weir_tensor *y, weir_bcast *out)
{
    bool compatible = weir_bcast_init(out, 2, (int[]){x->shape.rank, y->shape.rank},
                                      (const int64_t *[]){x->shape.dims, y->shape.dims});
    if (!compatible) /* rejected by inference */
        *out = (weir_bcast){.rank = 1, .operands = 2};
}

static weir_status undefined(weir_binary_op op)
{
    if (op == WEIR_B_pow)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Integers to negative integer powers are not allowed");
    return weir_error(WEIR_INVALID_ARGUMENT, "Integer division by zero");
}

/* Quotients of 16-bit floats are rounded before truncation to an integer, as in TensorFlow. */
static weir_status cut_quotient(weir_call *call, weir_unary_op cut)
{
    const weir_tensor *z = weir_out(call, 0);
    WEIR_TRY(weir_binary_kernel(call, WEIR_B_div));
    weir_unary_run(&call->run->par, cut, weir_elem_of(z->dtype), weir_tensor_count(z), z->data,
                   z->data);
    return WEIR_OK;
}

weir_status weir_binary_kernel(weir_call *call, weir_binary_op op)
{
    const weir_tensor *x = weir_in(call, 0), *y = weir_in(call, 1), *z = weir_out(call, 0);
    weir_elem elem = weir_elem_of(x->dtype);
    if (__builtin_expect(elem == WEIR_ELEM_NONE || !weir_binary_find(op, elem), 0))
        return no_loop(call, x->dtype);
    if (weir_elem_is_half(elem) && (op == WEIR_B_floor_div || op == WEIR_B_trunc_div))
        return cut_quotient(call, op == WEIR_B_floor_div ? WEIR_U_floor : WEIR_U_trunc);
    int64_t count = weir_tensor_count(z), nx = weir_tensor_count(x), ny = weir_tensor_count(y);
    const weir_par *par = &call->run->par;
    bool ok;
    if (nx == count && ny == count) {
        ok = weir_binary_flat(par, op, elem, count, x->data, y->data, z->data, WEIR_BOTH_VARY);
    } else if (nx == 1 || ny == 1) {
        weir_binary_mode mode = nx == 1 ? WEIR_X_REPEATS : WEIR_Y_REPEATS;
        ok = weir_binary_flat(par, op, elem, count, x->data, y->data, z->data, mode);
    } else {
        weir_bcast bcast;
        weir_tensor_bcast(x, y, &bcast);
        ok = weir_binary_bcast(par, op, elem, &bcast, x->data, y->data, z->data);
    }
    return ok ? WEIR_OK : undefined(op);
}

weir_status weir_unary_loop(weir_call *call)
{
    return weir_unary_kernel(call, (weir_unary_op)call->site->op->elementwise.loop);
}

weir_status weir_binary_loop(weir_call *call)
{
    return weir_binary_kernel(call, (weir_binary_op)call->site->op->elementwise.loop);
}
