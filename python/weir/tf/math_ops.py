"""Arithmetic, comparison and reduction."""
import numpy as np

from . import _ops, dtypes
from .build import apply
from .convert import convert_to_tensor
from .graph import get_default_graph
from .scopes import name_scope
from .sparse_tensor import SparseTensor
from .tensor import IndexedSlices, Tensor

# ---- operators of tensors ----


def _unary(op_type):
    def act(x, name=None):
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, apply(op_type, name, (x.values,), {}).outputs[0], x.dense_shape)
        return apply(op_type, name, (x,), {}).outputs[0]
    act.__name__ = act.__qualname__ = op_type.lower()
    return act


def _binary(op_type):
    def act(x, y, name=None):
        return apply(op_type, name, (x, y), {}).outputs[0]
    act.__name__ = act.__qualname__ = op_type.lower()
    return act


square, sqrt, rsqrt, exp, expm1 = (_unary(op) for op in ('Square', 'Sqrt', 'Rsqrt', 'Exp', 'Expm1'))
log, log1p, sin, cos, tan = (_unary(op) for op in ('Log', 'Log1p', 'Sin', 'Cos', 'Tan'))
asin, acos, atan, sinh, cosh = (_unary(op) for op in ('Asin', 'Acos', 'Atan', 'Sinh', 'Cosh'))
asinh, acosh, atanh, tanh = (_unary(op) for op in ('Asinh', 'Acosh', 'Atanh', 'Tanh'))
ceil, floor, rint, sign = (_unary(op) for op in ('Ceil', 'Floor', 'Rint', 'Sign'))
erf, erfc, lgamma, digamma, reciprocal = (_unary(op) for op in ('Erf', 'Erfc', 'Lgamma', 'Digamma', 'Reciprocal'))
is_nan, is_inf, is_finite, logical_not, negative = (_unary(op) for op in ('IsNan', 'IsInf', 'IsFinite', 'LogicalNot', 'Neg'))
invert = _unary('Invert')
bessel_i0e, bessel_i1e, ndtri, erfinv = (_unary(op) for op in ('BesselI0e', 'BesselI1e', 'Ndtri', 'Erfinv'))

add, subtract, multiply, maximum, minimum = (_binary(op) for op in ('Add', 'Sub', 'Mul', 'Maximum', 'Minimum'))
squared_difference, real_div, truncatediv = (_binary(op) for op in ('SquaredDifference', 'RealDiv', 'TruncateDiv'))
floormod, truncatemod, floor_div = (_binary(op) for op in ('FloorMod', 'TruncateMod', 'FloorDiv'))
atan2, igamma, igammac, zeta, polygamma = _ops.atan2, _ops.igamma, _ops.igammac, _ops.zeta, _ops.polygamma
greater, greater_equal, less, less_equal = (_binary(op) for op in ('Greater', 'GreaterEqual', 'Less', 'LessEqual'))
logical_and, logical_or = (_binary(op) for op in ('LogicalAnd', 'LogicalOr'))
xdivy, xlogy = (_binary(op) for op in ('Xdivy', 'Xlogy'))
cross, add_v2 = _ops.cross, _binary('AddV2')
mod = floormod
neg = negative
sub, mul = subtract, multiply


def div_no_nan(x, y, name=None):
    """x / y, and 0 where y is 0."""
    with name_scope(name, 'div_no_nan', [x, y]) as scope:
        x, y = _promoted(x, y)
        return apply('DivNoNan', scope, (x, y), {}).outputs[0]


def equal(x, y, name=None):
    return apply('Equal', name, (x, y), {}).outputs[0]


def not_equal(x, y, name=None):
    return apply('NotEqual', name, (x, y), {}).outputs[0]


def logical_xor(x, y, name='LogicalXor'):
    with name_scope(name, 'LogicalXor', [x, y]) as scope:
        return logical_and(logical_or(x, y), logical_not(logical_and(x, y)), name=scope)


