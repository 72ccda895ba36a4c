/* net/road_impl.h - the road between two Weir processes of one host: a pair of rings for calls and
 * answers, and each other's shared memory for large tails, which are lent instead of copied.
 *
 * A road belongs to a gRPC connection and ends with it. The client makes the rings; the two ends
 * then exchange descriptors over a unix-domain socket whose name the server tells by gRPC
 * (road_open.c). This file is what both ends have in common.
 *
 * Locks: |lock| guards sending and lending. It may be taken under a connection's or channel's lock;
 * nothing is called under it. One thread at a time receives.
 */
#ifndef WEIR_NET_ROAD_IMPL_H
#define WEIR_NET_ROAD_IMPL_H

#include <pthread.h>

#include "base/mem.h"
#include "net/message_impl.h"
#include "net/ring_impl.h"
#include "net/source_impl.h"
#include "net/spin_impl.h"

/* A part is a message between the two ends of a call that is still open, either way. */
enum road_kind { ROAD_CALL = 1, ROAD_ANSWER, ROAD_CANCEL, ROAD_RELEASE, ROAD_PART };
enum { ROAD_STREAMS = 1 }; /* a mark of a call: its two ends send each other parts */

/* Bytes of the sender's shared memory. */
typedef struct weir_road_ref {
    uint64_t loan; /* the sender's name for it, to be released; 0: none */
    uint64_t offset, bytes;
} weir_road_ref;

/* What a record says; path, label or error text, then the head, then a short tail follow it. */
typedef struct weir_road_record {
    weir_ring_record ring;
    uint64_t id; /* of the call; of ROAD_RELEASE: the loan */
    int64_t timeout_ms;
    int32_t code;
    uint32_t marks;
    uint32_t text_bytes, head_bytes, tail_bytes;
    uint32_t awaited;         /* somebody waits for the tail to be given back */
    weir_road_ref head, tail; /* instead of those bytes, when they are many */
} weir_road_record;

/* A record as it was received: everything is the receiver's own. */
typedef struct weir_road_parcel {
    enum road_kind kind;
    uint64_t id;
    int64_t timeout_ms;
    int32_t code;
    uint32_t marks;
    weir_buf text;
    weir_message m;
} weir_road_parcel;
void weir_road_parcel_fini(weir_road_parcel *p);

/* What the other process lends, mapped for as long as anybody looks at any of it. */
typedef struct weir_road_map {
    weir_ref ref;
    char *at;
    size_t bytes;
} weir_road_map;

typedef struct weir_road {
    weir_source source; /* for |wake|; its ready is the owner's to set */
    void *owner;
    weir_ref ref;
    void *rings;     /* mapped: RING_SPAN twice */
    int wake, other; /* this end's eventfd and the other end's */
    weir_road_map *map;
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
} weir_road;

/* Takes over the descriptors and the mapping of the rings. |first|: this end writes the first ring
 * (the client). Null when the other's memory cannot be mapped; everything is given back. */
weir_road *weir_road_create(void *rings, bool first, int wake, int other, int shared_fd,
                            size_t shared_bytes);
bool weir_road_is_open(weir_road *r); /* it was not closed */
/* No more is sent; what was lent is taken back. What was borrowed stays until it is let go. */
void weir_road_close(weir_road *r);

/* Sends; the text and the message's bytes are copied or lent, and stay the caller's. False: it
 * cannot be sent by road (closed, or no shared memory left). */
bool weir_road_send(weir_road *r, const weir_road_parcel *p);
/* Receives the next parcel. False: none, or |out_broken|. The caller fini's the parcel. */
bool weir_road_receive(weir_road *r, weir_road_parcel *out, bool *out_broken);
/* After the last one: sends what waits for room. False: there is more to receive. */
bool weir_road_rest(weir_road *r, enum ring_call how);
/* Wakes this end's thread that sleeps on the ring's word, if one does. */
void weir_road_stir(weir_road *r);

/* Between these, what this thread sends wakes nobody; the end does, once for each road. A thread
 * that handles many small things at once has them seen together. */
void weir_road_begin_burst(void);
void weir_road_end_burst(void);

/* Where the tail of |m| shall begin, by its receiver; cuts the message there. */
WEIR_CHECKED weir_status weir_message_cut(weir_message *m, size_t (*tail_begins)(weir_str first));
/* All of it in the head. */
void weir_message_flatten(weir_message *m);

#endif
