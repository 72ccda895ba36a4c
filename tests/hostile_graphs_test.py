#!/usr/bin/env python3
"""Graphs that a hostile or unlucky client builds: recursion, growth, sizes, what is accepted though wrong.

    tests/hostile_graphs_test.py [--lib PATH] [-k TEXT] [-v]

Each must end with a status that names the cause, in bounded time and memory, and the library goes on
working. A memory limit (WEIR_MEMORY) stands for a machine that has no more.
"""
import gzip
import os
import resource
import sys
import tempfile
import time

import numpy as np

import damaged_functions
import packed
import pb
from dtypes import Value
from errors_test import works
from pb import Func, GraphDef, Shape, T, attr, entry, field_bytes, field_int
from scenario import SCENARIOS, add, equal, fails, main, scenario
from weir_c import Error

SCENARIOS.clear()  # those of errors_test

F, D, I, L, S, B, V = T("f32"), T("f64"), T("i32"), T("i64"), T("str"), T("bool"), T("variant")
GIB = 1 << 30


def refused(lib, graph, fetches=("n:0",), feeds=None, codes=(), says=(), config=b"", timeout_ms=30000):
    """Import, plan or step must fail, with one of |codes| and every text."""
    try:
        with lib.graph(graph.bytes() if isinstance(graph, GraphDef) else graph).session(config) as s:
            s.run(list(fetches), feeds or {}, options=pb.run_options(timeout_ms=timeout_ms))
    except Error as e:
        assert not codes or e.name in codes, e
        for text in says:
            assert text in e.message, "%r not in %r" % (text, e.message)
    else:
        raise AssertionError("no error")
    works(lib)


# ---- functions that are wrong somewhere ----------------------------------------------------------

@scenario
def functions_that_are_wrong_somewhere(lib):
    """Damaged definitions from seeds: any status, no crash, and some still work."""
    fine = 0
    for seed in range(400):
        graph, fetches = damaged_functions.graph(seed)
        for fetch in fetches:
            try:
                with lib.graph(graph).session() as s:
                    s.run([fetch], {}, options=pb.run_options(timeout_ms=2000))
                    fine += 1
            except Error:
                pass
    assert fine > 100, "%d calls worked: the generator damages everything" % fine
    works(lib)


@scenario
def ops_that_only_passes_make(lib):
    """A graph of a client's that has them is refused, whatever their attrs say."""
    for op in ("_Arg", "_Retval", "_Cell", "_Elements", "_Panels", "_CopyIn", "_MaxPoolPlaces"):
        for index in (0, 5, 1 << 40):
            g = GraphDef()
            g.node(op, *([g.const(1.0)] if op != "_Arg" else []), T=F, index=index, name="n")
            refused(lib, g, codes=("INVALID_ARGUMENT",), says=("internal",))


# ---- recursion and growth -----------------------------------------------------------------------

def call(op, f, x, **attrs):
    return (op, "call", [x], dict({"Tin": [F], "Tout": [F], "f": Func(f)}, **attrs))


@scenario
def function_that_calls_itself(lib):
    for op in ("PartitionedCall", "StatefulPartitionedCall"):
        g = GraphDef()
        g.function("Again", {"x": "f32"}, {"y": "f32"}, [call(op, "Again", "x")], {"y": "call:output:0"})
        g.node(op, g.const(1.0), Tin=[F], Tout=[F], f=Func("Again"), name="n")
        refused(lib, g)


@scenario
def functions_that_call_each_other(lib):
    g = GraphDef()
    for k in range(3):
        g.function("F%d" % k, {"x": "f32"}, {"y": "f32"},
                   [call("PartitionedCall", "F%d" % ((k + 1) % 3), "x")], {"y": "call:output:0"})
    g.node("PartitionedCall", g.placeholder("f32", name="x"), Tin=[F], Tout=[F], f=Func("F0"), name="n")
    refused(lib, g, feeds={"x:0": np.float32(1)})


@scenario
def function_that_calls_itself_by_name(lib):
    """The op's type is the function's name."""
    g = GraphDef()
    g.function("Again", {"x": "f32"}, {"y": "f32"}, [("Again", "call", ["x"], {})], {"y": "call:y:0"})
    g.node("Again", g.const(1.0), name="n")
    refused(lib, g)


@scenario
def branch_that_branches_into_itself(lib):
    for op in ("If", "StatelessIf"):
        g = GraphDef()
        g.function("Again", {"c": "bool", "x": "f32"}, {"y": "f32"},
                   [(op, "if", ["c", "c", "x"],
                     {"Tcond": B, "Tin": [B, F], "Tout": [F], "then_branch": Func("Again"),
                      "else_branch": Func("Again")})], {"y": "if:output:0"})
        c = g.placeholder("bool", [], name="c")
        g.node(op, c, c, g.const(1.0), Tcond=B, Tin=[B, F], Tout=[F], then_branch=Func("Again"),
               else_branch=Func("Again"), name="n")
        refused(lib, g, feeds={"c:0": np.bool_(True)})


@scenario
def loop_whose_body_is_itself(lib):
    g = GraphDef()
    g.function("Cond", {"x": "f32"}, {"b": "bool"},
               [("Const", "t", [], {"dtype": B, "value": Value(np.bool_(True))})], {"b": "t:output:0"})
    g.function("Body", {"x": "f32"}, {"y": "f32"},
               [("While", "w", ["x"], {"T": [F], "cond": Func("Cond"), "body": Func("Body")})],
               {"y": "w:output:0"})
    g.node("While", g.const(1.0), T=[F], cond=Func("Cond"), body=Func("Body"), name="n")
    refused(lib, g)


@scenario
def gradient_of_a_function_that_calls_itself(lib):
    g = GraphDef()
    g.function("Again", {"x": "f32"}, {"y": "f32"}, [call("PartitionedCall", "Again", "x")],
               {"y": "call:output:0"})
    x = g.placeholder("f32", name="x")
    g.node("PartitionedCall", x, Tin=[F], Tout=[F], f=Func("Again"), name="n")
    try:
        lib.graph(g.bytes()).add_gradients(["n:0"], ["x:0"])
    except Error:
        pass
    g = GraphDef()
    g.function("Again", {"x": "f32"}, {"y": "f32"},
               [("SymbolicGradient", "call", ["x", "x"], {"Tin": [F, F], "Tout": [F], "f": Func("Again")})],
               {"y": "call:output:0"})
    x = g.placeholder("f32", name="x")
    g.node("SymbolicGradient", x, x, Tin=[F, F], Tout=[F], f=Func("Again"), name="n")
    refused(lib, g, feeds={"x:0": np.float32(1)})


