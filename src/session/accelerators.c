/* session/accelerators.c - finds and opens the devices of the environment and a session. */
#include "session/accelerators.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/mutex.h"
#include "base/str.h"
#include "cuda/cuda.h"
#include "gpu/unit.h"
#include "opencl/opencl.h"

/* A device from its driver's list. */
typedef struct physical {
    const weir_gpu_driver *driver;
    int index;
    bool refused; /* it could not be opened, which was logged */
} physical;

/* A device requested by a session: it becomes GPU:0 and so on. */
typedef struct wish {
    int device;      /* number of the physical one */
    int part;        /* index among its virtual devices */
    int64_t bytes;   /* of memory; 0: by the fraction */
    double fraction; /* of its memory; 0: the free memory less a reserve */
    int parts;       /* of how many equal ones */
} wish;

typedef struct opened {
    wish wish;
    weir_gpu_unit *unit;
} opened;

static weir_mutex lock = WEIR_MUTEX_INIT;
static physical found[WEIR_GPUS];
static int found_count;
static WEIR_VEC(opened) units WEIR_GUARDED_BY(lock);
static uint64_t seed; /* of incarnations: constant within this process */

/* ---- present devices ------------------------------------------------------------------------- */

static void find_devices(const weir_gpu_driver *driver, bool named)
{
    int count = 0;
    weir_status status = driver->count(&count);
    if (status && named)
        weir_log(WEIR_LOG_WARNING, "WEIR_DEVICES names %s: %s", driver->name,
                 weir_status_message(status));
    weir_status_free(status);
    for (int i = 0; i < count && found_count < WEIR_GPUS; i++)
        found[found_count++] = (physical){.driver = driver, .index = i};
}

static const weir_gpu_driver *find_driver(weir_str name)
{
    static const weir_gpu_driver *const drivers[] = {&weir_gpu_cuda, &weir_gpu_opencl};
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (weir_str_is(name, drivers[i]->name))
            return drivers[i];
    return NULL;
}

static void find_named(weir_str name)
{
    const weir_gpu_driver *driver = find_driver(name);
    if (driver)
        find_devices(driver, true);
    else if (name.length && !weir_str_is(name, "cpu"))
        weir_log(WEIR_LOG_WARNING, "WEIR_DEVICES: there is no driver '%.*s'", WEIR_STR_ARG(name));
}

/* The next item of a comma-separated list; false at its end. */
static bool next_name(const char **list, weir_str *out_name)
{
    if (!*list || !**list)
        return false;
    *out_name = (weir_str){*list, strcspn(*list, ",")};
    *list += out_name->length + ((*list)[out_name->length] == ',');
    return true;
}

static weir_status check_named(weir_str name)
{
    const weir_gpu_driver *driver = find_driver(name);
    int count = 0;
    if (weir_str_is(name, "cpu"))
        return WEIR_OK;
    if (!driver)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "there is no driver '%.*s', but cuda, opencl, and cpu for none",
                          WEIR_STR_ARG(name));
    weir_status trouble = driver->count(&count);
    weir_status status =
        !trouble && count > 0
            ? WEIR_OK
            : weir_error(WEIR_UNAVAILABLE, "%s has no device here%s%s", driver->name,
                         trouble ? ": " : "", trouble ? weir_status_message(trouble) : "");
    weir_status_free(trouble);
    return status;
}

weir_status weir_accelerators_check(const char *names)
{
    for (weir_str name; next_name(&names, &name);)
        WEIR_TRY(check_named(name));
    return WEIR_OK;
}

static void find_all(void)
{
    seed = (uint64_t)weir_now_ns();
    const char *names = weir_env_get()->devices;
    if (!names)
        find_devices(&weir_gpu_cuda, false);
    for (weir_str name; next_name(&names, &name);)
        find_named(name);
}

static void find_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_all);
}

/* ---- descriptions ---------------------------------------------------------------------------- */

