"""tf.contrib.legacy_seq2seq: encoders and decoders over lists of steps, one graph a step."""
from .. import rnn, rnn_cell_more
from ..public import tf
from ..rnn_cell_more import _linear


def _extract_argmax_and_embed(embedding, output_projection=None, update_embedding=True):
    """A loop function: the next input is the embedding of the most likely symbol."""
    def following(prev, _):
        if output_projection is not None:
            prev = tf.nn.xw_plus_b(prev, output_projection[0], output_projection[1])
        found = tf.nn.embedding_lookup(embedding, tf.argmax(prev, 1))
        return found if update_embedding else tf.stop_gradient(found)
    return following


def rnn_decoder(decoder_inputs, initial_state, cell, loop_function=None, scope=None):
    with tf.variable_scope(scope or 'rnn_decoder'):
        state, outputs, previous = initial_state, [], None
        for i, inputs in enumerate(decoder_inputs):
            if loop_function is not None and previous is not None:
                with tf.variable_scope('loop_function', reuse=True):
                    inputs = loop_function(previous, i)
            if i > 0:
                tf.get_variable_scope().reuse_variables()
            output, state = cell(inputs, state)
            outputs.append(output)
            previous = output if loop_function is not None else None
    return outputs, state


def basic_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, dtype=tf.float32, scope=None):
    import copy
    with tf.variable_scope(scope or 'basic_rnn_seq2seq'):
        _, state = rnn.static_rnn(copy.deepcopy(cell), encoder_inputs, dtype=dtype)
        return rnn_decoder(decoder_inputs, state, cell)


def tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, loop_function=None, dtype=tf.float32, scope=None):
    with tf.variable_scope('combined_tied_rnn_seq2seq'):
        scope = scope or 'tied_rnn_seq2seq'
        _, state = rnn.static_rnn(cell, encoder_inputs, dtype=dtype, scope=scope)
        tf.get_variable_scope().reuse_variables()
        return rnn_decoder(decoder_inputs, state, cell, loop_function=loop_function, scope=scope)


def embedding_rnn_decoder(decoder_inputs, initial_state, cell, num_symbols, embedding_size, output_projection=None,
                          feed_previous=False, update_embedding_for_previous=True, scope=None):
    with tf.variable_scope(scope or 'embedding_rnn_decoder') as scope:
        if output_projection is not None:
            _check_projection(output_projection, num_symbols, scope.dtype)
        embedding = tf.get_variable('embedding', [num_symbols, embedding_size])
        following = _extract_argmax_and_embed(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        inputs = [tf.nn.embedding_lookup(embedding, item) for item in decoder_inputs]
        return rnn_decoder(inputs, initial_state, cell, loop_function=following)


def _check_projection(projection, count, dtype):
    shape = tf.convert_to_tensor(projection[0], dtype=dtype).get_shape()
    shape.assert_is_compatible_with([None, count])
    tf.convert_to_tensor(projection[1], dtype=dtype).get_shape().assert_is_compatible_with([count])


def _either(feed_previous, decode):
    """What decode(flag) gives, where the flag may be a tensor: both are built and share their variables."""
    if isinstance(feed_previous, bool):
        return decode(feed_previous)

    def branch(flag):
        with tf.variable_scope(tf.get_variable_scope(), reuse=None if flag else True):
            outputs, state = decode(flag)
            return outputs + tf.contrib.framework.nest.flatten(state)
    structure = []

    def first(flag=True):
        with tf.variable_scope(tf.get_variable_scope(), reuse=None if flag else True):
            outputs, state = decode(flag)
            structure[:] = [len(outputs), state]
            return outputs + tf.contrib.framework.nest.flatten(state)
    found = tf.cond(feed_previous, first, lambda: branch(False))
    count, state = structure
    rest = found[count:]
    if tf.contrib.framework.nest.is_sequence(state):
        rest = tf.contrib.framework.nest.pack_sequence_as(structure=state, flat_sequence=rest)
    else:
        rest = rest[0]
    return found[:count], rest


def embedding_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size,
                          output_projection=None, feed_previous=False, dtype=None, scope=None):
    import copy
    with tf.variable_scope(scope or 'embedding_rnn_seq2seq') as scope:
        if dtype is not None:
            scope.set_dtype(dtype)
        encoder = rnn_cell_more.EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols,
                                                 embedding_size=embedding_size)
        _, state = rnn.static_rnn(encoder, encoder_inputs, dtype=scope.dtype)
        if output_projection is None:
            cell = rnn_cell_more.OutputProjectionWrapper(cell, num_decoder_symbols)

        def decode(flag):
            return embedding_rnn_decoder(decoder_inputs, state, cell, num_decoder_symbols, embedding_size,
                                         output_projection=output_projection, feed_previous=flag)
        return _either(feed_previous, decode)


