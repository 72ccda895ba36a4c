"""Values and norms within limits."""
from . import _ops, array_ops, dtypes, math_ops
from .convert import convert_to_tensor
from .scopes import colocate_with, name_scope
from .tensor import IndexedSlices


def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    with name_scope(name, 'clip_by_value', [t, clip_value_min, clip_value_max]) as scope:
        values = convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name='t')
        low = math_ops.minimum(values, clip_value_max)
        values.get_shape().merge_with(low.get_shape())
        out = math_ops.maximum(low, clip_value_min, name=scope)
        return IndexedSlices(out, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else out


def clip_by_norm(t, clip_norm, axes=None, name=None):
    with name_scope(name, 'clip_by_norm', [t, clip_norm]) as scope:
        values = convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name='t')
        clip_norm = convert_to_tensor(clip_norm, dtype=values.dtype) if not hasattr(clip_norm, 'dtype') else clip_norm
        values.get_shape().merge_with((values * clip_norm).get_shape())  # a norm of more dimensions would spread the values
        total = math_ops.reduce_sum(values * values, axes, keepdims=True)
        positive = total > 0
        safe = array_ops.where(positive, total, array_ops.ones_like(total))
        norm = array_ops.where(positive, math_ops.sqrt(safe), total)
        out = array_ops.identity(values * clip_norm / math_ops.maximum(norm, clip_norm), name=scope)
        return IndexedSlices(out, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else out


def clip_by_average_norm(t, clip_norm, name=None):
    with name_scope(name, 'clip_by_average_norm', [t, clip_norm]) as scope:
        t = convert_to_tensor(t, name='t')
        count = math_ops.cast(array_ops.size(t), dtypes.float32)
        inverse = math_ops.rsqrt(math_ops.reduce_sum(t * t, list(range(t._rank()))))
        return array_ops.identity(t * clip_norm * math_ops.minimum(inverse * count, 1.0 / clip_norm), name=scope)


def global_norm(t_list, name=None):
    if not isinstance(t_list, (list, tuple)) or isinstance(t_list, str):
        raise TypeError('t_list should be a sequence')
    with name_scope(name, 'global_norm', [t for t in t_list if t is not None]):
        halves = []
        for item in t_list:
            if item is None:
                continue
            value = convert_to_tensor(item.values if isinstance(item, IndexedSlices) else item, name='t')
            with colocate_with(value):
                halves.append(_ops.l2_loss(value))
        half = math_ops.reduce_sum(array_ops.stack(halves))
        return math_ops.sqrt(half * 2.0, name='global_norm')


def clip_by_global_norm(t_list, clip_norm, use_norm=None, name=None):
    if not isinstance(t_list, (list, tuple)) or isinstance(t_list, str):
        raise TypeError('t_list should be a sequence')
    t_list = list(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with name_scope(name, 'clip_by_global_norm', [t for t in t_list if t is not None]):
        one = convert_to_tensor(1.0, dtype=use_norm.dtype)
        inverse = math_ops.minimum(one / use_norm, one / convert_to_tensor(clip_norm, dtype=use_norm.dtype))
        scale = clip_norm * inverse
        scale = scale + (use_norm - use_norm)
        out = []
        for i, item in enumerate(t_list):
            if item is None:
                out.append(None)
                continue
            value = item.values if isinstance(item, IndexedSlices) else convert_to_tensor(item)
            with colocate_with(value):
                clipped = array_ops.identity(value * scale, name='%s_%d' % (name, i) if name else None)
            out.append(IndexedSlices(clipped, item.indices, item.dense_shape) if isinstance(item, IndexedSlices) else clipped)
    return out, use_norm
