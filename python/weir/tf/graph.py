"""Graph: nodes by name, scopes, devices, collections; and the default graph."""
import collections as _collections
import contextlib
import re
import sys
import threading

import numpy as np

from .. import _native
from . import dtypes, errors
from .device import Stack
from .tensor import Operation, Tensor

_NAME = re.compile(r'^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$')
_SCOPE = re.compile(r'^[A-Za-z0-9_.\-/]*$')


def _strings(shape, items):
    if not shape:
        return items[0]
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(shape)


_numpy = sys.modules.get('numpy._core._multiarray_umath') or sys.modules['numpy.core._multiarray_umath']  # of 2 and of 1
_native.setup(errors.of_status, _numpy._ARRAY_API, _strings,
              {number: np.dtype(dtypes._NUMPY[number]) for number in dtypes._NUMPY if number not in (7, 20, 21)})


class _Controller:
    """One `with control_dependencies(...)` block."""

    def __init__(self, graph, inputs):
        self._graph, self.inputs, self._seen = graph, inputs, set()
        self._new_stack = inputs is None
        self._old = None

    def __enter__(self):
        graph = self._graph
        if self._new_stack:
            self._old = graph._controllers, graph._control_flow_context
            graph._controllers, graph._control_flow_context = (), None
        graph._controllers = graph._controllers + (self,)
        return self

    def __exit__(self, *unused):
        graph = self._graph
        if self._new_stack:
            graph._controllers, graph._control_flow_context = self._old
        else:
            graph._controllers = graph._controllers[:-1]

    def covers(self, inputs):
        """True when one of `inputs` was made in this block, and so waits already."""
        seen = self._seen
        return any(tensor._op in seen for tensor in inputs)


_NODE = re.compile(r"for '\{\{node ([^}]*)\}\} = (\w+)\[.*?\]\(.*?\)' with input shapes", re.DOTALL)


def _node_in_words(message):
    """A status of shape inference as TensorFlow 1.15 words it."""
    return _NODE.sub(r"for '\1' (op: '\2') with input shapes", message)


_NOT_ALLOWED = re.compile(r"Value for attr '(\w+)' of (\w+) is not in the list of allowed values: ([\w, ]+)")
_TYPE_WORDS = {'half': 'float16', 'float': 'float32', 'double': 'float64'}


def _refused(op_type, message):
    """What TensorFlow 1.15 raises for a node that the library refuses: a TypeError that names the input when a type is not allowed."""
    found = _NOT_ALLOWED.match(message)
    if found is None:
        return ValueError(_node_in_words(message))
    attr, given, allowed = found.groups()
    from .signatures import find
    names = [arg.name for arg in find(op_type).inputs if arg.attr == attr or arg.list_attr == attr]
    return TypeError("Value passed to parameter '%s' has DataType %s not in list of allowed values: %s" % (
        (names or [attr])[0], _TYPE_WORDS.get(given, given), ', '.join(_TYPE_WORDS.get(word, word) for word in allowed.split(', '))))


