/* dist/known.h - values that their receiver has already, and that need not be sent again.
 *
 * A producer names the content of a large value by a tag: the version of its buffer
 * (memory/buffer.h) and what part of it is sent, as what. A receiver that got the same tag twice
 * under one key keeps the value, and says in its next requests what it has: if that is what the
 * producer would send, it answers with the tag alone. All that is remembered is remembered by
 * receivers, within limits; a producer that restarted has other versions. Thread-safe.
 */
#ifndef WEIR_DIST_KNOWN_H
#define WEIR_DIST_KNOWN_H

#include "base/str.h"
#include "tensor/tensor.h"

/* Appends the tag of |tensor|, sent as |wire_type|. False: it has none, being small, or memory that
 * others may change. The caller holds the tensor until it is sent. */
bool weir_known_tag(const weir_tensor *tensor, weir_dtype wire_type, weir_buf *out_tag);

typedef struct weir_known weir_known;

weir_known *weir_known_create(void);
void weir_known_destroy(weir_known *known); /* takes null */
/* The value that is kept under |key|, shared, and its tag; both stay empty when there is none. */
void weir_known_find(weir_known *known, weir_str key, weir_buf *out_tag, weir_tensor *out_tensor);
/* A value came under |key|; no tag: one that cannot be kept. */
void weir_known_note(weir_known *known, weir_str key, weir_str tag, const weir_tensor *tensor);
void weir_known_forget(weir_known *known);  /* everything */
size_t weir_known_bytes(weir_known *known); /* of the values that are kept */

#endif
