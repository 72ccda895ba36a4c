"""Variables, scopes, optimizers, gradients, control flow."""
import tempfile
import unittest

import numpy as np
import tensorflow as tf


class Base(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()

    def value(self, fetches, feeds=None, init=True):
        with tf.Session() as session:
            if init:
                session.run(tf.global_variables_initializer())
            return session.run(fetches, feeds)


class Variables(Base):
    def test_nodes(self):
        tf.Variable(1., name='v')
        self.assertEqual([op.name for op in tf.get_default_graph().get_operations()],
                         ['v/initial_value', 'v', 'v/Assign', 'v/read'])

    def test_get(self):
        with tf.variable_scope('a'):
            v = tf.get_variable('v', [2, 3])
            self.assertEqual(v.name, 'a/v:0')
            with self.assertRaises(ValueError):
                tf.get_variable('v', [2, 3])
        with tf.variable_scope('a', reuse=True):
            self.assertIs(tf.get_variable('v', [2, 3]), v)
            with self.assertRaises(ValueError):
                tf.get_variable('w', [1])
        with tf.variable_scope('a', reuse=tf.AUTO_REUSE) as scope:
            tf.get_variable('w', [1])
            self.assertEqual(scope.original_name_scope, 'a_2/')
        self.assertEqual([x.name for x in tf.trainable_variables()], ['a/v:0', 'a/w:0'])

    def test_default_names(self):
        for wanted in ('x', 'x_1'):
            with tf.variable_scope(None, 'x') as scope:
                self.assertEqual(scope.name, wanted)

    def test_initializer_names(self):
        tf.get_variable('w', [2], initializer=tf.truncated_normal_initializer(seed=1))
        self.assertIsNotNone(tf.get_default_graph().get_operation_by_name('w/Initializer/truncated_normal/TruncatedNormal'))

    def test_assign(self):
        v = tf.Variable([1., 2.])
        self.assertEqual(list(self.value(v.assign_add([1., 1.]))), [2, 3])
        self.assertEqual(list(self.value(tf.scatter_update(v, [0], [9.]))), [9, 2])
        self.assertEqual(list(self.value(v * 2. + v[0])), [3, 5])

    def test_resource(self):
        v = tf.get_variable('r', initializer=[1., 2.], use_resource=True)
        self.assertEqual(v.op.type, 'VarHandleOp')
        self.assertEqual(list(self.value(v.assign_add([1., 1.]))), [2, 3])
        train = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(tf.square(v)))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(train)
            np.testing.assert_allclose(session.run(v), [0.9, 1.9], rtol=1e-5)
        self.assertEqual([x.name for x in tf.global_variables()], ['r:0', 'beta1_power:0', 'beta2_power:0', 'r/Adam:0', 'r/Adam_1:0'])

    def test_first_values_from_others(self):
        """One step initializes all, in whatever order: a first value takes the other's first value where that is not there yet."""
        v = tf.Variable([1., 2.], name='v')
        with tf.variable_scope('s'):
            w = tf.Variable(v * 2., name='w')
        u = tf.Variable(v.initialized_value() + 1., name='u')
        r = tf.get_variable('r', initializer=tf.reduce_sum(v), use_resource=True)
        self.assertEqual((w.initializer.inputs[1].name, w.initial_value.name), ('s/mul_s/w:0', 's/mul:0'))
        for _ in range(10):
            with tf.Session() as session:
                session.run(tf.global_variables_initializer())
                np.testing.assert_array_equal(session.run(w), [2., 4.])
                np.testing.assert_array_equal(session.run(u), [2., 3.])
                self.assertEqual(session.run(r), 3.)
        with tf.Session() as session:
            session.run(v.initializer)
            session.run(v.assign([5., 5.]))
            session.run(w.initializer)
            np.testing.assert_array_equal(session.run(w), [10., 10.])

    def test_fetched_assignments(self):
        """What an assignment to a resource gives is fetched without a new node, each time."""
        v = tf.get_variable('v', [2], initializer=tf.zeros_initializer(), use_resource=True)
        add, put = v.assign_add([1., 2.]), v.assign([7., 7.])
        self.assertEqual([op.name for op in tf.get_default_graph().get_operations()][-6:],
                         ['Const', 'AssignAddVariableOp', 'ReadVariableOp', 'Const_1', 'AssignVariableOp', 'ReadVariableOp_1'])
        init = tf.global_variables_initializer()
        tf.get_default_graph().finalize()
        with tf.Session() as session:
            session.run(init)
            session.run(add)
            np.testing.assert_array_equal(session.run(add), [2., 4.])
            np.testing.assert_array_equal(session.run([put])[0], [7., 7.])
            np.testing.assert_array_equal(add.eval(), [8., 9.])
        self.assertEqual((add.name, add.op.type), ('AssignAddVariableOp', 'AssignAddVariableOp'))

    def test_partitioned(self):
        with tf.variable_scope('p', partitioner=tf.fixed_size_partitioner(2)):
            v = tf.get_variable('v', [5, 2], initializer=tf.ones_initializer())
        self.assertEqual([x.name for x in tf.global_variables()], ['p/v/part_0:0', 'p/v/part_1:0'])
        self.assertEqual([x.shape.as_list() for x in v], [[3, 2], [2, 2]])
        got = self.value([tf.convert_to_tensor(v), tf.nn.embedding_lookup(v, [4, 0], partition_strategy='div')])
        self.assertEqual([x.shape for x in got], [(5, 2), (2, 2)])

    def test_slices_of_resources(self):
        v = tf.get_variable('v', initializer=[1., 2., 3.], use_resource=True)
        changed = v[1:].assign([7., 8.])
        self.assertEqual(self.value(changed).tolist(), [1., 7., 8.])

    def test_report(self):
        v = tf.Variable(1., name='v')
        with tf.Session() as session:
            report = tf.report_uninitialized_variables()
            self.assertEqual(list(session.run(report)), [b'v'])
            session.run(v.initializer)
            self.assertEqual(list(session.run(report)), [])


