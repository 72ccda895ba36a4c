#!/usr/bin/env python3
"""devices_test.py: graphs on devices with memory of their own, against the processor, in one process.

    devices_test.py [--only NAME[,NAME]]

PoCL (or another driver: WEIR_TEST_DEVICES=cuda) is the device, in two parts: the virtual devices /device:GPU:0 and
/device:GPU:1. Run by a Python with NumPy alone; the Python package must be built (python/dev_build). Ends with
"N passed, N failed".
"""
import argparse
import os
import socket
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.environ["WEIR_DEVICES"] = os.environ.get("WEIR_TEST_DEVICES", "opencl")
os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "0")  # products and convolutions of float in full precision
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


LIMITS = [600, 400]  # megabytes of the two virtual devices


def two_devices(**options):
    config = tf.ConfigProto(**options)
    config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=LIMITS)
    return config


def run_on(device, build, steps=1):
    with tf.Graph().as_default(), tf.Session(config=two_devices(allow_soft_placement=True)) as session:
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


def large_slices():
    """Gradients that begin as zeros: so large that threads would share the work on the processor."""
    x = fed(np.resize(A, (400, 900)).astype("f"))
    return with_gradients(x[3:5, ::2], [x]) + [tf.space_to_batch_nd(tf.reshape(x, [4, 100, 900]), [7], [[2, 3]])]


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


OPS = {f.__name__: f for f in (conv, pools, products, losses, sums, moves, large_slices, norms, wide_layers, indexed, numbers, loop)}


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
    with tf.Graph().as_default(), tf.Session(config=two_devices()) as session:
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
            said = "OOM when allocating tensor with shape[1048576,16384] and type float"
            check("too large a tensor", said in error.message and "held by" in error.message, error.message)
        same("a step after that", [A * 3], session.run([b]))


def listed(**options):
    """The devices of a session with these GPUOptions, and their limits in megabytes."""
    config = tf.ConfigProto()
    if "count" in options:
        config.device_count["GPU"] = options.pop("count")
    for limits in options.pop("parts", []):
        config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=limits)
    config.gpu_options.experimental.num_virtual_devices_per_gpu = options.pop("each", 0)
    for name, value in options.items():
        setattr(config.gpu_options, name, value)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        devices = [d for d in session.list_devices() if d.device_type == "GPU"]
        return [d.name.split(":")[-1] for d in devices], [d.memory_limit_bytes >> 20 for d in devices]


def test_options():
    """GPUOptions and device_count, and what is wrong in them."""
    _, (whole, *_) = listed()
    check("none is wanted", listed(count=0) == ([], []))
    check("one is listed", listed(visible_device_list="0")[0] == ["0"])
    _, (half,) = listed(visible_device_list="0", per_process_gpu_memory_fraction=0.5)
    check("half of the memory", 0.45 * whole < half < 0.6 * whole, (half, whole))
    check("virtual devices", listed(parts=[[100, 300]]) == (["0", "1"], [100, 300]), listed(parts=[[100, 300]]))
    names, limits = listed(visible_device_list="0", each=2)
    check("equal parts", names == ["0", "1"] and limits[0] == limits[1] < whole, limits)
    check("growth changes nothing", listed(visible_device_list="0", allow_growth=True)[0] == ["0"])
    wrong = (({"visible_device_list": "99"}, "invalid GPU id '99'"), ({"visible_device_list": "one"}, "Could not parse"),
             ({"visible_device_list": "0,0"}, "duplicate"), ({"parts": [[1]] * 20}, "virtual devices"),
             ({"parts": [[50]], "per_process_gpu_memory_fraction": 0.5}, "per_process_gpu_memory_fraction"))
    for options, said in wrong:
        try:
            check("wrong options %s" % said, False, listed(**options))
        except tf.errors.InvalidArgumentError as error:
            check("wrong options %s" % said, said in error.message, error.message)


def test_limits():
    """A limit is kept; the error says who holds the memory; what is given back is there again; sessions share."""
    with tf.Graph().as_default(), tf.Session(config=two_devices()) as session:
        with tf.device("/device:GPU:1"):
            table = tf.Variable(tf.random_uniform([1 << 20, 64]), name="table")  # 256 of 400 MB
            more = tf.reduce_sum(tf.random_uniform([1 << 20, 64]))
        session.run(table.initializer)
        try:
            session.run(more)
            check("the limit of a virtual device", False, "passed")
        except tf.errors.ResourceExhaustedError as error:
            check("the limit of a virtual device", "limit is %d" % (LIMITS[1] << 20) in error.message, error.message)
            check("who holds memory", "268435456 bytes in 1 tensor" in error.message, error.message)
        with tf.Session(config=two_devices()) as other, tf.device("/device:GPU:1"):
            try:
                other.run(more)
                check("two sessions share a device", False, "the second has memory of its own")
            except tf.errors.ResourceExhaustedError:
                check("two sessions share a device", True)
    with tf.Graph().as_default(), tf.Session(config=two_devices()) as session, tf.device("/device:GPU:1"):
        check("memory is given back", session.run(tf.reduce_sum(tf.random_uniform([1 << 20, 64]))) > 0)


