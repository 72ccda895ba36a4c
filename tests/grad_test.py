#!/usr/bin/env python3
"""Gradients of whole graphs: TF_AddGradients on Weir against tf.gradients and central differences.

    tests/grad_test.py [--lib PATH] [-k TEXT] [-v]

A case builds a graph with TensorFlow's Python package and names y and x. The graph is exported as
it is; Weir differentiates and runs it. What is expected comes from tf.gradients, and from central
differences of TensorFlow's own forward results where a case asks for them (`numeric`), which also
serves what tf.gradients cannot do, such as second derivatives through loops.
"""
import argparse
import os
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import graphs
import small_models
from worker import Crash, Worker

from tensorflow.python.framework import function
from tensorflow.python.ops import gen_functional_ops as functional_ops

tf = graphs.tf
v1 = tf.compat.v1
CASES = []


class Case:
    def __init__(self, build, options):
        self.build, self.name = build, build.__name__
        self.numeric = options.get("numeric", False)     # compare with central differences too
        self.reference = options.get("reference", True)  # tf.gradients can do it
        self.order = options.get("order", 1)
        self.functional = options.get("functional", False)
        self.rtol = options.get("rtol", 1e-5)


def case(**options):
    def register(build):
        CASES.append(Case(build, options))
        return build
    return register


def rand(*shape, seed=0, dtype=np.float64):
    return np.random.RandomState(seed + sum(shape)).uniform(-1, 1, shape).astype(dtype)


class Fed:
    """Placeholders and the values they get."""

    def __init__(self):
        self.values = {}

    def __call__(self, value, shape=()):
        value = np.asarray(value)
        p = v1.placeholder(value.dtype, value.shape if shape == () else shape)
        self.values[p] = value
        return p


# ---- straight lines ------------------------------------------------------------------------------

@case(numeric=True)
def chain(feed):
    x = feed(rand(3, 4))
    return [tf.tanh(x) * tf.exp(x) + tf.square(x)], [x]


@case()
def several_y_and_x(feed):
    a, b = feed(rand(3, 4)), feed(rand(4, 2))
    c = tf.matmul(a, b)
    return [tf.sigmoid(c), tf.reduce_sum(a * a), c], [a, b, c]


@case(numeric=True)
def given_dy(feed):
    x = feed(rand(2, 3))
    return [tf.sin(x), x * x], [x], [feed(rand(2, 3, seed=1)), feed(rand(2, 3, seed=2))]


@case(numeric=True)
def broadcasting(feed):
    x, y, z = feed(rand(4, 1, 3)), feed(rand(5, 1)), feed(rand(3), [None])
    return [x * y + z / (2.0 + x * x)], [x, y, z]


@case()
def unknown_shapes(feed):
    x, y = feed(rand(4, 3), None), feed(rand(1, 3), [None, 3])
    return [x * y - y], [x, y]


@case()
def unused_outputs(feed):
    x = feed(rand(6, 2))
    a, _, c = tf.split(x, 3)
    values, _ = tf.nn.top_k(x, 1)
    return [a * a, c, values], [x]


@case()
def stop_gradient(feed):
    x = feed(rand(3))
    return [x * tf.stop_gradient(x * x)], [x]


@case()
def through_integers(feed):
    x = feed(rand(3))
    return [x * tf.cast(tf.cast(x * 10, tf.int32), tf.float64)], [x]


@case(order=2, numeric=True)
def second_derivative(feed):
    x = feed(rand(3, 2))
    return [tf.tanh(x) * x * x + tf.exp(tf.reduce_sum(x))], [x]


@case(order=2)
def second_derivative_of_a_network(feed):
    x, w, b = feed(rand(5, 4)), feed(rand(4, 3)), feed(rand(3))
    logits = tf.nn.softplus(tf.matmul(x, w) + b)
    return [tf.reduce_mean(tf.square(logits))], [w, b, x]


@case(order=3)
def third_derivative(feed):
    x = feed(rand(4))
    return [x ** 4 + tf.sin(x)], [x]


# ---- sparse gradients ------------------------------------------------------------------------------

