/* net/rpc_impl.h - shared by the files of the server: calls (rpc.c), connections (connection.c),
 * the listener and the I/O thread (server.c), streams (rpc_stream.c). */
#ifndef WEIR_NET_RPC_IMPL_H
#define WEIR_NET_RPC_IMPL_H

#include "base/mem.h"
#include "base/mutex.h"
#include "net/listen_impl.h"
#include "net/loop_impl.h"
#include "net/message_impl.h"
#include "net/rpc.h"
#include "net/shm_impl.h"
#include "net/source_impl.h"

enum {
    IDLE_SECONDS = 10, /* time-out of idle handler threads */
    MOST_LISTENERS = 4,
};

typedef struct weir_connection weir_connection;

/* A message of a stream, queued for the call's listener. */
typedef struct weir_rpc_letter {
    weir_buf label;
    weir_rpc_message message;
} weir_rpc_letter;

/* A call has two owners: its transport, until it is answered or broken, and the handler. */
struct weir_rpc {
    weir_ref ref;
    weir_rpc_server *server;
    const weir_rpc_method *method;
    weir_peer *peer;         /* retained */
    void (*work)(void *arg); /* continues it instead of the method's handler */
    void *work_arg;
    weir_rpc *next;     /* list of those that wait for a thread, or that a connection received */
    weir_rpc **held_at; /* what points to it in its peer's list of held calls; null: not held */
    weir_rpc_message request;
    int64_t timeout_ms, timer;
    weir_cancel *cancel;
    /* Sends the answer to the caller, if it is still connected; takes over a
     * reference. */
    void (*send)(weir_rpc *call);
    weir_rpc_message reply;
    weir_status status;
    void (*destroy)(weir_rpc *call); /* of the transport: frees the whole call */
    /* Of a stream: sends a message, if the caller is still connected; null: not a stream. */
    bool (*send_message)(weir_rpc *call, weir_str label, const weir_rpc_message *message);
    size_t message_limit;    /* recommended maximum size of a message */
    weir_mutex *stream_lock; /* the transport's */
    weir_rpc_listener *listener WEIR_GUARDED_BY(stream_lock);
    weir_ref *listener_arg WEIR_GUARDED_BY(stream_lock);
    bool deaf WEIR_GUARDED_BY(stream_lock);       /* there will be no listener any more */
    bool delivering WEIR_GUARDED_BY(stream_lock); /* a thread is calling the listener */
    WEIR_VEC(weir_rpc_letter) inbox WEIR_GUARDED_BY(stream_lock); /* queued messages ... */
    size_t inbox_at WEIR_GUARDED_BY(stream_lock);                 /* ... from here on */
    size_t inbox_bytes WEIR_GUARDED_BY(stream_lock);
};

struct weir_rpc_server {
    const weir_rpc_method *methods;
    size_t method_count;
    void *ctx;
    struct weir_http_front *http; /* null: gRPC only */
    weir_listener listeners[MOST_LISTENERS];
    int listener_count, epoll, wake;
    weir_source on_wake, on_shm_listener;
    int shm_listener; /* a unix socket; -1: no shared memory */
    char shm_name[64];
    weir_loop loop;
    weir_shm_corks corks;
    weir_connection *connections;     /* the I/O thread only, as are the fields up to |over| */
    struct shm_handshake *handshakes; /* of the shm transport, in progress */
    struct weir_arrival *arrivals;    /* that have sent nothing yet */
    WEIR_VEC(weir_ref *) deferred;    /* released after this round of events */
    uint8_t *buffer;                  /* for reading */
    struct epoll_event *events;       /* of this round, taken over by a replacement thread ... */
    int event_at, event_count;        /* ... from here */
    weir_source *handled;             /* whose event is being handled; null: none */
    int64_t now_ns, swept_ns;         /* start of this round, and of the last check for time-outs */
    int connection_count, handshake_count;
    int spare_fd;      /* closed to accept and refuse a connection when out of descriptors */
    int64_t paused_ns; /* when accept failed; 0: it did not */
    bool over;
    weir_mutex lock;
    weir_cond work, left;
    weir_rpc *waiting WEIR_GUARDED_BY(lock); /* complete, without a thread yet */
    weir_rpc **waiting_end WEIR_GUARDED_BY(lock);
    int waiting_count WEIR_GUARDED_BY(lock);
    int idle WEIR_GUARDED_BY(lock), threads WEIR_GUARDED_BY(lock);
    int busy WEIR_GUARDED_BY(lock);        /* calls with a thread, or about to get one */
    weir_peer *held WEIR_GUARDED_BY(lock); /* peers with waiting calls, the next one first */
    weir_peer **held_end WEIR_GUARDED_BY(lock);
    int unanswered WEIR_GUARDED_BY(lock); /* calls given to handlers */
    bool ending WEIR_GUARDED_BY(lock);    /* handler threads are to exit */
    bool closing WEIR_GUARDED_BY(lock);   /* the I/O thread is to exit */
};

