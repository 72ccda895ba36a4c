"""Graphs from a seed: arrays, branches and loops as dataflow and as functions, variables, functions.

    case = random_graphs.make(17)
    case.graph, case.runs, case.gradients, case.atol

Values are small multiples of a power of two as far as possible. What a value may be is tracked, so
that ops with a kink or a step are only put where every correct library computes the same bits.
"""
import math
import random

import numpy as np

import pb
from dtypes import Value
from pb import Func, T

F, I, B = T("f32"), T("i32"), T("bool")
TYPES = {"f32": F, "i32": I, "bool": B}
EXACT_BITS = 22


class Edge:
    """An output: its name, type and real shape; the largest size of an element, and how many bits of
    a fraction it may have (None: any)."""

    def __init__(self, name, dtype, shape, bound, bits):
        self.name, self.dtype, self.shape = name, dtype, tuple(shape)
        self.bound, self.bits = max(float(bound), 1.0), bits

    def exact(self):
        return self.dtype != "f32" or (self.bits is not None and
                                       self.bits + math.log2(self.bound) <= EXACT_BITS)

    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))


class Case:
    """A graph, steps over one session, gradients to fetch as well, and how far results may differ. A step that
    fails may have changed some of its variables: |ends_at_errors| compares nothing after one. |may_fail|: its feeds may
    be such that another library fails where Weir does not. |may_diverge|: it trains with made-up data."""

    def __init__(self, name, graph, runs, gradients, atol, rtol=None, large=False, ends_at_errors=False,
                 may_fail=False, may_diverge=False):
        self.name, self.graph, self.runs, self.ends_at_errors = name, graph, runs, ends_at_errors
        self.may_fail, self.may_diverge = may_fail, may_diverge
        self.gradients, self.atol, self.rtol, self.large = gradients, atol, rtol, large


def sum_bits(*bits):
    return None if None in bits else sum(bits)