class Slots(Base):
    def test_parts_are_saved_as_one(self):
        """A partitioned variable's slots are in a checkpoint as one tensor, as the variable is."""
        with tf.variable_scope('m', partitioner=tf.fixed_size_partitioner(3)):
            p = tf.get_variable('p', [6, 2], initializer=tf.ones_initializer())
        factors = tf.constant(np.arange(12.).reshape(6, 2), tf.float32)
        step = tf.train.MomentumOptimizer(.1, .9).minimize(tf.reduce_sum(tf.convert_to_tensor(p) * factors))
        with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            path = tf.train.Saver().save(session, folder + '/model')
            self.assertEqual(tf.train.list_variables(path), [('m/p', [6, 2]), ('m/p/Momentum', [6, 2])])
            np.testing.assert_array_equal(tf.train.load_variable(path, 'm/p/Momentum'), np.arange(12.).reshape(6, 2))

    def test_views_of_dicts(self):
        v = {'a': tf.Variable(1.), 'b': tf.Variable(2.)}
        step = tf.train.GradientDescentOptimizer(1.).minimize(v['a'] * v['b'], var_list=v.values())
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step)
            self.assertEqual(session.run(v), {'a': -1., 'b': 1.})


class Gradients(Base):
    def test_dense(self):
        x = tf.constant([1., 2.])
        self.assertEqual(list(self.value(tf.gradients(x * x, x)[0], init=False)), [2, 4])
        self.assertEqual(tf.gradients(tf.constant(1.), x), [None])

    def test_weights_and_stops(self):
        a = tf.constant(3.)
        b = a * 2.
        grads = tf.gradients(a + b, [a, b], stop_gradients=[a, b])
        self.assertEqual(self.value(grads, init=False), [1, 1])
        self.assertEqual(self.value(tf.gradients(b, a, grad_ys=[5.]), init=False), [10])

    def test_sparse(self):
        table = tf.Variable(np.ones((5, 2), 'f'))
        grad, = tf.gradients(tf.reduce_sum(tf.gather(table, [1, 3])), table)
        self.assertIsInstance(grad, tf.IndexedSlices)
        self.assertEqual(list(self.value(grad).indices), [1, 3])

    def test_custom(self):
        @tf.custom_gradient
        def act(x):
            return x * x, lambda dy: dy * 100.
        x = tf.constant(2.)
        self.assertEqual(self.value(tf.gradients(act(x * 3.) * 2., x), init=False), [600])

    def test_functions_with_gradients_of_their_own(self):
        from tensorflow.python.framework import function

        @function.Defun(tf.float32, tf.float32)
        def slope(x, dy):
            return dy * 3.

        @function.Defun(tf.float32, grad_func=slope)
        def square(x):
            return x * x

        @function.Defun(tf.float32)
        def around(x):
            """A square and one."""
            return square(x) + 1.

        @function.Defun(python_grad_func=lambda op, dy: dy * 7., shape_func=lambda op: [op.inputs[0].get_shape()], noinline=True)
        def same(x):
            return tf.identity(x)
        x, y = tf.constant(2.), tf.ones([2, 3])
        kept = same(y)
        self.assertEqual(kept.shape.as_list(), [2, 3])
        found = self.value([tf.gradients(square(x), x)[0], tf.gradients(around(x), x)[0], tf.gradients(kept, y)[0][0, 0]])
        self.assertEqual(found, [3., 3., 7.])
        self.assertEqual(around.definition.signature.description, 'A square and one.')
        with self.assertRaisesRegex(ValueError, 'arguments: 1, received: 2'):
            square(x, x)

    def test_variables_of_functions_are_those_of_the_graph(self):
        from tensorflow.python.framework import function

        @function.Defun(tf.float32)
        def scaled(x):
            with tf.variable_scope('s'):
                return x * tf.get_variable('w', [], initializer=tf.constant_initializer(3.))
        out = scaled(2.)
        self.assertEqual([var.name for var in tf.global_variables()], ['s/w:0'])
        self.assertEqual(self.value(out), 6.)

    def test_override(self):
        name = 'Hundred%d' % id(self)
        tf.RegisterGradient(name)(lambda op, grad: grad * 100.)
        x = tf.constant(2.)
        with tf.get_default_graph().gradient_override_map({'Identity': name}):
            y = tf.identity(x)
        self.assertEqual(self.value(tf.gradients(y * y, x), init=False), [400])


