/* ops/linalg/solve.c - MatrixSolve, MatrixTriangularSolve, MatrixInverse, MatrixDeterminant,
 * LogMatrixDeterminant and Lu. */
#include <math.h>

#include "ops/common/elements.h"
#include "ops/common/grads.h"
#include "ops/declare.h"
#include "ops/linalg/matrix.h"
#include "ops/math/gradient.h"

#define SOLVE_TYPES "{double, float, half, complex64, complex128}"

/* Workspace for the factors of n x n matrices with right sides of m columns. */
typedef struct solver {
    weir_tensor workspace, order;
    weir_c128 *a, *b, *row;
    int64_t *perm;
} solver;

static void solver_fini(solver *solver)
{
    weir_tensor_release(&solver->workspace);
    weir_tensor_release(&solver->order);
}

static weir_status solver_init(solver *out, int64_t n, int64_t m)
{
    weir_shape order = weir_shape_vector(n ? n : 1);
    *out = (solver){0};
    WEIR_TRY(weir_matrix_workspace(n * n + n * m + n, &out->workspace));
    weir_status status = weir_tensor_alloc(WEIR_INT64, &order, &out->order);
    if (status) {
        solver_fini(out);
        return status;
    }
    out->a = out->workspace.data;
    out->b = out->a + n * n;
    out->row = out->b + n * m;
    out->perm = out->order.data;
    return WEIR_OK;
}

static void adjoint_in_place(int64_t n, weir_c128 *a)
{
    for (int64_t i = 0; i < n; i++) {
        a[i * n + i] = conj(a[i * n + i]);
        for (int64_t j = 0; j < i; j++) {
            weir_c128 t = conj(a[i * n + j]);
            a[i * n + j] = conj(a[j * n + i]);
            a[j * n + i] = t;
        }
    }
}

/* ---- MatrixSolve, MatrixInverse -------------------------------------------------------------- */

static weir_status solve_infer(weir_infer *infer)
{
    weir_shape batch, rhs_batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    WEIR_TRY(weir_infer_matrix(infer, 1, &rhs_batch));
    WEIR_TRY(weir_infer_merge(&batch, &rhs_batch, &batch));
    WEIR_TRY(weir_infer_merge_dim(n, weir_infer_dim(infer, 1, -2), &n));
    return weir_infer_matrices(&batch, n, weir_infer_dim(infer, 1, -1), &infer->out[0]);
}

static weir_status solve_batch(weir_call *call, solver *solver, int64_t n, int64_t m, bool adjoint)
{
    const weir_tensor *a = weir_in(call, 0);
    int64_t batch = weir_matrices_of(a).batch;
    for (int64_t k = 0; k < batch; k++) {
        int sign;
        weir_matrix_load(a, k * n * n, n * n, solver->a);
        weir_matrix_load(weir_in(call, 1), k * n * m, n * m, solver->b);
        if (adjoint)
            adjoint_in_place(n, solver->a);
        if (!weir_matrix_lu(n, solver->a, solver->perm, &sign))
            return weir_error(WEIR_INVALID_ARGUMENT, "Input matrix is not invertible.");
        weir_lu_solve(n, solver->a, solver->perm, m, solver->b, solver->row);
        weir_matrix_store(weir_out(call, 0), k * n * m, n * m, solver->b);
    }
    return WEIR_OK;
}

static weir_status matrix_solve(weir_call *call)
{
    int64_t n = weir_matrices_of(weir_in(call, 0)).rows;
    int64_t m = weir_matrices_of(weir_in(call, 1)).columns;
    solver solver;
    WEIR_TRY(solver_init(&solver, n, m));
    weir_status status = solve_batch(call, &solver, n, m, weir_site_bool(call->site, 0));
    solver_fini(&solver);
    return status;
}

static weir_edge product(weir_grad *grad, weir_edge a, weir_edge b, bool adj_a, bool adj_b)
{
    return weir_grad_op(grad, "BatchMatMulV2", WEIR_IN(a, b),
                        WEIR_ATTRS(weir_a_bool("adj_x", adj_a), weir_a_bool("adj_y", adj_b)));
}

/* With x = a^-1 b: db is solved with the adjoint, da = -db x^H (transposed if a was). */
static weir_status solve_grad(weir_grad *grad)
{
    bool adjoint = weir_site_bool(weir_grad_site(grad), 0);
    weir_edge a = X, x = Y;
    weir_edge db = weir_grad_op(grad, "MatrixSolve", WEIR_IN(a, DY),
                                WEIR_ATTRS(weir_a_bool("adjoint", !adjoint)));
    weir_edge da = adjoint ? product(grad, x, db, false, true) : product(grad, db, x, false, true);
    weir_grad_set(grad, 0, NEG(da));
    weir_grad_set(grad, 1, db);
    return WEIR_OK;
}

const weir_op weir_op_matrix_solve = {
    .name = "MatrixSolve",
    .in = "matrix: T; rhs: T",
    .out = "output: T",
    .attrs = "adjoint: bool = false; T: " SOLVE_TYPES,
    .infer = solve_infer,
    .grad = solve_grad,
    .kernels = {{WEIR_CPU, "*", matrix_solve}},
};

