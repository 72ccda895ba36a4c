"""Graphs, names, shapes, dtypes and conversion."""
import unittest

import numpy as np
import tensorflow as tf


class Fresh(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()


class Indices(Fresh):
    def test_wide(self):
        """An index of int64 goes with bounds and strides of int64."""
        x, i = tf.constant([[1, 2, 3], [4, 5, 6]]), tf.constant(1, tf.int64)
        with tf.Session() as session:
            row, part, last = session.run([x[i], x[:, i:], x[0, ::i]])
        self.assertEqual((row.tolist(), part.tolist(), last.tolist()), ([4, 5, 6], [[2, 3], [5, 6]], [1, 2, 3]))

    def test_of_outside_in_functions(self):
        """A tensor of the graph around is indexed where a dataset's function uses it."""
        sizes = tf.constant([3, 1], tf.int64)
        item = tf.data.Dataset.range(2).map(lambda i: sizes[i]).batch(2).make_one_shot_iterator().get_next()
        with tf.Session() as session:
            self.assertEqual(session.run(item).tolist(), [3, 1])

    def test_operators_on_what_is_outside(self):
        """Their nodes have names of the function's body, whichever operand comes first."""
        scale = tf.placeholder_with_default(3., [])
        data = tf.data.Dataset.from_tensor_slices([1., 2.]).map(lambda x: (x * 2., scale * x, 1. / x, 1. / scale))
        iterator = data.make_initializable_iterator()
        item = iterator.get_next()
        with tf.Session() as session:
            session.run(iterator.initializer)
            np.testing.assert_allclose(session.run(item), [2., 3., 1., 1 / 3.], rtol=1e-6)


class Names(Fresh):
    def test_unique(self):
        self.assertEqual([tf.constant(1).name for _ in range(3)], ['Const:0', 'Const_1:0', 'Const_2:0'])

    def test_scopes(self):
        with tf.name_scope('a') as scope:
            self.assertEqual(scope, 'a/')
            self.assertEqual(tf.constant(1, name='c').op.name, 'a/c')
            with tf.name_scope('b'):
                self.assertEqual(tf.constant(1, name='c').op.name, 'a/b/c')
        with tf.name_scope('a'):
            self.assertEqual(tf.constant(1, name='c').op.name, 'a_1/c')
        with tf.name_scope(scope):
            self.assertEqual(tf.constant(1, name='d').op.name, 'a/d')

    def test_operator_names(self):
        x = tf.placeholder(tf.float32, [2], name='x')
        self.assertEqual((x + 1.).op.name, 'add')
        self.assertEqual((x + 1.).op.inputs[1].op.name, 'add_1/y')
        self.assertEqual((2. * x).op.inputs[0].op.name, 'mul/x')
        self.assertEqual((x / 2.).op.type, 'RealDiv')

    def test_find(self):
        c = tf.constant(1, name='c')
        graph = tf.get_default_graph()
        self.assertIs(graph.get_tensor_by_name('c:0'), c)
        self.assertIs(graph.get_operation_by_name('c'), c.op)
        with self.assertRaises(KeyError):
            graph.get_tensor_by_name('d:0')
        with self.assertRaises(ValueError):
            graph.get_tensor_by_name('c')

    def test_missing(self):
        with self.assertRaisesRegex(AttributeError, 'weir has no tf.contribution'):
            tf.contribution


class Shapes(Fresh):
    def test_inferred(self):
        x = tf.placeholder(tf.float32, [None, 3])
        y = tf.matmul(x, tf.ones([3, 5]))
        self.assertEqual(y.shape.as_list(), [None, 5])
        self.assertEqual(int(y.shape[1]), 5)
        self.assertIsNone(y.shape[0].value)
        self.assertEqual(str(y.shape), '(?, 5)')

    def test_set(self):
        x = tf.placeholder(tf.float32)
        self.assertIsNone(x.shape.ndims)
        x.set_shape([2, None])
        self.assertEqual(x.shape.as_list(), [2, None])
        with self.assertRaises(ValueError):
            x.set_shape([3, None])

    def test_mismatch(self):
        with self.assertRaises(ValueError):
            tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))

    def test_dimension(self):
        d = tf.Dimension(3)
        self.assertEqual((d + 1).value, 4)
        self.assertIsNone((d * tf.Dimension(None)).value)
        self.assertEqual(tf.TensorShape([1, 2]).concatenate([3]), tf.TensorShape([1, 2, 3]))


