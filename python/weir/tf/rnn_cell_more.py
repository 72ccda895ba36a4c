"""tf.contrib.rnn: cells and wrappers beside those of tf.nn.rnn_cell."""
from . import _ops, array_ops, dtypes, init_ops, math_ops, nest, nn_ops, random_ops
from .clip_ops import clip_by_value
from .rnn import _transpose_batch_time, bidirectional_dynamic_rnn, dynamic_rnn, static_bidirectional_rnn
from .rnn_cell import LayerRNNCell, LSTMStateTuple, RNNCell, _activation, _concat, _input_depth, _Wrapper, assert_like_rnncell
from .scopes import name_scope
from .shapes import TensorShape, as_shape
from .variable_scope import get_variable, get_variable_scope, variable_scope

transpose_batch_time = _transpose_batch_time


def best_effort_input_batch_size(flat_input):
    from .rnn import _batch_size
    return _batch_size(flat_input, 1)


class _Linear:
    """args @ kernel + bias, with variables `kernel` and `bias` of the scope in which it is made."""

    def __init__(self, args, output_size, build_bias, bias_initializer=None, kernel_initializer=None):
        args = args if nest.is_sequence(args) else [args]
        depth = sum(_input_depth(item.get_shape()) for item in args)
        dtype = args[0].dtype.base_dtype
        with variable_scope(get_variable_scope()) as outer:
            self._weights = get_variable('kernel', [depth, output_size], dtype=dtype, initializer=kernel_initializer)
            self._biases = None
            if build_bias:
                with variable_scope(outer) as inner:
                    inner.set_partitioner(None)
                    if bias_initializer is None:
                        bias_initializer = init_ops.constant_initializer(0.0, dtype=dtype)
                    self._biases = get_variable('bias', [output_size], dtype=dtype, initializer=bias_initializer)

    def __call__(self, args):
        args = args if nest.is_sequence(args) else [args]
        joined = args[0] if len(args) == 1 else array_ops.concat(args, 1)
        made = math_ops.matmul(joined, self._weights)
        return made if self._biases is None else nn_ops.bias_add(made, self._biases)


def _linear(args, output_size, bias, bias_initializer=None, kernel_initializer=None, scope=None):
    if isinstance(bias_initializer, float):
        bias_initializer = init_ops.constant_initializer(bias_initializer)
    if scope is not None:
        with variable_scope(scope):
            return _Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)
    return _Linear(args, output_size, bias, bias_initializer, kernel_initializer)(args)


class _Around(RNNCell):
    """A wrapper with a scope and variables of its own."""

    def __init__(self, cell, reuse=None):
        super().__init__(_reuse=reuse)
        self._cell = cell

    state_size = property(lambda self: self._cell.state_size)
    output_size = property(lambda self: self._cell.output_size)

    def zero_state(self, batch_size, dtype):
        with name_scope(type(self).__name__ + 'ZeroState', values=[batch_size]):
            return self._cell.zero_state(batch_size, dtype)


class InputProjectionWrapper(_Around):
    def __init__(self, cell, num_proj, activation=None, input_size=None, reuse=None):
        super().__init__(cell, reuse)
        self._num_proj, self._act = num_proj, activation

    def call(self, inputs, state):
        projected = _Linear(inputs, self._num_proj, True)(inputs)
        return self._cell(self._act(projected) if self._act else projected, state)


class OutputProjectionWrapper(_Around):
    def __init__(self, cell, output_size, activation=None, reuse=None):
        super().__init__(cell, reuse)
        if output_size < 1:
            raise ValueError('Parameter output_size must be > 0: %d.' % output_size)
        self._output_size, self._act = output_size, activation

    output_size = property(lambda self: self._output_size)

    def call(self, inputs, state):
        output, new_state = self._cell(inputs, state)
        projected = _Linear(output, self._output_size, True)(output)
        return (self._act(projected) if self._act else projected), new_state


