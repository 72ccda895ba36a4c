/* ops/common/ndcopy.h - copies between two strided views of the same extents.
 *
 * Slices, concatenation, transposition, tiling, broadcasting, reversal and the space/batch/depth
 * shuffles are all one loop nest: for every index, dst[sum i*dst] = src[sum i*src]. The nest is
 * reordered, dimensions contiguous on both sides are merged, and it runs as memory copies, fills or
 * a blocked transposition, in parallel when large.
 */
#ifndef WEIR_OPS_COMMON_NDCOPY_H
#define WEIR_OPS_COMMON_NDCOPY_H

#include "base/pool.h"
#include "tensor/tensor.h"

enum { WEIR_NDCOPY_RANK = 2 * WEIR_MAX_RANK + 2 };

/* Strides are in elements, of any sign. No two indices may share a destination; sources may alias
 * (stride 0 broadcasts). */
typedef struct weir_nddim {
    int64_t count, dst, src;
} weir_nddim;

typedef struct weir_ndcopy {
    int rank;
    weir_nddim dim[WEIR_NDCOPY_RANK]; /* outermost first */
} weir_ndcopy;

static inline void weir_ndcopy_add(weir_ndcopy *copy, int64_t count, int64_t dst, int64_t src)
{
    copy->dim[copy->rank++] = (weir_nddim){count, dst, src};
}

/* |dst| and |src| point to the elements at index 0. Handles strings and handles, too. */
void weir_ndcopy_run(const weir_par *par, weir_dtype dtype, void *dst, const void *src,
                     const weir_ndcopy *what);

/* Broadcasts |src| of shape |from| to |to|. */
void weir_ndcopy_broadcast(const weir_par *par, weir_dtype dtype, const weir_shape *to, void *dst,
                           const weir_shape *from, const void *src);

/* Copies |rows| rows of |run| contiguous elements: for concat, split and pack. */
static inline void weir_rows_copy(const weir_par *par, weir_dtype dtype, void *dst,
                                  int64_t dst_stride, const void *src, int64_t src_stride,
                                  int64_t rows, int64_t run)
{
    weir_ndcopy copy = {2, {{rows, dst_stride, src_stride}, {run, 1, 1}}};
    weir_ndcopy_run(par, dtype, dst, src, &copy);
}

/* Row-major strides of a known shape. */
void weir_shape_strides(const weir_shape *shape, int64_t strides[WEIR_MAX_RANK]);

#endif
