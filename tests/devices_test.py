#!/usr/bin/env python3
"""devices_test.py: graphs on devices with memory of their own, against the processor, in one process.

    devices_test.py [--only NAME[,NAME]]

PoCL (or another driver of OpenCL) is the device, twice: /device:GPU:0 and /device:GPU:1. Run by a Python with
NumPy alone; the Python package must be built (python/dev_build). Ends with "N passed, N failed".
"""
import argparse
import os
import socket
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.environ["WEIR_DEVICES"] = os.environ.get("WEIR_TEST_DEVICES", "opencl,opencl")
sys.path.insert(0, os.path.join(ROOT, "python"))

import numpy as np  # noqa: E402
import weir.hook  # noqa: E402

weir.hook.install()
import tensorflow as tf  # noqa: E402

CPU, GPU = "/device:CPU:0", "/device:GPU:0"
rng = np.random.RandomState(1)
IMAGE, FILTER = rng.randn(3, 9, 8, 4).astype("f"), rng.randn(3, 3, 4, 5).astype("f")
A, B = rng.randn(20, 33).astype("f"), rng.randn(33, 18).astype("f")
WIDE, WIDE_FILTER = rng.randn(2, 7, 9, 8).astype("f"), rng.randn(3, 3, 8, 8).astype("f")
PIXEL = rng.randn(1, 1, 8, 12).astype("f")
results = {True: 0, False: 0}


def check(name, good, detail=""):
    results[bool(good)] += 1
    if not good:
        print("%s: %s" % (name, detail))


def fed(array):
    return tf.placeholder_with_default(array, array.shape)


def run_on(device, build, steps=1):
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        with tf.device(device):
            fetches = build()
        session.run(tf.global_variables_initializer())
        return [session.run(fetches) for _ in range(steps)]


def same(name, wanted, got):
    for i, (a, b) in enumerate(zip(wanted, got)):
        a, b = np.asarray(a, "d"), np.asarray(b, "d")
        scale = max(1.0, np.abs(a).max()) if a.size else 1.0
        good = a.shape == b.shape and np.allclose(a, b, rtol=1e-4, atol=1e-5 * scale, equal_nan=True)
        check("%s:%d" % (name, i), good, "differs by %g" % np.abs(a - b).max() if a.shape == b.shape else "shapes")


def with_gradients(y, xs):
    return [y] + tf.gradients(tf.reduce_sum(y * y), xs)


def conv():
    x, w = fed(IMAGE), fed(FILTER)
    return with_gradients(tf.nn.conv2d(x, w, [1, 2, 2, 1], "SAME"), [x, w])


def pools():
    x = fed(IMAGE)
    return (with_gradients(tf.nn.max_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], "SAME"), [x]) +
            with_gradients(tf.nn.avg_pool(x, [1, 3, 3, 1], [1, 2, 2, 1], "SAME"), [x]))


def products():
    a, b = fed(A), fed(B)
    return with_gradients(tf.nn.relu(tf.nn.bias_add(tf.matmul(a, b), B[0])), [a, b])


def losses():
    x = fed(A)
    return with_gradients(tf.nn.softmax_cross_entropy_with_logits(labels=tf.nn.softmax(A * 2), logits=x), [x])


def sums():
    x = fed(IMAGE)
    return [tf.reduce_sum(x, [0, 2]), tf.reduce_mean(x), tf.reduce_max(x, 3), tf.argmax(x, 1)]


def moves():
    x = fed(IMAGE)
    return [tf.transpose(x, [3, 1, 0, 2]), tf.concat([x, x], 2), tf.split(x, 2, 3)[1], x[:, ::2, 1:, ::-1],
            tf.pad(x, [[0, 1], [2, 0], [1, 1], [0, 0]]), x + IMAGE[0, 0, 0], tf.gather(fed(A), [3, 1, 1])]


def norms():
    x = fed(IMAGE)
    y, mean, variance = tf.nn.fused_batch_norm(x, IMAGE[0, 0, 0], IMAGE[0, 0, 1])
    return with_gradients(y, [x]) + [mean, variance] + with_gradients(tf.nn.lrn(x, 2, 1.0, 0.5, 0.75), [x])


