/* math/binary/binary.c - selects and runs the loops. */
#include "math/binary/binary.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "math/binary/binary_impl.h"
#include "math/cast/cast.h"

static const weir_binary_floats *floats(void)
{
    static _Atomic(const weir_binary_floats *) picked;
    const weir_binary_floats *binary_floats = atomic_load_explicit(&picked, memory_order_relaxed);
    if (__builtin_expect(!binary_floats, 0)) {
        binary_floats = WEIR_ISA_PICK(weir_binary_floats);
        atomic_store_explicit(&picked, binary_floats, memory_order_relaxed);
    }
    return binary_floats;
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
    bool swapped; /* of halves: the loop gets y, then x */
    int x_size, z_size;
    atomic_bool failed;
} work;

enum { TILE = 512 };

/* A tile of an operand in float; a broadcast one is a scalar. */
static void load_tile(const work *work, const char *from, bool repeats, int64_t at, int64_t n,
                      float *to)
{
    const uint16_t *p = (const uint16_t *)from;
    weir_halves_to_floats(work->elem, repeats ? 1 : n, repeats ? p : p + at, to);
}

/* Which of two equal arguments is the result shows in the sign of a zero. TensorFlow takes the
 * first for 16-bit floats; for others it takes the first or the second, by the place in the tensor.
 */
static bool picks_one(weir_binary_op op)
{
    return op == WEIR_B_maximum || op == WEIR_B_minimum;
}

static weir_binary_mode swapped_mode(weir_binary_mode mode)
{
    return mode == WEIR_X_REPEATS ? WEIR_Y_REPEATS : mode == WEIR_Y_REPEATS ? WEIR_X_REPEATS : mode;
}

static void run_halves(const work *work, int64_t count, const char *x, const char *y, char *z)
{
    float tx[TILE], ty[TILE], tz[TILE];
    for (int64_t i = 0; i < count; i += TILE) {
        int64_t n = count - i < TILE ? count - i : TILE;
        load_tile(work, x, work->mode == WEIR_X_REPEATS, i, n, tx);
        load_tile(work, y, work->mode == WEIR_Y_REPEATS, i, n, ty);
        if (work->out == WEIR_E_b8) {
            work->fn(n, tx, ty, z + i, work->mode);
        } else {
            if (work->swapped)
                work->fn(n, ty, tx, tz, swapped_mode(work->mode));
            else
                work->fn(n, tx, ty, tz, work->mode);
            weir_floats_to_halves(work->elem, n, tz, (uint16_t *)z + i);
        }
    }
}

static void run_row(work *work, int64_t count, const char *x, const char *y, char *z)
{
    if (weir_elem_is_half(work->elem))
        run_halves(work, count, x, y, z);
    else if (!work->fn(count, x, y, z, work->mode))
        atomic_store_explicit(&work->failed, true, memory_order_relaxed);
}

static void flat_part(void *ctx, int64_t begin, int64_t end)
{
    work *work = ctx;
    int64_t step = begin * work->x_size;
    run_row(work, end - begin, work->x + (work->mode == WEIR_X_REPEATS ? 0 : step),
            work->y + (work->mode == WEIR_Y_REPEATS ? 0 : step), work->z + begin * work->z_size);
}

static void rows_part(void *ctx, int64_t begin, int64_t end)
{
    work *work = ctx;
    const weir_bcast *bcast = work->bcast;
    int64_t row = bcast->dims[bcast->rank - 1], at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(bcast, begin, at, index);
    for (int64_t r = begin; r < end; r++) {
        run_row(work, row, work->x + at[0] * work->x_size, work->y + at[1] * work->x_size,
                work->z + r * row * work->z_size);
        weir_bcast_next(bcast, at, index);
    }
}

/* ---- a short row combined with many ---- */

enum { REPEATED_BYTES = 4096, SHORT_ROW = 128 };

/* One operand is the same short row for every row of the other: it is replicated into a longer one,
 * and several rows are processed at once. */
typedef struct repeated {
    work *w;
    int64_t row, rows; /* elements of a row; rows processed at once */
    bool first;        /* it is x */
    char tile[REPEATED_BYTES] __attribute__((aligned(64)));
} repeated;

static void repeated_part(void *ctx, int64_t begin, int64_t end)
{
    const repeated *repeated = ctx;
    work *work = repeated->w;
    for (int64_t r = begin; r < end; r += repeated->rows) {
        int64_t count = (end - r < repeated->rows ? end - r : repeated->rows) * repeated->row,
                at = r * repeated->row;
        run_row(work, count, repeated->first ? repeated->tile : work->x + at * work->x_size,
                repeated->first ? work->y + at * work->x_size : repeated->tile,
                work->z + at * work->z_size);
    }
}

enum { WHOLE = 64 }; /* rows: pieces of a loop end where vectors do */

static bool run_repeated(const weir_par *par, work *work, const weir_bcast *bcast)
{
    int64_t row = bcast->dims[1], bytes = row * work->x_size;
    bool first = bcast->strides[0][0] == 0;
    if (bcast->rank != 2 || row > SHORT_ROW || bcast->strides[0][1] != 1 ||
        bcast->strides[1][1] != 1 || first == (bcast->strides[1][0] == 0) ||
        bcast->strides[first][0] != row)
        return false;
    repeated repeated = {.w = work, .row = row, .rows = REPEATED_BYTES / bytes, .first = first};
    repeated.rows = repeated.rows < bcast->dims[0] ? repeated.rows : bcast->dims[0];
    for (int64_t i = 0; i < repeated.rows; i++)
        memcpy(repeated.tile + i * bytes, first ? work->x : work->y, (size_t)bytes);
    int64_t grain = weir_elem_grain(work->elem) / row / WHOLE * WHOLE + WHOLE;
    weir_par_for_long(par, bcast->dims[0], grain, repeated_part, &repeated);
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
        .swapped = weir_elem_is_half(elem) && picks_one(op),
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
    work work = make_work(op, elem, x, y, z);
    work.mode = mode;
    weir_par_for_long(par, count, grain, flat_part, &work);
    return !atomic_load_explicit(&work.failed, memory_order_relaxed);
}

bool weir_binary_bcast(const weir_par *par, weir_binary_op op, weir_elem elem,
                       const weir_bcast *bcast, const void *x, const void *y, void *z)
{
    int last = bcast->rank - 1;
    int64_t row = bcast->dims[last], grain = weir_elem_grain(elem);
    weir_binary_mode mode = row == 1                   ? WEIR_BOTH_VARY
                            : !bcast->strides[0][last] ? WEIR_X_REPEATS
                            : !bcast->strides[1][last] ? WEIR_Y_REPEATS
                                                       : WEIR_BOTH_VARY;
    if (bcast->count == 0)
        return true;
    if (bcast->rank == 1)
        return weir_binary_flat(par, op, elem, row, x, y, z, mode);
    work work = make_work(op, elem, x, y, z);
    work.mode = mode;
    work.bcast = bcast;
    if (!run_repeated(par, &work, bcast))
        weir_par_for_long(par, bcast->count / row, row >= grain ? 1 : grain / row, rows_part,
                          &work);
    return !atomic_load_explicit(&work.failed, memory_order_relaxed);
}
