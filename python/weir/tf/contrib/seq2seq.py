"""tf.contrib.seq2seq: decoders, the helpers that give their inputs, and the loop that runs them."""
import collections

from .. import nest
from ..public import tf
from ..shapes import TensorShape
from ..tensor_array import TensorArray


def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True, sum_over_timesteps=False,
                  sum_over_batch=False, softmax_loss_function=None, name=None):
    """Weighted cross entropy of [batch, time, classes] logits."""
    for tensor, rank, what in ((logits, 3, 'Logits must be a [batch_size x sequence_length x logits] tensor'),
                               (targets, 2, 'Targets must be a [batch_size x sequence_length] tensor'),
                               (weights, 2, 'Weights must be a [batch_size x sequence_length] tensor')):
        if len(tensor.get_shape()) != rank:
            raise ValueError(what)
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError('average_across_timesteps and sum_over_timesteps cannot be set to True at same time.')
    if average_across_batch and sum_over_batch:
        raise ValueError('average_across_batch and sum_over_batch cannot be set to True at same time.')
    with tf.name_scope(name, 'sequence_loss', [logits, targets, weights]):
        classes = tf.shape(logits)[2]
        flat, labels = tf.reshape(logits, [-1, classes]), tf.reshape(targets, [-1])
        if softmax_loss_function is None:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=flat)
        else:
            losses = softmax_loss_function(labels=labels, logits=flat)
        losses *= tf.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return tf.div_no_nan(tf.reduce_sum(losses), tf.cast(tf.reduce_sum(weights), losses.dtype))
        if sum_over_timesteps and sum_over_batch:
            return tf.div_no_nan(tf.reduce_sum(losses), tf.cast(tf.count_nonzero(weights), losses.dtype))
        losses = tf.reshape(losses, tf.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = 1 if average_across_timesteps else 0
            losses = tf.div_no_nan(tf.reduce_sum(losses, axis=[axis]), tf.reduce_sum(weights, axis=[axis]))
        elif sum_over_timesteps or sum_over_batch:
            axis = 1 if sum_over_timesteps else 0
            losses = tf.div_no_nan(tf.reduce_sum(losses, axis=[axis]),
                                   tf.cast(tf.count_nonzero(weights, axis=[axis]), losses.dtype))
        return losses


# ---- helpers -----------------------------------------------------------------------------------

class SequenceLoss:
    """sequence_loss as an object that is called with targets, logits and weights."""

    def __init__(self, average_across_timesteps=False, average_across_batch=False, sum_over_timesteps=True, sum_over_batch=True,
                 softmax_loss_function=None, name=None):
        self.reductions = dict(average_across_timesteps=average_across_timesteps, average_across_batch=average_across_batch,
                               sum_over_timesteps=sum_over_timesteps, sum_over_batch=sum_over_batch)
        self.softmax_loss_function, self.name = softmax_loss_function, name

    def __call__(self, y_true, y_pred, sample_weight=None):
        weights = tf.ones_like(y_true, dtype=y_pred.dtype) if sample_weight is None else sample_weight
        return sequence_loss(y_pred, y_true, weights, softmax_loss_function=self.softmax_loss_function, name=self.name,
                             **self.reductions)


class Helper:
    """Gives a decoder its inputs and samples from its outputs."""

    @property
    def batch_size(self):
        raise NotImplementedError('batch_size has not been implemented')

    @property
    def sample_ids_shape(self):
        return TensorShape([])

    @property
    def sample_ids_dtype(self):
        return tf.int32

    def initialize(self, name=None):
        raise NotImplementedError('initialize has not been implemented')

    def sample(self, time, outputs, state, name=None):
        raise NotImplementedError('sample has not been implemented')

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        raise NotImplementedError('next_inputs has not been implemented')


class CustomHelper(Helper):
    def __init__(self, initialize_fn, sample_fn, next_inputs_fn, sample_ids_shape=None, sample_ids_dtype=None):
        self._initialize_fn, self._sample_fn, self._next_inputs_fn = initialize_fn, sample_fn, next_inputs_fn
        self._shape = TensorShape(sample_ids_shape if sample_ids_shape is not None else [])
        self._dtype, self._batch_size = sample_ids_dtype or tf.int32, None

    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        with tf.name_scope(name, 'CustomHelperInitialize'):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = tf.size(finished)
        return finished, inputs

    def sample(self, time, outputs, state, name=None):
        with tf.name_scope(name, 'CustomHelperSample', (time, outputs, state)):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        with tf.name_scope(name, 'CustomHelperNextInputs', (time, outputs, state)):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


def _time_first(x):
    known = x.get_shape().ndims
    return tf.transpose(x, [1, 0] + list(range(2, known)))


def _array_of(x):
    return TensorArray(dtype=x.dtype, size=tf.shape(x)[0], element_shape=x.get_shape()[1:]).unstack(x)


class TrainingHelper(Helper):
    """The inputs are the given ones."""

    def __init__(self, inputs, sequence_length, time_major=False, name=None):
        with tf.name_scope(name, 'TrainingHelper', [inputs, sequence_length]):
            inputs = nest.map_structure(tf.convert_to_tensor, inputs)
            self._inputs = inputs
            if not time_major:
                inputs = nest.map_structure(_time_first, inputs)
            self._arrays = nest.map_structure(_array_of, inputs)
            self._lengths = tf.convert_to_tensor(sequence_length, name='sequence_length')
            if self._lengths.get_shape().ndims != 1:
                raise ValueError('Expected sequence_length to be a vector, but received shape: %s' % self._lengths.get_shape())
            self._zeros = nest.map_structure(lambda item: tf.zeros_like(item[0, :]), inputs)
            self._batch_size = tf.size(self._lengths)

    inputs = property(lambda self: self._inputs)
    sequence_length = property(lambda self: self._lengths)
    batch_size = property(lambda self: self._batch_size)

    def _read(self, done, at):
        return tf.cond(tf.reduce_all(done), lambda: self._zeros,
                       lambda: nest.map_structure(lambda array: array.read(at), self._arrays))

    def initialize(self, name=None):
        with tf.name_scope(name, 'TrainingHelperInitialize'):
            finished = tf.equal(0, self._lengths)
            return finished, self._read(finished, 0)

    def sample(self, time, outputs, name=None, **unused_kwargs):
        with tf.name_scope(name, 'TrainingHelperSample', [time, outputs]):
            return tf.cast(tf.argmax(outputs, axis=-1), tf.int32)

    def next_inputs(self, time, outputs, state, name=None, **unused_kwargs):
        with tf.name_scope(name, 'TrainingHelperNextInputs', [time, outputs, state]):
            following = time + 1
            finished = following >= self._lengths
            return finished, self._read(finished, following), state


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """Now and then an input is the embedding of what was sampled."""

    def __init__(self, inputs, sequence_length, embedding, sampling_probability, time_major=False, seed=None,
                 scheduling_seed=None, name=None):
        self._embedding_fn = embedding if callable(embedding) else lambda ids: tf.nn.embedding_lookup(embedding, ids)
        self._probability = tf.convert_to_tensor(sampling_probability, name='sampling_probability')
        self._seed, self._scheduling_seed = seed, scheduling_seed
        super().__init__(inputs, sequence_length, time_major=time_major, name=name)

    def initialize(self, name=None):
        return super().initialize(name=name)

    def sample(self, time, outputs, state, name=None):
        with tf.name_scope(name, 'ScheduledEmbeddingTrainingHelperSample', [time, outputs, state]):
            chosen = tf.random_uniform([self.batch_size], seed=self._scheduling_seed) < self._probability
            ids = tf.cast(tf.squeeze(tf.multinomial(outputs, 1, seed=self._seed), [1]), tf.int32)
            return tf.where(chosen, ids, tf.fill([self.batch_size], -1))

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        finished, base, state = super().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids)

        def mixed():
            taken = sample_ids > -1
            found = self._embedding_fn(tf.where(taken, sample_ids, tf.zeros_like(sample_ids)))
            return tf.where(taken, found, base)
        return finished, tf.cond(tf.reduce_all(finished), lambda: base, mixed), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """Now and then an input is the output before."""

    def __init__(self, inputs, sequence_length, sampling_probability, time_major=False, seed=None, next_inputs_fn=None,
                 auxiliary_inputs=None, name=None):
        self._probability = tf.convert_to_tensor(sampling_probability, name='sampling_probability')
        self._seed, self._next_inputs_fn = seed, next_inputs_fn
        if auxiliary_inputs is not None:
            inputs = tf.concat([inputs, auxiliary_inputs], -1)
        super().__init__(inputs, sequence_length, time_major=time_major, name=name)

    def sample(self, time, outputs, state, name=None):
        return tf.random_uniform([self.batch_size], seed=self._seed) < self._probability

    sample_ids_dtype = property(lambda self: tf.bool)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        finished, base, state = super().next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids)
        made = outputs if self._next_inputs_fn is None else self._next_inputs_fn(outputs)
        return finished, tf.cond(tf.reduce_all(finished), lambda: base, lambda: tf.where(sample_ids, made, base)), state


