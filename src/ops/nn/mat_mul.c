/* ops/nn/mat_mul.c - MatMul: the product of two matrices. */
#include "grad/grad.h"
#include "math/gemm/gemm.h"
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

static weir_status mat_mul(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_tensor *c = weir_out(call, 0);
    bool ta = weir_site_bool(call->site, TRANSPOSE_A), tb = weir_site_bool(call->site, TRANSPOSE_B);
    weir_gemm_run(&call->run->par, &(weir_gemm){
                                       .elem = weir_elem_of(c->dtype),
                                       .m = c->shape.dims[0],
                                       .n = c->shape.dims[1],
                                       .k = a->shape.dims[1 - ta],
                                       .a = a->data,
                                       .b = b->data,
                                       .c = c->data,
                                       .op_a = ta ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                                       .op_b = tb ? WEIR_GEMM_TRANS : WEIR_GEMM_PLAIN,
                                   });
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