def towers(levels, width, call_op="PartitionedCall"):
    """F0 calls F1 |width| times, which calls F2 ...: width ** levels nodes once inlined."""
    g = GraphDef()
    for k in range(levels):
        body = [(call_op, "c%d" % j, ["x"], {"Tin": [F], "Tout": [F], "f": Func("F%d" % (k + 1))})
                for j in range(width)]
        body.append(("AddN", "sum", ["c%d:output:0" % j for j in range(width)], {"T": F, "N": width}))
        g.function("F%d" % k, {"x": "f32"}, {"y": "f32"}, body, {"y": "sum:sum:0"})
    g.function("F%d" % levels, {"x": "f32"}, {"y": "f32"}, [("Neg", "neg", ["x"], {"T": F})],
               {"y": "neg:y:0"})
    g.node(call_op, g.placeholder("f32", name="x"), Tin=[F], Tout=[F], f=Func("F0"), name="n")
    return g


@scenario
def inlining_that_grows_without_end(lib):
    for op in ("PartitionedCall", "StatefulPartitionedCall"):
        start = time.time()
        refused(lib, towers(12, 10, op), feeds={"x:0": np.float32(1)}, timeout_ms=3000)
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2 << 20, "KiB"
        assert time.time() - start < 60, "it hung"


@scenario
def functions_nested_deep(lib):
    """A chain is no recursion: deep, but a program may have it. Beyond reason it is refused."""
    for levels in (50, 3000):
        g = towers(levels, 1)
        try:
            with lib.graph(g.bytes()).session() as s:
                equal(s.run(["n:0"], {"x:0": np.float32(2)})[0], np.float32(-2))
        except Error:
            assert levels > 50
    works(lib)


@scenario
def attrs_nested_deep(lib):
    for depth in (90, 200, 4000):
        value = attr(1)
        for _ in range(depth):  # func attr with an attr that is a func ...
            value = field_bytes(10, field_bytes(1, "f") + entry(2, "a", value))
        node = field_bytes(1, "n") + field_bytes(2, "NoOp") + entry(5, "_a", value)
        try:
            lib.graph(field_bytes(1, node)).graph_def()
        except Error:
            assert depth > 20
        value = field_int(3, 1)
        for _ in range(depth):  # lists of functions of lists ...
            value = field_bytes(1, field_bytes(9, field_bytes(1, "f") + entry(2, "a", value)))
        node = field_bytes(1, "n") + field_bytes(2, "NoOp") + entry(5, "_a", value)
        try:
            lib.graph(field_bytes(1, node)).graph_def()
        except Error:
            pass
    works(lib)


@scenario
def control_flow_nested_deep(lib):
    """Frames in frames in frames."""
    for depth in (20, 5000):
        g = GraphDef()
        x = g.const(1.0)
        for k in range(depth):
            x = g.node("Enter", x, T=F, frame_name="f%d" % k, is_constant=False, parallel_iterations=10)
        for k in range(depth):
            x = g.node("Exit", x, T=F)
        g.node("Identity", x, T=F, name="n")
        try:
            with lib.graph(g.bytes()).session() as s:
                equal(s.run(["n:0"])[0], np.float32(1))
        except Error:
            assert depth > 20
    works(lib)


@scenario
def branches_nested_deep(lib):
    for depth in (20, 2000):
        g = GraphDef()
        for k in range(depth):
            attrs = {"Tcond": B, "Tin": [B, F], "Tout": [F], "then_branch": Func("F%d" % (k + 1)),
                     "else_branch": Func("F%d" % (k + 1))}
            g.function("F%d" % k, {"c": "bool", "x": "f32"}, {"y": "f32"},
                       [("If", "if", ["c", "c", "x"], attrs)], {"y": "if:output:0"})
        g.function("F%d" % depth, {"c": "bool", "x": "f32"}, {"y": "f32"},
                   [("Neg", "neg", ["x"], {"T": F})], {"y": "neg:y:0"})
        c = g.placeholder("bool", [], name="c")
        g.node("If", c, c, g.const(1.0), Tcond=B, Tin=[B, F], Tout=[F], then_branch=Func("F0"),
               else_branch=Func("F0"), name="n")
        try:
            with lib.graph(g.bytes()).session() as s:
                s.run(["n:0"], {"c:0": np.bool_(True)}, options=pb.run_options(timeout_ms=5000))
        except Error:
            assert depth > 20
    works(lib)


@scenario
def long_chains(lib):
    """Depth by data, where recursion over inputs would overflow the stack."""
    g = GraphDef()
    x = g.placeholder("f32", [], name="x")
    for _ in range(50000):
        x = g.node("Neg", x, T=F)
    g.node("Identity", x, T=F, name="n")
    graph = lib.graph(g.bytes())
    with graph.session() as s:
        equal(s.run(["n:0"], {"x:0": np.float32(1)})[0], np.float32(1))


@scenario
def gradient_of_a_long_chain(lib):
    g = GraphDef()
    x = g.placeholder("f32", [], name="x")
    for _ in range(20000):
        x = g.node("Neg", x, T=F)
    g.node("Identity", x, T=F, name="n")
    graph = lib.graph(g.bytes())
    (dx,) = graph.add_gradients(["n:0"], ["x:0"])
    with graph.session() as s:
        equal(s.run([dx], {"x:0": np.float32(1)})[0], np.float32(1))


# ---- bodies of functions --------------------------------------------------------------------------

def body_graph(body, returns="neg:y:0", signature=None, **attrs):
    """n = G(x) with that body, instantiated with |attrs|. signature: of its argument."""
    g = GraphDef()
    g.function("G", {"x": "f32"}, {"y": "f32"}, body, {"y": returns})
    if signature is not None:
        arg = field_bytes(1, "x") + signature
        head = field_bytes(1, "G") + field_bytes(2, arg) + field_bytes(3, field_bytes(1, "y") + field_int(3, 1))
        head += b"".join(field_bytes(4, field_bytes(1, k) + field_bytes(2, t))
                         for k, t in (("N", "int"), ("T", "type"), ("L", "list(type)")))
        nodes = b"".join(field_bytes(3, pb.node_def(op, name, ins, "", a)) for op, name, ins, a in body)
        ret = field_bytes(4, field_bytes(1, "y") + field_bytes(2, returns))
        g.functions = [field_bytes(1, field_bytes(1, head) + nodes + ret)]
    g.node("PartitionedCall", g.placeholder("f32", [2], name="x"), Tin=[F], Tout=[F], f=Func("G", **attrs), name="n")
    return g


