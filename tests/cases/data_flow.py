"""Stacks, tensor arrays, queues and accumulators: scripts of steps in one session."""
import numpy as np

from opcase import script

CASES = []


def case(name, **options):
    def add(build):
        CASES.append(script(name, **options)(build))
        return build
    return add


# ---- stacks -------------------------------------------------------------------------------------

@case("stack")
def stack(g):
    s = g.op("StackV2", g.const(-1), elem_type="f32")
    one = g.op("StackPushV2", s, g.placeholder("f32", _name="x"))
    pop = g.op("StackPopV2", s, elem_type="f32", _control=[one])
    g.run([pop], {"x:0": 3.0})
    s = g.op("StackV2", g.const(-1), elem_type="f32")
    g.run([g.op("StackPopV2", s, elem_type="f32")])


@case("stack_by_reference")
def stack_ref(g):
    s = g.op("Stack", elem_type="i32")
    one = g.op("StackPush", s, g.const([1, 2]))
    two = g.op("StackPush", s, g.const([3]), _control=[one])
    first = g.op("StackPop", s, elem_type="i32", _control=[two])
    second = g.op("StackPop", s, elem_type="i32", _control=[first])
    g.run([first, second])


# ---- tensor arrays ------------------------------------------------------------------------------

class Array:
    def __init__(self, g, size, dtype="f32", v="V3", **attrs):
        self.g, self.dtype, self.v = g, dtype, v
        made = g.op("TensorArray" + v, g.const(size), dtype=dtype, **attrs)
        self.handle, self.flow = (made[0], made[1]) if v == "V3" else (made, g.const(0.0))

    def _op(self, name, *inputs, flow=None, **attrs):
        return self.g.op("TensorArray" + name + self.v, self.handle, *inputs, flow or self.flow, **attrs)

    def write(self, i, value, flow=None):
        return self._op("Write", self.g.const(i), self.g.const(value, self.dtype), flow=flow)

    def read(self, i, flow=None):
        return self._op("Read", self.g.const(i), flow=flow, dtype=self.dtype)

    def gather(self, indices, flow=None, **attrs):
        return self._op("Gather", self.g.const(indices, "i32"), flow=flow, dtype=self.dtype, **attrs)

    def scatter(self, indices, value, flow=None):
        return self._op("Scatter", self.g.const(indices, "i32"), self.g.const(value, self.dtype), flow=flow)

    def concat(self, flow=None, **attrs):
        return self._op("Concat", flow=flow, dtype=self.dtype, **attrs)

    def split(self, value, lengths, flow=None):
        return self._op("Split", self.g.const(value, self.dtype), self.g.const(lengths, "i64"), flow=flow)

    def size(self, flow=None):
        return self._op("Size", flow=flow)


def array_script(v, dtype, values):
    @case("tensor_array_%s_%s" % (v, dtype))
    def build(g):
        a, b, c = values
        ta = Array(g, 3, dtype, v)
        flow = ta.write(2, [c], ta.write(0, [a], ta.write(1, [b])))
        g.run([ta.gather([0, 2, 1], flow)])
        g.run([ta.read(1, flow)])
        g.run(list(ta.concat(flow)))
        g.run([ta.size(flow)])
        ta = Array(g, 3, dtype, v, clear_after_read=False)
        flow = ta.scatter([2, 0, 1], [[a, b], [b, c], [c, a]])
        g.run([ta.gather([0, 1, 2], flow), ta.read(2, flow)])
        ta = Array(g, 3, dtype, v, clear_after_read=False)
        flow = ta.split([a, b, c], [2, 0, 1])
        g.run([ta.read(0, flow), ta.read(1, flow), ta.read(2, flow)])


for name, sample in [("f32", [1.5, 2.5, 3.5]), ("str", [b"a", b"", b"longer than a small string can be"]), ("bool", [True, False, True]),
                     ("c64", [1j, 2, 3 + 1j]), ("f16", [1, 2, 3]), ("i64", [1, 2, 3])]:
    array_script("V3", name, sample)


