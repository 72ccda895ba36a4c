"""Losses, layers and metrics: values against NumPy, names against those of TensorFlow 1.15."""
import unittest

import numpy as np
import tensorflow as tf

A = np.array([[.1, .7, .3], [.9, .2, .6]], np.float32)
B = np.array([[0, 1, 1], [1, 0, 0]], np.float32)


class Base(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def value(self, fetches, feeds=None):
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            return session.run(fetches, feeds)

    def close(self, fetch, expected):
        np.testing.assert_allclose(self.value(fetch), expected, rtol=1e-4, atol=1e-6)


class Derived(Base):
    def test_attributes_of_a_program_are_its_own(self):
        class Cell(tf.nn.rnn_cell.RNNCell):
            state_size = output_size = 3

            def __init__(self):
                super().__init__()
                self._weights = self._graph = self._inputs = self._outputs = self._open = self._within = None

            def call(self, inputs, state):
                self._weights = tf.get_variable('w', [3, 3], initializer=tf.ones_initializer())
                self._inputs = tf.matmul(inputs, self._weights) + state
                return self._inputs, self._inputs
        outputs, _ = tf.nn.dynamic_rnn(Cell(), tf.ones([2, 4, 3]), dtype=tf.float32)
        self.close(outputs, np.cumsum(np.full([2, 4, 3], 3.), 1))

    def test_cells(self):
        cell = tf.contrib.rnn.NASCell(4)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.ones([2, 5, 3]), dtype=tf.float32)
        self.assertEqual([v.shape.as_list() for v in cell.weights], [[4, 32], [3, 32]])
        self.assertTrue(np.isfinite(self.value(outputs)).all())

    def test_outputs_have_the_type_of_the_state(self):
        cell = tf.contrib.rnn.EmbeddingWrapper(tf.nn.rnn_cell.BasicLSTMCell(1), embedding_classes=1, embedding_size=2)
        outputs, _ = tf.nn.dynamic_rnn(cell, tf.zeros([1, 2, 1], tf.int64), sequence_length=[2], dtype=tf.float32)
        self.assertEqual(self.value(outputs).dtype, np.float32)


def log_softmax(x):
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


class Losses(Base):
    def test_values(self):
        size = np.abs(A - B)
        self.close(tf.losses.absolute_difference(B, A), size.mean())
        self.close(tf.losses.mean_squared_error(B, A), (size ** 2).mean())
        self.close(tf.losses.huber_loss(B, A, delta=.5), np.where(size < .5, size ** 2 / 2, .5 * size - .125).mean())
        self.close(tf.losses.log_loss(B, A), -np.where(B > 0, np.log(A), np.log(1 - A)).mean())
        self.close(tf.losses.hinge_loss(B, A), np.maximum(0, 1 - (2 * B - 1) * A).mean())
        self.close(tf.losses.cosine_distance(B, A, axis=1), (1 - (A * B).sum(1)).mean())

    def test_cross_entropy(self):
        p = 1 / (1 + np.exp(-A))
        smooth = B * .8 + .1
        self.close(tf.losses.sigmoid_cross_entropy(B, A, label_smoothing=.2),
                   -(smooth * np.log(p) + (1 - smooth) * np.log(1 - p)).mean())
        hot = np.eye(3, dtype=np.float32)[[2, 0]]
        each = -(hot * log_softmax(A)).sum(1)
        self.close(tf.losses.softmax_cross_entropy(hot, A), each.mean())
        self.close(tf.losses.softmax_cross_entropy(hot, A, label_smoothing=.3),
                   -((hot * .7 + .1) * log_softmax(A)).sum(1).mean())
        self.close(tf.losses.sparse_softmax_cross_entropy([2, 0], A), each.mean())
        self.close(tf.losses.sparse_softmax_cross_entropy([[2], [0]], A, weights=[[1.], [3.]]), (each * [1, 3]).sum() / 2)

    def test_reductions(self):
        w = np.array([[2.], [0.]], np.float32)
        kinds, plain = tf.losses.Reduction, (A - B) ** 2 * w
        for kind, expected in ((kinds.NONE, plain), (kinds.SUM, plain.sum()), (kinds.MEAN, plain.sum() / 6),
                               (kinds.SUM_OVER_BATCH_SIZE, plain.sum() / 6), (kinds.SUM_BY_NONZERO_WEIGHTS, plain.sum() / 3)):
            self.close(tf.losses.mean_squared_error(B, A, w, reduction=kind), expected)
        self.close(tf.losses.mean_squared_error(B, A, 0.), 0)
        with self.assertRaises(ValueError):
            tf.losses.mean_squared_error(B, A, [1., 2.])
        with self.assertRaises(ValueError):
            tf.losses.mean_squared_error(B, A, reduction='x')

    def test_collections(self):
        loss = tf.losses.mean_squared_error(B, A)
        self.assertEqual(loss.name, 'mean_squared_error/value:0')
        tf.losses.add_loss(tf.constant(2.))
        self.assertEqual(len(tf.losses.get_losses()), 2)
        self.close(tf.losses.get_regularization_loss(), 0)
        tf.add_to_collection(tf.GraphKeys.REGULARIZATION_LOSSES, tf.constant(3.))
        self.close(tf.losses.get_total_loss(), ((A - B) ** 2).mean() + 5)
        self.close(tf.losses.get_total_loss(False), ((A - B) ** 2).mean() + 2)


