#!/usr/bin/env python3
"""State that several steps change at once: variables, queues, accumulators, barriers, mutexes.

    tests/state_test.py [--lib PATH] [-k TEXT] [-v]

What single steps do one after another is compared with TensorFlow in tests/cases; here are the
promises about steps that run together.
"""
import sys
import threading
import time

import numpy as np

import pb
from pb import GraphDef, Shape, T
from scenario import equal, fails, main, scenario
from weir_c import Error

F, I = T("f32"), T("i32")


def f32(x):
    return np.asarray(x, np.float32)


def i32(x):
    return np.asarray(x, np.int32)


class Later:
    """A call on another thread, whose result (or error) is asked for later."""

    def __init__(self, call):
        self.result = self.error = None

        def work():
            try:
                self.result = call()
            except BaseException as e:
                self.error = e
        self.thread = threading.Thread(target=work, daemon=True)
        self.thread.start()

    def waits(self, seconds=0.1):
        self.thread.join(seconds)
        assert self.thread.is_alive(), "it did not wait: %s %s" % (self.result, self.error)
        return self

    def get(self, seconds=20):
        self.thread.join(seconds)
        assert not self.thread.is_alive(), "it still waits"
        if self.error:
            raise self.error
        return self.result


def together(*calls):
    for later in [Later(c) for c in calls]:
        later.get(60)


# ---- variables ----------------------------------------------------------------------------------

def variable(g, name="w", shape=(2,), dtype="f32"):
    g.node("VariableV2", shape=Shape(shape), dtype=T(dtype), name=name)
    g.placeholder(dtype, name="x")
    g.node("Assign", name + ":0", "x:0", T=T(dtype), name="set")
    g.node("AssignAdd", name + ":0", "x:0", T=T(dtype), name="add")
    g.node("Identity", name + ":0", T=T(dtype), name="read")
    return g


@scenario
def no_addition_is_lost(lib):
    g = variable(GraphDef(), shape=(1000,))
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["set"], feeds={"x:0": np.zeros(1000, np.float32)})
        one = {"x:0": np.ones(1000, np.float32)}
        together(*[lambda: [s.run(targets=["add"], feeds=one) for _ in range(100)]] * 6)
        equal(s.run(["read:0"])[0], np.full(1000, 600, np.float32))


@scenario
def a_value_is_read_whole(lib):
    """Readers see all of one assignment or all of another."""
    g = variable(GraphDef(), shape=(5000,))
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["set"], feeds={"x:0": np.zeros(5000, np.float32)})
        stop = time.time() + 1

        def write(v):
            while time.time() < stop:
                s.run(targets=["add"], feeds={"x:0": np.full(5000, v, np.float32)})

        def read():
            while time.time() < stop:
                got = s.run(["read:0"])[0].array
                assert (got == got[0]).all(), got
        together(lambda: write(1), lambda: write(-2), read, read)


@scenario
def a_fetched_read_shows_what_the_step_wrote(lib):
    """As in TensorFlow, where the read shares the variable's memory."""
    g = variable(GraphDef())
    g.node("AssignAdd", "w:0", g.const([10.0, 10.0]), T=F, name="more", control=["read"])
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["set"], feeds={"x:0": f32([1, 2])})
        got, more = s.run(["read:0", "more:0"])
        equal(got, f32([11, 12])), equal(more, f32([11, 12]))


# ---- queues -------------------------------------------------------------------------------------

def queue(kind="FIFOQueueV2", capacity=3, **attrs):
    g = GraphDef()
    g.node(kind, component_types=[I], shapes=[Shape([])], capacity=capacity, name="q", **attrs)
    g.placeholder("i32", name="x"), g.placeholder("i32", name="n")
    g.node("QueueEnqueueV2", "q:0", "x:0", Tcomponents=[I], name="put")
    g.node("QueueEnqueueManyV2", "q:0", "x:0", Tcomponents=[I], name="put_many")
    g.node("QueueDequeueV2", "q:0", component_types=[I], name="get")
    g.node("QueueDequeueManyV2", "q:0", "n:0", component_types=[I], name="get_many")
    g.node("QueueDequeueUpToV2", "q:0", "n:0", component_types=[I], name="get_up_to")
    g.node("QueueSizeV2", "q:0", name="size")
    g.node("QueueCloseV2", "q:0", name="close")
    g.node("QueueCloseV2", "q:0", cancel_pending_enqueues=True, name="cancel")
    return g


