/* dist/worker_session.c - sessions of masters, and the graphs that they registered. */
#include <inttypes.h>
#include <stdio.h>

#include "dist/worker_impl.h"

/* ---- making and ending ---------------------------------------------------------------------- */

static void destroy(weir_ref *ref)
{
    worker_session *s = (worker_session *)ref;
    weir_worker_free_partial(s);
    size_t at = 0;
    void *graph;
    while (weir_map_next(&s->graphs, &at, NULL, &graph))
        weir_registered_release(graph);
    weir_map_fini(&s->graphs);
    weir_resources_release(s->own);
    weir_resources_release(s->resources);
    weir_cluster_release(s->cluster);
    weir_cancel_release(s->cancel);
    pthread_mutex_destroy(&s->lock);
    weir_free(s->handle);
    weir_free(s->master_task);
    weir_free(s);
}

typedef struct opening {
    weir_str handle, server_def, master_task;
    uint64_t master_incarnation;
    bool isolated;
} opening;

static const char *own_device(const worker_session *s, char out[static 160])
{
    snprintf(out, 160, "%s/device:CPU:0", weir_cluster_self(s->cluster)->name);
    return out;
}

/* Takes over |cluster|. */
static worker_session *new_session(weir_worker *w, const opening *o, weir_cluster *cluster)
{
    worker_session *s = WEIR_NEW(worker_session);
    weir_ref_init(&s->ref, destroy);
    s->w = w;
    s->handle = weir_strndup(o->handle.at, o->handle.length);
    s->master_task = weir_strndup(o->master_task.at, o->master_task.length);
    s->master_incarnation = o->master_incarnation;
    s->cluster = cluster;
    char device[160];
    own_device(s, device);
    s->resources = o->isolated ? weir_resources_create(weir_cluster_self(cluster)->job, device)
                               : weir_resources_retain(w->o.resources);
    s->own = weir_resources_create("", device);
    s->cancel = weir_cancel_create(NULL);
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

/* Stops the session's steps and lets it go; who still holds it finds everything stopped. */
static void end_session(worker_session *s, const char *why)
{
    weir_cancel_fire(s->cancel, weir_error(WEIR_CANCELLED, "%s", why));
    weir_steps_drop_owned(s->w->o.steps, s);
    weir_ref_release(&s->ref);
}

/* Sessions of a master that has been started anew since: nobody will close them. */
static void drop_stale(weir_worker *w, const opening *o)
{
    WEIR_VEC(worker_session *) stale = {0};
    size_t at = 0;
    void *value;
    pthread_mutex_lock(&w->lock);
    while (o->master_task.length && weir_map_next(&w->sessions, &at, NULL, &value)) {
        worker_session *s = value;
        if (weir_str_is(o->master_task, s->master_task) &&
            s->master_incarnation != o->master_incarnation)
            weir_vec_push(&stale, s);
    }
    for (size_t i = 0; i < stale.count; i++)
        weir_map_remove(&w->sessions, weir_str_of(stale.at[i]->handle));
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < stale.count; i++)
        end_session(stale.at[i], "the session's master was started anew");
    weir_vec_fini(&stale);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* The cluster of a ServerDef that has one; else the worker's own. Retained for the caller. */
static weir_status cluster_of(weir_worker *w, weir_str server_def, weir_cluster **out)
{
    weir_str cluster = {0}, job = {"", 0};
    int64_t index = 0;
    weir_pb r = weir_pb_reader(server_def);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            cluster = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            job = r.bytes;
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            index = weir_pb_int(&r);
    }
    if (!weir_pb_ok(&r))
        return weir_worker_unparseable();
    if (!cluster.length) {
        *out = weir_cluster_retain(w->o.cluster);
        return WEIR_OK;
    }
    weir_cluster *c = weir_cluster_create();
    char *own = weir_strndup(job.at, job.length);
    weir_status s = weir_cluster_add_def(c, cluster);
    if (!s)
        s = weir_cluster_seal(c, own, index == (int)index ? (int)index : -1);
    weir_free(own);
    if (s)
        weir_cluster_release(c);
    else
        *out = c;
    return s;
}

static weir_status read_opening(weir_str request, opening *o)
{
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            o->handle = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            o->server_def = r.bytes;
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            o->isolated = r.value != 0;
        else if (r.field == 5 && r.type == WEIR_PB_LEN)
            o->master_task = r.bytes;
        else if (r.field == 6 && r.type == WEIR_PB_VARINT)
            o->master_incarnation = r.value;
    }
    return weir_pb_ok(&r) ? WEIR_OK : weir_worker_unparseable();
}

weir_status weir_worker_create_session(weir_worker *w, weir_str request, weir_cancel *cancel,
                                       weir_buf *out)
{
    opening o = {.handle = {"", 0}, .master_task = {"", 0}};
    WEIR_TRY(read_opening(request, &o));
    if (!o.handle.length)
        return weir_error(WEIR_INVALID_ARGUMENT, "session_handle is empty");
    weir_cluster *cluster = NULL;
    WEIR_TRY(cluster_of(w, o.server_def, &cluster));
    drop_stale(w, &o);
    worker_session *s = new_session(w, &o, cluster);
    pthread_mutex_lock(&w->lock);
    worker_session *before = weir_map_put(&w->sessions, o.handle, s);
    pthread_mutex_unlock(&w->lock);
    if (before)
        end_session(before, "the session was opened again");
    return WEIR_OK;
}

weir_status weir_worker_delete_session(weir_worker *w, weir_str request, weir_cancel *cancel,
                                       weir_buf *out)
{
    opening o = {.handle = {"", 0}};
    WEIR_TRY(read_opening(request, &o));
    pthread_mutex_lock(&w->lock);
    worker_session *s = weir_map_remove(&w->sessions, o.handle);
    pthread_mutex_unlock(&w->lock);
    if (s)
        end_session(s, "Session has been closed.");
    return WEIR_OK;
}

