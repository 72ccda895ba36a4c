/* gpu/points.h - timestamps of points in a device's stream, for traced steps. */
#ifndef WEIR_GPU_POINTS_H
#define WEIR_GPU_POINTS_H

#include "gpu/unit.h"

/* Implement mark and when of memory/device.h. */
int64_t weir_gpu_mark(weir_memory *memory);
int64_t weir_gpu_when(weir_memory *memory, int64_t number);

#endif
