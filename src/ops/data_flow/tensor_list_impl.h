/* ops/data_flow/tensor_list_impl.h - tensor lists, the content of variants in loops.
 *
 * Lists have value semantics: an op that changes one returns a new list. If the op holds the only
 * reference, it modifies the list in place, so that appending in a loop does not copy.
 */
#ifndef WEIR_OPS_DATA_FLOW_TENSOR_LIST_IMPL_H
#define WEIR_OPS_DATA_FLOW_TENSOR_LIST_IMPL_H

#include "op/op.h"
#include "tensor/handle.h"

enum { WEIR_LIST_LIMIT = 1 << 26 }; /* elements, so that a bad size cannot exhaust memory */

typedef struct weir_tensor_list {
    weir_variant base;
    weir_dtype dtype;
    weir_shape element_shape;    /* may be partially unknown */
    int64_t max_elements;        /* -1: no limit */
    WEIR_VEC(weir_tensor) items; /* an empty tensor is an element not set yet */
    size_t held;                 /* bytes of |items| in base/room.h */
} weir_tensor_list;

weir_tensor_list *weir_list_create(weir_dtype dtype, const weir_shape *element_shape);
WEIR_CHECKED weir_status weir_list_copy(const weir_tensor_list *from, weir_tensor_list **out_list);
/* Makes room for |count| elements: RESOURCE_EXHAUSTED if there is none. */
WEIR_CHECKED weir_status weir_list_reserve(weir_tensor_list *list, size_t count);
/* Appends |tensor|, which is taken over, also on failure. */
WEIR_CHECKED weir_status weir_list_append(weir_tensor_list *list, weir_tensor tensor);
/* The list in |variant| (which may be null), or null. */
weir_tensor_list *weir_list_of(weir_variant *variant);
/* Appends or removes elements until there are |count|; new ones are unset. Fails past the limit. */
WEIR_CHECKED weir_status weir_list_resize(weir_tensor_list *list, int64_t count);
/* Element |i| shared; zeros of |shape| if it is unset. */
WEIR_CHECKED weir_status weir_list_element(const weir_tensor_list *list, int64_t i,
                                           const weir_shape *shape, weir_tensor *out);
/* Merges two partial shapes; a conflict fails with the wording for partial shapes. */
WEIR_CHECKED weir_status weir_list_merge(const weir_shape *a, const weir_shape *b, weir_shape *out);

/* Implements the type's table (tensor/handle.h), in TensorFlow's format. */
weir_status weir_list_encode(const weir_variant *variant, weir_buf *metadata,
                             weir_tensor **out_tensors, int *out_count);
weir_status weir_list_decode(weir_str metadata, const weir_tensor *tensors, int count,
                             weir_variant **out_variant);

/* The list of input |in|, read-only; its elements must be |dtype| (0: any). */
WEIR_CHECKED weir_status weir_list_input(weir_call *call, int in, weir_dtype dtype,
                                         const weir_tensor_list **out_list);
/* A modifiable list equal to input |in|'s, already set as output |out|. */
WEIR_CHECKED weir_status weir_list_change(weir_call *call, int in, int out, weir_dtype dtype,
                                          weir_tensor_list **out_list);
/* Sets output |out| to |list|, whose reference it takes. */
void weir_list_output(weir_call *call, int out, weir_tensor_list *list);
/* Reads input |in|, a shape: a vector, or a scalar -1 for unknown. */
WEIR_CHECKED weir_status weir_list_shape(weir_call *call, int in, weir_shape *out_shape);
/* Reads input |in|, an int32 scalar. */
WEIR_CHECKED weir_status weir_list_scalar(weir_call *call, int in, int64_t *out);

/* Element types of the list kernels. */
#define WEIR_LIST_TYPES                                                                            \
    "element_dtype: float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "     \
    "uint32, uint64, complex64, complex128, bool, string, variant, resource, qint8, quint8, "      \
    "qint32, qint16, quint16"

#endif
