/* dist/ids.c - random numbers, and a set of the latest ones.
 *
 * The set is a ring, which knows the oldest, and an open table of the same numbers. Both have a
 * fixed size.
 */
#include "dist/ids.h"

#include <pthread.h>
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

/* A step of SplitMix64: every number of the sequence comes once. */
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

/* ---- seen ----------------------------------------------------------------------------------- */

struct weir_seen_ids {
    pthread_mutex_t lock;
    uint32_t room, next, mask;
    int64_t *ring;  /* under lock; 0: not used yet */
    int64_t *table; /* under lock; 0: free. At most half full */
};

weir_seen_ids *weir_seen_ids_create(uint32_t remembered)
{
    weir_seen_ids *s = WEIR_NEW(weir_seen_ids);
    pthread_mutex_init(&s->lock, NULL);
    s->room = remembered;
    uint32_t slots = 2;
    while (slots < remembered * 2)
        slots *= 2;
    s->mask = slots - 1;
    s->ring = WEIR_NEW_ARRAY(int64_t, remembered);
    s->table = WEIR_NEW_ARRAY(int64_t, slots);
    return s;
}

void weir_seen_ids_destroy(weir_seen_ids *s)
{
    if (!s)
        return;
    weir_free(s->ring);
    weir_free(s->table);
    pthread_mutex_destroy(&s->lock);
    weir_free(s);
}

static uint32_t home(const weir_seen_ids *s, int64_t id)
{
    return (uint32_t)mix((uint64_t)id) & s->mask;
}

/* Where |id| is, or the free slot where it would be. */
static uint32_t find(const weir_seen_ids *s, int64_t id)
{
    uint32_t at = home(s, id);
    while (s->table[at] && s->table[at] != id)
        at = (at + 1) & s->mask;
    return at;
}

/* Those that had to make room for the one that goes move back over its slot. */
static void forget(weir_seen_ids *s, int64_t id)
{
    uint32_t hole = find(s, id);
    for (uint32_t at = (hole + 1) & s->mask; s->table[at]; at = (at + 1) & s->mask) {
        uint32_t wanted = home(s, s->table[at]);
        if (((at - wanted) & s->mask) >= ((at - hole) & s->mask)) {
            s->table[hole] = s->table[at];
            hole = at;
        }
    }
    s->table[hole] = 0;
}

bool weir_seen_ids_add(weir_seen_ids *s, int64_t id)
{
    if (!id)
        return true;
    pthread_mutex_lock(&s->lock);
    bool fresh = !s->table[find(s, id)];
    if (fresh) {
        if (s->ring[s->next])
            forget(s, s->ring[s->next]);
        s->ring[s->next] = id;
        s->next = (s->next + 1) % s->room;
        s->table[find(s, id)] = id;
    }
    pthread_mutex_unlock(&s->lock);
    return fresh;
}
