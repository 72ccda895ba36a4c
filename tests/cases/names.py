"""Ops that are others under different names: older ones, those of compilers, debuggers and TPUs."""
import numpy as np

from graphs import tf
from opcase import Case, lit, script

CASES = []
NO_KERNEL = "it has no kernel for processors"
rng = np.random.RandomState(7)
M = rng.uniform(-1, 1, (2, 4, 4))
SPD = np.matmul(M, np.swapaxes(M, -1, -2)) + 2 * np.eye(4)
B = rng.uniform(-1, 1, (2, 4, 3))


def old(name, producer, *inputs, part=None, **attrs):
    """The op in a graph of an older version, as newer ones may not have it."""
    @script(name, rtol=1e-5, atol=1e-6)
    def build(g):
        g.proto.versions.producer = producer
        y = g.op(name, *[g.const(i) for i in inputs], **attrs)
        outs = list(y) if part is None else list(y)[:part]
        g.run([g.op("Abs", o) if o.dtype == 2 else o for o in outs])
    CASES.append(build)


def alone(name, expect, *inputs, producer=None, why=NO_KERNEL, **attrs):
    """The op on Weir only; |expect| are its results."""
    @script(name, alone=why, rtol=1e-4, atol=1e-5)
    def build(g):
        if producer:
            g.proto.versions.producer = producer
        ins = [[g.const(x) for x in i] if isinstance(i, list) else g.const(i) for i in inputs]
        g.run(list(g.op(name, *ins, **attrs)), expect=expect if isinstance(expect, list) else [expect])
    CASES.append(build)


def function(g, name, make, *specs):
    """Adds a function made by TensorFlow's front end to the graph's library."""
    made = tf.function(make).get_concrete_function(*specs).function_def
    made.signature.name = name
    g.proto.library.function.add().CopyFrom(made)
    return name


# Linear algebra.
old("BatchCholesky", 12, SPD)
old("BatchCholeskyGrad", 12, np.linalg.cholesky(SPD), np.tril(M))
old("BatchMatrixDeterminant", 12, SPD)
old("BatchMatrixInverse", 12, SPD, adjoint=True)
old("BatchMatrixSolve", 12, SPD, B)
old("BatchMatrixSolveLs", 12, SPD, B, np.float64(0.1))
old("BatchMatrixTriangularSolve", 12, SPD, B)
old("BatchSelfAdjointEig", 10, SPD)
old("SelfAdjointEig", 10, SPD[0])
old("BatchSelfAdjointEigV2", 12, SPD)
old("BatchSvd", 12, M)
old("MatrixExponential", 26, M)
old("MatrixExponential", 26, M * 20)
CASES.append(Case("CholeskyGrad", [lit(np.linalg.cholesky(SPD), "T", fed=True), "T[2,4,4]"],
                  dtypes=["f32", "f64"], edges=False, rtol=1e-3, atol=1e-4))

# Fourier transforms.
Z = (rng.uniform(-1, 1, (3, 4, 5)) + 1j * rng.uniform(-1, 1, (3, 4, 5))).astype(np.complex64)
FFTS = [(1, "FFT", np.fft.fftn), (2, "FFT2D", np.fft.fftn), (3, "FFT3D", np.fft.fftn),
        (1, "IFFT", np.fft.ifftn), (2, "IFFT2D", np.fft.ifftn), (3, "IFFT3D", np.fft.ifftn)]
for n, name, reference in FFTS:
    alone("Batch" + name, reference(Z, axes=range(3 - n, 3)).astype(np.complex64), Z, producer=14,
          why="it has no kernel any more")
I32 = np.int32
alone("FFTND", np.fft.fftn(Z, (4, 2), (2, 0)).astype(np.complex64), Z, I32([4, 2]), I32([2, 0]))
alone("IFFTND", np.fft.ifftn(Z, (6, 7), (1, 2)).astype(np.complex64), Z, I32([6, 7]), I32([1, -1]))
alone("RFFTND", np.fft.rfftn(Z.real, (3, 4), (1, 2)).astype(np.complex64), Z.real, I32([3, 4]), I32([1, 2]))
alone("IRFFTND", np.fft.irfftn(Z, (3, 4), (0, 1)).astype(np.float32), Z, I32([3, 4]), I32([0, 1]))
alone("IRFFTND", np.fft.irfftn(Z, (4, 7), (1, 2)).astype(np.float32), Z, I32([4, 7]), I32([1, 2]))

