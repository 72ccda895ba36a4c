#!/usr/bin/env python3
"""The C API's sessions over grpc:// targets: against weir server and against a server of
TensorFlow's own, values as in a session of this process."""
import argparse
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import weir_c

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TENSORFLOW = """
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
s = tf.train.Server.create_local_server()
print(s.target.decode() if isinstance(s.target, bytes) else s.target, flush=True)
s.join()
"""
TESTS = []


class Case:
    """What a test gets: the library, a target, and graphs built by TensorFlow."""

    def __init__(self, lib, target, kind):
        self.lib, self.target, self.kind = lib, target, kind

    def graph(self, build):
        """(graph, what build returned); names are given by the builder."""
        with tf.Graph().as_default() as g:
            made = build()
            return self.lib.graph(g.as_graph_def().SerializeToString()), made


def test(f):
    TESTS.append(f)
    return f


def fails(code, f, text=""):
    try:
        f()
    except weir_c.Error as e:
        assert e.name == code and text in e.message, e
        return
    raise AssertionError("no " + code)


def same(a, b, rtol=0):
    assert a.dtype == b.dtype and a.shape == b.shape, (a, b)
    if a.dtype == 7:
        assert a.array.tolist() == b.array.tolist()
    else:
        np.testing.assert_allclose(a.array, b.array, rtol=rtol, atol=rtol)


@test
def every_type_and_size_goes_there_and_back(case):
    values = [np.float32(1.5), np.arange(6, dtype=np.int64).reshape(2, 3), np.zeros([0, 4], np.float32),
              np.array([b"", b"a\0b", b"x" * 300], dtype=object), np.array([True, False]),
              np.float16([1, 2]), np.random.RandomState(1).rand(900, 1100).astype("f"),
              np.arange(200000, dtype=np.uint8), np.complex64([1 + 2j])]

    def build():
        for i, v in enumerate(values):
            kind = tf.string if v.dtype == object else tf.as_dtype(v.dtype)
            x = tf.placeholder(kind, None, name="x%d" % i)
            tf.identity(x, name="y%d" % i)

    graph, _ = case.graph(build)
    feeds = {"x%d:0" % i: v for i, v in enumerate(values)}
    with graph.session(target=case.target) as s:
        for i, v in enumerate(values):  # one by one, then all at once, in another order
            same(s.run(["y%d:0" % i], {"x%d:0" % i: v})[0], weir_c.Value(v))
        names = ["y%d:0" % i for i in reversed(range(len(values)))]
        for got, v in zip(s.run(names, feeds), reversed(values)):
            same(got, weir_c.Value(v))
        twice = s.run(["y6:0", "y6:0", "x6:0"], {"x6:0": values[6]})
        for got in twice:
            same(got, weir_c.Value(values[6]))


@test
def training_gives_the_values_of_a_local_session(case):
    def build():
        x = tf.placeholder(tf.float32, [16, 8], name="x")
        w = tf.get_variable("w", [8, 4], initializer=tf.random_normal_initializer(seed=3))
        b = tf.get_variable("b", [4], initializer=tf.zeros_initializer())
        loss = tf.reduce_mean(tf.square(tf.tanh(tf.matmul(x, w) + b) - 0.5), name="loss")
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, name="train")
        tf.group(tf.global_variables_initializer(), name="start")

    x = np.random.RandomState(0).rand(16, 8).astype("f")
    losses = []
    for target in ("", case.target):
        graph, _ = case.graph(build)
        with graph.session(target=target) as s:
            s.run(targets=["start"])
            losses.append([s.run(["loss:0"], {"x:0": x}, ["train"])[0].array for _ in range(20)])
    np.testing.assert_allclose(*losses, rtol=1e-5)


