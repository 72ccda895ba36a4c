/* models/models_impl.h - internals of models, for models/ only. */
#ifndef WEIR_MODELS_MODELS_IMPL_H
#define WEIR_MODELS_MODELS_IMPL_H

#include "weir/models.h"

/* A model under construction. */
typedef struct building {
    weir_net net;
    weir_builder *b;
    const weir_model_options *o;
    weir_model_input input; /* with the options applied */
    TF_Output x, y;         /* placeholders */
    weir_model_graph *out;
} building;

struct weir_model {
    const char *name, *about;
    weir_model_input input;
    weir_optimizer optimizer;
    void (*build)(
        const building *building); /* sets out's loss, and logits and accuracy if applicable */
};

#define WEIR_MODEL(name) extern const weir_model weir_model_##name;
#include "models/models.inc"
#undef WEIR_MODEL

/* Layers with the models' defaults: weights from a truncated normal distribution with seed 1,
 * biases of 0.1. */
TF_Output weir_models_dense(const building *building, TF_Output x, int64_t units, const char *name,
                            weir_activation activation, double deviation);
TF_Output weir_models_conv(const building *building, TF_Output x, int64_t filters, int size,
                           const char *name, int stride, weir_padding padding);
/* 2x2 pooling to half the side. */
TF_Output weir_models_halve(const building *building, TF_Output x);
/* The head of a classifier: loss and accuracy of |logits|. */
void weir_models_classify(const building *building, TF_Output logits);
void weir_models_classify_as(const building *building, TF_Output logits, TF_Output labels);

/* A sequence of layers as text: "64@3" is a convolution of 64 filters over 3x3, "64@1x7" over 1x7,
 * "max3" and "avg3" are pools; "/2" after the window is a stride and "v" is valid padding.
 * Convolutions are called name/0, name/1 ...; with |norm| they have batch norm instead of a bias.
 * Their initial weights preserve the variance of activations. */
TF_Output weir_models_chain(const building *building, TF_Output x, const char *name,
                            const char *text, bool norm);
/* Parallel chains over |x|, concatenated, called name/b0, name/b1 ... */
enum { WEIR_MODELS_MOST_BRANCHES = 4 };
TF_Output weir_models_branches(const building *building, TF_Output x, const char *name,
                               const char *const *texts, int count, bool norm);
/* A dense layer with such initial weights. */
TF_Output weir_models_he_dense(const building *building, TF_Output x, int64_t units,
                               const char *name, weir_activation activation);
/* A seed derived from the name. */
int64_t weir_models_seed(const char *name);

enum { WEIR_MODELS_SEED = 1 };
#define WEIR_MODELS_DEVIATION 0.05

#endif
