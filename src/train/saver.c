/* train/saver.c - checkpoints of the shared variables, in TensorFlow's format.
 *
 * Every task writes its own variables into a file of its own; then the files become one checkpoint.
 * Pieces of a variable are saved as slices of the whole, so that a checkpoint does not depend on
 * how its variables were cut.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "io/checkpoint.h"
#include "train/train_impl.h"

enum { DEFAULT_KEEP = 5 };

/* ---- nodes ---------------------------------------------------------------------------------- */

/* The variables on one device. */
typedef struct shard {
    const char *device;
    WEIR_VEC(variable *) variables;
} shard;

typedef WEIR_VEC(shard) shards;

static void gather(const weir_trainer *t, shards *out)
{
    for (size_t i = 0; i < t->variables.count; i++) {
        variable *v = t->variables.at[i];
        size_t k = 0;
        if (v->of_worker)
            continue;
        while (k < out->count && strcmp(out->at[k].device, v->device) != 0)
            k++;
        if (k == out->count)
            weir_vec_push(out, (shard){.device = v->device});
        weir_vec_push(&out->at[k].variables, v);
    }
}

static void free_shards(shards *s)
{
    for (size_t i = 0; i < s->count; i++)
        weir_vec_fini(&s->at[i].variables);
    weir_vec_fini(s);
}

/* The names and the slices of a shard's variables, as two vectors of strings. */
static void add_names(weir_builder *b, const shard *s, TF_Output *out_names, TF_Output *out_slices)
{
    int count = (int)s->variables.count;
    const char **names = WEIR_NEW_ARRAY(const char *, 2 * count), **slices = names + count;
    for (int i = 0; i < count; i++) {
        names[i] = s->variables.at[i]->saved_as;
        slices[i] = s->variables.at[i]->slice;
    }
    *out_names = weir_build_strings(b, "tensor_names", names, count);
    *out_slices = weir_build_strings(b, "shape_and_slices", slices, count);
    weir_free(names);
}

/* Gives the name of the file that it writes. */
static TF_Output save_shard(weir_trainer *t, const shard *s, TF_Output prefix, int index, int count)
{
    weir_builder *b = t->b;
    TF_Output *values = WEIR_NEW_ARRAY(TF_Output, s->variables.count), names, slices;
    for (size_t i = 0; i < s->variables.count; i++)
        values[i] = s->variables.at[i]->ref;
    weir_build_push_device(b, s->device);
    TF_Output file = weir_build_op(b, "ShardedFilename", "ShardedFilename",
                                   WEIR_INPUTS(prefix, weir_build_int32(b, "shard", index),
                                               weir_build_int32(b, "num_shards", count)));
    add_names(b, s, &names, &slices);
    TF_OperationDescription *d = weir_build_begin(b, "SaveV2", "SaveV2");
    if (d) {
        TF_AddInput(d, file);
        TF_AddInput(d, names);
        TF_AddInput(d, slices);
        TF_AddInputList(d, values, (int)s->variables.count);
    }
    TF_Operation *saved = weir_build_end(b, d).oper;
    weir_build_push_control(b, saved);
    TF_Output done = weir_build_op(b, "Identity", "saved", &file, 1);
    weir_build_pop_control(b);
    weir_build_pop_device(b);
    weir_free(values);
    return done;
}

static TF_Output pack(weir_builder *b, const TF_Output *parts, int count)
{
    TF_OperationDescription *d = weir_build_begin(b, "Pack", "files");
    if (d)
        TF_AddInputList(d, parts, count);
    return weir_build_end(b, d);
}

/* A folder for the parts that no other chief writes to at the same time. */
static TF_Output add_temporary(weir_trainer *t)
{
    char suffix[64];
    snprintf(suffix, sizeof suffix, "_temp_%016" PRIx64 "/part",
             weir_hash_bytes(&(int64_t){weir_wall_us()}, sizeof(int64_t), (uintptr_t)t));
    TF_Output parts[] = {t->save_path, weir_build_string(t->b, "suffix", suffix)};
    TF_OperationDescription *d = weir_build_begin(t->b, "StringJoin", "temporary");
    if (d)
        TF_AddInputList(d, parts, 2);
    return weir_build_end(t->b, d);
}

static void add_save(weir_trainer *t, const shards *s)
{
    TF_Output *files = WEIR_NEW_ARRAY(TF_Output, s->count);
    weir_build_push_device(t->b, s->at[0].device);
    TF_Output temporary = add_temporary(t);
    weir_build_pop_device(t->b);
    for (size_t i = 0; i < s->count; i++)
        files[i] = save_shard(t, &s->at[i], temporary, (int)i, (int)s->count);
    weir_build_push_device(t->b, s->at[0].device);
    if (!weir_trainer_failed(t))
        t->save = weir_build_op(t->b, "MergeV2Checkpoints", "MergeV2Checkpoints",
                                WEIR_INPUTS(pack(t->b, files, (int)s->count), t->save_path))
                      .oper;
    weir_build_pop_device(t->b);
    weir_free(files);
}

