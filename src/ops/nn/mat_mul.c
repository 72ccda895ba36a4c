/* ops/nn/mat_mul.c - MatMul: the product of two matrices.
 *
 * _MatMulBias also adds a term, usually a bias, and applies an activation: pass/dense.c creates
 * it from the ops of a layer. If several products share b, both ops also get b prepacked
 * (_Panels).
 */
#include <inttypes.h>

#include "base/arith.h"
#include "grad/grad.h"
#include "math/binary/binary.h"
#include "math/broadcast.h"
#include "math/gemm/gemm.h"
#include "math/scratch.h"
#include "math/unary/unary.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "ops/common/infer_util.h"

enum { TRANSPOSE_A, TRANSPOSE_B };

/* Checks before a kernel runs, with the wording of TensorFlow's kernel. */
static weir_status check_ranks(const weir_infer *infer)
{
    int a = infer->in[0]->rank, b = infer->in[1]->rank;
    if (a != b)
        return weir_error(WEIR_INVALID_ARGUMENT, "In[0] and In[1] has different ndims: %s vs. %s",
                          WEIR_SHAPE_STR(infer->in[0]), WEIR_SHAPE_STR(infer->in[1]));
    return a == 2 ? WEIR_OK
                  : weir_error(WEIR_INVALID_ARGUMENT, "In[0] and In[1] ndims must be == 2: %d", a);
}

static weir_status infer(weir_infer *infer)
{
    if (weir_infer_running(infer))
        WEIR_TRY(check_ranks(infer));
    WEIR_TRY(weir_infer_rank(infer, 0, 2));
    WEIR_TRY(weir_infer_rank(infer, 1, 2));
    int ta = weir_site_bool(infer->site, TRANSPOSE_A),
        tb = weir_site_bool(infer->site, TRANSPOSE_B);
    int64_t k;
    int64_t inner_a = weir_infer_dim(infer, 0, 1 - ta), inner_b = weir_infer_dim(infer, 1, tb);
    if (weir_infer_running(infer) && inner_a != inner_b)
        return weir_error(WEIR_INVALID_ARGUMENT, "Matrix size-incompatible: In[0]: %s, In[1]: %s",
                          WEIR_SHAPE_STR(infer->in[0]), WEIR_SHAPE_STR(infer->in[1]));
    WEIR_TRY(weir_infer_merge_dim(inner_a, inner_b, &k));
    infer->out[0] =
        weir_shape_matrix(weir_infer_dim(infer, 0, ta), weir_infer_dim(infer, 1, 1 - tb));
    return WEIR_OK;
}

static weir_gemm gemm_of(const weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1), *c = weir_out(call, 0);
    bool ta = weir_site_bool(call->site, TRANSPOSE_A), tb = weir_site_bool(call->site, TRANSPOSE_B);
    return (weir_gemm){
        .elem = weir_elem_of(c->dtype),
        .m = a->shape.dims[ta],
        .n = b->shape.dims[1 - tb],
        .k = a->shape.dims[1 - ta],
        .a = a->data,
        .b = b->data,
        .c = c->data,
        .op_a = ta ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
        .op_b = tb ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
    };
}

static weir_status mat_mul(weir_call *call)
{
    weir_gemm gemm = gemm_of(call);
    weir_gemm_run(&call->run->par, &gemm);
    return WEIR_OK;
}

/* The panels of b in input |at|; null if they do not match b's size. */
static const void *panels_at(const weir_call *call, int at, const weir_gemm *gemm)
{
    const weir_tensor *panels = weir_in(call, at);
    int64_t cols = weir_gemm_panel_cols(gemm->elem);
    bool fit = cols && weir_tensor_count(panels) == weir_round_up(gemm->n, cols) * gemm->k;
    return fit ? panels->data : NULL;
}

