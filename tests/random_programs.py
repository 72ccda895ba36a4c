"""Training programs from a seed, as TensorFlow 1.x users write them: networks, losses, optimisers, steps.

    case = random_programs.make(17)

TensorFlow's Python builds them, gradients included, so that passes meet the graphs of real programs: layers that
share weights, losses in several spellings, control flow with its gradients, sparse updates, data pipelines. A step
trains and fetches; others evaluate, feed an edge in the middle, change the batch; the last reads the variables.
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
FLOATS = {tf.float32: 1e-3, tf.float64: 1e-6}  # type: how far values may differ after some steps


class Program:
    """What is built so far. Layers take and give a [batch, width] value, but for the first ones."""

    def __init__(self, seed):
        self.r, self.n = random.Random(seed), np.random.RandomState(seed)
        self.batch = self.r.choice([1, 2, 3, 5, 8])
        self.dtype = self.r.choice([tf.float32] * 9 + [tf.float64])
        self.new_flow = self.r.random() < 0.3  # conditionals and loops as functions, which want resources
        self.resource = self.new_flow or self.r.random() < 0.5
        self.feeds, self.setup, self.inner, self.other, self.penalties = {}, [], [], [], []
        self.open_batch = self.r.random() < 0.6
        self.keep = None
        self.count = 0

    # ---- parts ----

    def chance(self, part):
        return self.r.random() < part

    def numbers(self, *shape):
        return (self.n.uniform(-1, 1, shape) * 0.5).astype(self.dtype.as_numpy_dtype)

    def name(self, what):
        self.count += 1
        return "%s%d" % (what, self.count)

    def placeholder(self, value, name):
        shape = list(value.shape)
        if shape and shape[0] == self.batch and self.open_batch:
            shape[0] = None
        x = v1.placeholder(tf.as_dtype(value.dtype), None if self.chance(0.03) else shape, name)
        x.set_shape(shape)
        self.feeds[x.name] = value
        return x

    def variable(self, *shape, value=None, trainable=True):
        value = self.numbers(*shape) if value is None else value
        if self.chance(0.2):
            initial = v1.random_uniform_initializer(-0.5, 0.5, seed=self.n.randint(1, 99), dtype=self.dtype)
            return v1.get_variable(self.name("w"), shape, self.dtype, initial, use_resource=self.resource,
                                   trainable=trainable)
        if len(shape) == 2 and shape[0] > 3 and self.chance(0.1):
            parts = v1.get_variable(self.name("w"), shape, self.dtype, v1.zeros_initializer(),
                                    partitioner=v1.fixed_size_partitioner(2), use_resource=self.resource)
            return tf.convert_to_tensor(parts) + tf.constant(value)
        return v1.get_variable(self.name("w"), initializer=value, use_resource=self.resource, trainable=trainable)

    def act(self, x):
        kinds = [tf.nn.relu, tf.tanh, tf.sigmoid, tf.nn.elu, tf.nn.softplus, tf.nn.leaky_relu, tf.nn.relu6, tf.nn.swish,
                 tf.nn.selu, lambda x: x, lambda x: x * tf.sigmoid(x), lambda x: tf.maximum(x, 0.1 * x),
                 lambda x: 0.5 * x * (1 + tf.tanh(0.8 * (x + 0.04 * x ** 3))), lambda x: tf.square(x) - x,
                 lambda x: tf.where(x > 0.05, x, tf.zeros_like(x)), tf.stop_gradient, tf.nn.softsign]
        return self.r.choice(kinds)(x)

    def matmul(self, x, w):
        if self.chance(0.15):
            return tf.transpose(tf.matmul(w, x, transpose_a=True, transpose_b=True))
        return tf.matmul(x, w)

    def width(self, x):
        return int(x.shape[-1])

    # ---- layers of [batch, width] ----

    def dense(self, x):
        n = self.r.choice([1, 2, 4, 7, 16, 33])
        y, bias = self.matmul(x, self.variable(self.width(x), n)), self.variable(n)
        y = self.r.choice([lambda: tf.nn.bias_add(y, bias), lambda: y + bias, lambda: v1.nn.xw_plus_b(
            x, self.variable(self.width(x), n), bias), lambda: y])()
        return self.act(y)

    def shared(self, x):
        """One weight twice."""
        w = self.variable(self.width(x), self.width(x))
        h = self.act(self.matmul(x, w))
        return self.act(tf.matmul(h, w, transpose_b=self.chance(0.5)))

    def residual(self, x):
        h = self.act(self.matmul(x, self.variable(self.width(x), self.width(x))))
        return self.r.choice([lambda: x + h, lambda: tf.add_n([x, h, x]), lambda: h - x, lambda: x * h])()

    def highway(self, x):
        gate = tf.sigmoid(self.matmul(x, self.variable(self.width(x), self.width(x))) - 1.0)
        return gate * self.residual(x) + (1 - gate) * x

    def branches(self, x):
        parts = [self.dense(x) for _ in range(self.r.randint(2, 3))]
        y = tf.concat(parts, 1)
        if self.chance(0.3):
            sizes = [self.width(p) for p in parts]
            y = tf.concat(tf.split(y, sizes, 1)[::-1], 1)
        return y

    def dropout(self, x):
        if self.keep is None:
            self.keep = self.placeholder(np.asarray(0.7, self.dtype.as_numpy_dtype), "keep")
        seed = int(self.n.randint(1, 999))
        kinds = [lambda: v1.nn.dropout(x, self.keep, seed=seed), lambda: tf.nn.dropout(x, 0.3, seed=seed),
                 lambda: x * tf.cast(tf.random.uniform(tf.shape(x), seed=seed, dtype=self.dtype) < 0.5, self.dtype) / 0.5,
                 lambda: v1.nn.dropout(x, 0.6, noise_shape=[tf.shape(x)[0], 1], seed=seed)]
        return self.r.choice(kinds)()

    def normalised(self, x):
        axes = self.r.choice([[0], [1]])
        mean, variance = tf.nn.moments(x, axes, keepdims=axes == [1])
        n = self.width(x)
        scale, offset = self.variable(n), self.variable(n)
        if axes == [0] and self.chance(0.5):
            moving = self.variable(n, value=np.zeros(n, self.dtype.as_numpy_dtype), trainable=False)
            self.other.append(v1.assign(moving, moving * 0.9 + mean * 0.1))
        return tf.nn.batch_normalization(x, mean, variance + 0.1, offset, self.r.choice([scale, None]), 1e-3)

    def attention(self, x):
        n, heads = self.width(x), 2
        q, k, v = (tf.reshape(self.matmul(x, self.variable(n, heads * 3)), [-1, heads, 3]) for _ in range(3))
        scores = tf.matmul(q, k, transpose_b=True) / np.sqrt(3).astype(self.dtype.as_numpy_dtype)
        return tf.reshape(tf.matmul(tf.nn.softmax(scores), v), [-1, heads * 3])

    def arrays(self, x):
        """Slices, tiles, reductions and so on that give back [batch, width]."""
        n = self.width(x)
        kinds = [lambda: tf.reverse(x, [1]), lambda: x[:, :(n + 1) // 2], lambda: tf.tile(x, [1, 2]), lambda: tf.pad(x, [[0, 0], [1, 0]]),
                 lambda: x - tf.reduce_mean(x, 1, keepdims=True), lambda: tf.gather(x, [0, n - 1, 0], axis=1),
                 lambda: tf.nn.l2_normalize(x + 1.5, 1), lambda: tf.cumsum(x, 1), lambda: tf.expand_dims(x, 1)[:, 0],
                 lambda: tf.reshape(tf.transpose(tf.reshape(x, [-1, 1, n]), [0, 2, 1]), [-1, n]), lambda: tf.stack(tf.unstack(x, axis=1), 1),
                 lambda: tf.clip_by_value(x, -0.7, 0.9), lambda: tf.nn.softmax(x), lambda: tf.nn.log_softmax(x),
                 lambda: tf.einsum("bi,ij->bj", x, self.variable(n, 3)), lambda: tf.exp(-tf.abs(x)), lambda: tf.sqrt(tf.abs(x) + 0.1),
                 lambda: tf.math.divide(x, tf.reduce_sum(tf.abs(x), 1, keepdims=True) + 1.0), lambda: tf.cast(tf.cast(x, tf.float64), self.dtype),
                 lambda: tf.identity(x) + 0, lambda: x * 1.0, lambda: tf.transpose(tf.transpose(x)), lambda: tf.ensure_shape(x, [None, n]),
                 lambda: v1.Print(x, [], "") if self.chance(0.1) else tf.identity(x)]
        return self.r.choice(kinds)()

    def branch(self, x):
        """tf.cond, on data or on what is fed."""
        test = tf.reduce_sum(x) > 0 if self.chance(0.5) else self.placeholder(np.asarray(self.chance(0.5)), self.name("flag"))
        w = self.variable(self.width(x), self.width(x))
        return v1.cond(test, lambda: self.act(tf.matmul(x, w)), lambda: self.r.choice([x * 2, x, tf.tanh(x)]))

    def loop(self, x):
        """tf.while_loop with an invariant, with or without arrays of what it saw."""
        w, n = self.variable(self.width(x), self.width(x)), self.r.randint(0, 4)
        kinds = ["plain", "plain", "array", "nested"]
        kind = self.r.choice(kinds)
        if kind == "array":
            array = tf.TensorArray(self.dtype, max(n, 1), element_shape=x.shape)
            _, _, array = v1.while_loop(lambda i, h, a: i < max(n, 1), lambda i, h, a: (
                i + 1, tf.tanh(tf.matmul(h, w)), a.write(i, h)), [0, x, array])
            return tf.reduce_sum(array.stack(), 0)
        inner = lambda h: v1.while_loop(lambda j, g: j < 2, lambda j, g: (j + 1, tf.tanh(g + x)), [0, h])[1]
        step = lambda h: tf.tanh(tf.matmul(h, w)) if kind == "plain" else inner(tf.matmul(h, w))
        return v1.while_loop(lambda i, h: i < n, lambda i, h: (i + 1, step(h)), [0, x],
                             swap_memory=self.chance(0.2), parallel_iterations=self.r.choice([1, 10]))[1]

    def function(self, x):
        """A tf.function, whose loops and branches are functions too."""
        w = self.variable(self.width(x), self.width(x))
        count = self.r.randint(1, 3)

        def body(x, w):
            for _ in tf.range(count):
                x = tf.tanh(tf.matmul(x, w))
            if tf.reduce_sum(x) > 0:
                x = x * 2.0
            return x
        return tf.function(body)(x, tf.identity(w))

    def map(self, x):
        return tf.map_fn(lambda row: tf.tanh(row) * tf.reduce_sum(row), x) if self.chance(0.5) else tf.scan(
            lambda a, row: tf.tanh(a + row), x)

    def words(self, x):
        """Values to text, and back, where texts of both libraries are the same."""
        whole = tf.cast(tf.clip_by_value(tf.round(x * 4), -9, 9), tf.int32)
        text = tf.strings.join([tf.strings.as_string(whole), tf.constant(".5")])
        return tf.concat([x, tf.cast(tf.strings.to_number(text), self.dtype)], 1)

    def sparse(self, x):
        """The largest elements as a SparseTensor, times a matrix."""
        n = self.width(x)
        where = tf.where(tf.abs(x) > 0.2)
        wide = tf.SparseTensor(where, tf.gather_nd(x, where), tf.cast(tf.shape(x), tf.int64))
        return tf.concat([tf.sparse.sparse_dense_matmul(wide, self.variable(n, 3)), x], 1)

    LAYERS = [("dense", 10), ("shared", 2), ("residual", 3), ("highway", 1), ("branches", 2), ("dropout", 3), ("normalised", 3),
              ("attention", 1), ("arrays", 8), ("branch", 2), ("loop", 2), ("function", 1), ("map", 1), ("words", 0.5), ("sparse", 0.5)]

    # ---- what the first layer sees ----

    def flat(self):
        return self.placeholder(self.numbers(self.batch, self.r.choice([1, 3, 8, 20])), "x")

    def image(self):
        side, depth = self.r.choice([4, 6, 9]), self.r.choice([1, 3])
        x = self.placeholder(self.numbers(self.batch, side, side, depth), "x")
        if self.chance(0.2):
            x = tf.transpose(tf.transpose(x, [0, 3, 1, 2]), [0, 2, 3, 1])
        for _ in range(self.r.randint(1, 3)):
            x = getattr(self, self.r.choice(["conv", "conv", "pool", "norm2d", "depthwise", "inception"]))(x)
        width = int(np.prod(x.shape[1:]))
        return tf.reshape(x, [-1, width]) if self.chance(0.7) else tf.reduce_mean(x, [1, 2])

    def conv(self, x):
        k, n = self.r.choice([1, 2, 3]), self.r.choice([1, 4, 8])
        k = min(k, int(x.shape[1]))
        y = v1.nn.conv2d(x, self.variable(k, k, int(x.shape[3]), n), [1, 1, 1, 1] if self.chance(0.7) else [1, 2, 2, 1],
                         self.r.choice(["SAME", "VALID"]))
        return self.act(tf.nn.bias_add(y, self.variable(n)) if self.chance(0.6) else y)

    def depthwise(self, x):
        return tf.nn.depthwise_conv2d(x, self.variable(2, 2, int(x.shape[3]), 2), [1, 1, 1, 1], "SAME")

    def pool(self, x):
        pool = self.r.choice([v1.nn.max_pool, v1.nn.avg_pool])
        return pool(x, [1, 2, 2, 1], [1, 2, 2, 1] if self.chance(0.6) else [1, 1, 1, 1], "SAME")

    def norm2d(self, x):
        n = int(x.shape[3])
        if self.chance(0.3) or self.dtype != tf.float32:
            mean, variance = tf.nn.moments(x, [0, 1, 2])
            return tf.nn.batch_normalization(x, mean, variance, self.variable(n), self.variable(n), 1e-1)
        scale, offset = self.variable(n), self.variable(n)
        if self.chance(0.5):
            return v1.nn.fused_batch_norm(x, scale, offset, epsilon=0.1)[0]
        return v1.nn.fused_batch_norm(x, scale, offset, self.numbers(n), np.abs(self.numbers(n)) + 0.5, epsilon=0.1,
                                      is_training=False)[0]

    def inception(self, x):
        parts = [v1.nn.conv2d(x, self.variable(k, k, int(x.shape[3]), 3), [1, 1, 1, 1], "SAME") for k in (1, 3)]
        return tf.nn.relu(tf.concat(parts + [v1.nn.max_pool(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME")], 3))

    def tokens(self):
        ids = self.n.randint(0, 9, (self.batch, self.r.choice([1, 3, 5]))).astype(np.int32)
        x = tf.nn.embedding_lookup(self.variable(9, 4), self.placeholder(ids, "ids"))
        kind = self.r.choice(["mean", "lstm", "gru", "rnn", "conv1d"])
        if kind == "mean":
            return tf.reduce_mean(x, 1)
        if kind == "conv1d":
            return tf.reduce_max(tf.nn.conv1d(x, self.variable(2, 4, 5), 1, "SAME"), 1)
        return self.recurrent(x, kind)

    def recurrent(self, x, kind):
        """Unrolled, or in a loop over an array."""
        n = 3
        gates = {"lstm": 4, "gru": 2, "rnn": 1}[kind]
        w, b, c = self.variable(4 + n, gates * n), self.variable(gates * n), self.variable(4 + n, n)

        def cell(x, state):
            h = state[0]
            z = tf.nn.bias_add(tf.matmul(tf.concat([x, h], 1), w), b)
            if kind == "rnn":
                return [tf.tanh(z)] * 2
            if kind == "gru":
                r, u = tf.split(tf.sigmoid(z), 2, 1)
                return [u * h + (1 - u) * tf.tanh(tf.matmul(tf.concat([x, r * h], 1), c))] * 2
            i, j, f, o = tf.split(z, 4, 1)
            memory = state[1] * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
            return [tf.tanh(memory) * tf.sigmoid(o), memory]
        zero = tf.zeros([tf.shape(x)[0], n], self.dtype)
        state = [zero, zero]
        if self.chance(0.5):
            for part in tf.unstack(x, axis=1):
                state = cell(part, state)
            return state[0]
        array = tf.TensorArray(self.dtype, int(x.shape[1])).unstack(tf.transpose(x, [1, 0, 2]))
        shape = tf.TensorShape([None, n])
        return v1.while_loop(lambda t, h, m: t < int(x.shape[1]), lambda t, h, m: (t + 1, *cell(array.read(t), [h, m])),
                             [0, *state], [tf.TensorShape([]), shape, shape])[1]

    def pipeline(self):
        """A tf.data pipeline that feeds the network itself."""
        rows = self.numbers(24, 4)
        data = tf.data.Dataset.from_tensor_slices(rows)
        for _ in range(self.r.randint(0, 4)):
            data = self.r.choice([
                lambda d: d.map(lambda x: x * 2 + 1, num_parallel_calls=self.r.choice([None, 2])), lambda d: d.skip(1), lambda d: d.take(20),
                lambda d: d.shuffle(5, seed=3), lambda d: d.filter(lambda x: tf.reduce_sum(x) > -5), lambda d: d.prefetch(2),
                lambda d: d.concatenate(d), lambda d: d.cache(), lambda d: tf.data.Dataset.zip((d, d)).map(lambda a, b: a - b * 0.5),
                lambda d: d.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2),
                lambda d: d.scan(tf.zeros([4], self.dtype), lambda s, x: (s * 0.5 + x, s)) if hasattr(d, "scan") else d])(data)
        data = data.repeat().batch(self.batch, drop_remainder=self.chance(0.5))
        if self.chance(0.5):
            iterator = v1.data.make_initializable_iterator(data)
            self.setup.append(iterator.initializer.name)
            return tf.reshape(iterator.get_next(), [-1, 4])
        return tf.reshape(v1.data.make_one_shot_iterator(data).get_next(), [-1, 4])

    INPUTS = [("flat", 4), ("image", 3), ("tokens", 3), ("pipeline", 1)]

    # ---- the end ----

    def loss(self, x):
        kind = self.r.choice(["sparse", "soft", "soft", "sigmoid", "square", "hand", "hinge", "masked"])
        classes = self.r.choice([2, 3, 10])
        logits = tf.nn.bias_add(tf.matmul(x, self.variable(self.width(x), classes)), self.variable(classes))
        self.inner.append(logits)
        labels = self.n.randint(0, classes, self.batch).astype(np.int32)
        y = self.placeholder(labels, "y")
        hot = tf.one_hot(y, classes, dtype=self.dtype)
        self.inner.append(tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1, output_type=tf.int32), y), self.dtype)))
        rows = {
            "sparse": lambda: v1.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits),
            "soft": lambda: self.r.choice([tf.nn.softmax_cross_entropy_with_logits, v1.nn.softmax_cross_entropy_with_logits])(
                labels=hot * 0.9 + 0.01, logits=logits),
            "sigmoid": lambda: tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=hot, logits=logits), 1),
            "square": lambda: tf.reduce_sum(v1.squared_difference(logits, hot), 1),
            "hand": lambda: -tf.reduce_sum(hot * tf.math.log(tf.clip_by_value(tf.nn.softmax(logits), 1e-6, 1.0)), 1),
            "hinge": lambda: tf.reduce_sum(tf.maximum(0.3 - (2 * hot - 1) * logits, 0), 1),
            "masked": lambda: v1.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits) * tf.cast(y > 0, self.dtype),
        }[kind]()
        loss = self.r.choice([tf.reduce_mean, tf.reduce_mean, tf.reduce_sum, lambda v: tf.reduce_mean(v) * 1.0])(rows)
        if self.chance(0.3) and self.resource:  # what reads a reference while it is trained may see either value
            decay = [tf.nn.l2_loss(v) * 1e-2 for v in v1.trainable_variables()]
            loss = tf.add_n([loss] + decay) if self.chance(0.5) else loss + sum(decay)
        return loss

    def rate(self, step):
        if self.chance(0.5):
            return 0.05
        if self.chance(0.5):
            return tf.cast(v1.train.exponential_decay(0.05, step, 2, 0.5, staircase=self.chance(0.5)), self.dtype)
        return self.placeholder(np.asarray(0.03, self.dtype.as_numpy_dtype), "rate")

    def optimizer(self, step):
        train, rate = v1.train, self.rate(step)
        if self.dtype == tf.float32 and self.chance(0.1):
            return train.ProximalGradientDescentOptimizer(rate)
        return self.r.choice([
            lambda: train.GradientDescentOptimizer(rate), lambda: train.MomentumOptimizer(rate, 0.9),
            lambda: train.MomentumOptimizer(rate, 0.8, use_nesterov=True), lambda: train.AdamOptimizer(rate, epsilon=1e-2),
            lambda: train.AdagradOptimizer(rate, 0.5), lambda: train.RMSPropOptimizer(rate, epsilon=1e-1),
            lambda: train.RMSPropOptimizer(rate, momentum=0.5, centered=True, epsilon=1e-1), lambda: train.AdadeltaOptimizer(1.0, epsilon=1e-2),
            lambda: train.FtrlOptimizer(rate, l1_regularization_strength=0.01)])()

    def train(self, loss):
        step = v1.train.get_or_create_global_step()
        optimizer, variables = self.optimizer(step), v1.trainable_variables()
        pairs = [(g, v) for g, v in optimizer.compute_gradients(loss, variables) if g is not None]
        if not pairs:
            return tf.no_op()
        if self.chance(0.3):
            clipped, _ = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)
            pairs = list(zip(clipped, [v for _, v in pairs]))
        elif self.chance(0.2):
            pairs = [(tf.clip_by_norm(g, 0.5) if isinstance(g, tf.Tensor) else g, v) for g, v in pairs]
        dense = [g for g, _ in pairs if isinstance(g, tf.Tensor)]
        self.inner += dense[:1]
        train = optimizer.apply_gradients(pairs, step)
        if self.resource and self.chance(0.2):  # an average may see a reference before or after its update
            average = v1.train.ExponentialMovingAverage(0.9, step if self.chance(0.5) else None)
            with tf.control_dependencies([train]):
                train = average.apply(variables)
        return train

    def case(self, name):
        x = getattr(self, self.r.choices(*zip(*self.INPUTS))[0])()
        for layer in self.r.choices(*zip(*self.LAYERS), k=self.r.randint(1, 6)):
            x = getattr(self, layer)(x)
            self.inner.append(x)
        loss = self.loss(x)
        targets = [op.name for op in [self.train(loss), *self.other]]
        if self.chance(0.3):
            for k, value in enumerate(self.inner[-3:]):
                v1.summary.histogram("h%d" % k, value)
            v1.summary.scalar("loss", loss)
            targets.append(v1.summary.merge_all().op.name)
        return self.finished(name, loss, [t.split(":")[0] for t in targets])

    def finished(self, name, loss, targets):
        reads = [v.read_value().name for v in v1.global_variables()]
        init = v1.global_variables_initializer().name
        feeds = {k: Value(v) for k, v in self.feeds.items()}
        inner = [t for t in self.inner if t.name not in feeds]
        fetch = [t.name for t in self.r.sample(inner, min(3, len(inner)))]
        step = lambda f, fetches, to=(): {"feeds": f, "fetches": fetches, "targets": list(to)}
        train = step(feeds, [loss.name] + fetch, targets)
        runs = [step({}, [], [init] + self.setup), train, train, step(feeds, [loss.name] + fetch), train]
        logits = self.inner[-3 if len(self.inner) > 3 else 0]
        if logits.shape.is_fully_defined() and logits.dtype == self.dtype and self.chance(0.3):
            fed = {**feeds, logits.name: Value(self.numbers(*logits.shape.as_list()))}
            runs.append(step(fed, [loss.name]))
        graph = v1.get_default_graph().as_graph_def().SerializeToString()
        return Case(name, graph, runs + [step({}, reads)], [], 1e-5 if self.dtype == tf.float32 else 1e-9, FLOATS[self.dtype],
                    may_diverge=True)


def make(seed):
    program = Program(seed)
    (v1.enable_control_flow_v2 if program.new_flow else v1.disable_control_flow_v2)()
    with tf.Graph().as_default():
        return program.case("program %d" % seed)
