"""apply: a node of an op from any values, which are converted by the op's signature."""
from . import dtypes, signatures
from .shapes import as_shape
from .tensor import IndexedSlices, Tensor

_convert = None


def _converter():
    global _convert
    if _convert is None:
        from .convert import internal_convert_to_tensor as _convert
    return _convert


def _graph_of(inputs, default):
    """The graph of the first tensor among `inputs`, else the default."""
    if default._building_function:
        return default
    for item in inputs:
        if isinstance(item, (list, tuple)):
            for part in item:
                if isinstance(part, Tensor):
                    return part._op._graph
        elif isinstance(item, Tensor):
            return item._op._graph
    return default


def _number(dtype):
    return dtypes.as_dtype(dtype)._number % 100


def _dims(value):
    return as_shape(value)._dims


def _text(value):
    return value if isinstance(value, (str, bytes)) else _reject(value, 'string')


def _reject(value, kind):
    raise TypeError('Expected %s, not %r of type %s.' % (kind, value, type(value).__name__))


def _int(value):
    if isinstance(value, int):
        return int(value)
    index = getattr(value, '__index__', None)
    if index is not None:
        return index()
    if isinstance(value, float) or value is None or isinstance(value, str):
        _reject(value, 'int')
    return int(value)


def _float(value):
    return float(value) if not isinstance(value, str) else _reject(value, 'float')


def _tensor_attr(value):
    """A TensorProto message, or (number of the dtype, array)."""
    return value


def _function_name(value):
    return getattr(value, 'name', value)


_ENCODE = {'t': _number, 'S': _dims, 's': _text, 'i': _int, 'f': _float, 'b': bool, 'n': _function_name, 'T': _tensor_attr}


def attr_row(op_type, name, kind, value):
    """(name, kind, value) as the extension takes it."""
    if kind[0] != '[':
        if kind == 'T' and hasattr(value, 'SerializeToString'):
            from .attrs import of_tensor
            return name, 'p', of_tensor(value)
        return name, kind, _ENCODE[kind](value)
    if isinstance(value, (str, bytes)) or not hasattr(value, '__iter__'):
        raise TypeError("Expected list for attr '%s' of '%s' Op, not %r" % (name, op_type, value))
    if kind == '[n':
        from .attrs import of_functions
        return name, 'p', of_functions([_function_name(item) for item in value])
    encode = _ENCODE[kind[1]]
    return name, kind, [encode(item) for item in value]


def _mismatch(signature, arg, got, expected, types):
    for other in signature.inputs:
        if other is not arg and other.attr == arg.attr and arg.attr:
            return TypeError("Input '%s' of '%s' Op has type %s that does not match type %s of argument '%s'." %
                             (arg.name, signature.name, got.name, dtypes._BY_NUMBER[expected].name, other.name))
    return TypeError("Input '%s' of '%s' Op has type %s that does not match expected type of %s." %
                     (arg.name, signature.name, got.name, dtypes._BY_NUMBER[expected].name))


def _one(signature, arg, value, types, graph):
    """A tensor for `value`; its dtype settles the arg's type attr."""
    wanted = arg.dtype or (arg.attr and types.get(arg.attr)) or 0
    if not isinstance(value, Tensor):
        if arg.is_ref and hasattr(value, '_ref'):
            value = value._ref()
        else:
            preferred = signature.type_defaults.get(arg.attr) if arg.attr and not wanted else None
            try:
                value = _converter()(value, dtypes._BY_NUMBER[wanted] if wanted else None, arg.name,
                                     preferred_dtype=dtypes._BY_NUMBER[preferred] if preferred else None)
            except ValueError as error:
                if isinstance(value, Tensor) or not hasattr(value, 'dtype') or not wanted:
                    raise
                raise _mismatch(signature, arg, dtypes.as_dtype(value.dtype).base_dtype, wanted, types) from error
            if isinstance(value, IndexedSlices):
                value = _converter()(value)
    got = value._dtype._number % 100
    if wanted and got != wanted:
        raise _mismatch(signature, arg, value._dtype.base_dtype, wanted, types)
    if arg.is_ref and not value._dtype._is_ref_dtype:
        raise TypeError("'%s' Op requires that input '%s' be a mutable tensor (e.g.: a tf.Variable)" %
                        (signature.name, arg.name))
    if arg.attr and not wanted:
        types[arg.attr] = got
    return value


