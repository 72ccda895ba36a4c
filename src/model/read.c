/* model/read.c - what a SavedModel's file says. */
#include "io/file.h"
#include "model/saved_model_impl.h"
#include "wire/message.h"

weir_str weir_message_get(weir_str message, uint32_t field)
{
    weir_pb r = weir_pb_reader(message);
    while (weir_pb_next(&r))
        if (r.field == field && r.type == WEIR_PB_LEN)
            return r.bytes;
    return (weir_str){"", 0};
}

static bool has_tag(const char *const *tags, int count, weir_str tag)
{
    for (int i = 0; i < count; i++)
        if (weir_str_is(tag, tags[i]))
            return true;
    return false;
}

/* True when the tags of |info| are exactly |tags|. */
static bool tags_match(weir_str info, const char *const *tags, int count)
{
    int found = 0;
    weir_pb r = weir_pb_reader(info);
    while (weir_pb_next(&r)) {
        if (r.field != WEIR_INFO_TAG || r.type != WEIR_PB_LEN)
            continue;
        if (!has_tag(tags, count, r.bytes))
            return false;
        found++;
    }
    return found == count;
}

static weir_status no_such_tags(const char *const *tags, int count)
{
    weir_buf list = {0};
    for (int i = 0; i < count; i++)
        weir_buf_addf(&list, " %s", tags[i]);
    weir_status s = weir_error(WEIR_NOT_FOUND,
                               "Could not find meta graph def matching supplied tags: {%s }. To "
                               "inspect available tag-sets in the SavedModel, please use the "
                               "SavedModel CLI: `saved_model_cli`",
                               list.at ? list.at : "");
    weir_buf_fini(&list);
    return s;
}

static weir_status unparseable(const weir_pb *r, weir_str model)
{
    return weir_error(
        WEIR_DATA_LOSS,
        "Can't parse saved_model.pb as binary proto: its bytes make no sense at %zu of "
        "%zu",
        (size_t)((const char *)r->at - model.at), model.length);
}

weir_status weir_model_find_graph(weir_str model, const char *const *tags, int count,
                                  weir_str *out_proto)
{
    weir_pb r = weir_pb_reader(model);
    while (weir_pb_next(&r))
        if (r.field == WEIR_SAVED_MODEL_META_GRAPH && r.type == WEIR_PB_LEN &&
            tags_match(weir_message_get(r.bytes, WEIR_META_INFO), tags, count)) {
            *out_proto = r.bytes;
            return WEIR_OK;
        }
    return weir_pb_ok(&r) ? no_such_tags(tags, count) : unparseable(&r, model);
}

weir_status weir_model_any_graph(weir_str model, weir_str *out_proto)
{
    static const char *const serve[] = {"serve"};
    int count = 0;
    weir_pb r = weir_pb_reader(model);
    while (weir_pb_next(&r))
        if (r.field == WEIR_SAVED_MODEL_META_GRAPH && r.type == WEIR_PB_LEN) {
            *out_proto = r.bytes;
            count++;
        }
    if (!weir_pb_ok(&r))
        return unparseable(&r, model);
    return count == 1 ? WEIR_OK : weir_model_find_graph(model, serve, 1, out_proto);
}

/* ---- one graph ------------------------------------------------------------------------------- */

/* Where an initialising op may be named; the later ones win. */
typedef enum init_place { INIT_NONE, INIT_LEGACY, INIT_MAIN, INIT_SIGNATURE } init_place;

static void set_init(weir_meta_graph *m, init_place *place, init_place found, weir_str name)
{
    if (!name.length || found < *place)
        return;
    *place = found;
    m->init_op = name;
}

static void add_asset(weir_meta_graph *m, weir_str asset)
{
    weir_str tensor = weir_message_get(asset, WEIR_ASSET_TENSOR);
    weir_vec_push(&m->assets, (weir_model_asset){weir_message_get(tensor, WEIR_INFO_NAME),
                                                 weir_message_get(asset, WEIR_ASSET_FILE)});
}

/* Old writers list assets in a collection of Any messages. */
static void add_listed_assets(weir_meta_graph *m, weir_str any_list)
{
    weir_pb r = weir_pb_reader(any_list);
    while (weir_pb_next(&r))
        if (r.field == WEIR_LIST_VALUE && r.type == WEIR_PB_LEN)
            add_asset(m, weir_message_get(r.bytes, 2));
}

