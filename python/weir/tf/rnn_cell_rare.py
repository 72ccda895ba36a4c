"""tf.contrib.rnn: cells that few programs use."""
import math

from . import array_ops, dtypes, init_ops, math_ops, nn_ops, random_ops
from .clip_ops import clip_by_value
from .rnn_cell import LayerRNNCell, LSTMStateTuple, RNNCell, _activation, _input_depth
from .rnn_cell_more import _Linear
from .shapes import as_shape
from .variable_scope import get_variable, get_variable_scope, variable_scope


def _initializer(given):
    """An initializer, a name of one, or None."""
    if not isinstance(given, str):
        return given
    return {'glorot_uniform': init_ops.GlorotUniform, 'glorot_normal': init_ops.GlorotNormal, 'zeros': init_ops.Zeros,
            'ones': init_ops.Ones, 'orthogonal': init_ops.Orthogonal}[given]()


class _OneSize(LayerRNNCell):
    """A cell whose state is its output."""

    def __init__(self, num_units, activation, reuse, name, dtype, **kwargs):
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self._num_units, self._activation = num_units, _activation(activation)

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def _recurrent(self, name, columns):
        """Weights that multiply each unit's own state."""
        return self.add_variable(name, shape=[1, columns],
                                 initializer=init_ops.random_uniform_initializer(-1, 1, dtype=self.dtype))


class IndRNNCell(_OneSize):
    """Units that see no other unit's state."""

    def __init__(self, num_units, activation=None, reuse=None, name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)

    def build(self, inputs_shape):
        units = self._num_units
        self._kernel_w = self.add_variable('kernel_w', shape=[_input_depth(inputs_shape), units])
        self._kernel_u = self._recurrent('kernel_u', units)
        self._bias = self.add_variable('bias', shape=[units], initializer=init_ops.zeros_initializer(dtype=self.dtype))
        self.built = True

    def call(self, inputs, state):
        sums = math_ops.matmul(inputs, self._kernel_w) + state * self._kernel_u
        output = self._activation(nn_ops.bias_add(sums, self._bias))
        return output, output


class IndyGRUCell(_OneSize):
    """A GRU whose units see no other unit's state."""

    def __init__(self, num_units, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None, name=None,
                 dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    def _variables(self, scope, depth, columns, bias):
        kernel = self.add_variable(scope + '/kernel_w', shape=[depth, columns], initializer=self._kernel_initializer)
        own = self._recurrent(scope + '/kernel_u', columns)
        initializer = init_ops.constant_initializer(bias, dtype=self.dtype) if self._bias_initializer is None else self._bias_initializer
        return kernel, own, self.add_variable(scope + '/bias', shape=[columns], initializer=initializer)

    def build(self, inputs_shape):
        depth = _input_depth(inputs_shape)
        self._gates = self._variables('gates', depth, 2 * self._num_units, 1.0)
        self._candidate = self._variables('candidate', depth, self._num_units, 0.0)
        self.built = True

    def call(self, inputs, state):
        kernel, own, bias = self._gates
        gates = math_ops.matmul(inputs, kernel) + array_ops.tile(state, [1, 2]) * own
        reset, update = array_ops.split(math_ops.sigmoid(nn_ops.bias_add(gates, bias)), 2, axis=1)
        kernel, own, bias = self._candidate
        candidate = math_ops.matmul(inputs, kernel) + reset * state * own
        output = update * state + (1 - update) * self._activation(nn_ops.bias_add(candidate, bias))
        return output, output


class IndyLSTMCell(_OneSize):
    """An LSTM whose units see no other unit's output."""

    def __init__(self, num_units, forget_bias=1.0, activation=None, reuse=None, kernel_initializer=None, bias_initializer=None,
                 name=None, dtype=None):
        super().__init__(num_units, activation, reuse, name, dtype)
        self._forget_bias = forget_bias
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))

    def build(self, inputs_shape):
        columns = 4 * self._num_units
        self._kernel_w = self.add_variable('kernel_w', shape=[_input_depth(inputs_shape), columns],
                                           initializer=self._kernel_initializer)
        self._kernel_u = self._recurrent('kernel_u', columns)
        bias = self._bias_initializer
        self._bias = self.add_variable('bias', shape=[columns],
                                       initializer=init_ops.zeros_initializer(dtype=self.dtype) if bias is None else bias)
        self.built = True

    def call(self, inputs, state):
        c, h = state
        sums = math_ops.matmul(inputs, self._kernel_w) + array_ops.tile(h, [1, 4]) * self._kernel_u
        i, j, f, o = array_ops.split(nn_ops.bias_add(sums, self._bias), 4, axis=1)
        new_c = c * math_ops.sigmoid(f + self._forget_bias) + math_ops.sigmoid(i) * self._activation(j)
        new_h = self._activation(new_c) * math_ops.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


