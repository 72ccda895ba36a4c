/* ops/linalg/decompose.c - Qr, Svd, SelfAdjointEigV2, Eig and the older names of some. */
#include "base/arith.h"
#include "ops/common/elements.h"
#include "ops/declare.h"
#include "ops/linalg/decompose_grad.h"
#include "ops/linalg/matrix.h"

#define MATRIX_TYPES "{double, float, half, complex64, complex128}"

static int64_t least(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? -1 : weir_min(a, b);
}

/* Outputs that are not computed are placeholder scalars, though inferred as empty vectors. */
static weir_status leave_out(weir_call *call, int first)
{
    for (int output = first; output < call->site->out_count; output++) {
        WEIR_TRY(weir_call_alloc(call, output, &WEIR_SCALAR));
        weir_matrix_store(weir_out(call, output), 0, 1, &(weir_c128){0});
    }
    return WEIR_OK;
}

/* ---- Qr -------------------------------------------------------------------------------------- */

static weir_status qr_infer(weir_infer *infer)
{
    weir_shape batch;
    WEIR_TRY(weir_infer_matrix(infer, 0, &batch));
    int64_t m = weir_infer_dim(infer, 0, -2), n = weir_infer_dim(infer, 0, -1);
    int64_t k = weir_site_bool(infer->site, 0) ? m : least(m, n);
    WEIR_TRY(weir_infer_matrices(&batch, m, k, &infer->out[0]));
    return weir_infer_matrices(&batch, k, n, &infer->out[1]);
}

/* Rows of |from| (width columns), truncated to |columns| each. */
static void store_columns(weir_tensor *tensor, int64_t first, int64_t rows, int64_t columns,
                          const weir_c128 *from, int64_t width)
{
    for (int64_t row = 0; row < rows; row++)
        weir_matrix_store(tensor, first + row * columns, columns, from + row * width);
}

