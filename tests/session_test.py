#!/usr/bin/env python3
"""Sessions through the C API: edges fed and fetched, concurrency, partial runs, time limits, closing,
growth, control flow, functions, devices, metadata.

    tests/session_test.py [--lib PATH] [-k TEXT] [-v]

TensorFlow's own library passes this file too, but for gradients_through_a_loop: it differentiates
only loops that TF_FinishWhile made.
"""
import sys
import threading
import time

import numpy as np

import pb
from pb import Func, GraphDef, Shape, T
from scenario import equal, fails, main, scenario
from weir_c import Error

F = T("f32")


def f32(x):
    return np.asarray(x, np.float32)


def in_threads(count, work):
    """Runs work(i) in |count| threads at once; raises the first error of any."""
    errors = []

    def guarded(i):
        try:
            work(i)
        except BaseException as e:
            errors.append(e)
    threads = [threading.Thread(target=guarded, args=(i,)) for i in range(count)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if errors:
        raise errors[0]


def square_graph():
    g = GraphDef()
    x = g.placeholder("f32", name="x")
    y = g.node("Mul", x, x, T=F, name="y")
    g.node("Add", y, g.const(1.0), T=F, name="z")
    return g


# ---- feeds and fetches --------------------------------------------------------------------------

@scenario
def feeds_and_fetches(lib):
    with lib.graph(square_graph().bytes()).session(pb.config(rewrite=False)) as s:
        equal(s.run(["z:0"], {"x:0": f32([1, 2])})[0], f32([2, 5]))
        equal(s.run(["z:0"], {"y:0": f32(7)})[0], f32(8))  # an edge inside
        a, b, c = s.run(["y:0", "z:0", "y:0"], {"x:0": f32(3)})  # one twice
        equal(a, f32(9)), equal(b, f32(10)), equal(c, f32(9))
        equal(s.run(["z:0"], {"x:0": f32(3), "y:0": f32(1)})[0], f32(2))
        equal(s.run(["y:0"], {"x:0": np.zeros([0, 3], np.float32)})[0], np.zeros([0, 3]))
        with fails("INVALID_ARGUMENT", "x:0 is both fed and fetched."):
            s.run(["x:0"], {"x:0": f32(3)})


@scenario
def loops_of_many_elementwise_ops(lib):
    """Trees of element-wise ops, which run as one loop, against the same in numpy."""
    one = {"Tanh": np.tanh, "Exp": np.exp, "Neg": np.negative, "Square": np.square,
           "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Abs": np.abs, "Relu": lambda x: x * (x > 0)}
    two = {"AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply, "Maximum": np.maximum}
    for dtype, np_type, seed in (("f32", np.float32, 1), ("f64", np.float64, 2)):
        rng = np.random.RandomState(seed)
        for shape in ((), (1,), (7,), (33, 50), (3000, 4)):
            g, feeds, values = GraphDef(), {}, []

            def leaf():
                if rng.rand() < 0.2:
                    v = np_type(rng.rand())
                    values.append((g.const(v, dtype), v))
                else:
                    v = np.asarray(rng.randn(*shape), np_type)
                    x = g.placeholder(dtype, list(shape))
                    feeds[x + ":0"] = v
                    values.append((x, v))
                return values[-1]

            def tree(depth):
                if depth == 0 or rng.rand() < 0.1:
                    return leaf()
                if rng.rand() < 0.5:
                    op = rng.choice(sorted(one))
                    x, v = tree(depth - 1)
                    v = np.clip(v, -3, 3)
                    x = g.node("Maximum", g.node("Minimum", x, g.const(3, dtype), T=T(dtype)),
                               g.const(-3, dtype), T=T(dtype))
                    return g.node(op, x, T=T(dtype)), one[op](v)
                op = rng.choice(sorted(two))
                (x, v), (y, u) = tree(depth - 1), tree(depth - 1)
                return g.node(op, x, y, T=T(dtype)), two[op](v, u)
            name, want = tree(7)
            out = g.node("Identity", name, T=T(dtype))
            with lib.graph(g.bytes()).session() as s:
                equal(s.run([out + ":0"], feeds)[0], np.asarray(want, np_type),
                      rtol=1e-4 if dtype == "f32" else 1e-9)


@scenario
def ops_that_nobody_lists(lib):
    """Constants of TensorFlow's eager mode are in graphs of its clients; what only passes make is refused."""
    g = GraphDef()
    g.node("_EagerConst", g.placeholder("f32", name="x"), T=F, name="c")
    g.node("AddV2", "c", "x", T=F, name="y")
    with lib.graph(g.bytes()).session() as s:
        equal(s.run(["y:0"], {"x:0": f32([1, 2])})[0], f32([2, 4]))
    g.node("_Panels", "x", T=F, name="p")
    with fails("INVALID_ARGUMENT", "'_Panels' is internal"):
        lib.graph(g.bytes())


@scenario
def any_output_index(lib):
    g = GraphDef()
    g.node("Split", g.const(0, "i32"), g.placeholder("f32", name="x"), T=F, num_split=3, name="s")
    g.node("Sub", "s:2", "s:1", T=F, name="d")
    with lib.graph(g.bytes()).session() as s:
        x = f32([[1, 2], [3, 5], [7, 11]])
        for i in range(3):
            equal(s.run(["s:%d" % i], {"x:0": x})[0], x[i:i + 1])
        equal(s.run(["d:0"], {"x:0": x})[0], f32([[4, 6]]))
        equal(s.run(["d:0"], {"x:0": x, "s:1": f32([[1, 1]])})[0], f32([[6, 10]]))
        equal(s.run(["d:0"], {"s:1": f32(1), "s:2": f32(5)})[0], f32(4))


@scenario
def constants_can_be_fed(lib):
    g = GraphDef()
    g.node("Neg", g.const(2.0, name="c"), T=F, name="n")
    with lib.graph(g.bytes()).session() as s:
        equal(s.run(["n:0"])[0], f32(-2))
        equal(s.run(["n:0"], {"c:0": f32(5)})[0], f32(-5))
        equal(s.run(["n:0"])[0], f32(-2))


@scenario
def constants_that_decide_shapes_can_be_fed(lib):
    g = GraphDef()
    g.placeholder("f32", [2, 3], name="x")
    g.const([2, 3], "i32", name="shape")
    g.const([0], "i32", name="axis")
    g.const(1, "i32", name="one")
    g.node("AddV2", "one", "one", T=T("i32"), name="two")
    g.node("Reshape", "x", "shape", T=F, Tshape=T("i32"), name="y")
    g.node("Sum", "x", "axis", T=F, Tidx=T("i32"), name="s")
    g.node("Fill", g.node("Pack", "two", "one", N=2, T=T("i32"), axis=0), g.const(1.0), T=F, index_type=T("i32"), name="f")
    for name in "ysf":  # two ops, which are fused where their sizes are known
        g.node("Neg", g.node("Tanh", name, T=F), T=F, name="end_" + name)
        g.node("Shape", name, T=F, out_type=T("i32"), name="shape_" + name)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)

    def ends(session, name, feeds):
        return session.run(["end_%s:0" % name, "shape_%s:0" % name], {"x:0": x, **feeds})
    with lib.graph(g.bytes()).session() as s:
        for feeds, shape in (({}, (2, 3)), ({"shape:0": np.int32([3, 2])}, (3, 2))):
            end, told = ends(s, "y", feeds)
            equal(told, np.int32(shape))
            np.testing.assert_allclose(end.array, -np.tanh(x.reshape(shape)), rtol=1e-5)
        for feeds, axis in (({}, 0), ({"axis:0": np.int32([1])}, 1)):
            end, told = ends(s, "s", feeds)
            equal(told, np.int32([3 - axis]))
            np.testing.assert_allclose(end.array, -np.tanh(x.sum(axis)), rtol=1e-5)
        for feeds, shape in (({}, (2, 1)), ({"two:0": np.int32(4)}, (4, 1)), ({"one:0": np.int32(3)}, (6, 3))):
            end, told = ends(s, "f", feeds)
            equal(told, np.int32(shape))
            np.testing.assert_allclose(end.array, np.full(shape, -np.tanh(1)), rtol=1e-5)


@scenario
def variables_of_another_shape_than_declared(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([2]), name="v")
    g.placeholder("f32", name="x")
    g.node("Assign", v, g.const([1.0, 2.0]), T=F, name="init")
    g.node("Assign", v, "x", T=F, validate_shape=False, name="grow")
    read = g.node("Identity", v, T=F, name="read")
    g.node("Neg", g.node("Tanh", read, T=F), T=F, name="y")
    g.node("Shape", read, T=F, out_type=T("i32"), name="shape")
    with lib.graph(g.bytes()).session() as s:
        for feeds, target, size in (({}, "init", 2), ({"x:0": f32([1, 2, 3])}, "grow", 3)):
            s.run([], feeds, [target])
            y, shape = s.run(["y:0", "shape:0"])
            equal(shape, np.int32([size]))
            np.testing.assert_allclose(y.array, -np.tanh(np.arange(1, size + 1)), rtol=1e-5)


@scenario
def waiting_for_a_fed_placeholder(lib):
    g = GraphDef()
    g.placeholder("f32", name="x")
    g.node("NoOp", "^x", name="n")
    g.node("Identity", g.const(3.0), "^x", T=F, name="c")
    with lib.graph(g.bytes()).session() as s:
        s.run([], {"x:0": f32(1)}, ["n"])
        equal(s.run(["c:0"], {"x:0": f32(1)})[0], f32(3))
        with fails("INVALID_ARGUMENT", "You must feed a value for placeholder tensor 'x'"):
            s.run([], {}, ["n"])


@scenario
def targets_only_and_nothing(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([]), name="v")
    g.node("Assign", v, g.const(1.0), T=F, name="init")
    g.node("AssignAdd", v, g.const(2.0), T=F, name="inc")
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["init"])
        s.run(targets=["inc"])
        s.run(targets=["inc"])
        equal(s.run(["v:0"])[0], f32(5))
        equal(s.run(["inc:0"], targets=["inc"])[0], f32(7))  # both: once


