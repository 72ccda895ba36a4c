"""Element-wise functions, reductions, scans, segments and what else computes with numbers."""
import numpy as np

from dtypes import NUMPY, number
from opcase import Case, lit

CASES = []


WIDE = ["f32", "f64", "c64", "c128"]
HALVES = ["f16", "bf16"]


def add(op, *inputs, **options):
    CASES.append(Case(op, list(inputs), **options))


def smooth(op, *inputs, grad=2, **options):
    """Values of every dtype; gradients of gradients where rounding does not drown them."""
    add(op, *inputs, grad=min(grad, 1), **options)
    if grad > 1:
        add(op, *inputs, grad=2, dtypes=WIDE, edges=False)


# ---- functions of one argument: op, range of values, order of gradients
for op, values, grad in [
        ("Abs", "nonzero", 2), ("Neg", "", 2), ("Exp", "", 2), ("Expm1", "", 2), ("Log", "pos", 2),
        ("Log1p", "pos", 2), ("Sqrt", "pos", 2), ("Rsqrt", "pos", 2), ("Square", "", 2),
        ("Reciprocal", "nonzero", 2), ("Inv", "nonzero", 2), ("Sign", "nonzero", 1),
        ("Sin", "", 2), ("Cos", "", 2), ("Tan", "unit", 2), ("Asin", "unit", 1),
        ("Acos", "unit", 1), ("Atan", "", 2), ("Sinh", "", 2), ("Cosh", "", 2), ("Tanh", "", 2),
        ("Asinh", "", 1), ("Acosh", "1.1..4", 1), ("Atanh", "unit", 1), ("Sigmoid", "", 2),
        ("Erf", "", 1), ("Erfc", "", 1), ("Erfinv", "unit", 1), ("Ndtri", "prob", 1),
        ("Lgamma", "pos", 1), ("Digamma", "pos", 1), ("BesselI0", "", 1), ("BesselI0e", "", 1),
        ("BesselI1", "nonzero", 1), ("BesselI1e", "nonzero", 1), ("BesselK0", "pos", 1),
        ("BesselK0e", "pos", 1), ("BesselK1", "pos", 1), ("BesselK1e", "pos", 1),
        ("BesselJ0", "pos", 1), ("BesselJ1", "pos", 1), ("BesselY0", "pos", 1),
        ("BesselY1", "pos", 1), ("Dawsn", "", 1), ("Expint", "pos", 1), ("FresnelCos", "", 1),
        ("FresnelSin", "", 1), ("Spence", "pos", 1)]:
    smooth(op, "T[3,5] " + values, grad=grad)
for op in ["Floor", "Ceil", "Rint", "Round"]:
    add(op, "T[3,5]", dtypes=["f32", "f64", "f16", "bf16"])
    add(op, lit([0.5, 1.5, 2.5, -0.5, -1.5, 1e9, 0.49999997], "T", fed=True), dtypes=["f32", "f64"])
for op in ["IsNan", "IsInf", "IsFinite"]:
    add(op, lit([0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e-40], "T", fed=True), edges=False)
add("LogicalNot", "bool[3,5]")
add("Invert", "T[7]")
add("PopulationCount", "T[3,5] ints")
for op in ["Real", "Imag", "Angle", "ComplexAbs"]:
    for t, out in [("c64", "f32"), ("c128", "f64")]:
        add(op, "%s[3,5]" % t, attrs={"Tout": out}, dtypes={"T": [t]}, grad=1, numeric=False)
add("Conj", "T[3,5]", dtypes=["c64", "c128"], grad=1)
for t, out in [("f32", "c64"), ("f64", "c128")]:
    add("Complex", "%s[3,5]" % t, "%s[5]" % t, attrs={"Tout": out}, dtypes={"T": [t]}, grad=1)
SPECIALS = [0.0, -0.0, np.inf, -np.inf, np.nan, 88.0, 89.0, -104.0, 1e30, 700.0]
for op in ["Exp", "Expm1", "Log", "Log1p", "Tanh", "Sigmoid", "Sin", "Cos", "Sqrt", "Rsqrt", "Neg", "Sign", "Square", "Floor", "Round"]:
    add(op, lit(SPECIALS, "T", fed=True), dtypes=["f32", "f64"], edges=False, note="specials")
