/* net/connection_impl.h - one HTTP/2 connection of the server and its calls: received in
 * connection.c, answered in connection_answer.c.
 *
 * The I/O thread reads. The thread that answers a call writes, under the connection's lock. No
 * handler, listener or cancellation is called under that lock: complete calls, received messages
 * and broken calls are put on lists, which the I/O thread processes afterwards.
 */
#ifndef WEIR_NET_CONNECTION_IMPL_H
#define WEIR_NET_CONNECTION_IMPL_H

#include "net/h2_impl.h"
#include "net/rpc_impl.h"
#include "net/shm_endpoint_impl.h"
#include "net/ucx_impl.h"

typedef struct h2_call h2_call;

struct weir_connection {
    weir_h2 h2; /* first: the user data of nghttp2's callbacks; under lock */
    weir_ref ref;
    weir_source source;
    weir_rpc_server *server;
    weir_peer *peer;              /* retained */
    weir_shm_endpoint *endpoint;  /* of its shm transport; null: none. The I/O thread only, ... */
    bool closed;                  /* ... as are this: it was closed ... */
    int64_t begun_ns, active_ns;  /* ... when it was accepted and when it last received ... */
    weir_connection *next, *prev; /* ... and these */
    weir_mutex lock;
    uint64_t token WEIR_GUARDED_BY(lock);     /* for the shm handshake; 0: none issued */
    weir_ucx_peer *ucx WEIR_GUARDED_BY(lock); /* for large payloads; null: by gRPC */
    h2_call *calls WEIR_GUARDED_BY(lock);     /* with an open stream */
    weir_rpc *ready WEIR_GUARDED_BY(lock);    /* complete, for handlers */
    weir_rpc **last WEIR_GUARDED_BY(lock);    /* the end of that list */
    h2_call *broken WEIR_GUARDED_BY(lock);    /* their cancellation is to be fired */
    WEIR_VEC(weir_stream_message) received WEIR_GUARDED_BY(lock);
    size_t received_at WEIR_GUARDED_BY(lock);   /* [0, at) were delivered */
    size_t request_bytes WEIR_GUARDED_BY(lock); /* of requests that are not yet handled */
    size_t answer_bytes WEIR_GUARDED_BY(lock);  /* of answers that are not fully sent */
    uint64_t sent_before WEIR_GUARDED_BY(lock); /* bytes sent so far, ... */
    int64_t sent_ns WEIR_GUARDED_BY(lock);      /* ... and the time of the last progress */
    bool greeted WEIR_GUARDED_BY(lock);         /* the client's settings were received */
    bool corked WEIR_GUARDED_BY(lock);          /* the I/O thread will flush soon */
};

struct h2_call {
    weir_rpc rpc;
    weir_connection *connection; /* retained */
    int32_t stream;
    uint64_t payload_id;    /* the client accepts the payload by UCX, under this id; 0: not */
    bool open, complete;    /* under the connection's lock */
    bool wants_shm;         /* requests the shm transport; no handler is called */
    bool is_stream;         /* a stream; the request ends with its first message */
    uint64_t message_wish;  /* of a stream: the client's limit */
    bool for_tasks;         /* of WorkerService */
    weir_buf authorization; /* the header */
    bool refused;           /* answered before the request was complete */
    int64_t begun_ns;       /* when the request's headers arrived */
    size_t counted;         /* its bytes among the connection's request_bytes, ... */
    size_t answer_counted;  /* ... and among its answer_bytes */
    size_t held;            /* its bytes in base/room.h, until it is freed */
    size_t header_bytes;    /* of the request */
    h2_call *next, *prev;   /* list of the connection's open calls; next also of broken ones */
    weir_incoming in;
    weir_outgoing *out;
};

/* ---- connection_memory.c ----------------------------------------------------------------------
 */

/* Counts a new call, and each header and chunk of its request: RESOURCE_EXHAUSTED beyond a limit.
 */
WEIR_CHECKED weir_status weir_h2_call_begin_memory(size_t *held);
WEIR_CHECKED weir_status weir_h2_call_count_header(h2_call *call, size_t name, size_t value);
WEIR_CHECKED weir_status weir_h2_call_count(weir_connection *connection, h2_call *call,
                                            size_t bytes) WEIR_REQUIRES(connection->lock);
/* The request's bytes belong to a handler, or were freed. */
void weir_h2_call_uncount(weir_connection *connection, h2_call *call)
    WEIR_REQUIRES(connection->lock);
/* Counts a message of a stream, until it is delivered. */
WEIR_CHECKED weir_status weir_h2_message_count(weir_connection *connection,
                                               const weir_stream_message *message)
    WEIR_REQUIRES(connection->lock);
void weir_h2_message_uncount(weir_connection *connection, const weir_stream_message *message)
    WEIR_REQUIRES(connection->lock);
/* Counts |call->out|, an answer that is about to be sent. */
void weir_h2_call_count_answer(weir_connection *connection, h2_call *call)
    WEIR_REQUIRES(connection->lock);

/* ---- connection_answer.c, for a call whose stream is open --------------------------------------
 */

/* Queues the call's answer. */
void weir_h2_call_submit_answer(weir_connection *connection, h2_call *call)
    WEIR_REQUIRES(connection->lock);
/* Queues an error instead of calling a handler; takes the status over. */
void weir_h2_call_refuse(weir_connection *connection, h2_call *call, weir_status status)
    WEIR_REQUIRES(connection->lock);
/* weir_rpc.send and weir_rpc.send_message. */
void weir_h2_call_send_answer(weir_rpc *rpc);
bool weir_h2_call_send_message(weir_rpc *rpc, weir_str label, const weir_rpc_message *message);

#endif
