#!/usr/bin/env python3
"""weir inspect, ckpt and predict on files that TensorFlow wrote, and on damaged ones.

    tests/cli_files_test.py [--weir PATH] [--hostile N [--seed S]]

What the command says is compared with what was written, not with what it said before. --hostile N
damages each file in N ways and only asks that no command crashes or hangs.
"""
import argparse
import contextlib
import csv
import gzip
import io
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
tf1 = tf.compat.v1
tf.get_logger().setLevel("ERROR")
DTYPES = ["float32", "float64", "int32", "int64", "uint8", "bool", "complex64", "float16"]


class Failed(Exception):
    pass


# ---- what TensorFlow writes ----------------------------------------------------------------------

def write_graph_files():
    """A small model as graph, checkpoints, frozen graph and SavedModel; returns its GraphDefs."""
    with tf.Graph().as_default() as g:
        x = tf1.placeholder(tf.float32, [None, 3], name="x")
        w = tf1.get_variable("w", initializer=np.arange(6, dtype="f4").reshape(3, 2), use_resource=False)
        b = tf1.get_variable("b", initializer=np.ones(2, "f4"), use_resource=True)
        s = tf1.get_variable("s", initializer=tf.constant(["hi", "there"]))
        many = [tf1.get_variable("t_" + t, initializer=np.arange(4).astype(t)) for t in DTYPES]
        y = tf.nn.softmax(tf.matmul(x, w) + b, name="y")
        with tf1.Session() as sess:
            sess.run(tf1.global_variables_initializer())
            graph = g.as_graph_def()
            tf1.train.Saver([w, b, s] + many).save(sess, "v2/model", global_step=7)
            os.makedirs("v1")
            tf1.train.Saver([w, b], write_version=tf1.train.SaverDef.V1).save(sess, "v1/old")
            sess.run(w.assign(w + 0.5))
            tf1.train.Saver([w, b]).save(sess, "later/model")
            frozen = tf1.graph_util.convert_variables_to_constants(sess, graph, ["y"])
            tf1.saved_model.simple_save(sess, "saved1", {"x": x}, {"y": y})
            want = sess.run(y, {x: [[1, 2, 3], [4, 5, 6]]})
    for name, message in (("graph.pb", graph), ("frozen.pb", frozen)):
        with open(name, "wb") as f:
            f.write(message.SerializeToString())
        with open(name + "txt", "w") as f:
            f.write(str(message))
    return graph, frozen, want


def write_keras():
    """A model of two inputs and outputs, and one that reads images."""
    class Two(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32, name="a"),
                                      tf.TensorSpec([None], tf.int64, name="b")])
        def serve(self, a, b):
            return {"sum": tf.reduce_sum(a, 1) + tf.cast(b, tf.float32), "text": tf.strings.as_string(b)}

        @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="text")])
        def echo(self, text):
            return {"same": tf.identity(text), "bytes": tf.strings.length(text)}

        @tf.function(input_signature=[tf.TensorSpec([None, 4, 5, 3], tf.float32, name="image")])
        def see(self, image):
            return {"mean": tf.reduce_mean(image, [1, 2])}

    m = Two()
    tf.saved_model.save(m, "two", signatures={"serving_default": m.serve, "see": m.see, "echo": m.echo})
    k = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(5, activation="relu"),
                             tf.keras.layers.Dense(3)])
    x = np.random.RandomState(0).rand(300, 4).astype("f4")
    with contextlib.redirect_stdout(io.StringIO()):
        k.export("keras")
    np.save("x.npy", x)
    write_trained_keras()
    return k, k(x).numpy()


def write_trained_keras():
    """A model with a layer inside of a layer, trained by Adam, in every form that Keras saves."""
    layers = tf.keras.layers
    inner = tf.keras.Sequential([layers.Input((6,)), layers.Dense(4, name="first"), layers.Dense(2)])
    model = tf.keras.Sequential([layers.Input((3, 3, 1)), layers.Conv2D(2, 2, name="eyes"),
                                 layers.BatchNormalization(), layers.Flatten(), layers.Dense(6), inner])
    model.compile("adam", "mse")
    model.fit(np.zeros((4, 3, 3, 1)), np.zeros((4, 2)), verbose=0)
    with contextlib.redirect_stderr(io.StringIO()):  # what Keras says of the older format
        model.save("trained.keras")
        model.save("trained.h5")
    model.save_weights("trained.weights.h5")
    with contextlib.redirect_stdout(io.StringIO()):
        model.export("trained_export")
    tf.saved_model.save(model, "trained_saved")
    tf.train.Checkpoint(model=model).save("trained_ckpt/c")
    tf.train.Checkpoint(net=model, opt=model.optimizer).save("trained_both/c")


