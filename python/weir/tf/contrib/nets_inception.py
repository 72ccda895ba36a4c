"""Inception networks of tf.contrib.slim.nets, versions 1 to 3, as tables of branches.

A layer is (name, depth, kernel) or (name, depth, kernel, stride[, padding]) for a convolution, (name,) + pool for one of the pools
below, and a list of layers where the branch splits. Depths of versions 2 and 3 are scaled by depth_multiplier.
"""
from ..public import tf

MAX3, AVG3, MAX3_2, MAX3_2_VALID = 'max 3 1 SAME', 'avg 3 1 SAME', 'max 3 2 SAME', 'max 3 2 VALID'


def _mixed_v1(a, b, c, d, last='Conv2d_0b_3x3'):
    return [[('Conv2d_0a_1x1', a, 1)], [('Conv2d_0a_1x1', b[0], 1), ('Conv2d_0b_3x3', b[1], 3)],
            [('Conv2d_0a_1x1', c[0], 1), (last, c[1], 3)], [('MaxPool_0a_3x3', MAX3), ('Conv2d_0b_1x1', d, 1)]]


_V1 = [
    ('Conv2d_1a_7x7', 64, 7, 2), ('MaxPool_2a_3x3', MAX3_2), ('Conv2d_2b_1x1', 64, 1), ('Conv2d_2c_3x3', 192, 3),
    ('MaxPool_3a_3x3', MAX3_2), ('Mixed_3b', _mixed_v1(64, (96, 128), (16, 32), 32)),
    ('Mixed_3c', _mixed_v1(128, (128, 192), (32, 96), 64)), ('MaxPool_4a_3x3', MAX3_2),
    ('Mixed_4b', _mixed_v1(192, (96, 208), (16, 48), 64)), ('Mixed_4c', _mixed_v1(160, (112, 224), (24, 64), 64)),
    ('Mixed_4d', _mixed_v1(128, (128, 256), (24, 64), 64)), ('Mixed_4e', _mixed_v1(112, (144, 288), (32, 64), 64)),
    ('Mixed_4f', _mixed_v1(256, (160, 320), (32, 128), 128)), ('MaxPool_5a_2x2', 'max 2 2 SAME'),
    ('Mixed_5b', _mixed_v1(256, (160, 320), (32, 128), 128, 'Conv2d_0a_3x3')),
    ('Mixed_5c', _mixed_v1(384, (192, 384), (48, 128), 128))]


def _mixed_v2(a, b, c, d, pool=('AvgPool_0a_3x3', AVG3)):
    return [[('Conv2d_0a_1x1', a, 1)], [('Conv2d_0a_1x1', b[0], 1), ('Conv2d_0b_3x3', b[1], 3)],
            [('Conv2d_0a_1x1', c[0], 1), ('Conv2d_0b_3x3', c[1], 3), ('Conv2d_0c_3x3', c[1], 3)], [pool, ('Conv2d_0b_1x1', d, 1)]]


def _smaller_v2(a, b):
    return [[('Conv2d_0a_1x1', a[0], 1), ('Conv2d_1a_3x3', a[1], 3, 2)],
            [('Conv2d_0a_1x1', b[0], 1), ('Conv2d_0b_3x3', b[1], 3), ('Conv2d_1a_3x3', b[1], 3, 2)], [('MaxPool_1a_3x3', MAX3_2)]]


_V2 = [
    ('Conv2d_1a_7x7', 64, 'separable'), ('MaxPool_2a_3x3', MAX3_2), ('Conv2d_2b_1x1', 64, 1), ('Conv2d_2c_3x3', 192, 3),
    ('MaxPool_3a_3x3', MAX3_2), ('Mixed_3b', _mixed_v2(64, (64, 64), (64, 96), 32)),
    ('Mixed_3c', _mixed_v2(64, (64, 96), (64, 96), 64)), ('Mixed_4a', _smaller_v2((128, 160), (64, 96))),
    ('Mixed_4b', _mixed_v2(224, (64, 96), (96, 128), 128)), ('Mixed_4c', _mixed_v2(192, (96, 128), (96, 128), 128)),
    ('Mixed_4d', _mixed_v2(160, (128, 160), (128, 160), 96)), ('Mixed_4e', _mixed_v2(96, (128, 192), (160, 192), 96)),
    ('Mixed_5a', _smaller_v2((128, 192), (192, 256))), ('Mixed_5b', _mixed_v2(352, (192, 320), (160, 224), 128)),
    ('Mixed_5c', _mixed_v2(352, (192, 320), (192, 224), 128, ('MaxPool_0a_3x3', MAX3)))]


