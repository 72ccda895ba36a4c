#!/usr/bin/env python3
"""recordings_test.py: steps on a device that are recorded and replayed, against the processor.

    recordings_test.py [--only NAME[,NAME]]

PoCL (or another driver of OpenCL) is the device; its recordings are lists of launches that are given again. How many
steps were replayed is read from the library's counters. Run by a Python with NumPy alone; the Python package must be
built (python/dev_build). Ends with "N passed, N failed".
"""
import argparse
import ctypes
import os
import subprocess
import sys
import threading

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
os.environ["WEIR_DEVICES"] = os.environ.get("WEIR_TEST_DEVICES", "opencl")
os.environ.setdefault("NVIDIA_TF32_OVERRIDE", "0")  # products of float in full precision
sys.path.insert(0, os.path.join(ROOT, "python"))

import numpy as np  # noqa: E402
import weir.hook  # noqa: E402

weir.hook.install()
import tensorflow as tf  # noqa: E402

CPU, GPU = "/device:CPU:0", "/device:GPU:0"
rng = np.random.RandomState(1)
X, W = rng.randn(12, 7).astype("f"), rng.randn(7, 7).astype("f")
results = {True: 0, False: 0}


def library():
    """The library of the Python package, already in this process."""
    for line in open("/proc/self/maps", encoding="utf-8"):
        if "libweir.so" in line:
            return ctypes.CDLL(line.split()[-1])
    raise RuntimeError("libweir.so is not loaded")


def replayed():
    value = library().weir_metric_value
    value.restype, value.argtypes = ctypes.c_int64, [ctypes.c_char_p]
    return value(b"weir_device_steps_replayed_total")


def check(name, good, detail=""):
    results[bool(good)] += 1
    if not good:
        print("%s: %s" % (name, detail))


def same(name, wanted, got):
    wanted, got = np.asarray(wanted, "d"), np.asarray(got, "d")
    good = wanted.shape == got.shape and np.allclose(wanted, got, rtol=1e-4, atol=1e-5)
    check(name, good, "%s, not %s" % (got, wanted))


def run_on(device, build, feeds):
    """The fetched values of a step for each of |feeds|, which |build|'s placeholders take by name."""
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        tf.set_random_seed(3)
        with tf.device(device):
            fetches = build()
        session.run(tf.global_variables_initializer())
        return [session.run(fetches, {name + ":0": value for name, value in feed.items()}) for feed in feeds]


def compare(name, build, feeds, replays):
    """The same on the processor and the device, of whose steps |replays| at least were replayed."""
    wanted, before = run_on(CPU, build, feeds), replayed()
    got, count = run_on(GPU, build, feeds), replayed() - before
    for i, (a, b) in enumerate(zip(wanted, got)):
        for k, (x, y) in enumerate(zip(a, b)):
            same("%s, step %d, result %d" % (name, i, k), x, y)
    check(name + ": replayed", count >= replays, "%d of %d steps" % (count, len(feeds)))


def placeholder(name, *shape):
    return tf.placeholder(tf.float32, shape, name)


def training(optimizer, resource=False):
    def build():
        x = placeholder("x", None, 7)
        w = tf.Variable(W, use_resource=resource)
        loss = tf.reduce_mean(tf.square(tf.nn.relu(tf.matmul(x, w)) - 1))
        with tf.control_dependencies([optimizer().minimize(loss)]):
            return [tf.identity(loss)]
    return build


def batches(count, rows=12):
    return [{"x": rng.randn(rows, 7).astype("f")} for _ in range(count)]


def test_training():
    kinds = {"momentum": lambda: tf.train.MomentumOptimizer(0.05, 0.9), "adam": lambda: tf.train.AdamOptimizer(0.01)}
    for name, optimizer in kinds.items():
        for resource in (False, True):
            compare("training by %s%s" % (name, " of a resource" * resource), training(optimizer, resource), batches(9), 4)


