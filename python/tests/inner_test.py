"""Checks, messages and inner names that TensorFlow 1.15's own tests and old programs rely on."""
import os
import sys
import tempfile
import threading
import unittest

import numpy as np
import tensorflow as tf


class Base(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def value(self, item, feed=None):
        with tf.Session() as session:
            session.run(tf.tables_initializer())
            return session.run(item, feed)


class Checks(Base):
    def test_what_is_known_fails_at_once(self):
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, 'fail'):
            tf.assert_equal([1, 2], [1, 3], message='fail')
        with self.assertRaisesRegex(ValueError, 'must have rank in'):
            tf.debugging.assert_rank_in(tf.ones([2]), [0, 2])
        with self.assertRaisesRegex(ValueError, 'dimension 0 must have size 2'):
            tf.debugging.assert_shapes([(tf.ones([2, 2]), 'AB'), (tf.ones([1, 3]), 'AC')])
        with self.assertRaisesRegex(ValueError, r"for 'add' \(op: 'Add(V2)?'\) with input shapes: \[2\], \[3\]"):
            tf.add(tf.zeros([2]), tf.zeros([3]), name='add')

    def test_what_is_not_known_fails_in_a_step(self):
        x = tf.placeholder(tf.float32)
        with self.assertRaisesRegex(tf.errors.InvalidArgumentError, 'not equal to tolerance'):
            self.value(tf.debugging.assert_near(x, 1.), {x: 2.})

    def test_nodes_stay_in_their_graph(self):
        other = tf.Graph()
        with other.as_default():
            far = tf.constant(1)
        with self.assertRaisesRegex(ValueError, 'must be from the same graph'):
            tf.get_default_graph().create_op('Identity', [far], [tf.int32])
        with self.assertRaisesRegex(RuntimeError, 'graph is empty'):
            tf.Session(graph=tf.Graph()).run([])

    def test_arguments_of_variables(self):
        with self.assertRaisesRegex(ValueError, 'constraint'):
            tf.Variable(1., constraint='')
        with self.assertRaisesRegex(TypeError, 'auxiliary_name_scope'):
            tf.variable_scope('a', auxiliary_name_scope='yes')
        with self.assertRaises(ValueError):
            tf.clip_by_norm(tf.zeros([2]), tf.zeros([3, 2]))
        with self.assertRaisesRegex(ValueError, 'axis'):
            tf.norm(tf.zeros([2, 2]), axis=[1, 1])

    def test_an_error_names_its_op(self):
        x = tf.placeholder(tf.float32, name='x')
        with self.assertRaises(tf.errors.InvalidArgumentError) as raised:
            self.value(x + 1)
        self.assertIs(raised.exception.op, x.op)


class Sessions(Base):
    def test_a_fed_tensor_can_be_fetched(self):
        x = tf.placeholder(tf.float32)
        with tf.Session() as session:
            self.assertEqual(session.run(x, {x: 3}), 3)
            self.assertEqual(session.make_callable(x, [x])(4), 4)

    def test_feeds_are_looked_at_again_when_they_change(self):
        x = tf.placeholder(tf.float32, [None, 2])
        y = x * 2
        with tf.Session() as session:
            for value in (np.ones([3, 2], 'f'), np.ones([3, 2], 'f'), np.ones([1, 2], 'f'), np.ones([2, 2]), [[1, 2]],
                          np.ones([3, 2], '>f4'), np.ones([2, 3], 'f').T):
                self.assertEqual(session.run(y, {x: value}).tolist(), (np.asarray(value) * 2).tolist())
            with self.assertRaisesRegex(ValueError, 'Cannot feed value of shape'):
                session.run(y, {x: np.ones([3, 3], 'f')})
            tf.get_default_graph().prevent_feeding(x)
            with self.assertRaisesRegex(ValueError, 'may not be fed'):
                session.run(y, {x: np.ones([3, 2], 'f')})

    def test_blocks_are_nested(self):
        first, second = tf.Session().as_default(), tf.Session().as_default()
        first.__enter__()
        second.__enter__()
        with self.assertRaisesRegex(AssertionError, 'Nesting violated'):
            first.__exit__(None, None, None)
        from weir.tf.session import _default_sessions
        _default_sessions.reset()
        with self.assertRaisesRegex(RuntimeError, 'not re-entrant'), tf.Session() as session, session:
            pass

    def test_threads_have_scopes_of_their_own(self):
        graph = tf.Graph()
        graph.switch_to_thread_local()
        names = []

        def work():
            with graph.as_default():
                names.append(tf.constant(1, name='c').name)
        with graph.as_default(), tf.name_scope('outer'):
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            names.append(tf.constant(1, name='c').name)
        self.assertEqual(names, ['c:0', 'outer/c:0'])