class EmbeddingWrapper(_Around):
    def __init__(self, cell, embedding_classes, embedding_size, initializer=None, reuse=None):
        super().__init__(cell, reuse)
        if embedding_classes <= 0 or embedding_size <= 0:
            raise ValueError('Both embedding_classes and embedding_size must be > 0: %d, %d.' % (embedding_classes, embedding_size))
        self._classes, self._size, self._initializer = embedding_classes, embedding_size, initializer

    def call(self, inputs, state):
        initializer = self._initializer or get_variable_scope().initializer or init_ops.random_uniform_initializer(-3**0.5, 3**0.5)
        first = state[0] if isinstance(state, tuple) else state
        first = first[0] if isinstance(first, tuple) else first
        table = get_variable('embedding', [self._classes, self._size], initializer=initializer, dtype=first.dtype)
        return self._cell(nn_ops.embedding_lookup(table, array_ops.reshape(inputs, [-1])), state)


class HighwayWrapper(_Around):
    """Outputs mixed with the inputs by a learned gate."""

    def __init__(self, cell, couple_carry_transform_gates=True, carry_bias_init=1.0):
        super().__init__(cell)
        self._couple, self._carry_bias = couple_carry_transform_gates, carry_bias_init

    def _gate(self, inputs, name, bias):
        size = inputs.get_shape().as_list()[-1]
        with variable_scope(name):
            weight = get_variable('%s_w' % name, [size, size])
            offset = get_variable('%s_b' % name, [size], initializer=init_ops.constant_initializer(bias))
        return math_ops.sigmoid(nn_ops.xw_plus_b(inputs, weight, offset))

    def call(self, inputs, state):
        outputs, new_state = self._cell(inputs, state)
        carry = self._gate(inputs, 'carry', self._carry_bias)
        transform = 1 - carry if self._couple else self._gate(inputs, 'transform', -self._carry_bias)
        return inputs * carry + outputs * transform, new_state


class AttentionCellWrapper(_Around):
    """A cell that attends to its last `attn_length` outputs."""

    def __init__(self, cell, attn_length, attn_size=None, attn_vec_size=None, input_size=None, state_is_tuple=True, reuse=None):
        assert_like_rnncell('cell', cell)
        super().__init__(cell, reuse)
        if nest.is_sequence(cell.state_size) and not state_is_tuple:
            raise ValueError('Cell returns tuple of states, but the flag state_is_tuple is not set. State size is: %s'
                             % str(cell.state_size))
        if attn_length <= 0:
            raise ValueError('attn_length should be greater than zero, got %s' % attn_length)
        self._length, self._input_size, self._tuple = attn_length, input_size, state_is_tuple
        self._size = cell.output_size if attn_size is None else attn_size
        self._vector = self._size if attn_vec_size is None else attn_vec_size

    output_size = property(lambda self: self._size)

    @property
    def state_size(self):
        sizes = self._cell.state_size, self._size, self._size * self._length
        return sizes if self._tuple else sum(sizes)

    def zero_state(self, batch_size, dtype):
        return RNNCell.zero_state(self, batch_size, dtype)

    def call(self, inputs, state):
        if self._tuple:
            state, attns, past = state
        else:
            size = self._cell.state_size
            state, attns, past = (array_ops.slice(state, [0, 0], [-1, size]), array_ops.slice(state, [0, size], [-1, self._size]),
                                  array_ops.slice(state, [0, size + self._size], [-1, self._size * self._length]))
        past = array_ops.reshape(past, [-1, self._length, self._size])
        width = self._input_size or inputs.get_shape().as_list()[1]
        inputs = _linear([inputs, attns], width, True)
        output, new_state = self._cell(inputs, state)
        flat = nest.flatten(new_state) if self._tuple else [new_state]
        attns, past = self._attend(array_ops.concat(flat, 1) if len(flat) > 1 else flat[0], past)
        with variable_scope('attn_output_projection'):
            output = _linear([output, attns], self._size, True)
        past = array_ops.concat([past, array_ops.expand_dims(output, 1)], 1)
        past = array_ops.reshape(past, [-1, self._size * self._length])
        return output, (new_state, attns, past) if self._tuple else array_ops.concat([new_state, attns, past], 1)

    def _attend(self, query, past):
        with variable_scope('attention'):
            kernel = get_variable('attn_w', [1, 1, self._size, self._vector])
            vector = get_variable('attn_v', [self._vector])
            hidden = array_ops.reshape(past, [-1, self._length, 1, self._size])
            features = nn_ops.conv2d(hidden, kernel, [1, 1, 1, 1], 'SAME')
            y = array_ops.reshape(_linear(query, self._vector, True), [-1, 1, 1, self._vector])
            scores = math_ops.reduce_sum(vector * math_ops.tanh(features + y), [2, 3])
            weights = array_ops.reshape(nn_ops.softmax(scores), [-1, self._length, 1, 1])
            found = math_ops.reduce_sum(weights * hidden, [1, 2])
            return array_ops.reshape(found, [-1, self._size]), array_ops.slice(past, [0, 1, 0], [-1, -1, -1])