def max_bits(*bits):
    return None if None in bits else max(bits)


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.n = np.random.RandomState(seed)
        self.g = pb.GraphDef()
        self.edges, self.feeds, self.inits = [], {}, []
        self.reads, self.targets, self.wrt = [], [], []
        self.functions = 0
        self.most = 1.0

    # ---- bookkeeping ----

    def put(self, name, dtype, shape, bound, bits=None):
        edge = Edge(name if ":" in name else name + ":0", dtype, shape, bound, bits)
        self.most = max(self.most, edge.bound if dtype == "f32" else 1)
        self.edges.append(edge)
        return edge

    def pick(self, dtype="f32", test=lambda e: True):
        found = [e for e in self.edges if e.dtype == dtype and test(e)]
        if not found:
            return None
        return self.r.choice(found[-8:] if self.r.random() < 0.7 else found)

    def numbers(self, shape):
        return (self.n.randint(-8, 9, shape) / 4.0).astype(np.float32)

    def calm(self, edge):
        """The edge, or what keeps it small."""
        if edge.bound < 1000:
            return edge
        return self.put(self.g.node("Tanh", edge.name, T=F), "f32", edge.shape, 1)

    # ---- where values come from ----

    def shape(self):
        return tuple(self.r.choice([1, 2, 3, 4, 5]) for _ in range(self.r.choice([0, 1, 1, 2, 2, 2, 3])))

    def placeholder(self):
        shape = self.shape()
        told = [None if self.r.random() < 0.3 else d for d in shape]
        name = self.g.placeholder("f32", None if self.r.random() < 0.1 else told)
        self.feeds[name + ":0"] = Value(self.numbers(shape))
        edge = self.put(name, "f32", shape, 2, 2)
        self.wrt.append(edge)
        return edge

    def integers(self):
        shape = self.r.choice([(), (), (2,), (3,)])
        value = self.n.randint(-3, 6, shape).astype(np.int32)
        if self.r.random() < 0.5:
            return self.put(self.g.const(value, "i32"), "i32", shape, 6)
        name = self.g.placeholder("i32", list(shape))
        self.feeds[name + ":0"] = Value(value)
        return self.put(name, "i32", shape, 6)

    def constant(self):
        shape = self.shape()
        kind = self.r.random()
        if kind < 0.2:
            value = np.zeros(shape, np.float32)
        elif kind < 0.4:
            value = np.ones(shape, np.float32)
        else:
            value = self.numbers(shape)
            if kind < 0.6 and value.size:
                value.flat[0] = self.r.choice([0, 1])
        return self.put(self.g.const(value), "f32", shape, 2, 2)

    def like(self, edge):
        """Another value that broadcasts with |edge|: of its shape, or smaller."""
        fits = lambda e: e.shape == edge.shape or e.shape == () or (
            edge.shape and e.shape == edge.shape[-1:])
        found = self.pick(test=fits) if self.r.random() < 0.75 else None
        if found:
            return found
        value = self.numbers(edge.shape if self.r.random() < 0.6 else edge.shape[-1:])
        if self.r.random() < 0.5:
            value = np.full_like(value, self.r.choice([0, 0, 1, 1, 2]))
        elif value.size and self.r.random() < 0.4:
            value.flat[0] = self.r.choice([0, 1])
        return self.put(self.g.const(value), "f32", value.shape, 2, 2)

    # ---- ops over arrays ----

    def binary(self):
        a = self.calm(self.pick())
        b = self.calm(self.like(a))
        ops = ["AddV2", "Add", "Sub", "Sub", "Mul", "Mul", "SquaredDifference"]
        if a.exact() and b.exact():
            ops += ["Maximum", "Minimum"]
        op = self.r.choice(ops)
        shape = np.broadcast_shapes(a.shape, b.shape)
        if self.r.random() < 0.3:
            a, b = b, a
        bits = max_bits(a.bits, b.bits)
        bound = a.bound + b.bound
        if op == "Mul":
            bits, bound = sum_bits(a.bits, b.bits), a.bound * b.bound
        elif op == "SquaredDifference":
            bits, bound = sum_bits(bits, bits), bound * bound
        return self.put(self.g.node(op, a.name, b.name, T=F), "f32", shape, bound, bits)

    def nearly_neutral(self):
        """An op with a constant that would change nothing, but for one element or for none."""
        a = self.calm(self.pick())
        op = self.r.choice(["AddV2", "Sub", "Mul", "Mul"])
        value = np.full(a.shape, self.r.choice([0, 1]), np.float32)
        if value.size > 1 and self.r.random() < 0.6:
            value.flat[self.r.randrange(1, value.size)] = 2
        sides = [a.name, self.g.const(value)]
        if self.r.random() < 0.3:
            sides.reverse()
        bits, bound = (a.bits, a.bound * 2) if op == "Mul" else (max_bits(a.bits, 1), a.bound + 2)
        return self.put(self.g.node(op, *sides, T=F), "f32", a.shape, bound, bits)

    def unary(self):
        a = self.calm(self.pick())
        ops = ["Neg", "Neg", "Square", "Tanh", "Sigmoid", "Identity", "StopGradient", "Cos"]
        if a.exact():
            ops += ["Relu", "Abs", "Relu6"]
        op = self.r.choice(ops)
        bits, bound = a.bits, a.bound
        if op == "Square":
            bits, bound = sum_bits(a.bits, a.bits), a.bound ** 2
        elif op in ("Tanh", "Sigmoid", "Cos"):
            bits, bound = None, 1
        return self.put(self.g.node(op, a.name, T=F), "f32", a.shape, bound, bits)

    def twice(self):
        """An op and its inverse, or the same op twice."""
        a = self.pick()
        op = self.r.choice(["Neg", "Neg", "Identity", "Transpose"])
        for _ in range(2):
            if op == "Transpose":
                a = self.transpose(a)
            else:
                a = self.put(self.g.node(op, a.name, T=F), "f32", a.shape, a.bound, a.bits)
        return a

    def transpose(self, a=None):
        a = a or self.pick(test=lambda e: len(e.shape) >= 2) or self.pick()
        perm = list(range(len(a.shape)))
        self.r.shuffle(perm)
        p = self.g.const(np.array(perm, np.int32), "i32")
        name = self.g.node("Transpose", a.name, p, T=F, Tperm=I)
        return self.put(name, "f32", [a.shape[i] for i in perm], a.bound, a.bits)

    def reshape(self):
        a = self.pick()
        shapes = [(a.size(),), (1, a.size()), (a.size(), 1)] + ([()] if a.size() == 1 else [])
        shapes += [(k, a.size() // k) for k in (2, 3) if a.size() and a.size() % k == 0]
        shape = self.r.choice(shapes)
        target = [-1 if i == 0 and self.r.random() < 0.3 else d for i, d in enumerate(shape)]
        other = self.pick(test=lambda e: e.size() == a.size())
        if other and self.r.random() < 0.3:
            wanted, shape = self.g.node("Shape", other.name, T=F, out_type=I), other.shape
        else:
            wanted = self.g.const(np.array(target, np.int32), "i32")
        return self.put(self.g.node("Reshape", a.name, wanted, T=F, Tshape=I), "f32", shape,
                        a.bound, a.bits)

    def reduce(self):
        a = self.calm(self.pick())
        ops = ["Sum", "Sum", "Mean", "Mean"] + (["Max", "Min"] if a.exact() and a.size() else [])
        op = self.r.choice(ops)
        axes = sorted(self.r.sample(range(len(a.shape)), self.r.randint(0, len(a.shape))))
        keep = self.r.random() < 0.3
        count = int(np.prod([a.shape[i] for i in axes], dtype=np.int64))
        shape = [1 if i in axes else d for i, d in enumerate(a.shape) if keep or i not in axes]
        axis = self.g.const(np.array(axes, np.int32), "i32")
        bits = a.bits if op != "Mean" else None if count & (count - 1) else sum_bits(
            a.bits, int(math.log2(max(1, count))))
        bound = a.bound * count if op == "Sum" else a.bound
        return self.put(self.g.node(op, a.name, axis, T=F, Tidx=I, keep_dims=keep), "f32", shape,
                        bound, bits)

    def matmul(self):
        a = self.pick(test=lambda e: len(e.shape) == 2)
        if not a:
            return self.reshape()
        a = self.calm(a)
        ta, tb = self.r.random() < 0.4, self.r.random() < 0.4
        m, k = a.shape[::-1] if ta else a.shape
        b = self.pick(test=lambda e: len(e.shape) == 2 and e.shape[1 if tb else 0] == k)
        if not b:
            n = self.r.choice([1, 2, 3, 7])
            value = self.numbers((n, k) if tb else (k, n))
            b = self.put(self.g.const(value), "f32", value.shape, 2, 2)
        b = self.calm(b)
        n = b.shape[0] if tb else b.shape[1]
        y = self.put(self.g.node("MatMul", a.name, b.name, T=F, transpose_a=ta, transpose_b=tb),
                     "f32", (m, n), a.bound * b.bound * max(1, k), sum_bits(a.bits, b.bits))
        if self.r.random() < 0.5:
            bias = self.g.const(self.numbers((n,)))
            y = self.put(self.g.node("BiasAdd", y.name, bias, T=F), "f32", y.shape, y.bound + 2,
                         max_bits(y.bits, 2))
        return y

    def join(self):
        a = self.pick(test=lambda e: e.shape)
        if not a:
            return self.reshape()
        axis = self.r.randrange(len(a.shape))
        rest = lambda s: s[:axis] + s[axis + 1:]
        b = self.pick(test=lambda e: len(e.shape) == len(a.shape) and rest(e.shape) == rest(a.shape))
        shape = list(a.shape)
        shape[axis] += b.shape[axis]
        at = self.g.const(np.int32(axis), "i32")
        return self.put(self.g.node("ConcatV2", a.name, b.name, at, N=2, T=F, Tidx=I), "f32", shape,
                        max(a.bound, b.bound), max_bits(a.bits, b.bits))

    def slice(self):
        a = self.pick(test=lambda e: e.shape and min(e.shape) > 0)
        if not a:
            return self.reshape()
        begin = [self.r.randrange(d) for d in a.shape]
        size = [self.r.randint(1, d - b) for b, d in zip(begin, a.shape)]
        b, s = (self.g.const(np.array(v, np.int32), "i32") for v in (begin, size))
        return self.put(self.g.node("Slice", a.name, b, s, T=F, Index=I), "f32", size, a.bound, a.bits)

    def gather(self):
        a = self.pick(test=lambda e: e.shape and e.shape[0] > 0)
        if not a:
            return self.reshape()
        index = self.n.randint(0, a.shape[0], self.r.randint(1, 4)).astype(np.int32)
        i, zero = self.g.const(index, "i32"), self.g.const(np.int32(0), "i32")
        return self.put(self.g.node("GatherV2", a.name, i, zero, Tparams=F, Tindices=I, Taxis=I),
                        "f32", (len(index),) + a.shape[1:], a.bound, a.bits)

    def pack(self):
        a = self.pick(test=lambda e: len(e.shape) < 3) or self.reshape()
        b = self.pick(test=lambda e: e.shape == a.shape)
        name = self.g.node("Pack", a.name, b.name, N=2, T=F, axis=0)
        both = self.put(name, "f32", (2,) + a.shape, max(a.bound, b.bound), max_bits(a.bits, b.bits))
        if self.r.random() < 0.4:
            name = self.g.node("Unpack", both.name, num=2, T=F, axis=0)
            self.put(name + ":1", "f32", b.shape, both.bound, both.bits)
            return self.put(name, "f32", a.shape, both.bound, both.bits)
        return both

    def add_n(self):
        a = self.calm(self.pick())
        terms = [a] + [self.pick(test=lambda e: e.shape == a.shape) for _ in range(self.r.randint(0, 3))]
        return self.put(self.g.node("AddN", [t.name for t in terms], N=len(terms), T=F), "f32",
                        a.shape, sum(t.bound for t in terms), max_bits(*[t.bits for t in terms]))

    def same_again(self):
        """Two nodes with one input that differ in an attr or in nothing."""
        a = self.calm(self.pick(test=lambda e: e.shape) or self.pick())
        axis = self.g.const(np.array(list(range(len(a.shape)))[-1:], np.int32), "i32")
        keeps = self.r.choice([(True, False), (True, True), (False, False)])
        count = a.shape[-1] if a.shape else 1
        made = [self.put(self.g.node("Sum", a.name, axis, T=F, Tidx=I, keep_dims=k), "f32",
                         a.shape[:-1] + ((1,) if k and a.shape else ()), a.bound * count, a.bits)
                for k in keeps]
        return made[-1]

    def select(self):
        a = self.pick()
        b = self.pick(test=lambda e: e.shape == a.shape)
        p = self.predicate()
        return self.put(self.g.node("SelectV2", p, a.name, b.name, T=F), "f32", a.shape,
                        max(a.bound, b.bound), max_bits(a.bits, b.bits))

    def arithmetic(self):
        a = self.pick("i32") or self.integers()
        b = self.pick("i32", lambda e: e.shape in ((), a.shape)) or a
        if a.bound * b.bound > 1 << 20:
            return self.integers()
        op = self.r.choice(["AddV2", "Sub", "Mul", "Maximum"])
        bound = a.bound * b.bound if op == "Mul" else a.bound + b.bound
        name = self.g.node(op, a.name, b.name, T=I)
        edge = self.put(name, "i32", np.broadcast_shapes(a.shape, b.shape), bound)
        if self.r.random() < 0.4:
            self.put(self.g.node("Cast", edge.name, SrcT=I, DstT=F), "f32", edge.shape, bound, 0)
        return edge

    def sizes(self):
        """What only needs the shape of a value."""
        a = self.pick()
        op = self.r.choice(["Size", "Rank", "ZerosLike", "OnesLike", "Shape"])
        if op in ("ZerosLike", "OnesLike"):
            return self.put(self.g.node(op, a.name, T=F), "f32", a.shape, 1, 0)
        if op == "Shape":
            name = self.g.node(op, a.name, T=F, out_type=I)
            return self.put(name, "i32", (len(a.shape),), max(a.shape + (1,)))
        kinds = {"T": F, "out_type": I} if op == "Size" else {"T": F}
        return self.put(self.g.node(op, a.name, **kinds), "i32", (), max(a.size(), 3))

    # ---- branches and loops ----

    def predicate(self):
        a = self.pick("i32", lambda e: e.shape == ()) or self.put(
            self.g.const(np.int32(self.r.randint(-2, 4)), "i32"), "i32", (), 6)
        op = self.r.choice(["Less", "LessEqual", "Greater", "GreaterEqual"])
        limit = self.g.const(np.int32(self.r.randint(-2, 4)), "i32")
        return self.g.node(op, a.name, limit, T=I) + ":0"

    def steps(self, name, count, pivot=None):
        """|count| element-wise ops in a row, from |name|; constants wait for |pivot|."""
        control = [pivot] if pivot else []
        for _ in range(count):
            op = self.r.choice(["Neg", "Tanh", "Square", "Mul", "AddV2", "Sub", "Identity"])
            if op in ("Mul", "AddV2", "Sub"):
                name = self.g.node(op, self.g.node("Tanh", name, T=F), self.g.const(
                    np.float32(self.r.choice([0, 1, 0.5, 2])), control=control), T=F)
            elif op == "Square":
                name = self.g.node(op, self.g.node("Tanh", name, T=F), T=F)
            else:
                name = self.g.node(op, name, T=F)
        return name

    def branch(self):
        """Switch and Merge around some ops, one of which may be a constant in the branch."""
        a, p = self.calm(self.pick()), self.predicate()
        switch = self.g.node("Switch", a.name, p, T=F)
        no = self.steps(switch + ":0", self.r.randint(0, 3))
        yes = self.steps(switch + ":1", self.r.randint(0, 3))
        if self.r.random() < 0.4:
            pivot = self.g.node("Identity", switch + ":1", T=F)
            c = self.g.const(self.numbers(()), control=[pivot])
            yes = self.g.node("AddV2", yes, c, T=F)
        merge = self.g.node("Merge", no, yes, N=2, T=F)
        return self.put(merge, "f32", a.shape, a.bound + 3)

    def loop(self):
        """while i < n: x = steps(x), i += 1, as dataflow."""
        a, g = self.calm(self.pick()), self.g
        frame = "loop%d" % g.count
        limit = g.const(np.int32(self.r.randint(0, 4)), "i32")
        i0 = g.node("Enter", g.const(np.int32(0), "i32"), T=I, frame_name=frame)
        x0 = g.node("Enter", a.name, T=F, frame_name=frame)
        n0 = g.node("Enter", limit, T=I, frame_name=frame, is_constant=True)
        inv = self.pick(test=lambda e: e.shape == a.shape or e.shape == ())
        v0 = g.node("Enter", inv.name, T=F, frame_name=frame, is_constant=True)
        i_next, x_next = "next_i%d" % g.count, "next_x%d" % g.count
        i = g.node("Merge", i0, i_next, N=2, T=I)
        x = g.node("Merge", x0, x_next, N=2, T=F)
        cond = g.node("LoopCond", g.node(self.r.choice(["Less", "LessEqual"]), i, n0, T=I))
        si, sx = (g.node("Switch", v, cond, T=t) for v, t in ((i, I), (x, F)))
        pivot = g.node("Identity", si + ":1", T=I)
        body = self.steps(sx + ":1", self.r.randint(1, 3), pivot)
        if self.r.random() < 0.6:
            body = g.node("AddV2", body, g.node("Tanh", v0, T=F), T=F)
        if self.r.random() < 0.3:
            body = g.node("Mul", g.node("Tanh", body, T=F), g.node("Cast", si + ":1", SrcT=I, DstT=F), T=F)
        one = g.const(np.int32(1), "i32", control=[pivot])
        g.node("NextIteration", g.node("AddV2", si + ":1", one, T=I), T=I, name=i_next)
        g.node("NextIteration", body, T=F, name=x_next)
        self.put(g.node("Exit", si, T=I), "i32", (), 6)
        return self.put(g.node("Exit", sx, T=F), "f32", a.shape, a.bound + 10)

    # ---- functions ----

    OUT = {"Neg": "y", "Tanh": "y", "Square": "y", "Sigmoid": "y", "Mul": "z", "AddV2": "z", "Sub": "z"}

    def function(self, cond=False):
        """A function of (i, x): x through some ops and i + 1, or whether i < k."""
        self.functions += 1
        name = "f%d" % self.functions
        number = lambda k, v, t: ("Const", k, [], {"dtype": TYPES[t], "value": Value(v, t)})
        if cond:
            limit = number("k", np.int32(self.r.randint(0, 4)), "i32")
            self.g.function(name, {"i": "i32", "x": "f32"}, {"p": "bool"},
                            [limit, ("Less", "less", ["i", "k:output:0"], {"T": I})],
                            {"p": "less:z:0"})
            return name
        body, at = [number("one", np.int32(1), "i32"), number("c", np.float32(self.r.choice([0, 1, 2])), "f32"),
                    ("AddV2", "j", ["i", "one:output:0"], {"T": I})], "x"
        for k in range(self.r.randint(1, 4)):
            op = self.r.choice(sorted(self.OUT))
            if op == "Square":
                body.append(("Tanh", "t%d" % k, [at], {"T": F}))
                at = "t%d:y:0" % k
            inputs = [at, "c:output:0"] if self.OUT[op] == "z" else [at]
            body.append((op, "n%d" % k, inputs, {"T": F}))
            at = "n%d:%s:0" % (k, self.OUT[op])
        self.g.function(name, {"i": "i32", "x": "f32"}, {"oi": "i32", "ox": "f32"}, body,
                        {"oi": "j:z:0", "ox": at})
        return name

    def call(self):
        x = self.calm(self.pick())
        i = self.pick("i32", lambda e: e.shape == ()) or self.put(
            self.g.const(np.int32(0), "i32"), "i32", (), 1)
        kind = self.r.choice(["PartitionedCall", "StatefulPartitionedCall", "If", "StatelessIf", "While",
                              "StatelessWhile"])
        types = {"Tin": [I, F], "Tout": [I, F]}
        if kind.endswith("Call"):
            name = self.g.node(kind, i.name, x.name, f=Func(self.function()), **types)
        elif kind.endswith("If"):
            name = self.g.node(kind, self.predicate(), i.name, x.name, Tcond=B,
                               then_branch=Func(self.function()), else_branch=Func(self.function()),
                               **types)
        else:
            i = self.put(self.g.const(np.int32(0), "i32"), "i32", (), 1)
            name = self.g.node(kind, i.name, x.name, T=[I, F], cond=Func(self.function(cond=True)),
                               body=Func(self.function()))
        self.put(name, "i32", (), 12)
        return self.put(name + ":1", "f32", x.shape, x.bound * 16 + 64)

    # ---- state ----

    def variable(self):
        """A variable that the step reads, changes and reads again, in an order that is told."""
        a, g = self.calm(self.pick()), self.g
        var = g.node("VarHandleOp", dtype=F, shape=pb.Shape(list(a.shape)), shared_name="v%d" % g.count,
                     name="v%d" % g.count)
        start = g.const(self.numbers(a.shape))
        self.inits.append(g.node("AssignVariableOp", var, start, dtype=F))
        first = g.node("ReadVariableOp", var, dtype=F)
        op = self.r.choice(["AssignAddVariableOp", "AssignSubVariableOp", "AssignVariableOp"])
        change = g.node(op, var, g.node("Tanh", a.name, T=F), dtype=F, control=[first])
        second = g.node("ReadVariableOp", var, dtype=F, control=[change])
        if self.r.random() < 0.4:
            self.targets.append(g.node("AssignAddVariableOp", var, start, dtype=F, control=[second]))
        if self.r.random() < 0.3:  # an update that nothing reads in this step
            other = g.node("VarHandleOp", dtype=F, shape=pb.Shape([]), shared_name="w%d" % g.count,
                           name="w%d" % g.count)
            self.inits.append(g.node("AssignVariableOp", other, g.const(np.float32(3)), dtype=F))
            self.targets.append(g.node("AssignAddVariableOp", other, g.const(np.float32(2)), dtype=F))
            self.reads.append(g.node("ReadVariableOp", other, dtype=F) + ":0")
        self.reads.append(g.node("ReadVariableOp", var, dtype=F) + ":0")
        self.targets.append(change)
        self.put(first, "f32", a.shape, 8)
        return self.put(second, "f32", a.shape, 8)

    # ---- the whole ----

    KINDS = [("binary", 10), ("unary", 8), ("twice", 3), ("nearly_neutral", 3), ("transpose", 3), ("reshape", 3), ("reduce", 4),
             ("matmul", 4), ("join", 2), ("slice", 2), ("gather", 1), ("pack", 1), ("add_n", 2),
             ("same_again", 2), ("select", 2), ("arithmetic", 3), ("sizes", 2), ("constant", 2),
             ("branch", 2), ("loop", 1), ("call", 2), ("variable", 1)]

    def fill(self):
        for _ in range(self.r.randint(1, 3)):
            self.placeholder()
        self.integers()
        names, weights = zip(*self.KINDS)
        for name in self.r.choices(names, weights, k=self.r.randint(4, 26)):
            getattr(self, name)()

    def fetches(self):
        good = [e for e in self.edges if e.dtype in ("f32", "i32")]
        last = good[-3:]
        return sorted({e.name for e in last + self.r.sample(good, min(4, len(good)))})

    def differentiate(self):
        """(ys, xs) for a sum that depends on the placeholders, where no kink is in the way."""
        y = [e for e in self.edges if e.dtype == "f32"][-1]
        return [([y.name], [x.name for x in self.wrt], None)] if self.r.random() < 0.5 else []

    def case(self, name):
        self.fill()
        step = {"feeds": self.feeds, "fetches": self.fetches(), "targets": self.targets}
        runs = [{"feeds": {}, "fetches": [], "targets": self.inits}] if self.inits else []
        runs += [step, step]
        if self.reads:
            runs.append({"feeds": {}, "fetches": self.reads, "targets": []})
        return Case(name, self.g.bytes(), runs, self.differentiate(), 1e-5 * self.most)


class Tangled(Maker):
    """Nodes outside of loops also wait for others; values in the middle are fed. In graphs without loops, of which no
    library may take what is dead, they also wait for nodes on a branch. Variables are left alone: their order must be told."""

    def __init__(self, seed):
        super().__init__(seed)
        self.random, self.names, self.alone, self.branching = random.Random(-1 - seed), [], 0, 0
        self.dies = self.random.random() < 0.5
        self.add, self.g.node = self.g.node, self.node

    def node(self, op, *inputs, control=(), **more):
        wait = self.names and not self.alone and op != "Placeholder" and self.random.random() < 0.2
        waits = [self.random.choice(self.names[-15:])] if wait else []
        name = self.add(op, *inputs, control=list(control) + waits, **more)
        if not self.alone and self.random.random() < (0.1 * self.dies if self.branching else 0.9):
            self.names.append(name)
        return name

    def call(self):
        return self.unary() if self.dies else super().call()

    def loop(self):
        if self.dies:
            return self.unary()
        self.alone += 1
        edge = super().loop()
        self.alone -= 1
        return edge

    def variable(self):
        self.alone += 1
        edge = super().variable()
        self.alone -= 1
        return edge

    def branch(self):
        self.branching += 1
        edge = super().branch()
        self.branching -= 1
        return edge

    def case(self, name):
        case = super().case(name)
        step = next(run for run in case.runs if run["fetches"])
        for run in case.runs:  # anything may wait for a placeholder
            run["feeds"] = self.feeds
        for _ in range(3):
            edges = self.random.sample(self.edges, min(2, len(self.edges)))
            fed = {e.name: Value(self.numbers(e.shape)) for e in edges if e.dtype == "f32"}
            fetches = sorted({e.name for e in self.random.sample(self.edges, min(5, len(self.edges)))} - set(fed))
            case.runs.append({"feeds": {**step["feeds"], **fed}, "fetches": fetches, "targets": []})
        return case


def make(seed):
    return Maker(seed).case("random %d" % seed)


def make_tangled(seed):
    return Tangled(seed).case("tangled %d" % seed)