static void tell_none(weir_buf *out)
{
    const char *names = weir_env_get()->devices;
    weir_status trouble = names ? WEIR_OK : weir_accelerators_check("cuda");
    weir_buf_addf(out, "none: %s%s", names ? "WEIR_DEVICES is " : weir_status_message(trouble),
                  names ? names : "");
    weir_status_free(trouble);
}

static void tell_one(const physical *device, weir_buf *out)
{
    weir_gpu_info info = {0};
    weir_status status = device->driver->describe(device->index, &info);
    const char *trouble = status ? weir_status_message(status) : info.trouble;
    weir_buf_addf(out, "%s:%d %s%s%s", device->driver->name, device->index, info.name,
                  *trouble ? ", not used: " : "", trouble);
    weir_status_free(status);
}

void weir_accelerators_tell(weir_buf *out)
{
    find_once();
    if (!found_count)
        tell_none(out);
    for (int i = 0; i < found_count; i++) {
        weir_buf_adds(out, i ? ", " : "");
        tell_one(&found[i], out);
    }
}

/* ---- devices of a session -------------------------------------------------------------------- */

static bool is_repeated(const int *list, int count, int number)
{
    for (int i = 0; i < count; i++)
        if (list[i] == number)
            return true;
    return false;
}

/* The numbers in visible_device_list, or all. */
static weir_status read_visible(const weir_gpu_choice *choice, int *out_list, int *out_count)
{
    const char *at = choice->visible;
    *out_count = 0;
    for (int i = 0; !*at && i < found_count; i++)
        out_list[(*out_count)++] = i;
    while (*at) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || (*end && *end != ','))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "Could not parse entry in 'visible_device_list': '%s'. "
                              "visible_device_list = %s",
                              at, choice->visible);
        if (number < 0 || number >= found_count)
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "'visible_device_list' listed an invalid GPU id '%ld' but visible "
                              "device count is %d",
                              number, found_count);
        if (is_repeated(out_list, *out_count, (int)number))
            return weir_error(WEIR_INVALID_ARGUMENT,
                              "visible_device_list contained a duplicate entry: %s",
                              choice->visible);
        out_list[(*out_count)++] = (int)number;
        at = end + (*end == ',');
    }
    return WEIR_OK;
}

static weir_status check_choice(const weir_gpu_choice *choice, int visible)
{
    if (choice->too_long)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "GPUOptions has a longer visible_device_list or more virtual devices "
                          "than the %d that there can be",
                          WEIR_GPUS);
    if (choice->divided && choice->fraction > 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "It's invalid to set "
                                                 "per_process_gpu_memory_fraction when "
                                                 "virtual_devices is set.");
    if (choice->divided && choice->parts_each > 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_virtual_devices_per_gpu and virtual_devices cannot both be set");
    if (choice->divided > visible)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Not enough GPUs to create virtual devices. num_gpus: %d "
                          "#virtual_devices: %d",
                          visible, choice->divided);
    if (choice->parts_each > WEIR_GPUS)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "num_virtual_devices_per_gpu is %d; %d are the most", choice->parts_each,
                          WEIR_GPUS);
    return WEIR_OK;
}

static int list_parts(const weir_gpu_choice *choice, const int *visible, wish *out)
{
    int count = 0;
    for (int i = 0; i < choice->parts; i++) {
        bool same = i && choice->part[i].device == choice->part[i - 1].device;
        out[count] = (wish){.device = visible[choice->part[i].device],
                            .part = same ? out[count - 1].part + 1 : 0,
                            .bytes = choice->part[i].bytes};
        count++;
    }
    return count;
}

static int list_wholes(const weir_gpu_choice *choice, const int *visible, int devices, wish *out)
{
    int each = choice->parts_each > 1 ? choice->parts_each : 1, count = 0;
    for (int i = 0; i < devices; i++)
        for (int part = 0; part < each && count < WEIR_GPUS; part++)
            out[count++] = (wish){.device = visible[i],
                                  .part = part,
                                  .fraction = choice->fraction > 0 ? choice->fraction : 0,
                                  .parts = each};
    return count;
}

