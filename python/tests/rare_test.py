"""Names that few programs use: cells of contrib.rnn, dense labels, staging areas, decorators, details of saved models."""
import functools
import os
import tempfile
import unittest

import numpy as np
import tensorflow as tf

rnn = tf.contrib.rnn


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class Base(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        tf.set_random_seed(1)

    def run_all(self, fetches, feeds=None):
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            return session.run(fetches, feeds)


class Cells(Base):
    x, h = np.ones([1, 2], np.float32), np.full([1, 2], .1, np.float32)

    def step(self, cell, state=None):
        """(output, state) of a step whose weights are all 0.5, and the names of the variables."""
        with tf.variable_scope('root', initializer=tf.constant_initializer(.5)):
            made = cell(tf.constant(self.x), tf.constant(self.h) if state is None else state)
        return self.run_all(made), sorted(var.op.name for var in tf.global_variables())

    def test_simple_recurrent_unit(self):
        (output, state), names = self.step(rnn.SRUCell(2))
        gate = sigmoid(1.)
        c = gate * .1 + (1 - gate) * 1.
        np.testing.assert_allclose(state, np.full([1, 2], c), rtol=1e-5)
        np.testing.assert_allclose(output, np.full([1, 2], gate * np.tanh(c) + 1 - gate), rtol=1e-5)
        self.assertEqual(names, ['root/sru_cell/bias', 'root/sru_cell/kernel'])

    def test_minimal(self):
        (output, _), names = self.step(rnn.MinimalRNNCell(2, kernel_initializer=tf.constant_initializer(.5)))
        z = np.tanh(1.)
        gate = sigmoid(.1 + z + 1)
        np.testing.assert_allclose(output, np.full([1, 2], gate * .1 + (1 - gate) * z), rtol=1e-5)
        self.assertEqual(names, ['root/minimal_rnn_cell/' + name for name in ('bias', 'kernel', 'recurrent_kernel')])

    def test_without_chaos(self):
        (output, _), _ = self.step(rnn.CFNCell(2, kernel_initializer=tf.constant_initializer(.5)))
        gate = sigmoid(.1 + 1 + 1)
        np.testing.assert_allclose(output, np.full([1, 2], gate * np.tanh(.1) + (1 - gate) * np.tanh(1.)), rtol=1e-5)

    def test_intersection(self):
        (output, state), _ = self.step(rnn.IntersectionRNNCell(2))
        total = .5 * 2.2
        gate = sigmoid(total + 1)
        np.testing.assert_allclose(output, np.full([1, 2], gate + (1 - gate) * total), rtol=1e-5)
        np.testing.assert_allclose(state, np.full([1, 2], gate * .1 + (1 - gate) * np.tanh(total)), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, 'input size == output size'):
            rnn.IntersectionRNNCell(3)(tf.zeros([1, 2]), tf.zeros([1, 3]))

    def test_own_state_alone(self):
        for cell in (rnn.IndRNNCell(2), rnn.IndyGRUCell(2)):
            (output, state), names = self.step(cell)
            self.assertEqual(output.shape, (1, 2))
            self.assertTrue(any(name.endswith('kernel_u') for name in names), names)
        cell = rnn.IndyLSTMCell(2)
        (_, state), _ = self.step(cell, cell.zero_state(1, tf.float32))
        self.assertEqual(state.c.shape, (1, 2))

    def test_variants_of_lstm_equal_it(self):
        for variant in (rnn.LayerNormLSTMCell(2), rnn.WeightNormLSTMCell(2, norm=False), rnn.GLSTMCell(2),
                        rnn.CompiledWrapper(rnn.LSTMCell(2))):
            tf.reset_default_graph()
            plain = rnn.LSTMCell(2)
            with tf.variable_scope('root', initializer=tf.constant_initializer(.5)):
                state = rnn.LSTMStateTuple(tf.constant(self.h), tf.constant(self.h * 2))
                made = [cell(tf.constant(self.x), state) for cell in (plain, variant)]
            (want, want_state), (got, got_state) = self.run_all(made)
            np.testing.assert_allclose(got, want, rtol=1e-5)
            np.testing.assert_allclose(got_state.c, want_state.c, rtol=1e-5)

    def test_normalized(self):
        for cell in (rnn.LayerNormLSTMCell(2, layer_norm=True), rnn.WeightNormLSTMCell(2), rnn.WeightNormLSTMCell(2, num_proj=3)):
            tf.reset_default_graph()
            zero = cell.zero_state(1, tf.float32)
            (output, state), _ = self.step(cell, zero)
            self.assertTrue(np.isfinite(output).all())
            self.assertEqual(output.shape[1], cell.output_size)

    def test_phases(self):
        cell = rnn.PhasedLSTMCell(2)
        outputs, _ = tf.nn.dynamic_rnn(cell, (tf.ones([3, 4, 1]), tf.ones([3, 4, 5])), dtype=tf.float32)
        self.assertTrue(np.isfinite(self.run_all(outputs)).all())

    def test_a_block_of_gru_has_a_gradient(self):
        x = tf.constant(np.random.RandomState(1).rand(3, 4).astype(np.float32))
        h = tf.constant(np.random.RandomState(2).rand(3, 5).astype(np.float32))
        results = []
        for kind, name in ((rnn.GRUCell, 'plain'), (rnn.GRUBlockCellV2, 'block')):
            with tf.variable_scope(name, initializer=tf.random_uniform_initializer(-.5, .5, seed=3)):
                cell = kind(5)
                output, _ = cell(x, h)
                results.append(tf.gradients(tf.reduce_sum(tf.square(output)), [x, h] + cell.trainable_variables))
        for want, got in zip(*self.run_all(results)):
            np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


class Labels(Base):
    def test_ctc_loss_with_dense_labels(self):
        logits = tf.constant(np.random.RandomState(1).rand(6, 2, 5).astype(np.float32))
        labels, lengths, frames = tf.constant([[1, 3, 3], [2, 0, 0]]), [3, 1], [6, 5]
        sparse = tf.SparseTensor([[0, 0], [0, 1], [0, 2], [1, 0]], [1, 3, 3, 2], [2, 3])
        want = tf.nn.ctc_loss(sparse, logits, frames)  # whose blank is the last class
        shifted = tf.concat([logits[:, :, 4:], logits[:, :, :4]], 2)
        for got in (tf.nn.ctc_loss_v2(labels, logits, lengths, frames, blank_index=-1),
                    tf.nn.ctc_loss_v2(labels + 1, shifted, lengths, frames),
                    tf.nn.ctc_loss_v2(sparse, tf.transpose(logits, [1, 0, 2]), None, frames, logits_time_major=False, blank_index=-1)):
            np.testing.assert_allclose(*self.run_all([got, want]), rtol=1e-5)
        with self.assertRaisesRegex(ValueError, 'blank_index must be given'):
            tf.nn.ctc_loss_v2(sparse, logits, None, frames)

    def test_staging_areas_give_the_key_too(self):
        from tensorflow.python.ops import data_flow_ops
        area = data_flow_ops.MapStagingArea([tf.float32, tf.float32], names=['a', 'b'])
        put, (key, values) = area.put(7, {'a': 1., 'b': 2.}), area.get(7)
        with tf.Session() as session:
            session.run(put)
            self.assertEqual(session.run([key if isinstance(key, tf.Tensor) else tf.constant(key), values]), [7, {'a': 1., 'b': 2.}])


class Imports(Base):
    def test_everything_of_a_module(self):
        for text, wanted in (('tensorflow.python.ops.rnn_cell', 'GRUCell'), ('tensorflow.contrib.rnn.python.ops.rnn_cell', 'LSTMCell'),
                             ('tensorflow.contrib.layers', 'fully_connected'), ('tensorflow', 'matmul')):
            names = {}
            exec('from %s import *' % text, names)
            self.assertIn(wanted, names)
            self.assertFalse([name for name in names if name.startswith('_') and name != '__builtins__'])

    def test_bad_graphs_are_value_errors(self):
        graph = tf.GraphDef()
        graph.node.add(name='b', op='NoOp', input=['^a'])
        with self.assertRaisesRegex(ValueError, "Node 'b': Unknown input node '\\^a'"):
            tf.import_graph_def(graph)
        with self.assertRaisesRegex(TypeError, 'graph_def must be a GraphDef proto'):
            tf.import_graph_def('')
        with self.assertRaisesRegex(TypeError, 'input_map must be a dictionary'):
            tf.import_graph_def(tf.GraphDef(), input_map=[1])


class Products(Base):
    def test_tensordot_of_what_a_step_shows(self):
        random = np.random.RandomState(1)
        a, b, x = random.rand(3, 4, 5).astype('f'), random.rand(4, 5, 6).astype('f'), tf.placeholder(tf.float32)
        axes_fed = tf.placeholder(tf.int32)
        with tf.Session() as session:
            for axes in (2, [[1, 2], [0, 1]], [[-2], [0]]):
                want = np.tensordot(a, b, axes)
                np.testing.assert_allclose(session.run(tf.tensordot(x, b, axes), {x: a}), want, rtol=1e-5)
                np.testing.assert_allclose(session.run(tf.tensordot(tf.constant(a), x, axes), {x: b}), want, rtol=1e-5)
            fed = session.run(tf.tensordot(tf.constant(a), b, axes_fed), {axes_fed: [[1, 2], [0, 1]]})
            np.testing.assert_allclose(fed, np.tensordot(a, b, 2), rtol=1e-5)


    def test_meshgrid_of_lengths_that_a_step_shows(self):
        n, m = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
        with tf.Session() as session:
            for indexing in ('xy', 'ij'):
                got = session.run(tf.meshgrid(tf.range(n), tf.range(m), indexing=indexing), {n: 3, m: 4})
                for one, other in zip(got, np.meshgrid(np.arange(3), np.arange(4), indexing=indexing)):
                    np.testing.assert_array_equal(one, other)

    def test_assertions_name_the_place(self):
        case = tf.test.TestCase()
        one = {'x': [1., {'y': np.array([1., 2.])}]}
        case.assertAllClose(one, one)
        with self.assertRaisesRegex(AssertionError, r'\[x\]\[1\]\[y\](.|\n)*not close dif'):
            case.assertAllClose(one, {'x': [1., {'y': np.array([1., 3.])}]})
        with self.assertRaisesRegex(AssertionError, 'mismatched keys'):
            case.assertAllClose(one, {'z': 1})
        with self.assertRaisesRegex(AssertionError, 'not equal lhs'):
            case.assertAllEqual([1, 2], [1, 3])

    def test_jacobians_of_complex_numbers(self):
        x = tf.constant(11 - 13j, dtype=tf.complex64)
        with tf.Session():
            theory, measured = tf.test.compute_gradient(x, (), tf.constant(5 + 7j, dtype=tf.complex64) * x, ())
        np.testing.assert_allclose(theory, [[5, 7], [-7, 5]])
        np.testing.assert_allclose(measured, theory, rtol=1e-3)

    def test_embeddings_of_half_precision_are_summed_in_single(self):
        ids = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([1, 2], tf.int64), [2, 1])
        table = tf.zeros([3, 4], tf.float16)
        for weights in (None, tf.SparseTensor([[0, 0], [1, 0]], [1., 2.], [2, 1])):
            self.assertEqual(tf.nn.embedding_lookup_sparse(table, ids, weights).dtype, tf.float32)

    def test_layers(self):
        x = np.random.RandomState(1).rand(2, 3, 4).astype('f')
        norm = tf.contrib.layers.gdn(tf.constant(x))
        far = tf.contrib.layers.poincare_normalize(tf.constant(x * 9), 2)
        sparse = tf.contrib.layers.dense_to_sparse(tf.constant([[1, 0], [0, 2]]))
        got, lengths, found = self.run_all([norm, tf.norm(far, axis=2), sparse])
        np.testing.assert_allclose(got, x / np.sqrt(1 + .1 * x ** 2), atol=1e-6)
        self.assertLess(lengths.max(), 1)
        np.testing.assert_array_equal(found.values, [1, 2])
        with self.assertRaisesRegex(ValueError, 'rank 3 to 5'):
            tf.contrib.layers.gdn(tf.zeros([2, 2]))


