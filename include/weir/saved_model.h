/* weir/saved_model.h - SavedModels, frozen graphs and graph files.
 *
 *   DIR/saved_model.pb                   graphs, each with tags and signatures
 *   DIR/variables/variables.index, ...   a checkpoint that the graph's own ops restore
 *   DIR/assets/NAME                      files that the graph reads, such as vocabularies
 *
 * Loading restores the variables and runs the initialiser; models are exchangeable with any version
 * of TensorFlow, in both directions. Functions with a status also set it on success. A loaded model
 * is thread-safe.
 */
#ifndef WEIR_SAVED_MODEL_H
#define WEIR_SAVED_MODEL_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- signatures ------------------------------------------------------------------------------ */

/* One input or output of a signature: its public name and its tensor. */
typedef struct weir_signature_tensor {
    const char *key;     /* "images" */
    const char *name;    /* "serving_default_images:0" */
    TF_DataType type;    /* of a loaded model */
    int rank;            /* -1 if unknown */
    const int64_t *dims; /* -1 if a dim is unknown */
} weir_signature_tensor;

typedef struct weir_signature {
    const char *key;    /* "serving_default" */
    const char *method; /* "tensorflow/serving/predict" */
    const weir_signature_tensor *inputs;
    int input_count;
    const weir_signature_tensor *outputs;
    int output_count;
} weir_signature;

/* ---- loading --------------------------------------------------------------------------------- */

typedef struct weir_saved_model weir_saved_model;

/* Reads from DIR/saved_model.pb (or .pbtxt) the graph whose tags are exactly |tags|, without
 * variables or session. Without tags: the graph tagged "serve", or else the only one. Null on
 * failure. */
TF_CAPI_EXPORT extern weir_saved_model *
weir_saved_model_open(const char *dir, const char *const *tags, int tag_count, TF_Status *status);
/* The same, and creates its session: variables restored, initialiser run. |options| may be null. */
TF_CAPI_EXPORT extern weir_saved_model *
weir_saved_model_load(const char *dir, const char *const *tags, int tag_count,
                      const TF_SessionOptions *options, TF_Status *status);
TF_CAPI_EXPORT extern void weir_saved_model_delete(weir_saved_model *m); /* takes null */

/* Null if the model was only opened. The model owns session and graph. */
TF_CAPI_EXPORT extern TF_Session *weir_saved_model_session(const weir_saved_model *m);
/* Its graph, owned by the model. */
TF_CAPI_EXPORT extern TF_Graph *weir_saved_model_graph(const weir_saved_model *m);
/* The serialised MetaGraphDef; the caller deletes it. */
TF_CAPI_EXPORT extern TF_Buffer *weir_saved_model_meta_graph(const weir_saved_model *m);
/* The number of tags. */
TF_CAPI_EXPORT extern int weir_saved_model_tag_count(const weir_saved_model *m);
/* Tag number |i|; owned by the model. */
TF_CAPI_EXPORT extern const char *weir_saved_model_tag(const weir_saved_model *m, int i);
/* Names of the files in DIR/assets. */
TF_CAPI_EXPORT extern int weir_saved_model_asset_count(const weir_saved_model *m);
/* The path of asset number |i|; owned by the model. */
TF_CAPI_EXPORT extern const char *weir_saved_model_asset(const weir_saved_model *m, int i);
/* The version of TensorFlow that wrote it; "" if not recorded. */
TF_CAPI_EXPORT extern const char *weir_saved_model_writer(const weir_saved_model *m);

/* Sorted by key, without those that only mark an op for the loader. */
TF_CAPI_EXPORT extern int weir_saved_model_signature_count(const weir_saved_model *m);
/* Signature number |i|; owned by the model. */
TF_CAPI_EXPORT extern const weir_signature *weir_saved_model_signature_at(const weir_saved_model *m,
                                                                          int i);
/* Null when there is none. A null |key| finds "serving_default", or else the only one. */
TF_CAPI_EXPORT extern const weir_signature *weir_saved_model_signature(const weir_saved_model *m,
                                                                       const char *key);
/* Runs a signature: |inputs| and |outputs| in its order. The caller deletes the outputs; after a
 * failure they are null. */
TF_CAPI_EXPORT extern void weir_saved_model_predict(const weir_saved_model *m,
                                                    const weir_signature *signature,
                                                    TF_Tensor *const *inputs, TF_Tensor **outputs,
                                                    TF_Status *status);

/* ---- saving ---------------------------------------------------------------------------------- */

/* A tensor of the graph with its public name in a signature. */
typedef struct weir_named_output {
    const char *key;
    TF_Output output;
} weir_named_output;

typedef struct weir_save_signature {
    const char *key;    /* null: "serving_default" */
    const char *method; /* null: "tensorflow/serving/predict" */
    const weir_named_output *inputs;
    int input_count;
    const weir_named_output *outputs;
    int output_count;
} weir_save_signature;

/* A file copied with the model; on loading, |tensor|, a string, is set to its path. */
typedef struct weir_save_asset {
    TF_Output tensor;
    const char *path;
} weir_save_asset;

typedef struct weir_save_options {
    TF_Graph *graph;     /* of the session; save and restore nodes are added to it */
    TF_Session *session; /* holds the variables; null if the graph has none */
    const char *const *tags;
    int tag_count; /* 0: "serve" */
    const weir_save_signature *signatures;
    int signature_count;
    const weir_save_asset *assets;
    int asset_count;
    TF_Operation *init_op; /* run after loading, e.g. to fill tables; null for none */
    bool whole_graph;      /* also keep nodes that no signature needs, e.g. training */
    bool keep_devices;     /* keep the nodes' devices */
    bool text;             /* saved_model.pbtxt instead of saved_model.pb */
} weir_save_options;

/* Writes the model to |dir|, which may exist but must not contain a model. The saved_model file is
 * written last, so a folder that has one is complete. */
TF_CAPI_EXPORT extern void weir_saved_model_save(const char *dir, const weir_save_options *options,
                                                 TF_Status *status);

/* ---- graphs without their sessions ----------------------------------------------------------- */

/* The GraphDef that |outputs| need, with the current values of the session's variables as
 * constants. Null on failure. */
TF_CAPI_EXPORT extern TF_Buffer *weir_graph_freeze(TF_Graph *graph, TF_Session *session,
                                                   const TF_Output *outputs, int output_count,
                                                   TF_Status *status);

/* Imports a graph from a file: a GraphDef or MetaGraphDef, binary or text, detected by its content;
 * or a SavedModel's folder or file. */
TF_CAPI_EXPORT extern void weir_graph_read(TF_Graph *graph, const char *path, TF_Status *status);
/* Writes a GraphDef; as text when |path| ends in "txt". */
TF_CAPI_EXPORT extern void weir_graph_write(TF_Graph *graph, const char *path, TF_Status *status);

/* Converts messages to text form. |type| is one that docs/reference/files.md lists: "GraphDef",
 * "MetaGraphDef", "SavedModel", "Event"... |out| must be empty. */
TF_CAPI_EXPORT extern void weir_message_to_text(const char *type, const TF_Buffer *message,
                                                TF_Buffer *out, TF_Status *status);
/* Parses text form into a serialised message, into an empty buffer. INVALID_ARGUMENT, with the
 * line, on a syntax error. */
TF_CAPI_EXPORT extern void weir_message_from_text(const char *type, const TF_Buffer *text,
                                                  TF_Buffer *out, TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