def write_events():
    def about(plugin):
        return tf1.SummaryMetadata(plugin_data=tf1.SummaryMetadata.PluginData(plugin_name=plugin))

    w = tf.summary.create_file_writer("logs2")
    with w.as_default():
        for i in range(5):
            tf.summary.write("loss", tf.constant(1.0 / (i + 1)), step=i, metadata=about("scalars"))
    w.close()
    with tf.Graph().as_default() as g:
        tf1.placeholder(tf.float32, name="p")
        f = tf1.summary.FileWriter("logs1", g)
        for i in range(3):
            f.add_summary(tf1.Summary(value=[tf1.Summary.Value(tag="acc", simple_value=i * 0.25)]), i * 10)
        f.close()


def write_records():
    def example(i):
        feature = {"label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i])),
                   "x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0] * (i + 1)))}
        if i % 2:
            feature["name"] = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"n"]))
        return tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()

    for name, packing in (("plain.tfrecord", None), ("gzip.tfrecord", "GZIP"), ("zlib.tfrecord", "ZLIB")):
        with tf.io.TFRecordWriter(name, packing) as w:
            for i in range(6):
                w.write(example(i))


def write_arrays():
    idx = struct.pack(">BBBBIII", 0, 0, 8, 3, 5, 4, 4) + bytes(range(80))
    with open("images-idx3-ubyte", "wb") as f:
        f.write(idx)
    with gzip.open("images-idx3-ubyte.gz", "wb") as f:
        f.write(idx)
    np.savez("a.npz", w=np.arange(12.0).reshape(3, 4), s=np.array(["a", "bc"]))
    np.savez_compressed("packed.npz", w=np.arange(1000, dtype="i8"))
    pixels = np.random.RandomState(1).randint(0, 256, (4, 5, 3)).astype("u1")
    for name, encode in (("p.png", tf.io.encode_png), ("p.jpg", tf.io.encode_jpeg)):
        with open(name, "wb") as f:
            f.write(encode(pixels).numpy())
    return pixels


# ---- the comparisons -----------------------------------------------------------------------------

def inspected(run, path, *options):
    return json.loads(run(0, "inspect", path, "-o", "json", *options))


def graph_cases(run, graph, frozen):
    for name, message in (("graph.pb", graph), ("graph.pbtxt", graph), ("frozen.pb", frozen),
                          ("frozen.pbtxt", frozen)):
        got = inspected(run, name)
        ops = {}
        for n in message.node:
            ops[n.op] = ops.get(n.op, 0) + 1
        yield name + ": kind", got["kind"] == "graph"
        yield name + ": ops", {o["op"]: o["count"] for o in got["ops"]} == ops
        yield name + ": nodes", got["nodes"] == len(message.node)
        yield name + ": producer", got["producer"] == message.versions.producer
        yield name + ": input", got["inputs"] == [
            {"name": "x", "op": "Placeholder", "dtype": "float", "shape": [-1, 3]}]
    yield "frozen: output", [o["name"] for o in inspected(run, "frozen.pb")["outputs"]] == ["y"]
    meta = tf1.MetaGraphDef()
    with open("v2/model-7.meta", "rb") as f:
        meta.ParseFromString(f.read())
    yield "meta graph", inspected(run, "v2/model-7.meta")["nodes"] == len(meta.graph_def.node)


