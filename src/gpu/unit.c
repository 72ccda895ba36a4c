/* gpu/unit.c - an opened device: memory cached by size class, copies. */
#include "gpu/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "gpu/points.h"
#include "gpu/record_impl.h"
#include "gpu/times.h"
#include "gpu/walk_impl.h"

enum {
    SMALLEST = 256, /* minimum block size in bytes */
    STEPS = 8,      /* size classes between powers of two */
};

/* A block of memory, in use or cached. The struct is in host memory. */
typedef struct weir_gpu_block {
    struct weir_gpu_block *next, *previous; /* doubly linked if live; free ones use only next */
    weir_gpu_unit *unit;
    void *at;
    size_t room;
    int class;
    const char *user;          /* the node that allocated it; null: unknown */
    weir_rehearsal *rehearsal; /* in which it was allocated, as |stay|; null: none */
    int stay;
    bool inside; /* a part of the recordings' memory, which counts as a whole */
} weir_gpu_block;

/* ---- memory ---- */

/* The size class of |bytes|, and its block size. */
static int class_of(size_t bytes, size_t *out_bytes)
{
    size_t step = SMALLEST / STEPS, base = SMALLEST;
    int class = 0;
    while (bytes > base * 2 && class < WEIR_GPU_CLASSES - 2 * STEPS) {
        base *= 2;
        step *= 2;
        class += STEPS;
    }
    int up = bytes <= base ? 0 : (int)((bytes - base + step - 1) / step);
    *out_bytes = base + (size_t)up * step;
    return class + up;
}

static void drop_cache(weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock)
{
    for (int i = 0; i < WEIR_GPU_CLASSES; i++)
        while (unit->free[i]) {
            weir_gpu_block *block = unit->free[i];
            unit->free[i] = block->next;
            unit->driver->free(unit->device, block->at);
            weir_free(block);
        }
    unit->cached = 0;
}

/* ---- memory of the driver ---- */

static int64_t held(const weir_gpu_unit *unit)
{
    return unit->driver->held ? unit->driver->held(unit->device) : 0;
}

/* Whether the driver has returned some of its memory. */
static bool release(const weir_gpu_unit *unit) WEIR_REQUIRES(unit->lock)
{
    int64_t before = held(unit);
    if (unit->driver->release)
        unit->driver->release(unit->device);
    return held(unit) < before;
}

/* Whether the unit may use |bytes| more. */
static bool has_room(const weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    if (unit->used + held(unit) + (int64_t)bytes <= unit->limit)
        return true;
    return release(unit) && unit->used + held(unit) + (int64_t)bytes <= unit->limit;
}

/* ---- other units of the process ---- */

static weir_mutex all_lock = WEIR_MUTEX_INIT;
static weir_gpu_unit *all WEIR_GUARDED_BY(all_lock);

/* Returns the cached memory of other units to the device, which they may share. False: they have
 * none. Call without a unit's lock. */
static bool drop_others(weir_gpu_unit *unit)
{
    bool any = false;
    weir_mutex_lock(&all_lock);
    for (weir_gpu_unit *other = all; other; other = other->next) {
        if (other == unit)
            continue;
        weir_mutex_lock(&other->lock);
        any |= other->cached > 0;
        drop_cache(other);
        any |= release(other);
        weir_mutex_unlock(&other->lock);
    }
    weir_mutex_unlock(&all_lock);
    return any;
}

/* ---- memory by user -------------------------------------------------------------------------- */

typedef struct holder {
    const char *user;
    int64_t bytes, blocks;
} holder;

static int by_user(const void *a, const void *b)
{
    uintptr_t first = (uintptr_t)((const holder *)a)->user;
    uintptr_t second = (uintptr_t)((const holder *)b)->user;
    return (first > second) - (first < second);
}

static int largest_first(const void *a, const void *b)
{
    int64_t first = ((const holder *)a)->bytes, second = ((const holder *)b)->bytes;
    return (first < second) - (first > second);
}