void weir_rpc_init(weir_rpc *call, weir_rpc_server *server, weir_peer *peer);
void weir_rpc_fini(weir_rpc *call);
const weir_rpc_method *weir_rpc_find(const weir_rpc_server *server, weir_str path);
/* Passes a complete call to its handler: on this thread if it is quick, else on another. The caller
 * must not hold a lock that answering acquires. */
void weir_rpc_dispatch(weir_rpc *call) WEIR_EXCLUDES(call->server->lock);
/* The call's cancel was fired: it gets a thread though its peer is at its limit, and ends. */
void weir_rpc_hurry(weir_rpc *call) WEIR_EXCLUDES(call->server->lock);
/* Removes the call's listener; the caller holds the transport's lock (*stream_lock) and releases
 * the result after unlocking: the listener may hold the call. */
WEIR_CHECKED weir_ref *weir_rpc_take_listener(weir_rpc *call);
/* The listener to call for a message. */
typedef struct weir_rpc_delivery {
    weir_rpc *call;              /* retained; null: none */
    weir_rpc_listener *listener; /* null: refuse the call, its inbox is full */
    weir_ref *arg;               /* retained */
} weir_rpc_delivery;
/* A message arrived for the call. Determines who calls its listener: this thread, by
 * weir_rpc_deliver, or the thread that is calling it or will set one, for which the message is
 * queued. The caller still has to fini the message. Under the lock, in the order of arrival. */
WEIR_CHECKED weir_rpc_delivery weir_rpc_claim(weir_rpc *call, weir_str label,
                                              weir_rpc_message *message);
/* Calls the listener with the message, which the caller has to fini, and with those queued
 * meanwhile. Without the lock. */
void weir_rpc_deliver(weir_rpc_delivery *to, weir_str label, weir_rpc_message *message);
void weir_rpc_streams_fini(weir_rpc *call);
/* Waits until all calls are answered and all threads have exited. */
void weir_rpc_stop_threads(weir_rpc_server *server) WEIR_EXCLUDES(server->lock);

/* Connections (connection.c), for the I/O thread. */
void weir_connection_create(weir_rpc_server *server, int fd, weir_peer *peer); /* takes over both */
void weir_connection_sweep(weir_rpc_server *server, int64_t now_ns); /* closes expired ones */
void weir_connection_close_all(weir_rpc_server *server);             /* cancels their calls */
/* True when a connection has this token and no shm transport yet. */
bool weir_connection_awaits_shm(weir_rpc_server *server, uint64_t token);
struct weir_shm;
void weir_connection_attach_shm(weir_rpc_server *server, uint64_t token, struct weir_shm *shm);

/* Releases |ref| after this round of events. */
void weir_rpc_release_later(weir_rpc_server *server, weir_ref *ref);

#endif
