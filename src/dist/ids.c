/* dist/ids.c - random numbers, and a set of the latest ones.
 *
 * The set is a ring buffer, in order of age, and an open-addressing table of the same numbers. Both
 * have a fixed size.
 */
#include "dist/ids.h"

#include "base/mutex.h"
#include <stdatomic.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/mem.h"

static atomic_ullong sequence;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void seed(void)
{
    uint64_t start;
    if (getrandom(&start, sizeof start, 0) != sizeof start)
        start = (uint64_t)weir_wall_us();
    atomic_store(&sequence, start);
}

/* A step of SplitMix64: the sequence has no repetitions. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint64_t weir_new_id(void)
{
    pthread_once(&once, seed);
    uint64_t id;
    do
        id = mix(atomic_fetch_add_explicit(&sequence, 0x9e3779b97f4a7c15u, memory_order_relaxed));
    while (!id);
    return id;
}

uint64_t weir_secret_id(void)
{
    uint64_t id = 0;
    while (getrandom(&id, sizeof id, 0) != sizeof id)
        ; /* interrupted */
    return id;
}

/* ---- the set -------------------------------------------------------------------------------- */

struct weir_seen_ids {
    weir_mutex lock;
    uint32_t room, next, mask;
    int64_t *ring WEIR_GUARDED_BY(lock);  /* 0: unused */
    int64_t *table WEIR_GUARDED_BY(lock); /* 0: free. At most half full */
};

weir_seen_ids *weir_seen_ids_create(uint32_t remembered)
{
    weir_seen_ids *ids = WEIR_NEW(weir_seen_ids);
    weir_mutex_init(&ids->lock);
    ids->room = remembered;
    uint32_t slots = 2;
    while (slots < remembered * 2)
        slots *= 2;
    ids->mask = slots - 1;
    ids->ring = WEIR_NEW_ARRAY(int64_t, remembered);
    ids->table = WEIR_NEW_ARRAY(int64_t, slots);
    return ids;
}

void weir_seen_ids_destroy(weir_seen_ids *ids)
{
    if (!ids)
        return;
    weir_free(ids->ring);
    weir_free(ids->table);
    weir_mutex_fini(&ids->lock);
    weir_free(ids);
}

static uint32_t home(const weir_seen_ids *ids, int64_t id)
{
    return (uint32_t)mix((uint64_t)id) & ids->mask;
}

/* The slot of |id|, or the free slot for it. */
static uint32_t find(const weir_seen_ids *ids, int64_t id) WEIR_REQUIRES(ids->lock)
{
    uint32_t at = home(ids, id);
    while (ids->table[at] && ids->table[at] != id)
        at = (at + 1) & ids->mask;
    return at;
}

/* Moves entries that were displaced by the removed one back over its slot. */
static void forget(weir_seen_ids *ids, int64_t id) WEIR_REQUIRES(ids->lock)
{
    uint32_t hole = find(ids, id);
    for (uint32_t at = (hole + 1) & ids->mask; ids->table[at]; at = (at + 1) & ids->mask) {
        uint32_t wanted = home(ids, ids->table[at]);
        if (((at - wanted) & ids->mask) >= ((at - hole) & ids->mask)) {
            ids->table[hole] = ids->table[at];
            hole = at;
        }
    }
    ids->table[hole] = 0;
}

bool weir_seen_ids_add(weir_seen_ids *ids, int64_t id)
{
    if (!id)
        return true;
    weir_mutex_lock(&ids->lock);
    bool fresh = !ids->table[find(ids, id)];
    if (fresh) {
        if (ids->ring[ids->next])
            forget(ids, ids->ring[ids->next]);
        ids->ring[ids->next] = id;
        ids->next = (ids->next + 1) % ids->room;
        ids->table[find(ids, id)] = id;
    }
    weir_mutex_unlock(&ids->lock);
    return fresh;
}
