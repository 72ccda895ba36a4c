/* nn/loss.c - what is minimised, and how good it is. */
#include "nn/nn_impl.h"

TF_Output weir_nn_mean(const weir_net *n, TF_Output x)
{
    return weir_nn_reduce(n, "Mean", "Mean", x, weir_nn_ints(n, "Const", (int32_t[]){0}, 1));
}

TF_Output weir_nn_softmax_loss(const weir_net *n, TF_Output logits, TF_Output labels)
{
    static const char op[] = "SparseSoftmaxCrossEntropyWithLogits";
    return weir_nn_mean(n, weir_build_op(weir_nn_builder(n), op, op, WEIR_INPUTS(logits, labels)));
}

static TF_Output largest(const weir_net *n, TF_Output logits, TF_DataType type)
{
    weir_builder *b = weir_nn_builder(n);
    TF_Output axis = weir_build_int32(b, "ArgMax/dimension", 1);
    TF_OperationDescription *d = weir_build_begin(b, "ArgMax", "ArgMax");
    if (d) {
        TF_AddInput(d, logits);
        TF_AddInput(d, axis);
        TF_SetAttrType(d, "output_type", type);
    }
    return weir_build_end(b, d);
}

TF_Output weir_nn_accuracy(const weir_net *n, TF_Output logits, TF_Output labels)
{
    if (weir_nn_failed(n) || !logits.oper || !labels.oper) {
        weir_nn_fail(n, "Accuracy needs logits and labels");
        return (TF_Output){0};
    }
    weir_builder *b = weir_nn_builder(n);
    weir_build_push_scope(b, "accuracy");
    TF_Output class = largest(n, logits, TF_OperationOutputType(labels));
    TF_Output right = weir_build_op(b, "Equal", "Equal", WEIR_INPUTS(class, labels));
    TF_Output share = weir_nn_mean(n, weir_nn_cast(n, right, TF_FLOAT));
    weir_build_pop_scope(b);
    return share;
}
