"""tf.contrib.factorization: clusters by k-means."""
from .. import _ops
from ..public import tf

SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = 'squared_euclidean', 'cosine'
RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT = 'random', 'kmeans_plus_plus', 'kmc2'
CLUSTERS_VAR_NAME = 'clusters'


def nearest_neighbors(points, centers, k, name=None):
    return _ops.nearest_neighbors(points, centers, k, name=name)


def kmeans_plus_plus_initialization(points, num_to_sample, seed, num_retries_per_sample, name=None):
    return _ops.kmeans_plus_plus_initialization(points, num_to_sample, seed, num_retries_per_sample, name=name)


class KMeans:
    """The graph that finds clusters of the rows of matrices, by whole passes or from batches."""

    def __init__(self, inputs, num_clusters, initial_clusters=RANDOM_INIT, distance_metric=SQUARED_EUCLIDEAN_DISTANCE,
                 use_mini_batch=False, mini_batch_steps_per_iteration=1, random_seed=0, kmeans_plus_plus_num_retries=2,
                 kmc2_chain_length=200):
        if isinstance(initial_clusters, str) and initial_clusters not in (RANDOM_INIT, KMEANS_PLUS_PLUS_INIT, KMC2_INIT):
            raise ValueError("Unsupported initialization algorithm '%s'" % initial_clusters)
        if distance_metric not in (SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE):
            raise ValueError("Unsupported distance metric '%s'" % distance_metric)
        self._inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        self._num_clusters, self._initial_clusters, self._cosine = num_clusters, initial_clusters, distance_metric == COSINE_DISTANCE
        self._use_mini_batch, self._steps = use_mini_batch, int(mini_batch_steps_per_iteration)
        self._seed, self._retries, self._chain = random_seed, kmeans_plus_plus_num_retries, kmc2_chain_length

    def _unit(self, rows):
        return tf.nn.l2_normalize(rows, axis=1) if self._cosine else rows

    def _scores(self, rows, centers):
        """The distance of each row from each center."""
        if self._cosine:
            return 1 - tf.matmul(self._unit(rows), self._unit(centers), transpose_b=True)
        return (tf.reduce_sum(tf.square(rows), 1, keepdims=True) - 2 * tf.matmul(rows, centers, transpose_b=True) +
                tf.transpose(tf.reduce_sum(tf.square(centers), 1, keepdims=True)))

    def _nearest(self, rows, centers):
        """(the nearest center of each row, its distance)"""
        found, distances = nearest_neighbors(self._unit(rows), self._unit(centers), 1)
        return tf.squeeze(found, [1]), tf.squeeze(distances, [1]) * (.5 if self._cosine else 1.)

    # ---- the first centers ----

    def _chain_of_centers(self, rows, count):
        """KMC2: a Markov chain for each center after the first."""
        first = tf.gather(rows, tf.random_uniform([1], 0, tf.shape(rows)[0], tf.int32, seed=self._seed))

        def more(i, centers):
            drawn = tf.gather(rows, tf.random_uniform([self._chain], 0, tf.shape(rows)[0], tf.int32, seed=self._seed))
            _, distances = nearest_neighbors(drawn, centers, 1)
            at = _ops.kmc2_chain_initialization(tf.squeeze(distances, [1]), tf.cast(self._seed + i, tf.int64))
            return i + 1, tf.concat([centers, tf.expand_dims(drawn[at], 0)], 0)
        width = rows.get_shape()[1]
        return tf.while_loop(lambda i, _: i < count, more, [tf.constant(1, tf.int64), first],
                             shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, width])])[1]

    def _chosen(self, rows, count):
        """`count` rows to begin with."""
        given = self._initial_clusters
        if callable(given):
            return given(self._inputs, count)
        if not isinstance(given, str):
            return tf.convert_to_tensor(given)
        if given == RANDOM_INIT:
            order = tf.random_shuffle(tf.range(tf.shape(rows)[0]), seed=self._seed)
            return tf.gather(rows, order[:tf.cast(count, tf.int32)])
        if given == KMEANS_PLUS_PLUS_INIT:
            return kmeans_plus_plus_initialization(rows, count, self._seed, self._retries)
        return self._chain_of_centers(rows, count)

    def _begin(self, centers, initialized, others):
        """The op that chooses centers, once; where there are too few rows, later runs choose the rest."""
        def choose():
            rows = tf.concat(self._inputs, 0)
            chosen = tf.size(centers) // tf.maximum(tf.shape(rows)[1], 1)
            left = self._num_clusters - chosen
            count = tf.minimum(left, tf.shape(rows)[0])
            new = self._unit(self._chosen(rows, tf.cast(count, tf.int64)))
            whole = tf.cond(tf.equal(chosen, 0), lambda: new, lambda: tf.concat([centers, new], 0))
            with tf.control_dependencies([tf.assign(var, whole, validate_shape=False) for var in [centers] + others]):
                return tf.assign(initialized, tf.equal(count, left))
        return tf.cond(initialized, lambda: tf.identity(initialized), choose).op

    # ---- steps ----

    def _whole_step(self, centers, nearest):
        sums = tf.add_n([tf.unsorted_segment_sum(rows, at, self._num_clusters) for rows, at in zip(self._inputs, nearest)])
        counts = tf.add_n([tf.unsorted_segment_sum(tf.ones_like(rows[:, :1]), at, self._num_clusters)
                           for rows, at in zip(self._inputs, nearest)])
        return tf.assign(centers, self._unit(sums / (counts + 1e-6)), validate_shape=False).op

    def _batch_step(self, centers, counts, nearest):
        """Each center moves towards its rows by one over how many it has had."""
        moves = []
        for rows, at in zip(self._inputs, nearest):
            ids, places = tf.unique(at)
            size = tf.size(ids)
            added = tf.unsorted_segment_sum(tf.ones_like(places, dtype=tf.int64), places, size)
            wide = tf.reshape(tf.cast(added, rows.dtype), [-1, 1])
            rate = tf.reshape(tf.reciprocal(tf.cast(tf.gather(counts, ids) + added, rows.dtype)), [-1, 1])
            change = (tf.unsorted_segment_sum(rows, places, size) - wide * tf.gather(centers, ids)) * rate
            with tf.control_dependencies([change]):
                moves += [tf.scatter_add(counts, ids, added), tf.scatter_add(centers, ids, change)]
        return tf.group(*moves)

    def _now_and_then(self, centers, moving, counts, nearest):
        """Batch steps of `moving`, which become the centers after every few of them."""
        done = tf.Variable(0, name='update_in_steps', trainable=False)
        with tf.control_dependencies([self._batch_step(moving, counts, nearest)]):
            step = tf.assign_add(done, 1)

        def settle():
            with tf.control_dependencies([tf.assign(centers, self._unit(moving), validate_shape=False), tf.assign(done, 0)]):
                with tf.control_dependencies([tf.assign(moving, centers, validate_shape=False)]):
                    return tf.identity(step)
        return tf.cond(step >= self._steps, settle, lambda: tf.identity(step)).op

    def training_graph(self):
        """(scores of each matrix, nearest centers, distances from them, whether centers are there, the op that chooses them,
        the op of a step)"""
        dtype = self._inputs[0].dtype
        empty = tf.constant([], dtype=dtype)
        centers = tf.Variable(empty, name=CLUSTERS_VAR_NAME, validate_shape=False, trainable=False)
        initialized = tf.Variable(False, name='initialized', trainable=False)
        scores = [self._scores(rows, centers) for rows in self._inputs]
        nearest, distances = zip(*[self._nearest(rows, centers) for rows in self._inputs])
        if not self._use_mini_batch:
            return scores, nearest, distances, initialized, self._begin(centers, initialized, []), self._whole_step(centers, nearest)
        counts = tf.Variable(tf.zeros([self._num_clusters], tf.int64), name='total_counts', trainable=False)
        if self._steps <= 1:
            step, others = self._batch_step(centers, counts, nearest), []
        else:
            others = [tf.Variable(empty, name='clusters_updated', validate_shape=False, trainable=False)]
            step = self._now_and_then(centers, others[0], counts, nearest)
        return scores, nearest, distances, initialized, self._begin(centers, initialized, others), step
