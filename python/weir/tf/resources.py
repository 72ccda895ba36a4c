"""Things of a graph that live between steps and must be made before them, such as boosted trees and statistics."""
import collections

from . import _ops
from .control_flow_ops import group
from .graph import get_default_graph

_Resource = collections.namedtuple('_Resource', ['handle', 'create', 'is_initialized'])
SHARED, LOCAL = 'resources', 'local_resources'


def register_resource(handle, create_op, is_initialized_op, is_shared=True):
    get_default_graph().add_to_collection(SHARED if is_shared else LOCAL, _Resource(handle, create_op, is_initialized_op))


def shared_resources():
    return get_default_graph().get_collection(SHARED)


def local_resources():
    return get_default_graph().get_collection(LOCAL)


def initialize_resources(resource_list, name='init'):
    """An op that makes them all."""
    if resource_list:
        return group(*[resource.create for resource in resource_list], name=name)
    return _ops.no_op(name=name)


def report_uninitialized_resources(resource_list=None, name='report_uninitialized_resources'):
    """The names of those that are not made yet."""
    from . import array_ops, dtypes, math_ops
    from .convert import constant
    from .scopes import name_scope
    resource_list = shared_resources() + local_resources() if resource_list is None else resource_list
    with name_scope(name):
        if not resource_list:
            return constant([], dtypes.string, shape=[0])
        missing = math_ops.logical_not(array_ops.stack([resource.is_initialized for resource in resource_list]))
        return array_ops.boolean_mask(constant([resource.handle.name for resource in resource_list]), missing)
