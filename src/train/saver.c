/* train/saver.c - nodes that save and restore variables, and sessions that run them.
 *
 * Every task writes its own variables into its own file; then the files are merged into one
 * checkpoint. Partitions of a variable are saved as slices of the full tensor, so that a checkpoint
 * does not depend on the partitioning.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "train/train_impl.h"
#include "weir/ops/io.h"
#include "weir/ops/state.h"

/* ---- saved variables ------------------------------------------------------------------------- */

void weir_saver_add(weir_saver *saver, const saved *what)
{
    saved copy = *what;
    copy.name = weir_strdup(what->name);
    copy.slice = weir_strdup(what->slice ? what->slice : "");
    weir_vec_push(&saver->all, copy);
}

static bool is_variable(const TF_Operation *op)
{
    static const char *const types[] = {"VariableV2", "Variable", "VarHandleOp"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(TF_OperationOpType((TF_Operation *)op), types[i]) == 0)
            return true;
    return false;
}

/* The name in TensorFlow's saver: the node's, or the shared name of a resource. */
static void add_output(weir_builder *builder, weir_saver *saver, TF_Output variable,
                       const char *name)
{
    char shared[512] = "";
    TF_Status *status = TF_NewStatus();
    saved saved = {.variable = variable, .device = TF_OperationDevice(variable.oper)};
    saved.resource = TF_OperationOutputType(variable) == TF_RESOURCE;
    TF_OperationGetAttrType(variable.oper, "dtype", &saved.type, status);
    if (TF_GetCode(status) == TF_OK && saved.resource && !name)
        TF_OperationGetAttrString(variable.oper, "shared_name", shared, sizeof shared - 1, status);
    weir_build_fail(builder, TF_GetCode(status), TF_Message(status));
    saved.name = name ? name : *shared ? shared : TF_OperationName(variable.oper);
    weir_saver_add(saver, &saved);
    TF_DeleteStatus(status);
}

static void add_asked(weir_builder *builder, weir_saver *saver, const weir_saver_options *options)
{
    for (int i = 0; i < options->count; i++) {
        TF_Operation *op = options->variables[i].oper;
        while (op && strcmp(TF_OperationOpType(op), "Identity") == 0) /* the value of a variable */
            op = TF_OperationInput((TF_Input){op, 0}).oper;
        if (op && is_variable(op))
            add_output(builder, saver, (TF_Output){op, 0},
                       options->names ? options->names[i] : NULL);
        else
            weir_build_fail(builder, TF_INVALID_ARGUMENT, "A saver takes variables only");
    }
}

