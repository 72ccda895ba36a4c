"""Input pipelines of queues: producers of names, slices and numbers; batches of examples."""
from .. import _ops, array_ops, dtypes, io_ops, math_ops, random_ops, summary
from ..control_flow_ops import Assert, cond, no_op
from ..convert import constant, constant_value, convert_to_tensor
from ..data_flow_ops import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from ..scopes import GraphKeys, control_dependencies, name_scope
from ..shapes import TensorShape
from ..sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from ..tensor import Tensor
from ..variables import Variable
from . import queue_runner_impl as queue_runner


def match_filenames_once(pattern, name=None):
    with name_scope(name, 'matching_filenames', [pattern]) as scope:
        return Variable(name=scope, initial_value=io_ops.matching_files(pattern), trainable=False, validate_shape=False,
                        collections=[GraphKeys.LOCAL_VARIABLES])


def limit_epochs(tensor, num_epochs=None, name=None):
    """`tensor`, num_epochs times; then an OutOfRangeError."""
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError('num_epochs must be > 0 not %d.' % num_epochs)
    with name_scope(name, 'limit_epochs', [tensor]) as scope:
        zero = constant(0, dtype=dtypes.int64)
        epochs = Variable(zero, name='epochs', trainable=False, collections=[GraphKeys.LOCAL_VARIABLES])
        counter = epochs.count_up_to(num_epochs)
        with control_dependencies([counter]):
            return array_ops.identity(tensor, name=scope)


# ---- producers ----

def input_producer(input_tensor, element_shape=None, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None,
                   summary_name=None, name=None, cancel_op=None):
    """A queue of the rows of input_tensor, again and again."""
    with name_scope(name, 'input_producer', [input_tensor]):
        input_tensor = convert_to_tensor(input_tensor, name='input_tensor')
        element_shape = input_tensor.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError('Either `input_tensor` must have a fully defined shape or `element_shape` must be specified')
        if shuffle:
            input_tensor = random_ops.random_shuffle(input_tensor, seed=seed)
        input_tensor = limit_epochs(input_tensor, num_epochs)
        queue = FIFOQueue(capacity=capacity, dtypes=[input_tensor.dtype.base_dtype], shapes=[element_shape],
                          shared_name=shared_name, name=name or 'fifo_queue')
        enqueue = queue.enqueue_many([input_tensor])
        queue_runner.add_queue_runner(queue_runner.QueueRunner(queue, [enqueue], cancel_op=cancel_op))
        if summary_name is not None:
            summary.scalar(summary_name, math_ops.cast(queue.size(), dtypes.float32) * (1. / capacity))
        return queue


def string_input_producer(string_tensor, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None,
                          cancel_op=None):
    message = 'string_input_producer requires a non-null input tensor'
    if not isinstance(string_tensor, Tensor) and not hasattr(string_tensor, 'op') and not len(string_tensor):
        raise ValueError(message)
    with name_scope(name, 'input_producer', [string_tensor]) as scope:
        string_tensor = convert_to_tensor(string_tensor, dtype=dtypes.string)
        with control_dependencies([Assert(math_ops.greater(array_ops.size(string_tensor), 0), [message])]):
            string_tensor = array_ops.identity(string_tensor)
        return input_producer(input_tensor=string_tensor, element_shape=[], num_epochs=num_epochs, shuffle=shuffle, seed=seed,
                              capacity=capacity, shared_name=shared_name, name=scope,
                              summary_name='fraction_of_%d_full' % capacity, cancel_op=cancel_op)


