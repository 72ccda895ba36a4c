/* models/googlenet.c - Szegedy et al.: Going deeper with convolutions, 2014; without the auxiliary
 * classifiers. */
#include "models/models_impl.h"

/* A module: 1x1; 1x1 then 3x3; 1x1 then 5x5; pool then 1x1. Text between modules is a chain. */
typedef struct part {
    const char *name;
    const char *branches[4];
} part;

static const part parts[] = {
    {"inception_3a", {"64@1", "96@1 128@3", "16@1 32@5", "max3 32@1"}},
    {"inception_3b", {"128@1", "128@1 192@3", "32@1 96@5", "max3 64@1"}},
    {"pool_3", {"max3/2"}},
    {"inception_4a", {"192@1", "96@1 208@3", "16@1 48@5", "max3 64@1"}},
    {"inception_4b", {"160@1", "112@1 224@3", "24@1 64@5", "max3 64@1"}},
    {"inception_4c", {"128@1", "128@1 256@3", "24@1 64@5", "max3 64@1"}},
    {"inception_4d", {"112@1", "144@1 288@3", "32@1 64@5", "max3 64@1"}},
    {"inception_4e", {"256@1", "160@1 320@3", "32@1 128@5", "max3 128@1"}},
    {"pool_4", {"max3/2"}},
    {"inception_5a", {"256@1", "160@1 320@3", "32@1 128@5", "max3 128@1"}},
    {"inception_5b", {"384@1", "192@1 384@3", "48@1 128@5", "max3 128@1"}},
};

static const weir_nn_lrn_options nearby = {.radius = 2, .bias = 1, .alpha = 2e-5f, .beta = 0.75f};

static TF_Output stem(const building *building)
{
    TF_Output h = weir_models_chain(building, building->x, "conv1", "64@7/2 max3/2", false);
    h = weir_nn_lrn(&building->net, h, &nearby);
    h = weir_models_chain(building, h, "conv2", "64@1 192@3", false);
    h = weir_nn_lrn(&building->net, h, &nearby);
    return weir_models_chain(building, h, "pool2", "max3/2", false);
}

static void build(const building *building)
{
    TF_Output h = stem(building);
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++) {
        const part *part = &parts[i];
        h = part->branches[1]
                ? weir_models_branches(building, h, part->name, part->branches, 4, false)
                : weir_models_chain(building, h, part->name, part->branches[0], false);
    }
    h = weir_nn_dropout(&building->net, weir_nn_mean_pool(&building->net, h), 0.4, 3);
    weir_models_classify(building, weir_models_he_dense(building, h, building->input.classes, "out",
                                                        WEIR_NN_LINEAR));
}

const weir_model weir_model_googlenet = {
    .name = "googlenet",
    .about = "nine inception modules after three convolutions, dropout 0.4",
    .input = {TF_FLOAT, 3, {224, 224, 3}, .label_type = TF_INT32, .classes = 1000, .batch = 32},
    .optimizer = {WEIR_MOMENTUM, .rate = 0.01f, .momentum = 0.9f},
    .build = build,
};
