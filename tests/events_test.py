#!/usr/bin/env python3
"""Event files and traces that Weir writes, read by TensorBoard's own reader; records both ways.

    tests/events_test.py [--lib PATH] [-k PART] [-v]
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from tensorboard.backend.event_processing import event_accumulator

import dtypes
import graphs
from listed import Tests, one_worker
from worker import Crash, Worker

v1 = tf.compat.v1
rng = np.random.RandomState(3)
KEEP_ALL = {k: 0 for k in ("scalars", "histograms", "images", "tensors", "compressedHistograms")}

SCALARS = [(i * 10, float(np.float32(rng.randn()))) for i in range(7)] + [(80, float("inf"))]
VALUES = {"f32": rng.randn(1000).astype(np.float32), "f64": rng.randn(40) * 1e15,
          "i32": rng.randint(-9, 9, 300).astype(np.int32), "zeros": np.zeros(5, np.float32),
          "one": np.array([3.5], np.float32)}
IMAGES = {c: rng.randint(0, 256, (7, 5, c)).astype(np.uint8) for c in (1, 3, 4)}

test = Tests("events")


def read(path):
    """What TensorBoard makes of a folder or file."""
    events = event_accumulator.EventAccumulator(path, size_guidance=KEEP_ALL)
    events.Reload()
    return events


def equal(a, b, what):
    if a != b:
        raise AssertionError("%s: %s, not %s" % (what, str(a)[:300], str(b)[:300]))


def pixels_of(png, channels=0):
    with tf.Graph().as_default(), v1.Session() as s:
        return s.run(tf.io.decode_png(png, channels)).tolist()


def small_graph():
    with tf.Graph().as_default() as g:
        x = v1.placeholder(tf.float32, [None, 3], "x")
        y = tf.matmul(x, tf.constant(np.eye(3, dtype=np.float32)), name="y")
        tf.nn.relu(y, name="z")
    return g


def histograms_of_tensorflow(folder):
    """VALUES as TensorFlow's own op and writer keep them."""
    with tf.Graph().as_default(), v1.Session() as s:
        merged = v1.summary.merge([v1.summary.histogram(n, tf.constant(v)) for n, v in VALUES.items()])
        with v1.summary.FileWriter(folder) as w:
            w.add_summary(s.run(merged), 5)
    return read(folder)


@test
def native(weir, folder):
    graph = small_graph().as_graph_def()
    meta = v1.train.export_meta_graph(graph=small_graph())
    run = v1.RunMetadata()
    run.step_stats.dev_stats.add(device="/cpu:0").node_stats.add(node_name="y", all_start_micros=7)
    events = [("session", 0, 1, ""), ("graph_of", graph.SerializeToString()),
              ("meta_graph_def", meta.SerializeToString())]
    events += [("scalar", step, "loss", value) for step, value in SCALARS]
    events += [("histogram", 5, name, dtypes.Value(v)) for name, v in VALUES.items()]
    events += [("image", 6, "image%d" % c, *a.shape, a.tobytes()) for c, a in IMAGES.items()]
    events += [("text", 7, "note", "some *text*"), ("run", 8, "step 8", run.SerializeToString()),
               ("session", 9, 3, "/tmp/model-9")]
    path = weir.call("write_events", folder, events)
    got, theirs = read(path), histograms_of_tensorflow(os.path.join(folder, "tf"))
    equal([(e.step, e.value) for e in got.Scalars("loss")], SCALARS, "scalars")
    for name in VALUES:
        equal([(e.step, e.histogram_value) for e in got.Histograms(name)],
              [(e.step, e.histogram_value) for e in theirs.Histograms(name)], "histogram " + name)
    for c, a in IMAGES.items():
        (e,) = got.Images("image%d" % c)
        equal((e.step, e.height, e.width), (6, 7, 5), "image")
        equal(pixels_of(e.encoded_image_string, c), a.tolist(), "pixels")
    (e,) = got.Tensors("note")
    equal(tf.make_ndarray(e.tensor_proto).item(), b"some *text*", "text")
    equal(sorted(got.Tags()["images"]), ["image1", "image3", "image4"], "tags")
    equal([n.name for n in v1.GraphDef.FromString(got.Graph().SerializeToString()).node],
          [n.name for n in graph.node], "graph")
    equal(got.MetaGraph().SerializeToString(deterministic=True),
          meta.SerializeToString(deterministic=True), "meta graph")
    equal(v1.RunMetadata.FromString(got.RunMetadata("step 8").SerializeToString()), run, "run metadata")
    logs = [e.session_log for e in v1.train.summary_iterator(path) if e.HasField("session_log")]
    equal([(l.status, l.checkpoint_path) for l in logs], [(1, ""), (3, "/tmp/model-9")], "session log")


def everything(events):
    """All that a reader found, but for the times."""
    tags = events.Tags()
    out = {"scalars": {t: [(e.step, e.value) for e in events.Scalars(t)] for t in tags["scalars"]},
           "histograms": {t: [(e.step, e.histogram_value) for e in events.Histograms(t)]
                          for t in tags["histograms"]},
           "tensors": {t: [(e.step, tf.make_ndarray(e.tensor_proto).tolist()) for e in events.Tensors(t)]
                       for t in tags["tensors"]},
           "images": {t: [(e.step, e.width, e.height, pixels_of(e.encoded_image_string))
                          for e in events.Images(t)] for t in tags["images"]}}
    return out


