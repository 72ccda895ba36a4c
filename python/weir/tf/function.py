"""Functions of a graph: Python functions traced into FunctionDefs, and Defun."""
import contextlib
import inspect
import itertools

from .. import _native
from . import dtypes, nest
from .build import apply
from .graph import Graph, get_default_graph
from .messages import FunctionDef
from .shapes import TensorShape
from .signatures import Signature, find
from .tensor import Tensor

_numbers = itertools.count(1)
_STATE = ('Placeholder', 'PlaceholderWithDefault', 'Variable', 'VariableV2', 'VarHandleOp', 'HashTableV2', 'MutableHashTableV2',
          'FIFOQueueV2', 'IteratorV2', 'Iterator')


class FunctionGraph(Graph):
    """The body of a function. Tensors of the graph outside become inputs, or are copied when `by_value` is set."""

    def __init__(self, outer, by_value=False):
        super().__init__()
        self._building_function, self._outer_graph, self._by_value = True, outer, by_value
        self.captured, self._placeholders, self._copies = [], {}, {}
        self.seed = outer.seed

    def capture(self, tensor):
        if not isinstance(tensor, Tensor) or tensor._op._graph is self:
            return tensor
        if self._by_value or tensor._op._type == 'Const':
            return self._copy(tensor._op)._outputs[tensor._value_index]
        found = self._placeholders.get(tensor)
        if found is None:
            found = self._placeholders[tensor] = self._argument(tensor.dtype.base_dtype, tensor.get_shape(),
                                                                tensor._op.name.rpartition('/')[2])
            self.captured.append(tensor)
        return found

    def _argument(self, dtype, shape, name):
        old, self._name_stack = self._name_stack, ''
        context, controllers = self._control_flow_context, self._controllers
        self._control_flow_context, self._controllers = None, ()
        try:
            with self.as_default():
                return apply('Placeholder', name, (), {'dtype': dtype, 'shape': shape}, self).outputs[0]
        finally:
            self._name_stack, self._control_flow_context, self._controllers = old, context, controllers

    def _copy(self, op):
        """The op and what it needs, in this graph."""
        found = self._copies.get(op)
        if found is not None:
            return found
        if op._graph is self:
            return op
        if op._type in _STATE:
            raise ValueError('Cannot capture a %s (name:%s, type:%s) by value.' %
                             ('placeholder' if 'Placeholder' in op._type else 'stateful node', op.name, op._type))
        inputs = [self._copy(t._op)._outputs[t._value_index] for t in op.inputs]
        node = op.node_def
        attrs = {key: node.attr[key] for key in node.attr if not key.startswith('_')}
        context, controllers = self._control_flow_context, self._controllers
        self._control_flow_context, self._controllers = None, ()
        old, self._name_stack = self._name_stack, ''
        try:
            made = self.create_op(op._type, inputs, name=op.name.rpartition('/')[2].lstrip('_') or 'op', attrs=attrs)
        finally:
            self._control_flow_context, self._controllers, self._name_stack = context, controllers, old
        self._copies[op] = made
        return made

    def _add_node(self, op_type, name, inputs, attrs, extra_controls=()):
        inputs = [[self.capture(t) for t in item] if isinstance(item, (list, tuple)) else self.capture(item) for item in inputs]
        return super()._add_node(op_type, name, inputs, attrs, extra_controls)

    def _function_signature(self, name):
        return self._function_signatures.get(name) or self._outer_graph._function_signature(name)


class Traced:
    """A function that was traced: its name, the inputs it captured and its results."""

    def __init__(self, name, definition, captured, inputs, outputs, stateful_ops=()):
        self.name, self.definition, self.captured_inputs = name, definition, captured
        self._inputs, self._outputs, self.stateful_ops = inputs, outputs, list(stateful_ops)
        self.gradient = self.python_gradient = None

    def add_to_graph(self, graph):
        """The function, and the one that computes its gradient; what a graph has stays as it is."""
        while graph is not None:
            if self.name not in graph._functions:
                if self.gradient is not None:
                    self.gradient.add_to_graph(graph)
                _native.add_function(graph._native, self.definition, self.gradient and self.gradient.definition)
                if self.python_gradient is not None:
                    graph._function_gradients[self.name] = self.python_gradient
                graph._functions[self.name] = self
                graph._function_signatures[self.name] = _signature(self.name, self.definition)
            graph = graph._outer_graph


