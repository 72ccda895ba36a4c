/* dist/kept_answers.h - a session's cache of its latest answers, for retries.
 *
 * A client that lost its connection retries its request with the same id, and receives the first
 * answer instead of having the request run again. Thread-safe.
 */
#ifndef WEIR_DIST_KEPT_ANSWERS_H
#define WEIR_DIST_KEPT_ANSWERS_H

#include "net/rpc.h"

typedef struct weir_kept_answers weir_kept_answers;

/* Caches at most 256 answers with at most |most_bytes| in total; evicts the oldest. */
weir_kept_answers *weir_kept_answers_create(size_t most_bytes);
void weir_kept_answers_destroy(weir_kept_answers *kept); /* takes null */

/* A request: clients choose the ids of each method independently. */
typedef struct weir_kept_key {
    const char *method; /* a literal; compared by its address */
    int64_t id;
} weir_kept_key;

/* True: |key| is new. The caller runs the request, and then calls weir_kept_answers_end. False: a
 * retry; |call| gets the answer of the first one, now or when that ends. */
bool weir_kept_answers_begin(weir_kept_answers *kept, weir_kept_key key, weir_rpc *call);
/* Answers |call| and the pending retries of |key|. Takes over the status and the
 * message. */
void weir_kept_answers_end(weir_kept_answers *kept, weir_kept_key key, weir_rpc *call,
                           weir_status status, weir_buf *message);

/* A cancel that is fired when |call| is cancelled or times out, but not when its connection is
 * lost: then the step continues, because the client may retry. Must not move between begin and end;
 * end takes one that was not begun. */
typedef struct weir_detached {
    weir_rpc *call;
    weir_cancel *cancel;
    int64_t token, timer;
} weir_detached;
weir_cancel *weir_detached_begin(weir_detached *detached, weir_rpc *call);
void weir_detached_end(weir_detached *detached);

#endif