@case(numeric=True)
def gather(feed):
    x = feed(rand(6, 3))
    return [tf.square(tf.gather(x, [0, 2, 2, 5]))], [x]


@case()
def gather_many_times(feed):
    x = feed(rand(6, 3))
    a, b = tf.gather(x, [0, 2]), tf.gather(x, np.array([[1, 2], [5, 5]], np.int64))
    return [a * 2.0, b * b, tf.reduce_sum(x * x)], [x]


@case()
def gather_through_identity(feed):
    x = feed(rand(6, 3))
    return [tf.gather(tf.identity(tf.identity(x)), [3, 3, 0]) ** 2], [x]


@case()
def embedding_in_variables(feed):
    for resource in (False, True):
        e = v1.get_variable("e%d" % resource, initializer=rand(8, 3), use_resource=resource)
        w = v1.get_variable("w%d" % resource, initializer=rand(3, 2), use_resource=resource)
        y = tf.matmul(tf.nn.embedding_lookup(e, [1, 7, 1]), w)
        if resource:
            return [y, old], [e, w, e0, w0]
        old, e0, w0 = y, e, w


# ---- conditionals ----------------------------------------------------------------------------------

def both_ways(build):
    """Registers a case for a true and a false predicate."""
    for value in (True, False):
        def one(feed, value=value):
            return build(feed, feed(np.array(value)))
        one.__name__ = "%s_%s" % (build.__name__, str(value).lower())
        case()(one)
        def functional(feed, value=value):
            return build(feed, feed(np.array(value)))
        functional.__name__ = "%s_%s_functional" % (build.__name__, str(value).lower())
        case(functional=True)(functional)
    return build


@both_ways
def cond(feed, p):
    x = feed(rand(3))
    return [v1.cond(p, lambda: x * x, lambda: tf.sin(x))], [x]


@both_ways
def cond_one_side(feed, p):
    x, c = feed(rand(3)), tf.constant(rand(3, seed=4))
    return [v1.cond(p, lambda: x * 3.0, lambda: c) + x], [x]


@both_ways
def cond_two_inputs(feed, p):
    x, y = feed(rand(3)), feed(rand(2, 3))
    a, b = v1.cond(p, lambda: (x + 0.0, y * 2.0), lambda: (x * x, tf.zeros_like(y)))
    return [a * b], [x, y]


@both_ways
def cond_nested(feed, p):
    x, y = feed(rand(3)), feed(rand(3, seed=7))
    q = feed(np.array(True))
    inner = lambda: v1.cond(q, lambda: x * y, lambda: y)
    return [v1.cond(p, inner, lambda: x + y * y)], [x, y]


@both_ways
def cond_of_unknown_shape(feed, p):
    x = feed(rand(3, 2), None)
    return [v1.cond(p, lambda: tf.exp(x), lambda: tf.zeros_like(x))], [x]


@both_ways
def cond_twice(feed, p):
    x = feed(rand(3))
    y = v1.cond(p, lambda: x * x, lambda: -x)
    return [v1.cond(p, lambda: y * 2.0, lambda: y * x)], [x]


@both_ways
def cond_with_resource_variable(feed, p):
    w = v1.get_variable("w", initializer=rand(3), use_resource=True)
    x = feed(rand(3, seed=3))
    return [v1.cond(p, lambda: w * x, lambda: x)], [x, w]


@case(functional=True)
def switch_case(feed):
    x = feed(rand(3))
    ys = [tf.switch_case(feed(np.array(i, np.int32)),
                         [lambda: x * 2.0, lambda: x * x, lambda: tf.sin(x)]) for i in (0, 1, 7)]
    return ys, [x]


# ---- loops -----------------------------------------------------------------------------------------

def loop(build=None, **options):
    """Registers a case for dataflow loops, and for functional ones."""
    def register(build):
        case(**options)(build)
        def functional(feed):
            return build(feed)
        functional.__name__ = build.__name__ + "_functional"
        case(functional=True, **options)(functional)
        return build
    return register(build) if build else register


def repeat(n, body, values, **options):
    """body applied |n| times."""
    i = tf.constant(0)
    options.setdefault("return_same_structure", True)
    out = v1.while_loop(lambda i, *_: i < n, lambda i, *v: [i + 1] + list(body(i, *v)),
                        [i] + list(values), **options)
    return out[1:]


