/* dist/server.c - a task: its name, its state, its port. */
#include "dist/server.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/env.h"
#include "base/processors.h"
#include "dash/dash.h"
#include "dist/cluster_config.h"
#include "dist/ids.h"
#include "dist/own_servers.h"
#include "dist/server_impl.h"
#include "dist/wire_type.h"
#include "net/address.h"
#include "session/accelerators.h"
#include "wire/messages.h"

/* A cluster with one task, the default. */
static weir_cluster *alone(void)
{
    weir_cluster *cluster = weir_cluster_create();
    weir_status status = weir_cluster_add(cluster, "localhost", 0, "localhost:0");
    if (!status)
        status = weir_cluster_seal(cluster, "localhost", 0);
    weir_status_free(status); /* cannot fail */
    return cluster;
}

static weir_status make_devices(weir_server *server, const weir_msg_config_proto *config)
{
    weir_session_config session = weir_session_config_of(config);
    int count = session.cpu_devices;
    if (!count)
        count = 1;
    uint64_t *incarnations = WEIR_NEW_ARRAY(uint64_t, count); /* different at every start */
    for (int i = 0; i < count; i++)
        incarnations[i] = weir_new_id();
    server->devices = weir_devices_make(server->task, count, incarnations);
    server->incarnation = incarnations[0];
    weir_free(incarnations);
    return weir_accelerators_add(server->task, &session.gpus, &server->devices);
}

static weir_status make_state(weir_server *server, const weir_server_options *options,
                              const weir_msg_config_proto *config)
{
    const weir_msg_config_proto_experimental *experimental = config->experimental;
    server->cluster = options->cluster ? weir_cluster_retain(options->cluster) : alone();
    const weir_task *own = weir_cluster_self(server->cluster);
    server->task = own->name;
    weir_buf_add(&server->config, options->config.at, options->config.length);
    weir_status status = make_devices(server, config);
    server->resources = weir_resources_create(own->job, server->devices.at[0].name);
    server->seen = weir_seen_ids_create(REMEMBERED_REQUESTS);
    server->steps = weir_steps_create();
    server->collectives = weir_task_collectives_create(&(weir_task_collectives_options){
        .cluster = server->cluster,
        .leader = experimental ? experimental->collective_group_leader : (weir_str){0},
        .devices = server->devices.at,
        .device_count = server->devices.count});
    server->worker =
        weir_worker_create(&(weir_worker_options){.cluster = server->cluster,
                                                  .steps = server->steps,
                                                  .resources = server->resources,
                                                  .collectives = server->collectives,
                                                  .devices = server->devices.at,
                                                  .device_count = server->devices.count});
    return status;
}

weir_worker *weir_worker_of_server(void *ctx)
{
    return ((weir_server *)ctx)->worker;
}

/* The task's HTTP site on the same port. */
static void make_dash(weir_server *server)
{
    const weir_cluster *cluster = server->cluster;
    weir_dash_task *tasks = WEIR_NEW_ARRAY(weir_dash_task, cluster->task_count);
    for (int i = 0; i < cluster->task_count; i++)
        tasks[i] = (weir_dash_task){cluster->tasks[i].job, cluster->tasks[i].index,
                                    cluster->tasks[i].address};
    if (!weir_env_get()->no_observe)
        server->dash = weir_dash_create(&(weir_dash_options){.tasks = tasks,
                                                             .task_count = cluster->task_count,
                                                             .own = cluster->own,
                                                             .resources = server->resources});
    weir_free(tasks);
}

/* Both services share one port. */
static weir_status listen_on(weir_server *server, const char *host, int port)
{
    size_t masters = weir_master_method_count, workers = weir_worker_method_count;
    server->methods = WEIR_NEW_ARRAY(weir_rpc_method, masters + workers);
    memcpy(server->methods, weir_master_methods, sizeof *server->methods * masters);
    memcpy(server->methods + masters, weir_worker_methods, sizeof *server->methods * workers);
    weir_rpc_options rpc = {.host = host,
                            .port = port,
                            .methods = server->methods,
                            .method_count = masters + workers,
                            .ctx = server,
                            .http = server->dash ? weir_dash_site(server->dash) : NULL};
    return weir_rpc_listen(&rpc, &server->rpc);
}

/* ---- where it listens ------------------------------------------------------------------------ */

const char *weir_any_host(void)
{
    struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&any, sizeof any) == 0;
    if (fd >= 0)
        close(fd);
    return bound ? "::" : "0.0.0.0";
}

