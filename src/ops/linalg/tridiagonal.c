/* ops/linalg/tridiagonal.c - TridiagonalSolve and TridiagonalMatMul. */
#include <float.h>
#include <math.h>

#include "ops/linalg/matrix.h"
#include "ops/math/gradient.h"

#define TYPES "{double, float, complex64, complex128}"
enum { PIVOTING, PERTURB }; /* attrs */

static weir_status solve_infer(weir_infer *infer)
{
    weir_shape batch, rhs_batch;
    int64_t n, three;
    WEIR_TRY(weir_infer_matrix(infer, 0, &batch));
    WEIR_TRY(weir_infer_matrix(infer, 1, &rhs_batch));
    WEIR_TRY(weir_infer_merge(&batch, &rhs_batch, &batch));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 0, -2), 3, &three));
    WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, 0, -1), weir_infer_dim(infer, 1, -2), &n));
    return weir_infer_matrices(&batch, n, weir_infer_dim(infer, 1, -1), &infer->out[0]);
}

/* Row i of the factors: up to three numbers from the diagonal on (pivoting fills the third). */
typedef struct band {
    weir_c128 u[3];
} band;

typedef struct system {
    int64_t n, m;
    band *rows;
    weir_c128 *b;
    const weir_c128 *above, *main, *below;
    double tiny; /* a smaller pivot is replaced by this; 0: never */
    bool pivoting;
} system;

static band row_of(const system *system, int64_t i)
{
    return (band){{system->main[i], i + 1 < system->n ? system->above[i] : 0, 0}};
}

static void swap_right_sides(system *system, int64_t i)
{
    for (int64_t c = 0; c < system->m; c++) {
        weir_c128 t = system->b[i * system->m + c];
        system->b[i * system->m + c] = system->b[(i + 1) * system->m + c];
        system->b[(i + 1) * system->m + c] = t;
    }
}

/* Makes the pivot safe to divide by. */
static bool settle(const system *system, weir_c128 *pivot)
{
    if (system->tiny > 0 && cabs(*pivot) < system->tiny)
        *pivot = creal(*pivot) < 0 ? -system->tiny : system->tiny;
    return *pivot != 0;
}

/* Eliminates row i + 1, which also starts in column i, with pivoting. */
static bool eliminate(system *system, int64_t i)
{
    band *here = &system->rows[i], next = row_of(system, i + 1);
    weir_c128 head = system->below[i + 1];
    if (system->pivoting && weir_cnorm2(head) > weir_cnorm2(here->u[0])) {
        band low = *here;
        *here = (band){{head, next.u[0], next.u[1]}};
        head = low.u[0];
        next = (band){{low.u[1], low.u[2], 0}};
        swap_right_sides(system, i);
    }
    if (!settle(system, &here->u[0]))
        return false;
    weir_c128 f = head / here->u[0];
    next.u[0] -= weir_cmul(f, here->u[1]);
    next.u[1] -= weir_cmul(f, here->u[2]);
    for (int64_t c = 0; c < system->m; c++)
        system->b[(i + 1) * system->m + c] -= weir_cmul(f, system->b[i * system->m + c]);
    system->rows[i + 1] = next;
    return true;
}

static bool solve(system *system)
{
    if (system->n == 0)
        return true;
    system->rows[0] = row_of(system, 0);
    for (int64_t i = 0; i + 1 < system->n; i++)
        if (!eliminate(system, i))
            return false;
    if (!settle(system, &system->rows[system->n - 1].u[0]))
        return false;
    for (int64_t i = system->n - 1; i >= 0; i--)
        for (int64_t c = 0; c < system->m; c++) {
            weir_c128 v = system->b[i * system->m + c];
            for (int k = 1; k < 3 && i + k < system->n; k++)
                v -= weir_cmul(system->rows[i].u[k], system->b[(i + k) * system->m + c]);
            system->b[i * system->m + c] = v / system->rows[i].u[0];
        }
    return true;
}

static double largest(const weir_c128 *d, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = cabs(d[i]) > most ? cabs(d[i]) : most;
    return most;
}

