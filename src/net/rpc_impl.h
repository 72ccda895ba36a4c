/* net/rpc_impl.h - what the messages of the server share: calls (rpc.c), connections (http2.c),
 * listening and the loop (server.c). */
#ifndef WEIR_NET_RPC_IMPL_H
#define WEIR_NET_RPC_IMPL_H

#include <pthread.h>

#include "base/mem.h"
#include "net/message_impl.h"
#include "net/rpc.h"
#include "net/source_impl.h"

enum {
    MAX_HANDLER_THREADS = 4096, /* calls that block at once */
    IDLE_SECONDS = 10,          /* a handler's thread waits this long for the next call */
};

typedef struct weir_connection weir_connection;

/* A call has two owners: the shm transport it came by, until it is answered or broken, and the
 * handler. */
struct weir_rpc {
    weir_ref ref;
    weir_rpc_server *server;
    const weir_rpc_method *method;
    weir_rpc *next; /* in a list: of those that wait for a thread, or that a connection read */
    weir_rpc_message request;
    int64_t timeout_ms, timer;
    weir_cancel *cancel;
    /* The answer, once given; |send| takes it to the caller, if there still is one, and takes over
     * a reference. */
    void (*send)(weir_rpc *call);
    weir_rpc_message reply;
    weir_status status;
    void (*destroy)(weir_rpc *call); /* frees the shm transport's part and the whole */
    /* Of a stream: takes a message to the caller, if there still is one; null: the call is none. */
    bool (*send_message)(weir_rpc *call, weir_str label, const weir_rpc_message *message);
    size_t message_limit;         /* bytes of a message that it should have at most */
    pthread_mutex_t *stream_lock; /* of the shm transport; for those below */
    void (*on_message)(weir_ref *arg, weir_str label, weir_rpc_message *message);
    weir_ref *on_message_arg;
};

struct weir_rpc_server {
    const weir_rpc_method *methods;
    size_t method_count;
    void *ctx;
    int port, listener, epoll, wake;
    weir_source on_listener, on_wake, on_shm_listener;
    int shm_listener; /* a unix socket; -1: no shm transports */
    char shm_name[64];
    pthread_t loop;
    weir_connection *connections; /* the I/O thread only */
    struct shm_handshake
        *handshakes; /* who wants a shm transport and has not said which; that thread only */
    WEIR_VEC(weir_ref *) deferred; /* released after this round of events; that thread only */
    uint8_t *buffer;               /* for reading; the I/O thread only */
    bool over;                     /* that thread only */
    pthread_mutex_t lock;
    pthread_cond_t work, left;
    weir_rpc *waiting, **waiting_end; /* under lock: complete, not taken yet */
    int waiting_count, idle, threads; /* under lock */
    int unanswered;                   /* under lock: calls given to handlers */
    bool ending;                      /* under lock: threads shall end */
    bool closing;                     /* under lock: the loop shall end */
};

void weir_rpc_init(weir_rpc *call, weir_rpc_server *server);
void weir_rpc_fini(weir_rpc *call);
const weir_rpc_method *weir_rpc_find(const weir_rpc_server *server, weir_str path);
/* Hands a complete call to its handler: here, when that is quick, or on another thread. No lock may
 * be held that answering takes. */
void weir_rpc_dispatch(weir_rpc *call);
/* Waits until every call is answered and every thread gone. */
void weir_rpc_stop_threads(weir_rpc_server *server);

/* Connections (http2.c), for the I/O thread. */
void weir_connection_create(weir_rpc_server *server, int fd); /* takes the socket over */
void weir_connection_close_all(weir_rpc_server *server);      /* cancels their calls */
/* True when a connection was given this token and has no shm transport yet; then it can be given
 * one. */
bool weir_connection_awaits_shm(weir_rpc_server *server, uint64_t token);
struct weir_shm;
void weir_connection_attach_shm(weir_rpc_server *server, uint64_t token, struct weir_shm *shm);

/* Releases |ref| after this round of events. */
void weir_rpc_release_later(weir_rpc_server *server, weir_ref *ref);

#endif
