/* model/signatures.h - what a model says of the tensors that its callers feed and fetch. */
#ifndef WEIR_MODEL_SIGNATURES_H
#define WEIR_MODEL_SIGNATURES_H

#include "base/mem.h"
#include "tensor/tensor.h"

/* One input or output: what the caller calls it, and which tensor it is. */
typedef struct weir_tensor_info_def {
    const char *key;  /* "images" */
    const char *name; /* "serving_default_images:0" */
    weir_dtype type;
    weir_shape shape;
} weir_tensor_info_def;

typedef struct weir_signature_def {
    const char *key;                        /* "serving_default" */
    const char *method;                     /* "tensorflow/serving/predict" */
    weir_tensor_info_def *inputs, *outputs; /* sorted by key */
    int input_count, output_count;
} weir_signature_def;

typedef WEIR_VEC(weir_signature_def) weir_signature_defs;

/* Appends the signatures of a MetaGraphDef, sorted by key; those that only mark an op for the
 * loader are left out. The arena holds what they point to. DATA_LOSS when they cannot be read. */
WEIR_CHECKED weir_status weir_signatures_read(weir_str meta_graph, weir_arena *arena,
                                              weir_signature_defs *out_signatures);

#endif
