/* exec/stats_impl.h - a collector's data, for exec/ only. */
#ifndef WEIR_EXEC_STATS_IMPL_H
#define WEIR_EXEC_STATS_IMPL_H

#include "base/mutex.h"
#include "exec/stats.h"
#include "op/device.h"

typedef struct stats_output {
    weir_dtype dtype;
    weir_shape shape;
    int64_t bytes;
    const char *where; /* "cpu", or "gpu" for the memory of a device */
} stats_output;

typedef struct stats_record {
    const char *name, *op, *device;
    const char *edge; /* of a send or receive: its tensor; null: neither */
    int64_t start_ns, end_ns;
    uint32_t thread;
    int first_output, output_count;
    weir_memory *memory; /* of the device that ran it; null: none */
    int64_t marks[2];    /* of the device: before and after its work */
} stats_record;

struct weir_collector {
    weir_mutex lock;
    WEIR_VEC(stats_record) records WEIR_GUARDED_BY(lock);
    WEIR_VEC(stats_output) outputs WEIR_GUARDED_BY(lock);
    weir_arena arena;
    int64_t wall_offset_ns; /* adds to weir_now_ns to give time since the epoch */
};

#endif
