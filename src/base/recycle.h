/* base/recycle.h - blocks of memory that are used again instead of going back to the C library.
 *
 * Steps make and drop the same small things over and over: lists of ready nodes, handles, small
 * tensors. Their lifetimes are not known in advance and cross threads, so blocks are kept by size:
 * some by each thread, the rest by the process. A step like the one before it finds all it needs
 * there. With the address sanitizer nothing is kept, so that it sees every free.
 * Thread-safe, and fork does not find the lock taken.
 */
#ifndef WEIR_BASE_RECYCLE_H
#define WEIR_BASE_RECYCLE_H

#include <stddef.h>

enum { WEIR_RECYCLE_MOST = 256 << 10 }; /* larger blocks have no class */

/* The class of blocks that hold |bytes|, or -1; and what a block of a class holds. */
int weir_recycle_class(size_t bytes);
size_t weir_recycle_bytes(int c);
/* The largest class that a block of |bytes| can serve, or -1 when it is larger than all. */
int weir_recycle_serves(size_t bytes);

/* A block of class |c| from malloc, new or used, not cleared; null when there is no memory. */
void *weir_recycle_take(int c);
void weir_recycle_give(void *block, int c);

/* Blocks that came from the C library since the process began. */
size_t weir_recycle_misses(void);

#endif