def _signature(name, data):
    """The signature of calls of the function."""
    definition = FunctionDef.FromString(data).signature
    row = lambda args: ' '.join('%s:%d' % (arg.name, arg.type) for arg in args)
    return Signature(name, '%s|%s||%d' % (row(definition.input_arg), row(definition.output_arg), int(definition.is_stateful)))


def trace(act, dtypes_, shapes, name=None, by_value=False):
    """Calls act(*tensors) in a new graph; it gives a list of tensors. The function is added to the default graph."""
    made = _traced(act, dtypes_, shapes, '%s_%d' % (name or 'weir_function', next(_numbers)), by_value)
    made.add_to_graph(get_default_graph())
    return made


def _traced(act, dtypes_, shapes, name, by_value, attrs=(), description=None):
    outer = get_default_graph()
    inner = FunctionGraph(outer, by_value)
    with inner.as_default(), _variable_scopes(outer, inner):
        args = [inner._argument(dtypes.as_dtype(dtype), shape, 'arg%d' % i) for i, (dtype, shape) in enumerate(zip(dtypes_, shapes))]
        results = [inner.capture(item) for item in act(*args)]
        # a result that is an argument needs a node of its own
        inputs = args + [inner._placeholders[item] for item in inner.captured]
        from ._ops import identity
        results = [identity(item) if any(item is arg for arg in inputs) else item for item in results]
    data = _native.graph_to_function(inner._native, name, inputs, results)
    if attrs or description:
        data = _described(data, attrs, description)
    stateful = [(op.name, op.type) for op in inner.get_operations() if op not in {t.op for t in inputs} and
                find(op.type, inner).stateful]
    return Traced(name, data, list(inner.captured), args, results, stateful)


def _described(data, attrs, description):
    """The FunctionDef with attrs of its own."""
    definition = FunctionDef.FromString(data)
    definition.signature.description = description or ''
    for key, value in attrs:
        field = 'b' if isinstance(value, bool) else 'i' if isinstance(value, int) else 'f' if isinstance(value, float) else 's'
        setattr(definition.attr[key], field, value.encode() if isinstance(value, str) else value)
    return definition.SerializeToString()


@contextlib.contextmanager
def _variable_scopes(outer, inner):
    """Variables that the body gets by name are those of the graph outside."""
    from .variable_scope import _SCOPES, _STORE, _get_default_variable_store, get_variable_scope_store
    with outer.as_default():
        _get_default_variable_store(), get_variable_scope_store()
    for key in (_STORE, _SCOPES):
        inner.get_collection_ref(key)[:] = outer.get_collection_ref(key)
    for key in outer.get_all_collection_keys():
        if key not in (_STORE, _SCOPES):
            inner.get_collection_ref(key)[:] = outer.get_collection(key)
    yield


class Defun:
    """A decorator: the function becomes one node of the graph. `grad_func` is such a function, too, of the inputs and the
    gradients of the outputs; `python_grad_func` takes a node and the gradients of its outputs. Other options are attrs."""

    def __init__(self, *input_types, **kwargs):
        self._options = {'types': [dtypes.as_dtype(item) for item in input_types]}
        for key in ('func_name', 'grad_func', 'python_grad_func', 'out_names', 'shape_func'):
            self._options[key] = kwargs.pop(key, None)
        self._options['by_value'] = kwargs.pop('capture_by_value', False)
        kwargs.pop('whitelisted_stateful_ops', None)
        self._options['attrs'] = [(key if key.startswith(('_', 'experimental_')) else '_' + key, value)
                                  for key, value in sorted(kwargs.items())]

    def __call__(self, func):
        if not callable(func):
            raise ValueError('function %s must be callable' % func)
        return _Defined(func, **self._options)


