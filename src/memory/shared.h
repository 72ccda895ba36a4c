/* memory/shared.h - memory that other processes of the host may look at.
 *
 * Once switched on, large buffers come from one file in memory that this process alone may write.
 * Its descriptor, given to a peer, lets the peer map all of it for reading and so see a buffer's
 * bytes without a copy. The file has no name and goes with the last process that has it open.
 * A child made by fork without exec sees its parent's buffers change and must not allocate any.
 * Thread-safe.
 */
#ifndef WEIR_MEMORY_SHARED_H
#define WEIR_MEMORY_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEIR_SHARED_FROM = 64 << 10 }; /* smaller buffers are never in shared memory */

/* From now on large buffers are shared. False when the system cannot; then nothing changes. */
bool weir_shared_on(void);
/* A descriptor for peers, which can only read by it; the process keeps it. -1 before sharing. */
int weir_shared_fd(void);
size_t weir_shared_bytes(void); /* length of the file; most of it has no memory behind it */
/* True when [at, at + bytes) is shared; |out_offset| is its place in the file. */
bool weir_shared_find(const void *at, size_t bytes, uint64_t *out_offset);

/* For region.c: |bytes|, whole huge pages, that are never returned; null: not switched on, or no
 * memory.
 */
void *weir_shared_map(size_t bytes);

#endif
