/* dist/server.c - a task: its name, its state, its port. */
#include "dist/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
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

static void make_state(weir_server *s, const weir_server_options *o)
{
    s->cluster = o->cluster ? weir_cluster_retain(o->cluster) : alone();
    const weir_task *own = weir_cluster_self(s->cluster);
    s->task = own->name;
    weir_buf_add(&s->config, o->config.at, o->config.length);
    int64_t now[2] = {weir_wall_us(), getpid()};
    s->incarnation = weir_hash_bytes(now, sizeof now, 0) | 1; /* never 0, new at every start */
    char device[160];
    snprintf(device, sizeof device, "%s/device:CPU:0", s->task);
    s->resources = weir_resources_create(own->job, device);
}

/* The host that others may reach the task by: of its address, unless it listens elsewhere. */
static char *target_of(const weir_server *s, const char *host, int port)
{
    weir_buf target = {0};
    const char *address = weir_cluster_self(s->cluster)->address;
    if (!host)
        weir_buf_addf(&target, "grpc://127.0.0.1:%d", port);
    else if (strcmp(host, "0.0.0.0") == 0)
        weir_buf_addf(&target, "grpc://%.*s:%d", (int)(strrchr(address, ':') - address), address,
                      port);
    else
        weir_buf_addf(&target, "grpc://%s:%d", host, port);
    return weir_buf_take(&target);
}

weir_status weir_server_start(const weir_server_options *o, weir_server **out_server)
{
    weir_server *s = WEIR_NEW(weir_server);
    pthread_mutex_init(&s->lock, NULL);
    make_state(s, o);
    const char *address = weir_cluster_self(s->cluster)->address;
    weir_rpc_options rpc = {.host = o->host,
                            .port = o->port ? o->port : atoi(strrchr(address, ':') + 1),
                            .methods = weir_master_methods,
                            .method_count = weir_master_method_count,
                            .ctx = s};
    weir_status st = weir_rpc_listen(&rpc, &s->rpc);
    if (st) {
        weir_server_destroy(s);
        return st;
    }
    s->target = target_of(s, o->host, weir_rpc_port(s->rpc));
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
    weir_master_close_all(s);
    weir_rpc_server_destroy(s->rpc);
    weir_resources_release(s->resources);
    weir_cluster_release(s->cluster);
    weir_buf_fini(&s->config);
    weir_free(s->target);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}
