"""Neural network ops."""
from compare import difference
from opcase import Case, lit, script

S1, S2 = [1, 1, 1, 1], [1, 2, 2, 1]
SAME, VALID = {"padding": "SAME"}, {"padding": "VALID"}


def conv(strides=S1, padding="SAME", **more):
    return {"strides": strides, "padding": padding, **more}


def pool(ksize=(1, 2, 2, 1), strides=(1, 2, 2, 1), padding="VALID", **more):
    return {"ksize": list(ksize), "strides": list(strides), "padding": padding, **more}


ROOMY = {"edges": False}  # shapes that only make sense together
WIDE = ["f32", "f64"]
# TensorFlow sums 16-bit floats in 16 bits, so that its own results are that coarse.
NARROW = {"dtypes": ["f16", "bf16"], "rtol": 0.15, "atol": 0.03, "edges": False}

CASES = [
    Case("MatMul", ["T[3,4]", "T[4,5]"], grad=2),
    Case("MatMul", ["T[4,3]", "T[4,5]"], attrs={"transpose_a": True}, grad=True, note="ta"),
    Case("MatMul", ["T[3,4]", "T[5,4]"], attrs={"transpose_b": True}, grad=True, note="tb"),
    Case("MatMul", ["T[4,3]", "T[5,4]"], attrs={"transpose_a": True, "transpose_b": True},
         grad=True, note="ta tb"),
    Case("MatMul", ["T[37,65]", "T[65,70]"], dtypes=["f32", "f64", "f16", "bf16"], note="tiles",
         **ROOMY),
    Case("MatMul", ["T[1,65]", "T[65,33]"], dtypes=["f32", "f64"], note="row", **ROOMY),
    Case("MatMul", ["T[33,65]", "T[65,1]"], dtypes=["f32", "f64"], note="column", **ROOMY),
    Case("MatMul", ["T[2,3]", "T[4,5]"], dtypes=["f32"], fails="INVALID_ARGUMENT", **ROOMY),
    Case("MatMul", ["T[2,3,4]", "T[4,5]"], dtypes=["f32"], fails="INVALID_ARGUMENT", **ROOMY),
    Case("BatchMatMul", ["T[2,3,4]", "T[2,4,5]"], grad=2),
    Case("BatchMatMulV2", ["T[2,3,4]", "T[2,4,5]"], grad=True),
    Case("BatchMatMulV2", ["T[2,1,3,4]", "T[3,4,5]"], grad=True, note="broadcast"),
    Case("BatchMatMulV2", ["T[4,3]", "T[2,4,5]"], attrs={"adj_x": True}, grad=True, note="ax"),
    Case("BatchMatMulV2", ["T[2,3,4]", "T[5,4]"], attrs={"adj_y": True}, grad=True, note="ay"),
    Case("BatchMatMulV2", ["T[2,4,3]", "T[2,5,4]"], attrs={"adj_x": True, "adj_y": True}, grad=True,
         note="ax ay"),
    Case("BatchMatMulV3", ["Ta[2,3,4]", "Tb[4,5]"], attrs={"Tout": "f32"},
         dtypes={"Ta": ["f32"], "Tb": ["f32"]}, grad=True),
    Case("BatchMatMulV3", ["Ta[2,3,4]", "Tb[2,4,5]"], attrs={"Tout": "i32"},
         dtypes={"Ta": ["i8", "u8"], "Tb": ["i8", "u8"]}),

    Case("Conv2D", ["T[2,5,6,3]", "T[3,3,3,4]"], attrs=conv(), grad=2, dtypes=WIDE, **ROOMY),
    Case("Conv2D", ["T[2,5,6,3]", "T[3,2,3,4]"], attrs=conv(padding="VALID"), grad=True,
         dtypes=WIDE, note="valid"),
    Case("Conv2D", ["T[2,5,6,3]", "T[3,3,3,4]"], attrs=conv(), grad=True, note="16-bit", **NARROW),
    Case("Conv2D", ["T[2,5,6,3]", "T[3,3,3,4]"], attrs=conv(), dtypes=["i32"], note="integers", **ROOMY),
    Case("Conv2D", ["T[2,7,8,2]", "T[3,3,2,5]"], attrs=conv(S2), grad=True, note="stride", **ROOMY),
    Case("Conv2D", ["T[1,9,8,2]", "T[3,3,2,3]"], attrs=conv([1, 2, 3, 1], "VALID"), grad=True,
         note="strides", **ROOMY),
    Case("Conv2D", ["T[1,9,9,2]", "T[3,3,2,3]"], attrs=conv(dilations=[1, 2, 2, 1]), dtypes=WIDE,
         note="dilated", **ROOMY),
    Case("Conv2D", ["T[2,6,5,4]", "T[3,3,2,6]"], attrs=conv(), dtypes=WIDE, note="groups", **ROOMY),
    Case("Conv2D", ["T[2,6,5,4]", "T[3,3,4,6]"], grad=True, note="explicit",
         attrs=conv(padding="EXPLICIT", explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0]),
         dtypes=WIDE, **ROOMY),
    Case("Conv2D", ["T[3,4,4,16]", "T[1,1,16,33]"], attrs=conv(), grad=True, dtypes=["f32", "f64"],
         note="1x1", **ROOMY),
    # By fewer multiplications, in a basis where sums round by a few millionths of the largest.
    Case("Conv2D", ["T[3,17,15,18]", "T[5,5,18,37]"], attrs=conv(), grad=True, dtypes=["f32"],
         note="wide", rtol=6e-5, **ROOMY),
    Case("Conv2D", ["T[2,3,3,3]", "T[5,5,3,4]"], attrs=conv(padding="VALID"), dtypes=["f32"],
         fails="INVALID_ARGUMENT", **ROOMY),
    Case("Conv2D", ["T[2,5,5,3]", "T[3,3,2,4]"], attrs=conv(), dtypes=["f32"],
         fails="INVALID_ARGUMENT", **ROOMY),
    Case("Conv2DBackpropInput", [lit([2, 5, 6, 3]), "T[3,3,3,4]", "T[2,5,6,4]"], attrs=conv(),
         grad=True, dtypes=WIDE, **ROOMY),
    Case("Conv2DBackpropInput", [lit([2, 5, 6, 3]), "T[3,3,3,4]", "T[2,5,6,4]"], attrs=conv(),
         note="16-bit", **NARROW),
    Case("Conv2DBackpropInput", [lit([2, 5, 6, 3]), "T[3,3,3,4]", "T[2,5,5,4]"], attrs=conv(),
         dtypes=["f32"], fails="INVALID_ARGUMENT", **ROOMY),
    Case("Conv2DBackpropFilter", ["T[2,5,6,3]", lit([3, 3, 3, 4]), "T[2,5,6,4]"], attrs=conv(),
         grad=True, dtypes=WIDE, **ROOMY),
    Case("Conv2DBackpropFilter", ["T[2,5,6,3]", lit([3, 3, 3, 4]), "T[2,5,6,4]"], attrs=conv(),
         note="16-bit", **NARROW),
    Case("DepthwiseConv2dNative", ["T[2,5,6,3]", "T[3,3,3,2]"], attrs=conv(), grad=2, dtypes=WIDE, **ROOMY),
    Case("DepthwiseConv2dNative", ["T[2,5,6,3]", "T[3,3,3,2]"], attrs=conv(), note="16-bit", **NARROW),
    Case("DepthwiseConv2dNative", ["T[2,7,8,5]", "T[3,2,5,1]"], attrs=conv(S2, "VALID"), grad=True,
         note="valid", dtypes=WIDE, **ROOMY),
    Case("DepthwiseConv2dNativeBackpropInput", [lit([2, 5, 6, 3]), "T[3,3,3,2]", "T[2,5,6,6]"],
         attrs=conv(), grad=True, dtypes=WIDE, **ROOMY),
    Case("DepthwiseConv2dNativeBackpropInput", [lit([2, 5, 6, 3]), "T[3,3,3,2]", "T[2,5,6,6]"],
         attrs=conv(), note="16-bit", **NARROW),
    Case("DepthwiseConv2dNativeBackpropFilter", ["T[2,5,6,3]", lit([3, 3, 3, 2]), "T[2,5,6,6]"],
         attrs=conv(), grad=True, dtypes=WIDE, **ROOMY),
    Case("DepthwiseConv2dNativeBackpropFilter", ["T[2,5,6,3]", lit([3, 3, 3, 2]), "T[2,5,6,6]"],
         attrs=conv(), note="16-bit", **NARROW),
    Case("Conv3D", ["T[2,4,5,3,2]", "T[2,3,2,2,3]"], attrs=conv([1] * 5), grad=2, dtypes=WIDE, **ROOMY),
    Case("Conv3D", ["T[2,4,5,3,2]", "T[2,3,2,2,3]"], attrs=conv([1] * 5), note="16-bit", **NARROW),
    Case("Conv3D", ["T[1,5,6,5,2]", "T[2,3,2,2,3]"], attrs=conv([1, 2, 2, 1, 1], "VALID"), grad=True,
         note="strides", dtypes=WIDE, **ROOMY),
    Case("Conv3DBackpropInputV2", [lit([1, 4, 5, 3, 2]), "T[2,3,2,2,3]", "T[1,4,5,3,3]"],
         attrs=conv([1] * 5), grad=True, dtypes=WIDE, **ROOMY),
    Case("Conv3DBackpropInputV2", [lit([1, 4, 5, 3, 2]), "T[2,3,2,2,3]", "T[1,4,5,3,3]"],
         attrs=conv([1] * 5), note="16-bit", **NARROW),
    Case("Conv3DBackpropFilterV2", ["T[1,4,5,3,2]", lit([2, 3, 2, 2, 3]), "T[1,4,5,3,3]"],
         attrs=conv([1] * 5), grad=True, dtypes=WIDE, **ROOMY),
    Case("Conv3DBackpropFilterV2", ["T[1,4,5,3,2]", lit([2, 3, 2, 2, 3]), "T[1,4,5,3,3]"],
         attrs=conv([1] * 5), note="16-bit", **NARROW),

    Case("MaxPool", ["T[2,6,5,3] distinct"], attrs=pool(), grad=2, **ROOMY),
    Case("MaxPool", ["T[2,6,5,3] distinct"], attrs=pool((1, 3, 2, 1), padding="SAME"), grad=True,
         note="same", **ROOMY),
    Case("MaxPool", ["T[1,7,7,2] distinct"], attrs=pool((1, 3, 3, 1)), grad=True, note="overlap",
         **ROOMY),
    Case("MaxPool", ["T[2,3,3,6] distinct"], attrs=pool((1, 1, 1, 2), (1, 1, 1, 2)),
         dtypes=["f32", "f64"], note="depth", **ROOMY),
    Case("MaxPool", ["T[2,6,5,3] distinct"], dtypes=["f32", "f64"], note="explicit",
         attrs=pool((1, 3, 3, 1), padding="EXPLICIT", explicit_paddings=[0, 0, 1, 1, 0, 2, 0, 0]),
         **ROOMY),
    Case("MaxPool", ["T[2,4,4,3]"], attrs=pool((2, 2, 2, 1)), dtypes=["f32"], fails=True, **ROOMY),
    Case("MaxPoolV2", ["T[2,6,5,3] distinct", lit([1, 2, 2, 1]), lit([1, 2, 2, 1])], attrs=VALID,
         grad=True, **ROOMY),
    Case("MaxPoolGrad", ["T[2,6,6,3] distinct", "T[2,3,3,3]", "T[2,3,3,3]"], attrs=pool(), **ROOMY),
    Case("MaxPoolGradV2", ["T[2,6,6,3] distinct", "T[2,3,3,3]", "T[2,3,3,3]", lit([1, 2, 2, 1]),
                           lit([1, 2, 2, 1])], attrs=VALID, **ROOMY),
    Case("MaxPoolGradGrad", ["T[1,2,2,1] 3..3", "T[1,1,1,1] 3..3", "T[1,2,2,1]"], attrs=pool(), **ROOMY),
    Case("MaxPoolGradGradV2", ["T[1,2,2,1] 3..3", "T[1,1,1,1] 3..3", "T[1,2,2,1]", lit([1, 2, 2, 1]),
                               lit([1, 2, 2, 1])], attrs=VALID, **ROOMY),
    Case("MaxPoolWithArgmax", ["T[2,6,5,3] distinct"], attrs=pool(), grad=True, ys=[0], **ROOMY),
    Case("MaxPoolWithArgmax", ["T[2,6,5,3] distinct"], dtypes=["f32"], note="batch", grad=True, ys=[0],
         attrs=pool(padding="SAME", include_batch_in_index=True), **ROOMY),
    Case("AvgPool", ["T[2,6,5,3]"], attrs=pool(), grad=2, **ROOMY),
    Case("AvgPool", ["T[2,7,5,3]"], attrs=pool((1, 3, 2, 1), padding="SAME"), grad=True, note="same",
         **ROOMY),
    Case("AvgPoolGrad", [lit([2, 6, 6, 3]), "T[2,3,3,3]"], attrs=pool(), grad=True, **ROOMY),
    Case("MaxPool3D", ["T[2,4,4,5,2] distinct"], attrs=pool((1, 2, 2, 2, 1), (1, 2, 2, 2, 1)),
         grad=2, dtypes=["f32"], **ROOMY),
    Case("AvgPool3D", ["T[2,4,4,5,2]"], attrs=pool((1, 2, 2, 2, 1), (1, 2, 2, 2, 1), "SAME"), grad=2,
         dtypes=["f32"], **ROOMY),

    Case("LRN", ["T[2,3,3,9]"], attrs={"depth_radius": 2, "alpha": 0.3, "beta": 0.75}, grad=True,
         numeric=False, **ROOMY),
    Case("LRN", ["T[1,2,2,3]"], numeric=False, note="default", **ROOMY),
    Case("LRNGrad", ["T[2,2,3,7]", "T[2,2,3,7]", "T[2,2,3,7]"], attrs={"depth_radius": 1}, **ROOMY),
    Case("Softmax", ["T[3,7]"], grad=2, dtypes=WIDE),
    Case("Softmax", ["T[3,7]"], grad=True, note="16-bit", **NARROW),
    Case("Softmax", ["T[2,3,300]"], note="rank 3", dtypes=["f32", "f64"]),
    Case("LogSoftmax", ["T[3,7]"], grad=2, dtypes=WIDE),
    Case("LogSoftmax", ["T[3,7]"], grad=True, note="16-bit", **NARROW),
    Case("SoftmaxCrossEntropyWithLogits", ["T[4,6]", "T[4,6] prob"], grad=1, ys=[0], numeric=False),
    Case("SoftmaxCrossEntropyWithLogits", ["T[4,6]", "T[1,6] prob"], dtypes=["f32", "f64"],
         note="broadcast", **ROOMY),
    Case("SparseSoftmaxCrossEntropyWithLogits", ["T[4,6]", lit([0, 5, 2, 2], "Tlabels")], grad=2,
         ys=[0], **ROOMY),
    Case("SparseSoftmaxCrossEntropyWithLogits", ["T[3,4]", lit([0, 4, 2], "Tlabels")],
         dtypes={"T": ["f32"], "Tlabels": ["i32"]}, fails="INVALID_ARGUMENT",
         says="Received a label value of 4 which is outside the valid range of [0, 4)", **ROOMY),
    Case("BiasAdd", ["T[2,3,4]", "T[4]"], grad=2, **ROOMY),
    Case("BiasAdd", ["T[2,3,2,4]", "T[3]"], attrs={"data_format": "NCHW"}, grad=2, note="NCHW",
         **ROOMY),
    Case("BiasAdd", ["T[5,3]", "T[4]"], dtypes=["f32"], fails="INVALID_ARGUMENT", **ROOMY),
    Case("BiasAddV1", ["T[2,4]", "T[4]"], grad=True, **ROOMY),
    Case("BiasAddGrad", ["T[2,3,4]"], grad=True),
    Case("BiasAddGrad", ["T[2,3,2,4]"], attrs={"data_format": "NCHW"}, note="NCHW", **ROOMY),
    Case("L2Loss", ["T[5,7]"], grad=2),
    Case("LeakyRelu", ["T[9]"], attrs={"alpha": 0.3}, grad=2),
    Case("LeakyReluGrad", ["T[9]", "T[9]"]),

    Case("TopKV2", ["T[2,3,9]", lit(4)], grad=True, ys=[0], **ROOMY),
    Case("TopKV2", ["T[40] ints", lit(40)], note="ties", **ROOMY),
    Case("TopKV2", ["T[3,4]", lit(5)], dtypes={"T": ["f32"]}, fails="INVALID_ARGUMENT",
         says="input must have last dimension >= k = 5 but is 4", **ROOMY),
    Case("InTopK", ["f32[4,6]", "T[4] 0..5"], attrs={"k": 2}, **ROOMY),
    Case("InTopKV2", ["f32[4,6]", "T[4] 0..5", lit(3, "T")], **ROOMY),
    Case("NthElement", ["T[3,7]", lit(2)], grad=True, **ROOMY),
    Case("NthElement", ["T[3,7]", lit(2)], attrs={"reverse": True}, note="reverse", **ROOMY),

    Case("Dilation2D", ["T[2,5,6,2]", "T[2,3,2]"], grad=True,
         attrs={"strides": S1, "rates": S1, "padding": "SAME"}, **ROOMY),
    Case("Dilation2D", ["T[1,8,7,2]", "T[2,2,2]"], note="rates", grad=True,
         attrs={"strides": [1, 2, 1, 1], "rates": [1, 2, 3, 1], "padding": "VALID"}, **ROOMY),
    Case("DataFormatDimMap", ["T[5] -4..3"], **ROOMY),
    Case("DataFormatVecPermute", ["T[4]"], **ROOMY),
    Case("DataFormatVecPermute", ["T[2]"], note="space", **ROOMY),
    Case("DataFormatVecPermute", ["T[4,2]"], attrs={"src_format": "NCHW", "dst_format": "NHWC"},
         note="pairs", **ROOMY),

    Case("ComputeAccidentalHits", [lit([[1, 2], [3, 1], [7, 8]], "i64"), lit([5, 1, 3, 1, 0], "i64")],
         attrs={"num_true": 2}, **ROOMY),
]

