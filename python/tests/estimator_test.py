"""tf.estimator, tf.feature_column and tf.contrib.learn."""
import tempfile
import unittest

import numpy as np
import tensorflow as tf

fc = tf.feature_column


def model_fn(features, labels, mode, params):
    logits = tf.layers.dense(tf.layers.dense(features['x'], 8, tf.nn.relu), 2)
    if mode == tf.estimator.ModeKeys.PREDICT:
        outputs = {tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY: tf.estimator.export.PredictOutput({'logits': logits})}
        return tf.estimator.EstimatorSpec(mode, predictions={'class': tf.argmax(logits, 1)}, export_outputs=outputs)
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss,
                                          eval_metric_ops={'accuracy': tf.metrics.accuracy(labels, tf.argmax(logits, 1))})
    train = tf.train.AdamOptimizer(params['rate']).minimize(loss, global_step=tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)


class EstimatorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tf.logging.set_verbosity(tf.logging.ERROR)
        random = np.random.RandomState(0)
        cls.x = random.rand(120, 4).astype(np.float32)
        cls.y = (cls.x.sum(1) > 2).astype(np.int32)
        cls.words = np.array(['a', 'b', 'c', 'd'])[random.randint(0, 4, 120)]

    def dataset(self):
        return tf.data.Dataset.from_tensor_slices(({'x': self.x}, self.y)).shuffle(100, seed=1).repeat().batch(32)

    def test_a_model_function_is_trained_evaluated_and_goes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            estimator = tf.estimator.Estimator(model_fn, folder, params={'rate': 0.02})
            estimator.train(self.dataset, steps=100)
            found = estimator.evaluate(self.dataset, steps=4)
            self.assertGreater(found['accuracy'], 0.8)
            self.assertEqual(found['global_step'], 100)
            again = tf.estimator.Estimator(model_fn, folder, params={'rate': 0.02})
            again.train(self.dataset, max_steps=110)
            self.assertEqual(again.get_variable_value('global_step'), 110)
            given = tf.estimator.inputs.numpy_input_fn({'x': self.x[:5]}, batch_size=2, shuffle=False)
            self.assertEqual(len(list(again.predict(given))), 5)

    def test_train_and_evaluate_exports(self):
        def receiver():
            given = tf.placeholder(tf.float32, [None, 4])
            return tf.estimator.export.ServingInputReceiver({'x': given}, {'x': given})
        with tempfile.TemporaryDirectory() as folder:
            estimator = tf.estimator.Estimator(model_fn, folder, params={'rate': 0.02})
            result, exports = tf.estimator.train_and_evaluate(
                estimator, tf.estimator.TrainSpec(self.dataset, max_steps=20),
                tf.estimator.EvalSpec(self.dataset, steps=2, exporters=tf.estimator.FinalExporter('final', receiver)))
            self.assertEqual(result['global_step'], 20)
            with tf.Graph().as_default(), tf.Session() as session:
                loaded = tf.saved_model.load(session, [tf.saved_model.SERVING], exports[0].decode())
                signature = loaded.signature_def[tf.saved_model.DEFAULT_SERVING_SIGNATURE_DEF_KEY]
                logits = session.run(signature.outputs['logits'].name, {signature.inputs['x'].name: self.x[:3]})
            self.assertEqual(logits.shape, (3, 2))

    def test_wide_and_deep_columns_and_their_names(self):
        words = fc.categorical_column_with_vocabulary_list('w', ['a', 'b', 'c'])
        buckets = fc.bucketized_column(fc.numeric_column('z'), [0.3, 0.6])
        estimator = tf.estimator.DNNLinearCombinedClassifier(
            linear_feature_columns=[words, fc.crossed_column(['w', buckets], 20)], dnn_hidden_units=[5],
            dnn_feature_columns=[fc.numeric_column('x', shape=(4,)), fc.embedding_column(words, 3), fc.indicator_column(words), buckets])
        features = {'x': self.x, 'w': self.words, 'z': self.x[:, 0]}
        estimator.train(tf.estimator.inputs.numpy_input_fn(features, self.y, batch_size=32, num_epochs=None, shuffle=True), steps=60)
        found = estimator.evaluate(tf.estimator.inputs.numpy_input_fn(features, self.y, batch_size=32, shuffle=False))
        self.assertGreater(found['accuracy'], 0.6)
        self.assertLessEqual({'dnn/hiddenlayer_0/kernel', 'dnn/input_from_feature_columns/input_layer/w_embedding/embedding_weights',
                              'dnn/logits/bias', 'linear/linear_model/bias_weights', 'linear/linear_model/w/weights',
                              'linear/linear_model/w_X_z_bucketized/weights'}, set(estimator.get_variable_names()))

    def test_contrib_learn_takes_arrays(self):
        columns = tf.contrib.learn.infer_real_valued_columns_from_input(self.x)
        classifier = tf.contrib.learn.DNNClassifier(hidden_units=[8], feature_columns=columns, n_classes=3)
        classifier.fit(self.x, self.y, steps=30)
        self.assertGreater(classifier.evaluate(self.x, self.y)['accuracy'], 0.4)
        self.assertEqual(len(list(classifier.predict(self.x[:3]))), 3)

    def test_vocabulary_processor(self):
        processor = tf.contrib.learn.preprocessing.VocabularyProcessor(4)
        rows = np.array(list(processor.fit_transform(['the cat sat', 'the dog sat on the mat'])))
        self.assertEqual(rows.tolist(), [[1, 2, 3, 0], [1, 4, 3, 5]])
        self.assertEqual(len(processor.vocabulary_), 7)


