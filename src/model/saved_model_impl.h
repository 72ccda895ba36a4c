/* model/saved_model_impl.h - what the files of model/ share of SavedModels. */
#ifndef WEIR_MODEL_SAVED_MODEL_IMPL_H
#define WEIR_MODEL_SAVED_MODEL_IMPL_H

#include "model/saved_model.h"
#include "wire/messages.h"

#define WEIR_INIT_SIGNATURE "__saved_model_init_op"
#define WEIR_INIT_COLLECTION "saved_model_main_op"

/* What the reader of a message said (taken over), as DATA_LOSS. */
WEIR_CHECKED weir_status weir_model_parsed(weir_status read);

/* Gives variables that |restore|, an op that calls a function, leaves out the values that the
 * checkpoint has under their names. */
WEIR_CHECKED weir_status weir_model_restore_objects(weir_session *session, const weir_node *restore,
                                                    const char *prefix);

#endif
