"""Savers, checkpoints, optimizers with slots, decays, moving averages."""
import os
import tempfile
import threading
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

    def test_imported_below_a_scope(self):
        """Names, collections and the saver of a meta graph follow the scope it is imported in."""
        self.variables()
        tf.train.string_input_producer(['x'])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            path = tf.train.Saver().save(session, self.path())
        tf.reset_default_graph()
        with tf.name_scope('new'):
            saver = tf.train.import_meta_graph(path + '.meta')
        runner, = tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)
        self.assertEqual(runner.queue.name, 'new/input_producer')
        with tf.Session() as session:
            saver.restore(session, path)
            np.testing.assert_array_equal(session.run('new/a:0'), [1, 2])

    def test_folder_is_made(self):
        """Saving makes the folder, as the op does, though none above it."""
        v = tf.Variable([1., 2.], name='v')
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run(v.initializer)
            self.assertEqual(saver.save(session, self.path('new/m')), self.path('new/m'))
            self.assertEqual(tf.train.latest_checkpoint(self.path('new')), self.path('new/m'))

    def test_version_1(self):
        v, w = tf.Variable([1., 2.], name='v'), tf.get_variable('w', [4], partitioner=tf.fixed_size_partitioner(2))
        saver = tf.train.Saver(write_version=tf.train.SaverDef.V1, max_to_keep=1)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            saver.save(session, self.path(), global_step=1)
            path = saver.save(session, self.path(), global_step=2)
            self.assertEqual(sorted(os.listdir(self.folder)), ['checkpoint', 'm-2', 'm-2.meta'])
            kept = session.run(list(w))
            session.run([v.initializer] + [part.assign([0., 0.]) for part in w])
            saver.restore(session, path)
            np.testing.assert_array_equal(session.run(list(w)), kept)
        self.assertEqual(tf.train.NewCheckpointReader(path).debug_string(), b'v (DT_FLOAT) [2]\nw (DT_FLOAT) [4]\n')

    def test_tables(self):
        """Tables that steps change are saved with the variables; so are objects that a program writes itself."""
        table = tf.contrib.lookup.MutableHashTable(tf.string, tf.int64, -1, name='words')
        dense = tf.contrib.lookup.MutableDenseHashTable(tf.int64, tf.float32, 0., empty_key=-1, deleted_key=-2, name='dense')
        v = tf.Variable(1., name='v')
        saver = tf.train.Saver()
        with tf.Session() as session:
            session.run([v.initializer, table.insert(['a', 'b'], [3, 4]), dense.insert([7], [.5])])
            path = saver.save(session, self.path())
        self.assertEqual([name for name, _ in tf.train.list_variables(path)],
                         ['dense-keys', 'dense-values', 'v', 'words-keys', 'words-values'])
        with tf.Session() as session:
            saver.restore(session, path)
            self.assertEqual(session.run(table.lookup(['b', 'x'])).tolist(), [4, -1])
            self.assertEqual(session.run(dense.lookup([7])).tolist(), [.5])
        from tensorflow.python.training.saver import BaseSaverBuilder as builder

        class Twice(builder.SaveableObject):
            def __init__(self, var):
                super().__init__(var, [builder.SaveSpec(var * 2., '', 'twice')], 'twice')

            def restore(self, restored_tensors, restored_shapes):
                return tf.assign(self.op, restored_tensors[0] / 2.)
        saver = tf.train.Saver([Twice(v)])
        with tf.Session() as session:
            session.run(v.assign(5.))
            path = saver.save(session, self.path('other'))
            session.run(v.assign(0.))
            saver.restore(session, path)
            self.assertEqual(session.run(v), 5.)
        self.assertEqual(tf.train.load_variable(path, 'twice'), 10.)

    def test_first_values(self):
        with tf.variable_scope('x'):
            self.variables()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            path = tf.train.Saver().save(session, self.path())
        tf.reset_default_graph()
        with tf.variable_scope('y'):
            b, p = tf.get_variable('b', [2]), tf.get_variable('p', [4, 2], partitioner=tf.fixed_size_partitioner(2))
            r = tf.get_variable('r', [2], use_resource=True)
        tf.train.init_from_checkpoint(path, {'x/b': 'y/b', 'x/p': p, 'x/a': r})
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(session.run([b, r]), [[1, 1], [1, 2]])
            np.testing.assert_array_equal(session.run(list(p)), np.full((2, 2, 2), 3.))
        tf.reset_default_graph()
        with tf.variable_scope('y'):
            b = tf.get_variable('b', [2])
        tf.train.init_from_checkpoint(self.folder, {'x/': 'y/'})
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            np.testing.assert_array_equal(session.run(b), [1, 1])
        with self.assertRaisesRegex(ValueError, 'is not found in'):
            tf.train.init_from_checkpoint(path, {'nope': b})
        with self.assertRaisesRegex(ValueError, "doesn't match"):
            tf.train.init_from_checkpoint(path, {'x/p': b})

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
                saver.save(session, self.path('no/such/m'))
            path = saver.save(session, self.path())
            tf.Variable(2., name='z')
            with self.assertRaisesRegex(tf.errors.NotFoundError, 'Restoring from checkpoint failed.*missing from the checkpoint'):
                tf.train.Saver().restore(session, path)


