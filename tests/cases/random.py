"""Random ops draw TensorFlow's numbers: same seeds, same values, run after run."""
import numpy as np

from opcase import Case, lit, script

CASES = []


def draws(name, op, inputs, runs=3, **attrs):
    """A stateful op run several times in one session."""
    @script("%s %s" % (op, name), rtol=1e-6, atol=1e-7)
    def build(g):
        args = [g.const(v, d) if d else g.const(v) for v, d in inputs]
        y = g.op(op, *args, seed=87654321, seed2=42, **attrs)
        for _ in range(runs):
            g.run([y])
    CASES.append(build)


for dtype in ["f16", "bf16", "f32", "f64"]:
    for shape in [[], [1], [7], [3, 5], [0], [1001]]:
        for op in ["RandomUniform", "RandomStandardNormal", "TruncatedNormal"]:
            draws("%s %s" % (dtype, shape), op, [(np.array(shape, "int32"), None)], dtype=dtype)
for dtype in ["i32", "i64"]:
    draws(dtype, "RandomUniformInt", [(np.array([7, 3], "int32"), None), (-5, dtype), (1000, dtype)],
          Tout=dtype)
draws("vector", "RandomShuffle", [(np.arange(17, dtype="int32"), None)])
draws("matrix", "RandomShuffle", [(np.arange(20, dtype="float32").reshape(5, 4), None)])
draws("one", "RandomShuffle", [(np.arange(1, dtype="float32"), None)])
LOGITS = np.array([[0.1, 2.0, -1.0], [5.0, 0.0, 0.0]], "float32")
draws("f32", "Multinomial", [(LOGITS, None), (9, "i32")], output_dtype="i64")
draws("f64", "Multinomial", [(LOGITS.astype("float64"), None), (6, "i32")], output_dtype="i32")
for dtype in ["f16", "f32", "f64"]:
    draws(dtype, "RandomGamma", [(np.array([6], "int32"), None), ([0.3, 1.0, 2.5, 40.0], dtype)])
    for out in ["f32", "i32", "i64"]:
        draws("%s %s" % (dtype, out), "RandomPoissonV2",
              [(np.array([2, 3], "int32"), None), ([0.3, 4.0, 12.5, 200.0], dtype)], dtype=out)


def stateless(op, *inputs, **options):
    CASES.append(Case(op, list(inputs), edges=False, **options))


SEED = lit([123456789, -5], "Tseed")
KEY, COUNTER, ALG = lit([2**63 + 17], "u64"), lit([2**64 - 1, 7], "u64"), lit(1, "i32")
for shape in [[], [7], [3, 5], [0], [130]]:
    s, v = lit(np.array(shape, "int32")), lit(np.array(shape, "int64"))
    for op in ["StatelessRandomUniform", "StatelessRandomNormal", "StatelessTruncatedNormal"]:
        stateless(op, s, SEED, attrs={"dtype": "*"})
        stateless(op + "V2", v, KEY, COUNTER, ALG, attrs={"dtype": "*"})
    stateless("StatelessRandomUniformFullInt", s, SEED, attrs={"dtype": "*"})
    stateless("StatelessRandomUniformFullIntV2", v, KEY, COUNTER, ALG, attrs={"dtype": "*"})
stateless("StatelessRandomUniformInt", lit([9]), SEED, lit(-3, "dtype"), lit(77, "dtype"))
stateless("StatelessRandomUniformIntV2", lit([9]), KEY, COUNTER, ALG, lit(3, "dtype"), lit(77, "dtype"))
stateless("StatelessRandomGetKeyCounter", SEED)
stateless("StatelessRandomGetKeyCounterAlg", SEED)
stateless("StatelessRandomGetAlg")
stateless("StatelessMultinomial", lit(LOGITS, "T"), lit(5), SEED, dtypes={"T": ["f32", "f64", "f16"]})
stateless("StatelessRandomGammaV2", lit([5, 3]), SEED, lit([0.4, 1.0, 9.0], "dtype"))
stateless("StatelessRandomGammaV3", lit([5, 3]), KEY, COUNTER, ALG, lit([0.4, 1.0, 9.0], "dtype"))
stateless("StatelessRandomPoisson", lit([5, 3]), SEED, lit([1, 4, 90], "Rtype"), attrs={"dtype": "*"})
stateless("StatelessShuffle", lit(np.arange(12, dtype="float32").reshape(6, 2)), KEY, COUNTER, ALG)

