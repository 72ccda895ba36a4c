/* dist/worker_session.c - masters' sessions, and their registered graphs. */
#include <inttypes.h>
#include <stdio.h>

#include "dist/worker_impl.h"
#include "net/limits.h"
#include "observe/marks.h"

/* ---- life cycle ----------------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    worker_session *session = (worker_session *)ref;
    weir_worker_free_partial(session);
    size_t at = 0;
    void *graph;
    while (weir_map_next(&session->graphs, &at, NULL, &graph))
        weir_registered_release(graph);
    weir_map_fini(&session->graphs);
    weir_resources_release(session->own);
    weir_resources_release(session->resources);
    weir_cluster_release(session->cluster);
    weir_cancel_release(session->cancel);
    weir_mutex_fini(&session->lock);
    weir_free(session->handle);
    weir_free(session->master_task);
    weir_free(session);
}

/* Takes over |cluster|, and |resources| (null: as the request specifies). */
static worker_session *new_session(weir_worker *worker,
                                   const weir_msg_create_worker_session_request *request,
                                   weir_cluster *cluster, weir_resources *resources)
{
    const weir_task *own = weir_cluster_self(cluster);
    char device[160];
    snprintf(device, sizeof device, "%s/device:CPU:0", own->name);
    worker_session *session = WEIR_NEW(worker_session);
    weir_ref_init(&session->ref, destroy);
    session->worker = worker;
    session->handle = weir_strndup(request->session_handle.at, request->session_handle.length);
    session->master_task = weir_strndup(request->master_task.at, request->master_task.length);
    session->master_incarnation = request->master_incarnation;
    session->cluster = cluster;
    session->resources = resources ? resources
                         : request->isolate_session_state
                             ? weir_resources_create(own->job, device)
                             : weir_resources_retain(worker->options.resources);
    session->own = weir_resources_create("", device);
    weir_task_calls_init(&session->calls, cluster, session->handle);
    session->cancel = weir_cancel_create(NULL);
    weir_mutex_init(&session->lock);
    return session;
}

/* Cancels the session's steps and releases it; calls in progress find them cancelled. */
static void end_session(worker_session *session, const char *why)
{
    weir_cancel_fire(session->cancel, weir_error(WEIR_CANCELLED, "%s", why));
    weir_steps_drop_owned(session->worker->options.steps, session);
    weir_ref_release(&session->ref);
}

/* Ends the sessions of a restarted master, which will not do so. */
static void drop_stale(weir_worker *worker, const weir_msg_create_worker_session_request *request)
{
    WEIR_VEC(worker_session *) stale = {0};
    size_t at = 0;
    void *value;
    weir_mutex_lock(&worker->lock);
    while (request->master_task.length && weir_map_next(&worker->sessions, &at, NULL, &value)) {
        worker_session *session = value;
        if (weir_str_is(request->master_task, session->master_task) &&
            session->master_incarnation != request->master_incarnation)
            weir_vec_push(&stale, session);
    }
    for (size_t i = 0; i < stale.count; i++)
        weir_map_remove(&worker->sessions, weir_str_of(stale.at[i]->handle));
    weir_mutex_unlock(&worker->lock);
    for (size_t i = 0; i < stale.count; i++)
        end_session(stale.at[i], "the session's master was restarted");
    weir_vec_fini(&stale);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* The cluster of a ServerDef that has one; else the worker's own. Retained for the caller. */
static weir_status cluster_of(weir_worker *worker, const weir_msg_server_def *def,
                              weir_cluster **out)
{
    if (!def || !def->cluster || !def->cluster->job.count) {
        *out = weir_cluster_retain(worker->options.cluster);
        return WEIR_OK;
    }
    weir_cluster *cluster = weir_cluster_create();
    char *job = weir_strndup(def->job_name.at, def->job_name.length);
    weir_status status = weir_cluster_add_def(cluster, def->cluster);
    if (!status)
        status = weir_cluster_seal(cluster, job, def->task_index);
    weir_free(job);
    if (status)
        weir_cluster_release(cluster);
    else
        *out = cluster;
    return status;
}

/* Takes the session over. There may be as many of masters as a server may have of clients. */
static weir_status put_session(weir_worker *worker, worker_session *session, int64_t most)
{
    weir_str handle = weir_str_of(session->handle);
    worker_session *before = NULL;
    weir_mutex_lock(&worker->lock);
    bool full = (int64_t)worker->sessions.count >= most && !weir_map_get(&worker->sessions, handle);
    if (!full)
        before = weir_map_put(&worker->sessions, handle, session);
    weir_mutex_unlock(&worker->lock);
    if (before)
        end_session(before, "the session was opened again");
    if (!full)
        return WEIR_OK;
    weir_ref_release(&session->ref);
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "the task has %lld sessions of masters, the most there may be (sessions)",
                      (long long)most);
}

