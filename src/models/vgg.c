/* models/vgg.c - Simonyan and Zisserman: Very deep convolutional networks, 2014; configuration A.
 */
#include <stdio.h>

#include "models/models_impl.h"

/* Filters of each stage, and the number of convolutions before the sides are halved. */
static const struct {
    int filters, convolutions;
} stages[] = {{64, 1}, {128, 1}, {256, 2}, {512, 2}, {512, 2}};

static TF_Output stage(const building *building, TF_Output h, int i)
{
    for (int j = 0; j < stages[i].convolutions; j++) {
        char name[32];
        snprintf(name, sizeof name, "c%d_%d", i, j);
        h = weir_models_conv(building, h, stages[i].filters, 3, name, 1, WEIR_NN_SAME);
    }
    return weir_models_halve(building, h);
}

static void build(const building *building)
{
    TF_Output h = building->x;
    for (int i = 0; i < (int)(sizeof stages / sizeof *stages); i++)
        h = stage(building, h, i);
    h = weir_models_dense(building, weir_nn_flatten(&building->net, h), 4096, "d1", WEIR_NN_RELU,
                          0.005);
    h = weir_models_dense(building, h, 4096, "d2", WEIR_NN_RELU, 0.005);
    weir_models_classify(building, weir_models_dense(building, h, building->input.classes, "out",
                                                     WEIR_NN_LINEAR, WEIR_MODELS_DEVIATION));
}

const weir_model weir_model_vgg_a = {
    .name = "vgg_a",
    .about = "eight 3x3 convolutions in five stages, three dense layers (OxfordNet)",
    .input = {TF_FLOAT, 3, {224, 224, 3}, .label_type = TF_INT32, .classes = 1000, .batch = 64},
    .optimizer = {WEIR_MOMENTUM, .rate = 0.01f, .momentum = 0.9f},
    .build = build,
};
