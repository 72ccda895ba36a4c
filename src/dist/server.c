/* dist/server.c - a task: its name, its state, its port. */
#include "dist/server.h"

#include <stdlib.h>

#include "base/processors.h"
#include "dist/ids.h"
#include "dist/own_servers.h"
#include "dist/server_impl.h"

/* A cluster of one, for a server that was given none. */
static weir_cluster *alone(void)
{
    weir_cluster *c = weir_cluster_create();
    weir_status s = weir_cluster_add(c, "localhost", 0, "localhost:0");
    if (!s)
        s = weir_cluster_seal(c, "localhost", 0);
    weir_status_free(s); /* none of it can fail */
    return c;
}

static void make_devices(weir_server *s)
{
    int count = weir_session_config_devices(weir_view(&s->config));
    uint64_t *incarnations = WEIR_NEW_ARRAY(uint64_t, count); /* other ones at every start */
    for (int i = 0; i < count; i++)
        incarnations[i] = weir_new_id();
    s->devices = weir_devices_make(s->task, count, incarnations);
    s->incarnation = incarnations[0];
    weir_free(incarnations);
}

static void make_state(weir_server *s, const weir_server_options *o)
{
    s->cluster = o->cluster ? weir_cluster_retain(o->cluster) : alone();
    const weir_task *own = weir_cluster_self(s->cluster);
    s->task = own->name;
    weir_buf_add(&s->config, o->config.at, o->config.length);
    make_devices(s);
    s->resources = weir_resources_create(own->job, s->devices.at[0].name);
    s->seen = weir_seen_ids_create(REMEMBERED_REQUESTS);
    s->steps = weir_steps_create();
    s->collectives = weir_task_collectives_create(&(weir_task_collectives_options){
        .cluster = s->cluster,
        .leader = weir_config_leader((weir_str){s->config.at, s->config.length}),
        .devices = s->devices.at,
        .device_count = s->devices.count});
    s->worker = weir_worker_create(&(weir_worker_options){.cluster = s->cluster,
                                                          .steps = s->steps,
                                                          .resources = s->resources,
                                                          .collectives = s->collectives,
                                                          .devices = s->devices.at,
                                                          .device_count = s->devices.count});
}

weir_worker *weir_worker_of_server(void *ctx)
{
    return ((weir_server *)ctx)->worker;
}

/* Both services are reached by one port. */
static weir_status listen_on(weir_server *s, const char *host, int port)
{
    size_t masters = weir_master_method_count, workers = weir_worker_method_count;
    s->methods = WEIR_NEW_ARRAY(weir_rpc_method, masters + workers);
    memcpy(s->methods, weir_master_methods, sizeof *s->methods * masters);
    memcpy(s->methods + masters, weir_worker_methods, sizeof *s->methods * workers);
    weir_rpc_options rpc = {.host = host,
                            .port = port,
                            .methods = s->methods,
                            .method_count = masters + workers,
                            .ctx = s};
    return weir_rpc_listen(&rpc, &s->rpc);
}

/* The host that others may reach the task by: of its address, unless it listens elsewhere. */
static char *target_of(const weir_server *s, const char *host, int port)
{
    weir_buf target = {0};
    const char *address = weir_cluster_self(s->cluster)->address;
    if (!host)
        weir_buf_addf(&target, "grpc://127.0.0.1:%d", port);
    else if (strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0)
        weir_buf_addf(&target, "grpc://%.*s:%d", (int)(strrchr(address, ':') - address), address,
                      port);
    else if (strchr(host, ':'))
        weir_buf_addf(&target, "grpc://[%s]:%d", host, port);
    else
        weir_buf_addf(&target, "grpc://%s:%d", host, port);
    return weir_buf_take(&target);
}

/* A task whose address is of IPv6 listens there: on loopback, or on everything. */
static const char *listen_host(const char *host, const char *address)
{
    if (address[0] != '[' || (host && strcmp(host, "0.0.0.0") != 0))
        return host;
    return host ? "::" : "::1";
}

weir_status weir_server_start(const weir_server_options *o, weir_server **out_server)
{
    weir_server *s = WEIR_NEW(weir_server);
    pthread_mutex_init(&s->lock, NULL);
    make_state(s, o);
    const char *address = weir_cluster_self(s->cluster)->address;
    const char *host = listen_host(o->host, address);
    weir_status st = listen_on(s, host, o->port ? o->port : atoi(strrchr(address, ':') + 1));
    if (st) {
        weir_server_destroy(s);
        return st;
    }
    s->target = target_of(s, host, weir_rpc_port(s->rpc));
    weir_own_servers_add(s);
    if (s->cluster->task_count > 1) /* some of them may run on this machine */
        weir_processors_share();
    *out_server = s;
    return WEIR_OK;
}

const char *weir_server_target(const weir_server *s)
{
    return s->target;
}

void weir_server_destroy(weir_server *s)
{
    if (!s)
        return;
    weir_own_servers_remove(s);
    pthread_mutex_lock(&s->lock);
    s->ending = true;
    pthread_mutex_unlock(&s->lock);
    weir_master_close_all(s);
    weir_worker_close(s->worker);
    weir_rpc_server_destroy(s->rpc); /* waits for the calls in progress */
    weir_worker_destroy(s->worker);
    weir_task_collectives_release(s->collectives);
    weir_steps_destroy(s->steps);
    weir_seen_ids_destroy(s->seen);
    weir_devices_fini(&s->devices);
    weir_free(s->methods);
    weir_resources_release(s->resources);
    weir_cluster_release(s->cluster);
    weir_buf_fini(&s->config);
    weir_free(s->target);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}