def betainc(a, b, x, name=None):
    return _ops.betainc(a, b, x, name=name)


def sigmoid(x, name=None):
    with name_scope(name, 'Sigmoid', [x]) as scope:
        return _ops.sigmoid(convert_to_tensor(x, name='x'), name=scope)


def log_sigmoid(x, name=None):
    with name_scope(name, 'LogSigmoid', [x]) as scope:
        return negative(_ops.softplus(-convert_to_tensor(x, name='x')), name=scope)


def abs(x, name=None):
    if isinstance(x, SparseTensor):
        return SparseTensor(x.indices, abs(x.values, name), x.dense_shape)
    with name_scope(name, 'Abs', [x]) as scope:
        x = convert_to_tensor(x, name='x')
        if x.dtype.is_complex:
            return _ops.complex_abs(x, Tout=x.dtype.base_dtype.real_dtype, name=scope)
        return apply('Abs', scope, (x,), {}).outputs[0]


def round(x, name=None):
    x = convert_to_tensor(x, name='x')
    return x if x.dtype.is_integer else apply('Round', name, (x,), {}).outputs[0]


def pow(x, y, name=None):
    with name_scope(name, 'Pow', [x]) as scope:
        return apply('Pow', scope, (x, y), {}).outputs[0]


def _promoted(x, y):
    x = convert_to_tensor(x, name='x')
    return x, convert_to_tensor(y, dtype=x.dtype.base_dtype, name='y')


_FLOAT_OF = {dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32, dtypes.uint16: dtypes.float32,
             dtypes.int16: dtypes.float32, dtypes.int32: dtypes.float64, dtypes.int64: dtypes.float64}


def truediv(x, y, name=None):
    with name_scope(name, 'truediv', [x, y]) as scope:
        x = convert_to_tensor(x, name='x')
        y = convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name='y')
        if x.dtype.base_dtype != y.dtype.base_dtype:
            raise TypeError('x and y must have the same dtype, got %r != %r' % (x.dtype.base_dtype, y.dtype.base_dtype))
        wide = _FLOAT_OF.get(x.dtype.base_dtype)
        if wide is not None:
            x, y = cast(x, wide), cast(y, wide)
        return apply('RealDiv', scope, (x, y), {}).outputs[0]


def divide(x, y, name=None):
    if name is not None:
        return truediv(x, y, name)
    return x / y


def div(x, y, name=None):
    with name_scope(name, 'div', [x, y]) as scope:
        x, y = _promoted(x, y)
        kind = 'RealDiv' if x.dtype.is_floating or x.dtype.is_complex else 'FloorDiv'
        return apply(kind, scope, (x, y), {}).outputs[0]


def floordiv(x, y, name=None):
    with name_scope(name, 'floordiv', [x, y]) as scope:
        return apply('FloorDiv', scope, (x, y), {}).outputs[0]


def _matmul_operator(x, y, name):
    return matmul(x, y, name=name)


def _plain(op_type):
    return lambda x, y, name: apply(op_type, name, (x, y), {}).outputs[0]


_OPERATORS = {'add': _plain('AddV2'), 'sub': _plain('Sub'), 'mul': _plain('Mul'), 'truediv': truediv, 'div': div,
              'floordiv': _plain('FloorDiv'), 'mod': _plain('FloorMod'), 'pow': _plain('Pow'), 'matmul': _matmul_operator,
              'and': _plain('LogicalAnd'), 'or': _plain('LogicalOr'), 'xor': lambda x, y, name: logical_xor(x, y, name)}
_STRING_OPERATORS = {'add': _plain('Add')}
_SCOPES = {'and': 'and', 'or': 'or', 'xor': 'xor', 'matmul': 'matmul'}


def _graph_for(tensor):
    """The graph of an operator's node: a tensor from outside of a function's body is captured there."""
    default = get_default_graph()
    return default if default._building_function else tensor._op._graph


