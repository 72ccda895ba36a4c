/* ops/array/strided_slice_assign.c - writing into a strided slice: of a variable, or of a copy. */
#include "ops/array/slicing.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/state/state_impl.h"

enum { T, INDEX, MASKS };
enum { BEGIN = 1, END, STRIDES, VALUE }; /* inputs */

/* Puts the value into the slice of |x|, which is ours to change. */
static weir_status put(weir_call *call, weir_tensor *x)
{
    const weir_tensor *value = weir_in(call, VALUE);
    weir_slice_masks masks = weir_slice_masks_of(call->site, MASKS);
    weir_slicing s;
    WEIR_TRY(weir_slicing_make(&masks, weir_in(call, BEGIN), weir_in(call, END),
                               weir_in(call, STRIDES), &x->shape, &s));
    if (weir_shape_count(&s.shape) == 0)
        return WEIR_OK;
    if (!weir_shape_eq(&s.shape, &value->shape))
        return weir_error(WEIR_UNIMPLEMENTED,
                          "sliced l-value shape %s does not match r-value shape %s. Automatic "
                          "broadcasting not yet implemented.",
                          WEIR_SHAPE_STR(&s.shape), WEIR_SHAPE_STR(&value->shape));
    weir_slicing_put(&call->run->par, x->dtype, &s, &x->shape, x->data, value->data);
    return WEIR_OK;
}

static weir_status assign_infer(weir_infer *i)
{
    WEIR_TRY(weir_slicing_check(i, BEGIN));
    if (i->site->out_count && !weir_state_at_run(i))
        i->out[0] = *i->in[0];
    return WEIR_OK;
}

static weir_status assign(weir_call *call)
{
    weir_var *v;
    weir_tensor *x;
    WEIR_TRY(weir_state_var(call, 0, &v));
    weir_status s = weir_state_begin(v, weir_in(call, VALUE)->dtype, &x);
    if (!s) {
        s = put(call, x);
        weir_var_end(v);
    }
    weir_var_release(v);
    if (!s)
        weir_state_forward_ref(call);
    return s;
}

const weir_op weir_op_strided_slice_assign = {
    .name = "StridedSliceAssign",
    .in = "ref: Ref(T); begin: Index; end: Index; strides: Index; value: T",
    .out = "output_ref: Ref(T)",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .infer = assign_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", assign, WEIR_OWN_OUTPUTS}},
};

const weir_op weir_op_resource_strided_slice_assign = {
    .name = "ResourceStridedSliceAssign",
    .in = "ref: resource; begin: Index; end: Index; strides: Index; value: T",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .flags = WEIR_STATEFUL,
    .infer = assign_infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", assign}},
};

/* ---- TensorStridedSliceUpdate -----------------------------------------------------------------
 */

static weir_status update_infer(weir_infer *i)
{
    WEIR_TRY(weir_slicing_check(i, BEGIN));
    i->out[0] = *i->in[0];
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

/* What was overwritten has no share in the result; the value has the slice of it. */
static weir_status update_grad(weir_grad *g)
{
    weir_edge dy = weir_grad_dy(g, 0), begin = weir_grad_x(g, BEGIN), end = weir_grad_x(g, END);
    weir_edge strides = weir_grad_x(g, STRIDES);
    weir_edge dvalue =
        weir_grad_op(g, "StridedSlice", WEIR_IN(dy, begin, end, strides), WEIR_SLICE_GRAD_ATTRS(g));
    weir_edge zeros = weir_grad_op(g, "ZerosLike", WEIR_IN(dvalue), WEIR_NO_ATTRS);
    weir_grad_set(g, 0,
                  weir_grad_op(g, "TensorStridedSliceUpdate",
                               WEIR_IN(dy, begin, end, strides, zeros), WEIR_SLICE_GRAD_ATTRS(g)));
    weir_grad_set(g, VALUE, dvalue);
    return WEIR_OK;
}

const weir_op weir_op_tensor_strided_slice_update = {
    .name = "TensorStridedSliceUpdate",
    .in = "input: T; begin: Index; end: Index; strides: Index; value: T",
    .out = "output: T",
    .attrs = "T: type; Index: {int32, int64}" WEIR_SLICE_MASK_ATTRS,
    .infer = update_infer,
    .grad = update_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", update}},
};
