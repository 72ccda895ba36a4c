/* capi/saved_model.c - TF_LoadSessionFromSavedModel. */
#include "model/saved_model.h"
#include "capi/capi_impl.h"

weir_status weir_capi_start_model(const weir_meta_graph *m, const char *dir,
                                  const TF_SessionOptions *options,
                                  const weir_run_options *run_options, TF_Graph *graph,
                                  TF_Session **out_session)
{
    TF_Session *session = NULL;
    weir_capi_lock(graph);
    weir_status s = weir_graph_import(graph->graph, m->graph_def, NULL, NULL);
    weir_capi_unlock(graph);
    if (!s)
        s = weir_capi_session_create(graph, options, &session);
    if (!s)
        s = weir_model_restore(session->session, m, dir, run_options);
    if (s)
        weir_capi_session_delete(session);
    else
        *out_session = session;
    return s;
}

/* What is asked for. */
typedef struct loading {
    const TF_SessionOptions *options;
    weir_run_options run_options;
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
        s = weir_capi_start_model(&m, l->dir, l->options, &l->run_options, l->graph, &session);
    weir_meta_graph_fini(&m);
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
    weir_status s = weir_model_read(l->dir, &model);
    if (!s)
        s = weir_model_find_graph((weir_str){model.at, model.length}, tags, tags_len, &proto);
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
    WEIR_MESSAGE_ARENA(arena);
    TF_Session *session = NULL;
    loading l = {session_options, {0}, export_dir, graph, meta_graph_def};
    weir_status s = weir_capi_run_options(run_options, &arena, &l.run_options);
    if (!s)
        s = load(&l, tags, tags_len, &session);
    return weir_capi_end(status, s) ? session : NULL;
}