/* One entry per user; names are interned, so that equal ones have the same address. */
static size_t list_holders(const weir_gpu_unit *unit, holder **out_list) WEIR_REQUIRES(unit->lock)
{
    WEIR_VEC(holder) all = {0};
    size_t count = 0;
    for (const weir_gpu_block *block = unit->live; block; block = block->next)
        if (!block->inside)
            weir_vec_push(&all, ((holder){block->user, (int64_t)block->room, 1}));
    if (all.count)
        qsort(all.at, all.count, sizeof *all.at, by_user);
    for (size_t i = 0; i < all.count; i++)
        if (count && all.at[count - 1].user == all.at[i].user) {
            all.at[count - 1].bytes += all.at[i].bytes;
            all.at[count - 1].blocks++;
        } else {
            all.at[count++] = all.at[i];
        }
    if (count)
        qsort(all.at, count, sizeof *all.at, largest_first);
    *out_list = all.at;
    return count;
}

static void say_holders(const weir_gpu_unit *unit, weir_buf *out) WEIR_REQUIRES(unit->lock)
{
    enum { MOST = 10 };
    holder *list;
    size_t count = list_holders(unit, &list);
    for (size_t i = 0; i < count && i < MOST; i++)
        weir_buf_addf(out, "\n  %lld bytes in %lld tensor%s: %s", (long long)list[i].bytes,
                      (long long)list[i].blocks, list[i].blocks == 1 ? "" : "s",
                      list[i].user ? list[i].user : "(not of a node)");
    if (count > MOST)
        weir_buf_addf(out, "\n  and %zu more", count - MOST);
    weir_free(list);
}

static weir_status exhausted(const weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    WEIR_BUF(holders);
    say_holders(unit, &holders);
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "%s has no %zu bytes: %lld are in use, %lld are kept for reuse, %lld are the "
                      "libraries', the limit is %lld. The memory is held by%s",
                      unit->info.name, bytes, (long long)unit->used, (long long)unit->cached,
                      (long long)held(unit), (long long)unit->limit,
                      unit->live ? holders.at : " nobody");
}

/* ---- blocks ---- */

static const char *keep_name(weir_gpu_unit *unit, const char *name) WEIR_REQUIRES(unit->lock)
{
    if (!name)
        return NULL;
    char *kept = weir_map_get(&unit->users, weir_str_of(name));
    if (kept)
        return kept;
    kept = weir_strdup(name);
    weir_map_put(&unit->users, weir_str_of(name), kept);
    return kept;
}

static void enlist(weir_gpu_unit *unit, weir_gpu_block *block) WEIR_REQUIRES(unit->lock)
{
    block->user = keep_name(unit, weir_memory_user);
    block->previous = NULL;
    block->next = unit->live;
    if (unit->live)
        unit->live->previous = block;
    unit->live = block;
    unit->used += block->inside ? 0 : (int64_t)block->room;
    unit->peak = unit->used > unit->peak ? unit->used : unit->peak;
}

static void delist(weir_gpu_unit *unit, weir_gpu_block *block) WEIR_REQUIRES(unit->lock)
{
    *(block->previous ? &block->previous->next : &unit->live) = block->next;
    if (block->next)
        block->next->previous = block->previous;
    unit->used -= block->inside ? 0 : (int64_t)block->room;
}

/* Null: no cached block of that class. */
static weir_gpu_block *take_kept(weir_gpu_unit *unit, int class) WEIR_REQUIRES(unit->lock)
{
    weir_gpu_block *block = unit->free[class];
    if (block) {
        unit->free[class] = block->next;
        unit->cached -= (int64_t)block->room;
    }
    return block;
}

static weir_status take_new(weir_gpu_unit *unit, int class, size_t room, weir_gpu_block **out_block)
    WEIR_REQUIRES(unit->lock)
{
    void *at;
    if (unit->used + unit->cached + held(unit) + (int64_t)room > unit->limit)
        drop_cache(unit);
    weir_status status = unit->driver->alloc(unit->device, room, &at);
    if (weir_status_code(status) == WEIR_RESOURCE_EXHAUSTED) { /* shared with other processes */
        weir_status_free(status);
        drop_cache(unit);
        release(unit);
        status = unit->driver->alloc(unit->device, room, &at);
    }
    WEIR_TRY(status);
    *out_block = WEIR_NEW(weir_gpu_block);
    **out_block = (weir_gpu_block){.unit = unit, .at = at, .room = room, .class = class};
    return WEIR_OK;
}

