/* ops/train/mat_mul_apply.c - _MatMulApply, _MatMulResourceApply: an optimiser's step by a gradient
 * that is a product.
 *
 * pass/updates.c makes them of MatMul and the optimiser op that alone uses it. The product is
 * computed a stretch of rows at a time and used while it is in the cache: the gradient is never in
 * memory as a whole.
 */
#include "math/gemm/gemm.h"
#include "math/scratch.h"
#include "ops/common/elem_of.h"
#include "ops/state/state_impl.h"
#include "ops/train/apply_impl.h"

enum { TRANSPOSE_A, TRANSPOSE_B, RULE, FLAG, NAMES }; /* of .attrs */
enum { SLOTS, SCALARS, A, B };                        /* of .in */

static weir_status prepare(weir_prepare *p)
{
    const weir_site *s = p->site;
    weir_apply_layout l, *kept;
    WEIR_TRY(weir_apply_layout_named(s, weir_site_int(s, RULE), weir_site_in(s, SCALARS),
                                     weir_site_in(s, SLOTS).count, weir_site_list(s, NAMES), &l));
    l.flag = FLAG;
    kept = WEIR_NEW(weir_apply_layout);
    *kept = l;
    p->state = kept;
    return WEIR_OK;
}

static weir_status infer(weir_infer *i)
{
    int a = weir_site_in(i->site, A).start, b = weir_site_in(i->site, B).start;
    bool ta = weir_site_bool(i->site, TRANSPOSE_A), tb = weir_site_bool(i->site, TRANSPOSE_B);
    WEIR_TRY(weir_infer_rank(i, a, 2));
    WEIR_TRY(weir_infer_rank(i, b, 2));
    int64_t inner_a = weir_infer_dim(i, a, 1 - ta), inner_b = weir_infer_dim(i, b, tb);
    if (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b)
        return weir_error(WEIR_INVALID_ARGUMENT, "Matrix size-incompatible: In[0]: %s, In[1]: %s",
                          WEIR_SHAPE_STR(i->in[a]), WEIR_SHAPE_STR(i->in[b]));
    if (i->out_count)
        i->out[0] = weir_shape_matrix(weir_infer_dim(i, a, ta), weir_infer_dim(i, b, 1 - tb));
    return WEIR_OK;
}

typedef struct product {
    weir_apply apply; /* first: update gets it */
    weir_gemm gemm;   /* the whole of it; c is null */
    int64_t blocks;   /* of rows */
} product;

/* ---- rows at a time -------------------------------------------------------------------------- */

enum {
    BLOCK_BYTES = 1 << 17, /* of the gradient: it shares the second-level cache with B */
    BLOCK_ROWS = 48,       /* at least, or B is read too often ... */
    WIDEST_BYTES = BLOCK_BYTES * 2 / BLOCK_ROWS, /* ... which bounds a row */
    B_BYTES = 1 << 19,
    BLOCKS_PER_THREAD = 4,
    VECTOR = 16,
    VECTORS = 6,
};

static void update_rows(const product *p, int64_t i, int64_t rows)
{
    const weir_apply *a = &p->apply;
    weir_gemm g = p->gemm;
    size_t unit = a->size;
    g.a = (const char *)g.a + (size_t)(i * (g.op_a == WEIR_GEMM_PLAIN ? g.lda : 1)) * unit;
    g.m = rows;
    g.c = weir_scratch(WEIR_SCRATCH_GRAD, (size_t)(rows * g.n) * unit);
    weir_train w = weir_apply_shifted(a, i * g.n, 0);
    g.soon = w.slots[0]; /* other threads have read it; the others are this thread's alone */
    g.soon_bytes = (size_t)(rows * g.n) * unit;
    weir_gemm_run(NULL, &g);
    w.grad = g.c;
    a->fn(&w, rows * g.n); /* at once: what it changes has been asked for */
}

/* Where a block begins: at whole vectors of rows, unless blocks would differ by much. */
static int64_t first_row(const product *p, int64_t block)
{
    int64_t m = p->gemm.m, at = m * block / p->blocks;
    return block == p->blocks || m / p->blocks < VECTORS * VECTOR ? at : at / VECTOR * VECTOR;
}