static weir_status mat_mul_panels(weir_call *call)
{
    weir_gemm gemm = gemm_of(call);
    gemm.panels = panels_at(call, 2, &gemm);
    weir_gemm_run(&call->run->par, &gemm);
    return WEIR_OK;
}

const weir_op weir_op_mat_mul_panels = {
    .name = "_MatMulPanels",
    .in = "a: T; b: T; panels: T",
    .out = "product: T",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: {float, double}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", mat_mul_panels, WEIR_EXPENSIVE}},
};

static weir_edge product(weir_grad *grad, weir_edge a, weir_edge b, bool ta, bool tb)
{
    return weir_grad_op(grad, "MatMul", WEIR_IN(a, b),
                        WEIR_ATTRS(weir_a_bool("transpose_a", ta), weir_a_bool("transpose_b", tb)));
}

static weir_status grad(weir_grad *grad)
{
    bool ta = weir_site_bool(weir_grad_site(grad), TRANSPOSE_A);
    bool tb = weir_site_bool(weir_grad_site(grad), TRANSPOSE_B);
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_edge a = weir_grad_conj(grad, weir_grad_x(grad, 0)),
              b = weir_grad_conj(grad, weir_grad_x(grad, 1));
    weir_grad_set(grad, 0, ta ? product(grad, b, dy, tb, true) : product(grad, dy, b, false, !tb));
    weir_grad_set(grad, 1, tb ? product(grad, dy, a, true, ta) : product(grad, a, dy, !ta, false));
    return WEIR_OK;
}

const weir_op weir_op_mat_mul = {
    .name = "MatMul",
    .in = "a: T; b: T",
    .out = "product: T",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: {bfloat16, half, float, "
             "double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128}; "
             "grad_a: bool = false; grad_b: bool = false",
    .infer = infer,
    .grad = grad,
    .kernels = {{WEIR_CPU, "*", mat_mul, WEIR_EXPENSIVE}},
};

/* ---- _MatMulBias ----------------------------------------------------------------------------- */

/* Of .attrs: a weir_unary_op and 1, or 0; whether the bias may have any shape, or is a row. */
enum { UNARY = 3, BROADCAST };

static weir_status infer_bias(weir_infer *inference)
{
    WEIR_TRY(infer(inference));
    if (weir_site_bool(inference->site, BROADCAST)) {
        weir_shape product = inference->out[0];
        return weir_infer_broadcast_shapes(&product, inference->in[2], &inference->out[0]);
    }
    WEIR_TRY(weir_infer_rank(inference, 2, 1));
    int64_t cols = inference->out[0].dims[1], biases = weir_infer_dim(inference, 2, 0);
    if (cols >= 0 && biases >= 0 && cols != biases)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must provide as many biases as the last dimension of the input tensor: "
                          "%s vs. %s. Dimensions must be equal, but are %" PRId64 " and %" PRId64,
                          WEIR_SHAPE_STR(inference->in[2]), WEIR_SHAPE_STR(&inference->out[0]),
                          cols, biases);
    return WEIR_OK;
}

typedef struct layer {
    const char *bias; /* null: the product accumulates into the addend */
    int64_t bias_row; /* stride of rows in bytes; 0: the same row for all */
    char *out;
    int64_t cols, unit;
    weir_binary_fn add;
    weir_unary_fn unary; /* may be null */
} layer;

enum { TILE = 2048 }; /* elements per block, so that the second pass hits the cache */

static void finish(void *ctx, int64_t i, int64_t rows)
{
    const layer *layer = ctx;
    int64_t row = layer->cols * layer->unit, most = layer->cols < TILE ? TILE / layer->cols : 1;
    for (int64_t end = i + rows, count; i < end; i += count) {
        count = end - i < most ? end - i : most;
        char *y = layer->out + i * row;
        const char *bias = layer->bias ? layer->bias + i * layer->bias_row : NULL;
        if (bias && layer->bias_row)
            layer->add(count * layer->cols, y, bias, y, WEIR_BOTH_VARY);
        for (int64_t r = 0; bias && !layer->bias_row && r < count; r++)
            layer->add(layer->cols, y + r * row, bias, y + r * row, WEIR_BOTH_VARY);
        if (layer->unary)
            layer->unary(count * layer->cols, y, y);
    }
}

