"""Control flow of both kinds, functions and lists of tensors, as TensorFlow's own front end writes
them: each program is a graph made by it and the names of what to fetch."""
import random

import numpy as np

from graphs import tf
from opcase import script

v1 = tf.compat.v1
CASES = []


def program(name, v2=False, feeds=({},), **options):
    """Makes a script of a function that builds with TensorFlow and gives the edges to fetch."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                switch = v1.enable_control_flow_v2 if v2 else v1.disable_control_flow_v2
                switch()
                fetches = make()
            g.proto.CopyFrom(graph.as_graph_def())
            for f in feeds:
                g.run([x.name for x in fetches], {k + ":0": np.asarray(v) for k, v in f.items()})
        CASES.append(script(name, **options)(build))
        return make
    return add


def both(name, **options):
    """The same program with Switch and Merge and with functions."""
    def add(make):
        program(name + "_v1", False, **options)(make)
        program(name + "_v2", True, **options)(make)
        return make
    return add


def x_in(shape=()):
    return v1.placeholder(tf.float32, shape, name="x")


X = [{"x": np.float32(v)} for v in (-2, 0, 3)]


@both("cond", feeds=X)
def cond():
    x = x_in()
    y = v1.cond(x > 0, lambda: x * 2, lambda: x - 1)
    z = v1.cond(x > 1, lambda: v1.cond(x > 2, lambda: y, lambda: -y), lambda: tf.constant(5.0))
    return [y, z]


@both("cond_gradient", feeds=X)
def cond_gradient():
    x = x_in()
    y = v1.cond(x > 0, lambda: x * x, lambda: tf.sin(x))
    return [y, tf.gradients(y, x)[0]]


@both("while", feeds=X)
def loop():
    x = x_in()
    i, y = v1.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * 1.5 + x), [tf.constant(0), x])
    return [i, y]


@both("while_gradient", feeds=X)
def loop_gradient():
    x = x_in()
    _, y = v1.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, tf.sin(y) * x), [tf.constant(0), x])
    return [y, tf.gradients(y, x)[0]]


@both("nested_while", feeds=X)
def nested():
    x = x_in()
    inner = lambda y: v1.while_loop(lambda j, z: j < 3, lambda j, z: (j + 1, z + x), [tf.constant(0), y])[1]
    _, y = v1.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, inner(y) * 0.5), [tf.constant(0), x])
    return [y, tf.gradients(y, x)[0]]


@both("cond_in_while", feeds=X)
def cond_in_while():
    x = x_in()
    step = lambda i, y: (i + 1, v1.cond(tf.equal(i % 2, 0), lambda: y + x, lambda: y * y))
    _, y = v1.while_loop(lambda i, y: i < 4, step, [tf.constant(0), x])
    return [y, tf.gradients(y, x)[0]]


@both("growing_shape")
def growing():
    _, y = v1.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.concat([y, y], 0)),
                         [tf.constant(0), tf.constant([1.0])],
                         shape_invariants=[tf.TensorShape([]), tf.TensorShape([None])])
    return [y]


@both("tensor_array_in_while", feeds=[{"x": np.arange(12, dtype=np.float32).reshape(4, 3)}])
def array_in_while():
    x = x_in([4, 3])
    inputs = tf.TensorArray(tf.float32, 4).unstack(x)
    out = tf.TensorArray(tf.float32, 4)

    def step(i, state, out):
        state = tf.tanh(inputs.read(i) + state)
        return i + 1, state, out.write(i, state)

    _, last, out = v1.while_loop(lambda i, *_: i < 4, step, [tf.constant(0), tf.zeros([3]), out])
    y = out.stack()
    return [y, last, tf.gradients(tf.reduce_sum(y * y), x)[0]]


@both("map_fn", feeds=[{"x": np.float32([1, 2, 3])}])
def mapped():
    x = x_in([3])
    y = tf.map_fn(lambda e: e * e, x)
    return [y, tf.gradients(y, x)[0], v1.scan(lambda a, e: a + e, x), v1.foldl(lambda a, e: a * e, x)]


@both("case", feeds=[{"i": np.int32(i)} for i in (0, 1, 2)])
def cases():
    i = v1.placeholder(tf.int32, [], name="i")
    return [v1.case([(tf.equal(i, 0), lambda: tf.constant(10)), (tf.equal(i, 1), lambda: tf.constant(20))],
                    default=lambda: tf.constant(30))]


@program("switch_case", v2=True, feeds=[{"i": np.int32(i)} for i in (-1, 0, 1, 2, 9)])
def switch_case():
    i = v1.placeholder(tf.int32, [], name="i")
    return [tf.switch_case(i, [lambda: tf.constant(10), lambda: tf.constant(20), lambda: tf.constant(30)])]


@program("functions", v2=True, feeds=X)
def functions():
    @tf.function
    def square(a):
        return a * a

    @tf.function
    def twice(a, b):
        return square(a) + square(b), a - b

    x = x_in()
    y, z = twice(x, 2.0)
    return [y, z]


@program("variables_in_while", feeds=[{}])
def variables():
    v = v1.get_variable("v", initializer=1.0, use_resource=True)
    with tf.control_dependencies([v.initializer]):
        start = tf.constant(0)

    def step(i):
        with tf.control_dependencies([v.assign_add(2.0)]):
            return i + 1

    i = v1.while_loop(lambda i: i < 5, step, [start], parallel_iterations=1)
    with tf.control_dependencies([i]):
        return [v.read_value()]


@both("while_of_invariants", feeds=X)
def loop_of_invariants():
    """A value that the body takes from one that never changes must not keep the loop going."""
    x = x_in()
    z = x + 1
    step = lambda i, a, b, c: (i + 1, z, z * x, tf.constant(2.0))
    i, a, b, c = v1.while_loop(lambda i, *_: i < 3, step, [tf.constant(0), x, x, x])
    y = a * b * c
    return [i, a, b, c, tf.gradients(y, x)[0]]


@both("while_of_invariants_through_a_call", feeds=X)
def loop_of_invariants_through_a_call():
    """The same, where the body takes it from a function of something that does change."""
    x = x_in()
    z = x + 1
    first = tf.function(lambda kept, changes: (kept, tf.identity(kept), tf.constant(4.0)), autograph=False)

    def step(i, a, b, c):
        return (i + 1, *first(z, a))
    return v1.while_loop(lambda i, *_: i < 3, step, [tf.constant(0), x, x, x])


@program("identity_n_joins", feeds=[{"p": p, "q": q} for p, q in [(True, True), (True, False), (False, False)]])
def identity_n_joins():
    """Values of an IdentityN are dead when one of its inputs is."""
    p, q = v1.placeholder(tf.bool, [], "p"), v1.placeholder(tf.bool, [], "q")
    x, nothing = tf.constant([1.0, 2.0]), tf.constant(0.0)
    _, first = tf.raw_ops.Switch(data=x, pred=p)
    _, second = tf.raw_ops.Switch(data=nothing, pred=q)
    none, _ = tf.raw_ops.Switch(data=x * 3, pred=tf.logical_and(p, q))
    values = tf.identity_n([first, second])
    return list(tf.raw_ops.Merge(inputs=[values[0], none]))


def slow(x):
    """One, after a while."""
    y = tf.fill([300, 300], x * 0)
    for _ in range(6):
        y = tf.tanh(tf.matmul(y, tf.fill([300, 300], 0.001)))
    return 1 + y[0, 0]


def changed(var, x):
    """What the variable has after it was changed, slowly."""
    late = slow(x)
    with tf.control_dependencies([late]):
        change = var.assign_add(1.0)
    with tf.control_dependencies([change]):
        return var.read_value() * 1.0


def call_after(function):
    """Calls a function with what it does not use; its order in the step follows from that input alone."""
    x = x_in()
    var = v1.get_variable("v", initializer=tf.constant(1.0), use_resource=True)
    with tf.control_dependencies([var.initializer]):
        x = tf.identity(x)
    first = changed(var, x)
    last = tf.function(function, autograph=False)(x, first, var)
    with tf.control_dependencies([last]):
        return [first, last, var.read_value()]


@program("call_reads_after_its_inputs", v2=True, feeds=X)
def call_reads_after_its_inputs():
    return call_after(lambda x, unused, var: var.read_value() * 10.0)


@program("call_writes_after_its_inputs", v2=True, feeds=X)
def call_writes_after_its_inputs():
    def write(x, unused, var):
        var.assign(100.0)
        return x + 1
    return call_after(write)


def functional_programs():
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops
    Defun = function.Defun

    @Defun(tf.float32)
    def poly(x):
        return 2 * x * x * x + 3 * x * x + 4 * x + 8

    @Defun(tf.float32)
    def slope(x):
        return functional_ops.Gradient([x, 1.0], poly)[0]

    @Defun(tf.int32, tf.float32)
    def two(i, v):
        return v, v

    @Defun(tf.int32, tf.float32)
    def add_index(i, v):
        return tf.cast(i, tf.float32) + v

    @Defun(tf.float32, tf.float32)
    def positive(n, x):
        return n > 0

    @Defun(tf.float32, tf.float32)
    def down(n, x):
        return n - 1, x + slope(n)

    @Defun(tf.float32, tf.float32)
    def positive_twice(n, x):
        return n > 0, x

    @Defun(tf.float32, tf.float32)
    def down_more(n, x):
        return n - 1, x + n, x

    loop, count = functional_ops.While, functional_ops.For
    return {
        "gradient": lambda: [slope(tf.constant(1.0)), poly(tf.constant(1.0))],
        "while": lambda: loop([5.0, 0.0], positive, down),
        "while_cond_gives_two": lambda: [loop([5.0, 0.0], positive_twice, down)[0]],
        "while_body_gives_three": lambda: [loop([5.0, 0.0], positive, down_more)[0]],
        "for": lambda: count(0, 5, 1, [1.0], add_index),
        "for_start_vector": lambda: [count([0], 5, 1, [1.0], add_index)[0]],
        "for_wrong_way": lambda: [count(0, 5, -1, [1.0], add_index)[0]],
        "for_body_gives_two": lambda: [count(0, 5, 1, [1.0], two)[0]],
    }


for name in functional_programs():
    program("functional_" + name)(lambda name=name: functional_programs()[name]())


# ---- lists of tensors ---------------------------------------------------------------------------

R = tf.raw_ops


def ints(x):
    return v1.placeholder_with_default(np.asarray(x, np.int32), None)


def floats(x):
    return v1.placeholder_with_default(np.asarray(x, np.float32), None)


def empty(shape=-1, most=-1):
    return R.EmptyTensorList(element_shape=ints(shape), max_num_elements=most, element_dtype=tf.float32)


def reserve(shape, n):
    return R.TensorListReserve(element_shape=ints(shape), num_elements=ints(n), element_dtype=tf.float32)


def push(h, v):
    return R.TensorListPushBack(input_handle=h, tensor=floats(v))


def get(h, i, shape=-1):
    return R.TensorListGetItem(input_handle=h, index=ints(i), element_shape=ints(shape), element_dtype=tf.float32)


def stack(h, shape=-1, n=-1):
    return R.TensorListStack(input_handle=h, element_shape=ints(shape), element_dtype=tf.float32, num_elements=n)


def put(h, i, v, **attrs):
    return R.TensorListSetItem(input_handle=h, index=ints(i), item=floats(v), **attrs)


def from_tensor(x, shape=-1):
    return R.TensorListFromTensor(tensor=floats(x), element_shape=ints(shape))


def scatter(x, at, n=None, shape=-1):
    if n is None:
        return R.TensorListScatter(tensor=floats(x), indices=ints(at), element_shape=ints(shape))
    return R.TensorListScatterV2(tensor=floats(x), indices=ints(at), element_shape=ints(shape), num_elements=ints(n))


def gather(h, at, shape=-1):
    return R.TensorListGather(input_handle=h, indices=ints(at), element_shape=ints(shape), element_dtype=tf.float32)


def split(x, lengths, shape=-1):
    return R.TensorListSplit(tensor=floats(x), element_shape=ints(shape),
                             lengths=v1.placeholder_with_default(np.asarray(lengths, np.int64), None))


def concat(h, shape=-1, leading=()):
    return R.TensorListConcatV2(input_handle=h, element_shape=ints(shape), element_dtype=tf.float32,
                                leading_dims=v1.placeholder_with_default(np.asarray(leading, np.int64), None))


def pop(h, shape=-1):
    return R.TensorListPopBack(input_handle=h, element_shape=ints(shape), element_dtype=tf.float32)[1]


def length(h):
    return R.TensorListLength(input_handle=h)


LISTS = {
    "length": lambda: [length(empty()), length(push(push(empty(), 1), 2))],
    "stack": lambda: [stack(push(push(empty(), 1), 2)), stack(empty([2])), stack(reserve([2], 2))],
    "stack_empty": lambda: [stack(empty())],
    "stack_count": lambda: [stack(push(empty(), 1), n=3)],
    "stack_not_set": lambda: [stack(reserve(-1, 2))],
    "stack_some_set": lambda: [stack(put(reserve(-1, 2), 1, [1, 2]))],
    "stack_unequal": lambda: [stack(push(push(empty(), 1), [2]))],
    "element_shape": lambda: [R.TensorListElementShape(input_handle=empty(s), shape_type=t)
                              for s in ([-1, 2], -1, []) for t in (tf.int32, tf.int64)],
    "push_bad": lambda: [length(push(empty([2]), [1]))],
    "push_full": lambda: [length(push(push(empty(-1, 1), 1), 2))],
    "pop": lambda: [pop(push(push(empty(), 1), 2))],
    "pop_empty": lambda: [pop(empty())],
    "get": lambda: [get(push(push(empty(), 1), 2), 1), get(reserve([2], 2), 0), get(reserve(-1, 2), 0, [3])],
    "get_outside": lambda: [get(push(empty(), 1), 5)],
    "get_not_set": lambda: [get(reserve(-1, 2), 0)],
    "set_outside": lambda: [length(put(empty(), 0, 1))],
    "set_grows": lambda: [stack(put(push(empty(), 1), 3, 1, resize_if_index_out_of_bounds=True), [])],
    "set_bad": lambda: [length(put(reserve([2], 1), 0, [1]))],
    "from_tensor": lambda: [stack(from_tensor([[1, 2], [3, 4]])), get(from_tensor([[1, 2], [3, 4]]), 1)],
    "from_scalar": lambda: [length(from_tensor(1))],
    "from_bad": lambda: [length(from_tensor([[1, 2]], [3]))],
    "gather": lambda: [gather(from_tensor([[1], [2], [3]]), [2, 0, 2]), gather(empty(), [], [2])],
    "gather_outside": lambda: [gather(from_tensor([1]), [5])],
    "gather_none": lambda: [gather(empty(), [])],
    "scatter": lambda: [stack(scatter([[1], [2]], [1, 0])), stack(scatter([[1]], [2])),
                        length(scatter([[1], [2]], [1, 0], 5)), length(scatter([[1], [2]], [1, 0], -1))],
    "scatter_negative": lambda: [length(scatter([[1]], [-1]))],
    "scatter_rows": lambda: [length(scatter([[1]], [0, 1]))],
    "scatter_outside": lambda: [length(scatter([[1], [2]], [1, 7], 5))],
    "scatter_into": lambda: [stack(R.TensorListScatterIntoExistingList(
        input_handle=from_tensor([[1], [2], [3]]), tensor=floats([[9]]), indices=ints([1])))],
    "split": lambda: [get(split([1, 2, 3], [1, 2]), 1), *concat(split([1, 2, 3], [1, 0, 2]))],
    "split_short": lambda: [length(split([1, 2, 3], [1, 1]))],
    "split_long": lambda: [length(split([1, 2, 3], [4]))],
    "split_shape": lambda: [length(split([[1, 2], [3, 4]], [1, 1], [-1, 3]))],
    "concat": lambda: [*concat(empty(), [-1, 2]), *concat(reserve([2], 2)), *concat(reserve([-1, 2], 2), leading=[1, 2])],
    "concat_some_set": lambda: concat(put(reserve(-1, 3), 1, [[4, 5]])),
    "concat_some_given": lambda: concat(put(reserve(-1, 3), 1, [[4, 5]]), leading=[2, 9, 3]),
    "concat_unequal": lambda: concat(put(put(reserve(-1, 3), 1, [[4, 5]]), 0, [[1, 2], [3, 4]])),
    "concat_scalars": lambda: concat(push(empty(), 1)),
    "concat_empty": lambda: concat(empty()),
    "concat_not_set": lambda: concat(reserve([-1, 2], 2)),
    "resize": lambda: [length(R.TensorListResize(input_handle=push(empty(), 1), size=ints(n))) for n in (5, 1, 0)],
    "resize_negative": lambda: [length(R.TensorListResize(input_handle=empty(), size=ints(-1)))],
    "concat_lists": lambda: [stack(R.TensorListConcatLists(input_a=push(empty(), 1), input_b=push(empty(), 2),
                                                          element_dtype=tf.float32))],
    "reserve_negative": lambda: [length(reserve(-1, -3))],
    "a_value_does_not_change": lambda: (lambda a: [stack(a), stack(push(a, 2)), stack(put(a, 0, 7)), pop(a)])(
        push(empty(), 1)),
}
for name, make in LISTS.items():
    program("list_" + name)(make)


@program("array_split_gradient")
def array_split_gradient():
    """What was written after the split has no part in the split's gradient."""
    x = tf.constant([1.0, 2.0, 3.0])
    array = tf.TensorArray(tf.float32, size=3, dynamic_size=True)
    r = array.split(x, [1, 1, 1]).write(3, [4.0]).concat()
    return [r, tf.gradients(r, x)[0]]