def names(variables):
    return [v.name[:-2] for v in variables]


class Layers(Base):
    def test_names(self):
        x = tf.placeholder(tf.float32, [None, 4])
        self.assertEqual(tf.layers.dense(x, 3, tf.nn.relu).name, 'dense/Relu:0')
        self.assertEqual(tf.layers.dense(x, 3).name, 'dense_1/BiasAdd:0')
        with tf.variable_scope('a'):
            tf.layers.dense(x, 2)
            tf.layers.dense(x, 2, name='fc', use_bias=False)
        with tf.variable_scope('a', reuse=True):
            tf.layers.dense(x, 2)
            tf.layers.dense(x, 2, name='fc', use_bias=False)
        self.assertEqual(names(tf.global_variables()), [
            'dense/kernel', 'dense/bias', 'dense_1/kernel', 'dense_1/bias', 'a/dense/kernel', 'a/dense/bias', 'a/fc/kernel'])

    def test_reuse(self):
        x = tf.ones([2, 4])
        first = tf.layers.dense(x, 3, name='fc')
        again = tf.layers.dense(x, 3, name='fc', reuse=True)
        self.assertEqual(again.name, 'fc_1/BiasAdd:0')
        with self.assertRaises(ValueError):
            tf.layers.dense(x, 3, name='fc')
        with self.assertRaises(ValueError):
            tf.layers.dense(x, 3, name='other', reuse=True)
        with tf.variable_scope('s', reuse=tf.AUTO_REUSE):
            tf.layers.dense(x, 3, name='d')
            tf.layers.dense(x, 3, name='d')
        one, two = self.value([first, again])
        np.testing.assert_array_equal(one, two)
        self.assertEqual(len(tf.trainable_variables()), 4)

    def test_object(self):
        layer = tf.layers.Dense(3, name='fc', trainable=False)
        a, b = layer(tf.ones([2, 4])), layer.apply(tf.zeros([2, 4]))
        self.assertEqual([a.name, b.name, layer.scope_name], ['fc/BiasAdd:0', 'fc/BiasAdd_1:0', 'fc'])
        self.assertEqual(names(layer.weights), ['fc/kernel', 'fc/bias'])
        self.assertEqual([tf.trainable_variables(), layer.trainable_weights, layer.count_params()], [[], [], 15])
        self.assertEqual(tf.layers.Dense(3, name='fc')(tf.ones([2, 4])).name, 'fc_1/BiasAdd:0')

    def test_dense(self):
        x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        start = tf.constant_initializer(2.)
        out = tf.layers.dense(x, 5, kernel_initializer=start, bias_initializer=start)
        self.assertEqual(out.shape.as_list(), [2, 3, 5])
        self.close(out, np.repeat(2 * x.sum(-1, keepdims=True) + 2, 5, -1))
        with tf.variable_scope('s', initializer=tf.ones_initializer()):
            self.close(tf.layers.dense(x[0], 1), x[0].sum(-1, keepdims=True))
        kernel = tf.layers.Dense(300)
        kernel(tf.ones([1, 300]))
        self.assertTrue(.08 < np.abs(self.value(kernel.kernel)).max() <= .1)

    def test_regularizers(self):
        square = lambda v: tf.reduce_sum(v * v)
        for reuse in (None, True):
            tf.layers.dense(tf.ones([2, 3]), 2, kernel_initializer=tf.ones_initializer(), kernel_regularizer=square,
                            name='d', reuse=reuse)
        self.assertEqual(len(tf.losses.get_regularization_losses()), 1)
        self.assertTrue(tf.losses.get_regularization_losses()[0].name.startswith('d/kernel/Regularizer/'))
        tf.layers.dense(tf.ones([2, 3]), 2, kernel_initializer=tf.ones_initializer(), activity_regularizer=square)
        self.close(tf.losses.get_regularization_losses(), [6, 4 * 9 / 2])

    def test_convolution(self):
        x = np.random.RandomState(0).rand(2, 5, 5, 3).astype(np.float32)
        out = tf.layers.conv2d(x, 4, 3, strides=2, padding='same', activation=tf.nn.relu)
        self.assertEqual([out.name, out.shape.as_list()], ['conv2d/Relu:0', [2, 3, 3, 4]])
        kernel = tf.global_variables()[0]
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            got, same = session.run([out, tf.nn.relu(tf.nn.conv2d(x, kernel, [1, 2, 2, 1], 'SAME'))])
        np.testing.assert_allclose(got, same, rtol=1e-5)
        ones = tf.ones_initializer()
        line = tf.layers.conv1d(x[:, :, 0], 2, 3, kernel_initializer=ones)
        sums = x[:, :, 0].sum(-1)
        self.close(line[:, :, 1], sums[:, :-2] + sums[:, 1:-1] + sums[:, 2:])
        up = tf.layers.conv2d_transpose(tf.placeholder_with_default(x, [None, 5, 5, 3]), 2, 3, 2)
        self.assertEqual(up.shape.as_list(), [None, 11, 11, 2])
        self.assertEqual(self.value(up).shape, (2, 11, 11, 2))
        self.assertEqual([(v.name, v.shape.as_list()) for v in tf.global_variables()], [
            ('conv2d/kernel:0', [3, 3, 3, 4]), ('conv2d/bias:0', [4]), ('conv1d/kernel:0', [3, 3, 2]), ('conv1d/bias:0', [2]),
            ('conv2d_transpose/kernel:0', [3, 3, 2, 3]), ('conv2d_transpose/bias:0', [2])])

    def test_pooling(self):
        x = np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1)
        out = tf.layers.max_pooling2d(x, 2, 2)
        self.assertEqual(out.name, 'max_pooling2d/MaxPool:0')
        self.close(out[0, :, :, 0], [[5, 7], [13, 15]])
        self.close(tf.layers.average_pooling2d(x, [2, 2], 2)[0, :, :, 0], [[2.5, 4.5], [10.5, 12.5]])
        self.close(tf.layers.max_pooling1d(x[0], 2, 2)[0, :, 0], [1, 3])
        self.close(tf.layers.average_pooling1d(x[0], 2, 2)[0, :, 0], [.5, 2.5])
        flat = tf.layers.flatten(tf.placeholder_with_default(x, [None, 4, 4, 1]))
        self.assertEqual(flat.shape.as_list(), [None, 16])
        self.assertEqual(self.value(flat).shape, (1, 16))

    def test_dropout(self):
        x, on = tf.ones([100, 10]), tf.placeholder(tf.bool, [])
        out = tf.layers.dropout(x, .5, training=on)
        self.assertEqual(self.value(out, {on: False}).sum(), 1000)
        self.assertEqual(set(np.unique(self.value(out, {on: True}))), {0., 2.})
        self.assertEqual(tf.layers.dropout(x, .5).name, 'dropout_1/Identity:0')

    def normalize(self, x, axes, **kwargs):
        on = tf.placeholder(tf.bool, [])
        out = tf.layers.batch_normalization(x, momentum=.9, training=on, **kwargs)
        updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
        self.assertEqual(len(updates), 2)
        mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            np.testing.assert_allclose(session.run(out, {on: False}), x / np.sqrt(1.001), rtol=1e-3, atol=1e-4)
            session.run(updates, {on: False})
            got, *_ = session.run([out] + updates, {on: True})
            np.testing.assert_allclose(got, (x - mean) / np.sqrt(variance + .001), rtol=1e-3, atol=1e-3)
            moved, spread = session.run(tf.global_variables()[-2:])
        count = x.size // mean.size
        bessel = count / (count - 1) if x.ndim == 4 else 1
        np.testing.assert_allclose(moved, .1 * mean.ravel(), rtol=1e-3, atol=1e-5)
        np.testing.assert_allclose(spread, .9 + .1 * bessel * variance.ravel(), rtol=1e-3)

    def test_batch_normalization(self):
        x = np.random.RandomState(0).rand(6, 4, 5, 3).astype(np.float32)
        self.normalize(x, (0, 1, 2))
        self.assertEqual(names(tf.global_variables()), ['batch_normalization/' + n for n in (
            'gamma', 'beta', 'moving_mean', 'moving_variance')])
        self.assertEqual(names(tf.trainable_variables()), ['batch_normalization/gamma', 'batch_normalization/beta'])
        tf.reset_default_graph()
        self.normalize(x[:, 0, 0], 0)
        tf.reset_default_graph()
        self.normalize(x[:, :, 0], (0, 2), axis=1)
        tf.reset_default_graph()
        tf.layers.batch_normalization(x)
        self.assertEqual(tf.get_collection(tf.GraphKeys.UPDATE_OPS), [])
        tf.layers.batch_normalization(x, training=True, name='bn', scale=False)
        self.assertEqual([u.name for u in tf.get_collection(tf.GraphKeys.UPDATE_OPS)],
                         ['bn/AssignMovingAvg:0', 'bn/AssignMovingAvg_1:0'])

    def test_normalized_types(self):
        on = tf.placeholder_with_default(True, [])
        for kind in (tf.float16, tf.float64):
            for shape in ([4, 3], [4, 2, 2, 3]):
                out = tf.layers.batch_normalization(tf.ones(shape, kind), training=on)
                self.assertEqual(out.dtype, kind)
                self.assertFalse(self.value(out).any())

    def test_resource_updates(self):
        with tf.variable_scope('u', use_resource=True):
            layer = tf.layers.BatchNormalization(momentum=.5)
            layer(np.full([4, 3], 8, np.float32), training=True)
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            step = tf.constant(1) + 1
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            np.testing.assert_allclose(session.run(layer.moving_mean), [4, 4, 4])

    def test_own(self):
        class Scaled(tf.layers.Layer):
            def build(self, shape):
                self.w = self.add_variable('w', [shape[-1].value], initializer=tf.ones_initializer())

            def call(self, inputs):
                return inputs * self.w
        self.close(Scaled()(tf.constant([[1., 2.]])), [[1, 2]])
        self.assertEqual(names(tf.global_variables()), ['scaled/w'])

    def test_training(self):
        tf.set_random_seed(1)
        x = np.random.RandomState(1).rand(64, 8, 8, 1).astype(np.float32)
        y = (x.mean((1, 2, 3)) > .5).astype(np.int64)
        h = tf.layers.batch_normalization(tf.layers.conv2d(x, 4, 3, activation=tf.nn.relu), training=True)
        loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(tf.layers.flatten(h), 2))
        with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
            step = tf.train.AdamOptimizer(.01).minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            first = session.run(loss)
            for _ in range(30):
                session.run(step)
            self.assertLess(session.run(loss), first / 2)


