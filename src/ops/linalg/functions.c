/* ops/linalg/functions.c - MatrixSquareRoot, MatrixLogarithm and MatrixSolveLs. */
#include <math.h>

#include "ops/common/number_at.h"
#include "ops/linalg/matrix.h"

static weir_status square_infer(weir_infer *i)
{
    weir_shape batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(i, 0, &batch, &n));
    return weir_infer_matrices(&batch, n, n, &i->out[0]);
}

static weir_status apply(weir_call *call, bool (*function)(int64_t, weir_c128 *, weir_c128 *))
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    weir_tensor room;
    weir_status s = WEIR_OK;
    WEIR_TRY(weir_matrix_room(5 * n * n, &room));
    weir_c128 *a = room.data;
    for (int64_t b = 0; b < shape.batch && !s; b++) {
        weir_matrix_load(x, b * n * n, n * n, a);
        if (!function(n, a, a + n * n))
            s = weir_error(WEIR_INVALID_ARGUMENT,
                           "%s: the eigenvalues of matrix %" PRId64 " did not converge",
                           call->site->op->name, b);
        weir_matrix_store(weir_out(call, 0), b * n * n, n * n, a);
    }
    weir_tensor_release(&room);
    return s;
}

static weir_status matrix_square_root(weir_call *call)
{
    return apply(call, weir_matrix_root);
}
static weir_status matrix_logarithm(weir_call *call)
{
    return apply(call, weir_matrix_log);
}

const weir_op weir_op_matrix_square_root = {
    .name = "MatrixSquareRoot",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: {double, float, half, complex64, complex128}",
    .infer = square_infer,
    .kernels = {{WEIR_CPU, "*", matrix_square_root}},
};

const weir_op weir_op_matrix_logarithm = {
    .name = "MatrixLogarithm",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: {complex64, complex128}",
    .infer = square_infer,
    .kernels = {{WEIR_CPU, "*", matrix_logarithm}},
};

/* ---- least squares
 * -------------------------------------------------------------------------------- */

static weir_status least_squares_infer(weir_infer *i)
{
    weir_shape batch, rhs_batch;
    int64_t m;
    WEIR_TRY(weir_infer_matrix(i, 0, &batch));
    WEIR_TRY(weir_infer_matrix(i, 1, &rhs_batch));
    WEIR_TRY(weir_infer_rank(i, 2, 0));
    WEIR_TRY(weir_infer_merge(&batch, &rhs_batch, &batch));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(i, 0, -2), weir_infer_dim(i, 1, -2), &m));
    return weir_infer_matrices(&batch, weir_infer_dim(i, 0, -1), weir_infer_dim(i, 1, -1),
                               &i->out[0]);
}

static void adjoint_into(int64_t rows, int64_t columns, const weir_c128 *x, weir_c128 *y)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            y[j * rows + i] = conj(x[i * columns + j]);
}

typedef struct least_squares {
    int64_t m, n, k; /* a is m x n, b m x k */
    weir_c128 *a, *adjoint, *b, *gram, *x, *v;
    double *s;
} least_squares;

/* With the regulariser: (a^H a + l) x = a^H b, or x = a^H y with (a a^H + l) y = b when a is wide;
 * the smaller of the two is positive definite. */
static bool by_normal_equations(least_squares *w, double l2)
{
    bool wide = w->m < w->n;
    int64_t p = wide ? w->m : w->n;
    adjoint_into(w->m, w->n, w->a, w->adjoint);
    if (wide)
        weir_matrix_mul(w->m, w->n, w->m, w->a, w->adjoint, w->gram);
    else
        weir_matrix_mul(w->n, w->m, w->n, w->adjoint, w->a, w->gram);
    for (int64_t i = 0; i < p; i++)
        w->gram[i * p + i] += l2;
    if (!weir_cholesky(p, w->gram))
        return false;
    weir_c128 *y = wide ? w->b : w->x;
    if (!wide)
        weir_matrix_mul(w->n, w->m, w->k, w->adjoint, w->b, w->x);
    weir_triangular_solve(p, w->gram, true, false, w->k, y);
    weir_triangular_solve(p, w->gram, true, true, w->k, y);
    if (wide)
        weir_matrix_mul(w->n, w->m, w->k, w->adjoint, w->b, w->x);
    return true;
}

/* The shortest solution, by singular values: of a, or of its adjoint when a is wide. */
static void by_singular_values(least_squares *w)
{
    bool wide = w->m < w->n;
    int64_t tall = wide ? w->n : w->m, p = wide ? w->m : w->n;
    weir_c128 *u = w->adjoint;
    if (wide)
        adjoint_into(w->m, w->n, w->a, u);
    else
        memcpy(u, w->a, (size_t)(w->m * w->n) * sizeof *u);
    weir_svd(tall, p, u, w->s, w->v);
    /* a = left diag(s) right^H */
    const weir_c128 *left = wide ? w->v : u, *right = wide ? u : w->v;
    for (int64_t i = 0; i < w->n * w->k; i++)
        w->x[i] = 0;
    for (int64_t j = 0; j < p && w->s[j] > w->s[0] * 1e-13; j++)
        for (int64_t c = 0; c < w->k; c++) {
            weir_c128 dot = 0;
            for (int64_t i = 0; i < w->m; i++)
                dot += weir_cmul(conj(left[i * p + j]), w->b[i * w->k + c]);
            dot /= w->s[j];
            for (int64_t i = 0; i < w->n; i++)
                w->x[i * w->k + c] += weir_cmul(dot, right[i * p + j]);
        }
}

static weir_status matrix_solve_ls(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_matrices shape = weir_matrices_of(a);
    int64_t m = shape.rows, n = shape.columns, k = weir_matrices_of(b).columns;
    int64_t p = m < n ? m : n;
    double l2 = weir_number_at(weir_in(call, 2), 0);
    bool fast = weir_site_bool(call->site, 1);
    weir_tensor room;
    weir_status status = WEIR_OK;
    if (l2 < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "l2_regularizer must be >= 0.");
    WEIR_TRY(weir_matrix_room(2 * m * n + m * k + 2 * p * p + n * k + p, &room));
    least_squares w = {.m = m, .n = n, .k = k, .a = room.data};
    w.adjoint = w.a + m * n;
    w.b = w.adjoint + m * n;
    w.gram = w.b + m * k;
    w.v = w.gram + p * p;
    w.x = w.v + p * p;
    w.s = (double *)(w.x + n * k);
    for (int64_t i = 0; i < shape.batch && !status; i++) {
        weir_matrix_load(a, i * m * n, m * n, w.a);
        weir_matrix_load(b, i * m * k, m * k, w.b);
        if (!fast)
            by_singular_values(&w);
        else if (!by_normal_equations(&w, l2))
            status = weir_error(WEIR_INVALID_ARGUMENT, "Input matrix was rank deficient or "
                                                       "ill-conditioned. Try setting fast=False "
                                                       "or provide a larger l2_regularizer > 0.");
        weir_matrix_store(weir_out(call, 0), i * n * k, n * k, w.x);
    }
    weir_tensor_release(&room);
    return status;
}

const weir_op weir_op_matrix_solve_ls = {
    .name = "MatrixSolveLs",
    .in = "matrix: T; rhs: T; l2_regularizer: double",
    .out = "output: T",
    .attrs = "T: {double, float, half, complex64, complex128}; fast: bool = true",
    .infer = least_squares_infer,
    .kernels = {{WEIR_CPU, "*", matrix_solve_ls}},
};