@program("list_gradients", feeds=[{"x": np.float32([[1, 2], [3, 4], [5, 6]])}])
def list_gradients():
    x = x_in([3, 2])
    h = R.TensorListFromTensor(tensor=x, element_shape=[2])
    a = R.TensorListGetItem(input_handle=h, index=1, element_shape=[2], element_dtype=tf.float32)
    h2 = R.TensorListSetItem(input_handle=h, index=0, item=a * a)
    y = R.TensorListStack(input_handle=h2, element_shape=[2], element_dtype=tf.float32)
    h3 = R.TensorListPushBack(input_handle=h2, tensor=a)
    z = R.TensorListGather(input_handle=h3, indices=[3, 0], element_shape=[2], element_dtype=tf.float32)
    return [y, z, tf.gradients(y, x)[0], tf.gradients(z * z, x)[0]]


# ---- batches, of one step each: what several steps do together is in state_test.py
@script("batch and unbatch")
def batched(g):
    x = g.const(np.arange(6, dtype=np.float32).reshape(3, 2))
    b = g.op("Batch", [x], num_batch_threads=1, max_batch_size=5, batch_timeout_micros=1000,
             grad_timeout_micros=0, allowed_batch_sizes=[2, 4, 5])
    rows, index, number = b
    back = g.op("Unbatch", rows, index, number, timeout_micros=1000000)
    gathered = g.op("UnbatchGrad", rows, index, back, number)
    g.run([rows])
    g.run([back])
    g.run([gathered])


