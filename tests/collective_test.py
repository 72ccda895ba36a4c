#!/usr/bin/env python3
"""Collective ops over the tasks of a cluster: Weir's, and Weir's among TensorFlow's, led by either;
members that disagree, that do not come, and that die.
"""
import argparse
import os
import signal
import sys
import threading
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import gen_collective_ops as ops

from clusters import Cluster

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)
TESTS = []
CLUSTERS = {
    "Weir's three": "worker:weir worker:weir worker:weir",
    "TensorFlow leads": "worker:tf worker:weir",
    "Weir leads two": "worker:weir worker:tf worker:weir",
}


def config():
    c = tf.ConfigProto()
    c.experimental.collective_group_leader = "/job:worker/replica:0/task:0"
    return c


def test(f):
    """f(weir binary)"""
    TESTS.append(f)
    return f


def in_threads(functions):
    """Runs them all at once; what each gave, or its error."""
    results = [None] * len(functions)

    def run(i):
        try:
            results[i] = functions[i]()
        except Exception as e:
            results[i] = e

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(len(functions))]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
        assert not t.is_alive(), "a member hangs"
    return results


def values(results):
    for r in results:
        if isinstance(r, Exception):
            raise r
    return results


def value(i, n, dtype=np.float32):
    return (np.arange(n) % 97 * (i + 1) + i).astype(dtype)


def member(i, size):
    """The ops of one member: name -> output."""
    with tf.device("/job:worker/task:%d/device:CPU:0" % i):
        def reduce(instance, x, merge="Add", final="Id", offsets=(0,)):
            return ops.collective_reduce(x, group_size=size, group_key=1, instance_key=instance,
                                         merge_op=merge, final_op=final, subdiv_offsets=offsets)

        out = {
            "sum": reduce(1, tf.constant(value(i, 1000).reshape(10, 100))),
            "mean": reduce(2, tf.constant(value(i, 7)), final="Div"),
            "max": reduce(3, tf.constant(value(i, 33, np.int64)), merge="Max"),
            "min": reduce(4, tf.constant(value(i, 1, np.float64)), merge="Min"),
            "product": reduce(5, tf.constant(value(i, 300, np.int32)), merge="Mul"),
            "large": reduce(6, tf.constant(value(i, 1 << 20))),
            "rings": reduce(7, tf.constant(value(i, 5000)), offsets=(0, 0)),
            "half": reduce(8, tf.constant(value(i, 64, np.float16)), final="Div"),
            "gather": ops.collective_gather(tf.constant(value(i, 12).reshape(3, 4)), group_size=size,
                                            group_key=1, instance_key=11, shape=[3 * size, 4]),
            "sum2": ops.collective_reduce_v2(tf.constant(value(i, 50)), size, 2, 21, [],
                                             merge_op="Add", final_op="Id"),
            "gather2": ops.collective_gather_v2(tf.constant(value(i, 5, np.int32)), size, 2, 22, []),
        }
        source = size - 1
        if i == source:
            out["broadcast"] = ops.collective_bcast_send(
                tf.constant(value(i, 6).reshape(2, 3)), group_size=size, group_key=1,
                instance_key=31, shape=[2, 3])
            out["broadcast2"] = ops.collective_bcast_send_v2(tf.constant(value(i, 40000)), size, 2,
                                                             32)
        else:
            out["broadcast"] = ops.collective_bcast_recv(
                T=tf.float32, group_size=size, group_key=1, instance_key=31, shape=[2, 3])
            out["broadcast2"] = ops.collective_bcast_recv_v2(size, 2, 32, [40000], T=tf.float32)
        return out


def expected(size):
    def all_of(n, dtype=np.float32):
        return [value(i, n, dtype) for i in range(size)]

    last = size - 1
    return {
        "sum": np.sum(all_of(1000), axis=0).reshape(10, 100),
        "mean": (np.sum(all_of(7), axis=0) / size).astype(np.float32),
        "max": np.max(all_of(33, np.int64), axis=0),
        "min": np.min(all_of(1, np.float64), axis=0),
        "product": np.prod(all_of(300, np.int32), axis=0),
        "large": np.sum(all_of(1 << 20), axis=0),
        "rings": np.sum(all_of(5000), axis=0),
        "half": (np.sum(all_of(64, np.float16), axis=0) / size).astype(np.float16),
        "gather": np.concatenate([v.reshape(3, 4) for v in all_of(12)]),
        "sum2": np.sum(all_of(50), axis=0),
        "gather2": np.concatenate(all_of(5, np.int32)),
        "broadcast": value(last, 6).reshape(2, 3),
        "broadcast2": value(last, 40000),
    }


