/* ops/data_flow/tensor_array_impl.h - an array whose elements are tensors, for the length of a
 * step.
 *
 * An element is written once and read once or more; elements that share a buffer (rows of one
 * tensor) stay that way. The array of a gradient adds up what is written to the same element.
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
    weir_shape shape;   /* of what was written; of the forward element, in a gradient's array */
    bool written, read, cleared;
} weir_ta_element;

typedef struct weir_ta_grad {
    char *source; /* which gradient computation it belongs to */
    weir_tensor_array *array;
} weir_ta_grad;

struct weir_tensor_array {
    weir_resource base;
    char *name;
    weir_dtype dtype;
    bool dynamic_size, clear_after_read, same_shapes, is_grad;
    weir_mutex lock;
    bool closed WEIR_GUARDED_BY(lock);
    /* What every element must fit; may grow more exact. */
    weir_shape element_shape WEIR_GUARDED_BY(lock);
    WEIR_VEC(weir_ta_element) elements WEIR_GUARDED_BY(lock);
    WEIR_VEC(weir_ta_grad) grads WEIR_GUARDED_BY(lock);
    /* Pieces of the last split into it, or into what it is a gradient's array of; or -1. */
    int64_t pieces WEIR_GUARDED_BY(lock);
};

extern const weir_resource_type weir_tensor_array_type;

/* What a new array should be; |name| is taken over. */
typedef struct weir_ta_spec {
    char *name;
    weir_dtype dtype;
    weir_shape element_shape;
    int64_t size;
    bool dynamic_size, clear_after_read, same_shapes, is_grad;
} weir_ta_spec;

weir_tensor_array *weir_ta_create(const weir_ta_spec *spec);
/* Whether there is memory for |size| elements; ask before arrays are made or grow. */
WEIR_CHECKED weir_status weir_ta_room(int64_t size);
/* The array for gradients of |ta| under |source|, made on first use. |prefix| dims go before every
 * element's shape. Retained. */
WEIR_CHECKED weir_status weir_ta_grad_of(weir_tensor_array *ta, weir_str source,
                                         const weir_shape *prefix, weir_tensor_array **out_grad);

WEIR_CHECKED weir_status weir_ta_check_open(const weir_tensor_array *ta) WEIR_REQUIRES(ta->lock);
/* Takes over |tensor|, also on error. */
WEIR_CHECKED weir_status weir_ta_write(weir_tensor_array *ta, int64_t index, weir_tensor tensor)
    WEIR_REQUIRES(ta->lock);
/* In |memory|, null: the host's. */
WEIR_CHECKED weir_status weir_ta_read(weir_tensor_array *ta, int64_t index, weir_memory *memory,
                                      weir_tensor *out) WEIR_REQUIRES(ta->lock);
/* Makes element_shape as exact as |shape| says too. */
WEIR_CHECKED weir_status weir_ta_narrow(weir_tensor_array *ta, const weir_shape *shape)
    WEIR_REQUIRES(ta->lock);

#endif
