#!/usr/bin/env python3
"""Data against numpy and TensorFlow: every kind of source, resizing, shuffling, shards, bad files.

    tests/data_test.py [--lib PATH] [-v]
"""
import argparse
import gzip
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import weir_data

CASES = []
TMP = tempfile.mkdtemp(prefix="weir_data_test.")


def case(f):
    CASES.append(f)
    return f


def folder(name):
    path = os.path.join(TMP, name)
    os.makedirs(path, exist_ok=True)
    return path


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    return path


def equal(a, b):
    np.testing.assert_array_equal(a, b)


def fails(what, *words):
    """|what|() must raise a Failure whose message holds every word."""
    try:
        what()
    except weir_data.Failure as e:
        for w in words:
            assert w in e.message, "%r is not in %r" % (w, e.message)
        return e
    raise AssertionError("it did not fail")


# ---- synthetic ----------------------------------------------------------------------------------

@case
def synthetic_is_numpy(lib):
    for batch, dims, classes in [(100, [784], 10), (64, [28, 28, 1], 10), (3, [224, 224, 3], 1000),
                                 (5, [7], 1), (5, [7], 2)]:
        r = np.random.RandomState(0)
        x, y = r.rand(batch, *dims).astype("f"), r.randint(0, classes, batch).astype("i")
        d = lib.open("synthetic", batch=batch, dims=dims, classes=classes)
        for _ in range(2):
            a, b = next(d)
            equal(a, x)
            equal(b, y)


@case
def synthetic_tokens_are_numpy(lib):
    r = np.random.RandomState(0)
    x, y = [r.randint(0, 10000, [20, 20]).astype("i") for _ in range(2)]
    a, b = next(lib.open("synthetic", batch=20, dims=[20], type="i", classes=10000))
    equal(a, x)
    equal(b, y)


@case
def synthetic_shards_differ(lib):
    r = np.random.RandomState(4 + 2)
    a, b = next(lib.open("synthetic", batch=8, dims=[5], seed=4, shard=2, shards=3, classes=10))
    equal(a, r.rand(8, 5).astype("f"))
    equal(b, r.randint(0, 10, 8))


# ---- IDX ----------------------------------------------------------------------------------------

def idx(array):
    return struct.pack(">BBBB", 0, 0, 8, array.ndim) + struct.pack(
        ">%dI" % array.ndim, *array.shape) + array.astype(np.uint8).tobytes()


def make_idx(name, n=50, tests=20, packed=False, side=28):
    """A folder like MNIST's; returns it and its four arrays."""
    r = np.random.RandomState(3)
    path, arrays = folder(name), []
    for part, count in ("train", n), ("t10k", tests):
        x = r.randint(0, 256, [count, side, side]).astype(np.uint8)
        y = r.randint(0, 10, [count]).astype(np.uint8)
        arrays += [x, y]
        for what, rank, a in ("images", 3, x), ("labels", 1, y):
            data = idx(a)
            file = os.path.join(path, "%s-%s-idx%d-ubyte" % (part, what, rank))
            write(file + (".gz" if packed else ""), gzip.compress(data) if packed else data)
    return path, arrays


@case
def idx_in_order(lib):
    for packed in False, True:
        path, (x, y, tx, ty) = make_idx("idx%d" % packed, packed=packed)
        d = lib.open(path, batch=16, epochs=1, classes=10)
        assert d.about == "IDX, 50 examples of 28x28x1, 10 classes", d.about
        a, b = d.all()
        np.testing.assert_allclose(a, x[..., None] / 255, rtol=1e-6)
        equal(b, y)
        a, b = lib.open(path, split="test", batch=7, epochs=1, dims=[784]).all()
        np.testing.assert_allclose(a, tx.reshape(-1, 784) / 255, rtol=1e-6)
        equal(b, ty)
        a, b = lib.open(path, split="all", batch=9, epochs=1, type="B").all()
        equal(np.sort(b), np.sort(np.concatenate([y, ty])))
        assert len(a) == 70
        a, b = lib.open(path + "/t10k-images-idx3-ubyte" + ".gz" * packed, split="all", epochs=1).all()
        equal(b, ty)