static void update_blocks(void *ctx, int64_t begin, int64_t end)
{
    const product *p = ctx;
    for (int64_t block = begin; block < end; block++) {
        int64_t i = first_row(p, block);
        update_rows(p, i, first_row(p, block + 1) - i);
    }
}

/* How many blocks of rows: as many as keep one in the cache, or all threads equally busy. */
static int64_t count_blocks(const product *p, int64_t threads)
{
    int64_t most = p->gemm.m / BLOCK_ROWS;
    int64_t fewest = (int64_t)p->apply.size * p->gemm.m * p->gemm.n / BLOCK_BYTES + 1;
    int64_t busy = threads > 1 ? threads * BLOCKS_PER_THREAD : 1;
    int64_t blocks = fewest > busy ? fewest : busy;
    if (blocks > most)
        blocks = most < 1 ? 1 : most;
    return blocks < threads ? blocks : blocks / threads * threads;
}

static bool is_by_rows(const product *p)
{
    int64_t row = p->gemm.n * (int64_t)p->apply.size;
    return row <= WIDEST_BYTES && p->gemm.k <= B_BYTES / (row ? row : 1);
}

/* ---- running --------------------------------------------------------------------------------- */

static void update(weir_call *c, weir_apply *a)
{
    product *p = (product *)a;
    if (is_by_rows(p)) {
        p->blocks = count_blocks(p, c->run->par.threads);
        weir_par_for(&c->run->par, p->blocks, 1, update_blocks, p);
        return;
    }
    p->gemm.c = weir_scratch_take(a->size * (size_t)(p->gemm.m * p->gemm.n));
    weir_gemm_run(&c->run->par, &p->gemm);
    a->work.grad = p->gemm.c;
    weir_apply_dense(c, a);
    weir_scratch_drop(p->gemm.c);
}

static weir_status run(weir_call *c)
{
    const weir_tensor *x = weir_in(c, weir_site_in(c->site, A).start);
    const weir_tensor *y = weir_in(c, weir_site_in(c->site, B).start);
    bool ta = weir_site_bool(c->site, TRANSPOSE_A), tb = weir_site_bool(c->site, TRANSPOSE_B);
    weir_tensor grad = {.dtype = x->dtype};
    grad.shape = weir_shape_matrix(x->shape.dims[ta], y->shape.dims[1 - tb]);
    product p = {
        .apply = {.l = c->state, .grad = &grad, .update = update},
        .gemm = {.elem = weir_elem_of(x->dtype),
                 .m = grad.shape.dims[0],
                 .n = grad.shape.dims[1],
                 .k = x->shape.dims[1 - ta],
                 .a = x->data,
                 .b = y->data,
                 .lda = x->shape.dims[1],
                 .op_a = ta ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                 .op_b = tb ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN},
    };
    WEIR_TRY(weir_apply_to(c, (weir_train_rule)weir_site_int(c->site, RULE), &p.apply));
    weir_state_forward_ref(c);
    return WEIR_OK;
}

#define ATTRS                                                                                      \
    "transpose_a: bool = false; transpose_b: bool = false; rule: int; flag: bool = false; "        \
    "names: list(string); S: int >= 1; N: int >= 0; T: {float, double}"

const weir_op weir_op_mat_mul_apply = {
    .name = "_MatMulApply",
    .in = "slots: S * Ref(T); scalars: N * T; a: T; b: T",
    .out = "out: Ref(T)",
    .attrs = ATTRS,
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_OWN_OUTPUTS | WEIR_EXPENSIVE, .prepare = prepare,
                 .cleanup = weir_apply_cleanup}},
};

const weir_op weir_op_mat_mul_resource_apply = {
    .name = "_MatMulResourceApply",
    .in = "slots: S * resource; scalars: N * T; a: T; b: T",
    .attrs = ATTRS,
    .flags = WEIR_INTERNAL_OP | WEIR_STATEFUL,
    .infer = infer,
    .no_grad = true,
    .kernels = {{WEIR_CPU, "*", run, WEIR_EXPENSIVE, .prepare = prepare,
                 .cleanup = weir_apply_cleanup}},
};