# ---- normals between bounds, one case for each way of sampling them; permutations of indices
for dtype in ["f32", "f64"]:
    for note, low, high in [("wide", -3.0, 2.0), ("narrow", 0.1, 0.4), ("tail", 2.5, 9.0),
                            ("open", 1.0, np.inf), ("mirrored", -np.inf, -1.0)]:
        draws("%s %s" % (dtype, note), "ParameterizedTruncatedNormal",
              [(np.array([33], "int32"), None), (0.0, dtype), (1.5, dtype), (low, dtype), (high, dtype)])
    draws(dtype + " rows", "ParameterizedTruncatedNormal",
          [(np.array([3, 5], "int32"), None), ([0.0, 1.0, 2.0], dtype), ([1.0], dtype),
           ([-1.0, -2.0, 0.0], dtype), ([2.0, 2.0, 2.5], dtype)])
for top in [0, 1, 9, 100, 70000, 2**31 - 2]:
    stateless("RandomIndexShuffle", lit(min(top, 5), "dtype"), lit([17, 4, 99], "Tseed"),
              lit(top, "dtype"), attrs={"rounds": 4})
stateless("RandomIndexShuffle", lit(np.arange(10), "dtype"), lit([17, 4, 99], "Tseed"), lit(9, "dtype"),
          attrs={"rounds": 8})


# ---- generators kept in variables
def kept(name, op, extra, runs=2, **attrs):
    @script("%s %s" % (op, name), rtol=1e-6, atol=1e-7)
    def build(g):
        var = g.op("VarHandleOp", dtype="i64", shape=[3])
        g.run(targets=[g.op("AssignVariableOp", var, g.const([5, 6, 7], "i64"))])
        # TensorFlow's StatefulRandomBinomial loses its first change while the constant shares the buffer
        g.run(targets=[g.op("AssignAddVariableOp", var, g.const([0, 0, 0], "i64"))])
        y = g.op(op, var, *[g.const(v, d) for v, d in extra], **attrs)
        read = g.op("ReadVariableOp", var, dtype="i64")
        for _ in range(runs):
            if op == "RngSkip":
                g.run(targets=[y])
            else:
                g.run([y])
            g.run([read])
    CASES.append(build)


for op in ["StatefulUniform", "StatefulStandardNormalV2", "StatefulTruncatedNormal"]:
    for dtype in ["f32", "f64"]:
        kept(dtype, op, [(1, "i64"), ([7], "i64")], dtype=dtype)
kept("i32", "StatefulUniformInt", [(1, "i64"), ([7], "i64"), (-3, "i32"), (40, "i32")], dtype="i32")
kept("u64", "StatefulUniformFullInt", [(1, "i64"), ([7], "i64")], dtype="u64")
for counts, probs, shape in [([10.0, 20.0, 30.0], [0.3, 0.5, 0.9], [5, 3]), (40.0, [[0.2], [0.8]], [2, 1]),
                             ([3.0], 0.5, [7, 1])]:
    kept("%s" % shape, "StatefulRandomBinomial", [(1, "i64"), (shape, "i32"), (counts, "f64"), (probs, "f64")])
kept("half", "StatefulRandomBinomial", [(1, "i64"), ([4, 2], "i64"), ([5.0, 9.0], "f16"), (0.5, "f16")], dtype="f32")
kept("10", "RngSkip", [(1, "i64"), (10, "i64")])
kept("10", "RngReadAndSkip", [(1, "i32"), (10, "u64")])
stateless("StatelessRandomBinomial", lit([6, 4]), SEED, lit([3.0, 20.0, 100.0, 5.0], "T"),
          lit([0.5, 0.3, 0.7, 0.9], "T"), attrs={"dtype": "*"}, dtypes={"T": ["f32", "f64"]})
stateless("StatelessRandomBinomial", lit([5, 2, 3]), SEED, lit([[10.0], [60.0]], "T"),
          lit([0.0, 0.4, 1.0], "T"), dtypes={"T": ["f64"]})
