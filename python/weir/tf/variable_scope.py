"""variable_scope and get_variable: variables by name, made once and used again."""
import contextlib
import copy as _copy
import enum

from . import dtypes, init_ops
from .graph import get_default_graph
from .scopes import GraphKeys, colocate_with, init_scope, name_scope
from .shapes import as_shape
from .tensor import Tensor
from .variables import Variable, VariableAggregation, VariableSynchronization

_STORE, _SCOPES = ('__variable_store',), ('__varscope',)


class _ReuseMode(enum.Enum):
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE


class _PartitionInfo:
    """What an initializer learns of the part that it fills."""

    def __init__(self, full_shape, var_offset):
        self.full_shape, self.var_offset = full_shape, var_offset


def _default_initializer(name, shape, dtype):
    if dtype.is_floating:
        return init_ops.glorot_uniform_initializer(), False
    if dtype.is_integer or dtype.is_unsigned or dtype.is_bool or dtype == dtypes.string:
        return init_ops.zeros_initializer(), False
    raise ValueError('An initializer for variable %s of %s is required' % (name, dtype.base_dtype))


class _VariableStore:
    """The variables of a graph by name."""

    def __init__(self):
        self.vars, self.partitioned = {}, {}
        self.store_eager_variables = False

    _vars = property(lambda self: self.vars)
    _partitioned_vars = property(lambda self: self.partitioned)

    def get(self, name, shape, dtype, initializer, regularizer, reuse, trainable, collections, caching_device, partitioner,
            validate_shape, use_resource, constraint, synchronization, aggregation):
        if partitioner is not None and as_shape(shape).ndims != 0:
            from .partitioned_variables import get_partitioned
            return get_partitioned(self, name, shape, dtype, initializer, regularizer, reuse, trainable, collections,
                                   caching_device, partitioner, validate_shape, use_resource, constraint)
        if reuse is True and name + '/part_0' in self.vars and name in self.partitioned:
            return self.partitioned[name]
        if name in self.vars:
            return self._found(name, shape, dtype, reuse)
        if reuse is True:
            raise ValueError('Variable %s does not exist, or was not created with tf.get_variable(). Did you mean to set '
                             'reuse=tf.AUTO_REUSE in VarScope?' % name)
        return self.make(name, shape, dtype, initializer, regularizer, trainable, collections, caching_device, validate_shape,
                         use_resource, constraint, synchronization, aggregation)

    def _found(self, name, shape, dtype, reuse):
        found = self.vars[name]
        if reuse in (False, None):
            raise ValueError('Variable %s already exists, disallowed. Did you mean to set reuse=True or reuse=tf.AUTO_REUSE '
                             'in VarScope?' % name)
        if shape is not None and not as_shape(shape).is_compatible_with(found.get_shape()):
            raise ValueError('Trying to share variable %s, but specified shape %s and found shape %s.' %
                             (name, as_shape(shape), found.get_shape()))
        if not dtype.is_compatible_with(found.dtype):
            raise ValueError('Trying to share variable %s, but specified dtype %s and found dtype %s.' %
                             (name, dtype.name, found.dtype.base_dtype.name))
        return found

    def make(self, name, shape, dtype, initializer, regularizer, trainable, collections, caching_device, validate_shape,
             use_resource, constraint, synchronization, aggregation, partition_info=None):
        shape = as_shape(shape)
        value_given = initializer is not None and not callable(initializer)
        if not shape.is_fully_defined() and not value_given and validate_shape and not _takes_no_shape(initializer):
            raise ValueError('Shape of a new variable (%s) must be fully defined, but instead was %s.' % (name, shape))
        if initializer is None:
            initializer, value_given = _default_initializer(name, shape, dtype)
        if value_given:
            first, kind = initializer, None if _has_dtype(initializer) else dtype
        else:
            first, kind = _first_value(initializer, shape, dtype, partition_info), dtype.base_dtype
        with init_scope(), name_scope(None):
            made = Variable(initial_value=first, name=name, trainable=trainable, collections=collections,
                            caching_device=caching_device, dtype=kind, validate_shape=validate_shape, constraint=constraint,
                            use_resource=use_resource, synchronization=synchronization, aggregation=aggregation)
        self.vars[name] = made
        if regularizer:
            _regularize(made, name, regularizer)
        return made


