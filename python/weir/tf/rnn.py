"""static_rnn, dynamic_rnn, raw_rnn and what runs a cell in both directions."""
from . import array_ops, control_flow_ops, dtypes, math_ops, nest
from . import rnn_cell as rnn_cell_impl
from .check_ops import assert_equal
from .control_flow_ops import while_loop
from .convert import constant_value, convert_to_tensor
from .rnn_cell import _concat, assert_like_rnncell
from .scopes import control_dependencies, name_scope
from .shapes import TensorShape, as_shape
from .tensor import Tensor
from .tensor_array import TensorArray
from .variable_scope import variable_scope

_state_size_with_prefix = _concat


def _transpose_batch_time(x):
    """[batch, time, ...] to [time, batch, ...] and back."""
    known = x.get_shape()
    if known.ndims is not None and known.ndims < 2:
        raise ValueError('Expected input tensor %s to have rank at least 2, but saw shape: %s' % (x, known))
    if known.ndims is not None:
        return array_ops.transpose(x, [1, 0] + list(range(2, known.ndims)))
    order = array_ops.concat(([1, 0], math_ops.range(2, array_ops.rank(x))), axis=0)
    return array_ops.transpose(x, order)


def _batch_size(leaves, axis):
    """The size of the batch: a number where one of the leaves knows it, else a tensor."""
    for leaf in leaves:
        shape = leaf.get_shape()
        if shape.ndims is not None and shape.ndims > axis and shape.as_list()[axis] is not None:
            return shape.as_list()[axis]
    return array_ops.shape(leaves[0])[axis]


def _first_state(cell, batch, initial_state, dtype):
    if initial_state is not None:
        return initial_state
    if not dtype:
        raise ValueError('If there is no initial_state, you must give a dtype.')
    if getattr(cell, 'get_initial_state', None) is not None and not hasattr(cell, 'zero_state'):
        return cell.get_initial_state(inputs=None, batch_size=batch, dtype=dtype)
    return cell.zero_state(batch, dtype)


def _zero_outputs(cell, batch, dtype):
    def zeros(size):
        made = array_ops.zeros(_concat(batch, size), dtype)
        made.set_shape(_concat(batch, size, static=True))
        return made
    return nest.map_structure(zeros, cell.output_size)


def _copy_through(done, old, new):
    """`old` in rows that are done, `new` elsewhere."""
    if hasattr(new, '_with_flow'):
        return new
    if new.get_shape().ndims == 0:
        return new
    made = array_ops.where(done, old, new)
    made.set_shape(new.get_shape())
    return made


def _step(time, sequence_length, zeros, state, call):
    """One step of a cell; rows whose sequence has ended give zeros and keep their state."""
    output, new_state = call()
    if sequence_length is None:
        return output, new_state
    nest.assert_same_structure(state, new_state)
    done = time >= sequence_length
    flat = [_copy_through(done, old, new) for old, new in zip(nest.flatten(zeros), nest.flatten(output))]
    kept = [_copy_through(done, old, new) for old, new in zip(nest.flatten(state), nest.flatten(new_state))]
    return nest.pack_sequence_as(zeros, flat), nest.pack_sequence_as(new_state, kept)


def _lengths(sequence_length):
    if sequence_length is None:
        return None
    sequence_length = math_ops.cast(convert_to_tensor(sequence_length), dtypes.int32)
    if sequence_length.get_shape().ndims not in (None, 1):
        raise ValueError('sequence_length must be a vector of length batch_size, but saw shape: %s' %
                         sequence_length.get_shape())
    return array_ops.identity(sequence_length, name='sequence_length')


def static_rnn(cell, inputs, initial_state=None, dtype=None, sequence_length=None, scope=None):
    """The cell applied to each of a list of inputs: (list of outputs, last state)."""
    assert_like_rnncell('cell', cell)
    if not nest.is_sequence(inputs):
        raise TypeError('inputs must be a sequence')
    if not inputs:
        raise ValueError('inputs must not be empty')
    outputs = []
    with variable_scope(scope or 'rnn') as varscope:
        leaves = nest.flatten(inputs[0])
        batch = _batch_size(leaves, 0)
        if sequence_length is not None:
            sequence_length = _lengths(sequence_length)
        state = _first_state(cell, batch, initial_state, dtype)
        zeros = None if sequence_length is None else _zero_outputs(cell, batch, _output_dtype(state, dtype, nest.flatten(inputs)))
        for time, item in enumerate(inputs):
            if time > 0:
                varscope.reuse_variables()
            output, state = _step(time, sequence_length, zeros, state, lambda: cell(item, state))
            outputs.append(output)
        return outputs, state


