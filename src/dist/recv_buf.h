/* dist/recv_buf.h - writes and parses responses of RecvBuf.
 *
 * Weir's responses have the elements last and in one piece, so that they are sent from their
 * buffer; TensorFlow's tasks split them into pieces of some kilobytes.
 *
 *   send_start_micros
 *   transport_options     an Any of type RecvBufRespExtra:
 *     tensor_content        the elements, one or more pieces
 */
#ifndef WEIR_DIST_RECV_BUF_H
#define WEIR_DIST_RECV_BUF_H

#include "net/channel.h"
#include "tensor/tensor.h"

/* |tensor| is shared; |out_answer| must be empty. */
WEIR_CHECKED weir_status weir_recv_buf_encode(const weir_tensor *tensor,
                                              weir_rpc_message *out_answer);
/* Offset of the elements, for weir_channel_call. */
size_t weir_recv_buf_payload(weir_str first);
/* A vector of |count| elements. INTERNAL for another number. May take over the payload. */
WEIR_CHECKED weir_status weir_recv_buf_parse(weir_rpc_message *answer, weir_dtype dtype,
                                             int64_t count, weir_tensor *out_tensor);

#endif
