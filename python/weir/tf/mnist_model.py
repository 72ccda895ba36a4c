"""tensorflow.examples.tutorials.mnist.mnist: the fully connected model of the tutorial."""
import math

from .public import tf

NUM_CLASSES, IMAGE_SIZE = 10, 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def _layer(inputs, rows, units, name, activation):
    with tf.name_scope(name):
        weights = tf.Variable(tf.truncated_normal([rows, units], stddev=1.0 / math.sqrt(float(rows))), name='weights')
        biases = tf.Variable(tf.zeros([units]), name='biases')
        return activation(tf.matmul(inputs, weights) + biases)


def inference(images, hidden1_units, hidden2_units):
    hidden = _layer(images, IMAGE_PIXELS, hidden1_units, 'hidden1', tf.nn.relu)
    hidden = _layer(hidden, hidden1_units, hidden2_units, 'hidden2', tf.nn.relu)
    return _layer(hidden, hidden2_units, NUM_CLASSES, 'softmax_linear', lambda values: values)


def loss(logits, labels):
    return tf.losses.sparse_softmax_cross_entropy(labels=tf.to_int64(labels), logits=logits)


def training(loss, learning_rate):
    tf.summary.scalar('loss', loss)
    step = tf.Variable(0, name='global_step', trainable=False)
    return tf.train.GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)


def evaluation(logits, labels):
    return tf.reduce_sum(tf.cast(tf.nn.in_top_k(logits, labels, 1), tf.int32))
