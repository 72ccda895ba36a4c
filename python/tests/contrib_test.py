"""tf.contrib's seq2seq, slim, crf, metrics and the like; tf.distributions; generators as datasets."""
import math
import sys
import unittest

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim


class ContribTest(unittest.TestCase):
    def setUp(self):
        tf.reset_default_graph()
        tf.set_random_seed(1)

    def run_all(self, fetches, feeds=None):
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer(), tf.tables_initializer()])
            return session.run(fetches, feeds)

    def test_attention_decoder_learns_and_is_named_as_in_1_15(self):
        source, target = tf.placeholder(tf.int32, [None, 5]), tf.placeholder(tf.int32, [None, 4])
        lengths, target_lengths = tf.placeholder(tf.int32, [None]), tf.placeholder(tf.int32, [None])
        embedding = tf.get_variable('embedding', [11, 6])
        outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(8), tf.nn.embedding_lookup(embedding, source),
                                           sequence_length=lengths, dtype=tf.float32, scope='encoder')
        batch = tf.shape(source)[0]
        with tf.variable_scope('decode'):
            attention = tf.contrib.seq2seq.BahdanauAttention(8, outputs, lengths)
            cell = tf.contrib.seq2seq.AttentionWrapper(tf.nn.rnn_cell.BasicLSTMCell(8), attention, attention_layer_size=8)
            helper = tf.contrib.seq2seq.TrainingHelper(tf.nn.embedding_lookup(embedding, target), target_lengths)
            projection = tf.layers.Dense(11, use_bias=False, name='projection')
            start = cell.zero_state(batch, tf.float32).clone(cell_state=state)
            decoder = tf.contrib.seq2seq.BasicDecoder(cell, helper, start, output_layer=projection)
            decoded, _, ends = tf.contrib.seq2seq.dynamic_decode(decoder, impute_finished=True)
        loss = tf.contrib.seq2seq.sequence_loss(decoded.rnn_output, target, tf.sequence_mask(target_lengths, 4, dtype=tf.float32))
        train = tf.train.AdamOptimizer(0.02).minimize(loss)
        names = {var.op.name for var in tf.trainable_variables()}
        self.assertLessEqual({'decode/memory_layer/kernel', 'decode/decoder/attention_wrapper/attention_layer/kernel',
                              'decode/decoder/attention_wrapper/bahdanau_attention/attention_v',
                              'decode/decoder/attention_wrapper/bahdanau_attention/query_layer/kernel',
                              'decode/decoder/projection/kernel'}, names)
        random = np.random.RandomState(1)
        feeds = {source: random.randint(0, 11, (3, 5)), target: random.randint(0, 11, (3, 4)), lengths: [5, 3, 4],
                 target_lengths: [4, 4, 3]}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            first = session.run(loss, feeds)
            for _ in range(30):
                session.run(train, feeds)
            last, found = session.run([loss, ends], feeds)
        self.assertLess(last, first / 2)
        self.assertEqual(found.tolist(), [4, 4, 3])

    def test_beam_search_finds_the_greedy_answer_of_a_sure_model(self):
        class Sure(tf.nn.rnn_cell.RNNCell):
            """After symbol s comes s + 1, and 3 is the end."""
            state_size = output_size = 4

            def call(self, inputs, state):
                return tf.one_hot(tf.minimum(tf.argmax(inputs, 1) + 1, 3), 4) * 20., state
        embedding = tf.constant(np.eye(4, dtype=np.float32))
        state = tf.contrib.seq2seq.tile_batch(tf.zeros([2, 4]), 2)
        decoder = tf.contrib.seq2seq.BeamSearchDecoder(Sure(), embedding, [0, 1], 3, state, 2)
        found, _, _ = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=6)
        ids = self.run_all(found.predicted_ids)
        self.assertEqual(ids[0, :3, 0].tolist(), [1, 2, 3])
        self.assertEqual(ids[1, :2, 0].tolist(), [2, 3])

    def test_histories_of_beams_follow_their_parents(self):
        """What an array holds by step and beam is given along the way that each beam took; steps behind its end stay."""
        array = np.arange(12).reshape(3, 2, 2)
        parents = [[[0, 0], [0, 0]], [[0, 1], [1, 0]], [[1, 0], [0, 0]]]
        wanted = [[[1, 0], [3, 2]], [[5, 4], [6, 7]], [[8, 9], [10, 11]]]
        lengths = [[3, 3], [2, 2]]
        plain, deep = (tf.contrib.seq2seq.gather_tree_from_array(given, parents, lengths)
                       for given in (array, np.stack([array, -array], -1).reshape(3, 4, 2)))
        plain, deep = self.run_all([plain, deep])
        self.assertEqual(plain[:, 0].tolist(), [row[0] for row in wanted])
        self.assertEqual(deep.tolist(), np.stack([plain, -plain], -1).reshape(3, 4, 2).tolist())

    def test_attention_that_moves_on(self):
        memory = tf.constant(np.random.RandomState(0).randn(2, 4, 3).astype('f'))
        for make, name in ((tf.contrib.seq2seq.LuongMonotonicAttention, 'luong_monotonic_attention'),
                           (tf.contrib.seq2seq.BahdanauMonotonicAttention, 'bahdanau_monotonic_attention')):
            for mode in ('parallel', 'recursive', 'hard'):
                with tf.variable_scope(mode, reuse=tf.AUTO_REUSE):
                    mechanism = make(5, memory, mode=mode, score_bias_init=-1.)
                    first = mechanism.initial_state(2, tf.float32)
                    one, _ = mechanism(tf.ones([2, 5]), first)
                    start, found = self.run_all([first, one])
                self.assertEqual(start.tolist(), [[1., 0., 0., 0.]] * 2)
                self.assertTrue((found >= 0).all() and (found.sum(1) <= 1.00001).all())
                self.assertIn('%s/%s/attention_score_bias' % (mode, name), [var.op.name for var in tf.global_variables()])

    def test_legacy_losses_average_over_steps_and_rows(self):
        logits = [tf.constant([[0., 1.], [2., 0.]]), tf.constant([[1., 1.], [0., 3.]])]
        targets = [tf.constant([1, 0]), tf.constant([0, 1])]
        weights = [tf.ones([2]), tf.ones([2])]
        each = [math.log(1 + math.exp(-1)) + math.log(2), math.log(1 + math.exp(-2)) + math.log(1 + math.exp(-3))]
        seq2seq = tf.contrib.legacy_seq2seq
        rows, whole = self.run_all([seq2seq.sequence_loss_by_example(logits, targets, weights),
                                    seq2seq.sequence_loss(logits, targets, weights)])
        np.testing.assert_allclose(rows, np.array(each) / 2, rtol=1e-5)
        np.testing.assert_allclose(whole, sum(each) / 4, rtol=1e-5)

    def test_slim_trains_within_arg_scopes(self):
        images, labels = tf.placeholder(tf.float32, [None, 8, 8, 1]), tf.placeholder(tf.int32, [None])
        with slim.arg_scope([slim.conv2d, slim.fully_connected], weights_regularizer=slim.l2_regularizer(1e-4),
                            normalizer_fn=slim.batch_norm, normalizer_params={'is_training': True}):
            net = slim.max_pool2d(slim.conv2d(images, 4, 3, scope='one'), 2)
            net = slim.flatten(slim.repeat(net, 2, slim.conv2d, 4, [3, 3], scope='two'))
            net = slim.fully_connected(net, 3, activation_fn=None, normalizer_fn=None, scope='out')
        slim.losses.softmax_cross_entropy(net, slim.one_hot_encoding(labels, 3))
        train = slim.learning.create_train_op(slim.losses.get_total_loss(), tf.train.AdamOptimizer(0.01))
        values, updates = slim.metrics.aggregate_metric_map({'accuracy': slim.metrics.streaming_accuracy(tf.argmax(net, 1), labels)})
        self.assertEqual([var.op.name for var in slim.get_model_variables('two/two_1')],
                         ['two/two_1/weights', 'two/two_1/BatchNorm/beta', 'two/two_1/BatchNorm/moving_mean',
                          'two/two_1/BatchNorm/moving_variance'])
        feeds = {images: np.random.RandomState(1).rand(6, 8, 8, 1), labels: [0, 1, 2, 0, 1, 2]}
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            losses = [session.run(train, feeds) for _ in range(30)]
            session.run(updates, feeds)
            accuracy = session.run(values['accuracy'])
        self.assertLess(losses[-1], losses[0] / 2)
        self.assertGreater(accuracy, 0.8)

    def test_learn_runs_tensors_in_a_session_of_its_own(self):
        numbers = tf.train.input_producer(np.arange(6), shuffle=False).dequeue_many(2)
        fed, weight = tf.placeholder(tf.float32, []), tf.get_variable('w', initializer=2.)
        made = tf.contrib.learn.run_n({'numbers': numbers, 'product': fed * weight}, n=2, feed_dict={fed: 3.})
        self.assertEqual([row['numbers'].tolist() for row in made], [[0, 1], [2, 3]])
        self.assertEqual([row['product'] for row in made], [6, 6])
        made = tf.contrib.learn.run_feeds({'product': fed * weight}, [{fed: 1.}, {fed: 2.}])
        self.assertEqual([row['product'] for row in made], [2, 4])
        with self.assertRaisesRegex(ValueError, 'output_dict is invalid'):
            tf.contrib.learn.run_n({})

    def test_densities_at_the_edge_are_finite(self):
        ds = tf.distributions
        found = self.run_all([ds.Exponential([.5, 2.]).log_prob(0.), ds.Gamma(1., 3.).log_prob(0.), ds.Dirichlet([1., 2.]).log_prob([0., 1.])])
        np.testing.assert_allclose(found[0], np.log([.5, 2.]), rtol=1e-6)
        np.testing.assert_allclose(found[1:], np.log([3., 2.]), rtol=1e-6)

    def test_images_are_turned_and_moved(self):
        image, turned = tf.contrib.image, np.arange(9, dtype='f').reshape(3, 3)
        rows = [image.rotate(turned, np.pi / 2), image.rotate(np.stack([turned, turned])[..., None], [np.pi, 0.], 'BILINEAR'),
                image.translate(turned[..., None], [1., -1.]),
                image.transform(turned, image.compose_transforms(*[image.angles_to_projective_transforms(np.pi / 4, 3., 3.)] * 2))]
        quarter, pair, moved, twice = self.run_all(rows)
        np.testing.assert_array_equal(quarter, np.rot90(turned))
        np.testing.assert_allclose(pair[..., 0], [turned[::-1, ::-1], turned], atol=1e-4)
        np.testing.assert_array_equal(moved[..., 0], [[0, 3, 4], [0, 6, 7], [0, 0, 0]])
        np.testing.assert_array_equal(twice, quarter)

    def test_distributions(self):
        normal, other = tf.distributions.Normal([0., 1.], [1., 2.]), tf.distributions.Normal(0., 1.)
        classes = tf.distributions.Categorical(logits=tf.log([[0.2, 0.8]]))
        log_prob, entropy, apart, chosen, sample = self.run_all([
            normal.log_prob([0., 0.]), normal.entropy(), tf.distributions.kl_divergence(normal, other), classes.log_prob([1]),
            normal.sample([5, 2], seed=1)])
        half = 0.5 * math.log(2 * math.pi)
        np.testing.assert_allclose(log_prob, [-half, -half - math.log(2) - 0.125], rtol=1e-5)
        np.testing.assert_allclose(entropy, [half + 0.5, half + 0.5 + math.log(2)], rtol=1e-5)
        np.testing.assert_allclose(apart, [0, 0.5 + 2 - 0.5 - math.log(2)], rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(chosen, [math.log(0.8)], rtol=1e-5)
        self.assertEqual(sample.shape, (5, 2, 2))

    def test_crf_agrees_with_all_paths(self):
        random = np.random.RandomState(1)
        unary, moves = random.randn(1, 3, 2).astype(np.float32), random.randn(2, 2).astype(np.float32)
        paths = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
        scores = [sum(unary[0, i, tag] for i, tag in enumerate(path)) + moves[path[0], path[1]] + moves[path[1], path[2]] for path in paths]
        best = paths[int(np.argmax(scores))]
        likely, _ = tf.contrib.crf.crf_log_likelihood(tf.constant(unary), tf.constant([best]), tf.constant([3]), tf.constant(moves))
        tags, score = tf.contrib.crf.crf_decode(tf.constant(unary), tf.constant(moves), tf.constant([3]))
        likely, tags, score = self.run_all([likely, tags, score])
        self.assertEqual(tags[0].tolist(), list(best))
        np.testing.assert_allclose(score, [max(scores)], rtol=1e-5)
        np.testing.assert_allclose(likely, [max(scores) - np.log(np.sum(np.exp(scores)))], rtol=1e-4)

    def test_metrics_by_class_and_at_k(self):
        labels, said = tf.constant([0, 1, 2, 2]), tf.constant([0, 2, 2, 2])
        pairs = {'iou': tf.metrics.mean_iou(labels, said, 3), 'classes': tf.metrics.mean_per_class_accuracy(labels, said, 3),
                 'recall': tf.metrics.recall_at_k(tf.constant([[0], [2]], tf.int64), tf.constant([[.1, .7, .2], [.1, .3, .6]]), 2)}
        with tf.Session() as session:
            session.run(tf.local_variables_initializer())
            session.run({key: pair[1] for key, pair in pairs.items()})
            found = session.run({key: pair[0] for key, pair in pairs.items()})
        np.testing.assert_allclose(found['iou'], (1 + 0 + 2 / 3) / 3, rtol=1e-6)
        np.testing.assert_allclose(found['classes'], (1 + 0 + 1) / 3, rtol=1e-6)
        self.assertEqual(found['recall'], 0.5)

    def test_labels_that_are_missing_at_k(self):
        """Rows of sparse labels that are shorter, labels of -1, and classes that no row has."""
        predictions = [[.4, .3, .2, .1], [.1, .2, .3, .4]]
        sparse = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([2, 3, 3]), [2, 2])
        dense = np.array([[2, 3], [3, -1]])
        for labels in (sparse, dense):
            _, average = tf.metrics.average_precision_at_k(labels, predictions, 4)
            self.assertAlmostEqual(self.run_all(average), np.mean([(1 / 3 + 2 / 4) / 2, 1.]))
        _, recall = tf.metrics.recall_at_k(sparse, predictions, 1, class_id=-1)
        self.assertTrue(np.isnan(self.run_all(recall)))
        outside = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], np.array([0, -1, 3]), [2, 2])
        self.assertAlmostEqual(self.run_all(tf.metrics.recall_at_k(outside, predictions, 1)[1]), 2 / 3)

    def test_crosses_of_numbers_and_words(self):
        column = lambda values: tf.SparseTensor([[0, 0], [1, 0]], values, [2, 1])
        numbers, words = column(np.array([11, 333])), column(['a', 'b'])
        dense = tf.constant([[5], [6]], tf.int64)
        found = self.run_all([tf.sparse.cross(items).values for items in ([numbers, words], [numbers, dense])])
        self.assertEqual([row.tolist() for row in found], [[b'11_X_a', b'333_X_b'], [b'11_X_5', b'333_X_6']])

    def test_bounds_that_several_thresholds_meet(self):
        """The first of the nearest thresholds for sensitivity, the last one for specificity."""
        truth = np.array([0, 1, 1, 0, 1])
        for metric in (tf.metrics.sensitivity_at_specificity, tf.metrics.specificity_at_sensitivity):
            value, update = metric(truth, truth.astype('f'), .7)
            self.assertAlmostEqual(self.run_all(update), 1., places=5)

    def test_weights_of_unknown_rank(self):
        weights = tf.placeholder(tf.float32)
        _, update = tf.metrics.accuracy([1, 0, 0], [1, 1, 1], weights)
        for given, wanted in (([[100.], [1.], [1.]], 100 / 102), ([2., 1., 1.], .5), (3., 1 / 3)):
            self.assertAlmostEqual(self.run_all(update, {weights: given}), wanted, places=5)

    def test_a_generator_ends_its_dataset_and_not_the_step(self):
        def generate():
            for i in range(5):
                yield i, [i] * i
        dataset = tf.data.Dataset.from_generator(generate, (tf.int64, tf.int32), ([], [None])).padded_batch(2, ([], [None])).repeat(2)
        following, found = dataset.make_one_shot_iterator().get_next(), []
        with tf.Session() as session:
            with self.assertRaises(tf.errors.OutOfRangeError):
                while True:
                    found.append(session.run(following)[0].tolist())
        self.assertEqual(found, [[0, 1], [2, 3], [4]] * 2)

    def test_a_fetched_variable_shows_what_the_step_did(self):
        step, w = tf.train.get_or_create_global_step(), tf.Variable(5.0)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.square(w - 1), global_step=step)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for i in range(20):
                _, count, value = session.run([train, step, w])
                self.assertEqual(count, i + 1)
                self.assertAlmostEqual(value, 1 + 4 * 0.8 ** (i + 1), places=4)

    def test_gradients_of_filters_as_wide_as_the_image(self):
        random = np.random.RandomState(0)
        for height, width, channels, rows, columns, outputs in ((9, 16, 1, 3, 16, 5), (7, 7, 3, 7, 7, 4), (8, 8, 2, 6, 5, 3)):
            kernel = random.randn(rows, columns, channels, outputs)
            given = random.randn(2, height - rows + 1, width - columns + 1, outputs)
            wanted = np.zeros((2, height, width, channels))
            for i in range(height - rows + 1):
                for j in range(width - columns + 1):
                    wanted[:, i:i + rows, j:j + columns] += np.einsum('no,abco->nabc', given[:, i, j], kernel)
            found = tf.nn.conv2d_backprop_input([2, height, width, channels], tf.constant(kernel), tf.constant(given), [1, 1, 1, 1], 'VALID')
            np.testing.assert_allclose(self.run_all(found), wanted, rtol=1e-9, atol=1e-9)

    def test_external_optimizers_get_loss_and_gradient(self):
        class Descent(tf.contrib.opt.ExternalOptimizerInterface):
            def _minimize(self, initial_val, loss_grad_func, **unused):
                x = initial_val
                for _ in range(100):
                    x = x - 0.1 * loss_grad_func(x)[1]
                return x
        point = tf.Variable([3., -2.])
        optimizer = Descent(tf.reduce_sum(tf.square(point - [1., 2.])))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            optimizer.minimize(session)
            np.testing.assert_allclose(session.run(point), [1, 2], atol=1e-4)

    def test_packages_that_came_with_tensorflow(self):
        from absl import flags
        self.assertTrue(callable(flags.DEFINE_integer))
        from google.protobuf import text_format
        self.assertIn('allow_soft_placement: true', text_format.MessageToString(tf.ConfigProto(allow_soft_placement=True)))

    def test_blocks_have_the_variables_of_their_version(self):
        for cell, names in ((tf.contrib.rnn.GRUBlockCell, {'w_ru', 'b_ru', 'w_c', 'b_c'}),
                            (tf.contrib.rnn.GRUBlockCellV2, {'gates/kernel', 'gates/bias', 'candidate/kernel', 'candidate/bias'})):
            tf.reset_default_graph()
            cell(2)(tf.ones([1, 3]), tf.zeros([1, 2]))
            self.assertEqual({var.op.name.split('/', 1)[1] for var in tf.global_variables()}, names)

    def test_distributions_of_numbers_take_fractions(self):
        found = tf.contrib.distributions.OneHotCategorical(logits=[1., 2.]).log_prob([0., 1.])
        with tf.Session() as session:
            self.assertAlmostEqual(session.run(found), -0.3132617, places=5)


