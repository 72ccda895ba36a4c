/* cli/inspect/saved_model.c - SavedModels: signatures, variables, assets and ops. */
#include "weir/saved_model.h"

#include "cli/inspect/checkpoint.h"
#include "cli/inspect/inspect.h"
#include "cli/inspect/roles.h"
#include "wire/messages.h"

static bool is_model_file(const char *path)
{
    weir_str dir = weir_path_dir(path);
    const char *name = path + dir.length + (dir.length > 0);
    return strcmp(name, "saved_model.pb") == 0 || strcmp(name, "saved_model.pbtxt") == 0;
}

static bool claims(const inspect_place *place)
{
    if (place->is_dir)
        return inspect_has_name(place, "saved_model.pb") ||
               inspect_has_name(place, "saved_model.pbtxt");
    return place->exists && is_model_file(place->path);
}

/* The variables of the model at |dir|, with their roles; none if none were saved. */
static weir_checkpoint *open_variables(const char *dir, inspect_variables *out_variables)
{
    WEIR_FREED char *folder = inspect_join(dir, "variables");
    WEIR_FREED char *prefix = inspect_join(folder, "variables");
    weir_checkpoint *checkpoint = NULL;
    if (weir_bundle_exists(prefix))
        weir_status_free(weir_checkpoint_open(prefix, &checkpoint));
    if (checkpoint)
        inspect_roles_of_checkpoint(checkpoint, out_variables);
    return checkpoint;
}

static void show_variables(weir_output *output, const inspect_variables *variables)
{
    int64_t count = 0;
    for (size_t i = 0; i < variables->count; i++)
        count += variables->at[i].role != INSPECT_OTHER;
    weir_output_int(output, "saved_tensors", count);
    weir_output_int(output, "saved_parameters", inspect_elements(variables, INSPECT_PARAMETER));
}

static void show_side(weir_output *output, const weir_signature *signature, bool inputs)
{
    const weir_signature_tensor *at = inputs ? signature->inputs : signature->outputs;
    for (int i = 0; i < (inputs ? signature->input_count : signature->output_count); i++) {
        weir_output_row(output);
        weir_output_text(output, "signature", signature->key);
        weir_output_text(output, "side", inputs ? "input" : "output");
        weir_output_text(output, "key", at[i].key);
        inspect_dtype(output, "dtype", (int)at[i].type);
        weir_output_dims(output, "shape", at[i].rank, at[i].dims);
        weir_output_text(output, "tensor", at[i].name);
    }
}

static void show_fields(weir_output *output, const weir_saved_model *model)
{
    const char *tags[64], *assets[64];
    size_t tag_count = 0, asset_count = 0;
    for (; tag_count < 64 && (int)tag_count < weir_saved_model_tag_count(model); tag_count++)
        tags[tag_count] = weir_saved_model_tag(model, (int)tag_count);
    for (; asset_count < 64 && (int)asset_count < weir_saved_model_asset_count(model);
         asset_count++)
        assets[asset_count] = weir_saved_model_asset(model, (int)asset_count);
    weir_output_list(output, "tags", tags, tag_count);
    weir_output_text(output, "written_by", weir_saved_model_writer(model));
    weir_output_list(output, "assets", assets, asset_count);
}

static void show_signatures(weir_output *output, const weir_saved_model *model)
{
    weir_output_table(output, "signatures");
    for (int i = 0; i < weir_saved_model_signature_count(model); i++) {
        show_side(output, weir_saved_model_signature_at(model, i), true);
        show_side(output, weir_saved_model_signature_at(model, i), false);
    }
}

static weir_status show_model(weir_output *output, const char *dir, const weir_saved_model *model)
{
    WEIR_MESSAGE_ARENA(arena);
    TF_Buffer *bytes = weir_saved_model_meta_graph(model);
    weir_msg_meta_graph_def meta;
    inspect_graph_summary *summary = NULL;
    weir_status status =
        weir_msg_meta_graph_def_read((weir_str){bytes->data, bytes->length}, &arena, &meta);
    weir_status damage = inspect_graph_read(status ? WEIR_STR("") : meta.graph_def, &summary);
    if (status)
        weir_status_free(damage);
    else
        status = damage;
    inspect_variables variables = {0};
    weir_checkpoint *checkpoint = open_variables(dir, &variables);
    show_fields(output, model);
    show_variables(output, &variables);
    inspect_graph_fields(summary, checkpoint ? &variables : NULL, output);
    weir_vec_fini(&variables);
    weir_checkpoint_destroy(checkpoint);
    show_signatures(output, model);
    inspect_graph_tables(summary, output);
    inspect_graph_free(summary);
    TF_DeleteBuffer(bytes);
    return status;
}

static weir_status show(const inspect_place *place, weir_output *output)
{
    weir_str parent = weir_path_dir(place->path);
    WEIR_FREED char *dir = place->is_dir   ? weir_strdup(place->path)
                           : parent.length ? weir_strndup(parent.at, parent.length)
                                           : weir_strdup(".");
    TF_Status *status = TF_NewStatus();
    weir_status result = WEIR_OK;
    weir_saved_model *model = weir_saved_model_open(dir, NULL, 0, status);
    if (model)
        result = show_model(output, dir, model);
    else
        result = weir_error((weir_code)TF_GetCode(status), "%s", TF_Message(status));
    weir_saved_model_delete(model);
    TF_DeleteStatus(status);
    return result;
}

const inspect_kind inspect_saved_model = {"saved_model", claims, show};
