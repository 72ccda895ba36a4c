#!/usr/bin/env python3
"""weir/train.h over clusters: examples/train_cluster.c as every task, with TensorFlow's tasks and
workers mixed in, and with tasks that die."""
import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

from clusters import free_ports

tf.disable_v2_behavior()
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
PYTHON_TASK = '''
import os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
job, index, ps, workers = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4].split(",")
server = tf.train.Server({"ps": [ps], "worker": workers}, job_name=job, task_index=index)
print("up", flush=True)
server.join()
'''
PYTHON_WORKER = '''
import json, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
index, ps, workers, mode, steps = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(","), sys.argv[4], int(sys.argv[5])
cluster = tf.train.ClusterSpec({"ps": [ps], "worker": workers})
server = tf.train.Server(cluster, job_name="worker", task_index=index)
r = np.random.RandomState(0)
with tf.device(tf.train.replica_device_setter(worker_device="/job:worker/task:%d" % index, cluster=cluster)):
    x, y = tf.placeholder(tf.float32, [100, 784]), tf.placeholder(tf.int32, [100])
    w = tf.get_variable("w", [784, 10], initializer=tf.random_normal_initializer(seed=1))
    b = tf.get_variable("b", [10], initializer=tf.random_normal_initializer(seed=2))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=tf.matmul(x, w) + b))
    opt, hooks = tf.train.GradientDescentOptimizer(0.01), []
    if mode == "sync":
        opt = tf.train.SyncReplicasOptimizer(opt, len(workers), len(workers))
    gs = tf.train.get_or_create_global_step()
    train = opt.minimize(loss, global_step=gs)
    if mode == "sync":
        hooks.append(opt.make_session_run_hook(index == 0, num_tokens=0))
    # StopAtStepHook may read a step too old and begin one more, for which a synchronous job has no token.
    with tf.control_dependencies([train]), tf.colocate_with(gs):
        reached = gs.read_value()
feeds, n, last, step = {x: r.rand(100, 784), y: r.randint(0, 10, 100)}, 0, 0.0, 0
config = tf.ConfigProto(device_filters=["/job:ps", "/job:worker/task:%d" % index])
with tf.train.MonitoredTrainingSession(server.target, is_chief=index == 0, hooks=hooks, config=config,
                                       save_summaries_steps=None, stop_grace_period_secs=2) as s:
    while step < steps:
        step, last = s.run([reached, loss], feeds)
        n += 1
print(json.dumps(dict(task=index, own_steps=n, last_loss=float(last))), flush=True)
os._exit(0)
'''
TESTS, ARGS = [], None


def test(f):
    TESTS.append(f)
    return f


def ports(count):
    return ["127.0.0.1:%d" % port for port in free_ports(count)]


class Cluster:
    """Tasks by name ("ps0", "worker1"); whatever is left is killed at the end."""

    def __init__(self, ps=1, workers=2, options=()):
        hosts = ports(ps + workers)
        self.ps, self.workers = hosts[:ps], hosts[ps:]
        self.options, self.tasks = list(options), {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for p in self.tasks.values():
            if p.poll() is None:
                p.kill()
            p.wait()

    def start(self, job, index, *options):
        command = [ARGS.program, "--job_name", job, "--task_index", str(index), "--ps_hosts",
                   ",".join(self.ps), "--worker_hosts", ",".join(self.workers)]
        return self.launch("%s%d" % (job, index), command + self.options + list(options))

    def python(self, name, text, *arguments):
        return self.launch(name, [sys.executable, "-c", text] + [str(a) for a in arguments])

    def launch(self, name, command):
        self.tasks[name] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        return self.tasks[name]

    def start_all(self):
        for i in range(len(self.ps)):
            self.start("ps", i)
        for i in range(len(self.workers)):
            self.start("worker", i)

    def row(self, name, timeout=60):
        """What a worker printed at its end."""
        out, _ = self.tasks[name].communicate(timeout=timeout)
        assert self.tasks[name].returncode == 0, (name, self.tasks[name].returncode)
        return json.loads(out.strip().splitlines()[-1])

    def finish(self):
        rows = [self.row("worker%d" % i) for i in range(len(self.workers))]
        for i in range(len(self.ps)):  # they end by themselves, soon after the last worker
            assert self.tasks["ps%d" % i].wait(5) == 0
        return rows


@test
def modes_servers_and_placements():
    for options, ps, workers in ((["--mode", "async"], 1, 2), (["--mode", "sync"], 2, 2),
                                 (["--mode", "backup"], 1, 3),
                                 (["--mode", "async", "--partitions", "3", "--greedy"], 2, 1)):
        with Cluster(ps, workers, options + ["--steps", "300"]) as c:
            c.start_all()
            rows = c.finish()
            assert max(r["global_step"] for r in rows) >= 300, rows
            assert all(r["last_loss"] < 15 < 30 < max(r["first_loss"] for r in rows) for r in rows), rows
            assert max(r["stop_s"] for r in rows) < 5, rows


@test
def one_worker_equals_tensorflow():
    """The same data, seeds and steps as a plain TensorFlow session."""
    r = np.random.RandomState(0)
    x, y = r.rand(100, 784).astype("f"), r.randint(0, 10, 100).astype("i")
    with tempfile.TemporaryDirectory() as d:
        path = os.path.join(d, "data")
        with open(path, "wb") as f:
            f.write(x.tobytes() + y.tobytes())
        for mode in ("async", "sync"):
            with Cluster(1, 1, ["--steps", "20", "--data", path, "--mode", mode]) as c:
                c.start_all()
                got = c.finish()[0]
            np.testing.assert_allclose([got["first_loss"], got["last_loss"]], plain(x, y, 20), rtol=1e-4)


def plain(x, y, steps):
    with tf.Graph().as_default(), tf.Session() as s:
        w = tf.get_variable("w", [784, 10], initializer=tf.random_normal_initializer(seed=1))
        b = tf.get_variable("b", [10], initializer=tf.random_normal_initializer(seed=2))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=y, logits=tf.matmul(x, w) + b))
        train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        s.run(tf.global_variables_initializer())
        losses = [s.run([loss, train])[0] for _ in range(steps)]
    return losses[0], losses[-1]


