"""Programs of ordered state and control flow from a seed, as TensorFlow's Python builds them.

    case = flow_programs.make(17)

A program is a sequence of statements: arithmetic, reads and writes of state, loops, conditionals, cases, raw switches and
merges, arrays, stacks and function calls, whose bodies are such sequences. Effects are ordered by a token, a number
that each passes on, as a control dependency or as data, so that every run gives the same values. Loops have no
iteration or several, invariants, exchanged and unused variables; functions capture values and state; some outputs of each
construct are not used, and gradients go through all of them. Floats stay within [-1, 1], and only integers decide.
"""
import os
import random

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

from dtypes import Value
from flow_states import STATES
from random_graphs import Case

v1, raw = tf.compat.v1, tf.raw_ops
DEEPEST = 3
UNBUILT = (TypeError, ValueError, NotImplementedError, LookupError, AttributeError, AssertionError)


class Block:
    """A sequence of statements: the floats and integers that it sees, its token, and where it is."""

    def __init__(self, flow, r, floats, ints, token, depth, place):
        self.flow, self.r, self.floats, self.ints = flow, r, list(floats), list(ints)
        self.token, self.depth, self.place = token, depth, place

    def chance(self, part):
        return self.r.random() < part

    def some_float(self):
        return self.r.choice(self.floats[-4:] if self.chance(0.6) else self.floats)

    def some_int(self):
        return self.r.choice(self.ints[-4:] if self.chance(0.6) else self.ints)

    def test(self):
        a, b = self.some_int(), self.some_int() if self.chance(0.5) else self.r.randint(0, 96)
        return self.r.choice([lambda: a < b, lambda: tf.equal(a % 2, 0), lambda: a >= b, lambda: tf.logical_and(a > 3, a < 60),
                              lambda: tf.constant(self.chance(0.5)), lambda: tf.logical_not(tf.equal(a % 3, 1))])()

    def keep(self, floats, ints):
        """Some outputs of a construct are not used."""
        self.floats += [x for x in floats if self.chance(0.7)]
        self.ints += [x for x in ints if self.chance(0.7)]

    def follow(self, *things):
        """The token after |things|: by a control edge, or as a value made of them."""
        numbers = [x for x in things if isinstance(x, tf.Tensor) and x.dtype == tf.int32 and x.shape.rank == 0]
        token = self.token
        if numbers and self.chance(0.3):
            x = numbers[0]
            self.token = self.r.choice([lambda: token + x * 0, lambda: token + (x - x), lambda: tf.where(tf.equal(x, x), token, x)])()
            return
        ways = [lambda: tf.identity(token), lambda: token + 0, lambda: token * 1, lambda: tf.reshape(token, []), lambda: tf.add_n([token, tf.constant(0)])]
        with tf.control_dependencies([t for t in things if t is not None]):
            self.token = self.r.choice(ways)()

    def inner(self, seed, floats, ints, token, place=None):
        return Block(self.flow, random.Random(seed), floats, ints, token, self.depth + 1, place or self.place)

    def run(self, count):
        for _ in range(count):
            self.statement()
        return self

    def statement(self):
        kinds = [("smooth", 4), ("whole", 4), ("effect", 8 if self.flow.states else 0)]
        if self.depth < DEEPEST and self.flow.budget > 0:
            kinds += [("loop", 4), ("branch", 3), ("case", 1.5), ("call", 3), ("array", 1.5), ("stack", 1),
                      ("switch", 1.5 if self.place == "dataflow" else 0)]
        names, weights = zip(*kinds)
        what = self.r.choices(names, weights)[0]
        self.flow.budget -= what not in ("smooth", "whole")
        getattr(self, what)()

    # ---- values ----

    def floats_of(self):
        x, y = self.some_float(), self.some_float()
        return self.r.choice([lambda: tf.tanh(x + y), lambda: x * y, lambda: x * 0.5 + y * 0.5, lambda: tf.sin(x), lambda: -x,
                              lambda: tf.reverse(x, [0]), lambda: x - tf.stop_gradient(x) * 0.5, lambda: tf.zeros_like(x),
                              lambda: x * tf.cast(self.some_int(), tf.float32) / 100.0, lambda: tf.identity(x),
                              lambda: tf.constant([0.25, -0.5]), lambda: tf.concat([x[1:], y[:1]], 0),
                              lambda: tf.where(self.test(), x, y)])()

    def ints_of(self):
        x, y = self.some_int(), self.some_int()
        return self.r.choice([lambda: (x * y + 1) % 97, lambda: (x + y) % 97, lambda: tf.maximum(x, y), lambda: tf.bitwise.bitwise_xor(x, y) % 97,
                              lambda: tf.constant(self.r.randint(0, 9)), lambda: tf.identity(x), lambda: (x + 1) % 97,
                              lambda: tf.where(self.test(), x, y), lambda: tf.reduce_sum(tf.range(x % 5))])()

    def smooth(self):
        self.floats.append(self.floats_of())

    def whole(self):
        with tf.control_dependencies([self.token] if self.chance(0.1) else []):
            self.ints.append(self.ints_of())

    # ---- state ----

    def effect(self):
        state = self.r.choice(self.flow.states)
        if self.place not in state.places:
            return
        with tf.control_dependencies([self.token]):
            floats, ints, things = state.act(self)
        self.follow(*floats, *ints, *things)
        self.keep(floats, ints)

    # ---- constructs ----

    def taken(self):
        """Floats and integers that a construct is given."""
        return [self.r.sample(xs, min(len(xs), self.r.randint(1, 3))) for xs in (self.floats, self.ints)]

    def statements(self):
        return self.r.randint(0, 4 - self.depth // 2)

    def loop(self):
        floats, ints = self.taken()
        count, seed, seed2 = self.statements(), self.r.random(), self.r.random()
        limit = self.r.choice([lambda: tf.constant(self.r.randint(0, 4)), lambda: self.some_int() % 4, lambda: 0, lambda: 3,
                               lambda: self.some_int() % 3 - 1])()
        reads = self.chance(0.2) and self.place == "dataflow"

        def keep_on(i, token, fs, ns):
            going = i < limit
            if reads:
                block = self.inner(seed2, fs, ns, token)
                block.effect_for_test()
                return tf.logical_and(going, block.token > -1)
            return tf.logical_and(going, ns[0] > -1) if len(ns) > 1 else going

        def body(i, token, fs, ns):
            block = self.inner(seed, self.floats[:2] + list(fs), self.ints[:2] + list(ns), token).run(count)
            return i + 1, block.token, block.returned(block.floats, fs), block.returned(block.ints, ns)
        options = {"parallel_iterations": self.r.choice([1, 1, 2, 3, 10]), "swap_memory": self.chance(0.1), "back_prop": self.chance(0.95)}
        if self.chance(0.15):
            options["maximum_iterations"] = self.r.randint(0, 5)
        _, token, fs, ns = v1.while_loop(keep_on, body, (tf.constant(0), self.token, floats, ints), **options)
        self.token = token
        self.keep(fs, ns)

    def effect_for_test(self):
        if self.flow.states:
            self.effect()

    def returned(self, values, given):
        """What the next iteration, or the caller, is given: new values, the same, exchanged ones."""
        given, way = list(given), self.r.random()
        if way < 0.15:
            return given
        if way < 0.3:
            return given[1:] + given[:1]
        return [self.r.choice(values[-3:] + [g]) for g in given]

    def outcome(self, seed, floats, ints, count, way, place=None):
        """A function of a branch, which returns a token, floats and integers."""
        def build():
            # TensorFlow begins a branch's effects before all of its inputs are there, so they wait for the token inside.
            block = self.inner(seed, self.floats, self.ints, tf.identity(self.token), place).run(count)
            last = lambda xs, n: [tf.identity(x) if way else x for x in (block.r.sample(xs, n) if block.chance(0.5) else xs[-n:])]
            return [block.token] + last(block.floats, floats) + last(block.ints, ints)
        return build

    def joined(self, out, floats):
        self.token = out[0]
        self.keep(out[1:1 + floats], out[1 + floats:])

    def branch(self):
        floats, ints, way = self.r.randint(1, min(2, len(self.floats))), self.r.randint(1, min(2, len(self.ints))), self.chance(0.5)
        yes, no = (self.outcome(self.r.random(), floats, ints, self.statements(), way) for _ in range(2))
        self.joined(v1.cond(self.test(), yes, no), floats)

    def case(self):
        floats, ints, place = self.r.randint(1, min(2, len(self.floats))), 1, "function" if self.place == "function" else "functions"
        ways = [self.outcome(self.r.random(), floats, ints, self.statements() // 2, True, place) for _ in range(self.r.randint(1, 4))]
        which = self.r.choice([lambda: self.some_int() % (len(ways) + 1), lambda: self.some_int() % 3 - 1])()
        self.joined(tf.switch_case(which, ways), floats)

    def switch(self):
        """A raw Switch and Merge; what one side gives may not be used, and an effect may be on either side."""
        p, x, n = self.test(), tf.stop_gradient(self.some_float()), self.some_int()
        tokens, xs, ns = (raw.Switch(data=t, pred=p) for t in (self.token, x, n))
        ends = []
        for side in ("output_false", "output_true"):
            token = tf.identity(getattr(tokens, side))  # a control edge from the Switch itself would not tell the sides apart
            block = self.inner(self.r.random(), [getattr(xs, side)], [getattr(ns, side)], token)
            for _ in range(self.r.randint(0, 3)):
                if block.flow.states and block.chance(0.6):
                    block.effect_on_dead()
                elif block.chance(0.5):
                    block.floats.append(tf.tanh(block.floats[-1]))
                else:
                    block.ints.append((block.ints[-1] + 1) % 97)
            ends.append(block)
        self.token = raw.Merge(inputs=[b.token for b in ends]).output
        merged = raw.Merge(inputs=[b.floats[-1] for b in ends])
        self.keep([tf.stop_gradient(merged.output)], [raw.Merge(inputs=[b.ints[-1] for b in ends]).output, tf.identity(merged.value_index)])

    def effect_on_dead(self):
        """Effects of a side of a switch: their inputs come from it, so that they do not run on the other."""
        state = self.r.choice([s for s in self.flow.states if s.simple] or [None])
        if state and self.place in state.places:
            with tf.control_dependencies([self.token]):
                floats, ints, things = state.act(self)
            self.follow(*floats, *ints, *things)

    def call(self):
        floats, ints = self.taken()
        count, seed, pick = self.statements(), self.r.random(), self.r.random()

        def body(token, fs, ns):
            captured = pick < 0.6
            block = self.inner(seed, (self.floats[:2] if captured else []) + list(fs), (self.ints[:2] if captured else []) + list(ns), token, "function")
            block.run(count)
            unused = tf.tanh(block.floats[0])
            return block.token, [block.some_float(), block.floats[-1], unused], [block.some_int(), block.ints[-1]]
        call = tf.function(body, autograph=False)
        token, fs, ns = call(self.token, floats, ints)
        if self.chance(0.3):  # once more, with what it gave
            self.keep(fs, ns)
            token, fs, ns = call(token, [fs[0]] * len(floats), [ns[0]] * len(ints))
        self.token = token
        self.keep(fs, ns)

    def array(self):
        """A tensor array, written in a loop or one by one, and read in another order."""
        n = self.r.randint(1, 4)
        array = tf.TensorArray(tf.float32, n, element_shape=[2], clear_after_read=False, dynamic_size=self.chance(0.2))
        x, k, seed = self.some_float(), self.some_int(), self.r.random()
        if self.chance(0.4):
            for i in range(n):
                array = array.write(i, self.some_float())
            token = self.token
        else:
            def body(i, token, h, a):
                block = self.inner(seed, [h, x], [i, k], token).run(self.statements() // 2)
                return i + 1, block.token, block.floats[-1], a.write(i, block.some_float())
            _, token, last, array = v1.while_loop(lambda i, *_: i < n, body, [tf.constant(0), self.token, x, array],
                                                  parallel_iterations=self.r.choice([1, 10]))
            self.keep([last], [])
        self.token = token
        made = self.r.choice([lambda: array.stack()[0], lambda: array.read(k % n), lambda: tf.reduce_mean(array.stack(), 0),
                              lambda: array.gather([n - 1])[0], lambda: array.concat()[:2]])()
        made.set_shape([2])
        if self.chance(0.3):
            array = array.write(k % n, made) if self.place == "function" or self.flow.new_flow else array
        back = v1.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, tf.tanh(h + array.read(n - 1 - i))), [tf.constant(0), x],
                             parallel_iterations=self.r.choice([1, 10]))[1]
        self.keep([made, back], [])

    def stack(self):
        """A stack of this step: pushed in a loop, popped in another."""
        n = self.r.randint(0, 3)
        handle = raw.StackV2(max_size=tf.constant(-1), elem_type=tf.int32, stack_name=self.flow.name("s"))
        first, k = self.some_int(), self.some_int()

        def push(i, token, x):
            with tf.control_dependencies([token]):
                pushed = raw.StackPushV2(handle=handle, elem=(x + i) % 97)
            with tf.control_dependencies([pushed]):
                return i + 1, tf.identity(token), (x * 3 + k) % 97

        def pop(i, token, x):
            with tf.control_dependencies([token]):
                popped = raw.StackPopV2(handle=handle, elem_type=tf.int32)
            popped.set_shape([])
            return i + 1, token + 0 * popped, (x * 5 + popped) % 97
        state = [tf.constant(0), self.token, first]
        for body in (push, pop):
            state = v1.while_loop(lambda i, *_: i < n, body, [tf.constant(0)] + state[1:], parallel_iterations=self.r.choice([1, 2, 10]))
            state = list(state)
        self.token = state[1]
        self.keep([], state[2:])


class Flow:
    """A program, its feeds and its state."""

    def __init__(self, seed, size):
        self.r, self.n, self.size = random.Random(seed), np.random.RandomState(int(seed * 10)), size
        self.new_flow = self.r.random() < 0.5
        self.budget, self.count = self.r.choice([4, 8, 12, 18]) * size, 0
        self.feeds, self.other_feeds, self.inits, self.reads, self.states = {}, {}, [], [], []

    def name(self, what):
        self.count += 1
        return "%s%d" % (what, self.count)

    def placeholder(self, make, dtype, shape):
        x = v1.placeholder(dtype, shape if self.r.random() < 0.7 else [None] * len(shape))
        self.feeds[x.name], self.other_feeds[x.name] = Value(make()), Value(make())
        x_shaped = tf.ensure_shape(x, shape) if x.shape.as_list() != shape else x
        return x_shaped

    def gradients(self, block):
        """The names of gradients by floats that are fed, and sometimes of their gradients."""
        xs = [v1.get_default_graph().get_tensor_by_name(n) for n in self.feeds]
        xs = [x for x in xs if x.dtype == tf.float32]
        ys = self.r.sample(block.floats, min(3, len(block.floats)))
        try:
            first = [tf.convert_to_tensor(g) for g in tf.gradients(ys, xs) if g is not None]
        except UNBUILT:
            return []
        try:
            # TensorFlow's arrays of dataflow have no gradients of gradients.
            again = first and self.new_flow and self.r.random() < 0.5
            second = tf.gradients([tf.square(g) for g in first], xs) if again else []
            second = [tf.convert_to_tensor(g) for g in second if g is not None]
        except UNBUILT:
            second = []
        return [g.name for g in first + second]

    def build(self):
        floats = [self.placeholder(lambda: self.n.uniform(-1, 1, 2).astype(np.float32), tf.float32, [2]) for _ in range(2)]
        ints = [self.placeholder(lambda: np.int32(self.n.randint(0, 97)), tf.int32, []) for _ in range(2)]
        floats.append(tf.constant(self.n.uniform(-1, 1, 2).astype(np.float32)))
        ints.append(tf.constant(self.r.randint(0, 9)))
        for _ in range(self.r.choice([0, 1, 2, 3, 4])):
            self.states.append(self.r.choice(STATES)(self))
        token = v1.placeholder_with_default(tf.constant(0), []) if self.r.random() < 0.7 else tf.constant(0)
        block = Block(self, self.r, floats, ints, token, 0, "functions" if self.new_flow else "dataflow")
        return block.run(self.r.randint(3, 9) * self.size)

    def case(self, name):
        block = self.build()
        fetched = block.floats[-6:] + block.ints[-6:]
        fetches = sorted({x.name for x in self.r.sample(fetched, min(6, len(fetched)))} - set(self.feeds))
        with tf.control_dependencies([block.token]):
            end = v1.no_op()
        gradients = self.gradients(block) if self.r.random() < 0.7 else []
        step = lambda feeds, fetches, targets=(): {"feeds": feeds, "fetches": list(fetches), "targets": list(targets)}
        runs = [step({}, [], self.inits)] if self.inits else []
        token = [block.token.name] if block.token.op.type != "Const" else []
        runs += [step(self.feeds, fetches, [end.name]), step(self.other_feeds, fetches + token, [end.name])]
        if not self.states:
            runs += [step(self.feeds, [f]) for f in fetches]
        if gradients:
            runs += [step(self.feeds, gradients, [end.name] if self.states else []), step(self.other_feeds, fetches + gradients, [end.name])]
        runs.append(step(self.feeds, [], [end.name]))
        if self.reads:
            runs.append(step({}, self.reads))
        return Case(name, v1.get_default_graph().as_graph_def().SerializeToString(), runs, [], 1e-5, ends_at_errors=bool(self.states))


def make(seed, size=1):
    """The program of a seed, of |size| times as many statements; one that TensorFlow's Python does not build is made
    anew."""
    for attempt in range(9):
        flow = Flow(seed + attempt / 10, size)
        (v1.enable_control_flow_v2 if flow.new_flow else v1.disable_control_flow_v2)()
        try:
            with tf.Graph().as_default():
                return flow.case("flow %d" % seed if size == 1 else "flow %d of size %d" % (seed, size))
        except UNBUILT:
            if attempt == 8:
                raise
