"""Variables: buffers that outlive a step, and ops that change them."""
import enum

from . import _ops, dtypes
from .build import apply
from .convert import convert_to_tensor
from .graph import get_default_graph
from .scopes import GraphKeys, colocate_with, device, init_scope, name_scope
from .shapes import TensorShape, as_shape
from .tensor import IndexedSlices, Tensor
from .variable_guard import guarded


class VariableSynchronization(enum.Enum):
    AUTO, NONE, ON_WRITE, ON_READ = range(4)


class VariableAggregation(enum.Enum):
    NONE, SUM, MEAN, ONLY_FIRST_REPLICA = range(4)


VariableAggregationV2 = VariableAggregation


def _collections(collections, trainable):
    collections = [GraphKeys.GLOBAL_VARIABLES] if collections is None else collections
    if not isinstance(collections, (list, tuple, set)):
        raise ValueError('collections argument to Variable constructor must be a list, tuple, or set. Got %s of type %s' %
                         (collections, type(collections)))
    if trainable and GraphKeys.TRAINABLE_VARIABLES not in collections:
        collections = list(collections) + [GraphKeys.TRAINABLE_VARIABLES]
    return list(collections)


class Variable:
    """A variable. Variable(...) makes one on a buffer, or with use_resource=True on a resource."""
    SaveSliceInfo = None

    def __new__(cls, *args, **kwargs):
        if cls is not Variable:
            return object.__new__(cls)
        use = kwargs.get('use_resource', args[11] if len(args) > 11 else None)
        if use is None:
            from .variable_scope import get_variable_scope
            use = get_variable_scope().use_resource
        if use or use is None and _default_resource[0]:
            from .resource_variable import ResourceVariable
            return object.__new__(ResourceVariable)
        return object.__new__(RefVariable)

    def __init__(self, initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None,
                 variable_def=None, dtype=None, expected_shape=None, import_scope=None, constraint=None, use_resource=None,
                 synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE, shape=None):
        self._save_slice_info = None
        self._constraint, self._synchronization, self._aggregation = constraint, synchronization, aggregation
        self._caching_device = caching_device
        if variable_def is not None:
            self._restore(variable_def, import_scope)
            return
        if initial_value is None:
            raise ValueError('initial_value must be specified.')
        if constraint is not None and not callable(constraint):
            raise ValueError('The `constraint` argument must be a callable.')
        if isinstance(initial_value, Tensor) and getattr(initial_value.op, '_control_flow_context', None) is not None and \
                initial_value.op._control_flow_context is not initial_value.graph._control_flow_context:
            raise ValueError('Initializer for variable %s is from inside a control-flow construct, such as a loop or conditional. '
                             'When creating a variable inside a loop or conditional, use a lambda as the initializer.' % name)
        self._trainable = True if trainable is None else bool(trainable)
        collections = _collections(collections, self._trainable)
        with get_default_graph()._lock, init_scope(), name_scope(name, 'Variable', [] if callable(initial_value) else
                                                                 [initial_value]) as scope:
            self._build(initial_value, scope, dtype, validate_shape, shape)
        self._graph_ref.add_to_collections(collections, self)

    def _first_value(self, initial_value, scope, dtype):
        """The tensor of the initial value; a function's nodes are placed with the variable."""
        self._init_from_function = callable(initial_value)
        if not self._init_from_function:
            return convert_to_tensor(initial_value, dtype=dtype, name='initial_value')
        from .messages import AttrValue
        attr = AttrValue()
        attr.list.s.append(b'loc:@' + scope[:-1].encode())
        graph = get_default_graph()
        with graph._attr_scope_of({'_class': attr}), name_scope('Initializer'), device(None):
            return convert_to_tensor(initial_value(), dtype=dtype, name='initial_value')

    # ---- what a variable is ----

    name = property(lambda self: self._variable.name)
    op = property(lambda self: self._variable.op)
    device = property(lambda self: self._variable.device)
    graph = property(lambda self: self._variable.graph)
    dtype = property(lambda self: self._variable.dtype)
    initializer = property(lambda self: self._initializer_op)
    initial_value = property(lambda self: self._initial_value)
    trainable = property(lambda self: self._trainable)
    constraint = property(lambda self: self._constraint)
    synchronization = property(lambda self: self._synchronization)
    aggregation = property(lambda self: self._aggregation)

    @property
    def _graph_ref(self):
        return self._variable.graph

    @property
    def _shared_name(self):
        return self.name[:self.name.index(':')]

    @property
    def shape(self):
        return self._variable.get_shape()

    def get_shape(self):
        return self.shape

    def set_shape(self, shape):
        self._ref().set_shape(shape)
        self.value().set_shape(shape)

    def _as_graph_element(self):
        return self._variable

    def _AsTensor(self):
        return self._snapshot

    def _ref(self):
        return self._variable

    def value(self):
        return self._snapshot

    def read_value(self):
        return _ops.identity(self._variable, name='read')

    def eval(self, session=None):
        from .session import _eval
        return _eval(self._variable, None, self.graph, session)

    def initialized_value(self):
        from .control_flow_ops import cond
        with init_scope():
            return cond(is_variable_initialized(self), self.read_value, lambda: self.initial_value)

    def load(self, value, session=None):
        from .session import get_default_session
        session = session or get_default_session()
        if session is None:
            raise ValueError('Either session argument should be provided or default session should be established')
        session.run(self._initializer_op, {self._initializer_op.inputs[1]: value})

    def _set_save_slice_info(self, save_slice_info):
        self._save_slice_info = save_slice_info

    def _get_save_slice_info(self):
        return self._save_slice_info

    def experimental_ref(self):
        return self

    def to_proto(self, export_scope=None):
        from .messages import VariableDef
        scope = export_scope + '/' if export_scope else ''
        if scope and not self._variable.name.startswith(scope):
            return None
        strip = (lambda name: name[len(scope):]) if scope else (lambda name: name)
        proto = VariableDef(variable_name=strip(self._variable.name), trainable=self._trainable,
                            initializer_name=strip(self._initializer_op.name), snapshot_name=strip(self._snapshot.name))
        if self._initial_value is not None:
            proto.initial_value_name = strip(self._initial_value.name)
        self._add_to_proto(proto)
        if self._save_slice_info:
            proto.save_slice_info_def.MergeFrom(self._save_slice_info.to_proto(export_scope=export_scope))
        return proto

    def _add_to_proto(self, proto):
        pass

    @staticmethod
    def from_proto(variable_def, import_scope=None):
        if variable_def.is_resource:
            from .resource_variable import ResourceVariable
            return ResourceVariable(variable_def=variable_def, import_scope=import_scope)
        return RefVariable(variable_def=variable_def, import_scope=import_scope)

    def _restore(self, proto, import_scope):
        graph = get_default_graph()
        full = (lambda name: import_scope + '/' + name) if import_scope else (lambda name: name)
        self._variable = graph.as_graph_element(full(proto.variable_name))
        self._initializer_op = graph.as_graph_element(full(proto.initializer_name))
        self._initial_value = graph.as_graph_element(full(proto.initial_value_name)) if proto.initial_value_name else None
        self._snapshot = graph.as_graph_element(full(proto.snapshot_name)) if proto.snapshot_name else None
        self._trainable = proto.trainable if proto.HasField('trainable') else True
        self._restore_more(proto, graph, full)
        if proto.HasField('save_slice_info_def'):
            self._save_slice_info = SaveSliceInfo(save_slice_info_def=proto.save_slice_info_def, import_scope=import_scope)

    def _restore_more(self, proto, graph, full):
        pass

    def __repr__(self):
        return "<tf.Variable '%s' shape=%s dtype=%s>" % (self.name, self.get_shape(), self.dtype.name)

    def __getitem__(self, key):
        from .array_ops import _slice_helper
        return _slice_helper(self._AsTensor(), key, self)

    def __iter__(self):
        raise TypeError("'Variable' object is not iterable.")

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self is other

    __array_priority__ = 100

    # ---- changes ----

    def count_up_to(self, limit):
        return count_up_to(self, limit)


