/* session/accelerators.c - opens the devices that the environment names. */
#include "session/accelerators.h"

#include <pthread.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "cuda/cuda.h"
#include "gpu/unit.h"
#include "opencl/opencl.h"

enum { UNITS = 16 };

static weir_gpu_unit *units[UNITS];
static int unit_count;
static uint64_t seed; /* of incarnations: the same in every list of this process */

static void open_unit(const weir_gpu_driver *driver, int index)
{
    weir_gpu_unit *unit;
    if (unit_count == UNITS)
        return;
    weir_status status = weir_gpu_unit_open(driver, index, &unit);
    if (status)
        weir_log(WEIR_LOG_WARNING, "%s:%d is not used: %s", driver->name, index,
                 weir_status_message(status));
    else
        units[unit_count++] = unit;
    weir_status_free(status);
}

static void open_driver(const weir_gpu_driver *driver)
{
    int count = 0;
    weir_status status = driver->count(&count);
    if (status)
        weir_log(WEIR_LOG_WARNING, "WEIR_DEVICES names %s: %s", driver->name,
                 weir_status_message(status));
    weir_status_free(status);
    for (int i = 0; i < count; i++)
        open_unit(driver, i);
}

static void open_named(const char *name, size_t length)
{
    static const weir_gpu_driver *const drivers[] = {&weir_gpu_cuda, &weir_gpu_opencl};
    weir_str text = {name, length};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (weir_str_is(text, drivers[i]->name)) {
            open_driver(drivers[i]);
            return;
        }
    if (length && !weir_str_is(text, "cpu"))
        weir_log(WEIR_LOG_WARNING, "WEIR_DEVICES: there is no driver '%.*s'", WEIR_STR_ARG(text));
}

static void open_all(void)
{
    seed = (uint64_t)weir_now_ns();
    const char *names = weir_env_get()->devices;
    while (names && *names) {
        size_t length = strcspn(names, ",");
        open_named(names, length);
        names += length + (names[length] == ',');
    }
}

static void add_unit(const char *task, int index, const weir_gpu_unit *unit, weir_devices *devices)
{
    char name[512];
    snprintf(name, sizeof name, "%s/device:GPU:%d", task, index);
    weir_device_info info = {.name = name,
                             .type = "GPU",
                             .memory_bytes = unit->limit,
                             .incarnation = weir_hash_bytes(&index, sizeof index, seed) | 1};
    weir_devices_add(devices, &info);
    devices->at[devices->count - 1].memory = (struct weir_memory *)unit;
}

void weir_accelerators_add(const char *task, const weir_session_config *config,
                           weir_devices *devices)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_all);
    int most = config && config->limit_gpus ? config->gpu_devices : unit_count;
    for (int i = 0; i < unit_count && i < most; i++)
        add_unit(task, i, units[i], devices);
}

weir_memory *weir_accelerators_memory(const weir_devices *devices, const char *device)
{
    for (int i = 0; i < devices->count; i++)
        if (devices->at[i].memory && strcmp(devices->at[i].name, device) == 0)
            return devices->at[i].memory;
    return NULL;
}

weir_gpu_unit *weir_accelerator_at(int index)
{
    return index < unit_count ? units[index] : NULL;
}

bool weir_accelerators_any(const weir_devices *devices)
{
    for (int i = 0; i < devices->count; i++)
        if (devices->at[i].memory)
            return true;
    return false;
}
