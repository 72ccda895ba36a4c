"""Graphs from a seed over every kind of value, as TensorFlow's Python builds them.

    case = mixed_programs.make(17)

All number types, words, bools and complex numbers; sizes of zero; not-a-number and infinities; placeholders that leave
their shapes open and are fed several shapes, one after another; edges and constants that are fed; one node's outputs
fetched apart; control edges into and out of branches and loops; functions that only change state; variables that are
references, read and written in one step; gradients of gradients.

Each value is built twice: in the graph under test, where shapes may be open, and in a second one where all are known.
What is "smooth" was rounded: it never decides, is never cut off and never becomes an integer.
"""
import os
import random

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

from dtypes import Value
from random_graphs import Case

v1 = tf.compat.v1


def erf(x):
    """TensorFlow's of an infinity is not-a-number in double precision."""
    return tf.math.erf(tf.clip_by_value(x, -9, 9) if x.dtype == tf.float64 else x)


def without_sign(op, halves=True):
    """Which of 0 and -0 is the larger depends, in TensorFlow, on the type and on the place in the tensor; for |halves| only
    where they are reduced."""
    def found(*args):
        x = op(*args)
        told = not x.dtype.is_floating or x.dtype.size == 2 and not halves
        return x if told else tf.where(tf.equal(x, tf.zeros_like(x)), tf.zeros_like(x), x)
    return found


def bounded(x):
    """Without finite numbers whose products are infinite: fused multiplications and additions differ from others there."""
    return tf.where(tf.math.is_finite(x), tf.clip_by_value(x, -1e15, 1e15), x) if x.dtype.is_floating else x


FLOATS = [tf.float32] * 4 + [tf.float64] * 2 + [tf.float16, tf.bfloat16]
WHOLE = [tf.int32] * 3 + [tf.int64] * 2 + [tf.uint8, tf.int8, tf.int16, tf.uint16, tf.uint32, tf.uint64]
COMPLEX = [tf.complex64, tf.complex128]


class Edge:
    """A tensor, its twin with a known shape, and whether it was rounded."""

    def __init__(self, tensor, twin, smooth):
        self.tensor, self.twin, self.smooth = tensor, twin, smooth

    @property
    def dtype(self):
        return self.tensor.dtype.base_dtype

    @property
    def shape(self):
        return tuple(self.twin.shape.as_list())


def kind(edge):
    t = edge.dtype
    return "s" if t == tf.string else "b" if t == tf.bool else "c" if t.is_complex else "f" if t.is_floating else "i"