@case("tensor_array_errors")
def array_errors(g):
    ta = Array(g, 2)
    g.run([ta.write(5, 1.0)])
    g.run([ta.write(-1, 1.0)])
    g.run([ta.read(0)])
    g.run([ta.read(7)])
    flow = ta.write(0, [1.0, 2.0])
    g.run([ta.write(0, 1.0, flow)])
    g.run([ta.gather([0, 1], flow)])
    g.run([ta.gather([0, 1], ta.write(1, [1.0], flow))])
    first = ta.read(0, flow)
    g.run([first, g.op("TensorArrayReadV3", ta.handle, g.const(0), flow, dtype="f32", _control=[first])])
    many = ta._op("Scatter", g.placeholder("i32", _name="at"), g.const([[1.0], [2.0], [3.0]]))
    g.run([many], {"at:0": [0, 1]})
    g.run([ta.scatter([0, 1, 2], [[1.0], [2.0], [3.0]])])
    g.run([ta.split([1.0, 2.0, 3.0], [1, 1])])
    g.run([ta.split([1.0, 2.0, 3.0], [1, 1, 1])])
    g.run([ta.gather([], flow)])
    g.run([ta.gather([], flow, element_shape=[3])])
    g.run([Array(g, -1).handle])
    typed = Array(g, 1, element_shape=[2])
    fed = typed._op("Write", g.const(0), g.placeholder("f32", _name="value"))
    g.run([fed], {"value:0": [1.0]})
    g.run([typed.read(0)])


@case("tensor_array_grows")
def array_grows(g):
    ta = Array(g, 0, dynamic_size=True, element_shape=[1], clear_after_read=False)
    flow = ta.write(3, [1.0], ta.write(1, [2.0]))
    g.run([ta.size(flow), ta.gather([0, 1, 2, 3], flow)])


@case("tensor_array_of_gradients")
def array_gradients(g):
    ta = Array(g, 2)
    flow = ta.write(0, [1.0, 2.0])
    made = g.op("TensorArrayGradV3", ta.handle, flow, source="gradients")
    grad = Array.__new__(Array)
    grad.g, grad.dtype, grad.v, grad.handle, grad.flow = g, "f32", "V3", made[0], made[1]
    twice = grad.write(0, [3.0, 4.0], grad.write(0, [1.0, 1.0]))
    g.run([grad.read(0, twice)])
    g.run([grad.read(0, grad.flow)])
    g.run([grad.write(7, [1.0])])


# ---- queues -------------------------------------------------------------------------------------

def queue_script(kind, **attrs):
    @case(kind)
    def build(g):
        priority = kind.startswith("Priority")
        types = ["i64", "f32"] if priority else ["f32"]
        q = g.op(kind, component_types=["f32"], shapes=[[]], capacity=4, **attrs)
        v = "V2" if kind.endswith("V2") else ""

        def put(*values):
            many = [g.const(list(range(len(values), 0, -1)), "i64")] if priority else []
            return g.op("QueueEnqueueMany" + v, q, many + [g.const(list(values), "f32")])

        def put_one(value):
            return g.op("QueueEnqueue" + v, q, ([g.const(7, "i64")] if priority else []) + [g.const(value)])

        one = g.op("QueueDequeue" + v, q, component_types=types)
        get = lambda n: g.op("QueueDequeueMany" + v, q, g.const(n), component_types=types)
        up_to = lambda n: g.op("QueueDequeueUpTo" + v, q, g.const(n), component_types=types)
        size, closed = g.op("QueueSize" + v, q), g.op("QueueIsClosed" + v, q)
        outs = lambda op: [op[i] for i in range(len(types))]
        g.run(targets=[put(1.0, 2.0, 3.0)])
        g.run([size])
        g.run(outs(one))
        g.run(targets=[put_one(9.0)])
        g.run(outs(get(2)))
        g.run(outs(get(0)))
        g.run(targets=[g.op("QueueEnqueue" + v, q, [g.const(1)] * len(types))])
        g.run([g.op("QueueDequeue" + v, q, component_types=["i32"])])
        g.run([closed])
        g.run(targets=[g.op("QueueClose" + v, q)])
        g.run([closed])
        g.run(targets=[put_one(1.0)])
        g.run(outs(get(2)))
        if not priority:  # TensorFlow's priority queue never gives fewer
            g.run(outs(up_to(3)))
            g.run(outs(up_to(3)))
        g.run(outs(one))
        g.run(targets=[g.op("QueueClose" + v, q)])
        g.run(targets=[g.op("QueueClose" + v, q, cancel_pending_enqueues=True)])


