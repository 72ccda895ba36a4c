/* cli/inspect/checkpoint.c - finds checkpoints by prefix, by one of their files, or by folder. */
#include "cli/inspect/checkpoint.h"

#include "cli/inspect/inspect.h"
#include "cli/inspect/roles.h"
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

/* The latest in DIR/checkpoint, else the last index file. */
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
            WEIR_FREED char *path = inspect_join(dir, names.at[i]);
            prefix = prefix_of_file(path);
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
        WEIR_FREED char *folder = dir.length ? weir_strndup(dir.at, dir.length) : weir_strdup(".");
        prefix = prefix_in_folder(folder);
        return prefix;
    }
    return weir_strdup(path);
}

static bool claims(const inspect_place *place)
{
    if (!place->is_dir && place->exists && place->tail.length >= 8 &&
        memcmp(place->tail.at + place->tail.length - 8, table_magic, 8) == 0)
        return true;
    WEIR_FREED char *prefix = weir_cli_checkpoint_prefix(place->path);
    return prefix && (has_index(prefix) || (place->is_dir && weir_path_exists(prefix)) ||
                      strcmp(prefix, place->path) != 0);
}

/* Bytes in memory; for strings only the number of elements is known without reading them. */
static int64_t bytes_of(const weir_tensor_info *info)
{
    return weir_shape_count(&info->shape) * (int64_t)weir_dtype_wire_size(info->dtype);
}

static void show_rows(weir_output *output, const inspect_variables *variables)
{
    for (size_t i = 0; i < variables->count; i++) {
        const weir_tensor_info *info = &variables->at[i].info;
        weir_output_row(output);
        weir_output_str(output, "name", info->name);
        inspect_dtype(output, "dtype", (int)info->dtype);
        weir_output_dims(output, "shape", info->shape.rank, info->shape.dims);
        weir_output_int(output, "elements", weir_shape_count(&info->shape));
        if (info->dtype == WEIR_STRING)
            weir_output_null(output, "bytes");
        else
            weir_output_bytes(output, "bytes", bytes_of(info));
        weir_output_text(output, "role", inspect_role_name(variables->at[i].role));
    }
}

static void show_fields(weir_output *output, const char *prefix, const inspect_variables *variables)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < variables->count; i++)
        bytes += bytes_of(&variables->at[i].info);
    weir_output_text(output, "prefix", prefix);
    weir_output_text(output, "format", has_index(prefix) ? "V2" : "V1");
    weir_output_int(output, "tensor_count", (int64_t)variables->count);
    inspect_role_fields(variables, output);
    weir_output_bytes(output, "tensor_bytes", bytes);
}

/* Event files beside checkpoints are inspected separately. */
static void show_beside(const inspect_place *place, weir_output *output)
{
    int64_t checkpoints = 0, events = 0;
    for (size_t i = 0; i < place->names.count; i++) {
        checkpoints += inspect_ends_in(place->names.at[i], ".index");
        events += strstr(place->names.at[i], "tfevents") != NULL;
    }
    weir_output_int(output, "checkpoints", checkpoints);
    weir_output_int(output, "event_files", events);
}

static weir_status show(const inspect_place *place, weir_output *output)
{
    WEIR_FREED char *prefix = weir_cli_checkpoint_prefix(place->path);
    weir_checkpoint *checkpoint = NULL;
    inspect_variables variables = {0};
    weir_status status = prefix ? weir_checkpoint_open(prefix, &checkpoint)
                                : weir_error(WEIR_NOT_FOUND, "there is no checkpoint");
    if (!status) {
        if (place->is_dir)
            show_beside(place, output);
        inspect_roles_of_checkpoint(checkpoint, &variables);
        show_fields(output, prefix, &variables);
        weir_output_table(output, "tensors");
        show_rows(output, &variables);
    }
    weir_vec_fini(&variables);
    weir_checkpoint_destroy(checkpoint);
    return status;
}

const inspect_kind inspect_checkpoint = {"checkpoint", claims, show};
