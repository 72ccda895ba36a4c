/* nn/loss.c - losses and accuracy. */
#include "nn/nn_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

static TF_Output mean(const weir_net *net, TF_Output x)
{
    TF_Output axes = weir_nn_ints(net, "Const", (int32_t[]){0}, 1);
    return weir_mean(weir_nn_builder(net), "Mean", x, axes, NULL);
}

TF_Output weir_nn_softmax_loss(const weir_net *net, TF_Output logits, TF_Output labels)
{
    return mean(net,
                weir_sparse_softmax_cross_entropy_with_logits(
                    weir_nn_builder(net), "SparseSoftmaxCrossEntropyWithLogits", logits, labels)
                    .loss);
}

TF_Output weir_nn_accuracy(const weir_net *net, TF_Output logits, TF_Output labels)
{
    if (weir_nn_failed(net) || !logits.oper || !labels.oper) {
        weir_nn_fail(net, "Accuracy needs logits and labels");
        return (TF_Output){0};
    }
    weir_builder *builder = weir_nn_builder(net);
    weir_arg_max_options type = {.output_type = TF_OperationOutputType(labels)};
    weir_build_push_scope(builder, "accuracy");
    TF_Output axis = weir_build_int32(builder, "ArgMax/dimension", 1);
    TF_Output class = weir_arg_max(builder, "ArgMax", logits, axis, &type);
    TF_Output right = weir_equal(builder, "Equal", class, labels, NULL);
    TF_Output share = mean(net, weir_cast(builder, "Cast", right, TF_FLOAT, NULL));
    weir_build_pop_scope(builder);
    return share;
}
