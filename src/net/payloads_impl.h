/* net/payloads_impl.h - payloads of answers that come by another way than their heads.
 *
 * Who waits for one gets a number that nobody can guess and tells it to the sender; a payload comes
 * with that number. Each is taken once. Thread-safe; nothing is called under the lock.
 */
#ifndef WEIR_NET_PAYLOADS_IMPL_H
#define WEIR_NET_PAYLOADS_IMPL_H

#include "memory/buffer.h"

/* Takes over the status and the buffer (null unless the status is OK). On the sender's or the
 * receiving thread; must not block. */
typedef void weir_payload_done(void *arg, uint64_t id, weir_status status, weir_buffer *payload,
                               size_t bytes);

uint64_t weir_payload_expect(weir_payload_done *done, void *arg);
bool weir_payload_forget(uint64_t id); /* true: done is not called any more */

/* The receiver's: true for the first claim to a payload that somebody waits for. */
bool weir_payload_claim(uint64_t id);
/* Hands a claimed payload over, or drops it when nobody waits any more. */
void weir_payload_deliver(uint64_t id, weir_status status, weir_buffer *payload, size_t bytes);
/* How many were delivered to who waited, so far. */
uint64_t weir_payload_count(void);

#endif