class SRUCell(_OneSize):
    """A simple recurrent unit (Lei and others, 2017)."""

    def __init__(self, num_units, activation=None, reuse=None, name=None, **kwargs):
        super().__init__(num_units, activation, reuse, name, kwargs.pop('dtype', None), **kwargs)

    def build(self, inputs_shape):
        depth = as_shape(inputs_shape).as_list()[1]
        if depth is None:
            raise ValueError('Expected inputs.shape[-1] to be known, saw shape: %s' % (inputs_shape,))
        self._kernel = self.add_variable('kernel', shape=[depth, 4 * self._num_units])
        self._bias = self.add_variable('bias', shape=[2 * self._num_units], initializer=init_ops.zeros_initializer())
        self.built = True

    def call(self, inputs, state):
        state = state[0] if isinstance(state, (list, tuple)) else state
        candidate, forget, reset, carried = array_ops.split(math_ops.matmul(inputs, self._kernel), 4, axis=1)
        gates = math_ops.sigmoid(nn_ops.bias_add(array_ops.concat([forget, reset], 1), self._bias))
        forget, reset = array_ops.split(gates, 2, axis=1)
        c = forget * state + (1.0 - forget) * candidate
        return reset * self._activation(c) + (1.0 - reset) * carried, c


class MinimalRNNCell(_OneSize):
    """Chen, 2017: the input is embedded, and one gate mixes it with the state."""

    def __init__(self, units, activation='tanh', kernel_initializer='glorot_uniform', bias_initializer='ones', name=None,
                 reuse=None):
        super().__init__(units, activation, reuse, name, None)
        self.kernel_initializer, self.bias_initializer = _initializer(kernel_initializer), _initializer(bias_initializer)

    def build(self, inputs_shape):
        units = self._num_units
        self.kernel = self.add_variable('kernel', shape=[_input_depth(inputs_shape), units], initializer=self.kernel_initializer)
        self.recurrent_kernel = self.add_variable('recurrent_kernel', shape=[2 * units, units],
                                                  initializer=self.kernel_initializer)
        self.bias = self.add_variable('bias', shape=[units], initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs, state):
        embedded = self._activation(math_ops.matmul(inputs, self.kernel))
        gate = math_ops.matmul(array_ops.concat([state, embedded], 1), self.recurrent_kernel)
        gate = math_ops.sigmoid(nn_ops.bias_add(gate, self.bias))
        output = gate * state + (1 - gate) * embedded
        return output, output


