/* op/rendezvous.c - senders and receivers of one process, matched by key. */
#include "op/rendezvous.h"

#include <inttypes.h>
#include <pthread.h>

typedef struct item {
    struct item *next; /* same key, first come first served */
    bool is_send;
    weir_tensor tensor;
    bool dead;
    weir_received done;
    void *arg;
} item;

typedef struct local {
    weir_rendezvous base;
    pthread_mutex_t lock;
    weir_map items;  /* key -> item list; under lock */
    weir_status why; /* of the abort; under lock */
} local;

static void add(local *l, weir_str key, item i)
{
    item *one = weir_alloc(sizeof *one);
    *one = i;
    one->next = NULL;
    item *first = weir_map_get(&l->items, key);
    if (!first) {
        weir_map_put(&l->items, key, one);
        return;
    }
    while (first->next)
        first = first->next;
    first->next = one;
}

/* Takes the first item of |key| if it is a send (or not). Lock held. */
static bool take(local *l, weir_str key, bool send, item *out)
{
    item *first = weir_map_get(&l->items, key);
    if (!first || first->is_send != send)
        return false;
    if (first->next)
        weir_map_put(&l->items, key, first->next);
    else
        weir_map_remove(&l->items, key);
    *out = *first;
    weir_free(first);
    return true;
}

static weir_status local_send(weir_rendezvous *r, weir_str key, weir_tensor t, bool dead)
{
    local *l = (local *)r;
    item waiting;
    pthread_mutex_lock(&l->lock);
    weir_status why = weir_status_copy(l->why);
    bool met = !why && take(l, key, false, &waiting);
    if (!why && !met)
        add(l, key, (item){.is_send = true, .tensor = t, .dead = dead});
    pthread_mutex_unlock(&l->lock);
    if (why)
        weir_tensor_release(&t);
    if (met)
        waiting.done(waiting.arg, WEIR_OK, t, dead);
    return why;
}

static void local_recv(weir_rendezvous *r, weir_str key, weir_received done, void *arg)
{
    local *l = (local *)r;
    item sent;
    pthread_mutex_lock(&l->lock);
    weir_status why = weir_status_copy(l->why);
    bool met = !why && take(l, key, true, &sent);
    if (!why && !met)
        add(l, key, (item){.done = done, .arg = arg});
    pthread_mutex_unlock(&l->lock);
    if (why)
        done(arg, why, (weir_tensor){0}, false);
    else if (met)
        done(arg, WEIR_OK, sent.tensor, sent.dead);
}

/* Ends every item: tensors are dropped, receivers get a copy of |why| (null: nobody may wait). */
static void drain(weir_map *items, weir_status why)
{
    size_t at = 0;
    void *value;
    while (weir_map_next(items, &at, NULL, &value))
        for (item *i = value, *next; i; i = next) {
            next = i->next;
            if (i->is_send)
                weir_tensor_release(&i->tensor);
            else if (why)
                i->done(i->arg, weir_status_copy(why), (weir_tensor){0}, false);
            weir_free(i);
        }
    weir_map_fini(items);
}

static void local_abort(weir_rendezvous *r, weir_status why)
{
    local *l = (local *)r;
    pthread_mutex_lock(&l->lock);
    weir_map items = l->items;
    l->items = (weir_map){0};
    weir_status first = l->why ? NULL : why;
    if (first)
        l->why = weir_status_copy(why);
    pthread_mutex_unlock(&l->lock);
    drain(&items, why);
    weir_status_free(why);
}

static void destroy(weir_ref *ref)
{
    local *l = (local *)ref;
    drain(&l->items, NULL);
    weir_status_free(l->why);
    pthread_mutex_destroy(&l->lock);
    weir_free(l);
}

weir_rendezvous *weir_rendezvous_create(void)
{
    local *l = WEIR_NEW(local);
    weir_ref_init(&l->base.ref, destroy);
    l->base.send = local_send;
    l->base.recv = local_recv;
    l->base.abort = local_abort;
    pthread_mutex_init(&l->lock, NULL);
    return &l->base;
}

void weir_rendezvous_key(weir_buf *out, const char *src_device, uint64_t incarnation,
                         const char *dst_device, const char *edge, uint64_t frame,
                         int64_t iteration)
{
    weir_buf_addf(out, "%s;%016" PRIx64 ";%s;%s;%" PRIu64 ":%" PRId64, src_device, incarnation,
                  dst_device, edge, frame, iteration);
}