class Datasets(Base):
    def test_errors_of_structures(self):
        data = tf.data.Dataset
        pair = data.from_tensors((tf.constant([1, 2]), tf.constant([3., 4.])))
        for error, message, act in (
                (TypeError, 'Unsupported return value from function passed to Dataset.map', lambda: pair.map(lambda x, y: None)),
                (ValueError, 'padded shape .* is not compatible', lambda: data.range(3).padded_batch(2, [1])),
                (ValueError, 'must be a 1-D tensor', lambda: data.from_tensors([1]).padded_batch(2, [[1, 1], [1, 1]])),
                (TypeError, 'its element type was float32', lambda: data.from_tensors([1]).padded_batch(2, tf.constant([1.5]))),
                (TypeError, 'have different types', lambda: data.from_tensors({'a': 1}).concatenate(data.from_tensors({'b': 1}))),
                (TypeError, 'do not fit', lambda: tf.data.Iterator.from_structure((tf.int64, tf.int64), [None])),
                (ValueError, 'same nested structure',
                 lambda: tf.data.Iterator.from_structure((tf.int64, tf.int64)).make_initializer(data.range(3)))):
            with self.assertRaisesRegex(error, message):
                act()

    def test_optionals(self):
        optional = tf.data.experimental.Optional
        iterator = tf.data.Dataset.range(2).make_initializable_iterator()
        element = tf.data.experimental.get_next_as_optional(iterator)
        there, value = element.has_value(), element.get_value()
        with tf.Session() as session:
            session.run(iterator.initializer)
            self.assertEqual([session.run([there, value]) for _ in range(2)], [[True, 0], [True, 1]])
            self.assertFalse(session.run(there))
            with self.assertRaises(tf.errors.InvalidArgumentError):
                session.run(value)
            pair = optional.from_value({'a': 1., 'b': (2, 'c')})
            self.assertEqual(session.run(pair.get_value()), {'a': 1., 'b': (2, b'c')})
            self.assertFalse(session.run(optional.none_from_structure(pair.value_structure).has_value()))

    def test_functions_see_the_collections_outside(self):
        w, seen = tf.get_variable('w', []), []
        tf.data.Dataset.range(2).map(lambda x: (seen.append(tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)), x)[1])
        self.assertEqual(seen, [[w]])

    def test_a_seed_may_be_fed(self):
        seed = tf.placeholder(tf.int64, [])
        iterator = tf.data.Dataset.range(20).shuffle(20, seed=seed).make_initializable_iterator()
        item, orders = iterator.get_next(), []
        with tf.Session() as session:
            for value in (0, 0, 7):
                session.run(iterator.initializer, {seed: value})
                orders.append([session.run(item) for _ in range(20)])
        self.assertEqual(orders[0], orders[1])
        self.assertNotEqual(orders[0], orders[2])


