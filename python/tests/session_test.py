"""Sessions: fetches, feeds, errors, threads."""
import collections
import gc
import threading
import unittest

import numpy as np
import tensorflow as tf


class Runs(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def run_one(self, fetches, feeds=None):
        with tf.Session() as session:
            return session.run(fetches, feeds)

    def test_structures(self):
        a, b = tf.constant(1.), tf.constant([1, 2])
        Pair = collections.namedtuple('Pair', ['x', 'y'])
        got = self.run_one({'a': a, 'l': [a, (b,)], 'p': Pair(a, b), 'op': a.op, 'twice': [b, b]})
        self.assertEqual(got['a'], 1.)
        self.assertIsInstance(got['a'], np.float32)
        self.assertIsNone(got['op'])
        self.assertIsInstance(got['p'], Pair)
        np.testing.assert_array_equal(got['l'][1][0], [1, 2])

    def test_names(self):
        tf.constant(3, name='c')
        self.assertEqual(self.run_one('c:0'), 3)
        with self.assertRaises(ValueError):
            self.run_one('d:0')
        with self.assertRaises(TypeError):
            self.run_one(3)

    def test_strings(self):
        x = tf.placeholder(tf.string, [None])
        np.testing.assert_array_equal(self.run_one(tf.identity(x), {x: ['a', b'b']}), [b'a', b'b'])
        self.assertEqual(self.run_one(tf.constant('x')), b'x')

    def test_feeds(self):
        x = tf.placeholder(tf.float32, [None, 2])
        y = x * 2.
        np.testing.assert_array_equal(self.run_one(y, {x: [[1, 2]]}), [[2, 4]])
        np.testing.assert_array_equal(self.run_one(y, {x: np.arange(4.).reshape(2, 2).T}), [[0, 4], [2, 6]])
        np.testing.assert_array_equal(self.run_one([x, y], {x: [[1, 2]]})[0], [[1, 2]])
        np.testing.assert_array_equal(self.run_one(y, {'Placeholder:0': np.zeros((0, 2))}), np.zeros((0, 2)))
        with self.assertRaises(ValueError):
            self.run_one(y, {x: [1, 2, 3]})
        with self.assertRaises(TypeError):
            self.run_one(y, {x: y})
        with self.assertRaises(TypeError):
            self.run_one(y, {'nothing': 1})

    def test_arrays_are_the_callers(self):
        c = tf.constant([1., 2.])
        with tf.Session() as session:
            first = session.run(c)
            first[0] = 7
            self.assertEqual(session.run(c)[0], 1)

    def test_variables_are_not_shared(self):
        v = tf.Variable([1., 2.])
        with tf.Session() as session:
            session.run(v.initializer)
            before = session.run(v)
            session.run(v.assign_add([1., 1.]))
            np.testing.assert_array_equal(before, [1, 2])

    def test_errors(self):
        x = tf.placeholder(tf.float32)
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, 'Placeholder'):
            self.run_one(x)
        with self.assertRaises(tf.errors.FailedPreconditionError):
            self.run_one(tf.Variable(1.))
        with self.assertRaises(tf.errors.InvalidArgumentError):
            self.run_one(tf.check_numerics(tf.constant(np.nan), 'bad'))

    def test_closed(self):
        session = tf.Session()
        session.close()
        with self.assertRaises(RuntimeError):
            session.run(tf.constant(1))

    def test_default(self):
        c = tf.constant(1)
        with self.assertRaises(ValueError):
            c.eval()
        with tf.Session():
            self.assertEqual(c.eval(), 1)
        session = tf.InteractiveSession()
        self.assertEqual(c.eval(), 1)
        session.close()

    def test_sparse(self):
        sparse = tf.SparseTensor([[0, 1]], [2.], [2, 2])
        got = self.run_one(sparse)
        self.assertIsInstance(got, tf.SparseTensorValue)
        np.testing.assert_array_equal(got.dense_shape, [2, 2])
        fed = tf.sparse_placeholder(tf.float32)
        got = self.run_one(tf.identity(fed.values), {fed: ([[0, 0]], [5.], [1, 1])})
        np.testing.assert_array_equal(got, [5])

    def test_callable(self):
        x = tf.placeholder(tf.float32)
        with tf.Session() as session:
            act = session.make_callable([x + 1., tf.no_op()], [x])
            self.assertEqual(act(2.)[0], 3)

    def test_partial(self):
        a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        first, second = a + 1., None
        second = first * b
        with tf.Session() as session:
            handle = session.partial_run_setup([first, second], [a, b])
            self.assertEqual(session.partial_run(handle, first, {a: 1.}), 2)
            self.assertEqual(session.partial_run(handle, second, {b: 3.}), 6)

    def test_metadata(self):
        options, metadata = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), tf.RunMetadata()
        with tf.Session() as session:
            session.run(tf.constant(1) + 1, options=options, run_metadata=metadata)
        self.assertTrue(len(metadata.step_stats.dev_stats))

    def test_graph_grows(self):
        with tf.Session() as session:
            self.assertEqual(session.run(tf.constant(1)), 1)
            self.assertEqual(session.run(tf.constant(2)), 2)

    def test_threads(self):
        x = tf.placeholder(tf.float32, [])
        y, bad = x * 2., []
        with tf.Session() as session:
            def work(number):
                for _ in range(50):
                    if session.run(y, {x: number}) != 2 * number:
                        bad.append(number)
            threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(bad, [])


class ServerTest(unittest.TestCase):
    def test_serves_though_nothing_refers_to_it(self):
        target = tf.train.Server.create_local_server().target
        gc.collect()
        with tf.Graph().as_default(), tf.Session(target) as session:
            self.assertEqual(session.run(tf.constant(3)), 3)
