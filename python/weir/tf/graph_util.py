"""Graphs as messages: frozen, cut down, counted."""
import collections

from .messages import GraphDef

_VARIABLES = ('Variable', 'VariableV2', 'VarHandleOp')


def _plain(name):
    return name[1:] if name.startswith('^') else name.partition(':')[0]


def must_run_on_cpu(node, pin_variables_on_cpu=False):
    kind = node.type if hasattr(node, 'type') else node.op
    return kind in ('Const', 'StringToNumber') or pin_variables_on_cpu and kind in _VARIABLES


def extract_sub_graph(graph_def, dest_nodes):
    """The nodes that `dest_nodes` need."""
    if isinstance(dest_nodes, str):
        raise TypeError('dest_nodes must be a list.')
    by_name = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        if name not in by_name:
            raise AssertionError('%s is not in graph' % name)
    seen, queue = set(dest_nodes), collections.deque(dest_nodes)
    while queue:
        for item in by_name[queue.popleft()].input:
            name = _plain(item)
            if name not in seen:
                seen.add(name)
                queue.append(name)
    out = GraphDef()
    out.node.extend([node for node in graph_def.node if node.name in seen])
    out.library.CopyFrom(graph_def.library)
    out.versions.CopyFrom(graph_def.versions)
    return out


def tensor_shape_from_node_def_name(graph, input_name):
    return graph.get_tensor_by_name(input_name if ':' in input_name else input_name + ':0').get_shape()


def _frozen_names(graph_def, allowed, denied):
    """Variables whose values become constants, and their readers of resources."""
    names = [node.name for node in graph_def.node if node.op in _VARIABLES]
    if allowed is not None:
        names = [name for name in names if name in allowed]
    return [name for name in names if name not in (denied or ())]


def convert_variables_to_constants(sess, input_graph_def, output_node_names, variable_names_whitelist=None,
                                   variable_names_blacklist=None):
    """The graph that the outputs need, with the variables' values in it."""
    from .convert_proto import make_tensor_proto
    cut = extract_sub_graph(input_graph_def, output_node_names)
    names = _frozen_names(cut, variable_names_whitelist, variable_names_blacklist)
    kinds = {node.name: node.op for node in cut.node}
    values = sess.run([name + ('/Read/ReadVariableOp:0' if kinds[name] == 'VarHandleOp' else ':0') for name in names]) if names else []
    found = dict(zip(names, values))
    out = GraphDef()
    for node in cut.node:
        made = out.node.add()
        if node.name in found:
            made.name, made.op = node.name, 'Const'
            key = 'dtype'
            made.attr['dtype'].CopyFrom(node.attr[key])
            made.attr['value'].tensor.CopyFrom(make_tensor_proto(found[node.name], dtype=node.attr[key].type))
        elif node.op == 'ReadVariableOp' and _plain(node.input[0]) in found:
            made.name, made.op = node.name, 'Identity'
            made.input.append(node.input[0])
            made.attr['T'].CopyFrom(node.attr['dtype'])
        else:
            made.CopyFrom(node)
    out.library.CopyFrom(input_graph_def.library)
    out.versions.CopyFrom(input_graph_def.versions)
    return out


def remove_training_nodes(input_graph, protected_nodes=None):
    """Without Identity nodes that stand alone, and CheckNumerics."""
    protected = set(protected_nodes or ())
    controlled = {_plain(item) for node in input_graph.node for item in node.input if item.startswith('^')}
    passed = {}
    for node in input_graph.node:
        if node.op in ('Identity', 'CheckNumerics') and node.name not in protected | controlled and \
                not any(item.startswith('^') for item in node.input):
            passed[node.name] = node.input[0]

    def source(name):
        while not name.startswith('^') and _plain(name) in passed:
            name = passed[_plain(name)]
        return name
    out = GraphDef()
    for node in input_graph.node:
        if node.name not in passed:
            made = out.node.add()
            made.CopyFrom(node)
            inputs = [source(item) for item in node.input]
            del made.input[:]
            made.input.extend(inputs)
    out.library.CopyFrom(input_graph.library)
    out.versions.CopyFrom(input_graph.versions)
    return out