void weir_worker_open_own(weir_worker *worker, const char *handle, weir_cluster *cluster,
                          weir_resources *resources)
{
    weir_msg_create_worker_session_request request = {
        .session_handle = weir_str_of(handle),
        .master_task = weir_str_of(weir_cluster_self(cluster)->name)};
    weir_status_free(put_session(worker,
                                 new_session(worker, &request, weir_cluster_retain(cluster),
                                             weir_resources_retain(resources)),
                                 INT64_MAX));
}

static worker_session *take_session(weir_worker *worker, weir_str handle)
{
    weir_mutex_lock(&worker->lock);
    worker_session *session = weir_map_remove(&worker->sessions, handle);
    weir_mutex_unlock(&worker->lock);
    return session;
}

void weir_worker_close_own(weir_worker *worker, const char *handle)
{
    worker_session *session = take_session(worker, weir_str_of(handle));
    if (session)
        end_session(session, "Session has been closed.");
}

weir_status weir_worker_create_session(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                       weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_create_worker_session_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_create_worker_session_request_read(bytes, &arena, &request)));
    if (!request.session_handle.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "session_handle is empty");
    weir_cluster *cluster = NULL;
    WEIR_TRY(cluster_of(worker, request.server_def, &cluster));
    drop_stale(worker, &request);
    WEIR_TRY(put_session(worker, new_session(worker, &request, cluster, NULL),
                         weir_limits_get()->sessions));
    weir_mark_add("session", "session %.*s of %.*s opened", WEIR_STR_ARG(request.session_handle),
                  WEIR_STR_ARG(request.master_task));
    return WEIR_OK;
}

weir_status weir_worker_delete_session(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                       weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_delete_worker_session_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_delete_worker_session_request_read(bytes, &arena, &request)));
    worker_session *session = take_session(worker, request.session_handle);
    if (session) {
        weir_mark_add("session", "session %.*s closed", WEIR_STR_ARG(request.session_handle));
        end_session(session, "Session has been closed.");
    }
    return WEIR_OK;
}

void weir_worker_close(weir_worker *worker)
{
    weir_mutex_lock(&worker->lock);
    weir_map all = worker->sessions;
    worker_session *legacy = worker->legacy;
    worker->sessions = (weir_map){0};
    worker->legacy = NULL;
    weir_mutex_unlock(&worker->lock);
    size_t at = 0;
    void *session;
    while (weir_map_next(&all, &at, NULL, &session))
        end_session(session, "the task ends");
    if (legacy)
        end_session(legacy, "the task ends");
    weir_map_fini(&all);
}

void weir_worker_forget_step(weir_worker *worker, int64_t step_id)
{
    WEIR_VEC(worker_session *) sessions = {0};
    size_t at = 0;
    void *session;
    if (!atomic_load(&worker->partial_runs))
        return;
    weir_mutex_lock(&worker->lock);
    while (weir_map_next(&worker->sessions, &at, NULL, &session))
        weir_vec_push(&sessions, (worker_session *)session);
    if (worker->legacy)
        weir_vec_push(&sessions, worker->legacy);
    for (size_t i = 0; i < sessions.count; i++)
        weir_ref_retain(&sessions.at[i]->ref);
    weir_mutex_unlock(&worker->lock);
    for (size_t i = 0; i < sessions.count; i++) {
        weir_worker_forget_partial(sessions.at[i], step_id);
        weir_ref_release(&sessions.at[i]->ref);
    }
    weir_vec_fini(&sessions);
}

/* ---- lookup --------------------------------------------------------------------------------- */