def range_input_producer(limit, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    with name_scope(name, 'input_producer', [limit]) as scope:
        return input_producer(math_ops.range(limit), [], num_epochs, shuffle, seed, capacity, shared_name,
                              'fraction_of_%d_full' % capacity, scope)


def slice_input_producer(tensor_list, num_epochs=None, shuffle=True, seed=None, capacity=32, shared_name=None, name=None):
    with name_scope(name, 'input_producer', tensor_list):
        tensor_list = [convert_to_tensor(item) for item in tensor_list]
        if not tensor_list:
            raise ValueError('Expected at least one tensor in slice_input_producer().')
        count = array_ops.shape(tensor_list[0])[0]
        queue = range_input_producer(count, num_epochs=num_epochs, shuffle=shuffle, seed=seed, capacity=capacity,
                                     shared_name=shared_name)
        index = queue.dequeue()
        return [array_ops.gather(tensor, index) for tensor in tensor_list]


# ---- sparse tensors on their way through a queue ----

class _SparseInfo:
    """How a sparse tensor is stored: by the handles of a map on the device of its node."""

    def __init__(self, sparse, map_op, rank):
        self.sparse, self.map_op, self.rank = sparse, map_op, rank


def _stored(tensor, enqueue_many, keep_input, shared_map_op=None):
    """(tensor for the queue, _SparseInfo)"""
    if not isinstance(tensor, SparseTensor):
        return tensor, _SparseInfo(False, None, None)
    add = _ops.add_many_sparse_to_tensors_map if enqueue_many else _ops.add_sparse_to_tensors_map
    given = (tensor.indices, tensor.values, tensor.dense_shape)
    if shared_map_op is not None:
        handles = add(*given, shared_name=shared_map_op.get_attr('shared_name').decode() or shared_map_op.name)
    else:
        handles = add(*given)
    rank = tensor.dense_shape.get_shape().with_rank(1).as_list()[0]
    if rank is not None and enqueue_many:
        rank -= 1
    return array_ops.expand_dims(handles, -1), _SparseInfo(True, shared_map_op or handles.op, rank)


def _store_sparse_tensors(tensor_list, enqueue_many, keep_input, infos=None):
    pairs = [_stored(tensor, enqueue_many, keep_input, info and info.map_op)
             for tensor, info in zip(tensor_list, infos or [None] * len(tensor_list))]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def _restored(handles, info):
    name = info.map_op.get_attr('shared_name').decode() or info.map_op.name
    taken = _ops.take_many_sparse_from_tensors_map(array_ops.squeeze(handles, [1]), dtype=info.map_op.inputs[1].dtype,
                                                   shared_name=name)
    indices, values, shape = taken
    if info.rank is not None:
        indices.set_shape([None, info.rank + 1])
        shape.set_shape([info.rank + 1])
    return SparseTensor(indices, values, shape)


def _restore_sparse_tensors(stored, infos):
    several = isinstance(stored, (list, tuple))
    made = [_restored(item, info) if info.sparse else item for item, info in zip(stored if several else (stored,), infos)]
    return made if several else made[0]


# ---- batches ----

def _flattened(tensors):
    return [tensors[key] for key in sorted(tensors)] if isinstance(tensors, dict) else list(tensors)


def _like(original, tensors):
    """`tensors` as a dictionary where the program gave one."""
    if not isinstance(original, dict):
        return tensors
    return dict(zip(sorted(original), tensors if isinstance(tensors, (list, tuple)) else [tensors]))


def _validate(tensor_list, what='batch'):
    if not tensor_list:
        raise ValueError('Expected at least one tensor in %s().' % what)
    return [convert_to_tensor_or_sparse_tensor(item) for item in tensor_list]


def _validate_join(tensor_list_list):
    if not tensor_list_list:
        raise ValueError('Expected at least one input in batch_join().')
    lists = [_validate(tensor_list, 'batch_join') for tensor_list in tensor_list_list]
    first = [tensor.dtype.base_dtype for tensor in lists[0]]
    for other in lists[1:]:
        if [tensor.dtype.base_dtype for tensor in other] != first:
            raise TypeError('Expected all inputs to have the same types: %s' % first)
    return lists


def _validate_keep_input(keep_input, enqueue_many):
    keep_input = convert_to_tensor(keep_input)
    if keep_input.shape.ndims is None:
        raise ValueError('`keep_input` dimensions must be known at graph construction.')
    if not enqueue_many and keep_input.shape.ndims == 1:
        raise ValueError('`keep_input` cannot be a vector when `enqueue_many=False`.')
    if keep_input.shape.ndims > 1:
        raise ValueError('`keep_input` must be 0 or 1 dimensions.')
    return keep_input


def _common(shapes):
    """The most that is known of all `shapes`."""
    first = shapes[0]
    if any(shape.ndims is None or shape.ndims != first.ndims for shape in shapes):
        return TensorShape(None)
    return TensorShape([sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*[shape.as_list() for shape in shapes])])


