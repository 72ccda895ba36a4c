/* session/local.c - a session of this process: made, closed, ended. */
#include "base/cpu.h"
#include "base/env.h"
#include "session/session_impl.h"

static void make_devices(weir_local_session *s, const weir_session_options *o)
{
    s->task = weir_strdup(o && o->task ? o->task : "/job:localhost/replica:0/task:0");
    s->remote = o ? o->remote : NULL;
    int configured = s->config.cpu_devices > 0 ? s->config.cpu_devices : 1;
    int count = o && o->device_count > 0 ? o->device_count : configured;
    s->devices = weir_devices_make(s->task, count, o ? o->incarnations : NULL);
}

static void make_threads(weir_local_session *s)
{
    int cpus = weir_env_get()->threads > 0 ? weir_env_get()->threads : weir_cpu_count();
    int intra = s->config.intra_threads > 0 ? s->config.intra_threads : cpus;
    int inter = s->config.inter_threads > 0 ? s->config.inter_threads : cpus;
    if (s->config.per_session_threads)
        s->own_pool = weir_pool_create((intra > inter ? intra : inter) - 1);
    weir_pool *pool = s->own_pool ? s->own_pool : weir_pool_shared();
    s->par = (weir_par){pool, intra < cpus || s->own_pool ? intra : cpus};
    s->runners = s->config.inter_threads < 0 ? 1 : inter < cpus || s->own_pool ? inter : cpus;
}

weir_status weir_session_create(weir_graph *graph, weir_mutex *graph_lock,
                                const weir_session_options *options, weir_session **out_session)
{
    const char *target = options && options->target ? options->target : "";
    if (*target && strcmp(target, "local") != 0)
        return weir_error(WEIR_NOT_FOUND,
                          "No session factory registered for the given session options: "
                          "{target: \"%s\"}. Sessions run in this process (target \"\").",
                          target);
    weir_local_session *s = WEIR_NEW(weir_local_session);
    s->base = (weir_session){&weir_local_fns, graph, graph_lock};
    if (options && options->config)
        s->config = *options->config;
    make_devices(s, options);
    make_threads(s);
    s->resources = options && options->resources
                       ? weir_resources_retain(options->resources)
                       : weir_resources_create("localhost", s->devices.at[0].name);
    s->own = options && options->own ? weir_resources_retain(options->own)
                                     : weir_resources_create("", s->devices.at[0].name);
    s->collectives = options ? options->collectives : NULL;
    if (s->collectives)
        weir_ref_retain(&s->collectives->ref);
    else
        s->collectives = weir_collectives_create();
    weir_mutex_init(&s->lock);
    weir_cond_init(&s->idle);
    static atomic_llong sessions;
    s->id = atomic_fetch_add(&sessions, 1) + 1;
    s->library = weir_graph_create(graph->registry);
    s->cancel = weir_cancel_create(NULL);
    s->next_step_id = 1;
    *out_session = &s->base;
    return WEIR_OK;
}

static weir_status close_session(weir_session *session)
{
    weir_local_session *s = weir_local_of(session);
    weir_mutex_lock(&s->lock);
    bool first = !s->closed;
    s->closed = true;
    weir_mutex_unlock(&s->lock);
    if (first)
        weir_cancel_fire(s->cancel, weir_error(WEIR_CANCELLED, "Session has been closed."));
    weir_mutex_lock(&s->lock);
    while (s->steps)
        weir_cond_wait(&s->idle, &s->lock);
    weir_mutex_unlock(&s->lock);
    return WEIR_OK;
}

bool weir_session_is_closed(weir_session *session)
{
    weir_local_session *s = weir_local_of(session);
    weir_mutex_lock(&s->lock);
    bool closed = s->closed;
    weir_mutex_unlock(&s->lock);
    return closed;
}

static void destroy(weir_session *session)
{
    weir_local_session *s = weir_local_of(session);
    weir_status_free(close_session(session)); /* cannot fail */
    weir_local_free_partial_runs(s);
    for (size_t i = 0; i < s->plan_list.count; i++)
        weir_prepared_free(s->plan_list.at[i]);
    weir_vec_fini(&s->plan_list);
    weir_map_fini(&s->plans);
    weir_local_free_functions(s);
    weir_local_free_libraries(s);
    weir_graph_destroy(s->library);
    weir_resources_release(s->own);
    weir_ref_release(&s->collectives->ref);
    weir_resources_release(s->resources);
    weir_cancel_release(s->cancel);
    weir_pool_destroy(s->own_pool);
    weir_devices_fini(&s->devices);
    weir_free(s->task);
    weir_cond_fini(&s->idle);
    weir_mutex_fini(&s->lock);
    weir_free(s);
}

static weir_status list_devices(weir_session *session, weir_devices *out_devices)
{
    const weir_local_session *s = weir_local_of(session);
    weir_devices list = {0};
    for (int i = 0; i < s->devices.count; i++)
        weir_devices_add(&list, &s->devices.at[i]);
    for (int i = 0; s->remote && i < s->remote->device_count; i++)
        weir_devices_add(&list, &s->remote->devices[i]);
    *out_devices = list;
    return WEIR_OK;
}

static void clear_containers(weir_session *s, const weir_str *containers, size_t count)
{
    weir_resources_clear(weir_local_of(s)->resources, containers, count);
}

const weir_session_fns weir_local_fns = {
    .destroy = destroy,
    .close = close_session,
    .run = weir_local_run,
    .partial_setup = weir_local_partial_setup,
    .partial_run = weir_local_partial_run,
    .make_callable = weir_local_make_callable,
    .run_callable = weir_local_run_callable,
    .release_callable = weir_local_release_callable,
    .list_devices = list_devices,
    .clear_containers = clear_containers,
};
