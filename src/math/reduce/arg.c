/* math/reduce/arg.c - index of the first largest or smallest element along a dimension. */
#include "base/half.h"
#include "math/reduce/reduce.h"

typedef struct work {
    const void *x;
    void *y;
    int64_t length, inner;
    weir_elem out;
    int64_t (*find)(const void *x, int64_t start, int64_t length, int64_t stride);
} work;

#define LOOPS "math/reduce/arg.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

#define ELEM bool
#define VALUE bool
#define NAME(x) x##_b8
#define LOAD(element) (element)
#include LOOPS

#define ROW(e, C, W, class) [WEIR_E_##e] = {min_##e, max_##e},
static int64_t (*const finders[WEIR_ELEM_COUNT][2])(const void *, int64_t, int64_t, int64_t) = {
    WEIR_ELEMS_HALF(ROW) WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_INT(ROW) WEIR_ELEMS_BOOL(ROW)};

static void store(weir_elem out, void *y, int64_t at, int64_t index)
{
    switch (out) {
    case WEIR_E_i64:
        ((int64_t *)y)[at] = index;
        break;
    case WEIR_E_i32:
        ((int32_t *)y)[at] = (int32_t)index;
        break;
    default:
        ((uint16_t *)y)[at] = (uint16_t)index;
    }
}

static void part(void *ctx, int64_t begin, int64_t end)
{
    const work *work = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t o = i / work->inner, k = i % work->inner;
        store(work->out, work->y, i,
              work->find(work->x, o * work->length * work->inner + k, work->length, work->inner));
    }
}

void weir_arg_extreme(const weir_par *par, bool largest, weir_elem elem, weir_elem out,
                      int64_t outer, int64_t length, int64_t inner, const void *x, void *y)
{
    work work = {x, y, length, inner, out, finders[elem][largest]};
    int64_t grain = length ? 16384 / length : 16384;
    weir_par_for(par, outer * inner, grain ? grain : 1, part, &work);
}
