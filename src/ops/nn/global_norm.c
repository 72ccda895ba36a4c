/* ops/nn/global_norm.c - BatchNormWithGlobalNormalization, BatchNormWithGlobalNormalizationGrad:
 * the predecessors of FusedBatchNorm. */
#include <math.h>

#include "ops/common/number_at.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"

enum { T, EPSILON, SCALE };

/* Inputs from |from| on are vectors of the length of input 0's last dimension. */
static weir_status check_channels(weir_infer *infer, int from, int to, int64_t *out_channels)
{
    WEIR_TRY(weir_infer_rank(infer, 0, 4));
    *out_channels = infer->in[0]->rank < 0 ? -1 : infer->in[0]->dims[3];
    for (int i = from; i < to; i++) {
        WEIR_TRY(weir_infer_rank(infer, i, 1));
        WEIR_TRY(weir_infer_merge_dim(*out_channels, weir_infer_dim(infer, i, 0), out_channels));
    }
    return WEIR_OK;
}

static weir_status norm_infer(weir_infer *infer)
{
    int64_t channels;
    WEIR_TRY(check_channels(infer, 1, 5, &channels));
    infer->out[0] = *infer->in[0];
    if (infer->out[0].rank == 4)
        infer->out[0].dims[3] = channels;
    return WEIR_OK;
}

static weir_status grad_infer(weir_infer *infer)
{
    int64_t channels;
    WEIR_TRY(check_channels(infer, 1, 4, &channels));
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[4], &infer->out[0]));
    for (int i = 1; i < 5; i++)
        infer->out[i] = weir_shape_vector(channels);
    return WEIR_OK;
}

static void put(weir_tensor *tensor, int64_t i, double value)
{
    weir_matrix_store(tensor, i, 1, &(weir_c128){value});
}

static weir_status norm(weir_call *call)
{
    const weir_tensor *t = weir_in(call, 0);
    int64_t channels = t->shape.dims[3], count = weir_tensor_count(t);
    double epsilon = weir_site_float(call->site, EPSILON);
    for (int64_t i = 0; i < count; i++) {
        int64_t c = i % channels;
        double factor = 1 / sqrt(weir_number_at(weir_in(call, 2), c) + epsilon);
        if (weir_site_bool(call->site, SCALE))
            factor *= weir_number_at(weir_in(call, 4), c);
        put(weir_out(call, 0), i,
            (weir_number_at(t, i) - weir_number_at(weir_in(call, 1), c)) * factor +
                weir_number_at(weir_in(call, 3), c));
    }
    return WEIR_OK;
}

/* The gradients of one channel. */
static void norm_grad_channel(weir_call *call, int64_t c)
{
    const weir_tensor *t = weir_in(call, 0), *dy = weir_in(call, 4);
    int64_t channels = t->shape.dims[3], count = weir_tensor_count(t);
    bool scaled = weir_site_bool(call->site, SCALE);
    double mean = weir_number_at(weir_in(call, 1), c), sum = 0, product = 0;
    double factor =
        1 / sqrt(weir_number_at(weir_in(call, 2), c) + weir_site_float(call->site, EPSILON));
    double gamma = scaled ? weir_number_at(weir_in(call, 3), c) : 1;
    for (int64_t i = c; i < count; i += channels) {
        double slope = weir_number_at(dy, i);
        sum += slope;
        product += slope * (weir_number_at(t, i) - mean);
        put(weir_out(call, 0), i, slope * factor * gamma);
    }
    put(weir_out(call, 1), c, -sum * factor * gamma);
    put(weir_out(call, 2), c, product * -0.5 * factor * factor * factor * gamma);
    put(weir_out(call, 3), c, sum);
    put(weir_out(call, 4), c, scaled ? product * factor : 0);
}

static weir_status norm_grad(weir_call *call)
{
    for (int64_t c = 0; c < weir_in(call, 0)->shape.dims[3]; c++)
        norm_grad_channel(call, c);
    return WEIR_OK;
}

#define GLOBAL_NORM                                                                                \
    .attrs = "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "     \
             "qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64}; "      \
             "variance_epsilon: float; scale_after_normalization: bool",                           \
    .deprecated_at = 9, .deprecation = "Use tf.nn.batch_normalization()"
#define REALS "T: float, double, half, bfloat16"
WEIR_DEFINE_OP(batch_norm_with_global_normalization, "BatchNormWithGlobalNormalization",
               GLOBAL_NORM, .in = "t: T; m: T; v: T; beta: T; gamma: T", .out = "result: T",
               .infer = norm_infer, .kernels = {{WEIR_CPU, REALS, norm}});
WEIR_DEFINE_OP(batch_norm_with_global_normalization_grad, "BatchNormWithGlobalNormalizationGrad",
               GLOBAL_NORM, .in = "t: T; m: T; v: T; gamma: T; backprop: T",
               .out = "dx: T; dm: T; dv: T; db: T; dg: T", .infer = grad_infer,
               .kernels = {{WEIR_CPU, REALS, norm_grad}});