/* Other shapes: the product, then AddV2, then the activation, each over whole tensors. */
static void add_any_shape(weir_call *call, weir_gemm *gemm, weir_unary_fn unary)
{
    const weir_tensor *bias = weir_in(call, 2), *out = weir_out(call, 0);
    const weir_par *par = &call->run->par;
    void *product = weir_scratch_alloc(weir_elem_size(gemm->elem) * (size_t)(gemm->m * gemm->n));
    gemm->c = product;
    weir_gemm_run(par, gemm);
    weir_bcast bcast;
    if (weir_bcast_init(&bcast, 2, (int[]){2, bias->shape.rank},
                        (const int64_t *[]){(int64_t[]){gemm->m, gemm->n}, bias->shape.dims}))
        weir_binary_bcast(par, WEIR_B_add, gemm->elem, &bcast, product, bias->data, out->data);
    weir_scratch_free(product);
    if (unary)
        unary(weir_tensor_count(out), out->data, out->data);
}

static weir_status find_function(const weir_call *call, weir_elem elem, weir_unary_fn *out_fn)
{
    int64_t unary = weir_site_int(call->site, UNARY);
    if (unary < 0 || unary > WEIR_UNARY_COUNT)
        return weir_error(WEIR_INVALID_ARGUMENT, "_MatMulBias: no function %" PRId64, unary);
    if (unary > 0 && weir_unary_out((weir_unary_op)(unary - 1), elem) == elem)
        *out_fn = weir_unary_find((weir_unary_op)(unary - 1), elem);
    if (unary > 0 && !*out_fn)
        return weir_error(WEIR_INVALID_ARGUMENT, "_MatMulBias: the type has no function %" PRId64,
                          unary);
    return WEIR_OK;
}

static weir_status mat_mul_bias(weir_call *call)
{
    const weir_tensor *bias = weir_in(call, 2), *out = weir_out(call, 0);
    weir_gemm gemm = gemm_of(call);
    weir_shape matrix = weir_shape_matrix(gemm.m, gemm.n);
    layer layer = {.bias = bias->data, .out = out->data, .cols = gemm.n};
    WEIR_TRY(find_function(call, gemm.elem, &layer.unary));
    bool whole = weir_shape_eq(&bias->shape, &matrix);
    bool row = bias->shape.rank == 1 && bias->shape.dims[0] == gemm.n;
    if (!whole && !row) {
        add_any_shape(call, &gemm, layer.unary);
        return WEIR_OK;
    }
    if (call->site->in_count > 3)
        gemm.panels = panels_at(call, 3, &gemm);
    layer.unit = (int64_t)weir_elem_size(gemm.elem);
    layer.bias_row = whole ? gemm.n * layer.unit : 0;
    layer.add = weir_binary_find(WEIR_B_add, gemm.elem);
    if (bias->data == out->data) { /* in place: the product accumulates into it */
        gemm.accumulate = true;
        layer.bias = NULL;
    }
    if (layer.bias || layer.unary)
        gemm.finish = finish;
    gemm.finish_ctx = &layer;
    weir_gemm_run(&call->run->par, &gemm);
    return WEIR_OK;
}

const weir_op weir_op_mat_mul_bias = {
    .name = "_MatMulBias",
    .in = "a: T; b: T; bias: T; panels: N * T",
    .out = "y: T",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: {float, double}; "
             "unary: int = 0; broadcast: bool = false; N: int >= 0 = 0",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_bias,
    .inplace = WEIR_INPLACE(2, 0),
    .kernels = {{WEIR_CPU, "*", mat_mul_bias, WEIR_EXPENSIVE}},
};