class CFNCell(_OneSize):
    """A network without chaos (Laurent and von Brecht, 2016), with one gate."""

    def __init__(self, units, activation='tanh', recurrent_activation='sigmoid', kernel_initializer='glorot_uniform',
                 bias_initializer='ones', name=None, reuse=None):
        super().__init__(units, activation, reuse, name, None)
        self._gate = _activation(recurrent_activation)
        self.kernel_initializer, self.bias_initializer = _initializer(kernel_initializer), _initializer(bias_initializer)

    def build(self, inputs_shape):
        units = self._num_units
        self.kernel = self.add_variable('kernel', shape=[_input_depth(inputs_shape), 2 * units],
                                        initializer=self.kernel_initializer)
        self.recurrent_kernel = self.add_variable('recurrent_kernel', shape=[units, units], initializer=self.kernel_initializer)
        self.bias = self.add_variable('bias', shape=[units], initializer=self.bias_initializer)
        self.built = True

    def call(self, inputs, state):
        gate, candidate = array_ops.split(math_ops.matmul(inputs, self.kernel), 2, axis=1)
        gate = self._gate(nn_ops.bias_add(gate + math_ops.matmul(state, self.recurrent_kernel), self.bias))
        output = gate * self._activation(state) + (1 - gate) * self._activation(candidate)
        return output, output


class IntersectionRNNCell(RNNCell):
    """Two outputs of one product: the next state, and an output that is mixed with the input."""

    def __init__(self, num_units, num_in_proj=None, initializer=None, forget_bias=1.0, y_activation=nn_ops.relu, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._num_input_proj, self._initializer = num_units, num_in_proj, initializer
        self._forget_bias, self._y_activation = forget_bias, y_activation

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def call(self, inputs, state):
        depth = _input_depth(inputs.get_shape())
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            if self._num_input_proj is not None and depth != self._num_units:
                with variable_scope('in_projection'):
                    inputs = _Linear(inputs, self._num_input_proj, True)(inputs)
                depth = self._num_input_proj
            if depth != self._num_units:
                raise ValueError('Must have input size == output size for Intersection RNN. To fix, num_in_proj should be set to '
                                 'num_units at cell init.')
            sums = _Linear([inputs, state], 4 * self._num_units, True)([inputs, state])
        y, gate_y, h, gate_h = array_ops.split(sums, 4, axis=1)
        gate_y, gate_h = math_ops.sigmoid(gate_y + self._forget_bias), math_ops.sigmoid(gate_h + self._forget_bias)
        return (gate_y * inputs + (1.0 - gate_y) * self._y_activation(y),
                gate_h * state + (1.0 - gate_h) * math_ops.tanh(h))


class _LSTM(RNNCell):
    """What LSTM cells with peepholes, clips and a projection have in common."""

    def __init__(self, num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias, activation, reuse):
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer, self._num_proj, self._proj_clip = initializer, num_proj, proj_clip
        self._forget_bias, self._activation = forget_bias, _activation(activation)

    output_size = property(lambda self: self._num_proj or self._num_units)
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size))

    def _diagonal(self, name, c):
        return get_variable(name, shape=[self._num_units], dtype=c.dtype) * c if self._use_peepholes else 0.0

    def _next(self, gates, c, project, settle=lambda c: c):
        """(h, state) of the sums of the four gates."""
        i, j, f, o = gates
        f, i = math_ops.sigmoid(f + self._forget_bias + self._diagonal('w_f_diag', c)), math_ops.sigmoid(i + self._diagonal('w_i_diag', c))
        new_c = settle(f * c + i * self._activation(j))
        if self._cell_clip is not None:
            new_c = clip_by_value(new_c, -self._cell_clip, self._cell_clip)
        h = math_ops.sigmoid(o + self._diagonal('w_o_diag', new_c)) * self._activation(new_c)
        if self._num_proj is not None:
            with variable_scope('projection'):
                h = project(h)
            if self._proj_clip is not None:
                h = clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(new_c, h)


