/* device/buffer.c - buffers from size classes.
 *
 * Four classes to each power of two, so that at most a fifth is wasted. Freed blocks go to a small
 * list of the freeing thread and overflow into a shared list under a lock. A block is one piece of
 * memory: the header, padding to 64 bytes, the data.
 */
#include "device/buffer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "device/shared.h"

enum {
    HEADER = 128,  /* room for weir_buffer; keeps data aligned */
    MIN_SHIFT = 6, /* the smallest class holds 64 bytes */
    CLASSES = 4 * 42,
    LOCAL_CLASSES = 4 * 11, /* classes small enough (below 128 KiB) for a thread to keep */
    HUGE_FROM = 4 << 20,
};
_Static_assert(sizeof(weir_buffer) <= HEADER, "the header must hold a weir_buffer");

/* How much freed memory is kept at most. A step that frees more gives the rest back. */
#if defined(__SANITIZE_ADDRESS__)
enum { LOCAL_KEEP = 0 }; /* the sanitizer must see every free */
static size_t cache_limit(void)
{
    return 0;
}
#else
enum { LOCAL_KEEP = 16 }; /* blocks of a small class that a thread keeps */
/* Fresh shared memory comes by small pages and costs ten times as much as private memory, so more
 * of it is kept: an eighth of the machine's. */
static size_t cache_limit(void)
{
    size_t least = (size_t)1 << 30, shared = weir_shared_bytes() / 16;
    return shared > least ? shared : least;
}
#endif

typedef struct block {
    struct block *next;
} block;

typedef struct local_cache {
    block *lists[LOCAL_CLASSES];
    uint8_t counts[LOCAL_CLASSES];
} local_cache;

