/* math/unary/unary.c - selects and runs the loops. */
#include "math/unary/unary.h"

#include <stdatomic.h>
#include <stddef.h>

#include "math/cast/cast.h"
#include "math/unary/unary_impl.h"

static const weir_unary_floats *floats(void)
{
    static _Atomic(const weir_unary_floats *) picked;
    const weir_unary_floats *unary_floats = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!unary_floats, 0)) {
        unary_floats = WEIR_ISA_PICK(weir_unary_floats);
        atomic_store_explicit(&picked, unary_floats, memory_order_relaxed);
    }
    return unary_floats;
}

weir_unary_fn weir_unary_find(weir_unary_op op, weir_elem elem)
{
    if (elem == WEIR_E_f32 || weir_elem_is_half(elem))
        return floats()->f32[op];
    if (elem == WEIR_E_f64)
        return floats()->f64[op];
    const weir_unary_fn *table = elem >= 0 ? weir_unary_tables[elem] : NULL;
    return table ? table[op] : NULL;
}

static weir_elem real_of(weir_elem elem)
{
    return elem == WEIR_E_c64 ? WEIR_E_f32 : elem == WEIR_E_c128 ? WEIR_E_f64 : elem;
}

weir_elem weir_unary_out(weir_unary_op op, weir_elem elem)
{
    switch (op) {
#define WEIR_PREDICATE(name, f) case WEIR_U_##name:
#include "math/unary/unary.inc"
        return WEIR_E_b8;
#define WEIR_COUNT_BITS(name) case WEIR_U_##name:
#include "math/unary/unary.inc"
        return WEIR_E_u8;
#define WEIR_PART(name, c) case WEIR_U_##name:
#include "math/unary/unary.inc"
        return real_of(elem);
    default:
        return elem;
    }
}

typedef struct work {
    weir_unary_fn fn;
    const char *x;
    char *y;
    weir_elem elem, out;
} work;

static void plain_part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    work->fn(end - begin, work->x + begin * weir_elem_size(work->elem),
             work->y + begin * weir_elem_size(work->out));
}

/* Converts a 16-bit tile to float, runs the float loop, and converts it back. */
static void half_part(void *ctx, int64_t begin, int64_t end)
{
    enum { TILE = 512 };
    const work *work = ctx;
    float x[TILE], y[TILE];
    for (int64_t i = begin; i < end; i += TILE) {
        int64_t n = end - i < TILE ? end - i : TILE;
        weir_halves_to_floats(work->elem, n, (const uint16_t *)work->x + i, x);
        if (work->out == WEIR_E_b8) {
            work->fn(n, x, work->y + i);
            continue;
        }
        work->fn(n, x, y);
        weir_floats_to_halves(work->elem, n, y, (uint16_t *)work->y + i);
    }
}

void weir_unary_run(const weir_par *par, weir_unary_op op, weir_elem elem, int64_t count,
                    const void *x, void *y)
{
    weir_unary_fn fn = weir_unary_find(op, elem);
    int64_t grain = weir_elem_grain(elem);
    bool half = weir_elem_is_half(elem);
    if (count <= grain && !half) {
        fn(count, x, y);
        return;
    }
    work work = {fn, x, y, elem, weir_unary_out(op, elem)};
    weir_par_for_long(par, count, grain, half ? half_part : plain_part, &work);
}
