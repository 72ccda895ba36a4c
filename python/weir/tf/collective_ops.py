"""Functions over collective ops: tensors exchanged within a group of devices."""
from . import _ops


def _check(group_size):
    if group_size <= 1:
        raise ValueError('Parameter group_size to a collective op must be at least 2.')


def all_reduce(t, group_size, group_key, instance_key, merge_op, final_op, subdiv_offsets=(0,), communication_hint='auto'):
    """Every member gets the tensors of all, joined by `merge_op` ('Add', 'Mul', ...) and then changed by `final_op` ('Id', 'Div')."""
    if group_size < 1:
        raise ValueError('Parameter group_size to all_reduce must be at least 1.')
    return _ops.collective_reduce(t, group_size, group_key, instance_key, merge_op, final_op, list(subdiv_offsets),
                                  communication_hint=communication_hint.lower())


def all_gather(t, group_size, group_key, instance_key, communication_hint='auto'):
    """Every member gets the rows of all."""
    if group_size < 1:
        raise ValueError('Parameter group_size to all_gather must be at least 1.')
    shape = [None if t.shape[0].value is None else t.shape[0].value * group_size] + t.shape.as_list()[1:]
    return _ops.collective_gather(t, group_size, group_key, instance_key, shape, communication_hint=communication_hint.lower())


def broadcast_send(t, shape, dtype, group_size, group_key, instance_key, communication_hint='auto'):
    """Gives `t` to the other members."""
    _check(group_size)
    if t.shape != shape:
        raise ValueError('The shape of the tensor sent, %s, is not the declared one, %s' % (t.shape, shape))
    if t.dtype != dtype:
        raise ValueError('The type of the tensor sent, %s, is not the declared one, %s' % (t.dtype, dtype))
    return _ops.collective_bcast_send(t, group_size, group_key, instance_key, shape, communication_hint=communication_hint.lower())


def broadcast_recv(shape, dtype, group_size, group_key, instance_key, communication_hint='auto'):
    """What another member sends."""
    _check(group_size)
    return _ops.collective_bcast_recv(dtype, group_size, group_key, instance_key, shape,
                                      communication_hint=communication_hint.lower())
