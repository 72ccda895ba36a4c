/* math/scan.c - one strided loop per operation and type. */
#include "math/scan.h"

#include <math.h>
#include <stddef.h>

#include "base/half.h"

/* log(e^a + e^b) without overflow. */
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

typedef void (*scan_fn)(const weir_scan *scan, int64_t first, int64_t step);

#define INLINE static inline __attribute__((always_inline))
#define LOG_ADD(a, b) _Generic((a), float : log_add_f, double : log_add)(a, b)
#define LOOPS "math/scan.inc"
#include "math/each_complex.inc"
#include "math/each_float.inc"
#include "math/each_half.inc"
#include "math/each_int.inc"

static const scan_fn fns[WEIR_SCAN_COUNT][WEIR_ELEM_COUNT] = {
    [WEIR_S_sum] =
        {
#define SUM(e, C, W, class) [WEIR_E_##e] = sum_##e,
            WEIR_ELEMS_INT(SUM) WEIR_ELEMS_FLOAT(SUM) WEIR_ELEMS_COMPLEX(SUM) WEIR_ELEMS_HALF(SUM)},
    [WEIR_S_prod] =
        {
#define PROD(e, C, W, class) [WEIR_E_##e] = prod_##e,
            WEIR_ELEMS_INT(PROD) WEIR_ELEMS_FLOAT(PROD) WEIR_ELEMS_COMPLEX(PROD)
                WEIR_ELEMS_HALF(PROD)},
    [WEIR_S_logsumexp] = {[WEIR_E_f16] = logsumexp_f16,
                          [WEIR_E_bf16] = logsumexp_bf16,
                          [WEIR_E_f32] = logsumexp_f32,
                          [WEIR_E_f64] = logsumexp_f64},
};

bool weir_scan_has(weir_scan_op op, weir_elem elem)
{
    return elem != WEIR_ELEM_NONE && fns[op][elem] != NULL;
}

static void lines(void *ctx, int64_t begin, int64_t end)
{
    const weir_scan *scan = ctx;
    for (int64_t i = begin; i < end; i++) {
        int64_t start = i / scan->inner * scan->length * scan->inner + i % scan->inner,
                step = scan->inner;
        if (scan->reverse) {
            start += (scan->length - 1) * step;
            step = -step;
        }
        fns[scan->op][scan->elem](scan, start, step);
    }
}

void weir_scan_run(const weir_par *par, const weir_scan *what)
{
    if (what->length == 0)
        return;
    int64_t grain = 8192 / what->length;
    weir_par_for(par, what->outer * what->inner, grain ? grain : 1, lines, (void *)what);
}