def operate(kind, x, y):
    """x + y and the others, where x is a tensor."""
    graph = _graph_for(x)
    with graph.name_scope(_SCOPES.get(kind, kind)) as scope:
        if not isinstance(y, (Tensor, SparseTensor)):
            if isinstance(y, IndexedSlices) or not hasattr(y, '_AsTensor'):
                with graph.as_default():
                    try:
                        y = convert_to_tensor(y, x._dtype.base_dtype, 'y')
                    except (TypeError, ValueError):
                        if hasattr(type(y), '__r%s__' % kind) and not isinstance(y, (int, float, list, tuple, np.ndarray, str)):
                            return NotImplemented
                        raise
        elif isinstance(y, SparseTensor):
            return NotImplemented
        table = _STRING_OPERATORS if x._dtype.base_dtype == dtypes.string and kind in _STRING_OPERATORS else _OPERATORS
        return table[kind](x, y, scope)


def operate_right(kind, y, x):
    """x + y and the others, where only y is a tensor."""
    graph = _graph_for(y)
    with graph.name_scope(_SCOPES.get(kind, kind)) as scope, graph.as_default():
        x = convert_to_tensor(x, y._dtype.base_dtype, 'x')
        table = _STRING_OPERATORS if y._dtype.base_dtype == dtypes.string and kind in _STRING_OPERATORS else _OPERATORS
        return table[kind](x, y, scope)


# ---- types ----

def cast(x, dtype, name=None):
    base = dtypes.as_dtype(dtype).base_dtype
    if isinstance(x, Tensor) and base == x.dtype.base_dtype and not x.dtype._is_ref_dtype:
        return x
    with name_scope(name, 'Cast', [x]) as scope:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, cast(x.values, base, name=scope), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, base, name=scope), x.indices, x.dense_shape)
        x = convert_to_tensor(x, name='x')
        if x.dtype.base_dtype == base:
            return x
        return _ops.cast(x, base, name=scope)


def saturate_cast(value, dtype, name=None):
    with name_scope(name, 'saturate_cast', [value]) as scope:
        value = convert_to_tensor(value, name='value')
        dtype = dtypes.as_dtype(dtype).base_dtype
        if value.dtype.min < dtype.min:
            value = maximum(value, convert_to_tensor(dtype.min, dtype=value.dtype, name='min'))
        if value.dtype.max > dtype.max:
            value = minimum(value, convert_to_tensor(dtype.max, dtype=value.dtype, name='max'))
        return cast(value, dtype, name=scope)


def to_float(x, name='ToFloat'):
    return cast(x, dtypes.float32, name=name)


def to_double(x, name='ToDouble'):
    return cast(x, dtypes.float64, name=name)


def to_int32(x, name='ToInt32'):
    return cast(x, dtypes.int32, name=name)


def to_int64(x, name='ToInt64'):
    return cast(x, dtypes.int64, name=name)


def to_bfloat16(x, name='ToBFloat16'):
    return cast(x, dtypes.bfloat16, name=name)


def to_complex64(x, name='ToComplex64'):
    return cast(x, dtypes.complex64, name=name)


def to_complex128(x, name='ToComplex128'):
    return cast(x, dtypes.complex128, name=name)


def complex(real, imag, name=None):
    real = convert_to_tensor(real, name='real')
    imag = convert_to_tensor(imag, name='imag')
    with name_scope(name, 'Complex', [real, imag]) as scope:
        wide = dtypes.complex128 if real.dtype.base_dtype == dtypes.float64 else dtypes.complex64
        return _ops.complex(real, imag, Tout=wide, name=scope)


def real(input, name=None):
    with name_scope(name, 'Real', [input]) as scope:
        return _ops.real(input, Tout=input.dtype.real_dtype, name=scope) if input.dtype.is_complex else input


def imag(input, name=None):
    with name_scope(name, 'Imag', [input]) as scope:
        if input.dtype.is_complex:
            return _ops.imag(input, Tout=input.dtype.real_dtype, name=scope)
        from .array_ops import zeros_like
        return zeros_like(input)


