#!/usr/bin/env python3
"""Programs of the C API that use it wrongly, as far as a status can say so.

    tests/hostile_capi_test.py [--lib PATH] [--seed N] [--count N] [--preload PATH]

Each seed is a program of some twenty calls over one graph: nodes whose attrs, inputs and controls are of the wrong kind,
number or place, nodes changed afterwards, gradients, functions, loops, imports and sessions of all that, run after it is
closed, in parts, with tensors that do not fit. Any status is right; a crash or no answer is not. Programs run in a child,
which says which it is at.
"""
import argparse
import ctypes as c
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np

import pb
from dtypes import Value
from pb import Func, Shape, T, attr
from weir_c import Error, Library, Output

OPS = ["Const", "Placeholder", "Neg", "Add", "MatMul", "Cast", "Reshape", "ConcatV2", "IdentityN", "AddN", "Switch", "Merge",
       "Enter", "Exit", "NextIteration", "LoopCond", "VarHandleOp", "ReadVariableOp", "AssignVariableOp", "VariableV2", "Assign",
       "PartitionedCall", "If", "While", "SymbolicGradient", "StridedSlice", "Sum", "Conv2D", "_Arg", "_Send", "NoOp", "F0", "",
       "TensorArrayV3", "TensorListReserve", "QueueDequeueV2", "FIFOQueueV2", "Split", "Unpack", "Einsum", "RandomUniform"]
# Ops with the number of inputs that they take; what is added of these often succeeds.
GOOD = [("Neg", 1), ("Square", 1), ("Mul", 2), ("Add", 2), ("MatMul", 2), ("Switch", 2), ("Enter", 1), ("Exit", 1), ("Shape", 1),
        ("NextIteration", 1), ("Identity", 1), ("Sum", 2), ("Reshape", 2), ("ReadVariableOp", 1), ("Assign", 2), ("NoOp", 0),
        ("LoopCond", 1), ("F0", 1), ("ZerosLike", 1), ("Gather", 2), ("Less", 2), ("Softmax", 1)]
ATTRS = ["T", "N", "dtype", "value", "shape", "f", "Tin", "Tout", "cond", "body", "then_branch", "axis", "_class", "SrcT",
         "DstT", "transpose_a", "strides", "padding", "frame_name", "is_constant", "num", "num_split", "equation", "Ts",
         "container", "shared_name", "Tidx", "seed", "parallel_iterations", "component_types", "element_shape", "nothing", ""]
INTS = [0, 1, -1, 2, 3, 1 << 31, 1 << 40, -(1 << 63), (1 << 63) - 1]
VALUES = [0, -1, 1 << 40, True, 1.5, float("nan"), "text", b"", T("f32"), T("i32"), T("str"), T("resource"), Shape([2]), Shape(),
          Shape([-5, 1 << 62]), Func("F0"), Func("nothing"), [], [1, -1], [T("f32")], [T("f32")] * 3, ["loc:@nothing", "x"],
          [Shape([1])], Value(np.ones([2, 2], np.float32)), Value(np.array(3, np.int32))]
SMALL = [Value(np.ones(2, np.float32)), Value(np.ones([2, 2], np.float32)), Value(np.array(3, np.int32)),
         Value(np.array(True)), Value([b"x"], 7), Value(np.zeros([0, 3], np.float32))]


def text(value):
    return value.encode() if isinstance(value, str) else value


