/* dist/client_impl.h - the inside of a client, for client*.c only.
 *
 * A call is written into a weir_buf by a function of its own, because it may have to be written
 * again: a connection can be lost while an answer is awaited.
 */
#ifndef WEIR_DIST_CLIENT_IMPL_H
#define WEIR_DIST_CLIENT_IMPL_H

#include <stdatomic.h>

#include "dist/client.h"
#include "net/channel.h"
#include "wire/pb.h"

struct weir_grpc_session {
    weir_graph *graph;
    pthread_mutex_t *graph_lock;
    char *target;
    weir_channel *channel;
    weir_buf config;
    int64_t timeout_ms;   /* of every call; 0: none */
    bool here;            /* steps go straight to a server of this process, if it is one */
    pthread_mutex_t lock; /* held while the session is made, extended or closed */
    char *handle;         /* of the session, which exists once |sent| is not -1; never changes */
    int64_t version;      /* of the graph over there; under lock */
    atomic_llong sent;    /* nodes of the graph that are over there; -1: no session */
    size_t functions;     /* of the graph that are over there; under lock */
    atomic_bool closed;
    weir_cancel *cancel; /* every call's parent; fired by closing */
};

/* One call, and how to write it. */
typedef struct client_call {
    const char *method; /* "RunStep" and its family, as the whole path */
    /* Appends the message; may set its tail. */
    weir_status (*write)(const void *what, weir_message *out);
    const void *what;
    int64_t timeout_ms; /* 0: the client's */
    weir_cancel *cancel;
    size_t (*tail_begins)(weir_str first);
    bool impatient; /* fails at once when the server is not there */
} client_call;

/* Calls, again and again while the server is UNAVAILABLE. */
WEIR_CHECKED weir_status weir_grpc_session_call(weir_grpc_session *c, const client_call *call,
                                                weir_message *out_answer);
/* Extends within the time that a step has; 0: the client's. */
WEIR_CHECKED weir_status weir_grpc_session_extend_within(weir_grpc_session *c, int64_t timeout_ms);
/* A request id: random, not 0. */
int64_t weir_grpc_session_request_id(void);

#define WEIR_MASTER_METHOD(name) "/tensorflow.MasterService/" name

#endif