def _has_dtype(value):
    return isinstance(value, Tensor)


def _takes_no_shape(initializer):
    if initializer is None or isinstance(initializer, (init_ops.Initializer, type)):
        return False
    import inspect
    try:
        return not inspect.signature(initializer).parameters
    except (TypeError, ValueError):
        return False


def _first_value(initializer, shape, dtype, partition_info):
    """A function that makes the initial value, whatever arguments the initializer takes."""
    if isinstance(initializer, type):
        initializer = initializer()
    if _takes_no_shape(initializer):
        return initializer
    kwargs = {'dtype': dtype.base_dtype}
    if partition_info is not None and _accepts(initializer, 'partition_info'):
        kwargs['partition_info'] = partition_info
    if not _accepts(initializer, 'dtype'):
        kwargs.pop('dtype')
    return lambda: initializer(shape.as_list(), **kwargs)


def _accepts(act, word):
    import inspect
    try:
        parameters = inspect.signature(act).parameters
    except (TypeError, ValueError):
        return True
    return word in parameters or any(p.kind == p.VAR_KEYWORD for p in parameters.values())


def _regularize(variable, name, regularizer):
    with colocate_with(variable.op), name_scope(name + '/Regularizer/'):
        with init_scope():
            loss = regularizer(variable)
        if loss is not None:
            get_default_graph().add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)