def wide_layers():
    """Channels by fours, biases and Relu that passes join, groups of channels, a wide window."""
    x, w, b = fed(WIDE), fed(WIDE_FILTER), fed(WIDE[0, 0, 0, :8])
    y = tf.nn.max_pool(tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], "SAME"), b)),
                       [1, 3, 3, 1], [1, 2, 2, 1], "VALID")
    grouped = tf.nn.conv2d(x, fed(WIDE_FILTER[:, :, :4]), [1, 2, 2, 1], "SAME")
    depth = tf.nn.depthwise_conv2d(x, fed(WIDE_FILTER[:, :, :, :2]), [1, 1, 1, 1], "SAME")
    far = tf.nn.max_pool(tf.tile(x, [1, 4, 4, 1]), [1, 17, 17, 1], [1, 9, 9, 1], "SAME")
    return (with_gradients(y, [x, w, b]) + with_gradients(grouped, [x]) + with_gradients(depth, [x]) +
            with_gradients(far, [x]) + with_gradients(tf.nn.lrn(x, 5, 1.0, 0.5, 0.75), [x]) +
            with_gradients(tf.nn.lrn(tf.tile(x, [1, 1, 1, 6]), 20, 1.0, 0.5, 0.6), [x]) +
            [tf.add_n([x, x * 2, WIDE]), tf.transpose(fed(A)), tf.nn.relu(tf.nn.conv2d(x, fed(PIXEL), [1, 1, 1, 1], "SAME"))])


def indexed():
    x, i = fed(A), np.array([[3, 2], [1, 0], [3, 2], [19, 32]], "i8")
    v = np.arange(4).astype("f")
    return [tf.gather_nd(x, i), tf.tensor_scatter_update(x, i[:2], v[:2]),
            tf.scatter_nd_add(tf.Variable(A), i, v),
            tf.scatter_nd(i, fed(v), np.array([20, 33], "i8")), tf.cumsum(x, 1, exclusive=True), tf.cumprod(x, 0, reverse=True),
            tf.math.unsorted_segment_sum(x, np.arange(20) % 3, 3), tf.clip_by_value(x, -0.5, 0.25),
            tf.cast(tf.logical_not(x > 0), tf.float32), tf.cast(tf.shape(x * 2), tf.float32), tf.cast(tf.size(x), tf.float32)]


def numbers():
    return [tf.random_uniform([7, 5], seed=3)]


def loop():
    x = fed(A)
    return [tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2 + x), [0, x])[1]]


OPS = {f.__name__: f for f in (conv, pools, products, losses, sums, moves, norms, wide_layers, indexed, numbers, loop)}


def test_ops(only):
    for name, build in OPS.items():
        if not only or name in only:
            same(name, run_on(CPU, build)[0], run_on(GPU, build)[0])


def model(optimizer):
    """A small network of all kinds of layers; its loss and one step."""
    def build():
        state = np.random.RandomState(2)
        h = tf.nn.conv2d(fed(IMAGE), tf.Variable(FILTER), [1, 1, 1, 1], "SAME")
        h = tf.nn.max_pool(tf.nn.relu(tf.nn.bias_add(h, tf.Variable(FILTER[0, 0, 0]))), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
        h = tf.matmul(tf.reshape(h, [3, -1]), tf.Variable(state.randn(100, 6).astype("f") / 9))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 5, 2], logits=h))
        with tf.control_dependencies([optimizer().minimize(loss)]):
            return [tf.identity(loss)]
    return build


def rows(optimizer):
    """Rows of a table by their indices, some twice: the gradient has indices, too."""
    def build():
        table = tf.Variable(A)
        taken = tf.nn.embedding_lookup(table, np.array([3, 0, 3, 19, 7], "i8"))
        loss = tf.reduce_sum(taken * taken * B[:, 0])
        with tf.control_dependencies([optimizer().minimize(loss)]):
            return [tf.identity(loss)]
    return build


