#!/usr/bin/env python3
"""weir explain against causes that were planted: does it name them?

    tests/explain_trials.py            # 20 trials over seven causes, and five with nothing planted
    tests/explain_trials.py --only slow-worker,none --times 1

Each trial is a cluster of weir servers of its own, with one client thread a worker. The slow link is
one of a network namespace, which needs root and iproute2. Ends with the verdicts, and fails where fewer than 18 of 20 are right or a
cause is named where there is none.
"""
import argparse
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import tensorflow.compat.v1 as tf  # noqa: E402

from clusters import Cluster, free_ports  # noqa: E402

tf.disable_v2_behavior()
SECONDS = 3


# ---- the graph --------------------------------------------------------------------------------------


def work(times, size=320):
    """About |times| milliseconds of multiplications."""
    x = tf.random.uniform([size, size])
    for _ in range(times):
        x = tf.matmul(x, x) * (1.0 / size)
    return tf.reduce_sum(x)


def step(worker, times, floats, ps_of=lambda i: 0, parts=1):
    """A worker's step: reads variables of |floats| elements in |parts|, computes, and updates them."""
    reads, updates = [], []
    for i in range(parts):
        with tf.device("/job:ps/task:%d" % ps_of(i)):
            variable = tf.get_variable("v%d" % i, [floats // parts], initializer=tf.zeros_initializer())
        reads.append(variable)
    with tf.device("/job:worker/task:%d" % worker):
        result = work(times)
        gradients = [tf.identity(v) * 1e-9 + result * 1e-12 for v in reads]
    for i, (variable, gradient) in enumerate(zip(reads, gradients)):
        with tf.device(variable.device):
            updates.append(tf.assign_sub(variable, gradient))
    return tf.group(*updates)


# ---- one trial --------------------------------------------------------------------------------------


class Trial:
    """Servers, one graph a worker, and a thread that runs each until the trial is over."""

    def __init__(self, cluster, workers, build):
        self.cluster, self.over = cluster, threading.Event()
        self.threads, self.sessions = [], []
        for i in range(workers):
            with tf.Graph().as_default():
                run, init, also = build(i)
                session = tf.Session(cluster.target("worker", i))
                if i == 0:
                    session.run(init)
                self.sessions.append(session)
                self.threads += [threading.Thread(target=self.loop, args=(session, op, pause), daemon=True)
                                 for op, pause in [(run, 0), *also]]
        for t in self.threads:
            t.start()

    def loop(self, session, op, pause):
        call = session.make_callable(op)
        while not self.over.is_set():
            try:
                call()
            except tf.errors.OpError as problem:
                if not self.over.is_set():
                    print("a step failed:", problem, flush=True)
                return
            if pause:
                time.sleep(pause)

    def verdict(self, weir):
        time.sleep(1.5)
        out = subprocess.run([weir, "explain", self.cluster.spec["worker"][0], "--seconds", str(SECONDS), "-o", "json"],
                             capture_output=True, text=True, timeout=60)
        assert out.returncode == 0, out.stderr
        return json.loads(out.stdout)

    def stop(self):
        self.over.set()
        for p in self.cluster.processes.values():
            p.kill()
            p.wait()


def simple(times, floats, ps_of=lambda i: 0, parts=1):
    def build(worker):
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            run = step(worker, times, floats, ps_of, parts)
        return run, tf.global_variables_initializer(), []
    return build


def plain_cluster(weir, ps=1, workers=2, threads=1):
    return Cluster(" ".join(["ps:weir"] * ps + ["worker:weir"] * workers), weir=weir,
                   env={"WEIR_THREADS": str(threads), "WEIR_TRANSPORTS": "grpc"})


# ---- what is planted: each gives a trial, and what to do afterwards -----------------------------------


def nothing(weir):
    return Trial(plain_cluster(weir), 2, simple(30, 20000)), lambda: None


def until_it_listens(port):
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            return socket.create_connection(("localhost", port), 5).close()
        except OSError:
            time.sleep(0.1)


def tiny_batch(weir):
    """Steps of microseconds: the words of weir train, because a client in Python is slower than they are."""
    ports = free_ports(3)
    hosts = ["localhost:%d" % p for p in ports]
    words = [weir, "train", "logreg", "--data", "synthetic", "--steps", "1000000000", "--batch", "2",
             "--ps_hosts", hosts[0], "--worker_hosts", ",".join(hosts[1:])]
    tasks = [subprocess.Popen(words + ["--job_name", job, "--task_index", str(i)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, cwd="/tmp") for job, i in
             (("ps", 0), ("worker", 0), ("worker", 1))]
    for p in ports:
        until_it_listens(p)
    trial = Trial.__new__(Trial)
    trial.cluster = Cluster("", weir=weir, start=False)
    trial.cluster.spec = {"worker": hosts[1:]}
    trial.over, trial.threads = threading.Event(), []

    def end():
        for t in tasks:
            t.kill()
            t.wait()
    return trial, end


def slow_worker(weir):
    """One worker's process stands still two thirds of the time."""
    trial = Trial(plain_cluster(weir), 2, simple(30, 20000))
    pid, over = trial.cluster.processes["worker", 1].pid, threading.Event()

    def hold():
        while not over.is_set():
            os.kill(pid, signal.SIGSTOP)
            time.sleep(0.04)
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.01)
    thread = threading.Thread(target=hold)
    thread.start()

    def end():
        over.set()
        thread.join()
    return trial, end


def unbalanced(weir):
    """Nearly all bytes on one of two parameter servers."""
    return Trial(plain_cluster(weir, ps=2), 2, simple(2, 6000000, ps_of=lambda i: int(i == 7), parts=8)), lambda: None


def starved(weir):
    """A queue of examples that a slow thread fills."""
    def build(worker):
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            with tf.device("/job:worker/task:%d" % worker):
                queue = tf.FIFOQueue(20, [tf.float32], [[100]], shared_name="examples%d" % worker)
                batch = queue.dequeue()
                put = queue.enqueue([tf.zeros([100])])
            with tf.control_dependencies([batch]):
                run = step(worker, 5, 20000)
        return run, tf.global_variables_initializer(), [(put, 0.15)]
    return Trial(plain_cluster(weir), 2, build), lambda: None


def threads(weir):
    """Three tasks with as many threads each as four machines have processors."""
    count = 4 * (os.cpu_count() or 1)
    return Trial(plain_cluster(weir, threads=count), 2, simple(30, 20000)), lambda: None


def one_lock(weir):
    """A queue with one element, which a step of any worker takes at its begin and returns at its end."""
    def build(worker):
        with tf.variable_scope("", reuse=tf.AUTO_REUSE):
            with tf.device("/job:ps/task:0"):
                queue = tf.FIFOQueue(1, [tf.int32], [[]], shared_name="lock")
                token = queue.dequeue()
            with tf.control_dependencies([token]):
                run = step(worker, 15, 20000)
            with tf.control_dependencies([run]), tf.device("/job:ps/task:0"):
                run = queue.enqueue(token)
            init = tf.group(tf.global_variables_initializer(), queue.enqueue(0))
        return run, init, []
    return Trial(plain_cluster(weir, workers=3), 3, build), lambda: None


LINKS = itertools.count(os.getpid())


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def slow_link(weir):
    """The parameter server on a machine of its own behind a link of 30 Mbit/s."""
    number = next(LINKS) % 200
    name, here, there = "weir-x%d" % number, "10.231.%d.1" % number, "10.231.%d.2" % number
    ip("netns", "add", name)
    ip("link", "add", "wx%da" % number, "type", "veth", "peer", "name", "wx%db" % number, "netns", name)
    ip("addr", "add", here + "/24", "dev", "wx%da" % number)
    ip("link", "set", "wx%da" % number, "up")
    inside = ["netns", "exec", name]
    ip(*inside, "ip", "addr", "add", there + "/24", "dev", "wx%db" % number)
    ip(*inside, "ip", "link", "set", "wx%db" % number, "up")
    ip(*inside, "ip", "link", "set", "lo", "up")
    shape = ["root", "tbf", "rate", "30mbit", "burst", "32k", "latency", "400ms"]
    subprocess.run(["tc", "qdisc", "add", "dev", "wx%da" % number, *shape], check=True)
    ip(*inside, "tc", "qdisc", "add", "dev", "wx%db" % number, *shape)
    cluster = plain_cluster(weir)
    cluster.stop()
    ports = free_ports(2)
    cluster.spec = {"ps": [there + ":2222"], "worker": ["%s:%d" % (here, p) for p in ports]}
    for task in cluster.kinds:
        cluster.weir = weir
        cluster.start_task(*task, wait=False, under=("ip", *inside) if task[0] == "ps" else ())
    for p in cluster.processes.values():
        cluster._wait(p)
    return Trial(cluster, 2, simple(5, 200000)), lambda: ip("netns", "del", name)


CAUSES = {  # verdict: what plants it, trials of 20
    "network": (slow_link, 3),
    "slow-worker": (slow_worker, 3),
    "unbalanced": (unbalanced, 3),
    "input": (starved, 3),
    "small-steps": (tiny_batch, 3),
    "threads": (threads, 3),
    "queue": (one_lock, 2),
    "none": (nothing, 5),
}


def run_trial(weir, cause):
    trial, end = CAUSES[cause][0](weir)
    try:
        return trial.verdict(weir)
    finally:
        end()
        trial.stop()


def run(weir, only=None, times=None):
    """{cause: [verdict, ...]}"""
    found = {}
    for cause, (_, usual) in CAUSES.items():
        if only and cause not in only:
            continue
        if cause == "network" and (os.geteuid() != 0 or not shutil.which("tc")):
            print("network: needs root and iproute2", flush=True)
            continue
        for _ in range(times or usual):
            got = run_trial(weir, cause)
            found.setdefault(cause, []).append(got["verdict"])
            print("%-12s %-12s %s" % (cause, got["verdict"], got["because"]), flush=True)
            if got["verdict"] != cause:
                print("   ", json.dumps(got["workers"]), flush=True)
    return found


def main():
    parser = argparse.ArgumentParser()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    parser.add_argument("--weir", default=os.path.join(root, "build", "release", "weir"))
    parser.add_argument("--only", default="")
    parser.add_argument("--times", type=int)
    args = parser.parse_args()
    found = run(os.path.abspath(args.weir), args.only.split(",") if args.only else None, args.times)
    planted = [(c, v) for c, all in found.items() if c != "none" for v in all]
    right = sum(c == v for c, v in planted)
    clean = found.get("none", []).count("none")
    print("planted: %d of %d found; nothing planted: %d of %d" % (right, len(planted), clean,
                                                                   len(found.get("none", []))))
    return right < 0.9 * len(planted) or clean < len(found.get("none", []))


if __name__ == "__main__":
    code = int(main())
    sys.stdout.flush()
    os._exit(code)  # client threads may still wait for servers that are gone
