#!/usr/bin/env python3
"""What a client can do wrong: bad bytes, graphs, attrs, shapes, values and feeds.

    tests/errors_test.py [--lib PATH] [-k TEXT] [-v]

Each must be answered by a status that names the node and the values, never by a crash, and the
library goes on working afterwards. TensorFlow's own library passes this file too.
"""
import random
import sys

import numpy as np

import pb
from dtypes import Value
from pb import Func, GraphDef, Shape, T
from scenario import add, equal, fails, main, scenario
from weir_c import Error

F, I, L, S, B = T("f32"), T("i32"), T("i64"), T("str"), T("bool")


def f32(x):
    return np.asarray(x, np.float32)


def works(lib):
    """The library still computes."""
    g = GraphDef()
    g.node("Add", g.placeholder("f32", name="x"), g.const(1.0), T=F, name="y")
    with lib.graph(g.bytes()).session() as s:
        equal(s.run(["y:0"], {"x:0": f32([1, 2])})[0], f32([2, 3]))


# ---- bytes that are no graph --------------------------------------------------------------------

def some_graph():
    g = GraphDef()
    g.function("Twice", {"x": "f32"}, {"y": "f32"},
               [("AddV2", "sum", ["x", "x"], {"T": F})], {"y": "sum:z:0"})
    x = g.placeholder("f32", [2, None], name="x", device="/cpu:0")
    v = g.node("VariableV2", dtype=F, shape=Shape([2, 3]), container="", name="v")
    g.node("Assign", v, g.const(np.ones([2, 3])), T=F, name="init")
    g.node("ConcatV2", x, v, g.const(1, "i32"), T=F, N=2, Tidx=I, name="cat", control=["init"])
    g.node("PartitionedCall", "cat", Tin=[F], Tout=[F], f=Func("Twice"), name="call")
    g.node("Split", g.const(0, "i32"), "call", T=F, num_split=2, name="split")
    g.node("StringJoin", g.const(b"abc", "str"), g.const(b"x" * 40, "str"), N=2, separator="-",
           name="join")
    return g.bytes()


def try_graph(lib, data):
    """Imports and, where that works, runs whatever there is. Any status will do."""
    try:
        graph = lib.graph(data)
        with graph.session() as s:
            for name, op in list(graph.operations())[:12]:
                if op not in ("VariableV2", "PartitionedCall"):
                    s.run([name + ":0"], options=pb.run_options(timeout_ms=2000))
    except (Error, KeyError):
        pass


@scenario
def truncated_graphs(lib):
    data = some_graph()
    for n in range(0, len(data), 3):
        try_graph(lib, data[:n])
    works(lib)


