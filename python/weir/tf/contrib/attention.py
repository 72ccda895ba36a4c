"""tf.contrib.seq2seq: attention over a memory, and the cell that pays it."""
import collections

from .. import nest, rnn_cell
from ..layers import Dense
from ..public import tf
from ..shapes import TensorShape
from ..tensor_array import TensorArray


def hardmax(logits, name=None):
    with tf.name_scope(name, 'Hardmax', [logits]):
        logits = tf.convert_to_tensor(logits, name='logits')
        depth = logits.get_shape().as_list()[-1]
        return tf.one_hot(tf.argmax(logits, -1), depth if depth is not None else tf.shape(logits)[-1], dtype=logits.dtype)


def _prepare_memory(memory, lengths):
    """Memory with zeros behind the end of each sequence."""
    memory = nest.map_structure(lambda item: tf.convert_to_tensor(item, name='memory'), memory)
    if lengths is None:
        return memory, None
    lengths = tf.convert_to_tensor(lengths, name='memory_sequence_length')
    size = tf.shape(nest.flatten(memory)[0])[1]
    mask = tf.sequence_mask(lengths, maxlen=size, dtype=nest.flatten(memory)[0].dtype)

    def masked(item):
        rank = item.get_shape().ndims
        return item * tf.reshape(mask, tf.concat([tf.shape(mask), [1] * (rank - 2)], 0))
    return nest.map_structure(masked, memory), lengths


class AttentionMechanism:
    @property
    def alignments_size(self):
        raise NotImplementedError

    @property
    def state_size(self):
        raise NotImplementedError


class _BaseAttentionMechanism(AttentionMechanism):
    """Keys and values of a memory, and how scores become probabilities."""

    def __init__(self, query_layer, memory, probability_fn, memory_sequence_length=None, memory_layer=None,
                 check_inner_dims_defined=True, score_mask_value=None, custom_key_value_fn=None, name=None):
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype or tf.float32 if memory_layer is not None else tf.float32
        with tf.name_scope(name, 'BaseAttentionMechanismInit', nest.flatten(memory)):
            self._values, lengths = _prepare_memory(memory, memory_sequence_length)
            mask_value = self._values.dtype.as_numpy_dtype(float('-inf')) if score_mask_value is None else score_mask_value

            def probability(score, previous):
                if lengths is not None:
                    mask = tf.sequence_mask(lengths, maxlen=tf.shape(score)[1])
                    score = tf.where(mask, score, mask_value * tf.ones_like(score))
                return probability_fn(score, previous)
            self._probability_fn = probability
            self._keys = self._memory_layer(self._values) if self._memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            shape = self._keys.get_shape().as_list()
            self._batch_size = shape[0] if shape[0] is not None else tf.shape(self._keys)[0]
            self._alignments_size = shape[1] if shape[1] is not None else tf.shape(self._keys)[1]

    memory_layer = property(lambda self: self._memory_layer)
    query_layer = property(lambda self: self._query_layer)
    values = property(lambda self: self._values)
    keys = property(lambda self: self._keys)
    batch_size = property(lambda self: self._batch_size)
    alignments_size = property(lambda self: self._alignments_size)
    state_size = property(lambda self: self._alignments_size)

    def initial_alignments(self, batch_size, dtype):
        return rnn_cell._zero_state_tensors(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size, dtype):
        return self.initial_alignments(batch_size, dtype)


def _luong_score(query, keys, scale):
    if query.get_shape().as_list()[-1] != keys.get_shape().as_list()[-1]:
        raise ValueError('Incompatible or unknown inner dimensions between query and keys: %s and %s' %
                         (query.get_shape(), keys.get_shape()))
    score = tf.squeeze(tf.matmul(tf.expand_dims(query, 1), keys, transpose_b=True), [1])
    return score if scale is None else scale * score


