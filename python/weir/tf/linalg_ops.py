"""tf.linalg: decompositions, solvers and norms; einsum; Fourier transforms."""
import math

import numpy as np

from . import _ops, array_ops, control_flow_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope


def eigh(tensor, name=None):
    made = _ops.self_adjoint_eig_v2(tensor, compute_v=True, name=name)
    return made[0], made[1]


self_adjoint_eig = eigh


def self_adjoint_eigvals(tensor, name=None):
    return _ops.self_adjoint_eig_v2(tensor, compute_v=False, name=name)[0]


eigvalsh = self_adjoint_eigvals


def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    made = _ops.svd(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (made[0], made[1], made[2]) if compute_uv else made[0]


def cholesky_solve(chol, rhs, name=None):
    with name_scope(name, 'cholesky_solve', [chol, rhs]):
        middle = _ops.matrix_triangular_solve(chol, rhs, adjoint=False, lower=True)
        return _ops.matrix_triangular_solve(chol, middle, adjoint=True, lower=True)


def matrix_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return _ops.matrix_triangular_solve(matrix, rhs, lower, adjoint, name)


def matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    matrix = convert_to_tensor(matrix, name='matrix')
    return _ops.matrix_solve_ls(matrix, rhs, convert_to_tensor(l2_regularizer, dtype=dtypes.float64), fast, name)


def eye(num_rows, num_columns=None, batch_shape=None, dtype=dtypes.float32, name=None):
    return array_ops.eye(num_rows, num_columns, batch_shape, dtype, name)


def norm(tensor, ord='euclidean', axis=None, keepdims=None, name=None, keep_dims=None):
    keep = bool(keepdims if keepdims is not None else keep_dims)
    is_matrix = isinstance(axis, (tuple, list)) and len(axis) == 2
    if is_matrix and (axis[0] == axis[1] or not all(isinstance(item, (int, np.integer)) for item in axis)):
        raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers, got %s" % (axis,))
    if not is_matrix and isinstance(axis, (tuple, list)) and len(axis) != 1:
        raise ValueError("'axis' must be None, an integer, or a tuple of 2 unique integers")
    if axis is not None and isinstance(axis, (tuple, list)) and not is_matrix:
        axis = axis[0]
    supported = ('euclidean', 'fro', 1, 2, np.inf) if is_matrix else ('euclidean', 1, 2, np.inf)
    if ord not in supported and (is_matrix or isinstance(ord, str) or not np.isreal(ord) or ord <= 0):
        raise ValueError("'ord' must be a supported norm, got %s" % ord)
    with name_scope(name, 'norm', [tensor]):
        tensor = convert_to_tensor(tensor)
        made = _norm(tensor, ord, axis, is_matrix)
        return made if keep else array_ops.squeeze(made, axis if not is_matrix else list(axis)) if axis is not None else \
            array_ops.reshape(made, [])


def _norm(tensor, ord, axis, is_matrix):
    if ord in ('fro', 'euclidean', 2, 2.0) and not (is_matrix and ord in (2, 2.0)):
        square = math_ops.reduce_sum(tensor * math_ops.conj(tensor), axis, keepdims=True)
        root = math_ops.sqrt(square)
        return math_ops.real(root) if tensor.dtype.is_complex else root
    if is_matrix and ord in (2, 2.0):
        moved = _last_two(tensor, axis)
        top = math_ops.reduce_max(_ops.svd(moved, compute_uv=False)[0], -1)
        out = top
        for at in sorted(a % tensor.get_shape().ndims for a in axis):
            out = array_ops.expand_dims(out, at)
        return out
    values = math_ops.abs(tensor)
    if ord == 1:
        total = math_ops.reduce_sum(values, axis[0] if is_matrix else axis, keepdims=True)
        return math_ops.reduce_max(total, axis[-1], keepdims=True) if is_matrix else total
    if ord == np.inf:
        if is_matrix:
            return math_ops.reduce_max(math_ops.reduce_sum(values, axis[1], keepdims=True), axis[0], keepdims=True)
        return math_ops.reduce_max(values, axis, keepdims=True)
    return math_ops.pow(math_ops.reduce_sum(math_ops.pow(values, ord), axis, keepdims=True), 1.0 / ord)


def _last_two(tensor, axis):
    rank = tensor.get_shape().ndims
    ends = [a % rank for a in axis]
    return array_ops.transpose(tensor, [i for i in range(rank) if i not in ends] + ends)


def logdet(matrix, name=None):
    with name_scope(name, 'logdet', [matrix]):
        chol = _ops.cholesky(matrix)
        diagonal = array_ops.matrix_diag_part(chol)
        return 2.0 * math_ops.reduce_sum(math_ops.log(math_ops.real(diagonal)), axis=[-1])


def slogdet(input, name=None):
    return _ops.log_matrix_determinant(input, name)


def adjoint(matrix, name=None):
    with name_scope(name, 'adjoint', [matrix]):
        return array_ops.matrix_transpose(convert_to_tensor(matrix), conjugate=True)


def tensor_diag(diagonal, name=None):
    return array_ops.diag(diagonal, name)


def tensor_diag_part(input, name=None):
    return array_ops.diag_part(input, name)


def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False, b_is_sparse=False,
           name=None):
    return math_ops.matmul(a, b, transpose_a, transpose_b, adjoint_a, adjoint_b, a_is_sparse, b_is_sparse, name)


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    with name_scope(name, 'MatVec', [a, b]) as name:
        out = math_ops.matmul(a, array_ops.expand_dims(b, -1), transpose_a=transpose_a, adjoint_a=adjoint_a)
        return array_ops.squeeze(out, axis=[-1])


