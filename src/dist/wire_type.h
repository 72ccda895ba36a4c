/* dist/wire_type.h - floats that travel between tasks with 16 bits, on request.
 *
 * A task that wants so says it in every RecvTensor, in the transport_options that TensorFlow's
 * tasks ignore. The producer, if it is Weir's, then sends a large float32 value as bfloat16 or
 * float16, and says in the answer that it did: the receiver makes float32 of it again. Small values
 * and those by shared memory stay as they are. Thread-safe.
 */
#ifndef WEIR_DIST_WIRE_TYPE_H
#define WEIR_DIST_WIRE_TYPE_H

#include "dist/wire_choice.h"
#include "tensor/tensor.h"
#include "wire/messages.h"

/* What this process asks for: WEIR_BFLOAT16, WEIR_HALF, or WEIR_FLOAT for values as they are. */
weir_dtype weir_wire_type(void);

/* Has large values of streams kept for requests, which say the type, if there is one: before the
 * first connection. */
void weir_wire_type_announce(void);

/* The transport_options of a request or an answer that name |type|. */
weir_msg_any weir_wire_type_put(weir_dtype type);
/* What they name; WEIR_FLOAT: nothing, or nothing that is known. */
weir_dtype weir_wire_type_get(const weir_msg_any *options); /* takes null */

/* True for a value that travels as |type|. */
bool weir_wire_type_suits(weir_dtype type, const weir_tensor *tensor);
/* A copy of a float32 value as |type|, and back. */
WEIR_CHECKED weir_status weir_wire_type_narrow(weir_dtype type, const weir_tensor *tensor,
                                               weir_tensor *out);
WEIR_CHECKED weir_status weir_wire_type_widen(const weir_tensor *tensor, weir_tensor *out);

#endif
