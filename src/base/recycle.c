/* base/recycle.c - free lists by size class, per thread and per process.
 *
 * Up to 1 KiB there is a class every 16 bytes, as in the C library; above, four per power of two. A
 * thread with a full list moves half of it to the process under one lock, and one with an empty
 * list fetches as many.
 */
#include "base/recycle.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mutex.h"

enum {
    FINE = 64, /* classes of 24, 40, ... 1032 bytes */
    COARSE_SHIFT = 10,
    CLASSES = FINE + 4 * 8,
    LOCAL_BYTES = 256 << 10, /* of one class that a thread caches, but ... */
    LOCAL_LEAST = 4,
    LOCAL_MOST = 16,
    SHARED_BYTES = 64 << 20, /* that the process caches besides */
};

#if defined(__SANITIZE_ADDRESS__)
enum { KEEPS = 0 };
#else
enum { KEEPS = 1 };
#endif

typedef struct block {
    struct block *next;
} block;

typedef struct list {
    block *first;
    int count;
} list;

typedef struct local_lists {
    list of[CLASSES];
} local_lists;

static struct {
    weir_mutex lock;
    block *first[CLASSES] WEIR_GUARDED_BY(lock);
    atomic_int count[CLASSES]; /* changed with the lock, read without */
    size_t bytes WEIR_GUARDED_BY(lock);
    pthread_key_t key;
    atomic_size_t misses;
} all = {.lock = WEIR_MUTEX_INIT};
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* A single thread-local pointer: static TLS has room for it even if the library is loaded late. */
static _Thread_local local_lists *mine __attribute__((tls_model("initial-exec")));

/* ---- classes ---- */

size_t weir_recycle_bytes(int c)
{
    if (c < FINE)
        return 24 + 16 * (size_t)c;
    size_t base = (size_t)1 << ((c - FINE) / 4 + COARSE_SHIFT);
    return base + base / 4 * (size_t)((c - FINE) % 4 + 1);
}

int weir_recycle_class(size_t bytes)
{
    if (bytes <= 24 + 16 * (FINE - 1))
        return bytes <= 24 ? 0 : (int)((bytes - 24 + 15) / 16);
    if (bytes > WEIR_RECYCLE_MOST)
        return -1;
    int shift = 63 - __builtin_clzll(bytes - 1);
    size_t base = (size_t)1 << shift;
    return FINE + (shift - COARSE_SHIFT) * 4 + (int)((bytes - 1 - base) / (base / 4));
}

int weir_recycle_serves(size_t bytes)
{
    if (bytes < 24 || bytes >= WEIR_RECYCLE_MOST + WEIR_RECYCLE_MOST / 4)
        return -1;
    if (bytes < 1280)
        return bytes >= 24 + 16 * FINE ? FINE - 1 : (int)((bytes - 24) / 16);
    int shift = 63 - __builtin_clzll(bytes);
    size_t base = (size_t)1 << shift;
    return FINE - 1 + (shift - COARSE_SHIFT) * 4 + (int)((bytes - base) / (base / 4));
}

static int local_most(int c)
{
    size_t size = LOCAL_BYTES / weir_recycle_bytes(c);
    return size < LOCAL_LEAST ? LOCAL_LEAST : size > LOCAL_MOST ? LOCAL_MOST : (int)size;
}

/* ---- the process's lists ---- */

/* Moves up to |count| blocks of |from| to the process, or frees them if it has enough. */
static void hand_over(int c, list *from, int count)
{
    size_t bytes = weir_recycle_bytes(c);
    block *rest = NULL;
    weir_mutex_lock(&all.lock);
    for (; count > 0 && from->first; count--) {
        block *this_block = from->first;
        from->first = this_block->next;
        from->count--;
        bool keep = all.bytes + bytes <= SHARED_BYTES;
        block **to = keep ? &all.first[c] : &rest;
        this_block->next = *to;
        *to = this_block;
        all.bytes += keep ? bytes : 0;
        all.count[c] += keep;
    }
    weir_mutex_unlock(&all.lock);
    while (rest) {
        block *next = rest->next;
        free(rest);
        rest = next;
    }
}

static void fetch(int c, list *to, int count)
{
    weir_mutex_lock(&all.lock);
    for (; count > 0 && all.first[c]; count--) {
        block *block = all.first[c];
        all.first[c] = block->next;
        all.count[c]--;
        all.bytes -= weir_recycle_bytes(c);
        block->next = to->first;
        to->first = block;
        to->count++;
    }
    weir_mutex_unlock(&all.lock);
}

/* ---- threads ---- */

static void thread_ends(void *arg)
{
    local_lists *lists = arg;
    for (int c = 0; c < CLASSES; c++)
        hand_over(c, &lists->of[c], lists->of[c].count);
    mine = NULL;
    free(lists);
}

static void lock_all(void) WEIR_ACQUIRE(all.lock)
{
    weir_mutex_lock(&all.lock);
}

static void unlock_all(void) WEIR_RELEASE(all.lock)
{
    weir_mutex_unlock(&all.lock);
}

static void begin(void)
{
    pthread_key_create(&all.key, thread_ends);
    pthread_atfork(lock_all, unlock_all, unlock_all);
}

static local_lists *new_lists(void)
{
    pthread_once(&once, begin);
    mine = calloc(1, sizeof *mine);
    if (mine)
        pthread_setspecific(all.key, mine);
    return mine;
}

static inline local_lists *my_lists(void)
{
    return !KEEPS ? NULL : mine ? mine : new_lists();
}

void *weir_recycle_take(int c)
{
    local_lists *lists = my_lists();
    if (lists) {
        list *list = &lists->of[c];
        if (!list->first && atomic_load_explicit(&all.count[c], memory_order_relaxed))
            fetch(c, list, local_most(c) / 2);
        if (list->first) {
            block *block = list->first;
            list->first = block->next;
            list->count--;
            return block;
        }
    }
    atomic_fetch_add_explicit(&all.misses, 1, memory_order_relaxed);
    return malloc(weir_recycle_bytes(c));
}

void weir_recycle_give(void *ptr, int c)
{
    local_lists *lists = my_lists();
    if (!lists) {
        free(ptr);
        return;
    }
    list *list = &lists->of[c];
    if (list->count >= local_most(c))
        hand_over(c, list, local_most(c) / 2);
    block *block = ptr;
    block->next = list->first;
    list->first = block;
    list->count++;
}

size_t weir_recycle_misses(void)
{
    return atomic_load_explicit(&all.misses, memory_order_relaxed);
}
