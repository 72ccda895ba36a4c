/* net/channel_impl.h - the inside of a channel: its calls (channel.c), its connection (connect.c),
 * gRPC over it (client.c) and the thread that all channels share (client_loop.c).
 *
 * Locks: a channel's lock guards its fields and its calls; the loop's lock its list of things to
 * do. Neither is held while something outside is called.
 */
#ifndef WEIR_NET_CHANNEL_IMPL_H
#define WEIR_NET_CHANNEL_IMPL_H

#include <netdb.h>
#include <pthread.h>

#include "net/h2_impl.h"
#include "net/shm_impl.h"

/* ---- the thread ----------------------------------------------------------------------------- */

/* Calls fn(arg) on the client I/O thread, soon. */
void weir_client_post(void (*fn)(void *arg), void *arg);
int weir_client_epoll(void);
uint8_t *weir_client_buffer(void); /* for reading; that thread only */
/* Channels that are asked every so often how they are. That thread only. */
void weir_client_keepalive_add(weir_channel *channel);
void weir_client_keepalive_remove(weir_channel *channel);
enum { TICK_MS = 500 };

/* ---- channels ------------------------------------------------------------------------------- */

typedef enum channel_state {
    IDLE,       /* nothing is known to be wrong; the first call connects */
    RESOLVING,  /* a thread asks for addresses */
    CONNECTING, /* to one of them */
    HANDSHAKE,  /* connected; the server has not said that it speaks HTTP/2 */
    READY,
    BACKING_OFF, /* no connection could be made; not again before |retry_ns| */
} channel_state;

typedef struct channel_call channel_call;
struct channel_call {
    weir_ref ref; /* the channel's list, the cancel's callback, the timer */
    weir_channel *channel;
    channel_call *next, *prev; /* in one of the channel's lists */
    weir_channel_call spec;
    int64_t cancel_token, timer;
    weir_outgoing *out;
    bool listed;       /* under lock, as are those below */
    weir_status early; /* cancelled or out of time before it was listed */
    int32_t stream;    /* 0: not sent by gRPC */
    uint64_t shm_id;   /* 0: not sent by shared memory */
    weir_incoming in;
    bool answered; /* a stream by gRPC: |in| is the answer, not a message */
    bool has_status;
    int code, http_status;
    unsigned marks;
    weir_buf message;
    struct {
        uint64_t id;     /* the server may send the payload by UCX, under this number; 0: not */
        size_t promised; /* bytes that the server said it does; 0: none */
        bool answered;   /* the stream is over, and only the payload is missing */
        int64_t due_ns;  /* when it is given up, then */
        bool received;
        weir_status status; /* how it came */
        weir_buffer *buffer;
        size_t bytes;
    } payload;
    weir_status result;
};

typedef struct call_list {
    channel_call *first, *last;
} call_list;

/* A message of a stream that has come by gRPC. */
typedef struct stream_message {
    channel_call *of; /* retained */
    weir_buf label;
    weir_rpc_message m;
} stream_message;

/* What nghttp2 may read until a stream is closed that no call owns any more. */
typedef struct orphan {
    int32_t stream;
    weir_outgoing *out;
} orphan;