class Metrics(Base):
    def steps(self, metric, batches, *args, **kwargs):
        """The value after all batches, and the update op's last."""
        truth, said = batches
        feeds = tf.placeholder(truth.dtype, [None]), tf.placeholder(said.dtype, [None])
        value, update = metric(*feeds, *args, **kwargs)
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            self.assertEqual(session.run(value), 0)
            for part in (slice(0, 7), slice(7, None)):
                last = session.run(update, dict(zip(feeds, (truth[part], said[part]))))
            self.assertAlmostEqual(float(session.run(value)), float(last), 5)
        return last

    def test_counts(self):
        random = np.random.RandomState(0)
        truth, said = random.randint(0, 2, 20), random.randint(0, 2, 20)
        both = (truth & said).sum()
        for metric, expected in ((tf.metrics.accuracy, (truth == said).mean()), (tf.metrics.precision, both / said.sum()),
                                 (tf.metrics.recall, both / truth.sum()), (tf.metrics.true_positives, both),
                                 (tf.metrics.true_negatives, ((1 - truth) & (1 - said)).sum()),
                                 (tf.metrics.false_positives, ((1 - truth) & said).sum()),
                                 (tf.metrics.false_negatives, (truth & (1 - said)).sum())):
            self.assertAlmostEqual(float(self.steps(metric, (truth, said))), expected, 5)

    def test_errors(self):
        random = np.random.RandomState(0)
        a, b = random.rand(20).astype(np.float32), random.rand(20).astype(np.float32)
        square = ((a - b) ** 2).mean()
        for metric, expected in ((tf.metrics.mean_squared_error, square), (tf.metrics.root_mean_squared_error, square ** .5),
                                 (tf.metrics.mean_absolute_error, np.abs(a - b).mean())):
            self.assertAlmostEqual(float(self.steps(metric, (a, b))), float(expected), 5)

    def test_mean(self):
        value, update = tf.metrics.mean(A, weights=[[1.], [3.]], metrics_collections='m', updates_collections=['u'])
        self.close(update, (A * [[1], [3]]).sum() / 12)
        self.assertEqual([tf.get_collection('m'), tf.get_collection('u')], [[value], [update]])
        self.assertEqual([value.name, update.name], ['mean/value:0', 'mean/update_op:0'])
        self.assertEqual(tf.trainable_variables() + tf.global_variables(), [])

    def test_names(self):
        tf.metrics.accuracy([1], [1])
        tf.metrics.accuracy([1], [1], name='acc')
        tf.metrics.precision([1], [1])
        tf.metrics.auc([1], [.5])
        expected = ['accuracy/total', 'accuracy/count', 'acc/total', 'acc/count', 'precision/true_positives/count',
                    'precision/false_positives/count', 'auc/true_positives', 'auc/false_negatives', 'auc/true_negatives',
                    'auc/false_positives']
        self.assertEqual(names(tf.local_variables()), expected)
        self.assertEqual(names(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)), expected)

    def test_auc(self):
        random = np.random.RandomState(0)
        p = random.rand(20).astype(np.float32)
        truth = random.rand(20) < p
        pairs = (p[truth][:, None] > p[~truth][None]).mean()
        self.close(tf.metrics.auc(truth, p, num_thresholds=2000)[1], pairs)
        # values of TensorFlow 2.21 for these inputs
        self.close(tf.metrics.auc(truth, p)[1], .6767676)
        self.close(tf.metrics.auc(truth, p, curve='PR')[1], .7371153)
        self.close(tf.metrics.auc(truth, p, num_thresholds=10)[1], .6414141)


