"""Functions of the program as ops: PyFunc, PyFuncStateless, EagerPyFunc."""
import threading
import unittest

import numpy as np
import tensorflow as tf


class PyFunc(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def call(self, function, inputs, types, stateful=True):
        result = tf.py_func(function, inputs, types, stateful=stateful)
        with tf.Session() as session:
            return session.run(result)

    def test_values(self):
        for stateful in (True, False):
            got = self.call(lambda a, b: a + b, [tf.constant([1., 2.]), 3.], tf.float32, stateful)
            np.testing.assert_array_equal(got, [4., 5.])

    def test_several_results_and_strings(self):
        number, text = self.call(lambda s: (np.int64(len(s)), s + b'!'), [tf.constant('four')],
                                 [tf.int64, tf.string])
        self.assertEqual((number, text), (4, b'four!'))

    def test_no_results(self):
        seen = []
        self.call(lambda x: seen.append(int(x)), [tf.constant(7)], [])
        self.assertEqual(seen, [7])

    def test_errors_are_statuses(self):
        def fails(x):
            raise ValueError('so it is')
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, 'so it is'):
            self.call(fails, [tf.constant(1)], tf.int32)

    def test_wrong_types_are_statuses(self):
        with self.assertRaises(tf.errors.OpError):
            self.call(lambda x: 'text', [tf.constant(1)], tf.int32)
        with self.assertRaises(tf.errors.OpError):
            self.call(lambda x: (1, 2), [tf.constant(1)], tf.int32)

    def test_an_unknown_token(self):
        for kind in ('PyFunc', 'PyFuncStateless', 'EagerPyFunc'):
            tf.reset_default_graph()
            node = tf.get_default_graph().create_op(
                kind, [tf.constant(1)], [tf.int32], name='f',
                attrs={'token': tf.AttrValue(s=b'nobody'),
                       'Tin': tf.AttrValue(list=tf.AttrValue.ListValue(type=[3])),
                       'Tout': tf.AttrValue(list=tf.AttrValue.ListValue(type=[3]))})
            with tf.Session() as session, self.assertRaises(tf.errors.OpError):
                session.run(node.outputs[0])

    def test_threads(self):
        x = tf.placeholder(tf.int32)
        double = tf.py_func(lambda a: np.int32(2 * a), [x], tf.int32)
        wrong = []
        with tf.Session() as session:
            def run(at):
                wrong.extend(i for i in range(50) if session.run(double, {x: at + i}) != 2 * (at + i))
            threads = [threading.Thread(target=run, args=(100 * k,)) for k in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual(wrong, [])


if __name__ == '__main__':
    unittest.main()