CASES.append(batched)


def function_in_batches(**attrs):
    def make():
        @tf.function(input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([])])
        def f(x, more):
            return x + more, tf.reduce_sum(x, 1)
        x, more = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant(10.0)
        return tf.raw_ops.BatchFunction(
            in_tensors=[x], captured_tensors=[more], f=f.get_concrete_function(), num_batch_threads=1,
            batch_timeout_micros=1000, Tout=[tf.float32, tf.float32], **attrs)
    return make


program("batch function")(function_in_batches(max_batch_size=4))
program("batch function, padded")(function_in_batches(max_batch_size=4, allowed_batch_sizes=[2, 4]))
program("batch function, split")(function_in_batches(max_batch_size=4, allowed_batch_sizes=[1, 2],
                                                     enable_large_batch_splitting=True))
program("batch function, too large")(function_in_batches(max_batch_size=2))
program("batch function, odd sizes")(function_in_batches(max_batch_size=4, allowed_batch_sizes=[2, 3]))


# ---- functions called by ops, and references that flow --------------------------------------------

def function_programs():
    from tensorflow.python.framework import function
    from tensorflow.python.ops import functional_ops
    Defun = function.Defun

    @Defun(tf.float32)
    def twice(x):
        return 2 * x

    @Defun(tf.float32)
    def square(x):
        return x * x

    one = tf.float32
    return {
        "If": lambda: [functional_ops.If(tf.constant(c), [tf.constant(3.0)], twice, square)[0]
                       for c in (True, False, 2, 0, 1.5, "x", "", [1, 2])],
        "Case": lambda: [R.Case(branch_index=i, input=[tf.constant(3.0)], Tout=[one], branches=[twice, square])[0]
                         for i in (0, 1, 2, -1)],
        "RemoteCall": lambda: [functional_ops.remote_call(args=[tf.constant(3.0)], Tout=[one], f=twice,
                                                          target="/cpu:0")[0]],
        "StatefulPartitionedCall": lambda: [R.StatefulPartitionedCall(args=[tf.constant(3.0)], Tout=[one], f=square)[0]],
        "FakeParam": lambda: [tf.shape(R.FakeParam(dtype=one, shape=[2, 3]))],  # its values are undefined
        "DeviceIndex": lambda: [R.DeviceIndex(device_names=d) for d in (["CPU"], ["GPU", "CPU"], ["GPU"])],
    }


