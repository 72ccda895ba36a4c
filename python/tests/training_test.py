"""Savers, checkpoints, optimizers with slots, decays, moving averages."""
import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf


class Base(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name

    def path(self, name='m'):
        return os.path.join(self.folder, name)


class Savers(Base):
    def variables(self):
        return (tf.Variable([1., 2.], name='a'), tf.get_variable('b', [2], use_resource=True, initializer=tf.ones_initializer()),
                tf.get_variable('p', [4, 2], partitioner=tf.fixed_size_partitioner(2), initializer=tf.constant_initializer(3.)))

    def test_nodes(self):
        self.variables()
        saver = tf.train.Saver()
        graph = tf.get_default_graph()
        self.assertEqual([tensor.name for tensor in graph.get_operation_by_name('save/SaveV2').inputs[3:]],
                         ['a:0', 'b/Read/ReadVariableOp:0', 'p/part_0/read:0', 'p/part_1/read:0'])
        self.assertEqual([op.name for op in graph.get_operation_by_name('save/restore_all').control_inputs],
                         ['save/Assign', 'save/AssignVariableOp', 'save/Assign_1', 'save/Assign_2'])
        self.assertEqual(saver.as_saver_def().filename_tensor_name, 'save/Const:0')

    def test_round_trip(self):
        a, b, _ = self.variables()
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            path = saver.save(session, self.path(), global_step=7)
            self.assertEqual(path, self.path('m-7'))
            session.run([a.assign([0., 0.]), b.assign([9., 9.])])
            saver.restore(session, path)
            np.testing.assert_array_equal(session.run([a, b]), [[1, 2], [1, 1]])
        self.assertEqual(tf.train.latest_checkpoint(self.folder), path)
        self.assertEqual(tf.train.list_variables(self.folder), [('a', [2]), ('b', [2]), ('p', [4, 2])])
        np.testing.assert_array_equal(tf.train.load_variable(path, 'p'), np.full((4, 2), 3.))
        reader = tf.train.NewCheckpointReader(path)
        self.assertTrue(reader.has_tensor('a') and not reader.has_tensor('x'))
        self.assertEqual(reader.get_variable_to_dtype_map()['a'], tf.float32)
        with self.assertRaises(tf.errors.NotFoundError):
            reader.get_tensor('x')

    def test_names(self):
        a = tf.Variable([1., 2.], name='a')
        saver = tf.train.Saver({'other': a})
        step = tf.train.get_or_create_global_step()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            self.assertEqual(saver.save(session, self.path(), global_step=step, write_meta_graph=False), self.path('m-0'))
        self.assertEqual(tf.train.list_variables(self.folder), [('other', [2])])
        self.assertFalse(os.path.exists(self.path('m-0.meta')))

    def test_kept(self):
        tf.Variable(1., name='a')
        saver = tf.train.Saver(max_to_keep=2)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for step in range(4):
                saver.save(session, self.path(), global_step=step)
        self.assertEqual(saver.last_checkpoints, [self.path('m-2'), self.path('m-3')])
        self.assertEqual([tf.train.checkpoint_exists(self.path('m-%d' % step)) for step in range(4)], [False, False, True, True])
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith(('m-0', 'm-1'))])
        state = tf.train.get_checkpoint_state(self.folder)
        self.assertEqual((state.model_checkpoint_path, list(state.all_model_checkpoint_paths)),
                         (self.path('m-3'), saver.last_checkpoints))

    def test_kept_by_time(self):
        tf.Variable(1., name='a')
        saver = tf.train.Saver(max_to_keep=1, keep_checkpoint_every_n_hours=0.)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for step in range(3):
                saver.save(session, self.path(), global_step=step)
        self.assertTrue(all(tf.train.checkpoint_exists(self.path('m-%d' % step)) for step in range(3)))

    def test_meta_graph(self):
        a, _, _ = self.variables()
        saver = tf.train.Saver()
        tf.add_to_collection(tf.GraphKeys.SAVERS, saver)
        tf.add_to_collection('out', tf.multiply(a, 2., name='y'))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            path = saver.save(session, self.path())
        names = [var.name for var in tf.global_variables()]
        tf.reset_default_graph()
        saver = tf.train.import_meta_graph(path + '.meta')
        self.assertEqual([var.name for var in tf.global_variables()], names)
        self.assertIsInstance(tf.get_collection(tf.GraphKeys.SAVERS)[0], tf.train.Saver)
        with tf.Session() as session:
            saver.restore(session, path)
            np.testing.assert_array_equal(session.run(tf.get_collection('out')[0]), [2, 4])

    def test_state(self):
        tf.train.update_checkpoint_state(self.folder, self.path('x'), ['y', self.path('x')])
        state = tf.train.get_checkpoint_state(self.folder)
        self.assertEqual(list(state.all_model_checkpoint_paths), [self.path('y'), self.path('x')])
        self.assertIsNone(tf.train.latest_checkpoint(self.folder))
        self.assertIsNone(tf.train.get_checkpoint_state(self.path('nowhere')))

    def test_errors(self):
        with self.assertRaisesRegex(ValueError, 'No variables to save'):
            tf.train.Saver()
        with self.assertRaisesRegex(TypeError, 'is not a Variable'):
            tf.train.Saver([tf.constant(1)])
        tf.Variable(1., name='a')
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            with self.assertRaisesRegex(ValueError, 'not a valid checkpoint'):
                saver.restore(session, self.path())
            with self.assertRaisesRegex(ValueError, 'when it is None'):
                saver.restore(session, None)
            with self.assertRaisesRegex(ValueError, "doesn't exist"):
                saver.save(session, self.path('no/m'))
            path = saver.save(session, self.path())
            tf.Variable(2., name='z')
            with self.assertRaises(tf.errors.NotFoundError):
                tf.train.Saver().restore(session, path)


if __name__ == '__main__':
    unittest.main()