static weir_status tridiagonal_solve(weir_call *call)
{
    const weir_tensor *d = weir_in(call, 0), *b = weir_in(call, 1);
    weir_matrices shape = weir_matrices_of(b);
    int64_t n = shape.rows, m = shape.columns;
    bool perturb = weir_site_bool(call->site, PERTURB);
    bool wide = d->dtype == WEIR_DOUBLE || d->dtype == WEIR_COMPLEX128;
    weir_tensor workspace;
    if (perturb && !weir_site_bool(call->site, PIVOTING))
        return weir_error(WEIR_INVALID_ARGUMENT,
                          "Setting perturb_singular requires also setting partial_pivoting.");
    WEIR_TRY(weir_matrix_workspace(3 * n + n * m + 3 * n, &workspace));
    weir_c128 *diagonals = workspace.data;
    system system = {.n = n, .m = m, .pivoting = weir_site_bool(call->site, PIVOTING)};
    system.above = diagonals;
    system.main = diagonals + n;
    system.below = diagonals + 2 * n;
    system.b = diagonals + 3 * n;
    system.rows = (band *)(system.b + n * m);
    for (int64_t k = 0; k < shape.batch; k++) {
        weir_matrix_load(d, k * 3 * n, 3 * n, diagonals);
        weir_matrix_load(b, k * n * m, n * m, system.b);
        system.tiny = perturb ? largest(diagonals, 3 * n) * (wide ? DBL_EPSILON : FLT_EPSILON) : 0;
        if (!solve(&system)) /* a singular matrix is not an error */
            for (int64_t i = 0; i < n * m; i++)
                system.b[i] = NAN;
        weir_matrix_store(weir_out(call, 0), k * n * m, n * m, system.b);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

/* ---- gradient -------------------------------------------------------------------------------- */

/* A vector that selects row |k| of three, in the type of |like|. */
static weir_edge one_hot(weir_grad *grad, weir_edge like, int k)
{
    float values[3] = {0};
    values[k] = 1;
    weir_shape shape = weir_shape_vector(3);
    weir_edge value = weir_grad_const(grad, weir_tensor_from(WEIR_FLOAT, &shape, values));
    return like.node ? weir_grad_cast(grad, value, weir_edge_dtype(like)) : value;
}

static weir_edge einsum(weir_grad *grad, const char *equation, weir_edge a, weir_edge b)
{
    return weir_grad_op(grad, "Einsum", WEIR_IN(a, b),
                        WEIR_ATTRS(weir_a_str("equation", equation), weir_a_int("N", 2)));
}

/* x shifted by |by| positions along the second last dimension (1 or -1), filled with 0: a product
 * with a shifted identity. */
static weir_edge shift(weir_grad *grad, weir_edge x, int by, const char *equation, weir_edge rows)
{
    weir_edge zero = weir_grad_scalar(grad, WEIR_INT32, 0),
              one = weir_grad_scalar(grad, WEIR_INT32, 1);
    weir_edge range = weir_grad_op(grad, "Range", WEIR_IN(zero, rows, one), WEIR_NO_ATTRS);
    weir_edge moved = OP2("AddV2", range, weir_grad_scalar(grad, WEIR_INT32, by));
    weir_edge left = weir_grad_op(grad, "ExpandDims", WEIR_IN(range, one), WEIR_NO_ATTRS);
    weir_edge right = weir_grad_op(grad, "ExpandDims", WEIR_IN(moved, zero), WEIR_NO_ATTRS);
    weir_edge matrix = OP2("Equal", left, right);
    matrix = x.node ? weir_grad_cast(grad, matrix, weir_edge_dtype(x)) : matrix;
    return einsum(grad, equation, matrix, x);
}

/* db is the solution of the transposed system; the gradient of the diagonals is that of -db x^T.
 * Like TensorFlow's, it does not conjugate. */
static weir_status tridiagonal_grad(weir_grad *grad)
{
    weir_edge d = X, x = Y;
    weir_edge shape = OP1("Shape", d), zero = weir_grad_scalar(grad, WEIR_INT32, 0);
    weir_edge last = OP2("Sub", OP1("Size", shape), weir_grad_scalar(grad, WEIR_INT32, 1));
    weir_edge count = weir_grad_op(grad, "GatherV2", WEIR_IN(shape, last, zero), WEIR_NO_ATTRS);
    weir_edge part[3], hot[3];
    for (int k = 0; k < 3; k++) {
        hot[k] = one_hot(grad, d, k);
        part[k] = einsum(grad, "i,...ij->...j", hot[k], d);
    }
    /* The transpose's upper diagonal is the lower one shifted up, and conversely. */
    weir_edge up = shift(grad, part[2], -1, "ij,...j->...i", count);
    weir_edge down = shift(grad, part[0], 1, "ij,...j->...i", count);
    weir_edge rows[] = {up, part[1], down};
    weir_edge transposed = einsum(grad, "i,...j->...ij", hot[0], rows[0]);
    for (int k = 1; k < 3; k++)
        transposed = ADD(transposed, einsum(grad, "i,...j->...ij", hot[k], rows[k]));
    weir_edge db =
        weir_grad_op(grad, "TridiagonalSolve", WEIR_IN(transposed, DY),
                     WEIR_ATTRS(weir_a_bool("partial_pivoting",
                                            weir_site_bool(weir_grad_site(grad), PIVOTING))));
    weir_edge after = shift(grad, x, -1, "ij,...jk->...ik", count);
    weir_edge before = shift(grad, x, 1, "ij,...jk->...ik", count);
    weir_edge met[] = {after, x, before}, dd = {0};
    for (int k = 0; k < 3; k++) {
        weir_edge row = NEG(einsum(grad, "...ij,...ij->...i", db, met[k]));
        weir_edge placed = einsum(grad, "i,...j->...ij", hot[k], row);
        dd = k ? ADD(dd, placed) : placed;
    }
    weir_grad_set(grad, 0, dd);
    weir_grad_set(grad, 1, db);
    return WEIR_OK;
}

const weir_op weir_op_tridiagonal_solve = {
    .name = "TridiagonalSolve",
    .in = "diagonals: T; rhs: T",
    .out = "output: T",
    .attrs = "partial_pivoting: bool = true; perturb_singular: bool = false; T: " TYPES,
    .infer = solve_infer,
    .grad = tridiagonal_grad,
    .kernels = {{WEIR_CPU, "*", tridiagonal_solve}},
};

/* ---- product --------------------------------------------------------------------------------- */

static weir_status product_infer(weir_infer *infer)
{
    weir_shape batch, other;
    int64_t n, one;
    WEIR_TRY(weir_infer_matrix(infer, 3, &batch));
    n = weir_infer_dim(infer, 3, -2);
    for (int k = 0; k < 3; k++) {
        WEIR_TRY(weir_infer_matrix(infer, k, &other));
        WEIR_TRY(weir_infer_merge(&batch, &other, &batch));
        WEIR_TRY(weir_infer_merge_dim(weir_infer_dim(infer, k, -2), 1, &one));
        WEIR_TRY(weir_infer_merge_dim(n, weir_infer_dim(infer, k, -1), &n));
    }
    return weir_infer_matrices(&batch, n, weir_infer_dim(infer, 3, -1), &infer->out[0]);
}

static weir_status tridiagonal_mat_mul(weir_call *call)
{
    weir_matrices shape = weir_matrices_of(weir_in(call, 3));
    int64_t n = shape.rows, m = shape.columns;
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(3 * n + 2 * n * m, &workspace));
    weir_c128 *d = workspace.data, *x = d + 3 * n, *y = x + n * m;
    for (int64_t batch = 0; batch < shape.batch; batch++) {
        for (int k = 0; k < 3; k++)
            weir_matrix_load(weir_in(call, k), batch * n, n, d + k * n);
        weir_matrix_load(weir_in(call, 3), batch * n * m, n * m, x);
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < m; c++) {
                weir_c128 v = weir_cmul(d[n + i], x[i * m + c]);
                if (i + 1 < n)
                    v += weir_cmul(d[i], x[(i + 1) * m + c]);
                if (i > 0)
                    v += weir_cmul(d[2 * n + i], x[(i - 1) * m + c]);
                y[i * m + c] = v;
            }
        weir_matrix_store(weir_out(call, 0), batch * n * m, n * m, y);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

const weir_op weir_op_tridiagonal_mat_mul = {
    .name = "TridiagonalMatMul",
    .in = "superdiag: T; maindiag: T; subdiag: T; rhs: T",
    .out = "output: T",
    .attrs = "T: " TYPES,
    .infer = product_infer,
    .kernels = {{WEIR_CPU, "*", tridiagonal_mat_mul}},
};