for queue in ["FIFOQueue", "PaddingFIFOQueue", "PriorityQueue"]:
    queue_script(queue)
    queue_script(queue + "V2")
queue_script("RandomShuffleQueue", seed=3, seed2=5)
queue_script("RandomShuffleQueueV2", seed=3, seed2=5)


@case("queue_of_pairs")
def pairs(g):
    q = g.op("FIFOQueueV2", component_types=["f32", "str"], shapes=[[2], []], shared_name="pairs")
    g.run(targets=[g.op("QueueEnqueueV2", q, [g.const([1.0, 2.0]), g.const(b"a")])])
    g.run(targets=[g.op("QueueEnqueueManyV2", q, [g.const([[1.0, 2.0], [3.0, 4.0]]), g.const([b"b", b"c"])])])
    g.run(targets=[g.op("QueueEnqueueV2", q, [g.const([1.0]), g.const(b"a")])])
    g.run(targets=[g.op("QueueEnqueueManyV2", q, [g.const([[1.0, 2.0]]), g.const([b"b", b"c"])])])
    out = g.op("QueueDequeueManyV2", q, g.const(3), component_types=["f32", "str"])
    g.run([out[0], out[1]])
    for attrs in [dict(component_types=["f32"], shapes=[[2]]), dict(component_types=["f32", "str"], shapes=[[3], []]),
                  dict(component_types=["f32", "str"], shapes=[[2], []], capacity=7)]:
        g.run(targets=[g.op("FIFOQueueV2", shared_name="pairs", **attrs)])
    g.run(targets=[g.op("PaddingFIFOQueueV2", component_types=["f32", "str"], shapes=[[2], []], shared_name="pairs")])


@case("queue_without_shapes")
def no_shapes(g):
    q = g.op("FIFOQueueV2", component_types=["f32"])
    g.run(targets=[g.op("QueueEnqueueV2", q, [g.const([1.0])])])
    g.run(targets=[g.op("QueueEnqueueV2", q, [g.const([[2.0]])])])
    g.run([g.op("QueueDequeueManyV2", q, g.const(1), component_types=["f32"])])
    for _ in range(2):
        g.run([g.op("QueueDequeueV2", q, component_types=["f32"])])


@case("padding")
def padding(g):
    q = g.op("PaddingFIFOQueueV2", component_types=["f32", "str"], shapes=[[-1, 2], [-1]])
    put = lambda x, s: g.op("QueueEnqueueV2", q, [g.const(x, "f32"), g.const(s, "str")])
    g.run(targets=[put([[1, 2]], [b"a", b"b", b"c"])])
    g.run(targets=[put([[3, 4], [5, 6], [7, 8]], [b"d"])])
    g.run(targets=[put([[1, 2, 3]], [b"d"])])
    out = g.op("QueueDequeueManyV2", q, g.const(2), component_types=["f32", "str"])
    g.run([out[0], out[1]])
    g.run(targets=[g.op("PaddingFIFOQueueV2", component_types=["f32"], shapes=[])])


@case("shuffling_keeps_some")
def shuffle(g):
    q = g.op("RandomShuffleQueueV2", component_types=["i32"], shapes=[[]], min_after_dequeue=3, seed=11, seed2=7)
    g.run(targets=[g.op("QueueEnqueueManyV2", q, [g.const(list(range(20)))])])
    g.run([g.op("QueueDequeueManyV2", q, g.const(17), component_types=["i32"])])
    g.run(targets=[g.op("QueueCloseV2", q)])
    g.run([g.op("QueueDequeueUpToV2", q, g.const(10), component_types=["i32"])])


# ---- accumulators -------------------------------------------------------------------------------

