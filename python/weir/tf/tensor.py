"""Operation and Tensor: a node of a graph, and one of its outputs."""
from .. import _native
from . import dtypes
from .shapes import TensorShape, as_shape
from .shown import shows

_math = None


def _operators():
    """math_ops, loaded when the first operator is used."""
    global _math
    if _math is None:
        from . import math_ops as _math
    return _math


class Reference:
    """A tensor or variable as a key: equal where both are the same object."""
    __slots__ = ('_object',)

    def __init__(self, item):
        self._object = item

    def deref(self):
        return self._object

    def __eq__(self, other):
        return isinstance(other, Reference) and self._object is other._object

    def __hash__(self):
        return id(self._object)

    def __repr__(self):
        return '<Reference wrapping %r>' % (self._object,)


class Tensor(_native.Output):
    """One output of an operation."""
    OVERLOADABLE_OPERATORS = frozenset()
    __array_priority__ = 100

    @shows(lambda self, op, value_index, dtype: None)
    def __init__(self, op, value_index, dtype, *, _shape=None, _handle=None):
        _native.Output.__init__(self, op._handle if _handle is None else _handle, value_index)
        self._op, self._dtype, self._shape = op, dtype, _shape

    @property
    def op(self):
        return self._op

    @property
    def dtype(self):
        return self._dtype

    @property
    def graph(self):
        return self._op.graph

    @property
    def value_index(self):
        return self._value_index

    @property
    def name(self):
        return '%s:%d' % (self._op.name, self._value_index)

    @property
    def device(self):
        return self._op.device

    @property
    def shape(self):
        return TensorShape._of(self._shape)

    def get_shape(self):
        return TensorShape._of(self._shape)

    def _shape_as_list(self):
        return None if self._shape is None else list(self._shape)

    def _rank(self):
        return None if self._shape is None else len(self._shape)

    def set_shape(self, shape):
        shape = as_shape(shape)
        merged = TensorShape._of(self._shape).merge_with(shape)
        if merged._dims != self._shape:
            _native.set_shape(self.graph._native, self, merged._dims)
            self._shape = merged._dims

    def _refresh(self):
        """Reads the shape anew, after the graph was changed."""
        self._shape = _native.shape(self.graph._native, self)

    def consumers(self):
        graph = self.graph
        return [graph._op_at(handle) for handle, _ in _native.consumers(self)]

    def eval(self, feed_dict=None, session=None):
        from .session import _eval
        return _eval(self, feed_dict, self.graph, session)

    def _as_node_def_input(self):
        return self._op.name if self._value_index == 0 else self.name

    def experimental_ref(self):
        return Reference(self)

    def _shape_tuple(self):
        return None if self._shape is None else tuple(self._shape)

    def _as_tf_output(self):
        return self

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "<tf.Tensor '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self._dtype.name)

    def __str__(self):
        shape = '' if self._shape is None else ', shape=%s' % self.get_shape()
        device = ', device=%s' % self.device if self.device else ''
        return 'Tensor("%s"%s, dtype=%s%s)' % (self.name, shape, self._dtype.name, device)

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    def __iter__(self):
        if self._shape is None:
            raise TypeError('Cannot iterate over a tensor with unknown shape.')
        if not self._shape:
            raise TypeError('Cannot iterate over a scalar tensor.')
        if self._shape[0] is None:
            raise TypeError('Tensor objects are only iterable when eager execution is enabled. To iterate over this '
                            'tensor use tf.map_fn.')
        return iter([self[i] for i in range(self._shape[0])])

    def __len__(self):
        raise TypeError('len is not well defined for symbolic Tensors. (%s) Please call `x.shape` rather than `len(x)` for shape '
                        'information.' % self.name)

    def __bool__(self):
        raise TypeError('Using a `tf.Tensor` as a Python `bool` is not allowed. Use `if t is not None:` instead of '
                        '`if t:` to test if a tensor is defined, and use TensorFlow ops such as tf.cond to execute '
                        'subgraphs conditioned on the value of a tensor.')

    __nonzero__ = __bool__

    def __array__(self, *unused):
        raise NotImplementedError('Cannot convert a symbolic Tensor (%s) to a numpy array.' % self.name)

    def __getitem__(self, key):
        from .array_ops import _slice_helper
        return _slice_helper(self, key)

    def __add__(self, other):
        return _operators().operate('add', self, other)

    def __radd__(self, other):
        return _operators().operate_right('add', self, other)

    def __sub__(self, other):
        return _operators().operate('sub', self, other)

    def __rsub__(self, other):
        return _operators().operate_right('sub', self, other)

    def __mul__(self, other):
        return _operators().operate('mul', self, other)

    def __rmul__(self, other):
        return _operators().operate_right('mul', self, other)

    def __truediv__(self, other):
        return _operators().operate('truediv', self, other)

    def __rtruediv__(self, other):
        return _operators().operate_right('truediv', self, other)

    def __div__(self, other):
        return _operators().operate('div', self, other)

    def __rdiv__(self, other):
        return _operators().operate_right('div', self, other)

    def __floordiv__(self, other):
        return _operators().operate('floordiv', self, other)

    def __rfloordiv__(self, other):
        return _operators().operate_right('floordiv', self, other)

    def __mod__(self, other):
        return _operators().operate('mod', self, other)

    def __rmod__(self, other):
        return _operators().operate_right('mod', self, other)

    def __pow__(self, other):
        return _operators().operate('pow', self, other)

    def __rpow__(self, other):
        return _operators().operate_right('pow', self, other)

    def __matmul__(self, other):
        return _operators().operate('matmul', self, other)

    def __rmatmul__(self, other):
        return _operators().operate_right('matmul', self, other)

    def __and__(self, other):
        return _operators().operate('and', self, other)

    def __rand__(self, other):
        return _operators().operate_right('and', self, other)

    def __or__(self, other):
        return _operators().operate('or', self, other)

    def __ror__(self, other):
        return _operators().operate_right('or', self, other)

    def __xor__(self, other):
        return _operators().operate('xor', self, other)

    def __rxor__(self, other):
        return _operators().operate_right('xor', self, other)

    def __lt__(self, other):
        return _operators().less(self, other)

    def __le__(self, other):
        return _operators().less_equal(self, other)

    def __gt__(self, other):
        return _operators().greater(self, other)

    def __ge__(self, other):
        return _operators().greater_equal(self, other)

    def __neg__(self):
        return _operators().negative(self)

    def __abs__(self):
        return _operators().abs(self)

    def __invert__(self):
        return _operators().logical_not(self)


