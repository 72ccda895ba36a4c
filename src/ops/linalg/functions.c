/* ops/linalg/functions.c - MatrixSquareRoot, MatrixLogarithm, MatrixExponential, MatrixSolveLs. */
#include <math.h>

#include "base/arith.h"
#include "ops/common/number_at.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"

static weir_status square_infer(weir_infer *infer)
{
    weir_shape batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    return weir_infer_matrices(&batch, n, n, &infer->out[0]);
}

static weir_status apply(weir_call *call, bool (*function)(int64_t, weir_c128 *, weir_c128 *))
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    weir_tensor workspace;
    weir_status status = WEIR_OK;
    WEIR_TRY(weir_matrix_workspace(5 * n * n, &workspace));
    weir_c128 *a = workspace.data;
    for (int64_t batch = 0; batch < shape.batch && !status; batch++) {
        weir_matrix_load(x, batch * n * n, n * n, a);
        if (!function(n, a, a + n * n))
            status = weir_error(WEIR_INVALID_ARGUMENT,
                                "%s: the eigenvalues of matrix %" PRId64 " did not converge",
                                call->site->op->name, batch);
        weir_matrix_store(weir_out(call, 0), batch * n * n, n * n, a);
    }
    weir_tensor_release(&workspace);
    return status;
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

static double largest_row_sum(int64_t n, const weir_c128 *a)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += cabs(a[i * n + j]);
        largest = sum > largest || isnan(sum) ? sum : largest;
    }
    return largest;
}

/* sum = 1 + a + a^2 / 2! + ...: for a norm of 1/2, 18 terms reach double precision. */
static void taylor_sum(int64_t n, const weir_c128 *a, weir_c128 *sum, weir_c128 *term,
                       weir_c128 *next)
{
    for (int64_t i = 0; i < n * n; i++)
        sum[i] = term[i] = i / n == i % n;
    for (int k = 1; k <= 18; k++) {
        weir_matrix_mul(n, n, n, term, a, next);
        for (int64_t i = 0; i < n * n; i++) {
            term[i] = next[i] / k;
            sum[i] += term[i];
        }
    }
}

/* exp(a) = exp(a / 2^s)^(2^s). */
static bool exponential(int64_t n, weir_c128 *a, weir_c128 *workspace)
{
    weir_c128 *sum = workspace, *term = sum + n * n, *next = term + n * n;
    double norm = largest_row_sum(n, a);
    if (!isfinite(norm))
        return false;
    int halvings = norm > 0.5 ? weir_min((int)ceil(log2(norm / 0.5)), 1100) : 0;
    for (int64_t i = 0; i < n * n; i++)
        a[i] = CMPLX(ldexp(creal(a[i]), -halvings), ldexp(cimag(a[i]), -halvings));
    taylor_sum(n, a, sum, term, next);
    for (int k = 0; k < halvings; k++) {
        weir_matrix_mul(n, n, n, sum, sum, next);
        memcpy(sum, next, (size_t)(n * n) * sizeof *sum);
    }
    memcpy(a, sum, (size_t)(n * n) * sizeof *sum);
    return true;
}
static weir_status matrix_exponential(weir_call *call)
{
    return apply(call, exponential);
}

WEIR_DEFINE_OP(matrix_exponential, "MatrixExponential", .in = "input: T", .out = "output: T",
               .attrs = "T: {double, float, half, complex64, complex128}", .infer = square_infer,
               .deprecated_at = 27,
               .deprecation = "Use Python implementation tf.linalg.matrix_exponential instead.",
               .kernels = {{WEIR_CPU, "*", matrix_exponential}});

/* ---- least squares --------------------------------------------------------------------------- */

static weir_status least_squares_infer(weir_infer *infer)
{
    weir_shape batch, rhs_batch;
    int64_t m;
    WEIR_TRY(weir_infer_matrix(infer, 0, &batch));
    WEIR_TRY(weir_infer_matrix(infer, 1, &rhs_batch));
    WEIR_TRY(weir_infer_rank(infer, 2, 0));
    WEIR_TRY(weir_infer_merge(&batch, &rhs_batch, &batch));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 0, -2), weir_infer_dim(infer, 1, -2), &m));
    return weir_infer_matrices(&batch, weir_infer_dim(infer, 0, -1), weir_infer_dim(infer, 1, -1),
                               &infer->out[0]);
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

/* With regularisation: (a^H a + l) x = a^H b, or x = a^H y with (a a^H + l) y = b if a is wide; the
 * smaller of the two matrices is positive definite. */
