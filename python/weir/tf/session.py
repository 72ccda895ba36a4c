"""Session: runs parts of a graph."""
import _signal  # signal.getsignal makes an Enum and takes longer than a short step
import atexit
import collections
import re
import threading
import weakref

import numpy as np

from .. import _native, hook
from . import dtypes, errors
from .convert import feed_value
from .graph import DefaultStack, get_default_graph
from .shapes import TensorShape
from .sparse_tensor import SparseTensor, SparseTensorValue
from .tensor import IndexedSlices, Operation, Tensor

_default_sessions = DefaultStack()
atexit.register(_native.end)
if threading.current_thread() is threading.main_thread():
    _native.watch_interrupts(_signal.getsignal, _signal.SIGINT, _signal.default_int_handler)
IndexedSlicesValue = collections.namedtuple('IndexedSlicesValue', ['values', 'indices', 'dense_shape'])


def get_default_session():
    return _default_sessions.top()


def _eval(item, feed_dict, graph, session=None):
    """item.eval() and op.run(): in the given session, else in the default one."""
    if session is None:
        session = get_default_session()
        if session is None:
            what = 'evaluate tensor using `eval()`' if isinstance(item, Tensor) else 'execute operation using `run()`'
            raise ValueError('Cannot %s: No default session is registered. Use `with sess.as_default()` or pass an '
                             'explicit session to `eval(session=sess)`' % what)
        if session.graph is not graph:
            raise ValueError("Cannot use the default session to evaluate tensor: the tensor's graph is different from the "
                             "session's graph. Pass an explicit session to `eval(session=sess)`.")
    elif session.graph is not graph:
        raise ValueError("Cannot use the given session to evaluate tensor: the tensor's graph is different from the "
                         "session's graph.")
    return session.run(item, feed_dict)


# ---- fetch structures ----

_expansions = []  # (type, fetch function, feed function, feed function of partial runs)


def register_session_run_conversion_functions(tensor_type, fetch_function, feed_function=None, feed_function_for_partial_run=None):
    """How objects of `tensor_type` are fetched: fetch_function gives (fetches, function of their values)."""
    if any(issubclass(tensor_type, row[0]) for row in _expansions):
        raise ValueError('%s has already been registered so ignore it.' % tensor_type)
    _expansions.insert(0, (tensor_type, fetch_function, feed_function, feed_function_for_partial_run))


_KEEPERS = ('GetSessionHandle', 'GetSessionHandleV2')  # whose value is shown as a TensorHandle


