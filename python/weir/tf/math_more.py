"""Functions of tf.math and tf.linalg that few programs use."""
import numpy as np

from . import _ops, array_ops, dtypes, linalg_ops, math_ops
from .convert import convert_to_tensor
from .scopes import name_scope


def angle(input, name=None):
    """The argument of complex numbers; 0 or pi for real ones."""
    with name_scope(name, 'Angle', [input]) as scope:
        input = convert_to_tensor(input, name='input')
        if input.dtype.is_complex:
            return _ops.angle(input, Tout=input.dtype.real_dtype, name=scope)
        return array_ops.zeros_like(input)


def bessel_i0(x, name=None):
    with name_scope(name, 'bessel_i0', [x]):
        return math_ops.exp(math_ops.abs(x)) * _ops.bessel_i0e(x)


def bessel_i1(x, name=None):
    with name_scope(name, 'bessel_i1', [x]):
        return math_ops.exp(math_ops.abs(x)) * _ops.bessel_i1e(x)


def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
    with name_scope(name, 'CumulativeLogsumexp', [x]) as scope:
        x = convert_to_tensor(x, name='x')
        return _ops.cumulative_logsumexp(x, axis, exclusive=exclusive, reverse=reverse, name=scope)


def polyval(coeffs, x, name=None):
    """The polynomial with these coefficients, the highest power first."""
    if not isinstance(coeffs, (list, tuple)):
        raise ValueError('Argument coeffs must be list type found %s.' % type(coeffs))
    with name_scope(name, 'polyval', [x] + list(coeffs)):
        x = convert_to_tensor(x, name='x')
        if not coeffs:
            return array_ops.zeros_like(x, name=name)
        coeffs = [convert_to_tensor(coeff, name='coeff_%d' % i) for i, coeff in enumerate(coeffs)]
        made = coeffs[0]
        for coeff in coeffs[1:]:
            made = coeff + made * x
        return made


def normalize(tensor, ord='euclidean', axis=None, name=None):
    """(tensor / norm, norm)."""
    with name_scope(name, 'normalize', [tensor]):
        tensor = convert_to_tensor(tensor)
        norm = math_ops.cast(linalg_ops.norm(tensor, ord, axis, keepdims=True), tensor.dtype)
        return tensor / norm, norm


def matrix_rank(a, tol=None, validate_args=False, name=None):
    """The number of singular values above `tol`."""
    with name_scope(name, 'matrix_rank', [a]):
        a = convert_to_tensor(a, dtype_hint=dtypes.float32, name='a')
        values = linalg_ops.svd(a, compute_uv=False)
        if tol is None:
            largest = math_ops.reduce_max(values, axis=-1, keepdims=True)
            sides = math_ops.reduce_max(array_ops.shape(a)[-2:])
            tol = np.finfo(a.dtype.real_dtype.as_numpy_dtype).eps * math_ops.cast(sides, largest.dtype) * largest
        return math_ops.reduce_sum(math_ops.cast(values > tol, dtypes.int32), axis=-1)


def pinv(a, rcond=None, validate_args=False, name=None):
    """The Moore-Penrose inverse of matrices."""
    with name_scope(name or 'pinv', None, [a]):
        a = convert_to_tensor(a, name='a')
        if not a.dtype.is_floating:
            raise TypeError('Input `a` must have `float`-like `dtype` (saw `%s`).' % a.dtype.name)
        if a.shape.ndims is not None and a.shape.ndims < 2:
            raise ValueError('Input `a` must have at least 2 dimensions (saw: %d).' % a.shape.ndims)
        if rcond is None:
            sides = math_ops.cast(math_ops.reduce_max(array_ops.shape(a)[-2:]), a.dtype)
            rcond = 10. * sides * np.finfo(a.dtype.as_numpy_dtype).eps
        rcond = convert_to_tensor(rcond, dtype=a.dtype, name='rcond')
        s, u, v = linalg_ops.svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * math_ops.reduce_max(s, axis=-1)
        s = array_ops.where(s > array_ops.expand_dims(cutoff, -1) + array_ops.zeros_like(s), s,
                            array_ops.fill(array_ops.shape(s), np.array(np.inf, a.dtype.as_numpy_dtype)))
        made = math_ops.matmul(v / array_ops.expand_dims(s, -2), u, adjoint_b=True)
        if a.shape.ndims is not None:
            sizes = a.shape.as_list()
            made.set_shape(sizes[:-2] + [sizes[-1], sizes[-2]])
        return made


def tridiagonal_matmul(diagonals, rhs, diagonals_format='compact', name=None):
    """A matrix of three diagonals times `rhs`."""
    with name_scope(name or 'tridiagonal_matmul', None, [diagonals, rhs]):
        if diagonals_format == 'compact':
            upper, main, lower = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
        elif diagonals_format == 'sequence':
            upper, main, lower = diagonals
        elif diagonals_format == 'matrix':
            main = array_ops.matrix_diag_part(diagonals)
            zero = array_ops.zeros_like(main[..., :1])
            upper = array_ops.concat([array_ops.matrix_diag_part(diagonals[..., :-1, 1:]), zero], -1)
            lower = array_ops.concat([zero, array_ops.matrix_diag_part(diagonals[..., 1:, :-1])], -1)
        else:
            raise ValueError('Unrecognized diagonals_format: %s' % diagonals_format)
        upper, main, lower = (array_ops.expand_dims(convert_to_tensor(part), -2) for part in (upper, main, lower))
        return _ops.tridiagonal_mat_mul(upper, main, lower, rhs)


def fftshift(x, axes=None, name=None):
    """The zero frequency moved to the middle."""
    return _shifted(x, axes, name, 'fftshift', lambda size: size // 2)


def ifftshift(x, axes=None, name=None):
    return _shifted(x, axes, name, 'ifftshift', lambda size: -(size // 2))


def _shifted(x, axes, name, label, distance):
    with name_scope(name, label, [x]):
        x = convert_to_tensor(x)
        if axes is None:
            axes = tuple(range(x.shape.ndims))
        shape = array_ops.shape(x)
        if isinstance(axes, int):
            return array_ops.roll(x, distance(shape[axes]), axes)
        return array_ops.roll(x, array_ops.stack([distance(shape[axis]) for axis in axes]), list(axes))