static TF_Operation *restore_shard(weir_trainer *t, const shard *s)
{
    int count = (int)s->variables.count;
    TF_Output names, slices;
    TF_DataType *types = WEIR_NEW_ARRAY(TF_DataType, count);
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, count);
    for (int i = 0; i < count; i++)
        types[i] = s->variables.at[i]->type;
    weir_build_push_device(t->b, s->device);
    add_names(t->b, s, &names, &slices);
    TF_OperationDescription *d = weir_build_begin(t->b, "RestoreV2", "RestoreV2");
    if (d) {
        TF_AddInput(d, t->save_path);
        TF_AddInput(d, names);
        TF_AddInput(d, slices);
        TF_SetAttrTypeList(d, "dtypes", types, count);
    }
    TF_Output read = weir_build_end(t->b, d);
    for (int i = 0; i < count && read.oper; i++)
        done[i] =
            weir_trainer_assign(t, s->variables.at[i], "Assign", (TF_Output){read.oper, i}).oper;
    TF_Operation *all = weir_build_group(t->b, "restore_shard", done, count);
    weir_build_pop_device(t->b);
    weir_free(types);
    weir_free(done);
    return all;
}

void weir_trainer_add_saver(weir_trainer *t)
{
    shards s = {0};
    gather(t, &s);
    if (!s.count) {
        free_shards(&s);
        return;
    }
    weir_build_push_scope(t->b, "save");
    weir_build_push_device(t->b, s.at[0].device);
    t->save_path = weir_build_placeholder(t->b, "Const", TF_STRING, 0, NULL);
    weir_build_pop_device(t->b);
    add_save(t, &s);
    TF_Operation **restored = WEIR_NEW_ARRAY(TF_Operation *, s.count);
    for (size_t i = 0; i < s.count; i++)
        restored[i] = restore_shard(t, &s.at[i]);
    t->restore = weir_build_group(t->b, "restore_all", restored, (int)s.count);
    weir_build_pop_scope(t->b);
    weir_free(restored);
    free_shards(&s);
}

/* ---- files ---------------------------------------------------------------------------------- */

weir_status weir_trainer_latest(weir_trainer *t, char **out_prefix)
{
    weir_checkpoint_state state = {0};
    weir_buf path = {0};
    *out_prefix = NULL;
    weir_buf_addf(&path, "%s/checkpoint", t->options.checkpoint_dir);
    bool there = weir_path_exists(path.at);
    weir_buf_fini(&path);
    if (!there)
        return WEIR_OK;
    WEIR_TRY(weir_checkpoint_state_read(t->options.checkpoint_dir, &state));
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
    while (state->all.count > (size_t)keep) {
        delete_checkpoint(state->all.at[0]);
        weir_free(state->all.at[0]);
        memmove(&state->all.at[0], &state->all.at[1], --state->all.count * sizeof *state->all.at);
    }
}

static weir_status write_state(weir_trainer *t, const char *prefix)
{
    weir_checkpoint_state state = {0};
    const char *dir = t->options.checkpoint_dir;
    weir_status_free(weir_checkpoint_state_read(dir, &state)); /* none, or none that can be read */
    advance(&state, prefix, t->options.keep > 0 ? t->options.keep : DEFAULT_KEEP);
    weir_status s = weir_checkpoint_state_write(dir, &state);
    weir_checkpoint_state_fini(&state);
    return s;
}

weir_status weir_trainer_save_now(weir_trainer *t, char *path, size_t path_bytes)
{
    if (!t->options.checkpoint_dir || !t->save)
        return weir_error(WEIR_FAILED_PRECONDITION, "The trainer has no folder for checkpoints");
    weir_buf prefix = {0};
    weir_buf_addf(&prefix, "%s/model.ckpt-%" PRId64, t->options.checkpoint_dir, t->at);
    TF_Tensor *value = weir_build_string_tensor((const char *const *)&prefix.at, 1, true);
    weir_status s = weir_dir_create_all(t->options.checkpoint_dir);
    if (!s)
        s = weir_trainer_run_fed(t, t->save_path, value, t->save);
    if (!s)
        s = write_state(t, prefix.at);
    weir_build_delete_tensor(value);
    if (!s) {
        t->saved_step = t->at;
        t->saved_ns = weir_now_ns();
        if (path)
            snprintf(path, path_bytes, "%s", prefix.at);
        for (size_t i = 0; i < t->hooks.count; i++)
            if (t->hooks.at[i].hook.saved)
                t->hooks.at[i].hook.saved(t->hooks.at[i].hook.arg, t, prefix.at);
    }
    weir_buf_fini(&prefix);
    return s;
}
