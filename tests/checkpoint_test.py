#!/usr/bin/env python3
"""Checkpoints between Weir and TensorFlow: written by one, read by the other, bit by bit.

    tests/checkpoint_test.py [--lib PATH] [-v]

Every kind of checkpoint is written by both libraries and read by both, so that each is read four
ways; files that both write must hold the same bytes. Damaged files must be refused, in the same way.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import dtypes
import graphs
from listed import Tests
from worker import Crash, Worker

rng = np.random.RandomState(7)


def numbers(dtype, *shape):
    kind = dtypes.KIND[dtypes.number(dtype)]
    if kind == "b":
        return rng.randint(0, 2, shape).astype(bool)
    values = rng.uniform(-90, 90, shape) if kind != "u" else rng.uniform(0, 200, shape)
    if kind == "c":
        values = values + 1j * rng.uniform(-1, 1, shape)
    return np.asarray(values).astype(dtypes.NUMPY[dtypes.number(dtype)])


PLAIN = ["f16", "bf16", "f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool",
         "c64", "c128"]
TENSORS = {"t_" + d: (d, numbers(d, 3, 4)) for d in PLAIN}
TENSORS.update({
    "scalar": ("f64", np.float64(2.5)), "empty": ("f32", np.zeros((0, 3), np.float32)),
    "large": ("f32", numbers("f32", 700, 300)),
    "strings": ("str", np.array([b"hello", b"", b"x" * 200, bytes(range(256))], object)),
    "string": ("str", np.array(b"one", object)),
    "no_strings": ("str", np.zeros((0,), object)),
    "name/with:odd chars\xe9": ("i32", np.arange(3, dtype=np.int32)),
})
MANY = {"many/variable_%04d" % i: ("i32", np.full((2,), i, np.int32)) for i in range(5000)}
FULL = np.arange(60, dtype=np.float32).reshape(5, 4, 3)
SLICES = ["5 4 3 0,2:-:-", "5 4 3 2,3:0,1:-", "5 4 3 2,3:1,3:0,3"]
PARTS = [FULL[:2], FULL[2:, :1], FULL[2:, 1:]]


class Lib:
    """One of the two libraries, and checkpoint work for it."""

    def __init__(self, name, path, log):
        self.name, self.worker = name, Worker(path, log=log)

    def run(self, build):
        """Runs the one step that |build(g)| adds; raises what it raised."""
        g = graphs.GraphBuilder()
        build(g)
        reply = self.worker.call("job", {"graph": g.graph_def(), "config": graphs.plain_config(),
                                         "runs": g.runs})
        if reply["error"]:
            raise reply["error"]
        for r in reply["runs"]:
            if isinstance(r, Exception):
                raise r
        return [[v.array for v in r] for r in reply["runs"]][-1]

    def save(self, prefix, tensors, slices=None, op="SaveV2"):
        def build(g):
            names = g.const([n.encode() for n in tensors] if isinstance(tensors, dict) else
                            [n for n, _ in tensors], "str")
            values = [g.const(v, d) for d, v in (tensors.values() if isinstance(tensors, dict)
                                                 else [t for _, t in tensors])]
            more = [] if op == "Save" else [g.const(slices or [""] * len(values), "str")]
            g.run(targets=[g.op(op, g.const(prefix), names, *more, values)])
        self.run(build)

    def merge(self, prefixes, prefix, **attrs):
        self.run(lambda g: g.run(targets=[g.op("MergeV2Checkpoints", g.const(prefixes, "str"),
                                               g.const(prefix), **attrs)]))

    def restore(self, prefix, names, types, slices=None):
        def build(g):
            g.run([g.op("RestoreV2", g.const(prefix), g.const([n.encode() for n in names], "str"),
                        g.const(slices or [""] * len(names), "str"), dtypes=types)[k]
                   for k in range(len(names))])
        return self.run(build)


test = Tests("checkpoints")


def same(a, b, what):
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        raise AssertionError("%s: shape %s, not %s" % (what, a.shape, b.shape))
    equal = a.tolist() == b.tolist() if a.dtype == object else a.tobytes() == b.tobytes()
    if not equal:
        raise AssertionError("%s: values differ" % what)


def read_back(lib, prefix, tensors):
    got = lib.restore(prefix, list(tensors), [d for d, _ in tensors.values()])
    for (name, (_, value)), v in zip(tensors.items(), got):
        same(v, dtypes.Value(value, tensors[name][0]).array, name)


def same_files(a, b, suffixes):
    for s in suffixes:
        if open(a + s, "rb").read() != open(b + s, "rb").read():
            raise AssertionError("%s: the two libraries write different bytes" % s)


def each_way(libs, folder, write, read, suffixes=(".index", ".data-00000-of-00001")):
    """Both write, each reads both; the files are equal."""
    prefixes = [os.path.join(folder, lib.name) for lib in libs]
    for lib, prefix in zip(libs, prefixes):
        write(lib, prefix)
    for lib in libs:
        for prefix in prefixes:
            try:
                read(lib, prefix)
            except Exception as e:
                raise AssertionError("%s reads what %s wrote: %s" %
                                     (lib.name, os.path.basename(prefix), e)) from e
    same_files(*prefixes, suffixes)


@test
def every_type(libs, folder):
    each_way(libs, folder, lambda lib, p: lib.save(p, TENSORS),
             lambda lib, p: read_back(lib, p, TENSORS))


# ---- every type, in every layout, each way ----

EVERY = [s for n, s in sorted(dtypes.SHORT.items()) if dtypes.NUMPY[n] is not None]
SHAPES = {"scalar": (), "empty": (0, 3), "small": (5, 4), "large": (257, 258)}
SMALL_FLOATS = ("f8e5m2", "f8e4m3fn", "i4", "u4")


def some(dtype, shape):
    if dtype == "str":
        shape = (31, 33) if shape == SHAPES["large"] else shape  # and one long one among them
        array = np.empty(shape, object)
        flat = [bytes(rng.bytes(rng.randint(0, 9))) for _ in range(array.size)]
        if flat:
            flat[-1] = b"z" * 300000 if array.size > 100 else b"\0end\0"
        array.reshape(-1)[:] = flat
        return array if shape else np.array(flat[0], object)
    if dtype in SMALL_FLOATS:
        return rng.randint(0, 7, shape).astype(dtypes.NUMPY[dtypes.number(dtype)])
    return numbers(dtype, *shape)


MATRIX = {"%s/%s" % (d, s): (d, some(d, shape)) for d in EVERY for s, shape in SHAPES.items()}


def in_shards(lib, prefix, parts):
    """[(name, (dtype, value), spec)] dealt to three shards, which are merged."""
    shards = [prefix + "_temp/part-%05d-of-00003" % k for k in range(3)]
    for k, shard in enumerate(shards):
        mine = parts[k::3]
        lib.save(shard, [(n.encode(), t) for n, t, _ in mine], [s for _, _, s in mine])
    lib.merge(shards, prefix)


def slices_of(name, dtype, array):
    """The array as three slices along its first axis, the last two along its second, too."""
    if array.ndim < 2 or array.size == 0:
        return [(name, (dtype, array), "")]
    n, m = array.shape
    cut, middle = n // 2, m // 3
    spec = lambda a, al, b, bl: "%d %d %d,%d:%s" % (n, m, a, al, "-" if bl is None else "%d,%d" % (b, bl))
    return [(name, (dtype, array[:cut]), spec(0, cut, 0, None)),
            (name, (dtype, array[cut:, :middle]), spec(cut, n - cut, 0, middle)),
            (name, (dtype, array[cut:, middle:]), spec(cut, n - cut, middle, m - middle))]


# TensorFlow joins slices of these types; those of the others it saves, and only Weir reads them.
SLICED = ["f32", "f64", "i32", "u8", "i16", "i8", "c64", "c128", "i64", "bool", "qi32", "qu8", "qi8",
          "bf16", "i4", "u4"]

LAYOUTS = {
    "whole": lambda lib, p: lib.save(p, MATRIX),
    "sharded": lambda lib, p: in_shards(lib, p, [(n, t, "") for n, t in MATRIX.items()]),
    "sliced": lambda lib, p: in_shards(lib, p, [x for n, (d, a) in MATRIX.items()
                                                for x in slices_of(n, d, a)]),
}


def layout_test(name, write):
    def read(lib, prefix):
        both = name != "sliced" or lib.name == "weir"
        read_back(lib, prefix, {n: t for n, t in MATRIX.items() if both or t[0] in SLICED})

    def run(libs, folder):
        shards = 1 if name == "whole" else 3
        each_way(libs, folder, write, read, [".index"] + [".data-%05d-of-%05d" % (k, shards)
                                                          for k in range(shards)])
    run.__name__ = "every_type_" + name
    return test(run)


for _name, _write in LAYOUTS.items():
    layout_test(_name, _write)


@test
def many_blocks(libs, folder):
    some = dict(list(MANY.items())[::500])
    each_way(libs, folder, lambda lib, p: lib.save(p, MANY), lambda lib, p: read_back(lib, p, some))


def read_slices(lib, prefix):
    same(lib.restore(prefix, ["part"], ["f32"])[0], FULL, "whole")
    for spec, part in zip(SLICES, PARTS):
        same(lib.restore(prefix, ["part"], ["f32"], [spec])[0], part, spec)
    same(lib.restore(prefix, ["part"], ["f32"], ["5 4 3 1,3:0,4:1,1"])[0], FULL[1:4, :, 1:2], "across")


@test
def slices(libs, folder):
    parts = [(b"part", ("f32", p)) for p in PARTS] + [(b"z", ("i32", np.int32(1)))]
    each_way(libs, folder, lambda lib, p: lib.save(p, parts, SLICES + [""]), read_slices)


@test
def slice_of_a_whole_tensor(libs, folder):
    each_way(libs, folder, lambda lib, p: lib.save(p, {"part": ("f32", FULL)}), read_slices)


@test
def sharded_and_merged(libs, folder):
    def write(lib, prefix):
        shards = [prefix + "_temp/part-%05d-of-00002" % k for k in range(2)]
        lib.save(shards[0], [(b"part", ("f32", PARTS[0])), (b"b", TENSORS["strings"])],
                 [SLICES[0], ""])
        lib.save(shards[1], [(b"a", TENSORS["large"]), (b"part", ("f32", PARTS[1])),
                             (b"part", ("f32", PARTS[2]))], ["", SLICES[1], SLICES[2]])
        lib.merge(shards, prefix)
        if os.path.exists(prefix + "_temp"):
            raise AssertionError("the folder of the shards is still there")

    def read(lib, prefix):
        read_slices(lib, prefix)
        read_back(lib, prefix, {"a": TENSORS["large"], "b": TENSORS["strings"]})
    each_way(libs, folder, write, read,
             (".index", ".data-00000-of-00002", ".data-00001-of-00002"))


@test
def replaced(libs, folder):
    """A checkpoint that replaces one of its prefix, as one file and as shards, is as good as new."""
    for mix in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)):  # who saves, one after the other
        prefix = os.path.join(folder, "r%d%d%d" % mix)
        for step, who in enumerate(mix):
            values = {"a": ("f32", FULL + step), "s": TENSORS["strings"]}
            libs[who].save(prefix, values)
            for lib in libs:
                read_back(lib, prefix, values)
        for step in range(3):
            parts = [(n, ("i32", np.full((3,), step, np.int32)), "") for n in ("x", "y", "z")]
            in_shards(libs[0], prefix, parts)
            for lib in libs:
                read_back(lib, prefix, {n: t for n, t, _ in parts})
        if libs[0].name == "weir":
            left = sorted(f for f in os.listdir(folder) if f.startswith(os.path.basename(prefix)))
            if sum(".data-" in f for f in left) > 4:  # three, and one that TensorFlow left
                raise AssertionError("old data files are still there: %s" % left)


@test
def lists_of_checkpoints(libs, folder):
    """The "checkpoint" file: TensorFlow goes on with Weir's, and Weir with TensorFlow's."""
    import tensorflow as tf
    paths = [os.path.join(folder, "m-%d" % i) for i in range(5)]
    for i, path in enumerate(paths):
        libs[0].save(path, {"a": ("f32", FULL)})
        if i == 2:
            tf.compat.v1.train.update_checkpoint_state(folder, path, paths[1:3])
        else:
            libs[0].worker.call("checkpoint_advance", folder, path, 3)
        state = tf.train.get_checkpoint_state(folder)
        same(state.model_checkpoint_path, path, "latest")
        same(list(state.all_model_checkpoint_paths), paths[max(0, i - 2) + (i == 2):i + 1], "all")
        same(tf.train.latest_checkpoint(folder), path, "latest, if it is there")
    there = [tf.compat.v1.train.checkpoint_exists(p) for p in paths]
    same(there, [True, False, True, True, True], "kept")  # the first was not on TensorFlow's list


@test
def format_v1(libs, folder):
    skip = {"t_u32", "t_u64", "t_f16", "t_bf16", "empty", "no_strings"}  # not every version saves them
    some = {n: t for n, t in TENSORS.items() if n not in skip}
    each_way(libs, folder, lambda lib, p: lib.save(p, some, op="Save"),
             lambda lib, p: read_back(lib, p, some), suffixes=())


@test
def format_v1_slices(libs, folder):
    parts = [(b"part", ("f32", p)) for p in PARTS]
    each_way(libs, folder, lambda lib, p: lib.save(p, parts, SLICES, op="SaveSlices"), read_slices,
             suffixes=())


def remap(lib, prefix, rows, cols, values, **attrs):
    def build(g):
        g.run([g.op("LoadAndRemapMatrix", g.const(attrs.pop("path", prefix)), g.const("m"), g.const(rows, "i64"),
                    g.const(cols, "i64"), g.const(values, "f32"), num_rows=attrs.pop("num_rows", len(rows)),
                    num_cols=attrs.pop("num_cols", len(cols) or 3), **attrs)])
    return lib.run(build)[0]


@test
def remapped_matrices(libs, folder):
    prefix = os.path.join(folder, "c")
    matrix = np.arange(15, dtype=np.float32).reshape(5, 3)
    libs[0].save(prefix, {"m": ("f32", matrix)})
    named = remap(libs[1], prefix, [2, 0], [1, 0], [], path=[prefix])  # one name, in any shape
    same(remap(libs[0], prefix, [2, 0], [1, 0], []), named, "path")
    for args in (([2, 0], [1, 0], []), ([2, -1, 0], [], [7, 8, 9]), ([2, -1], [0, -1], [1, 2, 3]),
                 ([4, 3, 2, 1, 0], [], [])):
        same(remap(libs[0], prefix, *args), remap(libs[1], prefix, *args), args)
    for code, rows, cols, values, attrs in (
            ("INVALID_ARGUMENT", [2, -1], [0, -1], [1, 2], {}), ("UNIMPLEMENTED", [2, 2], [], [], {}),
            ("INVALID_ARGUMENT", [2], [], [1], {}), ("INTERNAL", [9], [], [], {}),
            ("INVALID_ARGUMENT", [0, 1], [], [], {"num_rows": 3}),
            ("INVALID_ARGUMENT", [0], [], [], {"num_cols": 2}),
            ("INVALID_ARGUMENT", [0], [], [], {"path": [prefix, prefix]}),
            ("INVALID_ARGUMENT", [[0]], [], [], {"num_cols": 3})):
        for lib in libs:
            refused(lib, code, lambda: remap(lib, prefix, rows, cols, values, **dict(attrs)))
    for lib in libs:
        refused(lib, "NOT_FOUND", lambda: remap(lib, prefix + "x", [0], [], []))


def refused(lib, code, run):
    try:
        run()
    except Exception as e:
        if getattr(e, "name", "") != code:
            raise AssertionError("%s: %s, not %s" % (lib.name, e, code)) from None
        return
    raise AssertionError("%s: not refused" % lib.name)


@test
def errors(libs, folder):
    prefix = os.path.join(folder, "c")
    libs[0].save(prefix, {"a": ("f32", FULL), "s": TENSORS["strings"]})
    one = lambda lib, p, name="a", dtype="f32", spec="": (
        lambda: lib.restore(p, [name], [dtype], [spec]))
    for lib in libs:
        refused(lib, "NOT_FOUND", one(lib, prefix, "none"))
        refused(lib, "NOT_FOUND", one(lib, prefix + "x"))
        refused(lib, "INVALID_ARGUMENT", one(lib, prefix, dtype="i32"))
        refused(lib, "INVALID_ARGUMENT", one(lib, prefix, spec="9 4 3 0,2:-:-"))
        refused(lib, "INVALID_ARGUMENT", lambda: lib.save(
            os.path.join(folder, "d"), [(b"a", ("i32", np.int32(1))), (b"a", ("i32", np.int32(2)))]))
        refused(lib, "NOT_FOUND", lambda: lib.save(os.path.join(folder, "no/such/c"),
                                                   {"a": ("f32", FULL)}))
        refused(lib, "FAILED_PRECONDITION", lambda: lib.save(prefix + ".index/c", {"a": ("f32", FULL)}))


@test
def damage(libs, folder):
    prefix = os.path.join(folder, "c")
    libs[0].save(prefix, {"a": ("f32", FULL), "s": TENSORS["strings"]})
    data, index = (open(prefix + s, "rb").read() for s in (".data-00000-of-00001", ".index"))

    def broken(name, data, index):
        p = os.path.join(folder, name)
        open(p + ".data-00000-of-00001", "wb").write(data)
        open(p + ".index", "wb").write(index)
        return p
    flip = lambda b, i: b[:i] + bytes([b[i] ^ 1]) + b[i + 1:]
    for lib in libs:
        for name, dtype, at in (("a", "f32", 5), ("s", "str", FULL.nbytes + 1),
                                ("s", "str", len(data) - 3)):
            p = broken("flip", flip(data, at), index)
            refused(lib, "DATA_LOSS", lambda: lib.restore(p, [name], [dtype]))
        p = broken("junk", data, b"x" * 100)
        refused(lib, "DATA_LOSS", lambda: lib.restore(p, ["a"], ["f32"]))
        p = broken("crc", data, flip(index, 8))
        refused(lib, "DATA_LOSS", lambda: lib.restore(p, ["a"], ["f32"]))
    weir = libs[0]
    for cut in range(0, len(index), 7):  # whatever is missing: a status
        p = broken("cut", data, index[:cut])
        try:
            weir.restore(p, ["a"], ["f32"])
        except Crash:
            raise
        except Exception:
            continue
        raise AssertionError("an index of %d bytes is taken for one of %d" % (cut, len(index)))
    for cut in range(0, len(data), 60):
        p = broken("cut", data[:cut], index)
        try:
            weir.restore(p, ["a", "s"], ["f32", "str"])
        except Crash:
            raise
        except Exception:
            continue
        raise AssertionError("data of %d bytes are taken for %d" % (cut, len(data)))


def both(args, log):
    libs = [Lib("weir", args.lib, log), Lib("tensorflow", graphs.library_path(), log)]
    return libs, lambda: [lib.worker.stop() for lib in libs]


if __name__ == "__main__":
    sys.exit(test.main(both))
