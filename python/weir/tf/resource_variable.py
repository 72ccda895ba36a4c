"""Variables on resources: VarHandleOp and the ops that read and change what it names."""
from . import _ops, dtypes
from .build import apply
from .convert import convert_to_tensor
from .scopes import colocate_with, control_dependencies, device, name_scope
from .shapes import TensorShape, as_shape
from .tensor import IndexedSlices
from .variable_guard import guarded
from .variables import Variable


class ResourceVariable(Variable):
    """A variable on a resource: reads are ordered with writes by control dependencies."""

    def _build(self, initial_value, scope, dtype, validate_shape, shape):
        first = self._first_value(initial_value, scope, dtype)
        static = as_shape(shape) if shape is not None else first.get_shape() if validate_shape else TensorShape(None)
        self._dtype, self._static = first.dtype.base_dtype, static
        self._initial_value = first
        self._handle_tensor = apply('VarHandleOp', scope, (), {'dtype': self._dtype, 'shape': static,
                                                              'shared_name': scope[:-1]}).outputs[0]
        self._variable = self._handle_tensor
        with name_scope('IsInitialized'):
            self._is_initialized_op = _ops.var_is_initialized_op(self._handle_tensor)
        with name_scope('Assign'), device(self._handle_tensor.device or None):
            self._initializer_op = _ops.assign_variable_op(self._handle_tensor, guarded(scope[:-1], first))
        with name_scope('Read'), colocate_with(self._handle_tensor.op):
            self._snapshot = self._read_op()

    handle = property(lambda self: self._handle_tensor)
    dtype = property(lambda self: self._dtype)
    create = property(lambda self: self._initializer_op)

    @property
    def shape(self):
        return self._static

    def set_shape(self, shape):
        self._static = self._static.merge_with(shape)

    def _read_op(self):
        value = _ops.read_variable_op(self._handle_tensor, self._dtype)
        if self._static is not None:
            value.set_shape(self._static)
        return value

    def value(self):
        with colocate_with(self._handle_tensor.op):
            return self._read_op()

    def read_value(self):
        with name_scope('Read'):
            value = self._read_op()
        return _ops.identity(value)

    def _AsTensor(self):
        return self.value()

    def _as_graph_element(self):
        return self._snapshot

    def _ref(self):
        return self._handle_tensor

    def eval(self, session=None):
        from .session import _eval
        return _eval(self._snapshot, None, self.graph, session)

    def is_initialized(self, name=None):
        return _ops.var_is_initialized_op(self._handle_tensor, name=name)

    def sparse_read(self, indices, name=None):
        with name_scope('Gather' if name is None else name):
            value = _ops.resource_gather(self._handle_tensor, indices, dtype=self._dtype)
        return _ops.identity(value)

    def gather_nd(self, indices, name=None):
        return _ops.gather_nd(self.value(), indices, name=name)

    @property
    def _shared_name(self):
        return self.name[:self.name.index(':')]

    def _after(self, op, read_value):
        return _UnreadVariable(self, op) if read_value else op

    def _change(self, act, value, name, read_value):
        return self._after(act(self._handle_tensor, convert_to_tensor(value, dtype=self._dtype), name=name), read_value)

    def assign(self, value, use_locking=None, name=None, read_value=True):
        value = convert_to_tensor(value, dtype=self._dtype)
        self._static.assert_is_compatible_with(value.get_shape())
        return self._change(_ops.assign_variable_op, value, name, read_value)

    def assign_add(self, delta, use_locking=None, name=None, read_value=True):
        return self._change(_ops.assign_add_variable_op, delta, name, read_value)

    def assign_sub(self, delta, use_locking=None, name=None, read_value=True):
        return self._change(_ops.assign_sub_variable_op, delta, name, read_value)

    def _scatter_by(self, op_type, indices, updates, name):
        made = apply('Resource' + op_type, name, (self._handle_tensor, indices, convert_to_tensor(updates, self._dtype)), {})
        return self._after(made, True)

    def _scatter(self, op_type, delta, name):
        if not isinstance(delta, IndexedSlices):
            raise ValueError('sparse_delta is not IndexedSlices: %s' % (delta,))
        return self._scatter_by(op_type, delta.indices, delta.values, name)

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterAdd', sparse_delta, name)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterSub', sparse_delta, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterMax', sparse_delta, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterMin', sparse_delta, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterMul', sparse_delta, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterDiv', sparse_delta, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterUpdate', sparse_delta, name)

    def scatter_nd_add(self, indices, updates, name=None):
        return self._scatter_by('ScatterNdAdd', indices, updates, name)

    def scatter_nd_sub(self, indices, updates, name=None):
        return self._scatter_by('ScatterNdSub', indices, updates, name)

    def scatter_nd_update(self, indices, updates, name=None):
        return self._scatter_by('ScatterNdUpdate', indices, updates, name)

    def _add_to_proto(self, proto):
        proto.is_resource = True

    def _restore_more(self, proto, graph, full):
        self._handle_tensor = self._variable
        self._dtype = dtypes.as_dtype(self._variable.op.get_attr('dtype'))
        self._static = TensorShape(self._variable.op.get_attr('shape'))


class _UnreadVariable(ResourceVariable):
    """What an assignment gives: the variable, read after the assignment. The read that a fetch takes is there from the beginning:
    a step that was run before adds no node, and a finalized graph needs none."""

    def __init__(self, variable, op):
        self.__dict__.update(variable.__dict__)
        self._parent_op = op
        self._snapshot = self._read_op()

    name = property(lambda self: self._parent_op.name)
    op = property(lambda self: self._parent_op)

    @property
    def _control_op(self):
        return self._parent_op

    def _read_op(self):
        with control_dependencies([self._parent_op]):
            return ResourceVariable._read_op(self)

    def _as_graph_element(self):
        return self._snapshot


def is_resource_variable(var):
    return isinstance(var, ResourceVariable)


def var_handle_of(variable):
    return variable.handle


def variable_op(shape, dtype, name='Variable'):
    return apply('VariableV2', name, (), {'shape': shape, 'dtype': dtype}).outputs[0]

