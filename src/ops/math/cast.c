/* ops/math/cast.c - Cast: from one element type to another. */
#include "math/cast/cast.h"

#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/math/gradient.h"

enum { FROM, TO, TRUNCATE }; /* attrs */

static weir_status cast(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_dtype to = weir_site_type(call->site, TO);
    if (x->dtype == to) {
        weir_call_forward(call, 0, 0, NULL);
        return WEIR_OK;
    }
    weir_elem from_elem = weir_stored_elem_of(x->dtype), to_elem = weir_stored_elem_of(to);
    if (from_elem == WEIR_ELEM_NONE || to_elem == WEIR_ELEM_NONE)
        return weir_error(WEIR_UNIMPLEMENTED, "Cast %s to %s is not supported",
                          weir_dtype_name(x->dtype), weir_dtype_name(to));
    WEIR_TRY(weir_call_alloc(call, 0, &x->shape));
    (weir_site_bool(call->site, TRUNCATE) ? weir_cast_truncate : weir_cast_run)(
        &call->run->par, from_elem, to_elem, weir_tensor_count(x), x->data,
        weir_out(call, 0)->data);
    return WEIR_OK;
}

static bool differentiable(int dtype)
{
    return weir_dtype_is_float(weir_dtype_base(dtype)) ||
           weir_dtype_is_complex(weir_dtype_base(dtype));
}

static weir_status cast_grad(weir_grad *g)
{
    const weir_site *site = weir_grad_site(g);
    if (differentiable(site->in_types[0]) && differentiable(site->out_types[0]))
        weir_grad_set(g, 0, weir_grad_cast(g, DY, weir_dtype_base(site->in_types[0])));
    return WEIR_OK;
}

const weir_op weir_op_cast = {
    .name = "Cast",
    .in = "x: SrcT",
    .out = "y: DstT",
    .attrs = "SrcT: type; DstT: type; Truncate: bool = false",
    .infer = weir_infer_same_shape,
    .grad = cast_grad,
    .kernels = {{WEIR_CPU, "*", cast, WEIR_OWN_OUTPUTS}},
};
