/* ops/array/matrix_diag_part.c - MatrixDiagPart, V2, V3: diagonals of matrices. */
#include "ops/array/diagonals.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, ALIGN };
enum { INPUT, K, PADDING }; /* inputs */

/* Diagonals |diagonals| of matrices of |x|, as far as its sizes are known. */
static weir_status part_shape(const weir_shape *x, weir_diagonals *diagonals, weir_shape *out)
{
    diagonals->rows = x->dims[x->rank - 2];
    diagonals->cols = x->dims[x->rank - 1];
    if (diagonals->rows >= 0 && diagonals->cols >= 0)
        WEIR_TRY(weir_diagonals_check(diagonals));
    else
        diagonals->longest = -1;
    *out = weir_diagonals_shape(diagonals, x);
    return WEIR_OK;
}

static weir_status infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[INPUT];
    weir_diagonals diagonals = {0};
    if (x->rank >= 0 && x->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be at least 2-dim, received shape: %s",
                          WEIR_SHAPE_STR(x));
    if (infer->in_count > PADDING) {
        const weir_tensor *k = weir_infer_value(infer, K);
        WEIR_TRY(weir_infer_rank_at_most(infer, K, 1));
        WEIR_TRY(weir_infer_rank(infer, PADDING, 0));
        if (!k)
            return WEIR_OK;
        WEIR_TRY(weir_diagonals_read(k, &diagonals));
    }
    return x->rank < 0 ? WEIR_OK : part_shape(x, &diagonals, &infer->out[0]);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, INPUT);
    weir_tensor *y = weir_out(call, 0);
    weir_diagonals diagonals = {.left_above = true, .left_below = true};
    weir_shape shape;
    if (call->site->in_count > PADDING)
        WEIR_TRY(weir_diagonals_read(weir_in(call, K), &diagonals));
    if (call->site->def->attr_count > ALIGN)
        weir_diagonals_align(weir_site_str(call->site, ALIGN), &diagonals);
    WEIR_TRY(part_shape(&x->shape, &diagonals, &shape));
    if (diagonals.lower != diagonals.upper) /* a single diagonal fills the output completely */
        weir_tensor_fill(&call->run->par, y, weir_in(call, PADDING)->data);
    weir_diagonals_get(&call->run->par, x->dtype, &diagonals,
                       weir_shape_product(&x->shape, 0, x->shape.rank - 2), x->data, y->data);
    return WEIR_OK;
}

/* The gradient puts the diagonals into matrices of zeros. */
static weir_edge zeros(weir_grad *grad)
{
    return weir_grad_op(grad, "ZerosLike", WEIR_IN(weir_grad_x(grad, INPUT)), WEIR_NO_ATTRS);
}

static weir_status v1_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "MatrixSetDiag", WEIR_IN(zeros(grad), weir_grad_dy(grad, 0)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v2_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "MatrixSetDiagV2",
                               WEIR_IN(zeros(grad), weir_grad_dy(grad, 0), weir_grad_x(grad, K)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v3_grad(weir_grad *grad)
{
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "MatrixSetDiagV3",
                               WEIR_IN(zeros(grad), weir_grad_dy(grad, 0), weir_grad_x(grad, K)),
                               WEIR_ATTRS(weir_grad_attr(grad, "align"))));
    return WEIR_OK;
}

const weir_op weir_op_matrix_diag_part = {
    .name = "MatrixDiagPart",
    .in = "input: T",
    .out = "diagonal: T",
    .attrs = "T: type",
    .infer = infer,
    .grad = v1_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_batch_matrix_diag_part = {
    .name = "BatchMatrixDiagPart",
    .in = "input: T",
    .out = "diagonal: T",
    .attrs = "T: type",
    .deprecated_at = 14,
    .deprecation = "Use MatrixDiagPart",
    .infer = infer,
    .grad = v1_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_matrix_diag_part_v2 = {
    .name = "MatrixDiagPartV2",
    .in = "input: T; k: int32; padding_value: T",
    .out = "diagonal: T",
    .attrs = "T: type",
    .host = "k; padding_value",
    .infer = infer,
    .grad = v2_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_matrix_diag_part_v3 = {
    .name = "MatrixDiagPartV3",
    .in = "input: T; k: int32; padding_value: T",
    .out = "diagonal: T",
    .attrs = "T: type; align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = "
             "\"RIGHT_LEFT\"",
    .host = "k; padding_value",
    .infer = infer,
    .grad = v3_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