def conj(x, name=None):
    if isinstance(x, Tensor) and (x.dtype.is_floating or x.dtype.is_integer):
        return x
    with name_scope(name, 'Conj', [x]) as scope:
        x = convert_to_tensor(x, name='x')
        if x.dtype.is_complex or x.dtype == dtypes.variant:
            return _ops.conj(x, name=scope)
        if x.dtype.is_floating or x.dtype.is_integer:
            return x
        raise TypeError('Expected numeric or variant tensor, got dtype %r' % x.dtype)


# ---- products ----

def matmul(a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, a_is_sparse=False,
           b_is_sparse=False, name=None):
    with name_scope(name, 'MatMul', [a, b]) as scope:
        if transpose_a and adjoint_a:
            raise ValueError('Only one of transpose_a and adjoint_a can be True.')
        if transpose_b and adjoint_b:
            raise ValueError('Only one of transpose_b and adjoint_b can be True.')
        a = convert_to_tensor(a, name='a')
        b = convert_to_tensor(b, name='b')
        ranks = a._rank(), b._rank()
        if (ranks[0] is None or ranks[0] > 2) and (ranks[1] is None or ranks[1] > 2):
            if transpose_a:
                a, adjoint_a = conj(a), True
            if transpose_b:
                b, adjoint_b = conj(b), True
            return _ops.batch_mat_mul_v2(a, b, adj_x=adjoint_a, adj_y=adjoint_b, name=scope)
        if adjoint_a:
            a, transpose_a = conj(a), True
        if adjoint_b:
            b, transpose_b = conj(b), True
        sparse = (dtypes.bfloat16, dtypes.float32)
        if (a_is_sparse or b_is_sparse) and a.dtype.base_dtype in sparse and b.dtype.base_dtype in sparse:
            return _ops.sparse_mat_mul(a, b, transpose_a, transpose_b, a_is_sparse, b_is_sparse, name=scope)
        return apply('MatMul', scope, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b}).outputs[0]


def matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None):
    from .array_ops import expand_dims, squeeze
    with name_scope(name, 'MatVec', [a, b]) as scope:
        out = matmul(a, expand_dims(b, axis=-1), transpose_a=transpose_a, adjoint_a=adjoint_a, a_is_sparse=a_is_sparse,
                     b_is_sparse=b_is_sparse)
        return squeeze(out, axis=-1, name=scope)


batch_matmul = _ops.batch_mat_mul
sparse_matmul = _ops.sparse_mat_mul


def tensordot(a, b, axes, name=None):
    from . import tensordot_ops
    return tensordot_ops.tensordot(a, b, axes, name)


def add_n(inputs, name=None):
    if not inputs or not isinstance(inputs, (list, tuple)):
        if not hasattr(inputs, '__iter__') or isinstance(inputs, Tensor):
            raise ValueError('inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape')
        inputs = list(inputs)
        if not inputs:
            raise ValueError('inputs must be a list of at least one Tensor/IndexedSlices with the same dtype and shape')
    inputs = [convert_to_tensor(item) for item in inputs]
    if len(inputs) == 1:
        if name:
            return _ops.identity(inputs[0], name=name)
        return inputs[0]
    return apply('AddN', name, (inputs,), {}).outputs[0]


def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None):
    from .shapes import as_shape
    inputs = [convert_to_tensor(item) for item in inputs]
    if len(inputs) == 1 and name is None:
        return inputs[0]
    whole = as_shape(shape) if shape is not None else inputs[0].get_shape()
    for item in inputs:
        whole = whole.merge_with(item.get_shape())
    if len(inputs) == 1:
        return _ops.identity(inputs[0], name=name)
    return add_n(inputs, name=name)


