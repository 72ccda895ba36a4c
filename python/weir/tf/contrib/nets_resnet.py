"""Residual networks of tf.contrib.slim.nets: both versions, with a stride of the output that is kept by holes."""
import collections

from ..public import tf
from . import layer_utils

Block = collections.namedtuple('Block', ['scope', 'unit_fn', 'args'])
_SIZES = {50: (3, 4, 6), 101: (3, 4, 23), 152: (3, 8, 36), 200: (3, 24, 36)}


def subsample(inputs, factor, scope=None):
    return inputs if factor == 1 else tf.contrib.layers.max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(inputs, num_outputs, kernel_size, stride, rate=1, scope=None):
    """A convolution whose padding does not depend on the size of the input."""
    conv2d = tf.contrib.layers.conv2d
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, stride=1, rate=rate, padding='SAME', scope=scope)
    total = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    begin = total // 2
    inputs = tf.pad(inputs, [[0, 0], [begin, total - begin], [begin, total - begin], [0, 0]])
    return conv2d(inputs, num_outputs, kernel_size, stride=stride, rate=rate, padding='VALID', scope=scope)


def stack_blocks_dense(net, blocks, output_stride=None, outputs_collections=None):
    """The units of the blocks in turn. Once the stride of the output is reached, strides become rates of holes."""
    current, rate = 1, 1
    for block in blocks:
        with tf.variable_scope(block.scope, 'block', [net]) as scope:
            for number, unit in enumerate(block.args, 1):
                if output_stride is not None and current > output_stride:
                    raise ValueError('The target output_stride cannot be reached.')
                with tf.variable_scope('unit_%d' % number, values=[net]):
                    if output_stride is not None and current == output_stride:
                        net = block.unit_fn(net, rate=rate, **dict(unit, stride=1))
                        rate *= unit.get('stride', 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        current *= unit.get('stride', 1)
            net = layer_utils.collect_named_outputs(outputs_collections, scope.name, net)
    if output_stride is not None and current != output_stride:
        raise ValueError('The target output_stride cannot be reached.')
    return net


stack_blocks_dense = tf.contrib.framework.add_arg_scope(stack_blocks_dense)


def resnet_arg_scope(weight_decay=0.0001, batch_norm_decay=0.997, batch_norm_epsilon=1e-05, batch_norm_scale=True):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    norm = {'decay': batch_norm_decay, 'epsilon': batch_norm_epsilon, 'scale': batch_norm_scale,
            'updates_collections': tf.GraphKeys.UPDATE_OPS}
    with arg_scope([layers.conv2d], weights_regularizer=layers.l2_regularizer(weight_decay),
                   weights_initializer=layers.variance_scaling_initializer(), activation_fn=tf.nn.relu,
                   normalizer_fn=layers.batch_norm, normalizer_params=norm):
        with arg_scope([layers.batch_norm], **norm):
            with arg_scope([layers.max_pool2d], padding='SAME') as scope:
                return scope


def _bottleneck_v1(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    conv2d = tf.contrib.layers.conv2d
    with tf.variable_scope(scope, 'bottleneck_v1', [inputs]) as opened:
        if depth == layer_utils.last_dimension(inputs.get_shape(), min_rank=4):
            shortcut = subsample(inputs, stride, 'shortcut')
        else:
            shortcut = conv2d(inputs, depth, [1, 1], stride=stride, activation_fn=None, scope='shortcut')
        residual = conv2d(inputs, depth_bottleneck, [1, 1], stride=1, scope='conv1')
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope='conv2')
        residual = conv2d(residual, depth, [1, 1], stride=1, activation_fn=None, scope='conv3')
        return layer_utils.collect_named_outputs(outputs_collections, opened.name, tf.nn.relu(shortcut + residual))


def _bottleneck_v2(inputs, depth, depth_bottleneck, stride, rate=1, outputs_collections=None, scope=None):
    layers = tf.contrib.layers
    with tf.variable_scope(scope, 'bottleneck_v2', [inputs]) as opened:
        before = layers.batch_norm(inputs, activation_fn=tf.nn.relu, scope='preact')
        if depth == layer_utils.last_dimension(inputs.get_shape(), min_rank=4):
            shortcut = subsample(inputs, stride, 'shortcut')
        else:
            shortcut = layers.conv2d(before, depth, [1, 1], stride=stride, normalizer_fn=None, activation_fn=None, scope='shortcut')
        residual = layers.conv2d(before, depth_bottleneck, [1, 1], stride=1, scope='conv1')
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope='conv2')
        residual = layers.conv2d(residual, depth, [1, 1], stride=1, normalizer_fn=None, activation_fn=None, scope='conv3')
        return layer_utils.collect_named_outputs(outputs_collections, opened.name, shortcut + residual)


