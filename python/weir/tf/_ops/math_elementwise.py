"""Ops: math, elementwise. Written by tools/python_ops."""
from ..graph import apply, results

SIGNATURES = {  # inputs|outputs|attrs|stateful
    'Abs': 'x:T|y:T|T:t|0',
    'Acos': 'x:T|y:T|T:t|0',
    'Acosh': 'x:T|y:T|T:t|0',
    'Add': 'x:T y:T|z:T|T:t|0',
    'AddV2': 'x:T y:T|z:T|T:t|0',
    'ApproximateEqual': 'x:T y:T|z:10|T:t tolerance:f|0',
    'Asin': 'x:T|y:T|T:t|0',
    'Asinh': 'x:T|y:T|T:t|0',
    'Atan': 'x:T|y:T|T:t|0',
    'Atan2': 'y:T x:T|z:T|T:t|0',
    'Atanh': 'x:T|y:T|T:t|0',
    'BitwiseAnd': 'x:T y:T|z:T|T:t|0',
    'BitwiseOr': 'x:T y:T|z:T|T:t|0',
    'BitwiseXor': 'x:T y:T|z:T|T:t|0',
    'BroadcastArgs': 's0:T s1:T|r0:T|T:t=3|0',
    'BroadcastGradientArgs': 's0:T s1:T|r0:T r1:T|T:t=3|0',
    'Cast': 'x:SrcT|y:DstT|SrcT:t DstT:t Truncate:b|0',
    'Ceil': 'x:T|y:T|T:t|0',
    'ClipByValue': 't:T clip_value_min:T clip_value_max:T|output:T|T:t|0',
    'Cos': 'x:T|y:T|T:t|0',
    'Cosh': 'x:T|y:T|T:t|0',
    'Cross': 'a:T b:T|product:T|T:t|0',
    'Div': 'x:T y:T|z:T|T:t|0',
    'DivNoNan': 'x:T y:T|z:T|T:t|0',
    'Equal': 'x:T y:T|z:10|T:t incompatible_shape_error:b|0',
    'Exp': 'x:T|y:T|T:t|0',
    'Expm1': 'x:T|y:T|T:t|0',
    'Floor': 'x:T|y:T|T:t|0',
    'FloorDiv': 'x:T y:T|z:T|T:t|0',
    'FloorMod': 'x:T y:T|z:T|T:t|0',
    'Greater': 'x:T y:T|z:10|T:t|0',
    'GreaterEqual': 'x:T y:T|z:10|T:t|0',
    'Inv': 'x:T|y:T|T:t|0',
    'InvGrad': 'y:T dy:T|z:T|T:t|0',
    'Invert': 'x:T|y:T|T:t|0',
    'IsFinite': 'x:T|y:10|T:t|0',
    'IsInf': 'x:T|y:10|T:t|0',
    'IsNan': 'x:T|y:10|T:t|0',
    'LeftShift': 'x:T y:T|z:T|T:t|0',
    'Less': 'x:T y:T|z:10|T:t|0',
    'LessEqual': 'x:T y:T|z:10|T:t|0',
    'Log': 'x:T|y:T|T:t|0',
    'Log1p': 'x:T|y:T|T:t|0',
    'LogicalAnd': 'x:10 y:10|z:10||0',
    'LogicalNot': 'x:10|y:10||0',
    'LogicalOr': 'x:10 y:10|z:10||0',
    'Maximum': 'x:T y:T|z:T|T:t|0',
    'Minimum': 'x:T y:T|z:T|T:t|0',
    'Mod': 'x:T y:T|z:T|T:t|0',
    'Mul': 'x:T y:T|z:T|T:t|0',
    'MulNoNan': 'x:T y:T|z:T|T:t|0',
    'Neg': 'x:T|y:T|T:t|0',
    'NextAfter': 'x1:T x2:T|output:T|T:t=1|0',
    'NotEqual': 'x:T y:T|z:10|T:t incompatible_shape_error:b|0',
    'PopulationCount': 'x:T|y:4|T:t|0',
    'Pow': 'x:T y:T|z:T|T:t|0',
    'RandomGammaGrad': 'alpha:T sample:T|output:T|T:t|0',
    'RealDiv': 'x:T y:T|z:T|T:t|0',
    'Reciprocal': 'x:T|y:T|T:t|0',
    'ReciprocalGrad': 'y:T dy:T|z:T|T:t|0',
    'RightShift': 'x:T y:T|z:T|T:t|0',
    'Rint': 'x:T|y:T|T:t|0',
    'Round': 'x:T|y:T|T:t|0',
    'Rsqrt': 'x:T|y:T|T:t|0',
    'RsqrtGrad': 'y:T dy:T|z:T|T:t|0',
    'Select': 'condition:10 t:T e:T|output:T|T:t|0',
    'SelectV2': 'condition:10 t:T e:T|output:T|T:t|0',
    'Sigmoid': 'x:T|y:T|T:t|0',
    'SigmoidGrad': 'y:T dy:T|z:T|T:t|0',
    'Sign': 'x:T|y:T|T:t|0',
    'Sin': 'x:T|y:T|T:t|0',
    'Sinh': 'x:T|y:T|T:t|0',
    'Sqrt': 'x:T|y:T|T:t|0',
    'SqrtGrad': 'y:T dy:T|z:T|T:t|0',
    'Square': 'x:T|y:T|T:t|0',
    'SquaredDifference': 'x:T y:T|z:T|T:t|0',
    'Sub': 'x:T y:T|z:T|T:t|0',
    'Tan': 'x:T|y:T|T:t|0',
    'Tanh': 'x:T|y:T|T:t|0',
    'TanhGrad': 'y:T dy:T|z:T|T:t|0',
    'TruncateDiv': 'x:T y:T|z:T|T:t|0',
    'TruncateMod': 'x:T y:T|z:T|T:t|0',
    'Xdivy': 'x:T y:T|z:T|T:t|0',
    'Xlog1py': 'x:T y:T|z:T|T:t|0',
    'Xlogy': 'x:T y:T|z:T|T:t|0',
}


