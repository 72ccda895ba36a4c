/* ops/array/matrix_diag.c - MatrixDiag, V2, V3: matrices from their diagonals. */
#include "base/arith.h"
#include "ops/array/diagonals.h"
#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/common/infer_util.h"

enum { T, ALIGN };
enum { DIAGONAL, K, NUM_ROWS, NUM_COLS, PADDING }; /* inputs */

/* ---- V1: the main diagonal of square matrices ------------------------------------------------ */

static weir_status v1_infer(weir_infer *infer)
{
    const weir_shape *x = infer->in[0];
    if (x->rank == 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "input must be at least 1-dim, received shape: %s",
                          WEIR_SHAPE_STR(x));
    infer->out[0] = *x;
    return x->rank < 0 ? WEIR_OK : weir_infer_append(&infer->out[0], x->dims[x->rank - 1]);
}

static weir_status v1(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *y = weir_out(call, 0);
    int64_t n = y->shape.dims[y->shape.rank - 1];
    weir_diagonals diagonals = {.rows = n, .cols = n, .longest = n};
    weir_tensor_zero(&call->run->par, y);
    weir_diagonals_put(&call->run->par, x->dtype, &diagonals,
                       weir_shape_product(&x->shape, 0, x->shape.rank - 1), y->data, x->data);
    return WEIR_OK;
}

static weir_status v1_grad(weir_grad *grad)
{
    weir_grad_set(
        grad, 0,
        weir_grad_op(grad, "MatrixDiagPart", WEIR_IN(weir_grad_dy(grad, 0)), WEIR_NO_ATTRS));
    return WEIR_OK;
}

/* ---- V2, V3 ---------------------------------------------------------------------------------- */

/* The number of rows and columns: as given, or the minimum for these diagonals. */
static weir_status find_size(const weir_shape *diagonal, int64_t rows, int64_t cols,
                             weir_diagonals *diagonals)
{
    diagonals->longest = diagonal->dims[diagonal->rank - 1];
    int64_t min_rows = diagonals->longest - (diagonals->upper < 0 ? diagonals->upper : 0);
    int64_t min_cols = diagonals->longest + (diagonals->lower > 0 ? diagonals->lower : 0);
    if (rows != -1 && rows < min_rows)
        return weir_error(WEIR_INVALID_ARGUMENT, "The number of rows is too small.");
    if (cols != -1 && cols < min_cols)
        return weir_error(WEIR_INVALID_ARGUMENT, "The number of columns is too small.");
    if (rows == -1 && cols == -1)
        rows = cols = weir_max(min_rows, min_cols);
    diagonals->rows = rows == -1 ? min_rows : rows;
    diagonals->cols = cols == -1 ? min_cols : cols;
    if (diagonals->rows != min_rows && diagonals->cols != min_cols)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "The number of rows or columns is not consistent with the specified d_lower, "
            "d_upper, and diagonal.");
    return WEIR_OK;
}

static weir_status check_diagonal(const weir_shape *x, const weir_diagonals *diagonals)
{
    int64_t count = diagonals->upper - diagonals->lower + 1;
    if (x->rank < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "diagonal must be at least 1-dim, received shape: %s", WEIR_SHAPE_STR(x));
    if (count > 1 && (x->rank < 2 || (x->dims[x->rank - 2] >= 0 && x->dims[x->rank - 2] != count)))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "The number of diagonals provided in the input does not match the "
                          "lower_diag_index and upper_diag_index range.");
    return WEIR_OK;
}

static weir_status with_k(weir_infer *infer, const weir_tensor *k)
{
    const weir_shape *x = infer->in[DIAGONAL];
    weir_diagonals diagonals = {0};
    int64_t rows = -1, cols = -1;
    WEIR_TRY(weir_diagonals_read(k, &diagonals));
    WEIR_TRY(check_diagonal(x, &diagonals));
    bool rows_known = weir_infer_value_int(infer, NUM_ROWS, &rows);
    bool cols_known = weir_infer_value_int(infer, NUM_COLS, &cols);
    bool known = rows_known && cols_known;
    diagonals.rows = diagonals.cols = -1;
    if (known && x->dims[x->rank - 1] >= 0)
        WEIR_TRY(find_size(x, rows, cols, &diagonals));
    infer->out[0] = weir_infer_sub(x, 0, x->rank - (diagonals.lower == diagonals.upper ? 1 : 2));
    WEIR_TRY(weir_infer_append(&infer->out[0], diagonals.rows));
    return weir_infer_append(&infer->out[0], diagonals.cols);
}