class LuongAttention(_BaseAttentionMechanism):
    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, probability_fn=None, score_mask_value=None,
                 dtype=None, custom_key_value_fn=None, name='LuongAttention'):
        chosen = probability_fn or tf.nn.softmax
        super().__init__(query_layer=None, memory_layer=Dense(num_units, name='memory_layer', use_bias=False, dtype=dtype or tf.float32),
                         memory=memory, probability_fn=lambda score, _: chosen(score),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value,
                         custom_key_value_fn=custom_key_value_fn, name=name)
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query, state):
        with tf.variable_scope(None, 'luong_attention', [query]):
            scale = tf.get_variable('attention_g', dtype=query.dtype, initializer=tf.ones_initializer(), shape=()) if self._scale else None
            alignments = self._probability_fn(_luong_score(query, self._keys, scale), state)
        return alignments, alignments


class BahdanauAttention(_BaseAttentionMechanism):
    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, probability_fn=None,
                 score_mask_value=None, dtype=None, custom_key_value_fn=None, name='BahdanauAttention'):
        chosen = probability_fn or tf.nn.softmax
        kind = dtype or tf.float32
        super().__init__(query_layer=Dense(num_units, name='query_layer', use_bias=False, dtype=kind),
                         memory_layer=Dense(num_units, name='memory_layer', use_bias=False, dtype=kind), memory=memory,
                         probability_fn=lambda score, _: chosen(score), custom_key_value_fn=custom_key_value_fn,
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name)
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def _score(self, query):
        units, dtype = self._num_units, query.dtype
        asked = tf.expand_dims(query, 1)
        v = tf.get_variable('attention_v', [units], dtype=dtype)
        if not self._normalize:
            return tf.reduce_sum(v * tf.tanh(self._keys + asked), [2])
        g = tf.get_variable('attention_g', dtype=dtype, shape=(), initializer=tf.constant_initializer((1. / units) ** 0.5))
        b = tf.get_variable('attention_b', [units], dtype=dtype, initializer=tf.zeros_initializer())
        normed = g * v * tf.rsqrt(tf.reduce_sum(tf.square(v)))
        return tf.reduce_sum(normed * tf.tanh(self._keys + asked + b), [2])

    def __call__(self, query, state):
        with tf.variable_scope(None, 'bahdanau_attention', [query]):
            asked = self.query_layer(query) if self.query_layer else query
            alignments = self._probability_fn(self._score(asked), state)
        return alignments, alignments


