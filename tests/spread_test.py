#!/usr/bin/env python3
"""Functions whose bodies lie on several tasks, and variants that go from one task to another: over
Weir's tasks, and over Weir's and TensorFlow's with either as the master.
"""
import argparse
import os
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.data.ops import optional_ops
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops, list_ops, map_ops
from tensorflow.python.ops.ragged import ragged_tensor

from clusters import Cluster

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)
PS, W0, W1 = "/job:ps/task:0", "/job:worker/task:0", "/job:worker/task:1"
LAYOUTS = {  # the first worker is the master
    "Weir's": "ps:weir worker:weir worker:weir",
    "Weir's, by gRPC and IPv6": "ps:weir worker:weir worker:weir",
    "TensorFlow's master": "ps:weir worker:tf worker:weir",
    "Weir's master": "ps:tf worker:weir worker:tf",
}
TESTS = []


def test(f):
    """f() gives {name: (fetch, value)} of a graph over PS, W0 and W1."""
    TESTS.append(f)
    return f


def weir_master(f):
    """What TensorFlow's master refuses."""
    f.layouts = [n for n in LAYOUTS if n != "TensorFlow's master"]
    return test(f)


def flow_v2(f):
    """Branches and loops of |f| are functions."""

    def build():
        tf.enable_control_flow_v2()
        try:
            return f()
        finally:
            tf.disable_control_flow_v2()

    build.__name__ = f.__name__
    return build


def variable(name, value, device=PS):
    with tf.device(device):
        return tf.get_variable(name, initializer=tf.constant(value), use_resource=True)


def at(device, f):
    with tf.device(device):
        return f()


# ---- functions -----------------------------------------------------------------------------------


@test
def a_call_over_three_tasks():
    v = variable("v", 2.0)

    @tf.function(autograph=False)
    def f(x):
        a = at(PS, lambda: x * v)
        b = at(W0, lambda: a + 1.0)
        return at(W1, lambda: b * b), a

    y, a = at(W0, lambda: f(tf.placeholder_with_default(3.0, [])))
    return {"y": (y, 49.0), "a": (a, 6.0), "gradient": (tf.gradients(y, v.handle)[0], 42.0)}


@weir_master
def a_call_that_is_not_to_be_inlined():
    v = variable("v", 2.0)

    @tf.function(autograph=False, experimental_attributes={"_noinline": True})
    def f(x):
        return at(W1, lambda: at(PS, lambda: x * v) + 1.0)

    return {"y": (at(W0, lambda: f(tf.constant(3.0))), 7.0)}


@weir_master
def devices_that_say_less():
    @tf.function(autograph=False)
    def f(x):
        a = at("/device:CPU:0", lambda: x * 2.0)
        return at("/job:ps", lambda: a + 1.0)

    y = at(W1, lambda: f(tf.placeholder_with_default(3.0, [])))
    return {"y": (y, 7.0)}


@test
def a_call_that_changes_state():
    v = variable("v", 1.0)

    @tf.function(autograph=False)
    def f(x):
        y = at(W0, lambda: x + 1.0)
        with tf.control_dependencies([at(PS, lambda: v.assign_add(y))]):
            return at(W1, lambda: v.read_value() * 10.0)

    return {"once": (at(W0, lambda: f(tf.constant(3.0))), 50.0)}


@test
@flow_v2
def branches():
    v, w = variable("v", 5.0), variable("w", 1.0, W1)

    def yes():
        with tf.control_dependencies([v.assign_add(2.0)]):
            return at(W1, lambda: w.assign_add(v.read_value()))

    def no():
        return at(W0, lambda: w.assign_sub(100.0))

    taken = at(W0, lambda: tf.cond(tf.placeholder_with_default(True, []), yes, no))
    with tf.control_dependencies([taken]):
        other = at(PS, lambda: tf.cond(tf.placeholder_with_default(False, []), yes, no))
    with tf.control_dependencies([other]):
        return {"v": (v.read_value(), 7.0), "w": (w.read_value(), -92.0)}


