/* gpu/check.h - compares a device's kernels with the CPU's loops, in one process.
 *
 * Every kernel of a device and element type runs over small and odd sizes, and over more elements
 * than work items. Integers, bool, moves and random numbers must be bit-identical; floats within a
 * tolerance that is relative above 1 and absolute below: 1e-5 for float, 1e-11 for double, one
 * rounding for the 16-bit floats. No byte after the end of a result may change.
 */
#ifndef WEIR_GPU_CHECK_H
#define WEIR_GPU_CHECK_H

#include "gpu/driver.h"
#include "math/elem.h"

typedef struct weir_gpu_report {
    int64_t passed, failed; /* cases: a kernel with a size */
    /* Called for each failed case. */
    void (*say)(void *arg, const char *text);
    void *arg;
} weir_gpu_report;

/* Adds the cases of |elem| to |report|. Fails only on errors of the device; wrong results are
 * counted in the report. */
WEIR_CHECKED weir_status weir_gpu_check(const weir_gpu_driver *driver, weir_gpu_device *device,
                                        weir_elem elem, weir_gpu_report *report);
/* "float", "int32"; null for types without kernels. */
const char *weir_gpu_elem_name(weir_elem elem);

#endif