def test_shapes():
    """Each shape is a kind of its own; another one in between does no harm."""
    feeds = batches(6) + batches(1, 5) + batches(3) + batches(5, 4)
    compare("shapes", training(lambda: tf.train.GradientDescentOptimizer(0.1)), feeds, 7)


def test_random():
    """Numbers go on where the step before left off."""
    compare("random", lambda: [tf.random_uniform([5, 3], seed=7), tf.random_uniform([2], seed=9)], [{}] * 9, 6)


def test_dropout():
    def build():
        x = placeholder("x", None, 7)
        return [tf.nn.dropout(x, keep_prob=0.5, seed=11)]
    compare("dropout", build, batches(8), 5)


def test_loop():
    """A constant number of turns, and one that is fed: then its value is part of the kind."""
    def constant():
        x = placeholder("x", None, 7)
        return [tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, W)) + x), [0, x])[1]]

    def fed():
        x, n = placeholder("x", None, 7), tf.placeholder(tf.int32, [], "n")
        return [tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, W)) + x), [0, x])[1]]
    compare("a loop", constant, batches(7), 4)
    turns = [3] * 6 + [4] * 5 + [3, 4, 0, 3]
    compare("a loop of fed turns", fed, [dict(b, n=n) for b, n in zip(batches(len(turns)), turns)], 7)


def test_gradient_of_loop():
    def build():
        x, w = placeholder("x", None, 7), tf.Variable(W / 4)
        y = tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, tf.tanh(tf.matmul(y, w) + x)), [0, x])[1]
        loss = tf.reduce_sum(tf.square(y - 0.5))
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.01).minimize(loss)]):
            return [tf.identity(loss)]
    compare("the gradient of a loop", build, batches(8), 4)


def recurrence(rows, width, between=None, read_sums=False):
    """A loop of ten turns over |rows| and the gradient of its weights, which the steps change."""
    def build():
        x, r = placeholder("x", rows, width), np.random.RandomState(5)
        sizes = [(width, between), (between, width)] if between else [(width, width)]
        ws = [tf.Variable(r.randn(*size).astype("f") / width ** 0.5) for size in sizes]
        scale = tf.Variable(np.float32(0.9))

        def body(i, y, kept):
            h = y
            for w in ws:
                h = tf.tanh(tf.matmul(h, w) * scale)
            h = h + x
            return i + 1, h, kept + tf.matmul(h, y, transpose_a=True) if read_sums else kept
        kept = tf.zeros([width, width])
        y, kept = tf.while_loop(lambda i, y, kept: i < 10, body, [0, x, kept])[1:]
        loss = tf.reduce_mean(tf.square(y - 0.5))
        slopes = tf.gradients(loss, ws)
        step = tf.train.GradientDescentOptimizer(0.05).apply_gradients(zip(slopes, ws))
        with tf.control_dependencies([step]):
            return [tf.identity(loss), y, kept] + slopes
    return build


def chains():
    """The loops of test_chains; a process of its own counts what its log says of them."""
    for rows, width, options in ((5, 8, {}), (3, 64, {}), (2, 16, {"between": 40}), (4, 7, {}), (300, 4, {}),
                                 (4, 16, {"read_sums": True}), (6, 300, {})):
        feeds = [{"x": rng.randn(rows, width).astype("f")} for _ in range(6)]
        compare("a chain of %s" % ((rows, width, options),), recurrence(rows, width, **options), feeds, 3)


def test_chains():
    """Small products over the same rows become one kernel, but not where a matrix is too large for that."""
    program = "import recordings_test as t; t.chains(); print(t.results[True], t.results[False])"
    for switch in ("1", "0"):
        environment = dict(os.environ, WEIR_LOG="0", WEIR_CHAINS=switch)
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True,
                              cwd=os.path.dirname(os.path.abspath(__file__)))
        made = done.stderr.count("become a chain: made")
        check("chains", done.returncode == 0 and done.stdout.split()[-1:] == ["0"], done.stdout + done.stderr[-300:])
        check("which are made", made >= 9 if switch == "1" else made == 0, "%d" % made)


