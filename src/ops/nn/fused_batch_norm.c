/* ops/nn/fused_batch_norm.c - FusedBatchNorm in its three versions, and its gradients.
 *
 * The reserved outputs are the mean and the (biased) variance that normalised the batch; the
 * third is unused on a CPU.
 */
#include <inttypes.h>
#include <math.h>

#include "grad/grad.h"
#include "math/norm/norm.h"
#include "ops/common/elem_of.h"
#include "ops/declare.h"
#include "ops/nn/fused_batch_norm_grad.h"
#include "ops/nn/window.h"

enum { V1, V2, V3 }; /* modes */

static const weir_attr *find(const weir_site *site, const char *name)
{
    return &site->attrs[weir_opdef_attr(site->def, name)];
}

static weir_format format_of(const weir_site *site)
{
    return weir_format_of(find(site, "data_format")->s);
}

static bool is_training(const weir_site *site)
{
    return find(site, "is_training")->b;
}

/* Input |in| of |infer| is a vector as long as the channels, or, when |may_be_empty|, of length 0.
 */
static weir_status check_vector(weir_infer *infer, int in, bool may_be_empty, int64_t *channels)
{
    WEIR_TRY(weir_infer_rank(infer, in, 1));
    int64_t n = weir_infer_dim(infer, in, 0);
    if (n < 0 || (may_be_empty && n == 0))
        return WEIR_OK;
    if (*channels >= 0 && n != *channels)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "%s must have the same number of elements as the channels of x, got "
                          "%" PRId64 " and %" PRId64,
                          infer->site->def->in[in].name, n, *channels);
    *channels = n;
    return WEIR_OK;
}

static weir_status image_channels(weir_infer *infer, int in, int64_t *out_channels)
{
    weir_format format = format_of(infer->site);
    int rank = weir_format_rank(format);
    *out_channels = -1;
    WEIR_TRY(weir_infer_rank(infer, in, rank));
    *out_channels = weir_infer_dim(infer, in, weir_format_channel(format));
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    int64_t channels;
    WEIR_TRY(image_channels(infer, 0, &channels));
    bool training = is_training(infer->site);
    for (int in = 1; in < 5; in++)
        WEIR_TRY(check_vector(infer, in, training && in > 2, &channels));
    infer->out[0] = *infer->in[0];
    for (int o = 1; o < 5; o++)
        infer->out[o] = weir_shape_vector(channels);
    if (infer->out_count > 5 && !infer->in_handles && !infer->out_handles)
        infer->out[5] = WEIR_SCALAR;
    return WEIR_OK;
}

static weir_batch_norm work_of(const weir_call *call, const weir_tensor *x)
{
    weir_format format = format_of(call->site);
    int64_t channels = x->shape.dims[weir_format_channel(format)];
    return (weir_batch_norm){
        .elem = weir_elem_of(x->dtype),
        .rows = channels ? weir_tensor_count(x) / channels : 0,
        .channels = channels,
        .epsilon = find(call->site, "epsilon")->f,
    };
}

static void fill(weir_tensor *tensor, float value)
{
    for (int64_t i = 0; i < weir_tensor_count(tensor); i++)
        ((float *)tensor->data)[i] = value;
}

/* The updated running mean and variance: the batch's (unbiased), or a weighted average with
 * it. */
static weir_status running(weir_call *call, const weir_batch_norm *norm)
{
    float factor = find(call->site, "exponential_avg_factor")->f;
    const float *mean = weir_out(call, 3)->data, *variance = weir_out(call, 4)->data;
    const weir_tensor *old_mean = weir_in(call, 3), *old_variance = weir_in(call, 4);
    float *new_mean = weir_out(call, 1)->data, *new_variance = weir_out(call, 2)->data;
    float unbiased = norm->rows > 1 ? (float)norm->rows / (float)(norm->rows - 1) : 1;
    if (factor != 1 && (weir_tensor_count(old_mean) != norm->channels ||
                        weir_tensor_count(old_variance) != norm->channels))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "When exponential_avg_factor != 1, mean must have the same number of "
                          "elements as the channels of x, got %" PRId64 " and %" PRId64,
                          weir_tensor_count(old_mean), norm->channels);
    for (int64_t channel = 0; channel < norm->channels; channel++) {
        new_mean[channel] = mean[channel];
        new_variance[channel] = variance[channel] * unbiased;
        if (factor != 1) {
            new_mean[channel] = (1 - factor) * ((const float *)old_mean->data)[channel] +
                                factor * new_mean[channel];
            new_variance[channel] = (1 - factor) * ((const float *)old_variance->data)[channel] +
                                    factor * new_variance[channel];
        }
    }
    return WEIR_OK;
}

