/* dist/known.h - values that their receiver has cached, and that need not be sent again.
 *
 * A producer identifies the content of a large value by a tag: the version of its buffer
 * (memory/buffer.h), the part of it and the wire type. A receiver that gets the same tag twice
 * under one key caches the value, and sends the tag in its next requests: if the value is
 * unchanged, the producer answers with the tag alone. Only receivers keep state, within limits; a
 * restarted producer has other versions. Thread-safe.
 */
#ifndef WEIR_DIST_KNOWN_H
#define WEIR_DIST_KNOWN_H

#include "base/str.h"
#include "tensor/tensor.h"

/* Appends the tag of |tensor|, sent as |wire_type|. False: it has none, because it is small or
 * others may change its memory. The caller retains the tensor until it is sent. */
bool weir_known_tag(const weir_tensor *tensor, weir_dtype wire_type, weir_buf *out_tag);

typedef struct weir_known weir_known;

weir_known *weir_known_create(void);
void weir_known_destroy(weir_known *known); /* takes null */
/* The value cached under |key|, shared, and its tag; both stay empty if there is none. */
void weir_known_find(weir_known *known, weir_str key, weir_buf *out_tag, weir_tensor *out_tensor);
/* A value arrived under |key|; no tag: it cannot be cached. */
void weir_known_note(weir_known *known, weir_str key, weir_str tag, const weir_tensor *tensor);
void weir_known_forget(weir_known *known);  /* evicts everything */
size_t weir_known_bytes(weir_known *known); /* of the cached values */

#endif