class Queue:
    def __init__(self, lib, *args, **attrs):
        self.graph = lib.graph(queue(*args, **attrs).bytes())
        self.s = self.graph.session()

    def put(self, *values, **options):
        what = ("put", values[0]) if len(values) == 1 else ("put_many", values)
        self.s.run(targets=[what[0]], feeds={"x:0": i32(what[1])}, **options)

    def get(self, **options):
        return int(self.s.run(["get:0"], **options)[0].array)

    def many(self, n, op="get_many", **options):
        return self.s.run([op + ":0"], {"n:0": i32(n)}, **options)[0].array.tolist()

    def size(self):
        return int(self.s.run(["size:0"])[0].array)

    def run(self, target):
        self.s.run(targets=[target])


@scenario
def a_dequeue_waits_for_an_element(lib):
    q = Queue(lib)
    got = Later(q.get).waits()
    q.put(7)
    assert got.get() == 7


@scenario
def an_enqueue_waits_for_room(lib):
    q = Queue(lib, capacity=2)
    q.put(1, 2)
    more = Later(lambda: q.put(3)).waits()
    assert q.get() == 1
    more.get()
    assert [q.get(), q.get()] == [2, 3]


@scenario
def dequeues_are_served_in_order(lib):
    q = Queue(lib)
    first = Later(lambda: q.many(2)).waits()
    second = Later(q.get).waits()
    q.put(1)
    second.waits()  # the first has one already and goes on before it
    q.put(2)
    assert first.get() == [1, 2]
    q.put(3)
    assert second.get() == 3


@scenario
def batches_may_be_larger_than_the_queue(lib):
    q = Queue(lib, capacity=2)
    put = Later(lambda: q.put(*range(10))).waits()
    assert q.many(7) == list(range(7))
    assert q.many(3) == [7, 8, 9]
    put.get()


@scenario
def closing_lets_waiting_enqueues_finish(lib):
    q = Queue(lib, capacity=1)
    q.put(1)
    put = Later(lambda: q.put(2)).waits()
    close = Later(lambda: q.run("close")).waits()
    assert [q.get(), q.get()] == [1, 2]
    put.get(), close.get()
    with fails("CANCELLED", "is closed."):
        q.put(3)
    with fails("OUT_OF_RANGE", "is closed and has insufficient elements (requested 1, current size 0)"):
        q.get()


@scenario
def closing_may_cancel_waiting_enqueues(lib):
    q = Queue(lib, capacity=1)
    q.put(1)
    put = Later(lambda: q.put(2)).waits()
    q.run("cancel")
    with fails("CANCELLED", "Enqueue operation was cancelled"):
        put.get()
    assert q.get() == 1


@scenario
def closing_ends_waiting_dequeues(lib):
    q = Queue(lib)
    q.put(1)
    get = Later(lambda: q.many(3)).waits()
    less = Later(lambda: q.many(3, "get_up_to")).waits()
    q.run("close")
    with fails("OUT_OF_RANGE", "is closed and has insufficient elements"):
        get.get()
    assert less.get() == [1]  # what the first one had taken came back


@scenario
def a_time_limit_gives_elements_back(lib):
    q = Queue(lib, capacity=5)
    q.put(1, 2)
    with fails("DEADLINE_EXCEEDED"):
        q.many(3, options=pb.run_options(timeout_ms=100))
    for _ in range(100):
        if q.size() == 2:
            break
        time.sleep(0.01)
    assert q.many(2) == [1, 2]


@scenario
def closing_the_session_wakes_who_waits(lib):
    q = Queue(lib)
    get, many = Later(q.get).waits(), Later(lambda: q.many(2)).waits()
    q.s.close()
    for later in (get, many):
        with fails("CANCELLED"):
            later.get()


