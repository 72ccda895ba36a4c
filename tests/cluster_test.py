#!/usr/bin/env python3
"""Weir's tasks among TensorFlow's: a TensorFlow master that has Weir workers, training jobs over every
mixture of parameter servers and workers, and tasks that end while others wait for them.
"""
import argparse
import os
import signal
import sys
import tempfile
import threading
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.ops import nn_ops

import master_test
from clusters import Cluster

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)
LIMIT_S = 60  # that nothing here should come near
TESTS = []
JOBS = {
    "tensorflow": "ps:tf worker:tf worker:tf",
    "Weir's parameter server": "ps:weir worker:tf worker:tf",
    "Weir's workers": "ps:tf worker:weir worker:weir",
    "Weir's tasks only": "ps:weir worker:weir worker:weir",
}


def test(f):
    """f(weir binary)"""
    TESTS.append(f)
    return f


def fails(kinds, f):
    """The error of one of these kinds that f ends with, and the seconds it took."""
    start = time.time()
    try:
        f()
    except kinds as e:
        return e, time.time() - start
    raise AssertionError("no error")


def in_threads(functions):
    """Runs them all at once; the first error is raised."""
    errors = []

    def run(f):
        try:
            f()
        except Exception as e:
            traceback.print_exc()
            errors.append(e)

    threads = [threading.Thread(target=run, args=(f,), daemon=True) for f in functions]
    for t in threads:
        t.start()
    for t in threads:
        t.join(LIMIT_S)
        assert not t.is_alive(), "still running after %d s" % LIMIT_S
    if errors:
        raise errors[0]


# ---- training ------------------------------------------------------------------------------------


def build(worker, sync):
    """A small model with dense and sparse gradients: (train, global step, loss, hooks)."""
    rows = np.random.RandomState(0)
    x, ids = rows.rand(8, 6).astype("f"), rows.randint(0, 20, [8, 3]).astype("i")
    setter = tf.train.replica_device_setter(ps_tasks=1,
                                            worker_device="/job:worker/task:%d" % worker)
    with tf.device(setter):
        tf.set_random_seed(7)
        step = tf.train.get_or_create_global_step()
        table = tf.get_variable("table", [20, 4], initializer=tf.random_uniform_initializer())
        w = tf.get_variable("w", [6, 12], initializer=tf.random_normal_initializer())
        b = tf.get_variable("b", [12], initializer=tf.zeros_initializer(), use_resource=True)
        found = tf.reshape(tf.nn.embedding_lookup(table, ids), [8, 12])
        loss = tf.reduce_mean(tf.square(tf.nn.relu(tf.nn.bias_add(tf.matmul(x, w), b)) - found))
        optimizer, hooks = tf.train.AdagradOptimizer(0.1), []
        if sync:
            optimizer = tf.train.SyncReplicasOptimizer(optimizer, 2, 2)
        train = optimizer.minimize(loss, global_step=step)
        if sync:
            hooks.append(optimizer.make_session_run_hook(worker == 0, num_tokens=0))
    return train, step, loss, hooks


class Turns:
    """Two workers, one after the other, so that what they compute does not depend on chance."""

    def __init__(self):
        self.turn, self.changed = 0, threading.Condition()
        self.initialized = threading.Event()  # who finds no variables waits for 30 s
        # In a synchronous job both begin a step together: one that runs ahead takes the other's token, and leaves it
        # waiting for ever when it has made its own number of steps.
        self.together, self.done = threading.Barrier(2), threading.Barrier(2)

    def take(self, worker, f):
        with self.changed:
            assert self.changed.wait_for(lambda: self.turn == worker, LIMIT_S)
        result = f()
        with self.changed:
            self.turn = 1 - self.turn
            self.changed.notify_all()
        return result


