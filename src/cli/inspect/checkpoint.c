/* cli/inspect/checkpoint.c - checkpoints: by prefix, by one of their files, or by folder. */
#include "cli/inspect/checkpoint.h"

#include "cli/inspect/inspect.h"
#include "io/table.h"

static const char table_magic[] = "\x57\xfb\x80\x8b\x24\x75\x47\xdb";

static bool has_index(const char *prefix)
{
    return weir_bundle_exists(prefix);
}

/* "P.index" and "P.data-00000-of-00001" to "P". */
static char *prefix_of_file(const char *path)
{
    const char *data = strstr(path, ".data-");
    while (data && strstr(data + 1, ".data-"))
        data = strstr(data + 1, ".data-");
    if (inspect_ends_in(path, ".index"))
        return weir_strndup(path, strlen(path) - strlen(".index"));
    return data ? weir_strndup(path, (size_t)(data - path)) : NULL;
}

/* The latest that DIR/checkpoint names, else the last index in it. */
static char *prefix_in_folder(const char *dir)
{
    weir_checkpoint_state state = {0};
    weir_paths names = {0};
    char *prefix = NULL;
    weir_status_free(weir_checkpoint_state_read(dir, &state));
    if (state.latest && (has_index(state.latest) || weir_path_exists(state.latest)))
        prefix = weir_strdup(state.latest);
    weir_status_free(weir_dir_list(dir, &names));
    for (size_t i = names.count; i-- > 0 && !prefix;)
        if (inspect_ends_in(names.at[i], ".index")) {
            char *path = inspect_join(dir, names.at[i]);
            prefix = prefix_of_file(path);
            weir_free(path);
        }
    weir_checkpoint_state_fini(&state);
    weir_paths_fini(&names);
    return prefix;
}

char *weir_cli_checkpoint_prefix(const char *path)
{
    char *prefix = NULL;
    if (has_index(path))
        return weir_strdup(path);
    if (weir_path_is_dir(path))
        return prefix_in_folder(path);
    if (!weir_path_exists(path))
        return NULL;
    prefix = prefix_of_file(path);
    if (prefix && has_index(prefix))
        return prefix;
    weir_free(prefix);
    weir_str dir = weir_path_dir(path);
    if (strcmp(path + dir.length + (dir.length > 0), "checkpoint") == 0) {
        char *folder = dir.length ? weir_strndup(dir.at, dir.length) : weir_strdup(".");
        prefix = prefix_in_folder(folder);
        weir_free(folder);
        return prefix;
    }
    return weir_strdup(path);
}

static bool claims(const inspect_place *p)
{
    if (!p->is_dir && p->exists && p->tail.length >= 8 &&
        memcmp(p->tail.at + p->tail.length - 8, table_magic, 8) == 0)
        return true;
    char *prefix = weir_cli_checkpoint_prefix(p->path);
    bool is = prefix && (has_index(prefix) || (p->is_dir && weir_path_exists(prefix)) ||
                         strcmp(prefix, p->path) != 0);
    weir_free(prefix);
    return is;
}

/* Bytes in memory; of strings only their number is known without reading them. */
static int64_t bytes_of(const weir_tensor_info *t)
{
    return weir_shape_count(&t->shape) * (int64_t)weir_dtype_wire_size(t->dtype);
}

void weir_cli_checkpoint_rows(weir_output *o, const weir_checkpoint *c)
{
    for (size_t i = 0; i < weir_checkpoint_count(c); i++) {
        weir_tensor_info t = weir_checkpoint_at(c, i);
        weir_output_row(o);
        weir_output_str(o, "name", t.name);
        inspect_dtype(o, "dtype", (int)t.dtype);
        weir_output_dims(o, "shape", t.shape.rank, t.shape.dims);
        weir_output_int(o, "elements", weir_shape_count(&t.shape));
        if (t.dtype == WEIR_STRING)
            weir_output_null(o, "bytes");
        else
            weir_output_bytes(o, "bytes", bytes_of(&t));
    }
}

void weir_cli_checkpoint_fields(weir_output *o, const char *prefix, const weir_checkpoint *c)
{
    int64_t parameters = 0, bytes = 0;
    for (size_t i = 0; i < weir_checkpoint_count(c); i++) {
        weir_tensor_info t = weir_checkpoint_at(c, i);
        if (t.dtype != WEIR_STRING)
            parameters += weir_shape_count(&t.shape);
        bytes += bytes_of(&t);
    }
    weir_output_text(o, "prefix", prefix);
    weir_output_text(o, "format", has_index(prefix) ? "V2" : "V1");
    weir_output_int(o, "tensor_count", (int64_t)weir_checkpoint_count(c));
    weir_output_int(o, "parameters", parameters);
    weir_output_bytes(o, "tensor_bytes", bytes);
}

/* Training leaves event files beside its checkpoints; they are looked at by themselves. */
static void show_beside(const inspect_place *p, weir_output *o)
{
    int64_t checkpoints = 0, events = 0;
    for (size_t i = 0; i < p->names.count; i++) {
        checkpoints += inspect_ends_in(p->names.at[i], ".index");
        events += strstr(p->names.at[i], "tfevents") != NULL;
    }
    weir_output_int(o, "checkpoints", checkpoints);
    weir_output_int(o, "event_files", events);
}

static weir_status show(const inspect_place *p, weir_output *o)
{
    char *prefix = weir_cli_checkpoint_prefix(p->path);
    weir_checkpoint *c = NULL;
    weir_status s = prefix ? weir_checkpoint_open(prefix, &c)
                           : weir_error(WEIR_NOT_FOUND, "there is no checkpoint");
    if (!s) {
        if (p->is_dir)
            show_beside(p, o);
        weir_cli_checkpoint_fields(o, prefix, c);
        weir_output_table(o, "tensors");
        weir_cli_checkpoint_rows(o, c);
    }
    weir_checkpoint_destroy(c);
    weir_free(prefix);
    return s;
}

const inspect_kind inspect_checkpoint = {"checkpoint", claims, show};