@case
def idx_types(lib):
    path, (x, y, _, _) = make_idx("idx0")
    for t in "dBiqe":
        a, b = lib.open(path, batch=50, epochs=1, type=t, label_type="q").all()
        assert a.dtype == np.dtype(t) and b.dtype == np.int64
        want = x[..., None] if t in "Biq" else (x[..., None] / 255).astype(t)
        np.testing.assert_allclose(a, want, rtol=1e-3 if t == "e" else 1e-6, atol=1e-6)
    a, b = next(lib.open(path, batch=50, label_type=None))
    assert b is None


# ---- images -------------------------------------------------------------------------------------

def tensorflow():
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf
    return tf


def picture(height, width, seed=0, channels=3):
    """Smooth, with some noise: as JPEG likes it."""
    r = np.random.RandomState(seed)
    y, x = np.mgrid[:height, :width]
    waves = [127 + 100 * np.sin(x / (9 + 3 * c) + y / (11 + c) + r.rand()) for c in range(channels)]
    return np.clip(np.stack(waves, -1) + r.randint(-9, 10, [height, width, channels]), 0,
                   255).astype(np.uint8)


def middle(height, width, out_height, out_width):
    h, w = height, width
    if height * out_width > width * out_height:
        h = width * out_height // out_width
    else:
        w = height * out_width // out_height
    return (height - h) // 2, (width - w) // 2, h, w


