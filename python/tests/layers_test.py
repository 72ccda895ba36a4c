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


if __name__ == '__main__':
    unittest.main()