static weir_status square_infer(weir_infer *infer)
{
    weir_shape batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    return weir_infer_matrices(&batch, n, n, &infer->out[0]);
}

static weir_status matrix_inverse(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    solver solver;
    WEIR_TRY(solver_init(&solver, n, n));
    weir_status status = WEIR_OK;
    for (int64_t k = 0; k < shape.batch && !status; k++) {
        int sign;
        weir_matrix_load(x, k * n * n, n * n, solver.a);
        if (weir_site_bool(call->site, 0))
            adjoint_in_place(n, solver.a);
        for (int64_t i = 0; i < n * n; i++)
            solver.b[i] = i / n == i % n;
        if (!weir_matrix_lu(n, solver.a, solver.perm, &sign))
            status = weir_error(WEIR_INVALID_ARGUMENT, "Input is not invertible.");
        else
            weir_lu_solve(n, solver.a, solver.perm, n, solver.b, solver.row);
        if (!status)
            weir_matrix_store(weir_out(call, 0), k * n * n, n * n, solver.b);
    }
    solver_fini(&solver);
    return status;
}

/* y = a^-1 gives da = -y^H dy y^H; y = a^-H gives the adjoint of this. */
static weir_status inverse_grad(weir_grad *grad)
{
    weir_edge y = Y, da;
    if (weir_site_bool(weir_grad_site(grad), 0))
        da = product(grad, y, product(grad, DY, y, true, false), false, false);
    else
        da = product(grad, y, product(grad, DY, y, false, true), true, false);
    weir_grad_set(grad, 0, NEG(da));
    return WEIR_OK;
}

const weir_op weir_op_matrix_inverse = {
    .name = "MatrixInverse",
    .in = "input: T",
    .out = "output: T",
    .attrs = "adjoint: bool = false; T: " SOLVE_TYPES,
    .infer = square_infer,
    .grad = inverse_grad,
    .kernels = {{WEIR_CPU, "*", matrix_inverse}},
};

/* ---- determinants ---------------------------------------------------------------------------- */

static weir_status determinant_infer(weir_infer *infer)
{
    weir_shape batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    for (int output = 0; output < infer->out_count; output++)
        infer->out[output] = batch;
    return WEIR_OK;
}

/* x scaled to size 1; a real infinity has a sign too. */
static weir_c128 direction(weir_c128 x, double size)
{
    bool signed_infinity = cimag(x) == 0 && isinf(creal(x));
    return signed_infinity ? copysign(1, creal(x)) : x / size;
}

/* The determinant as a number of size 1 and a logarithm, which avoids overflow and underflow. */
static void log_determinant(int64_t n, solver *solver, weir_c128 *unit, double *log_size)
{
    int sign;
    bool regular = weir_matrix_lu(n, solver->a, solver->perm, &sign);
    *unit = sign;
    *log_size = 0;
    for (int64_t i = 0; i < n; i++) {
        double size = cabs(solver->a[i * n + i]);
        if (regular)
            *unit = weir_cmul(*unit, direction(solver->a[i * n + i], size));
        *log_size += log(size);
    }
    if (!regular) /* the logarithm is a NaN beside an infinity, and so is the product of both */
        *unit = 0;
}

/* Small ones of finite numbers are sums of products, which are exact where those are. */
static weir_c128 det2(const weir_c128 *a, int64_t n, int r, int s, int c, int d)
{
    return weir_cmul(a[r * n + c], a[s * n + d]) - weir_cmul(a[r * n + d], a[s * n + c]);
}

static double det2_real(const weir_c128 *a, int64_t n, int r, int s, int c, int d)
{
    return creal(a[r * n + c]) * creal(a[s * n + d]) - creal(a[r * n + d]) * creal(a[s * n + c]);
}

static weir_c128 small_determinant(const weir_c128 *a, int64_t n, bool real)
{
    if (n == 0)
        return 1;
    if (n == 1)
        return a[0];
    if (n == 2)
        return real ? (weir_c128)det2_real(a, 2, 0, 1, 0, 1) : det2(a, 2, 0, 1, 0, 1);
    if (real)
        return creal(a[0]) * det2_real(a, 3, 1, 2, 1, 2) -
               creal(a[1]) * det2_real(a, 3, 1, 2, 0, 2) +
               creal(a[2]) * det2_real(a, 3, 1, 2, 0, 1);
    return weir_cmul(a[0], det2(a, 3, 1, 2, 1, 2)) - weir_cmul(a[1], det2(a, 3, 1, 2, 0, 2)) +
           weir_cmul(a[2], det2(a, 3, 1, 2, 0, 1));
}

/* An infinity of a real matrix goes through its factors, as in TensorFlow. */
static bool has_infinity(const weir_c128 *a, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (isinf(creal(a[i])))
            return true;
    return false;
}

