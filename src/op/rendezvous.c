/* op/rendezvous.c - senders and receivers of one process, matched by key. */
#include "op/rendezvous.h"
#include "base/mutex.h"

#include <inttypes.h>

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
    weir_mutex lock;
    weir_map items WEIR_GUARDED_BY(lock);  /* key -> item list */
    weir_status why WEIR_GUARDED_BY(lock); /* of the abort */
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
    weir_mutex_lock(&l->lock);
    weir_status why = weir_status_copy(l->why);
    bool met = !why && take(l, key, false, &waiting);
    if (!why && !met)
        add(l, key, (item){.is_send = true, .tensor = t, .dead = dead});
    weir_mutex_unlock(&l->lock);
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
    weir_mutex_lock(&l->lock);
    weir_status why = weir_status_copy(l->why);
    bool met = !why && take(l, key, true, &sent);
    if (!why && !met)
        add(l, key, (item){.done = done, .arg = arg});
    weir_mutex_unlock(&l->lock);
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
    weir_mutex_lock(&l->lock);
    weir_map items = l->items;
    l->items = (weir_map){0};
    weir_status first = l->why ? NULL : why;
    if (first)
        l->why = weir_status_copy(why);
    weir_mutex_unlock(&l->lock);
    drain(&items, why);
    weir_status_free(why);
}

static void destroy(weir_ref *ref)
{
    local *l = (local *)ref;
    drain(&l->items, NULL);
    weir_status_free(l->why);
    weir_mutex_fini(&l->lock);
    weir_free(l);
}

weir_rendezvous *weir_rendezvous_create(void)
{
    local *l = WEIR_NEW(local);
    weir_ref_init(&l->base.ref, destroy);
    l->base.send = local_send;
    l->base.recv = local_recv;
    l->base.abort = local_abort;
    weir_mutex_init(&l->lock);
    return &l->base;
}

bool weir_rendezvous_forget(weir_rendezvous *r, weir_str key, void *arg)
{
    local *l = (local *)r;
    weir_mutex_lock(&l->lock);
    item *first = weir_map_get(&l->items, key), *before = NULL, *i = first;
    for (; i && (i->is_send || i->arg != arg); i = i->next)
        before = i;
    if (i && before)
        before->next = i->next;
    else if (i && i->next)
        weir_map_put(&l->items, key, i->next);
    else if (i)
        weir_map_remove(&l->items, key);
    weir_mutex_unlock(&l->lock);
    weir_free(i);
    return i != NULL;
}

bool weir_rendezvous_idle(weir_rendezvous *r)
{
    local *l = (local *)r;
    weir_mutex_lock(&l->lock);
    bool idle = l->items.count == 0;
    weir_mutex_unlock(&l->lock);
    return idle;
}

bool weir_rendezvous_awaits(weir_rendezvous *r, weir_str key)
{
    local *l = (local *)r;
    weir_mutex_lock(&l->lock);
    const item *first = l->items.count ? weir_map_get(&l->items, key) : NULL;
    bool waits = first && !first->is_send;
    weir_mutex_unlock(&l->lock);
    return waits;
}

/* ---- keys ----------------------------------------------------------------------------------- */

void weir_rendezvous_key(weir_buf *out, weir_str src_device, uint64_t incarnation,
                         weir_str dst_device, weir_str edge)
{
    weir_buf_add(out, src_device.at, src_device.length);
    weir_buf_addf(out, ";%016" PRIx64 ";", incarnation);
    weir_buf_add(out, dst_device.at, dst_device.length);
    weir_buf_addc(out, ';');
    weir_buf_add(out, edge.at, edge.length);
    weir_buf_addc(out, ';');
}

void weir_rendezvous_frame(weir_buf *out, uint64_t frame, int64_t iteration)
{
    weir_buf_addf(out, "%" PRIu64 ":%" PRId64, frame, iteration);
}

static bool parse_incarnation(weir_str s, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < s.length; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *d = memchr(digits, s.at[i], sizeof digits - 1);
        if (!d)
            return false;
        *out = *out << 4 | (uint64_t)(d - digits);
    }
    return s.length == 16;
}

weir_status weir_rendezvous_parse(weir_str key, weir_parsed_key *out_key)
{
    weir_str parts[5];
    size_t count = 0;
    const char *at = key.at, *end = key.at + key.length;
    while (count < 5) {
        bool last = count == 4;
        const char *stop = !last && at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;
        parts[count++] = (weir_str){at, (size_t)((stop ? stop : end) - at)};
        if (!stop)
            break;
        at = stop + 1;
    }
    weir_parsed_key k;
    bool whole = count == 5 && parts[0].length && parts[2].length && parts[3].length &&
                 parts[4].length && parse_incarnation(parts[1], &k.incarnation) &&
                 !memchr(parts[4].at, ';', parts[4].length);
    if (!whole)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid  rendezvous key: %.*s",
                          WEIR_STR_ARG(key));
    k.src_device = parts[0];
    k.dst_device = parts[2];
    k.edge = parts[3];
    k.frame = parts[4];
    *out_key = k;
    return WEIR_OK;
}
