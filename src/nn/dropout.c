/* nn/dropout.c - dropout, in the nodes that TensorFlow makes of it. */
#include "nn/nn_impl.h"

/* One number of [0, 1) for each element of |x|. */
static TF_Output draw(const weir_net *n, TF_Output x, int64_t seed)
{
    weir_builder *b = weir_nn_builder(n);
    TF_Output shape = weir_build_op(b, "Shape", "Shape", &x, 1);
    TF_OperationDescription *d = weir_build_begin(b, "RandomUniform", "random_uniform");
    if (d) {
        TF_AddInput(d, shape);
        TF_SetAttrType(d, "dtype", TF_FLOAT);
        weir_nn_set_seed(d, seed);
    }
    return weir_build_end(b, d);
}

TF_Output weir_nn_dropout(const weir_net *n, TF_Output x, double rate, int64_t seed)
{
    if (n->evaluate || rate == 0)
        return x;
    if (!(rate > 0 && rate < 1)) {
        weir_nn_fail(n, "A dropout rate lies between 0 and 1");
        return (TF_Output){0};
    }
    weir_builder *b = weir_nn_builder(n);
    weir_build_push_scope(b, "dropout");
    TF_Output scale = weir_build_float(b, "scale", (float)(1 / (1 - rate)));
    TF_Output scaled = weir_build_op(b, "Mul", "Mul", WEIR_INPUTS(x, scale));
    TF_Output least = weir_build_float(b, "rate", (float)rate), random = draw(n, x, seed);
    TF_Output kept = weir_build_op(b, "GreaterEqual", "GreaterEqual", WEIR_INPUTS(random, least));
    TF_Output zero = weir_build_float(b, "zero", 0);
    TF_Output y = weir_build_op(b, "SelectV2", "SelectV2", WEIR_INPUTS(kept, scaled, zero));
    weir_build_pop_scope(b);
    return y;
}
