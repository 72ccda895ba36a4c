/* capi/saved_model.c - SavedModels started, and TF_LoadSessionFromSavedModel.
 *
 *   DIR/saved_model.pb                   SavedModel: one MetaGraphDef per set of tags
 *   DIR/variables/variables.index, ...   a checkpoint that the graph's own restore op reads
 *   DIR/assets/NAME                      files whose paths are fed to the graph
 */
#include "capi/saved_model_impl.h"
#include "io/file.h"
#include "tensor/tstring.h"

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

static weir_status restore_variables(TF_Session *s, const weir_meta_graph *m, const char *dir,
                                     weir_str options, feeds *f)
{
    weir_node *restore;
    WEIR_TRY(add_path(f, s->graph, m->filename_tensor, dir, "variables", WEIR_STR("variables")));
    WEIR_TRY(find_node(s->graph, m->restore_op, &restore));
    WEIR_TRY(run_op(s, m->restore_op, f, options));
    weir_tensor *prefix = &f->values[--f->count]; /* the initialiser is not fed the checkpoint */
    weir_str text = weir_tstring_get(prefix->data);
    char *path = weir_strndup(text.at, text.length);
    weir_status status = weir_saved_model_fill(s, restore, path);
    weir_free(path);
    weir_tensor_release(prefix);
    return status;
}

static weir_status run_starters(TF_Session *s, const weir_meta_graph *m, const char *dir,
                                weir_str options, feeds *f)
{
    for (size_t i = 0; i < m->assets.count; i++)
        WEIR_TRY(
            add_path(f, s->graph, m->assets.at[i].tensor, dir, "assets", m->assets.at[i].file));
    if (m->restore_op.length && has_variables(dir))
        WEIR_TRY(restore_variables(s, m, dir, options, f));
    return m->init_op.length ? run_op(s, m->init_op, f, options) : WEIR_OK;
}

static weir_status restore(TF_Session *s, const weir_meta_graph *m, const char *dir,
                           weir_str options)
{
    feeds f = {.edges = WEIR_NEW_ARRAY(weir_edge, m->assets.count + 1),
               .values = WEIR_NEW_ARRAY(weir_tensor, m->assets.count + 1)};
    weir_status status = run_starters(s, m, dir, options, &f);
    for (int i = 0; i < f.count; i++)
        weir_tensor_release(&f.values[i]);
    weir_free(f.edges);
    weir_free(f.values);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

weir_status weir_saved_model_start(const weir_meta_graph *m, const char *dir,
                                   const TF_SessionOptions *options, weir_str run_options,
                                   TF_Graph *graph, TF_Session **out_session)
{
    TF_Session *session = NULL;
    weir_capi_lock(graph);
    weir_status s = weir_graph_import(graph->graph, m->graph_def, NULL, NULL);
    weir_capi_unlock(graph);
    if (!s)
        s = weir_capi_session_create(graph, options, &session);
    if (!s)
        s = restore(session, m, dir, run_options);
    if (s)
        weir_capi_session_delete(session);
    else
        *out_session = session;
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

static weir_status load_found(const loading *l, weir_str proto, TF_Session **out_session)
{
    weir_meta_graph m = {0};
    TF_Session *session = NULL;
    weir_status s = weir_meta_graph_read(proto, &m);
    if (!s)
        s = weir_saved_model_start(&m, l->dir, l->options, l->run_options, l->graph, &session);
    weir_vec_fini(&m.assets);
    WEIR_TRY(s);
    if (l->meta_graph_def) {
        weir_buf copy = {0};
        weir_buf_add(&copy, proto.at, proto.length);
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
    weir_str proto;
    if (l->graph->graph->nodes.count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Graph is non-empty.");
    weir_status s = weir_saved_model_read(l->dir, &model);
    if (!s)
        s = weir_saved_model_find_graph((weir_str){model.at, model.length}, tags, tags_len, &proto);
    if (!s)
        s = load_found(l, proto, out_session);
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