# Element-wise activations and their gradients.
CASES += [Case(op, ["T[3,7]"], grad=2) for op in ("Relu", "Relu6", "Elu", "Selu", "Softplus")]
CASES += [Case("Softsign", ["T[3,7]"], grad=1)]
CASES += [Case("Softplus", ["T[40] -60..60"], note="wide")]
CASES += [Case(op + "Grad", ["T[3,7]", "T[3,7]"]) for op in ("Relu", "Relu6", "Softplus", "Softsign")]
CASES += [Case(op + "Grad", ["T[3,7]", "T[3,7] unit"]) for op in ("Elu", "Selu")]

# Batch normalisation: for training, as it is used then, and in both layouts.
VECTORS = ["T[4]", "T[4]", "T[4]", "T[4] pos"]


def all_but_reserved(weir, tensorflow):
    """Without training, TensorFlow leaves the reserved outputs as they come."""
    for i in range(3):
        if difference(weir[i], tensorflow[i], rtol=1e-4):
            return "output %d: %s" % (i, difference(weir[i], tensorflow[i], rtol=1e-4))


for op in ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"):
    vectors = VECTORS if op == "FusedBatchNorm" else [v.replace("T", "f32") for v in VECTORS]
    for attrs, note in (({"is_training": True}, "train"),
                        ({"is_training": True, "exponential_avg_factor": 0.3}, "average")):
        CASES.append(Case(op, ["T[3,2,5,4]"] + vectors, attrs=attrs, grad=True, ys=[0], note=note,
                          dtypes=["f32"], rtol=1e-4, **ROOMY))
        if op != "FusedBatchNorm":
            CASES.append(Case(op, ["T[3,2,5,4]"] + vectors, attrs=attrs, ys=[0], note=note + " 16-bit",
                              grad=True, **NARROW))
    CASES.append(Case(op, ["T[3,2,5,4]"] + vectors, attrs={"is_training": False},
                      check=all_but_reserved, note="infer", dtypes=["f32"], **ROOMY))