def static_state_saving_rnn(cell, inputs, state_saver, state_name, sequence_length=None, scope=None):
    """static_rnn whose first state comes from a saver, and whose last goes to it."""
    names = state_name if nest.is_sequence(state_name) else [state_name]
    sizes = nest.flatten(cell.state_size)
    if len(names) != len(sizes):
        raise ValueError('The number of state names (%d) and of parts of the state (%d) differ' % (len(names), len(sizes)))
    first = nest.pack_sequence_as(cell.state_size, [state_saver.state(name) for name in names])
    outputs, state = static_rnn(cell, inputs, first, sequence_length=sequence_length, scope=scope)
    saves = [state_saver.save_state(name, part) for name, part in zip(names, nest.flatten(state))]
    with control_dependencies(saves):
        outputs[-1] = nest.map_structure(array_ops.identity, outputs[-1])
    return outputs, state


def static_bidirectional_rnn(cell_fw, cell_bw, inputs, initial_state_fw=None, initial_state_bw=None, dtype=None,
                             sequence_length=None, scope=None):
    """(outputs of both directions side by side, last state forward, last state backward)."""
    assert_like_rnncell('cell_fw', cell_fw)
    assert_like_rnncell('cell_bw', cell_bw)
    if not nest.is_sequence(inputs):
        raise TypeError('inputs must be a sequence')
    if not inputs:
        raise ValueError('inputs must not be empty')
    with variable_scope(scope or 'bidirectional_rnn'):
        with variable_scope('fw') as fw_scope:
            forward, state_fw = static_rnn(cell_fw, inputs, initial_state_fw, dtype, sequence_length, scope=fw_scope)
        with variable_scope('bw') as bw_scope:
            backward, state_bw = static_rnn(cell_bw, _reverse_seq(inputs, sequence_length), initial_state_bw, dtype,
                                            sequence_length, scope=bw_scope)
    backward = _reverse_seq(backward, sequence_length)
    pairs = zip(nest.flatten(forward), nest.flatten(backward))
    outputs = [array_ops.concat([one, other], 1) for one, other in pairs]
    return nest.pack_sequence_as(forward, outputs), state_fw, state_bw


def _reverse_seq(inputs, lengths):
    """A list of inputs backward, each row up to its own length."""
    if lengths is None:
        return list(reversed(inputs))
    rows = [nest.flatten(item) for item in inputs]
    out = [[] for _ in inputs]
    for column in zip(*rows):
        joined = array_ops.reverse_sequence(array_ops.stack(column), lengths, seq_axis=0, batch_axis=1)
        for place, part in zip(out, array_ops.unstack(joined)):
            part.set_shape(column[0].get_shape())
            place.append(part)
    return [nest.pack_sequence_as(item, flat) for item, flat in zip(inputs, out)]


def bidirectional_dynamic_rnn(cell_fw, cell_bw, inputs, sequence_length=None, initial_state_fw=None, initial_state_bw=None,
                              dtype=None, parallel_iterations=None, swap_memory=False, time_major=False, scope=None):
    """((outputs forward, outputs backward), (last state forward, last state backward))."""
    assert_like_rnncell('cell_fw', cell_fw)
    assert_like_rnncell('cell_bw', cell_bw)
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)

    def turned(value):
        if sequence_length is not None:
            return array_ops.reverse_sequence(input=value, seq_lengths=sequence_length, seq_axis=time_axis, batch_axis=batch_axis)
        return array_ops.reverse(value, axis=[time_axis])
    with variable_scope(scope or 'bidirectional_rnn'):
        with variable_scope('fw') as fw_scope:
            forward, state_fw = dynamic_rnn(cell_fw, inputs, sequence_length, initial_state_fw, dtype, parallel_iterations,
                                            swap_memory, time_major, scope=fw_scope)
        with variable_scope('bw') as bw_scope:
            backward, state_bw = dynamic_rnn(cell_bw, nest.map_structure(turned, inputs), sequence_length, initial_state_bw,
                                             dtype, parallel_iterations, swap_memory, time_major, scope=bw_scope)
    return (forward, nest.map_structure(turned, backward)), (state_fw, state_bw)