_TERMS = 18  # of the series; what follows is below the rounding of doubles where the norm is at most a half


def expm(input, name=None):
    """The exponential of matrices: the series of a matrix divided by a power of two, squared as often."""
    with name_scope(name, 'matrix_exponential', [input]):
        matrix = convert_to_tensor(input, name='input')
        norm = math_ops.reduce_max(math_ops.reduce_sum(math_ops.abs(matrix), -1))
        norm = math_ops.maximum(math_ops.cast(norm, dtypes.float32), 0.5)
        times = math_ops.cast(math_ops.ceil(math_ops.log(norm / 0.5) / math.log(2.0)), dtypes.int32)
        small = matrix / math_ops.cast(math_ops.pow(2.0, math_ops.cast(times, dtypes.float32)), matrix.dtype)
        term = array_ops.eye(matrix.get_shape().as_list()[-1], dtype=matrix.dtype) + array_ops.zeros_like(matrix)
        made = term
        for k in range(1, _TERMS):
            term = math_ops.matmul(term, small) / float(k)
            made = made + term
        return control_flow_ops.while_loop(lambda i, _: i < times, lambda i, made: (i + 1, math_ops.matmul(made, made)), (0, made))[1]


def _compact(diagonals, form):
    """Diagonals as three rows: above, main, below; the last of the first and the first of the last do not count."""
    if form == 'compact':
        diagonals = convert_to_tensor(diagonals)
        if diagonals.get_shape().ndims is not None and diagonals.get_shape().ndims < 2:
            raise ValueError('Expected diagonals to have rank >= 2')
        if diagonals.get_shape().ndims is not None and diagonals.get_shape().as_list()[-2] not in (3, None):
            raise ValueError('Expected 3 diagonals got %s' % diagonals.get_shape()[-2])
        return diagonals
    if form == 'sequence':
        if not isinstance(diagonals, (tuple, list)) or len(diagonals) != 3:
            raise ValueError('Expected diagonals to be a sequence of length 3.')
        above, main, below = (convert_to_tensor(part) for part in diagonals)
        rows = array_ops.shape(main)[-1]
        return array_ops.stack([_padded(above, rows, True), main, _padded(below, rows, False)], axis=-2)
    if form == 'matrix':
        matrix = convert_to_tensor(diagonals)
        shape = matrix.get_shape()
        if shape.ndims is not None and shape.as_list()[-1] is not None and shape.as_list()[-2] is not None and \
                shape.as_list()[-1] != shape.as_list()[-2]:
            raise ValueError('Expected last two dimensions of diagonals to be same, got %s and %s' % (shape[-2], shape[-1]))
        main = array_ops.matrix_diag_part(matrix)
        zero = array_ops.zeros_like(main[..., :1])
        above = array_ops.concat([array_ops.matrix_diag_part(matrix[..., :-1, 1:]), zero], -1)
        below = array_ops.concat([zero, array_ops.matrix_diag_part(matrix[..., 1:, :-1])], -1)
        return array_ops.stack([above, main, below], axis=-2)
    raise ValueError('Unrecognized diagonals_format: %s' % form)


def _padded(part, rows, is_above):
    """A diagonal as long as the main one: one that is shorter by one gets a zero that does not count."""
    known, whole = part.get_shape().as_list()[-1], constant_value(rows)
    if known is not None and whole is not None and known == whole:
        return part
    zero = array_ops.zeros_like(part[..., :1])
    return array_ops.concat([part, zero] if is_above else [zero, part], -1)