static weir_status take(weir_gpu_unit *unit, size_t bytes, weir_gpu_block **out_block)
    WEIR_REQUIRES(unit->lock)
{
    size_t room;
    int class = class_of(bytes, &room);
    if (!has_room(unit, room))
        return exhausted(unit, bytes);
    *out_block = take_kept(unit, class);
    weir_status status = *out_block ? WEIR_OK : take_new(unit, class, room, out_block);
    if (weir_status_code(status) != WEIR_RESOURCE_EXHAUSTED)
        return status;
    weir_status_free(status);
    return exhausted(unit, bytes);
}

static void keep(weir_gpu_unit *unit, weir_gpu_block *block) WEIR_REQUIRES(unit->lock)
{
    block->next = unit->free[block->class];
    unit->free[block->class] = block;
    unit->cached += (int64_t)block->room;
}

/* A part of the recordings' memory, for a rehearsal; null: none is free. */
static weir_gpu_block *take_inside(weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    void *at = weir_gpu_region_take(&unit->recorded, bytes);
    if (!at)
        return NULL;
    weir_gpu_block *block = WEIR_NEW(weir_gpu_block);
    *block = (weir_gpu_block){.unit = unit, .at = at, .room = bytes, .inside = true};
    unit->recorded_users++;
    return block;
}

static void give_range(weir_gpu_unit *unit, weir_gpu_block *block) WEIR_REQUIRES(unit->lock)
{
    weir_gpu_region_give(&unit->recorded, block->at);
    unit->recorded_users--;
    weir_free(block);
}

static void give(void *data, size_t bytes, void *arg)
{
    weir_gpu_block *block = arg;
    weir_gpu_unit *unit = block->unit;
    weir_mutex_lock(&unit->lock);
    if (block->rehearsal)
        weir_rehearsal_give(block->rehearsal, block->stay);
    block->rehearsal = NULL;
    delist(unit, block);
    if (block->inside)
        give_range(unit, block);
    else
        keep(unit, block);
    weir_mutex_unlock(&unit->lock);
}

static weir_status take_enlisted(weir_gpu_unit *unit, size_t bytes, weir_gpu_block **out_block)
{
    weir_mutex_lock(&unit->lock);
    weir_rehearsal *rehearsal = weir_gpu_rehearses(unit);
    *out_block = rehearsal ? take_inside(unit, bytes) : NULL;
    weir_status status = *out_block ? WEIR_OK : take(unit, bytes, out_block);
    if (!status) {
        enlist(unit, *out_block);
        (*out_block)->rehearsal = rehearsal;
        (*out_block)->stay = rehearsal ? weir_rehearsal_take(rehearsal, bytes) : 0;
    }
    weir_mutex_unlock(&unit->lock);
    return status;
}

void weir_gpu_forget_rehearsal(weir_gpu_unit *unit, const weir_rehearsal *rehearsal)
{
    for (weir_gpu_block *block = unit->live; block; block = block->next)
        if (block->rehearsal == rehearsal)
            block->rehearsal = NULL;
}

/* ---- memory of recordings: it stays theirs, and counts as used ------------------------------- */

static void say_gone(weir_gpu_unit *unit, const void *at, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    weir_gpu_record(unit,
                    &(weir_gpu_command){.kind = WEIR_GPU_GONE, .gone = at, .gone_bytes = bytes});
}

static void give_recorded(void *data, size_t bytes, void *arg)
{
    weir_gpu_unit *unit = arg;
    weir_mutex_lock(&unit->lock);
    say_gone(unit, data, bytes);
    unit->recorded_users--;
    weir_gpu_region_give(&unit->recorded, data);
    weir_mutex_unlock(&unit->lock);
}

static void give_placed(void *data, size_t bytes, void *arg)
{
    struct weir_gpu_place *place = arg;
    weir_gpu_unit *unit = place->places->owner;
    char *block = place->places->block;
    weir_mutex_lock(&unit->lock);
    say_gone(unit, data, bytes);
    unit->recorded_users--;
    if (weir_gpu_places_give(place))
        weir_gpu_region_give(&unit->recorded, block);
    weir_mutex_unlock(&unit->lock);
}

