/* gpu/times.h - how long the kernels of a device take, by their names. */
#ifndef WEIR_GPU_TIMES_H
#define WEIR_GPU_TIMES_H

#include "gpu/unit.h"

/* Marks of the driver from this one on are not used for these times. */
enum { WEIR_GPU_TIMING_MARKS = 2048 };

/* What has run under one name since the beginning. */
typedef struct weir_gpu_time {
    const char *name; /* a kernel, or "cublasLt", "cuDNN forward", "copy in" */
    int64_t calls;
    double ms;
} weir_gpu_time;

typedef struct weir_gpu_times {
    weir_gpu_time *at; /* the longest first */
    int count;
    int64_t peak_bytes; /* the most that was in use, with what the libraries hold */
} weir_gpu_times;

/* Times every launch from now on, which costs some; false: the driver cannot. */
bool weir_gpu_times_begin(weir_gpu_unit *unit);
/* Waits for the device and tells what was timed; times no more. Ended by weir_gpu_times_fini.
 */
WEIR_CHECKED weir_status weir_gpu_times_end(weir_gpu_unit *unit, weir_gpu_times *out_times);
void weir_gpu_times_fini(weir_gpu_times *times);

/* Around a launch, under the unit's lock. |begin| returns whether |end| is due. */
bool weir_gpu_timing_begin(weir_gpu_unit *unit);
void weir_gpu_timing_end(weir_gpu_unit *unit, const char *name);

#endif
