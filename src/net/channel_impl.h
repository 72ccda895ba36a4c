/* net/channel_impl.h - the inside of a channel: its calls (channel.c), its connection (connect.c),
 * gRPC over it (client.c), shared memory (shm_client.c), UCX (ucx_client.c), and the I/O thread
 * that all channels share (client_loop.c).
 *
 * Locks: a channel's lock guards its fields and its calls; the loop's lock its list of tasks.
 * Neither is held while a callback is called.
 */
#ifndef WEIR_NET_CHANNEL_IMPL_H
#define WEIR_NET_CHANNEL_IMPL_H

#include <netdb.h>

#include "base/mutex.h"
#include "base/word_watch.h"
#include "net/h2_impl.h"
#include "net/shm_impl.h"
#include "net/tls_impl.h"

/* ---- the client I/O thread ------------------------------------------------------------------- */

/* Enqueues fn(arg) for the client I/O thread. */
void weir_client_post(void (*fn)(void *arg), void *arg);
int weir_client_epoll(void);
uint8_t *weir_client_buffer(void);      /* for reading; that thread only */
uint8_t *weir_client_take_buffer(void); /* for other threads; to be returned */
void weir_client_give_buffer(uint8_t *buffer);
/* Channels under keep-alive: their weir_channel_tick is called every TICK_MS. That thread only. */
void weir_client_keepalive_add(weir_channel *channel);
void weir_client_keepalive_remove(weir_channel *channel);
enum { TICK_MS = 500 };

/* ---- channels ------------------------------------------------------------------------------- */

typedef enum channel_state {
    IDLE,       /* no connection; the first call connects */
    RESOLVING,  /* a thread looks up addresses */
    CONNECTING, /* to one of them */
    HANDSHAKE,  /* connected; the server's HTTP/2 settings have not arrived */
    READY,
    BACKING_OFF, /* the last attempt failed; the next one not before |retry_ns| */
} channel_state;

typedef struct channel_call channel_call;
struct channel_call {
    weir_ref ref; /* held by the channel's list, the cancel's callback, the timer */
    weir_channel *channel;
    channel_call *next, *prev; /* in one of the channel's lists */
    weir_channel_call spec;
    int64_t cancel_token, timer;
    weir_outgoing *out;
    bool listed;       /* under the channel's lock, as are those below */
    weir_status early; /* cancelled or timed out before it was listed */
    int32_t stream;    /* 0: not sent by gRPC */
    uint64_t shm_id;   /* 0: not sent by shared memory */
    weir_incoming in;
    int put_back;         /* how often it was put back for another connection */
    size_t message_limit; /* of a stream by gRPC */
    bool answered;        /* likewise: |in| is the answer, not a message */
    bool has_status;
    int code, http_status;
    unsigned marks;
    weir_buf error_text;
    struct {
        uint64_t id;     /* the server may send the payload by UCX, under this number; 0: not */
        size_t promised; /* bytes that the server announced for it; 0: none */
        bool answered;   /* the stream has ended, only the payload is missing */
        int64_t due_ns;  /* then it fails */
        bool received;
        weir_status status; /* of the transfer */
        weir_buffer *buffer;
        size_t bytes;
    } payload;
    weir_status result;
};

typedef struct call_list {
    channel_call *first, *last;
} call_list;

/* Buffers that nghttp2 may read until a stream closes, though its call has ended. */
typedef struct orphan {
    int32_t stream;
    weir_outgoing *out;
    bool reset; /* by this end */
} orphan;