# ---- cells ----

class LayerNormBasicLSTMCell(RNNCell):
    def __init__(self, num_units, forget_bias=1.0, input_size=None, activation=math_ops.tanh, layer_norm=True, norm_gain=1.0,
                 norm_shift=0.0, dropout_keep_prob=1.0, dropout_prob_seed=None, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._activation, self._forget_bias = num_units, activation, forget_bias
        self._keep_prob, self._seed, self._layer_norm = dropout_keep_prob, dropout_prob_seed, layer_norm
        self._gain, self._shift = norm_gain, norm_shift

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def _norm(self, inputs, scope, dtype=dtypes.float32):
        shape = inputs.get_shape()[-1:]
        with variable_scope(scope):
            gamma = get_variable('gamma', shape=shape, initializer=init_ops.constant_initializer(self._gain), dtype=dtype)
            beta = get_variable('beta', shape=shape, initializer=init_ops.constant_initializer(self._shift), dtype=dtype)
        mean, variance = nn_ops.moments(inputs, [1], keep_dims=True)
        return nn_ops.batch_normalization(inputs, mean, variance, beta, gamma, 1e-12)

    def call(self, inputs, state):
        c, h = state
        args = array_ops.concat([inputs, h], 1)
        kernel = get_variable('kernel', [args.get_shape().as_list()[-1], 4 * self._num_units], dtype=args.dtype)
        sums = math_ops.matmul(args, kernel)
        if not self._layer_norm:
            sums = nn_ops.bias_add(sums, get_variable('bias', [4 * self._num_units], dtype=args.dtype))
        i, j, f, o = array_ops.split(value=sums, num_or_size_splits=4, axis=1)
        if self._layer_norm:
            i, j, f, o = (self._norm(value, name, args.dtype) for value, name in
                          ((i, 'input'), (j, 'transform'), (f, 'forget'), (o, 'output')))
        g = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            g = nn_ops.dropout(g, self._keep_prob, seed=self._seed)
        new_c = c * math_ops.sigmoid(f + self._forget_bias) + math_ops.sigmoid(i) * g
        if self._layer_norm:
            new_c = self._norm(new_c, 'state', args.dtype)
        new_h = self._activation(new_c) * math_ops.sigmoid(o)
        return new_h, LSTMStateTuple(new_c, new_h)


class CoupledInputForgetGateLSTMCell(RNNCell):
    def __init__(self, num_units, use_peepholes=False, initializer=None, num_proj=None, proj_clip=None, num_unit_shards=1,
                 num_proj_shards=1, forget_bias=1.0, state_is_tuple=True, activation=math_ops.tanh, reuse=None,
                 layer_norm=False, norm_gain=1.0, norm_shift=0.0):
        super().__init__(_reuse=reuse)
        self._num_units, self._peepholes, self._initializer = num_units, use_peepholes, initializer
        self._num_proj, self._proj_clip, self._forget_bias = num_proj, proj_clip, forget_bias
        self._tuple, self._activation = state_is_tuple, activation

    output_size = property(lambda self: self._num_proj or self._num_units)
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size) if self._tuple
                          else self._num_units + self.output_size)

    def call(self, inputs, state):
        c, h = state if self._tuple else array_ops.split(state, [self._num_units, self.output_size], 1)
        units, dtype = self._num_units, inputs.dtype
        kernel = get_variable('kernel', [_input_depth(inputs.get_shape()) + self.output_size, 3 * units],
                              initializer=self._initializer, dtype=dtype)
        bias = get_variable('bias', [3 * units], initializer=init_ops.zeros_initializer(), dtype=dtype)
        sums = nn_ops.bias_add(math_ops.matmul(array_ops.concat([inputs, h], 1), kernel), bias)
        j, f, o = array_ops.split(value=sums, num_or_size_splits=3, axis=1)
        f = f + self._forget_bias
        if self._peepholes:
            f = f + get_variable('W_F_diag', [units], initializer=self._initializer, dtype=dtype) * c
        f = math_ops.sigmoid(f)
        new_c = f * c + (1 - f) * self._activation(j)
        if self._peepholes:
            o = o + get_variable('W_O_diag', [units], initializer=self._initializer, dtype=dtype) * new_c
        new_h = math_ops.sigmoid(o) * self._activation(new_c)
        if self._num_proj is not None:
            new_h = math_ops.matmul(new_h, get_variable('kernel/projection', [units, self._num_proj],
                                                        initializer=self._initializer, dtype=dtype))
            if self._proj_clip is not None:
                new_h = clip_by_value(new_h, -self._proj_clip, self._proj_clip)
        return new_h, LSTMStateTuple(new_c, new_h) if self._tuple else array_ops.concat([new_c, new_h], 1)


