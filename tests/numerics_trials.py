#!/usr/bin/env python3
"""--check-numerics against infinities that were planted: does it name the op and the worker?

    tests/numerics_trials.py            # four places in each of five models
    tests/numerics_trials.py --places 1

Two workers train on one parameter server. In the third step of one of them a node "planted" somewhere
in the model makes an infinity, which then reaches everything by way of the variables. Exactly one mark
must name a node, that one, on that worker.
"""
import argparse
import json
import os
import sys
import urllib.request

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import numpy as np  # noqa: E402
import tensorflow.compat.v1 as tf  # noqa: E402

from clusters import Cluster  # noqa: E402

tf.disable_v2_behavior()


class Planter:
    """Adds log(1 - gate), which is 0 for a gate of 0 and -inf for 1, to one of the tensors it is shown."""

    def __init__(self, place):
        self.place, self.seen = place, 0
        self.gate = tf.placeholder(tf.float32, [], name="gate")

    def __call__(self, tensor):
        chosen, self.seen = self.seen == self.place, self.seen + 1
        return tensor + tf.log(1.0 - self.gate, name="planted") if chosen else tensor


def variable(name, *shape):
    return tf.get_variable(name, shape, initializer=tf.random_normal_initializer(stddev=0.1, seed=1))


def logreg(x, plant):
    return plant(tf.matmul(plant(x), plant(variable("w", 64, 4)))) + variable("b", 4)


def mlp(x, plant):
    for i in range(2):
        x = plant(tf.nn.relu(tf.matmul(x, variable("w%d" % i, 64, 64))))
    return plant(tf.matmul(x, variable("w", 64, 4)))


def conv(x, plant):
    x = plant(tf.nn.conv2d(tf.reshape(x, [-1, 8, 8, 1]), variable("k", 3, 3, 1, 4), 1, "SAME"))
    x = plant(tf.nn.max_pool2d(tf.nn.relu(x), 2, 2, "SAME"))
    return plant(tf.matmul(tf.reshape(x, [-1, 64]), variable("w", 64, 4)))


def recurrent(x, plant):
    state, weights = tf.zeros([8, 16]), variable("u", 24, 16)
    for part in tf.split(x, 8, axis=1):
        state = tf.tanh(tf.matmul(tf.concat([part, state], 1), weights))
    return plant(tf.matmul(plant(state), plant(variable("w", 16, 4))))


def embedding(x, plant):
    rows = tf.gather(variable("table", 100, 16), tf.cast(tf.abs(x[:, :4]) * 10, tf.int32))
    return plant(tf.matmul(plant(tf.reduce_mean(rows, 1)), plant(variable("w", 16, 4))))


MODELS = [logreg, mlp, conv, recurrent, embedding]
PLACES = 4  # three in each model, and its loss


def train(cluster, model, place, bad_worker):
    x = np.random.RandomState(0).rand(8, 64).astype("f")
    labels = np.arange(8) % 4
    runs = []
    for worker in range(2):
        with tf.Graph().as_default(), tf.device(tf.train.replica_device_setter(
                ps_tasks=1, worker_device="/job:worker/task:%d" % worker)):
            plant = Planter(place)
            loss = plant(tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels, logits=model(tf.constant(x), plant))))
            op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
            session = tf.Session(cluster.target("worker", worker))
            if worker == 0:
                session.run(tf.global_variables_initializer())
            runs.append((session, [op, loss], plant.gate))
    for step in range(5):
        for worker, (session, fetches, gate) in enumerate(runs):
            session.run(fetches, {gate: float(step == 2 and worker == bad_worker)})
    for session, _, _ in runs:
        session.close()


def marks(cluster):
    found = []
    for job, hosts in cluster.spec.items():
        for host in hosts:
            with urllib.request.urlopen("http://%s/api/marks" % host) as answer:
                found += [m["text"] for m in json.load(answer) if m["kind"] == "numerics"]
    return found


def main():
    parser = argparse.ArgumentParser()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    parser.add_argument("--weir", default=os.path.join(root, "build", "release", "weir"))
    parser.add_argument("--places", type=int, default=PLACES, help="in each model")
    args = parser.parse_args()
    right = total = 0
    for number, model in enumerate(MODELS):
        for i in range(args.places):
            place, worker = (number + i) % PLACES, (number + i) % 2
            with Cluster("ps:weir worker:weir worker:weir", weir=os.path.abspath(args.weir),
                         env={"WEIR_CHECK_NUMERICS": "1"}) as cluster:
                train(cluster, model, place, worker)
                found = marks(cluster)
            wanted = "node planted (Log) on /job:worker/replica:0/task:%d/" % worker
            fine = len(found) == 1 and found[0].startswith(wanted)
            total, right = total + 1, right + fine
            if not fine:
                print("%s, place %d, worker %d: %s" % (model.__name__, place, worker, found), flush=True)
    print("%d of %d planted infinities were named, with their worker" % (right, total))
    return right < total


if __name__ == "__main__":
    sys.exit(main())
