"""Convolutions and norms made of others, uniform quantisation, sound, exchanges of one replica."""
import numpy as np

from opcase import Case, lit, script

CASES = []
NO_KERNEL = "it has no kernel for processors"


def add(op, *inputs, **options):
    options.setdefault("edges", False)
    options.setdefault("infer", False)
    CASES.append(Case(op, list(inputs), **options))


def alone(name, expect, *inputs, **attrs):
    @script(name, alone=NO_KERNEL, rtol=1e-5, atol=1e-6)
    def build(g):
        ins = [[g.const(x) for x in i] if isinstance(i, list) else g.const(i) for i in inputs]
        g.run(list(g.op(name, *ins, **attrs)), expect=expect if isinstance(expect, list) else [expect])
    CASES.append(build)


F = ["f32", "f64"]
CLOSE = dict(rtol=1e-4, atol=1e-4)
add("Conv", "T[2,7,6,3]", "T[3,2,3,4]", attrs={"strides": [1, 2, 1, 1], "padding": "SAME"}, dtypes=F, **CLOSE)
add("Conv", "T[2,5,7,6,3]", "T[2,3,2,3,4]", attrs={"strides": [1, 1, 1, 1, 1], "padding": "VALID"}, dtypes=F, **CLOSE)
add("Conv", "T[2,3,7,6,3]", "T[3,2,3,4]", attrs={"strides": [1, 1, 1, 1], "padding": "VALID", "batch_dims": 2},
    dtypes=["f32"], **CLOSE)
add("Conv", "T[2,7]", "T[3,2,3,4]", attrs={"strides": [1, 1, 1, 1], "padding": "VALID"}, dtypes=["f32"], fails=True)
# TensorFlow's fused convolutions are wrong from the second image of a batch on: one is compared.
PAD = lit([[0, 0], [1, 2], [2, 0], [0, 0]])
for mode in ["REFLECT", "SYMMETRIC"]:
    add("FusedPadConv2D", "T[1,5,6,3]", PAD, "T[3,2,3,4]", dtypes=["f32"], **CLOSE,
        attrs={"mode": mode, "strides": [1, 1, 1, 1], "padding": "VALID"})
add("FusedResizeAndPadConv2D", "T[1,5,6,3]", lit([9, 8]), PAD, "T[3,2,3,4]", dtypes=["f32"], **CLOSE,
    attrs={"mode": "REFLECT", "strides": [1, 1, 1, 1], "padding": "VALID"})

X = np.arange(2 * 4 * 4, dtype=np.float32).reshape(1, 4, 4, 2)
K = np.ones((1, 1, 2, 3), np.float32)
DY = np.ones((1, 4, 4, 3), np.float32)
alone("Conv2DBackpropInputV2", np.full_like(X, 3), X, K, DY, strides=[1, 1, 1, 1], padding="VALID")
alone("Conv2DBackpropFilterV2", np.repeat(X.sum((0, 1, 2)).reshape(1, 1, 2, 1), 3, 3), X, K, DY,
      strides=[1, 1, 1, 1], padding="VALID")
alone("MaxPoolGradGradWithArgmax", np.float32([10, 31]).reshape(1, 1, 1, 2), X, X, np.int64([10, 31]).reshape(1, 1, 1, 2),
      ksize=[1, 4, 4, 1], strides=[1, 1, 1, 1], padding="VALID")
alone("MakeUnique", np.array([[0x00800000, 0x3F800001, 0x3F800002]], np.uint32).view(np.float32),
      np.float32([[0, 1, 1]]))
alone("TopKUnique", [np.float32([[5, 3]]), np.int32([[1, 0]])], np.float32([[3, 5, 1]]), k=2)


def old(name, producer, *inputs, **attrs):
    @script(name, rtol=1e-4, atol=1e-4)
    def build(g):
        g.proto.versions.producer = producer
        g.run(list(g.op(name, *[g.const(i) for i in inputs], **attrs)))
    CASES.append(build)


R = np.random.RandomState(5)
T = R.uniform(-1, 1, (2, 3, 4, 5)).astype(np.float32)
M, V, B, G = [R.uniform(0.1, 1, 5).astype(np.float32) for _ in range(4)]
for scaled in [False, True]:
    old("BatchNormWithGlobalNormalization", 8, T, M, V, B, G, variance_epsilon=0.01, scale_after_normalization=scaled)
    old("BatchNormWithGlobalNormalizationGrad", 8, T, M, V, G, T * 2 + 1, variance_epsilon=0.01,
        scale_after_normalization=scaled)