class GreedyEmbeddingHelper(Helper):
    """The next input is the embedding of the most likely symbol."""

    def __init__(self, embedding, start_tokens, end_token):
        self._embedding_fn = embedding if callable(embedding) else lambda ids: tf.nn.embedding_lookup(embedding, ids)
        self._start_tokens = tf.convert_to_tensor(start_tokens, dtype=tf.int32, name='start_tokens')
        self._end_token = tf.convert_to_tensor(end_token, dtype=tf.int32, name='end_token')
        if self._start_tokens.get_shape().ndims != 1:
            raise ValueError('start_tokens must be a vector')
        self._batch_size = tf.size(start_tokens)
        if self._end_token.get_shape().ndims != 0:
            raise ValueError('end_token must be a scalar')
        self._start_inputs = self._embedding_fn(self._start_tokens)

    batch_size = property(lambda self: self._batch_size)

    def initialize(self, name=None):
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return tf.argmax(outputs, axis=-1, output_type=tf.int32)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        finished = tf.equal(sample_ids, self._end_token)
        inputs = tf.cond(tf.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(sample_ids))
        return finished, inputs, state


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """The next input is the embedding of a symbol drawn from the outputs."""

    def __init__(self, embedding, start_tokens, end_token, softmax_temperature=None, seed=None):
        super().__init__(embedding, start_tokens, end_token)
        self._temperature, self._seed = softmax_temperature, seed

    def sample(self, time, outputs, state, name=None):
        logits = outputs if self._temperature is None else outputs / self._temperature
        return tf.cast(tf.squeeze(tf.multinomial(logits, 1, seed=self._seed), [1]), tf.int32)