add("Sin", lit(np.linspace(-1e5, 1e5, 301), "T", fed=True), dtypes=["f32", "f64"], edges=False,
    note="large arguments", atol=1e-5)

# ---- gradients of gradients as ops of their own
for op in ["SigmoidGrad", "TanhGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad"]:
    add(op, "T[3,5] pos", "T[3,5]", grad=1)

# ---- functions of two arguments, broadcast in every direction
SHAPES = [("[3,5]", "[3,5]"), ("[3,5]", "[5]"), ("[3,1]", "[1,5]"), ("[]", "[4]"), ("[4]", "[]"),
          ("[2,1,3]", "[5,1]"), ("[2,3,4]", "[2,1,4]")]


def binary(op, x="", y="", grad=0, shapes=SHAPES, **options):
    for n, (a, b) in enumerate(shapes):
        args = "T%s %s" % (a, x), "T%s %s" % (b, y)
        add(op, *args, grad=0, edges=n < 2, **options)
        if grad and n < 4:
            add(op, *args, grad=grad, edges=n < 2, dtypes=WIDE, **options)
            add(op, *args, grad=1, edges=False, dtypes=HALVES, rtol=3e-2, **options)


for op in ["AddV2", "Sub", "Mul"]:
    binary(op, grad=2)
binary("Add", grad=2)
add("Add", "str[2,3]", "str[3]", dtypes=["str"])
for op in ["Div", "RealDiv"]:
    binary(op, y="nonzero", grad=2)
for op in ["TruncateDiv", "FloorDiv", "FloorMod", "Mod", "TruncateMod"]:
    binary(op, y="nonzero")
add("FloorMod", "T[4,5]", "T[4,5] nonzero", dtypes=["f32", "f64"], grad=1, numeric=False)
binary("DivNoNan", y="nonzero", grad=1)
binary("MulNoNan", grad=1)
add("DivNoNan", lit([1.0, 0.0, -2.0], "T", fed=True), lit([0.0, 0.0, 1.0], "T", fed=True), edges=False)
add("MulNoNan", lit([np.inf, np.nan, -2.0], "T", fed=True), lit([0.0, 0.0, 1.0], "T", fed=True),
    dtypes=["f32", "f64"], edges=False)
for op in ["Div", "FloorDiv", "FloorMod", "Mod"]:
    add(op, lit([5, 7], "T", fed=True), lit([2, 0], "T", fed=True), dtypes=["i32", "i64"],
        edges=False, fails="INVALID_ARGUMENT", says="division by zero")
add("Pow", lit([2, 3], "T", fed=True), lit([2, -1], "T", fed=True), dtypes=["i32", "i64"],
    edges=False, fails="INVALID_ARGUMENT", says="negative integer powers")
add("FloorDiv", lit([-128, 127, -7, 7], "T", fed=True), lit([-1, -1, 2, -2], "T", fed=True),
    dtypes=["i8", "i16", "i32", "i64"], edges=False)
for op in ["Maximum", "Minimum"]:
    binary(op, grad=1)
    add(op, lit([1.0, np.nan, 2.0, np.inf], "T", fed=True), lit([np.nan, 1.0, -2.0, 3.0], "T", fed=True),
        dtypes=["f32", "f64"], edges=False, note="NaN")
binary("Pow", x="pos", y="0..2", grad=1)
binary("SquaredDifference", grad=2)
binary("Atan2", y="nonzero", grad=1)
for op in ["Xlogy", "Xlog1py", "Xdivy"]:
    binary(op, x="pos", y="pos", grad=1)
    add(op, lit([0.0, 0.0, 1.0], "T", fed=True), lit([0.0, 2.0, 3.0], "T", fed=True), edges=False)
binary("NextAfter", shapes=SHAPES[:4])
for op in ["Less", "LessEqual", "Greater", "GreaterEqual"]:
    binary(op, x="ints", y="ints", shapes=SHAPES[:4])
