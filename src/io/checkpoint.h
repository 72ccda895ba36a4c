/* io/checkpoint.h - a checkpoint of either format, read by name, and the file that lists them.
 *
 * Format V2 is io/bundle.h. Format V1, of older programs, is one table file, or several that match
 * a pattern; it can be written, too, because the old ops write it. An open checkpoint is
 * thread-safe.
 */
#ifndef WEIR_IO_CHECKPOINT_H
#define WEIR_IO_CHECKPOINT_H

#include "io/bundle.h"
#include "io/file.h"

typedef struct weir_checkpoint weir_checkpoint;
/* |prefix| names a V2 checkpoint, or the file or pattern of files of a V1 one. */
WEIR_CHECKED weir_status weir_checkpoint_open(const char *prefix, weir_checkpoint **out_checkpoint);
void weir_checkpoint_destroy(weir_checkpoint *checkpoint); /* takes null */
WEIR_OWNABLE(weir_checkpoint);
size_t weir_checkpoint_count(const weir_checkpoint *checkpoint);
weir_tensor_info weir_checkpoint_at(const weir_checkpoint *checkpoint, size_t i);
bool weir_checkpoint_find(const weir_checkpoint *checkpoint, weir_str name,
                          weir_tensor_info *out_info);
WEIR_CHECKED weir_status weir_checkpoint_read(weir_checkpoint *checkpoint, weir_str name,
                                              const weir_slice *slice, weir_tensor *out_tensor);

/* ---- format V1 ------------------------------------------------------------------------------- */

typedef struct weir_v1 weir_v1;
WEIR_CHECKED weir_status weir_v1_open(const char *pattern, weir_v1 **out_v1);
void weir_v1_destroy(weir_v1 *v1); /* takes null */
WEIR_OWNABLE(weir_v1);
size_t weir_v1_count(const weir_v1 *v1);
weir_tensor_info weir_v1_at(const weir_v1 *v1, size_t i);
bool weir_v1_find(const weir_v1 *v1, weir_str name, weir_tensor_info *out_info);
WEIR_CHECKED weir_status weir_v1_read(weir_v1 *v1, weir_str name, const weir_slice *slice,
                                      weir_tensor *out_tensor);

/* One tensor, or one slice of one, to be saved in format V1. */
typedef struct weir_v1_part {
    weir_str name;
    weir_shape full;
    weir_slice slice;
    const weir_tensor *tensor;
} weir_v1_part;
WEIR_CHECKED weir_status weir_v1_write(const char *path, const weir_v1_part *parts, size_t count);

/* ---- the "checkpoint" file of a folder ------------------------------------------------------- */

typedef struct weir_checkpoint_state {
    char *latest;           /* model_checkpoint_path; null when absent */
    weir_paths all;         /* all_model_checkpoint_paths, oldest first */
    WEIR_VEC(double) times; /* all_model_checkpoint_timestamps; may be empty */
    double last_preserved;
} weir_checkpoint_state;
void weir_checkpoint_state_fini(weir_checkpoint_state *state);
/* Parses and formats the text of the file: a pure codec. */
WEIR_CHECKED weir_status weir_checkpoint_state_parse(weir_str text, weir_checkpoint_state *out);
WEIR_CHECKED weir_status weir_checkpoint_state_print(const weir_checkpoint_state *state,
                                                     weir_buf *out);
/* Reads or replaces DIR/checkpoint. Paths inside |dir| are stored relative to it; reading prepends
 * |dir|. */
WEIR_CHECKED weir_status weir_checkpoint_state_read(const char *dir, weir_checkpoint_state *out);
WEIR_CHECKED weir_status weir_checkpoint_state_write(const char *dir,
                                                     const weir_checkpoint_state *state);
/* Makes |prefix| the latest in DIR/checkpoint. Then removes the oldest of those listed until
 * |keep| are left (0: keeps all), and files of unfinished checkpoints that are older than a
 * day. */
WEIR_CHECKED weir_status weir_checkpoint_state_advance(const char *dir, const char *prefix,
                                                       int keep);
/* Removes the oldest checkpoint listed in DIR/checkpoint to free space, but never the only one.
 * *out_removed is false when there was nothing to remove. */
WEIR_CHECKED weir_status weir_checkpoint_state_remove_oldest(const char *dir, bool *out_removed);
/* Removes a folder "x_temp_..." with the parts of an unfinished checkpoint. */
void weir_checkpoint_remove_parts(const char *folder);
/* Removes the files of a checkpoint of either format. */
WEIR_CHECKED weir_status weir_checkpoint_remove(const char *prefix);

#endif
