/* ops/array/scatter_nd.c - ScatterNd, TensorScatter*, ScatterNdNonAliasingAdd: new tensors with
 * slices set or combined. */
#include "ops/common/scatter_nd.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"
#include "ops/declare.h"

enum { T, TINDICES, POLICY };

#define NUMBERS                                                                                    \
    "float, double, int32, uint8, int16, int8, complex64, int64, bfloat16, uint16, complex128, "   \
    "half, uint32, uint64"
#define REALS                                                                                      \
    "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64"

static weir_status check_known(const weir_shape *params, const weir_shape *indices,
                               const weir_shape *updates)
{
    if (!weir_shape_known(params) || !weir_shape_known(indices) || !weir_shape_known(updates))
        return WEIR_OK;
    return weir_scatter_nd_check(params, indices, updates);
}

static weir_status scatter(weir_call *call, const weir_tensor *indices, const weir_tensor *updates,
                           int op)
{
    bool skip_bad;
    WEIR_TRY(weir_bad_indices_policy(weir_site_str(call->site, POLICY), &skip_bad));
    return weir_scatter_nd(weir_out(call, 0), indices, updates, op, skip_bad);
}

/* ---- ScatterNd ------------------------------------------------------------------------------- */

static weir_status scatter_nd_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 0, 1));
    if (infer->in[2]->rank >= 0 && infer->in[2]->rank != 1)
        return weir_error(WEIR_INVALID_ARGUMENT, "Shape must be a vector");
    WEIR_TRY(weir_infer_new_shape(infer, 2, &infer->out[0]));
    return check_known(&infer->out[0], infer->in[0], infer->in[1]);
}

static weir_status scatter_nd(weir_call *call)
{
    weir_tensor_zero(&call->run->par, weir_out(call, 0));
    return scatter(call, weir_in(call, 0), weir_in(call, 1), WEIR_UPDATE_ADD);
}

static weir_status scatter_nd_grad(weir_grad *grad)
{
    weir_grad_set(grad, 1,
                  weir_grad_op(grad, "GatherNd",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, 0)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_scatter_nd = {
    .name = "ScatterNd",
    .in = "indices: Tindices; updates: T; shape: Tindices",
    .out = "output: T",
    .attrs = "T: type; Tindices: {int16, int32, int64}; bad_indices_policy: string = \"\"",
    .host = "shape",
    .infer = scatter_nd_infer,
    .grad = scatter_nd_grad,
    .kernels = {{WEIR_CPU, "T: " NUMBERS ", bool, string", scatter_nd}},
};

/* ---- TensorScatter* -------------------------------------------------------------------------- */

static weir_status tensor_scatter_infer(weir_infer *infer)
{
    WEIR_TRY(weir_infer_rank_at_least(infer, 1, 1));
    infer->out[0] = *infer->in[0];
    return check_known(infer->in[0], infer->in[1], infer->in[2]);
}

/* In place if the tensor has no other reference, otherwise on a copy. */
static weir_status tensor_scatter(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    if (x->data != y->data)
        weir_elements_copy(x->dtype, y->data, x->data, weir_tensor_count(x));
    return scatter(call, weir_in(call, 1), weir_in(call, 2), weir_site_mode(call->site));
}

static weir_edge taken(weir_grad *grad, weir_edge from)
{
    return weir_grad_op(grad, "GatherNd", WEIR_IN(from, weir_grad_x(grad, 1)), WEIR_NO_ATTRS);
}

static weir_status update_grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_edge zeros = weir_grad_op(grad, "ZerosLike", WEIR_IN(weir_grad_x(grad, 2)), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "TensorScatterUpdate",
                               WEIR_IN(dy, weir_grad_x(grad, 1), zeros), WEIR_NO_ATTRS));
    weir_grad_set(grad, 2, taken(grad, dy));
    return WEIR_OK;
}

static weir_status add_grad(weir_grad *grad)
{
    weir_grad_pass(grad, 0, 0);
    weir_grad_set(grad, 2, taken(grad, weir_grad_dy(grad, 0)));
    return WEIR_OK;
}

static weir_status sub_grad(weir_grad *grad)
{
    weir_grad_pass(grad, 0, 0);
    weir_grad_set(grad, 2, weir_grad_neg(grad, taken(grad, weir_grad_dy(grad, 0))));
    return WEIR_OK;
}

