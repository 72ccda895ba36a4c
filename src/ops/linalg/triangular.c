/* ops/linalg/triangular.c - MatrixTriangularSolve, BandedTriangularSolve, Cholesky, CholeskyGrad.
 */
#include <math.h>

#include "math/broadcast.h"
#include "ops/common/grads.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"
#include "ops/math/gradient.h"

enum { LOWER, ADJOINT }; /* attrs of the triangular solves */

static weir_edge product(weir_grad *grad, weir_edge a, weir_edge b, bool adj_a, bool adj_b)
{
    return weir_grad_op(grad, "BatchMatMulV2", WEIR_IN(a, b),
                        WEIR_ATTRS(weir_a_bool("adj_x", adj_a), weir_a_bool("adj_y", adj_b)));
}

/* ---- MatrixTriangularSolve ------------------------------------------------------------------- */

static weir_status solve_infer(weir_infer *infer)
{
    weir_shape batch, rhs_batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    WEIR_TRY(weir_infer_matrix(infer, 1, &rhs_batch));
    WEIR_TRY(weir_infer_broadcast_shapes(&batch, &rhs_batch, &batch));
    WEIR_TRY(weir_infer_merge_dim(n, weir_infer_dim(infer, 1, -2), &n));
    return weir_infer_matrices(&batch, n, weir_infer_dim(infer, 1, -1), &infer->out[0]);
}

/* Iterates over pairs of matrices with broadcast batches. */
typedef struct pairing {
    weir_bcast b;
    int64_t at[WEIR_BCAST_OPERANDS], index[WEIR_BCAST_RANK], column;
} pairing;

static weir_status pair_up(const weir_tensor *a, const weir_tensor *b, int keep, pairing *out)
{
    int ranks[] = {a->shape.rank - keep, b->shape.rank - 2};
    const int64_t *dims[] = {a->shape.dims, b->shape.dims};
    *out = (pairing){0};
    if (!weir_bcast_init(&out->b, 2, ranks, dims))
        return weir_error(WEIR_INVALID_ARGUMENT, "Incompatible shapes: %s vs. %s",
                          WEIR_SHAPE_STR(&a->shape), WEIR_SHAPE_STR(&b->shape));
    weir_bcast_seek(&out->b, 0, out->at, out->index);
    return WEIR_OK;
}

static void next_pair(pairing *pairing, int64_t *first, int64_t *second)
{
    int last = pairing->b.rank - 1;
    *first = pairing->at[0] + pairing->column * pairing->b.strides[0][last];
    *second = pairing->at[1] + pairing->column * pairing->b.strides[1][last];
    if (++pairing->column == pairing->b.dims[last]) {
        pairing->column = 0;
        weir_bcast_next(&pairing->b, pairing->at, pairing->index);
    }
}

static weir_status triangular_solve(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    int64_t n = weir_matrices_of(a).rows, m = weir_matrices_of(b).columns, i, j;
    weir_tensor workspace;
    pairing pairing;
    WEIR_TRY(pair_up(a, b, 2, &pairing));
    WEIR_TRY(weir_matrix_workspace(n * n + n * m, &workspace));
    weir_c128 *left = workspace.data, *right = left + n * n;
    for (int64_t k = 0; k < pairing.b.count; k++) {
        next_pair(&pairing, &i, &j);
        weir_matrix_load(a, i * n * n, n * n, left);
        weir_matrix_load(b, j * n * m, n * m, right);
        /* A zero on the diagonal gives infinities, as in TensorFlow. */
        weir_triangular_solve(n, left, weir_site_bool(call->site, LOWER),
                              weir_site_bool(call->site, ADJOINT), m, right);
        weir_matrix_store(weir_out(call, 0), k * n * m, n * m, right);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

/* As for other solves, but da has one triangle only. */
static weir_status triangular_grad(weir_grad *grad)
{
    const weir_site *site = weir_grad_site(grad);
    bool lower = weir_site_bool(site, LOWER), adjoint = weir_site_bool(site, ADJOINT);
    weir_edge a = X, x = Y;
    weir_edge db =
        weir_grad_op(grad, "MatrixTriangularSolve", WEIR_IN(a, DY),
                     WEIR_ATTRS(weir_a_bool("lower", lower), weir_a_bool("adjoint", !adjoint)));
    weir_edge da = adjoint ? product(grad, x, db, false, true) : product(grad, db, x, false, true);
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              all = weir_grad_scalar(grad, WEIR_INT32, -1);
    da = weir_grad_op(grad, "MatrixBandPart",
                      WEIR_IN(NEG(da), lower ? all : zero, lower ? zero : all), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0, weir_grad_unbroadcast(grad, da, a));
    weir_grad_set(grad, 1, weir_grad_unbroadcast(grad, db, X1));
    return WEIR_OK;
}

const weir_op weir_op_matrix_triangular_solve = {
    .name = "MatrixTriangularSolve",
    .in = "matrix: T; rhs: T",
    .out = "output: T",
    .attrs = "lower: bool = true; adjoint: bool = false; "
             "T: {bfloat16, double, float, half, complex64, complex128}",
    .infer = solve_infer,
    .grad = triangular_grad,
    .kernels = {{WEIR_CPU, "*", triangular_solve}},
};

/* ---- BandedTriangularSolve: the diagonals of the matrix are rows ----------------------------- */

static weir_status banded_infer(weir_infer *infer)
{
    weir_shape batch, rhs_batch;
    int64_t n;
    WEIR_TRY(weir_infer_matrix(infer, 0, &batch));
    WEIR_TRY(weir_infer_matrix(infer, 1, &rhs_batch));
    WEIR_TRY(weir_infer_broadcast_shapes(&batch, &rhs_batch, &batch));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 0, -1), weir_infer_dim(infer, 1, -2), &n));
    return weir_infer_matrices(&batch, n, weir_infer_dim(infer, 1, -1), &infer->out[0]);
}