def dynamic_rnn(cell, inputs, sequence_length=None, initial_state=None, dtype=None, parallel_iterations=None, swap_memory=False,
                time_major=False, scope=None):
    """The cell along the time dimension of a tensor, by a loop: (outputs, last state)."""
    assert_like_rnncell('cell', cell)
    with variable_scope(scope or 'rnn'):
        flat = [convert_to_tensor(item) for item in nest.flatten(inputs)]
        if not time_major:
            flat = [_transpose_batch_time(item) for item in flat]
        sequence_length = _lengths(sequence_length)
        batch = _batch_size(flat, 1)
        state = _first_state(cell, batch, initial_state, dtype)
        if sequence_length is not None:
            sequence_length = _checked_lengths(sequence_length, batch)
        outputs, state = _loop(cell, nest.pack_sequence_as(inputs, flat), flat, state, batch, sequence_length, dtype,
                               parallel_iterations or 32, swap_memory)
        return outputs if time_major else nest.map_structure(_transpose_batch_time, outputs), state


def _checked_lengths(sequence_length, batch):
    """The lengths, after it was seen that there is one for each row."""
    known = sequence_length.get_shape().as_list()[0] if sequence_length.get_shape().ndims else None
    if known is not None and isinstance(batch, int):
        if known != batch:
            raise ValueError('sequence_length has %d entries for a batch of %d' % (known, batch))
        return sequence_length
    expected = array_ops.stack([batch])
    check = assert_equal(array_ops.shape(sequence_length), expected,
                         message='Expected shape for Tensor %s is the batch size' % sequence_length.name)
    with control_dependencies([check]):
        return array_ops.identity(sequence_length, name='CheckSeqLen')


def _loop(cell, inputs, flat, state, batch, sequence_length, dtype, parallel_iterations, swap_memory):
    for item in flat:
        if item.get_shape().ndims is None or None in item.get_shape().as_list()[2:]:
            raise ValueError('Input size (depth of inputs) must be accessible via shape inference, but saw value None.')
    steps = flat[0].get_shape().as_list()[0]
    count = array_ops.shape(flat[0])[0] if steps is None else convert_to_tensor(steps, dtype=dtypes.int32)
    sizes = nest.flatten(cell.output_size)
    zeros = None if sequence_length is None else _zero_outputs(cell, batch, _output_dtype(state, dtype, flat))
    time = array_ops.constant(0, dtype=dtypes.int32, name='time')
    with name_scope('dynamic_rnn') as base:
        kind = _output_dtype(state, dtype, flat)
        arrays = [TensorArray(kind, size=count, tensor_array_name=base + 'output_%d' % i,
                              element_shape=TensorShape(_concat(batch, size, static=True)) if _is_known(size) else None)
                  for i, size in enumerate(sizes)]
        sources = [TensorArray(item.dtype, size=count, tensor_array_name=base + 'input_%d' % i).unstack(item)
                   for i, item in enumerate(flat)]
    bound = count
    if sequence_length is not None:
        bound = math_ops.minimum(count, math_ops.maximum(1, math_ops.reduce_max(sequence_length)))

    def body(time, arrays, state):
        values = [source.read(time) for source in sources]
        for value, item in zip(values, flat):
            value.set_shape(item.get_shape()[1:])
        values = nest.pack_sequence_as(inputs, values)
        output, new_state = _step(time, sequence_length, zeros, state, lambda: cell(values, state))
        nest.assert_same_structure(cell.output_size, output)
        arrays = tuple(array.write(time, leaf) for array, leaf in zip(arrays, nest.flatten(output)))
        return time + 1, arrays, new_state
    _, arrays, state = while_loop(lambda time, *unused: time < bound, body, (time, tuple(arrays), state),
                                  parallel_iterations=parallel_iterations, swap_memory=swap_memory)
    outputs = [array.stack() for array in arrays]
    for output, size in zip(outputs, sizes):
        output.set_shape(_concat([steps, batch if isinstance(batch, int) else None], size, static=True))
    return nest.pack_sequence_as(cell.output_size, outputs), state


