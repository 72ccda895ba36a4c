#!/usr/bin/env python3
"""TensorFlow's own client on weir server and on TensorFlow's server: each scenario gives the same.

A scenario builds graphs and runs them in sessions of the target it is given; what it returns (any
nesting of lists, dicts, numbers, strings and arrays) is compared between the two servers.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.framework import function
from tensorflow.python.ops import functional_ops

tf.disable_v2_behavior()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
SCENARIOS = []


def scenario(f):
    SCENARIOS.append(f)
    return f


def outcome(f, telling=""):
    """What |f| gives; or the kind of its error, and whether its message has the telling part."""
    try:
        return f()
    except tf.errors.OpError as e:
        return [type(e).__name__, telling in str(e) or str(e)]


def isolated():
    return tf.ConfigProto(isolate_session_state=True)


def evaluate(target, fetches, feeds=None):
    with tf.Session(target, config=isolated()) as s:
        return outcome(lambda: s.run(fetches, feeds))


# ---- functions -------------------------------------------------------------------------------


@scenario
def registered_gradient(target):
    @function.Defun(tf.float32, tf.float32)
    def Grad(x, dy):
        return tf.exp(x) * dy

    @function.Defun(tf.float32, grad_func=Grad)
    def F(x):
        return x * x

    @function.Defun(tf.float32)
    def Outer(x):  # the registered gradient counts in the gradient of what calls it, too
        return F(x) * 3.0

    x = tf.constant([0.5, 2.0])
    return evaluate(target, [tf.gradients(F(x), x), tf.gradients(Outer(x), x), F(x)])


@scenario
def registered_gradient_of_any_type(target):
    @function.Defun(func_name="AnyGrad")
    def G(x, dy):
        return x * dy

    @function.Defun(grad_func=G)
    def F(x):
        return tf.exp(x) - tf.exp(-x)

    results = []
    for dtype in (tf.float32, tf.float64):
        with tf.Graph().as_default():
            x = tf.constant(0.25, dtype)
            results.append(evaluate(target, tf.gradients(F(x), x)))
    return results


@scenario
def registered_gradient_with_too_many_results(target):
    @function.Defun(tf.float32, tf.float32, tf.float32)
    def Grad(x, dy, dz):
        return x, dy + dz

    @function.Defun(tf.float32, grad_func=Grad)
    def F(x):
        return x, x

    x = tf.placeholder(tf.float32)
    dx = tf.gradients(tf.add_n(F(x)), [x])
    with tf.Session(target) as s:
        return outcome(lambda: s.run(dx, {x: 1.0}), "SymGrad expects to return 1")


@scenario
def gradient_in_a_function(target):
    @function.Defun(tf.float32, func_name="SquarePlusOne")
    def F(x):
        return x * x + 1.0

    @function.Defun(tf.float32, tf.float32)
    def Grad(x, dy):
        return functional_ops.symbolic_gradient(input=[x, dy], Tout=[tf.float32],
                                                f="SquarePlusOne", name="dx")

    return evaluate(target, [F([2.0]), Grad([2.0], [0.1])])


@scenario
def old_control_flow_in_functions(target):
    one = tf.constant(1)

    @function.Defun()
    def Loop():
        return tf.while_loop(lambda i, j: i < 10, lambda i, j: (i + one, j * 2), [0, 1])

    @function.Defun(tf.float32)
    def Checked(x):
        with tf.control_dependencies([tf.Assert(tf.less_equal(x, 10.0), [x])]):
            return tf.identity(x)

    @function.Defun(tf.bool, tf.float32)
    def Branch(p, x):
        return tf.cond(p, lambda: tf.cond(x > 1.0, lambda: x * 2.0, lambda: x), lambda: x - 1.0)

    with tf.Session(target) as s:
        return [s.run(Loop()), s.run(Checked(1.0)),
                outcome(lambda: s.run(Checked(100.0)), "assertion failed: [100]"),
                [s.run(Branch(p, x)) for p in (True, False) for x in (0.5, 2.0)]]


@scenario
def functions_that_are_not_inlined(target):
    options = config_pb2.OptimizerOptions
    config = tf.ConfigProto(graph_options=config_pb2.GraphOptions(optimizer_options=options(
        opt_level=options.L0, do_common_subexpression_elimination=True, do_function_inlining=True,
        do_constant_folding=True)))

    def run(noinline):
        @function.Defun(tf.float32, noinline=noinline)
        def Cell(x):
            return tf.tanh(x + 1.0)

        @function.Defun(tf.float32)
        def Forward(x):
            return Cell(Cell(x))

        with tf.Graph().as_default(), tf.Session(target, config=config) as s:
            x = tf.placeholder(tf.float32)
            y = Forward(x)
            meta = tf.RunMetadata()
            values = s.run([y, tf.gradients(y, x)], {x: [0.5]}, run_metadata=meta,
                           options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE))
            called = any("Cell" in n.timeline_label.split("(")[0].split("/")[-1]
                         for d in meta.step_stats.dev_stats for n in d.node_stats)
            return values, called

    return [run(True), run(False)]


# ---- steps and their options -----------------------------------------------------------------


@scenario
def costs_every_few_steps(target):
    options = config_pb2.GraphOptions(build_cost_model=3, build_cost_model_after=1)
    x = tf.placeholder(tf.float32, [2])
    y = tf.tanh(x, name="y")
    told = []
    with tf.Session(target, config=tf.ConfigProto(graph_options=options)) as s:
        for _ in range(8):
            meta = tf.RunMetadata()
            s.run(y, {x: [1, 2]}, run_metadata=meta)
            told.append("y" in {n.name for n in meta.cost_graph.node})
    return told


@scenario
def traces_of_callables(target):
    with tf.Session(target) as s:
        run = s.make_callable(tf.constant(42.0), accept_options=True)
        meta = tf.RunMetadata()
        value = run(options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=meta)
        return value, len(meta.step_stats.dev_stats) > 0


@scenario
def closing_frees_who_waits(target):
    take = tf.FIFOQueue(1, [tf.float32]).dequeue()
    s = tf.Session(target, config=isolated())
    s.run(tf.constant(1.0))
    closer = threading.Timer(0.5, s.close)
    closer.start()
    said = outcome(lambda: s.run(take), "Session::Close")
    closer.join()
    return said


@scenario
def reads_after_updates(target):
    v = tf.Variable(0, name="v", use_resource=False)
    slow = tf.identity(1)
    for _ in range(30):
        slow = tf.negative(slow)  # the read comes long before the update
    first = tf.assign_add(v, slow).op
    with tf.control_dependencies([first]):
        one = tf.fill([2], v)
        second = tf.assign_add(v, slow).op
        with tf.control_dependencies([second]):
            two = v * 10
    with tf.Session(target, config=isolated()) as s:
        s.run(v.initializer)
        return [s.run(one), s.run(two), s.run([two, v])[0], s.run(v)]


# ---- datasets --------------------------------------------------------------------------------


def elements(target, make, count):
    """The first elements of a dataset, in a session of its own."""
    tf.set_random_seed(87654321)
    iterator = tf.data.make_initializable_iterator(make())
    following = iterator.get_next()
    with tf.Session(target, config=isolated()) as s:
        s.run(iterator.initializer)
        return [s.run(following) for _ in range(count)]


@scenario
def a_shuffle_read_at_two_places(target):
    def twice(join):
        shuffled = tf.data.Dataset.range(20).shuffle(7, seed=21)
        return elements(target, lambda: join(shuffled), 30)
    return [twice(lambda d: tf.data.Dataset.zip((d, d)).repeat()),
            twice(lambda d: d.concatenate(d)), twice(lambda d: d.repeat())]


@scenario
def resampling(target):
    def make(known):
        classes = tf.data.Dataset.from_tensor_slices(np.arange(1000) * 7919 % 5)
        return classes.shuffle(50, seed=21).repeat().rejection_resample(
            lambda c: c, [0.7, 0.2, 0.1, 0, 0], [0.2] * 5 if known else None, seed=27)
    return [elements(target, lambda: make(known), 40) for known in (True, False)]


@scenario
def an_iterator_of_another_session(target):
    def steps(s, following, count):
        return [outcome(lambda: s.run(following)) for _ in range(count)]

    with tf.Graph().as_default():
        iterator = tf.data.make_initializable_iterator(
            tf.data.Dataset.range(5).map(lambda x: x * 10), shared_name="shared_by_two")
        with tf.Session(target) as s:
            s.run(iterator.initializer)
            first = steps(s, iterator.get_next(), 2)
    with tf.Graph().as_default():  # has no function
        iterator = tf.data.Iterator.from_structure(tf.int64, tf.TensorShape([]),
                                                   shared_name="shared_by_two")
        with tf.Session(target) as s:
            return first, [x if isinstance(x, np.int64) else x[0]
                           for x in steps(s, iterator.get_next(), 4)]


def cached(folder, count=12):
    """Numbers drawn anew, and words: two passes agree only where the second reads a file."""
    return tf.data.Dataset.range(count).map(lambda x: (
        tf.random_uniform([2]), tf.strings.as_string(x, width=3), tf.fill([x % 4, 2], x))).cache(
            os.path.join(folder, "c"))


def settled(folder):
    """The files of the folder, once no writer is left: TensorFlow may delete what an iterator of a
    closed session was writing after the client has heard that the session is closed."""
    deadline = time.monotonic() + 10
    while True:
        files = sorted(os.listdir(folder))
        if not any("lockfile" in f or "tempstate" in f for f in files) or time.monotonic() > deadline:
            return files
        time.sleep(0.01)


def passes(targets, make, count=12):
    """What one pass over the dataset gives in each of the targets, in a session of its own."""
    def once(target):
        with tf.Graph().as_default():
            return [[x.tolist() if isinstance(x, np.ndarray) else x for x in e]
                    for e in elements(target, make, count)]
    return [once(t) for t in targets]


@scenario
def a_cache_in_a_file(target):
    shown = []
    for targets in ([target, target], [target, ""], ["", target]):  # "": TensorFlow in this process
        with tempfile.TemporaryDirectory() as folder:
            first, second = passes(targets, lambda: cached(folder).repeat(2), 24)
            files = settled(folder)
            shown += [first == second, first[:12] == first[12:], [e[1:] for e in first], files,
                      tf.train.list_variables(os.path.join(folder, "c"))]
    with tempfile.TemporaryDirectory() as folder:  # what was not read to its end is not kept
        short, left = zip(*((passes([target], lambda: cached(folder).take(5), 5), settled(folder))
                            for _ in range(2)))
        shown += [short[0] != short[1], left]
    with tempfile.TemporaryDirectory() as folder:  # of no elements
        shown += [outcome(lambda: passes([t], lambda: cached(folder, 0), 1))[0] for t in (target, "", target)]
        shown += [outcome(lambda: passes([target], lambda: cached(folder + "/not/there"), 1))[0]]
    return shown


@scenario
def caches_zipped(target):
    with tempfile.TemporaryDirectory() as folder:
        def make():
            shuffled = tf.data.Dataset.range(9).shuffle(9)
            return tf.data.Dataset.zip(tuple(shuffled.cache(os.path.join(folder, n)) for n in "ab")).repeat(2)
        (numbers,) = passes([target], make, 18)
        return numbers[:9] == numbers[9:], settled(folder)


@scenario
def a_cache_file_in_use(target):
    with tempfile.TemporaryDirectory() as folder, tf.Session(target, config=isolated()) as s:
        first, second = (tf.data.make_initializable_iterator(cached(folder)) for _ in range(2))
        s.run([first.initializer, second.initializer])
        one, two = ([outcome(lambda: s.run(it.get_next()[1]), "concurrent caching iterator")
                     for _ in range(2)] for it in (first, second))
        again = s.run(first.get_next()[1])
        return one, two, again, sorted(os.listdir(folder))[-1:]


@scenario
def a_cache_file_left_or_of_other_elements(target):
    def numbers(path, *more):
        return tf.data.Dataset.range(3).map(lambda x: (x,) + more).cache(path).repeat(2)

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c")
        with open(path + "_0.lockfile", "w") as f:
            f.write("left")
        refused = outcome(lambda: passes([target], lambda: numbers(path), 1), "Lockfile contents: left")
        if os.path.exists(path + "_0.lockfile"):  # TensorFlow's iterator deletes it, refused as it was
            os.unlink(path + "_0.lockfile")
        good = passes([target], lambda: numbers(path, 1.5), 6)
        other = [outcome(lambda: passes([target], lambda: numbers(path, *more), 1))[0]
                 for more in ((1,), (1.5, 1.5))]
        return refused, good, other


@scenario
def state_in_functions_forbids_saving(target):
    def save(dataset):
        iterator = tf.data.make_initializable_iterator(dataset)
        saveable = tf.data.experimental.make_saveable_from_iterator(
            iterator, external_state_policy="fail")
        with tf.Session(target, config=isolated()) as s:
            s.run(iterator.initializer)
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "c")
                saved = outcome(lambda: tf.train.Saver({"it": saveable}).save(s, path))
            return "saved" if saved == path else saved[0]

    drawn = lambda x: tf.random_uniform([], 0, 10, tf.int64) * x
    inner = lambda n: tf.data.Dataset.range(5).map(drawn)
    return [save(tf.data.Dataset.range(5).map(lambda x: x + 1)),
            save(tf.data.Dataset.range(5).map(drawn)),
            save(tf.data.Dataset.range(5).flat_map(inner))]


# ---- the runner ------------------------------------------------------------------------------


def difference(a, b, at=""):
    """Where two results differ, or None."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            return "%s: %r and %r" % (at, a, b)
        return next((d for i, (x, y) in enumerate(zip(a, b))
                     if (d := difference(x, y, "%s[%d]" % (at, i)))), None)
    if isinstance(a, dict) and isinstance(b, dict):
        return difference(sorted(a.items()), sorted(b.items()), at)
    x, y = np.asarray(a), np.asarray(b)
    same = x.dtype == y.dtype and x.shape == y.shape and (
        np.allclose(x, y, rtol=1e-5, atol=1e-6, equal_nan=True) if x.dtype.kind in "fc"
        else np.array_equal(x, y))
    return None if same else "%s: %r and %r" % (at or "result", a, b)


def run(f, target):
    tf.Session.reset(target)
    with tf.Graph().as_default():
        return f(target)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    parser.add_argument("-k", default="", help="only scenarios with this text in their names")
    args = parser.parse_args()
    server = subprocess.Popen([args.weir, "server"], stdout=subprocess.PIPE, text=True)
    target, passed, failed = server.stdout.readline().strip(), 0, 0
    reference = tf.train.Server.create_local_server()
    for f in SCENARIOS:
        if args.k not in f.__name__:
            continue
        try:
            why = difference(run(f, target), run(f, reference.target))
        except Exception:
            why = traceback.format_exc()
        passed += why is None
        failed += why is not None
        if why:
            print("FAIL %s: %s" % (f.__name__, why), flush=True)
    server.terminate()
    if server.wait(20) != 0:
        failed += 1
        print("FAIL the server ended with status", server.returncode)
    print("client: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
