/* math/gemm/plain.c - the obvious product, for the types that have no tiles. */
#include <string.h>

#include "math/elem.h"
#include "math/gemm/gemm_impl.h"
#include "math/half.h"

/* Element (i, p) of a stored matrix under an op. */
static int64_t at(int64_t i, int64_t j, int64_t ld, weir_gemm_op op)
{
    return op == WEIR_GEMM_PLAIN ? i * ld + j : j * ld + i;
}

#define KEEP(x, op) (x)
#define CONJ_C64(x, op) ((op) == WEIR_GEMM_ADJOINT ? conjf(x) : (x))
#define CONJ_C128(x, op) ((op) == WEIR_GEMM_ADJOINT ? conj(x) : (x))

/* Rows of C one by one; the inner loop runs along B's rows when those are dense. */
#define ROWS(suffix, type, sum_type, take)                                                         \
    static void rows_##suffix(void *ctx, int64_t begin, int64_t end)                               \
    {                                                                                              \
        const weir_gemm *g = ctx;                                                                  \
        const type *a = g->a, *b = g->b;                                                           \
        for (int64_t i = begin; i < end; i++) {                                                    \
            type *restrict c = (type *)g->c + i * g->ldc;                                          \
            if (!g->accumulate)                                                                    \
                memset(c, 0, (size_t)g->n * sizeof *c);                                            \
            if (g->op_b == WEIR_GEMM_PLAIN) {                                                      \
                for (int64_t p = 0; p < g->k; p++) {                                               \
                    const type x = take(a[at(i, p, g->lda, g->op_a)], g->op_a);                    \
                    for (int64_t j = 0; j < g->n; j++)                                             \
                        c[j] = (type)(c[j] + (sum_type)x * b[p * g->ldb + j]);                     \
                }                                                                                  \
                continue;                                                                          \
            }                                                                                      \
            for (int64_t j = 0; j < g->n; j++) {                                                   \
                sum_type sum = 0;                                                                  \
                for (int64_t p = 0; p < g->k; p++)                                                 \
                    sum += (sum_type)take(a[at(i, p, g->lda, g->op_a)], g->op_a) *                 \
                           take(b[j * g->ldb + p], g->op_b);                                       \
                c[j] = (type)(c[j] + sum);                                                         \
            }                                                                                      \
        }                                                                                          \
    }

/* Integers wrap: their sums are unsigned, which C defines. */
ROWS(i8, int8_t, uint32_t, KEEP)
ROWS(u8, uint8_t, uint32_t, KEEP)
ROWS(i16, int16_t, uint32_t, KEEP)
ROWS(u16, uint16_t, uint32_t, KEEP)
ROWS(i32, int32_t, uint32_t, KEEP)
ROWS(u32, uint32_t, uint32_t, KEEP)
ROWS(i64, int64_t, uint64_t, KEEP)
ROWS(u64, uint64_t, uint64_t, KEEP)
ROWS(f32, float, float, KEEP)
ROWS(f64, double, double, KEEP)
ROWS(c64, float complex, float complex, CONJ_C64)
ROWS(c128, double complex, double complex, CONJ_C128)

#define NARROW(suffix)                                                                             \
    static void rows_##suffix(void *ctx, int64_t begin, int64_t end)                               \
    {                                                                                              \
        const weir_gemm *g = ctx;                                                                  \
        const uint16_t *a = g->a, *b = g->b;                                                       \
        for (int64_t i = begin; i < end; i++)                                                      \
            for (int64_t j = 0; j < g->n; j++) {                                                   \
                uint16_t *c = (uint16_t *)g->c + i * g->ldc + j;                                   \
                float sum = g->accumulate ? weir_##suffix##_f32(*c) : 0;                           \
                for (int64_t p = 0; p < g->k; p++)                                                 \
                    sum += weir_##suffix##_f32(a[at(i, p, g->lda, g->op_a)]) *                     \
                           weir_##suffix##_f32(b[at(p, j, g->ldb, g->op_b)]);                      \
                *c = weir_f32_##suffix(sum);                                                       \
            }                                                                                      \
    }
NARROW(f16)
NARROW(bf16)

typedef void rows_fn(void *ctx, int64_t begin, int64_t end);

static rows_fn *rows_of(weir_elem elem)
{
    switch (elem) {
#define CASE(suffix, T, W, class)                                                                  \
    case WEIR_E_##suffix:                                                                          \
        return rows_##suffix;
        WEIR_ELEMS_INT(CASE)
        WEIR_ELEMS_FLOAT(CASE)
        WEIR_ELEMS_COMPLEX(CASE)
#undef CASE
    case WEIR_E_f16:
        return rows_f16;
    case WEIR_E_bf16:
        return rows_bf16;
    default:
        return NULL;
    }
}

bool weir_gemm_has(weir_elem elem)
{
    return rows_of(elem) != NULL;
}

void weir_gemm_plain(const weir_par *par, const weir_gemm *g)
{
    weir_gemm copy = *g;
    weir_par_for(par, g->m, (1 << 16) / (g->n * g->k + 1) + 1, rows_of(g->elem), &copy);
}
