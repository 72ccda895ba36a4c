#!/usr/bin/env python3
"""Libraries of ops: those of TensorFlow's C interface load into Weir and into TensorFlow as they are,
and give the same values; those of weir/op.h have gradients; bad ones are refused by a status.

    tests/op_library_test.py [--lib PATH] [-k TEXT] [-v]
"""
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import pb
from pb import GraphDef, T
from scenario import HERE, equal, fails, main, scenario
from weir_c import Buffer

ROOT = os.path.join(HERE, "..")
F = T("f32")
X = np.array([[-3, -0.5, 0], [0.25, 1, 40]], np.float32)


# ---- building and loading ------------------------------------------------------------------------

def tensorflow_folder():
    found = subprocess.run([sys.executable, "-c", "import importlib.util as u; "
                            "print(u.find_spec('tensorflow').submodule_search_locations[0])"],
                           capture_output=True, text=True)
    return found.stdout.strip()


def build(source, headers="weir", linked=()):
    """A shared library from |source|, in a folder that stays for the scenario."""
    folder, tensorflow = tempfile.mkdtemp(prefix="weir_ops_"), tensorflow_folder()
    out = os.path.join(folder, os.path.basename(source).split(".")[0] + ".so")
    include = os.path.join(ROOT, "include") if headers == "weir" else os.path.join(tensorflow, "include")
    compiler = ["g++", "-std=c++17"] if source.endswith(".cc") else ["cc", "-std=gnu17"]
    link = ["-L" + tensorflow] + ["-l:libtensorflow_%s.so.2" % name for name in linked]
    subprocess.run(compiler + ["-O1", "-shared", "-fPIC", "-w", "-I" + include,
                               os.path.join(ROOT, source), "-o", out, "-lm"] + link, check=True)
    return out


def load(lib, file):
    """The serialised OpList of what a library brings."""
    lib.TF_LoadLibrary.restype = ctypes.c_void_p
    lib.TF_LoadLibrary.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    lib.TF_GetOpList.restype, lib.TF_GetOpList.argtypes = Buffer, [ctypes.c_void_p]
    lib.TF_DeleteLibraryHandle.restype = None
    lib.TF_DeleteLibraryHandle.argtypes = [ctypes.c_void_p]
    handle = lib.checked("TF_LoadLibrary", file.encode())
    ops = lib.TF_GetOpList(handle)
    data = ctypes.string_at(ops.data, ops.length) if ops.length else b""
    lib.TF_DeleteLibraryHandle(handle)
    return data


def op_names(op_list):
    return sorted(pb.parse(op)[1][0].decode() for op in pb.parse(op_list).get(1, []))


# ---- TensorFlow's C interface --------------------------------------------------------------------

def clip_graph():
    g = GraphDef()
    x = g.placeholder("f32", [None, 3], name="x")
    g.node("SoftClip", x, name="plain")
    y = g.node("SoftClip", x, limit=2.5, name="y")
    g.node("Add", y, g.const(1.0), T=F, name="z")
    constant = g.const(X, name="c")
    g.node("SoftClip", constant, limit=0.5, name="folded")
    g.node("SoftClip", x, limit=-1.0, name="bad")
    return g.bytes()


def text_graph():
    g = GraphDef()
    a, b = (g.const(np.array(t, object), "string") for t in ([b"x", b""], [b"one", b"two" * 20]))
    g.node("JoinAll", a, b, N=2, name="joined")
    g.node("JoinAll", a, b, a, N=3, separator="-+-", name="joined3")
    x = g.placeholder("f32", [2, 3], name="x")
    g.node("DotRows", x, x, T=F, name="dot")
    i = g.const(np.array([[1, 2], [3, 4]]), "i64")
    g.node("DotRows", i, i, T=T("i64"), name="doti")
    g.node("CountBytes", x, i, Tin=[F, T("i64")], name="bytes")
    return g.bytes()


TEXT_FETCHES = ["joined:0", "joined3:0", "dot:0", "doti:0", "bytes:0"]
CLIP_FETCHES = ["plain:0", "y:0", "z:0", "folded:0"]

IN_TENSORFLOW = """
import json, sys, numpy as np
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
for library, file, fetches in json.loads(sys.argv[1]):
    tf.load_op_library(library)
    with tf.Graph().as_default() as graph, tf.Session() as s:
        tf.import_graph_def(tf.GraphDef.FromString(open(file, "rb").read()), name="")
        out = s.run(fetches, {"x:0": np.array(json.loads(sys.argv[2]), np.float32)})
    print("VALUES " + json.dumps([[v.decode() if isinstance(v, bytes) else v for v in o.ravel().tolist()]
                                  for o in out]))
"""