/* The session shared by all masters that open none. */
static worker_session *legacy_session(weir_worker *worker) WEIR_REQUIRES(worker->lock)
{
    static const weir_msg_create_worker_session_request defaults;
    if (!worker->legacy)
        worker->legacy =
            new_session(worker, &defaults, weir_cluster_retain(worker->options.cluster), NULL);
    return worker->legacy;
}

weir_status weir_worker_find_session(weir_worker *worker, weir_str handle, bool opened,
                                     worker_session **out_session)
{
    weir_mutex_lock(&worker->lock);
    worker_session *session =
        opened ? weir_map_get(&worker->sessions, handle) : legacy_session(worker);
    if (session)
        weir_ref_retain(&session->ref);
    weir_mutex_unlock(&worker->lock);
    if (!session)
        return weir_status_mark(
            weir_error(WEIR_ABORTED,
                       "Session handle is not found: %.*s. Possibly this worker (\"%s\") just "
                       "restarted.",
                       WEIR_STR_ARG(handle), weir_cluster_self(worker->options.cluster)->name),
            WEIR_PEER_RESTARTED);
    *out_session = session;
    return WEIR_OK;
}

weir_status weir_worker_find_graph(worker_session *session, weir_str handle,
                                   weir_registered **out_graph)
{
    weir_mutex_lock(&session->lock);
    weir_registered *registered = weir_map_get(&session->graphs, handle);
    if (registered)
        weir_registered_retain(registered);
    weir_mutex_unlock(&session->lock);
    if (!registered)
        return weir_error(WEIR_ABORTED,
                          "Graph handle is not found: %.*s. Possibly, this worker just restarted.",
                          WEIR_STR_ARG(handle));
    *out_graph = registered;
    return WEIR_OK;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static void keep_graph(worker_session *session, weir_registered *graph, weir_buf *out)
{
    char handle[20];
    weir_mutex_lock(&session->lock);
    snprintf(handle, sizeof handle, "%016" PRIx64, ++session->next_graph);
    weir_map_put(&session->graphs, weir_str_of(handle), graph);
    weir_mutex_unlock(&session->lock);
    weir_msg_register_graph_response_write(
        &(weir_msg_register_graph_response){.graph_handle = weir_str_of(handle)}, out);
}

static weir_status register_graph(worker_session *session,
                                  const weir_msg_register_graph_request *request, weir_buf *out)
{
    const weir_worker_options *own = &session->worker->options;
    weir_session_config config = {0};
    weir_devices devices = {(weir_device_info *)own->devices, own->device_count}; /* only read */
    if (request->config_proto)
        config = weir_session_config_of(request->config_proto);
    weir_registered_options options = {.graph_def = request->graph_def,
                                       .config = &config,
                                       .task = weir_cluster_self(session->cluster)->name,
                                       .devices = &devices,
                                       .resources = session->resources,
                                       .own = session->own,
                                       .calls = &session->calls.base,
                                       .collectives = weir_task_collectives_base(own->collectives)};
    weir_registered *graph;
    WEIR_TRY(weir_registered_create(&options, &graph));
    keep_graph(session, graph, out);
    return WEIR_OK;
}

weir_status weir_worker_register_graph(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                       weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_register_graph_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_register_graph_request_read(bytes, &arena, &request)));
    worker_session *session;
    WEIR_TRY(weir_worker_find_session(worker, request.session_handle,
                                      request.create_worker_session_called, &session));
    weir_status status = register_graph(session, &request, out);
    weir_ref_release(&session->ref);
    return status;
}

weir_status weir_worker_deregister_graph(weir_worker *worker, weir_str bytes, weir_cancel *cancel,
                                         weir_buf *out)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_deregister_graph_request request;
    WEIR_TRY(weir_rpc_parsed(weir_msg_deregister_graph_request_read(bytes, &arena, &request)));
    worker_session *session;
    weir_registered *graph = NULL;
    WEIR_TRY(weir_worker_find_session(worker, request.session_handle,
                                      request.create_worker_session_called, &session));
    weir_status status = weir_worker_find_graph(session, request.graph_handle, &graph);
    if (!status) {
        weir_mutex_lock(&session->lock);
        weir_registered *kept = weir_map_remove(&session->graphs, request.graph_handle);
        weir_mutex_unlock(&session->lock);
        weir_registered_release(kept);
    }
    weir_registered_release(graph);
    weir_ref_release(&session->ref);
    return status;
}
