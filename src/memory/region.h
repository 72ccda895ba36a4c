/* memory/region.h - large blocks, cut from few large mappings.
 *
 * A request takes the smallest free block that holds it, and a freed block joins its free
 * neighbours, so memory that one tensor leaves serves tensors of any other size: a steady step
 * finds all its memory here and allocates nothing from the system. There are two regions: private
 * memory, and memory that peers may read (memory/shared.h) once that is switched on.
 *
 * Free memory beyond a limit goes back to the system at once; its place in the region stays.
 * Thread-safe, and fork does not find the lock taken.
 */
#ifndef WEIR_MEMORY_REGION_H
#define WEIR_MEMORY_REGION_H

#include <stdbool.h>
#include <stddef.h>

/* At least |bytes|, 64-byte aligned, not cleared; null when there is no memory. */
void *weir_region_alloc(size_t bytes, size_t *out_bytes);
void weir_region_free(void *at);
void weir_region_trim(void); /* returns all free memory to the system */

typedef struct weir_region_stats {
    size_t live_bytes, peak_bytes; /* of blocks in use: now, and the most there ever were */
    size_t free_bytes;             /* kept for the next request */
    size_t mappings;               /* made since the process began */
} weir_region_stats;
weir_region_stats weir_region_get_stats(void);

#endif
