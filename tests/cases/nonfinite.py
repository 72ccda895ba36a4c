"""NaNs, infinities and zeros of both signs, where a kernel could choose by a comparison or skip them."""
import numpy as np

from opcase import Case, lit

CASES = []
NAN, INF = np.nan, np.inf
X = np.array([[NAN, 2, 1, -1], [INF, NAN, -1, 3], [INF, 1, 2, INF], [-INF] * 4, [1, -INF, 2, 0], [NAN] * 4,
              [-INF, INF, 0, 1], [-0.0, 0.0, 1, 1]])
Y = X[::-1]
IMAGE = X.reshape(1, 8, 4, 1)
PAIRS = [0, 0, 1, 1, 2, 2, 3, 3]
CAST = [NAN, -NAN, INF, -INF, 0.0, -0.0, 65504, 65519, 65520, -65536, 3.39e38, 3.4e38, -3.4e38, 1e300, -1e300, 6e-8,
        5.9e-8, 1e-8, 1.0009765, 1.00048828125, 1.00146484375]
FLOATS = ["f16", "bf16", "f32", "f64"]


def values(array):
    return lit(array, "T", fed=True)


def add(op, *inputs, types=None, **options):
    CASES.append(Case(op, list(inputs), edges=False, note="not finite",
                      dtypes={"T": ["f16", "f32"], **(types or {})}, **options))


for op in ["Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Cos", "Cosh", "Digamma", "Elu", "Erfc", "Exp",
           "Expm1", "Floor", "IsFinite", "IsInf", "IsNan", "LeakyRelu", "Lgamma", "Log", "Log1p", "LogSoftmax", "Neg",
           "Reciprocal", "Relu", "Relu6", "Rint", "Round", "Rsqrt", "Selu", "Sigmoid", "Sign", "Sin", "Sinh", "Softmax",
           "Softplus", "Softsign", "Sqrt", "Square", "Tan", "Tanh", "L2Loss"]:
    add(op, values(X))
for op in ["Add", "ApproximateEqual", "Div", "DivNoNan", "EluGrad", "Equal", "FloorDiv", "FloorMod", "Greater",
           "GreaterEqual", "InvGrad", "LeakyReluGrad", "Less", "LessEqual", "Maximum", "Minimum", "Mul", "MulNoNan",
           "NotEqual", "Pow", "RealDiv", "ReciprocalGrad", "RsqrtGrad", "SeluGrad", "SigmoidGrad", "SoftplusGrad",
           "SoftsignGrad", "SqrtGrad", "SquaredDifference", "Sub", "TanhGrad", "Xdivy", "Xlog1py", "Xlogy"]:
    add(op, values(X), values(Y))
for op in ["Atan2", "Mod", "NextAfter", "TruncateMod"]:
    add(op, values(X), values(Y), types={"T": ["f32"]})
for op in ["Sum", "Mean", "Max", "Min", "Prod", "EuclideanNorm"]:
    for axes in [[1], [0], [0, 1]]:
        add(op, values(X), lit(axes), types={"Tidx": ["i32"]})
for op in ["Cumsum", "Cumprod"]:
    add(op, values(X), lit(1), types={"Tidx": ["i32"]})
add("SoftmaxCrossEntropyWithLogits", values(X), values(np.full(X.shape, .25)))
add("SparseSoftmaxCrossEntropyWithLogits", values(X), lit(np.arange(8) % 4, "i64", fed=True),
    types={"Tlabels": ["i64"]})
for padding in ["SAME", "VALID"]:
    add("AvgPool", values(IMAGE), attrs={"ksize": [1, 2, 2, 1], "strides": [1] * 4, "padding": padding})
add("ClipByValue", values(X), values(-1.0), values(1.5))
for op in ["SegmentSum", "SegmentMean", "SegmentProd"]:
    add(op, values(X), lit(PAIRS, "i32", fed=True), types={"Tindices": ["i32"]})
for op in ["UnsortedSegmentSum", "UnsortedSegmentProd"]:
    add(op, values(X), lit(PAIRS, "i32", fed=True), lit(5), types={"Tindices": ["i32"], "Tnumsegments": ["i32"]})
for op in ["TensorScatterMax", "TensorScatterMin", "TensorScatterAdd", "TensorScatterUpdate"]:
    add(op, values(X), lit([[0], [0], [3]], "i32", fed=True),
        values([[NAN, 5, NAN, -INF], [9, NAN, INF, INF], [1, NAN, -INF, INF]]), types={"Tindices": ["i32"]})
for source in FLOATS:
    for to in FLOATS + ["bool"]:
        CASES.append(Case("Cast", [lit(np.array(CAST), source, fed=True)], attrs={"DstT": to}, edges=False,
                          note="not finite"))
add("MatMul", values(X), values(X.T))
add("Conv2D", values(IMAGE), values(np.ones((2, 2, 1, 3))), attrs={"strides": [1] * 4, "padding": "SAME"})
for op in ["Select", "SelectV2"]:
    add(op, lit(X > 0, "bool", fed=True), values(X), values(Y))
