"""tf.nn.rnn_cell: cells that take inputs and a state and give outputs and the next state."""
import collections
import hashlib

from . import array_ops, control_flow_ops, dtypes, init_ops, math_ops, nest, nn_ops, random_ops
from .clip_ops import clip_by_value
from .convert import constant_value, convert_to_tensor
from .layers_base import Layer
from .partitioned_variables import fixed_size_partitioner
from .scopes import control_dependencies, device, name_scope
from .shapes import TensorShape, as_shape
from .tensor import Tensor
from .variable_scope import get_variable_scope, variable_scope
from .shown import shows

_KERNEL, _BIAS = 'kernel', 'bias'
_WEIGHTS_VARIABLE_NAME, _BIAS_VARIABLE_NAME = _KERNEL, _BIAS  # as tensorflow.python has them
ASSERT_LIKE_RNNCELL_ERROR_REGEXP = 'is not an RNNCell'


def _build_pattern(instance, input_shape):
    """The arguments of a layer's `build`."""


def _concat(prefix, suffix, static=False):
    """The shape of `prefix` before `suffix`: a list where all is known or `static` is asked, else a tensor."""
    parts = [_part(prefix, static), _part(suffix, static)]
    if static or not any(isinstance(part, Tensor) for part in parts):
        return parts[0] + parts[1]
    return array_ops.concat([part if isinstance(part, Tensor) else convert_to_tensor(part, dtypes.int32) for part in parts], 0)


def _part(value, static):
    if isinstance(value, Tensor):
        known = constant_value(value)
        if known is not None:
            return [int(item) for item in known.ravel()]
        if static:
            return [None] * (1 if value.get_shape().ndims == 0 else value.get_shape().as_list()[0])
        return array_ops.expand_dims(value, 0) if value.get_shape().ndims == 0 else value
    dims = as_shape(value).as_list() if not isinstance(value, int) else [value]
    if not static and None in dims:
        raise ValueError('prefix and suffix must be known: %s' % (dims,))
    return dims


def _zero_state_tensors(state_size, batch_size, dtype):
    """Zeros for every part of a state."""
    def zeros(size):
        made = array_ops.zeros(_concat(batch_size, size), dtype=dtype)
        made.set_shape(_concat(batch_size, size, static=True))
        return made
    return nest.map_structure(zeros, state_size)


def _check_rnn_cell_input_dtypes(inputs):
    for tensor in nest.flatten(inputs):
        if not tensor.dtype.is_floating:
            raise ValueError('RNN cell only supports floating point inputs, but saw dtype: %s' % tensor.dtype)


def assert_like_rnncell(cell_name, cell):
    missing = [word for word in ('output_size', 'state_size') if not hasattr(cell, word)]
    if not (hasattr(cell, 'zero_state') or hasattr(cell, 'get_initial_state')):
        missing.append('zero_state')
    if not callable(cell):
        missing.append('__call__')
    if missing:
        raise TypeError('The argument %r (%s) is not an RNNCell: %s is missing.' % (cell_name, cell, ', '.join(missing)))


def _like_rnncell(cell):
    return hasattr(cell, 'output_size') and hasattr(cell, 'state_size') and hasattr(cell, 'zero_state') and callable(cell)


class RNNCell(Layer):
    """One step of a recurrent network: outputs, state = cell(inputs, state)."""

    def __init__(self, trainable=True, name=None, dtype=None, **kwargs):
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)

    def __call__(self, inputs, state, scope=None):
        if '_base_name' not in self.__dict__:
            Layer.__init__(self)
        outer = get_variable_scope() if scope is None else scope
        if scope is not None:
            with variable_scope(scope, custom_getter=self._note_variable) as scope:
                return super().__call__(inputs, state, scope=scope)
        with variable_scope(outer, custom_getter=self._note_variable):
            return super().__call__(inputs, state)

    def _note_variable(self, getter, *args, **kwargs):
        """Variables that `call` makes are the cell's weights."""
        made = getter(*args, **kwargs)
        trained = kwargs.get('trainable', True)
        for part in made if hasattr(made, '__iter__') and not hasattr(made, 'op') else [made]:
            if not any(part is found for found, _ in self._weir_weights):
                self._weir_weights.append((part, trained))
        return made

    @property
    def state_size(self):
        raise NotImplementedError('Abstract method')

    @property
    def output_size(self):
        raise NotImplementedError('Abstract method')

    def build(self, _):
        pass

    def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
        if inputs is not None:
            inputs = convert_to_tensor(inputs)
            batch_size, dtype = array_ops.shape(inputs)[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError('batch_size and dtype cannot be None while constructing initial state: batch_size=%s, dtype=%s' %
                             (batch_size, dtype))
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + 'ZeroState', values=[batch_size]):
            return _zero_state_tensors(self.state_size, batch_size, dtype)

    def get_config(self):
        return {'name': self.name, 'trainable': self.trainable}