/* 1 where a equals b, in the type of a. */
static weir_edge equal_mask(weir_grad *grad, weir_edge a, weir_edge b)
{
    weir_edge same = weir_grad_op(grad, "Equal", WEIR_IN(a, b), WEIR_NO_ATTRS);
    return weir_grad_op(grad, "Cast", WEIR_IN(same),
                        WEIR_ATTRS(weir_a_type("DstT", weir_edge_dtype(a))));
}

/* dy is divided evenly among the tensor's element and its updates that equal the extreme
 * value. */
static weir_status extreme_grad(weir_grad *grad)
{
    weir_edge x = weir_grad_x(grad, 0), indices = weir_grad_x(grad, 1),
              updates = weir_grad_x(grad, 2);
    weir_edge y = weir_grad_y(grad, 0), dy = weir_grad_dy(grad, 0);
    weir_edge x_won = equal_mask(grad, x, y);
    weir_edge update_won = equal_mask(grad, updates, taken(grad, y));
    weir_edge winners =
        weir_grad_op(grad, "TensorScatterAdd", WEIR_IN(x_won, indices, update_won), WEIR_NO_ATTRS);
    weir_edge share = weir_grad_op(grad, "DivNoNan", WEIR_IN(dy, winners), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0, weir_grad_mul(grad, x_won, share));
    weir_grad_set(grad, 2, weir_grad_mul(grad, update_won, taken(grad, share)));
    return WEIR_OK;
}

#define TENSOR_SCATTER                                                                             \
    .out = "output: T", .infer = tensor_scatter_infer, .inplace = WEIR_INPLACE(0, 0)
#define OF_ANY_TYPE TENSOR_SCATTER, .in = "tensor: T; indices: Tindices; updates: T"
#define ATTRS(indices) "T: type; Tindices: {" indices "}; bad_indices_policy: string = \"\""
WEIR_DEFINE_OP(tensor_scatter_update, "TensorScatterUpdate", OF_ANY_TYPE,
               .attrs = ATTRS("int16, int32, int64, uint16"), .grad = update_grad,
               .mode = WEIR_SCATTER_SET,
               .kernels = {{WEIR_CPU, "T: " NUMBERS ", bool, string", tensor_scatter}});
WEIR_DEFINE_OP(tensor_scatter_add, "TensorScatterAdd", OF_ANY_TYPE, .attrs = ATTRS("int32, int64"),
               .grad = add_grad, .mode = WEIR_UPDATE_ADD,
               .kernels = {{WEIR_CPU, "T: " NUMBERS ", bool, string", tensor_scatter}});
WEIR_DEFINE_OP(tensor_scatter_sub, "TensorScatterSub", OF_ANY_TYPE, .attrs = ATTRS("int32, int64"),
               .grad = sub_grad, .mode = WEIR_UPDATE_SUB,
               .kernels = {{WEIR_CPU, "T: " NUMBERS, tensor_scatter}});
WEIR_DEFINE_OP(tensor_scatter_max, "TensorScatterMax", OF_ANY_TYPE, .attrs = ATTRS("int32, int64"),
               .grad = extreme_grad, .mode = WEIR_UPDATE_MAX,
               .kernels = {{WEIR_CPU, "T: " REALS, tensor_scatter}});
WEIR_DEFINE_OP(tensor_scatter_min, "TensorScatterMin", OF_ANY_TYPE, .attrs = ATTRS("int32, int64"),
               .grad = extreme_grad, .mode = WEIR_UPDATE_MIN,
               .kernels = {{WEIR_CPU, "T: " REALS, tensor_scatter}});
WEIR_DEFINE_OP(
    scatter_nd_non_aliasing_add, "ScatterNdNonAliasingAdd", TENSOR_SCATTER,
    .in = "input: T; indices: Tindices; updates: T",
    .attrs =
        "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, "
        "bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool}; "
        "Tindices: {int32, int64}; bad_indices_policy: string = \"\"",
    .grad = add_grad, .mode = WEIR_UPDATE_ADD,
    .kernels = {{WEIR_CPU, "T: " NUMBERS ", bool", tensor_scatter}});