ONE = {"x:0": np.float32([1, 2])}


@scenario
def inputs_in_functions_that_name_nothing(lib):
    for name in ("x:1", "x:1000000", "x:-100000", "x:2147483647", "x:99999999999999999999", "first:y:-5", "first:-1",
                 "first:y:1000000", "first:77777777", "first:y:99999999999999999999", "first:z:0", ":0", "", "^x"):
        first = ("Neg", "first", ["x"], {"T": F})
        refused(lib, body_graph([first, ("Neg", "neg", [name], {"T": F})]), feeds=ONE, codes=["INVALID_ARGUMENT"])
        refused(lib, body_graph([first], name), feeds=ONE, codes=["INVALID_ARGUMENT"])


@scenario
def arguments_of_functions_that_attrs_do_not_describe(lib):
    kinds = {"N": field_int(3, 1) + field_bytes(5, "N"), "T": field_bytes(4, "T"), "L": field_bytes(6, "L")}
    values = (-1, 2, 1 << 31, 1 << 40, (1 << 63) - 1, "text" * 100, [], [1, 2, 3], 1.5, True, Func("G"), Shape([1]))
    for kind, signature in kinds.items():
        for value in values:
            body = [("Neg", "neg", ["x:5"], {"T": F})]
            refused(lib, body_graph(body, signature=signature, **{kind: value}), feeds=ONE)
        refused(lib, body_graph(body, signature=signature), feeds=ONE, codes=["INVALID_ARGUMENT"])


@scenario
def loops_in_functions_that_lead_nowhere(lib):
    for back in ("nope:output:0", "next:output:7", "next:77", "next:-1", "other:y:0"):
        body = [("Merge", "merge", ["x", back], {"T": F, "N": 2}),
                ("Cast", "other", ["merge:output:0"], {"SrcT": F, "DstT": I}),
                ("NextIteration", "next", ["merge:output:0"], {"T": F})]
        refused(lib, body_graph(body, "merge:output:0"), feeds=ONE, codes=["INVALID_ARGUMENT"])


@scenario
def functions_written_backwards(lib):
    """The time for a body does not grow with the square of its nodes, nor for calls with the size of the library."""
    count = 20000
    body = [("Neg", "n%d" % i, ["n%d:y:0" % (i - 1) if i else "x"], {"T": F}) for i in range(count)]
    with lib.graph(body_graph(body[::-1], "n%d:y:0" % (count - 1)).bytes()).session() as s:
        equal(s.run(["n:0"], ONE, options=pb.run_options(timeout_ms=60000))[0], ONE["x:0"])
    g, count = GraphDef(), 5000
    x = g.placeholder("f32", [2], name="x")
    for i in range(count):
        g.function("F%d" % i, {"x": "f32"}, {"y": "f32"}, [("Neg", "neg", ["x"], {"T": F})], {"y": "neg:y:0"})
        x = g.node("PartitionedCall", x, Tin=[F], Tout=[F], f=Func("F%d" % i))
    g.node("Identity", x, T=F, name="n", control=[g.node("NoOp") for i in range(30000)])
    with lib.graph(g.bytes()).session() as s:
        equal(s.run(["n:0"], ONE, options=pb.run_options(timeout_ms=60000))[0], ONE["x:0"])


@scenario
def regular_expressions(lib):
    hostile = [b"(" * 20000 + b")" * 20000, b"a{1000}{1000}{1000}", b"(a*)*" * 2000, b"((a{100}){100}){100}",
               b"[" * 5000, b"(?i)" * 5000, b"a|" * 50000, b"\\" * 999, b"(" * 5000, b"x{0,1000000000}",
               b"(?P<" + b"n" * 10000 + b">a)", b"[[:" * 1000, b"\\pN" * 3000, b".*" * 3000 + b"x"]
    for pattern in hostile:
        g = GraphDef()
        g.node("RegexReplace", g.const([b"a" * 300], "str"), g.const(pattern, "str"), g.const(b"b", "str"),
               replace_global=True, name="n")
        g.node("StaticRegexFullMatch", g.const([b"a" * 300], "str"), pattern=pattern, name="m")
        for fetch in ("n:0", "m:0"):
            try:
                with lib.graph(g.bytes()).session() as s:
                    s.run([fetch], options=pb.run_options(timeout_ms=5000))
            except Error:
                pass
    works(lib)


# ---- objects within objects ---------------------------------------------------------------------

STEP_MS = 2500
WITH_TYPES = {"output_types": [L], "output_shapes": [Shape([])]}


def constant(name, value, dtype):
    return ("Const", name, [], {"dtype": T(dtype), "value": Value(value, dtype)})


def take(twice):
    """The body of a dataset over the last one."""
    if twice:
        return [("ConcatenateDataset", "t", ["x", "x"], WITH_TYPES)], "t:handle:0"
    return [constant("m", np.int64(-1), "i64"), ("TakeDataset", "t", ["x", "m:output:0"], WITH_TYPES)], "t:handle:0"


def hold(twice):
    return [("OptionalFromValue", "t", ["x", "x"][:1 + twice], {"Toutput_types": [V, V][:1 + twice]})], "t:optional:0"


def push(twice):
    attrs = {"element_dtype": V, "shape_type": I}
    body = [constant("s", np.zeros([0], np.int32), "i32"), constant("k", np.int32(9), "i32"),
            ("EmptyTensorList", "e", ["s:output:0", "k:output:0"], attrs),
            ("TensorListPushBack", "t", ["e:handle:0", "x"], {"element_dtype": V}),
            ("TensorListPushBack", "u", ["t:output_handle:0", "x"], {"element_dtype": V})]
    return body, "u:output_handle:0" if twice else "t:output_handle:0"


def insert(twice):
    attrs = {"key_dtype": I, "value_dtype": V}
    body = [("EmptyTensorMap", "e", [], {}), constant("k", np.int32(1), "i32"), constant("l", np.int32(2), "i32"),
            ("TensorMapInsert", "t", ["e:handle:0", "k:output:0", "x"], attrs),
            ("TensorMapInsert", "u", ["t:output_handle:0", "l:output:0", "x"], attrs)]
    return body, "u:output_handle:0" if twice else "t:output_handle:0"