@test
@flow_v2
def one_of_several():
    def branch(k):
        here, there = [PS, W0, W1][k], [W1, PS, W0][k]
        return lambda: at(there, lambda: at(here, lambda: tf.constant(float(k)) * 2.0) + 1.0)

    index = tf.placeholder_with_default(1, [])
    choose = lambda i: tf.switch_case(i, [branch(k) for k in range(3)])
    return {"second": (choose(index), 3.0), "out of range": (choose(index + 7), 5.0)}


@test
@flow_v2
def a_loop_and_its_gradient():
    v = variable("v", 2.0)

    def body(i, x):
        a = at(PS, lambda: x * v)
        return i + 1, at(W1, lambda: tf.sin(a) + 1.0)

    with tf.device(W0):
        y = tf.while_loop(lambda i, _: i < 10, body, [0, 1.0])[1]
    x, dx = 1.0, 0.0
    for _ in range(10):
        x, dx = np.sin(2 * x) + 1, np.cos(2 * x) * (2 * dx + x)
    return {"y": (y, x), "gradient": (tf.gradients(y, v)[0], dx)}


@test
@weir_master
def what_a_loop_does_not_change_on_a_task_of_its_own():
    """Nothing else of the loop is on that task, so only the edges it sends along make it go round."""
    with tf.device(W0):
        start, kept = tf.constant([1.0, 2.0]), tf.identity([0.5, -0.5])

        def body(i, x):
            with tf.device(W1):
                far = tf.tanh(kept)
            return i + 1, x + far
        _, x = tf.while_loop(lambda i, x: i < 3, body, [0, start], back_prop=False)
    return {"x": (x, np.array([1, 2]) + 3 * np.tanh([0.5, -0.5]))}


@flow_v2
def a_loop_that_changes_state():
    v, w = variable("v", 0.0), variable("w", 0.0, W1)

    def body(i):
        with tf.control_dependencies([v.assign_add(tf.cast(i, tf.float32))]):
            added = at(W1, lambda: w.assign_add(v.read_value()))
        with tf.control_dependencies([added]):
            return i + 1

    with tf.device(W0):
        end = tf.while_loop(lambda i: i < 5, body, [0])
    with tf.control_dependencies([end]):
        return {"v": (v.read_value(), 10.0), "w": (w.read_value(), 20.0)}


@weir_master
@flow_v2
def branches_in_a_loop_in_a_call():
    v = variable("v", 2.0)

    @tf.function(autograph=False)
    def f(x):
        def body(i, x):
            yes, no = (lambda: at(PS, lambda: x * v)), (lambda: at(W1, lambda: x + 1.0))
            return i + 1, tf.cond(tf.equal(i % 2, 0), yes, no)

        return tf.while_loop(lambda i, _: i < 6, body, [0, x])[1]

    y = at(W0, lambda: f(tf.constant(1.0)))
    return {"y": (y, 15.0), "gradient": (tf.gradients(y, v)[0], 17.0)}


@test
def flow_that_does_not_ask_to_be_opened():
    @function.Defun(tf.int32, tf.float32)
    def again(i, x):
        return i < 5

    @function.Defun(tf.int32, tf.float32)
    def body(i, x):
        return i + 1, at(W1, lambda: at(PS, lambda: x * 2.0) + 1.0)

    start = [tf.constant(0), tf.placeholder_with_default(1.0, [])]
    return {"x": (at(W0, lambda: functional_ops.While(start, again, body))[1], 63.0)}


# ---- variants ------------------------------------------------------------------------------------


def numbers(count, device=PS, **more):
    with tf.device(device):
        rows = tf.reshape(tf.range(2.0 * count), [count, 2])
        return list_ops.tensor_list_from_tensor(rows, element_shape=[2], **more)