def _list(signature, arg, value, types, graph):
    if not isinstance(value, (list, tuple)):
        if hasattr(value, '__iter__') and not isinstance(value, Tensor):
            value = list(value)
        else:
            raise TypeError("Expected list for '%s' argument to '%s' Op, not %s." % (arg.name, signature.name, value))
    if arg.list_attr:
        return _mixed(signature, arg, value, types)
    wanted = arg.dtype or types.get(arg.attr)
    if not wanted:
        for item in value:
            dtype = getattr(item, 'dtype', None) if hasattr(item, 'op') else None
            if dtype is not None:
                wanted = dtype.base_dtype._number
                break
    out = []
    for index, item in enumerate(value):
        if not isinstance(item, Tensor):
            if arg.is_ref and hasattr(item, '_ref'):
                item = item._ref()
            else:
                item = _converter()(item, dtypes._BY_NUMBER[wanted] if wanted else None, '%s_%d' % (arg.name, index))
        got = item._dtype._number % 100
        wanted = wanted or got
        if got != wanted:
            raise TypeError("Tensors in list passed to '%s' of '%s' Op have types [%s] that don't all match." %
                            (arg.name, signature.name, ', '.join(dtypes.as_dtype(getattr(t, 'dtype', wanted)).base_dtype.name for t in value)))
        out.append(item)
    if arg.attr and wanted:
        types[arg.attr] = wanted
    return out


def _mixed(signature, arg, value, types):
    given = types.get(arg.list_attr)
    out = []
    for index, item in enumerate(value):
        dtype = dtypes._BY_NUMBER[given[index]] if given else None
        item = item if isinstance(item, Tensor) else _converter()(item, dtype, '%s_%d' % (arg.name, index))
        out.append(item)
    return out


def _given_types(signature, attrs):
    types = {}
    for name in signature.inferred:
        value = attrs.get(name)
        if value is not None:
            if signature.kinds[name] == 't':
                types[name] = _number(value)
            elif signature.kinds[name] == '[t':
                types[name] = [_number(item) for item in value]
    return types


def _convert_inputs(signature, inputs, attrs, graph):
    types = _given_types(signature, attrs) if attrs else {}
    out = []
    for arg, value in zip(signature.inputs, inputs):
        out.append(_list(signature, arg, value, types, graph) if arg.is_list else _one(signature, arg, value, types, graph))
    return out, types


def apply(op_type, name, inputs, attrs, graph=None):
    """Adds a node and returns its Operation. `inputs`: a value for each input of the op, a list for lists; `attrs`:
    values in Python by name, None for those that are inferred or have a default."""
    if graph is None:
        graph = _graph_of(inputs, get_default_graph())
    signature = signatures._parsed.get(op_type) or signatures.find(op_type, graph)
    with graph._lock:
        name = graph._op_name(name or op_type)
        old = graph._name_stack
        graph._name_stack = name
        try:
            if graph is not get_default_graph():
                with graph.as_default():
                    inputs, types = _convert_inputs(signature, inputs, attrs, graph)
            else:
                inputs, types = _convert_inputs(signature, inputs, attrs, graph)
        finally:
            graph._name_stack = old
        rows = []
        kinds = signature.kinds
        for key, value in attrs.items():
            if value is None and kinds.get(key) != 'S' or key in signature.inferred:
                continue
            rows.append(attr_row(op_type, key, kinds[key], value))
        for arg in signature.inputs:
            if arg.number and arg.attr and not inputs[signature.inputs.index(arg)] and arg.attr in types:
                rows.append((arg.attr, 't', types[arg.attr]))
        return graph._add_node(op_type, name, inputs, rows)


from .graph import get_default_graph  # noqa: E402  (they need each other)
