/* net/shm_impl.h - the shm transport between two Weir processes of one host: a pair of rings for
 * calls and answers, and each other's shared memory for large payloads, which are lent instead of
 * copied.
 *
 * A transport belongs to a gRPC connection and ends with it. The client creates the rings; the two
 * ends then exchange descriptors over a unix socket whose name the server sends by gRPC
 * (shm_handshake.c). This file is common to both ends.
 *
 * Locks: |lock| guards sending and lending. It may be taken under a connection's or channel's lock;
 * nothing is called under it. One thread at a time receives.
 */
#ifndef WEIR_NET_SHM_IMPL_H
#define WEIR_NET_SHM_IMPL_H

#include "base/mem.h"
#include "base/mutex.h"
#include "net/message_impl.h"
#include "net/ring_impl.h"
#include "net/source_impl.h"
#include "net/spin_impl.h"

enum shm_frame_kind {
    SHM_CALL = 1,
    SHM_ANSWER,
    SHM_CANCEL,
    SHM_RELEASE, /* of a loan */
    SHM_MESSAGE, /* of a stream, in either direction */
};
enum { SHM_STREAM = 1 }; /* a flag of SHM_CALL: it is a stream */

/* Bytes of the sender's shared memory. */
typedef struct weir_shm_range {
    uint64_t loan; /* the sender's id of the loan, for its release; 0: none */
    uint64_t offset, bytes;
} weir_shm_range;

/* The fixed fields of a frame in the ring. The text (path, label or error text), the head and a
 * short payload follow. */
typedef struct weir_shm_record {
    weir_ring_record ring;
    uint64_t id; /* of the call; of SHM_RELEASE: the loan */
    int64_t timeout_ms;
    int32_t code;
    uint32_t marks;
    uint32_t text_bytes, head_bytes, payload_bytes;
    uint32_t awaited;             /* the sender waits for the payload's release */
    weir_shm_range head, payload; /* replace those bytes, when they are many */
} weir_shm_record;

/* A received frame: a copy that the receiver owns. */
typedef struct weir_shm_frame {
    enum shm_frame_kind kind;
    uint64_t id;
    int64_t timeout_ms;
    int32_t code;
    uint32_t marks;
    weir_buf text;
    weir_rpc_message message;
} weir_shm_frame;
void weir_shm_frame_fini(weir_shm_frame *frame);

/* The peer's shared memory, mapped as long as any of it is borrowed. */
typedef struct weir_shm_mapping {
    weir_ref ref;
    char *at;
    size_t bytes;
} weir_shm_mapping;

typedef struct weir_shm {
    weir_source source; /* for |wake|; the owner sets its ready */
    void *owner;
    weir_ref ref;
    void *rings;    /* mapped: RING_SPAN twice */
    int wake, peer; /* this end's eventfd and the peer's */
    weir_shm_mapping *mapping;
    weir_ring in;    /* the receiving thread only */
    weir_spin spin;  /* the receiving thread only */
    bool under_lock; /* its owner receives and closes under a lock */
    bool receiving;  /* a thread receives; for a channel's end, under its lock */
    weir_mutex lock;
    bool open WEIR_GUARDED_BY(lock);
    weir_ring out WEIR_GUARDED_BY(lock);
    weir_buf backlog WEIR_GUARDED_BY(lock);              /* records held back: ring full */
    size_t backlog_at WEIR_GUARDED_BY(lock);             /* [0, at) were sent */
    WEIR_VEC(weir_buffer *) lent WEIR_GUARDED_BY(lock);  /* by loan - 1; null: free */
    WEIR_VEC(uint64_t) free_loans WEIR_GUARDED_BY(lock); /* unused loan ids */
} weir_shm;

/* Takes over the descriptors and the mapping of the rings. |first|: this end writes the first ring
 * (the client). Null when the memory of the peer cannot be mapped, or |peer| is not an eventfd;
 * then everything is closed. */
weir_shm *weir_shm_create(void *rings, bool first, int wake, int peer, int shared_fd,
                          size_t shared_bytes);
bool weir_shm_is_open(weir_shm *shm); /* it was not closed */
/* Stops sending; loans end. Borrowed memory stays valid until it is released. */
void weir_shm_close(weir_shm *shm);

/* Sends; the text and the message's bytes are copied or lent, the caller keeps them. False: it
 * cannot be sent by shared memory (closed, or no shared memory left). */
bool weir_shm_send(weir_shm *shm, const weir_shm_frame *frame);
/* Receives the next frame. False: none, or |out_broken|. The caller fini's the frame. */
bool weir_shm_receive(weir_shm *shm, weir_shm_frame *out, bool *out_broken);
/* After the last frame: flushes the backlog and announces how to wake this end. False: there is
 * more to receive. */
bool weir_shm_go_idle(weir_shm *shm, enum ring_wake how);
/* Sends as much of the backlog as fits. The peer writes this end's eventfd when it has freed room;
 * the thread woken by that must call this, or the rest of the backlog is never sent. */
void weir_shm_flush(weir_shm *shm);
/* Wakes this end's thread that sleeps on the ring's word, if any. */
void weir_shm_wake_reader(weir_shm *shm);

/* The transports whose peers the loop's serving thread wakes when it uncorks. */
enum { CORKED_TRANSPORTS = 8 };
typedef struct weir_shm_corks {
    weir_mutex lock;
    int count WEIR_GUARDED_BY(lock);
    weir_shm *transports[CORKED_TRANSPORTS] WEIR_GUARDED_BY(lock); /* retained */
} weir_shm_corks;

/* Between these, this thread's sends wake no peer; uncorking wakes each of them once. A thread that
 * handles many small events sends its frames together. The replacement of a blocked thread uncorks
 * in its place; later sends of the old thread wake at once. */
void weir_shm_cork(weir_shm_corks *corks);   /* null: not corked */
weir_shm_corks *weir_shm_thread_corks(void); /* this thread's own, if it serves no loop */
void weir_shm_uncork(weir_shm_corks *corks);

#endif