struct weir_channel {
    weir_h2 h2; /* first: what nghttp2's callbacks get; under lock; fd is -1 without a connection */
    weir_source source; /* the connection's */
    weir_ref ref;       /* users'; without any it is closed */
    weir_ref memory;    /* users' together, each call's, each posted task's */
    char *address, *host, *port;
    pthread_mutex_t lock;
    channel_state state;
    bool closed;
    call_list waiting;                 /* for a connection */
    call_list active;                  /* with a stream */
    call_list ended;                   /* their done is to be called, outside the lock */
    WEIR_VEC(stream_message) received; /* to be handed on before that */
    bool corked;                       /* the client I/O thread will flush soon */
    struct addrinfo *found, *trying;   /* addresses, and the one that is tried */
    int look_up_error;                 /* getaddrinfo's */
    int64_t deadline_ns;               /* of CONNECTING and HANDSHAKE */
    int64_t retry_ns, pause_ms;        /* of BACKING_OFF */
    weir_buf last_error;               /* why the last attempt failed */
    bool watched, was_used;            /* ticks come; a call was started since the last one */
    int silent_ticks;                  /* without a byte from a peer that owes answers */
    WEIR_VEC(orphan) orphans;
    uint64_t connection;            /* counts them */
    weir_shm *shm;                  /* null: calls go by gRPC */
    uint32_t shm_calls;             /* counts them */
    WEIR_VEC(channel_call *) slots; /* calls on the shm transport, by id */
    WEIR_VEC(uint32_t) free_slots;
    bool ucx;                  /* large payloads may come by UCX */
    int ucx_losses;            /* payloads that did not come, since the last one that did */
    uint64_t ucx_probe;        /* what shows that they can; 0: not awaited */
    weir_outgoing *probe;      /* an empty message */
    bool settings_came;        /* the server's settings came, ... */
    bool streams;              /* ... and said that it takes streams */
    bool goaway;               /* the server wants no more calls */
    weir_channel *next, *prev; /* among the watched; the client I/O thread only */
};

void weir_calls_add(call_list *list, channel_call *call);
void weir_calls_remove(call_list *list, channel_call *call);
/* Sends a call of the active list by the best shm transport there is. */
void weir_channel_submit(weir_channel *channel, channel_call *which);

/* channel.c, under the lock: */
void weir_channel_end(weir_channel *channel, call_list *from, channel_call *which,
                      weir_status status);
void weir_channel_end_all(weir_channel *channel, call_list *from,
                          weir_status status); /* takes s over */
/* Writes what is queued, of which |bytes| are new; what is wrong with the connection shows when it
 * is read. */
void weir_channel_flush(weir_channel *channel, size_t bytes);
/* Takes the lock off and calls what ended. */
void weir_channel_unlock(weir_channel *channel);

/* connect.c, under the lock; weir_channel_connect on any thread, the others on the channels': */
void weir_channel_connect(weir_channel *channel);
void weir_channel_event(weir_source *self, unsigned events);   /* takes the lock itself */
void weir_channel_tick(weir_channel *channel, int64_t now_ns); /* takes the lock itself */

/* shm_client.c, under the lock: */
void weir_channel_negotiate(weir_channel *channel);
/* False: by gRPC, then. The message stays the caller's. */
bool weir_channel_submit_by_shm(weir_channel *channel, channel_call *which,
                                const weir_rpc_message *request);
bool weir_channel_message_by_shm(weir_channel *channel, channel_call *which, weir_str label,
                                 const weir_rpc_message *message);
void weir_channel_cancel_by_shm(weir_channel *channel, channel_call *which);
void weir_channel_free_shm_id(weir_channel *channel, channel_call *which);
void weir_channel_drop_shm(weir_channel *channel);

/* ucx_client.c, under the lock: */
void weir_channel_negotiate_ucx(weir_channel *channel);
void weir_channel_drop_ucx(weir_channel *channel);
uint64_t weir_channel_expect_payload(weir_channel *channel,
                                     channel_call *which); /* its number; 0: by gRPC */
void weir_channel_forget_payload(weir_channel *channel, channel_call *which);
void weir_channel_await_payload(
    channel_call *which); /* its stream is over, its payload is not there */
WEIR_CHECKED weir_status
weir_channel_take_payload(channel_call *which); /* a payload that came, or why not */
void weir_channel_end_late(weir_channel *channel, int64_t now_ns);

/* client.c, under the lock: */
nghttp2_session_callbacks *weir_client_callbacks(void);
void weir_client_submit(weir_channel *channel,
                        channel_call *which); /* queues; the caller flushes */
/* Sends a message of a stream. False: it is too large. */
bool weir_client_send_message(weir_channel *channel, channel_call *which, weir_str label,
                              const weir_rpc_message *message);
void weir_client_send_keepalive(weir_channel *channel); /* asks for any answer at all */
void weir_client_reset(weir_channel *channel,
                       channel_call *which);  /* tells the server that nobody waits */
void weir_client_drop(weir_channel *channel); /* closes the connection */

#endif