/* |lock| guards everything below it. */
struct weir_channel {
    weir_h2 h2; /* first: the user data of nghttp2's callbacks; under lock; fd -1: not connected */
    weir_source source;        /* the connection's */
    weir_ref ref;              /* users' references; at 0 it is closed */
    weir_ref memory;           /* one for all users, one per call and per posted task */
    char *address, *host;      /* |host|: the name that the certificate must have */
    const char *authority;     /* of requests */
    weir_channel *next, *prev; /* list of channels under keep-alive; the client I/O thread only */
    weir_mutex lock;
    channel_state state WEIR_GUARDED_BY(lock);
    bool closed WEIR_GUARDED_BY(lock);
    call_list waiting WEIR_GUARDED_BY(lock); /* for a connection */
    call_list active WEIR_GUARDED_BY(lock);  /* sent and not answered */
    call_list ended WEIR_GUARDED_BY(lock);   /* done to be called, outside the lock */
    WEIR_VEC(weir_stream_message) received WEIR_GUARDED_BY(lock); /* to be delivered before */
    bool corked WEIR_GUARDED_BY(lock);               /* the client I/O thread will flush soon */
    weir_word_watch *receiver WEIR_GUARDED_BY(lock); /* of the receiving thread; or null */
    bool is_read WEIR_GUARDED_BY(lock);            /* the client I/O thread reads and calls back */
    bool end_told WEIR_GUARDED_BY(lock);           /* of the connection, to a receiver */
    struct addrinfo *found WEIR_GUARDED_BY(lock);  /* addresses, ... */
    struct addrinfo *trying WEIR_GUARDED_BY(lock); /* ... and the current one */
    int look_up_error WEIR_GUARDED_BY(lock);       /* getaddrinfo's */
    int64_t deadline_ns WEIR_GUARDED_BY(lock);     /* of CONNECTING and HANDSHAKE */
    int64_t retry_ns WEIR_GUARDED_BY(lock);        /* of BACKING_OFF */
    int64_t pause_ms WEIR_GUARDED_BY(lock);
    weir_buf last_error WEIR_GUARDED_BY(lock);   /* why the last attempt failed */
    bool keepalive WEIR_GUARDED_BY(lock);        /* ticks arrive */
    bool was_used WEIR_GUARDED_BY(lock);         /* a call was started since the last tick */
    int silent_ticks WEIR_GUARDED_BY(lock);      /* without a byte from a peer that owes answers */
    weir_tls_link *tls WEIR_GUARDED_BY(lock);    /* of the connection; null: it is plain */
    weir_buf farewell WEIR_GUARDED_BY(lock);     /* the text of the server's GOAWAY */
    bool refused WEIR_GUARDED_BY(lock);          /* the server rejects this client */
    size_t unframed_bytes WEIR_GUARDED_BY(lock); /* received since the last complete frame */
    WEIR_VEC(orphan) orphans WEIR_GUARDED_BY(lock);
    uint64_t connection WEIR_GUARDED_BY(lock);            /* number of connections so far */
    weir_shm *shm WEIR_GUARDED_BY(lock);                  /* null: calls go by gRPC */
    uint32_t shm_calls WEIR_GUARDED_BY(lock);             /* number of calls so far */
    WEIR_VEC(channel_call *) slots WEIR_GUARDED_BY(lock); /* calls by shared memory, by id */
    WEIR_VEC(uint32_t) free_slots WEIR_GUARDED_BY(lock);
    bool ucx WEIR_GUARDED_BY(lock);           /* large payloads may arrive by UCX */
    int ucx_losses WEIR_GUARDED_BY(lock);     /* payloads lost since the last successful one */
    uint64_t ucx_probe WEIR_GUARDED_BY(lock); /* the id of the probe; 0: not pending */
    weir_outgoing *keepalive_request WEIR_GUARDED_BY(lock); /* an empty message; null: none yet */
    bool settings_received WEIR_GUARDED_BY(lock);           /* the server's, ... */
    uint32_t streams WEIR_GUARDED_BY(lock); /* ... and the limit for messages of streams; 0: no
                                             * streams */
    bool goaway WEIR_GUARDED_BY(lock);      /* the server accepts no more calls */
};

void weir_calls_add(call_list *list, channel_call *call);
void weir_calls_remove(call_list *list, channel_call *call);
/* Sends a call of the active list by the best available transport. */
void weir_channel_submit(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock);

/* ---- channel.c ------------------------------------------------------------------------------ */

void weir_channel_end(weir_channel *channel, call_list *from, channel_call *call,
                      weir_status status) WEIR_REQUIRES(channel->lock);
