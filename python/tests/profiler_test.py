"""tf.profiler and tf.contrib.losses.metric_learning: figures are those of TensorFlow 1.15.5 on the same graph."""
import contextlib
import io
import unittest

import numpy as np
import tensorflow as tf

Builder = tf.profiler.ProfileOptionBuilder


def _graph():
    x = tf.placeholder(tf.float32, [2, 8, 8, 3])
    with tf.variable_scope('s'):
        y = tf.nn.conv2d(x, tf.get_variable('w', [3, 3, 3, 4]), [1, 1, 1, 1], 'SAME')
        y = tf.nn.max_pool(tf.nn.bias_add(y, tf.get_variable('b', [4])), [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')
    y = tf.layers.dense(tf.reshape(y, [2, 64]), 5, name='dense')
    return tf.reduce_mean(tf.square(tf.nn.softmax(y)))


class ProfilerTest(unittest.TestCase):

    def setUp(self):
        tf.reset_default_graph()
        _graph()

    def test_float_operations(self):
        options = Builder(Builder.float_operation()).with_empty_output().build()
        root = tf.profiler.profile(tf.get_default_graph(), options=options)
        found = {child.name: child.float_ops for child in root.children}
        self.assertEqual({name: found[name] for name in ('s/Conv2D', 's/BiasAdd', 's/MaxPool', 'dense/MatMul', 'Softmax', 'Square', 'Mean')},
                         {'s/Conv2D': 27648, 's/BiasAdd': 512, 's/MaxPool': 512, 'dense/MatMul': 1280, 'Softmax': 50, 'Square': 10, 'Mean': 10})
        uniform = next(child for child in root.children if child.name == 's/w/Initializer/random_uniform')
        self.assertEqual((uniform.float_ops, uniform.total_float_ops), (108, 217))
        by_type = tf.profiler.profile(tf.get_default_graph(), cmd='op', options=options)
        self.assertEqual(by_type.total_float_ops, root.total_float_ops)

    def test_parameters_are_printed(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            root = tf.profiler.profile(options=Builder.trainable_variables_parameter())
        self.assertEqual(root.total_parameters, 108 + 4 + 64 * 5 + 5)
        self.assertEqual([(child.name, child.total_parameters, [part.name for part in child.children]) for child in root.children],
                         [('dense', 325, ['dense/bias', 'dense/kernel']), ('s', 112, ['s/b', 's/w'])])
        self.assertIn('s/w (3x3x3x4, 108/108 params)', out.getvalue())

    def test_times_of_a_step(self):
        meta = tf.RunMetadata()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer(), options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=meta)
        root = tf.profiler.profile(run_meta=meta, options=Builder(Builder.time_and_memory(min_bytes=0)).with_empty_output().build())
        self.assertGreater(root.total_exec_micros, 0)


class MetricLearningTest(unittest.TestCase):

    def test_losses(self):
        tf.reset_default_graph()
        draw, learn = np.random.RandomState(3), tf.contrib.losses.metric_learning
        rows, others = (tf.constant(draw.randn(12, 6).astype('f')) for _ in range(2))
        labels, alike = tf.constant(draw.randint(0, 4, 12)), tf.constant(draw.randint(0, 2, 12))
        losses = [learn.contrastive_loss(alike, rows, others), learn.triplet_semihard_loss(labels, rows),
                  learn.lifted_struct_loss(labels, rows), learn.npairs_loss(labels, rows, others)]
        steps = [tf.reduce_sum(tf.abs(tf.gradients(loss, [rows])[0])) for loss in losses]
        with tf.Session() as session:
            np.testing.assert_allclose(session.run(losses), [5.41976, 1.18591, 11.40562, 4.58153], rtol=1e-5)
            np.testing.assert_allclose(session.run(steps), [6.1351, 12.0415, 13.5534, 3.9051], rtol=1e-4)


class InternalTest(unittest.TestCase):

    def test_names_of_internal_modules(self):
        from tensorflow.python.framework import graph_util_impl
        from tensorflow.python.ops import math_ops, resources, state_ops
        from tensorflow.python.training import evaluation, moving_averages
        tf.reset_default_graph()
        variable = tf.get_variable('v', [3], initializer=tf.zeros_initializer())
        first = state_ops.init_variable(variable, tf.ones([3]))
        second = state_ops.init_variable(variable, lambda shape, dtype: tf.fill(shape, tf.cast(2., dtype)))
        average = moving_averages.weighted_moving_average(tf.constant([2., 4.]), 0.5, tf.constant(3.))
        self.assertEqual([item.op.name for item in (first, second, average)],
                         ['v/init', 'v/init_1', 'WeightedMovingAvg/WeightedMovingAvg'])
        self.assertEqual(evaluation._get_or_create_eval_step().name, 'eval_step:0')
        inputs, _, _ = graph_util_impl._extract_graph_summary(tf.get_default_graph().as_graph_def())
        self.assertEqual(graph_util_impl._bfs_for_reachable_nodes(['v/init'], inputs), {'ones', 'v', 'v/init'})
        slices = [tf.IndexedSlices(tf.ones([1, 2]), tf.constant([1], kind)) for kind in (tf.int32, tf.int64)]
        self.assertEqual([item.indices.dtype for item in math_ops._as_indexed_slices_list(slices)], [tf.int64] * 2)
        with tf.contrib.compiler.jit.experimental_jit_scope():
            self.assertTrue(tf.square(2.).op.get_attr('_XlaCompile'))
        compiled = tf.xla.experimental.compile(lambda p, q: (p + q, p * q), [1., 2.])
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), resources.initialize_resources(resources.shared_resources())])
            self.assertEqual(session.run(first).tolist(), [1.] * 3)
            self.assertEqual(session.run(second).tolist(), [2.] * 3)
            self.assertEqual(session.run(average).tolist(), [2., 4.])
            self.assertEqual(session.run(compiled), [3., 2.])

    def test_modules_are_attributes(self):
        self.assertTrue(callable(tf.contrib.layers.summaries.summarize_tensor))