/* Unpacks |bands| diagonals into a dense matrix: a lower one has its main diagonal first, an upper
 * one last, each aligned with the columns. */
static void unpack_bands(const weir_c128 *bands, int64_t count, int64_t total, bool lower,
                         weir_c128 *a)
{
    for (int64_t k = 0; k < total * total; k++)
        a[k] = 0;
    for (int64_t band = 0; band < count; band++)
        for (int64_t k = 0; k < total; k++) {
            int64_t row = k, column = lower ? k - band : k + (count - 1 - band);
            if (column >= 0 && column < total)
                a[row * total + column] = bands[band * total + k];
        }
}

static weir_status banded_solve(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_matrices shape = weir_matrices_of(a);
    int64_t bands = shape.rows, n = shape.columns, m = weir_matrices_of(b).columns, i, j;
    bool lower = weir_site_bool(call->site, LOWER);
    weir_tensor workspace;
    pairing pairing;
    if (bands < 1)
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Number of bands must be positive, but is %" PRId64, bands);
    if (bands > n)
        return weir_error(
            WEIR_INVALID_ARGUMENT,
            "Number of bands %" PRId64 " cannot exceed the size of the matrix %" PRId64, bands, n);
    WEIR_TRY(pair_up(a, b, 2, &pairing));
    WEIR_TRY(weir_matrix_workspace(bands * n + n * n + n * m, &workspace));
    weir_c128 *packed = workspace.data, *left = packed + bands * n, *right = left + n * n;
    weir_status status = WEIR_OK;
    for (int64_t k = 0; k < pairing.b.count && !status; k++) {
        next_pair(&pairing, &i, &j);
        weir_matrix_load(a, i * bands * n, bands * n, packed);
        weir_matrix_load(b, j * n * m, n * m, right);
        unpack_bands(packed, bands, n, lower, left);
        if (!weir_triangular_solve(n, left, lower, weir_site_bool(call->site, ADJOINT), m, right))
            status = weir_error(WEIR_INVALID_ARGUMENT, "Input matrix is not invertible.");
        weir_matrix_store(weir_out(call, 0), k * n * m, n * m, right);
    }
    weir_tensor_release(&workspace);
    return status;
}

const weir_op weir_op_banded_triangular_solve = {
    .name = "BandedTriangularSolve",
    .in = "matrix: T; rhs: T",
    .out = "output: T",
    .attrs = "lower: bool = true; adjoint: bool = false; "
             "T: {double, float, half, complex64, complex128}",
    .infer = banded_infer,
    .kernels = {{WEIR_CPU, "*", banded_solve}},
};

/* ---- Cholesky -------------------------------------------------------------------------------- */

static weir_status square_infer(weir_infer *infer)
{
    weir_shape batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    return weir_infer_matrices(&batch, n, n, &infer->out[0]);
}

static void fill_nan(int64_t count, weir_c128 *a)
{
    for (int64_t i = 0; i < count; i++)
        a[i] = NAN;
}

