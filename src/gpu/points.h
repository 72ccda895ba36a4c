/* gpu/points.h - when a device passed points of its work, for steps that are traced. */
#ifndef WEIR_GPU_POINTS_H
#define WEIR_GPU_POINTS_H

#include "gpu/unit.h"

/* mark and when of memory/device.h. */
int64_t weir_gpu_mark(weir_memory *memory);
int64_t weir_gpu_when(weir_memory *memory, int64_t number);

#endif
