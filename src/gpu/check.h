/* gpu/check.h - kernels of a device against the loops of the processor, in one process.
 *
 * Every kernel of a device and element type runs over small and odd sizes, with more elements than
 * work items too. Integers, bool, moves and random numbers must be equal in every bit; floats
 * within a tolerance that is relative above 1 and absolute below: 1e-5 for float, 1e-11 for double,
 * one rounding for the 16-bit floats. Nothing behind the end of a result may change.
 */
#ifndef WEIR_GPU_CHECK_H
#define WEIR_GPU_CHECK_H

#include "gpu/driver.h"
#include "math/elem.h"

typedef struct weir_gpu_report {
    int64_t passed, failed; /* cases: a kernel and a size */
    /* Called for each case that failed. */
    void (*say)(void *arg, const char *text);
    void *arg;
} weir_gpu_report;

/* Adds the cases of |elem| to |report|. Fails only when the device does not do what it is told;
 * results that differ are in the report. */
WEIR_CHECKED weir_status weir_gpu_check(const weir_gpu_driver *driver, weir_gpu_device *device,
                                        weir_elem elem, weir_gpu_report *report);
/* "float", "int32"; null for types that no kernel serves. */
const char *weir_gpu_elem_name(weir_elem elem);

#endif