def accumulator_script(prefix, dtype, **attrs):
    @case("%sConditionalAccumulator_%s%s" % (prefix, dtype, "_sum" if attrs else ""))
    def build(g):
        a = g.op(prefix + "ConditionalAccumulator", dtype=dtype, shape=[2], **attrs)
        give = lambda step, value: g.op(prefix + "AccumulatorApplyGradient", a, g.const(step, "i64"),
                                        g.const(value, dtype))
        take = lambda n: g.op(prefix + "AccumulatorTakeGradient", a, g.const(n), dtype=dtype)
        count = g.op(prefix + "AccumulatorNumAccumulated", a)
        for step in [give(0, [1, 2]), give(0, [4, 8]), give(-1, [100, 100])]:
            g.run(targets=[step])
            g.run([count])
        g.run([take(2)])
        g.run(targets=[give(0, [1, 1])])
        g.run([count])
        g.run(targets=[give(1, [3, 5])])
        g.run(targets=[give(1, [3, 5, 7])])
        g.run(targets=[g.op(prefix + "AccumulatorSetGlobalStep", a, g.const(5, "i64"))])
        g.run(targets=[give(4, [3, 5])])
        g.run([take(1)])
        g.run([take(0)])


for form in ["", "Resource"]:
    for name in ["f16", "f32", "f64"]:
        accumulator_script(form, name)
    accumulator_script(form, "f32", reduction_type="SUM")


@case("SparseConditionalAccumulator")
def sparse_accumulator(g):
    a = g.op("SparseConditionalAccumulator", dtype="f32", shape=[5, 2])

    def give(step, indices, values, shape=(5, 2)):
        return g.op("SparseAccumulatorApplyGradient", a, g.const(step, "i64"), g.const(indices, "i64"),
                    g.const(values, "f32"), g.const(list(shape), "i64"), has_known_shape=True)

    take = lambda n: g.op("SparseAccumulatorTakeGradient", a, g.const(n), dtype="f32")
    outs = lambda op: [op[i] for i in range(3)]
    g.run(targets=[give(0, [1, 3], [[1, 2], [3, 4]])])
    g.run(targets=[give(0, [0, 3, 4], [[1, 1], [5, 6], [7, 8]])])
    g.run([g.op("AccumulatorNumAccumulated", a)])
    g.run(outs(take(2)))
    for bad in [give(1, [0], [[1, 2]], [6, 2]), give(1, [0], [[1, 2, 3]], [5, 3]), give(1, [[0]], [[1, 2]]),
                give(1, [0, 1], [[1, 2]]), give(1, [9], [[1, 2]]), give(1, [0], [[1, 2]], [5])]:
        g.run(targets=[bad])
    g.run(targets=[give(1, [2], [[1, 2]])])
    g.run(outs(take(1)))


# ---- barriers, staging, mutexes -----------------------------------------------------------------

@case("Barrier")
def barrier(g):
    b = g.op("Barrier", component_types=["f32", "i32"], shapes=[[], [2]])
    put = lambda c, keys, values: g.op("BarrierInsertMany", b, g.const(keys, "str"),
                                       g.const(values, ["f32", "i32"][c]), component_index=c)
    ready, incomplete = g.op("BarrierReadySize", b), g.op("BarrierIncompleteSize", b)

    def take(n, **attrs):
        op = g.op("BarrierTakeMany", b, g.const(n), component_types=["f32", "i32"], **attrs)
        g.run([op[i] for i in range(4)])

    g.run(targets=[put(0, [b"a"], [1.0])])
    g.run(targets=[put(0, [b"b"], [2.0])])
    g.run([ready, incomplete])
    g.run(targets=[put(1, [b"b", b"a"], [[20, 21], [10, 11]])])
    g.run([ready, incomplete])
    take(2)
    g.run(targets=[put(0, [b"c"], [3.0])])
    g.run(targets=[put(0, [b"c"], [3.0])])
    g.run(targets=[g.op("BarrierInsertMany", b, g.const([b"c"], "str"), g.const([1.0]), component_index=7)])
    g.run(targets=[g.op("BarrierClose", b)])
    g.run(targets=[put(0, [b"z"], [1.0])])
    g.run(targets=[put(1, [b"c"], [[30, 31]])])
    g.run([ready])
    take(2)
    take(2, allow_small_batch=True)
    take(1)
    take(1, allow_small_batch=True)
    g.run(targets=[g.op("BarrierClose", b, cancel_pending_enqueues=True)])
    g.run(targets=[g.op("BarrierClose", b)])


