/* ops/array/matrix_set_diag.c - MatrixSetDiag, V2, V3: matrices with diagonals replaced. */
#include "ops/array/diagonals.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, ALIGN };
enum { INPUT, DIAGONAL, K }; /* inputs */

static weir_status check_shapes(const weir_shape *x, const weir_shape *diagonal,
                                weir_diagonals *diagonals)
{
    diagonals->rows = x->dims[x->rank - 2];
    diagonals->cols = x->dims[x->rank - 1];
    WEIR_TRY(weir_diagonals_check(diagonals));
    weir_shape want = weir_diagonals_shape(diagonals, x);
    if (!weir_shape_compatible(&want, diagonal))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Either first dimensions of diagonal don't match input.shape[:-2], or "
                          "diagonal.shape[:-1] is not equal to the longests diagonal in range "
                          "[lower_diag_index:upper_diag_index].\nInput shape: %s\nDiagonal shape: "
                          "%s\nExpected diagonal shape: %s",
                          WEIR_SHAPE_STR(x), WEIR_SHAPE_STR(diagonal), WEIR_SHAPE_STR(&want));
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[INPUT];
    weir_diagonals diagonals = {0};
    if (x->rank >= 0 && x->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be at least 2-dim, received shape: %s",
                          WEIR_SHAPE_STR(x));
    if (infer->in[DIAGONAL]->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "diagonal must be at least 1-dim, received shape: []");
    infer->out[0] = *x;
    if (infer->in_count > K) {
        const weir_tensor *k = weir_infer_value(infer, K);
        WEIR_TRY(weir_infer_rank_at_most(infer, K, 1));
        if (!k)
            return WEIR_OK;
        WEIR_TRY(weir_diagonals_read(k, &diagonals));
    }
    bool sized = x->rank >= 0 && x->dims[x->rank - 2] >= 0 && x->dims[x->rank - 1] >= 0;
    return sized ? check_shapes(x, infer->in[DIAGONAL], &diagonals) : WEIR_OK;
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, INPUT), *diagonal = weir_in(call, DIAGONAL);
    weir_tensor *y = weir_out(call, 0);
    weir_diagonals diagonals = {.left_above = true, .left_below = true};
    if (call->site->in_count > K)
        WEIR_TRY(weir_diagonals_read(weir_in(call, K), &diagonals));
    if (call->site->def->attr_count > ALIGN)
        weir_diagonals_align(weir_site_str(call->site, ALIGN), &diagonals);
    WEIR_TRY(check_shapes(&x->shape, &diagonal->shape, &diagonals));
    if (x->data != y->data)
        weir_elements_copy(x->dtype, y->data, x->data, weir_tensor_count(x));
    weir_diagonals_put(&call->run->par, x->dtype, &diagonals,
                       weir_shape_product(&x->shape, 0, x->shape.rank - 2), y->data,
                       diagonal->data);
    return WEIR_OK;
}

/* Replaced elements have no gradient. */
static weir_edge no_diagonal(weir_grad *grad)
{
    return weir_grad_op(grad, "ZerosLike", WEIR_IN(weir_grad_x(grad, DIAGONAL)), WEIR_NO_ATTRS);
}

static weir_status v1_grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0);
    weir_grad_set(
        grad, INPUT,
        weir_grad_op(grad, "MatrixSetDiag", WEIR_IN(dy, no_diagonal(grad)), WEIR_NO_ATTRS));
    weir_grad_set(grad, DIAGONAL, weir_grad_op(grad, "MatrixDiagPart", WEIR_IN(dy), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v2_grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0), k = weir_grad_x(grad, K),
              zero = weir_grad_scalar_like(grad, dy, 0);
    weir_grad_set(
        grad, INPUT,
        weir_grad_op(grad, "MatrixSetDiagV2", WEIR_IN(dy, no_diagonal(grad), k), WEIR_NO_ATTRS));
    weir_grad_set(grad, DIAGONAL,
                  weir_grad_op(grad, "MatrixDiagPartV2", WEIR_IN(dy, k, zero), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v3_grad(weir_grad *grad)
{
    weir_edge dy = weir_grad_dy(grad, 0), k = weir_grad_x(grad, K),
              zero = weir_grad_scalar_like(grad, dy, 0);
    weir_named_attr align = weir_grad_attr(grad, "align");
    weir_grad_set(grad, INPUT,
                  weir_grad_op(grad, "MatrixSetDiagV3", WEIR_IN(dy, no_diagonal(grad), k),
                               WEIR_ATTRS(align)));
    weir_grad_set(grad, DIAGONAL,
                  weir_grad_op(grad, "MatrixDiagPartV3", WEIR_IN(dy, k, zero), WEIR_ATTRS(align)));
    return WEIR_OK;
}

const weir_op weir_op_matrix_set_diag = {
    .name = "MatrixSetDiag",
    .in = "input: T; diagonal: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = infer,
    .grad = v1_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_batch_matrix_set_diag = {
    .name = "BatchMatrixSetDiag",
    .in = "input: T; diagonal: T",
    .out = "output: T",
    .attrs = "T: type",
    .deprecated_at = 14,
    .deprecation = "Use MatrixSetDiag",
    .infer = infer,
    .grad = v1_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_matrix_set_diag_v2 = {
    .name = "MatrixSetDiagV2",
    .in = "input: T; diagonal: T; k: int32",
    .out = "output: T",
    .attrs = "T: type",
    .host = "k",
    .infer = infer,
    .grad = v2_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_matrix_set_diag_v3 = {
    .name = "MatrixSetDiagV3",
    .in = "input: T; diagonal: T; k: int32",
    .out = "output: T",
    .attrs = "T: type; align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = "
             "\"RIGHT_LEFT\"",
    .host = "k",
    .infer = infer,
    .grad = v3_grad,
    .inplace = WEIR_INPLACE(0, 0),
    .kernels = {{WEIR_CPU, "*", run}},
};
