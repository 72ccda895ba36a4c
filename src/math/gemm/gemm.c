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
        .panels = g->panels,
        .finish = g->finish,
        .finish_ctx = g->finish_ctx,
        .soon = g->soon,
        .soon_bytes = g->soon_bytes,
    };
}

/* 16-bit elements are multiplied as floats. */
static const weir_gemm_loops *loops_of(weir_elem elem)
{
    return elem == WEIR_E_f64 ? WEIR_ISA_PICK(weir_gemm_loops_f64)
                              : WEIR_ISA_PICK(weir_gemm_loops_f32);
}

void weir_gemm_views_run(const weir_par *par, const weir_gemm_views *g)
{
    weir_gemm_blocked(loops_of(g->elem), par, g);
}

/* A small product, all of whose operands the nearest cache holds: one block, without more ado. */
static bool try_near(const weir_gemm *g)
{
    enum { BYTES = 1 << 15, WORK = 1 << 19, ROWS = 4 };
    if ((g->elem != WEIR_E_f32 && g->elem != WEIR_E_f64) || g->op_b != WEIR_GEMM_PLAIN ||
        g->m < ROWS || g->m > WORK || g->n > WORK || g->k > WORK || g->panels)
        return false;
    const weir_gemm_loops *loops = loops_of(g->elem);
    int64_t unit = (int64_t)weir_elem_size(g->elem);
    if (g->n < loops->vec || g->n % loops->least || g->k < loops->vec ||
        (g->m + g->n) * g->k * unit > BYTES || g->m * g->n * g->k >= WORK)
        return false;
    loops->block(&(weir_gemm_block){
        .rows = g->m,
        .cols = g->n,
        .depth = g->k,
        .a = g->a,
        .a_rs = g->op_a == WEIR_GEMM_PLAIN ? g->lda : 1,
        .a_cs = g->op_a == WEIR_GEMM_PLAIN ? 1 : g->lda,
        .b = g->b,
        .b_rs = g->ldb,
        .c = g->c,
        .ldc = g->ldc,
        .add = g->accumulate,
    });
    if (g->finish)
        g->finish(g->finish_ctx, 0, g->m);
    return true;
}

static bool has_tiles(weir_elem elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_f64 || elem == WEIR_E_f16 || elem == WEIR_E_bf16;
}

static void one(const weir_par *par, const weir_gemm *g)
{
    if (try_near(g))
        return;
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

int64_t weir_gemm_panel_cols(weir_elem elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_f64 ? loops_of(elem)->nr : 0;
}

/* Tiles of wider vectors read whole lines of more rows at once, and gain nothing by it. */
bool weir_gemm_lay_pays(const weir_gemm *g, int64_t products)
{
    enum { MOST_ROWS = 40, LEAST_PRODUCTS = 8, LEAST_SIZE = 1 << 16, LINE = 64 };
    int64_t cols = weir_gemm_panel_cols(g->elem);
    return cols && cols * (int64_t)weir_elem_size(g->elem) <= LINE && g->m > 1 &&
           g->m <= MOST_ROWS && products >= LEAST_PRODUCTS &&
           (double)g->n * (double)g->k >= LEAST_SIZE;
}

typedef struct laying {
    const weir_gemm_loops *loops;
    weir_gemm_view b;
    int64_t n, k;
    char *to;
} laying;

static void lay_part(void *ctx, int64_t begin, int64_t end)
{
    const laying *l = ctx;
    int64_t nr = l->loops->nr, panel = nr * l->k * (int64_t)weir_elem_size(l->b.elem);
    for (int64_t i = begin; i < end; i++) {
        int64_t cols = l->n - i * nr < nr ? l->n - i * nr : nr;
        l->loops->pack_b(&l->b, 0, l->k, i * nr, cols, l->to + i * panel);
    }
}

void weir_gemm_lay(const weir_par *par, const weir_gemm *g, void *panels)
{
    int64_t ldb = g->ldb ? g->ldb : g->op_b == WEIR_GEMM_PLAIN ? g->n : g->k;
    laying l = {loops_of(g->elem), view(g->b, ldb, g->op_b, g->elem), g->n, g->k, panels};
    int64_t nr = l.loops->nr, grain = (1 << 15) / (nr * (g->k + 1)) + 1;
    weir_par_for(par, (g->n + nr - 1) / nr, grain, lay_part, &l);
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
