/* nn/dropout.c - dropout, with the same nodes as in TensorFlow. */
#include "nn/nn_impl.h"
#include "weir/ops/array.h"
#include "weir/ops/math.h"
#include "weir/ops/random.h"

/* A uniform number in [0, 1) for each element of |x|. */
static TF_Output draw(const weir_net *net, TF_Output x, int64_t seed)
{
    weir_builder *builder = weir_nn_builder(net);
    weir_nn_seeds seeds = weir_nn_seeds_of(net, seed);
    weir_random_uniform_options options = {.seed = seeds.graph, .seed2 = seeds.op};
    return weir_random_uniform(builder, "random_uniform", weir_shape(builder, "Shape", x, NULL),
                               TF_FLOAT, &options);
}

TF_Output weir_nn_dropout(const weir_net *net, TF_Output x, double rate, int64_t seed)
{
    if (net->evaluate || rate == 0)
        return x;
    if (!(rate > 0 && rate < 1)) {
        weir_nn_fail(net, "A dropout rate lies between 0 and 1");
        return (TF_Output){0};
    }
    weir_builder *builder = weir_nn_builder(net);
    weir_build_push_scope(builder, "dropout");
    TF_Output scale = weir_build_float(builder, "scale", (float)(1 / (1 - rate)));
    TF_Output scaled = weir_mul(builder, "Mul", x, scale);
    TF_Output least = weir_build_float(builder, "rate", (float)rate);
    TF_Output kept = weir_greater_equal(builder, "GreaterEqual", draw(net, x, seed), least);
    TF_Output y =
        weir_select_v2(builder, "SelectV2", kept, scaled, weir_build_float(builder, "zero", 0));
    weir_build_pop_scope(builder);
    return y;
}
