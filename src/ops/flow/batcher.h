/* ops/flow/batcher.h - batches calls of several steps along the first dimension.
 *
 * A call submits tensors with the same number of rows and waits. Its rows are added to the open
 * batch. When that is full or times out, it is closed, and |process| runs it on a pool thread. The
 * tensors that |process| stores in the pieces of the batch become the outputs of their calls. A
 * call whose step is cancelled ends at once; its rows stay in the batch. Thread-safe.
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
    int64_t timeout_us;  /* time-out of an open batch */
    int64_t most_queued; /* waiting batches, including the open one */
    bool split;          /* a call's rows may go into several batches */
    int in_count, out_count;
    void (*process)(weir_call_batch *batch); /* ends by calling weir_call_batch_done, maybe later */
} weir_call_batch_options;

/* Rows of one call in a batch. */
typedef struct weir_call_batch_piece {
    weir_call_batch_request *request;
    int number;          /* index among the pieces of the call */
    int64_t first, rows; /* rows of the call */
    weir_tensor *out;    /* out_count of them, set by |process| */
} weir_call_batch_piece;

struct weir_call_batch {
    weir_batcher *of;
    WEIR_VEC(weir_call_batch_piece) pieces;
    int64_t rows;
    weir_call *leader; /* kept until the batch is done: its run and node serve the batch */
    size_t leader_piece;
    /* Private. */
    weir_call_batch *next;
    int64_t number, timer;
    struct weir_call_batch_alarm *alarm;
};

extern const weir_resource_type weir_batcher_type;
weir_status weir_batcher_create(void *options, weir_resource **out);

/* Submits inputs [0, in_count) of |call|; the batcher finishes it. */
void weir_batcher_submit(weir_batcher *batcher, weir_call *call);

/* Concatenates input |in| of all pieces, padded with copies of its first row to |rows| rows. */
WEIR_CHECKED weir_status weir_call_batch_join(const weir_call_batch *batch, int in, int64_t rows,
                                              weir_tensor *out);
/* The id of a piece's call. */
int64_t weir_call_batch_guid(const weir_call_batch_piece *piece);
const weir_tensor *weir_call_batch_input(const weir_call_batch_piece *piece, int in);
/* Completes the batch. Takes |status|; on failure the pieces' outputs are ignored. */
void weir_call_batch_done(weir_call_batch *batch, weir_status status);

/* Copies rows [first, first + rows) of |tensor| into a new tensor. */
WEIR_CHECKED weir_status weir_rows_take(const weir_tensor *tensor, int64_t first, int64_t rows,
                                        weir_tensor *out);
/* Concatenates tensors; all but the first dimension must match. */
WEIR_CHECKED weir_status weir_rows_join(const weir_tensor *const *parts, size_t count,
                                        int64_t padding, weir_tensor *out);

#endif