def expect_jpeg(tf, data, dims):
    """What TensorFlow makes of a JPEG when asked for the same steps."""
    height, width = tf.io.decode_jpeg(data).shape[:2]
    top, left, h, w = middle(height, width, *dims[:2])
    ratio = 1
    while ratio < 8 and h // (2 * ratio) >= dims[0] and w // (2 * ratio) >= dims[1]:
        ratio *= 2
    # The op that crops has no ratio's window in its contract, so the window is cut here.
    full = tf.io.decode_jpeg(data, channels=dims[2], ratio=ratio, fancy_upscaling=h <= dims[0]).numpy()
    t, l, h, w = [v // ratio for v in (top, left, h, w)]
    return tf.image.resize(full[t:t + h, l:l + w].astype("f"), dims[:2]).numpy() / 255


def make_images(name, tf, sizes, splits=("",)):
    path, files = folder(name), []
    for split in splits:
        for i, (h, w) in enumerate(sizes):
            kind = ("rose", "daisy", "tulip")[i % 3]
            pixels = picture(h, w, i)
            png = i % 4 == 3
            data = (tf.io.encode_png(pixels) if png else tf.io.encode_jpeg(pixels, quality=90)).numpy()
            file = os.path.join(path, split, kind, "%03d.%s" % (i, "png" if png else "JPG"))
            write(file, data)
            files.append((file, data, pixels, png))
    return path, sorted(files)


SIZES = [(60, 80), (80, 60), (33, 35), (500, 375), (375, 500), (64, 64), (900, 1000), (31, 200)]


@case
def images_equal_tensorflow(lib):
    tf = tensorflow()
    path, files = make_images("images", tf, SIZES)
    for dims in [32, 32, 3], [48, 40, 3], [32, 32, 1]:
        for threads in 1, 3:
            d = lib.open(path, split="all", batch=3, epochs=1, dims=dims, threads=threads)
            assert d.examples == len(files) and d.classes == 3 and d.class_name(1) == "rose"
            x, y = d.all()
            equal(y, [["daisy", "rose", "tulip"].index(f.split("/")[-2]) for f, *_ in files])
            for a, (file, data, pixels, png) in zip(x, files):
                if png:
                    top, left, h, w = middle(*pixels.shape[:2], *dims[:2])
                    seen = tf.io.decode_png(data, channels=dims[2]).numpy()
                    want = tf.image.resize(seen[top:top + h, left:left + w].astype("f"),
                                           dims[:2]).numpy() / 255
                    np.testing.assert_allclose(a, want, atol=2e-5, err_msg=file)
                else:
                    want = expect_jpeg(tf, data, dims)
                    np.testing.assert_allclose(a, want, atol=0.004 if dims[2] == 1 else 0.02,
                                               err_msg=file)
                    assert abs(a - want).mean() < 0.002, (file, abs(a - want).mean())


@case
def image_splits(lib):
    tf = tensorflow()
    path, files = make_images("splits", tf, SIZES[:3], ("train", "test"))
    write(path + "/test/zinnia/1.png", tf.io.encode_png(picture(9, 9)).numpy())
    for split, names in ("train", ["daisy", "rose", "tulip"]), ("test", ["daisy", "rose", "tulip",
                                                                         "zinnia"]):
        d = lib.open(path, split=split, dims=[8, 8, 3], epochs=1)
        assert d.classes == 4 and d.examples == len(names), d.about
        equal(d.all()[1], range(len(names)))


@case
def threads_change_nothing(lib):
    tf = tensorflow()
    path, _ = make_images("many", tf, [(40 + i, 60 - i) for i in range(25)])
    varied = dict(flip=True, crop=0.6, brightness=0.2, shift=0.1)
    runs = [lib.open(path, split="all", batch=4, epochs=3, dims=[20, 20, 3], shuffle=True, seed=9,
                     threads=n, prefetch=1 + n, variation=varied).all() for n in (1, 2, 5)]
    for x, y in runs[1:]:
        equal(x, runs[0][0])
        equal(y, runs[0][1])
    assert len(runs[0][1]) == 75 and runs[0][0].min() >= 0 and runs[0][0].max() <= 1.0001


@case
def stops_in_the_middle(lib):
    tf = tensorflow()
    path, _ = make_images("many", tf, [(40 + i, 60 - i) for i in range(25)])
    for taken in 0, 1, 3:
        for threads in 1, 4:
            d = lib.open(path, batch=8, dims=[20, 20, 3], threads=threads, prefetch=3)
            for _ in range(taken):
                next(d)
            d.close()


@case
def variation_of_small_images(lib):
    path, (x, y, _, _) = make_idx("idx0")
    whole = lib.open(path, batch=50, epochs=1).all()[0]
    flipped = lib.open(path, batch=50, epochs=1, variation=dict(flip=True)).all()[0]
    same = [np.array_equal(a, b) for a, b in zip(whole, flipped)]
    mirrored = [np.allclose(a[:, ::-1], b) for a, b in zip(whole, flipped)]
    assert 10 < sum(same) < 40 and sum(same) + sum(mirrored) == 50, (sum(same), sum(mirrored))
    shifted = lib.open(path, batch=50, epochs=1, variation=dict(shift=0.1)).all()[0]
    moves = set()
    for a, b in zip(whole[..., 0], shifted[..., 0]):
        wide = np.pad(a, 3, mode="edge")
        found = [(i, j) for i in range(7) for j in range(7)
                 if np.allclose(wide[i:i + 28, j:j + 28], b)]
        assert len(found) == 1, found
        moves.add(found[0])
    assert len(moves) > 15
    bright = lib.open(path, batch=50, epochs=1, variation=dict(brightness=0.3)).all()[0]
    for a, b in zip(whole, bright):
        inner = (b > 0) & (b < 1)
        assert np.ptp((b - a)[inner]) < 1e-5 and abs((b - a)[inner]).max() < 0.3001


@case
def resizing_equals_tensorflow(lib):
    tf = tensorflow()
    path, (x, y, _, _) = make_idx("idx0")
    for dims in [40, 40, 1], [20, 24, 1], [14, 14, 1], [56, 56, 3], [10, 10, 3]:
        a, _ = lib.open(path, batch=50, epochs=1, dims=dims).all()
        top, left, h, w = middle(28, 28, *dims[:2])
        want = tf.image.resize(x[:, top:top + h, left:left + w, None].astype("f"), dims[:2]).numpy()
        np.testing.assert_allclose(a, np.repeat(want, dims[2], -1) / 255, atol=2e-6)


@case
def bad_images(lib):
    tf = tensorflow()
    path, files = make_images("bad_images", tf, [(64, 64)] * 4)
    for i in 0, 3:
        file, good = next((f, d) for f, d, _, png in files if png == (i == 3))
        for bad in good[:len(good) // 2], b"", b"plain text", good[:3], \
                good[:20] + b"\xff" * 40 + good[60:]:
            write(file, bad)
            for threads in 1, 3:
                d = lib.open(path, split="all", batch=1, epochs=1, dims=[8, 8, 3], threads=threads)
                before = sum(f < file for f, *_ in files)
                for _ in range(before):
                    next(d)
                fails(lambda: next(d), file, "%d bytes" % len(bad), "replace it")
                assert list(d) == []
        write(file, good)
    os.chmod(file, 0o644)
    d = lib.open(path, split="all", batch=1, epochs=1, dims=[8, 8, 3])
    fails(lambda: lib.open(path), "many sizes")


# ---- CIFAR --------------------------------------------------------------------------------------

def make_cifar(name, hundred=False):
    r, path, parts = np.random.RandomState(5), folder(name), {}
    names = ["train.bin", "test.bin"] if hundred else ["data_batch_1.bin", "data_batch_2.bin",
                                                       "test_batch.bin"]
    for n in names:
        x = r.randint(0, 256, [12, 3, 32, 32]).astype(np.uint8)
        y = r.randint(0, 100 if hundred else 10, [12]).astype(np.uint8)
        lines = np.concatenate(([r.randint(0, 20, [12, 1])] if hundred else []) +
                               [y[:, None], x.reshape(12, -1)], 1)
        write(os.path.join(path, n), lines.astype(np.uint8).tobytes())
        split = "test" if n.startswith("test") else "train"
        parts.setdefault(split, []).append((x.transpose(0, 2, 3, 1), y))
    write(path + ("/fine_label_names.txt" if hundred else "/batches.meta.txt"), b"apple\nbear\n\n")
    return path, {k: [np.concatenate(v) for v in zip(*p)] for k, p in parts.items()}


@case
def cifar(lib):
    for hundred in False, True:
        path, parts = make_cifar("cifar%d" % hundred, hundred)
        for split, (x, y) in parts.items():
            d = lib.open(path, split=split, batch=5, epochs=1)
            assert d.class_name(1) == "bear" and d.classes == (100 if hundred else 10), d.about
            a, b = d.all()
            np.testing.assert_allclose(a, x / 255, rtol=1e-6)
            equal(b, y)
    grey, _ = lib.open(path, batch=24, epochs=1, dims=[32, 32, 1], type="B").all()
    x = parts["train"][0].astype(float) @ [0.299, 0.587, 0.114]
    assert abs(grey[..., 0] - x[:len(grey)]).max() <= 0.51


@case
def bad_cifar(lib):
    path, _ = make_cifar("bad_cifar")
    file = path + "/data_batch_2.bin"
    good = open(file, "rb").read()
    for bad in good[:-1], b"", b"\x0b" + good[1:]:
        write(file, bad)
        fails(lambda: lib.open(path), file, "byte")


# ---- records ------------------------------------------------------------------------------------

def example(tf, **features):
    kinds = {bytes: lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v)),
             float: lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v)),
             int: lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))}
    return tf.train.Example(features=tf.train.Features(feature={
        k.replace("__", "/"): kinds[type(v[0])](v) for k, v in features.items()})).SerializeToString()