class Optimizers(Base):
    MAKERS = {'Adagrad': lambda: tf.train.AdagradOptimizer(0.1), 'Adadelta': lambda: tf.train.AdadeltaOptimizer(1.),
              'RMSProp': lambda: tf.train.RMSPropOptimizer(0.1, momentum=0.5),
              'Centered': lambda: tf.train.RMSPropOptimizer(0.1, centered=True),
              'Ftrl': lambda: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01),
              'FtrlV2': lambda: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
              'ProximalGradientDescent': lambda: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
              'ProximalAdagrad': lambda: tf.train.ProximalAdagradOptimizer(0.1, 0.1, 0.01, 0.02),
              'AdagradDA': lambda: tf.train.AdagradDAOptimizer(0.1, tf.train.get_or_create_global_step())}

    def trained(self, make, resource):
        tf.reset_default_graph()
        optimizer = make()
        dense, sparse = (tf.get_variable(name, [4, 2], initializer=tf.constant_initializer(0.5), use_resource=resource)
                         for name in ('dense', 'sparse'))
        loss = tf.reduce_sum(tf.square(dense - 1.)) + tf.reduce_sum(tf.square(tf.gather(sparse, [1, 2, 1]) - 1.))
        step = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(step)
            names = [var.name for var in tf.global_variables()]
            return names, session.run(tf.global_variables())

    def test_resources_as_buffers(self):
        for name, make in self.MAKERS.items():
            with self.subTest(name):
                (names, left), (others, right) = self.trained(make, False), self.trained(make, True)
                self.assertEqual(names, others)
                for a, b in zip(left, right):
                    np.testing.assert_allclose(a, b, rtol=1e-6)
                changed = dict(zip(names, left))
                self.assertFalse((changed['dense:0'] == 0.5).any())
                self.assertEqual((changed['sparse:0'] != 0.5)[1:3].all(), True)

    def test_adagrad(self):
        names, values = self.trained(self.MAKERS['Adagrad'], False)
        self.assertEqual(sorted(names), ['dense/Adagrad:0', 'dense:0', 'global_step:0', 'sparse/Adagrad:0', 'sparse:0'])
        value, accumulator = 0.5, 0.1
        for _ in range(3):
            grad = 2 * (value - 1)
            accumulator += grad * grad
            value -= 0.1 * grad / accumulator ** 0.5
        found = dict(zip(names, values))
        np.testing.assert_allclose(found['dense:0'], np.full((4, 2), value), rtol=1e-5)
        np.testing.assert_allclose(found['dense/Adagrad:0'], np.full((4, 2), accumulator), rtol=1e-5)

    def test_slots(self):
        v = tf.get_variable('v', [2], initializer=tf.ones_initializer())
        optimizer = tf.train.RMSPropOptimizer(0.1, centered=True)
        optimizer.minimize(tf.reduce_sum(v * v))
        self.assertEqual(optimizer.get_slot_names(), ['mg', 'momentum', 'rms'])
        self.assertEqual([optimizer.get_slot(v, name).name for name in ('rms', 'mg', 'momentum')],
                         ['v/RMSProp:0', 'v/RMSProp_1:0', 'v/RMSProp_2:0'])

    def test_errors(self):
        with self.assertRaises(ValueError):
            tf.train.AdagradOptimizer(0.1, initial_accumulator_value=0.)
        with self.assertRaises(ValueError):
            tf.train.FtrlOptimizer(0.1, learning_rate_power=0.5)
        with self.assertRaises(ValueError):
            tf.train.FtrlOptimizer(0.1, l1_regularization_strength=-1.)


