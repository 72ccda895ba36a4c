/* net/tails.c - a table of the tails that are waited for. */
#include "net/tails_impl.h"

#include <pthread.h>

#include "base/mem.h"
#include "net/road_open_impl.h"

typedef struct expected {
    struct expected *next;
    uint64_t id;
    bool claimed;
    weir_tail_done *done;
    void *arg;
} expected;

enum { BUCKETS = 256 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static expected *table[BUCKETS]; /* under lock */
static atomic_uint_fast64_t delivered;

/* The place that points to it, or to the null at the end. Under lock. */
static expected **find(uint64_t id)
{
    expected **at = &table[id % BUCKETS];
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

static expected *take(uint64_t id)
{
    pthread_mutex_lock(&lock);
    expected **at = find(id), *e = *at;
    if (e)
        *at = e->next;
    pthread_mutex_unlock(&lock);
    return e;
}

uint64_t weir_tail_expect(weir_tail_done *done, void *arg)
{
    expected *e = WEIR_NEW(expected);
    *e = (expected){.done = done, .arg = arg};
    pthread_mutex_lock(&lock);
    do {
        e->id = weir_road_random();
    } while (!e->id || *find(e->id));
    e->next = table[e->id % BUCKETS];
    table[e->id % BUCKETS] = e;
    uint64_t id = e->id;
    pthread_mutex_unlock(&lock);
    return id;
}

bool weir_tail_forget(uint64_t id)
{
    expected *e = take(id);
    weir_free(e);
    return e != NULL;
}

bool weir_tail_claim(uint64_t id)
{
    pthread_mutex_lock(&lock);
    expected *e = *find(id);
    bool first = e && !e->claimed;
    if (first)
        e->claimed = true;
    pthread_mutex_unlock(&lock);
    return first;
}

void weir_tail_deliver(uint64_t id, weir_status s, weir_buffer *tail, size_t bytes)
{
    expected *e = take(id);
    if (e) {
        atomic_fetch_add(&delivered, 1);
        e->done(e->arg, id, s, tail, bytes);
    } else {
        weir_status_free(s);
        weir_buffer_release(tail);
    }
    weir_free(e);
}

uint64_t weir_tail_count(void)
{
    return atomic_load(&delivered);
}
