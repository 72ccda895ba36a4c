/* session/devices.c - lists of devices. */
#include "session/devices.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"

enum { DEVICE_MEMORY = 268435456 }; /* bytes, as TensorFlow reports for every CPU */

weir_devices weir_devices_make(const char *task, int count, const uint64_t *incarnations)
{
    weir_devices devices = {WEIR_NEW_ARRAY(weir_device_info, count), count};
    uint64_t seed = (uint64_t)weir_now_ns();
    for (int i = 0; i < count; i++) {
        weir_buf name = {0};
        weir_buf_addf(&name, "%s/device:CPU:%d", task, i);
        devices.at[i] = (weir_device_info){
            .name = weir_buf_take(&name),
            .type = weir_strdup("CPU"),
            .memory_bytes = DEVICE_MEMORY,
            .incarnation = incarnations ? incarnations[i] : weir_hash_bytes(&i, sizeof i, seed) | 1,
        };
    }
    return devices;
}

void weir_devices_add(weir_devices *devices, const weir_device_info *device)
{
    devices->at = weir_realloc(devices->at, sizeof *devices->at * (size_t)(devices->count + 1));
    weir_device_info *copy = &devices->at[devices->count++];
    *copy = *device;
    copy->name = weir_strdup(device->name);
    copy->type = weir_strdup(device->type);
    copy->description = device->description ? weir_strdup(device->description) : NULL;
}

weir_devices weir_devices_copy(const weir_devices *devices, const char *task)
{
    weir_devices copies = {0};
    for (int i = 0; i < devices->count; i++) {
        weir_device_info device = devices->at[i];
        const char *behind = strstr(device.name, "/device:");
        WEIR_BUF(name);
        weir_buf_addf(&name, "%s%s", task, behind ? behind : device.name);
        device.name = name.at;
        weir_devices_add(&copies, &device);
    }
    return copies;
}

void weir_devices_fini(weir_devices *devices)
{
    for (int i = 0; i < devices->count; i++) {
        weir_free((char *)devices->at[i].name);
        weir_free((char *)devices->at[i].type);
        weir_free((char *)devices->at[i].description);
    }
    weir_free(devices->at);
    *devices = (weir_devices){0};
}
