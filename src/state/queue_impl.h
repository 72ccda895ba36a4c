/* state/queue_impl.h - a queue's contents and pending operations. */
#ifndef WEIR_STATE_QUEUE_IMPL_H
#define WEIR_STATE_QUEUE_IMPL_H

#include "base/mutex.h"
#include "state/queue.h"

/* One tuple of the queue. */
typedef struct weir_queue_item {
    int64_t priority, order; /* of WEIR_QUEUE_PRIORITY: least first, then FIFO */
    weir_tensor tuple[];
} weir_queue_item;

typedef struct weir_queue_attempt weir_queue_attempt;

typedef enum weir_attempt_kind { WEIR_ENQUEUE, WEIR_DEQUEUE, WEIR_CLOSE } weir_attempt_kind;

/* A pending operation, or one about to wait. Owned by the list it is in. */
struct weir_queue_attempt {
    weir_queue_attempt *next;
    weir_queue *queue; /* retained */
    weir_attempt_kind kind;
    bool many, fewer_ok;
    int64_t left;                      /* tuples still to move */
    weir_tensor *tuple;                /* enqueue: the input */
    int64_t row;                       /* enqueue many: next row to move */
    WEIR_VEC(weir_queue_item *) taken; /* dequeue: items moved so far */
    weir_status status;
    weir_cancel *cancel; /* retained; null when it cannot be cancelled */
    int64_t token;
    weir_queue_done done;
    void *arg;
};

typedef struct weir_attempt_list {
    weir_queue_attempt *first, **last;
} weir_attempt_list;

struct weir_queue {
    weir_resource base;
    weir_queue_kind kind;
    char *name;
    int count;
    weir_dtype *dtypes;
    weir_shape *shapes; /* null: not specified */
    int64_t capacity, min_after_dequeue;
    uint32_t (*random)(void *);
    void *random_arg;
    weir_mutex lock;
    /* Under lock: */
    bool closed;
    weir_attempt_list enqueues, dequeues;
    weir_queue_item **items; /* a ring buffer from |head|; a heap or a bag from 0 */
    size_t room, head, item_count;
    int64_t next_order;
};

/* Storage; the lock is held. Items are counted in base/room.h. */
WEIR_CHECKED weir_status weir_queue_item_create(const weir_queue *queue, weir_queue_item **out);
void weir_queue_item_destroy(const weir_queue *queue, weir_queue_item *item);
void weir_queue_push(weir_queue *queue, weir_queue_item *item);
void weir_queue_push_front(weir_queue *queue, weir_queue_item *item); /* undoes a pop */
weir_queue_item *weir_queue_pop(weir_queue *queue);                   /* must not be empty */

/* Stacks |count| items into one tuple of batches, padding for WEIR_QUEUE_PADDING. The items are not
 * changed. On error nothing is written. */
WEIR_CHECKED weir_status weir_queue_stack(const weir_queue *queue, weir_queue_item *const *items,
                                          int64_t count, weir_tensor *out_tuple);

#endif