class Decays(Base):
    def values(self, make, steps):
        tf.reset_default_graph()
        step = tf.placeholder(tf.int64, [])
        rate = make(step)
        with tf.Session() as session:
            return [float(session.run(rate, {step: at})) for at in steps]

    def test_values(self):
        train = tf.train
        rows = [(lambda s: train.exponential_decay(.1, s, 10, .5, True), (0, 9, 10, 25), (.1, .1, .05, .025)),
                (lambda s: train.natural_exp_decay(.1, s, 10, .5), (0, 10), (.1, .1 * np.exp(-.5))),
                (lambda s: train.inverse_time_decay(.1, s, 10, .5), (0, 10), (.1, .1 / 1.5)),
                (lambda s: train.polynomial_decay(.1, s, 10), (0, 5, 99), (.1, .05005, .0001)),
                (lambda s: train.polynomial_decay(.1, s, 10, power=2., cycle=True), (0, 3, 11), (.1, .049051, .02033)),
                (lambda s: train.piecewise_constant(s, [5, 10, 20], [1., .5, .2, .1]), (5, 6, 11, 21), (1., .5, .2, .1)),
                (lambda s: train.cosine_decay(.1, s, 10, alpha=.1), (0, 5, 10, 11), (.1, .055, .01, .01)),
                (lambda s: train.cosine_decay_restarts(.1, s, 5, m_mul=.9), (0, 3, 5, 10), (.1, .034549, .09, .045)),
                (lambda s: train.cosine_decay_restarts(.1, s, 5, t_mul=1.), (0, 3, 5, 11), (.1, .034549, .1, .090451))]
        for make, steps, values in rows:
            np.testing.assert_allclose(self.values(make, steps), values, rtol=1e-4)

    def test_names_and_errors(self):
        step = tf.constant(1)
        self.assertEqual(tf.train.exponential_decay(.1, step, 10, .5).name, 'ExponentialDecay:0')
        self.assertEqual(tf.train.inverse_time_decay(.1, step, 10, .5, name='x').name, 'x:0')
        with self.assertRaises(ValueError):
            tf.train.exponential_decay(.1, None, 10, .5)
        with self.assertRaises(ValueError):
            tf.train.piecewise_constant(step, [1.], [1., 2.])


class Averages(Base):
    def averaged(self, resource, debiased):
        tf.reset_default_graph()
        v = tf.get_variable('v', [2], use_resource=resource, initializer=tf.ones_initializer())
        t, step = tf.multiply(v, 2, name='t'), tf.Variable(0, name='step', trainable=False)
        average = tf.train.ExponentialMovingAverage(.9, num_updates=step if debiased else None, zero_debias=debiased)
        apply = average.apply([v, t])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(v.assign_add([1., 2.]))
                session.run(apply)
                session.run(step.assign_add(1))
            return average, session.run([average.average(v), average.average(t)])

    def test_values(self):
        for resource in (False, True):
            average, values = self.averaged(resource, False)
            np.testing.assert_allclose(values, [[1.561, 2.122], [1.664, 2.786]], rtol=1e-5)
            self.assertEqual(sorted(average.variables_to_restore()),
                             ['step', 't/ExponentialMovingAverage', 'v/ExponentialMovingAverage'])
            self.assertEqual([var.name for var in tf.moving_average_variables()], ['v:0'])
            _, values = self.averaged(resource, True)
            np.testing.assert_allclose(values, [[3.7, 6.4], [7.50823, 12.99394]], rtol=1e-5)
            self.assertIn('t/ExponentialMovingAverage/biased:0', [var.name for var in tf.global_variables()])

    def test_names(self):
        v = tf.Variable(1., name='v')
        average = tf.train.ExponentialMovingAverage(.9)
        self.assertIsNone(average.average(v))
        self.assertEqual(average.average_name(v), 'v/ExponentialMovingAverage')
        with tf.name_scope('s'):
            self.assertEqual(average.apply().name, 's/ExponentialMovingAverage')
        self.assertEqual(average.average(v).name, 'v/ExponentialMovingAverage:0')
        with self.assertRaises(TypeError):
            average.apply([tf.constant(1)])

    def test_internal_name(self):
        from tensorflow.python.training import moving_averages
        v = tf.Variable(1., name='v')
        change = moving_averages.assign_moving_average(v, 3., .5, zero_debias=False)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            self.assertEqual(session.run(change), 2.)

    def test_assigned_twice(self):
        from tensorflow.python.training import moving_averages
        with tf.variable_scope('s'):
            v = tf.Variable(1., name='v')
            for _ in range(2):
                moving_averages.assign_moving_average(v, 3., .5)
        self.assertEqual([var.name for var in tf.global_variables()],
                         ['s/v:0', 's/s/v/biased:0', 's/s/v/local_step:0', 's/s/v/biased_1:0', 's/s/v/local_step_1:0'])


class SyncReplicas(Base):
    def test_a_waiting_worker_goes_on_when_the_chief_ends(self):
        """A worker that waits for its token would wait for ever: no step follows that gives it one."""
        server = tf.train.Server.create_local_server()
        w = tf.get_variable('w', [2], initializer=tf.zeros_initializer())
        step = tf.train.get_or_create_global_step()
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(.1), 2, 2)
        optimizer.minimize(tf.reduce_sum(tf.square(w - 1)), global_step=step)
        token, got = optimizer._sync_token_queue.dequeue(), []
        chief = tf.train.MonitoredTrainingSession(server.target, hooks=[optimizer.make_session_run_hook(True)],
                                                  save_summaries_steps=None, save_summaries_secs=None, stop_grace_period_secs=0)
        with tf.Session(server.target) as worker:
            chief.run(token), chief.run(token)
            waiting = threading.Thread(target=lambda: got.append(worker.run(token)), daemon=True)
            waiting.start()
            chief.close()
            waiting.join(60)
        self.assertEqual(got, [0])


if __name__ == '__main__':
    unittest.main()