def write_records(tf, path, records, packing=""):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tf.io.TFRecordWriter(path, packing) as w:
        for r in records:
            w.write(r)
    return path


@case
def records_of_images(lib):
    tf = tensorflow()
    jpegs = [tf.io.encode_jpeg(picture(40 + i, 50, i), quality=95).numpy() for i in range(30)]
    for packing in "", "GZIP", "ZLIB":
        path = folder("records" + packing)
        for part in range(3):
            write_records(tf, "%s/train-%05d-of-00003" % (path, part), [
                example(tf, image__encoded=[jpegs[i]], image__class__label=[i],
                        image__filename=[b"f"]) for i in range(part * 10, part * 10 + 10)], packing)
        d = lib.open(path, batch=7, epochs=1, dims=[32, 32, 3], classes=30)
        assert d.examples == -1 and d.classes == 30, d.about
        x, y = d.all()
        equal(y, np.arange(30))
        for a, j in zip(x, jpegs):
            assert abs(a - expect_jpeg(tf, j, [32, 32, 3])).mean() < 0.002
        shuffled = lib.open(path, batch=7, epochs=2, dims=[32, 32, 3], shuffle=True, seed=3,
                            shuffle_buffer=12).all()[1]
        again = lib.open(path, batch=7, epochs=2, dims=[32, 32, 3], shuffle=True, seed=3,
                         shuffle_buffer=12, threads=4).all()[1]
        equal(shuffled, again)
        for epoch in shuffled[:30], shuffled[30:]:
            equal(sorted(epoch), np.arange(30))
            assert (epoch != np.arange(30)).sum() > 15
        assert (shuffled[:30] != shuffled[30:]).sum() > 15
        for shards in 2, 3, 5:
            parts = [lib.open(path, batch=4, epochs=1, dims=[8, 8, 3], shard=i, shards=shards).all()
                     [1] for i in range(shards)]
            equal(sorted(np.concatenate(parts)), np.arange(30))


