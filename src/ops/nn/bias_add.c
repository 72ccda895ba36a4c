/* ops/nn/bias_add.c - BiasAdd: adds a vector along the channels, and BiasAddGrad, which sums over
 * all other dimensions. */
#include <inttypes.h>

#include "grad/grad.h"
#include "math/binary/binary.h"
#include "math/reduce/reduce.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/math/types.h"

#define ATTRS "T: {" NUMBERS "}; data_format: {'NHWC', 'NCHW'} = \"NHWC\""

static bool channels_first(const weir_site *site)
{
    int at = weir_opdef_attr(site->def, "data_format");
    return at >= 0 && weir_str_is(weir_site_str(site, at), "NCHW");
}

static weir_status infer(weir_infer *infer)
{
    bool first = channels_first(infer->site);
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input tensor must be at least 2D: %s",
                          WEIR_SHAPE_STR(infer->in[0]));
    WEIR_TRY(weir_infer_rank(infer, 1, 1));
    int64_t channels = weir_infer_dim(infer, 0, first ? 1 : -1),
            biases = weir_infer_dim(infer, 1, 0);
    if (channels >= 0 && biases >= 0 && channels != biases)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must provide as many biases as the %s dimension of the input tensor: "
                          "%s vs. %s. Dimensions must be equal, but are %" PRId64 " and %" PRId64,
                          first ? "channel" : "last", WEIR_SHAPE_STR(infer->in[1]),
                          WEIR_SHAPE_STR(infer->in[0]), channels, biases);
    infer->out[0] = *infer->in[0];
    if (infer->out[0].rank >= 0)
        infer->out[0].dims[first ? 1 : infer->out[0].rank - 1] = channels >= 0 ? channels : biases;
    return WEIR_OK;
}

/* The tensor as outer x channels x inner. */
static void split_dims(const weir_site *site, const weir_shape *shape, int64_t dims[3])
{
    int channel = channels_first(site) ? 1 : shape->rank - 1;
    dims[0] = weir_shape_product(shape, 0, channel);
    dims[1] = shape->dims[channel];
    dims[2] = weir_shape_product(shape, channel + 1, shape->rank);
}

static weir_status bias_add(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0), *b = weir_in(call, 1);
    if (weir_tensor_count(x) == 0)
        return WEIR_OK;
    int64_t dims[3];
    split_dims(call->site, &x->shape, dims);
    weir_bcast walk;
    weir_bcast_init(&walk, 2, (int[]){3, 2},
                    (const int64_t *[]){dims, (const int64_t[]){dims[1], 1}});
    weir_binary_bcast(&call->run->par, WEIR_B_add, weir_stored_elem_of(x->dtype), &walk, x->data,
                      b->data, weir_out(call, 0)->data);
    return WEIR_OK;
}

static weir_status grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_grad_set(grad, 0, dy);
    const char *format = channels_first(weir_grad_site(grad)) ? "NCHW" : "NHWC";
    weir_grad_set(grad, 1,
                  weir_grad_op(grad, "BiasAddGrad", WEIR_IN(dy),
                               WEIR_ATTRS(weir_a_str("data_format", format))));
    return WEIR_OK;
}

/* ---- BiasAddGrad ----------------------------------------------------------------------------- */

static weir_status infer_grad(weir_infer *infer)
{
    if (infer->in[0]->rank >= 0 && infer->in[0]->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "Input tensor must be at least 2D: %s",
                          WEIR_SHAPE_STR(infer->in[0]));
    infer->out[0] =
        weir_shape_vector(weir_infer_dim(infer, 0, channels_first(infer->site) ? 1 : -1));
    return WEIR_OK;
}

static weir_status bias_add_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0);
    int64_t dims[3];
    split_dims(call->site, &dy->shape, dims);
    return weir_reduce_run(&call->run->par, WEIR_R_sum, weir_stored_elem_of(dy->dtype), 3, dims,
                           (const bool[]){true, false, true}, dy->data, weir_out(call, 0)->data);
}

/* The gradient is broadcast from each channel to its elements. */
static weir_status grad_of_grad(weir_grad *grad)
{
    weir_edge d = weir_grad_dy(grad, 0), x = weir_grad_x(grad, 0);
    if (channels_first(weir_grad_site(grad)) && x.node) {
        int rank = weir_edge_shape(x)->rank;
        if (rank < 0)
            return weir_error(WEIR_UNIMPLEMENTED, "the gradient of BiasAddGrad with channels first "
                                                  "needs the rank of its input");
        int32_t column[WEIR_MAX_RANK] = {-1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        weir_edge shape = weir_grad_const_int32(grad, column, rank - 1);
        d = weir_grad_op(grad, "Reshape", WEIR_IN(d, shape), WEIR_NO_ATTRS);
    }
    weir_edge shape = weir_grad_shape_of(grad, x);
    weir_grad_set(grad, 0, weir_grad_op(grad, "BroadcastTo", WEIR_IN(d, shape), WEIR_NO_ATTRS));
    return WEIR_OK;
}

const weir_op weir_op_bias_add = {
    .name = "BiasAdd",
    .in = "value: T; bias: T",
    .out = "output: T",
    .attrs = ATTRS,
    .infer = infer,
    .grad = grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", bias_add}},
};

const weir_op weir_op_bias_add_v1 = {
    .name = "BiasAddV1",
    .in = "value: T; bias: T",
    .out = "output: T",
    .attrs = "T: {" NUMBERS "}",
    .infer = infer,
    .grad = grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", bias_add}},
};

const weir_op weir_op_bias_add_grad = {
    .name = "BiasAddGrad",
    .in = "out_backprop: T",
    .out = "output: T",
    .attrs = ATTRS,
    .infer = infer_grad,
    .grad = grad_of_grad,
    .kernels = {{WEIR_CPU, "*", bias_add_grad}},
};