@loop(numeric=True)
def power(feed):
    x = feed(rand(3))
    return repeat(4, lambda i, v: [v * x], [x]), [x]


@loop
def no_turns(feed):
    x = feed(rand(3))
    return repeat(feed(np.int32(0)), lambda i, v: [v * v], [x]), [x]


@loop(numeric=True)
def recurrent(feed):
    h, x = feed(rand(2, 3)), feed(rand(2, 4))
    w, u, b = feed(rand(4, 3)), feed(rand(3, 3)), feed(rand(3))
    step = lambda i, h: [tf.tanh(tf.matmul(x, w) + tf.matmul(h, u) + b)]
    return repeat(5, step, [h]), [h, x, w, u, b]


@loop
def recurrent_one_at_a_time(feed):
    h, u = feed(rand(2, 3)), feed(rand(3, 3))
    return repeat(5, lambda i, h: [tf.tanh(tf.matmul(h, u))], [h], parallel_iterations=1), [h, u]


@loop
def variables_that_cross(feed):
    a, b, c = feed(rand(3)), feed(rand(3, seed=1)), feed(rand(3, seed=2))
    return repeat(5, lambda i, a, b, c: [b * 2.0, c * a, tf.sin(a)], [a, b, c]), [a, b, c]


@loop
def variable_that_is_dropped(feed):
    a, b = feed(rand(3)), feed(rand(3, seed=1))
    return repeat(3, lambda i, a, b: [a * b, tf.ones_like(b) * 0.5], [a, b])[:1], [a, b]


@loop
def unused_exit(feed):
    a, b = feed(rand(3)), feed(rand(3, seed=1))
    return repeat(4, lambda i, a, b: [a + b * b, b * 1.5], [a, b])[:1], [a, b]


@loop
def depends_on_the_turn(feed):
    x = feed(rand(3))
    return repeat(4, lambda i, v: [v * x * tf.cast(i + 1, tf.float64)], [x]), [x]


@loop
def unknown_shape_in_a_loop(feed):
    x, y = feed(rand(3, 2), None), feed(rand(2), [None])
    return repeat(3, lambda i, v: [v * y + v], [x], shape_invariants=[
        tf.TensorShape([]), tf.TensorShape(None)]), [x, y]


@loop
def growing(feed):
    x = feed(rand(2, 3))
    grow = lambda i, v: [tf.concat([v, v[:1] * 2.0], 0)]
    return repeat(3, grow, [x], shape_invariants=[tf.TensorShape([]),
                                                  tf.TensorShape([None, 3])]), [x]


@loop
def two_loops(feed):
    x = feed(rand(3))
    a = repeat(3, lambda i, v: [v * x], [x])[0]
    return repeat(2, lambda i, v: [v * a + x], [a]), [x]


@loop(numeric=True)
def nested(feed):
    x, w = feed(rand(3)), feed(rand(3, seed=5))
    outer = lambda i, v: repeat(3, lambda j, u: [tf.sin(u * w) + x], [v * x])
    return repeat(4, outer, [x]), [x, w]


@loop
def nested_of_changing_length(feed):
    x = feed(rand(3))
    outer = lambda i, v: repeat(i + 1, lambda j, u: [u * x + u], [v])
    return repeat(4, outer, [x]), [x]


@loop
def nested_three_deep(feed):
    x = feed(rand(2))
    inner = lambda j, u: repeat(2, lambda k, t: [t * tf.cos(x)], [u + x])
    return repeat(3, lambda i, v: repeat(i, inner, [v]), [x]), [x]


@loop
def cond_in_a_loop(feed):
    x = feed(rand(3))
    body = lambda i, v: [v1.cond(tf.equal(i % 2, 0), lambda: v * x, lambda: tf.sin(v))]
    return repeat(5, body, [x]), [x]


@loop
def one_sided_cond_in_a_loop(feed):
    x, w = feed(rand(3)), feed(rand(3, seed=6))
    body = lambda i, v: [v1.cond(tf.reduce_sum(v) > 0.2, lambda: tf.exp(v) * w, lambda: v + x)]
    return repeat(5, body, [x]), [x, w]