static weir_status determinants(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    bool as_log = call->site->out_count == 2, real = !weir_dtype_is_complex(x->dtype);
    solver solver;
    WEIR_TRY(solver_init(&solver, n, 1));
    for (int64_t k = 0; k < shape.batch; k++) {
        weir_c128 unit;
        double size;
        weir_matrix_load(x, k * n * n, n * n, solver.a);
        if (!as_log && n <= 3 && !(real && has_infinity(solver.a, n * n))) {
            unit = small_determinant(solver.a, n, real);
            weir_matrix_store(weir_out(call, 0), k, 1, &unit);
            continue;
        }
        log_determinant(n, &solver, &unit, &size);
        if (as_log)
            weir_matrix_store(weir_out(call, 1), k, 1, &(weir_c128){size});
        else
            unit *= exp(size);
        weir_matrix_store(weir_out(call, 0), k, 1, &unit);
    }
    solver_fini(&solver);
    return WEIR_OK;
}

/* d det = det * tr(a^-1 da), so the gradient is a multiple of a^-H. */
static weir_status spread_inverse(weir_grad *grad, weir_edge scale)
{
    weir_edge inverse =
        weir_grad_op(grad, "MatrixInverse", WEIR_IN(X), WEIR_ATTRS(weir_a_bool("adjoint", true)));
    weir_edge minus_one = weir_grad_scalar(grad, WEIR_INT32, -1);
    for (int k = 0; k < 2; k++)
        scale = weir_grad_op(grad, "ExpandDims", WEIR_IN(scale, minus_one), WEIR_NO_ATTRS);
    weir_grad_set(grad, 0, MUL(scale, inverse));
    return WEIR_OK;
}
static weir_status determinant_grad(weir_grad *grad)
{
    return spread_inverse(grad, MUL(DY, Y));
}
static weir_status log_determinant_grad(weir_grad *grad)
{
    return spread_inverse(grad, weir_grad_dy(grad, 1));
}

const weir_op weir_op_matrix_determinant = {
    .name = "MatrixDeterminant",
    .in = "input: T",
    .out = "output: T",
    .attrs = "T: {half, float, double, complex64, complex128}",
    .infer = determinant_infer,
    .grad = determinant_grad,
    .kernels = {{WEIR_CPU, "*", determinants}},
};

const weir_op weir_op_log_matrix_determinant = {
    .name = "LogMatrixDeterminant",
    .in = "input: T",
    .out = "sign: T; log_abs_determinant: T",
    .attrs = "T: {half, float, double, complex64, complex128}",
    .infer = determinant_infer,
    .grad = log_determinant_grad,
    .kernels = {{WEIR_CPU, "*", determinants}},
};

/* ---- Lu -------------------------------------------------------------------------------------- */

static weir_status lu_infer(weir_infer *infer)
{
    weir_shape batch, vector;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    vector = weir_shape_vector(n);
    WEIR_TRY(weir_infer_matrices(&batch, n, n, &infer->out[0]));
    return weir_infer_concat(&batch, &vector, &infer->out[1]);
}

static weir_status lu(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    solver solver;
    weir_status status = WEIR_OK;
    WEIR_TRY(solver_init(&solver, n, 0));
    for (int64_t k = 0; k < shape.batch && !status; k++) {
        int sign;
        weir_matrix_load(x, k * n * n, n * n, solver.a);
        if (!weir_matrix_lu(n, solver.a, solver.perm, &sign))
            status = weir_error(WEIR_INVALID_ARGUMENT, "Input is not invertible.");
        weir_matrix_store(weir_out(call, 0), k * n * n, n * n, solver.a);
        for (int64_t i = 0; i < n; i++)
            weir_int_set(weir_out(call, 1), k * n + i, solver.perm[i]);
    }
    solver_fini(&solver);
    return status;
}

const weir_op weir_op_lu = {
    .name = "Lu",
    .in = "input: T",
    .out = "lu: T; p: output_idx_type",
    .attrs = "T: " SOLVE_TYPES "; output_idx_type: {int32, int64} = DT_INT32",
    .infer = lu_infer,
    .kernels = {{WEIR_CPU, "*", lu}},
};

/* ---- older names ----------------------------------------------------------------------------- */

#define OLD(name) .deprecated_at = 13, .deprecation = "Use " name " instead."
WEIR_DEFINE_OP(batch_matrix_solve, "BatchMatrixSolve", .in = "matrix: T; rhs: T",
               .out = "output: T", .attrs = "adjoint: bool = false; T: {double, float}",
               .infer = solve_infer, .kernels = {{WEIR_CPU, "*", matrix_solve}},
               OLD("MatrixSolve"));
WEIR_DEFINE_OP(batch_matrix_inverse, "BatchMatrixInverse", .in = "input: T", .out = "output: T",
               .attrs = "adjoint: bool = false; T: {double, float}", .infer = square_infer,
               .kernels = {{WEIR_CPU, "*", matrix_inverse}}, OLD("MatrixInverse"));
WEIR_DEFINE_OP(batch_matrix_determinant, "BatchMatrixDeterminant", .in = "input: T",
               .out = "output: T", .attrs = "T: {float, double, complex64, complex128}",
               .infer = determinant_infer, .kernels = {{WEIR_CPU, "*", determinants}},
               OLD("MatrixDeterminant"));
