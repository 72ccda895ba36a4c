/* math/scratch.h - per-thread working memory that is reused between loops.
 *
 * weir_scratch returns the calling thread's buffer of one use, at least |bytes| long and 64-byte
 * aligned, with undefined contents. It stays valid until the same thread calls for the same use
 * again, so a loop that runs inside another needs a use of its own. Freed when the thread ends;
 * requests are bounded by the tiles of the loops, not by the size of a tensor.
 */
#ifndef WEIR_MATH_SCRATCH_H
#define WEIR_MATH_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

typedef enum weir_scratch_use {
    WEIR_SCRATCH_GEMM_A, /* packed panels */
    WEIR_SCRATCH_GEMM_B,
    WEIR_SCRATCH_GEMM_C,    /* partial sums of a split k */
    WEIR_SCRATCH_GEMM_TILE, /* float tiles of 16-bit products */
    WEIR_SCRATCH_CONV,      /* unfolded patches */
    WEIR_SCRATCH_CONV_SUM,  /* partial gradients */
    WEIR_SCRATCH_ROW,       /* one row or window of a pool, norm or softmax */
    WEIR_SCRATCH_GRAD,      /* rows of a gradient for immediate use */
    WEIR_SCRATCH_USES
} weir_scratch_use;

void *weir_scratch(weir_scratch_use use, size_t bytes);

/* weir_scratch_tag marks the contents of the calling thread's buffer of a use with a tag other than
 * 0. weir_scratch_tagged returns the buffer if it still has that tag, and null if the thread has
 * called weir_scratch for the use since. */
void weir_scratch_tag(weir_scratch_use use, uint64_t tag);
void *weir_scratch_tagged(weir_scratch_use use, uint64_t tag);

/* Working memory as large as a tensor, 64-byte aligned, with undefined contents, until it is freed.
 * It comes from the allocator of tensors, so that a step reuses what the step before it used.
 * Aborts when out of memory, as weir_alloc does. */
void *weir_scratch_alloc(size_t bytes);
void weir_scratch_free(void *at);

#endif
