/* net/payloads_impl.h - payloads that arrive by another transport than the head of their answer.
 *
 * The receiver allocates an unguessable id and sends it to the server; the payload arrives under
 * that id. Each is delivered once. Thread-safe; nothing is called under the lock.
 */
#ifndef WEIR_NET_PAYLOADS_IMPL_H
#define WEIR_NET_PAYLOADS_IMPL_H

#include "memory/buffer.h"

/* Takes over the status and the buffer (null unless the status is OK). On the delivering thread;
 * must not block. */
typedef void weir_payload_done(void *arg, uint64_t id, weir_status status, weir_buffer *payload,
                               size_t bytes);

uint64_t weir_payload_expect(weir_payload_done *done, void *arg);
bool weir_payload_forget(uint64_t id); /* true: done will not be called */

/* For the transport: true for the first claim to an expected payload. */
bool weir_payload_claim(uint64_t id);
/* Delivers a claimed payload, or drops it if it is no longer expected. */
void weir_payload_deliver(uint64_t id, weir_status status, weir_buffer *payload, size_t bytes);
/* Number of payloads delivered so far. */
uint64_t weir_payload_count(void);

#endif
