/* weir/checkpoint.h - write, list, rotate and convert checkpoints without a graph.
 *
 * A checkpoint of format V2 is PREFIX.index and PREFIX.data-SSSSS-of-NNNNN. Writing is atomic, even
 * if the process dies; an older checkpoint of the same prefix stays until then. Reading is
 * TF_NewCheckpointReader (c_api_experimental.h), for V1 too.
 */
#ifndef WEIR_CHECKPOINT_H
#define WEIR_CHECKPOINT_H

#include "tensorflow/c/c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Saves tensors by name. */
TF_CAPI_EXPORT extern void weir_checkpoint_save(const char *prefix, const char *const *names,
                                                TF_Tensor *const *tensors, int count,
                                                TF_Status *status);

/* Records |prefix| in DIR/checkpoint as the latest, then deletes the oldest ones listed there until
 * |keep| are left (0: all are kept). */
TF_CAPI_EXPORT extern void weir_checkpoint_advance(const char *dir, const char *prefix, int keep,
                                                   TF_Status *status);
/* The path of the latest checkpoint in DIR/checkpoint, as a buffer (terminated, not counted); null
 * with TF_OK when there is none. The caller deletes it. */
TF_CAPI_EXPORT extern TF_Buffer *weir_checkpoint_latest(const char *dir, TF_Status *status);
/* Removes the files of a checkpoint. */
TF_CAPI_EXPORT extern void weir_checkpoint_delete(const char *prefix, TF_Status *status);

typedef enum weir_checkpoint_format {
    WEIR_CHECKPOINT_V2,
    WEIR_CHECKPOINT_V1,
    WEIR_CHECKPOINT_NPZ, /* numpy's format: an array per tensor; strings as fixed-size bytes */
} weir_checkpoint_format;

/* Reads |from|, a checkpoint of any format or an .npz, and writes its tensors to |to|. */
TF_CAPI_EXPORT extern void weir_checkpoint_convert(const char *from, const char *to,
                                                   weir_checkpoint_format format,
                                                   TF_Status *status);

#ifdef __cplusplus
}
#endif
#endif
