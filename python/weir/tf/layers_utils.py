"""tensorflow.python.layers.utils: arguments of layers, and the lengths that convolutions give."""
from .layers_base import smart_cond  # noqa: F401
from .layers_base import smart_constant_value as constant_value  # noqa: F401

_WORDS = {'channels_first': 'NC', 'channels_last': 'N'}


def convert_data_format(data_format, ndim):
    """NHWC and the like, from channels_last or channels_first."""
    if data_format not in _WORDS:
        raise ValueError('Invalid data_format: %s' % data_format)
    if ndim not in (3, 4, 5):
        raise ValueError('Input rank not supported: %s' % ndim)
    inner = {3: 'W', 4: 'HW', 5: 'DHW'}[ndim]
    return _WORDS[data_format] + inner + ('C' if data_format == 'channels_last' else '')


def normalize_tuple(value, n, name):
    if isinstance(value, int):
        return (value,) * n
    try:
        found = tuple(value)
    except TypeError:
        found = ()
    if len(found) != n or not all(isinstance(item, int) for item in found):
        raise ValueError('The `%s` argument must be a tuple of %d integers. Received: %s' % (name, n, value))
    return found


def _one_of(value, known, what):
    found = value.lower()
    if found not in known:
        raise ValueError('The `%s` argument must be one of %s. Received: %s' % (what, ', '.join(known), value))
    return found


def normalize_data_format(value):
    return _one_of(value, ('channels_first', 'channels_last'), 'data_format')


def normalize_padding(value):
    return _one_of(value, ('valid', 'same'), 'padding')


def conv_output_length(input_length, filter_size, padding, stride, dilation=1):
    if input_length is None:
        return None
    reach = filter_size + (filter_size - 1) * (dilation - 1)
    return (input_length - (reach - 1 if padding == 'valid' else 0) + (reach - 1 if padding == 'full' else 0) + stride - 1) // stride


def conv_input_length(output_length, filter_size, padding, stride):
    if output_length is None:
        return None
    pad = {'same': filter_size // 2, 'valid': 0, 'full': filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def deconv_output_length(input_length, filter_size, padding, stride):
    if input_length is None:
        return None
    more = {'valid': max(filter_size - stride, 0), 'full': -(stride + filter_size - 2)}.get(padding, 0)
    return input_length * stride + more