def embedding_tied_rnn_seq2seq(encoder_inputs, decoder_inputs, cell, num_symbols, embedding_size, num_decoder_symbols=None,
                               output_projection=None, feed_previous=False, dtype=None, scope=None):
    with tf.variable_scope(scope or 'embedding_tied_rnn_seq2seq', dtype=dtype) as scope:
        dtype = scope.dtype
        embedding = tf.get_variable('embedding', [num_symbols, embedding_size], dtype=dtype)
        sources = [tf.nn.embedding_lookup(embedding, item) for item in encoder_inputs]
        targets = [tf.nn.embedding_lookup(embedding, item) for item in decoder_inputs]
        if output_projection is None:
            cell = rnn_cell_more.OutputProjectionWrapper(cell, num_symbols if num_decoder_symbols is None else num_decoder_symbols)

        def decode(flag):
            following = _extract_argmax_and_embed(embedding, output_projection, True) if flag else None
            return tied_rnn_seq2seq(sources, targets, cell, loop_function=following, dtype=dtype)
        return _either(feed_previous, decode)


def attention_decoder(decoder_inputs, initial_state, attention_states, cell, output_size=None, num_heads=1, loop_function=None,
                      dtype=None, scope=None, initial_state_attention=False):
    if not decoder_inputs:
        raise ValueError('Must provide at least 1 input to attention decoder.')
    if num_heads < 1:
        raise ValueError('With less than 1 heads, use a non-attention decoder.')
    if attention_states.get_shape().as_list()[2] is None:
        raise ValueError('Shape[2] of attention_states must be known: %s' % attention_states.get_shape())
    output_size = cell.output_size if output_size is None else output_size
    with tf.variable_scope(scope or 'attention_decoder', dtype=dtype) as scope:
        dtype = scope.dtype
        batch = tf.shape(decoder_inputs[0])[0]
        length = attention_states.get_shape().as_list()[1]
        length = tf.shape(attention_states)[1] if length is None else length
        size = attention_states.get_shape().as_list()[2]
        hidden = tf.reshape(attention_states, [-1, length, 1, size])
        features, vectors = [], []
        for head in range(num_heads):
            kernel = tf.get_variable('AttnW_%d' % head, [1, 1, size, size], dtype=dtype)
            features.append(tf.nn.conv2d(hidden, kernel, [1, 1, 1, 1], 'SAME'))
            vectors.append(tf.get_variable('AttnV_%d' % head, [size], dtype=dtype))

        def attention(query):
            found = []
            parts = tf.contrib.framework.nest.flatten(query) if tf.contrib.framework.nest.is_sequence(query) else [query]
            query = tf.concat(parts, 1)
            for head in range(num_heads):
                with tf.variable_scope('Attention_%d' % head):
                    asked = tf.reshape(tf.cast(_linear(query, size, True), dtype), [-1, 1, 1, size])
                    score = tf.reduce_sum(vectors[head] * tf.tanh(features[head] + asked), [2, 3])
                    weight = tf.cast(tf.nn.softmax(tf.cast(score, tf.float32)), dtype)
                    read = tf.reduce_sum(tf.reshape(weight, [-1, length, 1, 1]) * hidden, [1, 2])
                    found.append(tf.reshape(read, [-1, size]))
            return found
        state, outputs, previous = initial_state, [], None
        attended = [tf.zeros(tf.stack([batch, size]), dtype=dtype) for _ in range(num_heads)]
        for item in attended:
            item.set_shape([None, size])
        if initial_state_attention:
            attended = attention(initial_state)
        for i, inputs in enumerate(decoder_inputs):
            if i > 0:
                tf.get_variable_scope().reuse_variables()
            if loop_function is not None and previous is not None:
                with tf.variable_scope('loop_function', reuse=True):
                    inputs = loop_function(previous, i)
            depth = inputs.get_shape().with_rank(2).as_list()[1]
            if depth is None:
                raise ValueError('Could not infer input size from input: %s' % inputs.name)
            mixed = tf.cast(_linear([tf.cast(item, dtype) for item in [inputs] + attended], depth, True), dtype)
            cell_output, state = cell(mixed, state)
            if i == 0 and initial_state_attention:
                with tf.variable_scope(tf.get_variable_scope(), reuse=True):
                    attended = attention(state)
            else:
                attended = attention(state)
            with tf.variable_scope('AttnOutputProjection'):
                output = _linear([tf.cast(cell_output, dtype)] + attended, output_size, True)
            previous = output if loop_function is not None else None
            outputs.append(output)
    return outputs, state


def embedding_attention_decoder(decoder_inputs, initial_state, attention_states, cell, num_symbols, embedding_size, num_heads=1,
                                output_size=None, output_projection=None, feed_previous=False,
                                update_embedding_for_previous=True, dtype=None, scope=None, initial_state_attention=False):
    output_size = cell.output_size if output_size is None else output_size
    if output_projection is not None:
        tf.convert_to_tensor(output_projection[1], dtype=dtype).get_shape().assert_is_compatible_with([num_symbols])
    with tf.variable_scope(scope or 'embedding_attention_decoder', dtype=dtype):
        embedding = tf.get_variable('embedding', [num_symbols, embedding_size])
        following = _extract_argmax_and_embed(embedding, output_projection, update_embedding_for_previous) if feed_previous else None
        inputs = [tf.nn.embedding_lookup(embedding, item) for item in decoder_inputs]
        return attention_decoder(inputs, initial_state, attention_states, cell, output_size=output_size, num_heads=num_heads,
                                 loop_function=following, initial_state_attention=initial_state_attention)