static weir_status infer(weir_infer *infer)
{
    const weir_tensor *k = weir_infer_value(infer, K);
    WEIR_TRY(weir_infer_rank_at_most(infer, K, 1));
    for (int n = NUM_ROWS; n <= PADDING; n++)
        WEIR_TRY(weir_infer_rank(infer, n, 0));
    return infer->in[DIAGONAL]->rank < 0 || !k ? WEIR_OK : with_k(infer, k);
}

static weir_status run(weir_call *call)
{
    const weir_tensor *x = weir_in(call, DIAGONAL);
    weir_tensor *y = weir_out(call, 0);
    weir_diagonals diagonals = {.left_above = true, .left_below = true};
    WEIR_TRY(weir_diagonals_read(weir_in(call, K), &diagonals));
    diagonals.longest = x->shape.dims[x->shape.rank - 1];
    diagonals.rows = y->shape.dims[y->shape.rank - 2];
    diagonals.cols = y->shape.dims[y->shape.rank - 1];
    if (call->site->def->attr_count > ALIGN)
        weir_diagonals_align(weir_site_str(call->site, ALIGN), &diagonals);
    weir_tensor_fill(&call->run->par, y, weir_in(call, PADDING)->data);
    weir_diagonals_put(&call->run->par, x->dtype, &diagonals,
                       weir_shape_product(&y->shape, 0, y->shape.rank - 2), y->data, x->data);
    return WEIR_OK;
}

static void set_padding_grad(weir_grad *grad, weir_edge ddiagonal)
{
    weir_edge all = weir_grad_sum_all(grad, weir_grad_dy(grad, 0));
    weir_grad_set(grad, PADDING, weir_grad_sub(grad, all, weir_grad_sum_all(grad, ddiagonal)));
}

static weir_status v2_grad(weir_grad *grad)
{
    weir_edge zero = weir_grad_scalar_like(grad, weir_grad_dy(grad, 0), 0);
    weir_grad_set(grad, 0,
                  weir_grad_op(grad, "MatrixDiagPartV2",
                               WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, K), zero),
                               WEIR_NO_ATTRS));
    return WEIR_OK;
}

static weir_status v3_grad(weir_grad *grad)
{
    weir_edge zero = weir_grad_scalar_like(grad, weir_grad_dy(grad, 0), 0);
    weir_edge dx = weir_grad_op(grad, "MatrixDiagPartV3",
                                WEIR_IN(weir_grad_dy(grad, 0), weir_grad_x(grad, K), zero),
                                WEIR_ATTRS(weir_grad_attr(grad, "align")));
    weir_grad_set(grad, 0, dx);
    set_padding_grad(grad, dx);
    return WEIR_OK;
}

const weir_op weir_op_matrix_diag = {
    .name = "MatrixDiag",
    .in = "diagonal: T",
    .out = "output: T",
    .attrs = "T: type",
    .infer = v1_infer,
    .grad = v1_grad,
    .kernels = {{WEIR_CPU, "*", v1}},
};

const weir_op weir_op_batch_matrix_diag = {
    .name = "BatchMatrixDiag",
    .in = "diagonal: T",
    .out = "output: T",
    .attrs = "T: type",
    .deprecated_at = 14,
    .deprecation = "Use MatrixDiag",
    .infer = v1_infer,
    .grad = v1_grad,
    .kernels = {{WEIR_CPU, "*", v1}},
};

const weir_op weir_op_matrix_diag_v2 = {
    .name = "MatrixDiagV2",
    .in = "diagonal: T; k: int32; num_rows: int32; num_cols: int32; padding_value: T",
    .out = "output: T",
    .attrs = "T: type",
    .host = "k; num_cols; num_rows; padding_value",
    .infer = infer,
    .grad = v2_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};

const weir_op weir_op_matrix_diag_v3 = {
    .name = "MatrixDiagV3",
    .in = "diagonal: T; k: int32; num_rows: int32; num_cols: int32; padding_value: T",
    .out = "output: T",
    .attrs = "T: type; align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = "
             "\"RIGHT_LEFT\"",
    .host = "k; num_cols; num_rows; padding_value",
    .infer = infer,
    .grad = v3_grad,
    .kernels = {{WEIR_CPU, "*", run}},
};
