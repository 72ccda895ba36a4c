/* weir/models.h - the built-in models, by name.
 *
 *   const weir_model *m = weir_model_find("mnist_cnn");
 *   weir_model_graph train, test;
 *   weir_model_build(m, t, &(weir_model_options){0}, &train);
 *   weir_model_build(m, t, &(weir_model_options){.batch = -1, .evaluate = true}, &test);
 *   weir_trainer_start(t, status);
 *   ... steps that feed train.feeds and fetch train.loss; with only_look, test.accuracy ...
 *
 * The variables' names, shapes and initial values are those of the same model written for
 * TensorFlow with seeds, so that both compute the same results and read each other's checkpoints.
 * docs/reference/models.md lists the models.
 */
#ifndef WEIR_MODELS_H
#define WEIR_MODELS_H

#include "weir/nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_model weir_model; /* has static lifetime */

/* The number of built-in models. */
TF_CAPI_EXPORT extern int weir_model_count(void);
/* Model number |i|, from 0; has static lifetime. */
TF_CAPI_EXPORT extern const weir_model *weir_model_at(int i);
TF_CAPI_EXPORT extern const weir_model *weir_model_find(const char *name); /* null: none */
/* The name that weir_model_find accepts; has static lifetime. */
TF_CAPI_EXPORT extern const char *weir_model_name(const weir_model *m);
TF_CAPI_EXPORT extern const char *weir_model_about(const weir_model *m); /* one line */

typedef struct weir_model_options {
    int batch;       /* 0: the model's own; -1: any (placeholders with an open first dim) */
    bool evaluate;   /* no dropout, no optimiser: to compute accuracy */
    double rate;     /* learning rate; 0: the optimiser's default */
    int64_t bytes;   /* size of the null models' parameters; 0: 100 MiB */
    int size;        /* side of the images, or length of the sequences; 0: the model's default */
    int64_t classes; /* or vocabulary size; 0: the model's default */
    const weir_optimizer *optimizer; /* null: the model's default */
    int64_t seed;                    /* of initial values and dropout */
} weir_model_options;

/* A model's input, for choosing and converting data. */
typedef struct weir_model_input {
    TF_DataType type; /* of x; 0: it has no input */
    int rank;         /* of one example; 1: flat */
    int64_t dims[4];
    TF_DataType label_type; /* 0: no labels */
    int label_rank;         /* 0: a class per example; 1: one per step of its sequence */
    int64_t classes;        /* upper bound of labels, and of the elements of an integer x */
    int batch;              /* the model's default */
} weir_model_input;

/* The model's input, with its defaults. */
TF_CAPI_EXPORT extern void weir_model_input_of(const weir_model *m, weir_model_input *out);
/* The same with batch, size and classes of |o|. */
TF_CAPI_EXPORT extern void weir_model_input_with(const weir_model *m, const weir_model_options *o,
                                                 weir_model_input *out);
/* The optimiser selected by |o|. */
TF_CAPI_EXPORT extern void weir_model_optimizer(const weir_model *m, const weir_model_options *o,
                                                weir_optimizer *out);

typedef struct weir_model_graph {
    TF_Output feeds[2]; /* x, and y if it has labels */
    int feed_count;
    TF_Output logits, loss, accuracy; /* .oper is null for those that the model lacks */
} weir_model_graph;

/* Adds the model to the trainer's graph and, unless |o| sets evaluate, calls weir_trainer_minimize.
 * The builder's status holds errors. */
TF_CAPI_EXPORT extern void weir_model_build(const weir_model *m, weir_trainer *t,
                                            const weir_model_options *o, weir_model_graph *out);

#ifdef __cplusplus
}
#endif
#endif
