/* math/gemm/gemm_test.c - every set of tiles compared with reference loops, on odd sizes. */
#include "math/gemm/gemm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/half.h"
#include "base/mem.h"
#include "base/test.h"
#include "math/elem.h"
#include "math/gemm/gemm_impl.h"

static uint32_t seed = 1;

static float draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(int)(seed >> 24) / 64.0f - 2.0f;
}

static void put(void *at, int64_t i, weir_elem elem, float x)
{
    switch (elem) {
    case WEIR_E_f32:
        ((float *)at)[i] = x;
        break;
    case WEIR_E_f64:
        ((double *)at)[i] = x;
        break;
    case WEIR_E_f16:
        ((uint16_t *)at)[i] = weir_f32_f16(x);
        break;
    case WEIR_E_bf16:
        ((uint16_t *)at)[i] = weir_f32_bf16(x);
        break;
    case WEIR_E_i8:
        ((int8_t *)at)[i] = (int8_t)(x * 8);
        break;
    case WEIR_E_i32:
        ((int32_t *)at)[i] = (int32_t)(x * 8);
        break;
    case WEIR_E_i64:
        ((int64_t *)at)[i] = (int64_t)(x * 8);
        break;
    case WEIR_E_c64:
        ((float complex *)at)[i] = x + (x * x - 1) * I;
        break;
    default:
        ((double complex *)at)[i] = x + (x * x - 1) * I;
    }
}

static double complex get(const void *at, int64_t i, weir_elem elem)
{
    switch (elem) {
    case WEIR_E_f32:
        return ((const float *)at)[i];
    case WEIR_E_f64:
        return ((const double *)at)[i];
    case WEIR_E_f16:
        return weir_f16_f32(((const uint16_t *)at)[i]);
    case WEIR_E_bf16:
        return weir_bf16_f32(((const uint16_t *)at)[i]);
    case WEIR_E_i8:
        return ((const int8_t *)at)[i];
    case WEIR_E_i32:
        return ((const int32_t *)at)[i];
    case WEIR_E_i64:
        return (double)((const int64_t *)at)[i];
    case WEIR_E_c64:
        return ((const float complex *)at)[i];
    default:
        return ((const double complex *)at)[i];
    }
}

static void *random_matrix(int64_t count, weir_elem elem)
{
    char *p = weir_alloc((size_t)count * weir_elem_size(elem) + 64);
    for (int64_t i = 0; i < count; i++)
        put(p, i, elem, draw());
    return p;
}

static double tolerance(weir_elem elem)
{
    return elem == WEIR_E_f16    ? 2e-3
           : elem == WEIR_E_bf16 ? 1.6e-2
           : elem == WEIR_E_f32  ? 1e-5
           : elem == WEIR_E_c64  ? 1e-5
                                 : 1e-12;
}

typedef void run_fn(const weir_par *par, const weir_gemm *g);

static const weir_gemm_loops *loops32, *loops64;

static void blocked(const weir_par *par, const weir_gemm *g)
{
    weir_gemm_views views = weir_gemm_views_of(g);
    weir_gemm_blocked(g->elem == WEIR_E_f64 ? loops64 : loops32, par, &views);
}

