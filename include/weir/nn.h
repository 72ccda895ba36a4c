/* weir/nn.h - neural network layers: their variables and nodes.
 *
 *   weir_net net = {.trainer = t};
 *   weir_nn_conv_options c1 = {.name = "c1", .filters = 32, .size = 5, .activation = WEIR_NN_RELU};
 *   TF_Output h = weir_nn_max_pool(&net, weir_nn_conv(&net, x, &c1), 2, 2, WEIR_NN_SAME);
 *   h = weir_nn_dense(&net, weir_nn_flatten(&net, h), &(weir_nn_dense_options){"out", .units =
 * 10}); weir_trainer_minimize(t, weir_nn_softmax_loss(&net, h, labels), &optimizer);
 *
 * A layer called "c1" keeps its variables as "c1/w" and "c1/b". A second layer of the same name
 * shares them; this is how an evaluation graph is built beside the training graph. Images are
 * batches of [height, width, channels]. Errors go to the builder (weir/graph.h): layers need no
 * check after each. Not thread-safe.
 */
#ifndef WEIR_NN_H
#define WEIR_NN_H

#include "weir/train.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where layers are added. */
typedef struct weir_net {
    weir_trainer *trainer;
    bool evaluate; /* no dropout; batch norm with the moving averages */
    int64_t seed;  /* 0 or more; added to every non-zero seed */
} weir_net;

typedef enum weir_activation {
    WEIR_NN_LINEAR, /* none */
    WEIR_NN_RELU,
    WEIR_NN_TANH,
    WEIR_NN_SIGMOID,
    WEIR_NN_SOFTPLUS,
} weir_activation;

typedef enum weir_padding {
    WEIR_NN_SAME,  /* padded with zeros: one output position per stride */
    WEIR_NN_VALID, /* no padding: only positions with the whole window inside */
} weir_padding;

/* The value of the variable that the options describe; an existing variable of that name is
 * reused. */
TF_CAPI_EXPORT extern TF_Output weir_nn_variable(const weir_net *n, const weir_variable_options *o);
/* |activation| of |x|; |x| itself for none. */
TF_CAPI_EXPORT extern TF_Output weir_nn_activate(const weir_net *n, TF_Output x,
                                                 weir_activation activation);
/* The known dims of |x|, -1 if unknown; sets an error and returns false unless x has |rank|. */
TF_CAPI_EXPORT extern bool weir_nn_dims(const weir_net *n, TF_Output x, int rank, int64_t *dims);

/* ---- layers -----------------------------------------------------------------------------------
 */

/* activation(x * w + b) for x of [batch, features]. */
typedef struct weir_nn_dense_options {
    const char *name;
    int64_t units;
    weir_activation activation;
    const weir_initial *w; /* null: Glorot uniform */
    const weir_initial *b; /* null: zeros */
    bool no_bias;
} weir_nn_dense_options;

/* A fully connected layer with its variables. As in all layers, errors go to the builder. */
TF_CAPI_EXPORT extern TF_Output weir_nn_dense(const weir_net *n, TF_Output x,
                                              const weir_nn_dense_options *o);

/* activation(conv(x, w) + b) for images. */
typedef struct weir_nn_conv_options {
    const char *name;
    int64_t filters;
    int size, width; /* of the window: height, and width (0: square) */
    int stride;      /* 0: 1 */
    weir_padding padding;
    weir_activation activation;
    const weir_initial *w, *b; /* as in weir_nn_dense_options */
    bool no_bias;
} weir_nn_conv_options;

/* A convolution layer with its variables. */
TF_CAPI_EXPORT extern TF_Output weir_nn_conv(const weir_net *n, TF_Output x,
                                             const weir_nn_conv_options *o);

/* Max pooling over square windows. */
TF_CAPI_EXPORT extern TF_Output weir_nn_max_pool(const weir_net *n, TF_Output x, int size,
                                                 int stride, weir_padding padding);
/* Average pooling over square windows. */
TF_CAPI_EXPORT extern TF_Output weir_nn_avg_pool(const weir_net *n, TF_Output x, int size,
                                                 int stride, weir_padding padding);
/* Global average pooling: [batch, channels]. */
TF_CAPI_EXPORT extern TF_Output weir_nn_mean_pool(const weir_net *n, TF_Output x);
/* Flattens all dims but the first. */
TF_CAPI_EXPORT extern TF_Output weir_nn_flatten(const weir_net *n, TF_Output x);
/* Concatenation along |axis|. */
TF_CAPI_EXPORT extern TF_Output weir_nn_concat(const weir_net *n, const TF_Output *parts, int count,
                                               int axis);
