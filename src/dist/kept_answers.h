/* dist/kept_answers.h - the latest answers of a session, for clients that ask again.
 *
 * A client whose connection was lost repeats its request under the same id, and gets the answer of
 * the first one instead of having it carried out again. Thread-safe.
 */
#ifndef WEIR_DIST_KEPT_ANSWERS_H
#define WEIR_DIST_KEPT_ANSWERS_H

#include "net/rpc.h"

typedef struct weir_kept_answers weir_kept_answers;

/* Keeps at most |most_bytes| of answers, and at most 256 of them; older ones are forgotten. */
weir_kept_answers *weir_kept_answers_create(size_t most_bytes);
void weir_kept_answers_destroy(weir_kept_answers *kept); /* takes null */

/* True: nobody asked for |id| yet. The caller carries it out, and then calls weir_kept_answers_end.
 * False: somebody did; |call| is answered like the first one, now or when that ends. */
bool weir_kept_answers_begin(weir_kept_answers *kept, int64_t id, weir_rpc *call);
/* Answers |call|, and those that asked for |id| meanwhile. Takes over the status and the message.
 */
void weir_kept_answers_end(weir_kept_answers *kept, int64_t id, weir_rpc *call, weir_status status,
                           weir_buf *message);

/* A cancel that is fired when |call| is cancelled or out of time, but not when its connection is
 * lost: then the step goes on, because the client may come back for its answer. Lies still from
 * begin to end; end takes one that was not begun. */
typedef struct weir_detached {
    weir_rpc *call;
    weir_cancel *cancel;
    int64_t token, timer;
} weir_detached;
weir_cancel *weir_detached_begin(weir_detached *detached, weir_rpc *call);
void weir_detached_end(weir_detached *detached);

#endif