class RefVariable(Variable):
    """A variable on a buffer that ops change in place."""

    def _build(self, initial_value, scope, dtype, validate_shape, shape):
        first = self._first_value(initial_value, scope, dtype)
        static = first.get_shape() if validate_shape else TensorShape(None)
        if shape is not None:
            static = as_shape(shape)
        elif validate_shape and not static.is_fully_defined():
            raise ValueError('initial_value must have a shape specified: %s' % first)
        self._initial_value = first
        self._variable = apply('VariableV2', scope, (), {'shape': static, 'dtype': first.dtype.base_dtype}).outputs[0]
        first = guarded(scope[:-1], first)
        with colocate_with(self._variable.op):
            self._initializer_op = apply('Assign', None, (self._variable, first),
                                         {'validate_shape': validate_shape}).outputs[0].op
        self._snapshot = self._read(scope)

    def _read(self, scope):
        with colocate_with(self._variable.op):
            if self._caching_device:
                with device(self._caching_device):
                    return _ops.identity(self._variable, name='read')
            return _ops.identity(self._variable, name='read')

    def _change(self, op_type, value, use_locking, name, read_value):
        made = apply(op_type, name, (self._variable, value), {'use_locking': use_locking})
        return made.outputs[0] if read_value else made

    def assign(self, value, use_locking=False, name=None, read_value=True):
        made = apply('Assign', name, (self._variable, value),
                     {'use_locking': use_locking, 'validate_shape': self._variable._shape is not None})
        return made.outputs[0] if read_value else made

    def assign_add(self, delta, use_locking=False, name=None, read_value=True):
        return self._change('AssignAdd', delta, use_locking, name, read_value)

    def assign_sub(self, delta, use_locking=False, name=None, read_value=True):
        return self._change('AssignSub', delta, use_locking, name, read_value)

    def _scatter(self, op_type, delta, use_locking, name):
        if not isinstance(delta, IndexedSlices):
            raise ValueError('sparse_delta is not IndexedSlices: %s' % (delta,))
        return apply(op_type, name, (self._variable, delta.indices, delta.values), {'use_locking': use_locking}).outputs[0]

    def scatter_add(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterAdd', sparse_delta, use_locking, name)

    def scatter_sub(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterSub', sparse_delta, use_locking, name)

    def scatter_max(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterMax', sparse_delta, use_locking, name)

    def scatter_min(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterMin', sparse_delta, use_locking, name)

    def scatter_mul(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterMul', sparse_delta, use_locking, name)

    def scatter_div(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterDiv', sparse_delta, use_locking, name)

    def scatter_update(self, sparse_delta, use_locking=False, name=None):
        return self._scatter('ScatterUpdate', sparse_delta, use_locking, name)

    def scatter_nd_add(self, indices, updates, name=None):
        return _ops.scatter_nd_add(self._variable, indices, updates, use_locking=True, name=name)

    def scatter_nd_sub(self, indices, updates, name=None):
        return _ops.scatter_nd_sub(self._variable, indices, updates, use_locking=True, name=name)

    def scatter_nd_update(self, indices, updates, name=None):
        return _ops.scatter_nd_update(self._variable, indices, updates, use_locking=True, name=name)

    def gather_nd(self, indices, name=None):
        return _ops.gather_nd(self._snapshot, indices, name=name)

    @property
    def sparse_read(self):
        raise AttributeError('sparse_read')


def _install_operators():
    for word in ('add', 'sub', 'mul', 'truediv', 'div', 'floordiv', 'mod', 'pow', 'matmul', 'and', 'or', 'xor'):
        for prefix in ('', 'r'):
            _install('__%s%s__' % (prefix, word))
    for word in ('lt', 'le', 'gt', 'ge', 'neg', 'abs', 'invert'):
        _install('__%s__' % word)


def _install(name):
    act = getattr(Tensor, name)

    def operate(self, *args):
        return act(self._AsTensor(), *args)
    operate.__name__ = name
    setattr(Variable, name, operate)


_install_operators()
VariableV1 = Variable
_default_resource = [False]


def enable_resource_variables():
    _default_resource[0] = True


def disable_resource_variables():
    _default_resource[0] = False


def resource_variables_enabled():
    return _default_resource[0]


class SaveSliceInfo:
    """Which part of a larger variable a variable is."""

    def __init__(self, full_name=None, full_shape=None, var_offset=None, var_shape=None, save_slice_info_def=None,
                 import_scope=None):
        if save_slice_info_def is not None:
            proto = save_slice_info_def
            full_name = import_scope + '/' + proto.full_name if import_scope else proto.full_name
            full_shape, var_offset, var_shape = list(proto.full_shape), list(proto.var_offset), list(proto.var_shape)
        self.full_name, self.full_shape, self.var_offset, self.var_shape = full_name, full_shape, var_offset, var_shape

    @property
    def spec(self):
        whole = ' '.join('%d' % dim for dim in self.full_shape) + ' '
        return whole + ':'.join('%d,%d' % pair for pair in zip(self.var_offset, self.var_shape))

    def to_proto(self, export_scope=None):
        from .messages import SaveSliceInfoDef
        name = self.full_name
        if export_scope and name.startswith(export_scope + '/'):
            name = name[len(export_scope) + 1:]
        return SaveSliceInfoDef(full_name=name, full_shape=self.full_shape, var_offset=self.var_offset, var_shape=self.var_shape)


Variable.SaveSliceInfo = SaveSliceInfo


# ---- ops on variables ----

def assign(ref, value, validate_shape=None, use_locking=None, name=None):
    if isinstance(ref, Tensor) and ref.dtype._is_ref_dtype or isinstance(ref, RefVariable):
        return apply('Assign', name, (ref, value), {'validate_shape': validate_shape, 'use_locking': use_locking}).outputs[0]
    return ref.assign(value, name=name)


def assign_add(ref, value, use_locking=None, name=None):
    if isinstance(ref, Tensor) and ref.dtype._is_ref_dtype or isinstance(ref, RefVariable):
        return apply('AssignAdd', name, (ref, value), {'use_locking': use_locking}).outputs[0]
    return ref.assign_add(value, name=name)


def assign_sub(ref, value, use_locking=None, name=None):
    if isinstance(ref, Tensor) and ref.dtype._is_ref_dtype or isinstance(ref, RefVariable):
        return apply('AssignSub', name, (ref, value), {'use_locking': use_locking}).outputs[0]
    return ref.assign_sub(value, name=name)


def count_up_to(ref, limit, name=None):
    return _ops.count_up_to(ref, limit, name=name)


def _scatter(op_type, default_locking):
    def act(ref, indices, updates, use_locking=default_locking, name=None):
        if not isinstance(ref, Tensor) and not isinstance(ref, RefVariable):
            return getattr(ref, '_scatter_by')(op_type, indices, updates, name)
        return apply(op_type, name, (ref, indices, updates), {'use_locking': use_locking}).outputs[0]
    return act


scatter_update, scatter_add, scatter_sub = _scatter('ScatterUpdate', True), _scatter('ScatterAdd', False), _scatter('ScatterSub', False)
scatter_mul, scatter_div = _scatter('ScatterMul', False), _scatter('ScatterDiv', False)
scatter_min, scatter_max = _scatter('ScatterMin', False), _scatter('ScatterMax', False)
scatter_nd_update, scatter_nd_add, scatter_nd_sub = _scatter('ScatterNdUpdate', True), _scatter('ScatterNdAdd', False), _scatter('ScatterNdSub', False)


def is_variable_initialized(variable):
    if hasattr(variable, 'is_initialized'):
        return variable.is_initialized()
    return _ops.is_variable_initialized(variable._ref() if hasattr(variable, '_ref') else variable)


# ---- lists of variables ----

def _listed(key):
    def act(scope=None):
        return get_default_graph().get_collection(key, scope)
    return act


global_variables = _listed(GraphKeys.GLOBAL_VARIABLES)
local_variables = _listed(GraphKeys.LOCAL_VARIABLES)
model_variables = _listed(GraphKeys.MODEL_VARIABLES)
trainable_variables = _listed(GraphKeys.TRAINABLE_VARIABLES)
moving_average_variables = _listed(GraphKeys.MOVING_AVERAGE_VARIABLES)


def all_variables():
    return global_variables()


def _all_saveable_objects(scope=None):
    graph = get_default_graph()
    return graph.get_collection(GraphKeys.GLOBAL_VARIABLES, scope) + graph.get_collection(GraphKeys.SAVEABLE_OBJECTS, scope)


def variables_initializer(var_list, name='init'):
    from .control_flow_ops import group
    return group(*[variable.initializer for variable in var_list], name=name)


def global_variables_initializer():
    return variables_initializer(global_variables())


def local_variables_initializer():
    return variables_initializer(local_variables())


def initialize_all_variables():
    return global_variables_initializer()


def initialize_local_variables():
    return local_variables_initializer()


def initialize_variables(var_list, name='init'):
    return variables_initializer(var_list, name=name)


def report_uninitialized_variables(var_list=None, name='report_uninitialized_variables'):
    from .array_ops import boolean_mask, constant, stack
    from .math_ops import logical_not
    var_list = global_variables() + local_variables() if var_list is None else var_list
    with name_scope(name):
        with device('/cpu:0'):
            if not var_list:
                return constant([], dtypes.string, shape=[0])
            mask = logical_not(stack([is_variable_initialized(variable) for variable in var_list]))
            names = constant([variable.op.name for variable in var_list])
            return boolean_mask(names, mask)


def assert_variables_initialized(var_list=None):
    from .array_ops import stack
    var_list = global_variables() + local_variables() if var_list is None else var_list
    if not var_list:
        return None
    with device('/cpu:0'):
        ranks = [_ops.rank(variable._ref()) for variable in var_list]
        return ranks[0] if len(ranks) == 1 else stack(ranks)
