/* net/payloads.c - a table of expected payloads. */
#include "net/payloads_impl.h"

#include "base/mem.h"
#include "base/mutex.h"
#include "net/shm_handshake_impl.h"

typedef struct expected_payload {
    struct expected_payload *next;
    uint64_t id;
    bool claimed;
    weir_payload_done *done;
    void *arg;
} expected_payload;

enum { BUCKETS = 256 };
static weir_mutex lock = WEIR_MUTEX_INIT;
static expected_payload *table[BUCKETS] WEIR_GUARDED_BY(lock);
static atomic_uint_fast64_t delivered;

/* The pointer to it in its bucket, or the terminating null. */
static expected_payload **find(uint64_t id) WEIR_REQUIRES(lock)
{
    expected_payload **at = &table[id % BUCKETS];
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

static expected_payload *take(uint64_t id)
{
    weir_mutex_lock(&lock);
    expected_payload **at = find(id), *expected = *at;
    if (expected)
        *at = expected->next;
    weir_mutex_unlock(&lock);
    return expected;
}

uint64_t weir_payload_expect(weir_payload_done *done, void *arg)
{
    expected_payload *new_expected = WEIR_NEW(expected_payload);
    *new_expected = (expected_payload){.done = done, .arg = arg};
    weir_mutex_lock(&lock);
    do {
        new_expected->id = weir_random_token();
    } while (!new_expected->id || *find(new_expected->id));
    new_expected->next = table[new_expected->id % BUCKETS];
    table[new_expected->id % BUCKETS] = new_expected;
    uint64_t id = new_expected->id;
    weir_mutex_unlock(&lock);
    return id;
}

bool weir_payload_forget(uint64_t id)
{
    expected_payload *expected = take(id);
    weir_free(expected);
    return expected != NULL;
}

bool weir_payload_claim(uint64_t id)
{
    weir_mutex_lock(&lock);
    expected_payload *expected = *find(id);
    bool first = expected && !expected->claimed;
    if (first)
        expected->claimed = true;
    weir_mutex_unlock(&lock);
    return first;
}

void weir_payload_deliver(uint64_t id, weir_status status, weir_buffer *payload, size_t bytes)
{
    expected_payload *expected = take(id);
    if (expected) {
        atomic_fetch_add(&delivered, 1);
        expected->done(expected->arg, id, status, payload, bytes);
    } else {
        weir_status_free(status);
        weir_buffer_release(payload);
    }
    weir_free(expected);
}

uint64_t weir_payload_count(void)
{
    return atomic_load(&delivered);
}
