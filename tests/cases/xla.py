"""What graphs for XLA contain and processors can compute; TensorFlow compiles them."""
import numpy as np
from tensorflow.compiler.xla import xla_data_pb2 as xla

from graphs import tf
from opcase import Case, lit, script

CASES = []


def function(g, name, make, *specs):
    """Adds a function made by TensorFlow's front end to the graph's library."""
    made = tf.function(make).get_concrete_function(*specs).function_def
    made.signature.name = name
    g.proto.library.function.add().CopyFrom(made)
    return name


def add(op, *inputs, **options):
    options.setdefault("edges", False)
    options.setdefault("infer", False)
    options.setdefault("dtypes", ["f32"])
    CASES.append(Case(op, list(inputs), **options))


def dot(**numbers):
    return {"dimension_numbers": xla.DotDimensionNumbers(**numbers).SerializeToString(), "precision_config": ""}


add("XlaPad", "T[2,3]", lit(9, "T", fed=True), lit([1, -1]), lit([0, 2]), lit([0, 1]), dtypes=["f32", "i32"])
add("XlaPad", "T[2]", lit(9, "T", fed=True), lit([1, 2]), lit([0]), lit([0]), fails="INVALID_ARGUMENT")
add("XlaDynamicSlice", "T[4,5]", lit([1, 2], "Tindices", fed=True), lit([2, 3], "Tindices"))
add("XlaDynamicSlice", "T[4,5]", lit([9, -2], "i32", fed=True), lit([2, 3], "i32"), note="clamped")
add("XlaDynamicUpdateSlice", "T[4,5]", "T[2,3]", lit([1, 4], "Tindices", fed=True))
add("XlaSort", "T[3,7]", dtypes=["f32", "i32"])
add("XlaKeyValueSort", "K[3,7] distinct", "V[3,7]", dtypes={"K": ["f32", "i32"], "V": ["f32", "i64"]})
add("XlaEinsum", "T[2,3]", "T[3,4]", attrs={"equation": "ij,jk->ik"}, rtol=1e-4)
add("XlaBroadcastHelper", "T[2,3,4]", "T[3]", lit([1]))
add("XlaBroadcastHelper", "T[2,3]", "T[2,3]", lit([], "i32"))
add("XlaReducePrecision", "T[50]", attrs={"exponent_bits": 5, "mantissa_bits": 3}, dtypes=["f32", "f64"])
add("XlaReducePrecision", lit([1e-9, 1e9, np.inf, -0.0, 65519.0], "T", fed=True),
    attrs={"exponent_bits": 5, "mantissa_bits": 10}, dtypes=["f32"])
add("XlaDot", "T[2,3,4]", "T[2,4,5]", attrs=dot(
    lhs_contracting_dimensions=[2], rhs_contracting_dimensions=[1],
    lhs_batch_dimensions=[0], rhs_batch_dimensions=[0]), dtypes=["f32", "f64", "i32"], rtol=1e-4, atol=1e-4)
add("XlaDot", "T[3,4]", "T[5,4]", attrs=dot(lhs_contracting_dimensions=[0], rhs_contracting_dimensions=[0]),
    fails=True)
add("XlaDotV2", "LhsT[3,4]", "RhsT[4]", attrs=dict(dot(
    lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[0]), preferred_element_type="i32"),
    dtypes={"LhsT": ["i8"], "RhsT": ["i8"]})
add("XlaDotV2", "LhsT[3,4]", "RhsT[4]", attrs=dict(dot(
    lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[0]), preferred_element_type="qi8"),
    dtypes={"LhsT": ["i8"], "RhsT": ["i8"]})


# Numbers that repeat or are cut, and lists longer than a tensor has dimensions.
for numbers in (dot(lhs_contracting_dimensions=[0, 0], rhs_contracting_dimensions=[0, 0]),
                dot(lhs_contracting_dimensions=list(range(300)), rhs_contracting_dimensions=[0]),
                {"dimension_numbers": b"\x0a\x05\x00", "precision_config": ""},
                {"dimension_numbers": b"\x0a\x01\x80", "precision_config": ""}):
    add("XlaDot", "T[3,4]", "T[3,4]", attrs=numbers, fails=True)


def conv(**extra):
    numbers = xla.ConvolutionDimensionNumbers(
        input_batch_dimension=0, input_feature_dimension=3, input_spatial_dimensions=[1, 2],
        kernel_input_feature_dimension=2, kernel_output_feature_dimension=3, kernel_spatial_dimensions=[0, 1],
        output_batch_dimension=0, output_feature_dimension=3, output_spatial_dimensions=[1, 2])
    return dict(dimension_numbers=numbers.SerializeToString(), precision_config="", **extra)


def window(strides=(1, 1), padding=((0, 0), (0, 0)), left=(1, 1), right=(1, 1), groups=1):
    return [lit(list(strides), "i32"), lit(np.int32(padding), "i32"), lit(list(left), "i32"),
            lit(list(right), "i32"), lit(groups, "i32")]


