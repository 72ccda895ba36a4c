/* observe/host.h - the resource use of this process and its host, every 100 ms, for ten minutes.
 *
 * One thread reads /proc; a sample takes about 100 us. Thread-safe.
 */
#ifndef WEIR_OBSERVE_HOST_H
#define WEIR_OBSERVE_HOST_H

#include "base/str.h"

enum { WEIR_HOST_CORES = 256, WEIR_HOST_KEPT = 6000, WEIR_HOST_PERIOD_MS = 100 };

/* Counters as read; all but the memory are monotonic. */
typedef struct weir_host_sample {
    int64_t number, ns;
    double cpu_s;        /* busy, of all processors */
    double memory_bytes; /* not available to others */
    double disk_read, disk_written;
    double wire_in, wire_out; /* bytes of all interfaces but loopback */
    double loop_in;           /* bytes by loopback; in and out are equal */
    double own_cpu_s, own_memory_bytes, own_read, own_written;
    double gpus, gpu_busy, gpu_memory_bytes; /* observe/gpus.h; sampled by its driver */
    float gpu_watts, gpu_celsius;
} weir_host_sample;

void weir_host_start(void); /* later calls are no-ops, as with WEIR_OBSERVE=0 */
/* Those after number |since|, oldest first, every |every|-th; returns their number. */
size_t weir_host_list(int64_t since, int every, weir_host_sample *out, size_t room);
bool weir_host_last(weir_host_sample *out); /* false: none yet */
/* The load of each processor over about the last second, 0 to 1; returns their number. */
int weir_host_cores(float *out, int room);

#endif
