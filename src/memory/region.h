/* memory/region.h - large blocks, cut from few large mappings.
 *
 * Allocation is best fit, and a freed block is coalesced with its free neighbours, so memory that
 * one tensor frees serves tensors of any size: a steady-state step allocates nothing from the
 * system. There are two regions: private memory, and memory that peers may read (memory/shared.h),
 * if that is enabled.
 *
 * Free memory beyond a limit is returned to the system at once; its address range is kept.
 * Thread-safe, and fork does not find the lock taken.
 */
#ifndef WEIR_MEMORY_REGION_H
#define WEIR_MEMORY_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* At least |bytes|, 64-byte aligned, not cleared; null when out of memory. */
void *weir_region_alloc(size_t bytes, size_t *out_bytes);
void weir_region_free(void *at);
void weir_region_trim(void); /* returns all free memory to the system */

typedef struct weir_region_stats {
    size_t live_bytes, peak_bytes; /* of blocks in use: now, and their peak */
    size_t free_bytes;             /* cached for reuse */
    size_t mappings;               /* made since the process began */
} weir_region_stats;
weir_region_stats weir_region_get_stats(void);

#endif
