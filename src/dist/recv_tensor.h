/* dist/recv_tensor.h - writes and parses responses of RecvTensor.
 *
 * In a response with a plain tensor the elements come last: they are sent from the tensor's own
 * buffer and received into the new one's.
 *
 *   is_dead            when it is
 *   send_start_micros
 *   tensor             dtype, shape (none for a scalar), then tensor_content, also when it is empty
 */
#ifndef WEIR_DIST_RECV_TENSOR_H
#define WEIR_DIST_RECV_TENSOR_H

#include "net/channel.h"
#include "tensor/tensor.h"

/* |tensor| is shared (empty when dead); |out_answer| must be empty. UNIMPLEMENTED for a variant
 * that cannot be serialised. */
WEIR_CHECKED weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                                 weir_rpc_message *out_answer);
/* The same; a large float32 value is sent as |wire_type| (dist/wire_type.h). */
WEIR_CHECKED weir_status weir_recv_answer_encode_as(const weir_tensor *tensor, bool dead,
                                                    weir_dtype wire_type,
                                                    weir_rpc_message *out_answer);
/* The same for a receiver that has the value tagged |known_tag| (dist/known.h; may be empty): that
 * value is omitted, others are sent with their tag. */
WEIR_CHECKED weir_status weir_recv_answer_encode_for(const weir_tensor *tensor, bool dead,
                                                     weir_dtype wire_type, weir_str known_tag,
                                                     weir_rpc_message *out_answer);
/* For weir_channel_call.payload_offset: the elements, if there are many. */
size_t weir_recv_answer_payload(weir_str first);
/* Parses any task's answer, fields in any order. The payload becomes the tensor's buffer. */
WEIR_CHECKED weir_status weir_recv_answer_parse(weir_rpc_message *answer, weir_tensor *out_tensor,
                                                bool *out_dead);

/* The receiver's cached value, announced in its request; then the answer's tag. */
typedef struct weir_recv_known {
    weir_buf tag;
    weir_tensor kept; /* empty: nothing */
} weir_recv_known;
/* The same, if the value may have been omitted. */
WEIR_CHECKED weir_status weir_recv_answer_parse_known(weir_rpc_message *answer,
                                                      weir_recv_known *known,
                                                      weir_tensor *out_tensor, bool *out_dead);

#endif