old("AdjustContrast", 1, T * 10, np.float32(1.5), np.float32(-6), np.float32(7))
old("AdjustContrast", 1, (T * 10).astype(np.int32), np.float32(1.5), np.float32(-60), np.float32(70))

add("AudioSpectrogram", "f32[100,2]", attrs={"window_size": 20, "stride": 7}, rtol=1e-3, atol=1e-3)
add("AudioSpectrogram", "f32[100,1]", attrs={"window_size": 32, "stride": 16, "magnitude_squared": True}, rtol=1e-3,
    atol=1e-3)
add("AudioSpectrogram", "f32[10,1]", attrs={"window_size": 32, "stride": 16})
add("Mfcc", "f32[2,5,129] pos", lit(16000), rtol=1e-3, atol=1e-3)
add("Mfcc", "f32[1,3,65] pos", lit(8000), rtol=1e-3, atol=1e-3,
    attrs={"upper_frequency_limit": 3000.0, "filterbank_channel_count": 10, "dct_coefficient_count": 7})

RANGE8 = {"quantization_min_val": -128, "quantization_max_val": 127}
RANGE32 = {"quantization_min_val": -2**31, "quantization_max_val": 2**31 - 1}


def named(prefix, values):
    return {prefix + k: v for k, v in values.items()}


Q8, Q32 = "qi8", "qi32"
for axis, scales, points in [(-1, 0.3, 3), (1, [0.1, 0.5, 0.25], [1, -4, 0])]:
    add("UniformQuantize", "f32[2,3]", lit(scales, "f32"), lit(points, "i32"),
        attrs=dict(RANGE8, Tout=Q8, quantization_axis=axis))
    add("UniformDequantize", lit(np.int8([[1, 2, -3], [100, -128, 127]]), Q8, fed=True), lit(scales, "f32"),
        lit(points, "i32"), attrs=dict(RANGE8, Tout="f32", quantization_axis=axis))
    add("UniformRequantize", lit(np.int32([[1, 2, -3], [100, -1280, 1277]]), Q32, fed=True), lit(scales, "f32"),
        lit(points, "i32"), lit(0.7, "f32"), lit(2, "i32"),
        attrs=dict(named("input_", RANGE32), **named("output_", RANGE8), Tout=Q8, input_quantization_axis=axis))
A32 = lit(np.int32([[10, 20, -35], [1000, -128, 127]]), Q32, fed=True)
B32 = lit(np.int32([7, -9, 44]), Q32, fed=True)
ONE = [lit(0.5, "f32"), lit(3, "i32"), lit(0.25, "f32"), lit(-2, "i32"), lit(0.75, "f32"), lit(1, "i32")]
THREE32 = dict(named("lhs_", RANGE32), **named("rhs_", RANGE32), **named("output_", RANGE32))
add("UniformQuantizedAdd", A32, B32, *ONE, attrs=THREE32)
add("UniformQuantizedClipByValue", A32, lit(-20, Q32), lit(90, Q32), lit(0.5, "f32"), lit(0, "i32"), attrs=RANGE32)
A8, B8 = lit(np.int8([[1, 2, -3], [100, -128, 127]]), Q8, fed=True), lit(np.int8([[4, 5], [-6, 7], [8, 9]]), Q8, fed=True)
add("UniformQuantizedDot", A8, B8, *ONE, attrs=dict(
    named("lhs_", RANGE8), **named("rhs_", RANGE8), **named("output_", RANGE32), Tout=Q32))
add("UniformQuantizedDotHybrid", "f32[2,3]", B8, lit(0.5, "f32"), lit(1, "i32"),
    attrs=dict(named("rhs_", RANGE8), Tout="f32"), rtol=0.05, atol=0.3)


@script("HostConst")
def host_const(g):
    from dtypes import Value
    g.run([g.op("HostConst", dtype="f32", value=Value([1.0, 2.0], "f32"))])


CASES.append(host_const)
P = np.float32([[1, 2], [3, 4]])
ALONE = np.int32([[0]])
alone("CrossReplicaSum", P, P, ALONE)
alone("AllToAll", P, P, ALONE, concat_dimension=0, split_dimension=1, split_count=1)
alone("CollectivePermute", P, P, np.int32([[0, 0]]))
alone("CollectivePermute", P * 0, P, np.zeros((0, 2), np.int32))
alone("XlaAllReduce", P, P, ALONE, reduce_op="Add", mode="CrossReplica")
alone("XlaReduceScatter", P, P, ALONE, np.int32(0), reduce_op="Add")
alone("IsTPUEmbeddingInitialized", np.array(False))
alone("TPURoundRobin", np.int32(0))
alone("TPUAnnotateTensorsWithDynamicShape", [P, P + 1], [P, P + 1])
alone("TPUDummyInput", P * 0, dtype="f32", shape=[2, 2])


