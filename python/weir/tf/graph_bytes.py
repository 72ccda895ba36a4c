"""Serialized graphs: what files hold, made without a message for each node."""
from .. import _native
from .messages import NodeDef
from .wire import put_varint

_NODE, _LENGTH = 1, 2  # the field of GraphDef, and its wire type


def _varint(data, at):
    """(number, where it ends)"""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _shapes_of(op, known):
    """The attr _output_shapes of a node, as it stands in a NodeDef."""
    shapes = tuple(tensor.get_shape() for tensor in op.outputs)
    key = tuple(None if shape.ndims is None else tuple(shape.as_list()) for shape in shapes)
    if key not in known:
        made = NodeDef()
        if shapes:
            made.attr['_output_shapes'].list.shape.extend(shape.as_proto() for shape in shapes)
        known[key] = made.SerializeToString()
    return known[key]


def _with_shapes(data, find):
    """A GraphDef whose nodes have their shapes; find(name): the operation."""
    out, at, known = bytearray(), 0, {}
    while at < len(data):
        begin = at
        tag, at = _varint(data, at)
        size, at = _varint(data, at)
        body, at = at, at + size if tag & 7 == _LENGTH else at
        if tag != (_NODE << 3 | _LENGTH):
            out += data[begin:at] if size else b''  # no library is no field
            continue
        length, name = _varint(data, body + 1)  # the name comes first
        extra = _shapes_of(find(data[name:name + length].decode()), known)
        put_varint(out, tag)
        put_varint(out, size + len(extra))
        out += data[body:at]
        out += extra
    return bytes(out)


def graph_bytes(graph, add_shapes=False):
    data = _native.graph_def(graph._native)
    return _with_shapes(data, graph._find_op) if add_shapes else data


def with_field(data, number, message):
    """A message with another field, whose message is serialized already."""
    out = bytearray(data)
    put_varint(out, number << 3 | _LENGTH)
    put_varint(out, len(message))
    return bytes(out) + message