CASES.append(Case("FusedBatchNormV3", ["T[2,2,3,5,4]"] + [v.replace("T", "f32") for v in VECTORS],
                  grad=True, ys=[0], attrs={"is_training": True, "data_format": "NDHWC"}, note="3-D",
                  dtypes=["f32"], rtol=1e-4, **ROOMY))

# Samplers: several steps of one stream.
for op in ("Uniform", "LogUniform", "LearnedUnigram", "ThreadUnsafeUnigram"):
    for unique in (True, False):
        def build(g, op=op, unique=unique):
            truth = g.const([[1, 2], [30, 4], [5, 99]], "i64")
            s = g.op(op + "CandidateSampler", truth, num_true=2, num_sampled=20, unique=unique,
                     range_max=100, seed=11, seed2=5)
            for _ in range(3):
                g.run(list(s))
        CASES.append(script("%s_sampler_%s" % (op, unique))(build))


@script("all_sampler")
def all_sampler(g):
    truth = g.const([[1], [3]], "i64")
    g.run(list(g.op("AllCandidateSampler", truth, num_true=1, num_sampled=7, unique=True)))


@script("fixed_sampler")
def fixed_sampler(g):
    truth = g.const([[1], [3]], "i64")
    s = g.op("FixedUnigramCandidateSampler", truth, num_true=1, num_sampled=6, unique=False,
             range_max=8, seed=3, seed2=4, distortion=0.75, num_reserved_ids=1,
             unigrams=[5.0, 1.0, 0.5, 9.0, 2.0, 2.0, 7.0])
    for _ in range(3):
        g.run(list(s))


