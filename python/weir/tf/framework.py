"""Graphs and what they are made of, in one place for the other modules."""
from .. import _native  # noqa: F401
from . import dtypes, errors, signatures  # noqa: F401
from .attrs import shape_of  # noqa: F401
from .build import apply  # noqa: F401
from .convert import (as_bytes, constant, constant_value, constant_value_as_shape, convert_n_to_tensor,  # noqa: F401
                      convert_to_tensor, convert_to_tensor_or_indexed_slices, feed_value, internal_convert_to_tensor,
                      is_tensor, register_tensor_conversion_function)
from .device import DeviceSpec, merge_device  # noqa: F401
from .dtypes import DType, as_dtype  # noqa: F401
from .gradients_registry import NoGradient, NotDifferentiable, RegisterGradient, RegisterShape, get_gradient_function  # noqa: F401
from .graph import DefaultStack, Graph, get_default_graph, has_default_graph, reset_default_graph, results  # noqa: F401
from .import_graph import import_graph_def  # noqa: F401
from .scopes import (GraphKeys, add_to_collection, add_to_collections, colocate_with, container,  # noqa: F401
                     control_dependencies, device, get_all_collection_keys, get_collection, get_collection_ref,
                     get_name_scope, get_seed, init_scope, name_scope, op_scope, set_random_seed)
from .shapes import Dimension, TensorShape, as_dimension, as_shape, dimension_value, unknown_shape  # noqa: F401
from .sparse_tensor import SparseTensor, SparseTensorValue, convert_to_tensor_or_sparse_tensor  # noqa: F401
from .tensor import IndexedSlices, Operation, Tensor  # noqa: F401

IndexedSlicesValue = __import__('collections').namedtuple('IndexedSlicesValue', ['values', 'indices', 'dense_shape'])
