/* weir/ops/linalg.h - linear algebra.
 *
 * Made by tools/ops_header; weir/ops.h says how to read it.
 */
/* clang-format off */
#ifndef WEIR_LINALG_OPS_H
#define WEIR_LINALG_OPS_H

#include "weir/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* BandedTriangularSolve(matrix: T, rhs: T) -> output: T: solves systems of banded triangular
 * matrices. T: double, float, half, complex64, complex128. */
typedef struct weir_banded_triangular_solve_options {
    bool not_lower;
    bool adjoint;
} weir_banded_triangular_solve_options;
static inline TF_Output
weir_banded_triangular_solve(weir_builder *builder, const char *node, TF_Output matrix,
                             TF_Output rhs, const weir_banded_triangular_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BandedTriangularSolve", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "lower", !options->not_lower);
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* BatchCholesky(input: T) -> output: T. T: double, float. */
static inline TF_Output weir_batch_cholesky(weir_builder *builder, const char *node,
                                            TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchCholesky", node, inputs, 1);
}

/* BatchCholeskyGrad(l: T, grad: T) -> output: T: the gradient of BatchCholesky. T: float, double.
 * */
static inline TF_Output weir_batch_cholesky_grad(weir_builder *builder, const char *node,
                                                 TF_Output l, TF_Output grad)
{
    const TF_Output inputs[] = {l, grad};
    return weir_build_op(builder, "BatchCholeskyGrad", node, inputs, 2);
}

/* BatchMatrixDeterminant(input: T) -> output: T. T: float, double, complex64, complex128. */
static inline TF_Output weir_batch_matrix_determinant(weir_builder *builder, const char *node,
                                                      TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchMatrixDeterminant", node, inputs, 1);
}

/* BatchMatrixInverse(input: T) -> output: T. T: double, float. */
typedef struct weir_batch_matrix_inverse_options {
    bool adjoint;
} weir_batch_matrix_inverse_options;
static inline TF_Output weir_batch_matrix_inverse(weir_builder *builder, const char *node,
                                                  TF_Output input,
                                                  const weir_batch_matrix_inverse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatrixInverse", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* BatchMatrixSolve(matrix: T, rhs: T) -> output: T. T: double, float. */
typedef struct weir_batch_matrix_solve_options {
    bool adjoint;
} weir_batch_matrix_solve_options;
static inline TF_Output weir_batch_matrix_solve(weir_builder *builder, const char *node,
                                                TF_Output matrix, TF_Output rhs,
                                                const weir_batch_matrix_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatrixSolve", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* BatchMatrixSolveLs(matrix: T, rhs: T, l2_regularizer: double) -> output: T. T: double, float. */
typedef struct weir_batch_matrix_solve_ls_options {
    bool not_fast;
} weir_batch_matrix_solve_ls_options;
static inline TF_Output
weir_batch_matrix_solve_ls(weir_builder *builder, const char *node, TF_Output matrix, TF_Output rhs,
                           TF_Output l2_regularizer,
                           const weir_batch_matrix_solve_ls_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatrixSolveLs", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, l2_regularizer);
    if (made && options) {
        TF_SetAttrBool(made, "fast", !options->not_fast);
    }
    return weir_build_end(builder, made);
}

/* BatchMatrixTriangularSolve(matrix: T, rhs: T) -> output: T. T: double, float. */
typedef struct weir_batch_matrix_triangular_solve_options {
    bool not_lower;
    bool adjoint;
} weir_batch_matrix_triangular_solve_options;
static inline TF_Output
weir_batch_matrix_triangular_solve(weir_builder *builder, const char *node, TF_Output matrix,
                                   TF_Output rhs,
                                   const weir_batch_matrix_triangular_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchMatrixTriangularSolve", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "lower", !options->not_lower);
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* BatchSelfAdjointEig(input: T) -> output: T. T: double, float. */
static inline TF_Output weir_batch_self_adjoint_eig(weir_builder *builder, const char *node,
                                                    TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "BatchSelfAdjointEig", node, inputs, 1);
}

/* BatchSelfAdjointEigV2(input: T) -> e: T, v: T. T: double, float. */
typedef struct weir_batch_self_adjoint_eig_v2_options {
    bool not_compute_v;
} weir_batch_self_adjoint_eig_v2_options;
typedef struct weir_batch_self_adjoint_eig_v2_outputs {
    TF_Output e;
    TF_Output v;
} weir_batch_self_adjoint_eig_v2_outputs;
static inline weir_batch_self_adjoint_eig_v2_outputs
weir_batch_self_adjoint_eig_v2(weir_builder *builder, const char *node, TF_Output input,
                               const weir_batch_self_adjoint_eig_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchSelfAdjointEigV2", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "compute_v", !options->not_compute_v);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_batch_self_adjoint_eig_v2_outputs out;
    out.e = weir_output(op, 0);
    out.v = weir_output(op, 1);
    return out;
}

/* BatchSvd(input: T) -> s: T, u: T, v: T. T: double, float, complex64, complex128. */
typedef struct weir_batch_svd_options {
    bool not_compute_uv;
    bool full_matrices;
} weir_batch_svd_options;
typedef struct weir_batch_svd_outputs {
    TF_Output s;
    TF_Output u;
    TF_Output v;
} weir_batch_svd_outputs;
static inline weir_batch_svd_outputs weir_batch_svd(weir_builder *builder, const char *node,
                                                    TF_Output input,
                                                    const weir_batch_svd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "BatchSvd", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "compute_uv", !options->not_compute_uv);
        TF_SetAttrBool(made, "full_matrices", options->full_matrices);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_batch_svd_outputs out;
    out.s = weir_output(op, 0);
    out.u = weir_output(op, 1);
    out.v = weir_output(op, 2);
    return out;
}

/* Cholesky(input: T) -> output: T: the lower triangular factor of a positive definite matrix. T:
 * double, float, half, complex64, complex128. */
static inline TF_Output weir_cholesky(weir_builder *builder, const char *node, TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "Cholesky", node, inputs, 1);
}

/* CholeskyGrad(l: T, grad: T) -> output: T: the gradient of Cholesky. T: half, float, double. */
static inline TF_Output weir_cholesky_grad(weir_builder *builder, const char *node, TF_Output l,
                                           TF_Output grad)
{
    const TF_Output inputs[] = {l, grad};
    return weir_build_op(builder, "CholeskyGrad", node, inputs, 2);
}

/* Eig(input: T) -> e: Tout, v: Tout: eigenvalues and eigenvectors. T: float, double, complex64,
 * complex128. Tout: complex64, complex128. */
typedef struct weir_eig_options {
    bool not_compute_v;
} weir_eig_options;
typedef struct weir_eig_outputs {
    TF_Output e;
    TF_Output v;
} weir_eig_outputs;
static inline weir_eig_outputs weir_eig(weir_builder *builder, const char *node, TF_Output input,
                                        TF_DataType Tout, const weir_eig_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Eig", node);
    weir_build_input(builder, made, input);
    if (made) {
        TF_SetAttrType(made, "Tout", Tout);
    }
    if (made && options) {
        TF_SetAttrBool(made, "compute_v", !options->not_compute_v);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_eig_outputs out;
    out.e = weir_output(op, 0);
    out.v = weir_output(op, 1);
    return out;
}

/* Einsum(inputs: N * T) -> output: T: products and sums over named dimensions. */
static inline TF_Output weir_einsum(weir_builder *builder, const char *node,
                                    const TF_Output *inputs, int inputs_count, const char *equation)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Einsum", node);
    weir_build_input_list(builder, made, inputs, inputs_count);
    if (made) {
        weir_attr_string(made, "equation", equation);
    }
    return weir_build_end(builder, made);
}

/* LogMatrixDeterminant(input: T) -> sign: T, log_abs_determinant: T: sign and logarithm of the
 * determinant. T: half, float, double, complex64, complex128. */
typedef struct weir_log_matrix_determinant_outputs {
    TF_Output sign;
    TF_Output log_abs_determinant;
} weir_log_matrix_determinant_outputs;
static inline weir_log_matrix_determinant_outputs weir_log_matrix_determinant(
                                                                              weir_builder *builder,
                                                                              const char *node,
                                                                              TF_Output input)
{
    const TF_Output inputs[] = {input};
    TF_Operation *op = weir_build_op(builder, "LogMatrixDeterminant", node, inputs, 1).oper;
    weir_log_matrix_determinant_outputs out;
    out.sign = weir_output(op, 0);
    out.log_abs_determinant = weir_output(op, 1);
    return out;
}

/* Lu(input: T) -> lu: T, p: output_idx_type: the factors of a matrix and its permutation. T:
 * double, float, half, complex64, complex128. output_idx_type: int32, int64. */
typedef struct weir_lu_options {
    TF_DataType output_idx_type; /* 0: TF_INT32; int32, int64 */
} weir_lu_options;
typedef struct weir_lu_outputs {
    TF_Output lu;
    TF_Output p;
} weir_lu_outputs;
static inline weir_lu_outputs weir_lu(weir_builder *builder, const char *node, TF_Output input,
                                      const weir_lu_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Lu", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        if (options->output_idx_type)
            TF_SetAttrType(made, "output_idx_type", options->output_idx_type);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_lu_outputs out;
    out.lu = weir_output(op, 0);
    out.p = weir_output(op, 1);
    return out;
}

/* MatrixDeterminant(input: T) -> output: T: the determinant. T: half, float, double, complex64,
 * complex128. */
static inline TF_Output weir_matrix_determinant(weir_builder *builder, const char *node,
                                                TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MatrixDeterminant", node, inputs, 1);
}

/* MatrixExponential(input: T) -> output: T. T: double, float, half, complex64, complex128. */
static inline TF_Output weir_matrix_exponential(weir_builder *builder, const char *node,
                                                TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MatrixExponential", node, inputs, 1);
}

/* MatrixInverse(input: T) -> output: T: the inverse. T: double, float, half, complex64, complex128.
 * */
typedef struct weir_matrix_inverse_options {
    bool adjoint;
} weir_matrix_inverse_options;
static inline TF_Output weir_matrix_inverse(weir_builder *builder, const char *node,
                                            TF_Output input,
                                            const weir_matrix_inverse_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixInverse", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* MatrixLogarithm(input: T) -> output: T: the logarithm of a matrix. T: complex64, complex128. */
static inline TF_Output weir_matrix_logarithm(weir_builder *builder, const char *node,
                                              TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MatrixLogarithm", node, inputs, 1);
}

/* MatrixSolve(matrix: T, rhs: T) -> output: T: solves systems of linear equations. T: double,
 * float, half, complex64, complex128. */
typedef struct weir_matrix_solve_options {
    bool adjoint;
} weir_matrix_solve_options;
static inline TF_Output weir_matrix_solve(weir_builder *builder, const char *node, TF_Output matrix,
                                          TF_Output rhs, const weir_matrix_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixSolve", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* MatrixSolveLs(matrix: T, rhs: T, l2_regularizer: double) -> output: T: solves systems by least
 * squares. T: double, float, half, complex64, complex128. */
typedef struct weir_matrix_solve_ls_options {
    bool not_fast;
} weir_matrix_solve_ls_options;
static inline TF_Output weir_matrix_solve_ls(weir_builder *builder, const char *node,
                                             TF_Output matrix, TF_Output rhs,
                                             TF_Output l2_regularizer,
                                             const weir_matrix_solve_ls_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixSolveLs", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    weir_build_input(builder, made, l2_regularizer);
    if (made && options) {
        TF_SetAttrBool(made, "fast", !options->not_fast);
    }
    return weir_build_end(builder, made);
}

/* MatrixSquareRoot(input: T) -> output: T: the square root of a matrix. T: double, float, half,
 * complex64, complex128. */
static inline TF_Output weir_matrix_square_root(weir_builder *builder, const char *node,
                                                TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "MatrixSquareRoot", node, inputs, 1);
}

/* MatrixTriangularSolve(matrix: T, rhs: T) -> output: T: solves systems of triangular matrices. T:
 * bfloat16, double, float, half, complex64, complex128. */
typedef struct weir_matrix_triangular_solve_options {
    bool not_lower;
    bool adjoint;
} weir_matrix_triangular_solve_options;
static inline TF_Output
weir_matrix_triangular_solve(weir_builder *builder, const char *node, TF_Output matrix,
                             TF_Output rhs, const weir_matrix_triangular_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "MatrixTriangularSolve", node);
    weir_build_input(builder, made, matrix);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "lower", !options->not_lower);
        TF_SetAttrBool(made, "adjoint", options->adjoint);
    }
    return weir_build_end(builder, made);
}