class LayerNormLSTMCell(_LSTM):
    def __init__(self, num_units, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None,
                 forget_bias=1.0, activation=None, layer_norm=False, norm_gain=1.0, norm_shift=0.0, reuse=None):
        super().__init__(num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias, activation, reuse)
        self._layer_norm, self._gain, self._shift = layer_norm, norm_gain, norm_shift

    def _norm(self, value, scope):
        with variable_scope(scope):
            gamma, beta = (get_variable(name, shape=[self._num_units], initializer=init_ops.constant_initializer(start))
                           for name, start in (('gamma', self._gain), ('beta', self._shift)))
        mean, variance = nn_ops.moments(value, [1], keep_dims=True)
        return nn_ops.batch_normalization(value, mean, variance, beta, gamma, 1e-12)

    def _project(self, h):
        return _Linear(h, self._num_proj, False)(h)

    def call(self, inputs, state):
        c, h = state
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            sums = _Linear([inputs, h], 4 * self._num_units, not self._layer_norm)([inputs, h])
            gates = array_ops.split(sums, 4, axis=1)
            if not self._layer_norm:
                return self._next(gates, c, self._project)
            gates = [self._norm(gate, name) for gate, name in zip(gates, ('input', 'transform', 'forget', 'output'))]
            return self._next(gates, c, self._project, lambda value: self._norm(value, 'state'))


class WeightNormLSTMCell(_LSTM):
    """Salimans and Kingma, 2016: columns of weights have lengths of their own."""

    def __init__(self, num_units, norm=True, use_peepholes=False, cell_clip=None, initializer=None, num_proj=None, proj_clip=None,
                 forget_bias=1, activation=None, reuse=None):
        super().__init__(num_units, use_peepholes, cell_clip, initializer, num_proj, proj_clip, forget_bias, activation, reuse)
        self._norm = norm

    def _weights(self, value, columns, name):
        kernel = get_variable(name, [_input_depth(value.get_shape()), columns], dtype=value.dtype)
        if not self._norm:
            return kernel
        with variable_scope('wn_' + name):
            length = get_variable('g', [columns], dtype=value.dtype)
        return nn_ops.l2_normalize(kernel, 0) * length

    def _linear(self, values, columns, bias):
        names = ['kernel'] if len(values) == 1 else ['kernel_%d' % i for i in range(len(values))]
        made = math_ops.add_n([math_ops.matmul(value, self._weights(value, columns, name)) for value, name in zip(values, names)])
        if not bias:
            return made
        zeros = init_ops.constant_initializer(0.0, dtype=made.dtype)
        return nn_ops.bias_add(made, get_variable('bias', [columns], dtype=made.dtype, initializer=zeros))

    def call(self, inputs, state):
        c, h = state
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            gates = array_ops.split(self._linear([inputs, h], 4 * self._num_units, True), 4, axis=1)
            return self._next(gates, c, lambda value: self._linear([value], self._num_proj, False))


class GLSTMCell(RNNCell):
    """Kuchaiev and Ginsburg, 2017: groups of units that see only their part of the input and of the output."""

    def __init__(self, num_units, initializer=None, num_proj=None, number_of_groups=1, forget_bias=1.0, activation=math_ops.tanh,
                 reuse=None):
        super().__init__(_reuse=reuse)
        for size, name in ((num_units, 'num_units'), (num_proj, 'num_proj')):
            if size is not None and size % number_of_groups:
                raise ValueError('%s must be divisible by number_of_groups' % name)
        self._num_units, self._num_proj, self._groups = num_units, num_proj, number_of_groups
        self._initializer, self._forget_bias, self._activation = initializer, forget_bias, activation

    output_size = property(lambda self: self._num_proj or self._num_units)
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size))

    def _parts(self, inputs, state):
        depth = as_shape(inputs.get_shape()).as_list()[-1]
        if depth is None:
            raise ValueError('input size must be statically known')
        if depth % self._groups:
            raise ValueError('input size (%d) must be divisible by number_of_groups (%d)' % (depth, self._groups))
        return zip(array_ops.split(inputs, self._groups, axis=1), array_ops.split(state, self._groups, axis=1))

    def call(self, inputs, state):
        c, h = state
        parts, units = [], self._num_units // self._groups
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            for group, both in enumerate(self._parts(inputs, h)):
                with variable_scope('group%d' % group):
                    sums = _Linear(list(both), 4 * units, False)(list(both))
                parts.append(array_ops.split(sums, 4, axis=1))
            i, j, f, o = (array_ops.concat(gate, 1) + self._bias(k, inputs.dtype) for k, gate in enumerate(zip(*parts)))
            new_c = math_ops.sigmoid(f + self._forget_bias) * c + math_ops.sigmoid(i) * math_ops.tanh(j)
            new_h = math_ops.sigmoid(o) * self._activation(new_c)
            if self._num_proj is not None:
                with variable_scope('projection'):
                    new_h = _Linear(new_h, self._num_proj, False)(new_h)
        return new_h, LSTMStateTuple(new_c, new_h)

    def _bias(self, gate, dtype):
        return get_variable('bias_' + 'ijfo'[gate], shape=[self._num_units], dtype=dtype,
                            initializer=init_ops.constant_initializer(0.0, dtype=dtype))


