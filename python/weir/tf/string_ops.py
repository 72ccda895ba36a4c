"""tf.string_*, tf.strings: splitting, joining and changing strings."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import constant_value, convert_to_tensor
from .scopes import name_scope
from .sparse_tensor import SparseTensor


def _sparse(made):
    made.indices.set_shape([None, 2])
    made.values.set_shape([None])
    made[2].set_shape([2])
    return SparseTensor(made[0], made[1], made[2])


def string_split(source, sep=None, skip_empty=True, delimiter=None, result_type='SparseTensor', name=None):
    delimiter = sep if sep is not None else ' ' if delimiter is None else delimiter
    with name_scope(name, 'StringSplit', [source]):
        source = convert_to_tensor(source, dtype=dtypes.string)
        return _sparse(_ops.string_split(source, convert_to_tensor(delimiter, dtypes.string), skip_empty=skip_empty))


def strings_split(input=None, sep=None, maxsplit=-1, result_type='SparseTensor', source=None, name=None):
    source = input if input is not None else source
    with name_scope(name, 'StringSplit', [source]):
        source = convert_to_tensor(source, dtype=dtypes.string)
        return _sparse(_ops.string_split_v2(source, convert_to_tensor('' if sep is None else sep, dtypes.string), maxsplit=maxsplit))


def string_to_number(string_tensor=None, out_type=dtypes.float32, name=None, input=None):
    return _ops.string_to_number(string_tensor if string_tensor is not None else input, out_type, name)


to_number = string_to_number


def string_to_hash_bucket(string_tensor=None, num_buckets=None, name=None, input=None):
    return _ops.string_to_hash_bucket(string_tensor if string_tensor is not None else input, num_buckets, name)


def reduce_join(inputs, axis=None, keep_dims=None, separator='', name=None, reduction_indices=None, keepdims=None):
    inputs = convert_to_tensor(inputs, name='inputs')
    axis = reduction_indices if axis is None else axis
    keep = bool(keepdims if keepdims is not None else keep_dims)
    if axis is None:
        rank = inputs.get_shape().ndims
        axis = list(range(rank - 1, -1, -1)) if rank is not None else math_ops.range(array_ops.rank(inputs) - 1, -1, -1)
        axis = convert_to_tensor(axis, dtypes.int32) if rank is not None else axis
    return _ops.reduce_join(inputs, axis, keep, separator, name)


def string_length(input, name=None, unit='BYTE'):
    return _ops.string_length(input, unit, name)


def substr(input, pos, len, name=None, unit='BYTE'):
    return _ops.substr(input, pos, len, unit, name)


def regex_replace(input, pattern, rewrite, replace_global=True, name=None):
    if isinstance(pattern, (str, bytes)) and isinstance(rewrite, (str, bytes)):
        return _ops.static_regex_replace(input, pattern, rewrite, replace_global, name)
    return _ops.regex_replace(input, pattern, rewrite, replace_global, name)


def regex_full_match(input, pattern, name=None):
    if isinstance(pattern, (str, bytes)):
        return _ops.static_regex_full_match(input, pattern, name)
    return _ops.regex_full_match(input, pattern, name)


def lower(input, encoding='', name=None):
    return _ops.string_lower(input, encoding, name)


def upper(input, encoding='', name=None):
    return _ops.string_upper(input, encoding, name)


def string_format(template, inputs, placeholder='{}', summarize=3, name=None):
    inputs = [convert_to_tensor(item) for item in (inputs if isinstance(inputs, (list, tuple)) else [inputs])]
    if template.count(placeholder) != len(inputs):
        raise ValueError('%d placeholder(s) in template does not match %d tensor(s) provided as input' %
                         (template.count(placeholder), len(inputs)))
    return _ops.string_format(inputs, template=template, placeholder=placeholder, summarize=summarize, name=name)