class InferenceHelper(Helper):
    def __init__(self, sample_fn, sample_shape, sample_dtype, start_inputs, end_fn, next_inputs_fn=None):
        self._sample_fn, self._end_fn, self._next_inputs_fn = sample_fn, end_fn, next_inputs_fn
        self._shape, self._dtype = TensorShape(sample_shape), sample_dtype
        self._start_inputs = tf.convert_to_tensor(start_inputs, name='start_inputs')
        self._batch_size = tf.shape(start_inputs)[0]

    batch_size = property(lambda self: self._batch_size)
    sample_ids_shape = property(lambda self: self._shape)
    sample_ids_dtype = property(lambda self: self._dtype)

    def initialize(self, name=None):
        return tf.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time, outputs, state, name=None):
        return self._sample_fn(outputs)

    def next_inputs(self, time, outputs, state, sample_ids, name=None):
        made = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), made, state


# ---- decoders ----------------------------------------------------------------------------------

class Decoder:
    """One step of decoding."""

    @property
    def batch_size(self):
        raise NotImplementedError

    @property
    def output_size(self):
        raise NotImplementedError

    @property
    def output_dtype(self):
        raise NotImplementedError

    def initialize(self, name=None):
        raise NotImplementedError

    def step(self, time, inputs, state, name=None):
        raise NotImplementedError

    def finalize(self, outputs, final_state, sequence_lengths):
        raise NotImplementedError

    @property
    def tracks_own_finished(self):
        return False


class BasicDecoderOutput(collections.namedtuple('BasicDecoderOutput', ('rnn_output', 'sample_id'))):
    pass


def output_size_of(cell, output_layer):
    """The size of a cell's outputs after the layer, without the batch."""
    size = cell.output_size
    if output_layer is None:
        return size
    units = getattr(output_layer, 'units', None)
    if units is not None:
        return TensorShape([units])
    return nest.map_structure(lambda one: output_layer.compute_output_shape(TensorShape([None]).concatenate(one))[1:], size)


class BasicDecoder(Decoder):
    def __init__(self, cell, helper, initial_state, output_layer=None):
        from ..rnn_cell import assert_like_rnncell
        assert_like_rnncell('cell', cell)
        if not isinstance(helper, Helper):
            raise TypeError('helper must be a Helper, received: %s' % type(helper))
        self._cell, self._helper, self._initial_state, self._output_layer = cell, helper, initial_state, output_layer

    batch_size = property(lambda self: self._helper.batch_size)

    @property
    def output_size(self):
        return BasicDecoderOutput(rnn_output=output_size_of(self._cell, self._output_layer), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self):
        dtype = nest.flatten(self._initial_state)[0].dtype
        return BasicDecoderOutput(nest.map_structure(lambda _: dtype, output_size_of(self._cell, self._output_layer)),
                                  self._helper.sample_ids_dtype)

    def initialize(self, name=None):
        return self._helper.initialize() + (self._initial_state,)

    def step(self, time, inputs, state, name=None):
        with tf.name_scope(name, 'BasicDecoderStep', (time, inputs, state)):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, following, state = self._helper.next_inputs(time=time, outputs=outputs, state=state, sample_ids=ids)
        return BasicDecoderOutput(outputs, ids), state, following, finished


def _zeros(size, dtype, batch_size):
    shape = TensorShape(size) if not isinstance(size, int) else TensorShape([size])
    made = tf.zeros(tf.concat([tf.reshape(batch_size, [1]), shape.as_list()], 0) if shape.ndims else tf.reshape(batch_size, [1]), dtype)
    known = tf.contrib.util.constant_value(batch_size) if not isinstance(batch_size, int) else batch_size
    made.set_shape(TensorShape([None if known is None else int(known)]).concatenate(shape))
    return made