class Graph:
    """Nodes and edges, and what the next node gets: a scope, a device, control inputs."""

    def __init__(self):
        self._native = _native.graph_new()
        self._lock = threading.RLock()
        self._by_name, self._by_handle = {}, {}
        self._position = 0
        self._names_in_use, self._name_stack = {}, ''
        self._devices = Stack()
        self._controllers = ()
        self._control_flow_context = None
        self._colocation = ()
        self._attr_scope = {}
        self._gradient_overrides = {}
        self._op_labels = {}
        self._collections = {}
        self._container = ''
        self._seed, self._finalized, self._last_id = None, False, 0
        self._unfeedable, self._unfetchable = set(), set()
        self._functions, self._function_signatures, self._function_gradients = {}, {}, {}
        self._outer_graph = None
        self._building_function = False

    # ---- nodes ----

    def _next_id(self):
        self._last_id += 1
        return self._last_id

    def _op_at(self, handle):
        op = self._by_handle.get(handle)
        if op is None:
            self._adopt()
            op = self._by_handle[handle]
        return op

    def _register(self, op):
        self._by_name[op._name] = op
        self._by_handle[op._handle] = op

    def _adopt(self, place=False):
        """Makes objects for the nodes that the library added; gives them the scopes' device when asked."""
        with self._lock:
            self._position, rows = _native.nodes_since(self._native, self._position)
            made = []
            for handle, name, type_, device, outputs in rows:
                if handle in self._by_handle:
                    continue
                op = Operation._of(self, handle, name, type_, outputs)
                self._register(op)
                self._mark_name(name)
                made.append(op)
            if place and self._devices.entries:
                for op in made:
                    if self._devices.plain is not None and not op.device:
                        op._set_device(self._devices.plain)
                    else:
                        self._devices.place(op)
            return made

    def _mark_name(self, name):
        parts = name.lower().split('/')
        for end in range(1, len(parts) + 1):
            self._names_in_use.setdefault('/'.join(parts[:end]), 1)

    def get_operations(self):
        self._adopt()
        return list(self._by_name.values())

    def _function_signature(self, name):
        return self._function_signatures.get(name)

    def _control_inputs(self, inputs):
        controls = []
        for controller in self._controllers:
            if controller.inputs and not controller.covers(inputs):
                controls.extend(op for op in controller.inputs if op not in controls)
        return controls

    def _add_node(self, op_type, name, inputs, attrs, extra_controls=()):
        """Adds a node whose inputs (tensors, lists of them) are converted and whose name is final."""
        if self._finalized:
            raise RuntimeError('Graph is finalized and cannot be modified.')
        context = self._control_flow_context
        if context is not None:
            inputs = context.capture_inputs(op_type, inputs)
        for item in inputs:
            for tensor in item if type(item) is list or type(item) is tuple else (item,):
                if tensor._op._graph is not self:
                    raise ValueError('%s must be from the same graph as the node %s.' % (tensor, name))
        controls = list(extra_controls)
        if self._controllers:
            flat = [t for item in inputs for t in (item if isinstance(item, (list, tuple)) else (item,))]
            controls += self._control_inputs(flat)
        if context is not None:
            controls = context.capture_controls(op_type, inputs, controls)
        if self._colocation or self._attr_scope or self._gradient_overrides or self._op_labels or self._container:
            attrs = self._scope_attrs(op_type, attrs)
        plain = self._devices.plain
        try:
            handle, outputs = _native.node(self._native, op_type, name, inputs, attrs, plain or '', controls)
        except errors.InvalidArgumentError as error:
            raise _refused(op_type, error.message) from None
        op = Operation._of(self, handle, name, op_type, outputs, context)
        self._by_name[name] = op
        self._by_handle[handle] = op
        self._finish(op, plain, context)
        return op

    def _finish(self, op, plain, context):
        for controller in self._controllers:
            controller._seen.add(op)
        if self._colocation:
            device = self._colocation[-1].device
            if device and not op.device:
                op._set_device(device)
        if plain is None:
            self._devices.place(op)
        if context is not None:
            context.add_op(op)

    def _in_container(self, op_type, attrs):
        """The attrs with the container of the block around, for ops with a state that name none."""
        from .signatures import find
        signature = find(op_type, self)
        if not signature.stateful or 'container' not in signature.kinds or any(row[0] == 'container' and row[2] for row in attrs):
            return attrs
        return [row for row in attrs if row[0] != 'container'] + [('container', 's', self._container)]

    def _scope_attrs(self, op_type, attrs):
        attrs = self._in_container(op_type, list(attrs)) if self._container else list(attrs)
        given = {attr[0] for attr in attrs}
        for name, value in self._attr_scope.items():
            if name not in given:
                value = value(self) if callable(value) else value
                if value is not None:
                    attrs.append((name, 'p', value.SerializeToString()))
        if op_type in self._gradient_overrides:
            attrs.append(('_gradient_op_type', 's', self._gradient_overrides[op_type]))
        if op_type in self._op_labels:
            attrs.append(('_kernel', 's', self._op_labels[op_type]))
        if self._colocation and '_class' not in given:
            groups = sorted({group for op in self._colocation for group in op.colocation_groups()})
            attrs.append(('_class', '[s', groups))
        return attrs

    def create_op(self, op_type, inputs, dtypes=None, input_types=None, name=None, attrs=None, op_def=None,
                  compute_shapes=True, compute_device=True):
        """Adds a node of tensors; `attrs` are AttrValue messages."""
        from .signatures import find
        from .attrs import group_inputs
        with self._lock:
            name = self._op_name(name or op_type)
            rows = [(key, 'p', value.SerializeToString()) for key, value in (attrs or {}).items()]
            signature = find(op_type, self)
            return self._add_node(op_type, name, group_inputs(signature, list(inputs), attrs or {}), rows)

    # ---- names ----

    def _op_name(self, name):
        """The final name of a node: as it is when it ends in a slash."""
        if isinstance(name, bytes):
            name = name.decode()
        if name.endswith('/'):
            return name[:-1]
        return self.unique_name(name)

    def unique_name(self, name, mark_as_used=True):
        if self._name_stack:
            name = self._name_stack + '/' + name
        key = name.lower()
        count = self._names_in_use.get(key, 0)
        if mark_as_used:
            self._names_in_use[key] = count + 1
        if count:
            base = key
            while key in self._names_in_use:
                key = '%s_%d' % (base, count)
                count += 1
            if mark_as_used:
                self._names_in_use[key] = 1
            name = '%s_%d' % (name, count - 1)
        return name

    @contextlib.contextmanager
    def name_scope(self, name):
        if name:
            if not (_SCOPE if self._name_stack else _NAME).match(name):
                raise ValueError("'%s' is not a valid scope name" % name)
        old = self._name_stack
        if not name:
            new = ''
        elif name.endswith('/'):
            new = name[:-1]
        else:
            new = self.unique_name(name)
        self._name_stack = new
        try:
            yield new + '/' if new else ''
        finally:
            self._name_stack = old

    def get_name_scope(self):
        return self._name_stack

    # ---- what the next node gets ----

    @contextlib.contextmanager
    def device(self, device_name_or_function):
        old = self._devices
        self._devices = old.push(device_name_or_function)
        try:
            yield
        finally:
            self._devices = old

    def control_dependencies(self, control_inputs):
        if control_inputs is None:
            return _Controller(self, None)
        ops = []
        for item in control_inputs:
            item = getattr(item, '_control_op', item)
            op = self.as_graph_element(item)
            op = op.op if isinstance(op, Tensor) else op
            if op not in ops:
                ops.append(op)
        return _Controller(self, ops)

    @contextlib.contextmanager
    def colocate_with(self, op, ignore_existing=False):
        if op is None and not ignore_existing:
            raise ValueError('Trying to colocate with None')
        if op is not None and not isinstance(op, Operation):
            op = getattr(op, 'op', None) or self.as_graph_element(op)
        old, devices = self._colocation, self._devices
        if ignore_existing:
            self._colocation = ()
        if op is not None:
            self._colocation = self._colocation + (op,)
        self._devices = Stack()
        try:
            yield
        finally:
            self._colocation, self._devices = old, devices

    @contextlib.contextmanager
    def container(self, container_name):
        old, self._container = self._container, container_name
        try:
            yield self._container
        finally:
            self._container = old

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map):
        yield from self._swap('_gradient_overrides', dict(self._gradient_overrides, **op_type_map))

    @contextlib.contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map):
        yield from self._swap('_op_labels', dict(self._op_labels, **op_to_kernel_label_map))

    @contextlib.contextmanager
    def _attr_scope_of(self, attr_map):
        merged = dict(self._attr_scope)
        for name, value in attr_map.items():
            if value is None:
                merged.pop(name, None)
            else:
                merged[name] = value
        yield from self._swap('_attr_scope', merged)

    def _swap(self, field, value):
        old = getattr(self, field)
        setattr(self, field, value)
        try:
            yield
        finally:
            setattr(self, field, old)

    def _get_control_flow_context(self):
        return self._control_flow_context

    def _set_control_flow_context(self, context):
        self._control_flow_context = context

    # ---- state ----

    @property
    def seed(self):
        return self._seed

    @seed.setter
    def seed(self, seed):
        self._seed = seed

    @property
    def version(self):
        return self._last_id

    @property
    def finalized(self):
        return self._finalized

    @property
    def building_function(self):
        return self._building_function

    def finalize(self):
        self._finalized = True

    def _unsafe_unfinalize(self):
        self._finalized = False

    def _check_not_finalized(self):
        if self._finalized:
            raise RuntimeError('Graph is finalized and cannot be modified.')

    def prevent_feeding(self, tensor):
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor):
        return tensor not in self._unfeedable

    def prevent_fetching(self, op):
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op):
        return (tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op) not in self._unfetchable

    def switch_to_thread_local(self):
        """From now on every thread has scopes of its own."""
        from .thread_state import switch
        switch(self)

    # ---- collections ----

    def add_to_collection(self, name, value):
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names, value):
        for name in (names,) if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name):
        return self._collections.setdefault(name, [])

    def get_collection(self, name, scope=None):
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, 'name') and pattern.match(item.name)]

    def get_all_collection_keys(self):
        return [key for key in self._collections if isinstance(key, str)]

    @property
    def collections(self):
        return self.get_all_collection_keys()

    def clear_collection(self, name):
        self._check_not_finalized()
        self._collections.pop(name, None)

    # ---- finding ----

    def as_graph_element(self, obj, allow_tensor=True, allow_operation=True):
        convert = getattr(obj, '_as_graph_element', None)
        if convert is not None and callable(convert):
            obj = convert()
        if isinstance(obj, (str, bytes)):
            return self._named(obj if isinstance(obj, str) else obj.decode(), allow_tensor, allow_operation)
        wanted = ' or '.join((['Tensor'] if allow_tensor else []) + (['Operation'] if allow_operation else []))
        if isinstance(obj, Tensor) and allow_tensor or isinstance(obj, Operation) and allow_operation:
            if obj.graph is not self:
                kind = 'Tensor' if isinstance(obj, Tensor) else 'Operation'
                raise ValueError('%s %s is not an element of this graph.' % (kind, obj))
            return obj
        raise TypeError('Can not convert a %s into a %s.' % (type(obj).__name__, wanted))

    def _named(self, name, allow_tensor, allow_operation):
        if ':' in name and allow_tensor:
            op_name, _, index = name.partition(':')
            op = self._find_op(op_name)
            if op is None:
                raise KeyError('The name %r refers to a Tensor which does not exist. The operation, %r, does not exist '
                               'in the graph.' % (name, op_name))
            if not index.isdigit():
                raise ValueError('The name %r looks a like a Tensor name, but is not a valid one. Tensor names must be '
                                 'of the form "<op_name>:<output_index>".' % name)
            if int(index) >= len(op.outputs):
                raise KeyError('The name %r refers to a Tensor which does not exist. The operation, %r, exists but only '
                               'has %d outputs.' % (name, op_name, len(op.outputs)))
            return op.outputs[int(index)]
        if ':' in name:
            raise ValueError('Name %r appears to refer to a Tensor, not a Operation.' % name)
        op = self._find_op(name) if allow_operation else None
        if op is not None:
            return op
        if not allow_operation:
            if self._find_op(name) is not None:
                raise ValueError('The name %r refers to an Operation, not a Tensor. Tensor names must be of the form '
                                 '"<op_name>:<output_index>".' % name)
            raise ValueError('The name %r looks like an (invalid) Operation name, not a Tensor. Tensor names must be of '
                             'the form "<op_name>:<output_index>".' % name)
        raise KeyError('The name %r refers to an Operation not in the graph.' % name)

    def _find_op(self, name):
        op = self._by_name.get(name)
        if op is None:
            self._adopt()
            op = self._by_name.get(name)
        return op

    def get_operation_by_name(self, name):
        if not isinstance(name, str):
            raise TypeError('Operation names are strings (or similar), not %s.' % type(name).__name__)
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name):
        if not isinstance(name, str):
            raise TypeError('Tensor names are strings (or similar), not %s.' % type(name).__name__)
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    # ---- the whole ----

    def as_graph_def(self, from_version=None, add_shapes=False):
        from .graph_bytes import graph_bytes
        from .messages import GraphDef
        made = GraphDef.FromString(graph_bytes(self, add_shapes))
        if not made.library.function and not made.library.gradient:
            made.ClearField('library')
        return made

    @property
    def graph_def_versions(self):
        return self.as_graph_def().versions

    def as_default(self):
        return _default_graphs.use(self)

    def __repr__(self):
        return '<weir.tf.Graph with %d operations>' % len(self._by_name)