@scenario
def updates_by_reference_come_after_direct_reads(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([]), name="v")
    g.node("Assign", v, g.const(1.0), T=F, name="init")
    x = g.placeholder("f32", [], name="x")
    g.node("AssignAdd", v, x, T=F, name="inc")  # ready at once
    chain = x
    for _ in range(20):
        chain = g.node("Neg", chain, T=F)
    g.node("Mul", v, chain, T=F, name="read")  # ready twenty nodes later
    with lib.graph(g.bytes()).session(pb.config(inter=1, intra=1, rewrite=False)) as s:
        s.run(targets=["init"])
        for k in range(5):
            equal(s.run(["read:0"], {"x:0": f32(2)}, targets=["inc"])[0], f32(2 * (1 + 2 * k)))


@scenario
def wrong_feeds_and_fetches(lib):
    graph = lib.graph(square_graph().bytes())
    with graph.session() as s:
        with fails("INVALID_ARGUMENT", "You must feed a value for placeholder tensor 'x'"):
            s.run(["y:0"])
        with fails("INVALID_ARGUMENT"):
            s.run(["y:0"], {"x:0": np.zeros([2], np.int32)})
        output = graph.output("y:0")
        output.index = 5
        try:
            s.run([output], {"x:0": f32(1)})
            raise AssertionError("output 5 of Mul was fetched")
        except Error as e:
            assert e.name in ("OUT_OF_RANGE", "INVALID_ARGUMENT"), e
        equal(s.run(["y:0"], {"x:0": f32(2)})[0], f32(4))


@scenario
def string_tensors(lib):
    g = GraphDef()
    g.node("Identity", g.placeholder("str", name="x"), T=T("str"), name="y")
    strings = np.array([[b"", b"a" * 22], [b"b" * 23, b"\0\xff" * 4000]], dtype=object)
    with lib.graph(g.bytes()).session() as s:
        for _ in range(3):
            equal(s.run(["y:0"], {"x:0": strings})[0], strings)


# ---- concurrency --------------------------------------------------------------------------------

@scenario
def concurrent_steps(lib):
    with lib.graph(square_graph().bytes()).session() as s:
        def work(i):
            for k in range(60):
                x = np.full([1 + i, 3], k + i / 8, np.float32)
                fetch = ["y:0", "z:0"][k % 2]
                equal(s.run([fetch], {"x:0": x})[0], x * x + k % 2)
        in_threads(8, work)


@scenario
def concurrent_updates(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([64]), name="v")
    g.node("Assign", v, g.const(np.zeros(64)), T=F, name="init")
    g.node("AssignAdd", v, g.const(np.ones(64)), T=F, use_locking=True, name="inc")
    r = g.node("VarHandleOp", dtype=F, shape=Shape([64]), shared_name="r", name="r")
    g.node("AssignVariableOp", r, g.const(np.zeros(64)), dtype=F, name="rinit")
    g.node("AssignAddVariableOp", r, g.const(np.ones(64)), dtype=F, name="rinc")
    g.node("ReadVariableOp", r, dtype=F, name="read")
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["init", "rinit"])
        in_threads(4, lambda i: [s.run(targets=["inc", "rinc"]) for _ in range(50)])
        v, r = s.run(["v:0", "read:0"])
        equal(v, np.full(64, 200.0)), equal(r, np.full(64, 200.0))


@scenario
def many_sessions(lib):
    def work(i):
        for _ in range(5):
            graph = lib.graph(square_graph().bytes())
            with graph.session() as s:
                equal(s.run(["z:0"], {"x:0": f32(i)})[0], f32(i * i + 1))
    in_threads(4, work)