def embedding_attention_seq2seq(encoder_inputs, decoder_inputs, cell, num_encoder_symbols, num_decoder_symbols, embedding_size,
                                num_heads=1, output_projection=None, feed_previous=False, dtype=None, scope=None,
                                initial_state_attention=False):
    import copy
    with tf.variable_scope(scope or 'embedding_attention_seq2seq', dtype=dtype) as scope:
        dtype = scope.dtype
        encoder = rnn_cell_more.EmbeddingWrapper(copy.deepcopy(cell), embedding_classes=num_encoder_symbols,
                                                 embedding_size=embedding_size)
        encoded, state = rnn.static_rnn(encoder, encoder_inputs, dtype=dtype)
        states = tf.concat([tf.reshape(item, [-1, 1, cell.output_size]) for item in encoded], 1)
        output_size = None
        if output_projection is None:
            cell = rnn_cell_more.OutputProjectionWrapper(cell, num_decoder_symbols)
            output_size = num_decoder_symbols

        def decode(flag):
            return embedding_attention_decoder(
                decoder_inputs, state, states, cell, num_decoder_symbols, embedding_size, num_heads=num_heads,
                output_size=output_size, output_projection=output_projection, feed_previous=flag,
                initial_state_attention=initial_state_attention)
        return _either(feed_previous, decode)


def one2many_rnn_seq2seq(encoder_inputs, decoder_inputs_dict, enc_cell, dec_cells_dict, num_encoder_symbols,
                         num_decoder_symbols_dict, embedding_size, feed_previous=False, dtype=None, scope=None):
    outputs, states = {}, {}
    with tf.variable_scope(scope or 'one2many_rnn_seq2seq', dtype=dtype) as scope:
        encoder = rnn_cell_more.EmbeddingWrapper(enc_cell, embedding_classes=num_encoder_symbols, embedding_size=embedding_size)
        _, state = rnn.static_rnn(encoder, encoder_inputs, dtype=scope.dtype)
        for name, inputs in decoder_inputs_dict.items():
            count = num_decoder_symbols_dict[name]
            with tf.variable_scope('one2many_decoder_' + str(name)):
                cell = rnn_cell_more.OutputProjectionWrapper(dec_cells_dict[name], count)
                outputs[name], states[name] = _either(feed_previous, lambda flag: embedding_rnn_decoder(
                    inputs, state, cell, count, embedding_size, feed_previous=flag))
    return outputs, states


def sequence_loss_by_example(logits, targets, weights, average_across_timesteps=True, softmax_loss_function=None, name=None):
    if len(targets) != len(logits) or len(weights) != len(logits):
        raise ValueError('Lengths of logits, weights, and targets must be the same %d, %d, %d.' %
                         (len(logits), len(weights), len(targets)))
    with tf.name_scope(name, 'sequence_loss_by_example', logits + targets + weights):
        losses = []
        for logit, target, weight in zip(logits, targets, weights):
            if softmax_loss_function is None:
                target = tf.reshape(target, [-1])
                loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logit)
            else:
                loss = softmax_loss_function(labels=target, logits=logit)
            losses.append(loss * weight)
        total = tf.add_n(losses)
        if average_across_timesteps:
            total /= tf.add_n(weights) + 1e-12
    return total


def sequence_loss(logits, targets, weights, average_across_timesteps=True, average_across_batch=True, softmax_loss_function=None,
                  name=None):
    with tf.name_scope(name, 'sequence_loss', logits + targets + weights):
        cost = tf.reduce_sum(sequence_loss_by_example(logits, targets, weights, average_across_timesteps=average_across_timesteps,
                                                      softmax_loss_function=softmax_loss_function))
        return cost / tf.cast(tf.shape(targets[0])[0], cost.dtype) if average_across_batch else cost


def model_with_buckets(encoder_inputs, decoder_inputs, targets, weights, buckets, seq2seq, softmax_loss_function=None,
                       per_example_loss=False, name=None):
    longest = buckets[-1]
    for what, values, size in (('encoder_inputs', encoder_inputs, longest[0]), ('targets', targets, longest[1]),
                               ('weights', weights, longest[1])):
        if len(values) < size:
            raise ValueError('Length of %s (%d) must be at least that of last bucket (%d).' % (what, len(values), size))
    losses, outputs = [], []
    with tf.name_scope(name, 'model_with_buckets', encoder_inputs + decoder_inputs + targets + weights):
        for j, (source, target) in enumerate(buckets):
            with tf.variable_scope(tf.get_variable_scope(), reuse=True if j > 0 else None):
                found, _ = seq2seq(encoder_inputs[:source], decoder_inputs[:target])
                outputs.append(found)
                loss = sequence_loss_by_example if per_example_loss else sequence_loss
                losses.append(loss(found, targets[:target], weights[:target], softmax_loss_function=softmax_loss_function))
    return outputs, losses