def _mixed_5(pool, one='Conv2d_0a_1x1', five='Conv2d_0b_5x5'):
    return [[('Conv2d_0a_1x1', 64, 1)], [(one, 48, 1), (five, 64, 5)],
            [('Conv2d_0a_1x1', 64, 1), ('Conv2d_0b_3x3', 96, 3), ('Conv2d_0c_3x3', 96, 3)],
            [('AvgPool_0a_3x3', AVG3), ('Conv2d_0b_1x1', pool, 1)]]


def _mixed_6(depth):
    return [[('Conv2d_0a_1x1', 192, 1)],
            [('Conv2d_0a_1x1', depth, 1), ('Conv2d_0b_1x7', depth, (1, 7)), ('Conv2d_0c_7x1', 192, (7, 1))],
            [('Conv2d_0a_1x1', depth, 1), ('Conv2d_0b_7x1', depth, (7, 1)), ('Conv2d_0c_1x7', depth, (1, 7)),
             ('Conv2d_0d_7x1', depth, (7, 1)), ('Conv2d_0e_1x7', 192, (1, 7))],
            [('AvgPool_0a_3x3', AVG3), ('Conv2d_0b_1x1', 192, 1)]]


def _mixed_7(tall):
    return [[('Conv2d_0a_1x1', 320, 1)],
            [('Conv2d_0a_1x1', 384, 1), [('Conv2d_0b_1x3', 384, (1, 3)), (tall, 384, (3, 1))]],
            [('Conv2d_0a_1x1', 448, 1), ('Conv2d_0b_3x3', 384, 3), [('Conv2d_0c_1x3', 384, (1, 3)), ('Conv2d_0d_3x1', 384, (3, 1))]],
            [('AvgPool_0a_3x3', AVG3), ('Conv2d_0b_1x1', 192, 1)]]


_V3 = [
    ('Conv2d_1a_3x3', 32, 3, 2, 'VALID'), ('Conv2d_2a_3x3', 32, 3, 1, 'VALID'), ('Conv2d_2b_3x3', 64, 3, 1, 'SAME'),
    ('MaxPool_3a_3x3', MAX3_2_VALID), ('Conv2d_3b_1x1', 80, 1, 1, 'VALID'), ('Conv2d_4a_3x3', 192, 3, 1, 'VALID'),
    ('MaxPool_5a_3x3', MAX3_2_VALID), ('Mixed_5b', _mixed_5(32)), ('Mixed_5c', _mixed_5(64, 'Conv2d_0b_1x1', 'Conv_1_0c_5x5')),
    ('Mixed_5d', _mixed_5(64)),
    ('Mixed_6a', [[('Conv2d_1a_1x1', 384, 3, 2, 'VALID')],
                  [('Conv2d_0a_1x1', 64, 1), ('Conv2d_0b_3x3', 96, 3), ('Conv2d_1a_1x1', 96, 3, 2, 'VALID')],
                  [('MaxPool_1a_3x3', MAX3_2_VALID)]]),
    ('Mixed_6b', _mixed_6(128)), ('Mixed_6c', _mixed_6(160)), ('Mixed_6d', _mixed_6(160)), ('Mixed_6e', _mixed_6(192)),
    ('Mixed_7a', [[('Conv2d_0a_1x1', 192, 1), ('Conv2d_1a_3x3', 320, 3, 2, 'VALID')],
                  [('Conv2d_0a_1x1', 192, 1), ('Conv2d_0b_1x7', 192, (1, 7)), ('Conv2d_0c_7x1', 192, (7, 1)),
                   ('Conv2d_1a_3x3', 192, 3, 2, 'VALID')], [('MaxPool_1a_3x3', MAX3_2_VALID)]]),
    ('Mixed_7b', _mixed_7('Conv2d_0b_3x1')), ('Mixed_7c', _mixed_7('Conv2d_0c_3x1'))]


def trunc_normal(stddev):
    return tf.truncated_normal_initializer(0.0, stddev)


