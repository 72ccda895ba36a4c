/* math/gemm/gemm.c - which loops a product takes, and batches of them. */
#include "math/gemm/gemm.h"

#include "math/elem.h"
#include "math/gemm/gemm_impl.h"

static weir_gemm_view view(const void *at, int64_t ld, weir_gemm_op op, weir_elem elem)
{
    if (op == WEIR_GEMM_PLAIN)
        return (weir_gemm_view){.at = at, .rs = ld, .cs = 1, .elem = elem};
    return (weir_gemm_view){.at = at, .rs = 1, .cs = ld, .elem = elem};
}

weir_gemm_views weir_gemm_views_of(const weir_gemm *g)
{
    return (weir_gemm_views){
        .a = view(g->a, g->lda, g->op_a, g->elem),
        .b = view(g->b, g->ldb, g->op_b, g->elem),
        .m = g->m,
        .n = g->n,
        .k = g->k,
        .c = g->c,
        .ldc = g->ldc,
        .elem = g->elem,
        .accumulate = g->accumulate,
        .finish = g->finish,
        .finish_ctx = g->finish_ctx,
        .soon = g->soon,
        .soon_bytes = g->soon_bytes,
    };
}

void weir_gemm_views_run(const weir_par *par, const weir_gemm_views *g)
{
    weir_gemm_blocked(g->elem == WEIR_E_f64 ? WEIR_ISA_PICK(weir_gemm_loops_f64)
                                            : WEIR_ISA_PICK(weir_gemm_loops_f32),
                      par, g);
}

static bool has_tiles(weir_elem elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_f64 || elem == WEIR_E_f16 || elem == WEIR_E_bf16;
}

static void one(const weir_par *par, const weir_gemm *g)
{
    if (!has_tiles(g->elem)) {
        weir_gemm_plain(par, g);
        return;
    }
    weir_gemm_views views = weir_gemm_views_of(g);
    weir_gemm_views_run(par, &views);
}

typedef struct batch {
    const weir_par *par; /* for each product */
    const weir_gemm *g;
} batch;

static void batch_part(void *ctx, int64_t begin, int64_t end)
{
    const batch *b = ctx;
    const weir_gemm *g = b->g;
    int64_t size = (int64_t)weir_elem_size(g->elem);
    for (int64_t i = begin; i < end; i++) {
        weir_gemm w = *g;
        w.a = (const char *)g->a + (g->a_index ? g->a_index[i] : i) * g->a_step * size;
        w.b = (const char *)g->b + (g->b_index ? g->b_index[i] : i) * g->b_step * size;
        w.c = (char *)g->c + i * g->c_step * size;
        one(b->par, &w);
    }
}

void weir_gemm_run(const weir_par *par, const weir_gemm *g)
{
    weir_gemm w = *g;
    if (!w.lda)
        w.lda = w.op_a == WEIR_GEMM_PLAIN ? w.k : w.m;
    if (!w.ldb)
        w.ldb = w.op_b == WEIR_GEMM_PLAIN ? w.n : w.k;
    if (!w.ldc)
        w.ldc = w.n;
    if (w.m == 0 || w.n == 0)
        return;
    if (w.batch == 0 && !w.c_step) {
        one(par, &w);
        return;
    }
    /* Many products are shared out whole; few large ones are cut up one after the other. */
    int threads = par ? par->threads : 1;
    batch each = {par, &w}, whole = {NULL, &w};
    if (w.batch < 2 * threads) {
        batch_part(&each, 0, w.batch);
        return;
    }
    double work = (double)w.m * (double)w.n * (double)(w.k + 1);
    int64_t grain = work < (1 << 18) ? (int64_t)((1 << 18) / work) : 1;
    weir_par_for(par, w.batch, grain, batch_part, &whole);
}
