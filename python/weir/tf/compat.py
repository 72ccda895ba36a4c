"""tf.compat: strings and bytes."""
import contextlib
import numbers
import os

import numpy as np

bytes_or_text_types = (bytes, str)
integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)


def as_bytes(bytes_or_text, encoding='utf-8'):
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError('Expected binary or unicode string, got %r' % (bytes_or_text,))


def as_text(bytes_or_text, encoding='utf-8'):
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError('Expected binary or unicode string, got %r' % (bytes_or_text,))


as_str = as_text


def as_str_any(value):
    return as_str(value) if isinstance(value, bytes) else str(value)


def path_to_str(path):
    return as_str_any(path.__fspath__()) if isinstance(path, os.PathLike) else path


def forward_compatible(year, month, day):
    return False


def dimension_value(dimension):
    return getattr(dimension, 'value', dimension)


def dimension_at_index(shape, index):
    from .framework import Dimension
    return Dimension(None) if shape.ndims is None else shape.dims[index]


@contextlib.contextmanager
def forward_compatibility_horizon(year, month, day):
    yield
