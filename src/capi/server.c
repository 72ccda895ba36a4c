/* capi/server.c - TF_Server: a task of a cluster inside this process.
 *
 * The port is bound when a server is created, as its target must be known then; it is served from
 * then on, so that starting only changes the results of the functions.
 */
#include "dist/server.h"
#include "capi/capi_impl.h"
#include "dist/identity.h"
#include "wire/messages.h"

struct TF_Server {
    weir_mutex lock;
    weir_cond ended;
    weir_server *server WEIR_GUARDED_BY(lock); /* null once stopped */
    char *target;
    bool started WEIR_GUARDED_BY(lock);
};

static weir_status check_protocol(weir_str def)
{
    WEIR_MESSAGE_ARENA(arena);
    weir_msg_server_def read;
    weir_status parsed = weir_msg_server_def_read(def, &arena, &read);
    if (parsed) {
        weir_status_free(parsed);
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Could not parse provided bytes into a ServerDef protocol buffer");
    }
    if (!weir_str_is(read.protocol, "grpc"))
        return weir_error(WEIR_NOT_FOUND,
                          "No server factory registered for the given ServerDef: its protocol is "
                          "\"%.*s\", and there is \"grpc\"",
                          WEIR_STR_ARG(read.protocol));
    return WEIR_OK;
}

static weir_status start(weir_str def, weir_server **out_server)
{
    weir_cluster_config config = {0};
    weir_status status = check_protocol(def);
    if (!status)
        status = weir_cluster_config_server_def(&config, def);
    if (!status)
        status = weir_identity_serve(&config, out_server);
    weir_cluster_config_fini(&config);
    return status;
}

TF_Server *TF_NewServer(const void *proto, size_t proto_len, TF_Status *status)
{
    weir_server *made;
    if (!weir_capi_end(status, start((weir_str){proto, proto_len}, &made)))
        return NULL;
    TF_Server *server = WEIR_NEW(TF_Server);
    weir_mutex_init(&server->lock);
    weir_cond_init(&server->ended);
    server->server = made;
    server->target = weir_strdup(weir_server_target(made));
    return server;
}

void TF_ServerStart(TF_Server *server, TF_Status *status)
{
    weir_mutex_lock(&server->lock);
    bool runs = server->server != NULL;
    server->started |= runs;
    weir_mutex_unlock(&server->lock);
    weir_capi_end(status,
                  runs ? WEIR_OK : weir_error(WEIR_FAILED_PRECONDITION, "Server has stopped."));
}

void TF_ServerStop(TF_Server *s, TF_Status *status)
{
    weir_mutex_lock(&s->lock);
    weir_server *server = s->server;
    s->server = NULL;
    weir_mutex_unlock(&s->lock);
    weir_server_destroy(server);
    weir_mutex_lock(&s->lock);
    weir_cond_broadcast(&s->ended);
    weir_mutex_unlock(&s->lock);
    weir_capi_end(status, WEIR_OK);
}

/* Returns when another thread has stopped the server. */
void TF_ServerJoin(TF_Server *server, TF_Status *status)
{
    weir_mutex_lock(&server->lock);
    bool started = server->started;
    while (started && server->server)
        weir_cond_wait(&server->ended, &server->lock);
    weir_mutex_unlock(&server->lock);
    weir_capi_end(status,
                  started ? WEIR_OK
                          : weir_error(WEIR_INVALID_ARGUMENT, "Server has not been started yet."));
}

const char *TF_ServerTarget(TF_Server *server)
{
    return server->target;
}

void TF_DeleteServer(TF_Server *server)
{
    if (!server)
        return;
    weir_server_destroy(server->server);
    weir_cond_fini(&server->ended);
    weir_mutex_fini(&server->lock);
    weir_free(server->target);
    weir_free(server);
}