def check(size, got):
    for name, want in expected(size).items():
        tolerance = 2e-3 if name == "half" else 1e-6
        np.testing.assert_allclose(np.asarray(got[name], np.float64), want, rtol=tolerance,
                                   err_msg=name)


def run_member(c, i, size, steps=3, filtered=False):
    """A client of task |i| that runs its own member."""
    own = config()
    if filtered:
        own.device_filters.append("/job:worker/task:%d" % i)
    with tf.Graph().as_default():
        out = member(i, size)
        with tf.Session(c.target("worker", i), config=own) as s:
            for _ in range(steps):
                got = s.run(out)
            return got


@test
def every_client_runs_its_own_member(weir):
    for name, tasks in CLUSTERS.items():
        size = len(tasks.split())
        with Cluster(tasks, weir, config=config().SerializeToString()) as c:
            for filtered in (False, True):
                got = values(in_threads([lambda i=i: run_member(c, i, size, filtered=filtered)
                                         for i in range(size)]))
                for g in got:
                    check(size, g)
        print("  ", name, flush=True)


@test
def one_client_runs_all_members(weir):
    for tasks in ("worker:weir worker:weir worker:weir", "worker:weir worker:tf"):
        size = len(tasks.split())
        with Cluster(tasks, weir, config=config().SerializeToString()) as c, \
                tf.Graph().as_default():
            out = [member(i, size) for i in range(size)]
            with tf.Session(c.target("worker", 0), config=config()) as s:
                for _ in range(3):
                    for got in s.run(out):
                        check(size, got)


@test
def rows_go_between_members_of_both_kinds(weir):
    for tasks in ("worker:weir worker:tf worker:weir", "worker:weir worker:tf"):  # TensorFlow's master refuses it
        size = len(tasks.split())
        given = [value(i, 4 * size).reshape(size, 4) for i in range(size)]
        with Cluster(tasks, weir, config=config().SerializeToString()) as c, tf.Graph().as_default():
            rows = []
            for i in range(size):
                with tf.device("/job:worker/task:%d/device:CPU:0" % i):
                    rows.append(ops.collective_all_to_all_v2(tf.constant(given[i]), size, 5, 1, []))
            with tf.Session(c.target("worker", 0), config=config()) as s:
                for _ in range(3):
                    for i, got in enumerate(s.run(rows)):
                        np.testing.assert_array_equal(got, np.stack([g[i] for g in given]))


@test
def every_member_gets_its_rows(weir):
    size = 3
    with Cluster(CLUSTERS["Weir's three"], weir, config=config().SerializeToString()) as c, tf.Graph().as_default():
        given = [value(i, 4 * size).reshape(size, 4) for i in range(size)]
        rows, sums = [], []
        for i in range(size):
            with tf.device("/job:worker/task:%d/device:CPU:0" % i):
                x = tf.constant(given[i])
                rows.append(ops.collective_all_to_all_v2(x, size, 5, 1, []))
                sums.append(ops.collective_reduce_scatter_v2(x, size, 5, 2, [], merge_op="Add", final_op="Id"))
        with tf.Session(c.target("worker", 0), config=config()) as s:
            got_rows, got_sums = s.run([rows, sums])
    for i in range(size):
        np.testing.assert_array_equal(got_rows[i], np.stack([g[i] for g in given]))
        np.testing.assert_allclose(got_sums[i], np.sum(given, axis=0)[i:i + 1], rtol=1e-6)


def small(i, size=2, group=1, instance=1, shape=(4,), timeout=0.0):
    with tf.device("/job:worker/task:%d/device:CPU:0" % i):
        return ops.collective_reduce(tf.ones(shape), group_size=size, group_key=group,
                                     instance_key=instance, merge_op="Add", final_op="Id",
                                     subdiv_offsets=(0,), timeout_seconds=timeout)


def own_config(i):
    """Of a session that does not need the other tasks."""
    own = config()
    own.device_filters.append("/job:worker/task:%d" % i)
    return own


def run_small(c, i, alone=False, **options):
    with tf.Graph().as_default():
        out = small(i, **options)
        with tf.Session(c.target("worker", i), config=own_config(i) if alone else config()) as s:
            return s.run(out)