for name in function_programs():
    program("op_" + name)(lambda name=name: function_programs()[name]())


@script("references_that_flow")
def references(g):
    """A loop whose value is a variable: each turn adds to it, by reference."""
    v = g.op("VariableV2", shape=[], dtype="f32")
    w = g.op("VariableV2", shape=[], dtype="f32")
    g.run([g.op("Assign", v, g.const(1.0)), g.op("Assign", w, g.const(100.0))])
    g.run([g.op("RefIdentity", v)])
    g.run([g.op("AssignAdd", g.op("RefSelect", g.const(1), [v, w]), g.const(5.0))])
    side = g.op("RefSwitch", v, g.const(True))
    g.run([g.op("AssignAdd", side[1], g.const(3.0))])
    enter = g.op("RefEnter", v, frame_name="f")
    merge = g.op("RefMerge", [enter[0], enter[0]])
    more = g.op("LoopCond", g.op("Less", merge[0], g.op("Enter", g.const(9.0), frame_name="f", is_constant=True)))
    turn = g.op("RefSwitch", merge[0], more)
    step = g.op("AssignAdd", turn[1], g.op("Enter", g.const(2.0), frame_name="f", is_constant=True))
    back = g.op("RefNextIteration", step)
    g.proto.node[[n.name for n in g.proto.node].index(merge.name)].input[1] = back.name
    g.run([g.op("RefExit", turn[0])])
    g.run([v, w])


