"""Ops: math, risc. Written by tools/python_ops."""
from .. import dtypes
from ..graph import apply

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'RiscAbs': 'x:T|y:T|T:t|0',
    'RiscAdd': 'x:T y:T|z:T|T:t|0',
    'RiscBinaryArithmetic': 'x:T y:T|z:T|op_type:s T:t|0',
    'RiscBinaryComparison': 'x:T y:T|z:10|op_type:s T:t|0',
    'RiscBitcast': 'x:SrcT|y:DstT|SrcT:t DstT:t|0',
    'RiscBroadcast': 'input:T shape:Tidx|output:T|T:t Tidx:t=3|0',
    'RiscCast': 'x:SrcT|y:DstT|SrcT:t DstT:t|0',
    'RiscCeil': 'x:T|y:T|T:t|0',
    'RiscCholesky': 'input:T|output:T|T:t|0',
    'RiscConcat': 'values:N*T axis:Tidx|output:T|N:i T:t Tidx:t=3|0',
    'RiscConv': 'input:T filter:T|output:T|T:t strides:[i data_format:s dilations:[i|0',
    'RiscCos': 'x:T|y:T|T:t|0',
    'RiscDiv': 'x:T y:T|z:T|T:t|0',
    'RiscDot': 'a:T b:T|product:T|transpose_a:b transpose_b:b T:t|0',
    'RiscExp': 'x:T|y:T|T:t|0',
    'RiscFft': 'input:Tcomplex|output:Tcomplex|Tcomplex:t=8|0',
    'RiscFloor': 'x:T|y:T|T:t|0',
    'RiscGather': 'params:Tparams indices:Tindices axis:Taxis|output:Tparams|batch_dims:i Tparams:t Tindices:t Taxis:t|0',
    'RiscImag': 'input:T|output:Tout|T:t=8 Tout:t=1|0',
    'RiscIsFinite': 'x:T|y:10|T:t|0',
    'RiscLog': 'x:T|y:T|T:t|0',
    'RiscLogicalAnd': 'x:10 y:10|z:10||0',
    'RiscLogicalNot': 'x:10|z:10||0',
    'RiscLogicalOr': 'x:10 y:10|z:10||0',
    'RiscMax': 'x:T y:T|max:T|T:t|0',
    'RiscMin': 'x:T y:T|z:T|T:t|0',
    'RiscMul': 'x:T y:T|z:T|T:t|0',
    'RiscNeg': 'x:T|y:T|T:t|0',
    'RiscPad': 'input:T paddings:Tpaddings constant_values:T|output:T|T:t Tpaddings:t=3|0',
    'RiscPool': 'value:T|output:T|ksize:[i strides:[i pooling_type:s data_format:s T:t|0',
    'RiscPow': 'x:T y:T|z:T|T:t|0',
    'RiscRandomUniform': 'shape:T|output:1|seed:i T:t|0',
    'RiscReal': 'input:T|output:Tout|T:t=8 Tout:t=1|0',
    'RiscReduce': 'tensor:T axis:Index|output:T|reduce_type:s Index:t=3 T:t|0',
    'RiscRem': 'x:T y:T|z:T|T:t|0',
    'RiscReshape': 'tensor:T shape:Tshape|output:T|T:t Tshape:t=3|0',
    'RiscReverse': 'tensor:T axis:Tidx|output:T|Tidx:t=3 T:t|0',
    'RiscScatter': 'indices:Tindices updates:T shape:Tindices|output:T|T:t Tindices:t|0',
    'RiscShape': 'input:T|output:out_type|T:t out_type:t=3|0',
    'RiscSign': 'x:T|y:T|T:t|0',
    'RiscSlice': 'input:T begin:Index size:Index|output:T|T:t Index:t|0',
    'RiscSqueeze': 'input:T|output:T|T:t squeeze_dims:[i|0',
    'RiscSub': 'x:T y:T|z:T|T:t|0',
    'RiscTranspose': 'x:T perm:Tperm|y:T|T:t Tperm:t=3|0',
    'RiscTriangularSolve': 'matrix:T rhs:T|output:T|lower:b adjoint:b T:t|0',
    'RiscUnary': 'x:T|y:T|op_type:s T:t|0',
}


def risc_abs(x, name=None):
    return apply('RiscAbs', name, (x,), {}).outputs[0]


def risc_add(x, y, name=None):
    return apply('RiscAdd', name, (x, y), {}).outputs[0]


def risc_binary_arithmetic(x, y, op_type, name=None):
    return apply('RiscBinaryArithmetic', name, (x, y), {'op_type': op_type}).outputs[0]


def risc_binary_comparison(x, y, op_type, name=None):
    return apply('RiscBinaryComparison', name, (x, y), {'op_type': op_type}).outputs[0]


def risc_bitcast(x, DstT, name=None):
    return apply('RiscBitcast', name, (x,), {'DstT': DstT}).outputs[0]


def risc_broadcast(input, shape, name=None):
    return apply('RiscBroadcast', name, (input, shape), {}).outputs[0]


def risc_cast(x, DstT, name=None):
    return apply('RiscCast', name, (x,), {'DstT': DstT}).outputs[0]


def risc_ceil(x, name=None):
    return apply('RiscCeil', name, (x,), {}).outputs[0]


