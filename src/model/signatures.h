/* model/signatures.h - a model's signatures: the tensors that callers feed and fetch. */
#ifndef WEIR_MODEL_SIGNATURES_H
#define WEIR_MODEL_SIGNATURES_H

#include "base/mem.h"
#include "tensor/tensor.h"

/* One input or output: its public name and its tensor. */
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

/* Appends the signatures of a MetaGraphDef, sorted by key, without those that only mark an op for
 * the loader. Strings are in the arena. DATA_LOSS on a parse error. */
WEIR_CHECKED weir_status weir_signatures_read(weir_str meta_graph, weir_arena *arena,
                                              weir_signature_defs *out_signatures);

#endif
