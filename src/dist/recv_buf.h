/* dist/recv_buf.h - the bytes of RecvBuf, both ways.
 *
 * An answer of ours has the elements last, in one piece, so that they are sent from where they lie;
 * TensorFlow's tasks cut them into pieces of some kilobytes.
 *
 *   28 <varint>                      when it was sent, in microseconds
 *   22 <length>                      an Any:
 *     0a <length> <type's name>
 *     12 <length>                      a RecvBufRespExtra:
 *       0a <length> <elements>           one or more
 */
#ifndef WEIR_DIST_RECV_BUF_H
#define WEIR_DIST_RECV_BUF_H

#include "net/channel.h"
#include "tensor/tensor.h"

typedef struct weir_recv_buf_request {
    int64_t step_id;
    weir_str key;
    int64_t bytes;
    weir_str src_device;
    uint64_t src_incarnation;
    int64_t request_id;
} weir_recv_buf_request;

void weir_recv_buf_request_encode(const weir_recv_buf_request *request, weir_buf *out);
/* INTERNAL "Unable to parse request". Texts are views of |bytes|. */
WEIR_CHECKED weir_status weir_recv_buf_request_parse(weir_str bytes,
                                                     weir_recv_buf_request *out_request);

/* |tensor| is shared; |out_answer| is empty before. */
WEIR_CHECKED weir_status weir_recv_buf_encode(const weir_tensor *tensor,
                                              weir_rpc_message *out_answer);
/* Where the elements begin, for weir_channel_call. */
size_t weir_recv_buf_payload(weir_str first);
/* A vector of |count| elements. INTERNAL when there are more or less. May take the answer's
 * payload.
 */
WEIR_CHECKED weir_status weir_recv_buf_parse(weir_rpc_message *answer, weir_dtype dtype,
                                             int64_t count, weir_tensor *out_tensor);

#endif
