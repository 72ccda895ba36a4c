/* models/inception_v3.c - Szegedy et al.: Rethinking the Inception architecture, 2015; without the
 * auxiliary classifier. Every convolution is followed by batch norm. */
#include <stdio.h>

#include "models/models_impl.h"

enum { BRANCHES = 4 };

/* Branches of a module; modules that halve the sides have three. */
typedef struct part {
    const char *name;
    int count;
    const char *branches[BRANCHES];
} part;

#define SEVENS(n)                                                                                  \
    {                                                                                              \
        "192@1", n "@1 " n "@1x7 192@7x1", n "@1 " n "@7x1 " n "@1x7 " n "@7x1 192@1x7",           \
            "avg3 192@1"                                                                           \
    }

static const part parts[] = {
    {"mixed0", 4, {"64@1", "48@1 64@5", "64@1 96@3 96@3", "avg3 32@1"}},
    {"mixed1", 4, {"64@1", "48@1 64@5", "64@1 96@3 96@3", "avg3 64@1"}},
    {"mixed2", 4, {"64@1", "48@1 64@5", "64@1 96@3 96@3", "avg3 64@1"}},
    {"mixed3", 3, {"384@3/2v", "64@1 96@3 96@3/2v", "max3/2v"}},
    {"mixed4", 4, SEVENS("128")},
    {"mixed5", 4, SEVENS("160")},
    {"mixed6", 4, SEVENS("160")},
    {"mixed7", 4, SEVENS("192")},
    {"mixed8", 3, {"192@1 320@3/2v", "192@1 192@1x7 192@7x1 192@3/2v", "max3/2v"}},
};

/* A chain that ends in two parallel windows. */
static TF_Output forked(const building *building, TF_Output x, const char *name, const char *text)
{
    static const char *const both[] = {"384@1x3", "384@3x1"};
    char stem[96];
    snprintf(stem, sizeof stem, "%s/stem", name);
    TF_Output h = weir_models_chain(building, x, stem, text, true);
    return weir_models_branches(building, h, name, both, 2, true);
}

/* The last two modules, whose 3x3 windows are split into two parallel ones. */
static TF_Output widest(const building *building, TF_Output x, const char *name)
{
    static const char *const texts[] = {"320@1", "384@1", "448@1 384@3", "avg3 192@1"};
    TF_Output branches[BRANCHES];
    for (int i = 0; i < BRANCHES; i++) {
        char branch[64];
        snprintf(branch, sizeof branch, "%s/b%d", name, i);
        bool forks = i == 1 || i == 2;
        branches[i] = forks ? forked(building, x, branch, texts[i])
                            : weir_models_chain(building, x, branch, texts[i], true);
    }
    return weir_nn_concat(&building->net, branches, BRANCHES, 3);
}

static void build(const building *building)
{
    TF_Output h = weir_models_chain(building, building->x, "stem",
                                    "32@3/2v 32@3v 64@3 max3/2v 80@1v 192@3v max3/2v", true);
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++)
        h = weir_models_branches(building, h, parts[i].name, parts[i].branches, parts[i].count,
                                 true);
    h = widest(building, widest(building, h, "mixed9"), "mixed10");
    h = weir_nn_dropout(&building->net, weir_nn_mean_pool(&building->net, h), 0.2, 3);
    weir_models_classify(building, weir_models_he_dense(building, h, building->input.classes, "out",
                                                        WEIR_NN_LINEAR));
}

const weir_model weir_model_inception_v3 = {
    .name = "inception_v3",
    .about = "eleven inception modules with batch norm, dropout 0.2",
    .input = {TF_FLOAT, 3, {299, 299, 3}, .label_type = TF_INT32, .classes = 1000, .batch = 32},
    .optimizer = {WEIR_RMSPROP, .rate = 0.045f, .decay = 0.9f, .epsilon = 1},
    .build = build,
};
