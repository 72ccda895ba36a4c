/* train/checkpoints.c - the "checkpoint" file of a folder: the latest and the kept checkpoints. */
#include "base/str.h"
#include "io/checkpoint.h"
#include "train/train_impl.h"

enum { DEFAULT_KEEP = 5 };

weir_status weir_train_latest(const char *dir, char **out_prefix)
{
    weir_checkpoint_state state = {0};
    WEIR_BUF(path);
    *out_prefix = NULL;
    weir_buf_addf(&path, "%s/checkpoint", dir);
    bool there = weir_path_exists(path.at);
    if (!there)
        return WEIR_OK;
    WEIR_TRY(weir_checkpoint_state_read(dir, &state));
    if (state.latest)
        *out_prefix = weir_strdup(state.latest);
    weir_checkpoint_state_fini(&state);
    return WEIR_OK;
}

weir_status weir_train_note(const char *dir, const char *prefix, int keep)
{
    return weir_checkpoint_state_advance(dir, prefix, keep ? keep : DEFAULT_KEEP);
}
