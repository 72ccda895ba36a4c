/* cli/inspect/keras.h - a Keras model as its files describe it: layers of the configuration, and
 * the arrays of its weights that belong to each. */
#ifndef WEIR_CLI_INSPECT_KERAS_H
#define WEIR_CLI_INSPECT_KERAS_H

#include "base/mem.h"
#include "base/str.h"
#include "io/hdf5.h"

/* Strings live in the arena that the model was read into. */
typedef struct inspect_layer {
    weir_str name, class_name;
    int parent;     /* the layer that holds it, an index; -1 for the model's own */
    int depth;      /* how many hold it */
    bool trainable; /* as configured */
    weir_str group; /* of its arrays in the file of weights */
    int64_t parameters;
} inspect_layer;

typedef struct inspect_keras_model {
    weir_str name, class_name;
    WEIR_VEC(inspect_layer) layers; /* a layer stands before those it holds */
} inspect_keras_model;
void inspect_keras_model_fini(inspect_keras_model *model);

/* Reads a model's configuration as Keras writes it, in JSON. */
WEIR_CHECKED weir_status inspect_keras_config(weir_str json, weir_arena *arena,
                                              inspect_keras_model *out_model);
/* Finds each layer's arrays; |legacy|: the layout of whole models in HDF5. */
void inspect_keras_weights(inspect_keras_model *model, const weir_hdf5 *weights, bool legacy,
                           weir_arena *arena);

#endif
