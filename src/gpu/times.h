/* gpu/times.h - times of a device's kernels, by name. */
#ifndef WEIR_GPU_TIMES_H
#define WEIR_GPU_TIMES_H

#include "gpu/unit.h"

/* Marks of the driver from this number on are not used for timing. */
enum { WEIR_GPU_TIMING_MARKS = 2048 };

/* All launches of one name so far. */
typedef struct weir_gpu_time {
    const char *name; /* a kernel, or "cublasLt", "cuDNN forward", "copy in" */
    int64_t calls;
    double ms;
} weir_gpu_time;

typedef struct weir_gpu_times {
    weir_gpu_time *at; /* in order of decreasing time */
    int count;
    int64_t peak_bytes; /* peak of bytes in use, including the libraries' */
} weir_gpu_times;

/* Times every launch from now on, at some cost; false: the driver cannot. */
bool weir_gpu_times_begin(weir_gpu_unit *unit);
/* Waits for the device, returns the times, and stops timing. The caller frees them by
 * weir_gpu_times_fini. */
WEIR_CHECKED weir_status weir_gpu_times_end(weir_gpu_unit *unit, weir_gpu_times *out_times);
void weir_gpu_times_fini(weir_gpu_times *times);

/* Before and after a launch, under the unit's lock. |begin| returns whether to call |end|. */
bool weir_gpu_timing_begin(weir_gpu_unit *unit);
void weir_gpu_timing_end(weir_gpu_unit *unit, const char *name);

#endif
