"""Queues. Accumulators, barriers and staging areas are in accumulators.py."""
from . import _ops, array_ops, dtypes as _dtypes
from .accumulators import (Barrier, ConditionalAccumulator, ConditionalAccumulatorBase, MapStagingArea,  # noqa: F401
                           RecordInput, SparseConditionalAccumulator, StagingArea)
from .convert import constant_value, convert_to_tensor
from .graph import get_default_graph
from .scopes import get_seed, init_scope, name_scope
from .shapes import TensorShape, as_shape


def _as_type_list(dtypes):
    """One dtype or several, as a list."""
    if isinstance(dtypes, (list, tuple)):
        return [_dtypes.as_dtype(dtype) for dtype in dtypes]
    return [_dtypes.as_dtype(dtypes)]


def _as_shape_list(shapes, dtypes, unknown_dim_allowed=False, unknown_rank_allowed=False):
    """The shapes of a queue's components, or None."""
    if shapes is None:
        return None
    dtypes = dtypes if isinstance(dtypes, list) else [dtypes]
    if isinstance(shapes, TensorShape) or (isinstance(shapes, (list, tuple)) and
                                           (not shapes or not isinstance(shapes[0], (list, tuple, TensorShape)) and
                                            shapes[0] is not None)):
        shapes = [shapes]
    shapes = [as_shape(shape) for shape in shapes]
    if not unknown_dim_allowed and any(not shape.is_fully_defined() for shape in shapes):
        raise ValueError('All shapes must be fully defined: %s' % shapes)
    if not unknown_rank_allowed and any(shape.dims is None for shape in shapes):
        raise ValueError('All shapes must have a defined rank: %s' % shapes)
    return shapes


def _as_name_list(names, dtypes):
    if names is None:
        return None
    names = names if isinstance(names, (list, tuple)) else [names]
    if len(names) != len(dtypes):
        raise ValueError('List of names must have the same length as the list of dtypes')
    return list(names)