# Segments with a count.
D = np.float32([[1, 2], [3, 4], [5, 6]])
IDS = I32([0, 0, 2])
alone("SegmentSumV2", np.float32([[4, 6], [0, 0], [5, 6]]), D, IDS, I32(3))
alone("SegmentProdV2", np.float32([[3, 8], [1, 1], [5, 6]]), D, IDS, I32(3))
alone("SegmentMaxV2", np.int32([3, -2**31, 5]), I32([1, 3, 5]), IDS, I32(3))
alone("SegmentMinV2", np.int32([1, 2**31 - 1, 5]), I32([1, 3, 5]), IDS, I32(3))


@script("TensorArray")
def first_arrays(g):
    g.proto.versions.producer = 15
    flow = g.const(0.0)
    a = g.op("TensorArray", g.const(3), dtype="f32", clear_after_read=False)
    one = g.op("TensorArrayWrite", a, g.const(0), g.const([1.0, 2.0]), flow)
    two = g.op("TensorArrayScatter", a, g.const([1, 2]), g.const([[3.0, 4.0], [5.0, 6.0]]), one)
    g.run([g.op("TensorArrayRead", a, g.const(2), two, dtype="f32"),
           g.op("TensorArrayGather", a, g.const([2, 0]), two, dtype="f32"),
           g.op("TensorArrayPack", a, two, dtype="f32"), g.op("TensorArraySize", a, two)])
    joined = g.op("TensorArrayConcat", a, two, dtype="f32")
    g.run([joined[0], joined[1]])
    b = g.op("TensorArray", g.const(2), dtype="f32")
    parts = g.op("TensorArraySplit", b, g.const([1.0, 2.0, 3.0]), g.const([1, 2], "i64"), flow)
    last = g.op("TensorArrayRead", b, g.const(1), parts, dtype="f32")
    g.run([last], targets=[g.op("TensorArrayClose", b, _control=[last])])
    c = g.op("TensorArray", g.const(2), dtype="f32", clear_after_read=False)
    rows = g.op("TensorArrayUnpack", c, g.const([[1.0], [2.0]]), flow)
    g.run([g.op("TensorArrayRead", c, g.const(1), rows, dtype="f32")])
    d = g.op("TensorArrayGrad", g.op("Identity", c, T="str"), rows, source="g")
    w = g.op("TensorArrayWrite", d, g.const(1), g.const([7.0]), flow)
    w2 = g.op("TensorArrayWrite", d, g.const(1), g.const([1.0]), w)
    g.run([g.op("TensorArrayRead", d, g.const(1), w2, dtype="f32")])


CASES.append(first_arrays)


@script("Send")
def send_recv(g):
    ends = dict(tensor_name="edge", send_device="/job:localhost/replica:0/task:0/device:CPU:0",
                send_device_incarnation=1, recv_device="/job:localhost/replica:0/task:0/device:CPU:0")
    g.run([g.op("Recv", tensor_type="f32", **ends)], targets=[g.op("Send", g.const([1.5, 2.0]), **ends)])


CASES.append(send_recv)

# What debuggers and compilers write.
CASES += [
    Case("Copy", ["T[2,3]"], dtypes=["f32", "str"]),
    Case("CopyHost", ["T[2,3]"], dtypes=["f32"]),
    Case("DebugIdentity", ["T[2,3]"], dtypes=["f32"], infer=False, attrs={"tensor_name": "x:0"}),
    Case("DebugIdentityV2", ["T[2,3]"], dtypes=["f32"]),
    Case("DebugIdentityV3", ["T[2,3]"], dtypes=["f32"], infer=False, attrs={"tensor_name": "x:0"}),
    Case("DebugNanCount", [lit([1.0, np.nan, 2.0], "T", fed=True)], dtypes=["f32", "f64"], infer=False,
         attrs={"tensor_name": "x:0"}),
    Case("DebugNumericSummary", [lit([[1.0, np.nan, -2.0], [0.0, np.inf, -np.inf]], "T", fed=True)],
         dtypes=["f32", "f64"], infer=False,
         attrs={"tensor_name": "x:0"}),
    Case("DebugNumericSummary", [lit([[1.0, -3.0, 6.0]], "T", fed=True)], dtypes=["f32"], infer=False,
         attrs={"tensor_name": "x:0", "lower_bound": -2.0, "upper_bound": 5.0}),
    Case("XlaSharding", ["T[2,3]"], dtypes=["f32"], grad=True, numeric=False),
    Case("XlaOptimizationBarrier", [["f32[2,3]", "i32[4]"]], attrs={"T": ["f32", "i32"]}, edges=False),
]
for mode in [2, 3, 4, 5, 8]:
    CASES.append(Case("DebugNumericSummaryV2",
                      [lit([[1.0, np.nan, -2.0], [0.0, np.inf, -np.inf]], "T", fed=True)],
                      dtypes=["f32", "f64"], infer=False, attrs={"tensor_debug_mode": mode, "tensor_id": 5}))


