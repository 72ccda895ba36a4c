/* tensor/tstring.c - the four forms of a string element. */
#include "tensor/tstring.h"

#include <stdlib.h>

#include "base/mem.h"

enum { SMALL, LARGE, OFFSET, VIEW, SMALL_MOST = 22 };

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

/* Who keeps the bytes of a view, as clients lay it out. */
typedef struct owner {
    void (*ref)(struct owner *self);
    bool (*unref)(struct owner *self);
    void *object;
} owner;

void weir_tstring_fini(weir_tstring *tstring)
{
    if (form(tstring) == LARGE)
        weir_free(tstring->large.at);
    else if (form(tstring) == VIEW && tstring->view.owner)
        ((owner *)tstring->view.owner)->unref(tstring->view.owner);
    memset(tstring, 0, sizeof *tstring);
}

char *weir_tstring_resize(weir_tstring *tstring, size_t length)
{
    weir_tstring_fini(tstring);
    if (length <= SMALL_MOST) {
        tstring->bytes[0] = (uint8_t)(length << 2);
        tstring->bytes[1 + length] = 0;
        return (char *)tstring->bytes + 1;
    }
    size_t capacity = (length + 16) / 16 * 16 - 1;
    tstring->large.head = length << 2 | LARGE;
    tstring->large.capacity = capacity;
    tstring->large.at = weir_alloc(capacity + 1);
    tstring->large.at[length] = 0;
    return tstring->large.at;
}

void weir_tstring_set(weir_tstring *tstring, const void *bytes, size_t length)
{
    weir_tstring fresh = {0};
    char *at = weir_tstring_resize(&fresh, length);
    if (length)
        memcpy(at, bytes, length);
    weir_tstring_fini(tstring);
    *tstring = fresh;
}