def first_dataset(g):
    return g.node("RangeDataset", *[g.const(np.int64(v), "i64") for v in (0, 5, 1)], **WITH_TYPES)


def first_list(g):
    return g.node("EmptyTensorList", g.const(np.zeros([0], np.int32), "i32"), g.const(9, "i32"), element_dtype=V, shape_type=I)


# what holds the last one, what is the first one, and what else can be done with it
NESTED = {
    "datasets": (take, first_dataset, ["reduce", "DatasetCardinality", "DatasetFingerprint", "DatasetToGraph"]),
    "optionals": (hold, lambda g: g.node("OptionalNone"), ["ZerosLike", "AddN"]),
    "lists": (push, first_list, ["ZerosLike", "AddN"]),
    "maps": (insert, lambda g: g.node("EmptyTensorMap"), ["ZerosLike", "AddN"]),
}


def nested(kind, twice, count):
    """A loop that puts what it has into a new one |count| times: output 1 of node w."""
    make, first, uses = NESTED[kind]
    body, result = make(twice)
    g = GraphDef()
    args = {"i": "i32", "x": "variant"}
    g.function("C", args, {"b": "bool"}, [constant("n", np.int32(count), "i32"),
                                          ("Less", "l", ["i", "n:output:0"], {"T": I})], {"b": "l:z:0"})
    g.function("B", args, {"j": "i32", "y": "variant"}, body + [
        constant("one", np.int32(1), "i32"), ("AddV2", "inc", ["i", "one:output:0"], {"T": I})], {"j": "inc:z:0", "y": result})
    g.node("While", g.const(0, "i32"), first(g), T=[I, V], cond=Func("C"), body=Func("B"), name="w")
    g.node("Identity", "w:1", T=V, name="fetched")
    g.node("Identity", "w", T=I, name="made")
    for use in uses:
        use_of(g, use)
    return g, ["made", "fetched"] + uses


def use_of(g, use):
    if use == "reduce":
        g.function("R", {"s": "i64", "x": "i64"}, {"y": "i64"}, [("AddV2", "a", ["s", "x"], {"T": L})], {"y": "a:z:0"})
        g.node("ReduceDataset", "w:1", g.const(np.int64(0), "i64"), f=Func("R"), Tstate=[L], Targuments=[], name=use, **WITH_TYPES)
    elif use in ("ZerosLike", "AddN"):
        g.node(use, *(["w:1"] if use == "ZerosLike" else [["w:1", "w:1"]]), T=V, name=use, **({} if use == "ZerosLike" else {"N": 2}))
    else:
        g.node(use, "w:1", name=use)


def use_nested(lib, kind, twice, count):
    """A status each: the objects are deep, or few that stand for more than there are atoms."""
    g, uses = nested(kind, twice, count)
    found = set()
    for use in uses:
        try:
            with lib.graph(g.bytes()).session() as s:
                s.run([use + ":0"], options=pb.run_options(timeout_ms=STEP_MS))
            found.add("OK")
        except Error as e:
            found.add(e.name)
    assert found <= {"OK", "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INVALID_ARGUMENT", "INTERNAL",
                     "FAILED_PRECONDITION"}, found
    works(lib)


for _kind in NESTED:
    add("%s_nested_deep" % _kind, lambda lib, kind=_kind: use_nested(lib, kind, False, 150000))
    add("%s_that_hold_one_twice" % _kind, lambda lib, kind=_kind: use_nested(lib, kind, True, 50))


@scenario
def objects_nested_as_programs_do(lib):
    """A hundred deep is no attack."""
    for kind, use, want in (("datasets", "reduce", np.int64(10)), ("lists", "made", np.int32(100)), ("optionals", "made", np.int32(100))):
        g, _ = nested(kind, False, 100)
        with lib.graph(g.bytes()).session() as s:
            equal(s.run([use + ":0"], options=pb.run_options(timeout_ms=30000))[0], want)


@scenario
def datasets_whose_functions_make_them_again(lib):
    """Each iterator reads one that its function made, which reads one that ..."""
    g = GraphDef()
    body = [constant("z", np.int64(0), "i64"), constant("o", np.int64(1), "i64"),
            ("RangeDataset", "a", ["z:output:0", "o:output:0", "o:output:0"], WITH_TYPES),
            ("FlatMapDataset", "f", ["a:handle:0"], dict(WITH_TYPES, f=Func("M"), Targuments=[]))]
    g.function("M", {"x": "i64"}, {"y": "variant"}, body, {"y": "f:handle:0"})
    g.node("FlatMapDataset", first_dataset(g), f=Func("M"), Targuments=[], name="w", **WITH_TYPES)
    g.function("R", {"s": "i64", "x": "i64"}, {"y": "i64"}, [("AddV2", "a", ["s", "x"], {"T": L})], {"y": "a:z:0"})
    g.node("ReduceDataset", "w", g.const(np.int64(0), "i64"), f=Func("R"), Tstate=[L], Targuments=[], name="n", **WITH_TYPES)
    refused(lib, g, timeout_ms=20000, codes=("RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED"))


# ---- sizes that a client chooses ----------------------------------------------------------------