class LayerRNNCell(RNNCell):
    """A cell whose variables are made by `build`, as a layer's are."""

    def __call__(self, inputs, state, scope=None, *args, **kwargs):
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)


def _input_depth(shape):
    depth = as_shape(shape).as_list()[-1]
    if depth is None:
        raise ValueError('Expected inputs.shape[-1] to be known, saw shape: %s' % (shape,))
    return depth


def _activation(activation):
    if activation is None:
        return math_ops.tanh
    if isinstance(activation, str):
        return getattr(nn_ops, activation, None) or getattr(math_ops, activation)
    return activation


class BasicRNNCell(LayerRNNCell):
    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self._num_units, self._activation = num_units, _activation(activation)

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    @shows(_build_pattern)
    def build(self, inputs_shape):
        depth = _input_depth(inputs_shape)
        self._kernel = self.add_variable(_KERNEL, shape=[depth + self._num_units, self._num_units])
        self._bias = self.add_variable(_BIAS, shape=[self._num_units], initializer=init_ops.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        _check_rnn_cell_input_dtypes([inputs, state])
        sums = math_ops.matmul(array_ops.concat([inputs, state], 1), self._kernel)
        output = self._activation(nn_ops.bias_add(sums, self._bias))
        return output, output


class GRUCell(LayerRNNCell):
    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None,
                 dtype=None, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self._num_units, self._activation = num_units, _activation(activation)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    @shows(_build_pattern)
    def build(self, inputs_shape):
        units, rows = self._num_units, _input_depth(inputs_shape) + self._num_units
        bias = self._bias_initializer
        self._gate_kernel = self.add_variable('gates/' + _KERNEL, shape=[rows, 2 * units], initializer=self._kernel_initializer)
        self._gate_bias = self.add_variable(
            'gates/' + _BIAS, shape=[2 * units],
            initializer=bias if bias is not None else init_ops.constant_initializer(1.0, dtype=self.dtype))
        self._candidate_kernel = self.add_variable('candidate/' + _KERNEL, shape=[rows, units],
                                                   initializer=self._kernel_initializer)
        self._candidate_bias = self.add_variable(
            'candidate/' + _BIAS, shape=[units],
            initializer=bias if bias is not None else init_ops.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        _check_rnn_cell_input_dtypes([inputs, state])
        gates = nn_ops.bias_add(math_ops.matmul(array_ops.concat([inputs, state], 1), self._gate_kernel), self._gate_bias)
        reset, update = array_ops.split(value=math_ops.sigmoid(gates), num_or_size_splits=2, axis=1)
        candidate = math_ops.matmul(array_ops.concat([inputs, reset * state], 1), self._candidate_kernel)
        candidate = self._activation(nn_ops.bias_add(candidate, self._candidate_bias))
        output = update * state + (1 - update) * candidate
        return output, output


class LSTMStateTuple(collections.namedtuple('LSTMStateTuple', ('c', 'h'))):
    __slots__ = ()

    @property
    def dtype(self):
        if self.c.dtype != self.h.dtype:
            raise TypeError('Inconsistent internal state: %s vs %s' % (self.c.dtype, self.h.dtype))
        return self.c.dtype


class BasicLSTMCell(LayerRNNCell):
    def __init__(self, num_units, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None, name=None, dtype=None,
                 **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self._num_units, self._forget_bias = num_units, forget_bias
        self._state_is_tuple, self._activation = state_is_tuple, _activation(activation)

    output_size = property(lambda self: self._num_units)

    @property
    def state_size(self):
        return LSTMStateTuple(self._num_units, self._num_units) if self._state_is_tuple else 2 * self._num_units

    @shows(_build_pattern)
    def build(self, inputs_shape):
        units, depth = self._num_units, _input_depth(inputs_shape)
        self._kernel = self.add_variable(_KERNEL, shape=[depth + units, 4 * units])
        self._bias = self.add_variable(_BIAS, shape=[4 * units], initializer=init_ops.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        _check_rnn_cell_input_dtypes([inputs, state])
        c, h = state if self._state_is_tuple else array_ops.split(value=state, num_or_size_splits=2, axis=1)
        sums = nn_ops.bias_add(math_ops.matmul(array_ops.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = array_ops.split(value=sums, num_or_size_splits=4, axis=1)
        bias = convert_to_tensor(self._forget_bias, dtype=f.dtype)
        new_c = math_ops.add(math_ops.multiply(c, math_ops.sigmoid(math_ops.add(f, bias))),
                             math_ops.multiply(math_ops.sigmoid(i), self._activation(j)))
        new_h = math_ops.multiply(self._activation(new_c), math_ops.sigmoid(o))
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else array_ops.concat([new_c, new_h], 1)


class LSTMCell(LayerRNNCell):
    """With peepholes, clipping and a projection where they are asked for."""

    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None,
                 num_unit_shards=None, num_proj_shards=None, forget_bias=1.0, state_is_tuple=True, activation=None, reuse=None,
                 name=None, dtype=None, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_proj, self._proj_clip = initializer, num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        self._activation = _activation(activation)

    output_size = property(lambda self: self._num_proj or self._num_units)

    @property
    def state_size(self):
        output = self.output_size
        return LSTMStateTuple(self._num_units, output) if self._state_is_tuple else self._num_units + output

    @shows(_build_pattern)
    def build(self, inputs_shape):
        units, depth = self._num_units, _input_depth(inputs_shape)
        shards = fixed_size_partitioner(self._num_unit_shards) if self._num_unit_shards is not None else None
        self._kernel = self.add_variable(_KERNEL, shape=[depth + self.output_size, 4 * units], initializer=self._initializer,
                                         partitioner=shards)
        self._bias = self.add_variable(_BIAS, shape=[4 * units], initializer=init_ops.zeros_initializer(
            dtype=self.dtype or dtypes.float32))
        if self._use_peepholes:
            self._diagonals = [self.add_variable('w_%s_diag' % gate, shape=[units], initializer=self._initializer)
                               for gate in 'fio']
        if self._num_proj is not None:
            shards = fixed_size_partitioner(self._num_proj_shards) if self._num_proj_shards is not None else None
            self._projection = self.add_variable('projection/' + _KERNEL, shape=[units, self._num_proj],
                                                 initializer=self._initializer, partitioner=shards)
        self.built = True

    def _peep(self, gate, c):
        return self._diagonals[gate] * c if self._use_peepholes else None

    @staticmethod
    def _gate(value, peep):
        return math_ops.sigmoid(value if peep is None else value + peep)

    def call(self, inputs, state):
        _check_rnn_cell_input_dtypes([inputs, state])
        if self._state_is_tuple:
            c, h = state
        else:
            c = array_ops.slice(state, [0, 0], [-1, self._num_units])
            h = array_ops.slice(state, [0, self._num_units], [-1, self.output_size])
        sums = nn_ops.bias_add(math_ops.matmul(array_ops.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = array_ops.split(value=sums, num_or_size_splits=4, axis=1)
        new_c = self._gate(f + self._forget_bias, self._peep(0, c)) * c + \
            self._gate(i, self._peep(1, c)) * self._activation(j)
        if self._cell_clip is not None:
            new_c = clip_by_value(new_c, -self._cell_clip, self._cell_clip)
        new_h = self._gate(o, self._peep(2, new_c)) * self._activation(new_c)
        if self._num_proj is not None:
            new_h = math_ops.matmul(new_h, self._projection)
            if self._proj_clip is not None:
                new_h = clip_by_value(new_h, -self._proj_clip, self._proj_clip)
        return new_h, LSTMStateTuple(new_c, new_h) if self._state_is_tuple else array_ops.concat([new_c, new_h], 1)


# ---- wrappers ----

class _Wrapper(RNNCell):
    """A cell around another one, without a scope of its own."""

    def __init__(self, cell, *args, **kwargs):
        super().__init__(*args, **kwargs)
        assert_like_rnncell('cell', cell)
        self.cell = cell

    wrapped_cell = property(lambda self: self.cell)
    state_size = property(lambda self: self.cell.state_size)
    output_size = property(lambda self: self.cell.output_size)
    weights = property(lambda self: self.cell.weights)
    variables = property(lambda self: self.cell.variables)
    trainable_weights = property(lambda self: self.cell.trainable_weights)
    trainable_variables = property(lambda self: self.cell.trainable_variables)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + 'ZeroState', values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def __call__(self, inputs, state, scope=None):
        return self._wrapped(inputs, state, lambda i, s: self.cell(i, s, scope=scope) if scope is not None else self.cell(i, s))


def _filter_default(substate):
    """Which parts of a state are dropped: not the memory of an LSTM, nor arrays."""
    if isinstance(substate, LSTMStateTuple):
        return LSTMStateTuple(c=False, h=True)
    return not hasattr(substate, '_with_flow')


class DropoutWrapper(_Wrapper):
    def __init__(self, cell, input_keep_prob=1.0, output_keep_prob=1.0, state_keep_prob=1.0, variational_recurrent=False,
                 input_size=None, dtype=None, seed=None, dropout_state_filter_visitor=None, **kwargs):
        super().__init__(cell, dtype=dtype, **kwargs)
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError('dropout_state_filter_visitor must be callable')
        self._filter = dropout_state_filter_visitor or _filter_default
        self._keep = {'input': self._checked('input', input_keep_prob), 'state': self._checked('state', state_keep_prob),
                      'output': self._checked('output', output_keep_prob)}
        self._variational, self._seed, self._noise = variational_recurrent, seed, {}
        if variational_recurrent:
            self._make_noise(dtype, input_size)

    @staticmethod
    def _checked(kind, probability):
        probability = convert_to_tensor(probability) if isinstance(probability, Tensor) else probability
        known = constant_value(probability) if isinstance(probability, Tensor) else probability
        if known is None or hasattr(probability, 'op'):
            return probability
        if not 0 <= float(known) <= 1:
            raise ValueError('Parameter %s_keep_prob must be between 0 and 1: %f' % (kind, known))
        return float(known)

    def _make_noise(self, dtype, input_size):
        if dtype is None:
            raise ValueError('When variational_recurrent=True, dtype must be provided')
        if input_size is None and self._active('input'):
            raise ValueError('When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be provided')
        sizes = {'input': input_size, 'state': self.cell.state_size, 'output': self.cell.output_size}
        for kind, size in sizes.items():
            if self._active(kind) or kind != 'input' and size is not None:
                self._noise[kind] = [self._uniform(part, self._gen_seed(kind, i), dtype)
                                     for i, part in enumerate(nest.flatten(size))]

    @staticmethod
    def _uniform(size, seed, dtype):
        return random_ops.random_uniform([1] + as_shape(size).as_list(), seed=seed, dtype=dtype)

    def _gen_seed(self, salt_prefix, index):
        if self._seed is None:
            return None
        digest = hashlib.md5(('%s%s_%d' % (self._seed, salt_prefix, index)).encode()).hexdigest()
        return int(digest[:8], 16) & 0x7FFFFFFF

    def _active(self, kind):
        keep = self._keep[kind]
        return not isinstance(keep, float) or keep < 1

    def _dropout(self, values, kind, wanted=None):
        leaves = nest.flatten(values)
        wanted = [True] * len(leaves) if wanted is None else wanted
        out = [self._drop(leaf, kind, i) if go else leaf for i, (leaf, go) in enumerate(zip(leaves, wanted))]
        return nest.pack_sequence_as(values, out)

    def _drop(self, value, kind, index):
        if not isinstance(value, Tensor):
            return value
        if not self._variational:
            return nn_ops.dropout(value, keep_prob=self._keep[kind], seed=self._gen_seed(kind, index))
        keep = self._keep[kind]
        made = math_ops.div(value, keep) * math_ops.floor(keep + self._noise[kind][index])
        made.set_shape(value.get_shape())
        return made

    def _state_filter(self, state):
        """A truth value for each leaf of the state."""
        def visit(part):
            found = self._filter(part)
            if nest.is_sequence(part) and not nest.is_sequence(found):
                return [go for item in (part if not isinstance(part, dict) else [part[k] for k in sorted(part)])
                        for go in visit(item)] if found else [False] * len(nest.flatten(part))
            return [bool(item) for item in nest.flatten(found)]
        return visit(state)

    def _wrapped(self, inputs, state, call):
        if self._active('input'):
            inputs = self._dropout(inputs, 'input')
        output, new_state = call(inputs, state)
        if self._active('state'):
            new_state = self._dropout(new_state, 'state', self._state_filter(new_state))
        if self._active('output'):
            output = self._dropout(output, 'output')
        return output, new_state


class ResidualWrapper(_Wrapper):
    def __init__(self, cell, residual_fn=None, **kwargs):
        super().__init__(cell, **kwargs)
        self._residual_fn = residual_fn

    def _wrapped(self, inputs, state, call):
        outputs, new_state = call(inputs, state)
        if self._residual_fn is not None:
            return self._residual_fn(inputs, outputs), new_state
        nest.assert_same_structure(inputs, outputs)
        for one, other in zip(nest.flatten(inputs), nest.flatten(outputs)):
            one.get_shape().assert_is_compatible_with(other.get_shape())
        return nest.map_structure(lambda one, other: one + other, inputs, outputs), new_state


class DeviceWrapper(_Wrapper):
    def __init__(self, cell, device, **kwargs):
        super().__init__(cell, **kwargs)
        self._device = device

    def zero_state(self, batch_size, dtype):
        with device(self._device):
            return super().zero_state(batch_size, dtype)

    def _wrapped(self, inputs, state, call):
        with device(self._device):
            return call(inputs, state)


class MultiRNNCell(RNNCell):
    """Cells on top of each other."""

    def __init__(self, cells, state_is_tuple=True):
        super().__init__()
        if not cells:
            raise ValueError('Must specify at least one cell for MultiRNNCell.')
        if not nest.is_sequence(cells):
            raise TypeError('cells must be a list or tuple, but saw: %s.' % cells)
        self._cells, self._state_is_tuple = cells, state_is_tuple
        if not state_is_tuple and any(nest.is_sequence(cell.state_size) for cell in cells):
            raise ValueError('Some cells return tuples of states, but the flag state_is_tuple is not set. State sizes are: %s' %
                             [cell.state_size for cell in cells])

    output_size = property(lambda self: self._cells[-1].output_size)

    @property
    def state_size(self):
        sizes = [cell.state_size for cell in self._cells]
        return tuple(sizes) if self._state_is_tuple else sum(sizes)

    @property
    def trainable_weights(self):
        return [w for cell in self._cells if isinstance(cell, Layer) for w in cell.trainable_weights] if self.trainable else []

    @property
    def non_trainable_weights(self):
        cells = [cell for cell in self._cells if isinstance(cell, Layer)]
        found = [w for cell in cells for w in cell.non_trainable_weights]
        return found if self.trainable else [w for cell in cells for w in cell.trainable_weights] + found

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + 'ZeroState', values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return _zero_state_tensors(self.state_size, batch_size, dtype)

    def _part_of(self, state, at, index, cell):
        if not self._state_is_tuple:
            return array_ops.slice(state, [0, at], [-1, cell.state_size]), at + cell.state_size
        if not nest.is_sequence(state):
            raise ValueError('Expected state to be a tuple of length %d, but received: %s' % (len(self.state_size), state))
        return state[index], at

    def call(self, inputs, state):
        at, states, current = 0, [], inputs
        for index, cell in enumerate(self._cells):
            with variable_scope('cell_%d' % index):
                part, at = self._part_of(state, at, index, cell)
                current, part = cell(current, part)
                states.append(part)
        return current, tuple(states) if self._state_is_tuple else array_ops.concat(states, 1)