class SixTest(unittest.TestCase):
    """six where it is not installed."""

    def setUp(self):
        from weir import beside
        finder = next(finder for finder in sys.meta_path if isinstance(finder, beside.Beside))
        held = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition('.')[0] == 'six'}
        sys.meta_path.insert(0, finder)

        def put_back():
            sys.meta_path.remove(finder)
            for name in [name for name in sys.modules if name.partition('.')[0] == 'six']:
                del sys.modules[name]
            sys.modules.update(held)
        self.addCleanup(put_back)

    def test_moves(self):
        from six.moves import cPickle, queue, reduce, urllib, xrange, zip_longest
        from six.moves.urllib.parse import quote
        import six.moves.urllib.request
        self.assertEqual((list(xrange(2)), reduce(max, [1, 3, 2]), quote('a b'), urllib.parse.quote('a b')), ([0, 1], 3, 'a%20b', 'a%20b'))
        self.assertTrue(queue.Queue and cPickle.dumps and zip_longest and six.moves.urllib.request.urlretrieve)
        with self.assertRaises(ImportError):
            from six.moves import nothing_of_that_name  # noqa: F401

    def test_classes(self):
        import six

        class Meta(type):
            pass

        class Derived(six.with_metaclass(Meta, dict)):
            pass

        @six.add_metaclass(Meta)
        class Decorated(object):
            __slots__ = 'one',
        self.assertEqual((type(Derived), Derived.__bases__, type(Decorated)), (Meta, (dict,), Meta))
        self.assertEqual(sorted(six.iteritems({'a': 1})), [('a', 1)])
        self.assertEqual((six.ensure_str(b'a'), six.ensure_binary('a'), six.b('a')), ('a', b'a', b'a'))
        with self.assertRaises(KeyError):
            six.reraise(KeyError, KeyError('a'))


