/* models/chain.c - sequences and parallel branches of layers, described as text. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/models_impl.h"

enum { LONGEST_NAME = 96 };

/* One parsed layer of a chain. */
typedef struct layer {
    bool max, average; /* a pool; a convolution otherwise */
    int filters, height, width, stride;
    weir_padding padding;
} layer;

/* Parses a window, optionally followed by "/2" and "v". Null if |text| is invalid. */
static const char *read_window(const char *text, layer *out)
{
    char *end;
    out->height = (int)strtol(text, &end, 10);
    out->width = out->height;
    if (end == text)
        return NULL;
    if (*end == 'x')
        out->width = (int)strtol(end + 1, &end, 10);
    out->stride = *end == '/' ? (int)strtol(end + 1, &end, 10) : 1;
    out->padding = *end == 'v' ? WEIR_NN_VALID : WEIR_NN_SAME;
    return end + (*end == 'v');
}

static const char *read_layer(const char *text, layer *out)
{
    *out = (layer){.max = strncmp(text, "max", 3) == 0, .average = strncmp(text, "avg", 3) == 0};
    if (out->max || out->average)
        return read_window(text + 3, out);
    char *end;
    out->filters = (int)strtol(text, &end, 10);
    return end != text && *end == '@' ? read_window(end + 1, out) : NULL;
}

/* He initialisation: weights that preserve the variance of activations (He et al., 2015). */
static weir_initial he(int64_t fan_in, const char *name)
{
    return (weir_initial){WEIR_TRUNCATED_NORMAL, .b = sqrt(2.0 / (double)fan_in),
                          .seed = weir_models_seed(name)};
}

static TF_Output convolve(const building *building, TF_Output x, const char *name,
                          const layer *layer, bool norm)
{
    int64_t dims[4];
    if (!weir_nn_dims(&building->net, x, 4, dims))
        return x;
    weir_initial initial = he(layer->height * layer->width * dims[3], name);
    weir_nn_conv_options options = {.name = name,
                                    .filters = layer->filters,
                                    .size = layer->height,
                                    .width = layer->width,
                                    .stride = layer->stride,
                                    .padding = layer->padding,
                                    .activation = norm ? WEIR_NN_LINEAR : WEIR_NN_RELU,
                                    .w = &initial,
                                    .no_bias = norm};
    TF_Output y = weir_nn_conv(&building->net, x, &options);
    if (!norm)
        return y;
    return weir_nn_batch_norm(
        &building->net, y,
        &(weir_nn_batch_norm_options){
            .name = name, .decay = 0.9997, .no_scale = true, .activation = WEIR_NN_RELU});
}

static TF_Output add_layer(const building *building, TF_Output x, const char *name,
                           const layer *layer, bool norm)
{
    if (layer->max)
        return weir_nn_max_pool(&building->net, x, layer->height, layer->stride, layer->padding);
    if (layer->average)
        return weir_nn_avg_pool(&building->net, x, layer->height, layer->stride, layer->padding);
    return convolve(building, x, name, layer, norm);
}

TF_Output weir_models_chain(const building *building, TF_Output x, const char *name,
                            const char *text, bool norm)
{
    for (int i = 0; *text; i++) {
        char whole[LONGEST_NAME];
        layer layer;
        snprintf(whole, sizeof whole, "%s/%d", name, i);
        text = read_layer(text, &layer);
        if (!text) {
            weir_build_fail(building->b, TF_INTERNAL, "A chain of layers cannot be read");
            return (TF_Output){0};
        }
        x = add_layer(building, x, whole, &layer, norm);
        while (isspace((unsigned char)*text))
            text++;
    }
    return x;
}

TF_Output weir_models_branches(const building *building, TF_Output x, const char *name,
                               const char *const *texts, int count, bool norm)
{
    TF_Output parts[WEIR_MODELS_MOST_BRANCHES];
    for (int i = 0; i < count; i++) {
        char whole[LONGEST_NAME];
        snprintf(whole, sizeof whole, "%s/b%d", name, i);
        parts[i] = weir_models_chain(building, x, whole, texts[i], norm);
    }
    return weir_nn_concat(&building->net, parts, count, 3);
}

TF_Output weir_models_he_dense(const building *building, TF_Output x, int64_t units,
                               const char *name, weir_activation activation)
{
    int64_t dims[2];
    if (!weir_nn_dims(&building->net, x, 2, dims))
        return x;
    weir_initial initial = he(activation == WEIR_NN_LINEAR ? 2 * dims[1] : dims[1], name);
    return weir_nn_dense(
        &building->net, x,
        &(weir_nn_dense_options){
            .name = name, .units = units, .activation = activation, .w = &initial});
}

int64_t weir_models_seed(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return (hash >> 1) | 1;
}
