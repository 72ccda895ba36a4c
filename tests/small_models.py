"""Small training graphs of our own, for machines without the reference workloads.

Each builder returns (feeds, train_op, loss) as a TensorFlow 1.x program makes them.
"""
import numpy as np

from graphs import tf

v1 = tf.compat.v1


def _feeds(**arrays):
    return {v1.placeholder(a.dtype, a.shape, name=n): a for n, a in arrays.items()}


def _variable(name, shape, stddev=0.3):
    return v1.get_variable(name, shape, initializer=v1.truncated_normal_initializer(
        stddev=stddev, seed=3), use_resource=False)


def perceptron():
    """Two dense layers and momentum."""
    r = np.random.RandomState(1)
    feeds = _feeds(x=r.randn(32, 20).astype("f"), y=r.randint(0, 5, 32).astype("i"))
    x, y = feeds
    h = tf.nn.relu(tf.matmul(x, _variable("w1", [20, 16])) + _variable("b1", [16]))
    logits = tf.nn.bias_add(tf.matmul(h, _variable("w2", [16, 5])), _variable("b2", [5]))
    loss = tf.reduce_mean(v1.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return feeds, v1.train.MomentumOptimizer(0.1, 0.9).minimize(loss), loss


def convolutions():
    """Convolution, pooling, batch normalisation and Adam."""
    r = np.random.RandomState(2)
    feeds = _feeds(x=r.rand(8, 12, 12, 3).astype("f"), y=r.randint(0, 4, 8).astype("i"))
    x, y = feeds
    c = v1.nn.conv2d(x, _variable("k1", [3, 3, 3, 8]), strides=[1, 1, 1, 1], padding="SAME")
    mean, variance = tf.nn.moments(c, [0, 1, 2])
    c = tf.nn.relu(tf.nn.batch_normalization(c, mean, variance, None, None, 1e-3))
    p = v1.nn.max_pool(c, [1, 2, 2, 1], [1, 2, 2, 1], "VALID")
    c = tf.nn.tanh(v1.nn.conv2d(p, _variable("k2", [3, 3, 8, 8]), strides=[1, 2, 2, 1],
                                padding="SAME"))
    logits = tf.matmul(tf.reshape(c, [8, 72]), _variable("w", [72, 4]))
    loss = tf.reduce_mean(v1.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    return feeds, v1.train.AdamOptimizer(0.01).minimize(loss), loss


def recurrence():
    """A recurrence in a while loop, embeddings with sparse updates, clipped gradients, Adagrad."""
    r = np.random.RandomState(3)
    feeds = _feeds(ids=r.randint(0, 30, [6, 7]).astype("i"), y=r.rand(6, 10).astype("f"))
    ids, y = feeds
    steps = tf.unstack(tf.nn.embedding_lookup(_variable("e", [30, 10]), ids), axis=1)
    inputs = tf.stack(steps)
    w = _variable("w", [20, 10])
    _, h = v1.while_loop(
        lambda t, h: t < 7,
        lambda t, h: (t + 1, tf.tanh(tf.matmul(tf.concat([inputs[t], h], 1), w))),
        [tf.constant(0), tf.zeros([6, 10])])
    loss = tf.reduce_mean(tf.square(h - y))
    opt = v1.train.AdagradOptimizer(0.1)
    pairs = opt.compute_gradients(loss)
    clipped, _ = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)
    return feeds, opt.apply_gradients(zip(clipped, [v for _, v in pairs])), loss


# ---- the built-in models, for tests/models_test.py where the reference workloads are not ---------

def _digits(batch, shape):
    r = np.random.RandomState(0)
    x = r.rand(batch, *shape).astype("f")
    return _feeds(x=x, y=r.randint(0, 10, batch).astype("i"))


def _drawn(name, shape, stddev=0.05, seed=1, kind=v1.truncated_normal_initializer):
    return v1.get_variable(name, shape, initializer=kind(stddev=stddev, seed=seed),
                           use_resource=False)


def _layer(x, name, shape, op):
    w = _drawn(name + "/w", shape)
    b = v1.get_variable(name + "/b", shape[-1:], initializer=v1.constant_initializer(0.1),
                        use_resource=False)
    return tf.nn.bias_add(op(x, w), b)


def _minimize(loss, optimizer):
    step = v1.train.get_or_create_global_step()
    return optimizer.minimize(loss, global_step=step)


def _classify(logits, y):
    return tf.reduce_mean(v1.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))


def logreg(batch=100):
    feeds = _digits(batch, [784])
    x, y = feeds
    w = _drawn("w", [784, 10], 1.0, 1, v1.random_normal_initializer)
    b = _drawn("b", [10], 1.0, 2, v1.random_normal_initializer)
    loss = _classify(tf.matmul(x, w) + b, y)
    return feeds, _minimize(loss, v1.train.GradientDescentOptimizer(0.01)), loss


def mnist_cnn(batch=100):
    feeds = _digits(batch, [28, 28, 1])
    x, y = feeds
    h = x
    for name, shape in (("c1", [5, 5, 1, 32]), ("c2", [5, 5, 32, 64])):
        h = tf.nn.relu(_layer(h, name, shape, lambda a, w: tf.nn.conv2d(a, w, 1, "SAME")))
        h = v1.nn.max_pool(h, 2, 2, "SAME")
    h = tf.nn.relu(_layer(tf.reshape(h, [batch, 3136]), "d1", [3136, 1024], tf.matmul))
    h = v1.nn.dropout(h, rate=0.4, seed=3)
    loss = _classify(_layer(h, "out", [1024, 10], tf.matmul), y)
    return feeds, _minimize(loss, v1.train.AdamOptimizer(1e-3)), loss


def autoencoder(batch=128, large=False):
    feeds = _digits(batch, [784])
    x = h = next(iter(feeds))
    widths = [784, 512, 256, 512] if large else [784, 200]
    for i, shape in enumerate(zip(widths, widths[1:])):
        h = tf.nn.softplus(_layer(h, "h%d" % i, list(shape), tf.matmul))
    out = _layer(h, "out", [widths[-1], 784], tf.matmul)
    loss = 0.5 * tf.reduce_sum(tf.square(out - x))
    return {x: feeds[x]}, _minimize(loss, v1.train.AdamOptimizer(1e-3)), loss


ALL = {f.__name__: f for f in (perceptron, convolutions, recurrence)}
