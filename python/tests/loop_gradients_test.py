"""Gradients asked for while a loop is being made, compared with the same computation written out."""
import unittest

import numpy as np
import tensorflow as tf

POINTS = np.random.RandomState(0).randn(3, 4, 2).astype(np.float32)
VALUES = np.random.RandomState(1).randn(3, 4, 1).astype(np.float32)


class LoopGradients(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.w, self.b = tf.Variable([[.5], [1.]]), tf.Variable([.1])

    def compare(self, task):
        """task(x, y) mapped by a loop, and called for each element: values and gradients."""
        x, y = tf.constant(POINTS), tf.constant(VALUES)
        mapped = tf.map_fn(lambda pair: task(*pair), (x, y), dtype=tf.float32)
        plain = tf.stack([task(x[i], y[i]) for i in range(3)])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            left, right = session.run([mapped, plain])
            np.testing.assert_allclose(left, right, rtol=1e-5)
            left, right = session.run([tf.gradients(what, [self.w, self.b]) for what in (mapped, plain)])
        for one, other in zip(left, right):
            self.assertGreater(np.abs(other).max(), 1e-3)
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)

    def loss(self, x, y, weights, act=tf.tanh):
        return tf.reduce_mean(tf.square(act(tf.matmul(x, weights[0]) + weights[1]) - y))

    def adapted(self, x, y, act=tf.tanh):
        """The loss after two steps of descent, each by a gradient."""
        weights = [self.w, self.b]
        for _ in range(2):
            weights = [v - .1 * g for v, g in zip(weights, tf.gradients(self.loss(x, y, weights, act), weights))]
        return self.loss(x, y, weights, act)

    def test_second_order(self):
        self.compare(self.adapted)

    def test_cond(self):
        self.compare(lambda x, y: self.adapted(x, y, lambda h: tf.cond(h[0, 0] > 0, lambda: tf.tanh(h), lambda: h * h * self.b)))

    def test_loop_within(self):
        def act(h):
            return tf.while_loop(lambda i, _: i < 2, lambda i, h: (i + 1, tf.tanh(h * self.b + h)), [0, h])[1]

        def task(x, y):
            grad = tf.gradients(self.loss(x, y, [self.w, self.b], act), self.w)[0]
            return tf.reduce_sum(grad * grad)
        x, y = tf.constant(POINTS), tf.constant(VALUES)
        mapped = tf.map_fn(lambda pair: task(*pair), (x, y), dtype=tf.float32, parallel_iterations=3)
        plain = tf.stack([task(x[i], y[i]) for i in range(3)])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(5):
                np.testing.assert_allclose(*session.run([mapped, plain]), rtol=1e-5)

    def test_from_outside(self):
        x = tf.constant([1., 2., 3.])
        cubes = x ** 3
        _, rows = tf.while_loop(lambda j, _: j < 3, lambda j, rows: (j + 1, rows.write(j, tf.gradients(cubes[j], x)[0])),
                                [0, tf.TensorArray(tf.float32, 3)])
        hessian = tf.hessians(tf.reduce_sum(x ** 3) * tf.reduce_sum(x), x)[0]
        with tf.Session() as session:
            np.testing.assert_allclose(session.run(rows.stack()), np.diag([3., 12., 27.]), rtol=1e-6)
            np.testing.assert_allclose(session.run(hessian), [[42, 15, 30], [15, 96, 39], [30, 39, 162]], rtol=1e-5)

    def test_embedding(self):
        table = tf.Variable(np.arange(12.).reshape(4, 3).astype(np.float32))
        rows = tf.map_fn(lambda i: tf.convert_to_tensor(tf.gradients(tf.reduce_sum(tf.gather(table, [i, i]) ** 2), table)[0]),
                         tf.constant([1, 3]), dtype=tf.float32)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            got = session.run(rows)
        want = np.zeros((2, 4, 3))
        want[0, 1], want[1, 3] = [12, 16, 20], [36, 40, 44]
        np.testing.assert_allclose(got, want)


if __name__ == '__main__':
    unittest.main()