@scenario
def growth_of_a_graph_in_use(lib):
    g = square_graph()
    graph = lib.graph(g.take())
    stop = threading.Event()
    with graph.session() as s:
        def keep_running():
            while not stop.is_set():
                equal(s.run(["z:0"], {"x:0": f32(3)})[0], f32(10))
        errors = []

        def guarded():
            try:
                keep_running()
            except BaseException as e:
                errors.append(e)
        threads = [threading.Thread(target=guarded) for _ in range(2)]
        for t in threads:
            t.start()
        last = "z"
        for k in range(20):
            last = g.node("Add", last, "y", T=F, name="more%d" % k)
            graph.add(_linked(g.take(), graph))
            equal(s.run([last + ":0"], {"x:0": f32(2)})[0], f32(5 + 4 * (k + 1)))
        stop.set()
        for t in threads:
            t.join()
        assert not errors, errors[0]


def _linked(data, graph):
    """Imports cannot see nodes of the graph, so the inputs are mapped to them."""
    import ctypes as c
    lib = graph.lib
    lib.TF_ImportGraphDefOptionsAddInputMapping.argtypes = [
        c.c_void_p, c.c_char_p, c.c_int, type(graph.output("x"))]
    buffer = lib.TF_NewBufferFromString(data, len(data))
    options = lib.TF_NewImportGraphDefOptions()
    nodes = pb.parse(data)[1]
    for node in nodes:
        for name in pb.parse(node)[3]:
            lib.TF_ImportGraphDefOptionsAddInputMapping(options, name, 0,
                                                        graph.output(name.decode()))
    lib.checked("TF_GraphImportGraphDef", graph.handle, buffer, options)
    lib.TF_DeleteImportGraphDefOptions(options)
    lib.TF_DeleteBuffer(buffer)
    return GraphDef().bytes()


@scenario
def sessions_keep_state_apart(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([]), name="v")
    g.node("Assign", v, g.placeholder("f32", [], name="x"), T=F, name="set")
    graph = lib.graph(g.bytes())
    with graph.session() as a, graph.session() as b:
        a.run(targets=["set"], feeds={"x:0": f32(1)})
        with fails("FAILED_PRECONDITION", "uninitialized value"):
            b.run(["v:0"])
        b.run(targets=["set"], feeds={"x:0": f32(2)})
        equal(a.run(["v:0"])[0], f32(1))
        equal(b.run(["v:0"])[0], f32(2))


# ---- partial runs -------------------------------------------------------------------------------

def sum_chain():
    g = GraphDef()
    a, b, c = (g.placeholder("f32", [], name=n) for n in "abc")
    ab = g.node("Add", a, b, T=F, name="ab")
    g.node("Mul", ab, c, T=F, name="abc")
    return g


@scenario
def partial_run(lib):
    with lib.graph(sum_chain().bytes()).session() as s:
        for _ in range(3):
            p = s.partial_run(["a:0", "b:0", "c:0"], ["ab:0", "abc:0"])
            equal(p.run(["ab:0"], {"a:0": f32(1), "b:0": f32(2)})[0], f32(3))
            equal(p.run(["abc:0"], {"c:0": f32(5)})[0], f32(15))


@scenario
def partial_run_errors(lib):
    with lib.graph(sum_chain().bytes()).session() as s:
        p = s.partial_run(["a:0", "b:0", "c:0"], ["ab:0", "abc:0"])
        with fails("INVALID_ARGUMENT"):
            p.run(["abc:0"], {"a:0": f32(1), "b:0": f32(2)})  # c is not there yet
        p = s.partial_run(["a:0", "b:0"], ["ab:0"])
        with fails("INVALID_ARGUMENT"):
            p.run(["ab:0"], {"a:0": f32(1), "b:0": f32(2), "c:0": f32(3)})
        p = s.partial_run(["a:0", "b:0"], ["ab:0"])
        p.run([], {"a:0": f32(1)})
        with fails("INVALID_ARGUMENT"):
            p.run([], {"a:0": f32(1)})  # twice
        equal(s.run(["ab:0"], {"a:0": f32(1), "b:0": f32(2)})[0], f32(3))


# ---- stopping -----------------------------------------------------------------------------------

def empty_queue():
    g = GraphDef()
    q = g.node("FIFOQueueV2", component_types=[F], shapes=[Shape([])], capacity=2, name="q")
    g.node("QueueDequeueV2", q, component_types=[F], name="get")
    g.node("QueueEnqueueV2", q, g.placeholder("f32", [], name="x"), Tcomponents=[F], name="put")
    g.node("QueueCloseV2", q, cancel_pending_enqueues=True, name="close")
    g.node("QueueSizeV2", q, name="size")
    g.const(1.0, name="one")
    return g


@scenario
def time_limit_of_a_call(lib):
    with lib.graph(empty_queue().bytes()).session() as s:
        start = time.time()
        with fails("DEADLINE_EXCEEDED"):
            s.run(["get:0"], options=pb.run_options(timeout_ms=100))
        assert time.time() - start < 20
        s.run(targets=["put"], feeds={"x:0": f32(4)})
        equal(s.run(["get:0"], options=pb.run_options(timeout_ms=5000))[0], f32(4))


@scenario
def time_limit_of_a_session(lib):
    with lib.graph(empty_queue().bytes()).session(pb.config(timeout_ms=100)) as s:
        for _ in range(2):
            with fails("DEADLINE_EXCEEDED"):
                s.run(["get:0"])
        equal(s.run(["one:0"])[0], f32(1))


@scenario
def a_blocked_step_waits_for_another(lib):
    with lib.graph(empty_queue().bytes()).session() as s:
        got = []
        t = threading.Thread(target=lambda: got.append(s.run(["get:0"])[0]))
        t.start()
        time.sleep(0.1)
        assert not got
        s.run(targets=["put"], feeds={"x:0": f32(9)})
        t.join(30)
        equal(got[0], f32(9))


@scenario
def producers_and_consumers(lib):
    with lib.graph(empty_queue().bytes()).session() as s:
        seen, lock = [], threading.Lock()

        def work(i):
            for k in range(40):
                if i < 3:
                    s.run(targets=["put"], feeds={"x:0": f32(100 * i + k)})
                else:
                    value = float(s.run(["get:0"])[0].array)
                    with lock:
                        seen.append(value)
        in_threads(6, work)
        assert sorted(seen) == sorted(100.0 * i + k for i in range(3) for k in range(40))


@scenario
def closing_a_queue_frees_waiters(lib):
    with lib.graph(empty_queue().bytes()).session() as s:
        errors = []

        def wait():
            try:
                s.run(["get:0"])
            except Error as e:
                errors.append(e)
        threads = [threading.Thread(target=wait) for _ in range(3)]
        for t in threads:
            t.start()
        time.sleep(0.1)
        s.run(targets=["close"])
        for t in threads:
            t.join(30)
        assert [e.name for e in errors] == ["OUT_OF_RANGE"] * 3, errors
        assert "is closed and has insufficient elements" in errors[0].message, errors[0]
        with fails("CANCELLED", "is closed"):
            s.run(targets=["put"], feeds={"x:0": f32(1)})


