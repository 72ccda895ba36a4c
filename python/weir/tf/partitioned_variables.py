"""Variables in parts along one axis, each with a name and a place of its own."""
import math

from . import array_ops, dtypes
from .scopes import name_scope
from .shapes import as_shape
from .variables import SaveSliceInfo, VariableAggregation, VariableSynchronization


class PartitionedVariable:
    """The parts of a variable, in order; as a tensor they are joined."""

    def __init__(self, name, shape, dtype, variable_list, partitions):
        self._name, self._shape, self._dtype = name, as_shape(shape), dtypes.as_dtype(dtype)
        self._variable_list, self._partitions, self._joined = variable_list, partitions, None

    name = property(lambda self: self._name)
    dtype = property(lambda self: self._dtype)
    shape = property(lambda self: self._shape)
    graph = property(lambda self: self._variable_list[0].graph)
    device = property(lambda self: self._as_tensor().device)
    initializer = property(lambda self: [variable.initializer for variable in self._variable_list])

    @property
    def op(self):
        return self._as_tensor().op

    def get_shape(self):
        return self._shape

    def __iter__(self):
        return iter(self._variable_list)

    def __len__(self):
        return len(self._variable_list)

    def _get_variable_list(self):
        return self._variable_list

    def _get_partitions(self):
        return self._partitions

    def _as_tensor(self):
        if self._joined is None:
            axis = next((i for i, count in enumerate(self._partitions) if count > 1), 0)
            if len(self._variable_list) == 1:
                with name_scope(None):
                    self._joined = array_ops.identity(self._variable_list[0], name=self._name)
            else:
                with name_scope(self._name + '/ConcatPartitions/'):
                    joined = array_ops.concat(self._variable_list, axis)
                with name_scope(None):
                    self._joined = array_ops.identity(joined, name=self._name)
        return self._joined

    _AsTensor = _as_graph_element = as_tensor = _as_tensor

    def assign(self, value, use_locking=False, name=None, read_value=True):
        axis = next((i for i, count in enumerate(self._partitions) if count > 1), 0)
        sizes = [variable.get_shape().as_list()[axis] for variable in self._variable_list]
        parts = array_ops.split(value, sizes, axis)
        return [variable.assign(part) for variable, part in zip(self._variable_list, parts)]

    def __repr__(self):
        return '<tf.PartitionedVariable %r shape=%s dtype=%s>' % (self._name, self._shape, self._dtype.name)


def get_partitioned(store, name, shape, dtype, initializer, regularizer, reuse, trainable, collections, caching_device,
                    partitioner, validate_shape, use_resource, constraint):
    """get_variable with a partitioner."""
    from .variable_scope import _PartitionInfo
    if name in store.partitioned:
        if not reuse:
            raise ValueError('Partitioned variable with name %s already exists. Did you mean to set reuse=True in VarScope?' % name)
        return store.partitioned[name]
    if reuse is True:
        raise ValueError('PartitionedVariable %s does not exist, or was not created with tf.get_variable(). Did you mean to set '
                         'reuse=False or reuse=tf.AUTO_REUSE in VarScope?' % name)
    value = None if initializer is None or callable(initializer) else initializer
    shape = as_shape(shape if shape is not None else value.get_shape() if value is not None else None)
    partitions = list(partitioner(shape=shape, dtype=dtype)) if shape.ndims else [1]
    axis = next((i for i, count in enumerate(partitions) if count > 1), 0)
    parts, offset = [], [0] * max(shape.ndims or 0, 1)
    for i, size in enumerate(_sizes(shape.as_list()[axis], partitions[axis]) if shape.ndims else [1]):
        part_shape = shape.as_list()
        if part_shape:
            part_shape[axis] = size
        info = _PartitionInfo(full_shape=shape.as_list(), var_offset=list(offset))
        first = initializer if value is None else array_ops.slice(value, offset, part_shape)
        variable = store.make('%s/part_%d' % (name, i), part_shape, dtype, first, regularizer, trainable, collections,
                              caching_device, validate_shape, use_resource, constraint, VariableSynchronization.AUTO,
                              VariableAggregation.NONE, info)
        variable._set_save_slice_info(SaveSliceInfo(name, shape.as_list(), list(offset), part_shape))
        parts.append(variable)
        if part_shape:
            offset[axis] += size
    made = PartitionedVariable(name, shape, dtype, parts, partitions)
    store.partitioned[name] = made
    return made


def _sizes(total, count):
    """`count` sizes that differ by at most one, larger ones first."""
    each, more = divmod(total, count)
    return [each + 1] * more + [each] * (count - more)


def fixed_size_partitioner(num_shards, axis=0):
    def act(shape, **unused):
        partitions = [1] * shape.ndims
        partitions[axis] = min(num_shards, shape.dims[axis].value)
        return partitions
    return act


def variable_axis_size_partitioner(max_shard_bytes, axis=0, bytes_per_string_element=16, max_shards=None):
    if max_shard_bytes < 1 or int(max_shard_bytes) != max_shard_bytes:
        raise ValueError('max_shard_bytes must be a positive integer')

    def act(shape, dtype):
        dtype = dtypes.as_dtype(dtype)
        size = bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size
        partitions = [1] * shape.ndims
        rows = shape.as_list()[axis]
        row_bytes = size * shape.num_elements() // max(rows, 1)
        shards = int(math.ceil(rows / max(1, math.floor(max_shard_bytes / max(row_bytes, 1)))))
        partitions[axis] = max(1, min(shards, rows if max_shards is None else min(max_shards, rows)))
        return partitions
    return act


def min_max_variable_partitioner(max_partitions=1, axis=0, min_slice_size=256 << 10, bytes_per_string_element=16):
    def act(shape, dtype):
        dtype = dtypes.as_dtype(dtype)
        if axis >= len(shape):
            raise ValueError('Cannot partition variable along axis %d when shape is only %s' % (axis, shape))
        size = bytes_per_string_element if dtype.base_dtype == dtypes.string else dtype.size
        slices = shape.num_elements() * size / min_slice_size
        partitions = [1] * shape.ndims
        partitions[axis] = max(1, min(shape.dims[axis].value, max_partitions, int(math.ceil(slices))))
        return partitions
    return act


def create_partitioned_variables(shape, slicing, initializer, dtype=dtypes.float32, trainable=True, collections=None, name=None,
                                 reuse=None):
    from .variable_scope import get_variable, variable_scope
    if len(shape) != len(slicing):
        raise ValueError('The shape and slicing must have the same length: %s, %s' % (shape, slicing))
    with variable_scope(name, 'PartitionedVariable', reuse=reuse):
        made = get_variable('part', shape=shape, dtype=dtype, initializer=initializer, trainable=trainable,
                            partitioner=lambda **unused: slicing, collections=collections)
        return list(made)