@case("shared_barriers")
def shared_barriers(g):
    make = lambda name, types, shapes: g.op("Barrier", component_types=types, shapes=shapes, shared_name=name)
    for name, one, other, says in [
            ("types", (["f32"], [[]]), (["i32"], [[]]), "component types"),
            ("count", (["f32"], [[]]), (["f32", "i32"], [[], []]), "component types"),
            ("shapes", (["f32", "f32"], [[2, 2], [8]]), (["f32", "f32"], [[2, 5], [8]]), "component shapes")]:
        g.run([make(name, *one)])
        g.run([make(name, *other)], says=says)


@case("barrier_refusals")
def barrier_refusals(g):
    b = g.op("Barrier", component_types=["f32", "f32"], shapes=[[], []])
    put = lambda c, keys, values: g.op("BarrierInsertMany", b, g.const(keys, "str"), g.const(values, "f32"),
                                       component_index=c)
    none = put(0, np.zeros([0], object), np.zeros([0]))
    g.run(targets=[put(0, [b"a", b"b"], np.zeros([2, 0]))], says="Tensors with no elements are not supported")
    g.run(targets=[put(0, [b"a"], [1.0])])
    g.run(targets=[g.op("BarrierClose", b)])
    g.run(targets=[none])
    g.run(targets=[put(1, [b"z"], [1.0])], says="is closed")
    g.run(targets=[g.op("BarrierClose", b, cancel_pending_enqueues=True)])
    g.run(targets=[none], says="is closed")
    g.run(targets=[put(1, [b"a"], [1.0])], says="is closed")


@case("Stage")
def stage(g):
    at = dict(dtypes=["f32", "i32"], shared_name="stage", capacity=3)
    put = lambda x: g.op("Stage", [g.const(x), g.const(int(x))], shared_name="stage", capacity=3)
    size = g.op("StageSize", **at)
    get, peek = g.op("Unstage", **at), g.op("StagePeek", g.const(1), **at)
    g.run(targets=[put(1.0)])
    g.run(targets=[put(2.0)])
    g.run([size])
    g.run([peek[0], peek[1]])
    bad = g.op("StagePeek", g.const([], "i32"), **at)
    g.run([bad[0], bad[1]], says="must be scalar")
    g.run([get[0], get[1]])
    g.run([size])
    g.run(targets=[g.op("StageClear", **at)])
    g.run([size])


def map_script(prefix):
    @case(prefix + "MapStage")
    def build(g):
        at = dict(dtypes=["f32", "i32"], shared_name=prefix + "map")
        put = lambda key, indices, *values: g.op(prefix + "MapStage", g.const(key, "i64"), g.const(indices),
                                                 list(values), **at)
        f, i = lambda x: g.const(x, "f32"), lambda x: g.const(x, "i32")
        size, incomplete = g.op(prefix + "MapSize", **at), g.op(prefix + "MapIncompleteSize", **at)
        get = lambda key: g.op(prefix + "MapUnstage", g.const(key, "i64"), g.const([0, 1]), **at)
        peek = g.op(prefix + "MapPeek", g.const(5, "i64"), g.const([1, 0]), shared_name=prefix + "map",
                    dtypes=["i32", "f32"])
        any_key = g.op(prefix + "MapUnstageNoKey", g.const([0, 1]), **at)
        g.run(targets=[put(5, [0, 1], f(5), i(5))])
        g.run(targets=[put(3, [1], i(3))])
        g.run([size, incomplete])
        g.run(targets=[put(3, [0], f(3))])
        g.run([size, incomplete])
        g.run([peek[0], peek[1]])
        one = get(5)
        g.run([one[0], one[1]])
        g.run([any_key[0], any_key[1], any_key[2]])
        g.run([size])
        g.run(targets=[g.op(prefix + "MapClear", **at)])


map_script("")
map_script("Ordered")


@case("Mutex")
def mutex(g):
    m = g.op("MutexV2")
    for _ in range(2):
        g.run(targets=[g.op("ConsumeMutexLock", g.op("MutexLock", m))])


# ---- stacks and arrays of old graphs, what closes them -------------------------------------------

