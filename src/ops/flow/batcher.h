/* ops/flow/batcher.h - gathers calls of several steps into batches along the first dimension.
 *
 * A call hands in tensors of equally many rows and waits. Its rows go into the open batch; when
 * that is full, or has been open for long enough, it is closed, and |process| gets it on a thread
 * of the pool. What |process| leaves in the pieces of the batch becomes the outputs of their calls.
 * A call whose step is cancelled ends at once; its rows stay. Thread-safe.
 */
#ifndef WEIR_OPS_FLOW_BATCHER_H
#define WEIR_OPS_FLOW_BATCHER_H

#include "op/op.h"

typedef struct weir_call_batch weir_call_batch;
typedef struct weir_batcher weir_batcher; /* a resource */
typedef struct weir_call_batch_request weir_call_batch_request;

typedef struct weir_call_batch_options {
    int64_t threads;     /* batches processed at once */
    int64_t max_rows;    /* of a call */
    int64_t batch_rows;  /* of a batch */
    int64_t timeout_us;  /* how long a batch is open */
    int64_t most_queued; /* batches that wait, the open one too */
    bool split;          /* a call's rows may go into several batches */
    int in_count, out_count;
    void (*process)(weir_call_batch *batch); /* ends by weir_call_batch_done, maybe later */
} weir_call_batch_options;

/* Rows of one call in a batch. */
typedef struct weir_call_batch_piece {
    weir_call_batch_request *request;
    int number;          /* among the pieces of the call */
    int64_t first, rows; /* of the call's */
    weir_tensor *out;    /* out_count of them, to be set by |process| */
} weir_call_batch_piece;

struct weir_call_batch {
    weir_batcher *of;
    WEIR_VEC(weir_call_batch_piece) pieces;
    int64_t rows;
    weir_call *leader; /* stays until the batch is done: its run and its node serve the batch */
    size_t leader_piece;
    /* Private. */
    weir_call_batch *next;
    int64_t number, timer;
    struct weir_call_batch_alarm *alarm;
};

extern const weir_resource_type weir_batcher_type;
weir_status weir_batcher_create(void *options, weir_resource **out);

/* Hands in inputs [0, in_count) of |call|, which is finished in time. */
void weir_batcher_submit(weir_batcher *batcher, weir_call *call);

/* Input |in| of all pieces one after another, then its first row again until there are |rows|. */
WEIR_CHECKED weir_status weir_call_batch_join(const weir_call_batch *batch, int in, int64_t rows,
                                              weir_tensor *out);
/* The number that a piece's call is known by. */
int64_t weir_call_batch_guid(const weir_call_batch_piece *piece);
const weir_tensor *weir_call_batch_input(const weir_call_batch_piece *piece, int in);
/* The batch is gone. Takes |status|; on failure nothing of the pieces' outputs is used. */
void weir_call_batch_done(weir_call_batch *batch, weir_status status);

/* Rows [first, first + rows) of |tensor| as a tensor of its own. */
WEIR_CHECKED weir_status weir_rows_take(const weir_tensor *tensor, int64_t first, int64_t rows,
                                        weir_tensor *out);
/* Tensors one after another; all but the first dimension must be the same. */
WEIR_CHECKED weir_status weir_rows_join(const weir_tensor *const *parts, size_t count,
                                        int64_t padding, weir_tensor *out);

#endif