static bool by_normal_equations(least_squares *problem, double l2)
{
    bool wide = problem->m < problem->n;
    int64_t p = wide ? problem->m : problem->n;
    adjoint_into(problem->m, problem->n, problem->a, problem->adjoint);
    if (wide)
        weir_matrix_mul(problem->m, problem->n, problem->m, problem->a, problem->adjoint,
                        problem->gram);
    else
        weir_matrix_mul(problem->n, problem->m, problem->n, problem->adjoint, problem->a,
                        problem->gram);
    for (int64_t i = 0; i < p; i++)
        problem->gram[i * p + i] += l2;
    if (!weir_matrix_cholesky(p, problem->gram))
        return false;
    weir_c128 *y = wide ? problem->b : problem->x;
    if (!wide)
        weir_matrix_mul(problem->n, problem->m, problem->k, problem->adjoint, problem->b,
                        problem->x);
    weir_triangular_solve(p, problem->gram, true, false, problem->k, y);
    weir_triangular_solve(p, problem->gram, true, true, problem->k, y);
    if (wide)
        weir_matrix_mul(problem->n, problem->m, problem->k, problem->adjoint, problem->b,
                        problem->x);
    return true;
}

/* The minimum-norm solution, by the SVD of a, or of its adjoint if a is wide. */
static void by_singular_values(least_squares *problem)
{
    bool wide = problem->m < problem->n;
    int64_t tall = wide ? problem->n : problem->m, p = wide ? problem->m : problem->n;
    weir_c128 *u = problem->adjoint;
    if (wide)
        adjoint_into(problem->m, problem->n, problem->a, u);
    else
        memcpy(u, problem->a, (size_t)(problem->m * problem->n) * sizeof *u);
    weir_matrix_svd(tall, p, u, problem->s, problem->v);
    /* a = left diag(s) right^H */
    const weir_c128 *left = wide ? problem->v : u, *right = wide ? u : problem->v;
    for (int64_t i = 0; i < problem->n * problem->k; i++)
        problem->x[i] = 0;
    for (int64_t j = 0; j < p && problem->s[j] > problem->s[0] * 1e-13; j++)
        for (int64_t c = 0; c < problem->k; c++) {
            weir_c128 dot = 0;
            for (int64_t i = 0; i < problem->m; i++)
                dot += weir_cmul(conj(left[i * p + j]), problem->b[i * problem->k + c]);
            dot /= problem->s[j];
            for (int64_t i = 0; i < problem->n; i++)
                problem->x[i * problem->k + c] += weir_cmul(dot, right[i * p + j]);
        }
}

static weir_status matrix_solve_ls(weir_call *call)
{
    const weir_tensor *a = weir_in(call, 0), *b = weir_in(call, 1);
    weir_matrices shape = weir_matrices_of(a);
    int64_t m = shape.rows, n = shape.columns, k = weir_matrices_of(b).columns;
    int64_t p = weir_min(m, n);
    double l2 = weir_number_at(weir_in(call, 2), 0);
    bool fast = weir_site_bool(call->site, 1);
    weir_tensor workspace;
    weir_status status = WEIR_OK;
    if (l2 < 0)
        return weir_error(WEIR_INVALID_ARGUMENT, "l2_regularizer must be >= 0.");
    WEIR_TRY(weir_matrix_workspace(2 * m * n + m * k + 2 * p * p + n * k + p, &workspace));
    least_squares problem = {.m = m, .n = n, .k = k, .a = workspace.data};
    problem.adjoint = problem.a + m * n;
    problem.b = problem.adjoint + m * n;
    problem.gram = problem.b + m * k;
    problem.v = problem.gram + p * p;
    problem.x = problem.v + p * p;
    problem.s = (double *)(problem.x + n * k);
    for (int64_t i = 0; i < shape.batch && !status; i++) {
        weir_matrix_load(a, i * m * n, m * n, problem.a);
        weir_matrix_load(b, i * m * k, m * k, problem.b);
        if (!fast)
            by_singular_values(&problem);
        else if (!by_normal_equations(&problem, l2))
            status = weir_error(WEIR_INVALID_ARGUMENT, "Input matrix was rank deficient or "
                                                       "ill-conditioned. Try setting fast=False "
                                                       "or provide a larger l2_regularizer > 0.");
        weir_matrix_store(weir_out(call, 0), i * n * k, n * k, problem.x);
    }
    weir_tensor_release(&workspace);
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

WEIR_DEFINE_OP(batch_matrix_solve_ls, "BatchMatrixSolveLs",
               .in = "matrix: T; rhs: T; l2_regularizer: double", .out = "output: T",
               .attrs = "T: {double, float}; fast: bool = true", .infer = least_squares_infer,
               .deprecated_at = 13, .deprecation = "Use MatrixSolveLs instead.",
               .kernels = {{WEIR_CPU, "*", matrix_solve_ls}});