def test_arrays_of_loop():
    """Tensor arrays and their gradients: rows that begin anywhere, elements written twice, a loop placed by nobody."""
    def build():
        x, w = placeholder("x", 12, 7), tf.Variable(W / 4)
        read = tf.TensorArray(tf.float32, 12, clear_after_read=False).unstack(x)
        made = tf.TensorArray(tf.float32, 6, clear_after_read=False)

        def body(i, h, made):
            h = tf.tanh(tf.matmul(h, w) + tf.expand_dims(read.read(i) + read.read(2 * i), 0))
            return i + 1, h, made.write(i, h)
        h, made = tf.while_loop(lambda i, h, made: i < 6, body, [0, tf.zeros([1, 7]), made])[1:]
        rows, joined = made.stack(), made.concat()
        slope = tf.gradients(tf.reduce_sum(tf.square(rows)) + tf.reduce_sum(h * joined[:1]), [x, w])
        loss = tf.reduce_sum(tf.square(rows - 0.5))
        with tf.control_dependencies(slope + [tf.train.GradientDescentOptimizer(0.01).minimize(loss)]):
            return [tf.identity(loss), rows, joined, tf.size(rows), made.size()] + slope
    compare("arrays of a loop", build, batches(8), 4)
    compare("arrays of a loop that nobody placed", lambda: undevised(build), batches(8), 4)


def undevised(build):
    with tf.device(None):
        return build()


def test_split_array():
    def build():
        x = placeholder("x", None, 7)
        parts = tf.TensorArray(tf.float32, 3, infer_shape=False).split(x, [2, 9, 1])
        y = [tf.reduce_sum(parts.read(i) * (i + 1.0), 0) for i in range(3)]
        return y + tf.gradients(tf.add_n(y), x)
    compare("a split array", build, batches(7), 4)


