"""Networks of tf.contrib.slim.nets that are one chain of layers: AlexNet, OverFeat and VGG."""
from ..public import tf
from . import layer_utils

# (kind, scope, arguments): conv depth, kernel, stride, padding; pool kernel, stride; stack of convs; dropout
_ALEXNET = [('conv', 'conv1', 64, 11, 4, 'VALID'), ('pool', 'pool1', 3, 2), ('conv', 'conv2', 192, 5, 1, 'SAME'), ('pool', 'pool2', 3, 2),
            ('conv', 'conv3', 384, 3, 1, 'SAME'), ('conv', 'conv4', 384, 3, 1, 'SAME'), ('conv', 'conv5', 256, 3, 1, 'SAME'),
            ('pool', 'pool5', 3, 2)]
_OVERFEAT = [('conv', 'conv1', 64, 11, 4, 'VALID'), ('pool', 'pool1', 2, 2), ('conv', 'conv2', 256, 5, 1, 'VALID'), ('pool', 'pool2', 2, 2),
             ('conv', 'conv3', 512, 3, 1, 'SAME'), ('conv', 'conv4', 1024, 3, 1, 'SAME'), ('conv', 'conv5', 1024, 3, 1, 'SAME'),
             ('pool', 'pool5', 2, 2)]


def trunc_normal(stddev):
    return tf.truncated_normal_initializer(0.0, stddev)


def _vgg_rows(counts):
    rows = []
    for number, (count, depth) in enumerate(zip(counts, (64, 128, 256, 512, 512)), 1):
        rows += [('stack', 'conv%d' % number, count, depth), ('pool', 'pool%d' % number, 2, 2)]
    return rows


def _body(layers, net, rows):
    for kind, scope, *args in rows:
        if kind == 'conv':
            depth, size, stride, padding = args
            net = layers.conv2d(net, depth, [size, size], stride, padding=padding, scope=scope)
        elif kind == 'pool':
            net = layers.max_pool2d(net, [args[0], args[0]], args[1], scope=scope)
        else:
            net = layers.repeat(net, args[0], layers.conv2d, args[1], [3, 3], scope=scope)
    return net


def _head(layers, net, first, depth, num_classes, is_training, keep, bias, more):
    """Three fully connected layers as convolutions; `first` is the kernel of the first."""
    with tf.contrib.framework.arg_scope([layers.conv2d], **more):
        net = layers.conv2d(net, depth, [first, first], padding='VALID', scope='fc6')
        net = layers.dropout(net, keep, is_training=is_training, scope='dropout6')
        net = layers.conv2d(net, 4096, [1, 1], scope='fc7')
        net = layers.dropout(net, keep, is_training=is_training, scope='dropout7')
        last = {} if bias is None else {'biases_initializer': bias}
        return layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope='fc8', **last)


def _network(rows, scope, inputs, num_classes, is_training, keep, squeeze, first, depth=4096, bias=None, head=None):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    with tf.variable_scope(scope, scope, [inputs]) as opened:
        kept = opened.name + '_end_points'
        with arg_scope([layers.conv2d, layers.fully_connected, layers.max_pool2d], outputs_collections=[kept]):
            net = _body(layers, inputs, rows)
            net = _head(layers, net, first, depth, num_classes, is_training, keep, bias, head or {})
            ends = layer_utils.convert_collection_to_dict(kept)
            if squeeze:
                net = tf.squeeze(net, [1, 2], name='fc8/squeezed')
                ends[opened.name + '/fc8'] = net
            return net, ends


def alexnet_v2_arg_scope(weight_decay=0.0005):
    return _plain_scope(weight_decay, tf.constant_initializer(0.1))


def overfeat_arg_scope(weight_decay=0.0005):
    return _plain_scope(weight_decay, tf.zeros_initializer())


def _plain_scope(weight_decay, bias):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    with arg_scope([layers.conv2d, layers.fully_connected], activation_fn=tf.nn.relu, biases_initializer=bias,
                   weights_regularizer=layers.l2_regularizer(weight_decay)):
        with arg_scope([layers.conv2d], padding='SAME'):
            with arg_scope([layers.max_pool2d], padding='VALID') as scope:
                return scope


def vgg_arg_scope(weight_decay=0.0005):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    with arg_scope([layers.conv2d, layers.fully_connected], activation_fn=tf.nn.relu, biases_initializer=tf.zeros_initializer(),
                   weights_regularizer=layers.l2_regularizer(weight_decay)):
        with arg_scope([layers.conv2d], padding='SAME') as scope:
            return scope


def alexnet_v2(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope='alexnet_v2'):
    head = dict(weights_initializer=trunc_normal(0.005), biases_initializer=tf.constant_initializer(0.1))
    return _network(_ALEXNET, scope, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, 5,
                    bias=tf.zeros_initializer(), head=head)


def overfeat(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope='overfeat'):
    head = dict(weights_initializer=trunc_normal(0.005), biases_initializer=tf.constant_initializer(0.1))
    return _network(_OVERFEAT, scope, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, 6, 3072,
                    bias=tf.zeros_initializer(), head=head)


def vgg_a(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope='vgg_a'):
    return _network(_vgg_rows((1, 1, 2, 2, 2)), scope, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, 7)


def vgg_16(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope='vgg_16'):
    return _network(_vgg_rows((2, 2, 3, 3, 3)), scope, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, 7)


def vgg_19(inputs, num_classes=1000, is_training=True, dropout_keep_prob=0.5, spatial_squeeze=True, scope='vgg_19'):
    return _network(_vgg_rows((2, 2, 4, 4, 4)), scope, inputs, num_classes, is_training, dropout_keep_prob, spatial_squeeze, 7)


vgg_d, vgg_e = vgg_16, vgg_19
for _act in (alexnet_v2, vgg_a, vgg_16, vgg_19):
    _act.default_image_size = 224
overfeat.default_image_size = 231
