#!/usr/bin/env python3
"""The fault matrix: a parameter server, the chief or a worker is killed, paused or restarted at the
start, in mid-step or during a checkpoint, under TensorFlow's own recovering client.

Every case runs a job of one parameter server and two workers on real `weir server` processes. The
model's loss is known in closed form for every global step, so that "training went on from the
checkpoint" is a number: the loss must fit the global step it was read with.
"""
import argparse
import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

from clusters import free_ports

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.FATAL)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
ERRORS = (tf.errors.AbortedError, tf.errors.UnavailableError)
WIDTH = 1 << 20  # of the variable: large enough for a checkpoint to take a while
RATE = 0.0002  # w goes to 1 by this share a step; slow, so that float32 tells thousands of steps
NOTICED = 5.0  # seconds within which a fault must be told


def in_time():
    """NOTICED, and more on a machine that has more to do than processors for it."""
    return NOTICED + 1.5 * max(1, 2 * os.getloadavg()[0] / os.cpu_count())


class Cluster:
    """Three server processes, each of which can be killed, paused and started again."""

    def __init__(self, weir, log):
        hosts = ["127.0.0.1:%d" % p for p in free_ports(3)]
        self.hosts = dict(zip(("ps", "chief", "worker"), hosts))
        self.command = [weir, "server", "--ps_hosts", hosts[0], "--worker_hosts", ",".join(hosts[1:])]
        self.log, self.running = open(log, "w"), {}
        for who in self.hosts:
            self.start(who)

    def start(self, who):
        job, index = ("ps", 0) if who == "ps" else ("worker", int(who == "worker"))
        command = self.command + ["--job_name", job, "--task_index", str(index)]
        self.running[who] = subprocess.Popen(command, stdout=self.log, stderr=self.log)

    def kill(self, who):
        self.running[who].kill()
        self.running[who].wait()

    def restart(self, who):
        self.kill(who)
        self.start(who)

    def send(self, who, number):
        self.running[who].send_signal(number)

    def end(self):
        for p in self.running.values():
            p.kill()
            p.wait()
        self.log.close()


class Recorded:
    """A session creator whose sessions note when a call failed, and how."""

    def __init__(self, inner, errors):
        self.inner, self.errors = inner, errors

    def create_session(self):
        session = self.inner.create_session()
        run = session.run

        def noting(*args, **kwargs):
            try:
                return run(*args, **kwargs)
            except tf.errors.OpError as e:
                self.errors.append((time.time(), e))
                raise

        session.run = noting
        return session


class QuickCreator(tf.train.WorkerSessionCreator):
    """Looks again every second whether the chief is done, not every 30."""

    def _get_session_manager(self):
        manager = super()._get_session_manager()
        manager._recovery_wait_secs = 1
        return manager


class Client(threading.Thread):
    """One worker of the job, as a user writes it, on a thread."""

    def __init__(self, cluster, who, folder, timeout_ms):
        super().__init__(daemon=True)
        self.cluster, self.who, self.folder = cluster, who, folder
        self.timeout_ms = timeout_ms
        self.errors, self.seen, self.failure = [], [], None
        self.stop = threading.Event()

    def build(self):
        index = int(self.who == "worker")
        me = "/job:worker/task:%d" % index
        with tf.device(tf.train.replica_device_setter(ps_tasks=1, worker_device=me)):
            w = tf.get_variable("w", [WIDTH], initializer=tf.zeros_initializer())
            step = tf.train.get_or_create_global_step()
            loss = tf.reduce_mean(tf.square(w - 1.0))
            gradient = (w - 1.0) * RATE
            opt = tf.train.GradientDescentOptimizer(1.0)
            train = opt.apply_gradients([(gradient, w)], global_step=step)
        return train, loss, step, me

    def run(self):
        try:
            with tf.Graph().as_default():
                self.work()
        except Exception as e:  # what the user would see
            self.failure = (time.time(), e)

    def creator(self, me):
        config = tf.ConfigProto(device_filters=["/job:ps", me],
                                operation_timeout_in_ms=self.timeout_ms)
        target = "grpc://" + self.cluster.hosts[self.who]
        if self.who == "chief":
            inner = tf.train.ChiefSessionCreator(master=target, config=config,
                                                 checkpoint_dir=self.folder)
        else:
            inner = QuickCreator(master=target, config=config, max_wait_secs=60)
        return Recorded(inner, self.errors)

    def work(self):
        train, loss, step, me = self.build()
        hooks = []
        if self.who == "chief":
            hooks.append(tf.train.CheckpointSaverHook(self.folder, save_steps=40))
        with tf.train.MonitoredSession(self.creator(me), hooks, stop_grace_period_secs=1) as s:
            while not self.stop.is_set():
                s.run(train)
                l, g = s.run([loss, step])
                self.seen.append((time.time(), int(g), float(l)))

    def steps_since(self, when):
        return sum(t > when for t, _, _ in self.seen)


def wait_for(what, test, seconds):
    end = time.time() + seconds
    while time.time() < end:
        if test():
            return
        time.sleep(0.02)
    raise AssertionError("%s did not come within %g s" % (what, seconds))


def saving(folder):
    """A checkpoint is being written now: its temporary files are there."""
    return any("temp" in name for name in os.listdir(folder))


def check_losses(client, both):
    """The loss of global step g is (1 - RATE)^(2g); the other worker may be a few updates ahead."""
    for _, g, l in client.seen:
        steps = np.log(max(l, 1e-30)) / (2 * np.log(1 - RATE))
        assert abs(steps - g) <= both, "%s: loss %g is of step %.1f, not %d" % (
            client.who, l, steps, g)


