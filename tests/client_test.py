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
