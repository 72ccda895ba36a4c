"""tf.print: tensors within text and structures, written as a step runs."""
import collections
import random
import sys

from . import _ops
from .convert import convert_to_tensor
from .scopes import name_scope
from .sparse_tensor import SparseTensor
from .tensor import Tensor

_STREAMS = ('stdout', 'stderr', 'log(info)', 'log(warning)', 'log(error)')


def _stream(output_stream):
    from . import tf_logging
    known = {sys.stdout: 'stdout', sys.stderr: 'stderr', tf_logging.info: 'log(info)', tf_logging.warning: 'log(warning)',
             tf_logging.warn: 'log(warning)', tf_logging.error: 'log(error)'}
    if isinstance(output_stream, str) and (output_stream in _STREAMS or output_stream.startswith('file://')):
        return output_stream
    try:
        return known[output_stream]
    except (KeyError, TypeError):
        raise ValueError('Unsupported output stream, logging level, or file.' + str(output_stream) + '. Supported streams are '
                         'sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File needs to be in '
                         'the form of \'file://<filepath>\'.') from None


class _Template:
    """Text with a placeholder for each tensor."""

    def __init__(self, args):
        self.placeholder, self.tensors = '{}', []
        while self.placeholder in repr(args):
            self.placeholder = '{%x}' % random.getrandbits(32)

    def tensor(self, value):
        self.tensors.append(value)
        return self.placeholder

    def text(self, value, top=False):
        if isinstance(value, Tensor) or hasattr(value, '_AsTensor') or hasattr(value, '_as_graph_element') and hasattr(value, 'dtype'):
            return self.tensor(convert_to_tensor(value))
        if isinstance(value, SparseTensor):
            return "'SparseTensor(indices=%s, values=%s, shape=%s)'" % (self.tensor(value.indices), self.tensor(value.values),
                                                                       self.tensor(value.dense_shape))
        if isinstance(value, dict):
            keys = list(value) if isinstance(value, collections.OrderedDict) else sorted(value)
            return '{%s}' % ', '.join('%r: %s' % (key, self.text(value[key])) for key in keys)
        if isinstance(value, tuple) and hasattr(value, '_fields'):
            return '%s(%s)' % (type(value).__name__, ', '.join('%s=%s' % (key, self.text(item)) for key, item in
                                                              zip(value._fields, value)))
        if isinstance(value, tuple):
            return '(%s%s)' % (', '.join(self.text(item) for item in value), ',' if len(value) == 1 else '')
        if isinstance(value, list):
            return '[%s]' % ', '.join(self.text(item) for item in value)
        return str(value) if top else repr(value)


def print_v2(*inputs, **kwargs):
    """Returns the op that prints."""
    output_stream, name = kwargs.pop('output_stream', sys.stderr), kwargs.pop('name', None)
    summarize, sep, end = kwargs.pop('summarize', 3), kwargs.pop('sep', ' '), kwargs.pop('end', '\n')
    if kwargs:
        raise ValueError('Unrecognized keyword arguments for tf.print: %s' % kwargs)
    stream = _stream(output_stream)
    with name_scope(name, 'print', []):
        if len(inputs) == 1 and isinstance(inputs[0], Tensor) and inputs[0].dtype.name == 'string' and inputs[0]._rank() == 0:
            text = inputs[0]
        else:
            template = _Template(inputs)
            form = sep.join(template.text(item, top=True) for item in inputs)
            text = _ops.string_format(template.tensors, template=form, placeholder=template.placeholder,
                                      summarize=-1 if summarize is None else summarize)
        return _ops.print_v2(text, output_stream=stream, end=end, name=name)