def _is_known(size):
    return as_shape(size).is_fully_defined() if not isinstance(size, int) else True


def _output_dtype(state, dtype, flat):
    if dtype is not None:
        return dtypes.as_dtype(dtype).base_dtype
    leaves = [leaf for leaf in nest.flatten(state) if isinstance(leaf, Tensor)]
    return (leaves[0] if leaves else flat[0]).dtype.base_dtype


def raw_rnn(cell, loop_fn, parallel_iterations=None, swap_memory=False, scope=None):
    """A loop whose inputs, states and end loop_fn decides: (arrays of outputs, last state, last loop state)."""
    assert_like_rnncell('cell', cell)
    if not callable(loop_fn):
        raise TypeError('loop_fn must be a callable')
    with variable_scope(scope or 'rnn'):
        time = convert_to_tensor(0, dtype=dtypes.int32)
        done, next_input, state, structure, loop_state = loop_fn(time, None, None, None)
        kept = loop_state if loop_state is not None else convert_to_tensor(0, dtype=dtypes.int32)
        batch = _batch_size(nest.flatten(next_input), 0)
        if structure is None:
            sizes = nest.map_structure(lambda size: as_shape(size) if not isinstance(size, int) else TensorShape([size]),
                                       cell.output_size)
            kinds = nest.map_structure(lambda _: nest.flatten(state)[0].dtype, cell.output_size)
            structure = cell.output_size
        else:
            sizes, kinds = nest.map_structure(lambda t: t.get_shape(), structure), nest.map_structure(lambda t: t.dtype, structure)
        arrays = [TensorArray(kind, size=0, dynamic_size=True, name='rnn_output_%d' % i)
                  for i, kind in enumerate(nest.flatten(kinds))]
        zeros = [array_ops.zeros(_concat(batch, size), kind) for size, kind in
                 zip(_shape_leaves(sizes), nest.flatten(kinds))]
        return _raw_loop(cell, loop_fn, time, done, next_input, state, loop_state, kept, arrays, zeros, structure,
                         parallel_iterations or 32, swap_memory)


def _shape_leaves(sizes):
    return [sizes] if isinstance(sizes, TensorShape) else nest.flatten(sizes)


def _raw_loop(cell, loop_fn, time, done, next_input, state, loop_state, kept, arrays, zeros, structure, parallel_iterations,
              swap_memory):
    def body(time, done, current, arrays, state, kept):
        output, cell_state = cell(current, state)
        next_done, next_input, next_state, emit, next_kept = loop_fn(
            time + 1, output, cell_state, kept if loop_state is not None else None)
        nest.assert_same_structure(state, next_state)
        next_kept = kept if next_kept is None else next_kept
        emit = output if emit is None else emit
        emitted = [_copy_through(done, zero, leaf) for zero, leaf in zip(zeros, nest.flatten(emit))]
        carried = [_copy_through(done, old, new) for old, new in zip(nest.flatten(state), nest.flatten(next_state))]
        arrays = tuple(array.write(time, leaf) for array, leaf in zip(arrays, emitted))
        return (time + 1, math_ops.logical_or(next_done, done), next_input, arrays,
                nest.pack_sequence_as(next_state, carried), next_kept)
    found = while_loop(lambda time, done, *unused: math_ops.logical_not(math_ops.reduce_all(done)), body,
                       (time, convert_to_tensor(done), next_input, tuple(arrays), state, kept),
                       parallel_iterations=parallel_iterations, swap_memory=swap_memory)
    arrays = nest.pack_sequence_as(structure, list(found[3])) if nest.is_sequence(structure) else found[3][0]
    return arrays, found[4], found[5] if loop_state is not None else None