class _Fetches:
    """The leaves of a structure, and how their values become it again."""

    def __init__(self, session, fetches):
        self.session = weakref.ref(session)  # which keeps what was resolved
        self.graph, self.leaves, self.visited, self._at = session.graph, [], [], {}
        self.plain = True  # values are given as the library gave them
        self.build = self._visit(fetches)

    def _leaf(self, item):
        try:
            element = self.graph.as_graph_element(item, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            raise TypeError('Fetch argument %r has invalid type %r, must be a string or Tensor. (%s)' %
                            (item, type(item), error)) from None
        except ValueError as error:
            raise ValueError('Fetch argument %r cannot be interpreted as a Tensor. (%s)' % (item, error)) from None
        except KeyError as error:
            raise ValueError('Fetch argument %r cannot be interpreted as a Tensor. (%s)' % (item, error)) from None
        if not self.graph.is_fetchable(element):
            raise ValueError('Operation %r has been marked as not fetchable.' % element.name)
        if isinstance(element, Operation):
            self._add(element)
            return lambda values: None
        at = self._add(element)
        return self._handle(element, at) if element.op.type in _KEEPERS else lambda values: values[at]

    def _handle(self, element, at):
        from .session_handles import TensorHandle
        self.plain, session, dtype = False, self.session, element.op.inputs[0].dtype
        return lambda values: TensorHandle(values[at], dtype, session())

    def _add(self, element):
        self.visited.append(element)
        if element not in self._at:
            self._at[element] = len(self._at)
            self.leaves.append(element)
        return self._at[element]

    def _visit(self, item):
        if item is None:
            raise TypeError('Fetch argument %r has invalid type %r' % (item, type(item)))
        if isinstance(item, (Tensor, Operation, str, bytes)):
            return self._leaf(item)
        if isinstance(item, (list, tuple)):
            return self._sequence(item)
        if isinstance(item, collections.abc.Mapping):
            return self._mapping(item)
        if isinstance(item, SparseTensor):
            return self._parts([item.indices, item.values, item.dense_shape], SparseTensorValue)
        if isinstance(item, IndexedSlices):
            parts = [item.values, item.indices] + ([] if item.dense_shape is None else [item.dense_shape])
            return self._parts(parts, lambda *v: IndexedSlicesValue(*v) if len(v) == 3 else IndexedSlicesValue(v[0], v[1], None))
        for kind, fetch, _, _ in _expansions:
            if isinstance(item, kind):
                parts, contract = fetch(item)
                builds = [self._visit(part) for part in parts]
                return lambda values: contract([build(values) for build in builds])
        return self._leaf(item)

    def _parts(self, parts, make):
        builds = [self._visit(part) for part in parts]
        return lambda values: make(*[build(values) for build in builds])

    def _sequence(self, item):
        builds = [self._visit(part) for part in item]
        if hasattr(item, '_fields'):
            return lambda values: type(item)(*[build(values) for build in builds])
        kind = list if isinstance(item, list) else tuple
        return lambda values: kind([build(values) for build in builds])

    def _mapping(self, item):
        keys, builds = list(item), [self._visit(item[key]) for key in item]
        kind = type(item) if isinstance(item, (dict, collections.OrderedDict)) and \
            not isinstance(item, collections.defaultdict) else dict
        return lambda values: kind((key, build(values)) for key, build in zip(keys, builds))


class _Run:
    """A fetch structure with its feeds, resolved: run it with values for the feeds."""
    __slots__ = ('plan', 'build', 'order', 'feeds', 'structure', 'idle')

    def __init__(self, structure, feeds):
        fed = set(feeds)
        tensors = [leaf for leaf in structure.leaves if isinstance(leaf, Tensor)]
        targets = [leaf for leaf in structure.leaves if not isinstance(leaf, Tensor)]
        computed = [tensor for tensor in tensors if tensor not in fed]
        self.plan = _native.plan_new(feeds, computed, targets)
        self.idle = not computed and not targets  # all that is fetched is fed
        self.build, self.feeds, self.structure = structure.build, feeds, structure
        where = {tensor: i for i, tensor in enumerate(computed)}
        given = {tensor: -1 - i for i, tensor in enumerate(feeds)}
        self.order = [where.get(leaf, given.get(leaf, 0)) if isinstance(leaf, Tensor) else None
                      for leaf in structure.leaves]
        if all(at == i for i, at in enumerate(self.order)):
            self.order = None

    def arrange(self, values, fed):
        if self.order is None:
            return self.build(values)
        return self.build([None if at is None else values[at] if at >= 0 else fed[-1 - at] for at in self.order])


# ---- feeds ----

def _integer_fits(kind, value):
    try:
        return kind(value) == value
    except OverflowError:
        return False


def _check_feed(tensor, value, graph):
    if isinstance(value, Tensor):
        raise TypeError('The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python scalars, '
                        'strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was %s which '
                        'was passed to the feed with key %s.' % (value, tensor))
    dtype = tensor._dtype
    if isinstance(value, int) and not isinstance(value, bool) and dtype.base_dtype != dtypes.string and \
            not _integer_fits(dtype.as_numpy_dtype, value):
        raise TypeError('Type of feed value %s with type %s is not compatible with Tensor type %s. Try explicitly setting '
                        'the type of the feed tensor to a larger type (e.g. int64).' % (value, type(value), dtype.as_numpy_dtype))


def _feed_array(tensor, value, graph):
    """The array of a feed, checked against the tensor's dtype and shape."""
    kind = tensor._dtype.as_numpy_dtype
    if type(value) is np.ndarray and value.dtype.type is kind and value.dtype.isnative and kind is not np.object_:
        array = value if value.flags.c_contiguous else np.ascontiguousarray(value)
    else:
        _check_feed(tensor, value, graph)
        array = dtypes.bfloat16_bits(value) if tensor._dtype.base_dtype == dtypes.bfloat16 else np.asarray(value, dtype=kind)
        if not array.flags.c_contiguous:
            array = np.ascontiguousarray(array).reshape(array.shape)
    shape = tensor._shape
    if shape is not None and array.shape != shape:
        if not TensorShape._of(shape).is_compatible_with(array.shape):
            raise ValueError('Cannot feed value of shape %r for Tensor %r, which has shape %r' %
                             (array.shape, tensor.name, str(tensor.get_shape())))
    if graph._unfeedable and not graph.is_feedable(tensor):
        raise ValueError('Tensor %s may not be fed.' % tensor)
    return array


def _expand_feed(graph, key, value):
    """(tensor, value) pairs of one entry of a feed_dict."""
    if isinstance(key, Tensor):
        return [(key, value)]
    if isinstance(key, SparseTensor):
        return list(zip([key.indices, key.values, key.dense_shape], value))  # a shape that is constant is not given
    if isinstance(key, IndexedSlices):
        parts = [key.values, key.indices] + ([] if key.dense_shape is None else [key.dense_shape])
        return list(zip(parts, value))
    if isinstance(key, tuple):
        return [pair for part, item in zip(key, value) for pair in _expand_feed(graph, part, item)]
    for kind, _, feed, _ in _expansions:
        if isinstance(key, kind) and feed is not None:
            return list(feed(key, value))
    return [(key, value)]


def _feed_pairs(graph, feed_dict):
    pairs = []
    for key, value in feed_dict.items():
        if type(key) is Tensor and key._op._graph is graph:
            pairs.append((key, value))
            continue
        for part, item in _expand_feed(graph, key, value):
            try:
                tensor = graph.as_graph_element(part, allow_tensor=True, allow_operation=False)
            except (TypeError, ValueError, KeyError) as error:
                raise TypeError('Cannot interpret feed_dict key as Tensor: ' + str(error.args[0] if error.args else error)) from None
            pairs.append((tensor, item))
    return pairs


# ---- sessions ----

_SOFT_PLACEMENT = b'\x38\x01'  # field 7 of ConfigProto


def _config_bytes(config):
    data = b'' if config is None else config.SerializeToString()
    return data + _SOFT_PLACEMENT if hook.soft_placement else data


_NODE = re.compile(r'\[\[\{\{node ([^}]*)\}\}')


_PLAIN = frozenset([dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.bool, dtypes.uint8, dtypes.int8,
                    dtypes.int16, dtypes.float16])  # whose arrays have a dtype object that is the same everywhere


def _is_leaf(item):
    return isinstance(item, (Tensor, Operation)) or hasattr(item, '_as_graph_element')


class _DeviceAttributes:
    """A device of a session."""

    def __init__(self, name, device_type, memory_limit_bytes, incarnation):
        from .device import canonical
        self._row = canonical(name), device_type, memory_limit_bytes, incarnation

    name = property(lambda self: self._row[0])
    device_type = property(lambda self: self._row[1])
    memory_limit_bytes = property(lambda self: self._row[2])
    incarnation = property(lambda self: self._row[3])

    def __repr__(self):
        return '_DeviceAttributes(%s, %s, %d, %d)' % self._row


class BaseSession(_native.Runner):
    """A session on a graph, in this process or on a server. Its method run is the extension's (native/known.c)."""

    def __init__(self, target='', graph=None, config=None):
        self._graph = get_default_graph() if graph is None else graph
        if not hasattr(self._graph, '_add_node'):
            raise TypeError('graph must be a tf.Graph, but got %s' % type(graph))
        if target is None:
            target = ''
        if not isinstance(target, (str, bytes)):
            raise TypeError('target must be a string, but got %s' % type(target))
        if config is not None and not hasattr(config, 'SerializeToString'):
            raise TypeError('config must be a tf.ConfigProto, but got %s' % type(config))
        self._target = target.decode() if isinstance(target, bytes) else target
        self._config = config
        self._closed, self._runs = False, {}
        self._session = _native.session_new(self._graph._native, self._target, _config_bytes(config))
        self._known = _native.known_new(self._session)
        _native.runner_set(self, self._known, self._graph._unfeedable)
        self._lock = threading.Lock()

    @property
    def graph(self):
        return self._graph

    @property
    def graph_def(self):
        return self._graph.as_graph_def()

    @property
    def sess_str(self):
        return self._target

    def list_devices(self):
        return [_DeviceAttributes(*item) for item in _native.list_devices(self._session)]

    def _make_callable_from_options(self, callable_options):
        """A function of the values of the options' feeds, which gives what they fetch; feeds, fetches and targets are names."""
        feeds, fetches = list(callable_options.feed), list(callable_options.fetch)
        wanted = fetches + list(callable_options.target)
        options = callable_options.run_options if callable_options.HasField('run_options') else None

        def call(*args, run_metadata=None):
            return self.run(wanted, dict(zip(feeds, args)), options, run_metadata)[:len(fetches)]
        return call

    def close(self):
        if not self._closed:
            self._closed = True
            _native.runner_set(self, None, None)
            _native.session_close(self._session)

    def as_default(self):
        return _default_sessions.use(self)

    def _resolved(self, fetches, feeds):
        """The _Run of a fetch structure, kept for the next time when the structure can be a key."""
        key = _key(fetches)
        try:
            found = self._runs.get((key, feeds))
        except TypeError:
            return _Run(_Fetches(self, fetches), feeds)
        if found is None:
            found = _Run(_Fetches(self, fetches), feeds)
            self._runs[key, feeds] = found
            self._remember(fetches, feeds, found)
        return found

    def _remember(self, fetches, feeds, resolved):
        """Lets run find a flat structure of tensors and operations, fed with numbers, by their identity."""
        kind = type(fetches) if type(fetches) in (list, tuple) else None
        items = tuple(fetches) if kind else (fetches,)
        if resolved.idle or not resolved.structure.plain or self._graph._unfeedable or \
                not all(_is_leaf(item) for item in items) or any(tensor._dtype.base_dtype not in _PLAIN for tensor in feeds):
            return
        order = resolved.order or range(len(resolved.structure.leaves))
        where = dict(zip(resolved.structure.leaves, order))
        places = [where[element] for element in resolved.structure.visited]
        if all(at is None or at >= 0 for at in places):
            rows = tuple((tensor, np.dtype(tensor._dtype.as_numpy_dtype), tensor._shape) for tensor in feeds)
            _native.known_add(self._known, kind, items, tuple(-1 if at is None else at for at in places), rows, resolved.plan)

    def _values(self, feed_dict):
        """The tensors fed, and their arrays."""
        if type(feed_dict) is not dict and not isinstance(feed_dict, collections.abc.Mapping):
            raise TypeError('`feed_dict` must be a dictionary, but got %s' % type(feed_dict))
        graph = self._graph
        pairs = _feed_pairs(graph, feed_dict)
        return tuple(tensor for tensor, _ in pairs), [_feed_array(tensor, value, graph) for tensor, value in pairs]

    def _run_unknown(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """What run does with a call that the extension does not know."""
        if self._closed:
            raise RuntimeError('Attempted to use a closed Session.')
        try:
            return self._run(fetches, feed_dict, options, run_metadata)
        except errors.OpError as error:
            self._name_failure(error)
            raise

    def _run(self, fetches, feed_dict, options, run_metadata):
        if not self._graph._last_id and not self._graph.get_operations():
            raise RuntimeError('The Session graph is empty.  Add operations to the graph before calling run().')
        feeds, arrays = self._values(feed_dict) if feed_dict else ((), ())
        resolved = self._resolved(fetches, feeds)
        if resolved.idle:
            return resolved.arrange([], arrays)
        values = _native.run(self._session, resolved.plan, _native_values(feeds, arrays),
                             None if options is None else options.SerializeToString(), run_metadata is not None)
        if run_metadata is not None:
            values, data = values
            run_metadata.ParseFromString(data)
        return resolved.arrange(values, arrays)

    def _name_failure(self, error):
        """Says which operation failed, when the status names one of this graph."""
        found = _NODE.search(error.message) if isinstance(error, errors.OpError) else None
        op = self._graph._by_name.get(found.group(1)) if found else None
        if op is not None:
            error._op, error._node_def = op, op.node_def

    def partial_run_setup(self, fetches, feeds=None):
        structure = _Fetches(self, fetches)
        tensors = []
        for item in feeds or []:
            tensors += [self._graph.as_graph_element(part, True, False) for part, _ in
                        _expand_feed(self._graph, item, (None,) * 3)]
        resolved = _Run(structure, ())
        resolved.plan = _native.plan_new(tensors, [t for t in structure.leaves if isinstance(t, Tensor)],
                                         [t for t in structure.leaves if not isinstance(t, Tensor)])
        return _native.partial_setup(self._session, resolved.plan)

    def partial_run(self, handle, fetches, feed_dict=None):
        feeds, arrays = self._values(feed_dict) if feed_dict else ((), ())
        resolved = _Run(_Fetches(self, fetches), feeds)
        if not resolved.structure.leaves and not feeds:
            return resolved.arrange([], arrays)
        values = _native.partial_run(self._session, resolved.plan, _native_values(feeds, arrays), handle)
        return resolved.arrange(values, arrays)

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        if feed_list is not None and not isinstance(feed_list, (list, tuple)):
            raise TypeError('`feed_list` must be a list or tuple.')
        graph = self._graph
        feeds = tuple(graph.as_graph_element(item, True, False) for item in feed_list or ())
        resolved = _Run(_Fetches(self, fetches), feeds)

        def call(*values, **kwargs):
            if len(values) != len(feeds):
                raise TypeError('The callable takes %d values, not %d' % (len(feeds), len(values)))
            if kwargs:
                return self.run(fetches, dict(zip(feeds, values)), kwargs.get('options'), kwargs.get('run_metadata'))
            arrays = [_feed_array(tensor, value, graph) for tensor, value in zip(feeds, values)]
            if resolved.idle:
                return resolved.arrange([], arrays)
            got = _native.run(self._session, resolved.plan, _native_values(feeds, arrays), None, False)
            return resolved.arrange(got, arrays)
        return call


def _key(fetches):
    """A structure of fetches as what a dictionary can be asked for: lists and dictionaries become tuples."""
    kind = type(fetches)
    if kind is list or kind is tuple:
        return (kind,) + tuple([_key(item) for item in fetches])
    if kind is dict:
        return (kind,) + tuple(fetches) + tuple([_key(item) for item in fetches.values()])
    return fetches


def _native_values(feeds, arrays):
    return [array if array.dtype.kind != 'O' else feed_value(array, tensor._dtype.base_dtype)
            for tensor, array in zip(feeds, arrays)]


class Session(BaseSession):
    """A session; as a block it is the default session, and closed at the end."""

    def __init__(self, target='', graph=None, config=None):
        super().__init__(target, graph, config)
        self._blocks = []

    def __enter__(self):
        if self._blocks and type(self) is Session:
            raise RuntimeError('Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter a '
                               'session multiple times.')
        graph, session = self._graph.as_default(), self.as_default()
        graph.__enter__()
        session.__enter__()
        self._blocks.append((graph, session))
        return self

    def __exit__(self, *details):
        graph, session = self._blocks.pop()
        session.__exit__(None, None, None)
        graph.__exit__(None, None, None)
        if not self._blocks:
            self.close()

    @staticmethod
    def reset(target, containers=None, config=None):
        _native.reset(target or '', b'' if config is None else config.SerializeToString(), list(containers or []))


class InteractiveSession(BaseSession):
    """A session that is the default one from the start."""
    _count = 0

    def __init__(self, target='', graph=None, config=None):
        super().__init__(target, graph, config)
        if InteractiveSession._count:
            import warnings
            warnings.warn('An interactive session is already active. This can cause out-of-memory errors in some cases. You must '
                          'explicitly call `InteractiveSession.close()` to release resources held by the other session(s).')
        InteractiveSession._count += 1
        self._default = _default_sessions.use(self, nested=False)
        self._default.__enter__()
        self._default_graph = None
        if graph is not None:
            self._default_graph = graph.as_default()
            self._default_graph.__enter__()

    def close(self):
        InteractiveSession._count -= not self._closed
        super().close()
        if self._default_graph is not None:
            self._default_graph.__exit__(None, None, None)
            self._default_graph = None
        if self._default is not None:
            self._default.__exit__(None, None, None)
            self._default = None
