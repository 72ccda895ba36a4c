/* model/save.c - saves a graph and its variables as a SavedModel.
 *
 * The variables are saved first, by nodes that are added to the graph and saved with it, then the
 * assets, and last the saved_model file, which makes the folder a SavedModel.
 */
#include "io/file.h"
#include "model/model_saver.h"
#include "model/saved_model_impl.h"
#include "tensor/proto.h"

typedef struct saving {
    const char *dir;
    const weir_model_parts *o;
    weir_graph *graph;
    weir_needed needed;
    weir_nodes variables;
    weir_model_saver saver; /* if there are variables */
} saving;

/* ---- contents of the model ------------------------------------------------------------------- */

static weir_status need_outputs(saving *saving, const weir_model_edge *all, int count)
{
    for (int i = 0; i < count; i++) {
        if (!all[i].key || !*all[i].key)
            return weir_error(WEIR_INVALID_ARGUMENT, "A tensor of a signature has no key");
        weir_needed_add(&saving->needed, all[i].edge.node);
    }
    return WEIR_OK;
}

static weir_status mark_needed(saving *saving)
{
    const weir_model_parts *parts = saving->o;
    for (int i = 0; i < parts->signature_count; i++) {
        WEIR_TRY(
            need_outputs(saving, parts->signatures[i].inputs, parts->signatures[i].input_count));
        WEIR_TRY(
            need_outputs(saving, parts->signatures[i].outputs, parts->signatures[i].output_count));
    }
    for (int i = 0; i < parts->asset_count; i++)
        weir_needed_add(&saving->needed, parts->assets[i].edge.node);
    if (parts->init_op)
        weir_needed_add(&saving->needed, parts->init_op);
    return WEIR_OK;
}

/* Whether it is initialised in the session: unused variables may not be. */
static weir_status is_set(const saving *saving, weir_node *variable, bool *out)
{
    weir_edge read;
    weir_tensor value = {0};
    weir_mutex_lock(saving->o->graph_lock);
    weir_status status = weir_variable_read(variable, &read);
    weir_mutex_unlock(saving->o->graph_lock);
    WEIR_TRY(status);
    weir_request request = {.fetches = &read, .fetch_count = 1};
    status = weir_session_run(saving->o->session, &request, &value);
    weir_tensor_release(&value);
    *out = weir_status_code(status) != WEIR_FAILED_PRECONDITION;
    if (!*out) {
        weir_status_free(status);
        return WEIR_OK;
    }
    return status;
}

/* Adds the rest of the graph; its variables are saved if initialised. */
static weir_status add_rest(saving *saving)
{
    weir_needed all = {0};
    weir_nodes variables = {0};
    weir_status status = WEIR_OK;
    weir_mutex_lock(saving->o->graph_lock);
    weir_needed_add_all(&all, saving->graph);
    weir_variables_gather(saving->graph, &all, &variables);
    weir_mutex_unlock(saving->o->graph_lock);
    for (size_t i = 0; i < variables.count && !status; i++) {
        bool set = saving->o->session != NULL;
        if (weir_needed_has(&saving->needed, variables.at[i]))
            continue;
        if (set)
            status = is_set(saving, variables.at[i], &set);
        if (!status && set)
            weir_vec_push(&saving->variables, variables.at[i]);
    }
    weir_vec_fini(&variables);
    weir_needed_fini(&saving->needed);
    saving->needed = all;
    return status;
}

/* The nodes that save the variables. */
static weir_status add_saver(saving *saving)
{
    if (!saving->variables.count)
        return WEIR_OK;
    if (!saving->o->session)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The model has variables ('%s'), but no session was given to save them",
                          saving->variables.at[0]->site.name);
    WEIR_TRY(weir_model_saver_add(&saving->variables, &saving->saver));
    weir_needed_add(&saving->needed, saving->saver.save);
    weir_needed_add(&saving->needed, saving->saver.restore);
    return WEIR_OK;
}

static weir_status prepare(saving *saving)
{
    weir_mutex_lock(saving->o->graph_lock);
    weir_status status = mark_needed(saving);
    if (!status)
        weir_variables_gather(saving->graph, &saving->needed, &saving->variables);
    weir_mutex_unlock(saving->o->graph_lock);
    if (!status && saving->o->whole_graph)
        status = add_rest(saving);
    WEIR_TRY(status);
    weir_mutex_lock(saving->o->graph_lock);
    status = add_saver(saving);
    weir_mutex_unlock(saving->o->graph_lock);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

static char *path_in(const char *dir, const char *folder, const char *name)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/%s%s%s", dir, folder, *name ? "/" : "", name);
    return weir_buf_take(&path);
}

