/* models/alexnet.c - Krizhevsky, Sutskever, Hinton: ImageNet classification, 2012, single
 * column. */
#include "models/models_impl.h"

static TF_Output shrink(const building *building, TF_Output x)
{
    return weir_nn_max_pool(&building->net, x, 3, 2, WEIR_NN_VALID);
}

static void build(const building *building)
{
    TF_Output h =
        shrink(building, weir_models_conv(building, building->x, 64, 11, "c1", 4, WEIR_NN_VALID));
    h = shrink(building, weir_models_conv(building, h, 192, 5, "c2", 1, WEIR_NN_SAME));
    h = weir_models_conv(building, h, 384, 3, "c3", 1, WEIR_NN_SAME);
    h = weir_models_conv(building, h, 256, 3, "c4", 1, WEIR_NN_SAME);
    h = shrink(building, weir_models_conv(building, h, 256, 3, "c5", 1, WEIR_NN_SAME));
    h = weir_models_dense(building, weir_nn_flatten(&building->net, h), 4096, "d1", WEIR_NN_RELU,
                          0.005);
    h = weir_nn_dropout(&building->net, h, 0.5, 3);
    h = weir_models_dense(building, h, 4096, "d2", WEIR_NN_RELU, 0.005);
    h = weir_nn_dropout(&building->net, h, 0.5, 4);
    weir_models_classify(building, weir_models_dense(building, h, building->input.classes, "out",
                                                     WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION));
}

const weir_model weir_model_alexnet = {
    .name = "alexnet",
    .about = "five convolutions, three overlapping max-pools, three dense layers",
    .input = {TF_FLOAT, 3, {224, 224, 3}, .label_type = TF_INT32, .classes = 1000, .batch = 64},
    .optimizer = {WEIR_MOMENTUM, .rate = 0.01f, .momentum = 0.9f},
    .build = build,
};