def safe_cumprod(x, *args, **kwargs):
    with tf.name_scope(None, 'SafeCumprod', [x]):
        x = tf.convert_to_tensor(x, name='x')
        tiny = x.dtype.as_numpy_dtype(1.1754944e-38)
        return tf.exp(tf.cumsum(tf.log(tf.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i, previous_attention, mode):
    """Attention that only moves on: modes recursive, parallel and hard."""
    p, previous = (tf.convert_to_tensor(item) for item in (p_choose_i, previous_attention))
    if mode == 'recursive':
        batch = tf.shape(p)[0]
        shifted = tf.concat([tf.ones((batch, 1), p.dtype), 1 - p[:, :-1]], 1)
        found = tf.scan(lambda x, yz: tf.reshape(yz[0] * x + yz[1], (batch,)), [tf.transpose(shifted), tf.transpose(previous)],
                        tf.zeros((batch,), p.dtype))
        return p * tf.transpose(found)
    if mode == 'parallel':
        product = safe_cumprod(1 - p, axis=1, exclusive=True)
        return p * product * tf.cumsum(previous / tf.clip_by_value(product, 1e-10, 1.), axis=1)
    if mode == 'hard':
        p *= tf.cumsum(previous, axis=1)
        return p * tf.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _moving_on(noise, mode, seed):
    """Probabilities of attention that only moves on, from scores and the step before."""
    def probabilities(score, previous):
        if noise > 0:
            score += noise * tf.random_normal(tf.shape(score), dtype=score.dtype, seed=seed)
        chosen = tf.cast(score > 0, score.dtype) if mode == 'hard' else tf.sigmoid(score)
        return monotonic_attention(chosen, previous, mode)
    return probabilities


class _BaseMonotonicAttentionMechanism(_BaseAttentionMechanism):
    """Attention that starts at the first place of the memory."""

    def initial_alignments(self, batch_size, dtype):
        return tf.one_hot(tf.zeros((batch_size,), dtype=tf.int32), self._alignments_size, dtype=dtype)

    def _biased(self, score):
        return score + tf.get_variable('attention_score_bias', dtype=score.dtype, shape=(),
                                       initializer=tf.constant_initializer(self._score_bias_init, dtype=score.dtype))


class BahdanauMonotonicAttention(_BaseMonotonicAttentionMechanism):
    def __init__(self, num_units, memory, memory_sequence_length=None, normalize=False, score_mask_value=None, sigmoid_noise=0.,
                 sigmoid_noise_seed=None, score_bias_init=0., mode='parallel', dtype=None, name='BahdanauMonotonicAttention'):
        kind = dtype or tf.float32
        super().__init__(query_layer=Dense(num_units, name='query_layer', use_bias=False, dtype=kind),
                         memory_layer=Dense(num_units, name='memory_layer', use_bias=False, dtype=kind), memory=memory,
                         probability_fn=_moving_on(sigmoid_noise, mode, sigmoid_noise_seed),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name)
        self._num_units, self._normalize, self._name, self._score_bias_init = num_units, normalize, name, score_bias_init

    _score = BahdanauAttention._score

    def __call__(self, query, state):
        with tf.variable_scope(None, 'bahdanau_monotonic_attention', [query]):
            asked = self.query_layer(query) if self.query_layer else query
            alignments = self._probability_fn(self._biased(self._score(asked)), state)
        return alignments, alignments


class LuongMonotonicAttention(_BaseMonotonicAttentionMechanism):
    def __init__(self, num_units, memory, memory_sequence_length=None, scale=False, score_mask_value=None, sigmoid_noise=0.,
                 sigmoid_noise_seed=None, score_bias_init=0., mode='parallel', dtype=None, name='LuongMonotonicAttention'):
        super().__init__(query_layer=None, memory_layer=Dense(num_units, name='memory_layer', use_bias=False, dtype=dtype or tf.float32),
                         memory=memory, probability_fn=_moving_on(sigmoid_noise, mode, sigmoid_noise_seed),
                         memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name)
        self._num_units, self._scale, self._name, self._score_bias_init = num_units, scale, name, score_bias_init

    def __call__(self, query, state):
        with tf.variable_scope(None, 'luong_monotonic_attention', [query]):
            scale = tf.get_variable('attention_g', dtype=query.dtype, initializer=tf.ones_initializer(), shape=()) if self._scale else None
            alignments = self._probability_fn(self._biased(_luong_score(query, self._keys, scale)), state)
        return alignments, alignments


class AttentionWrapperState(collections.namedtuple(
        'AttentionWrapperState', ('cell_state', 'attention', 'time', 'alignments', 'alignment_history', 'attention_state'))):
    def clone(self, **kwargs):
        made = self._replace(**kwargs)
        return type(self)(*made)


def _compute_attention(mechanism, cell_output, attention_state, attention_layer):
    alignments, following = mechanism(cell_output, state=attention_state)
    context = tf.squeeze(tf.matmul(tf.expand_dims(alignments, 1), mechanism.values), [1])
    attention = attention_layer(tf.concat([cell_output, context], 1)) if attention_layer is not None else context
    return attention, alignments, following


class AttentionWrapper(rnn_cell.RNNCell):
    """A cell that sees what it attended to at the step before."""

    def __init__(self, cell, attention_mechanism, attention_layer_size=None, alignment_history=False, cell_input_fn=None,
                 output_attention=True, initial_cell_state=None, name=None, attention_layer=None, attention_fn=None, dtype=None):
        super().__init__(name=name, dtype=dtype)
        rnn_cell.assert_like_rnncell('cell', cell)
        self._is_multi = isinstance(attention_mechanism, (list, tuple))
        self._attention_mechanisms = tuple(attention_mechanism) if self._is_multi else (attention_mechanism,)
        if attention_layer_size is not None and attention_layer is not None:
            raise ValueError('Only one of attention_layer_size and attention_layer should be set')
        self._cell_input_fn = cell_input_fn or (lambda inputs, attention: tf.concat([inputs, attention], -1))
        if attention_layer_size is not None:
            sizes = tuple(attention_layer_size) if isinstance(attention_layer_size, (list, tuple)) else (attention_layer_size,)
            if len(sizes) != len(self._attention_mechanisms):
                raise ValueError('If provided, attention_layer_size must contain exactly one integer per attention_mechanism')
            self._attention_layers = tuple(Dense(size, name='attention_layer', use_bias=False) for size in sizes)
            self._attention_layer_size = sum(sizes)
        elif attention_layer is not None:
            self._attention_layers = tuple(attention_layer) if isinstance(attention_layer, (list, tuple)) else (attention_layer,)
            self._attention_layer_size = sum(layer.units for layer in self._attention_layers)
        else:
            self._attention_layers = None
            self._attention_layer_size = sum(item.values.get_shape().as_list()[-1] for item in self._attention_mechanisms)
        self._cell, self._attention_fn = cell, attention_fn or _compute_attention
        self._output_attention, self._alignment_history = output_attention, alignment_history
        with tf.name_scope(name, 'AttentionWrapperInit'):
            self._initial_cell_state = None if initial_cell_state is None else \
                nest.map_structure(lambda item: tf.identity(item, name='check_initial_cell_state'), initial_cell_state)

    def _one_or_all(self, values):
        return tuple(values) if self._is_multi else next(iter(values))

    @property
    def output_size(self):
        return self._attention_layer_size if self._output_attention else self._cell.output_size

    @property
    def state_size(self):
        return AttentionWrapperState(
            cell_state=self._cell.state_size, time=TensorShape([]), attention=self._attention_layer_size,
            alignments=self._one_or_all([item.alignments_size for item in self._attention_mechanisms]),
            attention_state=self._one_or_all([item.state_size for item in self._attention_mechanisms]),
            alignment_history=self._one_or_all([item.alignments_size if self._alignment_history else () for item in
                                                self._attention_mechanisms]))

    def zero_state(self, batch_size, dtype):
        with tf.name_scope(type(self).__name__ + 'ZeroState', values=[batch_size]):
            state = self._initial_cell_state if self._initial_cell_state is not None else self._cell.zero_state(batch_size, dtype)
            alignments = [item.initial_alignments(batch_size, dtype) for item in self._attention_mechanisms]
            history = [TensorArray(dtype=dtype, size=0, dynamic_size=True, element_shape=item.get_shape())
                       if self._alignment_history else () for item in alignments]
            return AttentionWrapperState(
                cell_state=state, time=tf.zeros([], dtype=tf.int32),
                attention=rnn_cell._zero_state_tensors(self._attention_layer_size, batch_size, dtype),
                alignments=self._one_or_all(alignments),
                attention_state=self._one_or_all([item.initial_state(batch_size, dtype) for item in self._attention_mechanisms]),
                alignment_history=self._one_or_all(history))

    def call(self, inputs, state):
        if not isinstance(state, AttentionWrapperState):
            raise TypeError('Expected state to be instance of AttentionWrapperState. Received type %s instead.' % type(state))
        cell_output, cell_state = self._cell(self._cell_input_fn(inputs, state.attention), state.cell_state)
        if self._is_multi:
            before, history = state.attention_state, state.alignment_history
        else:
            before, history = [state.attention_state], [state.alignment_history]
        attentions, alignments, states, histories = [], [], [], []
        for i, mechanism in enumerate(self._attention_mechanisms):
            attention, alignment, following = self._attention_fn(mechanism, cell_output, before[i],
                                                                 self._attention_layers[i] if self._attention_layers else None)
            attentions.append(attention)
            alignments.append(alignment)
            states.append(following)
            histories.append(history[i].write(state.time, alignment) if self._alignment_history else ())
        attention = tf.concat(attentions, 1)
        made = AttentionWrapperState(time=state.time + 1, cell_state=cell_state, attention=attention,
                                     attention_state=self._one_or_all(states), alignments=self._one_or_all(alignments),
                                     alignment_history=self._one_or_all(histories))
        return (attention if self._output_attention else cell_output), made