def checkpoint_cases(run):
    reader = tf.train.load_checkpoint("v2/model-7")
    want = {n: reader.get_tensor(n) for n in reader.get_variable_to_shape_map()}
    for path in ("v2", "v2/model-7", "v2/model-7.index", "v2/checkpoint", "v2/model-7.data-00000-of-00001"):
        got = inspected(run, path)
        yield path + ": format", (got["kind"], got["format"]) == ("checkpoint", "V2")
        yield path + ": tensors", {t["name"]: tuple(t["shape"]) for t in got["tensors"]} == {
            n: v.shape for n, v in want.items()}
    yield "parameters", inspected(run, "v2")["parameters"] == sum(
        v.size for v in want.values() if v.dtype != object)
    yield "V1", inspected(run, "v1/old")["format"] == "V1" and inspected(run, "v1")["tensor_count"] == 2
    names = {n: {"float32": "float", "float64": "double", "float16": "half"}.get(v.dtype.name, v.dtype.name)
             for n, v in want.items()}
    listed = json.loads(run(0, "ckpt", "list", "v2", "-o", "json"))
    yield "list: dtypes", {t["name"]: t["dtype"] for t in listed} == {
        n: "string" if d == "object" else d for n, d in names.items()}
    for n, v in want.items():
        got = json.loads(run(0, "ckpt", "show", "v2", n, "-o", "json"))["values"]
        if v.dtype == object:
            holds = got == [s.decode() for s in v]
        elif v.dtype.kind == "c":
            holds = got == ["(%g,%g)" % (c.real, c.imag) for c in v]
        else:
            holds = np.array_equal(np.array(got, v.dtype), v)
        yield "show " + n, holds
    table = list(csv.reader(io.StringIO(run(0, "ckpt", "show", "v2", "w", "-o", "csv"))))
    yield "show as CSV", np.array_equal(np.array(table, "f4"), want["w"])
    yield "a wrong name is guessed", "'t_complex64'" in run(1, "ckpt", "show", "v2", "t_complex46")
    yield from convert_cases(run, want)
    yield from diff_cases(run)


def convert_cases(run, want):
    run(0, "ckpt", "convert", "v2", "out.npz")
    with np.load("out.npz") as z:
        yield "npz: names", set(z.files) == set(want)
        yield "npz: values", all(
            np.array_equal(z[n], v.astype("S") if v.dtype == object else v) for n, v in want.items())
    run(0, "ckpt", "convert", "out.npz", "back")
    back = tf.train.load_checkpoint("back")
    yield "npz to V2", all(np.array_equal(back.get_tensor(n), v) and
                           back.get_tensor(n).dtype == v.dtype for n, v in want.items())
    run(0, "ckpt", "convert", "v1/old", "from_v1")
    yield "V1 to V2", np.array_equal(tf.train.load_checkpoint("from_v1").get_tensor("w"), want["w"])
    run(0, "ckpt", "convert", "later/model", "to_v1", "--to", "v1")
    yield "V2 to V1", np.array_equal(tf.train.load_checkpoint("to_v1").get_tensor("w"), want["w"] + 0.5)
    run(0, "ckpt", "convert", "a.npz", "from_npz")
    yield "strings of npz", list(tf.train.load_checkpoint("from_npz").get_tensor("s")) == [b"a", b"bc"]


def diff_cases(run):
    yield "no difference", "0 differ, 2 are the same" in run(0, "ckpt", "diff", "v1/old", "from_v1")
    rows = {r["name"]: r for r in json.loads(run(1, "ckpt", "diff", "v2", "later", "-o", "json"))}
    yield "removed", rows["s"]["change"] == "removed" and "b" not in rows
    yield "changed", (rows["w"]["change"], rows["w"]["differing"], rows["w"]["max_abs"]) == ("changed", 6, 0.5)
    yield "relative", rows["w"]["max_rel"] == 1.0  # 0 against 0.5
    back = {r["name"]: r for r in json.loads(run(1, "ckpt", "diff", "later", "v2", "-o", "json"))}
    yield "added", back["s"]["change"] == "added"
    yield "within tolerance", "w" not in {
        r["name"] for r in json.loads(run(1, "ckpt", "diff", "-t", "0.5", "v2", "later", "-o", "json"))}
    yield "trouble is 2", "/no/such" in run(2, "ckpt", "diff", "v2", "/no/such")


