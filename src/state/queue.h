/* state/queue.h - queues of tuples of tensors that outlive steps.
 *
 * Operations that cannot complete wait by callback, in FIFO order: enqueues and dequeues
 * separately. A wait ends when the operation can complete, when the queue closes, or when its step
 * is cancelled. Thread-safe; callbacks run on the thread that made the progress, outside the
 * queue's lock, exactly once.
 */
#ifndef WEIR_STATE_QUEUE_H
#define WEIR_STATE_QUEUE_H

#include "op/op.h"

typedef enum weir_queue_kind {
    WEIR_QUEUE_FIFO,
    WEIR_QUEUE_PADDING, /* batches are padded with zeros where dims are unknown */
    WEIR_QUEUE_RANDOM,
    WEIR_QUEUE_PRIORITY, /* the first component, an int64 scalar, is the priority: least first */
} weir_queue_kind;

typedef struct weir_queue_spec {
    weir_queue_kind kind;
    const char *name; /* for messages */
    int count;        /* components of a tuple */
    const weir_dtype *dtypes;
    const weir_shape *shapes;  /* null: not specified; may be partly unknown when padding */
    int64_t capacity;          /* negative: unlimited */
    int64_t min_after_dequeue; /* elements that must remain for shuffling */
    /* Random numbers, for WEIR_QUEUE_RANDOM; called under the queue's lock. |random_arg| is freed
     * by weir_free with the queue. */
    uint32_t (*random)(void *random_arg);
    void *random_arg;
} weir_queue_spec;

typedef struct weir_queue weir_queue; /* a weir_resource of weir_queue_type */
extern const weir_resource_type weir_queue_type;

weir_queue *weir_queue_create(const weir_queue_spec *spec); /* copies |spec| */
static inline void weir_queue_release(weir_queue *queue)
{
    weir_ref_release((weir_ref *)queue);
}

/* Fails when an existing queue differs from |spec|. |op| is the requesting op's name. */
WEIR_CHECKED weir_status weir_queue_matches(const weir_queue *queue, const weir_queue_spec *spec,
                                            const char *op);
int weir_queue_components(const weir_queue *queue);
weir_dtype weir_queue_dtype(const weir_queue *queue, int component);
int64_t weir_queue_size(weir_queue *queue);
int64_t weir_queue_capacity(const weir_queue *queue); /* negative: unlimited */
bool weir_queue_closed(weir_queue *queue);

/* Takes over |status|. |tuple| has one tensor per component, null unless a dequeue succeeded; the
 * callee takes over the tensors, not the array. */
typedef void (*weir_queue_done)(void *arg, weir_status status, weir_tensor *tuple);

/* |cancel| may be null. |tuple| is shared, not taken over; its dtypes must be the queue's. */
void weir_queue_enqueue(weir_queue *queue, const weir_tensor *tuple, weir_cancel *cancel,
                        weir_queue_done done, void *arg);
/* The rows of the components' first dimension, one after another. */
void weir_queue_enqueue_many(weir_queue *queue, const weir_tensor *tuple, weir_cancel *cancel,
                             weir_queue_done done, void *arg);
void weir_queue_dequeue(weir_queue *queue, weir_cancel *cancel, weir_queue_done done, void *arg);
/* |count| tuples stacked; with |fewer_ok|, the remaining ones when the queue closes. */
void weir_queue_dequeue_many(weir_queue *queue, int64_t count, bool fewer_ok, weir_cancel *cancel,
                             weir_queue_done done, void *arg);
/* No more enqueues: pending ones complete first or, with |cancel_pending|, are cancelled. */
void weir_queue_close(weir_queue *queue, bool cancel_pending, weir_queue_done done, void *arg);

#endif