@scenario
def damaged_graphs(lib):
    data, rng = some_graph(), random.Random(7)
    for _ in range(600):
        bad = bytearray(data)
        for _ in range(rng.randint(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try_graph(lib, bytes(bad))
    works(lib)


@scenario
def random_bytes(lib):
    rng = random.Random(8)
    for _ in range(300):
        try_graph(lib, bytes(rng.randrange(256) for _ in range(rng.randrange(1, 200))))
    works(lib)


@scenario
def not_a_graph(lib):
    with fails("INVALID_ARGUMENT", "Invalid GraphDef"):
        lib.graph(b"\xff\xff\xff\xff")
    works(lib)


# ---- graphs that make no sense ------------------------------------------------------------------

def unknown_op(g):
    g.node("NoSuchOp", name="n")


def duplicate_name(g):
    g.const(1.0, name="n")
    g.const(2.0, name="n")


def missing_input_node(g):
    g.node("Neg", "nowhere", T=F, name="n")


def missing_output(g):
    g.node("Neg", g.const(1.0, name="c") + ":3", T=F, name="n")


def too_few_inputs(g):
    g.node("Add", g.const(1.0), T=F, name="n")


def too_many_inputs(g):
    c = g.const(1.0)
    g.node("Neg", c, c, T=F, name="n")


def wrong_input_type(g):
    g.node("Add", g.const(1.0, name="a"), g.const(1, "i32", name="b"), T=F, name="n")


def missing_attr(g):
    g.node("Placeholder", name="n")


def wrong_attr_type(g):
    g.node("Placeholder", dtype=3, name="n")


def type_not_allowed(g):
    g.node("Neg", g.const(b"x", "str"), T=S, name="n")


def attr_below_minimum(g):
    g.node("Split", g.const(0, "i32"), g.const([1.0, 2.0]), T=F, num_split=0, name="n")


def string_not_allowed(g):
    g.node("Conv2D", g.placeholder("f32", name="x"), g.placeholder("f32", name="k"), T=F,
           strides=[1, 1, 1, 1], padding="AROUND", name="n")


def bad_node_name(g):
    g.const(1.0, name="not a name!")


def cycle(g):
    g.node("Neg", "b", T=F, name="a")
    g.node("Neg", "a", T=F, name="b")


def unknown_function(g):
    g.node("PartitionedCall", g.const(1.0), Tin=[F], Tout=[F], f=Func("NoSuchFunction"), name="n")
    return ["n:0"]


def shapes_that_cannot_add(g):
    g.node("Add", g.placeholder("f32", [2, 3], name="a"), g.placeholder("f32", [4], name="b"), T=F,
           name="n")


def shapes_that_cannot_multiply(g):
    g.node("MatMul", g.placeholder("f32", [2, 3], name="a"), g.placeholder("f32", [4, 5], name="b"),
           T=F, name="n")


def rank_of_a_product(g):
    g.node("MatMul", g.placeholder("f32", [2, 3, 4], name="a"),
           g.placeholder("f32", [4, 5], name="b"), T=F, name="n")


def reshape_to_another_size(g):
    g.node("Reshape", g.const([1.0, 2.0, 3.0]), g.const([2, 2], "i32"), T=F, Tshape=I, name="n")


def bad_const(g):
    g.node("Const", dtype=I, value=Value([1.0]), name="n")


# builder -> code, texts that the message holds
GRAPHS = {
    unknown_op: ("NOT_FOUND", "Op type not registered 'NoSuchOp'"),
    duplicate_name: ("INVALID_ARGUMENT", "n"),
    missing_input_node: ("INVALID_ARGUMENT", "Node 'n'", "nowhere"),
    missing_output: ("INVALID_ARGUMENT", "Node 'n'", "output 3 of source node c"),
    too_few_inputs: ("INVALID_ARGUMENT", "n"),
    too_many_inputs: ("INVALID_ARGUMENT", "n"),
    wrong_input_type: ("INVALID_ARGUMENT", "n", "int32", "float"),
    missing_attr: ("INVALID_ARGUMENT", "dtype", "n"),
    wrong_attr_type: ("INVALID_ARGUMENT", "dtype", "type"),
    type_not_allowed: ("INVALID_ARGUMENT", "'T'", "string"),
    attr_below_minimum: ("INVALID_ARGUMENT", "num_split", "0", "at least minimum 1"),
    string_not_allowed: ("INVALID_ARGUMENT", "padding", "AROUND"),
    bad_node_name: ("INVALID_ARGUMENT", "not a name!"),
    cycle: ("INVALID_ARGUMENT", "cycle"),
    unknown_function: (None, "NoSuchFunction"),
    shapes_that_cannot_add: ("INVALID_ARGUMENT", "Dimensions must be equal", "[2,3]", "[4]", "n"),
    shapes_that_cannot_multiply: ("INVALID_ARGUMENT", "Dimensions must be equal", "3 and 4"),
    rank_of_a_product: ("INVALID_ARGUMENT", "Shape must be rank 2 but is rank 3"),
    reshape_to_another_size: ("INVALID_ARGUMENT", "3", "4"),
    bad_const: ("INVALID_ARGUMENT", "n"),
}


def bad_graph(build, code, texts):
    def run(lib):
        g = GraphDef()
        fetches = build(g)
        try:
            graph = lib.graph(g.bytes())
            with graph.session() as s:
                s.run(fetches or ["n:0"])
            raise AssertionError("no error")
        except Error as e:
            assert code in (None, e.name), e
            for text in texts:
                assert text in e.message, "%r not in %r" % (text, e.message)
        works(lib)
    return run


for _build, (_code, *_texts) in GRAPHS.items():
    add("graph_" + _build.__name__, bad_graph(_build, _code, _texts))


# ---- values that only a step can judge ----------------------------------------------------------

def value_graph(op, inputs, attrs):
    """The op over placeholders of unknown shape."""
    g = GraphDef()
    names = [g.placeholder(t, name="in%d" % i) for i, (t, _) in enumerate(inputs)]
    g.node(op, *names, name="n", **attrs)
    return g.bytes()


# name -> op, [(dtype, value)], attrs, code, texts
VALUES = {
    "add": ("Add", [("f32", [1, 2]), ("f32", [1, 2, 3])], {"T": F},
            "INVALID_ARGUMENT", "Incompatible shapes: [2] vs. [3]"),
    "matmul": ("MatMul", [("f32", np.ones([2, 3])), ("f32", np.ones([4, 5]))], {"T": F},
               "INVALID_ARGUMENT", "Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5]"),
    "matmul_ranks": ("MatMul", [("f32", np.ones([2, 3, 1])), ("f32", np.ones([4, 5]))], {"T": F},
                     "INVALID_ARGUMENT", "In[0]", "ndims"),
    "batch_matmul_rank": ("BatchMatMulV2", [("f32", np.ones([3])), ("f32", np.ones([3, 5]))], {"T": F},
                          "INVALID_ARGUMENT", "In[0] ndims must be >= 2: 1"),
    "cholesky": ("Cholesky", [("f32", np.ones([2, 3]))], {"T": F}, "INVALID_ARGUMENT", "Input matrix must be square."),
    "inverse_rank": ("MatrixInverse", [("f32", np.ones([3]))], {"T": F}, "INVALID_ARGUMENT",
                     "must have rank >= 2, got 1"),
    "solve": ("MatrixSolve", [("f32", np.ones([2, 3])), ("f32", np.ones([2, 1]))], {"T": F}, "INVALID_ARGUMENT",
              "First input (lhs) must be a square matrix."),
    "relu6_grad": ("Relu6Grad", [("f32", np.ones([3, 7])), ("f32", np.ones([2, 7]))], {"T": F}, "INVALID_ARGUMENT",
                   "must have the same size and shape.  Input 0: [3,7] != input 1: [2,7]"),
    "tanh_grad": ("TanhGrad", [("f32", np.ones([3, 5])), ("f32", np.ones([3, 1]))], {"T": F}, "INVALID_ARGUMENT",
                  "The two arguments to a cwise op must have same number of elements, got 15 and 3"),
    "select": ("Select", [("bool", np.ones([1, 2])), ("f32", np.ones([2])), ("f32", np.ones([2]))], {"T": F},
               "INVALID_ARGUMENT", "must have the same size and shape.  Input 0: [1,2] != input 1: [2]"),
    "substr_shapes": ("Substr", [("str", [b"abc"]), ("i32", [1]), ("i32", [1, 1])], {"T": I}, "INVALID_ARGUMENT",
                      "pos and len should have the same shape, got: [1] vs. [2]"),
    "sparse_rows": ("SparseReorder", [("i64", [[0, 0]]), ("f32", [1, 2]), ("i64", [2, 2])], {"T": F}, "INVALID_ARGUMENT",
                    "Number of elements in indices (1) and values (2) do not match"),
    "sparse_rank": ("SparseReorder", [("i64", [[0]]), ("f32", [1]), ("i64", [2, 2])], {"T": F}, "INVALID_ARGUMENT",
                    "Index rank (1) and shape rank (2) do not match"),
    "slice_assign": ("TensorStridedSliceUpdate", [("f32", np.ones([4])), ("i32", [0]), ("i32", [2]), ("i32", [1]),
                                                  ("f32", np.ones([3]))], {"T": F, "Index": I}, "INVALID_ARGUMENT",
                     "Cannot broadcast input shape [3] into final shape [2]"),
    "gather": ("GatherV2", [("f32", [1, 2, 3]), ("i32", [0, 7]), ("i32", 0)],
               {"Tparams": F, "Tindices": I, "Taxis": I},
               "INVALID_ARGUMENT", "indices[1] = 7 is not in [0, 3)"),
    "gather_negative": ("GatherV2", [("f32", [1, 2, 3]), ("i64", [-1]), ("i32", 0)],
                        {"Tparams": F, "Tindices": L, "Taxis": I},
                        "INVALID_ARGUMENT", "indices[0] = -1 is not in [0, 3)"),
    "reshape": ("Reshape", [("f32", [1, 2, 3]), ("i32", [2, 2])], {"T": F, "Tshape": I},
                "INVALID_ARGUMENT", "Input to reshape is a tensor with 3 values, but the requested "
                "shape has 4"),
    "reshape_negative": ("Reshape", [("f32", [1, 2, 3]), ("i32", [-1, -1])], {"T": F, "Tshape": I},
                         "INVALID_ARGUMENT", "-1"),
    "reshape_huge": ("Reshape", [("f32", [1, 2, 3]), ("i64", [1 << 62, 1 << 62])],
                     {"T": F, "Tshape": L}, "INVALID_ARGUMENT", ""),
    "concat": ("ConcatV2", [("f32", np.ones([2, 3])), ("f32", np.ones([3, 4])), ("i32", 1)],
               {"T": F, "N": 2, "Tidx": I}, "INVALID_ARGUMENT",
               "[2,3]", "[3,4]"),
    "concat_axis": ("ConcatV2", [("f32", [1]), ("f32", [1]), ("i32", 5)], {"T": F, "N": 2, "Tidx": I},
                    "INVALID_ARGUMENT", "5"),
    "slice": ("Slice", [("f32", [1, 2, 3]), ("i32", [2]), ("i32", [5])], {"T": F, "Index": I},
              "INVALID_ARGUMENT", "5"),
    "fill_negative": ("Fill", [("i32", [-2]), ("f32", 1)], {"T": F, "index_type": I},
                      "INVALID_ARGUMENT", "-2"),
    "fill_huge": ("Fill", [("i64", [1 << 40, 1 << 40]), ("f32", 1)], {"T": F, "index_type": L},
                  None, ""),
    "tile": ("Tile", [("f32", [1, 2]), ("i32", [-1])], {"T": F, "Tmultiples": I},
             "INVALID_ARGUMENT", "-1"),
    "transpose": ("Transpose", [("f32", np.ones([2, 3])), ("i32", [0, 0])], {"T": F, "Tperm": I},
                  "INVALID_ARGUMENT", "0"),
    "pad": ("Pad", [("f32", [1, 2]), ("i32", [[-1, 0]])], {"T": F, "Tpaddings": I},
            "INVALID_ARGUMENT", "-1"),
    "sum_axis": ("Sum", [("f32", [1, 2]), ("i32", [3])], {"T": F, "Tidx": I},
                 "INVALID_ARGUMENT", "3"),
    "argmax_axis": ("ArgMax", [("f32", [1, 2]), ("i32", 4)], {"T": F, "Tidx": I},
                    "INVALID_ARGUMENT", "4"),
    "int_div": ("Div", [("i32", [1, 2]), ("i32", [1, 0])], {"T": I},
                "INVALID_ARGUMENT", "Integer division by zero"),
    "int_mod": ("FloorMod", [("i32", [1, 2]), ("i32", [1, 0])], {"T": I},
                "INVALID_ARGUMENT", "Integer division by zero"),
    "segment_sum": ("UnsortedSegmentSum", [("f32", [1, 2]), ("i32", [0, 9]), ("i32", 3)],
                    {"T": F, "Tindices": I, "Tnumsegments": I}, "INVALID_ARGUMENT", "9", "3"),
    "one_hot": ("OneHot", [("i32", [1]), ("i32", -3), ("f32", 1), ("f32", 0)], {"T": F, "TI": I},
                "INVALID_ARGUMENT", "-3"),
    "range": ("Range", [("i32", 0), ("i32", 5), ("i32", 0)], {"Tidx": I},
              "INVALID_ARGUMENT", "delta"),
    "split": ("Split", [("i32", 0), ("f32", [1, 2, 3])], {"T": F, "num_split": 2},
              "INVALID_ARGUMENT", "3", "2"),
    "conv": ("Conv2D", [("f32", np.ones([1, 4, 4, 3])), ("f32", np.ones([2, 2, 5, 1]))],
             {"T": F, "strides": [1, 1, 1, 1], "padding": "SAME"}, "INVALID_ARGUMENT", "3", "5"),
    "max_pool": ("MaxPool", [("f32", np.ones([4, 4]))],
                 {"T": F, "ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"},
                 "INVALID_ARGUMENT", ""),
    "softmax_loss": ("SparseSoftmaxCrossEntropyWithLogits",
                     [("f32", np.ones([2, 3])), ("i32", [0, 0, 0])], {"T": F, "Tlabels": I},
                     "INVALID_ARGUMENT", "[2,3]", "[3]"),
    "top_k": ("TopKV2", [("f32", [1, 2]), ("i32", 5)], {"T": F}, "INVALID_ARGUMENT", "5"),
    "bias": ("BiasAdd", [("f32", np.ones([2, 3])), ("f32", [1, 2])], {"T": F},
             "INVALID_ARGUMENT", "3"),
    "string_to_number": ("StringToNumber", [("str", [b"pony"])], {"out_type": F},
                         "INVALID_ARGUMENT", "pony"),
    "decode_raw": ("DecodeRaw", [("str", [b"abc"])], {"out_type": F}, "INVALID_ARGUMENT", "3"),
    "decode_png": ("DecodePng", [("str", b"no image")], {"dtype": T("u8")}, "INVALID_ARGUMENT", ""),
    "read_file": ("ReadFile", [("str", b"/no/such/file")], {}, "NOT_FOUND", "/no/such/file"),
}


def bad_value(op, inputs, attrs, code, texts):
    def run(lib):
        with lib.graph(value_graph(op, inputs, attrs)).session() as s:
            feeds = {"in%d:0" % i: Value(v, t) for i, (t, v) in enumerate(inputs)}
            for _ in range(2):  # the session goes on
                try:
                    s.run(["n:0"], feeds)
                    raise AssertionError("no error")
                except Error as e:
                    assert code in (None, e.name), e
                    for text in texts:
                        assert text in e.message, "%r not in %r" % (text, e.message)
                    assert "node n" in e.message or "[[n" in e.message, (
                        "no node named in %r" % e.message)
        works(lib)
    return run


for _name, (_op, _inputs, _attrs, _code, *_texts) in VALUES.items():
    add("value_" + _name, bad_value(_op, _inputs, _attrs, _code, _texts))


# ---- feeds --------------------------------------------------------------------------------------

@scenario
def feed_of_another_shape(lib):
    g = GraphDef()
    g.node("Neg", g.placeholder("f32", [2, None], name="x"), T=F, name="n")
    with lib.graph(g.bytes()).session() as s:
        for _ in range(2):
            try:
                s.run(["n:0"], {"x:0": f32([1, 2, 3])})
            except Error as e:
                assert e.name == "INVALID_ARGUMENT", e
        equal(s.run(["n:0"], {"x:0": f32([[1], [2]])})[0], f32([[-1], [-2]]))


@scenario
def feed_of_another_type(lib):
    g = GraphDef()
    g.node("Neg", g.placeholder("f32", name="x"), T=F, name="n")
    with lib.graph(g.bytes()).session() as s:
        for value in (np.int32(1), np.array(b"s", object), np.zeros([3], bool)):
            with fails("INVALID_ARGUMENT"):
                s.run(["n:0"], {"x:0": value})
        equal(s.run(["n:0"], {"x:0": f32(1)})[0], f32(-1))


@scenario
def gradients_that_do_not_exist(lib):
    g = GraphDef()
    x = g.placeholder("f32", [3], name="x")
    a = g.node("ArgMax", x, g.const(0, "i32"), T=F, Tidx=I, output_type=L, name="a")
    g.node("Cast", a, SrcT=L, DstT=F, name="y")
    other = g.placeholder("f32", [3], name="other")
    g.node("Neg", other, T=F, name="z")
    graph = lib.graph(g.bytes())
    for ys, xs in ((["z:0"], ["x:0"]), (["a:0"], ["x:0"])):
        try:
            graph.add_gradients(ys, xs)
        except Error as e:
            assert e.name in ("INVALID_ARGUMENT", "NOT_FOUND", "UNIMPLEMENTED"), e
    works(lib)


if __name__ == "__main__":
    sys.exit(main(__file__))
