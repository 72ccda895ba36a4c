"""Attrs as messages, and their values in Python."""
from . import dtypes
from .shapes import TensorShape


def value_of(data):
    """The value of a serialised AttrValue."""
    from .messages import AttrValue
    value = AttrValue.FromString(data)
    which = value.WhichOneof('value')
    if which != 'list':
        return _plain(which, getattr(value, which)) if which else None
    for field in ('s', 'i', 'f', 'b', 'type', 'shape', 'tensor', 'func'):
        items = getattr(value.list, field)
        if len(items):
            return [_plain(field, item) for item in items]
    return []


def _plain(which, value):
    return dtypes.as_dtype(value) if which == 'type' else value


def shape_of(value):
    """The TensorShape of an attr's TensorShapeProto."""
    return TensorShape(value)


def of_tensor(proto):
    from .messages import AttrValue
    value = AttrValue()
    value.tensor.CopyFrom(proto)
    return value.SerializeToString()


def of_functions(names):
    from .messages import AttrValue
    value = AttrValue()
    for name in names:
        value.list.func.add().name = name
    return value.SerializeToString()


def group_inputs(signature, flat, attrs):
    """Tensors in a row, as lists where the op has them: `attrs` are messages with the lists' lengths."""
    out = []
    for arg in signature.inputs:
        if not arg.is_list:
            out.append(flat.pop(0))
            continue
        if arg.number and arg.number in attrs:
            size = attrs[arg.number].i
        elif arg.list_attr and arg.list_attr in attrs:
            size = len(attrs[arg.list_attr].list.type)
        else:
            size = len(flat) - sum(1 for other in signature.inputs[signature.inputs.index(arg) + 1:])
        out.append(flat[:size])
        del flat[:size]
    return out