def event_cases(run):
    got = inspected(run, "logs1")
    yield "events", (got["kind"], got["files"], got["graphs"]) == ("events", 1, 1)
    yield "scalar", got["tags"] == [{"tag": "acc", "kind": "scalar", "count": 3, "first_step": 0,
                                     "last_step": 20, "last": 0.5, "min": 0, "max": 0.5}]
    got = inspected(run, os.path.join("logs2", os.listdir("logs2")[0]))["tags"][0]
    yield "scalar of today", (got["kind"], got["count"], np.float32(got["last"])) == (
        "scalar", 5, np.float32(0.2))
    for name in ("plain.tfrecord", "gzip.tfrecord", "zlib.tfrecord"):
        got = inspected(run, name)
        yield name, (got["kind"], got["record_count"], got["examples"]) == ("records", 6, 6)
        yield name + ": features", {f["name"]: (f["dtype"], f["records"], f["most_values"])
                                    for f in got["features"]} == {
            "label": ("int64", 6, 1), "x": ("float", 6, 6), "name": ("string", 3, 1)}


def array_cases(run):
    for name in ("images-idx3-ubyte", "images-idx3-ubyte.gz"):
        got = inspected(run, name)
        yield name, (got["kind"], got["shape"], got["max"], got["mean"]) == ("idx", [5, 4, 4], 79, 39.5)
    got = inspected(run, "a.npz")
    yield "npz", [(a["name"], a["dtype"], a["shape"]) for a in got["arrays"]] == [
        ("w", "double", [3, 4]), ("s", "string", [2])]
    yield "packed npz", inspected(run, "packed.npz")["arrays"][0]["shape"] == [1000]
    yield "npy", inspected(run, "x.npy")["shape"] == [300, 4]
    yield "png", (inspected(run, "p.png")["height"], inspected(run, "p.png")["width"]) == (4, 5)
    yield "jpeg", inspected(run, "p.jpg")["format"] == "JPEG"
    rows = list(csv.DictReader(io.StringIO(run(0, "inspect", "a.npz", "-o", "csv"))))
    yield "CSV is the first table", [r["name"] for r in rows] == ["w", "s"]
    kinds = {r["name"]: r["kind"] for r in inspected(run, ".")["files"]}
    yield "a folder of files", (kinds["two"], kinds["logs1"], kinds["v2"], kinds["p.png"]) == (
        "saved_model", "events", "checkpoint", "image")
    yield "nothing there", "/no/such" in run(1, "inspect", "/no/such")
    yield from pipe_cases(run)


def pipe_cases(run):
    """A pipe has no offsets to read at: its contents are kept until they have been shown."""
    for name in ("x.npy", "a.npz", "images-idx3-ubyte.gz", "p.png"):
        with open(name, "rb") as f:
            data = f.read()
        for path in ("-", "/dev/stdin"):
            got, wanted = json.loads(run(0, "inspect", path, "-o", "json", stdin=data)), inspected(run, name)
            yield "%s through a pipe" % name, dict(got, path=name) == wanted and got["path"] == "/dev/stdin"
    with open("x.npy", "rb") as f:
        early = run(1, "inspect", "/dev/stdin", stdin=f.read()[:70])
    yield "a pipe that ends early", "weir: /dev/stdin: " in early and "/proc" not in early
    yield "a pipe without contents", "'/dev/stdin' is empty" in run(1, "inspect", "-", stdin=b"")


def saved_model_cases(run, keras, keras_y, y):
    got = inspected(run, "two")
    yield "signatures", {(s["signature"], s["side"], s["key"], s["dtype"], tuple(s["shape"]))
                         for s in got["signatures"]} == {
        ("serving_default", "input", "a", "float", (-1, 2)), ("serving_default", "input", "b", "int64", (-1,)),
        ("serving_default", "output", "sum", "float", (-1,)),
        ("serving_default", "output", "text", "string", (-1,)),
        ("echo", "input", "text", "string", (-1,)), ("echo", "output", "same", "string", (-1,)),
        ("echo", "output", "bytes", "int32", (-1,)),
        ("see", "input", "image", "float", (-1, 4, 5, 3)), ("see", "output", "mean", "float", (-1, 3))}
    yield "writer", got["written_by"] == tf.__version__ and got["tags"] == ["serve"]
    yield "keras: variables", inspected(run, "keras")["saved_parameters"] == sum(
        np.size(v) for v in keras.get_weights())
    yield from keras_cases(run)
    yield "a SavedModel by its file", inspected(run, "saved1/saved_model.pb")["kind"] == "saved_model"
    yield from predict_cases(run, keras_y, y)