CASES.append(Case("RandomPoissonV2", [lit([46902, 51188, 34063, 59195], "i32", fed=True), "f32[4,4,4]"],
                  dtypes={"R": ["f32"], "S": ["i32"]}, fails="INVALID_ARGUMENT", says="overflow", edges=False))

# ---- Sobol's sequence
for dims, count, skip in [(1, 1, 0), (2, 4, 0), (5, 31, 0), (10, 40, 1000), (300, 9, 12345), (1111, 3, 70000),
                          (7, 1300, 3), (40, 5, 2**30 - 7)]:
    stateless("SobolSample", lit(dims), lit(count), lit(skip), attrs={"dtype": "*"})
for dims, count, skip, says in [(0, 4, 0, "dim must be"), (2, 0, 0, "num_results must be"), (2, 4, -1, "skip must be"),
                                (1, 1, 2**31 - 1, "num_results+skip must be less than 2147483647"),
                                (2560, 16384000, 0, "num_results*dim must be less than 2147483647"),
                                (30000, 1, 0, "dim must be at most")]:
    stateless("SobolSample", lit(dims, "i32", fed=True), lit(count, "i32", fed=True), lit(skip, "i32", fed=True),
              fails="INVALID_ARGUMENT", says=says)
CASES += [
    Case("RandomCrop", ["T[5,6,3]", lit([2, 3], "i64")], dtypes={"T": ["f32"]}, fails=True, edges=False,
         note="removed from graphs"),
    Case("RandomPoisson", [lit([3], "i32"), "f32[2] pos"], dtypes={"S": ["i32"]}, fails=True, edges=False,
         note="removed from graphs"),
    Case("StatefulStandardNormal", ["i64[4]", lit([3], "i64")], attrs={"dtype": "f32"}, fails=True, edges=False,
         note="removed from graphs"),
    Case("NonDeterministicInts", [lit([3, 4], "i64")], attrs={"dtype": "*"}, compare="shape", edges=False),
]


@script("StatelessParameterizedTruncatedNormal")
def bounded_samples(g):
    """Of many samples TensorFlow's threads each draw some from a place of their own; few are the same."""
    for means in (0.5, [0.5, 1.0, -1.0]):
        y = g.op("StatelessParameterizedTruncatedNormal", g.const([7, 3], "i32"), g.const([3, 4], "i64"),
                 g.const(means), g.const(2.0), g.const(-1.0), g.const(9.0))
        g.run([y])
    for dtype in ("f32", "f64"):
        low, high = g.const([-1.0, 2.0], dtype), g.const([0.5, 9.0], dtype)
        y = g.op("StatelessParameterizedTruncatedNormal", g.const([50, 2], "i32"), g.const([3, 4], "i64"),
                 g.const(0.0, dtype), g.const(2.0, dtype), low, high)
        inside = g.op("LogicalAnd", g.op("GreaterEqual", y, low), g.op("LessEqual", y, high))
        g.run([g.op("All", inside, g.const([0, 1], "i32")), g.op("Shape", y)])
    bad = g.op("StatelessParameterizedTruncatedNormal", g.const([50, 3], "i32"), g.const([3, 4], "i64"),
               g.const(0.0), g.const(2.0), g.const([-1.0, 2.0]), g.const(9.0))
    g.run([bad], says="must end with broadcasted shape")
CASES.append(bounded_samples)


@script("StochasticCastToInt")
def stochastic_cast(g):
    """In vectors and singly: the lengths are about theirs. Whole numbers draw nothing, if they are single."""
    for i, dtype in enumerate(("f32", "f64", "f16", "bf16")):
        for count in (1, 7, 8, 9, 30, 333):
            x = np.random.RandomState(count).randn(count) * 60
            x[::5] = np.floor(x[::5])
            x[3::11] = np.nan
            x[7::23], x[8::29] = 1e9, -np.inf
            for to in ("i8", "i16", "i32"):
                key, counter = g.const([7 + i], "u64"), g.const([2**40 + count, 1], "u64")
                y = g.op("StochasticCastToInt", g.const(x, dtype), key, counter, g.const(1), Tout=to)
                g.run([y])


CASES.append(stochastic_cast)