/* Dropout: zeroes a fraction |rate| of the elements and scales up the rest. |seed| gives the same
 * choices as in TensorFlow's tf.nn.dropout; 0: random. */
TF_CAPI_EXPORT extern TF_Output weir_nn_dropout(const weir_net *n, TF_Output x, double rate,
                                                int64_t seed);

/* Normalises each channel to mean 0 and deviation 1 over the batch, then scales by "gamma" and
 * adds "beta". Evaluation uses "moving_mean" and "moving_variance", which every training step
 * updates. */
typedef struct weir_nn_batch_norm_options {
    const char *name;
    double decay;   /* of the moving averages; 0: 0.999 */
    double epsilon; /* 0: 0.001 */
    bool no_scale;  /* no gamma: a later op scales anyway */
    weir_activation activation;
} weir_nn_batch_norm_options;

/* Batch normalisation, with moving averages for evaluation. */
TF_CAPI_EXPORT extern TF_Output weir_nn_batch_norm(const weir_net *n, TF_Output x,
                                                   const weir_nn_batch_norm_options *o);

/* x / (bias + alpha * sum of squares of the channels at most |radius| away)^beta; if all of the
 * numbers are 0, the defaults of TensorFlow's tf.nn.lrn. */
typedef struct weir_nn_lrn_options {
    int radius;
    float bias, alpha, beta;
} weir_nn_lrn_options;

/* Local response normalisation over channels. */
TF_CAPI_EXPORT extern TF_Output weir_nn_lrn(const weir_net *n, TF_Output x,
                                            const weir_nn_lrn_options *o);

/* ---- sequences ----------------------------------------------------------------------------------
 */

/* The rows |ids| of |table|, a variable's value. They are gathered on the variable's device, so
 * that only these rows are transferred. */
TF_CAPI_EXPORT extern TF_Output weir_nn_embedding(const weir_net *n, TF_Output table,
                                                  TF_Output ids);

/* An LSTM cell with its state. */
typedef struct weir_lstm {
    TF_Output w, b; /* [inputs + units, 4 * units] and [4 * units]: input, new, forget, output */
    double forget;  /* forget bias: added to the forget gate */
    TF_Output c, h; /* the state: [batch, units] */
} weir_lstm;

/* A cell of |units| for |x| of [batch, inputs], with a zero state and its own variables ("name/w",
 * "name/b"). */
TF_CAPI_EXPORT extern weir_lstm weir_nn_lstm(const weir_net *n, const char *name, TF_Output x,
                                             int64_t units);
/* Zeros of [batch, units], with |x|'s batch size. */
TF_CAPI_EXPORT extern TF_Output weir_nn_zero_state(const weir_net *n, TF_Output x, int64_t units);
/* Advances the state by one |x| of [batch, inputs]; returns h. */
TF_CAPI_EXPORT extern TF_Output weir_nn_lstm_step(const weir_net *n, weir_lstm *cell, TF_Output x);

/* ---- ends ---------------------------------------------------------------------------------------
 */

/* The mean over the batch of the cross entropy of softmax(logits) with classes 0 .. */
TF_CAPI_EXPORT extern TF_Output weir_nn_softmax_loss(const weir_net *n, TF_Output logits,
                                                     TF_Output labels);
/* Sampled softmax loss: |samples| other classes instead of all, drawn log-uniformly: ids should be
 * sorted by decreasing frequency. |w| and |b| are the values of variables [classes, features] and
 * [classes], |x| is [batch, features]. |seed| as in tf.nn.sampled_softmax_loss; 0: random. */
typedef struct weir_nn_sampled_softmax_options {
    TF_Output w, b;
    int64_t classes;
    int samples;
    int64_t seed;
} weir_nn_sampled_softmax_options;

/* The mean loss over a sample of the classes, resampled in each step. */
TF_CAPI_EXPORT extern TF_Output
weir_nn_sampled_softmax_loss(const weir_net *n, TF_Output x, TF_Output labels,
                             const weir_nn_sampled_softmax_options *o);
/* The fraction of examples whose largest logit is the label's. */
TF_CAPI_EXPORT extern TF_Output weir_nn_accuracy(const weir_net *n, TF_Output logits,
                                                 TF_Output labels);

#ifdef __cplusplus
}
#endif
#endif