class OlderTest(unittest.TestCase):
    """tf.contrib.learn with the columns of tf.contrib.layers, as the tutorials before 1.4 have it."""

    def input_fn(self):
        ages, jobs = [20., 35., 50., 65.] * 4, ['a', 'b', 'c', 'b'] * 4
        features = {'age': tf.constant(ages, shape=[16, 1]),
                    'job': tf.SparseTensor([[i, 0] for i in range(16)], jobs, [16, 1])}
        return features, tf.constant([int(age > 40) for age in ages], shape=[16, 1])

    def test_wide_and_deep(self):
        layers = tf.contrib.layers
        age = layers.real_valued_column('age')
        job = layers.sparse_column_with_hash_bucket('job', 10)
        buckets = layers.bucketized_column(age, [30, 40, 60])
        crossed = layers.crossed_column([buckets, job], 20)
        with tempfile.TemporaryDirectory() as folder:
            model = tf.contrib.learn.DNNLinearCombinedClassifier(
                folder, linear_feature_columns=[job, buckets, crossed],
                dnn_feature_columns=[layers.embedding_column(job, dimension=4), age], dnn_hidden_units=[8],
                linear_optimizer=tf.train.FtrlOptimizer(0.5), dnn_optimizer=tf.train.AdamOptimizer(0.01))
            model.fit(input_fn=self.input_fn, steps=40)
            self.assertGreater(model.evaluate(input_fn=self.input_fn, steps=1)['accuracy'], 0.9)

    def test_labels_are_placeholders_when_it_predicts(self):
        def model(features, labels):
            wanted = tf.one_hot(labels, 2)  # fails without labels
            logits = tf.contrib.layers.fully_connected(features, 2, activation_fn=None)
            loss = tf.losses.softmax_cross_entropy(wanted, logits)
            return tf.argmax(logits, 1), loss, tf.contrib.layers.optimize_loss(loss, None, 0.1, 'SGD')
        x = np.ones([4, 3], 'f')
        with tempfile.TemporaryDirectory() as folder:
            made = tf.contrib.learn.Estimator(model, folder)
            made.fit(x, np.ones(4, np.int64), steps=1)
            self.assertEqual(len(list(made.predict(x))), 4)

    def test_sklearn_form(self):
        x = np.random.RandomState(0).rand(60, 3).astype('f')
        y = (x[:, 0] > 0.5).astype(np.int64)
        columns = [tf.contrib.layers.real_valued_column('', dimension=3)]
        with tempfile.TemporaryDirectory() as folder:
            model = tf.contrib.learn.SKCompat(tf.contrib.learn.LinearClassifier(columns, folder))
            model.fit(x, y, steps=300, batch_size=20)
            self.assertGreater(model.score(x, y)['accuracy'], 0.85)
            self.assertEqual(model.predict(x)['class_ids'].shape[0], 60)


if __name__ == '__main__':
    unittest.main()