/* One product compared with sums in double; C has padded rows, whose padding must not change. */
static void check(run_fn *run, const weir_par *par, weir_elem elem, int64_t m, int64_t n, int64_t k,
                  weir_gemm_op ta, weir_gemm_op tb, bool add)
{
    int64_t lda = (ta ? m : k) + 3, ldb = (tb ? k : n) + 1, ldc = n + 2;
    void *a = random_matrix((ta ? k : m) * lda, elem), *b = random_matrix((tb ? n : k) * ldb, elem);
    void *c = random_matrix(m * ldc, elem), *before = weir_alloc((size_t)(m * ldc) * 16);
    memcpy(before, c, (size_t)(m * ldc) * weir_elem_size(elem));
    weir_gemm g = {.elem = elem,
                   .m = m,
                   .n = n,
                   .k = k,
                   .a = a,
                   .b = b,
                   .c = c,
                   .lda = lda,
                   .ldb = ldb,
                   .ldc = ldc,
                   .op_a = ta,
                   .op_b = tb,
                   .accumulate = add};
    run(par, &g);
    int bad = 0;
    /* Large results are sampled: the strides are prime, so every tile is covered. */
    int64_t step = (double)m * (double)n * (double)k > 1e5 ? 7 : 1;
    for (int64_t i = 0; i < m && !bad; i += step)
        for (int64_t j = i % step; j < ldc && !bad; j += step) {
            double complex want = j >= n || add ? get(before, i * ldc + j, elem) : 0;
            double scale = cabs(want);
            for (int64_t p = 0; j < n && p < k; p++) {
                double complex x = get(a, ta ? p * lda + i : i * lda + p, elem);
                double complex y = get(b, tb ? j * ldb + p : p * ldb + j, elem);
                x = (ta == WEIR_GEMM_ADJOINT ? conj(x) : x) *
                    (tb == WEIR_GEMM_ADJOINT ? conj(y) : y);
                want += x;
                scale += cabs(x);
            }
            if (elem == WEIR_E_i8 && j < n)
                want = (int8_t)(int)creal(want);
            bad = !(cabs(get(c, i * ldc + j, elem) - want) <= tolerance(elem) * (scale + 1e-3));
        }
    CHECK_MSG(!bad, "type %d, %d x %d x %d, ops %d %d, add %d", elem, (int)m, (int)n, (int)k, ta,
              tb, add);
    weir_free(a);
    weir_free(b);
    weir_free(c);
    weir_free(before);
}

static const int sizes[][3] = {
    {1, 1, 1},      {1, 37, 19},   {37, 1, 19},   {5, 7, 3},     {13, 33, 65},  {12, 32, 300},
    {25, 65, 401},  {130, 40, 17}, {7, 600, 5},   {3, 5, 2000},  {0, 4, 4},     {4, 4, 0},
    {64, 100, 64},  {70, 10, 50},  {37, 3, 33},   {50, 6, 20},   {33, 12, 17},  {26, 72, 450},
    {128, 200, 49}, {21, 40, 300}, {50, 512, 60}, {45, 40, 900}, {50, 256, 70}, {2, 300, 3},
    {30, 260, 4},   {9, 400, 1}};

static void check_sizes(run_fn *run, const weir_par *par, weir_elem elem)
{
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int mode = 0; mode < 8; mode++)
            check(run, par, elem, sizes[s][0], sizes[s][1], sizes[s][2],
                  mode & 1 ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                  mode & 2 ? WEIR_GEMM_ADJOINT : WEIR_GEMM_PLAIN, mode & 4);
}

TEST(tiles_of_every_level)
{
    static const int elems[] = {WEIR_E_f32, WEIR_E_f64, WEIR_E_f16, WEIR_E_bf16};
    for (weir_isa isa = 0; isa <= weir_cpu_isa(); isa++) {
        loops32 = WEIR_ISA_AT(weir_gemm_loops_f32, isa);
        loops64 = WEIR_ISA_AT(weir_gemm_loops_f64, isa);
        for (size_t i = 0; i < sizeof elems / sizeof *elems; i++)
            check_sizes(blocked, NULL, elems[i]);
    }
}

TEST(plain_loops)
{
    static const int elems[] = {WEIR_E_f32, WEIR_E_f64, WEIR_E_f16, WEIR_E_bf16, WEIR_E_i8,
                                WEIR_E_i32, WEIR_E_i64, WEIR_E_c64, WEIR_E_c128};
    for (size_t i = 0; i < sizeof elems / sizeof *elems; i++)
        check_sizes(weir_gemm_plain, NULL, elems[i]);
}

TEST(threads_share_a_product)
{
    weir_pool *pool = weir_pool_create(3);
    weir_par par = {pool, 4};
    static const int big[][3] = {
        {300, 300, 300}, {20, 2500, 100},  {2000, 20, 300},  {9, 11, 20000}, {1, 3000, 900},
        {3000, 1, 900},  {1700, 500, 300}, {128, 200, 784},  {61, 77, 300},  {200, 784, 128},
        {60, 512, 90},   {400, 300, 2500}, {3001, 260, 100}, {777, 512, 777}};
    for (size_t s = 0; s < sizeof big / sizeof *big; s++)
        for (int mode = 0; mode < 4; mode++)
            check(weir_gemm_run, &par, s & 1 ? WEIR_E_f32 : WEIR_E_f64, big[s][0], big[s][1],
                  big[s][2], mode & 1 ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                  mode & 2 ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN, true);
    check(weir_gemm_run, &par, WEIR_E_bf16, 800, 1100, 40, 0, WEIR_GEMM_TRANS, false);
    weir_pool_destroy(pool);
}