CASES.append(references)


@script("merges_beside_references")
def merges_beside_references(g):
    """A merge takes one of its inputs, and leaves alone what waits for the nodes beside it: references of variables,
    initialised or not."""
    variables = [g.op("VariableV2", shape=[], dtype="f32") for _ in range(6)]
    g.run([g.op("Assign", v, g.const(1.0)) for v in variables[:3]])
    beside, merged = [], []
    for taken in (False, True):
        for op in ("RefMerge", "Merge"):
            sides = g.op("RefSwitch", variables[0], g.const(taken))
            merged.append(g.op(op, [sides[0], sides[1]]))
            beside.append(g.op("IsVariableInitialized", variables[5], _control=[merged[-1]]))
            beside += [g.op("Assign", v, g.const(7.0), _control=[merged[-1]]) for v in variables[1:5]]
    nodes = random.Random(4).sample(list(g.proto.node), len(g.proto.node))
    del g.proto.node[:]  # which node is beside a merge depends on the order
    g.proto.node.extend(nodes)
    g.run([m[0] for m in merged])
    g.run([m[1] for m in merged])
    for _ in range(20):
        g.run([beside[0], merged[0][0]], targets=beside)
    g.run(variables[1:5])


CASES.append(merges_beside_references)


@script("no_size_beside_an_open_one")
def no_size_beside_an_open_one(g):
    """What 0 and an open size broadcast to is open, until a step: this graph is good."""
    many = g.op("Placeholder", dtype="f32", shape=[4, 0, -1])
    g.op("SelectV2", g.const(np.zeros([0, 2], bool)), many, g.const(np.zeros([0], np.float32)))
    g.run([g.op("AddV2", g.const(1.0), g.const(2.0))])
    g.run([g.op("Shape", g.op("AddV2", many, g.const(np.zeros([0], np.float32))))], feeds={many: np.zeros([4, 0, 1], np.float32)})


