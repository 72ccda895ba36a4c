/* base/recycle.h - small blocks of memory that are reused instead of freed.
 *
 * Steps allocate and free the same small objects over and over: lists of ready nodes, handles,
 * small tensors. Their lifetimes are not known in advance and cross threads, so freed blocks are
 * cached by size class: some per thread, the rest per process. A steady-state step is served from
 * these caches. With the address sanitizer nothing is cached, so that it sees every free.
 * Thread-safe, and fork does not find the lock taken.
 */
#ifndef WEIR_BASE_RECYCLE_H
#define WEIR_BASE_RECYCLE_H

#include <stddef.h>

enum { WEIR_RECYCLE_MOST = 256 << 10 }; /* larger blocks have no class */

/* The class for blocks of |bytes|, or -1; and the bytes of a block of a class. */
int weir_recycle_class(size_t bytes);
size_t weir_recycle_bytes(int c);
/* The largest class that a block of |bytes| can serve, or -1 if it is larger than all classes. */
int weir_recycle_serves(size_t bytes);

/* A block of class |c|, new or reused, not cleared; null when out of memory. */
void *weir_recycle_take(int c);
void weir_recycle_give(void *block, int c);

/* Blocks allocated from the C library since the process began. */
size_t weir_recycle_misses(void);

#endif
