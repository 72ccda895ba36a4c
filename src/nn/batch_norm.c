/* nn/batch_norm.c - batch normalisation and its moving averages. */
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"
#include "weir/ops/state.h"

typedef struct normalizing {
    const weir_net *n;
    const weir_nn_batch_norm_options *o;
    int64_t channels;
    TF_Output moving[2]; /* mean, variance */
} normalizing;

static TF_Output part(const normalizing *normalizing, const char *what, double start,
                      bool not_trained)
{
    weir_initial initial = {WEIR_CONSTANT, .a = start};
    return weir_nn_part(normalizing->n, normalizing->o->name, what, 1, &normalizing->channels,
                        &initial, not_trained);
}

/* Ones instead of a missing gamma. */
static TF_Output ones(const normalizing *normalizing)
{
    weir_builder *builder = weir_nn_builder(normalizing->n);
    TF_Output dims =
        weir_nn_ints(normalizing->n, "ones/shape", (int32_t[]){(int32_t)normalizing->channels}, 1);
    return weir_fill(builder, "ones", dims, weir_build_float(builder, "ones/Const", 1));
}

/* Training uses the batch's own mean and variance, and has none as input. */
static weir_fused_batch_norm_v3_outputs normalize(const normalizing *normalizing, TF_Output x,
                                                  TF_Output gamma, TF_Output beta)
{
    weir_builder *builder = weir_nn_builder(normalizing->n);
    bool look = normalizing->n->evaluate;
    weir_fused_batch_norm_v3_options options = {
        .epsilon = (float)(normalizing->o->epsilon > 0 ? normalizing->o->epsilon : 1e-3),
        .not_is_training = look};
    TF_Output none = {0};
    if (!look)
        none = weir_build_const(builder, "none", TF_FLOAT, 1, &(int64_t){0}, NULL);
    return weir_fused_batch_norm_v3(builder, "FusedBatchNormV3", x, gamma, beta,
                                    look ? normalizing->moving[0] : none,
                                    look ? normalizing->moving[1] : none, &options);
}

/* Updates a moving average towards the batch's, on its device. */
static void move(const normalizing *normalizing, TF_Output moving, TF_Output batch)
{
    weir_builder *builder = weir_nn_builder(normalizing->n);
    double decay = normalizing->o->decay > 0 ? normalizing->o->decay : 0.999;
    TF_Output ref = TF_OperationInput((TF_Input){moving.oper, 0});
    weir_build_push_device(builder, TF_OperationDevice(moving.oper));
    TF_Output share = weir_build_float(builder, "share", (float)(1 - decay));
    TF_Output by = weir_mul(builder, "by", weir_sub(builder, "away", moving, batch), share);
    TF_Output moved = weir_assign_sub(builder, "AssignMovingAvg", ref, by, NULL);
    weir_build_pop_device(builder);
    weir_trainer_also_run(normalizing->n->trainer, moved.oper);
}

TF_Output weir_nn_batch_norm(const weir_net *net, TF_Output x,
                             const weir_nn_batch_norm_options *options)
{
    int64_t dims[4];
    if (!weir_nn_dims(net, x, 4, dims))
        return (TF_Output){0};
    normalizing normalizing = {.n = net, .o = options, .channels = dims[3]};
    if (dims[3] < 1 || dims[3] > INT32_MAX)
        weir_nn_fail(net, "Batch norm needs to know the channels");
    TF_Output beta = part(&normalizing, "beta", 0, false), gamma = {0};
    if (!options->no_scale)
        gamma = part(&normalizing, "gamma", 1, false);
    normalizing.moving[0] = part(&normalizing, "moving_mean", 0, true);
    normalizing.moving[1] = part(&normalizing, "moving_variance", 1, true);
    if (weir_nn_failed(net))
        return (TF_Output){0};
    weir_build_push_scope(weir_nn_builder(net), options->name);
    weir_fused_batch_norm_v3_outputs out =
        normalize(&normalizing, x, options->no_scale ? ones(&normalizing) : gamma, beta);
    if (!net->evaluate && out.y.oper) {
        move(&normalizing, normalizing.moving[0], out.batch_mean);
        move(&normalizing, normalizing.moving[1], out.batch_variance);
    }
    TF_Output y = weir_nn_activate(net, out.y, options->activation);
    weir_build_pop_scope(weir_nn_builder(net));
    return y;
}
