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

weir_gemm_views weir_gemm_views_of(const weir_gemm *gemm)
{
    return (weir_gemm_views){
        .a = view(gemm->a, gemm->lda, gemm->op_a, gemm->elem),
        .b = view(gemm->b, gemm->ldb, gemm->op_b, gemm->elem),
        .m = gemm->m,
        .n = gemm->n,
        .k = gemm->k,
        .c = gemm->c,
        .ldc = gemm->ldc,
        .elem = gemm->elem,
        .accumulate = gemm->accumulate,
        .panels = gemm->panels,
        .finish = gemm->finish,
        .finish_ctx = gemm->finish_ctx,
        .prefetch_write = gemm->prefetch_write,
        .prefetch_write_bytes = gemm->prefetch_write_bytes,
    };
}

/* 16-bit elements are multiplied as floats. */
static const weir_gemm_loops *loops_of(weir_elem elem)
{
    return elem == WEIR_E_f64 ? WEIR_ISA_PICK(weir_gemm_loops_f64)
                              : WEIR_ISA_PICK(weir_gemm_loops_f32);
}

void weir_gemm_views_run(const weir_par *par, const weir_gemm_views *views)
{
    weir_gemm_blocked(loops_of(views->elem), par, views);
}

/* A small product, whose operands all fit the first-level cache: a single block, no packing. */
static bool try_in_cache(const weir_gemm *gemm)
{
    enum {
        BYTES = 1 << 15, /* most bytes of both operands: the first-level cache */
        WORK = 1 << 19,  /* multiplications from which on threads share a product */
        ROWS = 4,        /* fewer rows are left to the loops for rows and narrow products */
    };
    if ((gemm->elem != WEIR_E_f32 && gemm->elem != WEIR_E_f64) || gemm->op_b != WEIR_GEMM_PLAIN ||
        gemm->m < ROWS || gemm->m > WORK || gemm->n > WORK || gemm->k > WORK || gemm->panels)
        return false;
    const weir_gemm_loops *loops = loops_of(gemm->elem);
    int64_t unit = (int64_t)weir_elem_size(gemm->elem);
    if (gemm->n < loops->vec || gemm->n % loops->col_unit || gemm->k < loops->vec ||
        (gemm->m + gemm->n) * gemm->k * unit > BYTES || gemm->m * gemm->n * gemm->k >= WORK)
        return false;
    loops->block(&(weir_gemm_block){
        .rows = gemm->m,
        .cols = gemm->n,
        .depth = gemm->k,
        .a = gemm->a,
        .a_rs = gemm->op_a == WEIR_GEMM_PLAIN ? gemm->lda : 1,
        .a_cs = gemm->op_a == WEIR_GEMM_PLAIN ? 1 : gemm->lda,
        .b = gemm->b,
        .b_rs = gemm->ldb,
        .c = gemm->c,
        .ldc = gemm->ldc,
        .add = gemm->accumulate,
    });
    if (gemm->finish)
        gemm->finish(gemm->finish_ctx, 0, gemm->m);
    return true;
}

static bool has_tiles(weir_elem elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_f64 || elem == WEIR_E_f16 || elem == WEIR_E_bf16;
}

static void run_one(const weir_par *par, const weir_gemm *gemm)
{
    if (try_in_cache(gemm))
        return;
    if (!has_tiles(gemm->elem)) {
        weir_gemm_plain(par, gemm);
        return;
    }
    weir_gemm_views views = weir_gemm_views_of(gemm);
    weir_gemm_views_run(par, &views);
}

typedef struct batch {
    const weir_par *par; /* for each product */
    const weir_gemm *gemm;
} batch;

static void batch_part(void *ctx, int64_t begin, int64_t end)
{
    const batch *batch = ctx;
    const weir_gemm *gemm = batch->gemm;
    int64_t size = (int64_t)weir_elem_size(gemm->elem);
    for (int64_t i = begin; i < end; i++) {
        weir_gemm work = *gemm;
        work.a =
            (const char *)gemm->a + (gemm->a_index ? gemm->a_index[i] : i) * gemm->a_step * size;
        work.b =
            (const char *)gemm->b + (gemm->b_index ? gemm->b_index[i] : i) * gemm->b_step * size;
        work.c = (char *)gemm->c + i * gemm->c_step * size;
        run_one(batch->par, &work);
    }
}

int64_t weir_gemm_panel_cols(weir_elem elem)
{
    return elem == WEIR_E_f32 || elem == WEIR_E_f64 ? loops_of(elem)->nr : 0;
}

/* Only tiles no wider than a cache line benefit: wider ones read whole lines of an unpacked B
 * anyway. The limits were measured with the recurrent benchmark models (20 to 40 rows). */
bool weir_gemm_prepack_pays(const weir_gemm *gemm, int64_t products)
{
    enum { MAX_ROWS = 40, MIN_PRODUCTS = 8, MIN_SIZE = 1 << 16, LINE = 64 };
    int64_t cols = weir_gemm_panel_cols(gemm->elem);
    return cols && cols * (int64_t)weir_elem_size(gemm->elem) <= LINE && gemm->m > 1 &&
           gemm->m <= MAX_ROWS && products >= MIN_PRODUCTS &&
           (double)gemm->n * (double)gemm->k >= MIN_SIZE;
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

void weir_gemm_prepack(const weir_par *par, const weir_gemm *gemm, void *panels)
{
    int64_t ldb = gemm->ldb ? gemm->ldb : gemm->op_b == WEIR_GEMM_PLAIN ? gemm->n : gemm->k;
    prepacking job = {loops_of(gemm->elem), view(gemm->b, ldb, gemm->op_b, gemm->elem), gemm->n,
                      gemm->k, panels};
    int64_t nr = job.loops->nr, grain = (1 << 15) / (nr * (gemm->k + 1)) + 1;
    weir_par_for(par, weir_ceil_div(gemm->n, nr), grain, prepack_part, &job);
}

void weir_gemm_run(const weir_par *par, const weir_gemm *gemm)
{
    weir_gemm w = *gemm;
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
    weir_par_for_long(par, w.batch, grain, batch_part, &whole);
}