/* Takes the status over. */
void weir_channel_end_all(weir_channel *channel, call_list *from, weir_status status)
    WEIR_REQUIRES(channel->lock);
/* Moves an active call back to the list that waits for a connection. |refused|: the server reported
 * that it has not started it. False: the call stays active, since it may have started, or was put
 * back too often. */
bool weir_channel_put_back(weir_channel *channel, channel_call *call, bool refused)
    WEIR_REQUIRES(channel->lock);
/* Flushes the queue, |bytes| of which are new; errors of the connection show when it is
 * read. */
void weir_channel_flush(weir_channel *channel, size_t bytes) WEIR_REQUIRES(channel->lock);
/* The same, regardless of earlier writes. */
void weir_channel_flush_now(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Releases the lock, then calls back ended calls and received messages. */
void weir_channel_unlock(weir_channel *channel) WEIR_RELEASE(channel->lock);

/* ---- connect.c ------------------------------------------------------------------------------ */

void weir_channel_connect(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Reads and calls back, the latter without the lock. Not while another thread reads, unless this is
 * the receiver. */
void weir_channel_read(weir_channel *channel, uint8_t *buffer) WEIR_REQUIRES(channel->lock);
/* On the client I/O thread: */
void weir_channel_event(weir_source *self, unsigned events);
void weir_channel_tick(weir_channel *channel, int64_t now_ns) WEIR_EXCLUDES(channel->lock);

/* ---- receive.c ------------------------------------------------------------------------------ */

/* Whether this thread flushes the channel when it uncorks, and has it read. */
bool weir_channel_defers(weir_channel *channel) WEIR_REQUIRES(channel->lock);

/* ---- shm_client.c --------------------------------------------------------------------------- */

/* Negotiates transports with a new connection's server. */
void weir_channel_negotiate(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Receives until |word| changes or the transport ends, if there is one and no other receiver. */
void weir_channel_receive_by_shm(weir_channel *channel, atomic_int *word)
    WEIR_REQUIRES(channel->lock);
/* False: use gRPC. The caller keeps the message. */
bool weir_channel_submit_by_shm(weir_channel *channel, channel_call *call,
                                const weir_rpc_message *request) WEIR_REQUIRES(channel->lock);
bool weir_channel_message_by_shm(weir_channel *channel, channel_call *call, weir_str label,
                                 const weir_rpc_message *message) WEIR_REQUIRES(channel->lock);
void weir_channel_cancel_by_shm(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock);
void weir_channel_free_shm_id(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock);
void weir_channel_drop_shm(weir_channel *channel) WEIR_REQUIRES(channel->lock);

/* ---- ucx_client.c --------------------------------------------------------------------------- */

void weir_channel_negotiate_ucx(weir_channel *channel) WEIR_REQUIRES(channel->lock);
void weir_channel_drop_ucx(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* The id under which the payload may arrive; 0: by gRPC. */
uint64_t weir_channel_expect_payload(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock);
void weir_channel_forget_payload(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock);
/* The call's stream has ended, its payload has not arrived. */
void weir_channel_await_payload(channel_call *call);
/* The received payload, or the error; under the channel's lock. */
WEIR_CHECKED weir_status weir_channel_take_payload(channel_call *call);
void weir_channel_end_late(weir_channel *channel, int64_t now_ns) WEIR_REQUIRES(channel->lock);

/* ---- client.c ------------------------------------------------------------------------------- */

nghttp2_session_callbacks *weir_client_callbacks(void);
/* Queues; the caller flushes. */
void weir_client_submit(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock);
/* Sends a message of a stream. False: it is too large. */
bool weir_client_send_message(weir_channel *channel, channel_call *call, weir_str label,
                              const weir_rpc_message *message) WEIR_REQUIRES(channel->lock);
/* A request that every server answers, possibly with UNIMPLEMENTED. */
void weir_client_send_keepalive(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Notifies the server that the call is abandoned. */
void weir_client_reset(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock);
void weir_client_drop(weir_channel *channel) WEIR_REQUIRES(channel->lock); /* closes */

#endif