def test_rows(only):
    kinds = {"momentum": lambda: tf.train.MomentumOptimizer(0.01, 0.9), "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
             "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01), "ftrl": lambda: tf.train.FtrlOptimizer(0.05)}
    for name, optimizer in kinds.items():
        if not only or "rows" in only:
            wanted, got = run_on(CPU, rows(optimizer), 3), run_on(GPU, rows(optimizer), 3)
            same("rows by " + name, [s[0] for s in wanted], [s[0] for s in got])


def test_training(only):
    kinds = {"momentum": lambda: tf.train.MomentumOptimizer(0.01, 0.9), "adam": lambda: tf.train.AdamOptimizer(0.01)}
    for name, optimizer in kinds.items():
        if only and name not in only:
            continue
        wanted, got = run_on(CPU, model(optimizer), 4), run_on(GPU, model(optimizer), 4)
        same("training by " + name, [s[0] for s in wanted], [s[0] for s in got])


def test_two_devices():
    with tf.Graph().as_default(), tf.Session() as session:
        names = [d.name.split("/")[-1] for d in session.list_devices()]
        check("devices are listed", names == ["device:CPU:0", "device:GPU:0", "device:GPU:1"], names)
        with tf.device(GPU):
            a = fed(A) * 2
        with tf.device("/device:GPU:1"):
            b = a + A
        with tf.device(CPU):
            c = b - a
        same("across devices", [A * 3, A], session.run([b, c]))
        try:
            with tf.device(GPU):
                session.run(tf.fill([1 << 20, 1 << 14], 1.0))
            check("too large a tensor", False, "was made")
        except tf.errors.ResourceExhaustedError as error:
            check("too large a tensor", "1048576,16384" in error.message, error.message)
        same("a step after that", [A * 3], session.run([b]))


def test_refusal():
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(allow_soft_placement=False)) as session:
        with tf.device(GPU):
            text = tf.string_join(["a", "b"])
        try:
            session.run(text)
            check("an op without a kernel", False, "ran")
        except tf.errors.InvalidArgumentError as error:
            check("an op without a kernel", "Cannot assign a device" in error.message, error.message)
        with tf.device(GPU):
            same("int32 on the host", [7], session.run([tf.constant(3) + 4]))


PS = """
import sys
sys.path.insert(0, sys.argv[3])
import weir.hook
weir.hook.install()
import tensorflow as tf
spec = {'ps': [sys.argv[1]], 'worker': [sys.argv[2]]}
server = tf.train.Server(spec, job_name='ps', task_index=0)
print('ready', flush=True)
sys.stdin.read()
"""


def free_address():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % s.getsockname()[1]


def test_cluster():
    """A worker with devices and a parameter server without."""
    ps, worker = free_address(), free_address()
    env = dict(os.environ, WEIR_DEVICES="cpu")
    child = subprocess.Popen([sys.executable, "-c", PS, ps, worker, os.path.join(ROOT, "python")], env=env,
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        child.stdout.readline()
        server = tf.train.Server({"ps": [ps], "worker": [worker]}, job_name="worker", task_index=0)
        with tf.Graph().as_default():
            with tf.device("/job:ps/task:0"):
                w = tf.Variable(B)
            with tf.device("/job:worker/task:0/device:GPU:0"):
                loss = tf.reduce_sum(tf.square(tf.matmul(fed(A), w)))
            step = tf.train.GradientDescentOptimizer(0.001).minimize(loss)
            with tf.Session(server.target, config=tf.ConfigProto(allow_soft_placement=True)) as session:
                names = sorted(d.name for d in session.list_devices())
                check("the worker's device", sum("worker" in n and "GPU" in n for n in names) == 2, names)
                check("none of the ps", not any("ps" in n and "GPU" in n for n in names), names)
                session.run(tf.global_variables_initializer())
                got = [session.run([loss, step])[0] for _ in range(3)]
        wanted, value = [], B.astype("d")
        for _ in range(3):
            y = A.astype("d") @ value
            wanted.append((y * y).sum())
            value = value - 0.001 * 2 * A.astype("d").T @ y
        same("a worker with a device", wanted, got)
    finally:
        child.stdin.close()
        child.wait(20)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names of ops' tests, optimisers, or devices, refusal, cluster")
    parser.add_argument("--lib", help="not used: the Python package knows its library")
    only = [n for n in parser.parse_args().only.split(",") if n]
    with tf.Graph().as_default(), tf.Session() as session:
        if not any("GPU" in d.name for d in session.list_devices()):
            print("devices: skipped, there is no device of OpenCL here\n0 passed, 0 failed")
            return 0
    test_ops(only)
    test_training(only)
    test_rows(only)
    for name, test in (("devices", test_two_devices), ("refusal", test_refusal), ("cluster", test_cluster)):
        if not only or name in only:
            test()
    print("devices: %d passed, %d failed" % (results[True], results[False]))
    return 1 if results[False] else 0


if __name__ == "__main__":
    sys.exit(main())