@test
def a_list_goes_round():
    with tf.device(W1):
        longer = list_ops.tensor_list_push_back(numbers(3), [9.0, 9.0])
        length = list_ops.tensor_list_length(longer)
    stack = at(W0, lambda: list_ops.tensor_list_stack(longer, tf.float32))
    return {"length": (length, 4), "stack": (stack, [[0, 1], [2, 3], [4, 5], [9, 9]])}


@test
def lists_of_all_kinds():
    def send(items, dtype, shape):
        with tf.device(PS):
            made = list_ops.tensor_list_reserve(shape, len(items) + 2, dtype)
            for i, item in enumerate(items):
                made = list_ops.tensor_list_set_item(made, i + 1, item)
        return made

    values = {"text": ([b"a", b"", b"longer than the short ones"], tf.string),
              "flags": ([True, False], tf.bool), "none": ([], tf.float32),
              "halves": (np.arange(3, dtype=np.float16), tf.float16)}
    result = {}
    for name, (items, dtype) in values.items():
        made = send(list(items), dtype, [])
        with tf.device(W1):
            zero = np.zeros([1], dtype.as_numpy_dtype).tolist() if dtype != tf.string else [b""]
            got = list_ops.tensor_list_stack(made, dtype, element_shape=[])
            result[name] = got, zero + list(items) + zero
            result[name + "'s shape"] = list_ops.tensor_list_element_shape(made, tf.int32), []
    with tf.device(W1):
        large = list_ops.tensor_list_stack(
            at(PS, lambda: list_ops.tensor_list_from_tensor(tf.ones([3, 1000, 300]), [1000, 300])),
            tf.float32)
        result["large"] = tf.reduce_sum(large), 900000.0
        unknown = list_ops.tensor_list_element_shape(
            at(PS, lambda: list_ops.empty_tensor_list([-1, 7], tf.int64, 5)), tf.int32)
        result["partly known"] = unknown, [-1, 7]
    return result


@test
def lists_in_lists():
    with tf.device(PS):
        outer = list_ops.empty_tensor_list([], tf.variant)
        for n in range(1, 4):
            outer = list_ops.tensor_list_push_back(outer, numbers(n))
    with tf.device(W1):
        outer, last = list_ops.tensor_list_pop_back(outer, tf.variant)
        outer, middle = list_ops.tensor_list_pop_back(outer, tf.variant)
    with tf.device(W0):
        stack = lambda l: list_ops.tensor_list_stack(l, tf.float32)
        return {"last": (stack(last), [[0, 1], [2, 3], [4, 5]]), "middle": (stack(middle), [[0, 1], [2, 3]]),
                "left": (list_ops.tensor_list_length(outer), 1)}


@test
def sums_and_zeros_of_lists():
    a, b = numbers(2), numbers(2, W1)
    total = at(W0, lambda: tf.add_n([a, b]))
    with tf.device(PS):
        zeros = list_ops.tensor_list_stack(tf.zeros_like(b), tf.float32)
    with tf.device(W1):
        return {"sum": (list_ops.tensor_list_stack(total, tf.float32), [[0, 2], [4, 6]]),
                "zeros": (zeros, [[0, 0], [0, 0]])}


@test
def other_variants_that_travel():
    with tf.device(PS):
        ragged = tf.RaggedTensor.from_row_splits(tf.range(5.0), [0, 2, 2, 5])._to_variant()
        rows = tf.RaggedTensor.from_row_splits(tf.range(5.0), [0, 2, 2, 5])._to_variant(True)
        some = optional_ops.Optional.from_value((tf.constant(3.0), tf.constant(b"x")))._variant_tensor
        none = optional_ops.Optional.empty(tf.TensorSpec([], tf.float32))._variant_tensor
        table = map_ops.tensor_map_insert(map_ops.empty_tensor_map(), tf.constant(b"k"), tf.constant([1, 2]))
    with tf.device(W1):
        from_variant = ragged_tensor.RaggedTensor._from_variant
        back = from_variant(ragged, tf.float32, 1)
        joined = from_variant(rows, tf.float32, 1, 0)
        raw = tf.raw_ops
        value = raw.OptionalGetValue(optional=some, output_types=[tf.float32, tf.string],
                                     output_shapes=[[], []])
        return {"splits": (back.row_splits, [0, 2, 2, 5]), "values": (back.values, np.arange(5.0)),
                "rows": (joined.row_splits, [0, 2, 2, 5]),
                "optional": (value[0], 3.0), "its text": (value[1], b"x"),
                "none": (raw.OptionalHasValue(optional=none), False),
                "map": (map_ops.tensor_map_lookup(table, tf.constant(b"k"), tf.int32), [1, 2])}