def check_told(client, since, names=None):
    """The fault was told in time by a code that the client recovers from, and names its cause."""
    errors = [(t, e) for t, e in client.errors if t > since]
    assert errors, "%s never heard of it" % client.who
    when, e = errors[0]
    assert isinstance(e, ERRORS), "%s: %s: %s" % (client.who, type(e).__name__, e)
    assert when - since < in_time(), "%s: told after %.1f s" % (client.who, when - since)
    assert not names or names in str(e), "%s: %s" % (client.who, e)


def check_failed(client, since, names=None):
    """The client's own deadline ended it, and the message says who was waited for."""
    wait_for(client.who + "'s failure", lambda: client.failure, 45)
    when, e = client.failure
    kinds = ERRORS + (tf.errors.DeadlineExceededError,)
    assert isinstance(e, kinds), "%s: %s: %s" % (client.who, type(e).__name__, e)
    assert not names or names in str(e), "%s: %s" % (client.who, e)


PS = "/job:ps/replica:0/task:0"


class Case:
    def __init__(self, who, how, when):
        self.who, self.how, self.when = who, how, when
        self.name = "%s %s %s" % (who, how, when)

    def hurt(self, cluster):
        if self.how == "killed":
            cluster.kill(self.who)
        elif self.how == "paused":
            cluster.send(self.who, signal.SIGSTOP)
        else:
            cluster.kill(self.who)

    def heal(self, cluster):
        if self.how == "paused":
            cluster.send(self.who, signal.SIGCONT)
        elif self.how == "restarted":
            cluster.start(self.who)

    def victims(self, clients):
        return clients if self.who == "ps" else [c for c in clients if c.who == self.who]

    def at_start(self, cluster, clients):
        since = time.time()
        self.hurt(cluster)
        for c in clients:
            c.start()
        time.sleep(1.5)
        return since

    def later(self, cluster, clients, folder):
        for c in clients:
            c.start()
        for c in clients:
            wait_for(c.who + "'s first steps", lambda c=c: len(c.seen) > 5, 60)
        wait_for("a first checkpoint", lambda: tf.train.latest_checkpoint(folder), 60)
        if self.when == "during a checkpoint":
            wait_for("a checkpoint in progress", lambda: saving(folder), 60)
        since = time.time()
        self.hurt(cluster)
        return since

    def check(self, cluster, clients, since):
        victims = self.victims(clients)
        others = [c for c in clients if c not in victims]
        told = self.who == "ps" and self.when != "at start"
        if told:
            for c in victims:
                wait_for("an error at " + c.who, lambda c=c: any(t > since for t, _ in c.errors),
                         in_time())
                check_told(c, since, PS)
        if self.how != "killed":
            self.heal(cluster)
        healed = time.time()
        if self.how == "killed":
            for c in victims:
                check_failed(c, since, PS if self.who == "ps" else None)
        else:
            for c in victims:
                wait_for("steps of %s afterwards" % c.who,
                         lambda c=c: c.steps_since(healed) > 5, 45)
        if not (self.who == "chief" and self.when == "at start"):
            for c in others:  # who does not depend on it goes on
                wait_for("steps of " + c.who, lambda c=c: c.steps_since(since) > 5, 30)
                assert not c.failure, c.failure

    def run(self, weir):
        folder = tempfile.mkdtemp(prefix="weir_fault.")
        checkpoints = os.path.join(folder, "checkpoints")
        os.mkdir(checkpoints)
        cluster = Cluster(weir, os.path.join(folder, "log"))
        timeout = 8000 if self.how == "killed" else 60000
        clients = [Client(cluster, who, checkpoints, timeout) for who in ("chief", "worker")]
        try:
            if self.when == "at start":
                since = self.at_start(cluster, clients)
            else:
                since = self.later(cluster, clients, checkpoints)
            self.check(cluster, clients, since)
            for c in clients:
                check_losses(c, 30)
            latest = tf.train.latest_checkpoint(checkpoints)
            if latest:  # whatever happened, it is whole
                tf.train.load_checkpoint(latest).get_tensor("w")
        finally:
            for c in clients:
                c.stop.set()
            time.sleep(0.1)
            cluster.end()
            shutil.rmtree(folder, ignore_errors=True)


CASES = [Case(who, how, when) for who in ("ps", "chief", "worker")
         for how in ("killed", "paused", "restarted")
         for when in ("at start", "in mid-step", "during a checkpoint")]


def outcome(case, weir):
    start = time.time()
    try:
        case.run(weir)
        return case, time.time() - start, None
    except Exception:
        return case, time.time() - start, traceback.format_exc()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weir", default=os.path.join(ROOT, "build/release/weir"))
    parser.add_argument("--jobs", type=int, default=3, help="cases at once")
    parser.add_argument("only", nargs="*", help="only cases whose names contain these words")
    a = parser.parse_args()
    cases = [c for c in CASES if all(word in c.name for word in a.only)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for case, seconds, error in pool.map(lambda c: outcome(c, a.weir), cases):
            print("%-36s %5.1f s  %s" % (case.name, seconds, "failed" if error else "ok"), flush=True)
            if error:
                failed += 1
                print(error, flush=True)
    print("faults: %d passed, %d failed" % (len(cases) - failed, failed), flush=True)
    os._exit(1 if failed else 0)  # clients that wait for a dead server would keep the process


if __name__ == "__main__":
    main()
