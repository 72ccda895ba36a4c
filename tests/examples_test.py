#!/usr/bin/env python3
"""The programs of docs/examples: each runs and prints what mathematics or TensorFlow says."""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow.compat.v1 as tf

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
TESTS, BUILD = {}, None


def test(f):
    TESTS[f.__name__] = f
    return f


def program(name, *arguments):
    """What it prints; a failure is an exception."""
    command = [os.path.join(BUILD, "examples", name)] + list(arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (command, done.returncode, done.stderr)
    return done.stdout


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def close(text, expected, tolerance=1e-4):
    assert np.allclose(numbers(text), expected, atol=tolerance), (text, expected)


@test
def first_graph(folder):
    y = np.array([1, -0.5]) @ np.array([[1, 2, 3], [4, 5, 6]])
    close(program("first_graph"), np.concatenate([y, np.exp(y) / np.exp(y).sum()]))


@test
def linear_regression(folder):
    slope, start, steps, loss = numbers(program("linear_regression"))
    assert (slope, start, steps) == (3, 2, 300) and loss < 1e-4, (slope, start, loss)


@test
def logistic_regression(folder):
    loss, accuracy = numbers(program("logistic_regression"))
    assert loss < 0.25 and accuracy > 0.9, (loss, accuracy)


@test
def gradients(folder):
    # z = (1 - x)^2 + 10 (y - x^2)^2 at (-1, 2), then its minimum
    close(program("gradients"), [-1, 2, 14, -4 + 40, 20, 1, 1], 2e-3)


@test
def control_flow(folder):
    close(program("control_flow"), [2, 2 ** 0.5, 0.5 * 2 ** -0.5, 9, 3, 1 / 6, -4, -1, -1 / 4])


@test
def queue_input(folder):
    close(program("queue_input"), [13, sum(range(100))])


@test
def checkpoints(folder):
    close(program("checkpoints", folder), [32, 32, 3, 8])
    assert tf.train.latest_checkpoint(folder).endswith("powers-5")
    assert tf.train.load_checkpoint(folder).get_tensor("power") == 32
    assert len(glob.glob(folder + "/*.index")) == 3


@test
def summaries(folder):
    assert program("summaries", folder).startswith("100 steps")
    scalars, kinds, sessions = [], set(), 0
    for event in tf.train.summary_iterator(glob.glob(folder + "/events*")[0]):
        kinds.add(event.WhichOneof("what"))
        for value in event.summary.value:
            kinds.add(value.WhichOneof("value"))
            if value.tag == "loss":
                scalars.append((event.step, value.simple_value))
            if value.tag == "pixels":
                assert value.histo.num == 256
    assert [s for s, _ in scalars] == [20, 40, 60, 80, 100], scalars
    # loss = sum of squares / 2 shrinks by 0.95^2 a step
    for (a, first), (b, second) in zip(scalars, scalars[1:]):
        assert np.isclose(second / first, 0.95 ** (2 * (b - a)), rtol=1e-3), scalars
    assert {"graph_def", "session_log", "histo", "image", "simple_value", "tagged_run_metadata"} <= kinds, kinds
    trace = json.load(open(folder + "/timeline-50.json"))
    assert any("ApplyGradientDescent" in str(e) for e in trace["traceEvents"])


@test
def schedule_and_clip(folder):
    rates = [row[1] for row in map(numbers, program("schedule_and_clip").splitlines())]
    steps = np.arange(0, 50, 10)
    close(" ".join(map(str, rates)), 0.1 * (0.99 * (1 + np.cos(np.pi * steps / 50)) / 2 + 0.01), 1e-4)
    rows = [numbers(line) for line in program("schedule_and_clip").splitlines()]
    assert rows[0][2:] == [1.9, 1.99] and abs(rows[-1][2]) < 0.02, rows  # as the step left them
    # while the gradient is 1, w has lost what the rates add up to
    assert np.isclose(rows[1][2], 2 - sum(0.1 * (0.99 * (1 + np.cos(np.pi * s / 50)) / 2 + 0.01)
                                          for s in range(11)), atol=1e-3), rows


@test
def embedding(folder):
    first, second = program("embedding").splitlines()
    assert first == "the gradient is sparse"
    start, end = numbers(second)
    assert start > 1 and end < 0.01, second


@test
def saved_model(folder):
    close(program("saved_model", folder + "/m"), [3, 5, 7])
    with tf.Graph().as_default(), tf.Session() as s:
        meta = tf.saved_model.loader.load(s, ["serve"], folder + "/m")
        serve = meta.signature_def["serving_default"]
        y = s.run(serve.outputs["y"].name, {serve.inputs["x"].name: [0, 10]})
    assert list(y) == [1, 21], y


@test
def remote_session(folder):
    server = subprocess.Popen([os.path.join(BUILD, "weir"), "server", "--port", "0"],
                              stdout=subprocess.PIPE, text=True)
    try:
        target = re.search(r"grpc://\S+", server.stdout.readline()).group(0)
        close(program("remote_session", target), [3])
        close(program("remote_session", target), [6])
    finally:
        server.kill()
        server.wait()


@test
def cluster(folder):
    command = [os.path.join(BUILD, "weir"), "run", "--ps", "1", "--workers", "2", "--",
               os.path.join(BUILD, "examples", "cluster")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    for i in range(2):
        assert "worker %d of 2: the mean is 15.00" % i in done.stdout, done.stdout
    assert "the mean is 10.00" in program("cluster")  # alone


@test
def all_are_tested(folder):
    here = {os.path.basename(p)[:-2] for p in glob.glob(os.path.join(ROOT, "docs", "examples", "*.c"))}
    assert here == set(TESTS) - {"all_are_tested"}, here ^ set(TESTS)
    for path in glob.glob(os.path.join(ROOT, "docs", "examples", "*.c")):
        assert len(open(path).readlines()) < 80, path


def main():
    global BUILD
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, "build", "release"))
    parser.add_argument("names", nargs="*", help="only these")
    args = parser.parse_args()
    BUILD, passed, failed = args.build, 0, 0
    for name in args.names or TESTS:
        try:
            with tempfile.TemporaryDirectory() as folder:
                TESTS[name](folder)
            passed += 1
        except Exception:
            failed += 1
            print("%s failed:\n%s" % (name, traceback.format_exc()))
    print("examples: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