def test_integers():
    """int32 between two ops of the device stays there; what the host looks at does not."""
    def rows_of(x):
        return tf.cast(tf.clip_by_value(tf.abs(tf.floor(x[:, 0] * 3)), 0., 5.), tf.int32)

    def inside():
        x = placeholder("x", None, 7)
        base = tf.reshape(tf.range(tf.shape(x)[0]) % 2, [-1, 1])
        rows = tf.expand_dims(rows_of(x) * 2, 1) + base
        return [tf.gather(tf.Variable(X), tf.reshape(rows, [-1])), tf.gather(x, tf.maximum(rows - 1, 0))]

    def fetched():
        x = placeholder("x", None, 7)
        rows = rows_of(x) * 2
        return [tf.gather(tf.Variable(X), rows + 1), rows]

    def divided():
        x = placeholder("x", None, 7)
        return [tf.gather(tf.Variable(X), rows_of(x) // 2)]

    def counted():
        """How many turns a loop has is the host's to know."""
        x = placeholder("x", None, 7)
        turns = tf.reduce_max(rows_of(x)) + 1
        return [tf.while_loop(lambda i, y: i < turns, lambda i, y: (i + 1, y * 1.5), [0, x])[1]]
    compare("integers inside", inside, batches(8), 4)
    for build in (fetched, divided, counted):
        compare("integers: %s" % build.__name__, build, batches(5), 0)


def test_branch():
    """What is taken depends on a fed value; on a value of the device it cannot be recorded."""
    def fed():
        x, flag = placeholder("x", None, 7), tf.placeholder(tf.bool, [], "flag")
        return [tf.cond(flag, lambda: x * 2, lambda: x - 1)]

    def computed():
        x = placeholder("x", None, 7)
        return [tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2, lambda: x - 1)]
    flags = [True] * 5 + [False] * 5 + [True, False]
    compare("a branch by a feed", fed, [dict(b, flag=f) for b, f in zip(batches(len(flags)), flags)], 5)
    compare("a branch by a value", computed, batches(8), 0)


def test_assigned():
    """Variables that get another buffer in the step are where they were afterwards."""
    def build():
        x, last = placeholder("x", None, 7), tf.Variable(np.zeros((12, 7), "f"))
        total = tf.Variable(np.zeros((), "f"))
        new = tf.tanh(last + x)
        with tf.control_dependencies([tf.assign_add(total, tf.reduce_sum(last))]):
            with tf.control_dependencies([tf.assign(last, new)]):
                return [total.read_value(), last.read_value(), new]
    compare("assigned variables", build, batches(10), 3)


def test_exchanged():
    """Two variables that change places."""
    def build():
        a, b = tf.Variable(X), tf.Variable(-2 * X)
        old_a, old_b = a + 0, b + 0
        with tf.control_dependencies([old_a, old_b]):
            with tf.control_dependencies([tf.assign(a, old_b), tf.assign(b, old_a)]):
                return [a.read_value(), b.read_value()]
    compare("exchanged variables", build, [{}] * 9, 0)


def test_changed_from_outside():
    """Another step gives a variable a new value, or reads it, between the replays."""
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        with tf.device(GPU):
            w, x = tf.Variable(W), placeholder("x", 7)
            grown = tf.assign_add(w, w * 0 + x)
            new = placeholder("new", 7, 7)
            changed, twice = tf.assign(w, new), w * 2
        session.run(tf.global_variables_initializer())
        wanted, before = W.astype("d"), replayed()
        for step in range(30):
            value = rng.randn(7).astype("f")
            wanted = wanted + value
            same("grown in step %d" % step, wanted, session.run(grown, {x: value}))
            if step in (8, 9, 15):
                wanted = rng.randn(7, 7).astype("f").astype("d")
                session.run(changed.op, {new: wanted})
            if step % 4 == 1:
                same("read after step %d" % step, wanted * 2, session.run(twice))
        check("replayed in between", replayed() - before >= 8, replayed() - before)


def moving(session, resource):
    """A variable that one step adds to on the device, and that another changes on the host, for want of a kernel."""
    with tf.device(GPU):
        v = tf.Variable(W, use_resource=resource)
        x = tf.placeholder(tf.float32, [7])
        grown = tf.assign_add(v, v * 0 + x)
    corner = (tf.raw_ops.ResourceStridedSliceAssign(ref=v.handle, begin=[0, 0], end=[2, 2], strides=[1, 1],
                                                    value=X[:2, :2]) if resource
              else tf.raw_ops.SdcaShrinkL1(weights=[v], l1=0.0, l2=1.0))
    session.run(v.initializer)
    return x, grown, corner


def test_moved():
    """A variable that comes from the host in the step that would be recorded, and leaves between replays."""
    config = tf.ConfigProto(allow_soft_placement=True)
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            x, grown, corner = moving(session, resource)
            wanted, before = W.astype("d"), replayed()
            for step in range(60):
                value = rng.randn(7).astype("f")
                wanted = wanted + value
                same("moved, in step %d" % step, wanted, session.run(grown, {x: value}))
                if step < 6 or step in (9, 40):
                    session.run(corner)
                    wanted[:2, :2] = X[:2, :2] if resource else wanted[:2, :2]
            check("moved: replayed afterwards", replayed() - before >= 8, replayed() - before)


def test_assigned_resource():
    """AssignVariableOp gives a variable another buffer in each step, and so does a step in between."""
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        with tf.device(GPU):
            v, x = tf.Variable(W, use_resource=True), placeholder("x", 7, 7)
            step, other, value = tf.assign(v, tf.tanh(x)), tf.assign(v, x * 3), v + 0
        session.run(v.initializer)
        for i in range(14):
            given = rng.randn(7, 7).astype("f")
            session.run(step.op, {x: given})
            same("assigned in step %d" % i, np.tanh(given), session.run(value))
            if i in (6, 10):
                session.run(other.op, {x: given})
                same("assigned in between", given * 3, session.run(value))


def test_large():
    """Steps that have more alive at once than WEIR_RECORD_MB allows are not recorded."""
    program = ("import recordings_test as t; t.compare('large', t.training(lambda: t.tf.train.AdamOptimizer(0.01)), "
               "t.batches(12), 0); print(t.replayed(), t.results[False])")
    counts = {}
    for most in ("0", "64"):
        done = subprocess.run([sys.executable, "-c", program], env=dict(os.environ, WEIR_RECORD_MB=most),
                              cwd=os.path.dirname(os.path.abspath(__file__)), capture_output=True, text=True)
        counts[most] = done.stdout.split() or [done.stderr[-300:]]
    check("a step over the limit", counts["0"] == ["0", "0"], counts)
    check("a step under it", counts["64"][-1] == "0" and int(counts["64"][0]) > 4, counts)


def test_kinds():
    """The first step of another kind uses the memory of recordings: what it leaves in a variable stays there."""
    for resource in (False, True):
        with tf.Graph().as_default(), tf.Session() as session:
            x = placeholder("x", None, 7)
            with tf.device(GPU):
                w = tf.Variable(W, use_resource=resource)
                kept = tf.Variable(np.zeros((12, 7), "f"), use_resource=resource)
                unset = tf.Variable(np.zeros((12, 7), "f"), use_resource=resource)
                y = tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, w)), w))
                keep = [tf.assign(kept, tf.matmul(x, w) * 2).op, tf.assign(unset, tf.matmul(x, w) * 3).op]
            session.run([w.initializer, kept.initializer])
            before = replayed()
            for i, value in enumerate(rng.randn(9, 12, 7).astype("f")):
                same("kinds, step %d" % i, np.tanh(np.tanh(value @ W) @ W), session.run(y, {x: value}))
                if i in (5, 7):
                    session.run(keep, {x: value})
                    given = value @ W
                if i > 5:
                    same("kept, step %d" % i, [given * 2, given * 3], session.run([kept, unset]))
            check("kinds: replayed", replayed() - before >= 6, replayed() - before)