for op in ["Equal", "NotEqual"]:
    binary(op, x="ints", y="ints", shapes=SHAPES[:4])
    add(op, "T[2,3]", "T[4]", attrs={"incompatible_shape_error": False}, dtypes=["f32"], edges=False)
    add(op, lit([b"a", b"bb", b""], "T", fed=True), lit([b"a", b"b", b""], "T", fed=True),
        dtypes=["str"], edges=False)
add("ApproximateEqual", lit([1.0, 1.1, 2.0], "T", fed=True), lit([1.00001, 1.2, 2.5], "T", fed=True),
    attrs={"tolerance": 0.2}, dtypes=["f32", "f64"], edges=False)
for op in ["LogicalAnd", "LogicalOr"]:
    add(op, "bool[3,5]", "bool[5]")
for op in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"]:
    binary(op, shapes=SHAPES[:3])
for op in ["LeftShift", "RightShift"]:
    add(op, "T[3,5]", "T[5] 0..7")
    add(op, "T[4] pos", lit([0, 3, 70, 8], "T", fed=True), edges=False)
for op in ["Igamma", "Igammac"]:
    add(op, "T[3,5] pos", "T[5] pos", grad=1, rtol=2e-3)
add("IgammaGradA", "T[3,5] pos", "T[5] pos", rtol=1e-3)
add("RandomGammaGrad", "T[3,5] pos", "T[5] pos", rtol=1e-3)
add("Zeta", "T[3,5] 1.5..6", "T[5] pos", grad=1)
add("Polygamma", lit([[1.0], [2.0], [3.0]], "T", fed=True), "T[5] pos", grad=1, edges=False)
add("Betainc", "T[7] pos", "T[7] pos", "T[7] prob", grad=1, numeric=False)
add("AddV2", "T[2,3]", "T[4]", dtypes=["f32"], edges=False, fails="INVALID_ARGUMENT",
    says="Dimensions must be equal")

# ---- several arguments
add("AddN", ["T[3,5]", "T[3,5]", "T[3,5]"], grad=1)
add("AddN", ["T[4]"], grad=1)
add("AccumulateNV2", ["T[3,5]", "T[3,5]"], attrs={"shape": [3, 5]}, dtypes=["f32", "f64", "i32"],
    edges=False)
add("ClipByValue", "T[3,5]", lit(-1 - 1j, "T"), lit(1 + 0.5j, "T"), dtypes=["c64", "c128"], edges=False)
add("ClipByValue", "T[3]", "T[3]", lit(1 + 0.5j, "T"), dtypes=["c64"], edges=False)
add("ClipByValue", "T[3]", lit([-1], "T"), lit(1, "T"), dtypes=["f32"], edges=False, fails="INVALID_ARGUMENT")
add("ClipByValue", "T[3,5]", lit(-1, "T"), lit(1, "T"), dtypes=["f32", "f64", "f16", "i32", "i64"],
    grad=1, edges=False)
add("Select", "bool[3,5]", "T[3,5]", "T[3,5]", dtypes=["f32", "f64", "i32", "i8", "c128", "bool", "f16"],
    grad=1)
add("Select", "bool[3]", "T[3,5]", "T[3,5]", dtypes=["f32", "str"], grad=1)
add("Select", "bool[]", "T[3,5]", "T[3,5]", dtypes=["f32", "i64"], grad=1)
add("SelectV2", "bool[3,5]", "T[3,5]", "T[3,5]",
    dtypes=["f32", "f64", "i32", "i64", "i8", "c64", "c128", "bool", "f16", "str"], grad=1)
add("SelectV2", "bool[3,1]", "T[5]", "T[1]", dtypes=["f32", "f64", "str"], grad=1)
add("SelectV2", "bool[5]", "T[3,5]", "T[]", dtypes=["f32", "i16"], grad=1)
add("Cross", "T[4,3]", "T[4,3]", grad=1, edges=False)
for t in ["f32", "f64", "i32", "i64", "u8", "i8", "i16", "u16", "u32", "u64", "bool", "c64", "c128",
          "f16", "bf16"]:
    add("Cast", "%s[7] pos" % t, attrs={"DstT": "*"}, dtypes={"SrcT": [t]}, edges=False)