# name -> op, inputs, attrs: each asks for far more than the machine has, or than a size holds
SIZES = {
    "fill": ("Fill", [("i64", [1 << 20, 1 << 20]), ("f32", 1)], {"T": F, "index_type": L}),
    "fill_overflow": ("Fill", [("i64", [1 << 40, 1 << 40]), ("f32", 1)], {"T": F, "index_type": L}),
    "fill_strings": ("Fill", [("i64", [1 << 33]), ("str", b"x")], {"T": S, "index_type": L}),
    "range": ("Range", [("i64", 0), ("i64", 1 << 50), ("i64", 1)], {"Tidx": L}),
    "range_floats": ("Range", [("f64", 0), ("f64", 1e300), ("f64", 1e-300)], {"Tidx": D}),
    "range_nan": ("Range", [("f64", 0), ("f64", float("nan")), ("f64", 1)], {"Tidx": D}),
    "linspace": ("LinSpace", [("f32", 0), ("f32", 1), ("i64", 1 << 45)], {"T": F, "Tidx": L}),
    "tile": ("Tile", [("f32", np.ones([10])), ("i64", [1 << 45])], {"T": F, "Tmultiples": L}),
    "tile_overflow": ("Tile", [("f32", np.ones([10, 10])), ("i64", [1 << 60, 1 << 60])],
                      {"T": F, "Tmultiples": L}),
    "pad": ("Pad", [("f32", [1, 2]), ("i64", [[1 << 45, 1]])], {"T": F, "Tpaddings": L}),
    "pad_overflow": ("Pad", [("f32", [1, 2]), ("i64", [[(1 << 63) - 1, (1 << 63) - 1]])],
                     {"T": F, "Tpaddings": L}),
    "mirror_pad": ("MirrorPad", [("f32", [1, 2]), ("i64", [[1 << 62, 1 << 62]])],
                   {"T": F, "Tpaddings": L, "mode": "SYMMETRIC"}),
    "broadcast": ("BroadcastTo", [("f32", 1), ("i64", [1 << 30, 1 << 30])], {"T": F, "Tidx": L}),
    "one_hot": ("OneHot", [("i32", [1]), ("i32", 2147483647), ("f32", 1), ("f32", 0)], {"T": F, "TI": I}),
    "zeros_of_random": ("RandomUniform", [("i64", [1 << 45])], {"T": L, "dtype": F}),
    "random_overflow": ("RandomStandardNormal", [("i64", [1 << 62, 1 << 62])], {"T": L, "dtype": F}),
    "multinomial": ("Multinomial", [("f32", np.ones([2, 3])), ("i32", 2147483647)], {"T": F}),
    "empty": ("Empty", [("i32", [2147483647, 2147483647])], {"dtype": F}),
    "eye": ("MatrixDiagV2", [("f32", np.ones([2])), ("i32", 0), ("i32", 2147483647), ("i32", 2147483647),
                             ("f32", 0)], {"T": F}),
    "scatter_nd": ("ScatterNd", [("i64", [[1]]), ("f32", [1]), ("i64", [1 << 45])], {"T": F, "Tindices": L}),
    "unsorted_segment": ("UnsortedSegmentSum", [("f32", [1]), ("i64", [0]), ("i64", 1 << 45)],
                         {"T": F, "Tindices": L, "Tnumsegments": L}),
    "bincount": ("Bincount", [("i32", [1]), ("i32", 2147483647), ("f32", np.ones([0]))], {"T": F}),
    "dense_bincount": ("DenseBincount", [("i64", [1]), ("i64", 1 << 50), ("f32", np.ones([0]))],
                       {"T": F, "Tidx": L}),
    "sparse_to_dense": ("SparseToDense", [("i64", [1]), ("i64", [1 << 50]), ("f32", 1), ("f32", 0)],
                        {"T": F, "Tindices": L}),
    "resize": ("ResizeBilinear", [("f32", np.ones([1, 2, 2, 1])), ("i32", [2000000, 2000000])], {"T": F}),
    "resize_nearest": ("ResizeNearestNeighbor", [("f32", np.ones([1, 2, 2, 1])),
                                                 ("i32", [2147483647, 2147483647])], {"T": F}),
    "crop_and_resize": ("CropAndResize", [("f32", np.ones([1, 2, 2, 1])), ("f32", np.zeros([1, 4])),
                                          ("i32", [0]), ("i32", [2000000, 2000000])], {"T": F}),

    "repeat_strings": ("Tile", [("str", [b"x" * 100]), ("i64", [1 << 31])], {"T": S, "Tmultiples": L}),
    "tensor_array": ("TensorArrayV3", [("i32", 2147483647)], {"dtype": F, "element_shape": Shape()}),
    "list_reserve": ("TensorListReserve", [("i32", [2]), ("i32", 2147483647)],
                     {"element_dtype": F, "shape_type": I}),

    "parallel_concat": ("Fill", [("i32", [2147483647, 4]), ("f32", 1)], {"T": F, "index_type": I}),
    "depth_to_space": ("SpaceToBatchND", [("f32", np.ones([1, 2, 2, 1])), ("i64", [1, 1]),
                                          ("i64", [[1 << 40, 0], [1 << 40, 0]])],
                       {"T": F, "Tblock_shape": L, "Tpaddings": L}),
    "block_size": ("DepthToSpace", [("f32", np.ones([1, 0, 0, 4]))], {"T": F, "block_size": 1 << 32}),
    "block_size_back": ("SpaceToDepth", [("f32", np.ones([1, 2, 2, 1]))], {"T": F, "block_size": 1 << 62}),
    "histogram": ("HistogramFixedWidth", [("f32", [1]), ("f32", [0, 1]), ("i32", 2147483647)],
                  {"T": F, "dtype": I}),
    "candidates": ("UniformCandidateSampler", [("i64", [[1]])],
                   {"num_true": 1, "num_sampled": 1 << 40, "unique": False, "range_max": 1 << 50}),
    "all_candidates": ("AllCandidateSampler", [("i64", [[1]])],
                       {"num_true": 1, "num_sampled": 1 << 40, "unique": True}),
    "unigrams": ("LearnedUnigramCandidateSampler", [("i64", [[1]])],
                 {"num_true": 1, "num_sampled": 1, "unique": False, "range_max": 1 << 50}),
    "fewer_unigrams": ("LearnedUnigramCandidateSampler", [("i64", [[1]])],
                       {"num_true": 1, "num_sampled": 1, "unique": False, "range_max": (1 << 31) - 2}),


}

def size_graph(op, inputs, attrs, constants):
    """(graph, feeds) of an op named n."""
    g, feeds, names = GraphDef(), {}, []
    for k, (dtype, value) in enumerate(inputs):
        if constants:
            names.append(g.const(value, dtype))
        else:
            names.append(g.placeholder(dtype, name="in%d" % k))
            feeds["in%d:0" % k] = Value(value, dtype)
    g.node(op, *names, name="n", **attrs)
    return g, feeds


def ask_too_much(lib, op, inputs, attrs):
    hidden = op in ("TensorArrayV3", "TensorListReserve")  # no value outside the runtime
    for constants in (False, True):
        g, feeds = size_graph(op, inputs, attrs, constants)
        try:
            with lib.graph(g.bytes()).session() as s:
                s.run([] if hidden else ["n:0"], feeds, ["n"] if hidden else [],
                      options=pb.run_options(timeout_ms=20000))
            raise AssertionError("no error")
        except Error as e:
            assert e.name in ("RESOURCE_EXHAUSTED", "INVALID_ARGUMENT"), e
            assert "n" in e.message, e


