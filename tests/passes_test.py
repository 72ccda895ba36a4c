#!/usr/bin/env python3
"""Graphs that passes rewrite: with the pass, without it (WEIR_SKIP), and on TensorFlow.

    tests/passes_test.py [--lib PATH] [-k TEXT] [-v]

With and without, results are equal to the bit, but where a pass says that it rounds differently.
Random numbers have seeds, and several steps are run, so the streams must go on alike.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import graphs
from dtypes import Value
from weir_c import Error
from worker import Worker

tf = graphs.tf
v1 = tf.compat.v1
RANDOM = np.random.RandomState(3)
CASES = []


def case(skip, exact=True, env={}):
    """A function that builds a graph and gives its fetches and feeds; |skip| is the pass."""
    def add(build):
        CASES.append((build.__name__, build, skip, exact, env))
        return build
    return add


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def fed(value, shape=None):
    p = v1.placeholder(value.dtype, value.shape if shape is None else shape)
    return p, {p: value}


def gradients_too(loss, xs):
    return [loss] + v1.gradients(loss, xs)


@case("dropout")
def dropout_and_its_gradient():
    x, feeds = fed(floats(37, 1001))
    y = v1.nn.dropout(x * 2.0, rate=0.3, seed=5)
    return [y] + gradients_too(tf.reduce_sum(y * y), [x]), feeds


@case("dropout")
def dropout_of_a_batch_of_any_size():
    x, feeds = fed(floats(9, 300), [None, 300])
    y = v1.nn.dropout(v1.nn.relu(x), rate=0.5, seed=7)
    return gradients_too(tf.reduce_sum(y * tf.sin(y)), [x]), feeds


@case("dropout")
def dropout_twice_in_a_row():
    x, feeds = fed(floats(64, 256))
    y = v1.nn.dropout(tf.tanh(v1.nn.dropout(x, rate=0.5, seed=1)), rate=0.2, seed=2)
    return gradients_too(tf.reduce_mean(y * y), [x]), feeds


@case("dropout")
def dropout_with_one_mask_for_all_rows():  # whose shape is another: stays as it is
    x, feeds = fed(floats(16, 40))
    y = v1.nn.dropout(x, rate=0.4, seed=3, noise_shape=[1, 40])
    return gradients_too(tf.reduce_sum(y * y), [x]), feeds


@case("dropout")
def dropout_whose_mask_is_fetched():
    x, feeds = fed(floats(4, 50))
    u = v1.random_uniform([4, 50], seed=9)
    mask = u >= 0.25
    y = tf.where(mask, x * 2.0, tf.constant(0.0))
    return [mask] + gradients_too(tf.reduce_sum(y * y), [x]), feeds


@case("mixed", env={"WEIR_PRECISION": "bf16"})  # on processors it changes nothing; devices_test.py has its results
def mixed_precision_without_a_device():
    x, feeds = fed(floats(20, 30))
    w, more = fed(floats(30, 30))
    y = v1.nn.relu(tf.matmul(v1.nn.relu(tf.matmul(x, w)), w))
    return gradients_too(tf.reduce_sum(y * y), [x, w]), {**feeds, **more}


@case("xent")
def loss_of_classes():
    x, feeds = fed(floats(50, 700))
    labels = tf.constant(RANDOM.randint(0, 700, 50), tf.int32)
    loss = v1.losses.sparse_softmax_cross_entropy(labels, x)
    return gradients_too(loss, [x]), feeds


@case("xent")
def loss_of_distributions():
    x, feeds = fed(floats(12, 33).astype(np.float64))
    labels = tf.nn.softmax(tf.constant(floats(12, 33).astype(np.float64)))
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, x))
    return gradients_too(loss, [x]), feeds


@case("xent")
def loss_that_weighs_its_rows():
    x, feeds = fed(floats(20, 15))
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.constant(RANDOM.randint(0, 15, 20)), logits=x)
    loss = tf.reduce_sum(each * tf.constant(floats(20)))
    return [each] + gradients_too(loss, [x]), feeds


@case("xent")
def loss_that_depends_on_itself():  # the scale is not known before the loss
    x, feeds = fed(floats(6, 5))
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.constant([0, 1, 2, 3, 4, 0]),
                                                          logits=x)
    return gradients_too(tf.reduce_sum(each * each), [x]), feeds


@case("transposes")
def transposes_before_products():
    a, feeds = fed(floats(40, 70))
    b, more = fed(floats(40, 30))
    c, most = fed(floats(5, 8, 70))
    product = tf.matmul(tf.transpose(a), b)
    twice = tf.matmul(b, tf.transpose(tf.transpose(b)), transpose_a=True)
    batch = tf.matmul(c, tf.transpose(tf.tile(a[None, :, :], [5, 1, 1]), [0, 2, 1]))
    other = tf.matmul(tf.transpose(c, [0, 1, 2]), c, transpose_b=True)
    return [product, twice, batch, other], {**feeds, **more, **most}


def normalised(x, filters, training):
    w = tf.constant(floats(3, 3, x.shape[-1], filters))
    y = tf.nn.conv2d(x, w, 1, "SAME")
    out, _, _ = v1.nn.fused_batch_norm(
        y, tf.constant(floats(filters)), tf.constant(floats(filters)),
        mean=None if training else tf.constant(floats(filters)),
        variance=None if training else tf.constant(floats(filters) ** 2 + 0.1),
        is_training=training, epsilon=1e-3)
    return out


@case("norm", exact=False)
def batch_norm_of_a_frozen_layer():
    x, feeds = fed(floats(2, 9, 9, 4))
    return [v1.nn.relu(normalised(x, 6, False)) * 1.0], feeds


@case("norm")
def batch_norm_in_training_stays():
    x, feeds = fed(floats(2, 9, 9, 4))
    return [normalised(x, 6, True) * 1.0], feeds


@case("norm", exact=False)
def batch_norm_of_weights_that_are_fed():
    x, feeds = fed(floats(2, 12, 12, 3))
    w, more = fed(floats(3, 3, 3, 5))
    mean, most = fed(floats(5))
    y, _, _ = v1.nn.fused_batch_norm(
        tf.nn.conv2d(x, w, 1, "SAME"), tf.constant(floats(5)), tf.constant(floats(5)), mean=mean,
        variance=tf.constant(floats(5) ** 2 + 0.5), is_training=False)
    return [y * 2.0], {**feeds, **more, **most}


@case("norm", exact=False)
def products_scaled_by_channels():
    x, feeds = fed(floats(7, 20))
    y = tf.nn.batch_normalization(tf.matmul(x, tf.constant(floats(20, 11))),
                                  tf.constant(floats(11)), tf.constant(floats(11) ** 2 + 0.1),
                                  tf.constant(floats(11)), tf.constant(floats(11)), 1e-3)
    rows = tf.matmul(x, tf.constant(floats(20, 7))) * tf.constant(floats(7, 1))  # not by channels
    return [y * 1.0, rows], feeds


@case("dense")
def products_and_what_is_added_to_them():
    x, feeds = fed(floats(9, 20), [None, 20])
    w, more = fed(floats(20, 7))
    feeds.update(more)
    fetches = []
    for shape in ([9, 7], [7], [], [9, 1], [1, 7], [2, 9, 7]):
        added, more = fed(floats(*shape), tf.TensorShape(None))
        feeds.update(more)
        y = tf.tanh(tf.matmul(x, w) + added)
        fetches += [y] + gradients_too(tf.reduce_sum(y * y), [x, w, added])
    return fetches + [tf.matmul(x, w) + tf.matmul(tf.square(x), w)], feeds


@case("dense,defer_sums", env={"WEIR_SKIP": "terms"})  # its old name
def sums_of_products_in_a_loop():  # and what waits for the products there
    x, feeds = fed(floats(5, 8) / 4, [None, 8])
    w, more = fed(floats(8, 8) / 4)
    feeds.update(more)
    turns, more = fed(np.int32(6))
    feeds.update(more)

    def body(t, h, total):
        forward, outer = tf.matmul(h, w), tf.matmul(x, h, transpose_a=True)
        with v1.control_dependencies([forward]):
            t += 1
        with v1.control_dependencies([forward, outer]):
            both = tf.no_op()
        with v1.control_dependencies([both]):
            total += outer
        return t, tf.tanh(forward + x), total
    _, h, total = v1.while_loop(lambda t, *_: t < turns, body, [0, x, tf.zeros([8, 8])])
    return [h, total] + gradients_too(tf.reduce_sum(h * h) + tf.reduce_sum(total), [x, w]), feeds


def recurrence(turns, batch, width, dtype=np.float32):  # and its gradient by the weights
    x, feeds = fed(floats(batch, width).astype(dtype) / 4, [None, width])
    w, more = fed(floats(width, width).astype(dtype) / width)
    feeds.update(more)
    count, more = fed(np.int32(turns))
    feeds.update(more)
    _, h = v1.while_loop(lambda t, h: t < count,
                         lambda t, h: (t + 1, tf.tanh(tf.matmul(h, w) + x)), [0, x])
    return [h] + gradients_too(tf.reduce_sum(h * h), [x, w]), feeds


for size in (0, 4, 8), (1, 4, 8), (9, 5, 8), (40, 16, 64), (7, 3, 13), (500, 20, 48):
    def build(size=size):
        return recurrence(*size)
    build.__name__ = "a_weight_of_%d_turns_%d_by_%d" % size
    case("defer_sums", exact=False)(build)


@case("defer_sums", exact=False)
def a_weight_of_doubles():
    return recurrence(12, 6, 24, np.float64)


def total_of(first, term, turns=5, shape=None):  # total += term(t), from |first| on
    invariants = [tf.TensorShape([]), tf.TensorShape(shape)]
    return v1.while_loop(lambda t, total: t < turns, lambda t, total: (t + 1, total + term(t)),
                         [0, first], shape_invariants=invariants)[1]


@case("defer_sums", exact=False)
def sums_of_products_of_other_shapes():
    a, feeds = fed(floats(9, 8), [None, None])
    row, more = fed(floats(9, 1), [None, None])
    feeds.update(more)
    longer, more = fed(floats(60, 8), [None, 8])
    feeds.update(more)
    zero, more = fed(np.float32(0.5), tf.TensorShape(None))
    feeds.update(more)

    def part(t):  # another number of rows every turn
        rows = longer[:7 * (t + 1)]
        return tf.matmul(rows, tf.sin(rows), transpose_a=True)

    def product(x):  # with a factor that changes
        return lambda t: tf.matmul(x * tf.cast(t, tf.float32), a, transpose_a=True)
    return [total_of(tf.ones([8, 8]), product(row)), total_of(zero, product(a)),
            total_of(tf.ones([3, 8, 8]), product(a)), total_of(tf.ones([8, 8]), part)], feeds


@case("defer_sums", exact=False)
def sums_of_products_that_others_read():
    a, feeds = fed(floats(9, 8))
    b, more = fed(floats(9, 8))
    feeds.update(more)

    def body(t, total, trace):
        total += tf.matmul(a * tf.cast(t, tf.float32), b, transpose_a=True)
        return t + 1, total, trace + tf.reduce_sum(total)
    seen = v1.while_loop(lambda t, *_: t < 4, body, [0, tf.zeros([8, 8]), 0.0])
    asked = v1.while_loop(lambda t, total: tf.reduce_sum(total * total) < 1e5,
                          lambda t, total: (t + 1, total + tf.matmul(
                              a * tf.cast(t, tf.float32), b, transpose_a=True)),
                          [0, tf.ones([8, 8])])
    return list(seen[1:]) + list(asked), feeds


@case("defer_sums", exact=False)
def sums_of_products_in_a_loop_within_a_loop():
    a, feeds = fed(floats(9, 8))

    def body(t, total):
        inner = total_of(tf.zeros([8, 8]), lambda s: tf.matmul(
            a * tf.cast(s + t, tf.float32), a, transpose_a=True), t)
        inner = tf.ensure_shape(inner, [8, 8])
        return t + 1, total + tf.matmul(inner / 1e3, inner, transpose_a=True)
    total = v1.while_loop(lambda t, _: t < 6, body, [0, tf.zeros([8, 8])])[1]
    taken, more = fed(np.array(False))
    feeds.update(more)
    dead = v1.cond(taken, lambda: total_of(
        tf.identity(a)[:8], lambda s: tf.matmul(
            a * tf.cast(s, tf.float32), a, transpose_a=True)), lambda: a[:8] * 2.0)
    return [total, dead], feeds


@case("dense")
def products_on_one_of_two_ways():
    x, feeds = fed(floats(6, 6))
    fetches = []
    for way in (True, False):
        taken, more = fed(np.array(way))
        feeds.update(more)

        def product():
            p = tf.matmul(x, x)
            with v1.control_dependencies([p]):
                return p + tf.identity(x)
        fetches.append(v1.cond(taken, product, lambda: x * 2.0))
    return fetches, feeds


@case("prepack", exact=False, env={"WEIR_ISA": "avx2"})  # wider vectors read it as it lies
def a_matrix_that_many_products_share():
    x, feeds = fed(floats(12, 300))
    w, more = fed(floats(300, 260) / 20)
    feeds.update(more)
    h, total = x, 0.0
    for t in range(10):
        y = tf.tanh(tf.matmul(h, w) + t)
        h = tf.sin(tf.matmul(y, w, transpose_b=True))
        total += tf.reduce_sum(h * h)
    return [h] + gradients_too(total, [x, w]), feeds


@case("fuse")
def element_wise_ops_in_a_row():
    x, feeds = fed(floats(13, 37))
    y = tf.nn.relu(tf.tanh(x * 2.0 - 0.5) + x) * tf.sigmoid(-x)
    z = tf.nn.elu(tf.nn.leaky_relu(tf.nn.softplus(x) - 1.0, 0.1))
    return gradients_too(tf.reduce_sum(y * y) + tf.reduce_sum(z), [x]) + [y, z], feeds


@case("stack")
def equal_chains_side_by_side():
    fetches, feeds = [], {}
    for k in range(4):
        x, more = fed(floats(4, 8))
        feeds.update(more)
        y = x
        for _ in range(12):
            y = tf.sin(y * 1.5 + 0.25)
        fetches.append(y)
    return fetches + [tf.add_n(fetches)], feeds


@case("fuse,stack")
def neither_fused_nor_stacked():
    return equal_chains_side_by_side()


@case("layers", exact=False)
def layers_of_convolutions():
    x, feeds = fed(floats(2, 12, 12, 3))
    w, more = fed(floats(3, 3, 3, 8) / 4)
    feeds.update(more)
    bias, more = fed(floats(8))
    feeds.update(more)
    y = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, 1, "SAME"), bias))
    pooled = tf.nn.max_pool2d(y, 2, 2, "VALID")
    return [pooled] + gradients_too(tf.reduce_sum(pooled * pooled), [x, w, bias]), feeds


@case("pretranspose", exact=False)
def weights_of_a_loop_transposed_before_it():
    return recurrence(6, 4, 24)


def reference(value):  # a variable, and what a node reads from it
    v = v1.Variable(tf.constant(value), use_resource=False)
    return v, tf.identity(v._ref())


def written_after(v, *nodes):
    with v1.control_dependencies(nodes):
        return v1.assign(v, -7.0 * tf.ones(v.shape))


@case("simplify")
def a_variable_negated_before_it_is_written():
    x, feeds = fed(floats(3))
    v, read = reference(floats(3))
    negated = -read
    with v1.control_dependencies([written_after(v, negated)]):
        return [tf.raw_ops.AddV2(x=x, y=negated), tf.raw_ops.Sub(x=x, y=negated)], feeds


@case("dense")
def a_variable_multiplied_before_it_is_written():
    x, feeds = fed(floats(3, 4))
    b, more = fed(floats(5))
    feeds.update(more)
    v, read = reference(floats(3, 5))
    product = tf.matmul(x, read, transpose_a=True)
    with v1.control_dependencies([written_after(v, product)]):
        return [tf.tanh(product + b)], feeds


@case("updates")
def a_gradient_by_a_variable_before_it_is_written():
    x, feeds = fed(floats(3, 4))
    v, read = reference(floats(3, 5))
    trained, _ = reference(floats(4, 5))
    product = tf.matmul(x, read, transpose_a=True)
    with v1.control_dependencies([written_after(v, product)]):
        step = tf.raw_ops.ApplyGradientDescent(var=trained._ref(), alpha=tf.constant(0.5), delta=product)
    return [tf.identity(step)], feeds


@case("norm")
def batch_norm_of_a_mean_that_is_written_before():
    x, feeds = fed(floats(2, 6, 6, 3))
    y = tf.nn.conv2d(x, tf.constant(floats(3, 3, 3, 4)), 1, "SAME")
    mean, read = reference(floats(4))
    with v1.control_dependencies([written_after(mean, read)]):
        y = tf.raw_ops.FusedBatchNorm(x=y, scale=tf.constant(floats(4)), offset=tf.constant(floats(4)), mean=mean._ref(),
                                      variance=tf.constant(floats(4) ** 2 + 0.5), is_training=False).y
    return [y * 2.0], feeds


@case("xent")
def loss_whose_gradient_is_scaled_on_one_of_two_ways():
    fetches, feeds = [], {}
    for way in (True, False):
        x, more = fed(floats(6, 5))
        feeds.update(more)
        taken, more = fed(np.array(way))
        feeds.update(more)
        both = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=x, labels=tf.constant([0, 1, 2, 3, 4, 0]))
        sides = tf.raw_ops.Switch(data=taken, pred=taken)
        with v1.control_dependencies([tf.identity(sides.output_true)]):
            scaled = both.backprop * 2.0
        with v1.control_dependencies([tf.identity(sides.output_false)]):
            zero = tf.zeros([6, 5])
        fetches += [both.loss, tf.raw_ops.Merge(inputs=[scaled, zero]).output]
    return fetches, feeds


@case("dropout")
def dropout_that_waits_for_its_other_use():
    x, feeds = fed(floats(16, 40))
    y, more = fed(floats(16, 40))
    feeds.update(more)
    mask = v1.random_uniform([16, 40], seed=9) >= 0.25
    first, second = (tf.where(mask, value, tf.constant(0.0)) for value in (x, y))
    with v1.control_dependencies([second]):
        return [first * 2.0, tf.sin(second)], feeds


def run(library, env, graph, fetches, feeds, init, steps=3):
    worker = Worker(library, env)
    try:
        first = {"feeds": {}, "fetches": [], "targets": [init.name]}
        one = {"feeds": {p.name: Value(v) for p, v in feeds.items()},
               "fetches": [f.name for f in fetches], "targets": []}
        reply = worker.call("job", {"graph": graph, "runs": [first] + [one] * steps}, timeout=100)
    finally:
        worker.stop()
    for r in [reply["error"]] + reply["runs"]:
        if isinstance(r, Error):
            raise RuntimeError(str(r))
    return [v.array for r in reply["runs"] for v in r]


def differences(build, skip, exact, env, library):
    graph = tf.Graph()
    with graph.as_default():
        fetches, feeds = build()
        init = v1.global_variables_initializer()
    text = graph.as_graph_def().SerializeToString()
    got = run(library, env, text, fetches, feeds, init)
    without = run(library, dict(env, WEIR_SKIP=skip), text, fetches, feeds, init)
    with v1.Session(graph=graph) as session:
        session.run(init)
        want = [v for _ in range(3) for v in session.run(fetches, feeds)]
    for i, (a, b, c) in enumerate(zip(got, without, want)):
        if exact and a.tobytes() != b.tobytes():
            yield "fetch %d differs from what it is without '%s'" % (i, skip)
        for by, other in (("without '%s'" % skip, b), ("TensorFlow", c)):
            if not np.allclose(a, other, rtol=2e-4, atol=2e-4):
                yield "fetch %d: %s has\n%s, not\n%s" % (i, by, other, a)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("-k", default="", help="only cases whose names contain this text")
    ap.add_argument("-v", "--verbose", action="store_true")
    args = ap.parse_args()
    cases, failed = [c for c in CASES if args.k in c[0]], 0
    for name, build, skip, exact, env in cases:
        wrong = list(differences(build, skip, exact, env, args.lib))
        failed += bool(wrong)
        if wrong or args.verbose:
            print("%s %s %s" % ("FAIL" if wrong else "passed", name, "\n".join(wrong)), flush=True)
    print("passes: %d passed, %d failed" % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
