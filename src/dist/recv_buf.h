/* dist/recv_buf.h - responses of RecvBuf, written and read.
 *
 * A response of ours has the elements last and in one piece, so that they are sent from where they
 * lie; TensorFlow's tasks cut them into pieces of some kilobytes.
 *
 *   send_start_micros
 *   transport_options     an Any of type RecvBufRespExtra:
 *     tensor_content        the elements, one or more pieces
 */
#ifndef WEIR_DIST_RECV_BUF_H
#define WEIR_DIST_RECV_BUF_H

#include "net/channel.h"
#include "tensor/tensor.h"

/* |tensor| is shared; |out_answer| is empty before. */
WEIR_CHECKED weir_status weir_recv_buf_encode(const weir_tensor *tensor,
                                              weir_rpc_message *out_answer);
/* Where the elements begin, for weir_channel_call. */
size_t weir_recv_buf_payload(weir_str first);
/* A vector of |count| elements. INTERNAL when there are more or less. May take the payload. */
WEIR_CHECKED weir_status weir_recv_buf_parse(weir_rpc_message *answer, weir_dtype dtype,
                                             int64_t count, weir_tensor *out_tensor);

#endif