class _Builder:
    """Makes layers of the tables; depth is what a depth becomes."""

    def __init__(self, depth):
        self.layers, self.depth = tf.contrib.layers, depth

    def layer(self, net, row):
        name, what = row[0], row[1]
        if isinstance(what, str):
            kind, size, stride, padding = what.split()
            pool = self.layers.max_pool2d if kind == 'max' else self.layers.avg_pool2d
            return pool(net, [int(size)] * 2, stride=int(stride), padding=padding, scope=name)
        if row[2] == 'separable':
            depth = self.depth(what)
            return self.layers.separable_conv2d(net, depth, [7, 7], depth_multiplier=min(int(depth / 3), 8), stride=2, padding='SAME',
                                                weights_initializer=trunc_normal(1.0), scope=name)
        kernel = [row[2]] * 2 if isinstance(row[2], int) else list(row[2])
        stride, padding = (row[3:] + (1, 'SAME')[len(row) - 3:]) if len(row) > 3 else (1, 'SAME')
        return self.layers.conv2d(net, self.depth(what), kernel, stride=stride, padding=padding, scope=name)

    def branch(self, net, rows):
        for row in rows:
            net = tf.concat([self.layer(net, each) for each in row], 3) if isinstance(row, list) else self.layer(net, row)
        return net

    def mixed(self, net, branches):
        made = []
        for number, rows in enumerate(branches):
            with tf.variable_scope('Branch_%d' % number):
                made.append(self.branch(net, rows))
        return tf.concat(made, 3)

    def run(self, net, table, final_endpoint):
        ends = {}
        for row in table:
            if isinstance(row[1], list):
                with tf.variable_scope(row[0]):
                    net = self.mixed(net, row[1])
            else:
                net = self.layer(net, row)
            ends[row[0]] = net
            if row[0] == final_endpoint:
                return net, ends
        raise ValueError('Unknown final endpoint %s' % final_endpoint)


def _scaled(depth_multiplier, min_depth):
    if depth_multiplier <= 0:
        raise ValueError('depth_multiplier is not greater than zero.')
    return lambda depth: max(int(depth * depth_multiplier), min_depth)


def inception_v1_base(inputs, final_endpoint='Mixed_5c', scope='InceptionV1'):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    with tf.variable_scope(scope, 'InceptionV1', [inputs]):
        with arg_scope([layers.conv2d, layers.fully_connected], weights_initializer=trunc_normal(0.01)):
            return _Builder(lambda depth: depth).run(inputs, _V1, final_endpoint)


def inception_v2_base(inputs, final_endpoint='Mixed_5c', min_depth=16, depth_multiplier=1.0, scope=None):
    with tf.variable_scope(scope, 'InceptionV2', [inputs]):
        return _Builder(_scaled(depth_multiplier, min_depth)).run(inputs, _V2, final_endpoint)


def inception_v3_base(inputs, final_endpoint='Mixed_7c', min_depth=16, depth_multiplier=1.0, scope=None):
    with tf.variable_scope(scope, 'InceptionV3', [inputs]):
        return _Builder(_scaled(depth_multiplier, min_depth)).run(inputs, _V3, final_endpoint)


def _kernel(net, sizes):
    """The kernel of the last pool: smaller where the image is."""
    shape = net.get_shape().as_list()
    return list(sizes) if shape[1] is None or shape[2] is None else [min(shape[1], sizes[0]), min(shape[2], sizes[1])]


def _classify(net, ends, num_classes, keep, prediction_fn, squeeze, conv, pre_logits=False):
    layers = tf.contrib.layers
    net = layers.dropout(net, keep_prob=keep, scope='Dropout_%s' % ('0b' if conv == 'Conv2d_0c_1x1' else '1b'))
    if pre_logits:
        ends['PreLogits'] = net
    logits = layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope=conv)
    return tf.squeeze(logits, [1, 2], name='SpatialSqueeze') if squeeze else logits


def inception_v1(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, prediction_fn=tf.contrib.layers.softmax,
                 spatial_squeeze=True, reuse=None, scope='InceptionV1'):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    with tf.variable_scope(scope, 'InceptionV1', [inputs, num_classes], reuse=reuse) as opened:
        with arg_scope([layers.batch_norm, layers.dropout], is_training=is_training):
            net, ends = inception_v1_base(inputs, scope=opened)
            with tf.variable_scope('Logits'):
                net = layers.avg_pool2d(net, [7, 7], stride=1, scope='MaxPool_0a_7x7')
                logits = _classify(net, ends, num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze, 'Conv2d_0c_1x1')
                ends['Logits'] = logits
                ends['Predictions'] = prediction_fn(logits, scope='Predictions')
    return logits, ends