def in_tensorflow(cases):
    """What TensorFlow fetches from each (library, graph, fetches)."""
    with tempfile.TemporaryDirectory() as folder:
        named = []
        for i, (library, graph, fetches) in enumerate(cases):
            named.append((library, os.path.join(folder, str(i)), fetches))
            with open(named[-1][1], "wb") as f:
                f.write(graph)
        done = subprocess.run([sys.executable, "-c", IN_TENSORFLOW, json.dumps(named),
                               json.dumps(X.tolist())], capture_output=True, text=True)
    lines = [line[7:] for line in done.stdout.splitlines() if line.startswith("VALUES ")]
    assert len(lines) == len(cases), (done.returncode, done.stderr[-3000:])
    return [json.loads(line) for line in lines]


def same_values(lib, graph, fetches, want):
    for config in (b"", pb.config(rewrite=False)):
        with lib.graph(graph).session(config) as s:
            got = s.run(fetches, {"x:0": X})
            for value, expected, name in zip(got, want, fetches):
                flat = value.array.ravel().tolist()
                if isinstance(expected[0], str):
                    assert [v.decode() for v in flat] == expected, (name, flat, expected)
                else:
                    np.testing.assert_allclose(flat, expected, rtol=1e-6, err_msg=name)


@scenario
def one_library_for_both(lib):
    """A library in C, and one in C++ that was built with TensorFlow's headers and linked with it."""
    clip = build("docs/examples/ops/soft_clip.c", linked=["framework"])
    text = build("tests/op_libraries/text_ops.cc", headers="tensorflow", linked=["framework"])
    ops = load(lib, clip)
    assert op_names(ops) == ["SoftClip"], op_names(ops)
    assert load(lib, clip) == ops, "a second load lists the same ops"
    assert op_names(load(lib, text)) == ["CountBytes", "DotRows", "JoinAll"]
    cases = [(clip, clip_graph(), CLIP_FETCHES), (text, text_graph(), TEXT_FETCHES)]
    for (_, graph, fetches), want in zip(cases, in_tensorflow(cases)):
        same_values(lib, graph, fetches, want)


@scenario
def shapes_are_inferred_and_refused(lib):
    load(lib, build("docs/examples/ops/soft_clip.c"))
    load(lib, build("tests/op_libraries/text_ops.cc"))
    graph = lib.graph(clip_graph())
    assert graph.shape("y:0") == [None, 3] and graph.shape("folded:0") == [2, 3]
    graph = lib.graph(text_graph())
    assert graph.shape("dot:0") == [2] and graph.shape("joined:0") is None
    g = GraphDef()
    v = g.const(np.zeros(3, np.float32))
    g.node("DotRows", v, v, T=F, name="dot")
    with fails("INVALID_ARGUMENT", "Shape must be rank 2 but is rank 1"):
        lib.graph(g.bytes())


@scenario
def kernels_are_chosen_by_type(lib):
    load(lib, build("tests/op_libraries/text_ops.cc"))
    g = GraphDef()
    d = g.const(np.ones([2, 2]), "f64")
    g.node("DotRows", d, d, T=T("f64"), name="dot")
    with lib.graph(g.bytes()).session() as s:
        with fails("INVALID_ARGUMENT", "No OpKernel was registered to support Op 'DotRows'", "int64"):
            s.run(["dot:0"])
    assert len(pb.parse(lib.kernels("DotRows"))[1]) == 2


@scenario
def in_loops_branches_and_functions(lib):
    load(lib, build("docs/examples/ops/soft_clip.c"))
    g = GraphDef()
    x = g.placeholder("f32", [2, 3], name="x")
    g.function("twice", {"a": "f32"}, {"b": "f32"},
               [("SoftClip", "s", ["a"], {"limit": 1.0}), ("SoftClip", "t", ["s:y:0"], {"limit": 1.0})],
               {"b": "t:y:0"})
    g.node("PartitionedCall", x, f=pb.Func("twice"), Tin=[F], Tout=[F], name="call")
    yes = g.const(True, "bool")
    g.node("Switch", x, yes, T=F, name="switch")
    t = g.node("SoftClip", "switch:1", limit=1.0, name="t")
    f = g.node("SoftClip", "switch:0", limit=9.0, name="f")
    g.node("Merge", f, t, T=F, N=2, name="merge")
    with lib.graph(g.bytes()).session() as s:
        called, merged = s.run(["call:0", "merge:0"], {"x:0": X})
        equal(called, np.tanh(np.tanh(X)))
        equal(merged, np.tanh(X))