@scenario
def closing_a_session_frees_waiters(lib):
    s = lib.graph(empty_queue().bytes()).session()
    errors = []

    def wait():
        try:
            s.run(["get:0"])
        except Error as e:
            errors.append(e)
    threads = [threading.Thread(target=wait) for _ in range(2)]
    for t in threads:
        t.start()
    time.sleep(0.2)
    s.close()
    for t in threads:
        t.join(30)
    assert [e.name for e in errors] == ["CANCELLED"] * 2, errors
    with fails("CANCELLED", "Session has been closed"):
        s.run(["one:0"])
    s.delete()


@scenario
def a_failing_op_frees_the_step(lib):
    g = empty_queue()
    g.node("Reshape", g.placeholder("f32", name="bad"), g.const([3], "i32"), T=F, name="reshape")
    with lib.graph(g.bytes()).session() as s:
        with fails("INVALID_ARGUMENT", "reshape"):
            s.run(["get:0", "reshape:0"], {"bad:0": f32([1, 2])})
        equal(s.run(["reshape:0"], {"bad:0": f32([1, 2, 3])})[0], f32([1, 2, 3]))


# ---- control flow -------------------------------------------------------------------------------

def loop(g, name, start, condition, body, frame=None, parallel=10, invariants=()):
    """A while loop in dataflow form over float scalars. Gives the name of each exit."""
    frame = frame or name
    merges, switches, enters = [], [], []
    consts = [g.node("Enter", i, T=F, frame_name=frame, is_constant=True,
                     parallel_iterations=parallel) for i in invariants]
    for k, x in enumerate(start):
        enter = g.node("Enter", x, T=F, frame_name=frame, parallel_iterations=parallel)
        merge = "%s_merge%d" % (name, k)
        enters.append(enter)
        g.node("Merge", enter, "%s_next%d" % (name, k), T=F, N=2, name=merge)
        merges.append(merge)
    cond = g.node("LoopCond", condition(g, merges, consts), name=name + "_cond")
    for k, m in enumerate(merges):
        switches.append(g.node("Switch", m, cond, T=F, name="%s_switch%d" % (name, k)))
    inside = [g.node("Identity", s + ":1", T=F) for s in switches]
    for k, out in enumerate(body(g, inside, consts)):
        g.node("NextIteration", out, T=F, name="%s_next%d" % (name, k))
    return [g.node("Exit", s, T=F, name="%s_exit%d" % (name, k)) for k, s in enumerate(switches)]


def counting_loop(g, name, limit, x, step, parallel=10, frame=None):
    """x = step(x), limit times."""
    zero, one = g.const(0.0), g.const(1.0)
    return loop(g, name, [zero, x],
                lambda g, m, c: g.node("Less", m[0], c[0], T=F),
                lambda g, v, c: [g.node("Add", v[0], c[1], T=F), step(g, v, c)],
                frame, parallel, [limit, one])[1]


@scenario
def while_loops(lib):
    for parallel in (1, 3, 32):
        g = GraphDef()
        n, x = g.placeholder("f32", [], name="n"), g.placeholder("f32", [], name="x")
        out = counting_loop(g, "w", n, x, lambda g, v, c: g.node("Add", v[1], v[1], T=F), parallel)
        with lib.graph(g.bytes()).session() as s:
            for count in (0, 1, 7, 60):
                equal(s.run([out + ":0"], {"n:0": f32(count), "x:0": f32(1)})[0], f32(2.0 ** count))


@scenario
def nested_while_loops(lib):
    g = GraphDef()
    n, m = g.placeholder("f32", [], name="n"), g.placeholder("f32", [], name="m")

    def outer_step(g, v, c):
        zero = g.node("Sub", v[1], v[1], T=F)  # constants inside a frame hang on a value of it
        limit = g.node("Add", zero, c[2], T=F)
        one = g.node("Div", c[1], c[1], T=F)
        inner = loop(g, "inner", [zero, v[1]],
                     lambda g, i, k: g.node("Less", i[0], k[0], T=F),
                     lambda g, i, k: [g.node("Add", i[0], k[1], T=F),
                                      g.node("Add", i[1], k[1], T=F)],
                     "inner_frame", 4, [limit, one])
        return inner[1]
    zero, one = g.const(0.0), g.const(1.0)
    out = loop(g, "outer", [zero, zero],
               lambda g, v, c: g.node("Less", v[0], c[0], T=F),
               lambda g, v, c: [g.node("Add", v[0], c[1], T=F), outer_step(g, v, c)],
               "outer_frame", 5, [n, one, m])[1]
    with lib.graph(g.bytes()).session() as s:
        for a, b in ((0, 5), (1, 1), (3, 4), (10, 0), (6, 7)):
            equal(s.run([out + ":0"], {"n:0": f32(a), "m:0": f32(b)})[0], f32(a * b))
        in_threads(4, lambda i: equal(
            s.run([out + ":0"], {"n:0": f32(9), "m:0": f32(i)})[0], f32(9 * i)))


@scenario
def conditionals(lib):
    g = GraphDef()
    x, p = g.placeholder("f32", [], name="x"), g.placeholder("bool", [], name="p")
    switch = g.node("Switch", x, p, T=F, name="switch")
    no = g.node("Neg", switch, T=F, name="no")
    yes = g.node("Mul", switch + ":1", switch + ":1", T=F, name="yes")
    g.node("Merge", no, yes, T=F, N=2, name="merge")
    with lib.graph(g.bytes()).session() as s:
        value, index = s.run(["merge:0", "merge:1"], {"x:0": f32(3), "p:0": np.bool_(True)})
        equal(value, f32(9)), equal(index, np.int32(1))
        value, index = s.run(["merge:0", "merge:1"], {"x:0": f32(3), "p:0": np.bool_(False)})
        equal(value, f32(-3)), equal(index, np.int32(0))
        with fails("INVALID_ARGUMENT", "Retval[0] does not have value"):
            s.run(["yes:0"], {"x:0": f32(3), "p:0": np.bool_(False)})
        equal(s.run(["yes:0"], {"x:0": f32(3), "p:0": np.bool_(True)})[0], f32(9))


@scenario
def control_edges_order_steps(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([]), name="v")
    init = g.node("Assign", v, g.const(1.0), T=F, name="init")
    a = g.node("AssignAdd", v, g.const(1.0), T=F, name="a", control=[init])
    b = g.node("Assign", v, g.const(10.0), T=F, name="b", control=[a])
    g.node("Identity", v, T=F, name="read", control=[b])
    g.node("NoOp", name="all", control=["read"])
    with lib.graph(g.bytes()).session() as s:
        for _ in range(50):
            equal(s.run(["read:0"], targets=["all"])[0], f32(10))


@scenario
def gradients_through_a_loop(lib):
    g = GraphDef()
    w = g.placeholder("f32", [], name="w")
    zero, one, n = g.const(0.0), g.const(1.0), g.const(5.0)
    out = loop(g, "w5", [zero, one],
               lambda g, v, c: g.node("Less", v[0], c[0], T=F),
               lambda g, v, c: [g.node("Add", v[0], c[1], T=F), g.node("Mul", v[1], c[2], T=F)],
               "loop", 10, [n, one, w])[1]
    graph = lib.graph(g.bytes())
    (dw,) = graph.add_gradients([out + ":0"], ["w:0"])
    with graph.session() as s:
        y, d = s.run([out + ":0", dw], {"w:0": f32(2)})
        equal(y, f32(32)), equal(d, f32(5 * 16))


