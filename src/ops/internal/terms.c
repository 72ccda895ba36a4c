/* ops/internal/terms.c - sums of products of transposed matrices, and _MatMulSum of several at
 * once.
 *
 * pass/products.c creates it from the gradients of a weight shared by several steps of a recurrent
 * network. One product with a long inner dimension replaces many with a short one: no term is
 * stored, and there is one pass over the sum instead of many.
 */
#include "ops/internal/terms.h"

#include <string.h>

#include "math/gemm/gemm.h"
#include "ops/common/elem_of.h"

/* Concatenates the matrices. */
static weir_status stack_rows(const weir_tensor *parts, size_t count, weir_tensor *out)
{
    weir_shape shape = weir_shape_matrix(0, parts->shape.dims[1]);
    for (size_t t = 0; t < count; t++)
        shape.dims[0] += parts[t].shape.dims[0];
    WEIR_TRY(weir_tensor_alloc(parts->dtype, &shape, out));
    char *to = out->data;
    for (size_t t = 0; t < count; t++) {
        size_t bytes = weir_tensor_bytes(&parts[t]);
        if (bytes)
            memcpy(to, parts[t].data, bytes);
        to += bytes;
    }
    return WEIR_OK;
}

/* For small matrices of equal size, without a copy; threads split the rows of the sum. False:
 * concatenating them is faster. */
static bool sum_apart(const weir_par *par, const weir_terms *terms, weir_tensor *sum)
{
    size_t count = terms->count;
    for (size_t i = 1; i < count; i++)
        if (terms->a[i].shape.dims[0] != terms->a->shape.dims[0])
            return false;
    const void **at = WEIR_NEW_ARRAY(const void *, 2 * count);
    for (size_t i = 0; i < count; i++) {
        at[i] = terms->a[i].data;
        at[count + i] = terms->b[i].data;
    }
    bool done = weir_gemm_terms_run(par, &(weir_gemm_terms){
                                             .elem = weir_elem_of(sum->dtype),
                                             .m = sum->shape.dims[0],
                                             .n = sum->shape.dims[1],
                                             .k = terms->a->shape.dims[0],
                                             .count = (int64_t)count,
                                             .a = at,
                                             .b = at + count,
                                             .c = sum->data,
                                             .accumulate = terms->accumulate,
                                         });
    weir_free(at);
    return done;
}

static void sum_one(const weir_par *par, const weir_tensor *a, const weir_tensor *b,
                    bool accumulate, weir_tensor *sum)
{
    weir_gemm_run(par, &(weir_gemm){
                           .elem = weir_elem_of(sum->dtype),
                           .m = sum->shape.dims[0],
                           .n = sum->shape.dims[1],
                           .k = a->shape.dims[0],
                           .a = a->data,
                           .b = b->data,
                           .c = sum->data,
                           .op_a = WEIR_GEMM_TRANS,
                           .accumulate = accumulate,
                       });
}

weir_status weir_terms_sum(const weir_par *par, const weir_terms *terms, weir_tensor *sum)
{
    if (sum_apart(par, terms, sum))
        return WEIR_OK;
    const weir_par *by = terms->steady ? NULL : par; /* else they may split the depth */
    if (terms->count == 1) {
        sum_one(by, terms->a, terms->b, terms->accumulate, sum);
        return WEIR_OK;
    }
    weir_tensor a = {0}, b = {0};
    weir_status status = stack_rows(terms->a, terms->count, &a);
    if (!status)
        status = stack_rows(terms->b, terms->count, &b);
    if (!status)
        sum_one(by, &a, &b, terms->accumulate, sum);
    weir_tensor_release(&a);
    weir_tensor_release(&b);
    return status;
}

/* Inputs: |terms| times a, then as many b. */
static weir_status infer_sum(weir_infer *infer)
{
    int terms = infer->in_count / 2;
    int64_t m = -1, n = -1, k;
    for (int term = 0; term < terms; term++) {
        WEIR_TRY(weir_infer_rank(infer, term, 2));
        WEIR_TRY(weir_infer_rank(infer, terms + term, 2));
        WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, term, 0),
                                      weir_infer_dim(infer, terms + term, 0), &k));
        WEIR_TRY(weir_infer_merge_dim(m, weir_infer_dim(infer, term, 1), &m));
        WEIR_TRY(weir_infer_merge_dim(n, weir_infer_dim(infer, terms + term, 1), &n));
    }
    infer->out[0] = weir_shape_matrix(m, n);
    return WEIR_OK;
}

static weir_status sum_all(weir_call *call)
{
    size_t terms = (size_t)call->site->in_count / 2;
    WEIR_FREED weir_tensor *in = WEIR_NEW_ARRAY(weir_tensor, 2 * terms);
    for (size_t term = 0; term < 2 * terms; term++)
        in[term] = *weir_in(call, (int)term); /* borrowed */
    weir_terms all = {.a = in, .b = in + terms, .count = terms};
    return weir_terms_sum(&call->run->par, &all, weir_out(call, 0));
}

const weir_op weir_op_mat_mul_sum = {
    .name = "_MatMulSum",
    .in = "a: N * T; b: N * T",
    .out = "sum: T",
    .attrs = "N: int >= 1; T: {float, double, bfloat16}",
    .flags = WEIR_INTERNAL_OP,
    .infer = infer_sum,
    .kernels = {{WEIR_CPU, "T: float, double", sum_all, WEIR_EXPENSIVE}},
};
