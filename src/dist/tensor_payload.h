/* dist/tensor_payload.h - a tensor whose elements are the payload of a message.
 *
 * Large elements are sent from the tensor's own buffer and received into the new one's. So they are
 * written last, and the parser of the first bytes determines their offset.
 */
#ifndef WEIR_DIST_TENSOR_PAYLOAD_H
#define WEIR_DIST_TENSOR_PAYLOAD_H

#include "net/channel.h"
#include "tensor/tensor.h"
#include "wire/messages.h"

/* ---- writing -------------------------------------------------------------------------------- */

/* Appends the fields of a TensorProto up to the length of its elements, which must follow. */
void weir_tensor_head_put(const weir_tensor *tensor, weir_buf *out);
/* Shares the elements as the payload. */
void weir_tensor_share_payload(const weir_tensor *tensor, weir_rpc_message *message);

/* ---- reading -------------------------------------------------------------------------------- */

/* A message that contains the payload. */
typedef struct weir_payload_level {
    int type;       /* WEIR_INDEX_x */
    uint32_t field; /* that holds the next level, or the payload itself */
    void *message;  /* receives the fields complete in the first bytes: a weir_msg_x */
} weir_payload_level;

typedef struct weir_payload_place {
    size_t at;      /* offset of the payload; 0: beyond these first bytes */
    uint64_t bytes; /* its size */
    bool ends;      /* nothing follows it in any level but the first */
} weir_payload_place;

/* Parses the first bytes level by level, each truncated inside the level's field. */
WEIR_CHECKED weir_status weir_payload_find(const weir_payload_level *levels, int count,
                                           weir_str first, weir_arena *arena,
                                           weir_payload_place *out_place);
/* The tensor of |proto|, whose elements are the first |bytes| of the payload; shared. INTERNAL if
 * that size does not match dtype and shape. */
WEIR_CHECKED weir_status weir_tensor_from_payload(const weir_msg_tensor_proto *proto,
                                                  const weir_rpc_message *message, size_t bytes,
                                                  weir_tensor *out_tensor);
/* Head and payload as contiguous bytes: a view of the head, or of |room|. */
weir_str weir_rpc_message_join(const weir_rpc_message *message, weir_buf *room);

#endif