def train_worker(cluster, worker, sync, steps, folder, losses, turns):
    if worker > 0:
        assert turns.initialized.wait(LIMIT_S)
    with tf.Graph().as_default():
        train, step, loss, hooks = build(worker, sync)
        filters = ["/job:ps", "/job:worker/task:%d" % worker]
        config = tf.ConfigProto(device_filters=filters, operation_timeout_in_ms=LIMIT_S * 1000)
        with tf.train.MonitoredTrainingSession(
                cluster.target("worker", worker), is_chief=worker == 0, hooks=hooks, config=config,
                checkpoint_dir=folder if worker == 0 else None, save_checkpoint_secs=None,
                save_checkpoint_steps=4, save_summaries_steps=None, save_summaries_secs=None,
                log_step_count_steps=None, stop_grace_period_secs=1, max_wait_secs=30) as s:
            turns.initialized.set()
            for _ in range(steps):
                run = lambda: s.run([train, step, loss])
                if sync:
                    turns.together.wait(LIMIT_S)
                losses.append(run()[2] if sync else turns.take(worker, run)[2])
            turns.done.wait(LIMIT_S)  # the chief saves once more when it leaves


def saved(folder):
    """What the latest checkpoint holds."""
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder))
    return {n: reader.get_tensor(n) for n in reader.get_variable_to_shape_map()
            if not n.startswith("sync_rep")}


def train_job(weir, layout, sync, steps=6):
    with Cluster(layout, weir) as c, tempfile.TemporaryDirectory() as folder:
        losses, turns = ([], []), Turns()
        in_threads([lambda w=w: train_worker(c, w, sync, steps, folder, losses[w], turns)
                    for w in (0, 1)])
        assert c.alive()
        return sorted(losses[0] + losses[1]), saved(folder)


def same_training(weir, sync):
    """Both workers learn from the same rows, so that chance cannot matter in a synchronous job."""
    expected, values = train_job(weir, JOBS["tensorflow"], sync)
    for name, layout in JOBS.items():
        if name == "tensorflow":
            continue
        losses, got = train_job(weir, layout, sync)
        if not sync:
            np.testing.assert_allclose(losses, expected, rtol=1e-5, err_msg=name)
        assert got.keys() == values.keys(), name
        for n in values:
            np.testing.assert_allclose(got[n], values[n], rtol=1e-4, atol=1e-6,
                                       err_msg="%s: %s" % (name, n))


@test
def workers_in_turn_train_as_tensorflow_does(weir):
    same_training(weir, sync=False)


@test
def synchronous_workers_train_as_tensorflow_does(weir):
    same_training(weir, sync=True)


# ---- a TensorFlow master -------------------------------------------------------------------------


@test
def programs_of_a_tensorflow_master(weir):
    """What a Weir master is tested by, with the roles exchanged."""
    with Cluster("ps:tf worker:tf worker:tf", weir) as theirs, \
            Cluster("ps:weir worker:tf worker:weir", weir) as ours:
        for f in master_test.PROGRAMS:
            try:
                master_test.compare(f, master_test.run_program(f, ours.target("worker", 0)),
                                    master_test.run_program(f, theirs.target("worker", 0)))
            except Exception:
                print("in", f.__name__)
                raise


