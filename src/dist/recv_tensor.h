/* dist/recv_tensor.h - responses of RecvTensor, written and read.
 *
 * A response with a plain tensor is laid out so that the elements come last: they are sent from the
 * tensor's own buffer and received into the new one's.
 *
 *   is_dead            when it is
 *   send_start_micros
 *   tensor             dtype, shape (none for a scalar), then tensor_content, also when it is empty
 */
#ifndef WEIR_DIST_RECV_TENSOR_H
#define WEIR_DIST_RECV_TENSOR_H

#include "net/channel.h"
#include "tensor/tensor.h"

/* |tensor| is shared (empty when dead); |out_answer| is empty before. UNIMPLEMENTED for a variant
 * that has no serial form. */
WEIR_CHECKED weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                                 weir_rpc_message *out_answer);
/* The same; a large float32 value travels as |wire_type| (dist/wire_type.h). */
WEIR_CHECKED weir_status weir_recv_answer_encode_as(const weir_tensor *tensor, bool dead,
                                                    weir_dtype wire_type,
                                                    weir_rpc_message *out_answer);
/* For weir_channel_call.payload_offset: the elements, when there are many. */
size_t weir_recv_answer_payload(weir_str first);
/* Reads what any task may answer, in any order. The payload becomes the tensor's buffer. */
WEIR_CHECKED weir_status weir_recv_answer_parse(weir_rpc_message *answer, weir_tensor *out_tensor,
                                                bool *out_dead);

#endif