def test_results():
    """The same value fetched twice, a constant, an argument, a variable before it changes, and its shape."""
    def build():
        x, w = placeholder("x", None, 7), tf.Variable(W)
        before = tf.identity(w)
        y = tf.matmul(x, w)
        with tf.control_dependencies([before, y]):
            after = tf.assign_add(w, W * 0.5)
        return [y, y, before, tf.shape(y), tf.constant(3.0), x, after]
    compare("results", build, batches(8), 4)


def test_targets():
    """Steps that fetch nothing."""
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.device(GPU):
            w = tf.Variable(np.zeros(3, "f"))
            step = tf.assign_add(w, np.ones(3, "f")).op
            value = w + 0
        session.run(tf.global_variables_initializer())
        for _ in range(20):
            session.run(step)
        same("after steps without fetches", [20] * 3, session.run(value))


def test_host_variables():
    """Variables of int32 lie in host memory: they are brought again when they have changed, through views too."""
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        rows = tf.Variable(np.array([[1, 3], [5, 5]], "i4"))
        new = tf.placeholder(tf.int32, [2, 2])
        with tf.device(GPU):
            taken = tf.gather(tf.Variable(X) * 2, tf.reshape(rows, [-1])), tf.gather(tf.Variable(W), rows)
        changed, added = tf.assign(rows, new), tf.assign_add(rows, [[1, 0], [0, 1]])
        session.run(tf.global_variables_initializer())
        wanted, before = np.array([[1, 3], [5, 5]]), replayed()
        for step in range(16):
            got = session.run(taken)
            same("rows in step %d" % step, X[wanted.reshape(-1)] * 2, got[0])
            same("rows of rows in step %d" % step, W[wanted], got[1])
            if step in (6, 9):
                wanted = np.array([[0, step % 7], [2, 1]])
                session.run(changed.op, {new: wanted})
            if step == 12:
                wanted = wanted + [[1, 0], [0, 1]]
                session.run(added.op)
        check("host variables: replayed", replayed() - before >= 12, replayed() - before)