# ---- functions ----------------------------------------------------------------------------------

def with_functions():
    g = GraphDef()
    g.function("Twice", {"x": "f32"}, {"y": "f32"},
               [("AddV2", "sum", ["x", "x"], {"T": F})], {"y": "sum:z:0"})
    g.function("Less10", {"x": "f32"}, {"y": "bool"},
               [("Const", "ten", [], {"dtype": F, "value": _scalar(10)}),
                ("Less", "less", ["x", "ten:output:0"], {"T": F})], {"y": "less:z:0"})
    g.function("Negate", {"x": "f32"}, {"y": "f32"}, [("Neg", "neg", ["x"], {"T": F})],
               {"y": "neg:y:0"})
    return g


def _scalar(x):
    from dtypes import Value
    return Value(np.float32(x))


@scenario
def functions(lib):
    for stateless in ("Stateless", ""):
        g = with_functions()
        x, p = g.placeholder("f32", [], name="x"), g.placeholder("bool", [], name="p")
        call = {"Tin": [F], "Tout": [F]}
        g.node("PartitionedCall" if stateless else "StatefulPartitionedCall", x, f=Func("Twice"), name="call", **call)
        g.node(stateless + "If", p, x, Tcond=T("bool"), then_branch=Func("Twice"),
               else_branch=Func("Negate"), name="if", **call)
        g.node(stateless + "While", x, T=[F], cond=Func("Less10"), body=Func("Twice"), name="while")
        i = g.placeholder("i32", [], name="i")
        g.node(stateless + "Case", i, x, branches=[Func("Twice"), Func("Negate")], name="case",
               **call)
        with lib.graph(g.bytes()).session() as s:
            equal(s.run(["call:0"], {"x:0": f32(3)})[0], f32(6))
            for p, want in ((True, 6), (False, -3)):
                equal(s.run(["if:0"], {"x:0": f32(3), "p:0": np.bool_(p)})[0], f32(want))
            equal(s.run(["while:0"], {"x:0": f32(3)})[0], f32(12))
            equal(s.run(["while:0"], {"x:0": f32(30)})[0], f32(30))
            for i, want in ((0, 6), (1, -3), (7, -3), (-1, -3)):
                equal(s.run(["case:0"], {"x:0": f32(3), "i:0": np.int32(i)})[0], f32(want))


@scenario
def functions_compute_what_they_return(lib):
    from dtypes import Value
    g = with_functions()
    I = T("i32")
    invalid = [("Const", "zero", [], {"dtype": I, "value": Value(np.int32(0))}),
               ("Cast", "whole", ["x"], {"SrcT": F, "DstT": I}), ("FloorDiv", "bad", ["whole:y:0", "zero:output:0"], {"T": I}),
               ("Pack", "shape", ["bad:z:0"], {"N": 1, "T": I, "axis": 0}), ("Reshape", "worse", ["x", "shape:output:0"], {"T": F, "Tshape": I})]
    g.function("TwiceAndMore", {"x": "f32", "unused": "f32"}, {"y": "f32", "same": "f32"}, invalid + [("AddV2", "sum", ["x", "x"], {"T": F})],
               {"y": "sum:z:0", "same": "unused"})
    g.function("Below", {"x": "f32", "unused": "f32"}, {"y": "bool"},
               invalid + [("Const", "ten", [], {"dtype": F, "value": _scalar(10)}), ("Less", "less", ["x", "ten:output:0"], {"T": F})], {"y": "less:z:0"})
    x = g.placeholder("f32", [], name="x")
    for lowered in (True, False):
        g.node("While", x, x, T=[F, F], cond=Func("Below"), body=Func("TwiceAndMore"), _lower_using_switch_merge=lowered, name="while_%d" % lowered)
    with lib.graph(g.bytes()).session() as s:
        for lowered in (True, False):
            equal(s.run(["while_%d:0" % lowered], {"x:0": f32(3)})[0], f32(12))


@scenario
def loops_over_invariants(lib):
    """What a body makes of invariants alone is computed in iterations only, and does not keep the loop going."""
    from dtypes import Value
    I, g = T("i32"), GraphDef()
    state = {"i": "i32", "n": "i32", "x": "i32", "y": "i32"}
    one, ten = ((("Const", name, wait, {"dtype": I, "value": Value(np.int32(v))})) for name, wait, v in (("one", [], 1), ("ten", ["^y"], 10)))
    divide = lambda a, b: ("FloorDiv", "new", [a, b], {"T": I})
    g.function("Below", state, {"b": "bool"}, [("Less", "less", ["i", "n"], {"T": I})], {"b": "less:z:0"})
    g.function("Share", {"y": "i32"}, {"z": "i32"}, [divide("y", "y")], {"z": "new:z:0"})
    bodies = {"of_invariants": [divide("y", "y")], "of_constants": [ten, divide("ten:output:0", "y")],
              "in_a_call": [("PartitionedCall", "new", ["y"], {"f": Func("Share"), "Tin": [I], "Tout": [I]})]}
    inputs = [g.placeholder("i32", [], name=name) for name in state]
    for name, nodes in bodies.items():
        g.function(name, state, {"i2": "i32", "n2": "i32", "x2": "i32", "y2": "i32"}, [one, ("AddV2", "sum", ["i", "one:output:0"], {"T": I})] + nodes,
                   {"i2": "sum:z:0", "n2": "n", "x2": "new:%s:0" % ("output" if name == "in_a_call" else "z"), "y2": "y"})
        g.node("While", *inputs, T=[I] * 4, cond=Func("Below"), body=Func(name), _lower_using_switch_merge=True, name="while_" + name)
    with lib.graph(g.bytes()).session() as s:
        for name in bodies:
            run = lambda n, y: s.run(["while_%s:2" % name], {"i:0": np.int32(0), "n:0": np.int32(n), "x:0": np.int32(7), "y:0": np.int32(y)})[0]
            equal(run(3, 5), np.int32(2 if name == "of_constants" else 1))
            equal(run(0, 0), np.int32(7))


@scenario
def calls_come_after_their_inputs(lib):
    """What changes state with an output of a call comes after the changes before its other inputs."""
    from dtypes import Value
    for others in (0, 300):  # changes of state before the output's own source, more than a pass compares at a time
        g = GraphDef()
        g.function("Second", {"token": "f32", "x": "f32"}, {"token2": "f32", "x2": "f32"}, [], {"token2": "token", "x2": "x"})
        x = value = g.placeholder("f32", [], name="x")
        for i in range(others):
            other = g.node("VarHandleOp", dtype=F, shape=Shape([]), name="other%d" % i)
            g.node("AssignVariableOp", other, x, dtype=F, name="set%d" % i)
        source = g.node("Identity", x, *["^set%d" % i for i in range(others)], T=F, name="source")
        v = g.node("VarHandleOp", dtype=F, shape=Shape([]), name="v")
        for _ in range(20 * others or 30):
            value = g.node("Neg", value, T=F)
        first = g.node("AssignVariableOp", v, value, dtype=F, name="first")
        token = g.node("Const", "^first", dtype=F, value=Value(np.float32(0)), name="token")
        g.node("PartitionedCall", token, source, f=Func("Second"), Tin=[F, F], Tout=[F, F], name="call")
        g.node("AssignAddVariableOp", v, "call:1", dtype=F, name="second")
        g.node("ReadVariableOp", v, "^second", dtype=F, name="read")
        for config in (b"", pb.config(rewrite=False)):
            with lib.graph(g.bytes()).session(config) as s:
                for k in range(5):
                    s.run(targets=["first"], feeds={"x:0": f32(9)})
                    equal(s.run(["read:0"], {"x:0": f32(k)})[0], f32(2 * k))