def test_metadata():
    """Times of the host and of the device, each node once."""
    with tf.Graph().as_default(), tf.Session(config=two_devices()) as session:
        with tf.device(GPU):
            y = tf.reduce_sum(tf.matmul(fed(A), fed(B), name="product"))
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        session.run(y)
        session.run(y, options=options, run_metadata=metadata)
        stats = {d.device.split("task:0")[-1]: list(d.node_stats) for d in metadata.step_stats.dev_stats}
        host, device = stats["/device:GPU:0"], stats.get("/device:GPU:0/stream:all", [])
        check("the device's times", [n.node_name for n in device].count("product") == 1, list(stats))
        worked = {n.node_name for n in host if not n.timeline_label.endswith("Const()")}
        check("every node that worked", worked == {n.node_name for n in device}, worked)
        first = min(n.all_start_micros for n in host)
        check("within the step", all(first <= n.all_start_micros <= first + 60e6 and n.all_end_rel_micros >= 0
                                     for n in device), device)


def test_placement():
    """What has kernels goes to the device by itself, int32 and strings do not, groups go together."""
    with tf.Graph().as_default(), tf.Session(config=two_devices()) as session:
        v = tf.Variable(A, name="v")
        y, n, s = tf.matmul(v, B, name="y"), tf.add(fed(np.int32(3)), 4, name="n"), tf.strings.join([tf.placeholder_with_default("a", []), "b"], name="s")
        session.run(v.initializer)
        metadata = tf.RunMetadata()
        session.run([y, n, s], options=tf.RunOptions(trace_level=3), run_metadata=metadata)
        where = {node.node_name: d.device.split(":")[-2:] for d in metadata.step_stats.dev_stats for node in d.node_stats
                 if "stream" not in d.device}
        where = {name: device[0].split("/")[-1] for name, device in where.items()}
        check("products on the device", where.get("y") == "GPU", where)
        check("strings on the processor", where.get("s") == "CPU", where)
        check("variables on the device", where.get("v") == "GPU", where)


def test_moved_variable():
    """A later step may put a variable's group elsewhere: its value follows."""
    with tf.Graph().as_default(), tf.Session(config=two_devices(allow_soft_placement=True)) as session:
        for kind in (False, True):
            v = tf.Variable(A[:, :3], use_resource=kind)
            session.run(v.initializer)
            doubled = v.assign_add(v)
            session.run(doubled)
            changed = (tf.raw_ops.ResourceStridedSliceAssign(ref=v.handle, begin=[0, 0], end=[2, 2], strides=[1, 1],
                                                             value=A[:2, :2] * 2) if kind
                       else tf.raw_ops.SdcaShrinkL1(weights=[v], l1=0.0, l2=1.0))
            session.run(changed)
            same("a moved variable", [A[:, :3] * 2], session.run([v]))
            same("and back again", [A[:, :3] * 4], session.run([v.assign_add(v)]))


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
        server = tf.train.Server({"ps": [ps], "worker": [worker]}, job_name="worker", task_index=0, config=two_devices())
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


def small_net(last=4):
    """Convolutions, pools, normalisation, a concatenation, dense layers and an optimiser; |last| channels are joined last."""
    joined = 8 + 16 + last
    random = np.random.RandomState(4)
    x, labels = tf.constant(random.randn(8, 12, 12, 3).astype("f")), tf.constant(random.randint(0, 5, 8))

    def weight(name, *shape):
        return tf.get_variable(name, initializer=tf.constant(random.randn(*shape).astype("f") * 0.2))

    def conv(x, name, *shape):
        y = tf.nn.conv2d(x, weight(name, *shape), [1, 1, 1, 1], "SAME")
        return tf.nn.relu(tf.nn.bias_add(y, weight(name + "_bias", shape[-1])))

    h = tf.nn.max_pool(conv(x, "a", 3, 3, 3, 8), [1, 3, 3, 1], [1, 2, 2, 1], "SAME")
    h = tf.nn.lrn(h, depth_radius=2)
    pooled = tf.nn.max_pool(h, [1, 3, 3, 1], [1, 1, 1, 1], "SAME")
    h = tf.concat([conv(h, "b", 1, 1, 8, 8), conv(h, "c", 3, 3, 8, 16), conv(pooled, "d", 1, 1, 8, last)], 3)
    h = tf.nn.relu(tf.matmul(tf.reshape(h, [8, 6 * 6 * joined]), weight("e", 6 * 6 * joined, 32)) + weight("e_bias", 32))
    y = tf.matmul(h, weight("f", 32, 5)) + weight("f_bias", 5)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=y))
    return loss, y, tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)


