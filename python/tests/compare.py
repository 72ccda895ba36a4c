#!/usr/bin/env python3
"""Trains the same small models under weir and under tensorflow.compat.v1, and compares losses, values and names; then the reference
workloads, by workloads.py.

  compare.py --weir PYTHON --tensorflow PYTHON     two interpreters: one with NumPy alone, one with TensorFlow
  compare.py --one OUT                             in one of them: writes what it computed, and a checkpoint OUT.model
  compare.py --one OUT --restore PREFIX            writes the variables of the other's checkpoint and meta graph
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import workloads

HERE = os.path.dirname(os.path.abspath(__file__))


def dense(tf, x, count, name, act=None):
    with tf.variable_scope(name):
        w = tf.get_variable('w', [int(x.shape[1]), count], initializer=tf.truncated_normal_initializer(stddev=0.1, seed=1))
        b = tf.get_variable('b', [count], initializer=tf.constant_initializer(0.1))
        y = tf.nn.bias_add(tf.matmul(x, w), b)
        return act(y) if act else y


def classifier(tf, np, optimizer):
    random = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [8, 12], name='x'), tf.placeholder(tf.int32, [8], name='y')
    h = tf.nn.dropout(dense(tf, x, 10, 'h', tf.nn.relu), rate=0.3, seed=3)
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=dense(tf, h, 4, 'out')))
    return loss, optimizer, {x: random.rand(8, 12).astype('f'), y: random.randint(0, 4, 8)}


def convolution(tf, np, optimizer):
    random = np.random.RandomState(1)
    x = tf.placeholder(tf.float32, [2, 8, 8, 3], name='x')
    w = tf.get_variable('w', [3, 3, 3, 4], initializer=tf.random_normal_initializer(stddev=0.1, seed=2))
    h = tf.nn.max_pool(tf.nn.relu(tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME')), [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')
    mean, variance = tf.nn.moments(h, [0, 1, 2])
    h = tf.nn.batch_normalization(h, mean, variance, None, None, 1e-3)
    target = tf.constant(random.rand(2, 4, 4, 4).astype('f'))  # one value for all would leave no gradient but rounding
    return tf.reduce_mean(tf.square(h - target)), optimizer, {x: random.rand(2, 8, 8, 3).astype('f')}


def embedding(tf, np, optimizer):
    ids = tf.constant([[1, 2, 1], [0, 3, 3]])
    table = tf.get_variable('table', [6, 5], initializer=tf.random_uniform_initializer(-1., 1., seed=4))
    rows = tf.nn.embedding_lookup(table, ids)
    loss = tf.reduce_sum(tf.square(tf.reduce_sum(rows, 1) - 1.)) + tf.reduce_sum(tf.clip_by_value(rows[:, 1:, ::2], -.2, .2))
    return loss, optimizer, {}


def recurrence(tf, np, optimizer):
    x = tf.placeholder(tf.float32, [5, 2, 3], name='x')
    w = tf.get_variable('w', [3, 3], initializer=tf.truncated_normal_initializer(stddev=0.5, seed=1))
    steps = tf.TensorArray(tf.float32, 5).unstack(x)
    _, h = tf.while_loop(lambda t, h: t < 5, lambda t, h: (t + 1, tf.tanh(tf.matmul(h, w) + steps.read(t))),
                         [0, tf.zeros([2, 3])])
    flag = tf.reduce_sum(h) > 100.
    loss = tf.cond(flag, lambda: tf.reduce_sum(h), lambda: tf.reduce_mean(tf.square(h)))
    return loss, optimizer, {x: np.random.RandomState(2).randn(5, 2, 3).astype('f')}


def penalty(tf, np, optimizer):
    """The gradient of a gradient through batch normalisation, as penalties of adversarial nets have it."""
    random, total = np.random.RandomState(3), 0.
    for layout, training in (('NHWC', True), ('NCHW', True), ('NHWC', False)):
        x = tf.constant(random.randn(3, 4, 5, 4).astype('f'))
        with tf.variable_scope('%s_%s' % (layout, training)):
            scale, offset = (tf.get_variable(name, [4], initializer=tf.random_normal_initializer(1., 0.3, seed=5))
                             for name in ('scale', 'offset'))
            x = x * tf.get_variable('weight', x.shape, initializer=tf.random_normal_initializer(1., 0.3, seed=6))
        x = x if layout == 'NHWC' else tf.transpose(x, [0, 3, 1, 2])
        given = {} if training else {'mean': tf.constant([.1, .2, -.1, 0.]), 'variance': tf.constant([1., .5, 2., 1.5])}
        y, _, _ = tf.nn.fused_batch_norm(x, scale, offset, data_format=layout, is_training=training, **given)
        weight = tf.constant(random.randn(*[int(size) for size in y.shape]).astype('f'))
        total += sum(tf.reduce_mean(tf.square(part)) for part in tf.gradients(tf.reduce_sum(tf.sin(y) * weight), [x, scale, offset]))
    return 1e-3 * total, optimizer, {}


MODELS = {'classifier': classifier, 'convolution': convolution, 'embedding': embedding, 'recurrence': recurrence, 'penalty': penalty}
OPTIMIZERS = {'descent': lambda tf: tf.train.GradientDescentOptimizer(0.1), 'adam': lambda tf: tf.train.AdamOptimizer(0.01),
              'momentum': lambda tf: tf.train.MomentumOptimizer(0.05, 0.9),
              'adagrad': lambda tf: tf.train.AdagradOptimizer(0.1), 'adadelta': lambda tf: tf.train.AdadeltaOptimizer(1.),
              'rmsprop': lambda tf: tf.train.RMSPropOptimizer(0.01, momentum=0.5),
              'centered': lambda tf: tf.train.RMSPropOptimizer(0.01, centered=True),
              'ftrl': lambda tf: tf.train.FtrlOptimizer(0.1, l1_regularization_strength=0.01, l2_regularization_strength=0.02),
              'shrinking_ftrl': lambda tf: tf.train.FtrlOptimizer(0.1, l2_shrinkage_regularization_strength=0.1),
              'proximal_descent': lambda tf: tf.train.ProximalGradientDescentOptimizer(0.1, 0.01, 0.02),
              'proximal_adagrad': lambda tf: tf.train.ProximalAdagradOptimizer(0.1, 0.1, 0.01, 0.02),
              'adagrad_da': lambda tf: tf.train.AdagradDAOptimizer(0.01, tf.train.get_or_create_global_step(), 0.1, 0.01, 0.02)}


SAVED = 'classifier/adam'


def values_of(tf, np, session):
    return {var.name: np.asarray(session.run(var)).ravel().tolist() for var in tf.global_variables()}


def restored(tf, np, prefix):
    tf.reset_default_graph()
    saver = tf.train.import_meta_graph(prefix + '.meta')
    with tf.Session() as session:
        saver.restore(session, prefix)
        return {'losses': [], 'values': values_of(tf, np, session), 'train_op': tf.get_collection(tf.GraphKeys.TRAIN_OP)[0].name}


def train(tf, np, model, optimizer, checkpoint):
    tf.reset_default_graph()
    loss, chosen, feeds = MODELS[model](tf, np, OPTIMIZERS[optimizer](tf))
    step = chosen.minimize(loss, global_step=tf.train.get_or_create_global_step())
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        losses = [float(session.run([loss, step], feeds)[0]) for _ in range(4)]
        values = values_of(tf, np, session)
        if checkpoint:
            tf.train.Saver().save(session, checkpoint)
    return {'losses': losses, 'values': values, 'train_op': step.name}


def one(out, restore=None):
    import numpy as np
    import tensorflow.compat.v1 as tf
    tf.disable_v2_behavior()
    if restore:
        found = {SAVED: restored(tf, np, restore)}
    else:
        found = {m + '/' + o: train(tf, np, m, o, out + '.model' if m + '/' + o == SAVED else None)
                 for m in MODELS for o in OPTIMIZERS}
    with open(out, 'w') as file:
        json.dump(found, file)


def differs(name, ours, theirs):
    if ours['train_op'] != theirs['train_op'] or list(ours['values']) != list(theirs['values']):
        return '%s: names differ: %s, %s' % (name, ours['train_op'], sorted(set(ours['values']) ^ set(theirs['values'])))
    pairs = [('loss', ours['losses'], theirs['losses'])]
    pairs += [(key, ours['values'][key], theirs['values'][key]) for key in ours['values']]
    for what, left, right in pairs:
        for a, b in zip(left, right):
            if abs(a - b) > 2e-4 * max(1., abs(b)):
                return '%s: %s is %r, not %r' % (name, what, a, b)
    return None


def compare(weir, tensorflow):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, which) for which in ('weir', 'tensorflow')]
        env = dict(os.environ, TF_CPP_MIN_LOG_LEVEL='3')
        ours_env = dict(env, PYTHONPATH=os.path.dirname(HERE))

        def run(out, is_weir, *more):
            start = [weir, '-m', 'weir'] if is_weir else [tensorflow, '-W', 'ignore']
            subprocess.run(start + [__file__, '--one', out, *more], env=ours_env if is_weir else env, check=True,
                           stderr=None if is_weir else subprocess.DEVNULL)
            return json.load(open(out))
        ours, theirs = run(paths[0], True), run(paths[1], False)
        read = {'weir restores': (run(paths[0] + '.read', True, '--restore', paths[1] + '.model')[SAVED], theirs[SAVED]),
                'tensorflow restores': (run(paths[1] + '.read', False, '--restore', paths[0] + '.model')[SAVED], ours[SAVED])}
    wrong = [line for line in (differs(name, ours[name], theirs[name]) for name in theirs) if line]
    wrong += [line for line in (differs(name, *pair) for name, pair in read.items()) if line]
    for line in wrong:
        print(line)
    passed, failed = workloads.counts(weir, tensorflow)
    failed += len(wrong)
    print('%d passed, %d failed' % (passed + len(theirs) + len(read) - len(wrong), failed))
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--weir', default=sys.executable)
    parser.add_argument('--tensorflow', default=sys.executable)
    parser.add_argument('--one')
    parser.add_argument('--restore')
    options = parser.parse_args()
    return one(options.one, options.restore) if options.one else compare(options.weir, options.tensorflow)


if __name__ == '__main__':
    sys.exit(main())
