/* capi/saved_model.c - TF_LoadSessionFromSavedModel.
 *
 *   DIR/saved_model.pb                   SavedModel: one MetaGraphDef per set of tags
 *   DIR/variables/variables.index, ...   a checkpoint that the graph's own restore op reads
 *   DIR/assets/NAME                      files whose paths are fed to the graph
 */
#include "capi/capi_impl.h"
#include "io/file.h"
#include "tensor/tstring.h"
#include "wire/pb.h"

/* Fields of the messages. */
enum { MODEL_META_GRAPH = 2 };
enum {
    META_INFO = 1,
    META_GRAPH = 2,
    META_SAVER = 3,
    META_COLLECTION = 4,
    META_SIGNATURE = 5,
    META_ASSET = 6
};
enum { INFO_TAG = 4 };
enum { SAVER_FILENAME = 1, SAVER_RESTORE = 3 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum { COLLECTION_NODES = 1, NODES_VALUE = 1 };
enum { SIGNATURE_OUTPUTS = 2, TENSOR_NAME = 1 };
enum { ASSET_TENSOR = 1, ASSET_FILE = 2 };

enum { MODEL_LIMIT = 2000 << 20 }; /* protocol buffers end at 2 GiB */

typedef struct asset {
    weir_str tensor, file;
} asset;

/* A MetaGraphDef, as far as loading needs it. All views into the file's bytes. */
typedef struct meta_graph {
    weir_str proto, graph_def, filename_tensor, restore_op, init_op;
    WEIR_VEC(asset) assets;
} meta_graph;

/* ---- reading --------------------------------------------------------------------------------- */

/* The first LEN field |field| of a message; empty when absent. */
static weir_str get(weir_str message, uint32_t field)
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
        if (r.field != INFO_TAG || r.type != WEIR_PB_LEN)
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

static weir_status find_meta_graph(weir_str model, const char *const *tags, int count,
                                   weir_str *out_proto)
{
    weir_pb r = weir_pb_reader(model);
    while (weir_pb_next(&r))
        if (r.field == MODEL_META_GRAPH && r.type == WEIR_PB_LEN &&
            tags_match(get(r.bytes, META_INFO), tags, count)) {
            *out_proto = r.bytes;
            return WEIR_OK;
        }
    if (!weir_pb_ok(&r))
        return weir_error(WEIR_DATA_LOSS, "Can't parse saved_model.pb as binary proto");
    return no_such_tags(tags, count);
}

/* The initialising op may be named in a collection or, by newer writers, in a signature. */
static void read_collection(meta_graph *m, weir_str entry)
{
    weir_str key = get(entry, MAP_KEY);
    if (weir_str_is(key, "saved_model_main_op") || weir_str_is(key, "legacy_init_op")) {
        weir_str node = get(get(get(entry, MAP_VALUE), COLLECTION_NODES), NODES_VALUE);
        if (node.length)
            m->init_op = node;
    }
}

static void read_signature(meta_graph *m, weir_str entry)
{
    if (weir_str_is(get(entry, MAP_KEY), "__saved_model_init_op")) {
        weir_str output = get(get(entry, MAP_VALUE), SIGNATURE_OUTPUTS);
        m->init_op = get(get(output, MAP_VALUE), TENSOR_NAME);
    }
}

static void read_saver(meta_graph *m, weir_str saver)
{
    m->filename_tensor = get(saver, SAVER_FILENAME);
    m->restore_op = get(saver, SAVER_RESTORE);
}

static void read_meta_graph(meta_graph *m)
{
    weir_pb r = weir_pb_reader(m->proto);
    while (weir_pb_next(&r)) {
        if (r.type != WEIR_PB_LEN)
            continue;
        if (r.field == META_GRAPH)
            m->graph_def = r.bytes;
        else if (r.field == META_SAVER)
            read_saver(m, r.bytes);
        else if (r.field == META_COLLECTION)
            read_collection(m, r.bytes);
        else if (r.field == META_SIGNATURE)
            read_signature(m, r.bytes);
        else if (r.field == META_ASSET)
            weir_vec_push(&m->assets, (asset){get(get(r.bytes, ASSET_TENSOR), TENSOR_NAME),
                                              get(r.bytes, ASSET_FILE)});
    }
}

/* ---- running --------------------------------------------------------------------------------- */

static weir_status find_node(const TF_Graph *g, weir_str name, weir_node **out)
{
    const char *colon = memchr(name.at, ':', name.length);
    weir_str node = {name.at, colon ? (size_t)(colon - name.at) : name.length};
    *out = weir_graph_find(g->graph, node);
    return *out ? WEIR_OK
                : weir_error(WEIR_NOT_FOUND,
                             "The SavedModel names a node '%.*s' that its graph "
                             "does not have",
                             WEIR_STR_ARG(node));
}

/* What is fed to the restoring and initialising ops. */
typedef struct feeds {
    int count;
    weir_edge *edges;
    weir_tensor *values;
} feeds;

static weir_status add_feed(feeds *f, const TF_Graph *g, weir_str tensor, const char *value)
{
    weir_node *n;
    WEIR_TRY(find_node(g, tensor, &n));
    f->edges[f->count] = (weir_edge){n, 0};
    f->values[f->count++] = weir_tensor_string(weir_str_of(value));
    return WEIR_OK;
}

static weir_status add_path(feeds *f, const TF_Graph *g, weir_str tensor, const char *dir,
                            const char *folder, weir_str file)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/%s/%.*s", dir, folder, WEIR_STR_ARG(file));
    weir_status s = add_feed(f, g, tensor, path.at);
    weir_buf_fini(&path);
    return s;
}