class Program:
    def __init__(self, lib, seed):
        self.lib, self.rng, self.ops = lib, random.Random("capi %d" % seed), []
        g = pb.GraphDef()
        g.function("F0", {"x": "f32"}, {"y": "f32"}, [("Neg", "n", ["x"], {"T": T("f32")})], {"y": "n:y:0"})
        x = g.placeholder("f32", [2], name="x")
        y = g.node("Square", x, T=T("f32"), name="y")
        g.node("AddN", [y, x], T=T("f32"), N=2, name="z")
        g.node("Cast", x, SrcT=T("f32"), DstT=T("i32"), name="i")
        g.const(np.ones([2, 2], np.float32), name="c")
        g.node("VarHandleOp", name="v", dtype=T("f32"), shape=Shape([2]))
        g.node("VariableV2", name="r", dtype=T("f32"), shape=Shape([2]))
        self.graph = lib.graph(g.bytes())
        self.learn()
        self.sessions = []

    def learn(self):
        self.ops = [self.graph.operation(name) for name, _ in self.graph.operations()]

    def output(self):
        return Output(self.rng.choice(self.ops), self.rng.choice([0] * 20 + [1, 2, -1, 99, 1 << 30]))

    def outputs(self, most=3):
        some = [self.output() for _ in range(self.rng.randrange(most + 1))]
        return (Output * max(1, len(some)))(*some), len(some)

    def set_attr(self, description):
        lib, rng = self.lib, self.rng
        name, kind = text(rng.choice(ATTRS)), rng.randrange(12)
        numbers = (c.c_int64 * 3)(*[rng.choice(INTS) for _ in range(3)])
        types = (c.c_int * 3)(*[rng.choice([1, 3, 7, 20, 0, 101, 999, -1]) for _ in range(3)])
        if kind == 0:
            lib.TF_SetAttrInt(c.c_void_p(description), name, c.c_int64(rng.choice(INTS)))
        elif kind == 1:
            lib.TF_SetAttrIntList(c.c_void_p(description), name, numbers, rng.randrange(4))
        elif kind in (2, 3, 4):
            lib.TF_SetAttrType(c.c_void_p(description), name, types[0])
        elif kind == 5:
            lib.TF_SetAttrTypeList(c.c_void_p(description), name, types, rng.randrange(4))
        elif kind == 6:
            lib.TF_SetAttrShape(c.c_void_p(description), name, numbers, rng.choice([-1, 0, 1, 3]))
        elif kind == 7:
            lib.TF_SetAttrPlaceholder(c.c_void_p(description), name, text(rng.choice(ATTRS)))
        elif kind == 8:
            lib.TF_SetAttrFuncName(c.c_void_p(description), name, b"F0", c.c_size_t(2))
        elif kind == 9:
            tensor = lib.to_tensor(rng.choice(SMALL))
            lib.with_status(lambda s: lib.TF_SetAttrTensor(c.c_void_p(description), name, c.c_void_p(tensor), c.c_void_p(s)))
        elif kind == 10:
            lib.TF_SetAttrString(c.c_void_p(description), name, b"loc:@x", c.c_size_t(6))
        else:
            data = attr(rng.choice(VALUES)) if rng.random() < 0.8 else rng.randbytes(9)
            lib.with_status(lambda s: lib.TF_SetAttrValueProto(c.c_void_p(description), name, data, c.c_size_t(len(data)),
                                                               c.c_void_p(s)))

    def add_node(self):
        lib, rng = self.lib, self.rng
        name = text(rng.choice(["n%d" % rng.randrange(1 << 30)] * 8 + ["x", "", ":", "^a", "a b"]))
        lib.TF_NewOperation.restype = c.c_void_p
        good = rng.random() < 0.7
        op, inputs = rng.choice(GOOD) if good else (rng.choice(OPS), rng.choice([0, 1, 1, 2, 3]))
        d = lib.TF_NewOperation(c.c_void_p(self.graph.handle), text(op), name)
        for _ in range(inputs):
            if good or rng.random() < 0.75:
                lib.TF_AddInput(c.c_void_p(d), self.valid_output() if rng.random() < 0.8 else self.output())
            else:
                outs, count = self.outputs()
                lib.TF_AddInputList(c.c_void_p(d), outs, count)
        for _ in range(rng.choice([0, 0, 1])):
            lib.TF_AddControlInput(c.c_void_p(d), c.c_void_p(rng.choice(self.ops)))
        if rng.random() < 0.1:
            lib.TF_ColocateWith(c.c_void_p(d), c.c_void_p(rng.choice(self.ops)))
        if rng.random() < 0.1:
            lib.TF_SetDevice(c.c_void_p(d), rng.choice([b"/cpu:0", b"/gpu:9", b"nonsense", b"/job:a/task:1"]))
        if op == "Enter":
            lib.TF_SetAttrString(c.c_void_p(d), b"frame_name", b"loop", c.c_size_t(4))
        for _ in range(rng.choice([0, 0, 0, 1] if good else [0, 1, 2, 4])):
            try:
                self.set_attr(d)
            except Error:
                pass
        lib.TF_FinishOperation.restype = c.c_void_p
        op = lib.with_status(lambda s: lib.TF_FinishOperation(c.c_void_p(d), c.c_void_p(s)))
        self.ops.append(op)

    def valid_output(self):
        return Output(self.rng.choice(self.ops), 0)

    def change_attr(self):
        name, data = text(self.rng.choice(ATTRS)), attr(self.rng.choice(VALUES))
        buffer = self.lib.TF_NewBufferFromString(data, len(data))
        try:
            self.lib.with_status(lambda s: self.lib.TF_SetAttr(c.c_void_p(self.graph.handle), c.c_void_p(self.rng.choice(self.ops)),
                                                               name, buffer, c.c_void_p(s)))
        finally:
            self.lib.TF_DeleteBuffer(buffer)

    def change_edge(self):
        self.lib.with_status(lambda s: self.lib.TF_UpdateEdge(c.c_void_p(self.graph.handle), self.output(), self.output(),
                                                              c.c_void_p(s)))

    def control(self):
        self.lib.TF_AddOperationControlInput(c.c_void_p(self.graph.handle), c.c_void_p(self.rng.choice(self.ops)),
                                             c.c_void_p(self.rng.choice(self.ops)))

    def gradients(self):
        (ys, y_count), (xs, x_count) = self.outputs(2), self.outputs(2)
        dys = self.outputs(2)[0] if self.rng.random() < 0.2 and y_count == 1 else None
        out = (Output * max(1, x_count))()
        self.lib.with_status(lambda s: self.lib.TF_AddGradients(self.graph.handle, ys, y_count, xs, x_count, dys, s, out))
        self.learn()

    def function(self):
        (ins, in_count), (outs, out_count) = self.outputs(), self.outputs()
        some = self.rng.choice([-1, 0, 2])
        body = (c.c_void_p * 3)(*[self.rng.choice(self.ops) for _ in range(3)])
        self.lib.TF_GraphToFunction.restype = c.c_void_p
        f = self.lib.with_status(lambda s: self.lib.TF_GraphToFunction(
            c.c_void_p(self.graph.handle), b"G%d" % self.rng.randrange(99), 0, some, body, in_count, ins, out_count, outs, None,
            None, None, c.c_void_p(s)))
        try:
            self.lib.with_status(lambda s: self.lib.TF_GraphCopyFunction(c.c_void_p(self.graph.handle), c.c_void_p(f), None,
                                                                         c.c_void_p(s)))
        finally:
            self.lib.TF_DeleteFunction(c.c_void_p(f))

    def again(self):
        data = self.graph.graph_def()
        self.lib.graph(data)
        self.graph.add(data, self.rng.choice(["", "p", "p/", "x", ":", "^"]))
        self.learn()

    def session(self):
        self.sessions.append(self.graph.session(pb.config(timeout_ms=1500)))

    def feeds(self):
        some, count = self.outputs(2)
        return some, count, [self.lib.to_tensor(self.rng.choice(SMALL)) for _ in range(count)]

    def run(self):
        if not self.sessions:
            return self.session()
        session, rng = self.rng.choice(self.sessions), self.rng
        (fetches, fetch_count), (feeds, feed_count, tensors) = self.outputs(), self.feeds()
        targets = (c.c_void_p * 2)(*[rng.choice(self.ops) for _ in range(2)])
        results = (c.c_void_p * 4)()
        fed = (c.c_void_p * 3)(*tensors)
        try:
            self.lib.with_status(lambda s: self.lib.TF_SessionRun(
                session.handle, None, feeds, fed, feed_count, fetches, results, fetch_count, targets, rng.randrange(3), None, s))
        finally:
            for t in tensors + [r for r in results[:fetch_count] if r]:
                self.lib.TF_DeleteTensor(t)
        return None

    def partial(self):
        if not self.sessions:
            return
        session, handle = self.rng.choice(self.sessions), c.c_void_p()
        (fetches, fetch_count), (feeds, feed_count) = self.outputs(), self.outputs(2)
        lib = self.lib
        lib.with_status(lambda s: lib.TF_SessionPRunSetup(session.handle, feeds, feed_count, fetches, fetch_count, None, 0,
                                                          c.byref(handle), s))
        try:
            for _ in range(3):
                asked, asked_count = (fetches, fetch_count) if self.rng.random() < 0.5 else self.outputs(2)
                given, given_count = (feeds, feed_count) if self.rng.random() < 0.5 else self.outputs(2)
                tensors = [lib.to_tensor(self.rng.choice(SMALL)) for _ in range(given_count)]
                results = (c.c_void_p * 4)()
                name = c.cast(handle, c.c_char_p) if self.rng.random() < 0.9 else b"nothing"
                try:
                    lib.with_status(lambda s: lib.TF_SessionPRun(session.handle, name, given, (c.c_void_p * 3)(*tensors),
                                                                 given_count, asked, results, asked_count, None, 0, s))
                except Error:
                    pass
                for t in tensors + [r for r in results[:asked_count] if r]:
                    lib.TF_DeleteTensor(t)
        finally:
            lib.TF_DeletePRunHandle(handle)

    def close(self):
        for session in self.sessions[:1]:
            session.close()

    def go(self):
        steps = [self.add_node] * 8 + [self.change_attr, self.change_edge, self.control, self.gradients, self.function,
                                       self.again, self.session] + [self.run] * 6 + [self.partial, self.close]
        for _ in range(20):
            try:
                self.rng.choice(steps)()
            except (Error, MemoryError, KeyError, UnicodeError):
                pass
            if len(self.ops) > 400:
                break
        for session in self.sessions:
            session.delete()