@test
def checkpoints_are_tensorflows():
    with tempfile.TemporaryDirectory() as d:
        options = ["--checkpoints", d, "--save_steps", "40", "--partitions", "2"]
        with Cluster(2, 2, options + ["--steps", "100"]) as c:
            c.start_all()
            c.finish()
        latest = tf.train.latest_checkpoint(d)
        reader = tf.train.load_checkpoint(latest)
        shapes = reader.get_variable_to_shape_map()
        assert shapes == {"w": [784, 10], "b": [10], "global_step": []}, shapes
        step = int(reader.get_tensor("global_step"))
        # Another worker may have counted on between the look at the counter and the saving.
        assert 100 <= step_of(d) <= step <= step_of(d) + 10, (step, latest)
        weights = reader.get_tensor("w")
        with tf.Graph().as_default(), tf.Session() as s:  # whole there, in two pieces here
            w = tf.get_variable("w", [784, 10])
            saver = tf.train.Saver([w])
            saver.restore(s, latest)
            np.testing.assert_array_equal(s.run(w), weights)
        with Cluster(1, 1, ["--checkpoints", d, "--steps", str(step + 50)]) as c:  # and on from there
            c.start_all()
            row = c.finish()[0]
            assert row["own_steps"] <= 50 and row["first_loss"] < 25, row


def step_of(d):
    latest = tf.train.latest_checkpoint(d)
    return int(latest.rsplit("-", 1)[1]) if latest else -1


def wait_for(what, seconds=20):
    end = time.time() + seconds
    while not what():
        assert time.time() < end, "it took too long"
        time.sleep(0.02)


@test
def a_parameter_server_that_dies_is_restored():
    for mode in ("async", "sync"):
        with tempfile.TemporaryDirectory() as d:
            options = ["--mode", mode, "--checkpoints", d, "--save_steps", "100", "--steps", "100000000"]
            with Cluster(1, 2, options) as c:
                c.start_all()
                wait_for(lambda: step_of(d) >= 200)
                c.tasks["ps0"].kill()
                c.tasks["ps0"].wait()
                at = step_of(d)
                c.start("ps", 0)
                wait_for(lambda: step_of(d) >= at + 200)
                assert c.tasks["worker0"].poll() is None and c.tasks["worker1"].poll() is None


@test
def workers_and_chiefs_that_die_come_back():
    for mode in ("async", "sync"):
        with tempfile.TemporaryDirectory() as d:
            options = ["--mode", mode, "--checkpoints", d, "--save_steps", "100", "--steps", "100000000"]
            with Cluster(1, 2, options) as c:
                c.start_all()
                for name in ("worker1", "worker0"):
                    at = step_of(d)
                    wait_for(lambda: step_of(d) >= at + 200)
                    c.tasks[name].send_signal(signal.SIGKILL)
                    c.tasks[name].wait()
                    at = step_of(d)
                    c.start("worker", int(name[-1]))
                    wait_for(lambda: step_of(d) >= at + 200)
                assert c.tasks["ps0"].poll() is None


@test
def tensorflows_tasks_take_part():
    with Cluster(1, 2, ["--steps", "200"]) as c:  # a parameter server of TensorFlow's
        c.python("ps0", PYTHON_TASK, "ps", 0, c.ps[0], ",".join(c.workers)).stdout.readline()
        for i in range(2):
            c.start("worker", i)
        rows = [c.row("worker%d" % i) for i in range(2)]
        assert max(r["global_step"] for r in rows) >= 200, rows


@test
def python_workers_take_part():
    for mode, python, ps in (("sync", 0, "tensorflow"), ("sync", 0, "weir"), ("sync", 1, "weir"),
                             ("async", 0, "weir")):
        with Cluster(1, 2, ["--mode", mode, "--steps", "150"]) as c:
            hosts = c.ps[0], ",".join(c.workers)
            if ps == "weir":
                c.start("ps", 0)
            else:
                c.python("ps0", PYTHON_TASK, "ps", 0, *hosts).stdout.readline()
            c.python("worker%d" % python, PYTHON_WORKER, python, *hosts, mode, 150)
            c.start("worker", 1 - python)
            rows = [c.row("worker%d" % i) for i in range(2)]
            assert all(r["own_steps"] > 0 and r["last_loss"] < 25 for r in rows), rows


def main():
    global ARGS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program",
                        default=os.path.join(ROOT, "build", "release", "examples", "train_cluster"))
    parser.add_argument("names", nargs="*")
    ARGS = parser.parse_args()
    passed = failed = 0
    for f in TESTS:
        if ARGS.names and not any(n in f.__name__ for n in ARGS.names):
            continue
        try:
            f()
            passed += 1
        except Exception:
            failed += 1
            print("FAIL", f.__name__)
            traceback.print_exc()
    print("train: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