for t, to in [("f32", "f64"), ("f64", "f32"), ("f32", "c64"), ("f32", "i32")]:
    add("Cast", "%s[3,5]" % t, attrs={"DstT": to}, grad=to != "i32", numeric=False)
add("Cast", "f32[7]", attrs={"DstT": "f16", "Truncate": True}, edges=False)
add("Cast", "f32[7]", attrs={"DstT": "bf16", "Truncate": True}, edges=False)
# The narrow types: 8-bit floats with everything they meet, 4-bit integers among integers.
TINY = lit([0.0, -0.0, 1.5, -448.0, 464.0, 465.0, 1e9, -1e9, 0.001, -0.0009, 61440.0, 57344.0, 1.0625,
            np.nan, np.inf], "SrcT", fed=True)
for f8 in ["f8e5m2", "f8e4m3fn"]:
    for t in ["f32", "f64", "f16", "bf16", "f8e5m2", "f8e4m3fn"]:
        add("Cast", TINY, attrs={"DstT": f8}, dtypes={"SrcT": [t]}, edges=False)
        add("Cast", "%s[9]" % t, attrs={"DstT": f8, "Truncate": True}, edges=False)
    for t in ["i32", "u8", "i64", "bool", "c64", "f64", "f16"]:
        add("Cast", "%s[9]" % f8, attrs={"DstT": t}, edges=False)
    add("Cast", "i32[3]", attrs={"DstT": f8}, edges=False, fails="UNIMPLEMENTED")
for i4 in ["i4", "u4"]:
    for t in ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "i4", "u4"]:
        add("Cast", "%s[9]" % t, attrs={"DstT": i4}, edges=False)
        add("Cast", "%s[9]" % i4, attrs={"DstT": t}, edges=False)
    add("Cast", "%s[3]" % i4, attrs={"DstT": "f32"}, edges=False, fails="UNIMPLEMENTED")
# Denormals count as zeros, in results and in operands.
add("Mul", lit([1.2e-38, 1e-40, 1.0], "T", fed=True), lit(0.1, "T", fed=True), dtypes=["f32"], edges=False)
add("Mul", lit([2.3e-308, 1e-310, 1.0], "T", fed=True), lit(0.1, "T", fed=True), dtypes=["f64"], edges=False)
add("Mul", lit([6e-8, 1e-5], "T", fed=True), lit(1.0, "T", fed=True), dtypes=["f16"], edges=False)
add("BroadcastArgs", lit([2, 1, 3], "T", fed=True), lit([4, 1], "T", fed=True), edges=False)
for a, b in [([2, 3], [3]), ([2, 1, 3], [4, 1]), ([], [2]), ([1, 1], [1]), ([3], [3]), ([1], [1, 3, 1])]:
    add("BroadcastGradientArgs", lit(np.array(a, "int64"), "T", fed=True),
        lit(np.array(b, "int64"), "T", fed=True), edges=False)

# ---- reductions
AXES = [[0], [1], [2], [0, 2], [0, 1, 2], [], [-1], [1, -1]]
for op, values, grad in [("Sum", "", 2), ("Mean", "", 2), ("Prod", "nonzero", 1), ("Max", "distinct", 1),
                         ("Min", "distinct", 1), ("EuclideanNorm", "nonzero", 1)]:
    for n, axes in enumerate(AXES):
        add(op, "T[2,3,4] " + values, lit(np.array(axes, "int32")), grad=grad if n < 6 else 0,
            edges=n == 0, dtypes=None if n < 5 else ["f32", "i64"],
            rtol=2e-2 if op == "Prod" else None)
    add(op, "T[3,5] " + values, lit(np.array([1], "int64")), attrs={"keep_dims": True}, grad=grad,
        dtypes=["f32", "f64", "i32"])
    add(op, "T[1000,7] " + values, lit([0]), dtypes=["f32", "f64"], edges=False)
    add(op, "T[7,1000] " + values, lit([1]), dtypes=["f32", "f64"], edges=False)
    add(op, "T[3,5]", lit([2]), dtypes=["f32"], edges=False, fails="INVALID_ARGUMENT",
        says="Invalid reduction dimension")
