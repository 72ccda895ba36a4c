/* op/rendezvous.c - senders and receivers of one process, matched by key. */
#include "op/rendezvous.h"
#include "base/mutex.h"

#include <inttypes.h>

typedef struct item {
    struct item *next; /* same key, FIFO */
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

static void add(local *local, weir_str key, item this_item)
{
    item *one = weir_alloc(sizeof *one);
    *one = this_item;
    one->next = NULL;
    item *first = weir_map_get(&local->items, key);
    if (!first) {
        weir_map_put(&local->items, key, one);
        return;
    }
    while (first->next)
        first = first->next;
    first->next = one;
}

/* Removes the first item of |key| if it is a send (or not). Lock held. */
static bool take(local *local, weir_str key, bool send, item *out)
{
    item *first = weir_map_get(&local->items, key);
    if (!first || first->is_send != send)
        return false;
    if (first->next)
        weir_map_put(&local->items, key, first->next);
    else
        weir_map_remove(&local->items, key);
    *out = *first;
    weir_free(first);
    return true;
}

static weir_status local_send(weir_rendezvous *rendezvous, weir_str key, weir_tensor tensor,
                              bool dead)
{
    local *this_local = (local *)rendezvous;
    item waiting;
    weir_mutex_lock(&this_local->lock);
    weir_status why = weir_status_copy(this_local->why);
    bool met = !why && take(this_local, key, false, &waiting);
    if (!why && !met)
        add(this_local, key, (item){.is_send = true, .tensor = tensor, .dead = dead});
    weir_mutex_unlock(&this_local->lock);
    if (why)
        weir_tensor_release(&tensor);
    if (met)
        waiting.done(waiting.arg, WEIR_OK, tensor, dead);
    return why;
}

static void local_recv(weir_rendezvous *rendezvous, weir_str key, weir_received done, void *arg)
{
    local *this_local = (local *)rendezvous;
    item sent;
    weir_mutex_lock(&this_local->lock);
    weir_status why = weir_status_copy(this_local->why);
    bool met = !why && take(this_local, key, true, &sent);
    if (!why && !met)
        add(this_local, key, (item){.done = done, .arg = arg});
    weir_mutex_unlock(&this_local->lock);
    if (why)
        done(arg, why, (weir_tensor){0}, false);
    else if (met)
        done(arg, WEIR_OK, sent.tensor, sent.dead);
}

/* Ends every item: tensors are released, receivers get a copy of |why| (null: no receivers). */
static void drain(weir_map *items, weir_status why)
{
    size_t at = 0;
    void *value;
    while (weir_map_next(items, &at, NULL, &value))
        for (item *item = value, *next; item; item = next) {
            next = item->next;
            if (item->is_send)
                weir_tensor_release(&item->tensor);
            else if (why)
                item->done(item->arg, weir_status_copy(why), (weir_tensor){0}, false);
            weir_free(item);
        }
    weir_map_fini(items);
}

static void local_abort(weir_rendezvous *rendezvous, weir_status why)
{
    local *this_local = (local *)rendezvous;
    weir_mutex_lock(&this_local->lock);
    weir_map items = this_local->items;
    this_local->items = (weir_map){0};
    weir_status first = this_local->why ? NULL : why;
    if (first)
        this_local->why = weir_status_copy(why);
    weir_mutex_unlock(&this_local->lock);
    drain(&items, why);
    weir_status_free(why);
}

static void destroy(weir_ref *ref)
{
    local *this_local = (local *)ref;
    drain(&this_local->items, NULL);
    weir_status_free(this_local->why);
    weir_mutex_fini(&this_local->lock);
    weir_free(this_local);
}

weir_rendezvous *weir_rendezvous_create(void)
{
    local *new_local = WEIR_NEW(local);
    weir_ref_init(&new_local->base.ref, destroy);
    new_local->base.send = local_send;
    new_local->base.recv = local_recv;
    new_local->base.abort = local_abort;
    weir_mutex_init(&new_local->lock);
    return &new_local->base;
}

bool weir_rendezvous_forget(weir_rendezvous *rendezvous, weir_str key, void *arg)
{
    local *this_local = (local *)rendezvous;
    weir_mutex_lock(&this_local->lock);
    item *first = weir_map_get(&this_local->items, key), *before = NULL, *item = first;
    for (; item && (item->is_send || item->arg != arg); item = item->next)
        before = item;
    if (item && before)
        before->next = item->next;
    else if (item && item->next)
        weir_map_put(&this_local->items, key, item->next);
    else if (item)
        weir_map_remove(&this_local->items, key);
    weir_mutex_unlock(&this_local->lock);
    weir_free(item);
    return item != NULL;
}

bool weir_rendezvous_idle(weir_rendezvous *rendezvous)
{
    local *this_local = (local *)rendezvous;
    weir_mutex_lock(&this_local->lock);
    bool idle = this_local->items.count == 0;
    weir_mutex_unlock(&this_local->lock);
    return idle;
}

bool weir_rendezvous_awaits(weir_rendezvous *rendezvous, weir_str key)
{
    local *this_local = (local *)rendezvous;
    weir_mutex_lock(&this_local->lock);
    const item *first = this_local->items.count ? weir_map_get(&this_local->items, key) : NULL;
    bool waits = first && !first->is_send;
    weir_mutex_unlock(&this_local->lock);
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

static bool parse_incarnation(weir_str text, uint64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < text.length; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = memchr(digits, text.at[i], sizeof digits - 1);
        if (!digit)
            return false;
        *out = *out << 4 | (uint64_t)(digit - digits);
    }
    return text.length == 16;
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
    weir_parsed_key parsed_key;
    bool whole = count == 5 && parts[0].length && parts[2].length && parts[3].length &&
                 parts[4].length && parse_incarnation(parts[1], &parsed_key.incarnation) &&
                 !memchr(parts[4].at, ';', parts[4].length);
    if (!whole)
        return weir_error(WEIR_INVALID_ARGUMENT, "Invalid  rendezvous key: %.*s",
                          WEIR_STR_ARG(key));
    parsed_key.src_device = parts[0];
    parsed_key.dst_device = parts[2];
    parsed_key.edge = parts[3];
    parsed_key.frame = parts[4];
    *out_key = parsed_key;
    return WEIR_OK;
}
