/* base/str.c - byte buffers and an open-addressing map. */
#include "base/str.h"

#include <stdatomic.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/clock.h"
#include "base/mem.h"

void weir_buf_fini(weir_buf *buf)
{
    weir_free(buf->at);
    *buf = (weir_buf){0};
}

void weir_buf_reserve(weir_buf *buf, size_t more)
{
    if (buf->room - buf->length > more)
        return;
    size_t room = buf->room ? buf->room : 64;
    while (room - buf->length <= more)
        room *= 2;
    buf->at = weir_realloc(buf->at, room);
    buf->room = room;
}

void weir_buf_add(weir_buf *buf, const void *bytes, size_t length)
{
    weir_buf_reserve(buf, length);
    if (length)
        memcpy(buf->at + buf->length, bytes, length);
    buf->length += length;
    buf->at[buf->length] = 0;
}

void weir_buf_addc(weir_buf *buf, char ch)
{
    weir_buf_add(buf, &ch, 1);
}

void weir_buf_add_escaped(weir_buf *buf, weir_str text, bool utf8)
{
    static const char plain[] = "\n\r\t\"'\\", letters[] = "nrt\"'\\";
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        const char *known = c ? strchr(plain, c) : NULL;
        if (known)
            weir_buf_addf(buf, "\\%c", letters[known - plain]);
        else if (c < 32 || c == 127 || (c > 127 && !utf8))
            weir_buf_addf(buf, "\\%03o", c);
        else
            weir_buf_addc(buf, (char)c);
    }
}

void weir_buf_adds(weir_buf *buf, const char *text)
{
    weir_buf_add(buf, text, strlen(text));
}

void weir_buf_addf(weir_buf *buf, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    if (length > 0) {
        weir_buf_reserve(buf, (size_t)length + 1);
        vsnprintf(buf->at + buf->length, (size_t)length + 1, fmt, again);
        buf->length += (size_t)length;
    }
    va_end(again);
    va_end(args);
}

char *weir_buf_take(weir_buf *buf)
{
    weir_buf_add(buf, "", 0);
    char *text = buf->at;
    *buf = (weir_buf){0};
    return text;
}

struct weir_map_slot {
    char *key; /* null: never used; TOMB: removed */
    size_t length;
    uint64_t hash;
    void *value;
};

static char tomb_mark;
#define TOMB (&tomb_mark)

/* Drawn once, so that clients cannot choose keys with colliding slots. */
static uint64_t draw_secret(void)
{
    static _Atomic uint64_t secret;
    uint64_t known = atomic_load_explicit(&secret, memory_order_relaxed), fresh = 0;
    if (known)
        return known;
    if (getrandom(&fresh, sizeof fresh, GRND_NONBLOCK) != sizeof fresh)
        fresh = (uint64_t)weir_now_ns() ^ (uintptr_t)&secret;
    fresh |= 1;
    return atomic_compare_exchange_strong(&secret, &known, fresh) ? fresh : known;
}

/* Both halves of a product: each bit of it depends on the whole of |a| and |b|. */
static uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t weir_hash_bytes(const void *bytes, size_t length, uint64_t seed)
{
    const unsigned char *cursor = bytes;
    uint64_t secret = draw_secret(), hash = seed ^ fold(length ^ secret, 0x9e3779b97f4a7c15ull);
    while (length >= 8) {
        uint64_t w;
        memcpy(&w, cursor, 8);
        hash = fold(hash ^ w, secret ^ 0xff51afd7ed558cccull);
        cursor += 8;
        length -= 8;
    }
    uint64_t w = 0;
    for (size_t i = 0; i < length; i++)
        w |= (uint64_t)cursor[i] << (8 * i);
    return fold(hash ^ w, secret ^ 0xc4ceb9fe1a85ec52ull);
}

/* The slot of |key|, or the first free one where it would go. */
static struct weir_map_slot *find(const weir_map *map, weir_str key, uint64_t hash)
{
    struct weir_map_slot *first_tomb = NULL;
    for (size_t i = hash & (map->room - 1);; i = (i + 1) & (map->room - 1)) {
        struct weir_map_slot *slot = &map->slots[i];
        if (!slot->key)
            return first_tomb ? first_tomb : slot;
        if (slot->key == TOMB) {
            if (!first_tomb)
                first_tomb = slot;
        } else if (slot->hash == hash && slot->length == key.length &&
                   memcmp(slot->key, key.at, key.length) == 0) {
            return slot;
        }
    }
}

static bool live(const struct weir_map_slot *slot)
{
    return slot->key && slot->key != TOMB;
}

static void grow(weir_map *map)
{
    weir_map old = *map;
    map->room = 16;
    while (map->room < old.count * 4)
        map->room *= 2;
    map->slots = WEIR_NEW_ARRAY(struct weir_map_slot, map->room);
    map->used = map->count;
    for (size_t i = 0; i < old.room; i++)
        if (live(&old.slots[i]))
            *find(map, (weir_str){old.slots[i].key, old.slots[i].length}, old.slots[i].hash) =
                old.slots[i];
    weir_free(old.slots);
}

void weir_map_fini(weir_map *map)
{
    for (size_t i = 0; i < map->room; i++)
        if (live(&map->slots[i]))
            weir_free(map->slots[i].key);
    weir_free(map->slots);
    *map = (weir_map){0};
}

void *weir_map_get(const weir_map *map, weir_str key)
{
    if (!map->count)
        return NULL;
    struct weir_map_slot *slot = find(map, key, weir_hash_bytes(key.at, key.length, 0));
    return live(slot) ? slot->value : NULL;
}

void *weir_map_put(weir_map *map, weir_str key, void *value)
{
    if ((map->used + 1) * 2 > map->room)
        grow(map);
    uint64_t hash = weir_hash_bytes(key.at, key.length, 0);
    struct weir_map_slot *slot = find(map, key, hash);
    if (live(slot)) {
        void *old = slot->value;
        slot->value = value;
        return old;
    }
    if (!slot->key)
        map->used++;
    map->count++;
    *slot = (struct weir_map_slot){weir_strndup(key.at, key.length), key.length, hash, value};
    return NULL;
}

void *weir_map_remove(weir_map *map, weir_str key)
{
    if (!map->count)
        return NULL;
    struct weir_map_slot *slot = find(map, key, weir_hash_bytes(key.at, key.length, 0));
    if (!live(slot))
        return NULL;
    void *old = slot->value;
    weir_free(slot->key);
    *slot = (struct weir_map_slot){.key = TOMB};
    map->count--;
    return old;
}

bool weir_map_next(const weir_map *map, size_t *at, weir_str *out_key, void **out_value)
{
    for (; *at < map->room; ++*at) {
        struct weir_map_slot *slot = &map->slots[*at];
        if (!live(slot))
            continue;
        if (out_key)
            *out_key = (weir_str){slot->key, slot->length};
        if (out_value)
            *out_value = slot->value;
        ++*at;
        return true;
    }
    return false;
}
