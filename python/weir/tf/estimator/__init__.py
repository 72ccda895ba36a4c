"""tf.estimator."""
