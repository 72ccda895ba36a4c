/* model/saved_model_impl.h - shared by the SavedModel files of model/. */
#ifndef WEIR_MODEL_SAVED_MODEL_IMPL_H
#define WEIR_MODEL_SAVED_MODEL_IMPL_H

#include "model/saved_model.h"
#include "wire/messages.h"

#define WEIR_INIT_SIGNATURE "__saved_model_init_op"
#define WEIR_INIT_COLLECTION "saved_model_main_op"

/* Converts a parser's error (takes ownership) to DATA_LOSS. */
WEIR_CHECKED weir_status weir_model_parsed(weir_status read);

/* Restores variables that |restore|, an op that calls a function, does not restore, from the
 * checkpoint's values under their names. */
WEIR_CHECKED weir_status weir_model_restore_objects(weir_session *session, const weir_node *restore,
                                                    const char *prefix);

#endif
