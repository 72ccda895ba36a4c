/* weir/nn.h - layers: variables and nodes for the parts that networks are made of.
 *
 *   weir_net net = {.trainer = t};
 *   TF_Output h = weir_nn_conv(&net, x, &(weir_conv){.name = "c1", .filters = 32, .size = 5,
 *                                                    .activation = WEIR_NN_RELU});
 *   h = weir_nn_max_pool(&net, h, 2, 2, WEIR_NN_SAME);
 *   h = weir_nn_dense(&net, weir_nn_flatten(&net, h), &(weir_dense){.name = "out", .units = 10});
 *   weir_trainer_minimize(t, weir_nn_softmax_loss(&net, h, labels), &optimizer);
 *
 * A layer called "c1" keeps its variables as "c1/w" and "c1/b". One that is built a second time
 * under the same name shares them, which is how a network is evaluated beside its training. Images
 * are batches of [height, width, channels]. Failures are the builder's (weir/graph.h): layers may
 * be written down without a check after each. One thread at a time.
 */
#ifndef WEIR_NN_H
#define WEIR_NN_H

#include "weir/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What layers are added to. */
typedef struct weir_net {
    weir_trainer *trainer;
    bool evaluate; /* no dropout; batch norm by what training found */
} weir_net;

typedef enum weir_activation {
    WEIR_NN_LINEAR, /* none */
    WEIR_NN_RELU,
    WEIR_NN_TANH,
    WEIR_NN_SIGMOID,
    WEIR_NN_SOFTPLUS,
} weir_activation;

typedef enum weir_padding {
    WEIR_NN_SAME,  /* as many positions as there are strides: zeros around */
    WEIR_NN_VALID, /* only where the whole window fits */
} weir_padding;

/* The value of the variable that the options describe: the one that is there under that name, or a
 * new one. */
TF_CAPI_EXPORT extern TF_Output weir_nn_variable(const weir_net *n, const weir_variable_options *o);
TF_CAPI_EXPORT extern TF_Output weir_nn_activate(const weir_net *n, TF_Output x,
                                                 weir_activation activation);
/* The known dims of |x|, -1 where any; fails the builder and gives false unless it has |rank|. */
TF_CAPI_EXPORT extern bool weir_nn_dims(const weir_net *n, TF_Output x, int rank, int64_t *dims);

/* ---- layers -----------------------------------------------------------------------------------
 */

/* activation(x * w + b) of [batch, features]. */
typedef struct weir_dense {
    const char *name;
    int64_t units;
    weir_activation activation;
    const weir_initial *w; /* null: uniform, as wide as Glorot and Bengio found good */
    const weir_initial *b; /* null: zeros */
    bool no_bias;
} weir_dense;

TF_CAPI_EXPORT extern TF_Output weir_nn_dense(const weir_net *n, TF_Output x, const weir_dense *o);

/* activation(w over x + b) of images. */
typedef struct weir_conv {
    const char *name;
    int64_t filters;
    int size, width; /* of the window: height, and width when not 0 */
    int stride;      /* 0: 1 */
    weir_padding padding;
    weir_activation activation;
    const weir_initial *w, *b; /* as in weir_dense */
    bool no_bias;
} weir_conv;

TF_CAPI_EXPORT extern TF_Output weir_nn_conv(const weir_net *n, TF_Output x, const weir_conv *o);

TF_CAPI_EXPORT extern TF_Output weir_nn_max_pool(const weir_net *n, TF_Output x, int size,
                                                 int stride, weir_padding padding);
TF_CAPI_EXPORT extern TF_Output weir_nn_avg_pool(const weir_net *n, TF_Output x, int size,
                                                 int stride, weir_padding padding);
/* Everything but the first dim in a row. */
TF_CAPI_EXPORT extern TF_Output weir_nn_flatten(const weir_net *n, TF_Output x);
/* Zeros for a share of |rate|, the rest scaled up to make up for it. |seed| as that of TensorFlow's
 * tf.nn.dropout: the same choices; 0: any. */
TF_CAPI_EXPORT extern TF_Output weir_nn_dropout(const weir_net *n, TF_Output x, double rate,
                                                int64_t seed);

/* ---- ends ---------------------------------------------------------------------------------------
 */

/* The mean over the batch of the cross entropy of softmax(logits) with classes 0 .. */
TF_CAPI_EXPORT extern TF_Output weir_nn_softmax_loss(const weir_net *n, TF_Output logits,
                                                     TF_Output labels);
/* The share of examples whose largest logit is the label's. */
TF_CAPI_EXPORT extern TF_Output weir_nn_accuracy(const weir_net *n, TF_Output logits,
                                                 TF_Output labels);

#ifdef __cplusplus
}
#endif
#endif
