/* session/devices.h - lists of devices: names, memory and incarnations. */
#ifndef WEIR_SESSION_DEVICES_H
#define WEIR_SESSION_DEVICES_H

#include <stdint.h>

typedef struct weir_device_info {
    const char *name; /* "/job:localhost/replica:0/task:0/device:CPU:0" */
    const char *type; /* "CPU" */
    int64_t memory_bytes;
    uint64_t incarnation;       /* changes whenever the device restarts */
    const char *description;    /* for DeviceAttributes; null: none */
    struct weir_memory *memory; /* its own, if it is in this process; null: the host's */
} weir_device_info;

/* A list that owns its strings. */
typedef struct weir_devices {
    weir_device_info *at;
    int count;
} weir_devices;

/* |count| CPU devices of |task|. |incarnations| has as many, or is null: random ones. */
weir_devices weir_devices_make(const char *task, int count, const uint64_t *incarnations);
/* A copy, renamed for |task|. */
weir_devices weir_devices_copy(const weir_devices *devices, const char *task);
/* Appends a copy. */
void weir_devices_add(weir_devices *devices, const weir_device_info *device);
void weir_devices_fini(weir_devices *devices); /* takes a zeroed list */

#endif
