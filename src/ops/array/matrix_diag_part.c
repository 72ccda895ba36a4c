/* ops/array/matrix_diag_part.c - MatrixDiagPart, V2, V3: diagonals of matrices. */
#include "ops/array/diagonals.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, ALIGN };
enum { INPUT, K, PADDING }; /* inputs */

/* Diagonals |d| of matrices of |x|, as far as its sizes are known. */
static weir_status part_shape(const weir_shape *x, weir_diagonals *d, weir_shape *out)
{
    d->rows = x->dims[x->rank - 2];
    d->cols = x->dims[x->rank - 1];
    if (d->rows >= 0 && d->cols >= 0)
        WEIR_TRY(weir_diagonals_check(d));
    else
        d->longest = -1;
    *out = weir_diagonals_shape(d, x);
    return WEIR_OK;
}

static weir_status infer(weir_infer *i)
{
    const weir_shape *x = i->in[INPUT];
    weir_diagonals d = {0};
    if (x->rank >= 0 && x->rank < 2)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be at least 2-dim, received shape: %s",
                          WEIR_SHAPE_STR(x));
    if (i->in_count > PADDING) {
        const weir_tensor *k = weir_infer_value(i, K);
        WEIR_TRY(weir_infer_rank_at_most(i, K, 1));
        WEIR_TRY(weir_infer_rank(i, PADDING, 0));
        if (!k)
            return WEIR_OK;
        WEIR_TRY(weir_diagonals_read(k, &d));
    }
    return x->rank < 0 ? WEIR_OK : part_shape(x, &d, &i->out[0]);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, INPUT);
    weir_tensor *y = weir_out(call, 0);
    weir_diagonals d = {.left_above = true, .left_below = true};
    weir_shape shape;
    if (call->site->in_count > PADDING)
        WEIR_TRY(weir_diagonals_read(weir_in(call, K), &d));
    if (call->site->def->attr_count > ALIGN)
        weir_diagonals_align(weir_site_str(call->site, ALIGN), &d);
    WEIR_TRY(part_shape(&x->shape, &d, &shape));
    if (d.lower != d.upper) /* of one, every element is written */
        weir_tensor_fill(&call->run->par, y, weir_in(call, PADDING)->data);
    weir_diagonals_get(&call->run->par, x->dtype, &d,
                       weir_shape_product(&x->shape, 0, x->shape.rank - 2), x->data, y->data);
    return WEIR_OK;
}

/* The diagonals go back into matrices of zeros. */
static weir_edge zeros(weir_grad *g)
{
    return weir_grad_op(g, "ZerosLike", WEIR_IN(weir_grad_x(g, INPUT)), WEIR_NO_ATTRS);
}

static weir_status v1_grad(weir_grad *g)
{
    weir_grad_set(
        g, 0,
        weir_grad_op(g, "MatrixSetDiag", WEIR_IN(zeros(g), weir_grad_dy(g, 0)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v2_grad(weir_grad *g)
{
    weir_grad_set(g, 0,
                  weir_grad_op(g, "MatrixSetDiagV2",
                               WEIR_IN(zeros(g), weir_grad_dy(g, 0), weir_grad_x(g, K)),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v3_grad(weir_grad *g)
{
    weir_grad_set(g, 0,
                  weir_grad_op(g, "MatrixSetDiagV3",
                               WEIR_IN(zeros(g), weir_grad_dy(g, 0), weir_grad_x(g, K)),
                               WEIR_ATTRS(weir_grad_attr(g, "align"))));
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
    .infer = infer,
    .grad = v3_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