class Conversion(Fresh):
    def test_constants(self):
        for value, dtype in ((1, tf.int32), (1., tf.float32), ([1, 2], tf.int32), (2**40, tf.int64), ('a', tf.string),
                             (True, tf.bool), (np.float64(1), tf.float64), (np.zeros(2), tf.float64), (1j, tf.complex128)):
            self.assertEqual(tf.constant(value).dtype, dtype, value)

    def test_refused(self):
        with self.assertRaises(TypeError):
            tf.constant(1.5, tf.int32)
        with self.assertRaises(TypeError):
            tf.constant(1.0) + tf.constant(1)
        with self.assertRaises(ValueError):
            tf.constant([1, None])

    def test_bfloat16(self):
        """Numbers that are given for it are rounded to it; what is fetched, integers of its bits, may be fed again."""
        fed = tf.placeholder(tf.bfloat16, [3])
        single = lambda value: tf.cast(value, tf.float32)
        with tf.Session() as session:
            found = session.run([single(tf.constant([1.5, 2.], tf.bfloat16)), single(tf.cast(3., tf.bfloat16) * 2.),
                                 single(tf.ones([2], tf.bfloat16)), single(tf.constant(1.005859375, tf.bfloat16))])
            np.testing.assert_array_equal(found[0], [1.5, 2.])
            np.testing.assert_array_equal(found[2], [1., 1.])
            self.assertEqual(found[1::2], [6., 1.0078125])
            np.testing.assert_array_equal(session.run(single(fed), {fed: [1.5, -2., np.nan]}), [1.5, -2., np.nan])
            np.testing.assert_array_equal(session.run(single(fed), {fed: session.run(fed, {fed: [1., 2., 3.]})}), [1., 2., 3.])

    def test_packed(self):
        x = tf.constant(1.)
        packed = tf.convert_to_tensor([x, 2., [3.][0]])
        self.assertEqual(packed.op.type, 'Pack')
        self.assertEqual(packed.shape.as_list(), [3])

    def test_shape_value(self):
        self.assertEqual(tf.reshape(tf.ones([6]), tf.TensorShape([2, 3])).shape.as_list(), [2, 3])

    def test_dtypes(self):
        self.assertEqual(tf.as_dtype('float32'), tf.float32)
        self.assertEqual(tf.as_dtype(np.int64), tf.int64)
        self.assertEqual(tf.float32, np.float32)
        self.assertEqual(repr(tf.float32), 'tf.float32')
        self.assertEqual(tf.int8.max, 127)


class Scopes(Fresh):
    def test_devices(self):
        with tf.device('/job:ps/task:1'):
            a = tf.constant(1)
            with tf.device('/cpu:0'):
                b = tf.constant(1)
            with tf.device(None):
                c = tf.constant(1)
            with tf.device(lambda op: '/task:2'):
                d = tf.constant(1)
        self.assertEqual(a.device, '/job:ps/task:1')
        self.assertEqual(b.device, '/job:ps/task:1/device:CPU:0')
        self.assertEqual(c.device, '')
        self.assertEqual(d.device, '/job:ps/task:2')

    def test_controls(self):
        a = tf.constant(1)
        with tf.control_dependencies([a]):
            b = tf.constant(2)
            with tf.control_dependencies(None):
                c = tf.constant(3)
        self.assertEqual(b.op.control_inputs, [a.op])
        self.assertEqual(c.op.control_inputs, [])

    def test_collections(self):
        tf.add_to_collection('mine', 1)
        self.assertEqual(tf.get_collection('mine'), [1])
        self.assertEqual(tf.get_collection('yours'), [])

    def test_finalized(self):
        tf.get_default_graph().finalize()
        with self.assertRaises(RuntimeError):
            tf.constant(1)

    def test_import(self):
        with tf.Graph().as_default() as graph:
            x = tf.placeholder(tf.float32, [2], name='x')
            tf.identity(x * 2., name='y')
        z = tf.constant([1., 2.])
        y, = tf.import_graph_def(graph.as_graph_def(), {'x:0': z}, ['y:0'], name='in')
        self.assertEqual(y.name, 'in/y:0')
        with tf.Session() as session:
            np.testing.assert_array_equal(session.run(y), [2, 4])