add("Sum", "T[300000] unit", lit([0]), dtypes=["f32", "f64", "i64"], edges=False, atol=1e-2)
for op in ["Max", "Min"]:
    add(op, lit([[1.0, np.nan, 2.0], [3.0, 4.0, 5.0]], "T", fed=True), lit([1]), edges=False,
        dtypes=["f32", "f64"], note="NaN")
for op in ["All", "Any"]:
    for axes in AXES[:5]:
        add(op, "bool[2,3,4]", lit(np.array(axes, "int32")))
for op in ["ArgMax", "ArgMin"]:
    for axis in [0, 1, -1]:
        add(op, "T[3,5,2]", lit(axis), edges=axis == 0)
    add(op, "T[3,5]", lit(0, "i64"), attrs={"output_type": "i32"}, dtypes=["f32", "bool"])
N, INF = np.nan, np.inf
for op, sign in [("ArgMax", 1), ("ArgMin", -1)]:
    for dtype, most in [("f16", 65504.0), ("bf16", 255 * 2.0**120), ("f32", 2.0**128 - 2.0**104),
                        ("f64", np.finfo(np.float64).max)]:
        rows = [[N, 2.0, 1.0], [N, N, -1.0], [4.0, N, 5.0], [N, N, N], [N, -INF, -INF], [-INF, -INF, -most],
                [-INF, N, -most], [N, -most, -most / 2], [N, -INF, 1.0], [N, 3.0, INF], [-most, 0.0, N]]
        for values, axis in [(np.array(rows), 1), (np.array(rows).T, 0), (np.array(rows[7]), 0)]:
            add(op, lit(sign * values, "T", fed=True), lit(axis), edges=False,
                dtypes={"T": [dtype], "Tidx": ["i32"]}, note="NaN")
    for dtype in ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]:
        limits = np.iinfo(NUMPY[number(dtype)])
        low, high = limits.min, limits.max
        rows = [[low, low, high], [high, high, low], [low, low, low], [high, high, high]]
        add(op, lit(np.array(rows, object), "T", fed=True), lit(1), edges=False,
            dtypes={"T": [dtype], "Tidx": ["i32"]}, note="limits")
    add(op, lit([[False, True, True], [True, False, False], [False] * 3], "bool", fed=True), lit(1),
        edges=False, dtypes={"T": ["bool"], "Tidx": ["i32"]}, note="limits")
add("ArgMax", "T[3,0]", lit(1), dtypes={"T": ["f32"], "Tidx": ["i32", "i64"]}, edges=False, fails="INVALID_ARGUMENT", says="empty")

# ---- scans, ranges
for op in ["Cumsum", "Cumprod"]:
    for axis, attrs in [(0, {}), (1, {"exclusive": True}), (-1, {"reverse": True}),
                        (1, {"exclusive": True, "reverse": True})]:
        add(op, "T[3,4,2] nonzero", lit(axis), attrs=attrs, grad=1, edges=axis == 0, rtol=1e-2)
for attrs in [{}, {"exclusive": True}, {"reverse": True}]:
    add("CumulativeLogsumexp", "T[3,4]", lit(1), attrs=attrs, grad=1, numeric=False, rtol=2e-2)
for a, b, c in [(0, 10, 3), (10, 0, -3), (0, 0, 1), (5, 6, 10)]:
    add("Range", lit(a, "Tidx", fed=True), lit(b, "Tidx", fed=True), lit(c, "Tidx", fed=True), edges=False,
        dtypes=None if c > 0 else ["i32", "i64", "f32", "f64"])
add("Range", lit(0.0, "Tidx"), lit(1.0, "Tidx"), lit(0.1, "Tidx"), dtypes=["f32", "f64"], edges=False)
add("Range", lit(0, "Tidx"), lit(1, "Tidx"), lit(0, "Tidx"), dtypes=["i32", "f32"], edges=False,
    fails="INVALID_ARGUMENT", says="delta != 0")
add("Range", lit(1, "Tidx"), lit(0, "Tidx"), lit(1, "Tidx"), dtypes=["i32"], edges=False,
    fails="INVALID_ARGUMENT", says="Requires start <= limit")
for n in [1, 2, 7]:
    add("LinSpace", lit(-1.5, "T"), lit(2.0, "T"), lit(n), edges=False)

