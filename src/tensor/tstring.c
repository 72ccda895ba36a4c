/* tensor/tstring.c - the four forms of a string element.
 *
 * Strings of COUNT_FROM bytes and more count as memory in use (base/room.h). Counted ones differ
 * from clients' allocations by their capacity, which is never COUNTED of UNIT there.
 */
#include "tensor/tstring.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/room.h"

enum { SMALL, LARGE, OFFSET, VIEW, SMALL_MOST = 22, COUNT_FROM = 64, UNIT = 16, COUNTED = 14 };

static int form(const weir_tstring *tstring)
{
    return tstring->bytes[0] & 3;
}

weir_str weir_tstring_get(const weir_tstring *tstring)
{
    switch (form(tstring)) {
    case SMALL:
        return (weir_str){(const char *)tstring->bytes + 1, tstring->bytes[0] >> 2};
    case LARGE:
        return (weir_str){tstring->large.at, tstring->large.head >> 2};
    case OFFSET:
        return (weir_str){(const char *)tstring + tstring->off.offset, tstring->off.head >> 2};
    default:
        return (weir_str){tstring->view.at, tstring->view.head >> 2};
    }
}

/* The owner of a view's bytes, in the clients' layout. */
typedef struct owner {
    void (*ref)(struct owner *self);
    bool (*unref)(struct owner *self);
    void *object;
} owner;

static void free_large(const weir_tstring *tstring)
{
    if (tstring->large.capacity % UNIT == COUNTED)
        weir_room_give(tstring->large.capacity);
    weir_free(tstring->large.at);
}

void weir_tstring_fini(weir_tstring *tstring)
{
    if (form(tstring) == LARGE)
        free_large(tstring);
    else if (form(tstring) == VIEW && tstring->view.owner)
        ((owner *)tstring->view.owner)->unref(tstring->view.owner);
    memset(tstring, 0, sizeof *tstring);
}

static size_t capacity_for(size_t length)
{
    if (length < COUNT_FROM)
        return (length + UNIT) / UNIT * UNIT - 1;
    return (length + UNIT + 1) / UNIT * UNIT - 2;
}

char *weir_tstring_resize(weir_tstring *tstring, size_t length)
{
    weir_tstring_fini(tstring);
    if (length <= SMALL_MOST) {
        tstring->bytes[0] = (uint8_t)(length << 2);
        tstring->bytes[1 + length] = 0;
        return (char *)tstring->bytes + 1;
    }
    size_t capacity = capacity_for(length);
    if (length >= COUNT_FROM)
        weir_room_add(capacity);
    tstring->large.head = length << 2 | LARGE;
    tstring->large.capacity = capacity;
    tstring->large.at = weir_alloc(capacity + 2); /* one more byte, for weir_tstring_uncount */
    tstring->large.at[length] = 0;
    return tstring->large.at;
}

void weir_tstring_set(weir_tstring *tstring, const void *bytes, size_t length)
{
    weir_tstring fresh = {0};
    if (length >= COUNT_FROM && !weir_room_grants(length))
        length = 0;
    char *at = weir_tstring_resize(&fresh, length);
    if (length)
        memcpy(at, bytes, length);
    weir_tstring_fini(tstring);
    *tstring = fresh;
}

void weir_tstring_uncount(weir_tstring *tstring)
{
    if (form(tstring) != LARGE || tstring->large.capacity % UNIT != COUNTED)
        return;
    weir_room_give(tstring->large.capacity);
    tstring->large.capacity++;
}
