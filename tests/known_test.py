#!/usr/bin/env python3
"""Values that their receiver has already are not sent again, and none that changed is ever missed: programs made
from a seed that read and change variables of a parameter server from two workers, over TCP.

After every change of any kind, of reference and resource variables, of the whole or of a few rows, what each
worker reads must be what NumPy says. A variable that nobody changes costs a few bytes a step.
"""
import argparse
import os
import random
import re
import sys
import traceback
import urllib.request

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

from clusters import Cluster

tf.disable_v2_behavior()
tf.logging.set_verbosity(tf.logging.ERROR)
ROWS, COLUMNS = 300, 100  # 120 kB: more than travels by the step's own stream
PS, WORKERS = "/job:ps/task:0", ["/job:worker/task:0", "/job:worker/task:1"]
BY_TCP = {"WEIR_TRANSPORTS": "grpc"}


class Program:
    """Two variables on the parameter server, their changes, and what they must be."""

    def __init__(self, cluster):
        self.graph = tf.Graph()
        self.cluster = cluster
        with self.graph.as_default():
            with tf.device(PS):
                self.variables = [tf.get_variable("v%d" % i, [ROWS, COLUMNS], use_resource=bool(i % 2),
                                                  initializer=tf.zeros_initializer()) for i in range(3)]
                self.whole = tf.placeholder(tf.float32, [ROWS, COLUMNS])
                self.rows = tf.placeholder(tf.float32, [None, COLUMNS])
                self.at = tf.placeholder(tf.int32, [None])
                self.rate = tf.placeholder(tf.float32, [])
                self.changes = [self.changes_of(v) for v in self.variables]
                self.init = tf.global_variables_initializer()
            self.reads = []  # by worker and variable: the value, and a slice of it that begins where it is told
            for worker in WORKERS:
                with tf.device(worker):
                    self.reads.append([(tf.identity(v), tf.reduce_sum(v)) for v in self.variables])
            with tf.device(PS):
                parts = [v[self.at[0]:self.at[0] + 200] for v in self.variables]
            self.parts = []
            for worker in WORKERS:
                with tf.device(worker):
                    self.parts.append([tf.identity(p) for p in parts])
        self.want = [np.zeros([ROWS, COLUMNS], np.float32) for _ in self.variables]
        self.sessions = [tf.Session(cluster.target("worker", i), graph=self.graph) for i in range(2)]
        self.sessions[0].run(self.init)

    def changes_of(self, v):
        descent = tf.train.GradientDescentOptimizer(self.rate).apply_gradients([(self.whole, v)])
        return {"assign": v.assign(self.whole).op, "add": v.assign_add(self.whole).op, "descent": descent,
                "scatter": tf.scatter_update(v, self.at, self.rows)}

    def change(self, rng, i):
        kind = rng.choice(["assign", "add", "descent", "scatter", "scatter"])
        whole = np.full([ROWS, COLUMNS], rng.randrange(100), np.float32)
        at = np.array(rng.sample(range(ROWS), rng.choice([1, 3])), np.int32)
        rows = np.full([len(at), COLUMNS], rng.randrange(100), np.float32)
        self.sessions[rng.randrange(2)].run(self.changes[i][kind], {
            self.whole: whole, self.at: at, self.rows: rows, self.rate: 0.5})
        if kind == "assign":
            self.want[i] = whole
        elif kind == "add":
            self.want[i] = self.want[i] + whole
        elif kind == "descent":
            self.want[i] = self.want[i] - np.float32(0.5) * whole
        else:
            self.want[i] = self.want[i].copy()
            self.want[i][at] = rows
        return kind

    def read(self, rng, i):
        worker = rng.randrange(2)
        if rng.random() < 0.3:
            at = rng.choice([0, 50, 100])
            got = self.sessions[worker].run(self.parts[worker][i], {self.at: [at]})
            np.testing.assert_array_equal(got, self.want[i][at:at + 200])
            return
        got, total = self.sessions[worker].run(self.reads[worker][i])
        np.testing.assert_array_equal(got, self.want[i])
        np.testing.assert_allclose(total, self.want[i].sum(dtype=np.float64), rtol=1e-4)

    def close(self):
        for session in self.sessions:
            session.close()


def sent_bytes(cluster):
    """What the parameter server has sent to others."""
    with urllib.request.urlopen("http://%s/metrics" % cluster.spec["ps"][0]) as answer:
        text = answer.read().decode()
    return sum(float(n) for n in re.findall(r'^weir_peer_sent_bytes_total{[^}]*} (\S+)$', text, re.M))


def random_program(seed, weir):
    rng = random.Random(seed)
    with Cluster("ps:weir worker:weir worker:weir", weir, env=BY_TCP) as cluster:
        program = Program(cluster)
        for step in range(150):
            i = rng.randrange(3)
            if rng.random() < 0.25:
                program.change(rng, i)
            else:
                program.read(rng, i)
            if step == 75 and seed % 2:  # a server that comes back has other values under old keys
                program.close()
                cluster.stop_task("ps", 0)
                cluster.start_task("ps", 0)
                program = Program(cluster)
        program.close()


def unchanged_costs_little(seed, weir):
    with Cluster("ps:weir worker:weir worker:weir", weir, env=BY_TCP) as cluster:
        program = Program(cluster)
        read = lambda: [program.sessions[0].run(program.reads[0][i][0].op) for i in range(3)]
        for _ in range(4):
            read()
        before = sent_bytes(cluster)
        assert before > 3 * ROWS * COLUMNS * 4, before
        for _ in range(20):
            read()
        assert sent_bytes(cluster) - before < 20 * 3 * 300, sent_bytes(cluster) - before
        program.change(random.Random(seed), 1)
        read()
        grown = sent_bytes(cluster) - before
        assert ROWS * COLUMNS * 4 < grown < 2 * ROWS * COLUMNS * 4, grown
        program.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lib")
    parser.add_argument("--weir", default=Cluster("").weir)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    passed = failed = 0
    for check, seed in [(unchanged_costs_little, 1)] + [(random_program, seed) for seed in range(args.seeds)]:
        try:
            check(seed, args.weir)
            passed += 1
        except Exception:
            traceback.print_exc()
            print("FAILED %s, seed %d" % (check.__name__, seed), flush=True)
            failed += 1
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