static struct {
    pthread_mutex_t lock;
    block *lists[CLASSES]; /* under lock */
    pthread_key_t key;
    atomic_size_t live, peak, cached;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local local_cache *local;

static size_t class_bytes(int c)
{
    size_t base = (size_t)1 << (c / 4 + MIN_SHIFT);
    return base + base / 4 * (size_t)(c % 4);
}

static int class_of(size_t bytes)
{
    if (bytes <= (size_t)1 << MIN_SHIFT)
        return 0;
    int shift = 63 - __builtin_clzll(bytes);
    size_t base = (size_t)1 << shift;
    int quarter = (int)((bytes - base + base / 4 - 1) / (base / 4));
    return (shift - MIN_SHIFT) * 4 + quarter;
}

static void free_block(int c, block *b)
{
    if (!weir_shared_free(b, c, HEADER + class_bytes(c)))
        free(b);
}

/* New memory for a block; null when there is none. */
static void *new_block(int c)
{
    size_t room = class_bytes(c);
    void *p = weir_shared_alloc(c, HEADER + room);
    if (p)
        return p;
    size_t align = room >= HUGE_FROM ? 4096 : WEIR_ALIGNMENT;
    if (posix_memalign(&p, align, HEADER + room) != 0)
        return NULL;
    if (room >= HUGE_FROM)
        madvise(p, HEADER + room, MADV_HUGEPAGE);
    return p;
}

/* Keeps a block for anyone, or frees it when enough is kept. */
static void shared_put(int c, block *b)
{
    size_t bytes = class_bytes(c);
    if (atomic_fetch_add_explicit(&shared.cached, bytes, memory_order_relaxed) + bytes >
        cache_limit()) {
        atomic_fetch_sub_explicit(&shared.cached, bytes, memory_order_relaxed);
        free_block(c, b);
        return;
    }
    pthread_mutex_lock(&shared.lock);
    b->next = shared.lists[c];
    shared.lists[c] = b;
    pthread_mutex_unlock(&shared.lock);
}

static block *shared_get(int c)
{
    if (atomic_load_explicit(&shared.cached, memory_order_relaxed) == 0)
        return NULL;
    pthread_mutex_lock(&shared.lock);
    block *b = shared.lists[c];
    if (b)
        shared.lists[c] = b->next;
    pthread_mutex_unlock(&shared.lock);
    if (b)
        atomic_fetch_sub_explicit(&shared.cached, class_bytes(c), memory_order_relaxed);
    return b;
}

static void thread_ends(void *arg)
{
    local_cache *cache = arg;
    for (int c = 0; c < LOCAL_CLASSES; c++)
        while (cache->lists[c]) {
            block *b = cache->lists[c];
            cache->lists[c] = b->next;
            shared_put(c, b);
        }
    local = NULL;
    weir_free(cache);
}

static void make_key(void)
{
    pthread_key_create(&shared.key, thread_ends);
}

static local_cache *my_cache(void)
{
    if (!local) {
        pthread_once(&once, make_key);
        local = WEIR_NEW(local_cache);
        pthread_setspecific(shared.key, local);
    }
    return local;
}

static block *take(int c)
{
    if (c < LOCAL_CLASSES) {
        local_cache *mine = my_cache();
        block *b = mine->lists[c];
        if (b) {
            mine->lists[c] = b->next;
            mine->counts[c]--;
            return b;
        }
    }
    return shared_get(c);
}

static void note_live(size_t bytes)
{
    size_t now = atomic_fetch_add_explicit(&shared.live, bytes, memory_order_relaxed) + bytes;
    size_t peak = atomic_load_explicit(&shared.peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak(&shared.peak, &peak, now))
        ;
}

static void give_back(weir_ref *ref)
{
    weir_buffer *b = (weir_buffer *)ref;
    if (b->fini)
        b->fini(b);
    if (b->release) {
        b->release(b->data, b->bytes, b->release_arg);
        weir_free(b);
        return;
    }
    int c = b->size_class;
    if (c < LOCAL_CLASSES) {
        local_cache *mine = my_cache();
        if (mine->counts[c] + 1 <= LOCAL_KEEP) { /* LOCAL_KEEP may be 0 */
            block *k = (block *)b;
            k->next = mine->lists[c];
            mine->lists[c] = k;
            mine->counts[c]++;
            return;
        }
    }
    if (c >= LOCAL_CLASSES)
        atomic_fetch_sub_explicit(&shared.live, class_bytes(c), memory_order_relaxed);
    shared_put(c, (block *)b);
}

weir_status weir_buffer_alloc(size_t bytes, weir_buffer **out_buffer)
{
    int c = class_of(bytes);
    if (c >= CLASSES)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM when allocating %zu bytes", bytes);
    size_t room = class_bytes(c);
    weir_buffer *b = (weir_buffer *)take(c);
    if (!b)
        b = new_block(c);
    if (!b)
        return weir_error(WEIR_RESOURCE_EXHAUSTED, "OOM when allocating %zu bytes", bytes);
    if (c >= LOCAL_CLASSES)
        note_live(room);
    weir_ref_init(&b->ref, give_back);
    b->data = (char *)b + HEADER;
    b->bytes = room;
    b->fini = NULL;
    b->release = NULL;
    b->read_only = false;
    b->size_class = c;
    *out_buffer = b;
    return WEIR_OK;
}

weir_buffer *weir_buffer_wrap(void *data, size_t bytes, void (*release)(void *, size_t, void *),
                              void *arg)
{
    weir_buffer *b = WEIR_NEW(weir_buffer);
    weir_ref_init(&b->ref, give_back);
    b->data = data;
    b->bytes = bytes;
    b->release = release;
    b->release_arg = arg;
    return b;
}

weir_buffer_stats weir_buffer_get_stats(void)
{
    return (weir_buffer_stats){atomic_load(&shared.live), atomic_load(&shared.peak),
                               atomic_load(&shared.cached)};
}

void weir_buffer_trim(void)
{
    for (int c = 0; c < CLASSES; c++)
        for (block *b; (b = shared_get(c));)
            free_block(c, b);
}