def everything_arrives_once(lib, kind, **attrs):
    q = Queue(lib, kind, 7, **attrs)
    got, lock = [], threading.Lock()

    def produce(k):
        for i in range(0, 200, 4):
            q.put(*range(1000 * k + i, 1000 * k + i + 4))

    def consume():
        while True:
            try:
                batch = q.many(3)
            except Error as e:
                assert e.name == "OUT_OF_RANGE", e
                return
            with lock:
                got.extend(batch)

    consumers = [Later(consume) for _ in range(3)]
    together(*[lambda k=k: produce(k) for k in range(3)])
    q.run("close")
    for c in consumers:
        c.get(60)
    got += q.many(3, "get_up_to") if q.size() else []
    assert sorted(got) == [1000 * k + i for k in range(3) for i in range(200)], len(got)
    return got


@scenario
def many_producers_and_consumers(lib):
    everything_arrives_once(lib, "FIFOQueueV2")


@scenario
def many_producers_and_consumers_padding(lib):
    everything_arrives_once(lib, "PaddingFIFOQueueV2")


@scenario
def many_producers_and_consumers_shuffling(lib):
    got = everything_arrives_once(lib, "RandomShuffleQueueV2", min_after_dequeue=3)
    assert got != sorted(got)


@scenario
def plans_of_a_session_share_its_queues(lib):
    """A queue without shared_name belongs to its node, whatever else a step runs."""
    q = Queue(lib)
    q.put(5)
    assert q.size() == 1 and q.get() == 5
    q.put(6)
    with q.graph.session() as other:
        equal(other.run(["size:0"])[0], i32(0))


# ---- accumulators -------------------------------------------------------------------------------

def accumulator():
    g = GraphDef()
    g.node("ConditionalAccumulator", dtype=F, shape=Shape([2]), name="a")
    g.placeholder("f32", name="x"), g.placeholder("i64", name="step"), g.placeholder("i32", name="n")
    g.node("AccumulatorApplyGradient", "a:0", "step:0", "x:0", dtype=F, name="give")
    g.node("AccumulatorTakeGradient", "a:0", "n:0", dtype=F, name="take")
    g.node("AccumulatorNumAccumulated", "a:0", name="count")
    return g


@scenario
def gradients_are_awaited(lib):
    with lib.graph(accumulator().bytes()).session() as s:
        give = lambda v: s.run(targets=["give"], feeds={"x:0": f32(v), "step:0": np.int64(5)})
        take = Later(lambda: s.run(["take:0"], {"n:0": i32(3)})[0]).waits()
        give([1, 2]), give([2, 3])
        take.waits()
        give([6, 7])
        equal(take.get(), f32([3, 4]))
        equal(s.run(["count:0"])[0], i32(0))


@scenario
def every_gradient_counts_once(lib):
    with lib.graph(accumulator().bytes()).session() as s:
        one = {"x:0": f32([1, -1]), "step:0": np.int64(1 << 40)}
        take = lambda n: s.run(["take:0"], {"n:0": i32(n)})[0]
        s.run(targets=["give"], feeds=one)
        equal(take(1), f32([1, -1]))  # the plans are there from now on
        taken = [Later(lambda: take(50)) for _ in range(6)]
        for t in taken:  # one that comes late would find that an earlier one took more than it asked
            t.waits(0.3)
        together(*[lambda: [s.run(targets=["give"], feeds=one) for _ in range(100)]] * 3)
        for t in taken:
            equal(t.get(), f32([1, -1]))
        equal(s.run(["count:0"])[0], i32(0))


@scenario
def a_take_can_be_stopped(lib):
    with lib.graph(accumulator().bytes()).session() as s:
        with fails("DEADLINE_EXCEEDED"):
            s.run(["take:0"], {"n:0": i32(1)}, options=pb.run_options(timeout_ms=100))
        take = Later(lambda: s.run(["take:0"], {"n:0": i32(1)})).waits()
        s.close()
        with fails("CANCELLED"):
            take.get()


# ---- barriers, staging, mutexes -----------------------------------------------------------------

