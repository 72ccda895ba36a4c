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

static TF_Output part(const normalizing *c, const char *what, double start, bool not_trained)
{
    weir_initial initial = {WEIR_CONSTANT, .a = start};
    return weir_nn_part(c->n, c->o->name, what, 1, &c->channels, &initial, not_trained);
}

/* Ones in place of a gamma that there is not. */
static TF_Output ones(const normalizing *c)
{
    weir_builder *b = weir_nn_builder(c->n);
    TF_Output dims = weir_nn_ints(c->n, "ones/shape", (int32_t[]){(int32_t)c->channels}, 1);
    return weir_fill(b, "ones", dims, weir_build_float(b, "ones/Const", 1));
}

/* Training takes the batch's own mean and variance, and is given none. */
static weir_fused_batch_norm_v3_outputs normalize(const normalizing *c, TF_Output x,
                                                  TF_Output gamma, TF_Output beta)
{
    weir_builder *b = weir_nn_builder(c->n);
    bool look = c->n->evaluate;
    weir_fused_batch_norm_v3_options o = {
        .epsilon = (float)(c->o->epsilon > 0 ? c->o->epsilon : 1e-3), .not_is_training = look};
    TF_Output none = {0};
    if (!look)
        none = weir_build_const(b, "none", TF_FLOAT, 1, &(int64_t){0}, NULL);
    return weir_fused_batch_norm_v3(b, "FusedBatchNormV3", x, gamma, beta,
                                    look ? c->moving[0] : none, look ? c->moving[1] : none, &o);
}

/* Moves an average towards the batch's, where it lies. */
static void move(const normalizing *c, TF_Output moving, TF_Output batch)
{
    weir_builder *b = weir_nn_builder(c->n);
    double decay = c->o->decay > 0 ? c->o->decay : 0.999;
    TF_Output ref = TF_OperationInput((TF_Input){moving.oper, 0});
    weir_build_push_device(b, TF_OperationDevice(moving.oper));
    TF_Output share = weir_build_float(b, "share", (float)(1 - decay));
    TF_Output by = weir_mul(b, "by", weir_sub(b, "away", moving, batch), share);
    TF_Output moved = weir_assign_sub(b, "AssignMovingAvg", ref, by, NULL);
    weir_build_pop_device(b);
    weir_trainer_also_run(c->n->trainer, moved.oper);
}

TF_Output weir_nn_batch_norm(const weir_net *n, TF_Output x, const weir_nn_batch_norm_options *o)
{
    int64_t dims[4];
    if (!weir_nn_dims(n, x, 4, dims))
        return (TF_Output){0};
    normalizing c = {.n = n, .o = o, .channels = dims[3]};
    if (dims[3] < 1 || dims[3] > INT32_MAX)
        weir_nn_fail(n, "Batch norm needs to know the channels");
    TF_Output beta = part(&c, "beta", 0, false), gamma = {0};
    if (!o->no_scale)
        gamma = part(&c, "gamma", 1, false);
    c.moving[0] = part(&c, "moving_mean", 0, true);
    c.moving[1] = part(&c, "moving_variance", 1, true);
    if (weir_nn_failed(n))
        return (TF_Output){0};
    weir_build_push_scope(weir_nn_builder(n), o->name);
    weir_fused_batch_norm_v3_outputs out = normalize(&c, x, o->no_scale ? ones(&c) : gamma, beta);
    if (!n->evaluate && out.y.oper) {
        move(&c, c.moving[0], out.batch_mean);
        move(&c, c.moving[1], out.batch_variance);
    }
    TF_Output y = weir_nn_activate(n, out.y, o->activation);
    weir_build_pop_scope(weir_nn_builder(n));
    return y;
}