class Inner(Base):
    def test_a_name_may_be_a_module_or_a_function(self):
        from tensorflow.python.framework import device, ops
        from tensorflow.python.ops import array_ops, gen_math_ops, map_fn
        self.assertTrue(callable(ops.device) and callable(map_fn.map_fn))
        self.assertEqual(device.DeviceSpec.from_string('cpu:0').to_string(), '/device:CPU:0')
        self.assertEqual(self.value(array_ops.where_v2([True, False], 1, [2, 3])).tolist(), [1, 3])
        self.assertEqual(self.value(gen_math_ops.Add(x=1, y=2)), 3)

    def test_a_replaced_name_is_replaced_where_it_is_used(self):
        from tensorflow.python.ops import random_ops
        plain = random_ops.random_uniform
        random_ops.random_uniform = lambda shape, *args, **kwargs: tf.zeros(shape)
        try:
            self.assertEqual(self.value(tf.random_uniform_initializer(1, 2)([2])).tolist(), [0, 0])
        finally:
            del random_ops.random_uniform
        self.assertIs(random_ops.random_uniform, plain)

    def test_constants_of_the_other_byte_order(self):
        self.assertEqual(self.value(tf.constant(np.array([1, 2], '>f4'))).tolist(), [1, 2])
        self.assertEqual(self.value(tf.constant(np.array([1, 2], '>i8'), tf.int32)).tolist(), [1, 2])

    def test_pools_with_holes(self):
        x = np.arange(25, dtype=np.float32).reshape(1, 5, 5, 1)
        found = self.value(tf.nn.pool(x, [2, 2], 'MAX', 'VALID', dilation_rate=[2, 2]))
        self.assertEqual(found[0, :, :, 0].tolist(), x[0, 2:, 2:, 0].tolist())
        mean = self.value(tf.nn.avg_pool1d(x[0], 2, 2, 'VALID'))
        self.assertEqual(mean.shape, (5, 2, 1))

    def test_print(self):
        path = os.path.join(tempfile.mkdtemp(), 'out')
        self.value(tf.print('a', tf.range(10), {'b': [tf.constant(1.5)]}, output_stream='file://' + path))
        self.assertEqual(open(path).read(), "a [0 1 2 ... 7 8 9] {'b': [1.5]}\n")
        with self.assertRaisesRegex(ValueError, 'Unsupported output stream'):
            tf.print(1, output_stream='nowhere')

    def test_tables(self):
        from tensorflow.python.ops import lookup_ops
        table = lookup_ops.DenseHashTable(tf.int64, tf.int64, -1, empty_key=0, deleted_key=9)
        with tf.Session() as session:
            session.run(table.insert([1, 2], [10, 20]))
            self.assertEqual(session.run(table.lookup([2, 3])).tolist(), [20, -1])
            session.run(table.remove([2]))
            self.assertEqual(session.run(table.size()), 1)
        with self.assertRaisesRegex(TypeError, 'hasher_spec'):
            lookup_ops.index_table_from_tensor(['a'], num_oov_buckets=1, hasher_spec=1)

    def test_rows_without_ids(self):
        ids = tf.SparseTensor([[0, 0], [2, 0]], tf.constant([1, -1], tf.int64), [3, 1])
        found = self.value(tf.nn.safe_embedding_lookup_sparse([tf.constant([[1.], [2.]])], ids))
        self.assertEqual(found.tolist(), [[2], [0], [0]])

    def test_ops_that_call_functions(self):
        from tensorflow.python.framework import function
        from tensorflow.python.ops import functional_ops
        real = tf.float32
        twice = function.Defun(real)(lambda x: x * 2. + 0.)
        thrice = function.Defun(real)(lambda x: x * 3. + 1.)
        more = function.Defun(real, real)(lambda n, x: n > 0.)
        body = function.Defun(real, real)(lambda n, x: (n - 1., x + n))
        x = tf.placeholder(real, [])
        self.assertEqual(self.value(functional_ops.If(x > 0, [x], twice, thrice), {x: 9.}), [18])
        self.assertEqual(self.value(functional_ops.While([x, 0.], more, body), {x: 20.}), [0, 210])
        self.assertEqual(self.value(functional_ops.partitioned_call([x], twice), {x: 2.}), [4])

    def test_crossed_features(self):
        from tensorflow.python.ops import sparse_ops
        parts = [tf.SparseTensor([[0, 0]], tf.constant([word]), [1, 1]) for word in ('a', 'b')]
        self.assertEqual(self.value(sparse_ops.sparse_cross(parts)).values.tolist(), [b'a_X_b'])

    def test_specs_and_decisions(self):
        from tensorflow.python.framework import smart_cond
        self.assertTrue(tf.TensorSpec([None, 2]).is_compatible_with(tf.zeros([3, 2])))
        self.assertEqual(smart_cond.smart_cond(True, lambda: 1, lambda: 2), 1)
        self.assertEqual(self.value(smart_cond.smart_cond(tf.placeholder_with_default(False, []), lambda: tf.constant(1),
                                                          lambda: tf.constant(2))), 2)

    def test_orthogonal_kernels(self):
        from tensorflow.python.ops import init_ops
        kernel = self.value(init_ops.convolutional_orthogonal_2d()([3, 3, 2, 2]))
        x = np.random.RandomState(0).rand(1, 4, 4, 2).astype('f')
        padded = np.concatenate([x] * 3, 1)
        padded = np.concatenate([padded] * 3, 2)  # the borders wrap around
        y = self.value(tf.nn.conv2d(padded, kernel, [1, 1, 1, 1], 'SAME'))[:, 4:8, 4:8]
        self.assertAlmostEqual(float((y ** 2).sum()), float((x ** 2).sum()), 3)