static void laid(const weir_par *par, const weir_gemm *g)
{
    weir_gemm w = *g;
    int64_t cols = weir_gemm_panel_cols(g->elem), panels = (g->n + cols - 1) / cols;
    void *at = weir_alloc((size_t)(panels * cols * g->k) * weir_elem_size(g->elem) + 1);
    weir_gemm_prepack(par, g, at);
    w.panels = at;
    weir_gemm_run(par, &w);
    weir_free(at);
}

TEST(products_by_a_matrix_that_was_laid_out)
{
    weir_pool *pool = weir_pool_create(2);
    weir_par par = {pool, 3};
    check_sizes(laid, NULL, WEIR_E_f32);
    check_sizes(laid, &par, WEIR_E_f64);
    check(laid, &par, WEIR_E_f32, 20, 500, 700, 0, WEIR_GEMM_TRANS, false);
    CHECK_EQ(weir_gemm_panel_cols(WEIR_E_i32), 0);
    weir_pool_destroy(pool);
}

static void count_rows(void *ctx, int64_t i, int64_t rows)
{
    const weir_gemm *g = ctx; /* C's own sums are far smaller */
    for (int64_t e = i * g->n; e < (i + rows) * g->n; e++)
        ((float *)g->c)[e] += 1e6f;
}

TEST(every_row_is_finished_once)
{
    weir_pool *pool = weir_pool_create(3);
    weir_par par = {pool, 4};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int64_t m = sizes[s][0] * 3, n = sizes[s][1] * 2, k = sizes[s][2];
        float *a = random_matrix(m * k + 1, WEIR_E_f32), *b = random_matrix(n * k + 1, WEIR_E_f32);
        float *c = random_matrix(m * n + 1, WEIR_E_f32);
        weir_gemm g = {.elem = WEIR_E_f32, .m = m, .n = n, .k = k, .a = a, .b = b, .c = c};
        g.finish = count_rows;
        g.finish_ctx = &g;
        weir_gemm_run(&par, &g);
        int bad = 0;
        for (int64_t i = 0; i < m * n; i++)
            bad += !(c[i] > 9e5f && c[i] < 1.1e6f);
        CHECK_MSG(!bad, "%d of %d x %d x %d", bad, (int)m, (int)n, (int)k);
        weir_free(a);
        weir_free(b);
        weir_free(c);
    }
    weir_pool_destroy(pool);
}

/* Requested prefetches do not change the result of a product. */
TEST(asking_for_what_comes_next_changes_nothing)
{
    enum { M = 50, N = 72, K = 130, BYTES = M * N * sizeof(float) };
    static float a[M * K], b[K * N], prefetch_write[M * N], kept[M * N], want[M * N], got[M * N];
    for (int i = 0; i < M * K; i++)
        a[i] = draw();
    for (int i = 0; i < K * N; i++)
        b[i] = draw();
    for (int i = 0; i < M * N; i++)
        prefetch_write[i] = kept[i] = draw();
    weir_gemm g = {.elem = WEIR_E_f32, .m = M, .n = N, .k = K, .a = a, .b = b, .c = want};
    weir_gemm_run(NULL, &g);
    g.c = got;
    g.prefetch_write = prefetch_write;
    for (g.prefetch_write_bytes = 1; g.prefetch_write_bytes <= BYTES;
         g.prefetch_write_bytes = g.prefetch_write_bytes * 3 + 1) {
        weir_gemm_run(NULL, &g);
        CHECK_EQ(memcmp(got, want, BYTES), 0);
    }
    CHECK_EQ(memcmp(kept, prefetch_write, BYTES), 0);
}