def tridiagonal_solve(diagonals, rhs, diagonals_format='compact', transpose_rhs=False, conjugate_rhs=False, name=None,
                      partial_pivoting=True):
    diagonals = _compact(diagonals, diagonals_format)
    if transpose_rhs or conjugate_rhs:
        rhs = convert_to_tensor(rhs)
        is_vector = rhs.get_shape().ndims == diagonals.get_shape().ndims - 1
        rhs = array_ops.matrix_transpose(rhs) if transpose_rhs and not is_vector else rhs
        rhs = math_ops.conj(rhs) if conjugate_rhs else rhs
    vector = convert_to_tensor(rhs).get_shape().ndims == convert_to_tensor(diagonals).get_shape().ndims - 1
    made = _ops.tridiagonal_solve(diagonals, array_ops.expand_dims(rhs, -1) if vector else rhs, partial_pivoting, name)
    return array_ops.squeeze(made, [-1]) if vector else made


# ---- einsum ----

def einsum(equation, *inputs, **kwargs):
    name = kwargs.pop('name', None)
    if kwargs:
        raise TypeError('invalid keyword arguments for this function: ' + ', '.join(sorted(kwargs)))
    equation = equation.replace(' ', '')
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)):
        inputs = inputs[0]
    tensors = [convert_to_tensor(item) for item in inputs]
    left, arrow, right = equation.partition('->')
    if not arrow:
        letters = [c for c in left if c.isalpha()]
        right = ('...' if '...' in left else '') + ''.join(sorted(c for c in set(letters) if letters.count(c) == 1))
    terms = left.split(',')
    if len(terms) != len(tensors):
        raise ValueError('Got %d arguments for equation "%s", expecting %d' % (len(tensors), equation, len(terms)))
    with name_scope(name, 'einsum', tensors):
        while len(tensors) > 2:
            first, second = terms[0], terms[1]
            others = set(''.join(terms[2:])) | set(right)
            kept = ''.join(dict.fromkeys(c for c in first + second if c in others and c.isalpha()))
            kept = ('...' if '...' in first + second else '') + kept
            tensors = [_ops.einsum(tensors[:2], '%s,%s->%s' % (first, second, kept))] + tensors[2:]
            terms = [kept] + terms[2:]
        return _ops.einsum(tensors, ','.join(terms) + '->' + right)


# ---- Fourier transforms ----

def _length(tensor, fft_length, count):
    if fft_length is None:
        return array_ops.shape(tensor)[-count:]
    return convert_to_tensor(fft_length, dtypes.int32)


def _real_transform(act, count):
    def transform(input_tensor, fft_length=None, name=None):
        with name_scope(name, act, [input_tensor]) as name:
            tensor = convert_to_tensor(input_tensor, dtypes.float32)
            length = _length(tensor, fft_length, count)
            return getattr(_ops, act)(_fitted(tensor, length, count), length, name=name)
    return transform


def _inverse_transform(act, count):
    def transform(input_tensor, fft_length=None, name=None):
        with name_scope(name, act, [input_tensor]) as name:
            tensor = convert_to_tensor(input_tensor, dtypes.complex64)
            if fft_length is None:
                shape = array_ops.shape(tensor)[-count:]
                last = math_ops.maximum(0, 2 * (shape[-1:] - 1))
                fft_length = array_ops.concat([shape[:-1], last], 0)
            length = convert_to_tensor(fft_length, dtypes.int32)
            bins = array_ops.concat([length[:-1], length[-1:] // 2 + 1], 0)
            return getattr(_ops, act)(_fitted(tensor, bins, count), length, name=name)
    return transform


def _fitted(tensor, length, count):
    """Zeros after the last values where a transform is longer than its input."""
    shape = array_ops.shape(tensor)[-count:]
    more = math_ops.maximum(0, length - shape)
    rank = tensor.get_shape().ndims
    pads = array_ops.concat([array_ops.zeros([rank - count, 2], dtypes.int32),
                             array_ops.stack([array_ops.zeros_like(more), more], 1)], 0)
    out = array_ops.pad(tensor, pads)
    out.set_shape([None] * rank)
    return out


rfft, rfft2d, rfft3d = (_real_transform(act, n) for act, n in (('rfft', 1), ('rfft2d', 2), ('rfft3d', 3)))
irfft, irfft2d, irfft3d = (_inverse_transform(act, n) for act, n in (('irfft', 1), ('irfft2d', 2), ('irfft3d', 3)))


matrix_exponential = expm


def lbeta(x, name=None):
    """The logarithm of the beta function of the last axis: the sum of lgamma, less lgamma of the sum."""
    with name_scope(name, 'lbeta', [x]):
        x = convert_to_tensor(x, name='x')
        return math_ops.reduce_sum(_ops.lgamma(x), -1) - _ops.lgamma(math_ops.reduce_sum(x, -1))
