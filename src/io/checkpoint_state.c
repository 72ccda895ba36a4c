/* io/checkpoint_state.c - the text file "checkpoint" that lists the checkpoints of a folder. */
#include <stdio.h>
#include <stdlib.h>

#include "io/checkpoint.h"
#include "wire/messages.h"

enum { MAX_FILE = 16 << 20 };

void weir_checkpoint_state_fini(weir_checkpoint_state *state)
{
    weir_free(state->latest);
    weir_paths_fini(&state->all);
    weir_vec_fini(&state->times);
    *state = (weir_checkpoint_state){0};
}

static const weir_message_type *state_type(void)
{
    return &weir_message_types[WEIR_INDEX_checkpoint_state];
}

static char *string_of(weir_str text)
{
    return weir_strndup(text.at, text.length);
}

weir_status weir_checkpoint_state_parse(weir_str text, weir_checkpoint_state *out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(bytes);
    weir_msg_checkpoint_state state;
    weir_status damage = weir_message_parse(state_type(), text, &bytes);
    if (!damage)
        damage = weir_msg_checkpoint_state_read(weir_view(&bytes), &arena, &state);
    WEIR_TRY(weir_status_prefix(weir_file_damaged(damage), "Unparseable CheckpointState: "));
    *out = (weir_checkpoint_state){.last_preserved = state.last_preserved_timestamp};
    if (state.model_checkpoint_path.length)
        out->latest = string_of(state.model_checkpoint_path);
    for (size_t i = 0; i < state.all_model_checkpoint_paths.count; i++)
        weir_vec_push(&out->all, string_of(state.all_model_checkpoint_paths.at[i]));
    for (size_t i = 0; i < state.all_model_checkpoint_timestamps.count; i++)
        weir_vec_push(&out->times, state.all_model_checkpoint_timestamps.at[i]);
    return WEIR_OK;
}

weir_status weir_checkpoint_state_print(const weir_checkpoint_state *state, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    WEIR_BUF(bytes);
    weir_str *paths = WEIR_ARENA_ARRAY(&arena, weir_str, state->all.count);
    for (size_t i = 0; i < state->all.count; i++)
        paths[i] = weir_str_of(state->all.at[i]);
    weir_msg_checkpoint_state_write(
        &(weir_msg_checkpoint_state){
            .model_checkpoint_path = weir_str_of(state->latest ? state->latest : ""),
            .all_model_checkpoint_paths = {paths, state->all.count},
            .all_model_checkpoint_timestamps = {state->times.at, state->times.count},
            .last_preserved_timestamp = state->last_preserved,
        },
        &bytes);
    return weir_message_print(state_type(), weir_view(&bytes), out);
}

static char *state_file(const char *dir)
{
    weir_buf name = {0};
    weir_buf_addf(&name, "%s%scheckpoint", dir, *dir ? "/" : "");
    return weir_buf_take(&name);
}

static void make_absolute(const char *dir, char **path)
{
    if (!*path || **path == '/' || !*dir)
        return;
    weir_buf full = {0};
    weir_buf_addf(&full, "%s/%s", dir, *path);
    weir_free(*path);
    *path = weir_buf_take(&full);
}

weir_status weir_checkpoint_state_read(const char *dir, weir_checkpoint_state *out)
{
    WEIR_FREED char *name = state_file(dir);
    WEIR_BUF(text);
    weir_status status = weir_file_read_all(name, MAX_FILE, &text);
    if (!status)
        status = weir_checkpoint_state_parse(weir_view(&text), out);
    WEIR_TRY(status);
    make_absolute(dir, &out->latest);
    for (size_t i = 0; i < out->all.count; i++)
        make_absolute(dir, &out->all.at[i]);
    return WEIR_OK;
}

/* |path| without |dir| in front, when it is inside. */
static char *relative(const char *dir, char *path)
{
    size_t length = strlen(dir);
    return path && length && strncmp(path, dir, length) == 0 && path[length] == '/'
               ? path + length + 1
               : path;
}

weir_status weir_checkpoint_state_write(const char *dir, const weir_checkpoint_state *state)
{
    weir_checkpoint_state near = *state;
    near.latest = relative(dir, state->latest);
    near.all.at = WEIR_NEW_ARRAY(char *, state->all.count);
    for (size_t i = 0; i < state->all.count; i++)
        near.all.at[i] = relative(dir, state->all.at[i]);
    WEIR_BUF(text);
    WEIR_FREED char *name = state_file(dir);
    weir_status status = weir_checkpoint_state_print(&near, &text);
    if (!status)
        status = weir_file_write_all(name, text.at, text.length);
    weir_free(near.all.at);
    return status;
}