def keras_cases(run):
    """Parameters of the model are counted once and apart from the optimizer's state, whatever saved it."""
    model = tf.keras.models.load_model("trained.keras")
    want = sum(np.size(v) for v in model.get_weights())
    state = sum(np.size(v) for v in model.optimizer.variables)
    for path, kind in (("trained.keras", "keras"), ("trained.h5", "hdf5"), ("trained.weights.h5", "hdf5"),
                       ("trained_saved", "saved_model"), ("trained_ckpt", "checkpoint"),
                       ("trained_both", "checkpoint"), ("trained_export", "saved_model")):
        got = inspected(run, path)
        yield path + ": kind", got["kind"] == kind
        yield path + ": parameters", got["parameters"] == want
        yield path + ": the optimizer's", got["optimizer_state"] == (0 if kind == "saved_model" and
                                                                     "export" in path else state)
    for path in ("trained.keras", "trained.h5"):
        got = inspected(run, path)
        layers = {layer["name"].strip(): (layer["class"], layer["parameters"]) for layer in got["layers"]}
        yield path + ": layers", all(layers[layer.name] == (type(layer).__name__, layer.count_params())
                                     for layer in model.layers)
        yield path + ": Keras's version", got["keras_version"] == tf.keras.__version__
    inner = {layer["name"].strip(): layer["parameters"] for layer in inspected(run, "trained.keras")["layers"]}
    yield "layers in layers", inner["first"] == 28
    yield from archive_cases(run)


def archive_cases(run):
    """Folders of Keras models, archives of other things, and damaged ones."""
    with zipfile.ZipFile("trained.keras") as archive:
        archive.extractall("unpacked_keras")
        with zipfile.ZipFile("no_weights.keras", "w") as other:
            for name in ("config.json", "metadata.json"):
                other.writestr(name, archive.read(name))
    yield "an unpacked model", inspected(run, "unpacked_keras")["kind"] == "keras"
    out = run(1, "inspect", "no_weights.keras", "-o", "json")
    got, _ = json.JSONDecoder().raw_decode(out)
    yield "without weights, its layers", got["layers"][1]["class"] == "Conv2D" and "model.weights.h5" in out
    with zipfile.ZipFile("papers.zip", "w") as other:
        other.writestr("a.txt", "text")
    got = inspected(run, "papers.zip")
    yield "an archive of other files", got["kind"] == "zip" and got["files"][0]["name"] == "a.txt"
    with open("trained.h5", "rb") as f, open("cut.h5", "wb") as other:
        other.write(f.read()[:2000])
    yield "a file that ends early", "HDF5" in run(1, "inspect", "cut.h5")
    with tf.Graph().as_default(), tf1.Session() as session:
        w = tf1.get_variable("w", [3, 5], use_resource=False)
        with tf1.variable_scope("train"):
            tf1.train.AdamOptimizer().minimize(tf.reduce_sum(w * w), global_step=tf1.train.create_global_step())
        session.run(tf1.global_variables_initializer())
        tf1.train.Saver().save(session, "adam1/c")
    got = inspected(run, "adam1")
    yield "Adam of TensorFlow 1", (got["parameters"], got["optimizer_state"]) == (15, 30)
    yield "and its graph", inspected(run, "adam1/c.meta")["parameters"] == 15


def predictions(run, *words, **more):
    return json.loads(run(0, "predict", *words, "-o", "json", **more))["predictions"]