# ---- segments
for op in ["SegmentSum", "SegmentMean", "SegmentProd", "SegmentMin", "SegmentMax"]:
    add(op, "T[5,3] nonzero", lit([0, 0, 1, 3, 3], "Tindices"), edges=False,
        grad=1)
    add(op, "T[5]", lit([1, 0, 1, 3, 3]), dtypes=["f32"], edges=False, fails="INVALID_ARGUMENT",
        says="not increasing")
for op in ["Sum", "Prod", "Min", "Max"]:
    add("UnsortedSegment" + op, "T[5,3] nonzero", lit([2, 0, -1, 2, 0], "Tindices"), lit(4), edges=False,
        grad=1, numeric=False)
    add("UnsortedSegment" + op, "T[2,2,3]", lit([[2, 0], [1, 2]], "Tindices"), lit(3),
        dtypes=["f32", "i32"], edges=False)
add("UnsortedSegmentSum", "T[3]", lit([0, 5, 1]), lit(3), dtypes=["f32"], edges=False,
    fails="INVALID_ARGUMENT", says="out of range")
for op in ["SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"]:
    add(op, "T[6,3]", lit([0, 5, 2, 2]), lit([0, 0, 2, 2]), edges=False, grad=1,
        dtypes=["f32", "f64"])
    add(op + "WithNumSegments", "T[6,3]", lit([0, 5, 2, 2]), lit([0, 0, 2, 2]), lit(5), edges=False,
        grad=1, dtypes=["f32", "f64"])
    add(op + "Grad", "T[3,3]", lit([0, 5, 2, 2]), lit([0, 0, 2, 2]), lit(6), edges=False)
    add(op + "GradV2", "T[3,3]", lit([0, 5, 2, 2]), lit([0, 0, 2, 2]), lit(6), edges=False)
    add(op, "T[6,3]", lit([0, 9]), lit([0, 1]), edges=False, dtypes=["f32"], fails="INVALID_ARGUMENT",
        says="out of range")

# ---- counts
add("Bincount", lit([1, 0, 3, 1, 9], "i32", fed=True), lit(5), "T[5] ints", edges=False)
add("Bincount", lit([1, 0, 3, 1, 9], "i32", fed=True), lit(5), "T[0]", edges=False)
for binary_output in [False, True]:
    add("DenseBincount", lit([[1, 0, 3], [1, 9, 1]], "Tidx", fed=True), lit(5, "Tidx"), "T[0]",
        attrs={"binary_output": binary_output}, edges=False)
    add("RaggedBincount", lit([0, 2, 2, 5], "i64", fed=True), lit([1, 0, 3, 1, 1], "Tidx", fed=True),
        lit(4, "Tidx"), "T[0]", attrs={"binary_output": binary_output}, edges=False)
    add("SparseBincount", lit([[0, 1], [2, 0], [2, 2]], "i64", fed=True), lit([1, 3, 1], "Tidx", fed=True),
        lit([3, 4], "i64", fed=True), lit(4, "Tidx"), "T[0]", attrs={"binary_output": binary_output},
        edges=False)
add("DenseBincount", lit([1, 0, 3, 1, 9], "Tidx", fed=True), lit(5, "Tidx"), "T[5] ints", edges=False)
add("Bucketize", "T[9]", attrs={"boundaries": [-1.0, 0.0, 1.5]})
add("HistogramFixedWidth", "T[20]", lit([-2, 2], "T"), lit(5), edges=False)

# ---- Fourier transforms: powers of two, small factors, and a prime
for n, op in [(1, "FFT"), (2, "FFT2D"), (3, "FFT3D")]:
    for shape in ["[2,8]", "[3,15]", "[2,37]"] if n == 1 else ["[2,4,6]"] if n == 2 else ["[2,3,4,5]"]:
        for name in [op, "I" + op]:
            add(name, "Tcomplex" + shape, grad=1, edges=False, numeric=False, atol=1e-5)