OPTIMIZERS = {'adamax': lambda opt, var: opt.AdaMaxOptimizer(.1), 'addsign': lambda opt, var: opt.AddSignOptimizer(.1),
              'power': lambda opt, var: opt.PowerSignOptimizer(.1), 'lars': lambda opt, var: opt.LARSOptimizer(.5),
              'nadam': lambda opt, var: opt.NadamOptimizer(.1),
              'clip': lambda opt, var: opt.VariableClippingOptimizer(tf.train.GradientDescentOptimizer(.5), {var: [1]}, .8)}
# (optimizer, sparse): the first row of the variable after three steps, from TensorFlow 1.15.5
AFTER = {('adamax', 0): [-0.7119, -0.532, -0.3529],
         ('adamax', 1): [-0.7119, -0.532, -0.3529],
         ('addsign', 0): [0.0192, 0.0585, 0.0977],
         ('addsign', 1): [0.0192, 0.0585, 0.0977],
         ('power', 0): [0.1765, 0.1937, 0.211],
         ('power', 1): [0.1765, 0.1937, 0.211],
         ('lars', 0): [-0.9967, -0.8154, -0.634],
         ('lars', 1): [1.353, 1.2057, 1.0585],
         ('nadam', 0): [-0.5522, -0.3728, -0.1947],
         ('nadam', 1): [-0.5522, -0.3728, -0.1947],
         ('clip', 0): [0.3, 0.3, 0.3],
         ('clip', 1): [0.3, 0.3, 0.3]}