CASES += [all_sampler, fixed_sampler]

# ---- pools over regions of drawn sizes: the regions are TensorFlow's for the same seeds
FRACTIONAL = {"pooling_ratio": [1.0, 1.44, 1.73, 1.0], "deterministic": True, "seed": 7, "seed2": 11}
SEQUENCES = [lit([0, 1, 3], "i64", fed=True), lit([0, 2, 3, 5], "i64", fed=True)]
for kind in ["Max", "Avg"]:
    for pseudo in [False, True]:
        for overlapping in [False, True]:
            CASES.append(Case("Fractional%sPool" % kind, ["T[2,9,13,3] distinct"], grad=True, numeric=False,
                              attrs={**FRACTIONAL, "pseudo_random": pseudo, "overlapping": overlapping},
                              note="pseudo %s overlapping %s" % (pseudo, overlapping), **ROOMY))
    CASES += [
        Case("Fractional%sPool" % kind, ["T[1,1,8,2]"], attrs=FRACTIONAL, dtypes=["f32"],
             fails="INVALID_ARGUMENT", says="Pooling ratio is higher than input dimension size for dimension 1",
             **ROOMY),
        Case("Fractional%sPool" % kind, ["T[4,9,8,2]"], dtypes=["f32"], fails="UNIMPLEMENTED",
             attrs={**FRACTIONAL, "pooling_ratio": [2.0, 1.5, 1.5, 1.0]}, **ROOMY),
        Case("Fractional%sPool" % kind, ["T[4,9,8,2]"], dtypes=["f32"], fails="INVALID_ARGUMENT",
             attrs={**FRACTIONAL, "pooling_ratio": [1.0, 0.5, 1.5, 1.0]}, says="cannot be smaller than 1",
             **ROOMY),
        Case("Fractional%sPool" % kind, ["T[4,9,8,2]"], dtypes=["f32"], fails="INVALID_ARGUMENT",
             attrs={**FRACTIONAL, "deterministic": False}, says="should be 0 if deterministic is false",
             **ROOMY),
    ]
