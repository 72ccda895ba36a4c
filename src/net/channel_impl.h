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

/* Calls fn(arg) on the client I/O thread, soon. */
void weir_client_post(void (*fn)(void *arg), void *arg);
int weir_client_epoll(void);
uint8_t *weir_client_buffer(void);      /* for reading; that thread only */
uint8_t *weir_client_take_buffer(void); /* for other threads; to be given back */
void weir_client_give_buffer(uint8_t *buffer);
/* Channels under keep-alive: their weir_channel_tick is called every TICK_MS. That thread only. */
void weir_client_keepalive_add(weir_channel *channel);
void weir_client_keepalive_remove(weir_channel *channel);
enum { TICK_MS = 500 };

/* ---- channels ------------------------------------------------------------------------------- */

typedef enum channel_state {
    IDLE,       /* nothing is known to be wrong; the first call connects */
    RESOLVING,  /* a thread looks up addresses */
    CONNECTING, /* to one of them */
    HANDSHAKE,  /* connected; the server's HTTP/2 settings have not arrived */
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
    bool listed;       /* under the channel's lock, as are those below */
    weir_status early; /* cancelled or out of time before it was listed */
    int32_t stream;    /* 0: not sent by gRPC */
    uint64_t shm_id;   /* 0: not sent by shared memory */
    weir_incoming in;
    int put_back;         /* how often it was listed again for another connection */
    size_t message_limit; /* of a stream by gRPC */
    bool answered;        /* likewise: |in| is the answer, not a message */
    bool has_status;
    int code, http_status;
    unsigned marks;
    weir_buf error_text;
    struct {
        uint64_t id;     /* the server may send the payload by UCX, under this number; 0: not */
        size_t promised; /* bytes that the server announced to send so; 0: none */
        bool answered;   /* the stream is over, and only the payload is missing */
        int64_t due_ns;  /* when it is given up, then */
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

/* What nghttp2 may read until a stream is closed that no call owns any more. */
typedef struct orphan {
    int32_t stream;
    weir_outgoing *out;
} orphan;

/* |lock| guards everything below it. */
struct weir_channel {
    weir_h2 h2; /* first: the user data of nghttp2's callbacks; under lock; fd -1: not connected */
    weir_source source;        /* the connection's */
    weir_ref ref;              /* users'; without any it is closed */
    weir_ref memory;           /* users' together, each call's, each posted task's */
    char *address, *host;      /* |host|: that a certificate must name */
    const char *authority;     /* that requests name */
    weir_channel *next, *prev; /* among those under keep-alive; the client I/O thread only */
    weir_mutex lock;
    channel_state state WEIR_GUARDED_BY(lock);
    bool closed WEIR_GUARDED_BY(lock);
    call_list waiting WEIR_GUARDED_BY(lock); /* for a connection */
    call_list active WEIR_GUARDED_BY(lock);  /* sent and not answered */
    call_list ended WEIR_GUARDED_BY(lock);   /* their done is to be called, outside the lock */
    WEIR_VEC(weir_stream_message) received WEIR_GUARDED_BY(lock); /* to be delivered before that */
    bool corked WEIR_GUARDED_BY(lock);               /* the client I/O thread will flush soon */
    weir_word_watch *receiver WEIR_GUARDED_BY(lock); /* of the waiting thread that reads; or null */
    bool is_read WEIR_GUARDED_BY(lock);            /* the client I/O thread reads and calls back */
    bool end_told WEIR_GUARDED_BY(lock);           /* of the connection, while a receiver read it */
    struct addrinfo *found WEIR_GUARDED_BY(lock);  /* addresses, ... */
    struct addrinfo *trying WEIR_GUARDED_BY(lock); /* ... and the one that is tried */
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
    bool refused WEIR_GUARDED_BY(lock);          /* the server does not want this client */
    size_t unframed_bytes WEIR_GUARDED_BY(lock); /* received since a frame was whole */
    WEIR_VEC(orphan) orphans WEIR_GUARDED_BY(lock);
    uint64_t connection WEIR_GUARDED_BY(lock);            /* how many there were */
    weir_shm *shm WEIR_GUARDED_BY(lock);                  /* null: calls go by gRPC */
    uint32_t shm_calls WEIR_GUARDED_BY(lock);             /* how many there were */
    WEIR_VEC(channel_call *) slots WEIR_GUARDED_BY(lock); /* calls by shared memory, by id */
    WEIR_VEC(uint32_t) free_slots WEIR_GUARDED_BY(lock);
    bool ucx WEIR_GUARDED_BY(lock);           /* large payloads may arrive by UCX */
    int ucx_losses WEIR_GUARDED_BY(lock);     /* payloads lost since the last one that came */
    uint64_t ucx_probe WEIR_GUARDED_BY(lock); /* the id of the probe; 0: not awaited */
    weir_outgoing *keepalive_request WEIR_GUARDED_BY(lock); /* an empty message; null: none yet */
    bool settings_received WEIR_GUARDED_BY(lock);           /* the server's, ... */
    uint32_t streams WEIR_GUARDED_BY(lock); /* ... and the messages of streams that it wants; 0: no
                                               streams */
    bool goaway WEIR_GUARDED_BY(lock);      /* the server accepts no more calls */
};

void weir_calls_add(call_list *list, channel_call *call);
void weir_calls_remove(call_list *list, channel_call *call);
/* Sends a call of the active list by the best transport there is. */
void weir_channel_submit(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock);

/* ---- channel.c ------------------------------------------------------------------------------ */

void weir_channel_end(weir_channel *channel, call_list *from, channel_call *call,
                      weir_status status) WEIR_REQUIRES(channel->lock);
/* Takes the status over. */
void weir_channel_end_all(weir_channel *channel, call_list *from, weir_status status)
    WEIR_REQUIRES(channel->lock);
/* Lists an active call among those that wait for a connection again. |refused|: the server said
 * that it has not begun it. False: the call stays, since it may have begun, or was put back too
 * often. */
bool weir_channel_put_back(weir_channel *channel, channel_call *call, bool refused)
    WEIR_REQUIRES(channel->lock);
/* Writes what is queued, of which |bytes| are new; what is wrong with the connection shows when it
 * is read. */
void weir_channel_flush(weir_channel *channel, size_t bytes) WEIR_REQUIRES(channel->lock);
/* The same, whenever something was written before. */
void weir_channel_flush_now(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Releases the lock, then calls back what ended and what was received. */
void weir_channel_unlock(weir_channel *channel) WEIR_RELEASE(channel->lock);

/* ---- connect.c ------------------------------------------------------------------------------ */

void weir_channel_connect(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Reads what has come, and calls back without the lock. Not while another thread does, except a
 * receiver that this is. */
void weir_channel_read(weir_channel *channel, uint8_t *buffer) WEIR_REQUIRES(channel->lock);
/* On the client I/O thread: */
void weir_channel_event(weir_source *self, unsigned events);
void weir_channel_tick(weir_channel *channel, int64_t now_ns) WEIR_EXCLUDES(channel->lock);

/* ---- receive.c ------------------------------------------------------------------------------ */

/* Whether this thread will flush the channel when it uncorks, and see to it that it is read. */
bool weir_channel_defers(weir_channel *channel) WEIR_REQUIRES(channel->lock);

/* ---- shm_client.c --------------------------------------------------------------------------- */

/* Asks a new connection's server for the transports that suit both. */
void weir_channel_negotiate(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Receives until |word| changes or the transport ends, if there is one and nobody receives. */
void weir_channel_receive_by_shm(weir_channel *channel, atomic_int *word)
    WEIR_REQUIRES(channel->lock);
/* False: by gRPC, then. The message stays the caller's. */
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
/* The number under which the payload may arrive; 0: by gRPC. */
uint64_t weir_channel_expect_payload(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock);
void weir_channel_forget_payload(weir_channel *channel, channel_call *call)
    WEIR_REQUIRES(channel->lock);
/* The call's stream is over, its payload has not arrived. */
void weir_channel_await_payload(channel_call *call);
/* A payload that was received, or why it was not; under the channel's lock. */
WEIR_CHECKED weir_status weir_channel_take_payload(channel_call *call);
void weir_channel_end_late(weir_channel *channel, int64_t now_ns) WEIR_REQUIRES(channel->lock);

/* ---- client.c ------------------------------------------------------------------------------- */

nghttp2_session_callbacks *weir_client_callbacks(void);
/* Queues; the caller flushes. */
void weir_client_submit(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock);
/* Sends a message of a stream. False: it is too large. */
bool weir_client_send_message(weir_channel *channel, channel_call *call, weir_str label,
                              const weir_rpc_message *message) WEIR_REQUIRES(channel->lock);
/* A request that every server answers, if only with UNIMPLEMENTED. */
void weir_client_send_keepalive(weir_channel *channel) WEIR_REQUIRES(channel->lock);
/* Tells the server that nobody waits for the call. */
void weir_client_reset(weir_channel *channel, channel_call *call) WEIR_REQUIRES(channel->lock);
void weir_client_drop(weir_channel *channel) WEIR_REQUIRES(channel->lock); /* closes */

#endif
