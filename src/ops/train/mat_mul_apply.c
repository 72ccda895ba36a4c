/* ops/train/mat_mul_apply.c - _MatMulApply, _MatMulResourceApply: an optimiser's step fused with
 * the product that computes its gradient.
 *
 * pass/updates.c creates them from MatMul and the optimiser op that is its only reader. The product
 * is computed by blocks of rows, each of which is applied while it is in the cache: the whole
 * gradient is never stored.
 */
#include "base/arith.h"
#include "math/gemm/gemm.h"
#include "math/scratch.h"
#include "ops/common/elem_of.h"
#include "ops/state/state_impl.h"
#include "ops/train/apply_impl.h"

enum { TRANSPOSE_A, TRANSPOSE_B, RULE, FLAG, NAMES }; /* of .attrs */
enum { SLOTS, SCALARS, A, B };                        /* of .in */

static weir_status prepare(weir_prepare *preparation)
{
    const weir_site *site = preparation->site;
    weir_apply_layout layout, *kept;
    WEIR_TRY(weir_apply_layout_named(site, weir_site_int(site, RULE), weir_site_in(site, SCALARS),
                                     weir_site_in(site, SLOTS).count, weir_site_list(site, NAMES),
                                     &layout));
    layout.flag = FLAG;
    kept = WEIR_NEW(weir_apply_layout);
    *kept = layout;
    preparation->state = kept;
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    int a = weir_site_in(infer->site, A).start, b = weir_site_in(infer->site, B).start;
    bool ta = weir_site_bool(infer->site, TRANSPOSE_A),
         tb = weir_site_bool(infer->site, TRANSPOSE_B);
    WEIR_TRY(weir_infer_rank(infer, a, 2));
    WEIR_TRY(weir_infer_rank(infer, b, 2));
    int64_t inner_a = weir_infer_dim(infer, a, 1 - ta), inner_b = weir_infer_dim(infer, b, tb);
    if (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b)
        return weir_error(WEIR_INVALID_ARGUMENT, "Matrix size-incompatible: In[0]: %s, In[1]: %s",
                          WEIR_SHAPE_STR(infer->in[a]), WEIR_SHAPE_STR(infer->in[b]));
    if (infer->out_count)
        infer->out[0] =
            weir_shape_matrix(weir_infer_dim(infer, a, ta), weir_infer_dim(infer, b, 1 - tb));
    return WEIR_OK;
}

typedef struct product {
    weir_apply apply; /* must be first: passed to update */
    weir_gemm gemm;   /* the whole of it; c is null */
} product;

/* ---- rows at a time -------------------------------------------------------------------------- */

enum {
    BLOCK_BYTES = 1 << 17, /* of the gradient: it shares the second-level cache with B */
    BLOCK_ROWS = 48,       /* minimum, otherwise B is read too often ... */
    WIDEST_BYTES = BLOCK_BYTES * 2 / BLOCK_ROWS, /* ... which bounds a row */
    B_BYTES = 1 << 19,
    GRAIN_ROWS = 48, /* per thread at the end, when another thread has finished */
};

static void update_rows(const product *product, int64_t i, int64_t rows)
{
    const weir_apply *apply = &product->apply;
    weir_gemm gemm = product->gemm;
    size_t unit = apply->size;
    gemm.a =
        (const char *)gemm.a + (size_t)(i * (gemm.op_a == WEIR_GEMM_PLAIN ? gemm.lda : 1)) * unit;
    gemm.m = rows;
    gemm.c = weir_scratch(WEIR_SCRATCH_GRAD, (size_t)(rows * gemm.n) * unit);
    weir_train train = weir_apply_shifted(apply, i * gemm.n, 0);
    gemm.prefetch_write =
        train.slots[0]; /* shared with other threads; the rest is private to this thread */
    gemm.prefetch_write_bytes = (size_t)(rows * gemm.n) * unit;
    weir_gemm_run(NULL, &gemm);
    train.grad = gemm.c;
    apply->fn(&train, rows * gemm.n); /* on this thread: the memory it updates was prefetched */
    weir_apply_look(apply, &train, rows * gemm.n);
}

/* Rows [begin, end), in equal blocks that stay in the cache. */
static void update_span(void *ctx, int64_t begin, int64_t end)
{
    const product *product = ctx;
    int64_t row = product->gemm.n * (int64_t)product->apply.size, rows = end - begin;
    int64_t most = row ? BLOCK_BYTES / row : rows;
    most = most < BLOCK_ROWS ? BLOCK_ROWS : most;
    int64_t blocks = weir_ceil_div(rows, most);
    for (int64_t block = 0; block < blocks; block++) {
        int64_t i = begin + rows * block / blocks;
        update_rows(product, i, begin + rows * (block + 1) / blocks - i);
    }
}

static bool is_by_rows(const product *product)
{
    int64_t row = product->gemm.n * (int64_t)product->apply.size;
    return row <= WIDEST_BYTES && product->gemm.k <= B_BYTES / (row ? row : 1);
}

/* ---- running --------------------------------------------------------------------------------- */

static void update(weir_call *call, weir_apply *apply)
{
    product *self = (product *)apply;
    if (is_by_rows(self)) {
        weir_par_for(&call->run->par, self->gemm.m, GRAIN_ROWS, update_span, self);
        return;
    }
    self->gemm.c = weir_scratch_alloc(apply->size * (size_t)(self->gemm.m * self->gemm.n));
    weir_gemm_run(&call->run->par, &self->gemm);
    apply->work.grad = self->gemm.c;
    weir_apply_dense(call, apply);
    weir_scratch_free(self->gemm.c);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, weir_site_in(call->site, A).start);
    const weir_tensor *y = weir_in(call, weir_site_in(call->site, B).start);
    bool ta = weir_site_bool(call->site, TRANSPOSE_A), tb = weir_site_bool(call->site, TRANSPOSE_B);
    weir_tensor grad = {.dtype = x->dtype};
    grad.shape = weir_shape_matrix(x->shape.dims[ta], y->shape.dims[1 - tb]);
    product product = {
        .apply = {.l = call->state, .grad = &grad, .update = update},
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
    WEIR_TRY(weir_apply_to(call, (weir_train_rule)weir_site_int(call->site, RULE), &product.apply));
    weir_state_forward_ref(call);
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
