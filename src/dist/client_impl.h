/* dist/client_impl.h - the inside of a client, for client*.c only.
 *
 * Each call has a function that writes its request into a weir_buf, because it may have to be
 * written again for a retry after a lost connection.
 */
#ifndef WEIR_DIST_CLIENT_IMPL_H
#define WEIR_DIST_CLIENT_IMPL_H

#include <stdatomic.h>

#include "base/mutex.h"
#include "dist/client.h"
#include "net/channel.h"
#include "wire/messages.h"

typedef struct weir_grpc_session {
    weir_session base;
    char *target;
    weir_channel *channel;
    weir_buf config;
    int64_t timeout_ms; /* of every call; 0: none */
    weir_mutex lock;    /* held while the session is created, extended or closed */
    char *handle;       /* of the session, which exists once |sent| is not -1; never changes */
    int64_t version WEIR_GUARDED_BY(lock); /* of the server's graph */
    atomic_llong sent; /* nodes of the graph sent to the server; -1: no session */
    size_t functions WEIR_GUARDED_BY(lock); /* of the graph, sent to the server */
    atomic_bool closed;
    weir_cancel *cancel; /* every call's parent; fired by closing */
    weir_mutex bound_lock;
    struct bound_session *bound WEIR_GUARDED_BY(bound_lock); /* of in_process.c; null: none */
} weir_grpc_session;

static inline weir_grpc_session *weir_grpc_of(weir_session *session)
{
    return (weir_grpc_session *)session;
}
static inline weir_status weir_grpc_closed(void)
{
    return weir_error(WEIR_CANCELLED, "Session has been closed.");
}

extern const weir_session_fns weir_grpc_fns;       /* steps by network */
extern const weir_session_fns weir_in_process_fns; /* steps on a server in this process */
/* Unbinds the session from the server's. */
void weir_in_process_unbind(weir_grpc_session *session);

/* A call, and the writer of its request. */
typedef struct client_call {
    const char *method; /* "RunStep" and its family, as the whole path */
    /* Appends the message; may set its payload. */
    weir_status (*write)(const void *what, weir_rpc_message *out);
    const void *what;
    int64_t timeout_ms; /* 0: the client's */
    weir_cancel *cancel;
    size_t (*payload_offset)(weir_str first);
    bool impatient; /* fails at once if the server is unreachable */
} client_call;

/* Calls, and retries while the server is UNAVAILABLE. */
WEIR_CHECKED weir_status weir_grpc_session_call(weir_grpc_session *session, const client_call *call,
                                                weir_rpc_message *out_answer);
/* Extends within the step's time limit; 0: the client's. */
WEIR_CHECKED weir_status weir_grpc_session_extend_within(weir_grpc_session *session,
                                                         int64_t timeout_ms);
/* Common to all function tables. */
void weir_grpc_destroy(weir_session *session);
WEIR_CHECKED weir_status weir_grpc_close(weir_session *session);
WEIR_CHECKED weir_status weir_grpc_extend(weir_session *session);
WEIR_CHECKED weir_status weir_grpc_run(weir_session *session, const weir_request *request,
                                       weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_grpc_partial_setup(weir_session *session, const weir_request *request,
                                                 char **out_handle);
WEIR_CHECKED weir_status weir_grpc_partial_run(weir_session *session, const char *handle,
                                               const weir_request *request,
                                               weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_grpc_make_callable(weir_session *session, const weir_request *request,
                                                 weir_callable **out_callable);
WEIR_CHECKED weir_status weir_grpc_run_callable(weir_callable *callable, const weir_request *call,
                                                weir_tensor *out_fetched);
WEIR_CHECKED weir_status weir_grpc_release_callable(weir_callable *callable);
WEIR_CHECKED weir_status weir_grpc_list_devices(weir_session *session, weir_devices *out_devices);
/* The time limit of a step in milliseconds; 0: none. */
int64_t weir_request_timeout(const weir_request *request);

/* Fetches without computation: they are fed, or equal an earlier one. */
typedef struct known_fetch {
    int feed;  /* the feed with its value; -1: none */
    int fetch; /* the earlier fetch that it equals; -1: none */
} known_fetch;
known_fetch weir_request_known_fetch(const weir_request *request, int i);

/* A request id: random, not 0. */
int64_t weir_grpc_session_request_id(void);

enum { WEIR_CLIENT_LARGE = 16384 }; /* bytes above which sharing is cheaper than copying */

/* A step, for writing and reading. */
typedef struct client_step {
    const weir_grpc_session *client;
    const weir_request *request;
    const char *partial; /* null: a whole step */
    int64_t id;          /* of the request */
    int64_t callable;    /* of RunCallable */
    const bool *known;   /* fetches that are fed, or fetched earlier; may be null */
} client_step;

/* Writers of client_request.c; each takes a client_step. */
WEIR_CHECKED weir_status weir_client_write_step(const void *what, weir_rpc_message *out);
WEIR_CHECKED weir_status weir_client_write_partial_setup(const void *what, weir_rpc_message *out);
WEIR_CHECKED weir_status weir_client_write_make_callable(const void *what, weir_rpc_message *out);
WEIR_CHECKED weir_status weir_client_write_run_callable(const void *what, weir_rpc_message *out);
WEIR_CHECKED weir_status weir_client_write_release_callable(const void *what,
                                                            weir_rpc_message *out);

/* Readers of client_answer.c. |out| must be empty tensors; after a failure some may be set. */
WEIR_CHECKED weir_status weir_client_read_step(const client_step *step, weir_rpc_message *answer,
                                               weir_tensor *out);
WEIR_CHECKED weir_status weir_client_read_callable(weir_rpc_message *answer,
                                                   const weir_dtype *types, weir_tensor *out,
                                                   int count);
/* The type of a fetch, 0 if its node has no such output: only the server has checked that. */
weir_dtype weir_client_fetch_type(weir_edge fetch);
/* For weir_channel_call.payload_offset: where the elements of the first large tensor begin. */
size_t weir_client_step_payload(weir_str first);
size_t weir_client_callable_payload(weir_str first);

#define WEIR_MASTER_METHOD(name) "/tensorflow.MasterService/" name

#endif