CASES.append(no_size_beside_an_open_one)


# ---- what waits for a change of state ------------------------------------------------------------------

def order(name, v2):
    """A script of a function that gives what each step fetches, which changes the variables that it makes."""
    def add(make):
        def build(g):
            graph = tf.Graph()
            with graph.as_default():
                (v1.enable_control_flow_v2 if v2 else v1.disable_control_flow_v2)()
                fetches = make()
                init = [v.initializer.name for v in v1.global_variables()]
            g.proto.CopyFrom(graph.as_graph_def())
            g.run(targets=init)
            for f in fetches * 2:
                g.run([x.name for x in (f if isinstance(f, list) else [f])])
        CASES.append(script(name)(build))
        return make
    return add


@order("a branch reads after what the conditional waits for", v2=True)
def branch_reads_later():
    v = v1.get_variable("v", initializer=1.75, use_resource=True)

    @tf.function
    def change(x):
        v.assign_add(1.0)
        tf.cond(tf.size(x) > 2, lambda: v.assign_add(v), lambda: v.assign(-v))
        return tf.identity(x)
    with tf.control_dependencies([change(tf.constant([1.0, 2.0]))]):
        return [v.read_value()]


@order("a loop reads what the iteration before wrote", v2=True)
def loop_reads_later():
    v = v1.get_variable("v", initializer=1.0, use_resource=True)

    def body(i, sums):
        seen = v.read_value()
        with tf.control_dependencies([seen]):
            with tf.control_dependencies([v.assign_add(seen)]):
                return i + 1, sums + seen
    return list(v1.while_loop(lambda i, s: i < 5, body, [0, 0.0])) + [v.read_value()]