@scenario
def calls_come_after_the_loops_before_them(lib):
    """A value that follows the changes of earlier iterations does not follow those of the last one."""
    g = GraphDef()
    g.function("Second", {"x": "f32", "y": "f32"}, {"x2": "f32", "y2": "f32"}, [], {"x2": "x", "y2": "y"})
    n, zero = g.placeholder("f32", [], name="n"), g.const(f32(0))
    v = g.node("VarHandleOp", dtype=F, shape=Shape([]), name="v")
    g.node("AssignVariableOp", v, zero, dtype=F, name="clear")
    one = g.node("Enter", g.const(f32(1)), T=F, frame_name="w", is_constant=True, parallel_iterations=10)
    handle = g.node("Enter", v, T=T("resource"), frame_name="w", is_constant=True, parallel_iterations=10)

    def body(g, state, invariants):
        i, x, y = state
        later = g.node("AddV2", x, one, T=F)
        chain = later
        for _ in range(400):
            chain = g.node("Neg", chain, T=F)
        change = g.node("AssignAddVariableOp", handle, chain, dtype=F, name="change")
        return [g.node("AddV2", i, one, T=F), g.node("Identity", later, "^" + change, T=F), x]

    _, x, y = loop(g, "w", [zero, zero, zero], lambda g, s, c: g.node("Less", s[0], c[0], T=F), body, invariants=[n])
    g.node("PartitionedCall", x, y, f=Func("Second"), Tin=[F, F], Tout=[F, F], name="call")
    g.node("AssignVariableOp", v, g.node("Neg", "call:1", T=F), dtype=F, name="last")
    g.node("ReadVariableOp", v, dtype=F, name="read")
    for config in (b"", pb.config(rewrite=False)):
        with lib.graph(g.bytes()).session(config) as s:
            for count in (1, 2, 5, 9):
                s.run(targets=["clear"])
                _, meta = s.run(targets=["last"], feeds={"n:0": f32(count)}, options=pb.run_options(partitions=True), metadata=True)
                names = [pb.parse(n)[1][0] for n in pb.parse(pb.parse(meta)[3][0])[1]]
                assert b"w_exit1" in names, "the last change is not waited for"
                equal(s.run(["read:0"])[0], f32(1 - count))


@scenario
def functions_by_their_names(lib):
    g = with_functions()
    g.node("Twice", g.placeholder("f32", [], name="x"), name="t")
    g.node("Negate", "t:0", name="n")
    with lib.graph(g.bytes()).session() as s:
        equal(s.run(["n:0"], {"x:0": f32(4)})[0], f32(-8))


# ---- devices, options, metadata -----------------------------------------------------------------

@scenario
def two_devices(lib):
    g = GraphDef()
    x = g.placeholder("f32", name="x", device="/cpu:0")
    a = g.node("Mul", x, x, T=F, name="a", device="/device:CPU:1")
    b = g.node("Neg", x, T=F, name="b", device="/job:localhost/replica:0/task:0/device:CPU:0")
    g.node("Add", a, b, T=F, name="c", device="/job:localhost/replica:0/task:0/cpu:1")
    graph = lib.graph(g.bytes())
    with graph.session(pb.config(cpus=2)) as s:
        assert [d.split("/")[-1] for d in s.devices()] == ["device:CPU:0", "device:CPU:1"], s.devices()
        for k in range(20):
            equal(s.run(["c:0"], {"x:0": f32([k, 1])})[0], f32([k * k - k, 0]))
        _, meta = s.run(["c:0"], {"x:0": f32(3)}, options=pb.run_options(partitions=True),
                        metadata=True)
        parts = pb.parse(meta)[3]
        ops = [sorted(pb.parse(n)[2][0] for n in pb.parse(p)[1]) for p in parts]
        assert len(parts) == 2, len(parts)
        assert any(b"_Send" in o for o in ops) and any(b"_Recv" in o for o in ops), ops


@scenario
def a_loop_across_devices(lib):
    g = GraphDef()
    n, x = g.placeholder("f32", [], name="n"), g.placeholder("f32", [], name="x")
    out = counting_loop(g, "w", n, x, lambda g, v, c: g.node(
        "Add", g.node("Neg", v[1], T=F, device="/cpu:1"), c[1], T=F, device="/cpu:0"))
    with lib.graph(g.bytes()).session(pb.config(cpus=2)) as s:
        for count in (0, 1, 6, 31):
            want = 4.0
            for _ in range(count):
                want = 1 - want
            equal(s.run([out + ":0"], {"n:0": f32(count), "x:0": f32(4)})[0], f32(want))


def on_device(device):
    g = GraphDef()
    g.node("Neg", g.placeholder("f32", name="x"), T=F, name="n", device=device)
    return g.bytes()


@scenario
def device_names(lib):
    for device in ("", "/cpu:0", "/CPU:0", "/device:CPU:0", "/job:localhost",
                   "/job:localhost/task:0", "/job:localhost/replica:0/task:0/device:CPU:0",
                   "/job:localhost/replica:0/task:0/cpu:0", "/job:localhost/cpu:*", "/device:CPU:*"):
        with lib.graph(on_device(device)).session() as s:
            equal(s.run(["n:0"], {"x:0": f32(1)})[0], f32(-1))


@scenario
def devices_that_are_not_there(lib):
    for device in ("/device:GPU:0", "/cpu:7", "/device:cpu:0"):
        graph = lib.graph(on_device(device))
        with graph.session(pb.config(soft=False)) as s:
            with fails("INVALID_ARGUMENT", "Cannot assign a device for operation n", device[-5:]):
                s.run(["n:0"], {"x:0": f32(1)})
        with graph.session(pb.config(soft=True)) as s:
            equal(s.run(["n:0"], {"x:0": f32(1)})[0], f32(-1))
    with lib.graph(on_device("/job:worker/task:3/cpu:0")).session(pb.config(soft=True)) as s:
        with fails("INVALID_ARGUMENT", "Cannot assign a device for operation n"):
            s.run(["n:0"], {"x:0": f32(1)})


