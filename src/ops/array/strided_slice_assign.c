/* ops/array/strided_slice_assign.c - assigns to a strided slice: of a variable, or of a copy. */
#include "ops/array/slicing.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/common/ndcopy.h"
#include "ops/state/state_impl.h"

enum { T, INDEX, MASKS };
enum { BEGIN = 1, END, STRIDES, VALUE }; /* inputs */

/* Broadcasts the value to the shape of a slice; leading ones are ignored. */
static weir_status spread(const weir_call *call, const weir_shape *to, weir_tensor *out)
{
    const weir_tensor *value = weir_in(call, VALUE);
    weir_shape from = value->shape, both;
    while (from.rank > to->rank && from.dims[0] == 1)
        from = weir_infer_sub(&from, 1, from.rank);
    weir_status status = weir_infer_broadcast_shapes(&from, to, &both);
    bool fits = !status && weir_shape_eq(&both, to);
    weir_status_free(status);
    if (!fits)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Cannot broadcast input shape %s into final shape %s",
                          WEIR_SHAPE_STR(&value->shape), WEIR_SHAPE_STR(to));
    WEIR_TRY(weir_tensor_alloc(value->dtype, to, out));
    weir_ndcopy_broadcast(&call->run->par, value->dtype, to, out->data, &from, value->data);
    return WEIR_OK;
}

static weir_status put_spread(weir_call *call, const weir_slicing *slicing, weir_tensor *x)
{
    weir_tensor spread_value;
    WEIR_TRY(spread(call, &slicing->shape, &spread_value));
    weir_slicing_put(&call->run->par, x->dtype, slicing, &x->shape, x->data, spread_value.data);
    weir_tensor_release(&spread_value);
    return WEIR_OK;
}

/* Writes the value into the slice of |x|, which the caller owns. */
static weir_status put(weir_call *call, weir_tensor *x)
{
    const weir_tensor *value = weir_in(call, VALUE);
    weir_slice_masks masks = weir_slice_masks_of(call->site, MASKS);
    weir_slicing slicing;
    WEIR_TRY(weir_slicing_make(&masks, weir_in(call, BEGIN), weir_in(call, END),
                               weir_in(call, STRIDES), &x->shape, &slicing));
    if (weir_shape_count(&slicing.shape) == 0)
        return WEIR_OK;
    if (!weir_shape_eq(&slicing.shape, &value->shape))
        return put_spread(call, &slicing, x);
    weir_slicing_put(&call->run->par, x->dtype, &slicing, &x->shape, x->data, value->data);
    return WEIR_OK;
}

static weir_status assign_infer(weir_infer *infer)
{
    WEIR_TRY(weir_slicing_check(infer, BEGIN));
    if (infer->site->out_count && !weir_state_at_run(infer))
        infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status assign(weir_call *call)
{
    weir_var *var;
    weir_tensor *x;
    WEIR_TRY(weir_state_var(call, 0, &var));
    weir_status status = weir_state_begin(var, weir_in(call, VALUE)->dtype, &x);
    if (!status) {
        status = put(call, x);
        weir_var_end(var);
    }
    weir_var_release(var);
    if (!status)
        weir_state_forward_ref(call);
    return status;
}

const weir_op weir_op_strided_slice_assign = {
    .name = "StridedSliceAssign",
    .in = "ref: Ref(T); begin: Index; end: Index; strides: Index; value: T",
    .out = "output_ref: Ref(T)",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .host = "begin; end; strides",
    .infer = assign_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", assign, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_resource_strided_slice_assign = {
    .name = "ResourceStridedSliceAssign",
    .in = "ref: resource; begin: Index; end: Index; strides: Index; value: T",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .host = "begin; end; strides",
    .flags = WEIR_STATEFUL,
    .infer = assign_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", assign}},
};

/* ---- TensorStridedSliceUpdate ---------------------------------------------------------------- */

static weir_status update_infer(weir_infer *infer)
{
    WEIR_TRY(weir_slicing_check(infer, BEGIN));
    infer->out[0] = *infer->in[0];
    return WEIR_OK;
}

static weir_status update(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    if (x->data != y->data)
        weir_elements_copy(x->dtype, y->data, x->data, weir_tensor_count(x));
    return put(call, y);
}

/* Overwritten elements have no gradient; that of the value is the slice of dy, summed over
 * broadcast axes. */
static weir_status update_grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0), begin = weir_grad_x(grad, BEGIN),
              end = weir_grad_x(grad, END);
    weir_edge strides = weir_grad_x(grad, STRIDES);
    weir_edge dvalue = weir_grad_op(grad, "StridedSlice", WEIR_IN(dy, begin, end, strides),
                                    WEIR_SLICE_GRAD_ATTRS(grad));
    weir_edge zeros = weir_grad_op(grad, "ZerosLike", WEIR_IN(dvalue), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorStridedSliceUpdate",
                               WEIR_IN(dy, begin, end, strides, zeros),
                               WEIR_SLICE_GRAD_ATTRS(grad)));
    weir_grad_set(grad, VALUE, weir_grad_unbroadcast(grad, dvalue, weir_grad_x(grad, VALUE)));
    return WEIR_OK;
}

const weir_op weir_op_tensor_strided_slice_update = {
    .name = "TensorStridedSliceUpdate",
    .in = "input: T; begin: Index; end: Index; strides: Index; value: T",
    .out = "output: T",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .host = "begin; end; strides",
    .infer = update_infer,
    .grad = update_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", update}},
};