void weir_worker_close(weir_worker *w)
{
    pthread_mutex_lock(&w->lock);
    weir_map all = w->sessions;
    worker_session *legacy = w->legacy;
    w->sessions = (weir_map){0};
    w->legacy = NULL;
    pthread_mutex_unlock(&w->lock);
    size_t at = 0;
    void *s;
    while (weir_map_next(&all, &at, NULL, &s))
        end_session(s, "the task ends");
    if (legacy)
        end_session(legacy, "the task ends");
    weir_map_fini(&all);
}

/* ---- finding -------------------------------------------------------------------------------- */

/* The one session of all masters that open none. Lock held. */
static worker_session *legacy_session(weir_worker *w)
{
    opening o = {.handle = {"", 0}, .master_task = {"", 0}};
    if (!w->legacy)
        w->legacy = new_session(w, &o, weir_cluster_retain(w->o.cluster));
    return w->legacy;
}

weir_status weir_worker_find_session(weir_worker *w, weir_str handle, bool opened,
                                     worker_session **out_session)
{
    pthread_mutex_lock(&w->lock);
    worker_session *s = opened ? weir_map_get(&w->sessions, handle) : legacy_session(w);
    if (s)
        weir_ref_retain(&s->ref);
    pthread_mutex_unlock(&w->lock);
    if (!s)
        return weir_status_mark(
            weir_error(WEIR_ABORTED,
                       "Session handle is not found: %.*s. Possibly this worker (\"%s\") just "
                       "restarted.",
                       WEIR_STR_ARG(handle), weir_cluster_self(w->o.cluster)->name),
            WEIR_PEER_RESTARTED);
    *out_session = s;
    return WEIR_OK;
}

weir_status weir_worker_find_graph(worker_session *s, weir_str handle, weir_registered **out_graph)
{
    pthread_mutex_lock(&s->lock);
    weir_registered *g = weir_map_get(&s->graphs, handle);
    if (g)
        weir_registered_retain(g);
    pthread_mutex_unlock(&s->lock);
    if (!g)
        return weir_error(WEIR_ABORTED,
                          "Graph handle is not found: %.*s. Possibly, this worker just restarted.",
                          WEIR_STR_ARG(handle));
    *out_graph = g;
    return WEIR_OK;
}

/* ---- graphs --------------------------------------------------------------------------------- */

typedef struct graph_request {
    weir_str session, graph, config, graph_handle;
    bool opened;
} graph_request;

static void keep_graph(worker_session *s, weir_registered *g, weir_buf *out)
{
    char handle[20];
    pthread_mutex_lock(&s->lock);
    snprintf(handle, sizeof handle, "%016" PRIx64, ++s->next_graph);
    weir_map_put(&s->graphs, weir_str_of(handle), g);
    pthread_mutex_unlock(&s->lock);
    weir_pb_put_str(out, 1, handle);
}

static weir_status register_graph(worker_session *s, const graph_request *q, weir_buf *out)
{
    weir_registered_options o = {.graph_def = q->graph,
                                 .config = q->config,
                                 .task = weir_cluster_self(s->cluster)->name,
                                 .device_count = s->w->o.device_count,
                                 .resources = s->resources,
                                 .own = s->own,
                                 .collectives = weir_task_collectives_base(s->w->o.collectives)};
    weir_registered *g;
    WEIR_TRY(weir_registered_create(&o, &g));
    keep_graph(s, g, out);
    return WEIR_OK;
}

weir_status weir_worker_register_graph(weir_worker *w, weir_str request, weir_cancel *cancel,
                                       weir_buf *out)
{
    graph_request q = {.session = {"", 0}, .graph = {"", 0}, .config = {"", 0}};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            q.session = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            q.graph = r.bytes;
        else if (r.field == 6 && r.type == WEIR_PB_VARINT)
            q.opened = r.value != 0;
        else if (r.field == 8 && r.type == WEIR_PB_LEN)
            q.config = r.bytes;
    }
    if (!weir_pb_ok(&r))
        return weir_worker_unparseable();
    worker_session *s;
    WEIR_TRY(weir_worker_find_session(w, q.session, q.opened, &s));
    weir_status st = register_graph(s, &q, out);
    weir_ref_release(&s->ref);
    return st;
}

weir_status weir_worker_deregister_graph(weir_worker *w, weir_str request, weir_cancel *cancel,
                                         weir_buf *out)
{
    graph_request q = {.session = {"", 0}, .graph_handle = {"", 0}};
    weir_pb r = weir_pb_reader(request);
    while (weir_pb_next(&r)) {
        if (r.field == 1 && r.type == WEIR_PB_LEN)
            q.graph_handle = r.bytes;
        else if (r.field == 2 && r.type == WEIR_PB_LEN)
            q.session = r.bytes;
        else if (r.field == 3 && r.type == WEIR_PB_VARINT)
            q.opened = r.value != 0;
    }
    if (!weir_pb_ok(&r))
        return weir_worker_unparseable();
    worker_session *s;
    weir_registered *g = NULL;
    WEIR_TRY(weir_worker_find_session(w, q.session, q.opened, &s));
    weir_status st = weir_worker_find_graph(s, q.graph_handle, &g);
    if (!st) {
        pthread_mutex_lock(&s->lock);
        weir_registered *kept = weir_map_remove(&s->graphs, q.graph_handle);
        pthread_mutex_unlock(&s->lock);
        weir_registered_release(kept);
    }
    weir_registered_release(g);
    weir_ref_release(&s->ref);
    return st;
}
