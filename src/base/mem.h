/* base/mem.h - memory for small objects, and arenas.
 *
 * weir_alloc and its family serve metadata of bounded size. If the system is out of memory, they
 * retry for two seconds while other threads free memory; then they print the requested size and
 * exit the process with status 70. Tensor buffers, whose size a user chooses, come from memory/,
 * which returns a status instead.
 */
#ifndef WEIR_BASE_MEM_H
#define WEIR_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *weir_alloc(size_t bytes);          /* not cleared; bytes may be 0 */
void *weir_zalloc(size_t bytes);         /* cleared */
void *weir_zalloc_aligned(size_t bytes); /* cleared, 64-byte aligned; for weir_free_aligned only */
void *weir_realloc(void *ptr, size_t bytes);
void weir_free(void *ptr);         /* takes null */
void weir_free_aligned(void *ptr); /* takes null */
char *weir_strdup(const char *text);
char *weir_strndup(const char *text, size_t length); /* always terminated */
/* WEIR_FREED char *copy = weir_strdup(text); frees it at the end of its scope. */
#define WEIR_FREED __attribute__((cleanup(weir_free_at)))
void weir_free_at(void *pointer_to_it);

#define WEIR_NEW(type) ((type *)weir_zalloc(sizeof(type)))
#define WEIR_NEW_ARRAY(type, count) ((type *)weir_zalloc(sizeof(type) * (size_t)(count)))

/* a * b and a + b; false when the result does not fit. */
static inline bool weir_size_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}
static inline bool weir_size_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* An arena frees all its memory at once. One thread at a time. */
typedef struct weir_arena {
    struct weir_arena_block *blocks; /* newest first */
    char *next, *end;                /* free part of the newest block */
    struct weir_arena_defer *defers; /* run newest first by fini */
    size_t bytes;                    /* of all blocks */
} weir_arena;

void weir_arena_init(weir_arena *arena);
void weir_arena_fini(weir_arena *arena);                  /* takes a zeroed arena */
void *weir_arena_alloc(weir_arena *arena, size_t bytes);  /* 16-byte aligned, not cleared */
void *weir_arena_zalloc(weir_arena *arena, size_t bytes); /* cleared */
char *weir_arena_strdup(weir_arena *arena, const char *text);
char *weir_arena_strndup(weir_arena *arena, const char *text, size_t length);
/* Calls fn(arg) when the arena ends: for the few objects that hold a reference. */
void weir_arena_defer(weir_arena *arena, void (*fn)(void *arg), void *arg);

#define WEIR_ARENA_NEW(arena, type) ((type *)weir_arena_zalloc(arena, sizeof(type)))
#define WEIR_ARENA_ARRAY(arena, type, count)                                                       \
    ((type *)weir_arena_zalloc(arena, sizeof(type) * (size_t)(count)))

/* A growable array: struct { T *at; size_t count, room; }. Clear it by weir_vec_fini. */
#define WEIR_VEC(type)                                                                             \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t count, room;                                                                        \
    }
#define weir_vec_push(vec, ...)                                                                    \
    do {                                                                                           \
        if ((vec)->count == (vec)->room) {                                                         \
            (vec)->room = (vec)->room ? (vec)->room * 2 : 8;                                       \
            (vec)->at = weir_realloc((vec)->at, (vec)->room * sizeof *(vec)->at);                  \
        }                                                                                          \
        (vec)->at[(vec)->count++] = (__VA_ARGS__);                                                 \
    } while (0)
#define weir_vec_fini(vec)                                                                         \
    do {                                                                                           \
        weir_free((vec)->at);                                                                      \
        (vec)->at = NULL;                                                                          \
        (vec)->count = (vec)->room = 0;                                                            \
    } while (0)

#endif