@loop
def cond_that_skips_in_a_loop(feed):
    x, w = feed(rand(3), None), feed(rand(3, seed=6))
    body = lambda i, v: [v1.cond(i < 2, lambda: v * w * v, lambda: v)]
    return repeat(4, body, [x], shape_invariants=[tf.TensorShape([]), tf.TensorShape(None)]), [x, w]


@loop
def nested_cond_in_a_loop(feed):
    x = feed(rand(3))
    inner = lambda v, i: v1.cond(i > 2, lambda: v * v, lambda: tf.sin(v))
    body = lambda i, v: [v1.cond(tf.equal(i % 2, 0), lambda: inner(v, i) * x, lambda: v + 1.0)]
    return repeat(6, body, [x]), [x]


@both_ways
def loop_in_a_cond(feed, p):
    x, w = feed(rand(3)), feed(rand(3, seed=2))
    return [v1.cond(p, lambda: repeat(3, lambda i, v: [v * w], [x])[0], lambda: x)], [x, w]


@loop
def loop_in_a_cond_in_a_loop(feed):
    x, w = feed(rand(3)), feed(rand(3, seed=2))
    inner = lambda v: repeat(2, lambda j, u: [tf.sin(u) * w], [v])[0]
    body = lambda i, v: [v1.cond(tf.equal(i % 2, 1), lambda: inner(v), lambda: v * x)]
    return repeat(5, body, [x]), [x, w]


@loop
def gather_in_a_loop(feed):
    e, x = feed(rand(6, 3)), feed(rand(3))
    return repeat(4, lambda i, v: [v * tf.gather(e, i) + tf.reduce_sum(tf.gather(e, [i, 0]), 0)],
                  [x]), [e, x]


@loop
def variables_in_a_loop(feed):
    w = v1.get_variable("w", initializer=rand(3), use_resource=True)
    r = v1.get_variable("r", initializer=rand(3, seed=8), use_resource=False)
    x = feed(rand(3, seed=1))
    return repeat(3, lambda i, v: [v * w + r], [x]), [x, w, r]


@loop
def integers_beside(feed):
    x = feed(rand(3))
    out = repeat(4, lambda i, v, n: [v * x, n + i], [x, tf.constant(3)])
    return [out[0] * tf.cast(out[1], tf.float64)], [x]


@case(order=2, reference=False, numeric=True, rtol=1e-4)
def second_derivative_of_a_loop(feed):
    x = feed(rand(3))
    return repeat(4, lambda i, v: [tf.sin(v) * x], [x]), [x]


@case(order=2, numeric=True, functional=True, rtol=1e-4)
def second_derivative_of_a_functional_loop(feed):
    x = feed(rand(3))
    return repeat(3, lambda i, v: [tf.tanh(v) * x], [x]), [x]


@case(order=2, reference=False, numeric=True, rtol=1e-4)
def second_derivative_of_nested_loops(feed):
    x = feed(rand(2))
    inner = lambda i, v: repeat(2, lambda j, u: [tf.sin(u) * x], [v])
    return repeat(2, inner, [x]), [x]


@case(order=2, reference=False, numeric=True, rtol=1e-4)
def second_derivative_of_a_cond_in_a_loop(feed):
    x = feed(rand(3))
    body = lambda i, v: [v1.cond(i < 2, lambda: v * x * v, lambda: tf.sin(v))]
    return repeat(4, body, [x]), [x]


# ---- tensor arrays ---------------------------------------------------------------------------------

@loop(numeric=True)
def array_of_turns(feed):
    x = feed(rand(3))
    ta = tf.TensorArray(tf.float64, 4)
    body = lambda i, v, t: [v * x, t.write(i, v)]
    _, ta = repeat(4, body, [x, ta])
    return [ta.stack() * tf.constant(rand(4, 3))], [x]


@loop(numeric=True)
def array_read_in_turns(feed):
    x, w = feed(rand(5, 3)), feed(rand(3))
    ta = tf.TensorArray(tf.float64, 5).unstack(x)
    return repeat(5, lambda i, v: [tf.tanh(v * w + ta.read(i))], [w]), [x, w]