def risc_cholesky(input, name=None):
    return apply('RiscCholesky', name, (input,), {}).outputs[0]


def risc_concat(values, axis, name=None):
    return apply('RiscConcat', name, (values, axis), {}).outputs[0]


def risc_conv(input, filter, strides, data_format='NHWC', dilations=[1, 1, 1, 1], name=None):
    return apply('RiscConv', name, (input, filter), {'strides': strides, 'data_format': data_format, 'dilations': dilations}).outputs[0]


def risc_cos(x, name=None):
    return apply('RiscCos', name, (x,), {}).outputs[0]


def risc_div(x, y, name=None):
    return apply('RiscDiv', name, (x, y), {}).outputs[0]


def risc_dot(a, b, transpose_a=False, transpose_b=False, name=None):
    return apply('RiscDot', name, (a, b), {'transpose_a': transpose_a, 'transpose_b': transpose_b}).outputs[0]


def risc_exp(x, name=None):
    return apply('RiscExp', name, (x,), {}).outputs[0]


def risc_fft(input, name=None):
    return apply('RiscFft', name, (input,), {}).outputs[0]


def risc_floor(x, name=None):
    return apply('RiscFloor', name, (x,), {}).outputs[0]


def risc_gather(params, indices, axis, batch_dims=0, name=None):
    return apply('RiscGather', name, (params, indices, axis), {'batch_dims': batch_dims}).outputs[0]


def risc_imag(input, Tout=dtypes.float32, name=None):
    return apply('RiscImag', name, (input,), {'Tout': Tout}).outputs[0]


def risc_is_finite(x, name=None):
    return apply('RiscIsFinite', name, (x,), {}).outputs[0]


def risc_log(x, name=None):
    return apply('RiscLog', name, (x,), {}).outputs[0]


def risc_logical_and(x, y, name=None):
    return apply('RiscLogicalAnd', name, (x, y), {}).outputs[0]


def risc_logical_not(x, name=None):
    return apply('RiscLogicalNot', name, (x,), {}).outputs[0]


def risc_logical_or(x, y, name=None):
    return apply('RiscLogicalOr', name, (x, y), {}).outputs[0]


def risc_max(x, y, name=None):
    return apply('RiscMax', name, (x, y), {}).outputs[0]


def risc_min(x, y, name=None):
    return apply('RiscMin', name, (x, y), {}).outputs[0]


def risc_mul(x, y, name=None):
    return apply('RiscMul', name, (x, y), {}).outputs[0]


def risc_neg(x, name=None):
    return apply('RiscNeg', name, (x,), {}).outputs[0]


def risc_pad(input, paddings, constant_values, name=None):
    return apply('RiscPad', name, (input, paddings, constant_values), {}).outputs[0]


def risc_pool(value, ksize, strides, pooling_type, data_format='NHWC', name=None):
    return apply('RiscPool', name, (value,), {'ksize': ksize, 'strides': strides, 'pooling_type': pooling_type, 'data_format': data_format}).outputs[0]


def risc_pow(x, y, name=None):
    return apply('RiscPow', name, (x, y), {}).outputs[0]


def risc_random_uniform(shape, seed=0, name=None):
    return apply('RiscRandomUniform', name, (shape,), {'seed': seed}).outputs[0]


def risc_real(input, Tout=dtypes.float32, name=None):
    return apply('RiscReal', name, (input,), {'Tout': Tout}).outputs[0]


def risc_reduce(tensor, axis, reduce_type, name=None):
    return apply('RiscReduce', name, (tensor, axis), {'reduce_type': reduce_type}).outputs[0]


def risc_rem(x, y, name=None):
    return apply('RiscRem', name, (x, y), {}).outputs[0]


def risc_reshape(tensor, shape, name=None):
    return apply('RiscReshape', name, (tensor, shape), {}).outputs[0]


def risc_reverse(tensor, axis, name=None):
    return apply('RiscReverse', name, (tensor, axis), {}).outputs[0]


def risc_scatter(indices, updates, shape, name=None):
    return apply('RiscScatter', name, (indices, updates, shape), {}).outputs[0]


def risc_shape(input, out_type=dtypes.int32, name=None):
    return apply('RiscShape', name, (input,), {'out_type': out_type}).outputs[0]


def risc_sign(x, name=None):
    return apply('RiscSign', name, (x,), {}).outputs[0]


def risc_slice(input, begin, size, name=None):
    return apply('RiscSlice', name, (input, begin, size), {}).outputs[0]


def risc_squeeze(input, squeeze_dims=[], name=None):
    return apply('RiscSqueeze', name, (input,), {'squeeze_dims': squeeze_dims}).outputs[0]


def risc_sub(x, y, name=None):
    return apply('RiscSub', name, (x, y), {}).outputs[0]


def risc_transpose(x, perm, name=None):
    return apply('RiscTranspose', name, (x, perm), {}).outputs[0]


def risc_triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None):
    return apply('RiscTriangularSolve', name, (matrix, rhs), {'lower': lower, 'adjoint': adjoint}).outputs[0]


def risc_unary(x, op_type, name=None):
    return apply('RiscUnary', name, (x,), {'op_type': op_type}).outputs[0]
