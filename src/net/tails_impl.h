/* net/tails_impl.h - tails of answers that come by another way than their heads.
 *
 * Who waits for one gets a number that nobody can guess and tells it to the sender; a tail comes
 * with that number. Each is taken once. Thread-safe; nothing is called under the lock.
 */
#ifndef WEIR_NET_TAILS_IMPL_H
#define WEIR_NET_TAILS_IMPL_H

#include "memory/buffer.h"

/* Takes over the status and the buffer (null unless the status is OK). On the sender's or the
 * receiving thread; must not block. */
typedef void weir_tail_done(void *arg, uint64_t id, weir_status s, weir_buffer *tail, size_t bytes);

uint64_t weir_tail_expect(weir_tail_done *done, void *arg);
bool weir_tail_forget(uint64_t id); /* true: done is not called any more */

/* The receiver's: true for the first claim to a tail that somebody waits for. */
bool weir_tail_claim(uint64_t id);
/* Hands a claimed tail over, or drops it when nobody waits any more. */
void weir_tail_deliver(uint64_t id, weir_status s, weir_buffer *tail, size_t bytes);
/* How many were delivered to who waited, so far. */
uint64_t weir_tail_count(void);

#endif