@test
def a_variant_that_cannot_travel():
    with tf.device(PS):
        made = tf.data.Dataset.range(3)._variant_tensor
    with tf.device(W1):
        size = tf.raw_ops.DatasetCardinality(input_dataset=made)
    return {"size": (size, (tf.errors.UnimplementedError, tf.errors.InvalidArgumentError,
                            tf.errors.InternalError))}


# ---- calls of functions on devices that are known when they run ----------------------------------


def full(device):
    return device.replace("/task", "/replica:0/task") + "/device:CPU:0"


def call_at(target, f, args, dtypes, caller=W0):
    """RemoteCall on |caller|; |target| is fed by default, so nobody knows it before the step."""
    with tf.device(caller):
        where = tf.placeholder_with_default(target, [])
        return functional_ops.remote_call(args=args, Tout=dtypes, f=f, target=where)


@test
def a_function_on_the_device_that_is_fed():
    @function.Defun(tf.float32, tf.string)
    def f(x, name):
        return x * x + 1.0, tf.strings.join([name, "!"])

    cases = {}
    for name, target in dict(ps=full(PS), w0=full(W0), w1=full(W1), short="/job:ps/task:0",
                             other_task="/task:1").items():
        y, text = call_at(target, f, [tf.constant([2.0, 3.0]), tf.constant(name)],
                          [tf.float32, tf.string])
        cases[name] = (y, [5.0, 10.0])
        cases[name + ", text"] = (text, name.encode() + b"!")
    return cases


@test
def functions_that_call_functions():
    @function.Defun(tf.float32)
    def inner(x):
        return x + 1.0

    @function.Defun(tf.float32)
    def outer(x):
        return inner(x) * inner(x + 1.0)

    y = call_at(full(PS), outer, [tf.constant(2.0)], [tf.float32])
    z = call_at(full(W1), outer, y, [tf.float32])
    return {"y": (y[0], 12.0), "both": (z[0], 182.0)}


@test
def calls_from_a_worker_to_another():
    @function.Defun(tf.float32)
    def f(x):
        return x - 1.0

    y = call_at(full(PS), f, [tf.constant(2.0)], [tf.float32], caller=W1)
    z = call_at(full(W0), f, [tf.constant(2.0)], [tf.float32], caller=PS)
    return {"y": (y[0], 1.0), "to the master": (z[0], 1.0)}


@test
def calls_in_a_loop():
    @function.Defun(tf.float32)
    def f(x):
        return x * 2.0

    with tf.device(W0):
        out = tf.while_loop(lambda i, v: i < 6,
                            lambda i, v: (i + 1, tf.ensure_shape(
                                call_at(full(PS), f, [v], [tf.float32])[0], [])),
                            [0, tf.constant(1.0)])
    return {"doubled": (out[1], 64.0)}


@test
def an_iterator_is_read_where_it_is():
    with tf.device(PS):
        numbers = tf.data.Dataset.from_tensor_slices([7, 8])
        handle = tf.data.make_one_shot_iterator(numbers).string_handle()

    @function.Defun(tf.string)
    def next_of(h):
        return tf.data.Iterator.from_string_handle(h, tf.int32, []).get_next()

    there = call_at(full(PS), next_of, [handle], [tf.int32])[0]
    return {"first": (there, 7), "not here": (call_at(full(W0), next_of, [handle], [tf.int32]),
                                              (tf.errors.InvalidArgumentError,)),
            "second": (there, 8), "end": (there, (tf.errors.OutOfRangeError,))}