def trained(device, toggles=(), last=4):
    """Losses of eight steps, the logits of the first, the variables' types and the nodes that ran."""
    config = two_devices(allow_soft_placement=True)
    for toggle in toggles:
        setattr(config.graph_options.rewrite_options, toggle, 1)  # ON
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        with tf.device(device):
            loss, logits, step = small_net(last)
        session.run(tf.global_variables_initializer())
        metadata = tf.RunMetadata()
        first = session.run([loss, logits, step], options=tf.RunOptions(output_partition_graphs=True),
                            run_metadata=metadata)
        losses = [first[0]] + [session.run([loss, step])[0] for _ in range(7)]
        values = session.run(tf.trainable_variables())
    nodes = [n for g in metadata.partition_graphs for n in g.node]
    return losses, first[1], values, nodes


def type_of(node):
    return tf.DType(node.attr["T"].type).name if node.attr["T"].type else ""


def test_mixed():
    wanted, wanted_logits, _, plain = trained(CPU)
    check("mixed: not unasked", not any(type_of(n) == "bfloat16" for n in trained(GPU)[3]))
    check("mixed: not on processors", not any(type_of(n) == "bfloat16" for n in trained(CPU, ["auto_mixed_precision"])[3]))
    for toggle in "auto_mixed_precision", "auto_mixed_precision_onednn_bfloat16":
        losses, logits, values, nodes = trained(GPU, [toggle])
        check(toggle + ": losses", np.allclose(losses, wanted, rtol=0.05, atol=0.02), "%s, %s" % (losses, wanted))
        check(toggle + ": logits", np.linalg.norm(logits - wanted_logits) < 0.02 * np.linalg.norm(wanted_logits))
        check(toggle + ": rounded", not np.array_equal(logits, wanted_logits))
        check(toggle + ": variables", all(v.dtype == np.float32 for v in values))
        by_op = {}
        for n in nodes:
            by_op.setdefault(n.op, []).append(n)
        convolutions = sorted(type_of(n) for n in by_op["_ConvBias"])
        check(toggle + ": the first convolution alone in float",
              convolutions.count("float32") == 1 and set(convolutions[:-1]) == {"bfloat16"}, convolutions)
        narrow = ["MatMul", "Conv2DBackpropFilter", "Conv2DBackpropInput", "LRN", "LRNGrad", "ConcatV2",
                  "_MaxPoolPlaces", "_PlacesGrad", "_SliceReluBiasGrad"]
        for op in narrow:
            check("%s: %s" % (toggle, op), by_op.get(op) and all(type_of(n) == "bfloat16" for n in by_op[op]))
        check(toggle + ": loss", type_of(by_op["SparseSoftmaxCrossEntropyWithLogits"][0]) == "float32")
        sources = [n.input[0] for n in by_op["Cast"]]
        check(toggle + ": each value once", len(sources) == len(set(sources)), sources)
        check(toggle + ": optimiser", len(by_op["_ApplyNarrow"]) == 6 and "_ApplyMany" in by_op, str(sorted(by_op)))


def test_places():
    """A pool's gradient by kept places, and gradients of joined layers that are read where they lie, are as on the
    processor."""
    for last in 4, 8:  # channels are read one by one, and by fours
        losses, logits, values, nodes = trained(GPU, last=last)
        wanted, wanted_logits, wanted_values, _ = trained(CPU, last=last)
        ops = [n.op for n in nodes]
        check("places: kept", ops.count("_MaxPoolPlaces") == 2 and ops.count("_PlacesGrad") == 2 and "MaxPool" not in ops)
        check("places: slices", ops.count("_SliceReluBiasGrad") == 3 and "SplitV" not in ops, str(sorted(ops)))
        same("places", wanted_values + [wanted_logits], values + [logits])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names of ops' tests, optimisers, or devices, options, cluster...")
    parser.add_argument("--lib", help="not used: the Python package knows its library")
    only = [n for n in parser.parse_args().only.split(",") if n]
    with tf.Graph().as_default(), tf.Session() as session:
        if not any("GPU" in d.name for d in session.list_devices()):
            print("devices: skipped, there is no device of %s here\n0 passed, 0 failed" % os.environ["WEIR_DEVICES"])
            return 0
    test_ops(only)
    test_training(only)
    test_rows(only)
    tests = {"devices": test_two_devices, "options": test_options, "limits": test_limits, "metadata": test_metadata,
             "placement": test_placement, "moved": test_moved_variable, "refusal": test_refusal, "cluster": test_cluster,
             "mixed": test_mixed, "places": test_places}
    for name, test in tests.items():
        if not only or name in only:
            test()
    print("devices: %d passed, %d failed" % (results[True], results[False]))
    return 1 if results[False] else 0


if __name__ == "__main__":
    sys.exit(main())