class Tests(tf.test.TestCase):
    """tf.test and test_util."""

    def test_streams_are_captured(self):
        with self.captureWritesToStream(sys.stderr) as said:
            sys.stderr.write('words')
        self.assertEqual(said.contents(), 'words')

    def test_modes(self):
        from tensorflow.python.framework import test_util
        ran = []

        class Case(tf.test.TestCase):
            @test_util.run_in_graph_and_eager_modes
            def both(self):
                ran.append(self.evaluate(tf.constant(1)))

            @test_util.run_v2_only
            def second(self):
                ran.append('never')
        Case('both').both()
        with self.assertRaises(unittest.SkipTest):
            Case('second').second()
        self.assertEqual(ran, [1])


class SparseTest(unittest.TestCase):
    def test_gradient_of_a_product_of_unknown_rank(self):
        with tf.Graph().as_default(), tf.Session() as session:
            sparse, dense = tf.sparse_placeholder(tf.float32), tf.placeholder(tf.float32)
            found = session.run(tf.gradients((sparse * dense).values, [sparse.values, dense]),
                                {sparse: ([[0, 1], [2, 3]], [2., 3.], [3, 4]), dense: [0., 1., 2., 3.]})
        self.assertEqual([part.tolist() for part in found], [[1., 3.], [0., 2., 0., 3.]])

    def test_flip_of_an_image_of_unknown_rank(self):
        with tf.Graph().as_default():
            made = tf.image.random_flip_left_right(tf.placeholder(tf.float32))
        self.assertEqual(made.shape.as_list(), [None, None, None])


class Records(unittest.TestCase):
    def test_record_input_gives_each_record_once_an_epoch(self):
        from tensorflow.python.ops import data_flow_ops
        tf.reset_default_graph()
        with tempfile.TemporaryDirectory() as folder:
            for part in range(2):
                with tf.python_io.TFRecordWriter(os.path.join(folder, 'r%d' % part)) as writer:
                    for i in range(4):
                        writer.write(b'%d' % (4 * part + i))
            given = data_flow_ops.RecordInput(os.path.join(folder, 'r*'), batch_size=2, batches=2, buffer_size=8, seed=3).get_yield_op()
            self.assertEqual([len(batch) for batch in given], [2, 2])
            with tf.Session() as session:
                for _ in range(2):
                    seen = [item for _ in range(2) for batch in session.run(given) for item in batch]
                    self.assertEqual(sorted(seen), [b'%d' % i for i in range(8)])


if __name__ == '__main__':
    unittest.main()