static weir_status qr(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_tensor *q = weir_out(call, 0), *r = weir_out(call, 1), workspace;
    weir_matrices matrices = weir_matrices_of(x);
    int64_t m = matrices.rows, n = matrices.columns, k = weir_matrices_of(r).rows;
    WEIR_TRY(weir_matrix_workspace(m * n + m * m + m, &workspace));
    weir_c128 *a = workspace.data, *full = a + m * n, *column = full + m * m;
    for (int64_t batch = 0; batch < matrices.batch; batch++) {
        weir_matrix_load(x, batch * m * n, m * n, a);
        weir_matrix_qr(m, n, a, full, column);
        store_columns(q, batch * m * k, m, k, full, m);
        weir_matrix_store(r, batch * k * n, k * n, a);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

const weir_op weir_op_qr = {
    .name = "Qr",
    .in = "input: T",
    .out = "q: T; r: T",
    .attrs = "full_matrices: bool = false; T: " MATRIX_TYPES,
    .infer = qr_infer,
    .grad = weir_qr_grad,
    .kernels = {{WEIR_CPU, "*", qr}},
};

/* ---- Svd ------------------------------------------------------------------------------------- */

enum { COMPUTE_UV, FULL };

static weir_status svd_infer(weir_infer *infer)
{
    weir_shape batch, vector;
    WEIR_TRY(weir_infer_matrix(infer, 0, &batch));
    int64_t m = weir_infer_dim(infer, 0, -2), n = weir_infer_dim(infer, 0, -1), p = least(m, n);
    bool full = weir_site_bool(infer->site, FULL);
    vector = weir_shape_vector(p);
    WEIR_TRY(weir_infer_concat(&batch, &vector, &infer->out[0]));
    if (!weir_site_bool(infer->site, COMPUTE_UV)) {
        infer->out[1] = infer->out[2] = weir_shape_vector(0);
        return WEIR_OK;
    }
    WEIR_TRY(weir_infer_matrices(&batch, m, full ? m : p, &infer->out[1]));
    return weir_infer_matrices(&batch, n, full ? n : p, &infer->out[2]);
}

/* Workspace for one decomposition of a tall matrix, rows >= columns. */
typedef struct svd_workspace {
    weir_c128 *a, *u, *v, *basis, *square, *column;
    double *s;
} svd_workspace;

/* Completes the |n| orthonormal columns of u (m x n) to a basis: q of its QR factors spans the same
 * space, up to signs that the given columns correct. */
static void complete_basis(int64_t m, int64_t n, const svd_workspace *workspace)
{
    memcpy(workspace->square, workspace->u, (size_t)(m * n) * sizeof *workspace->u);
    weir_matrix_qr(m, n, workspace->square, workspace->basis, workspace->column);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            workspace->basis[i * m + j] = workspace->u[i * n + j];
}

static void adjoint_into(int64_t rows, int64_t columns, const weir_c128 *x, weir_c128 *y)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            y[j * rows + i] = conj(x[i * columns + j]);
}

/* Stores the side with the longer vectors (|m|, of which n are given) and the square one (|n|). */
static void store_sides(weir_call *call, int64_t b, int64_t m, int64_t n, bool wide,
                        const svd_workspace *workspace)
{
    weir_tensor *long_side = weir_out(call, wide ? 2 : 1), *square = weir_out(call, wide ? 1 : 2);
    if (weir_site_bool(call->site, FULL) && m > n) {
        complete_basis(m, n, workspace);
        weir_matrix_store(long_side, b * m * m, m * m, workspace->basis);
    } else {
        weir_matrix_store(long_side, b * m * n, m * n, workspace->u);
    }
    weir_matrix_store(square, b * n * n, n * n, workspace->v);
}

static weir_status svd(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    bool wide = shape.rows < shape.columns; /* then the adjoint is decomposed */
    int64_t m = wide ? shape.columns : shape.rows, n = wide ? shape.rows : shape.columns;
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(3 * m * n + n * n + m * m + m + n, &workspace));
    svd_workspace svd_workspace = {.a = workspace.data};
    svd_workspace.u = svd_workspace.a + m * n;
    svd_workspace.square = svd_workspace.u + m * n;
    svd_workspace.v = svd_workspace.square + m * n;
    svd_workspace.basis = svd_workspace.v + n * n;
    svd_workspace.column = svd_workspace.basis + m * m;
    svd_workspace.s = (double *)(svd_workspace.column + m);
    for (int64_t batch = 0; batch < shape.batch; batch++) {
        weir_matrix_load(x, batch * m * n, m * n, svd_workspace.a);
        if (wide)
            adjoint_into(n, m, svd_workspace.a, svd_workspace.u);
        else
            memcpy(svd_workspace.u, svd_workspace.a, (size_t)(m * n) * sizeof *svd_workspace.u);
        weir_matrix_svd(m, n, svd_workspace.u, svd_workspace.s, svd_workspace.v);
        for (int64_t k = 0; k < n; k++)
            weir_matrix_store(weir_out(call, 0), batch * n + k, 1,
                              &(weir_c128){svd_workspace.s[k]});
        if (weir_site_bool(call->site, COMPUTE_UV))
            store_sides(call, batch, m, n, wide, &svd_workspace);
    }
    weir_tensor_release(&workspace);
    return weir_site_bool(call->site, COMPUTE_UV) ? WEIR_OK : leave_out(call, 1);
}

const weir_op weir_op_svd = {
    .name = "Svd",
    .in = "input: T",
    .out = "s: T; u: T; v: T",
    .attrs = "compute_uv: bool = true; full_matrices: bool = false; T: " MATRIX_TYPES,
    .infer = svd_infer,
    .kernels = {{WEIR_CPU, "*", svd}},
};

/* ---- eigenvalues ----------------------------------------------------------------------------- */

static weir_status eigen_infer(weir_infer *infer)
{
    weir_shape batch, vector;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    vector = weir_shape_vector(n);
    WEIR_TRY(weir_infer_concat(&batch, &vector, &infer->out[0]));
    if (weir_site_bool(infer->site, 0))
        return weir_infer_matrices(&batch, n, n, &infer->out[1]);
    infer->out[1] = weir_shape_vector(0);
    return WEIR_OK;
}

static weir_status self_adjoint_eig(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(2 * n * n + n, &workspace));
    weir_c128 *a = workspace.data, *v = a + n * n;
    double *w = (double *)(v + n * n);
    for (int64_t batch = 0; batch < shape.batch; batch++) {
        weir_matrix_load(x, batch * n * n, n * n, a);
        weir_matrix_hermitian_eigen(n, a, w, v);
        for (int64_t k = 0; k < n; k++)
            weir_matrix_store(weir_out(call, 0), batch * n + k, 1, &(weir_c128){w[k]});
        if (weir_site_bool(call->site, 0))
            weir_matrix_store(weir_out(call, 1), batch * n * n, n * n, v);
    }
    weir_tensor_release(&workspace);
    return weir_site_bool(call->site, 0) ? WEIR_OK : leave_out(call, 1);
}

