"""Op signatures, parsed when an op is first used."""
from . import _ops


class Arg:
    """An input or output: `dtype` is the number of a fixed one, else 0 and `attr` names it."""
    __slots__ = ('name', 'is_ref', 'number', 'attr', 'list_attr', 'dtype', 'is_list')

    def __init__(self, text):
        self.name, _, spec = text.partition(':')
        self.is_ref = spec.startswith('&')
        spec = spec.lstrip('&')
        self.number = self.attr = self.list_attr = None
        self.dtype = 0
        if not spec.startswith('*') and '*' in spec:
            self.number, _, spec = spec.partition('*')
        if spec.startswith('*'):
            self.list_attr = spec[1:]
        elif spec.isdigit():
            self.dtype = int(spec)
        else:
            self.attr = spec
        self.is_list = bool(self.number or self.list_attr)


class Signature:
    """The inputs, outputs and attrs of an op. `simple`: every input is one tensor that is no reference."""
    __slots__ = ('name', 'inputs', 'outputs', 'kinds', 'type_defaults', 'stateful', 'simple', 'result', 'inferred')

    def __init__(self, name, text):
        inputs, outputs, attrs, stateful = text.split('|')
        self.name = name
        self.inputs = tuple(Arg(item) for item in inputs.split())
        self.outputs = tuple(Arg(item) for item in outputs.split())
        self.kinds, self.type_defaults = {}, {}
        for item in attrs.split():
            attr, _, kind = item.partition(':')
            kind, _, default = kind.partition('=')
            self.kinds[attr] = kind
            if default:
                self.type_defaults[attr] = int(default)
        self.stateful = stateful == '1'
        self.simple = not any(arg.is_list or arg.is_ref for arg in self.inputs)
        self.inferred = {attr for arg in self.inputs for attr in (arg.attr, arg.number, arg.list_attr) if attr}
        self.result = None


_parsed = {}


def find(op_type, graph=None):
    """The signature of an op, or of a function of `graph`; ValueError when there is none."""
    found = _parsed.get(op_type)
    if found is not None:
        return found
    text = _ops.signature(op_type)
    if text is not None:
        found = _parsed[op_type] = Signature(op_type, text)
        return found
    if graph is not None:
        found = graph._function_signature(op_type)
    if found is None:
        raise ValueError('Op type not registered \'%s\'' % op_type)
    return found
