/* math/cast/cast.c - one loop per pair of types; the 16-bit floats go through float. */
#include "math/cast/cast.h"

#include <complex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/half.h"
#include "math/cast/cast_impl.h"

typedef void (*cast_fn)(int64_t count, const void *x, void *y);

#define LOOPS "math/cast/cast_from.inc"
#include "math/each_complex.inc"
#include "math/each_float.inc"
#include "math/each_int.inc"

#define ELEM bool
#define NAME(x) x##_b8
#include LOOPS

/* [from][to] */
static const cast_fn *const casts[WEIR_ELEM_COUNT] = {
    [WEIR_E_f32] = from_f32, [WEIR_E_f64] = from_f64, [WEIR_E_i8] = from_i8,
    [WEIR_E_i16] = from_i16, [WEIR_E_i32] = from_i32, [WEIR_E_i64] = from_i64,
    [WEIR_E_u8] = from_u8,   [WEIR_E_u16] = from_u16, [WEIR_E_u32] = from_u32,
    [WEIR_E_u64] = from_u64, [WEIR_E_c64] = from_c64, [WEIR_E_c128] = from_c128,
    [WEIR_E_b8] = from_b8,
};

static const weir_half_loops *halves(void)
{
    static _Atomic(const weir_half_loops *) picked;
    const weir_half_loops *loops = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!loops, 0)) {
        loops = WEIR_ISA_PICK(weir_half_loops);
        atomic_store_explicit(&picked, loops, memory_order_relaxed);
    }
    return loops;
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

/* Clears the mantissa bits that the target of a truncating cast lacks. */
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
static void tile_in(const work *work, int64_t at, int64_t count, float *tile)
{
    const char *x = work->x + at * weir_elem_size(work->from);
    double wide[TILE];
    if (weir_elem_is_half(work->from)) {
        weir_halves_to_floats(work->from, count, (const uint16_t *)x, tile);
    } else if (work->truncate && work->from == WEIR_E_f64) {
        clear_f64((const double *)x, wide, count, work->to);
        casts[WEIR_E_f64][WEIR_E_f32](count, wide, tile);
    } else {
        casts[work->from][WEIR_E_f32](count, x, tile);
    }
    if (work->truncate && work->from == WEIR_E_f32)
        clear_f32(tile, count, work->to);
}

static void tile_out(const work *work, int64_t at, int64_t count, const float *tile)
{
    char *y = work->y + at * weir_elem_size(work->to);
    if (weir_elem_is_half(work->to))
        weir_floats_to_halves(work->to, count, tile, (uint16_t *)y);
    else
        casts[WEIR_E_f32][work->to](count, tile, y);
}

static void tiled_part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    float tile[TILE];
    for (int64_t i = begin; i < end; i += TILE) {
        int64_t n = end - i < TILE ? end - i : TILE;
        tile_in(work, i, n, tile);
        tile_out(work, i, n, tile);
    }
}

static void plain_part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    casts[work->from][work->to](end - begin, work->x + begin * weir_elem_size(work->from),
                                work->y + begin * weir_elem_size(work->to));
}

static void run(const weir_par *par, const work *work, int64_t count)
{
    bool tiled = work->truncate || weir_elem_is_half(work->from) || weir_elem_is_half(work->to);
    weir_par_for(par, count, 16384, tiled ? tiled_part : plain_part, (void *)work);
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

/* Only casts to narrower floats lose bits. */
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
