/* math/cast/cast.c - one loop per pair of types; the 16-bit floats go through float. */
#include "math/cast/cast.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "math/cast/cast_impl.h"
#include "math/half.h"

typedef void (*cast_fn)(int64_t count, const void *x, void *y);

#define LOOP(id, X, Y, expr)                                                                       \
    static void id(int64_t count, const void *xs, void *ys)                                        \
    {                                                                                              \
        const X *px = xs;                                                                          \
        Y *py = ys;                                                                                \
        for (int64_t i = 0; i < count; i++) {                                                      \
            X x = px[i];                                                                           \
            py[i] = expr;                                                                          \
        }                                                                                          \
    }

/* From one type to all. A complex source is read by |value|. */
#define FROM(e, X, value)                                                                          \
    LOOP(e##_f32, X, float, (float)value)                                                          \
    LOOP(e##_f64, X, double, (double)value)                                                        \
    LOOP(e##_i8, X, int8_t, (int8_t)NARROW(value))                                                 \
    LOOP(e##_i16, X, int16_t, (int16_t)NARROW(value))                                              \
    LOOP(e##_i32, X, int32_t, (int32_t)value)                                                      \
    LOOP(e##_i64, X, int64_t, (int64_t)value)                                                      \
    LOOP(e##_u8, X, uint8_t, (uint8_t)NARROW(value))                                               \
    LOOP(e##_u16, X, uint16_t, (uint16_t)NARROW(value))                                            \
    LOOP(e##_u32, X, uint32_t, (uint32_t)WIDE(value))                                              \
    LOOP(e##_u64, X, uint64_t, (uint64_t)HUGE_(value))                                             \
    LOOP(e##_c64, X, weir_c64, (weir_c64)x)                                                        \
    LOOP(e##_c128, X, weir_c128, (weir_c128)x)                                                     \
    LOOP(e##_b8, X, bool, value != 0)

/* A float that an integer type cannot hold goes by way of a wider one, as x86-64 compilers do. */
#define NARROW(v) (int32_t)(v)
#define WIDE(v) (int64_t)(v)
#define HUGE_(v) ((v) < 0 ? (uint64_t)(int64_t)(v) : (uint64_t)(v))
FROM(f32, float, x)
FROM(f64, double, x)
FROM(c64, weir_c64, crealf(x))
FROM(c128, weir_c128, creal(x))
#undef NARROW
#undef WIDE
#undef HUGE_
#define NARROW(v) (v)
#define WIDE(v) (v)
#define HUGE_(v) (v)
FROM(i8, int8_t, x)
FROM(i16, int16_t, x)
FROM(i32, int32_t, x)
FROM(i64, int64_t, x)
FROM(u8, uint8_t, x)
FROM(u16, uint16_t, x)
FROM(u32, uint32_t, x)
FROM(u64, uint64_t, x)
FROM(b8, bool, x)

#define TO(e, to) [WEIR_E_##to] = e##_##to
#define ROW(e)                                                                                     \
    [WEIR_E_##e] = {TO(e, f32), TO(e, f64),  TO(e, i8),  TO(e, i16), TO(e, i32),                   \
                    TO(e, i64), TO(e, u8),   TO(e, u16), TO(e, u32), TO(e, u64),                   \
                    TO(e, c64), TO(e, c128), TO(e, b8)}
static const cast_fn casts[WEIR_ELEM_COUNT][WEIR_ELEM_COUNT] = {
    ROW(f32), ROW(f64), ROW(i8),  ROW(i16), ROW(i32),  ROW(i64), ROW(u8),
    ROW(u16), ROW(u32), ROW(u64), ROW(c64), ROW(c128), ROW(b8),
};

static const weir_half_loops *halves(void)
{
    static _Atomic(const weir_half_loops *) picked;
    const weir_half_loops *p = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!p, 0)) {
        p = WEIR_ISA_PICK(weir_half_loops);
        atomic_store_explicit(&picked, p, memory_order_relaxed);
    }
    return p;
}

void weir_halves_to_floats(weir_elem half, int64_t count, const uint16_t *x, float *y)
{
    halves()->to_float[half](count, x, y);
}

void weir_floats_to_halves(weir_elem half, int64_t count, const float *x, uint16_t *y)
{
    halves()->from_float[half](count, x, y);
}

typedef struct work {
    const char *x;
    char *y;
    weir_elem from, to;
    bool truncate;
} work;

/* Clears the mantissa bits that the target of a truncating cast does not have. */
static void clear_f32(float *x, int64_t count, weir_elem to)
{
    uint32_t mask = to == WEIR_E_f16 ? ~0x1fffu : to == WEIR_E_bf16 ? ~0xffffu : ~0u;
    for (int64_t i = 0; i < count; i++)
        x[i] = weir_bits_float(weir_float_bits(x[i]) & mask);
}

static void clear_f64(const double *x, double *y, int64_t count, weir_elem to)
{
    int bits = to == WEIR_E_f16 ? 42 : to == WEIR_E_bf16 ? 45 : to == WEIR_E_f32 ? 29 : 0;
    for (int64_t i = 0; i < count; i++) {
        union {
            double d;
            uint64_t u;
        } v = {x[i]};
        v.u &= ~0ull << bits;
        y[i] = v.d;
    }
}

enum { TILE = 512 };

/* |count| <= TILE elements to float. */
static void tile_in(const work *w, int64_t at, int64_t count, float *tile)
{
    const char *x = w->x + at * weir_elem_size(w->from);
    double wide[TILE];
    if (weir_elem_is_half(w->from)) {
        weir_halves_to_floats(w->from, count, (const uint16_t *)x, tile);
    } else if (w->truncate && w->from == WEIR_E_f64) {
        clear_f64((const double *)x, wide, count, w->to);
        casts[WEIR_E_f64][WEIR_E_f32](count, wide, tile);
    } else {
        casts[w->from][WEIR_E_f32](count, x, tile);
    }
    if (w->truncate && w->from == WEIR_E_f32)
        clear_f32(tile, count, w->to);
}

static void tile_out(const work *w, int64_t at, int64_t count, const float *tile)
{
    char *y = w->y + at * weir_elem_size(w->to);
    if (weir_elem_is_half(w->to))
        weir_floats_to_halves(w->to, count, tile, (uint16_t *)y);
    else
        casts[WEIR_E_f32][w->to](count, tile, y);
}

static void tiled_part(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    float tile[TILE];
    for (int64_t i = begin; i < end; i += TILE) {
        int64_t n = end - i < TILE ? end - i : TILE;
        tile_in(w, i, n, tile);
        tile_out(w, i, n, tile);
    }
}

static void plain_part(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    casts[w->from][w->to](end - begin, w->x + begin * weir_elem_size(w->from),
                          w->y + begin * weir_elem_size(w->to));
}

static void run(const weir_par *par, const work *w, int64_t count)
{
    bool tiled = w->truncate || weir_elem_is_half(w->from) || weir_elem_is_half(w->to);
    weir_par_for(par, count, 16384, tiled ? tiled_part : plain_part, (void *)w);
}

void weir_cast_run(const weir_par *par, weir_elem from, weir_elem to, int64_t count, const void *x,
                   void *y)
{
    if (from == to) {
        if (x != y)
            memcpy(y, x, (size_t)count * (size_t)weir_elem_size(from));
        return;
    }
    run(par, &(work){x, y, from, to, false}, count);
}

/* Only floats that become narrower floats lose bits. */
void weir_cast_truncate(const weir_par *par, weir_elem from, weir_elem to, int64_t count,
                        const void *x, void *y)
{
    bool narrows = (from == WEIR_E_f32 && weir_elem_is_half(to)) ||
                   (from == WEIR_E_f64 && (weir_elem_is_half(to) || to == WEIR_E_f32));
    if (!narrows)
        weir_cast_run(par, from, to, count, x, y);
    else
        run(par, &(work){x, y, from, to, true}, count);
}