@test
def members_that_disagree_are_told(weir):
    with Cluster("worker:weir worker:weir", weir) as c:
        sizes = in_threads([lambda: run_small(c, 0), lambda: run_small(c, 1, size=3)])
        assert any("size" in str(e) for e in sizes), sizes
        shapes = in_threads([lambda: run_small(c, 0, group=2, instance=2),
                             lambda: run_small(c, 1, group=2, instance=2, shape=(5,))])
        assert any("Shape mismatch" in str(e) for e in shapes), shapes


@test
def a_member_that_does_not_come_is_waited_for_until_the_time_is_up(weir):
    with Cluster("worker:weir worker:weir", weir) as c:
        for i in range(2):
            start = time.time()
            error = in_threads([lambda i=i: run_small(c, i, timeout=0.5, group=5)])[0]
            assert isinstance(error, tf.errors.DeadlineExceededError), error
            assert "timed out waiting for other workers" in str(error) and time.time() < start + 20
        both = values(in_threads([lambda i=i: run_small(c, i, group=6, timeout=30.0)
                                  for i in range(2)]))
        np.testing.assert_array_equal(both, np.full((2, 4), 2))


def ignoring_errors(f):
    """For a client whose own server is killed."""
    try:
        f()
    except tf.errors.OpError:
        pass


@test
def a_dead_member_ends_the_others_steps(weir):
    with Cluster("worker:weir worker:weir worker:weir", weir) as c:
        def loop(i):
            with tf.Graph().as_default():
                out = small(i, size=3, group=7)
                with tf.Session(c.target("worker", i), config=own_config(i)) as s:
                    while True:
                        s.run(out)

        killer = threading.Timer(1.5, lambda: c.stop_task("worker", 2))
        killer.start()
        start = time.time()
        threading.Thread(target=ignoring_errors, args=(lambda: loop(2),), daemon=True).start()
        errors = in_threads([lambda i=i: loop(i) for i in range(2)])
        killer.join()
        assert all(isinstance(e, tf.errors.OpError) for e in errors), errors
        assert time.time() - start < 15, time.time() - start


def sums_until_hurt(c, i, size, elements, steps):
    """A client of task |i| that sums until the group fails; the time of that, and the error."""
    with tf.Graph().as_default():
        out = small(i, size=size, group=8, shape=(elements,)).op
        with tf.Session(c.target("worker", i), config=own_config(i)) as s:
            try:
                while True:
                    s.run(out)
                    steps[i] += 1
            except tf.errors.OpError as e:
                return time.time(), e


def hurt_one(weir, transports, signal_, elements, size=3, victim=2):
    """A member is killed or paused in the middle of sums: all others end, name it, and go on among themselves."""
    with Cluster(" ".join(["worker:weir"] * size), weir, env={"WEIR_TRANSPORTS": transports}) as c:
        steps = [0] * size
        others = [i for i in range(size) if i != victim]
        threading.Thread(target=ignoring_errors, daemon=True,
                         args=(lambda: sums_until_hurt(c, victim, size, elements, steps),)).start()
        process, hurt = c.processes["worker", victim], []

        def hurt_it():
            while min(steps) < 10:
                time.sleep(0.01)
            hurt.append(time.time())
            process.send_signal(signal_)

        threading.Thread(target=hurt_it, daemon=True).start()
        try:
            ends = values(in_threads([lambda i=i: sums_until_hurt(c, i, size, elements, steps) for i in others]))
            for _, error in ends:
                assert "/job:worker/replica:0/task:%d" % victim in str(error), error
            pair = values(in_threads([lambda i=i: run_small(c, i, alone=True, group=9) for i in others[:2]]))
            np.testing.assert_array_equal(pair, np.full((2, 4), 2))
        finally:
            process.kill()
        return max(when for when, _ in ends) - hurt[0]


@test
def a_member_killed_or_paused_in_a_sum_ends_the_others_and_is_named(weir):
    for transports in ("grpc", "shm,grpc"):
        for elements in (250, 1 << 21):
            for what in (signal.SIGKILL, signal.SIGSTOP):
                took = hurt_one(weir, transports, what, elements)
                print("   %-8s %8d floats, %s: %.1f s" % (transports, elements, what.name, took), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir")
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    failed = 0
    chosen = [t for t in TESTS if not args.only or t.__name__ in args.only]
    for t in chosen:
        start = time.time()
        try:
            t(args.weir)
            print("%-70s %5.1f s  ok" % (t.__name__.replace("_", " "), time.time() - start), flush=True)
        except Exception:
            traceback.print_exc()
            failed += 1
            print("%-70s FAILED" % t.__name__.replace("_", " "), flush=True)
    print("collective: %d passed, %d failed" % (len(chosen) - failed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
