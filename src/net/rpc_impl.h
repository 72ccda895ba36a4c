/* net/rpc_impl.h - what the two halves of the server share: calls (rpc.c) and connections
 * (http2.c). */
#ifndef WEIR_NET_RPC_IMPL_H
#define WEIR_NET_RPC_IMPL_H

#include <pthread.h>

#include "base/mem.h"
#include "net/rpc.h"

enum {
    GRPC_PREFIX = 5, /* a flag and the length, before each message */
    LARGEST_MESSAGE = INT32_MAX,
    MOST_THREADS = 4096, /* calls that block at once */
    IDLE_SECONDS = 10,   /* a handler's thread waits this long for the next call */
};

struct weir_rpc {
    weir_ref ref;
    weir_rpc_server *server;
    struct connection *conn; /* null once the stream is gone; the loop's thread only */
    int32_t stream;
    const weir_rpc_method *method;
    weir_buf path, body;
    int64_t timeout_ms;
    int64_t timer;
    weir_cancel *cancel;
    bool dispatched;
    /* The answer: */
    uint8_t prefix[GRPC_PREFIX];
    weir_buf answer;
    size_t sent; /* of prefix and answer */
    weir_status status;
};

struct weir_rpc_server {
    const weir_rpc_method *methods;
    size_t method_count;
    void *ctx;
    int port, listener, epoll, wake;
    pthread_t loop;
    struct connection *connections; /* the loop's thread only */
    pthread_mutex_t lock;
    pthread_cond_t work, left;
    WEIR_VEC(weir_rpc *) waiting; /* under lock: complete, not taken yet */
    WEIR_VEC(weir_rpc *) answers; /* under lock: for the loop's thread */
    int idle, threads;            /* under lock */
    bool ending;                  /* under lock */
    bool closing;                 /* under lock: the loop shall end */
};

weir_rpc *weir_rpc_create(weir_rpc_server *server, int32_t stream);
void weir_rpc_dispatch(weir_rpc *call);
const weir_rpc_method *weir_rpc_find(const weir_rpc_server *s, weir_str path);
void weir_rpc_post_answer(weir_rpc *call); /* takes over a reference */
void weir_rpc_stop_threads(weir_rpc_server *s);

#endif
