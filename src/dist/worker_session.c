/* dist/worker_session.c - sessions of masters, and the graphs that they registered. */
#include <inttypes.h>
#include <stdio.h>

#include "dist/options.h"
#include "dist/worker_impl.h"

/* ---- making and ending ---------------------------------------------------------------------- */

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

typedef struct session_opening {
    weir_str handle, server_def, master_task;
    uint64_t master_incarnation;
    bool isolated;
} session_opening;

static const char *own_device(const worker_session *session, char out[static 160])
{
    snprintf(out, 160, "%s/device:CPU:0", weir_cluster_self(session->cluster)->name);
    return out;
}

/* Takes over |cluster|. */
static worker_session *new_session(weir_worker *worker, const session_opening *opening,
                                   weir_cluster *cluster)
{
    worker_session *session = WEIR_NEW(worker_session);
    weir_ref_init(&session->ref, destroy);
    session->w = worker;
    session->handle = weir_strndup(opening->handle.at, opening->handle.length);
    session->master_task = weir_strndup(opening->master_task.at, opening->master_task.length);
    session->master_incarnation = opening->master_incarnation;
    session->cluster = cluster;
    char device[160];
    own_device(session, device);
    session->resources = opening->isolated
                             ? weir_resources_create(weir_cluster_self(cluster)->job, device)
                             : weir_resources_retain(worker->o.resources);
    session->own = weir_resources_create("", device);
    session->cancel = weir_cancel_create(NULL);
    weir_mutex_init(&session->lock);
    return session;
}

/* Stops the session's steps and lets it go; who still holds it finds everything stopped. */
static void end_session(worker_session *session, const char *why)
{
    weir_cancel_fire(session->cancel, weir_error(WEIR_CANCELLED, "%s", why));
    weir_steps_drop_owned(session->w->o.steps, session);
    weir_ref_release(&session->ref);
}

/* Sessions of a master that has been started anew since: nobody will close them. */
static void drop_stale(weir_worker *worker, const session_opening *opening)
{
    WEIR_VEC(worker_session *) stale = {0};
    size_t at = 0;
    void *value;
    weir_mutex_lock(&worker->lock);
    while (opening->master_task.length && weir_map_next(&worker->sessions, &at, NULL, &value)) {
        worker_session *session = value;
        if (weir_str_is(opening->master_task, session->master_task) &&
            session->master_incarnation != opening->master_incarnation)
            weir_vec_push(&stale, session);
    }
    for (size_t i = 0; i < stale.count; i++)
        weir_map_remove(&worker->sessions, weir_str_of(stale.at[i]->handle));
    weir_mutex_unlock(&worker->lock);
    for (size_t i = 0; i < stale.count; i++)
        end_session(stale.at[i], "the session's master was started anew");
    weir_vec_fini(&stale);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* The cluster of a ServerDef that has one; else the worker's own. Retained for the caller. */
static weir_status cluster_of(weir_worker *worker, weir_str server_def, weir_cluster **out)
{
    weir_str cluster = {0}, job = {"", 0};
    int64_t index = 0;
    weir_pb reader = weir_pb_reader(server_def);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            cluster = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            job = reader.bytes;
        else if (reader.field == 3 && reader.type == WEIR_PB_VARINT)
            index = weir_pb_int(&reader);
    }
    if (!weir_pb_ok(&reader))
        return weir_worker_unparseable();
    if (!cluster.length) {
        *out = weir_cluster_retain(worker->o.cluster);
        return WEIR_OK;
    }
    weir_cluster *c = weir_cluster_create();
    char *own = weir_strndup(job.at, job.length);
    weir_status status = weir_cluster_add_def(c, cluster);
    if (!status)
        status = weir_cluster_seal(c, own, index == (int)index ? (int)index : -1);
    weir_free(own);
    if (status)
        weir_cluster_release(c);
    else
        *out = c;
    return status;
}

static weir_status read_opening(weir_str request, session_opening *opening)
{
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            opening->handle = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            opening->server_def = reader.bytes;
        else if (reader.field == 3 && reader.type == WEIR_PB_VARINT)
            opening->isolated = reader.value != 0;
        else if (reader.field == 5 && reader.type == WEIR_PB_LEN)
            opening->master_task = reader.bytes;
        else if (reader.field == 6 && reader.type == WEIR_PB_VARINT)
            opening->master_incarnation = reader.value;
    }
    return weir_pb_ok(&reader) ? WEIR_OK : weir_worker_unparseable();
}

weir_status weir_worker_create_session(weir_worker *worker, weir_str request, weir_cancel *cancel,
                                       weir_buf *out)
{
    session_opening opening = {.handle = {"", 0}, .master_task = {"", 0}};
    WEIR_TRY(read_opening(request, &opening));
    if (!opening.handle.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "session_handle is empty");
    weir_cluster *cluster = NULL;
    WEIR_TRY(cluster_of(worker, opening.server_def, &cluster));
    drop_stale(worker, &opening);
    worker_session *session = new_session(worker, &opening, cluster);
    weir_mutex_lock(&worker->lock);
    worker_session *before = weir_map_put(&worker->sessions, opening.handle, session);
    weir_mutex_unlock(&worker->lock);
    if (before)
        end_session(before, "the session was opened again");
    return WEIR_OK;
}

