/* math/reduce/arg.c - index of the first largest or smallest element along a dimension. */
#include <float.h>

#include "base/half.h"
#include "math/reduce/reduce.h"

typedef struct work {
    const void *x;
    void *y;
    int64_t length, inner;
    weir_elem out;
    int64_t (*find)(const void *x, int64_t start, int64_t length, int64_t stride);
} work;

/* The lowest and the highest finite value of each type. */
static const float HIGHEST_f16 = 65504, LOWEST_f16 = -65504;
static const float HIGHEST_bf16 = 0x1.fep127f, LOWEST_bf16 = -0x1.fep127f;
static const float HIGHEST_f32 = FLT_MAX, LOWEST_f32 = -FLT_MAX;
static const double HIGHEST_f64 = DBL_MAX, LOWEST_f64 = -DBL_MAX;
static const int8_t HIGHEST_i8 = INT8_MAX, LOWEST_i8 = INT8_MIN;
static const int16_t HIGHEST_i16 = INT16_MAX, LOWEST_i16 = INT16_MIN;
static const int32_t HIGHEST_i32 = INT32_MAX, LOWEST_i32 = INT32_MIN;
static const int64_t HIGHEST_i64 = INT64_MAX, LOWEST_i64 = INT64_MIN;
static const uint8_t HIGHEST_u8 = UINT8_MAX, LOWEST_u8 = 0;
static const uint16_t HIGHEST_u16 = UINT16_MAX, LOWEST_u16 = 0;
static const uint32_t HIGHEST_u32 = UINT32_MAX, LOWEST_u32 = 0;
static const uint64_t HIGHEST_u64 = UINT64_MAX, LOWEST_u64 = 0;
static const bool HIGHEST_b8 = true, LOWEST_b8 = false;

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
