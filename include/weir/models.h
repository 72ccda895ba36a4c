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
 * TensorFlow with seeds, so that both train alike and read each other's checkpoints.
 * docs/reference/models.md lists what there is.
 */
#ifndef WEIR_MODELS_H
#define WEIR_MODELS_H

#include "weir/nn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_model weir_model; /* lives as long as the program */

/* How many built-in models there are. */
TF_CAPI_EXPORT extern int weir_model_count(void);
/* The model of that number, from 0; a constant. */
TF_CAPI_EXPORT extern const weir_model *weir_model_at(int i);
TF_CAPI_EXPORT extern const weir_model *weir_model_find(const char *name); /* null: none */
/* As weir_model_find takes it; a constant. */
TF_CAPI_EXPORT extern const char *weir_model_name(const weir_model *m);
TF_CAPI_EXPORT extern const char *weir_model_about(const weir_model *m); /* one line */

typedef struct weir_model_options {
    int batch;       /* 0: the model's own; -1: any (placeholders with an open first dim) */
    bool evaluate;   /* no dropout, no optimiser: for accuracy */
    double rate;     /* of learning; 0: the optimiser's own */
    int64_t bytes;   /* of the null models' parameters; 0: 100 MiB */
    int size;        /* side of the images, or length of the sequences; 0: the model's own */
    int64_t classes; /* or words; 0: the model's own */
    const weir_optimizer *optimizer; /* null: the model's own */
    int64_t seed;                    /* other initial values and dropout than those of 0 */
} weir_model_options;

/* What a model eats, so that data can be fitted to it. */
typedef struct weir_model_input {
    TF_DataType type; /* of x; 0: it eats nothing */
    int rank;         /* of one example; 1: flat */
    int64_t dims[4];
    TF_DataType label_type; /* 0: no labels */
    int label_rank;         /* 0: a class for each example; 1: one for each step of it */
    int64_t classes;        /* labels are below this; so are the elements of an x of integers */
    int batch;              /* the model's own */
} weir_model_input;

/* What a model takes for one example. */
TF_CAPI_EXPORT extern void weir_model_input_of(const weir_model *m, weir_model_input *out);
/* The same with |o|'s batch, size and classes in it. */
TF_CAPI_EXPORT extern void weir_model_input_with(const weir_model *m, const weir_model_options *o,
                                                 weir_model_input *out);
/* The optimiser that |o| asks for. */
TF_CAPI_EXPORT extern void weir_model_optimizer(const weir_model *m, const weir_model_options *o,
                                                weir_optimizer *out);

typedef struct weir_model_graph {
    TF_Output feeds[2]; /* x, and y where it has labels */
    int feed_count;
    TF_Output logits, loss, accuracy; /* those that it has; .oper null otherwise */
} weir_model_graph;

/* Adds the model to the trainer's graph and, unless |o| says evaluate, calls weir_trainer_minimize.
 * What is wrong shows in the builder's status. */
TF_CAPI_EXPORT extern void weir_model_build(const weir_model *m, weir_trainer *t,
                                            const weir_model_options *o, weir_model_graph *out);

#ifdef __cplusplus
}
#endif
#endif
