/* capi/saved_model_impl.h - a SavedModel's messages, as far as loading and saving need them. */
#ifndef WEIR_CAPI_SAVED_MODEL_IMPL_H
#define WEIR_CAPI_SAVED_MODEL_IMPL_H

#include "capi/capi_impl.h"
#include "wire/pb.h"

/* Fields of the messages. */
enum { WEIR_SAVED_MODEL_VERSION = 1, WEIR_SAVED_MODEL_META_GRAPH = 2 };
enum {
    WEIR_META_INFO = 1,
    WEIR_META_GRAPH = 2,
    WEIR_META_SAVER = 3,
    WEIR_META_COLLECTION = 4,
    WEIR_META_SIGNATURE = 5,
    WEIR_META_ASSET = 6
};
enum { WEIR_INFO_TAG = 4, WEIR_INFO_WRITER = 5 };
enum {
    WEIR_SAVER_FILENAME = 1,
    WEIR_SAVER_SAVE = 2,
    WEIR_SAVER_RESTORE = 3,
    WEIR_SAVER_VERSION = 7
};
enum { WEIR_MAP_KEY = 1, WEIR_MAP_VALUE = 2 };
enum { WEIR_COLLECTION_NODES = 1, WEIR_COLLECTION_BYTES = 2, WEIR_COLLECTION_ANY = 5 };
enum { WEIR_LIST_VALUE = 1 };
enum { WEIR_SIGNATURE_INPUTS = 1, WEIR_SIGNATURE_OUTPUTS = 2, WEIR_SIGNATURE_METHOD = 3 };
enum { WEIR_INFO_NAME = 1, WEIR_INFO_TYPE = 2, WEIR_INFO_SHAPE = 3 }; /* of TensorInfo */
enum { WEIR_ASSET_TENSOR = 1, WEIR_ASSET_FILE = 2 };

#define WEIR_INIT_SIGNATURE "__saved_model_init_op"
#define WEIR_INIT_COLLECTION "saved_model_main_op"
#define WEIR_PREDICT "tensorflow/serving/predict"

enum { WEIR_SAVED_MODEL_LIMIT = 2000 << 20 }; /* bytes: protocol buffers end at 2 GiB */

typedef struct weir_asset {
    weir_str tensor, file;
} weir_asset;

/* A MetaGraphDef: views into the file's bytes. */
typedef struct weir_meta_graph {
    weir_str proto, info, graph_def, filename_tensor, restore_op, init_op;
    WEIR_VEC(weir_asset) assets;
} weir_meta_graph;

/* The first LEN field |field| of a message; empty when absent. */
weir_str weir_message_get(weir_str message, uint32_t field);

/* DIR/saved_model.pb, or .pbtxt turned into the same. */
WEIR_CHECKED weir_status weir_saved_model_read(const char *dir, weir_buf *out_model);
/* The MetaGraphDef with exactly these tags. */
WEIR_CHECKED weir_status weir_saved_model_find_graph(weir_str model, const char *const *tags,
                                                     int count, weir_str *out_proto);
/* The one tagged "serve", or else the only one. */
WEIR_CHECKED weir_status weir_saved_model_any_graph(weir_str model, weir_str *out_proto);
/* DATA_LOSS when |proto| cannot be read. The assets are the caller's to fini, in any case. */
WEIR_CHECKED weir_status weir_meta_graph_read(weir_str proto, weir_meta_graph *out);
/* Imports the graph into |graph|, makes its session and starts it: variables and initialiser. */
WEIR_CHECKED weir_status weir_saved_model_start(const weir_meta_graph *m, const char *dir,
                                                const TF_SessionOptions *options,
                                                weir_str run_options, TF_Graph *graph,
                                                TF_Session **out_session);
/* Gives variables that |restore|, an op that calls a function, leaves out the values that the
 * checkpoint has under their names. */
WEIR_CHECKED weir_status weir_saved_model_fill(TF_Session *s, const weir_node *restore,
                                               const char *prefix);

#endif
