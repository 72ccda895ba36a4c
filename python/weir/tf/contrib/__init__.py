"""tf.contrib: a file a package or a part of it."""
