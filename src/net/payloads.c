/* net/payloads.c - a table of the payloads that are waited for. */
#include "net/payloads_impl.h"

#include <pthread.h>

#include "base/mem.h"
#include "net/shm_handshake_impl.h"

typedef struct expected {
    struct expected *next;
    uint64_t id;
    bool claimed;
    weir_payload_done *done;
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

uint64_t weir_payload_expect(weir_payload_done *done, void *arg)
{
    expected *e = WEIR_NEW(expected);
    *e = (expected){.done = done, .arg = arg};
    pthread_mutex_lock(&lock);
    do {
        e->id = weir_random_token();
    } while (!e->id || *find(e->id));
    e->next = table[e->id % BUCKETS];
    table[e->id % BUCKETS] = e;
    uint64_t id = e->id;
    pthread_mutex_unlock(&lock);
    return id;
}

bool weir_payload_forget(uint64_t id)
{
    expected *e = take(id);
    weir_free(e);
    return e != NULL;
}

bool weir_payload_claim(uint64_t id)
{
    pthread_mutex_lock(&lock);
    expected *e = *find(id);
    bool first = e && !e->claimed;
    if (first)
        e->claimed = true;
    pthread_mutex_unlock(&lock);
    return first;
}

void weir_payload_deliver(uint64_t id, weir_status s, weir_buffer *payload, size_t bytes)
{
    expected *e = take(id);
    if (e) {
        atomic_fetch_add(&delivered, 1);
        e->done(e->arg, id, s, payload, bytes);
    } else {
        weir_status_free(s);
        weir_buffer_release(payload);
    }
    weir_free(e);
}

uint64_t weir_payload_count(void)
{
    return atomic_load(&delivered);
}