def _shapes(lists, shapes, enqueue_many):
    if shapes is not None:
        return shapes
    made = []
    for parts in zip(*lists):
        known = [part.get_shape() for part in parts]
        made.append(_common([shape.with_rank_at_least(1)[1:] for shape in known] if enqueue_many else known))
    return made


def _fill(queue, lists, threads, enqueue_many, keep_input):
    """Runs the queue by as many threads as there are lists, or by `threads` of one list."""
    enqueue = queue.enqueue_many if enqueue_many else queue.enqueue
    if keep_input.shape.ndims == 1:
        which = math_ops.cast(keep_input, dtypes.int32)
        ops = [enqueue([array_ops.dynamic_partition(tensor, which, 2)[1] for tensor in tensors]) for tensors in lists]
    elif constant_value(keep_input) is not None and bool(constant_value(keep_input)):
        ops = [enqueue(tensors) for tensors in lists]
    else:
        ops = [cond(keep_input, lambda tensors=tensors: enqueue(tensors), no_op) for tensors in lists]
    queue_runner.add_queue_runner(queue_runner.QueueRunner(queue, ops * threads))


def _build(lists, originals, batch_size, keep_input, enqueue_many, shapes, make_queue, fullness, smaller, threads, scope):
    keep_input = _validate_keep_input(keep_input, enqueue_many)
    stored, infos = _store_sparse_tensors(lists[0], enqueue_many, keep_input)
    lists = [stored] + [_store_sparse_tensors(other, enqueue_many, keep_input, infos)[0] for other in lists[1:]]
    queue = make_queue([tensor.dtype.base_dtype for tensor in lists[0]], _shapes(lists, shapes, enqueue_many))
    _fill(queue, lists, threads, enqueue_many, keep_input)
    fullness(queue)
    taken = (queue.dequeue_up_to if smaller else queue.dequeue_many)(batch_size, name=scope)
    return _like(originals, _restore_sparse_tensors(taken, infos))


def _plain_queue(capacity, dynamic_pad, shared_name):
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    return lambda types, shapes: kind(capacity=capacity, dtypes=types, shapes=shapes, shared_name=shared_name)


def _plain_fullness(capacity):
    def add(queue):
        summary.scalar('fraction_of_%d_full' % capacity, math_ops.cast(queue.size(), dtypes.float32) * (1. / capacity))
    return add


def _shuffle_queue(capacity, min_after_dequeue, seed, shared_name):
    return lambda types, shapes: RandomShuffleQueue(capacity=capacity, min_after_dequeue=min_after_dequeue, seed=seed, dtypes=types,
                                                    shapes=shapes, shared_name=shared_name)


def _shuffle_fullness(capacity, least):
    def add(queue):
        full = math_ops.cast(math_ops.maximum(0, queue.size() - least), dtypes.float32) * (1. / (capacity - least))
        summary.scalar('fraction_over_%d_of_%d_full' % (least, capacity - least), full)
    return add


def _batch(tensors, batch_size, keep_input, num_threads=1, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
           allow_smaller_final_batch=False, shared_name=None, name=None):
    flat = _flattened(tensors)
    with name_scope(name, 'batch', flat + [keep_input]) as scope:
        return _build([_validate(flat)], tensors, batch_size, keep_input, enqueue_many, shapes,
                      _plain_queue(capacity, dynamic_pad, shared_name), _plain_fullness(capacity), allow_smaller_final_batch,
                      num_threads, scope)


def _batch_join(tensors_list, batch_size, keep_input, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
                allow_smaller_final_batch=False, shared_name=None, name=None):
    lists = [_flattened(tensors) for tensors in tensors_list]
    with name_scope(name, 'batch_join', [item for flat in lists for item in flat] + [keep_input]) as scope:
        return _build(_validate_join(lists), tensors_list[0], batch_size, keep_input, enqueue_many, shapes,
                      _plain_queue(capacity, dynamic_pad, shared_name), _plain_fullness(capacity), allow_smaller_final_batch, 1, scope)


