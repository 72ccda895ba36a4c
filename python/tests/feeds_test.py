"""Feeds that are lent to a step: what the program does to its arrays later reaches nothing that outlived the step."""
import socket
import sys
import threading
import time
import unittest

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import function
from tensorflow.python.ops import control_flow_ops, data_flow_ops, gen_array_ops, gen_list_ops, lookup_ops


def placed(values, offset):
    """The values in memory that begins `offset` bytes after a multiple of 64."""
    values = np.asarray(values, np.float32)
    room = np.zeros(values.nbytes + 128, np.uint8)
    begin = -room.ctypes.data % 64 + offset
    array = room[begin:begin + values.nbytes].view(np.float32).reshape(values.shape)
    array[...] = values
    return array


def two_servers():
    """Both tasks of a cluster, in this process."""
    with socket.socket() as first, socket.socket() as second:
        for each in (first, second):
            each.bind(('localhost', 0))
        hosts = ['localhost:%d' % each.getsockname()[1] for each in (first, second)]
    return [tf.train.Server({'worker': hosts}, 'worker', number) for number in range(2)]


class Fed(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.arrays = [placed(np.ones([3, 4]), offset) for offset in (0, 4, 16)]

    def outlives(self, keep, read):
        """Runs `keep` with each array, changes the array, and looks at what `read` gives; each twice, since later runs are known."""
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for array in self.arrays * 2:
                array[...] = 1.
                session.run(keep, {self.x: array})
                array[...] = 5.
                np.testing.assert_array_equal(np.ravel(session.run(read))[:4], [1.] * 4)


class Lent(Fed):
    def test_variables(self):
        for resource in (False, True):
            with tf.variable_scope('r%d' % resource):
                variable = tf.get_variable('v', [3, 4], use_resource=resource, trainable=False)
                self.outlives(tf.assign(variable, self.x).op, variable)

    def test_a_view_in_a_variable(self):
        variable = tf.get_variable('flat', [12])
        self.outlives(tf.assign(variable, tf.reshape(self.x, [-1])).op, variable)

    def test_queues_and_stages(self):
        queue = tf.FIFOQueue(10, tf.float32)
        self.outlives(queue.enqueue([self.x]), queue.dequeue())
        rows = tf.FIFOQueue(30, tf.float32, shapes=[[4]])
        self.outlives(rows.enqueue_many([self.x]), rows.dequeue_many(3))

    def test_branches(self):
        variable = tf.get_variable('branch', [3, 4])
        kept = tf.cond(tf.reduce_sum(self.x) > 0., lambda: tf.assign(variable, self.x), lambda: tf.identity(self.x))
        self.outlives(kept.op, variable)

    def test_datasets(self):
        iterator = tf.data.Dataset.from_tensor_slices(self.x).repeat().make_initializable_iterator()
        self.outlives(iterator.initializer, iterator.get_next())

    def test_training_leaves_the_array_alone(self):
        variable = tf.get_variable('w', [3, 4])
        begin, step = tf.assign(variable, self.x).op, tf.assign_add(variable, tf.ones([3, 4])).op
        with tf.Session() as session:
            for array in self.arrays:
                session.run(begin, {self.x: array})
                session.run(step)
                np.testing.assert_array_equal(array, np.ones([3, 4]))

    def test_fetches_are_the_programs(self):
        same = tf.reshape(self.x, [-1])
        with tf.Session() as session:
            for array in self.arrays * 2:
                array[...] = 1.
                got = session.run(same, {self.x: array})
                got[0] = 9.
                array[...] = 5.
                np.testing.assert_array_equal(got[:2], [9., 1.])

    def test_constants(self):
        constants = [tf.constant(array) for array in self.arrays]
        for array in self.arrays:
            array[...] = 5.
        with tf.Session() as session:
            for value in session.run(constants):
                np.testing.assert_array_equal(value, np.ones([3, 4]))


class Kept(Fed):
    """Everything that can hold a value beyond a step, fed directly and through what passes a tensor on."""

    PASSES = {
        'identity': tf.identity,
        'reshape': lambda x: tf.reshape(tf.reshape(x, [-1]), [3, 4]),
        'slice': lambda x: x[:, :],
        'cast': lambda x: tf.cast(x, tf.float32),
        'stop_gradient': tf.stop_gradient,
        'expand': lambda x: tf.squeeze(tf.expand_dims(x, 0), [0]),
        'cond': lambda x: tf.cond(tf.size(x) > 0, lambda: tf.identity(x), lambda: tf.zeros([3, 4])),
        'while': lambda x: tf.while_loop(lambda i, _: i < 2, lambda i, y: (i + 1, tf.identity(y)), [0, x])[1],
        'defun': lambda x: function.Defun(tf.float32)(tf.identity)(x),
        'array': lambda x: tf.TensorArray(tf.float32, 1).write(0, x).read(0),
        'unstack': lambda x: tf.TensorArray(tf.float32, 3).unstack(x).stack(),
        'tuple': lambda x: tf.tuple([x, tf.size(x)])[0],
        'merge': lambda x: control_flow_ops.merge([control_flow_ops.switch(x, True)[1]])[0],
        'default': lambda x: tf.placeholder_with_default(x, [None, 4]),
        'print': lambda x: tf.Print(x, []),
        'numerics': lambda x: tf.check_numerics(x, 'bad'),
        'gradient': lambda x: tf.gradients(tf.identity(x), x, grad_ys=x)[0],
        'concat': lambda x: tf.concat([x], 0),
        'add_n': lambda x: tf.add_n([x]),
        'split': lambda x: tf.split(x, 1)[0],
        'tile': lambda x: tf.tile(x, [1, 1]),
        'transpose': lambda x: tf.transpose(x, [0, 1]),
        'pad': lambda x: tf.pad(x, [[0, 0], [0, 0]]),
        'bitcast': lambda x: tf.bitcast(tf.bitcast(x, tf.int32), tf.float32),
        'dropout': lambda x: tf.nn.dropout(x, 1.),
        'partition': lambda x: tf.dynamic_partition(x, [0, 0, 0], 1)[0],
        'stitch': lambda x: tf.dynamic_stitch([[0, 1, 2]], [x]),
        'py_func': lambda x: tf.py_func(lambda value: value, [x], tf.float32),
        'stateless py_func': lambda x: tf.py_func(lambda value: value, [x], tf.float32, stateful=False),
    }

    def test_passes(self):
        for resource in (False, True):
            for name, through in self.PASSES.items():
                with self.subTest(name, resource=resource), tf.Graph().as_default():
                    self.x = tf.placeholder(tf.float32, [None, 4])
                    variable = tf.get_variable('v', [3, 4], use_resource=resource)
                    self.outlives(tf.assign(variable, through(self.x), validate_shape=False).op if not resource else
                                  variable.assign(tf.reshape(through(self.x), [3, 4])).op, variable)

    def test_fetches(self):
        for name, through in self.PASSES.items():
            with self.subTest(name), tf.Graph().as_default(), tf.Session() as session:
                x = tf.placeholder(tf.float32, [None, 4])
                passed, again = through(x), through(x)
                if passed is x:  # a placeholder's own value is the array that was fed, as in TensorFlow
                    continue
                for array in self.arrays * 2:
                    array[...] = 1.
                    results = session.run([passed, again], {x: array})
                    array[...] = 5.
                    for result in results:
                        np.testing.assert_array_equal(result, np.ones([3, 4]))
                        result[...] = 7.
                    np.testing.assert_array_equal(array, np.full([3, 4], 5.))

    def test_containers(self):
        for name, make in {
                'random': lambda: tf.RandomShuffleQueue(10, 0, tf.float32),
                'padding': lambda: tf.PaddingFIFOQueue(10, tf.float32, [[None, 4]]),
                'priority': lambda: tf.PriorityQueue(10, tf.float32, [[3, 4]])}.items():
            with self.subTest(name), tf.Graph().as_default():
                self.x = tf.placeholder(tf.float32, [None, 4])
                queue, first = make(), [np.int64(1)] if name == 'priority' else []
                self.outlives(queue.enqueue(first + [self.x]), self.last(queue.dequeue()))

    @staticmethod
    def last(values):
        return values[-1] if isinstance(values, (list, tuple)) else values

    def test_stages(self):
        area = data_flow_ops.StagingArea([tf.float32], [[3, 4]])
        self.outlives(area.put([self.x]), self.last(area.get()))
        area = data_flow_ops.MapStagingArea([tf.float32], [[3, 4]])
        self.outlives(area.put(np.int64(1), [self.x], [0]), self.last(area.get(np.int64(1))))

    def test_accumulators(self):
        mean = tf.ConditionalAccumulator(tf.float32, [3, 4])
        self.outlives(mean.apply_grad(self.x, 100), mean.take_grad(1))
        sparse = tf.SparseConditionalAccumulator(tf.float32, [3, 4])
        self.outlives(sparse.apply_grad([0, 1, 2], self.x, local_step=100), sparse.take_grad(1)[1])

    def test_barriers(self):
        barrier = data_flow_ops.Barrier([tf.float32], [[4]])
        keys = tf.as_string(tf.range(3))
        self.outlives(barrier.insert_many(0, keys, self.x), barrier.take_many(3)[2][0])

    def test_tables(self):
        table = lookup_ops.MutableHashTable(tf.int64, tf.float32, [0.] * 4)
        self.outlives(table.insert(np.arange(3), self.x), table.lookup(np.arange(3)))

    def test_handles(self):
        handle = tf.get_session_handle(self.x)
        with tf.Session() as session:
            for array in self.arrays * 2:
                array[...] = 1.
                kept = session.run(handle, {self.x: array})
                array[...] = 5.
                np.testing.assert_array_equal(kept.eval(), np.ones([3, 4]))

    def test_scalars(self):
        self.x = tf.placeholder(tf.float32, [])
        variable = tf.get_variable('scalar', [])
        self.arrays = [np.array(1., np.float32)]
        keep = tf.assign(variable, self.x).op
        with tf.Session() as session:
            for _ in range(3):
                self.arrays[0][...] = 1.
                session.run(keep, {self.x: self.arrays[0]})
                self.arrays[0][...] = 5.
                self.assertEqual(session.run(variable), 1.)

    def test_partial_runs(self):
        y, total = tf.placeholder(tf.float32, []), tf.reduce_sum(self.x)
        later = self.x * y
        with tf.Session() as session:
            for array in self.arrays * 2:
                array[...] = 1.
                step = session.partial_run_setup([total, later], [self.x, y])
                self.assertEqual(session.partial_run(step, total, {self.x: array}), 12.)
                array[...] = 5.
                np.testing.assert_array_equal(session.partial_run(step, later, {y: 2.}), np.full([3, 4], 2.))

    def test_callables(self):
        variable = tf.get_variable('called', [3, 4])
        with tf.Session() as session:
            keep = session.make_callable(tf.assign(variable, self.x), [self.x])
            for array in self.arrays * 2:
                array[...] = 1.
                got = keep(array)
                array[...] = 5.
                np.testing.assert_array_equal(got, np.ones([3, 4]))
                np.testing.assert_array_equal(session.run(variable), np.ones([3, 4]))

    def test_python_functions_keep_arguments(self):
        for stateful in (True, False):
            kept = []
            call = tf.py_func(lambda value: kept.append(value) or np.float32(0), [tf.identity(self.x)], tf.float32, stateful=stateful)
            with tf.Session() as session:
                for array in self.arrays:
                    array[...] = 1.
                    session.run(call, {self.x: array})
                    array[...] = 5.
            for value in kept:
                np.testing.assert_array_equal(value, np.ones([3, 4]))

    def test_python_functions_keep_results(self):
        """A function may return the same array each time and change it later."""
        own = placed(np.zeros([3, 4]), 0)

        def fill():
            own[...] += 1.
            return own
        for stateful in (True, False):
            own[...] = 0.
            variable = tf.get_variable('own%d' % stateful, [3, 4])
            with tf.Session() as session:
                for number in range(1, 4):
                    session.run(tf.assign(variable, tf.py_func(fill, [], tf.float32, stateful=stateful)).op)
                    np.testing.assert_array_equal(session.run(variable), np.full([3, 4], number))
        own[...] = 0.
        loop = tf.map_fn(lambda _: tf.py_func(fill, [], tf.float32), tf.range(5), tf.float32, parallel_iterations=1)
        with tf.Session() as session:
            self.assertEqual(sorted(session.run(loop)[:, 0, 0]), [1., 2., 3., 4., 5.])

    def test_generators_reuse_arrays(self):
        own = placed(np.zeros([4]), 0)

        def rows():
            for number in range(6):
                own[...] = number
                yield own
        for dataset in (lambda d: d, lambda d: d.prefetch(4), lambda d: d.shuffle(6), lambda d: d.batch(3), lambda d: d.cache(),
                        lambda d: d.map(tf.identity, 2), lambda d: d.window(2).flat_map(lambda w: w)):
            made = dataset(tf.data.Dataset.from_generator(rows, tf.float32, [4]))
            item = made.make_one_shot_iterator().get_next()
            seen = []
            with tf.Session() as session:
                with self.assertRaises(tf.errors.OutOfRangeError):
                    while True:
                        seen.append(session.run(item))
            self.assertEqual(sorted(np.concatenate([np.reshape(s, [-1, 4]) for s in seen])[:, 0]), list(range(6)))

    def test_dataset_stages(self):
        for name, stage in {
                'slices': lambda d: d, 'cache': lambda d: d.cache(), 'prefetch': lambda d: d.prefetch(2),
                'capture': lambda d: d.map(lambda row: row * 0. + self.x[0]), 'batch': lambda d: d.batch(3),
                'whole': lambda d: tf.data.Dataset.from_tensors(self.x), 'zip': lambda d: tf.data.Dataset.zip((d, d)).map(lambda a, b: b),
                'generator': lambda d: d.flat_map(lambda row: tf.data.Dataset.from_tensors(self.x))}.items():
            with self.subTest(name), tf.Graph().as_default():
                self.x = tf.placeholder(tf.float32, [None, 4])
                iterator = stage(tf.data.Dataset.from_tensor_slices(self.x)).repeat().make_initializable_iterator()
                self.outlives(iterator.initializer, iterator.get_next())

    def test_lists(self):
        rows = gen_list_ops.tensor_list_push_back(gen_list_ops.tensor_list_from_tensor(self.x, [4]), self.x[0])
        self.outlives_in_step(gen_list_ops.tensor_list_stack(rows, [4], tf.float32))

    def outlives_in_step(self, result):
        with tf.Session() as session:
            for array in self.arrays * 2:
                array[...] = 1.
                got = session.run(result, {self.x: array})
                array[...] = 5.
                np.testing.assert_array_equal(got, np.ones_like(got))

    def test_one_server(self):
        server = tf.train.Server.create_local_server()
        queue = tf.FIFOQueue(10, tf.float32)
        variable = tf.get_variable('served', [3, 4])
        keep = tf.group(tf.assign(variable, tf.identity(self.x)), queue.enqueue(self.x))
        item, same = queue.dequeue(), tf.identity(self.x)
        with tf.Session(server.target) as session:
            for array in self.arrays * 2:
                array[...] = 1.
                _, got = session.run([keep, same], {self.x: array})
                array[...] = 5.
                for value in session.run([variable, item]) + [got]:
                    np.testing.assert_array_equal(value, np.ones([3, 4]))

    def test_two_tasks(self):
        servers = two_servers()
        with tf.device('/job:worker/task:1'):
            queue = tf.FIFOQueue(10, tf.float32)
            variable = tf.get_variable('far', [3, 4])
            keep = tf.group(tf.assign(variable, tf.identity(self.x)), queue.enqueue(self.x))
            item = queue.dequeue()
        with tf.device('/job:worker/task:0'):
            here = tf.identity(self.x)
            near = tf.get_variable('near', [3, 4])
            keep = tf.group(keep, tf.assign(near, here))
        for server in servers:
            with tf.Session(server.target) as session:
                for array in self.arrays * 2:
                    array[...] = 1.
                    _, got = session.run([keep, here], {self.x: array})
                    array[...] = 5.
                    for value in session.run([variable, near, item]) + [got]:
                        np.testing.assert_array_equal(value, np.ones([3, 4]))

    def test_threads_with_an_array_each(self):
        queue = tf.FIFOQueue(1000, tf.float32)
        keep, count = queue.enqueue(self.x), 50
        rows = tf.FIFOQueue(1000, tf.float32, shapes=[[4]])
        keep = tf.group(keep, rows.enqueue_many(self.x))

        def feeds(session, number):
            array = placed(np.zeros([3, 4]), 0)
            for i in range(count):
                array[...] = number * count + i
                session.run(keep, {self.x: array})
                array[...] = -1.
        with tf.Session() as session:
            threads = [threading.Thread(target=feeds, args=(session, number)) for number in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            item, many = queue.dequeue(), rows.dequeue_many(4 * count * 3)
            seen = [session.run(item) for _ in range(4 * count)]
            self.assertEqual(sorted(value[0, 0] for value in seen), list(range(4 * count)))
            self.assertTrue(all((value == value[0, 0]).all() for value in seen))
            self.assertEqual(sorted(session.run(many)[:, 3]), sorted(list(range(4 * count)) * 3))

    def test_arrays_are_not_written(self):
        """Nothing computes in the memory of a lent array."""
        values = np.arange(12, dtype=np.float32).reshape(3, 4) - 5.
        makes = [tf.nn.relu, tf.negative, tf.abs, tf.square, tf.exp, lambda x: x + 1., lambda x: tf.add_n([x, x]),
                 lambda x: tf.nn.softmax(x), lambda x: tf.nn.log_softmax(x), lambda x: tf.cumsum(x), lambda x: tf.reverse(x, [1]),
                 lambda x: tf.nn.bias_add(x, [1.] * 4), lambda x: tf.nn.top_k(x, 4)[0], lambda x: tf.clip_by_value(x, 0., 1.),
                 lambda x: tf.reshape(x, [-1]) * 2., lambda x: tf.random_shuffle(x), lambda x: tf.nn.l2_normalize(x, 1),
                 lambda x: tf.tensor_scatter_update(x, [[0]], [[9.] * 4]), lambda x: gen_array_ops.inplace_add(x, [0], [[9.] * 4]),
                 lambda x: gen_array_ops.inplace_update(x, [0], [[9.] * 4]), lambda x: tf.where(x > 0., x, -x),
                 lambda x: tf.while_loop(lambda i, _: i < 3, lambda i, y: (i + 1, y + 1.), [0, x])[1],
                 lambda x: tf.accumulate_n([x, x]), lambda x: tf.nn.moments(x, [0])[0], lambda x: tf.matmul(x, x, transpose_b=True)]
        for make in makes:
            with tf.Graph().as_default(), tf.Session() as session:
                x = tf.placeholder(tf.float32, [3, 4])
                result, through = make(x), make(tf.identity(x))
                for array in self.arrays * 2:
                    array[...] = values
                    session.run([result, through], {x: array})
                    session.run(result, {x: array})
                    np.testing.assert_array_equal(array, values)


class Known(unittest.TestCase):
    """Runs that were made before give what they gave, whatever changes beside the tensors."""

    def setUp(self):
        tf.reset_default_graph()
        self.x, self.y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32)
        self.sum, self.one = self.x + self.y, tf.constant(1)

    def test_structures(self):
        op = tf.no_op()
        with tf.Session() as session:
            for fetches in ([self.one, op], (op, self.one, self.one), [self.one], self.one, op, [op]):
                first, again = session.run(fetches), session.run(fetches)
                self.assertEqual(first, again)
                self.assertIs(type(first), type(again))

    def test_values(self):
        with tf.Session() as session:
            for x, y in [(np.ones(2, 'f'), 1.), (np.ones(3, 'f'), np.float32(2)), ([1, 2], 3), (np.ones(4), np.ones(4, 'i')),
                         (np.ones(8, 'f')[::2], True), (np.zeros(0, 'f'), 2.5)] * 2:
                got = session.run(self.sum, {self.x: x, self.y: y})
                np.testing.assert_array_equal(got, np.asarray(x, 'f') + np.asarray(y, 'f'))
                self.assertEqual(got.dtype, np.float32)

    def test_ways_to_call(self):
        feeds = {self.x: np.ones(1, 'f'), self.y: 2.}
        with tf.Session() as session:
            for _ in range(2):
                self.assertEqual(session.run(self.sum, feeds), session.run(feed_dict=feeds, fetches=self.sum))
                self.assertEqual(session.run(self.sum, feed_dict=feeds, options=tf.RunOptions()), session.run(self.sum, feeds, None, None))
            for wrong in ((), (self.sum, feeds, None, None, None)):
                self.assertRaises(TypeError, session.run, *wrong)
            self.assertRaises(TypeError, session.run, self.sum, fetches=self.sum)
            self.assertRaises(TypeError, session.run, self.sum, feed=feeds)

    def test_a_tensor_that_may_not_be_fed_any_more(self):
        feeds = {self.x: np.ones(1, 'f'), self.y: 2.}
        with tf.Session() as session:
            session.run(self.sum, feeds)
            tf.get_default_graph().prevent_feeding(self.x)
            self.assertRaises(ValueError, session.run, self.sum, feeds)

    def test_run_of_a_class_and_of_one_derived_from_it(self):
        class Counted(tf.Session):
            count = 0

            def run(self, *args, **kwargs):
                self.count += 1
                return super().run(*args, **kwargs)
        with Counted() as session:
            self.assertEqual([session.run(self.one), tf.Session.run(session, self.one), self.one.eval()], [1, 1, 1])
            self.assertEqual(session.count, 2)

    def test_order_of_feeds(self):
        with tf.Session() as session:
            for feeds in ({self.x: [1.], self.y: 2.}, {self.y: 2., self.x: [1.]}) * 2:
                self.assertEqual(session.run(self.sum, feeds)[0], 3.)

    def test_refusals_come_each_time(self):
        with tf.Session() as session:
            session.run(self.sum, {self.x: np.ones(2, 'f'), self.y: 1.})
            for _ in range(2):
                with self.assertRaises(ValueError):
                    session.run(self.sum, {self.x: np.ones([2, 2], 'f'), self.y: 1.})
                with self.assertRaises(tf.errors.InvalidArgumentError):
                    session.run(self.sum)
            session.close()
            with self.assertRaises(RuntimeError):
                session.run(self.sum, {self.x: np.ones(2, 'f'), self.y: 1.})

    def test_errors_name_the_op(self):
        fails = tf.check_numerics(self.x, 'bad', name='looks')
        with tf.Session() as session:
            session.run(fails, {self.x: np.ones(1, 'f')})
            with self.assertRaises(tf.errors.InvalidArgumentError) as caught:
                session.run(fails, {self.x: np.full(1, np.nan, 'f')})
        self.assertEqual(caught.exception.op.name, 'looks')

    def test_many_runs(self):
        tensors = [tf.constant(i) for i in range(300)]
        with tf.Session() as session:
            for _ in range(2):
                self.assertEqual([session.run(tensor) for tensor in tensors], list(range(300)))


class Returned(unittest.TestCase):
    """Arrays that are lent to a run that the extension knows belong to the program alone as soon as the run is over."""

    def setUp(self):
        tf.reset_default_graph()

    def returned(self, x, fetch, array, error=None):
        def run(session):
            if error is None:
                return np.array(session.run(fetch, {x: array}))
            with self.assertRaises(error):
                session.run(fetch, {x: array})
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            run(session)
            before = sys.getrefcount(array)
            for _ in range(5):
                run(session)
            end = time.monotonic() + 30
            while sys.getrefcount(array) > before and time.monotonic() < end:  # another thread may be about to let go of it
                time.sleep(0.001)
            self.assertEqual(sys.getrefcount(array), before)

    def test_after_steps(self):
        for name, through in Kept.PASSES.items():
            with self.subTest(name), tf.Graph().as_default():
                x = tf.placeholder(tf.float32, [None, 4])
                self.returned(x, through(x), np.ones([3, 4], np.float32))

    def test_after_changes_of_state(self):
        x = tf.placeholder(tf.float32, [3, 4])
        self.returned(x, tf.assign(tf.get_variable('v', [3, 4]), x), np.ones([3, 4], np.float32))

    def test_after_failures(self):
        x = tf.placeholder(tf.float32, [None])
        self.returned(x, tf.check_numerics(x, 'bad'), np.full(3, np.nan, np.float32), tf.errors.InvalidArgumentError)
        self.returned(x, tf.reshape(x, [7]), np.ones(3, np.float32), tf.errors.InvalidArgumentError)

    def test_ranks(self):
        for rank in range(13):
            x = tf.placeholder(tf.float32, [None] * rank)
            self.returned(x, tf.identity(x), np.ones([1] * rank, np.float32))

    def test_a_new_shape_during_the_step(self):
        """The step sees the shape that the array had when it was fed."""
        x = tf.placeholder(tf.float32, [None, None])
        array = np.arange(12, dtype=np.float32).reshape(3, 4)

        def turn():
            array.shape = array.shape[::-1]
            return np.float32(0)
        with tf.control_dependencies([tf.py_func(turn, [], tf.float32)]):
            doubled = x * 2.
        with tf.Session() as session:
            for i in range(6):
                got = session.run(doubled, {x: array})
                self.assertEqual(got.shape, (4, 3) if i % 2 else (3, 4))
                np.testing.assert_array_equal(got.ravel(), np.arange(12) * 2.)

    def test_an_array_that_only_the_step_keeps(self):
        """The dictionary gives up its array while the step runs."""
        x, feeds = tf.placeholder(tf.float32, [None]), {}
        with tf.control_dependencies([tf.py_func(lambda: feeds.clear() or np.float32(0), [], tf.float32)]):
            total = tf.reduce_sum(x)
        with tf.Session() as session:
            for i in range(5):
                feeds[x] = np.full(1000, i, np.float32)
                self.assertEqual(session.run(total, feeds), 1000. * i)

    def test_many(self):
        """More feeds and fetches than the extension has room for in place."""
        for count in (1, 4, 5, 8, 9, 40):
            xs = [tf.placeholder(tf.float32, [None]) for _ in range(count)]
            ys = [x + 1. for x in xs]
            with tf.Session() as session:
                for turn in range(4):
                    feeds = {x: np.full(2, i + turn, np.float32) for i, x in enumerate(xs)}
                    for i, got in enumerate(session.run(ys, feeds)):
                        np.testing.assert_array_equal(got, np.full(2, i + turn + 1.))


if __name__ == '__main__':
    unittest.main()