def abs(x, name=None):
    return apply('Abs', name, (x,), {}).outputs[0]


def acos(x, name=None):
    return apply('Acos', name, (x,), {}).outputs[0]


def acosh(x, name=None):
    return apply('Acosh', name, (x,), {}).outputs[0]


def add(x, y, name=None):
    return apply('Add', name, (x, y), {}).outputs[0]


def add_v2(x, y, name=None):
    return apply('AddV2', name, (x, y), {}).outputs[0]


def approximate_equal(x, y, tolerance=9.99999975e-06, name=None):
    return apply('ApproximateEqual', name, (x, y), {'tolerance': tolerance}).outputs[0]


def asin(x, name=None):
    return apply('Asin', name, (x,), {}).outputs[0]


def asinh(x, name=None):
    return apply('Asinh', name, (x,), {}).outputs[0]


def atan(x, name=None):
    return apply('Atan', name, (x,), {}).outputs[0]


def atan2(y, x, name=None):
    return apply('Atan2', name, (y, x), {}).outputs[0]


def atanh(x, name=None):
    return apply('Atanh', name, (x,), {}).outputs[0]


def bitwise_and(x, y, name=None):
    return apply('BitwiseAnd', name, (x, y), {}).outputs[0]


def bitwise_or(x, y, name=None):
    return apply('BitwiseOr', name, (x, y), {}).outputs[0]


def bitwise_xor(x, y, name=None):
    return apply('BitwiseXor', name, (x, y), {}).outputs[0]


def broadcast_args(s0, s1, name=None):
    return apply('BroadcastArgs', name, (s0, s1), {}).outputs[0]


def broadcast_gradient_args(s0, s1, name=None):
    return results(apply('BroadcastGradientArgs', name, (s0, s1), {}))


def cast(x, DstT, Truncate=False, name=None):
    return apply('Cast', name, (x,), {'DstT': DstT, 'Truncate': Truncate}).outputs[0]


def ceil(x, name=None):
    return apply('Ceil', name, (x,), {}).outputs[0]


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    return apply('ClipByValue', name, (t, clip_value_min, clip_value_max), {}).outputs[0]


def cos(x, name=None):
    return apply('Cos', name, (x,), {}).outputs[0]


def cosh(x, name=None):
    return apply('Cosh', name, (x,), {}).outputs[0]


def cross(a, b, name=None):
    return apply('Cross', name, (a, b), {}).outputs[0]


def div(x, y, name=None):
    return apply('Div', name, (x, y), {}).outputs[0]


def div_no_nan(x, y, name=None):
    return apply('DivNoNan', name, (x, y), {}).outputs[0]


def equal(x, y, incompatible_shape_error=True, name=None):
    return apply('Equal', name, (x, y), {'incompatible_shape_error': incompatible_shape_error}).outputs[0]


def exp(x, name=None):
    return apply('Exp', name, (x,), {}).outputs[0]


def expm1(x, name=None):
    return apply('Expm1', name, (x,), {}).outputs[0]


def floor(x, name=None):
    return apply('Floor', name, (x,), {}).outputs[0]


def floor_div(x, y, name=None):
    return apply('FloorDiv', name, (x, y), {}).outputs[0]


def floor_mod(x, y, name=None):
    return apply('FloorMod', name, (x, y), {}).outputs[0]


def greater(x, y, name=None):
    return apply('Greater', name, (x, y), {}).outputs[0]


def greater_equal(x, y, name=None):
    return apply('GreaterEqual', name, (x, y), {}).outputs[0]


def inv(x, name=None):
    return apply('Inv', name, (x,), {}).outputs[0]


def inv_grad(y, dy, name=None):
    return apply('InvGrad', name, (y, dy), {}).outputs[0]


def invert(x, name=None):
    return apply('Invert', name, (x,), {}).outputs[0]


def is_finite(x, name=None):
    return apply('IsFinite', name, (x,), {}).outputs[0]


def is_inf(x, name=None):
    return apply('IsInf', name, (x,), {}).outputs[0]


def is_nan(x, name=None):
    return apply('IsNan', name, (x,), {}).outputs[0]


