/* tensor/tensor.h - shapes and tensors.
 *
 * A weir_shape may be partly known: rank -1 means nothing is known, a dimension -1 means that one
 * is not. A tensor's own shape is always fully known.
 *
 * A weir_tensor is a small value that holds one reference to its buffer. Copying the struct moves
 * that reference; weir_tensor_share adds another. A zeroed tensor is "no tensor".
 */
#ifndef WEIR_TENSOR_TENSOR_H
#define WEIR_TENSOR_TENSOR_H

#include "base/mem.h"
#include "base/str.h"
#include "memory/buffer.h"
#include "tensor/dtype.h"

enum { WEIR_MAX_RANK = 16 };

typedef struct weir_shape {
    int32_t rank; /* -1: unknown */
    int64_t dims[WEIR_MAX_RANK];
} weir_shape;

#define WEIR_UNKNOWN_SHAPE ((weir_shape){.rank = -1})
#define WEIR_SCALAR ((weir_shape){.rank = 0})

static inline weir_shape weir_shape_vector(int64_t count)
{
    return (weir_shape){1, {count}};
}
static inline weir_shape weir_shape_matrix(int64_t count, int64_t m)
{
    return (weir_shape){2, {count, m}};
}
/* Makes a shape of |rank| dims; fails when rank or the element count is too large or a dim < -1. */
WEIR_CHECKED weir_status weir_shape_make(const int64_t *dims, int64_t rank, weir_shape *out_shape);
static inline bool weir_shape_known(const weir_shape *shape) /* rank and every dim */
{
    for (int i = 0; i < shape->rank; i++)
        if (shape->dims[i] < 0)
            return false;
    return shape->rank >= 0;
}
/* *to = *from, copying only the dims in use. */
static inline void weir_shape_copy(weir_shape *to, const weir_shape *from)
{
    to->rank = from->rank;
    for (int i = 0; i < from->rank; i++)
        to->dims[i] = from->dims[i];
}
bool weir_shape_eq(const weir_shape *a, const weir_shape *b);
bool weir_shape_compatible(const weir_shape *a, const weir_shape *b); /* could be equal */
int64_t weir_shape_count(const weir_shape *shape); /* elements; -1 when not known */
/* Product of dims [from, to), INT64_MAX on overflow. All must be known. */
static inline int64_t weir_shape_product(const weir_shape *shape, int from, int to)
{
    int64_t count = 1;
    for (int i = from; i < to; i++)
        if (__builtin_mul_overflow(count, shape->dims[i], &count))
            count = INT64_MAX;
    return count;
}
void weir_shape_append(weir_shape *shape, int64_t dim); /* rank must be below WEIR_MAX_RANK */
/* "[2,?,3]", "<unknown>" for unknown rank: TensorFlow's spelling. Returns |text|. */
enum { WEIR_SHAPE_TEXT = 384 };
char *weir_shape_text(const weir_shape *shape, char text[WEIR_SHAPE_TEXT]);
/* The text, valid within the enclosing block: a compound literal provides the memory. */
#define WEIR_SHAPE_STR(s) weir_shape_text((s), (char[WEIR_SHAPE_TEXT]){0})

/* The fields that every tensor needs come first: with up to four dimensions they fill one cache
 * line, which is what the executor copies. */
typedef struct weir_tensor {
    weir_buffer *buffer; /* retained; null for "no tensor" */
    void *data;          /* first element; inside buffer */
    weir_dtype dtype;
    weir_shape shape;
} weir_tensor;

enum {
    WEIR_TENSOR_HEAD = 64, /* bytes that hold everything up to ... */
    WEIR_TENSOR_HEAD_DIMS =
        (WEIR_TENSOR_HEAD - offsetof(weir_tensor, shape.dims)) / sizeof(int64_t),
};

/* Allocates elements: strings, resources and variants are empty, others not cleared. */
WEIR_CHECKED weir_status weir_tensor_alloc(weir_dtype dtype, const weir_shape *shape,
                                           weir_tensor *out_tensor);
void weir_tensor_release(weir_tensor *tensor); /* makes it "no tensor"; takes "no tensor" */
weir_tensor weir_tensor_share(const weir_tensor *tensor);
/* A deep copy with a buffer of its own. */
WEIR_CHECKED weir_status weir_tensor_clone(const weir_tensor *tensor, weir_tensor *out_tensor);
/* Replaces it by such a copy, so that it may be changed, unless it is unique already. */
WEIR_CHECKED weir_status weir_tensor_own(weir_tensor *tensor);
/* The same bytes seen in another shape with as many elements (not checked). */
weir_tensor weir_tensor_view(const weir_tensor *tensor, const weir_shape *shape);
/* Elements [row * stride, ...) of the first dimension as a tensor of |shape|, sharing the buffer.
 */
weir_tensor weir_tensor_slice(const weir_tensor *tensor, int64_t first_element,
                              const weir_shape *shape);
/* Copies |count| elements, with string and handle semantics. Places must not overlap. */
void weir_elements_copy(weir_dtype dtype, void *dst, const void *src, int64_t count);
void weir_elements_zero(weir_dtype dtype, void *dst, int64_t count); /* 0, "", no handle */

static inline int64_t weir_tensor_count(const weir_tensor *tensor)
{
    int64_t count = 1;
    for (int i = 0; i < tensor->shape.rank; i++)
        count *= tensor->shape.dims[i];
    return count;
}
static inline size_t weir_tensor_bytes(const weir_tensor *tensor)
{
    return (size_t)weir_tensor_count(tensor) * weir_dtype_size(tensor->dtype);
}
/* Moves the reference in |from| to |to|, which must hold none; |from| becomes "no tensor". */
static inline void weir_tensor_move(weir_tensor *to, weir_tensor *from)
{
    memcpy(to, from, WEIR_TENSOR_HEAD);
    for (int i = WEIR_TENSOR_HEAD_DIMS; i < from->shape.rank; i++)
        to->shape.dims[i] = from->shape.dims[i];
    from->buffer = NULL;
}
/* Makes |to|, which must hold no reference, share |from|'s bytes. */
static inline void weir_tensor_share_into(weir_tensor *to, const weir_tensor *from)
{
    memcpy(to, from, WEIR_TENSOR_HEAD);
    for (int i = WEIR_TENSOR_HEAD_DIMS; i < from->shape.rank; i++)
        to->shape.dims[i] = from->shape.dims[i];
    weir_buffer_retain(to->buffer);
}
/* True when this tensor holds the only reference to its buffer, and so may change it in place. The
 * caller is assumed to do so. */
static inline bool weir_tensor_unique(const weir_tensor *tensor)
{
    if (!tensor->buffer || tensor->buffer->read_only || !weir_ref_unique(&tensor->buffer->ref))
        return false;
    weir_buffer_changes(tensor->buffer);
    return true;
}

/* Small tensors for tests and builders; they abort only when out of memory. */
weir_tensor weir_tensor_scalar(weir_dtype dtype, const void *value);
weir_tensor weir_tensor_from(weir_dtype dtype, const weir_shape *shape, const void *elements);
weir_tensor weir_tensor_string(weir_str value);
/* Reads an int32 or int64 tensor of any shape as int64. */
WEIR_CHECKED weir_status weir_tensor_get_ints(const weir_tensor *tensor, int64_t *out, int64_t room,
                                              int64_t *out_count);

#endif
