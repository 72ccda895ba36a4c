/* ops/data_flow/tensor_array_impl.h - an array of tensors with the lifetime of a
 * step.
 *
 * An element is written once and read once or more; elements that alias a buffer (rows of one
 * tensor) are not copied. A gradient's array accumulates the writes to each element.
 * Thread-safe.
 */
#ifndef WEIR_OPS_DATA_FLOW_TENSOR_ARRAY_IMPL_H
#define WEIR_OPS_DATA_FLOW_TENSOR_ARRAY_IMPL_H

#include "base/mutex.h"
#include "memory/device.h"
#include "op/op.h"

typedef struct weir_tensor_array weir_tensor_array;

typedef struct weir_ta_element {
    weir_tensor tensor; /* empty: not written, or cleared */
    weir_shape shape;   /* of the written tensor; in a gradient's array, of the forward element */
    bool written, read, cleared;
} weir_ta_element;

typedef struct weir_ta_grad {
    char *source; /* identifies the gradient computation */
    weir_tensor_array *array;
} weir_ta_grad;

struct weir_tensor_array {
    weir_resource base;
    char *name;
    weir_dtype dtype;
    bool dynamic_size, clear_after_read, same_shapes, is_grad;
    weir_mutex lock;
    bool closed WEIR_GUARDED_BY(lock);
    /* The shape that every element must match; may be refined. */
    weir_shape element_shape WEIR_GUARDED_BY(lock);
    WEIR_VEC(weir_ta_element) elements WEIR_GUARDED_BY(lock);
    size_t held WEIR_GUARDED_BY(lock); /* bytes of |elements| in base/room.h */
    WEIR_VEC(weir_ta_grad) grads WEIR_GUARDED_BY(lock);
    /* Number of pieces of the last split into it, or into its forward array; or -1. */
    int64_t pieces WEIR_GUARDED_BY(lock);
};

extern const weir_resource_type weir_tensor_array_type;

/* Parameters of a new array; takes ownership of |name|. */
typedef struct weir_ta_spec {
    char *name;
    weir_dtype dtype;
    weir_shape element_shape;
    int64_t size;
    bool dynamic_size, clear_after_read, same_shapes, is_grad;
} weir_ta_spec;

weir_tensor_array *weir_ta_create(const weir_ta_spec *spec);
/* Checks that there is memory for |size| elements; call it before creating or growing arrays. */
WEIR_CHECKED weir_status weir_ta_room(int64_t size);
/* The array for gradients of |ta| under |source|, created on first use. |prefix| dims are prepended
 * to every element's shape. Retained. */
WEIR_CHECKED weir_status weir_ta_grad_of(weir_tensor_array *ta, weir_str source,
                                         const weir_shape *prefix, weir_tensor_array **out_grad);

WEIR_CHECKED weir_status weir_ta_check_open(const weir_tensor_array *ta) WEIR_REQUIRES(ta->lock);
/* Takes ownership of |tensor|, also on error. */
WEIR_CHECKED weir_status weir_ta_write(weir_tensor_array *ta, int64_t index, weir_tensor tensor)
    WEIR_REQUIRES(ta->lock);
/* Into |memory|; null: the host's. */
WEIR_CHECKED weir_status weir_ta_read(weir_tensor_array *ta, int64_t index, weir_memory *memory,
                                      weir_tensor *out) WEIR_REQUIRES(ta->lock);
/* Refines element_shape by |shape|. */
WEIR_CHECKED weir_status weir_ta_narrow(weir_tensor_array *ta, const weir_shape *shape)
    WEIR_REQUIRES(ta->lock);

#endif