class Collectives(Fresh):
    def test_two_devices_of_a_process(self):
        from tensorflow.python.ops import gen_collective_ops
        config = tf.ConfigProto(device_count={'CPU': 2}, operation_timeout_in_ms=20000)
        for size in (3, 100000):
            outs = []
            for i in range(2):
                with tf.device('/cpu:%d' % i):
                    outs.append(gen_collective_ops.collective_reduce(
                        tf.ones([size]) * (i + 1), group_size=2, group_key=size, instance_key=1, merge_op='Add',
                        final_op='Id', subdiv_offsets=[0], wait_for=[]))
            with tf.Session(config=config) as session:
                for value in session.run(outs):
                    np.testing.assert_array_equal(value, np.full(size, 3))


class Messages(Fresh):
    def test_fields(self):
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        config.device_count['CPU'] = 2
        again = tf.ConfigProto.FromString(config.SerializeToString())
        self.assertEqual(again, config)
        self.assertTrue(again.gpu_options.allow_growth)
        self.assertFalse(tf.ConfigProto().HasField('gpu_options'))
        self.assertIn('allow_growth: true', str(config))

    def test_graph_def(self):
        tf.constant([1., 2.], name='c')
        node = tf.get_default_graph().as_graph_def().node[0]
        self.assertEqual((node.name, node.op, node.attr['dtype'].type), ('c', 'Const', 1))
        self.assertEqual(node.attr['value'].WhichOneof('value'), 'tensor')

    def test_repeated(self):
        from tensorflow.core.framework import summary_pb2
        summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag='a', simple_value=1.)])
        summary.value.add(tag='b', simple_value=2.)
        self.assertEqual([value.tag for value in tf.Summary.FromString(summary.SerializeToString()).value], ['a', 'b'])
        self.assertEqual(summary.value[0].WhichOneof('value'), 'simple_value')

    def test_examples(self):
        feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1, -2]))
        example = tf.train.Example(features=tf.train.Features(feature={'a': feature}))
        again = tf.train.Example.FromString(example.SerializeToString())
        self.assertEqual(list(again.features.feature['a'].int64_list.value), [1, -2])


class Modules(Fresh):
    def test_internal(self):
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import array_ops, gen_math_ops, math_ops
        import tensorflow.python.ops.nn as nn
        import tensorflow.compat.v1 as v1
        self.assertIs(v1, tf)
        self.assertIs(ops.Tensor, tf.Tensor)
        self.assertIs(math_ops.matmul, tf.matmul)
        self.assertIs(array_ops.concat, tf.concat)
        self.assertIs(nn.relu, tf.nn.relu)
        self.assertEqual(gen_math_ops.mat_mul(tf.ones([1, 2]), tf.ones([2, 3])).shape.as_list(), [1, 3])
        with self.assertRaises(ImportError):
            import tensorflow.nothing  # noqa: F401

    def test_version(self):
        self.assertEqual(tf.__version__, '1.15.5')
        self.assertEqual(tf.VERSION, '1.15.5')


class Containers(Fresh):
    def test_what_has_a_state_is_in_the_container_around(self):
        with tf.container('kept'):
            variable, resource = tf.Variable(1.), tf.get_variable('r', [1], use_resource=True)
            queue, read = tf.FIFOQueue(3, tf.float32), tf.identity(variable)
        ops = [variable.op, resource.op, queue.queue_ref.op, tf.Variable(1.).op]
        self.assertEqual([op.get_attr('container') for op in ops], [b'kept', b'kept', b'kept', b''])
        self.assertNotIn('container', read.op.node_def.attr)