@script("DebugGradientRefIdentity")
def ref_identity(g):
    v = g.op("VariableV2", dtype="f32", shape=[2])
    g.run(targets=[g.op("Assign", v, g.const([1.0, 2.0]))])
    g.run([g.op("DebugGradientRefIdentity", v)])


CASES.append(ref_identity)
X = np.float32([[1, 2, 3], [4, 5, 6]])
alone("XlaSpmdFullToShardShape", X, X, manual_sharding="")
alone("XlaSpmdShardToFullShape", X, X, manual_sharding="", full_shape=[2, 3])
alone("XlaClusterOutput", X, X)
alone("XlaRemoveDynamicDimensionSize", X, X, I32(0))
alone("XlaSetBound", I32(5), I32(5), I32(9))
alone("XlaReplicaId", I32(0))
alone("TPUReplicatedInput", X, [X, X + 1])
alone("TPUReplicatedOutput", [X, X], X, num_replicas=2)
alone("TPUCompilationResult", np.array(b"", object))
alone("TPUEmbeddingActivations", X, np.float32(0), X, table_id=0, lookup_id=0)
alone("TPUPartitionedInput", np.concatenate([X, X + 1], 1), [X, X + 1], partition_dim=1)
alone("TPUPartitionedInput", X, [X, X], partition_dim=-1)
alone("TPUPartitionedInputV2", np.concatenate([X, X + 1]), [X, X + 1], partition_dims=[2, 1])
alone("TPUPartitionedOutput", [X[:1], X[1:]], X, num_splits=2, partition_dim=0)
alone("TPUPartitionedOutputV2", [X[:, i:i + 1] for i in range(3)], X, num_splits=3, partition_dims=[1, 3])
alone("XlaSplitND", [np.float32([[1, 2]]), np.float32([[3, 0]]), np.float32([[4, 5]]), np.float32([[6, 0]])],
      X, N=4, num_splits=[2, 2], paddings=[0, 1])
alone("XlaConcatND", X, [np.float32([[1, 2], [4, 5]]), np.float32([[3, 9], [6, 9]])],
      num_concats=[1, 2], paddings=[0, 1])


@script("ReadVariableXlaSplitND", alone=NO_KERNEL)
def split_variable(g):
    v = g.op("VarHandleOp", dtype="f32", shape=[2, 3])
    g.run(targets=[g.op("AssignVariableXlaConcatND", v, [g.const(X[:, :2]), g.const(X[:, 2:].repeat(2, 1))],
                        T="f32", num_concats=[1, 2], paddings=[0, 1])])
    parts = g.op("ReadVariableXlaSplitND", v, T="f32", N=2, num_splits=[2, 1])
    g.run([parts[0], parts[1]], expect=[X[:1], X[1:]])


CASES.append(split_variable)


@script("SyncDevice", alone=NO_KERNEL)
def no_ops(g):
    g.run(targets=[g.op("SyncDevice"), g.op("TPUReplicateMetadata", num_replicas=1)])


CASES.append(no_ops)

# A small set of ops under names of their own.
P = np.float32([0.5, 2.0, 3.5])
Q = np.float32([2.0, -1.0, 2.0])
for name, of in [("Abs", np.abs), ("Ceil", np.ceil), ("Cos", np.cos), ("Exp", np.exp), ("Floor", np.floor),
                 ("Log", np.log), ("Neg", np.negative), ("Sign", np.sign)]:
    alone("Risc" + name, of(P), P)
    alone("RiscUnary", of(P), P, op_type="ABL" if name == "Abs" else name.upper())