static weir_status list_wishes(const weir_gpu_choice *choice, wish *out, int *out_count)
{
    int visible[WEIR_GPUS], devices = 0;
    *out_count = 0;
    if (choice->limited && choice->most == 0)
        return WEIR_OK;
    WEIR_TRY(read_visible(choice, visible, &devices));
    if (choice->limited && choice->most < devices)
        devices = choice->most;
    WEIR_TRY(check_choice(choice, devices));
    *out_count = choice->divided ? list_parts(choice, visible, out)
                                 : list_wholes(choice, visible, devices, out);
    return WEIR_OK;
}

/* ---- opening --------------------------------------------------------------------------------- */

static bool same_wish(const wish *a, const wish *b)
{
    return a->device == b->device && a->part == b->part && a->bytes == b->bytes &&
           a->fraction == b->fraction &&
           (a->parts > 1 ? a->parts : 1) == (b->parts > 1 ? b->parts : 1);
}

static int64_t limit_of(const wish *wish, const weir_gpu_unit *unit)
{
    if (wish->bytes)
        return wish->bytes;
    double whole =
        wish->fraction > 0 ? wish->fraction * (double)unit->info.memory_bytes : (double)unit->limit;
    return (int64_t)(whole / (wish->parts > 1 ? wish->parts : 1));
}

/* Null: it could not be opened. */
static weir_gpu_unit *open_unit(const wish *wish) WEIR_REQUIRES(lock)
{
    physical *device = &found[wish->device];
    weir_gpu_unit *unit = NULL;
    for (size_t i = 0; i < units.count; i++)
        if (same_wish(&units.at[i].wish, wish))
            return units.at[i].unit;
    if (device->refused)
        return NULL;
    weir_status status = weir_gpu_unit_open(device->driver, device->index, &unit);
    if (status) {
        weir_log(WEIR_LOG_WARNING, "%s:%d is not used: %s", device->driver->name, device->index,
                 weir_status_message(status));
        weir_status_free(status);
        device->refused = true;
        return NULL;
    }
    unit->limit = limit_of(wish, unit);
    weir_vec_push(&units, ((opened){*wish, unit}));
    return unit;
}

static void add_unit(const char *task, int index, const weir_gpu_unit *unit, weir_devices *devices)
{
    WEIR_BUF(name);
    WEIR_BUF(description);
    weir_buf_addf(&name, "%s/device:GPU:%d", task, index);
    weir_buf_addf(&description, "device: %d, name: %s, pci bus id: %s, compute capability: %s",
                  index, unit->info.name, unit->info.address, unit->info.capability);
    weir_device_info info = {.name = name.at,
                             .type = "GPU",
                             .memory_bytes = unit->limit,
                             .description = description.at,
                             .memory = (struct weir_memory *)unit,
                             .incarnation = weir_hash_bytes(&index, sizeof index, seed) | 1};
    weir_devices_add(devices, &info);
}

weir_status weir_accelerators_add(const char *task, const weir_gpu_choice *choice,
                                  weir_devices *devices)
{
    wish wishes[WEIR_GPUS];
    int count, added = 0;
    find_once();
    if (!found_count)
        return WEIR_OK;
    WEIR_TRY(list_wishes(choice, wishes, &count));
    weir_mutex_lock(&lock);
    for (int i = 0; i < count; i++) {
        const weir_gpu_unit *unit = open_unit(&wishes[i]);
        if (unit)
            add_unit(task, added++, unit, devices);
    }
    weir_mutex_unlock(&lock);
    return WEIR_OK;
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
    weir_mutex_lock(&lock);
    weir_gpu_unit *unit = index < (int)units.count ? units.at[index].unit : NULL;
    weir_mutex_unlock(&lock);
    return unit;
}

bool weir_accelerators_any(const weir_devices *devices)
{
    for (int i = 0; i < devices->count; i++)
        if (devices->at[i].memory)
            return true;
    return false;
}