/* Of exactly that size, not of a size class. */
static weir_status add_chunk(weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    weir_gpu_block *block;
    size_t room;
    int class = class_of(bytes, &room);
    if (!has_room(unit, bytes))
        return exhausted(unit, bytes);
    WEIR_TRY(take_new(unit, room > bytes ? class - 1 : class, bytes, &block));
    enlist(unit, block);
    weir_gpu_region_add(&unit->recorded, block->at, block->room, block);
    return WEIR_OK;
}

void weir_gpu_release_recorded(weir_gpu_unit *unit)
{
    weir_gpu_block *block;
    while ((block = weir_gpu_region_drop(&unit->recorded)) != NULL) {
        delist(unit, block);
        keep(unit, block);
    }
}

/* Null: out of memory. */
static void *take_range(weir_gpu_unit *unit, size_t bytes) WEIR_REQUIRES(unit->lock)
{
    void *at = weir_gpu_region_take(&unit->recorded, bytes);
    if (at)
        return at;
    weir_status status = add_chunk(unit, weir_gpu_region_wants(&unit->recorded, bytes));
    if (!status)
        at = weir_gpu_region_take(&unit->recorded, bytes);
    weir_status_free(status);
    return at;
}

weir_status weir_gpu_take_block(weir_gpu_unit *unit, size_t bytes, void **out_block)
{
    enum { MUCH = 64 << 20 };
    *out_block = weir_gpu_region_take(&unit->recorded, bytes);
    if (*out_block)
        return WEIR_OK;
    if (bytes >= MUCH) { /* a larger block instead of one beside the others: recorded again there */
        weir_gpu_lose_recordings(unit);
        drop_cache(unit);
    }
    WEIR_TRY(add_chunk(unit, bytes));
    *out_block = weir_gpu_region_take(&unit->recorded, bytes);
    return WEIR_OK;
}

/* Null: out of memory. */
static weir_buffer *take_recorded(weir_gpu_unit *unit, size_t bytes)
{
    weir_buffer *buffer = NULL;
    weir_mutex_lock(&unit->lock);
    struct weir_gpu_place *place = weir_gpu_record_place(bytes);
    void *at = place ? place->places->block + place->at : take_range(unit, bytes);
    if (at) {
        buffer = weir_buffer_wrap(at, bytes, place ? give_placed : give_recorded,
                                  place ? (void *)place : unit);
        unit->recorded_users++;
    }
    weir_mutex_unlock(&unit->lock);
    return buffer;
}

static bool lose_recordings(weir_gpu_unit *unit)
{
    weir_mutex_lock(&unit->lock);
    bool any = weir_gpu_lose_recordings(unit);
    weir_mutex_unlock(&unit->lock);
    return any;
}

static weir_status alloc_plainly(weir_gpu_unit *unit, size_t bytes, weir_buffer **out_buffer)
{
    weir_gpu_block *block;
    weir_status status = take_enlisted(unit, bytes, &block);
    for (int turn = 0; turn < 2 && weir_status_code(status) == WEIR_RESOURCE_EXHAUSTED; turn++)
        if (turn ? lose_recordings(unit) : drop_others(unit)) {
            weir_status_free(status);
            status = take_enlisted(unit, bytes, &block);
        }
    if (!status)
        *out_buffer = weir_buffer_wrap(block->at, bytes, give, block);
    return status;
}

static weir_status alloc_buffer(weir_memory *memory, size_t bytes, weir_buffer **out_buffer)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    *out_buffer = NULL;
    if (weir_gpu_records(unit) && !weir_gpu_rehearses(unit)) {
        *out_buffer = take_recorded(unit, bytes);
        if (!*out_buffer)
            weir_gpu_record_impossible(unit, "there is no memory for it");
    }
    if (!*out_buffer)
        WEIR_TRY(alloc_plainly(unit, bytes, out_buffer));
    (*out_buffer)->memory = memory;
    return WEIR_OK;
}

