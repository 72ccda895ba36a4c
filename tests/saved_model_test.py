#!/usr/bin/env python3
"""SavedModels, frozen graphs and texts of graphs between Weir and TensorFlow.

    tests/saved_model_test.py [--lib PATH] [-k PART] [-v]

Every kind of model that TensorFlow saves is loaded and run by Weir, the command included; Weir saves each anew, and
TensorFlow's two loaders and Weir itself run that; frozen, both run it. All must predict the same.
"""
import json
import os
import random
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

import dtypes
from listed import Tests, one_worker
from worker import Crash

v1 = tf.compat.v1
rng = np.random.RandomState(11)

# ---- models that TensorFlow writes: name -> (function of a folder, feeds) ---------------------------

MODELS = {}


def model(feeds, **about):
    def note(write):
        MODELS[write.__name__] = (write, feeds, about)
        return write
    return note


def vocabulary(folder):
    path = os.path.join(os.path.dirname(folder), "vocabulary.txt")
    with open(path, "w") as f:
        f.write("red\ngreen\nblue\n")
    return path


def save_v1(folder, x, y, init_op=None, session=None, tags=("serve",)):
    builder = v1.saved_model.Builder(folder)
    info = v1.saved_model.utils.build_tensor_info
    signature = v1.saved_model.signature_def_utils.build_signature_def(
        {k: info(t) for k, t in x.items()}, {k: info(t) for k, t in y.items()},
        "tensorflow/serving/predict")
    builder.add_meta_graph_and_variables(session, list(tags), {"serving_default": signature},
                                         assets_collection=v1.get_collection(v1.GraphKeys.ASSET_FILEPATHS),
                                         main_op=init_op)
    builder.save()


X = rng.rand(3, 4).astype(np.float32)
WORDS = np.array([b"blue", b"red", b"unknown"], object)


def v1_model(folder, use_resource):
    with tf.Graph().as_default(), v1.Session() as s:
        x = v1.placeholder(tf.float32, [None, 4], "x")
        w = v1.get_variable("w", initializer=rng.rand(4, 5).astype(np.float32), use_resource=use_resource)
        b = v1.get_variable("part", [5], partitioner=v1.fixed_size_partitioner(2),
                            use_resource=use_resource)
        y = tf.nn.softmax(tf.matmul(x, w) + tf.convert_to_tensor(b), name="y")
        s.run(v1.global_variables_initializer())
        save_v1(folder, {"x": x}, {"y": y, "sum": tf.reduce_sum(y, 1)}, session=s)


@model({"x": X})
def v1_ref_variables(folder):
    v1_model(folder, False)


@model({"x": X})
def v1_resource_variables(folder):
    v1_model(folder, True)


@model({"words": WORDS})
def v1_table_from_asset(folder):
    with tf.Graph().as_default(), v1.Session() as s:
        words = v1.placeholder(tf.string, [None], "words")
        path = tf.constant(vocabulary(folder))
        table = tf.lookup.StaticVocabularyTable(
            tf.lookup.TextFileInitializer(path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
                                          tf.lookup.TextFileIndex.LINE_NUMBER), 2)
        w = v1.get_variable("scale", initializer=np.float32(2), use_resource=True)
        ids = table.lookup(words)
        with tf.control_dependencies([v1.tables_initializer()]):
            init = tf.no_op("init")
        s.run([v1.global_variables_initializer(), init])
        save_v1(folder, {"words": words}, {"ids": ids, "scaled": tf.cast(ids, tf.float32) * w},
                init_op=init, session=s)


@model({"x": X})
def v1_no_variables(folder):
    with tf.Graph().as_default(), v1.Session() as s:
        x = v1.placeholder(tf.float32, [None, 4], "x")
        save_v1(folder, {"x": x}, {"y": tf.nn.relu(x - 0.5)}, session=s)


class Words(tf.Module):
    def __init__(self, path):
        super().__init__()
        self.table = tf.lookup.StaticHashTable(tf.lookup.TextFileInitializer(
            path, tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64,
            tf.lookup.TextFileIndex.LINE_NUMBER), -1)
        self.embedding = tf.Variable(rng.rand(4, 3).astype(np.float32))

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string, name="words")])
    def serve(self, words):
        ids = self.table.lookup(words)
        return {"ids": ids, "vectors": tf.gather(self.embedding, tf.where(ids < 0, tf.constant(3, tf.int64), ids))}


