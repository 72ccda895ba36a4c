/* ops/nn/mat_mul.c - MatMul: the product of two matrices.
 *
 * _MatMulBias is that with a bias and a function of the result: pass/dense.c makes it of the ops of
 * a layer.
 */
#include <inttypes.h>

#include "grad/grad.h"
#include "math/binary/binary.h"
#include "math/gemm/gemm.h"
#include "math/unary/unary.h"
#include "op/op.h"
#include "ops/common/elem_of.h"

enum { TRANSPOSE_A, TRANSPOSE_B };

static weir_status infer(weir_infer *i)
{
    WEIR_TRY(weir_infer_rank(i, 0, 2));
    WEIR_TRY(weir_infer_rank(i, 1, 2));
    int ta = weir_site_bool(i->site, TRANSPOSE_A), tb = weir_site_bool(i->site, TRANSPOSE_B);
    int64_t k;
    bool running = !i->in_handles && !i->out_handles;
    int64_t inner_a = weir_infer_dim(i, 0, 1 - ta), inner_b = weir_infer_dim(i, 1, tb);
    if (running && inner_a != inner_b)
        return weir_error(WEIR_INVALID_ARGUMENT, "Matrix size-incompatible: In[0]: %s, In[1]: %s",
                          WEIR_SHAPE_STR(i->in[0]), WEIR_SHAPE_STR(i->in[1]));
    WEIR_TRY(weir_infer_merge_dim(inner_a, inner_b, &k));
    i->out[0] = weir_shape_matrix(weir_infer_dim(i, 0, ta), weir_infer_dim(i, 1, 1 - tb));
    return WEIR_OK;
}

static weir_gemm gemm_of(const weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1), *c = weir_out(call, 0);
    bool ta = weir_site_bool(call->site, TRANSPOSE_A), tb = weir_site_bool(call->site, TRANSPOSE_B);
    return (weir_gemm){
        .elem = weir_elem_of(c->dtype),
        .m = c->shape.dims[0],
        .n = c->shape.dims[1],
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
    weir_gemm g = gemm_of(call);
    weir_gemm_run(&call->run->par, &g);
    return WEIR_OK;
}

static weir_edge product(weir_grad *g, weir_edge a, weir_edge b, bool ta, bool tb)
{
    return weir_grad_op(g, "MatMul", WEIR_IN(a, b),
                        WEIR_ATTRS(weir_a_bool("transpose_a", ta), weir_a_bool("transpose_b", tb)));
}

static weir_status grad(weir_grad *g)
{
    bool ta = weir_site_bool(weir_grad_site(g), TRANSPOSE_A);
    bool tb = weir_site_bool(weir_grad_site(g), TRANSPOSE_B);
    weir_edge dy = weir_grad_dy(g, 0);
    weir_edge a = weir_grad_conj(g, weir_grad_x(g, 0)), b = weir_grad_conj(g, weir_grad_x(g, 1));
    weir_grad_set(g, 0, ta ? product(g, b, dy, tb, true) : product(g, dy, b, false, !tb));
    weir_grad_set(g, 1, tb ? product(g, dy, a, true, ta) : product(g, a, dy, !ta, false));
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

/* ---- _MatMulBias ------------------------------------------------------------------------------
 */

enum { UNARY = 3 }; /* of .attrs: a weir_unary_op and 1, or 0 */

static weir_status infer_bias(weir_infer *i)
{
    WEIR_TRY(infer(i));
    WEIR_TRY(weir_infer_rank(i, 2, 1));
    int64_t cols = i->out[0].dims[1], biases = weir_infer_dim(i, 2, 0);
    if (cols >= 0 && biases >= 0 && cols != biases)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Must provide as many biases as the last dimension of the input tensor: "
                          "%s vs. %s. Dimensions must be equal, but are %" PRId64 " and %" PRId64,
                          WEIR_SHAPE_STR(i->in[2]), WEIR_SHAPE_STR(&i->out[0]), cols, biases);
    return WEIR_OK;
}

typedef struct layer {
    const weir_tensor *bias;
    weir_tensor *out;
    int64_t unit;
    weir_binary_fn add;
    weir_unary_fn unary; /* may be null */
} layer;

static void finish(void *ctx, int64_t i, int64_t rows)
{
    const layer *l = ctx;
    int64_t cols = l->out->shape.dims[1];
    char *y = (char *)l->out->data + i * cols * l->unit;
    for (int64_t r = 0; r < rows; r++, y += cols * l->unit) {
        l->add(cols, y, l->bias->data, y, WEIR_BOTH_VARY);
        if (l->unary)
            l->unary(cols, y, y);
    }
}

static weir_status mat_mul_bias(weir_call *call)
{
    layer l = {.bias = weir_in(call, 2), .out = weir_out(call, 0)};
    weir_gemm g = gemm_of(call);
    int64_t unary = weir_site_int(call->site, UNARY);
    if (unary < 0 || unary > WEIR_UNARY_COUNT)
        return weir_error(WEIR_INVALID_ARGUMENT, "_MatMulBias: no function %" PRId64, unary);
    if (unary > 0 && weir_unary_out((weir_unary_op)(unary - 1), g.elem) == g.elem)
        l.unary = weir_unary_find((weir_unary_op)(unary - 1), g.elem);
    if (unary > 0 && !l.unary)
        return weir_error(WEIR_INVALID_ARGUMENT, "_MatMulBias: the type has no function %" PRId64,
                          unary);
    l.unit = (int64_t)weir_elem_size(g.elem);
    l.add = weir_binary_find(WEIR_B_add, g.elem);
    g.finish = finish;
    g.finish_ctx = &l;
    weir_gemm_run(&call->run->par, &g);
    return WEIR_OK;
}

const weir_op weir_op_mat_mul_bias = {
    .name = "_MatMulBias",
    .in = "a: T; b: T; bias: T",
    .out = "y: T",
    .attrs = "transpose_a: bool = false; transpose_b: bool = false; T: {float, double}; "
             "unary: int = 0",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_bias,
    .kernels = {{WEIR_CPU, "*", mat_mul_bias, WEIR_EXPENSIVE}},
};