/* A sum of terms compared with sums in double; false if unsupported. */
static bool check_terms(const weir_par *par, weir_elem elem, const int *size, int64_t count,
                        bool add)
{
    enum { MOST = 70 };
    int64_t m = size[0], n = size[1], k = size[2], bad = 0;
    void *a[MOST], *b[MOST], *c = random_matrix(m * n, elem), *before = random_matrix(m * n, elem);
    memcpy(before, c, (size_t)(m * n) * weir_elem_size(elem));
    for (int64_t t = 0; t < count; t++) {
        a[t] = random_matrix(k * m, elem);
        b[t] = random_matrix(k * n, elem);
    }
    bool taken = weir_gemm_terms_run(par, &(weir_gemm_terms){.elem = elem,
                                                             .m = m,
                                                             .n = n,
                                                             .k = k,
                                                             .count = count,
                                                             .a = (const void *const *)a,
                                                             .b = (const void *const *)b,
                                                             .c = c,
                                                             .accumulate = add});
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double want = !taken || add ? creal(get(before, i * n + j, elem)) : 0, scale = 1;
            for (int64_t t = 0; taken && t < count; t++)
                for (int64_t p = 0; p < k; p++) {
                    double x = creal(get(a[t], p * m + i, elem) * get(b[t], p * n + j, elem));
                    want += x;
                    scale += fabs(x);
                }
            bad += !(fabs(creal(get(c, i * n + j, elem)) - want) <= tolerance(elem) * scale);
        }
    CHECK_MSG(!bad, "type %d, %d terms of %d x %d x %d: %d", elem, (int)count, (int)m, (int)n,
              (int)k, (int)bad);
    for (int64_t t = 0; t < count; t++) {
        weir_free(a[t]);
        weir_free(b[t]);
    }
    weir_free(c);
    weir_free(before);
    return taken;
}

TEST(terms_that_lie_apart)
{
    static const int shapes[][3] = {
        {64, 64, 32}, {50, 64, 7}, {4, 32, 1}, {13, 72, 20}, {25, 160, 3}};
    weir_pool *pool = weir_pool_create(3);
    weir_par par = {pool, 4};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int mode = 0; mode < 4; mode++)
            for (int64_t count = 1; count < 70; count = count * 4 + 1)
                CHECK(check_terms(mode & 1 ? &par : NULL, WEIR_E_f32, shapes[s], count, mode & 2) &&
                      check_terms(mode & 1 ? &par : NULL, WEIR_E_f64, shapes[s], count, mode & 2));
    weir_pool_destroy(pool);
}

TEST(terms_that_others_sum)
{
    static const int shapes[][3] = {
        {64, 3, 32}, {50, 67, 7}, {300, 300, 200}, {1, 64, 8}, {64, 64, 0}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        CHECK(!check_terms(NULL, WEIR_E_f32, shapes[s], 5, true));
    CHECK(!check_terms(NULL, WEIR_E_bf16, (int[]){64, 64, 8}, 5, true));
}

TEST(batches_and_indices)
{
    enum { M = 3, N = 5, K = 4, BATCH = 40 };
    float *a = random_matrix(2 * M * K, WEIR_E_f32);
    float *b = random_matrix(BATCH * K * N, WEIR_E_f32), c[BATCH * M * N];
    int64_t index[BATCH];
    for (int i = 0; i < BATCH; i++)
        index[i] = i % 2;
    weir_gemm g = {.elem = WEIR_E_f32,
                   .m = M,
                   .n = N,
                   .k = K,
                   .a = a,
                   .b = b,
                   .c = c,
                   .batch = BATCH,
                   .a_step = M * K,
                   .b_step = K * N,
                   .c_step = M * N,
                   .a_index = index};
    weir_gemm_run(&(weir_par){weir_pool_shared(), 2}, &g);
    for (int t = 0; t < BATCH; t++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float want = 0;
                for (int p = 0; p < K; p++)
                    want += a[index[t] * M * K + i * K + p] * b[t * K * N + p * N + j];
                CHECK_NEAR(c[t * M * N + i * N + j], want, 1e-4);
            }
    weir_free(a);
    weir_free(b);
}

TEST_MAIN()
