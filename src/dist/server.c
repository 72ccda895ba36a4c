/* dist/server.c - a task: its name, its state, its port. */
#include "dist/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "dist/server_impl.h"

static void name_task(weir_server *s, const weir_server_options *o)
{
    const char *job = o->job ? o->job : "localhost";
    snprintf(s->task, sizeof s->task, "/job:%s/replica:0/task:%d", job, o->task);
    int64_t now[2] = {weir_wall_us(), getpid()};
    s->incarnation = weir_hash_bytes(now, sizeof now, 0) | 1; /* never 0, new at every start */
    char device[128];
    snprintf(device, sizeof device, "%s/device:CPU:0", s->task);
    s->resources = weir_resources_create(job, device);
}

weir_status weir_server_start(const weir_server_options *o, weir_server **out_server)
{
    weir_server *s = WEIR_NEW(weir_server);
    pthread_mutex_init(&s->lock, NULL);
    name_task(s, o);
    weir_rpc_options rpc = {.host = o->host,
                            .port = o->port,
                            .methods = weir_master_methods,
                            .method_count = weir_master_method_count,
                            .ctx = s};
    weir_status st = weir_rpc_listen(&rpc, &s->rpc);
    if (st) {
        weir_server_destroy(s);
        return st;
    }
    char target[300];
    snprintf(target, sizeof target, "grpc://%s:%d",
             o->host && strcmp(o->host, "0.0.0.0") != 0 ? o->host : "127.0.0.1",
             weir_rpc_port(s->rpc));
    s->target = weir_strdup(target);
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
    weir_free(s->target);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}
