/* weir/nn.h - layers: variables and nodes for the parts that networks are made of.
 *
 *   weir_net net = {.trainer = t};
 *   TF_Output h = weir_nn_conv(&net, x, &(weir_nn_conv_options){.name = "c1", .filters = 32, .size
 * = 5, .activation = WEIR_NN_RELU}); h = weir_nn_max_pool(&net, h, 2, 2, WEIR_NN_SAME); h =
 * weir_nn_dense(&net, weir_nn_flatten(&net, h), &(weir_nn_dense_options){.name = "out", .units =
 * 10}); weir_trainer_minimize(t, weir_nn_softmax_loss(&net, h, labels), &optimizer);
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
    int64_t seed;  /* 0 or more, added to every seed that is not 0: drawn otherwise */
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
/* |activation| of |x|; |x| itself for none. */
TF_CAPI_EXPORT extern TF_Output weir_nn_activate(const weir_net *n, TF_Output x,
                                                 weir_activation activation);
/* The known dims of |x|, -1 where any; fails the builder and gives false unless it has |rank|. */
TF_CAPI_EXPORT extern bool weir_nn_dims(const weir_net *n, TF_Output x, int rank, int64_t *dims);

/* ---- layers -----------------------------------------------------------------------------------
 */

/* activation(x * w + b) of [batch, features]. */
typedef struct weir_nn_dense_options {
    const char *name;
    int64_t units;
    weir_activation activation;
    const weir_initial *w; /* null: uniform, as wide as Glorot and Bengio found good */
    const weir_initial *b; /* null: zeros */
    bool no_bias;
} weir_nn_dense_options;

/* A fully connected layer with its variables. Errors are the builder's, as in all layers. */
TF_CAPI_EXPORT extern TF_Output weir_nn_dense(const weir_net *n, TF_Output x,
                                              const weir_nn_dense_options *o);

/* activation(w over x + b) of images. */
typedef struct weir_nn_conv_options {
    const char *name;
    int64_t filters;
    int size, width; /* of the window: height, and width when not 0 */
    int stride;      /* 0: 1 */
    weir_padding padding;
    weir_activation activation;
    const weir_initial *w, *b; /* as in weir_nn_dense_options */
    bool no_bias;
} weir_nn_conv_options;

/* A convolution with its variables. */
TF_CAPI_EXPORT extern TF_Output weir_nn_conv(const weir_net *n, TF_Output x,
                                             const weir_nn_conv_options *o);

/* The largest value of each square window. */
TF_CAPI_EXPORT extern TF_Output weir_nn_max_pool(const weir_net *n, TF_Output x, int size,
                                                 int stride, weir_padding padding);
/* The mean of each square window. */
TF_CAPI_EXPORT extern TF_Output weir_nn_avg_pool(const weir_net *n, TF_Output x, int size,
                                                 int stride, weir_padding padding);
/* The mean of each channel: [batch, channels]. */
TF_CAPI_EXPORT extern TF_Output weir_nn_mean_pool(const weir_net *n, TF_Output x);
/* Everything but the first dim in a row. */
TF_CAPI_EXPORT extern TF_Output weir_nn_flatten(const weir_net *n, TF_Output x);
/* Side by side along |axis|. */
TF_CAPI_EXPORT extern TF_Output weir_nn_concat(const weir_net *n, const TF_Output *parts, int count,
                                               int axis);
/* Zeros for a share of |rate|, the rest scaled up to make up for it. |seed| as that of TensorFlow's
 * tf.nn.dropout: the same choices; 0: any. */
TF_CAPI_EXPORT extern TF_Output weir_nn_dropout(const weir_net *n, TF_Output x, double rate,
                                                int64_t seed);

/* Each channel with mean 0 and deviation 1 over the batch, then scaled by "gamma" and moved by
 * "beta". Evaluation goes by "moving_mean" and "moving_variance", which every step of training
 * moves on. */
typedef struct weir_nn_batch_norm_options {
    const char *name;
    double decay;   /* of the moving averages; 0: 0.999 */
    double epsilon; /* 0: 0.001 */
    bool no_scale;  /* no gamma: what follows scales anyway */
    weir_activation activation;
} weir_nn_batch_norm_options;

/* Batch normalisation, with its averages for evaluation. */
TF_CAPI_EXPORT extern TF_Output weir_nn_batch_norm(const weir_net *n, TF_Output x,
                                                   const weir_nn_batch_norm_options *o);

/* x / (bias + alpha * squares of the channels at most |radius| away)^beta; where all of the numbers
 * are 0 they are those of TensorFlow's tf.nn.lrn. */
typedef struct weir_nn_lrn_options {
    int radius;
    float bias, alpha, beta;
} weir_nn_lrn_options;

/* Local response normalisation over channels. */
TF_CAPI_EXPORT extern TF_Output weir_nn_lrn(const weir_net *n, TF_Output x,
                                            const weir_nn_lrn_options *o);

/* ---- sequences ----------------------------------------------------------------------------------
 */

/* The rows of |table|, a variable's value, that |ids| name. They are found where the variable lies,
 * so that only they travel. */
TF_CAPI_EXPORT extern TF_Output weir_nn_embedding(const weir_net *n, TF_Output table,
                                                  TF_Output ids);

/* A long short-term memory cell between two steps. */
typedef struct weir_lstm {
    TF_Output w, b; /* [inputs + units, 4 * units] and [4 * units]: input, new, forget, output */
    double forget;  /* added to the forget gate */
    TF_Output c, h; /* the state: [batch, units] */
} weir_lstm;

/* A cell of |units| for |x| of [batch, inputs], with a state of zeros and variables of its own
 * ("name/w", "name/b"). */
TF_CAPI_EXPORT extern weir_lstm weir_nn_lstm(const weir_net *n, const char *name, TF_Output x,
                                             int64_t units);
/* Zeros of [batch, units], with the batch of |x|. */
TF_CAPI_EXPORT extern TF_Output weir_nn_zero_state(const weir_net *n, TF_Output x, int64_t units);
/* Moves the state on by one |x| of [batch, inputs]; gives h. */
TF_CAPI_EXPORT extern TF_Output weir_nn_lstm_step(const weir_net *n, weir_lstm *cell, TF_Output x);

/* ---- ends ---------------------------------------------------------------------------------------
 */

/* The mean over the batch of the cross entropy of softmax(logits) with classes 0 .. */
TF_CAPI_EXPORT extern TF_Output weir_nn_softmax_loss(const weir_net *n, TF_Output logits,
                                                     TF_Output labels);
/* The same, of |samples| other classes in place of all, drawn as log-uniform ids: words in order of
 * their counts. |w| and |b| are the values of variables [classes, features] and [classes], |x| is
 * [batch, features]. |seed| as that of tf.nn.sampled_softmax_loss; 0: any. */
typedef struct weir_nn_sampled_softmax_options {
    TF_Output w, b;
    int64_t classes;
    int samples;
    int64_t seed;
} weir_nn_sampled_softmax_options;

/* The mean loss over a sample of the classes, drawn anew in each step. */
TF_CAPI_EXPORT extern TF_Output
weir_nn_sampled_softmax_loss(const weir_net *n, TF_Output x, TF_Output labels,
                             const weir_nn_sampled_softmax_options *o);
/* The share of examples whose largest logit is the label's. */
TF_CAPI_EXPORT extern TF_Output weir_nn_accuracy(const weir_net *n, TF_Output logits,
                                                 TF_Output labels);

#ifdef __cplusplus
}
#endif
#endif
