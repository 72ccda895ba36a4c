#!/usr/bin/env python3
"""weir board against TensorBoard's own reader: the same scalars, histograms and images, of event files
that TensorFlow wrote (of both generations) and that Weir wrote."""
import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorboard.backend.event_processing import event_accumulator  # noqa: E402

ALL = {kind: 0 for kind in ("scalars", "tensors", "histograms", "images")}


def numbers(step, *shape):
    return np.random.RandomState(step).rand(*shape).astype("f")


def write_new(folder):
    with tf.summary.create_file_writer(folder).as_default():
        for step in range(20):
            tf.summary.scalar("loss", 1.0 / (step + 1), step=step)
            tf.summary.histogram("weights", numbers(step, 500) - 0.5, step=step)
            tf.summary.image("picture", numbers(step, 1, 8, 8, 3), step=step)


def write_old(folder):
    tf1 = tf.compat.v1
    with tf.Graph().as_default() as graph:
        x, picture = tf1.placeholder(tf.float32, [None]), tf1.placeholder(tf.float32, [1, 8, 8, 3])
        merged = tf1.summary.merge([tf1.summary.scalar("mean", tf.reduce_mean(x)), tf1.summary.histogram("x", x),
                                    tf1.summary.image("picture", picture)])
        writer = tf1.summary.FileWriter(folder, graph)
        with tf1.Session() as session:
            for step in range(20):
                writer.add_summary(session.run(merged, {x: numbers(step, 300), picture: numbers(step, 1, 8, 8, 3)}), step)
        writer.close()


class Board:
    def __init__(self, weir, folder):
        self.process = subprocess.Popen([weir, "board", folder], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])

    def get(self, path):
        c = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        c.request("GET", path)
        return c.getresponse().read()

    def image(self, run, tag, step):
        found, = [i for i in run["images"] if i["tag"] == tag]
        assert found["step"] == step, (found, step)
        return self.get("/api/image?n=%d" % found["number"])


def check_points(shown, expected, what):
    assert [p[0] for p in shown] == [s for s, _ in expected], what
    assert np.allclose([p[2] for p in shown], [v for _, v in expected], rtol=1e-6), what


def check_histogram(run, tag, step, counts, least, most):
    found, = [h for h in run["histograms"] if h["tag"] == tag]
    assert found["step"] == step and np.allclose(found["counts"], counts), tag
    assert np.allclose([found["min"], found["max"]], [least, most]), (found["min"], least)


def check_run(board, run, folder):
    read = event_accumulator.EventAccumulator(folder, size_guidance=ALL)
    read.Reload()
    tags, count = read.Tags(), 0
    for tag in tags["scalars"]:
        check_points(run["scalars"][tag], [(e.step, e.value) for e in read.Scalars(tag)], tag)
        count += 1
    for tag in tags["histograms"]:
        last = read.Histograms(tag)[-1]
        value = last.histogram_value
        check_histogram(run, tag, last.step, value.bucket, value.min, value.max)
        count += 1
    for tag in tags["images"]:
        last = read.Images(tag)[-1]
        assert board.image(run, tag, last.step) == last.encoded_image_string, tag
        count += 1
    for tag in tags["tensors"]:
        events = [(e.step, tf.make_ndarray(e.tensor_proto)) for e in read.Tensors(tag)]
        step, value = events[-1]
        if value.ndim == 0:
            check_points(run["scalars"][tag], events, tag)
        elif value.dtype == object:
            assert board.image(run, tag, step) == value[2], tag
        else:
            check_histogram(run, tag, step, value[:, 2], value[0, 0], value[-1, 1])
        count += 1
    return count


def main():
    parser = argparse.ArgumentParser()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    parser.add_argument("--weir", default=os.path.join(root, "build", "release", "weir"))
    weir = os.path.abspath(parser.parse_args().weir)
    with tempfile.TemporaryDirectory() as folder:
        write_new(folder + "/new")
        write_old(folder + "/old")
        subprocess.run([weir, "train", "logreg", "--data", "synthetic", "--steps", "40", "--summary", "--dir",
                        folder + "/weir"], check=True, stdout=subprocess.DEVNULL)
        board = Board(weir, folder)
        try:
            runs = json.loads(board.get("/api/board"))["runs"]
            assert sorted(r["name"] for r in runs) == ["new", "old", "weir"], runs
            count = sum(check_run(board, r, os.path.join(folder, r["name"])) for r in runs)
        finally:
            board.process.terminate()
            board.process.wait()
    print("%d tags are as TensorBoard reads them" % count)


if __name__ == "__main__":
    sys.exit(main())
