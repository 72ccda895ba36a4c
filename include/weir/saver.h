/* weir/saver.h - checkpoints of a graph's variables, in TensorFlow's format.
 *
 * A saver adds nodes that save and restore variables of either kind, and runs them in a session: of
 * this process or of a cluster, where every task writes its own variables. Trainers have their own
 * (weir/train.h); checkpoints without a graph are weir/checkpoint.h.
 */
#ifndef WEIR_SAVER_H
#define WEIR_SAVER_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_saver weir_saver;

typedef struct weir_saver_options {
    const TF_Output *variables; /* outputs of VariableV2 or VarHandleOp; null: all of the graph */
    const char *const *names;   /* in checkpoints; null: those of the variables */
    int count;
    int keep; /* number of checkpoints; 0: 5, below 0: all */
} weir_saver_options;

/* Never null: errors go to the builder. |options| may be null. */
TF_CAPI_EXPORT extern weir_saver *weir_saver_new(weir_builder *b,
                                                 const weir_saver_options *options);
TF_CAPI_EXPORT extern void weir_saver_delete(weir_saver *s); /* takes null */

/* Writes PREFIX-STEP, or PREFIX when |step| is below 0, records it in the "checkpoint" file of its
 * folder as the latest, and deletes the oldest ones beyond |keep|. */
TF_CAPI_EXPORT extern void weir_saver_save(weir_saver *s, TF_Session *session, const char *prefix,
                                           int64_t step, TF_Status *status);
/* Restores every variable from the checkpoint. */
TF_CAPI_EXPORT extern void weir_saver_restore(weir_saver *s, TF_Session *session,
                                              const char *checkpoint, TF_Status *status);
/* The same from the latest of a folder. False with TF_OK when the folder has none. */
TF_CAPI_EXPORT extern bool weir_saver_restore_latest(weir_saver *s, TF_Session *session,
                                                     const char *dir, TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