static weir_status normalise(weir_call *call, const weir_batch_norm *norm, const weir_tensor *x,
                             weir_tensor *y)
{
    const weir_tensor *mean = weir_in(call, 3), *variance = weir_in(call, 4);
    if (is_training(call->site)) {
        weir_batch_moments(&call->run->par, norm, x->data, weir_out(call, 3)->data,
                           weir_out(call, 4)->data);
        WEIR_TRY(running(call, norm));
        mean = weir_out(call, 3);
        variance = weir_out(call, 4);
    } else {
        for (int o = 1; o < 5; o++)
            memcpy(weir_out(call, o)->data, (o & 1 ? mean : variance)->data,
                   sizeof(float) * (size_t)norm->channels);
    }
    weir_batch_norm_run(&call->run->par, norm, x->data, weir_in(call, 1)->data,
                        weir_in(call, 2)->data, mean->data, variance->data, y->data);
    return WEIR_OK;
}

static weir_status fused_batch_norm(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0), channels_last = {0};
    weir_batch_norm norm = work_of(call, x);
    if (call->site->out_count > 5)
        fill(weir_out(call, 5), 0);
    if (weir_tensor_count(x) == 0) {
        for (int o = 1; o < 5; o++)
            fill(weir_out(call, o), o < 3 ? NAN : 0);
        return WEIR_OK;
    }
    if (format_of(call->site).last)
        return normalise(call, &norm, x, y);
    WEIR_TRY(weir_to_channels_last(x, &channels_last));
    weir_status status = normalise(call, &norm, &channels_last, &channels_last);
    if (!status)
        weir_from_channels_last(&channels_last, y);
    weir_tensor_release(&channels_last);
    return status;
}

/* ---- gradient -------------------------------------------------------------------------------- */

static weir_status infer_grad(weir_infer *infer)
{
    int64_t channels;
    WEIR_TRY(image_channels(infer, 0, &channels));
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &infer->out[0]));
    for (int in = 2; in < 5; in++)
        WEIR_TRY(check_vector(infer, in, false, &channels));
    infer->out[1] = infer->out[2] = weir_shape_vector(channels);
    infer->out[3] = infer->out[4] = weir_shape_vector(0);
    return WEIR_OK;
}

static void differentiate(weir_call *call, const weir_batch_norm *norm, const weir_tensor *dy,
                          const weir_tensor *x, weir_tensor *dx)
{
    weir_batch_norm_grad(&call->run->par, norm, is_training(call->site), dy->data, x->data,
                         weir_in(call, 2)->data, weir_in(call, 3)->data, weir_in(call, 4)->data,
                         dx->data, weir_out(call, 1)->data, weir_out(call, 2)->data);
}

static weir_status fused_batch_norm_grad(weir_call *call)
{
    const weir_tensor *dy = weir_in(call, 0), *x = weir_in(call, 1);
    weir_tensor *dx = weir_out(call, 0), dy_last = {0}, x_last = {0};
    weir_batch_norm norm = work_of(call, x);
    for (int o = 1; o < 5; o++)
        fill(weir_out(call, o), 0);
    if (weir_tensor_count(x) == 0)
        return WEIR_OK;
    if (format_of(call->site).last) {
        differentiate(call, &norm, dy, x, dx);
        return WEIR_OK;
    }
    weir_status status = weir_to_channels_last(dy, &dy_last);
    if (!status)
        status = weir_to_channels_last(x, &x_last);
    if (!status) {
        differentiate(call, &norm, &dy_last, &x_last, &dy_last);
        weir_from_channels_last(&dy_last, dx);
    }
    weir_tensor_release(&dy_last);
    weir_tensor_release(&x_last);
    return status;
}

/* In training the op saved mean and variance; otherwise they are its inputs. */
static weir_status grad(weir_grad *grad)
{
    static const char *const ops[] = {"FusedBatchNormGrad", "FusedBatchNormGradV2",
                                      "FusedBatchNormGradV3"};
    int version = weir_site_mode(weir_grad_site(grad));
    bool third = version == V3;
    bool training = is_training(weir_grad_site(grad));
    weir_edge in[6] = {
        weir_grad_dy(grad, 0),
        weir_grad_x(grad, 0),
        weir_grad_x(grad, 1),
        training ? weir_grad_y(grad, 3) : weir_grad_x(grad, 3),
        training ? weir_grad_y(grad, 4) : weir_grad_x(grad, 4),
    };
    if (third)
        in[5] = weir_grad_y(grad, 5);
    weir_node *node = weir_grad_node_add(grad, ops[version], in, third ? 6 : 5,
                                         WEIR_ATTRS(weir_grad_attr(grad, "epsilon"),
                                                    weir_grad_attr(grad, "data_format"),
                                                    weir_grad_attr(grad, "is_training")));
    for (int i = 0; i < 3; i++)
        weir_grad_set(grad, i, (weir_edge){node, i});
    return WEIR_OK;
}