@case
def records_of_numbers(lib):
    tf = tensorflow()
    r = np.random.RandomState(1)
    x, y = r.randn(25, 6).astype("f"), r.randint(0, 4, 25)
    path = write_records(tf, folder("numbers") + "/all.tfrecord", [
        example(tf, x=[float(v) for v in a], label=[int(b)], id=[b"one"]) for a, b in zip(x, y)])
    for source in path, os.path.dirname(path):
        a, b = lib.open(source, split="all", batch=4, epochs=1, dims=[2, 3]).all()
        equal(a, x.reshape(-1, 2, 3))
        equal(b, y)
    train, test = [lib.open(path, split=s, batch=4, epochs=1).all()[0] for s in ("train", "test")]
    equal(test, x[9::10])
    equal(train, np.delete(x, [9, 19], 0))
    write_records(tf, path, [example(tf, x=[int(v) for v in range(i, i + 6)], label=[float(i)])
                             for i in range(4)])
    a, b = lib.open(path, split="all", batch=4, epochs=1).all()
    equal(a, np.arange(6) + np.arange(4)[:, None])
    equal(b, np.arange(4))


@case
def records_of_pixels(lib):
    tf = tensorflow()
    r = np.random.RandomState(1)
    x = r.randint(0, 256, [9, 12, 10, 3]).astype(np.uint8)
    path = write_records(tf, folder("pixels") + "/train.tfrecords", [
        example(tf, image_raw=[a.tobytes()], height=[12], width=[10], depth=[3], label=[i])
        for i, a in enumerate(x)])
    a, b = lib.open(path, split="all", batch=4, epochs=1).all()
    np.testing.assert_allclose(a, x / 255, rtol=1e-6)
    write_records(tf, path, [example(tf, odd=[a.tobytes()], kind=[i]) for i, a in enumerate(x)])
    a, b = lib.open(path, split="all", batch=4, epochs=1, x_name="odd", y_name="kind",
                    dims=[12, 10, 3], type="B").all()
    equal(a, x)
    fails(lambda: lib.open(path, split="all", dims=[12, 10, 3]), "odd", "kind", "x_name")
    fails(lambda: lib.open(path, split="all", x_name="odd"), "odd", "kind", "y_name")
    fails(lambda: lib.open(path, split="all", x_name="odd", y_name="kind"), "360 bytes")
    fails(lambda: lib.open(path, split="all", x_name="none", y_name="kind"), "none")


