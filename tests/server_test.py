#!/usr/bin/env python3
"""weir server under TensorFlow's own Python client, unmodified: what a session does over gRPC."""
import argparse
import os
import subprocess
import sys
import threading
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.core.protobuf import config_pb2

tf.disable_v2_behavior()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TESTS = []


def test(f):
    TESTS.append(f)
    return f


@test
def feeds_fetches_and_growth(target):
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.reduce_sum(x * 2.0, 1)
    with tf.Session(target) as s:
        np.testing.assert_array_equal(s.run(y, {x: np.ones([2, 3])}), [6, 6])
        z = y + 1.0  # sent by ExtendSession
        np.testing.assert_array_equal(s.run([z, y], {x: np.ones([1, 3])}), [[7], [6]])
        assert s.run(tf.constant([b"a", b"\0\xff"])).tolist() == [b"a", b"\0\xff"]
        assert s.run(tf.zeros([0, 4])).shape == (0, 4)
        assert s.run(tf.ones([1500, 1500])).sum() == 1500 * 1500  # more than one frame


@test
def training_keeps_its_state_in_the_task(target):
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer())
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w - 3.0))
    with tf.Session(target) as s:
        s.run(tf.global_variables_initializer())
        for _ in range(100):
            s.run(train)
    with tf.Session(target) as s:  # another session of the same task
        assert abs(s.run(w) - 3.0) < 1e-3
    with tf.Session(target, config=tf.ConfigProto(isolate_session_state=True)) as s:
        fails(tf.errors.FailedPreconditionError, lambda: s.run(w))
    tf.Session.reset(target)
    with tf.Session(target) as s:
        fails(tf.errors.FailedPreconditionError, lambda: s.run(w))


def fails(kind, f, text=""):
    try:
        f()
    except kind as e:
        assert text in str(e), str(e)
        return
    raise AssertionError("no %s" % kind.__name__)


@test
def errors_have_their_codes_and_nodes(target):
    x = tf.placeholder(tf.float32, name="x")
    i = tf.placeholder(tf.int32)
    with tf.Session(target) as s:
        fails(tf.errors.InvalidArgumentError, lambda: s.run(x + 1.0), "You must feed a value")
        picked = tf.gather([1.0, 2.0], i, name="picked")
        fails(tf.errors.InvalidArgumentError, lambda: s.run(picked, {i: [5]}), "{{node picked")
        assert s.run(picked, {i: [1]}) == [2.0]


@test
def waiting_steps_can_be_stopped(target):
    q = tf.FIFOQueue(1, [tf.float32])
    take, put = q.dequeue(), q.enqueue(4.0)
    with tf.Session(target) as s:
        options = tf.RunOptions(timeout_in_ms=300)
        fails(tf.errors.DeadlineExceededError, lambda: s.run(take, options=options))
        got = []
        t = threading.Thread(target=lambda: got.append(s.run(take)))
        t.start()
        s.run(put)
        t.join()
        assert got == [4.0], got
        stopped = []
        t = threading.Thread(target=lambda: stopped.append(outcome(s, take)))
        t.start()
        s.run(tf.no_op())
    t.join()
    assert stopped == [tf.errors.CancelledError], stopped


def outcome(s, fetch):
    try:
        return s.run(fetch)
    except tf.errors.OpError as e:
        return type(e)


@test
def partial_runs_and_callables(target):
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    c, d = a + 1.0, a * b
    with tf.Session(target) as s:
        h = s.partial_run_setup([c, d], [a, b])
        assert s.partial_run(h, c, {a: 2}) == 3
        assert s.partial_run(h, d, {b: 5}) == 10
        options = config_pb2.CallableOptions()
        options.feed.append(a.name)
        options.fetch.append(c.name)
        f = s._make_callable_from_options(options)
        assert [f(np.float32(v))[0] for v in (1, 2)] == [2, 3]


@test
def loops_devices_and_metadata(target):
    out = tf.while_loop(lambda i, x: i < 10, lambda i, x: (i + 1, x * 2.0), [0, 1.0])
    with tf.Session(target) as s:
        assert s.run(out) == (10, 1024.0)
        assert [d.name.split("/")[-1] for d in s.list_devices()] == ["device:CPU:0"]
        meta = tf.RunMetadata()
        s.run(out, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=meta)
        assert meta.step_stats.dev_stats[0].node_stats


@test
def many_sessions_at_once(target):
    def work(k, results):
        with tf.Graph().as_default(), tf.Session(target) as s:
            x = tf.placeholder(tf.float32, [])
            y = x * float(k)
            results[k] = sum(s.run(y, {x: v}) for v in range(20))
    results = {}
    threads = [threading.Thread(target=work, args=(k, results)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {k: 190.0 * k for k in range(8)}, results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir", default=os.path.join(ROOT, "build", "release", "weir"))
    args = parser.parse_args()
    server = subprocess.Popen([args.weir, "server"], stdout=subprocess.PIPE, text=True)
    target, passed, failed = server.stdout.readline().strip(), 0, 0
    for f in TESTS:
        try:
            with tf.Graph().as_default():
                f(target)
            passed += 1
        except Exception:
            failed += 1
            print("FAIL", f.__name__)
            traceback.print_exc()
    server.terminate()
    if server.wait(20) != 0:
        failed += 1
        print("FAIL the server ended with status", server.returncode)
    print("server: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