const weir_op weir_op_self_adjoint_eig_v2 = {
    .name = "SelfAdjointEigV2",
    .in = "input: T",
    .out = "e: T; v: T",
    .attrs = "compute_v: bool = true; T: " MATRIX_TYPES,
    .infer = eigen_infer,
    .grad = weir_self_adjoint_eig_grad,
    .kernels = {{WEIR_CPU, "*", self_adjoint_eig}},
};

static weir_status eig(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows;
    weir_tensor workspace;
    weir_status status = WEIR_OK;
    WEIR_TRY(weir_matrix_workspace(4 * n * n + 2 * n, &workspace));
    weir_c128 *a = workspace.data, *v = a + n * n, *w = v + n * n, *rest = w + n;
    for (int64_t batch = 0; batch < shape.batch && !status; batch++) {
        weir_matrix_load(x, batch * n * n, n * n, a);
        if (!weir_matrix_eigen(n, a, w, v, rest))
            status =
                weir_error(WEIR_INVALID_ARGUMENT,
                           "Eigen decomposition was not successful. The input might not be valid.");
        weir_matrix_store(weir_out(call, 0), batch * n, n, w);
        if (weir_site_bool(call->site, 0))
            weir_matrix_store(weir_out(call, 1), batch * n * n, n * n, v);
    }
    weir_tensor_release(&workspace);
    return status || weir_site_bool(call->site, 0) ? status : leave_out(call, 1);
}

const weir_op weir_op_eig = {
    .name = "Eig",
    .in = "input: T",
    .out = "e: Tout; v: Tout",
    .attrs = "compute_v: bool = true; T: {float, double, complex64, complex128}; "
             "Tout: {complex64, complex128}",
    .infer = eigen_infer,
    .kernels = {{WEIR_CPU, "*", eig}},
};

/* ---- older names ----------------------------------------------------------------------------- */

#define OLD(version, name) .deprecated_at = version, .deprecation = "Use " name " instead."
WEIR_DEFINE_OP(batch_svd, "BatchSvd", .in = "input: T", .out = "s: T; u: T; v: T",
               .attrs = "compute_uv: bool = true; full_matrices: bool = false; "
                        "T: {double, float, complex64, complex128}",
               .infer = svd_infer, .kernels = {{WEIR_CPU, "*", svd}}, OLD(13, "Svd"));
WEIR_DEFINE_OP(batch_self_adjoint_eig_v2, "BatchSelfAdjointEigV2", .in = "input: T",
               .out = "e: T; v: T", .attrs = "compute_v: bool = true; T: {double, float}",
               .infer = eigen_infer, .kernels = {{WEIR_CPU, "*", self_adjoint_eig}},
               OLD(13, "SelfAdjointEigV2"));

/* [..., n, n] to [..., n + 1, n]: a row of eigenvalues above the matrix of the vectors. */
static weir_status stacked_eigen_infer(weir_infer *infer)
{
    weir_shape batch;
    int64_t n;
    WEIR_TRY(weir_infer_square(infer, 0, &batch, &n));
    return weir_infer_matrices(&batch, n < 0 ? -1 : n + 1, n, &infer->out[0]);
}

static weir_status stacked_eigen(weir_call *call)
{
    const weir_tensor *x = weir_in(call, 0);
    weir_matrices shape = weir_matrices_of(x);
    int64_t n = shape.rows, size = n * n;
    weir_tensor workspace;
    WEIR_TRY(weir_matrix_workspace(2 * size + n, &workspace));
    weir_c128 *a = workspace.data, *v = a + size;
    double *w = (double *)(v + size);
    for (int64_t batch = 0; batch < shape.batch; batch++) {
        int64_t first = batch * (size + n);
        weir_matrix_load(x, batch * size, size, a);
        weir_matrix_hermitian_eigen(n, a, w, v);
        for (int64_t k = 0; k < n; k++)
            weir_matrix_store(weir_out(call, 0), first + k, 1, &(weir_c128){w[k]});
        weir_matrix_store(weir_out(call, 0), first + n, size, v);
    }
    weir_tensor_release(&workspace);
    return WEIR_OK;
}

#define STACKED_EIGEN                                                                              \
    .in = "input: T", .out = "output: T", .infer = stacked_eigen_infer,                            \
    .kernels = {{WEIR_CPU, "*", stacked_eigen}}, OLD(11, "SelfAdjointEigV2")
WEIR_DEFINE_OP(self_adjoint_eig, "SelfAdjointEig", STACKED_EIGEN,
               .attrs = "T: {double, float, half}");
WEIR_DEFINE_OP(batch_self_adjoint_eig, "BatchSelfAdjointEig", STACKED_EIGEN,
               .attrs = "T: {double, float}");