bottleneck_v1 = tf.contrib.framework.add_arg_scope(_bottleneck_v1)
bottleneck_v2 = tf.contrib.framework.add_arg_scope(_bottleneck_v2)


def _resnet(version, inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block, reuse, scope):
    layers, arg_scope = tf.contrib.layers, tf.contrib.framework.arg_scope
    unit = bottleneck_v1 if version == 1 else bottleneck_v2
    with tf.variable_scope(scope, 'resnet_v%d' % version, [inputs], reuse=reuse) as opened:
        kept = opened.original_name_scope + '_end_points'
        with arg_scope([layers.conv2d, unit, stack_blocks_dense], outputs_collections=kept), \
                arg_scope([layers.batch_norm], is_training=is_training):
            net = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4 != 0:
                        raise ValueError('The output_stride needs to be a multiple of 4.')
                    output_stride /= 4
                with arg_scope([layers.conv2d], **({} if version == 1 else {'activation_fn': None, 'normalizer_fn': None})):
                    net = conv2d_same(net, 64, 7, stride=2, scope='conv1')
                net = layers.max_pool2d(net, [3, 3], stride=2, scope='pool1')
            net = stack_blocks_dense(net, blocks, output_stride)
            if version == 2:
                net = layers.batch_norm(net, activation_fn=tf.nn.relu, scope='postnorm')
            if global_pool:
                net = tf.reduce_mean(net, [1, 2], name='pool5', keepdims=True)
            if num_classes is not None:
                net = layers.conv2d(net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope='logits')
            ends = layer_utils.convert_collection_to_dict(kept)
            if num_classes is not None:
                ends['predictions'] = layers.softmax(net, scope='predictions')
            return net, ends


def resnet_v1(inputs, blocks, num_classes=None, is_training=True, global_pool=True, output_stride=None, include_root_block=True,
              reuse=None, scope=None):
    return _resnet(1, inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block, reuse, scope)


def resnet_v2(inputs, blocks, num_classes=None, is_training=True, global_pool=True, output_stride=None, include_root_block=True,
              reuse=None, scope=None):
    return _resnet(2, inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block, reuse, scope)


def _block(unit, scope, base_depth, num_units, stride):
    row = {'depth': base_depth * 4, 'depth_bottleneck': base_depth}
    return Block(scope, unit, [dict(row, stride=1)] * (num_units - 1) + [dict(row, stride=stride)])


def resnet_v1_block(scope, base_depth, num_units, stride):
    return _block(bottleneck_v1, scope, base_depth, num_units, stride)


def resnet_v2_block(scope, base_depth, num_units, stride):
    return _block(bottleneck_v2, scope, base_depth, num_units, stride)


def _of_depth(version, layers):
    name = 'resnet_v%d_%d' % (version, layers)
    block, network = (resnet_v1_block, resnet_v1) if version == 1 else (resnet_v2_block, resnet_v2)

    def build(inputs, num_classes=None, is_training=True, global_pool=True, output_stride=None, reuse=None, scope=name):
        counts = _SIZES[layers]
        blocks = [block('block1', 64, counts[0], 2), block('block2', 128, counts[1], 2), block('block3', 256, counts[2], 2),
                  block('block4', 512, 3, 1)]
        return network(inputs, blocks, num_classes, is_training, global_pool, output_stride, include_root_block=True, reuse=reuse,
                       scope=scope)
    build.__name__ = build.__qualname__ = name
    build.default_image_size = 224
    return build


resnet_v1_50, resnet_v1_101, resnet_v1_152, resnet_v1_200 = (_of_depth(1, layers) for layers in _SIZES)
resnet_v2_50, resnet_v2_101, resnet_v2_152, resnet_v2_200 = (_of_depth(2, layers) for layers in _SIZES)
resnet_v1.default_image_size = resnet_v2.default_image_size = 224