/* ---- the ops --------------------------------------------------------------------------------- */

#define EPSILON "epsilon: float = 9.999999747378752e-05; "
#define FACTOR "exponential_avg_factor: float = 1.0; "
#define FORMAT "data_format: {'NHWC', 'NCHW'} = \"NHWC\"; "
#define FORMAT_3D "data_format: {'NHWC', 'NCHW', 'NDHWC', 'NCDHW'} = \"NHWC\"; "
#define TRAINING "is_training: bool = true"
#define NORM_U "x: T; scale: U; offset: U; mean: U; variance: U"
#define NORMED_U "y: T; batch_mean: U; batch_variance: U; reserve_space_1: U; reserve_space_2: U"
#define FORWARD .infer = infer, .grad = grad, .inplace = WEIR_INPLACE(0, 0)
WEIR_DEFINE_OP(
    fused_batch_norm, "FusedBatchNorm", FORWARD, .mode = V1,
    .in = "x: T; scale: T; offset: T; mean: T; variance: T",
    .out = "y: T; batch_mean: T; batch_variance: T; reserve_space_1: T; reserve_space_2: T",
    .attrs = "T: {float}; " EPSILON FACTOR FORMAT TRAINING,
    .kernels = {{WEIR_CPU, "*", fused_batch_norm}});
WEIR_DEFINE_OP(fused_batch_norm_v2, "FusedBatchNormV2", FORWARD, .mode = V2, .in = NORM_U,
               .out = NORMED_U,
               .attrs = "T: {half, bfloat16, float}; U: {float}; " EPSILON FACTOR FORMAT TRAINING,
               .kernels = {{WEIR_CPU, "*", fused_batch_norm}});
WEIR_DEFINE_OP(
    fused_batch_norm_v3, "FusedBatchNormV3", FORWARD, .mode = V3, .in = NORM_U,
    .out = NORMED_U "; reserve_space_3: U",
    .attrs = "T: {half, bfloat16, float}; U: {bfloat16, float}; " EPSILON FACTOR FORMAT_3D TRAINING,
    .kernels = {{WEIR_CPU, "U: float", fused_batch_norm}});

#define BACKWARD                                                                                   \
    .infer = infer_grad, .grad = weir_fused_batch_norm_grad_grad,                                  \
    .inplace = WEIR_INPLACE(0, 0) | WEIR_INPLACE(1, 0),                                            \
    .kernels = {{WEIR_CPU, "*", fused_batch_norm_grad}}
WEIR_DEFINE_OP(fused_batch_norm_grad, "FusedBatchNormGrad", BACKWARD,
               .in = "y_backprop: T; x: T; scale: T; reserve_space_1: T; reserve_space_2: T",
               .out = "x_backprop: T; scale_backprop: T; offset_backprop: T; reserve_space_3: T; "
                      "reserve_space_4: T",
               .attrs = "T: {float}; " EPSILON FORMAT TRAINING);
WEIR_DEFINE_OP(fused_batch_norm_grad_v2, "FusedBatchNormGradV2", BACKWARD,
               .in = "y_backprop: T; x: T; scale: float; reserve_space_1: U; reserve_space_2: U",
               .out = "x_backprop: T; scale_backprop: U; offset_backprop: U; reserve_space_3: U; "
                      "reserve_space_4: U",
               .attrs = "T: {half, bfloat16, float}; U: {float}; " EPSILON FORMAT TRAINING);
WEIR_DEFINE_OP(fused_batch_norm_grad_v3, "FusedBatchNormGradV3", BACKWARD,
               .in = "y_backprop: T; x: T; scale: float; reserve_space_1: U; reserve_space_2: U; "
                     "reserve_space_3: U",
               .out = "x_backprop: T; scale_backprop: U; offset_backprop: U; reserve_space_4: U; "
                      "reserve_space_5: U",
               .attrs = "T: {half, bfloat16, float}; U: {float}; " EPSILON FORMAT_3D TRAINING);