@scenario
def clusters_load_them(lib):
    """A server with --op-library runs them; one without says that it does not know the op."""
    library = build("docs/examples/ops/soft_clip.c")
    weir = os.path.join(os.path.dirname(lib.path), "weir")
    load(lib, library)
    for options, works in (["--op-library", library], True), ([], False):
        with subprocess.Popen([weir, "server", "--port", "0", "--until_eof"] + options,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
            target = server.stdout.readline().strip()
            session = lib.graph(clip_graph()).session(target=target)
            if works:
                equal(session.run(["plain:0"], {"x:0": X})[0], np.tanh(X))
            else:
                with fails("NOT_FOUND", "SoftClip"):
                    session.run(["plain:0"], {"x:0": X})
            session.delete()
            server.stdin.close()
    done = subprocess.run([weir, "server", "--op-library", "absent.so"], capture_output=True, text=True)
    assert done.returncode not in (0, -11) and "absent.so" in done.stderr, done


BESIDE_TENSORFLOW = """
import sys
sys.path.insert(0, sys.argv[1])
import op_library_test as test
from weir_c import Library
lib = Library(sys.argv[2])
test.load(lib, sys.argv[3])
g = test.GraphDef()
g.node("EscapeBytes", g.const(b"a\\x01z", "string"), name="y")
with lib.graph(g.bytes()).session() as s:
    print("VALUE", s.run(["y:0"])[0].array.item().decode())
"""


@scenario
def beside_tensorflow(lib):
    """A library that needs C++ of TensorFlow's too finds it where that is on the path, and the C interface is Weir's: ops
    that TensorFlow's library registers by the same interface while it is loaded are not for Weir."""
    library = build("tests/op_libraries/escape_ops.cc", headers="tensorflow", linked=["cc", "framework"])
    command = [sys.executable, "-c", BESIDE_TENSORFLOW, HERE, lib.path, library]
    path = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "LD_LIBRARY_PATH": tensorflow_folder()}
    for env in (path, {**path, "LD_PRELOAD": lib.path}):  # Weir's symbols come first, too
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        assert "VALUE a\\x01z" in done.stdout, (done.returncode, done.stderr[-3000:])
    with fails("NOT_FOUND", "undefined symbol"):
        load(lib, library)


# ---- ops in one struct ---------------------------------------------------------------------------

@scenario
def native_ops_have_gradients(lib):
    assert op_names(load(lib, build("docs/examples/ops/cube.c"))) == ["Cube", "CubeGrad"]
    g = GraphDef()
    x = g.placeholder("f32", [2, 3], name="x")
    g.node("Cube", x, name="y")
    g.node("Cube", g.node("Mul", x, x, T=F, name="xx"), name="in_place")
    graph = lib.graph(g.bytes())
    dx, = graph.add_gradients(["y"], ["x"])
    with graph.session() as s:
        y, d, z = s.run(["y:0", dx, "in_place:0"], {"x:0": X})
        equal(y, X ** 3)
        equal(d, 3 * X ** 2)
        equal(z, X ** 6)


# ---- what must not crash -------------------------------------------------------------------------

@scenario
def bad_ops_give_statuses(lib):
    library = build("tests/op_libraries/hostile.c")
    load(lib, library)
    assert ctypes.CDLL(library).refused() == 9
    g = GraphDef()
    x, c = g.placeholder("f32", name="x"), g.const(1.0)
    for op in "SetsNothing", "WrongType", "WrongCalls", "FailsToCreate", "ServedTwice", "Unserved":
        g.node("Identity", g.node(op, x, name=op), T=F, name=op + "Fed")
        g.node("Identity", g.node(op, c, name=op + "C"), T=F, name=op + "Constant")
    with lib.graph(g.bytes()).session() as s:
        for end in "Fed", "Constant":
            def run(op):
                s.run([op + end + ":0"], {"x:0": np.float32(1)})
            with fails("INTERNAL", "Missing 0-th output"):
                run("SetsNothing")
            with fails("INTERNAL", "Output 0 of type int32 does not match declared output type float"):
                run("WrongType")
            with fails("INVALID_ARGUMENT"):
                run("WrongCalls")
            with fails("NOT_FOUND", "No attr named 'absent'"):
                run("FailsToCreate")
            with fails("INVALID_ARGUMENT", "Multiple OpKernel registrations"):
                run("ServedTwice")
            with fails("INVALID_ARGUMENT", "No OpKernel was registered"):
                run("Unserved")


@scenario
def bad_libraries_give_statuses(lib):
    folder = tempfile.mkdtemp(prefix="weir_ops_")
    text = os.path.join(folder, "text.so")
    with open(text, "w") as f:
        f.write("not a library")
    source = os.path.join(folder, "missing.c")
    with open(source, "w") as f:
        f.write("void TF_NoSuchFunction(void);\nvoid call(void) { TF_NoSuchFunction(); }\n"
                "__attribute__((constructor)) static void c(void) { call(); }\n")
    missing = os.path.join(folder, "missing.so")
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", missing], check=True)
    for file, message in (text, "text.so"), (missing, "TF_NoSuchFunction"), ("absent.so", "absent.so"):
        with fails("NOT_FOUND", message):
            load(lib, file)
    shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(__file__))