@scenario
def sizes_that_nobody_has(lib):
    for name, case in SIZES.items():
        try:
            ask_too_much(lib, *case)
        except AssertionError as e:
            raise AssertionError("%s: %s" % (name, e)) from None
    works(lib)


@scenario
def outputs_that_an_attr_counts(lib):
    """A hundred bytes describe a node of a million outputs; ten of them are not built."""
    g = GraphDef()
    for k in range(10):
        g.node("DynamicPartition", g.const(np.array([1], np.float32), "f32"), g.const(np.array([0], np.int32), "i32"), T=F,
               num_partitions=1 << 20, name="n%d" % k)
    refused(lib, g, ["n0:0"], codes=("RESOURCE_EXHAUSTED",), says=("OOM", "n0", "1048576 outputs"))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert most < 500 << 10, "%d KiB" % most


def numbers(g, count):
    return g.node("Range", *[g.const(np.int64(v), "i64") for v in (0, count, 1)], Tidx=L)


def list_of_many(g, rows):
    return g.node("TensorListFromTensor", rows, g.const(np.zeros([0], np.int64), "i64"), element_dtype=L, shape_type=L, name="n")


def array_of_many(g, rows):
    a = g.node("TensorArrayV3", g.const(np.int32(1), "i32"), dtype=L, element_shape=Shape(None), dynamic_size=True, clear_after_read=True,
               identical_element_shapes=False, tensor_array_name="", name="a")
    g.node("TensorArrayScatterV3", a, g.node("Cast", rows, SrcT=L, DstT=I), rows, "a:1", T=L, name="n")


def queue_of_many(kind):
    def build(g, rows):
        random = dict(min_after_dequeue=0, seed=1, seed2=2) if kind[0] == "R" else {}
        q = g.node(kind, component_types=[L], shapes=[Shape([])], capacity=-1, shared_name="q", **random)
        g.node("QueueEnqueueManyV2", q, [rows], Tcomponents=[L], timeout_ms=-1, name="n")
    return build


def table_of_many(g, rows):
    t = g.node("MutableHashTableV2", key_dtype=L, value_dtype=L, shared_name="t")
    g.node("LookupTableInsertV2", t, rows, rows, Tin=L, Tout=L, name="n")


def barrier_of_many(g, rows):
    b = g.node("Barrier", component_types=[L], shapes=[Shape([])], capacity=-1, shared_name="b")
    keys = g.node("AsString", rows, T=L, precision=-1, scientific=False, shortest=False, width=-1, fill=b"")
    g.node("BarrierInsertMany", b, keys, rows, T=L, component_index=0, name="n")


# each stores millions of small values, whose own bytes are few
MANY = {"list": list_of_many, "array": array_of_many, "queue": queue_of_many("FIFOQueueV2"),
        "shuffled": queue_of_many("RandomShuffleQueueV2"), "table": table_of_many, "barrier": barrier_of_many}


@scenario
def containers_of_many_small_values(lib):
    """What a container needs for each element counts, too, and is given back."""
    for name, build in MANY.items():
        g = GraphDef()
        build(g, numbers(g, 1500000))
        for _ in range(2):
            refused_target(lib, g, name)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert most < 500 << 10, "%s took %d KiB" % (name, most)


def refused_target(lib, g, name):
    try:
        with lib.graph(g.bytes()).session() as s:
            s.run([], {}, ["n"], options=pb.run_options(timeout_ms=60000))
    except Error as e:
        assert e.name == "RESOURCE_EXHAUSTED" and "OOM" in e.message, (name, e)
    else:
        raise AssertionError(name + ": no error")
    works(lib)


@scenario
def numbers_of_inputs_that_nobody_has(lib):
    for n in ((1 << 31) - 1, 1 << 32, (1 << 32) + 2, 1 << 62, -1, -(1 << 31), -(1 << 63)):
        for op, more in (("ConcatV2", True), ("AddN", False), ("IdentityN", None)):
            g = GraphDef()
            x = [g.const([1.0]), g.const([2.0])] + ([g.const(0, "i32")] if more else [])
            g.node(op, *x, name="n", **({"T": F, "N": n} if more is not None else {"T": [F], "N": n}))
            refused(lib, g, codes=["INVALID_ARGUMENT"])


@scenario
def memory_is_given_back_at_the_limit(lib):
    """Steps that fail for want of memory hold none of it afterwards."""
    g = GraphDef()
    g.node("Fill", g.placeholder("i64", name="n"), g.const(1.0), T=F, index_type=L, name="y")
    with lib.graph(g.bytes()).session() as s:
        for _ in range(4):
            assert s.run(["y:0"], {"n:0": Value([10 << 20], "i64")})[0].shape == (10 << 20,)
            with fails("RESOURCE_EXHAUSTED", "OOM", "shape[52428800]", "float", "209715200 bytes", "y"):
                s.run(["y:0"], {"n:0": Value([50 << 20], "i64")})


@scenario
def replacement_that_grows_a_text(lib):
    g = GraphDef()
    for name, pattern, rewrite in (("n", b"a", b"x" * (1 << 20)), ("m", b"a*", b"\\0" * (1 << 14))):
        g.node("RegexReplace", g.const(b"a" * (1 << 16), "str"), g.const(pattern, "str"),
               g.const(rewrite, "str"), replace_global=True, name=name)
    for fetch in ("n:0", "m:0"):
        refused(lib, g, [fetch], codes=["RESOURCE_EXHAUSTED"], says=["OOM"], timeout_ms=60000)


@scenario
def threads_without_number(lib):
    config = field_int(2, 1000000000) + field_int(5, 1000000000) + field_int(9, 1)
    g = GraphDef()
    g.node("Neg", g.const(1.0), T=F, name="n")
    resource.setrlimit(resource.RLIMIT_AS, (2 * GIB, 2 * GIB))  # as many as there is room for
    with lib.graph(g.bytes()).session(config) as s:
        equal(s.run(["n:0"])[0], np.float32(-1))


# ---- strings -------------------------------------------------------------------------------------