class UGRNNCell(RNNCell):
    def __init__(self, num_units, initializer=None, forget_bias=1.0, activation=math_ops.tanh, reuse=None):
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer, self._forget_bias = num_units, initializer, forget_bias
        self._activation = activation

    state_size = property(lambda self: self._num_units)
    output_size = property(lambda self: self._num_units)

    def call(self, inputs, state):
        with variable_scope(get_variable_scope(), initializer=self._initializer):
            sums = _Linear([inputs, state], 2 * self._num_units, True)([inputs, state])
        g, c = array_ops.split(value=sums, num_or_size_splits=2, axis=1)
        g, c = math_ops.sigmoid(g + self._forget_bias), self._activation(c)
        output = g * state + (1 - g) * c
        return output, output


class NASCell(LayerRNNCell):
    def __init__(self, num_units, num_proj=None, use_bias=False, reuse=None, **kwargs):
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias

    output_size = property(lambda self: self._num_proj or self._num_units)
    state_size = property(lambda self: LSTMStateTuple(self._num_units, self.output_size))

    def build(self, inputs_shape):
        units, depth = self._num_units, _input_depth(inputs_shape)
        self._recurrent = self.add_variable('recurrent_kernel', shape=[self.output_size, 8 * units])
        self._kernel = self.add_variable('kernel', shape=[depth, 8 * units])
        if self._use_bias:
            self._bias = self.add_variable('bias', shape=[8 * units], initializer=init_ops.zeros_initializer())
        if self._num_proj is not None:
            self._projection = self.add_variable('projection_weights', shape=[units, self._num_proj])
        self.built = True

    def call(self, inputs, state):
        c, h = state
        m = array_ops.split(math_ops.matmul(h, self._recurrent), 8, axis=1)
        x = math_ops.matmul(inputs, self._kernel)
        x = array_ops.split(nn_ops.bias_add(x, self._bias) if self._use_bias else x, 8, axis=1)
        sigmoid, tanh, relu = math_ops.sigmoid, math_ops.tanh, nn_ops.relu
        one = [sigmoid(x[0] + m[0]), relu(x[1] + m[1]), sigmoid(x[2] + m[2]), relu(x[3] * m[3]), tanh(x[4] + m[4]),
               sigmoid(x[5] + m[5]), tanh(x[6] + m[6]), sigmoid(x[7] + m[7])]
        two = [tanh(one[0] * one[1]), tanh(one[2] + one[3]), tanh(one[4] * one[5]), sigmoid(one[6] + one[7])]
        two[0] = tanh(two[0] + c)
        new_c = two[0] * two[1]
        new_h = tanh(new_c * tanh(two[2] + two[3]))
        if self._num_proj is not None:
            new_h = math_ops.matmul(new_h, self._projection)
        return new_h, LSTMStateTuple(new_c, new_h)


# ---- cells of one op ----

class LSTMBlockCell(LayerRNNCell):
    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, dtype=None, reuse=None, name='lstm_cell'):
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._peephole = num_units, forget_bias, use_peephole
        self._cell_clip = -1 if cell_clip is None else cell_clip

    state_size = property(lambda self: LSTMStateTuple(self._num_units, self._num_units))
    output_size = property(lambda self: self._num_units)

    def build(self, inputs_shape):
        units, depth = self._num_units, _input_depth(inputs_shape)
        self._kernel = self.add_variable('kernel', [depth + units, 4 * units])
        self._bias = self.add_variable('bias', [4 * units], initializer=init_ops.constant_initializer(0.0))
        self._diagonals = [self.add_variable('w_%s_diag' % gate, [units]) for gate in 'ifo'] if self._peephole else None
        self.built = True

    def call(self, inputs, state):
        c, h = state
        wci, wcf, wco = self._diagonals or [array_ops.zeros([self._num_units], dtype=inputs.dtype)] * 3
        made = _ops.lstm_block_cell(inputs, c, h, self._kernel, wci, wcf, wco, self._bias, forget_bias=self._forget_bias,
                                    cell_clip=self._cell_clip, use_peephole=self._peephole)
        return made.h, LSTMStateTuple(made.cs, made.h)