weir_status weir_worker_delete_session(weir_worker *worker, weir_str request, weir_cancel *cancel,
                                       weir_buf *out)
{
    session_opening opening = {.handle = {"", 0}};
    WEIR_TRY(read_opening(request, &opening));
    weir_mutex_lock(&worker->lock);
    worker_session *session = weir_map_remove(&worker->sessions, opening.handle);
    weir_mutex_unlock(&worker->lock);
    if (session)
        end_session(session, "Session has been closed.");
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
    void *source;
    while (weir_map_next(&all, &at, NULL, &source))
        end_session(source, "the task ends");
    if (legacy)
        end_session(legacy, "the task ends");
    weir_map_fini(&all);
}

/* ---- finding -------------------------------------------------------------------------------- */

/* The one session of all masters that open none. */
static worker_session *legacy_session(weir_worker *worker) WEIR_REQUIRES(worker->lock)
{
    session_opening opening = {.handle = {"", 0}, .master_task = {"", 0}};
    if (!worker->legacy)
        worker->legacy = new_session(worker, &opening, weir_cluster_retain(worker->o.cluster));
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
                       WEIR_STR_ARG(handle), weir_cluster_self(worker->o.cluster)->name),
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

typedef struct graph_request {
    weir_str session, graph, config, graph_handle;
    bool opened;
} graph_request;

static void keep_graph(worker_session *session, weir_registered *registered, weir_buf *out)
{
    char handle[20];
    weir_mutex_lock(&session->lock);
    snprintf(handle, sizeof handle, "%016" PRIx64, ++session->next_graph);
    weir_map_put(&session->graphs, weir_str_of(handle), registered);
    weir_mutex_unlock(&session->lock);
    weir_pb_put_str(out, 1, handle);
}

static weir_status register_graph(worker_session *session, const graph_request *request,
                                  weir_buf *out)
{
    weir_session_config config;
    WEIR_TRY(weir_session_config_read(request->config, &config));
    weir_registered_options options = {.graph_def = request->graph,
                                       .config = &config,
                                       .task = weir_cluster_self(session->cluster)->name,
                                       .device_count = session->w->o.device_count,
                                       .resources = session->resources,
                                       .own = session->own,
                                       .collectives =
                                           weir_task_collectives_base(session->w->o.collectives)};
    weir_registered *registered;
    WEIR_TRY(weir_registered_create(&options, &registered));
    keep_graph(session, registered, out);
    return WEIR_OK;
}

weir_status weir_worker_register_graph(weir_worker *worker, weir_str request, weir_cancel *cancel,
                                       weir_buf *out)
{
    graph_request graph_request = {.session = {"", 0}, .graph = {"", 0}, .config = {"", 0}};
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            graph_request.session = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            graph_request.graph = reader.bytes;
        else if (reader.field == 6 && reader.type == WEIR_PB_VARINT)
            graph_request.opened = reader.value != 0;
        else if (reader.field == 8 && reader.type == WEIR_PB_LEN)
            graph_request.config = reader.bytes;
    }
    if (!weir_pb_ok(&reader))
        return weir_worker_unparseable();
    worker_session *session;
    WEIR_TRY(
        weir_worker_find_session(worker, graph_request.session, graph_request.opened, &session));
    weir_status st = register_graph(session, &graph_request, out);
    weir_ref_release(&session->ref);
    return st;
}

weir_status weir_worker_deregister_graph(weir_worker *worker, weir_str request, weir_cancel *cancel,
                                         weir_buf *out)
{
    graph_request graph_request = {.session = {"", 0}, .graph_handle = {"", 0}};
    weir_pb reader = weir_pb_reader(request);
    while (weir_pb_next(&reader)) {
        if (reader.field == 1 && reader.type == WEIR_PB_LEN)
            graph_request.graph_handle = reader.bytes;
        else if (reader.field == 2 && reader.type == WEIR_PB_LEN)
            graph_request.session = reader.bytes;
        else if (reader.field == 3 && reader.type == WEIR_PB_VARINT)
            graph_request.opened = reader.value != 0;
    }
    if (!weir_pb_ok(&reader))
        return weir_worker_unparseable();
    worker_session *session;
    weir_registered *registered = NULL;
    WEIR_TRY(
        weir_worker_find_session(worker, graph_request.session, graph_request.opened, &session));
    weir_status st = weir_worker_find_graph(session, graph_request.graph_handle, &registered);
    if (!st) {
        weir_mutex_lock(&session->lock);
        weir_registered *kept = weir_map_remove(&session->graphs, graph_request.graph_handle);
        weir_mutex_unlock(&session->lock);
        weir_registered_release(kept);
    }
    weir_registered_release(registered);
    weir_ref_release(&session->ref);
    return st;
}