class Clusters(Base):
    def rows(self):
        random = np.random.RandomState(1)
        rows = np.concatenate([np.array(at) + random.randn(50, 2) * .3 for at in ([0, 10], [10, 0], [-8, -8])]).astype('f')
        random.shuffle(rows)
        return rows

    def test_clusters_are_found(self):
        from tensorflow.contrib.factorization import KMeans
        rows = self.rows()
        for init in ('random', 'kmeans_plus_plus', 'kmc2', rows[:3]):
            for metric in ('squared_euclidean', 'cosine'):
                for batch, steps in ((False, 1), (True, 1), (True, 3)):
                    tf.reset_default_graph()
                    x = tf.placeholder(tf.float32, [None, 2])
                    found = KMeans(x, 3, init, metric, batch, steps, random_seed=5).training_graph()
                    scores, (nearest,), (distances,), initialized, init_op, train = found
                    with tf.Session() as session:
                        session.run(tf.global_variables_initializer())
                        session.run(init_op, {x: rows})
                        first, there = session.run([tf.reduce_mean(distances), initialized], {x: rows})
                        self.assertTrue(there)
                        for _ in range(9):
                            session.run(train, {x: rows})
                        last, at, all_scores = session.run([tf.reduce_mean(distances), nearest, scores[0]], {x: rows})
                    self.assertLessEqual(last, first + 1e-6)
                    np.testing.assert_array_equal(all_scores.argmin(1), at)

    def test_a_graph_file_has_shapes(self):
        x = tf.placeholder(tf.float32, [None, 3], name='x')
        tf.unstack(x, axis=1)
        node = {node.name: node for node in tf.get_default_graph().as_graph_def(add_shapes=True).node}
        shapes = [[dim.size for dim in shape.dim] for shape in node['unstack'].attr['_output_shapes'].list.shape]
        self.assertEqual(shapes, [[-1]] * 3)
        with tempfile.TemporaryDirectory() as folder:
            with tf.summary.FileWriter(folder, tf.get_default_graph()):
                pass
            events = list(tf.train.summary_iterator(os.path.join(folder, os.listdir(folder)[0])))
        read = tf.GraphDef.FromString(next(event.graph_def for event in events if event.graph_def))
        self.assertEqual(str(read), str(tf.get_default_graph().as_graph_def(add_shapes=True)))


