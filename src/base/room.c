/* base/room.c - counts memory in use, and checks with the system before large allocations. */
#include "base/room.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/env.h"
#include "base/number.h"
#include "base/stop.h"

enum { ASK_FROM = 1 << 20 }; /* bytes; smaller blocks are not checked */

static atomic_size_t used;
static atomic_size_t limit = SIZE_MAX; /* until it is read from the environment */
static _Atomic(void (*)(void)) trims;

bool weir_room_parse(weir_str text, size_t *out_bytes)
{
    static const char units[] = "KMGT";
    const char *unit = text.length ? strchr(units, text.at[text.length - 1]) : NULL;
    int shift = unit && *unit ? 10 * (int)(unit - units + 1) : 0;
    uint64_t count;
    if (!weir_parse_u64((weir_str){text.at, text.length - (shift > 0)}, &count) ||
        count > (SIZE_MAX / 2) >> shift)
        return false;
    *out_bytes = (size_t)count << shift;
    return true;
}

void weir_room_set_limit(size_t bytes)
{
    atomic_store(&limit, bytes);
}

void weir_room_add(size_t bytes)
{
    atomic_fetch_add_explicit(&used, bytes, memory_order_relaxed);
}

static size_t limit_of_environment(void)
{
    const char *text = weir_env_get()->memory;
    size_t bytes = 0, unread = SIZE_MAX;
    if (!text || !weir_room_parse(weir_str_of(text), &bytes))
        bytes = (size_t)weir_cgroup_memory(); /* above it the kernel kills the process */
    atomic_compare_exchange_strong(&limit, &unread, bytes);
    return atomic_load(&limit);
}

size_t weir_room_limit(void)
{
    size_t bytes = atomic_load_explicit(&limit, memory_order_relaxed);
    return bytes == SIZE_MAX ? limit_of_environment() : bytes;
}

size_t weir_room_used(void)
{
    return atomic_load_explicit(&used, memory_order_relaxed);
}

bool weir_room_take(size_t bytes)
{
    size_t most = weir_room_limit();
    size_t before = atomic_fetch_add_explicit(&used, bytes, memory_order_relaxed);
    if (!most || (bytes <= most && before <= most - bytes))
        return true;
    weir_room_give(bytes);
    return false;
}

void weir_room_give(size_t bytes)
{
    atomic_fetch_sub_explicit(&used, bytes, memory_order_relaxed);
}

/* The memory of the machine, or of the control group if that is less. */
static size_t memory_there_is(void)
{
    static atomic_size_t known;
    size_t bytes = atomic_load(&known);
    if (bytes)
        return bytes;
    int64_t group = weir_cgroup_memory();
    bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    if (group > 0 && (size_t)group < bytes)
        bytes = (size_t)group;
    atomic_store(&known, bytes);
    return bytes;
}

static bool is_granted(size_t bytes)
{
    if (bytes < ASK_FROM)
        return true;
    if (bytes > memory_there_is())
        return false;
    void *volatile block = malloc(bytes);
    free(block);
    return block != NULL;
}

static weir_status over_limit(size_t bytes, const char *what)
{
    return weir_error(WEIR_RESOURCE_EXHAUSTED,
                      "OOM: %s needs %zu bytes, of a limit of %zu bytes %zu are in use", what,
                      bytes, weir_room_limit(), weir_room_used());
}

weir_status weir_room_for(size_t bytes, const char *what)
{
    size_t most = weir_room_limit(), now = weir_room_used();
    if (most && (bytes > most || now > most - bytes))
        return over_limit(bytes, what);
    if (is_granted(bytes))
        return WEIR_OK;
    weir_room_trim();
    if (is_granted(bytes))
        return WEIR_OK;
    return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM: %s needs %zu bytes, which the system refuses",
                      what, bytes);
}

weir_status weir_room_hold(size_t *held, size_t bytes, const char *what)
{
    if (bytes <= *held)
        return WEIR_OK;
    size_t more = bytes - *held;
    WEIR_TRY(more < ASK_FROM ? WEIR_OK : weir_room_for(more, what));
    if (!weir_room_take(more))
        return over_limit(more, what);
    *held = bytes;
    return WEIR_OK;
}

void weir_room_drop(size_t *held)
{
    weir_room_give(*held);
    *held = 0;
}

weir_status weir_room_grow(const weir_buf *buf, size_t more, const char *what)
{
    if (buf->room - buf->length > more || (buf->length < ASK_FROM && more < ASK_FROM))
        return WEIR_OK;
    if (more > SIZE_MAX / 4 || buf->length > SIZE_MAX / 4)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM: %s needs more bytes than a size can hold",
                          what);
    return weir_room_for(2 * (buf->length + more), what);
}

bool weir_room_grants(size_t bytes)
{
    size_t most = weir_room_limit();
    weir_stop *stop = most ? weir_stop_current() : NULL;
    if (!stop || (bytes <= most && weir_room_used() <= most - bytes))
        return true;
    atomic_store_explicit(&stop->no_room, true, memory_order_relaxed);
    return false;
}

void weir_room_on_shortage(void (*trim)(void))
{
    atomic_store(&trims, trim);
}

void weir_room_trim(void)
{
    void (*trim)(void) = atomic_load(&trims);
    if (trim)
        trim();
}
