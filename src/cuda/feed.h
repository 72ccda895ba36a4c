/* cuda/feed.h - bytes of the host's to the device while its kernels run.
 *
 * The host's bytes are copied into pinned memory by several threads. Small ones go on in the
 * stream of kernels. Large ones go to a slot of the device by a stream of their own, beside the
 * kernels that are at work, and from there to their place in order with kernels.
 */
#ifndef WEIR_CUDA_FEED_H
#define WEIR_CUDA_FEED_H

#include "cuda/abi.h"

typedef struct weir_cuda_feed weir_cuda_feed;

weir_cuda_feed *weir_cuda_feed_create(const weir_cuda_functions *cuda, cu_stream stream);
void weir_cuda_feed_destroy(weir_cuda_feed *feed); /* takes null; the context is current */
/* In order with the stream's work; returns when the host's bytes have been read.
 * WEIR_CUDA_FEED_IMPOSSIBLE: nothing was done, because there is no pinned memory. */
enum { WEIR_CUDA_FEED_IMPOSSIBLE = -1 };
cu_result weir_cuda_feed_copy(weir_cuda_feed *feed, cu_address to, const void *from, size_t bytes);
int64_t weir_cuda_feed_held(const weir_cuda_feed *feed); /* takes null; bytes of the device's */

#endif