class Decorators(Base):
    def test_arguments_of_what_is_wrapped(self):
        from tensorflow.python.util import tf_decorator, tf_inspect

        def plain(a, b=2):
            return a + b
        wrapped = tf_decorator.make_decorator(plain, lambda *args, **kwargs: plain(*args, **kwargs), 'name')
        self.assertEqual(tf_inspect.getargspec(wrapped).args, ['a', 'b'])
        self.assertEqual(tf_inspect.getcallargs(wrapped, 1), {'a': 1, 'b': 2})
        decorators, target = tf_decorator.unwrap(wrapped)
        self.assertEqual(([item.decorator_name for item in decorators], target), (['name'], plain))
        self.assertEqual(tf_inspect.getargspec(functools.partial(plain, 1)), tf_inspect.ArgSpec(['b'], None, None, (2,)))

    def test_public_names(self):
        from tensorflow.python.util import tf_export

        @tf_export.tf_export('x.y')
        def exported():
            return 1
        self.assertEqual(tf_export.get_v1_names(exported), ['x.y'])
        self.assertEqual(exported(), 1)


class SavedModels(Base):
    def export(self, folder, builder_type, **kwargs):
        builder = builder_type(folder)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            builder.add_meta_graph_and_variables(session, ['serve'], **kwargs)
        builder.save()

    def test_assets_of_one_name_and_other_content(self):
        with tempfile.TemporaryDirectory() as work:
            tf.Variable(1.)
            for number in range(3):
                os.mkdir(os.path.join(work, str(number)))
                path = os.path.join(work, str(number), 'words.txt')
                with open(path, 'w') as file:
                    file.write('content %d' % (number // 2))
                tf.add_to_collection(tf.GraphKeys.ASSET_FILEPATHS, tf.constant(path))
            folder = os.path.join(work, 'model')
            self.export(folder, tf.saved_model.builder.SavedModelBuilder,
                        assets_collection=tf.get_collection(tf.GraphKeys.ASSET_FILEPATHS))
            with tf.Session(graph=tf.Graph()) as session:
                meta = tf.saved_model.loader.load(session, ['serve'], folder)
            self.assertEqual([row.filename for row in meta.asset_file_def], ['words.txt', 'words.txt', 'words.txt_1'])
            with open(os.path.join(folder, 'assets', 'words.txt_1')) as file:
                self.assertEqual(file.read(), 'content 1')

    def test_ops_of_the_start_and_of_training(self):
        from tensorflow.python.saved_model import builder_impl, loader_impl
        with tempfile.TemporaryDirectory() as work:
            v = tf.Variable(1., name='v')
            init, train = tf.group(tf.assign(v, 5.), name='begin'), tf.assign_add(v, 1.)
            folder = os.path.join(work, 'model')
            self.export(folder, builder_impl._SavedModelBuilder, init_op=init, train_op=train)
            loader = loader_impl.SavedModelLoader(folder)
            with tf.Session(graph=tf.Graph()) as session:
                saver, (found,) = loader.load_graph(session.graph, ['serve'], import_scope='in', return_elements=['v:0'])
                loader.restore_variables(session, saver, 'in')
                self.assertEqual(session.run(found), 1.)
                with self.assertRaises(tf.errors.NotFoundError):
                    loader.run_init_ops(session, ['serve'])
                loader.run_init_ops(session, ['serve'], import_scope='in')
                self.assertEqual(session.run(found), 5.)
                self.assertIsInstance(loader_impl.get_train_op(loader.get_meta_graph_def_from_tags(['serve']), 'in'), tf.Tensor)

    def test_what_cannot_be_exported_or_read(self):
        with tempfile.TemporaryDirectory() as work:
            v = tf.Variable(1.)
            empty = tf.saved_model.signature_def_utils.build_signature_def({'x': tf.saved_model.TensorInfo() if hasattr(
                tf.saved_model, 'TensorInfo') else type(tf.saved_model.utils.build_tensor_info(v))()}, {}, 'm')
            builder = tf.saved_model.builder.SavedModelBuilder
            for number, (error, kwargs) in enumerate((
                    (AssertionError, dict(signature_def_map={'a': empty})),
                    (KeyError, dict(signature_def_map={'__saved_model_init_op': empty})), (TypeError, dict(main_op='name')))):
                with self.assertRaises(error):
                    self.export(os.path.join(work, str(number)), builder, **kwargs)
            tf.add_to_collection('saved_model_main_op', tf.no_op())
            with self.assertRaisesRegex(ValueError, 'Graph already contains one or more main ops'):
                self.export(os.path.join(work, 'm'), builder, main_op=tf.no_op())
            with open(os.path.join(work, 'saved_model.pb'), 'w') as file:
                file.write('nonsense')
            with self.assertRaisesRegex(IOError, 'Cannot parse file .*saved_model.pb'), tf.Session() as session:
                tf.saved_model.loader.load(session, ['serve'], work)


if __name__ == '__main__':
    unittest.main()
