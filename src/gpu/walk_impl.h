/* gpu/walk_impl.h - element moves in a unit's memory, for gpu/ only. */
#ifndef WEIR_GPU_WALK_IMPL_H
#define WEIR_GPU_WALK_IMPL_H

#include "memory/device.h"

weir_status weir_gpu_walk_run(weir_memory *memory, int unit, void *to, const void *from,
                              const weir_memory_walk *walk);
weir_status weir_gpu_walk_pieces(weir_memory *memory, const weir_memory_pieces *pieces);

#endif