/* Qr(input: T) -> q: T, r: T: an orthogonal and a triangular factor. T: double, float, half,
 * complex64, complex128. */
typedef struct weir_qr_options {
    bool full_matrices;
} weir_qr_options;
typedef struct weir_qr_outputs {
    TF_Output q;
    TF_Output r;
} weir_qr_outputs;
static inline weir_qr_outputs weir_qr(weir_builder *builder, const char *node, TF_Output input,
                                      const weir_qr_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Qr", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "full_matrices", options->full_matrices);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_qr_outputs out;
    out.q = weir_output(op, 0);
    out.r = weir_output(op, 1);
    return out;
}

/* SelfAdjointEig(input: T) -> output: T: eigenvalues and eigenvectors of symmetric matrices. T:
 * double, float, half. */
static inline TF_Output weir_self_adjoint_eig(weir_builder *builder, const char *node,
                                              TF_Output input)
{
    const TF_Output inputs[] = {input};
    return weir_build_op(builder, "SelfAdjointEig", node, inputs, 1);
}

/* SelfAdjointEigV2(input: T) -> e: T, v: T: eigenvalues and eigenvectors of symmetric matrices. T:
 * double, float, half, complex64, complex128. */
typedef struct weir_self_adjoint_eig_v2_options {
    bool not_compute_v;
} weir_self_adjoint_eig_v2_options;
typedef struct weir_self_adjoint_eig_v2_outputs {
    TF_Output e;
    TF_Output v;
} weir_self_adjoint_eig_v2_outputs;
static inline weir_self_adjoint_eig_v2_outputs
weir_self_adjoint_eig_v2(weir_builder *builder, const char *node, TF_Output input,
                         const weir_self_adjoint_eig_v2_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "SelfAdjointEigV2", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "compute_v", !options->not_compute_v);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_self_adjoint_eig_v2_outputs out;
    out.e = weir_output(op, 0);
    out.v = weir_output(op, 1);
    return out;
}

