/* io/slice.h - slices of tensors, as checkpoints name them.
 *
 * A slice has a start and a length per dimension; a whole dimension is start 0, length -1.
 */
#ifndef WEIR_IO_SLICE_H
#define WEIR_IO_SLICE_H

#include "tensor/proto.h"

typedef struct weir_msg_tensor_slice_proto weir_msg_tensor_slice_proto;

typedef struct weir_slice {
    int32_t rank;
    int64_t start[WEIR_MAX_RANK];
    int64_t length[WEIR_MAX_RANK]; /* -1: the whole dimension */
} weir_slice;

weir_slice weir_slice_whole(int rank);
bool weir_slice_is_whole(const weir_slice *slice); /* every dimension is written as whole */

/* The shape of |slice| within a tensor of shape |full|; INVALID_ARGUMENT when it does not fit. */
WEIR_CHECKED weir_status weir_slice_shape(const weir_slice *slice, const weir_shape *full,
                                          weir_shape *out_shape);
/* "5 2 0,3:-": the full shape, then start,length or '-' per dimension. */
WEIR_CHECKED weir_status weir_slice_parse_spec(weir_str text, weir_shape *out_full,
                                               weir_slice *out_slice, weir_shape *out_shape);

/* Converts from and to TensorSliceProto; the extents of the message are allocated in |arena|. */
WEIR_CHECKED weir_status weir_slice_from_proto(const weir_msg_tensor_slice_proto *proto,
                                               weir_slice *out_slice);
weir_msg_tensor_slice_proto weir_slice_to_proto(const weir_slice *slice, weir_arena *arena);

/* Appends the key of slice |slice| of tensor |name| in a table. */
void weir_slice_key(weir_buf *out, weir_str name, const weir_slice *slice);

/* Copies the intersection of |from| (slice |from_slice| of a tensor) and |to| (slice |to_slice|)
 * into |to|; both slices belong to a tensor of shape |full| and fit it. Returns the number of
 * elements copied. */
int64_t weir_slice_copy(const weir_shape *full, const weir_slice *from_slice,
                        const weir_tensor *from, const weir_slice *to_slice, weir_tensor *to);

#endif