@script("TPUCompileSucceededAssert", alone=NO_KERNEL)
def compiled(g):
    g.run(targets=[g.op("TPUCompileSucceededAssert", g.op("TPUCompilationResult"))])


CASES.append(compiled)

# Sparse matrices entry by entry.
S1, S2 = np.float32([[1, 0, 2], [0, 0, 3]]), np.float32([[0, 4, 5], [0, 6, 0]])


@script("SparseMatrixAdd", alone=NO_KERNEL, rtol=1e-5)
def sparse_elements(g):
    def sparse(dense):
        return g.op("DenseToCSRSparseMatrix", g.const(dense), g.const(np.argwhere(dense).astype(np.int64)))
    dense = lambda m: g.op("CSRSparseMatrixToDense", m, type="f32")
    a, b = sparse(S1), sparse(S2)
    soft = np.where(S1 != 0, np.exp(S1), 0)
    soft = (soft / soft.sum(1, keepdims=True)).astype(np.float32)
    slope = np.float32([[0, 4, 5], [0, 6, 0]])
    grad = (slope - (slope * soft).sum(1, keepdims=True)) * soft
    g.run([dense(g.op("SparseMatrixAdd", a, b, g.const(2.0), g.const(-1.0))),
           dense(g.op("SparseMatrixMul", a, g.const(3.0))),
           dense(g.op("SparseMatrixMul", a, g.const(np.float32([[2], [5]])))),
           dense(g.op("SparseMatrixZeros", g.const(np.int64([2, 3])), type="f32")),
           dense(g.op("SparseMatrixSoftmax", a, type="f32")),
           dense(g.op("SparseMatrixSoftmaxGrad", g.op("SparseMatrixSoftmax", a, type="f32"), b, type="f32"))],
          expect=[2 * S1 - S2, 3 * S1, S1 * np.float32([[2], [5]]), S1 * 0, soft, grad.astype(np.float32)])


CASES.append(sparse_elements)

# Where tensors lie, and how devices share them.
alone("Relayout", P, P, layout="")
alone("RelayoutLike", P, P, np.int32(1))
alone("CopyToMesh", P, P, mesh="")
alone("CopyToMeshGrad", P, P, P)
alone("NcclAllReduce", P, P, reduction="sum", num_devices=1, shared_name="s")
alone("NcclBroadcast", P, P, shape=[2, 2])
for name, reduced in [("sum", P * 4), ("prod", P * P * P * 2), ("min", P), ("max", P * 2)]:
    parts = {"prod": [P, P, P * 2], "sum": [P, P, P * 2]}.get(name, [P, P * 2, P])
    alone("NcclReduce", reduced, parts, reduction=name)
add("CollectiveAssignGroupV2", lit([[0, 1], [2, 3]], fed=True), lit(2, fed=True), lit(7, fed=True))


@script("QuantizedReluX", alone="it has no kernel", rtol=1e-5)
def relu_x(g):
    y = g.op("QuantizedReluX", g.const(np.uint8([0, 60, 200]), "qu8"), g.const(1.0), g.const(-1.0), g.const(4.0))
    g.run([g.op("Bitcast", y[0], type="u8"), y[1], y[2]],
          expect=[np.uint8([51, 60, 102]), np.float32(-1), np.float32(4)])


CASES.append(relu_x)


@script("SdcaShrinkL1")
def shrink(g):
    v = [g.op("VariableV2", dtype="f32", shape=[3]) for _ in range(2)]
    g.run(targets=[g.op("Assign", w, g.const(x)) for w, x in zip(v, [[1.0, -0.2, 3.0], [-4.0, 0.5, 0.0]])])
    g.run(targets=[g.op("SdcaShrinkL1", v, num_features=2, l1=1.0, l2=2.0)])
    g.run(v)


CASES.append(shrink)


@script("QuantizedConcatV2", alone="its kernel does nothing without oneDNN", rtol=1e-5)
def quantized_concat(g):
    q = lambda *x: g.const(np.uint8([x]), "qu8")
    y = g.op("QuantizedConcatV2", [q(1, 2), q(3, 4)], g.const(0), [g.const(0.0), g.const(0.0)],
             [g.const(1.0), g.const(1.0)])
    g.run([g.op("Bitcast", y[0], type="u8"), y[1], y[2]], expect=[np.uint8([[1, 2], [3, 4]]), np.float32(0), np.float32(1)])


CASES.append(quantized_concat)
