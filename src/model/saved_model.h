/* model/saved_model.h - reads, restores and saves SavedModels.
 *
 *   DIR/saved_model.pb                   SavedModel: one MetaGraphDef per set of tags
 *   DIR/variables/variables.index, ...   a checkpoint that the graph's own restore op reads
 *   DIR/assets/NAME                      files whose paths are fed to the graph
 */
#ifndef WEIR_MODEL_SAVED_MODEL_H
#define WEIR_MODEL_SAVED_MODEL_H

#include "base/mutex.h"
#include "session/session.h"

enum { WEIR_SAVED_MODEL_LIMIT = 2000 << 20 }; /* bytes: protocol buffers are limited to 2 GiB */

typedef struct weir_model_asset {
    weir_str tensor, file;
} weir_model_asset;

/* A MetaGraphDef: views into the file's bytes. */
typedef struct weir_meta_graph {
    weir_str proto, graph_def, writer, filename_tensor, restore_op, init_op;
    WEIR_VEC(weir_str) tags;
    WEIR_VEC(weir_model_asset) assets;
} weir_meta_graph;

/* Reads DIR/saved_model.pb, or .pbtxt converted to it. */
WEIR_CHECKED weir_status weir_model_read(const char *dir, weir_buf *out_model);
/* The MetaGraphDef with exactly these tags. */
WEIR_CHECKED weir_status weir_model_find_graph(weir_str model, const char *const *tags, int count,
                                               weir_str *out_proto);
/* The one tagged "serve", or else the only one. */
WEIR_CHECKED weir_status weir_model_any_graph(weir_str model, weir_str *out_proto);

/* DATA_LOSS when |proto| cannot be parsed. The caller always frees the result. */
WEIR_CHECKED weir_status weir_meta_graph_read(weir_str proto, weir_meta_graph *out);
void weir_meta_graph_fini(weir_meta_graph *graph);

/* Restores the variables and runs the initialiser of a model whose graph was imported into the
 * session's, which was empty. */
WEIR_CHECKED weir_status weir_model_restore(weir_session *session, const weir_meta_graph *graph,
                                            const char *dir, const weir_run_options *options);

/* ---- saving ---------------------------------------------------------------------------------- */

/* A tensor of the graph with its public name in a signature. */
typedef struct weir_model_edge {
    const char *key;
    weir_edge edge;
} weir_model_edge;

typedef struct weir_model_signature {
    const char *key, *method;
    const weir_model_edge *inputs, *outputs;
    int input_count, output_count;
} weir_model_signature;

/* A file copied with the model; on loading, |edge|, a string, is set to its path. */
typedef struct weir_model_file {
    weir_edge edge;
    const char *path;
} weir_model_file;

typedef struct weir_model_parts {
    weir_graph *graph; /* save and restore nodes are added to it */
    weir_mutex *graph_lock;
    weir_session *session; /* holds the variables; null if the graph has none */
    const char *const *tags;
    int tag_count; /* at least 1 */
    const weir_model_signature *signatures;
    int signature_count;
    const weir_model_file *assets;
    int asset_count;
    weir_node *init_op; /* run after loading; null for none */
    const char *writer; /* the version of TensorFlow to record */
    bool whole_graph;   /* also keep nodes that no signature needs */
    bool keep_devices;
    bool text; /* saved_model.pbtxt instead of saved_model.pb */
} weir_model_parts;

/* Writes the model to |dir|, which may exist but must not contain a model. The saved_model file is
 * written last, so a folder that has one is complete. The caller has validated the edges. */
WEIR_CHECKED weir_status weir_model_save(const char *dir, const weir_model_parts *parts);

#endif
