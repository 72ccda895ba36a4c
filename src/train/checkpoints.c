/* train/checkpoints.c - the "checkpoint" file of a folder: which is the latest, which are kept. */
#include <string.h>

#include "base/str.h"
#include "io/checkpoint.h"
#include "train/train_impl.h"

enum { DEFAULT_KEEP = 5 };

weir_status weir_train_latest(const char *dir, char **out_prefix)
{
    weir_checkpoint_state state = {0};
    weir_buf path = {0};
    *out_prefix = NULL;
    weir_buf_addf(&path, "%s/checkpoint", dir);
    bool there = weir_path_exists(path.at);
    weir_buf_fini(&path);
    if (!there)
        return WEIR_OK;
    WEIR_TRY(weir_checkpoint_state_read(dir, &state));
    if (state.latest)
        *out_prefix = weir_strdup(state.latest);
    weir_checkpoint_state_fini(&state);
    return WEIR_OK;
}

static void delete_checkpoint(const char *prefix)
{
    weir_buf pattern = {0};
    weir_paths files = {0};
    static const char *const endings[] = {".index", ".meta", ".data-*"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        pattern.length = 0;
        weir_buf_addf(&pattern, "%s%s", prefix, endings[i]);
        weir_status_free(weir_glob(pattern.at, &files));
    }
    for (size_t i = 0; i < files.count; i++)
        weir_status_free(weir_path_delete(files.at[i]));
    weir_paths_fini(&files);
    weir_buf_fini(&pattern);
}

/* Adds |prefix| as the latest and drops what is more than enough. */
static void advance(weir_checkpoint_state *state, const char *prefix, int keep)
{
    for (size_t i = 0; i < state->all.count; i++)
        if (strcmp(state->all.at[i], prefix) == 0) {
            weir_free(state->all.at[i]);
            memmove(&state->all.at[i], &state->all.at[i + 1],
                    (--state->all.count - i) * sizeof *state->all.at);
            break;
        }
    weir_vec_push(&state->all, weir_strdup(prefix));
    weir_free(state->latest);
    state->latest = weir_strdup(prefix);
    state->times.count = 0;
    while (keep > 0 && state->all.count > (size_t)keep) {
        delete_checkpoint(state->all.at[0]);
        weir_free(state->all.at[0]);
        memmove(&state->all.at[0], &state->all.at[1], --state->all.count * sizeof *state->all.at);
    }
}

weir_status weir_train_note(const char *dir, const char *prefix, int keep)
{
    weir_checkpoint_state state = {0};
    weir_status_free(weir_checkpoint_state_read(dir, &state)); /* none, or none that can be read */
    advance(&state, prefix, keep ? keep : DEFAULT_KEEP);
    weir_status s = weir_checkpoint_state_write(dir, &state);
    weir_checkpoint_state_fini(&state);
    return s;
}
