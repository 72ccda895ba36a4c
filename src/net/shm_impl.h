/* net/shm_impl.h - the shm transport between two Weir processes of one host: a pair of rings for
 * calls and answers, and each other's shared memory for large payloads, which are lent instead of
 * copied.
 *
 * A shm transport belongs to a gRPC connection and ends with it. The client makes the rings; the
 * two ends then exchange descriptors over a unix-domain socket whose name the server tells by gRPC
 * (shm_handshake.c). This file is what both ends have in common.
 *
 * Locks: |lock| guards sending and lending. It may be taken under a connection's or channel's lock;
 * nothing is called under it. One thread at a time receives.
 */
#ifndef WEIR_NET_SHM_IMPL_H
#define WEIR_NET_SHM_IMPL_H

#include <pthread.h>

#include "base/mem.h"
#include "net/message_impl.h"
#include "net/ring_impl.h"
#include "net/source_impl.h"
#include "net/spin_impl.h"

/* A message is a message between the two ends of a call that is still open, either way. */
enum shm_frame_kind { SHM_CALL = 1, SHM_ANSWER, SHM_CANCEL, SHM_RELEASE, SHM_MESSAGE };
enum { SHM_STREAM = 1 }; /* a mark of a call: its two ends send each other messages */

/* Bytes of the sender's shared memory. */
typedef struct weir_shm_range {
    uint64_t loan; /* the sender's name for it, to be released; 0: none */
    uint64_t offset, bytes;
} weir_shm_range;

/* What a record says; path, label or error text, then the head, then a short payload follow it. */
typedef struct weir_shm_record {
    weir_ring_record ring;
    uint64_t id; /* of the call; of SHM_RELEASE: the loan */
    int64_t timeout_ms;
    int32_t code;
    uint32_t marks;
    uint32_t text_bytes, head_bytes, payload_bytes;
    uint32_t awaited;             /* somebody waits for the payload to be given back */
    weir_shm_range head, payload; /* instead of those bytes, when they are many */
} weir_shm_record;

/* A record as it was received: everything is the receiver's own. */
typedef struct weir_shm_frame {
    enum shm_frame_kind kind;
    uint64_t id;
    int64_t timeout_ms;
    int32_t code;
    uint32_t marks;
    weir_buf text;
    weir_rpc_message m;
} weir_shm_frame;
void weir_shm_frame_fini(weir_shm_frame *frame);

/* What the other process lends, mapped for as long as anybody looks at any of it. */
typedef struct weir_shm_mapping {
    weir_ref ref;
    char *at;
    size_t bytes;
} weir_shm_mapping;

typedef struct weir_shm {
    weir_source source; /* for |wake|; its ready is the owner's to set */
    void *owner;
    weir_ref ref;
    void *rings;     /* mapped: RING_SPAN twice */
    int wake, other; /* this end's eventfd and the other end's */
    weir_shm_mapping *map;
    weir_ring in;   /* the receiving thread only */
    weir_spin spin; /* the receiving thread only */
    bool taken;     /* a thread receives; of a channel's end, under its lock */
    pthread_mutex_t lock;
    bool open; /* under lock, as are those below */
    weir_ring out;
    weir_buf backlog;              /* records that found the ring full */
    size_t backlog_at;             /* [0, at) went out */
    WEIR_VEC(weir_buffer *) lent;  /* by loan - 1; null: free */
    WEIR_VEC(uint64_t) free_loans; /* loans whose place is free */
} weir_shm;

/* Takes over the descriptors and the mapping of the rings. |first|: this end writes the first ring
 * (the client). Null when the other's memory cannot be mapped; everything is given back. */
weir_shm *weir_shm_create(void *rings, bool first, int wake, int other, int shared_fd,
                          size_t shared_bytes);
bool weir_shm_is_open(weir_shm *shm); /* it was not closed */
/* No more is sent; what was lent is taken back. What was borrowed stays until it is let go. */
void weir_shm_close(weir_shm *shm);

/* Sends; the text and the message's bytes are copied or lent, and stay the caller's. False: it
 * cannot be sent by shared memory (closed, or no shared memory left). */
bool weir_shm_send(weir_shm *shm, const weir_shm_frame *frame);
/* Receives the next frame. False: none, or |out_broken|. The caller fini's the frame. */
bool weir_shm_receive(weir_shm *shm, weir_shm_frame *out, bool *out_broken);
/* After the last one: sends what waits for room. False: there is more to receive. */
bool weir_shm_go_idle(weir_shm *shm, enum ring_wake how);
/* Wakes this end's thread that sleeps on the ring's word, if one does. */
void weir_shm_wake_reader(weir_shm *shm);

/* Between these, what this thread sends wakes nobody; the end does, once for each shm transport. A
 * thread that handles many small things at once has them seen together. */
void weir_shm_cork(void);
void weir_shm_uncork(void);

/* Where the payload of |message| shall begin, by its receiver; cuts the message there. */
WEIR_CHECKED weir_status weir_rpc_message_split(weir_rpc_message *message,
                                                size_t (*payload_offset)(weir_str first));
/* All of it in the head. */
void weir_rpc_message_flatten(weir_rpc_message *message);

#endif
