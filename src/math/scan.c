/* math/scan.c - one strided loop per operation and type. */
#include "math/scan.h"

#include <math.h>
#include <stddef.h>

#include "math/half.h"

/* log(e^a + e^b) without leaving the range. */
static inline double log_add(double a, double b)
{
    double top = a > b ? a : b, low = a > b ? b : a;
    return top == -INFINITY ? top : top + log1p(exp(low - top));
}
static inline float log_add_f(float a, float b)
{
    float top = a > b ? a : b, low = a > b ? b : a;
    return top == -INFINITY ? top : top + log1pf(expf(low - top));
}

typedef void (*scan_fn)(const weir_scan *s, int64_t first, int64_t step);

/* |first| is where the line starts, |step| how far its elements are apart. */
#define LINE(id, C, V, read, write, start, combine)                                                \
    static void id(const weir_scan *s, int64_t first, int64_t step)                                \
    {                                                                                              \
        const C *x = (const C *)s->x + first;                                                      \
        C *y = (C *)s->y + first;                                                                  \
        V a = start;                                                                               \
        for (int64_t i = 0; i < s->length; i++, x += step, y += step) {                            \
            V b = read(*x);                                                                        \
            V next = combine;                                                                      \
            C rounded = write(next);                                                               \
            *y = s->exclusive ? write(a) : rounded;                                                \
            a = read(rounded);                                                                     \
        }                                                                                          \
    }
#define SAME(v) (v)
#define INT_LINES(e, C, W, class)                                                                  \
    LINE(sum_##e, C, C, SAME, SAME, 0, (C)((W)a + (W)b))                                           \
    LINE(prod_##e, C, C, SAME, SAME, 1, (C)((W)a * (W)b))
#define FLOAT_LINES(e, C, W, class)                                                                \
    LINE(sum_##e, C, C, SAME, SAME, 0, a + b) LINE(prod_##e, C, C, SAME, SAME, 1, a *b)
WEIR_ELEMS_INT(INT_LINES)
WEIR_ELEMS_FLOAT(FLOAT_LINES)
WEIR_ELEMS_COMPLEX(FLOAT_LINES)
LINE(logsumexp_f32, float, float, SAME, SAME, -INFINITY, log_add_f(a, b))
LINE(logsumexp_f64, double, double, SAME, SAME, -INFINITY, log_add(a, b))
#define HALF_LINES(e)                                                                              \
    LINE(sum_##e, uint16_t, float, weir_##e##_f32, weir_f32_##e, 0, a + b)                         \
    LINE(prod_##e, uint16_t, float, weir_##e##_f32, weir_f32_##e, 1, a *b)                         \
    LINE(logsumexp_##e, uint16_t, float, weir_##e##_f32, weir_f32_##e, -INFINITY, log_add_f(a, b))
HALF_LINES(f16)
HALF_LINES(bf16)

#define ROW(e, C, W, class)                                                                        \
    [WEIR_S_sum][WEIR_E_##e] = sum_##e, [WEIR_S_prod][WEIR_E_##e] = prod_##e,
static const scan_fn fns[WEIR_SCAN_COUNT][WEIR_ELEM_COUNT] = {
    WEIR_ELEMS_INT(ROW) WEIR_ELEMS_FLOAT(ROW) WEIR_ELEMS_COMPLEX(ROW)
        WEIR_ELEMS_HALF(ROW)[WEIR_S_logsumexp][WEIR_E_f16] = logsumexp_f16,
    [WEIR_S_logsumexp][WEIR_E_bf16] = logsumexp_bf16,
    [WEIR_S_logsumexp][WEIR_E_f32] = logsumexp_f32,
    [WEIR_S_logsumexp][WEIR_E_f64] = logsumexp_f64,
};

bool weir_scan_has(weir_scan_op op, weir_elem elem)
{
    return elem != WEIR_ELEM_NONE && fns[op][elem] != NULL;
}

static void lines(void *ctx, int64_t begin, int64_t end)
{
    const weir_scan *s = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t start = i / s->inner * s->length * s->inner + i % s->inner, step = s->inner;
        if (s->reverse) {
            start += (s->length - 1) * step;
            step = -step;
        }
        fns[s->op][s->elem](s, start, step);
    }
}

void weir_scan_run(const weir_par *par, const weir_scan *what)
{
    if (what->length == 0)
        return;
    int64_t grain = 8192 / what->length;
    weir_par_for(par, what->outer * what->inner, grain ? grain : 1, lines, (void *)what);
}