TEXT = b"x" * 100000
# op, inputs, attrs: each makes several times the hundred megabytes that there are
TEXTS = {
    "zlib": ("DecodeCompressed", [("str", packed.zlib_zeros(700))], {"compression_type": b"ZLIB"}),
    "zstd": ("DecodeCompressed", [("str", packed.zstd_frame(b"", b"x", 100000) * 10000)], {"compression_type": b"ZSTD"}),
    "fill": ("Fill", [("i64", [2000]), ("str", TEXT)], {"T": S, "index_type": L}),
    "tile": ("Tile", [("str", [TEXT]), ("i64", [2000])], {"T": S, "Tmultiples": L}),
    "broadcast": ("BroadcastTo", [("str", TEXT), ("i64", [2000])], {"T": S, "Tidx": L}),
    "gather": ("GatherV2", [("str", [TEXT]), ("i64", np.zeros([2000], np.int64)), ("i64", 0)],
               {"Tparams": S, "Tindices": L, "Taxis": L}),
    "widths": ("AsString", [("f32", np.ones([100000]))], {"T": F, "width": 4000, "fill": b"0"}),
    "join": ("StringJoin", [("str", [b""] * 2000), ("str", TEXT)], {"N": 2, "separator": b""}),
    "reduce": ("ReduceJoin", [("str", [[b"x"] * 1000] * 100), ("i32", [0, 1])], {"separator": b"s" * 10000}),
    "segments": ("UnsortedSegmentJoin", [("str", [b"x"] * 50000), ("i32", np.arange(50000, dtype=np.int32) % 50), ("i32", 50)],
                 {"separator": b"s" * 20000, "Tindices": I, "Tnumsegments": I}),
    "grams": ("StringNGrams", [("str", [b"abc"] * 12000), ("i64", [0, 12000])],
              {"separator": b" ", "ngram_widths": [6000], "left_pad": b"", "right_pad": b"", "pad_width": 0,
               "preserve_short_sequences": False, "Tsplits": L}),
}


@scenario
def strings_that_multiply(lib):
    for name, (op, inputs, attrs) in TEXTS.items():
        g, feeds = size_graph(op, inputs, attrs, False)
        if op == "StringJoin":
            g.parts.pop()
            g.node(op, ["in0", "in1"], name="n", **attrs)
        g.node("Size", "n", T=S, out_type=I, name="size")
        try:
            with lib.graph(g.bytes()).session() as s:
                s.run(["size:0"], feeds, options=pb.run_options(timeout_ms=60000))
            raise AssertionError(name + ": no error")
        except Error as e:
            assert e.name == "RESOURCE_EXHAUSTED" and "OOM" in e.message and "{{node n}}" in e.message, (name, e)
        works(lib)
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert most < 500 << 10, "%s took %d KiB" % (name, most)


@scenario
def a_text_that_doubles(lib):
    """A thousand letters and twenty additions are a gigabyte."""
    for op in ("Add", "AddV2", "AddN", "StringJoin", "AccumulateNV2"):
        g = GraphDef()
        x = g.placeholder("str", name="x")
        for _ in range(20):
            x = g.node(op, x, x, T=S) if op[:3] == "Add" and op != "AddN" else g.node(op, [x, x], T=S, N=2)
        g.node("StringLength", x, name="n")
        refused(lib, g, feeds={"x:0": Value(b"x" * 1000, "str")}, codes=("RESOURCE_EXHAUSTED", "INVALID_ARGUMENT"))
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert most < 500 << 10, "%s took %d KiB" % (op, most)


@scenario
def strings_are_given_back(lib):
    """Hundreds of megabytes, but never many at a time: what is counted is counted once."""
    g = GraphDef()
    g.node("Fill", g.placeholder("i64", name="n"), g.const(TEXT, "str"), T=S, index_type=L, name="y")
    with lib.graph(g.bytes()).session() as s:
        for _ in range(40):
            assert s.run(["y:0"], {"n:0": Value([150], "i64")})[0].array[149] == TEXT
        with fails("RESOURCE_EXHAUSTED", "OOM", "y"):
            s.run(["y:0"], {"n:0": Value([2000], "i64")})
        assert s.run(["y:0"], {"n:0": Value([150], "i64")})[0].shape == (150,)


# ---- work that a client chooses ------------------------------------------------------------------

def drawn(g, shape):
    return g.node("RandomUniform", g.const(shape, "i32"), T=I, dtype=F)


def ranks(g, count):
    """[[0, 0], [0, 1], ...]"""
    r = g.node("Range", *[g.const(np.int64(v), "i64") for v in (0, count, 1)], Tidx=L)
    e = g.node("ExpandDims", r, g.const(1, "i32"), T=L, Tdim=I)
    return g.node("ConcatV2", [g.node("ZerosLike", e, T=L), e], g.const(1, "i32"), N=2, T=L, Tidx=I)


def long_edit(g):
    n = 400000
    i, shape = ranks(g, n), g.const(np.array([1, n], np.int64), "i64")
    a, b = (g.node("Fill", g.const([n], "i32"), g.const(np.int64(v), "i64"), T=L, index_type=I) for v in (1, 2))
    g.node("EditDistance", i, a, shape, i, b, shape, T=L, normalize=False, name="n")


def long_table(g):
    r = g.node("Range", *[g.const(np.int64(v), "i64") for v in (0, 500000, 1)], Tidx=L)
    keys = g.node("Mul", r, g.const(np.int64(1 << 40), "i64"), T=L)  # all hash to the same place
    t = g.node("MutableDenseHashTableV2", g.const(np.int64(-1), "i64"), g.const(np.int64(-2), "i64"), key_dtype=L, value_dtype=L,
               shared_name="t", value_shape=Shape([]), initial_num_buckets=1 << 20, max_load_factor=0.8)
    i = g.node("LookupTableInsertV2", t, keys, r, Tin=L, Tout=L)
    g.node("LookupTableSizeV2", t, name="n", control=[i])


def long_suppression(g):
    g.node("NonMaxSuppressionV3", drawn(g, [400000, 4]), drawn(g, [400000]), g.const(400000, "i32"), g.const(1.0), g.const(-1.0),
           T=F, name="n")


