/* io/checkpoint_keep.c - deletes old checkpoints of a folder. */
#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "io/checkpoint.h"
#include "io/root.h"

enum { OLD_SECONDS = 24 * 3600 }; /* temporary files unchanged for longer are abandoned */

/* Suffixes of a checkpoint's files. */
static const char *const endings[] = {".index", ".meta", ".data-[0-9]*"};

weir_status weir_checkpoint_remove(const char *prefix)
{
    WEIR_BUF(pattern);
    weir_paths files = {0};
    weir_status status = WEIR_OK;
    /* The index first: without it the rest is not a checkpoint. */
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !status; i++) {
        pattern.length = 0;
        for (const char *cursor = prefix; *cursor; cursor++) {
            if (strchr("*?[\\", *cursor))
                weir_buf_addc(&pattern, '\\');
            weir_buf_addc(&pattern, *cursor);
        }
        weir_buf_adds(&pattern, endings[i]);
        status = weir_glob(pattern.at, &files);
    }
    if (!status && weir_path_exists(prefix) && !weir_path_is_dir(prefix)) /* of format V1 */
        weir_vec_push(&files, weir_strdup(prefix));
    for (size_t i = 0; i < files.count && !status; i++)
        status = weir_path_delete(files.at[i]);
    weir_paths_fini(&files);
    return status;
}

static void drop(weir_checkpoint_state *state, size_t i)
{
    bool timed = state->times.count == state->all.count;
    weir_free(state->all.at[i]);
    state->all.count--;
    memmove(&state->all.at[i], &state->all.at[i + 1],
            (state->all.count - i) * sizeof *state->all.at);
    if (timed) {
        state->times.count--;
        memmove(&state->times.at[i], &state->times.at[i + 1],
                (state->times.count - i) * sizeof *state->times.at);
    }
}

static void add_latest(weir_checkpoint_state *state, const char *prefix)
{
    double now = (double)weir_wall_us() / 1e6;
    for (size_t i = state->all.count; i-- > 0;)
        if (strcmp(state->all.at[i], prefix) == 0)
            drop(state, i);
    if (state->times.count == state->all.count)
        weir_vec_push(&state->times, now);
    else
        state->times.count = 0; /* times were missing */
    weir_vec_push(&state->all, weir_strdup(prefix));
    weir_free(state->latest);
    state->latest = weir_strdup(prefix);
}

/* ---- files of killed processes --------------------------------------------------------------- */

static bool is_old(const char *path)
{
    struct stat st;
    return weir_root_stat(path, &st) == 0 && time(NULL) - st.st_mtime > OLD_SECONDS;
}

/* "x_temp_0123456789abcdef": a folder for the parts of a checkpoint before they are merged. */
static bool is_temporary_folder(const char *name)
{
    const char *at = strstr(name, "_temp_");
    size_t digits = 0;
    for (at = at ? at + 6 : ""; isxdigit((unsigned char)at[digits]);)
        digits++;
    return digits >= 16 && !at[digits];
}

void weir_checkpoint_remove_parts(const char *path)
{
    WEIR_BUF(pattern);
    weir_paths parts = {0};
    weir_buf_addf(&pattern, "%s/part-*", path);
    weir_status_free(weir_glob(pattern.at, &parts));
    for (size_t i = 0; i < parts.count; i++)
        weir_status_free(weir_path_delete(parts.at[i]));
    weir_status_free(weir_dir_delete(path)); /* fails if it contains anything else */
    weir_paths_fini(&parts);
}

/* Removes old files of unfinished checkpoints. */
static void sweep(const char *dir)
{
    weir_paths names = {0};
    WEIR_BUF(path);
    weir_status_free(weir_dir_list(*dir ? dir : ".", &names));
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.at[i];
        bool folder = is_temporary_folder(name);
        if (!folder && !strstr(name, ".tempstate"))
            continue;
        path.length = 0;
        weir_buf_addf(&path, "%s%s%s", dir, *dir ? "/" : "", name);
        if (!is_old(path.at))
            continue;
        if (folder)
            weir_checkpoint_remove_parts(path.at);
        else
            weir_status_free(weir_path_delete(path.at));
    }
    weir_paths_fini(&names);
}

weir_status weir_checkpoint_state_advance(const char *dir, const char *prefix, int keep)
{
    weir_checkpoint_state state = {0};
    weir_paths old = {0};
    weir_status_free(weir_checkpoint_state_read(dir, &state)); /* none, or unreadable */
    add_latest(&state, prefix);
    while (keep > 0 && state.all.count > (size_t)keep) {
        weir_vec_push(&old, weir_strdup(state.all.at[0]));
        drop(&state, 0);
    }
    /* Write the shortened list before deleting anything. */
    weir_status status = weir_checkpoint_state_write(dir, &state);
    for (size_t i = 0; i < old.count && !status; i++)
        weir_status_free(weir_checkpoint_remove(old.at[i])); /* may be deleted already */
    weir_paths_fini(&old);
    weir_checkpoint_state_fini(&state);
    sweep(dir);
    return status;
}

weir_status weir_checkpoint_state_remove_oldest(const char *dir, bool *out_removed)
{
    weir_checkpoint_state state = {0};
    weir_status_free(weir_checkpoint_state_read(dir, &state));
    *out_removed = state.all.count > 1;
    WEIR_FREED char *oldest = *out_removed ? weir_strdup(state.all.at[0]) : NULL;
    weir_status status = WEIR_OK;
    if (oldest) {
        drop(&state, 0);
        status = weir_checkpoint_state_write(dir, &state);
    }
    /* If the list could not be written (disk full), the file still names what is deleted here; it
     * is not the latest. */
    if (oldest) {
        weir_status_free(weir_checkpoint_remove(oldest));
        if (status) {
            weir_status_free(status);
            status = weir_checkpoint_state_write(dir, &state);
        }
    }
    weir_checkpoint_state_fini(&state);
    return status;
}