def fused_graph():
    """Nodes that TensorFlow's optimiser fuses before it sends them."""
    r = np.random.RandomState(1)
    image, flat = (tf.placeholder(tf.float32, [2, 8, 8, 4]), tf.placeholder(tf.float32, [4, 6]))
    feeds = {image: r.randn(2, 8, 8, 4), flat: r.randn(4, 6)}

    def random(*shape):
        return tf.Variable(r.randn(*shape).astype("f"))

    with tf.device("/job:worker/task:1"):
        conv = tf.nn.conv2d(image, random(3, 3, 4, 4), 1, "SAME")
        depth = tf.nn.depthwise_conv2d(image, random(3, 3, 4, 2), [1, 1, 1, 1], "VALID")
        mat, scale = tf.matmul(flat, random(6, 5)), random(4)
        norm = tf.nn.fused_batch_norm(conv, scale, random(4), random(4), tf.square(scale) + 1.,
                                      is_training=False)[0]
        volume = tf.nn.conv3d(tf.reshape(image, [2, 4, 4, 4, 4]), random(2, 2, 2, 4, 3),
                              [1] * 5, "SAME")
        biased = tf.nn.bias_add(mat, random(5))
        outputs = [
            tf.nn.relu(tf.nn.bias_add(conv, random(4))),
            tf.nn.leaky_relu(tf.nn.bias_add(tf.nn.conv2d(image, random(1, 1, 4, 3), 2, "VALID"),
                                            random(3)), 0.3),
            tf.nn.relu6(tf.nn.bias_add(depth, random(8))),
            tf.nn.elu(tf.nn.bias_add(volume, random(3))),
            tf.nn.relu(norm),
            tf.nn.tanh(biased),
            nn_ops.gelu(tf.nn.bias_add(tf.matmul(flat, random(6, 5)), random(5)), approximate=True),
            nn_ops.gelu(tf.nn.bias_add(tf.matmul(flat, random(6, 5)), random(5))),
            tf.nn.bias_add(tf.matmul(flat, random(4, 5), transpose_a=True), random(5)) +
            random(6, 5),
            tf.sqrt(tf.exp(tf.abs(tf.sin(flat)))),
            tf.nn.swish(flat),
            flat * tf.tanh(tf.nn.softplus(flat)),
            tf.matmul(tf.reshape(image, [2, 8, 32]), random(2, 32, 5)) * 0.5 + random(2, 1, 5),
        ]
    return outputs, feeds


@test
def ops_that_tensorflow_fused(weir):
    for onednn in "01":
        env = {"TF_ENABLE_ONEDNN_OPTS": onednn}
        with Cluster("worker:tf worker:weir", weir, env=env) as c, tf.Graph().as_default():
            outputs, feeds = fused_graph()
            with tf.Session(c.target("worker", 0)) as s:
                s.run(tf.global_variables_initializer())
                got = s.run(outputs, feeds)
        with tf.Graph().as_default():
            outputs, feeds = fused_graph()
            for op in tf.get_default_graph().get_operations():
                op._set_device("")
            with tf.Session() as s:
                s.run(tf.global_variables_initializer())
                expected = s.run(outputs, feeds)
        for i, (a, b) in enumerate(zip(got, expected)):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5, err_msg="output %d" % i)


# ---- private and shared state --------------------------------------------------------------------


@test
def sessions_share_variables_and_not_their_queues(weir):
    with Cluster("ps:weir worker:tf worker:weir", weir) as c, tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            private, shared = tf.FIFOQueue(9, [tf.int32]), tf.FIFOQueue(9, [tf.int32],
                                                                        shared_name="s")
            v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=False)
            noise = tf.random_uniform([], seed=5)
        put = [private.enqueue(1), shared.enqueue(2)]
        sizes = [private.size(), shared.size()]
        config = tf.ConfigProto(operation_timeout_in_ms=LIMIT_S * 1000)
        streams = []
        for worker in (0, 1):
            with tf.Session(c.target("worker", worker), config=config) as s:
                if worker == 0:
                    s.run(v.initializer)
                s.run(put)
                s.run(put[0])
                s.run(v.assign_add(1.))
                assert s.run(sizes) == [2, worker + 1]
                streams.append([s.run(noise), s.run(noise + v)])
                assert s.run(v) == worker + 1
        assert streams[0][0] == streams[1][0]  # every session draws anew


# ---- tasks that end ------------------------------------------------------------------------------


@test
def a_task_dies_while_others_wait(weir):
    """Whoever waits for a value or a step of a task that is gone gets an error that it can recover
    from, and soon."""
    recoverable = (tf.errors.UnavailableError, tf.errors.AbortedError)
    for layout in ("ps:weir worker:tf", "ps:weir worker:weir"):
        with Cluster(layout, weir) as c, tf.Graph().as_default():
            with tf.device("/job:ps/task:0"):
                q = tf.FIFOQueue(1, [tf.float32])
                taken = q.dequeue()
            with tf.device("/job:worker/task:0"):
                here = taken + 1.0
            config = tf.ConfigProto(operation_timeout_in_ms=LIMIT_S * 1000)
            s = tf.Session(c.target("worker", 0), config=config)
            s.run(q.size())
            killer = threading.Timer(1, lambda: c.stop_task("ps", 0))
            killer.start()
            _, seconds = fails(recoverable, lambda: s.run(here))
            assert seconds < 10, (layout, seconds)
            _, seconds = fails(recoverable, lambda: s.run(q.size()))
            assert seconds < 10, (layout, seconds)
            c.start_task("ps", 0)
            _, seconds = fails(recoverable, lambda: s.run(q.size()))  # its peer is another now
            assert seconds < 10, (layout, seconds)
            s.close()
            with tf.Session(c.target("worker", 0), config=config) as again:
                assert again.run(q.size()) == 0


