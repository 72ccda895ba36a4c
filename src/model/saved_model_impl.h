/* model/saved_model_impl.h - a SavedModel's messages, as far as model/ needs them. */
#ifndef WEIR_MODEL_SAVED_MODEL_IMPL_H
#define WEIR_MODEL_SAVED_MODEL_IMPL_H

#include "model/saved_model.h"
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

/* The first LEN field |field| of a message; empty when absent. */
weir_str weir_message_get(weir_str message, uint32_t field);

/* Gives variables that |restore|, an op that calls a function, leaves out the values that the
 * checkpoint has under their names. */
WEIR_CHECKED weir_status weir_model_restore_objects(weir_session *session, const weir_node *restore,
                                                    const char *prefix);

#endif
