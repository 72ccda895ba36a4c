"""Pooling and transposed convolution over any number of spatial dimensions."""
from . import _ops, array_ops, dtypes
from .convert import convert_to_tensor
from .scopes import name_scope


def _per_dimension(value, rank, what):
    """A number for each spatial dimension."""
    items = [value] * rank if isinstance(value, int) else list([1] * rank if value is None else value)
    if len(items) == 1:
        items *= rank
    if len(items) != rank:
        raise ValueError('%s must have length equal to the number of spatial dimensions: %s' % (what, value))
    if any(int(item) < 1 for item in items):
        raise ValueError('all values of %s must be positive' % what)
    return [int(item) for item in items]


def _dilated(act, value, window, padding, rates):
    """Applies `act` to every phase of `value`, as windows with holes see it."""
    if padding == 'SAME':
        base = [(size - 1) * rate for size, rate in zip(window, rates)]
        pads = [[total // 2, total - total // 2] for total in base]
    else:
        pads = [[0, 0]] * len(rates)
    sizes = value.get_shape().as_list()[1:1 + len(rates)]
    if None in sizes:
        sizes = array_ops.shape(value)[1:1 + len(rates)]
        crops = [(-(sizes[i] + pads[i][0] + pads[i][1])) % rates[i] for i in range(len(rates))]
    else:
        crops = [-(size + pad[0] + pad[1]) % rate for size, pad, rate in zip(sizes, pads, rates)]
    paddings = [[pad[0], pad[1] + crop] for pad, crop in zip(pads, crops)]
    phases = _ops.space_to_batch_nd(value, rates, _matrix(paddings))
    return _ops.batch_to_space_nd(act(phases), rates, _matrix([[0, crop] for crop in crops]))


def _matrix(rows):
    if any(hasattr(item, 'op') for row in rows for item in row):
        return array_ops.stack([array_ops.stack([convert_to_tensor(item, dtypes.int32) for item in row]) for row in rows])
    return rows


_KINDS = {('MAX', 2): _ops.max_pool, ('AVG', 2): _ops.avg_pool, ('MAX', 3): _ops.max_pool3d, ('AVG', 3): _ops.avg_pool3d}


def _plain_pool(value, kind, window, strides, padding, channels_first, scope):
    rank = len(window)
    if rank == 1:
        wide = _plain_pool(array_ops.expand_dims(value, 2 if channels_first else 1), kind, [1] + window, [1] + strides, padding,
                           channels_first, None)
        return array_ops.squeeze(wide, [2 if channels_first else 1], name=scope)

    def around(items):
        return [1, 1] + items if channels_first else [1] + items + [1]
    data_format = {2: ('NHWC', 'NCHW'), 3: ('NDHWC', 'NCDHW')}[rank][channels_first]
    return _KINDS[kind, rank](value, around(window), around(strides), padding, data_format=data_format, name=scope)


def pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None, data_format=None, dilations=None):
    """Pooling of type MAX or AVG; with `dilation_rate` the window has holes."""
    dilation_rate = dilations if dilation_rate is None else dilation_rate
    with name_scope(name, '%s_pool' % pooling_type.lower(), [input]) as scope:
        input = convert_to_tensor(input, name='input')
        rank = len(window_shape)
        if not 1 <= rank <= 3:
            raise ValueError('input tensor must have rank 3, 4, or 5, not %d' % (rank + 2))
        if input._rank() not in (None, rank + 2):
            raise ValueError('input tensor must have rank %d: %s' % (rank + 2, input.get_shape()))
        window = _per_dimension(window_shape, rank, 'window_shape')
        strides = _per_dimension(strides, rank, 'strides')
        rates = _per_dimension(dilation_rate, rank, 'dilation_rate')
        if any(stride > 1 for stride in strides) and any(rate > 1 for rate in rates):
            raise ValueError('strides > 1 not supported in conjunction with dilation_rate > 1')
        if padding == 'SAME' and any(stride > size for stride, size in zip(strides, window)):
            raise ValueError('strides > window_shape not supported due to inconsistency between CPU and GPU implementations')
        first = data_format is not None and data_format.startswith('NC')
        if all(rate == 1 for rate in rates):
            return _plain_pool(input, pooling_type, window, strides, padding, first, scope)
        if pooling_type == 'AVG' and padding == 'SAME':
            return _average_with_holes(input, window, rates, first, scope)
        return _with_holes(input, pooling_type, window, padding, rates, first, scope)


def _to_last(value, first):
    order = list(range(value._rank()))
    return array_ops.transpose(value, [0] + order[2:] + [1]) if first else value


def _to_first(value, first):
    order = list(range(value._rank()))
    return array_ops.transpose(value, [0, order[-1]] + order[1:-1]) if first else value


def _with_holes(value, kind, window, padding, rates, first, scope):
    ones = [1] * len(window)
    value = _to_last(value, first)
    if kind == 'MAX' and padding == 'SAME':
        return _to_first(_max_with_holes(value, window, rates), first)
    found = _dilated(lambda phases: _plain_pool(phases, kind, window, ones, 'VALID', False, None), value, window, padding, rates)
    return array_ops.identity(_to_first(found, first), name=scope)


def _max_with_holes(value, window, rates):
    """The border counts as the lowest value, not as zero."""
    base = [(size - 1) * rate for size, rate in zip(window, rates)]
    pads = [[0, 0]] + [[total // 2, total - total // 2] for total in base] + [[0, 0]]
    low = array_ops.pad(value, pads, constant_values=value.dtype.min)
    return _dilated(lambda phases: _plain_pool(phases, 'MAX', window, [1] * len(window), 'VALID', False, None), low, window, 'VALID',
                    rates)


def _average_with_holes(value, window, rates, first, scope):
    """The border does not count: sums are divided by how many values are inside."""
    value = _to_last(value, first)
    ones = [1] * len(window)

    def mean(x):
        return _dilated(lambda phases: _plain_pool(phases, 'AVG', window, ones, 'VALID', False, None), x, window, 'SAME', rates)
    return array_ops.identity(_to_first(mean(value) / mean(array_ops.ones_like(value)), first), name=scope)


def _pool1d(kind, value, ksize, strides, padding, data_format, name):
    with name_scope(name, kind.capitalize() + 'Pool1d', [value]) as scope:
        data_format = data_format or 'NWC'
        first = data_format == 'NCW'
        sizes = [ksize] if isinstance(ksize, int) else list(ksize)[-1:] if len(list(ksize)) != 3 else [list(ksize)[2 if first else 1]]
        steps = [strides] if isinstance(strides, int) else list(strides)[-1:] if len(list(strides)) != 3 else \
            [list(strides)[2 if first else 1]]
        return _plain_pool(convert_to_tensor(value), kind.upper(), sizes, steps, padding, first, scope)


def max_pool1d(input, ksize, strides, padding, data_format='NWC', name=None):
    return _pool1d('max', input, ksize, strides, padding, data_format, name)


def avg_pool1d(input, ksize, strides, padding, data_format='NWC', name=None):
    return _pool1d('avg', input, ksize, strides, padding, data_format, name)


def max_pool_v2(input, ksize, strides, padding, data_format=None, name=None):
    from . import nn_ops
    rank = convert_to_tensor(input)._rank()
    if rank == 3:
        return max_pool1d(input, ksize, strides, padding, data_format or 'NWC', name)
    if rank == 5:
        data_format = data_format or 'NDHWC'
        return nn_ops.max_pool3d(input, nn_ops._sizes(ksize, data_format, 3), nn_ops._sizes(strides, data_format, 3), padding,
                                 data_format, name)
    return nn_ops.max_pool(input, ksize, strides, padding, data_format or 'NHWC', name)


def avg_pool_v2(input, ksize, strides, padding, data_format=None, name=None):
    from . import nn_ops
    rank = convert_to_tensor(input)._rank()
    if rank == 3:
        return avg_pool1d(input, ksize, strides, padding, data_format or 'NWC', name)
    if rank == 5:
        data_format = data_format or 'NDHWC'
        return nn_ops.avg_pool3d(input, nn_ops._sizes(ksize, data_format, 3), nn_ops._sizes(strides, data_format, 3), padding,
                                 data_format, name)
    return nn_ops.avg_pool(input, ksize, strides, padding, data_format or 'NHWC', name)


def conv1d_transpose(input, filters, output_shape, strides, padding='SAME', data_format='NWC', dilations=None, name=None):
    from . import nn_ops
    data_format = data_format or 'NWC'
    first = data_format == 'NCW'
    axis = 2 if first else 1
    with name_scope(name, 'conv1d_transpose', [input, filters, output_shape]) as scope:
        steps = [strides] if isinstance(strides, int) else list(strides)
        stride = steps[axis] if len(steps) == 3 else steps[-1]
        if isinstance(output_shape, (list, tuple)):
            shape = list(output_shape[:axis]) + [1] + list(output_shape[axis:])
        else:
            output_shape = convert_to_tensor(output_shape, dtypes.int32)
            shape = array_ops.concat([output_shape[:axis], [1], output_shape[axis:]], 0)
        wide = nn_ops.conv2d_transpose(array_ops.expand_dims(input, axis), array_ops.expand_dims(filters, 0), shape,
                                       [1, 1, 1, stride] if first else [1, 1, stride, 1], padding,
                                       data_format='NCHW' if first else 'NHWC')
        return array_ops.squeeze(wide, [axis], name=scope)


def conv_transpose(input, filters, output_shape, strides, padding='SAME', data_format=None, dilations=None, name=None):
    from . import nn_ops
    rank = convert_to_tensor(input)._rank()
    if rank is None or not 3 <= rank <= 5:
        raise ValueError('input must be of rank 3, 4 or 5, not %s' % rank)
    act, plain = {3: (conv1d_transpose, 'NWC'), 4: (nn_ops.conv2d_transpose, 'NHWC'), 5: (nn_ops.conv3d_transpose, 'NDHWC')}[rank]
    data_format = data_format or plain
    spread = nn_ops._sizes(strides, data_format, rank - 2)
    return act(input, filters, output_shape, spread, padding=padding, data_format=data_format, name=name or 'conv_transpose')
