/* cli/predict/model.h - the model of weir predict: a SavedModel's signature, or a graph file. */
#ifndef WEIR_CLI_PREDICT_MODEL_H
#define WEIR_CLI_PREDICT_MODEL_H

#include "command/command.h"
#include "tensor/tensor.h"
#include "weir/saved_model.h"

typedef struct predict_model predict_model;

typedef struct predict_choice {
    const char *signature; /* null: serving_default, or the only one */
    weir_words tags;       /* none: "serve", or the only graph */
    weir_words inputs,
        outputs; /* of a graph: nodes; none: placeholders, and nodes whose outputs are unused */
} predict_choice;

WEIR_CHECKED weir_status predict_model_open(const char *path, const predict_choice *choice,
                                            predict_model **out_model);
void predict_model_destroy(predict_model *model); /* takes null */
WEIR_OWNABLE(predict_model);
/* Its inputs and outputs; owned by the model. */
const weir_signature *predict_model_signature(const predict_model *model);
/* Inputs and outputs in the signature's order. The caller releases the outputs. */
WEIR_CHECKED weir_status predict_model_run(predict_model *model, const weir_tensor *inputs,
                                           weir_tensor *outputs);

#endif