@test
def the_graph_may_grow(case):
    graph, _ = case.graph(lambda: tf.constant(2.0, name="two"))
    with graph.session(target=case.target) as s:
        assert s.run(["two:0"])[0].array == 2
        for i in range(3):
            more, _ = case.graph(lambda: tf.constant(float(i), name="more"))
            graph.add(more.graph_def(), "g%d" % i)
            assert s.run(["g%d/more:0" % i, "two:0"])[0].array == i


@test
def functions_go_along(case):
    def build():
        tf.cond(tf.placeholder(tf.bool, [], name="p"), lambda: 1.0, lambda: 2.0, name="c")
        out = tf.while_loop(lambda i: i < 10, lambda i: i + 3, [0])
        tf.identity(out, name="out")

    tf.enable_control_flow_v2()
    graph, _ = case.graph(build)
    tf.disable_control_flow_v2()
    with graph.session(target=case.target) as s:
        assert s.run(["out:0"])[0].array == 12
        more, _ = case.graph(lambda: tf.constant(1.0, name="one"))
        graph.add(more.graph_def(), "more")
        assert s.run(["more/one:0"])[0].array == 1


@test
def errors_keep_their_codes(case):
    def build():
        tf.identity(tf.placeholder(tf.float32, [], name="x"), name="y")
        tf.gather([1.0, 2.0], tf.placeholder(tf.int32, [], name="i"), name="picked")
        tf.Variable(1.0, name="unset")

    graph, _ = case.graph(build)
    with graph.session(target=case.target) as s:
        fails("INVALID_ARGUMENT", lambda: s.run(["y:0"]), "{{node x}}")
        fails("INVALID_ARGUMENT", lambda: s.run(["picked:0"], {"i:0": np.int32(7)}), "{{node picked")
        fails("FAILED_PRECONDITION", lambda: s.run(["unset:0"]))
        assert s.run(["picked:0"], {"i:0": np.int32(1)})[0].array == 2
        s.close()
        fails("CANCELLED", lambda: s.run(["y:0"]))
    bad, _ = case.graph(lambda: None)
    with bad.session(target=case.target) as s:
        fails("INVALID_ARGUMENT", lambda: s.run())
    other, _ = case.graph(build_elsewhere)
    with other.session(target=case.target) as s:
        fails("INVALID_ARGUMENT", lambda: s.run(["far:0"]), "far")
    fails("INVALID_ARGUMENT", lambda: graph.session(target="grpc://nowhere"))
    fails("NOT_FOUND", lambda: graph.session(target="ftp://nowhere:1"))


def build_elsewhere():
    with tf.device("/job:nobody/task:3"):
        tf.constant(1.0, name="far")


@test
def waiting_steps_end(case):
    def build():
        q = tf.FIFOQueue(1, [tf.float32], shapes=[[]], name="q")
        tf.identity(q.dequeue(), name="take")
        q.enqueue(tf.placeholder(tf.float32, [], name="v"), name="put")

    graph, _ = case.graph(build)
    timeout = tf.RunOptions(timeout_in_ms=200).SerializeToString()
    with graph.session(target=case.target) as s:
        fails("DEADLINE_EXCEEDED", lambda: s.run(["take:0"], options=timeout))
        got = []
        t = threading.Thread(target=lambda: got.append(s.run(["take:0"])[0].array))
        t.start()
        s.run(targets=["put"], feeds={"v:0": np.float32(4)})
        t.join()
        assert got == [4], got
        ended = []

        def wait():
            try:
                s.run(["take:0"])
            except weir_c.Error as e:
                ended.append(e.name)

        t = threading.Thread(target=wait)
        t.start()
        time.sleep(0.2)
        s.close()
        t.join(20)
        assert ended == ["CANCELLED"], ended


@test
def partial_runs(case):
    def build():
        a, b = (tf.placeholder(tf.float32, [], name=n) for n in "ab")
        tf.add(a, 1.0, name="c")
        tf.multiply(a, b, name="d")

    graph, _ = case.graph(build)
    with graph.session(target=case.target) as s:
        run = s.partial_run(["a:0", "b:0"], ["c:0", "d:0"])
        assert run.run(["c:0"], {"a:0": np.float32(2)})[0].array == 3
        assert run.run(["d:0"], {"b:0": np.float32(5)})[0].array == 10