@scenario
def a_barrier_waits_for_whole_tuples(lib):
    g = GraphDef()
    g.node("Barrier", component_types=[F, I], shapes=[Shape([]), Shape([])], name="b")
    g.placeholder("str", name="k"), g.placeholder("f32", name="x"), g.placeholder("i32", name="y")
    g.node("BarrierInsertMany", "b:0", "k:0", "x:0", T=F, component_index=0, name="left")
    g.node("BarrierInsertMany", "b:0", "k:0", "y:0", T=I, component_index=1, name="right")
    g.node("BarrierTakeMany", "b:0", g.const(1, "i32"), component_types=[F, I], name="take")
    with lib.graph(g.bytes()).session() as s:
        key = {"k:0": np.array([b"a"], object)}
        take = Later(lambda: s.run(["take:1", "take:2", "take:3"])).waits()
        s.run(targets=["left"], feeds={**key, "x:0": f32([1])})
        take.waits()
        s.run(targets=["right"], feeds={**key, "y:0": i32([2])})
        k, x, y = take.get()
        assert k.array.tolist() == [b"a"], k
        equal(x, f32([1])), equal(y, i32([2]))


@scenario
def staging_waits_both_ways(lib):
    g = GraphDef()
    g.placeholder("f32", name="x")
    g.node("Stage", "x:0", dtypes=[F], capacity=1, shared_name="s", name="put")
    g.node("Unstage", dtypes=[F], capacity=1, shared_name="s", name="get")
    with lib.graph(g.bytes()).session() as s:
        put = lambda v: s.run(targets=["put"], feeds={"x:0": f32(v)})
        get = Later(lambda: s.run(["get:0"])[0]).waits()
        put(1)
        equal(get.get(), f32(1))
        put(2)
        more = Later(lambda: put(3)).waits()
        equal(s.run(["get:0"])[0], f32(2))
        more.get()
        equal(s.run(["get:0"])[0], f32(3))


@scenario
def a_mutex_lets_one_in(lib):
    """Reading, adding one and writing under the mutex loses nothing."""
    g = GraphDef()
    g.node("MutexV2", name="m")
    g.node("MutexLock", "m:0", name="lock")
    g.node("VariableV2", shape=Shape([]), dtype=I, name="w")
    g.node("Assign", "w:0", g.const(0, "i32"), T=I, name="init")
    g.node("Identity", "w:0", T=I, name="read", control=["lock"])
    g.node("AddV2", "read:0", g.const(1, "i32"), T=I, name="next")
    g.node("Assign", "w:0", "next:0", T=I, name="write")
    g.node("ConsumeMutexLock", "lock:0", name="done", control=["write"])
    g.node("Identity", "w:0", T=I, name="value")
    with lib.graph(g.bytes()).session() as s:
        s.run(targets=["init"])
        together(*[lambda: [s.run(targets=["done"]) for _ in range(50)]] * 4)
        equal(s.run(["value:0"])[0], i32(200))


# ---- batches of rows of several steps -----------------------------------------------------------

def batch(g, **attrs):
    g.placeholder("f32", name="x")
    more = dict(num_batch_threads=1, max_batch_size=4, batch_timeout_micros=100000, max_enqueued_batches=10,
                allowed_batch_sizes=[], container="", shared_name="", batching_queue="")
    return {**more, **attrs}


@scenario
def steps_share_a_batch(lib):
    """One step gets the rows of all; each gets its own back."""
    g = GraphDef()
    attrs = batch(g, batch_timeout_micros=20000000, T=[F], grad_timeout_micros=0)
    g.node("Batch", "x:0", name="b", **attrs)
    g.node("Neg", "b:0", T=F, name="y")
    g.node("Unbatch", "y:0", "b:1", "b:2", T=F, timeout_micros=20000000, container="", shared_name="",
           name="mine")
    with lib.graph(g.bytes()).session() as s:
        run = lambda v: s.run(["mine:0", "b:1"], feeds={"x:0": f32(v)})
        first = Later(lambda: run([1]))
        second = Later(lambda: run([2, 3]))
        time.sleep(0.05)
        third = run([4])
        got = [first.get(), second.get(), third]
        equal(got[0][0], f32([-1])), equal(got[1][0], f32([-2, -3])), equal(got[2][0], f32([-4]))
        assert sorted(len(r[1].array) for r in got) == [0, 0, 3], got