CLOSE = dict(rtol=1e-4, atol=1e-4)
add("XlaConv", "T[2,5,6,4]", "T[3,2,4,3]", *window((2, 1), ((1, 1), (0, 2))), attrs=conv(), **CLOSE)
add("XlaConv", "T[2,5,6,4]", "T[3,2,4,3]", *window(padding=((2, 1), (0, 0)), left=(2, 1), right=(1, 2)),
    attrs=conv(), **CLOSE)
add("XlaConv", "T[2,5,6,4]", "T[3,2,2,6]", *window(groups=2), attrs=conv(), **CLOSE)
add("XlaConvV2", "LhsT[2,5,6,4]", "RhsT[3,2,4,3]", *window(), dtypes={"LhsT": ["f32"], "RhsT": ["f32"]},
    attrs=conv(preferred_element_type="f32"), **CLOSE)


def gather(**numbers):
    return {"dimension_numbers": xla.GatherDimensionNumbers(**numbers).SerializeToString(),
            "indices_are_sorted": False}


add("XlaGather", "T[5,6]", lit([[0], [4], [9]], "Tindices", fed=True), lit([1, 6], "Tindices"), attrs=gather(
    offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1))
add("XlaGather", "T[5,6]", lit([[0, 1], [4, 5]], "i32", fed=True), lit([2, 3], "i32"), attrs=gather(
    offset_dims=[0, 2], start_index_map=[0, 1], index_vector_dim=0))


def magnitudes(weir, tensorflow):
    for a, b in zip(weir, tensorflow):
        a, b = np.abs(a.array), np.abs(b.array)
        if a.shape != b.shape or not np.allclose(a, b, rtol=1e-3, atol=1e-4):
            return "%s, TensorFlow %s" % (a, b)
    return None


add("XlaSelfAdjointEig", "T[2,4,4] spd", attrs={"lower": True, "max_iter": 100, "epsilon": 1e-6}, check=magnitudes)
add("XlaSvd", "T[4,4]", attrs={"max_iter": 100, "epsilon": 1e-6, "precision_config": ""}, check=magnitudes)

F = tf.TensorSpec([], tf.float32)
X = np.random.RandomState(3).uniform(-2, 2, (3, 4, 5)).astype(np.float32)


def folds(name, fetch, **options):
    @script(name, rtol=1e-4, atol=1e-5, **options)
    def build(g):
        add_up = function(g, "add_up", lambda a, b: a + b, F, F)
        g.run(list(fetch(g, add_up)))
    CASES.append(build)


folds("XlaReduce", lambda g, f: g.op("XlaReduce", g.const(X), g.const(0.5), dimensions_to_reduce=[0, 2], reducer=f))
folds("XlaReduceWindow", lambda g, f: g.op(
    "XlaReduceWindow", g.const(X[0]), g.const(0.0), g.const([2, 3]), g.const([1, 2]), g.const([1, 1]),
    g.const([2, 1]), g.const([[1, 0], [1, 1]]), computation=f))
folds("XlaScatter", lambda g, f: g.op(
    "XlaScatter", g.const(X[0]), g.const([[1], [3], [1], [7]]), g.const(X[1, :4]), update_computation=f,
    indices_are_sorted=False, dimension_numbers=xla.ScatterDimensionNumbers(
        update_window_dims=[1], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0],
        index_vector_dim=1).SerializeToString()))


def variadic(name, **attrs):
    @script(name, rtol=1e-4, atol=1e-5)
    def build(g):
        f = function(g, "both", lambda a, b, c, d: (a + c, tf.maximum(b, d)), F, F, F, F)
        g.run(list(g.op(name, [g.const(X), g.const(-X)], [g.const(0.0), g.const(-9.0)], reducer=f,
                        dimensions_to_reduce=[1], **attrs)))
    CASES.append(build)


variadic("XlaVariadicReduce", N=2)
variadic("XlaVariadicReduceV2", T=["f32", "f32"])


@script("XlaSetDynamicDimensionSize", alone="it has no kernel for processors")
def dynamic_size(g):
    g.run([g.op("XlaSetDynamicDimensionSize", g.const(X[0]), g.const(1), g.const(2)),
           g.op("RiscSort", g.const(X[0]), g.const(0), direction="DESCENDING")],
          expect=[X[0][:, :2], -np.sort(-X[0], 0)])


CASES.append(dynamic_size)


@script("XlaVariadicSort")
def variadic_sort(g):
    less = function(g, "less", lambda a, b, c, d: a < b, F, F, F, F)
    for dimension in [0, 1, 2]:
        g.run(list(g.op("XlaVariadicSort", [g.const(X), g.const(-X * X)], g.const(dimension), T=["f32", "f32"],
                        comparator=less, is_stable=True)))


CASES.append(variadic_sort)