BINARY = [("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply), ("Div", np.divide), ("Rem", np.fmod),
          ("Min", np.minimum), ("Pow", np.power)]
for name, of in BINARY + [("Max", np.maximum)]:
    alone("Risc" + name, of(P, Q), P, Q)
for name, of in BINARY:
    alone("RiscBinaryArithmetic", of(P, Q), P, Q, op_type=name.upper())
for name, of in [("EQ", np.equal), ("NE", np.not_equal), ("GE", np.greater_equal), ("GT", np.greater),
                 ("LE", np.less_equal), ("LT", np.less)]:
    alone("RiscBinaryComparison", of(P, Q), P, Q, op_type=name)
TF_ = np.array([True, False])
alone("RiscLogicalAnd", TF_ & True, TF_, np.array(True))
alone("RiscLogicalOr", TF_ | True, TF_, np.array(True))
alone("RiscLogicalNot", ~TF_, TF_)
alone("RiscIsFinite", np.array([True, False]), np.float32([1, np.inf]))
alone("RiscBitcast", P.view(np.int32), P, DstT="i32")
alone("RiscCast", P.astype(np.int32), P, DstT="i32")
alone("RiscBroadcast", np.tile(P, (2, 1)), P, I32([2, 3]))
alone("RiscCholesky", np.linalg.cholesky(SPD).astype(np.float32), SPD.astype(np.float32))
alone("RiscConcat", np.concatenate([X, X], 1), [X, X], I32(1))
alone("RiscDot", X @ X.T, X, X, transpose_b=True)
alone("RiscFft", np.fft.fft(Z).astype(np.complex64), Z)
alone("RiscGather", X[:, [2, 0]], X, I32([2, 0]), I32(1))
alone("RiscImag", Z.imag, Z)
alone("RiscReal", Z.real, Z)
alone("RiscPad", np.pad(X, ((1, 0), (0, 2)), constant_values=9), X, I32([[1, 0], [0, 2]]), np.float32(9))
alone("RiscReshape", X.reshape(3, 2), X, I32([3, -1]))
alone("RiscReverse", X[:, ::-1], X, I32([1]))
alone("RiscScatter", np.float32([0, 5, 0, 7]), I32([[1], [3]]), np.float32([5, 7]), I32([4]))
alone("RiscShape", I32([2, 3]), X)
alone("RiscSlice", X[1:, :2], X, I32([1, 0]), I32([1, 2]))
alone("RiscSqueeze", X, X[None], squeeze_dims=[0])
alone("RiscTranspose", X.T, X, I32([1, 0]))
alone("RiscTriangularSolve", np.linalg.solve(np.tril(SPD), B).astype(np.float32), SPD.astype(np.float32),
      B.astype(np.float32))
alone("RiscReduce", X.mean(0), X, I32([0]), reduce_type="MEAN")
alone("RiscReduce", X.sum(1), X, I32([1]), reduce_type="SUM")
IMAGE = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
alone("RiscPool", IMAGE[:, 1::2, 1::2], IMAGE, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], pooling_type="MAX")
alone("RiscPool", IMAGE[:, ::2, ::2] + 2.5, IMAGE, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], pooling_type="AVG")
alone("RiscConv", IMAGE[:, :3, :3] * 2 + 5, IMAGE, np.float32([[[[1]], [[0]]], [[[0]], [[1]]]]), strides=[1, 1, 1, 1])


@script("RiscRandomUniform", alone=NO_KERNEL)
def risc_random(g):
    x = g.op("RiscRandomUniform", g.const([20]), seed=3)
    g.run([g.op("All", g.op("Less", x, g.const(1.0)), g.const([0])), g.op("Shape", x)], expect=[True, I32([20])])


CASES.append(risc_random)
F = tf.TensorSpec([], tf.float32)


def loop(name, **options):
    @script(name, **options)
    def build(g):
        cond = function(g, "cond", lambda x: x < 20.0, F)
        body = function(g, "body", lambda x: x * 3.0, F)
        expect = {"expect": [np.float32(27)]} if options else {}
        g.run([g.op(name, [g.const(1.0)], cond=cond, body=body)], **expect)
    CASES.append(build)


loop("XlaWhile")
loop("RiscWhile", alone=NO_KERNEL)


@script("XlaIf", alone="its kernel wants an attr that the op does not have")
def xla_if(g):
    yes, no = function(g, "yes", lambda x: x * 3.0, F), function(g, "no", lambda x: x - 1.0, F)
    p = g.placeholder("bool", [])
    y = g.op("XlaIf", p, [g.const(5.0)], Tout=["f32"], then_branch=yes, else_branch=no)
    g.run([y], {p: True}, expect=[np.float32(15)])
    g.run([y], {p: False}, expect=[np.float32(4)])


CASES.append(xla_if)


@script("RiscCondition", alone=NO_KERNEL)
def condition(g):
    yes, no = function(g, "yes", lambda x: x * 3.0, F), function(g, "no", lambda x: x - 1.0, F)
    p = g.placeholder("bool", [])
    y = g.op("RiscCondition", p, g.const(5.0), g.const(7.0), DstT="f32", func_true=yes, func_false=no)
    g.run([y], {p: True}, expect=[np.float32(15)])
    g.run([y], {p: False}, expect=[np.float32(6)])


CASES.append(condition)


@script("XlaLaunch", alone="it compiles")
def launch(g):
    f = function(g, "f", lambda x, y: x - y, F, F)
    g.run([g.op("XlaLaunch", [g.const(5.0)], [g.const(2.0)], [], Tresults=["f32"], function=f, Nresources=0),
           g.op("XlaLaunchV2", [g.const(5.0), g.const(1.0)], Tresults=["f32"], function=f, constants=[], resources=[]),
           g.op("TPUPartitionedCall", [g.const(5.0), g.const(3.0)], g.const(0), Tout=["f32"], f=f)],
          expect=[np.float32(3), np.float32(4), np.float32(2)])


CASES.append(launch)
