/* math/gemm/narrow.c - products with few columns: which way they are laid out. */
#include "math/gemm/gemm_impl.h"
#include "math/scratch.h"

enum { LEAST_ROWS = 16, LEAST_DEPTH = 16, MOST_B = 1 << 16 /* elements turned */ };

bool weir_gemm_is_narrow(const weir_gemm *g)
{
    return g->elem == WEIR_E_f32 && g->n <= WEIR_NARROW && g->m >= LEAST_ROWS &&
           g->k >= LEAST_DEPTH && g->n * g->k <= MOST_B;
}

/* B on its side: rows become columns. */
static const float *turned(const float *b, int64_t rows, int64_t cols, int64_t ld)
{
    float *t = weir_scratch(WEIR_SCRATCH_GEMM_B, (size_t)(rows * cols) * sizeof *t);
    for (int64_t r = 0; r < rows; r++)
        for (int64_t c = 0; c < cols; c++)
            t[c * rows + r] = b[r * ld + c];
    return t;
}

typedef struct work {
    const weir_gemm_narrow *g;
    void (*run)(const weir_gemm_narrow *g);
    bool dots;
} work;

static void part(void *ctx, int64_t begin, int64_t end)
{
    const work *w = ctx;
    weir_gemm_narrow g = *w->g;
    g.a += w->dots ? begin * g.lda : begin;
    g.c += begin * g.ldc;
    g.m = end - begin;
    w->run(&g);
}

void weir_gemm_run_narrow(const weir_par *par, const weir_gemm *g)
{
    const weir_gemm_narrow_loops *loops = WEIR_ISA_PICK(weir_gemm_narrow_loops);
    weir_gemm_narrow n = {.a = g->a, .b = g->b, .c = g->c, .m = g->m, .k = g->k, .lda = g->lda,
                          .ldb = g->ldb, .ldc = g->ldc, .add = g->accumulate};
    bool dots = g->op_a == WEIR_GEMM_PLAIN, b_plain = g->op_b == WEIR_GEMM_PLAIN;
    if (dots && b_plain) { /* k x n, wanted n x k */
        n.b = turned(g->b, g->k, g->n, g->ldb);
        n.ldb = g->k;
    } else if (!dots && !b_plain) { /* n x k, wanted k x n */
        n.b = turned(g->b, g->n, g->k, g->ldb);
        n.ldb = g->n;
    }
    work w = {&n, (dots ? loops->dots : loops->outer)[g->n - 1], dots};
    int64_t grain = ((int64_t)1 << 21) / (g->n * g->k) + 1; /* a part is worth a thread's waking */
    weir_par_for(par, g->m, (grain + 31) / 32 * 32, part, &w);
}
