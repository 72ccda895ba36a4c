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

/* The transport_options of a request or an answer: the name of the type and, behind a space, tags
 * (dist/known.h). */
typedef struct weir_wire_options {
    weir_dtype type; /* WEIR_FLOAT: values as they are */
    bool tags;       /* the receiver, or the producer, knows of tags */
    bool same;       /* of an answer: the value is what the request had, and is left out */
    weir_str tag;    /* of a request: what the receiver has; of an answer: the value's; or empty */
} weir_wire_options;
/* The value lies in |room|, which is empty before. */
weir_msg_any weir_wire_options_put(const weir_wire_options *options, weir_buf *room);
/* Takes null; what is not known is left out. */
weir_wire_options weir_wire_options_get(const weir_msg_any *from);

/* True for a value that travels as |type|. */
bool weir_wire_type_suits(weir_dtype type, const weir_tensor *tensor);
/* A copy of a float32 value as |type|, and back. */
WEIR_CHECKED weir_status weir_wire_type_narrow(weir_dtype type, const weir_tensor *tensor,
                                               weir_tensor *out);
WEIR_CHECKED weir_status weir_wire_type_widen(const weir_tensor *tensor, weir_tensor *out);

#endif