CASES += [
    Case("FractionalAvgPoolGrad", [lit([1, 3, 5, 2], "i64"), "T[1,2,3,2]", *SEQUENCES], **ROOMY),
    Case("FractionalAvgPoolGrad", [lit([1, 3, 5, 2], "i64"), "T[1,2,3,2]", *SEQUENCES],
         attrs={"overlapping": True}, note="overlapping", **ROOMY),
    Case("FractionalAvgPoolGrad", [lit([1, 3, 5, 2], "i64"), "T[1,2,3,2]",
                                   lit([-10, 1, 3], "i64", fed=True), SEQUENCES[1]], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="Row sequence tensor values must not be negative", **ROOMY),
    Case("FractionalAvgPoolGrad", [lit([1, 3, 5, 2], "i64"), "T[1,2,3,2]", SEQUENCES[0], SEQUENCES[0]],
         dtypes=["f32"], fails="INVALID_ARGUMENT", **ROOMY),
    Case("FractionalMaxPoolGrad",
         [lit([[[[1], [2]], [[3], [4]]]], "T", fed=True), lit([[[[4]]]], "T", fed=True), "T[1,1,1,1]",
          lit([0, 2], "i64", fed=True), lit([0, 2], "i64", fed=True)], **ROOMY),
    Case("FractionalMaxPoolGrad",
         [lit([[[[1], [2]], [[3], [4]]]], "T", fed=True), lit([[[[3]]]], "T", fed=True), "T[1,1,1,1]",
          lit([0, 2], "i64", fed=True), lit([0, 2], "i64", fed=True)], dtypes=["f32"],
         fails="INVALID_ARGUMENT", note="another output", **ROOMY),
    Case("FractionalMaxPoolGrad",
         [lit([[[[1], [2]], [[3], [4]]]], "T", fed=True), lit([[[[4]]]], "T", fed=True), "T[1,1,1,1]",
          lit(2, "i64", fed=True), lit([0, 2], "i64", fed=True)], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="must be a vector", note="scalar sequence", **ROOMY),
]