@scenario
def functions_on_devices_that_are_not_there(lib):
    """Of a function that is called, not opened up; a device of another task gives way."""
    def calling(device):
        g = GraphDef()
        g.function("Negate", {"x": "f32"}, {"y": "f32"}, [("Neg", "neg", ["x"], {"T": F}, device)],
                   {"y": "neg:y:0"})
        g.node("MapDefun", g.placeholder("f32", [2], name="x"), Targuments=[F], Tcaptured=[],
               output_types=[F], output_shapes=[Shape([])], f=Func("Negate"), name="n")
        return g.bytes()
    x = f32([1, 2])
    graph = lib.graph(calling("/device:GPU:7"))
    with graph.session(pb.config(soft=False)) as s:
        with fails("INVALID_ARGUMENT", "Cannot assign a device for operation neg"):
            s.run(["n:0"], {"x:0": x})
    with graph.session(pb.config(soft=True)) as s:
        equal(s.run(["n:0"], {"x:0": x})[0], -x)
    for device in ("/cpu:0", "/job:ps/task:0/device:CPU:0"):
        with lib.graph(calling(device)).session() as s:
            equal(s.run(["n:0"], {"x:0": x})[0], -x)


@scenario
def a_device_that_is_no_name(lib):
    with fails("INVALID_ARGUMENT", "Malformed device specification"):
        with lib.graph(on_device("/nonsense:what")).session() as s:
            s.run(["n:0"], {"x:0": f32(1)})


@scenario
def colocation(lib):
    g = GraphDef()
    v = g.node("VariableV2", dtype=F, shape=Shape([]), name="v", device="/cpu:1")
    g.node("Assign", v, g.const(3.0), T=F, name="init", _class=["loc:@v"])
    g.node("Neg", v, T=F, name="n", _class=["loc:@v"])
    with lib.graph(g.bytes()).session(pb.config(cpus=2)) as s:
        s.run(targets=["init"])
        _, meta = s.run(["n:0"], options=pb.run_options(partitions=True), metadata=True)
        placed = {pb.parse(n)[1][0]: pb.parse(n).get(4, [b""])[0]
                  for p in pb.parse(meta)[3] for n in pb.parse(p).get(1, [])}
        assert placed[b"n"].endswith(b"CPU:1"), placed


CPUS = ["/device:CPU:0", "/device:CPU:1"]


@scenario
def resources_of_one_name(lib):
    """A variable that is a reference, one with a handle and a queue may have one name, as two programs of a server have."""
    g = GraphDef()
    ref = g.node("VariableV2", dtype=F, shape=Shape([]), shared_name="v", name="ref")
    g.node("Assign", ref, g.const(1.0), T=F, name="init_ref")
    g.node("Identity", ref, T=F, name="read_ref")
    handle = g.node("VarHandleOp", dtype=F, shape=Shape([]), shared_name="v", name="handle")
    g.node("AssignVariableOp", handle, g.const(2.0), dtype=F, name="init_handle")
    g.node("ReadVariableOp", handle, dtype=F, name="read_handle")
    queue = g.node("FIFOQueueV2", component_types=[F], shared_name="v", name="queue")
    g.node("QueueSizeV2", queue, name="size")
    g.node("DestroyResourceOp", handle, name="destroy")
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["init_ref"])
        s.run(targets=["init_handle"])
        for value, want in zip(s.run(["read_ref:0", "read_handle:0", "size:0"]), [np.float32(1), np.float32(2), np.int32(0)]):
            equal(value, want)
        s.run(targets=["destroy"])
        equal(s.run(["read_ref:0"])[0], np.float32(1))


@scenario
def calls_do_not_order_what_only_the_step_sees(lib):
    """What a call gives does not come after its other arguments: neither a tensor array nor what is sent to another
    device shows whether it did, so the graph stays optimised."""
    g = GraphDef()
    g.function("Both", {"x": "f32", "w": "f32"}, {"a": "f32", "b": "f32"},
               [("Neg", "neg", ["x"], {"T": F}), ("Square", "square", ["w"], {"T": F})],
               {"a": "neg:y:0", "b": "square:y:0"})
    v = g.node("VarHandleOp", dtype=F, shape=Shape([]), shared_name="v", name="v")
    g.node("AssignVariableOp", v, g.const(3.0), dtype=F, name="init")
    x = g.placeholder("f32", [], name="x")
    read = g.node("ReadVariableOp", v, dtype=F)
    call = g.node("PartitionedCall", x, read, Tin=[F, F], Tout=[F, F], f=Func("Both"), name="call")
    zero = g.const(0, "i32")
    array = g.node("TensorArrayV3", g.const(1, "i32"), dtype=F, name="array")
    flow = g.node("TensorArrayWriteV3", array, zero, call, "array:1", T=F)
    g.node("TensorArrayReadV3", array, zero, flow, dtype=F, name="element")
    apart = [g.node("Tanh", source, T=F, device=CPUS[1]) for source in (x, read)]
    g.node("PartitionedCall", *apart, Tin=[F, F], Tout=[F, F], f=Func("Both"), name="near", device=CPUS[0])
    g.node("Exp", "near", T=F, name="far", device=CPUS[1])
    before = lib.fallbacks()
    with lib.graph(g.bytes()).session(pb.config(cpus=2)) as s:
        s.run(targets=["init"])
        for value, want in zip(s.run(["element:0", "call:1"], {"x:0": f32(2)}), (-2, 9)):
            equal(value, f32(want))
        equal(s.run(["far:0", "near:1"], {"x:0": f32(0)})[0], f32(1))
    assert lib.fallbacks() == before


@scenario
def resources_of_one_name_on_two_devices(lib):
    g = GraphDef()
    for i, device in enumerate(CPUS):
        v = g.node("VarHandleOp", dtype=F, shape=Shape([]), shared_name="v", name="v%d" % i, device=device)
        g.node("AssignVariableOp", v, g.const(i + 1.0), dtype=F, name="set%d" % i)
        g.node("ReadVariableOp", v, dtype=F, name="read%d" % i)
        g.node("VarIsInitializedOp", v, name="there%d" % i)
        g.node("DestroyResourceOp", v, name="drop%d" % i)
        old = g.node("VariableV2", dtype=F, shape=Shape([]), shared_name="w", name="w%d" % i, device=device)
        g.node("Assign", old, g.const(i + 5.0), T=F, name="wset%d" % i)
        g.node("Identity", old, T=F, name="wread%d" % i)
        q = g.node("FIFOQueueV2", component_types=[F], shared_name="q", name="q%d" % i, device=device)
        g.node("QueueEnqueueV2", q, g.const(i + 9.0), Tcomponents=[F], name="put%d" % i)
        g.node("QueueSizeV2", q, name="size%d" % i)
    with lib.graph(g.bytes()).session(pb.config(cpus=2)) as s:
        s.run(targets=["set1", "wset1", "put1"])
        equal(s.run(["there0:0"])[0], np.bool_(False))
        equal(s.run(["there1:0"])[0], np.bool_(True))
        with fails("FAILED_PRECONDITION"):
            s.run(["wread0:0"])
        s.run(targets=["set0", "wset0"])
        equal(s.run(["read0:0"])[0], f32(1))
        equal(s.run(["read1:0"])[0], f32(2))
        equal(s.run(["wread0:0"])[0], f32(5))
        equal(s.run(["wread1:0"])[0], f32(6))
        equal(s.run(["size0:0"])[0], np.int32(0))
        equal(s.run(["size1:0"])[0], np.int32(1))
        s.run(targets=["drop1"])
        equal(s.run(["there0:0"])[0], np.bool_(True))
        equal(s.run(["there1:0"])[0], np.bool_(False))