def _parameters(func, types):
    """How many tensors a function takes; None for any number."""
    rows = list(inspect.signature(func).parameters.values())
    listed = [row for row in rows if row.kind in (row.POSITIONAL_ONLY, row.POSITIONAL_OR_KEYWORD)]
    needed = [row for row in listed if row.default is row.empty]
    if not types and any(row not in needed and row.kind is not row.VAR_POSITIONAL for row in rows):
        raise ValueError('Functions with argument defaults or keywords arguments are not supported. %s' % func)
    if any(row.kind is row.VAR_POSITIONAL for row in rows):
        return len(types) or None
    if types and not len(needed) <= len(types) <= len(listed):
        raise ValueError('The function takes %d arguments, but %d specified input types' % (len(needed), len(types)))
    return len(types) or len(listed)


class _Defined:
    def __init__(self, func, types, func_name, grad_func, python_grad_func, out_names, shape_func, by_value, attrs):
        self._func, self._types, self._explicit = func, types, func_name
        self._name = func_name or getattr(func, '__name__', 'defun').strip('<>')
        self._by_value, self._made, self._attrs = by_value, {}, attrs
        self._grad_func, self._python_grad_func, self._shape_func = grad_func, python_grad_func, shape_func

    def _trace(self, kinds):
        outer = get_default_graph()
        key = outer, tuple(kinds)
        if key not in self._made:
            _parameters(self._func, self._types)
            shape = {}

            def act(*args):
                found = self._func(*args)
                shape['single'] = not isinstance(found, (list, tuple))
                found = [] if found is None else [found] if shape['single'] else found
                if any(item is None for item in found):
                    raise ValueError('Function %s can not return None.' % self._name)
                shape['single'] = shape['single'] and len(found) == 1
                from .convert import convert_to_tensor
                return [convert_to_tensor(item) for item in found]
            made = _traced(act, kinds, [TensorShape(None)] * len(kinds), self._name_in(outer), self._by_value, self._attrs,
                           inspect.getdoc(self._func))
            made.gradient, made.python_gradient = self._gradient_of(made), self._python_grad_func
            made.add_to_graph(outer)
            self._made[key] = made, shape.get('single', False)
        return self._made[key]

    def _name_in(self, graph):
        """The name that was asked for, once; otherwise one with a number."""
        around = [graph]
        while around[-1]._outer_graph is not None:
            around.append(around[-1]._outer_graph)
        if self._explicit and not any(self._explicit in each._functions for each in around):
            return self._explicit
        return '%s_%d' % (self._name, next(_numbers))

    def _gradient_of(self, made):
        if self._grad_func is None:
            return None
        kinds = [item.dtype.base_dtype for item in made._inputs + made._outputs]
        return self._grad_func._trace(kinds)[0]

    @property
    def name(self):
        return self._trace(self._types)[0].name

    def add_to_graph(self, graph):
        self._trace(self._types)[0].add_to_graph(graph)

    @property
    def captured_inputs(self):
        return self._trace(self._types)[0].captured_inputs

    @property
    def stateful_ops(self):
        return self._trace(self._types)[0].stateful_ops

    @property
    def definition(self):
        return FunctionDef.FromString(self._trace(self._types)[0].definition)

    def __call__(self, *args, **kwargs):
        from .convert import convert_to_tensor
        wanted = len(self._types) or _parameters(self._func, ())
        if wanted not in (None, len(args)):
            raise ValueError('Expected number of arguments: %d, received: %d' % (wanted, len(args)))
        kinds = self._types or [convert_to_tensor(item).dtype.base_dtype for item in args]
        args = [convert_to_tensor(item, dtype=kind) for item, kind in zip(args, kinds)]
        made, single = self._trace(kinds)
        op = apply(made.name, kwargs.get('name') or self._name, tuple(args) + tuple(made.captured_inputs), {})
        outputs = op.outputs
        for output, result in zip(outputs, made._outputs):
            if output.get_shape().ndims is None:
                output.set_shape(result.get_shape())
        if self._shape_func is not None:
            for output, static in zip(outputs, self._shape_func(op)):
                output.set_shape(static)
        if single:
            return outputs[0]
        return outputs if outputs else op