def _keeps(value):
    return isinstance(value, TensorArray) or value.get_shape().ndims == 0


def dynamic_decode(decoder, output_time_major=False, impute_finished=False, maximum_iterations=None, parallel_iterations=32,
                   swap_memory=False, scope=None, **kwargs):
    """Runs the decoder until all sequences have ended: (outputs, state, lengths)."""
    if not isinstance(decoder, Decoder):
        raise TypeError('Expected decoder to be type Decoder, but saw: %s' % type(decoder))
    with tf.variable_scope(scope, 'decoder') as varscope:
        if varscope.caching_device is None:
            varscope.set_caching_device(lambda op: op.device)
        if maximum_iterations is not None:
            maximum_iterations = tf.convert_to_tensor(maximum_iterations, dtype=tf.int32, name='maximum_iterations')
            if maximum_iterations.get_shape().ndims != 0:
                raise ValueError('maximum_iterations must be a scalar')
        finished, inputs, state = decoder.initialize(**kwargs)
        zeros = nest.map_structure(lambda size, dtype: _zeros(size, dtype, decoder.batch_size),
                                   _sizes(decoder.output_size), decoder.output_dtype)
        if maximum_iterations is not None:
            finished = tf.logical_or(finished, 0 >= maximum_iterations)
        lengths = tf.zeros_like(finished, dtype=tf.int32)
        arrays = nest.map_structure(lambda item: TensorArray(item.dtype, 0, dynamic_size=True, clear_after_read=False,
                                                             element_shape=item.get_shape()), zeros)

        def go_on(time, arrays, state, inputs, finished, lengths):
            return tf.logical_not(tf.reduce_all(finished))

        def body(time, arrays, state, inputs, finished, lengths):
            outputs, new_state, following, done = decoder.step(time, inputs, state, **kwargs)
            next_finished = done if decoder.tracks_own_finished else tf.logical_or(done, finished)
            next_lengths = tf.where(tf.logical_not(finished), tf.fill(tf.shape(lengths), time + 1), lengths)
            nest.assert_same_structure(state, new_state)
            if maximum_iterations is not None:
                next_finished = tf.logical_or(next_finished, time + 1 >= maximum_iterations)
            if impute_finished:
                emitted = nest.map_structure(lambda out, zero: tf.where(finished, zero, out), outputs, zeros)
            else:
                emitted = outputs
            flat = []
            for new, old in zip(nest.flatten(new_state), nest.flatten(state)):
                if isinstance(new, TensorArray):
                    flat.append(new)
                    continue
                new.set_shape(old.get_shape())
                flat.append(new if not impute_finished or _keeps(new) else tf.where(finished, old, new))
            new_state = nest.pack_sequence_as(new_state, flat)
            for new, old in zip(nest.flatten([following, next_finished, next_lengths]), nest.flatten([inputs, finished, lengths])):
                new.set_shape(old.get_shape())
            arrays = nest.map_structure(lambda array, out: array.write(time, out), arrays, emitted)
            return time + 1, arrays, new_state, following, next_finished, next_lengths
        _, arrays, state, _, _, lengths = tf.while_loop(
            go_on, body, (tf.constant(0, dtype=tf.int32), arrays, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations, swap_memory=swap_memory)
        outputs = nest.map_structure(lambda array: array.stack(), arrays)
        try:
            outputs, state = decoder.finalize(outputs, state, lengths)
        except NotImplementedError:
            pass
        if not output_time_major:
            outputs = nest.map_structure(_time_first, outputs)
    return outputs, state, lengths


def _sizes(structure):
    """Sizes as leaves: a shape or a number each."""
    if hasattr(structure, '_fields'):
        return type(structure)(*[_sizes(item) for item in structure])
    return structure if isinstance(structure, (int, TensorShape)) else TensorShape(structure)


def tile_batch(t, multiplier, name=None):
    """Every row `multiplier` times, one after the other."""
    with tf.name_scope(name, 'tile_batch', nest.flatten(t) + [multiplier]):
        return nest.map_structure(lambda item: _tile_batch(item, multiplier), t)


def _tile_batch(t, multiplier):
    t = tf.convert_to_tensor(t, name='t')
    known = t.get_shape()
    if known.ndims is None:
        raise ValueError('t must have statically known rank')
    tiled = tf.tile(tf.expand_dims(t, 1), [1, multiplier] + [1] * (known.ndims - 1))
    tiled = tf.reshape(tiled, tf.concat(([tf.shape(t)[0] * multiplier], tf.shape(t)[1:]), 0))
    first = known.as_list()[0]
    tiled.set_shape(TensorShape([None if first is None or not isinstance(multiplier, int) else first * multiplier]).concatenate(known[1:]))
    return tiled