IMAGE = [1, 2000, 2000, 1]
# each would work for minutes or hours on little memory
LONG = {
    "conv": lambda g: g.node("Conv2D", drawn(g, IMAGE), drawn(g, [201, 201, 1, 1]), T=F, strides=[1] * 4, padding=b"SAME", name="n"),
    "depthwise": lambda g: g.node("DepthwiseConv2dNative", drawn(g, IMAGE), drawn(g, [201, 201, 1, 1]), T=F, strides=[1] * 4,
                                  padding=b"SAME", name="n"),
    "max_pool": lambda g: g.node("MaxPool", drawn(g, IMAGE), T=F, ksize=[1, 201, 201, 1], strides=[1] * 4, padding=b"SAME", name="n"),
    "avg_pool": lambda g: g.node("AvgPool", drawn(g, IMAGE), T=F, ksize=[1, 201, 201, 1], strides=[1] * 4, padding=b"SAME", name="n"),
    "dilation": lambda g: g.node("Dilation2D", drawn(g, IMAGE), drawn(g, [501, 501, 1]), T=F, strides=[1] * 4, rates=[1] * 4,
                                 padding=b"SAME", name="n"),
    "svd": lambda g: g.node("Svd", drawn(g, [900, 900]), T=F, compute_uv=True, full_matrices=False, name="n"),
    "eigen": lambda g: g.node("SelfAdjointEigV2", drawn(g, [1200, 1200]), T=F, compute_v=True, name="n"),
    "suppression": long_suppression,
    "edit": long_edit,
    "beam": lambda g: g.node("CTCBeamSearchDecoder", drawn(g, [2000, 1, 2000]), g.const([2000], "i32"), beam_width=100000,
                             top_paths=1, T=F, name="n"),
    "table": long_table,
    "candidates": lambda g: g.node("LogUniformCandidateSampler", g.const([[1]], "i64"), num_true=1, num_sampled=1000000,
                                   unique=True, range_max=1000000, name="n"),
}


@scenario
def ops_that_would_work_for_hours(lib):
    """They end with their step, and the session can be closed."""
    for name, build in LONG.items():
        g = GraphDef()
        build(g)
        start = time.time()
        with lib.graph(g.bytes()).session() as s:
            status = ends(s, ["n:%d" % (2 if name == "beam" else 0)], timeout_ms=500)
            assert status == "DEADLINE_EXCEEDED", (name, status)
        assert time.time() - start < 60, name + " hung"
    works(lib)


@scenario
def draws_that_never_fit(lib):
    """A mean far beyond what the type of the result holds."""
    g = GraphDef()
    rates = g.placeholder("f64", [3], name="rates")
    for name, dtype in (("half", "f16"), ("int", "i32"), ("long", "i64")):
        g.node("RandomPoissonV2", g.const([1000], "i32"), rates, S=I, R=D, dtype=T(dtype), name=name)
    with lib.graph(g.bytes()).session() as s:
        feeds = {"rates:0": Value(np.array([1e30, 1e300, 20]), "f64")}
        half, whole, long_ones = [v.array for v in s.run(["half:0", "int:0", "long:0"], feeds)]
    assert (half[:, :2] == 65504).all() and (whole[:, :2] == (1 << 31) - 1).all(), (half, whole)
    assert (long_ones[:, :2] == (1 << 63) - (1 << 10)).all() and 15 < long_ones[:, 2].mean() < 25, long_ones
    works(lib)


# ---- files --------------------------------------------------------------------------------------

def file_graph(path):
    """Ops that open |path|: one of each kind of reader."""
    g = GraphDef()
    name = g.const(path.encode(), "str")
    g.node("ReadFile", name, name="read")
    g.node("RestoreV2", name, g.const([b"x"], "str"), g.const([b""], "str"), dtypes=[F], name="restore")
    for kind, inputs in (("TextLine", 3), ("TFRecord", 3), ("FixedLengthRecord", 0)):
        files = g.const([path.encode()], "str")
        if inputs:
            rest = [g.const(b"", "str"), g.const(0, "i64")]
        else:
            rest = [g.const(n, "i64") for n in (0, 4, 0, 0)]
        d = g.node(kind + "Dataset", files, *rest)
        it = g.node("IteratorV2", output_types=[S], output_shapes=[Shape()],
                    shared_name=kind, container="", name=kind)
        g.node("MakeIterator", d, it, name=kind + "_init")
        g.node("IteratorGetNext", it, output_types=[S], output_shapes=[Shape()], name=kind + "_next")
    return g


def ends(session, fetches=(), targets=(), timeout_ms=3000):
    """The status of a step that must end in time."""
    start = time.time()
    try:
        session.run(list(fetches), {}, list(targets), options=pb.run_options(timeout_ms=timeout_ms))
        status = "OK"
    except Error as e:
        status = e.name
    assert time.time() - start < 60, "it hung"
    return status


@scenario
def pipes_are_no_files(lib):
    """A reader of a pipe that nobody writes would wait for ever."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pipe")
        os.mkfifo(path)
        with lib.graph(file_graph(path).bytes()).session() as s:
            assert ends(s, ["read:0"]) != "OK"
            assert ends(s, ["restore:0"]) != "OK"
            for kind in ("TextLine", "TFRecord", "FixedLengthRecord"):
                ends(s, targets=[kind + "_init"])
                assert ends(s, [kind + "_next:0"]) != "OK"
        works(lib)


@scenario
def files_without_end(lib):
    with tempfile.TemporaryDirectory() as folder:
        sparse = os.path.join(folder, "sparse")
        with open(sparse, "wb") as f:
            f.truncate(1 << 42)
        for path in ("/dev/zero", sparse):
            with lib.graph(file_graph(path).bytes()).session() as s:
                assert ends(s, ["read:0"]) in ("RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED")
                assert ends(s, ["restore:0"]) != "OK"
                ends(s, targets=["TextLine_init"])
                assert ends(s, ["TextLine_next:0"]) in ("RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED")
        works(lib)


@scenario
def lines_that_unpack_without_end(lib):
    """A gzip file of 1 MB that is one line of a GiB."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bomb.gz")
        member = gzip.compress(bytes(16 << 20))
        with open(path, "wb") as f:
            f.write(member * 64)
        g = GraphDef()
        d = g.node("TextLineDataset", g.const([path.encode()], "str"), g.const(b"GZIP", "str"),
                   g.const(0, "i64"))
        it = g.node("IteratorV2", output_types=[S], output_shapes=[Shape()], shared_name="i",
                    container="", name="i")
        g.node("MakeIterator", d, it, name="init")
        g.node("IteratorGetNext", it, output_types=[S], output_shapes=[Shape()], name="next")
        with lib.graph(g.bytes()).session() as s:
            s.run(targets=["init"])
            assert ends(s, ["next:0"]) in ("RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED")
        works(lib)


if __name__ == "__main__":
    os.environ.setdefault("WEIR_MEMORY", "100M")
    sys.exit(main(__file__))
