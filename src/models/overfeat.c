/* models/overfeat.c - Sermanet et al.: OverFeat, 2013; the fast network. */
#include "models/models_impl.h"

static void build(const building *building)
{
    TF_Output h =
        weir_models_chain(building, building->x, "conv",
                          "96@11/4v max2/2v 256@5v max2/2v 512@3 1024@3 1024@3 max2/2v", false);
    h = weir_models_he_dense(building, weir_nn_flatten(&building->net, h), 3072, "d1",
                             WEIR_NN_RELU);
    h = weir_nn_dropout(&building->net, h, 0.5, 3);
    h = weir_models_he_dense(building, h, 4096, "d2", WEIR_NN_RELU);
    h = weir_nn_dropout(&building->net, h, 0.5, 4);
    weir_models_classify(building, weir_models_he_dense(building, h, building->input.classes, "out",
                                                        WEIR_NN_LINEAR));
}

const weir_model weir_model_overfeat = {
    .name = "overfeat",
    .about = "five convolutions, three max-pools, three dense layers (the fast network)",
    .input = {TF_FLOAT, 3, {231, 231, 3}, .label_type = TF_INT32, .classes = 1000, .batch = 64},
    .optimizer = {WEIR_MOMENTUM, .rate = 1e-3f, .momentum = 0.9f},
    .build = build,
};