# ---- labelling of sequences
LABELS = [lit([[0, 0], [0, 1], [1, 0], [1, 1], [1, 2], [2, 0]], "i64", fed=True),
          lit([1, 1, 0, 2, 2, 3], "i32", fed=True)]
LENGTHS = lit([6, 5, 0], "i32", fed=True)
SOFT = {"rtol": 1e-5, "atol": 1e-6, "edges": False}
for options in [{}, {"preprocess_collapse_repeated": True}, {"ctc_merge_repeated": False},
                {"preprocess_collapse_repeated": True, "ctc_merge_repeated": False}]:
    CASES.append(Case("CTCLoss", ["T[6,3,5]", *LABELS, LENGTHS], grad=True, ys=[0], numeric=False,
                      attrs={**options, "ignore_longer_outputs_than_inputs": True}, note=str(options), **SOFT))


def bad_ctc(says, labels=LABELS, lengths=lit([6, 5, 4], "i32", fed=True), x="T[6,3,5]", **attrs):
    CASES.append(Case("CTCLoss", [x, *labels, lengths], attrs=attrs, dtypes=["f32"], says=says,
                      fails="INVALID_ARGUMENT", note=says, **ROOMY))


bad_ctc("Not enough time for target transition sequence", lengths=LENGTHS)
bad_ctc("sequence_length(1) <= 6", lengths=lit([6, 7, 4], "i32", fed=True))
bad_ctc("seq_len(2) < 0", lengths=lit([6, 5, -4], "i32", fed=True))
bad_ctc("Labels length is zero in batch 2",
        labels=[lit([[0, 0], [1, 0]], "i64", fed=True), lit([1, 1], "i32", fed=True)])
bad_ctc("following a null label", labels=[LABELS[0], lit([1, 1, 0, 4, 2, 3], "i32", fed=True)])
bad_ctc("must be nonnegative", labels=[LABELS[0], lit([1, 1, 0, -4, 2, 3], "i32", fed=True)])
bad_ctc("label SparseTensor is not valid",
        labels=[lit([[1, 0], [0, 0]], "i64", fed=True), lit([1, 1], "i32", fed=True)])
bad_ctc("batch_size must not be 0", x="T[6,0,5]", lengths=lit([], "i32", fed=True),
        labels=[lit([[0, 0]], "i64", fed=True), lit([1], "i32", fed=True)])