@case
def bad_records(lib):
    tf = tensorflow()
    path = folder("bad_records") + "/train.tfrecord"
    make = lambda packing="": write_records(tf, path, [
        example(tf, x=[float(i)] * 50, label=[i]) for i in range(20)], packing)
    for packing in "", "GZIP", "ZLIB":
        good = open(make(packing), "rb").read()
        for bad in good[:len(good) * 2 // 3], good[:len(good) // 2] + b"\xff" + good[len(good) // 2 + 1:]:
            write(path, bad)
            for shuffle in False, True:
                fails(lambda: lib.open(path, split="all", batch=3, epochs=1, shuffle=shuffle).all(),
                      path, "byte ", "whole copy")
    for bad in b"", b"nonsense, and not a little of it", b"\0" * 100:
        write(path, bad)
        fails(lambda: lib.open(path), path)
    write_records(tf, path, [b"\xff\xff\xff", b"x"])
    fails(lambda: lib.open(path), path, "no Example")
    write_records(tf, path, [example(tf, x=[1.0], label=[2]), example(tf, x=[1.0]),
                             example(tf, x=[1.0, 2.0], label=[2]), example(tf, x=[b""], label=[2]),
                             example(tf, x=[1.0], label=[-3]), example(tf, x=[1.0], label=[b"a"])])
    for i, words in (1, ["label"]), (2, ["2 numbers"]), (3, ["x"]), (4, ["label"]), (5, ["label"]):
        d = lib.open(path, split="all", batch=1, epochs=1, shards=6, shard=i, dims=[1])
        fails(lambda: next(d), path, "byte ", *words)


# ---- CSV ----------------------------------------------------------------------------------------

@case
def csv(lib):
    path = folder("csv")
    rows = [(1.5, -2, 3e-3, 1), (4, 5.25, 6, 0), (7, 8, 9.5, 2)]
    plain = b"".join(b"%g,%g,%g,%d\n" % r for r in rows)
    x, y = np.array([r[:3] for r in rows], "f"), [1, 0, 2]
    for name, data in [("a.csv", plain), ("b.csv", b"a,b,c,label\n" + plain),
                       ("c.csv", plain.replace(b",", b";").replace(b"\n", b"\r\n")),
                       ("d.tsv", plain.replace(b",", b"\t")[:-1]),
                       ("e.csv", b"label,1x1,1x2,1x3\n" + b"".join(
                           b'"%d", %g ,"%g",%g\n' % (r[3], *r[:3]) for r in rows)),
                       ("f.csv.gz", gzip.compress(b"a,b,c,label\n" + plain)),
                       ("g.csv", b"".join(b"%d,%g,%g,%g\n" % (r[3], *r[:3]) for r in rows))]:
        d = lib.open(write(path + "/" + name, data), split="all", batch=2, epochs=1)
        a, b = d.all()
        equal(a, x)
        equal(b, y)
    _, b = lib.open(path + "/e.csv", split="all", epochs=1, y_name="label", classes=8).all()
    equal(b, y)
    a, _ = next(lib.open(path + "/a.csv", split="all", label_type=None, epochs=1))
    equal(a[:, 3], y)


@case
def csv_words(lib):
    path = folder("csv_words")
    write(path + "/iris_train.csv", b"5.1,3.5,setosa\n4,3,virginica\n6,1,setosa\n")
    write(path + "/iris_test.csv", b"1,2,\"odd, \"\"one\"\"\"\n")
    d = lib.open(path, epochs=1)
    a, b = d.all()
    equal(b, [1, 2, 1])
    assert d.classes == 3 and d.class_name(0) == 'odd, "one"' and d.class_name(2) == "virginica"
    a, b = lib.open(path, split="test", epochs=1).all()
    equal(b, [0])


@case
def bad_csv(lib):
    path = folder("bad_csv") + "/a.csv"
    for bad, words in [(b"1,2,0\n3,,1\n", ["line 2", "byte 6", "column 2"]),
                       (b"1,2,0\n3,1\n", ["line 2", "2 columns"]),
                       (b"1,2,0\nx,2,1\n", ["line 2", "\"x\""]),
                       (b"1,2,0\n1,2,word\n", ["line 2", "word"]),
                       (b"1,2,0\n1,\"2,1\n", ["line 2", "quote"]),
                       (b"", ["no rows"]), (b"a,b,label\n", ["no rows"]), (b"label\n1\n", ["label"])]:
        write(path, bad)
        fails(lambda: lib.open(path, split="all"), path, *words)
    write(path, b"1.5,2,0.5\n2,3,1.5\n")
    fails(lambda: next(lib.open(path, split="all", dims=[2])), path, "label", "y_name")
    write(path, b"1,2,0\n2,3,1\n")
    fails(lambda: lib.open(path, split="all", dims=[5]), "2 numbers", "5")
    fails(lambda: lib.open(path, split="all", y_name="none"), "none")


# ---- text ---------------------------------------------------------------------------------------

@case
def text_words(lib):
    path = folder("text")
    train, test = "the cat saw the dog\nthe dog ran\n" * 3, "the dog saw a cat\n"
    write(path + "/ptb.train.txt", train.encode())
    write(path + "/ptb.test.txt", test.encode())
    def words(t):
        return [w for line in t.splitlines() for w in line.split() + ["<eos>"]]
    counts = {w: words(train).count(w) for w in words(train)}
    vocabulary = sorted(counts, key=lambda w: (-counts[w], w))
    d = lib.open(path, batch=2, epochs=1, dims=[4], type="i")
    x, y = d.all()
    ids = [vocabulary.index(w) for w in words(train)]
    n = (len(ids) - 1) // 4
    equal(x, np.array(ids[:n * 4]).reshape(n, 4))
    equal(y, np.array(ids[1:n * 4 + 1]).reshape(n, 4))
    assert d.class_name(0) == vocabulary[0] and d.classes == len(vocabulary)
    fails(lambda: lib.open(path, split="test", dims=[4], type="i"), "\"a\"", "ptb.test.txt")
    write(path + "/ptb.train.txt", (train + " ".join("w%d" % i for i in range(400))).encode())
    x, y = lib.open(path, split="test", batch=9, epochs=1, dims=[5], type="i", classes=300).all()
    equal(x[0], [vocabulary.index(w) if w in vocabulary else 299 for w in words(test)[:5]])


@case
def text_bytes(lib):
    path = write(folder("bytes") + "/a.txt", bytes(range(97, 123)) * 3)
    x, y = lib.open(path, split="all", batch=3, epochs=1, dims=[10], type="i", classes=128).all()
    equal(x.ravel(), np.frombuffer(bytes(range(97, 123)) * 3, np.uint8)[:x.size])
    equal(y[:, :-1], x[:, 1:])
    fails(lambda: lib.open(path, dims=[10], type="i", classes=100), path, "byte 3")
    fails(lambda: lib.open(path, dims=[100], type="i", classes=128), path, "78 tokens")


# ---- order --------------------------------------------------------------------------------------

def labelled(name, n):
    """IDX whose image i says i in its first two pixels."""
    path = folder(name)
    x = np.zeros([n, 2, 2], np.uint8)
    x[:, 0, 0], x[:, 0, 1] = np.arange(n) // 256, np.arange(n) % 256
    write(path + "/train-images-idx3-ubyte", idx(x))
    write(path + "/train-labels-idx1-ubyte", idx(np.arange(n) % 10))
    return path


def numbers(batches):
    x = np.concatenate([b[0] for b in batches])
    return x[:, 0, 0, 0].astype(int) * 256 + x[:, 0, 1, 0]


@case
def shuffling_is_a_permutation_by_seed(lib):
    path = labelled("order", 1000)
    def run(**o):
        return numbers(lib.open(path, type="B", batch=32, **o))
    one = run(shuffle=True, seed=1, epochs=2)
    equal(one, run(shuffle=True, seed=1, epochs=2))
    equal(sorted(one[:1000]), np.arange(1000))
    equal(sorted(one[1000:]), np.arange(1000))
    assert (one[:1000] != one[1000:]).mean() > 0.9
    assert (one != run(shuffle=True, seed=2, epochs=2)).mean() > 0.9
    assert abs(np.corrcoef(one[:1000], np.arange(1000))[0, 1]) < 0.1


@case
def shards_are_disjoint_and_complete(lib):
    path = labelled("order", 1000)
    for shuffle in False, True:
        parts = [numbers(lib.open(path, type="B", batch=32, epochs=1, shuffle=shuffle, seed=5,
                                  shard=i, shards=3)) for i in range(3)]
        assert [len(p) for p in parts] == [334, 333, 333]
        equal(sorted(np.concatenate(parts)), np.arange(1000))


@case
def last_batches(lib):
    path = labelled("order", 1000)
    sizes = [len(x) for x, _ in lib.open(path, batch=300, epochs=2)]
    assert sizes == [300] * 6 + [200], sizes
    sizes = [len(x) for x, _ in lib.open(path, batch=300, epochs=1, whole_batches=True)]
    assert sizes == [300] * 3, sizes


# ---- the command --------------------------------------------------------------------------------

@case
def bench_input(lib):
    weir = os.path.join(os.path.dirname(os.path.abspath(lib.c._name)), "weir")
    path, _ = make_idx("idx0")
    def run(*words):
        p = subprocess.run([weir, "bench", "input", *words], capture_output=True, text=True)
        return p.returncode, p.stdout + p.stderr
    code, text = run(path, "--dims", "20x20x3", "--seconds", "0.1", "-o", "json")
    told = json.loads(text)
    assert code == 0 and told["examples"] == told["batches"] * 100 > 0, text
    assert told["data"] == "IDX, 70 examples of 20x20x3, 10 classes", text
    for words, exit_status, say in [((path, "--dims", "20by3"), 2, "224x224x3"), ((), 2, "DATA"),
                                    ((path + "/none",), 1, path + "/none")]:
        code, text = run(*words)
        assert code == exit_status and say in text, text


# ---- what is wrong ------------------------------------------------------------------------------

@case
def bad_options(lib):
    path, _ = make_idx("idx0")
    fails(lambda: lib.open(path, batch=-1), "batch -1")
    fails(lambda: lib.open(path, shard=3, shards=3), "shard 3 is not one of 3")
    fails(lambda: lib.open(path, split="other"), "other")
    fails(lambda: lib.open(path, threads=1 << 30), "threads")
    fails(lambda: lib.open(path, prefetch=1 << 30), "prefetch")
    fails(lambda: lib.open(path, shuffle=True, shuffle_buffer=1 << 60), "shuffle_buffer")
    fails(lambda: lib.open(path, dims=[1 << 40, 1 << 40, 3]), "")
    fails(lambda: lib.open(path, dims=[100000, 100, 3]), "too large")
    fails(lambda: next(lib.open(path, dims=[16384, 16384, 1], batch=1 << 30)), "")
    fails(lambda: lib.open(path, dims=[785]), "785")
    fails(lambda: lib.open(path, dims=[28, 28, 2]), "channels")
    fails(lambda: lib.open(path + "/nothing"), path + "/nothing", "synthetic")
    fails(lambda: lib.open(folder("empty")), "empty", "docs/reference/data.md")
    fails(lambda: next(lib.open(path, classes=3)), "label", "3 classes", "train-images", "image ")


@case
def bad_idx(lib):
    path, (x, y, _, _) = make_idx("bad_idx")
    images, labels = [path + "/train-%s-ubyte" % w for w in ("images-idx3", "labels-idx1")]
    good = idx(x)
    for bad in good[:-1], good[:10], b"", b"\0\0\x07\x03" + good[4:], good + b"x", \
            good[:4] + b"\xff" * 12 + good[16:], gzip.compress(good)[:-30], b"\x1f\x8b\x08junk":
        write(images, bad)
        fails(lambda: lib.open(path), images)
    write(images, good)
    for bad in idx(y[:-1]), idx(x):
        write(labels, bad)
        fails(lambda: lib.open(path), labels)
    os.remove(labels)
    fails(lambda: lib.open(path), "train-labels-idx1-ubyte")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    parser.add_argument("-v", action="store_true")
    parser.add_argument("names", nargs="*", help="only cases whose names contain one of these")
    args = parser.parse_args()
    lib = weir_data.Library(args.lib)
    passed = failed = 0
    for f in CASES:
        if args.names and not any(n in f.__name__ for n in args.names):
            continue
        try:
            f(lib)
            passed += 1
            if args.v:
                print("ok  ", f.__name__)
        except Exception:
            failed += 1
            print("FAIL", f.__name__)
            traceback.print_exc()
    shutil.rmtree(TMP)
    print("data: %d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