static void read_collection(weir_meta_graph *m, weir_str entry, init_place *place,
                            weir_str *listed_assets)
{
    weir_str key = weir_message_get(entry, WEIR_MAP_KEY);
    weir_str value = weir_message_get(entry, WEIR_MAP_VALUE);
    weir_str node =
        weir_message_get(weir_message_get(value, WEIR_COLLECTION_NODES), WEIR_LIST_VALUE);
    if (weir_str_is(key, WEIR_INIT_COLLECTION))
        set_init(m, place, INIT_MAIN, node);
    else if (weir_str_is(key, "legacy_init_op"))
        set_init(m, place, INIT_LEGACY, node);
    else if (weir_str_is(key, "saved_model_assets"))
        *listed_assets = weir_message_get(value, WEIR_COLLECTION_ANY);
}

static void read_signature(weir_meta_graph *m, weir_str entry, init_place *place)
{
    if (!weir_str_is(weir_message_get(entry, WEIR_MAP_KEY), WEIR_INIT_SIGNATURE))
        return;
    weir_str output =
        weir_message_get(weir_message_get(entry, WEIR_MAP_VALUE), WEIR_SIGNATURE_OUTPUTS);
    set_init(m, place, INIT_SIGNATURE,
             weir_message_get(weir_message_get(output, WEIR_MAP_VALUE), WEIR_INFO_NAME));
}

static void read_info(weir_meta_graph *m, weir_str info)
{
    weir_pb r = weir_pb_reader(info);
    while (weir_pb_next(&r))
        if (r.field == WEIR_INFO_TAG && r.type == WEIR_PB_LEN)
            weir_vec_push(&m->tags, r.bytes);
    m->writer = weir_message_get(info, WEIR_INFO_WRITER);
}

weir_status weir_meta_graph_read(weir_str proto, weir_meta_graph *out)
{
    weir_meta_graph m = {.proto = proto, .writer = {"", 0}};
    init_place place = INIT_NONE;
    weir_str listed_assets = {0};
    weir_pb r = weir_pb_reader(proto);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == WEIR_META_INFO) {
            read_info(&m, r.bytes);
        } else if (r.field == WEIR_META_GRAPH) {
            m.graph_def = r.bytes;
        } else if (r.field == WEIR_META_SAVER) {
            m.filename_tensor = weir_message_get(r.bytes, WEIR_SAVER_FILENAME);
            m.restore_op = weir_message_get(r.bytes, WEIR_SAVER_RESTORE);
        } else if (r.field == WEIR_META_COLLECTION) {
            read_collection(&m, r.bytes, &place, &listed_assets);
        } else if (r.field == WEIR_META_SIGNATURE) {
            read_signature(&m, r.bytes, &place);
        } else if (r.field == WEIR_META_ASSET) {
            add_asset(&m, r.bytes);
        }
    }
    if (!m.assets.count)
        add_listed_assets(&m, listed_assets);
    *out = m;
    return weir_pb_ok(&r) ? WEIR_OK : unparseable(&r, proto);
}

void weir_meta_graph_fini(weir_meta_graph *m)
{
    weir_vec_fini(&m->tags);
    weir_vec_fini(&m->assets);
}

/* ---- files ----------------------------------------------------------------------------------- */

static weir_status read_text(const char *path, weir_buf *out_model)
{
    weir_buf text = {0};
    WEIR_TRY(weir_file_read_all(path, WEIR_SAVED_MODEL_LIMIT, &text));
    weir_buf model = {0};
    weir_status s = weir_message_parse(weir_message_find(WEIR_STR("SavedModel")),
                                       (weir_str){text.at, text.length}, &model);
    weir_buf_fini(&text);
    if (!s) {
        *out_model = model;
        return WEIR_OK;
    }
    weir_buf_fini(&model);
    return weir_status_prefix(s, "%s: ", path);
}

weir_status weir_model_read(const char *dir, weir_buf *out_model)
{
    weir_buf path = {0};
    weir_status s;
    weir_buf_addf(&path, "%s/saved_model.pb", dir);
    bool binary = weir_path_exists(path.at);
    if (!binary)
        weir_buf_adds(&path, "txt");
    if (binary)
        s = weir_file_read_all(path.at, WEIR_SAVED_MODEL_LIMIT, out_model);
    else if (weir_path_exists(path.at))
        s = read_text(path.at, out_model);
    else
        s = weir_error(WEIR_NOT_FOUND,
                       "Could not find SavedModel .pb or .pbtxt at supplied export directory "
                       "path: %s. Check that the directory exists and that you have the right "
                       "permissions for accessing it.",
                       dir);
    weir_buf_fini(&path);
    return s;
}