for merge in [False, True]:
    CASES += [
        Case("CTCGreedyDecoder", ["T[7,3,4]", lit([7, 5, 0], "i32", fed=True)],
             attrs={"merge_repeated": merge}, note="merge %s" % merge, **SOFT),
        Case("CTCGreedyDecoder", ["T[7,3,4]", lit([7, 5, 0], "i32", fed=True)],
             attrs={"merge_repeated": merge, "blank_index": 1}, note="blank 1 merge %s" % merge, **SOFT),
        Case("CTCBeamSearchDecoder", ["T[7,3,4]", lit([7, 5, 3], "i32", fed=True)],
             attrs={"merge_repeated": merge, "beam_width": 5, "top_paths": 3}, note="merge %s" % merge, **SOFT),
        Case("CTCBeamSearchDecoder", ["T[9,2,6]", lit([9, 9], "i32", fed=True)],
             attrs={"merge_repeated": merge, "beam_width": 100, "top_paths": 4},
             note="wide merge %s" % merge, **SOFT),
    ]
CASES += [
    Case("CTCGreedyDecoder", ["T[7,3,4]", lit([7, 8, 0], "i32", fed=True)], dtypes=["f32"],
         fails="FAILED_PRECONDITION", says="sequence_length(1) <= 7", **ROOMY),
    Case("CTCGreedyDecoder", ["T[7,3,4]", lit([7, 5, 0], "i32", fed=True)], dtypes=["f32"],
         attrs={"blank_index": 4}, fails="INVALID_ARGUMENT", says="between -4 and 3 but was 4", **ROOMY),
    Case("CTCGreedyDecoder", ["T[0,3,4]", lit([7, 5, 0], "i32", fed=True)], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="inputs must not be empty", **ROOMY),
    Case("CTCBeamSearchDecoder", ["T[7,3,4]", lit([7, 5, 3], "i32", fed=True)], dtypes=["f32"],
         attrs={"beam_width": 2, "top_paths": 3}, fails="INVALID_ARGUMENT",
         says="requested more paths than the beam width", **ROOMY),
    Case("CTCBeamSearchDecoder", ["T[7,3,4]", lit([7, 5, 0], "i32", fed=True)], dtypes=["f32"],
         attrs={"beam_width": 5, "top_paths": 3}, fails="INVALID_ARGUMENT", says="Less leaves", **ROOMY),
]
CASES.append(Case("CTCLossV2", ["f32[6,3,5]", *LABELS, LENGTHS], fails=True, note="no kernel for CPUs", **ROOMY))
for op in ["Uniform", "LogUniform", "LearnedUnigram", "ThreadUnsafeUnigram"]:
    CASES += [Case(op + "CandidateSampler", [lit([[0, at]], "i64", fed=True)], fails="INVALID_ARGUMENT",
                   attrs={"num_true": 2, "num_sampled": 5, "unique": False, "range_max": 2},
                   says="out of range [0, 2), received %d" % at, **ROOMY) for at in [10, -10]]

# ---- fused recurrent cells: batch 3, 4 inputs, 5 cells
WEIGHTS = ["T[9,20]", "T[5]", "T[5]", "T[5]", "T[20]"]
HALF_SUMS = {"rtol": 0.05, "atol": 0.05, "edges": False}
for dtypes, exact in [(["f32"], SOFT), (["f16"], HALF_SUMS)]:
    for peephole in [False, True]:
        note = "%s peephole %s" % (dtypes[0], peephole)
        common = {"dtypes": dtypes, "note": note, **exact}
        state, gates = ["T[3,4]", "T[3,5]", "T[3,5]", *WEIGHTS], ["T[3,5]"] * 6
        steps = ["T[6,3,4]", "T[3,5]", "T[3,5]", *WEIGHTS]
        CASES += [
            Case("LSTMBlockCell", state, attrs={"use_peephole": peephole, "cell_clip": 0.4}, **common),
            Case("LSTMBlockCellGrad", [*state, *gates, "T[3,5]", "T[3,5]"],
                 attrs={"use_peephole": peephole}, **common),
        ]
        for version in ["", "V2"]:  # TensorFlow differentiates V2 by the gradient of the other, wrongly
            CASES += [
                Case("BlockLSTM" + version, [lit(6, "i64"), *steps], attrs={"use_peephole": peephole},
                     grad=(dtypes, version) == (["f32"], ""), ys=[1, 6], numeric=False, **common),
                Case("BlockLSTMGrad" + version, [lit(4, "i64"), *steps, *["T[6,3,5] prob"] * 9],
                     attrs={"use_peephole": peephole}, **common),
            ]
