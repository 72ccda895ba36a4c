/* model/read.c - reads a SavedModel's file. */
#include "io/file.h"
#include "model/saved_model_impl.h"

static bool has_tag(const char *const *tags, int count, weir_str tag)
{
    for (int i = 0; i < count; i++)
        if (weir_str_is(tag, tags[i]))
            return true;
    return false;
}

/* True when the tags of |info| are exactly |tags|. */
static bool tags_match(const weir_msg_meta_graph_def_meta_info_def *info, const char *const *tags,
                       int count)
{
    size_t found = info ? info->tags.count : 0;
    for (size_t i = 0; i < found; i++)
        if (!has_tag(tags, count, info->tags.at[i]))
            return false;
    return found == (size_t)count;
}

static weir_status no_such_tags(const char *const *tags, int count)
{
    WEIR_BUF(list);
    for (int i = 0; i < count; i++)
        weir_buf_addf(&list, " %s", tags[i]);
    return weir_error(WEIR_NOT_FOUND,
                      "Could not find meta graph def matching supplied tags: {%s }. To inspect "
                      "available tag-sets in the SavedModel, please use the SavedModel CLI: "
                      "`saved_model_cli`",
                      list.at ? list.at : "");
}

weir_status weir_model_parsed(weir_status read)
{
    if (!read)
        return WEIR_OK;
    weir_status lost = weir_error(WEIR_DATA_LOSS, "Can't parse saved_model.pb as binary proto: %s",
                                  weir_status_message(read));
    weir_status_free(read);
    return lost;
}

weir_status weir_model_find_graph(weir_str model, const char *const *tags, int count,
                                  weir_str *out_proto)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_saved_model saved;
    WEIR_TRY(weir_model_parsed(weir_msg_saved_model_read(model, &arena, &saved)));
    for (size_t i = 0; i < saved.meta_graphs.count; i++) {
        weir_msg_meta_graph_def meta;
        WEIR_TRY(weir_model_parsed(
            weir_msg_meta_graph_def_read(saved.meta_graphs.at[i], &arena, &meta)));
        if (tags_match(meta.meta_info_def, tags, count)) {
            *out_proto = saved.meta_graphs.at[i];
            return WEIR_OK;
        }
    }
    return no_such_tags(tags, count);
}

weir_status weir_model_any_graph(weir_str model, weir_str *out_proto)
{
    static const char *const serve[] = {"serve"};
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_saved_model saved;
    WEIR_TRY(weir_model_parsed(weir_msg_saved_model_read(model, &arena, &saved)));
    if (saved.meta_graphs.count != 1)
        return weir_model_find_graph(model, serve, 1, out_proto);
    *out_proto = saved.meta_graphs.at[0];
    return WEIR_OK;
}

/* ---- one graph ------------------------------------------------------------------------------- */

/* The first node of a node collection; empty: there is none. */
static weir_str first_node(const weir_msg_meta_graph_def *meta, const char *key)
{
    const weir_msg_meta_graph_def_collection_def_entry *entry =
        WEIR_MAP_FIND(meta->collection_def, key);
    const weir_msg_collection_def *list = entry ? entry->value : NULL;
    bool nodes = list && list->which_kind == WEIR_FIELD_collection_def_node_list;
    return nodes && list->node_list->value.count ? list->node_list->value.at[0] : WEIR_STR("");
}

static weir_str name_of(const weir_msg_tensor_info *info)
{
    bool named = info && info->which_encoding == WEIR_FIELD_tensor_info_name;
    return named ? info->name : WEIR_STR("");
}

/* The op marked as the initialiser by a signature. */
static weir_str signed_init(const weir_msg_meta_graph_def *meta)
{
    const weir_msg_meta_graph_def_signature_def_entry *entry =
        WEIR_MAP_FIND(meta->signature_def, WEIR_INIT_SIGNATURE);
    bool has_output = entry && entry->value && entry->value->outputs.count;
    return has_output ? name_of(entry->value->outputs.at[0].value) : WEIR_STR("");
}