def left_shift(x, y, name=None):
    return apply('LeftShift', name, (x, y), {}).outputs[0]


def less(x, y, name=None):
    return apply('Less', name, (x, y), {}).outputs[0]


def less_equal(x, y, name=None):
    return apply('LessEqual', name, (x, y), {}).outputs[0]


def log(x, name=None):
    return apply('Log', name, (x,), {}).outputs[0]


def log1p(x, name=None):
    return apply('Log1p', name, (x,), {}).outputs[0]


def logical_and(x, y, name=None):
    return apply('LogicalAnd', name, (x, y), {}).outputs[0]


def logical_not(x, name=None):
    return apply('LogicalNot', name, (x,), {}).outputs[0]


def logical_or(x, y, name=None):
    return apply('LogicalOr', name, (x, y), {}).outputs[0]


def maximum(x, y, name=None):
    return apply('Maximum', name, (x, y), {}).outputs[0]


def minimum(x, y, name=None):
    return apply('Minimum', name, (x, y), {}).outputs[0]


def mod(x, y, name=None):
    return apply('Mod', name, (x, y), {}).outputs[0]


def mul(x, y, name=None):
    return apply('Mul', name, (x, y), {}).outputs[0]


def mul_no_nan(x, y, name=None):
    return apply('MulNoNan', name, (x, y), {}).outputs[0]


def neg(x, name=None):
    return apply('Neg', name, (x,), {}).outputs[0]


def next_after(x1, x2, name=None):
    return apply('NextAfter', name, (x1, x2), {}).outputs[0]


def not_equal(x, y, incompatible_shape_error=True, name=None):
    return apply('NotEqual', name, (x, y), {'incompatible_shape_error': incompatible_shape_error}).outputs[0]


def population_count(x, name=None):
    return apply('PopulationCount', name, (x,), {}).outputs[0]


def pow(x, y, name=None):
    return apply('Pow', name, (x, y), {}).outputs[0]


def random_gamma_grad(alpha, sample, name=None):
    return apply('RandomGammaGrad', name, (alpha, sample), {}).outputs[0]


def real_div(x, y, name=None):
    return apply('RealDiv', name, (x, y), {}).outputs[0]


def reciprocal(x, name=None):
    return apply('Reciprocal', name, (x,), {}).outputs[0]


def reciprocal_grad(y, dy, name=None):
    return apply('ReciprocalGrad', name, (y, dy), {}).outputs[0]


def right_shift(x, y, name=None):
    return apply('RightShift', name, (x, y), {}).outputs[0]


def rint(x, name=None):
    return apply('Rint', name, (x,), {}).outputs[0]


def round(x, name=None):
    return apply('Round', name, (x,), {}).outputs[0]


def rsqrt(x, name=None):
    return apply('Rsqrt', name, (x,), {}).outputs[0]


def rsqrt_grad(y, dy, name=None):
    return apply('RsqrtGrad', name, (y, dy), {}).outputs[0]


def select(condition, t, e, name=None):
    return apply('Select', name, (condition, t, e), {}).outputs[0]


def select_v2(condition, t, e, name=None):
    return apply('SelectV2', name, (condition, t, e), {}).outputs[0]


def sigmoid(x, name=None):
    return apply('Sigmoid', name, (x,), {}).outputs[0]


def sigmoid_grad(y, dy, name=None):
    return apply('SigmoidGrad', name, (y, dy), {}).outputs[0]


def sign(x, name=None):
    return apply('Sign', name, (x,), {}).outputs[0]


def sin(x, name=None):
    return apply('Sin', name, (x,), {}).outputs[0]


def sinh(x, name=None):
    return apply('Sinh', name, (x,), {}).outputs[0]


def sqrt(x, name=None):
    return apply('Sqrt', name, (x,), {}).outputs[0]


def sqrt_grad(y, dy, name=None):
    return apply('SqrtGrad', name, (y, dy), {}).outputs[0]


def square(x, name=None):
    return apply('Square', name, (x,), {}).outputs[0]


def squared_difference(x, y, name=None):
    return apply('SquaredDifference', name, (x, y), {}).outputs[0]


def sub(x, y, name=None):
    return apply('Sub', name, (x, y), {}).outputs[0]


def tan(x, name=None):
    return apply('Tan', name, (x,), {}).outputs[0]


def tanh(x, name=None):
    return apply('Tanh', name, (x,), {}).outputs[0]


def tanh_grad(y, dy, name=None):
    return apply('TanhGrad', name, (y, dy), {}).outputs[0]


def truncate_div(x, y, name=None):
    return apply('TruncateDiv', name, (x, y), {}).outputs[0]


def truncate_mod(x, y, name=None):
    return apply('TruncateMod', name, (x, y), {}).outputs[0]


def xdivy(x, y, name=None):
    return apply('Xdivy', name, (x, y), {}).outputs[0]


def xlog1py(x, y, name=None):
    return apply('Xlog1py', name, (x, y), {}).outputs[0]


def xlogy(x, y, name=None):
    return apply('Xlogy', name, (x, y), {}).outputs[0]