@test
def by_summary_ops(weir, folder):
    """One graph of summary ops, run by both; TensorFlow's writer and Weir's."""
    x, image = rng.randn(50).astype(np.float32), rng.rand(2, 6, 4, 3).astype(np.float32)
    with tf.Graph().as_default() as g, v1.Session() as s:
        value = v1.placeholder(tf.float32, [None], "value")
        merged = v1.summary.merge([
            v1.summary.scalar("mean", tf.reduce_max(value)), v1.summary.histogram("spread", value),
            v1.summary.image("picture", tf.constant(image), max_outputs=2),
            v1.summary.text("words", tf.constant(["a", "b"])),
            v1.summary.tensor_summary("whole", value)])
        with v1.summary.FileWriter(os.path.join(folder, "tf")) as w:
            for step in range(3):
                w.add_summary(s.run(merged, {value: x * step}), step)
        runs = [{"feeds": {"value:0": x * step}, "fetches": [merged.name], "targets": []} for step in range(3)]
        reply = weir.call("job", {"graph": g.as_graph_def().SerializeToString(), "runs": runs})
    made = [r[0] for r in reply["runs"]]
    path = weir.call("write_events", os.path.join(folder, "weir"),
                     [("add_summary", step, m) for step, m in enumerate(made)])
    equal(everything(read(path)), everything(read(os.path.join(folder, "tf"))), "events")


@test
def by_writer_ops(weir, folder):
    """The ops that write event files by themselves."""
    x = rng.randn(50).astype(np.float32)
    pixels = rng.randint(0, 256, (1, 6, 4, 3)).astype(np.uint8)

    def run(worker, place):
        g = graphs.GraphBuilder()
        w = g.op("SummaryWriter", shared_name="w")
        make = g.op("CreateSummaryFileWriter", w, g.const(place), g.const(10, "i32"), g.const(1000, "i32"),
                    g.const(".x"))
        step = g.const(4, "i64")
        some = [g.op("WriteScalarSummary", w, step, g.const("s"), g.const(np.float32(2.5)), _control=[make]),
                g.op("WriteHistogramSummary", w, step, g.const("h"), g.const(x), _control=[make]),
                g.op("WriteImageSummary", w, step, g.const("i"), g.const(pixels), g.const(np.uint8([255, 0, 0, 255])),
                     _control=[make])]
        g.run(targets=[g.op("CloseSummaryWriter", w, _control=some)])
        reply = worker.call("job", {"graph": g.graph_def(), "config": graphs.plain_config(), "runs": g.runs})
        for r in [reply["error"]] + reply["runs"]:
            if isinstance(r, Exception):
                raise r
        return everything(read(place))
    theirs = Worker(graphs.library_path())
    try:
        equal(run(weir, os.path.join(folder, "weir")), run(theirs, os.path.join(folder, "tf")), "events")
    finally:
        theirs.stop()


@test
def traces(weir, folder):
    data = small_graph().as_graph_def().SerializeToString()
    x = np.ones((2, 3), np.float32)
    ours = weir.call("traced_run", data, ["z:0"], {"x:0": x})
    with tf.Graph().as_default() as g, v1.Session() as s:
        tf.import_graph_def(v1.GraphDef.FromString(data), name="")
        theirs = v1.RunMetadata()
        s.run("z:0", {"x:0": x}, v1.RunOptions(trace_level=3), theirs)
    for name, metadata in (("ours", ours), ("theirs", theirs.SerializeToString())):
        path = os.path.join(folder, name + ".json")
        weir.call("write_trace", path, metadata)
        with open(path) as f:
            events = json.load(f)["traceEvents"]
        stats = v1.RunMetadata.FromString(metadata).step_stats
        ops = [e for e in events if e["ph"] == "X"]
        equal(sorted(e["args"]["name"] for e in ops),
              sorted(n.node_name for d in stats.dev_stats for n in d.node_stats), name)
        equal([e["args"]["name"] for e in events if e["name"] == "process_name"],
              [d.device for d in stats.dev_stats], "devices")
        assert min(e["ts"] for e in ops) == 0 and all(e["dur"] >= 0 for e in ops)
        assert "MatMul" in {e["name"] for e in ops} or name == "theirs", ops
    # Whatever is cut off or changed: a file or a status.
    for cut in range(0, len(ours), 3):
        bad = bytearray(ours)
        bad[cut] ^= 0x2d
        for broken in (bytes(bad), ours[:cut]):
            try:
                weir.call("write_trace", path, broken)
            except Crash:
                raise
            except Exception as e:
                equal(getattr(e, "name", e), "DATA_LOSS", "damaged")


@test
def packed_records(weir, folder):
    """Records of every packing, written by TensorFlow and read by Weir, and the other way round."""
    records = [rng.bytes(n) for n in (0, 1, 100, 70000)]
    for packing in ("", "GZIP", "ZLIB"):
        theirs, ours = (os.path.join(folder, who + packing) for who in ("tf", "weir"))
        with tf.io.TFRecordWriter(theirs, packing or None) as w:
            for r in records:
                w.write(r)
        weir.call("write_records", ours, records, packing)
        for path in (theirs, ours):
            options = v1.io.TFRecordOptions({"": 0, "ZLIB": 1, "GZIP": 2}[packing])
            equal(list(v1.io.tf_record_iterator(path, options)), records, "TensorFlow reads " + path)
            equal(weir.call("read_records", path, packing), records, "Weir reads " + path)


if __name__ == "__main__":
    sys.exit(test.main(one_worker))
