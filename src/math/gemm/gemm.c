/* math/gemm/gemm.c - the choice of loops for a product, batches, and prepacking. */
#include "math/gemm/gemm.h"

#include "base/arith.h"
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
        .prefetch_write = g->prefetch_write,
        .prefetch_write_bytes = g->prefetch_write_bytes,
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

/* A small product, whose operands all fit the first-level cache: a single block, no packing. */
static bool try_in_cache(const weir_gemm *g)
{
    enum {
        BYTES = 1 << 15, /* most bytes of both operands: the first-level cache */
        WORK = 1 << 19,  /* multiplications from which on threads share a product */
        ROWS = 4,        /* fewer rows are left to the loops for rows and narrow products */
    };
    if ((g->elem != WEIR_E_f32 && g->elem != WEIR_E_f64) || g->op_b != WEIR_GEMM_PLAIN ||
        g->m < ROWS || g->m > WORK || g->n > WORK || g->k > WORK || g->panels)
        return false;
    const weir_gemm_loops *loops = loops_of(g->elem);
    int64_t unit = (int64_t)weir_elem_size(g->elem);
    if (g->n < loops->vec || g->n % loops->col_unit || g->k < loops->vec ||
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

static void run_one(const weir_par *par, const weir_gemm *g)
{
    if (try_in_cache(g))
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
        run_one(b->par, &w);
    }
}

int64_t weir_gemm_panel_cols(weir_elem elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_f64 ? loops_of(elem)->nr : 0;
}

/* Only tiles that are no wider than a cache line gain: wider ones read whole lines of a B in place
 * anyway. The limits were measured with the recurrent benchmark models (20 to 40 rows). */
bool weir_gemm_prepack_pays(const weir_gemm *g, int64_t products)
{
    enum { MAX_ROWS = 40, MIN_PRODUCTS = 8, MIN_SIZE = 1 << 16, LINE = 64 };
    int64_t cols = weir_gemm_panel_cols(g->elem);
    return cols && cols * (int64_t)weir_elem_size(g->elem) <= LINE && g->m > 1 &&
           g->m <= MAX_ROWS && products >= MIN_PRODUCTS && (double)g->n * (double)g->k >= MIN_SIZE;
}

typedef struct prepacking {
    const weir_gemm_loops *loops;
    weir_gemm_view b;
    int64_t n, k;
    char *to;
} prepacking;

static void prepack_part(void *ctx, int64_t begin, int64_t end)
{
    const prepacking *job = ctx;
    int64_t nr = job->loops->nr, panel = nr * job->k * (int64_t)weir_elem_size(job->b.elem);
    for (int64_t i = begin; i < end; i++) {
        int64_t cols = weir_min(job->n - i * nr, nr);
        job->loops->pack_b(&job->b, 0, job->k, i * nr, cols, job->to + i * panel);
    }
}

void weir_gemm_prepack(const weir_par *par, const weir_gemm *g, void *panels)
{
    int64_t ldb = g->ldb ? g->ldb : g->op_b == WEIR_GEMM_PLAIN ? g->n : g->k;
    prepacking job = {loops_of(g->elem), view(g->b, ldb, g->op_b, g->elem), g->n, g->k, panels};
    int64_t nr = job.loops->nr, grain = (1 << 15) / (nr * (g->k + 1)) + 1;
    weir_par_for(par, weir_ceil_div(g->n, nr), grain, prepack_part, &job);
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
        run_one(par, &w);
        return;
    }
    /* Of many products each runs on one thread; few large ones are each shared by all threads. */
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