for n, shape, lengths in [(1, "[2,8]", [8]), (1, "[3,15]", [15]), (1, "[2,9]", [6]),
                          (2, "[2,4,6]", [4, 6]), (2, "[3,5]", [3, 5]), (3, "[2,3,4]", [2, 3, 4])]:
    op = "FFT" if n == 1 else "FFT%dD" % n
    same = [int(d) for d in shape[1:-1].split(",")][-n:] == lengths
    for real, cplx in [("f32", "c64"), ("f64", "c128")]:
        add("R" + op, real + shape, lit(np.array(lengths, "int32")), attrs={"Tcomplex": cplx},
            dtypes={"Treal": [real]}, grad=same and n < 3, edges=False, numeric=False, atol=1e-5)
        half = shape[:-1].split(",")
        half[-1] = str(lengths[-1] // 2 + 1)
        spectrum = (",".join(half) if len(half) > 1 else "[" + half[0]) + "]"
        add("IR" + op, cplx + spectrum, lit(np.array(lengths, "int32")), attrs={"Treal": real},
            dtypes={"Tcomplex": [cplx]}, grad=n < 3, edges=False, numeric=False, atol=1e-5)
add("RFFT", "f32[2,0]", lit([8]), edges=False, compare="shape")
add("RFFT", "f32[5]", lit([8]), edges=False, fails="INVALID_ARGUMENT", says="at least 8 but got: 5")
for dtype, count in [("u8", 256), ("i8", 128), ("u16", 65536), ("i16", 32768)]:
    add("Mean", "%s[%d]" % (dtype, count), lit([0]), dtypes={"T": [dtype]}, edges=False,
        note="a count that does not fit the type")
for at, shape in [([[0], [-2]], [3]), ([[0, 1], [3, 0]], [3, 4])]:
    add("SparseBincount", lit(at, "i64", fed=True), lit([1, 3], "Tidx", fed=True), lit(shape, "i64", fed=True),
        lit(4, "Tidx"), "T[0]", edges=False, dtypes={"T": ["f32"], "Tidx": ["i32"]},
        fails="INVALID_ARGUMENT", says="out of bounds")
add("Neg", "T[1,2,1,2,1,2,1,1,2,1,1,2,1,2]", dtypes=["f32"], edges=False, note="rank 14")
add("Add", "T[1,2,1,2,1,2,1,1,2,1,1,2,1,2]", "T[2,1,2,1,2,1,1,1,1,3,2,1,1]", dtypes=["f32"],
    edges=False, note="rank 14")
add("Sum", "T[1,2,1,2,1,2,1,1,2,1,1,2,1,2]", lit([1, 5, 13]), dtypes=["f32"], edges=False, note="rank 14")

# ---- clustering
for seed in [1, 77]:
    for retries in [0, 3, -1]:
        add("KmeansPlusPlusInitialization", "f32[40,3]", lit(7, "i64"), lit(seed, "i64"), lit(retries, "i64"),
            edges=False, note="seed %d retries %d" % (seed, retries))
    add("KMC2ChainInitialization", "f32[60] pos", lit(seed, "i64"), edges=False, note="seed %d" % seed)
add("KmeansPlusPlusInitialization", lit(np.ones((4, 2)), "f32", fed=True), lit(4, "i64"), lit(1, "i64"),
    lit(2, "i64"), edges=False, note="equal points")
for wanted, says in [(0, "num_to_sample > 0"), (41, "num_to_sample <= points.rows(). 41 vs 40")]:
    add("KmeansPlusPlusInitialization", "f32[40,3]", lit(wanted, "i64"), lit(1, "i64"), lit(0, "i64"),
        edges=False, fails="INVALID_ARGUMENT", says=says)
add("KMC2ChainInitialization", "f32[0]", lit(1, "i64"), edges=False, fails="INVALID_ARGUMENT", says="size() > 0")
for k in [0, 1, 3, 20]:
    add("NearestNeighbors", "f32[33,4]", "f32[9,4]", lit(k, "i64"), edges=False, atol=1e-5, note="k %d" % k)
add("NearestNeighbors", "f32[150,3]", "f32[1500,3]", lit(2, "i64"), edges=False, atol=1e-5, note="blocks")
add("NearestNeighbors", "f32[3,4]", "f32[9,5]", lit(1, "i64"), edges=False, fails="INVALID_ARGUMENT",
    says="point_dimensions == center_dimensions: 4 vs 5")