class DefaultStack(threading.local):
    """What `with x.as_default()` blocks made the default, in each thread."""

    def __init__(self):
        super().__init__()
        self.stack = []

    def top(self):
        return self.stack[-1] if self.stack else None

    @contextlib.contextmanager
    def use(self, item, nested=True):
        self.stack.append(item)
        try:
            yield item
        finally:
            if nested and item in self.stack:
                if self.stack[-1] is not item:
                    raise AssertionError('Nesting violated for default stack of %s objects' % type(item))
                self.stack.pop()
            elif item in self.stack:
                self.stack.remove(item)

    def reset(self):
        self.stack = []

    def is_cleared(self):
        return not self.stack


_default_graphs = DefaultStack()
_global_graph = None


def get_default_graph():
    stack = _default_graphs.stack
    if stack:
        return stack[-1]
    global _global_graph
    if _global_graph is None:
        _global_graph = Graph()
    return _global_graph


def reset_default_graph():
    global _global_graph
    if _default_graphs.stack:
        raise AssertionError('Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared graph, '
                             'exit the nesting and create a new graph.')
    _global_graph = Graph()


def has_default_graph():
    return bool(_default_graphs.stack)


def results(op):
    """The outputs of an op that has several, by name; those that are lists as lists."""
    from .signatures import find
    signature = find(op._type, op._graph)
    if signature.result is None:
        names = [arg.name + '_' if arg.name in ('count', 'index') else arg.name for arg in signature.outputs]
        signature.result = _collections.namedtuple(op._type.lstrip('_'), names, rename=True)
    if not any(arg.is_list for arg in signature.outputs):
        return signature.result(*op._outputs)
    values, at = [], 0
    for arg in signature.outputs:
        if not arg.is_list:
            values.append(op._outputs[at])
            at += 1
            continue
        size = op.get_attr(arg.number) if arg.number else len(op.get_attr(arg.list_attr))
        values.append(op._outputs[at:at + size])
        at += size
    return signature.result(*values)


from .build import apply  # noqa: E402  (it needs Graph)
