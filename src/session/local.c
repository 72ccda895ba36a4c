/* session/local.c - a session in this process: creation, closing, destruction. */
#include "base/cpu.h"
#include "base/env.h"
#include "base/log.h"
#include "ops/device/device.h"
#include "session/accelerators.h"
#include "session/session_impl.h"

static weir_memory *memory_of(void *arg, const char *device)
{
    const weir_local_session *session = arg;
    return weir_accelerators_memory(&session->devices, device);
}

/* The devices of a task: the same list for the same options. */
static weir_status list_devices_of(const char *task, const weir_session_config *config,
                                   const weir_devices *given, weir_devices *out_devices)
{
    if (given && given->count) {
        *out_devices = weir_devices_copy(given, task);
        return WEIR_OK;
    }
    weir_devices devices =
        weir_devices_make(task, config->cpu_devices > 0 ? config->cpu_devices : 1, NULL);
    weir_status status = weir_accelerators_add(task, &config->gpus, &devices);
    if (status)
        weir_devices_fini(&devices);
    else
        *out_devices = devices;
    return status;
}

static void set_devices(weir_local_session *session, const char *task,
                        const weir_session_options *options, weir_devices devices)
{
    session->task = weir_strdup(task);
    session->remote = options ? options->remote : NULL;
    session->devices = devices;
    session->kernels =
        (weir_device_kernels){.find = weir_device_find, .memory = memory_of, .arg = session};
    session->has_kernels = weir_accelerators_any(&session->devices);
}

static void make_threads(weir_local_session *session)
{
    int cpus = weir_env_get()->threads > 0 ? weir_env_get()->threads : weir_cpu_count();
    int intra = session->config.intra_threads > 0 ? session->config.intra_threads : cpus;
    int inter = session->config.inter_threads > 0 ? session->config.inter_threads : cpus;
    if (session->config.per_session_threads)
        session->own_pool = weir_pool_create((intra > inter ? intra : inter) - 1);
    weir_pool *pool = session->own_pool ? session->own_pool : weir_pool_shared();
    session->par = (weir_par){pool, intra < cpus || session->own_pool ? intra : cpus};
    session->runners = session->config.inter_threads < 0   ? 1
                       : inter < cpus || session->own_pool ? inter
                                                           : cpus;
}

static void remark_on_variable(const char *name, const char *what)
{
    (void)name;
    weir_log(WEIR_LOG_WARNING, "the environment variable %s", what);
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
    const char *task = options && options->task ? options->task : "/job:localhost/replica:0/task:0";
    static const weir_session_config defaults;
    const weir_session_config *config = options && options->config ? options->config : &defaults;
    weir_devices devices;
    WEIR_TRY(list_devices_of(task, config, options ? options->devices : NULL, &devices));
    weir_local_session *session = WEIR_NEW(weir_local_session);
    session->base = (weir_session){&weir_local_fns, graph, graph_lock};
    session->config = *config;
    set_devices(session, task, options, devices);
    weir_env_report(remark_on_variable);
    make_threads(session);
    session->resources = options && options->resources
                             ? weir_resources_retain(options->resources)
                             : weir_resources_create("localhost", session->devices.at[0].name);
    session->own = options && options->own ? weir_resources_retain(options->own)
                                           : weir_resources_create("", session->devices.at[0].name);
    session->calls = options ? options->calls : NULL;
    session->collectives = options ? options->collectives : NULL;
    if (session->collectives)
        weir_ref_retain(&session->collectives->ref);
    else
        session->collectives = weir_collectives_create();
    weir_mutex_init(&session->lock);
    weir_cond_init(&session->idle);
    static atomic_llong sessions;
    session->id = atomic_fetch_add(&sessions, 1) + 1;
    session->library = weir_graph_create(graph->registry);
    session->cancel = weir_cancel_create(NULL);
    session->next_step_id = 1;
    *out_session = &session->base;
    return WEIR_OK;
}

static weir_status close_session(weir_session *session)
{
    weir_local_session *local_session = weir_local_of(session);
    weir_mutex_lock(&local_session->lock);
    bool first = !local_session->closed;
    local_session->closed = true;
    weir_mutex_unlock(&local_session->lock);
    if (first)
        weir_cancel_fire(local_session->cancel,
                         weir_error(WEIR_CANCELLED, "Session has been closed."));
    weir_mutex_lock(&local_session->lock);
    while (local_session->steps)
        weir_cond_wait(&local_session->idle, &local_session->lock);
    weir_mutex_unlock(&local_session->lock);
    return WEIR_OK;
}

bool weir_session_is_closed(weir_session *session)
{
    weir_local_session *local_session = weir_local_of(session);
    weir_mutex_lock(&local_session->lock);
    bool closed = local_session->closed;
    weir_mutex_unlock(&local_session->lock);
    return closed;
}

static void destroy(weir_session *session)
{
    weir_local_session *local_session = weir_local_of(session);
    weir_status_free(close_session(session)); /* cannot fail */
    weir_local_free_partial_runs(local_session);
    for (size_t i = 0; i < local_session->plan_list.count; i++)
        weir_prepared_free(local_session->plan_list.at[i]);
    weir_vec_fini(&local_session->plan_list);
    weir_map_fini(&local_session->plans);
    weir_local_free_functions(local_session);
    weir_local_free_libraries(local_session);
    weir_graph_destroy(local_session->library);
    weir_resources_release(local_session->own);
    weir_ref_release(&local_session->collectives->ref);
    weir_resources_release(local_session->resources);
    weir_cancel_release(local_session->cancel);
    weir_pool_destroy(local_session->own_pool);
    weir_devices_fini(&local_session->devices);
    weir_free(local_session->task);
    weir_cond_fini(&local_session->idle);
    weir_mutex_fini(&local_session->lock);
    weir_free(local_session);
}

static weir_status list_devices(weir_session *session, weir_devices *out_devices)
{
    const weir_local_session *local_session = weir_local_of(session);
    weir_devices list = {0};
    for (int i = 0; i < local_session->devices.count; i++)
        weir_devices_add(&list, &local_session->devices.at[i]);
    for (int i = 0; local_session->remote && i < local_session->remote->device_count; i++)
        weir_devices_add(&list, &local_session->remote->devices[i]);
    *out_devices = list;
    return WEIR_OK;
}

static void clear_containers(weir_session *session, const weir_str *containers, size_t count)
{
    weir_resources_clear(weir_local_of(session)->resources, containers, count);
}

bool weir_session_is_local(const weir_session *session)
{
    return session->fns == &weir_local_fns;
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
