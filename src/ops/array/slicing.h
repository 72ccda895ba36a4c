/* ops/array/slicing.h - x[begin:end:stride, ..., new axis, index]: resolves strided slices.
 *
 * The five masks of StridedSlice and its relatives, with begin, end and strides, become one range
 * per dimension of the input and the shape of the result.
 */
#ifndef WEIR_OPS_ARRAY_SLICING_H
#define WEIR_OPS_ARRAY_SLICING_H

#include "op/op.h"
#include "ops/common/ndcopy.h"

/* The masks, in the order of the attrs that end every signature here. */
typedef struct weir_slice_masks {
    uint32_t begin, end, ellipsis, new_axis, shrink;
} weir_slice_masks;

weir_slice_masks weir_slice_masks_of(const weir_site *site, int first_attr);

typedef struct weir_slicing {
    int rank;                      /* of the input */
    int64_t begin[WEIR_MAX_RANK];  /* first selected element, per dim of the input */
    int64_t stride[WEIR_MAX_RANK]; /* never 0 */
    int64_t size[WEIR_MAX_RANK];   /* number of elements; -1 if unknown */
    bool whole;                    /* selects everything, in order */
    weir_shape shape;              /* of the result: with new axes, without indexed ones */
} weir_slicing;

/* |begin| and |end| may be null (unknown), and so may dims of |input|, which must have a known
 * rank. Errors use TensorFlow's wording. */
WEIR_CHECKED weir_status weir_slicing_make(const weir_slice_masks *masks, const weir_tensor *begin,
                                           const weir_tensor *end, const weir_tensor *strides,
                                           const weir_shape *input, weir_slicing *out);
/* begin, end and strides must be vectors of one length: checked for inputs in, in + 1, in + 2. */
WEIR_CHECKED weir_status weir_slicing_check(weir_infer *infer, int in);

/* Copies the selected part of |x| (of shape |full|) to or from the dense |part|. */
void weir_slicing_get(const weir_par *par, weir_dtype dtype, const weir_slicing *slicing,
                      const weir_shape *full, const void *x, void *part);
void weir_slicing_put(const weir_par *par, weir_dtype dtype, const weir_slicing *slicing,
                      const weir_shape *full, void *x, const void *part);

/* The attrs of every op in the family, after T and Index. */
#define WEIR_SLICE_MASK_ATTRS                                                                      \
    "; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = 0; new_axis_mask: int = 0; "   \
    "shrink_axis_mask: int = 0"
/* The same for nodes added by the gradient |g|, from the forward node. */
#define WEIR_SLICE_GRAD_ATTRS(g)                                                                   \
    WEIR_ATTRS(weir_grad_attr(g, "begin_mask"), weir_grad_attr(g, "end_mask"),                     \
               weir_grad_attr(g, "ellipsis_mask"), weir_grad_attr(g, "new_axis_mask"),             \
               weir_grad_attr(g, "shrink_axis_mask"))

#endif