static weir_status cholesky(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(n * n, &workspace));
    for (int64_t k = 0; k < shape.batch; k++) {
        weir_matrix_load(x, k * n * n, n * n, workspace.data);
        if (!weir_matrix_cholesky(n,
                                  workspace.data)) /* as in TensorFlow: NaN instead of an error */
            fill_nan(n * n, workspace.data);
        weir_matrix_store(weir_out(call, 0), k * n * n, n * n, workspace.data);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

/* da = sym(l^-H phi(l^H dl) l^-1), where phi takes the lower triangle with half the diagonal. */
static weir_status cholesky_grad(weir_grad *grad)
{
    weir_edge l = Y, zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge all = weir_grad_scalar(grad, WEIR_INT32, -1);
    weir_edge middle = product(grad, l, DY, true, false);
    weir_edge lower =
        weir_grad_op(grad, "MatrixBandPart", WEIR_IN(middle, all, zero), WEIR_NO_ATTRS);
    weir_edge diagonal =
        weir_grad_op(grad, "MatrixBandPart", WEIR_IN(middle, zero, zero), WEIR_NO_ATTRS);
    middle = SUB(lower, TIMES(0.5, diagonal));
    weir_edge half = weir_grad_op(grad, "MatrixTriangularSolve", WEIR_IN(l, middle),
                                  WEIR_ATTRS(weir_a_bool("adjoint", true)));
    weir_edge eye = weir_grad_op(grad, "MatrixTriangularSolve", WEIR_IN(l, l), WEIR_NO_ATTRS);
    weir_edge inverse = weir_grad_op(grad, "MatrixTriangularSolve", WEIR_IN(l, eye), WEIR_NO_ATTRS);
    weir_edge da = product(grad, half, inverse, false, false);
    weir_edge both = ADD(da, product(grad, da, eye, true, false));
    weir_grad_set(grad, 0, TIMES(0.5, both));
    return WEIR_OK;
}

const weir_op weir_op_cholesky = {
    .name = "Cholesky",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: {double, float, half, complex64, complex128}",
    .infer = square_infer,
    .grad = cholesky_grad,
    .kernels = {{WEIR_CPU, "*", cholesky}},
};

/* ---- CholeskyGrad ---------------------------------------------------------------------------- */

static weir_status factor_grad_infer(weir_infer *infer)
{
    weir_shape batch, merged;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    WEIR_TRY(weir_infer_merge(infer->in[0], infer->in[1], &merged));
    return weir_infer_matrices(&batch, n, n, &infer->out[0]);
}

/* middle = phi(l^T dl): the lower triangle of the product with half the diagonal. */
static void lower_product(int64_t n, const weir_c128 *l, const weir_c128 *dl, weir_c128 *middle)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            weir_c128 sum = 0;
            for (int64_t k = i; j <= i && k < n; k++)
                sum += weir_cmul(conj(l[k * n + i]), dl[k * n + j]);
            middle[i * n + j] = i == j ? sum / 2 : sum;
        }
}

static void transpose(int64_t n, const weir_c128 *from, weir_c128 *to)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            to[j * n + i] = conj(from[i * n + j]);
}

/* da = sym(l^-T middle l^-1); the second product is solved for its transpose. */
static void factor_grad_one(int64_t n, const weir_c128 *l, const weir_c128 *dl, weir_c128 *middle,
                            weir_c128 *turned)
{
    lower_product(n, l, dl, middle);
    weir_triangular_solve(n, l, true, true, n, middle);
    transpose(n, middle, turned);
    weir_triangular_solve(n, l, true, true, n, turned);
    transpose(n, turned, middle);
    for (int64_t i = 0; i < n * n; i++)
        middle[i] = (middle[i] + turned[i]) / 2;
}

static weir_status factor_grad(weir_call *call)
{
    const weir_tensor *l = weir_in(call, 0), *dl = weir_in(call, 1);
    weir_matrices shape = weir_matrices_of(l);
    int64_t n = shape.rows, size = n * n;
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(4 * size, &workspace));
    weir_c128 *factor = workspace.data, *grad = factor + size, *middle = grad + size;
    for (int64_t k = 0; k < shape.batch; k++) {
        weir_matrix_load(l, k * size, size, factor);
        weir_matrix_load(dl, k * size, size, grad);
        factor_grad_one(n, factor, grad, middle, middle + size);
        weir_matrix_store(weir_out(call, 0), k * size, size, middle);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

#define FACTOR_GRAD                                                                                \
    .in = "l: T; grad: T", .out = "output: T", .infer = factor_grad_infer,                         \
    .kernels = {{WEIR_CPU, "T: float, double", factor_grad}}
WEIR_DEFINE_OP(cholesky_grad, "CholeskyGrad", FACTOR_GRAD, .attrs = "T: {half, float, double}");

/* ---- older names ----------------------------------------------------------------------------- */

#define OLD(name) .deprecated_at = 13, .deprecation = "Use " name " instead."
WEIR_DEFINE_OP(batch_cholesky_grad, "BatchCholeskyGrad", FACTOR_GRAD, .attrs = "T: {float, double}",
               OLD("CholeskyGrad"));
WEIR_DEFINE_OP(batch_cholesky, "BatchCholesky", .in = "input: T", .out = "output: T",
               .attrs = "T: {double, float}", .infer = square_infer,
               .kernels = {{WEIR_CPU, "*", cholesky}}, OLD("Cholesky"));
WEIR_DEFINE_OP(batch_matrix_triangular_solve, "BatchMatrixTriangularSolve",
               .in = "matrix: T; rhs: T", .out = "output: T",
               .attrs = "lower: bool = true; adjoint: bool = false; T: {double, float}",
               .infer = solve_infer, .kernels = {{WEIR_CPU, "*", triangular_solve}},
               OLD("MatrixTriangularSolve"));