class GRUBlockCell(LayerRNNCell):
    _variables = 'w_ru', 'b_ru', 'w_c', 'b_c'

    def __init__(self, num_units=None, cell_size=None, reuse=None, name='gru_cell'):
        super().__init__(_reuse=reuse, name=name)
        self._cell_size = num_units if num_units is not None else cell_size
        if self._cell_size is None:
            raise ValueError('num_units must be specified')

    state_size = property(lambda self: self._cell_size)
    output_size = property(lambda self: self._cell_size)

    def build(self, input_shape):
        units, rows = self._cell_size, _input_depth(input_shape) + self._cell_size
        gate_kernel, gate_bias, candidate_kernel, candidate_bias = self._variables
        self._gate_kernel = self.add_variable(gate_kernel, [rows, 2 * units])
        self._gate_bias = self.add_variable(gate_bias, [2 * units], initializer=init_ops.constant_initializer(1.0))
        self._candidate_kernel = self.add_variable(candidate_kernel, [rows, units])
        self._candidate_bias = self.add_variable(candidate_bias, [units], initializer=init_ops.constant_initializer(0.0))
        self.built = True

    def call(self, inputs, h_prev):
        h = _ops.gru_block_cell(inputs, h_prev, self._gate_kernel, self._candidate_kernel, self._gate_bias, self._candidate_bias)[3]
        return h, h


class GRUBlockCellV2(GRUBlockCell):
    """The same with the variables of GRUCell."""

    _variables = 'gates/kernel', 'gates/bias', 'candidate/kernel', 'candidate/bias'


class FusedRNNCell:
    """All steps of a cell in one call."""

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        raise NotImplementedError('Abstract method')


class FusedRNNCellAdaptor(FusedRNNCell):
    def __init__(self, cell, use_dynamic_rnn=False):
        self._cell, self._dynamic = cell, use_dynamic_rnn

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        is_list = isinstance(inputs, list)
        if self._dynamic:
            inputs = array_ops.stack(inputs) if is_list else inputs
            outputs, state = dynamic_rnn(self._cell, inputs, sequence_length, initial_state, dtype, time_major=True, scope=scope)
            return (array_ops.unstack(outputs) if is_list else outputs), state
        from .rnn import static_rnn
        inputs = inputs if is_list else array_ops.unstack(inputs)
        outputs, state = static_rnn(self._cell, inputs, initial_state, dtype, sequence_length, scope)
        return (outputs if is_list else array_ops.stack(outputs)), state


class TimeReversedFusedRNN(FusedRNNCell):
    def __init__(self, cell):
        self._cell = cell

    @staticmethod
    def _reverse(value, lengths):
        if lengths is None:
            return array_ops.reverse(value, [0])
        return array_ops.reverse_sequence(value, lengths, seq_axis=0, batch_axis=1)

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        outputs, state = self._cell(self._reverse(inputs, sequence_length), initial_state, dtype, sequence_length, scope)
        return self._reverse(outputs, sequence_length), state


