#!/usr/bin/env python3
"""Data against numpy and TensorFlow: every kind of source, resizing, shuffling, shards, bad files.

    tests/data_test.py [--lib PATH] [-v]
"""
import argparse
import gzip
import os
import struct
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


# ---- what is wrong ------------------------------------------------------------------------------

@case
def bad_options(lib):
    path, _ = make_idx("idx0")
    fails(lambda: lib.open(path, batch=-1), "batch -1")
    fails(lambda: lib.open(path, shard=3, shards=3), "shard 3 is not one of 3")
    fails(lambda: lib.open(path, split="other"), "other")
    fails(lambda: lib.open(path, dims=[785]), "785")
    fails(lambda: lib.open(path, dims=[28, 28, 2]), "channels")
    fails(lambda: lib.open(path + "/nothing"), path + "/nothing", "synthetic")
    fails(lambda: lib.open(folder("empty")), "empty", "docs/data.md")
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
    parser.add_argument("names", nargs="*", help="only the cases whose names hold one of these")
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
    print("data: %d passed, %d failed" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