/* Svd(input: T) -> s: T, u: T, v: T: singular values and vectors. T: double, float, half,
 * complex64, complex128. */
typedef struct weir_svd_options {
    bool not_compute_uv;
    bool full_matrices;
} weir_svd_options;
typedef struct weir_svd_outputs {
    TF_Output s;
    TF_Output u;
    TF_Output v;
} weir_svd_outputs;
static inline weir_svd_outputs weir_svd(weir_builder *builder, const char *node, TF_Output input,
                                        const weir_svd_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "Svd", node);
    weir_build_input(builder, made, input);
    if (made && options) {
        TF_SetAttrBool(made, "compute_uv", !options->not_compute_uv);
        TF_SetAttrBool(made, "full_matrices", options->full_matrices);
    }
    TF_Operation *op = weir_build_end(builder, made).oper;
    weir_svd_outputs out;
    out.s = weir_output(op, 0);
    out.u = weir_output(op, 1);
    out.v = weir_output(op, 2);
    return out;
}

/* TridiagonalMatMul(superdiag: T, maindiag: T, subdiag: T, rhs: T) -> output: T: a tridiagonal
 * matrix times a dense one. T: double, float, complex64, complex128. */
static inline TF_Output weir_tridiagonal_mat_mul(weir_builder *builder, const char *node,
                                                 TF_Output superdiag, TF_Output maindiag,
                                                 TF_Output subdiag, TF_Output rhs)
{
    const TF_Output inputs[] = {superdiag, maindiag, subdiag, rhs};
    return weir_build_op(builder, "TridiagonalMatMul", node, inputs, 4);
}

/* TridiagonalSolve(diagonals: T, rhs: T) -> output: T: solves systems of tridiagonal matrices. T:
 * double, float, complex64, complex128. */
typedef struct weir_tridiagonal_solve_options {
    bool not_partial_pivoting;
    bool perturb_singular;
} weir_tridiagonal_solve_options;
static inline TF_Output weir_tridiagonal_solve(weir_builder *builder, const char *node,
                                               TF_Output diagonals, TF_Output rhs,
                                               const weir_tridiagonal_solve_options *options)
{
    TF_OperationDescription *made = weir_build_begin(builder, "TridiagonalSolve", node);
    weir_build_input(builder, made, diagonals);
    weir_build_input(builder, made, rhs);
    if (made && options) {
        TF_SetAttrBool(made, "partial_pivoting", !options->not_partial_pivoting);
        TF_SetAttrBool(made, "perturb_singular", options->perturb_singular);
    }
    return weir_build_end(builder, made);
}

#ifdef __cplusplus
}
#endif
#endif
