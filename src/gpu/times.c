/* gpu/times.c - an event before and after every launch, read in batches. */
#include "gpu/times.h"

#include <stdlib.h>

#include "base/mem.h"

enum { PENDING = WEIR_GPU_TIMING_MARKS / 2 };

typedef struct timing {
    weir_map by_name; /* -> weir_gpu_time */
    weir_gpu_time *pending[PENDING];
    int pending_count;
} timing;

static void fold(weir_gpu_unit *unit, timing *timing) WEIR_REQUIRES(unit->lock)
{
    weir_status status = unit->driver->synchronize(unit->device);
    for (int i = 0; i < timing->pending_count && !status; i++) {
        float ms = 0;
        status = unit->driver->between(unit->device, 2 * i, 2 * i + 1, &ms);
        timing->pending[i]->calls++;
        timing->pending[i]->ms += (double)ms;
    }
    timing->pending_count = 0;
    weir_status_free(status);
}

bool weir_gpu_timing_begin(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock)
{
    timing *timing = unit->timing;
    if (!timing)
        return false;
    if (timing->pending_count == PENDING)
        fold(unit, timing);
    weir_status status = unit->driver->mark(unit->device, 2 * timing->pending_count);
    bool marked = !status;
    weir_status_free(status);
    return marked;
}

void weir_gpu_timing_end(weir_gpu_unit *unit, const char *name)
{
    timing *timing = unit->timing;
    weir_gpu_time *time = weir_map_get(&timing->by_name, weir_str_of(name));
    if (!time) {
        time = WEIR_NEW(weir_gpu_time);
        time->name = weir_strdup(name);
        weir_map_put(&timing->by_name, weir_str_of(name), time);
    }
    weir_status status = unit->driver->mark(unit->device, 2 * timing->pending_count + 1);
    if (!status)
        timing->pending[timing->pending_count++] = time;
    weir_status_free(status);
}

bool weir_gpu_times_begin(weir_gpu_unit *unit)
{
    if (!unit->driver->mark)
        return false;
    weir_mutex_lock(&unit->lock);
    if (!unit->timing)
        unit->timing = WEIR_NEW(timing);
    weir_mutex_unlock(&unit->lock);
    return true;
}

static int longest_first(const void *a, const void *b)
{
    const weir_gpu_time *first = a, *second = b;
    return (first->ms < second->ms) - (first->ms > second->ms);
}

static void collect(timing *timing, weir_gpu_times *out)
{
    size_t at = 0;
    weir_str key;
    void *value;
    out->at = WEIR_NEW_ARRAY(weir_gpu_time, timing->by_name.count + 1);
    while (weir_map_next(&timing->by_name, &at, &key, &value)) {
        out->at[out->count++] = *(weir_gpu_time *)value;
        weir_free(value);
    }
    qsort(out->at, (size_t)out->count, sizeof *out->at, longest_first);
    weir_map_fini(&timing->by_name);
    weir_free(timing);
}

weir_status weir_gpu_times_end(weir_gpu_unit *unit, weir_gpu_times *out_times)
{
    *out_times = (weir_gpu_times){0};
    weir_mutex_lock(&unit->lock);
    timing *timing = unit->timing;
    if (timing)
        fold(unit, timing);
    unit->timing = NULL;
    out_times->peak_bytes =
        unit->peak + (unit->driver->held ? unit->driver->held(unit->device) : 0);
    weir_mutex_unlock(&unit->lock);
    if (!timing)
        return weir_error(WEIR_FAILED_PRECONDITION, "nothing is timed on %s", unit->info.name);
    collect(timing, out_times);
    return WEIR_OK;
}

void weir_gpu_times_fini(weir_gpu_times *times)
{
    for (int i = 0; i < times->count; i++)
        weir_free((void *)times->at[i].name);
    weir_free(times->at);
}
