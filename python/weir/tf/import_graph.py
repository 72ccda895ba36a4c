"""import_graph_def: nodes of a GraphDef in the default graph."""
from .. import _native
from . import errors
from .convert import convert_to_tensor
from .graph import get_default_graph
from .tensor import Tensor


def import_graph_def(graph_def, input_map=None, return_elements=None, name=None, op_dict=None, producer_op_list=None):
    """Adds the nodes under the scope `name` ('import'); returns what `return_elements` names."""
    if not isinstance(graph_def, bytes) and not hasattr(graph_def, 'SerializeToString'):
        raise TypeError('graph_def must be a GraphDef proto.')
    if input_map is not None and not (isinstance(input_map, dict) and all(isinstance(key, (str, bytes)) for key in input_map)):
        raise TypeError('input_map must be a dictionary mapping strings to Tensor objects.')
    if return_elements is not None and not all(isinstance(item, (str, bytes)) for item in return_elements):
        raise TypeError('return_elements must be a list of strings.')
    data = graph_def if isinstance(graph_def, bytes) else graph_def.SerializeToString()
    graph = get_default_graph()
    with graph._lock, graph.name_scope('import' if name is None else name) as scope:
        rows = [_mapping(key, value) for key, value in (input_map or {}).items()]
        controls = graph._control_inputs([])
        before = graph._name_stack
        try:
            unused = _native.import_graph(graph._native, data, scope[:-1], rows, controls, not before)
        except errors.InvalidArgumentError as error:
            raise ValueError(error.message) from None
        graph._adopt(place=True)
        if unused:
            raise ValueError('Attempted to map inputs that were not found in graph_def: [%s]' % ', '.join(unused))
        if return_elements is None:
            return None
        return [_element(graph, scope, item) for item in return_elements]


def _mapping(key, value):
    name, _, index = (key if isinstance(key, str) else key.decode()).partition(':')
    if name.startswith('^'):
        return name[1:], -1, value if not isinstance(value, Tensor) else value.op
    return name, int(index or 0), convert_to_tensor(value)


def _element(graph, scope, item):
    item = item if isinstance(item, str) else item.decode()
    if item.count(':') > 1:
        raise ValueError("Cannot convert '%s' to a tensor name." % item)
    try:
        return graph.as_graph_element(scope + item)
    except KeyError:
        raise ValueError('Requested return_element %r not found in graph_def.' % item)