def test_views():
    """A fed int32 array reaches the device through a view in host memory: its values are no part of the kind."""
    def build():
        rows = tf.placeholder(tf.int32, [None, 2], "rows")
        return [tf.gather(tf.Variable(X), tf.reshape(rows, [-1])), tf.gather(tf.Variable(X), rows)]
    compare("views", build, [{"rows": rng.randint(0, 12, (3, 2)).astype("i4")} for _ in range(14)], 10)


def test_initializers():
    """get_variable colocates its initialiser, which has a kernel of the host's, with the variable."""
    def build():
        w = tf.get_variable("w", [7, 7], initializer=tf.random_normal_initializer(seed=4))
        loss = tf.reduce_sum(tf.square(tf.matmul(placeholder("x", None, 7), w)))
        with tf.control_dependencies([tf.train.GradientDescentOptimizer(0.001).minimize(loss)]):
            return [tf.identity(loss)]
    config = tf.ConfigProto(allow_soft_placement=True)
    wanted = run_on(CPU, build, batches(1))
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        fetches = build()
        session.run(tf.global_variables_initializer())
        got = [session.run(fetches, {"x:0": b["x"]}) for b in batches(6)]
    check("an initialiser of the host's", np.isfinite(got).all() and np.isfinite(wanted).all(), got)


def test_threads():
    """Steps of one plan at once: one is replayed, the others run."""
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.device(GPU):
            x = placeholder("x", 4)
            y = tf.reduce_sum(x * 3 + 1)
        wrong = []

        def work(number):
            for i in range(40):
                value = np.full(4, number * 100 + i, "f")
                if session.run(y, {x: value}) != np.sum(value * 3 + 1):
                    wrong.append((number, i))
        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check("steps at once", not wrong, wrong[:5])


def test_reset():
    """A variable that was destroyed and made anew."""
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        with tf.device(GPU):
            w = tf.Variable(np.zeros(3, "f"), use_resource=True)
            step = tf.assign_add(w, np.ones(3, "f"))
            gone = tf.raw_ops.DestroyResourceOp(resource=w.handle)
        for turn in range(2):
            session.run(w.initializer)
            values = [session.run(step)[0] for _ in range(7)]
            same("counted in turn %d" % turn, [1, 2, 3, 4, 5, 6, 7], values)
            session.run(gone)


def test_off():
    """Traced steps run plainly, and give the same."""
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.device(GPU):
            w = tf.Variable(np.zeros(3, "f"))
            step = tf.assign_add(w, np.ones(3, "f"))
        session.run(tf.global_variables_initializer())
        for i in range(12):
            options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE) if i % 3 == 2 else None
            metadata = tf.RunMetadata() if options else None
            same("traced now and then", [i + 1.0] * 3, session.run(step, options=options, run_metadata=metadata))


TESTS = {name[5:]: test for name, test in list(globals().items()) if name.startswith("test_")}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="names of tests: " + ", ".join(TESTS))
    parser.add_argument("--lib", help="not used: the Python package knows its library")
    only = [n for n in parser.parse_args().only.split(",") if n]
    with tf.Graph().as_default(), tf.Session() as session:
        if not any("GPU" in d.name for d in session.list_devices()):
            print("recordings: skipped, there is no device of OpenCL here\n0 passed, 0 failed")
            return 0
    for name, test in TESTS.items():
        if not only or name in only:
            test()
    print("recordings: %d passed, %d failed" % (results[True], results[False]))
    return 1 if results[False] else 0


if __name__ == "__main__":
    sys.exit(main())