@scenario
def collective_ops_that_disagree_in_a_later_step(lib):
    """Members of a group may use its instance for other shapes, not for another type or another op."""
    g = GraphDef()
    keys = [g.const(k, "i32") for k in (2, 7, 1)]
    reduced = dict(merge_op="Add", final_op="Id", timeout_seconds=20.0)
    for i, (device, dtype, count) in enumerate(zip(CPUS, ("f16", "f64"), (64, 64))):
        g.node("CollectiveReduceV2", g.const(f32([1, 2]), device=device), *keys, T=F, name="sum%d" % i, device=device, **reduced)
        g.node("CollectiveReduceV2", g.const(np.ones(count), dtype, device=device), *keys, T=T(dtype), name="odd%d" % i,
               device=device, **reduced)
    g.node("CollectiveBcastSendV2", g.const(1.0, device=CPUS[0]), *keys, T=F, name="send", device=CPUS[0], timeout_seconds=20.0)
    g.node("CollectiveBcastRecvV2", *keys, g.const(np.zeros(0), "i32"), T=F, Tshape=T("i32"), name="recv", device=CPUS[1],
           timeout_seconds=20.0)
    with lib.graph(g.bytes()).session(pb.config(cpus=2)) as s:
        for value in s.run(["sum0:0", "sum1:0"]):
            equal(value, f32([2, 4]))
        for fetches in (["odd0:0", "odd1:0"], ["send:0", "recv:0"]):
            with fails("INTERNAL"):
                s.run(fetches)
        for value in s.run(["sum0:0", "sum1:0"]):
            equal(value, f32([2, 4]))


@scenario
def a_partial_run_whose_fetch_two_threads_wait_for(lib):
    g = GraphDef()
    x = g.placeholder("f32", [], name="x")
    q = g.node("FIFOQueueV2", name="q", component_types=[F], shapes=[Shape([])])
    g.node("QueueDequeueV2", q, name="get", component_types=[F])
    g.node("QueueEnqueueV2", q, x, Tcomponents=[F], name="put")
    with lib.graph(g.bytes()).session() as s:
        p, got = s.partial_run(["x:0"], ["get:0"]), []

        def fetch(_):
            try:
                got.append(float(p.run(["get:0"])[0].array))
            except Error as e:
                got.append(e.name)

        threads = [threading.Thread(target=fetch, args=(i,)) for i in range(2)]
        for t in threads:
            t.start()
        time.sleep(0.2)  # both wait; if one does not yet, the result is the same
        s.run(targets=["put"], feeds={"x:0": f32(5)})
        for t in threads:
            t.join()
        assert sorted(got, key=str) == [5.0, "INVALID_ARGUMENT"], got


@scenario
def a_function_on_a_device_that_is_fed(lib):
    g = GraphDef()
    for i, device in enumerate(CPUS):
        v = g.node("VarHandleOp", dtype=F, shape=Shape([]), shared_name="v", name="v%d" % i, device=device)
        g.node("AssignVariableOp", v, g.const(i + 1.0), dtype=F, name="set%d" % i)
    g.function("AddV", {"x": "f32"}, {"y": "f32"}, [
        ("VarHandleOp", "v", [], {"dtype": F, "shape": Shape([]), "shared_name": "v"}),
        ("ReadVariableOp", "r", ["v:resource:0"], {"dtype": F}),
        ("AddV2", "sum", ["x", "r:value:0"], {"T": F})], {"y": "sum:z:0"})
    where = g.placeholder("string", [], name="where")
    for i, device in enumerate(CPUS):
        g.node("RemoteCall", where, g.const(10.0), Tin=[F], Tout=[F], f=Func("AddV"), name="call%d" % i,
               device=device)
    host = "/job:localhost/replica:0/task:0"
    with lib.graph(g.bytes()).session(pb.config(cpus=2)) as s:
        s.run(targets=["set0", "set1"])
        for call in ("call0:0", "call1:0"):
            for target, want in ((host + CPUS[0], 11), (host + CPUS[1], 12), (host + "/cpu:1", 12),
                                 (CPUS[1], 12), (CPUS[0], 11), ("", 11 + int(call[4]))):
                equal(s.run([call], {"where:0": np.array(target.encode(), object)})[0], f32(want))
        for target, code in (("/nobody", "INVALID_ARGUMENT"), (host + "/device:CPU:7", "INTERNAL")):
            with fails(code, target):
                s.run(["call0:0"], {"where:0": np.array(target.encode(), object)})


@scenario
def step_statistics(lib):
    with lib.graph(square_graph().bytes()).session(pb.config(rewrite=False)) as s:
        _, meta = s.run(["z:0"], {"x:0": f32(2)}, options=pb.run_options(trace=3), metadata=True)
        stats = pb.parse(pb.parse(meta)[1][0])
        names = {pb.parse(n)[1][0] for d in stats[1] for n in pb.parse(d).get(2, [])}
        assert {b"y", b"z"} <= names, names
        _, meta = s.run(["z:0"], {"x:0": f32(2)}, metadata=True)
        assert 1 not in pb.parse(meta)


@scenario
def thread_options(lib):
    for inter, intra in ((1, 1), (2, 1), (1, 4), (0, 0)):
        config = pb.config(inter=inter, intra=intra)
        with lib.graph(square_graph().bytes()).session(config) as s:
            x = np.arange(100000, dtype=np.float32)
            equal(s.run(["z:0"], {"x:0": x})[0], x * x + 1)


@scenario
def optimizer_levels(lib):
    for level in (-1, 0):
        g = square_graph()
        a = g.node("Add", g.const(1.0), g.const(2.0), T=F)
        g.node("Mul", "z", g.node("Mul", a, a, T=F), T=F, name="out")
        with lib.graph(g.bytes()).session(pb.config(opt_level=level)) as s:
            equal(s.run(["out:0"], {"x:0": f32(2)})[0], f32(45))


@scenario
def bad_config(lib):
    graph = lib.graph(square_graph().bytes())
    with fails("INVALID_ARGUMENT", "Unparseable ConfigProto"):
        graph.session(b"\xff\xff\xff")


@scenario
def a_graph_comes_back(lib):
    g = with_functions()
    x = g.placeholder("f32", [2, None], name="x")
    g.node("Twice", x, name="t")
    first = lib.graph(g.bytes()).graph_def()
    again = lib.graph(first).graph_def()
    assert len(first) == len(again)
    assert [pb.parse(n)[1][0] for n in pb.parse(first)[1]] == [b"x", b"t"]
    assert len(pb.parse(pb.parse(first)[2][0])[1]) == 3


if __name__ == "__main__":
    sys.exit(main(__file__))