@case("StackClose")
def close_stacks(g):
    for make, push, pop, close in [("Stack", "StackPush", "StackPop", "StackClose"),
                                   ("StackV2", "StackPushV2", "StackPopV2", "StackCloseV2")]:
        h = g.op(make, *([g.const(-1)] if make == "StackV2" else []), elem_type="f32")
        pushed = g.op(push, h, g.const(1.5))
        popped = g.op(pop, h, elem_type="f32", _control=[pushed])
        g.run([popped], targets=[g.op(close, h, _control=[popped])])


@case("tensor_arrays_by_name")
def arrays_by_name(g):
    g.proto.versions.producer = 25
    flow = lambda x, *after: g.op("Identity", g.const(x), _control=after)
    a = g.op("TensorArrayV2", g.const(3), dtype="f32", element_shape=[2], clear_after_read=False)
    one = g.op("TensorArrayWriteV2", a, g.const(0), g.const([1.0, 2.0]), flow(0.0))
    two = g.op("TensorArrayScatterV2", a, g.const([1, 2]), g.const([[3.0, 4.0], [5.0, 6.0]]), one)
    read = g.op("TensorArrayReadV2", a, g.const(2), two, dtype="f32")
    rows = g.op("TensorArrayGatherV2", a, g.const([2, 0]), two, dtype="f32", element_shape=[2])
    size = g.op("TensorArraySizeV2", a, two)
    g.run([read, rows, size])
    joined = g.op("TensorArrayConcatV2", a, two, dtype="f32", element_shape_except0=[])
    g.run([joined[0], joined[1]])
    d = g.op("TensorArrayGradV2", a, two, source="g")
    dw = g.op("TensorArrayWriteV2", d, g.const(1), g.const([7.0, 8.0]), flow(0.0))
    dw2 = g.op("TensorArrayWriteV2", d, g.const(1), g.const([1.0, 1.0]), dw)
    g.run([g.op("TensorArrayReadV2", d, g.const(1), dw2, dtype="f32")])
    b = g.op("TensorArrayV2", g.const(2), dtype="f32")
    parts = g.op("TensorArraySplitV2", b, g.const([1.0, 2.0, 3.0]), g.const([1, 2], "i64"), flow(0.0))
    last = g.op("TensorArrayReadV2", b, g.const(1), parts, dtype="f32")
    g.run([last], targets=[g.op("TensorArrayCloseV2", b, _control=[last])])


@case("TensorArrayCloseV3")
def close_array(g):
    a = g.op("TensorArrayV3", g.const(2), dtype="f32")
    w = g.op("TensorArrayWriteV3", a[0], g.const(0), g.const(4.0), a[1])
    d = g.op("TensorArrayGradWithShape", a[0], w, g.const([2]), source="g")
    dw = g.op("TensorArrayWriteV3", d[0], g.const(0), g.const([1.0, 2.0]), d[1])
    r = g.op("TensorArrayReadV3", d[0], g.const(0), dw, dtype="f32")
    g.run([r], targets=[g.op("TensorArrayCloseV3", a[0], _control=[r])])
    closed = g.op("TensorArrayCloseV3", a[0], _control=[w])
    g.run([g.op("TensorArrayReadV3", a[0], g.const(0), w, dtype="f32", _control=[closed])],
          says="has already been closed")


@case("TensorListConcat")
def list_concat(g):
    of = lambda x: g.op("TensorListFromTensor", g.const(x, "f32"), g.const([-1], "i32"), shape_type="i32")
    op = g.op("TensorListConcat", of([[1, 2], [3, 4]]), element_dtype="f32")
    g.run([op[0], op[1]])


# ---- tensors that stay in the session --------------------------------------------------------------

@case("GetSessionHandle")
def session_tensors(g):
    """The handle is made of the node's name, a number that goes up, and the device."""
    x = g.placeholder("str", [])
    keep = g.op("GetSessionHandle", g.const([1.5, 2.5]), _name="keep")
    g.run([keep])
    handle = b"keep;0;/job:localhost/replica:0/task:0/device:CPU:0"
    get = g.op("GetSessionTensor", x, dtype="f32")
    g.run([get], {x: handle})
    g.run([get], {x: handle})
    g.run([get], {x: b"other"}, says="The tensor with handle 'other' is not in the session store.")
    drop = g.op("DeleteSessionTensor", x)
    g.run(targets=[drop], feeds={x: handle})
    g.run(targets=[drop], feeds={x: handle}, says="Failed to delete a tensor with handle 'keep;0;")
    g.run([get], {x: handle}, says="is not in the session store")
    g.run(targets=[g.op("GetSessionHandleV2", g.const(1))])