static weir_status run_op(TF_Session *s, weir_str op, const feeds *f, weir_str run_options)
{
    weir_node *target;
    WEIR_TRY(find_node(s->graph, op, &target));
    weir_request request = {.feeds = f->edges,
                            .feed_values = f->values,
                            .feed_count = f->count,
                            .targets = &target,
                            .target_count = 1,
                            .run_options = run_options};
    return weir_capi_run(s, &request, NULL);
}

static bool has_variables(const char *dir)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/variables/variables.index", dir);
    bool there = weir_path_exists(path.at);
    weir_buf_fini(&path);
    return there;
}

static weir_status start(TF_Session *s, const meta_graph *m, const char *dir, weir_str options,
                         feeds *f)
{
    for (size_t i = 0; i < m->assets.count; i++)
        WEIR_TRY(
            add_path(f, s->graph, m->assets.at[i].tensor, dir, "assets", m->assets.at[i].file));
    if (m->restore_op.length && has_variables(dir)) {
        weir_str prefix = WEIR_STR("variables");
        WEIR_TRY(add_path(f, s->graph, m->filename_tensor, dir, "variables", prefix));
        WEIR_TRY(run_op(s, m->restore_op, f, options));
        weir_tensor_release(&f->values[--f->count]); /* the initialiser is not fed the checkpoint */
    }
    return m->init_op.length ? run_op(s, m->init_op, f, options) : WEIR_OK;
}

static weir_status restore(TF_Session *s, const meta_graph *m, const char *dir, weir_str options)
{
    feeds f = {.edges = WEIR_NEW_ARRAY(weir_edge, m->assets.count + 1),
               .values = WEIR_NEW_ARRAY(weir_tensor, m->assets.count + 1)};
    weir_status status = start(s, m, dir, options, &f);
    for (int i = 0; i < f.count; i++)
        weir_tensor_release(&f.values[i]);
    weir_free(f.edges);
    weir_free(f.values);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static weir_status read_model(const char *dir, weir_buf *out)
{
    weir_buf path = {0};
    weir_buf_addf(&path, "%s/saved_model.pb", dir);
    weir_status s =
        weir_path_exists(path.at)
            ? weir_file_read_all(path.at, MODEL_LIMIT, out)
            : weir_error(WEIR_NOT_FOUND,
                         "Could not find SavedModel .pb or .pbtxt at supplied export directory "
                         "path: %s. Check that the directory exists and that you have the right "
                         "permissions for accessing it.",
                         dir);
    weir_buf_fini(&path);
    return s;
}

/* What is asked for. */
typedef struct loading {
    const TF_SessionOptions *options;
    weir_str run_options;
    const char *dir;
    TF_Graph *graph;
    TF_Buffer *meta_graph_def;
} loading;

static weir_status load_meta_graph(const loading *l, const meta_graph *m, TF_Session **out_session)
{
    TF_Session *session = NULL;
    weir_capi_lock(l->graph);
    weir_status s = weir_graph_import(l->graph->graph, m->graph_def, NULL, NULL);
    weir_capi_unlock(l->graph);
    if (!s)
        s = weir_capi_session_create(l->graph, l->options, &session);
    if (!s)
        s = restore(session, m, l->dir, l->run_options);
    if (!s && l->meta_graph_def) {
        weir_buf copy = {0};
        weir_buf_add(&copy, m->proto.at, m->proto.length);
        s = weir_capi_fill(l->meta_graph_def, &copy);
    }
    if (s)
        weir_capi_session_delete(session);
    else
        *out_session = session;
    return s;
}

static weir_status load(const loading *l, const char *const *tags, int tags_len,
                        TF_Session **out_session)
{
    weir_buf model = {0};
    meta_graph m = {0};
    if (l->graph->graph->nodes.count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Graph is non-empty.");
    weir_status s = read_model(l->dir, &model);
    if (!s)
        s = find_meta_graph((weir_str){model.at, model.length}, tags, tags_len, &m.proto);
    if (!s) {
        read_meta_graph(&m);
        s = load_meta_graph(l, &m, out_session);
    }
    weir_vec_fini(&m.assets);
    weir_buf_fini(&model);
    return s;
}

TF_Session *TF_LoadSessionFromSavedModel(const TF_SessionOptions *session_options,
                                         const TF_Buffer *run_options, const char *export_dir,
                                         const char *const *tags, int tags_len, TF_Graph *graph,
                                         TF_Buffer *meta_graph_def, TF_Status *status)
{
    loading l = {session_options, weir_capi_bytes(run_options), export_dir, graph, meta_graph_def};
    TF_Session *session = NULL;
    return weir_capi_end(status, load(&l, tags, tags_len, &session)) ? session : NULL;
}
