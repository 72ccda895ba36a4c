/* base/str.h - views of bytes, a growable buffer of bytes, and a map from names to pointers. */
#ifndef WEIR_BASE_STR_H
#define WEIR_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* A view; does not own its bytes, which need not be terminated. */
typedef struct weir_str {
    const char *at;
    size_t length;
} weir_str;

#define WEIR_STR(literal) ((weir_str){"" literal, sizeof(literal) - 1})
#define WEIR_STR_ARG(s) (int)(s).length, (s).at /* for %.*s */

static inline weir_str weir_str_of(const char *text)
{
    return (weir_str){text, strlen(text)};
}
static inline bool weir_str_eq(weir_str a, weir_str b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}
static inline bool weir_str_is(weir_str text, const char *b)
{
    return weir_str_eq(text, weir_str_of(b));
}

/* A growable run of bytes; |at| is NUL-terminated once anything was added. */
typedef struct weir_buf {
    char *at;
    size_t length, room;
} weir_buf;

void weir_buf_fini(weir_buf *buf); /* takes a zeroed buffer */
/* A local buffer, empty at first, that is freed when its scope ends. */
#define WEIR_BUF(name) __attribute__((cleanup(weir_buf_fini))) weir_buf name = {0}
/* The contents; valid until the buffer grows or ends. */
static inline weir_str weir_view(const weir_buf *buf)
{
    return (weir_str){buf->at, buf->length};
}
void weir_buf_reserve(weir_buf *buf, size_t more);
void weir_buf_add(weir_buf *buf, const void *bytes, size_t length);
void weir_buf_addc(weir_buf *buf, char ch);
/* Escapes control characters, quotes and backslashes as in C; bytes above 127 too, unless
 * |utf8|. */
void weir_buf_add_escaped(weir_buf *buf, weir_str text, bool utf8);
void weir_buf_adds(weir_buf *buf, const char *text);
void weir_buf_addf(weir_buf *buf, const char *fmt, ...) WEIR_PRINTF(2, 3);
char *
weir_buf_take(weir_buf *buf); /* a terminated string that the caller frees; b is empty again */

/* Names to pointers. Keys are copied. One thread at a time. */
typedef struct weir_map {
    struct weir_map_slot *slots;
    size_t room, count, used;
} weir_map;

void weir_map_fini(weir_map *map); /* takes a zeroed map; does not free the values */
void *weir_map_get(const weir_map *map, weir_str key);        /* null when absent */
void *weir_map_put(weir_map *map, weir_str key, void *value); /* returns the previous value */
void *weir_map_remove(weir_map *map, weir_str key);           /* returns the value */
/* Iterates in no particular order: start with *at = 0; false at the end. */
bool weir_map_next(const weir_map *map, size_t *at, weir_str *out_key, void **out_value);

/* For hash tables of this process: seeded with a secret of the process, so that a client cannot
 * choose colliding keys. */
uint64_t weir_hash_bytes(const void *bytes, size_t length, uint64_t seed);

#endif
