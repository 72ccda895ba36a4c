/* capi/saved_model.c - TF_LoadSessionFromSavedModel. */
#include "model/saved_model.h"
#include "capi/capi_impl.h"
#include "wire/messages.h"

weir_status weir_capi_start_model(const weir_meta_graph *meta_graph, const char *dir,
                                  const TF_SessionOptions *options,
                                  const weir_run_options *run_options, TF_Graph *graph,
                                  TF_Session **out_session)
{
    TF_Session *session = NULL;
    weir_capi_lock(graph);
    weir_status status = weir_graph_import(graph->graph, meta_graph->graph_def, NULL, NULL);
    weir_capi_unlock(graph);
    if (!status)
        status = weir_capi_session_create(graph, options, &session);
    if (!status)
        status = weir_model_restore(session->session, meta_graph, dir, run_options);
    if (status)
        weir_capi_session_delete(session);
    else
        *out_session = session;
    return status;
}

/* The requested model. */
typedef struct loading {
    const TF_SessionOptions *options;
    weir_run_options run_options;
    const char *dir;
    TF_Graph *graph;
    TF_Buffer *meta_graph_def;
} loading;

static weir_status load_found(const loading *loading, weir_str proto, TF_Session **out_session)
{
    weir_meta_graph graph = {0};
    TF_Session *session = NULL;
    weir_status status = weir_meta_graph_read(proto, &graph);
    if (!status)
        status = weir_capi_start_model(&graph, loading->dir, loading->options,
                                       &loading->run_options, loading->graph, &session);
    weir_meta_graph_fini(&graph);
    WEIR_TRY(status);
    if (loading->meta_graph_def) {
        weir_buf copy = {0};
        weir_buf_add(&copy, proto.at, proto.length);
        status = weir_capi_fill(loading->meta_graph_def, &copy);
    }
    if (status)
        weir_capi_session_delete(session);
    else
        *out_session = session;
    return status;
}

static weir_status load(const loading *loading, const char *const *tags, int tags_len,
                        TF_Session **out_session)
{
    WEIR_BUF(model);
    weir_str proto;
    if (loading->graph->graph->nodes.count)
        return weir_error(WEIR_INVALID_ARGUMENT, "Graph is non-empty.");
    weir_status status = weir_model_read(loading->dir, &model);
    if (!status)
        status = weir_model_find_graph(weir_view(&model), tags, tags_len, &proto);
    if (!status)
        status = load_found(loading, proto, out_session);
    return status;
}

TF_Session *TF_LoadSessionFromSavedModel(const TF_SessionOptions *session_options,
                                         const TF_Buffer *run_options, const char *export_dir,
                                         const char *const *tags, int tags_len, TF_Graph *graph,
                                         TF_Buffer *meta_graph_def, TF_Status *status)
{
    WEIR_MESSAGE_ARENA(arena);
    TF_Session *session = NULL;
    loading loading = {session_options, {0}, export_dir, graph, meta_graph_def};
    weir_status result = weir_capi_run_options(run_options, &arena, &loading.run_options);
    if (!result)
        result = load(&loading, tags, tags_len, &session);
    return weir_capi_end(status, result) ? session : NULL;
}
