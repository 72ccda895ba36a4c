/* math/select.c - selects elements by a mask. */
#include "math/select.h"

#include <stddef.h>

#include "math/elem.h"

typedef void (*row_fn)(int64_t count, const bool *c, int64_t dc, const void *x, int64_t dx,
                       const void *y, int64_t dy, void *z);

#define LOOPS "math/select.inc"
#include "math/each_size.inc"

typedef struct work {
    row_fn fn;
    const weir_bcast *b;
    const bool *c;
    const char *x, *y;
    char *z;
    int size;
} work;

static void rows(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    const weir_bcast *bcast = work->b;
    int last = bcast->rank - 1;
    int64_t row = bcast->dims[last], at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(bcast, begin, at, index);
    for (int64_t r = begin; r < end; r++) {
        work->fn(row, work->c + at[0], bcast->strides[0][last], work->x + at[1] * work->size,
                 bcast->strides[1][last], work->y + at[2] * work->size, bcast->strides[2][last],
                 work->z + r * row * work->size);
        weir_bcast_next(bcast, at, index);
    }
}

/* One long row: parts of it. */
static void part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    const weir_bcast *bcast = work->b;
    int64_t dc = bcast->strides[0][0], dx = bcast->strides[1][0], dy = bcast->strides[2][0];
    work->fn(end - begin, work->c + begin * dc, dc, work->x + begin * dx * work->size, dx,
             work->y + begin * dy * work->size, dy, work->z + begin * work->size);
}

void weir_select_run(const weir_par *par, int size, const weir_bcast *bcast, const bool *c,
                     const void *x, const void *y, void *z)
{
    static const row_fn fns[17] = {
        [1] = row_1, [2] = row_2, [4] = row_4, [8] = row_8, [16] = row_16};
    work work = {fns[size], bcast, c, x, y, z, size};
    int64_t row = bcast->dims[bcast->rank - 1], grain = 32768 / size;
    if (bcast->count == 0)
        return;
    if (bcast->rank == 1)
        weir_par_for(par, row, grain, part, &work);
    else
        weir_par_for(par, bcast->count / row, row >= grain ? 1 : grain / row, rows, &work);
}
