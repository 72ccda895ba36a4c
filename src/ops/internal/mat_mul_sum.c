/* ops/internal/mat_mul_sum.c - _MatMulSum: a sum of products of transposed matrices, A1'B1 +
 * A2'B2...
 *
 * pass/products.c makes it of the gradients of a weight that several steps of a recurrent network
 * share. Their rows are laid behind each other, so that one long product takes the place of many
 * flat ones, and none of the terms lies in memory.
 */
#include <string.h>

#include "math/gemm/gemm.h"
#include "op/op.h"
#include "ops/common/elem_of.h"
#include "tensor/tensor.h"

/* Inputs: |terms| times a, then as many b. */
static weir_status infer(weir_infer *i)
{
    int terms = i->in_count / 2;
    int64_t m = -1, n = -1, k;
    for (int t = 0; t < terms; t++) {
        WEIR_TRY(weir_infer_rank(i, t, 2));
        WEIR_TRY(weir_infer_rank(i, terms + t, 2));
        WEIR_TRY(
            weir_infer_merge_dim(weir_infer_dim(i, t, 0), weir_infer_dim(i, terms + t, 0), &k));
        WEIR_TRY(weir_infer_merge_dim(m, weir_infer_dim(i, t, 1), &m));
        WEIR_TRY(weir_infer_merge_dim(n, weir_infer_dim(i, terms + t, 1), &n));
    }
    i->out[0] = weir_shape_matrix(m, n);
    return WEIR_OK;
}

/* The matrices from input |first| on, one behind the other. */
static weir_status stack_rows(const weir_call *call, int first, int terms, weir_tensor *out)
{
    const weir_tensor *one = weir_in(call, first);
    weir_shape shape = weir_shape_matrix(0, one->shape.dims[1]);
    for (int t = 0; t < terms; t++)
        shape.dims[0] += weir_in(call, first + t)->shape.dims[0];
    WEIR_TRY(weir_tensor_alloc(one->dtype, &shape, out));
    char *to = out->data;
    for (int t = 0; t < terms; t++) {
        size_t bytes = weir_tensor_bytes(weir_in(call, first + t));
        if (bytes)
            memcpy(to, weir_in(call, first + t)->data, bytes);
        to += bytes;
    }
    return WEIR_OK;
}

static weir_status run(weir_call *call)
{
    int terms = call->site->in_count / 2;
    weir_tensor a = {0}, b = {0}, *c = weir_out(call, 0);
    weir_status s = stack_rows(call, 0, terms, &a);
    if (!s)
        s = stack_rows(call, terms, terms, &b);
    if (!s)
        weir_gemm_run(&call->run->par, &(weir_gemm){
                                           .elem = weir_elem_of(c->dtype),
                                           .m = c->shape.dims[0],
                                           .n = c->shape.dims[1],
                                           .k = a.shape.dims[0],
                                           .a = a.data,
                                           .b = b.data,
                                           .c = c->data,
                                           .op_a = WEIR_GEMM_TRANS,
                                       });
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return s;
}

const weir_op weir_op_mat_mul_sum = {
    .name = "_MatMulSum",
    .in = "a: N * T; b: N * T",
    .out = "sum: T",
    .attrs = "N: int >= 1; T: {float, double}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer,
    .kernels = {{WEIR_CPU, "*", run, WEIR_EXPENSIVE}},
};