@test
def a_task_that_stands_still_is_given_up(weir):
    with Cluster("ps:weir worker:weir", weir) as c, tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            q = tf.FIFOQueue(1, [tf.float32])
            taken = q.dequeue()
        with tf.device("/job:worker/task:0"):
            here = taken + 1.0
        config = tf.ConfigProto(operation_timeout_in_ms=LIMIT_S * 1000)
        with tf.Session(c.target("worker", 0), config=config) as s:
            s.run(q.size())
            ps = c.processes["ps", 0]
            threading.Timer(0.5, lambda: ps.send_signal(signal.SIGSTOP)).start()
            _, seconds = fails(tf.errors.UnavailableError, lambda: s.run(here))
            assert seconds < 30, seconds
            ps.send_signal(signal.SIGCONT)
            time.sleep(1.5)  # until the next try to connect
            assert s.run(q.size()) == 0


@test
def training_goes_on_after_a_parameter_server_restarts(weir):
    for layout in ("ps:weir worker:tf worker:tf", "ps:weir worker:weir worker:weir"):
        with Cluster(layout, weir) as c, tempfile.TemporaryDirectory() as folder, \
                tf.Graph().as_default():
            train, step, loss, _ = build(0, sync=False)
            config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:0"],
                                    operation_timeout_in_ms=LIMIT_S * 1000)
            with tf.train.MonitoredTrainingSession(
                    c.target("worker", 0), config=config, checkpoint_dir=folder,
                    save_checkpoint_secs=None, save_checkpoint_steps=5, save_summaries_steps=None,
                    save_summaries_secs=None, log_step_count_steps=None) as s:
                reached = 0
                while reached < 12:
                    reached = s.run([train, step])[1]
                c.stop_task("ps", 0)
                c.start_task("ps", 0)
                after = s.run([train, step])[1]
                assert 1 < after <= 13, (layout, after)  # from the last checkpoint
                while s.run([train, step])[1] < 20:
                    pass


@test
def a_worker_is_told_when_the_chief_is_done(weir):
    """Its session manager looks once and would sleep for 30 s; the question waits instead."""
    config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:1"])
    with Cluster("ps:weir worker:weir worker:weir", weir) as c:
        looks = []

        def work():
            with tf.Graph().as_default():
                build(1, sync=False)
                creator = tf.train.WorkerSessionCreator(master=c.target("worker", 1), config=config)
                sleep, time.sleep = time.sleep, lambda s: looks.append(s) or sleep(s)
                try:
                    creator.create_session().close()
                finally:
                    time.sleep = sleep

        def lead():
            with tf.Graph().as_default():
                build(0, sync=False)
                init = tf.global_variables_initializer()
                threading.Event().wait(1.5)
                with tf.Session(c.target("worker", 0)) as s:
                    s.run(init)

        in_threads([work, lead])
        assert 30 not in looks, looks


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir", default=Cluster("").weir)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    threading.excepthook = lambda _: None  # a queue runner's session is closed under it
    passed, failed = 0, 0
    for f in TESTS:
        if args.only not in f.__name__:
            continue
        try:
            f(args.weir)
            passed += 1
        except Exception:
            failed += 1
            print("FAIL", f.__name__)
            traceback.print_exc()
    print("cluster: %d passed, %d failed" % (passed, failed), flush=True)
    os._exit(1 if failed else 0)  # threads of steps that hang must not keep the process


if __name__ == "__main__":
    main()