class NormalizationTest(unittest.TestCase):
    # arguments: the first two values of three steps of training, and of inference after them, from TensorFlow 1.15.5
    AFTER = [({'renorm': True}, [[4.5281, 1.8003], [3.0719, -0.4424], [-0.2035, 0.2998], [-0.5545, -0.3044]]),
             ({'renorm': True, 'renorm_clipping': {'rmax': 1.2, 'rmin': .8, 'dmax': .3}},
              [[1.7027, 0.4082], [2.4291, -0.8504], [-0.2035, 0.2899], [-0.5545, -0.3044]]),
             ({'adjustment': lambda s: (tf.ones([s[0], 1, 1, s[-1]]) * 2, tf.ones([s[0], 1, 1, s[-1]]))},
              [[3.3379, 1.1803], [4.5485, -0.9174], [0.4937, 1.0459], [-0.5230, -0.2873]]),
             ({'virtual_batch_size': 2}, [[0.7913, 0.1059], [1.4176, -0.6148], [-0.3735, 0.1175], [-0.5295, -0.2896]])]

    def test_variants_are_those_of_1_15(self):
        for more, expected in self.AFTER:
            with self.subTest(sorted(more)), tf.Graph().as_default(), tf.Session() as session:
                x, training = tf.placeholder(tf.float32, [4, 2, 2, 3]), tf.placeholder(tf.bool)
                made = tf.layers.batch_normalization(x, training=training, momentum=.9, renorm_momentum=.8, **more)
                updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
                session.run(tf.global_variables_initializer())
                values = [np.random.RandomState(i).randn(4, 2, 2, 3) for i in range(3)]
                found = [session.run([made, updates], {x: value * 2 + 1, training: True})[0] for value in values]
                found.append(session.run(made, {x: values[2], training: False}))
                np.testing.assert_allclose([part.ravel()[:2] for part in found], expected, atol=2e-4)


if __name__ == '__main__':
    unittest.main()
