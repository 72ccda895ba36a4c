/* gpu/points.c - a ring of the driver's events, some of which are related to the host's clock. */
#include "gpu/points.h"

#include "base/clock.h"
#include "base/mem.h"
#include "gpu/times.h"

enum {
    POINTS = 1 << 15,
    BASES = 64,
    FIRST = WEIR_GPU_TIMING_MARKS, /* earlier events belong to times.c */
    BASE_NS = 500 * 1000 * 1000,   /* clocks drift: maximum age of a base */
};

/* An event that the host synchronised with. */
typedef struct base {
    int64_t host_ns;
    int64_t number; /* number of earlier bases */
} base;

struct weir_gpu_points {
    int64_t next;            /* number of the next point */
    int64_t base_of[POINTS]; /* the base of each point */
    base bases[BASES];
    int64_t base_count;
};

static int mark_of_base(int64_t number)
{
    return FIRST + POINTS + (int)(number % BASES);
}

static weir_status add_base(weir_gpu_unit *unit, weir_gpu_points *points) WEIR_REQUIRES(unit->lock)
{
    int64_t number = points->base_count;
    WEIR_TRY(unit->driver->synchronize(unit->device));
    WEIR_TRY(unit->driver->mark(unit->device, mark_of_base(number)));
    WEIR_TRY(unit->driver->synchronize(unit->device));
    points->bases[number % BASES] = (base){weir_now_ns(), number};
    points->base_count++;
    return WEIR_OK;
}

static weir_status add_point(weir_gpu_unit *unit, int64_t *out_number) WEIR_REQUIRES(unit->lock)
{
    if (!unit->points)
        unit->points = WEIR_NEW(weir_gpu_points);
    weir_gpu_points *points = unit->points;
    const base *last = &points->bases[(points->base_count + BASES - 1) % BASES];
    if (!points->base_count || weir_now_ns() - last->host_ns > BASE_NS)
        WEIR_TRY(add_base(unit, points));
    int64_t number = points->next;
    WEIR_TRY(unit->driver->mark(unit->device, FIRST + (int)(number % POINTS)));
    points->base_of[number % POINTS] = points->base_count - 1;
    points->next++;
    *out_number = number;
    return WEIR_OK;
}

int64_t weir_gpu_mark(weir_memory *memory)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    int64_t number = -1;
    if (!unit->driver->mark)
        return -1;
    weir_mutex_lock(&unit->lock);
    weir_status status = add_point(unit, &number);
    weir_mutex_unlock(&unit->lock);
    weir_status_free(status); /* the step will report it as well */
    return number;
}

static int64_t host_time(weir_gpu_unit *unit, int64_t number) WEIR_REQUIRES(unit->lock)
{
    const weir_gpu_points *points = unit->points;
    if (!points || number < 0 || number >= points->next || number + POINTS < points->next)
        return 0;
    int64_t base_number = points->base_of[number % POINTS];
    const base *from = &points->bases[base_number % BASES];
    float ms = 0;
    if (from->number != base_number)
        return 0;
    weir_status status = unit->driver->synchronize(unit->device);
    if (!status)
        status = unit->driver->between(unit->device, mark_of_base(base_number),
                                       FIRST + (int)(number % POINTS), &ms);
    bool known = !status;
    weir_status_free(status);
    return known ? from->host_ns + (int64_t)((double)ms * 1e6) : 0;
}

int64_t weir_gpu_when(weir_memory *memory, int64_t number)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    weir_mutex_lock(&unit->lock);
    int64_t ns = host_time(unit, number);
    weir_mutex_unlock(&unit->lock);
    return ns;
}
