/* math/binary/binary.c - finding and running the loops. */
#include "math/binary/binary.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "math/binary/binary_impl.h"
#include "math/cast/cast.h"

static const weir_binary_floats *floats(void)
{
    static _Atomic(const weir_binary_floats *) picked;
    const weir_binary_floats *p = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!p, 0)) {
        p = WEIR_ISA_PICK(weir_binary_floats);
        atomic_store_explicit(&picked, p, memory_order_relaxed);
    }
    return p;
}

weir_binary_fn weir_binary_find(weir_binary_op op, weir_elem elem)
{
    if (elem == WEIR_E_f32 || weir_elem_is_half(elem))
        return floats()->f32[op];
    if (elem == WEIR_E_f64)
        return floats()->f64[op];
    const weir_binary_fn *table = elem >= 0 ? weir_binary_tables[elem] : NULL;
    return table ? table[op] : NULL;
}

weir_elem weir_binary_out(weir_binary_op op, weir_elem elem)
{
    switch (op) {
#define WEIR_COMPARE(name, r, c) case WEIR_B_##name:
#include "math/binary/binary.inc"
        return WEIR_E_b8;
    default:
        return elem;
    }
}

typedef struct work {
    weir_binary_fn fn;
    const char *x, *y;
    char *z;
    const weir_bcast *bcast; /* null: flat */
    weir_binary_mode mode;   /* of the last dimension */
    weir_elem elem, out;
    int x_size, z_size;
    atomic_bool failed;
} work;

enum { TILE = 512 };

/* A tile of an operand in float; a repeated one is a single value. */
static void load_tile(const work *w, const char *from, bool repeats, int64_t at, int64_t n,
                      float *to)
{
    const uint16_t *p = (const uint16_t *)from;
    weir_halves_to_floats(w->elem, repeats ? 1 : n, repeats ? p : p + at, to);
}

static void run_halves(const work *w, int64_t count, const char *x, const char *y, char *z)
{
    float tx[TILE], ty[TILE], tz[TILE];
    for (int64_t i = 0; i < count; i += TILE) {
        int64_t n = count - i < TILE ? count - i : TILE;
        load_tile(w, x, w->mode == WEIR_X_REPEATS, i, n, tx);
        load_tile(w, y, w->mode == WEIR_Y_REPEATS, i, n, ty);
        if (w->out == WEIR_E_b8) {
            w->fn(n, tx, ty, z + i, w->mode);
        } else {
            w->fn(n, tx, ty, tz, w->mode);
            weir_floats_to_halves(w->elem, n, tz, (uint16_t *)z + i);
        }
    }
}

static void run_row(work *w, int64_t count, const char *x, const char *y, char *z)
{
    if (weir_elem_is_half(w->elem))
        run_halves(w, count, x, y, z);
    else if (!w->fn(count, x, y, z, w->mode))
        atomic_store_explicit(&w->failed, true, memory_order_relaxed);
}

static void flat_part(void *ctx, int64_t begin, int64_t end)
{
    work *w = ctx;
    int64_t step = begin * w->x_size;
    run_row(w, end - begin, w->x + (w->mode == WEIR_X_REPEATS ? 0 : step),
            w->y + (w->mode == WEIR_Y_REPEATS ? 0 : step), w->z + begin * w->z_size);
}

static void rows_part(void *ctx, int64_t begin, int64_t end)
{
    work *w = ctx;
    const weir_bcast *b = w->bcast;
    int64_t row = b->dims[b->rank - 1], at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(b, begin, at, index);
    for (int64_t r = begin; r < end; r++) {
        run_row(w, row, w->x + at[0] * w->x_size, w->y + at[1] * w->x_size,
                w->z + r * row * w->z_size);
        weir_bcast_next(b, at, index);
    }
}

/* ---- a short row combined with many ---- */

enum { REPEATED_BYTES = 4096, SHORT_ROW = 128 };

/* One operand is the same short row for every row of the other: it is written down several times,
 * and as many rows are one. */
typedef struct repeated {
    work *w;
    int64_t row, rows; /* elements of a row; rows taken at once */
    bool first;        /* it is x */
    char tile[REPEATED_BYTES] __attribute__((aligned(64)));
} repeated;

static void repeated_part(void *ctx, int64_t begin, int64_t end)
{
    const repeated *t = ctx;
    work *w = t->w;
    for (int64_t r = begin; r < end; r += t->rows) {
        int64_t count = (end - r < t->rows ? end - r : t->rows) * t->row, at = r * t->row;
        run_row(w, count, t->first ? t->tile : w->x + at * w->x_size,
                t->first ? w->y + at * w->x_size : t->tile, w->z + at * w->z_size);
    }
}

static bool run_repeated(const weir_par *par, work *w, const weir_bcast *b)
{
    int64_t row = b->dims[1], bytes = row * w->x_size;
    bool first = b->strides[0][0] == 0;
    if (b->rank != 2 || row > SHORT_ROW || b->strides[0][1] != 1 || b->strides[1][1] != 1 ||
        first == (b->strides[1][0] == 0) || b->strides[first][0] != row)
        return false;
    repeated t = {.w = w, .row = row, .rows = REPEATED_BYTES / bytes, .first = first};
    t.rows = t.rows < b->dims[0] ? t.rows : b->dims[0];
    for (int64_t i = 0; i < t.rows; i++)
        memcpy(t.tile + i * bytes, first ? w->x : w->y, (size_t)bytes);
    weir_par_for(par, b->dims[0], weir_elem_grain(w->elem) / row + 1, repeated_part, &t);
    return true;
}

static work make_work(weir_binary_op op, weir_elem elem, const void *x, const void *y, void *z)
{
    weir_elem out = weir_binary_out(op, elem);
    return (work){
        .fn = weir_binary_find(op, elem),
        .x = x,
        .y = y,
        .z = z,
        .elem = elem,
        .out = out,
        .x_size = weir_elem_size(elem),
        .z_size = weir_elem_size(out),
    };
}

bool weir_binary_flat(const weir_par *par, weir_binary_op op, weir_elem elem, int64_t count,
                      const void *x, const void *y, void *z, weir_binary_mode mode)
{
    int64_t grain = weir_elem_grain(elem);
    if (count <= grain && !weir_elem_is_half(elem))
        return weir_binary_find(op, elem)(count, x, y, z, mode);
    work w = make_work(op, elem, x, y, z);
    w.mode = mode;
    weir_par_for(par, count, grain, flat_part, &w);
    return !atomic_load_explicit(&w.failed, memory_order_relaxed);
}

bool weir_binary_bcast(const weir_par *par, weir_binary_op op, weir_elem elem, const weir_bcast *b,
                       const void *x, const void *y, void *z)
{
    int last = b->rank - 1;
    int64_t row = b->dims[last], grain = weir_elem_grain(elem);
    weir_binary_mode mode = row == 1               ? WEIR_BOTH_VARY
                            : !b->strides[0][last] ? WEIR_X_REPEATS
                            : !b->strides[1][last] ? WEIR_Y_REPEATS
                                                   : WEIR_BOTH_VARY;
    if (b->count == 0)
        return true;
    if (b->rank == 1)
        return weir_binary_flat(par, op, elem, row, x, y, z, mode);
    work w = make_work(op, elem, x, y, z);
    w.mode = mode;
    w.bcast = b;
    if (!run_repeated(par, &w, b))
        weir_par_for(par, b->count / row, row >= grain ? 1 : grain / row, rows_part, &w);
    return !atomic_load_explicit(&w.failed, memory_order_relaxed);
}