def predict_cases(run, keras_y, y):
    got = np.array(predictions(run, "keras", "x.npy"), "f4")
    yield "keras on npy, in batches", np.allclose(got, keras_y, atol=1e-6)
    run(0, "predict", "keras", "x.npy", "--batch", "7", "--save", "p.npz")
    with np.load("p.npz") as z:
        yield "--save", np.allclose(z[z.files[0]], keras_y, atol=1e-6)
    request = json.dumps({"instances": [[1, 2, 3], [4, 5, 6]]})
    columns = json.dumps({"inputs": {"x": [[1, 2, 3], [4, 5, 6]]}})
    for what, model, words, stdin in (
            ("1.x SavedModel on CSV", "saved1", ["rows.csv"], None),
            ("rows of JSON", "saved1", ["-"], request), ("columns of JSON", "saved1", ["-"], columns),
            ("a frozen graph", "frozen.pb", ["rows.csv"], None),
            ("a frozen graph in text, by name", "frozen.pbtxt", ["-", "-f", "y", "--feed", "x"], request)):
        got = np.array(predictions(run, model, *words, stdin=stdin), "f4")
        yield what, np.allclose(got, y, atol=1e-6)
    two = {"instances": [{"a": [1, 2], "b": 9007199254740993}, {"a": [3, 4], "b": -1}]}
    got = predictions(run, "two", "-", stdin=json.dumps(two))
    yield "two inputs and outputs", [p["text"] for p in got] == ["9007199254740993", "-1"]
    yield "one of them", predictions(run, "two", "-", "--fetch", "text", stdin=json.dumps(two)) == [
        "9007199254740993", "-1"]
    words = ["a", "\u00e9", "\U0001f600\n", "\ud83d"]
    got = predictions(run, "two", "-", "-s", "echo", stdin=json.dumps({"instances": words + [{"b64": "/w=="}]}))
    yield "strings", [p["same"] for p in got] == words[:3] + ["\ufffd", {"b64": "/w=="}]
    yield "their bytes", [p["bytes"] for p in got] == [1, 2, 5, 3, 1]
    yield "a request in a file", [p["text"] for p in predictions(run, "two", "request.json")] == ["7", "-1"]
    yield "npz by name", predictions(run, "two", "two.npz") == [{"sum": 8, "text": "5"}]
    pixels = tf.io.decode_png(tf.io.read_file("p.png")).numpy()
    got = predictions(run, "two", "p.png", "-s", "see")
    yield "an image", np.allclose(got[0], pixels.mean((0, 1)) / 255, atol=1e-5)
    got = predictions(run, "two", "p.png", "p.jpg", "-s", "see", "--scale", "1")
    yield "two images", len(got) == 2 and np.allclose(got[0], pixels.mean((0, 1)), atol=1e-3)
    yield "a misfit is named", "[?,3]" in run(1, "predict", "saved1", "x.npy")
    yield "bad JSON is named", "character" in run(1, "predict", "saved1", "-", stdin='{"instances": [[1')
    yield "ragged JSON", "length" in run(1, "predict", "saved1", "-", stdin='{"instances": [[1,2],[3]]}')
    yield "no model", "nothing at 'nope'" in run(1, "predict", "nope", "x.npy")
    yield "an unknown signature", "see" in run(1, "predict", "two", "x.npy", "-s", "nope")


# ---- damaged files -------------------------------------------------------------------------------

def damaged(bytes_, rng):
    b = bytearray(bytes_)
    how = rng.randrange(4)
    if how == 0:
        return bytes(b[:rng.randrange(len(b))])
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(b))
        b[at] = rng.choice((0, 0xff, 0x7f, 0x80, rng.randrange(256)))
    if how == 1:
        at = rng.randrange(len(b))
        b[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(9)))
    return bytes(b)


HOSTILE = ["graph.pb", "graph.pbtxt", "frozen.pb", "v2/model-7.meta", "v2/model-7.index", "v1/old", "a.npz",
           "packed.npz", "x.npy", "images-idx3-ubyte", "images-idx3-ubyte.gz", "p.png", "p.jpg",
           "plain.tfrecord", "gzip.tfrecord", "zlib.tfrecord", "two/saved_model.pb", "v2/checkpoint", "rows.csv", "request.json",
           "trained.keras", "trained.h5", "trained_ckpt/c-1.index"]