class LSTMBlockFusedCell(FusedRNNCell):
    """A whole LSTM layer over [time, batch, depth] inputs."""

    def __init__(self, num_units, forget_bias=1.0, cell_clip=None, use_peephole=False, reuse=None, dtype=None,
                 name='lstm_fused_cell'):
        self._cell = LSTMBlockCell(num_units, forget_bias, cell_clip, use_peephole, dtype=dtype, reuse=reuse, name=name)

    num_units = property(lambda self: self._cell._num_units)
    trainable_variables = property(lambda self: self._cell.trainable_variables)

    def __call__(self, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
        if initial_state is not None:
            initial_state = LSTMStateTuple(*initial_state)
        outputs, state = dynamic_rnn(self._cell, inputs, sequence_length, initial_state, dtype or inputs.dtype, time_major=True,
                                     scope=scope or get_variable_scope())
        return outputs, state


# ---- convolutional LSTM ----

class ConvLSTMCell(RNNCell):
    def __init__(self, conv_ndims, input_shape, output_channels, kernel_shape, use_bias=True, skip_connection=False,
                 forget_bias=1.0, initializers=None, name='conv_lstm_cell'):
        super().__init__(name=name)
        if conv_ndims != len(input_shape) - 1:
            raise ValueError('Invalid input_shape %s for conv_ndims=%d.' % (input_shape, conv_ndims))
        self._rank, self._kernel_shape, self._channels = conv_ndims, list(kernel_shape), output_channels
        self._use_bias, self._skip, self._forget_bias = use_bias, skip_connection, forget_bias
        total = output_channels + (input_shape[-1] if skip_connection else 0)
        self._state = TensorShape(list(input_shape[:-1]) + [output_channels])
        self._output = TensorShape(list(input_shape[:-1]) + [total])

    output_size = property(lambda self: self._output)
    state_size = property(lambda self: LSTMStateTuple(self._state, self._state))

    def call(self, inputs, state, scope=None):
        cell, hidden = state
        joined = array_ops.concat([inputs, hidden], axis=self._rank + 1)
        kernel = get_variable('kernel', self._kernel_shape + [joined.get_shape().as_list()[-1], 4 * self._channels],
                              dtype=inputs.dtype)
        sums = nn_ops.convolution(joined, kernel, 'SAME')
        if self._use_bias:
            sums = sums + get_variable('biases', [4 * self._channels], dtype=inputs.dtype,
                                       initializer=init_ops.constant_initializer(0.0))
        i, j, f, o = array_ops.split(value=sums, num_or_size_splits=4, axis=self._rank + 1)
        new_cell = math_ops.sigmoid(f + self._forget_bias) * cell + math_ops.sigmoid(i) * math_ops.tanh(j)
        output = math_ops.tanh(new_cell) * math_ops.sigmoid(o)
        new_state = LSTMStateTuple(new_cell, output)
        return (array_ops.concat([output, inputs], axis=-1) if self._skip else output), new_state


class Conv1DLSTMCell(ConvLSTMCell):
    def __init__(self, name='conv_1d_lstm_cell', **kwargs):
        super().__init__(conv_ndims=1, name=name, **kwargs)


class Conv2DLSTMCell(ConvLSTMCell):
    def __init__(self, name='conv_2d_lstm_cell', **kwargs):
        super().__init__(conv_ndims=2, name=name, **kwargs)


class Conv3DLSTMCell(ConvLSTMCell):
    def __init__(self, name='conv_3d_lstm_cell', **kwargs):
        super().__init__(conv_ndims=3, name=name, **kwargs)


# ---- stacks of both directions ----

def stack_bidirectional_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None,
                            sequence_length=None, scope=None):
    states_fw, states_bw = [], []
    with variable_scope(scope or 'stack_bidirectional_rnn'):
        for at, (forward, backward) in enumerate(zip(cells_fw, cells_bw)):
            with variable_scope('cell_%d' % at):
                inputs, fw, bw = static_bidirectional_rnn(
                    forward, backward, inputs, initial_states_fw[at] if initial_states_fw else None,
                    initial_states_bw[at] if initial_states_bw else None, dtype, sequence_length)
                states_fw.append(fw)
                states_bw.append(bw)
    return inputs, tuple(states_fw), tuple(states_bw)


def stack_bidirectional_dynamic_rnn(cells_fw, cells_bw, inputs, initial_states_fw=None, initial_states_bw=None, dtype=None,
                                    sequence_length=None, parallel_iterations=None, time_major=False, scope=None,
                                    swap_memory=False):
    states_fw, states_bw = [], []
    with variable_scope(scope or 'stack_bidirectional_rnn'):
        for at, (forward, backward) in enumerate(zip(cells_fw, cells_bw)):
            with variable_scope('cell_%d' % at):
                outputs, (fw, bw) = bidirectional_dynamic_rnn(
                    forward, backward, inputs, sequence_length, initial_states_fw[at] if initial_states_fw else None,
                    initial_states_bw[at] if initial_states_bw else None, dtype, parallel_iterations, swap_memory, time_major)
                inputs = array_ops.concat(outputs, 2)
                states_fw.append(fw)
                states_bw.append(bw)
    return inputs, tuple(states_fw), tuple(states_bw)
