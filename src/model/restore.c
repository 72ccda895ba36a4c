/* model/restore.c - restores a model's variables and runs its initialiser. */
#include "io/file.h"
#include "model/saved_model_impl.h"
#include "tensor/tstring.h"

/* ---- running --------------------------------------------------------------------------------- */

static weir_status find_node(const weir_graph *graph, weir_str name, weir_node **out)
{
    const char *colon = memchr(name.at, ':', name.length);
    weir_str node = {name.at, colon ? (size_t)(colon - name.at) : name.length};
    *out = weir_graph_find(graph, node);
    return *out ? WEIR_OK
                : weir_error(WEIR_NOT_FOUND,
                             "The SavedModel names a node '%.*s' that its graph "
                             "does not have",
                             WEIR_STR_ARG(node));
}

/* Feeds of the restore and initialiser ops. */
typedef struct feeds {
    int count;
    weir_edge *edges;
    weir_tensor *values;
} feeds;

static weir_status add_feed(feeds *feeds, const weir_graph *graph, weir_str tensor,
                            const char *value)
{
    weir_node *node;
    WEIR_TRY(find_node(graph, tensor, &node));
    feeds->edges[feeds->count] = (weir_edge){node, 0};
    feeds->values[feeds->count++] = weir_tensor_string(weir_str_of(value));
    return WEIR_OK;
}

static weir_status add_path(feeds *feeds, const weir_graph *graph, weir_str tensor, const char *dir,
                            const char *folder, weir_str file)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/%s/%.*s", dir, folder, WEIR_STR_ARG(file));
    return add_feed(feeds, graph, tensor, path.at);
}

static weir_status run_op(weir_session *session, weir_str op, const feeds *feeds,
                          const weir_run_options *options)
{
    weir_node *target;
    WEIR_TRY(find_node(session->graph, op, &target));
    weir_request request = {.feeds = feeds->edges,
                            .feed_values = feeds->values,
                            .feed_count = feeds->count,
                            .targets = &target,
                            .target_count = 1,
                            .options = options};
    return weir_session_run(session, &request, NULL);
}

static bool has_variables(const char *dir)
{
    WEIR_BUF(path);
    weir_buf_addf(&path, "%s/variables/variables.index", dir);
    bool there = weir_path_exists(path.at);
    return there;
}

static weir_status restore_variables(weir_session *session, const weir_meta_graph *graph,
                                     const char *dir, const weir_run_options *options, feeds *feeds)
{
    weir_node *restore;
    WEIR_TRY(add_path(feeds, session->graph, graph->filename_tensor, dir, "variables",
                      WEIR_STR("variables")));
    WEIR_TRY(find_node(session->graph, graph->restore_op, &restore));
    WEIR_TRY(run_op(session, graph->restore_op, feeds, options));
    weir_tensor *prefix =
        &feeds->values[--feeds->count]; /* the initialiser is not fed the checkpoint */
    weir_str text = weir_tstring_get(prefix->data);
    char *path = weir_strndup(text.at, text.length);
    weir_status status = weir_model_restore_objects(session, restore, path);
    weir_free(path);
    weir_tensor_release(prefix);
    return status;
}

static weir_status run_starters(weir_session *session, const weir_meta_graph *graph,
                                const char *dir, const weir_run_options *options, feeds *feeds)
{
    for (size_t i = 0; i < graph->assets.count; i++)
        WEIR_TRY(add_path(feeds, session->graph, graph->assets.at[i].tensor, dir, "assets",
                          graph->assets.at[i].file));
    if (graph->restore_op.length && has_variables(dir))
        WEIR_TRY(restore_variables(session, graph, dir, options, feeds));
    return graph->init_op.length ? run_op(session, graph->init_op, feeds, options) : WEIR_OK;
}

weir_status weir_model_restore(weir_session *session, const weir_meta_graph *graph, const char *dir,
                               const weir_run_options *options)
{
    feeds feeds = {.edges = WEIR_NEW_ARRAY(weir_edge, graph->assets.count + 1),
                   .values = WEIR_NEW_ARRAY(weir_tensor, graph->assets.count + 1)};
    weir_status status = run_starters(session, graph, dir, options, &feeds);
    for (int i = 0; i < feeds.count; i++)
        weir_tensor_release(&feeds.values[i]);
    weir_free(feeds.edges);
    weir_free(feeds.values);
    return status;
}