static void add_all(weir_builder *builder, weir_saver *saver)
{
    size_t position = 0;
    TF_Operation *op;
    while ((op = TF_GraphNextOperation(weir_build_graph(builder), &position)))
        if (is_variable(op))
            add_output(builder, saver, (TF_Output){op, 0}, NULL);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* The variables on one device. */
typedef struct shard {
    const char *device;
    WEIR_VEC(const saved *) variables;
} shard;

typedef WEIR_VEC(shard) shards;

static void gather(const weir_saver *saver, shards *out)
{
    for (size_t i = 0; i < saver->all.count; i++) {
        const saved *saved = &saver->all.at[i];
        size_t k = 0;
        while (k < out->count && strcmp(out->at[k].device, saved->device) != 0)
            k++;
        if (k == out->count)
            weir_vec_push(out, (shard){.device = saved->device});
        weir_vec_push(&out->at[k].variables, saved);
    }
}

static void free_shards(shards *shards)
{
    for (size_t i = 0; i < shards->count; i++)
        weir_vec_fini(&shards->at[i].variables);
    weir_vec_fini(shards);
}

/* The names and the slices of a shard's variables, as two vectors of strings. */
static void add_names(weir_builder *builder, const shard *shard, TF_Output *out_names,
                      TF_Output *out_slices)
{
    int count = (int)shard->variables.count;
    const char **names = WEIR_NEW_ARRAY(const char *, 2 * count), **slices = names + count;
    for (int i = 0; i < count; i++) {
        names[i] = shard->variables.at[i]->name;
        slices[i] = shard->variables.at[i]->slice;
    }
    *out_names = weir_build_strings(builder, "tensor_names", names, count);
    *out_slices = weir_build_strings(builder, "shape_and_slices", slices, count);
    weir_free(names);
}

/* Returns the name of the file that it writes. */
static TF_Output save_shard(weir_builder *builder, const shard *shard, TF_Output prefix, int index,
                            int count)
{
    int total = (int)shard->variables.count;
    TF_Output *values = WEIR_NEW_ARRAY(TF_Output, total), names, slices;
    weir_build_push_device(builder, shard->device);
    for (int i = 0; i < total; i++) {
        const saved *saved = shard->variables.at[i];
        values[i] = saved->resource
                        ? weir_read_variable_op(builder, "Read", saved->variable, saved->type)
                        : saved->variable;
    }
    TF_Output file = weir_sharded_filename(builder, "ShardedFilename", prefix,
                                           weir_build_int32(builder, "shard", index),
                                           weir_build_int32(builder, "num_shards", count));
    add_names(builder, shard, &names, &slices);
    TF_Operation *done = weir_save_v2(builder, "SaveV2", file, names, slices, values, total);
    weir_build_push_control(builder, done);
    TF_Output written = weir_build_op(builder, "Identity", "saved", &file, 1);
    weir_build_pop_control(builder);
    weir_build_pop_device(builder);
    weir_free(values);
    return written;
}

static TF_Output pack(weir_builder *builder, const TF_Output *parts, int count)
{
    TF_OperationDescription *description = weir_build_begin(builder, "Pack", "files");
    weir_build_input_list(builder, description, parts, count);
    return weir_build_end(builder, description);
}

/* A folder for the parts that no other chief uses at the same time. */
static TF_Output add_temporary(weir_builder *builder, weir_saver *saver)
{
    char suffix[64];
    snprintf(saver->parts, sizeof saver->parts, "_temp_%016" PRIx64,
             weir_hash_bytes(&(int64_t){weir_wall_us()}, sizeof(int64_t), (uintptr_t)saver));
    snprintf(suffix, sizeof suffix, "%s/part", saver->parts);
    TF_Output parts[] = {saver->path, weir_build_string(builder, "suffix", suffix)};
    TF_OperationDescription *description = weir_build_begin(builder, "StringJoin", "temporary");
    weir_build_input_list(builder, description, parts, 2);
    return weir_build_end(builder, description);
}

static void add_save(weir_builder *builder, weir_saver *saver, const shards *all)
{
    int count = (int)all->count;
    TF_Output *files = WEIR_NEW_ARRAY(TF_Output, count);
    weir_build_push_device(builder, all->at[0].device);
    TF_Output temporary = add_temporary(builder, saver);
    weir_build_pop_device(builder);
    for (int i = 0; i < count; i++)
        files[i] = save_shard(builder, &all->at[i], temporary, i, count);
    weir_build_push_device(builder, all->at[0].device);
    saver->save = weir_merge_v2_checkpoints(builder, "MergeV2Checkpoints",
                                            pack(builder, files, count), saver->path, NULL);
    weir_build_pop_device(builder);
    weir_free(files);
}

static TF_Operation *set_variable(weir_builder *builder, const saved *saved, TF_Output value)
{
    if (saved->resource)
        return weir_assign_variable_op(builder, "Assign", saved->variable, value, NULL);
    return weir_assign(builder, "Assign", saved->variable, value, NULL).oper;
}

static TF_Operation *restore_shard(weir_builder *builder, const weir_saver *saver,
                                   const shard *part)
{
    int count = (int)part->variables.count;
    TF_Output names, slices;
    TF_DataType *types = WEIR_NEW_ARRAY(TF_DataType, count);
    TF_Operation **done = WEIR_NEW_ARRAY(TF_Operation *, count);
    for (int i = 0; i < count; i++)
        types[i] = part->variables.at[i]->type;
    weir_build_push_device(builder, part->device);
    add_names(builder, part, &names, &slices);
    weir_outputs read =
        weir_restore_v2(builder, "RestoreV2", saver->path, names, slices, types, count);
    for (int i = 0; i < count && read.oper; i++)
        done[i] = set_variable(builder, part->variables.at[i], weir_output_at(read, i));
    TF_Operation *all = weir_build_group(builder, "restore_shard", done, count);
    weir_build_pop_device(builder);
    weir_free(types);
    weir_free(done);
    return all;
}

void weir_saver_build(weir_builder *builder, weir_saver *saver)
{
    shards all = {0};
    gather(saver, &all);
    if (!all.count)
        return;
    weir_build_push_scope(builder, "save");
    weir_build_push_device(builder, all.at[0].device);
    saver->path = weir_build_placeholder(builder, "Const", TF_STRING, 0, NULL);
    weir_build_pop_device(builder);
    add_save(builder, saver, &all);
    TF_Operation **restored = WEIR_NEW_ARRAY(TF_Operation *, all.count);
    for (size_t i = 0; i < all.count; i++)
        restored[i] = restore_shard(builder, saver, &all.at[i]);
    saver->restore = weir_build_group(builder, "restore_all", restored, (int)all.count);
    weir_build_pop_scope(builder);
    weir_free(restored);
    free_shards(&all);
}

/* ---- client side ----------------------------------------------------------------------------- */

weir_saver *weir_saver_new(weir_builder *builder, const weir_saver_options *options)
{
    static const weir_saver_options usual = {0};
    weir_saver *saver = WEIR_NEW(weir_saver);
    options = options ? options : &usual;
    saver->keep = options->keep;
    if (options->variables)
        add_asked(builder, saver, options);
    else
        add_all(builder, saver);
    if (!saver->all.count)
        weir_build_fail(builder, TF_FAILED_PRECONDITION, "There are no variables to save");
    if (TF_GetCode(weir_build_status(builder)) == TF_OK)
        weir_saver_build(builder, saver);
    return saver;
}

void weir_saver_delete(weir_saver *saver)
{
    if (!saver)
        return;
    for (size_t i = 0; i < saver->all.count; i++) {
        weir_free((char *)saver->all.at[i].name);
        weir_free((char *)saver->all.at[i].slice);
    }
    weir_vec_fini(&saver->all);
    weir_free(saver);
}

/* Runs |op| with |path| fed. */
static bool run(const weir_saver *saver, TF_Session *session, const char *path, TF_Operation *op,
                TF_Status *status)
{
    if (!op) {
        TF_SetStatus(status, TF_FAILED_PRECONDITION, "The saver's nodes could not be built");
        return false;
    }
    TF_Tensor *value = weir_build_string_tensor(&path, 1, true);
    TF_SessionRun(session, NULL, &saver->path, &value, 1, NULL, NULL, 0,
                  (const TF_Operation *const *)&op, 1, NULL, status);
    weir_build_delete_tensor(value);
    return TF_GetCode(status) == TF_OK;
}

/* The folder of a path, which the caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return weir_strdup(".");
    return weir_strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

bool weir_saver_make_room(const weir_saver *saver, const char *dir, const char *path, TF_Code why)
{
    bool more = false;
    WEIR_BUF(parts);
    weir_buf_addf(&parts, "%s%s", path, saver->parts);
    weir_checkpoint_remove_parts(parts.at);
    if (why == TF_RESOURCE_EXHAUSTED)
        weir_status_free(weir_checkpoint_state_remove_oldest(dir, &more));
    return more;
}

/* If the disk is full, deletes the oldest checkpoints one by one, until there is enough space or
 * only the latest is left. */
static bool save_with_room(const weir_saver *saver, TF_Session *session, const char *dir,
                           const char *path, TF_Status *status)
{
    while (!run(saver, session, path, saver->save, status))
        if (!weir_saver_make_room(saver, dir, path, TF_GetCode(status)))
            return false;
    return true;
}

void weir_saver_save(weir_saver *saver, TF_Session *session, const char *prefix, int64_t step,
                     TF_Status *status)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, step < 0 ? "%s" : "%s-%" PRId64, prefix, step);
    char *dir = folder_of(path.at);
    if (weir_capi_end(status, weir_dir_create_all(dir)) &&
        save_with_room(saver, session, dir, path.at, status))
        weir_capi_end(status, weir_train_note(dir, path.at, saver->keep));
    weir_free(dir);
}

void weir_saver_restore(weir_saver *saver, TF_Session *session, const char *checkpoint,
                        TF_Status *status)
{
    run(saver, session, checkpoint, saver->restore, status);
}

bool weir_saver_restore_latest(weir_saver *saver, TF_Session *session, const char *dir,
                               TF_Status *status)
{
    char *latest;
    if (!weir_capi_end(status, weir_train_latest(dir, &latest)) || !latest)
        return false;
    weir_saver_restore(saver, session, latest, status);
    weir_free(latest);
    return TF_GetCode(status) == TF_OK;
}
