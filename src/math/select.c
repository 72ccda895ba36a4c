/* math/select.c - choosing elements by a mask. */
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
    const work *w = ctx;
    const weir_bcast *b = w->b;
    int last = b->rank - 1;
    int64_t row = b->dims[last], at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK];
    weir_bcast_seek(b, begin, at, index);
    for (int64_t r = begin; r < end; r++) {
        w->fn(row, w->c + at[0], b->strides[0][last], w->x + at[1] * w->size, b->strides[1][last],
              w->y + at[2] * w->size, b->strides[2][last], w->z + r * row * w->size);
        weir_bcast_next(b, at, index);
    }
}

/* One long row: parts of it. */
static void part(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    const weir_bcast *b = w->b;
    int64_t dc = b->strides[0][0], dx = b->strides[1][0], dy = b->strides[2][0];
    w->fn(end - begin, w->c + begin * dc, dc, w->x + begin * dx * w->size, dx,
          w->y + begin * dy * w->size, dy, w->z + begin * w->size);
}

void weir_select_run(const weir_par *par, int size, const weir_bcast *b, const bool *c,
                     const void *x, const void *y, void *z)
{
    static const row_fn fns[17] = {
        [1] = row_1, [2] = row_2, [4] = row_4, [8] = row_8, [16] = row_16};
    work w = {fns[size], b, c, x, y, z, size};
    int64_t row = b->dims[b->rank - 1], grain = 32768 / size;
    if (b->count == 0)
        return;
    if (b->rank == 1)
        weir_par_for(par, row, grain, part, &w);
    else
        weir_par_for(par, b->count / row, row >= grain ? 1 : grain / row, rows, &w);
}
