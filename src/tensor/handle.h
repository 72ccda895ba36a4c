/* tensor/handle.h - the objects that elements of resource and variant tensors point to.
 *
 * An element is one pointer, null or holding a reference. Copying elements retains.
 */
#ifndef WEIR_TENSOR_HANDLE_H
#define WEIR_TENSOR_HANDLE_H

#include "base/ref.h"
#include "tensor/tensor.h"

/* Names a resource in a device's resource manager; may also hold it (anonymous resources). */
typedef struct weir_handle {
    weir_ref ref;
    char *device, *container, *name, *type_name; /* owned; never null */
    uint64_t hash_code;
    int dtype_count; /* dtypes and shapes of a variable's or table's values, if known */
    weir_dtype *dtypes;
    weir_shape *shapes;
    weir_ref *object; /* retained; null when it is looked up by name */
} weir_handle;

weir_handle *weir_handle_create(const char *device, const char *container, const char *name,
                                const char *type_name);

/* A value of variant dtype: an object with a type that can copy and name itself. */
typedef struct weir_variant weir_variant;

typedef struct weir_variant_type {
    const char *name; /* "tensorflow::TensorList" */
    /* Serialises for the wire: metadata bytes and tensors. Null: not supported. */
    weir_status (*encode)(const weir_variant *variant, weir_buf *metadata,
                          weir_tensor **out_tensors, int *out_count);
    /* Deserialises untrusted input; shares |tensors|. Null: not supported. Nested variants are
     * already deserialised. */
    weir_status (*decode)(weir_str metadata, const weir_tensor *tensors, int count,
                          weir_variant **out_variant);
    /* a + b, and a zero like |v|, each a new object; null: not supported. */
    weir_status (*add)(const weir_variant *a, const weir_variant *b, weir_variant **out_sum);
    weir_status (*zero)(const weir_variant *variant, weir_variant **out_zero);
} weir_variant_type;

struct weir_variant {
    weir_ref ref; /* first: destroys the concrete object */
    const weir_variant_type *type;
};

/* A scalar resource tensor that takes over one reference to |handle|. */
weir_tensor weir_tensor_from_handle(weir_handle *handle);
/* A scalar variant tensor that takes over one reference to |variant|. */
weir_tensor weir_tensor_from_variant(weir_variant *variant);
/* The handle of a scalar (or one-element) resource tensor; null when it has none. */
weir_handle *weir_tensor_handle(const weir_tensor *tensor);
weir_variant *weir_tensor_variant(const weir_tensor *tensor);

#endif
