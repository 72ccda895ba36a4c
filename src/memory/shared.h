/* memory/shared.h - memory that other processes of the host may read.
 *
 * Once enabled, large buffers are allocated from one in-memory file that only this process may
 * write. A peer that receives its descriptor can map all of it read-only and so read a buffer
 * without a copy. The file has no name and is freed with the last process that has it open. A child
 * made by fork without exec sees its parent's buffers change and must not allocate any.
 * Thread-safe.
 */
#ifndef WEIR_MEMORY_SHARED_H
#define WEIR_MEMORY_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEIR_SHARED_FROM = 64 << 10 }; /* smaller buffers are never in shared memory */

/* From now on large buffers are shared. False if the system cannot; then nothing changes. */
bool weir_shared_on(void);
/* A read-only descriptor for peers; this process owns it. -1 before sharing is enabled. */
int weir_shared_fd(void);
size_t weir_shared_bytes(void); /* length of the file; most of it is sparse */
/* True when [at, at + bytes) is shared; |out_offset| is its offset in the file. */
bool weir_shared_find(const void *at, size_t bytes, uint64_t *out_offset);

/* For region.c: |bytes|, whole huge pages, never returned; null: not enabled, or out of
 * memory.
 */
void *weir_shared_map(size_t bytes);

#endif