class PhasedLSTMCell(RNNCell):
    """Neil and others, 2016: units that are open only in a part of their period. The input is (time, features)."""

    def __init__(self, num_units, use_peepholes=False, leak=0.001, ratio_on=0.1, trainable_ratio_on=True, period_init_min=1.0,
                 period_init_max=1000.0, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._leak = num_units, use_peepholes, leak
        self._ratio_on, self._trainable = ratio_on, trainable_ratio_on
        self._period_min, self._period_max = period_init_min, period_init_max

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _linear(self, values, name, gate=math_ops.sigmoid):
        with variable_scope(name):
            return gate(_Linear(values, self._num_units, True)(values))

    def _periods(self, shape, dtype=dtypes.float32, partition_info=None):
        low, high = math.log(self._period_min), math.log(self._period_max)
        return math_ops.exp(random_ops.random_uniform(shape, low, high, dtype=dtype))

    def _openness(self, time, dtype):
        """How far each unit is open at the times."""
        units = self._num_units
        period = get_variable('period', [units], initializer=self._periods, dtype=dtype)
        phase = get_variable('phase', [units], initializer=init_ops.random_uniform_initializer(
            0.0, period.initial_value, dtype=dtype), dtype=dtype)
        ratio = get_variable('ratio_on', [units], initializer=init_ops.constant_initializer(self._ratio_on, dtype=dtype),
                             trainable=self._trainable, dtype=dtype)
        phase, period = math_ops.cast(phase, time.dtype), math_ops.cast(period, time.dtype)
        within = math_ops.cast(math_ops.floormod(time - phase, period) / period, dtype)
        rising = 2 * within / ratio
        closed = self._leak * within
        return array_ops.where(math_ops.less(within, 0.5 * ratio), rising,
                               array_ops.where(math_ops.less(within, ratio), 2 - rising, closed))

    def call(self, inputs, state):
        (time, x), (c, h) = inputs, state
        peeped = [x, h, c] if self._use_peepholes else [x, h]
        i, f = (self._linear(peeped, name) for name in ('input_gate', 'forget_gate'))
        candidate = f * c + i * self._linear([x, h], 'new_input', math_ops.tanh)
        openness = self._openness(time, x.dtype)
        new_c = openness * candidate + (1 - openness) * c
        output = self._linear([x, h, candidate] if self._use_peepholes else [x, h], 'output_gate')
        new_h = openness * output * math_ops.tanh(candidate) + (1 - openness) * h
        return new_h, LSTMStateTuple(new_c, new_h)


class CompiledWrapper(RNNCell):
    """A cell whose steps TensorFlow compiles, if it can; here steps are planned and fused in any case."""

    def __init__(self, cell, compile_stateful=False):
        super().__init__()
        self._cell, self._compile_stateful = cell, compile_stateful

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def __call__(self, inputs, state, scope=None):
        return self._cell(inputs, state, scope) if scope is not None else self._cell(inputs, state)
