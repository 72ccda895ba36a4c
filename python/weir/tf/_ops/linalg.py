"""Ops: linalg. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'BandedTriangularSolve': 'matrix:T rhs:T|output:T|lower:b adjoint:b T:t|0',
    'BatchCholesky': 'input:T|output:T|T:t|0',
    'BatchCholeskyGrad': 'l:T grad:T|output:T|T:t|0',
    'BatchMatrixDeterminant': 'input:T|output:T|T:t|0',
    'BatchMatrixInverse': 'input:T|output:T|adjoint:b T:t|0',
    'BatchMatrixSolve': 'matrix:T rhs:T|output:T|adjoint:b T:t|0',
    'BatchMatrixSolveLs': 'matrix:T rhs:T l2_regularizer:2|output:T|T:t fast:b|0',
    'BatchMatrixTriangularSolve': 'matrix:T rhs:T|output:T|lower:b adjoint:b T:t|0',
    'BatchSelfAdjointEig': 'input:T|output:T|T:t|0',
    'BatchSelfAdjointEigV2': 'input:T|e:T v:T|compute_v:b T:t|0',
    'BatchSvd': 'input:T|s:T u:T v:T|compute_uv:b full_matrices:b T:t|0',
    'Cholesky': 'input:T|output:T|T:t|0',
    'CholeskyGrad': 'l:T grad:T|output:T|T:t|0',
    'Eig': 'input:T|e:Tout v:Tout|compute_v:b T:t Tout:t|0',
    'Einsum': 'inputs:N*T|output:T|equation:s N:i T:t|0',
    'LogMatrixDeterminant': 'input:T|sign:T log_abs_determinant:T|T:t|0',
    'Lu': 'input:T|lu:T p:output_idx_type|T:t output_idx_type:t=3|0',
    'MatrixDeterminant': 'input:T|output:T|T:t|0',
    'MatrixExponential': 'input:T|output:T|T:t|0',
    'MatrixInverse': 'input:T|output:T|adjoint:b T:t|0',
    'MatrixLogarithm': 'input:T|output:T|T:t|0',
    'MatrixSolve': 'matrix:T rhs:T|output:T|adjoint:b T:t|0',
    'MatrixSolveLs': 'matrix:T rhs:T l2_regularizer:2|output:T|T:t fast:b|0',
    'MatrixSquareRoot': 'input:T|output:T|T:t|0',
    'MatrixTriangularSolve': 'matrix:T rhs:T|output:T|lower:b adjoint:b T:t|0',
    'Qr': 'input:T|q:T r:T|full_matrices:b T:t|0',
    'SelfAdjointEig': 'input:T|output:T|T:t|0',
    'SelfAdjointEigV2': 'input:T|e:T v:T|compute_v:b T:t|0',
    'Svd': 'input:T|s:T u:T v:T|compute_uv:b full_matrices:b T:t|0',
    'TridiagonalMatMul': 'superdiag:T maindiag:T subdiag:T rhs:T|output:T|T:t|0',
    'TridiagonalSolve': 'diagonals:T rhs:T|output:T|partial_pivoting:b perturb_singular:b T:t|0',
}


def banded_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return apply('BandedTriangularSolve', name, (matrix, rhs), {'lower': lower, 'adjoint': adjoint}).outputs[0]


def batch_cholesky(input, name=None):
    return apply('BatchCholesky', name, (input,), {}).outputs[0]


def batch_cholesky_grad(l, grad, name=None):
    return apply('BatchCholeskyGrad', name, (l, grad), {}).outputs[0]


def batch_matrix_determinant(input, name=None):
    return apply('BatchMatrixDeterminant', name, (input,), {}).outputs[0]


def batch_matrix_inverse(input, adjoint=False, name=None):
    return apply('BatchMatrixInverse', name, (input,), {'adjoint': adjoint}).outputs[0]


def batch_matrix_solve(matrix, rhs, adjoint=False, name=None):
    return apply('BatchMatrixSolve', name, (matrix, rhs), {'adjoint': adjoint}).outputs[0]


def batch_matrix_solve_ls(matrix, rhs, l2_regularizer, fast=True, name=None):
    return apply('BatchMatrixSolveLs', name, (matrix, rhs, l2_regularizer), {'fast': fast}).outputs[0]


def batch_matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return apply('BatchMatrixTriangularSolve', name, (matrix, rhs), {'lower': lower, 'adjoint': adjoint}).outputs[0]


def batch_self_adjoint_eig(input, name=None):
    return apply('BatchSelfAdjointEig', name, (input,), {}).outputs[0]


def batch_self_adjoint_eig_v2(input, compute_v=True, name=None):
    return results(apply('BatchSelfAdjointEigV2', name, (input,), {'compute_v': compute_v}))


def batch_svd(input, compute_uv=True, full_matrices=False, name=None):
    return results(apply('BatchSvd', name, (input,), {'compute_uv': compute_uv, 'full_matrices': full_matrices}))


def cholesky(input, name=None):
    return apply('Cholesky', name, (input,), {}).outputs[0]


def cholesky_grad(l, grad, name=None):
    return apply('CholeskyGrad', name, (l, grad), {}).outputs[0]


def eig(input, Tout, compute_v=True, name=None):
    return results(apply('Eig', name, (input,), {'Tout': Tout, 'compute_v': compute_v}))


def einsum(inputs, equation, name=None):
    return apply('Einsum', name, (inputs,), {'equation': equation}).outputs[0]


def log_matrix_determinant(input, name=None):
    return results(apply('LogMatrixDeterminant', name, (input,), {}))


def lu(input, output_idx_type=dtypes.int32, name=None):
    return results(apply('Lu', name, (input,), {'output_idx_type': output_idx_type}))


def matrix_determinant(input, name=None):
    return apply('MatrixDeterminant', name, (input,), {}).outputs[0]


def matrix_exponential(input, name=None):
    return apply('MatrixExponential', name, (input,), {}).outputs[0]


def matrix_inverse(input, adjoint=False, name=None):
    return apply('MatrixInverse', name, (input,), {'adjoint': adjoint}).outputs[0]


def matrix_logarithm(input, name=None):
    return apply('MatrixLogarithm', name, (input,), {}).outputs[0]


def matrix_solve(matrix, rhs, adjoint=False, name=None):
    return apply('MatrixSolve', name, (matrix, rhs), {'adjoint': adjoint}).outputs[0]


def matrix_solve_ls(matrix, rhs, l2_regularizer, fast=True, name=None):
    return apply('MatrixSolveLs', name, (matrix, rhs, l2_regularizer), {'fast': fast}).outputs[0]


def matrix_square_root(input, name=None):
    return apply('MatrixSquareRoot', name, (input,), {}).outputs[0]


def matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return apply('MatrixTriangularSolve', name, (matrix, rhs), {'lower': lower, 'adjoint': adjoint}).outputs[0]


def qr(input, full_matrices=False, name=None):
    return results(apply('Qr', name, (input,), {'full_matrices': full_matrices}))


def self_adjoint_eig(input, name=None):
    return apply('SelfAdjointEig', name, (input,), {}).outputs[0]


def self_adjoint_eig_v2(input, compute_v=True, name=None):
    return results(apply('SelfAdjointEigV2', name, (input,), {'compute_v': compute_v}))


def svd(input, compute_uv=True, full_matrices=False, name=None):
    return results(apply('Svd', name, (input,), {'compute_uv': compute_uv, 'full_matrices': full_matrices}))


def tridiagonal_mat_mul(superdiag, maindiag, subdiag, rhs, name=None):
    return apply('TridiagonalMatMul', name, (superdiag, maindiag, subdiag, rhs), {}).outputs[0]


def tridiagonal_solve(diagonals, rhs, partial_pivoting=True, perturb_singular=False, name=None):
    return apply('TridiagonalSolve', name, (diagonals, rhs), {'partial_pivoting': partial_pivoting, 'perturb_singular': perturb_singular}).outputs[0]