class OptimizersTest(unittest.TestCase):
    def test_steps_are_those_of_1_15(self):
        for (name, sparse), expected in AFTER.items():
            for resource in (False, True):
                with self.subTest((name, sparse, resource)), tf.Graph().as_default(), tf.Session() as session:
                    var = tf.get_variable('v', initializer=np.linspace(-1, 1, 12).reshape(4, 3).astype('f'), use_resource=resource)
                    loss = tf.reduce_sum(tf.square((tf.gather(var, [0, 2, 2]) if sparse else var) - .3))
                    step = OPTIMIZERS[name](tf.contrib.opt, var).minimize(loss, tf.train.get_or_create_global_step())
                    session.run(tf.global_variables_initializer())
                    for _ in range(3):
                        session.run(step)
                    np.testing.assert_allclose(session.run(var)[0], expected, atol=2e-4)


class BijectorsTest(unittest.TestCase):
    def test_round_trips_and_jacobians(self):
        bijectors = tf.contrib.distributions.bijectors
        lower = np.array([[1., 0, 0], [.5, 2, 0], [.2, .3, .7]], 'f')
        x = np.array([[.3, -.5, 1.2], [.1, .7, -.2]], 'f')
        made = [bijectors.Exp(), bijectors.Sigmoid(), bijectors.Softplus(), bijectors.Softsign(), bijectors.AffineScalar(1., 2.),
                bijectors.Affine([1., 2., 3.], scale_tril=lower), bijectors.Permute([2, 0, 1]),
                bijectors.Chain([bijectors.Softplus(), bijectors.Affine(scale_tril=lower)])]
        with tf.Session() as session:
            for bijector in made:
                y = bijector.forward(x)
                back, forth, inverse = session.run([bijector.inverse(y), bijector.forward_log_det_jacobian(x, 1),
                                                    bijector.inverse_log_det_jacobian(y, 1)])
                np.testing.assert_allclose(back, x, atol=1e-5)
                np.testing.assert_allclose(forth, -inverse, atol=1e-5)

    def test_density_of_a_transformed_distribution(self):
        ds = tf.contrib.distributions
        made = ds.TransformedDistribution(ds.Normal(0., 1.), ds.bijectors.Exp())
        with tf.Session() as session:
            found = session.run(made.log_prob([.5, 1., 2.]))
        logs = np.log([.5, 1., 2.])
        np.testing.assert_allclose(found, -0.5 * logs**2 - 0.5 * np.log(2 * np.pi) - logs, atol=1e-5)


class Buckets(unittest.TestCase):
    def test_ends(self):
        """When the input is closed and the buckets are empty, the reader is told."""
        with tf.Graph().as_default(), tf.Session() as session:
            queue = tf.FIFOQueue(8, [tf.int32], shapes=[()])
            length = queue.dequeue()
            batch = tf.contrib.training.bucket_by_sequence_length(
                length, [tf.fill([length], length)], batch_size=2, bucket_boundaries=[3], dynamic_pad=True,
                allow_smaller_final_batch=True, shapes=[[None]])
            session.run(queue.enqueue_many([[1, 4, 2]]))
            session.run(queue.close())
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            seen = []
            with self.assertRaises(tf.errors.OutOfRangeError):
                while True:
                    seen.extend(session.run(batch)[0].tolist())
            self.assertEqual(sorted(seen), [1, 2, 4])
            coordinator.request_stop()
            coordinator.join(threads)


if __name__ == '__main__':
    unittest.main()