@test
def devices_traces_and_resets(case):
    def build():
        v = tf.get_variable("kept", [], initializer=tf.ones_initializer())
        tf.group(v.initializer, name="start")

    graph, _ = case.graph(build)
    with graph.session(target=case.target) as s:
        assert [d.split("/")[-1] for d in s.devices()] == ["device:CPU:0"]
        s.run(targets=["start"])
        full = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE).SerializeToString()
        _, metadata = s.run(["kept:0"], options=full, metadata=True)
        assert tf.RunMetadata.FromString(metadata).step_stats.dev_stats
    with graph.session(target=case.target) as s:
        assert s.run(["kept:0"])[0].array == 1  # of the task, not of the session
    reset(case, [])
    with graph.session(target=case.target) as s:
        fails("FAILED_PRECONDITION", lambda: s.run(["kept:0"]))


def reset(case, containers):
    lib = case.lib
    options = lib.TF_NewSessionOptions()
    lib.TF_SetTarget(options, case.target.encode())
    names = (ctypes.c_char_p * (len(containers) or 1))(*containers)
    lib.TF_Reset.restype = None
    lib.TF_Reset.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
    lib.with_status(lambda status: lib.TF_Reset(options, names, len(containers), status))
    lib.TF_DeleteSessionOptions(options)


@test
def many_threads_share_a_session(case):
    def build():
        x = tf.placeholder(tf.float32, [None], name="x")
        tf.reduce_sum(x * 2.0, name="y")

    graph, _ = case.graph(build)
    wrong = []
    with graph.session(target=case.target) as s:
        def work(k):
            for i in range(40):
                n = (k * 7 + i * 997) % 20000
                got = s.run(["y:0"], {"x:0": np.full([n], k, "f")})[0].array
                if got != 2 * k * n:
                    wrong.append((k, n, got))
        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    assert not wrong, wrong


def a_server_that_ends_and_returns(lib, weir):
    """The master dies: a step waits for the next one, which knows nothing of the session."""
    server, target = start([weir, "server"])
    case = Case(lib, target, "weir")
    graph, _ = case.graph(lambda: tf.constant(2.0, name="two"))
    with graph.session(target=target) as s:
        s.run(["two:0"])
        server.send_signal(signal.SIGKILL)
        server.wait()
        ended = []

        def step():
            try:
                ended.append(s.run(["two:0"])[0].array)
            except weir_c.Error as e:
                ended.append(e.name)

        t = threading.Thread(target=step)
        t.start()
        time.sleep(0.5)
        again, _ = start([weir, "server", "--port", target.rsplit(":", 1)[1]])
        t.join(20)
        assert ended == ["ABORTED"], ended
        again.terminate()
        again.wait(20)


def start(command):
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lib", default=os.path.join(ROOT, "build", "release", "libweir.so"))
    parser.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    lib, passed, failed = weir_c.Library(args.lib), 0, 0
    servers = {"weir": start([args.weir, "server"]),
               "tensorflow": start([sys.executable, "-c", TENSORFLOW])}
    jobs = [("%s (%s)" % (f.__name__, kind), lambda f=f, k=kind: f(Case(lib, servers[k][1], k)))
            for kind in servers for f in TESTS]
    jobs.append(("a_server_that_ends_and_returns",
                 lambda: a_server_that_ends_and_returns(lib, args.weir)))
    for name, job in jobs:
        if args.names and not any(n in name for n in args.names):
            continue
        try:
            job()
            passed += 1
        except Exception:
            failed += 1
            print("FAIL", name)
            traceback.print_exc()
    for server, _ in servers.values():
        server.kill()
        server.wait()
    print("remote: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
