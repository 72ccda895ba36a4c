#!/usr/bin/env python3
"""Time grows with the size of a graph, not with its square: each dimension of a graph at n and at 4n.

    tests/scaling_test.py [--lib PATH] [-k TEXT] [--scale X]

A dimension fails when four times as much takes more than twelve times as long, of the processor's time, which a busy
machine changes little, and when that is not too short to be told.
"""
import argparse
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import pb
from dtypes import Value
from pb import Func, GraphDef, Shape, T
from weir_c import Library

F, I, L, S, B, V, R = T("f32"), T("i32"), T("i64"), T("str"), T("bool"), T("variant"), T("resource")
MOST, TOO_SHORT = 12, 0.25
DIMENSIONS = []


def dimension(count):
    def add(build):
        DIMENSIONS.append((build, count))
        return build
    return add


def run(lib, g, fetches=(), feeds=None, targets=(), rounds=1, before=()):
    with lib.graph(g.bytes()).session() as s:
        if before:
            s.run(targets=list(before))
        for _ in range(rounds):
            s.run(list(fetches), feeds or {}, list(targets), options=pb.run_options(timeout_ms=120000))


@dimension(5000)
def a_chain(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    for _ in range(n):
        x = g.node("Neg", x, T=F)
    run(lib, g, [x + ":0"], {"x:0": Value(np.ones(2, np.float32))})


@dimension(5000)
def many_inputs(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    y = g.node("AddN", [g.node("Neg", x, T=F) for _ in range(n)], T=F, N=n)
    run(lib, g, [y + ":0"], {"x:0": Value(np.ones(2, np.float32))})


@dimension(5000)
def resource_variables(lib, n):
    g, names = GraphDef(), []
    for k in range(n):
        v = g.node("VarHandleOp", dtype=F, shape=Shape([2]), shared_name="v%d" % k)
        names.append(g.node("AssignVariableOp", v, g.const([1.0, 2.0]), dtype=F))
        names.append(g.node("ReadVariableOp", v, dtype=F, control=[names[-1]]))
    run(lib, g, targets=names)


@dimension(5000)
def reference_variables(lib, n):
    g, names = GraphDef(), []
    for k in range(n):
        v = g.node("VariableV2", dtype=F, shape=Shape([2]), shared_name="r%d" % k)
        names.append(g.node("Assign", v, g.const([1.0, 2.0]), T=F))
        names.append(g.node("AssignAdd", v, g.const([1.0, 2.0]), T=F, control=[names[-1]]))
    run(lib, g, targets=names)


@dimension(3000)
def feeds_and_fetches(lib, n):
    g, feeds, fetches = GraphDef(), {}, []
    one = Value(np.ones(1, np.float32))
    for k in range(n):
        x = g.placeholder("f32", [1], name="x%d" % k)
        feeds[x + ":0"] = one
        fetches.append(g.node("Neg", x, T=F) + ":0")
    run(lib, g, fetches, feeds)


@dimension(10000)
def control_inputs(lib, n):
    g = GraphDef()
    nops = [g.node("NoOp") for _ in range(n)]
    run(lib, g, targets=[g.node("NoOp", control=nops)])


@dimension(300)
def control_inputs_of_all_by_all(lib, n):
    g = GraphDef()
    first = [g.node("NoOp") for _ in range(n)]
    middle = [g.node("NoOp", control=first) for _ in range(40)]
    run(lib, g, targets=[g.node("NoOp", control=middle)])


@dimension(5000)
def colocated_nodes(lib, n):
    g = GraphDef()
    x = g.const([1.0], name="x")
    for _ in range(n):
        x = g.node("Neg", x, T=F, _class=["loc:@x"])
    run(lib, g, [x + ":0"])


@dimension(5000)
def colocated_chain(lib, n):
    g = GraphDef()
    x = g.const([1.0], name="x")
    for _ in range(n):
        x = g.node("Neg", x, T=F, _class=["loc:@" + x])
    run(lib, g, [x + ":0"])


@dimension(1500)
def functions_called(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    for k in range(n):
        g.function("F%d" % k, {"x": "f32"}, {"y": "f32"}, [("Neg", "neg", ["x"], {"T": F})], {"y": "neg:y:0"})
        x = g.node("StatefulPartitionedCall", x, Tin=[F], Tout=[F], f=Func("F%d" % k))
    run(lib, g, [x + ":0"], {"x:0": Value(np.ones(2, np.float32))})


def colliding(n):
    """Strings of two words: what a hash without a secret makes of the first is taken back by the second."""
    mask, keys = (1 << 64) - 1, []
    for k in range(n):
        h = ((16 * 0x9e3779b97f4a7c15 ^ k) * 0xff51afd7ed558ccd) & mask
        keys.append(k.to_bytes(8, "little") + (h ^ h >> 32).to_bytes(8, "little"))
    return np.array(keys, object)


@dimension(6000)
def keys_that_are_chosen_to_collide(lib, n):
    g = GraphDef()
    x = g.placeholder("str", [None], name="x")
    g.node("Unique", x, T=S, out_idx=I, name="y")
    t = g.node("MutableHashTableV2", key_dtype=S, value_dtype=L, shared_name="t")
    values = g.node("Fill", g.node("Shape", x, T=S, out_type=I), g.const(1, "i64"), T=L, index_type=I)
    put = g.node("LookupTableInsertV2", t, x, values, Tin=S, Tout=L)
    run(lib, g, ["y:0"], {"x:0": Value(colliding(n), 7)}, [put])


@dimension(20000)
def values_that_equal_nothing(lib, n):
    g = GraphDef()
    x = g.node("Fill", g.const([n], "i32"), g.const(float("nan")), T=F, index_type=I)
    g.node("Unique", x, T=F, out_idx=I, name="y")
    g.node("ListDiff", x, x, T=F, out_idx=I, name="z")
    run(lib, g, ["y:0", "z:0"])


@dimension(3000)
def arguments_of_a_function(lib, n):
    g = GraphDef()
    names = ["a%d" % k for k in range(n)]
    g.function("F", {a: "f32" for a in names}, {"y": "f32"}, [("AddN", "sum", names, {"T": F, "N": n})], {"y": "sum:sum:0"})
    x = g.placeholder("f32", [2], name="x")
    y = g.node("PartitionedCall", [x] * n, Tin=[F] * n, Tout=[F], f=Func("F"))
    run(lib, g, [y + ":0"], {"x:0": Value(np.ones(2, np.float32))})


@dimension(20000)
def attrs_of_a_node(lib, n):
    g = GraphDef()
    g.node("Neg", g.const([1.0]), T=F, name="y", **{"_a%d" % k: k for k in range(n)})
    run(lib, g, ["y:0"])


@dimension(1000)
def switches_and_merges(lib, n):
    g = GraphDef()
    x, p = g.placeholder("f32", [2], name="x"), g.placeholder("bool", [], name="p")
    for _ in range(n):
        s = g.node("Switch", x, p, T=F)
        x = g.node("Merge", [g.node("Neg", s, T=F), g.node("Abs", s + ":1", T=F)], T=F, N=2)
    run(lib, g, [x + ":0"], {"x:0": Value(np.ones(2, np.float32)), "p:0": Value(np.bool_(True))})


@dimension(1000)
def ifs(lib, n):
    g = GraphDef()
    for k, op in enumerate(("Neg", "Abs")):
        g.function("F%d" % k, {"x": "f32"}, {"y": "f32"}, [(op, "n", ["x"], {"T": F})], {"y": "n:y:0"})
    x, p = g.placeholder("f32", [2], name="x"), g.placeholder("bool", [], name="p")
    for _ in range(n):
        x = g.node("StatelessIf", p, x, Tcond=B, Tin=[F], Tout=[F], then_branch=Func("F0"), else_branch=Func("F1"),
                   _lower_using_switch_merge=True)
    run(lib, g, [x + ":0"], {"x:0": Value(np.ones(2, np.float32)), "p:0": Value(np.bool_(True))})


def counting(g, n, variables, body):
    """A loop of dataflow over |variables| [(initial, dtype)]; body gives their next values. Gives the exits."""
    frame = dict(frame_name="loop", parallel_iterations=10)
    enters = [g.node("Enter", x, T=t, **frame) for x, t in variables]
    merges = [g.node("Merge", [e, "next%d" % k], T=variables[k][1], N=2) for k, e in enumerate(enters)]
    limit = g.node("Enter", g.const(n, "i32"), T=I, is_constant=True, **frame)
    cond = g.node("LoopCond", g.node("Less", merges[0], limit, T=I))
    switches = [g.node("Switch", m, cond, T=variables[k][1]) for k, m in enumerate(merges)]
    exits = [g.node("Exit", s, T=variables[k][1]) for k, s in enumerate(switches)]
    taken = [g.node("Identity", s + ":1", T=variables[k][1]) for k, s in enumerate(switches)]
    one = g.const(1, "i32", control=[taken[0]])
    following = [g.node("AddV2", taken[0], one, T=I)] + body(taken)
    for k, x in enumerate(following):
        g.node("NextIteration", x, T=variables[k][1], name="next%d" % k)
    return exits


@dimension(5000)
def pushes_to_a_list(lib, n):
    g = GraphDef()
    shape = g.const(np.zeros(0, np.int32), "i32")
    empty = g.node("EmptyTensorList", shape, g.const(-1, "i32"), element_dtype=F, shape_type=I)
    push = lambda taken: [g.node("TensorListPushBack", taken[1], g.const(1.0, control=[taken[0]]), element_dtype=F)]
    exits = counting(g, n, [(g.const(0, "i32"), I), (empty, V)], push)
    g.node("TensorListStack", exits[1], shape, element_dtype=F, num_elements=-1, name="y")
    run(lib, g, ["y:0"])


@dimension(5000)
def writes_to_an_array(lib, n):
    g = GraphDef()
    array = g.node("TensorArrayV3", g.const(n, "i32"), dtype=F, element_shape=Shape([]), dynamic_size=True)
    handle = g.node("Enter", array, T=R, frame_name="loop", parallel_iterations=10, is_constant=True)
    write = lambda taken: [g.node("TensorArrayWriteV3", handle, taken[0], g.const(1.0, control=[taken[0]]), taken[1], T=F)]
    exits = counting(g, n, [(g.const(0, "i32"), I), (array + ":1", F)], write)
    g.node("TensorArraySizeV3", array, exits[1], name="y")
    run(lib, g, ["y:0"])


@dimension(2000)
def gradients_of_a_chain(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    y = x
    for _ in range(n):
        y = g.node("Square", y, T=F)
    graph = lib.graph(g.bytes())
    (dx,) = graph.add_gradients([y + ":0"], [x + ":0"])
    with graph.session() as s:
        s.run([dx], {"x:0": Value(np.ones(2, np.float32))})


@dimension(1500)
def gradients_by_many(lib, n):
    g = GraphDef()
    xs = [g.placeholder("f32", [2], name="x%d" % k) for k in range(n)]
    g.node("AddN", [g.node("Square", x, T=F) for x in xs], T=F, N=n, name="y")
    lib.graph(g.bytes()).add_gradients(["y:0"], [x + ":0" for x in xs])


@dimension(3000)
def uses_of_one_value(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    shared = g.node("Square", x, T=F, name="shared")
    y = g.node("AddN", [g.node("Mul", shared, shared, T=F) for _ in range(n)], T=F, N=n)
    graph = lib.graph(g.bytes())
    (dx,) = graph.add_gradients([y + ":0"], [x + ":0"])
    with graph.session() as s:
        s.run([dx], {"x:0": Value(np.ones(2, np.float32))})


@dimension(20000)
def elements_of_a_queue(lib, n):
    g = GraphDef()
    q = g.node("FIFOQueueV2", name="q", component_types=[F], shapes=[Shape([])])
    g.node("QueueEnqueueManyV2", q, g.node("Fill", g.const([n], "i32"), g.const(1.0), T=F), name="put", Tcomponents=[F])
    g.node("QueueDequeueManyV2", q, g.const(n, "i32"), name="get", component_types=[F])
    run(lib, g, ["get:0"], before=["put"])


@dimension(20000)
def keys_of_a_table(lib, n):
    g = GraphDef()
    t = g.node("MutableHashTableV2", name="t", key_dtype=L, value_dtype=F)
    keys = g.node("Range", g.const(0, "i64"), g.const(n, "i64"), g.const(1, "i64"), Tidx=L)
    values = g.node("Cast", keys, SrcT=L, DstT=F)
    g.node("LookupTableInsertV2", t, keys, values, name="put", Tin=L, Tout=F)
    g.node("LookupTableFindV2", t, keys, g.const(0.0), name="get", Tin=L, Tout=F)
    run(lib, g, ["get:0"], before=["put"])


@dimension(10000)
def constants(lib, n):
    g = GraphDef()
    x = g.const([1.0])
    for _ in range(n):
        x = g.node("AddV2", x, g.const([1.0]), T=F)
    run(lib, g, [x + ":0"])


@dimension(3000)
def equal_subgraphs(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    parts = [g.node("Square", g.node("Neg", x, T=F), T=F) for _ in range(n)]
    run(lib, g, [p + ":0" for p in parts[:1]], {"x:0": Value(np.ones(2, np.float32))}, targets=parts)


@dimension(1000)
def frames(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [2], name="x")
    for k in range(n):
        x = g.node("Exit", g.node("Enter", x, T=F, frame_name="f%d" % k), T=F)
    run(lib, g, [x + ":0"], {"x:0": Value(np.ones(2, np.float32))})


@dimension(60)
def nested_functions(lib, n):
    g = GraphDef()
    g.function("F0", {"x": "f32"}, {"y": "f32"}, [("Neg", "n", ["x"], {"T": F})], {"y": "n:y:0"})
    for k in range(1, n):
        g.function("F%d" % k, {"x": "f32"}, {"y": "f32"},
                   [("PartitionedCall", "n", ["x"], {"Tin": [F], "Tout": [F], "f": Func("F%d" % (k - 1))})],
                   {"y": "n:output:0"})
    x = g.placeholder("f32", [2], name="x")
    y = g.node("PartitionedCall", x, Tin=[F], Tout=[F], f=Func("F%d" % (n - 1)))
    run(lib, g, [y + ":0"], {"x:0": Value(np.ones(2, np.float32))})


@dimension(2000)
def pieces_of_a_split(lib, n):
    g = GraphDef()
    x = g.placeholder("f32", [n, 2], name="x")
    s = g.node("Unpack", x, T=F, num=n, axis=0, name="s")
    g.node("Pack", ["s:%d" % k for k in range(n)], T=F, N=n, axis=0, name="y")
    run(lib, g, ["y:0"], {"x:0": Value(np.ones([n, 2], np.float32))})


def spent(lib, build, n):
    start = time.process_time()
    build(lib, n)
    return time.process_time() - start


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("-k", default="", help="only dimensions whose names contain this text")
    ap.add_argument("--scale", type=float, default=1, help="of all sizes")
    ap.add_argument("-v", action="store_true")
    args = ap.parse_args()
    lib, passed, failed = Library(os.path.abspath(args.lib)), 0, 0
    a_chain(lib, 10)
    for build, count in DIMENSIONS:
        if args.k not in build.__name__:
            continue
        n = max(2, int(count * args.scale))
        one, four = spent(lib, build, n), spent(lib, build, 4 * n)
        if four > TOO_SHORT and four > MOST * one:
            one, four = max(one, spent(lib, build, n)), min(four, spent(lib, build, 4 * n))
        wrong = four > TOO_SHORT and four > MOST * one
        passed, failed = passed + (not wrong), failed + wrong
        if wrong or args.v:
            print("%s %s: %d in %.3f s, %d in %.3f s (%.1f)" % (
                "FAIL" if wrong else "passed", build.__name__, n, one, 4 * n, four, four / max(one, 1e-9)), flush=True)
    print("scaling: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
