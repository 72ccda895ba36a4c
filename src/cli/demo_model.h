/* cli/demo_model.h - a network of one hidden layer, built and trained through TensorFlow's C API.
 *
 * This is how any C program uses the library: nothing but tensorflow/c/c_api.h.
 */
#ifndef WEIR_CLI_DEMO_MODEL_H
#define WEIR_CLI_DEMO_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/c/c_api.h"

typedef struct weir_model {
    TF_Graph *graph;
    TF_Session *session;
    TF_Status *status;        /* of the last call; once it fails, everything after is skipped */
    TF_Output pixels, labels; /* fed */
    TF_Output loss, accuracy, guesses; /* fetched */
    TF_Operation *init, *train;
    int pixel_count;    /* per picture */
    int node_count;     /* in the graph ... */
    int gradient_count; /* ... of which TF_AddGradients made these */
} weir_model;

/* Builds graph and session for pictures of |pixel_count| pixels, and sets the weights. On failure
 * TF_GetCode(m->status) is not TF_OK; weir_model_fini is due either way. */
void weir_model_init(weir_model *m, int pixel_count, int hidden, float rate);
void weir_model_fini(weir_model *m);

/* What one call learns or tells. */
typedef struct weir_score {
    float loss, accuracy;
} weir_score;

/* One step on a batch; with |learn| false only judges. */
weir_score weir_model_step(weir_model *m, int count, const float *pixels, const int32_t *labels,
                           bool learn);
/* The digits it sees in |count| pictures. */
void weir_model_guess(weir_model *m, int count, const float *pixels, int64_t *out_digits);

#endif
