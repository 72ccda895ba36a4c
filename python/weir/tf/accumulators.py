"""Accumulators of gradients, barriers, staging areas: what waits for several writers, or overlaps two steps."""
import threading

from . import _ops, array_ops, dtypes as _dtypes
from .convert import constant_value, convert_to_tensor
from .graph import get_default_graph
from .scopes import colocate_with, name_scope
from .shapes import TensorShape, as_shape
from .tensor import IndexedSlices, Tensor


# ---- accumulators ----

class ConditionalAccumulatorBase:
    """Adds gradients up until there are enough of them; those of old steps are dropped."""

    def __init__(self, dtype, shape, accumulator_ref):
        self._dtype = dtype
        self._shape = TensorShape(None) if shape is None else TensorShape(shape)
        self._accumulator_ref = accumulator_ref
        self._name = accumulator_ref.op.name.split('/')[-1]

    accumulator_ref = property(lambda self: self._accumulator_ref)
    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)

    def num_accumulated(self, name=None):
        name = '%s_NumAccumulated' % self._name if name is None else name
        return _ops.accumulator_num_accumulated(self._accumulator_ref, name=name)

    def set_global_step(self, new_global_step, name=None):
        return _ops.accumulator_set_global_step(self._accumulator_ref, _step(new_global_step), name=name)


def _step(value):
    """A step as an int64 tensor."""
    from .math_ops import cast
    return cast(convert_to_tensor(value), _dtypes.int64)


class ConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator of dense gradients."""

    def __init__(self, dtype, shape=None, shared_name=None, name='conditional_accumulator', reduction_type='MEAN'):
        dtype = _dtypes.as_dtype(dtype)
        ref = _ops.conditional_accumulator(dtype=dtype, shape=as_shape(shape), shared_name=shared_name or '', name=name,
                                           reduction_type=reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_grad(self, grad, local_step=0, name=None):
        grad = convert_to_tensor(grad, self._dtype)
        grad.get_shape().assert_is_compatible_with(self._shape)
        return _ops.accumulator_apply_gradient(self._accumulator_ref, local_step=_step(local_step), gradient=grad, name=name)

    def take_grad(self, num_required, name=None):
        made = _ops.accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        made.set_shape(self._shape)
        return made


class SparseConditionalAccumulator(ConditionalAccumulatorBase):
    """An accumulator of gradients that name the rows they change."""

    def __init__(self, dtype, shape=None, shared_name=None, name='sparse_conditional_accumulator', reduction_type='MEAN'):
        dtype = _dtypes.as_dtype(dtype)
        ref = _ops.sparse_conditional_accumulator(dtype=dtype, shape=as_shape(shape), shared_name=shared_name or '', name=name,
                                                  reduction_type=reduction_type)
        super().__init__(dtype, shape, ref)

    def apply_indexed_slices_grad(self, grad, local_step=0, name=None):
        return self.apply_grad(grad_indices=grad.indices, grad_values=grad.values, grad_shape=grad.dense_shape,
                               local_step=local_step, name=name)

    def apply_grad(self, grad_indices, grad_values, grad_shape=None, local_step=0, name=None):
        from .math_ops import cast
        known = grad_shape is not None
        shape = cast(convert_to_tensor(grad_shape), _dtypes.int64) if known else convert_to_tensor([], _dtypes.int64)
        indices = cast(convert_to_tensor(grad_indices), _dtypes.int64)
        return _ops.sparse_accumulator_apply_gradient(self._accumulator_ref, local_step=_step(local_step), gradient_indices=indices,
                                                      gradient_values=convert_to_tensor(grad_values, self._dtype), gradient_shape=shape,
                                                      has_known_shape=known, name=name)

    def take_grad(self, num_required, name=None):
        made = _ops.sparse_accumulator_take_gradient(self._accumulator_ref, num_required, dtype=self._dtype, name=name)
        if self._shape.ndims is not None:
            made[1].set_shape(TensorShape([None]).concatenate(self._shape[1:]))
            made[2].set_shape([self._shape.ndims])
        return made

    def take_indexed_slices_grad(self, num_required, name=None):
        taken = self.take_grad(num_required, name)
        return IndexedSlices(indices=taken[0], values=taken[1], dense_shape=taken[2])


# ---- barriers ----

class Barrier:
    """Holds elements by key until all of their components have come."""

    def __init__(self, types, shapes=None, shared_name=None, name='barrier'):
        from .data_flow_ops import _as_shape_list, _as_type_list
        self._types = _as_type_list(types)
        shapes = _as_shape_list(shapes, self._types)
        if shapes is not None:
            for i, shape in enumerate(shapes):
                if shape.num_elements() == 0:
                    raise ValueError('Empty tensors are not supported, but received shape \'%s\' at index %d' % (shape, i))
            self._shapes = shapes
        else:
            self._shapes = [TensorShape(None) for _ in self._types]
        self._barrier_ref = _ops.barrier(component_types=self._types, shapes=shapes or [], shared_name=shared_name or '', name=name)
        self._name = self._barrier_ref.op.name.split('/')[-1]

    barrier_ref = property(lambda self: self._barrier_ref)
    name = property(lambda self: self._barrier_ref.op.name)

    def _named(self, name, what):
        return '%s_%s' % (self._name, what) if name is None else name

    def insert_many(self, component_index, keys, values, name=None):
        return _ops.barrier_insert_many(self._barrier_ref, keys, values, component_index, name=self._named(name, 'BarrierInsertMany'))

    def take_many(self, num_elements, allow_small_batch=False, timeout=None, name=None):
        made = _ops.barrier_take_many(self._barrier_ref, num_elements, self._types, allow_small_batch,
                                      timeout_ms=-1 if timeout is None else timeout, name=self._named(name, 'BarrierTakeMany'))
        size = None if allow_small_batch else constant_value(made[0].op.inputs[1])
        for tensor in (made[0], made[1]):
            tensor.set_shape([size])
        for tensor, shape in zip(made[2], self._shapes):
            tensor.set_shape(TensorShape([size]).concatenate(shape))
        return made

    def close(self, cancel_pending_enqueues=False, name=None):
        return _ops.barrier_close(self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues,
                                  name=self._named(name, 'BarrierClose'))

    def ready_size(self, name=None):
        return _ops.barrier_ready_size(self._barrier_ref, name=self._named(name, 'BarrierReadySize'))

    def incomplete_size(self, name=None):
        return _ops.barrier_incomplete_size(self._barrier_ref, name=self._named(name, 'BarrierIncompleteSize'))


# ---- staging areas ----

class BaseStagingArea:
    """What both kinds of staging area do."""
    _count, _lock = 0, threading.Lock()

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, capacity=0, memory_limit=0):
        if shared_name is None:
            with BaseStagingArea._lock:
                BaseStagingArea._count += 1
                shared_name = get_default_graph().unique_name('%s_%d' % (type(self).__name__, BaseStagingArea._count))
        self._name = shared_name
        self._dtypes = [_dtypes.as_dtype(dtype) for dtype in (dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])]
        self._shapes = self._checked(shapes, 'shapes') and [TensorShape(shape) for shape in shapes] or \
            [TensorShape(None) for _ in self._dtypes]
        self._names = self._checked(names, 'names')
        self._capacity, self._memory_limit = capacity, memory_limit
        with name_scope('%s_root' % self._name):
            from .control_flow_ops import no_op
            self._coloc_op = no_op()

    def _checked(self, given, what):
        if given is not None and len(given) != len(self._dtypes):
            raise ValueError('StagingArea %s must be the same length as dtypes' % what)
        return given or None

    name = property(lambda self: self._name)
    dtypes = property(lambda self: self._dtypes)
    shapes = property(lambda self: self._shapes)
    names = property(lambda self: self._names)
    capacity = property(lambda self: self._capacity)
    memory_limit = property(lambda self: self._memory_limit)

    def _options(self, name, what):
        return dict(shared_name=self._name, capacity=self._capacity, memory_limit=self._memory_limit,
                    name='%s_%s' % (self._name, what) if name is None else name)

    def _listed(self, vals):
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError('Staging areas must have names to enqueue a dictionary')
            unknown = set(vals) - set(self._names)
            if unknown:
                raise ValueError('Keys in dictionary to put do not match names of staging area. Dictionary: %s, Queue: %s' %
                                 (sorted(vals), sorted(self._names)))
            return vals
        if self._names:
            raise ValueError('You must enqueue a dictionary in a staging area with names')
        return dict(enumerate(vals if isinstance(vals, (list, tuple)) else [vals]))

    def _check_put_dtypes(self, vals, indices=None):
        """(tensors, indices) of what is put."""
        given = self._listed(vals)
        if self._names:
            rows = sorted((self._names.index(key), value) for key, value in given.items())
        else:
            rows = list(zip(indices, given.values())) if indices is not None else list(given.items())
        if len(rows) > len(self._dtypes):
            raise ValueError('Unexpected number of inputs %d vs %d' % (len(rows), len(self._dtypes)))
        tensors = []
        for at, value in rows:
            tensor = convert_to_tensor(value, dtype=self._dtypes[at], name='component_%d' % at)
            if not tensor.get_shape().is_compatible_with(self._shapes[at]):
                raise ValueError('shape mismatch: component %d has %s, the staging area %s' % (at, tensor.get_shape(), self._shapes[at]))
            tensors.append(tensor)
        return tensors, [at for at, _ in rows]

    def _get_return_value(self, tensors, indices=None):
        tensors = [tensors] if isinstance(tensors, Tensor) else list(tensors)
        indices = range(len(self._dtypes)) if indices is None else indices
        for at, tensor in zip(indices, tensors):
            tensor.set_shape(self._shapes[at])
        if self._names:
            return {self._names[at]: tensor for at, tensor in zip(indices, tensors)}
        return tensors


class StagingArea(BaseStagingArea):
    """A first-in first-out place between two steps, without the cost of a queue."""

    def put(self, values, name=None):
        with name_scope(name, '%s_put' % self._name, []) as scope:
            vals, _ = self._check_put_dtypes(values)
            if len(vals) != len(self._dtypes):
                raise ValueError('Unexpected number of inputs %d vs %d' % (len(vals), len(self._dtypes)))
            with colocate_with(self._coloc_op):
                return _ops.stage(vals, **self._options(scope, ''))

    def get(self, name=None):
        with colocate_with(self._coloc_op):
            made = self._get_return_value(_ops.unstage(self._dtypes, **self._options(name, 'get')))
        return made

    def peek(self, index, name=None):
        with colocate_with(self._coloc_op):
            return self._get_return_value(_ops.stage_peek(index, self._dtypes, **self._options(name, 'peek')))

    def size(self, name=None):
        with colocate_with(self._coloc_op):
            return _ops.stage_size(self._dtypes, **self._options(name, 'size'))

    def clear(self, name=None):
        with colocate_with(self._coloc_op):
            return _ops.stage_clear(self._dtypes, **self._options(name, 'clear'))


class MapStagingArea(BaseStagingArea):
    """A staging area whose elements have int64 keys; with `ordered` the smallest key comes first."""

    def __init__(self, dtypes, shapes=None, names=None, shared_name=None, ordered=False, capacity=0, memory_limit=0):
        super().__init__(dtypes, shapes, names, shared_name, capacity, memory_limit)
        self._prefix = 'ordered_map_' if ordered else 'map_'

    def _call(self, what, *args, **kwargs):
        with colocate_with(self._coloc_op):
            return getattr(_ops, self._prefix + what)(*args, **kwargs)

    def _indices(self, indices):
        """Positions of components, from names or numbers; all without any."""
        if indices is None:
            return list(range(len(self._dtypes)))
        if all(isinstance(item, str) for item in indices):
            if self._names is None:
                raise ValueError('String indices provided without a names list')
            return [self._names.index(item) for item in indices]
        if any(not 0 <= item < len(self._dtypes) for item in indices):
            raise ValueError('Index out of range: %s' % (indices,))
        return list(indices)

    def put(self, key, vals, indices=None, name=None):
        with name_scope(name, '%s_put' % self._name, []) as scope:
            tensors, indices = self._check_put_dtypes(vals, None if indices is None else self._indices(indices))
            return self._call('stage', key, indices, tensors, dtypes_=self._dtypes, **self._options(scope, ''))

    def _taken(self, what, key, indices, name):
        indices = self._indices(indices)
        made = self._call(what, key, indices, [self._dtypes[i] for i in indices], **self._options(name, what))
        return self._get_return_value(made, indices)

    def peek(self, key, indices=None, name=None):
        return self._taken('peek', key, indices, name)

    def get(self, key=None, indices=None, name=None):
        if key is not None:
            return key, self._taken('unstage', key, indices, name)
        indices = self._indices(indices)
        made = self._call('unstage_no_key', indices, [self._dtypes[i] for i in indices], **self._options(name, 'get_nokey'))
        return made[0], self._get_return_value(made[1], indices)

    def size(self, name=None):
        return self._call('size', self._dtypes, **self._options(name, 'size'))

    def incomplete_size(self, name=None):
        return self._call('incomplete_size', self._dtypes, **self._options(name, 'incomplete_size'))

    def clear(self, name=None):
        return self._call('clear', self._dtypes, **self._options(name, 'clear'))


class RecordInput:
    """Records of the files of a pattern, in an order drawn for each epoch, batch after batch."""

    def __init__(self, file_pattern, batch_size=1, buffer_size=1, parallelism=1, shift_ratio=0, seed=0, name=None, batches=None,
                 compression_type=None):
        self._batch_size = batch_size * (1 if batches is None else batches)
        self._batches, self._name = batches, name
        kind = compression_type or 0
        self._attrs = dict(file_pattern=file_pattern, file_buffer_size=buffer_size, file_parallelism=parallelism,
                           file_shuffle_shift_ratio=shift_ratio, file_random_seed=seed, batch_size=self._batch_size,
                           compression_type=kind if isinstance(kind, str) else ('', 'ZLIB', 'GZIP')[kind])

    def get_yield_op(self):
        """The records of a batch; with `batches`, a list of them for each."""
        records = _ops.record_input(name=self._name, **self._attrs)
        if self._batches is None:
            return records
        with name_scope(self._name):
            each = array_ops.unstack(records, self._batch_size)
            return [each[i::self._batches] for i in range(self._batches)]
