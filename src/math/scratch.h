/* math/scratch.h - working memory that a thread keeps between loops.
 *
 * weir_scratch gives the calling thread's buffer of one use, at least |bytes| long and 64-byte
 * aligned, with undefined contents. It stays valid until the same thread asks for the same use
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
    WEIR_SCRATCH_GRAD,      /* rows of a gradient that is used at once */
    WEIR_SCRATCH_USES
} weir_scratch_use;

void *weir_scratch(weir_scratch_use use, size_t bytes);

/* What a thread has put into the buffer of a use can be named by a number that is not 0, and found
 * again unless the thread has asked for the use since; null when it has. */
void weir_scratch_name(weir_scratch_use use, uint64_t name);
void *weir_scratch_named(weir_scratch_use use, uint64_t name);

/* Working memory as large as a tensor, 64-byte aligned, with undefined contents, until it is
 * dropped. From where tensors come, so that a step finds what the one before it used; when there is
 * none the process ends, as by weir_alloc. */
void *weir_scratch_take(size_t bytes);
void weir_scratch_drop(void *at);

#endif