@case()
def array_concat_and_split(feed):
    x = feed(rand(6, 2))
    ta = tf.TensorArray(tf.float64, 3, infer_shape=False).split(x * x, [1, 2, 3])
    tb = tf.TensorArray(tf.float64, 3, infer_shape=False)
    for i in range(3):
        tb = tb.write(i, ta.read(i) * float(i + 1))
    return [tf.sin(tb.concat())], [x]


@case()
def array_gather(feed):
    x = feed(rand(4, 2))
    ta = tf.TensorArray(tf.float64, 4, clear_after_read=False).unstack(x)
    return [ta.gather([1, 3]) * ta.gather([0, 0]), ta.read(1)], [x]


@loop(numeric=True)
def rnn(feed):
    x = feed(rand(2, 5, 3))
    lengths = tf.constant([5, 3])
    w, b = tf.constant(rand(7, 4)), tf.constant(rand(4))
    ta = tf.TensorArray(tf.float64, 5).unstack(tf.transpose(x, [1, 0, 2]))
    out = tf.TensorArray(tf.float64, 5)

    def step(t, h, o):
        new = tf.tanh(tf.matmul(tf.concat([ta.read(t), h], 1), w) + b)
        keep = (t < lengths)[:, None]
        return [tf.where(tf.tile(keep, [1, 4]), new, h), o.write(t, new)]
    h, out = repeat(5, step, [tf.zeros([2, 4], tf.float64), out])
    return [h, out.stack()], [x]


@loop
def scan(feed):
    x, w = feed(rand(5, 3)), feed(rand(3))
    return [tf.scan(lambda a, e: tf.sin(a * e) + w, x)], [x, w]


@loop
def map_fn(feed):
    x, w = feed(rand(4, 3)), feed(rand(3))
    return [tf.map_fn(lambda e: tf.exp(e) * w, x)], [x, w]


# ---- calls -----------------------------------------------------------------------------------------

@case()
def call(feed):
    x, w = feed(rand(3)), feed(rand(3, seed=1))
    f = tf.function(lambda a: tf.sin(a) * w)
    return [f(x) + f(x * x)], [x, w]


@case()
def call_in_call(feed):
    x = feed(rand(3))
    inner = tf.function(lambda a: a * a)
    outer = tf.function(lambda a: inner(a) + inner(tf.sin(a)))
    return [outer(x)], [x]


@case(functional=True)
def control_flow_in_a_call(feed):
    x = feed(rand(3))

    @tf.function
    def f(a):
        return repeat(3, lambda i, v: [v1.cond(i < 1, lambda: v * a, lambda: tf.sin(v))], [a])[0]
    return [f(x)], [x]


@case(reference=False, numeric=True)
def symbolic_gradient(feed):
    x, dy = feed(rand(3)), feed(rand(3, seed=1))

    @function.Defun(tf.float64)
    def f(a):
        return tf.sin(a) * a
    return list(functional_ops.symbolic_gradient(input=[x, dy], Tout=[tf.float64], f=f)), [x, dy]


# ---- models ----------------------------------------------------------------------------------------

def model(name, make):
    def build(feed):
        feeds, _, loss = make()
        feed.values.update(feeds)
        return [loss], v1.trainable_variables()
    build.__name__ = name
    case(rtol=1e-4)(build)


for _name, _make in small_models.ALL.items():
    model("model_" + _name, _make)


# ---- running ---------------------------------------------------------------------------------------

def dense(g):
    return tf.convert_to_tensor(g) if g is not None else None


def derive(tensors, xs, dys):
    return [dense(g) for g in v1.gradients(tensors, xs, dys)]