class Mixed:
    def __init__(self, seed):
        self.r, self.n = random.Random(seed), np.random.RandomState(seed)
        self.wild = self.r.random() < 0.25   # infinities and such
        self.empty = self.r.random() < 0.25  # sizes of zero
        self.constant = self.r.random() < 0.2  # no placeholders
        self.new_flow = self.r.random() < 0.5
        self.graph, self.twins = tf.Graph(), tf.Graph()
        self.edges, self.open, self.feeds, self.other_feeds, self.inits, self.targets, self.reads = [], [], {}, {}, [], [], []
        self.sizes = [self.r.choice([1, 2, 3, 5]), self.r.choice([0, 2, 4] if self.empty else [2, 4, 9])]
        self.other_sizes = [self.r.choice([1, 3, 4]), self.r.choice([0, 1, 7])]
        self.count = 0

    # ---- bookkeeping ----

    def chance(self, part):
        return self.r.random() < part

    def both(self, build, *edges, smooth=False):
        """What |build| gives of tensors, here and with known shapes; a list of edges where it gives a list."""
        with self.graph.as_default():
            made = build(*(e.tensor for e in edges))
        with self.twins.as_default():
            twin = build(*(e.twin for e in edges))
        smooth = smooth or any(e.smooth for e in edges)
        many = made if isinstance(made, (list, tuple)) else [made]
        twin = twin if isinstance(twin, (list, tuple)) else [twin]
        found = [Edge(a, b, smooth) for a, b in zip(many, twin)]
        self.edges += [e for e in found if e.twin.shape.is_fully_defined()]
        self.open += [e for e in found if not e.twin.shape.is_fully_defined()]
        return found[0]

    def pick(self, kinds="fic", test=lambda e: True):
        found = [e for e in self.edges if kind(e) in kinds and test(e)]
        if not found:
            return self.source(self.r.choice(kinds))
        return self.r.choice(found[-10:] if self.chance(0.6) else found)

    def values(self, dtype, shape):
        n, size = self.n, tuple(shape)
        if dtype == tf.string:
            words = [b"", b"a", b"word", b"12", b"-3.5", "\u00e4\u00f6".encode(), b"x y z", b"A" * 40, b"\x00b"]
            return np.array([self.r.choice(words) for _ in range(int(np.prod(size, dtype=int)))], object).reshape(size)
        if dtype == tf.bool:
            return n.randint(0, 2, size).astype(bool)
        if dtype.is_complex:
            return (n.randint(-4, 5, size) / 2 + 1j * n.randint(-4, 5, size) / 2).astype(dtype.as_numpy_dtype)
        if dtype.is_floating:
            value = np.asarray(n.randint(-8, 9, size) / 4)
            if self.wild and value.size:
                for _ in range(self.r.randint(1, 3)):
                    value.flat[self.r.randrange(value.size)] = self.r.choice([np.nan, np.inf, -np.inf, -0.0, 1e30])
            with np.errstate(over="ignore", under="ignore"):
                return value.astype(dtype.as_numpy_dtype)
        low = 0 if dtype.is_unsigned else -6
        value = np.asarray(n.randint(low, 8, size)).astype(dtype.as_numpy_dtype)
        if self.wild and value.size:
            value.flat[self.r.randrange(value.size)] = self.r.choice([dtype.max, dtype.min])
        return value

    def dims(self):
        """Dims of constants and placeholders: numbers, or which of the sizes."""
        options = ["A", "B", "A", 1] if not self.constant else ["A", "B", 1, 2]
        return [self.r.choice(options) for _ in range(self.r.choice([0, 1, 1, 2, 2, 3]))]

    def source(self, kinds="fffiibcs"):
        group = {"f": FLOATS, "i": WHOLE, "c": COMPLEX, "b": [tf.bool], "s": [tf.string]}[self.r.choice(kinds)]
        dtype, dims = self.r.choice(group), self.dims()
        shape = [self.sizes["AB".index(d)] if d in ("A", "B") else d for d in dims]
        other = [self.other_sizes["AB".index(d)] if d in ("A", "B") else d for d in dims]
        value = self.values(dtype, shape)
        if self.constant or self.chance(0.35):
            return self.both(lambda: tf.constant(value, dtype))
        told = None if self.chance(0.1) else [None if d in ("A", "B") and self.chance(0.6) else s for d, s in zip(dims, shape)]
        other = other if told is None else [o if t is None else t for t, o in zip(told, other)]
        with self.graph.as_default():
            if self.chance(0.1):
                x = v1.placeholder_with_default(tf.constant(value, dtype), told)
            else:
                x = v1.placeholder(dtype, told)
                self.feeds[x.name] = value
                self.other_feeds[x.name] = self.values(dtype, other)
        with self.twins.as_default():
            twin = v1.placeholder(dtype, shape)
        self.edges.append(Edge(x, twin, False))
        return self.edges[-1]

    def like(self, edge):
        """Another value of the type that broadcasts with |edge|."""
        fits = lambda e: e.dtype == edge.dtype and (e.shape in ((), edge.shape) or e.shape == edge.shape[-1:])
        found = [e for e in self.edges if fits(e)]
        if found and self.chance(0.8):
            return self.r.choice(found)
        shape = self.r.choice([edge.shape, edge.shape[-1:], ()])
        value = self.values(edge.dtype, shape)
        return self.both(lambda: tf.constant(value, edge.dtype))

    # ---- ops ----

    def binary(self):
        a = self.pick("fffiic")
        b = self.like(a)
        ops = [tf.add, tf.subtract, tf.multiply, tf.math.squared_difference, tf.raw_ops.Add and tf.add]
        if kind(a) in "fi" and not (a.smooth or b.smooth):
            ops += [without_sign(tf.maximum, False), without_sign(tf.minimum, False), without_sign(tf.maximum, False)]
        if kind(a) in "f":
            ops += [tf.divide, tf.math.divide_no_nan, tf.math.multiply_no_nan, tf.math.xdivy]
            if not (a.smooth or b.smooth):
                ops += [tf.math.floordiv, tf.math.floormod, tf.atan2]
        if kind(a) == "c":
            ops = [tf.add, tf.subtract, tf.multiply, lambda x, y: x * tf.math.conj(y)]
        if kind(a) == "i":
            one = tf.bitwise
            ops += [one.bitwise_and, one.bitwise_or, one.bitwise_xor, lambda x, y: tf.math.floordiv(x, tf.ones_like(y) + tf.ones_like(y)),
                    lambda x, y: tf.math.floormod(x, tf.ones_like(y) * 3), lambda x, y: tf.truncatediv(x, tf.ones_like(y) * 2),
                    lambda x, y: tf.truncatemod(x, tf.ones_like(y) * 3)]
        if self.chance(0.3):
            a, b = b, a
        op = self.r.choice(ops)
        smooth = op in (tf.divide, tf.math.xdivy, tf.math.divide_no_nan, tf.atan2)
        return self.both(op, a, b, smooth=smooth)

    def unary(self):
        a = self.pick("fffiicc")
        if kind(a) == "c":
            return self.both(self.r.choice([tf.negative, tf.math.conj, tf.math.real, tf.math.imag, tf.square, tf.abs, tf.exp, tf.identity]),
                             a, smooth=True)
        if kind(a) == "i":
            return self.both(self.r.choice([tf.negative, tf.square, tf.abs, tf.sign, tf.identity, tf.bitwise.invert,
                                            lambda x: x * x, tf.zeros_like, tf.ones_like]), a)
        exact = [tf.negative, tf.identity, tf.square, tf.stop_gradient, tf.zeros_like, tf.ones_like, lambda x: -(-x), lambda x: x + 0,
                 lambda x: x * 1, lambda x: 0 * x, lambda x: x - x]
        cut = [tf.abs, tf.sign, tf.floor, tf.math.ceil, tf.round, tf.math.rint, tf.nn.relu, tf.nn.relu6, lambda x: tf.clip_by_value(x, -1, 1)]
        smooth = [tf.tanh, tf.sigmoid, tf.exp, lambda x: tf.math.log1p(tf.abs(x)), lambda x: tf.sqrt(tf.abs(x)), tf.sin, tf.cos, tf.math.softplus,
                  erf, tf.math.expm1, tf.nn.elu, tf.nn.selu, tf.nn.softsign, tf.math.reciprocal, lambda x: tf.math.rsqrt(x * x + 1), tf.atan,
                  tf.nn.swish, tf.nn.leaky_relu, tf.math.asinh, tf.math.sinh]
        op = self.r.choice(exact + ([] if a.smooth else cut) + smooth)
        return self.both(op, a, smooth=op in smooth)

    def compare(self):
        a = self.pick("fiisb", lambda e: not e.smooth)
        b = self.like(a)
        if kind(a) in "bs":
            if kind(a) == "b":
                return self.both(self.r.choice([tf.logical_and, tf.logical_or, tf.equal, tf.not_equal, tf.math.logical_xor]), a, b)
            return self.both(self.r.choice([tf.equal, tf.not_equal]), a, b)
        return self.both(self.r.choice([tf.less, tf.less_equal, tf.greater, tf.greater_equal, tf.equal, tf.not_equal]), a, b)

    def select(self):
        a = self.pick("ficbs")
        b = self.like(a)
        p = self.pick("b", lambda e: e.shape in ((), a.shape, a.shape[-1:]))
        return self.both(tf.where, p, a, b)

    def test(self):
        a = self.pick("f", lambda e: not e.smooth)
        return self.both(self.r.choice([tf.math.is_nan, tf.math.is_inf, tf.math.is_finite, lambda x: tf.cast(x, tf.bool)]), a)

    def cast(self):
        a = self.pick("fib", lambda e: not (e.smooth and e.dtype.size == 2))
        to = self.r.choice(FLOATS + WHOLE + [tf.bool] + COMPLEX)
        if to.is_complex and a.dtype == tf.bool:
            to = tf.float32
        if kind(a) == "f" and not (to.is_floating or to.is_complex):
            if a.smooth or self.wild:
                return self.cast_words()
            return self.both(lambda x: tf.cast(tf.clip_by_value(x, 0, 100), to), a)
        return self.both(lambda x: tf.cast(x, to), a)

    def cast_words(self):
        a = self.pick("ib")
        return self.both(tf.strings.as_string, a)

    def words(self):
        a = self.pick("s")
        b = self.like(a)
        return self.both(self.r.choice([
            lambda x, y: tf.strings.join([x, y], "-"), lambda x, y: tf.strings.length(x), lambda x, y: tf.strings.upper(x),
            lambda x, y: tf.strings.substr(tf.strings.join([x, "abc"]), 1, 2), lambda x, y: tf.strings.regex_replace(x, "[a-m]", "<\\0>"),
            lambda x, y: tf.strings.to_hash_bucket_fast(x, 1000), lambda x, y: tf.strings.strip(x), lambda x, y: tf.strings.length(x, "UTF8_CHAR"),
            lambda x, y: tf.strings.reduce_join(x), lambda x, y: tf.io.encode_base64(y), lambda x, y: tf.strings.regex_full_match(x, "w.*")]), a, b)

    def arrays(self):
        a = self.pick("fficbs")
        rank = len(a.shape)
        perm = list(range(rank))
        self.r.shuffle(perm)
        axis = self.r.randrange(rank) if rank else 0
        ops = [lambda x: tf.reshape(x, [-1]), lambda x: tf.expand_dims(x, axis), lambda x: tf.transpose(x, perm),
               lambda x: tf.stack([x, x], self.n and 0), tf.identity, lambda x: tf.broadcast_to(x, tf.concat([[2], tf.shape(x)], 0))]
        if rank:
            one = lambda x: tf.ones([rank], tf.int32)
            ops += [lambda x: tf.reverse(x, [axis]), lambda x: tf.concat([x, x], axis), lambda x: tf.tile(x, one(x) * 2),
                    lambda x: x[:1], lambda x: x[::-1], lambda x: x[..., tf.newaxis], lambda x: x[1:], lambda x: tf.pad(x, [[1, 0]] + [[0, 0]] * (rank - 1)),
                    lambda x: tf.roll(x, 1, axis), lambda x: x[:, None] if rank > 1 else x[None], lambda x: tf.gather(x, tf.zeros([2], tf.int32)) if a.shape[0] else x,
                    lambda x: tf.unstack(tf.stack([x, x, x]))[1], lambda x: tf.split(tf.concat([x, x], axis), 2, axis), lambda x: tf.zeros_like(x)[0:0]]
        return self.both(self.r.choice(ops), a)

    def reduce(self):
        a = self.pick("ffficb")
        axes = self.r.choice([None, None, sorted(self.r.sample(range(len(a.shape)), self.r.randint(0, len(a.shape))))])
        keep = self.chance(0.3)
        ops = [tf.reduce_sum, tf.reduce_mean, tf.reduce_prod]
        if kind(a) == "b":
            ops = [tf.reduce_all, tf.reduce_any]
        elif kind(a) != "c" and not a.smooth:
            ops += [without_sign(tf.reduce_max), without_sign(tf.reduce_min)]
        op = self.r.choice(ops)
        return self.both(lambda x: op(x, axes, keep), a, smooth=op in (tf.reduce_mean, tf.reduce_prod) or a.dtype in (tf.float16, tf.bfloat16))

    def index(self):
        """Where a value decides which, or how many."""
        a = self.pick("fi", lambda e: not e.smooth and e.shape)
        if a.smooth or not a.shape:
            return self.source()
        ops = [lambda x: tf.cumsum(x, 0), lambda x: tf.cumsum(x, -1, exclusive=True, reverse=True),
               lambda x: tf.where(tf.not_equal(x, tf.zeros_like(x))), lambda x: tf.boolean_mask(x, tf.greater(x, tf.zeros_like(x))),
               lambda x: list(tf.unique(tf.reshape(x, [-1]))), lambda x: tf.shape(x), lambda x: tf.size(x, tf.int64), lambda x: tf.rank(x),
               lambda x: tf.math.unsorted_segment_sum(x, tf.zeros(tf.shape(x)[:1], tf.int32), 2), lambda x: list(tf.unique_with_counts(tf.reshape(x, [-1])))]
        if not self.wild:
            ops += [lambda x: tf.argmax(x, 0), lambda x: tf.argmin(x, -1, tf.int32), lambda x: tf.sort(x, -1), lambda x: list(tf.nn.top_k(x, tf.minimum(1, tf.shape(x)[-1]))), lambda x: tf.argsort(x, stable=True)]
        return self.both(self.r.choice(ops), a)

    def matmul(self):
        a = self.pick("ffc", lambda e: len(e.shape) == 2)
        if self.wild and kind(a) == "f":
            a = self.both(bounded, a)
        if len(a.shape) != 2:
            return self.both(lambda x: tf.tensordot(x, x, 0), a, smooth=True)
        return self.both(self.r.choice([lambda x: tf.matmul(x, x, transpose_a=True), lambda x: tf.matmul(x, x, transpose_b=True),
                                        lambda x: tf.einsum("ij,kj->ik", x, x), lambda x: tf.linalg.matvec(x, x[0]) if a.shape[0] else x]), a, smooth=True)

    def soft(self):
        a = self.pick("f", lambda e: e.shape)
        if not a.shape:
            return self.unary()
        return self.both(self.r.choice([tf.nn.softmax, tf.nn.log_softmax, lambda x: tf.reduce_logsumexp(x), tf.nn.l2_loss,
                                        lambda x: tf.nn.moments(x, [0])[1]]), a, smooth=True)

    # ---- control ----

    def flag(self):
        return self.pick("b", lambda e: e.shape == () and not e.smooth)

    def scalar_test(self):
        p = self.flag()
        if p.shape != ():
            p = self.both(lambda x: tf.reduce_any(x), p)
        return p

    def flow_pair(self):
        a = self.pick("fffic")
        return a, self.like(a)

    def branch(self):
        """A branch with control edges from outside, and something outside that waits for it."""
        p, (a, b) = self.scalar_test(), self.flow_pair()
        shape = np.broadcast_shapes(a.shape, b.shape)
        waits, kinds = self.chance(0.5), self.r.randrange(4)

        def build(p, x, y):
            def yes():
                with tf.control_dependencies([y] if waits else []):
                    c = tf.constant(2, x.dtype)
                    return [x + y * c, tf.zeros_like(x)]

            def no():
                z = x + y
                return [[z - z, y * y + x - x, tf.broadcast_to(tf.constant(1, x.dtype), tf.shape(z)), z][kinds], x]
            out = v1.cond(p, yes, no)
            with tf.control_dependencies([out[0]] if waits else []):
                last = tf.identity(y)
            return [out[0], last, out[1]]
        return self.both(build, p, a, b)

    def loop(self):
        a, b = self.flow_pair()
        if a.shape != np.broadcast_shapes(a.shape, b.shape):
            a, b = b, a
        n, way, waits = self.r.randint(0, 4), self.r.randrange(4), self.chance(0.5)
        limit = self.pick("i", lambda e: e.dtype == tf.int32 and e.shape == ()) if self.chance(0.3) else None

        def build(x, y, *more):
            count = tf.minimum(more[0], 4) if more else tf.constant(n)

            def body(i, v, w):
                with tf.control_dependencies([y] if waits else []):
                    k = tf.constant(1, x.dtype)
                    i = i + 1
                if way == 0:
                    v = v + y * k
                elif way == 1:
                    v = v1.cond(tf.equal(i % 2, 0), lambda: v + y, lambda: v - k)
                elif way == 2:
                    v = v1.while_loop(lambda j, u: j < i, lambda j, u: (j + 1, u + y), [0, v])[1]
                else:
                    v = w * k
                return i, v, w + k
            loop = v1.while_loop(lambda i, v, w: i < count, body, [0, x, tf.identity(x)],
                                 [tf.TensorShape([]), x.shape, x.shape], parallel_iterations=self_parallel)
            with tf.control_dependencies([loop[1]] if waits else []):
                return [loop[1], tf.identity(loop[0]), loop[2], tf.identity(y)]
        self_parallel = self.r.choice([1, 10])
        return self.both(build, a, b, *([limit] if limit and limit.shape == () and limit.dtype == tf.int32 else []))

    def function(self):
        """A function with several results, one of which may be a constant or an argument."""
        a, b = self.flow_pair()
        way = self.r.randrange(4)

        def inner(x, y):
            z = x + y
            return [[z, x], [tf.constant(3, x.dtype), z], [y, x, z * z], [tf.identity(x), x, tf.shape(z)]][way]
        return self.both(lambda x, y: list(tf.function(inner)(x, y)), a, b)

    def stateful(self):
        """A function that changes a variable and gives something else: it must run for its effect."""
        a = self.pick("f", lambda e: e.dtype in (tf.float32, tf.float64))
        if a.dtype not in (tf.float32, tf.float64):
            return self.source()
        value = self.values(a.dtype, ())
        with self.graph.as_default():
            var = v1.get_variable(self.name("v"), initializer=tf.constant(value, a.dtype), use_resource=True)
            before = var.read_value()
            with tf.control_dependencies([before]):
                @tf.function
                def change(x):
                    var.assign_add(tf.ones([], var.dtype))
                    if self.r.random() < 0.5:
                        tf.cond(tf.size(x) > 2, lambda: var.assign_add(var), lambda: var.assign(-var))
                    return tf.identity(x)
                out = change(a.tensor)
            with tf.control_dependencies([out]):
                after = var.read_value()
            self.inits.append(var.initializer.name)
            self.reads.append(var.read_value().name)
        with self.twins.as_default():
            twins = [tf.zeros([], a.dtype), tf.zeros(a.shape, a.dtype), tf.zeros([], a.dtype)]
        return self.only_fetched([before, out, after], twins)

    def only_fetched(self, made, twins):
        """What depends on a write. Not used further: what a step asked for must run, but libraries differ in whether that
        is so of what a loop or a function takes and does not use."""
        self.open += [Edge(*pair, True) for pair in zip(made, twins)]
        return self.open[-1]

    def name(self, what):
        self.count += 1
        return "%s%d" % (what, self.count)

    def reference(self):
        """A variable that is a reference: read, written, read, written in part."""
        a = self.pick("fffii", lambda e: e.dtype in (tf.float32, tf.float64, tf.int32, tf.int64, tf.uint8, tf.float16))
        value = self.values(a.dtype, a.shape)
        if self.constant is False and any(d not in (1, 2) for d in a.shape):
            validate = False
        else:
            validate = True
        with self.graph.as_default():
            var = v1.Variable(tf.constant(value, a.dtype), use_resource=self.chance(0.4), name=self.name("r"), validate_shape=validate)
            plus = self.r.choice([lambda x: x + tf.zeros([], a.dtype), lambda x: -(-x), lambda x: tf.ones([], a.dtype) * x])
            before = plus(var.read_value())
            with tf.control_dependencies([before]):
                op = self.r.choice([v1.assign, v1.assign_add, v1.assign_sub])
                new = op(var, a.tensor if op is not v1.assign or not self.chance(0.3) else -a.tensor)
            with tf.control_dependencies([new]):
                after = var.read_value() + tf.ones([], a.dtype)
            wrote = [new]
            if a.shape and a.shape[0] and self.chance(0.5):
                with tf.control_dependencies([after]):
                    wrote.append(v1.scatter_update(var, [0], tf.zeros_like(after)[:1]))
            self.inits.append(var.initializer.name)
            self.reads.append(var.read_value().name)
            self.targets += [w.op.name for w in wrote if hasattr(w, "op")]
            same = self.r.choice([lambda x: x, tf.identity, lambda x: x * tf.ones([], a.dtype), lambda x: x - tf.zeros([], a.dtype),
                                  lambda x: tf.reshape(x, tf.shape(x)), tf.transpose, lambda x: tf.reshape(x, [-1])])
            made = [same(before), same(after)]
        with self.twins.as_default():
            twin = tf.zeros(a.shape, a.dtype)
        return self.only_fetched(made, [twin, twin])

    def array(self):
        """A tensor array written in a loop and read back."""
        a = self.pick("fic", lambda e: e.shape)
        if not a.shape:
            return self.source()
        way = self.r.randrange(3)

        def build(x):
            if way == 0:
                ta = tf.TensorArray(x.dtype, tf.shape(x)[0], element_shape=x.shape[1:]).unstack(x)
                return ta.concat() if len(a.shape) > 1 and a.shape[0] else ta.stack()
            if way == 1:
                return tf.map_fn(lambda row: row + row, x)
            return tf.scan(lambda s, row: s + row, x) if a.shape[0] else x
        return self.both(build, a)

    KINDS = [("binary", 10), ("unary", 8), ("compare", 3), ("select", 3), ("test", 1), ("cast", 4), ("words", 2), ("arrays", 8), ("reduce", 6),
             ("index", 4), ("matmul", 2), ("soft", 2), ("branch", 2), ("loop", 2), ("function", 2), ("stateful", 1), ("reference", 1.5), ("array", 1),
             ("source", 4)]

    # ---- the whole ----

    def gradients(self):
        """Fetches: gradients, and gradients of them, by what is fed."""
        with self.graph.as_default():
            xs = [self.graph.get_tensor_by_name(n) for n in self.feeds]
            xs = [x for x in xs if x.dtype in (tf.float32, tf.float64)]
            ys = [e.tensor for e in self.edges if e.dtype in (tf.float32, tf.float64)][-2:]
            if not xs or not ys:
                return []
            try:
                first = [g for g in tf.gradients(ys, xs) if g is not None]
                first = [tf.convert_to_tensor(g) for g in first]
                second = [g for g in tf.gradients([tf.square(g) for g in first], xs) if g is not None] if first and self.chance(0.5) else []
            except (TypeError, ValueError, LookupError, NotImplementedError, AttributeError):
                return []  # no gradient is defined
            return [g.name for g in first + [tf.convert_to_tensor(g) for g in second]]

    def fed_edges(self):
        """Some values in the middle, fed."""
        found = [e for e in self.edges if e.tensor.name not in self.feeds and "while" not in e.tensor.name and "cond" not in e.tensor.name]
        return {e.tensor.name: Value(self.values(e.dtype, e.shape), e.dtype.as_datatype_enum) for e in self.r.sample(found, min(2, len(found)))}

    def fed_sizes(self):
        """Some whole constants outside of control flow, which may be shapes, axes or indices, fed other numbers."""
        r = random.Random(self.count)
        found = [op for op in self.graph.get_operations() if op.type == "Const" and not op.control_inputs and
                 op.outputs[0].dtype in (tf.int32, tf.int64) and "while" not in op.name and "cond" not in op.name]
        fed = {}
        for op in r.sample(found, min(r.randint(1, 3), len(found))):
            value = tf.make_ndarray(op.get_attr("value")) + 0
            fed[op.outputs[0].name] = Value(r.choice([np.flip(value), value + 1, value * 0, value * 2]).astype(value.dtype),
                                            op.outputs[0].dtype.as_datatype_enum)
        return fed

    def case(self, name):
        for _ in range(self.r.randint(2, 4)):
            self.source()
        names, weights = zip(*self.KINDS)
        for what in self.r.choices(names, weights, k=self.r.randint(4, 22)):
            try:
                getattr(self, what)()
            except (TypeError, ValueError, NotImplementedError, IndexError):
                pass  # a type or a shape that the op does not take, as its shape function says
        fetched = self.edges + self.open
        last = fetched[-8:] + self.r.sample(fetched, min(4, len(fetched)))
        fetches = sorted({e.tensor.name for e in last if e.dtype not in (tf.resource, tf.variant)})
        gradients = self.gradients() if self.chance(0.6) else []
        value = lambda feeds: {k: Value(v, self.graph.get_tensor_by_name(k).dtype.as_datatype_enum) for k, v in feeds.items()}
        feeds, other = value(self.feeds), value(self.other_feeds)
        step = lambda feeds, fetches, targets=(): {"feeds": feeds, "fetches": list(fetches), "targets": list(targets)}
        runs = [step({}, [], self.inits)] if self.inits else []
        runs += [step(feeds, [f]) for f in fetches]
        runs += [step(feeds, fetches, self.targets), step(other, fetches, self.targets), step(feeds, fetches)]
        if gradients:
            runs += [step(feeds, gradients), step(other, gradients)]
        fed = self.fed_edges()
        runs.append(step({**feeds, **fed}, [f for f in fetches if f not in fed]))
        runs += [step(other, [f]) for f in fetches[:4]]
        if self.reads:
            runs.append(step({}, self.reads))
        fed = self.fed_sizes()
        runs += [step({**feeds, **fed}, [f]) for f in fetches if f not in fed]
        return Case(name, self.graph.as_graph_def().SerializeToString(), runs, [], 1e-5, ends_at_errors=bool(self.reads), may_fail=True)


def make(seed):
    mixed = Mixed(seed)
    (v1.enable_control_flow_v2 if mixed.new_flow else v1.disable_control_flow_v2)()
    return mixed.case("mixed %d" % seed)