class QueueBase:
    """What all queues do. A component is a tensor of each element."""

    def __init__(self, dtypes, shapes, names, queue_ref):
        self._dtypes = dtypes
        if shapes is not None:
            if len(shapes) != len(dtypes):
                raise ValueError('Queue shapes must have the same length as dtypes')
            self._shapes = [TensorShape(shape) for shape in shapes]
        else:
            self._shapes = [TensorShape(None) for _ in dtypes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError('Queue names must have the same length as dtypes, received len(names)=%d, len(dtypes)=%d' %
                             (len(names), len(dtypes)))
        self._names = names or None
        self._queue_ref = queue_ref
        self._name = queue_ref.op.name.split('/')[-1]

    @staticmethod
    def from_list(index, queues):
        """The queue of `queues` whose index a tensor says."""
        if not queues or not isinstance(queues, list) or not all(isinstance(queue, QueueBase) for queue in queues):
            raise TypeError('A list of queues expected')
        first = queues[0]
        if not all(queue.dtypes == first.dtypes for queue in queues[1:]):
            raise TypeError('Queues do not have matching component dtypes.')
        if not all(queue.names == first.names for queue in queues[1:]):
            raise TypeError('Queues do not have matching component names.')
        shapes = [_common_shape(parts) for parts in zip(*[queue.shapes for queue in queues])]
        selected = array_ops.gather(array_ops.stack([queue.queue_ref for queue in queues]), index)
        return QueueBase(first.dtypes, shapes, first.names, selected)

    queue_ref = property(lambda self: self._queue_ref)
    name = property(lambda self: self._queue_ref.op.name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)

    # ---- putting ----

    def _values_of(self, vals):
        """The components of an element, in order."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError('Queue must have names to enqueue a dictionary')
            if sorted(self._names, key=str) != sorted(vals.keys(), key=str):
                raise ValueError('Keys in dictionary to enqueue do not match names of Queue.  Dictionary: %s, Queue: %s' %
                                 (sorted(vals.keys()), sorted(self._names)))
            return [vals[name] for name in self._names]
        if self._names:
            raise ValueError('You must enqueue a dictionary in a Queue with names')
        return list(vals) if isinstance(vals, (list, tuple)) else [vals]

    def _check_enqueue_dtypes(self, vals):
        vals = self._values_of(vals)
        if len(vals) != len(self._dtypes):
            raise ValueError('Queue expects %d components, but %d were given' % (len(self._dtypes), len(vals)))
        tensors = []
        for i, (value, dtype) in enumerate(zip(vals, self._dtypes)):
            tensors.append(convert_to_tensor(value, dtype=dtype, name='component_%d' % i))
        return tensors

    def _scope_values(self, vals):
        return list(vals.values() if isinstance(vals, dict) else vals if isinstance(vals, (list, tuple)) else [vals])

    def enqueue(self, vals, name=None):
        with name_scope(name, '%s_enqueue' % self._name, self._scope_values(vals)) as scope:
            vals = self._check_enqueue_dtypes(vals)
            for value, shape in zip(vals, self._shapes):
                value.get_shape().assert_is_compatible_with(shape)
            return _ops.queue_enqueue_v2(self._queue_ref, vals, name=scope)

    def enqueue_many(self, vals, name=None):
        with name_scope(name, '%s_EnqueueMany' % self._name, self._scope_values(vals)) as scope:
            vals = self._check_enqueue_dtypes(vals)
            batch = vals[0].get_shape().with_rank_at_least(1)[0]
            for value, shape in zip(vals, self._shapes):
                batch = batch.merge_with(value.get_shape().with_rank_at_least(1)[0])
                value.get_shape()[1:].assert_is_compatible_with(shape)
            return _ops.queue_enqueue_many_v2(self._queue_ref, vals, name=scope)

    # ---- taking ----

    def _dequeue_return_value(self, tensors):
        if self._names:
            return dict(zip(self._names, tensors))
        return tensors[0] if len(tensors) == 1 else tensors

    def _shaped(self, tensors, prefix):
        tensors = list(tensors)
        for tensor, shape in zip(tensors, self._shapes):
            tensor.set_shape(TensorShape(prefix).concatenate(shape))
        return self._dequeue_return_value(tensors)

    def dequeue(self, name=None):
        name = '%s_Dequeue' % self._name if name is None else name
        return self._shaped(_ops.queue_dequeue_v2(self._queue_ref, self._dtypes, name=name), [])

    def dequeue_many(self, n, name=None):
        name = '%s_DequeueMany' % self._name if name is None else name
        made = _ops.queue_dequeue_many_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        return self._shaped(made, [constant_value(made[0].op.inputs[1])])

    def dequeue_up_to(self, n, name=None):
        name = '%s_DequeueUpTo' % self._name if name is None else name
        made = _ops.queue_dequeue_up_to_v2(self._queue_ref, n, component_types=self._dtypes, name=name)
        return self._shaped(made, [None])

    # ---- state ----

    def close(self, cancel_pending_enqueues=False, name=None):
        name = '%s_Close' % self._name if name is None else name
        return _ops.queue_close_v2(self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def is_closed(self, name=None):
        return _ops.queue_is_closed_v2(self._queue_ref, name='%s_Is_Closed' % self._name if name is None else name)

    def size(self, name=None):
        return _ops.queue_size_v2(self._queue_ref, name='%s_Size' % self._name if name is None else name)


def _common_shape(shapes):
    """The shape that all of `shapes` have, unknown where they differ."""
    first = shapes[0]
    return first if all(shape.is_fully_defined() and shape.as_list() == first.as_list() for shape in shapes) else TensorShape(None)


class FIFOQueue(QueueBase):
    """First in, first out."""

    def __init__(self, capacity, dtypes, shapes=None, names=None, shared_name=None, name='fifo_queue'):
        dtypes = _as_type_list(dtypes)
        shapes, names = _as_shape_list(shapes, dtypes), _as_name_list(names, dtypes)
        with init_scope():
            ref = _ops.fifo_queue_v2(component_types=dtypes, shapes=shapes or [], capacity=capacity, shared_name=shared_name or '',
                                     name=name)
        super().__init__(dtypes, shapes, names, ref)


class PaddingFIFOQueue(QueueBase):
    """First in, first out; components of several sizes are padded to one when a batch is taken."""

    def __init__(self, capacity, dtypes, shapes, names=None, shared_name=None, name='padding_fifo_queue'):
        dtypes = _as_type_list(dtypes)
        shapes = _as_shape_list(shapes, dtypes, unknown_dim_allowed=True)
        names = _as_name_list(names, dtypes)
        if len(dtypes) != len(shapes):
            raise ValueError('Shapes must be provided for all components, but received %d dtypes and %d shapes.' %
                             (len(dtypes), len(shapes)))
        ref = _ops.padding_fifo_queue_v2(component_types=dtypes, shapes=shapes, capacity=capacity, shared_name=shared_name or '',
                                         name=name)
        super().__init__(dtypes, shapes, names, ref)


class RandomShuffleQueue(QueueBase):
    """Gives elements in random order, and keeps at least min_after_dequeue of them to choose from."""

    def __init__(self, capacity, min_after_dequeue, dtypes, shapes=None, names=None, seed=None, shared_name=None,
                 name='random_shuffle_queue'):
        dtypes = _as_type_list(dtypes)
        shapes, names = _as_shape_list(shapes, dtypes), _as_name_list(names, dtypes)
        seed1, seed2 = get_seed(seed)
        if seed1 is None and seed2 is None:
            seed1, seed2 = 0, 0
        elif seed is None and shared_name is not None:
            seed2 = _seed_of_name(str(get_default_graph().seed) + shared_name)
        ref = _ops.random_shuffle_queue_v2(component_types=dtypes, shapes=shapes or [], capacity=capacity,
                                           min_after_dequeue=min_after_dequeue, seed=seed1 or 0, seed2=seed2 or 0,
                                           shared_name=shared_name or '', name=name)
        super().__init__(dtypes, shapes, names, ref)


def _seed_of_name(text):
    """A seed that all processes get from one shared name."""
    import hashlib
    return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF


class PriorityQueue(QueueBase):
    """Gives the element of the smallest priority, an int64 that comes before the components."""

    def __init__(self, capacity, types, shapes=None, names=None, shared_name=None, name='priority_queue'):
        types = _as_type_list(types)
        shapes = _as_shape_list(shapes, types)
        ref = _ops.priority_queue_v2(component_types=types, shapes=shapes or [], capacity=capacity, shared_name=shared_name or '',
                                     name=name)
        dtypes = [_dtypes.int64] + types
        shapes = [TensorShape([])] + shapes if shapes else shapes
        super().__init__(dtypes, shapes, _as_name_list(names, dtypes), ref)


