/* math/gemm/narrow.isa.c - products with few columns, where tiles of whole vectors would idle.
 *
 * A with dense rows: dot products along k, against B turned on its side. A with dense columns:
 * vectors of C's rows, one broadcast of B for each column. The number of columns is a constant of
 * each function, so that all sums stay in registers.
 */
#include <math.h>

#include "math/gemm/gemm_impl.h"

#if defined(__AVX512F__)
enum { VEC = 16, REGISTERS = 32 };
#elif defined(__AVX2__)
enum { VEC = 8, REGISTERS = 16 };
#else
enum { VEC = 4, REGISTERS = 16 };
#endif
typedef float vec __attribute__((vector_size(VEC * 4), aligned(4), may_alias));

#define UNROLLED _Pragma("GCC unroll 16")

static inline float total(vec v)
{
    float s = 0;
    for (int i = 0; i < VEC; i++)
        s += v[i];
    return s;
}

static inline void store(float *c, float v, bool add)
{
    *c = add ? *c + v : v;
}

/* |R| rows of C at once: C[r][j] = A[r] . B[j], both dense along k. */
#define DOT_ROWS(N, R)                                                                             \
    static inline void dots_##N##_##R(const weir_gemm_narrow *g, int64_t i)                        \
    {                                                                                              \
        vec sum[R][N] = {{{0}}};                                                                   \
        const float *a = g->a + i * g->lda, *b = g->b;                                             \
        int64_t p = 0;                                                                             \
        for (; p + VEC <= g->k; p += VEC) {                                                        \
            vec x[R];                                                                              \
            UNROLLED for (int r = 0; r < R; r++) x[r] = *(const vec *)(a + r * g->lda + p);        \
            UNROLLED for (int j = 0; j < N; j++)                                                   \
            {                                                                                      \
                vec y = *(const vec *)(b + j * g->ldb + p);                                        \
                UNROLLED for (int r = 0; r < R; r++) sum[r][j] += x[r] * y;                        \
            }                                                                                      \
        }                                                                                          \
        UNROLLED for (int r = 0; r < R; r++) UNROLLED for (int j = 0; j < N; j++)                  \
        {                                                                                          \
            float s = total(sum[r][j]);                                                            \
            for (int64_t q = p; q < g->k; q++)                                                     \
                s += a[r * g->lda + q] * b[j * g->ldb + q];                                        \
            store(&g->c[(i + r) * g->ldc + j], s, g->add);                                         \
        }                                                                                          \
    }

/* |V| vectors of C's rows from i on: C[.][j] = sum over p of A[p][.] * B[p][j]. */
#define OUTER_ROWS(N, V)                                                                           \
    static inline void outer_##N##_##V(const weir_gemm_narrow *g, int64_t i)                       \
    {                                                                                              \
        vec sum[V][N] = {{{0}}};                                                                   \
        const float *a = g->a + i, *b = g->b;                                                      \
        for (int64_t p = 0; p < g->k; p++, a += g->lda, b += g->ldb) {                             \
            vec x[V];                                                                              \
            UNROLLED for (int v = 0; v < V; v++) x[v] = *(const vec *)(a + v * VEC);               \
            UNROLLED for (int j = 0; j < N; j++) UNROLLED for (int v = 0; v < V; v++)              \
                sum[v][j] += x[v] * b[j];                                                          \
        }                                                                                          \
        UNROLLED for (int v = 0; v < V; v++)                                                       \
        {                                                                                          \
            float *c = g->c + (i + v * VEC) * g->ldc;                                              \
            for (int r = 0; r < VEC; r++)                                                          \
                UNROLLED for (int j = 0; j < N; j++) store(&c[r * g->ldc + j], sum[v][j][r], g->add); \
        }                                                                                          \
    }

static void outer_rest(const weir_gemm_narrow *g, int64_t i, int64_t n)
{
    for (; i < g->m; i++)
        for (int64_t j = 0; j < n; j++) {
            float s = 0;
            for (int64_t p = 0; p < g->k; p++)
                s += g->a[p * g->lda + i] * g->b[p * g->ldb + j];
            store(&g->c[i * g->ldc + j], s, g->add);
        }
}

/* Two rows or vectors at a time when the registers hold the sums of both. */
#define TWO(N) (2 * (N) + 4 <= REGISTERS)
#define NARROW(N)                                                                                  \
    DOT_ROWS(N, 1)                                                                                 \
    DOT_ROWS(N, 2)                                                                                 \
    OUTER_ROWS(N, 1)                                                                               \
    OUTER_ROWS(N, 2)                                                                               \
    static void dots_##N(const weir_gemm_narrow *g)                                                \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (; TWO(N) && i + 2 <= g->m; i += 2)                                                    \
            dots_##N##_2(g, i);                                                                    \
        for (; i < g->m; i++)                                                                      \
            dots_##N##_1(g, i);                                                                    \
    }                                                                                              \
    static void outer_##N(const weir_gemm_narrow *g)                                               \
    {                                                                                              \
        int64_t i = 0;                                                                             \
        for (; TWO(N) && i + 2 * VEC <= g->m; i += 2 * VEC)                                        \
            outer_##N##_2(g, i);                                                                   \
        for (; i + VEC <= g->m; i += VEC)                                                          \
            outer_##N##_1(g, i);                                                                   \
        if (i < g->m && g->m >= VEC && !g->add)                                                    \
            outer_##N##_1(g, g->m - VEC); /* some rows again, with the same result */              \
        else                                                                                       \
            outer_rest(g, i, N);                                                                   \
    }

NARROW(1)
NARROW(2)
NARROW(3)
NARROW(4)
NARROW(5)
NARROW(6)
NARROW(7)
NARROW(8)
NARROW(9)
NARROW(10)
NARROW(11)
NARROW(12)

const weir_gemm_narrow_loops WEIR_ISA_NAME(weir_gemm_narrow_loops) = {
    .dots = {dots_1, dots_2, dots_3, dots_4, dots_5, dots_6, dots_7, dots_8, dots_9, dots_10, dots_11,
             dots_12},
    .outer = {outer_1, outer_2, outer_3, outer_4, outer_5, outer_6, outer_7, outer_8, outer_9,
              outer_10, outer_11, outer_12},
};