# ---- maps and composites as values -----------------------------------------------------------------

@case("TensorMap")
def tensor_map(g):
    put = lambda m, k, v: g.op("TensorMapInsert", m, g.const(k), g.const(v))
    get = lambda m, k, t="f32": g.op("TensorMapLookup", m, g.const(k), value_dtype=t)
    has = lambda m, k: g.op("TensorMapHasKey", m, g.const(k))
    size = lambda m: g.op("TensorMapSize", m)
    none = g.op("EmptyTensorMap")
    one = put(none, 1.5, [1.0, 2.0])
    two = put(put(one, "text", [3.0]), 1.5, 7.0)
    g.run([size(none), size(one), size(two), get(one, 1.5), get(two, 1.5), get(two, "text")])
    g.run([has(one, 1.5), has(one, "text"), has(two, "text"), has(one, [1.5]), has(none, 1)])
    g.run([get(one, 2.5)], says="Trying to lookup non-existent key. Could not find key \"2.5\".")
    drop = lambda m, k: g.op("TensorMapErase", m, g.const(k), value_dtype="f32")
    g.run([size(drop(two, 1.5)), size(two)])
    g.run([size(drop(one, "x"))], says="Trying to erase non-existent item. Could not find key \"x\".")
    g.run([g.op("TensorMapStackKeys", one, key_dtype="f32")])
    g.run([g.op("TensorMapStackKeys", none, key_dtype="f32")], says="cannot be called on empty map")
    g.run([g.op("TensorMapStackKeys", one, key_dtype="i32")], says="Key does not match requested dtype")
    g.run([size(g.op("ZerosLike", two)), get(g.op("AddN", [one[0], put(one, 2.5, 1.0)[0]]), 1.5)])
    g.run([size(g.op("EmptyTensorList", g.const(-1), g.const(-1), element_dtype="f32"))], says="Input handle is not a map")


@case("TensorListPushBackBatch")
def push_back_batch(g):
    made = [g.op("TensorListFromTensor", g.const(x, "f32"), g.const([2]), shape_type="i32")[0]
            for x in ([[1, 2]], [[3, 4], [5, 6]])]
    lists = g.op("Pack", made)
    def pushed(values, k):
        after = g.op("TensorListPushBackBatch", lists, g.const(values, "f32"))
        one = g.op("GatherV2", after, g.const(k), g.const(0))
        return g.op("TensorListStack", one, g.const([2]), element_dtype="f32")
    g.run([pushed([[7, 8], [9, 10]], 0), pushed([[7, 8], [9, 10]], 1)])
    g.run([pushed([[7], [9]], 0)], says="incompatible shape to a list at index 0")


@case("CompositeTensorVariant")
def composites(g):
    ragged, sparse = b"\x0a\x02\x08\x03", b"\x0a\x02\x08\x01"
    make = g.op("CompositeTensorVariantFromComponents", [g.const([1.0]), g.const(["a"])], metadata=ragged)
    def parts(metadata, types):
        op = g.op("CompositeTensorVariantToComponents", make, metadata=metadata, Tcomponents=types)
        return [op[k] for k in range(len(types))]
    g.run(parts(ragged, ["f32", "str"]))
    g.run(parts(sparse, ["f32", "str"]), says="Expected a SPARSE_TENSOR_SPEC (based on `type_spec`), but `encoded` "
                                              "contains a RAGGED_TENSOR_SPEC")
    g.run(parts(ragged, ["f32"]), says="Encoded value has 2 tensor components; expected 1 components")
    g.run(parts(ragged, ["f32", "i32"]), says="Tensor component 1 had dtype DT_STRING; expected dtype DT_INT32")


@script("FakeQueue")
def fake_queue(g):
    queue = g.op("FIFOQueueV2", component_types=["f32"], shapes=[[]], shared_name="behind")
    g.run(targets=[g.op("QueueEnqueueV2", queue, [g.const(2.5)])])
    g.run([g.op("QueueDequeue", g.op("FakeQueue", queue), component_types=["f32"])])


CASES.append(fake_queue)