const void *weir_gpu_block_of(weir_gpu_unit *unit, const void *at)
{
    const void *base = NULL;
    weir_mutex_lock(&unit->lock);
    for (const weir_gpu_block *block = unit->live; block && !base; block = block->next)
        if (!block->inside && (const char *)at >= (char *)block->at &&
            (const char *)at < (char *)block->at + block->room)
            base = block->at;
    weir_mutex_unlock(&unit->lock);
    return base;
}

static weir_status copy_in(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    if (weir_gpu_records(unit))
        return weir_gpu_record_bytes(unit, to, from, bytes);
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->copy_in(unit->device, to, from, bytes);
    if (timed)
        weir_gpu_timing_end(unit, "copy in");
    weir_mutex_unlock(&unit->lock);
    return status;
}

static weir_status copy_out(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->copy_out(unit->device, to, from, bytes);
    if (timed)
        weir_gpu_timing_end(unit, "copy out");
    weir_gpu_record_impossible(unit, "a value is read");
    weir_mutex_unlock(&unit->lock);
    return status;
}

static weir_status copy_within(weir_memory *memory, void *to, const void *from, size_t bytes)
{
    weir_gpu_unit *unit = (weir_gpu_unit *)memory;
    if (!bytes)
        return WEIR_OK;
    weir_mutex_lock(&unit->lock);
    bool timed = weir_gpu_timing_begin(unit);
    weir_status status = unit->driver->copy(unit->device, to, from, bytes);
    if (timed)
        weir_gpu_timing_end(unit, "copy");
    if (!status)
        weir_gpu_record(unit,
                        &(weir_gpu_command){.kind = WEIR_GPU_COPY, .copy = {to, from, bytes}});
    weir_mutex_unlock(&unit->lock);
    return status;
}

static weir_status clear(weir_memory *memory, void *at, size_t bytes)
{
    uint8_t zero = 0;
    int64_t count = (int64_t)bytes;
    weir_gpu_arg args[] = {WEIR_GPU_AT(at), WEIR_GPU_VALUE(count), WEIR_GPU_VALUE(zero)};
    weir_gpu_which which = {.family = WEIR_GPU_MOVE, .elem = WEIR_E_u8, .kernel = "move_fill"};
    return weir_gpu_unit_launch((weir_gpu_unit *)memory, &which, count, args, 3);
}

weir_status weir_gpu_unit_wait(weir_gpu_unit *unit)
{
    weir_mutex_lock(&unit->lock);
    weir_status status = unit->driver->synchronize(unit->device);
    weir_mutex_unlock(&unit->lock);
    return status;
}

weir_status weir_gpu_unit_open(const weir_gpu_driver *driver, int index, weir_gpu_unit **out_unit)
{
    weir_gpu_unit *unit = WEIR_NEW(weir_gpu_unit);
    unit->driver = driver;
    unit->memory = (weir_memory){.alloc = alloc_buffer,
                                 .copy_in = copy_in,
                                 .copy_out = copy_out,
                                 .copy = copy_within,
                                 .walk = weir_gpu_walk_run,
                                 .walk_pieces = weir_gpu_walk_pieces,
                                 .clear = clear,
                                 .mark = weir_gpu_mark,
                                 .when = weir_gpu_when,
                                 .record_begin = weir_gpu_record_begin,
                                 .record_pause = weir_gpu_record_pause,
                                 .record_end = weir_gpu_record_end,
                                 .replay = weir_gpu_replay,
                                 .recording_state = weir_gpu_recording_state,
                                 .has_recordings = weir_gpu_has_recordings,
                                 .record_drop = weir_gpu_record_drop,
                                 .rehearsal_free = weir_rehearsal_free};
    weir_mutex_init(&unit->lock);
    weir_status status = driver->describe(index, &unit->info);
    if (!status)
        status = driver->open(index, &unit->device);
    if (status) {
        weir_mutex_fini(&unit->lock);
        weir_free(unit);
        return status;
    }
    unit->limit = unit->info.memory_bytes;
    if (driver->room)
        weir_status_free(driver->room(unit->device, &unit->limit)); /* otherwise all of it */
    weir_mutex_lock(&all_lock);
    unit->next = all;
    all = unit;
    weir_mutex_unlock(&all_lock);
    *out_unit = unit;
    return WEIR_OK;
}