class Flow(Base):
    def test_cond(self):
        p, x = tf.placeholder(tf.bool, []), tf.constant(3.)
        y = tf.cond(p, lambda: x * 2., lambda: x + 1.)
        grad, = tf.gradients(y, x)
        self.assertEqual(self.value([y, grad], {p: True}, False), [6, 2])
        self.assertEqual(self.value([y, grad], {p: False}, False), [4, 1])

    def test_cond_ops(self):
        v, p = tf.Variable(0), tf.placeholder(tf.bool, [])
        done = tf.cond(p, lambda: v.assign(1).op, tf.no_op)
        with tf.Session() as session:
            session.run(v.initializer)
            session.run(done, {p: False})
            self.assertEqual(session.run(v), 0)
            session.run(done, {p: True})
            self.assertEqual(session.run(v), 1)

    def test_loop(self):
        x = tf.constant(2.)
        i, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, 1.])
        self.assertEqual(self.value([i, y, tf.gradients(y, x)[0]], init=False), [3, 8, 12])

    def test_nested(self):
        def outer(i, s):
            _, t = tf.while_loop(lambda j, t: j < i, lambda j, t: (j + 1, t + tf.cond(j > 0, lambda: 10, lambda: 1)), [0, s])
            return i + 1, t
        self.assertEqual(self.value(tf.while_loop(lambda i, s: i < 4, outer, [0, 0]), init=False), [4, 33])

    def test_limit_and_shapes(self):
        x = tf.while_loop(lambda x: True, lambda x: tf.concat([x, x], 0), [tf.ones([1])],
                          shape_invariants=[tf.TensorShape([None])], maximum_iterations=3)
        self.assertEqual(self.value(x, init=False).shape, (8,))

    def test_array(self):
        array = tf.TensorArray(tf.float32, 3)
        _, array = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a.write(i, tf.to_float(i) * 2.)), [0, array])
        self.assertEqual(list(self.value(array.stack(), init=False)), [0, 2, 4])

    def test_map_and_folds(self):
        x = tf.constant([1., 2., 3.])
        mapped = tf.map_fn(lambda v: v * v, x)
        self.assertEqual(mapped.shape.as_list(), [3])
        got = self.value([mapped, tf.foldl(lambda a, v: a + v, x), tf.scan(lambda a, v: a + v, x), tf.gradients(mapped, x)[0],
                          tf.scan(lambda a, v: a + v, x, 10., reverse=True)], init=False)
        self.assertEqual([list(np.atleast_1d(item)) for item in got], [[1, 4, 9], [6], [1, 3, 6], [2, 4, 6], [16, 15, 13]])

    def test_case_and_group(self):
        x = tf.placeholder(tf.int32, [])
        y = tf.case([(tf.equal(x, 0), lambda: tf.constant(10)), (tf.equal(x, 1), lambda: tf.constant(20))],
                    default=lambda: tf.constant(30))
        self.assertEqual([self.value(y, {x: i}, False) for i in range(3)], [10, 20, 30])
        self.value(tf.group(y, tf.no_op()), {x: 0}, False)
        with self.assertRaises(tf.errors.InvalidArgumentError):
            self.value(tf.Assert(x > 5, [x]), {x: 0}, False)

    def test_checks(self):
        x = tf.placeholder(tf.float32, [2])
        with tf.control_dependencies([tf.assert_less(x, 3.)]):
            y = tf.identity(x)
        self.assertEqual(list(self.value(y, {x: [1, 2]}, False)), [1, 2])
        with self.assertRaises(tf.errors.InvalidArgumentError):
            self.value(y, {x: [1, 4]}, False)
        with self.assertRaises(ValueError):
            tf.assert_rank(x, 2)
        self.assertEqual(list(self.value(tf.Print(x, [x], 'x: '), {x: [1, 2]}, False)), [1, 2])