def scalar_mul(scalar, x, name=None):
    scalar = convert_to_tensor(scalar, dtype=x.dtype.base_dtype, name='scalar')
    if scalar._rank() != 0:
        raise ValueError('Only scalar multiply works, got shape %s' % scalar.get_shape())
    if isinstance(x, IndexedSlices):
        return IndexedSlices(apply('Mul', name, (scalar, x.values), {}).outputs[0], x.indices, x.dense_shape)
    return apply('Mul', name, (scalar, x), {}).outputs[0]


def cumsum(x, axis=0, exclusive=False, reverse=False, name=None):
    with name_scope(name, 'Cumsum', [x]) as scope:
        return _ops.cumsum(convert_to_tensor(x, name='x'), axis, exclusive=exclusive, reverse=reverse, name=scope)


def cumprod(x, axis=0, exclusive=False, reverse=False, name=None):
    with name_scope(name, 'Cumprod', [x]) as scope:
        return _ops.cumprod(convert_to_tensor(x, name='x'), axis, exclusive=exclusive, reverse=reverse, name=scope)


def range(start, limit=None, delta=1, dtype=None, name='range'):
    if limit is None:
        start, limit = 0, start
    with name_scope(name, 'Range', [start, limit, delta]) as scope:
        start, limit, delta = (convert_to_tensor(item, dtype=dtype, name=word)
                               for item, word in ((start, 'start'), (limit, 'limit'), (delta, 'delta')))
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            wide = max((item.dtype.base_dtype for item in (start, limit, delta)), key=order.index)
            start, limit, delta = (cast(item, wide) for item in (start, limit, delta))
        return apply('Range', scope, (start, limit, delta), {}).outputs[0]


def linspace(start, stop, num, name=None):
    return apply('LinSpace', name, (start, stop, num), {}).outputs[0]


lin_space = linspace


def bincount(arr, weights=None, minlength=None, maxlength=None, dtype=dtypes.int32):
    with name_scope(None, 'bincount'):
        arr = convert_to_tensor(arr, name='arr', dtype=dtypes.int32)
        size = cast(reduce_prod(_ops.shape(arr)) > 0, dtypes.int32) * (reduce_max(arr) + 1)
        if minlength is not None:
            size = maximum(convert_to_tensor(minlength, dtypes.int32, 'minlength'), size)
        if maxlength is not None:
            size = minimum(convert_to_tensor(maxlength, dtypes.int32, 'maxlength'), size)
        weights = [] if weights is None else convert_to_tensor(weights, name='weights')
        return _ops.bincount(arr, size, convert_to_tensor(weights, dtype if isinstance(weights, list) else None))


# ---- segments ----

segment_sum, segment_mean, segment_prod = _ops.segment_sum, _ops.segment_mean, _ops.segment_prod
segment_max, segment_min = _ops.segment_max, _ops.segment_min
unsorted_segment_sum, unsorted_segment_prod = _ops.unsorted_segment_sum, _ops.unsorted_segment_prod
unsorted_segment_max, unsorted_segment_min = _ops.unsorted_segment_max, _ops.unsorted_segment_min


def unsorted_segment_mean(data, segment_ids, num_segments, name=None):
    with name_scope(name, 'UnsortedSegmentMean'):
        data = convert_to_tensor(data)
        counts = _segment_counts(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / counts


def unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None):
    with name_scope(name, 'UnsortedSegmentSqrtN'):
        data = convert_to_tensor(data)
        counts = _segment_counts(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / sqrt(counts)


def _segment_counts(data, segment_ids, num_segments):
    from .array_ops import concat, ones, reshape, shape
    segment_ids = convert_to_tensor(segment_ids)
    counts = unsorted_segment_sum(ones(shape(segment_ids), data.dtype.base_dtype), segment_ids, num_segments)
    ones_behind = [1] * (data._rank() - segment_ids._rank())
    return maximum(reshape(counts, concat([[num_segments], ones_behind], 0)), 1)


from .reduce_ops import *  # noqa: E402,F401,F403
from .reduce_ops import reduce_max, reduce_prod  # noqa: E402