def differences(session, y, xs, dys, feeds, order):
    """d(sum y)/dx by central differences, the order'th time around."""
    total = tf.add_n([tf.reduce_sum(t if d is None else t * d)
                      for t, d in zip(y, dys or [None] * len(y))])
    h = {1: 1e-5, 2: 1e-3}[order]

    def value(moved):
        return session.run(total, {**feeds, **moved})

    def slope(x, moved):
        out = np.zeros(feeds[x].shape)
        base = moved.get(x, feeds[x])
        for at in np.ndindex(*base.shape):
            up, down = base.copy(), base.copy()
            up[at] += h
            down[at] -= h
            out[at] = (value({**moved, x: up}) - value({**moved, x: down})) / (2 * h)
        return out
    if order == 1:
        return [slope(x, {}) for x in xs]
    results = []
    for x in xs:  # d/dx of the sum of all first derivatives
        out = np.zeros(feeds[x].shape)
        for at in np.ndindex(*feeds[x].shape):
            for sign in (1, -1):
                moved = feeds[x].copy()
                moved[at] += sign * h
                out[at] += sign * sum(slope(z, {x: moved}).sum() for z in xs) / (2 * h)
        results.append(out)
    return results


def build(one):
    """The graph, its job for Weir, and what is expected of it: [(what by, values)]."""
    (v1.enable_control_flow_v2 if one.functional else v1.disable_control_flow_v2)()
    with tf.Graph().as_default() as graph:
        feed = Fed()
        made = one.build(feed)
        ys, xs, dys = (list(made) + [None])[:3]
        init = v1.global_variables_initializer()
        handles = [x.handle if hasattr(x, "handle") else x for x in xs]
        names = lambda ts: [t.name for t in ts]
        gradients = [(names(ys), names(handles) if one.order == 1 else names(xs),
                      names(dys) if dys else None)]
        for k in range(1, one.order):
            gradients.append((["@%d.%d" % (k - 1, j) for j in range(len(xs))], names(xs), None))
        feeds = {p.name: v for p, v in feed.values.items()}
        job = {"graph": graph.as_graph_def(add_shapes=False).SerializeToString(),
               "gradients": gradients,
               "runs": [{"feeds": {}, "fetches": [], "targets": [init.name]},
                        {"feeds": feeds, "targets": [],
                         "fetches": ["@%d.%d" % (one.order - 1, j) for j in range(len(xs))]}]}
        want, g = [], None
        if one.reference:  # before any session: functions must not change once they ran
            g = derive(ys, xs, dys)
            for _ in range(1, one.order):
                g = derive(g, xs, None)
        with v1.Session() as session:
            session.run(init)
            if g:
                want.append(("tf.gradients", session.run(g, feed.values)))
            if one.numeric:
                want.append(("differences",
                             differences(session, ys, xs, dys, feed.values, one.order)))
    return job, want


def check(one, worker):
    """Complaints about one case."""
    job, want = build(one)
    reply = worker.call("job", job)
    problem = reply["error"] or next((r for r in reply["runs"] if isinstance(r, Exception)), None)
    if problem:
        return [str(problem)]
    complaints = []
    for by, values in want:
        for j, (got, expected) in enumerate(zip(reply["runs"][1], values)):
            rtol = max(one.rtol, 1e-4) if by == "differences" else one.rtol
            if got.array.shape != np.shape(expected):
                complaints.append("%s: x[%d] has shape %s, not %s" % (
                    by, j, got.array.shape, np.shape(expected)))
            elif not np.allclose(got.array, expected, rtol=rtol, atol=rtol):
                complaints.append("%s: x[%d] is\n%s, not\n%s" % (by, j, got.array, expected))
    return complaints


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("-k", default="", help="only cases whose names contain this text")
    ap.add_argument("--preload", help="LD_PRELOAD for Weir's process, such as libasan")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()
    env = {"LD_PRELOAD": args.preload, "ASAN_OPTIONS": "detect_leaks=0"} if args.preload else {}
    worker = Worker(args.lib, env,
                    os.path.join(tempfile.mkdtemp(prefix="grad_test."), "weir"))
    failed, cases = 0, [c for c in CASES if args.k in c.name]
    for one in cases:
        try:
            complaints = check(one, worker)
        except Crash as e:
            worker.stop()
            complaints = ["CRASH %s" % e]
        except Exception:
            complaints = [traceback.format_exc()]
        if complaints:
            failed += 1
            print("FAIL %s: %s" % (one.name, "\n".join(complaints)), flush=True)
        elif args.verbose:
            print("passed %s" % one.name, flush=True)
    worker.stop()
    print("grad: %d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
