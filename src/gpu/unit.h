/* gpu/unit.h - an opened device: its memory, its compiled kernels, launches.
 *
 * One compute stream: work is ordered, launches are asynchronous. Freed memory can only be reused
 * by later work of the same stream, so freeing it needs no synchronisation. Thread-safe.
 */
#ifndef WEIR_GPU_UNIT_H
#define WEIR_GPU_UNIT_H

#include "base/mutex.h"
#include "base/str.h"
#include "gpu/driver.h"
#include "gpu/region.h"
#include "gpu/text.h"
#include "memory/device.h"

enum { WEIR_GPU_CLASSES = 256 };

typedef struct weir_gpu_points weir_gpu_points;

typedef struct weir_gpu_unit {
    weir_memory memory; /* must be first: a unit is a weir_memory */
    const weir_gpu_driver *driver;
    weir_gpu_device *device;
    weir_gpu_info info;
    int64_t limit; /* maximum bytes in use */
    weir_mutex lock;
    int64_t used, peak, cached;  /* bytes: in use, the peak, cached for reuse */
    struct weir_gpu_block *live; /* blocks in use */
    weir_map users;              /* names of its users, each once */
    struct weir_gpu_unit *next;  /* another unit of this process */
    int64_t launches;
    weir_map kernels;                              /* "module/kernel" -> weir_gpu_kernel */
    weir_map modules;                              /* name -> weir_gpu_module */
    struct weir_gpu_points *points;                /* of points.c; null: no events were recorded */
    void *timing;                                  /* of times.c; null: timing is off */
    struct weir_gpu_block *free[WEIR_GPU_CLASSES]; /* cached blocks by size class */
    weir_gpu_region recorded;                      /* memory of recordings */
    int recorded_users;                            /* live allocations in it */
    struct weir_recording *recordings;             /* all recordings */
} weir_gpu_unit;

/* Opens device |index| of |driver|. Units live as long as the process. */
WEIR_CHECKED weir_status weir_gpu_unit_open(const weir_gpu_driver *driver, int index,
                                            weir_gpu_unit **out_unit);

/* Identifies a kernel's source text. */
typedef struct weir_gpu_which {
    enum {
        WEIR_GPU_IN_FAMILY,
        WEIR_GPU_IN_LAYERS,
        WEIR_GPU_IN_CAST,
        WEIR_GPU_IN_RULE,
        WEIR_GPU_IN_PROGRAM,
        WEIR_GPU_IN_CHANNELS,
        WEIR_GPU_IN_CELL,
        WEIR_GPU_IN_PIECES,
        WEIR_GPU_IN_CHAIN
    } text;
    int family, op; /* of IN_FAMILY; op is also the rule, or the element type that is cast from; of
                       IN_RULE the family is 0, or 1 + the element type of the gradient */
    weir_elem elem;
    bool narrow; /* 32-bit indices: every count is below WEIR_GPU_NARROW */
    int quad;    /* of IN_CHANNELS: channels per work item, 0 or 1: one */
    const char *kernel;
    /* IN_PROGRAM (|op| inputs) and IN_CELL (|op| tensors): the family is the number of ops.
     * IN_PIECES: |op| is the number of pieces. IN_CHAIN: the family is the number of values. */
    const int64_t *program;
} weir_gpu_which;

enum { WEIR_GPU_NARROW = 1 << 30 };

/* Launches a kernel over |items| work items; compiles it on first use. */
WEIR_CHECKED weir_status weir_gpu_unit_launch(weir_gpu_unit *unit, const weir_gpu_which *which,
                                              int64_t items, const weir_gpu_arg *args, int count);
/* The product by the vendor's library, with layers.cl as the fallback; with a bias only by the
 * library, or UNIMPLEMENTED. */
WEIR_CHECKED weir_status weir_gpu_unit_product(weir_gpu_unit *unit,
                                               const weir_gpu_product *product);
/* By the vendor's library; UNIMPLEMENTED where it has no algorithm. */
WEIR_CHECKED weir_status weir_gpu_unit_convolve(weir_gpu_unit *unit,
                                                const weir_gpu_convolution *convolution);
WEIR_CHECKED weir_status weir_gpu_unit_wait(weir_gpu_unit *unit); /* until all work is done */

#endif
