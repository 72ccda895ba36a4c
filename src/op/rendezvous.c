/* op/rendezvous.c - senders and receivers of one process, matched by key. */
#include "op/rendezvous.h"

#include <inttypes.h>

#include "base/mutex.h"
#include "base/room.h"

enum {
    ITEM_BYTES = 256, /* of a value that waits: its item, its buffer's head, its place in the map */
    FREE_BYTES = 1 << 16, /* of waiting values of a step that are not counted (base/room.h) */
};

/* The items of a key are a ring, in order of arrival; the map has the last one. */
typedef struct item {
    struct item *next; /* of the last one: the first */
    bool is_send;
    weir_tensor tensor;
    bool dead;
    weir_received done;
    void *arg;
} item;

typedef struct local {
    weir_rendezvous base;
    weir_mutex lock;
    weir_map items WEIR_GUARDED_BY(lock);  /* key -> last item */
    size_t bytes WEIR_GUARDED_BY(lock);    /* of values that wait, without their elements, ... */
    size_t held WEIR_GUARDED_BY(lock);     /* ... and what of them is counted in base/room.h */
    weir_status why WEIR_GUARDED_BY(lock); /* of the abort */
} local;

static void add(local *local, weir_str key, item this_item) WEIR_REQUIRES(local->lock)
{
    item *one = weir_alloc(sizeof *one), *last = weir_map_put(&local->items, key, one);
    *one = this_item;
    one->next = last ? last->next : one;
    if (last)
        last->next = one;
}

/* Removes the first item of |key| if it is a send (or not). */
static bool take(local *local, weir_str key, bool send, item *out) WEIR_REQUIRES(local->lock)
{
    item *last = weir_map_get(&local->items, key), *first = last ? last->next : NULL;
    if (!first || first->is_send != send)
        return false;
    if (first == last)
        weir_map_remove(&local->items, key);
    else
        last->next = first->next;
    if (send)
        local->bytes -= ITEM_BYTES + key.length;
    *out = *first;
    weir_free(first);
    return true;
}

/* A value waits for its receiver. What sends it may be another task, and it may be one of any
 * number that nobody ever receives. */
static weir_status keep(local *local, weir_str key, item this_item) WEIR_REQUIRES(local->lock)
{
    size_t bytes = local->bytes + ITEM_BYTES + key.length;
    if (bytes > FREE_BYTES && bytes > local->held)
        WEIR_TRY(weir_room_hold(&local->held, bytes + bytes / 4, "a step's values that wait"));
    local->bytes = bytes;
    add(local, key, this_item);
    return WEIR_OK;
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
        why = keep(this_local, key, (item){.is_send = true, .tensor = tensor, .dead = dead});
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

/* Ends the items of a key, in order. */
static void end_items(item *last, weir_status why)
{
    item *one = last->next;
    last->next = NULL;
    for (item *next; one; one = next) {
        next = one->next;
        if (one->is_send)
            weir_tensor_release(&one->tensor);
        else if (why)
            one->done(one->arg, weir_status_copy(why), (weir_tensor){0}, false);
        weir_free(one);
    }
}

/* Ends every item: tensors are released, receivers get a copy of |why| (null: no receivers). */
static void drain(weir_map *items, weir_status why)
{
    size_t at = 0;
    void *last;
    while (weir_map_next(items, &at, NULL, &last))
        end_items(last, why);
    weir_map_fini(items);
}

static void local_abort(weir_rendezvous *rendezvous, weir_status why)
{
    local *this_local = (local *)rendezvous;
    weir_mutex_lock(&this_local->lock);
    weir_map items = this_local->items;
    this_local->items = (weir_map){0};
    this_local->bytes = 0;
    weir_room_drop(&this_local->held);
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
    weir_room_drop(&this_local->held);
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

/* Removes the item after |before| from the ring that ends with |last|, and returns it. */
static item *unlink_after(local *local, weir_str key, item *last, item *before)
    WEIR_REQUIRES(local->lock)
{
    item *removed = before->next;
    before->next = removed->next;
    if (removed == before)
        weir_map_remove(&local->items, key);
    else if (removed == last)
        weir_map_put(&local->items, key, before);
    return removed;
}

bool weir_rendezvous_forget(weir_rendezvous *rendezvous, weir_str key, void *arg)
{
    local *this_local = (local *)rendezvous;
    weir_mutex_lock(&this_local->lock);
    item *last = weir_map_get(&this_local->items, key), *found = NULL;
    for (item *before = last; before && !found; before = before->next != last ? before->next : NULL)
        if (!before->next->is_send && before->next->arg == arg)
            found = unlink_after(this_local, key, last, before);
    weir_mutex_unlock(&this_local->lock);
    weir_free(found);
    return found != NULL;
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
    const item *last = this_local->items.count ? weir_map_get(&this_local->items, key) : NULL;
    bool waits = last && !last->next->is_send;
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
