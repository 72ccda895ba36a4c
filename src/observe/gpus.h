/* observe/gpus.h - the use of the GPUs, from NVIDIA's management library (NVML) if present.
 *
 * The library is opened at run time, and only where the driver's device file exists. One thread at
 * a time.
 */
#ifndef WEIR_OBSERVE_GPUS_H
#define WEIR_OBSERVE_GPUS_H

#include "base/str.h"

enum { WEIR_GPUS_MOST = 16 }; /* further ones are ignored */

typedef struct weir_gpu_use {
    int count;           /* GPUs that answered */
    double busy;         /* fractions of time with a kernel running, summed: at most |count| */
    double memory_bytes; /* in use, of all */
    double watts;        /* of all; 0: not supported */
    double celsius;      /* of the hottest; 0: not supported */
} weir_gpu_use;

/* NVML's layouts. Every function returns 0 for success. */
typedef struct nvml_utilization {
    unsigned gpu, memory; /* percent of the driver's last sampling period */
} nvml_utilization;
typedef struct nvml_memory {
    unsigned long long total, unused, used; /* bytes */
} nvml_memory;
typedef struct nvml_device nvml_device;

typedef struct weir_nvml {
    int (*init)(void);
    int (*count)(unsigned *out);
    int (*device)(unsigned index, nvml_device **out);
    int (*device_at)(const char *bus_address, nvml_device **out);
    int (*utilization)(nvml_device *device, nvml_utilization *out);
    int (*memory)(nvml_device *device, nvml_memory *out);
    int (*temperature)(nvml_device *device, int sensor, unsigned *out_celsius);
    int (*power)(nvml_device *device, unsigned *out_milliwatts);
} weir_nvml;

/* Opens the library and finds the GPUs; returns their number. Later calls are no-ops. */
int weir_gpus_open(void);
/* The same with the caller's functions, for tests; again each time. */
int weir_gpus_open_as(const weir_nvml *functions);
/* All zero without GPUs, or before weir_gpus_open. */
weir_gpu_use weir_gpus_read(void);
/* The one at |bus_address|, "0000:06:00.0"; false if unknown. */
bool weir_gpus_read_one(const char *bus_address, weir_gpu_use *out_use);

#endif