@scenario
def a_function_is_called_once_for_several_steps(lib):
    g = GraphDef()
    g.function("Total", {"x": "f32"}, {"y": "f32"},
               [("Const", "axes", [], {"dtype": I, "value": i32([0])}),
                ("Sum", "sum", ["x", "axes:output:0"], {"T": F, "Tidx": I, "keep_dims": False}),
                ("ZerosLike", "zeros", ["x"], {"T": F}),
                ("AddV2", "add", ["zeros:y:0", "sum:output:0"], {"T": F})], {"y": "add:z:0"})
    attrs = batch(g, max_batch_size=3, batch_timeout_micros=20000000)
    g.node("BatchFunction", "x:0", f=pb.Func("Total"), Tin=[F], Tcaptured=[], Tout=[F], name="y", **attrs)
    with lib.graph(g.bytes()).session() as s:
        run = lambda v: s.run(["y:0"], feeds={"x:0": f32(v)})[0]
        first, second = Later(lambda: run([1])), Later(lambda: run([10]))
        equal(run([100]), f32([111]))
        equal(first.get(), f32([111])), equal(second.get(), f32([111]))
        with fails("INVALID_ARGUMENT", "larger than maximum"):
            run([1, 2, 3, 4])
        equal(run(np.zeros(0)), f32([]))


@scenario
def a_batch_is_padded_and_split(lib):
    g = GraphDef()
    g.function("Twice", {"x": "f32"}, {"y": "f32"}, [("AddV2", "sum", ["x", "x"], {"T": F})], {"y": "sum:z:0"})
    attrs = batch(g, max_batch_size=7, allowed_batch_sizes=[2, 3], batch_timeout_micros=1000,
                  enable_large_batch_splitting=True)
    g.node("BatchFunction", "x:0", f=pb.Func("Twice"), Tin=[F], Tcaptured=[], Tout=[F], name="y", **attrs)
    with lib.graph(g.bytes()).session() as s:
        for rows in range(1, 8):
            equal(s.run(["y:0"], feeds={"x:0": f32(range(rows))})[0], 2 * f32(range(rows)))


@scenario
def a_batched_function_that_cannot_be_prepared(lib):
    g = GraphDef()
    g.function("Lost", {"x": "f32"}, {"y": "f32"}, [("NotThere", "sum", ["x"], {})], {"y": "sum:z:0"})
    attrs = batch(g, max_batch_size=7, batch_timeout_micros=1000)
    g.node("BatchFunction", "x:0", f=pb.Func("Lost"), Tin=[F], Tcaptured=[], Tout=[F], name="y", **attrs)
    with lib.graph(g.bytes()).session() as s, fails("NOT_FOUND", "NotThere"):
        s.run(["y:0"], feeds={"x:0": f32([1])})


@scenario
def many_steps_in_batches(lib):
    g = GraphDef()
    g.function("Twice", {"x": "f32"}, {"y": "f32"}, [("AddV2", "sum", ["x", "x"], {"T": F})], {"y": "sum:z:0"})
    attrs = batch(g, num_batch_threads=2, batch_timeout_micros=500, max_enqueued_batches=100)
    g.node("BatchFunction", "x:0", f=pb.Func("Twice"), Tin=[F], Tcaptured=[], Tout=[F], name="y", **attrs)
    with lib.graph(g.bytes()).session() as s:
        def work(base):
            for k in range(40):
                equal(s.run(["y:0"], feeds={"x:0": f32([base, k])})[0], f32([2 * base, 2 * k]))
        together(*[lambda base=base: work(base) for base in range(6)])


@scenario
def who_waits_for_a_batch_can_give_up(lib):
    g = GraphDef()
    attrs = batch(g, batch_timeout_micros=20000000, T=[F], grad_timeout_micros=0)
    g.node("Batch", "x:0", name="b", **attrs)
    g.node("Unbatch", "x:0", g.const(np.zeros([0, 3]), "i64"), g.const(7, "i64"), T=F, timeout_micros=1000,
           container="", shared_name="", name="lost")
    with lib.graph(g.bytes()).session() as s:
        with fails("DEADLINE_EXCEEDED"):
            s.run(["b:0"], feeds={"x:0": f32([1])}, options=pb.run_options(timeout_ms=100))
        with fails("DEADLINE_EXCEEDED", "Batched data did not arrive within timeout window"):
            s.run(["lost:0"], feeds={"x:0": f32([1])})
        run = lambda: s.run(["b:0"], feeds={"x:0": f32([2])})[0]
        others = [Later(run) for _ in range(3)]
        assert sorted(len(o.get().array) for o in others) == [0, 0, 4]  # the first step's row is still there


if __name__ == "__main__":
    sys.exit(main(__file__))