def hostile_calls(name, path):
    """What is done to a damaged file."""
    yield "inspect", path, "-o", "json"
    if name in ("v2/model-7.index", "v1/old", "a.npz", "packed.npz"):
        yield "ckpt", "diff", path, "later"
    if name == "v2/model-7.index":
        yield "ckpt", "show", path, "w"
    if name in ("x.npy", "images-idx3-ubyte", "a.npz", "p.png"):
        yield "predict", "keras", path
    if name == "rows.csv":
        yield "predict", "saved1", path
    if name == "request.json":
        yield "predict", "two", path
    if name == "frozen.pb":
        yield "predict", path, "rows.csv"
    if name == "two/saved_model.pb":
        yield "predict", os.path.dirname(path), "two.npz"


def hostile_cases(weir, ways, seed):
    rng = random.Random(seed)
    names = HOSTILE + [os.path.join("logs1", n) for n in os.listdir("logs1")]
    for name in names:
        with open(name, "rb") as f:
            whole = f.read()
        for i in range(ways):
            shutil.rmtree("hostile", ignore_errors=True)
            shutil.copytree(os.path.dirname(name), "hostile") if "/" in name else os.makedirs("hostile")
            path = os.path.join("hostile", os.path.basename(name))
            with open(path, "wb") as f:
                f.write(damaged(whole, rng))
            for words in hostile_calls(name, path):
                try:
                    done = subprocess.run([weir, *words], capture_output=True, timeout=60)
                    holds = done.returncode in (0, 1, 2) and b"Sanitizer" not in done.stderr
                    text = done.stderr.decode(errors="replace")[-3000:]
                except subprocess.TimeoutExpired:
                    holds, text = False, "it hangs"
                if not holds:
                    shutil.copy(path, "/tmp/weir_hostile_%s.%d" % (os.path.basename(name), i))
                yield "%s, damage %d: weir %s%s" % (
                    name, i, " ".join(words), "" if holds else "\n" + text), holds


# ---- the run -------------------------------------------------------------------------------------

def write_all():
    """Everything in the current folder; returns what the cases compare with."""
    graph, frozen, y = write_graph_files()
    keras, keras_y = write_keras()
    write_events()
    write_records()
    write_arrays()
    with open("rows.csv", "w") as f:
        f.write("p,q,r\n1,2,3\n4,5,6\n")
    with open("request.json", "w") as f:
        f.write('{"signature_name": "x", "instances": [{"a": [1, 2.5e3], "b": 7}, {"b": -1, "a": [true, NaN]}]}')
    np.savez("two.npz", a=np.array([[1, 2]], "f8"), b=np.array([5], "i4"))
    return graph, frozen, y, keras, keras_y


def all_cases(run, graph, frozen, y, keras, keras_y):
    yield from graph_cases(run, graph, frozen)
    yield from array_cases(run)
    yield from checkpoint_cases(run)
    yield from event_cases(run)
    yield from saved_model_cases(run, keras, keras_y, y)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weir", default=os.path.join(HERE, "..", "build", "release", "weir"))
    ap.add_argument("--hostile", type=int, default=0)
    ap.add_argument("--seed", type=int, default=7)
    args = ap.parse_args()
    weir = os.path.abspath(args.weir)
    os.environ["ASAN_OPTIONS"] = "allocator_may_return_null=1"
    folder = tempfile.mkdtemp(prefix="weir_cli_")
    os.chdir(folder)

    def run(want, *words, stdin=None):
        text = not isinstance(stdin, bytes)
        done = subprocess.run([weir, *words], capture_output=True, text=text, timeout=120, input=stdin)
        out, err = (s if text else s.decode() for s in (done.stdout, done.stderr))
        if done.returncode != want:
            raise Failed("weir %s: exit %d, not %d\n%s%s" % (" ".join(words), done.returncode, want, out, err))
        return out + (err if want else "")

    passed = failed = 0
    try:
        written = write_all()
        cases = hostile_cases(weir, args.hostile, args.seed) if args.hostile else all_cases(run, *written)
        for what, holds in cases:
            passed, failed = passed + bool(holds), failed + (not holds)
            if not holds:
                print("FAIL %s" % what)
    except (Failed, OSError, ValueError, KeyError) as e:
        failed += 1
        print("FAIL %s: %s" % (type(e).__name__, e))
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    print("cli files: %d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