class VariableScope:
    """A scope's name, and what get_variable takes for arguments that it does not get."""

    def __init__(self, reuse, name='', initializer=None, regularizer=None, caching_device=None, partitioner=None,
                 custom_getter=None, name_scope='', dtype=dtypes.float32, use_resource=None, constraint=None):
        self._name, self._reuse, self._name_scope = name, reuse, name_scope
        self._initializer, self._regularizer, self._caching_device = initializer, regularizer, caching_device
        self._partitioner, self._custom_getter, self._dtype = partitioner, custom_getter, dtype
        self._use_resource, self._constraint = use_resource, constraint

    name = property(lambda self: self._name)
    original_name_scope = property(lambda self: self._name_scope)
    reuse = property(lambda self: self._reuse)
    initializer = property(lambda self: self._initializer)
    regularizer = property(lambda self: self._regularizer)
    caching_device = property(lambda self: self._caching_device)
    partitioner = property(lambda self: self._partitioner)
    custom_getter = property(lambda self: self._custom_getter)
    dtype = property(lambda self: self._dtype)
    use_resource = property(lambda self: self._use_resource)
    constraint = property(lambda self: self._constraint)

    def reuse_variables(self):
        self._reuse = True

    def set_initializer(self, initializer):
        self._initializer = initializer

    def set_regularizer(self, regularizer):
        self._regularizer = regularizer

    def set_caching_device(self, caching_device):
        self._caching_device = caching_device

    def set_partitioner(self, partitioner):
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter):
        self._custom_getter = custom_getter

    def set_dtype(self, dtype):
        self._dtype = dtype

    def set_use_resource(self, use_resource):
        self._use_resource = use_resource

    def get_collection(self, name):
        scope = self._name + '/' if self._name else self._name
        return get_default_graph().get_collection(name, scope)

    def trainable_variables(self):
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self):
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self):
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(self, var_store, name, shape=None, dtype=None, initializer=None, regularizer=None, reuse=None,
                     trainable=None, collections=None, caching_device=None, partitioner=None, validate_shape=True,
                     use_resource=None, custom_getter=None, constraint=None,
                     synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
        full = self._name + '/' + name if self._name else name
        with name_scope(None):
            dtype = dtypes.as_dtype(dtype or self._dtype) if not (
                dtype is None and initializer is not None and hasattr(initializer, 'dtype') and not callable(initializer)) \
                else dtypes.as_dtype(initializer.dtype).base_dtype
            kwargs = dict(shape=shape, dtype=dtype, initializer=self._initializer if initializer is None else initializer,
                          regularizer=self._regularizer if regularizer is None else regularizer,
                          reuse=self._reuse if reuse is None else reuse, trainable=True if trainable is None else trainable,
                          collections=collections,
                          caching_device=self._caching_device if caching_device is None else caching_device,
                          partitioner=self._partitioner if partitioner is None else partitioner,
                          validate_shape=validate_shape,
                          use_resource=self._use_resource if use_resource is None else use_resource,
                          constraint=self._constraint if constraint is None else constraint,
                          synchronization=synchronization, aggregation=aggregation)
            getter = self._custom_getter if custom_getter is None else custom_getter
            if getter is None:
                return var_store.get(full, **kwargs)
            return getter(lambda name, *args, **given: _true_getter(var_store, name, args, given), name=full, **kwargs)


_GETTER_ARGS = ('shape', 'dtype', 'initializer', 'regularizer', 'reuse', 'trainable', 'collections', 'caching_device',
                'partitioner', 'validate_shape', 'use_resource', 'constraint', 'synchronization', 'aggregation')


def _true_getter(store, name, args, given):
    """What a custom getter calls in the end."""
    values = dict(shape=None, dtype=dtypes.float32, initializer=None, regularizer=None, reuse=None, trainable=True,
                  collections=None, caching_device=None, partitioner=None, validate_shape=True, use_resource=None,
                  constraint=None, synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE)
    values.update(zip(_GETTER_ARGS, args))
    values.update(given)
    return store.get(name, **values)


class _ScopeStore:
    """A graph's current scope, and how often each name was opened."""

    def __init__(self):
        self.counts, self.current = {}, VariableScope(False)

    def open(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_under(self, name):
        if name:
            for key in self.counts:
                if key.startswith(name + '/'):
                    self.counts[key] = 0

    def unique(self, prefix):
        base = self.current.name
        name = base + '/' + prefix if base else prefix
        if not self.counts.get(name, 0):
            return prefix
        at = 1
        while self.counts.get('%s_%d' % (name, at), 0):
            at += 1
        return '%s_%d' % (prefix, at)


def _in_graph(key, make):
    items = get_default_graph().get_collection_ref(key)
    if not items:
        items.append(make())
    return items[0]


def _get_default_variable_store():
    return _in_graph(_STORE, _VariableStore)


def get_variable_scope_store():
    return _in_graph(_SCOPES, _ScopeStore)


def get_variable_scope():
    return get_variable_scope_store().current


def get_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=None, collections=None,
                 caching_device=None, partitioner=None, validate_shape=True, use_resource=None, custom_getter=None,
                 constraint=None, synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
    return get_variable_scope().get_variable(
        _get_default_variable_store(), name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer,
        trainable=trainable, collections=collections, caching_device=caching_device, partitioner=partitioner,
        validate_shape=validate_shape, use_resource=use_resource, custom_getter=custom_getter, constraint=constraint,
        synchronization=synchronization, aggregation=aggregation)


def get_local_variable(name, shape=None, dtype=None, initializer=None, regularizer=None, trainable=False, collections=None,
                       caching_device=None, partitioner=None, validate_shape=True, use_resource=None, custom_getter=None,
                       constraint=None, synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE):
    collections = (collections or []) + [GraphKeys.LOCAL_VARIABLES]
    return get_variable(name, shape, dtype, initializer, regularizer, False, collections, caching_device, partitioner,
                        validate_shape, use_resource, custom_getter, constraint, synchronization, aggregation)


def _chained(getter, outer):
    """A getter whose inner call is the getter of the scope outside."""
    if outer is None:
        return getter
    return lambda inner, *args, **kwargs: getter(lambda *a, **k: outer(inner, *a, **k), *args, **kwargs)


class variable_scope:
    """A block in which get_variable's names begin with the scope's."""

    def __init__(self, name_or_scope, default_name=None, values=None, initializer=None, regularizer=None, caching_device=None,
                 partitioner=None, custom_getter=None, reuse=None, dtype=None, use_resource=None, constraint=None,
                 auxiliary_name_scope=True):
        if default_name is None and name_or_scope is None:
            raise TypeError('If default_name is None then name_or_scope is required')
        if reuse not in (None, True, False) and reuse is not AUTO_REUSE:
            raise ValueError('The reuse parameter must be True or False or None.')
        self._named, self._default_name = name_or_scope, default_name
        self._reuse = None if reuse is False else reuse
        self._settings = dict(initializer=initializer, regularizer=regularizer, caching_device=caching_device,
                              partitioner=partitioner, custom_getter=custom_getter, dtype=dtype, use_resource=use_resource,
                              constraint=constraint)
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError('The auxiliary_name_scope must be `True` or `False`, while get {}'.format(auxiliary_name_scope))
        self._auxiliary, self._values = auxiliary_name_scope, values
        self._stack = None

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        try:
            return self._stack.enter_context(self._open())
        except BaseException:
            self._stack.close()
            raise

    def __exit__(self, *details):
        return self._stack.__exit__(*details)

    @contextlib.contextmanager
    def _names(self, word):
        if self._auxiliary:
            with name_scope(word, values=None) as scope:
                yield scope
        else:
            scope = get_default_graph().get_name_scope()
            yield scope + '/' if scope else ''

    @contextlib.contextmanager
    def _open(self):
        store, named = get_variable_scope_store(), self._named
        if named is None:
            if self._reuse:
                raise ValueError('reuse=True cannot be used without a name_or_scope')
            unique = store.unique(self._default_name)
            with self._names(self._default_name) as scope, self._pure(store, unique, scope) as made:
                yield made
            return
        if not isinstance(named, (VariableScope, str)):
            raise TypeError('VariableScope: name_or_scope must be a string or VariableScope.')
        word = named if isinstance(named, str) else named.name.split('/')[-1]
        if word or self._auxiliary is False:
            with self._names(word) as scope, self._pure(store, named, scope) as made:
                yield made
        else:
            with self._pure(store, named, get_default_graph().get_name_scope()) as made:
                yield made

    @contextlib.contextmanager
    def _pure(self, store, named, scope):
        old = store.current
        again = isinstance(named, VariableScope)
        made = self._again(named, scope) if again else self._new(old, named, scope)
        counts = dict(store.counts)
        if not again:
            store.open(made.name)
        store.current = made
        try:
            yield made
        finally:
            store.current = old
            if again:
                store.counts = counts
            else:
                store.close_under(made.name)

    def _new(self, old, name, scope):
        made = _copy.copy(old)
        made._name = old.name + '/' + name if old.name else name
        made._reuse = self._reuse or old.reuse
        made._name_scope = scope
        self._settle(made, old)
        return made

    def _again(self, named, scope):
        made = _copy.copy(named)
        made._name_scope = named.original_name_scope if named.name and not self._auxiliary is None else scope
        made._reuse = named.reuse if self._reuse is None else self._reuse
        self._settle(made, named)
        return made

    def _settle(self, made, outer):
        for key, value in self._settings.items():
            if value is None:
                continue
            if key == 'custom_getter':
                value = _chained(value, outer.custom_getter)
            setattr(made, '_' + key, dtypes.as_dtype(value) if key == 'dtype' else value)


@contextlib.contextmanager
def variable_op_scope(values, name_or_scope, default_name=None, initializer=None, regularizer=None, caching_device=None,
                      partitioner=None, custom_getter=None, reuse=None, dtype=None, use_resource=None, constraint=None):
    """variable_scope with its arguments in another order, as programs before 1.0 have it."""
    with variable_scope(name_or_scope, default_name, values, initializer, regularizer, caching_device, partitioner,
                        custom_getter, reuse, dtype, use_resource, constraint) as scope:
        yield scope


def no_regularizer(_):
    return None


@contextlib.contextmanager
def variable_creator_scope(variable_creator):
    """Kept for programs that name it; creators are not called."""
    yield



def variable(initial_value=None, trainable=None, collections=None, validate_shape=True, caching_device=None, name=None, dtype=None,
             expected_shape=None, import_scope=None, constraint=None, use_resource=None, **kwargs):
    """A variable that no scope shares, of the kind that the scope asks for."""
    from .variables import Variable
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    return Variable(initial_value, trainable=trainable, collections=collections, validate_shape=validate_shape,
                    caching_device=caching_device, name=name, dtype=dtype, expected_shape=expected_shape, import_scope=import_scope,
                    constraint=constraint, use_resource=use_resource, **kwargs)
