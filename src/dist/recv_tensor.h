/* dist/recv_tensor.h - the bytes of RecvTensor, both ways.
 *
 * An answer with a plain tensor is laid out so that the elements come last: they are sent from the
 * tensor's own buffer and received into the new one's.
 *
 *   [10 01]                          it is dead
 *   18 <varint>                      when it was sent, in microseconds
 *   0a <length>                      the TensorProto:
 *     08 <dtype>  [12 <shape>]         no shape for a scalar
 *     22 <length> <elements>           also when there are none
 */
#ifndef WEIR_DIST_RECV_TENSOR_H
#define WEIR_DIST_RECV_TENSOR_H

#include "net/channel.h"
#include "tensor/tensor.h"

typedef struct weir_recv_request {
    int64_t step_id;
    weir_str key;
    int64_t request_id;
} weir_recv_request;

void weir_recv_request_encode(const weir_recv_request *request, weir_buf *out);
/* INTERNAL "Unable to parse request". The key is a view of |bytes|. */
WEIR_CHECKED weir_status weir_recv_request_parse(weir_str bytes, weir_recv_request *out_request);

/* |tensor| is shared (empty when dead); |out_answer| is empty before. UNIMPLEMENTED for a variant
 * that has no serial form. */
WEIR_CHECKED weir_status weir_recv_answer_encode(const weir_tensor *tensor, bool dead,
                                                 weir_rpc_message *out_answer);
/* For weir_channel_call.payload_offset: the elements, when there are many. */
size_t weir_recv_answer_payload(weir_str first);
/* Reads what any task may answer, in any order. The payload becomes the tensor's buffer. */
WEIR_CHECKED weir_status weir_recv_answer_parse(weir_rpc_message *answer, weir_tensor *out_tensor,
                                                bool *out_dead);

#endif