@order("a loop's constant waits for a change of state", v2=False)
def constant_waits():
    v = v1.get_variable("v", initializer=1.0, use_resource=True)
    with tf.control_dependencies([v.assign_add(1.0)]):
        after = v.read_value()

    def body(i, x):
        with tf.control_dependencies([tf.identity(after)]):
            two = tf.constant(2.0)
        return i + 1, x + two
    return [v1.while_loop(lambda i, x: i < 2, body, [0, 0.5])[1], v.read_value()]


@order("copies of a reference from before it is written", v2=False)
def copies_of_references():
    v = v1.get_variable("v", initializer=tf.constant([[1.0, 2.0], [3.0, 4.0]]), use_resource=False)
    read = v.read_value()
    same = [read + 0.0, read * 1.0, -(-read), 0.0 + read, read - 0.0, read / 1.0]
    turned = tf.transpose(read)
    with tf.control_dependencies(same + [turned]):
        wrote = v1.scatter_update(v, [0], [[7.0, 8.0]])
    with tf.control_dependencies([wrote]):
        product = tf.matmul(turned, tf.constant([[1.0, 0.0], [0.0, 1.0]]))
        return [same + [wrote.op.outputs[0]], v1.assign(v, [[1.0, 2.0], [3.0, 4.0]]), [product, turned], v.read_value()]


@order("what a loop takes and does not use is not computed", v2=True)
def unused_inputs():
    v = v1.get_variable("v", initializer=tf.zeros([0]), use_resource=True)
    return [v1.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x + 1), [0, tf.argmax(v.read_value())])[0]]