class Operation(_native.Output):
    """A node of a graph."""

    def __init__(self, node_def, g, inputs=None, output_types=None, control_inputs=None, input_types=None, original_op=None,
                 op_def=None):
        """Programs make nodes by Graph.create_op and by the functions of ops."""
        raise TypeError('Operations are made by Graph.create_op')

    @classmethod
    def _of(cls, graph, handle, name, type_, outputs, context=None):
        """The object of a node of the library; `outputs`: a (number of the dtype, shape) for each output."""
        self = cls.__new__(cls)
        _native.Output.__init__(self, handle, 0)
        self._graph, self._name, self._type = graph, name, type_
        self._control_flow_context = context
        self._id = graph._next_id()
        self._outputs = [Tensor(self, index, dtypes._BY_NUMBER[dtype], _shape=shape, _handle=handle)
                         for index, (dtype, shape) in enumerate(outputs)]
        return self

    @property
    def graph(self):
        return self._graph

    @property
    def name(self):
        return self._name

    @property
    def type(self):
        return self._type

    @property
    def _id_value(self):
        return self._id

    @property
    def outputs(self):
        return self._outputs

    def values(self):
        return tuple(self._outputs)

    @property
    def inputs(self):
        graph = self._graph
        return [graph._op_at(handle)._outputs[index] for handle, index in _native.op_inputs(self)]

    @property
    def _inputs(self):
        return self.inputs

    @property
    def control_inputs(self):
        return [self._graph._op_at(handle) for handle in _native.op_controls(self)]

    @property
    def _control_outputs(self):
        return [self._graph._op_at(handle) for handle in _native.op_control_outputs(self)]

    @property
    def device(self):
        return _native.op_device(self)

    def _set_device(self, device):
        from .device import canonical
        _native.set_device(self._graph._native, self, canonical(device))

    def _set_attr(self, name, value):
        """`value`: an AttrValue message."""
        _native.set_attr(self._graph._native, self, name, value.SerializeToString())

    def _add_control_input(self, op):
        _native.add_control_input(self._graph._native, self, op)

    def _add_control_inputs(self, ops):
        for op in ops:
            self._add_control_input(op)

    def _remove_all_control_inputs(self):
        _native.remove_controls(self._graph._native, self)

    def _update_input(self, index, tensor):
        _native.update_edge(self._graph._native, tensor, self, index)
        for output in self._outputs:
            output._refresh()

    @property
    def node_def(self):
        from .messages import NodeDef
        return NodeDef.FromString(_native.node_def(self))

    @property
    def op_def(self):
        from .messages import OpDef
        return OpDef.FromString(_native.op_def(self._graph._native, self._type))

    def get_attr(self, name):
        """The attr's value in Python; ValueError when there is none."""
        from .attrs import value_of
        from .errors import OpError
        try:
            return value_of(_native.op_attr(self, name))
        except OpError:
            raise ValueError("Operation '%s' has no attr named '%s'." % (self._name, name))

    @property
    def traceback(self):
        return []

    def colocation_groups(self):
        """The groups of its _class attr, or its own name."""
        default = [('loc:@' + self._name).encode()]
        try:
            groups = [item for item in self.get_attr('_class') if item.startswith(b'loc:@')]
        except ValueError:
            return default
        return groups or default

    def run(self, feed_dict=None, session=None):
        from .session import _eval
        _eval(self, feed_dict, self._graph, session)

    def _get_control_flow_context(self):
        return self._control_flow_context

    def _set_control_flow_context(self, context):
        self._control_flow_context = context

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "<tf.Operation '%s' type=%s>" % (self._name, self._type)

    def __str__(self):
        return str(self.node_def)


class IndexedSlices:
    """Rows of a tensor: values[i] belongs to row indices[i]."""

    def __init__(self, values, indices, dense_shape=None):
        self._values, self._indices, self._dense_shape = values, indices, dense_shape

    values = property(lambda self: self._values)
    indices = property(lambda self: self._indices)
    dense_shape = property(lambda self: self._dense_shape)
    dtype = property(lambda self: self._values.dtype)
    name = property(lambda self: self._values.name)
    device = property(lambda self: self._values.device)
    op = property(lambda self: self._values.op)
    graph = property(lambda self: self._values.graph)

    @property
    def shape(self):
        if self._dense_shape is None:
            return TensorShape(None)
        from .convert import constant_value_as_shape
        return constant_value_as_shape(self._dense_shape)

    def __neg__(self):
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __str__(self):
        shape = '' if self._dense_shape is None else ', dense_shape=%s' % (self._dense_shape,)
        return 'IndexedSlices(indices=%s, values=%s%s)' % (self._indices, self._values, shape)
