"""Convolution kernels that keep norms: products of small orthogonal kernels (Xiao et al., 2018)."""
from . import array_ops, dtypes, linalg_ops, math_ops, random_ops
from .init_ops import Initializer, Orthogonal
from ._ops import qr


def _floating(dtype):
    dtype = dtypes.as_dtype(dtype)
    if not dtype.is_floating:
        raise ValueError('Expected floating point type, got %s.' % dtype)
    return dtype


class ConvolutionDeltaOrthogonal(Initializer):
    """Zeros, with an orthogonal matrix at the centre."""

    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.dtype, self.seed = gain, _floating(dtype), seed

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtypes.as_dtype(dtype or self.dtype)
        shape = [int(size) for size in shape]
        if not 3 <= len(shape) <= 5:
            raise ValueError('The tensor to initialize must be at least three-dimensional and at most five-dimensional')
        _check_filters(shape)
        matrix = Orthogonal(1.0, self.seed, dtype)([shape[-1], shape[-1]], dtype)[:shape[-2], :] * _root(self.gain, dtype)
        middle = tuple((size - 1) // 2 for size in shape[:-2])
        return array_ops.scatter_nd([list(middle)], array_ops.expand_dims(matrix, 0), shape)


def _check_filters(shape):
    if shape[-2] > shape[-1]:
        raise ValueError('In_filters cannot be greater than out_filters.')


def _root(gain, dtype):
    return math_ops.cast(gain, dtype)


class _Blocks(Initializer):
    """A kernel of blocks: those of size 2 are convolved until the kernel has its size."""
    rank = 0

    def __init__(self, gain=1.0, seed=None, dtype=dtypes.float32):
        self.gain, self.dtype, self.seed = gain, _floating(dtype), seed

    def __call__(self, shape, dtype=None, partition_info=None):
        dtype = dtypes.as_dtype(dtype or self.dtype)
        shape = [int(size) for size in shape]
        if len(shape) != self.rank + 2:
            raise ValueError('The tensor to initialize must be %s-dimensional' % {1: 'three', 2: 'four', 3: 'five'}[self.rank])
        _check_filters(shape)
        if len(set(shape[:-2])) > 1:
            raise ValueError('Kernel sizes must be equal.')
        kernel = self._kernel(shape[0], shape[-1], dtype)
        start = self._orthogonal(shape[-1], dtype)[:shape[-2], :]
        return _apply(start, kernel, self.rank) * _root(self.gain, dtype)

    def _orthogonal(self, n, dtype):
        a = random_ops.random_normal([n, n], dtype=dtype, seed=self._next_seed())
        q, r = qr(a)
        return q * math_ops.sign(array_ops.matrix_diag_part(r))

    def _next_seed(self):
        seed, self.seed = self.seed, None if self.seed is None else self.seed + 1
        return seed

    def _projection(self, n, dtype):
        q = self._orthogonal(n, dtype)
        mask = math_ops.cast(random_ops.random_normal([n], seed=self._next_seed()) > 0, dtype)
        c = q * mask
        return math_ops.matmul(c, c, transpose_b=True)

    def _pair(self, n, dtype):
        """Kernel of size 2 in every dimension, as {position: matrix}."""
        eye = linalg_ops.eye(n, dtype=dtype)
        found = {(): eye}
        for _ in range(self.rank):
            p = self._projection(n, dtype)
            found = {key + (bit,): math_ops.matmul(matrix, p if bit == 0 else eye - p) for key, matrix in found.items() for bit in (0, 1)}
        return found

    def _kernel(self, size, n, dtype):
        before = self.seed
        blocks = {(0,) * self.rank: linalg_ops.eye(n, dtype=dtype)}
        for _ in range(size - 1):
            blocks = _convolve(blocks, self._pair(n, dtype))
        self.seed = before
        return blocks, size


def _convolve(left, right):
    sums = {}
    for key, matrix in left.items():
        for other, value in right.items():
            at = tuple(a + b for a, b in zip(key, other))
            sums.setdefault(at, []).append(math_ops.matmul(matrix, value))
    return {at: math_ops.add_n(items) for at, items in sums.items()}


def _apply(start, kernel, rank):
    blocks, size = kernel

    def build(key):
        if len(key) == rank:
            return math_ops.matmul(start, blocks[key])
        return array_ops.stack([build(key + (i,)) for i in range(size)])
    return build(())


class ConvolutionOrthogonal1D(_Blocks):
    rank = 1


class ConvolutionOrthogonal2D(_Blocks):
    rank = 2


class ConvolutionOrthogonal3D(_Blocks):
    rank = 3