static weir_status make_folder(const char *dir, const char *folder)
{
    char *path = path_in(dir, folder, "");
    weir_status status = weir_dir_create_all(path);
    weir_free(path);
    return status;
}

static weir_status save_variables(saving *saving)
{
    if (!saving->variables.count)
        return WEIR_OK;
    WEIR_TRY(make_folder(saving->dir, "variables"));
    char *prefix = path_in(saving->dir, "variables", "variables");
    weir_edge feed = {saving->saver.filename, 0}, fetch = {saving->saver.save, 0};
    weir_tensor value = weir_tensor_string(weir_str_of(prefix)), saved = {0};
    weir_free(prefix);
    weir_request request = {.feeds = &feed,
                            .feed_values = &value,
                            .feed_count = 1,
                            .fetches = &fetch,
                            .fetch_count = 1};
    weir_status status = weir_session_run(saving->o->session, &request, &saved);
    weir_tensor_release(&saved);
    weir_tensor_release(&value);
    return status;
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static weir_status copy_file(const char *from, const char *to)
{
    enum { PIECE = 1 << 20 };
    WEIR_OWNED(weir_rfile) in = NULL;
    WEIR_OWNED(weir_wfile) out = NULL;
    WEIR_TRY(weir_rfile_open(from, &in));
    WEIR_TRY(weir_wfile_create(to, &out));
    char *piece = weir_alloc(PIECE);
    size_t got = 1;
    weir_status status = WEIR_OK;
    for (uint64_t at = 0; got && !status; at += got) {
        status = weir_rfile_read_some(in, at, piece, PIECE, &got);
        if (!status)
            status = weir_wfile_write(out, piece, got);
    }
    weir_free(piece);
    return status ? status : weir_wfile_commit(WEIR_TAKE(out));
}

static weir_status save_assets(const saving *saving)
{
    if (saving->o->asset_count)
        WEIR_TRY(make_folder(saving->dir, "assets"));
    for (int i = 0; i < saving->o->asset_count; i++) {
        const char *from = saving->o->assets[i].path;
        for (int k = 0; k < i; k++)
            if (strcmp(file_of(from), file_of(saving->o->assets[k].path)) == 0 &&
                strcmp(from, saving->o->assets[k].path) != 0)
                return weir_error(WEIR_INVALID_ARGUMENT, "Two assets have one name: %s and %s",
                                  saving->o->assets[k].path, from);
        char *to = path_in(saving->dir, "assets", file_of(from));
        weir_status status = copy_file(from, to);
        weir_free(to);
        WEIR_TRY(status);
    }
    return WEIR_OK;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* "name:index", or the node alone when |index| is below 0. */
static weir_str name_of(const weir_node *node, int index, weir_arena *arena)
{
    WEIR_BUF(name);
    weir_buf_addf(&name, index >= 0 ? "%s:%d" : "%s", node->site.name, index);
    return weir_str_of(weir_arena_strdup(arena, name.at));
}

static void put_info(const saving *saving, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_str *tags = WEIR_ARENA_ARRAY(&arena, weir_str, saving->o->tag_count);
    for (int i = 0; i < saving->o->tag_count; i++)
        tags[i] = weir_str_of(saving->o->tags[i]);
    weir_msg_meta_graph_def_meta_info_def info = {.tags = {tags, (size_t)saving->o->tag_count},
                                                  .tensorflow_version =
                                                      weir_str_of(saving->o->writer)};
    weir_msg_meta_graph_def_write(&(weir_msg_meta_graph_def){.meta_info_def = &info}, out);
}

static const weir_msg_saver_def *describe_saver(const saving *saving, weir_arena *arena)
{
    weir_msg_saver_def *saver = WEIR_ARENA_NEW(arena, weir_msg_saver_def);
    *saver = (weir_msg_saver_def){.filename_tensor_name = name_of(saving->saver.filename, 0, arena),
                                  .save_tensor_name = name_of(saving->saver.save, 0, arena),
                                  .restore_op_name = name_of(saving->saver.restore, -1, arena),
                                  .max_to_keep = 5,
                                  .keep_checkpoint_every_n_hours = 10000,
                                  .version = WEIR_saver_def_checkpoint_format_version_V2};
    return saver;
}

static weir_str describe_variable(const saving *saving, size_t i, weir_arena *arena)
{
    const weir_node *variable = saving->variables.at[i];
    bool resource = weir_variable_is_resource(variable);
    WEIR_BUF(def);
    weir_msg_variable_def_write(
        &(weir_msg_variable_def){.variable_name = name_of(variable, 0, arena),
                                 .initializer_name =
                                     name_of(saving->saver.assigns.at[i], resource ? -1 : 0, arena),
                                 .snapshot_name = name_of(saving->saver.reads.at[i], 0, arena),
                                 .is_resource = resource,
                                 .trainable = true},
        &def);
    return (weir_str){weir_arena_strndup(arena, def.at, def.length), def.length};
}

/* VariableDefs: without these TensorFlow's loader assumes a model without variables. */
static weir_msg_meta_graph_def_collection_def_entry describe_variables(const saving *saving,
                                                                       weir_arena *arena)
{
    size_t count = saving->variables.count;
    weir_str *defs = WEIR_ARENA_ARRAY(arena, weir_str, count);
    for (size_t i = 0; i < count; i++)
        defs[i] = describe_variable(saving, i, arena);
    weir_msg_collection_def_bytes_list *list =
        WEIR_ARENA_NEW(arena, weir_msg_collection_def_bytes_list);
    list->value = (weir_strs){defs, count};
    weir_msg_collection_def *collection = WEIR_ARENA_NEW(arena, weir_msg_collection_def);
    collection->which_kind = WEIR_FIELD_collection_def_bytes_list;
    collection->bytes_list = list;
    return (weir_msg_meta_graph_def_collection_def_entry){.key = WEIR_STR("variables"),
                                                          .value = collection};
}

/* In the collection that every loader reads. From a signature, which newer loaders accept as well,
 * TensorFlow would create a function, which fails if an asset's path is a placeholder. */
static weir_msg_meta_graph_def_collection_def_entry describe_init(const weir_node *init,
                                                                  weir_arena *arena)
{
    weir_str *name = WEIR_ARENA_NEW(arena, weir_str);
    *name = name_of(init, -1, arena);
    weir_msg_collection_def_node_list *list =
        WEIR_ARENA_NEW(arena, weir_msg_collection_def_node_list);
    list->value = (weir_strs){name, 1};
    weir_msg_collection_def *collection = WEIR_ARENA_NEW(arena, weir_msg_collection_def);
    collection->which_kind = WEIR_FIELD_collection_def_node_list;
    collection->node_list = list;
    return (weir_msg_meta_graph_def_collection_def_entry){.key = WEIR_STR(WEIR_INIT_COLLECTION),
                                                          .value = collection};
}

static weir_msg_tensor_info *describe_tensor(weir_edge edge, weir_arena *arena)
{
    weir_msg_tensor_info *info = WEIR_ARENA_NEW(arena, weir_msg_tensor_info);
    info->which_encoding = WEIR_FIELD_tensor_info_name;
    info->name = name_of(edge.node, edge.index, arena);
    return info;
}

static const weir_msg_tensor_info *describe_typed(weir_edge edge, weir_arena *arena)
{
    weir_msg_tensor_info *info = describe_tensor(edge, arena);
    info->dtype = weir_edge_dtype(edge);
    info->tensor_shape = weir_shape_to_proto(weir_edge_shape(edge), arena);
    return info;
}

static const weir_msg_signature_def *describe_signature(const weir_model_signature *from,
                                                        weir_arena *arena)
{
    weir_msg_signature_def_inputs_entry *inputs =
        WEIR_ARENA_ARRAY(arena, weir_msg_signature_def_inputs_entry, from->input_count);
    weir_msg_signature_def_outputs_entry *outputs =
        WEIR_ARENA_ARRAY(arena, weir_msg_signature_def_outputs_entry, from->output_count);
    for (int i = 0; i < from->input_count; i++) {
        inputs[i].key = weir_str_of(from->inputs[i].key);
        inputs[i].value = describe_typed(from->inputs[i].edge, arena);
    }
    for (int i = 0; i < from->output_count; i++) {
        outputs[i].key = weir_str_of(from->outputs[i].key);
        outputs[i].value = describe_typed(from->outputs[i].edge, arena);
    }
    weir_msg_signature_def *signature = WEIR_ARENA_NEW(arena, weir_msg_signature_def);
    signature->inputs = (weir_msgs_signature_def_inputs_entry){inputs, (size_t)from->input_count};
    signature->outputs =
        (weir_msgs_signature_def_outputs_entry){outputs, (size_t)from->output_count};
    signature->method_name = weir_str_of(from->method);
    return signature;
}

static weir_msgs_meta_graph_def_signature_def_entry
describe_signatures(const weir_model_parts *parts, weir_arena *arena)
{
    weir_msg_meta_graph_def_signature_def_entry *entries = WEIR_ARENA_ARRAY(
        arena, weir_msg_meta_graph_def_signature_def_entry, parts->signature_count);
    for (int i = 0; i < parts->signature_count; i++) {
        entries[i].key = weir_str_of(parts->signatures[i].key);
        entries[i].value = describe_signature(&parts->signatures[i], arena);
    }
    return (weir_msgs_meta_graph_def_signature_def_entry){entries, (size_t)parts->signature_count};
}

static weir_msgs_asset_file_def describe_assets(const weir_model_parts *parts, weir_arena *arena)
{
    weir_msg_asset_file_def *assets =
        WEIR_ARENA_ARRAY(arena, weir_msg_asset_file_def, parts->asset_count);
    for (int i = 0; i < parts->asset_count; i++) {
        assets[i].tensor_info = describe_tensor(parts->assets[i].edge, arena);
        assets[i].filename = weir_str_of(file_of(parts->assets[i].path));
    }
    return (weir_msgs_asset_file_def){assets, (size_t)parts->asset_count};
}

/* Writes the fields of the MetaGraphDef after the graph. */
static void put_rest(const saving *saving, weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    const weir_model_parts *parts = saving->o;
    weir_msg_meta_graph_def_collection_def_entry collections[2];
    size_t count = 0;
    if (saving->variables.count)
        collections[count++] = describe_variables(saving, &arena);
    if (parts->init_op)
        collections[count++] = describe_init(parts->init_op, &arena);
    weir_msg_meta_graph_def rest = {.collection_def = {collections, count},
                                    .signature_def = describe_signatures(parts, &arena),
                                    .asset_file_def = describe_assets(parts, &arena)};
    if (saving->variables.count)
        rest.saver_def = describe_saver(saving, &arena);
    weir_msg_meta_graph_def_write(&rest, out);
}

static weir_status put_model(const saving *saving, weir_buf *out)
{
    weir_msg_saved_model_write(&(weir_msg_saved_model){.saved_model_schema_version = 1}, out);
    size_t meta = weir_message_open(out, WEIR_FIELD_saved_model_meta_graphs);
    put_info(saving, out);
    size_t graph = weir_message_open(out, WEIR_FIELD_meta_graph_def_graph_def);
    WEIR_TRY(weir_graph_export_needed(saving->graph, &saving->needed, saving->o->keep_devices, NULL,
                                      NULL, out));
    weir_message_close(out, graph);
    put_rest(saving, out);
    weir_message_close(out, meta);
    return WEIR_OK;
}

/* ---- entry point ----------------------------------------------------------------------------- */

static weir_status write_model(const saving *saving)
{
    WEIR_BUF(model);
    WEIR_BUF(text);
    weir_mutex_lock(saving->o->graph_lock);
    weir_status status = put_model(saving, &model);
    weir_mutex_unlock(saving->o->graph_lock);
    if (!status && saving->o->text)
        status =
            weir_message_print(weir_message_find(WEIR_STR("SavedModel")), weir_view(&model), &text);
    const weir_buf *out = saving->o->text ? &text : &model;
    char *path = path_in(saving->dir, saving->o->text ? "saved_model.pbtxt" : "saved_model.pb", "");
    if (!status)
        status = weir_file_write_all(path, out->at, out->length);
    weir_free(path);
    return status;
}

static weir_status check_folder(const char *dir)
{
    static const char *const files[] = {"saved_model.pb", "saved_model.pbtxt"};
    for (int i = 0; i < 2; i++) {
        char *path = path_in(dir, files[i], "");
        bool there = weir_path_exists(path);
        weir_free(path);
        if (there)
            return weir_error(WEIR_ALREADY_EXISTS, "%s has a SavedModel already", dir);
    }
    return weir_dir_create_all(dir);
}

static weir_status save(saving *saving)
{
    WEIR_TRY(check_folder(saving->dir));
    WEIR_TRY(prepare(saving));
    WEIR_TRY(save_variables(saving));
    WEIR_TRY(save_assets(saving));
    return write_model(saving);
}

weir_status weir_model_save(const char *dir, const weir_model_parts *parts)
{
    saving saving = {.dir = dir, .o = parts, .graph = parts->graph};
    weir_status status = save(&saving);
    weir_model_saver_fini(&saving.saver);
    weir_vec_fini(&saving.variables);
    weir_needed_fini(&saving.needed);
    return status;
}