char *weir_listen_host(const char *own_address)
{
    weir_str host = WEIR_STR("");
    if (weir_address_path(weir_str_of(own_address)).length)
        return weir_strdup(own_address);
    weir_address_split(weir_str_of(own_address), &host);
    if (weir_str_is(host, "localhost"))
        return weir_strdup("127.0.0.1");
    return weir_host_is_loopback(host) ? weir_strndup(host.at, host.length)
                                       : weir_strdup(weir_any_host());
}

/* The host in an address, with its brackets. A file's is this machine. */
static weir_str host_in(const char *address)
{
    if (weir_address_path(weir_str_of(address)).length)
        return WEIR_STR("localhost");
    return (weir_str){address, (size_t)(strrchr(address, ':') - address)};
}

/* The host that others may reach the task by: that of its address, unless |listen| is another. */
static char *target_of(const weir_server *server, const char *hosts, int port)
{
    weir_buf target = {0};
    const char *address = weir_cluster_self(server->cluster)->address;
    size_t first = hosts ? strcspn(hosts, ",") : 0;
    WEIR_FREED char *listen = hosts ? weir_strndup(hosts, first) : NULL;
    weir_str file = weir_address_path(weir_str_of(listen ? listen : address)),
             own = host_in(address);
    if (file.length)
        weir_buf_addf(&target, "grpc://unix:%.*s", WEIR_STR_ARG(file));
    else if (!listen || strcmp(listen, "0.0.0.0") == 0 || strcmp(listen, "::") == 0)
        weir_buf_addf(&target, "grpc://%.*s:%d", WEIR_STR_ARG(own), port);
    else
        weir_buf_addf(&target, strchr(listen, ':') ? "grpc://[%s]:%d" : "grpc://%s:%d", listen,
                      port);
    return weir_buf_take(&target);
}

/* Listens as the options specify, or else on the own task's address. */
static weir_status open_port(weir_server *server, const weir_server_options *options)
{
    const char *address = weir_cluster_self(server->cluster)->address;
    char *host = options->host ? weir_strdup(options->host) : weir_listen_host(address);
    weir_str name;
    int of_address = weir_address_split(weir_str_of(address), &name);
    int port = options->port ? options->port : of_address > 0 ? of_address : 0;
    weir_status status = listen_on(server, host, port);
    weir_free(host);
    if (status)
        return status;
    server->target = target_of(server, options->host, weir_rpc_port(server->rpc));
    if (server->dash && of_address == 0) /* a port was chosen just now */
        weir_dash_listens(server->dash, server->target + strlen("grpc://"));
    return WEIR_OK;
}

weir_status weir_server_start(const weir_server_options *options, weir_server **out_server)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_config_proto config;
    WEIR_TRY(weir_msg_config_proto_read(options->config, &arena, &config));
    weir_server *server = WEIR_NEW(weir_server);
    weir_mutex_init(&server->lock);
    weir_wire_type_announce();
    weir_status status = make_state(server, options, &config);
    make_dash(server);
    server->allow_reset = options->allow_reset;
    if (!status)
        status = open_port(server, options);
    if (status) {
        weir_server_destroy(server);
        return status;
    }
    weir_own_servers_add(server);
    weir_master_watch_leases(server);
    if (server->cluster->task_count > 1) /* some of them may run on this machine */
        weir_processors_share();
    *out_server = server;
    return WEIR_OK;
}

const char *weir_server_target(const weir_server *server)
{
    return server->target;
}

void weir_server_destroy(weir_server *server)
{
    if (!server)
        return;
    weir_own_servers_remove(server);
    weir_mutex_lock(&server->lock);
    server->ending = true;
    weir_mutex_unlock(&server->lock);
    weir_master_forget_leases(server);
    weir_master_close_all(server);
    weir_worker_close(server->worker);
    weir_rpc_server_destroy(server->rpc); /* waits for the calls in progress */
    weir_dash_destroy(server->dash);
    weir_worker_destroy(server->worker);
    weir_task_collectives_release(server->collectives);
    weir_steps_destroy(server->steps);
    weir_seen_ids_destroy(server->seen);
    weir_devices_fini(&server->devices);
    weir_free(server->methods);
    weir_resources_release(server->resources);
    weir_cluster_release(server->cluster);
    weir_buf_fini(&server->config);
    weir_free(server->target);
    weir_map_fini(&server->sessions);
    weir_mutex_fini(&server->lock);
    weir_free(server);
}