def inception_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16, depth_multiplier=1.0,
                 prediction_fn=tf.contrib.layers.softmax, spatial_squeeze=True, reuse=None, scope='InceptionV2'):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    _scaled(depth_multiplier, min_depth)
    with tf.variable_scope(scope, 'InceptionV2', [inputs, num_classes], reuse=reuse) as opened:
        with arg_scope([layers.batch_norm, layers.dropout], is_training=is_training):
            net, ends = inception_v2_base(inputs, scope=opened, min_depth=min_depth, depth_multiplier=depth_multiplier)
            with tf.variable_scope('Logits'):
                size = _kernel(net, [7, 7])
                net = layers.avg_pool2d(net, size, padding='VALID', scope='AvgPool_1a_%dx%d' % tuple(size))
                logits = _classify(net, ends, num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze, 'Conv2d_1c_1x1')
            ends['Logits'] = logits
            ends['Predictions'] = prediction_fn(logits, scope='Predictions')
    return logits, ends


def _auxiliary(ends, num_classes, depth, squeeze):
    layers = tf.contrib.layers
    with tf.contrib.framework.arg_scope([layers.conv2d, layers.max_pool2d, layers.avg_pool2d], stride=1, padding='SAME'):
        net = ends['Mixed_6e']
        with tf.variable_scope('AuxLogits'):
            net = layers.avg_pool2d(net, [5, 5], stride=3, padding='VALID', scope='AvgPool_1a_5x5')
            net = layers.conv2d(net, depth(128), [1, 1], scope='Conv2d_1b_1x1')
            size = _kernel(net, [5, 5])
            net = layers.conv2d(net, depth(768), size, weights_initializer=trunc_normal(0.01), padding='VALID',
                                scope='Conv2d_2a_%dx%d' % tuple(size))
            net = layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None,
                                weights_initializer=trunc_normal(0.001), scope='Conv2d_2b_1x1')
            ends['AuxLogits'] = tf.squeeze(net, [1, 2], name='SpatialSqueeze') if squeeze else net


def inception_v3(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.8, min_depth=16, depth_multiplier=1.0,
                 prediction_fn=tf.contrib.layers.softmax, spatial_squeeze=True, reuse=None, scope='InceptionV3'):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    depth = _scaled(depth_multiplier, min_depth)
    with tf.variable_scope(scope, 'InceptionV3', [inputs, num_classes], reuse=reuse) as opened:
        with arg_scope([layers.batch_norm, layers.dropout], is_training=is_training):
            net, ends = inception_v3_base(inputs, scope=opened, min_depth=min_depth, depth_multiplier=depth_multiplier)
            _auxiliary(ends, num_classes, depth, spatial_squeeze)
            with tf.variable_scope('Logits'):
                size = _kernel(net, [8, 8])
                net = layers.avg_pool2d(net, size, padding='VALID', scope='AvgPool_1a_%dx%d' % tuple(size))
                logits = _classify(net, ends, num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze, 'Conv2d_1c_1x1', True)
            ends['Logits'] = logits
            ends['Predictions'] = prediction_fn(logits, scope='Predictions')
    return logits, ends


def _arg_scope(weight_decay, norm):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    with arg_scope([layers.conv2d, layers.fully_connected], weights_regularizer=layers.l2_regularizer(weight_decay)):
        more = {} if norm is None else {'normalizer_fn': layers.batch_norm, 'normalizer_params': norm}
        with arg_scope([layers.conv2d], weights_initializer=layers.variance_scaling_initializer(), activation_fn=tf.nn.relu,
                       **more) as scope:
            return scope


def _norm(collection, **more):
    names = {'beta': None, 'gamma': None, 'moving_mean': [collection], 'moving_variance': [collection]}
    return dict({'decay': 0.9997, 'epsilon': 0.001, 'updates_collections': tf.GraphKeys.UPDATE_OPS, 'variables_collections': names}, **more)


def inception_v1_arg_scope(weight_decay=4e-05, use_batch_norm=True, batch_norm_var_collection='moving_vars'):
    return _arg_scope(weight_decay, _norm(batch_norm_var_collection) if use_batch_norm else None)


def inception_v2_arg_scope(weight_decay=4e-05, batch_norm_var_collection='moving_vars'):
    return _arg_scope(weight_decay, _norm(batch_norm_var_collection))


def inception_v3_arg_scope(weight_decay=4e-05, batch_norm_var_collection='moving_vars', batch_norm_decay=0.9997,
                           batch_norm_epsilon=0.001, updates_collections='update_ops', use_fused_batchnorm=True):
    return _arg_scope(weight_decay, _norm(batch_norm_var_collection, decay=batch_norm_decay, epsilon=batch_norm_epsilon,
                                          updates_collections=updates_collections, fused=use_fused_batchnorm))


inception_v1.default_image_size = inception_v2.default_image_size = 224
inception_v3.default_image_size = 299
