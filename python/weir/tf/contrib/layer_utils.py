"""What the functions of tf.contrib.layers share: variables of layers, collections of outputs, sizes."""
import collections

from .. import dtypes
from ..scopes import GraphKeys, add_to_collection, add_to_collections, get_collection
from ..shapes import TensorShape
from .framework import model_variable

NamedOutputs = collections.namedtuple('NamedOutputs', ['name', 'outputs'])


def collect_named_outputs(collections, alias, outputs):
    """Adds the outputs under an alias to the collections; gives them back."""
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor, alias):
    alias = alias[:-1] if alias.endswith('/') else alias
    if hasattr(tensor, 'aliases'):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


def gather_tensors_aliases(tensors):
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor):
    return getattr(tensor, 'aliases', None) or [tensor.name.rpartition(':')[0]]


def convert_collection_to_dict(collection, clear_collection=False):
    """{alias: tensor} of a collection."""
    from ..scopes import get_collection_ref
    out = collections.OrderedDict((alias, tensor) for tensor in get_collection(collection)
                                  for alias in get_tensor_aliases(tensor))
    if clear_collection:
        del get_collection_ref(collection)[:]
    return out


def constant_value(value_or_tensor_or_var, dtype=None):
    """The value where it is known, else None."""
    from ..layers_base import smart_constant_value
    if value_or_tensor_or_var is None:
        raise ValueError('value_or_tensor_or_var cannot be None')
    if isinstance(value_or_tensor_or_var, (bool, int, float)):
        return value_or_tensor_or_var
    return smart_constant_value(value_or_tensor_or_var)


def static_cond(pred, fn1, fn2):
    return fn1() if pred else fn2()


def smart_cond(pred, fn1, fn2, name=None):
    from ..layers_base import smart_cond as act
    return act(pred, fn1, fn2, name)


def get_variable_collections(variables_collections, name):
    return variables_collections.get(name, None) if isinstance(variables_collections, dict) else variables_collections


def channel_dimension(shape, data_format, min_rank=1):
    return _dimension(shape, 1 if data_format == 'NCHW' else -1, min_rank)


def last_dimension(shape, min_rank=1):
    return _dimension(shape, -1, min_rank)


def _dimension(shape, dim, min_rank=1):
    dims = TensorShape(shape).as_list() if TensorShape(shape).ndims is not None else None
    if dims is None:
        raise ValueError('dims of shape must be known but is None')
    if len(dims) < min_rank:
        raise ValueError('rank of shape must be at least %d not: %d' % (min_rank, len(dims)))
    if dims[dim] is None:
        raise ValueError('dimension %s shape must be known but is None' % dim)
    return dims[dim]


def two_element_tuple(int_or_tuple):
    return n_positive_integers(2, int_or_tuple)


def n_positive_integers(n, value):
    value = (value,) * n if isinstance(value, int) else tuple(int(item) for item in value)
    if len(value) == 1:
        value *= n
    if len(value) != n or any(item < 1 for item in value):
        raise ValueError('Expected %d positive integers, not %s' % (n, value))
    return value


def _model_variable_getter(getter, name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=True,
                           collections=None, caching_device=None, partitioner=None, rename=None, use_resource=None, **_):
    """The getter of layers' variables: they are model variables, some under another name."""
    head, _, short = name.rpartition('/')
    if rename and short in rename:
        name = (head + '/' if head else '') + rename[short]
    return model_variable(name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
                          collections=collections, trainable=trainable, caching_device=caching_device,
                          partitioner=partitioner, custom_getter=getter, use_resource=use_resource)


def variable_getter(rename=None):
    def layer_variable_getter(getter, *args, **kwargs):
        return _model_variable_getter(getter, *args, rename=rename, **kwargs)
    return layer_variable_getter


def add_to_variable_collections(variable, collections_set, collections_name):
    found = get_variable_collections(collections_set, collections_name) or []
    for part in variable if hasattr(variable, '__iter__') and not hasattr(variable, 'op') else [variable]:
        for name in [found] if isinstance(found, str) else found:
            if name != GraphKeys.GLOBAL_VARIABLES:
                add_to_collection(name, part)
