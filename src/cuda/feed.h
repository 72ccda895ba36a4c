/* cuda/feed.h - copies through pinned memory; those to the device overlap with kernels.
 *
 * Several threads copy the host's bytes into pinned memory. Small copies continue in the compute
 * stream. Large ones are copied to a staging slot on the device by a separate stream, overlapping
 * with kernels, and from there to the destination in the compute stream.
 */
#ifndef WEIR_CUDA_FEED_H
#define WEIR_CUDA_FEED_H

#include "cuda/abi.h"

typedef struct weir_cuda_feed weir_cuda_feed;

weir_cuda_feed *weir_cuda_feed_create(const weir_cuda_functions *cuda, cu_stream stream);
void weir_cuda_feed_destroy(weir_cuda_feed *feed); /* takes null; the context is current */
/* Ordered with the stream's work; returns once the host memory has been read.
 * WEIR_CUDA_FEED_IMPOSSIBLE: nothing was done, because there is no pinned memory. */
enum { WEIR_CUDA_FEED_IMPOSSIBLE = -1 };
cu_result weir_cuda_feed_copy(weir_cuda_feed *feed, cu_address to, const void *from, size_t bytes);
/* The opposite direction; returns when the host memory has been written. */
cu_result weir_cuda_feed_fetch(weir_cuda_feed *feed, void *to, cu_address from, size_t bytes);
/* Frees the device memory; copies take it again. */
void weir_cuda_feed_release(weir_cuda_feed *feed);       /* takes null */
int64_t weir_cuda_feed_held(const weir_cuda_feed *feed); /* takes null; bytes of device memory */

#endif
