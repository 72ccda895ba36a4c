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
} product;

/* ---- rows at a time -------------------------------------------------------------------------- */

enum {
    BLOCK_BYTES = 1 << 17, /* of the gradient: it shares the second-level cache with B */
    BLOCK_ROWS = 48,       /* at least, or B is read too often ... */
    WIDEST_BYTES = BLOCK_BYTES * 2 / BLOCK_ROWS, /* ... which bounds a row */
    B_BYTES = 1 << 19,
    GRAIN_ROWS = 48, /* that are left for a thread to do when another is done */
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

/* Rows [begin, end), in equal blocks that stay in the cache. */
static void update_span(void *ctx, int64_t begin, int64_t end)
{
    const product *p = ctx;
    int64_t row = p->gemm.n * (int64_t)p->apply.size, rows = end - begin;
    int64_t most = row ? BLOCK_BYTES / row : rows;
    most = most < BLOCK_ROWS ? BLOCK_ROWS : most;
    int64_t blocks = (rows + most - 1) / most;
    for (int64_t block = 0; block < blocks; block++) {
        int64_t i = begin + rows * block / blocks;
        update_rows(p, i, begin + rows * (block + 1) / blocks - i);
    }
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
        weir_par_for(&c->run->par, p->gemm.m, GRAIN_ROWS, update_span, p);
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