def child(args):
    lib = Library(os.path.abspath(args.lib))
    for seed in range(args.seed, args.seed + args.count):
        os.pwrite(3, b"%-20d" % seed, 0)
        Program(lib, seed).go()


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--lib", default=os.path.join(HERE, "..", "build", "release", "libweir.so"))
    ap.add_argument("--seed", type=int, default=0)
    ap.add_argument("--count", type=int, default=600)
    ap.add_argument("--preload", help="LD_PRELOAD for the child, such as libasan")
    ap.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = ap.parse_args()
    if args.child:
        return child(args)
    env = dict(os.environ, WEIR_MEMORY="512M", WEIR_LOG="0")
    if args.preload:
        env.update(LD_PRELOAD=args.preload, ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1")
    seed, end, failed = args.seed, args.seed + args.count, 0
    while seed < end:
        with tempfile.TemporaryFile() as at, tempfile.TemporaryFile() as said:
            words = [sys.executable, os.path.abspath(__file__), "--child", "--lib", args.lib, "--seed", str(seed), "--count",
                     str(min(500, end - seed))]
            limit = '' if args.preload else 'ulimit -v 8000000; '
            try:
                code = subprocess.run(["bash", "-c", limit + 'exec "$@" 3<&0', "bash"] + words, stdin=at, stdout=said, stderr=said,
                                      env=env, timeout=300).returncode
            except subprocess.TimeoutExpired:
                code = "no answer"
            seen = int(os.pread(at.fileno(), 20, 0) or b"-1")
            if code:
                failed += 1
                said.seek(0)
                lines = [l for l in said.read().decode("utf-8", "replace").splitlines() if l.strip()]
                print("FAIL seed %d: %s %s" % (seen, code, (lines or [""])[-1][:300]), flush=True)
            seed = seen + 1 if code else seed + min(500, end - seed)
    print("hostile-capi: %d passed, %d failed" % (args.count - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
