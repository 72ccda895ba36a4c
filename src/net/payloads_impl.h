/* net/payloads_impl.h - payloads that arrive by another transport than the head of their answer.
 *
 * Whoever expects one gets an unguessable number and sends it to the server; the payload arrives
 * under that number. Each is delivered once. Thread-safe; nothing is called under the lock.
 */
#ifndef WEIR_NET_PAYLOADS_IMPL_H
#define WEIR_NET_PAYLOADS_IMPL_H

#include "memory/buffer.h"

/* Takes over the status and the buffer (null unless the status is OK). On the thread that delivers;
 * must not block. */
typedef void weir_payload_done(void *arg, uint64_t id, weir_status status, weir_buffer *payload,
                               size_t bytes);

uint64_t weir_payload_expect(weir_payload_done *done, void *arg);
bool weir_payload_forget(uint64_t id); /* true: done will not be called */

/* The receiver's: true for the first claim to a payload that is expected. */
bool weir_payload_claim(uint64_t id);
/* Delivers a claimed payload, or drops it when it is no longer expected. */
void weir_payload_deliver(uint64_t id, weir_status status, weir_buffer *payload, size_t bytes);
/* How many were delivered so far. */
uint64_t weir_payload_count(void);

#endif