@test
def errors_of_called_functions():
    @function.Defun(tf.int32)
    def f(x):
        return tf.gather([1, 2, 3], x)

    def at_of(target):
        return call_at(target, f, [tf.constant(9)], [tf.int32])

    invalid = (tf.errors.InvalidArgumentError,)
    return {"there": (at_of(full(PS)), invalid), "here": (at_of(full(W0)), invalid),
            "no such task": (at_of("/job:ps/task:5"), invalid),
            "no device": (at_of("/nobody"), invalid)}


# ---- values of all sizes -------------------------------------------------------------------------


def sizes_that_change(target):
    """What was large in one step is small or dead in the next, and comes by another way."""
    with tf.Graph().as_default():
        with tf.device(W0):
            x = tf.placeholder(tf.float32, [None])
            wanted = tf.placeholder(tf.bool, [])
        a = at(PS, lambda: x + 1.0)
        b = at(W0, lambda: a * 2.0)
        c = at(W1, lambda: b + a)
        switch = tf.raw_ops.Switch
        with tf.device(PS):
            taken = tf.identity(switch(data=c, pred=wanted)[1]) * 1.0
            other = tf.identity(switch(data=c, pred=wanted)[0])[:1]
        with tf.device(W0):
            merged = tf.raw_ops.Merge(inputs=[taken, other]).output
            loop = tf.while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, at(PS, lambda: v + 1.0)),
                                 [0, merged])[1]
        random = np.random.RandomState(3)
        with tf.Session(target, config=tf.ConfigProto(operation_timeout_in_ms=20000)) as s:
            run = s.make_callable([c, merged, loop], [x, wanted])
            for step in range(80):
                size = int(random.choice([1, 7, 4000, 5000, 30000, 200000]))
                take = bool(random.randint(2))
                value = random.rand(size).astype("f")
                got = run(value, take)
                want = (value + 1) * 3
                np.testing.assert_allclose(got[0], want, rtol=1e-5)
                want = want if take else want[:1]
                np.testing.assert_allclose(got[1], want, rtol=1e-5)
                np.testing.assert_allclose(got[2], want + 3, rtol=1e-5)


# ---- running them --------------------------------------------------------------------------------


def check(session, name, fetch, value):
    if isinstance(value, tuple):
        try:
            got = session.run(fetch)
        except value:
            return
        raise AssertionError("%s: %s, and no error" % (name, got))
    got = session.run(fetch)
    if np.asarray(value).dtype.kind in "SO":
        assert np.asarray(got).tolist() == value, (name, got)
    else:
        np.testing.assert_allclose(got, value, rtol=1e-5, err_msg=name)


def run(f, target):
    with tf.Graph().as_default():
        cases = f()
        start = tf.global_variables_initializer()
        config = tf.ConfigProto(operation_timeout_in_ms=20000)
        with tf.Session(target, config=config) as s:
            for name, (fetch, value) in cases.items():
                s.run(start)
                check(s, name, fetch, value)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir", default=Cluster("").weir)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    passed, failed = 0, 0
    for name, layout in LAYOUTS.items():
        env = {"WEIR_TRANSPORTS": "grpc"} if "gRPC" in name else {}
        host = "[::1]" if "IPv6" in name else "localhost"
        with Cluster(layout, args.weir, env=env, host=host) as c:
            for f in TESTS + [sizes_that_change]:
                if args.only not in f.__name__ or name not in getattr(f, "layouts", LAYOUTS):
                    continue
                try:
                    target = c.target("worker", 0)
                    f(target) if f is sizes_that_change else run(f, target)
                    passed += 1
                except Exception:
                    failed += 1
                    print("FAIL", f.__name__, "on", name)
                    traceback.print_exc()
            assert c.alive(), "a task of %s died" % name
    print("spread: %d passed, %d failed" % (passed, failed), flush=True)
    os._exit(1 if failed else 0)  # threads of steps that hang must not keep the process


if __name__ == "__main__":
    main()
