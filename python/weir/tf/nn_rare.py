"""Functions of tf.nn that few programs use: gradients of convolutions by name, labels of CTC, mean losses."""
from . import _ops, array_ops, dtypes, math_ops, nn_ops
from .convert import convert_to_tensor
from .scopes import name_scope


def atrous_conv2d_transpose(value, filters, output_shape, rate, padding, name=None):
    """The transpose of atrous_conv2d."""
    if rate < 1:
        raise ValueError('rate %d cannot be less than one' % rate)
    if rate == 1:
        return nn_ops.conv2d_transpose(value, filters, output_shape, [1, 1, 1, 1], padding, data_format='NHWC', name=name)
    return _ops.conv2d_backprop_input(convert_to_tensor(output_shape, name='output_shape'), filters, value, [1, 1, 1, 1], padding,
                                      dilations=[1, rate, rate, 1], name=name)


def depthwise_conv2d_native_backprop_filter(input, filter_sizes, out_backprop, strides, padding, data_format='NHWC',
                                            dilations=[1, 1, 1, 1], name=None):
    return _ops.depthwise_conv2d_native_backprop_filter(input, filter_sizes, out_backprop, strides, padding, data_format=data_format,
                                                        dilations=dilations, name=name)


def depthwise_conv2d_native_backprop_input(input_sizes, filter, out_backprop, strides, padding, data_format='NHWC',
                                           dilations=[1, 1, 1, 1], name=None):
    return _ops.depthwise_conv2d_native_backprop_input(input_sizes, filter, out_backprop, strides, padding, data_format=data_format,
                                                       dilations=dilations, name=name)


depthwise_conv2d_backprop_filter = depthwise_conv2d_native_backprop_filter
depthwise_conv2d_backprop_input = depthwise_conv2d_native_backprop_input


def collapse_repeated(labels, seq_length, name=None):
    """(labels without repeats, their new lengths)."""
    with name_scope(name, 'collapse_repeated_labels', [labels, seq_length]):
        labels = convert_to_tensor(labels, name='labels')
        seq_length = convert_to_tensor(seq_length, name='seq_length')
        first = array_ops.ones_like(labels[:, :1], dtype=dtypes.bool)
        changed = array_ops.concat([first, math_ops.not_equal(labels[:, 1:], labels[:, :-1])], axis=1)
        width = array_ops.shape(labels)[1]
        kept = math_ops.logical_and(changed, array_ops.sequence_mask(seq_length, maxlen=width))
        lengths = math_ops.reduce_sum(math_ops.cast(kept, dtypes.int32), axis=1)
        longest = math_ops.reduce_max(lengths)
        places = array_ops.where(array_ops.sequence_mask(lengths, maxlen=longest))
        shape = array_ops.stack([array_ops.shape(labels)[0], longest])
        made = array_ops.scatter_nd(places, array_ops.boolean_mask(labels, kept), math_ops.cast(shape, dtypes.int64))
        made.set_shape([labels.shape[0], None])
        return made, math_ops.cast(lengths, seq_length.dtype)


def ctc_unique_labels(labels, name=None):
    """(the distinct labels of each row, the place of each label among them)."""
    with name_scope(name, 'CTC_unique_labels', [labels]):
        labels = convert_to_tensor(labels, name='labels')

        def of_row(row):
            values, places = array_ops.unique(row)
            return array_ops.pad(values, [[0, array_ops.size(row) - array_ops.size(values)]]), math_ops.cast(places, dtypes.int64)
        from .functional_ops import map_fn
        return map_fn(of_row, labels, dtype=(labels.dtype, dtypes.int64))


def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None):
    loss = convert_to_tensor(per_example_loss)
    if sample_weight is not None:
        from .losses import Reduction, compute_weighted_loss
        loss = compute_weighted_loss(loss, sample_weight, loss_collection=None, reduction=Reduction.NONE)
    if global_batch_size is None:
        global_batch_size = array_ops.shape(loss)[0]
    return math_ops.reduce_sum(loss) / math_ops.cast(global_batch_size, loss.dtype)


def scale_regularization_loss(regularization_loss):
    return math_ops.reduce_sum(regularization_loss)


def with_space_to_batch(input, dilation_rate, padding, op, filter_shape=None, spatial_dims=None, data_format=None):
    """op on the input, which is rearranged so that a window with holes becomes a window without."""
    from .array_more import required_space_to_batch_paddings
    input = convert_to_tensor(input, name='input')
    rates = convert_to_tensor(dilation_rate, dtypes.int32, name='dilation_rate')
    count = rates.shape.dims[0].value
    first = 2 if data_format is not None and data_format.startswith('NC') else 1
    spatial_dims = list(spatial_dims) if spatial_dims is not None else list(range(first, first + count))
    from .convert import constant_value
    if constant_value(rates) is not None and not (constant_value(rates) != 1).any():
        return op(input, count, padding)
    if padding == 'SAME':
        sizes = array_ops.stack(list(filter_shape[:count])) if isinstance(filter_shape, (list, tuple)) else \
            convert_to_tensor(filter_shape, dtypes.int32)[:count]
        extra = (sizes - 1) * (rates - 1) + sizes - 1
        base = array_ops.stack([extra // 2, extra - extra // 2], 1)
    elif padding == 'VALID':
        base = array_ops.zeros([count, 2], dtypes.int32)
    else:
        raise ValueError('Invalid padding method %r' % padding)
    shape = array_ops.stack([array_ops.shape(input)[dim] for dim in spatial_dims])
    paddings, crops = required_space_to_batch_paddings(shape, rates, base)
    lead = spatial_dims[0] - 1
    ones, zeros = array_ops.ones([lead], dtypes.int32), array_ops.zeros([lead, 2], dtypes.int32)
    blocks = array_ops.concat([ones, rates], 0)
    packed = _ops.space_to_batch_nd(input, blocks, array_ops.concat([zeros, paddings], 0))
    return _ops.batch_to_space_nd(op(packed, count, 'VALID'), blocks, array_ops.concat([zeros, crops], 0))