CASES += [
    Case("LSTMBlockCell", ["T[3,4]", "T[3,5]", "T[3,5]", "T[8,20]", *WEIGHTS[1:]], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="w.dim_size(0) != input_size + cell_size: 8 vs. 9", **ROOMY),
    Case("LSTMBlockCell", ["T[3,4]", "T[3,5]", "T[3,5]", WEIGHTS[0], "T[5,1]", *WEIGHTS[2:]], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="wci_tensor must be rank 1 but is rank 2", **ROOMY),
    Case("LSTMBlockCell", ["T[0,4]", "T[0,5]", "T[0,5]", *WEIGHTS], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="is empty", **ROOMY),
    Case("BlockLSTM", [lit(6, "i64"), "T[6,3,4]", "T[2,5]", "T[3,5]", *WEIGHTS], dtypes=["f32"],
         fails="INVALID_ARGUMENT", says="cs_prev.dims(0) != batch_size: 2 vs. 3", **ROOMY),
    Case("GRUBlockCell", ["T[3,4]", "T[3,5]", "T[9,10]", "T[9,5]", "T[10]", "T[5]"], **SOFT),
    Case("GRUBlockCell", ["T[3,4]", "T[3,5]", "T[9,9]", "T[9,5]", "T[10]", "T[5]"],
         fails="INVALID_ARGUMENT", **ROOMY),
    Case("GRUBlockCellGrad", ["T[3,4]", "T[3,5]", "T[9,10]", "T[9,5]", "T[10]", "T[5]", *["T[3,5]"] * 4], **SOFT),
]

# ---- gradients as ops of their own
CUBE = pool((1, 2, 2, 2, 1), (1, 2, 2, 2, 1))
SMOOTH3 = {"dtypes": ["f32", "f64"], "edges": False}
CASES += [
    Case("AvgPool3DGrad", [lit([2, 4, 4, 5, 2]), "T[2,2,2,2,2]"], attrs=CUBE, **SMOOTH3),
    Case("AvgPool3DGrad", [lit([2, 4, 4, 5]), "T[2,2,2,2,2]"], attrs=CUBE, dtypes=["f32"], fails="INVALID_ARGUMENT",
         **ROOMY),
    Case("MaxPool3DGradGrad", ["T[2,4,4,4,2] distinct", "T[2,2,2,2,2]", "T[2,4,4,4,2]"], attrs=CUBE, dtypes=["f32"],
         **ROOMY),
    Case("MaxPoolGradWithArgmax", ["T[1,4,4,2]", "T[1,2,2,2]", lit([[[[0, 1], [4, 5]], [[18, 17], [22, 31]]]],
                                                                  "Targmax", fed=True)], attrs=pool(), **ROOMY),
    Case("MaxPoolGradWithArgmax", ["T[1,4,4,2]", "T[1,2,2,2]", lit([[[[0, 1], [4, 5]], [[18, 17], [22, 32]]]],
                                                                  "Targmax", fed=True)], attrs=pool(),
         dtypes={"T": ["f32"], "Targmax": ["i64"]}, fails="INVALID_ARGUMENT", **ROOMY),
]
for side in ["Input", "Filter"]:
    CASES.append(Case("Dilation2DBackprop" + side, ["T[2,5,6,2] distinct", "T[2,3,2]", "T[2,5,6,2]"],
                      attrs={"strides": S1, "rates": S1, "padding": "SAME"}, dtypes=WIDE, **ROOMY))
    CASES.append(Case("Dilation2DBackprop" + side, ["T[2,5,6,2]", "T[2,3,2]", "T[2,5,5,2]"],
                      attrs={"strides": S1, "rates": S1, "padding": "SAME"}, dtypes=["f32"],
                      fails="INVALID_ARGUMENT", **ROOMY))
    CASES.append(Case("Conv3DBackprop" + side, ["T[2,4,4,4,2]", "T[2,2,2,2,3]", "T[2,4,4,4,3]"], attrs=conv([1] * 5),
                      dtypes=["f32"], fails=True, note="removed from graphs", **ROOMY))
for training in [True, False]:
    for op, small in [("FusedBatchNormGrad", "T[4]"), ("FusedBatchNormGradV2", "f32[4]"), ("FusedBatchNormGradV3", "f32[4]")]:
        stats = [small + " pos"] * (3 if op.endswith("V3") else 2)
        CASES.append(Case(op, ["T[2,3,5,4]", "T[2,3,5,4]", small, *stats], attrs={"is_training": training},
                          dtypes={"T": ["f32"]}, rtol=1e-4, atol=1e-5, note="training %s" % training, **ROOMY))
CASES.append(Case("TopK", ["T[3,5]"], attrs={"k": 2}, dtypes={"T": ["f32"]}, fails=True, note="removed from graphs",
                  **ROOMY))


@script("MaxPool3DGrad")
def max_pool_3d_grad(g):
    x = g.const([[[[[(7 * i * j * k + 3 * i + j) % 31] for k in range(4)] for j in range(4)] for i in range(4)]], "f32")
    y = g.op("MaxPool3D", x, **CUBE)
    g.run([g.op("MaxPool3DGrad", x, y, g.op("Neg", y), **CUBE)])


CASES.append(max_pool_3d_grad)
