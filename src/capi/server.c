/* capi/server.c - TF_Server: a task of a cluster inside this process.
 *
 * The port is bound when a server is made, as its target must be known then; it is served from then
 * on, so that starting only changes what the functions say.
 */
#include "dist/server.h"
#include "capi/capi_impl.h"
#include "dist/cluster_config.h"
#include "wire/pb.h"

enum { SERVER_DEF_PROTOCOL = 5 };

struct TF_Server {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    weir_server *server; /* null once stopped; under lock */
    char *target;
    bool started; /* under lock */
};

/* "grpc", "" when it was not said; INVALID_ARGUMENT when the bytes are no message. */
static weir_status read_protocol(weir_str def, weir_str *out_protocol)
{
    weir_pb r = weir_pb_reader(def);
    while (weir_pb_next(&r))
        if (r.field == SERVER_DEF_PROTOCOL && r.type == WEIR_PB_LEN)
            *out_protocol = r.bytes;
    return weir_pb_ok(&r) ? WEIR_OK
                          : weir_error(WEIR_INVALID_ARGUMENT,
                                       "Could not parse provided bytes into a ServerDef protocol "
                                       "buffer");
}

static weir_status read_def(weir_str def, weir_cluster_config *config)
{
    weir_str protocol = {"", 0};
    WEIR_TRY(read_protocol(def, &protocol));
    if (!weir_str_is(protocol, "grpc"))
        return weir_error(WEIR_NOT_FOUND,
                          "No server factory registered for the given ServerDef: its protocol is "
                          "\"%.*s\", and there is \"grpc\"",
                          WEIR_STR_ARG(protocol));
    return weir_cluster_config_server_def(config, def);
}

static weir_status start(weir_str def, weir_server **out_server)
{
    weir_cluster_config config = {0};
    weir_cluster *cluster = NULL;
    weir_status s = read_def(def, &config);
    if (!s)
        s = weir_cluster_config_build(&config, &cluster);
    if (!s)
        s = weir_server_start(&(weir_server_options){.cluster = cluster,
                                                     .host = "0.0.0.0",
                                                     .port = config.port,
                                                     .config = {config.session_config.at,
                                                                config.session_config.length}},
                              out_server);
    weir_cluster_release(cluster);
    weir_cluster_config_fini(&config);
    return s;
}

TF_Server *TF_NewServer(const void *proto, size_t proto_len, TF_Status *status)
{
    weir_server *made;
    if (!weir_capi_end(status, start((weir_str){proto, proto_len}, &made)))
        return NULL;
    TF_Server *s = WEIR_NEW(TF_Server);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->ended, NULL);
    s->server = made;
    s->target = weir_strdup(weir_server_target(made));
    return s;
}

void TF_ServerStart(TF_Server *s, TF_Status *status)
{
    pthread_mutex_lock(&s->lock);
    bool runs = s->server != NULL;
    s->started |= runs;
    pthread_mutex_unlock(&s->lock);
    weir_capi_end(status,
                  runs ? WEIR_OK : weir_error(WEIR_FAILED_PRECONDITION, "Server has stopped."));
}

void TF_ServerStop(TF_Server *s, TF_Status *status)
{
    pthread_mutex_lock(&s->lock);
    weir_server *server = s->server;
    s->server = NULL;
    pthread_mutex_unlock(&s->lock);
    weir_server_destroy(server);
    pthread_mutex_lock(&s->lock);
    pthread_cond_broadcast(&s->ended);
    pthread_mutex_unlock(&s->lock);
    weir_capi_end(status, WEIR_OK);
}

/* Returns when another thread has stopped the server. */
void TF_ServerJoin(TF_Server *s, TF_Status *status)
{
    pthread_mutex_lock(&s->lock);
    bool started = s->started;
    while (started && s->server)
        pthread_cond_wait(&s->ended, &s->lock);
    pthread_mutex_unlock(&s->lock);
    weir_capi_end(status,
                  started ? WEIR_OK
                          : weir_error(WEIR_INVALID_ARGUMENT, "Server has not been started yet."));
}

const char *TF_ServerTarget(TF_Server *s)
{
    return s->target;
}

void TF_DeleteServer(TF_Server *s)
{
    if (!s)
        return;
    weir_server_destroy(s->server);
    pthread_cond_destroy(&s->ended);
    pthread_mutex_destroy(&s->lock);
    weir_free(s->target);
    weir_free(s);
}