def _shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input, num_threads=1, seed=None, enqueue_many=False,
                   shapes=None, allow_smaller_final_batch=False, shared_name=None, name=None):
    flat = _flattened(tensors)
    with name_scope(name, 'shuffle_batch', flat + [keep_input]) as scope:
        if capacity <= min_after_dequeue:
            raise ValueError('capacity %d must be bigger than min_after_dequeue %d.' % (capacity, min_after_dequeue))
        return _build([_validate(flat)], tensors, batch_size, keep_input, enqueue_many, shapes,
                      _shuffle_queue(capacity, min_after_dequeue, seed, shared_name),
                      _shuffle_fullness(capacity, min_after_dequeue), allow_smaller_final_batch, num_threads, scope)


def _shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, keep_input, seed=None, enqueue_many=False,
                        shapes=None, allow_smaller_final_batch=False, shared_name=None, name=None):
    lists = [_flattened(tensors) for tensors in tensors_list]
    with name_scope(name, 'shuffle_batch_join', [item for flat in lists for item in flat] + [keep_input]) as scope:
        return _build(_validate_join(lists), tensors_list[0], batch_size, keep_input, enqueue_many, shapes,
                      _shuffle_queue(capacity, min_after_dequeue, seed, shared_name),
                      _shuffle_fullness(capacity, min_after_dequeue), allow_smaller_final_batch, 1, scope)


def batch(tensors, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
          allow_smaller_final_batch=False, shared_name=None, name=None):
    return _batch(tensors, batch_size, True, num_threads, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
                  shared_name, name)


def maybe_batch(tensors, keep_input, batch_size, num_threads=1, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
                allow_smaller_final_batch=False, shared_name=None, name=None):
    return _batch(tensors, batch_size, keep_input, num_threads, capacity, enqueue_many, shapes, dynamic_pad,
                  allow_smaller_final_batch, shared_name, name)


def batch_join(tensors_list, batch_size, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
               allow_smaller_final_batch=False, shared_name=None, name=None):
    return _batch_join(tensors_list, batch_size, True, capacity, enqueue_many, shapes, dynamic_pad, allow_smaller_final_batch,
                       shared_name, name)


def maybe_batch_join(tensors_list, keep_input, batch_size, capacity=32, enqueue_many=False, shapes=None, dynamic_pad=False,
                     allow_smaller_final_batch=False, shared_name=None, name=None):
    return _batch_join(tensors_list, batch_size, keep_input, capacity, enqueue_many, shapes, dynamic_pad,
                       allow_smaller_final_batch, shared_name, name)


def shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, num_threads=1, seed=None, enqueue_many=False, shapes=None,
                  allow_smaller_final_batch=False, shared_name=None, name=None):
    return _shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, True, num_threads, seed, enqueue_many, shapes,
                          allow_smaller_final_batch, shared_name, name)


def maybe_shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input, num_threads=1, seed=None,
                        enqueue_many=False, shapes=None, allow_smaller_final_batch=False, shared_name=None, name=None):
    return _shuffle_batch(tensors, batch_size, capacity, min_after_dequeue, keep_input, num_threads, seed, enqueue_many, shapes,
                          allow_smaller_final_batch, shared_name, name)


def shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, seed=None, enqueue_many=False, shapes=None,
                       allow_smaller_final_batch=False, shared_name=None, name=None):
    return _shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, True, seed, enqueue_many, shapes,
                               allow_smaller_final_batch, shared_name, name)


def maybe_shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, keep_input, seed=None, enqueue_many=False,
                             shapes=None, allow_smaller_final_batch=False, shared_name=None, name=None):
    return _shuffle_batch_join(tensors_list, batch_size, capacity, min_after_dequeue, keep_input, seed, enqueue_many, shapes,
                               allow_smaller_final_batch, shared_name, name)
