/* cli/inspect/saved_model.c - SavedModels: signatures, variables, assets and ops. */
#include "weir/saved_model.h"

#include "cli/inspect/checkpoint.h"
#include "cli/inspect/inspect.h"
#include "wire/messages.h"

static bool is_model_file(const char *path)
{
    weir_str dir = weir_path_dir(path);
    const char *name = path + dir.length + (dir.length > 0);
    return strcmp(name, "saved_model.pb") == 0 || strcmp(name, "saved_model.pbtxt") == 0;
}

static bool claims(const inspect_place *p)
{
    if (p->is_dir)
        return inspect_has_name(p, "saved_model.pb") || inspect_has_name(p, "saved_model.pbtxt");
    return p->exists && is_model_file(p->path);
}

static void show_variables(weir_output *o, const char *dir)
{
    char *folder = inspect_join(dir, "variables"), *prefix = inspect_join(folder, "variables");
    weir_checkpoint *c = NULL;
    weir_status s = weir_bundle_exists(prefix) ? weir_checkpoint_open(prefix, &c)
                                               : weir_error(WEIR_NOT_FOUND, "no variables");
    int64_t parameters = 0, count = 0;
    for (size_t i = 0; !s && i < weir_checkpoint_count(c); i++) {
        weir_tensor_info t = weir_checkpoint_at(c, i);
        bool number = t.dtype != WEIR_STRING;
        count += number;
        parameters += number ? weir_shape_count(&t.shape) : 0;
    }
    weir_output_int(o, "saved_tensors", count);
    weir_output_int(o, "saved_parameters", parameters);
    weir_status_free(s);
    weir_checkpoint_destroy(c);
    weir_free(folder);
    weir_free(prefix);
}

static void show_side(weir_output *o, const weir_signature *s, bool inputs)
{
    const weir_signature_tensor *at = inputs ? s->inputs : s->outputs;
    for (int i = 0; i < (inputs ? s->input_count : s->output_count); i++) {
        weir_output_row(o);
        weir_output_text(o, "signature", s->key);
        weir_output_text(o, "side", inputs ? "input" : "output");
        weir_output_text(o, "key", at[i].key);
        inspect_dtype(o, "dtype", (int)at[i].type);
        weir_output_dims(o, "shape", at[i].rank, at[i].dims);
        weir_output_text(o, "tensor", at[i].name);
    }
}

static void show_fields(weir_output *o, const char *dir, const weir_saved_model *m)
{
    const char *tags[64], *assets[64];
    size_t tag_count = 0, asset_count = 0;
    for (; tag_count < 64 && (int)tag_count < weir_saved_model_tag_count(m); tag_count++)
        tags[tag_count] = weir_saved_model_tag(m, (int)tag_count);
    for (; asset_count < 64 && (int)asset_count < weir_saved_model_asset_count(m); asset_count++)
        assets[asset_count] = weir_saved_model_asset(m, (int)asset_count);
    weir_output_list(o, "tags", tags, tag_count);
    weir_output_text(o, "written_by", weir_saved_model_writer(m));
    weir_output_list(o, "assets", assets, asset_count);
    show_variables(o, dir);
}

static void show_signatures(weir_output *o, const weir_saved_model *m)
{
    weir_output_table(o, "signatures");
    for (int i = 0; i < weir_saved_model_signature_count(m); i++) {
        show_side(o, weir_saved_model_signature_at(m, i), true);
        show_side(o, weir_saved_model_signature_at(m, i), false);
    }
}

static weir_status show_model(weir_output *o, const char *dir, const weir_saved_model *m)
{
    WEIR_MESSAGE_ARENA(arena);
    TF_Buffer *bytes = weir_saved_model_meta_graph(m);
    weir_msg_meta_graph_def meta;
    inspect_graph_summary *g = NULL;
    weir_status s =
        weir_msg_meta_graph_def_read((weir_str){bytes->data, bytes->length}, &arena, &meta);
    weir_status damage = inspect_graph_read(s ? WEIR_STR("") : meta.graph_def, &g);
    if (s)
        weir_status_free(damage);
    else
        s = damage;
    show_fields(o, dir, m);
    inspect_graph_fields(g, o);
    show_signatures(o, m);
    inspect_graph_tables(g, o);
    inspect_graph_free(g);
    TF_DeleteBuffer(bytes);
    return s;
}

static weir_status show(const inspect_place *p, weir_output *o)
{
    weir_str parent = weir_path_dir(p->path);
    char *dir = p->is_dir       ? weir_strdup(p->path)
                : parent.length ? weir_strndup(parent.at, parent.length)
                                : weir_strdup(".");
    TF_Status *status = TF_NewStatus();
    weir_status s = WEIR_OK;
    weir_saved_model *m = weir_saved_model_open(dir, NULL, 0, status);
    if (m)
        s = show_model(o, dir, m);
    else
        s = weir_error((weir_code)TF_GetCode(status), "%s", TF_Message(status));
    weir_saved_model_delete(m);
    TF_DeleteStatus(status);
    weir_free(dir);
    return s;
}

const inspect_kind inspect_saved_model = {"saved_model", claims, show};
