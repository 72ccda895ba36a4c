/* cli/inspect/keras.h - the description of a Keras model: the layers of the configuration, and the
 * weights of each. */
#ifndef WEIR_CLI_INSPECT_KERAS_H
#define WEIR_CLI_INSPECT_KERAS_H

#include "base/mem.h"
#include "base/str.h"
#include "io/hdf5.h"

/* Strings are in the arena that the model was read into. */
typedef struct inspect_layer {
    weir_str name, class_name;
    int parent;     /* index of the containing layer; -1: the model itself */
    int depth;      /* nesting depth */
    bool trainable; /* as configured */
    weir_str group; /* of its weights in the file */
    int64_t parameters;
} inspect_layer;

typedef struct inspect_keras_model {
    weir_str name, class_name;
    WEIR_VEC(inspect_layer) layers; /* parents come before children */
} inspect_keras_model;
void inspect_keras_model_fini(inspect_keras_model *model);

/* Parses a model's configuration in Keras' JSON format. */
WEIR_CHECKED weir_status inspect_keras_config(weir_str json, weir_arena *arena,
                                              inspect_keras_model *out_model);
/* Finds each layer's weights; |legacy|: the HDF5 layout of whole models. */
void inspect_keras_weights(inspect_keras_model *model, const weir_hdf5 *weights, bool legacy,
                           weir_arena *arena);

#endif
