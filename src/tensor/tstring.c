/* tensor/tstring.c - the four forms of a string element. */
#include "tensor/tstring.h"

#include <stdlib.h>

#include "base/mem.h"

enum { SMALL, LARGE, OFFSET, VIEW, SMALL_MOST = 22 };

static int form(const weir_tstring *s)
{
    return s->bytes[0] & 3;
}

weir_str weir_tstring_get(const weir_tstring *s)
{
    switch (form(s)) {
    case SMALL:
        return (weir_str){(const char *)s->bytes + 1, s->bytes[0] >> 2};
    case LARGE:
        return (weir_str){s->large.at, s->large.head >> 2};
    case OFFSET:
        return (weir_str){(const char *)s + s->off.offset, s->off.head >> 2};
    default:
        return (weir_str){s->view.at, s->view.head >> 2};
    }
}

/* Who keeps the bytes of a view, as clients lay it out. */
typedef struct owner {
    void (*ref)(struct owner *self);
    bool (*unref)(struct owner *self);
    void *object;
} owner;

void weir_tstring_fini(weir_tstring *s)
{
    if (form(s) == LARGE)
        weir_free(s->large.at);
    else if (form(s) == VIEW && s->view.owner)
        ((owner *)s->view.owner)->unref(s->view.owner);
    memset(s, 0, sizeof *s);
}

char *weir_tstring_resize(weir_tstring *s, size_t length)
{
    weir_tstring_fini(s);
    if (length <= SMALL_MOST) {
        s->bytes[0] = (uint8_t)(length << 2);
        s->bytes[1 + length] = 0;
        return (char *)s->bytes + 1;
    }
    size_t capacity = (length + 16) / 16 * 16 - 1;
    s->large.head = length << 2 | LARGE;
    s->large.capacity = capacity;
    s->large.at = weir_alloc(capacity + 1);
    s->large.at[length] = 0;
    return s->large.at;
}

void weir_tstring_set(weir_tstring *s, const void *bytes, size_t length)
{
    weir_tstring fresh = {0};
    char *at = weir_tstring_resize(&fresh, length);
    if (length)
        memcpy(at, bytes, length);
    weir_tstring_fini(s);
    *s = fresh;
}
