/* base/str.c - byte buffers and an open-addressing map. */
#include "base/str.h"

#include <stdio.h>

#include "base/mem.h"

void weir_buf_fini(weir_buf *b)
{
    weir_free(b->at);
    *b = (weir_buf){0};
}

void weir_buf_reserve(weir_buf *b, size_t more)
{
    if (b->room - b->length > more)
        return;
    size_t room = b->room ? b->room : 64;
    while (room - b->length <= more)
        room *= 2;
    b->at = weir_realloc(b->at, room);
    b->room = room;
}

void weir_buf_add(weir_buf *b, const void *bytes, size_t length)
{
    weir_buf_reserve(b, length);
    if (length)
        memcpy(b->at + b->length, bytes, length);
    b->length += length;
    b->at[b->length] = 0;
}

void weir_buf_addc(weir_buf *b, char c)
{
    weir_buf_add(b, &c, 1);
}

void weir_buf_add_escaped(weir_buf *b, weir_str s, bool utf8)
{
    static const char plain[] = "\n\r\t\"'\\", letters[] = "nrt\"'\\";
    for (size_t i = 0; i < s.length; i++) {
        unsigned char c = (unsigned char)s.at[i];
        const char *known = c ? strchr(plain, c) : NULL;
        if (known)
            weir_buf_addf(b, "\\%c", letters[known - plain]);
        else if (c < 32 || c == 127 || (c > 127 && !utf8))
            weir_buf_addf(b, "\\%03o", c);
        else
            weir_buf_addc(b, (char)c);
    }
}

void weir_buf_adds(weir_buf *b, const char *s)
{
    weir_buf_add(b, s, strlen(s));
}

void weir_buf_addf(weir_buf *b, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    if (n > 0) {
        weir_buf_reserve(b, (size_t)n + 1);
        vsnprintf(b->at + b->length, (size_t)n + 1, fmt, again);
        b->length += (size_t)n;
    }
    va_end(again);
    va_end(args);
}

char *weir_buf_take(weir_buf *b)
{
    weir_buf_add(b, "", 0);
    char *s = b->at;
    *b = (weir_buf){0};
    return s;
}

struct weir_map_slot {
    char *key; /* null: never used; TOMB: removed */
    size_t length;
    uint64_t hash;
    void *value;
};

static char tomb_mark;
#define TOMB (&tomb_mark)

uint64_t weir_hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t h = seed ^ (length * 0x9e3779b97f4a7c15ull);
    while (length >= 8) {
        uint64_t w;
        memcpy(&w, p, 8);
        h = (h ^ w) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
        p += 8;
        length -= 8;
    }
    uint64_t w = 0;
    for (size_t i = 0; i < length; i++)
        w |= (uint64_t)p[i] << (8 * i);
    h = (h ^ w) * 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 29);
}

/* The slot of |key|, or the first free one where it would go. */
static struct weir_map_slot *find(const weir_map *m, weir_str key, uint64_t hash)
{
    struct weir_map_slot *first_tomb = NULL;
    for (size_t i = hash & (m->room - 1);; i = (i + 1) & (m->room - 1)) {
        struct weir_map_slot *s = &m->slots[i];
        if (!s->key)
            return first_tomb ? first_tomb : s;
        if (s->key == TOMB) {
            if (!first_tomb)
                first_tomb = s;
        } else if (s->hash == hash && s->length == key.length &&
                   memcmp(s->key, key.at, key.length) == 0) {
            return s;
        }
    }
}

static bool live(const struct weir_map_slot *s)
{
    return s->key && s->key != TOMB;
}

static void grow(weir_map *m)
{
    weir_map old = *m;
    m->room = 16;
    while (m->room < old.count * 4)
        m->room *= 2;
    m->slots = WEIR_NEW_ARRAY(struct weir_map_slot, m->room);
    m->used = m->count;
    for (size_t i = 0; i < old.room; i++)
        if (live(&old.slots[i]))
            *find(m, (weir_str){old.slots[i].key, old.slots[i].length}, old.slots[i].hash) =
                old.slots[i];
    weir_free(old.slots);
}

void weir_map_fini(weir_map *m)
{
    for (size_t i = 0; i < m->room; i++)
        if (live(&m->slots[i]))
            weir_free(m->slots[i].key);
    weir_free(m->slots);
    *m = (weir_map){0};
}

void *weir_map_get(const weir_map *m, weir_str key)
{
    if (!m->count)
        return NULL;
    struct weir_map_slot *s = find(m, key, weir_hash_bytes(key.at, key.length, 0));
    return live(s) ? s->value : NULL;
}

void *weir_map_put(weir_map *m, weir_str key, void *value)
{
    if ((m->used + 1) * 2 > m->room)
        grow(m);
    uint64_t hash = weir_hash_bytes(key.at, key.length, 0);
    struct weir_map_slot *s = find(m, key, hash);
    if (live(s)) {
        void *old = s->value;
        s->value = value;
        return old;
    }
    if (!s->key)
        m->used++;
    m->count++;
    *s = (struct weir_map_slot){weir_strndup(key.at, key.length), key.length, hash, value};
    return NULL;
}

void *weir_map_remove(weir_map *m, weir_str key)
{
    if (!m->count)
        return NULL;
    struct weir_map_slot *s = find(m, key, weir_hash_bytes(key.at, key.length, 0));
    if (!live(s))
        return NULL;
    void *old = s->value;
    weir_free(s->key);
    *s = (struct weir_map_slot){.key = TOMB};
    m->count--;
    return old;
}

bool weir_map_next(const weir_map *m, size_t *at, weir_str *out_key, void **out_value)
{
    for (; *at < m->room; ++*at) {
        struct weir_map_slot *s = &m->slots[*at];
        if (!live(s))
            continue;
        if (out_key)
            *out_key = (weir_str){s->key, s->length};
        if (out_value)
            *out_value = s->value;
        ++*at;
        return true;
    }
    return false;
}
