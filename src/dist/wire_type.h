/* dist/wire_type.h - optional 16-bit floats on the wire between tasks.
 *
 * A task requests them in every RecvTensor, in the transport_options that TensorFlow's tasks
 * ignore. The producer, if it is Weir's, then sends a large float32 value as bfloat16 or float16,
 * and sets this in the answer: the receiver converts it to float32. Small values and those in
 * shared memory are not converted. Thread-safe.
 */
#ifndef WEIR_DIST_WIRE_TYPE_H
#define WEIR_DIST_WIRE_TYPE_H

#include "dist/wire_choice.h"
#include "tensor/tensor.h"
#include "wire/messages.h"

/* The type that this process requests: WEIR_BFLOAT16, WEIR_HALF; WEIR_FLOAT: none. */
weir_dtype weir_wire_type(void);

/* If a type is set, limits streams to small values; large ones need requests, which carry the type.
 * Before the first connection. */
void weir_wire_type_announce(void);

/* The transport_options of a request or an answer: the name of the type and, after a space, tags
 * (dist/known.h). */
typedef struct weir_wire_options {
    weir_dtype type; /* WEIR_FLOAT: not converted */
    bool tags;       /* the receiver, or the producer, supports tags */
    bool same;       /* of an answer: the value is unchanged, and omitted */
    weir_str tag;    /* of a request: the cached value's; of an answer: the value's; or empty */
} weir_wire_options;
/* The value is written into |room|, which must be empty. */
weir_msg_any weir_wire_options_put(const weir_wire_options *options, weir_buf *room);
/* Takes null; ignores unknown options. */
weir_wire_options weir_wire_options_get(const weir_msg_any *from);

/* True for a value that is sent as |type|. */
bool weir_wire_type_suits(weir_dtype type, const weir_tensor *tensor);
/* Converts a float32 value to |type|, and back. */
WEIR_CHECKED weir_status weir_wire_type_narrow(weir_dtype type, const weir_tensor *tensor,
                                               weir_tensor *out);
WEIR_CHECKED weir_status weir_wire_type_widen(const weir_tensor *tensor, weir_tensor *out);

#endif
