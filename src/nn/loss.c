/* nn/loss.c - what is minimised, and how good it is. */
#include "nn/nn_impl.h"
#include "weir/ops/math.h"
#include "weir/ops/nn.h"

static TF_Output mean(const weir_net *n, TF_Output x)
{
    TF_Output axes = weir_nn_ints(n, "Const", (int32_t[]){0}, 1);
    return weir_mean(weir_nn_builder(n), "Mean", x, axes, NULL);
}

TF_Output weir_nn_softmax_loss(const weir_net *n, TF_Output logits, TF_Output labels)
{
    return mean(n, weir_sparse_softmax_cross_entropy_with_logits(
                       weir_nn_builder(n), "SparseSoftmaxCrossEntropyWithLogits", logits, labels)
                       .loss);
}

TF_Output weir_nn_accuracy(const weir_net *n, TF_Output logits, TF_Output labels)
{
    if (weir_nn_failed(n) || !logits.oper || !labels.oper) {
        weir_nn_fail(n, "Accuracy needs logits and labels");
        return (TF_Output){0};
    }
    weir_builder *b = weir_nn_builder(n);
    weir_arg_max_options type = {.output_type = TF_OperationOutputType(labels)};
    weir_build_push_scope(b, "accuracy");
    TF_Output axis = weir_build_int32(b, "ArgMax/dimension", 1);
    TF_Output class = weir_arg_max(b, "ArgMax", logits, axis, &type);
    TF_Output right = weir_equal(b, "Equal", class, labels, NULL);
    TF_Output share = mean(n, weir_cast(b, "Cast", right, TF_FLOAT, NULL));
    weir_build_pop_scope(b);
    return share;
}