@model({"words": WORDS})
def v2_module_with_table(folder):
    m = Words(vocabulary(folder))
    tf.saved_model.save(m, folder, {"serving_default": m.serve})


class Loop(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(rng.rand(4, 4).astype(np.float32))
        self.b = tf.Variable(rng.rand(4).astype(np.float32))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
    def serve(self, x):
        for _ in tf.range(3):
            x = tf.tanh(tf.matmul(x, self.w))
        if tf.reduce_sum(x) > 0:
            x += self.b
        return x


@model({"x": X})
def v2_module_with_loop(folder):
    m = Loop()
    tf.saved_model.save(m, folder, {"serving_default": m.serve})


def keras_dense():
    k = tf.keras
    return k.Sequential([k.Input((4,), name="x"), k.layers.Dense(8, "relu"), k.layers.BatchNormalization(),
                         k.layers.Dropout(0.5), k.layers.Dense(3, "softmax")])


@model({"x": X})
def keras_export(folder):
    keras_dense().export(folder, verbose=False)


@model({"x": X}, by=lambda *a: tf_v2_predict(*a))  # the first loader does not find the variables
def keras_saved_model_save(folder):
    m = keras_dense()
    serve = tf.function(lambda x: {"y": m(x, training=False)},
                        input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
    tf.saved_model.save(m, folder, signatures=serve)


@model({"image": rng.rand(2, 12, 12, 3).astype(np.float32)})
def keras_convolution(folder):
    k = tf.keras
    image = k.Input((12, 12, 3), name="image")
    x = k.layers.Conv2D(4, 3, activation="relu")(image)
    x = k.layers.MaxPooling2D()(x)
    x = k.layers.SeparableConv2D(6, 3, padding="same")(x)
    x = k.layers.Flatten()(x)
    k.Model(image, k.layers.Dense(2)(x)).export(folder, verbose=False)


@model({"ids": rng.randint(0, 9, (2, 5)).astype(np.int32)})
def keras_lstm(folder):
    k = tf.keras
    ids = k.Input((5,), dtype="int32", name="ids")
    x = k.layers.Embedding(10, 4)(ids)
    x = k.layers.LSTM(3)(x)
    k.Model(ids, k.layers.Dense(2)(x)).export(folder, verbose=False)


# ---- the two loaders of TensorFlow ------------------------------------------------------------------


def tf_v1_predict(folder, feeds):
    with tf.Graph().as_default(), v1.Session() as s:
        meta = v1.saved_model.loader.load(s, ["serve"], folder)
        signature = meta.signature_def["serving_default"]
        return s.run({k: t.name for k, t in signature.outputs.items()},
                     {signature.inputs[k].name: v for k, v in feeds.items()})


def tf_v2_predict(folder, feeds):
    loaded = tf.saved_model.load(folder)
    out = loaded.signatures["serving_default"](**{k: tf.constant(v) for k, v in feeds.items()})
    return {k: v.numpy() for k, v in out.items()}


def same(a, b, what):
    if sorted(a) != sorted(b):
        raise AssertionError("%s: outputs %s, not %s" % (what, sorted(a), sorted(b)))
    for k in a:
        if a[k].shape != b[k].shape:
            raise AssertionError("%s: %s has shape %s, not %s" % (what, k, a[k].shape, b[k].shape))
        if a[k].dtype.kind == "f":
            np.testing.assert_allclose(a[k], b[k], rtol=2e-5, atol=1e-6, err_msg="%s: %s" % (what, k))
        elif a[k].tolist() != b[k].tolist():
            raise AssertionError("%s: %s is %s, not %s" % (what, k, a[k], b[k]))


def values(feeds):
    return {k: dtypes.Value(v, 7) if v.dtype == object else v for k, v in feeds.items()}


def by_command(weir, saved, feeds, folder):
    """What `weir predict` says."""
    given, out = os.path.join(folder, "in.json"), os.path.join(folder, "out.npz")
    lists = {k: [x.decode() for x in v] if v.dtype == object else v.tolist() for k, v in feeds.items()}
    with open(given, "w") as f:
        json.dump({"inputs": lists}, f)
    command = os.path.join(os.path.dirname(weir.library), "weir")
    run = subprocess.run([command, "predict", saved, given, "--save", out], capture_output=True, text=True)
    if run.returncode:
        raise AssertionError("weir predict: " + run.stderr)
    with np.load(out) as arrays:
        return {k: arrays[k] for k in arrays}


def frozen_by_tf(graph_def, inputs, outputs, feeds):
    with tf.Graph().as_default(), v1.Session() as s:
        tf.import_graph_def(v1.GraphDef.FromString(graph_def), name="")
        return s.run(outputs, {inputs[k]: v for k, v in feeds.items()})


# ---- tests ------------------------------------------------------------------------------------------

test = Tests("saved models")


def model_test(name):
    """One model all ways."""
    def run(weir, folder):
        write, feeds, about = MODELS[name]
        saved, again = os.path.join(folder, "saved"), os.path.join(folder, "again")
        write(saved)
        expected = about.get("by", tf_v1_predict)(saved, feeds)
        same(weir.call("model_predict", saved, values(feeds)), expected, "Weir")
        same(by_command(weir, saved, feeds, folder), expected, "weir predict")
        init, assets = beginnings(saved)
        weir.call("model_save", saved, again, init, assets)
        same(weir.call("model_predict", again, values(feeds)), expected, "Weir, saved by Weir")
        same(tf_v1_predict(again, feeds), expected, "TensorFlow's first loader, saved by Weir")
        same(tf_v2_predict(again, feeds), expected, "tf.saved_model.load, saved by Weir")
        text = os.path.join(folder, "text")
        weir.call("model_save", saved, text, init, assets, {"text": True, "whole_graph": True})
        same(weir.call("model_predict", text, values(feeds)), expected, "Weir, text")
        same(tf_v1_predict(text, feeds), expected, "TensorFlow, text and the whole graph")
        if not assets:
            frozen = weir.call("model_freeze", saved)
            same(frozen_by_tf(*frozen, feeds), expected, "frozen, TensorFlow")
            check_frozen(frozen[0])
    return run


def beginnings(folder):
    """The initialiser of a model, or None, and its assets: [(tensor, path)]."""
    from tensorflow.core.protobuf import meta_graph_pb2
    meta = saved_model_proto(folder).meta_graphs[0]
    files = list(meta.asset_file_def)
    for value in meta.collection_def["saved_model_assets"].any_list.value if not files else ():
        files.append(meta_graph_pb2.AssetFileDef.FromString(value.value))
    key = "__saved_model_init_op"
    init = (meta.signature_def[key].outputs[key].name if key in meta.signature_def else
            "".join(meta.collection_def["saved_model_main_op"].node_list.value))
    return init or None, [(a.tensor_info.name, os.path.join(folder, "assets", a.filename))
                          for a in files]


def check_frozen(graph_def):
    left = [n.op for n in v1.GraphDef.FromString(graph_def).node if "Var" in n.op or "Restore" in n.op]
    if left:
        raise AssertionError("a frozen graph has %s" % left)


def saved_model_proto(folder):
    from tensorflow.core.protobuf import saved_model_pb2
    with open(os.path.join(folder, "saved_model.pb"), "rb") as f:
        return saved_model_pb2.SavedModel.FromString(f.read())


@test
def what_a_model_says(weir, folder):
    saved = os.path.join(folder, "saved")
    v1_table_from_asset(saved)
    about = weir.call("model_about", saved)
    assert about["tags"] == ["serve"] and about["assets"] == ["vocabulary.txt"], about
    inputs, outputs = about["signatures"]["serving_default"]
    assert inputs == [("words", "words:0", 7, [-1])], inputs
    assert [o[0] for o in outputs] == ["ids", "scaled"] and list(about["signatures"]) == ["serving_default"]


@test
def texts_of_messages(weir, folder):
    from google.protobuf import text_format
    from tensorflow.core.protobuf import meta_graph_pb2, saved_model_pb2
    for name in ("v1_table_from_asset", "v2_module_with_table", "keras_lstm"):
        saved = os.path.join(folder, name)
        MODELS[name][0](saved)
        model_ = saved_model_proto(saved)
        meta = model_.meta_graphs[0]
        for kind, message in (("SavedModel", model_), ("MetaGraphDef", meta), ("GraphDef", meta.graph_def)):
            text = weir.call("message_to_text", kind, message.SerializeToString())
            back = type(message)()
            text_format.Parse(text.decode(), back)
            assert back == message, "%s of %s: TensorFlow reads another" % (kind, name)
            theirs = text_format.MessageToString(message).encode()
            parsed = type(message).FromString(weir.call("message_from_text", kind, theirs))
            assert parsed == message, "%s of %s: Weir reads another" % (kind, name)


@test
def graphs_in_files(weir, folder):
    from google.protobuf import text_format
    saved = os.path.join(folder, "saved")
    v1_resource_variables(saved)
    model_ = saved_model_proto(saved)
    meta = model_.meta_graphs[0]
    nodes = lambda data: sorted(n.name for n in v1.GraphDef.FromString(data).node)
    expected = sorted(n.name for n in meta.graph_def.node)
    files = {"graph.pb": meta.graph_def.SerializeToString(), "m.meta": meta.SerializeToString(),
             "graph.pbtxt": text_format.MessageToString(meta.graph_def).encode(),
             "meta.txt": b"# a comment\n" + text_format.MessageToString(meta).encode(),
             "model.pbtxt": text_format.MessageToString(model_).encode()}
    for name, data in files.items():
        path = os.path.join(folder, name)
        with open(path, "wb") as f:
            f.write(data)
        assert nodes(weir.call("graph_read", path)) == expected, name
    assert nodes(weir.call("graph_read", saved)) == expected
    for out in ("out.pb", "out.pbtxt"):
        out = os.path.join(folder, out)
        weir.call("graph_read", path, out)
        assert nodes(weir.call("graph_read", out)) == expected
    written = v1.GraphDef()
    with open(out) as f:
        text_format.Parse(f.read(), written)
    with tf.Graph().as_default():
        tf.import_graph_def(written, name="")


def refused(code, run):
    try:
        run()
    except Crash:
        raise
    except Exception as e:
        if code and getattr(e, "name", "") != code:
            raise AssertionError("%s, not %s" % (e, code)) from None
        return
    if code:
        raise AssertionError("not refused")


@test
def errors(weir, folder):
    saved, empty = os.path.join(folder, "saved"), os.path.join(folder, "empty")
    v1_resource_variables(saved)
    os.mkdir(empty)
    refused("NOT_FOUND", lambda: weir.call("model_predict", empty, {}))
    refused("NOT_FOUND", lambda: weir.call("model_predict", saved, {}, None, ["train"]))
    refused("INVALID_ARGUMENT", lambda: weir.call("model_predict", saved, {"x": X.astype(np.float64)}))
    refused("ALREADY_EXISTS", lambda: weir.call("model_save", saved, saved))
    refused("NOT_FOUND", lambda: weir.call("graph_read", os.path.join(folder, "none.pb")))
    refused("NOT_FOUND", lambda: weir.call("message_to_text", "NoSuchMessage", b""))
    shutil.rmtree(os.path.join(saved, "variables"))
    refused("FAILED_PRECONDITION", lambda: weir.call("model_predict", saved, {"x": X}))


@test
def damage(weir, folder):
    """Whatever is cut off or changed: an answer, or a status; never a crash."""
    saved = os.path.join(folder, "saved")
    v2_module_with_table(saved)
    path = os.path.join(saved, "saved_model.pb")
    with open(path, "rb") as f:
        good = f.read()
    chance = random.Random(5)
    for i in range(60):
        bad = bytearray(good)
        if i % 3 == 0:
            del bad[chance.randrange(len(bad)):]
        for _ in range(chance.choice((1, 8))):
            if bad:
                bad[chance.randrange(len(bad))] ^= 1 << chance.randrange(8)
        with open(path, "wb") as f:
            f.write(bad)
        refused(None, lambda: weir.call("model_predict", saved, {"words": dtypes.Value(WORDS, 7)}))
        refused(None, lambda: weir.call("graph_read", path))


for model in MODELS:
    test.add(model, model_test(model))

if __name__ == "__main__":
    sys.exit(test.main(one_worker))