/* Tries the newer ways to name the initialiser first. */
static weir_str find_init(const weir_msg_meta_graph_def *meta)
{
    weir_str name = signed_init(meta);
    if (!name.length)
        name = first_node(meta, WEIR_INIT_COLLECTION);
    return name.length ? name : first_node(meta, "legacy_init_op");
}

static void add_asset(weir_meta_graph *graph, const weir_msg_asset_file_def *asset)
{
    weir_vec_push(&graph->assets, (weir_model_asset){name_of(asset->tensor_info), asset->filename});
}

/* Older writers store assets in a collection of Any messages. */
static weir_status add_listed_assets(weir_meta_graph *graph, const weir_msg_meta_graph_def *meta,
                                     weir_arena *arena)
{
    const weir_msg_meta_graph_def_collection_def_entry *entry =
        WEIR_MAP_FIND(meta->collection_def, "saved_model_assets");
    const weir_msg_collection_def *list = entry ? entry->value : NULL;
    if (!list || list->which_kind != WEIR_FIELD_collection_def_any_list)
        return WEIR_OK;
    for (size_t i = 0; i < list->any_list->value.count; i++) {
        weir_msg_asset_file_def asset;
        WEIR_TRY(weir_model_parsed(
            weir_msg_asset_file_def_read(list->any_list->value.at[i].value, arena, &asset)));
        add_asset(graph, &asset);
    }
    return WEIR_OK;
}

static void read_info(weir_meta_graph *graph, const weir_msg_meta_graph_def_meta_info_def *info)
{
    for (size_t i = 0; i < info->tags.count; i++)
        weir_vec_push(&graph->tags, info->tags.at[i]);
    graph->writer = info->tensorflow_version;
}

weir_status weir_meta_graph_read(weir_str proto, weir_meta_graph *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_meta_graph_def meta;
    *out = (weir_meta_graph){.proto = proto, .writer = {"", 0}};
    WEIR_TRY(weir_model_parsed(weir_msg_meta_graph_def_read(proto, &arena, &meta)));
    out->graph_def = meta.graph_def;
    out->init_op = find_init(&meta);
    if (meta.meta_info_def)
        read_info(out, meta.meta_info_def);
    if (meta.saver_def) {
        out->filename_tensor = meta.saver_def->filename_tensor_name;
        out->restore_op = meta.saver_def->restore_op_name;
    }
    for (size_t i = 0; i < meta.asset_file_def.count; i++)
        add_asset(out, &meta.asset_file_def.at[i]);
    return out->assets.count ? WEIR_OK : add_listed_assets(out, &meta, &arena);
}

void weir_meta_graph_fini(weir_meta_graph *graph)
{
    weir_vec_fini(&graph->tags);
    weir_vec_fini(&graph->assets);
}

/* ---- files ----------------------------------------------------------------------------------- */

static weir_status read_text(const char *path, weir_buf *out_model)
{
    WEIR_BUF(text);
    WEIR_TRY(weir_file_read_all(path, WEIR_SAVED_MODEL_LIMIT, &text));
    WEIR_BUF(model);
    weir_status status =
        weir_message_parse(weir_message_find(WEIR_STR("SavedModel")), weir_view(&text), &model);
    if (status)
        return weir_status_prefix(status, "%s: ", path);
    *out_model = model;
    model = (weir_buf){0};
    return WEIR_OK;
}

weir_status weir_model_read(const char *dir, weir_buf *out_model)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/saved_model.pb", dir);
    if (weir_path_exists(path.at))
        return weir_file_read_all(path.at, WEIR_SAVED_MODEL_LIMIT, out_model);
    weir_buf_adds(&path, "txt");
    if (weir_path_exists(path.at))
        return read_text(path.at, out_model);
    return weir_error(WEIR_NOT_FOUND,
                      "Could not find SavedModel .pb or .pbtxt at supplied export directory path: "
                      "%s. Check that the directory exists and that you have the right permissions "
                      "for accessing it.",
                      dir);
}
